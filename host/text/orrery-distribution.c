/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions as text, and what is drawn from them. */
#include "text/orrery-distribution-private.h"

#include "base/orrery-error-private.h"

#include <math.h>
#include <string.h>

typedef enum { UNIFORM, NORMAL, CHOICE } Kind;

struct _OrreryDistribution {
  Kind kind;
  double a; /* least, or mean */
  double b; /* greatest, or deviation */
  OrreryNode *items;
};

#define MAX_ITEMS 10000
/* Where in a range no whole number is but by chance. */
#define GOLDEN 0.6180339887498949

static const char *const names[] = { "uniform", "normal", "choice" };

void
orrery_distribution_free (OrreryDistribution *self)
{
  g_clear_pointer (&self->items, orrery_node_unref);
  g_free (self);
}

static gboolean
read_numbers (OrreryDistribution *self, const char *place, GError **error)
{
  double numbers[2] = { 0 };

  if (orrery_node_get_length (self->items) != 2)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: two numbers are needed, not %u",
                             place, orrery_node_get_length (self->items));
  for (guint i = 0; i < 2; i++) {
    OrreryNode *item = orrery_node_get_item (self->items, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind != ORRERY_NODE_INT && kind != ORRERY_NODE_DOUBLE)
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: a number is needed, not %s", place,
                               orrery_node_get_kind_name (item));
    numbers[i] = orrery_node_get_double (item);
  }
  self->a = numbers[0];
  self->b = numbers[1];
  if (self->kind == UNIFORM && !(self->a < self->b && isfinite (self->b - self->a)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: the first number of uniform() has to be the smaller one", place);
  if (self->kind == NORMAL && !(self->b > 0 && isfinite (self->a + 40 * self->b)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: the deviation, the second number of normal(), has to be above 0",
                             place);
  return TRUE;
}

static gboolean
check_items (OrreryDistribution *self, const char *place, GError **error)
{
  guint n;

  if (orrery_node_get_kind (self->items) != ORRERY_NODE_LIST)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: a list is needed, [...], not %s",
                             place, orrery_node_get_kind_name (self->items));
  n = orrery_node_get_length (self->items);
  if (n == 0 || n > MAX_ITEMS)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s: a list of %u values; 1 to %d are possible", place, n, MAX_ITEMS);
  return TRUE;
}

/* What stands between the parentheses, as a list of JSON. */
static OrreryNode *
read_list (Kind kind, const char *text, const char *place, GError **error)
{
  g_autofree char *list = g_strchomp (g_strdup (strchr (text, '(') + 1));
  g_autoptr (GError) local = NULL;
  g_autofree char *json = NULL;
  OrreryNode *node;

  list[strlen (list) - 1] = '\0';
  json = kind == CHOICE ? g_strdup (list) : g_strdup_printf ("[%s]", list);
  node = orrery_node_parse_json (json, strlen (json), place, &local);
  if (node == NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", local->message);
  return node;
}

static int
find_kind (const char *text)
{
  g_autofree char *stripped = g_strchomp (g_strdup (text));
  gsize length = strcspn (stripped, "(");

  if (stripped[length] != '(' || !g_str_has_suffix (stripped, ")"))
    return -1;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length && strncmp (stripped, names[i], length) == 0)
      return (int) i;
  return -1;
}

OrreryDistribution *
orrery_distribution_parse (const char *text, const char *place, GError **error)
{
  g_autoptr (OrreryDistribution) self = NULL;
  int kind = find_kind (text);

  if (kind < 0) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "%s: '%.80s' is no distribution; there are uniform(LEAST,GREATEST), "
                      "normal(MEAN,DEVIATION) and choice([...])",
                      place, text);
    return NULL;
  }
  self = g_new0 (OrreryDistribution, 1);
  self->kind = (Kind) kind;
  self->items = read_list (self->kind, text, place, error);
  if (self->items == NULL || !(self->kind == CHOICE ? check_items (self, place, error)
                                                    : read_numbers (self, place, error)))
    return NULL;
  return g_steal_pointer (&self);
}

static GVariant *
get_item (const OrreryDistribution *self, guint i)
{
  return orrery_node_to_variant (orrery_node_get_item (self->items, i));
}

GVariant *
orrery_distribution_draw (const OrreryDistribution *self, OrreryRandom *random)
{
  double u, value;
  guint n;

  if (self->kind == NORMAL) {
    value = self->a + self->b * orrery_random_gaussian (random);
    return g_variant_ref_sink (g_variant_new_double (value));
  }
  u = orrery_random_uniform (random);
  if (self->kind == UNIFORM) {
    value = fmin (self->a + u * (self->b - self->a), self->b);
    return g_variant_ref_sink (g_variant_new_double (value));
  }
  n = orrery_node_get_length (self->items);
  return get_item (self, MIN ((guint) (u * n), n - 1));
}

guint
orrery_distribution_get_n_samples (const OrreryDistribution *self)
{
  if (self->kind == CHOICE)
    return orrery_node_get_length (self->items);
  return self->kind == UNIFORM ? 3 : 1;
}

GVariant *
orrery_distribution_get_sample (const OrreryDistribution *self, guint i)
{
  if (self->kind == CHOICE)
    return get_item (self, i);
  if (i == 2)
    return g_variant_ref_sink (g_variant_new_double (self->a + GOLDEN * (self->b - self->a)));
  return g_variant_ref_sink (g_variant_new_double (i == 0 ? self->a : self->b));
}
