/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"
#include "message/orrery-message-value.h"

G_BEGIN_DECLS

/**
 * OrreryMessageEncoding:
 * @ORRERY_MESSAGE_ENCODING_ROS1: as ROS 1 serialises: little endian, nothing between fields
 * @ORRERY_MESSAGE_ENCODING_CDR: as ROS 2 does over DDS: four bytes that say so, then CDR (XCDR
 *   version 1), aligned; written little endian, read in both orders
 *
 * How a message becomes bytes.
 */
typedef enum {
  ORRERY_MESSAGE_ENCODING_ROS1,
  ORRERY_MESSAGE_ENCODING_CDR,
} OrreryMessageEncoding;

/**
 * orrery_message_encoding_from_name: (skip)
 * @name: (nullable): what orrery_datastream_get_encoding() returns
 * @encoding: (out): the encoding of that name
 *
 * Returns: whether there is one: `ros1` or `cdr`
 */
ORRERY_API gboolean orrery_message_encoding_from_name (const char *name,
                                                       OrreryMessageEncoding *encoding);
/**
 * orrery_message_write: (skip)
 * @type: a message type
 * @message: a message of it
 * @encoding: how
 * @writer: where to; the message begins where orrery_writer_begin() was called last
 *
 * Appends a message. Texts and sequences beyond their bounds, and numbers of elements beyond 32
 * bits, are the caller's mistakes. In a steady state this allocates nothing. Any thread.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: the type has wide texts, on whose bytes
 *   implementations do not agree
 */
ORRERY_API gboolean orrery_message_write (const OrreryMessageType *type, gconstpointer message,
                                          OrreryMessageEncoding encoding, OrreryWriter *writer,
                                          GError **error);
/**
 * orrery_message_read: (skip)
 * @type: a message type
 * @message: a message of it, which is overwritten
 * @encoding: how
 * @data: (array length=length): one whole message
 * @length: bytes of @data
 *
 * Reads a message from outside. Every length is checked against the bytes that are there before
 * memory is taken for it, so that a message takes at most some ten times its bytes. Any thread.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID, which names field and byte, and @message
 *   empty
 */
ORRERY_API gboolean orrery_message_read (const OrreryMessageType *type, gpointer message,
                                         OrreryMessageEncoding encoding, const guint8 *data,
                                         gsize length, GError **error);

G_END_DECLS
