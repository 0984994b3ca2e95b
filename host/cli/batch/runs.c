/* SPDX-License-Identifier: BSD-3-Clause */
/* All runs of a batch, several at a time. */
#define _GNU_SOURCE
#include "batch.h"

#include "../support/cli.h"

#include <glib-unix.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Interrupted, and the same command goes on where it was: EX_TEMPFAIL, which queues requeue on. */
#define CLI_RESUMABLE 75

typedef struct {
  Batch *batch;
  guint64 index;
  GPid pid;
  int pid_fd;
  gint64 started; /* us */
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
note_end (Batch *batch, guint64 index, int status)
{
  gboolean failed = TRUE;
  g_autofree char *directory = batch_get_run_directory (batch, index);
  gboolean found = batch_find_result (batch, index, &failed);

  batch->n_done++;
  if (!failed)
    return;
  batch->n_failed++;
  if (WIFSIGNALED (status))
    g_warning ("%s: killed by signal %d", directory, WTERMSIG (status));
  else if (found)
    g_warning ("%s: exit code %d; log.txt says why", directory, WEXITSTATUS (status));
  else
    g_warning ("%s: left no result; log.txt says why", directory);
}

/* @usage: (nullable) */
static void
end_run (Run *run, int status, const struct rusage *usage)
{
  Batch *batch = run->batch;

  batch_try_note (batch, run->index, status, usage,
                  (double) (g_get_monotonic_time () - run->started) * 1e-6);
  if (!is_interrupted ())
    note_end (batch, run->index, status);
  if (run->pid_fd >= 0)
    close (run->pid_fd);
  g_ptr_array_remove (batch->going, run);
  show_progress (batch);
  fill (batch);
}

static gboolean
on_pid_fd (int fd, GIOCondition condition, gpointer user_data)
{
  Run *run = user_data;
  struct rusage usage;
  int status = 0;

  if (TEMP_FAILURE_RETRY (wait4 (run->pid, &status, WNOHANG, &usage)) != run->pid)
    return G_SOURCE_CONTINUE;
  end_run (run, status, &usage);
  return G_SOURCE_REMOVE;
}

static void
on_end (GPid pid, int status, gpointer user_data)
{
  end_run (user_data, status, NULL);
}

static void
start_run (Batch *batch, guint64 index)
{
  gint64 started = g_get_monotonic_time ();
  GPid pid = 0;
  Run *run;

  if (!batch_spawn_run (batch, index, &pid, &batch->error))
    return;
  run = g_new (Run, 1);
  *run = (Run){ .batch = batch, .index = index, .pid = pid, .started = started };
  g_ptr_array_add (batch->going, run);
  run->pid_fd = (int) syscall (SYS_pidfd_open, pid, 0);
  /* Linux before 5.3 has no such call, and GLib does not say what a child has used. */
  if (run->pid_fd >= 0)
    g_unix_fd_add (run->pid_fd, G_IO_IN, on_pid_fd, run);
  else
    g_child_watch_add (pid, on_end, run);
}

/* As many as may go on at a time; the loop ends when none does. */
static void
fill (Batch *batch)
{
  while (batch->going->len < batch->options->n_jobs && batch->next < batch->end &&
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
  if (batch->going->len == 0)
    g_main_loop_quit (batch->loop);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Batch *batch = user_data;

  for (guint i = 0; i < batch->going->len; i++)
    kill (((Run *) batch->going->pdata[i])->pid, SIGTERM);
  if (batch->going->len == 0)
    g_main_loop_quit (batch->loop);
  return G_SOURCE_REMOVE;
}

static int
finish (Batch *batch)
{
  int signal_code = cli_control_get_exit_code (0);
  int written;

  cli_set_status_line (NULL);
  /* Tasks of a queue, which do one run each, would write over each other's tables. */
  written = batch->options->only_text == NULL ? batch_write_tables (batch) : CLI_OK;
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
  if (written != CLI_OK)
    return written;
  return batch->n_failed > 0 ? CLI_DIFFERENT : CLI_OK;
}

int
batch_run_all (Batch *batch)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());
  int status;

  batch->loop = g_main_loop_new (NULL, FALSE);
  batch->going = g_ptr_array_new_with_free_func (g_free);
  batch->cells = g_new0 (char *, batch_plan_get_n_runs (batch->plan) + 1);
  batch->host = g_get_host_name ();
  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), batch, NULL);
  g_source_attach (cancelled, NULL);
  batch->next = batch->options->only_text != NULL ? batch->options->only : 0;
  batch->end =
      batch->options->only_text != NULL ? batch->next + 1 : batch_plan_get_n_runs (batch->plan);
  fill (batch);
  if (batch->going->len > 0)
    g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  g_clear_pointer (&batch->going, g_ptr_array_unref);
  g_clear_pointer (&batch->loop, g_main_loop_unref);
  status = finish (batch);
  for (guint64 i = 0; i < batch_plan_get_n_runs (batch->plan); i++)
    g_free (batch->cells[i]);
  g_clear_pointer (&batch->cells, g_free);
  return status;
}
