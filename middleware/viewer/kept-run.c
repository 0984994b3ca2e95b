/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what a page plays, compressed. */
#include "kept-run.h"

#include <string.h>

/* Bytes that the compressor may give at once. */
#define PIECE 65536
#define LEVEL 6
/* Channel, length and time, little-endian. */
#define HEAD 16

void
kept_run_init (KeptRun *kept, guint64 limit)
{
  *kept = (KeptRun){ .limit = limit };
  kept->compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, LEVEL));
  kept->bytes = g_byte_array_new ();
  kept->poses = g_byte_array_new ();
}

void
kept_run_clear (KeptRun *kept)
{
  g_clear_object (&kept->compressor);
  g_clear_pointer (&kept->bytes, g_byte_array_unref);
  g_clear_pointer (&kept->poses, g_byte_array_unref);
}

/* The compressor takes all bytes, and fails only where it is given no room. */
static void
compress (KeptRun *kept, const guint8 *data, gsize length, GConverterFlags flags)
{
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (length > 0 || (flags != 0 && result == G_CONVERTER_CONVERTED)) {
    guint before = kept->bytes->len;
    gsize n_read = 0, n_written = 0;

    g_byte_array_set_size (kept->bytes, before + PIECE);
    result = g_converter_convert (kept->compressor, data, length, kept->bytes->data + before, PIECE,
                                  flags, &n_read, &n_written, NULL);
    g_byte_array_set_size (kept->bytes, before + (guint) n_written);
    if (result == G_CONVERTER_ERROR)
      return;
    data += n_read;
    length -= n_read;
  }
}

gboolean
kept_run_add (KeptRun *kept, guint32 channel, OrreryTime time, gconstpointer data, gsize length)
{
  guint32 numbers[] = { GUINT32_TO_LE (channel), GUINT32_TO_LE ((guint32) length) };
  guint64 stamp = GUINT64_TO_LE ((guint64) time);
  guint8 head[HEAD];

  kept->full |= length > G_MAXUINT32 || kept->size + HEAD + length > kept->limit;
  if (kept->full)
    return FALSE;
  memcpy (head, numbers, sizeof numbers);
  memcpy (head + sizeof numbers, &stamp, sizeof stamp);
  compress (kept, head, HEAD, 0);
  compress (kept, data, length, 0);
  kept->size += HEAD + length;
  return TRUE;
}

gboolean
kept_run_add_poses (KeptRun *kept, OrreryTime time, const guint8 *data, gsize length)
{
  guint8 *last;

  if (kept->poses->len != length) {
    g_byte_array_set_size (kept->poses, (guint) length);
    memset (kept->poses->data, 0, length);
  }
  last = kept->poses->data;
  for (gsize i = 0; i < length; i++)
    last[i] ^= data[i];
  if (!kept_run_add (kept, 0, time, last, length))
    return FALSE;
  memcpy (last, data, length);
  return TRUE;
}

void
kept_run_end (KeptRun *kept)
{
  compress (kept, (const guint8 *) "", 0, G_CONVERTER_INPUT_AT_END);
}
