/* SPDX-License-Identifier: BSD-3-Clause */
/* Pixels as a PNG file. */
#include "view-gltf.h"

#include <gio/gio.h>
#include <string.h>

#define CHUNK 65536

static guint32
update_crc (guint32 crc, const guint8 *data, gsize length)
{
  static guint32 table[256];
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    for (guint32 i = 0; i < 256; i++) {
      guint32 c = i;

      for (guint bit = 0; bit < 8; bit++)
        c = (c & 1) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
    g_once_init_leave (&ready, 1);
  }
  for (gsize i = 0; i < length; i++)
    crc = table[(crc ^ data[i]) & 0xff] ^ (crc >> 8);
  return crc;
}

static void
append_word (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_BE (value);
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

static void
append_chunk (GByteArray *out, const char *name, const guint8 *data, gsize length)
{
  guint32 crc = update_crc (0xffffffffU, (const guint8 *) name, 4);

  append_word (out, (guint32) length);
  g_byte_array_append (out, (const guint8 *) name, 4);
  if (length > 0)
    g_byte_array_append (out, data, (guint) length);
  append_word (out, ~update_crc (crc, data, length));
}

/* Rows, each behind a byte that says how it is filtered: not at all. */
static GByteArray *
compress_rows (const guint8 *pixels, gsize width, gsize height, guint channels)
{
  g_autoptr (GConverter) zlib =
      G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6));
  GByteArray *out = g_byte_array_new ();
  gsize row = width * channels, n = height * (row + 1), at = 0, used = 0;
  g_autofree guint8 *rows = g_malloc (n);
  GConverterResult result = G_CONVERTER_CONVERTED;

  for (gsize y = 0; y < height; y++) {
    rows[y * (row + 1)] = 0;
    memcpy (rows + y * (row + 1) + 1, pixels + y * row, row);
  }
  while (result == G_CONVERTER_CONVERTED) {
    gsize taken = 0, made = 0;

    g_byte_array_set_size (out, (guint) (used + CHUNK));
    result = g_converter_convert (zlib, rows + at, n - at, out->data + used, CHUNK,
                                  G_CONVERTER_INPUT_AT_END, &taken, &made, NULL);
    at += taken;
    used += made;
  }
  g_byte_array_set_size (out, (guint) used);
  return out;
}

GByteArray *
view_png_new (const guint8 *pixels, gsize width, gsize height, guint channels)
{
  static const guint8 magic[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  g_autoptr (GByteArray) rows = compress_rows (pixels, width, height, channels);
  GByteArray *out = g_byte_array_new ();
  guint8 head[13] = { 0 };
  guint32 size[2] = { GUINT32_TO_BE ((guint32) width), GUINT32_TO_BE ((guint32) height) };

  memcpy (head, size, sizeof size);
  head[8] = 8;
  head[9] = channels == 4 ? 6 : channels == 3 ? 2 : 0;
  g_byte_array_append (out, magic, sizeof magic);
  append_chunk (out, "IHDR", head, sizeof head);
  append_chunk (out, "IDAT", rows->data, rows->len);
  append_chunk (out, "IEND", NULL, 0);
  return out;
}
