/* SPDX-License-Identifier: BSD-3-Clause */
/* The position and orientation of the sensor in the world. */
#include <orrery.h>

typedef struct {
  double x, y, z;
  double yaw, pitch, roll;
} PoseData;

static const OrreryField fields[] = {
  ORRERY_FIELD (PoseData, x, "m", "Origin of the sensor in the world frame, x"),
  ORRERY_FIELD (PoseData, y, "m", "Origin of the sensor in the world frame, y"),
  ORRERY_FIELD (PoseData, z, "m", "Origin of the sensor in the world frame, z"),
  ORRERY_FIELD (PoseData, yaw, "rad", "Rotation about z"),
  ORRERY_FIELD (PoseData, pitch, "rad", "Rotation about y"),
  ORRERY_FIELD (PoseData, roll, "rad", "Rotation about x"),
};

/* Where the sensor is in the world, without error. */
typedef struct {
  OrrerySensor parent_instance;
} OrreryPoseSensor;
ORRERY_DEFINE_CLASS (OrreryPoseSensor, orrery_pose_sensor, OrrerySensor, orrery_sensor)

static void
orrery_pose_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  PoseData *out = orrery_record_data (record);

  out->x = pose->position.x;
  out->y = pose->position.y;
  out->z = pose->position.z;
  orrery_quat_to_euler (&pose->rotation, &out->roll, &out->pitch, &out->yaw);
}

static void
orrery_pose_sensor_class_init (OrreryPoseSensorClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_pose_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, PoseData, fields);
}

ORRERY_PLUGIN ("Position and orientation in the world", "BSD-3-Clause",
               ORRERY_CLASS (Pose, OrreryPoseSensor, orrery_pose_sensor, .thread_safe = TRUE))
