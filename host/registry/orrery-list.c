/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers the classes of all plugins on the search path. */
#include "base/orrery-hash-private.h"
#include "registry/orrery-json-class-private.h"
#include "registry/orrery-list-private.h"
#include "registry/orrery-trust-private.h"

#include <string.h>

static void
listed_class_free (gpointer data)
{
  OrreryListedClass *klass = data;

  g_free (klass->classpath);
  g_free (klass);
}

static void
listed_module_clear (gpointer data)
{
  g_clear_pointer (&((OrreryListedModule *) data)->node, orrery_node_unref);
}

static void
listed_error_clear (gpointer data)
{
  OrreryListedError *error = data;

  g_free (error->file);
  g_free (error->message);
}

void
orrery_list_free (OrreryList *list)
{
  if (list == NULL)
    return;
  g_hash_table_unref (list->by_classpath);
  g_ptr_array_unref (list->classes);
  g_array_unref (list->modules);
  g_array_unref (list->errors);
  g_ptr_array_unref (list->places);
  g_free (list);
}

void
orrery_list_add_error (OrreryList *list, const char *file, const char *format, ...)
{
  OrreryListedError error = { g_strdup (file), NULL };
  va_list arguments;

  va_start (arguments, format);
  error.message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_array_append_val (list->errors, error);
}

/* --- modules --- */

/* The file is listed beside the message, so the message need not repeat it. */
static const char *
skip_file (const char *message, const char *file)
{
  gsize length = strlen (file);

  return g_str_has_prefix (message, file) && g_str_has_prefix (message + length, ": ")
             ? message + length + 2
             : message;
}

/* Opens the modules of one kind in children. */
static void
inspect_modules (OrreryList *list, GArray *modules, OrreryModuleKind kind)
{
  g_autofree OrreryInspection *inspections = g_new0 (OrreryInspection, modules->len + 1);
  g_autoptr (GPtrArray) inspected = g_ptr_array_new ();
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < modules->len; i++) {
    OrreryListedModule *module = &g_array_index (modules, OrreryListedModule, i);
    g_autoptr (GError) error = NULL;
    char *file;

    if (module->place->kind != kind)
      continue;
    file = orrery_trust_check_file (module->place->directory, module->place->file, &error);
    if (file == NULL) {
      orrery_list_add_error (list, module->place->file, "%s", error->message);
      continue;
    }
    inspections[inspected->len].module = module->place->module;
    inspections[inspected->len].file = kind == ORRERY_MODULE_PY ? module->place->file : file;
    g_ptr_array_add (inspected, module);
    g_ptr_array_add (files, file);
  }
  orrery_inspect_files (inspections, inspected->len, kind == ORRERY_MODULE_PY);
  for (guint i = 0; i < inspected->len; i++) {
    OrreryListedModule *module = inspected->pdata[i];

    module->node = g_steal_pointer (&inspections[i].description);
    module->is_usable = module->node != NULL;
    if (inspections[i].error != NULL)
      orrery_list_add_error (list, module->place->file, "%s",
                             skip_file (inspections[i].error, inspections[i].file));
    orrery_inspection_clear (&inspections[i]);
  }
}

static void
load_json_module (OrreryList *list, OrreryListedModule *module)
{
  const OrreryModulePlace *place = module->place;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = orrery_trust_check_file (place->directory, place->file, &error);

  if (file != NULL)
    module->node = orrery_json_classes_load (file, &error);
  module->is_usable = module->node != NULL;
  if (error != NULL)
    orrery_list_add_error (list, place->file, "%s", error->message);
}

static void
add_modules (OrreryList *list)
{
  g_array_set_size (list->modules, list->places->len);
  for (guint i = 0; i < list->places->len; i++)
    g_array_index (list->modules, OrreryListedModule, i).place = list->places->pdata[i];
  inspect_modules (list, list->modules, ORRERY_MODULE_SO);
  inspect_modules (list, list->modules, ORRERY_MODULE_PY);
  for (guint i = 0; i < list->modules->len; i++) {
    OrreryListedModule *module = &g_array_index (list->modules, OrreryListedModule, i);

    if (module->place->kind == ORRERY_MODULE_JSON)
      load_json_module (list, module);
  }
}

/* --- classes --- */

static void
add_class (OrreryList *list, const OrreryListedModule *module, const char *classpath,
           OrreryNode *node)
{
  OrreryListedClass *klass = g_new0 (OrreryListedClass, 1);

  klass->module = module;
  klass->classpath = g_strdup (classpath);
  klass->node = node;
  klass->root = module->place->kind != ORRERY_MODULE_JSON ? klass : NULL;
  g_ptr_array_add (list->classes, klass);
}

/* Claims the types of a module. FALSE: one of them belongs to a module that comes first. */
static gboolean
owns_types (OrreryList *list, GHashTable *owners, OrreryListedModule *module)
{
  OrreryNode *classes = orrery_node_find (module->node, "classes");

  for (guint i = 0; i < orrery_node_get_length (classes); i++) {
    OrreryNode *node = orrery_node_get_item (classes, i);
    const char *type = orrery_node_get_text (orrery_node_find (node, "type"));
    OrreryListedModule *owner = g_hash_table_lookup (owners, type);

    if (owner != NULL && owner != module) {
      orrery_list_add_error (list, module->place->file, "the type name %s is used by %s", type,
                             owner->place->file);
      return FALSE;
    }
  }
  for (guint i = 0; i < orrery_node_get_length (classes); i++) {
    OrreryNode *node = orrery_node_get_item (classes, i);

    g_hash_table_insert (owners, (gpointer) orrery_node_get_text (orrery_node_find (node, "type")),
                         module);
  }
  return TRUE;
}

static void
add_object_classes (OrreryList *list, GHashTable *owners, OrreryListedModule *module)
{
  OrreryNode *classes = orrery_node_find (module->node, "classes");

  /* Python makes up the names of its types, which are unique. */
  module->is_usable = module->place->kind == ORRERY_MODULE_PY || owns_types (list, owners, module);
  for (guint i = 0; module->is_usable && i < orrery_node_get_length (classes); i++) {
    OrreryNode *node = orrery_node_get_item (classes, i);

    add_class (list, module, orrery_node_get_text (orrery_node_find (node, "classpath")), node);
  }
}

static void
add_json_classes (OrreryList *list, OrreryListedModule *module)
{
  OrreryNode *classes = orrery_json_classes_get (module->node);

  for (guint i = 0; i < orrery_node_get_length (classes); i++) {
    g_autofree char *classpath =
        g_strconcat (module->place->module, ".", orrery_node_get_key (classes, i), NULL);

    add_class (list, module, classpath, orrery_node_get_item (classes, i));
  }
}

static void
add_classes (OrreryList *list)
{
  g_autoptr (GHashTable) owners = g_hash_table_new (orrery_text_hash, g_str_equal);

  for (guint i = 0; i < list->modules->len; i++) {
    OrreryListedModule *module = &g_array_index (list->modules, OrreryListedModule, i);

    if (!module->is_usable)
      continue;
    if (module->place->kind == ORRERY_MODULE_JSON)
      add_json_classes (list, module);
    else
      add_object_classes (list, owners, module);
  }
}

/* A class of a family is hidden by a file that its classpath leads to first, whatever that file
 * contains. */
static void
mark_shadowed (OrreryList *list)
{
  g_autoptr (GHashTable) modules = g_hash_table_new (orrery_text_hash, g_str_equal);

  for (guint i = 0; i < list->places->len; i++)
    g_hash_table_add (modules, ((OrreryModulePlace *) list->places->pdata[i])->module);
  for (guint i = 0; i < list->classes->len; i++) {
    OrreryListedClass *klass = list->classes->pdata[i];
    g_autofree char *path = g_strdup (klass->classpath);
    gsize own = strlen (klass->module->place->module);

    for (char *dot = strrchr (path, '.'); dot > path + own; dot = strrchr (path, '.')) {
      *dot = '\0';
      klass->is_shadowed = klass->is_shadowed || g_hash_table_contains (modules, path);
    }
    if (!klass->is_shadowed)
      g_hash_table_insert (list->by_classpath, klass->classpath, klass);
  }
}

const char **
orrery_list_get_classpaths (OrreryList *list)
{
  const char **names = g_new0 (const char *, list->classes->len + 1);

  for (guint i = 0; i < list->classes->len; i++)
    names[i] = ((OrreryListedClass *) list->classes->pdata[i])->classpath;
  return names;
}

/* --- bases of JSON classes --- */

static const OrreryListedClass *
find_base (OrreryList *list, const OrreryListedClass *klass)
{
  const char *base = orrery_node_get_text (orrery_node_find (klass->node, "base"));
  g_autofree char *classpath = orrery_classpath_read (base, NULL);

  return g_hash_table_lookup (list->by_classpath, classpath);
}

static void
check_level (OrreryList *list, OrreryListedClass *klass)
{
  OrreryNode *level = orrery_node_find (klass->node, "level");
  OrreryNode *levels = orrery_node_find (klass->root->node, "levels");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; level != NULL && i < orrery_node_get_length (levels); i++) {
    OrreryNode *name = orrery_node_find (orrery_node_get_item (levels, i), "name");

    if (g_str_equal (orrery_node_get_text (name), orrery_node_get_text (level)))
      return;
  }
  if (level == NULL)
    return;
  error = orrery_node_error (level, ORRERY_ERROR_CONFIG, "%s has no level '%s'",
                             klass->base->classpath, orrery_node_get_text (level));
  orrery_list_add_error (list, klass->module->place->file, "%s", error->message);
  klass->root = NULL;
}

static void
set_no_base (OrreryList *list, OrreryListedClass *klass)
{
  OrreryNode *base = orrery_node_find (klass->node, "base");
  g_autofree const char **known = orrery_list_get_classpaths (list);
  g_autofree char *nearest = orrery_nearest_names (orrery_node_get_text (base), known);
  g_autoptr (GError) error = NULL;

  error = orrery_node_error (base, ORRERY_ERROR_NOT_FOUND, "class %s is based on no class%s",
                             klass->classpath, nearest);
  orrery_list_add_error (list, klass->module->place->file, "%s", error->message);
}

/* A chain of bases longer than the number of classes is a cycle. */
static void
resolve_base (OrreryList *list, OrreryListedClass *klass)
{
  const OrreryListedClass *each = klass;

  klass->base = find_base (list, klass);
  for (guint i = 0; i <= list->classes->len && each != NULL && each->root != each; i++)
    each = find_base (list, each);
  if (each == NULL) {
    if (klass->base == NULL)
      set_no_base (list, klass);
    return;
  }
  if (each->root != each) {
    orrery_list_add_error (list, klass->module->place->file, "the bases of %s never come to an end",
                           klass->classpath);
    return;
  }
  klass->root = each;
  check_level (list, klass);
}

static void
resolve_bases (OrreryList *list)
{
  for (guint i = 0; i < list->classes->len; i++) {
    OrreryListedClass *klass = list->classes->pdata[i];

    if (klass->module->place->kind == ORRERY_MODULE_JSON)
      resolve_base (list, klass);
  }
}

OrreryList *
orrery_list_new (GPtrArray *places)
{
  OrreryList *list = g_new0 (OrreryList, 1);

  list->places = places;
  list->modules = g_array_new (FALSE, TRUE, sizeof (OrreryListedModule));
  g_array_set_clear_func (list->modules, listed_module_clear);
  list->classes = g_ptr_array_new_with_free_func (listed_class_free);
  list->by_classpath = g_hash_table_new (orrery_text_hash, g_str_equal);
  list->errors = g_array_new (FALSE, FALSE, sizeof (OrreryListedError));
  g_array_set_clear_func (list->errors, listed_error_clear);
  add_modules (list);
  add_classes (list);
  mark_shadowed (list);
  resolve_bases (list);
  return list;
}
