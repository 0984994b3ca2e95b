/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages as CBOR (RFC 8949). */
#include "bridge-private.h"

#include <string.h>

enum {
  MAJOR_UNSIGNED = 0,
  MAJOR_NEGATIVE = 1,
  MAJOR_BYTES = 2,
  MAJOR_TEXT = 3,
  MAJOR_ARRAY = 4,
  MAJOR_MAP = 5,
  MAJOR_TAG = 6,
};

#define FALSE_BYTE 0xf4
#define TRUE_BYTE 0xf5
#define NULL_BYTE 0xf6
#define FLOAT_BYTE 0xfa
#define DOUBLE_BYTE 0xfb

static void
append_big_endian (OrreryWriter *writer, guint64 value, guint n)
{
  guint8 bytes[8];

  for (guint i = 0; i < n; i++)
    bytes[i] = (guint8) (value >> (8 * (n - 1 - i)));
  orrery_writer_append (writer, bytes, n);
}

/* What every item begins with: its kind and a number. */
static void
append_head (OrreryWriter *writer, guint major, guint64 value)
{
  guint n = value < 24             ? 0
            : value <= G_MAXUINT8  ? 1
            : value <= G_MAXUINT16 ? 2
            : value <= G_MAXUINT32 ? 4
                                   : 8;
  guint code = n == 0 ? (guint) value : n == 1 ? 24 : n == 2 ? 25 : n == 4 ? 26 : 27;

  orrery_writer_append_char (writer, (char) (major << 5 | code));
  append_big_endian (writer, value, n);
}

static void
append_text (OrreryWriter *writer, const char *text)
{
  append_head (writer, MAJOR_TEXT, strlen (text));
  orrery_writer_append_text (writer, text);
}

static void
append_double (OrreryWriter *writer, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  orrery_writer_append_char (writer, (char) DOUBLE_BYTE);
  append_big_endian (writer, bits, sizeof bits);
}

static void
append_int (OrreryWriter *writer, gint64 value)
{
  if (value >= 0)
    append_head (writer, MAJOR_UNSIGNED, (guint64) value);
  else
    append_head (writer, MAJOR_NEGATIVE, ~(guint64) value);
}

/* As deep as the reader of JSON goes. */
static void
append_node (OrreryWriter *writer, OrreryNode *node)
{
  guint n;

  switch (orrery_node_get_kind (node)) {
  case ORRERY_NODE_BOOL:
    orrery_writer_append_char (writer,
                               (char) (orrery_node_get_bool (node) ? TRUE_BYTE : FALSE_BYTE));
    return;
  case ORRERY_NODE_INT:
    append_int (writer, orrery_node_get_int (node));
    return;
  case ORRERY_NODE_DOUBLE:
    append_double (writer, orrery_node_get_double (node));
    return;
  case ORRERY_NODE_TEXT:
    append_text (writer, orrery_node_get_text (node));
    return;
  case ORRERY_NODE_LIST:
    n = orrery_node_get_length (node);
    append_head (writer, MAJOR_ARRAY, n);
    for (guint i = 0; i < n; i++)
      append_node (writer, orrery_node_get_item (node, i));
    return;
  case ORRERY_NODE_DICT:
    n = orrery_node_get_length (node);
    append_head (writer, MAJOR_MAP, n);
    for (guint i = 0; i < n; i++) {
      append_text (writer, orrery_node_get_key (node, i));
      append_node (writer, orrery_node_get_item (node, i));
    }
    return;
  default:
    orrery_writer_append_char (writer, (char) NULL_BYTE);
  }
}

/* --- messages with a type --- */

static void
append_bool (OrreryWriter *writer, gboolean value)
{
  orrery_writer_append_char (writer, (char) (value ? TRUE_BYTE : FALSE_BYTE));
}

static void
append_float (OrreryWriter *writer, float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  orrery_writer_append_char (writer, (char) FLOAT_BYTE);
  append_big_endian (writer, bits, sizeof bits);
}

static gsize
size_element (const OrreryMessageField *field)
{
  switch (field->kind) {
  case ORRERY_MESSAGE_INT16:
  case ORRERY_MESSAGE_UINT16:
    return sizeof (gint16);
  case ORRERY_MESSAGE_INT32:
  case ORRERY_MESSAGE_UINT32:
  case ORRERY_MESSAGE_FLOAT32:
    return sizeof (gint32);
  case ORRERY_MESSAGE_INT64:
  case ORRERY_MESSAGE_UINT64:
  case ORRERY_MESSAGE_FLOAT64:
    return sizeof (gint64);
  case ORRERY_MESSAGE_TEXT:
  case ORRERY_MESSAGE_WTEXT:
    return sizeof (OrreryMessageText);
  case ORRERY_MESSAGE_NESTED:
    return orrery_message_type_get_size (field->type);
  default:
    return 1;
  }
}

/* The tag of an array of such numbers, little-endian as they are in memory (RFC 8746); 0: there is
 * none. */
static guint
find_tag (OrreryMessageKind kind)
{
  static const guint tags[] = {
    [ORRERY_MESSAGE_INT8] = 72,   [ORRERY_MESSAGE_INT16] = 77,   [ORRERY_MESSAGE_UINT16] = 69,
    [ORRERY_MESSAGE_INT32] = 78,  [ORRERY_MESSAGE_UINT32] = 70,  [ORRERY_MESSAGE_INT64] = 79,
    [ORRERY_MESSAGE_UINT64] = 71, [ORRERY_MESSAGE_FLOAT32] = 85, [ORRERY_MESSAGE_FLOAT64] = 86,
    [ORRERY_MESSAGE_NESTED] = 0,
  };

  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? tags[kind] : 0;
}

static void append_fields (OrreryWriter *writer, const OrreryMessageType *type,
                           const guint8 *message);

static void
append_element (OrreryWriter *writer, const OrreryMessageField *field, const guint8 *at)
{
  const OrreryMessageText *text = (const OrreryMessageText *) at;

  switch (field->kind) {
  case ORRERY_MESSAGE_BOOL:
    append_bool (writer, *at);
    return;
  case ORRERY_MESSAGE_INT8:
    append_int (writer, *(const gint8 *) at);
    return;
  case ORRERY_MESSAGE_UINT8:
    append_int (writer, *at);
    return;
  case ORRERY_MESSAGE_INT16:
    append_int (writer, *(const gint16 *) at);
    return;
  case ORRERY_MESSAGE_UINT16:
    append_int (writer, *(const guint16 *) at);
    return;
  case ORRERY_MESSAGE_INT32:
    append_int (writer, *(const gint32 *) at);
    return;
  case ORRERY_MESSAGE_UINT32:
    append_int (writer, *(const guint32 *) at);
    return;
  case ORRERY_MESSAGE_INT64:
    append_int (writer, *(const gint64 *) at);
    return;
  case ORRERY_MESSAGE_UINT64:
    append_head (writer, MAJOR_UNSIGNED, *(const guint64 *) at);
    return;
  case ORRERY_MESSAGE_FLOAT32:
    append_float (writer, *(const float *) at);
    return;
  case ORRERY_MESSAGE_FLOAT64:
    append_double (writer, *(const double *) at);
    return;
  case ORRERY_MESSAGE_NESTED:
    append_fields (writer, field->type, at);
    return;
  default:
    append_head (writer, MAJOR_TEXT, text->length);
    orrery_writer_append (writer, text->data, text->length);
  }
}

static void
append_array (OrreryWriter *writer, const OrreryMessageField *field, const guint8 *data, gsize n)
{
  gsize size = size_element (field);
  guint tag = find_tag (field->kind);

  if (tag != 0)
    append_head (writer, MAJOR_TAG, tag);
  if (tag != 0 || field->kind == ORRERY_MESSAGE_UINT8) {
    append_head (writer, MAJOR_BYTES, n * size);
    orrery_writer_append (writer, data, n * size);
    return;
  }
  append_head (writer, MAJOR_ARRAY, n);
  for (gsize i = 0; i < n; i++)
    append_element (writer, field, data + i * size);
}

static void
append_fields (OrreryWriter *writer, const OrreryMessageType *type, const guint8 *message)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);

  append_head (writer, MAJOR_MAP, n);
  for (guint i = 0; i < n; i++) {
    const guint8 *at = message + fields[i].offset;
    const OrreryMessageArray *array = (const OrreryMessageArray *) at;

    append_text (writer, fields[i].name);
    if (fields[i].shape == ORRERY_MESSAGE_SEQUENCE)
      append_array (writer, &fields[i], array->data, array->length);
    else if (fields[i].shape == ORRERY_MESSAGE_FIXED_ARRAY)
      append_array (writer, &fields[i], at, fields[i].count);
    else
      append_element (writer, &fields[i], at);
  }
}

/* --- messages --- */

static gboolean
append_json (OrreryWriter *writer, GBytes *message)
{
  gsize length;
  const char *text = g_bytes_get_data (message, &length);
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, length, "message", NULL);

  if (node != NULL)
    append_node (writer, node);
  return node != NULL;
}

/* The bytes of DDS, and when they were sent. */
static gboolean
append_raw (OrreryWriter *writer, const OrreryMessageType *type, gconstpointer message)
{
  g_autoptr (OrreryWriter) raw = orrery_writer_new ();
  gint64 now = g_get_real_time ();
  gsize length;
  const char *bytes;

  if (!orrery_message_write (type, message, ORRERY_MESSAGE_ENCODING_CDR, raw, NULL))
    return FALSE;
  bytes = orrery_writer_get_data (raw, &length);
  append_head (writer, MAJOR_MAP, 3);
  append_text (writer, "secs");
  append_int (writer, now / G_USEC_PER_SEC);
  append_text (writer, "nsecs");
  append_int (writer, now % G_USEC_PER_SEC * 1000);
  append_text (writer, "bytes");
  append_head (writer, MAJOR_BYTES, length);
  orrery_writer_append (writer, bytes, length);
  return TRUE;
}

static gboolean
append_typed (OrreryWriter *writer, BridgeTopic *topic, GBytes *text, gboolean is_raw)
{
  gpointer message = orrery_message_new (topic->type);
  gsize length;
  const guint8 *data = g_bytes_get_data (text, &length);
  gboolean is_good =
      orrery_message_read (topic->type, message, topic->bridge->encoding, data, length, NULL);

  if (is_good && is_raw)
    is_good = append_raw (writer, topic->type, message);
  else if (is_good)
    append_fields (writer, topic->type, message);
  orrery_message_free (topic->type, message);
  return is_good;
}

GBytes *
bridge_make_cbor (BridgeTopic *topic, GBytes *message, BridgeCompression compression)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gboolean is_typed = topic->type != NULL && topic->bridge->has_encoding;

  append_head (writer, MAJOR_MAP, 3);
  append_text (writer, "op");
  append_text (writer, "publish");
  append_text (writer, "topic");
  append_text (writer, topic->name);
  append_text (writer, "msg");
  if (is_typed ? !append_typed (writer, topic, message, compression == BRIDGE_CBOR_RAW)
               : !append_json (writer, message))
    return NULL;
  return orrery_writer_dup_bytes (writer);
}
