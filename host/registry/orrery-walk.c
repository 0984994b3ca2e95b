/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks through the directories of the search path. */
#include "registry/orrery-classpath-private.h"

#include "base/orrery-file-private.h"
#include "base/orrery-hash-private.h"

#include <string.h>

/* Environments are scenes, not classes; they share the search path. */
#define ENVIRONMENTS "orrery.environments"
#define ENVIRONMENTS_FOLDER "orrery/environments"
/* Nesting of folders of environments; links may form cycles. */
#define MAX_FOLDERS 8

typedef struct {
  const char *directory;
  GPtrArray *found; /* (element-type OrreryModulePlace) */
  GHashTable *been; /* orrery_directories_new() */
} Walk;

static void walk_directory (Walk *walk, const char *path, const char *module, guint depth);

static void
add_module (Walk *walk, const char *path, const char *module, OrreryModuleKind kind)
{
  OrreryModulePlace *place = g_new0 (OrreryModulePlace, 1);

  place->kind = kind;
  place->module = g_strdup (module);
  place->file = g_strdup (path);
  place->directory = g_strdup (walk->directory);
  g_ptr_array_add (walk->found, place);
}

/* Whether @name is an identifier and the suffix of @kind; gives the identifier. */
static char *
match_file (const char *name, OrreryModuleKind kind)
{
  g_autofree char *suffix = g_strconcat (".", orrery_module_kind_get_name (kind), NULL);
  g_autofree char *stem = NULL;

  if (!g_str_has_suffix (name, suffix))
    return NULL;
  stem = g_strndup (name, strlen (name) - strlen (suffix));
  return orrery_is_dotted_name (stem, 1) ? g_steal_pointer (&stem) : NULL;
}

static char *
join_module (const char *module, const char *name)
{
  return *module == '\0' ? g_strdup (name) : g_strconcat (module, ".", name, NULL);
}

/* A package is the module that its directory names. */
static void
add_file (Walk *walk, const char *path, const char *module, const char *stem, OrreryModuleKind kind)
{
  g_autofree char *inner = NULL;

  if (kind == ORRERY_MODULE_PY && strcmp (stem, "__init__") == 0)
    inner = g_strdup (module);
  else
    inner = join_module (module, stem);
  if (*inner != '\0')
    add_module (walk, path, inner, kind);
}

static void
walk_entry (Walk *walk, const char *path, const char *module, const char *name, guint depth)
{
  g_autofree char *entry = g_build_filename (path, name, NULL);

  if (orrery_is_dotted_name (name, 1) && g_file_test (entry, G_FILE_TEST_IS_DIR)) {
    g_autofree char *inner = join_module (module, name);

    walk_directory (walk, entry, inner, depth + 1);
    return;
  }
  for (guint kind = 0; kind < ORRERY_N_MODULE_KINDS; kind++) {
    g_autofree char *stem = match_file (name, kind);

    if (stem != NULL && g_file_test (entry, G_FILE_TEST_IS_REGULAR))
      add_file (walk, entry, module, stem, kind);
  }
}

static void
walk_directory (Walk *walk, const char *path, const char *module, guint depth)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  /* A classpath has one name more: the class. */
  if (depth >= ORRERY_CLASSPATH_MAX_PARTS - 1 || strcmp (module, ENVIRONMENTS) == 0 ||
      !orrery_directories_add (walk->been, path))
    return;
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    walk_entry (walk, path, module, name, depth);
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const OrreryModulePlace *left = *(OrreryModulePlace *const *) a;
  const OrreryModulePlace *right = *(OrreryModulePlace *const *) b;
  int order = strcmp (left->module, right->module);

  return order != 0 ? order : (int) left->kind - (int) right->kind;
}

/* Takes over what look-up would find; what it would not goes to @hidden. */
static void
keep_first (GPtrArray *from, GPtrArray *to, GHashTable *taken, GPtrArray *hidden)
{
  for (guint i = 0; i < from->len; i++) {
    OrreryModulePlace *place = from->pdata[i];

    if (g_hash_table_add (taken, g_strdup (place->module)))
      g_ptr_array_add (to, place);
    else if (hidden != NULL)
      g_ptr_array_add (hidden, place);
    else
      orrery_module_place_free (place);
  }
}

GPtrArray *
orrery_classpath_walk (const char *const *directories, GPtrArray *hidden)
{
  GPtrArray *places = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_module_place_free);
  g_autoptr (GHashTable) taken =
      g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; directories[i] != NULL; i++) {
    g_autoptr (GPtrArray) found = g_ptr_array_new ();
    g_autoptr (GHashTable) been = orrery_directories_new ();
    Walk walk = { directories[i], found, been };

    walk_directory (&walk, directories[i], "", 0);
    /* The order of a directory's entries is the file system's. */
    g_ptr_array_sort (found, compare_places);
    keep_first (found, places, taken, hidden);
  }
  return places;
}

/* --- environments --- */

static void
collect_environments (const char *path, const char *prefix, guint depth, GPtrArray *names)
{
  g_autoptr (GDir) dir = depth < MAX_FOLDERS ? g_dir_open (path, 0, NULL) : NULL;
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (path, entry, NULL);
    g_autofree char *name = g_strconcat (prefix, entry, NULL);

    if (g_file_test (inner, G_FILE_TEST_IS_DIR)) {
      g_autofree char *deeper = g_strconcat (name, "/", NULL);

      collect_environments (inner, deeper, depth + 1, names);
    } else if (g_str_has_suffix (name, ".json")) {
      g_ptr_array_add (names, g_strndup (name, strlen (name) - strlen (".json")));
    }
  }
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
orrery_environments_list (const char *const *directories)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; directories[i] != NULL; i++) {
    g_autofree char *path = g_build_filename (directories[i], ENVIRONMENTS_FOLDER, NULL);

    collect_environments (path, "", 0, names);
  }
  g_ptr_array_sort (names, compare_texts);
  for (guint i = names->len; i-- > 1;)
    if (g_str_equal (names->pdata[i], names->pdata[i - 1]))
      g_ptr_array_remove_index (names, i);
  return names;
}
