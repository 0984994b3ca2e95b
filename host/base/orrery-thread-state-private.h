/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <fenv.h>
#include <signal.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/*
 * What code of a plugin can change for all code after it on the same thread: how floating-point
 * numbers are rounded (a library built with -ffast-math also flushes small ones to zero, as soon
 * as it is loaded), and which signals are blocked.
 */

/* The control bits of the unit that computes; the other bits tell what has happened since. */
static inline guint
orrery_thread_state_get_rounding (void)
{
#ifdef __SSE2__
  return _mm_getcsr () & ~(guint) _MM_EXCEPT_MASK;
#else
  return (guint) fegetround ();
#endif
}

static inline gboolean
orrery_thread_state_is_rounding_plain (void)
{
#ifdef __SSE2__
  return orrery_thread_state_get_rounding () == _MM_MASK_MASK;
#else
  return orrery_thread_state_get_rounding () == FE_TONEAREST;
#endif
}

/* Returns: whether it was not that of C */
gboolean orrery_thread_state_restore_rounding (void);
/* Returns: whether it was not @mask */
gboolean orrery_thread_state_restore_signals (const sigset_t *mask);
