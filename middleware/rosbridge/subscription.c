/* SPDX-License-Identifier: BSD-3-Clause */
/* What clients subscribe to, and how messages of topics come to them. */
#include "bridge-private.h"

#include <string.h>

/* Messages that wait for a slow client that says nothing of a queue, or 0, as roslib does if it is
 * not told: several may come in one tick. */
#define MAX_THROTTLE (24u * 3600 * 1000)
#define MIN_FRAGMENT 100
/* A client for which so much waits gets no further messages in fragments: half of a message would
 * be of no use, so fragments are not dropped. */
#define MAX_FRAGMENTED ((gsize) 8 * 1024 * 1024)

/* What one `subscribe` asks for. */
typedef struct {
  guint throttle; /* ms */
  guint queue_length;
  guint fragment_size;
  BridgeCompression compression;
} Wanted;

/* A client subscribes to a topic once, whatever number of ids it has for that. */
typedef struct {
  BridgeSession *session;
  BridgeTopic *topic;
  GHashTable *wanted; /* (element-type utf8 Wanted) by id */
  Wanted all;         /* what suits each of them */
  gint64 sent;        /* ms; of the last message */
  GQueue waiting;     /* (element-type GBytes): for the throttle */
  GSource *timer;     /* (nullable) */
} BridgeSubscription;

/* --- sending --- */

/* The forms of one message; each is made when somebody wants it. */
typedef struct {
  BridgeTopic *topic;
  GBytes *message;
  GBytes *json, *cbor, *raw;
} Forms;

static void
forms_clear (Forms *forms)
{
  g_clear_pointer (&forms->json, g_bytes_unref);
  g_clear_pointer (&forms->cbor, g_bytes_unref);
  g_clear_pointer (&forms->raw, g_bytes_unref);
}

/* Codecs of untyped topics write JSON. */
static gboolean
append_json (OrreryWriter *writer, BridgeTopic *topic, GBytes *message)
{
  gsize length;
  const char *text = g_bytes_get_data (message, &length);

  if (topic->type != NULL)
    return bridge_topic_write (topic, message, ORRERY_MESSAGE_ENCODING_JSON, writer);
  orrery_writer_append (writer, text, length);
  return TRUE;
}

/* Returns: (transfer full) (nullable): NULL: a codec wrote something else than it declared */
static GBytes *
make_json (BridgeTopic *topic, GBytes *message)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  orrery_writer_append_text (writer, "{\"op\":\"publish\",\"topic\":");
  orrery_writer_append_json_text (writer, topic->name);
  orrery_writer_append_text (writer, ",\"msg\":");
  if (!append_json (writer, topic, message))
    return NULL;
  orrery_writer_append_char (writer, '}');
  return orrery_writer_dup_bytes (writer);
}

static GBytes *
get_form (Forms *forms, BridgeCompression compression)
{
  if (compression == BRIDGE_CBOR && forms->cbor == NULL)
    forms->cbor = bridge_make_cbor (forms->topic, forms->message, BRIDGE_CBOR);
  if (compression == BRIDGE_CBOR_RAW && forms->raw == NULL)
    forms->raw = bridge_make_cbor (forms->topic, forms->message, BRIDGE_CBOR_RAW);
  if (compression == BRIDGE_JSON && forms->json == NULL)
    forms->json = make_json (forms->topic, forms->message);
  return compression == BRIDGE_CBOR       ? forms->cbor
         : compression == BRIDGE_CBOR_RAW ? forms->raw
                                          : forms->json;
}

static void
send_form (BridgeSubscription *self, GBytes *bytes)
{
  WebClient *client = self->session->client;
  gboolean is_text = self->all.compression == BRIDGE_JSON;

  if (is_text && self->all.fragment_size > 0 &&
      g_bytes_get_size (bytes) > self->all.fragment_size) {
    if (web_client_get_waiting (client) < MAX_FRAGMENTED)
      bridge_session_send (self->session, bytes, self->all.fragment_size);
  } else {
    web_client_send_newest (client, is_text ? WEB_TEXT : WEB_BINARY, bytes, self->topic->number,
                            self->all.queue_length > 0 ? self->all.queue_length
                                                       : self->topic->queue);
  }
}

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

static void
send_now (BridgeSubscription *self, Forms *forms)
{
  GBytes *bytes = get_form (forms, self->all.compression);

  self->sent = now_ms ();
  if (bytes != NULL)
    send_form (self, bytes);
  else
    bridge_session_say (self->session, BRIDGE_LEVEL_ERROR, NULL,
                        "a message of '%s' cannot be written as %s", self->topic->name,
                        self->all.compression == BRIDGE_JSON ? "JSON" : "CBOR");
}

/* --- the throttle --- */

static void
stop_timer (BridgeSubscription *self)
{
  if (self->timer == NULL)
    return;
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static gboolean on_timer (gpointer data);

static void
start_timer (BridgeSubscription *self)
{
  gint64 due = self->sent + self->all.throttle - now_ms ();

  self->timer = g_timeout_source_new ((guint) CLAMP (due, 0, MAX_THROTTLE));
  g_source_set_callback (self->timer, on_timer, self, NULL);
  g_source_attach (self->timer, g_main_context_get_thread_default ());
}

/* Returns: (transfer full) (nullable): the oldest message that waits */
static GBytes *
take_waiting (BridgeSubscription *self)
{
  GBytes *message = g_queue_pop_head (&self->waiting);

  if (message != NULL)
    self->session->n_held_bytes -= g_bytes_get_size (message);
  return message;
}

static gboolean
on_timer (gpointer data)
{
  BridgeSubscription *self = data;
  g_autoptr (GBytes) message = take_waiting (self);
  Forms forms = { .topic = self->topic, .message = message };

  stop_timer (self);
  if (message != NULL)
    send_now (self, &forms);
  forms_clear (&forms);
  if (self->waiting.length > 0)
    start_timer (self);
  return G_SOURCE_REMOVE;
}

/* Without a queue, what comes too early is left out. The topics of a client share its bytes. */
static void
hold (BridgeSubscription *self, GBytes *message)
{
  gsize *held = &self->session->n_held_bytes;
  gsize length = g_bytes_get_size (message);

  if (self->all.queue_length == 0)
    return;
  while (self->waiting.length > 0 &&
         (self->waiting.length >= self->all.queue_length || *held + length > BRIDGE_MAX_HELD))
    g_bytes_unref (take_waiting (self));
  if (*held + length > BRIDGE_MAX_HELD)
    return;
  g_queue_push_tail (&self->waiting, g_bytes_ref (message));
  *held += length;
  if (self->timer == NULL)
    start_timer (self);
}

static gboolean
is_early (BridgeSubscription *self)
{
  return self->all.throttle > 0 &&
         (self->waiting.length > 0 || now_ms () - self->sent < self->all.throttle);
}

void
bridge_deliver (const WebMail *mail)
{
  BridgeTopic *topic = mail->data;
  g_autoptr (GBytes) message = NULL;
  Forms forms = { .topic = topic };

  if (topic->subscriptions->len == 0 && !topic->latched)
    return;
  message = forms.message = web_mail_dup_bytes (mail);
  for (guint i = 0; i < topic->subscriptions->len; i++) {
    BridgeSubscription *subscription = topic->subscriptions->pdata[i];

    if (is_early (subscription))
      hold (subscription, message);
    else
      send_now (subscription, &forms);
  }
  forms_clear (&forms);
  if (topic->latched) {
    g_clear_pointer (&topic->last, g_bytes_unref);
    topic->last = g_bytes_ref (message);
  }
}

/* --- subscribing --- */

/* The first one wants messages encoded, and with the last one nobody does. */
static void
set_listening (BridgeTopic *topic)
{
  Bridge *bridge = topic->bridge;

  if (topic->latched)
    return;
  g_mutex_lock (&bridge->lock);
  for (guint i = 0; bridge->has_streams && i < topic->writers->len; i++) {
    BridgeWriter *writer = &g_array_index (topic->writers, BridgeWriter, i);

    orrery_stream_set_topic_listening (writer->stream, writer->index,
                                       topic->subscriptions->len > 0);
  }
  g_mutex_unlock (&bridge->lock);
}

static void
subscription_free (BridgeSubscription *self)
{
  stop_timer (self);
  while (self->waiting.length > 0)
    g_bytes_unref (take_waiting (self));
  g_hash_table_remove (self->session->subscriptions, self->topic);
  g_ptr_array_remove (self->topic->subscriptions, self);
  set_listening (self->topic);
  g_hash_table_unref (self->wanted);
  g_free (self);
}

void
bridge_unsubscribe_all (BridgeSession *self)
{
  g_autoptr (GList) all = g_hash_table_get_values (self->subscriptions);

  for (GList *at = all; at != NULL; at = at->next)
    subscription_free (at->data);
}

static BridgeSubscription *
make_subscription (BridgeSession *session, BridgeTopic *topic)
{
  BridgeSubscription *self = g_new0 (BridgeSubscription, 1);

  self->session = session;
  self->topic = topic;
  self->wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->sent = G_MININT32;
  g_hash_table_insert (session->subscriptions, topic, self);
  g_ptr_array_add (topic->subscriptions, self);
  set_listening (topic);
  return self;
}

/* Of several subscriptions the quickest, and the shortest queue and fragments. */
static void
merge (BridgeSubscription *self)
{
  Wanted all = { .throttle = G_MAXUINT, .queue_length = G_MAXUINT, .fragment_size = G_MAXUINT };
  GHashTableIter iter;
  Wanted *wanted;

  g_hash_table_iter_init (&iter, self->wanted);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &wanted)) {
    all.throttle = MIN (all.throttle, wanted->throttle);
    all.queue_length = MIN (all.queue_length, wanted->queue_length);
    if (wanted->fragment_size > 0)
      all.fragment_size = MIN (all.fragment_size, wanted->fragment_size);
    all.compression = MAX (all.compression, wanted->compression);
  }
  if (all.fragment_size == G_MAXUINT)
    all.fragment_size = 0;
  self->all = all;
}

static gboolean
read_compression (BridgeSession *self, OrreryNode *operation, BridgeTopic *topic, Wanted *wanted)
{
  g_autofree char *id = bridge_read_id (operation);
  OrreryNode *node = orrery_node_find (operation, "compression");
  const char *name = "none";

  if (node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT)
    name = orrery_node_get_text (node);
  wanted->compression = g_str_equal (name, "cbor")       ? BRIDGE_CBOR
                        : g_str_equal (name, "cbor-raw") ? BRIDGE_CBOR_RAW
                                                         : BRIDGE_JSON;
  if (wanted->compression == BRIDGE_JSON && !g_str_equal (name, "none")) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "subscribe: there is no compression '%.*s', but none, cbor and cbor-raw",
                        BRIDGE_QUOTED, name);
    return FALSE;
  }
  if (wanted->compression == BRIDGE_CBOR_RAW && topic->type == NULL) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "subscribe: messages of '%s' have no type, so there is no cbor-raw",
                        topic->name);
    return FALSE;
  }
  return TRUE;
}

static gboolean
read_wanted (BridgeSession *self, OrreryNode *operation, BridgeTopic *topic, Wanted *wanted)
{
  if (!bridge_read_number (self, operation, "throttle_rate", MAX_THROTTLE, &wanted->throttle) ||
      !bridge_read_number (self, operation, "queue_length", BRIDGE_MAX_QUEUE,
                           &wanted->queue_length) ||
      !bridge_read_number (self, operation, "fragment_size", G_MAXINT, &wanted->fragment_size) ||
      !read_compression (self, operation, topic, wanted))
    return FALSE;
  if (wanted->fragment_size > 0)
    wanted->fragment_size = MAX (wanted->fragment_size, MIN_FRAGMENT);
  return TRUE;
}

/* Returns: (nullable): a topic that has messages; what is wrong is told */
static BridgeTopic *
find_written (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *name = bridge_read_text (self, operation, "topic");
  BridgeTopic *topic = name != NULL ? bridge_find_topic (self->bridge, name) : NULL;
  OrreryNode *type = orrery_node_find (operation, "type");
  gboolean has_type = type != NULL && orrery_node_get_kind (type) == ORRERY_NODE_TEXT &&
                      *orrery_node_get_text (type) != '\0';

  if (name == NULL)
    return NULL;
  if (topic == NULL || topic->writers->len == 0) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "subscribe: nothing publishes a topic '%.*s'; /rosapi/topics lists what "
                        "there is",
                        BRIDGE_QUOTED, name);
    return NULL;
  }
  if (!has_type || topic->type == NULL || bridge_is_type (topic->type, orrery_node_get_text (type)))
    return topic;
  bridge_session_say (self, BRIDGE_LEVEL_ERROR, id, "subscribe: messages of '%s' are %s, not %.*s",
                      topic->name, orrery_message_type_get_name (topic->type), BRIDGE_QUOTED,
                      orrery_node_get_text (type));
  return NULL;
}

static void
send_last (BridgeSubscription *self)
{
  Forms forms = { .topic = self->topic, .message = self->topic->last };

  if (self->topic->last != NULL)
    send_now (self, &forms);
  forms_clear (&forms);
}

void
bridge_subscribe (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  BridgeTopic *topic = find_written (self, operation);
  BridgeSubscription *subscription;
  Wanted wanted = { 0 };
  gboolean is_new;

  if (topic == NULL || !bridge_check_id (self, operation, id) ||
      !read_wanted (self, operation, topic, &wanted))
    return;
  subscription = g_hash_table_lookup (self->subscriptions, topic);
  is_new = subscription == NULL;
  if (is_new)
    subscription = make_subscription (self, topic);
  if (g_hash_table_size (subscription->wanted) >= BRIDGE_MAX_SUBSCRIPTIONS) {
    bridge_session_say (self, BRIDGE_LEVEL_ERROR, id,
                        "subscribe: '%s' has %u subscriptions of this client, which is the limit",
                        topic->name, BRIDGE_MAX_SUBSCRIPTIONS);
    return;
  }
  g_hash_table_insert (subscription->wanted, g_strdup (id != NULL ? id : ""),
                       g_memdup2 (&wanted, sizeof wanted));
  merge (subscription);
  if (is_new)
    send_last (subscription);
}

void
bridge_unsubscribe (BridgeSession *self, OrreryNode *operation)
{
  g_autofree char *id = bridge_read_id (operation);
  const char *name = bridge_read_text (self, operation, "topic");
  BridgeTopic *topic = name != NULL ? bridge_find_topic (self->bridge, name) : NULL;
  BridgeSubscription *subscription =
      topic != NULL ? g_hash_table_lookup (self->subscriptions, topic) : NULL;

  if (name == NULL)
    return;
  if (subscription == NULL || (id != NULL && !g_hash_table_remove (subscription->wanted, id))) {
    bridge_session_say (self, BRIDGE_LEVEL_WARNING, id,
                        "unsubscribe: this client has no such subscription of '%.*s'",
                        BRIDGE_QUOTED, name);
    return;
  }
  if (id == NULL || g_hash_table_size (subscription->wanted) == 0)
    subscription_free (subscription);
  else
    merge (subscription);
}
