/* SPDX-License-Identifier: BSD-3-Clause */
/* Random values of --draw: each depends on the seed, the path and the number of the run alone. */
#include "plan.h"

#include "../support/cli.h"

#include <math.h>
#include <string.h>

/* --- the grammar --- */

static const struct {
  const char *name;
  BatchKind kind;
} distributions[] = {
  { "uniform", BATCH_UNIFORM },
  { "normal", BATCH_NORMAL },
  { "choice", BATCH_CHOICE },
};

static gboolean
read_two (BatchParameter *draw, const char *text, GError **error)
{
  g_autofree char *place = g_strdup_printf ("--draw %s", draw->path);
  g_autoptr (OrreryNode) list = batch_read_json (text, place, error);
  double numbers[2] = { 0 };

  if (list == NULL)
    return FALSE;
  if (orrery_node_get_length (list) != 2)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: two numbers are needed, not %u",
                             place, orrery_node_get_length (list));
  for (guint i = 0; i < 2; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind != ORRERY_NODE_INT && kind != ORRERY_NODE_DOUBLE)
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: a number is needed, not %s", place,
                               orrery_node_get_kind_name (item));
    numbers[i] = orrery_node_get_double (item);
  }
  draw->a = numbers[0];
  draw->b = numbers[1];
  if (draw->kind == BATCH_UNIFORM && !(draw->a < draw->b && isfinite (draw->b - draw->a)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: the first number of uniform() has to be the smaller one", place);
  if (draw->kind == BATCH_NORMAL && !(draw->b > 0 && isfinite (draw->a + 40 * draw->b)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: the deviation, the second number of normal(), has to be above 0",
                             place);
  return TRUE;
}

/* What stands between the parentheses, as a list of JSON, at the columns where it stood.
 * Returns: (transfer full) (nullable) */
static char *
cut_list (BatchKind kind, const char *text)
{
  g_autofree char *list = g_strchomp (g_strdup (text));
  gsize length = strlen (list);
  char *open = strchr (list, '(');

  if (open == NULL || list[length - 1] != ')')
    return NULL;
  memset (list, ' ', (gsize) (open - list) + 1);
  list[length - 1] = ' ';
  if (kind != BATCH_CHOICE) {
    *open = '[';
    list[length - 1] = ']';
  }
  return g_steal_pointer (&list);
}

static gboolean
read_distribution (BatchParameter *draw, const char *text, GError **error)
{
  g_autofree char *name = g_strndup (text, strcspn (text, "("));

  for (guint i = 0; i < G_N_ELEMENTS (distributions); i++) {
    g_autofree char *list = NULL;

    if (!g_str_equal (name, distributions[i].name))
      continue;
    draw->kind = distributions[i].kind;
    list = cut_list (draw->kind, text);
    if (list == NULL)
      break;
    return draw->kind == BATCH_CHOICE ? batch_parameter_add_items (draw, list, error)
                                      : read_two (draw, list, error);
  }
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "--draw %s: '%.80s' is no distribution; there are uniform(LEAST,"
                           "GREATEST), normal(MEAN,DEVIATION) and choice([...])",
                           draw->path, text);
}

BatchParameter *
batch_draw_parse (const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *path = batch_cut_path (text);
  g_autoptr (BatchParameter) draw = batch_parameter_new ("--draw", path);

  if (!g_utf8_validate (text, -1, NULL)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "--draw: the text is not UTF-8");
    return NULL;
  }
  if (equals == NULL) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "--draw: '%.200s' has no distribution; write PATH=uniform(0,1)", text);
    return NULL;
  }
  return read_distribution (draw, equals + 1, error) ? g_steal_pointer (&draw) : NULL;
}

/* --- numbers --- */

/* Streams of parts have the names of parts, which have no space. */
static void
start_stream (OrreryRandom *random, const BatchParameter *draw, const char *what, guint64 seed,
              guint64 run)
{
  g_autofree char *name = g_strdup_printf ("batch %s %s", what, draw->path);

  orrery_random_init (random, seed, name);
  orrery_random_begin (random, run);
}

/* In [0, n), each as likely (Lemire: Fast random integer generation in an interval, ACM Trans.
 * Model. Comput. Simul. 29, 2019). */
static guint32
draw_below (OrreryRandom *random, guint32 n)
{
  guint64 product;

  do
    product = (orrery_random_next (random) >> 32) * n;
  while ((guint32) product < (guint32) -n % n);
  return (guint32) (product >> 32);
}

void
batch_draw_stratify (BatchParameter *draw, guint64 seed, guint64 n_runs)
{
  OrreryRandom random;

  start_stream (&random, draw, "latin", seed, 0);
  draw->strata = g_new (guint32, n_runs);
  for (guint32 i = 0; i < n_runs; i++)
    draw->strata[i] = i;
  /* Fisher and Yates */
  for (guint32 i = (guint32) n_runs - 1; i > 0; i--) {
    guint32 other = draw_below (&random, i + 1);
    guint32 kept = draw->strata[i];

    draw->strata[i] = draw->strata[other];
    draw->strata[other] = kept;
  }
}

static double
divide (const double *above, const double *below, guint n, double x)
{
  double p = above[n - 1];
  double q = below[n - 1];

  for (guint i = n - 1; i-- > 0;) {
    p = p * x + above[i];
    q = q * x + below[i];
  }
  return p / q;
}

/* The quantile of the standard normal distribution, by algorithm AS 241, PPND16 (Wichura: The
 * percentage points of the normal distribution, Appl. Stat. 37, 1988). */
static double
find_quantile (double p)
{
  static const double a[] = { 3.3871328727963666080e0,  1.3314166789178437745e+2,
                              1.9715909503065514427e+3, 1.3731693765509461125e+4,
                              4.5921953931549871457e+4, 6.7265770927008700853e+4,
                              3.3430575583588128105e+4, 2.5090809287301226727e+3 };
  static const double b[] = { 1,
                              4.2313330701600911252e+1,
                              6.8718700749205790830e+2,
                              5.3941960214247511077e+3,
                              2.1213794301586595867e+4,
                              3.9307895800092710610e+4,
                              2.8729085735721942674e+4,
                              5.2264952788528545610e+3 };
  static const double c[] = { 1.42343711074968357734e0,  4.63033784615654529590e0,
                              5.76949722146069140550e0,  3.64784832476320460504e0,
                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4 };
  static const double d[] = { 1,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9 };
  static const double e[] = { 6.65790464350110377720e0,  5.46378491116411436990e0,
                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7 };
  static const double f[] = { 1,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15 };
  double q = p - 0.5;
  double r = fabs (q) <= 0.425 ? 0.180625 - q * q : sqrt (-log (q < 0 ? p : 1 - p));

  if (fabs (q) <= 0.425)
    return q * divide (a, b, G_N_ELEMENTS (a), r);
  r = r <= 5 ? divide (c, d, G_N_ELEMENTS (c), r - 1.6) : divide (e, f, G_N_ELEMENTS (e), r - 5);
  return q < 0 ? -r : r;
}

char *
batch_draw_print (const BatchParameter *draw, guint64 seed, guint64 run, guint64 n_runs)
{
  OrreryRandom random;
  double u;

  start_stream (&random, draw, "draw", seed, run);
  u = orrery_random_uniform (&random) + 0x1p-54;
  if (draw->strata != NULL)
    u = (draw->strata[run] + u) / (double) n_runs;
  /* Neither 0 nor 1 */
  u = fmin (u, 1 - 0x1p-53);
  if (draw->kind == BATCH_UNIFORM)
    return batch_print_double (fmin (draw->a + u * (draw->b - draw->a), draw->b));
  if (draw->kind == BATCH_NORMAL)
    return batch_print_double (draw->a + draw->b * find_quantile (u));
  return g_strdup (draw->values->pdata[MIN ((guint64) (u * (double) draw->n), draw->n - 1)]);
}
