/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns what the user named into a scene that can be loaded. */
#include "cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_ENTRIES 10000 /* of a directory that are looked at for a name */

OrreryRegistry *
cli_registry_new (char **directories, int *status)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;

  for (char **directory = directories; directory != NULL && *directory != NULL; directory++) {
    if (!orrery_registry_add_directory (registry, *directory, &error)) {
      g_prefix_error_literal (&error, "--plugin-dir ");
      *status = cli_fail (error);
      return NULL;
    }
  }
  return g_steal_pointer (&registry);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns: (transfer full): the end of a message about a file that is not there: what its directory
 * has of nearly that name, if anything */
static char *
find_nearest_file (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *words = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) entries = g_dir_open (directory, 0, NULL);
  const char *entry;

  while (entries != NULL && names->len < MAX_ENTRIES && (entry = g_dir_read_name (entries)) != NULL)
    if (entry[0] != '.' && g_utf8_validate (entry, -1, NULL))
      g_ptr_array_add (names, g_strdup (entry));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  words = orrery_nearest_names (name, (const char *const *) names->pdata);
  return g_str_has_prefix (words, "; did you mean ") ? g_steal_pointer (&words) : g_strdup ("");
}

/* A pipe or a device would block, or never end. */
static gboolean
check_file (const char *path, GError **error)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0 && errno == ENOENT) {
    g_autofree char *nearest = find_nearest_file (path);

    return orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: there is no such file%s", path,
                             nearest);
  }
  if (g_stat (path, &info) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", path, g_strerror (errno));
  if (S_ISREG (info.st_mode) && info.st_size <= ORRERY_NODE_MAX_BYTES)
    return TRUE;
  if (S_ISREG (info.st_mode))
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s: a file of %" G_GINT64_FORMAT " bytes; at most %d are read", path,
                      (gint64) info.st_size, ORRERY_NODE_MAX_BYTES);
  else
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
        "%s: neither a file nor a directory; a builder script, a scene file or a directory "
        "made by `orrery build` is expected",
        path);
  return FALSE;
}

/* Only a scene file begins with a brace; a script may have any name, or none at all. */
static gboolean
is_scene_file (const char *path, GError **error)
{
  char head[4096] = { 0 };
  gsize length = 0;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);

  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head - 1,
                                                  &length, NULL, error))
    return FALSE;
  return g_str_has_suffix (path, ".json") || head[strspn (head, " \t\r\n\xef\xbb\xbf")] == '{';
}

/* Sites of MORSE, and directories of the user's own, have none. */
static gboolean
check_directory (const char *path, GError **error)
{
  g_autofree char *file = g_build_filename (path, "scene.json", NULL);
  g_autofree char *script = g_build_filename (path, "default.py", NULL);

  if (g_file_test (file, G_FILE_TEST_EXISTS))
    return TRUE;
  if (g_file_test (script, G_FILE_TEST_IS_REGULAR))
    return orrery_set_error (error, ORRERY_ERROR_NO_FILE,
                             "%s: there is no such file, which `orrery build` writes; there is a "
                             "script, %s",
                             file, script);
  return orrery_set_error (error, ORRERY_ERROR_NO_FILE,
                           "%s: there is no such file, which `orrery build` writes", file);
}

int
cli_scene_open (CliScene *scene, OrreryRegistry *registry, const char *file, char **arguments,
                const char *continued)
{
  g_autoptr (GError) error = NULL;
  int status;

  *scene = (CliScene){ NULL };
  if (continued != NULL && *continued != '\0') {
    if (!cli_temporary_adopt (continued))
      return cli_usage (NULL, "--continue is not for users");
    scene->temporary = g_strdup (continued);
    scene->path = g_strdup (continued);
    cli_set_built (continued, file);
    return CLI_OK;
  }
  if (cli_model_is (registry, file))
    return cli_model_open (scene, registry, file);
  if (g_file_test (file, G_FILE_TEST_IS_DIR)
          ? check_directory (file, &error)
          : check_file (file, &error) && is_scene_file (file, &error)) {
    scene->path = g_strdup (file);
    return CLI_OK;
  }
  if (error == NULL)
    scene->temporary = cli_temporary_make (&error);
  if (error != NULL)
    return cli_fail (error);
  cli_set_built (scene->temporary, file);
  scene->path = g_strdup (scene->temporary);
  status = cli_builder_run (registry, file, scene->path, TRUE, arguments);
  if (status == CLI_OK)
    cli_python_add_paths (scene->path);
  return status;
}

void
cli_scene_clear (CliScene *scene)
{
  if (scene->temporary != NULL)
    cli_temporary_remove ();
  cli_set_built (NULL, NULL);
  g_clear_pointer (&scene->temporary, g_free);
  g_clear_pointer (&scene->path, g_free);
}
