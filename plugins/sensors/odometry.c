/* SPDX-License-Identifier: BSD-3-Clause */
/* Odometry: the way since the last step, or since the start. */
#include <orrery.h>

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
  ORRERY_FIELD (IntegratedOdometryData, x, "m", "Origin of the sensor in the world frame, x"),
  ORRERY_FIELD (IntegratedOdometryData, y, "m", "Origin of the sensor in the world frame, y"),
  ORRERY_FIELD (IntegratedOdometryData, z, "m", "Origin of the sensor in the world frame, z"),
  ORRERY_FIELD (IntegratedOdometryData, yaw, "rad", "Rotation about z in the world frame"),
  ORRERY_FIELD (IntegratedOdometryData, pitch, "rad", "Rotation about y"),
  ORRERY_FIELD (IntegratedOdometryData, roll, "rad", "Rotation about x"),
  ORRERY_FIELD (IntegratedOdometryData, vx, "m/s", "Velocity in the sensor's frame of before, x"),
  ORRERY_FIELD (IntegratedOdometryData, vy, "m/s", "Velocity in the sensor's frame of before, y"),
  ORRERY_FIELD (IntegratedOdometryData, vz, "m/s", "Velocity in the sensor's frame of before, z"),
  ORRERY_FIELD (IntegratedOdometryData, wz, "rad/s", "Rate of the yaw in that frame"),
  ORRERY_FIELD (IntegratedOdometryData, wy, "rad/s", "Rate of the pitch in that frame"),
  ORRERY_FIELD (IntegratedOdometryData, wx, "rad/s", "Rate of the roll in that frame"),
};

/* What the levels share: where the sensor began, and where it was last. */
typedef struct {
  OrrerySensor parent_instance;
  OrreryTransform back; /* from the world into the frame of the start */
  OrreryTransform previous;
} OrreryOdometryBase;
ORRERY_DEFINE_BASE_CLASS (OrreryOdometryBase, orrery_odometry_base, OrrerySensor, orrery_sensor)

static void
orrery_odometry_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryOdometryBase *self = (OrreryOdometryBase *) part;

  self->previous = *orrery_component_get_pose (ORRERY_COMPONENT (part));
  orrery_transform_invert (&self->previous, &self->back);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryOdometryBase, back.position),
  ORRERY_STATE (OrreryOdometryBase, back.rotation),
  ORRERY_STATE (OrreryOdometryBase, previous.position),
  ORRERY_STATE (OrreryOdometryBase, previous.rotation),
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
  /* Where it was at the last step, in the frame of the start. */
  OrreryVec3 position;
  OrreryEuler angles;
} OrreryOdometry;
ORRERY_DEFINE_CLASS (OrreryOdometry, orrery_odometry, OrreryOdometryBase, orrery_odometry_base)

static void
see_from_start (const OrreryOdometryBase *self, const OrreryTransform *pose, OrreryVec3 *position,
                OrreryEuler *angles)
{
  OrreryTransform seen;

  orrery_transform_multiply (&self->back, pose, &seen);
  *position = seen.position;
  orrery_quat_to_euler (&seen.rotation, &angles->roll, &angles->pitch, &angles->yaw);
}

static void
orrery_odometry_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryOdometry *self = (OrreryOdometry *) part;
  OrreryOdometryBase *base = &self->parent_instance;

  ORRERY_PART_CLASS (orrery_odometry_parent_class)->setup (part, setup, error);
  see_from_start (base, &base->previous, &self->position, &self->angles);
}

static void
orrery_odometry_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryOdometry *self = (OrreryOdometry *) sensor;
  OrreryOdometryBase *base = &self->parent_instance;
  OdometryData *out = orrery_record_data (record);
  OrreryVec3 position;
  OrreryEuler angles;

  base->previous = *orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  see_from_start (base, &base->previous, &position, &angles);

  out->dx = position.x - self->position.x;
  out->dy = position.y - self->position.y;
  out->dz = position.z - self->position.z;
  out->dyaw = orrery_normalise_angle (angles.yaw - self->angles.yaw);
  out->dpitch = orrery_normalise_angle (angles.pitch - self->angles.pitch);
  out->droll = orrery_normalise_angle (angles.roll - self->angles.roll);
  self->position = position;
  self->angles = angles;
}

static const OrreryField seen_states[] = {
  ORRERY_STATE (OrreryOdometry, position),
  ORRERY_STATE (OrreryOdometry, angles),
};

static void
orrery_odometry_class_init (OrreryOdometryClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_odometry_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_odometry_sense;
  ORRERY_CLASS_SET_DATA (klass, OdometryData, fields);
  ORRERY_CLASS_SET_STATE (klass, OrreryOdometry, seen_states);
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
  const OrreryVec3 *now = &orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position;
  const OrreryVec3 *before = &self->previous.position;
  RawOdometryData *out = orrery_record_data (record);

  out->dS = orrery_vec3_distance (now, before);
  self->previous.position = *now;
}

static void
orrery_raw_odometry_class_init (OrreryRawOdometryClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_raw_odometry_sense;
  ORRERY_CLASS_SET_DATA (klass, RawOdometryData, raw_fields);
}

/* --- integrated: pose and velocity --- */

/*
 * The pose in the world and the velocities: the displacement since the last step, seen from the
 * sensor's frame of then, times the frequency of the sensor, also where it runs at another rate.
 * Before the first step the sensor was where it started, so that the first velocities are those of
 * the motion (MORSE takes the origin of the world).
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
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  IntegratedOdometryData *out = orrery_record_data (record);
  double rate = orrery_component_get_frequency (ORRERY_COMPONENT (sensor));
  OrreryTransform step;
  OrreryEuler turn;

  orrery_transform_relative (&self->previous, pose, &step);
  orrery_quat_to_euler (&step.rotation, &turn.roll, &turn.pitch, &turn.yaw);

  out->x = pose->position.x;
  out->y = pose->position.y;
  out->z = pose->position.z;
  orrery_quat_to_euler (&pose->rotation, &out->roll, &out->pitch, &out->yaw);
  out->vx = step.position.x * rate;
  out->vy = step.position.y * rate;
  out->vz = step.position.z * rate;
  out->wz = turn.yaw * rate;
  out->wy = turn.pitch * rate;
  out->wx = turn.roll * rate;
  self->previous = *pose;
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
