/* SPDX-License-Identifier: BSD-3-Clause */
/* A client of the viewer: reads its operations, keeps its subscriptions. */
#include "hub-private.h"

#include <string.h>

/* How often a client is told that it loses messages, ms. */
#define REPORT_MS 5000

/* The place of updates of what changes: they follow the update of the whole scene, and do not take
 * its place. No channel has such a number. */
#define HUB_CHANGING G_MAXUINT64

static const char own_protocol[] = "orrery.view.v1";

/* Schemas of Foxglove are known by their name; these say as much as tools without them need. */
static const char frames_schema[] =
    "{\"type\":\"object\",\"title\":\"foxglove.FrameTransforms\",\"properties\":{\"transforms\":"
    "{\"type\":\"array\",\"items\":{\"type\":\"object\"}}}}";
static const char scene_schema[] =
    "{\"type\":\"object\",\"title\":\"foxglove.SceneUpdate\",\"properties\":{\"deletions\":"
    "{\"type\":\"array\",\"items\":{\"type\":\"object\"}},\"entities\":"
    "{\"type\":\"array\",\"items\":{\"type\":\"object\"}}}}";

/* --- what is told --- */

void
hub_session_send_text (HubSession *self, OrreryWriter *writer)
{
  g_autoptr (GBytes) bytes = orrery_writer_dup_bytes (writer);

  web_client_send (self->client, WEB_TEXT, bytes);
}

static void
append_pair (OrreryWriter *out, const char *key, const char *value)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_json_text (out, value);
}

void
hub_session_tell (HubSession *self, guint level, const char *id, const char *format, ...)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  g_autofree char *words = NULL;
  va_list list;

  va_start (list, format);
  words = g_strdup_vprintf (format, list);
  va_end (list);
  orrery_writer_append_text (out, "{\"op\":\"status\",\"level\":");
  orrery_writer_append_int (out, level);
  append_pair (out, ",\"message\":", words);
  if (id != NULL)
    append_pair (out, ",\"id\":", id);
  orrery_writer_append_char (out, '}');
  hub_session_send_text (self, out);
}

void
hub_session_report (HubSession *self)
{
  guint64 dropped = web_client_get_dropped (self->client);
  gint64 now = g_get_monotonic_time () / 1000;

  /* Our own page takes the newest poses and draws when it can. */
  if (self->is_own || dropped == self->dropped || now < self->told + REPORT_MS)
    return;
  hub_session_tell (self, 1, "slow",
                    "this client reads too slowly: messages dropped so far: %" G_GUINT64_FORMAT,
                    dropped);
  self->dropped = dropped;
  self->told = now;
}

static void
append_channel (OrreryWriter *out, guint id, const char *topic, const char *encoding,
                const char *schema_name)
{
  orrery_writer_append_text (out, id == HUB_POSES || id == HUB_FRAMES ? "{\"id\":" : ",{\"id\":");
  orrery_writer_append_int (out, id);
  append_pair (out, ",\"topic\":", topic);
  append_pair (out, ",\"encoding\":", encoding);
  append_pair (out, ",\"schemaName\":", schema_name);
}

static void
append_part (HubSession *self, OrreryWriter *out, guint index)
{
  const ViewPart *part = &self->view->parts[index];
  g_autoptr (OrreryWriter) schema = orrery_writer_new ();
  g_autofree char *text = NULL;
  const char *data;
  gsize length;

  if (part->schema == NULL)
    return;
  if (self->is_own) {
    append_channel (out, HUB_CHANNEL (index, HUB_BINARY), part->topic, "orrery-record",
                    part->classpath != NULL ? part->classpath : "");
    orrery_writer_append_text (out, ",\"schema\":\"\"");
  } else {
    append_channel (out, HUB_CHANNEL (index, HUB_TEXT), part->topic, "json",
                    part->classpath != NULL ? part->classpath : "");
    view_write_schema (part, schema);
    data = orrery_writer_get_data (schema, &length);
    text = g_strndup (data, length);
    append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", text);
  }
  append_pair (out, ",\"metadata\":{\"component\":", part->name);
  orrery_writer_append_text (out, "}}");
}

static void
advertise (HubSession *self)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  orrery_writer_append_text (out, "{\"op\":\"advertise\",\"channels\":[");
  if (self->is_own) {
    append_channel (out, HUB_POSES, "/poses", "orrery-poses", "orrery.Poses");
    orrery_writer_append_text (out, ",\"schema\":\"\"}");
    append_channel (out, HUB_CONTACTS, "/contacts", "orrery-contacts", "orrery.Contacts");
    orrery_writer_append_text (out, ",\"schema\":\"\"}");
    append_channel (out, HUB_LOOKS, "/looks", "orrery-looks", "orrery.Looks");
    orrery_writer_append_text (out, ",\"schema\":\"\"}");
  } else {
    append_channel (out, HUB_FRAMES, "/tf", "json", "foxglove.FrameTransforms");
    append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", frames_schema);
    orrery_writer_append_char (out, '}');
    append_channel (out, HUB_SCENE, "/scene", "json", "foxglove.SceneUpdate");
    append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", scene_schema);
    orrery_writer_append_char (out, '}');
  }
  append_channel (out, HUB_LINES, "/orrery/log", "json", "foxglove.Log");
  append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", hub_log_schema);
  orrery_writer_append_char (out, '}');
  append_channel (out, HUB_FAULTS, "/orrery/faults", "json", "orrery.Fault");
  append_pair (out, ",\"schemaEncoding\":\"jsonschema\",\"schema\":", hub_faults_schema);
  orrery_writer_append_char (out, '}');
  for (guint i = 0; i < self->view->n_parts; i++)
    append_part (self, out, i);
  orrery_writer_append_text (out, "]}");
  hub_session_send_text (self, out);
}

static void
append_time (OrreryWriter *out, const char *key, OrreryTime time)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_text (out, "{\"sec\":");
  orrery_writer_append_int (out, time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, time % ORRERY_SECOND);
  orrery_writer_append_char (out, '}');
}

static void
introduce (HubSession *self)
{
  OrreryPlayback *playback = self->view->playback;
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  append_pair (out, "{\"op\":\"serverInfo\",\"name\":", "Orrery " ORRERY_VERSION);
  orrery_writer_append_text (out, ",\"capabilities\":[\"time\",\"assets\",\"connectionGraph\"");
  if (self->view->control != NULL)
    orrery_writer_append_text (
        out, ",\"services\",\"clientPublish\",\"parameters\",\"parametersSubscribe\"");
  if (playback != NULL)
    orrery_writer_append_text (out, ",\"playbackControl\"");
  orrery_writer_append_text (out, self->view->control != NULL
                                      ? "],\"supportedEncodings\":[\"json\"]"
                                      : "],\"supportedEncodings\":[]");
  if (playback != NULL) {
    append_time (out, ",\"dataStartTime\":", orrery_playback_get_start (playback));
    append_time (out, ",\"dataEndTime\":", orrery_playback_get_end (playback));
  }
  append_pair (out, ",\"metadata\":{\"scene\":", self->view->title);
  append_pair (out, "},\"sessionId\":", self->view->session);
  orrery_writer_append_char (out, '}');
  hub_session_send_text (self, out);
}

/* --- messages of channels --- */

void
hub_session_send_time (HubSession *self, OrreryTime time)
{
  guint8 frame[9] = { HUB_OP_TIME };
  guint64 number = GUINT64_TO_LE ((guint64) time);
  g_autoptr (GBytes) bytes = NULL;

  memcpy (frame + 1, &number, sizeof number);
  bytes = g_bytes_new (frame, sizeof frame);
  web_client_send_newest (self->client, WEB_BINARY, bytes, 0, 1);
}

gboolean
hub_session_subscribes (HubSession *self, guint channel)
{
  return g_hash_table_contains (self->by_channel, GUINT_TO_POINTER (channel));
}

/* @place: of messages with the same one only the last @keep wait for a slow client */
static void
send_message (HubSession *self, guint channel, guint64 place, guint keep, OrreryTime time,
              GBytes *bytes)
{
  guint found =
      GPOINTER_TO_UINT (g_hash_table_lookup (self->by_channel, GUINT_TO_POINTER (channel)));
  guint32 id = GUINT32_TO_LE (found - 1);
  guint64 number = GUINT64_TO_LE ((guint64) time);
  guint8 head[13] = { HUB_OP_MESSAGE };

  if (found == 0)
    return;
  memcpy (head + 1, &id, sizeof id);
  memcpy (head + 5, &number, sizeof number);
  web_client_share_newest (self->client, WEB_BINARY, head, sizeof head, bytes, place, keep);
}

void
hub_session_send (HubSession *self, guint channel, OrreryTime time, GBytes *bytes)
{
  send_message (self, channel, channel, 1, time, bytes);
}

void
hub_session_send_queued (HubSession *self, guint channel, OrreryTime time, GBytes *bytes)
{
  send_message (self, channel, channel, HUB_LOG_LENGTH, time, bytes);
}

static void
send_array (HubSession *self, guint channel, GByteArray *array)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);

  hub_session_send (self, channel, self->hub->time, bytes);
}

static void
tell_left (HubSession *self, guint left)
{
  if (left > 0)
    hub_session_tell (self, 1, "scene", "%u meshes are too large to be sent and are not shown",
                      left);
}

void
hub_session_send_looks (HubSession *self)
{
  g_autoptr (GByteArray) rows = NULL;

  if (self->view != self->hub->view ||
      !g_hash_table_contains (self->by_channel, GUINT_TO_POINTER (HUB_LOOKS)))
    return;
  rows = g_byte_array_new ();
  view_write_looks (self->view->looks, rows);
  send_array (self, HUB_LOOKS, rows);
}

void
hub_session_send_changing (HubSession *self, GBytes *update, guint left)
{
  tell_left (self, left);
  send_message (self, HUB_SCENE, HUB_CHANGING, 1, self->hub->time, update);
}

static void
send_scene (HubSession *self)
{
  View *view = self->view;
  g_autoptr (GBytes) update = NULL;
  guint left = 0;

  /* With new colours the update that is kept is none any more. */
  hub_take_poses (self->hub);
  update = view->update != NULL ? g_bytes_ref (view->update) : NULL;
  if (update == NULL)
    update = view_make_update (view, self->hub->poses, FALSE, 0, &left);
  if (view->update == NULL && !view->has_spawnables)
    view->update = g_bytes_ref (update);
  tell_left (self, left);
  hub_session_send (self, HUB_SCENE, self->hub->time, update);
}

/* What was sent to others; the rest follows for all. */
static void
send_log (HubSession *self, HubLogKind kind, guint channel)
{
  g_autoptr (GPtrArray) entries = hub_log_get (self->hub->log, kind, 0);
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  for (guint i = 0; i < entries->len; i++) {
    const HubLogEntry *entry = entries->pdata[i];
    g_autoptr (GBytes) bytes = NULL;

    if (entry->serial > self->hub->logged[kind])
      break;
    orrery_writer_clear (out);
    hub_log_write (entry, out);
    bytes = orrery_writer_dup_bytes (out);
    hub_session_send_queued (self, channel, entry->time, bytes);
  }
}

/* What does not come by itself soon: a scene seldom changes, and a paused run sends no poses. */
static void
send_last (HubSession *self, guint channel)
{
  View *view = self->view;

  if (channel == HUB_POSES) {
    if (hub_take_poses (self->hub))
      return;
    if (self->hub->poses->len == 0)
      view_write_start (view, self->hub->poses);
    send_array (self, HUB_POSES, self->hub->poses);
  } else if (channel == HUB_CONTACTS) {
    send_array (self, channel, self->hub->contacts);
  } else if (channel == HUB_LOOKS) {
    hub_take_poses (self->hub);
    hub_session_send_looks (self);
  } else if (channel == HUB_SCENE) {
    send_scene (self);
  } else if (channel == HUB_LINES) {
    send_log (self, HUB_LOG_LINE, channel);
  } else if (channel == HUB_FAULTS) {
    send_log (self, HUB_LOG_FAULT, channel);
  }
}

/* --- subscriptions --- */

static void
count_reader (HubSession *self, guint channel, gboolean more)
{
  ViewPart *part;
  atomic_uint *kind;

  if (channel < HUB_FIRST_PART)
    return;
  part = &self->view->parts[HUB_PART (channel)];
  kind = HUB_KIND (channel) == HUB_TEXT ? &part->n_text : &part->n_binary;
  if (more) {
    atomic_fetch_add (kind, 1);
    if (part->n_readers++ == 0)
      view_watch (self->view, HUB_PART (channel), TRUE);
  } else {
    atomic_fetch_sub (kind, 1);
    if (--part->n_readers == 0)
      view_watch (self->view, HUB_PART (channel), FALSE);
  }
}

static gboolean
is_channel (HubSession *self, gint64 channel)
{
  guint part;

  if (channel == HUB_POSES || channel == HUB_CONTACTS || channel == HUB_LOOKS)
    return self->is_own;
  if (channel == HUB_FRAMES || channel == HUB_SCENE)
    return !self->is_own;
  if (channel == HUB_LINES || channel == HUB_FAULTS)
    return TRUE;
  if (channel < HUB_FIRST_PART || channel >= HUB_CHANNEL ((gint64) self->view->n_parts, HUB_TEXT))
    return FALSE;
  part = HUB_PART ((guint) channel);
  return (HUB_KIND (channel) == HUB_BINARY) == self->is_own &&
         self->view->parts[part].schema != NULL;
}

static void
subscribe (HubSession *self, gint64 id, gint64 channel)
{
  gpointer key = GUINT_TO_POINTER ((guint) channel);

  if (id < 0 || id >= G_MAXUINT32 || !is_channel (self, channel)) {
    hub_session_tell (self, 2, NULL, "there is no channel %" G_GINT64_FORMAT, channel);
    return;
  }
  if (g_hash_table_contains (self->by_channel, key) ||
      g_hash_table_contains (self->by_id, GUINT_TO_POINTER ((guint) id))) {
    hub_session_tell (self, 2, NULL,
                      "channel %" G_GINT64_FORMAT " or subscription %" G_GINT64_FORMAT
                      " is subscribed to already",
                      channel, id);
    return;
  }
  g_hash_table_insert (self->by_channel, key, GUINT_TO_POINTER ((guint) id + 1));
  g_hash_table_insert (self->by_id, GUINT_TO_POINTER ((guint) id), key);
  count_reader (self, (guint) channel, TRUE);
  hub_tell_graph (self->hub, (guint) channel);
  send_last (self, (guint) channel);
}

static void
unsubscribe (HubSession *self, gint64 id)
{
  gpointer key, channel;

  if (id < 0 || id > G_MAXUINT32 ||
      !g_hash_table_steal_extended (self->by_id, GUINT_TO_POINTER ((guint) id), &key, &channel)) {
    hub_session_tell (self, 2, NULL, "there is no subscription %" G_GINT64_FORMAT, id);
    return;
  }
  g_hash_table_remove (self->by_channel, channel);
  count_reader (self, GPOINTER_TO_UINT (channel), FALSE);
  hub_tell_graph (self->hub, GPOINTER_TO_UINT (channel));
}

/* --- operations --- */

gint64
hub_node_get_int (OrreryNode *node)
{
  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_INT ? orrery_node_get_int (node)
                                                                        : -1;
}

OrreryNode *
hub_session_find_list (HubSession *self, OrreryNode *message, const char *key)
{
  OrreryNode *list = orrery_node_find (message, key);

  if (list != NULL && orrery_node_get_kind (list) == ORRERY_NODE_LIST)
    return list;
  hub_session_tell (self, 2, NULL, "the operation needs a list '%s'", key);
  return NULL;
}

static void
take_subscribe (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "subscriptions");

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) != ORRERY_NODE_DICT) {
      hub_session_tell (self, 2, NULL, "a subscription is an object, not %s",
                        orrery_node_get_kind_name (item));
      return;
    }
    subscribe (self, hub_node_get_int (orrery_node_find (item, "id")),
               hub_node_get_int (orrery_node_find (item, "channelId")));
  }
}

static void
take_unsubscribe (HubSession *self, OrreryNode *message)
{
  OrreryNode *list = hub_session_find_list (self, message, "subscriptionIds");

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++)
    unsubscribe (self, hub_node_get_int (orrery_node_get_item (list, i)));
}

static void
take_operation (HubSession *self, OrreryNode *message)
{
  OrreryNode *op =
      orrery_node_get_kind (message) == ORRERY_NODE_DICT ? orrery_node_find (message, "op") : NULL;
  const char *name = op != NULL && orrery_node_get_kind (op) == ORRERY_NODE_TEXT
                         ? orrery_node_get_text (op)
                         : NULL;

  if (name == NULL)
    hub_session_tell (self, 2, NULL, "a message is an object with a text 'op'");
  else if (g_str_equal (name, "subscribe"))
    take_subscribe (self, message);
  else if (g_str_equal (name, "unsubscribe"))
    take_unsubscribe (self, message);
  else if (g_str_equal (name, "fetchAsset"))
    hub_session_fetch_asset (self, message);
  else if (g_str_equal (name, "subscribeConnectionGraph") ||
           g_str_equal (name, "unsubscribeConnectionGraph"))
    hub_session_follow_graph (self, *name == 's');
  else if (self->view->control != NULL && !hub_session_command (self, name, message))
    hub_session_tell (self, 2, NULL, "there is no operation '%.*s'", HUB_QUOTED, name);
  else if (self->view->control == NULL)
    hub_session_tell (self, 2, NULL,
                      "this server only shows the run: there is no operation '%.*s', but those "
                      "that subscribe, and fetchAsset",
                      HUB_QUOTED, name);
}

static void
on_message (gpointer data, WebClient *client, WebKind kind, const char *text, gsize length)
{
  HubSession *self = web_client_get_data (client);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) message = NULL;

  /* The scene that it knows was closed, and it is told so already. */
  if (self->view != self->hub->view)
    return;
  if (kind != WEB_TEXT && length > 0 && text[0] == HUB_OP_PLAY && self->view->playback != NULL) {
    hub_session_take_playback (self, text + 1, length - 1);
    return;
  }
  if (kind != WEB_TEXT && self->view->control != NULL) {
    hub_session_take_bytes (self, text, length);
    return;
  }
  if (kind != WEB_TEXT) {
    hub_session_tell (self, 2, NULL, "this server only shows the run: it takes no binary messages");
    return;
  }
  message = orrery_node_parse_json (text, length, "message", &error);
  if (message == NULL)
    hub_session_tell (self, 2, NULL, "%.200s", error->message);
  else
    take_operation (self, message);
}

/* --- coming and going --- */

static gboolean
on_log (gpointer hub)
{
  hub_take_log (hub);
  return G_SOURCE_CONTINUE;
}

static void
on_open (gpointer data, WebClient *client)
{
  HubSession *self = g_new0 (HubSession, 1);
  const char *protocol = web_client_get_protocol (client);

  self->hub = data;
  self->client = client;
  self->view = view_ref (self->hub->view);
  self->is_own = protocol != NULL && g_str_equal (protocol, own_protocol);
  self->by_channel = g_hash_table_new (NULL, NULL);
  self->by_id = g_hash_table_new (NULL, NULL);
  self->published = g_hash_table_new (NULL, NULL);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  web_client_set_data (client, self);
  g_ptr_array_add (self->hub->sessions, self);
  if (self->hub->sessions->len == 1) {
    hub_take_log (self->hub);
    hub_log_watch (self->hub->log, on_log, self->hub);
  }
  introduce (self);
  advertise (self);
  if (self->view->control != NULL)
    hub_session_offer (self);
  if (self->view->playback != NULL)
    hub_session_send_playback (self);
}

static void
on_close (gpointer data, WebClient *client)
{
  HubSession *self = web_client_get_data (client);
  GHashTableIter iter;
  gpointer channel;

  g_hash_table_iter_init (&iter, self->by_channel);
  while (g_hash_table_iter_next (&iter, &channel, NULL))
    count_reader (self, GPOINTER_TO_UINT (channel), FALSE);
  if (self->view->control != NULL)
    hub_session_leave (self);
  g_ptr_array_remove_fast (self->hub->sessions, self);
  if (self->hub->sessions->len == 0)
    hub_log_unwatch (self->hub->log);
  g_hash_table_iter_init (&iter, self->by_channel);
  while (self->view == self->hub->view && g_hash_table_iter_next (&iter, &channel, NULL))
    hub_tell_graph (self->hub, GPOINTER_TO_UINT (channel));
  g_hash_table_unref (self->published);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->by_channel);
  g_hash_table_unref (self->by_id);
  view_unref (self->view);
  g_free (self);
}

const WebSocketFuncs hub_socket_funcs = { on_open, on_message, on_close };
