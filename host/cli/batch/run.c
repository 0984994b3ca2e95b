/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a batch: its directory, its result, its process. */
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>

char *
batch_get_run_directory (Batch *batch, guint64 index)
{
  g_autofree char *name = g_strdup_printf ("run-%05" G_GUINT64_FORMAT, index);

  return g_build_filename (batch->options->directory, name, NULL);
}

gboolean
batch_find_result (Batch *batch, guint64 index, gboolean *failed)
{
  g_autofree char *directory = batch_get_run_directory (batch, index);
  g_autofree char *path = g_build_filename (directory, "result.json", NULL);
  g_autoptr (OrreryNode) root = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;
  OrreryNode *status = NULL;

  if (g_file_get_contents (path, &text, &length, NULL))
    root = orrery_node_parse_json (text, length, path, NULL);
  if (root != NULL && orrery_node_get_kind (root) == ORRERY_NODE_DICT)
    status = orrery_node_find (root, "exit");
  if (status == NULL || orrery_node_get_kind (status) != ORRERY_NODE_INT)
    return FALSE;
  *failed = orrery_node_get_int (status) != 0;
  /* One that was interrupted is to be done again. */
  return orrery_node_get_int (status) < 128;
}

static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
}

static void
add_option (GPtrArray *argv, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (argv, g_strdup (name));
  g_ptr_array_add (argv, g_strdup (value));
}

static GPtrArray *
make_command (Batch *batch, guint64 index)
{
  const BatchOptions *options = batch->options;
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, options->seed + index);
  g_autofree char *read_limit = g_strdup_printf ("%u", cli_get_read_limit ());

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("run"));
  g_ptr_array_add (argv, g_strdup (batch->scene));
  g_ptr_array_add (argv, g_strdup ("--fast"));
  g_ptr_array_add (argv, g_strdup ("--hash"));
  if (!options->online)
    g_ptr_array_add (argv, g_strdup ("--offline"));
  if (options->strict)
    g_ptr_array_add (argv, g_strdup ("--strict"));
  add_option (argv, "--seed", seed);
  add_option (argv, "--start", options->start_text != NULL ? options->start_text : "0");
  add_option (argv, "--for", options->duration_text);
  add_option (argv, "--ticks", options->ticks_text);
  add_option (argv, "--read-limit", read_limit);
  add_option (argv, "--result", "result.json");
  if (options->record)
    add_option (argv, "--record", "run.mcap");
  for (char **each = options->settings; each != NULL && *each != NULL; each++)
    add_option (argv, "--set", *each);
  for (char **each = options->plugin_dirs; each != NULL && *each != NULL; each++) {
    g_autofree char *full = g_canonicalize_filename (*each, NULL);

    add_option (argv, "--plugin-dir", full);
  }
  g_ptr_array_add (argv, NULL);
  return argv;
}

GSubprocess *
batch_spawn_run (Batch *batch, guint64 index, GError **error)
{
  g_autoptr (GPtrArray) argv = make_command (batch, index);
  g_autofree char *directory = batch_get_run_directory (batch, index);
  g_autofree char *log = g_build_filename (directory, "log.txt", NULL);
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);

  if (g_mkdir_with_parents (directory, 0777) != 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", directory, g_strerror (errno));
    return NULL;
  }
  g_subprocess_launcher_set_cwd (launcher, directory);
  g_subprocess_launcher_set_stdout_file_path (launcher, log);
  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
}
