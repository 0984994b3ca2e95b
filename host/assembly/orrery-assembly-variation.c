/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that vary: what is drawn becomes a value by way of the scene's own one. */
#include "assembly/orrery-variation-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"

#include <math.h>

/* --- values --- */

/* Returns: (transfer full) */
static GVariant *
unbox (GVariant *value)
{
  GVariant *inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *boxed = inner;

    inner = g_variant_get_variant (boxed);
    g_variant_unref (boxed);
  }
  return inner;
}

static gboolean
is_list (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE) ||
         (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY) &&
          !g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY));
}

static gboolean
is_number (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) ||
         g_variant_is_of_type (value, G_VARIANT_TYPE_INT64);
}

static double
get_number (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) ? g_variant_get_double (value)
                                                             : (double) g_variant_get_int64 (value);
}

/* Integers stay integers, as long as they are of 64 bits. */
static GVariant *
combine_numbers (OrreryOperation operation, GVariant *own, GVariant *drawn)
{
  double a = get_number (own), b = get_number (drawn);
  gint64 n;

  if (g_variant_is_of_type (own, G_VARIANT_TYPE_INT64) &&
      g_variant_is_of_type (drawn, G_VARIANT_TYPE_INT64)) {
    gint64 i = g_variant_get_int64 (own), k = g_variant_get_int64 (drawn);

    if (operation == ORRERY_OPERATION_ADD ? !__builtin_add_overflow (i, k, &n)
                                          : !__builtin_mul_overflow (i, k, &n))
      return g_variant_new_int64 (n);
  }
  return g_variant_new_double (operation == ORRERY_OPERATION_ADD ? a + b : a * b);
}

static GVariant *combine (OrreryOperation operation, GVariant *own, GVariant *drawn,
                          GError **error);

static GVariant *
combine_lists (OrreryOperation operation, GVariant *own, GVariant *drawn, GError **error)
{
  gboolean each = is_list (drawn);
  gsize n = g_variant_n_children (own);
  GVariantBuilder list;

  if (each && g_variant_n_children (drawn) != n)
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "%" G_GSIZE_FORMAT
                                  " numbers are drawn for a list of %" G_GSIZE_FORMAT,
                                  g_variant_n_children (drawn), n);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("av"));
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) a = g_variant_get_child_value (own, i);
    g_autoptr (GVariant) b = each ? g_variant_get_child_value (drawn, i) : g_variant_ref (drawn);
    g_autoptr (GVariant) made = combine (operation, a, b, error);

    if (made == NULL) {
      g_variant_builder_clear (&list);
      return NULL;
    }
    g_variant_builder_add (&list, "v", made);
  }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}

/* Returns: (transfer full) */
static GVariant *
combine (OrreryOperation operation, GVariant *own, GVariant *drawn, GError **error)
{
  g_autoptr (GVariant) a = unbox (own), b = unbox (drawn);
  g_autoptr (GVariant) made = NULL;
  g_autofree char *shown = NULL;

  if (operation == ORRERY_OPERATION_SET)
    return g_steal_pointer (&b);
  if (is_list (a))
    return combine_lists (operation, a, b, error);
  if (is_number (a) && is_number (b)) {
    made = g_variant_ref_sink (combine_numbers (operation, a, b));
    if (isfinite (get_number (made)))
      return g_steal_pointer (&made);
  }
  shown = orrery_variant_show (is_number (a) ? b : a);
  return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "'%s' needs numbers, and not %s",
                                orrery_operation_words[operation], shown);
}

/* Returns: (transfer full) */
static GVariant *
get_member (const OrreryVariation *self, GVariant *value, GError **error)
{
  g_autoptr (GVariant) list = unbox (value);
  int index = self->path.index;
  g_autofree char *shown = NULL;

  if (index < 0)
    return g_steal_pointer (&list);
  if (!is_list (list)) {
    shown = orrery_variant_show (list);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "'%.80s' is %s, and no list: it has no [%d]", self->path.property,
                                  shown, index);
  }
  if ((gsize) index < g_variant_n_children (list))
    return g_variant_get_child_value (list, (gsize) index);
  return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                "'%.80s' has %" G_GSIZE_FORMAT " members, [0] and so on: it has "
                                "no [%d]",
                                self->path.property, g_variant_n_children (list), index);
}

/* Returns: (transfer full): @value with another member */
static GVariant *
put_member (const OrreryVariation *self, GVariant *value, GVariant *member)
{
  g_autoptr (GVariant) list = unbox (value);
  GVariantBuilder made;

  if (self->path.index < 0)
    return g_variant_ref (member);
  g_variant_builder_init (&made, G_VARIANT_TYPE ("av"));
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) inner = unbox (i == (gsize) self->path.index ? member : item);

    g_variant_builder_add (&made, "v", inner);
  }
  return g_variant_ref_sink (g_variant_builder_end (&made));
}

/* --- poses --- */

gboolean
orrery_variation_names_pose (OrreryVariation *self)
{
  self->turns = g_str_equal (self->path.property, "rotation");
  return self->turns || g_str_equal (self->path.property, "position");
}

static GVariant *
get_pose (const OrreryVariation *self)
{
  const OrreryTransform *pose = orrery_object_get_start (self->object);
  OrreryVec3 numbers = pose->position;

  if (self->turns)
    orrery_quat_to_euler (&pose->rotation, &numbers.x, &numbers.y, &numbers.z);
  return g_variant_ref_sink (g_variant_new ("(ddd)", numbers.x, numbers.y, numbers.z));
}

static gboolean
read_pose (const OrreryVariation *self, GVariant *value, double numbers[3], GError **error)
{
  guint n = 0;

  for (guint i = 0; i < 3 && is_list (value) && g_variant_n_children (value) == 3; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) inner = unbox (item);

    if (!is_number (inner))
      break;
    numbers[i] = get_number (inner);
    n += isfinite (numbers[i]) ? 1 : 0;
  }
  return n == 3 || orrery_set_error (error, ORRERY_ERROR_INVALID, "%s of an object needs %s",
                                     self->path.property,
                                     self->path.index < 0 ? "three numbers" : "a number");
}

static void
set_pose (const OrreryVariation *self, const double numbers[3])
{
  OrreryTransform pose = *orrery_object_get_start (self->object);

  if (self->turns)
    orrery_quat_from_euler (numbers[0], numbers[1], numbers[2], &pose.rotation);
  else
    pose.position = (OrreryVec3){ numbers[0], numbers[1], numbers[2] };
  orrery_object_set_start (self->object, &pose);
}

/* --- quantities --- */

static GVariant *
get_quantity (const OrreryVariation *self)
{
  OrreryVec3 value;

  orrery_world_get_quantity (self->world, self->changes.quantity->kind, self->changes.object,
                             &value);
  return g_variant_ref_sink (orrery_quantity_box (self->changes.quantity, &value));
}

gboolean
orrery_variation_reckon (const OrreryVariation *self, GVariant *made, const OrreryVec3 *now,
                         OrreryVec3 *value, GError **error)
{
  const OrreryQuantity *quantity = self->changes.quantity;
  g_autoptr (GVariant) boxed = g_variant_ref_sink (orrery_quantity_box (quantity, now));
  g_autoptr (GVariant) whole = put_member (self, boxed, made);

  return orrery_quantity_read (quantity, whole, value, error) &&
         orrery_quantity_place_check_value (&self->changes, value, error);
}

/* --- of an entry --- */

void
orrery_variation_clear (gpointer data)
{
  OrreryVariation *self = data;

  orrery_property_path_clear (&self->path);
  g_clear_pointer (&self->distribution, orrery_distribution_free);
  g_clear_pointer (&self->own, g_variant_unref);
}

/* Returns: (transfer full) (nullable): there is no such property */
static GVariant *
get_value (const OrreryVariation *self)
{
  if (self->changes.quantity != NULL)
    return get_quantity (self);
  return self->part != NULL ? orrery_part_get_option (self->part, self->path.property)
                            : get_pose (self);
}

static gboolean
set_value (const OrreryVariation *self, GVariant *value, gboolean tries, GError **error)
{
  OrreryVec3 read;
  double numbers[3];

  if (self->changes.quantity != NULL)
    return orrery_quantity_read (self->changes.quantity, value, &read, error) &&
           orrery_quantity_place_check_value (&self->changes, &read, error);
  if (self->part != NULL)
    return orrery_part_set_option (self->part, self->path.property, value, error);
  if (!read_pose (self, value, numbers, error))
    return FALSE;
  if (!tries)
    set_pose (self, numbers);
  return TRUE;
}

gboolean
orrery_variation_begin (OrreryVariation *self, GError **error)
{
  g_autoptr (GVariant) member = NULL;

  self->own = get_value (self);
  member = get_member (self, self->own, error);
  return member != NULL;
}

GVariant *
orrery_variation_make (const OrreryVariation *self, GVariant *drawn, GError **error)
{
  g_autoptr (GVariant) member = get_member (self, self->own, error);

  return member != NULL ? combine (self->operation, member, drawn, error) : NULL;
}

static gboolean
apply (const OrreryVariation *self, GVariant *made, gboolean tries, GError **error)
{
  g_autoptr (GVariant) now = get_value (self);
  g_autoptr (GVariant) member = get_member (self, now, error);
  g_autoptr (GVariant) value = member != NULL ? put_member (self, now, made) : NULL;

  return value != NULL && set_value (self, value, tries, error);
}

gboolean
orrery_variation_apply (const OrreryVariation *self, GVariant *made, GError **error)
{
  return apply (self, made, FALSE, error);
}

/* The values that are known before a run are tried, so that a wrong one is told at load. */
gboolean
orrery_variation_try (const OrreryVariation *self, GError **error)
{
  guint n = orrery_distribution_get_n_samples (self->distribution);
  gboolean fine = TRUE;

  for (guint i = 0; fine && i < n; i++) {
    g_autoptr (GVariant) drawn = orrery_distribution_get_sample (self->distribution, i);
    g_autoptr (GVariant) made = orrery_variation_make (self, drawn, error);

    fine = made != NULL && apply (self, made, TRUE, error);
  }
  if (self->part != NULL)
    orrery_part_set_option (self->part, self->path.property, self->own, NULL);
  return fine;
}

gboolean
orrery_variation_is_due (const OrreryVariation *self, guint64 tick, OrreryTime elapsed,
                         OrreryTime before, guint64 *number)
{
  *number = 0;
  if (self->every_ticks > 0 && tick % self->every_ticks == 0)
    *number = tick / self->every_ticks;
  else if (self->every > 0 && elapsed / self->every > before / self->every)
    *number = (guint64) (elapsed / self->every);
  return *number > 0;
}

GVariant *
orrery_variation_draw (const OrreryVariation *self, guint64 seed, guint64 episode, guint64 number)
{
  g_autofree char *name = NULL;
  OrreryRandom random;

  /* Streams of parts have the names of parts, which have no space. */
  if (number == 0)
    name = g_strdup_printf ("randomisation %s", self->text);
  else
    name =
        g_strdup_printf ("randomisation of episode %" G_GUINT64_FORMAT " %s", episode, self->text);
  orrery_random_init (&random, seed, name);
  orrery_random_begin (&random, number == 0 ? episode : number);
  return orrery_distribution_draw (self->distribution, &random);
}
