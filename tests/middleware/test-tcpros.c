/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/ros/ros-name.h"
#include "../../middleware/ros/tcpros-header.h"

#include <string.h>

static void
test_round_trip (void)
{
  g_autoptr (GBytes) bytes =
      tcpros_header_make ("topic", "/a", "left_out", NULL, "type", "a=b", "empty", "", NULL);
  g_autoptr (TcprosHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  gsize length, size;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  for (gsize cut = 0; cut < length; cut++) {
    g_assert_null (tcpros_header_parse (data, cut, &size, &error));
    g_assert_no_error (error);
    g_assert_cmpuint (size, ==, 0);
  }
  header = tcpros_header_parse (data, length, &size, &error);
  g_assert_nonnull (header);
  g_assert_cmpuint (size, ==, length);
  g_assert_cmpstr (tcpros_header_get (header, "topic"), ==, "/a");
  g_assert_cmpstr (tcpros_header_get (header, "type"), ==, "a=b");
  g_assert_cmpstr (tcpros_header_get (header, "empty"), ==, "");
  g_assert_null (tcpros_header_get (header, "left_out"));
}

static const struct {
  const char *name;
  const char *data;
  gsize length;
  const char *words;
} bad[] = {
  { "/too-long", "\x01\x00\x10\x00", 4, "*limit*" },
  { "/http", "POST / HTTP/1.1\r\n", 17, "*limit*" },
  { "/field-too-long",
    "\x06\x00\x00\x00\x03\x00\x00\x00"
    "a=",
    10, "*longer than its header*" },
  { "/huge-field",
    "\x06\x00\x00\x00\xff\xff\xff\xff"
    "a=",
    10, "*longer than its header*" },
  { "/rest", "\x02\x00\x00\x00\x00\x00", 6, "*longer than its header*" },
  { "/no-equals",
    "\x05\x00\x00\x00\x01\x00\x00\x00"
    "a",
    9, "*no key=value*" },
  { "/no-key",
    "\x06\x00\x00\x00\x02\x00\x00\x00"
    "=a",
    10, "*no key=value*" },
  { "/no-text",
    "\x06\x00\x00\x00\x02\x00\x00\x00"
    "\xff=",
    10, "*no key=value*" },
};

static void
test_bad (gconstpointer number)
{
  guint i = GPOINTER_TO_UINT (number);
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_null (tcpros_header_parse ((const guint8 *) bad[i].data, bad[i].length, &size, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_true (g_pattern_match_simple (bad[i].words, error->message));
}

static void
test_too_many_fields (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  guint8 head[4];
  gsize size;

  tcpros_put_u32 (head, 6 * (TCPROS_MAX_FIELDS + 1));
  g_byte_array_append (bytes, head, 4);
  for (int i = 0; i <= TCPROS_MAX_FIELDS; i++)
    g_byte_array_append (bytes, (const guint8 *) "\x02\x00\x00\x00x=", 6);
  g_assert_null (tcpros_header_parse (bytes->data, bytes->len, &size, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

static void
check_name (const char *name, const char *expected)
{
  g_autofree char *found = ros_name_resolve ("/field", "/field/node", name, NULL);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_names (void)
{
  check_name ("/all", "/all");
  check_name ("scan", "/field/scan");
  check_name ("~own/x", "/field/node/own/x");
  check_name ("~/own", "/field/node/own");
  check_name ("a1/_b", "/field/a1/_b");
  for (const char *const *name = (const char *const[]){ "", "/", "/1", "a//b", "a/", "a-b", "a b",
                                                        "\xc3\xa9", "a~", NULL };
       *name != NULL; name++)
    check_name (*name, NULL);
}

static void
test_uris (void)
{
  g_autofree char *host = NULL;
  guint16 port = 0;

  g_assert_true (ros_uri_parse ("http://machine:11311/x", "http://", &host, &port));
  g_assert_cmpstr (host, ==, "machine");
  g_assert_cmpuint (port, ==, 11311);
  for (const char *const *uri = (const char *const[]){ "", "http://", "http://a", "http://a/b:1",
                                                       "http://:1", "http://a:0", "http://a:65536",
                                                       "http://a:x", "rosrpc://a:1", NULL };
       *uri != NULL; uri++)
    g_assert_false (ros_uri_parse (*uri, "http://", &host, &port));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tcpros/round-trip", test_round_trip);
  g_test_add_func ("/tcpros/too-many-fields", test_too_many_fields);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree char *path = g_strconcat ("/tcpros/bad", bad[i].name, NULL);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_bad);
  }
  g_test_add_func ("/tcpros/names", test_names);
  g_test_add_func ("/tcpros/uris", test_uris);
  return g_test_run ();
}
