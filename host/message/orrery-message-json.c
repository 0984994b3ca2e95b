/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages as JSON, in the form of rosbridge. */
#include "message/orrery-message-encoding-private.h"

#include <math.h>
#include <string.h>

#include "base/orrery-message-private.h"
#include "base/orrery-number-private.h"

/* Numbers that are formatted into room that is reserved once. */
#define CHUNK 64
/* Bytes of input that become base64 at once, a multiple of three. */
#define BYTES_AT_ONCE 3072

static void write_object (OrreryWriter *writer, const OrreryMessageType *type, const char *message);

static inline gsize
put_word (char *out, const char *word, gsize length)
{
  memcpy (out, word, length);
  return length;
}

static inline gsize
format_double (double value, char *out)
{
  /* Most numbers of a covariance. */
  if (value == 0 && !signbit (value))
    return put_word (out, "0.0", 3);
  return isfinite (value) ? orrery_number_format (value, out) : put_word (out, "null", 4);
}

/* Returns: bytes written, less than ORRERY_NUMBER_SIZE */
static gsize
format_number (OrreryMessageKind kind, const char *data, char *out)
{
  gconstpointer place = data;

  switch (kind) {
  case ORRERY_MESSAGE_BOOL:
    return *data != 0 ? put_word (out, "true", 4) : put_word (out, "false", 5);
  case ORRERY_MESSAGE_INT8:
    return orrery_number_format_int (*(const gint8 *) place, out);
  case ORRERY_MESSAGE_UINT8:
    return orrery_number_format_int (*(const guint8 *) place, out);
  case ORRERY_MESSAGE_INT16:
    return orrery_number_format_int (*(const gint16 *) place, out);
  case ORRERY_MESSAGE_UINT16:
    return orrery_number_format_int (*(const guint16 *) place, out);
  case ORRERY_MESSAGE_INT32:
    return orrery_number_format_int (*(const gint32 *) place, out);
  case ORRERY_MESSAGE_UINT32:
    return orrery_number_format_int (*(const guint32 *) place, out);
  case ORRERY_MESSAGE_INT64:
    return orrery_number_format_int (*(const gint64 *) place, out);
  case ORRERY_MESSAGE_UINT64:
    return orrery_number_format_uint (*(const guint64 *) place, out);
  case ORRERY_MESSAGE_FLOAT32:
    return isfinite (*(const float *) place)
               ? orrery_number_format_float (*(const float *) place, out)
               : put_word (out, "null", 4);
  default:
    return format_double (*(const double *) place, out);
  }
}

/* @n numbers with commas between. */
static void
write_numbers (OrreryWriter *writer, OrreryMessageKind kind, gsize size, const char *data, gsize n)
{
  for (gsize i = 0; i < n; i += CHUNK) {
    gsize end = MIN (n, i + CHUNK);
    char *start = orrery_writer_reserve (writer, (end - i) * (ORRERY_NUMBER_SIZE + 1));
    char *at = start;

    for (gsize k = i; k < end; k++) {
      if (k > 0)
        *at++ = ',';
      at += format_number (kind, data + k * size, at);
    }
    orrery_writer_advance (writer, (gsize) (at - start));
  }
}

/* --- bytes --- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *
put_digits (char *out, guint32 bits, guint n)
{
  for (guint i = 0; i < 4; i++)
    *out++ = i <= n ? digits[bits >> (18 - 6 * i) & 63] : '=';
  return out;
}

/* Returns: behind what was written */
static char *
put_base64 (char *out, const guint8 *data, gsize n)
{
  gsize i = 0;

  for (; i + 3 <= n; i += 3, out += 4) {
    guint32 bits = (guint32) data[i] << 16 | (guint32) data[i + 1] << 8 | data[i + 2];

    out[0] = digits[bits >> 18];
    out[1] = digits[bits >> 12 & 63];
    out[2] = digits[bits >> 6 & 63];
    out[3] = digits[bits & 63];
  }
  if (n - i == 1)
    return put_digits (out, (guint32) data[i] << 16, 1);
  if (n - i == 2)
    return put_digits (out, (guint32) data[i] << 16 | (guint32) data[i + 1] << 8, 2);
  return out;
}

static void
write_bytes (OrreryWriter *writer, const guint8 *data, gsize n)
{
  orrery_writer_put_char (writer, '"');
  for (gsize i = 0; i < n; i += BYTES_AT_ONCE) {
    char *start = orrery_writer_reserve (writer, BYTES_AT_ONCE / 3 * 4);

    orrery_writer_advance (writer,
                           (gsize) (put_base64 (start, data + i, MIN (BYTES_AT_ONCE, n - i)) -
                                    start));
  }
  orrery_writer_put_char (writer, '"');
}

/* --- values --- */

static void
write_element (OrreryWriter *writer, const OrreryMessageField *field, const char *data)
{
  const OrreryMessageText *text = (const OrreryMessageText *) (gconstpointer) data;

  if (field->kind == ORRERY_MESSAGE_NESTED)
    write_object (writer, field->type, data);
  else
    orrery_writer_append_json_text_len (writer, text->data, text->length);
}

static void
write_list (OrreryWriter *writer, const OrreryMessageField *field, const char *data, gsize n)
{
  gsize size = orrery_message_get_element_size (field);

  if (orrery_message_is_bytes (field)) {
    write_bytes (writer, (const guint8 *) data, n);
    return;
  }
  orrery_writer_put_char (writer, '[');
  if (field->kind < ORRERY_MESSAGE_TEXT)
    write_numbers (writer, field->kind, size, data, n);
  for (gsize i = 0; field->kind >= ORRERY_MESSAGE_TEXT && i < n; i++) {
    if (i > 0)
      orrery_writer_put_char (writer, ',');
    write_element (writer, field, data + i * size);
  }
  orrery_writer_put_char (writer, ']');
}

static void
write_object (OrreryWriter *writer, const OrreryMessageType *type, const char *message)
{
  orrery_writer_put_char (writer, '{');
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    const OrreryMessageKey *key = &type->keys[i];
    const char *place = message + field->offset;

    orrery_writer_put (writer, key->text + (i == 0), key->length - (i == 0));
    if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
      const OrreryMessageArray *array = (const OrreryMessageArray *) (gconstpointer) place;

      write_list (writer, field, array->data, array->length);
    } else if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY) {
      write_list (writer, field, place, field->count);
    } else if (field->kind < ORRERY_MESSAGE_TEXT) {
      write_numbers (writer, key->kind, 0, place, 1);
    } else {
      write_element (writer, field, place);
    }
  }
  orrery_writer_put_char (writer, '}');
}

void
orrery_message_write_json (const OrreryMessageType *type, const char *message, OrreryWriter *writer)
{
  write_object (writer, type, message);
}
