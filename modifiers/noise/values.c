/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers that change values: bias, noise, outliers, quantisation, stuck values. */
#include "noise.h"

#include <math.h>

/* Modifiers that change each number by itself. Draws are in the order of values, then of arrays, so
 * that a field more at the end does not change the noise of those before. */

/* --- Gaussian: v + mean + (sigma + relative |v|) N --- */

enum { GAUSSIAN_SIGMA, GAUSSIAN_MEAN, GAUSSIAN_RELATIVE };

static const OrreryProperty gaussian_options[] = {
  NOISE_OPTION (GAUSSIAN_SIGMA, "sigma", 0, G_MAXDOUBLE, 0, "Deviation, in the unit of the field"),
  NOISE_OPTION (GAUSSIAN_MEAN, "mean", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                "Mean, in the unit of the field"),
  NOISE_OPTION (GAUSSIAN_RELATIVE, "relative", 0, G_MAXDOUBLE, 0,
                "Further deviation, as a share of the value"),
};

static void
add_gaussian (OrreryNoise *self, OrreryRandom *random, double *values, gsize n)
{
  const double *o = self->options;

  for (gsize i = 0; i < n; i++) {
    double sigma = o[GAUSSIAN_SIGMA] + o[GAUSSIAN_RELATIVE] * fabs (values[i]);
    double error = o[GAUSSIAN_MEAN] + sigma * orrery_random_gaussian (random);

    /* Nothing is nearer to infinity than it. */
    if (isfinite (values[i]))
      values[i] += error;
  }
}

static void
orrery_gaussian_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

  for (guint i = 0; i < self->selection.n_values; i++)
    add_gaussian (self, random, self->selection.values[i], 1);
  for (guint i = 0; i < self->selection.n_arrays; i++) {
    gsize n;
    double *values = selection_get_array (&self->selection, i, &n);

    add_gaussian (self, random, values, n);
  }
}

NOISE_DEFINE (OrreryGaussian, orrery_gaussian, gaussian_options, .takes_arrays = TRUE)

/* --- bias: scale v + bias + spread N, with N drawn once in a run for each value or array --- */

enum { BIAS_BIAS, BIAS_SPREAD, BIAS_SCALE };

static const OrreryProperty bias_options[] = {
  NOISE_OPTION (BIAS_BIAS, "bias", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                "What is added, in the unit of the field"),
  NOISE_OPTION (BIAS_SPREAD, "spread", 0, G_MAXDOUBLE, 0,
                "Deviation of a further part, drawn once in a run"),
  NOISE_OPTION (BIAS_SCALE, "scale", -G_MAXDOUBLE, G_MAXDOUBLE, 1,
                "What the value is multiplied by first"),
};

static void
add_bias (OrreryNoise *self, double drawn, double *values, gsize n)
{
  const double *o = self->options;

  for (gsize i = 0; i < n; i++)
    values[i] = o[BIAS_SCALE] * values[i] + o[BIAS_BIAS] + o[BIAS_SPREAD] * drawn;
}

static void
orrery_bias_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  guint n_values = self->selection.n_values;

  if (!self->started) {
    OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

    for (guint i = 0; i < self->n_state; i++)
      self->state[i] = orrery_random_gaussian (random);
  }
  orrery_noise_begin (self, tick);
  for (guint i = 0; i < n_values; i++)
    add_bias (self, self->state[i], self->selection.values[i], 1);
  for (guint i = 0; i < self->selection.n_arrays; i++) {
    gsize n;
    double *values = selection_get_array (&self->selection, i, &n);

    add_bias (self, self->state[n_values + i], values, n);
  }
}

NOISE_DEFINE (OrreryBias, orrery_bias, bias_options, .takes_arrays = TRUE, .n_each = 1)

/* --- random walk --- */

/*
 * v + w, with w from 0: a Wiener process of deviation sigma sqrt (t), or with a time constant T the
 * Gauss-Markov process that forgets: w (t + dt) = w exp (-dt/T) + sigma sqrt (T/2 (1 - exp (-2
 * dt/T))) N, exact for any step (Gillespie, Phys. Rev. E 54, 1996, 2084).
 */
enum { WALK_SIGMA, WALK_TIME };

static const OrreryProperty walk_options[] = {
  NOISE_OPTION (WALK_SIGMA, "sigma", 0, G_MAXDOUBLE, 0,
                "Deviation after a second, in the unit of the field by the root of s"),
  NOISE_OPTION (WALK_TIME, "time_constant", 0, G_MAXDOUBLE, 0,
                "Time in which it forgets, s; 0: never"),
};

static void
orrery_random_walk_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);
  double dt = orrery_noise_begin (self, tick);
  double t = self->options[WALK_TIME];
  double keep = t > 0 ? exp (-dt / t) : 1;
  double step =
      self->options[WALK_SIGMA] * (t > 0 ? sqrt (-t / 2 * expm1 (-2 * dt / t)) : sqrt (dt));

  for (guint i = 0; i < self->selection.n_values; i++) {
    if (dt > 0)
      self->state[i] = keep * self->state[i] + step * orrery_random_gaussian (random);
    *self->selection.values[i] += self->state[i];
  }
}

NOISE_DEFINE (OrreryRandomWalk, orrery_random_walk, walk_options, .n_each = 1)

/* --- outliers: with a probability v + sigma N --- */

enum { OUTLIERS_PROBABILITY, OUTLIERS_SIGMA };

static const OrreryProperty outliers_options[] = {
  NOISE_OPTION (OUTLIERS_PROBABILITY, "probability", 0, 1, 0, "That a value is one, in each step"),
  NOISE_OPTION (OUTLIERS_SIGMA, "sigma", 0, G_MAXDOUBLE, 0,
                "Deviation of those, in the unit of the field"),
};

/* Two draws for each, so that a probability more does not change which are those of before. */
static void
add_outliers (OrreryNoise *self, OrreryRandom *random, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    double chance = orrery_random_uniform (random);
    double error = self->options[OUTLIERS_SIGMA] * orrery_random_gaussian (random);

    if (chance < self->options[OUTLIERS_PROBABILITY])
      values[i] += error;
  }
}

static void
orrery_outliers_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

  for (guint i = 0; i < self->selection.n_values; i++)
    add_outliers (self, random, self->selection.values[i], 1);
  for (guint i = 0; i < self->selection.n_arrays; i++) {
    gsize n;
    double *values = selection_get_array (&self->selection, i, &n);

    add_outliers (self, random, values, n);
  }
}

NOISE_DEFINE (OrreryOutliers, orrery_outliers, outliers_options, .takes_arrays = TRUE)

/* --- quantisation: the nearest multiple of a step, of two the even one --- */

static const OrreryProperty quantisation_options[] = {
  NOISE_OPTION (0, "step", G_MINDOUBLE, G_MAXDOUBLE, 1,
                "What values are multiples of, in the unit of the field"),
};

static void
quantise (OrreryNoise *self, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i] / self->options[0]))
      values[i] = rint (values[i] / self->options[0]) * self->options[0];
}

static void
orrery_quantisation_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);

  for (guint i = 0; i < self->selection.n_values; i++)
    quantise (self, self->selection.values[i], 1);
  for (guint i = 0; i < self->selection.n_arrays; i++) {
    gsize n;
    double *values = selection_get_array (&self->selection, i, &n);

    quantise (self, values, n);
  }
}

NOISE_DEFINE (OrreryQuantisation, orrery_quantisation, quantisation_options, .takes_arrays = TRUE)

/* --- rate limit: no more change than rate dt in a step of dt --- */

static const OrreryProperty rate_options[] = {
  NOISE_OPTION (0, "rate", 0, G_MAXDOUBLE, G_MAXDOUBLE,
                "Largest change in a second, in the unit of the field"),
};

static void
orrery_rate_limit_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  gboolean first = !self->started;
  double most = orrery_noise_begin (self, tick) * self->options[0];

  for (guint i = 0; i < self->selection.n_values; i++) {
    double *value = self->selection.values[i];

    if (!first)
      *value = CLAMP (*value, self->state[i] - most, self->state[i] + most);
    self->state[i] = *value;
  }
}

NOISE_DEFINE (OrreryRateLimit, orrery_rate_limit, rate_options, .n_each = 1)

/* --- stuck value --- */

/*
 * From a time on, or by chance, values stay what they were in that step, for a while or for good.
 */
enum { STUCK_START, STUCK_DURATION, STUCK_PROBABILITY };
enum { STUCK_UNTIL, STUCK_N_MORE };

static const OrreryProperty stuck_options[] = {
  NOISE_OPTION (STUCK_START, "start", -1, 1e9, -1,
                "When it gets stuck, s since the start of the run; -1: by chance alone"),
  NOISE_OPTION (STUCK_DURATION, "duration", 0, 1e9, 0, "For how long, s; 0: for good"),
  NOISE_OPTION (STUCK_PROBABILITY, "probability", 0, 1, 0, "That it gets stuck in a step"),
};

/* Until when it is stuck if it gets stuck in this step, else 0. */
static double
get_stuck (OrreryNoise *self, OrreryTick *tick, double now)
{
  const double *o = self->options;
  double chance = orrery_random_uniform (orrery_part_get_random (ORRERY_PART (self), tick));
  double end = o[STUCK_DURATION] > 0 ? o[STUCK_START] + o[STUCK_DURATION] : INFINITY;

  if (o[STUCK_START] >= 0 && now >= o[STUCK_START] && now < end)
    return end;
  if (chance < o[STUCK_PROBABILITY])
    return o[STUCK_DURATION] > 0 ? now + o[STUCK_DURATION] : INFINITY;
  return 0;
}

static void
orrery_stuck_value_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  double *more = orrery_noise_get_more (self);
  double now = orrery_noise_get_elapsed (tick);
  gboolean stuck = now < more[STUCK_UNTIL];

  if (!stuck)
    more[STUCK_UNTIL] = get_stuck (self, tick, now);
  for (guint i = 0; i < self->selection.n_values; i++) {
    if (stuck)
      *self->selection.values[i] = self->state[i];
    else
      self->state[i] = *self->selection.values[i];
  }
}

NOISE_DEFINE (OrreryStuckValue, orrery_stuck_value, stuck_options, .n_each = 1,
              .n_more = STUCK_N_MORE)
