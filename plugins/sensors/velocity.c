/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

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
 * the first step only looks where the sensor is, and leaves zeros. The angular velocity is then
 * the rotation of the step, as a vector along its axis, over its time: exact for a steady turn,
 * without a spike at half a circle and without a pole. Where the robot's clock stands still there
 * is nothing to pass on.
 */
G_DECLARE_FINAL_TYPE (OrreryVelocitySensor, orrery_velocity_sensor, ORRERY, VELOCITY_SENSOR,
                      OrrerySensor)
struct _OrreryVelocitySensor {
  OrrerySensor parent_instance;
  OrreryComputation mode; /* as asked for */
  gboolean from_physics;  /* as resolved */
  OrreryComponent *robot; /* borrowed: it carries the sensor */
  gboolean started;       /* whether what follows was seen */
  OrreryTransform previous;
  OrreryTime time;
};
G_DEFINE_FINAL_TYPE (OrreryVelocitySensor, orrery_velocity_sensor, ORRERY_TYPE_SENSOR)

enum { PROP_COMPUTATION_MODE = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static void
orrery_velocity_sensor_set_property (GObject *object, guint id, const GValue *value,
                                     GParamSpec *pspec)
{
  if (id == PROP_COMPUTATION_MODE)
    ORRERY_VELOCITY_SENSOR (object)->mode = g_value_get_enum (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_velocity_sensor_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_COMPUTATION_MODE)
    g_value_set_enum (value, ORRERY_VELOCITY_SENSOR (object)->mode);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_velocity_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryVelocitySensor *self = ORRERY_VELOCITY_SENSOR (part);
  gboolean physics;

  self->robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  physics = self->robot != NULL && orrery_robot_has_physics (ORRERY_ROBOT (self->robot));
  self->from_physics = physics && self->mode != ORRERY_COMPUTATION_POSITION;
  if (self->mode == ORRERY_COMPUTATION_VELOCITY && !physics)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "ComputationMode Velocity: %s has no physics; use Automatic or Position",
                 self->robot != NULL ? orrery_part_get_name (ORRERY_PART (self->robot))
                                     : "what carries the sensor");
}

static void
read_physics (OrreryVelocitySensor *self, OrreryTick *tick, VelocityData *out)
{
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  guint robot = orrery_object_get_index (orrery_component_get_object (self->robot));
  const OrreryVec3 *v = orrery_snapshot_get_linear_velocity (snapshot, robot);
  const OrreryVec3 *w = orrery_snapshot_get_angular_velocity (snapshot, robot);
  const OrreryQuat *axes = &orrery_component_get_pose (ORRERY_COMPONENT (self))->rotation;

  out->world_linear_velocity = *v;
  orrery_quat_rotate_back (axes, v, &out->linear_velocity);
  orrery_quat_rotate_back (axes, w, &out->angular_velocity);
}

static void
difference_poses (const OrreryTransform *now, const OrreryTransform *before, double dt,
                  VelocityData *out)
{
  OrreryTransform step;
  OrreryVec3 turn, way;

  orrery_transform_relative (before, now, &step);
  orrery_quat_to_rotation_vector (&step.rotation, &turn);
  way = (OrreryVec3){ now->position.x - before->position.x, now->position.y - before->position.y,
                      now->position.z - before->position.z };

  out->world_linear_velocity = (OrreryVec3){ way.x / dt, way.y / dt, way.z / dt };
  out->angular_velocity = (OrreryVec3){ turn.x / dt, turn.y / dt, turn.z / dt };
  orrery_quat_rotate_back (&now->rotation, &out->world_linear_velocity, &out->linear_velocity);
}

static void
read_poses (OrreryVelocitySensor *self, OrreryRecord *record, VelocityData *out)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (self));
  /* The timestamp is the robot's time. */
  OrreryTime time = orrery_record_get_timestamp (record);
  OrreryTime step = time - self->time;

  if (self->started && step < SHORTEST_STEP) {
    orrery_record_hold (record);
    return;
  }
  if (self->started)
    difference_poses (pose, &self->previous, orrery_time_to_seconds (step), out);
  self->started = TRUE;
  self->previous = *pose;
  self->time = time;
}

static void
orrery_velocity_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                              GError **error)
{
  OrreryVelocitySensor *self = ORRERY_VELOCITY_SENSOR (sensor);

  if (self->from_physics)
    read_physics (self, tick, orrery_record_data (record));
  else
    read_poses (self, record, orrery_record_data (record));
}

#define STATE "(bx(ddddddd))"

static GVariant *
orrery_velocity_sensor_save (OrreryPart *part)
{
  OrreryVelocitySensor *self = ORRERY_VELOCITY_SENSOR (part);
  const OrreryVec3 *p = &self->previous.position;
  const OrreryQuat *q = &self->previous.rotation;

  return g_variant_new (STATE, self->started, self->time, p->x, p->y, p->z, q->w, q->x, q->y, q->z);
}

static void
orrery_velocity_sensor_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryVelocitySensor *self = ORRERY_VELOCITY_SENSOR (part);
  OrreryVec3 *p = &self->previous.position;
  OrreryQuat *q = &self->previous.rotation;

  if (!g_variant_is_of_type (state, G_VARIANT_TYPE (STATE))) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "%s: not a state of a velocity sensor",
                 orrery_part_get_name (part));
    return;
  }
  g_variant_get (state, STATE, &self->started, &self->time, &p->x, &p->y, &p->z, &q->w, &q->x,
                 &q->y, &q->z);
}

static void
orrery_velocity_sensor_class_init (OrreryVelocitySensorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  object_class->set_property = orrery_velocity_sensor_set_property;
  object_class->get_property = orrery_velocity_sensor_get_property;
  part_class->setup = orrery_velocity_sensor_setup;
  part_class->save = orrery_velocity_sensor_save;
  part_class->restore = orrery_velocity_sensor_restore;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_velocity_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, VelocityData, fields);

  properties[PROP_COMPUTATION_MODE] =
      g_param_spec_enum ("computation-mode", "ComputationMode",
                         "Where the values come from; read at setup", ORRERY_TYPE_COMPUTATION,
                         ORRERY_COMPUTATION_AUTOMATIC, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_velocity_sensor_init (OrreryVelocitySensor *self)
{
}

ORRERY_PLUGIN ("Linear and angular velocity", "BSD-3-Clause",
               ORRERY_CLASS (Velocity, OrreryVelocitySensor, orrery_velocity_sensor,
                             .thread_safe = TRUE))
