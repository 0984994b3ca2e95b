/* SPDX-License-Identifier: BSD-3-Clause */
/* Flies a rotorcraft to a point. */
#include "marker.h"
#include "rotorcraft.h"

typedef struct {
  double x, y, z;
  double yaw;
  double tolerance;
} RotorcraftWaypointData;

static const OrreryField fields[] = {
  ORRERY_FIELD (RotorcraftWaypointData, x, "m", "Goal in the world frame, x"),
  ORRERY_FIELD (RotorcraftWaypointData, y, "m", "Goal in the world frame, y"),
  ORRERY_FIELD (RotorcraftWaypointData, z, "m", "Goal in the world frame, z"),
  ORRERY_FIELD (RotorcraftWaypointData, yaw, "rad", "Rotation about z to hold"),
  ORRERY_FIELD (RotorcraftWaypointData, tolerance, "m", "How near is near enough"),
};

static const char *const status_names[] = { "Transit", "Arrived" };

/*
 * Flies to a point and hovers there. Distances are those of the actuator; at first the goal is
 * where the robot is. Without RemainAtDestination the craft is left alone once it has arrived,
 * until the goal changes. If the scene has an object of Target's name, it shows the goal.
 */
typedef struct {
  OrreryActuator parent_instance;
  Rotorcraft craft;
  RotorcraftGains gains;
  double horizontal_p;
  double horizontal_d;
  double vertical_p;
  double vertical_d;
  double max_bank_angle;
  gboolean remain;
  char *target;

  OrreryObject *marker; /* borrowed from the world, or NULL */
  OrreryBool arrived;
  RotorcraftWaypointData goal; /* of the previous step */
} OrreryRotorcraftWaypoint;
ORRERY_DEFINE_CLASS (OrreryRotorcraftWaypoint, orrery_rotorcraft_waypoint, OrreryActuator,
                     orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftWaypoint, horizontal_p, "HorizontalPgain", 0, 1e6,
                          6 * G_PI / 180, "Tilt for a distance in the plane, rad/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftWaypoint, horizontal_d, "HorizontalDgain", 0, 1e6,
                          8 * G_PI / 180, "Tilt against a speed in the plane, rad s/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftWaypoint, vertical_p, "VerticalPgain", 0, 1e6, 8,
                          "Thrust for a distance upwards, N/m"),
  ORRERY_PROPERTY_DOUBLE (OrreryRotorcraftWaypoint, vertical_d, "VerticalDgain", 0, 1e6, 8,
                          "Thrust against a vertical speed, N s/m"),
  ROTORCRAFT_PROPERTIES (OrreryRotorcraftWaypoint, 6),
  ORRERY_PROPERTY_BOOLEAN (OrreryRotorcraftWaypoint, remain, "RemainAtDestination", TRUE,
                           "Whether it holds the goal once it has arrived"),
  ORRERY_PROPERTY_STRING (OrreryRotorcraftWaypoint, target, "Target", "wp_target",
                          "Object that shows the goal, if there is one",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static OrreryVec3
way_to (OrreryRotorcraftWaypoint *self, double x, double y, double z)
{
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (self))->position;

  return (OrreryVec3){ x - here->x, y - here->y, z - here->z };
}

/* --- services --- */

static void
take_goal (OrreryRotorcraftWaypoint *self, OrreryCall *call)
{
  *(RotorcraftWaypointData *) orrery_component_get_data (self) = (RotorcraftWaypointData){
    .x = orrery_call_get_double (call, 0),
    .y = orrery_call_get_double (call, 1),
    .z = orrery_call_get_double (call, 2),
    .yaw = orrery_call_get_double (call, 3),
    .tolerance = orrery_call_get_double (call, 4),
  };
  self->arrived = FALSE;
}

static void
setdest (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRotorcraftWaypoint *self = (OrreryRotorcraftWaypoint *) part;
  OrreryVec3 way = way_to (self, orrery_call_get_double (call, 0), orrery_call_get_double (call, 1),
                           orrery_call_get_double (call, 2));
  gboolean there = orrery_vec3_length (&way) <= orrery_call_get_double (call, 4);

  if (!there)
    take_goal (self, call);
  orrery_call_return (call, g_variant_new_boolean (!there));
}

static void
go_to (OrreryPart *part, OrreryCall *call, GError **error)
{
  /* Answered by the step that arrives. */
  take_goal ((OrreryRotorcraftWaypoint *) part, call);
}

static void
get_status (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_string (
                                status_names[((OrreryRotorcraftWaypoint *) part)->arrived]));
}

#define GOAL "x:d y:d z:d yaw:d tolerance:d=0.2"

static const OrreryService services[] = {
  { "setdest", setdest, ORRERY_SERVICE_IMMEDIATE, GOAL,
    "Sets the goal; true, or false if it is already within the tolerance" },
  { "goto", go_to, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, GOAL,
    "Flies to the goal; Arrived on arrival" },
  { "get_status", get_status, ORRERY_SERVICE_IMMEDIATE, "", "Transit or Arrived" },
};

/* It goes on where it is: a craft in the air cannot be left alone. */
static void
orrery_rotorcraft_waypoint_cancel (OrreryPart *part, OrreryCall *call)
{
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (part))->position;
  RotorcraftWaypointData *data = orrery_component_get_data (part);

  data->x = here->x;
  data->y = here->y;
  data->z = here->z;
}

/* --- the law --- */

static void
note_arrival (OrreryRotorcraftWaypoint *self, const OrreryVec3 *way, double tolerance)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));

  self->arrived = orrery_vec3_length (way) <= tolerance;
  if (self->arrived && call != NULL)
    orrery_call_return (call, g_variant_new_string (status_names[TRUE]));
}

static gboolean
is_at_rest (OrreryRotorcraftWaypoint *self, const RotorcraftWaypointData *in)
{
  const RotorcraftWaypointData *goal = &self->goal;

  return !self->remain && self->arrived && goal->x == in->x && goal->y == in->y &&
         goal->z == in->z && goal->yaw == in->yaw;
}

static void
orrery_rotorcraft_waypoint_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                                GError **error)
{
  OrreryRotorcraftWaypoint *self = (OrreryRotorcraftWaypoint *) actuator;
  const RotorcraftWaypointData *in = orrery_record_data (record);
  const OrreryVec3 *v =
      orrery_snapshot_get_linear_velocity (orrery_tick_get_snapshot (tick),
                                           orrery_object_get_index (self->craft.object));
  OrreryVec3 way = way_to (self, in->x, in->y, in->z);
  OrreryVec3 command = { self->horizontal_p * way.x - self->horizontal_d * v->x,
                         self->horizontal_p * way.y - self->horizontal_d * v->y, 0 };

  if (self->marker != NULL)
    marker_place (self->marker, tick, &(OrreryVec3){ in->x, in->y, in->z });
  if (is_at_rest (self, in))
    return;
  self->goal = *in;
  rotorcraft_fly (&self->craft, tick, &self->gains, &command,
                  self->vertical_p * way.z - self->vertical_d * v->z, in->yaw,
                  self->max_bank_angle);
  note_arrival (self, &way, in->tolerance);
}

/* --- set-up and state --- */

static void
orrery_rotorcraft_waypoint_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRotorcraftWaypoint *self = (OrreryRotorcraftWaypoint *) part;
  OrreryWorld *world = orrery_setup_get_world (setup);
  OrreryVec3 here;
  OrreryEuler angles;

  if (!rotorcraft_setup (&self->craft, setup, error))
    return;
  /* As in MORSE, also where gravity is another. */
  self->craft.weight = self->craft.body->mass * 9.81;
  here = orrery_component_get_pose (self->craft.robot)->position;
  rotorcraft_get_attitude (&self->craft, &angles);
  self->arrived = TRUE;
  self->goal = (RotorcraftWaypointData){ here.x, here.y, here.z, angles.yaw, 0.2 };
  *(RotorcraftWaypointData *) orrery_component_get_data (self) = self->goal;
  self->marker = orrery_world_find_object (world, self->target);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryRotorcraftWaypoint, arrived),
  ORRERY_STATE (OrreryRotorcraftWaypoint, goal.x),
  ORRERY_STATE (OrreryRotorcraftWaypoint, goal.y),
  ORRERY_STATE (OrreryRotorcraftWaypoint, goal.z),
  ORRERY_STATE (OrreryRotorcraftWaypoint, goal.yaw),
  ORRERY_STATE (OrreryRotorcraftWaypoint, craft.previous),
};

static void
orrery_rotorcraft_waypoint_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  orrery_rotorcraft_waypoint_cancel (ORRERY_PART (actuator), NULL);
}

static void
orrery_rotorcraft_waypoint_class_init (OrreryRotorcraftWaypointClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_rotorcraft_waypoint_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_rotorcraft_waypoint_cancel;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_rotorcraft_waypoint_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_rotorcraft_waypoint_halt;
  ORRERY_CLASS_SET_DATA (klass, RotorcraftWaypointData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryRotorcraftWaypoint, states);
}

ORRERY_PLUGIN ("Flies a rotorcraft to a point", "BSD-3-Clause",
               ORRERY_CLASS (RotorcraftWaypoint, OrreryRotorcraftWaypoint,
                             orrery_rotorcraft_waypoint))
