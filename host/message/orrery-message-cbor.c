/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages as CBOR (RFC 8949), in the form of rosbridge. */
#include "message/orrery-message-cbor-private.h"

#include <string.h>

#include "base/orrery-message-private.h"

/* Bytes of the longest head, or of a number. */
#define MAX_HEAD 9
/* Keys are copied in pieces of this size, and lie in memory of whole ones. */
#define KEY_UNIT 16

static void write_map (OrreryWriter *writer, const OrreryMessageType *type, const char *message);

/* --- heads and numbers: each returns the bytes that it has written --- */

/* The lower @n bytes of @value, 1 to 8, behind the first byte; the machine is little endian, as
 * orrery-message-binary.c demands. */
static inline gsize
put_big_endian (char *out, guint first, guint64 value, guint n)
{
  guint64 bytes = GUINT64_SWAP_LE_BE (value) >> (8 * (8 - n));

  out[0] = (char) first;
  memcpy (out + 1, &bytes, n);
  return 1 + n;
}

/* The first byte and a number, as short as it can be. */
static inline gsize
put_head (char *out, OrreryCborMajor major, guint64 value)
{
  guint first = (guint) major << 5;

  if (value < ORRERY_CBOR_ONE_BYTE) {
    *out = (char) (first | (guint) value);
    return 1;
  }
  if (value <= G_MAXUINT8)
    return put_big_endian (out, first | ORRERY_CBOR_ONE_BYTE, value, 1);
  if (value <= G_MAXUINT16)
    return put_big_endian (out, first | ORRERY_CBOR_TWO_BYTES, value, 2);
  if (value <= G_MAXUINT32)
    return put_big_endian (out, first | ORRERY_CBOR_FOUR_BYTES, value, 4);
  return put_big_endian (out, first | ORRERY_CBOR_EIGHT_BYTES, value, 8);
}

static inline gsize
put_int (char *out, gint64 value)
{
  return value < 0 ? put_head (out, ORRERY_CBOR_NEGATIVE, (guint64) (-1 - value))
                   : put_head (out, ORRERY_CBOR_INT, (guint64) value);
}

static inline gsize
put_float (char *out, const char *data)
{
  guint32 bits;

  memcpy (&bits, data, sizeof bits);
  return put_big_endian (out, ORRERY_CBOR_SIMPLE << 5 | ORRERY_CBOR_FOUR_BYTES, bits, sizeof bits);
}

static inline gsize
put_double (char *out, const char *data)
{
  guint64 bits;

  memcpy (&bits, data, sizeof bits);
  return put_big_endian (out, ORRERY_CBOR_SIMPLE << 5 | ORRERY_CBOR_EIGHT_BYTES, bits, sizeof bits);
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
    return put_float (out, data);
  default:
    return put_double (out, data);
  }
}

char *
orrery_message_make_cbor_key (const char *text, gsize *length)
{
  gsize n = strlen (text);
  char *made = g_malloc0 ((MAX_HEAD + n + KEY_UNIT - 1) / KEY_UNIT * KEY_UNIT);
  gsize head = put_head (made, ORRERY_CBOR_TEXT, n);

  memcpy (made + head, text, n);
  *length = head + n;
  return made;
}

/* --- values --- */

static inline void
write_head (OrreryWriter *writer, OrreryCborMajor major, guint64 value)
{
  char head[MAX_HEAD];

  orrery_writer_put (writer, head, put_head (head, major, value));
}

static void
write_text (OrreryWriter *writer, const OrreryMessageText *text)
{
  write_head (writer, ORRERY_CBOR_TEXT, text->length);
  orrery_writer_put (writer, text->data, text->length);
}

static void
write_number (OrreryWriter *writer, OrreryMessageKind kind, const char *data)
{
  char number[MAX_HEAD];

  orrery_writer_put (writer, number, put_number (number, kind, data));
}

/* Of a kind without a tag, bytes or bools. */
static guint
get_tag (OrreryMessageKind kind)
{
  static const guint8 tags[] = { 0, 72, 0, 77, 69, 78, 70, 79, 71, 85, 86 };

  return kind < G_N_ELEMENTS (tags) ? tags[kind] : 0;
}

static void
write_element (OrreryWriter *writer, const OrreryMessageField *field, const char *data)
{
  if (field->kind == ORRERY_MESSAGE_NESTED)
    write_map (writer, field->type, data);
  else if (field->kind >= ORRERY_MESSAGE_TEXT)
    write_text (writer, (const OrreryMessageText *) (gconstpointer) data);
  else
    write_number (writer, field->kind, data);
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
    orrery_writer_put (writer, data, n * size);
    return;
  }
  write_head (writer, ORRERY_CBOR_LIST, n);
  for (gsize i = 0; i < n; i++)
    write_element (writer, field, data + i * size);
}

/* Pieces of one size take no call, and may be longer than the key. Returns: bytes of the key */
static inline gsize
put_key (char *out, const OrreryMessageKey *key)
{
  for (gsize i = 0; i < key->cbor_length; i += KEY_UNIT)
    memcpy (out + i, key->cbor + i, KEY_UNIT);
  return key->cbor_length;
}

static void
write_map (OrreryWriter *writer, const OrreryMessageType *type, const char *message)
{
  write_head (writer, ORRERY_CBOR_MAP, type->n_fields);
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];
    const OrreryMessageKey *key = &type->keys[i];
    const char *place = message + field->offset;

    char *at = orrery_writer_reserve (writer, key->cbor_length + KEY_UNIT + MAX_HEAD);
    gsize n = put_key (at, key);

    if (field->shape == ORRERY_MESSAGE_SINGLE && field->kind < ORRERY_MESSAGE_TEXT) {
      orrery_writer_advance (writer, n + put_number (at + n, key->kind, place));
      continue;
    }
    orrery_writer_advance (writer, n);
    if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
      const OrreryMessageArray *array = (const OrreryMessageArray *) (gconstpointer) place;

      write_list (writer, field, array->data, array->length);
    } else if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY) {
      write_list (writer, field, place, field->count);
    } else {
      write_element (writer, field, place);
    }
  }
}

void
orrery_message_write_cbor (const OrreryMessageType *type, const char *message, OrreryWriter *writer)
{
  write_map (writer, type, message);
}
