/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"
#include "record/orrery-schema.h"

G_BEGIN_DECLS

/**
 * OrreryRecord:
 *
 * The current data of a component: a struct and its schema, and beside it the time of a sensor.
 * Opaque and counted; references may be taken and dropped on any thread, the data is read and
 * written by the tick thread only.
 */
#define ORRERY_TYPE_RECORD (orrery_record_get_type ())
ORRERY_API GType orrery_record_get_type (void);

/**
 * orrery_record_new: (constructor)
 * @schema: a schema, of which the record keeps a reference
 *
 * Allocates the struct that @schema describes.
 *
 * Returns: (transfer full): a record with all fields zero, empty or %NULL, and no timestamp
 */
ORRERY_API OrreryRecord *orrery_record_new (OrrerySchema *schema);

/**
 * orrery_record_ref:
 * @record: a record
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @record
 */
ORRERY_API OrreryRecord *orrery_record_ref (OrreryRecord *record);

/**
 * orrery_record_unref:
 * @record: (transfer full): a record; freed with its last reference, and what its fields point at
 *
 * Any thread, if no other thread reads or writes the record.
 */
ORRERY_API void orrery_record_unref (OrreryRecord *record);

/**
 * orrery_record_get_schema:
 *
 * The same for the life of the record.
 *
 * Returns: (transfer none): its schema
 */
ORRERY_API OrrerySchema *orrery_record_get_schema (OrreryRecord *record);

/**
 * orrery_record_data: (skip)
 *
 * C code casts it to the struct of its field table, and reads and writes the members. Of a record
 * without fields the address must not be touched.
 *
 * Returns: (transfer none): the struct itself, at the same address for the life of the record,
 *   aligned to 64 bytes
 */
ORRERY_API gpointer orrery_record_data (OrreryRecord *record);

/**
 * orrery_record_has_timestamp:
 *
 * The record of a sensor has one from the start; a new record has none.
 *
 * Returns: whether this is a sensor's record, which is so from the first
 *   orrery_record_set_timestamp(): its time is then the first key in every view
 */
ORRERY_API gboolean orrery_record_has_timestamp (OrreryRecord *record);

/**
 * orrery_record_get_timestamp:
 *
 * Set by the host before each step of a sensor; modifiers may have shifted it.
 *
 * Returns: the time of its data, as its robot's clock has it, nanoseconds; 0 if it has none
 */
ORRERY_API OrreryTime orrery_record_get_timestamp (OrreryRecord *record);

/**
 * orrery_record_set_timestamp:
 * @time: nanoseconds
 *
 * The host's, before each step of a sensor; and a modifier's that shifts time.
 */
ORRERY_API void orrery_record_set_timestamp (OrreryRecord *record, OrreryTime time);

/**
 * orrery_record_hold:
 *
 * Says that there is nothing to pass on this tick: no modifier, stream or reader sees this step.
 * The host takes the mark back before the next step.
 */
ORRERY_API void orrery_record_hold (OrreryRecord *record);

/**
 * orrery_record_is_held:
 *
 * Whatever passes data on skips a record that is held.
 *
 * Returns: whether orrery_record_hold() was called since the host last took the mark back
 */
ORRERY_API gboolean orrery_record_is_held (OrreryRecord *record);

/**
 * orrery_record_release: (skip)
 *
 * Takes the mark of orrery_record_hold() back; the host's.
 */
ORRERY_API void orrery_record_release (OrreryRecord *record);

/**
 * orrery_record_find: (skip)
 * @name: a field's name
 * @type: the type that it must have
 *
 * What a modifier or codec asks once, at setup.
 *
 * Returns: (nullable): the address of the field, valid as long as the record; %NULL if there is no
 *   such field of that type
 */
ORRERY_API gpointer orrery_record_find (OrreryRecord *record, const char *name,
                                        OrreryFieldType type);

/**
 * orrery_record_find_double: (skip)
 * @name: a field's name
 *
 * A pointer for each step, which needs no look-up: to be asked once, at setup.
 *
 * Returns: (nullable): the address of the field, valid as long as the record; %NULL if there is no
 *   double of that name
 */
ORRERY_API double *orrery_record_find_double (OrreryRecord *record, const char *name);

/**
 * orrery_record_get: (skip)
 * @name: a field's name
 * @value: (out): where to copy the field: a variable of the field's own C type
 *
 * For tools and tests; the tick never does this. Texts, buffers, records and variants are borrowed.
 *
 * Returns: whether there is such a field
 */
ORRERY_API gboolean orrery_record_get (OrreryRecord *record, const char *name, gpointer value);

/**
 * orrery_record_get_double:
 * @name: a field's name, or "timestamp"
 *
 * Looks the name up each time: orrery_record_find_double() is for the tick. A field that is not
 * one number has a NaN.
 *
 * Returns: the field as a double (bool 0 or 1; int64; double; time in seconds); NaN if there is
 * none
 */
ORRERY_API double orrery_record_get_double (OrreryRecord *record, const char *name);

/**
 * orrery_record_get_value:
 * @name: a field's name, or "timestamp"
 *
 * Boxes a field, for tools and bindings: bool `b`; int64 `x`; double `d`; time `d`, seconds; text
 * `s`; vec3 `(ddd)` as x, y, z; euler `a{sd}` as yaw, pitch, roll; quat `a{sd}` as x, y, z, w;
 * matrices `aad`, row by row; array `ad`; points `aad`; buffer `(saxay)` as element type (a name of
 * orrery_element_get_name()), shape, bytes in the order of the machine, ("uint8", [], []) if there
 * is none; record `a{sv}` as orrery_record_to_variant(), empty if there is none; variant itself,
 * `mv` nothing if there is none.
 *
 * Returns: (transfer full) (nullable): the field as a variant, or %NULL if there is none
 */
ORRERY_API GVariant *orrery_record_get_value (OrreryRecord *record, const char *name);

/**
 * orrery_record_set_value:
 * @name: a field's name
 * @value: the new value, in the form of orrery_record_get_value(); a floating one is consumed
 *
 * Numbers are converted where nothing is lost; a value may lie in a box (`v`), lists may be arrays
 * or tuples of anything that is a number, and a vec3 also a dictionary of x, y, z.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID and the field unchanged: no such field, a
 *   wrong type, a number that is not finite; the timestamp
 */
ORRERY_API gboolean orrery_record_set_value (OrreryRecord *record, const char *name,
                                             GVariant *value, GError **error);

/**
 * orrery_record_set_values:
 * @values: `a{sv}`: fields and their values; the timestamp is the host's and passed over; a
 *   floating one is consumed
 *
 * orrery_record_set_value() of all or none; fields that are not named keep their value. A field of
 * type record is the exception: what it refers to is another's, and written as it is read.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID and @record unchanged
 */
ORRERY_API gboolean orrery_record_set_values (OrreryRecord *record, GVariant *values,
                                              GError **error);

/**
 * orrery_record_to_variant:
 *
 * Boxes each field as orrery_record_get_value() does, for tools and bindings. The timestamp is
 * there if the record has one.
 *
 * Returns: (transfer full): all fields in order as `a{sv}`, the timestamp first
 */
ORRERY_API GVariant *orrery_record_to_variant (OrreryRecord *record);

/**
 * orrery_record_get_buffer:
 * @name: a field's name
 *
 * Nothing is copied: the next value of the field goes into another buffer while this one is kept.
 *
 * Returns: (transfer full) (nullable): the buffer of a buffer, array or points field; what it holds
 *   does not change as long as the reference is kept. %NULL if there is no such field or it is
 * empty
 */
ORRERY_API OrreryBuffer *orrery_record_get_buffer (OrreryRecord *record, const char *name);

/**
 * orrery_record_set_text:
 * @name: name of a text field
 * @text: its new value
 *
 * For bindings: C code calls orrery_text_set(). The text is copied.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID and the field unchanged: no such text field,
 *   not UTF-8
 */
ORRERY_API gboolean orrery_record_set_text (OrreryRecord *record, const char *name,
                                            const char *text, GError **error);

/**
 * orrery_record_prepare_buffer:
 * @name: name of a buffer, array or points field
 * @element: type of the elements; of an array or points: doubles
 * @n_dimensions: 1 to 4; of an array 1, of points 2
 * @shape: (array length=n_dimensions): elements along each dimension, slowest first; of points: the
 *   last is 3
 *
 * Gives room to write: the field's own buffer where it is the field's alone and has type and shape,
 * else a new one, swapped in. Only who called may write, at once and all of it.
 *
 * Returns: (transfer full): the buffer, or %NULL with %ORRERY_ERROR_INVALID and the field
 * unchanged: no such field, a type or shape that it has not, more than fits in memory
 */
ORRERY_API OrreryBuffer *orrery_record_prepare_buffer (OrreryRecord *record, const char *name,
                                                       OrreryElement element, guint n_dimensions,
                                                       const gsize *shape, GError **error);

/**
 * orrery_record_get_address:
 *
 * What orrery_record_data() returns, for bindings that know no pointers; see
 * orrery_schema_get_offset().
 *
 * Returns: the address of the struct as a number, for views that hold the record
 */
ORRERY_API guint64 orrery_record_get_address (OrreryRecord *record);

/**
 * orrery_record_keep_defaults: (skip)
 *
 * Remembers the present values as what a missing key of a message takes; the host calls it after
 * setup. Before, the defaults are those of orrery_record_new().
 */
ORRERY_API void orrery_record_keep_defaults (OrreryRecord *record);

/**
 * orrery_record_reset:
 *
 * Sets all fields back to their defaults; the timestamp and the mark of orrery_record_hold() stay.
 */
ORRERY_API void orrery_record_reset (OrreryRecord *record);

/**
 * orrery_record_reset_field: (skip)
 * @field: one of its schema's fields
 *
 * Sets one field back to its default.
 */
ORRERY_API void orrery_record_reset_field (OrreryRecord *record, const OrreryField *field);

/**
 * orrery_record_copy:
 * @from: another of the same schema
 *
 * Copies all fields, the timestamp and the mark of @from; the defaults stay. Texts are copied,
 * buffers, records and variants shared.
 */
ORRERY_API void orrery_record_copy (OrreryRecord *record, OrreryRecord *from);

/**
 * orrery_record_copy_whole: (skip)
 * @record: a record that another thread may read afterwards, as long as nobody writes it
 * @from: another of the same schema
 *
 * orrery_record_copy() that shares nothing that may change: buffers are copied into those of
 * @record, which stay where they have the form, and records that fields refer to into records of
 * its own, eight in each other at most. A steady stream of copies allocates nothing.
 */
ORRERY_API void orrery_record_copy_whole (OrreryRecord *record, OrreryRecord *from);

/**
 * orrery_record_hash: (skip)
 * @hash: the hash so far
 * @start: what times are counted from
 *
 * Doubles are folded by their bits, texts and buffers with their length and shape, times relative
 * to @start, what a record field refers to in its place. Names are not folded, nor is the mark.
 *
 * Returns: @hash with every field folded in, the timestamp first
 */
ORRERY_API guint64 orrery_record_hash (OrreryRecord *record, guint64 hash, OrreryTime start);

/**
 * orrery_record_write_json: (skip)
 * @writer: where to
 *
 * Writes the record as one JSON object, without a newline, the timestamp first; separators,
 * escapes and floats as Python's json module has them.
 */
ORRERY_API void orrery_record_write_json (OrreryRecord *record, OrreryWriter *writer);

/**
 * orrery_record_read_json: (skip)
 * @record: a record; unchanged if the message is refused
 * @reader: a message: one JSON object
 *
 * Missing keys take the field's default, unknown keys are ignored; both are counted in @reader.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: no JSON object, a wrong type, a number that
 *   is not finite
 */
ORRERY_API gboolean orrery_record_read_json (OrreryRecord *record, OrreryReader *reader,
                                             GError **error);

/**
 * orrery_record_save: (skip)
 *
 * What orrery_record_restore() takes: all fields, the timestamp and the mark, bit by bit, as bytes
 * for the same machine. What fields of type record refer to is not in it.
 *
 * Returns: (transfer none): a floating `ay`
 */
ORRERY_API GVariant *orrery_record_save (OrreryRecord *record);

/**
 * orrery_record_restore: (skip)
 * @state: any variant
 *
 * Goes back to what orrery_record_save() saw. The defaults stay, and fields of type record refer to
 * what they refer to now.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID and @record unchanged: @state was not saved
 *   from a record with the same names and types of fields
 */
ORRERY_API gboolean orrery_record_restore (OrreryRecord *record, GVariant *state, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecord, orrery_record_unref)

G_END_DECLS
