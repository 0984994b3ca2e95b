/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * ORRERY_MAX_TOPICS:
 *
 * A codec has at most so many topics.
 */
#define ORRERY_MAX_TOPICS 64

/**
 * OrreryWriter:
 *
 * Where an encoder writes one message: bytes that grow and are used again, so that a steady stream
 * allocates nothing. Opaque and counted; one thread at a time.
 */
#define ORRERY_TYPE_WRITER (orrery_writer_get_type ())
ORRERY_API GType orrery_writer_get_type (void);
/**
 * orrery_writer_new: (constructor)
 *
 * The room of a writer grows with what is written, and is used again after orrery_writer_clear().
 *
 * Returns: (transfer full): a writer, empty
 */
ORRERY_API OrreryWriter *orrery_writer_new (void);
/**
 * orrery_writer_ref:
 * @writer: a writer
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @writer
 */
ORRERY_API OrreryWriter *orrery_writer_ref (OrreryWriter *writer);
/**
 * orrery_writer_unref:
 * @writer: a writer
 *
 * Drops a reference; the last one frees the writer. Messages of orrery_writer_dup_message() outlive
 * it. Any thread.
 */
ORRERY_API void orrery_writer_unref (OrreryWriter *writer);
/**
 * orrery_writer_clear:
 *
 * Forgets what was written, keeps the room.
 */
ORRERY_API void orrery_writer_clear (OrreryWriter *writer);
/**
 * orrery_writer_append:
 * @data: (array length=length) (element-type guint8): bytes
 * @length: how many
 *
 * Copies bytes to the end of the message that is being written. @data must not point into the
 * writer, whose memory moves when it grows.
 */
ORRERY_API void orrery_writer_append (OrreryWriter *writer, gconstpointer data, gsize length);
/**
 * orrery_writer_append_text:
 * @text: written as it is
 *
 * Appends a text up to its NUL, which is not written, without quotes or escapes.
 */
ORRERY_API void orrery_writer_append_text (OrreryWriter *writer, const char *text);
/**
 * orrery_writer_append_char:
 * @c: one byte
 *
 * Appends a byte, of whatever value: of a character beyond ASCII it is only a part.
 */
ORRERY_API void orrery_writer_append_char (OrreryWriter *writer, char c);
/**
 * orrery_writer_append_double:
 * @value: any double
 *
 * Writes the shortest text that reads back as @value, as Python's repr; NaN, Infinity, -Infinity.
 */
ORRERY_API void orrery_writer_append_double (OrreryWriter *writer, double value);
/**
 * orrery_writer_append_json_double:
 * @value: any double
 *
 * The same as JSON, which has no number that is not finite: `null` for NaN and the infinities. They
 * are counted.
 */
ORRERY_API void orrery_writer_append_json_double (OrreryWriter *writer, double value);
/**
 * orrery_writer_set_names_not_finite:
 * @names: %TRUE: JSON that is written from now on has NaN, Infinity and -Infinity, as Python's; at
 *   first they are `null`
 *
 * For an encoder whose readers expect these words. A writer is used by many encoders: set it back.
 */
ORRERY_API void orrery_writer_set_names_not_finite (OrreryWriter *writer, gboolean names);
/**
 * orrery_writer_get_n_not_finite:
 *
 * Counts the numbers of JSON that were NaN or infinite since the writer was last emptied, in all
 * its messages, whether they were written as `null` or by name.
 *
 * Returns: how many there were
 */
ORRERY_API guint64 orrery_writer_get_n_not_finite (OrreryWriter *writer);
/**
 * orrery_writer_append_fixed:
 * @value: any double
 * @decimals: digits after the point, 0 to 17; the point is never a comma
 *
 * Appends a number rounded to so many decimals, without an exponent however large it is. NaN and
 * the infinities are NaN, Infinity, -Infinity, and are not counted.
 */
ORRERY_API void orrery_writer_append_fixed (OrreryWriter *writer, double value, guint decimals);
/**
 * orrery_writer_append_int:
 * @value: written in decimal
 *
 * Appends an integer, with a sign only if it is negative.
 */
ORRERY_API void orrery_writer_append_int (OrreryWriter *writer, gint64 value);
/**
 * orrery_writer_append_json_text:
 * @text: written in quotes, escaped as JSON, all beyond ASCII as \uXXXX
 *
 * Appends a string of JSON. Each byte of @text that is no UTF-8 becomes the replacement character,
 * U+FFFD.
 */
ORRERY_API void orrery_writer_append_json_text (OrreryWriter *writer, const char *text);
/**
 * orrery_writer_append_json_text_len:
 * @text: (array length=length) (element-type guint8): bytes, not ended by NUL, written in the same
 *   way
 * @length: how many
 *
 * orrery_writer_append_json_text() for a part of a text. A NUL among the bytes is written as an
 * escape.
 */
ORRERY_API void orrery_writer_append_json_text_len (OrreryWriter *writer, const char *text,
                                                    gsize length);
/**
 * orrery_writer_append_json_variant:
 * @value: any variant, written as JSON: dictionaries as objects, arrays and tuples as lists, a
 *   number that is not finite as orrery_writer_append_json_double()
 *
 * Appends a value on one line, with the separators of Python's json module. What is in a box is
 * written without it, nothing (`mv`) as `null`; keys that are no texts are put in quotes. A
 * floating @value is not consumed.
 */
ORRERY_API void orrery_writer_append_json_variant (OrreryWriter *writer, GVariant *value);
/**
 * orrery_variant_print:
 * @value: any variant
 *
 * A value for people to read, whole: what is in a box without it, lists and dictionaries as JSON.
 *
 * Returns: (transfer full): its text; a text by itself is in single quotes
 */
ORRERY_API char *orrery_variant_print (GVariant *value);
/**
 * orrery_variant_describe:
 * @value: any variant
 *
 * For messages: what kind of value it is, in words.
 *
 * Returns: (transfer full): `a number`, `a text`, `a truth value`, `nothing`, `a list of 3 items`,
 *   `a dictionary of x, y`; of more than eight keys the number
 */
ORRERY_API char *orrery_variant_describe (GVariant *value);
/**
 * orrery_variant_show:
 * @value: any variant
 *
 * For messages: a value as its user wrote it, in a script or a file.
 *
 * Returns: (transfer full): lists and dictionaries as JSON, a text in quotes; at most 60 letters,
 * what is longer ends in `...`
 */
ORRERY_API char *orrery_variant_show (GVariant *value);
/**
 * orrery_writer_get_data: (skip)
 * @length: (out): bytes
 *
 * The bytes of all messages, one after the other, not ended by NUL. Never %NULL, also if there are
 * none.
 *
 * Returns: what was written, of all messages; valid until the next call
 */
ORRERY_API const char *orrery_writer_get_data (OrreryWriter *writer, gsize *length);
/**
 * orrery_writer_begin:
 * @topic: index of a topic of the codec, below %ORRERY_MAX_TOPICS
 *
 * Ends the message that is being written and begins another one. Several messages of one writer may
 * belong to one topic. Without this call all that is written is one message of topic 0.
 */
ORRERY_API void orrery_writer_begin (OrreryWriter *writer, guint topic);
/**
 * orrery_writer_wants:
 * @topic: index of a topic of the codec
 *
 * A codec with several topics asks this before it writes a message for one of them.
 *
 * Returns: whether anybody would get a message of @topic
 */
ORRERY_API gboolean orrery_writer_wants (OrreryWriter *writer, guint topic);
/**
 * orrery_writer_get_n_messages:
 *
 * Counts the messages since the writer was last emptied, the one that is being written included.
 * Without orrery_writer_begin() that is one if anything was written, else none.
 *
 * Returns: the number of messages
 */
ORRERY_API guint orrery_writer_get_n_messages (OrreryWriter *writer);
/**
 * orrery_writer_get_message: (skip)
 * @i: index of a message, below orrery_writer_get_n_messages()
 * @data: (out): its bytes; valid until the writer is used again
 * @length: (out): how many; 0 is a message without bytes
 *
 * Finds a message where it lies, without a copy; see orrery_writer_dup_message() for one to keep.
 *
 * Returns: its topic
 */
ORRERY_API guint orrery_writer_get_message (OrreryWriter *writer, guint i, const char **data,
                                            gsize *length);
/**
 * orrery_writer_dup_message:
 * @i: index of a message, below orrery_writer_get_n_messages()
 *
 * Gives a message to a transport that keeps it. A large message (16 KiB and more) is not copied:
 * its memory is the writer's own, which the writer gives away and uses again when the last
 * reference is dropped, on whatever thread.
 *
 * Returns: (transfer full): the bytes of the message
 */
ORRERY_API GBytes *orrery_writer_dup_message (OrreryWriter *writer, guint i);
/**
 * orrery_writer_dup_bytes:
 *
 * Copies the bytes of all messages, one after the other, for a caller that keeps them, and for
 * bindings.
 *
 * Returns: (transfer full): a copy of what was written
 */
ORRERY_API GBytes *orrery_writer_dup_bytes (OrreryWriter *writer);

/**
 * OrreryReader:
 *
 * One message that came in, for a decoder. Opaque and counted; the bytes are borrowed for the time
 * of the call.
 */
#define ORRERY_TYPE_READER (orrery_reader_get_type ())
ORRERY_API GType orrery_reader_get_type (void);
/**
 * orrery_reader_new: (constructor)
 *
 * One reader serves for any number of messages, which orrery_reader_set_data() gives it in turn.
 *
 * Returns: (transfer full): a reader without a message
 */
ORRERY_API OrreryReader *orrery_reader_new (void);
/**
 * orrery_reader_ref:
 * @reader: a reader
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @reader
 */
ORRERY_API OrreryReader *orrery_reader_ref (OrreryReader *reader);
/**
 * orrery_reader_unref:
 * @reader: a reader
 *
 * Drops a reference; the last one frees the reader, not the message, which is borrowed. Any thread.
 */
ORRERY_API void orrery_reader_unref (OrreryReader *reader);
/**
 * orrery_reader_set_data: (skip)
 * @data: a message; borrowed
 * @length: bytes
 *
 * Gives it a message; clears the counts.
 */
ORRERY_API void orrery_reader_set_data (OrreryReader *reader, const char *data, gsize length);
/**
 * orrery_reader_get_data: (skip)
 * @length: (out): bytes
 *
 * The bytes belong to the caller of orrery_reader_set_data(), and are valid until the decoder
 * returns.
 *
 * Returns: the message; not ended by NUL
 */
ORRERY_API const char *orrery_reader_get_data (OrreryReader *reader, gsize *length);
/**
 * orrery_reader_dup_bytes:
 *
 * For a decoder that keeps the message beyond its call, and for bindings.
 *
 * Returns: (transfer full): a copy of the message
 */
ORRERY_API GBytes *orrery_reader_dup_bytes (OrreryReader *reader);
/**
 * orrery_reader_note_missing: (skip)
 * @name: of the field; kept if it is the first
 *
 * Counts a field that the message lacks.
 */
ORRERY_API void orrery_reader_note_missing (OrreryReader *reader, const char *name);
/**
 * orrery_reader_note_unknown: (skip)
 * @name: the key; kept if it is the first
 * @length: bytes of @name
 *
 * Counts a key that no field has.
 */
ORRERY_API void orrery_reader_note_unknown (OrreryReader *reader, const char *name, gsize length);
/**
 * orrery_reader_get_missing:
 *
 * Of the present message; a name of more than 127 bytes is cut. The text is the reader's and
 * changes with the next message that is noted.
 *
 * Returns: (nullable): the first field that the message lacked
 */
ORRERY_API const char *orrery_reader_get_missing (OrreryReader *reader);
/**
 * orrery_reader_get_unknown:
 *
 * Of the present message; a name of more than 127 bytes is cut. The text is the reader's and
 * changes with the next message that is noted.
 *
 * Returns: (nullable): the first key that no field has
 */
ORRERY_API const char *orrery_reader_get_unknown (OrreryReader *reader);
/**
 * orrery_reader_get_n_missing:
 *
 * Counts the calls of orrery_reader_note_missing() since orrery_reader_set_data().
 *
 * Returns: how many fields the message lacked
 */
ORRERY_API guint orrery_reader_get_n_missing (OrreryReader *reader);
/**
 * orrery_reader_get_n_unknown:
 *
 * Counts the calls of orrery_reader_note_unknown() since orrery_reader_set_data().
 *
 * Returns: how many keys no field has
 */
ORRERY_API guint orrery_reader_get_n_unknown (OrreryReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryWriter, orrery_writer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryReader, orrery_reader_unref)

G_END_DECLS
