/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the robot to an orientation. */
#include <orrery.h>

#include <math.h>

typedef struct {
  double yaw, pitch, roll;
} OrientationData;

static const OrreryField fields[] = {
  ORRERY_FIELD (OrientationData, yaw, "rad", "Rotation about z to reach in the world frame"),
  ORRERY_FIELD (OrientationData, pitch, "rad", "Rotation about y to reach"),
  ORRERY_FIELD (OrientationData, roll, "rad", "Rotation about x to reach"),
};

/*
 * Turns its robot to the orientation of the record; at first that is the actuator's at the start.
 * With an infinite speed the robot has it at once and is pinned, place included, every step.
 * Otherwise each of the actuator's three angles closes in at that rate, in the last step by what is
 * left, and stands still within the tolerance. As in MORSE, the rate of an angle is given to the
 * robot as one about its own axis of that name: a level robot gets to any yaw.
 */
typedef struct {
  OrreryActuator parent_instance;
  double speed;
  double tolerance;
  OrreryControl control;
} OrreryOrientation;
ORRERY_DEFINE_CLASS (OrreryOrientation, orrery_orientation, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryOrientation, speed, "speed", 0, INFINITY, INFINITY,
                          "Rate of each angle, rad/s; infinite: at once"),
  ORRERY_PROPERTY_DOUBLE (OrreryOrientation, tolerance, "tolerance", 0, G_PI, 0.02,
                          "How near is near enough, rad"),
  ORRERY_PROPERTY_ENUM (OrreryOrientation, control, "ControlType", orrery_control_get_type,
                        ORRERY_CONTROL_VELOCITY, "How the robot is turned"),
};

static void
orrery_orientation_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *component = ORRERY_COMPONENT (part);
  const OrreryTransform *pose = orrery_component_get_pose (component);
  OrientationData *data = orrery_component_get_data (component);

  orrery_quat_to_euler (&pose->rotation, &data->roll, &data->pitch, &data->yaw);
  /* At once is by the pose, place included. */
  orrery_robot_declare_speed (ORRERY_ROBOT (orrery_component_get_robot (component)), setup,
                              isfinite (((OrreryOrientation *) part)->speed)
                                  ? ((OrreryOrientation *) part)->control
                                  : ORRERY_CONTROL_POSITION);
}

/* The rate of one angle for one step. */
static double
close_in (OrreryOrientation *self, double goal, double now, double period)
{
  double rest = orrery_normalise_angle (goal - now);

  if (fabs (rest) < self->tolerance)
    return 0;
  if (fabs (rest) > self->speed * period)
    return copysign (self->speed, rest);
  return rest / period;
}

static void
turn (OrreryOrientation *self, OrreryRobot *robot, OrreryTick *tick, const OrientationData *goal)
{
  OrreryComponent *component = ORRERY_COMPONENT (self);
  double period = orrery_component_get_period (component);
  double roll, pitch, yaw;
  OrreryVec3 rate;

  orrery_quat_to_euler (&orrery_component_get_pose (component)->rotation, &roll, &pitch, &yaw);
  rate.x = close_in (self, goal->roll, roll, period);
  rate.y = close_in (self, goal->pitch, pitch, period);
  rate.z = close_in (self, goal->yaw, yaw, period);
  orrery_robot_apply_speed (robot, tick, self->control, &(OrreryVec3){ 0 }, &rate, period);
}

static void
orrery_orientation_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryOrientation *self = (OrreryOrientation *) actuator;
  OrreryRobot *robot = ORRERY_ROBOT (orrery_component_get_robot (ORRERY_COMPONENT (actuator)));
  const OrientationData *in = orrery_record_data (record);
  OrreryQuat rotation;

  if (isfinite (self->speed)) {
    turn (self, robot, tick, in);
    return;
  }
  orrery_quat_from_euler (in->roll, in->pitch, in->yaw, &rotation);
  orrery_robot_force_pose (robot, tick, NULL, &rotation);
}

static void
orrery_orientation_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (actuator));
  OrientationData *data = orrery_record_data (record);

  orrery_quat_to_euler (&pose->rotation, &data->roll, &data->pitch, &data->yaw);
}

static void
orrery_orientation_class_init (OrreryOrientationClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_orientation_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_orientation_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_orientation_halt;
  ORRERY_CLASS_SET_DATA (klass, OrientationData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Turns the robot to an orientation", "BSD-3-Clause",
               ORRERY_CLASS (Orientation, OrreryOrientation, orrery_orientation))
