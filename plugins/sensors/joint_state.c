/* SPDX-License-Identifier: BSD-3-Clause */
/* The positions of the joints of a robot. */
#include <orrery.h>

typedef struct {
  OrreryText names;
  OrreryArray position;
  OrreryArray velocity;
  OrreryArray effort;
} JointStateData;

static const OrreryField fields[] = {
  ORRERY_FIELD (JointStateData, names, "", "Names of the joints, separated by spaces"),
  ORRERY_FIELD (JointStateData, position, "rad or m", "Positions, in the order of the names"),
  ORRERY_FIELD (JointStateData, velocity, "rad/s or m/s", "Velocities"),
  ORRERY_FIELD (JointStateData, effort, "N m or N", "What the motors gave"),
};

/* All joints of its robot that move, in tree order, or those that it is told. Where the robot has
 * none, those of the whole scene. */
typedef struct {
  OrrerySensor parent_instance;
  char *wanted;
  GPtrArray *joints; /* (element-type OrreryObject), borrowed from the world */
} OrreryJointStateSensor;
ORRERY_DEFINE_CLASS (OrreryJointStateSensor, orrery_joint_state_sensor, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryJointStateSensor, wanted, "Joints", "",
                          "Names of joints below the robot, separated by commas; \"\": all",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static void
get_joints (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryJointStateSensor *self = (OrreryJointStateSensor *) part;
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < self->joints->len; i++)
    g_variant_builder_add (&names, "s", orrery_object_get_joint_name (self->joints->pdata[i]));
  orrery_call_return (call, g_variant_builder_end (&names));
}

static const OrreryService services[] = {
  { "get_joints", get_joints, ORRERY_SERVICE_IMMEDIATE, "", "Names of the joints, in order" },
};

/* Of a robot without joints: those of an environment, which are nobody's. */
static void
collect_all (OrreryWorld *world, GPtrArray *joints)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_parent (object) == NULL)
      orrery_object_collect_joints (object, joints);
  }
}

/* Those of @joints that are wanted, in the order in which they are. */
static GPtrArray *
choose (OrreryJointStateSensor *self, GPtrArray *joints, GError **error)
{
  g_auto (GStrv) names = g_strsplit_set (self->wanted, " ,", -1);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();

  for (char **name = names; *name != NULL; name++) {
    guint i = 0;

    while (i < joints->len && !g_str_equal (orrery_object_get_joint_name (joints->pdata[i]), *name))
      i++;
    if (i < joints->len)
      g_ptr_array_add (chosen, joints->pdata[i]);
    if (i < joints->len || **name == '\0')
      continue;
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "Joints: no joint '%.60s' below the robot; it has %u", *name, joints->len);
    return NULL;
  }
  return g_steal_pointer (&chosen);
}

static void
orrery_joint_state_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJointStateSensor *self = (OrreryJointStateSensor *) part;
  JointStateData *data = orrery_record_data (orrery_setup_get_record (setup));
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  OrreryObject *root = robot != NULL ? orrery_component_get_object (robot)
                                     : orrery_object_get_parent (orrery_setup_get_object (setup));
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  if (root != NULL)
    orrery_object_collect_joints (root, all);
  if (all->len == 0)
    collect_all (orrery_setup_get_world (setup), all);
  g_clear_pointer (&self->joints, g_ptr_array_unref);
  self->joints = *self->wanted != '\0' ? choose (self, all, error) : g_steal_pointer (&all);
  for (guint i = 0; self->joints != NULL && i < self->joints->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                            orrery_object_get_joint_name (self->joints->pdata[i]));
  orrery_text_set (&data->names, names->str);
}

static void
orrery_joint_state_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                 GError **error)
{
  OrreryJointStateSensor *self = (OrreryJointStateSensor *) sensor;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  JointStateData *out = orrery_record_data (record);
  guint n = self->joints->len;
  double *position = orrery_array_prepare (&out->position, n);
  double *velocity = orrery_array_prepare (&out->velocity, n);
  double *effort = orrery_array_prepare (&out->effort, n);

  for (guint i = 0; position != NULL && velocity != NULL && effort != NULL && i < n; i++) {
    const OrreryJointState *state =
        orrery_snapshot_get_joint (snapshot, orrery_object_get_index (self->joints->pdata[i]));

    position[i] = state->position;
    velocity[i] = state->velocity;
    effort[i] = state->effort;
  }
}

static void
orrery_joint_state_sensor_class_init (OrreryJointStateSensorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joint_state_sensor_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_joint_state_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, JointStateData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryJointStateSensor, joints, g_ptr_array_unref);
}

ORRERY_PLUGIN ("Where the joints of a robot are", "BSD-3-Clause",
               ORRERY_CLASS (JointState, OrreryJointStateSensor, orrery_joint_state_sensor,
                             .thread_safe = TRUE))
