/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds classes by classpath and makes parts of them. */
#include "base/orrery-calling-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-hash-private.h"
#include "registry/orrery-json-class-private.h"
#include "registry/orrery-loader.h"
#include "registry/orrery-package-private.h"
#include "registry/orrery-prefix-private.h"
#include "registry/orrery-python-private.h"
#include "registry/orrery-registry-private.h"
#include "registry/orrery-trust-private.h"
#include "roles/orrery-role-private.h"
#include "roles/orrery-stand-in-private.h"

#include <string.h>

/* A longer chain of JSON classes is an error. */
#define MAX_BASES 32

struct _OrreryRegistry {
  GObject parent_instance;
  GPtrArray *directories; /* (element-type utf8), ended by NULL */
  guint n_added;
  GHashTable *classes; /* (element-type utf8 OrreryClassEntry): by classpath, or classpath@level */
  GHashTable *documents; /* (element-type utf8 OrreryNode): JSON files by real path */
  GPtrArray *resolving;  /* (element-type utf8): JSON classes whose base is being looked up */
  GHashTable *python;    /* (element-type utf8 OrreryModule): modules in Python by their paths */
  char **python_path;    /* without a loader: the search path of Python; NULL: not asked for yet */
  gboolean needs_python;
};

G_DEFINE_FINAL_TYPE (OrreryRegistry, orrery_registry, G_TYPE_OBJECT)

static void
entry_free (gpointer data)
{
  OrreryClassEntry *entry = data;

  g_clear_pointer (&entry->klass.node, orrery_node_unref);
  g_free (entry->classpath);
  g_free (entry->module_path);
  g_free (entry->file);
  g_free (entry);
}

static void
orrery_registry_finalize (GObject *object)
{
  OrreryRegistry *self = ORRERY_REGISTRY (object);

  g_clear_pointer (&self->directories, g_ptr_array_unref);
  g_clear_pointer (&self->classes, g_hash_table_unref);
  g_clear_pointer (&self->documents, g_hash_table_unref);
  g_clear_pointer (&self->resolving, g_ptr_array_unref);
  g_clear_pointer (&self->python, g_hash_table_unref);
  g_clear_pointer (&self->python_path, g_strfreev);
  G_OBJECT_CLASS (orrery_registry_parent_class)->finalize (object);
}

static void
orrery_registry_class_init (OrreryRegistryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_registry_finalize;
}

/* --- the search path --- */

/* Behind those that were added before; one that the path has further behind comes forward. */
static void
add_first (OrreryRegistry *self, const char *directory)
{
  g_autofree char *path = g_canonicalize_filename (directory, NULL);

  for (guint i = 0; i < self->n_added; i++)
    if (g_str_equal (self->directories->pdata[i], path))
      return;
  for (guint i = self->n_added; self->directories->pdata[i] != NULL; i++)
    if (g_str_equal (self->directories->pdata[i], path)) {
      g_ptr_array_remove_index (self->directories, i);
      break;
    }
  g_ptr_array_insert (self->directories, (int) self->n_added++, g_steal_pointer (&path));
}

static void
append_directory (OrreryRegistry *self, const char *directory)
{
  g_autofree char *path = g_canonicalize_filename (directory, NULL);

  if (!g_strv_contains (orrery_registry_get_directories (self), path))
    g_ptr_array_insert (self->directories, (int) self->directories->len - 1,
                        g_steal_pointer (&path));
}

static void
add_default_directories (OrreryRegistry *self)
{
  const char *variable = g_getenv ("ORRERY_PLUGIN_PATH");
  g_auto (GStrv) listed = g_strsplit (variable != NULL ? variable : "", ":", -1);
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), "orrery", "plugins", NULL);
  g_autofree char *installed = orrery_get_library_path ("orrery-1/plugins");

  for (guint i = 0; listed[i] != NULL; i++)
    if (*listed[i] != '\0')
      append_directory (self, listed[i]);
  /* Of HOME='' and the like it would be below the current directory. */
  if (g_path_is_absolute (own))
    append_directory (self, own);
  append_directory (self, installed);
}

static void
orrery_registry_init (OrreryRegistry *self)
{
  self->directories = g_ptr_array_new_with_free_func (g_free);
  self->classes = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, entry_free);
  self->documents = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                           (GDestroyNotify) orrery_node_unref);
  self->resolving = g_ptr_array_new ();
  self->python = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                        (GDestroyNotify) orrery_module_free);
  g_ptr_array_add (self->directories, NULL);
  add_default_directories (self);
}

OrreryRegistry *
orrery_registry_new (void)
{
  return g_object_new (ORRERY_TYPE_REGISTRY, NULL);
}

OrreryRegistry *
orrery_registry_copy (OrreryRegistry *registry)
{
  OrreryRegistry *copy = orrery_registry_new ();

  g_ptr_array_unref (copy->directories);
  copy->directories = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < registry->directories->len; i++)
    g_ptr_array_add (copy->directories, g_strdup (registry->directories->pdata[i]));
  copy->n_added = registry->n_added;
  return copy;
}

gboolean
orrery_registry_add_directory (OrreryRegistry *registry, const char *directory, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), FALSE);
  g_return_val_if_fail (directory != NULL, FALSE);

  if (!orrery_trust_check (directory, error))
    return FALSE;
  if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
    return orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: not a directory", directory);
  add_first (registry, directory);
  return TRUE;
}

const char *const *
orrery_registry_get_directories (OrreryRegistry *registry)
{
  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  return (const char *const *) registry->directories->pdata;
}

char *
orrery_registry_find_file (OrreryRegistry *registry, const char *name)
{
  g_auto (GStrv) parts = NULL;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  parts = g_strsplit (name, "/", -1);
  if (g_path_is_absolute (name) || g_strv_contains ((const char *const *) parts, ".."))
    return NULL;
  for (guint i = 0; registry->directories->pdata[i] != NULL; i++) {
    const char *directory = registry->directories->pdata[i];
    g_autofree char *path = g_build_filename (directory, name, NULL);
    g_autofree char *real = NULL;

    if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
      continue;
    real = orrery_trust_check_file (directory, path, NULL);
    if (real != NULL)
      return g_steal_pointer (&path);
  }
  return NULL;
}

/* --- classes --- */

OrreryClassEntry *
orrery_class_entry_get (const OrreryClass *klass)
{
  return (OrreryClassEntry *) klass;
}

gboolean
orrery_class_is_in_python (const OrreryClass *klass)
{
  return orrery_class_entry_get (klass)->module->types != NULL;
}

static OrreryClassEntry *
entry_new (const char *classpath, const char *module_path, const char *file,
           const OrreryModule *module, const OrreryClassDesc *desc)
{
  OrreryClassEntry *entry = g_new0 (OrreryClassEntry, 1);

  entry->classpath = g_strdup (classpath);
  entry->module_path = g_strdup (module_path);
  entry->file = g_strdup (file);
  entry->module = module;
  entry->klass.classpath = entry->classpath;
  entry->klass.module = entry->module_path;
  entry->klass.file = entry->file;
  entry->klass.desc = desc;
  return entry;
}

static const OrreryClass *
keep_entry (OrreryRegistry *self, const char *key, OrreryClassEntry *entry)
{
  g_hash_table_insert (self->classes, g_strdup (key), entry);
  return &entry->klass;
}

static void
set_no_class (GError **error, const char *classpath, const OrreryModulePlace *place,
              const char *file, const char **names)
{
  g_autofree char *nearest = orrery_nearest_names (place->class_name, names);

  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s: %s has no class %s%s", classpath, file,
                    place->class_name, nearest);
}

/* A class of a module that is open, in C or in Python. */
static const OrreryClass *
find_in_module (OrreryRegistry *self, const char *classpath, const OrreryModulePlace *place,
                const OrreryModule *module, GError **error)
{
  const OrreryClassDesc *desc =
      orrery_descriptor_find_class (module->descriptor, place->class_name);

  if (desc == NULL && module->undeclared != NULL &&
      g_strv_contains ((const char *const *) module->undeclared, place->class_name))
    return orrery_set_error_null (error, ORRERY_ERROR_NOT_FOUND,
                                  "%s: class %s of %s lacks @orrery.plugin, which makes it one for "
                                  "scenes",
                                  classpath, place->class_name, module->file);
  if (desc == NULL) {
    g_autofree const char **names = orrery_module_get_class_names (module);

    set_no_class (error, classpath, place, module->file, names);
    return NULL;
  }
  return keep_entry (self, classpath,
                     entry_new (classpath, place->module, module->file, module, desc));
}

static const OrreryClass *
load_object_class (OrreryRegistry *self, const char *classpath, const OrreryModulePlace *place,
                   const char *file, GError **error)
{
  const OrreryModule *module = orrery_module_open (file, error);

  if (module != NULL)
    return find_in_module (self, classpath, place, module, error);
  g_prefix_error (error, "%s: ", classpath);
  orrery_package_amend_error (place->module, error);
  return NULL;
}

/* --- classes in Python --- */

/* NULL without an error: @file is NULL, and Python knows no such module. */
static const OrreryModule *
open_python (OrreryRegistry *self, const char *path, const char *file, GError **error)
{
  OrreryModule *module = g_hash_table_lookup (self->python, path);

  if (module != NULL)
    return module;
  module = orrery_python_open (path, file, error);
  if (module != NULL)
    g_hash_table_insert (self->python, g_strdup (path), module);
  return module;
}

static const OrreryClass *
load_python_class (OrreryRegistry *self, const char *classpath, const OrreryModulePlace *place,
                   const char *file, GError **error)
{
  const OrreryModule *module;

  if (orrery_loader_get_default () == NULL) {
    self->needs_python = TRUE;
    return orrery_set_error_null (
        error, ORRERY_ERROR_PLUGIN,
        "%s: %s: a class in Python runs in Python only: under `orrery run`, or in a "
        "program that imports orrery",
        classpath, file);
  }
  /* Uses the path as it was found, without resolving links, because Python looks beside that path
   * for further imports. */
  module = open_python (self, place->module, place->file, error);
  if (module != NULL)
    return find_in_module (self, classpath, place, module, error);
  g_prefix_error (error, "%s: ", classpath);
  return NULL;
}

/* Asks the loader, which knows Python's own path and the modules that are imported already. NULL
 * without an error: there is no such module. */
static const OrreryClass *
import_class (OrreryRegistry *self, const char *classpath, GError **error)
{
  g_autofree char *module = g_strdup (classpath);
  char *dot = strrchr (module, '.');
  OrreryModulePlace place = { .module = module };
  const OrreryModule *opened;
  GError *local = NULL;

  if (dot == NULL)
    return NULL;
  *dot = '\0';
  place.class_name = dot + 1;
  opened = open_python (self, module, NULL, &local);
  if (opened != NULL)
    return find_in_module (self, classpath, &place, opened, error);
  if (local != NULL)
    g_propagate_prefixed_error (error, local, "%s: ", classpath);
  return NULL;
}

/* Whether it may be there: `orrery` itself is our own package, which has no classes for scenes. */
static gboolean
is_on_python_path (const char *classpath)
{
  return !g_str_has_prefix (classpath, "orrery.");
}

/* Tried last. NULL without an error: the module is not there either. */
static const OrreryClass *
load_from_python_path (OrreryRegistry *self, const char *classpath, GError **error)
{
  g_autoptr (OrreryModulePlace) place = NULL;

  if (!is_on_python_path (classpath))
    return NULL;
  if (orrery_loader_get_default () != NULL)
    return import_class (self, classpath, error);
  if (self->python_path == NULL)
    self->python_path = orrery_python_get_path ();
  place = orrery_classpath_find_kind ((const char *const *) self->python_path, classpath,
                                      ORRERY_MODULE_PY);
  return place != NULL ? load_python_class (self, classpath, place, place->file, error) : NULL;
}

ORRERY_DEFINE_GETTER (gboolean, orrery_registry_needs_python, OrreryRegistry, ORRERY_IS_REGISTRY,
                      self->needs_python)

/* --- JSON classes --- */

static OrreryNode *
load_document (OrreryRegistry *self, const char *file, GError **error)
{
  OrreryNode *document = g_hash_table_lookup (self->documents, file);

  if (document != NULL)
    return document;
  document = orrery_json_classes_load (file, error);
  if (document != NULL)
    g_hash_table_insert (self->documents, g_strdup (file), document);
  return document;
}

/* Detects a cycle of bases by the classes whose look-up is in progress. */
static gboolean
check_chain (OrreryRegistry *self, const char *classpath, OrreryNode *base, GError **error)
{
  g_autofree char *chain = NULL;

  if (self->resolving->len < MAX_BASES &&
      !g_ptr_array_find_with_equal_func (self->resolving, classpath, g_str_equal, NULL))
    return TRUE;
  g_ptr_array_add (self->resolving, NULL);
  chain = g_strjoinv (" -> ", (char **) self->resolving->pdata);
  g_ptr_array_set_size (self->resolving, self->resolving->len - 1);
  g_propagate_error (error, orrery_node_error (base, ORRERY_ERROR_CONFIG,
                                               "the bases never come to an end: %s -> %s", chain,
                                               classpath));
  return FALSE;
}

static const OrreryClass *
find_base (OrreryRegistry *self, const char *classpath, OrreryNode *node, GError **error)
{
  OrreryNode *name = orrery_node_find (node, "base");
  const OrreryClass *base;

  if (!check_chain (self, classpath, name, error))
    return NULL;
  g_ptr_array_add (self->resolving, (gpointer) classpath);
  base = orrery_registry_find_class (self, orrery_node_get_text (name), error);
  g_ptr_array_set_size (self->resolving, self->resolving->len - 1);
  if (base == NULL)
    g_prefix_error (error, "%s:%u:%u: ", orrery_node_get_file (name), orrery_node_get_line (name),
                    orrery_node_get_column (name));
  return base;
}

static char *
get_level_words (const OrreryClassDesc *desc, const char *level)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (const OrreryLevel *each = desc->levels; each != NULL && each->name != NULL; each++)
    g_ptr_array_add (names, (gpointer) each->name);
  g_ptr_array_add (names, NULL);
  return orrery_nearest_names (level, (const char *const *) names->pdata);
}

static const OrreryLevel *
find_level (const OrreryClassDesc *desc, const char *name)
{
  for (const OrreryLevel *level = desc->levels; level != NULL && level->name != NULL; level++)
    if (g_str_equal (level->name, name))
      return level;
  return NULL;
}

static gboolean
check_json_level (const OrreryClass *base, OrreryNode *node, GError **error)
{
  OrreryNode *level = orrery_node_find (node, "level");
  g_autofree char *nearest = NULL;

  if (level == NULL || find_level (base->desc, orrery_node_get_text (level)) != NULL)
    return TRUE;
  nearest = get_level_words (base->desc, orrery_node_get_text (level));
  g_propagate_error (error,
                     orrery_node_error (level, ORRERY_ERROR_CONFIG, "%s has no level '%s'%s",
                                        base->classpath, orrery_node_get_text (level), nearest));
  return FALSE;
}

static const OrreryClass *
load_json_class (OrreryRegistry *self, const char *classpath, const OrreryModulePlace *place,
                 const char *file, GError **error)
{
  OrreryNode *document = load_document (self, file, error);
  OrreryNode *node;
  const OrreryClass *base;
  OrreryClassEntry *entry;

  if (document == NULL)
    return NULL;
  node = orrery_node_find (orrery_json_classes_get (document), place->class_name);
  if (node == NULL) {
    g_autofree const char **names = orrery_json_classes_get_names (document);

    set_no_class (error, classpath, place, file, names);
    return NULL;
  }
  base = find_base (self, classpath, node, error);
  if (base == NULL || !check_json_level (base, node, error))
    return NULL;
  entry =
      entry_new (classpath, place->module, file, orrery_class_entry_get (base)->module, base->desc);
  entry->klass.base = base;
  entry->klass.node = orrery_node_ref (node);
  return keep_entry (self, classpath, entry);
}

static void
set_no_module (OrreryRegistry *self, const char *classpath, GError **error)
{
  g_autofree char *nearest = NULL;
  g_autofree char *module = g_strdup (classpath);
  g_autofree char *path = NULL, *python = NULL;
  g_autofree char *looked = g_strjoinv (":", (char **) self->directories->pdata);

  /* A caller that passes no @error needs no message, which would cost a child process. */
  if (error == NULL)
    return;
  *strrchr (module, '.') = '\0';
  nearest = orrery_package_get_words (module);
  if (nearest == NULL)
    nearest = orrery_registry_get_nearest (self, classpath);
  path = orrery_module_get_path (module, ORRERY_MODULE_SO);
  if (is_on_python_path (classpath))
    python = g_strdup_printf ("; nor is %s on Python's search path (PYTHONPATH)", module);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s: no module %s (nor .py, .json) in %s%s%s",
                    classpath, path, looked, python != NULL ? python : "", nearest);
}

static const OrreryClass *
load_class (OrreryRegistry *self, const char *classpath, GError **error)
{
  const char *const *directories = orrery_registry_get_directories (self);
  g_autoptr (OrreryModulePlace) place = orrery_classpath_find (directories, classpath);
  g_autofree char *file = NULL;

  /* A package of Python above a module that is not there. */
  if (place != NULL && place->kind == ORRERY_MODULE_PY && strchr (place->class_name, '.') != NULL)
    g_clear_pointer (&place, orrery_module_place_free);
  if (place == NULL) {
    GError *local = NULL;
    const OrreryClass *klass = load_from_python_path (self, classpath, &local);

    if (klass == NULL && local == NULL)
      set_no_module (self, classpath, error);
    else if (klass == NULL)
      g_propagate_error (error, local);
    return klass;
  }
  file = orrery_trust_check_file (place->directory, place->file, error);
  if (file == NULL) {
    g_prefix_error (error, "%s: ", classpath);
    return NULL;
  }
  switch (place->kind) {
  case ORRERY_MODULE_SO:
    return load_object_class (self, classpath, place, file, error);
  case ORRERY_MODULE_JSON:
    return load_json_class (self, classpath, place, file, error);
  default:
    return load_python_class (self, classpath, place, file, error);
  }
}

const OrreryClass *
orrery_registry_find_class (OrreryRegistry *registry, const char *classpath, GError **error)
{
  g_autofree char *full = NULL;
  OrreryClassEntry *entry;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (classpath != NULL, NULL);

  full = orrery_classpath_read (classpath, error);
  if (full == NULL)
    return NULL;
  entry = g_hash_table_lookup (registry->classes, full);
  return entry != NULL ? &entry->klass : load_class (registry, full, error);
}

/* --- levels --- */

const char *
orrery_class_get_json_level (const OrreryClass *klass)
{
  for (; klass->node != NULL; klass = klass->base) {
    OrreryNode *level = orrery_node_find (klass->node, "level");

    if (level != NULL)
      return orrery_node_get_text (level);
  }
  return NULL;
}

static const OrreryLevel *
choose_level (const OrreryClass *klass, const char *name, GError **error)
{
  const OrreryLevel *level;
  g_autofree char *nearest = NULL;

  if (name == NULL || g_str_equal (name, "default"))
    name = orrery_class_get_json_level (klass);
  if (name == NULL)
    return &klass->desc->levels[orrery_class_desc_get_default_level (klass->desc)];
  level = find_level (klass->desc, name);
  if (level != NULL)
    return level;
  nearest = get_level_words (klass->desc, name);
  return orrery_set_error_null (error, ORRERY_ERROR_NOT_FOUND, "%s has no level '%s'%s",
                                klass->classpath, name, nearest);
}

static const OrreryClass *
realise_object_level (OrreryRegistry *self, const OrreryClass *klass, const OrreryClassDesc *desc)
{
  const OrreryModule *module = orrery_class_entry_get (klass)->module;
  g_autofree char *classpath = g_strconcat (klass->module, ".", desc->name, NULL);
  OrreryClassEntry *known = g_hash_table_lookup (self->classes, classpath);

  if (known != NULL)
    return &known->klass;
  return keep_entry (self, classpath,
                     entry_new (classpath, klass->module, klass->file, module, desc));
}

/* A JSON class at a level is the same class, based on the class that realises that level. */
static const OrreryClass *
realise_level (OrreryRegistry *self, const OrreryClass *klass, const OrreryLevel *level)
{
  const OrreryModule *module = orrery_class_entry_get (klass)->module;
  const OrreryClassDesc *desc = klass->desc;
  g_autofree char *key = g_strconcat (klass->classpath, "@", level->name, NULL);
  OrreryClassEntry *known = g_hash_table_lookup (self->classes, key);

  if (level->class_name != NULL)
    desc = orrery_descriptor_find_class (module->descriptor, level->class_name);
  if (desc == klass->desc)
    return klass;
  if (klass->node == NULL)
    return realise_object_level (self, klass, desc);
  if (known != NULL)
    return &known->klass;
  known = entry_new (klass->classpath, klass->module, klass->file, module, desc);
  known->klass.base = realise_level (self, klass->base, level);
  known->klass.node = orrery_node_ref (klass->node);
  return keep_entry (self, key, known);
}

const OrreryClass *
orrery_registry_find_level (OrreryRegistry *registry, const OrreryClass *klass, const char *level,
                            const char **name, GError **error)
{
  const OrreryLevel *chosen;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (klass != NULL, NULL);

  if (name != NULL)
    *name = NULL;
  if (klass->desc->levels == NULL) {
    if (level == NULL || g_str_equal (level, "default"))
      return klass;
    return orrery_set_error_null (error, ORRERY_ERROR_NOT_FOUND,
                                  "%s has no level '%s', it has none", klass->classpath, level);
  }
  chosen = choose_level (klass, level, error);
  if (chosen == NULL)
    return NULL;
  if (name != NULL)
    *name = chosen->name;
  return realise_level (registry, klass, chosen);
}

/* --- what a class is --- */

static const OrreryClass *
get_root (const OrreryClass *klass)
{
  while (klass->base != NULL)
    klass = klass->base;
  return klass;
}

static gboolean
derives_from (const OrreryModule *module, GType type, const OrreryClassDesc *desc)
{
  GType base = desc != NULL ? orrery_module_get_type (module, desc, NULL) : G_TYPE_INVALID;

  return base != G_TYPE_INVALID && g_type_is_a (type, base);
}

/* Whether a C class is the class @name of its own file, a level of it, or derived from these. Types
 * cannot derive across files: modules do not see each other. */
static gboolean
fits_in_module (const OrreryClass *klass, const char *name)
{
  const OrreryModule *module = orrery_class_entry_get (klass)->module;
  const OrreryClassDesc *other = orrery_descriptor_find_class (module->descriptor, name);
  GType type = other != NULL ? orrery_module_get_type (module, klass->desc, NULL) : G_TYPE_INVALID;

  if (type == G_TYPE_INVALID)
    return FALSE;
  if (derives_from (module, type, other))
    return TRUE;
  for (const OrreryLevel *level = other->levels; level != NULL && level->name != NULL; level++)
    if (level->class_name != NULL &&
        derives_from (module, type,
                      orrery_descriptor_find_class (module->descriptor, level->class_name)))
      return TRUE;
  return FALSE;
}

/* Types in Python derive across files. */
static gboolean
fits_in_python (OrreryRegistry *self, const OrreryClass *klass, const char *classpath)
{
  const OrreryModule *module = orrery_class_entry_get (klass)->module;
  const OrreryClass *other;
  const OrreryModule *its_module;

  if (module->types == NULL)
    return FALSE;
  other = orrery_registry_find_class (self, classpath, NULL);
  its_module = other != NULL ? orrery_class_entry_get (other)->module : NULL;
  return its_module != NULL && its_module->types != NULL &&
         derives_from (its_module, orrery_module_get_type (module, klass->desc, NULL), other->desc);
}

gboolean
orrery_registry_class_fits (OrreryRegistry *registry, const OrreryClass *klass,
                            const char *classpath)
{
  g_autofree char *full = NULL;
  const OrreryClass *root;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), FALSE);
  g_return_val_if_fail (klass != NULL && classpath != NULL, FALSE);

  full = orrery_classpath_read (classpath, NULL);
  if (full == NULL)
    return FALSE;
  for (const OrreryClass *each = klass; each != NULL; each = each->base)
    if (g_str_equal (each->classpath, full))
      return TRUE;
  root = get_root (klass);
  if (!g_str_has_prefix (full, root->module) || full[strlen (root->module)] != '.')
    return fits_in_python (registry, root, full);
  return fits_in_module (root, full + strlen (root->module) + 1);
}

/* --- parts --- */

static gboolean
check_functions (const OrreryClass *klass, GType type, GError **error)
{
  g_autoptr (GTypeClass) type_class = g_type_class_ref (type);
  const char *missing = orrery_class_desc_find_missing (klass->desc, type_class);

  if (missing == NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                           "%s: %s: refused: the role %s needs %s, class %s has not",
                           klass->classpath, klass->file, orrery_role_get_name (klass->desc->role),
                           missing, klass->desc->name);
}

GType
orrery_class_get_type (const OrreryClass *klass, GError **error)
{
  const OrreryModule *module = orrery_class_entry_get (klass)->module;
  GType type = orrery_module_get_type (module, klass->desc, error);

  if (type == G_TYPE_INVALID) {
    g_prefix_error (error, "%s: ", klass->classpath);
    return G_TYPE_INVALID;
  }
  return check_functions (klass, type, error) ? type : G_TYPE_INVALID;
}

static OrreryPart *
construct (const OrreryClass *klass, GType type)
{
  OrreryCallee *callee = orrery_callee_new (klass->classpath, "", "instance_init");
  OrreryCalling before = orrery_calling_begin (callee, NULL);
  OrreryPart *part = g_object_new (type, NULL);

  orrery_calling_end (before);
  orrery_callee_free (callee);
  return part;
}

static gboolean
has_role (const OrreryClass *klass, OrreryRole role, GError **error)
{
  if (klass->desc->role == role)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "%s has the role %s, %s is needed here",
                           klass->classpath, orrery_role_get_name (klass->desc->role),
                           orrery_role_get_name (role));
}

OrreryPart *
orrery_registry_create (OrreryRegistry *registry, const OrreryClass *klass, OrreryRole role,
                        GError **error)
{
  GType type;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (klass != NULL && role != ORRERY_ROLE_NONE, NULL);

  if (!has_role (klass, role, error))
    return NULL;
  type = orrery_class_get_type (klass, error);
  return type != G_TYPE_INVALID ? construct (klass, type) : NULL;
}

OrreryPart *
orrery_registry_create_stand_in (const OrreryClass *klass, OrreryRole role, GError **error)
{
  GType type =
      has_role (klass, role, error) ? orrery_class_get_type (klass, error) : G_TYPE_INVALID;

  return type != G_TYPE_INVALID ? g_object_new (orrery_stand_in_get_type (type, role), NULL) : NULL;
}
