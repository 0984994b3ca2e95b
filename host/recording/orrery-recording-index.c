/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a recording: its chunks, and its summary, by which these are found. */
#include "recording/orrery-recording-reader-private.h"

#include "base/orrery-error-private.h"
#include "recording/orrery-compression-private.h"

#include <string.h>

/* How much of an attachment is read to know what it is: two texts and four numbers */
#define MAX_ATTACHMENT_HEAD (2 * (ORRERY_MCAP_MAX_TEXT + 4) + 24)
/* Of all schemas and channels */
#define MAX_DESCRIPTION_BYTES ((gsize) 256 * 1024 * 1024)

/* --- schemas and channels --- */

static gboolean
take_room (OrreryRecordingReader *reader, gsize length, guint64 offset, GError **error)
{
  if (length > MAX_DESCRIPTION_BYTES - reader->description_bytes)
    return orrery_recording_fail (reader, offset, error,
                                  "more than 256 MiB of schemas and channels");
  reader->description_bytes += length;
  return TRUE;
}

gboolean
orrery_recording_add_schema (OrreryRecordingReader *reader, OrreryMcapCursor content,
                             guint64 offset, GError **error)
{
  gsize size = content.left;
  guint16 id = orrery_mcap_take_u16 (&content);
  g_autofree char *name = orrery_mcap_take_text (&content);
  g_autofree char *encoding = orrery_mcap_take_text (&content);
  guint32 length = orrery_mcap_take_u32 (&content);
  const guint8 *data = orrery_mcap_take (&content, length);
  OrreryRecordingSchema *schema;

  if (content.failed || id == 0)
    return orrery_recording_fail (reader, offset, error, "a schema that is damaged");
  /* Repetitions are frequent. */
  if (g_hash_table_contains (reader->schemas, GUINT_TO_POINTER (id)))
    return TRUE;
  if (!take_room (reader, size, offset, error))
    return FALSE;
  schema = g_new0 (OrreryRecordingSchema, 1);
  schema->id = id;
  schema->name = g_steal_pointer (&name);
  schema->encoding = g_steal_pointer (&encoding);
  schema->data = g_bytes_new (data, length);
  g_hash_table_insert (reader->schemas, GUINT_TO_POINTER (id), schema);
  return TRUE;
}

/* @schema: (nullable) */
static void
add_stream (OrreryRecordingReader *reader, guint16 id, const OrreryRecordingSchema *schema,
            char *topic, char *encoding, GVariant *metadata)
{
  OrreryRecordingStream *stream = g_new0 (OrreryRecordingStream, 1);

  stream->id = id;
  stream->schema = schema != NULL ? schema->id : 0;
  /* It may be in a chunk that is read after the topics were selected. */
  stream->selected = orrery_recording_is_selected (reader, topic);
  stream->topic = topic;
  stream->encoding = encoding;
  stream->info.topic = topic;
  stream->info.encoding = encoding;
  stream->info.schema_name = schema != NULL ? schema->name : "";
  stream->info.schema_encoding = schema != NULL ? schema->encoding : "";
  stream->info.schema = schema != NULL ? schema->data : NULL;
  stream->info.metadata = metadata;
  g_ptr_array_add (reader->channels, stream);
  reader->channel_of[id] = reader->channels->len;
}

gboolean
orrery_recording_add_channel (OrreryRecordingReader *reader, OrreryMcapCursor content,
                              guint64 offset, GError **error)
{
  gsize size = content.left;
  guint16 id = orrery_mcap_take_u16 (&content);
  guint16 schema_id = orrery_mcap_take_u16 (&content);
  g_autofree char *topic = orrery_mcap_take_text (&content);
  g_autofree char *encoding = orrery_mcap_take_text (&content);
  g_autoptr (GVariant) metadata = orrery_mcap_take_map (&content);
  const OrreryRecordingSchema *schema =
      g_hash_table_lookup (reader->schemas, GUINT_TO_POINTER (schema_id));
  OrreryRecordingStream *present =
      reader->channel_of[id] > 0 ? g_ptr_array_index (reader->channels, reader->channel_of[id] - 1)
                                 : NULL;

  if (content.failed)
    return orrery_recording_fail (reader, offset, error, "a channel that is damaged");
  if (schema_id != 0 && schema == NULL)
    return orrery_recording_fail (reader, offset, error, "channel '%s': there is no schema %u",
                                  topic, schema_id);
  if (present != NULL &&
      (strcmp (present->topic, topic) != 0 || strcmp (present->encoding, encoding) != 0 ||
       present->schema != schema_id))
    return orrery_recording_fail (reader, offset, error, "channel %u is '%s', and was '%s' before",
                                  id, topic, present->topic);
  if (present == NULL && !take_room (reader, size, offset, error))
    return FALSE;
  if (present == NULL)
    add_stream (reader, id, schema, g_steal_pointer (&topic), g_steal_pointer (&encoding),
                g_steal_pointer (&metadata));
  return TRUE;
}

/* --- chunks --- */

void
orrery_recording_block_free (OrreryRecordingBlock *block)
{
  g_free (block->bytes);
  g_array_unref (block->places);
  g_free (block);
}

static gboolean
add_message (OrreryRecordingReader *reader, OrreryRecordingBlock *block, OrreryMcapCursor content,
             guint64 offset, GError **error)
{
  OrreryRecordingPlace place = { 0 };
  guint16 id = orrery_mcap_take_u16 (&content);

  orrery_mcap_take_u32 (&content);
  place.time = orrery_mcap_take_u64 (&content);
  place.publish_time = orrery_mcap_take_u64 (&content);
  if (content.failed)
    return orrery_recording_fail (reader, offset, error, "a message that is damaged");
  if (reader->channel_of[id] == 0)
    return orrery_recording_fail (reader, offset, error, "a message of channel %u, which is none",
                                  id);
  place.channel = reader->channel_of[id] - 1;
  place.offset = (gsize) (content.at - block->bytes);
  place.length = content.left;
  g_array_append_val (block->places, place);
  return TRUE;
}

/* @offset: of the chunk, for messages */
static gboolean
parse_records (OrreryRecordingReader *reader, OrreryRecordingBlock *block, guint64 offset,
               GError **error)
{
  OrreryMcapCursor rest = { block->bytes, block->size, FALSE };

  while (rest.left > 0) {
    const guint8 *op = orrery_mcap_take (&rest, 1);
    guint64 length = orrery_mcap_take_u64 (&rest);
    const guint8 *bytes = orrery_mcap_take (&rest, length);
    OrreryMcapCursor content = { bytes, bytes != NULL ? (gsize) length : 0, FALSE };
    gboolean fine = TRUE;

    if (bytes == NULL)
      return orrery_recording_fail (reader, offset, error, "a record that goes beyond its chunk");
    if (*op == ORRERY_MCAP_SCHEMA)
      fine = orrery_recording_add_schema (reader, content, offset, error);
    else if (*op == ORRERY_MCAP_CHANNEL)
      fine = orrery_recording_add_channel (reader, content, offset, error);
    else if (*op == ORRERY_MCAP_MESSAGE)
      fine = add_message (reader, block, content, offset, error);
    if (!fine)
      return FALSE;
  }
  return TRUE;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const OrreryRecordingPlace *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
sort_places (GArray *places)
{
  for (guint i = 1; i < places->len; i++)
    if (g_array_index (places, OrreryRecordingPlace, i).time <
        g_array_index (places, OrreryRecordingPlace, i - 1).time) {
      g_array_sort (places, compare_places);
      return;
    }
}

/* The content of a chunk's record; takes the place of the bytes of @block. */
static gboolean
unpack (OrreryRecordingReader *reader, OrreryRecordingBlock *block, guint64 offset, GError **error)
{
  OrreryMcapCursor content = { block->bytes, block->size, FALSE };
  g_autofree guint8 *packed = block->bytes;
  g_autofree char *compression = NULL;
  g_autoptr (GError) local = NULL;
  guint64 size, length;
  guint32 sum;
  const guint8 *data;

  block->bytes = NULL;
  block->size = 0;
  orrery_mcap_take (&content, 2 * sizeof (guint64));
  size = orrery_mcap_take_u64 (&content);
  sum = orrery_mcap_take_u32 (&content);
  compression = orrery_mcap_take_text (&content);
  length = orrery_mcap_take_u64 (&content);
  data = orrery_mcap_take (&content, length);
  if (data == NULL || size > ORRERY_MCAP_MAX_CHUNK)
    return orrery_recording_fail (reader, offset, error,
                                  "a chunk that is damaged, or has more than 256 MiB");
  block->bytes = g_try_malloc (MAX ((gsize) size, 1));
  block->size = block->bytes != NULL ? (gsize) size : 0;
  if (block->bytes == NULL)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: no memory for a chunk", reader->path);
  if (!orrery_decompress (compression, data, (gsize) length, block->bytes, block->size, &local))
    return orrery_recording_fail (reader, offset, error, "a chunk that cannot be read: %s",
                                  local->message);
  if (sum != 0 && sum != orrery_mcap_sum (0, block->bytes, block->size))
    return orrery_recording_fail (reader, offset, error,
                                  "a chunk whose checksum is wrong; it is damaged");
  if (reader->compression == NULL)
    reader->compression = g_steal_pointer (&compression);
  return TRUE;
}

OrreryRecordingBlock *
orrery_recording_load (OrreryRecordingReader *reader, const OrreryRecordingChunk *chunk,
                       GError **error)
{
  g_autoptr (OrreryRecordingBlock) block = g_new0 (OrreryRecordingBlock, 1);
  gsize head = chunk->is_bare ? 0 : ORRERY_MCAP_HEAD_SIZE;

  block->places = g_array_new (FALSE, FALSE, sizeof (OrreryRecordingPlace));
  if (chunk->length < head || chunk->length > ORRERY_MCAP_MAX_CHUNK + ORRERY_MCAP_MAX_CHUNK / 8) {
    orrery_recording_fail (reader, chunk->offset, error, "a chunk of more than 256 MiB");
    return NULL;
  }
  block->size = (gsize) chunk->length - head;
  block->bytes = g_try_malloc (MAX (block->size, 1));
  if (block->bytes == NULL)
    return orrery_set_error_null (error, ORRERY_ERROR_IO, "%s: no memory for a chunk",
                                  reader->path);
  if (!orrery_recording_read (reader, chunk->offset + head, block->bytes, block->size, error) ||
      (!chunk->is_bare && !unpack (reader, block, chunk->offset, error)) ||
      !parse_records (reader, block, chunk->offset, error))
    return NULL;
  sort_places (block->places);
  return g_steal_pointer (&block);
}

/* --- attachments and metadata --- */

gboolean
orrery_recording_add_attachment (OrreryRecordingReader *reader, guint64 offset, guint64 length,
                                 GError **error)
{
  guint64 content = length - ORRERY_MCAP_HEAD_SIZE;
  gsize n = (gsize) MIN (content, (guint64) MAX_ATTACHMENT_HEAD);
  g_autofree guint8 *bytes = g_malloc (n + 1);
  OrreryMcapCursor head = { bytes, n, FALSE };
  g_autofree char *name = NULL;
  g_autofree char *media_type = NULL;
  guint64 time, size;
  OrreryRecordingFile *file;

  if (!orrery_recording_read (reader, offset + ORRERY_MCAP_HEAD_SIZE, bytes, n, error))
    return FALSE;
  time = orrery_mcap_take_u64 (&head);
  orrery_mcap_take_u64 (&head);
  name = orrery_mcap_take_text (&head);
  media_type = orrery_mcap_take_text (&head);
  size = orrery_mcap_take_u64 (&head);
  if (head.failed || size > ORRERY_MCAP_MAX_ATTACHMENT ||
      content != (guint64) (head.at - bytes) + size + sizeof (guint32))
    return orrery_recording_fail (reader, offset, error,
                                  "an attachment that is damaged, or has more than 4 GiB");
  file = g_new0 (OrreryRecordingFile, 1);
  file->offset = offset;
  file->length = length;
  file->name = g_steal_pointer (&name);
  file->media_type = g_steal_pointer (&media_type);
  file->info = (OrreryRecordingAttachment){ file->name, file->media_type,
                                            (OrreryTime) MIN (time, (guint64) G_MAXINT64), size };
  g_ptr_array_add (reader->files, file);
  return TRUE;
}

gboolean
orrery_recording_add_metadata (OrreryRecordingReader *reader, guint64 offset, guint64 length,
                               GError **error)
{
  guint64 size = length - ORRERY_MCAP_HEAD_SIZE;
  g_autofree guint8 *bytes = size <= ORRERY_MCAP_MAX_METADATA ? g_malloc ((gsize) size + 1) : NULL;
  OrreryRecordingMetadata metadata = { NULL };
  OrreryMcapCursor content = { bytes, (gsize) size, bytes == NULL };

  if (bytes != NULL &&
      !orrery_recording_read (reader, offset + ORRERY_MCAP_HEAD_SIZE, bytes, (gsize) size, error))
    return FALSE;
  metadata.name = orrery_mcap_take_text (&content);
  metadata.values = orrery_mcap_take_map (&content);
  if (content.failed) {
    g_free ((char *) metadata.name);
    return orrery_recording_fail (reader, offset, error,
                                  "metadata that is damaged, or has more than 64 MiB");
  }
  g_array_append_val (reader->metadata, metadata);
  return TRUE;
}

/* --- the summary --- */

static gboolean
is_inside (OrreryRecordingReader *reader, guint64 offset, guint64 length)
{
  return length >= ORRERY_MCAP_HEAD_SIZE && length <= reader->size &&
         offset <= reader->size - length;
}

static gboolean
take_chunk_index (OrreryRecordingReader *reader, OrreryMcapCursor content, guint64 at,
                  GError **error)
{
  OrreryRecordingChunk chunk = { 0 };
  OrreryMcapCursor map;

  chunk.start = orrery_mcap_take_u64 (&content);
  chunk.end = orrery_mcap_take_u64 (&content);
  chunk.offset = orrery_mcap_take_u64 (&content);
  chunk.length = orrery_mcap_take_u64 (&content);
  map.left = orrery_mcap_take_u32 (&content);
  map.at = orrery_mcap_take (&content, map.left);
  map.failed = FALSE;
  if (content.failed || !is_inside (reader, chunk.offset, chunk.length))
    return orrery_recording_fail (reader, at, error, "an entry of a chunk that is damaged");
  /* Without message indexes its channels are not known. */
  chunk.channels = map.left > 0 ? g_array_new (FALSE, FALSE, sizeof (guint16)) : NULL;
  while (map.left > 0 && !map.failed) {
    guint16 id = orrery_mcap_take_u16 (&map);

    orrery_mcap_take_u64 (&map);
    g_array_append_val (chunk.channels, id);
  }
  if (reader->compression == NULL) {
    orrery_mcap_take_u64 (&content);
    reader->compression = orrery_mcap_take_text (&content);
  }
  g_array_append_val (reader->chunks, chunk);
  return TRUE;
}

static gboolean
take_statistics (OrreryRecordingReader *reader, OrreryMcapCursor content, guint64 at,
                 GError **error)
{
  OrreryMcapCursor map = { NULL, 0, FALSE };

  reader->n_messages = orrery_mcap_take_u64 (&content);
  orrery_mcap_take (&content, sizeof (guint16) + 4 * sizeof (guint32));
  reader->start = orrery_mcap_take_u64 (&content);
  reader->end = orrery_mcap_take_u64 (&content);
  map.left = orrery_mcap_take_u32 (&content);
  map.at = orrery_mcap_take (&content, map.left);
  if (content.failed)
    return orrery_recording_fail (reader, at, error, "statistics that are damaged");
  while (map.left > 0 && !map.failed) {
    guint index = reader->channel_of[orrery_mcap_take_u16 (&map)];
    guint64 n = orrery_mcap_take_u64 (&map);

    if (index > 0)
      ((OrreryRecordingStream *) g_ptr_array_index (reader->channels, index - 1))->info.n_messages =
          n;
  }
  return TRUE;
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  const OrreryRecordingChunk *x = a, *y = b;

  return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Many entries of one chunk would make of a small file one that takes hours to read. */
static gboolean
check_chunks (OrreryRecordingReader *reader, guint64 at, GError **error)
{
  g_array_sort (reader->chunks, compare_offsets);
  for (guint i = 1; i < reader->chunks->len; i++) {
    const OrreryRecordingChunk *chunk = &g_array_index (reader->chunks, OrreryRecordingChunk, i);

    if (chunk[-1].offset + chunk[-1].length > chunk->offset)
      return orrery_recording_fail (reader, at, error, "two entries of one chunk");
  }
  return TRUE;
}

/* An attachment or metadata at a place that the summary names */
static gboolean
take_place (OrreryRecordingReader *reader, guint8 op, OrreryMcapCursor content, guint64 at,
            GError **error)
{
  guint64 offset = orrery_mcap_take_u64 (&content), length = orrery_mcap_take_u64 (&content);
  guint8 head[ORRERY_MCAP_HEAD_SIZE];
  guint64 inner;
  gboolean attachment = op == ORRERY_MCAP_ATTACHMENT_INDEX;

  if (content.failed || !is_inside (reader, offset, length))
    return orrery_recording_fail (reader, at, error, "an entry that is damaged");
  if (!orrery_recording_read (reader, offset, head, sizeof head, error))
    return FALSE;
  memcpy (&inner, head + 1, sizeof inner);
  if (head[0] != (attachment ? ORRERY_MCAP_ATTACHMENT : ORRERY_MCAP_METADATA) ||
      GUINT64_FROM_LE (inner) != length - sizeof head)
    return orrery_recording_fail (reader, at, error, "an entry that leads to another record");
  return attachment ? orrery_recording_add_attachment (reader, offset, length, error)
                    : orrery_recording_add_metadata (reader, offset, length, error);
}

static gboolean
take_record (OrreryRecordingReader *reader, guint8 op, OrreryMcapCursor content, guint64 at,
             GError **error)
{
  switch (op) {
  case ORRERY_MCAP_SCHEMA:
    return orrery_recording_add_schema (reader, content, at, error);
  case ORRERY_MCAP_CHANNEL:
    return orrery_recording_add_channel (reader, content, at, error);
  case ORRERY_MCAP_STATISTICS:
    return take_statistics (reader, content, at, error);
  case ORRERY_MCAP_CHUNK_INDEX:
    return take_chunk_index (reader, content, at, error);
  case ORRERY_MCAP_ATTACHMENT_INDEX:
  case ORRERY_MCAP_METADATA_INDEX:
    return take_place (reader, op, content, at, error);
  default:
    return TRUE;
  }
}

static gboolean
parse_summary (OrreryRecordingReader *reader, const guint8 *bytes, gsize length, guint64 start,
               gboolean *has_statistics, GError **error)
{
  OrreryMcapCursor rest = { bytes, length, FALSE };

  while (rest.left > 0) {
    guint64 at = start + (guint64) (rest.at - bytes);
    const guint8 *op = orrery_mcap_take (&rest, 1);
    guint64 size = orrery_mcap_take_u64 (&rest);
    const guint8 *record = orrery_mcap_take (&rest, size);
    OrreryMcapCursor content = { record, record != NULL ? (gsize) size : 0, FALSE };

    if (record == NULL)
      return orrery_recording_fail (reader, at, error, "the summary is damaged");
    *has_statistics |= *op == ORRERY_MCAP_STATISTICS;
    if (!take_record (reader, *op, content, at, error))
      return FALSE;
  }
  return TRUE;
}

guint64
orrery_recording_read_footer (OrreryRecordingReader *reader, guint32 *sum)
{
  guint8 bytes[ORRERY_MCAP_HEAD_SIZE + ORRERY_MCAP_FOOTER_SIZE + ORRERY_MCAP_MAGIC_SIZE];
  OrreryMcapCursor footer = { bytes, sizeof bytes, FALSE };
  guint64 start;

  if (reader->size < ORRERY_MCAP_MAGIC_SIZE + sizeof bytes ||
      !orrery_recording_read (reader, reader->size - sizeof bytes, bytes, sizeof bytes, NULL) ||
      bytes[0] != ORRERY_MCAP_FOOTER ||
      memcmp (bytes + sizeof bytes - ORRERY_MCAP_MAGIC_SIZE, ORRERY_MCAP_MAGIC,
              ORRERY_MCAP_MAGIC_SIZE) != 0)
    return 0;
  orrery_mcap_take (&footer, 1);
  if (orrery_mcap_take_u64 (&footer) != ORRERY_MCAP_FOOTER_SIZE)
    return 0;
  reader->is_whole = TRUE;
  start = orrery_mcap_take_u64 (&footer);
  orrery_mcap_take_u64 (&footer);
  *sum = orrery_mcap_take_u32 (&footer);
  return start < reader->size - sizeof bytes ? start : 0;
}

gboolean
orrery_recording_read_summary (OrreryRecordingReader *reader, GError **error)
{
  guint32 sum = 0;
  guint64 start = orrery_recording_read_footer (reader, &sum);
  guint64 length = reader->size - ORRERY_MCAP_MAGIC_SIZE - start;
  gsize footer = ORRERY_MCAP_HEAD_SIZE + ORRERY_MCAP_FOOTER_SIZE;
  gboolean has_statistics = FALSE;
  g_autofree guint8 *bytes = NULL;

  if (start == 0)
    return FALSE;
  bytes = length <= ORRERY_MCAP_MAX_SUMMARY ? g_try_malloc ((gsize) length) : NULL;
  if (bytes == NULL)
    return orrery_recording_fail (reader, start, error, "a summary of more than 1 GiB");
  if (!orrery_recording_read (reader, start, bytes, (gsize) length, error))
    return FALSE;
  if (sum != 0 && sum != orrery_mcap_sum (0, bytes, (gsize) length - sizeof sum))
    return orrery_recording_fail (reader, start, error,
                                  "the checksum of the summary is wrong; it is damaged");
  if (!parse_summary (reader, bytes, (gsize) length - footer, start, &has_statistics, error) ||
      !check_chunks (reader, start, error))
    return FALSE;
  /* Without counts, or without chunks, the messages have to be looked for. */
  return has_statistics && (reader->chunks->len > 0 || reader->n_messages == 0);
}
