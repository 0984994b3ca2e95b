/* SPDX-License-Identifier: BSD-3-Clause */
/* Waypoint: drives the robot to a point, around what its radars see. */
#include "marker.h"
#include "radar.h"

#include <math.h>

/* The robot turns at most along an arc of this radius at its speed, m. */
#define TURN_RADIUS 2.0
/* A goal further aside is turned to on the spot, rad. */
#define TURN_ON_THE_SPOT (G_PI / 3)

typedef struct {
  double x, y, z;
  double tolerance;
  double speed;
} WaypointData;

static const OrreryField fields[] = {
  ORRERY_FIELD (WaypointData, x, "m", "Goal in the world frame, x"),
  ORRERY_FIELD (WaypointData, y, "m", "Goal in the world frame, y"),
  ORRERY_FIELD (WaypointData, z, "m", "Goal in the world frame, z; counts with FreeZ only"),
  ORRERY_FIELD (WaypointData, tolerance, "m", "How near is near enough"),
  ORRERY_FIELD (WaypointData, speed, "m/s",
                "Speed on the way; negative backs away, zero drives no more"),
};

typedef enum { STATUS_ARRIVED, STATUS_TRANSIT, STATUS_STOP } WaypointStatus;

static const char *const status_names[] = { "Arrived", "Transit", "Stop" };

/*
 * Drives its robot to a point: towards it with the record's speed, turning on the way, on the spot
 * where the goal is 60 degrees or more aside. Distances are those of the actuator, in the plane
 * unless FreeZ, headings those of the robot. Having arrived, it leaves the robot alone until the
 * goal changes or a service asks again; with RemainAtDestination it goes back when pushed away. A
 * negative speed turns and drives the other way.
 *
 * The turn rate is half of what would close the angle in one step, at most speed / 2 m (an arc of
 * 2 m radius): MORSE's numbers, with the length that they imply. With a speed of zero (`stop`, or
 * a message) the robot is told nothing: it coasts until friction stops it. Where there are no
 * forces (an engine that gives its body no inertia), it is told to stand still.
 *
 * With ObstacleAvoidance two radars look ahead: cones of 5 degrees, 3 m long, at (0.7, +-0.4, 0.8)
 * m, every 20 ticks; they see solid shapes that meet them, with their margins, and not the own
 * robot. What is made of triangles and never moves they see by rays. While one of
 * them sees something, the robot turns away from it, on the right first, as far as the goal is
 * beyond the radars' range and the thing has none of the properties of Ignore; else it goes
 * straight on. It turns away at the rate at which it would turn to the goal, which grows as it
 * turns.
 */
typedef struct {
  OrreryActuator parent_instance;
  gboolean obstacle_avoidance;
  gboolean free_z;
  double angle_tolerance;
  double default_speed;
  char *target;
  char *ignore;
  OrreryControl control;
  gboolean remain;

  OrreryComponent *robot; /* borrowed: it carries the actuator */
  OrreryWorld *world;
  Radars radars;
  char **ignored;          /* names of properties */
  OrreryObject *marker;    /* borrowed from the world, or NULL */
  gint64 status;           /* a WaypointStatus */
  OrreryVec3 goal;         /* of the previous step */
  double remembered_speed; /* of the time before `stop`, or 0 */
} OrreryWaypoint;
ORRERY_DEFINE_CLASS (OrreryWaypoint, orrery_waypoint, OrreryActuator, orrery_actuator)

static gboolean
check_avoidance (OrreryPart *part, GVariant *value, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;

  if (!g_variant_get_boolean (value) || self->robot == NULL || self->radars.rays != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "there are no radars: the scene has it off");
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryWaypoint, obstacle_avoidance, "ObstacleAvoidance", TRUE,
                           "Whether to steer clear of what two radars ahead of the robot see",
                           .check = check_avoidance),
  ORRERY_PROPERTY_BOOLEAN (OrreryWaypoint, free_z, "FreeZ", FALSE,
                           "Whether the height is controlled and counts, too"),
  ORRERY_PROPERTY_DOUBLE (OrreryWaypoint, angle_tolerance, "AngleTolerance", 0, G_PI,
                          10 * G_PI / 180, "Deviation of the heading that is left alone, rad"),
  ORRERY_PROPERTY_DOUBLE (OrreryWaypoint, default_speed, "Speed", -G_MAXDOUBLE, G_MAXDOUBLE, 1,
                          "Initial speed of the record, m/s", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryWaypoint, target, "Target", "",
                          "Name of an object that is moved to the goal, or \"\"",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (
      OrreryWaypoint, ignore, "Ignore", "",
      "Names of properties, separated by commas, of objects that radars overlook",
      .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_ENUM (OrreryWaypoint, control, "ControlType", orrery_control_get_type,
                        ORRERY_CONTROL_VELOCITY, "How the robot is moved"),
  ORRERY_PROPERTY_BOOLEAN (OrreryWaypoint, remain, "RemainAtDestination", FALSE,
                           "Whether it returns to the goal when pushed away"),
};

/* --- geometry --- */

static OrreryVec3
way_to (OrreryWaypoint *self, double x, double y, double z)
{
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (self))->position;

  return (OrreryVec3){ x - here->x, y - here->y, z - here->z };
}

static double
distance_of (OrreryWaypoint *self, const OrreryVec3 *way)
{
  return self->free_z ? orrery_vec3_length (way) : hypot (way->x, way->y);
}

/* --- services --- */

static void
take_goal (OrreryWaypoint *self, OrreryCall *call)
{
  WaypointData goal = {
    .x = orrery_call_get_double (call, 0),
    .y = orrery_call_get_double (call, 1),
    .z = orrery_call_get_double (call, 2),
    .tolerance = orrery_call_get_double (call, 3),
    .speed = orrery_call_get_double (call, 4),
  };

  *(WaypointData *) orrery_component_get_data (self) = goal;
  self->status = STATUS_TRANSIT;
}

static void
setdest (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;
  OrreryVec3 way = way_to (self, orrery_call_get_double (call, 0), orrery_call_get_double (call, 1),
                           orrery_call_get_double (call, 2));
  gboolean there = distance_of (self, &way) <= orrery_call_get_double (call, 3);

  if (!there)
    take_goal (self, call);
  orrery_call_return (call, g_variant_new_boolean (!there));
}

static void
go_to (OrreryPart *part, OrreryCall *call, GError **error)
{
  /* Answered by the step that arrives. */
  take_goal ((OrreryWaypoint *) part, call);
}

static void
stop (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;
  WaypointData *data = orrery_component_get_data (self);

  self->remembered_speed = data->speed;
  data->speed = 0;
  self->status = STATUS_STOP;
  orrery_call_return (call, g_variant_new_string (status_names[STATUS_STOP]));
}

static void
resume (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;
  WaypointData *data = orrery_component_get_data (self);

  data->speed = self->remembered_speed;
  self->remembered_speed = 0;
  self->status = STATUS_TRANSIT;
  orrery_call_return (call, g_variant_new_string (status_names[STATUS_TRANSIT]));
}

static void
get_status (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_string (status_names[((OrreryWaypoint *) part)->status]));
}

#define GOAL "x:d y:d z:d tolerance:d=0.5 speed:d=1.0"

static const OrreryService services[] = {
  { "setdest", setdest, ORRERY_SERVICE_IMMEDIATE, GOAL,
    "Sets the goal; true, or false if it is already within the tolerance" },
  { "goto", go_to, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, GOAL,
    "Drives to the goal; Arrived on arrival" },
  { "stop", stop, ORRERY_SERVICE_IMMEDIATE, "", "Drives no more until resume; Stop" },
  { "resume", resume, ORRERY_SERVICE_IMMEDIATE, "",
    "Goes on with the speed that stop found; Transit" },
  { "get_status", get_status, ORRERY_SERVICE_IMMEDIATE, "", "Transit, Arrived or Stop" },
};

/* Here is the goal: the next step stops the robot and has arrived. */
static void
stay (OrreryWaypoint *self)
{
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (self))->position;
  WaypointData *data = orrery_component_get_data (self);

  data->x = here->x;
  data->y = here->y;
  data->z = here->z;
  data->speed = 0;
  self->status = STATUS_TRANSIT;
}

static void
orrery_waypoint_cancel (OrreryPart *part, OrreryCall *call)
{
  stay ((OrreryWaypoint *) part);
}

/* --- the law --- */

static gboolean
is_at_rest (OrreryWaypoint *self, const WaypointData *in)
{
  return !self->remain && self->status == STATUS_ARRIVED && self->goal.x == in->x &&
         self->goal.y == in->y && self->goal.z == in->z;
}

/* How far the robot has to turn to face the goal, [-pi, pi); 0 where the goal is above or below. */
static double
turn_to (OrreryWaypoint *self, const WaypointData *in, const OrreryVec3 *way)
{
  double roll, pitch, yaw;

  if (hypot (way->x, way->y) <= in->tolerance / 2)
    return 0;
  orrery_quat_to_euler (&orrery_component_get_pose (self->robot)->rotation, &roll, &pitch, &yaw);
  return orrery_normalise_angle (atan2 (way->y, way->x) - yaw);
}

static void
drive (OrreryWaypoint *self, OrreryTick *tick, const OrreryVec3 *linear, double rate, double period)
{
  orrery_robot_apply_speed (ORRERY_ROBOT (self->robot), tick, self->control, linear,
                            &(OrreryVec3){ 0, 0, rate }, period);
}

static gboolean
is_ignored (OrreryWaypoint *self, gint64 index)
{
  OrreryObject *object = orrery_world_get_object (self->world, (guint) index);

  for (guint i = 0; self->ignored[i] != NULL; i++)
    if (*self->ignored[i] != '\0' && orrery_object_get_value (object, self->ignored[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* @rate: at which it would turn to the goal; FALSE: the radars see nothing, and @turn stays. */
static gboolean
avoid (OrreryWaypoint *self, const WaypointData *in, double distance, double rate, double *turn)
{
  const Radars *radars = &self->radars;
  gint64 seen = radars->right >= 0 ? radars->right : radars->left;

  if (!self->obstacle_avoidance || radars->rays == NULL || seen < 0)
    return FALSE;
  *turn = 0;
  if (distance + in->tolerance > RADAR_RANGE && !is_ignored (self, seen))
    *turn = radars->right >= 0 ? rate : -rate;
  return TRUE;
}

static void
approach (OrreryWaypoint *self, OrreryTick *tick, const WaypointData *in, const OrreryVec3 *way,
          double period)
{
  double distance = distance_of (self, way);
  double turn = turn_to (self, in, way);
  double rate = fmin (fabs (turn) / (2 * period), in->speed / TURN_RADIUS);
  double v = fmin (in->speed, distance / period);
  OrreryVec3 linear = { 0 };

  if (fabs (turn) >= TURN_ON_THE_SPOT)
    v = 0;
  if (self->free_z) {
    orrery_quat_rotate_back (&orrery_component_get_pose (self->robot)->rotation, way, &linear);
    linear = (OrreryVec3){ fabs (v * linear.x / distance), 0, v * linear.z / distance };
  } else {
    linear.x = v;
  }
  if (v == 0 || !avoid (self, in, distance, rate, &rate)) {
    if (fabs (turn) < self->angle_tolerance)
      rate = 0;
    else if (turn < 0)
      rate = -rate;
  }
  drive (self, tick, &linear, rate, period);
}

/* Whether something stops the robot when it is no longer driven. */
static gboolean
feels_forces (OrreryWaypoint *self)
{
  return orrery_object_get_body (orrery_component_get_object (self->robot))->inertia.z > 0;
}

static void
arrive (OrreryWaypoint *self)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));

  self->status = STATUS_ARRIVED;
  if (call != NULL)
    orrery_call_return (call, g_variant_new_string (status_names[STATUS_ARRIVED]));
}

static void
orrery_waypoint_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                     GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) actuator;
  const WaypointData *in = orrery_record_data (record);
  OrreryVec3 way = way_to (self, in->x, in->y, in->z);
  double period = orrery_component_get_period (ORRERY_COMPONENT (actuator));

  if (self->marker != NULL)
    marker_place (self->marker, tick, &(OrreryVec3){ in->x, in->y, in->z });
  if (is_at_rest (self, in) ||
      (self->obstacle_avoidance && !radars_look (&self->radars, tick, error)))
    return;
  self->goal = (OrreryVec3){ in->x, in->y, in->z };

  if (distance_of (self, &way) <= in->tolerance) {
    drive (self, tick, &(OrreryVec3){ 0 }, 0, period);
    arrive (self);
  } else if (in->speed == 0) {
    if (!feels_forces (self))
      drive (self, tick, &(OrreryVec3){ 0 }, 0, period);
  } else {
    self->status = STATUS_TRANSIT;
    approach (self, tick, in, &way, period);
  }
}

/* --- set-up and state --- */

static void
orrery_waypoint_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;
  OrreryWorld *world = orrery_setup_get_world (setup);
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (part))->position;

  self->robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  orrery_robot_declare_speed (ORRERY_ROBOT (self->robot), setup, self->control);
  g_set_object (&self->world, world);
  g_strfreev (self->ignored);
  self->ignored = g_strsplit (self->ignore, ",", -1);
  for (guint i = 0; self->ignored[i] != NULL; i++)
    g_strstrip (self->ignored[i]);
  if (self->obstacle_avoidance &&
      !radars_set_up (&self->radars, setup, ORRERY_COMPONENT (part), error))
    return;
  self->status = STATUS_ARRIVED;
  self->goal = *here;
  *(WaypointData *) orrery_component_get_data (self) =
      (WaypointData){ here->x, here->y, here->z, 0.5, self->default_speed };

  if (*self->target == '\0')
    return;
  self->marker = orrery_world_find_object (world, self->target);
  if (self->marker == NULL) {
    g_autofree const char **names = orrery_world_get_names (world);
    g_autofree char *nearest = orrery_nearest_names (self->target, names);

    /* MORSE goes on without it. */
    orrery_part_warning (part, "Target: no object '%.60s' in the scene%s; no object marks its goal",
                         self->target, nearest);
  }
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryWaypoint, status),           ORRERY_STATE (OrreryWaypoint, goal),
  ORRERY_STATE (OrreryWaypoint, remembered_speed), ORRERY_STATE (OrreryWaypoint, radars.next),
  ORRERY_STATE (OrreryWaypoint, radars.left),      ORRERY_STATE (OrreryWaypoint, radars.right),
};

static void
orrery_waypoint_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryWaypoint *self = (OrreryWaypoint *) part;
  gint64 last = (gint64) orrery_world_get_n_objects (self->world) - 1;

  self->radars.left = CLAMP (self->radars.left, -1, last);
  self->radars.right = CLAMP (self->radars.right, -1, last);
  self->status = CLAMP (self->status, STATUS_ARRIVED, STATUS_STOP);
}

static void
orrery_waypoint_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  stay ((OrreryWaypoint *) actuator);
}

static void
orrery_waypoint_class_init (OrreryWaypointClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_waypoint_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_waypoint_cancel;
  ORRERY_PART_CLASS (klass)->restore = orrery_waypoint_restore;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_waypoint_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_waypoint_halt;
  ORRERY_CLASS_SET_DATA (klass, WaypointData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryWaypoint, states);
  ORRERY_CLASS_OWNS (klass, OrreryWaypoint, ignored, g_strfreev);
  ORRERY_CLASS_OWNS (klass, OrreryWaypoint, radars.things, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryWaypoint, world, g_object_unref);
}

ORRERY_PLUGIN ("Drives the robot to a point", "BSD-3-Clause",
               ORRERY_CLASS (Waypoint, OrreryWaypoint, orrery_waypoint))
