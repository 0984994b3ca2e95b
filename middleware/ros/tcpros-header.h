/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* What both ends of a TCPROS connection tell each other before the first message: fields
 * `key=value`, each behind its length, all behind the length of all. Lengths are four bytes, little
 * endian. */

#define TCPROS_MAX_HEADER ((gsize) 1024 * 1024)
#define TCPROS_MAX_FIELDS 256

typedef struct _TcprosHeader TcprosHeader;

/**
 * tcpros_header_parse:
 * @data: what has come so far
 * @size: (out): bytes of the header, with its length; 0: it has not come as a whole
 *
 * Returns: (transfer full) (nullable): the header; %NULL without an @error: more has to come
 */
TcprosHeader *tcpros_header_parse (const guint8 *data, gsize length, gsize *size, GError **error);
void tcpros_header_free (TcprosHeader *header);
/* Returns: (nullable): the value; of a key that comes twice the first one */
const char *tcpros_header_get (const TcprosHeader *header, const char *key);

/**
 * tcpros_header_make:
 * @key: key and value in turn up to %NULL; a pair whose value is %NULL is left out
 */
GBytes *tcpros_header_make (const char *key, ...) G_GNUC_NULL_TERMINATED;

static inline guint32
tcpros_get_u32 (const guint8 *data)
{
  return (guint32) data[0] | (guint32) data[1] << 8 | (guint32) data[2] << 16 |
         (guint32) data[3] << 24;
}

static inline void
tcpros_put_u32 (guint8 *data, guint32 number)
{
  for (int i = 0; i < 4; i++)
    data[i] = (guint8) (number >> 8 * i);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TcprosHeader, tcpros_header_free)
