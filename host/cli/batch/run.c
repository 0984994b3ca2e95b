/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a batch: its directory, its result, its process. */
#include "plan.h"

#include "../support/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

char *
batch_get_run_directory (Batch *batch, guint64 index)
{
  g_autofree char *name = g_strdup_printf ("run-%05" G_GUINT64_FORMAT, index);

  return g_build_filename (batch->options->directory, name, NULL);
}

/* A number of a result, or nothing: NaN and infinities are null there. */
static void
append_number (GString *cells, OrreryNode *dict, const char *key)
{
  OrreryNode *node = dict != NULL && orrery_node_get_kind (dict) == ORRERY_NODE_DICT
                         ? orrery_node_find (dict, key)
                         : NULL;
  OrreryNodeKind kind = node != NULL ? orrery_node_get_kind (node) : ORRERY_NODE_NULL;
  g_autofree char *number = NULL;

  if (kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE)
    number = batch_print_json (node);
  g_string_append_c (cells, ',');
  if (number != NULL)
    g_string_append (cells, number);
}

/* The cells of results.csv that a result fills: exit code, ticks, hash, metrics. */
static char *
print_cells (Batch *batch, OrreryNode *result, gint64 status)
{
  OrreryNode *hash = orrery_node_find (result, "hash");
  g_autoptr (GString) cells = g_string_new (NULL);

  g_string_printf (cells, "%" G_GINT64_FORMAT, status);
  append_number (cells, result, "ticks");
  g_string_append_c (cells, ',');
  if (hash != NULL && orrery_node_get_kind (hash) == ORRERY_NODE_TEXT)
    g_string_append (cells, orrery_node_get_text (hash));
  for (char **each = batch->options->metrics; each != NULL && *each != NULL; each++) {
    g_autofree char *name = cli_metric_cut_name (*each);

    append_number (cells, orrery_node_find (result, "metrics"), name);
  }
  return g_string_free (g_steal_pointer (&cells), FALSE);
}

/* --- what the scene draws --- */

static OrreryNode *
find_drawn (OrreryNode *result)
{
  OrreryNode *drawn = orrery_node_find (result, "randomisation");

  return drawn != NULL && orrery_node_get_kind (drawn) == ORRERY_NODE_DICT ? drawn : NULL;
}

/* The scene is the same in all runs, and so are the paths. */
static void
note_paths (Batch *batch, OrreryNode *drawn)
{
  guint n = orrery_node_get_length (drawn);

  batch->drawn_paths = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    batch->drawn_paths[i] = g_strdup (orrery_node_get_key (drawn, i));
}

/* The cells of results.csv with what the last episode began with, a comma before each. */
static char *
print_drawn (Batch *batch, OrreryNode *result)
{
  g_autoptr (GString) cells = g_string_new (NULL);
  OrreryNode *drawn = find_drawn (result);

  if (drawn != NULL && batch->drawn_paths == NULL)
    note_paths (batch, drawn);
  for (char **path = batch->drawn_paths; drawn != NULL && *path != NULL; path++) {
    OrreryNode *node = orrery_node_find (drawn, *path);
    g_autofree char *value = node != NULL ? batch_print_json (node) : NULL;

    g_string_append_c (cells, ',');
    if (value != NULL)
      batch_append_value (cells, value);
  }
  return drawn != NULL ? g_string_free (g_steal_pointer (&cells), FALSE) : NULL;
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
  if (orrery_node_get_int (status) >= 128)
    return FALSE;
  g_free (batch->cells[index]);
  batch->cells[index] = print_cells (batch, root, orrery_node_get_int (status));
  g_free (batch->drawn[index]);
  batch->drawn[index] = print_drawn (batch, root);
  return TRUE;
}

static void
add_option (GPtrArray *argv, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_ptr_array_add (argv, g_strdup (name));
  g_ptr_array_add (argv, g_strdup (value));
}

/* What runs and the check before them have in common. */
static void
add_settings (GPtrArray *argv, Batch *batch, guint64 index)
{
  const BatchOptions *options = batch->options;
  g_autofree char *read_limit = g_strdup_printf ("%u", cli_get_read_limit ());

  add_option (argv, "--read-limit", read_limit);
  for (char **each = options->settings; each != NULL && *each != NULL; each++)
    add_option (argv, "--set", *each);
  for (char **each = options->metrics; each != NULL && *each != NULL; each++)
    add_option (argv, "--metric", *each);
  for (guint i = 0; i < batch_plan_get_n_paths (batch->plan); i++) {
    g_autofree char *value = batch_plan_print_value (batch->plan, i, index);
    g_autofree char *setting =
        g_strdup_printf ("%s=%s", batch_plan_get_path (batch->plan, i), value);

    if (!batch_plan_is_seed (batch->plan, i))
      add_option (argv, "--set", setting);
  }
  for (char **each = options->plugin_dirs; each != NULL && *each != NULL; each++) {
    g_autofree char *full = g_canonicalize_filename (*each, NULL);

    add_option (argv, "--plugin-dir", full);
  }
}

GPtrArray *
batch_make_command (Batch *batch, guint64 index)
{
  const BatchOptions *options = batch->options;
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *seed =
      g_strdup_printf ("%" G_GUINT64_FORMAT, batch_plan_get_seed (batch->plan, index));

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
  add_option (argv, "--result", "result.json");
  add_option (argv, "--record", options->record.file);
  add_option (argv, "--record-only", options->record.only);
  if (options->record.full)
    g_ptr_array_add (argv, g_strdup ("--record-full"));
  if (options->checkpoint_text != NULL) {
    add_option (argv, "--checkpoint", "checkpoint.bin");
    add_option (argv, "--checkpoint-every", options->checkpoint_text);
  }
  add_settings (argv, batch, index);
  g_ptr_array_add (argv, NULL);
  return argv;
}

static int
check_values_of (Batch *batch, guint64 index)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;
  int status = CLI_INTERNAL;

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("check"));
  g_ptr_array_add (argv, g_strdup (batch->scene));
  add_settings (argv, batch, index);
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE,
                             &error);
  if (child == NULL)
    return cli_fail (error);
  if (!g_subprocess_wait (child, cli_control_get_cancellable (), NULL)) {
    g_subprocess_force_exit (child);
    g_subprocess_wait (child, NULL, NULL);
    return cli_control_get_exit_code (CLI_INTERNAL);
  }
  if (g_subprocess_get_if_exited (child))
    status = g_subprocess_get_exit_status (child);
  if (status != CLI_OK)
    fprintf (stderr,
             "orrery batch: the scene does not take the values of run %" G_GUINT64_FORMAT
             ", given as --set; no run was started\n",
             index);
  return status;
}

int
batch_check_values (Batch *batch)
{
  guint64 last = batch_plan_get_n_runs (batch->plan) - 1;
  gboolean varies = batch_plan_get_n_paths (batch->plan) > 0;
  gboolean is_set = batch->options->settings != NULL || batch->options->metrics != NULL;
  int status = CLI_OK;

  if (batch->options->only_text != NULL || batch->options->rank > 0 || (!varies && !is_set))
    return CLI_OK;
  status = check_values_of (batch, 0);
  return status == CLI_OK && varies && last > 0 ? check_values_of (batch, last) : status;
}

/* --- its process --- */

/* In the child, after its standard output has become the log. */
static void
set_up_child (gpointer parent)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  /* The command may have been killed before that. */
  if (getppid () != GPOINTER_TO_INT (parent))
    _exit (CLI_OK);
  dup2 (STDOUT_FILENO, STDERR_FILENO);
}

int
batch_open_log (Batch *batch, guint64 index, GError **error)
{
  g_autofree char *directory = batch_get_run_directory (batch, index);
  g_autofree char *path = g_build_filename (directory, "log.txt", NULL);
  int log = -1;

  if (g_mkdir_with_parents (directory, 0777) != 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", directory, g_strerror (errno));
    return -1;
  }
  log = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log < 0)
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", path, g_strerror (errno));
  return log;
}

gboolean
batch_spawn_run (Batch *batch, guint64 index, GPid *pid, GError **error)
{
  g_autoptr (GPtrArray) argv = batch_make_command (batch, index);
  g_autofree char *directory = batch_get_run_directory (batch, index);
  int log = batch_open_log (batch, index, error);
  int ours[] = { batch->lock, batch->alive };
  int theirs[] = { BATCH_LOCK_FD, BATCH_ALIVE_FD };
  gsize begin = batch->lock >= 0 ? 0 : 1, end = batch->alive >= 0 ? 2 : 1;
  gboolean good;

  if (log < 0)
    return FALSE;
  /* Who is left of a command that was killed keeps the next one from the directory. */
  good = g_spawn_async_with_pipes_and_fds (directory, (const char *const *) argv->pdata, NULL,
                                           G_SPAWN_DO_NOT_REAP_CHILD, set_up_child,
                                           GINT_TO_POINTER ((int) getpid ()), -1, log, -1,
                                           ours + begin, theirs + begin, end - begin, pid, NULL,
                                           NULL, NULL, error);
  close (log);
  return good;
}
