/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures orientation and angular velocity. */
#include "motion.h"

typedef struct {
  OrreryEuler rotation;
  OrreryVec3 angular_velocity;
} AttitudeData;

static const OrreryField fields[] = {
  ORRERY_FIELD (AttitudeData, rotation, "rad", "Orientation in the world: yaw, pitch, roll"),
  ORRERY_FIELD (AttitudeData, angular_velocity, "rad/s", "Angular velocity in the sensor's axes"),
};

/*
 * How the sensor lies in the world, and how it turns. With UseAngleAgainstNorth the yaw is counted
 * from true North, still counter-clockwise: -pi to pi, 0 to the North, pi/2 to the West; the
 * environment then says where on the Earth it is. By position rates are changes since the
 * last step times the frequency, also where the sensor runs at another rate.
 */
typedef struct {
  OrrerySensor parent_instance;
  Motion motion;
  gboolean from_north;
  OrreryGeodesy *geodesy; /* NULL: the environment does not say */
} OrreryAttitude;
ORRERY_DEFINE_CLASS (OrreryAttitude, orrery_attitude, OrrerySensor, orrery_sensor)

/* Once it is known whether there is a North. */
static gboolean
check_north (OrreryPart *part, GVariant *value, GError **error)
{
  OrreryAttitude *self = (OrreryAttitude *) part;

  if (!g_variant_get_boolean (value) || self->motion.sensor == NULL || self->geodesy != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "the environment has no longitude, latitude, altitude");
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryAttitude, from_north, "UseAngleAgainstNorth", FALSE,
                           "Whether the yaw is counted from true North", .check = check_north),
};

static void
orrery_attitude_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryAttitude *self = (OrreryAttitude *) part;
  g_autoptr (GError) missing = NULL;

  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
  self->geodesy = orrery_geodesy_new_from_world (orrery_setup_get_world (setup), &missing);
  if (!motion_setup (&self->motion, part, error))
    return;
  /* Who does not ask for North need not have one. */
  if (self->from_north && missing != NULL)
    g_propagate_prefixed_error (error, g_steal_pointer (&missing), "UseAngleAgainstNorth: ");
}

static void
orrery_attitude_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryAttitude *self = (OrreryAttitude *) sensor;
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  AttitudeData *out = orrery_record_data (record);
  OrreryEuler *r = &out->rotation;
  MotionVelocity velocity;

  motion_read_velocity (&self->motion, tick, record,
                        orrery_component_get_period (ORRERY_COMPONENT (sensor)), &velocity);
  out->angular_velocity = velocity.angular;
  orrery_quat_to_euler (&pose->rotation, &r->roll, &r->pitch, &r->yaw);
  if (!self->from_north)
    return;
  if (self->geodesy != NULL)
    r->yaw = orrery_normalise_angle (-orrery_geodesy_get_heading (self->geodesy, r->yaw));
  else
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "UseAngleAgainstNorth: the environment has no longitude, latitude, altitude");
}

static void
orrery_attitude_class_init (OrreryAttitudeClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_attitude_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_attitude_sense;
  ORRERY_CLASS_SET_DATA (klass, AttitudeData, fields);
  motion_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryAttitude, motion));
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryAttitude, geodesy, orrery_geodesy_unref);
}

ORRERY_PLUGIN ("Orientation and angular velocity", "BSD-3-Clause",
               ORRERY_CLASS (Attitude, OrreryAttitude, orrery_attitude, .thread_safe = TRUE))
