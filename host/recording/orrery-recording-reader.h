/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-output.h"
#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryRecordingReader:
 *
 * Reads a recording, a file of the container format MCAP. A whole file is read by its summary: the
 * chunks of a time and of a channel are found without the others. A file that was cut, or whose
 * summary is damaged, is read once from front to back when it is opened; damaged chunks are left
 * out. Files may come from anywhere: every length is checked, a chunk has at most 256 MiB, an
 * attachment 4 GiB. Counted; one thread at a time.
 */
#define ORRERY_TYPE_RECORDING_READER (orrery_recording_reader_get_type ())
ORRERY_API GType orrery_recording_reader_get_type (void);
typedef struct _OrreryRecordingReader OrreryRecordingReader;

/**
 * OrreryRecordingChannel:
 * @topic: its name, `/robot/pose` for example
 * @encoding: of its messages, `json` for example
 * @schema_name: name of its schema, "" if it has none
 * @schema_encoding: of the schema, `jsonschema` for example
 * @schema: the schema
 * @metadata: `a{ss}`
 * @n_messages: how many it has
 *
 * A channel of a recording.
 */
typedef struct {
  const char *topic;
  const char *encoding;
  const char *schema_name;
  const char *schema_encoding;
  GBytes *schema;
  GVariant *metadata;
  guint64 n_messages;
} OrreryRecordingChannel;

/**
 * OrreryRecordingAttachment:
 * @name: its name; from outside, may hold anything but zero bytes
 * @media_type: what it is
 * @time: when it belongs to the recording
 * @size: bytes
 *
 * A file inside of a recording.
 */
typedef struct {
  const char *name;
  const char *media_type;
  OrreryTime time;
  guint64 size;
} OrreryRecordingAttachment;

/**
 * OrreryRecordingMetadata:
 * @name: its name
 * @values: `a{ss}`
 *
 * Names and values that belong to a recording.
 */
typedef struct {
  const char *name;
  GVariant *values;
} OrreryRecordingMetadata;

/**
 * orrery_recording_reader_open: (constructor)
 * @path: the file
 * @error: return location: %ORRERY_ERROR_NO_FILE: there is none; %ORRERY_ERROR_CONFIG: it is no
 *   recording; %ORRERY_ERROR_IO
 *
 * Reads the summary of the file or, if that is missing or damaged, the whole file. Damage is no
 * error here: orrery_recording_reader_get_problems() tells of it. The reader is before the first
 * message of all channels.
 *
 * Returns: (transfer full): the reader; %NULL with @error set
 */
ORRERY_API OrreryRecordingReader *orrery_recording_reader_open (const char *path, GError **error);
/**
 * orrery_recording_reader_ref:
 * @reader: a reader
 *
 * Takes a reference.
 *
 * Returns: @reader
 */
ORRERY_API OrreryRecordingReader *orrery_recording_reader_ref (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_unref:
 * @reader: (transfer full): a reader; the last reference closes the file
 *
 * Drops a reference. What the reader has handed out without a reference is no longer valid after
 * the last one.
 */
ORRERY_API void orrery_recording_reader_unref (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_path:
 *
 * Not made absolute.
 *
 * Returns: (transfer none): the path that it was opened with, valid as long as the reader
 */
ORRERY_API const char *orrery_recording_reader_get_path (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_is_whole:
 *
 * A whole file may have damaged chunks all the same, which orrery_recording_reader_next() finds.
 *
 * Returns: whether the file ends as it should; %FALSE: it was cut, or its summary is damaged
 */
ORRERY_API gboolean orrery_recording_reader_is_whole (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_problems:
 *
 * What was found to be damaged, or missing, when the file was opened; of a whole file nothing is
 * known before its messages are read.
 *
 * Returns: (transfer none) (array zero-terminated=1): a line for each
 */
ORRERY_API const char *const *orrery_recording_reader_get_problems (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_compression:
 *
 * A name of MCAP: `zstd`, `lz4` or another one that this build may not know. Valid as long as the
 * reader.
 *
 * Returns: (transfer none): that of the chunks, "" for none; of different ones that of the first
 */
ORRERY_API const char *orrery_recording_reader_get_compression (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_n_chunks:
 *
 * Of a whole file it is the number that the summary names; of one that was cut, damaged chunks and
 * those without a message do not count.
 *
 * Returns: chunks that can be read
 */
ORRERY_API guint orrery_recording_reader_get_n_chunks (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_n_messages:
 *
 * Of a whole file it is what the summary says, without a look at the chunks; of one that was cut,
 * messages that can be read.
 *
 * Returns: messages of all channels
 */
ORRERY_API guint64 orrery_recording_reader_get_n_messages (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_start:
 *
 * Times are those that the writer of the file ordered its messages by, in most recordings of Orrery
 * simulated time. orrery_recording_reader_select() does not change it.
 *
 * Returns: time of the first message, 0 if there is none
 */
ORRERY_API OrreryTime orrery_recording_reader_get_start (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_end:
 *
 * As orrery_recording_reader_get_start(), of the last message.
 *
 * Returns: time of the last message, 0 if there is none
 */
ORRERY_API OrreryTime orrery_recording_reader_get_end (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_n_channels:
 *
 * Several channels may have the same topic. Of a file whose summary is incomplete the number may
 * grow while its messages are read.
 *
 * Returns: number of channels
 */
ORRERY_API guint orrery_recording_reader_get_n_channels (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_channel:
 * @index: below orrery_recording_reader_get_n_channels()
 *
 * The number of its messages is 0 where the summary does not tell it.
 *
 * Returns: (transfer none): the channel, valid as long as the reader
 */
ORRERY_API const OrreryRecordingChannel *
orrery_recording_reader_get_channel (OrreryRecordingReader *reader, guint index);

/**
 * orrery_recording_reader_list_topics:
 *
 * In the order in which the channels are met.
 *
 * Returns: (transfer full): the topics of all channels, each once
 */
ORRERY_API char **orrery_recording_reader_list_topics (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_n_attachments:
 *
 * Attachments that are damaged are counted: only reading them tells.
 *
 * Returns: number of attachments
 */
ORRERY_API guint orrery_recording_reader_get_n_attachments (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_attachment:
 * @index: below orrery_recording_reader_get_n_attachments()
 *
 * What is known of an attachment without reading it.
 *
 * Returns: (transfer none): the attachment, valid as long as the reader
 */
ORRERY_API const OrreryRecordingAttachment *
orrery_recording_reader_get_attachment (OrreryRecordingReader *reader, guint index);

/**
 * orrery_recording_reader_read_attachment:
 * @index: below orrery_recording_reader_get_n_attachments()
 * @error: return location: %ORRERY_ERROR_INVALID: it is damaged; %ORRERY_ERROR_IO
 *
 * Reads the attachment from the file into memory and compares its checksum, if it has one. Each
 * call reads anew. It does not move the reader among its messages.
 *
 * Returns: (transfer full): its content; %NULL with @error set
 */
ORRERY_API GBytes *orrery_recording_reader_read_attachment (OrreryRecordingReader *reader,
                                                            guint index, GError **error);

/**
 * orrery_recording_reader_get_n_metadata:
 *
 * Several records may have the same name.
 *
 * Returns: number of metadata records
 */
ORRERY_API guint orrery_recording_reader_get_n_metadata (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_metadata:
 * @index: below orrery_recording_reader_get_n_metadata()
 *
 * Records are in the order of the file.
 *
 * Returns: (transfer none): the metadata, valid as long as the reader
 */
ORRERY_API const OrreryRecordingMetadata *
orrery_recording_reader_get_metadata (OrreryRecordingReader *reader, guint index);

/**
 * orrery_recording_reader_select:
 * @topics: (nullable) (array zero-terminated=1): topics of the messages that are wanted; %NULL: all
 * @from: time of the first one
 * @to: time of the last one; below 0: no limit
 *
 * Goes back to the first message of these.
 */
ORRERY_API void orrery_recording_reader_select (OrreryRecordingReader *reader,
                                                const char *const *topics, OrreryTime from,
                                                OrreryTime to);

/**
 * orrery_recording_reader_next:
 * @error: return location: %ORRERY_ERROR_INVALID: a chunk is damaged, the next call goes on behind
 *   it; %ORRERY_ERROR_IO
 *
 * Goes to the next message, in order of time, then of the file.
 *
 * Returns: whether there is one; %FALSE without an error at the end
 */
ORRERY_API gboolean orrery_recording_reader_next (OrreryRecordingReader *reader, GError **error);

/**
 * orrery_recording_reader_get_message_channel:
 *
 * Defined after orrery_recording_reader_next() has returned %TRUE, until it is called again.
 *
 * Returns: index of the present message's channel, for orrery_recording_reader_get_channel()
 */
ORRERY_API guint orrery_recording_reader_get_message_channel (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_message_time:
 *
 * The time by which messages are ordered. A time that does not fit in an #OrreryTime is given as
 * the latest that does.
 *
 * Returns: time of the present message
 */
ORRERY_API OrreryTime orrery_recording_reader_get_message_time (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_message_publish_time:
 *
 * It often is the same as orrery_recording_reader_get_message_time(), and does not order messages.
 *
 * Returns: when the present message was sent
 */
ORRERY_API OrreryTime
orrery_recording_reader_get_message_publish_time (OrreryRecordingReader *reader);

/**
 * orrery_recording_reader_get_message_data: (skip)
 * @length: (out): bytes
 *
 * Bytes in the encoding of the message's channel. A programming error without a present message.
 *
 * Returns: (transfer none): the present message, valid until orrery_recording_reader_next() or
 *   orrery_recording_reader_select()
 */
ORRERY_API const guint8 *orrery_recording_reader_get_message_data (OrreryRecordingReader *reader,
                                                                   gsize *length);

/**
 * orrery_recording_reader_dup_message:
 *
 * Bytes in the encoding of the message's channel, which stay valid. A programming error without a
 * present message.
 *
 * Returns: (transfer full): a copy of the present message
 */
ORRERY_API GBytes *orrery_recording_reader_dup_message (OrreryRecordingReader *reader);

/**
 * orrery_recording_recover: (skip)
 * @from: a recording, cut or damaged
 * @to: where to write
 * @rules: (nullable): where it may write, as in orrery_output_open()
 * @n_messages: (out): messages of the new file
 * @problems: (out) (transfer full) (array zero-terminated=1): a line for all that was left out
 *
 * Writes a whole recording of all that can be read of another. The new file has the compression of
 * the old one.
 *
 * Returns: %TRUE, or %FALSE with an error of orrery_recording_reader_open() or
 *   orrery_recording_writer_new()
 */
ORRERY_API gboolean orrery_recording_recover (const char *from, const char *to,
                                              const OrreryOutputRules *rules, guint64 *n_messages,
                                              char ***problems, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecordingReader, orrery_recording_reader_unref)

G_END_DECLS
