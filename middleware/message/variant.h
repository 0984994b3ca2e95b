/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Messages as values like those of JSON, which services take and return: a message is `a{sv}`,
 * numbers are `x` or `d`, texts `s`, sequences and arrays `av`; a time is its seconds. */

/* Returns: (transfer floating) */
GVariant *message_to_variant (const OrreryMessageType *type, gconstpointer message);
GVariant *message_field_to_variant (const OrreryMessageField *field, gconstpointer place);

/* FALSE: ORRERY_ERROR_INVALID, which names the field. A time is seconds, or nanoseconds as `t`.
 * Fields of @message that @value does not name stay as they are. */
gboolean message_from_variant (const OrreryMessageType *type, gpointer message, GVariant *value,
                               GError **error);
gboolean message_field_from_variant (const OrreryMessageField *field, gpointer place,
                                     GVariant *value, GError **error);

/* A variant without the boxes `v` around it. Returns: (transfer full) */
GVariant *message_variant_unbox (GVariant *value);
/* The value of a key, or of an index, in a dictionary, list or tuple. Returns: (transfer full)
 * (nullable) */
GVariant *message_variant_find (GVariant *value, const char *name);
