/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records as lines of JSON over TCP, as MORSE's sockets have them. */
#define G_LOG_DOMAIN "orrery.middleware.socket_datastream"
#include <orrery.h>

#include "line-server.h"

#include <errno.h>

/*
 * Records as lines of JSON over TCP, one port for each stream; MORSE's protocol. Commands of
 * several clients are all taken, the last of a tick wins. Differs from MORSE: listens on loopback
 * unless `address` says otherwise, gives ports in the order of the config, keeps a bounded queue
 * for each client instead of sending in the tick, and refuses a message that it cannot read.
 */

#define TRIES 1000
/* What of a synchronising client's bytes releases one tick at most. */
#define SYNC_BYTES 2048
#define STOP_MS 300
/* How often, in ticks, the counts of the I/O thread are looked at. */
#define REPORT_EVERY 32
/* Clients of a port whose first message waits for a step of the component. */
#define MAX_HELD 64

/* --- codecs --- */

typedef struct {
  OrreryDatastream parent_instance;
  gboolean names_not_finite;
} OrrerySocketPublisher;
ORRERY_DEFINE_CLASS (OrrerySocketPublisher, orrery_socket_publisher, OrreryDatastream,
                     orrery_datastream)

static void
orrery_socket_publisher_encode (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                                GError **error)
{
  orrery_writer_set_names_not_finite (writer, ((OrrerySocketPublisher *) self)->names_not_finite);
  orrery_record_write_json (record, writer);
  orrery_writer_set_names_not_finite (writer, FALSE);
}

static void
orrery_socket_publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  if (!orrery_setup_has_option (setup, "nan"))
    ((OrrerySocketPublisher *) part)->names_not_finite =
        orrery_setup_wants_not_finite_words (setup);
}

static const OrreryProperty publisher_properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrrerySocketPublisher, names_not_finite, "nan", FALSE,
                           "Whether numbers that are not finite are NaN, Infinity and -Infinity, "
                           "as in MORSE, which is no JSON; else null; if it is not given, as "
                           "`not_finite` of the environment says"),
};

static void
orrery_socket_publisher_class_init (OrrerySocketPublisherClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, publisher_properties);
  ORRERY_PART_CLASS (klass)->setup = orrery_socket_publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_socket_publisher_encode;
}

typedef struct {
  OrreryDatastream parent_instance;
} OrrerySocketReader;
ORRERY_DEFINE_CLASS (OrrerySocketReader, orrery_socket_reader, OrreryDatastream, orrery_datastream)

static void
orrery_socket_reader_decode (OrreryDatastream *self, OrreryReader *reader, OrreryRecord *record,
                             GError **error)
{
  orrery_record_read_json (record, reader, error);
}

static void
orrery_socket_reader_class_init (OrrerySocketReaderClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_socket_reader_decode;
}

/* --- the manager --- */

typedef struct {
  OrreryStream *stream; /* borrowed: the host keeps it until the manager is closed */
  int port;             /* that was asked for; 0: the next one */
  LineListener *listener;
  gboolean listening;
  gboolean warned[LINE_N_COUNTS];

  /* Of input: a step of the component takes new clients, the next one reads what they send. */
  guint64 n_reads; /* steps, as of the last intake */
  guint64 known;   /* the newest client, likewise */
  guint64 open;    /* the newest client that is read */
  GQueue held;     /* (element-type Held): of clients that are not yet */
} Port;

/* The last message of a client. */
typedef struct {
  guint64 client;
  GString *text;
} Held;

typedef struct {
  OrreryDatastreamManager parent_instance;

  char *address;
  int base_port;
  gboolean time_sync;
  int sync_port;
  int queue_lines;
  double stall_timeout;
  gboolean offline;    /* this run opens no port */
  char *allowed_users; /* beside those who always are */
  char *token_file;
  OrreryWorld *world; /* whose sockets have one thread */

  LineServer *server;
  GPtrArray *ports; /* (element-type Port) in the order of the config */
  LineListener *sync;
  gboolean released; /* the gate let the coming tick pass */
  guint n_intakes;
} OrrerySocketDatastreamManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrrerySocketDatastreamManager, orrery_socket_datastream_manager,
                               OrreryDatastreamManager, orrery_datastream_manager)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrrerySocketDatastreamManager, address, "address", "127.0.0.1",
                          "IP address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrrerySocketDatastreamManager, base_port, "base_port", 1, 65535, 60000,
                       "The first port that is given to a stream",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrrerySocketDatastreamManager, time_sync, "time_sync", FALSE,
                           "Whether a client of sync_port holds the simulation",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrrerySocketDatastreamManager, sync_port, "sync_port", 1, 65535, 6000,
                       "The port for that client", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrrerySocketDatastreamManager, queue_lines, "queue_lines", 1, 1 << 20, 1024,
                       "Messages that wait for a slow client before it loses the oldest",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrrerySocketDatastreamManager, stall_timeout, "stall_timeout", 0.01,
                          86400, 30,
                          "Seconds of wall time until a client that reads nothing is closed",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- opening --- */

static gboolean
parse_port (GVariant *value, int *port, GError **error)
{
  g_autofree char *text = orrery_variant_print (value);

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64) && g_variant_get_int64 (value) >= 1 &&
      g_variant_get_int64 (value) <= 65535) {
    *port = (int) g_variant_get_int64 (value);
    return TRUE;
  }
  return orrery_set_error (
      error, ORRERY_ERROR_CONFIG,
      "option 'port' of a socket stream must be an integer from 1 to 65535, not %.60s", text);
}

static gboolean
parse_options (GVariant *options, int *port, GError **error)
{
  static const char *const known[] = { "port", NULL };
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_next (&iter, "{&sv}", &name, &value)) {
    g_autoptr (GVariant) owned = value;
    g_autofree char *nearest = NULL;

    if (g_str_equal (name, "port") && !parse_port (owned, port, error))
      return FALSE;
    if (g_str_equal (name, "port"))
      continue;
    nearest = orrery_nearest_names (name, known);
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "a socket stream has no option '%s'%s",
                             name, nearest);
  }
  return TRUE;
}

static void
orrery_socket_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                       GVariant *options, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;
  g_autofree Port *port = g_new0 (Port, 1);

  port->stream = stream;
  if (options != NULL && !parse_options (options, &port->port, error))
    return;
  orrery_stream_set_user_data (stream, port, NULL);
  g_ptr_array_add (self->ports, g_steal_pointer (&port));
}

static void
wake (gpointer self)
{
  orrery_datastream_manager_wake (self);
}

static gboolean
start_server (OrrerySocketDatastreamManager *self, GError **error)
{
  g_autoptr (LineAccess) access = NULL;
  g_autofree char *why = NULL;
  LineServerOptions options;

  access = line_access_new (self->allowed_users, self->token_file, &why);
  if (access == NULL || !line_access_covers (access, self->address, &why))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "socket streams: %s", why);
  line_server_options_init (&options);
  options.access = g_steal_pointer (&access);
  options.thread = line_thread_share (self->world);
  options.max_queued_lines = (guint) self->queue_lines;
  options.stall_ms = (guint) (self->stall_timeout * 1000);
  /* Messages are looked at once per tick; only a gate waits for what comes in. */
  options.wake = self->time_sync ? wake : NULL;
  options.wake_data = self;
  self->server = line_server_new (&options);
  if (self->server == NULL)
    orrery_set_error (error, ORRERY_ERROR_IO, "socket streams: no I/O thread: %s",
                      g_strerror (errno));
  return self->server != NULL;
}

static gboolean
listen_for (OrrerySocketDatastreamManager *self, Port *port, int *next, GError **error)
{
  const char *name = orrery_stream_get_name (port->stream);
  int first = port->port != 0 ? port->port : *next;
  gboolean is_out = orrery_stream_get_direction (port->stream) == ORRERY_DIRECTION_OUT;
  LineListenOptions where = { .address = self->address,
                              .port = (guint16) MIN (first, 65535),
                              .tries = first <= 65535 ? TRIES : 1,
                              .input = is_out ? LINE_INPUT_IGNORE : LINE_INPUT_NEWEST,
                              .end = is_out ? LINE_END_STAY : LINE_END_CLOSE,
                              .late = TRUE,
                              .data = port };
  g_autofree char *place = line_server_describe_address (self->address);
  int status = line_server_listen (self->server, &where, &port->listener);

  if (status != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO,
                             "socket stream of %s: no port from %d to %d on %s: %s", name, first,
                             MIN (first + TRIES - 1, 65535), self->address,
                             line_server_strerror (status));
  if (port->port == 0)
    *next = line_listener_get_port (port->listener) + 1;
  orrery_part_log_plain (self, G_LOG_LEVEL_INFO,
                         "Socket Mw Server now listening on port %u%s for component %s.",
                         line_listener_get_port (port->listener), place, name);
  return TRUE;
}

/* A port in use is an error here: a clock that synchronises cannot ask for another port. */
static gboolean
listen_for_sync (OrrerySocketDatastreamManager *self, GError **error)
{
  LineListenOptions where = { .address = self->address,
                              .port = (guint16) self->sync_port,
                              .max_clients = 1,
                              .input = LINE_INPUT_RAW };
  g_autofree char *place = line_server_describe_address (self->address);
  int status = line_server_listen (self->server, &where, &self->sync);

  if (status == 0) {
    orrery_part_log_plain (self, G_LOG_LEVEL_INFO, "Creating clock synchronisation on port %d%s",
                           self->sync_port, place);
    return TRUE;
  }
  return orrery_set_error (error, ORRERY_ERROR_IO, "sync_port %d on %s: %s", self->sync_port,
                           self->address, line_server_strerror (status));
}

static gboolean
listen_for_all (OrrerySocketDatastreamManager *self, GError **error)
{
  int next = self->base_port;

  if (self->time_sync && !listen_for_sync (self, error))
    return FALSE;
  for (guint i = 0; i < self->ports->len; i++)
    if (!listen_for (self, self->ports->pdata[i], &next, error))
      return FALSE;
  return TRUE;
}

static void
free_server (OrrerySocketDatastreamManager *self)
{
  g_clear_pointer (&self->server, line_server_free);
  self->sync = NULL;
  for (guint i = 0; i < self->ports->len; i++)
    ((Port *) self->ports->pdata[i])->listener = NULL;
}

static void
orrery_socket_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;

  if (self->offline || (self->ports->len == 0 && !self->time_sync))
    return;
  if (start_server (self, error) && !listen_for_all (self, error))
    free_server (self);
}

static void
orrery_socket_datastream_manager_add (OrreryDatastreamManager *manager, OrreryStream *stream,
                                      GVariant *options, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;
  int next = self->base_port + (int) self->ports->len;
  guint n = self->ports->len;

  orrery_socket_datastream_manager_open (manager, stream, options, error);
  if (self->ports->len == n || self->offline)
    return;
  if ((self->server != NULL || start_server (self, error)) &&
      listen_for (self, self->ports->pdata[n], &next, error))
    return;
  orrery_stream_set_user_data (stream, NULL, NULL);
  g_ptr_array_set_size (self->ports, (int) n);
}

/* --- in the tick --- */

static void
orrery_socket_datastream_manager_send (OrreryDatastreamManager *manager, OrreryStream *stream,
                                       const char *data, gsize length)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;
  Port *port = orrery_stream_get_user_data (stream);

  line_server_publish (self->server, port->listener, data, length);
}

static void
orrery_socket_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;

  if (self->server != NULL)
    line_server_flush (self->server);
}

/* A client holds the simulation: each tick takes fresh bytes from it. */
static gboolean
orrery_socket_datastream_manager_gate (OrreryDatastreamManager *manager)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;

  if (self->sync == NULL || self->released)
    return TRUE;
  self->released = line_listener_get_n_clients (self->sync) == 0 ||
                   line_listener_take_raw (self->sync, SYNC_BYTES) > 0;
  if (!self->released)
    line_server_hurry (self->server);
  return self->released;
}

static void
warn_once (OrrerySocketDatastreamManager *self, Port *port, LineCount what, const char *words)
{
  guint64 n;

  if (port->warned[what])
    return;
  n = line_listener_get_count (port->listener, what);
  if (n == 0)
    return;
  port->warned[what] = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "socket stream of %s: %s (%" G_GUINT64_FORMAT " so far)",
                         orrery_stream_get_name (port->stream), words, n);
}

static void
report (OrrerySocketDatastreamManager *self)
{
  for (guint i = 0; i < self->ports->len; i++) {
    Port *port = self->ports->pdata[i];

    if (port->listener == NULL)
      continue;
    warn_once (self, port, LINE_COUNT_OUT_LOST, "a client reads too slowly and loses messages");
    warn_once (self, port, LINE_COUNT_STALLED, "a client that does not read was closed");
    warn_once (self, port, LINE_COUNT_REFUSED, "a client too many was turned away");
    warn_once (
        self, port, LINE_COUNT_DENIED,
        "a client of another user was turned away; --allow-users and --token-file let in others");
    warn_once (self, port, LINE_COUNT_FOREIGN, "a client that speaks HTTP was closed");
    warn_once (self, port, LINE_COUNT_ACCEPT_FAILED, "no connection can be taken now");
    warn_once (self, port, LINE_COUNT_IN_TOO_LONG, "a message of more than 1 MiB was refused");
    warn_once (self, port, LINE_COUNT_IN_HALF, "a client left in the middle of a message");
  }
}

/* --- new clients of an input --- */

static void
held_free (gpointer data)
{
  Held *held = data;

  g_string_free (held->text, TRUE);
  g_free (held);
}

static void
port_free (gpointer data)
{
  Port *port = data;

  g_queue_clear_full (&port->held, held_free);
  g_free (port);
}

/* Those that were there when the component stepped are read from now on. */
static void
open_clients (Port *port)
{
  guint64 n = orrery_stream_get_n_reads (port->stream);

  if (n != port->n_reads)
    port->open = port->known;
  port->n_reads = n;
  port->known = line_listener_get_newest (port->listener);
  for (GList *at = port->held.head; G_UNLIKELY (at != NULL);) {
    GList *next = at->next;
    Held *held = at->data;

    if (held->client <= port->open) {
      orrery_stream_put (port->stream, held->client, held->text->str, held->text->len);
      g_queue_delete_link (&port->held, at);
      held_free (held);
    }
    at = next;
  }
}

static void
hold (Port *port, const LineEvent *event)
{
  Held *held = NULL;

  for (GList *at = port->held.head; at != NULL && held == NULL; at = at->next)
    if (((Held *) at->data)->client == event->client)
      held = at->data;
  if (held == NULL) {
    held = g_new0 (Held, 1);
    *held = (Held){ event->client, g_string_new (NULL) };
    g_queue_push_tail (&port->held, held);
  }
  g_string_truncate (held->text, 0);
  g_string_append_len (held->text, event->text, (gssize) event->length);
  /* A component that is not active takes nobody, however many come and go. */
  if (port->held.length > MAX_HELD)
    held_free (g_queue_pop_head (&port->held));
}

static void
orrery_socket_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;
  LineEvent event;

  self->released = FALSE;
  if (self->server == NULL)
    return;
  for (guint i = 0; i < self->ports->len; i++) {
    Port *port = self->ports->pdata[i];
    gboolean listening = line_listener_get_n_clients (port->listener) > 0;

    if (listening != port->listening)
      orrery_stream_set_listening (port->stream, listening);
    port->listening = listening;
    open_clients (port);
  }
  line_server_take (self->server);
  while (line_server_next (self->server, &event)) {
    Port *port = line_listener_get_data (event.listener);

    if (event.kind == LINE_EVENT_LINE && event.client > port->open)
      hold (port, &event);
    else if (event.kind == LINE_EVENT_LINE)
      orrery_stream_put (port->stream, event.client, event.text, event.length);
  }
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_socket_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) manager;

  if (self->server == NULL)
    return;
  report (self);
  line_server_stop (self->server, STOP_MS);
}

/* --- services: which streams there are, and where --- */

static void
list_streams (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) part;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GVariantBuilder) names = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; i < self->ports->len; i++) {
    const char *name = orrery_stream_get_name (((Port *) self->ports->pdata[i])->stream);

    if (g_hash_table_add (seen, (gpointer) name))
      g_variant_builder_add (&names, "s", name);
  }
  orrery_call_return (call, g_variant_builder_end (&names));
}

/* Of several streams of one component the last one counts, as in MORSE. */
static Port *
find_port (OrrerySocketDatastreamManager *self, const char *name)
{
  for (guint i = self->ports->len; i > 0; i--) {
    Port *port = self->ports->pdata[i - 1];

    if (port->listener != NULL && g_str_equal (orrery_stream_get_name (port->stream), name))
      return port;
  }
  return NULL;
}

static void
get_stream_port (OrreryPart *part, OrreryCall *call, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  Port *port = find_port ((OrrerySocketDatastreamManager *) part, name);

  if (port == NULL)
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "Stream unavailable for component %s", name);
  else
    orrery_call_return (call, g_variant_new_int64 (line_listener_get_port (port->listener)));
}

static void
get_all_stream_ports (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) part;
  g_auto (GVariantBuilder) all = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{sx}"));

  for (guint i = 0; i < self->ports->len; i++) {
    Port *port = self->ports->pdata[i];
    const char *name = orrery_stream_get_name (port->stream);

    if (find_port (self, name) == port)
      g_variant_builder_add (&all, "{sx}", name, (gint64) line_listener_get_port (port->listener));
  }
  orrery_call_return (call, g_variant_builder_end (&all));
}

static const OrreryService services[] = {
  { "list_streams", list_streams, ORRERY_SERVICE_IMMEDIATE, "",
    "Names of the components that have a socket stream" },
  { "get_stream_port", get_stream_port, ORRERY_SERVICE_IMMEDIATE, "name:s",
    "The port of a component's stream" },
  { "get_all_stream_ports", get_all_stream_ports, ORRERY_SERVICE_IMMEDIATE, "",
    "The ports of all components' streams by name" },
};

/* --- the class --- */

static void
orrery_socket_datastream_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySocketDatastreamManager *self = (OrrerySocketDatastreamManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->token_file = g_strdup (orrery_setup_get_token_file (setup));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  /* Where clients of MORSE ask for ports. */
  orrery_setup_publish (setup, "simulation");
}

static void
orrery_socket_datastream_manager_class_init (OrrerySocketDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_socket_datastream_manager_setup;
  manager->open = orrery_socket_datastream_manager_open;
  manager->start = orrery_socket_datastream_manager_start;
  manager->add = orrery_socket_datastream_manager_add;
  manager->send = orrery_socket_datastream_manager_send;
  manager->flush = orrery_socket_datastream_manager_flush;
  manager->intake = orrery_socket_datastream_manager_intake;
  manager->gate = orrery_socket_datastream_manager_gate;
  manager->close = orrery_socket_datastream_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_OWNS (klass, OrrerySocketDatastreamManager, server, line_server_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketDatastreamManager, ports, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySocketDatastreamManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketDatastreamManager, token_file, g_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketDatastreamManager, world, g_object_unref);
}

static void
orrery_socket_datastream_manager_init (OrrerySocketDatastreamManager *self)
{
  self->ports = g_ptr_array_new_with_free_func (port_free);
}

/* Over MQTT a record goes as it is, unless a scene names a class of messages. */
#define RECORDS ORRERY_ALIASES ({ "mqtt", "orrery.core.component.Component" })

ORRERY_PLUGIN ("Records as lines of JSON over TCP", "BSD-3-Clause",
               ORRERY_CLASS (SocketDatastreamManager, OrrerySocketDatastreamManager,
                             orrery_socket_datastream_manager, .stream = "socket",
                             .publisher = "orrery.middleware.socket_datastream.SocketPublisher",
                             .reader = "orrery.middleware.socket_datastream.SocketReader"),
               ORRERY_CLASS (SocketPublisher, OrrerySocketPublisher, orrery_socket_publisher,
                             .direction = "OUT", .aliases = RECORDS),
               ORRERY_CLASS (SocketReader, OrrerySocketReader, orrery_socket_reader,
                             .direction = "IN", .aliases = RECORDS))
