/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Robots on wheels. WheeledRobot is driven by the speeds of its left and right wheels;
 * PhysicsAckermannRobot by those of its rear wheels, and steers the front ones; RaycastVehicle is a
 * car on springs, with an engine, brakes and a steering.
 */
#include <orrery.h>

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
  double turning;  /* m, the distance of the wheels as far as turning tells; 0: as it is */
  double roll;     /* share of the height that leans the body */
  double friction; /* of the tyres */
  double torque;   /* N m */
  double rest;     /* m */
  double stiffness, relaxation, compression; /* for each kg of the robot */

  OrreryObject *wheels[N_WHEELS];
} OrreryWheeledRobotPrivate;

#define ORRERY_TYPE_WHEELED_ROBOT (orrery_wheeled_robot_get_type ())
G_DECLARE_DERIVABLE_TYPE (OrreryWheeledRobot, orrery_wheeled_robot, ORRERY, WHEELED_ROBOT,
                          OrreryRobot)
struct _OrreryWheeledRobotClass {
  OrreryRobotClass parent_class;
};
G_DEFINE_TYPE_WITH_PRIVATE (OrreryWheeledRobot, orrery_wheeled_robot, ORRERY_TYPE_ROBOT)

#define PRIVATE(self)                                                                              \
  ((OrreryWheeledRobotPrivate *) orrery_wheeled_robot_get_instance_private (self))

#define ORRERY_TYPE_RAYCAST_VEHICLE (orrery_raycast_vehicle_get_type ())
G_DECLARE_FINAL_TYPE (OrreryRaycastVehicle, orrery_raycast_vehicle, ORRERY, RAYCAST_VEHICLE,
                      OrreryWheeledRobot)
struct _OrreryRaycastVehicle {
  OrreryWheeledRobot parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryRaycastVehicle, orrery_raycast_vehicle, ORRERY_TYPE_WHEELED_ROBOT)

enum { NUMBER_TURNING, NUMBER_ROLL, NUMBER_FRICTION, NUMBER_TORQUE, N_NUMBERS };
enum {
  PROP_SUSPENSION = 1,
  PROP_NAMES,
  PROP_NUMBERS = PROP_NAMES + N_WHEELS,
  N_PROPERTIES = PROP_NUMBERS + N_NUMBERS,
};

static GParamSpec *properties[N_PROPERTIES];

static const struct {
  const char *name, *nick, *words;
} name_options[N_WHEELS] = {
  { "wheel-fl-name", "WheelFLName", "Object that is the left wheel of the front; None: none" },
  { "wheel-fr-name", "WheelFRName", "Object that is the right wheel of the front; None: none" },
  { "wheel-rl-name", "WheelRLName", "Object that is the left wheel of the rear; None: none" },
  { "wheel-rr-name", "WheelRRName", "Object that is the right wheel of the rear; None: none" },
  { "caster-wheel-name", "CasterWheelName", "Object that is a wheel without grip; None: none" },
  { "second-caster-wheel-name", "SecondCasterWheelName",
    "Object that is another wheel without grip; None: none" },
};

static const struct {
  const char *name, *nick, *words;
  double high, fallback;
} number_options[N_NUMBERS] = {
  { "fix-turning-speed", "FixTurningSpeed",
    "Distance of left and right as far as turning on the spot tells, m; 0: as it is", 1e3, 0 },
  { "influence", "Influence", "Share of its height that leans the robot in a curve", 1, 0.1 },
  { "tyre-friction", "Friction", "Friction of the tyres on any ground", 1e6, 0.8 },
  { "max-torque", "MaxTorque", "The most that the motor of a wheel gives, N m", 1e9, 300 },
};

static double *
get_number (OrreryWheeledRobotPrivate *priv, guint which)
{
  double *const numbers[] = { &priv->turning, &priv->roll, &priv->friction, &priv->torque };

  return numbers[which];
}

static void
orrery_wheeled_robot_set_property (GObject *object, guint id, const GValue *value,
                                   GParamSpec *pspec)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (object));

  if (id == PROP_SUSPENSION) {
    priv->suspension = g_value_get_boolean (value);
  } else if (id >= PROP_NAMES && id < PROP_NAMES + N_WHEELS) {
    g_free (priv->names[id - PROP_NAMES]);
    priv->names[id - PROP_NAMES] = g_value_dup_string (value);
  } else if (id >= PROP_NUMBERS && id < N_PROPERTIES) {
    *get_number (priv, id - PROP_NUMBERS) = g_value_get_double (value);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_wheeled_robot_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (object));

  if (id == PROP_SUSPENSION)
    g_value_set_boolean (value, priv->suspension);
  else if (id >= PROP_NAMES && id < PROP_NAMES + N_WHEELS)
    g_value_set_string (value, priv->names[id - PROP_NAMES]);
  else if (id >= PROP_NUMBERS && id < N_PROPERTIES)
    g_value_set_double (value, *get_number (priv, id - PROP_NUMBERS));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

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
    if (name == NULL || *name == '\0' || g_str_equal (name, "None"))
      continue;
    priv->wheels[i] = find_child (robot, name);
    if (priv->wheels[i] != NULL)
      continue;
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s: %s is '%s', and the robot has no object of that name",
                 orrery_part_get_name (ORRERY_PART (self)), name_options[i].nick, name);
    return FALSE;
  }
  if (priv->wheels[FRONT_LEFT] != NULL && priv->wheels[FRONT_RIGHT] != NULL)
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
               "%s: a robot on wheels needs WheelFLName and WheelFRName",
               orrery_part_get_name (ORRERY_PART (self)));
  return FALSE;
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

  if (!get_axle (priv, &axle, &track)) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s: the wheels of the front are at one place",
                 orrery_part_get_name (ORRERY_PART (self)));
    return FALSE;
  }
  share_weight (priv, mass * orrery_vec3_length (orrery_world_get_gravity (world)), loads);
  for (guint i = 0; i < N_WHEELS; i++)
    n += priv->wheels[i] != NULL;
  for (guint i = 0; i < N_WHEELS; i++) {
    const OrreryVec3 *place = priv->wheels[i] != NULL ? get_place (priv, i) : NULL;
    OrreryWheel wheel = { .axle = axle, .roll = priv->roll };
    double stretch = priv->turning > 0 ? priv->turning / track : 1;

    if (place == NULL)
      continue;
    wheel.radius = get_radius (priv->wheels[i]);
    wheel.arm = (place->x * axle.x + place->y * axle.y) * stretch;
    wheel.friction = i < CASTOR ? priv->friction : 0;
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
orrery_wheeled_robot_finalize (GObject *object)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (object));

  for (guint i = 0; i < N_WHEELS; i++)
    g_clear_pointer (&priv->names[i], g_free);
  G_OBJECT_CLASS (orrery_wheeled_robot_parent_class)->finalize (object);
}

static void
orrery_wheeled_robot_class_init (OrreryWheeledRobotClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_wheeled_robot_set_property;
  object_class->get_property = orrery_wheeled_robot_get_property;
  object_class->finalize = orrery_wheeled_robot_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_wheeled_robot_setup;
  ORRERY_ROBOT_CLASS (klass)->drive = orrery_wheeled_robot_drive;

  properties[PROP_SUSPENSION] =
      g_param_spec_boolean ("has-suspension", "HasSuspension",
                            "Whether its wheels are on soft springs", FALSE, flags);
  for (guint i = 0; i < N_WHEELS; i++)
    properties[PROP_NAMES + i] = g_param_spec_string (name_options[i].name, name_options[i].nick,
                                                      name_options[i].words, "None", flags);
  for (guint i = 0; i < N_NUMBERS; i++)
    properties[PROP_NUMBERS + i] =
        g_param_spec_double (number_options[i].name, number_options[i].nick,
                             number_options[i].words, 0, number_options[i].high,
                             number_options[i].fallback, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_wheeled_robot_init (OrreryWheeledRobot *self)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (self);

  for (guint i = 0; i < N_WHEELS; i++)
    priv->names[i] = g_strdup ("None");
  for (guint i = 0; i < N_NUMBERS; i++)
    *get_number (priv, i) = number_options[i].fallback;
  priv->rest = 0.3;
  priv->stiffness = 15;
  priv->relaxation = 10;
  priv->compression = 2;
}

/* --- a car --- */

enum {
  PROP_TYRE_FRICTION = 1,
  PROP_REST_LENGTH,
  PROP_STIFFNESS,
  PROP_DAMPING,
  PROP_COMPRESSION,
  N_VEHICLE_PROPERTIES
};

static GParamSpec *vehicle_properties[N_VEHICLE_PROPERTIES];

static double *
get_vehicle_number (GObject *object, guint id)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (object));
  double *const numbers[] = {
    NULL, &priv->friction, &priv->rest, &priv->stiffness, &priv->relaxation, &priv->compression
  };

  return id < N_VEHICLE_PROPERTIES ? numbers[id] : NULL;
}

static void
orrery_raycast_vehicle_set_property (GObject *object, guint id, const GValue *value,
                                     GParamSpec *pspec)
{
  double *number = get_vehicle_number (object, id);

  if (number != NULL)
    *number = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_raycast_vehicle_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  double *number = get_vehicle_number (object, id);

  if (number != NULL)
    g_value_set_double (value, *number);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_raycast_vehicle_class_init (OrreryRaycastVehicleClass *klass)
{
  static const struct {
    const char *name, *nick, *words;
    double high, fallback;
  } table[N_VEHICLE_PROPERTIES] = {
    [PROP_TYRE_FRICTION] = { "grip", "friction", "Friction of the tyres on any ground", 1e6, 200 },
    [PROP_REST_LENGTH] = { "rest-length", "SuspensionRestLength",
                           "Length of its springs without load, m", 1e3, 0.3 },
    [PROP_STIFFNESS] = { "stiffness", "SuspensionStiffness",
                         "Of a spring, N/m for each kg of the robot", 1e6, 15 },
    [PROP_DAMPING] = { "damping", "SuspensionDamping",
                       "Of a spring that is let go, N s/m for each kg of the robot", 1e6, 10 },
    [PROP_COMPRESSION] = { "compression", "SuspensionCompression",
                           "Of a spring that is pressed, N s/m for each kg of the robot", 1e6, 2 },
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_raycast_vehicle_set_property;
  object_class->get_property = orrery_raycast_vehicle_get_property;
  for (guint i = PROP_TYRE_FRICTION; i < N_VEHICLE_PROPERTIES; i++)
    vehicle_properties[i] =
        g_param_spec_double (table[i].name, table[i].nick, table[i].words, 0, table[i].high,
                             table[i].fallback, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_VEHICLE_PROPERTIES, vehicle_properties);
}

static void
orrery_raycast_vehicle_init (OrreryRaycastVehicle *self)
{
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (self));

  priv->suspension = TRUE;
  priv->friction = 200;
  priv->roll = 0.05;
}

/* --- a robot that steers its front wheels --- */

/* rad/s: a turn slower than this is none, as users of MORSE know it. */
#define STRAIGHT 0.01

/* Of the controllers that MORSE's robot has between a command and its wheels: kept for its scenes.
 */
static const struct {
  const char *name, *nick;
} gains[] = {
  { "velocity-p-gain", "velocity_p_gain" },
  { "velocity-d-gain", "velocity_d_gain" },
  { "velocity-i-gain", "velocity_i_gain" },
  { "velocity-integral-limits", "velocity_integral_limits" },
  { "angular-velocity-p-gain", "angular_velocity_p_gain" },
  { "angular-velocity-d-gain", "angular_velocity_d_gain" },
  { "angular-velociy-i-gain", "angular_velociy_i_gain" },
  { "angular-velocity-integral-limits", "angular_velocity_integral_limits" },
};

#define N_GAINS G_N_ELEMENTS (gains)

#define ORRERY_TYPE_ACKERMANN_ROBOT (orrery_ackermann_robot_get_type ())
G_DECLARE_FINAL_TYPE (OrreryAckermannRobot, orrery_ackermann_robot, ORRERY, ACKERMANN_ROBOT,
                      OrreryWheeledRobot)
struct _OrreryAckermannRobot {
  OrreryWheeledRobot parent_instance;

  double max_steering; /* rad, of the middle of the front */
  double length;       /* m, between the axles */
  double gains[N_GAINS];
};
G_DEFINE_FINAL_TYPE (OrreryAckermannRobot, orrery_ackermann_robot, ORRERY_TYPE_WHEELED_ROBOT)

enum { PROP_MAX_STEERING = 1, PROP_GAINS };

static void
orrery_ackermann_robot_set_property (GObject *object, guint id, const GValue *value,
                                     GParamSpec *pspec)
{
  if (id == PROP_MAX_STEERING)
    ORRERY_ACKERMANN_ROBOT (object)->max_steering = g_value_get_double (value);
  else if (id >= PROP_GAINS && id < PROP_GAINS + N_GAINS)
    ORRERY_ACKERMANN_ROBOT (object)->gains[id - PROP_GAINS] = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_ackermann_robot_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAX_STEERING)
    g_value_set_double (value, ORRERY_ACKERMANN_ROBOT (object)->max_steering);
  else if (id >= PROP_GAINS && id < PROP_GAINS + N_GAINS)
    g_value_set_double (value, ORRERY_ACKERMANN_ROBOT (object)->gains[id - PROP_GAINS]);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

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
  OrreryAckermannRobot *self = ORRERY_ACKERMANN_ROBOT (part);
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (self));
  GError *local = NULL;

  ORRERY_PART_CLASS (orrery_ackermann_robot_parent_class)->setup (part, setup, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    return;
  }
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

/* rad, of the middle of the front axle, within what it can. */
static double
choose_steering (const OrreryAckermannRobot *self, double v, double w)
{
  double steering;

  if (fabs (w) <= STRAIGHT || fabs (v) < STANDSTILL)
    return 0;
  steering = atan (self->length * w / v);
  return CLAMP (steering, -self->max_steering, self->max_steering);
}

/* All wheels are on circles about one point, which lies on the rear axle. */
static void
orrery_ackermann_robot_drive (OrreryRobot *robot, OrreryTick *tick, double v, double w)
{
  OrreryAckermannRobot *self = ORRERY_ACKERMANN_ROBOT (robot);
  OrreryWheeledRobotPrivate *priv = PRIVATE (ORRERY_WHEELED_ROBOT (robot));
  double curvature;

  if (fabs (v) < STANDSTILL)
    v = 0;
  curvature = tan (choose_steering (self, v, w)) / self->length;
  for (guint i = 0; i < CASTOR; i++) {
    const OrreryWheel *wheel = orrery_object_get_wheel (priv->wheels[i]);
    double share = 1 - wheel->arm * curvature;
    OrreryWheelDrive drive = { 0 };

    if (i == REAR_LEFT || i == REAR_RIGHT) {
      drive.held = TRUE;
      drive.speed = v * share / wheel->radius;
    } else {
      drive.steer = atan2 (self->length * curvature, share);
    }
    orrery_commands_drive_wheel (orrery_tick_get_commands (tick), priv->wheels[i], &drive);
  }
}

static void
orrery_ackermann_robot_class_init (OrreryAckermannRobotClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_ackermann_robot_set_property;
  object_class->get_property = orrery_ackermann_robot_get_property;
  ORRERY_PART_CLASS (klass)->setup = orrery_ackermann_robot_setup;
  ORRERY_ROBOT_CLASS (klass)->drive = orrery_ackermann_robot_drive;
  for (guint i = 0; i < N_GAINS; i++)
    g_object_class_install_property (
        object_class, PROP_GAINS + i,
        g_param_spec_double (gains[i].name, gains[i].nick,
                             "Kept, without effect: the motors of the wheels hold their speeds",
                             -1e9, 1e9, 1,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
      object_class, PROP_MAX_STEERING,
      g_param_spec_double ("max-steering-angle", "max_steering_angle",
                           "The most that the front steers, in its middle, rad", 0, 1.5, G_PI / 4,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS));
}

static void
orrery_ackermann_robot_init (OrreryAckermannRobot *self)
{
}

ORRERY_PLUGIN ("Robots on wheels: driven left and right, steered, or as a car", "BSD-3-Clause",
               ORRERY_CLASS (WheeledRobot, OrreryWheeledRobot, orrery_wheeled_robot),
               ORRERY_CLASS (PhysicsAckermannRobot, OrreryAckermannRobot, orrery_ackermann_robot,
                             .role = ORRERY_ROLE_ROBOT),
               ORRERY_CLASS (RaycastVehicle, OrreryRaycastVehicle, orrery_raycast_vehicle,
                             .role = ORRERY_ROLE_ROBOT))
