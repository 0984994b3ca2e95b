/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that vary: what is drawn becomes a value by way of the scene's own one. */
#include "assembly/orrery-variation-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "part/orrery-part-private.h"
#include "record/orrery-field-private.h"

#include <math.h>

/* --- values --- */

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
  gboolean each = orrery_field_is_list (drawn);
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
  g_autoptr (GVariant) a = orrery_field_unbox (own), b = orrery_field_unbox (drawn);
  g_autoptr (GVariant) made = NULL;
  g_autofree char *shown = NULL;

  if (operation == ORRERY_OPERATION_SET)
    return g_steal_pointer (&b);
  if (orrery_field_is_list (a))
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

  for (guint i = 0; i < 3 && orrery_field_is_list (value) && g_variant_n_children (value) == 3;
       i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) inner = orrery_field_unbox (item);

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
  return g_variant_ref_sink (orrery_quantity_box (self->world, self->changes.quantity, &value));
}

gboolean
orrery_variation_reckon (const OrreryVariation *self, GVariant *made, const OrreryVec3 *now,
                         OrreryVec3 *value, GError **error)
{
  const OrreryQuantity *quantity = self->changes.quantity;
  g_autoptr (GVariant) boxed =
      g_variant_ref_sink (orrery_quantity_box (self->world, quantity, now));
  g_autoptr (GVariant) whole = orrery_property_path_put (&self->path, boxed, made, error);

  return whole != NULL && orrery_quantity_read (self->world, quantity, whole, value, error) &&
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
  g_clear_pointer (&self->objects, g_ptr_array_unref);
  g_clear_pointer (&self->owns, g_ptr_array_unref);
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
    return orrery_quantity_read (self->world, self->changes.quantity, value, &read, error) &&
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
  member = orrery_property_path_get (&self->path, self->own, error);
  return member != NULL;
}

OrreryVariation
orrery_variation_get_place (const OrreryVariation *self, guint place)
{
  OrreryVariation one = *self;

  one.changes.object = self->objects->pdata[place];
  one.own = place < self->owns->len ? self->owns->pdata[place] : NULL;
  return one;
}

void
orrery_variation_begin_places (OrreryVariation *self)
{
  self->owns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  for (guint i = 0; i < self->objects->len; i++) {
    OrreryVariation one = orrery_variation_get_place (self, i);
    g_autoptr (GVariant) own = get_quantity (&one);

    /* Most are alike. */
    g_ptr_array_add (self->owns,
                     g_variant_ref (g_variant_equal (own, self->own) ? self->own : own));
  }
}

GVariant *
orrery_variation_make (const OrreryVariation *self, GVariant *drawn, GError **error)
{
  g_autoptr (GVariant) member = orrery_property_path_get (&self->path, self->own, error);

  return member != NULL ? combine (self->operation, member, drawn, error) : NULL;
}

static gboolean
apply (const OrreryVariation *self, GVariant *made, gboolean tries, GError **error)
{
  g_autoptr (GVariant) now = get_value (self);
  g_autoptr (GVariant) value = orrery_property_path_put (&self->path, now, made, error);

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
