/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryMessageDialect:
 * @ORRERY_MESSAGE_ROS1: as ROS 1 spells and lays out a definition
 * @ORRERY_MESSAGE_ROS2: as ROS 2 does
 *
 * The two worlds share most definitions; `std_msgs/Header`, for example, has a `seq` in ROS 1 only.
 */
typedef enum {
  ORRERY_MESSAGE_ROS1,
  ORRERY_MESSAGE_ROS2,
} OrreryMessageDialect;

/**
 * OrreryMessageKind:
 * @ORRERY_MESSAGE_BOOL: #guint8, 0 or 1
 * @ORRERY_MESSAGE_INT8: #gint8
 * @ORRERY_MESSAGE_UINT8: #guint8
 * @ORRERY_MESSAGE_INT16: #gint16
 * @ORRERY_MESSAGE_UINT16: #guint16
 * @ORRERY_MESSAGE_INT32: #gint32
 * @ORRERY_MESSAGE_UINT32: #guint32
 * @ORRERY_MESSAGE_INT64: #gint64
 * @ORRERY_MESSAGE_UINT64: #guint64
 * @ORRERY_MESSAGE_FLOAT32: #gfloat
 * @ORRERY_MESSAGE_FLOAT64: #gdouble
 * @ORRERY_MESSAGE_TEXT: #OrreryMessageText
 * @ORRERY_MESSAGE_WTEXT: #OrreryMessageText; 16 bits a character on the wire
 * @ORRERY_MESSAGE_NESTED: another message, inside
 *
 * What an element of a field is, and the C type that holds it.
 */
typedef enum {
  ORRERY_MESSAGE_BOOL,
  ORRERY_MESSAGE_INT8,
  ORRERY_MESSAGE_UINT8,
  ORRERY_MESSAGE_INT16,
  ORRERY_MESSAGE_UINT16,
  ORRERY_MESSAGE_INT32,
  ORRERY_MESSAGE_UINT32,
  ORRERY_MESSAGE_INT64,
  ORRERY_MESSAGE_UINT64,
  ORRERY_MESSAGE_FLOAT32,
  ORRERY_MESSAGE_FLOAT64,
  ORRERY_MESSAGE_TEXT,
  ORRERY_MESSAGE_WTEXT,
  ORRERY_MESSAGE_NESTED,
} OrreryMessageKind;

/**
 * OrreryMessageShape:
 * @ORRERY_MESSAGE_SINGLE: one element
 * @ORRERY_MESSAGE_FIXED_ARRAY: `count` elements, one after the other
 * @ORRERY_MESSAGE_SEQUENCE: an #OrreryMessageArray
 *
 * How many elements a field has.
 */
typedef enum {
  ORRERY_MESSAGE_SINGLE,
  ORRERY_MESSAGE_FIXED_ARRAY,
  ORRERY_MESSAGE_SEQUENCE,
} OrreryMessageShape;

/**
 * OrreryMessageType: (skip)
 *
 * A message type in one dialect: its fields and where they lie in memory. Belongs to an
 * #OrreryMessageCatalogue, never changes, and may be read on any thread.
 */
typedef struct _OrreryMessageType OrreryMessageType;

/**
 * OrreryMessageField: (skip)
 * @name: as in the definition
 * @spelling: its type as in the definition, `float64[36]`
 * @kind: what its elements are
 * @shape: how many there are
 * @count: elements of a fixed array; the most that a sequence may have, 0: any number
 * @text_bound: bytes that a text may have, 0: any number
 * @type: (nullable): of %ORRERY_MESSAGE_NESTED
 * @offset: its place in the struct, bytes
 *
 * One field of a message type.
 */
typedef struct {
  const char *name;
  const char *spelling;
  OrreryMessageKind kind;
  OrreryMessageShape shape;
  gsize count;
  gsize text_bound;
  const OrreryMessageType *type;
  gsize offset;
} OrreryMessageField;

/**
 * OrreryMessageConstant: (skip)
 * @name: as in the definition
 * @spelling: its type as in the definition
 * @value: its value as in the definition
 *
 * A named value of a definition, as `uint8 INFRARED=1`; no part of a message.
 */
typedef struct {
  const char *name;
  const char *spelling;
  const char *value;
} OrreryMessageConstant;

/**
 * OrreryMessageText: (skip)
 * @data: (nullable): the bytes of a text, UTF-8, not ended by NUL
 * @length: how many
 * @room: bytes allocated at @data; 0: they are borrowed
 *
 * A text in a message. orrery_message_text_set() copies bytes into it. To lend bytes to it instead,
 * set @data and @length where @room is 0: they are never changed or freed, and have to be there as
 * long as the message is used.
 */
typedef struct {
  char *data;
  gsize length;
  gsize room;
} OrreryMessageText;

/**
 * OrreryMessageArray: (skip)
 * @data: (nullable): the elements, one after the other
 * @length: how many
 * @room: elements that fit into the memory at @data; 0: it is borrowed
 *
 * A sequence in a message. Its elements are of the C type that #OrreryMessageKind names, or structs
 * of the field's type. orrery_message_array_resize() gives it elements of its own; others may be
 * lent to it, as bytes to an #OrreryMessageText.
 */
typedef struct {
  gpointer data;
  gsize length;
  gsize room;
} OrreryMessageArray;

/**
 * orrery_message_type_get_name: (skip)
 *
 * The name in the form of ROS 2, also for a type of ROS 1.
 *
 * Returns: its full name, `sensor_msgs/msg/LaserScan`; as long as the type
 */
ORRERY_API const char *orrery_message_type_get_name (const OrreryMessageType *type);
/**
 * orrery_message_type_get_dialect: (skip)
 *
 * The dialect that the type was found for. The two dialects of one name are two types, whose
 * structs may differ.
 *
 * Returns: whose definition it is
 */
ORRERY_API OrreryMessageDialect orrery_message_type_get_dialect (const OrreryMessageType *type);
/**
 * orrery_message_type_get_size: (skip)
 *
 * Bytes of the struct that holds such a message, for callers that provide the memory themselves:
 * all bytes zero is a message. A multiple of its alignment, so that elements of an array lie one
 * behind the other.
 *
 * Returns: bytes, at least 1
 */
ORRERY_API gsize orrery_message_type_get_size (const OrreryMessageType *type);
/**
 * orrery_message_type_get_fields: (skip)
 * @n: (out): how many
 *
 * The fields of the type itself; those of a message inside are fields of its own type. Constants
 * are not among them.
 *
 * Returns: (array length=n): its fields, in the order of the definition; as long as the type
 */
ORRERY_API const OrreryMessageField *orrery_message_type_get_fields (const OrreryMessageType *type,
                                                                     guint *n);
/**
 * orrery_message_type_get_constants: (skip)
 * @n: (out): how many
 *
 * The constants of the type itself, as texts; they take no room in a message.
 *
 * Returns: (array length=n): its constants, in the order of the definition; as long as the type
 */
ORRERY_API const OrreryMessageConstant *
orrery_message_type_get_constants (const OrreryMessageType *type, guint *n);
/**
 * orrery_message_type_find: (skip)
 * @path: names of fields with dots between, `pose.pose.position.x`; no elements of arrays
 * @offset: (out): where the field lies in the struct of @type, bytes
 *
 * Looks a field up, through nested messages; for setup, not for ticks.
 *
 * Returns: (nullable): the field, or %NULL with %ORRERY_ERROR_NOT_FOUND, which names the nearest
 */
ORRERY_API const OrreryMessageField *orrery_message_type_find (const OrreryMessageType *type,
                                                               const char *path, gsize *offset,
                                                               GError **error);
/**
 * orrery_message_type_get_md5: (skip)
 *
 * The sum by which ROS 1 tells whether two programs mean the same type.
 *
 * Returns: 32 hexadecimal digits
 */
ORRERY_API const char *orrery_message_type_get_md5 (const OrreryMessageType *type);
/**
 * orrery_message_type_get_hash: (skip)
 *
 * The type hash of ROS 2 (REP 2011): SHA-256 of a description of the type.
 *
 * Returns: `RIHS01_` and 64 hexadecimal digits
 */
ORRERY_API const char *orrery_message_type_get_hash (const OrreryMessageType *type);
/**
 * orrery_message_type_get_definition: (skip)
 *
 * The text by which a reader of a recording, or a peer of ROS 1, learns what the messages are: the
 * definition without comments, followed by those of all types inside, each after a line of 80 `=`
 * and a line `MSG: PACKAGE/NAME`.
 *
 * Returns: the text; as long as the type
 */
ORRERY_API const char *orrery_message_type_get_definition (const OrreryMessageType *type);

G_END_DECLS
