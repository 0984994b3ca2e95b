/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <time.h>

/* The machine's monotonic clock; inline, because some callers read it in every event. */
static inline OrreryTime
orrery_monotonic_now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * ORRERY_SECOND + time.tv_nsec;
}
