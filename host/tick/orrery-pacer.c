/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the due times of ticks, and which of them are dropped when the run is late. */
#include "tick/orrery-pacer-private.h"

#include <math.h>

void
orrery_pacer_init (OrreryPacer *pacer, OrreryPace pace, double frequency, double scale,
                   guint max_ticks)
{
  *pacer = (OrreryPacer){
    .pace = pace,
    .frequency = frequency,
    .scale = scale,
    .max_ticks = MAX (1, max_ticks),
  };
}

void
orrery_pacer_restart (OrreryPacer *pacer, OrreryTime now)
{
  pacer->base = now;
  pacer->n_due = 0;
}

/* The due time of the n-th tick since base. It is computed from n and not summed up, so it does not
 * drift. */
static OrreryTime
due_time (const OrreryPacer *pacer, gint64 n)
{
  return pacer->base + (OrreryTime) ceil (n * 1e9 / (pacer->frequency * pacer->scale));
}

guint
orrery_pacer_next (OrreryPacer *pacer, OrreryTime now, OrreryTime *due)
{
  gint64 reached;
  gint64 n;

  *due = now;
  if (pacer->pace == ORRERY_PACE_FAST)
    return 1;

  reached = (gint64) floor ((now - pacer->base) * 1e-9 * pacer->frequency * pacer->scale);
  /* Rounding may place a due time just before or after its exact instant. */
  if (due_time (pacer, reached + 1) <= now)
    reached++;
  n = reached - pacer->n_due;
  if (n < 1) {
    *due = due_time (pacer, pacer->n_due + 1);
    return 0;
  }
  if (pacer->pace == ORRERY_PACE_FIXED_STEP) {
    pacer->n_due++;
    return 1;
  }
  pacer->n_due = reached;
  if (n <= (gint64) pacer->max_ticks)
    return (guint) n;
  pacer->n_dropped += (guint64) n - pacer->max_ticks;
  return pacer->max_ticks;
}
