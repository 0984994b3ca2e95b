/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures linear and angular velocity. */
#include "motion.h"

/* Robot time that is shorter is no time to divide by. */
#define SHORTEST_STEP (ORRERY_SECOND / 1000000)

typedef struct {
  OrreryVec3 linear_velocity;
  OrreryVec3 angular_velocity;
  OrreryVec3 world_linear_velocity;
} VelocityData;

static const OrreryField fields[] = {
  ORRERY_FIELD (VelocityData, linear_velocity, "m/s", "Velocity in the sensor's axes"),
  ORRERY_FIELD (VelocityData, angular_velocity, "rad/s", "Angular velocity in the sensor's axes"),
  ORRERY_FIELD (VelocityData, world_linear_velocity, "m/s", "Velocity in the world's axes"),
};

/*
 * How fast the robot moves and turns. By velocity: what physics has for the robot, at the robot's
 * origin (no lever arm). By position: differences of the sensor's own pose over the robot's time;
 * before the first step the sensor was where it starts. The angular velocity is then the body rates
 * of the Euler angles' differences, without a spike where an angle goes through half a circle.
 * Where the robot's clock stands still there is nothing to pass on.
 */
typedef struct {
  OrrerySensor parent_instance;
  Motion motion;
} OrreryVelocitySensor;
ORRERY_DEFINE_CLASS (OrreryVelocitySensor, orrery_velocity_sensor, OrrerySensor, orrery_sensor)

static void
orrery_velocity_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  motion_setup (&((OrreryVelocitySensor *) part)->motion, part, error);
}

static void
orrery_velocity_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                              GError **error)
{
  Motion *motion = &((OrreryVelocitySensor *) sensor)->motion;
  VelocityData *out = orrery_record_data (record);
  OrreryTime elapsed = motion_count_time (motion, record);
  MotionVelocity velocity;

  if (!motion->from_physics && motion->started && elapsed < SHORTEST_STEP) {
    orrery_record_hold (record);
    return;
  }
  motion_read_velocity (motion, tick, record, orrery_time_to_seconds (elapsed), &velocity);
  out->linear_velocity = velocity.linear;
  out->angular_velocity = velocity.angular;
  out->world_linear_velocity = velocity.world;
}

static void
orrery_velocity_sensor_limit (OrrerySensor *sensor, const OrreryField *field,
                              OrreryFieldLimits *limits)
{
  limits->follows = field->offset == offsetof (VelocityData, world_linear_velocity);
}

/* Both are the same velocity, in other axes. */
static void
orrery_velocity_sensor_follow (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  VelocityData *out = orrery_record_data (record);

  if (field->offset == offsetof (VelocityData, linear_velocity))
    orrery_quat_rotate (&pose->rotation, &out->linear_velocity, &out->world_linear_velocity);
  else if (field->offset == offsetof (VelocityData, world_linear_velocity))
    orrery_quat_rotate_back (&pose->rotation, &out->world_linear_velocity, &out->linear_velocity);
}

static void
orrery_velocity_sensor_class_init (OrreryVelocitySensorClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_velocity_sensor_limit;
  ORRERY_SENSOR_CLASS (klass)->follow = orrery_velocity_sensor_follow;
  ORRERY_PART_CLASS (klass)->setup = orrery_velocity_sensor_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_velocity_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, VelocityData, fields);
  motion_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryVelocitySensor, motion));
}

ORRERY_PLUGIN ("Linear and angular velocity", "BSD-3-Clause",
               ORRERY_CLASS (Velocity, OrreryVelocitySensor, orrery_velocity_sensor,
                             .thread_safe = TRUE))
