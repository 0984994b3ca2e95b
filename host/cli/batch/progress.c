/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a batch is: a line on a terminal that changes, lines now and then elsewhere. */
#include "batch.h"

#include "../support/cli.h"

#define TERMINAL_US (200 * 1000)
#define LINES_US (10 * 1000 * 1000)
#define DAY 86400

/* Returns: (transfer full): a time as people read it */
static char *
print_seconds (double seconds)
{
  guint64 s = (guint64) (seconds + 0.5);

  if (s >= DAY)
    return g_strdup_printf ("%.1f days", seconds / DAY);
  if (s >= 3600)
    return g_strdup_printf ("%u h %02u min", (guint) (s / 3600), (guint) (s / 60 % 60));
  if (s >= 60)
    return g_strdup_printf ("%u min %02u s", (guint) (s / 60), (guint) (s % 60));
  return g_strdup_printf ("%u s", (guint) s);
}

/* Runs that were there already took no time, and say nothing of the others. */
static char *
print_progress (Batch *batch, gint64 now)
{
  guint64 n = batch->end - batch->first;
  guint64 done = batch->n_done - batch->n_skipped;
  double seconds = (double) (now - batch->began) * 1e-6;
  double rate = seconds > 0 ? (double) done / seconds : 0;
  g_autofree char *left =
      rate > 0 ? print_seconds ((double) (n - MIN (n, batch->n_done)) / rate) : NULL;

  return g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " runs, %u failed, %.1f per second%s%s%s",
                          batch->n_done, n, batch->n_failed, rate, left != NULL ? ", " : "",
                          left != NULL ? left : "", left != NULL ? " left" : "");
}

void
batch_show_progress (Batch *batch)
{
  gint64 now = g_get_monotonic_time ();
  gboolean is_terminal = cli_is_terminal (stderr);
  g_autofree char *words = NULL;
  g_autofree char *line = NULL;

  if (now - batch->shown < (is_terminal ? TERMINAL_US : LINES_US))
    return;
  batch->shown = now;
  words = print_progress (batch, now);
  if (is_terminal) {
    cli_set_status_stream (stderr);
    cli_set_status_line (words);
    return;
  }
  line = g_strconcat (words, "\n", NULL);
  cli_write (stderr, line);
}
