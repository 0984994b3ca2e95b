/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryWriter:
 *
 * Where an encoder writes one message: bytes that grow and are used again, so that a steady stream
 * allocates nothing. Opaque and counted; one thread at a time.
 */
#define ORRERY_TYPE_WRITER (orrery_writer_get_type ())
ORRERY_API GType orrery_writer_get_type (void);
ORRERY_API OrreryWriter *orrery_writer_new (void);
ORRERY_API OrreryWriter *orrery_writer_ref (OrreryWriter *writer);
ORRERY_API void orrery_writer_unref (OrreryWriter *writer);
/** orrery_writer_clear: forgets what was written, keeps the room */
ORRERY_API void orrery_writer_clear (OrreryWriter *writer);
/** orrery_writer_append: (skip) */
ORRERY_API void orrery_writer_append (OrreryWriter *writer, gconstpointer data, gsize length);
ORRERY_API void orrery_writer_append_text (OrreryWriter *writer, const char *text);
ORRERY_API void orrery_writer_append_char (OrreryWriter *writer, char c);
/** orrery_writer_append_double: the shortest text that reads back as @value, as Python's repr; NaN,
 * Infinity, -Infinity */
ORRERY_API void orrery_writer_append_double (OrreryWriter *writer, double value);
/** orrery_writer_append_fixed: @value with @decimals digits after the point (0 to 17), never a
 * comma */
ORRERY_API void orrery_writer_append_fixed (OrreryWriter *writer, double value, guint decimals);
ORRERY_API void orrery_writer_append_int (OrreryWriter *writer, gint64 value);
/** orrery_writer_append_json_text: @text in quotes, escaped as JSON, all beyond ASCII as \uXXXX */
ORRERY_API void orrery_writer_append_json_text (OrreryWriter *writer, const char *text);
/** orrery_writer_append_json_variant: any variant as JSON: dictionaries as objects, arrays and
 * tuples as lists */
ORRERY_API void orrery_writer_append_json_variant (OrreryWriter *writer, GVariant *value);
/** orrery_writer_get_data: (skip): what was written; valid until the next call */
ORRERY_API const char *orrery_writer_get_data (OrreryWriter *writer, gsize *length);
/** orrery_writer_dup_bytes: (transfer full): a copy of what was written */
ORRERY_API GBytes *orrery_writer_dup_bytes (OrreryWriter *writer);

/**
 * OrreryReader:
 *
 * One message that came in, for a decoder. Opaque and counted; the bytes are borrowed for the time
 * of the call.
 */
#define ORRERY_TYPE_READER (orrery_reader_get_type ())
ORRERY_API GType orrery_reader_get_type (void);
ORRERY_API OrreryReader *orrery_reader_new (void);
ORRERY_API OrreryReader *orrery_reader_ref (OrreryReader *reader);
ORRERY_API void orrery_reader_unref (OrreryReader *reader);
/** orrery_reader_set_data: (skip): gives it a message; clears the counts */
ORRERY_API void orrery_reader_set_data (OrreryReader *reader, const char *data, gsize length);
/** orrery_reader_get_data: (skip): the message; not ended by NUL */
ORRERY_API const char *orrery_reader_get_data (OrreryReader *reader, gsize *length);
/** orrery_reader_dup_bytes: (transfer full): a copy of the message */
ORRERY_API GBytes *orrery_reader_dup_bytes (OrreryReader *reader);
/** orrery_reader_note_missing: (skip): counts a field that the message lacks; @name is kept if it
 * is the first */
ORRERY_API void orrery_reader_note_missing (OrreryReader *reader, const char *name);
ORRERY_API void orrery_reader_note_unknown (OrreryReader *reader, const char *name, gsize length);
/** orrery_reader_get_missing: (nullable): the first field that the message lacked */
ORRERY_API const char *orrery_reader_get_missing (OrreryReader *reader);
/** orrery_reader_get_unknown: (nullable): the first key that no field has */
ORRERY_API const char *orrery_reader_get_unknown (OrreryReader *reader);
/** orrery_reader_get_n_missing: how many fields the message lacked */
ORRERY_API guint orrery_reader_get_n_missing (OrreryReader *reader);
/** orrery_reader_get_n_unknown: how many keys no field has */
ORRERY_API guint orrery_reader_get_n_unknown (OrreryReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryWriter, orrery_writer_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryReader, orrery_reader_unref)

G_END_DECLS
