/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes recordings: messages in chunks, attachments, metadata, and at the end the summary. */
#include "recording/orrery-recording-writer.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "base/orrery-version.h"
#include "recording/orrery-compression-private.h"
#include "recording/orrery-mcap-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_SIZE (1024 * 1024)
/* Schemas and channels are in the first two chunks that need them, so that one damaged chunk does
 * not cost the next one, and from then on in each so manieth. */
#define N_COPIES 2
#define REPEAT_CHUNKS 30
#define MESSAGE_HEAD_SIZE (ORRERY_MCAP_HEAD_SIZE + ORRERY_MCAP_MESSAGE_SIZE)
#define MAX_SCHEMA_BYTES (1024 * 1024)
/* How long to wait for a reader of a pipe that takes nothing, ms */
#define PIPE_LIMIT_MS 10000

/* Bytes that are appended for each message: not even a function is called while there is room. */
typedef struct {
  guint8 *data;
  gsize len, size;
} Room;

/* A record of a schema or a channel, as it is repeated */
typedef struct {
  GBytes *record;
  guint64 chunk; /* the number of the last chunk that has it, from 1 */
  guint n_copies;
} Definition;

typedef struct {
  Definition definition;
} Schema;

typedef struct {
  Definition definition;
  guint16 schema;
  guint32 sequence;
  guint64 n_messages;
  Room index; /* of the present chunk: times and places */
} Channel;

struct _OrreryRecordingWriter {
  gatomicrefcount references;
  char *path;
  int fd;
  gboolean own;    /* a regular file, which may be cut */
  GError *failure; /* (nullable): what all calls return from now on */
  gboolean closed;
  guint64 position; /* bytes written */
  guint64 whole;    /* of these, up to the end of the last whole record */
  guint32 sum;      /* of the bytes written */

  char *compression;
  OrreryCompressor *compressor;
  gsize chunk_size;
  OrreryTime chunk_duration;
  Room chunk;
  guint64 chunk_number; /* of the present chunk, from 1 */
  guint64 chunk_start, chunk_end;

  GByteArray *scratch;
  GPtrArray *schemas;  /* Schema; the number of the first is 1 */
  GPtrArray *channels; /* Channel, as well */
  GByteArray *chunk_indexes, *attachment_indexes, *metadata_indexes;
  guint32 n_chunks, n_attachments, n_metadata;
  guint64 n_messages;
  guint64 start, end; /* times of all messages */
};

ORRERY_DEFINE_GETTER (guint64, orrery_recording_writer_get_size, OrreryRecordingWriter,
                      ORRERY_IS_STRUCT, self->whole)
ORRERY_DEFINE_GETTER (guint64, orrery_recording_writer_get_n_messages, OrreryRecordingWriter,
                      ORRERY_IS_STRUCT, self->n_messages)

static void
schema_free (gpointer data)
{
  Schema *schema = data;

  g_bytes_unref (schema->definition.record);
  g_free (schema);
}

static void
channel_free (gpointer data)
{
  Channel *channel = data;

  g_bytes_unref (channel->definition.record);
  g_free (channel->index.data);
  g_free (channel);
}

static void
writer_free (OrreryRecordingWriter *writer)
{
  if (writer->fd >= 0)
    close (writer->fd);
  g_clear_error (&writer->failure);
  g_clear_pointer (&writer->compressor, orrery_compressor_free);
  g_free (writer->chunk.data);
  g_byte_array_unref (writer->scratch);
  g_byte_array_unref (writer->chunk_indexes);
  g_byte_array_unref (writer->attachment_indexes);
  g_byte_array_unref (writer->metadata_indexes);
  g_ptr_array_unref (writer->schemas);
  g_ptr_array_unref (writer->channels);
  g_free (writer->compression);
  g_free (writer->path);
  g_free (writer);
}

ORRERY_DEFINE_COUNTED (OrreryRecordingWriter, orrery_recording_writer, references, writer_free)

/* --- bytes into the file --- */

static gboolean
check (OrreryRecordingWriter *writer, GError **error)
{
  g_return_val_if_fail (!writer->closed, FALSE);
  if (writer->failure == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (writer->failure);
  return FALSE;
}

/* The file keeps nothing behind its last whole record: a reader could take it for damage. */
static gboolean
fail (OrreryRecordingWriter *writer, int code, GError **error)
{
  orrery_set_error (&writer->failure, ORRERY_ERROR_IO,
                    "%s: cannot be written: %s; the recording ends after %" G_GUINT64_FORMAT
                    " bytes",
                    writer->path, g_strerror (code), writer->whole);
  if (writer->own && ftruncate (writer->fd, (off_t) writer->whole) != 0)
    errno = 0;
  return check (writer, error);
}

/* @sum: of the data alone */
static gboolean
emit_summed (OrreryRecordingWriter *writer, gconstpointer data, gsize length, guint32 sum,
             GError **error)
{
  errno = 0;
  if (orrery_output_write (writer->fd, data, length, PIPE_LIMIT_MS) != length)
    return fail (writer, errno, error);
  writer->sum = orrery_mcap_join_sums (writer->sum, sum, length);
  writer->position += length;
  return TRUE;
}

static gboolean
emit (OrreryRecordingWriter *writer, gconstpointer data, gsize length, GError **error)
{
  return emit_summed (writer, data, length, orrery_mcap_sum (0, data, length), error);
}

/* What is in the scratch; the records of the file are whole afterwards. */
static gboolean
emit_scratch (OrreryRecordingWriter *writer, GError **error)
{
  if (!emit (writer, writer->scratch->data, writer->scratch->len, error))
    return FALSE;
  writer->whole = writer->position;
  return TRUE;
}

static GByteArray *
clear_scratch (OrreryRecordingWriter *writer)
{
  return g_byte_array_set_size (writer->scratch, 0);
}

static gboolean
write_header (OrreryRecordingWriter *writer, GError **error)
{
  GByteArray *out = clear_scratch (writer);
  gsize place;

  g_byte_array_append (out, (const guint8 *) ORRERY_MCAP_MAGIC, ORRERY_MCAP_MAGIC_SIZE);
  place = orrery_mcap_begin (out, ORRERY_MCAP_HEADER);
  orrery_mcap_put_text (out, "");
  orrery_mcap_put_text (out, "orrery " ORRERY_VERSION);
  orrery_mcap_end (out, place);
  return emit_scratch (writer, error);
}

OrreryRecordingWriter *
orrery_recording_writer_new (const char *path, const OrreryOutputRules *rules,
                             const char *compression, GError **error)
{
  g_autoptr (OrreryRecordingWriter) writer = NULL;
  OrreryCompressor *compressor;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (compression != NULL, NULL);

  compressor = orrery_compressor_new (compression, error);
  if (compressor == NULL)
    return NULL;
  writer = g_new0 (OrreryRecordingWriter, 1);
  g_atomic_ref_count_init (&writer->references);
  writer->path = g_strdup (path);
  writer->compression = g_strdup (compression);
  writer->compressor = compressor;
  writer->chunk_size = CHUNK_SIZE;
  writer->chunk_duration = ORRERY_SECOND;
  writer->chunk_number = 1;
  writer->scratch = g_byte_array_new ();
  writer->chunk_indexes = g_byte_array_new ();
  writer->attachment_indexes = g_byte_array_new ();
  writer->metadata_indexes = g_byte_array_new ();
  writer->schemas = g_ptr_array_new_with_free_func (schema_free);
  writer->channels = g_ptr_array_new_with_free_func (channel_free);
  writer->fd = orrery_output_open (path, rules, &writer->own, error);
  if (writer->fd < 0 || !write_header (writer, error))
    return NULL;
  return g_steal_pointer (&writer);
}

void
orrery_recording_writer_set_chunk (OrreryRecordingWriter *writer, gsize size, OrreryTime duration)
{
  g_return_if_fail (writer != NULL);
  writer->chunk_size = CLAMP (size, 1, ORRERY_MCAP_MAX_CHUNK);
  writer->chunk_duration = duration;
}

/* --- schemas and channels --- */

guint16
orrery_recording_writer_add_schema (OrreryRecordingWriter *writer, const char *name,
                                    const char *encoding, const char *data, gsize length,
                                    GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  Schema *schema;
  gsize place;

  g_return_val_if_fail (writer != NULL, 0);

  if (writer->schemas->len >= G_MAXUINT16 - 1 || length > MAX_SCHEMA_BYTES) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "schema '%s': a recording has at most %u schemas of %u bytes", name,
                      G_MAXUINT16 - 1, MAX_SCHEMA_BYTES);
    return 0;
  }
  place = orrery_mcap_begin (out, ORRERY_MCAP_SCHEMA);
  orrery_mcap_put_u16 (out, (guint16) (writer->schemas->len + 1));
  orrery_mcap_put_text (out, name);
  orrery_mcap_put_text (out, encoding);
  orrery_mcap_put_u32 (out, (guint32) length);
  g_byte_array_append (out, (const guint8 *) data, (guint) length);
  orrery_mcap_end (out, place);
  schema = g_new0 (Schema, 1);
  schema->definition.record = g_byte_array_free_to_bytes (g_steal_pointer (&out));
  g_ptr_array_add (writer->schemas, schema);
  return (guint16) writer->schemas->len;
}

guint16
orrery_recording_writer_add_channel (OrreryRecordingWriter *writer, guint16 schema,
                                     const char *topic, const char *encoding, GVariant *metadata,
                                     GError **error)
{
  g_autoptr (GVariant) values = metadata != NULL ? g_variant_ref_sink (metadata) : NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  Channel *channel;
  gsize place;

  g_return_val_if_fail (writer != NULL, 0);
  g_return_val_if_fail (schema <= writer->schemas->len, 0);
  g_return_val_if_fail (values == NULL || g_variant_is_of_type (values, G_VARIANT_TYPE ("a{ss}")),
                        0);

  if (writer->channels->len >= G_MAXUINT16 - 1) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "channel '%s': a recording has at most %u channels", topic, G_MAXUINT16 - 1);
    return 0;
  }
  place = orrery_mcap_begin (out, ORRERY_MCAP_CHANNEL);
  orrery_mcap_put_u16 (out, (guint16) (writer->channels->len + 1));
  orrery_mcap_put_u16 (out, schema);
  orrery_mcap_put_text (out, topic);
  orrery_mcap_put_text (out, encoding);
  orrery_mcap_put_map (out, values);
  orrery_mcap_end (out, place);
  channel = g_new0 (Channel, 1);
  channel->definition.record = g_byte_array_free_to_bytes (g_steal_pointer (&out));
  channel->schema = schema;
  g_ptr_array_add (writer->channels, channel);
  return (guint16) writer->channels->len;
}

static void
room_grow (Room *room, gsize length)
{
  room->size = MAX (2 * room->size, room->len + length);
  room->data = g_realloc (room->data, room->size);
}

/* Returns: where @length more bytes belong */
static inline guint8 *
room_extend (Room *room, gsize length)
{
  if (room->len + length > room->size)
    room_grow (room, length);
  room->len += length;
  return room->data + room->len - length;
}

static void
room_append (Room *room, GBytes *bytes)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  memcpy (room_extend (room, length), data, length);
}

static void
append_bytes (GByteArray *out, GBytes *bytes)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (bytes, &length);

  g_byte_array_append (out, data, (guint) length);
}

/* --- chunks --- */

/* Behind a chunk: where the messages of each of its channels are; and the entry of the summary. */
static void
put_message_indexes (OrreryRecordingWriter *writer, guint64 offset, guint64 length, gsize packed)
{
  GByteArray *out = clear_scratch (writer), *summary = writer->chunk_indexes;
  gsize place = orrery_mcap_begin (summary, ORRERY_MCAP_CHUNK_INDEX), list;

  orrery_mcap_put_u64 (summary, writer->chunk_start);
  orrery_mcap_put_u64 (summary, writer->chunk_end);
  orrery_mcap_put_u64 (summary, offset);
  orrery_mcap_put_u64 (summary, length);
  list = orrery_mcap_begin_list (summary);
  for (guint i = 0; i < writer->channels->len; i++) {
    Channel *channel = g_ptr_array_index (writer->channels, i);
    gsize inner;

    if (channel->index.len == 0)
      continue;
    orrery_mcap_put_u16 (summary, (guint16) (i + 1));
    orrery_mcap_put_u64 (summary, offset + length + out->len);
    inner = orrery_mcap_begin (out, ORRERY_MCAP_MESSAGE_INDEX);
    orrery_mcap_put_u16 (out, (guint16) (i + 1));
    orrery_mcap_put_u32 (out, (guint32) channel->index.len);
    g_byte_array_append (out, channel->index.data, (guint) channel->index.len);
    orrery_mcap_end (out, inner);
    channel->index.len = 0;
  }
  orrery_mcap_end_list (summary, list);
  orrery_mcap_put_u64 (summary, out->len);
  orrery_mcap_put_text (summary, writer->compression);
  orrery_mcap_put_u64 (summary, packed);
  orrery_mcap_put_u64 (summary, writer->chunk.len);
  orrery_mcap_end (summary, place);
}

/* @sum: of the chunk before it was compressed */
static void
put_chunk_head (OrreryRecordingWriter *writer, guint32 sum, gsize packed)
{
  GByteArray *out = clear_scratch (writer);
  guint64 length;

  orrery_mcap_begin (out, ORRERY_MCAP_CHUNK);
  orrery_mcap_put_u64 (out, writer->chunk_start);
  orrery_mcap_put_u64 (out, writer->chunk_end);
  orrery_mcap_put_u64 (out, writer->chunk.len);
  orrery_mcap_put_u32 (out, sum);
  orrery_mcap_put_text (out, writer->compression);
  orrery_mcap_put_u64 (out, packed);
  length = GUINT64_TO_LE (out->len - ORRERY_MCAP_HEAD_SIZE + packed);
  memcpy (out->data + 1, &length, sizeof length);
}

static gboolean
write_chunk (OrreryRecordingWriter *writer, GError **error)
{
  GError *failure = NULL;
  gsize packed;
  const guint8 *data = orrery_compressor_run (writer->compressor, writer->chunk.data,
                                              writer->chunk.len, &packed, &failure);
  guint64 offset = writer->position;
  guint32 sum, packed_sum;

  /* Every later call would try the same chunk again, and the recording would have a gap. */
  if (data == NULL) {
    g_propagate_error (&writer->failure, failure);
    return check (writer, error);
  }
  sum = packed_sum = orrery_mcap_sum (0, writer->chunk.data, writer->chunk.len);
  if (data != writer->chunk.data)
    packed_sum = orrery_mcap_sum (0, data, packed);
  put_chunk_head (writer, sum, packed);
  if (!emit (writer, writer->scratch->data, writer->scratch->len, error) ||
      !emit_summed (writer, data, packed, packed_sum, error))
    return FALSE;
  put_message_indexes (writer, offset, writer->position - offset, packed);
  if (!emit_scratch (writer, error))
    return FALSE;
  writer->chunk.len = 0;
  writer->chunk_number++;
  writer->n_chunks++;
  return TRUE;
}

gboolean
orrery_recording_writer_flush (OrreryRecordingWriter *writer, GError **error)
{
  g_return_val_if_fail (writer != NULL, FALSE);
  return check (writer, error) && (writer->chunk.len == 0 || write_chunk (writer, error));
}

static void
introduce (OrreryRecordingWriter *writer, Definition *definition)
{
  if (definition->n_copies >= N_COPIES && writer->chunk_number < definition->chunk + REPEAT_CHUNKS)
    return;
  if (definition->chunk == writer->chunk_number)
    return;
  room_append (&writer->chunk, definition->record);
  definition->chunk = writer->chunk_number;
  definition->n_copies++;
}

/* Schema and channel of the message that comes next, where they are due. A channel is never in a
 * chunk before its schema was. */
static void
introduce_channel (OrreryRecordingWriter *writer, Channel *channel)
{
  if (channel->schema != 0)
    introduce (writer,
               &((Schema *) g_ptr_array_index (writer->schemas, channel->schema - 1))->definition);
  introduce (writer, &channel->definition);
}

static void
put_message (OrreryRecordingWriter *writer, guint16 number, guint64 time, guint64 publish_time,
             gconstpointer data, gsize length)
{
  Channel *channel = g_ptr_array_index (writer->channels, number - 1);
  gsize begin = writer->chunk.len;
  guint8 *head = room_extend (&writer->chunk, MESSAGE_HEAD_SIZE + length);
  guint64 record_length = GUINT64_TO_LE ((guint64) length + ORRERY_MCAP_MESSAGE_SIZE);
  guint16 id = GUINT16_TO_LE (number);
  guint32 sequence = GUINT32_TO_LE (channel->sequence);
  guint64 times[] = { GUINT64_TO_LE (time), GUINT64_TO_LE (publish_time) };
  guint64 entry[] = { times[0], GUINT64_TO_LE ((guint64) begin) };

  memcpy (room_extend (&channel->index, sizeof entry), entry, sizeof entry);
  head[0] = ORRERY_MCAP_MESSAGE;
  memcpy (head + 1, &record_length, sizeof record_length);
  memcpy (head + 9, &id, sizeof id);
  memcpy (head + 11, &sequence, sizeof sequence);
  memcpy (head + 15, times, sizeof times);
  if (length > 0)
    memcpy (head + MESSAGE_HEAD_SIZE, data, length);
  channel->sequence++;
  channel->n_messages++;
}

/* What a message makes a chunk larger by, at most: with the schema and the channel in front of it.
 * @length: at most that of a chunk */
static gsize
find_room (OrreryRecordingWriter *writer, guint16 number, gsize length)
{
  const Channel *channel = g_ptr_array_index (writer->channels, number - 1);
  gsize room = MESSAGE_HEAD_SIZE + length;

  if (channel->schema != 0) {
    const Schema *schema = g_ptr_array_index (writer->schemas, channel->schema - 1);

    room += g_bytes_get_size (schema->definition.record);
  }
  return room + g_bytes_get_size (channel->definition.record);
}

/* Whether a message belongs in the next chunk. @room: as of find_room() */
static gboolean
is_full (OrreryRecordingWriter *writer, guint64 time, gsize length, gsize room)
{
  if (writer->chunk.len == 0)
    return FALSE;
  if (writer->chunk.len + length > writer->chunk_size ||
      writer->chunk.len + room > ORRERY_MCAP_MAX_CHUNK)
    return TRUE;
  return writer->chunk_duration > 0 &&
         (time >= writer->chunk_start + (guint64) writer->chunk_duration ||
          time + (guint64) writer->chunk_duration <= writer->chunk_end);
}

gboolean
orrery_recording_writer_write (OrreryRecordingWriter *writer, guint16 channel, OrreryTime time,
                               OrreryTime publish_time, gconstpointer data, gsize length,
                               GError **error)
{
  guint64 at = (guint64) MAX (time, 0);
  gboolean is_first;
  gsize room;

  g_return_val_if_fail (writer != NULL, FALSE);
  g_return_val_if_fail (channel > 0 && channel <= writer->channels->len, FALSE);

  if (!check (writer, error))
    return FALSE;
  room = find_room (writer, channel, MIN (length, ORRERY_MCAP_MAX_CHUNK));
  if (room > ORRERY_MCAP_MAX_CHUNK)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "a message of %" G_GSIZE_FORMAT
                             " bytes, with its schema and its channel, of at most %" G_GSIZE_FORMAT,
                             length, ORRERY_MCAP_MAX_CHUNK);
  if (is_full (writer, at, length, room) && !write_chunk (writer, error))
    return FALSE;
  is_first = writer->chunk.len == 0;
  introduce_channel (writer, g_ptr_array_index (writer->channels, channel - 1));
  put_message (writer, channel, at, (guint64) MAX (publish_time, 0), data, length);
  writer->chunk_start = is_first ? at : MIN (writer->chunk_start, at);
  writer->chunk_end = is_first ? at : MAX (writer->chunk_end, at);
  writer->start = writer->n_messages == 0 ? at : MIN (writer->start, at);
  writer->end = MAX (writer->end, at);
  writer->n_messages++;
  return TRUE;
}

/* --- attachments and metadata --- */

static gboolean
is_safe_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || strcmp (parts[i], ".") == 0 || strcmp (parts[i], "..") == 0)
      return FALSE;
  return parts[0] != NULL && strlen (name) <= ORRERY_MCAP_MAX_TEXT &&
         g_utf8_validate (name, -1, NULL);
}

static void
put_attachment_index (OrreryRecordingWriter *writer, guint64 offset, guint64 time, gsize length,
                      const char *name, const char *media_type)
{
  GByteArray *out = writer->attachment_indexes;
  gsize place = orrery_mcap_begin (out, ORRERY_MCAP_ATTACHMENT_INDEX);

  orrery_mcap_put_u64 (out, offset);
  orrery_mcap_put_u64 (out, writer->position - offset);
  orrery_mcap_put_u64 (out, time);
  orrery_mcap_put_u64 (out, time);
  orrery_mcap_put_u64 (out, length);
  orrery_mcap_put_text (out, name);
  orrery_mcap_put_text (out, media_type);
  orrery_mcap_end (out, place);
  writer->n_attachments++;
}

gboolean
orrery_recording_writer_attach (OrreryRecordingWriter *writer, const char *name,
                                const char *media_type, OrreryTime time, gconstpointer data,
                                gsize length, GError **error)
{
  guint64 at = (guint64) MAX (time, 0), offset, record_length;
  GByteArray *out;
  guint32 sum;

  g_return_val_if_fail (writer != NULL, FALSE);

  if (!is_safe_name (name) || length > ORRERY_MCAP_MAX_ATTACHMENT)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "attachment '%s': needs a relative name without . and .., and at most "
                             "4 GiB",
                             name);
  if (!orrery_recording_writer_flush (writer, error))
    return FALSE;
  offset = writer->position;
  out = clear_scratch (writer);
  orrery_mcap_begin (out, ORRERY_MCAP_ATTACHMENT);
  orrery_mcap_put_u64 (out, at);
  orrery_mcap_put_u64 (out, at);
  orrery_mcap_put_text (out, name);
  orrery_mcap_put_text (out, media_type);
  orrery_mcap_put_u64 (out, length);
  record_length = GUINT64_TO_LE (out->len - ORRERY_MCAP_HEAD_SIZE + length + sizeof sum);
  memcpy (out->data + 1, &record_length, sizeof record_length);
  sum = orrery_mcap_sum (0, out->data + ORRERY_MCAP_HEAD_SIZE, out->len - ORRERY_MCAP_HEAD_SIZE);
  sum = length > 0 ? orrery_mcap_sum (sum, data, length) : sum;
  if (!emit (writer, out->data, out->len, error) ||
      (length > 0 && !emit (writer, data, length, error)))
    return FALSE;
  orrery_mcap_put_u32 (clear_scratch (writer), sum);
  if (!emit_scratch (writer, error))
    return FALSE;
  put_attachment_index (writer, offset, at, length, name, media_type);
  return TRUE;
}

gboolean
orrery_recording_writer_add_metadata (OrreryRecordingWriter *writer, const char *name,
                                      GVariant *values, GError **error)
{
  g_autoptr (GVariant) map = g_variant_ref_sink (values);
  GByteArray *out;
  guint64 offset;
  gsize place;

  g_return_val_if_fail (writer != NULL, FALSE);
  g_return_val_if_fail (g_variant_is_of_type (map, G_VARIANT_TYPE ("a{ss}")), FALSE);

  if (!orrery_recording_writer_flush (writer, error))
    return FALSE;
  offset = writer->position;
  out = clear_scratch (writer);
  place = orrery_mcap_begin (out, ORRERY_MCAP_METADATA);
  orrery_mcap_put_text (out, name);
  orrery_mcap_put_map (out, map);
  orrery_mcap_end (out, place);
  if (!emit_scratch (writer, error))
    return FALSE;
  out = writer->metadata_indexes;
  place = orrery_mcap_begin (out, ORRERY_MCAP_METADATA_INDEX);
  orrery_mcap_put_u64 (out, offset);
  orrery_mcap_put_u64 (out, writer->position - offset);
  orrery_mcap_put_text (out, name);
  orrery_mcap_end (out, place);
  writer->n_metadata++;
  return TRUE;
}

/* --- the end --- */

static void
put_statistics (OrreryRecordingWriter *writer, GByteArray *out)
{
  gsize place = orrery_mcap_begin (out, ORRERY_MCAP_STATISTICS), list;

  orrery_mcap_put_u64 (out, writer->n_messages);
  orrery_mcap_put_u16 (out, (guint16) writer->schemas->len);
  orrery_mcap_put_u32 (out, writer->channels->len);
  orrery_mcap_put_u32 (out, writer->n_attachments);
  orrery_mcap_put_u32 (out, writer->n_metadata);
  orrery_mcap_put_u32 (out, writer->n_chunks);
  orrery_mcap_put_u64 (out, writer->start);
  orrery_mcap_put_u64 (out, writer->end);
  list = orrery_mcap_begin_list (out);
  for (guint i = 0; i < writer->channels->len; i++) {
    Channel *channel = g_ptr_array_index (writer->channels, i);

    orrery_mcap_put_u16 (out, (guint16) (i + 1));
    orrery_mcap_put_u64 (out, channel->n_messages);
  }
  orrery_mcap_end_list (out, list);
  orrery_mcap_end (out, place);
}

/* A group of the summary was put into @out from @from on: where it is, for readers in a hurry. */
static void
end_group (OrreryRecordingWriter *writer, GByteArray *out, GByteArray *offsets, OrreryMcapOp op,
           gsize from)
{
  guint8 byte = (guint8) op;
  gsize place;

  if (out->len == from)
    return;
  place = orrery_mcap_begin (offsets, ORRERY_MCAP_SUMMARY_OFFSET);
  g_byte_array_append (offsets, &byte, 1);
  orrery_mcap_put_u64 (offsets, writer->position + from);
  orrery_mcap_put_u64 (offsets, out->len - from);
  orrery_mcap_end (offsets, place);
}

/* What begins at the present position of the file. */
static void
put_summary (OrreryRecordingWriter *writer, GByteArray *out)
{
  g_autoptr (GByteArray) offsets = g_byte_array_new ();
  const struct {
    OrreryMcapOp op;
    GByteArray *entries;
  } lists[] = {
    { ORRERY_MCAP_CHUNK_INDEX, writer->chunk_indexes },
    { ORRERY_MCAP_ATTACHMENT_INDEX, writer->attachment_indexes },
    { ORRERY_MCAP_METADATA_INDEX, writer->metadata_indexes },
  };
  guint64 start = writer->position, offset_start;
  gsize from = 0;

  for (guint i = 0; i < writer->schemas->len; i++)
    append_bytes (out, ((Schema *) g_ptr_array_index (writer->schemas, i))->definition.record);
  end_group (writer, out, offsets, ORRERY_MCAP_SCHEMA, from);
  from = out->len;
  for (guint i = 0; i < writer->channels->len; i++)
    append_bytes (out, ((Channel *) g_ptr_array_index (writer->channels, i))->definition.record);
  end_group (writer, out, offsets, ORRERY_MCAP_CHANNEL, from);
  from = out->len;
  put_statistics (writer, out);
  end_group (writer, out, offsets, ORRERY_MCAP_STATISTICS, from);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    from = out->len;
    if (lists[i].entries->len > 0)
      g_byte_array_append (out, lists[i].entries->data, lists[i].entries->len);
    end_group (writer, out, offsets, lists[i].op, from);
  }
  offset_start = start + out->len;
  g_byte_array_append (out, offsets->data, offsets->len);
  orrery_mcap_begin (out, ORRERY_MCAP_FOOTER);
  orrery_mcap_put_u64 (out, start);
  orrery_mcap_put_u64 (out, offset_start);
}

gboolean
orrery_recording_writer_close (OrreryRecordingWriter *writer, GError **error)
{
  guint64 length = GUINT64_TO_LE ((guint64) ORRERY_MCAP_FOOTER_SIZE);
  GByteArray *out;
  gsize place;
  int fd;

  g_return_val_if_fail (writer != NULL, FALSE);

  if (!orrery_recording_writer_flush (writer, error))
    return FALSE;
  out = clear_scratch (writer);
  place = orrery_mcap_begin (out, ORRERY_MCAP_DATA_END);
  orrery_mcap_put_u32 (out, writer->sum);
  orrery_mcap_end (out, place);
  if (!emit_scratch (writer, error))
    return FALSE;
  out = clear_scratch (writer);
  put_summary (writer, out);
  memcpy (out->data + out->len - 2 * sizeof (guint64) - sizeof length, &length, sizeof length);
  orrery_mcap_put_u32 (out, orrery_mcap_sum (0, out->data, out->len));
  g_byte_array_append (out, (const guint8 *) ORRERY_MCAP_MAGIC, ORRERY_MCAP_MAGIC_SIZE);
  if (!emit_scratch (writer, error))
    return FALSE;
  writer->closed = TRUE;
  fd = writer->fd;
  writer->fd = -1;
  if (close (fd) == 0)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be written: %s", writer->path,
                           g_strerror (errno));
}
