/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, texts and maps of the container format MCAP, as bytes and back. */
#include "recording/orrery-mcap-private.h"

#include <string.h>
#include <zlib.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

/* --- writing --- */

void
orrery_mcap_put_u16 (GByteArray *out, guint16 value)
{
  guint16 bytes = GUINT16_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &bytes, sizeof bytes);
}

void
orrery_mcap_put_u32 (GByteArray *out, guint32 value)
{
  guint32 bytes = GUINT32_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &bytes, sizeof bytes);
}

void
orrery_mcap_put_u64 (GByteArray *out, guint64 value)
{
  guint64 bytes = GUINT64_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &bytes, sizeof bytes);
}

void
orrery_mcap_put_text (GByteArray *out, const char *text)
{
  gsize length = strlen (text);

  orrery_mcap_put_u32 (out, (guint32) length);
  g_byte_array_append (out, (const guint8 *) text, (guint) length);
}

gsize
orrery_mcap_begin_list (GByteArray *out)
{
  orrery_mcap_put_u32 (out, 0);
  return out->len;
}

void
orrery_mcap_end_list (GByteArray *out, gsize place)
{
  guint32 length = GUINT32_TO_LE ((guint32) (out->len - place));

  memcpy (out->data + place - sizeof length, &length, sizeof length);
}

void
orrery_mcap_put_map (GByteArray *out, GVariant *map)
{
  gsize place = orrery_mcap_begin_list (out);
  GVariantIter iter;
  const char *key, *value;

  if (map != NULL) {
    g_variant_iter_init (&iter, map);
    while (g_variant_iter_next (&iter, "{&s&s}", &key, &value)) {
      orrery_mcap_put_text (out, key);
      orrery_mcap_put_text (out, value);
    }
  }
  orrery_mcap_end_list (out, place);
}

gsize
orrery_mcap_begin (GByteArray *out, OrreryMcapOp op)
{
  guint8 byte = (guint8) op;

  g_byte_array_append (out, &byte, 1);
  orrery_mcap_put_u64 (out, 0);
  return out->len;
}

void
orrery_mcap_end (GByteArray *out, gsize place)
{
  guint64 length = GUINT64_TO_LE ((guint64) (out->len - place));

  memcpy (out->data + place - sizeof length, &length, sizeof length);
}

/* --- reading --- */

const guint8 *
orrery_mcap_take (OrreryMcapCursor *cursor, guint64 length)
{
  const guint8 *bytes = cursor->at;

  if (cursor->failed || length > cursor->left) {
    cursor->failed = TRUE;
    return NULL;
  }
  cursor->at += length;
  cursor->left -= (gsize) length;
  return bytes;
}

guint16
orrery_mcap_take_u16 (OrreryMcapCursor *cursor)
{
  const guint8 *bytes = orrery_mcap_take (cursor, sizeof (guint16));
  guint16 value = 0;

  if (bytes != NULL)
    memcpy (&value, bytes, sizeof value);
  return GUINT16_FROM_LE (value);
}

guint32
orrery_mcap_take_u32 (OrreryMcapCursor *cursor)
{
  const guint8 *bytes = orrery_mcap_take (cursor, sizeof (guint32));
  guint32 value = 0;

  if (bytes != NULL)
    memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

guint64
orrery_mcap_take_u64 (OrreryMcapCursor *cursor)
{
  const guint8 *bytes = orrery_mcap_take (cursor, sizeof (guint64));
  guint64 value = 0;

  if (bytes != NULL)
    memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

char *
orrery_mcap_take_text (OrreryMcapCursor *cursor)
{
  guint32 length = orrery_mcap_take_u32 (cursor);
  const guint8 *bytes = orrery_mcap_take (cursor, length);

  if (bytes == NULL || length > ORRERY_MCAP_MAX_TEXT ||
      !g_utf8_validate_len ((const char *) bytes, length, NULL)) {
    cursor->failed = TRUE;
    return NULL;
  }
  return g_strndup ((const char *) bytes, length);
}

GVariant *
orrery_mcap_take_map (OrreryMcapCursor *cursor)
{
  guint32 length = orrery_mcap_take_u32 (cursor);
  const guint8 *bytes = orrery_mcap_take (cursor, length);
  OrreryMcapCursor entries = { bytes, bytes != NULL ? length : 0, FALSE };
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  while (entries.left > 0 && !entries.failed) {
    g_autofree char *key = orrery_mcap_take_text (&entries);
    g_autofree char *value = key != NULL ? orrery_mcap_take_text (&entries) : NULL;

    if (value != NULL)
      g_variant_builder_add (&builder, "{ss}", key, value);
  }
  if (entries.failed || cursor->failed) {
    g_variant_builder_clear (&builder);
    cursor->failed = TRUE;
    return NULL;
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

guint32
orrery_mcap_sum (guint32 sum, gconstpointer data, gsize length)
{
#ifdef HAVE_LIBDEFLATE
  return libdeflate_crc32 (sum, data, length);
#else
  return (guint32) crc32_z (sum, data, length);
#endif
}

guint32
orrery_mcap_join_sums (guint32 sum, guint32 next, gsize length)
{
  return (guint32) crc32_combine (sum, next, (z_off_t) length);
}
