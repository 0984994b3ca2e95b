/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches whose runs other commands do, as tasks of a scheduler. The directory tells what is done,
 * whatever the scheduler says or does not say. */
#include "batch.h"

#include "../support/cli.h"

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
