/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers and lists of numbers from variants, for all types of fields. */
#include "record/orrery-field-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"

#include <math.h>

gboolean
orrery_field_refuse (const char *needed, GVariant *value, GError **error)
{
  g_autofree char *given = orrery_variant_describe (value);

  return orrery_set_error (error, ORRERY_ERROR_INVALID, "needs %s, not %s", needed, given);
}

GVariant *
orrery_field_unbox (GVariant *value)
{
  GVariant *inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *box = inner;

    inner = g_variant_get_variant (box);
    g_variant_unref (box);
  }
  return inner;
}

gboolean
orrery_field_is_list (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE) ||
         (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY) &&
          !g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY));
}

gboolean
orrery_field_refuse_value (const char *needed, GVariant *value, GError **error)
{
  g_autofree char *text = orrery_variant_show (value);

  return orrery_set_error (error, ORRERY_ERROR_INVALID, "needs %s, not %s", needed, text);
}

/* Whether a gint64 converts to a double without loss; values that round up to 2^63 are out of
 * range. */
static gboolean
has_exact_double (gint64 integer)
{
  double number = (double) integer;

  return number < 0x1p63 && (gint64) number == integer;
}

gboolean
orrery_field_read_double (GVariant *boxed, double *out, GError **error)
{
  g_autoptr (GVariant) value = orrery_field_unbox (boxed);
  gboolean beyond;
  gint64 integer;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)) {
    *out = g_variant_get_double (value);
    return isfinite (*out) || orrery_field_refuse_value ("a finite number", value, error);
  }
  if (!orrery_variant_get_integer (value, &integer, &beyond))
    return orrery_field_refuse ("a number", value, error);
  *out = (double) integer;
  return (!beyond && has_exact_double (integer)) ||
         orrery_field_refuse_value ("a number that a double can hold", value, error);
}

gboolean
orrery_field_read_integer (GVariant *boxed, gint64 *out, GError **error)
{
  g_autoptr (GVariant) value = orrery_field_unbox (boxed);
  gboolean beyond;

  if (orrery_variant_get_integer (value, out, &beyond))
    return !beyond || orrery_field_refuse_value ("a number below 2^63", value, error);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return orrery_field_refuse ("a whole number", value, error);

  double number = g_variant_get_double (value);
  if (number != trunc (number) || number < -0x1p63 || number >= 0x1p63)
    return orrery_field_refuse_value ("a whole number below 2^63", value, error);
  *out = (gint64) number;
  return TRUE;
}

gboolean
orrery_field_read_list (GVariant *value, double *out, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

    if (!orrery_field_read_double (child, &out[i], error))
      return orrery_prefix_error (error, "[%" G_GSIZE_FORMAT "]: ", i);
  }
  return TRUE;
}

gboolean
orrery_field_read_rows (GVariant *value, double *out, gsize rows, gsize n, GError **error)
{
  for (gsize i = 0; i < rows; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) row = orrery_field_unbox (child);

    if (!orrery_field_is_list (row) || g_variant_n_children (row) != n)
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "[%" G_GSIZE_FORMAT "]: needs a list of %" G_GSIZE_FORMAT " numbers",
                               i, n);
    if (!orrery_field_read_list (row, out + i * n, n, error))
      return orrery_prefix_error (error, "[%" G_GSIZE_FORMAT "]", i);
  }
  return TRUE;
}

GVariant *
orrery_field_rows_to_variant (const double *numbers, gsize rows, gsize n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aad"));
  for (gsize i = 0; i < rows; i++)
    g_variant_builder_add_value (&builder,
                                 g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers + i * n,
                                                            n, sizeof *numbers));
  return g_variant_builder_end (&builder);
}
