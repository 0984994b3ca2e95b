/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene of a batch, and the directory that holds runs of it alone. */
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>

/* The builder writes files only. */
static int
keep_scene (const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) directory = g_dir_open (from, 0, &error);
  const char *name = NULL;

  if (directory != NULL && g_mkdir_with_parents (to, 0777) != 0)
    orrery_set_error (&error, ORRERY_ERROR_IO, "%s: %s", to, g_strerror (errno));
  while (error == NULL && (name = g_dir_read_name (directory)) != NULL) {
    g_autofree char *source = g_build_filename (from, name, NULL);
    g_autofree char *target = g_build_filename (to, name, NULL);
    g_autofree char *text = NULL;
    gsize length = 0;

    if (g_file_get_contents (source, &text, &length, &error))
      orrery_output_replace (target, text, (gssize) length, NULL, &error);
  }
  return error == NULL ? CLI_OK : cli_fail (error);
}

static void
add_file (GChecksum *sum, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *text = NULL;
  gsize length = 0;

  if (g_file_get_contents (path, &text, &length, NULL))
    g_checksum_update (sum, (const guchar *) text, (gssize) length);
}

/* Of a file, or of a directory with scene and config. */
static char *
sum_file (const char *path)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);

  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    add_file (sum, path, "scene.json");
    add_file (sum, path, "component_config.py");
  } else {
    add_file (sum, directory, name);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static void
append_texts (GString *text, const char *word, char **texts)
{
  for (char **each = texts; each != NULL && *each != NULL; each++) {
    g_autofree char *line = g_strescape (*each, NULL);

    g_string_append_printf (text, "%s %s\n", word, line);
  }
}

/* More runs of the same points may be added, but where a Latin hypercube was divided by them. */
static void
describe_variation (Batch *batch, GString *text)
{
  const BatchOptions *options = batch->options;

  if (options->cases != NULL) {
    g_autofree char *sum = sum_file (options->cases);

    g_string_append_printf (text, "cases %s\n", sum);
  }
  append_texts (text, "sweep", options->sweeps);
  append_texts (text, "draw", options->draws);
  append_texts (text, "metric", options->metrics);
  if (options->latin)
    g_string_append_printf (text, "latin %" G_GUINT64_FORMAT "\n",
                            batch_plan_get_n_runs (batch->plan));
}

/* What all runs of a directory have in common, as text. */
static char *
describe (Batch *batch)
{
  const BatchOptions *options = batch->options;
  g_autofree char *sum = sum_file (batch->scene);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "scene %s\nseed %" G_GUINT64_FORMAT "\nfor %s\nticks %s\nstart %s\n%s",
                   sum, options->seed,
                   options->duration_text != NULL ? options->duration_text : "-",
                   options->ticks_text != NULL ? options->ticks_text : "-",
                   options->start_text != NULL ? options->start_text : "0",
                   options->strict ? "strict\n" : "");
  if (options->recorded)
    g_string_append_printf (text, "recorded%s%s\n", options->record.only != NULL ? " inputs" : "",
                            options->record.full ? " full" : "");
  append_texts (text, "set", options->settings);
  describe_variation (batch, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The first line in which two descriptions differ tells what is another experiment. */
static void
tell_difference (const char *directory, const char *before, const char *now)
{
  g_auto (GStrv) there = g_strsplit (before, "\n", -1);
  g_auto (GStrv) here = g_strsplit (now, "\n", -1);
  guint i = 0;

  while (there[i] != NULL && here[i] != NULL && g_str_equal (there[i], here[i]))
    i++;
  if (there[i] != NULL && g_str_has_prefix (there[i], "scene "))
    fprintf (stderr, "orrery batch: %s holds runs of another scene", directory);
  else
    fprintf (stderr,
             "orrery batch: %s holds runs of another experiment: batch.txt has '%.200s' where this "
             "command has '%.200s'",
             directory, there[i] != NULL ? there[i] : "", here[i] != NULL ? here[i] : "");
  fprintf (stderr, "; choose another --out, or remove it\n");
}

/* Results of two scenes do not lie in one directory; what a scene file names is not looked at. */
static int
check_directory (Batch *batch)
{
  g_autofree char *path = g_build_filename (batch->options->directory, "batch.txt", NULL);
  g_autofree char *now = describe (batch);
  g_autofree char *before = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &before, NULL, NULL)) {
    if (orrery_output_replace (path, now, -1, NULL, &error))
      return CLI_OK;
    return cli_fail (error);
  }
  if (g_str_equal (before, now))
    return CLI_OK;
  tell_difference (batch->options->directory, before, now);
  return CLI_CONFIG;
}

int
batch_find_scene (Batch *batch, const char *file, char **arguments)
{
  g_autofree char *kept = g_build_filename (batch->options->directory, "scene", NULL);
  g_autoptr (OrreryRegistry) registry = NULL;
  g_auto (CliScene) scene = { NULL };
  int status = CLI_USAGE;

  registry = cli_registry_new (batch->options->plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = batch_arrays_check (batch);
  if (status != CLI_OK)
    return status;
  status = cli_scene_open (&scene, registry, file, arguments, NULL);
  if (status != CLI_OK)
    return status;
  batch->scene = g_canonicalize_filename (scene.path, NULL);
  /* What the scene does not take is no experiment that the directory is for. */
  status = batch_check_values (batch);
  if (status == CLI_OK)
    status = check_directory (batch);
  if (scene.temporary == NULL || status != CLI_OK)
    return status;

  g_free (batch->scene);
  batch->scene = g_canonicalize_filename (kept, NULL);
  return keep_scene (scene.path, kept);
}
