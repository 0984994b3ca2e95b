/* SPDX-License-Identifier: BSD-3-Clause */
/* What a joint passes on: force and torque. */
#include <orrery.h>

typedef struct {
  OrreryVec3 force;
  OrreryVec3 torque;
} JointWrenchData;

static const OrreryField fields[] = {
  ORRERY_FIELD (JointWrenchData, force, "N", "Force in the axes of the link"),
  ORRERY_FIELD (JointWrenchData, torque, "N m",
                "Torque about the anchor of the joint, in the axes of the link"),
};

/*
 * Force and torque of a joint: what the parent exerts on the link through it, motor, springs,
 * limits and friction of the joint included, in the last substep of physics. A link of m kg that
 * hangs at rest shows m g upwards. That is the sign of MuJoCo's sensors of force and torque
 * (mj_rnePostConstraint, `cfrc_int`); SDF calls it parent_to_child, and the opposite
 * child_to_parent, which is Gazebo's default. The joint is one that the engine moves by forces.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *joint;
  char *direction;
  guint object; /* with the joint */
  double sign;
} OrreryJointWrench;
ORRERY_DEFINE_CLASS (OrreryJointWrench, orrery_joint_wrench, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryJointWrench, joint, "Joint", "",
                          "Name of a joint, or of the object that has it; \"\": that "
                          "of the link which the sensor is part of",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryJointWrench, direction, "Direction", "parent_to_child",
                          "parent_to_child: what the parent exerts on the link; child_to_parent: "
                          "the opposite",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* The nearest above. */
static OrreryObject *
find_own (OrreryObject *object)
{
  while (object != NULL && orrery_object_get_joint (object) == NULL)
    object = orrery_object_get_parent (object);
  return object;
}

static OrreryObject *
find_among (GPtrArray *objects, const char *name)
{
  for (guint i = 0; i < objects->len; i++)
    if (g_str_equal (orrery_object_get_joint_name (objects->pdata[i]), name) ||
        g_str_equal (orrery_object_get_basename (objects->pdata[i]), name) ||
        g_str_equal (orrery_object_get_name (objects->pdata[i]), name))
      return objects->pdata[i];
  return NULL;
}

/* Below the robot, or one of an environment, which are nobody's. */
static OrreryObject *
find_named (OrreryJointWrench *self, OrreryWorld *world, OrreryObject *root)
{
  g_autoptr (GPtrArray) below = g_ptr_array_new (), all = g_ptr_array_new ();
  OrreryObject *found;

  if (root != NULL)
    orrery_object_collect_joints (root, below);
  found = find_among (below, self->joint);
  for (guint i = 0; found == NULL && i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_parent (object) == NULL)
      orrery_object_collect_joints (object, all);
  }
  return found != NULL ? found : find_among (all, self->joint);
}

static OrreryObject *
find_joint (OrreryJointWrench *self, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));
  OrreryObject *own = orrery_setup_get_object (setup), *found;

  if (*self->joint == '\0') {
    found = find_own (own);
    if (found == NULL)
      g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                   "neither the sensor nor an object above it has a joint; put the sensor on a "
                   "link, or name a joint by Joint");
    return found;
  }
  found = find_named (self, orrery_setup_get_world (setup),
                      robot != NULL ? orrery_component_get_object (robot)
                                    : orrery_object_get_parent (own));
  if (found == NULL)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "Joint: no joint '%.60s' that moves, neither below the robot nor in the scene",
                 self->joint);
  return found;
}

static void
orrery_joint_wrench_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJointWrench *self = (OrreryJointWrench *) part;
  OrreryObject *object;

  self->sign = g_str_equal (self->direction, "child_to_parent") ? -1 : 1;
  if (self->sign > 0 && !g_str_equal (self->direction, "parent_to_child")) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "Direction: '%.60s' is none of parent_to_child, child_to_parent", self->direction);
    return;
  }
  object = find_joint (self, setup, error);
  if (object == NULL || !orrery_setup_measure (setup, ORRERY_MEASURE_WRENCH, object, error))
    return;
  self->object = orrery_object_get_index (object);
}

static void
orrery_joint_wrench_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryJointWrench *self = (OrreryJointWrench *) sensor;
  JointWrenchData *out = orrery_record_data (record);
  const OrreryWrench *wrench =
      orrery_snapshot_get_wrench (orrery_tick_get_snapshot (tick), self->object);

  out->force = orrery_vec3_scale (&wrench->force, self->sign);
  out->torque = orrery_vec3_scale (&wrench->torque, self->sign);
}

static void
orrery_joint_wrench_class_init (OrreryJointWrenchClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joint_wrench_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_joint_wrench_sense;
  ORRERY_CLASS_SET_DATA (klass, JointWrenchData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Force and torque of a joint", "BSD-3-Clause",
               ORRERY_CLASS (JointWrench, OrreryJointWrench, orrery_joint_wrench,
                             .thread_safe = TRUE))
