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
append_raw (OrreryWriter *writer, BridgeTopic *topic, GBytes *message)
{
  g_autoptr (OrreryWriter) raw = orrery_writer_new ();
  gint64 now = g_get_real_time ();
  gsize length;
  const char *bytes;

  if (!bridge_topic_write (topic, message, ORRERY_MESSAGE_ENCODING_CDR, raw))
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

/* A message with a type is CBOR as it comes. */
static gboolean
append_message (OrreryWriter *writer, BridgeTopic *topic, GBytes *message,
                BridgeCompression compression)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (message, &length);

  if (topic->type == NULL)
    return append_json (writer, message);
  if (compression == BRIDGE_CBOR_RAW)
    return append_raw (writer, topic, message);
  orrery_writer_append (writer, data, length);
  return TRUE;
}

GBytes *
bridge_make_cbor (BridgeTopic *topic, GBytes *message, BridgeCompression compression)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  append_head (writer, MAJOR_MAP, 3);
  append_text (writer, "op");
  append_text (writer, "publish");
  append_text (writer, "topic");
  append_text (writer, topic->name);
  append_text (writer, "msg");
  return append_message (writer, topic, message, compression) ? orrery_writer_dup_bytes (writer)
                                                              : NULL;
}
