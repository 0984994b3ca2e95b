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
 * Differs from MORSE: listens on loopback unless `address` says otherwise; every line is answered,
 * also one that MORSE would end with; parameters that are no list are refused; numbers that are not
 * finite are refused by the host.
 */

#define N_PORTS 10
#define STOP_MS 300
#define REPORT_EVERY 32
/* Calls that wait for an answer; a long-running one waits as long as its component likes. */
#define MAX_PENDING 10000
/* How much of a client's text comes back in a message. */
#define QUOTED 80

typedef struct {
  OrreryRequestManager parent_instance;

  char *address;
  int port;
  LineServer *server;
  LineListener *listener;
  OrreryWriter *writer;
  GQueue pending;      /* (element-type Pending) in the order of the requests */
  gboolean offline;    /* this run opens no port */
  gboolean collecting; /* between intake and flush: answers go out together */
  gboolean warned[LINE_N_COUNTS];
  guint n_intakes;
} OrrerySocketRequestManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrrerySocketRequestManager, orrery_socket_request_manager,
                               OrreryRequestManager, orrery_request_manager)

/* A call that is not answered yet. */
typedef struct {
  OrrerySocketRequestManager *manager;
  GList link;
  char *id;
  guint64 client;
  gboolean has_parameters;
  gboolean client_ended; /* it sends no more, and waits */
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
answer_value (OrrerySocketRequestManager *self, guint64 client, const char *id, GVariant *value)
{
  begin_answer (self, id, "SUCCESS");
  if (value != NULL && !is_falsy (value)) {
    orrery_writer_append_char (self->writer, ' ');
    orrery_writer_append_json_variant (self->writer, value);
  }
  send_answer (self, client);
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
    answer_value (self, pending->client, pending->id, value);
  } else if (orrery_call_get_fault (pending->call) == ORRERY_CALL_PREEMPTED) {
    begin_answer (self, pending->id, "PREEMPTED");
    send_answer (self, pending->client);
  } else {
    words = failure_words (pending, error);
    answer_failure (self, pending->client, pending->id, words);
  }
}

/* --- calls --- */

static gboolean
is_waiting (OrrerySocketRequestManager *self, guint64 client)
{
  for (GList *at = self->pending.head; at != NULL; at = at->next)
    if (((Pending *) at->data)->client == client)
      return TRUE;
  return FALSE;
}

static void
hang_up (OrrerySocketRequestManager *self, guint64 client)
{
  if (self->server == NULL || is_waiting (self, client))
    return;
  line_server_hang_up (self->server, client);
  if (!self->collecting)
    line_server_flush (self->server);
}

/* A client that sends no more is let go when it has all of its answers. */
static void
note_end (OrrerySocketRequestManager *self, guint64 client)
{
  for (GList *at = self->pending.head; at != NULL; at = at->next) {
    Pending *pending = at->data;

    pending->client_ended |= pending->client == client;
  }
  hang_up (self, client);
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;

  g_queue_unlink (&pending->manager->pending, &pending->link);
  if (pending->client_ended)
    hang_up (pending->manager, pending->client);
  g_clear_object (&pending->call);
  g_object_unref (pending->manager);
  g_free (pending->id);
  g_free (pending);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Pending *pending = data;

  g_set_object (&pending->call, call);
  if (pending->manager->server != NULL)
    answer_call (pending);
}

static void
submit (OrrerySocketRequestManager *self, guint64 client, const char *id, const char *component,
        const char *service, GVariant *parameters)
{
  Pending *pending = g_new0 (Pending, 1);
  g_autoptr (OrreryCall) call = NULL;
  *pending = (Pending){ .manager = g_object_ref (self),
                        .id = g_strdup (id),
                        .client = client,
                        .has_parameters = parameters != NULL };
  pending->link.data = pending;
  g_queue_push_tail_link (&self->pending, &pending->link);
  call = orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), component, service,
                                        parameters, on_done, pending, pending_free);
  /* A call that was refused at once has freed it. */
  if (!orrery_call_is_done (call))
    g_set_object (&pending->call, call);
}

static void
cancel (OrrerySocketRequestManager *self, const char *id)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  /* Apart, since a cancelled call leaves the queue, and so may others. */
  for (GList *at = self->pending.head; at != NULL; at = at->next) {
    Pending *pending = at->data;

    if (pending->call != NULL && g_str_equal (pending->id, id))
      g_ptr_array_add (calls, g_object_ref (pending->call));
  }
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
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

  if (error != NULL)
    refuse_parameters (self, client, id, text, error->message);
  else if (self->pending.length >= MAX_PENDING)
    answer_failure (self, client, id, "too many calls wait for an answer");
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
    cancel (self, id);
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
  else
    handle_line (self, event);
}

/* --- the manager --- */

static void
wake (gpointer self)
{
  orrery_request_manager_wake (self);
}

static void
orrery_socket_request_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((OrrerySocketRequestManager *) part)->offline = orrery_setup_is_offline (setup);
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
  g_autofree char *place = line_server_describe_address (self->address);
  LineServerOptions options;
  int status;

  if (self->offline)
    return;
  line_server_options_init (&options);
  options.wake = wake;
  options.wake_data = self;
  self->server = line_server_new (&options);
  status =
      self->server != NULL ? line_server_listen (self->server, &where, &self->listener) : errno;
  if (status == 0)
    orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE,
                           "Socket service manager now listening on port %u%s.",
                           line_listener_get_port (self->listener), place);
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
  if (self->server != NULL)
    line_server_flush (self->server);
}

/* Calls without an answer are cancelled, so that every client is told how its calls end. */
static void
end_pending (OrrerySocketRequestManager *self)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  /* Apart, since a cancelled call leaves the queue, and so may others. */
  for (GList *at = self->pending.head; at != NULL; at = at->next) {
    Pending *pending = at->data;

    if (pending->call != NULL)
      g_ptr_array_add (calls, g_object_ref (pending->call));
  }
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
}

static void
orrery_socket_request_manager_close (OrreryRequestManager *manager)
{
  OrrerySocketRequestManager *self = (OrrerySocketRequestManager *) manager;

  if (self->server == NULL)
    return;
  report (self);
  end_pending (self);
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
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, server, line_server_free);
  ORRERY_CLASS_OWNS (klass, OrrerySocketRequestManager, writer, orrery_writer_unref);
}

static void
orrery_socket_request_manager_init (OrrerySocketRequestManager *self)
{
  g_queue_init (&self->pending);
  self->writer = orrery_writer_new ();
}

ORRERY_PLUGIN ("Service calls as lines over TCP", "BSD-3-Clause",
               ORRERY_CLASS (SocketRequestManager, OrrerySocketRequestManager,
                             orrery_socket_request_manager, .stream = "socket"))
