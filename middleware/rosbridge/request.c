/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls and goals of clients, until the request manager takes them. */
#include "bridge-private.h"

#include <string.h>

/* --- answers from here --- */

static void
append_pair (OrreryWriter *writer, const char *key, const char *json)
{
  orrery_writer_append_text (writer, ",\"");
  orrery_writer_append_text (writer, key);
  orrery_writer_append_text (writer, "\":");
  orrery_writer_append_text (writer, json);
}

static void
append_text (OrreryWriter *writer, const char *key, const char *text)
{
  append_pair (writer, key, "");
  orrery_writer_append_json_text (writer, text);
}

void
bridge_answer_here (BridgeSession *self, const char *service, const char *id, const char *values,
                    gboolean result)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GBytes) bytes = NULL;

  orrery_writer_append_text (writer, "{\"op\":\"service_response\"");
  if (id != NULL)
    append_pair (writer, "id", id);
  append_text (writer, "service", service);
  if (result)
    append_pair (writer, "values", values);
  else
    append_text (writer, "values", values);
  append_pair (writer, "result", result ? "true" : "false");
  orrery_writer_append_char (writer, '}');
  bytes = orrery_writer_dup_bytes (writer);
  web_client_send (self->client, WEB_TEXT, bytes);
}

static void
refuse_goal (BridgeSession *self, const char *action, const char *id, const char *words)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GBytes) bytes = NULL;

  orrery_writer_append_text (writer, "{\"op\":\"action_result\"");
  if (id != NULL)
    append_pair (writer, "id", id);
  append_text (writer, "action", action);
  append_text (writer, "values", words);
  append_pair (writer, "status", "6,\"result\":false}");
  bytes = orrery_writer_dup_bytes (writer);
  web_client_send (self->client, WEB_TEXT, bytes);
}

static void
refuse (BridgeSession *self, const BridgeRequest *request, const char *words)
{
  if (request->kind == BRIDGE_GOAL)
    refuse_goal (self, request->name, request->id, words);
  else
    bridge_answer_here (self, request->name, request->id, words, FALSE);
}

/* --- arguments --- */

/* The text is a list, as JSON. Returns: (nullable): why it is none */
static char *
read_list (BridgeRequest *request, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = NULL;

  request->shape = BRIDGE_AS_TEXT;
  if (*text == '\0')
    return NULL;
  node = orrery_node_parse_json (text, strlen (text), "arguments", &error);
  if (node == NULL)
    return g_strndup (error->message, 400);
  if (orrery_node_get_kind (node) != ORRERY_NODE_LIST)
    return g_strdup_printf ("the arguments are a list, not %s", orrery_node_get_kind_name (node));
  request->arguments = orrery_node_to_variant (node);
  return NULL;
}

/* Of std_srvs/srv/SetBool. */
static void
take_single (BridgeRequest *request, OrreryNode *value)
{
  g_autoptr (GVariant) single = orrery_node_to_variant (value);
  GVariant *boxed = g_variant_new_variant (single);

  request->arguments = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARIANT, &boxed, 1));
}

/* Returns: (nullable): what is wrong */
static char *
read_object (BridgeRequest *request, OrreryNode *args)
{
  OrreryNode *data = orrery_node_find (args, "data"), *text = orrery_node_find (args, "arguments");
  guint n = orrery_node_get_length (args);

  request->shape = BRIDGE_BY_NAME;
  if (n == 0)
    return NULL;
  if (n == 1 && text != NULL && orrery_node_get_kind (text) == ORRERY_NODE_TEXT)
    return read_list (request, orrery_node_get_text (text));
  if (n == 1 && data != NULL) {
    take_single (request, data);
    return NULL;
  }
  return g_strdup ("arguments are a list, by place; or {\"arguments\": TEXT}, where the text is "
                   "such a list; or {\"data\": VALUE} for a single one");
}

static char *
read_arguments (BridgeRequest *request, OrreryNode *args)
{
  OrreryNodeKind kind = args != NULL ? orrery_node_get_kind (args) : ORRERY_NODE_NULL;

  request->shape = BRIDGE_BY_NAME;
  if (kind == ORRERY_NODE_NULL)
    return NULL;
  if (kind == ORRERY_NODE_DICT)
    return read_object (request, args);
  if (kind != ORRERY_NODE_LIST)
    return g_strdup_printf ("arguments are a list or an object, not %s",
                            orrery_node_get_kind_name (args));
  request->shape = BRIDGE_BY_PLACE;
  request->arguments = orrery_node_to_variant (args);
  return NULL;
}

/* --- handing over --- */

/* Returns: whether somebody takes requests; @request is taken then */
static gboolean
queue (Bridge *bridge, BridgeRequest *request)
{
  gboolean is_taken;

  g_mutex_lock (&bridge->lock);
  is_taken = bridge->wake != NULL;
  if (is_taken) {
    g_queue_push_tail (&bridge->requests, request);
    bridge->wake (bridge->wake_data);
  }
  g_mutex_unlock (&bridge->lock);
  return is_taken;
}

static void
submit (BridgeSession *self, BridgeRequest *request)
{
  g_autoptr (BridgeRequest) owned = request;

  if (self->n_calls >= BRIDGE_MAX_CALLS) {
    refuse (self, request, "1000 calls of this client wait for an answer, the most that may");
    return;
  }
  self->n_calls++;
  if (queue (self->bridge, request)) {
    g_steal_pointer (&owned);
    return;
  }
  self->n_calls--;
  refuse (self, request,
          "this scene has no services on rosbridge; add_service ('rosbridge') "
          "gives it some");
}

static void
cancel (BridgeSession *self, BridgeRequest *request)
{
  if (!queue (self->bridge, request))
    bridge_request_free (request);
}

static gboolean
wants_feedback (OrreryNode *operation)
{
  OrreryNode *node = orrery_node_find (operation, "feedback");

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_BOOL &&
         orrery_node_get_bool (node);
}

void
bridge_request (BridgeSession *self, OrreryNode *operation, BridgeRequestKind kind)
{
  const char *name = bridge_read_text (self, operation, kind == BRIDGE_CALL ? "service" : "action");
  OrreryNode *args = orrery_node_find (operation, "args");
  g_autoptr (BridgeRequest) request = g_new0 (BridgeRequest, 1);
  g_autofree char *why = NULL;
  guint fragment_size = 0;

  if (name == NULL ||
      !bridge_read_number (self, operation, "fragment_size", G_MAXINT, &fragment_size))
    return;
  request->kind = kind;
  request->client = web_client_get_number (self->client);
  request->name = bridge_resolve (name);
  request->id = bridge_read_id (operation);
  request->fragment_size = fragment_size > 0 ? MAX (fragment_size, 100) : 0;
  request->wants_feedback = wants_feedback (operation);
  if (kind == BRIDGE_CANCEL) {
    cancel (self, g_steal_pointer (&request));
    return;
  }
  if (kind == BRIDGE_CALL && bridge_answer_rosapi (self, request->name, args, request->id))
    return;
  why = read_arguments (request, args);
  if (why != NULL)
    refuse (self, request, why);
  else
    submit (self, g_steal_pointer (&request));
}

void
bridge_tell_gone (BridgeSession *self)
{
  BridgeRequest *request = g_new0 (BridgeRequest, 1);

  request->kind = BRIDGE_GONE;
  request->client = web_client_get_number (self->client);
  cancel (self, request);
}
