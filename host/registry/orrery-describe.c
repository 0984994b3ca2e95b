/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a module and its classes as JSON. */
#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "registry/orrery-describe-private.h"
#include "registry/orrery-json-class-private.h"
#include "registry/orrery-loader.h"
#include "registry/orrery-python-private.h"

#include <string.h>

void
orrery_dict_add_text (GVariantBuilder *dict, const char *key, const char *text)
{
  if (text != NULL)
    g_variant_builder_add (dict, "{sv}", key, g_variant_new_string (text));
}

void
orrery_dict_open_list (GVariantBuilder *dict, const char *key, const char *type)
{
  g_variant_builder_open (dict, G_VARIANT_TYPE ("{sv}"));
  g_variant_builder_add (dict, "s", key);
  g_variant_builder_open (dict, G_VARIANT_TYPE_VARIANT);
  g_variant_builder_open (dict, G_VARIANT_TYPE (type));
}

void
orrery_dict_close_list (GVariantBuilder *dict)
{
  g_variant_builder_close (dict);
  g_variant_builder_close (dict);
  g_variant_builder_close (dict);
}

char *
orrery_dict_to_json (GVariantBuilder *dict)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_builder_end (dict));
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;
  gsize length;

  orrery_writer_append_json_variant (writer, value);
  data = orrery_writer_get_data (writer, &length);
  return g_strndup (data, length);
}

static void
add_classpath (GVariantBuilder *dict, const char *key, const char *classpath)
{
  g_autofree char *full = classpath != NULL ? orrery_classpath_read (classpath, NULL) : NULL;

  orrery_dict_add_text (dict, key, full);
}

/* Returns Hz, or 0 if the class states none and its role has no default. */
static double
get_frequency (const OrreryClassDesc *desc)
{
  if (desc->frequency > 0)
    return desc->frequency;
  if (desc->role == ORRERY_ROLE_SENSOR || desc->role == ORRERY_ROLE_ACTUATOR)
    return ORRERY_DEFAULT_FREQUENCY;
  return 0;
}

/* @chosen: the default level; NULL: that of the descriptor */
static void
add_levels (GVariantBuilder *dict, const char *module, const OrreryClassDesc *desc,
            const char *chosen)
{
  if (chosen == NULL && desc->levels != NULL)
    chosen = desc->levels[orrery_class_desc_get_default_level (desc)].name;
  orrery_dict_open_list (dict, "levels", "aa{sv}");
  for (const OrreryLevel *level = desc->levels; level != NULL && level->name != NULL; level++) {
    const char *name = level->class_name != NULL ? level->class_name : desc->name;
    g_autofree char *classpath = g_strconcat (module, ".", name, NULL);

    g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (dict, "name", level->name);
    orrery_dict_add_text (dict, "classpath", classpath);
    g_variant_builder_add (dict, "{sv}", "default",
                           g_variant_new_boolean (g_str_equal (level->name, chosen)));
    g_variant_builder_close (dict);
  }
  orrery_dict_close_list (dict);
}

static void
add_aliases (GVariantBuilder *dict, const OrreryAlias *aliases)
{
  orrery_dict_open_list (dict, "aliases", "aa{sv}");
  for (const OrreryAlias *alias = aliases; alias != NULL && alias->name != NULL; alias++) {
    g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (dict, "alias", alias->name);
    add_classpath (dict, "component", alias->component);
    orrery_dict_add_text (dict, "level", alias->level);
    g_variant_builder_close (dict);
  }
  orrery_dict_close_list (dict);
}

static void
add_json_aliases (GVariantBuilder *dict, OrreryNode *aliases)
{
  orrery_dict_open_list (dict, "aliases", "aa{sv}");
  for (guint i = 0; aliases != NULL && i < orrery_node_get_length (aliases); i++) {
    g_autoptr (GVariant) alias = orrery_node_to_variant (orrery_node_get_item (aliases, i));

    g_variant_builder_add_value (dict, alias);
  }
  orrery_dict_close_list (dict);
}

static void
add_basics (GVariantBuilder *dict, const char *classpath, const OrreryClassDesc *desc,
            double frequency)
{
  orrery_dict_add_text (dict, "classpath", classpath);
  orrery_dict_add_text (dict, "role", orrery_role_get_name (desc->role));
  orrery_dict_add_text (dict, "type", desc->type_name);
  if (frequency > 0)
    g_variant_builder_add (dict, "{sv}", "frequency", g_variant_new_double (frequency));
  g_variant_builder_add (dict, "{sv}", "thread_safe",
                         g_variant_new_boolean (desc->thread_safe != FALSE));
}

static void
add_streams (GVariantBuilder *dict, const OrreryClassDesc *desc)
{
  orrery_dict_add_text (dict, "direction", desc->direction);
  orrery_dict_add_text (dict, "stream", desc->stream);
  add_classpath (dict, "publisher", desc->publisher);
  add_classpath (dict, "reader", desc->reader);
  orrery_dict_add_text (dict, "encoding", desc->encoding);
}

static void
describe_desc (GVariantBuilder *dict, const char *module, const OrreryClassDesc *desc)
{
  g_autofree char *classpath = g_strconcat (module, ".", desc->name, NULL);

  add_basics (dict, classpath, desc, get_frequency (desc));
  add_levels (dict, module, desc, NULL);
  add_aliases (dict, desc->aliases);
  add_streams (dict, desc);
}

static double
get_json_frequency (const OrreryClass *klass)
{
  for (; klass->node != NULL; klass = klass->base) {
    OrreryNode *frequency = orrery_node_find (klass->node, "frequency");

    if (frequency != NULL)
      return orrery_node_get_double (frequency);
  }
  return get_frequency (klass->desc);
}

/* Returns: (nullable): the value of a property that a JSON class or the nearest of its bases gives
 */
static OrreryNode *
find_property (const OrreryClass *klass, const char *name)
{
  OrreryNode *found = NULL;

  for (; klass->node != NULL && found == NULL; klass = klass->base)
    found = orrery_json_class_find_property (klass->node, name);
  return found;
}

static void
describe_json_class (GVariantBuilder *dict, const OrreryClass *klass)
{
  const OrreryClass *root = klass;

  while (root->base != NULL)
    root = root->base;
  add_basics (dict, klass->classpath, klass->desc, get_json_frequency (klass));
  orrery_dict_add_text (dict, "base", klass->base->classpath);
  add_levels (dict, root->module, klass->desc, orrery_class_get_json_level (klass));
  add_json_aliases (dict, orrery_node_find (klass->node, "aliases"));
  add_streams (dict, klass->desc);
  if (klass->desc->role == ORRERY_ROLE_DATASTREAM)
    orrery_json_class_add_messages (dict, find_property (klass, "messages"),
                                    find_property (klass, "type"));
}

void
orrery_describe_class (GVariantBuilder *dict, const OrreryClass *klass)
{
  orrery_dict_add_text (dict, "module", klass->module);
  orrery_dict_add_text (dict, "file", klass->file);
  if (klass->node == NULL)
    describe_desc (dict, klass->module, klass->desc);
  else
    describe_json_class (dict, klass);
}

static void
describe_descriptor (GVariantBuilder *dict, const char *module, const OrreryDescriptor *descriptor)
{
  orrery_dict_add_text (dict, "summary", descriptor->summary);
  orrery_dict_add_text (dict, "licence", descriptor->licence);
  if (descriptor->abi_major > 0)
    g_variant_builder_add (dict, "{sv}", "abi",
                           g_variant_new_parsed ("[%u, %u]", descriptor->abi_major,
                                                 descriptor->abi_minor));
  orrery_dict_open_list (dict, "classes", "aa{sv}");
  for (guint i = 0; i < descriptor->n_classes; i++) {
    g_variant_builder_open (dict, G_VARIANT_TYPE_VARDICT);
    describe_desc (dict, module, &descriptor->classes[i]);
    g_variant_builder_close (dict);
  }
  orrery_dict_close_list (dict);
}

static OrreryModule *
open_python (const char *module, const char *file, GError **error)
{
  if (orrery_loader_get_default () != NULL)
    return orrery_python_open (module, file, error);
  return orrery_set_error_null (error, ORRERY_ERROR_PLUGIN, "no Python in this process");
}

static void
inspect_python (GVariantBuilder *dict, const char *module, const char *file, GError **error)
{
  g_autoptr (OrreryModule) opened = open_python (module, file, error);

  if (opened == NULL)
    return;
  describe_descriptor (dict, module, opened->descriptor);
  if (opened->undeclared != NULL && opened->undeclared[0] != NULL)
    g_variant_builder_add (dict, "{sv}", "undeclared",
                           g_variant_new_strv ((const char *const *) opened->undeclared, -1));
}

static void
inspect_object (GVariantBuilder *dict, const char *module, const char *file, GError **error)
{
  g_autoptr (OrreryDescriptor) descriptor = orrery_module_inspect (file, error);

  if (descriptor != NULL)
    describe_descriptor (dict, module, descriptor);
}

char *
orrery_inspect_module (const char *module, const char *file)
{
  g_autoptr (GError) error = NULL;
  GVariantBuilder dict;

  g_return_val_if_fail (module != NULL && file != NULL, NULL);

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  if (g_str_has_suffix (file, ".py"))
    inspect_python (&dict, module, file, &error);
  else
    inspect_object (&dict, module, file, &error);
  if (error != NULL)
    orrery_dict_add_text (&dict, "error", error->message);
  return orrery_dict_to_json (&dict);
}
