/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when a child process that has ended is restarted: an exponential back-off. */
#include "process/orrery-restart-private.h"

OrreryTime
orrery_restart_policy_next (const OrreryRestartPolicy *policy, OrreryTime ran, guint *n_failures)
{
  OrreryTime wait = policy->first;

  if (ran >= policy->sound) {
    *n_failures = 0;
    if (policy->at_once)
      return 0;
  }
  for (guint i = 0; i < *n_failures && wait < policy->longest; i++)
    wait *= 2;
  if (*n_failures >= policy->max_restarts)
    return -1;
  ++*n_failures;
  return MIN (wait, policy->longest);
}
