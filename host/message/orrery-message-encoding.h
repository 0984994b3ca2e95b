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
 * @ORRERY_MESSAGE_ENCODING_JSON: an object, as rosbridge has it: arrays of bytes as base64, numbers
 *   that are not finite as `null`
 * @ORRERY_MESSAGE_ENCODING_CBOR: a map, as rosbridge has it: arrays of numbers as typed arrays (RFC
 *   8746)
 *
 * How a message becomes bytes.
 */
typedef enum {
  ORRERY_MESSAGE_ENCODING_ROS1,
  ORRERY_MESSAGE_ENCODING_CDR,
  ORRERY_MESSAGE_ENCODING_JSON,
  ORRERY_MESSAGE_ENCODING_CBOR,
} OrreryMessageEncoding;

/**
 * OrreryMessageLimits: (skip)
 * @bytes: of a message; 0: 256 MiB
 * @elements: of one sequence; 0: 256 Mi
 * @text: bytes of one text; 0: 256 MiB
 *
 * What a reader takes, beside the bounds of the fields.
 */
typedef struct {
  gsize bytes;
  gsize elements;
  gsize text;
} OrreryMessageLimits;

/**
 * orrery_message_encoding_from_name: (skip)
 * @name: (nullable): what orrery_datastream_get_encoding() returns
 * @encoding: (out): the encoding of that name
 *
 * Finds an encoding by its name: `ros1`, `cdr`, `json` or `cbor`. For any other name @encoding is
 * left as it is.
 *
 * Returns: whether there is one
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
 * Appends a message, which in JSON and CBOR may be a part of a larger document. Texts and sequences
 * beyond their bounds, and numbers of elements beyond 32 bits, are the caller's mistakes. In a
 * steady state this allocates nothing. Any thread.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: the type has wide texts, on whose bytes in
 *   ROS 1 and CDR implementations do not agree
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
 * memory is taken for it. Elements of sequences take at most 64 times the bytes of the message, and
 * a MiB. Texts are UTF-8 without zero bytes. In JSON and CBOR, what a message leaves out is empty.
 * Memory that @message has is used again, so that in a steady state this allocates nothing. Any
 * thread.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID, which names field and byte, and @message
 *   empty
 */
ORRERY_API gboolean orrery_message_read (const OrreryMessageType *type, gpointer message,
                                         OrreryMessageEncoding encoding, const guint8 *data,
                                         gsize length, GError **error);
/**
 * orrery_message_read_part: (skip)
 * @type: a message type
 * @message: a message of it, which is overwritten
 * @encoding: how
 * @data: (array length=length): a message, perhaps with more behind it
 * @length: bytes of @data
 * @limits: (nullable): what is taken at most; %NULL: the defaults
 * @used: (out) (optional): bytes of the message; %NULL: nothing may follow it
 *
 * orrery_message_read() with limits, for a message that is a part of a larger document.
 *
 * Returns: %TRUE, or %FALSE with an error
 */
ORRERY_API gboolean orrery_message_read_part (const OrreryMessageType *type, gpointer message,
                                              OrreryMessageEncoding encoding, const guint8 *data,
                                              gsize length, const OrreryMessageLimits *limits,
                                              gsize *used, GError **error);

G_END_DECLS
