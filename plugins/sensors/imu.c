/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures angular velocity, acceleration and the magnetic field. */
#include "magnetic.h"
#include "motion.h"

typedef struct {
  OrreryVec3 angular_velocity;
  OrreryVec3 linear_acceleration;
  OrreryVec3 magnetic_field;
} IMUData;

static const OrreryField fields[] = {
  ORRERY_FIELD (IMUData, angular_velocity, "rad/s", "Angular velocity in the sensor's axes"),
  ORRERY_FIELD (IMUData, linear_acceleration, "m/s2",
                "Acceleration in the sensor's axes, with the reaction to gravity: up at rest"),
  ORRERY_FIELD (IMUData, magnetic_field, "nT", "Magnetic field of the Earth in the sensor's axes"),
};

/*
 * An inertial measurement unit: what its gyroscopes, accelerometers and magnetometers show. Rates
 * are changes times its frequency, also where it runs at another rate. Before the first step it
 * was at rest where it starts. The environment says where on the Earth it is.
 */
typedef struct {
  OrrerySensor parent_instance;
  Motion motion;
  Magnetic magnetic;
  OrreryVec3 gravity; /* m/s2, world axes */
  gboolean compass;
} OrreryIMU;
ORRERY_DEFINE_CLASS (OrreryIMU, orrery_imu, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryIMU, compass, "Compass", TRUE,
                           "Whether the magnetic field is measured, for which the environment says "
                           "where on the Earth it is; otherwise it is 0",
                           .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_imu_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryIMU *self = (OrreryIMU *) part;
  OrreryWorld *world = orrery_setup_get_world (setup);

  self->gravity = *orrery_world_get_gravity (world);
  if (motion_setup (&self->motion, part, error) && self->compass)
    magnetic_setup (&self->magnetic, world, error);
}

static void
orrery_imu_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryIMU *self = (OrreryIMU *) sensor;
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  IMUData *out = orrery_record_data (record);
  OrreryVec3 gravity;
  MotionStep step;

  motion_step (&self->motion, tick, record, orrery_component_get_period (ORRERY_COMPONENT (sensor)),
               &step);
  orrery_quat_rotate_back (&pose->rotation, &self->gravity, &gravity);
  out->angular_velocity = step.velocity.angular;
  out->linear_acceleration = orrery_vec3_subtract (&step.acceleration, &gravity);
  if (self->compass)
    magnetic_measure (&self->magnetic, tick, pose, &out->magnetic_field);
}

static void
note_date (OrreryPart *part)
{
  magnetic_note_date (&((OrreryIMU *) part)->magnetic);
}

static void
note_model (OrreryPart *part)
{
  magnetic_note_model (&((OrreryIMU *) part)->magnetic);
}

static void
orrery_imu_class_init (OrreryIMUClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_imu_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_imu_sense;
  ORRERY_CLASS_SET_DATA (klass, IMUData, fields);
  motion_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryIMU, motion));
  magnetic_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryIMU, magnetic), note_date,
                       note_model);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryIMU, magnetic.geodesy, orrery_geodesy_unref);
}

ORRERY_PLUGIN ("Inertial measurement unit", "BSD-3-Clause",
               ORRERY_CLASS (IMU, OrreryIMU, orrery_imu, .thread_safe = TRUE))
