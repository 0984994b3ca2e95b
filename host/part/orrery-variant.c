/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts JSON-like variants to the types of service arguments, and words them for messages. */
#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"
#include "part/orrery-part-private.h"
#include "record/orrery-field-private.h"

#include <math.h>
#include <string.h>

/* Every integer up to this number is exactly a double. */
#define EXACT_DOUBLE 9007199254740992.0

static gboolean
is_exact (gint64 integer)
{
  double d = (double) integer;

  /* Near 2^63 it may round to what is no integer of 64 bits. */
  return d < 0x1p63 && (gint64) d == integer;
}

static const char *
describe_type (const GVariantType *type, gboolean is_integer)
{
  switch (*g_variant_type_peek_string (type)) {
  case 'b':
    return "a bool";
  case 'x':
    return "an integer";
  case 'd':
    return is_integer ? "exactly a number, as all integers to 2^53 are" : "a number";
  case 's':
    return "a text";
  default:
    return "another type";
  }
}

static GVariant *
convert_to_int (GVariant *value)
{
  double d;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return NULL;
  d = g_variant_get_double (value);
  if (fabs (d) > EXACT_DOUBLE || d != floor (d))
    return NULL;
  return g_variant_new_int64 ((gint64) d);
}

/* An integer that no double is exactly, is not rounded, but refused. */
static GVariant *
convert_to_double (GVariant *value)
{
  gint64 integer;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return NULL;
  integer = g_variant_get_int64 (value);
  return is_exact (integer) ? g_variant_new_double ((double) integer) : NULL;
}

/* Python scripts also use 0, 1 and 'True' as booleans; MORSE's own write all three. */
static GVariant *
convert_to_bool (GVariant *value)
{
  static const char *const words[][2] = { { "False", "false" }, { "True", "true" } };

  for (int truth = 0; truth < 2; truth++) {
    if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64) && g_variant_get_int64 (value) == truth)
      return g_variant_new_boolean (truth);
    for (gsize i = 0; i < 2 && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING); i++)
      if (g_str_equal (g_variant_get_string (value, NULL), words[truth][i]))
        return g_variant_new_boolean (truth);
  }
  return NULL;
}

/* Types that never come from files or JSON, but from callers in C and Python. */
GVariant *
orrery_variant_widen (GVariant *value)
{
  gboolean beyond;
  gint64 integer;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64) ||
      !orrery_variant_get_integer (value, &integer, &beyond))
    return g_variant_ref (value);
  return g_variant_ref_sink (beyond ? g_variant_new_double ((double) (guint64) integer)
                                    : g_variant_new_int64 (integer));
}

GVariant *
orrery_variant_convert (GVariant *value, const GVariantType *type, GError **error)
{
  g_autofree char *text = NULL;
  GVariant *converted = NULL;

  if (g_variant_type_equal (type, G_VARIANT_TYPE_VARIANT))
    return g_variant_ref_sink (g_variant_new_variant (value));
  if (g_variant_is_of_type (value, type))
    return g_variant_ref (value);
  if (g_variant_type_equal (type, G_VARIANT_TYPE_INT64))
    converted = convert_to_int (value);
  else if (g_variant_type_equal (type, G_VARIANT_TYPE_DOUBLE))
    converted = convert_to_double (value);
  else if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    converted = convert_to_bool (value);
  if (converted != NULL)
    return g_variant_ref_sink (converted);

  text = orrery_variant_show (value);
  return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "%s is not %s", text,
                                describe_type (type,
                                               g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)));
}

/* --- lists --- */

GVariant *
orrery_variant_get_member (GVariant *value, guint index, const char *name, GError **error)
{
  g_autoptr (GVariant) list = orrery_field_unbox (value);
  g_autoptr (GVariant) member = NULL;
  g_autofree char *shown = NULL;

  if (!orrery_field_is_list (list)) {
    shown = orrery_variant_show (list);
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "'%.80s' is %s, and no list: it has no [%u]; leave the index out",
                                  name, shown, index);
  }
  if (index >= g_variant_n_children (list))
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID,
                                  "'%.80s' has %" G_GSIZE_FORMAT " members, [0] and so on: it has "
                                  "no [%u]",
                                  name, g_variant_n_children (list), index);
  member = g_variant_get_child_value (list, index);
  return orrery_field_unbox (member);
}

GVariant *
orrery_variant_put_member (GVariant *value, guint index, GVariant *member, const char *name,
                           GError **error)
{
  g_autoptr (GVariant) list = orrery_field_unbox (value);
  g_autoptr (GVariant) before = orrery_variant_get_member (list, index, name, error);
  GVariantBuilder made;

  if (before == NULL)
    return NULL;
  g_variant_builder_init (&made, G_VARIANT_TYPE ("av"));
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) inner = orrery_field_unbox (i == index ? member : item);

    g_variant_builder_add (&made, "v", inner);
  }
  return g_variant_ref_sink (g_variant_builder_end (&made));
}
