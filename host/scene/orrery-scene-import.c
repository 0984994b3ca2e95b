/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `import` of the environment and of an object: a file of ours, or of another format. */
#include "scene/orrery-scene-private.h"

#include "base/orrery-file-private.h"
#include "part/orrery-part-private.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-trust-private.h"
#include "roles/orrery-importer-private.h"

#include <string.h>

/* Appended to the name of an environment: our replacement for a file that is not installed. */
#define PLAIN "-plain"

static const char *
import_name (OrreryScene *scene)
{
  return orrery_node_get_text (scene->environment.import);
}

/* Something of that name exists, but is no regular file: a folder or a pipe. */
static GError *
no_regular_file (OrreryScene *scene, OrreryNode *place, const char *name)
{
  g_autofree char *path =
      g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (scene->directory, name, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return orrery_node_error (place, ORRERY_ERROR_NOT_FOUND, "%s is %s, not a file", path,
                            g_file_test (path, G_FILE_TEST_IS_DIR) ? "a folder"
                                                                   : "a pipe or device");
}

static GError *
no_environment_file (OrreryScene *scene)
{
  GError *other = no_regular_file (scene, scene->environment.import,
                                   orrery_node_get_text (scene->environment.import));

  const char *name = import_name (scene);
  const char *from = g_path_is_absolute (name) ? "/" : scene->directory;

  if (other != NULL)
    return other;
  return orrery_node_error (scene->environment.import, ORRERY_ERROR_NOT_FOUND,
                            "no environment: there is no file %s, looked for from %s; without its "
                            "suffix it is looked for among the installed ones",
                            name, from);
}

/* Returns the error of an environment that exists but is refused, or NULL. */
static GError *
refused_environment (OrreryScene *scene)
{
  const char *const *directories = orrery_registry_get_directories (scene->registry);
  const char *name = import_name (scene);

  for (guint i = 0; directories[i] != NULL; i++) {
    g_autofree char *path =
        g_strconcat (directories[i], "/orrery/environments/", name, ".json", NULL);
    g_autofree char *real = NULL;
    g_autoptr (GError) error = NULL;

    if (strstr (name, "..") != NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
      continue;
    real = orrery_trust_check_file (directories[i], path, &error);
    if (error != NULL)
      return orrery_node_error (scene->environment.import, error->code, "%s", error->message);
  }
  return NULL;
}

static GError *
no_environment (OrreryScene *scene)
{
  GError *refused = refused_environment (scene);
  const char *const *directories = orrery_registry_get_directories (scene->registry);
  g_autoptr (GPtrArray) names = orrery_environments_list (directories);
  g_autofree char *searched = g_strjoinv (":", (char **) directories);
  g_autofree char *nearest = NULL;

  if (refused != NULL)
    return refused;
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (import_name (scene), (const char *const *) names->pdata);
  return orrery_node_error (scene->environment.import, ORRERY_ERROR_NOT_FOUND,
                            "no environment '%.80s': no orrery/environments/%.80s.json in %s%s",
                            import_name (scene), import_name (scene), searched, nearest);
}

/* @ending: "", or the suffix of names of replacements for a file */
static char *
find_environment (OrreryScene *scene, const char *ending)
{
  const char *name = import_name (scene);
  g_autofree char *relative = NULL;
  g_autofree char *here = NULL;

  /* A file of the scene's own, given with its suffix, beside the scene or by its full path. */
  if (g_str_has_suffix (name, ".json")) {
    here = g_path_is_absolute (name) ? g_strdup (name)
                                     : g_build_filename (scene->directory, name, NULL);
    return g_file_test (here, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&here) : NULL;
  }
  relative = g_strconcat ("orrery/environments/", name, ending, ".json", NULL);
  return orrery_registry_find_file (scene->registry, relative);
}

/* --- files of other formats --- */

/* Returns the suffix in lower case, or NULL if it names no importer. */
static char *
find_suffix (const char *name)
{
  const char *dot = strrchr (name, '.');
  g_autofree char *suffix = dot != NULL ? g_ascii_strdown (dot + 1, -1) : NULL;

  if (suffix == NULL || *suffix == '\0' || strlen (suffix) > 16 ||
      strspn (suffix, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen (suffix))
    return NULL;
  return g_steal_pointer (&suffix);
}

static void
add_resource (GPtrArray *directories, const char *directory)
{
  if (*directory != '\0')
    g_ptr_array_add (directories, g_strdup (directory));
}

/* Where MORSE looks for models. */
static GPtrArray *
list_resources (void)
{
  GPtrArray *directories = g_ptr_array_new_with_free_func (g_free);
  const char *root = g_getenv ("MORSE_ROOT");
  const char *path = g_getenv ("MORSE_RESOURCE_PATH");
  g_auto (GStrv) given = g_strsplit (path != NULL ? path : "", ":", -1);

  for (char **each = given; *each != NULL; each++)
    add_resource (directories, *each);
  if (root != NULL) {
    g_autofree char *data = g_build_filename (root, "share/morse/data", NULL);

    add_resource (directories, data);
  }
  add_resource (directories, "/usr/share/morse/data");
  return directories;
}

static gboolean
take_if_there (char **found, const char *directory, const char *folder, const char *name)
{
  g_free (*found);
  *found = g_build_filename (directory, folder, name, NULL);
  if (g_file_test (*found, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  g_clear_pointer (found, g_free);
  return FALSE;
}

/* Finds a file. A name with a suffix is looked for beside the scene, as a full path, and among
 * MORSE's models, including @folder there; a name without a suffix is one of MORSE's models. */
char *
orrery_scene_find_model (OrreryScene *scene, const char *name, const char *folder)
{
  g_autoptr (GPtrArray) directories = list_resources ();
  g_autofree char *suffix = find_suffix (name);
  g_autofree char *blend = g_strconcat (name, ".blend", NULL);
  const char *file = suffix != NULL ? name : blend;
  char *found = NULL;

  if (g_path_is_absolute (name))
    return g_file_test (name, G_FILE_TEST_IS_REGULAR) ? g_strdup (name) : NULL;
  if (suffix != NULL &&
      (take_if_there (&found, scene->directory, "", file) ||
       (scene->added_root != NULL && take_if_there (&found, scene->added_root, "", file))))
    return found;
  for (guint i = 0; i < directories->len && strstr (name, "..") == NULL; i++)
    if (take_if_there (&found, directories->pdata[i], folder, file) ||
        take_if_there (&found, directories->pdata[i], "", file))
      return found;
  return NULL;
}

static OrreryPart *
create_importer (OrreryScene *scene, const char *path, GError **error)
{
  g_autofree char *suffix = find_suffix (path);
  g_autofree char *classpath =
      g_strdup_printf ("orrery.importers.%s.Importer", suffix != NULL ? suffix : "none");
  const OrreryClass *klass = orrery_registry_find_class (scene->registry, classpath, error);
  OrreryPart *part;

  if (klass == NULL) {
    g_prefix_error (error, "%s: no importer for this format: ", path);
    return NULL;
  }
  part = orrery_registry_create (scene->registry, klass, ORRERY_ROLE_IMPORTER, error);
  if (part == NULL)
    return NULL;
  orrery_part_identify (part, "importer", klass->classpath, 0);
  orrery_part_set_log_levels (part, scene->log_levels, NULL);
  return part;
}

/* Scenes and scripts would look for them by the names of the file. */
static void
warn_of_renamed (OrreryImport *import, const char *path)
{
  g_autofree char *names = orrery_import_list_renamed (import);

  if (names != NULL)
    g_warning ("%s: objects that have the name of another: %s", path, names);
}

static void
note_files (OrreryScene *scene, const char *path, GPtrArray *others)
{
  orrery_scene_note_file (scene, path);
  for (guint i = 0; others != NULL && i < others->len; i++)
    orrery_scene_note_file (scene, others->pdata[i]);
}

static gboolean
load_model (OrreryScene *scene, const char *path, OrreryImport *import, GError **error)
{
  g_autoptr (OrreryPart) importer = create_importer (scene, path, error);
  GError *local = NULL;

  if (importer == NULL)
    return FALSE;
  if (g_cancellable_is_cancelled (scene->cancellable))
    return orrery_set_error (error, ORRERY_ERROR_PREEMPTED, "%s: nobody waits for it any more",
                             path);
  orrery_import_limit (import, scene->read_limit, scene->cancellable);
  ORRERY_IMPORTER_GET_CLASS (importer)->load (ORRERY_IMPORTER (importer), path, import, &local);
  note_files (scene, path, orrery_import_get_files (import));
  if (local == NULL) {
    warn_of_renamed (import, path);
    return orrery_scene_take_options (scene, import, error);
  }
  g_propagate_error (error, local);
  /* Messages of the world about an object do not name the file. */
  if (strstr (local->message, path) == NULL)
    g_prefix_error (error, "%s: ", path);
  return FALSE;
}

/* The import of a file, which is read once per load, for the first object that uses it. */
OrreryImport *
orrery_scene_get_model (OrreryScene *scene, const char *path, GError **error)
{
  OrreryImport *known = g_hash_table_lookup (scene->models, path);
  g_autoptr (OrreryWorld) world = NULL;
  g_autoptr (OrreryImport) import = NULL;

  if (known != NULL)
    return known;
  world = orrery_world_new ();
  import = orrery_import_new (world);
  if (!load_model (scene, path, import, error))
    return NULL;
  g_hash_table_insert (scene->models, g_strdup (path), orrery_import_ref (import));
  return import;
}

static void
import_model (OrreryScene *scene, const char *path)
{
  GError *error = NULL;
  g_autoptr (OrreryImport) import = orrery_import_new (scene->world);

  if (load_model (scene, path, import, &error)) {
    orrery_scene_add_parts (scene, import, scene->environment.import_components, NULL);
    orrery_scene_note_source (scene, import_name (scene), path);
    return;
  }
  orrery_keys_take_error (scene->problems, scene->environment.import, error);
}

/* A name with a suffix means a file. */
static gboolean
is_file_name (OrreryScene *scene)
{
  g_autofree char *suffix = find_suffix (import_name (scene));

  return suffix != NULL;
}

/* --- environments of our own --- */

static void
import_json (OrreryScene *scene, const char *path)
{
  OrreryEnvironmentFileKeys keys;
  OrreryNode *root;
  OrreryNode *node;
  GError *error = NULL;

  root = orrery_scene_read_json (scene, path, &error);
  if (root == NULL) {
    orrery_problems_take (scene->problems, error);
    return;
  }
  g_ptr_array_add (scene->nodes, root);
  orrery_scene_note_source (scene, import_name (scene), path);
  node = orrery_node_get_kind (root) == ORRERY_NODE_DICT ? orrery_node_find (root, "environment")
                                                         : NULL;
  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_DICT) {
    orrery_keys_refuse (scene->problems, root, "not an environment: no dictionary 'environment'");
    return;
  }
  orrery_keys_read (scene->problems, node, &orrery_environment_file_keys, &keys);
  orrery_scene_read_values (scene, keys.properties, NULL);
  orrery_scene_add_objects (scene, keys.objects, NULL);
}

/* Where the environment is. A worker is told by its host and does not search again. */
static char *
find_import (OrreryScene *scene)
{
  char *path;

  if (scene->import_path != NULL)
    return g_strdup (scene->import_path);
  path = find_environment (scene, "");
  if (path == NULL)
    path = orrery_scene_find_model (scene, import_name (scene), "environments");
  if (path == NULL)
    path = find_environment (scene, PLAIN);
  scene->import_path = g_strdup (path);
  return path;
}

void
orrery_scene_import_environment (OrreryScene *scene)
{
  g_autofree char *path = NULL;

  if (scene->environment.import == NULL)
    return;
  path = find_import (scene);
  if (path == NULL)
    orrery_problems_take (scene->problems, is_file_name (scene) ? no_environment_file (scene)
                                                                : no_environment (scene));
  else if (g_str_has_suffix (path, ".json"))
    import_json (scene, path);
  else
    import_model (scene, path);
}

/* --- what one object is made of --- */

static GError *
no_model_file (OrreryScene *scene, OrreryNode *place)
{
  GError *other = no_regular_file (scene, place, orrery_node_get_text (place));

  if (other != NULL)
    return other;
  return orrery_node_error (place, ORRERY_ERROR_NOT_FOUND,
                            "there is no file %s, looked for from %s, in MORSE_RESOURCE_PATH and "
                            "among MORSE's models",
                            orrery_node_get_text (place), scene->directory);
}

/* Whether a file of that name is not in the directory, or is there and not behind a link. */
static gboolean
is_inside (const char *directory, const char *file)
{
  g_autofree char *path = g_build_filename (directory, file, NULL);
  g_autofree char *real = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  real = orrery_file_find_below (directory, file, NULL);
  return real != NULL;
}

gboolean
orrery_scene_may_read (OrreryScene *scene, OrreryNode *name)
{
  const char *file = orrery_node_get_text (name);

  /* What is in none of them is looked for among the models that are installed. */
  if (!scene->confined || (!g_path_is_absolute (file) && strstr (file, "..") == NULL &&
                           is_inside (scene->directory, file) &&
                           (scene->added_root == NULL || is_inside (scene->added_root, file))))
    return TRUE;
  return orrery_keys_refuse (
      scene->problems, name,
      "'%.60s' is no file below the directory of the scene, and a client may name no other", file);
}

void
orrery_scene_import_object (OrreryScene *scene, OrreryNode *node, const OrreryImportKeys *keys,
                            OrreryObject *object)
{
  const char *file = orrery_node_get_text (keys->file);
  g_autofree char *path = orrery_scene_find_model (scene, file, "");
  const char *name = orrery_keys_text (keys->object, NULL);
  g_autoptr (OrreryImport) import =
      orrery_import_new_into (scene->world, object, name,
                              name == NULL ? orrery_keys_text (keys->prefix, NULL) : NULL);
  OrreryImport *model = NULL;
  g_autoptr (GError) error = NULL;

  if (!orrery_scene_may_read (scene, keys->file))
    return;
  if (path == NULL)
    orrery_problems_take (scene->problems, no_model_file (scene, keys->file));
  else if ((model = orrery_scene_get_model (scene, path, &error)) == NULL ||
           !orrery_import_copy (model, import, &error))
    orrery_keys_take_error (scene->problems, keys->file, g_steal_pointer (&error));
  else if (!orrery_import_settle (import, &error))
    orrery_problems_take (scene->problems, orrery_node_error (keys->file, error->code, "%s: %s",
                                                              path, error->message));
  else {
    orrery_scene_add_parts (scene, import, keys->components, node);
    orrery_scene_note_source (scene, file, path);
  }
}
