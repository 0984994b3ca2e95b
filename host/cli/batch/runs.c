/* SPDX-License-Identifier: BSD-3-Clause */
/* All runs of a batch, several at a time. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>
#include <sys/wait.h>

/* Interrupted, and the same command goes on where it was: EX_TEMPFAIL, which queues requeue on. */
#define CLI_RESUMABLE 75

static gboolean
is_interrupted (void)
{
  return g_cancellable_is_cancelled (cli_control_get_cancellable ());
}

/* Whether no run is started any more, and what ends now is to be done again. */
static gboolean
is_stopped (Batch *batch)
{
  return is_interrupted () || batch_shared_is_lost (batch);
}

/* --- the end of a run --- */

/* By somebody or something outside: the kernel without memory, a queue, a shutdown. What a run does
 * wrong ends it by other signals. */
static gboolean
is_killed (int status)
{
  static const int signals[] = { SIGHUP, SIGINT, SIGKILL, SIGTERM, SIGXCPU };
  int number = 0;

  if (WIFSIGNALED (status))
    number = WTERMSIG (status);
  else if (WEXITSTATUS (status) > 128)
    number = WEXITSTATUS (status) - 128;
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    if (number == signals[i])
      return TRUE;
  return FALSE;
}

/* Whether it is to be done again. */
static gboolean
try_again (Batch *batch, guint64 run)
{
  guint64 n = GPOINTER_TO_SIZE (g_hash_table_lookup (batch->retried, GSIZE_TO_POINTER (run)));

  if (n >= batch->options->retries)
    return FALSE;
  g_hash_table_insert (batch->retried, GSIZE_TO_POINTER (run), GSIZE_TO_POINTER (n + 1));
  g_array_append_val (batch->again, run);
  return TRUE;
}

static void
warn_of (Batch *batch, guint64 run, int status, const char *cause, gboolean found)
{
  g_autofree char *directory = batch_get_run_directory (batch, run);

  if (cause != NULL)
    g_warning ("%s: ended by its %s", directory, cause);
  else if (WIFSIGNALED (status))
    g_warning ("%s: killed by signal %d", directory, WTERMSIG (status));
  else if (found)
    g_warning ("%s: exit code %d; log.txt says why", directory, WEXITSTATUS (status));
  else
    g_warning ("%s: left no result; log.txt says why", directory);
}

static void
note_end (BatchProcess *process, int status, const BatchCost *cost)
{
  Batch *batch = process->batch;
  guint64 run = process->runs[process->at];
  /* One that ended well while it was about to be killed has ended well. */
  const char *cause = WIFSIGNALED (status) ? process->cause : NULL;
  gboolean failed = TRUE;
  gboolean found;

  batch_try_note (batch, run, status, cause, cost);
  if (is_stopped (batch))
    return;
  found = batch_find_result (batch, run, &failed);
  if (!found && cause == NULL && is_killed (status) && try_again (batch, run))
    return;
  batch->n_done++;
  if (batch->shared != NULL)
    batch_shared_settle (batch, run, found);
  if (!failed)
    return;
  batch->n_failed++;
  warn_of (batch, run, status, cause, found);
}

/* --- processes --- */

static gboolean
take_next (Batch *batch, guint64 *run)
{
  if (batch->again->len > 0) {
    *run = g_array_index (batch->again, guint64, 0);
    g_array_remove_index (batch->again, 0);
    return TRUE;
  }
  if (batch->next >= batch->end)
    return FALSE;
  *run = batch->next++;
  return TRUE;
}

/* No process has so many that another one would have none. */
static guint64
count_block (Batch *batch)
{
  guint64 left = batch->again->len + batch->end - batch->next;
  guint64 share = (left + batch->options->n_jobs - 1) / batch->options->n_jobs;

  return CLAMP (share, 1, batch_launcher_get_block (batch));
}

/* Returns: (transfer full): those that are to be done in one process, which may be none */
static GArray *
take_runs (Batch *batch)
{
  guint64 most = count_block (batch);
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 run = 0;

  while (runs->len < most && take_next (batch, &run)) {
    gboolean failed = FALSE;

    if (!batch_find_result (batch, run, &failed)) {
      g_array_append_val (runs, run);
      continue;
    }
    batch->n_done++;
    batch->n_skipped++;
    batch->n_failed += failed ? 1 : 0;
    if (batch->shared != NULL)
      batch_shared_settle (batch, run, TRUE);
  }
  return runs;
}

/* FALSE: there is nothing to start now. */
static gboolean
start_process (Batch *batch)
{
  gboolean known = batch->again->len > 0 || batch->next < batch->end;
  g_autoptr (GArray) runs = NULL;
  guint n;

  if (known)
    runs = take_runs (batch);
  else if (batch->shared != NULL)
    runs = batch_shared_take (batch);
  if (runs == NULL)
    return FALSE;
  n = runs->len;
  if (n > 0)
    batch_process_start (batch, g_array_steal (runs, NULL), n);
  return TRUE;
}

static gboolean
may_start (Batch *batch)
{
  return batch->going->len < batch->options->n_jobs && batch->error == NULL && !is_stopped (batch);
}

void
batch_fill (Batch *batch)
{
  gboolean waits;

  while (may_start (batch) && start_process (batch))
    continue;
  waits = batch->shared != NULL && may_start (batch) && batch_shared_wait (batch);
  if (batch->going->len == 0 && !waits)
    g_main_loop_quit (batch->loop);
}

void
batch_note_done (BatchProcess *process, int status, const BatchCost *cost)
{
  BatchCost own = *cost;

  own.cpu -= process->cpu;
  process->cpu = cost->cpu;
  note_end (process, status, &own);
  process->at++;
  process->started = g_get_monotonic_time ();
  batch_show_progress (process->batch);
}

void
batch_note_ended (BatchProcess *process, int status, const BatchCost *cost)
{
  Batch *batch = process->batch;
  BatchCost own = *cost;

  if (own.cpu >= 0)
    own.cpu -= process->cpu;
  note_end (process, status, &own);
  /* What stood behind it in its block has nothing to do with its end. */
  for (guint i = process->at + 1; i < process->n; i++)
    g_array_append_val (batch->again, process->runs[i]);
  g_ptr_array_remove (batch->going, process);
  batch_show_progress (batch);
  batch_fill (batch);
}

static gboolean
begin (gpointer user_data)
{
  batch_fill (user_data);
  return G_SOURCE_REMOVE;
}

void
batch_stop (Batch *batch, int number)
{
  for (guint i = 0; i < batch->going->len; i++)
    batch_process_kill (batch->going->pdata[i], number);
  if (batch->going->len == 0)
    g_main_loop_quit (batch->loop);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  batch_stop (user_data, SIGTERM);
  return G_SOURCE_REMOVE;
}

/* --- the whole --- */

/* Those of a part, and those of a command that ends before others do, would be written over what
 * these have written. */
static gboolean
has_tables (Batch *batch, int signal_code)
{
  if (batch->options->only_text != NULL || batch->options->rank > 0)
    return FALSE;
  return batch->options->engine == BATCH_LOCAL ||
         (signal_code == 0 && batch->error == NULL && !batch_shared_is_lost (batch));
}

static int
write_tables (Batch *batch)
{
  int written = batch_write_tables (batch);

  return written == CLI_OK ? batch_write_report (batch) : written;
}

int
batch_finish (Batch *batch)
{
  int signal_code = cli_control_get_exit_code (0);
  int written;

  cli_set_status_line (NULL);
  batch_shared_look (batch);
  written = has_tables (batch, signal_code) ? write_tables (batch) : CLI_OK;
  if (batch->error != NULL)
    return cli_fail (batch->error);
  if (signal_code != 0) {
    fprintf (stderr,
             "orrery batch: interrupted after %" G_GUINT64_FORMAT
             " runs; the same command does the others\n",
             batch->n_done);
    return signal_code == 128 + SIGTERM ? CLI_RESUMABLE : signal_code;
  }
  if (batch_shared_is_lost (batch)) {
    fprintf (stderr, "orrery batch: other commands have taken over what this one did, since it "
                     "showed no sign of life for too long; the same command goes on\n");
    return CLI_RESUMABLE;
  }
  /* mpirun ends all ranks where one ends badly, and its first one tells of all runs. */
  if (batch->options->rank > 0)
    return CLI_OK;
  printf ("%" G_GUINT64_FORMAT " runs, %u failed, %u were there already%s\n", batch->n_done,
          batch->n_failed, batch->n_skipped,
          batch->shared != NULL ? " or done by other commands" : "");
  if (written != CLI_OK)
    return written;
  return batch->n_failed > 0 ? CLI_DIFFERENT : CLI_OK;
}

void
batch_set_up (Batch *batch)
{
  guint64 n_runs = batch_plan_get_n_runs (batch->plan);

  batch->loop = g_main_loop_new (NULL, FALSE);
  batch->going = g_ptr_array_new_with_free_func ((GDestroyNotify) batch_process_free);
  batch->again = g_array_new (FALSE, FALSE, sizeof (guint64));
  batch->retried = g_hash_table_new (NULL, NULL);
  batch->cells = g_new0 (char *, n_runs + 1);
  batch->drawn = g_new0 (char *, n_runs + 1);
  batch->host = g_get_host_name ();
  batch->first = batch->options->first;
  batch->end = batch->options->end;
  batch->next = batch->shared != NULL ? batch->end : batch->first;
  batch->began = batch->shown = g_get_monotonic_time ();
}

void
batch_tear_down (Batch *batch)
{
  for (guint64 i = 0; i < batch_plan_get_n_runs (batch->plan); i++) {
    g_free (batch->cells[i]);
    g_free (batch->drawn[i]);
  }
  g_clear_pointer (&batch->cells, g_free);
  g_clear_pointer (&batch->drawn, g_free);
  g_clear_pointer (&batch->drawn_paths, g_strfreev);
  g_clear_pointer (&batch->retried, g_hash_table_unref);
  g_clear_pointer (&batch->again, g_array_unref);
  g_clear_pointer (&batch->going, g_ptr_array_unref);
  g_clear_pointer (&batch->loop, g_main_loop_unref);
}

int
batch_run_all (Batch *batch)
{
  g_autoptr (GSource) cancelled = g_cancellable_source_new (cli_control_get_cancellable ());
  int status;

  batch_set_up (batch);
  if (batch->shared != NULL)
    batch_shared_begin (batch);
  g_source_set_callback (cancelled, G_SOURCE_FUNC (on_cancelled), batch, NULL);
  g_source_attach (cancelled, NULL);
  batch_launcher_open (batch);
  batch_limits_watch (batch);
  g_idle_add (begin, batch);
  g_main_loop_run (batch->loop);
  g_source_destroy (cancelled);
  status = batch_finish (batch);
  batch_tear_down (batch);
  return status;
}
