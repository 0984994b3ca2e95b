/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends runs that take too long or too much memory. */
#include "batch.h"

#include "../support/cli.h"

#include <signal.h>
#include <unistd.h>

#define LOOK_MS 50

/* Resident bytes of a process; 0: it has ended. */
static guint64
read_memory (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", (int) pid);
  g_autofree char *text = NULL;
  char *pages;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  g_ascii_strtoull (text, &pages, 10);
  return g_ascii_strtoull (pages, NULL, 10) * (guint64) sysconf (_SC_PAGESIZE);
}

static const char *
find_cause (const BatchProcess *process)
{
  const BatchOptions *options = process->batch->options;
  double seconds = (double) (g_get_monotonic_time () - process->started) * 1e-6;

  if (options->time_limit > 0 && seconds > options->time_limit)
    return "time limit";
  if (options->memory_limit > 0 && process->pid > 0 &&
      read_memory (process->pid) > options->memory_limit)
    return "memory limit";
  return NULL;
}

static gboolean
look (gpointer user_data)
{
  Batch *batch = user_data;

  for (guint i = 0; i < batch->going->len; i++) {
    BatchProcess *process = batch->going->pdata[i];

    if (process->cause != NULL || process->pid <= 0)
      continue;
    process->cause = find_cause (process);
    if (process->cause != NULL)
      batch_process_kill (process, SIGKILL);
  }
  return G_SOURCE_CONTINUE;
}

void
batch_limits_watch (Batch *batch)
{
  if (batch->options->time_limit > 0 || batch->options->memory_limit > 0)
    g_timeout_add (LOOK_MS, look, batch);
}
