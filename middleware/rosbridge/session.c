/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of rosbridge: reads its operations, and tells it what is wrong with them. */
#include "bridge-private.h"

#include <string.h>

static const char *const levels[] = { "info", "warning", "error", "none", NULL };

/* --- what is told --- */

/* Where the next fragment ends: between two characters. */
static gsize
find_cut (const char *text, gsize length, gsize start, guint32 size)
{
  gsize end = MIN (start + size, length);

  while (end < length && end > start + 1 && ((guchar) text[end] & 0xc0) == 0x80)
    end--;
  return end;
}

static void
send_fragment (BridgeSession *self, guint i, guint n, const char *text, gsize length)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *part = g_strndup (text, length);
  g_autofree char *head = g_strdup_printf ("{\"op\":\"fragment\",\"id\":\"%u\",\"num\":%u,"
                                           "\"total\":%u,\"data\":",
                                           self->last_fragment, i, n);
  g_autoptr (GBytes) bytes = NULL;

  orrery_writer_append_text (writer, head);
  orrery_writer_append_json_text (writer, part);
  orrery_writer_append_char (writer, '}');
  bytes = orrery_writer_dup_bytes (writer);
  web_client_send (self->client, WEB_TEXT, bytes);
}

void
bridge_session_send (BridgeSession *self, GBytes *text, guint32 fragment_size)
{
  gsize length;
  const char *data = g_bytes_get_data (text, &length);
  guint n = 0;

  if (fragment_size == 0 || length <= fragment_size) {
    web_client_send (self->client, WEB_TEXT, text);
    return;
  }
  self->last_fragment++;
  for (gsize at = 0; at < length; at = find_cut (data, length, at, fragment_size))
    n++;
  for (gsize at = 0, i = 0; at < length; i++) {
    gsize end = find_cut (data, length, at, fragment_size);

    send_fragment (self, (guint) i, n, data + at, end - at);
    at = end;
  }
}

void
bridge_session_say (BridgeSession *self, BridgeLevel level, const char *id, const char *format, ...)
{
  g_autoptr (OrreryWriter) writer = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *words = NULL;
  va_list list;

  if (level < self->level)
    return;
  va_start (list, format);
  words = g_strdup_vprintf (format, list);
  va_end (list);
  writer = orrery_writer_new ();
  orrery_writer_append_text (writer, "{\"op\":\"status\",\"level\":");
  orrery_writer_append_json_text (writer, levels[level]);
  orrery_writer_append_text (writer, ",\"msg\":");
  orrery_writer_append_json_text (writer, words);
  if (id != NULL) {
    orrery_writer_append_text (writer, ",\"id\":");
    orrery_writer_append_text (writer, id);
  }
  orrery_writer_append_char (writer, '}');
  bytes = orrery_writer_dup_bytes (writer);
  web_client_send (self->client, WEB_TEXT, bytes);
}

/* --- what is in an operation --- */

char *
bridge_read_id (OrreryNode *operation)
{
  OrreryNode *id = orrery_node_find (operation, "id");
  g_autoptr (OrreryWriter) writer = NULL;
  g_autoptr (GVariant) value = NULL;
  gsize length;
  const char *text;

  if (id == NULL || (orrery_node_get_kind (id) != ORRERY_NODE_TEXT &&
                     orrery_node_get_kind (id) != ORRERY_NODE_INT))
    return NULL;
  writer = orrery_writer_new ();
  value = orrery_node_to_variant (id);
  orrery_writer_append_json_variant (writer, value);
  text = orrery_writer_get_data (writer, &length);
  return g_strndup (text, length);
}

gboolean
bridge_check_id (BridgeSession *self, OrreryNode *operation, const char *id)
{
  if (id == NULL || strlen (id) <= BRIDGE_MAX_ID)
    return TRUE;
  bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL, "%s: an 'id' has at most %d bytes",
                      orrery_node_get_text (orrery_node_find (operation, "op")), BRIDGE_MAX_ID);
  return FALSE;
}

static void
say_wrong (BridgeSession *self, OrreryNode *operation, const char *key, const char *what)
{
  g_autofree char *id = bridge_read_id (operation);
  OrreryNode *value = orrery_node_find (operation, key);

  bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "%s: '%s' is %s, not %s",
                      orrery_node_get_text (orrery_node_find (operation, "op")), key, what,
                      value != NULL ? orrery_node_get_kind_name (value) : "left out");
}

gboolean
bridge_read_number (BridgeSession *self, OrreryNode *operation, const char *key, guint max,
                    guint *value)
{
  OrreryNode *node = orrery_node_find (operation, key);
  g_autofree char *what = NULL;
  double number;

  if (node == NULL || orrery_node_get_kind (node) == ORRERY_NODE_NULL)
    return TRUE;
  if (orrery_node_get_kind (node) == ORRERY_NODE_INT ||
      orrery_node_get_kind (node) == ORRERY_NODE_DOUBLE) {
    number = orrery_node_get_double (node);
    if (number >= 0 && number <= max) {
      *value = (guint) number;
      return TRUE;
    }
  }
  what = g_strdup_printf ("a number from 0 to %u", max);
  say_wrong (self, operation, key, what);
  return FALSE;
}

const char *
bridge_read_text (BridgeSession *self, OrreryNode *operation, const char *key)
{
  OrreryNode *node = orrery_node_find (operation, key);

  if (node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT &&
      *orrery_node_get_text (node) != '\0')
    return orrery_node_get_text (node);
  say_wrong (self, operation, key, "a text");
  return NULL;
}

/* --- what clients publish --- */

/* Returns: (nullable): a topic that is read here; what is wrong is told */
static BridgeTopic *
find_reader (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *name = bridge_read_text (self, operation, "topic");
  BridgeTopic *topic = name != NULL ? bridge_find_topic (self->bridge, name) : NULL;

  if (topic != NULL && topic->readers->len > 0)
    return topic;
  if (name != NULL)
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "%s: nothing reads a topic '%.*s'; /rosapi/topics lists what there is",
                        orrery_node_get_text (orrery_node_find (operation, "op")), BRIDGE_QUOTED,
                        name);
  return NULL;
}

static void
advertise (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *type = bridge_read_text (self, operation, "type");
  BridgeTopic *topic = type != NULL ? find_reader (self, operation) : NULL;

  if (topic == NULL)
    return;
  if (topic->type != NULL && !bridge_is_type (topic->type, type))
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "advertise: messages of '%s' are %s, not %.*s", topic->name,
                        orrery_message_type_get_name (topic->type), BRIDGE_QUOTED, type);
  else
    g_hash_table_add (self->advertised, topic);
}

static void
unadvertise (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *name = bridge_read_text (self, operation, "topic");
  BridgeTopic *topic = name != NULL ? bridge_find_topic (self->bridge, name) : NULL;

  if (name != NULL && (topic == NULL || !g_hash_table_remove (self->advertised, topic)))
    bridge_session_say (self, BRIDGE_LEVEL_WARNING, id,
                        "unadvertise: '%.*s' was not advertised by this client", BRIDGE_QUOTED,
                        name);
}

/* The message as the codecs of the topic read it; what is wrong is told. */
static gboolean
write_message (BridgeSession *self, const char *id, BridgeTopic *topic, OrreryNode *message,
               OrreryWriter *writer)
{
  g_autoptr (OrreryWriter) json = orrery_writer_new ();
  g_autoptr (GVariant) value = orrery_node_to_variant (message);
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *text;

  if (topic->type == NULL) {
    orrery_writer_append_json_variant (writer, value);
    return TRUE;
  }
  orrery_writer_append_json_variant (json, value);
  text = orrery_writer_get_data (json, &length);
  if (!bridge_topic_read_json (topic, text, length, writer, &error))
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "publish: a message of '%s' is wrong: %s",
                        topic->name, error->message);
  return error == NULL;
}

static void
put (BridgeSession *self, const char *id, BridgeTopic *topic, OrreryNode *message)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;
  const char *data;

  if (!write_message (self, id, topic, message, writer))
    return;
  data = orrery_writer_get_data (writer, &length);
  g_mutex_lock (&self->bridge->lock);
  for (guint i = 0; self->bridge->has_streams && i < topic->readers->len; i++)
    orrery_stream_put (topic->readers->pdata[i], web_client_get_number (self->client), data,
                       length);
  g_mutex_unlock (&self->bridge->lock);
}

/* Who publishes without a word before has advertised by that. */
static void
publish (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  OrreryNode *message = orrery_node_find (operation, "msg");
  BridgeTopic *topic = find_reader (self, operation);

  if (topic == NULL)
    return;
  if (message != NULL && orrery_node_get_kind (message) == ORRERY_NODE_DICT)
    put (self, id, topic, message);
  else
    say_wrong (self, operation, "msg", "an object");
}

/* --- operations --- */

static void
set_level (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *name = bridge_read_text (self, operation, "level");

  if (name == NULL)
    return;
  for (guint i = 0; levels[i] != NULL; i++)
    if (g_str_equal (levels[i], name)) {
      self->level = (BridgeLevel) i;
      return;
    }
  bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                      "set_level: there are info, warning, error and none, but no '%.*s'",
                      BRIDGE_QUOTED, name);
}

static void
call_service (BridgeSession *self, OrreryNode *operation)
{
  bridge_request (self, operation, BRIDGE_CALL);
}

static void
send_goal (BridgeSession *self, OrreryNode *operation)
{
  bridge_request (self, operation, BRIDGE_GOAL);
}

static void
cancel_goal (BridgeSession *self, OrreryNode *operation)
{
  bridge_request (self, operation, BRIDGE_CANCEL);
}

static void
refuse_service (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);

  bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                      "%s: a simulation has services and actions, and calls none of its clients",
                      orrery_node_get_text (orrery_node_find (operation, "op")));
}

static void
refuse_auth (BridgeSession *self, OrreryNode *operation)
{
  bridge_session_say (self, BRIDGE_LEVEL_WARNING, NULL,
                      "auth: who is let in is known by the connection; a token is given as "
                      "?token= in its address");
}

static const struct {
  const char *name;
  void (*func) (BridgeSession *self, OrreryNode *operation);
} operations[] = {
  { "advertise", advertise },
  { "unadvertise", unadvertise },
  { "publish", publish },
  { "subscribe", bridge_subscribe },
  { "unsubscribe", bridge_unsubscribe },
  { "call_service", call_service },
  { "send_action_goal", send_goal },
  { "cancel_action_goal", cancel_goal },
  { "fragment", bridge_read_fragment },
  { "set_level", set_level },
  { "auth", refuse_auth },
  { "advertise_service", refuse_service },
  { "unadvertise_service", refuse_service },
  { "service_response", refuse_service },
  { "advertise_action", refuse_service },
  { "unadvertise_action", refuse_service },
  { "action_feedback", refuse_service },
  { "action_result", refuse_service },
};

static void
do_operation (BridgeSession *self, OrreryNode *operation, gboolean is_reassembled)
{
  g_autofree char *id = bridge_read_id (operation);
  OrreryNode *op = orrery_node_find (operation, "op");
  const char *name = op != NULL && orrery_node_get_kind (op) == ORRERY_NODE_TEXT
                         ? orrery_node_get_text (op)
                         : NULL;

  if (name == NULL) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "an operation has its name in 'op'");
    return;
  }
  if (is_reassembled && g_str_equal (name, "fragment")) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "fragment: a message of fragments is one");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (g_str_equal (operations[i].name, name)) {
      operations[i].func (self, operation);
      return;
    }
  bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "there is no operation '%.*s'", BRIDGE_QUOTED,
                      name);
}

void
bridge_session_read (BridgeSession *self, const char *text, gsize length, gboolean is_reassembled)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, length, "message", &error);

  if (node == NULL)
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL, "%.400s", error->message);
  else if (orrery_node_get_kind (node) != ORRERY_NODE_DICT)
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL, "an operation is an object of JSON, not %s",
                        orrery_node_get_kind_name (node));
  else
    do_operation (self, node, is_reassembled);
}

/* --- life --- */

static void
on_open (gpointer data, WebClient *client)
{
  BridgeSession *self = g_new0 (BridgeSession, 1);

  self->bridge = data;
  self->client = client;
  self->level = BRIDGE_LEVEL_ERROR;
  self->subscriptions = g_hash_table_new (NULL, NULL);
  self->advertised = g_hash_table_new (NULL, NULL);
  web_client_set_data (client, self);
}

static void
on_message (gpointer data, WebClient *client, WebKind kind, const char *text, gsize length)
{
  BridgeSession *self = web_client_get_data (client);

  if (kind == WEB_TEXT)
    bridge_session_read (self, text, length, FALSE);
  else
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, NULL, "operations are JSON in frames of text");
}

static void
on_close (gpointer data, WebClient *client)
{
  BridgeSession *self = web_client_get_data (client);

  bridge_unsubscribe_all (self);
  bridge_tell_gone (self);
  bridge_drop_fragments (self);
  g_hash_table_unref (self->subscriptions);
  g_hash_table_unref (self->advertised);
  g_free (self);
}

const WebSocketFuncs bridge_session_funcs = { on_open, on_message, on_close };
