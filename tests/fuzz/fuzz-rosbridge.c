/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/rosbridge/bridge.c middleware/rosbridge/cbor.c */
/* sources: middleware/rosbridge/fragment.c middleware/rosbridge/request.c */
/* sources: middleware/rosbridge/rosapi.c middleware/rosbridge/session.c */
/* sources: middleware/rosbridge/subscription.c middleware/line-access.c */
/* sources: middleware/message/backlog.c */
#undef G_LOG_DOMAIN
#include "../../middleware/rosbridge_request_manager.c"

#include "../../middleware/rosbridge/bridge-private.h"
#include "fuzz.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"
#include "roles/orrery-stream-private.h"

/* A client sends lines: operations, or, with a first letter, what else happens. */
#define BINARY 'B'  /* a frame of bytes */
#define DELIVER 'D' /* the simulation publishes: the value, if it is JSON, and a typed message */
#define FINISH 'F'  /* the oldest call is answered */

G_DECLARE_FINAL_TYPE (FuzzComponent, fuzz_component, FUZZ, COMPONENT, OrreryActuator)
struct _FuzzComponent {
  OrreryActuator parent_instance;
};
G_DEFINE_FINAL_TYPE (FuzzComponent, fuzz_component, ORRERY_TYPE_ACTUATOR)

static void
fuzz_component_class_init (FuzzComponentClass *klass)
{
}

static void
fuzz_component_init (FuzzComponent *self)
{
}

G_DECLARE_FINAL_TYPE (FuzzCodec, fuzz_codec, FUZZ, CODEC, OrreryDatastream)
struct _FuzzCodec {
  OrreryDatastream parent_instance;
};
G_DEFINE_FINAL_TYPE (FuzzCodec, fuzz_codec, ORRERY_TYPE_DATASTREAM)

static void
fuzz_codec_class_init (FuzzCodecClass *klass)
{
}

static void
fuzz_codec_init (FuzzCodec *self)
{
}

/* --- the server: what is sent is looked at, and gone --- */

struct _WebServer {
  gboolean has_client;
};
struct _WebClient {
  gpointer data;
};

static WebServer the_server;
static WebClient the_client;

static gsize check_cbor (const guint8 *data, gsize length);

/* Items of CBOR, one behind the other. */
static gsize
check_items (const guint8 *data, gsize length, guint64 n)
{
  gsize at = 0;

  for (guint64 i = 0; i < n; i++)
    at += check_cbor (data + at, length - at);
  return at;
}

/* Returns: the bytes of the item that is there */
static gsize
check_cbor (const guint8 *data, gsize length)
{
  guint major, code;
  guint64 value;
  gsize head = 1;

  g_assert_cmpuint (length, >, 0);
  major = data[0] >> 5;
  value = code = data[0] & 31;
  g_assert_cmpuint (code, <, 28);
  if (code >= 24) {
    head += (gsize) 1 << (code - 24);
    g_assert_cmpuint (head, <=, length);
    value = 0;
    for (gsize i = 1; i < head; i++)
      value = value << 8 | data[i];
  }
  if (major == 4 || major == 5)
    return head + check_items (data + head, length - head, major == 5 ? 2 * value : value);
  if (major == 6)
    return head + check_cbor (data + head, length - head);
  if (major != 2 && major != 3)
    return head;
  g_assert_cmpuint (value, <=, length - head);
  g_assert_true (major == 2 || g_utf8_validate ((const char *) data + head, (gssize) value, NULL));
  return head + (gsize) value;
}

static void
check_message (WebKind kind, GBytes *bytes)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (OrreryNode) node = NULL;

  if (kind == WEB_BINARY) {
    g_assert_cmpuint (check_cbor ((const guint8 *) text, length), ==, length);
    return;
  }
  g_assert_true (g_utf8_validate (text, (gssize) length, NULL));
  node = orrery_node_parse_json (text, length, "message", NULL);
  g_assert_nonnull (node);
  g_assert_nonnull (orrery_node_find (node, "op"));
}

void
web_client_send (WebClient *client, WebKind kind, GBytes *bytes)
{
  check_message (kind, bytes);
}

void
web_client_send_newest (WebClient *client, WebKind kind, GBytes *bytes, guint64 channel, guint keep)
{
  g_assert_cmpuint (keep, >, 0);
  check_message (kind, bytes);
}

gsize
web_client_get_waiting (WebClient *client)
{
  return 0;
}

guint64
web_client_get_number (WebClient *client)
{
  return 1;
}

void
web_client_set_data (WebClient *client, gpointer data)
{
  client->data = data;
}

gpointer
web_client_get_data (WebClient *client)
{
  return client->data;
}

WebClient *
web_server_find_client (WebServer *server, guint64 number)
{
  return server->has_client ? &the_client : NULL;
}

void
web_server_mail (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                 const char *text, gsize length, gboolean must)
{
  WebMail mail = { func, data, number, text, length, NULL };

  func (&mail);
}

void
web_server_mail_bytes (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                       GBytes *bytes, gboolean must)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  web_server_mail (server, func, data, number, text, length, must);
}

GBytes *
web_mail_dup_bytes (const WebMail *mail)
{
  return g_bytes_new (mail->text, mail->length);
}

guint64
web_server_get_count (WebServer *server, WebCount what)
{
  return 0;
}

void
web_server_flush (WebServer *server)
{
}

void
web_server_options_init (WebServerOptions *options)
{
  g_assert_not_reached ();
}

WebServer *
web_server_new (const WebServerOptions *options, GError **error)
{
  g_assert_not_reached ();
}

guint16
web_server_get_port (WebServer *server)
{
  g_assert_not_reached ();
}

void
web_server_add_socket (WebServer *server, const char *path, const char *const *protocols,
                       const WebSocketFuncs *funcs, gpointer data)
{
  g_assert_not_reached ();
}

gboolean
web_server_start (WebServer *server, GError **error)
{
  g_assert_not_reached ();
}

void
web_server_stop (WebServer *server, guint timeout_ms)
{
  g_assert_not_reached ();
}

void
web_server_free (WebServer *server)
{
  g_assert_not_reached ();
}

/* --- the simulation: a third of the calls is answered, a third fails, the others take longer ---
 */

static GPtrArray *held; /* (element-type OrreryCall) */
static guint n_calls;
static OrreryStream *readers[2];

static void
take_call (gpointer host, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  GVariant *given = orrery_call_get_given (call);

  g_assert_true (g_utf8_validate (orrery_call_get_service (call), -1, NULL));
  if (n_calls % 3 == 0)
    orrery_call_return (call, given != NULL ? given : g_variant_new_boolean (TRUE));
  else if (n_calls % 3 == 1)
    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_INVALID, "no: %s", part));
  else
    g_ptr_array_add (held, g_object_ref (call));
  n_calls++;
}

static void
finish_call (void)
{
  g_autoptr (OrreryCall) call = NULL;

  if (held->len == 0)
    return;
  call = g_ptr_array_steal_index (held, 0);
  orrery_call_feedback (call, g_variant_new_double (0.5));
  orrery_call_return (call, NULL);
}

static GVariant *
list_all (gpointer host, OrreryRequestManager *manager)
{
  return g_variant_new_parsed ("[('robot.motion', 'goto', uint32 1), ('simulation', 'state', 0)]");
}

static OrreryStream *
make_stream (const char *name, OrreryDirection direction)
{
  g_autoptr (OrreryDatastream) codec = g_object_new (fuzz_codec_get_type (), NULL);
  g_autoptr (OrreryComponent) component = g_object_new (fuzz_component_get_type (), NULL);

  orrery_part_identify (ORRERY_PART (component), name, "fuzz.Component", 0);
  return orrery_stream_new (component, codec, direction, NULL);
}

static void
add_topics (Bridge *bridge, OrreryMessageCatalogue *messages)
{
  const OrreryMessageType *type =
      orrery_message_catalogue_find (messages, "diagnostic_msgs/KeyValue", ORRERY_MESSAGE_ROS2,
                                     NULL);
  OrreryStream *writer = make_stream ("robot.pose", ORRERY_DIRECTION_OUT);

  g_assert_nonnull (type);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    readers[i] = make_stream ("robot.motion", ORRERY_DIRECTION_IN);
  bridge_add_writer (bridge, "/p", NULL, FALSE, writer, 0, NULL);
  bridge_add_writer (bridge, "/l", NULL, TRUE, writer, 1, NULL);
  bridge_add_writer (bridge, "/t", type, FALSE, writer, 2, NULL);
  bridge_add_reader (bridge, "/r", NULL, readers[0], NULL);
  bridge_add_reader (bridge, "/q", type, readers[1], NULL);
}

static OrreryRosbridgeRequestManager *
make_manager (void)
{
  OrreryRosbridgeRequestManager *self =
      g_object_new (orrery_rosbridge_request_manager_get_type (), NULL);
  g_autofree char *directory =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "data/messages", NULL);
  const char *const directories[] = { directory, NULL };
  g_autoptr (OrreryMessageCatalogue) messages = orrery_message_catalogue_new (directories, NULL);

  orrery_part_identify (ORRERY_PART (self), "rosbridge", "fuzz.Rosbridge", 0);
  orrery_request_manager_attach (ORRERY_REQUEST_MANAGER (self), take_call, NULL,
                                 orrery_waker_new ());
  orrery_request_manager_set_host (ORRERY_REQUEST_MANAGER (self),
                                   &(OrreryRequestHost){ .list = list_all });
  self->bridge = bridge_share (g_object_new (G_TYPE_OBJECT, NULL));
  bridge_set_messages (self->bridge, messages);
  add_topics (self->bridge, messages);
  list_services (self);
  bridge_set_wake (self->bridge, wake, self);
  self->bridge->server = &the_server;
  held = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

/* --- what happens --- */

static void
deliver_to (Bridge *bridge, const char *name, const char *text, gsize length)
{
  WebMail mail = { bridge_deliver, bridge_find_topic (bridge, name), 0, text, length, NULL };

  bridge_deliver (&mail);
}

static void
deliver (Bridge *bridge, const char *text, gsize length)
{
  static const char typed[] = "\xa2\x63key\x61k\x65value\x67some \xc3\xbc";
  g_autoptr (OrreryNode) node = orrery_node_parse_json (text, length, "message", NULL);
  g_autoptr (GVariant) value = node != NULL ? orrery_node_to_variant (node) : NULL;
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  if (value != NULL) {
    orrery_writer_append_json_variant (writer, value);
    text = orrery_writer_get_data (writer, &length);
    deliver_to (bridge, "/p", text, length);
    deliver_to (bridge, "/l", text, length);
  }
  deliver_to (bridge, "/t", typed, strlen (typed));
}

/* Frames of text are UTF-8 and end in NUL: web-frame.c sees to it. */
static void
read_line (OrreryRosbridgeRequestManager *self, const char *text, gsize length)
{
  BridgeSession *session = the_client.data;

  if (length > 0 && *text == DELIVER)
    deliver (self->bridge, text + 1, length - 1);
  else if (length > 0 && *text == FINISH)
    finish_call ();
  else if (length > 0 && *text == BINARY)
    bridge_session_funcs.message (self->bridge, &the_client, WEB_BINARY, text + 1, length - 1);
  else if (g_utf8_validate_len (text, length, NULL))
    bridge_session_funcs.message (self->bridge, &the_client, WEB_TEXT, text, length);
  g_assert_cmpuint (session->n_fragment_bytes, <=, BRIDGE_MAX_MESSAGE);
  g_assert_cmpuint (session->fragments.length, <=, BRIDGE_MAX_OPEN_FRAGMENTS);
  orrery_rosbridge_request_manager_intake (ORRERY_REQUEST_MANAGER (self));
  g_assert_cmpuint (session->calls.n, ==, self->pending.length);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    orrery_stream_take (readers[i]);
}

static void
end (OrreryRosbridgeRequestManager *self)
{
  bridge_session_funcs.close (self->bridge, &the_client);
  the_server.has_client = FALSE;
  orrery_rosbridge_request_manager_intake (ORRERY_REQUEST_MANAGER (self));
  g_assert_cmpuint (self->pending.length, ==, 0);
  g_ptr_array_set_size (held, 0);
  for (guint i = 0; i < self->bridge->topics->len; i++) {
    BridgeTopic *topic = self->bridge->topics->pdata[i];

    g_assert_cmpuint (topic->subscriptions->len, ==, 0);
    g_clear_pointer (&topic->last, g_bytes_unref);
  }
}

/* Whatever comes: what goes out are operations, and nothing of a client stays behind. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static OrreryRosbridgeRequestManager *self;
  g_autofree char *whole = g_malloc (size + 1);

  if (self == NULL) {
    fuzz_quiet_log ();
    self = make_manager ();
  }
  if (size > 0)
    memcpy (whole, data, size);
  whole[size] = '\0';
  the_server.has_client = TRUE;
  n_calls = 0;
  bridge_session_funcs.open (self->bridge, &the_client);
  for (gsize at = 0; at < size;) {
    char *newline = memchr (whole + at, '\n', size - at);
    gsize length = newline != NULL ? (gsize) (newline - whole) - at : size - at;

    whole[at + length] = '\0';
    read_line (self, whole + at, length);
    at += length + 1;
  }
  end (self);
  return 0;
}
