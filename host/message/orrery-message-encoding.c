/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads messages in an encoding, and what the encodings share. */
#include "message/orrery-message-encoding-private.h"

#include <math.h>
#include <string.h>

#include "base/orrery-error-private.h"

/* Defaults of the limits. */
#define MAX_BYTES ((gsize) 256 * 1024 * 1024)
#define MAX_ELEMENTS ((gsize) 256 * 1024 * 1024)
#define MAX_TEXT ((gsize) 256 * 1024 * 1024)
/* Memory of elements: so much, and so many times the bytes of the message. */
#define LEAST_MEMORY ((gsize) 1024 * 1024)
#define MEMORY_FACTOR 64
/* Bytes of a name in an error. */
#define MAX_SHOWN 80

/* In the order of OrreryMessageEncoding. */
static const char *const names[] = { "ros1", "cdr", "json", "cbor" };

gboolean
orrery_message_encoding_from_name (const char *name, OrreryMessageEncoding *encoding)
{
  g_return_val_if_fail (encoding != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (name, names[i]) == 0) {
      *encoding = (OrreryMessageEncoding) i;
      return TRUE;
    }
  return FALSE;
}

/* --- errors --- */

static void
append_place (GString *text, const OrreryMessagePlace *place)
{
  if (place == NULL)
    return;
  append_place (text, place->up);
  if (place->up != NULL)
    g_string_append_c (text, '.');
  g_string_append (text, place->field->name);
  if (place->index != ORRERY_MESSAGE_WHOLE)
    g_string_append_printf (text, "[%" G_GSIZE_FORMAT "]", place->index);
}

gboolean
orrery_message_fail (const OrreryMessageInput *in, gsize at, GError **error, const char *format,
                     ...)
{
  g_autoptr (GString) text = g_string_new (NULL);
  va_list arguments;

  append_place (text, in->place);
  if (in->place != NULL)
    g_string_append (text, ": ");
  g_string_append_printf (text, "byte %" G_GSIZE_FORMAT ": ", at);
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", text->str);
}

gboolean
orrery_message_fail_no_field (const OrreryMessageInput *in, gsize at, const OrreryMessageType *type,
                              const char *name, gsize length, GError **error)
{
  g_autofree const char **there = g_new0 (const char *, type->n_fields + 1);
  g_autofree char *wanted = g_utf8_make_valid (name, (gssize) MIN (length, MAX_SHOWN));
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < type->n_fields; i++)
    there[i] = orrery_message_get_shown_name (type, i);
  nearest = orrery_nearest_names (wanted, there);
  return orrery_message_fail (in, at, error, "%s has no field '%s'%s", type->name, wanted, nearest);
}

/* --- limits --- */

gboolean
orrery_message_check_count (const OrreryMessageInput *in, gsize at, const OrreryMessageField *field,
                            gsize n, GError **error)
{
  gsize most = in->limits.elements;

  if (field->count > 0)
    most = MIN (most, field->count);
  if (n <= most)
    return TRUE;
  return orrery_message_fail (in, at, error,
                              "%" G_GSIZE_FORMAT " elements, at most %" G_GSIZE_FORMAT " fit", n,
                              most);
}

gboolean
orrery_message_check_text (const OrreryMessageInput *in, gsize at, const OrreryMessageField *field,
                           gsize length, GError **error)
{
  gsize most = in->limits.text;

  if (field->text_bound > 0)
    most = MIN (most, field->text_bound);
  if (length <= most)
    return TRUE;
  return orrery_message_fail (in, at, error,
                              "a text of %" G_GSIZE_FORMAT " bytes, at most %" G_GSIZE_FORMAT
                              " fit",
                              length, most);
}

gboolean
orrery_message_take_memory (OrreryMessageInput *in, gsize at, const OrreryMessageField *field,
                            gsize n, GError **error)
{
  gsize size = orrery_message_get_element_size (field);

  if (n > in->memory_left / size)
    return orrery_message_fail (in, at, error,
                                "%" G_GSIZE_FORMAT " elements of %" G_GSIZE_FORMAT
                                " bytes, too much memory for so short a message",
                                n, size);
  in->memory_left -= n * size;
  return TRUE;
}

/* --- fields of JSON and CBOR --- */

static const char *
get_time (const OrreryMessageType *type)
{
  return type->n_fields == 2 ? orrery_message_get_ros1_time (type) : NULL;
}

const char *
orrery_message_get_shown_name (const OrreryMessageType *type, guint i)
{
  static const char *const ros1[] = { "secs", "nsecs" };

  if (type->dialect == ORRERY_MESSAGE_ROS1 && get_time (type) != NULL)
    return ros1[i];
  return type->fields[i].name;
}

OrreryMessageKind
orrery_message_get_shown_kind (const OrreryMessageType *type, guint i)
{
  const char *time = type->dialect == ORRERY_MESSAGE_ROS1 ? get_time (type) : NULL;

  if (time == NULL)
    return type->fields[i].kind;
  return g_str_equal (time, "time") ? ORRERY_MESSAGE_UINT32 : ORRERY_MESSAGE_INT32;
}

gboolean
orrery_message_is_bytes (const OrreryMessageField *field)
{
  return field->shape != ORRERY_MESSAGE_SINGLE &&
         (field->kind == ORRERY_MESSAGE_UINT8 || g_str_has_prefix (field->spelling, "byte["));
}

static gboolean
is_key (const char *name, const char *key, gsize length)
{
  return strlen (name) == length && memcmp (name, key, length) == 0;
}

guint
orrery_message_find_key (const OrreryMessageType *type, const char *key, gsize length, guint hint)
{
  static const char *const both[] = { "secs", "sec", "nsecs", "nanosec" };

  if (hint < type->n_fields && is_key (type->fields[hint].name, key, length))
    return hint;
  for (guint i = 0; i < type->n_fields; i++)
    if (is_key (type->fields[i].name, key, length))
      return i;
  for (guint i = 0; get_time (type) != NULL && i < G_N_ELEMENTS (both); i++)
    if (is_key (both[i], key, length))
      return i / 2;
  return type->n_fields;
}

/* In the order of OrreryMessageKind. */
static const struct {
  const char *name;
  guint bits;
  gboolean is_signed;
} integers[] = {
  { "bool", 1, FALSE },    { "int8", 8, TRUE },     { "uint8", 8, FALSE },
  { "int16", 16, TRUE },   { "uint16", 16, FALSE }, { "int32", 32, TRUE },
  { "uint32", 32, FALSE }, { "int64", 64, TRUE },   { "uint64", 64, FALSE },
};

gboolean
orrery_message_put_int (const OrreryMessageInput *in, gsize at, OrreryMessageKind kind,
                        gboolean is_negative, guint64 magnitude, gpointer element, GError **error)
{
  guint bits;
  guint64 most, value;

  if (kind == ORRERY_MESSAGE_FLOAT32 || kind == ORRERY_MESSAGE_FLOAT64)
    return orrery_message_put_double (in, at, kind,
                                      is_negative ? -(double) magnitude : (double) magnitude,
                                      element, error);
  bits = integers[kind].bits;
  most = integers[kind].is_signed ? (G_GUINT64_CONSTANT (1) << (bits - 1)) - 1
                                  : G_MAXUINT64 >> (64 - bits);
  if (is_negative && magnitude > 0)
    most = integers[kind].is_signed ? most + 1 : 0;
  if (magnitude > most)
    return orrery_message_fail (in, at, error, "%s%" G_GUINT64_FORMAT " is out of the range of %s",
                                is_negative ? "-" : "", magnitude, integers[kind].name);
  value = is_negative ? 0 - magnitude : magnitude;
  /* Of a little-endian machine; the lower bytes are the value. */
  memcpy (element, &value, MAX (bits / 8, 1));
  return TRUE;
}

gboolean
orrery_message_put_double (const OrreryMessageInput *in, gsize at, OrreryMessageKind kind,
                           double value, gpointer element, GError **error)
{
  if (kind == ORRERY_MESSAGE_FLOAT64) {
    *(double *) element = value;
    return TRUE;
  }
  if (kind == ORRERY_MESSAGE_FLOAT32) {
    *(float *) element = (float) value;
    return isinf (*(float *) element) == isinf (value) ||
           orrery_message_fail (in, at, error, "%g is out of the range of float32", value);
  }
  if (!isfinite (value) || value != floor (value))
    return orrery_message_fail (in, at, error, "%g where an integer is expected", value);
  if (fabs (value) >= 0x1p64)
    return orrery_message_fail (in, at, error, "%g is out of the range of %s", value,
                                integers[kind].name);
  return orrery_message_put_int (in, at, kind, value < 0, (guint64) fabs (value), element, error);
}

/* --- the whole --- */

static gboolean
refuse_wide_texts (const OrreryMessageType *type, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "%s has a wstring, on whose bytes implementations do not agree",
                           type->name);
}

static gboolean
is_binary (OrreryMessageEncoding encoding)
{
  return encoding == ORRERY_MESSAGE_ENCODING_ROS1 || encoding == ORRERY_MESSAGE_ENCODING_CDR;
}

gboolean
orrery_message_write (const OrreryMessageType *type, gconstpointer message,
                      OrreryMessageEncoding encoding, OrreryWriter *writer, GError **error)
{
  g_return_val_if_fail (type != NULL, FALSE);
  g_return_val_if_fail (message != NULL, FALSE);
  g_return_val_if_fail (writer != NULL, FALSE);

  if (is_binary (encoding) && type->has_wide_texts)
    return refuse_wide_texts (type, error);
  if (encoding == ORRERY_MESSAGE_ENCODING_JSON)
    orrery_message_write_json (type, message, writer);
  else if (encoding == ORRERY_MESSAGE_ENCODING_CBOR)
    orrery_message_write_cbor (type, message, writer);
  else
    orrery_message_write_binary (type, message, encoding == ORRERY_MESSAGE_ENCODING_CDR, writer);
  return TRUE;
}

static gboolean
read_whole (OrreryMessageInput *in, const OrreryMessageType *type, char *message,
            OrreryMessageEncoding encoding, gsize *used, GError **error)
{
  if (in->length > in->limits.bytes)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "a message of %" G_GSIZE_FORMAT " bytes, at most %" G_GSIZE_FORMAT
                             " are taken",
                             in->length, in->limits.bytes);
  if (encoding == ORRERY_MESSAGE_ENCODING_JSON)
    return orrery_message_read_json (in, type, message, used, error);
  if (encoding == ORRERY_MESSAGE_ENCODING_CBOR)
    return orrery_message_read_cbor (in, type, message, used, error);
  return orrery_message_read_binary (in, type, message, encoding == ORRERY_MESSAGE_ENCODING_CDR,
                                     used, error);
}

gboolean
orrery_message_read_part (const OrreryMessageType *type, gpointer message,
                          OrreryMessageEncoding encoding, const guint8 *data, gsize length,
                          const OrreryMessageLimits *limits, gsize *used, GError **error)
{
  OrreryMessageInput in = { data, length, { MAX_BYTES, MAX_ELEMENTS, MAX_TEXT }, NULL, 0 };

  g_return_val_if_fail (type != NULL, FALSE);
  g_return_val_if_fail (message != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  if (limits != NULL && limits->bytes > 0)
    in.limits.bytes = limits->bytes;
  if (limits != NULL && limits->elements > 0)
    in.limits.elements = limits->elements;
  if (limits != NULL && limits->text > 0)
    in.limits.text = limits->text;
  in.memory_left = LEAST_MEMORY + MEMORY_FACTOR * MIN (length, in.limits.bytes);

  if (is_binary (encoding) && type->has_wide_texts) {
    orrery_message_clear (type, message);
    return refuse_wide_texts (type, error);
  }
  if (read_whole (&in, type, message, encoding, used, error))
    return TRUE;
  orrery_message_clear (type, message);
  g_prefix_error (error, "%s: ", type->name);
  return FALSE;
}

gboolean
orrery_message_read (const OrreryMessageType *type, gpointer message,
                     OrreryMessageEncoding encoding, const guint8 *data, gsize length,
                     GError **error)
{
  return orrery_message_read_part (type, message, encoding, data, length, NULL, NULL, error);
}
