/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-schema.h"

G_BEGIN_DECLS

/**
 * OrreryRecord:
 *
 * The current data of a component: a struct and its schema, and beside it the time of a sensor.
 * Opaque and counted. Written by the tick thread only.
 */
#define ORRERY_TYPE_RECORD (orrery_record_get_type ())
ORRERY_API GType orrery_record_get_type (void);

/** orrery_record_new: (constructor): all fields zero, no timestamp */
ORRERY_API OrreryRecord *orrery_record_new (OrrerySchema *schema);
ORRERY_API OrreryRecord *orrery_record_ref (OrreryRecord *record);
ORRERY_API void orrery_record_unref (OrreryRecord *record);
ORRERY_API OrrerySchema *orrery_record_get_schema (OrreryRecord *record);

/**
 * orrery_record_data: (skip)
 *
 * Returns: the struct itself, at the same address for the life of the record
 */
ORRERY_API gpointer orrery_record_data (OrreryRecord *record);

/**
 * orrery_record_has_timestamp:
 *
 * Returns: whether this is a sensor's record: its time is then the first key in every view
 */
ORRERY_API gboolean orrery_record_has_timestamp (OrreryRecord *record);
ORRERY_API OrreryTime orrery_record_get_timestamp (OrreryRecord *record);
ORRERY_API void orrery_record_set_timestamp (OrreryRecord *record, OrreryTime time);

/**
 * orrery_record_hold:
 *
 * Says that there is nothing to pass on this tick: no modifier, stream or reader sees this step.
 * The host takes the mark back before the next step.
 */
ORRERY_API void orrery_record_hold (OrreryRecord *record);
ORRERY_API gboolean orrery_record_is_held (OrreryRecord *record);
/** orrery_record_release: (skip): takes the mark of orrery_record_hold() back; the host's */
ORRERY_API void orrery_record_release (OrreryRecord *record);

/**
 * orrery_record_find: (skip)
 * @record: a record
 * @name: a field's name
 * @type: the type that it must have
 *
 * What a modifier or codec asks once, at setup.
 *
 * Returns: (nullable): the address of the field, valid as long as the record; %NULL if there is no
 *   such field of that type
 */
ORRERY_API gpointer orrery_record_find (OrreryRecord *record, const char *name, OrreryFieldType type);
/** orrery_record_find_double: (skip): orrery_record_find() for a double */
ORRERY_API double *orrery_record_find_double (OrreryRecord *record, const char *name);

/**
 * orrery_record_get: (skip)
 * @record: a record
 * @name: a field's name
 * @value: (out): where to copy the field: a variable of the field's own C type
 *
 * For tools and tests; the tick never does this. Texts, buffers, records and variants are borrowed.
 *
 * Returns: whether there is such a field
 */
ORRERY_API gboolean orrery_record_get (OrreryRecord *record, const char *name, gpointer value);

/** orrery_record_get_double: the field as a double (bool, int64, double, time); NaN if there is none */
ORRERY_API double orrery_record_get_double (OrreryRecord *record, const char *name);

/**
 * orrery_record_get_value:
 * @record: a record
 * @name: a field's name, or "timestamp"
 *
 * Returns: (transfer full) (nullable): the field as a variant, or %NULL. bool b; int64 x; double,
 *   time d; text s; vec3 (ddd) as x, y, z; euler a{sd}; quat a{sd}; matrices aad; array ad; points aad;
 *   buffer (saxay): element, shape, bytes; record a{sv}; variant itself
 */
ORRERY_API GVariant *orrery_record_get_value (OrreryRecord *record, const char *name);

/**
 * orrery_record_set_value:
 * @record: a record
 * @name: a field's name
 * @value: the new value; numbers are converted where nothing is lost
 * @error: return location
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: no such field, a wrong type, a number that is not finite
 */
ORRERY_API gboolean orrery_record_set_value (OrreryRecord *record, const char *name, GVariant *value, GError **error);

/** orrery_record_to_variant: (transfer full): all fields as a{sv}, in order, the timestamp first */
ORRERY_API GVariant *orrery_record_to_variant (OrreryRecord *record);

/** orrery_record_get_buffer: (transfer full) (nullable): the buffer of a buffer, array or points field */
ORRERY_API OrreryBuffer *orrery_record_get_buffer (OrreryRecord *record, const char *name);

/**
 * orrery_record_keep_defaults: (skip)
 *
 * Remembers the present values as what a missing key of a message takes; the host calls it after setup.
 */
ORRERY_API void orrery_record_keep_defaults (OrreryRecord *record);
ORRERY_API void orrery_record_reset (OrreryRecord *record);
/** orrery_record_reset_field: (skip): sets one field back to its default */
ORRERY_API void orrery_record_reset_field (OrreryRecord *record, const OrreryField *field);
/** orrery_record_copy: (skip): copies all fields, time and mark of @from, which has the same schema */
ORRERY_API void orrery_record_copy (OrreryRecord *record, OrreryRecord *from);

/**
 * orrery_record_hash: (skip)
 * @record: a record
 * @hash: the hash so far
 * @start: what times are counted from
 *
 * Returns: @hash with every field folded in, the timestamp first
 */
ORRERY_API guint64 orrery_record_hash (OrreryRecord *record, guint64 hash, OrreryTime start);

/** orrery_record_add_to: (skip): writes the record as one JSON object, without a newline */
ORRERY_API void orrery_record_write_json (OrreryRecord *record, OrreryWriter *writer);

/**
 * orrery_record_read_json: (skip)
 * @record: a record; unchanged if the message is refused
 * @reader: a message: one JSON object
 * @error: return location
 *
 * Missing keys take the field's default, unknown keys are ignored; both are counted in @reader.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: no JSON object, a wrong type, a number that is not finite
 */
ORRERY_API gboolean orrery_record_read_json (OrreryRecord *record, OrreryReader *reader, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryRecord, orrery_record_unref)

G_END_DECLS
