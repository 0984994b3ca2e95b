/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a shared object and reads its descriptor. */
#define _GNU_SOURCE
#include "base/orrery-calling-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "base/orrery-thread-state-private.h"
#include "registry/orrery-module-private.h"
#include "roles/orrery-role-private.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* Types and open modules belong to the process; everything else belongs to a registry. */
static GMutex lock;
static GHashTable *modules; /* (element-type utf8 OrreryModule): by real path */
static GHashTable
    *owners; /* (element-type utf8 OrreryModule): by names of types, registered or not yet */

static void
ensure_tables (void)
{
  if (modules != NULL)
    return;
  modules = g_hash_table_new (orrery_text_hash, g_str_equal);
  owners = g_hash_table_new (orrery_text_hash, g_str_equal);
  orrery_role_register_types ();
}

static gpointer
open_file (const char *file, GError **error)
{
  OrreryCallee *callee = orrery_callee_new (file, "", "a constructor");
  OrreryCalling before = orrery_calling_begin (callee, NULL);
  gpointer handle = dlopen (file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char *why;

  orrery_calling_end (before);
  orrery_callee_free (callee);
  if (orrery_thread_state_restore_rounding ())
    g_warning ("%s: loading it changes how floating-point numbers are rounded, as libraries built "
               "with -ffast-math do; this is undone",
               file);
  if (handle != NULL)
    return handle;
  why = dlerror ();
  /* The dynamic linker begins its message with the file if that is the one with the error. */
  if (g_str_has_prefix (why, file) && g_str_has_prefix (why + strlen (file), ": "))
    why += strlen (file) + strlen (": ");
  return orrery_set_error_null (error, ORRERY_ERROR_PLUGIN, "it cannot be loaded: %s", why);
}

/* Whether the file behind @handle is the one that @image is of. */
static gboolean
is_image_of (const OrreryImage *image, gpointer handle)
{
  struct link_map *map = NULL;

  return dlinfo (handle, RTLD_DI_LINKMAP, &map) == 0 && orrery_image_has (image, map->l_ld, 1);
}

static OrreryDescriptor *
read_descriptor (gpointer handle, GError **error)
{
  gconstpointer address = dlsym (handle, "orrery_plugin_desc");
  OrreryImage image;

  /* A look-up by handle also finds symbols of libraries that the file depends on. */
  if (address == NULL || !orrery_image_find (&image, address) || !is_image_of (&image, handle))
    return orrery_set_error_null (
        error, ORRERY_ERROR_PLUGIN,
        "it exports no orrery_plugin_desc: it is not a plugin, or lacks ORRERY_PLUGIN");
  return orrery_descriptor_judge (&image, address, error);
}

static gboolean
check_type_is_free (const OrreryModule *module, const OrreryClassDesc *desc, GError **error)
{
  const OrreryModule *owner = g_hash_table_lookup (owners, desc->type_name);

  if (owner == module)
    return TRUE;
  if (owner != NULL)
    return orrery_set_error (
        error, ORRERY_ERROR_PLUGIN,
        "class %s: the type name %s is used by %s; a type name can be used only once in a process",
        desc->name, desc->type_name, owner->file);
  if (g_type_from_name (desc->type_name) != G_TYPE_INVALID)
    return orrery_set_error (
        error, ORRERY_ERROR_PLUGIN,
        "class %s: the type name %s is used by the host or one of its libraries", desc->name,
        desc->type_name);
  return TRUE;
}

static gboolean
claim_types (OrreryModule *module, GError **error)
{
  const OrreryDescriptor *descriptor = module->descriptor;

  for (guint i = 0; i < descriptor->n_classes; i++)
    if (!check_type_is_free (module, &descriptor->classes[i], error))
      return FALSE;
  for (guint i = 0; i < descriptor->n_classes; i++)
    g_hash_table_insert (owners, (gpointer) descriptor->classes[i].type_name, module);
  return TRUE;
}

void
orrery_module_free (OrreryModule *module)
{
  if (module == NULL)
    return;
  g_clear_pointer (&module->descriptor, orrery_descriptor_free);
  g_clear_pointer (&module->tables, g_ptr_array_unref);
  g_clear_pointer (&module->texts, g_string_chunk_free);
  g_clear_pointer (&module->undeclared, g_strfreev);
  g_free (module->types);
  g_free (module->file);
  g_free (module);
}

/* A file with two names (hard links) is one module, as for the dynamic linker. */
static const OrreryModule *
find_by_handle (gpointer handle)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, modules);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((OrreryModule *) value)->handle == handle)
      return value;
  return NULL;
}

static const OrreryModule *
open_module (const char *file, GError **error)
{
  g_autoptr (OrreryModule) module = g_new0 (OrreryModule, 1);
  const OrreryModule *same;

  module->file = g_strdup (file);
  module->handle = open_file (file, error);
  if (module->handle == NULL)
    return NULL;
  same = find_by_handle (module->handle);
  if (same != NULL)
    return same;
  module->descriptor = read_descriptor (module->handle, error);
  if (module->descriptor == NULL || !claim_types (module, error))
    return NULL;
  g_hash_table_insert (modules, module->file, module);
  return g_steal_pointer (&module);
}

static gboolean
check_host_types (const OrreryDescriptor *descriptor, GError **error)
{
  const OrreryModule nobody = { 0 };

  for (guint i = 0; i < descriptor->n_classes; i++)
    if (!g_hash_table_contains (owners, descriptor->classes[i].type_name) &&
        !check_type_is_free (&nobody, &descriptor->classes[i], error))
      return FALSE;
  return TRUE;
}

OrreryDescriptor *
orrery_module_inspect (const char *file, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  g_autoptr (OrreryDescriptor) descriptor = NULL;
  gpointer handle;

  ensure_tables ();
  handle = open_file (file, error);
  if (handle != NULL)
    descriptor = read_descriptor (handle, error);
  if (descriptor != NULL && check_host_types (descriptor, error))
    return g_steal_pointer (&descriptor);
  g_prefix_error (error, "%s: refused: ", file);
  return NULL;
}

const OrreryModule *
orrery_module_open (const char *file, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  const OrreryModule *module;

  ensure_tables ();
  module = g_hash_table_lookup (modules, file);
  if (module == NULL)
    module = open_module (file, error);
  if (module == NULL)
    g_prefix_error (error, "%s: refused: ", file);
  return module;
}

static gboolean
check_type (const OrreryClassDesc *desc, GType type, GError **error)
{
  GType base = orrery_role_get_type (desc->role);

  if (type == G_TYPE_INVALID || strcmp (g_type_name (type), desc->type_name) != 0)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "its get-type function gives the type %s, the descriptor says %s",
                             type == G_TYPE_INVALID ? "invalid" : g_type_name (type),
                             desc->type_name);
  if (!g_type_is_a (type, base))
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN,
                             "its descriptor says the role %s, but %s does not derive from %s",
                             orrery_role_get_name (desc->role), desc->type_name,
                             g_type_name (base));
  if (G_TYPE_IS_ABSTRACT (type))
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "%s is abstract", desc->type_name);
  return TRUE;
}

GType
orrery_module_get_type (const OrreryModule *module, const OrreryClassDesc *desc, GError **error)
{
  GType type =
      module->types != NULL ? module->types[desc - module->descriptor->classes] : desc->get_type ();

  if (check_type (desc, type, error))
    return type;
  g_prefix_error (error, "%s: refused: class %s: ", module->file, desc->name);
  return G_TYPE_INVALID;
}

const char **
orrery_module_get_class_names (const OrreryModule *module)
{
  const OrreryDescriptor *descriptor = module->descriptor;
  const char **names = g_new0 (const char *, descriptor->n_classes + 1);

  for (guint i = 0; i < descriptor->n_classes; i++)
    names[i] = descriptor->classes[i].name;
  return names;
}
