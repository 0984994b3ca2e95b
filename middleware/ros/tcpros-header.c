/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the headers of TCPROS connections (wiki.ros.org/ROS/TCPROS). */
#include "tcpros-header.h"

#include <stdarg.h>
#include <string.h>

struct _TcprosHeader {
  GPtrArray *pairs; /* (element-type utf8): key and value in turn */
};

static gboolean
add_field (TcprosHeader *header, const guint8 *text, gsize length, GError **error)
{
  const guint8 *equals = memchr (text, '=', length);
  gsize n = equals != NULL ? (gsize) (equals - text) : 0;

  if (n == 0 || memchr (text, '\0', length) != NULL ||
      !g_utf8_validate ((const char *) text, (gssize) length, NULL)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                         "a field of a header that is no key=value");
    return FALSE;
  }
  if (header->pairs->len >= 2 * TCPROS_MAX_FIELDS) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "a header of more than %d fields",
                 TCPROS_MAX_FIELDS);
    return FALSE;
  }
  g_ptr_array_add (header->pairs, g_strndup ((const char *) text, n));
  g_ptr_array_add (header->pairs, g_strndup ((const char *) equals + 1, length - n - 1));
  return TRUE;
}

TcprosHeader *
tcpros_header_parse (const guint8 *data, gsize length, gsize *size, GError **error)
{
  g_autoptr (TcprosHeader) header = NULL;
  gsize end, at = 4;

  *size = 0;
  if (length < 4)
    return NULL;
  end = (gsize) tcpros_get_u32 (data) + 4;
  if (end - 4 > TCPROS_MAX_HEADER) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "a header of %zu bytes; the limit is %zu", (size_t) end - 4,
                 (size_t) TCPROS_MAX_HEADER);
    return NULL;
  }
  if (length < end)
    return NULL;
  header = g_new0 (TcprosHeader, 1);
  header->pairs = g_ptr_array_new_with_free_func (g_free);
  while (at < end) {
    gsize n = end - at >= 4 ? tcpros_get_u32 (data + at) : G_MAXUINT32;

    if (end - at < 4 || n > end - at - 4) {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                           "a field that is longer than its header");
      return NULL;
    }
    if (!add_field (header, data + at + 4, n, error))
      return NULL;
    at += 4 + n;
  }
  *size = end;
  return g_steal_pointer (&header);
}

void
tcpros_header_free (TcprosHeader *header)
{
  if (header == NULL)
    return;
  g_ptr_array_unref (header->pairs);
  g_free (header);
}

const char *
tcpros_header_get (const TcprosHeader *header, const char *key)
{
  for (guint i = 0; i < header->pairs->len; i += 2)
    if (g_str_equal (g_ptr_array_index (header->pairs, i), key))
      return g_ptr_array_index (header->pairs, i + 1);
  return NULL;
}

static void
append_field (GByteArray *bytes, const char *key, const char *value)
{
  guint8 size[4];
  gsize n_key = strlen (key), n_value = strlen (value);

  tcpros_put_u32 (size, (guint32) (n_key + 1 + n_value));
  g_byte_array_append (bytes, size, 4);
  g_byte_array_append (bytes, (const guint8 *) key, (guint) n_key);
  g_byte_array_append (bytes, (const guint8 *) "=", 1);
  g_byte_array_append (bytes, (const guint8 *) value, (guint) n_value);
}

GBytes *
tcpros_header_make (const char *key, ...)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 size[4] = { 0 };
  va_list list;

  g_byte_array_append (bytes, size, 4);
  va_start (list, key);
  for (; key != NULL; key = va_arg (list, const char *)) {
    const char *value = va_arg (list, const char *);

    if (value != NULL)
      append_field (bytes, key, value);
  }
  va_end (list);
  tcpros_put_u32 (bytes->data, bytes->len - 4);
  return g_byte_array_free_to_bytes (bytes);
}
