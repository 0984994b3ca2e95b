/* SPDX-License-Identifier: BSD-3-Clause */
/* Which entities a request means. */
#include "sim-filter.h"

#include "../message/variant.h"

#include <string.h>

#define MAX_PATTERN 256
#define N_CATEGORIES 6

/* Comparing a name costs at most so much, whatever the pattern says. */
#define LIMITS "(*LIMIT_MATCH=10000)(*LIMIT_DEPTH=1000)"

enum { BOUNDS_EMPTY, BOUNDS_BOX };

GStrv
sim_get_texts (GVariant *message, const char *field)
{
  g_autoptr (GVariant) list = message_variant_find (message, field);
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();
  gsize n = list != NULL ? g_variant_n_children (list) : 0;

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) text = message_variant_unbox (child);

    if (g_variant_is_of_type (text, G_VARIANT_TYPE_STRING))
      g_strv_builder_add (texts, g_variant_get_string (text, NULL));
  }
  return g_strv_builder_end (texts);
}

/* --- reading --- */

static gboolean
read_name (SimFilter *filter, GVariant *message, SimAnswer *answer)
{
  g_autofree char *pattern = sim_get_text (message, "filter");
  g_autofree char *limited = g_strconcat (LIMITS, pattern, NULL);
  g_autoptr (GError) error = NULL;

  if (*pattern == '\0')
    return TRUE;
  if (strlen (pattern) > MAX_PATTERN)
    return sim_answer_set (answer, SIM_FAILED, "filters.filter has %zu bytes; %d are the most",
                           strlen (pattern), MAX_PATTERN);
  filter->name = g_regex_new (limited, 0, 0, &error);
  return filter->name != NULL ||
         sim_answer_set (answer, SIM_FAILED, "filters.filter '%.80s' is no regular expression",
                         pattern);
}

static gboolean
read_categories (SimFilter *filter, GVariant *message, SimAnswer *answer)
{
  g_autoptr (GVariant) list = message_variant_find (message, "categories");
  gsize n = list != NULL ? g_variant_n_children (list) : 0;

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
    gint64 category = sim_get_integer (one, "category");

    if (category < 0 || category >= N_CATEGORIES)
      return sim_answer_set (answer, SIM_FAILED,
                             "filters.categories: there is no category %" G_GINT64_FORMAT
                             "; they are 0 to %d",
                             category, N_CATEGORIES - 1);
    filter->categories |= 1u << category;
  }
  return TRUE;
}

gboolean
sim_filter_read_tags (SimFilter *filter, GVariant *message, SimAnswer *answer)
{
  g_autoptr (GVariant) tags = message_variant_find (message, "tags");
  gint64 mode = tags != NULL ? sim_get_integer (tags, "filter_mode") : 0;

  if (mode != 0 && mode != 1)
    return sim_answer_set (answer, SIM_FAILED,
                           "tags.filter_mode is %" G_GINT64_FORMAT ", not 0 (any) or 1 (all)",
                           mode);
  filter->wants_all = mode == 1;
  if (tags != NULL)
    filter->tags = sim_get_texts (tags, "tags");
  return TRUE;
}

static OrreryVec3
get_point (GVariant *bounds, const char *index)
{
  g_autoptr (GVariant) points = message_variant_find (bounds, "points");

  return sim_get_vector (points, index);
}

static gboolean
read_box (SimFilter *filter, GVariant *message, SimAnswer *answer)
{
  g_autoptr (GVariant) bounds = message_variant_find (message, "bounds");
  gint64 type = bounds != NULL ? sim_get_integer (bounds, "type") : BOUNDS_EMPTY;
  g_autoptr (GVariant) points = bounds != NULL ? message_variant_find (bounds, "points") : NULL;
  OrreryVec3 a, b;

  if (type == BOUNDS_EMPTY)
    return TRUE;
  if (type != BOUNDS_BOX)
    return sim_answer_set (answer, SIM_UNSUPPORTED,
                           "filters.bounds has the type %" G_GINT64_FORMAT
                           "; only a box (1) can be a filter",
                           type);
  if (points == NULL || g_variant_n_children (points) != 2)
    return sim_answer_set (answer, SIM_FAILED, "filters.bounds: a box has 2 points, not %zu",
                           points != NULL ? g_variant_n_children (points) : 0);
  a = get_point (bounds, "0");
  b = get_point (bounds, "1");
  if (!orrery_vec3_is_finite (&a) || !orrery_vec3_is_finite (&b))
    return sim_answer_set (answer, SIM_FAILED, "filters.bounds has a number that is not finite");
  filter->has_box = TRUE;
  filter->lower = (OrreryVec3){ fmin (a.x, b.x), fmin (a.y, b.y), fmin (a.z, b.z) };
  filter->upper = (OrreryVec3){ fmax (a.x, b.x), fmax (a.y, b.y), fmax (a.z, b.z) };
  return TRUE;
}

gboolean
sim_filter_read (SimFilter *filter, GVariant *message, SimAnswer *answer)
{
  g_autoptr (GVariant) filters = message_variant_find (message, "filters");

  return filters == NULL ||
         (read_name (filter, filters, answer) && read_categories (filter, filters, answer) &&
          sim_filter_read_tags (filter, filters, answer) && read_box (filter, filters, answer));
}

void
sim_filter_clear (SimFilter *filter)
{
  g_clear_pointer (&filter->name, g_regex_unref);
  g_clear_pointer (&filter->tags, g_strfreev);
}

/* --- comparing --- */

int
sim_filter_has_name (const SimFilter *filter, const char *name)
{
  g_autoptr (GError) error = NULL;
  gboolean fits =
      filter->name == NULL || g_regex_match_full (filter->name, name, -1, 0, 0, NULL, &error);

  return error != NULL ? -1 : fits;
}

gboolean
sim_filter_has_category (const SimFilter *filter, guint category)
{
  return filter->categories == 0 || (filter->categories & (1u << category)) != 0;
}

gboolean
sim_filter_has_tags (const SimFilter *filter, const char *const *tags)
{
  guint n = filter->tags != NULL ? g_strv_length (filter->tags) : 0;
  guint n_found = 0;

  for (guint i = 0; i < n; i++)
    n_found += g_strv_contains (tags, filter->tags[i]);
  return n == 0 || (filter->wants_all ? n_found == n : n_found > 0);
}

gboolean
sim_filter_has_box (const SimFilter *filter, const OrreryVec3 *lower, const OrreryVec3 *upper)
{
  return !filter->has_box || (lower->x <= filter->upper.x && upper->x >= filter->lower.x &&
                              lower->y <= filter->upper.y && upper->y >= filter->lower.y &&
                              lower->z <= filter->upper.z && upper->z >= filter->lower.z);
}
