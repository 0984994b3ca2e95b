/* SPDX-License-Identifier: BSD-3-Clause */
/* Modules in Python, imported by the loader. */
#include "base/orrery-error-private.h"
#include "process/orrery-child.h"
#include "registry/orrery-loader.h"
#include "registry/orrery-python-private.h"
#include "registry/orrery-registry.h"
#include "roles/orrery-role-private.h"

#include <stdint.h>

/* --- what a module in Python says of itself, read into the tables that one in C has --- */

typedef struct {
  OrreryModule *module;
  GStringChunk *texts;
} Reading;

static GVariant *
look_up (GVariant *dict, const char *key, const char *type)
{
  return g_variant_lookup_value (dict, key, G_VARIANT_TYPE (type));
}

/* A text that lives as long as the module; @fallback if it is missing or empty. */
static const char *
read_text (Reading *reading, GVariant *dict, const char *key, const char *fallback)
{
  const char *text = NULL;

  if (!g_variant_lookup (dict, key, "&s", &text) || *text == '\0')
    return fallback;
  return g_string_chunk_insert_const (reading->texts, text);
}

static const char *
read_part (Reading *reading, GVariant *tuple, gsize index)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (tuple, index);
  const char *text = g_variant_get_string (child, NULL);

  return *text != '\0' ? g_string_chunk_insert_const (reading->texts, text) : NULL;
}

/* The tables are freed with the module, which keeps them in one list. */
static gpointer
new_table (Reading *reading, gsize n, gsize size)
{
  gpointer table = g_malloc0_n (n + 1, size);

  g_ptr_array_add (reading->module->tables, table);
  return table;
}

static const OrreryLevel *
read_levels (Reading *reading, GVariant *dict)
{
  g_autoptr (GVariant) list = look_up (dict, "levels", "a(ssb)");
  gsize n = list != NULL ? g_variant_n_children (list) : 0;
  OrreryLevel *levels;

  if (n == 0)
    return NULL;
  levels = new_table (reading, n, sizeof *levels);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) level = g_variant_get_child_value (list, i);

    levels[i].name = read_part (reading, level, 0);
    levels[i].class_name = read_part (reading, level, 1);
    g_variant_get_child (level, 2, "b", &levels[i].by_default);
  }
  return levels;
}

static const OrreryAlias *
read_aliases (Reading *reading, GVariant *dict)
{
  g_autoptr (GVariant) list = look_up (dict, "aliases", "a(sss)");
  gsize n = list != NULL ? g_variant_n_children (list) : 0;
  OrreryAlias *aliases;

  if (n == 0)
    return NULL;
  aliases = new_table (reading, n, sizeof *aliases);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) alias = g_variant_get_child_value (list, i);

    aliases[i].name = read_part (reading, alias, 0);
    aliases[i].component = read_part (reading, alias, 1);
    aliases[i].level = read_part (reading, alias, 2);
  }
  return aliases;
}

/* Takes the place of the get_type function of a class in C: the type is already registered, and the
 * module keeps it. */
static GType
get_no_type (void)
{
  return G_TYPE_INVALID;
}

static gboolean
read_class (Reading *reading, GVariant *dict, guint index, GError **error)
{
  OrreryModule *module = reading->module;
  OrreryClassDesc *desc = &module->descriptor->classes[index];

  desc->name = read_text (reading, dict, "name", NULL);
  desc->type_name = read_text (reading, dict, "type", NULL);
  module->types[index] = desc->type_name != NULL ? g_type_from_name (desc->type_name) : 0;
  if (desc->name == NULL || module->types[index] == G_TYPE_INVALID)
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "class number %u has no %s", index,
                             desc->name == NULL ? "name" : "type that is registered");
  desc->role = orrery_role_from_type (module->types[index]);
  desc->get_type = get_no_type;
  g_variant_lookup (dict, "frequency", "d", &desc->frequency);
  desc->levels = read_levels (reading, dict);
  desc->aliases = read_aliases (reading, dict);
  desc->stream = read_text (reading, dict, "stream", NULL);
  desc->publisher = read_text (reading, dict, "publisher", NULL);
  desc->reader = read_text (reading, dict, "reader", NULL);
  desc->direction = read_text (reading, dict, "direction", NULL);
  desc->encoding = read_text (reading, dict, "encoding", NULL);
  return TRUE;
}

static gboolean
read_classes (Reading *reading, GVariant *description, GError **error)
{
  /* The data to check is our own and may lie anywhere in the process. */
  OrreryImage everything = { { { 1, UINTPTR_MAX, TRUE } }, 1 };
  g_autoptr (GVariant) list = look_up (description, "classes", "aa{sv}");
  OrreryModule *module = reading->module;
  OrreryDescriptor *descriptor = module->descriptor = g_new0 (OrreryDescriptor, 1);

  descriptor->n_classes = list != NULL ? (guint) g_variant_n_children (list) : 0;
  descriptor->classes = g_new0 (OrreryClassDesc, descriptor->n_classes + 1);
  module->types = g_new0 (GType, descriptor->n_classes + 1);
  descriptor->summary = read_text (reading, description, "summary", NULL);
  descriptor->licence = read_text (reading, description, "licence", NULL);
  g_variant_lookup (description, "undeclared", "^as", &module->undeclared);
  for (guint i = 0; i < descriptor->n_classes; i++) {
    g_autoptr (GVariant) dict = g_variant_get_child_value (list, i);

    if (!read_class (reading, dict, i, error))
      return FALSE;
  }
  return orrery_descriptor_judge_classes (&everything, descriptor, error);
}

OrreryModule *
orrery_python_open (const char *module, const char *file, GError **error)
{
  OrreryLoader *loader = orrery_loader_get_default ();
  g_autoptr (OrreryModule) opened = NULL;
  g_autoptr (GVariant) description = NULL;
  GError *local = NULL;

  description = ORRERY_LOADER_GET_CLASS (loader)->load (loader, module, file, &local);
  if (description == NULL) {
    if (local == NULL && file != NULL)
      orrery_set_error (&local, ORRERY_ERROR_PLUGIN, "%s: there is no description of it", file);
    if (local != NULL)
      g_propagate_error (error, local);
    return NULL;
  }
  opened = g_new0 (OrreryModule, 1);
  opened->texts = g_string_chunk_new (1024);
  opened->tables = g_ptr_array_new_with_free_func (g_free);
  Reading reading = { opened, opened->texts };
  opened->file = g_strdup (read_text (&reading, description, "file", file != NULL ? file : module));
  if (read_classes (&reading, description, error))
    return g_steal_pointer (&opened);
  g_prefix_error (error, "%s: refused: ", opened->file);
  return NULL;
}

/* --- without a loader: where Python would look --- */

/* An interpreter that does not start, or has no end of directories, has none. */
#define MAX_PYTHON_TIME (20 * ORRERY_SECOND)
#define MAX_PYTHON_PATH (1u << 20)
char *
orrery_get_python (void)
{
  const char *named = g_getenv ("ORRERY_PYTHON");
  const char *environment = g_getenv ("VIRTUAL_ENV");
  g_autofree char *own = NULL;

  if (named != NULL && *named != '\0')
    return g_strdup (named);
  if (environment == NULL || !g_path_is_absolute (environment))
    return g_strdup (ORRERY_PYTHON);
  own = g_build_filename (environment, "bin", "python3", NULL);
  if (g_file_test (own, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&own);
  return g_strdup (ORRERY_PYTHON);
}

/* Only absolute directories are used: the working directory is not one that the user chose for
 * modules. */
static const char print_path[] =
    "import os, sys\n"
    "print(*[p for p in sys.path if os.path.isabs(p) and os.path.isdir(p)], sep='\\n')";

char **
orrery_python_get_path (void)
{
  g_autofree char *python = orrery_get_python ();
  const char *const argv[] = { python, "-c", print_path, NULL };
  const OrreryChildSpec spec = {
    .argv = argv,
    .flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP,
  };
  g_autoptr (OrreryChild) child = orrery_child_new (&spec, NULL);
  g_autoptr (GBytes) output = NULL;
  g_autofree char *printed = NULL;

  if (child == NULL || !orrery_child_start (child, NULL))
    return g_new0 (char *, 1);
  output = orrery_child_collect (child, MAX_PYTHON_TIME, MAX_PYTHON_PATH, NULL);
  if (orrery_child_get_status (child) != 0)
    return g_new0 (char *, 1);
  printed = g_strndup (g_bytes_get_data (output, NULL), g_bytes_get_size (output));
  return g_strsplit (g_strchomp (printed), "\n", -1);
}
