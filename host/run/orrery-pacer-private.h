/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/* When ticks are due by a clock: no clock is read and nothing is waited for in here. */

typedef enum {
  ORRERY_PACE_BEST_EFFORT,
  ORRERY_PACE_FIXED_STEP,
  ORRERY_PACE_FAST,
} OrreryPace;

typedef struct {
  OrreryPace pace;
  double frequency; /* ticks per second of simulated time */
  double scale;     /* simulated seconds per second of the clock */
  guint max_ticks;  /* most of one round, best effort */
  OrreryTime base;  /* by the clock: the tick counted 0 is due one period later */
  gint64 n_due;     /* ticks since base that were run or dropped */
  guint64 n_dropped;
} OrreryPacer;

void orrery_pacer_init (OrreryPacer *pacer, OrreryPace pace, double frequency, double scale,
                        guint max_ticks);
/* Counts from now on: at the start, after a pause, when scale changes. */
void orrery_pacer_restart (OrreryPacer *pacer, OrreryTime now);
/*
 * How many ticks to run now, back to back. 0: none before *due. Late best effort runs at most
 * max_ticks and drops, and counts, the rest.
 */
guint orrery_pacer_next (OrreryPacer *pacer, OrreryTime now, OrreryTime *due);
