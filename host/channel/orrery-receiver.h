/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"
#include "channel/orrery-value.h"

G_BEGIN_DECLS

/**
 * OrreryReading:
 * @ORRERY_READING_NONE: nothing was emitted yet
 * @ORRERY_READING_FRESH: a value that this receiver has not read before
 * @ORRERY_READING_STALE: the same value as last time
 *
 * What a receiver read.
 */
typedef enum {
  ORRERY_READING_NONE,
  ORRERY_READING_FRESH,
  ORRERY_READING_STALE,
} OrreryReading;

/**
 * OrreryReceiver:
 *
 * An end of a channel that reads values. Each receiver has its own state of fresh and stale; one
 * that is opened late finds the values that the channel keeps. Opaque and reference-counted; used
 * by one thread at a time.
 */
#define ORRERY_TYPE_RECEIVER (orrery_receiver_get_type ())
ORRERY_API GType orrery_receiver_get_type (void);

/**
 * orrery_receiver_new: (constructor)
 * @channel: a channel, of which the receiver keeps a reference
 *
 * Finds the values that the channel keeps: the first read of a ring is its oldest one.
 *
 * Returns: (transfer full): the receiver, or %NULL with %ORRERY_ERROR_BUSY: a `latest` channel has
 *   %ORRERY_CHANNEL_MAX_RECEIVERS that live; with %ORRERY_ERROR_IO: no memory, no descriptor
 */
ORRERY_API OrreryReceiver *orrery_receiver_new (OrreryChannel *channel, GError **error);

/**
 * orrery_receiver_ref:
 * @receiver: a receiver
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @receiver
 */
ORRERY_API OrreryReceiver *orrery_receiver_ref (OrreryReceiver *receiver);
/**
 * orrery_receiver_unref:
 * @receiver: a receiver
 *
 * Drops a reference; the last one closes this end. Buffers of orrery_receiver_hold_buffer() keep
 * one each. Any thread.
 */
ORRERY_API void orrery_receiver_unref (OrreryReceiver *receiver);

/**
 * orrery_receiver_get_channel:
 *
 * Valid as long as the receiver.
 *
 * Returns: (transfer none): its channel
 */
ORRERY_API OrreryChannel *orrery_receiver_get_channel (OrreryReceiver *receiver);

/**
 * orrery_receiver_read:
 *
 * Makes the next value of a ring, or the newest of a `latest` channel, the current one, which the
 * functions below return. It never waits, and a value is always complete.
 *
 * Returns: what was read
 */
ORRERY_API OrreryReading orrery_receiver_read (OrreryReceiver *receiver);

/**
 * orrery_receiver_get_data: (skip)
 * @size: (out) (optional): number of bytes
 *
 * Of a ring it is the receiver's copy; of a `latest` channel nothing is copied. Not to be written.
 *
 * Returns: (transfer none) (nullable): the bytes of the present value, aligned to 64; of a `latest`
 *   channel where they lie. They stay as they are until the next orrery_receiver_read(). %NULL if
 *   nothing was read yet
 */
ORRERY_API gconstpointer orrery_receiver_get_data (OrreryReceiver *receiver, gsize *size);

/**
 * orrery_receiver_get_time:
 *
 * As the emitter gave it, by whatever clock.
 *
 * Returns: the timestamp of the present value, nanoseconds; 0 if nothing was read yet
 */
ORRERY_API OrreryTime orrery_receiver_get_time (OrreryReceiver *receiver);

/**
 * orrery_receiver_get_n_dropped:
 *
 * Counts from the making of the receiver: what was gone before is not in it.
 *
 * Returns: how many values of a ring were dropped before this receiver read them; 0 for `latest`,
 *   where only the newest counts
 */
ORRERY_API guint64 orrery_receiver_get_n_dropped (OrreryReceiver *receiver);

/**
 * orrery_receiver_get_parameters:
 *
 * A copy in normal form, whatever the other process has sent; it is made at each call.
 *
 * Returns: (transfer full) (nullable): what came with the present value by
 *   orrery_emitter_emit_with(); %NULL if there is nothing
 */
ORRERY_API GVariant *orrery_receiver_get_parameters (OrreryReceiver *receiver);

/**
 * orrery_receiver_dup_bytes:
 *
 * For a caller that keeps the value beyond the next orrery_receiver_read(), and for bindings.
 *
 * Returns: (transfer full) (nullable): a copy of the present value; %NULL if nothing was read yet
 */
ORRERY_API GBytes *orrery_receiver_dup_bytes (OrreryReceiver *receiver);

/**
 * orrery_receiver_get_size:
 *
 * The parameters are not counted. A value may have 0 bytes.
 *
 * Returns: bytes of the present value; 0 if nothing was read yet
 */
ORRERY_API gsize orrery_receiver_get_size (OrreryReceiver *receiver);

/**
 * orrery_receiver_dup_variant:
 *
 * A copy, valid whatever the other process has sent. Not floating.
 *
 * Returns: (transfer full) (nullable): what orrery_emitter_emit_variant() was given, in normal
 *   form; %NULL if the present value is none such
 */
ORRERY_API GVariant *orrery_receiver_dup_variant (OrreryReceiver *receiver);

/**
 * orrery_receiver_hold_buffer:
 *
 * The current value, which remains valid as long as the buffer, beyond later reads and the receiver
 * itself. That of a `latest` channel is not copied: its slot is held, and the emitter uses the
 * others, of which there are %ORRERY_CHANNEL_MAX_HELD for all receivers together. It is never
 * writable.
 *
 * Returns: (transfer full) (nullable): a buffer of the type and shape that
 * orrery_emitter_emit_buffer() was given, else of bytes; %NULL if nothing was read yet or memory is
 * short
 */
ORRERY_API OrreryBuffer *orrery_receiver_hold_buffer (OrreryReceiver *receiver);

/**
 * ORRERY_CHANNEL_MAX_HELD:
 *
 * Most values of a `latest` channel that all its receivers can hold at once; beyond that, emitting
 * fails. Each receiver holds its current value, and another one while it reads.
 */
#define ORRERY_CHANNEL_MAX_HELD 30

/**
 * orrery_receiver_get_record:
 * @record: a record with the fields of the one that was emitted
 *
 * Copies the current value into @record, all of it or nothing, including the records that its
 * fields refer to.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: nothing was read yet, the value is no
 *   record or one of other fields
 */
ORRERY_API gboolean orrery_receiver_get_record (OrreryReceiver *receiver, OrreryRecord *record,
                                                GError **error);

/**
 * orrery_receiver_create_record:
 *
 * Makes a record, and those that its fields refer to, without knowing the fields before. A reader
 * of many values makes one, and reads the others into it by orrery_receiver_get_record().
 *
 * Returns: (transfer full): a copy of the present value as a record of its own, with the fields
 *   that orrery_emitter_emit_described() told of; or %NULL with %ORRERY_ERROR_INVALID: nothing was
 *   read yet, or the value is no such record
 */
ORRERY_API OrreryRecord *orrery_receiver_create_record (OrreryReceiver *receiver, GError **error);

/**
 * orrery_receiver_get_value:
 * @value: an object of the type that was emitted
 *
 * Passes the current value to orrery_value_read() of @value.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: nothing was read yet; or with the error of
 *   orrery_value_read()
 */
ORRERY_API gboolean orrery_receiver_get_value (OrreryReceiver *receiver, OrreryValue *value,
                                               GError **error);

/**
 * orrery_receiver_wait:
 * @timeout: nanoseconds of the machine's clock; below 0 for ever
 *
 * Sleeps until there is a fresh value.
 *
 * Returns: whether there is
 */
ORRERY_API gboolean orrery_receiver_wait (OrreryReceiver *receiver, OrreryTime timeout);

/**
 * orrery_receiver_get_fd:
 *
 * For main loops: a file descriptor that is readable once a value was emitted, until a read finds
 * no fresh one.
 *
 * Returns: the descriptor, the receiver's; -1 with %ORRERY_ERROR_IO: there are none left
 */
ORRERY_API int orrery_receiver_get_fd (OrreryReceiver *receiver, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryReceiver, orrery_receiver_unref)

G_END_DECLS
