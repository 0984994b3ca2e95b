/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies messages and files of a recording to another one. */
#include "recording.h"

#include "../support/cli.h"

/* What a channel is told from others by */
static char *
describe_channel (const OrreryRecordingChannel *channel)
{
  g_autofree char *sum = channel->schema != NULL
                             ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, channel->schema)
                             : NULL;

  return g_strjoin ("\n", channel->topic, channel->encoding,
                    sum != NULL ? channel->schema_name : "", sum, NULL);
}

/* @known: channels of the writer by their description, so that those of several recordings are one
 */
static gboolean
copy_channel (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, guint16 *channels,
              GHashTable *known, GError **error)
{
  guint index = orrery_recording_reader_get_message_channel (reader);
  const OrreryRecordingChannel *channel = orrery_recording_reader_get_channel (reader, index);
  g_autofree char *description = NULL;
  guint16 schema = 0;
  gsize length;

  if (channels[index] != 0)
    return TRUE;
  description = describe_channel (channel);
  channels[index] = (guint16) GPOINTER_TO_UINT (g_hash_table_lookup (known, description));
  if (channels[index] != 0)
    return TRUE;
  if (channel->schema != NULL) {
    const char *data = g_bytes_get_data (channel->schema, &length);

    schema = orrery_recording_writer_add_schema (writer, channel->schema_name,
                                                 channel->schema_encoding, data, length, error);
    if (schema == 0)
      return FALSE;
  }
  channels[index] =
      orrery_recording_writer_add_channel (writer, schema, channel->topic, channel->encoding,
                                           channel->metadata, error);
  g_hash_table_insert (known, g_steal_pointer (&description), GUINT_TO_POINTER (channels[index]));
  return channels[index] != 0;
}

/* @names: (element-type utf8): of metadata and attachments that are there already; those of the
 * same name are left out */
static gboolean
is_new (GHashTable *names, const char *kind, const char *name)
{
  return g_hash_table_add (names, g_strconcat (kind, " ", name, NULL));
}

gboolean
cli_recording_copy_rest (OrreryRecordingReader *reader, OrreryRecordingWriter *writer,
                         GHashTable *names, GError **error)
{
  for (guint i = 0; i < orrery_recording_reader_get_n_metadata (reader); i++) {
    const OrreryRecordingMetadata *info = orrery_recording_reader_get_metadata (reader, i);

    if (is_new (names, "metadata", info->name) &&
        !orrery_recording_writer_add_metadata (writer, info->name, info->values, error))
      return FALSE;
  }
  for (guint i = 0; i < orrery_recording_reader_get_n_attachments (reader); i++) {
    const OrreryRecordingAttachment *info = orrery_recording_reader_get_attachment (reader, i);
    g_autoptr (GBytes) bytes = NULL;
    gconstpointer data;
    gsize length;

    if (!is_new (names, "attachment", info->name))
      continue;
    bytes = orrery_recording_reader_read_attachment (reader, i, error);
    data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
    if (bytes == NULL || !orrery_recording_writer_attach (writer, info->name, info->media_type,
                                                          info->time, data, length, error))
      return FALSE;
  }
  return TRUE;
}

/* @channels: of the writer by those of the reader; 0: not there yet */
gboolean
cli_recording_copy_message (OrreryRecordingReader *reader, OrreryRecordingWriter *writer,
                            guint16 *channels, GHashTable *known, GError **error)
{
  OrreryTime time = orrery_recording_reader_get_message_time (reader);
  OrreryTime sent = orrery_recording_reader_get_message_publish_time (reader);
  gsize length;
  const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);

  return copy_channel (reader, writer, channels, known, error) &&
         orrery_recording_writer_write (
             writer, channels[orrery_recording_reader_get_message_channel (reader)], time, sent,
             data, length, error);
}
