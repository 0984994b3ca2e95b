/* SPDX-License-Identifier: BSD-3-Clause */
/* The positions of the joints of an armature. */
#include <orrery.h>

#include <math.h>

/* A joint, and how long the link on it is. */
typedef struct {
  OrreryObject *object;
  guint index;
  double length; /* m, to the next joint, or to what its property `tip` says */
} Joint;

/*
 * Where the joints of the armature are that carries the sensor: the nearest object above it that
 * has joints below, or an actuator that moves those of another. One field for each, hinges in rad
 * and slides in m, from the root on. Where there is none, nothing is measured.
 */
typedef struct {
  OrrerySensor parent_instance;
  OrreryWorld *world;
  GArray *joints; /* (element-type Joint) */
} OrreryArmaturePose;
ORRERY_DEFINE_CLASS (OrreryArmaturePose, orrery_armature_pose, OrrerySensor, orrery_sensor)

/* --- joints --- */

static gboolean
is_axis (OrreryObject *object)
{
  const OrreryJoint *joint = orrery_object_get_joint (object);

  return joint != NULL && (joint->kind == ORRERY_JOINT_HINGE || joint->kind == ORRERY_JOINT_SLIDE);
}

static double
get_length (OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);
  GVariant *tip = orrery_object_get_value (object, "tip");
  double sum = 0;

  for (gsize i = 0; tip != NULL && g_variant_is_container (tip) && i < g_variant_n_children (tip);
       i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (tip, i);
    g_autoptr (GVariant) item = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT)
                                    ? g_variant_get_variant (child)
                                    : g_variant_ref (child);

    if (g_variant_is_of_type (item, G_VARIANT_TYPE_DOUBLE))
      sum += g_variant_get_double (item) * g_variant_get_double (item);
    else if (g_variant_is_of_type (item, G_VARIANT_TYPE_INT64))
      sum += (double) g_variant_get_int64 (item) * (double) g_variant_get_int64 (item);
  }
  for (guint i = 0; sum == 0 && i < children->len; i++)
    if (is_axis (children->pdata[i]))
      return orrery_vec3_length (&orrery_object_get_start (children->pdata[i])->position);
  return sqrt (sum);
}

/* Joints below another actuator are that one's. */
static gboolean
is_other (OrreryObject *object, OrrerySetup *setup)
{
  OrreryComponent *component = orrery_setup_find_component (setup, orrery_object_get_name (object));

  return component != NULL && ORRERY_IS_ACTUATOR (component);
}

static gboolean
is_mover (OrreryComponent *component)
{
  return component != NULL && ORRERY_IS_ACTUATOR (component) &&
         g_object_class_find_property (G_OBJECT_GET_CLASS (component), "armature") != NULL;
}

/* The object whose joints an actuator moves, where that is another than its own; else @object. */
static OrreryObject *
find_armature (OrreryArmaturePose *self, OrrerySetup *setup, OrreryObject *object)
{
  OrreryComponent *component = orrery_setup_find_component (setup, orrery_object_get_name (object));
  OrreryObject *armature = NULL;
  g_autofree char *name = NULL;

  if (!is_mover (component))
    return object;
  g_object_get (component, "armature", &name, NULL);
  if (name != NULL && *name != '\0')
    armature = orrery_world_find_object (self->world, name);
  return armature != NULL ? armature : object;
}

static void
collect (OrreryArmaturePose *self, OrrerySetup *setup, OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    Joint joint = { .object = children->pdata[i] };

    if (is_axis (joint.object)) {
      joint.index = orrery_object_get_index (joint.object);
      joint.length = get_length (joint.object);
      g_array_append_val (self->joints, joint);
    }
    if (is_axis (joint.object) || !is_other (joint.object, setup))
      collect (self, setup, joint.object);
  }
}

/* --- services --- */

static const Joint *
get_joint (OrreryArmaturePose *self, guint i)
{
  return &g_array_index (self->joints, Joint, i);
}

static double
get_position (OrreryArmaturePose *self, guint i)
{
  return orrery_snapshot_get_joint_position (orrery_world_get_snapshot (self->world),
                                             get_joint (self, i)->index);
}

static void
get_joints (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmaturePose *self = (OrreryArmaturePose *) part;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < self->joints->len; i++)
    g_variant_builder_add (&list, "s", orrery_object_get_basename (get_joint (self, i)->object));
  orrery_call_return (call, g_variant_builder_end (&list));
}

static void
return_map (OrreryArmaturePose *self, OrreryCall *call, gboolean lengths)
{
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < self->joints->len; i++)
    g_variant_builder_add (&map, "{sv}", orrery_object_get_basename (get_joint (self, i)->object),
                           g_variant_new_double (lengths ? get_joint (self, i)->length
                                                         : get_position (self, i)));
  orrery_call_return (call, g_variant_builder_end (&map));
}

static void
get_state (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_map ((OrreryArmaturePose *) part, call, FALSE);
}

static void
get_joints_length (OrreryPart *part, OrreryCall *call, GError **error)
{
  return_map ((OrreryArmaturePose *) part, call, TRUE);
}

static void
get_one (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryArmaturePose *self = (OrreryArmaturePose *) part;
  const char *name = orrery_call_get_text (call, 0);

  for (guint i = 0; i < self->joints->len; i++)
    if (g_str_equal (orrery_object_get_basename (get_joint (self, i)->object), name)) {
      orrery_call_return (call, g_variant_new_double (get_position (self, i)));
      return;
    }
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "Joint %.60s does not exist in %s", name,
                    orrery_part_get_name (part));
}

static const OrreryService services[] = {
  { "get_joints", get_joints, ORRERY_SERVICE_IMMEDIATE, "", "Names of the joints, from the root" },
  { "get_state", get_state, ORRERY_SERVICE_IMMEDIATE, "", "Where each joint is: rad or m" },
  { "get_joint", get_one, ORRERY_SERVICE_IMMEDIATE, "joint:s", "Where one joint is: rad or m" },
  { "get_joints_length", get_joints_length, ORRERY_SERVICE_IMMEDIATE, "",
    "How long the link on each joint is, m" },
};

/* --- the sensor --- */

static void
set_fields (OrreryArmaturePose *self, OrrerySetup *setup, GError **error)
{
  g_autoptr (OrrerySchema) schema = NULL;
  GVariantBuilder fields;

  g_variant_builder_init (&fields, G_VARIANT_TYPE ("a(ssss)"));
  for (guint i = 0; i < self->joints->len; i++) {
    OrreryObject *object = get_joint (self, i)->object;
    gboolean slides = orrery_object_get_joint (object)->kind == ORRERY_JOINT_SLIDE;

    g_variant_builder_add (&fields, "(ssss)", orrery_object_get_basename (object), "double",
                           slides ? "m" : "rad", "Where the joint is");
  }
  schema = orrery_schema_new_from_variant (g_variant_builder_end (&fields), error);
  if (schema != NULL)
    orrery_setup_set_schema (setup, schema);
}

static void
orrery_armature_pose_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryArmaturePose *self = (OrreryArmaturePose *) part;
  OrreryObject *object = orrery_setup_get_object (setup);
  gboolean is_moved = FALSE;

  g_set_object (&self->world, orrery_setup_get_world (setup));
  /* It looks for joints, and reads no records. */
  orrery_setup_read_none (setup);
  g_clear_pointer (&self->joints, g_array_unref);
  self->joints = g_array_new (FALSE, FALSE, sizeof (Joint));
  for (object = orrery_object_get_parent (object); object != NULL && self->joints->len == 0;
       object = orrery_object_get_parent (object)) {
    is_moved |= is_mover (orrery_setup_find_component (setup, orrery_object_get_name (object)));
    collect (self, setup, find_armature (self, setup, object));
  }
  if (self->joints->len > 0)
    set_fields (self, setup, error);
  else if (!is_moved) /* MORSE goes on, too; an actuator without joints says so itself. */
    orrery_part_warning (part, "none of the objects above it is an armature; "
                               "nothing is measured");
}

static void
orrery_armature_pose_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  OrreryArmaturePose *self = (OrreryArmaturePose *) sensor;
  double *out = orrery_record_data (record);

  for (guint i = 0; i < self->joints->len; i++)
    out[i] = orrery_snapshot_get_joint_position (orrery_tick_get_snapshot (tick),
                                                 get_joint (self, i)->index);
}

static void
orrery_armature_pose_class_init (OrreryArmaturePoseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_armature_pose_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_armature_pose_sense;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_OWNS (klass, OrreryArmaturePose, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryArmaturePose, joints, g_array_unref);
}

ORRERY_PLUGIN ("Where the joints of an armature are", "BSD-3-Clause",
               ORRERY_CLASS (ArmaturePose, OrreryArmaturePose, orrery_armature_pose,
                             .thread_safe = TRUE))
