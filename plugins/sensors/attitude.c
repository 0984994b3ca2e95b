/* SPDX-License-Identifier: BSD-3-Clause */
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
 * environment then says where on the Earth it is. By position rates are by the time between the
 * steps, counted in ticks; in the first step there are none.
 */
G_DECLARE_FINAL_TYPE (OrreryAttitude, orrery_attitude, ORRERY, ATTITUDE, OrrerySensor)
struct _OrreryAttitude {
  OrrerySensor parent_instance;
  Motion motion;
  gboolean from_north;
  OrreryGeodesy *geodesy; /* NULL: the environment does not say */
};
G_DEFINE_FINAL_TYPE (OrreryAttitude, orrery_attitude, ORRERY_TYPE_SENSOR)

enum { PROP_COMPUTATION_MODE = 1, PROP_FROM_NORTH };

static void
orrery_attitude_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryAttitude *self = ORRERY_ATTITUDE (object);

  if (id == PROP_COMPUTATION_MODE)
    self->motion.mode = g_value_get_enum (value);
  else if (id == PROP_FROM_NORTH)
    self->from_north = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_attitude_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryAttitude *self = ORRERY_ATTITUDE (object);

  if (id == PROP_COMPUTATION_MODE)
    g_value_set_enum (value, self->motion.mode);
  else if (id == PROP_FROM_NORTH)
    g_value_set_boolean (value, self->from_north);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_attitude_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryAttitude *self = ORRERY_ATTITUDE (part);
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
  OrreryAttitude *self = ORRERY_ATTITUDE (sensor);
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  AttitudeData *out = orrery_record_data (record);
  OrreryEuler *r = &out->rotation;
  MotionStep step;

  motion_step (&self->motion, tick, record, motion_count_ticks (&self->motion, tick), &step);
  out->angular_velocity = step.angular_velocity;
  orrery_quat_to_euler (&pose->rotation, &r->roll, &r->pitch, &r->yaw);
  if (!self->from_north)
    return;
  if (self->geodesy != NULL)
    r->yaw = orrery_normalise_angle (-orrery_geodesy_get_heading (self->geodesy, r->yaw));
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "UseAngleAgainstNorth: the environment has no longitude, latitude, altitude");
}

static GVariant *
orrery_attitude_save (OrreryPart *part)
{
  return motion_save (&ORRERY_ATTITUDE (part)->motion);
}

static void
orrery_attitude_restore (OrreryPart *part, GVariant *state, GError **error)
{
  motion_restore (&ORRERY_ATTITUDE (part)->motion, part, state, error);
}

static void
orrery_attitude_finalize (GObject *object)
{
  g_clear_pointer (&ORRERY_ATTITUDE (object)->geodesy, orrery_geodesy_unref);
  G_OBJECT_CLASS (orrery_attitude_parent_class)->finalize (object);
}

static void
orrery_attitude_class_init (OrreryAttitudeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  object_class->set_property = orrery_attitude_set_property;
  object_class->get_property = orrery_attitude_get_property;
  object_class->finalize = orrery_attitude_finalize;
  part_class->setup = orrery_attitude_setup;
  part_class->save = orrery_attitude_save;
  part_class->restore = orrery_attitude_restore;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_attitude_sense;
  ORRERY_CLASS_SET_DATA (klass, AttitudeData, fields);

  motion_install_property (object_class, PROP_COMPUTATION_MODE);
  g_object_class_install_property (
      object_class, PROP_FROM_NORTH,
      g_param_spec_boolean ("use-angle-against-north", "UseAngleAgainstNorth",
                            "Whether the yaw is counted from true North", FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
orrery_attitude_init (OrreryAttitude *self)
{
}

ORRERY_PLUGIN ("Orientation and angular velocity", "BSD-3-Clause",
               ORRERY_CLASS (Attitude, OrreryAttitude, orrery_attitude, .thread_safe = TRUE))
