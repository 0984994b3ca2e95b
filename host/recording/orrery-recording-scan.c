/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a recording from front to back: one that was cut, or that is damaged. */
#include "recording/orrery-recording-reader-private.h"

#include "base/orrery-error-private.h"

#include <string.h>

/* Messages outside of chunks are read so many bytes at a time. */
#define BARE_BYTES (4 * 1024 * 1024)
#define SEARCH_BYTES (1024 * 1024)
/* Opcode, length, times, size, sum, and the length of the compression's name */
#define CHUNK_HEAD (ORRERY_MCAP_HEAD_SIZE + ORRERY_MCAP_CHUNK_SIZE + 4)
#define MAX_COMPRESSION_NAME 16

typedef struct {
  OrreryRecordingReader *reader;
  guint64 at;         /* what is read next */
  guint64 bare;       /* where records of messages without chunks begin, 0: there are none */
  gboolean has_ended; /* the end of data was read */
  guint32 sum;        /* what that says of all bytes before it; 0: nothing */
  guint64 end;        /* where that is */
} Scan;

/* --- chunks --- */

static void
count_messages (OrreryRecordingReader *reader, OrreryRecordingChunk *chunk,
                const OrreryRecordingBlock *block)
{
  guint64 *counts = g_new0 (guint64, reader->channels->len + 1);

  chunk->channels = g_array_new (FALSE, FALSE, sizeof (guint16));
  for (guint i = 0; i < block->places->len; i++) {
    const OrreryRecordingPlace *place = &g_array_index (block->places, OrreryRecordingPlace, i);

    counts[place->channel]++;
    chunk->start = i == 0 ? place->time : MIN (chunk->start, place->time);
    chunk->end = i == 0 ? place->time : MAX (chunk->end, place->time);
  }
  for (guint i = 0; i < reader->channels->len; i++) {
    OrreryRecordingStream *stream = g_ptr_array_index (reader->channels, i);

    stream->info.n_messages += counts[i];
    if (counts[i] > 0)
      g_array_append_val (chunk->channels, stream->id);
  }
  reader->start = reader->n_messages == 0 ? chunk->start : MIN (reader->start, chunk->start);
  reader->end = MAX (reader->end, chunk->end);
  reader->n_messages += block->places->len;
  g_free (counts);
}

/* What cannot be read is said, and left out. */
static void
take_chunk (OrreryRecordingReader *reader, guint64 offset, guint64 length, gboolean is_bare)
{
  OrreryRecordingChunk chunk = { .offset = offset, .length = length, .is_bare = is_bare };
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingBlock) block = orrery_recording_load (reader, &chunk, &error);

  if (block == NULL)
    orrery_recording_add_problem (reader, error);
  if (block == NULL || block->places->len == 0)
    return;
  count_messages (reader, &chunk, block);
  g_array_append_val (reader->chunks, chunk);
}

static void
end_bare (Scan *scan)
{
  if (scan->bare > 0)
    take_chunk (scan->reader, scan->bare, scan->at - scan->bare, TRUE);
  scan->bare = 0;
}

/* --- behind damage: the next chunk --- */

/* Whether a chunk begins here: its lengths agree with each other, which bytes by chance do not. */
static gboolean
is_chunk (Scan *scan, const guint8 *bytes, gsize n, guint64 offset)
{
  OrreryMcapCursor head = { bytes, n, FALSE };
  guint64 length, size, packed;
  guint32 name_length;

  if (n < CHUNK_HEAD || bytes[0] != ORRERY_MCAP_CHUNK)
    return FALSE;
  orrery_mcap_take (&head, 1);
  length = orrery_mcap_take_u64 (&head);
  orrery_mcap_take (&head, 2 * sizeof (guint64));
  size = orrery_mcap_take_u64 (&head);
  orrery_mcap_take_u32 (&head);
  name_length = orrery_mcap_take_u32 (&head);
  if (name_length > MAX_COMPRESSION_NAME || size > ORRERY_MCAP_MAX_CHUNK)
    return FALSE;
  orrery_mcap_take (&head, name_length);
  packed = orrery_mcap_take_u64 (&head);
  return !head.failed && length <= scan->reader->size - offset - ORRERY_MCAP_HEAD_SIZE &&
         packed <= length &&
         length == ORRERY_MCAP_CHUNK_SIZE + 4 + name_length + sizeof packed + packed;
}

/* Returns: whether a chunk follows, where the scan now is. */
static gboolean
find_chunk (Scan *scan)
{
  OrreryRecordingReader *reader = scan->reader;
  g_autofree guint8 *bytes = g_malloc (SEARCH_BYTES);
  gsize overlap = CHUNK_HEAD + MAX_COMPRESSION_NAME + sizeof (guint64);

  while (scan->at < reader->size) {
    gsize n = (gsize) MIN (reader->size - scan->at, (guint64) SEARCH_BYTES);

    if (!orrery_recording_read (reader, scan->at, bytes, n, NULL))
      return FALSE;
    for (gsize i = 0; i < n; i++) {
      const guint8 *found = memchr (bytes + i, ORRERY_MCAP_CHUNK, n - i);

      i = found != NULL ? (gsize) (found - bytes) : n;
      if (found != NULL && is_chunk (scan, found, n - i, scan->at + i)) {
        scan->at += i;
        return TRUE;
      }
    }
    if (n <= overlap || scan->at + n >= reader->size)
      return FALSE;
    scan->at += n - overlap;
  }
  return FALSE;
}

/* --- records --- */

static void
add_error (OrreryRecordingReader *reader, GError *error)
{
  orrery_recording_add_problem (reader, error);
  g_error_free (error);
}

static void
say (Scan *scan, const char *words)
{
  GError *error = NULL;

  orrery_recording_fail (scan->reader, scan->at, &error, "%s", words);
  add_error (scan->reader, error);
}

static void
take_data_end (Scan *scan, guint64 length)
{
  guint8 bytes[sizeof (guint32)];
  OrreryMcapCursor content = { bytes, sizeof bytes, FALSE };

  scan->has_ended = TRUE;
  scan->end = scan->at;
  if (length >= sizeof bytes &&
      orrery_recording_read (scan->reader, scan->at + ORRERY_MCAP_HEAD_SIZE, bytes, sizeof bytes,
                             NULL))
    scan->sum = orrery_mcap_take_u32 (&content);
}

/* What was added tells of records that no chunk has. */
static gboolean
is_known (guint8 op)
{
  return (op >= ORRERY_MCAP_HEADER && op <= ORRERY_MCAP_DATA_END) || op >= 0x80;
}

static void
take_record (Scan *scan, guint8 op, guint64 length)
{
  OrreryRecordingReader *reader = scan->reader;
  guint64 whole = ORRERY_MCAP_HEAD_SIZE + length;
  GError *error = NULL;

  if (op == ORRERY_MCAP_CHUNK)
    take_chunk (reader, scan->at, whole, FALSE);
  else if (op == ORRERY_MCAP_ATTACHMENT)
    orrery_recording_add_attachment (reader, scan->at, whole, &error);
  else if (op == ORRERY_MCAP_METADATA)
    orrery_recording_add_metadata (reader, scan->at, whole, &error);
  else if (op == ORRERY_MCAP_DATA_END || op == ORRERY_MCAP_FOOTER)
    take_data_end (scan, length);
  else if (!is_known (op))
    say (scan, "a record of an unknown kind");
  if (error != NULL)
    add_error (reader, error);
}

static void
take_next (Scan *scan, guint8 op, guint64 length)
{
  gboolean is_bare =
      op == ORRERY_MCAP_SCHEMA || op == ORRERY_MCAP_CHANNEL || op == ORRERY_MCAP_MESSAGE;

  if (!is_bare || (scan->bare > 0 && scan->at - scan->bare > BARE_BYTES))
    end_bare (scan);
  if (is_bare && scan->bare == 0)
    scan->bare = scan->at;
  if (!is_bare)
    take_record (scan, op, length);
  scan->at += ORRERY_MCAP_HEAD_SIZE + length;
}

static gboolean
read_head (Scan *scan, guint8 *op, guint64 *length)
{
  guint8 head[ORRERY_MCAP_HEAD_SIZE];
  guint64 left = scan->reader->size - scan->at;

  if (left < sizeof head ||
      !orrery_recording_read (scan->reader, scan->at, head, sizeof head, NULL))
    return FALSE;
  *op = head[0];
  memcpy (length, head + 1, sizeof *length);
  *length = GUINT64_FROM_LE (*length);
  return *op != 0 && *length <= left - sizeof head;
}

/* Metadata, attachments and records without chunks have no checksum that says which is damaged. */
static void
check_sum (Scan *scan)
{
  OrreryRecordingReader *reader = scan->reader;
  g_autofree guint8 *bytes = g_malloc (SEARCH_BYTES);
  guint32 sum = 0;

  if (scan->sum == 0 || reader->problems->len > 0)
    return;
  for (guint64 at = 0; at < scan->end;) {
    gsize n = (gsize) MIN (scan->end - at, (guint64) SEARCH_BYTES);

    if (!orrery_recording_read (reader, at, bytes, n, NULL))
      return;
    sum = orrery_mcap_sum (sum, bytes, n);
    at += n;
  }
  scan->at = scan->end;
  if (sum != scan->sum)
    say (scan,
         "the checksum of all before is wrong: something is damaged that has none of its own");
}

gboolean
orrery_recording_scan (OrreryRecordingReader *reader, GError **error)
{
  Scan scan = { .reader = reader, .at = ORRERY_MCAP_MAGIC_SIZE };
  gboolean is_first = TRUE;
  guint32 sum;

  orrery_recording_read_footer (reader, &sum);
  while (scan.at < reader->size && !scan.has_ended) {
    guint64 length = 0, from = scan.at;
    guint8 op = 0;

    if (read_head (&scan, &op, &length)) {
      take_next (&scan, op, length);
      is_first = FALSE;
      continue;
    }
    end_bare (&scan);
    say (&scan, "a record that goes beyond the end of the file, or is damaged");
    scan.at = from + 1;
    if (!find_chunk (&scan))
      break;
  }
  end_bare (&scan);
  if (is_first && reader->size > ORRERY_MCAP_MAGIC_SIZE && reader->chunks->len == 0 &&
      reader->problems->len > 1)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: nothing of it can be read",
                             reader->path);
  if (!scan.has_ended)
    say (&scan, "the recording was cut here, or its end is damaged");
  else if (!reader->is_whole)
    say (&scan, "the summary was cut");
  reader->is_whole = reader->is_whole && reader->problems->len == 0;
  check_sum (&scan);
  return TRUE;
}
