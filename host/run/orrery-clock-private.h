/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-clock.h"

#include <time.h>

/* What the machine shows; inline, for who reads it in every event. */
static inline OrreryTime
orrery_clock_read_monotonic (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * ORRERY_SECOND + time.tv_nsec;
}

/* Whether @clock shows just that, now and always. */
gboolean orrery_clock_is_monotonic (OrreryClock *clock);
