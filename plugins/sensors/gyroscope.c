/* SPDX-License-Identifier: BSD-3-Clause */
/* The orientation of the sensor. */
#include <orrery.h>

typedef struct {
  double yaw, pitch, roll;
} GyroscopeData;

static const OrreryField fields[] = {
  ORRERY_FIELD (GyroscopeData, yaw, "rad", "Rotation about z in the world frame"),
  ORRERY_FIELD (GyroscopeData, pitch, "rad", "Rotation about y"),
  ORRERY_FIELD (GyroscopeData, roll, "rad", "Rotation about x"),
};

/* The orientation of the sensor in the world; not a rate, whatever the name says. */
typedef struct {
  OrrerySensor parent_instance;
} OrreryGyroscope;
ORRERY_DEFINE_CLASS (OrreryGyroscope, orrery_gyroscope, OrrerySensor, orrery_sensor)

static void
orrery_gyroscope_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  GyroscopeData *out = orrery_record_data (record);

  orrery_quat_to_euler (&pose->rotation, &out->roll, &out->pitch, &out->yaw);
}

static void
orrery_gyroscope_class_init (OrreryGyroscopeClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_gyroscope_sense;
  ORRERY_CLASS_SET_DATA (klass, GyroscopeData, fields);
}

ORRERY_PLUGIN ("Orientation in the world", "BSD-3-Clause",
               ORRERY_CLASS (Gyroscope, OrreryGyroscope, orrery_gyroscope, .thread_safe = TRUE))
