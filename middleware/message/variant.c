/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from and to values like those of JSON. */
#include "variant.h"

#include <math.h>
#include <string.h>

static gsize
get_size (const OrreryMessageField *field)
{
  static const gsize sizes[] = {
    [ORRERY_MESSAGE_BOOL] = 1,
    [ORRERY_MESSAGE_INT8] = 1,
    [ORRERY_MESSAGE_UINT8] = 1,
    [ORRERY_MESSAGE_INT16] = 2,
    [ORRERY_MESSAGE_UINT16] = 2,
    [ORRERY_MESSAGE_INT32] = 4,
    [ORRERY_MESSAGE_UINT32] = 4,
    [ORRERY_MESSAGE_INT64] = 8,
    [ORRERY_MESSAGE_UINT64] = 8,
    [ORRERY_MESSAGE_FLOAT32] = 4,
    [ORRERY_MESSAGE_FLOAT64] = 8,
    [ORRERY_MESSAGE_TEXT] = sizeof (OrreryMessageText),
    [ORRERY_MESSAGE_WTEXT] = sizeof (OrreryMessageText),
  };

  return field->kind == ORRERY_MESSAGE_NESTED ? orrery_message_type_get_size (field->type)
                                              : sizes[field->kind];
}

static gboolean
is_time (const OrreryMessageType *type)
{
  const char *name = orrery_message_type_get_name (type);

  return g_str_equal (name, "builtin_interfaces/msg/Time") ||
         g_str_equal (name, "builtin_interfaces/msg/Duration");
}

/* As its two fields lie. */
typedef struct {
  gint32 sec;
  guint32 nanosec;
} Moment;

/* --- from a message --- */

static GVariant *
unsigned_to_variant (guint64 number)
{
  return number <= G_MAXINT64 ? g_variant_new_int64 ((gint64) number)
                              : g_variant_new_double ((double) number);
}

static GVariant *
text_to_variant (const OrreryMessageText *text)
{
  return g_variant_new_take_string (
      text->length > 0 ? g_utf8_make_valid (text->data, (gssize) text->length) : g_strdup (""));
}

static GVariant *
nested_to_variant (const OrreryMessageType *type, gconstpointer place)
{
  const Moment *moment = place;

  return is_time (type) ? g_variant_new_double (moment->sec + 1e-9 * moment->nanosec)
                        : message_to_variant (type, place);
}

static GVariant *
element_to_variant (const OrreryMessageField *field, gconstpointer place)
{
  switch (field->kind) {
  case ORRERY_MESSAGE_BOOL:
    return g_variant_new_boolean (*(const guint8 *) place != 0);
  case ORRERY_MESSAGE_INT8:
    return g_variant_new_int64 (*(const gint8 *) place);
  case ORRERY_MESSAGE_UINT8:
    return g_variant_new_int64 (*(const guint8 *) place);
  case ORRERY_MESSAGE_INT16:
    return g_variant_new_int64 (*(const gint16 *) place);
  case ORRERY_MESSAGE_UINT16:
    return g_variant_new_int64 (*(const guint16 *) place);
  case ORRERY_MESSAGE_INT32:
    return g_variant_new_int64 (*(const gint32 *) place);
  case ORRERY_MESSAGE_UINT32:
    return g_variant_new_int64 (*(const guint32 *) place);
  case ORRERY_MESSAGE_INT64:
    return g_variant_new_int64 (*(const gint64 *) place);
  case ORRERY_MESSAGE_UINT64:
    return unsigned_to_variant (*(const guint64 *) place);
  case ORRERY_MESSAGE_FLOAT32:
    return g_variant_new_double (*(const float *) place);
  case ORRERY_MESSAGE_FLOAT64:
    return g_variant_new_double (*(const double *) place);
  case ORRERY_MESSAGE_TEXT:
  case ORRERY_MESSAGE_WTEXT:
    return text_to_variant (place);
  case ORRERY_MESSAGE_NESTED:
  default:
    return nested_to_variant (field->type, place);
  }
}

GVariant *
message_field_to_variant (const OrreryMessageField *field, gconstpointer place)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  const guint8 *elements = place;
  gsize n = field->count;

  if (field->shape == ORRERY_MESSAGE_SINGLE)
    return element_to_variant (field, place);
  if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
    elements = ((const OrreryMessageArray *) place)->data;
    n = ((const OrreryMessageArray *) place)->length;
  }
  for (gsize i = 0; i < n; i++)
    g_variant_builder_add (&list, "v", element_to_variant (field, elements + i * get_size (field)));
  return g_variant_builder_end (&list);
}

GVariant *
message_to_variant (const OrreryMessageType *type, gconstpointer message)
{
  GVariantBuilder dict = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);

  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&dict, "{sv}", fields[i].name,
                           message_field_to_variant (&fields[i],
                                                     (const guint8 *) message + fields[i].offset));
  return g_variant_builder_end (&dict);
}

/* --- values --- */

GVariant *
message_variant_unbox (GVariant *value)
{
  GVariant *inner = g_variant_ref (value);

  while (g_variant_is_of_type (inner, G_VARIANT_TYPE_VARIANT)) {
    GVariant *next = g_variant_get_variant (inner);

    g_variant_unref (inner);
    inner = next;
  }
  return inner;
}

static GVariant *
find_key (GVariant *dict, const char *name)
{
  gsize n = g_variant_n_children (dict);

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (dict, i);
    g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
    g_autoptr (GVariant) value = g_variant_get_child_value (entry, 1);

    if (g_str_equal (g_variant_get_string (key, NULL), name))
      return message_variant_unbox (value);
  }
  return NULL;
}

GVariant *
message_variant_find (GVariant *value, const char *name)
{
  g_autoptr (GVariant) inner = message_variant_unbox (value);
  guint64 index;

  if (g_variant_is_of_type (inner, G_VARIANT_TYPE ("a{s*}")))
    return find_key (inner, name);
  if (g_variant_is_container (inner) &&
      g_ascii_string_to_unsigned (name, 10, 0, G_MAXINT32, &index, NULL) &&
      index < g_variant_n_children (inner)) {
    g_autoptr (GVariant) child = g_variant_get_child_value (inner, index);

    return message_variant_unbox (child);
  }
  return NULL;
}

/* --- to a message --- */

static gboolean
refuse (const OrreryMessageField *field, GVariant *value, GError **error)
{
  g_autofree char *shown = orrery_variant_show (value);

  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: %s is not of type %s", field->name,
                           shown, field->spelling);
}

static gboolean
get_number (GVariant *value, double *number)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BOOLEAN:
    *number = g_variant_get_boolean (value);
    return TRUE;
  case G_VARIANT_CLASS_BYTE:
    *number = g_variant_get_byte (value);
    return TRUE;
  case G_VARIANT_CLASS_INT32:
    *number = g_variant_get_int32 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT32:
    *number = g_variant_get_uint32 (value);
    return TRUE;
  case G_VARIANT_CLASS_INT64:
    *number = (double) g_variant_get_int64 (value);
    return TRUE;
  case G_VARIANT_CLASS_UINT64:
    *number = (double) g_variant_get_uint64 (value);
    return TRUE;
  case G_VARIANT_CLASS_DOUBLE:
    *number = g_variant_get_double (value);
    return TRUE;
  default:
    return FALSE;
  }
}

/* An integer from @least to @greatest; 64 bits are exact. */
static gboolean
get_integer (GVariant *value, double least, double greatest, gint64 *integer)
{
  double number;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)) {
    *integer = g_variant_get_int64 (value);
    return *integer >= least && *integer <= greatest;
  }
  if (!get_number (value, &number) || number != floor (number) || number < least ||
      number > greatest || fabs (number) > 9007199254740992.0)
    return FALSE;
  *integer = (gint64) number;
  return TRUE;
}

static gboolean
set_integer (const OrreryMessageField *field, gpointer place, GVariant *value)
{
  static const double limits[][2] = {
    [ORRERY_MESSAGE_BOOL] = { 0, 1 },
    [ORRERY_MESSAGE_INT8] = { G_MININT8, G_MAXINT8 },
    [ORRERY_MESSAGE_UINT8] = { 0, G_MAXUINT8 },
    [ORRERY_MESSAGE_INT16] = { G_MININT16, G_MAXINT16 },
    [ORRERY_MESSAGE_UINT16] = { 0, G_MAXUINT16 },
    [ORRERY_MESSAGE_INT32] = { G_MININT32, G_MAXINT32 },
    [ORRERY_MESSAGE_UINT32] = { 0, G_MAXUINT32 },
    [ORRERY_MESSAGE_INT64] = { -G_MAXDOUBLE, G_MAXDOUBLE },
    [ORRERY_MESSAGE_UINT64] = { 0, G_MAXDOUBLE },
  };
  gint64 integer;

  if (!get_integer (value, limits[field->kind][0], limits[field->kind][1], &integer))
    return FALSE;
  /* Little endian or big: the number has as many bytes as its field. */
  switch (get_size (field)) {
  case 1:
    *(guint8 *) place = (guint8) integer;
    return TRUE;
  case 2:
    *(guint16 *) place = (guint16) integer;
    return TRUE;
  case 4:
    *(guint32 *) place = (guint32) integer;
    return TRUE;
  default:
    *(guint64 *) place = (guint64) integer;
    return TRUE;
  }
}

static gboolean
set_float (const OrreryMessageField *field, gpointer place, GVariant *value)
{
  double number;

  if (!get_number (value, &number))
    return FALSE;
  if (field->kind == ORRERY_MESSAGE_FLOAT32)
    *(float *) place = (float) number;
  else
    *(double *) place = number;
  return TRUE;
}

static gboolean
set_text (const OrreryMessageField *field, gpointer place, GVariant *value)
{
  gsize length;
  const char *text;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return FALSE;
  text = g_variant_get_string (value, &length);
  if (field->text_bound > 0 && length > field->text_bound)
    return FALSE;
  orrery_message_text_set (place, text, (gssize) length);
  return TRUE;
}

static gboolean
set_time (gpointer place, GVariant *value)
{
  Moment *moment = place;
  double seconds;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64)) {
    guint64 ns = g_variant_get_uint64 (value);

    moment->sec = (gint32) (guint32) (ns / 1000000000);
    moment->nanosec = (guint32) (ns % 1000000000);
    return TRUE;
  }
  if (!get_number (value, &seconds) || !(seconds > G_MININT32) || !(seconds < G_MAXINT32))
    return FALSE;
  moment->sec = (gint32) floor (seconds);
  moment->nanosec = (guint32) MIN ((seconds - floor (seconds)) * 1e9, 999999999.0);
  return TRUE;
}

static gboolean
element_from_variant (const OrreryMessageField *field, gpointer place, GVariant *value,
                      GError **error)
{
  g_autoptr (GVariant) inner = message_variant_unbox (value);
  gboolean fits;

  if (field->kind == ORRERY_MESSAGE_NESTED && !is_time (field->type)) {
    if (message_from_variant (field->type, place, inner, error))
      return TRUE;
    g_prefix_error (error, "%s: ", field->name);
    return FALSE;
  }
  if (field->kind == ORRERY_MESSAGE_NESTED)
    fits = set_time (place, inner);
  else if (field->kind == ORRERY_MESSAGE_TEXT || field->kind == ORRERY_MESSAGE_WTEXT)
    fits = set_text (field, place, inner);
  else if (field->kind == ORRERY_MESSAGE_FLOAT32 || field->kind == ORRERY_MESSAGE_FLOAT64)
    fits = set_float (field, place, inner);
  else
    fits = set_integer (field, place, inner);
  return fits || refuse (field, inner, error);
}

gboolean
message_field_from_variant (const OrreryMessageField *field, gpointer place, GVariant *value,
                            GError **error)
{
  g_autoptr (GVariant) list = NULL;
  guint8 *elements = place;
  gsize n;

  if (field->shape == ORRERY_MESSAGE_SINGLE)
    return element_from_variant (field, place, value, error);
  list = message_variant_unbox (value);
  if (!g_variant_is_of_type (list, G_VARIANT_TYPE_ARRAY) &&
      !g_variant_is_of_type (list, G_VARIANT_TYPE_TUPLE))
    return refuse (field, list, error);
  n = g_variant_n_children (list);
  if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY ? n != field->count
                                                 : field->count > 0 && n > field->count)
    return refuse (field, list, error);
  if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
    orrery_message_array_resize (place, field, n);
    elements = ((OrreryMessageArray *) place)->data;
  }
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

    if (!element_from_variant (field, elements + i * get_size (field), child, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
message_from_variant (const OrreryMessageType *type, gpointer message, GVariant *value,
                      GError **error)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);
  g_autofree char *shown = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}"))) {
    shown = orrery_variant_show (value);
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is no dictionary of the fields of %s",
                             shown, orrery_message_type_get_name (type));
  }
  for (guint i = 0; i < n; i++) {
    g_autoptr (GVariant) member = find_key (value, fields[i].name);

    if (member != NULL &&
        !message_field_from_variant (&fields[i], (guint8 *) message + fields[i].offset, member,
                                     error))
      return FALSE;
  }
  return TRUE;
}
