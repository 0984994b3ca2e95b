/* SPDX-License-Identifier: BSD-3-Clause */
/* What the managers of rosbridge share: the server, topics, and requests that wait. */
#include "bridge-private.h"

#include <string.h>

#define DEFAULT_PORT 9090
/* Ports that are tried if the first one is in use. */
#define N_PORTS 10
#define STOP_MS 300
/* Messages from this size on are passed on without a copy. */
#define LARGE 16384

/* --- sharing --- */

/* Both plugins have a copy of this code, whose structs the other one uses: the name says of which
 * release and shape. */
static char *
make_name (void)
{
  return g_strdup_printf ("orrery-rosbridge-" ORRERY_VERSION "-%zu-%zu-%zu", sizeof (Bridge),
                          sizeof (BridgeTopic), sizeof (BridgeRequest));
}

static void
topic_free (gpointer data)
{
  BridgeTopic *topic = data;

  g_array_unref (topic->writers);
  g_ptr_array_unref (topic->readers);
  g_ptr_array_unref (topic->subscriptions);
  g_clear_pointer (&topic->last, g_bytes_unref);
  if (topic->message != NULL)
    orrery_message_free (topic->type, topic->message);
  g_free (topic->name);
  g_free (topic);
}

Bridge *
bridge_share (gpointer world)
{
  g_autofree char *name = make_name ();
  Bridge *bridge = g_object_get_data (world, name);

  if (bridge == NULL) {
    bridge = g_new0 (Bridge, 1);
    bridge->port = -1;
    bridge->has_streams = TRUE;
    bridge->topics = g_ptr_array_new_with_free_func (topic_free);
    bridge->by_name = g_hash_table_new (g_str_hash, g_str_equal);
    g_mutex_init (&bridge->lock);
    bridge->owner = world;
    g_object_add_weak_pointer (world, (gpointer *) &bridge->owner);
    g_object_set_data (world, name, bridge);
  }
  bridge->n_users++;
  return bridge;
}

static void
leave_owner (Bridge *bridge)
{
  g_autofree char *name = make_name ();

  if (bridge->owner == NULL)
    return;
  g_object_set_data (bridge->owner, name, NULL);
  g_object_remove_weak_pointer (bridge->owner, (gpointer *) &bridge->owner);
}

void
bridge_release (Bridge *bridge)
{
  if (--bridge->n_users > 0)
    return;
  leave_owner (bridge);
  if (bridge->server != NULL)
    web_server_stop (bridge->server, STOP_MS);
  g_clear_pointer (&bridge->server, web_server_free);
  g_queue_clear_full (&bridge->requests.items, (GDestroyNotify) bridge_request_free);
  g_hash_table_unref (bridge->by_name);
  g_ptr_array_unref (bridge->topics);
  g_mutex_clear (&bridge->lock);
  g_clear_pointer (&bridge->messages, orrery_message_catalogue_unref);
  g_strfreev (bridge->services);
  g_free (bridge->address);
  g_free (bridge->origins);
  g_free (bridge);
}

/* --- options --- */

static gboolean
set_text (char **known, const char *given, const char *name, GError **error)
{
  if (given == NULL)
    return TRUE;
  if (*known != NULL && !g_str_equal (*known, given))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "rosbridge has one server for streams and services, but '%s' is given "
                             "twice: '%s' and '%s'",
                             name, *known, given);
  g_free (*known);
  *known = g_strdup (given);
  return TRUE;
}

gboolean
bridge_set_options (Bridge *bridge, const BridgeOptions *options, GError **error)
{
  if (options->port >= 0 && bridge->port >= 0 && options->port != bridge->port)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "rosbridge has one server for streams and services, but 'port' is "
                             "given twice: %d and %d",
                             bridge->port, options->port);
  if (options->port >= 0)
    bridge->port = options->port;
  return set_text (&bridge->address, options->address, "address", error) &&
         set_text (&bridge->origins, options->origins, "origins", error);
}

static gboolean
start_server (Bridge *bridge, const WebServerOptions *options, GError **error)
{
  bridge->server = web_server_new (options, error);
  if (bridge->server == NULL)
    return FALSE;
  web_server_add_socket (bridge->server, "/", NULL, &bridge_session_funcs, bridge);
  if (web_server_start (bridge->server, error))
    return TRUE;
  g_clear_pointer (&bridge->server, web_server_free);
  return FALSE;
}

gboolean
bridge_start (Bridge *bridge, const char *users, const char *token_file, gboolean *started,
              GError **error)
{
  g_autoptr (LineAccess) access = NULL;
  g_autoptr (GError) failed = NULL;
  g_autofree char *why = NULL;
  g_auto (GStrv) origins = NULL;
  WebServerOptions options;

  *started = FALSE;
  if (++bridge->n_started < bridge->n_users)
    return TRUE;
  access = line_access_new (users, token_file, &why);
  if (access == NULL || !line_access_covers (access, bridge->address, &why))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "rosbridge: %s", why);
  web_server_options_init (&options);
  options.address = bridge->address;
  options.port = (guint16) (bridge->port >= 0 ? bridge->port : DEFAULT_PORT);
  options.tries = N_PORTS;
  options.max_message = BRIDGE_MAX_MESSAGE;
  options.access = g_steal_pointer (&access);
  origins = bridge->origins != NULL ? g_strsplit (bridge->origins, ",", -1) : NULL;
  options.origins = (const char *const *) origins;
  bridge->wanted_port = options.port;
  *started = start_server (bridge, &options, &failed);
  if (!*started)
    orrery_set_error (error, ORRERY_ERROR_IO, "rosbridge: %s", failed->message);
  return *started;
}

char *
bridge_describe (Bridge *bridge)
{
  const char *address = bridge->address;
  gboolean is_usual =
      address == NULL || g_str_equal (address, "127.0.0.1") || g_str_equal (address, "localhost");

  return g_strdup_printf ("%u%s%s", web_server_get_port (bridge->server), is_usual ? "" : " of ",
                          is_usual                     ? ""
                          : g_str_equal (address, "*") ? "all addresses"
                                                       : address);
}

char *
bridge_take_warning (Bridge *bridge)
{
  static const char *const words[WEB_N_COUNTS] = {
    [WEB_COUNT_ACCEPT_FAILED] = "no connection can be taken now",
    [WEB_COUNT_CROWDED] = "a client too many was turned away",
    [WEB_COUNT_DENIED] = "a client was turned away; --allow-users, --token-file and the option "
                         "'origins' let in others",
    [WEB_COUNT_STALLED] = "a client that does not read was closed",
    [WEB_COUNT_BROKEN] = "a client was closed that broke the protocol, or sent more than 1 MiB at "
                         "once",
    [WEB_COUNT_DROPPED] = "a client reads too slowly and loses messages",
    [WEB_COUNT_MAIL_LOST] = "messages come faster than they can be sent, and are lost",
  };

  for (guint i = 0; bridge->server != NULL && i < WEB_N_COUNTS; i++) {
    guint64 n = web_server_get_count (bridge->server, (WebCount) i);

    if (words[i] == NULL || n == 0 || bridge->warned[i])
      continue;
    bridge->warned[i] = TRUE;
    return g_strdup_printf ("rosbridge: %s (%" G_GUINT64_FORMAT " so far)", words[i], n);
  }
  return NULL;
}

void
bridge_flush (Bridge *bridge)
{
  if (bridge->server != NULL)
    web_server_flush (bridge->server);
}

/* --- topics --- */

char *
bridge_resolve (const char *name)
{
  return *name == '/' ? g_strdup (name) : g_strconcat ("/", name, NULL);
}

BridgeTopic *
bridge_find_topic (Bridge *bridge, const char *name)
{
  g_autofree char *whole = bridge_resolve (name);

  return g_hash_table_lookup (bridge->by_name, whole);
}

gboolean
bridge_is_type (const OrreryMessageType *type, const char *name)
{
  const char *own = orrery_message_type_get_name (type);
  const char *package = strchr (own, '/');
  gsize length = (gsize) (package - own) + 1;

  return g_str_equal (own, name) ||
         (strncmp (own, name, length) == 0 && g_str_equal (strrchr (own, '/') + 1, name + length));
}

static BridgeTopic *
add_topic (Bridge *bridge, const char *name, const OrreryMessageType *type, GError **error)
{
  g_autofree char *whole = bridge_resolve (name);
  BridgeTopic *topic = g_hash_table_lookup (bridge->by_name, whole);

  if (topic != NULL && topic->type == type)
    return topic;
  if (topic != NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "topic '%s' has messages of %s already, and cannot have %s", whole,
                      topic->type != NULL ? orrery_message_type_get_name (topic->type) : "JSON",
                      type != NULL ? orrery_message_type_get_name (type) : "JSON");
    return NULL;
  }
  topic = g_new0 (BridgeTopic, 1);
  *topic = (BridgeTopic){ .bridge = bridge,
                          .name = g_steal_pointer (&whole),
                          .number = bridge->topics->len + 1,
                          .type = type,
                          .queue = BRIDGE_USUAL_QUEUE,
                          .writers = g_array_new (FALSE, FALSE, sizeof (BridgeWriter)),
                          .readers = g_ptr_array_new (),
                          .subscriptions = g_ptr_array_new () };
  g_ptr_array_add (bridge->topics, topic);
  g_hash_table_insert (bridge->by_name, topic->name, topic);
  return topic;
}

BridgeTopic *
bridge_add_writer (Bridge *bridge, const char *name, const OrreryMessageType *type,
                   gboolean latched, OrreryStream *stream, guint index, GError **error)
{
  BridgeTopic *topic = add_topic (bridge, name, type, error);
  BridgeWriter writer = { stream, index };

  if (topic == NULL)
    return NULL;
  g_array_append_val (topic->writers, writer);
  topic->latched |= latched;
  /* A message that is kept is written before anybody listens. */
  if (latched)
    orrery_stream_set_topic_listening (stream, index, TRUE);
  return topic;
}

void
bridge_topic_set_queue (BridgeTopic *topic, guint n)
{
  topic->queue = n;
}

gboolean
bridge_add_reader (Bridge *bridge, const char *name, const OrreryMessageType *type,
                   OrreryStream *stream, GError **error)
{
  BridgeTopic *topic = add_topic (bridge, name, type, error);

  if (topic != NULL)
    g_ptr_array_add (topic->readers, stream);
  return topic != NULL;
}

/* --- messages with a type --- */

/* One message of each topic is read into the same memory again and again. */
static gboolean
read_message (BridgeTopic *topic, OrreryMessageEncoding encoding, const char *data, gsize length,
              GError **error)
{
  if (topic->message == NULL)
    topic->message = orrery_message_new (topic->type);
  return orrery_message_read (topic->type, topic->message, encoding, (const guint8 *) data, length,
                              error);
}

gboolean
bridge_topic_write (BridgeTopic *topic, GBytes *message, OrreryMessageEncoding encoding,
                    OrreryWriter *writer)
{
  gsize length;
  const char *data = g_bytes_get_data (message, &length);

  return read_message (topic, ORRERY_MESSAGE_ENCODING_CBOR, data, length, NULL) &&
         orrery_message_write (topic->type, topic->message, encoding, writer, NULL);
}

gboolean
bridge_topic_read_json (BridgeTopic *topic, const char *text, gsize length, OrreryWriter *writer,
                        GError **error)
{
  return read_message (topic, ORRERY_MESSAGE_ENCODING_JSON, text, length, error) &&
         orrery_message_write (topic->type, topic->message, ORRERY_MESSAGE_ENCODING_CBOR, writer,
                               error);
}

/* --- sending --- */

void
bridge_send (BridgeTopic *topic, OrreryWriter *writer, guint i)
{
  WebServer *server = topic->bridge->server;
  const char *text;
  gsize length;

  if (server == NULL)
    return;
  orrery_writer_get_message (writer, i, &text, &length);
  if (length < LARGE) {
    web_server_mail (server, bridge_deliver, topic, 0, text, length, FALSE);
  } else {
    g_autoptr (GBytes) bytes = orrery_writer_dup_message (writer, i);

    web_server_mail_bytes (server, bridge_deliver, topic, 0, bytes, FALSE);
  }
}

void
bridge_drop_streams (Bridge *bridge)
{
  g_mutex_lock (&bridge->lock);
  bridge->has_streams = FALSE;
  g_mutex_unlock (&bridge->lock);
}

/* --- requests --- */

void
bridge_request_free (BridgeRequest *request)
{
  if (request == NULL)
    return;
  g_clear_pointer (&request->arguments, g_variant_unref);
  g_free (request->name);
  g_free (request->id);
  g_free (request);
}

void
bridge_set_wake (Bridge *bridge, void (*wake) (gpointer data), gpointer data)
{
  g_mutex_lock (&bridge->lock);
  bridge->wake = wake;
  bridge->wake_data = data;
  g_mutex_unlock (&bridge->lock);
}

void
bridge_set_services (Bridge *bridge, const char *const *names)
{
  g_mutex_lock (&bridge->lock);
  g_strfreev (bridge->services);
  bridge->services = g_strdupv ((char **) names);
  g_mutex_unlock (&bridge->lock);
}

void
bridge_set_messages (Bridge *bridge, OrreryMessageCatalogue *messages)
{
  if (bridge->messages == NULL)
    bridge->messages = orrery_message_catalogue_ref (messages);
}

void
bridge_set_time (Bridge *bridge, gint64 time)
{
  atomic_store_explicit (&bridge->time, time, memory_order_relaxed);
}

BridgeRequest *
bridge_take_request (Bridge *bridge)
{
  BridgeRequest *request;

  g_mutex_lock (&bridge->lock);
  request = g_queue_pop_head (&bridge->requests.items);
  if (request != NULL)
    bridge->requests.n_bytes -= request->size;
  g_mutex_unlock (&bridge->lock);
  return request;
}

/* What comes before the text of an answer. */
typedef struct {
  gsize size; /* of the request */
  guint32 is_last, is_cancel, fragment_size;
} Head;

/* On the I/O thread. */
static void
give_answer (const WebMail *mail)
{
  Bridge *bridge = mail->data;
  WebClient *client = web_server_find_client (bridge->server, mail->number);
  BridgeSession *session = client != NULL ? web_client_get_data (client) : NULL;
  g_autoptr (GBytes) text = NULL;
  BridgeWaiting *waiting;
  Head head;

  if (session == NULL)
    return;
  memcpy (&head, mail->text, sizeof head);
  waiting = head.is_cancel ? &session->cancels : &session->calls;
  if (head.is_last) {
    waiting->n--;
    waiting->n_bytes -= head.size;
  }
  if (head.is_cancel)
    return;
  text = g_bytes_new (mail->text + sizeof head, mail->length - sizeof head);
  bridge_session_send (session, text, head.fragment_size);
}

void
bridge_answer (Bridge *bridge, const BridgeRequest *request, const char *text, gsize length,
               gboolean is_last)
{
  Head head = { request->size, is_last, request->kind == BRIDGE_CANCEL, request->fragment_size };
  g_autofree char *whole = g_malloc (sizeof head + length);

  if (bridge->server == NULL)
    return;
  memcpy (whole, &head, sizeof head);
  memcpy (whole + sizeof head, text, length);
  web_server_mail (bridge->server, give_answer, bridge, request->client, whole,
                   sizeof head + length, TRUE);
}

void
bridge_finish (Bridge *bridge, const BridgeRequest *request)
{
  bridge_answer (bridge, request, "", 0, TRUE);
}
