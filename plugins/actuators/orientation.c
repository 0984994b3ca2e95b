/* SPDX-License-Identifier: BSD-3-Clause */
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
 * Turns its robot until the actuator has the orientation of the record; at first that is the one
 * at the start. With an infinite speed it is there at once and pinned, place included, every step.
 * Otherwise each of the three angles closes in at that rate, in the last step by what is left, and
 * stands still within the tolerance. The rates of the angles are turned into a rate about the
 * robot's axes (for a level robot they are the same), so that a tilted robot gets there too.
 */
G_DECLARE_FINAL_TYPE (OrreryOrientation, orrery_orientation, ORRERY, ORIENTATION, OrreryActuator)
struct _OrreryOrientation {
  OrreryActuator parent_instance;
  double speed;
  double tolerance;
  OrreryControl control;
  OrreryQuat robot; /* rotation of the robot in the actuator's frame */
};
G_DEFINE_FINAL_TYPE (OrreryOrientation, orrery_orientation, ORRERY_TYPE_ACTUATOR)

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
  OrientationData *data = orrery_record_data (orrery_component_get_record (component));

  orrery_quat_conjugate (&orrery_component_get_mounting (component)->rotation,
                         &ORRERY_ORIENTATION (part)->robot);
  orrery_quat_to_euler (&pose->rotation, &data->roll, &data->pitch, &data->yaw);
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

static double
measure (const OrreryEuler *a, const OrreryEuler *b)
{
  return fabs (orrery_normalise_angle (a->roll - b->roll)) +
         fabs (orrery_normalise_angle (a->pitch - b->pitch)) +
         fabs (orrery_normalise_angle (a->yaw - b->yaw));
}

/* Two triples are one rotation: of where it is now the one that is nearer to the goal counts, or
 * it would not get past the place at which the shorter one leaps. */
static void
choose_angles (const OrreryEuler *goal, OrreryEuler *now)
{
  OrreryEuler other = { now->roll + G_PI, G_PI - now->pitch, now->yaw + G_PI };

  if (measure (&other, goal) < measure (now, goal))
    *now = other;
}

static void
turn (OrreryOrientation *self, OrreryRobot *robot, OrreryTick *tick, const OrreryQuat *rotation)
{
  OrreryComponent *component = ORRERY_COMPONENT (self);
  /* A component faster than the simulation runs every tick. */
  double period = fmax (1 / orrery_component_get_frequency (component), orrery_tick_get_dt (tick));
  OrreryEuler goal, now, rate;
  OrreryVec3 body;

  /* Several triples are one rotation: compare those that are read back. */
  orrery_quat_to_euler (rotation, &goal.roll, &goal.pitch, &goal.yaw);
  orrery_quat_to_euler (&orrery_component_get_pose (component)->rotation, &now.roll, &now.pitch,
                        &now.yaw);
  choose_angles (&goal, &now);
  rate.roll = close_in (self, goal.roll, now.roll, period);
  rate.pitch = close_in (self, goal.pitch, now.pitch, period);
  rate.yaw = close_in (self, goal.yaw, now.yaw, period);

  /* Diebel: Representing attitude: Euler angles, unit quaternions, and rotation vectors, 2006. */
  body.x = rate.roll - sin (now.pitch) * rate.yaw;
  body.y = cos (now.roll) * rate.pitch + cos (now.pitch) * sin (now.roll) * rate.yaw;
  body.z = cos (now.pitch) * cos (now.roll) * rate.yaw - sin (now.roll) * rate.pitch;
  orrery_quat_rotate_back (&self->robot, &body, &body);
  orrery_robot_apply_speed (robot, tick, self->control, &(OrreryVec3){ 0 }, &body, period);
}

static void
orrery_orientation_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryOrientation *self = ORRERY_ORIENTATION (actuator);
  OrreryRobot *robot = ORRERY_ROBOT (orrery_component_get_robot (ORRERY_COMPONENT (actuator)));
  const OrientationData *in = orrery_record_data (record);
  OrreryQuat rotation;

  orrery_quat_from_euler (in->roll, in->pitch, in->yaw, &rotation);
  if (isfinite (self->speed)) {
    turn (self, robot, tick, &rotation);
    return;
  }
  orrery_quat_multiply (&rotation, &self->robot, &rotation);
  orrery_robot_force_pose (robot, tick, NULL, &rotation);
}

static void
orrery_orientation_class_init (OrreryOrientationClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_orientation_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_orientation_act;
  ORRERY_CLASS_SET_DATA (klass, OrientationData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

static void
orrery_orientation_init (OrreryOrientation *self)
{
}

ORRERY_PLUGIN ("Turns the robot to an orientation", "BSD-3-Clause",
               ORRERY_CLASS (Orientation, OrreryOrientation, orrery_orientation))
