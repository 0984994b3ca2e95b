/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Robots on wheels. WheeledRobot is driven by the speeds of its left and right wheels;
 * PhysicsAckermannRobot by those of its rear wheels, and steers the front ones, as controllers of
 * its speed and turn rate ask for; RaycastVehicle is a car on springs, with an engine, brakes and a
 * steering.
 */
#include "pid.h"

#include <math.h>

/* Left and right of the front, left and right of the rear, and castors. */
enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, CASTOR, SECOND_CASTOR, N_WHEELS };

/* Wheels without a suspension still give a little, or four of them would not all bear: rad/s and
 * share of critical damping of the body on them. */
#define STIFF_FREQUENCY 40.0
#define STIFF_DAMPING 1.0

/* Speeds below this are none, as users of MORSE know it. */
#define STANDSTILL 0.001

typedef struct {
  char *names[N_WHEELS];
  gboolean suspension;
  gboolean ray;    /* as those of Bullet's vehicle */
  double turning;  /* m, the distance of the wheels as far as turning tells; 0: as it is */
  double roll;     /* share of the height that leans the body */
  double friction; /* of the tyres */
  double torque;   /* N m */
  double rest;     /* m */
  double stiffness, relaxation, compression; /* for each kg of the robot */

  OrreryObject *wheels[N_WHEELS];
} OrreryWheeledRobotPrivate;

G_DECLARE_DERIVABLE_TYPE (OrreryWheeledRobot, orrery_wheeled_robot, ORRERY, WHEELED_ROBOT,
                          OrreryRobot)
struct _OrreryWheeledRobotClass {
  OrreryRobotClass parent_class;
};
G_DEFINE_TYPE_WITH_PRIVATE (OrreryWheeledRobot, orrery_wheeled_robot, ORRERY_TYPE_ROBOT)

#define PRIVATE(self)                                                                              \
  ((OrreryWheeledRobotPrivate *) orrery_wheeled_robot_get_instance_private (self))

typedef struct {
  OrreryWheeledRobot parent_instance;
} OrreryRaycastVehicle;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryRaycastVehicle, orrery_raycast_vehicle, OrreryWheeledRobot,
                               orrery_wheeled_robot)

#define WHEEL_NAME(wheel, nick, words)                                                             \
  ORRERY_PROPERTY_STRING (OrreryWheeledRobotPrivate, names[wheel], nick, "None", words,            \
                          .flags = ORRERY_PROPERTY_AT_START)
#define FIRST_NAME 1

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryWheeledRobotPrivate, suspension, "HasSuspension", FALSE,
                           "Whether its wheels are on soft springs",
                           .flags = ORRERY_PROPERTY_AT_START),
  [FIRST_NAME] = WHEEL_NAME (FRONT_LEFT, "WheelFLName",
                             "Object that is the left wheel of the front; None: none"),
  WHEEL_NAME (FRONT_RIGHT, "WheelFRName",
              "Object that is the right wheel of the front; None: none"),
  WHEEL_NAME (REAR_LEFT, "WheelRLName", "Object that is the left wheel of the rear; None: none"),
  WHEEL_NAME (REAR_RIGHT, "WheelRRName", "Object that is the right wheel of the rear; None: none"),
  WHEEL_NAME (CASTOR, "CasterWheelName",
              "Object that is a wheel without a motor, its axle fixed; None: none"),
  WHEEL_NAME (SECOND_CASTOR, "SecondCasterWheelName",
              "Object that is another wheel without a motor; None: none"),
  ORRERY_PROPERTY_DOUBLE (
      OrreryWheeledRobotPrivate, turning, "FixTurningSpeed", 0, 1e3, 0,
      "Distance of left and right as far as turning on the spot tells, m; 0: as it is",
      .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, roll, "Influence", 0, 1, 0.1,
                          "Share of its height that leans the robot in a curve",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, friction, "Friction", 0, 1e6, 0.8,
                          "Friction of the tyres on any ground", .name = "tyre-friction",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, torque, "MaxTorque", 0, 1e9, 300,
                          "The most that the motor of a wheel gives, N m",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- finding the wheels --- */

static OrreryObject *
find_child (OrreryObject *robot, const char *name)
{
  GPtrArray *children = orrery_object_get_children (robot);

  for (guint i = 0; i < children->len; i++)
    if (g_str_equal (orrery_object_get_basename (children->pdata[i]), name))
      return children->pdata[i];
  return NULL;
}

static gboolean
find_wheels (OrreryWheeledRobot *self, OrreryObject *robot, GError **error)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (self);

  for (guint i = 0; i < N_WHEELS; i++) {
    const char *name = priv->names[i];

    priv->wheels[i] = NULL;
    if (*name == '\0' || g_str_equal (name, "None"))
      continue;
    priv->wheels[i] = find_child (robot, name);
    if (priv->wheels[i] != NULL)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: %s is '%s', and the robot has no object of that name",
                             orrery_part_get_name (ORRERY_PART (self)),
                             properties[FIRST_NAME + i].nick, name);
  }
  if (priv->wheels[FRONT_LEFT] != NULL && priv->wheels[FRONT_RIGHT] != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s: a robot on wheels needs WheelFLName and WheelFRName",
                           orrery_part_get_name (ORRERY_PART (self)));
}

static const OrreryVec3 *
get_place (OrreryWheeledRobotPrivate *priv, guint wheel)
{
  return &orrery_object_get_start (priv->wheels[wheel])->position;
}

/* From the right wheel of the front to the left one. */
static gboolean
get_axle (OrreryWheeledRobotPrivate *priv, OrreryVec3 *axle, double *track)
{
  const OrreryVec3 *l = get_place (priv, FRONT_LEFT);
  const OrreryVec3 *r = get_place (priv, FRONT_RIGHT);

  *track = hypot (l->x - r->x, l->y - r->y);
  if (*track < 1e-6)
    return FALSE;
  *axle = (OrreryVec3){ (l->x - r->x) / *track, (l->y - r->y) / *track, 0 };
  return TRUE;
}

static double
get_radius (OrreryObject *wheel)
{
  GPtrArray *shapes = orrery_object_get_shapes (wheel);
  double radius = 0;

  for (guint i = 0; i < shapes->len; i++)
    radius = fmax (radius, orrery_shape_get_size (shapes->pdata[i])->x);
  return radius;
}

/* m, of a tyre that is a cylinder; 0 for others. */
static double
get_width (OrreryObject *wheel)
{
  GPtrArray *shapes = orrery_object_get_shapes (wheel);
  double width = 0;

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_get_kind (shapes->pdata[i]) == ORRERY_SHAPE_CYLINDER)
      width = fmax (width, 2 * orrery_shape_get_size (shapes->pdata[i])->z);
  return width;
}

/* --- springs --- */

/* Solves the symmetric system m x = b by Cramer's rule; FALSE where there is no one solution. */
static gboolean
solve (const double m[6], const double b[3], double x[3])
{
  double a00 = m[3] * m[5] - m[4] * m[4];
  double a01 = m[2] * m[4] - m[1] * m[5];
  double a02 = m[1] * m[4] - m[2] * m[3];
  double a11 = m[0] * m[5] - m[2] * m[2];
  double a12 = m[1] * m[2] - m[0] * m[4];
  double a22 = m[0] * m[3] - m[1] * m[1];
  double det = m[0] * a00 + m[1] * a01 + m[2] * a02;

  if (fabs (det) < 1e-12)
    return FALSE;
  x[0] = (a00 * b[0] + a01 * b[1] + a02 * b[2]) / det;
  x[1] = (a01 * b[0] + a11 * b[1] + a12 * b[2]) / det;
  x[2] = (a02 * b[0] + a12 * b[1] + a22 * b[2]) / det;
  return TRUE;
}

/* What each of the wheels bears of a robot that stands still, N: springs that are alike. */
static void
share_weight (OrreryWheeledRobotPrivate *priv, double weight, double loads[N_WHEELS])
{
  double m[6] = { 0 }, plane[3], b[3] = { weight, 0, 0 };
  gboolean solved;

  for (guint i = 0; i < N_WHEELS; i++) {
    const OrreryVec3 *p = priv->wheels[i] != NULL ? get_place (priv, i) : NULL;

    if (p == NULL)
      continue;
    m[0] += 1;
    m[1] += p->x;
    m[2] += p->y;
    m[3] += p->x * p->x;
    m[4] += p->x * p->y;
    m[5] += p->y * p->y;
  }
  solved = solve (m, b, plane);
  for (guint i = 0; i < N_WHEELS; i++) {
    const OrreryVec3 *p = priv->wheels[i] != NULL ? get_place (priv, i) : NULL;

    loads[i] = 0;
    if (p != NULL)
      loads[i] = solved ? fmax (plane[0] + plane[1] * p->x + plane[2] * p->y, 0) : weight / m[0];
  }
}

static void
fill_spring (OrreryWheeledRobotPrivate *priv, OrreryWheel *wheel, const OrreryVec3 *place,
             double mass, guint n, double load)
{
  double height;

  if (priv->suspension) {
    wheel->rest = height = priv->rest;
    wheel->stiffness = priv->stiffness * mass;
    wheel->compression = priv->compression * mass;
    wheel->relaxation = priv->relaxation * mass;
  } else {
    /* As high as where it starts is where it stands. */
    wheel->stiffness = STIFF_FREQUENCY * STIFF_FREQUENCY * mass / n;
    wheel->compression = wheel->relaxation = 2 * STIFF_DAMPING * STIFF_FREQUENCY * mass / n;
    height = wheel->radius;
    wheel->rest = height + load / wheel->stiffness;
  }
  wheel->mount = (OrreryVec3){ place->x, place->y, place->z + height };
}

static gboolean
make_wheels (OrreryWheeledRobot *self, OrreryWorld *world, OrreryObject *robot, GError **error)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (self);
  double mass = orrery_object_get_body (robot)->mass;
  double loads[N_WHEELS], track;
  OrreryVec3 axle;
  guint n = 0;

  if (!get_axle (priv, &axle, &track))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: the front wheels are at the same place",
                             orrery_part_get_name (ORRERY_PART (self)));
  share_weight (priv, mass * orrery_vec3_length (orrery_world_get_gravity (world)), loads);
  for (guint i = 0; i < N_WHEELS; i++)
    n += priv->wheels[i] != NULL;
  for (guint i = 0; i < N_WHEELS; i++) {
    const OrreryVec3 *place = priv->wheels[i] != NULL ? get_place (priv, i) : NULL;
    OrreryWheel wheel = { .axle = axle, .roll = priv->roll, .ray = priv->ray };
    double width = priv->turning > 0 ? priv->turning : track;

    if (place == NULL)
      continue;
    wheel.radius = get_radius (priv->wheels[i]);
    wheel.arm = i == FRONT_LEFT || i == REAR_LEFT ? width / 2 : -width / 2;
    wheel.friction = priv->friction;
    wheel.width = priv->suspension ? 0 : get_width (priv->wheels[i]);
    wheel.torque = i < CASTOR ? priv->torque : 0;
    fill_spring (priv, &wheel, place, mass, n, loads[i]);
    if (!orrery_object_set_wheel (priv->wheels[i], &wheel, error))
      return FALSE;
  }
  return TRUE;
}

static void
orrery_wheeled_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryWheeledRobot *self = ORRERY_WHEELED_ROBOT (part);
  OrreryObject *robot = orrery_setup_get_object (setup);
  GError *local = NULL;

  ORRERY_PART_CLASS (orrery_wheeled_robot_parent_class)->setup (part, setup, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  else if (find_wheels (self, robot, error))
    make_wheels (self, orrery_setup_get_world (setup), robot, error);
}

/* --- driving --- */

static void
orrery_wheeled_robot_drive (OrreryRobot *robot, OrreryTick *tick, double v, double w)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (robot));

  if (fabs (v) < STANDSTILL && fabs (w) < STANDSTILL)
    v = w = 0;
  for (guint i = 0; i < CASTOR; i++) {
    const OrreryWheel *wheel =
        priv->wheels[i] != NULL ? orrery_object_get_wheel (priv->wheels[i]) : NULL;
    OrreryWheelDrive drive = { .held = TRUE };

    if (wheel == NULL)
      continue;
    drive.speed = (v - wheel->arm * w) / wheel->radius;
    orrery_commands_drive_wheel (orrery_tick_get_commands (tick), priv->wheels[i], &drive);
  }
}

static void
orrery_wheeled_robot_class_init (OrreryWheeledRobotClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_wheeled_robot_setup;
  ORRERY_ROBOT_CLASS (klass)->drive = orrery_wheeled_robot_drive;
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, properties);
}

static void
orrery_wheeled_robot_init (OrreryWheeledRobot *self)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (self);

  priv->rest = 0.3;
  priv->stiffness = 15;
  priv->relaxation = 10;
  priv->compression = 2;
}

/* --- a car --- */

static const OrreryProperty vehicle_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, friction, "friction", 0, 1e6, 200,
                          "Friction of the tyres on any ground", .name = "grip",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, rest, "SuspensionRestLength", 0, 1e3, 0.3,
                          "Length of its springs without load, m", .name = "rest-length",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, stiffness, "SuspensionStiffness", 0, 1e6, 15,
                          "Of a spring, N/m for each kg of the robot", .name = "stiffness",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, relaxation, "SuspensionDamping", 0, 1e6, 10,
                          "Of a spring that is let go, N s/m for each kg of the robot",
                          .name = "damping", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryWheeledRobotPrivate, compression, "SuspensionCompression", 0, 1e6,
                          2, "Of a spring that is pressed, N s/m for each kg of the robot",
                          .name = "compression", .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_raycast_vehicle_class_init (OrreryRaycastVehicleClass *klass)
{
  /* They are members of the base. */
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), vehicle_properties,
                                    G_N_ELEMENTS (vehicle_properties),
                                    OrreryWheeledRobot_private_offset);
}

static void
orrery_raycast_vehicle_init (OrreryRaycastVehicle *self)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (self));

  priv->suspension = TRUE;
  priv->ray = TRUE;
  priv->roll = 0.05;
}

/* --- a robot that steers its front wheels --- */

/* rad/s: a turn slower than this is none, as users of MORSE know it. */
#define STRAIGHT 0.01

typedef struct {
  OrreryWheeledRobot parent_instance;

  double max_steering; /* rad */
  double length;       /* m, between the axles */
  OrreryObject *object;
  Pid speed;
  Pid turn;
} OrreryAckermannRobot;
ORRERY_DEFINE_CLASS (OrreryAckermannRobot, orrery_ackermann_robot, OrreryWheeledRobot,
                     orrery_wheeled_robot)

#define GAIN(place, nick, words)                                                                   \
  ORRERY_PROPERTY_DOUBLE (OrreryAckermannRobot, place, nick, -1e9, 1e9, 1, words)

static const OrreryProperty ackermann_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryAckermannRobot, max_steering, "max_steering_angle", 0, 1.5,
                          G_PI / 4,
                          "What the front wheels steer for a turn that is tighter than half the "
                          "track, rad"),
  GAIN (speed.p, "velocity_p_gain", "Speed for an error of the speed"),
  GAIN (speed.d, "velocity_d_gain", "Speed for a change of that error, s"),
  GAIN (speed.i, "velocity_i_gain", "Speed for the sum of that error over all steps"),
  GAIN (speed.limit, "velocity_integral_limits", "The most that this sum is, m/s"),
  GAIN (turn.p, "angular_velocity_p_gain", "Turn rate for an error of the turn rate"),
  GAIN (turn.d, "angular_velocity_d_gain", "Turn rate for a change of that error, s"),
  GAIN (turn.i, "angular_velociy_i_gain", "Turn rate for the sum of that error over all steps"),
  GAIN (turn.limit, "angular_velocity_integral_limits", "The most that this sum is, rad/s"),
};

/* m, how far a wheel is ahead of the robot's origin. */
static double
get_ahead (OrreryWheeledRobotPrivate *priv, guint wheel)
{
  const OrreryVec3 *axle = &orrery_object_get_wheel (priv->wheels[wheel])->axle;
  const OrreryVec3 *place = get_place (priv, wheel);

  return place->x * axle->y - place->y * axle->x;
}

static void
orrery_ackermann_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryAckermannRobot *self = (OrreryAckermannRobot *) part;
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (self));
  GError *local = NULL;

  ORRERY_PART_CLASS (orrery_ackermann_robot_parent_class)->setup (part, setup, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return;
  }
  self->object = orrery_setup_get_object (setup);
  if (priv->wheels[REAR_LEFT] != NULL && priv->wheels[REAR_RIGHT] != NULL)
    self->length = (get_ahead (priv, FRONT_LEFT) + get_ahead (priv, FRONT_RIGHT) -
                    get_ahead (priv, REAR_LEFT) - get_ahead (priv, REAR_RIGHT)) /
                   2;
  if (!(self->length > 1e-3))
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
        "%s: a robot that steers its front wheels needs WheelRLName and WheelRRName behind "
        "WheelFLName and WheelFRName",
        orrery_part_get_name (part));
}

/* What controllers make of a command: they work on how the robot moves. Without forces (an engine
 * that gives its body no inertia) a robot moves as its wheels are told: there is nothing to
 * control. */
static void
control (OrreryAckermannRobot *self, OrreryTick *tick, double *v, double *w)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (self));
  const OrreryVec3 *axle = &orrery_object_get_wheel (priv->wheels[FRONT_LEFT])->axle;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  guint index = orrery_object_get_index (self->object);
  const OrreryQuat *rotation = &orrery_snapshot_get_pose (snapshot, index)->rotation;
  OrreryTime now = orrery_tick_get_time (tick);
  OrreryVec3 linear, angular;

  if (!(orrery_object_get_body (self->object)->inertia.z > 0))
    return;
  orrery_quat_rotate_back (rotation, orrery_snapshot_get_linear_velocity (snapshot, index),
                           &linear);
  orrery_quat_rotate_back (rotation, orrery_snapshot_get_angular_velocity (snapshot, index),
                           &angular);
  /* Forwards is across the axles. */
  *v = pid_step (&self->speed, *v, linear.x * axle->y - linear.y * axle->x, now);
  *w = pid_step (&self->turn, *w, angular.z, now);
}

/* rad, of a front wheel that is @left m to the left: on a circle about a point of the rear axle. */
static double
choose_steering (const OrreryAckermannRobot *self, double v, double w, double left)
{
  double radius = v / w;

  if (fabs (w) <= STRAIGHT)
    return 0;
  if (fabs (radius) < fabs (left))
    return copysign (self->max_steering, radius);
  return atan (self->length / (radius - left));
}

static void
orrery_ackermann_robot_drive (OrreryRobot *robot, OrreryTick *tick, double v, double w)
{
  OrreryAckermannRobot *self = (OrreryAckermannRobot *) robot;
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (robot));

  control (self, tick, &v, &w);
  for (guint i = 0; i < CASTOR; i++) {
    const OrreryWheel *wheel = orrery_object_get_wheel (priv->wheels[i]);
    OrreryWheelDrive drive = { 0 };

    if (i == REAR_LEFT || i == REAR_RIGHT) {
      drive.held = TRUE;
      drive.speed = v / wheel->radius;
    } else {
      drive.steer = choose_steering (self, v, w, wheel->arm);
    }
    orrery_commands_drive_wheel (orrery_tick_get_commands (tick), priv->wheels[i], &drive);
  }
}

static void
orrery_ackermann_robot_class_init (OrreryAckermannRobotClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_ackermann_robot_setup;
  pid_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryAckermannRobot, speed));
  pid_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryAckermannRobot, turn));
  ORRERY_ROBOT_CLASS (klass)->drive = orrery_ackermann_robot_drive;
  ORRERY_CLASS_SET_PROPERTIES (klass, ackermann_properties);
}

ORRERY_PLUGIN ("Robots on wheels: driven left and right, steered, or as a car", "BSD-3-Clause",
               ORRERY_CLASS (WheeledRobot, OrreryWheeledRobot, orrery_wheeled_robot),
               ORRERY_CLASS (PhysicsAckermannRobot, OrreryAckermannRobot, orrery_ackermann_robot,
                             .role = ORRERY_ROLE_ROBOT),
               ORRERY_CLASS (RaycastVehicle, OrreryRaycastVehicle, orrery_raycast_vehicle,
                             .role = ORRERY_ROLE_ROBOT))
