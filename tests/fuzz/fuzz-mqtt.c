/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/mqtt/mqtt-request.c */
#include "fuzz.h"

#include "../../middleware/mqtt/mqtt-request.h"
#include "base/orrery-error.h"
#include "text/orrery-node.h"

#include <string.h>

/* Whatever goes into an answer, it is JSON with the id that was asked for. */
static void
check_answer (const MqttRequest *request, const char *words)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (OrreryNode) answer = NULL;
  gsize length;
  const char *text;

  mqtt_answer_write (writer, request->id, words == NULL ? "SUCCESS" : "FAILED", request->arguments,
                     words);
  text = orrery_writer_get_data (writer, &length);
  answer = orrery_node_parse_json (text, length, "answer", NULL);
  g_assert_nonnull (answer);
  g_assert_true ((orrery_node_find (answer, "id") != NULL) == (request->id != NULL));
  g_assert_nonnull (orrery_node_find (answer, "result"));
}

/* Whatever the payload: a request or an error, and a place for the answer that is one level. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_memdup2 (size > 0 ? (gconstpointer) data : "", MAX (size, 1));
  g_auto (MqttRequest) request = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean is_read = mqtt_request_parse (text, size, &request, &error);

  g_assert_true (is_read == (error == NULL));
  g_assert_true (error == NULL || g_utf8_validate (error->message, -1, NULL));
  g_assert_true (request.arguments == NULL ||
                 g_variant_is_of_type (request.arguments, G_VARIANT_TYPE ("av")));
  if (request.reply != NULL) {
    g_assert_true (g_utf8_validate (request.reply, -1, NULL));
    g_assert_cmpint (g_utf8_strlen (request.reply, -1), <=, MQTT_MAX_WORD);
    g_assert_true (*request.reply != '\0' && strpbrk (request.reply, "+#/") == NULL);
  }
  check_answer (&request, is_read ? NULL : error->message);
  return 0;
}
