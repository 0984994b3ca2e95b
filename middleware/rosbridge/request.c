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

/* All clients together; also the requests of those that have gone wait for the tick. */
static const BacklogLimits limits = { 10000, 4 * BRIDGE_MAX_CALL_BYTES, BRIDGE_MAX_CALL_BYTES };

/* Counts the bytes that a request holds until it is done. */
static void
measure (BridgeRequest *request)
{
  request->size = sizeof *request + strlen (request->name);
  if (request->id != NULL)
    request->size += strlen (request->id);
  if (request->arguments == NULL)
    return;
  /* As bytes it takes a tenth of what it takes as a tree, whose size nobody knows. */
  g_variant_get_data (request->arguments);
  request->size += g_variant_get_size (request->arguments);
}

/* Takes @request, unless it returns why not. Returns: (transfer full) (nullable) */
static char *
queue (Bridge *bridge, BridgeRequest *request)
{
  char *why = NULL;

  g_mutex_lock (&bridge->lock);
  if (bridge->wake == NULL)
    why = g_strdup ("this scene has no services on rosbridge; add_service ('rosbridge') gives it "
                    "some");
  else if (request->kind == BRIDGE_GONE)
    g_queue_push_tail (&bridge->requests.items, request);
  else
    why = backlog_add (&bridge->requests, request, request->size, &limits);
  if (why == NULL)
    bridge->wake (bridge->wake_data);
  g_mutex_unlock (&bridge->lock);
  return why;
}

/* Takes @request, unless it returns why not. Returns: (transfer full) (nullable) */
static char *
queue_for (BridgeSession *self, BridgeWaiting *waiting, BridgeRequest *request)
{
  gsize size = request->size;
  char *why = queue (self->bridge, request);

  if (why == NULL) {
    waiting->n++;
    waiting->n_bytes += size;
  }
  return why;
}

static void
submit (BridgeSession *self, BridgeRequest *request)
{
  g_autoptr (BridgeRequest) owned = request;
  g_autofree char *why = NULL;

  measure (request);
  if (self->calls.n >= BRIDGE_MAX_CALLS)
    why = g_strdup_printf ("%d calls of this client wait for an answer, which is the limit",
                           BRIDGE_MAX_CALLS);
  else if (request->size > BRIDGE_MAX_CALL_BYTES - self->calls.n_bytes)
    why = g_strdup_printf ("the calls of this client that wait for an answer have %" G_GSIZE_FORMAT
                           " bytes, this one has %" G_GSIZE_FORMAT
                           ", and the limit is %" G_GSIZE_FORMAT,
                           self->calls.n_bytes, request->size, BRIDGE_MAX_CALL_BYTES);
  else
    why = queue_for (self, &self->calls, request);
  if (why != NULL)
    refuse (self, request, why);
  else
    g_steal_pointer (&owned);
}

static void
cancel (BridgeSession *self, BridgeRequest *request)
{
  g_autoptr (BridgeRequest) owned = request;
  g_autofree char *why = NULL;

  measure (request);
  if (self->cancels.n >= BRIDGE_MAX_CANCELS ||
      request->size > BRIDGE_MAX_CANCEL_BYTES - self->cancels.n_bytes)
    why = g_strdup_printf ("%u cancellations of this client, of %" G_GSIZE_FORMAT
                           " bytes, wait for the simulation, and the limits are %d and "
                           "%" G_GSIZE_FORMAT,
                           self->cancels.n, self->cancels.n_bytes, BRIDGE_MAX_CANCELS,
                           BRIDGE_MAX_CANCEL_BYTES);
  else
    why = queue_for (self, &self->cancels, request);
  if (why == NULL) {
    g_steal_pointer (&owned);
    return;
  }
  bridge_session_say (self, BRIDGE_LEVEL_ERROR,
                      request->id != NULL && strlen (request->id) <= BRIDGE_MAX_ID ? request->id
                                                                                   : NULL,
                      "cancel_action_goal: %s", why);
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
  g_autoptr (BridgeRequest) request = NULL;
  g_autofree char *why = NULL;

  /* Nothing waits that could be cancelled. */
  if (self->calls.n == 0)
    return;
  request = g_new0 (BridgeRequest, 1);
  request->kind = BRIDGE_GONE;
  request->client = web_client_get_number (self->client);
  why = queue (self->bridge, request);
  if (why == NULL)
    g_steal_pointer (&request);
}
