/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker-trial.h"

#include <errno.h>
#include <sys/wait.h>

const TrialWay trial_ways[TRIAL_N_WAYS] = {
  { "segv", "was killed by SIGSEGV", "'timeout': 60" },
  { "abort", "was killed by SIGABRT", "'timeout': 60" },
  { "exit", "exited with status 3", "'timeout': 60" },
  { "loop", "gave no answer within 1.5 s", "'timeout': 1.5" },
  { "overflow", "was killed by SIGSEGV", "'timeout': 60" },
  { "flood", "flooded its log", "'timeout': 60" },
  { "leak", "ran out of the memory that it may have and was killed by SIG",
    "'timeout': 60, 'memory': 160" },
};

#ifdef __SANITIZE_ADDRESS__
const gboolean trial_signals_end_processes = FALSE;
#else
const gboolean trial_signals_end_processes = TRUE;
#endif

guint
trial_count_descriptors (void)
{
  g_autoptr (GDir) directory = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (directory != NULL && g_dir_read_name (directory) != NULL)
    n++;
  return n;
}

void
trial_assert_no_children (void)
{
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
}

void
trial_assert_said (const char *pattern)
{
  guint n = stage_log_count (G_LOG_LEVEL_WARNING, pattern);

  if (n != 1) {
    g_auto (GStrv) list = stage_log_list (G_LOG_LEVEL_WARNING, "*");
    g_autofree char *all = g_strjoinv ("; ", list);

    g_test_message ("expected once, said %u times: %s; said was: %s", n, pattern, all);
  }
  g_assert_cmpuint (n, ==, 1);
}
