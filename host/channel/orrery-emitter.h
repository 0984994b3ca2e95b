/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"
#include "channel/orrery-value.h"

G_BEGIN_DECLS

/**
 * OrreryEmitter:
 *
 * The end of a channel that sends values; a channel has one at a time. Opaque and
 * reference-counted; used by one thread at a time.
 */
#define ORRERY_TYPE_EMITTER (orrery_emitter_get_type ())
ORRERY_API GType orrery_emitter_get_type (void);

/**
 * orrery_emitter_new: (constructor)
 * @channel: a channel, of which the emitter keeps a reference
 *
 * Values of an earlier emitter are kept; the new one continues after them, also if the process of
 * the earlier one was killed.
 *
 * Returns: (transfer full): the emitter, or %NULL with %ORRERY_ERROR_BUSY: there is one; with
 *   %ORRERY_ERROR_IO: no memory, no descriptor
 */
ORRERY_API OrreryEmitter *orrery_emitter_new (OrreryChannel *channel, GError **error);

/**
 * orrery_emitter_ref:
 * @emitter: an emitter
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @emitter
 */
ORRERY_API OrreryEmitter *orrery_emitter_ref (OrreryEmitter *emitter);
/**
 * orrery_emitter_unref:
 * @emitter: an emitter
 *
 * Drops a reference. With the last one the channel can have another emitter, which finds the values
 * that are there. Any thread.
 */
ORRERY_API void orrery_emitter_unref (OrreryEmitter *emitter);

/**
 * orrery_emitter_get_channel:
 *
 * Valid as long as the emitter.
 *
 * Returns: (transfer none): its channel
 */
ORRERY_API OrreryChannel *orrery_emitter_get_channel (OrreryEmitter *emitter);

/**
 * orrery_emitter_emit:
 * @data: (array length=size) (nullable): the bytes of a value, copied; %NULL if @size is 0
 * @size: how many
 * @time: the value's timestamp, nanoseconds
 *
 * Puts a value into the channel and wakes receivers that wait for one. It waits for none of them: a
 * ring drops its oldest value, a `latest` channel passes over those that nobody has read.
 *
 * Returns: %TRUE if the value was taken; %FALSE with %ORRERY_ERROR_INVALID: another size than the
 *   fixed one, or one above %ORRERY_CHANNEL_MAX_SIZE; with %ORRERY_ERROR_BUSY: receivers that live
 *   hold all slots of a `latest` channel; with %ORRERY_ERROR_IO: no memory for it
 */
ORRERY_API gboolean orrery_emitter_emit (OrreryEmitter *emitter, const guint8 *data, gsize size,
                                         OrreryTime time, GError **error);

/**
 * orrery_emitter_emit_with:
 * @data: (array length=size) (nullable): the bytes of a value, copied; %NULL if @size is 0
 * @size: how many
 * @parameters: (nullable): what a receiver needs to make sense of them, as type and shape of an
 *   array; a floating one is consumed
 * @time: the value's timestamp, nanoseconds
 *
 * As orrery_emitter_emit(), with parameters that belong to this value:
 * orrery_receiver_get_parameters() returns them. At most 64 KiB.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_with (OrreryEmitter *emitter, const guint8 *data,
                                              gsize size, GVariant *parameters, OrreryTime time,
                                              GError **error);

/**
 * orrery_emitter_emit_address:
 * @address: where the bytes are, as a number; 0 if @size is 0
 * @size: how many
 * @parameters: (nullable): as for orrery_emitter_emit_with()
 * @time: the value's timestamp, nanoseconds
 *
 * orrery_emitter_emit_with() for bindings that know where their memory is and need no copy of it.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_address (OrreryEmitter *emitter, guint64 address,
                                                 gsize size, GVariant *parameters, OrreryTime time,
                                                 GError **error);

/**
 * orrery_emitter_emit_variant:
 * @value: any variant; a floating one is consumed
 * @time: the value's timestamp, nanoseconds
 *
 * Sends numbers, texts, lists, dictionaries; orrery_receiver_dup_variant() returns the same.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_variant (OrreryEmitter *emitter, GVariant *value,
                                                 OrreryTime time, GError **error);

/**
 * orrery_emitter_emit_buffer:
 * @buffer: elements with their type and shape
 * @time: the value's timestamp, nanoseconds
 *
 * Sends a buffer; orrery_receiver_hold_buffer() returns the same. The parameters are `(sax)`: the
 * type by its NumPy name, the shape.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_buffer (OrreryEmitter *emitter, OrreryBuffer *buffer,
                                                OrreryTime time, GError **error);

/**
 * orrery_emitter_emit_record:
 * @record: a record; its timestamp is the value's
 *
 * Sends all fields of any type, including texts, buffers, variants and records that they refer to.
 * orrery_receiver_get_record() reads it into another record of the same fields.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_record (OrreryEmitter *emitter, OrreryRecord *record,
                                                GError **error);

/**
 * orrery_emitter_emit_described:
 * @record: a record; its timestamp is the value's
 *
 * orrery_emitter_emit_record(), with the names and types of the fields as parameters, so that
 * orrery_receiver_create_record() needs no record of the same fields.
 *
 * Returns: as orrery_emitter_emit()
 */
ORRERY_API gboolean orrery_emitter_emit_described (OrreryEmitter *emitter, OrreryRecord *record,
                                                   GError **error);

/**
 * orrery_emitter_emit_value:
 * @value: a user's type
 * @time: the value's timestamp, nanoseconds
 *
 * Asks @value for its size and parameters, and has it write into the channel. If it refuses,
 * nothing was emitted.
 *
 * Returns: as orrery_emitter_emit(); %FALSE with the error of orrery_value_write()
 */
ORRERY_API gboolean orrery_emitter_emit_value (OrreryEmitter *emitter, OrreryValue *value,
                                               OrreryTime time, GError **error);

/**
 * orrery_emitter_begin: (skip)
 * @size: bytes of the value
 * @parameters: (nullable): as for orrery_emitter_emit_with()
 *
 * For a value that is written directly into its slot, without a copy. No receiver sees it before
 * orrery_emitter_commit(); a second orrery_emitter_begin() or any emit forgets it.
 *
 * Returns: (transfer none): room for @size bytes, aligned to 64, of any content; or %NULL as
 *   orrery_emitter_emit()
 */
ORRERY_API gpointer orrery_emitter_begin (OrreryEmitter *emitter, gsize size, GVariant *parameters,
                                          GError **error);

/**
 * orrery_emitter_begin_address:
 * @size: bytes of the value
 * @parameters: (nullable): as for orrery_emitter_emit_with()
 *
 * orrery_emitter_begin() for bindings.
 *
 * Returns: the address of the room, as a number; 0 with @error
 */
ORRERY_API guint64 orrery_emitter_begin_address (OrreryEmitter *emitter, gsize size,
                                                 GVariant *parameters, GError **error);

/**
 * orrery_emitter_commit:
 * @emitter: an emitter that orrery_emitter_begin() gave room
 * @time: the value's timestamp, nanoseconds
 *
 * Emits what was written into the room, which is the emitter's again. Without an
 * orrery_emitter_begin() before it, it is a mistake of the caller, which is logged.
 */
ORRERY_API void orrery_emitter_commit (OrreryEmitter *emitter, OrreryTime time);

/**
 * orrery_emitter_get_n_emitted:
 *
 * Counts from the making of the channel: those of earlier emitters, in whatever process, are in it.
 *
 * Returns: how many values were ever put into its channel
 */
ORRERY_API guint64 orrery_emitter_get_n_emitted (OrreryEmitter *emitter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryEmitter, orrery_emitter_unref)

G_END_DECLS
