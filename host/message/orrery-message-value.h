/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-type.h"

G_BEGIN_DECLS

/*
 * A message in memory is a struct that its type lays out. All bytes zero is a message: numbers are
 * 0, texts and sequences are empty. Where a definition of ROS 2 gives a field a default, an empty
 * message has that.
 */

/**
 * orrery_message_new: (skip)
 * @type: a message type
 *
 * Allocates a message. Its fields are 0 or empty, or have the defaults of a definition of ROS 2.
 *
 * Returns: (transfer full): an empty message, for orrery_message_free()
 */
ORRERY_API gpointer orrery_message_new (const OrreryMessageType *type);
/**
 * orrery_message_free: (skip)
 * @type: its type
 * @message: (nullable): a message of orrery_message_new()
 *
 * Frees the message with all that it owns. Texts and sequences that it borrows are left alone.
 */
ORRERY_API void orrery_message_free (const OrreryMessageType *type, gpointer message);
/**
 * orrery_message_clear: (skip)
 * @type: its type
 * @message: a message
 *
 * Makes it empty. It keeps the memory that it owns, so that messages of the same size that follow
 * allocate nothing; what it borrows is left alone.
 */
ORRERY_API void orrery_message_clear (const OrreryMessageType *type, gpointer message);
/**
 * orrery_message_text_set: (skip)
 * @text: a text of a message
 * @data: (array length=length): UTF-8 without zero bytes; copied
 * @length: bytes of @data; -1: up to its NUL
 *
 * Allocates only if the text has not had as many bytes before.
 */
ORRERY_API void orrery_message_text_set (OrreryMessageText *text, const char *data, gssize length);
/**
 * orrery_message_array_resize: (skip)
 * @array: a sequence of a message
 * @field: its field
 * @n: how many elements it is to have
 *
 * Keeps the first elements and makes new ones empty. Allocates only if the sequence has not had as
 * many before. Of a sequence that was borrowed, numbers and messages of numbers are copied; others
 * are new ones.
 */
ORRERY_API void orrery_message_array_resize (OrreryMessageArray *array,
                                             const OrreryMessageField *field, gsize n);
/**
 * orrery_message_equal: (skip)
 * @type: the type of both
 * @a: a message
 * @b: another
 *
 * Compares field by field, through messages inside. Floating-point numbers are compared bit by bit,
 * so that 0 and -0 differ and a NaN is equal to one of the same bits. Whether memory is owned or
 * borrowed makes no difference.
 *
 * Returns: whether all fields are the same
 */
ORRERY_API gboolean orrery_message_equal (const OrreryMessageType *type, gconstpointer a,
                                          gconstpointer b);

G_END_DECLS
