/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches whose runs other commands do, as tasks of a scheduler. The directory tells what is done,
 * whatever the scheduler says or does not say. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>

/* How often the directory is looked at while tasks of Dask go on. */
#define LOOK_MS 2000
/* As many runs without a result are named. */
#define MAX_WARNINGS 10

void
batch_remote_look (Batch *batch)
{
  for (guint64 run = batch->first; run < batch->end; run++) {
    gboolean failed = FALSE;

    if (batch->cells[run] != NULL || !batch_find_result (batch, run, &failed))
      continue;
    batch->n_done++;
    batch->n_failed += failed ? 1 : 0;
  }
  batch_show_progress (batch);
}

gboolean
batch_remote_ask (const char *const *argv, GCancellable *cancellable, char **out, char **err,
                  GError **error)
{
  g_autoptr (GSubprocess) child =
      g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                         error);

  if (child == NULL)
    return FALSE;
  if (!g_subprocess_communicate_utf8 (child, NULL, cancellable, out, err, error)) {
    g_subprocess_force_exit (child);
    return FALSE;
  }
  return g_subprocess_get_successful (child) ||
         orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%.500s",
                           **err != '\0' ? g_strchomp (*err) : "no answer in time");
}

/* Runs that no task could do. */
static void
count_missing (Batch *batch)
{
  guint n = 0;

  for (guint64 run = batch->first; run < batch->end; run++) {
    if (batch->cells[run] != NULL)
      continue;
    batch->n_done++;
    batch->n_failed++;
    if (++n <= MAX_WARNINGS)
      g_warning ("run %" G_GUINT64_FORMAT " has no result; its log.txt, or what the tasks have "
                 "said, tells why",
                 run);
  }
  if (n > MAX_WARNINGS)
    g_warning ("%u more have none", n - MAX_WARNINGS);
}

int
batch_remote_run (Batch *batch, void (*run) (Batch *batch))
{
  int status;

  batch_set_up (batch);
  batch_remote_look (batch);
  batch->n_skipped = (guint) batch->n_done;
  if (batch->n_done < batch->end)
    run (batch);
  if (batch->error == NULL && !g_cancellable_is_cancelled (cli_control_get_cancellable ()))
    count_missing (batch);
  status = batch_finish (batch);
  batch_tear_down (batch);
  return status;
}

/* --- dask:ADDRESS: a client in Python gives the tasks to the workers --- */

/* Returns: (transfer full): the command line of the client; that of a task is its end */
static GPtrArray *
make_client (Batch *batch)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) task = batch_make_task (batch);
  char timeout[G_ASCII_DTOSTR_BUF_SIZE];

  g_ptr_array_add (argv, g_strdup (batch->program));
  g_ptr_array_add (argv, g_strdup ("python"));
  g_ptr_array_add (argv, g_strdup ("-m"));
  g_ptr_array_add (argv, g_strdup ("orrery._batch_dask"));
  g_ptr_array_add (argv, g_strdup (batch->options->address));
  g_ptr_array_add (argv, g_strdup (g_ascii_dtostr (timeout, sizeof timeout,
                                                   batch->options->claim_timeout)));
  g_ptr_array_add (argv, batch_job_list_tasks (batch));
  g_ptr_array_add (argv, g_strdup_printf ("%" G_GUINT64_FORMAT, batch_job_get_n_tasks (batch)));
  for (guint i = 0; i < task->len; i++)
    g_ptr_array_add (argv, g_strdup (task->pdata[i]));
  g_ptr_array_add (argv, NULL);
  return argv;
}

static void
on_end (GObject *child, GAsyncResult *result, gpointer user_data)
{
  g_subprocess_wait_finish (G_SUBPROCESS (child), result, NULL);
  g_main_loop_quit (user_data);
}

static gboolean
on_look (gpointer user_data)
{
  batch_remote_look (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  g_subprocess_send_signal (user_data, SIGTERM);
  return G_SOURCE_REMOVE;
}

static void
wait_for_client (Batch *batch, GSubprocess *child)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());
  guint timer = g_timeout_add (LOOK_MS, on_look, batch);

  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), child, NULL);
  g_source_attach (cancelled, NULL);
  g_subprocess_wait_async (child, NULL, on_end, batch->loop);
  g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  g_source_remove (timer);
}

/* The client needs a second until it tries, and may wait for long. */
static void
tell_address (const BatchOptions *options)
{
  g_autofree char *line = g_strdup_printf (
      "orrery batch: --engine dask: connecting to the scheduler at %s; the command "
      "ends if it does not answer within %g s (--claim-timeout)\n",
      options->address, options->claim_timeout);

  cli_write (stderr, line);
}

void
batch_dask_run (Batch *batch)
{
  g_autoptr (GPtrArray) argv = make_client (batch);
  g_autoptr (GSubprocess) child =
      g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, &batch->error);
  int status;

  if (child == NULL)
    return;
  tell_address (batch->options);
  wait_for_client (batch, child);
  batch_remote_look (batch);
  status = g_subprocess_get_if_exited (child) ? g_subprocess_get_exit_status (child) : CLI_INTERNAL;
  if (status == CLI_OK || g_cancellable_is_cancelled (cli_control_get_cancellable ()))
    return;
  /* The client has said why. */
  orrery_set_error (&batch->error, status == CLI_MISSING ? ORRERY_ERROR_NOT_FOUND : ORRERY_ERROR_IO,
                    "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs are done", batch->n_done,
                    batch->end);
}
