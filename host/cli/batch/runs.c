/* SPDX-License-Identifier: BSD-3-Clause */
/* All runs of a batch, several at a time. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>

/* Interrupted, and the same command goes on where it was: EX_TEMPFAIL, which queues requeue on. */
#define CLI_RESUMABLE 75

typedef struct {
  Batch *batch;
  guint64 index;
} Run;

static void fill (Batch *batch);

static void
show_progress (Batch *batch)
{
  g_autofree char *line =
      g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs, %u failed",
                       batch->n_done,
                       batch->options->only_text != NULL ? 1 : batch_plan_get_n_runs (batch->plan),
                       batch->n_failed);

  if (cli_is_terminal (stdout))
    cli_set_status_line (line);
}

static gboolean
is_interrupted (void)
{
  return g_cancellable_is_cancelled (cli_control_get_cancellable ());
}

static void
note_end (Batch *batch, guint64 index, GSubprocess *child)
{
  gboolean failed = TRUE;
  g_autofree char *directory = batch_get_run_directory (batch, index);
  gboolean found = batch_find_result (batch, index, &failed);

  batch->n_done++;
  if (!failed)
    return;
  batch->n_failed++;
  if (g_subprocess_get_if_signaled (child))
    g_warning ("%s: killed by signal %d", directory, g_subprocess_get_term_sig (child));
  else if (found)
    g_warning ("%s: exit code %d; log.txt says why", directory,
               g_subprocess_get_exit_status (child));
  else
    g_warning ("%s: left no result; log.txt says why", directory);
}

static void
on_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Run *run = user_data;
  Batch *batch = run->batch;
  GSubprocess *child = G_SUBPROCESS (source);

  g_subprocess_wait_finish (child, result, NULL);
  batch->n_going--;
  if (!is_interrupted ())
    note_end (batch, run->index, child);
  g_ptr_array_remove (batch->children, child);
  show_progress (batch);
  fill (batch);
}

static void
start_run (Batch *batch, guint64 index)
{
  GSubprocess *child = batch_spawn_run (batch, index, &batch->error);
  Run *run;

  if (child == NULL)
    return;
  run = g_new (Run, 1);
  run->batch = batch;
  run->index = index;
  batch->n_going++;
  g_ptr_array_add (batch->children, child);
  g_subprocess_wait_async (child, NULL, on_end, run);
}

/* As many as may go on at a time; the loop ends when none does. */
static void
fill (Batch *batch)
{
  while (batch->n_going < batch->options->n_jobs && batch->next < batch->end &&
         batch->error == NULL && !is_interrupted ()) {
    guint64 index = batch->next++;
    gboolean failed = FALSE;

    if (!batch_find_result (batch, index, &failed)) {
      start_run (batch, index);
      continue;
    }
    batch->n_done++;
    batch->n_skipped++;
    batch->n_failed += failed ? 1 : 0;
  }
  if (batch->n_going == 0)
    g_main_loop_quit (batch->loop);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Batch *batch = user_data;

  for (guint i = 0; i < batch->children->len; i++)
    g_subprocess_send_signal (batch->children->pdata[i], SIGTERM);
  if (batch->n_going == 0)
    g_main_loop_quit (batch->loop);
  return G_SOURCE_REMOVE;
}

static int
finish (Batch *batch)
{
  int signal_code = cli_control_get_exit_code (0);

  cli_set_status_line (NULL);
  if (batch->error != NULL)
    return cli_fail (batch->error);
  if (signal_code != 0) {
    fprintf (stderr,
             "orrery batch: interrupted after %" G_GUINT64_FORMAT
             " runs; the same command does the others\n",
             batch->n_done);
    return signal_code == 128 + SIGTERM ? CLI_RESUMABLE : signal_code;
  }
  printf ("%" G_GUINT64_FORMAT " runs, %u failed, %u were there already\n", batch->n_done,
          batch->n_failed, batch->n_skipped);
  return batch->n_failed > 0 ? CLI_DIFFERENT : CLI_OK;
}

int
batch_run_all (Batch *batch)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());

  batch->loop = g_main_loop_new (NULL, FALSE);
  batch->children = g_ptr_array_new_with_free_func (g_object_unref);
  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), batch, NULL);
  g_source_attach (cancelled, NULL);
  batch->next = batch->options->only_text != NULL ? batch->options->only : 0;
  batch->end =
      batch->options->only_text != NULL ? batch->next + 1 : batch_plan_get_n_runs (batch->plan);
  fill (batch);
  if (batch->n_going > 0)
    g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  g_clear_pointer (&batch->children, g_ptr_array_unref);
  g_clear_pointer (&batch->loop, g_main_loop_unref);
  return finish (batch);
}
