/* SPDX-License-Identifier: BSD-3-Clause */
/* Destination: moves the robot straight to a point. */
#include <orrery.h>

typedef struct {
  double x, y, z;
} DestinationData;

static const OrreryField fields[] = {
  ORRERY_FIELD (DestinationData, x, "m", "Where to go in the world frame, x"),
  ORRERY_FIELD (DestinationData, y, "m", "Where to go in the world frame, y"),
  ORRERY_FIELD (DestinationData, z, "m", "Where to go in the world frame, z"),
};

/*
 * Moves its robot straight towards a point, in all three dimensions, and never turns it. Within the
 * tolerance it is told to stand still, once; with RemainAtDestination it goes back when pushed
 * away. MORSE takes the direction of the world for one in the robot's axes, so that a robot that
 * was turned goes astray; here it arrives.
 */
typedef struct {
  OrreryActuator parent_instance;
  double tolerance;
  double speed;
  OrreryControl control;
  gboolean remain;

  OrreryBool moving;
  OrreryVec3 goal; /* of the previous step */
} OrreryDestination;
ORRERY_DEFINE_CLASS (OrreryDestination, orrery_destination, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryDestination, tolerance, "Tolerance", 0, G_MAXDOUBLE, 0.5,
                          "How near is near enough, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryDestination, speed, "Speed", 0, 1e8, 5, "Speed on the way, m/s"),
  ORRERY_PROPERTY_ENUM (OrreryDestination, control, "ControlType", orrery_control_get_type,
                        ORRERY_CONTROL_VELOCITY, "How the robot is moved"),
  ORRERY_PROPERTY_BOOLEAN (OrreryDestination, remain, "RemainAtDestination", FALSE,
                           "Whether it returns when pushed away"),
};

/* At first it is there already. */
static void
orrery_destination_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDestination *self = (OrreryDestination *) part;
  DestinationData *data = orrery_record_data (orrery_setup_get_record (setup));

  self->goal = orrery_component_get_pose (ORRERY_COMPONENT (part))->position;
  *data = (DestinationData){ self->goal.x, self->goal.y, self->goal.z };
  orrery_robot_declare_speed (ORRERY_ROBOT (orrery_component_get_robot (ORRERY_COMPONENT (part))),
                              setup, self->control);
}

static void
orrery_destination_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryDestination *self = (OrreryDestination *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  OrreryComponent *robot = orrery_component_get_robot (component);
  const DestinationData *in = orrery_record_data (record);
  const OrreryVec3 *here = &orrery_component_get_pose (component)->position;
  gboolean new_goal = in->x != self->goal.x || in->y != self->goal.y || in->z != self->goal.z;
  OrreryVec3 way = { in->x - here->x, in->y - here->y, in->z - here->z };
  OrreryVec3 linear = { 0 };
  double distance = orrery_vec3_length (&way);
  double period = orrery_component_get_period (component);

  if (!self->remain && !self->moving && !new_goal)
    return;
  self->goal = (OrreryVec3){ in->x, in->y, in->z };
  self->moving = distance > self->tolerance;
  if (self->moving) {
    double scale = self->speed / distance;

    orrery_quat_rotate_back (&orrery_component_get_pose (robot)->rotation, &way, &linear);
    linear = orrery_vec3_scale (&linear, scale);
  }
  orrery_robot_apply_speed (ORRERY_ROBOT (robot), tick, self->control, &linear, &(OrreryVec3){ 0 },
                            period);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryDestination, moving),
  ORRERY_STATE (OrreryDestination, goal),
};

/* Here is the goal. */
static void
orrery_destination_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  const OrreryVec3 *here = &orrery_component_get_pose (ORRERY_COMPONENT (actuator))->position;

  *(DestinationData *) orrery_record_data (record) = (DestinationData){ here->x, here->y, here->z };
}

static void
orrery_destination_class_init (OrreryDestinationClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_destination_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_destination_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_destination_halt;
  ORRERY_CLASS_SET_DATA (klass, DestinationData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryDestination, states);
}

ORRERY_PLUGIN ("Moves the robot straight to a point", "BSD-3-Clause",
               ORRERY_CLASS (Destination, OrreryDestination, orrery_destination))
