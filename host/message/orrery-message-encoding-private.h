/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-encoding.h"
#include "message/orrery-message-type-private.h"

G_BEGIN_DECLS

/* A field that is being read, and the one that it is in; errors name them all. */
typedef struct _OrreryMessagePlace OrreryMessagePlace;
struct _OrreryMessagePlace {
  OrreryMessagePlace *up; /* (nullable) */
  const OrreryMessageField *field;
  gsize index; /* of an element, ORRERY_MESSAGE_WHOLE: of none */
};
#define ORRERY_MESSAGE_WHOLE G_MAXSIZE

/* What the readers of all encodings keep. */
typedef struct {
  const guint8 *data;
  gsize length;
  OrreryMessageLimits limits; /* none is 0 */
  OrreryMessagePlace *place;  /* (nullable) */
  gsize memory_left;          /* bytes that elements of sequences may still take */
} OrreryMessageInput;

/* Each sets an error that names the field and the byte, and returns FALSE. */
gboolean orrery_message_fail (const OrreryMessageInput *in, gsize at, GError **error,
                              const char *format, ...) G_GNUC_PRINTF (4, 5);
gboolean orrery_message_fail_no_field (const OrreryMessageInput *in, gsize at,
                                       const OrreryMessageType *type, const char *name,
                                       gsize length, GError **error);
/* @n: elements of a sequence that the input claims or has so far */
gboolean orrery_message_check_count (const OrreryMessageInput *in, gsize at,
                                     const OrreryMessageField *field, gsize n, GError **error);
gboolean orrery_message_check_text (const OrreryMessageInput *in, gsize at,
                                    const OrreryMessageField *field, gsize length, GError **error);
/* Counts the memory of @n elements, which may be many times their bytes in a text where most fields
 * are left out. */
gboolean orrery_message_take_memory (OrreryMessageInput *in, gsize at,
                                     const OrreryMessageField *field, gsize n, GError **error);

/* The encodings. @used: out, the bytes of the message */
void orrery_message_write_binary (const OrreryMessageType *type, const char *message, gboolean cdr,
                                  OrreryWriter *writer);
gboolean orrery_message_read_binary (OrreryMessageInput *in, const OrreryMessageType *type,
                                     char *message, gboolean cdr, gsize *used, GError **error);
void orrery_message_write_json (const OrreryMessageType *type, const char *message,
                                OrreryWriter *writer);
gboolean orrery_message_read_json (OrreryMessageInput *in, const OrreryMessageType *type,
                                   char *message, gsize *used, GError **error);
void orrery_message_write_cbor (const OrreryMessageType *type, const char *message,
                                OrreryWriter *writer);
gboolean orrery_message_read_cbor (OrreryMessageInput *in, const OrreryMessageType *type,
                                   char *message, gsize *used, GError **error);

/* Whether JSON has arrays of it as bytes. */
gboolean orrery_message_is_bytes (const OrreryMessageField *field);
/* The field that a key means. @hint: the one that comes next if the order is kept. Returns: its
 * index, or n_fields */
guint orrery_message_find_key (const OrreryMessageType *type, const char *key, gsize length,
                               guint hint);

/* Numbers of JSON and CBOR into an element, if they are in its range. */
gboolean orrery_message_put_int (const OrreryMessageInput *in, gsize at, OrreryMessageKind kind,
                                 gboolean is_negative, guint64 magnitude, gpointer element,
                                 GError **error);
gboolean orrery_message_put_double (const OrreryMessageInput *in, gsize at, OrreryMessageKind kind,
                                    double value, gpointer element, GError **error);

static inline void
orrery_message_array_empty (OrreryMessageArray *array)
{
  if (array->room == 0)
    array->data = NULL;
  array->length = 0;
}

G_END_DECLS
