/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers that change values: bias, noise, outliers, quantisation, stuck values. */
#include "noise.h"

#include <math.h>

/* Modifiers that change each number by itself. Draws are in the order of single values, then of
 * arrays and all else, so that a field more at the end does not change the noise of those before.
 */

/* --- Gaussian: v + mean + (sigma + relative |v| + quadratic v^2) N --- */

enum { GAUSSIAN_SIGMA, GAUSSIAN_MEAN, GAUSSIAN_RELATIVE, GAUSSIAN_QUADRATIC };

static const OrreryProperty gaussian_options[] = {
  NOISE_OPTION (GAUSSIAN_SIGMA, "sigma", 0, G_MAXDOUBLE, 0, "Deviation, in the unit of the field"),
  NOISE_OPTION (GAUSSIAN_MEAN, "mean", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                "Mean, in the unit of the field"),
  NOISE_OPTION (GAUSSIAN_RELATIVE, "relative", 0, G_MAXDOUBLE, 0,
                "Further deviation, as a share of the value"),
  NOISE_OPTION (GAUSSIAN_QUADRATIC, "quadratic", 0, G_MAXDOUBLE, 0,
                "Further deviation by the square of the value, as of distances that are found by "
                "triangulation"),
};

static double
get_deviation (const double *options, double value)
{
  return options[GAUSSIAN_SIGMA] + options[GAUSSIAN_RELATIVE] * fabs (value) +
         options[GAUSSIAN_QUADRATIC] * value * value;
}

static void
add_gaussian (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  const double *o = self->options;

  for (gsize i = 0; i < n; i++) {
    double error =
        o[GAUSSIAN_MEAN] + get_deviation (o, values[i]) * orrery_random_gaussian (random);

    /* Nothing is nearer to infinity than it. */
    if (isfinite (values[i]))
      values[i] += error;
  }
}

/* The share of what is rounded to each byte; what is beyond the ends belongs to them. */
static void
weigh_gaussian (const double *options, guint value, double *weights)
{
  double mean = value + options[GAUSSIAN_MEAN];
  double sigma = get_deviation (options, value);
  double below = 0;

  if (!(sigma > 0) || !isfinite (sigma) || !isfinite (mean)) {
    weights[(guint) rint (CLAMP (mean, 0, TABLE_SIZE - 1))] = 1;
    return;
  }
  for (guint i = 0; i < TABLE_SIZE; i++) {
    double upto = i + 1 < TABLE_SIZE ? erfc ((mean - i - 0.5) / sigma * M_SQRT1_2) / 2 : 1;

    weights[i] = fmax (upto - below, 0);
    below = upto;
  }
}

static void
orrery_gaussian_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  orrery_noise_change (ORRERY_NOISE (modifier), tick, add_gaussian);
}

NOISE_DEFINE (OrreryGaussian, orrery_gaussian, gaussian_options, .kinds = SELECT_EVERYTHING,
              .weigh = weigh_gaussian)

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
add_bias (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  const double *o = self->options;

  for (gsize i = 0; i < n; i++)
    values[i] = o[BIAS_SCALE] * values[i] + o[BIAS_BIAS] + o[BIAS_SPREAD] * self->state[index];
}

static void
orrery_bias_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);

  if (!self->started) {
    OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);

    for (guint i = 0; i < self->n_state; i++)
      self->state[i] = orrery_random_gaussian (random);
  }
  orrery_noise_begin (self, tick);
  orrery_noise_change (self, tick, add_bias);
}

NOISE_DEFINE (OrreryBias, orrery_bias, bias_options, .kinds = SELECT_EVERYTHING, .n_each = 1,
              .sure = TRUE)

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

  orrery_noise_open (self);
  for (guint i = 0; i < self->selection.n_values; i++) {
    if (dt > 0)
      self->state[i] = keep * self->state[i] + step * orrery_random_gaussian (random);
    *self->selection.values[i] += self->state[i];
  }
  orrery_noise_close (self);
}

NOISE_DEFINE (OrreryRandomWalk, orrery_random_walk, walk_options, .kinds = SELECT_NUMBERS,
              .n_each = 1)

/* --- outliers: with a probability v + sigma N --- */

enum { OUTLIERS_PROBABILITY, OUTLIERS_SIGMA };

static const OrreryProperty outliers_options[] = {
  NOISE_OPTION (OUTLIERS_PROBABILITY, "probability", 0, 1, 0, "That a value is one, in each step"),
  NOISE_OPTION (OUTLIERS_SIGMA, "sigma", 0, G_MAXDOUBLE, 0,
                "Deviation of those, in the unit of the field"),
};

/* Two draws for each, so that a probability more does not change which are those of before. */
static void
add_outliers (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
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
  orrery_noise_change (ORRERY_NOISE (modifier), tick, add_outliers);
}

NOISE_DEFINE (OrreryOutliers, orrery_outliers, outliers_options, .kinds = SELECT_EVERYTHING,
              .finds = TRUE)

/* --- quantisation: the nearest multiple of a step, of two the even one --- */

static const OrreryProperty quantisation_options[] = {
  NOISE_OPTION (0, "step", G_MINDOUBLE, G_MAXDOUBLE, 1,
                "What values are multiples of, in the unit of the field"),
};

static void
quantise (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i] / self->options[0]))
      values[i] = rint (values[i] / self->options[0]) * self->options[0];
}

static void
orrery_quantisation_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  orrery_noise_change (ORRERY_NOISE (modifier), tick, quantise);
}

NOISE_DEFINE (OrreryQuantisation, orrery_quantisation, quantisation_options,
              .kinds = SELECT_EVERYTHING, .sure = TRUE)

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

  orrery_noise_open (self);
  for (guint i = 0; i < self->selection.n_values; i++) {
    double *value = self->selection.values[i];

    if (!first)
      *value = CLAMP (*value, self->state[i] - most, self->state[i] + most);
    self->state[i] = *value;
  }
  orrery_noise_close (self);
}

NOISE_DEFINE (OrreryRateLimit, orrery_rate_limit, rate_options, .kinds = SELECT_NUMBERS,
              .n_each = 1)

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
  orrery_noise_open (self);
  for (guint i = 0; i < self->selection.n_values; i++) {
    if (stuck)
      *self->selection.values[i] = self->state[i];
    else
      self->state[i] = *self->selection.values[i];
  }
  orrery_noise_close (self);
}

NOISE_DEFINE (OrreryStuckValue, orrery_stuck_value, stuck_options, .kinds = SELECT_NUMBERS,
              .n_each = 1, .n_more = STUCK_N_MORE, .finds = TRUE)
