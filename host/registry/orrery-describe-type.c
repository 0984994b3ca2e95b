/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the fields, properties and services of a class from its GType. */
#include "base/orrery-error-private.h"
#include "part/orrery-part-private.h"
#include "part/orrery-signature-private.h"
#include "registry/orrery-describe-private.h"

#include <float.h>
#include <string.h>

/* Describes a class by asking its GType, which is registered for that; no instance is made. */

/* --- fields --- */

static void
add_field (GVariantBuilder *dict, const char *name, OrreryFieldType type, const char *unit,
           const char *words)
{
  g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_add_text (dict, "name", name);
  orrery_dict_add_text (dict, "type", orrery_field_type_get_name (type));
  orrery_dict_add_text (dict, "unit", unit);
  orrery_dict_add_text (dict, "words", words);
  g_variant_builder_close (dict);
}

static void
add_fields (GVariantBuilder *dict, gpointer type_class)
{
  OrrerySchema *schema;

  if (!ORRERY_IS_COMPONENT_CLASS (type_class))
    return;
  schema = orrery_component_class_get_schema (type_class);
  orrery_dict_open_list (dict, "fields", "aa{sv}");
  if (ORRERY_IS_SENSOR_CLASS (type_class))
    add_field (dict, "timestamp", ORRERY_FIELD_TIME, "s",
               "When it was measured, by its robot's clock");
  for (guint i = 0; schema != NULL && i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    add_field (dict, field->name, field->type, field->unit, field->words);
  }
  orrery_dict_close_list (dict);
}

/* --- properties --- */

static void
add_bounds (GVariantBuilder *dict, GVariant *minimum, GVariant *maximum)
{
  g_variant_builder_add (dict, "{sv}", "minimum", minimum);
  g_variant_builder_add (dict, "{sv}", "maximum", maximum);
}

static void
add_choices (GVariantBuilder *dict, GEnumClass *values)
{
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < values->n_values; i++)
    g_variant_builder_add (&names, "s", values->values[i].value_nick);
  g_variant_builder_add (dict, "{sv}", "choices", g_variant_builder_end (&names));
}

static void
add_range (GVariantBuilder *dict, GParamSpec *pspec)
{
  gint64 least, most;

  if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    add_choices (dict, G_PARAM_SPEC_ENUM (pspec)->enum_class);
  } else if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
    GParamSpecDouble *range = G_PARAM_SPEC_DOUBLE (pspec);

    /* The widest range of a type counts as no range. */
    if (range->minimum > -DBL_MAX || range->maximum < DBL_MAX)
      add_bounds (dict, g_variant_new_double (range->minimum),
                  g_variant_new_double (range->maximum));
  } else if (orrery_param_get_bounds (pspec, &least, &most)) {
    add_bounds (dict, g_variant_new_int64 (least), g_variant_new_int64 (most));
  } else if (G_IS_PARAM_SPEC_UINT64 (pspec)) {
    GParamSpecUInt64 *range = G_PARAM_SPEC_UINT64 (pspec);

    add_bounds (dict, g_variant_new_uint64 (range->minimum), g_variant_new_uint64 (range->maximum));
  }
}

/* The value that the nearest JSON class gives an option, or NULL. */
static OrreryNode *
find_preset (const OrreryClass *klass, GParamSpec *pspec)
{
  for (; klass->node != NULL; klass = klass->base) {
    OrreryNode *properties = orrery_node_find (klass->node, "properties");
    OrreryNode *value = NULL;

    if (properties != NULL)
      value = orrery_node_find (properties, orrery_param_get_name (pspec));
    if (properties != NULL && value == NULL)
      value = orrery_node_find (properties, pspec->name);
    if (value != NULL)
      return value;
  }
  return NULL;
}

/* When a change of the value has an effect. */
static void
add_read (GVariantBuilder *dict, OrreryPropertyFlags flags)
{
  orrery_dict_add_text (dict, "read",
                        flags & ORRERY_PROPERTY_UNUSED     ? "never"
                        : flags & ORRERY_PROPERTY_AT_START ? "start"
                                                           : "always");
}

static void
add_property (GVariantBuilder *dict, const OrreryClass *klass, GParamSpec *pspec)
{
  OrreryNode *preset = find_preset (klass, pspec);
  g_autoptr (GVariant) value =
      preset != NULL ? orrery_node_to_variant (preset)
                     : orrery_param_to_variant (pspec, g_param_spec_get_default_value (pspec));

  g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_add_text (dict, "name", orrery_param_get_name (pspec));
  orrery_dict_add_text (dict, "property", pspec->name);
  orrery_dict_add_text (dict, "type", orrery_param_get_type_name (pspec));
  add_range (dict, pspec);
  add_read (dict, orrery_param_get_rule (pspec)->flags);
  g_variant_builder_add (dict, "{sv}", "default", value);
  orrery_dict_add_text (dict, "words", g_param_spec_get_blurb (pspec));
  g_variant_builder_close (dict);
}

static void
add_properties (GVariantBuilder *dict, const char *key, const OrreryClass *klass,
                gpointer type_class)
{
  guint n;
  g_autofree GParamSpec **pspecs = orrery_part_class_list_options (type_class, &n);

  orrery_dict_open_list (dict, key, "aa{sv}");
  for (guint i = 0; i < n; i++)
    add_property (dict, klass, pspecs[i]);
  orrery_dict_close_list (dict);
}

/* What each stream of a manager may say. */
static void
add_stream_options (GVariantBuilder *dict, const OrreryClass *klass, gpointer type_class)
{
  GType type;
  g_autoptr (GTypeClass) options = NULL;

  if (!ORRERY_IS_DATASTREAM_MANAGER_CLASS (type_class))
    return;
  type = ((OrreryDatastreamManagerClass *) type_class)->stream_options;
  options = g_type_class_ref (type != 0 ? type : ORRERY_TYPE_STREAM_OPTIONS);
  add_properties (dict, "stream_options", klass, options);
}

/* --- services and methods --- */

static void
add_arguments (GVariantBuilder *dict, GPtrArray *arguments)
{
  orrery_dict_open_list (dict, "arguments", "aa{sv}");
  for (guint i = 0; i < arguments->len; i++) {
    const OrreryArgument *argument = arguments->pdata[i];
    g_autofree char *type = g_variant_type_dup_string (argument->type);

    g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (dict, "name", argument->name);
    orrery_dict_add_text (dict, "type", type);
    if (argument->fallback != NULL)
      g_variant_builder_add (dict, "{sv}", "default", argument->fallback);
    g_variant_builder_close (dict);
  }
  orrery_dict_close_list (dict);
}

static gboolean
add_service (GVariantBuilder *dict, const OrreryService *service, GError **error)
{
  g_autoptr (GPtrArray) arguments = orrery_signature_parse (service->signature, error);
  gboolean is_long = (service->flags & (ORRERY_SERVICE_LONG | ORRERY_SERVICE_CONCURRENT)) != 0;

  if (arguments == NULL)
    return orrery_prefix_error (error, "service %s: ", service->name);
  g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_add_text (dict, "name", service->name);
  orrery_dict_add_text (dict, "kind", is_long ? "long" : "immediate");
  g_variant_builder_add (dict, "{sv}", "interruptible",
                         g_variant_new_boolean ((service->flags & ORRERY_SERVICE_INTERRUPTIBLE) !=
                                                0));
  if ((service->flags & ORRERY_SERVICE_RESTRICTED) != 0)
    g_variant_builder_add (dict, "{sv}", "restricted", g_variant_new_boolean (TRUE));
  add_arguments (dict, arguments);
  orrery_dict_add_text (dict, "words", service->words);
  g_variant_builder_close (dict);
  return TRUE;
}

gboolean
orrery_describe_services (GVariantBuilder *dict, gpointer type_class, GError **error)
{
  GPtrArray *services = orrery_part_class_get_services (type_class);

  orrery_dict_open_list (dict, "services", "aa{sv}");
  for (guint i = 0; services != NULL && i < services->len; i++)
    if (!add_service (dict, services->pdata[i], error))
      return FALSE;
  orrery_dict_close_list (dict);
  return TRUE;
}

static void
add_methods (GVariantBuilder *dict, gpointer type_class)
{
  OrreryModifierClass *modifier;

  if (!ORRERY_IS_MODIFIER_CLASS (type_class))
    return;
  modifier = type_class;
  orrery_dict_open_list (dict, "methods", "aa{sv}");
  for (guint i = 0; i < modifier->n_methods; i++) {
    g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (dict, "name", modifier->methods[i].name);
    orrery_dict_add_text (dict, "words", modifier->methods[i].words);
    g_variant_builder_close (dict);
  }
  orrery_dict_close_list (dict);
}

static gboolean
describe_type (GVariantBuilder *dict, const OrreryClass *klass, GError **error)
{
  GType type = orrery_class_get_type (klass, error);
  g_autoptr (GTypeClass) type_class = NULL;

  if (type == G_TYPE_INVALID)
    return FALSE;
  type_class = g_type_class_ref (type);
  add_fields (dict, type_class);
  add_properties (dict, "properties", klass, type_class);
  add_stream_options (dict, klass, type_class);
  if (!orrery_describe_services (dict, type_class, error))
    return orrery_prefix_error (error, "%s: ", klass->classpath);
  add_methods (dict, type_class);
  return TRUE;
}

static gboolean
describe_class (OrreryRegistry *registry, GVariantBuilder *dict, const char *classpath,
                GError **error)
{
  const OrreryClass *klass = orrery_registry_find_class (registry, classpath, error);

  if (klass == NULL)
    return FALSE;
  g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
  orrery_describe_class (dict, klass);
  if (!describe_type (dict, klass, error))
    return FALSE;
  g_variant_builder_close (dict);
  return TRUE;
}

char *
orrery_registry_describe (OrreryRegistry *registry, const char *const *classpaths, GError **error)
{
  GVariantBuilder dict;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (classpaths != NULL, NULL);

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&dict, "{sv}", "orrery", g_variant_new_int32 (1));
  orrery_dict_open_list (&dict, "classes", "aa{sv}");
  for (guint i = 0; classpaths[i] != NULL; i++) {
    if (!describe_class (registry, &dict, classpaths[i], error)) {
      g_variant_builder_clear (&dict);
      return NULL;
    }
  }
  orrery_dict_close_list (&dict);
  return orrery_dict_to_json (&dict);
}
