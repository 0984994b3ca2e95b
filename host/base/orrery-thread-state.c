/* SPDX-License-Identifier: BSD-3-Clause */
/* Restores the rounding mode and the signal mask of a thread after code that changed them. */
#include "base/orrery-thread-state-private.h"

#include <string.h>

gboolean
orrery_thread_state_restore_rounding (void)
{
  if (orrery_thread_state_is_rounding_plain ())
    return FALSE;
  fesetenv (FE_DFL_ENV);
  return TRUE;
}

gboolean
orrery_thread_state_restore_signals (const sigset_t *mask)
{
  sigset_t now;

  pthread_sigmask (SIG_SETMASK, NULL, &now);
  /* The kernel has one bit for each signal, and the rest of the type is not set. */
  if (memcmp (&now, mask, NSIG / 8) == 0)
    return FALSE;
  pthread_sigmask (SIG_SETMASK, mask, NULL);
  return TRUE;
}
