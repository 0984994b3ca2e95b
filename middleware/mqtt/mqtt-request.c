/* SPDX-License-Identifier: BSD-3-Clause */
/* Payloads of calls and answers, as JSON. */
#include "mqtt-request.h"

#include <string.h>

static gboolean
is_word (const char *text)
{
  if (*text == '\0' || g_utf8_strlen (text, -1) > MQTT_MAX_WORD || strpbrk (text, "+#/") != NULL)
    return FALSE;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

static gboolean
read_id (OrreryNode *node, MqttRequest *request, GError **error)
{
  OrreryNodeKind kind = orrery_node_get_kind (node);

  if (kind != ORRERY_NODE_INT && kind != ORRERY_NODE_DOUBLE &&
      !(kind == ORRERY_NODE_TEXT &&
        g_utf8_strlen (orrery_node_get_text (node), -1) <= MQTT_MAX_WORD))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'id' is a number or a text of at most %d letters", MQTT_MAX_WORD);
  request->id = orrery_node_to_variant (node);
  return TRUE;
}

static gboolean
read_reply (OrreryNode *node, MqttRequest *request, GError **error)
{
  if (orrery_node_get_kind (node) != ORRERY_NODE_TEXT || !is_word (orrery_node_get_text (node)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'reply' is a name of 1 to %d letters without '/', '+' and '#'",
                             MQTT_MAX_WORD);
  request->reply = g_strdup (orrery_node_get_text (node));
  return TRUE;
}

static gboolean
read_arguments (OrreryNode *node, MqttRequest *request, GError **error)
{
  if (orrery_node_get_kind (node) == ORRERY_NODE_NULL)
    return TRUE;
  if (orrery_node_get_kind (node) != ORRERY_NODE_LIST)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "arguments are a list, not %s",
                             orrery_node_get_kind_name (node));
  if (orrery_node_get_length (node) > 0)
    request->arguments = orrery_node_to_variant (node);
  return TRUE;
}

static gboolean
check_keys (OrreryNode *node, GError **error)
{
  static const char *const known[] = { "arguments", "id", "reply", NULL };

  for (guint i = 0; i < orrery_node_get_length (node); i++) {
    const char *key = orrery_node_get_key (node, i);
    g_autofree char *nearest = orrery_nearest_names (key, known);

    if (!g_strv_contains (known, key))
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "a call has no '%.60s'%s", key,
                               nearest);
  }
  return TRUE;
}

/* What says where the answer goes comes first: it is used if the rest is wrong. */
static gboolean
read_object (OrreryNode *node, MqttRequest *request, GError **error)
{
  OrreryNode *reply = orrery_node_find (node, "reply");
  OrreryNode *id = orrery_node_find (node, "id");
  OrreryNode *arguments = orrery_node_find (node, "arguments");

  return (reply == NULL || read_reply (reply, request, error)) &&
         (id == NULL || read_id (id, request, error)) && check_keys (node, error) &&
         (arguments == NULL || read_arguments (arguments, request, error));
}

gboolean
mqtt_request_parse (const char *text, gsize length, MqttRequest *request, GError **error)
{
  g_autoptr (OrreryNode) node = NULL;

  *request = (MqttRequest){ 0 };
  if (length == 0)
    return TRUE;
  node = orrery_node_parse_json (text, length, "payload", error);
  if (node == NULL)
    return FALSE;
  if (orrery_node_get_kind (node) == ORRERY_NODE_DICT)
    return read_object (node, request, error);
  return read_arguments (node, request, error);
}

void
mqtt_request_clear (MqttRequest *request)
{
  g_clear_pointer (&request->arguments, g_variant_unref);
  g_clear_pointer (&request->id, g_variant_unref);
  g_clear_pointer (&request->reply, g_free);
}

void
mqtt_answer_write (OrreryWriter *writer, GVariant *id, const char *status, GVariant *value,
                   const char *words)
{
  orrery_writer_append_text (writer, "{");
  if (id != NULL) {
    orrery_writer_append_text (writer, "\"id\": ");
    orrery_writer_append_json_variant (writer, id);
    orrery_writer_append_text (writer, ", ");
  }
  orrery_writer_append_text (writer, "\"status\": ");
  orrery_writer_append_json_text (writer, status);
  orrery_writer_append_text (writer, ", \"result\": ");
  if (words != NULL)
    orrery_writer_append_json_text (writer, words);
  else if (value != NULL)
    orrery_writer_append_json_variant (writer, value);
  else
    orrery_writer_append_text (writer, "null");
  orrery_writer_append_char (writer, '}');
}
