/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how far, how fast and with what acceleration the sensor moves. */
#include "motion.h"

/* Robot time that is shorter is no time to divide by. */
#define SHORTEST_STEP (ORRERY_SECOND / 1000000)

typedef struct {
  double distance;
  OrreryVec3 velocity;
  OrreryVec3 acceleration;
  OrreryVec3 angular_acceleration;
} AccelerometerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (AccelerometerData, distance, "m", "Distance moved since the last step"),
  ORRERY_FIELD (AccelerometerData, velocity, "m/s", "Velocity of the robot in the sensor's axes"),
  ORRERY_FIELD (AccelerometerData, acceleration, "m/s2",
                "Acceleration in the sensor's axes, without gravity"),
  ORRERY_FIELD (AccelerometerData, angular_acceleration, "rad/s2",
                "Angular acceleration in the sensor's axes"),
};

/*
 * How the motion of the sensor changes. Differences are by the robot's clock; where it stands still
 * there is nothing to pass on. By velocity the acceleration is that of the sensor's own point: what
 * the lever from the robot's origin adds is in it, beyond 1 cm. Before the first step
 * the sensor was at rest where it starts, at time 0: with a clock that shows the age of the epoch
 * the first step has next to no acceleration.
 */
typedef struct {
  OrrerySensor parent_instance;
  Motion motion;
} OrreryAccelerometer;
ORRERY_DEFINE_CLASS (OrreryAccelerometer, orrery_accelerometer, OrrerySensor, orrery_sensor)

static void
orrery_accelerometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  motion_setup (&((OrreryAccelerometer *) part)->motion, part, error);
}

static void
orrery_accelerometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  Motion *motion = &((OrreryAccelerometer *) sensor)->motion;
  AccelerometerData *out = orrery_record_data (record);
  OrreryTime elapsed = motion_count_time (motion, record);
  MotionStep step;

  if (motion->started && elapsed < SHORTEST_STEP) {
    orrery_record_hold (record);
    return;
  }
  motion_step (motion, tick, record, orrery_time_to_seconds (elapsed), &step);
  out->distance = step.distance;
  out->velocity = step.velocity.linear;
  out->acceleration = step.acceleration;
  out->angular_acceleration = step.angular_acceleration;
}

static void
orrery_accelerometer_class_init (OrreryAccelerometerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_accelerometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_accelerometer_sense;
  ORRERY_CLASS_SET_DATA (klass, AccelerometerData, fields);
  motion_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryAccelerometer, motion));
}

ORRERY_PLUGIN ("Velocity and acceleration", "BSD-3-Clause",
               ORRERY_CLASS (Accelerometer, OrreryAccelerometer, orrery_accelerometer,
                             .thread_safe = TRUE))
