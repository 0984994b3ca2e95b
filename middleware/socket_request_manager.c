/* SPDX-License-Identifier: BSD-3-Clause */
/* Service calls as lines over TCP, as MORSE's sockets have them. */
#define G_LOG_DOMAIN "orrery.middleware.socket_request_manager"
#include <orrery.h>

#include "line-server.h"

#include <errno.h>
#include <string.h>

/*
 * Service calls as lines over TCP; MORSE's protocol, which pymorse speaks:
 *
 *     <id> <component> <service> [<JSON list>]      a call
 *     <id> cancel                                   cancels every pending call with that id
 *     <id> SUCCESS|FAILED|PREEMPTED [<JSON>]        the answer; without a value if that is falsy
 *
 * An addition: the answer to an id that begins with `value:` has its value whatever that is.
 *
 * Differs from MORSE: listens on loopback unless `address` says otherwise; every line is answered,
 * also one that MORSE would end with; parameters that are no list are refused; numbers that are not
 * finite are refused by the host.
 */

#define N_PORTS 10
#define STOP_MS 300
#define REPORT_EVERY 32
/* Calls that wait for an answer; a long-running one waits as long as its component likes. Of all
 * clients, of one, and of one however many the others have. */
#define MAX_PENDING 10000
#define MAX_PENDING_OF_CLIENT 1000
#define MAX_ALWAYS 16
/* How much of a client's text comes back in a message. */
#define QUOTED 80

typedef struct {
  OrreryRequestManager parent_instance;

  char *address;
  int port;
  LineServer *server;
  LineListener *listener;
  OrreryWriter *writer;
  gboolean not_finite_words; /* in place of null */
  GHashTable *clients;       /* (element-type guint64 Caller): those with calls that wait */
  GArray *gone;     /* (element-type guint64): those of them that have gone since the last intake */
  guint n_pending;  /* of all clients */
  gboolean offline; /* this run opens no port */
  char *allowed_users; /* beside those who always are */
  char *token_file;
  OrreryWorld *world;  /* whose sockets have one thread */
  gboolean collecting; /* between intake and flush: answers go out together */
  gboolean warned[LINE_N_COUNTS];
  gboolean warned_not_finite;
  guint n_intakes;
} OrrerySocketRequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrrerySocketRequestManager, orrery_socket_request_manager,
                               OrreryRequestManager, orrery_request_manager)

typedef struct {
  guint64 number;
  GQueue pending; /* (element-type Pending) in the order of the requests */
  gboolean ended; /* it sends no more, and waits */
  gboolean gone;
} Caller;

/* A call that is not answered yet. */
typedef struct {
  OrrerySocketRequestManager *manager;
  GList link; /* in the queue of its client */
  Caller *client;
  char *id;
  gboolean has_parameters;
  OrreryCall *call;
} Pending;

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrrerySocketRequestManager, address, "address", "127.0.0.1",
                          "IP address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrrerySocketRequestManager, port, "port", 1, 65535, 4000,
                       "The port; if it is in use, the first free one of the nine behind it",
                       .flags = ORRERY_PROPERTY_AT_START),
};

/* --- answers --- */

/* What an id begins with where the client wants to know 0 from nothing. */
#define IN_FULL "value:"

/* What Python holds for false: such a value is not written. */
static gboolean
is_falsy (GVariant *value)
{
  g_autoptr (GVariant) inner = NULL;

  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_VARIANT:
    inner = g_variant_get_variant (value);
    return is_falsy (inner);
  case G_VARIANT_CLASS_MAYBE:
    inner = g_variant_get_maybe (value);
    return inner == NULL || is_falsy (inner);
  case G_VARIANT_CLASS_BOOLEAN:
    return !g_variant_get_boolean (value);
  case G_VARIANT_CLASS_DOUBLE:
    return g_variant_get_double (value) == 0;
  case G_VARIANT_CLASS_STRING:
    return *g_variant_get_string (value, NULL) == '\0';
  case G_VARIANT_CLASS_INT64:
    return g_variant_get_int64 (value) == 0;
  case G_VARIANT_CLASS_INT32:
    return g_variant_get_int32 (value) == 0;
  case G_VARIANT_CLASS_UINT32:
    return g_variant_get_uint32 (value) == 0;
  case G_VARIANT_CLASS_UINT64:
    return g_variant_get_uint64 (value) == 0;
  case G_VARIANT_CLASS_ARRAY:
  case G_VARIANT_CLASS_TUPLE:
    return g_variant_n_children (value) == 0;
  default:
    return FALSE;
  }
}

/* Sends what the writer holds; outside of a round of requests it is flushed at once. */
static void
send_answer (OrrerySocketRequestManager *self, guint64 client)
{
  gsize length;
  const char *text = orrery_writer_get_data (self->writer, &length);

  line_server_send (self->server, client, text, length);
  if (!self->collecting)
    line_server_flush (self->server);
}

static void
begin_answer (OrrerySocketRequestManager *self, const char *id, const char *status)
{
  orrery_writer_clear (self->writer);
  orrery_writer_append_text (self->writer, id);
  orrery_writer_append_char (self->writer, ' ');
  orrery_writer_append_text (self->writer, status);
}

static void
warn_of_null (OrrerySocketRequestManager *self, OrreryCall *call)
{
  OrreryPart *part = orrery_call_get_part (call);

  if (self->warned_not_finite)
    return;
  self->warned_not_finite = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "%s%s%s answers with a number that is not finite, which JSON writes as "
                         "null (further ones are not told)",
                         part != NULL ? orrery_part_get_name (part) : "", part != NULL ? " " : "",
                         orrery_call_get_service (call));
}

static void
answer_value (Pending *pending, GVariant *value)
{
  OrrerySocketRequestManager *self = pending->manager;

  begin_answer (self, pending->id, "SUCCESS");
  if (value != NULL && (!is_falsy (value) || g_str_has_prefix (pending->id, IN_FULL))) {
    orrery_writer_append_char (self->writer, ' ');
    orrery_writer_append_json_variant (self->writer, value);
  }
  if (G_UNLIKELY (orrery_writer_get_n_not_finite (self->writer) > 0) && !self->not_finite_words)
    warn_of_null (self, pending->call);
  send_answer (self, pending->client->number);
}

static void
answer_failure (OrrerySocketRequestManager *self, guint64 client, const char *id, const char *words)
{
  begin_answer (self, id, "FAILED");
  orrery_writer_append_char (self->writer, ' ');
  orrery_writer_append_json_text (self->writer, words);
  send_answer (self, client);
}

/* The words that clients know from MORSE, and behind them ours. */
static char *
failure_words (Pending *pending, const GError *error)
{
  const char *service = orrery_call_get_service (pending->call);

  switch (orrery_call_get_fault (pending->call)) {
  case ORRERY_CALL_NO_SERVICE:
    return g_strdup_printf ("The request %s has not been registered in Socket service manager",
                            service);
  case ORRERY_CALL_WRONG_COUNT:
    return g_strdup_printf (pending->has_parameters
                                ? "Socket service manager: wrong # of parameters for service %s. %s"
                                : "Socket service manager: parameters expected for service %s! %s",
                            service, error->message);
  case ORRERY_CALL_WRONG_TYPE:
    return g_strdup_printf ("Socket service manager: wrong parameter type for service %s. %s",
                            service, error->message);
  default:
    return g_strdup (error->message);
  }
}

static void
answer_call (Pending *pending)
{
  OrrerySocketRequestManager *self = pending->manager;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (pending->call, &error);
  g_autofree char *words = NULL;

  if (orrery_call_get_fault (pending->call) == ORRERY_CALL_OK) {
    answer_value (pending, value);
  } else if (orrery_call_get_fault (pending->call) == ORRERY_CALL_PREEMPTED) {
    begin_answer (self, pending->id, "PREEMPTED");
    send_answer (self, pending->client->number);
  } else {
    words = failure_words (pending, error);
    answer_failure (self, pending->client->number, pending->id, words);
  }
}

/* --- clients with calls that wait --- */

static Caller *
find_client (OrrerySocketRequestManager *self, guint64 number)
{
  return g_hash_table_lookup (self->clients, &number);
}

static Caller *
get_client (OrrerySocketRequestManager *self, guint64 number)
{
  Caller *client = find_client (self, number);

  if (client == NULL) {
    client = g_new0 (Caller, 1);
    client->number = number;
    g_queue_init (&client->pending);
    g_hash_table_insert (self->clients, &client->number, client);
  }
  return client;
}

static void
hang_up (OrrerySocketRequestManager *self, guint64 client)
{
  if (self->server == NULL)
    return;
  line_server_hang_up (self->server, client);
  if (!self->collecting)
    line_server_flush (self->server);
}

/* A client that sends no more is let go when it has all of its answers. */
static void
note_end (OrrerySocketRequestManager *self, guint64 number)
{
  Caller *client = find_client (self, number);

  if (client == NULL)
    hang_up (self, number);
  else
    client->ended = TRUE;
}

/* What it asked for last is still done: its calls are cancelled by the next intake. */
static void
note_gone (OrrerySocketRequestManager *self, guint64 number)
{
  Caller *client = find_client (self, number);

  if (client == NULL)
    return;
  client->gone = TRUE;
  g_array_append_val (self->gone, number);
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;
  OrrerySocketRequestManager *self = pending->manager;
  Caller *client = pending->client;

  g_queue_unlink (&client->pending, &pending->link);
  self->n_pending--;
  if (client->pending.length == 0) {
    if (client->ended && !client->gone)
      hang_up (self, client->number);
    g_hash_table_remove (self->clients, &client->number);
  }
  g_clear_object (&pending->call);
  g_free (pending->id);
  g_free (pending);
  g_object_unref (self);
}

/* Adds the calls of a client that wait, all of them or those with an id. */
static void
add_calls (GPtrArray *calls, Caller *client, const char *id)
{
  for (GList *at = client->pending.head; at != NULL; at = at->next) {
    Pending *pending = at->data;

    if (pending->call != NULL && (id == NULL || g_str_equal (pending->id, id)))
      g_ptr_array_add (calls, g_object_ref (pending->call));
  }
}

static int
compare_clients (gconstpointer a, gconstpointer b)
{
  const Caller *one = *(const Caller *const *) a, *other = *(const Caller *const *) b;

  return one->number < other->number ? -1 : one->number > other->number;
}

/* Of every client, in an order that no hash gives. Apart, since a cancelled call leaves the queues,
 * and so may others. */
static GPtrArray *
find_calls (OrrerySocketRequestManager *self, const char *id)
{
  GPtrArray *calls = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) clients = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer client;

  g_hash_table_iter_init (&iter, self->clients);
  while (g_hash_table_iter_next (&iter, NULL, &client))
    g_ptr_array_add (clients, client);
  g_ptr_array_sort (clients, compare_clients);
  for (guint i = 0; i < clients->len; i++)
    add_calls (calls, clients->pdata[i], id);
  return calls;
}

static void
cancel_calls (GPtrArray *calls)
{
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
  g_ptr_array_unref (calls);
}

static void
cancel_gone (OrrerySocketRequestManager *self)
{
  g_autoptr (GArray) gone = g_steal_pointer (&self->gone);

  self->gone = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < gone->len; i++) {
    Caller *client = find_client (self, g_array_index (gone, guint64, i));
    GPtrArray *calls = g_ptr_array_new_with_free_func (g_object_unref);

    if (client != NULL)
      add_calls (calls, client, NULL);
    cancel_calls (calls);
  }
}

/* --- calls --- */

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;

  g_set_object (&pending->call, call);
  if (pending->manager->server != NULL)
    answer_call (pending);
}

static void
submit (OrrerySocketRequestManager *self, guint64 number, const char *id, const char *component,
        const char *service, GVariant *parameters)
{
  Pending *pending = g_new0 (Pending, 1);
  g_autoptr (OrreryCall) call = NULL;

  *pending = (Pending){ .manager = g_object_ref (self),
                        .id = g_strdup (id),
                        .client = get_client (self, number),
                        .has_parameters = parameters != NULL };
  pending->link.data = pending;
  g_queue_push_tail_link (&pending->client->pending, &pending->link);
  self->n_pending++;
  call = orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), component, service,
                                        parameters, on_done, pending, pending_free);
  /* A call that was refused at once has freed it. */
  if (!orrery_call_is_done (call))
    g_set_object (&pending->call, call);
}

/* Supervision is answered at once, or ends what others wait for: no number of calls that wait keeps
 * it out. A step is what waits. */
static gboolean
always_passes (const char *component, const char *service)
{
  return g_str_equal (component, "simulation") && !g_str_equal (service, "step");
}

/* Returns: (nullable): why a client may not call now */
static char *
find_limit (OrrerySocketRequestManager *self, guint64 number, const char *component,
            const char *service)
{
  Caller *client = find_client (self, number);
  guint n = client != NULL ? client->pending.length : 0;

  if (always_passes (component, service) ? n < 2 * MAX_PENDING_OF_CLIENT : n < MAX_ALWAYS)
    return NULL;
  if (n >= MAX_PENDING_OF_CLIENT)
    return g_strdup_printf ("%u calls of this client wait for an answer, which is the limit", n);
  if (self->n_pending >= MAX_PENDING)
    return g_strdup ("too many calls wait for an answer");
  return NULL;
}

/* --- requests --- */

/* Cuts the next word off; NULL if there is none. The text behind it starts with no blank. */
static char *
next_word (char **text)
{
  char *word = *text;
  char *end = word + strcspn (word, " \t\r\v\f");

  if (*word == '\0')
    return NULL;
  if (*end != '\0')
    *end++ = '\0';
  *text = g_strchug (end);
  return word;
}

static gboolean
is_nothing (OrreryNode *node)
{
  switch (orrery_node_get_kind (node)) {
  case ORRERY_NODE_NULL:
    return TRUE;
  case ORRERY_NODE_BOOL:
    return !orrery_node_get_bool (node);
  case ORRERY_NODE_INT:
  case ORRERY_NODE_DOUBLE:
    return orrery_node_get_double (node) == 0;
  case ORRERY_NODE_TEXT:
    return *orrery_node_get_text (node) == '\0';
  default:
    return orrery_node_get_length (node) == 0;
  }
}

/* Returns NULL without an error if there are none. */
static GVariant *
parse_parameters (const char *text, GError **error)
{
  g_autoptr (OrreryNode) node = NULL;

  if (*text == '\0')
    return NULL;
  node = orrery_node_parse_json (text, strlen (text), "parameters", error);
  if (node == NULL || is_nothing (node))
    return NULL;
  if (orrery_node_get_kind (node) == ORRERY_NODE_LIST)
    return orrery_node_to_variant (node);
  orrery_set_error (error, ORRERY_ERROR_INVALID, "a list is expected, not %s",
                    orrery_node_get_kind_name (node));
  return NULL;
}

static void
refuse_parameters (OrrerySocketRequestManager *self, guint64 client, const char *id,
                   const char *text, const char *reason)
{
  g_autofree char *start = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), QUOTED));
  g_autofree char *words =
      g_strdup_printf ("Invalid request syntax: error while parsing the parameters: <%s>. %s",
                       start, reason);

  answer_failure (self, client, id, words);
}

static void
request (OrrerySocketRequestManager *self, guint64 client, const char *id, const char *component,
         const char *service, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) parameters = parse_parameters (text, &error);
  g_autofree char *limit = find_limit (self, client, component, service);

  if (error != NULL)
    refuse_parameters (self, client, id, text, error->message);
  else if (limit != NULL)
    answer_failure (self, client, id, limit);
  else
    submit (self, client, id, component, service, parameters);
}

/* A line, as text that may be cut up. */
static void
handle_text (OrrerySocketRequestManager *self, guint64 client, char *text)
{
  char *rest = g_strstrip (text);
  const char *id = next_word (&rest);
  const char *component = id != NULL ? next_word (&rest) : NULL;
  const char *service = component != NULL ? next_word (&rest) : NULL;

  if (service != NULL)
    request (self, client, id, component, service, rest);
  else if (component != NULL && g_str_equal (component, "cancel"))
    cancel_calls (find_calls (self, id));
  else
    answer_failure (self, client, id != NULL ? id : "", "Malformed request! ");
}

static void
handle_line (OrrerySocketRequestManager *self, const LineEvent *event)
{
  g_autofree char *text = g_utf8_make_valid (event->text, (gssize) event->length);
  gboolean is_text = g_utf8_validate (event->text, (gssize) event->length, NULL);
  char *rest = text;
  const char *id;

  if (event->kind == LINE_EVENT_LINE && is_text) {
    handle_text (self, event->client, text);
    return;
  }
  /* What is no text, or too long: its first word may still tell the client which it was. */
  g_strchug (text);
  id = next_word (&rest);
  answer_failure (self, event->client, id != NULL ? id : "",
                  event->kind == LINE_EVENT_TOO_LONG
                      ? "Malformed request! longer than 1048576 bytes"
                      : "Malformed request! not UTF-8, or with a NUL");
}

static void
handle_event (OrrerySocketRequestManager *self, const LineEvent *event)
{
  if (event->kind == LINE_EVENT_END)
    note_end (self, event->client);
  else if (event->kind == LINE_EVENT_GONE)
    note_gone (self, event->client);
  else
    handle_line (self, event);
}

/* --- what is called here --- */

static void
list_services (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_autoptr (GVariant) all = orrery_request_manager_list_services (ORRERY_REQUEST_MANAGER (part));
  g_auto (GVariantBuilder) map = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{sas}"));
  g_autoptr (GPtrArray) services = g_ptr_array_new ();
  const char *name = NULL, *service = NULL, *last = NULL;
  GVariantIter iter;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_next (&iter, "(&s&su)", &name, &service, NULL)) {
    if (last != NULL && !g_str_equal (name, last)) {
      g_variant_builder_add (&map, "{s@as}", last,
                             g_variant_new_strv ((const char **) services->pdata, services->len));
      g_ptr_array_set_size (services, 0);
    }
    g_ptr_array_add (services, (gpointer) service);
    last = name;
  }
  if (last != NULL)
    g_variant_builder_add (&map, "{s@as}", last,
                           g_variant_new_strv ((const char **) services->pdata, services->len));
  orrery_call_return (call, g_variant_builder_end (&map));
}

static const OrreryService services[] = {
  { "list_services", list_services, ORRERY_SERVICE_IMMEDIATE, "",
    "Names of the services that sockets reach, by the names of those that publish them" },
};

/* --- the manager --- */

static void
wake (gpointer self)
{
  orrery_request_manager_wake (self);
}

static void
orrery_socket_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->token_file = g_strdup (orrery_setup_get_token_file (setup));
  self->not_finite_words = orrery_setup_wants_not_finite_words (setup);
  orrery_writer_set_names_not_finite (self->writer, self->not_finite_words);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  orrery_setup_publish (setup, "simulation");
}

static gboolean
start_server (OrrerySocketRequestManager *self, GError **error)
{
  g_autoptr (LineAccess) access = NULL;
  g_autofree char *why = NULL;
  LineServerOptions options;

  access = line_access_new (self->allowed_users, self->token_file, &why);
  if (access == NULL || !line_access_covers (access, self->address, &why))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "socket services: %s", why);
  line_server_options_init (&options);
  options.access = g_steal_pointer (&access);
  options.thread = line_thread_share (self->world);
  options.wake = wake;
  options.wake_data = self;
  self->server = line_server_new (&options);
  if (self->server == NULL)
    orrery_set_error (error, ORRERY_ERROR_IO, "socket services: no I/O thread: %s",
                      g_strerror (errno));
  return self->server != NULL;
}

/* Clients look for the port that was asked for, and would find another simulation there. */
static void
tell_port (OrrerySocketRequestManager *self)
{
  g_autofree char *place = line_server_describe_address (self->address);
  guint port = line_listener_get_port (self->listener);

  orrery_part_log_plain (self, G_LOG_LEVEL_INFO,
                         "Socket service manager now listening on port %u%s.", port, place);
  if (port != (guint) self->port)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "port %d is in use, by another simulation perhaps: services of this one "
                           "are on port %u (orrery call --port %u)",
                           self->port, port, port);
}

static void
orrery_socket_request_manager_start (OrreryRequestManager *manager, GError **error)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) manager;
  LineListenOptions where = { .address = self->address,
                              .port = (guint16) self->port,
                              .tries = N_PORTS,
                              .input = LINE_INPUT_ALL,
                              .end = LINE_END_REPORT };
  int status;

  if (self->offline || !start_server (self, error))
    return;
  status = line_server_listen (self->server, &where, &self->listener);
  if (status == 0)
    tell_port (self);
  else
    orrery_set_error (error, ORRERY_ERROR_IO, "socket services: no port from %d to %d on %s: %s",
                      self->port, MIN (self->port + N_PORTS - 1, 65535), self->address,
                      line_server_strerror (status));
}

static void
warn_once (OrrerySocketRequestManager *self, LineCount what, const char *words)
{
  guint64 n;

  if (self->warned[what])
    return;
  n = line_listener_get_count (self->listener, what);
  if (n == 0)
    return;
  self->warned[what] = TRUE;
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "socket services: %s (%" G_GUINT64_FORMAT " so far)", words, n);
}

static void
report (OrrerySocketRequestManager *self)
{
  if (self->listener == NULL)
    return;
  warn_once (self, LINE_COUNT_STALLED, "a client that does not read its answers was closed");
  warn_once (self, LINE_COUNT_REFUSED, "a client too many was turned away");
  warn_once (
      self, LINE_COUNT_DENIED,
      "a client of another user was turned away; --allow-users and --token-file let in others");
  warn_once (self, LINE_COUNT_FOREIGN, "a client that speaks HTTP, as a browser does, was closed");
  warn_once (self, LINE_COUNT_ACCEPT_FAILED, "no connection can be taken now");
  warn_once (self, LINE_COUNT_IN_TOO_LONG, "a request of more than 1 MiB was refused");
  warn_once (self, LINE_COUNT_IN_HALF, "a client left in the middle of a request");
}

static void
orrery_socket_request_manager_intake (OrreryRequestManager *manager)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) manager;
  LineEvent event;

  if (self->listener == NULL)
    return;
  self->collecting = TRUE;
  cancel_gone (self);
  line_server_take (self->server);
  while (line_server_next (self->server, &event))
    handle_event (self, &event);
  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
orrery_socket_request_manager_flush (OrreryRequestManager *manager)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) manager;

  self->collecting = FALSE;
  if (self->gone->len > 0)
    orrery_request_manager_wake (manager);
  if (self->server != NULL)
    line_server_flush (self->server);
}

static void
orrery_socket_request_manager_close (OrreryRequestManager *manager)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) manager;

  if (self->server == NULL)
    return;
  report (self);
  /* So that every client is told how its calls end. */
  cancel_calls (find_calls (self, NULL));
  line_server_flush (self->server);
  line_server_stop (self->server, STOP_MS);
  self->listener = NULL;
  g_clear_pointer (&self->server, line_server_free);
}

/* --- the class --- */

static void
orrery_socket_request_manager_class_init (OrrerySocketRequestManagerClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  manager->start = orrery_socket_request_manager_start;
  ORRERY_PART_CLASS (klass)->setup = orrery_socket_request_manager_setup;
  manager->intake = orrery_socket_request_manager_intake;
  manager->flush = orrery_socket_request_manager_flush;
  manager->close = orrery_socket_request_manager_close;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, server, line_server_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, clients, g_hash_table_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, gone, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, token_file, g_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, world, g_object_unref);
}

static void
orrery_socket_request_manager_init (OrrerySocketRequestManager *self)
{
  self->clients = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->gone = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->writer = orrery_writer_new ();
}

ORRERY_PLUGIN ("Service calls as lines over TCP", "BSD-3-Clause",
               ORRERY_CLASS (SocketRequestManager, OrrerySocketRequestManager,
                             orrery_socket_request_manager, .stream = "socket"))
