/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin itself, in the test: a host of a few lines stands in for pipelines and tick. */
#include "../../middleware/socket_datastream.c"

#include "line-client.h"
#include "log-catcher.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-stream-private.h"

typedef struct {
  double x;
  OrreryVec3 velocity;
} TestData;

static const OrreryField fields[] = {
  ORRERY_FIELD (TestData, x, "m", "A number"),
  ORRERY_FIELD (TestData, velocity, "m/s", "A vector"),
};

G_DECLARE_FINAL_TYPE (TestComponent, test_component, TEST, COMPONENT, OrreryActuator)
struct _TestComponent {
  OrreryActuator parent_instance;
};
G_DEFINE_FINAL_TYPE (TestComponent, test_component, ORRERY_TYPE_ACTUATOR)

static void
test_component_class_init (TestComponentClass *klass)
{
  ORRERY_CLASS_SET_DATA (klass, TestData, fields);
}

static void
test_component_init (TestComponent *self)
{
}

/* --- the host --- */

enum { MAX_STREAMS = 4 };

typedef struct {
  OrreryDatastreamManager *manager;
  OrreryDatastreamManagerClass *klass;
  OrreryWaker *waker;
  OrreryComponent *components[MAX_STREAMS];
  OrreryStream *streams[MAX_STREAMS];
  guint n;
} Fixture;

static void
fixture_init (Fixture *f)
{
  *f = (Fixture){ .waker = orrery_waker_new () };
  f->manager =
      g_object_new (orrery_socket_datastream_manager_get_type (), "base-port", 23000, NULL);
  f->klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (f->manager);
  orrery_part_identify (ORRERY_PART (f->manager), "socket", "test.Socket", 0);
  orrery_datastream_manager_attach (f->manager, f->waker);
}

static void
add_stream (Fixture *f, const char *name, OrreryDirection direction, GVariant *options,
            GError **error)
{
  GType type = direction == ORRERY_DIRECTION_OUT ? orrery_socket_publisher_get_type ()
                                                 : orrery_socket_reader_get_type ();
  g_autoptr (OrreryDatastream) codec = g_object_new (type, NULL);
  g_autoptr (GVariant) owned = options != NULL ? g_variant_ref_sink (options) : NULL;

  f->components[f->n] = g_object_new (test_component_get_type (), NULL);
  orrery_part_identify (ORRERY_PART (f->components[f->n]), name, "test.Component", 0);
  f->streams[f->n] = orrery_stream_new (f->components[f->n], codec, direction, NULL);
  f->klass->open (f->manager, f->streams[f->n], owned, error);
  f->n++;
}

static GVariant *
one_option (const char *name, GVariant *value)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", name, value);
  return g_variant_builder_end (&options);
}

static void
start (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  f->klass->start (f->manager, &error);
  g_assert_no_error (error);
  n_caught_warnings = 0;
}

static void
fixture_clear (Fixture *f)
{
  f->klass->close (f->manager);
  for (guint i = 0; i < f->n; i++) {
    g_object_unref (f->streams[i]);
    g_object_unref (f->components[i]);
  }
  g_assert_finalize_object (f->manager);
  orrery_waker_unref (f->waker);
}

/* The port, asked for as a client does. */
static gint64
ask_port (Fixture *f, const char *name, GError **error)
{
  GVariant *arguments = g_variant_new_parsed ("[<%s>]", name);
  g_autoptr (OrreryCall) call = orrery_call_new ("get_stream_port", arguments);
  GVariant *result;

  orrery_call_start (call, ORRERY_PART (f->manager));
  result = orrery_call_get_result (call, error);
  return result != NULL ? g_variant_get_int64 (result) : -1;
}

static Client *
connect_stream (Fixture *f, guint i)
{
  GError *error = NULL;
  gint64 port = ask_port (f, orrery_stream_get_name (f->streams[i]), &error);

  g_assert_no_error (error);
  return client_connect ((guint16) port);
}

static LineListener *
listener_of (Fixture *f, guint i)
{
  return ((Port *) orrery_stream_get_user_data (f->streams[i]))->listener;
}

static void
wait_for (Fixture *f, LineListener *listener, LineCount what, guint64 n)
{
  gint64 until = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (line_listener_get_count (listener, what) < n && g_get_monotonic_time () < until)
    g_usleep (200);
  g_assert_cmpuint (line_listener_get_count (listener, what), >=, n);
}

/* Encodes and sends as a pipeline does. */
static void
publish (Fixture *f, guint i, double x)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  OrreryRecord *record = orrery_component_get_record (f->components[i]);
  OrreryDatastream *codec = orrery_stream_get_codec (f->streams[i]);
  GError *error = NULL;
  const char *data;
  gsize length;

  ((TestData *) orrery_record_data (record))->x = x;
  ORRERY_DATASTREAM_GET_CLASS (codec)->encode (codec, record, writer, &error);
  g_assert_no_error (error);
  data = orrery_writer_get_data (writer, &length);
  f->klass->send (f->manager, f->streams[i], data, length);
  f->klass->flush (f->manager);
}

/* --- tests --- */

static void
test_out (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary (
      "A record is a line of JSON; the first step takes a client, the next one serves it");
  fixture_init (&f);
  add_stream (&f, "robot.pose", ORRERY_DIRECTION_OUT, NULL, NULL);
  start (&f);
  f.klass->intake (f.manager);
  g_assert_false (orrery_stream_is_listening (f.streams[0]));
  client = connect_stream (&f, 0);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_ACCEPTED, 1);
  f.klass->intake (f.manager);
  g_assert_true (orrery_stream_is_listening (f.streams[0]));
  publish (&f, 0, 0.5);
  publish (&f, 0, 1.5);
  g_assert_cmpstr (client_read (client), ==, "{\"x\": 1.5, \"velocity\": [0.0, 0.0, 0.0]}");

  /* One that sends no more may read on; that it has gone is seen by what it does not take. */
  shutdown (client->fd, SHUT_WR);
  publish (&f, 0, 2.5);
  g_assert_cmpstr (client_read (client), ==, "{\"x\": 2.5, \"velocity\": [0.0, 0.0, 0.0]}");
  g_clear_pointer (&client, client_free);
  publish (&f, 0, 3.5);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_CLOSED, 1);
  f.klass->intake (f.manager);
  g_assert_false (orrery_stream_is_listening (f.streams[0]));
  fixture_clear (&f);
}

static gboolean
decode (Fixture *f, guint i, double *x, GError **error)
{
  OrreryDatastream *codec = orrery_stream_get_codec (f->streams[i]);
  OrreryRecord *record = orrery_component_get_record (f->components[i]);
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  GError *local = NULL;
  gsize length;
  const char *data = orrery_stream_get_message (f->streams[i], &length);

  orrery_reader_set_data (reader, data, length);
  ORRERY_DATASTREAM_GET_CLASS (codec)->decode (codec, reader, record, &local);
  *x = ((TestData *) orrery_record_data (record))->x;
  orrery_stream_drop (f->streams[i]);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static void
test_new_readers (void)
{
  g_autoptr (Client) a = NULL, b = NULL;
  Fixture f;

  g_test_summary ("a new client costs those that are there nothing");
  fixture_init (&f);
  add_stream (&f, "robot.pose", ORRERY_DIRECTION_OUT, NULL, NULL);
  start (&f);
  a = connect_stream (&f, 0);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_ACCEPTED, 1);
  publish (&f, 0, 1);
  publish (&f, 0, 2);
  b = connect_stream (&f, 0);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_ACCEPTED, 2);
  publish (&f, 0, 3);
  publish (&f, 0, 4);
  for (guint i = 2; i <= 4; i++)
    g_assert_cmpint (client_read (a)[6], ==, '0' + (int) i);
  g_assert_cmpint (client_read (b)[6], ==, '4');
  fixture_clear (&f);
}

/* A step of the component, as the pipeline has it. */
static const char *
step (Fixture *f, guint i)
{
  gsize length;

  f->klass->intake (f->manager);
  orrery_stream_take (f->streams[i]);
  return orrery_stream_read (f->streams[i], &length);
}

static void
test_new_writers (void)
{
  g_autoptr (Client) a = NULL, b = NULL;
  Fixture f;

  g_test_summary ("What a new client sends is used by the step behind the one that takes it");
  fixture_init (&f);
  add_stream (&f, "robot.motion", ORRERY_DIRECTION_IN, NULL, NULL);
  start (&f);
  a = connect_stream (&f, 0);
  client_write (a, "{\"x\": 1}\n{\"x\": 2}\n", 18);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 2);
  /* Ticks in which the component is not due do not count. */
  for (guint i = 0; i < 3; i++)
    f.klass->intake (f.manager);
  g_assert_null (step (&f, 0));
  g_assert_nonnull (strstr (step (&f, 0), "2}"));
  orrery_stream_drop (f.streams[0]);
  client_write (a, "{\"x\": 3}\n", 9);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 3);
  g_assert_nonnull (strstr (step (&f, 0), "3}"));
  orrery_stream_drop (f.streams[0]);

  /* Also of one that has gone by then. */
  b = connect_stream (&f, 0);
  client_write (b, "{\"x\": 4}\n", 9);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 4);
  g_clear_pointer (&b, client_free);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_CLOSED, 1);
  g_assert_null (step (&f, 0));
  g_assert_nonnull (strstr (step (&f, 0), "4}"));
  fixture_clear (&f);
}

static void
test_in (void)
{
  g_autoptr (Client) a = NULL, b = NULL;
  g_autoptr (GError) error = NULL;
  double x = 0;
  Fixture f;

  g_test_summary ("Of several messages of a tick the last wins; rivals and rubbish are seen");
  fixture_init (&f);
  add_stream (&f, "robot.motion", ORRERY_DIRECTION_IN, NULL, NULL);
  start (&f);
  a = connect_stream (&f, 0);
  b = connect_stream (&f, 0);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_ACCEPTED, 2);
  g_assert_null (step (&f, 0));
  client_write (a, "{\"x\": 1}\n{\"x\": 2}\n", 18);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 2);
  client_write (b, "{\"x\": 3}\n", 9);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 3);
  f.klass->intake (f.manager);
  g_assert_true (orrery_stream_take (f.streams[0]));
  g_assert_true (decode (&f, 0, &x, &error));
  g_assert_cmpfloat (x, ==, 3);
  g_assert_true (orrery_stream_has_rivals (f.streams[0]));
  g_assert_cmpuint (orrery_stream_get_n_displaced (f.streams[0]), ==, 2);

  client_write (b, "{\"x\": [\n", 8);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN, 4);
  f.klass->intake (f.manager);
  g_assert_true (orrery_stream_take (f.streams[0]));
  g_assert_false (decode (&f, 0, &x, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpfloat (x, ==, 3);
  fixture_clear (&f);
}

static void
test_ports (void)
{
  g_autoptr (GError) error = NULL;
  gint64 first;
  Fixture f, g;

  g_test_summary ("Ports go up in the order of the config, past those in use and asked for");
  fixture_init (&f);
  add_stream (&f, "robot.a", ORRERY_DIRECTION_OUT, NULL, NULL);
  add_stream (&f, "robot.b", ORRERY_DIRECTION_OUT, one_option ("port", g_variant_new_int64 (23500)),
              NULL);
  add_stream (&f, "robot.c", ORRERY_DIRECTION_IN, NULL, NULL);
  start (&f);
  first = ask_port (&f, "robot.a", NULL);
  g_assert_cmpint (first, >=, 23000);
  g_assert_cmpint (ask_port (&f, "robot.b", NULL), >=, 23500);
  g_assert_cmpint (ask_port (&f, "robot.c", NULL), >, first);
  g_assert_cmpint (ask_port (&f, "robot.c", NULL), <, 23500);
  g_assert_cmpint (ask_port (&f, "robot.d", &error), ==, -1);
  g_assert_cmpstr (error->message, ==, "Stream unavailable for component robot.d");

  fixture_init (&g);
  add_stream (&g, "robot.a", ORRERY_DIRECTION_OUT, NULL, NULL);
  start (&g);
  g_assert_cmpint (ask_port (&g, "robot.a", NULL), >, first);
  fixture_clear (&g);
  fixture_clear (&f);
}

static void
test_names (void)
{
  g_autoptr (OrreryCall) list = orrery_call_new ("list_streams", NULL);
  g_autoptr (OrreryCall) all = orrery_call_new ("get_all_stream_ports", NULL);
  g_autofree char *names = NULL;
  gint64 port = 0;
  GVariant *ports;
  Fixture f;

  g_test_summary ("The name service names each component once; its last port counts");
  fixture_init (&f);
  add_stream (&f, "robot.a", ORRERY_DIRECTION_OUT, NULL, NULL);
  add_stream (&f, "robot.b", ORRERY_DIRECTION_IN, NULL, NULL);
  add_stream (&f, "robot.a", ORRERY_DIRECTION_OUT, NULL, NULL);
  start (&f);
  orrery_call_start (list, ORRERY_PART (f.manager));
  names = g_variant_print (orrery_call_get_result (list, NULL), FALSE);
  g_assert_cmpstr (names, ==, "['robot.a', 'robot.b']");
  orrery_call_start (all, ORRERY_PART (f.manager));
  ports = orrery_call_get_result (all, NULL);
  g_assert_cmpuint (g_variant_n_children (ports), ==, 2);
  g_assert_true (g_variant_lookup (ports, "robot.a", "x", &port));
  g_assert_cmpint (port, ==, line_listener_get_port (listener_of (&f, 2)));
  g_clear_object (&list);
  g_clear_object (&all);
  fixture_clear (&f);
}

static void
assert_refused (GVariant *options, const char *words)
{
  g_autoptr (GError) error = NULL;
  Fixture f;

  fixture_init (&f);
  add_stream (&f, "robot.a", ORRERY_DIRECTION_OUT, options, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (error->message, ==, words);
  fixture_clear (&f);
}

static void
test_options (void)
{
  g_test_summary (
      "Options that are none, and ports that are none, are refused before any is opened");
  assert_refused (one_option ("prot", g_variant_new_int64 (1)),
                  "a socket stream has no option 'prot'; did you mean port");
  assert_refused (one_option ("port", g_variant_new_int64 (0)),
                  "option 'port' of a socket stream must be an integer from 1 to 65535, not 0");
  assert_refused (one_option ("port", g_variant_new_int64 (65536)),
                  "option 'port' of a socket stream must be an integer from 1 to 65535, not 65536");
  assert_refused (
      one_option ("port", g_variant_new_string ("60000")),
      "option 'port' of a socket stream must be an integer from 1 to 65535, not '60000'");
}

static void
test_last_port (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f, g;

  g_test_summary ("No port left is an error that says where was looked");
  fixture_init (&f);
  add_stream (&f, "robot.a", ORRERY_DIRECTION_OUT, one_option ("port", g_variant_new_int64 (65535)),
              NULL);
  start (&f);
  fixture_init (&g);
  add_stream (&g, "robot.b", ORRERY_DIRECTION_OUT, one_option ("port", g_variant_new_int64 (65535)),
              NULL);
  g.klass->start (g.manager, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_assert_cmpstr (error->message, ==,
                   "socket stream of robot.b: no port from 65535 to 65535 on 127.0.0.1: Address "
                   "already in use");
  fixture_clear (&g);
  fixture_clear (&f);
}

/* --- time synchronisation --- */

static void
start_sync (Fixture *f, int port)
{
  fixture_init (f);
  g_object_set (f->manager, "time-sync", TRUE, "sync-port", port, NULL);
  start (f);
}

/* Waits as a held simulation does, until the gate opens. */
static void
wait_for_gate (Fixture *f)
{
  while (!f->klass->gate (f->manager))
    orrery_waker_sleep (f->waker, -1);
}

static void
test_sync (void)
{
  g_autoptr (Client) client = NULL;
  OrrerySocketDatastreamManager *self;
  char flood[5000] = { 0 };
  Fixture f;

  g_test_summary (
      "A client holds the simulation: fresh bytes release one tick; free when it leaves");
  start_sync (&f, 23900);
  self = (OrrerySocketDatastreamManager *) f.manager;
  assert_log ("Creating clock synchronisation on port 23900", 0);
  g_assert_true (f.klass->gate (f.manager));
  f.klass->intake (f.manager);
  client = client_connect (23900);
  wait_for (&f, self->sync, LINE_COUNT_ACCEPTED, 1);
  g_assert_false (f.klass->gate (f.manager));

  for (guint i = 0; i < 5; i++) {
    client_write (client, "sync", 4);
    wait_for_gate (&f);
    g_assert_true (f.klass->gate (f.manager));
    f.klass->intake (f.manager);
    g_assert_false (f.klass->gate (f.manager));
  }
  /* 5000 bytes are three portions of at most 2048. */
  client_write (client, flood, sizeof flood);
  wait_for_gate (&f);
  f.klass->intake (f.manager);
  wait_for_gate (&f);
  f.klass->intake (f.manager);
  wait_for_gate (&f);
  f.klass->intake (f.manager);
  g_assert_false (f.klass->gate (f.manager));

  g_clear_pointer (&client, client_free);
  wait_for_gate (&f);
  f.klass->intake (f.manager);
  g_assert_true (f.klass->gate (f.manager));
  fixture_clear (&f);
}

static void
test_sync_in_use (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f, g;

  g_test_summary ("A sync_port in use is an error, not another port");
  start_sync (&f, 23901);
  fixture_init (&g);
  g_object_set (g.manager, "time-sync", TRUE, "sync-port", 23901, NULL);
  g.klass->start (g.manager, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_assert_cmpstr (error->message, ==, "sync_port 23901 on 127.0.0.1: Address already in use");
  fixture_clear (&g);
  fixture_clear (&f);
}

static void
test_warnings (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *big = g_strnfill (2 * 1024 * 1024, 'b');
  Fixture f;

  g_test_summary ("What clients do wrong is logged once for each cause");
  fixture_init (&f);
  add_stream (&f, "robot.motion", ORRERY_DIRECTION_IN, NULL, NULL);
  start (&f);
  assert_log ("Socket Mw Server now listening on port 23", 0);
  client = connect_stream (&f, 0);
  client_write (client, big, 2 * 1024 * 1024);
  client_write (client, "\n", 1);
  client_write (client, big, 2 * 1024 * 1024);
  client_write (client, "\nhalf", 5);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN_TOO_LONG, 2);
  g_clear_pointer (&client, client_free);
  wait_for (&f, listener_of (&f, 0), LINE_COUNT_IN_HALF, 1);
  for (guint i = 0; i < 3 * REPORT_EVERY; i++)
    f.klass->intake (f.manager);
  g_assert_false (orrery_stream_take (f.streams[0]));
  assert_log ("socket stream of robot.motion: a message of more than 1 MiB was refused (2 so far)",
              2);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  start_catching_log ();
  g_test_add_func ("/socket-streams/out", test_out);
  g_test_add_func ("/socket-streams/in", test_in);
  g_test_add_func ("/socket-streams/new-readers", test_new_readers);
  g_test_add_func ("/socket-streams/new-writers", test_new_writers);
  g_test_add_func ("/socket-streams/ports", test_ports);
  g_test_add_func ("/socket-streams/names", test_names);
  g_test_add_func ("/socket-streams/options", test_options);
  g_test_add_func ("/socket-streams/last-port", test_last_port);
  g_test_add_func ("/socket-streams/sync", test_sync);
  g_test_add_func ("/socket-streams/sync-in-use", test_sync_in_use);
  g_test_add_func ("/socket-streams/warnings", test_warnings);
  return g_test_run ();
}
