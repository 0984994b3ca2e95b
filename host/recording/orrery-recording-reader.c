/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recordings: what is in one, and its messages in the order of time. */
#include "recording/orrery-recording-reader-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_IDS 65536
/* Of chunks that are decompressed at the same time, since their times overlap */
#define MAX_BLOCK_BYTES ((gsize) 1024 * 1024 * 1024)
#define MAX_PROBLEMS 1000

G_DEFINE_BOXED_TYPE (OrreryRecordingReader, orrery_recording_reader, orrery_recording_reader_ref,
                     orrery_recording_reader_unref)

/* --- the reader --- */

static void
schema_free (gpointer data)
{
  OrreryRecordingSchema *schema = data;

  g_free (schema->name);
  g_free (schema->encoding);
  g_bytes_unref (schema->data);
  g_free (schema);
}

static void
stream_free (gpointer data)
{
  OrreryRecordingStream *stream = data;

  g_free (stream->topic);
  g_free (stream->encoding);
  g_variant_unref (stream->info.metadata);
  g_free (stream);
}

static void
file_free (gpointer data)
{
  OrreryRecordingFile *file = data;

  g_free (file->name);
  g_free (file->media_type);
  g_free (file);
}

static void
metadata_clear (gpointer data)
{
  OrreryRecordingMetadata *metadata = data;

  g_free ((char *) metadata->name);
  g_variant_unref (metadata->values);
}

static void
chunk_clear (gpointer data)
{
  g_clear_pointer (&((OrreryRecordingChunk *) data)->channels, g_array_unref);
}

static void
free_block (gpointer data)
{
  orrery_recording_block_free (data);
}

static void
reader_free (OrreryRecordingReader *reader)
{
  if (reader->fd >= 0)
    close (reader->fd);
  g_ptr_array_unref (reader->blocks);
  g_hash_table_unref (reader->schemas);
  g_ptr_array_unref (reader->channels);
  g_ptr_array_unref (reader->files);
  g_ptr_array_unref (reader->problems);
  g_array_unref (reader->metadata);
  g_array_unref (reader->chunks);
  g_free (reader->channel_of);
  g_strfreev (reader->topics);
  g_free (reader->compression);
  g_free (reader->path);
  g_free (reader);
}

ORRERY_DEFINE_COUNTED (OrreryRecordingReader, orrery_recording_reader, references, reader_free)

static gboolean
open_file (OrreryRecordingReader *reader, GError **error)
{
  guint8 magic[ORRERY_MCAP_MAGIC_SIZE];
  struct stat info;

  reader->fd = open (reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (reader->fd < 0)
    return orrery_set_error (error, errno == ENOENT ? ORRERY_ERROR_NO_FILE : ORRERY_ERROR_IO,
                             "%s: cannot be read: %s", reader->path, g_strerror (errno));
  if (fstat (reader->fd, &info) != 0 || !S_ISREG (info.st_mode))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: no regular file, as a recording has to be", reader->path);
  reader->size = (guint64) info.st_size;
  if (reader->size < sizeof magic ||
      !orrery_recording_read (reader, 0, magic, sizeof magic, NULL) ||
      memcmp (magic, ORRERY_MCAP_MAGIC, sizeof magic) != 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "%s: no recording: it does not begin as an MCAP file", reader->path);
  return TRUE;
}

OrreryRecordingReader *
orrery_recording_reader_new (const char *path, GError **error)
{
  g_autoptr (OrreryRecordingReader) reader = g_new0 (OrreryRecordingReader, 1);

  g_atomic_ref_count_init (&reader->references);
  reader->path = g_strdup (path);
  reader->schemas = g_hash_table_new_full (NULL, NULL, NULL, schema_free);
  reader->channels = g_ptr_array_new_with_free_func (stream_free);
  reader->channel_of = g_new0 (guint, N_IDS);
  reader->files = g_ptr_array_new_with_free_func (file_free);
  reader->problems = g_ptr_array_new_with_free_func (g_free);
  reader->metadata = g_array_new (FALSE, FALSE, sizeof (OrreryRecordingMetadata));
  g_array_set_clear_func (reader->metadata, metadata_clear);
  reader->chunks = g_array_new (FALSE, FALSE, sizeof (OrreryRecordingChunk));
  g_array_set_clear_func (reader->chunks, chunk_clear);
  reader->blocks = g_ptr_array_new_with_free_func (free_block);
  return open_file (reader, error) ? g_steal_pointer (&reader) : NULL;
}

gboolean
orrery_recording_fail (OrreryRecordingReader *reader, guint64 offset, GError **error,
                       const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: byte %" G_GUINT64_FORMAT ": %s",
                           reader->path, offset, words);
}

void
orrery_recording_add_problem (OrreryRecordingReader *reader, const GError *error)
{
  if (reader->problems->len < MAX_PROBLEMS)
    g_ptr_array_add (reader->problems, g_strdup (error->message));
}

gboolean
orrery_recording_read (OrreryRecordingReader *reader, guint64 offset, gpointer data, gsize length,
                       GError **error)
{
  gsize done = 0;

  while (done < length) {
    ssize_t n = pread (reader->fd, (char *) data + done, length - done, (off_t) (offset + done));

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be read: %s", reader->path,
                               n < 0 ? g_strerror (errno) : "it ends earlier than before");
    done += (gsize) n;
  }
  return TRUE;
}

static int
compare_chunks (gconstpointer a, gconstpointer b)
{
  const OrreryRecordingChunk *x = a, *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

void
orrery_recording_settle (OrreryRecordingReader *reader)
{
  g_array_sort (reader->chunks, compare_chunks);
  g_ptr_array_add (reader->problems, NULL);
  orrery_recording_reader_select (reader, NULL, 0, -1);
}

OrreryRecordingReader *
orrery_recording_reader_open (const char *path, GError **error)
{
  g_autoptr (OrreryRecordingReader) reader = NULL;
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  reader = orrery_recording_reader_new (path, error);
  if (reader == NULL)
    return NULL;
  if (!orrery_recording_read_summary (reader, &local)) {
    /* What the summary told until then counts no more. */
    g_clear_pointer (&reader, orrery_recording_reader_unref);
    reader = orrery_recording_reader_new (path, error);
    if (reader == NULL)
      return NULL;
    if (local != NULL)
      orrery_recording_add_problem (reader, local);
    if (!orrery_recording_scan (reader, error))
      return NULL;
  }
  orrery_recording_settle (reader);
  return g_steal_pointer (&reader);
}

/* --- what is in it --- */

#define GETTER(type, name, member)                                                                 \
  ORRERY_DEFINE_GETTER (type, orrery_recording_reader_##name, OrreryRecordingReader,               \
                        ORRERY_IS_STRUCT, member)

GETTER (const char *, get_path, self->path)
GETTER (gboolean, is_whole, self->is_whole)
GETTER (const char *const *, get_problems, (const char *const *) self->problems->pdata)
GETTER (const char *, get_compression, self->compression != NULL ? self->compression : "")
GETTER (guint, get_n_chunks, self->chunks->len)
GETTER (guint64, get_n_messages, self->n_messages)
GETTER (OrreryTime, get_start, (OrreryTime) MIN (self->start, (guint64) G_MAXINT64))
GETTER (OrreryTime, get_end, (OrreryTime) MIN (self->end, (guint64) G_MAXINT64))
GETTER (guint, get_n_channels, self->channels->len)
GETTER (guint, get_n_attachments, self->files->len)
GETTER (guint, get_n_metadata, self->metadata->len)
GETTER (guint, get_message_channel, self->place.channel)
GETTER (OrreryTime, get_message_time, (OrreryTime) MIN (self->place.time, (guint64) G_MAXINT64))
GETTER (OrreryTime, get_message_publish_time,
        (OrreryTime) MIN (self->place.publish_time, (guint64) G_MAXINT64))

const OrreryRecordingChannel *
orrery_recording_reader_get_channel (OrreryRecordingReader *reader, guint index)
{
  g_return_val_if_fail (reader != NULL && index < reader->channels->len, NULL);
  return &((OrreryRecordingStream *) g_ptr_array_index (reader->channels, index))->info;
}

char **
orrery_recording_reader_list_topics (OrreryRecordingReader *reader)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_return_val_if_fail (reader != NULL, NULL);

  for (guint i = 0; i < reader->channels->len; i++) {
    OrreryRecordingStream *stream = g_ptr_array_index (reader->channels, i);

    if (g_hash_table_add (seen, stream->topic))
      g_strv_builder_add (builder, stream->topic);
  }
  return g_strv_builder_end (builder);
}

const OrreryRecordingAttachment *
orrery_recording_reader_get_attachment (OrreryRecordingReader *reader, guint index)
{
  g_return_val_if_fail (reader != NULL && index < reader->files->len, NULL);
  return &((OrreryRecordingFile *) g_ptr_array_index (reader->files, index))->info;
}

const OrreryRecordingMetadata *
orrery_recording_reader_get_metadata (OrreryRecordingReader *reader, guint index)
{
  g_return_val_if_fail (reader != NULL && index < reader->metadata->len, NULL);
  return &g_array_index (reader->metadata, OrreryRecordingMetadata, index);
}

GBytes *
orrery_recording_reader_read_attachment (OrreryRecordingReader *reader, guint index, GError **error)
{
  OrreryRecordingFile *file;
  g_autofree guint8 *bytes = NULL;
  gsize content, before;
  guint32 sum, expected;

  g_return_val_if_fail (reader != NULL && index < reader->files->len, NULL);

  file = g_ptr_array_index (reader->files, index);
  content = (gsize) file->length - ORRERY_MCAP_HEAD_SIZE;
  before = content - sizeof sum - (gsize) file->info.size;
  bytes = g_try_malloc (content);
  if (bytes == NULL)
    return orrery_set_error_null (error, ORRERY_ERROR_IO, "%s: no memory for attachment '%s'",
                                  reader->path, file->name);
  if (!orrery_recording_read (reader, file->offset + ORRERY_MCAP_HEAD_SIZE, bytes, content, error))
    return NULL;
  sum = orrery_mcap_sum (0, bytes, content - sizeof sum);
  memcpy (&expected, bytes + content - sizeof sum, sizeof expected);
  if (expected != 0 && GUINT32_FROM_LE (expected) != sum) {
    orrery_recording_fail (reader, file->offset, error,
                           "attachment '%s': its checksum is wrong; it is damaged", file->name);
    return NULL;
  }
  memmove (bytes, bytes + before, (gsize) file->info.size);
  return g_bytes_new_take (g_steal_pointer (&bytes), (gsize) file->info.size);
}

/* --- messages --- */

gboolean
orrery_recording_is_selected (OrreryRecordingReader *reader, const char *topic)
{
  return reader->topics == NULL || g_strv_contains ((const char *const *) reader->topics, topic);
}

void
orrery_recording_reader_select (OrreryRecordingReader *reader, const char *const *topics,
                                OrreryTime from, OrreryTime to)
{
  char **before;

  g_return_if_fail (reader != NULL);

  before = reader->topics;
  reader->topics = g_strdupv ((char **) topics);
  g_strfreev (before);
  for (guint i = 0; i < reader->channels->len; i++) {
    OrreryRecordingStream *stream = g_ptr_array_index (reader->channels, i);

    stream->selected = orrery_recording_is_selected (reader, stream->topic);
  }
  reader->from = (guint64) MAX (from, 0);
  reader->to = to < 0 ? G_MAXUINT64 : (guint64) to;
  reader->next_chunk = 0;
  reader->block = NULL;
  reader->block_bytes = 0;
  g_ptr_array_set_size (reader->blocks, 0);
}

static gboolean
is_wanted (OrreryRecordingReader *reader, const OrreryRecordingChunk *chunk)
{
  if (chunk->end < reader->from || chunk->start > reader->to)
    return FALSE;
  for (guint i = 0; chunk->channels != NULL && i < chunk->channels->len; i++) {
    guint index = reader->channel_of[g_array_index (chunk->channels, guint16, i)];
    OrreryRecordingStream *stream =
        index > 0 ? g_ptr_array_index (reader->channels, index - 1) : NULL;

    /* A channel that the summary does not name may be in the chunk itself. */
    if (stream == NULL || stream->selected)
      return TRUE;
  }
  return chunk->channels == NULL;
}

/* Goes on to the next message of a block that is selected. Returns: (nullable) */
static OrreryRecordingPlace *
find_place (OrreryRecordingReader *reader, OrreryRecordingBlock *block)
{
  for (; block->next < block->places->len; block->next++) {
    OrreryRecordingPlace *place = &g_array_index (block->places, OrreryRecordingPlace, block->next);
    OrreryRecordingStream *stream = g_ptr_array_index (reader->channels, place->channel);

    if (stream->selected && place->time >= reader->from && place->time <= reader->to)
      return place;
  }
  return NULL;
}

/* The block with the earliest message; those that have no more are freed. */
static OrreryRecordingBlock *
find_earliest (OrreryRecordingReader *reader, guint64 *time)
{
  OrreryRecordingBlock *earliest = NULL;

  for (guint i = 0; i < reader->blocks->len;) {
    OrreryRecordingBlock *block = g_ptr_array_index (reader->blocks, i);
    OrreryRecordingPlace *place = find_place (reader, block);

    if (place == NULL) {
      reader->block_bytes -= block->size;
      g_ptr_array_remove_index (reader->blocks, i);
      continue;
    }
    if (earliest == NULL || place->time < *time) {
      earliest = block;
      *time = place->time;
    }
    i++;
  }
  return earliest;
}

static gboolean
load_next (OrreryRecordingReader *reader, GError **error)
{
  const OrreryRecordingChunk *chunk =
      &g_array_index (reader->chunks, OrreryRecordingChunk, reader->next_chunk++);
  OrreryRecordingBlock *block;

  if (!is_wanted (reader, chunk))
    return TRUE;
  block = orrery_recording_load (reader, chunk, error);
  if (block == NULL)
    return FALSE;
  if (reader->block_bytes + block->size > MAX_BLOCK_BYTES) {
    orrery_recording_block_free (block);
    return orrery_recording_fail (reader, chunk->offset, error,
                                  "more than 1 GiB of chunks for one time");
  }
  reader->block_bytes += block->size;
  g_ptr_array_add (reader->blocks, block);
  return TRUE;
}

gboolean
orrery_recording_reader_next (OrreryRecordingReader *reader, GError **error)
{
  OrreryRecordingBlock *block;
  guint64 time = 0;

  g_return_val_if_fail (reader != NULL, FALSE);

  reader->block = NULL;
  block = find_earliest (reader, &time);
  /* A chunk that begins later has no earlier message. */
  while (reader->next_chunk < reader->chunks->len) {
    if (block != NULL &&
        g_array_index (reader->chunks, OrreryRecordingChunk, reader->next_chunk).start > time)
      break;
    if (!load_next (reader, error))
      return FALSE;
    block = find_earliest (reader, &time);
  }
  if (block == NULL)
    return FALSE;
  reader->block = block;
  reader->place = g_array_index (block->places, OrreryRecordingPlace, block->next++);
  return TRUE;
}

const guint8 *
orrery_recording_reader_get_message_data (OrreryRecordingReader *reader, gsize *length)
{
  g_return_val_if_fail (reader != NULL && reader->block != NULL, NULL);
  *length = reader->place.length;
  return reader->block->bytes + reader->place.offset;
}

GBytes *
orrery_recording_reader_dup_message (OrreryRecordingReader *reader)
{
  gsize length;
  const guint8 *data;

  g_return_val_if_fail (reader != NULL && reader->block != NULL, NULL);
  data = orrery_recording_reader_get_message_data (reader, &length);
  return g_bytes_new (data, length);
}
