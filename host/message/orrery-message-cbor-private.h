/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-encoding-private.h"

G_BEGIN_DECLS

/* What an item is: the upper three bits of its first byte. */
typedef enum {
  ORRERY_CBOR_INT,
  ORRERY_CBOR_NEGATIVE, /* -1 and less */
  ORRERY_CBOR_BYTES,
  ORRERY_CBOR_TEXT,
  ORRERY_CBOR_LIST,
  ORRERY_CBOR_MAP,
  ORRERY_CBOR_TAG,
  ORRERY_CBOR_SIMPLE, /* bools, null, floats */
} OrreryCborMajor;

/* The lower five bits: less is the number itself. */
enum {
  ORRERY_CBOR_ONE_BYTE = 24,
  ORRERY_CBOR_TWO_BYTES,
  ORRERY_CBOR_FOUR_BYTES,
  ORRERY_CBOR_EIGHT_BYTES,
  ORRERY_CBOR_INDEFINITE = 31, /* up to a break; of a simple value: the break */
};

enum {
  ORRERY_CBOR_FALSE = 20,
  ORRERY_CBOR_TRUE,
  ORRERY_CBOR_NULL,
  ORRERY_CBOR_UNDEFINED,
};

/* Returns: (transfer full): @text as a key of a map, with its head, of @length bytes, in memory
 * that the writer may read beyond them */
char *orrery_message_make_cbor_key (const char *text, gsize *length);

G_END_DECLS
