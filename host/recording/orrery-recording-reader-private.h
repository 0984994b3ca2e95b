/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recording/orrery-mcap-private.h"
#include "recording/orrery-recording-reader.h"

G_BEGIN_DECLS

typedef struct {
  guint16 id;
  char *name, *encoding;
  GBytes *data;
} OrreryRecordingSchema;

typedef struct {
  OrreryRecordingChannel info;
  guint16 id;
  guint16 schema;
  gboolean selected;
  char *topic, *encoding; /* what info points at */
} OrreryRecordingStream;

typedef struct {
  OrreryRecordingAttachment info;
  guint64 offset, length; /* of the record, its head included */
  char *name, *media_type;
} OrreryRecordingFile;

/* A chunk, or messages that follow each other without one. */
typedef struct {
  guint64 start, end;     /* times */
  guint64 offset, length; /* in the file, of the whole record; of bare records, of all */
  gboolean is_bare;
  GArray *channels; /* (nullable): ids, sorted; NULL: not known */
} OrreryRecordingChunk;

typedef struct {
  guint64 time, publish_time;
  gsize offset, length; /* of the data in the block */
  guint channel;        /* index */
} OrreryRecordingPlace;

/* The messages of a chunk, decompressed */
typedef struct {
  guint8 *bytes;
  gsize size;
  GArray *places; /* OrreryRecordingPlace, sorted by time */
  guint next;     /* of places */
} OrreryRecordingBlock;

struct _OrreryRecordingReader {
  gatomicrefcount references;
  char *path;
  int fd;
  guint64 size;
  gboolean is_whole;
  GPtrArray *problems; /* NULL-terminated, but while the file is opened */
  char *compression;   /* (nullable) */

  gsize description_bytes; /* of schemas and channels */
  GHashTable *schemas;     /* id -> OrreryRecordingSchema */
  GPtrArray *channels;     /* OrreryRecordingStream */
  guint *channel_of;       /* 65,536 ids -> 1 + index; 0: none */
  GPtrArray *files;        /* OrreryRecordingFile */
  GArray *metadata;        /* OrreryRecordingMetadata */
  GArray *chunks;          /* OrreryRecordingChunk, by time */
  guint64 n_messages;
  guint64 start, end;

  guint64 from, to; /* what is selected */
  char **topics;    /* (nullable): of the messages that are; NULL: all */
  guint next_chunk;
  GPtrArray *blocks; /* OrreryRecordingBlock: those whose times overlap */
  gsize block_bytes;
  OrreryRecordingBlock *block; /* (nullable): of the present message */
  OrreryRecordingPlace place;
};

/* Each sets INVALID, with the place in the file, and returns FALSE. */
gboolean orrery_recording_fail (OrreryRecordingReader *reader, guint64 offset, GError **error,
                                const char *format, ...) G_GNUC_PRINTF (4, 5);
void orrery_recording_add_problem (OrreryRecordingReader *reader, const GError *error);

/* Reads all of @length bytes, which lie in the file. */
gboolean orrery_recording_read (OrreryRecordingReader *reader, guint64 offset, gpointer data,
                                gsize length, GError **error);

/* Whether messages of a topic are selected. */
gboolean orrery_recording_is_selected (OrreryRecordingReader *reader, const char *topic);

/* The contents of records; @offset: for messages. */
gboolean orrery_recording_add_schema (OrreryRecordingReader *reader, OrreryMcapCursor content,
                                      guint64 offset, GError **error);
gboolean orrery_recording_add_channel (OrreryRecordingReader *reader, OrreryMcapCursor content,
                                       guint64 offset, GError **error);
/* Its record at @offset is read. */
gboolean orrery_recording_add_metadata (OrreryRecordingReader *reader, guint64 offset,
                                        guint64 length, GError **error);
gboolean orrery_recording_add_attachment (OrreryRecordingReader *reader, guint64 offset,
                                          guint64 length, GError **error);

/* Finds out whether the file ends as it should. Returns: where the summary begins; 0: there is none
 */
guint64 orrery_recording_read_footer (OrreryRecordingReader *reader, guint32 *sum);
/* Index.c: reads the summary. FALSE without an error: there is none. */
gboolean orrery_recording_read_summary (OrreryRecordingReader *reader, GError **error);
/* Scan.c: reads all from front to back. FALSE: not even the beginning is that of a recording. */
gboolean orrery_recording_scan (OrreryRecordingReader *reader, GError **error);

/* Reads a chunk. Returns: NULL with INVALID: it is damaged */
OrreryRecordingBlock *orrery_recording_load (OrreryRecordingReader *reader,
                                             const OrreryRecordingChunk *chunk, GError **error);
void orrery_recording_block_free (OrreryRecordingBlock *block);
/* Without a summary or chunks; see above for the rest. */
OrreryRecordingReader *orrery_recording_reader_new (const char *path, GError **error);
/* What was found is complete: what readers ask for is made of it. */
void orrery_recording_settle (OrreryRecordingReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecordingBlock, orrery_recording_block_free)

G_END_DECLS
