/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/ros/xmlrpc-http.c middleware/ros/xmlrpc-value.c */
#include "fuzz.h"

#include "../../middleware/ros/xmlrpc-http.h"
#include "../../middleware/ros/xmlrpc-value.h"

/* What was read is written, read again, and the same. */
static void
check_again (GVariant *value)
{
  g_autoptr (GString) body = g_string_new (NULL);
  g_autoptr (GVariant) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *one = g_variant_print (value, TRUE);
  g_autofree char *two = NULL;

  xmlrpc_write_answer (body, value);
  back = xmlrpc_parse_answer (body->str, body->len, &error);
  g_assert_no_error (error);
  two = g_variant_print (back, TRUE);
  g_assert_cmpstr (one, ==, two);
}

static void
check_body (const char *text, gsize length)
{
  g_autoptr (GVariant) parameters = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) failure = NULL;
  g_autofree char *method = NULL;
  GVariantIter iter;
  GVariant *value;

  answer = xmlrpc_parse_answer (text, length, &failure);
  g_assert_true ((answer == NULL) == (failure != NULL));
  if (answer != NULL)
    check_again (answer);
  if (!xmlrpc_parse_call (text, length, &method, &parameters, NULL))
    return;
  g_variant_iter_init (&iter, parameters);
  while (g_variant_iter_next (&iter, "v", &value)) {
    check_again (value);
    g_variant_unref (value);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = size > 0 ? (const char *) data : "";
  XmlrpcHttp http;

  check_body (text, size);
  if (xmlrpc_http_parse_request (text, size, &http) == XMLRPC_HTTP_WHOLE) {
    g_assert_cmpuint (http.whole, <=, size);
    check_body (http.body, http.length);
  }
  if (xmlrpc_http_parse_answer (text, size, &http) == XMLRPC_HTTP_WHOLE)
    check_body (http.body, http.length);
  return 0;
}
