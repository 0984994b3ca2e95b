/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <glib/gstdio.h>
#include <string.h>

OrreryRegistry *
cli_registry_new (char **directories, int *status)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;

  for (char **directory = directories; directory != NULL && *directory != NULL; directory++) {
    if (!orrery_registry_add_directory (registry, *directory, &error)) {
      *status = cli_fail (error);
      return NULL;
    }
  }
  return g_steal_pointer (&registry);
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

int
cli_scene_open (CliScene *scene, OrreryRegistry *registry, const char *file, char **arguments)
{
  g_autoptr (GError) error = NULL;

  *scene = (CliScene){ NULL };
  if (g_file_test (file, G_FILE_TEST_IS_DIR) || is_scene_file (file, &error)) {
    scene->path = g_strdup (file);
    return CLI_OK;
  }
  if (error == NULL)
    scene->temporary = g_dir_make_tmp ("orrery-XXXXXX", &error);
  if (error != NULL)
    return cli_fail (error);
  scene->path = g_strdup (scene->temporary);
  return cli_builder_run (registry, file, scene->path, arguments);
}

/* The directory is flat: the builder writes files only. */
static void
remove_directory (const char *path)
{
  GDir *directory = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);

    g_unlink (file);
  }
  g_clear_pointer (&directory, g_dir_close);
  g_rmdir (path);
}

void
cli_scene_clear (CliScene *scene)
{
  if (scene->temporary != NULL)
    remove_directory (scene->temporary);
  g_clear_pointer (&scene->temporary, g_free);
  g_clear_pointer (&scene->path, g_free);
}
