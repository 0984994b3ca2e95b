/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers of what goes wrong in pictures: pixels that are hit, counts of photons, dark corners.
 */
#define _GNU_SOURCE
#include "noise.h"

#include <math.h>

/* --- salt and pepper: some pixels are white, some black --- */

enum { SALT_PROBABILITY, SALT_SALT, SALT_LOW, SALT_HIGH };

static const OrreryProperty salt_options[] = {
  NOISE_OPTION (SALT_PROBABILITY, "probability", 0, 1, 0,
                "That a pixel or number is hit, in each step"),
  NOISE_OPTION (SALT_SALT, "salt", 0, 1, 0.5, "Share of those that become high, not low"),
  NOISE_OPTION (SALT_LOW, "low", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "What pepper is"),
  NOISE_OPTION (SALT_HIGH, "high", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                "What salt is; 0: the most that the field may have"),
};

/* A picture of floats whose sensor knows no limits is 0 to 1. */
static double
draw_salt (OrreryNoise *self, OrreryRandom *random, const OrreryFieldLimits *limits, double most)
{
  const double *o = self->options;

  if (orrery_random_uniform (random) >= o[SALT_SALT])
    return o[SALT_LOW];
  if (o[SALT_HIGH] != 0)
    return o[SALT_HIGH];
  return isfinite (limits->high) ? limits->high : isfinite (most) ? most : 1;
}

static void
salt_values (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  OrreryFieldLimits limits;

  orrery_noise_get_limits (self, orrery_noise_get_field (self, index), &limits);
  for (gsize i = 0; i < n; i++)
    if (orrery_random_uniform (random) < self->options[SALT_PROBABILITY])
      values[i] = draw_salt (self, random, &limits, INFINITY);
}

static gboolean
has_most (OrreryNoise *self, const OrreryField *field, gboolean is_cloud)
{
  OrreryFieldLimits limits;

  orrery_noise_get_limits (self, field, &limits);
  return isfinite (limits.high) || (field->type == ORRERY_FIELD_BUFFER && !is_cloud);
}

static void
check_most (OrreryNoise *self, GError **error)
{
  const Selection *selection = &self->selection;

  for (guint i = 0; i < selection->n_values + selection->n_targets; i++) {
    const OrreryField *field = orrery_noise_get_field (self, i);
    gboolean is_cloud =
        i >= selection->n_values && selection->targets[i - selection->n_values].is_cloud;

    if (has_most (self, field, is_cloud))
      continue;
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the field '%s' has no most that it may be: say what salt is with 'high'",
                      field->name);
    return;
  }
}

static void
orrery_salt_and_pepper_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (part);

  if (!orrery_noise_setup (self, setup, error))
    return;
  for (guint i = 0; i < self->selection.n_targets; i++) {
    const Target *target = &self->selection.targets[i];

    if (!target->is_cloud || target->part != TARGET_ALL)
      continue;
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "'%s' are points, not numbers: name a part of them, as '%s.range'",
                      target->field->name, target->field->name);
    return;
  }
  if (!orrery_setup_has_option (setup, "high"))
    check_most (self, error);
}

static void
orrery_salt_and_pepper_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  orrery_noise_change (ORRERY_NOISE (modifier), tick, salt_values);
}

NOISE_DEFINE (OrrerySaltAndPepper, orrery_salt_and_pepper, salt_options, .kinds = SELECT_EVERYTHING,
              .marks = TRUE, .pick = draw_salt, .setup = orrery_salt_and_pepper_setup)

/* --- shot noise: light comes in photons --- */

/* Above it, the normal distribution of the same mean and variance is as good. */
#define MOST_COUNTED 1e4
/* From here on a count is drawn by rejection. */
#define LEAST_REJECTED 10.0

enum { SHOT_GAIN };

static const OrreryProperty shot_options[] = {
  NOISE_OPTION (SHOT_GAIN, "gain", G_MINDOUBLE, 1e300, 1,
                "What a photon counts, in the unit of the field"),
};

/* lgamma() keeps the sign for all threads. */
static double
log_factorial (double n)
{
  int sign;

  return lgamma_r (n + 1, &sign);
}

/* Knuth: The Art of Computer Programming 2, 3.4.1: products of uniform numbers. */
static double
count_few (OrreryRandom *random, double mean)
{
  double least = exp (-mean), product = 1;
  double n = -1;

  do {
    product *= orrery_random_uniform (random);
    n++;
  } while (product > least);
  return n;
}

/* Hoermann: The transformed rejection method for generating Poisson random variables, Insurance:
 * Mathematics and Economics 12 (1993), PTRS. */
static double
count_many (OrreryRandom *random, double mean)
{
  double b = 0.931 + 2.53 * sqrt (mean);
  double a = -0.059 + 0.02483 * b;
  double inverse = 1.1239 + 1.1328 / (b - 3.4);
  double sure = 0.9277 - 3.6224 / (b - 2);

  for (;;) {
    double u = orrery_random_uniform (random) - 0.5, v = orrery_random_uniform (random);
    double s = 0.5 - fabs (u);
    double k = floor ((2 * a / s + b) * u + mean + 0.43);

    if (s >= 0.07 && v <= sure)
      return k;
    if (k < 0 || (s < 0.013 && v > s))
      continue;
    if (log (v * inverse / (a / (s * s) + b)) <= k * log (mean) - mean - log_factorial (k))
      return k;
  }
}

static double
count (OrreryRandom *random, double mean)
{
  if (mean > MOST_COUNTED)
    return fmax (rint (mean + sqrt (mean) * orrery_random_gaussian (random)), 0);
  return mean < LEAST_REJECTED ? count_few (random, mean) : count_many (random, mean);
}

static void
add_shot (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  double gain = self->options[SHOT_GAIN];

  /* Of more photons than a double can count, none is missed. */
  for (gsize i = 0; i < n; i++)
    if (values[i] > 0 && isfinite (values[i] / gain))
      values[i] = gain * count (random, values[i] / gain);
}

static void
weigh_normal (double mean, double sigma, double *weights)
{
  double below = 0;

  for (guint i = 0; i < TABLE_SIZE; i++) {
    double upto = i + 1 < TABLE_SIZE ? erfc ((mean - i - 0.5) / sigma * M_SQRT1_2) / 2 : 1;

    weights[i] = fmax (upto - below, 0);
    below = upto;
  }
}

/* The share of each count belongs to the byte that it is rounded to. */
static void
weigh_shot (const double *options, guint value, double *weights)
{
  double gain = options[SHOT_GAIN], mean = value / gain;
  double spread = 10 * sqrt (mean) + 30;

  if (!isfinite (mean)) {
    weights[value] = 1;
    return;
  }
  if (mean > MOST_COUNTED) {
    weigh_normal (value, sqrt (mean) * gain, weights);
    return;
  }
  for (double k = fmax (floor (mean - spread), 0); k <= mean + spread; k++)
    weights[(guint) rint (fmin (gain * k, TABLE_SIZE - 1))] +=
        mean > 0 ? exp (k * log (mean) - mean - log_factorial (k)) : k == 0;
}

static void
orrery_shot_noise_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  orrery_noise_change (ORRERY_NOISE (modifier), tick, add_shot);
}

NOISE_DEFINE (OrreryShotNoise, orrery_shot_noise, shot_options, .kinds = SELECT_EVERYTHING,
              .weigh = weigh_shot)

/* --- vignette: corners are darker --- */

typedef struct {
  OrreryNoise parent_instance;
  float *factors; /* by pixel, of the last picture */
  gsize width, height;
  double options[2]; /* that they are of */
} OrreryVignette;
typedef OrreryNoiseClass OrreryVignetteClass;
ORRERY_DEFINE_FINAL_TYPE (OrreryVignette, orrery_vignette, orrery_noise_get_type ())

enum { VIGNETTE_STRENGTH, VIGNETTE_EXPONENT };

static const OrreryProperty vignette_options[] = {
  NOISE_OPTION (VIGNETTE_STRENGTH, "strength", 0, 1, 0, "Share of the light that corners lack"),
  NOISE_OPTION (VIGNETTE_EXPONENT, "exponent", 0.1, 100, 2,
                "With which power of the distance from the middle it grows"),
};

static void
orrery_vignette_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (part);

  if (!orrery_noise_setup (self, setup, error))
    return;
  for (guint i = 0; i < self->selection.n_values + self->selection.n_targets; i++) {
    const OrreryField *field = orrery_noise_get_field (self, i);

    if (field->type == ORRERY_FIELD_BUFFER && !self->selection.targets[i].is_cloud)
      continue;
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the field '%s' is no picture: name that with 'field'", field->name);
    return;
  }
}

static void
make_factors (OrreryVignette *self, const View *view)
{
  const double *options = ORRERY_NOISE (self)->options;
  double across = hypot ((double) view->width, (double) view->height) / 2;

  g_free (self->factors);
  self->factors = g_new (float, view->n);
  self->width = view->width;
  self->height = view->height;
  self->options[0] = options[0];
  self->options[1] = options[1];
  for (gsize i = 0; i < view->n; i++) {
    double x = (double) (i % view->width) + 0.5 - (double) view->width / 2;
    double y = (double) (i / view->width) + 0.5 - (double) view->height / 2;

    self->factors[i] = (float) (1 - options[VIGNETTE_STRENGTH] *
                                        pow (hypot (x, y) / across, options[VIGNETTE_EXPONENT]));
  }
}

static void
darken_bytes (const OrreryVignette *self, const View *view)
{
  guint8 *item = view->data;

  for (gsize i = 0; i < view->n; i++, item += view->stride)
    for (guint c = 0; c < view->used; c++)
      item[c] = (guint8) ((float) item[c] * self->factors[i] + 0.5f);
}

static void
darken (OrreryVignette *self, const View *view)
{
  const double *options = ORRERY_NOISE (self)->options;
  Block block;

  if (view->width * view->height != view->n)
    return;
  if (self->factors == NULL || self->width != view->width || self->height != view->height ||
      self->options[0] != options[0] || self->options[1] != options[1])
    make_factors (self, view);
  if (view->element == ORRERY_ELEMENT_UINT8) {
    darken_bytes (self, view);
    return;
  }
  for (gsize first = 0; first < view->n; first += VIEW_BLOCK) {
    view_take (view, &block, first, MIN (VIEW_BLOCK, view->n - first));
    for (gsize i = 0; i < block.n; i++)
      for (guint c = 0; c < view->used; c++)
        block.values[i * view->used + c] *= self->factors[first + i];
    view_put (view, &block);
  }
}

static void
orrery_vignette_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *noise = ORRERY_NOISE (modifier);

  for (guint i = 0; i < noise->selection.n_targets; i++) {
    View view;

    if (view_open (&view, &noise->selection.targets[i]))
      darken ((OrreryVignette *) modifier, &view);
    orrery_noise_follow (noise, noise->selection.targets[i].field);
  }
}

static void
orrery_vignette_class_init (OrreryVignetteClass *klass)
{
  klass->kinds = SELECT_EVERYTHING;
  ORRERY_PART_CLASS (klass)->setup = orrery_vignette_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_vignette_modify;
  ORRERY_CLASS_OWNS (klass, OrreryVignette, factors, g_free);
  orrery_noise_class_install (klass, vignette_options, G_N_ELEMENTS (vignette_options));
}
