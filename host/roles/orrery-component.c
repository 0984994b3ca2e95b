/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of what is placed at an object and steps: robots, sensors, actuators. */
#include "roles/orrery-component-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

typedef struct {
  OrreryObject *object;
  OrrerySnapshot *snapshot;
  guint index;
  OrreryComponent *robot; /* weak: it carries this one, which somebody else may keep longer */
  OrreryTransform mounting;
  OrreryQuat axes; /* from those that are shown to its frame */
  OrreryRecord *record;
  double frequency;
  double period; /* s, 1/frequency */
  char *level;
  gboolean *active; /* at_home, or in the packed step */
  gboolean at_home;
  gboolean commanded;
  gboolean stale;
  gboolean on_demand;
  gboolean unwanted;  /* in this tick nobody reads its record */
  gboolean outdated;  /* nor did anybody in the tick of its last step */
  gboolean pinned;    /* somebody may read its record in any tick */
  GPtrArray *reads;   /* (element-type OrreryComponent) (nullable): borrowed, of the same scene */
  GPtrArray *waiting; /* (element-type OrreryCall) (nullable): for its next record */
} OrreryComponentPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryComponent, orrery_component, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryComponentPrivate *) orrery_component_get_instance_private (self))

/* --- services that every component has --- */

static GVariant *
describe_option (OrreryPart *part, GParamSpec *pspec)
{
  g_autoptr (GVariant) value = orrery_param_get (G_OBJECT (part), pspec);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&builder, "v", value);
  g_variant_builder_add (&builder, "v", g_variant_new_string (orrery_param_get_type_name (pspec)));
  g_variant_builder_add (&builder, "v",
                         g_variant_new_string (
                             g_param_spec_get_blurb (pspec) ? g_param_spec_get_blurb (pspec) : ""));
  g_variant_builder_add (&builder, "v", g_variant_new_string (pspec->name));
  return g_variant_builder_end (&builder);
}

static void
get_properties (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_autofree GParamSpec **specs = NULL;
  GVariantBuilder outer;
  GVariantBuilder inner;
  guint n;

  specs = orrery_part_class_list_options (ORRERY_PART_GET_CLASS (part), &n);
  g_variant_builder_init (&inner, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&inner, "{sv}", orrery_param_get_name (specs[i]),
                           describe_option (part, specs[i]));
  g_variant_builder_init (&outer, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&outer, "{sv}", "properties", g_variant_builder_end (&inner));
  orrery_call_return (call, g_variant_builder_end (&outer));
}

static void
set_property (OrreryPart *part, OrreryCall *call, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  g_autoptr (GVariant) known = orrery_part_get_option (part, name);
  g_autoptr (GVariant) value = g_variant_get_variant (orrery_call_get_argument (call, 1));

  if (known == NULL) {
    g_auto (GStrv) names = orrery_part_get_option_names (part);
    g_autofree char *nearest = orrery_nearest_names (name, (const char **) names);

    /* MORSE's words, and what there is. */
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                      "Property %.60s does not exist for object %s%s", name,
                      orrery_part_get_name (part), nearest);
    return;
  }
  orrery_part_set_option (part, name, value, error);
}

static GVariant *
matrix_rows (const OrreryMat3 *m)
{
  GVariantBuilder rows;

  g_variant_builder_init (&rows, G_VARIANT_TYPE ("aad"));
  for (int i = 0; i < 9; i += 3)
    g_variant_builder_add_value (&rows, g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &m->m[i],
                                                                   3, sizeof (double)));
  return g_variant_builder_end (&rows);
}

static GVariant *
describe_mounting (const OrreryTransform *mounting, const OrreryQuat *axes)
{
  GVariantBuilder builder;
  OrreryQuat shown;
  OrreryMat3 rotation;

  orrery_quat_multiply (&mounting->rotation, axes, &shown);
  orrery_quat_to_matrix (&shown, &rotation);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", "rotation", matrix_rows (&rotation));
  g_variant_builder_add (&builder, "{sv}", "translation",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &mounting->position, 3,
                                                    sizeof (double)));
  return g_variant_builder_end (&builder);
}

static void
get_configurations (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryComponentPrivate *priv = PRIVATE (ORRERY_COMPONENT (part));
  g_autofree GParamSpec **specs = NULL;
  GVariantBuilder outer;
  GVariantBuilder inner;
  guint n;

  if (priv->robot == ORRERY_COMPONENT (part)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is a robot; a robot cannot be on a robot",
                      orrery_part_get_name (part));
    return;
  }
  specs = orrery_part_class_list_options (ORRERY_PART_GET_CLASS (part), &n);
  g_variant_builder_init (&inner, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GVariant) value = orrery_param_get (G_OBJECT (part), specs[i]);

    g_variant_builder_add (&inner, "{sv}", orrery_param_get_name (specs[i]), value);
  }
  g_variant_builder_add (&inner, "{sv}", "object_to_robot",
                         describe_mounting (&priv->mounting, &priv->axes));
  g_variant_builder_init (&outer, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&outer, "{sv}", "configurations", g_variant_builder_end (&inner));
  orrery_call_return (call, g_variant_builder_end (&outer));
}

static const OrreryService services[] = {
  { "get_properties", get_properties, ORRERY_SERVICE_ASKS, "",
    "Each property with its value, type, meaning and name in code" },
  { "set_property", set_property, ORRERY_SERVICE_IMMEDIATE, "prop_name:s prop_val:v",
    "Changes a property" },
  { "get_configurations", get_configurations, ORRERY_SERVICE_ASKS, "",
    "Each property with its value, and the place on the robot" },
};

/* --- the class --- */

static void
orrery_component_finalize (GObject *object)
{
  OrreryComponentPrivate *priv = PRIVATE (ORRERY_COMPONENT (object));

  g_clear_weak_pointer (&priv->robot);
  g_clear_object (&priv->object);
  g_clear_pointer (&priv->snapshot, orrery_snapshot_unref);
  g_clear_pointer (&priv->record, orrery_record_unref);
  g_clear_pointer (&priv->level, g_free);
  g_clear_pointer (&priv->reads, g_ptr_array_unref);
  g_clear_pointer (&priv->waiting, g_ptr_array_unref);
  G_OBJECT_CLASS (orrery_component_parent_class)->finalize (object);
}

static void
orrery_component_constructed (GObject *object)
{
  OrreryComponent *self = ORRERY_COMPONENT (object);
  OrrerySchema *schema = ORRERY_COMPONENT_GET_CLASS (self)->schema;
  g_autoptr (OrrerySchema) empty = NULL;

  G_OBJECT_CLASS (orrery_component_parent_class)->constructed (object);
  if (schema == NULL)
    schema = empty = orrery_schema_new (NULL, 0, 0);
  orrery_component_set_schema (self, schema);
}

static void
orrery_component_class_init (OrreryComponentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_component_finalize;
  G_OBJECT_CLASS (klass)->constructed = orrery_component_constructed;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
orrery_component_init (OrreryComponent *self)
{
  OrreryComponentPrivate *priv = PRIVATE (self);

  priv->at_home = TRUE;
  priv->active = &priv->at_home;
  orrery_transform_identity (&priv->mounting);
  orrery_quat_identity (&priv->axes);
}

/* Of a class whose table of fields was refused, which was logged; and of those derived from it. */
static OrrerySchema *
get_unfit (void)
{
  static OrrerySchema *unfit;

  if (g_once_init_enter (&unfit))
    g_once_init_leave (&unfit, orrery_schema_new (NULL, 0, 0));
  return unfit;
}

void
orrery_component_class_set_fields (OrreryComponentClass *klass, const OrreryField *fields,
                                   guint n_fields, gsize size)
{
  klass->schema = orrery_schema_new (fields, n_fields, size);
  if (klass->schema == NULL)
    klass->schema = get_unfit ();
}

gboolean
orrery_component_class_is_unfit (OrreryComponentClass *klass)
{
  return klass->schema != NULL && klass->schema == get_unfit ();
}

void
orrery_component_class_set_schema (OrreryComponentClass *klass, OrrerySchema *schema)
{
  g_return_if_fail (schema != NULL);
  /* The one that was there is the base's. */
  klass->schema = orrery_schema_ref (schema);
}

void
orrery_component_class_set_morse_order (OrreryComponentClass *klass, OrreryMorseOrder order)
{
  klass->morse_order = order;
}

ORRERY_DEFINE_GETTER (OrrerySchema *, orrery_component_class_get_schema, OrreryComponentClass,
                      ORRERY_IS_STRUCT, self->schema)

void
orrery_component_set_schema (OrreryComponent *component, OrrerySchema *schema)
{
  OrreryComponentPrivate *priv = PRIVATE (component);
  g_autoptr (OrreryRecord) old = priv->record;

  priv->record = orrery_record_new (schema);
  if (old != NULL && orrery_record_has_timestamp (old))
    orrery_record_set_timestamp (priv->record, orrery_record_get_timestamp (old));
}

static void
find_mounting (OrreryObject *object, OrreryObject *robot, OrreryTransform *out)
{
  orrery_transform_identity (out);
  for (; object != NULL && object != robot; object = orrery_object_get_parent (object))
    orrery_transform_multiply (orrery_object_get_start (object), out, out);
}

void
orrery_component_place (OrreryComponent *component, OrreryWorld *world, OrreryObject *object,
                        OrreryComponent *robot, double frequency, const char *level)
{
  OrreryComponentPrivate *priv = PRIVATE (component);

  g_set_object (&priv->object, object);
  g_clear_pointer (&priv->snapshot, orrery_snapshot_unref);
  priv->snapshot = orrery_snapshot_ref (orrery_world_get_snapshot (world));
  priv->index = orrery_object_get_index (object);
  orrery_snapshot_keep (priv->snapshot, priv->index);
  g_set_weak_pointer (&priv->robot, robot);
  priv->frequency = frequency;
  priv->period = 1 / frequency;
  g_free (priv->level);
  priv->level = g_strdup (level);
  find_mounting (object, robot != NULL ? PRIVATE (robot)->object : NULL, &priv->mounting);
}

void
orrery_component_place_as (OrreryComponent *component, OrreryComponent *other)
{
  OrreryComponentPrivate *priv = PRIVATE (component), *from = PRIVATE (other);

  if (from->object == NULL)
    return;
  g_set_object (&priv->object, from->object);
  g_clear_pointer (&priv->snapshot, orrery_snapshot_unref);
  priv->snapshot = orrery_snapshot_ref (from->snapshot);
  priv->index = from->index;
  g_set_weak_pointer (&priv->robot, from->robot);
  priv->frequency = from->frequency;
  priv->period = from->period;
  g_free (priv->level);
  priv->level = g_strdup (from->level);
  priv->mounting = from->mounting;
  priv->axes = from->axes;
}

OrreryObject *
orrery_component_get_object (OrreryComponent *component)
{
  /* Parts ask in each step: the type is not looked up. */
  g_return_val_if_fail (component != NULL, NULL);
  return PRIVATE (component)->object;
}

const OrreryTransform *
orrery_component_get_pose (OrreryComponent *component)
{
  OrreryComponentPrivate *priv = PRIVATE (component);

  return &priv->snapshot->poses[priv->index];
}

guint
orrery_component_get_index (OrreryComponent *component)
{
  return PRIVATE (component)->index;
}

const OrreryTransform *
orrery_component_get_mounting (OrreryComponent *component)
{
  return &PRIVATE (component)->mounting;
}

OrreryRecord *
orrery_component_get_record (OrreryComponent *component)
{
  g_return_val_if_fail (ORRERY_IS_COMPONENT (component), NULL);
  return PRIVATE (component)->record;
}

gpointer
orrery_component_get_data (gpointer component)
{
  return orrery_record_data (orrery_component_get_record (component));
}

OrreryComponent *
orrery_component_get_robot (OrreryComponent *component)
{
  return PRIVATE (component)->robot;
}

void
orrery_component_set_axes (OrreryComponent *component, const OrreryQuat *axes)
{
  g_return_if_fail (ORRERY_IS_COMPONENT (component));
  g_return_if_fail (axes != NULL);
  PRIVATE (component)->axes = *axes;
}

const OrreryQuat *
orrery_component_get_axes (OrreryComponent *component)
{
  return &PRIVATE (component)->axes;
}

double
orrery_component_get_frequency (OrreryComponent *component)
{
  return PRIVATE (component)->frequency;
}

double
orrery_component_get_period (OrreryComponent *component)
{
  return PRIVATE (component)->period;
}

const char *
orrery_component_get_level (OrreryComponent *component)
{
  return PRIVATE (component)->level;
}

gboolean
orrery_component_is_active (OrreryComponent *component)
{
  return *PRIVATE (component)->active;
}

void
orrery_component_set_active (OrreryComponent *component, gboolean active)
{
  *PRIVATE (component)->active = active != FALSE;
}

gboolean
orrery_component_is_stale (OrreryComponent *component)
{
  g_return_val_if_fail (ORRERY_IS_COMPONENT (component), FALSE);
  return PRIVATE (component)->stale;
}

void
orrery_component_set_stale (OrreryComponent *component, gboolean stale)
{
  PRIVATE (component)->stale = stale;
}

OrreryCall *
orrery_component_get_call (OrreryComponent *component)
{
  return orrery_part_get_busy (ORRERY_PART (component));
}

gboolean
orrery_component_is_wanted (OrreryComponent *component)
{
  /* Parts ask in each step: the type is not looked up. */
  g_return_val_if_fail (component != NULL, TRUE);
  return !PRIVATE (component)->unwanted;
}

void
orrery_component_set_wanted (OrreryComponent *component, gboolean wanted)
{
  PRIVATE (component)->unwanted = !wanted;
}

void
orrery_component_set_reads (OrreryComponent *component, GPtrArray *reads, gboolean on_demand)
{
  OrreryComponentPrivate *priv = PRIVATE (component);

  g_clear_pointer (&priv->reads, g_ptr_array_unref);
  priv->reads = reads;
  priv->on_demand = on_demand;
}

ORRERY_DEFINE_GETTER (GPtrArray *, orrery_component_get_reads, OrreryComponent, ORRERY_IS_COMPONENT,
                      PRIVATE (self)->reads)
ORRERY_DEFINE_GETTER (gboolean, orrery_component_is_on_demand, OrreryComponent, ORRERY_IS_COMPONENT,
                      PRIVATE (self)->on_demand)

void
orrery_component_pin (OrreryComponent *component)
{
  PRIVATE (component)->pinned = TRUE;
}

gboolean
orrery_component_is_pinned (OrreryComponent *component)
{
  return PRIVATE (component)->pinned;
}

gboolean
orrery_component_await_record (OrreryComponent *component, OrreryCall *call)
{
  OrreryComponentPrivate *priv = PRIVATE (component);

  if (!priv->outdated)
    return FALSE;
  /* Who has asked once will ask again. */
  priv->pinned = TRUE;
  if (priv->waiting == NULL)
    priv->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (priv->waiting, g_object_ref (call));
  return TRUE;
}

static void
answer (OrreryCall *call, OrreryRecord *record)
{
  g_autoptr (GVariant) value = orrery_record_to_variant (record);

  orrery_call_return (call, value);
}

void
orrery_component_note_step (OrreryComponent *component)
{
  PRIVATE (component)->outdated = PRIVATE (component)->unwanted;
}

void
orrery_component_answer_waiting (OrreryComponent *component)
{
  OrreryComponentPrivate *priv = PRIVATE (component);
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&priv->waiting);

  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    if (!orrery_call_is_done (waiting->pdata[i]))
      answer (waiting->pdata[i], priv->record);
}

gboolean
orrery_component_was_commanded (OrreryComponent *component)
{
  return PRIVATE (component)->commanded;
}

void
orrery_component_place_active (OrreryComponent *component, gboolean *place)
{
  OrreryComponentPrivate *priv = PRIVATE (component);

  if (place == NULL)
    place = &priv->at_home;
  *place = *priv->active;
  priv->active = place;
}

gboolean *
orrery_component_get_commanded_flag (OrreryComponent *component)
{
  return &PRIVATE (component)->commanded;
}
