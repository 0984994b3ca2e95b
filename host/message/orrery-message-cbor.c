/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages as CBOR (RFC 8949), in the form of rosbridge. */
#include "message/orrery-message-cbor-private.h"

#include <string.h>

#include "base/orrery-message-private.h"

/* Bytes of the longest head, or of a number. */
#define MAX_HEAD 9

static void write_map (OrreryWriter *writer, const OrreryMessageType *type, const char *message);

static gsize
put_big_endian (char *out, guint first, guint64 value, guint n)
{
  out[0] = (char) first;
  for (guint i = 0; i < n; i++)
    out[1 + i] = (char) (value >> (8 * (n - 1 - i)));
  return 1 + n;
}

/* The first byte and a number, as short as it can be. Returns: bytes written */
static gsize
put_head (char *out, OrreryCborMajor major, guint64 value)
{
  guint first = (guint) major << 5;

  if (value < ORRERY_CBOR_ONE_BYTE)
    return put_big_endian (out, first | (guint) value, 0, 0);
  if (value <= G_MAXUINT8)
    return put_big_endian (out, first | ORRERY_CBOR_ONE_BYTE, value, 1);
  if (value <= G_MAXUINT16)
    return put_big_endian (out, first | ORRERY_CBOR_TWO_BYTES, value, 2);
  if (value <= G_MAXUINT32)
    return put_big_endian (out, first | ORRERY_CBOR_FOUR_BYTES, value, 4);
  return put_big_endian (out, first | ORRERY_CBOR_EIGHT_BYTES, value, 8);
}

static void
write_head (OrreryWriter *writer, OrreryCborMajor major, guint64 value)
{
  orrery_writer_advance (writer, put_head (orrery_writer_reserve (writer, MAX_HEAD), major, value));
}

static gsize
put_int (char *out, gint64 value)
{
  return value < 0 ? put_head (out, ORRERY_CBOR_NEGATIVE, (guint64) (-1 - value))
                   : put_head (out, ORRERY_CBOR_INT, (guint64) value);
}

static gsize
put_float (char *out, const char *data, guint size)
{
  guint64 bits = 0;

  memcpy (&bits, data, size);
  return put_big_endian (out,
                         ORRERY_CBOR_SIMPLE << 5 |
                             (size == 4 ? ORRERY_CBOR_FOUR_BYTES : ORRERY_CBOR_EIGHT_BYTES),
                         bits, size);
}

static gsize
put_number (char *out, OrreryMessageKind kind, const char *data)
{
  gconstpointer place = data;

  switch (kind) {
  case ORRERY_MESSAGE_BOOL:
    return put_head (out, ORRERY_CBOR_SIMPLE, *data != 0 ? ORRERY_CBOR_TRUE : ORRERY_CBOR_FALSE);
  case ORRERY_MESSAGE_INT8:
    return put_int (out, *(const gint8 *) place);
  case ORRERY_MESSAGE_UINT8:
    return put_int (out, *(const guint8 *) place);
  case ORRERY_MESSAGE_INT16:
    return put_int (out, *(const gint16 *) place);
  case ORRERY_MESSAGE_UINT16:
    return put_int (out, *(const guint16 *) place);
  case ORRERY_MESSAGE_INT32:
    return put_int (out, *(const gint32 *) place);
  case ORRERY_MESSAGE_UINT32:
    return put_int (out, *(const guint32 *) place);
  case ORRERY_MESSAGE_INT64:
    return put_int (out, *(const gint64 *) place);
  case ORRERY_MESSAGE_UINT64:
    return put_head (out, ORRERY_CBOR_INT, *(const guint64 *) place);
  case ORRERY_MESSAGE_FLOAT32:
    return put_float (out, data, 4);
  default:
    return put_float (out, data, 8);
  }
}

static void
write_text (OrreryWriter *writer, const char *data, gsize length)
{
  write_head (writer, ORRERY_CBOR_TEXT, length);
  orrery_writer_append (writer, data, length);
}

/* Of a kind without a tag, bytes or bools. */
static guint
get_tag (OrreryMessageKind kind)
{
  static const guint8 tags[] = { 0, 72, 0, 77, 69, 78, 70, 79, 71, 85, 86 };

  return kind < G_N_ELEMENTS (tags) ? tags[kind] : 0;
}

static void
write_element (OrreryWriter *writer, const OrreryMessageField *field, OrreryMessageKind kind,
               const char *data)
{
  const OrreryMessageText *text = (const OrreryMessageText *) (gconstpointer) data;

  if (kind == ORRERY_MESSAGE_NESTED)
    write_map (writer, field->type, data);
  else if (kind >= ORRERY_MESSAGE_TEXT)
    write_text (writer, text->data, text->length);
  else
    orrery_writer_advance (writer,
                           put_number (orrery_writer_reserve (writer, MAX_HEAD), kind, data));
}

static void
write_list (OrreryWriter *writer, const OrreryMessageField *field, const char *data, gsize n)
{
  gsize size = orrery_message_get_element_size (field);
  guint tag = get_tag (field->kind);

  if (tag > 0 || field->kind == ORRERY_MESSAGE_UINT8) {
    if (tag > 0)
      write_head (writer, ORRERY_CBOR_TAG, tag);
    write_head (writer, ORRERY_CBOR_BYTES, n * size);
    orrery_writer_append (writer, data, n * size);
    return;
  }
  write_head (writer, ORRERY_CBOR_LIST, n);
  for (gsize i = 0; i < n; i++)
    write_element (writer, field, field->kind, data + i * size);
}

static void
write_map (OrreryWriter *writer, const OrreryMessageType *type, const char *message)
{
  write_head (writer, ORRERY_CBOR_MAP, type->n_fields);
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    const OrreryMessageKey *key = &type->keys[i];
    const char *place = message + field->offset;

    /* Without the comma, the quotes and the colon of JSON. */
    write_text (writer, key->text + 2, key->length - 4);
    if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
      const OrreryMessageArray *array = (const OrreryMessageArray *) (gconstpointer) place;

      write_list (writer, field, array->data, array->length);
    } else if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY) {
      write_list (writer, field, place, field->count);
    } else {
      write_element (writer, field, key->kind, place);
    }
  }
}

void
orrery_message_write_cbor (const OrreryMessageType *type, const char *message, OrreryWriter *writer)
{
  write_map (writer, type, message);
}
