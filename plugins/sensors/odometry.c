/* SPDX-License-Identifier: BSD-3-Clause */
/* Odometry: the way since the last step, or since the start. */
#include <orrery.h>

#include "motion.h"

typedef struct {
  double dx, dy, dz;
  double dyaw, dpitch, droll;
} OdometryData;

static const OrreryField fields[] = {
  ORRERY_FIELD (OdometryData, dx, "m", "Displacement since the last step, in the initial frame, x"),
  ORRERY_FIELD (OdometryData, dy, "m", "Displacement since the last step, in the initial frame, y"),
  ORRERY_FIELD (OdometryData, dz, "m", "Displacement since the last step, in the initial frame, z"),
  ORRERY_FIELD (OdometryData, dyaw, "rad", "Change of the yaw in the initial frame"),
  ORRERY_FIELD (OdometryData, dpitch, "rad", "Change of the pitch in the initial frame"),
  ORRERY_FIELD (OdometryData, droll, "rad", "Change of the roll in the initial frame"),
};

typedef struct {
  double dS;
} RawOdometryData;

static const OrreryField raw_fields[] = {
  ORRERY_FIELD (RawOdometryData, dS, "m", "Length of the displacement since the last step"),
};

typedef struct {
  double x, y, z;
  double yaw, pitch, roll;
  double vx, vy, vz;
  double wz, wy, wx;
} IntegratedOdometryData;

static const OrreryField integrated_fields[] = {
  ORRERY_FIELD (IntegratedOdometryData, x, "m", "Origin of the sensor in the initial frame, x"),
  ORRERY_FIELD (IntegratedOdometryData, y, "m", "Origin of the sensor in the initial frame, y"),
  ORRERY_FIELD (IntegratedOdometryData, z, "m", "Origin of the sensor in the initial frame, z"),
  ORRERY_FIELD (IntegratedOdometryData, yaw, "rad", "Rotation about z in the initial frame"),
  ORRERY_FIELD (IntegratedOdometryData, pitch, "rad", "Rotation about y"),
  ORRERY_FIELD (IntegratedOdometryData, roll, "rad", "Rotation about x"),
  ORRERY_FIELD (IntegratedOdometryData, vx, "m/s", "Velocity in the initial frame, x"),
  ORRERY_FIELD (IntegratedOdometryData, vy, "m/s", "Velocity in the initial frame, y"),
  ORRERY_FIELD (IntegratedOdometryData, vz, "m/s", "Velocity in the initial frame, z"),
  ORRERY_FIELD (IntegratedOdometryData, wz, "rad/s", "Angular velocity in the sensor's frame, z"),
  ORRERY_FIELD (IntegratedOdometryData, wy, "rad/s", "Angular velocity in the sensor's frame, y"),
  ORRERY_FIELD (IntegratedOdometryData, wx, "rad/s", "Angular velocity in the sensor's frame, x"),
};

/* What the levels share: where the sensor began, and where it was last. */
typedef struct {
  OrrerySensor parent_instance;
  OrreryTransform back; /* from the world into the frame of the start */
  OrreryVec3 position;  /* of the last step, in the frame of the start; as the angles */
  OrreryEuler angles;
} OrreryOdometryBase;
ORRERY_DEFINE_BASE_CLASS (OrreryOdometryBase, orrery_odometry_base, OrrerySensor, orrery_sensor)

/* Where the sensor is now. */
static void
see_from_start (OrreryOdometryBase *self)
{
  OrreryTransform seen;

  orrery_transform_multiply (&self->back, orrery_component_get_pose (ORRERY_COMPONENT (self)),
                             &seen);
  self->position = seen.position;
  orrery_quat_to_euler (&seen.rotation, &self->angles.roll, &self->angles.pitch, &self->angles.yaw);
}

static void
orrery_odometry_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryOdometryBase *self = (OrreryOdometryBase *) part;

  orrery_transform_invert (orrery_component_get_pose (ORRERY_COMPONENT (part)), &self->back);
  see_from_start (self);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryOdometryBase, back.position),
  ORRERY_STATE (OrreryOdometryBase, back.rotation),
  ORRERY_STATE (OrreryOdometryBase, position),
  ORRERY_STATE (OrreryOdometryBase, angles),
};

static void
orrery_odometry_base_class_init (OrreryOdometryBaseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_odometry_base_setup;
  ORRERY_CLASS_SET_STATE (klass, OrreryOdometryBase, states);
}

/* --- differential: steps as seen from the start --- */

/*
 * What changed since the last step, seen from the frame in which the sensor started (not from the
 * frame of the last step). Angles are wrapped to [-pi, pi).
 */
typedef struct {
  OrreryOdometryBase parent_instance;
} OrreryOdometry;
ORRERY_DEFINE_CLASS (OrreryOdometry, orrery_odometry, OrreryOdometryBase, orrery_odometry_base)

static void
orrery_odometry_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryOdometryBase *self = (OrreryOdometryBase *) sensor;
  OdometryData *out = orrery_record_data (record);
  OrreryVec3 position = self->position;
  OrreryEuler angles = self->angles;

  see_from_start (self);
  out->dx = self->position.x - position.x;
  out->dy = self->position.y - position.y;
  out->dz = self->position.z - position.z;
  out->dyaw = orrery_normalise_angle (self->angles.yaw - angles.yaw);
  out->dpitch = orrery_normalise_angle (self->angles.pitch - angles.pitch);
  out->droll = orrery_normalise_angle (self->angles.roll - angles.roll);
}

static void
orrery_odometry_class_init (OrreryOdometryClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_odometry_sense;
  ORRERY_CLASS_SET_DATA (klass, OdometryData, fields);
}

/* --- raw: how far --- */

/* The length of the way since the last step, as the crow flies. */
typedef struct {
  OrreryOdometryBase parent_instance;
} OrreryRawOdometry;
ORRERY_DEFINE_CLASS (OrreryRawOdometry, orrery_raw_odometry, OrreryOdometryBase,
                     orrery_odometry_base)

static void
orrery_raw_odometry_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryOdometryBase *self = (OrreryOdometryBase *) sensor;
  OrreryVec3 before = self->position;
  RawOdometryData *out = orrery_record_data (record);

  see_from_start (self);
  out->dS = orrery_vec3_distance (&self->position, &before);
}

static void
orrery_raw_odometry_class_init (OrreryRawOdometryClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_raw_odometry_sense;
  ORRERY_CLASS_SET_DATA (klass, RawOdometryData, raw_fields);
}

/* --- integrated: pose and velocity --- */

/*
 * Pose and velocity as MORSE 1.4 has them: all seen from the frame in which the sensor started. The
 * velocity is the displacement since the last step times the frequency of the sensor, also where it
 * runs at another rate; the angular velocity is in the sensor's own axes.
 */
typedef struct {
  OrreryOdometryBase parent_instance;
} OrreryIntegratedOdometry;
ORRERY_DEFINE_CLASS (OrreryIntegratedOdometry, orrery_integrated_odometry, OrreryOdometryBase,
                     orrery_odometry_base)

static void
orrery_integrated_odometry_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                  GError **error)
{
  OrreryOdometryBase *self = (OrreryOdometryBase *) sensor;
  IntegratedOdometryData *out = orrery_record_data (record);
  double rate = orrery_component_get_frequency (ORRERY_COMPONENT (sensor));
  OrreryVec3 before = self->position;
  OrreryEuler angles = self->angles;
  OrreryVec3 turn;

  see_from_start (self);
  turn = motion_find_rates (&angles, &self->angles, 1 / rate);
  out->x = self->position.x;
  out->y = self->position.y;
  out->z = self->position.z;
  out->yaw = self->angles.yaw;
  out->pitch = self->angles.pitch;
  out->roll = self->angles.roll;
  out->vx = (self->position.x - before.x) * rate;
  out->vy = (self->position.y - before.y) * rate;
  out->vz = (self->position.z - before.z) * rate;
  out->wx = turn.x;
  out->wy = turn.y;
  out->wz = turn.z;
}

static void
orrery_integrated_odometry_class_init (OrreryIntegratedOdometryClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_integrated_odometry_sense;
  ORRERY_CLASS_SET_DATA (klass, IntegratedOdometryData, integrated_fields);
}

#define LEVELS                                                                                     \
  ORRERY_LEVELS ({ "raw", "RawOdometry" }, { "differential", NULL },                               \
                 { "integrated", "IntegratedOdometry", .by_default = TRUE })

ORRERY_PLUGIN ("Displacement since the start", "BSD-3-Clause",
               ORRERY_CLASS (Odometry, OrreryOdometry, orrery_odometry, .role = ORRERY_ROLE_SENSOR,
                             .thread_safe = TRUE, .levels = LEVELS),
               ORRERY_CLASS (RawOdometry, OrreryRawOdometry, orrery_raw_odometry,
                             .role = ORRERY_ROLE_SENSOR, .thread_safe = TRUE),
               ORRERY_CLASS (IntegratedOdometry, OrreryIntegratedOdometry,
                             orrery_integrated_odometry, .role = ORRERY_ROLE_SENSOR,
                             .thread_safe = TRUE))
