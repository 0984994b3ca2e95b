/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/ros/xmlrpc-http.h"
#include "../../middleware/ros/xmlrpc-value.h"

#include <string.h>

#define CALL(values)                                                                               \
  "<methodCall><methodName>m</methodName><params>" values "</params></methodCall>"
#define VALUE(value) CALL ("<param><value>" value "</value></param>")

static const struct {
  const char *text;
  const char *value; /* NULL: it is refused */
} values[] = {
  { VALUE ("<i4>-7</i4>"), "-7" },
  { VALUE ("<int> 7 </int>"), "7" },
  { VALUE ("<i8>9999999999</i8>"), "int64 9999999999" },
  { VALUE ("<boolean>1</boolean>"), "true" },
  { VALUE ("<double>2.5</double>"), "2.5" },
  { VALUE ("<string>a&lt;b&amp;&#x41;&#66;</string>"), "'a<b&AB'" },
  { VALUE (" bare "), "' bare '" },
  { VALUE (""), "''" },
  { VALUE ("<string/>"), "''" },
  { CALL ("<param><value/></param>"), "''" },
  { VALUE ("<base64>AQID</base64>"), "[byte 0x01, 0x02, 0x03]" },
  { VALUE ("<nil/>"), "()" },
  { VALUE ("\n<array> <data>\n<value><i4>1</i4></value><value>x</value> </data></array>"),
    "[<1>, <'x'>]" },
  { VALUE ("<array><data/></array>"), "@av []" },
  { VALUE ("<struct><member><name>a</name><value><i4>1</i4></value></member></struct>"),
    "{'a': <1>}" },
  { VALUE ("<struct/>"), "@a{sv} {}" },
  { "<?xml version='1.0'?><!-- x -->" VALUE ("<i4>1</i4>") "\n", "1" },
  { VALUE ("<i4></i4>"), NULL },
  { VALUE ("<i4>1x</i4>"), NULL },
  { VALUE ("<i4>99999999999999999999</i4>"), NULL },
  { VALUE ("<boolean>2</boolean>"), NULL },
  { VALUE ("<double>x</double>"), NULL },
  { VALUE ("<string>&evil;</string>"), NULL },
  { VALUE ("<string>&#0;</string>"), NULL },
  { VALUE ("<string>&#xD800;</string>"), NULL },
  { VALUE ("<string>\xff</string>"), NULL },
  { VALUE ("<string>a</i4>"), NULL },
  { VALUE ("<array></array>"), NULL },
  { VALUE ("<struct><member><value/></member></struct>"), NULL },
  { VALUE ("<other>1</other>"), NULL },
  { VALUE ("<i4>1</i4>") "x", NULL },
  { "<!DOCTYPE x>" VALUE ("<i4>1</i4>"), NULL },
  { "<methodCall>", NULL },
  { "", NULL },
};

static void
test_values (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree char *method = NULL;
    g_autofree char *printed = NULL;
    g_autoptr (GVariant) parameters = NULL;
    g_autoptr (GVariant) value = NULL;
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", values[i].text);
    if (!xmlrpc_parse_call (values[i].text, strlen (values[i].text), &method, &parameters,
                            &error)) {
      g_assert_null (values[i].value);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
      continue;
    }
    g_assert_nonnull (values[i].value);
    g_assert_cmpstr (method, ==, "m");
    g_variant_get_child (parameters, 0, "v", &value);
    printed = g_variant_print (value, TRUE);
    g_assert_cmpstr (printed, ==, values[i].value);
  }
}

static gboolean
parse_depth (guint depth)
{
  g_autoptr (GString) text = g_string_new ("<methodResponse><params><param>");
  g_autoptr (GVariant) value = NULL;

  for (guint i = 1; i < depth; i++)
    g_string_append (text, "<value><array><data>");
  g_string_append (text, "<value>x</value>");
  for (guint i = 1; i < depth; i++)
    g_string_append (text, "</data></array></value>");
  g_string_append (text, "</param></params></methodResponse>");
  value = xmlrpc_parse_answer (text->str, text->len, NULL);
  return value != NULL;
}

static void
test_depth (void)
{
  g_assert_true (parse_depth (XMLRPC_MAX_DEPTH));
  g_assert_false (parse_depth (XMLRPC_MAX_DEPTH + 1));
  g_assert_false (parse_depth (30000));
}

static void
test_round_trip (void)
{
  const char *text = "(<'a<&>\\r\\n'>, 7, int64 9999999999, 0.1, true, [byte 1, 2], "
                     "{'x': <1>, 'y': <['p', 'q']>}, ())";
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_parsed (text));
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GVariant) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *printed = NULL;

  xmlrpc_write_answer (body, value);
  back = xmlrpc_parse_answer (body->str, body->len, &error);
  g_assert_no_error (error);
  printed = g_variant_print (back, FALSE);
  g_assert_cmpstr (printed, ==,
                   "[<'a<&>\\r\\n'>, <7>, <int64 9999999999>, <0.10000000000000001>, <true>, "
                   "<[byte 0x01, 0x02]>, <{'x': <1>, 'y': <[<'p'>, <'q'>]>}>, <()>]");
}

static void
test_fault (void)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  xmlrpc_write_fault (body, 3, "it went <wrong>");
  g_assert_null (xmlrpc_parse_answer (body->str, body->len, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "it went <wrong>");
}

#define HEAD "POST / HTTP/1.1\r\nContent-Type: text/xml\r\n"

static const struct {
  const char *text;
  int status; /* 0: whole, 1: more */
} requests[] = {
  { HEAD "Content-Length: 2\r\n\r\nab", 0 },
  { HEAD "Content-Length: 3\r\n\r\nab", 1 },
  { HEAD "content-length:2\r\n", 1 },
  { "POS", 1 },
  { "GET / HTTP/1.1\r\n\r\n", 405 },
  { "\x16\x03\x01", 405 },
  { HEAD "Content-Length: 2\r\nOrigin: http://x\r\n\r\nab", 403 },
  { HEAD "Content-Length: 1048577\r\n\r\n", 413 },
  { HEAD "Content-Length: -1\r\n\r\n", 400 },
  { HEAD "Content-Length: 2\r\nContent-Length: 3\r\n\r\nab", 400 },
  { HEAD "Content-Length: 2\r\nno colon\r\n\r\nab", 400 },
  { HEAD "\r\n", 411 },
  { HEAD "Transfer-Encoding: chunked\r\n\r\n", 501 },
  { "POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nab", 415 },
  { "POST / HTTP/2\r\nContent-Type: text/xml\r\nContent-Length: 2\r\n\r\nab", 505 },
};

static void
test_requests (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++) {
    XmlrpcHttp http;
    XmlrpcHttpState state =
        xmlrpc_http_parse_request (requests[i].text, strlen (requests[i].text), &http);

    g_test_message ("%s", requests[i].text);
    if (requests[i].status > 1) {
      g_assert_cmpint (state, ==, XMLRPC_HTTP_BAD);
      g_assert_cmpint (http.status, ==, requests[i].status);
      g_assert_nonnull (http.why);
    } else
      g_assert_cmpint (state, ==, requests[i].status == 0 ? XMLRPC_HTTP_WHOLE : XMLRPC_HTTP_MORE);
  }
}

static void
test_long_head (void)
{
  g_autoptr (GString) text = g_string_new ("POST / HTTP/1.1\r\n");
  XmlrpcHttp http;

  while (text->len < XMLRPC_MAX_HEAD)
    g_string_append (text, "X: y\r\n");
  g_assert_cmpint (xmlrpc_http_parse_request (text->str, text->len, &http), ==, XMLRPC_HTTP_BAD);
  g_assert_cmpint (http.status, ==, 431);
}

static void
test_answers (void)
{
  g_autoptr (GString) body = g_string_new ("<x/>");
  g_autoptr (GBytes) bytes = xmlrpc_http_make_answer (200, TRUE, body);
  const char *refused = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  XmlrpcHttp http;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_assert_cmpint (xmlrpc_http_parse_answer (data, length - 1, &http), ==, XMLRPC_HTTP_MORE);
  g_assert_cmpint (xmlrpc_http_parse_answer (data, length, &http), ==, XMLRPC_HTTP_WHOLE);
  g_assert_cmpmem (http.body, http.length, "<x/>", 4);
  g_assert_cmpint (xmlrpc_http_parse_answer (refused, strlen (refused), &http), ==,
                   XMLRPC_HTTP_BAD);
  g_assert_cmpint (xmlrpc_http_parse_answer ("SSH-2.0", 7, &http), ==, XMLRPC_HTTP_BAD);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/xmlrpc/values", test_values);
  g_test_add_func ("/xmlrpc/depth", test_depth);
  g_test_add_func ("/xmlrpc/round-trip", test_round_trip);
  g_test_add_func ("/xmlrpc/fault", test_fault);
  g_test_add_func ("/xmlrpc/http/requests", test_requests);
  g_test_add_func ("/xmlrpc/http/long-head", test_long_head);
  g_test_add_func ("/xmlrpc/http/answers", test_answers);
  return g_test_run ();
}
