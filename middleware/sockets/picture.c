/* SPDX-License-Identifier: BSD-3-Clause */
/* What the codecs of cameras share: members of JSON and bytes in base64. */
#include "picture.h"

/* Bytes that are encoded at once, and what comes of them. */
#define BLOCK 3072
#define ENCODED (BLOCK / 3 * 4)

static void
add_name (OrreryWriter *writer, const char *name)
{
  orrery_writer_append_text (writer, ", ");
  orrery_writer_append_json_text (writer, name);
  orrery_writer_append_text (writer, ": ");
}

void
picture_begin (OrreryWriter *writer, OrreryRecord *record)
{
  orrery_writer_append_text (writer, "{\"timestamp\": ");
  orrery_writer_append_json_double (writer,
                                    orrery_time_to_seconds (orrery_record_get_timestamp (record)));
}

void
picture_add_int (OrreryWriter *writer, const char *name, gint64 value)
{
  add_name (writer, name);
  orrery_writer_append_int (writer, value);
}

/* RFC 4648, with padding. */
static gsize
encode (const guint8 *bytes, gsize n, char *out)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *at = out;

  for (; n >= 3; n -= 3, bytes += 3) {
    guint32 bits = (guint32) bytes[0] << 16 | (guint32) bytes[1] << 8 | bytes[2];

    for (int shift = 18; shift >= 0; shift -= 6)
      *at++ = digits[bits >> shift & 63];
  }
  if (n == 0)
    return (gsize) (at - out);
  *at++ = digits[bytes[0] >> 2];
  *at++ = digits[(bytes[0] & 3) << 4 | (n == 2 ? bytes[1] >> 4 : 0)];
  *at++ = n == 2 ? digits[(bytes[1] & 15) << 2] : '=';
  *at++ = '=';
  return (gsize) (at - out);
}

void
picture_add_bytes (OrreryWriter *writer, const char *name, gconstpointer bytes, gsize n)
{
  const guint8 *at = bytes;
  char text[ENCODED];

  add_name (writer, name);
  orrery_writer_append_char (writer, '"');
  while (n > 0) {
    gsize taken = MIN (n, BLOCK);

    orrery_writer_append (writer, text, encode (at, taken, text));
    at += taken;
    n -= taken;
  }
  orrery_writer_append_char (writer, '"');
}

void
picture_add_buffer (OrreryWriter *writer, const char *name, OrreryBuffer *buffer)
{
  picture_add_bytes (writer, name, buffer != NULL ? orrery_buffer_get_data (buffer) : "",
                     buffer != NULL ? orrery_buffer_get_size (buffer) : 0);
}

void
picture_add_matrix (OrreryWriter *writer, const char *name, const OrreryMat3 *matrix)
{
  add_name (writer, name);
  for (guint i = 0; i < 9; i++) {
    orrery_writer_append_text (writer, i == 0 ? "[[" : i % 3 == 0 ? "], [" : ", ");
    orrery_writer_append_json_double (writer, matrix->m[i]);
  }
  orrery_writer_append_text (writer, "]]");
}

void
picture_end (OrreryWriter *writer)
{
  orrery_writer_append_char (writer, '}');
}
