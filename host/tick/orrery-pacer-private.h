/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/* Computes when ticks are due by a clock; it neither reads a clock nor waits. */

typedef enum {
  ORRERY_PACE_BEST_EFFORT,
  ORRERY_PACE_FIXED_STEP,
  ORRERY_PACE_FAST,
} OrreryPace;

typedef struct {
  OrreryPace pace;
  double frequency; /* ticks per second of simulated time */
  double scale;     /* simulated seconds per second of the clock */
  guint max_ticks;  /* largest number of ticks in one round, best effort */
  OrreryTime base;  /* by the clock: tick number 0 is due one period later */
  gint64 n_due;     /* ticks since base that were run or dropped */
  guint64 n_dropped;
} OrreryPacer;

void orrery_pacer_init (OrreryPacer *pacer, OrreryPace pace, double frequency, double scale,
                        guint max_ticks);
/* Restarts the count at this time: at the start, after a pause, when the scale changes. */
void orrery_pacer_restart (OrreryPacer *pacer, OrreryTime now);
/*
 * Returns how many ticks to run now without a pause; 0: none before *due. When best effort is late,
 * it runs at most max_ticks, and drops and counts the rest.
 */
guint orrery_pacer_next (OrreryPacer *pacer, OrreryTime now, OrreryTime *due);
