/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"
#include "base/orrery-output.h"
#include "record/orrery-record.h"

G_BEGIN_DECLS

/**
 * OrreryRecordingWriter: (skip)
 *
 * Writes a recording, a file of the container format MCAP. Messages are collected in chunks; each
 * chunk is written with a checksum and has the schemas and channels of its messages in it, so that
 * a file that was cut is readable up to its last whole chunk. The file is written from front to
 * back, never in between. Counted; one thread at a time. After an error of writing, or of
 * compression, the file ends behind the last whole chunk, and all further calls return the same
 * error.
 */
typedef struct _OrreryRecordingWriter OrreryRecordingWriter;

/**
 * orrery_recording_writer_new: (skip)
 * @path: where to write
 * @rules: (nullable): where it may write, as in orrery_output_open()
 * @compression: of chunks: "", "zstd" or "lz4"
 *
 * Makes or empties a file and writes its header.
 *
 * Returns: (transfer full) (nullable): the writer, or %NULL with %ORRERY_ERROR_INVALID: no such
 *   compression; %ORRERY_ERROR_NOT_FOUND: this build lacks its library; %ORRERY_ERROR_CONFIG and
 *   %ORRERY_ERROR_IO as orrery_output_open()
 */
ORRERY_API OrreryRecordingWriter *orrery_recording_writer_new (const char *path,
                                                               const OrreryOutputRules *rules,
                                                               const char *compression,
                                                               GError **error);
/**
 * orrery_recording_writer_ref:
 * @writer: a writer
 *
 * Takes a reference.
 *
 * Returns: @writer
 */
ORRERY_API OrreryRecordingWriter *orrery_recording_writer_ref (OrreryRecordingWriter *writer);

/**
 * orrery_recording_writer_unref: (skip)
 * @writer: (transfer full): a writer
 *
 * The last reference closes the file. Without orrery_recording_writer_close() before, it has no
 * summary, as one that was cut.
 */
ORRERY_API void orrery_recording_writer_unref (OrreryRecordingWriter *writer);

/**
 * orrery_recording_writer_set_chunk: (skip)
 * @size: bytes, before they are compressed, after which a chunk ends; at first 1 MiB
 * @duration: time between its first and its last message after which a chunk ends; at first one
 *   second; 0: no limit
 *
 * Large chunks compress better, and a run that is cut loses more. It counts from the next message
 * on. @size is clamped to 1 byte to 256 MiB; a message that is larger than it has a chunk of its
 * own.
 */
ORRERY_API void orrery_recording_writer_set_chunk (OrreryRecordingWriter *writer, gsize size,
                                                   OrreryTime duration);

/**
 * orrery_recording_writer_add_schema: (skip)
 * @name: its name, `foxglove.FrameTransforms` for example
 * @encoding: of @data, `jsonschema` for example
 * @data: (array length=length): the schema
 * @length: bytes of @data
 *
 * Nothing is written here: a schema goes into each chunk that has a message of it, and into the
 * summary. @data is copied.
 *
 * Returns: a number for orrery_recording_writer_add_channel(); 0 with %ORRERY_ERROR_INVALID: 65,534
 *   are the most, or more than 1 MiB of @data
 */
ORRERY_API guint16 orrery_recording_writer_add_schema (OrreryRecordingWriter *writer,
                                                       const char *name, const char *encoding,
                                                       const char *data, gsize length,
                                                       GError **error);

/**
 * orrery_recording_writer_add_channel: (skip)
 * @schema: of its messages; 0: none
 * @topic: its name, `/robot/pose` for example
 * @encoding: of its messages, `json` for example
 * @metadata: (nullable): `a{ss}`; a floating one is consumed
 *
 * Nothing is written here: a channel goes into each chunk that has a message of it, and into the
 * summary. Several channels may have the same topic.
 *
 * Returns: a number for orrery_recording_writer_write(); 0 with %ORRERY_ERROR_INVALID: 65,534 are
 *   the most
 */
ORRERY_API guint16 orrery_recording_writer_add_channel (OrreryRecordingWriter *writer,
                                                        guint16 schema, const char *topic,
                                                        const char *encoding, GVariant *metadata,
                                                        GError **error);

/**
 * orrery_recording_writer_write: (skip)
 * @channel: one of the writer's
 * @time: by which readers order messages, not below 0
 * @publish_time: when it was sent; often the same
 * @data: (array length=length): the message
 * @length: bytes of @data
 *
 * Adds a message to the present chunk, after that was written if the message does not fit in it.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: @length, with the schema and the channel,
 * is more than a chunk may have, 256 MiB; or with %ORRERY_ERROR_IO; or with %ORRERY_ERROR_INTERNAL:
 * a chunk could not be compressed
 */
ORRERY_API gboolean orrery_recording_writer_write (OrreryRecordingWriter *writer, guint16 channel,
                                                   OrreryTime time, OrreryTime publish_time,
                                                   gconstpointer data, gsize length,
                                                   GError **error);

/**
 * orrery_recording_writer_attach: (skip)
 * @name: its name: relative, no part of it `.` or `..`
 * @media_type: what it is, `application/json` for example
 * @time: when it belongs to the recording
 * @data: (array length=length): its content
 * @length: bytes of @data, at most 4 GiB
 *
 * Puts a file into the recording, between two chunks: the present chunk is ended and written first.
 * An attachment is not compressed.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: that name or size; or with %ORRERY_ERROR_IO
 */
ORRERY_API gboolean orrery_recording_writer_attach (OrreryRecordingWriter *writer, const char *name,
                                                    const char *media_type, OrreryTime time,
                                                    gconstpointer data, gsize length,
                                                    GError **error);

/**
 * orrery_recording_writer_add_metadata: (skip)
 * @name: its name
 * @values: `a{ss}`; a floating one is consumed
 *
 * Puts names and values into the recording, between two chunks: the present chunk is ended and
 * written first.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO, or with %ORRERY_ERROR_INTERNAL: a chunk could
 *   not be compressed
 */
ORRERY_API gboolean orrery_recording_writer_add_metadata (OrreryRecordingWriter *writer,
                                                          const char *name, GVariant *values,
                                                          GError **error);

/**
 * orrery_recording_writer_flush: (skip)
 *
 * Ends the present chunk and writes it: whatever happens to the process, the file has it.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO, or with %ORRERY_ERROR_INTERNAL: a chunk could
 *   not be compressed
 */
ORRERY_API gboolean orrery_recording_writer_flush (OrreryRecordingWriter *writer, GError **error);

/**
 * orrery_recording_writer_close: (skip)
 *
 * Writes the last chunk and the summary, by which readers find messages fast. Nothing may be
 * written afterwards.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO, or with %ORRERY_ERROR_INTERNAL: a chunk could
 *   not be compressed
 */
ORRERY_API gboolean orrery_recording_writer_close (OrreryRecordingWriter *writer, GError **error);

/**
 * orrery_recording_writer_get_size: (skip)
 *
 * Only whole records count: after an error of writing it is where the file was cut.
 *
 * Returns: bytes of the file so far, the present chunk not counted
 */
ORRERY_API guint64 orrery_recording_writer_get_size (OrreryRecordingWriter *writer);

/**
 * orrery_recording_writer_get_n_messages: (skip)
 *
 * Messages of all channels. Those that were lost with a chunk that could not be written are
 * counted, too.
 *
 * Returns: messages that orrery_recording_writer_write() has taken, those of the present chunk
 *   included
 */
ORRERY_API guint64 orrery_recording_writer_get_n_messages (OrreryRecordingWriter *writer);

/**
 * OrreryRecordingForm: (skip)
 *
 * Which fields of a record a recording leaves out, and which have the digits of a float: what is
 * recorded says so in the metadata of its channel, and who compares a record with it writes that in
 * the same form. Not changed once it is made; any thread.
 */
typedef struct _OrreryRecordingForm OrreryRecordingForm;

/**
 * orrery_recording_form_new: (skip)
 * @schema: of the records
 * @float32: (nullable): names of fields of type array or points, with blanks between them
 * @left_out: (nullable): names of fields, in the same way; one that is in both is left out
 *
 * Without names, a record is written whole, as orrery_record_write_json() does.
 *
 * Returns: (transfer full) (nullable): the form, or %NULL with %ORRERY_ERROR_INVALID: there is no
 *   field of a name, or it is another type
 */
ORRERY_API OrreryRecordingForm *orrery_recording_form_new (OrrerySchema *schema,
                                                           const char *float32,
                                                           const char *left_out, GError **error);

/**
 * orrery_recording_form_free: (skip)
 * @form: (transfer full): a form
 *
 * Frees it. Records that were written by it are not concerned.
 */
ORRERY_API void orrery_recording_form_free (OrreryRecordingForm *form);

/**
 * orrery_recording_form_write_json: (skip)
 * @form: a form
 * @record: a record of its schema
 * @writer: to which it is appended
 *
 * Writes a record as one JSON object, as orrery_record_write_json() does but for what the form
 * says. A number of a field that is float32 is rounded to one, and has as few digits as tell it
 * from other floats; one that is larger than all of them has all its digits.
 */
ORRERY_API void orrery_recording_form_write_json (const OrreryRecordingForm *form,
                                                  OrreryRecord *record, OrreryWriter *writer);

/**
 * orrery_recording_form_write_field: (skip)
 * @form: a form
 * @record: a record of its schema
 * @name: one of its fields
 * @writer: to which it is appended
 *
 * Writes the value of one field as orrery_recording_form_write_json() does, also if that leaves it
 * out.
 */
ORRERY_API void orrery_recording_form_write_field (const OrreryRecordingForm *form,
                                                   OrreryRecord *record, const char *name,
                                                   OrreryWriter *writer);

/**
 * orrery_recording_describe_record: (skip)
 * @record: a record
 * @form: (nullable): how it is written; %NULL: whole
 * @title: what it is a record of, for people
 *
 * The JSON schema of what orrery_recording_form_write_json() writes of @record.
 *
 * Returns: (transfer full): the schema, JSON
 */
ORRERY_API char *orrery_recording_describe_record (OrreryRecord *record,
                                                   const OrreryRecordingForm *form,
                                                   const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecordingForm, orrery_recording_form_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecordingWriter, orrery_recording_writer_unref)

G_END_DECLS
