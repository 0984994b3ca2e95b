/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a whole recording of one that was cut or is damaged. */
#include "recording/orrery-recording-reader-private.h"

#include "base/orrery-error-private.h"
#include "recording/orrery-recording-writer.h"

/* @channels: of the writer, by index; 0: not made yet */
static gboolean
copy_channel (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, guint index,
              guint16 *channels, GHashTable *schemas, GError **error)
{
  OrreryRecordingStream *stream = g_ptr_array_index (reader->channels, index);
  gpointer key = GUINT_TO_POINTER (stream->schema);
  guint16 schema = (guint16) GPOINTER_TO_UINT (g_hash_table_lookup (schemas, key));

  if (stream->schema != 0 && schema == 0) {
    gsize length;
    const char *data = g_bytes_get_data (stream->info.schema, &length);

    schema = orrery_recording_writer_add_schema (writer, stream->info.schema_name,
                                                 stream->info.schema_encoding, data, length, error);
    if (schema == 0)
      return FALSE;
    g_hash_table_insert (schemas, key, GUINT_TO_POINTER (schema));
  }
  channels[index] =
      orrery_recording_writer_add_channel (writer, schema, stream->topic, stream->encoding,
                                           stream->info.metadata, error);
  return channels[index] != 0;
}

/* Chunks that could not be read are no longer among those of the reader. */
static gboolean
copy_messages (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, GError **error)
{
  g_autofree guint16 *channels = g_new0 (guint16, reader->channels->len + 1);
  g_autoptr (GHashTable) schemas = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) local = NULL;

  while (orrery_recording_reader_next (reader, &local)) {
    gsize length;
    const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);
    guint index = reader->place.channel;

    if (channels[index] == 0 && !copy_channel (reader, writer, index, channels, schemas, error))
      return FALSE;
    if (!orrery_recording_writer_write (writer, channels[index],
                                        orrery_recording_reader_get_message_time (reader),
                                        orrery_recording_reader_get_message_publish_time (reader),
                                        data, length, error))
      return FALSE;
  }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Returns: FALSE if the file cannot be written. */
static gboolean
copy_attachment (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, guint index,
                 GPtrArray *problems, GError **error)
{
  const OrreryRecordingAttachment *info = orrery_recording_reader_get_attachment (reader, index);
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) bytes = orrery_recording_reader_read_attachment (reader, index, &local);
  gsize length = 0;
  gconstpointer data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (bytes != NULL && orrery_recording_writer_attach (writer, info->name, info->media_type,
                                                       info->time, data, length, &local))
    return TRUE;
  if (g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_IO)) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  g_ptr_array_add (problems, g_strdup (local->message));
  return TRUE;
}

static gboolean
copy_all (OrreryRecordingReader *reader, OrreryRecordingWriter *writer, GPtrArray *problems,
          GError **error)
{
  for (guint i = 0; i < reader->metadata->len; i++) {
    const OrreryRecordingMetadata *metadata = orrery_recording_reader_get_metadata (reader, i);

    if (!orrery_recording_writer_add_metadata (writer, metadata->name, metadata->values, error))
      return FALSE;
  }
  for (guint i = 0; i < reader->files->len; i++)
    if (!copy_attachment (reader, writer, i, problems, error))
      return FALSE;
  return copy_messages (reader, writer, error) && orrery_recording_writer_close (writer, error);
}

gboolean
orrery_recording_recover (const char *from, const char *to, const OrreryOutputRules *rules,
                          guint64 *n_messages, char ***problems, GError **error)
{
  const char *const kept[] = { from, NULL };
  OrreryOutputRules own = rules != NULL ? *rules : (OrreryOutputRules){ NULL };
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (OrreryRecordingWriter) writer = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (from != NULL, FALSE);
  g_return_val_if_fail (to != NULL, FALSE);

  /* A summary may be whole where a chunk is not. */
  reader = orrery_recording_reader_new (from, error);
  if (reader == NULL || !orrery_recording_scan (reader, error))
    return FALSE;
  orrery_recording_settle (reader);
  if (own.kept == NULL) {
    own.kept = kept;
    own.read = "the recording";
  }
  writer = orrery_recording_writer_new (to, &own, orrery_recording_reader_get_compression (reader),
                                        error);
  if (writer == NULL || !copy_all (reader, writer, found, error))
    return FALSE;
  for (guint i = 0; i + 1 < reader->problems->len; i++)
    g_ptr_array_add (found, g_strdup (g_ptr_array_index (reader->problems, i)));
  g_ptr_array_add (found, NULL);
  *n_messages = orrery_recording_writer_get_n_messages (writer);
  *problems = (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
  return TRUE;
}
