/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the list of all plugins as JSON. */
#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "registry/orrery-json-class-private.h"
#include "registry/orrery-list-private.h"
#include "registry/orrery-trust-private.h"

#include <string.h>

typedef struct {
  OrreryList *list;
  GVariantBuilder *dict;
  GHashTable
      *offers; /* (element-type utf8 OrreryListedModule): the first module to offer each alias */
} Writer;

static void
copy_item (GVariantBuilder *dict, OrreryNode *node, const char *key)
{
  OrreryNode *item = orrery_node_find (node, key);
  g_autoptr (GVariant) value = item != NULL ? orrery_node_to_variant (item) : NULL;

  if (value != NULL)
    g_variant_builder_add (dict, "{sv}", key, value);
}

static const char *
find_text (OrreryNode *node, const char *key)
{
  OrreryNode *item = orrery_node_find (node, key);

  return item != NULL ? orrery_node_get_text (item) : "";
}

/* --- aliases --- */

/* Returns whether another module offers the alias and comes first. */
static gboolean
is_taken (Writer *writer, const OrreryListedClass *klass, OrreryNode *alias)
{
  const OrreryModulePlace *place = klass->module->place;
  g_autofree char *key =
      g_strjoin ("\n", find_text (klass->root->node, "role"), find_text (alias, "alias"),
                 find_text (alias, "component"), find_text (alias, "level"), NULL);
  const OrreryListedModule *first = g_hash_table_lookup (writer->offers, key);

  if (first == NULL)
    g_hash_table_insert (writer->offers, g_steal_pointer (&key), (gpointer) klass->module);
  if (first == NULL || first == klass->module)
    return FALSE;
  if (g_str_equal (first->place->directory, place->directory))
    orrery_list_add_error (writer->list, place->file,
                           "the alias %s of %s is offered by %s, too, in the same directory",
                           find_text (alias, "alias"), find_text (alias, "component"),
                           first->place->file);
  return TRUE;
}

static void
add_aliases (Writer *writer, const OrreryListedClass *klass)
{
  OrreryNode *aliases = orrery_node_find (klass->node, "aliases");

  orrery_dict_open_list (writer->dict, "aliases", "aa{sv}");
  for (guint i = 0; aliases != NULL && i < orrery_node_get_length (aliases); i++) {
    OrreryNode *alias = orrery_node_get_item (aliases, i);

    g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
    copy_item (writer->dict, alias, "alias");
    copy_item (writer->dict, alias, "component");
    copy_item (writer->dict, alias, "level");
    if (is_taken (writer, klass, alias))
      g_variant_builder_add (writer->dict, "{sv}", "shadowed", g_variant_new_boolean (TRUE));
    g_variant_builder_close (writer->dict);
  }
  orrery_dict_close_list (writer->dict);
}

/* --- classes --- */

/* The value of @key in a JSON class, or in the nearest of its bases that has one. */
static OrreryNode *
find_inherited (const OrreryListedClass *klass, const char *key)
{
  for (; klass != klass->root; klass = klass->base) {
    OrreryNode *node = orrery_node_find (klass->node, key);

    if (node != NULL)
      return node;
  }
  return orrery_node_find (klass->node, key);
}

static void
add_levels (Writer *writer, const OrreryListedClass *klass)
{
  OrreryNode *levels = orrery_node_find (klass->root->node, "levels");
  OrreryNode *chosen = find_inherited (klass, "level");

  orrery_dict_open_list (writer->dict, "levels", "aa{sv}");
  for (guint i = 0; i < orrery_node_get_length (levels); i++) {
    OrreryNode *level = orrery_node_get_item (levels, i);
    gboolean is_default = orrery_node_get_bool (orrery_node_find (level, "default"));

    if (chosen != NULL)
      is_default = g_str_equal (find_text (level, "name"), orrery_node_get_text (chosen));
    g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
    copy_item (writer->dict, level, "name");
    copy_item (writer->dict, level, "classpath");
    g_variant_builder_add (writer->dict, "{sv}", "default", g_variant_new_boolean (is_default));
    g_variant_builder_close (writer->dict);
  }
  orrery_dict_close_list (writer->dict);
}

static void
add_frequency (Writer *writer, const OrreryListedClass *klass)
{
  OrreryNode *frequency = find_inherited (klass, "frequency");

  if (frequency != NULL)
    g_variant_builder_add (writer->dict, "{sv}", "frequency",
                           g_variant_new_double (orrery_node_get_double (frequency)));
}

/* The value of a property that a JSON class, or the nearest of its bases, gives to it. */
static OrreryNode *
find_property (const OrreryListedClass *klass, const char *name)
{
  OrreryNode *found = NULL;

  for (; klass != klass->root && found == NULL; klass = klass->base)
    found = orrery_json_class_find_property (klass->node, name);
  return found;
}

static void
write_class (Writer *writer, const OrreryListedClass *klass)
{
  OrreryNode *root = klass->root->node;

  g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_add_text (writer->dict, "classpath", klass->classpath);
  copy_item (writer->dict, root, "role");
  copy_item (writer->dict, root, "type");
  add_frequency (writer, klass);
  copy_item (writer->dict, root, "thread_safe");
  if (klass->base != NULL) {
    orrery_dict_add_text (writer->dict, "base", klass->base->classpath);
    copy_item (writer->dict, klass->node, "name");
    copy_item (writer->dict, klass->node, "properties");
    copy_item (writer->dict, klass->node, "position");
    copy_item (writer->dict, klass->node, "rotation");
    copy_item (writer->dict, klass->node, "body");
  }
  add_levels (writer, klass);
  add_aliases (writer, klass);
  copy_item (writer->dict, root, "direction");
  copy_item (writer->dict, root, "stream");
  copy_item (writer->dict, root, "publisher");
  copy_item (writer->dict, root, "reader");
  copy_item (writer->dict, root, "encoding");
  if (g_str_equal (find_text (root, "role"), "datastream"))
    orrery_json_class_add_messages (writer->dict, find_property (klass, "messages"),
                                    find_property (klass, "type"));
  if (klass->is_shadowed)
    g_variant_builder_add (writer->dict, "{sv}", "shadowed", g_variant_new_boolean (TRUE));
  g_variant_builder_close (writer->dict);
}

static void
write_module (Writer *writer, const OrreryListedModule *module)
{
  const OrreryModulePlace *place = module->place;

  g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
  orrery_dict_add_text (writer->dict, "module", place->module);
  orrery_dict_add_text (writer->dict, "file", place->file);
  orrery_dict_add_text (writer->dict, "kind", orrery_module_kind_get_name (place->kind));
  if (module->node != NULL) {
    copy_item (writer->dict, module->node, "summary");
    copy_item (writer->dict, module->node, "licence");
    copy_item (writer->dict, module->node, "abi");
    copy_item (writer->dict, module->node, "undeclared");
  }
  orrery_dict_open_list (writer->dict, "classes", "aa{sv}");
  for (guint i = 0; i < writer->list->classes->len; i++) {
    const OrreryListedClass *klass = writer->list->classes->pdata[i];

    if (klass->module == module && klass->root != NULL)
      write_class (writer, klass);
  }
  orrery_dict_close_list (writer->dict);
  g_variant_builder_close (writer->dict);
}

static void
write_modules (Writer *writer)
{
  orrery_dict_open_list (writer->dict, "modules", "aa{sv}");
  for (guint i = 0; i < writer->list->modules->len; i++) {
    const OrreryListedModule *module =
        &g_array_index (writer->list->modules, OrreryListedModule, i);

    if (module->is_usable)
      write_module (writer, module);
  }
  orrery_dict_close_list (writer->dict);
}

static void
write_hidden (Writer *writer, GPtrArray *hidden)
{
  orrery_dict_open_list (writer->dict, "shadowed", "aa{sv}");
  for (guint i = 0; i < hidden->len; i++) {
    const OrreryModulePlace *place = hidden->pdata[i];

    g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (writer->dict, "module", place->module);
    orrery_dict_add_text (writer->dict, "file", place->file);
    g_variant_builder_close (writer->dict);
  }
  orrery_dict_close_list (writer->dict);
}

static void
write_environments (Writer *writer, const char *const *directories)
{
  g_autoptr (GPtrArray) names = orrery_environments_list (directories);

  orrery_dict_open_list (writer->dict, "environments", "as");
  for (guint i = 0; i < names->len; i++)
    g_variant_builder_add (writer->dict, "s", names->pdata[i]);
  orrery_dict_close_list (writer->dict);
}

/* --- all --- */

static void
write_errors (Writer *writer)
{
  orrery_dict_open_list (writer->dict, "errors", "aa{sv}");
  for (guint i = 0; i < writer->list->errors->len; i++) {
    const OrreryListedError *error = &g_array_index (writer->list->errors, OrreryListedError, i);

    g_variant_builder_open (writer->dict, G_VARIANT_TYPE_VARDICT);
    orrery_dict_add_text (writer->dict, "file", error->file);
    orrery_dict_add_text (writer->dict, "message", error->message);
    g_variant_builder_close (writer->dict);
  }
  orrery_dict_close_list (writer->dict);
}

static void
write_directories (Writer *writer, const char *const *directories)
{
  orrery_dict_open_list (writer->dict, "directories", "as");
  for (guint i = 0; directories[i] != NULL; i++)
    g_variant_builder_add (writer->dict, "s", directories[i]);
  orrery_dict_close_list (writer->dict);
}

char *
orrery_registry_list (OrreryRegistry *registry)
{
  g_autoptr (GPtrArray) hidden =
      g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_module_place_free);
  g_autoptr (OrreryList) list = NULL;
  g_autoptr (GHashTable) offers = NULL;
  const char *const *directories;
  GVariantBuilder dict;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);

  directories = orrery_registry_get_directories (registry);
  list = orrery_list_new (orrery_classpath_walk (directories, hidden));
  offers = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
  Writer writer = { list, &dict, offers };

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&dict, "{sv}", "orrery", g_variant_new_int32 (1));
  write_directories (&writer, directories);
  write_modules (&writer);
  write_hidden (&writer, hidden);
  write_environments (&writer, directories);
  /* Written last, because the aliases may have added errors. */
  write_errors (&writer);
  return orrery_dict_to_json (&dict);
}

/* --- the nearest names --- */

static void
keep_near (GPtrArray *places, const char *name, GHashTable *kept)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_auto (GStrv) found = NULL;

  for (guint i = 0; i < places->len; i++)
    g_ptr_array_add (names, ((OrreryModulePlace *) places->pdata[i])->module);
  g_ptr_array_add (names, NULL);
  found = orrery_find_near_names (name, (const char *const *) names->pdata);
  for (guint i = 0; found[i] != NULL; i++)
    g_hash_table_add (kept, g_strdup (found[i]));
}

/* Modules are selected by name; only similar ones are opened, in a child process. */
char *
orrery_registry_get_nearest (OrreryRegistry *registry, const char *classpath)
{
  GPtrArray *places = orrery_classpath_walk (orrery_registry_get_directories (registry), NULL);
  g_autoptr (GHashTable) kept = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
  g_autofree char *module = g_strdup (classpath);
  g_autofree const char **names = NULL;
  g_autoptr (OrreryList) list = NULL;

  *strrchr (module, '.') = '\0';
  keep_near (places, module, kept);
  keep_near (places, classpath, kept);
  for (guint i = places->len; i-- > 0;)
    if (!g_hash_table_contains (kept, ((OrreryModulePlace *) places->pdata[i])->module))
      g_ptr_array_remove_index (places, i);
  list = orrery_list_new (places);
  names = orrery_list_get_classpaths (list);
  return orrery_nearest_names (classpath, names);
}
