/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin itself, in the test: a host of a few lines stands in for router and tick. */
#include "../../middleware/socket_request_manager.c"

#include "line-client.h"
#include "log-catcher.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"

/* --- a part with services --- */

G_DECLARE_FINAL_TYPE (TestPart, test_part, TEST, PART, OrreryPart)
struct _TestPart {
  OrreryPart parent_instance;
  guint n_cancelled;
};
G_DEFINE_FINAL_TYPE (TestPart, test_part, ORRERY_TYPE_PART)

static void
service_add (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_double (orrery_call_get_double (call, 0) +
                                                  orrery_call_get_double (call, 1)));
}

static void
service_echo (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, orrery_call_get_argument (call, 0));
}

static void
service_nothing (OrreryPart *part, OrreryCall *call, GError **error)
{
}

static void
service_fail (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "no \"luck\" today\n\xc3\xa9");
}

static const OrreryService test_services[] = {
  { "add", service_add, ORRERY_SERVICE_IMMEDIATE, "x:d y:d", "" },
  { "echo", service_echo, ORRERY_SERVICE_IMMEDIATE, "value:v", "" },
  { "nothing", service_nothing, ORRERY_SERVICE_IMMEDIATE, "", "" },
  { "fail", service_fail, ORRERY_SERVICE_IMMEDIATE, "", "" },
  { "wait", service_nothing, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "", "" },
  { "last", service_nothing, ORRERY_SERVICE_LONG | ORRERY_SERVICE_NONINTERRUPTIBLE, "", "" },
};

static void
test_part_cancel (OrreryPart *part, OrreryCall *call)
{
  TEST_PART (part)->n_cancelled++;
}

static void
test_part_class_init (TestPartClass *klass)
{
  ORRERY_PART_CLASS (klass)->cancel = test_part_cancel;
  ORRERY_CLASS_SET_SERVICES (klass, test_services);
}

static void
test_part_init (TestPart *self)
{
}

/* --- the host --- */

typedef struct {
  OrreryRequestManager *manager;
  OrreryRequestManagerClass *klass;
  TestPart *part;
  OrreryWaker *waker;
  GPtrArray *queue; /* (element-type OrreryCall) */
  GPtrArray *names; /* (element-type utf8) of their parts */
} Fixture;

static void
take_call (gpointer host, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  Fixture *f = host;

  g_ptr_array_add (f->queue, g_object_ref (call));
  g_ptr_array_add (f->names, g_strdup (part));
}

static void
run_calls (Fixture *f)
{
  for (guint i = 0; i < f->queue->len; i++) {
    if (g_str_equal (f->names->pdata[i], "robot.part"))
      orrery_call_start (f->queue->pdata[i], ORRERY_PART (f->part));
    else
      orrery_call_refuse (f->queue->pdata[i], ORRERY_CALL_NO_SERVICE,
                          g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "nobody"));
  }
  g_ptr_array_set_size (f->queue, 0);
  g_ptr_array_set_size (f->names, 0);
}

static void
tick (Fixture *f)
{
  f->klass->intake (f->manager);
  run_calls (f);
  f->klass->flush (f->manager);
}

/* A tick once something has come in. */
static void
tick_when_woken (Fixture *f)
{
  while (!orrery_request_manager_take_wake (f->manager))
    orrery_waker_sleep (f->waker, -1);
  tick (f);
}

static void
fixture_start (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  f->waker = orrery_waker_new ();
  f->manager = g_object_new (orrery_socket_request_manager_get_type (), "port", 22000, NULL);
  f->klass = ORRERY_REQUEST_MANAGER_GET_CLASS (f->manager);
  f->part = g_object_new (test_part_get_type (), NULL);
  f->queue = g_ptr_array_new_with_free_func (g_object_unref);
  f->names = g_ptr_array_new_with_free_func (g_free);
  orrery_part_identify (ORRERY_PART (f->part), "robot.part", "test.Part", 0);
  orrery_request_manager_attach (f->manager, take_call, f, f->waker);
  f->klass->start (f->manager, &error);
  g_assert_no_error (error);
}

static void
fixture_init (Fixture *f)
{
  fixture_start (f);
  assert_log ("Socket service manager now listening on port 22", 0);
}

static void
fixture_clear (Fixture *f)
{
  f->klass->close (f->manager);
  g_assert_finalize_object (f->manager);
  g_ptr_array_unref (f->queue);
  g_ptr_array_unref (f->names);
  g_object_unref (f->part);
  orrery_waker_unref (f->waker);
  assert_log ("", 0);
}

static Client *
connect_client (Fixture *f)
{
  LineListener *listener = ((OrrerySocketRequestManager *) f->manager)->listener;

  return client_connect (line_listener_get_port (listener));
}

static void
say (Client *client, const char *text)
{
  client_write (client, text, strlen (text));
}

static void
assert_answer (Fixture *f, Client *client, const char *request, const char *expected)
{
  g_autofree char *line = g_strconcat (request, "\n", NULL);

  say (client, line);
  tick_when_woken (f);
  g_assert_cmpstr (client_read (client), ==, expected);
}

static void
assert_answer_starts (Fixture *f, Client *client, const char *request, const char *expected)
{
  g_autofree char *line = g_strconcat (request, "\n", NULL);
  const char *answer;

  say (client, line);
  tick_when_woken (f);
  answer = client_read (client);
  if (answer == NULL || !g_str_has_prefix (answer, expected))
    g_assert_cmpstr (answer, ==, expected);
}

/* --- tests --- */

static void
test_values (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("Answers carry the id and the value as JSON; falsy values are left out");
  fixture_init (&f);
  client = connect_client (&f);
  assert_answer (&f, client, "id1 robot.part add [1, 2.5]", "id1 SUCCESS 3.5");
  assert_answer (&f, client, "  7.a\trobot.part   add [1,\t2]  \r", "7.a SUCCESS 3.0");
  assert_answer (&f, client, "1 robot.part echo [{\"a\": [1, true, null, \"x\"]}]",
                 "1 SUCCESS {\"a\": [1, true, null, \"x\"]}");
  assert_answer (&f, client, "1 robot.part echo [\"\xc3\xa9\"]", "1 SUCCESS \"\\u00e9\"");
  assert_answer (&f, client, "1 robot.part nothing", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part nothing []", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part nothing null", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [0]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [0.0]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [false]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [\"\"]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [[]]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [{}]", "1 SUCCESS");
  assert_answer (&f, client, "1 robot.part echo [null]", "1 SUCCESS");
  assert_answer (&f, client, "value:1 robot.part echo [0]", "value:1 SUCCESS 0");
  assert_answer (&f, client, "value:1 robot.part echo [0.0]", "value:1 SUCCESS 0.0");
  assert_answer (&f, client, "value:1 robot.part echo [false]", "value:1 SUCCESS false");
  assert_answer (&f, client, "value:1 robot.part echo [\"\"]", "value:1 SUCCESS \"\"");
  assert_answer (&f, client, "value:1 robot.part echo [[]]", "value:1 SUCCESS []");
  assert_answer (&f, client, "value:1 robot.part nothing", "value:1 SUCCESS");
  assert_answer (&f, client, "value:1 robot.part echo [7]", "value:1 SUCCESS 7");
  assert_answer (&f, client, "1 robot.part echo [[0]]", "1 SUCCESS [0]");
  assert_answer (&f, client, "1 robot.part echo [true]", "1 SUCCESS true");
  fixture_clear (&f);
}

static void
test_failures (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("What is wrong is said in the words that clients know");
  fixture_init (&f);
  client = connect_client (&f);
  assert_answer (&f, client, "1 robot.part fail", "1 FAILED \"no \\\"luck\\\" today\\n\\u00e9\"");
  assert_answer (&f, client, "2 robot.part fly",
                 "2 FAILED \"The request fly has not been registered in Socket service manager\"");
  assert_answer (&f, client, "2 nobody add [1, 2]",
                 "2 FAILED \"The request add has not been registered in Socket service manager\"");
  assert_answer_starts (
      &f, client, "3 robot.part add [1]",
      "3 FAILED \"Socket service manager: wrong # of parameters for service add. ");
  assert_answer_starts (&f, client, "3 robot.part add",
                        "3 FAILED \"Socket service manager: parameters expected for service add! ");
  assert_answer_starts (
      &f, client, "3 robot.part add [1, \"x\"]",
      "3 FAILED \"Socket service manager: wrong parameter type for service add. ");
  assert_answer_starts (
      &f, client, "3 robot.part add [1, NaN]",
      "3 FAILED \"Socket service manager: wrong parameter type for service add. ");
  assert_answer_starts (
      &f, client, "4 robot.part add [1, 2",
      "4 FAILED \"Invalid request syntax: error while parsing the parameters: <[1, 2>. ");
  fixture_clear (&f);
}

static void
test_malformed (void)
{
  static const char *const no_lists[] = { "5", "true", "\"abc\"", "{\"x\": 1}", "1 2", NULL };
  g_autoptr (Client) client = NULL;
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autofree char *deep_request = g_strconcat ("9 robot.part add ", deep, NULL);
  Fixture f;

  g_test_summary ("Lines that are no request are answered, and the next one works");
  fixture_init (&f);
  client = connect_client (&f);
  assert_answer (&f, client, "", " FAILED \"Malformed request! \"");
  assert_answer (&f, client, " \t ", " FAILED \"Malformed request! \"");
  assert_answer (&f, client, "42", "42 FAILED \"Malformed request! \"");
  assert_answer (&f, client, "42 simulation", "42 FAILED \"Malformed request! \"");
  for (guint i = 0; no_lists[i] != NULL; i++) {
    g_autofree char *request = g_strdup_printf ("8 robot.part add %s", no_lists[i]);

    assert_answer_starts (
        &f, client, request,
        "8 FAILED \"Invalid request syntax: error while parsing the parameters: ");
  }
  assert_answer_starts (&f, client, deep_request, "9 FAILED \"Invalid request syntax: ");
  assert_answer_starts (&f, client, "10 robot.part \xff\xfe", "10 FAILED \"Malformed request! ");
  assert_answer (&f, client, "11 robot.part add [1, 1]", "11 SUCCESS 2.0");
  fixture_clear (&f);
}

static void
test_too_long (void)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *filler = g_strnfill (2 * 1024 * 1024, '1');
  Fixture f;

  g_test_summary ("A request of two megabytes is refused under its own id");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "big robot.part add [");
  say (client, filler);
  say (client, "]\n");
  tick_when_woken (&f);
  g_assert_cmpstr (client_read (client), ==,
                   "big FAILED \"Malformed request! longer than 1048576 bytes\"");
  f.klass->close (f.manager);
  assert_log ("a request of more than 1 MiB was refused (1 so far)", 1);
  fixture_clear (&f);
}

static guint64
n_taken (Fixture *f)
{
  return line_listener_get_count (((OrrerySocketRequestManager *) f->manager)->listener,
                                  LINE_COUNT_IN);
}

static void
test_order (void)
{
  g_autoptr (Client) client = NULL;
  g_autoptr (GString) requests = g_string_new (NULL);
  Fixture f;

  g_test_summary ("Answers of one tick come in the order of the requests");
  fixture_init (&f);
  client = connect_client (&f);
  for (guint i = 0; i < 500; i++)
    g_string_append_printf (requests, "%u robot.part %s\n", i, i % 2 ? "nothing" : "fly");
  say (client, requests->str);
  /* The lines may come in several portions; each wakes. */
  while (n_taken (&f) < 500)
    tick_when_woken (&f);
  tick (&f);
  for (guint i = 0; i < 500; i++) {
    g_autofree char *id = g_strdup_printf ("%u ", i);

    if (!g_str_has_prefix (client_read (client), id))
      g_assert_cmpstr (client->line->str, ==, id);
  }
  fixture_clear (&f);
}

static void
test_long_running (void)
{
  g_autoptr (Client) client = NULL;
  g_autoptr (OrreryCall) call = NULL;
  Fixture f;

  g_test_summary ("A long-running call is answered when it is done, at once");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "a robot.part wait\n");
  tick_when_woken (&f);
  call = g_object_ref (orrery_part_get_busy (ORRERY_PART (f.part)));
  assert_answer (&f, client, "b robot.part add [1, 1]", "b SUCCESS 2.0");
  /* Between ticks: nobody flushes before the next one, which a pause may put off. */
  orrery_call_return (call, g_variant_new_int64 (5));
  g_assert_cmpstr (client_read (client), ==, "a SUCCESS 5");
  fixture_clear (&f);
}

static void
test_preempt (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("Another call preempts an interruptible one and is refused by one that is not");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "first robot.part wait\n");
  tick_when_woken (&f);
  assert_answer (&f, client, "second robot.part wait", "first PREEMPTED");
  assert_answer (&f, client, "third robot.part last", "second PREEMPTED");
  assert_answer (&f, client, "fourth robot.part wait",
                 "fourth FAILED \"A non-interruptible service (last) is already running\"");
  g_assert_cmpuint (f.part->n_cancelled, ==, 2);
  orrery_call_return (orrery_part_get_busy (ORRERY_PART (f.part)), NULL);
  g_assert_cmpstr (client_read (client), ==, "third SUCCESS");
  fixture_clear (&f);
}

static void
test_cancel (void)
{
  g_autoptr (Client) client = NULL, other = NULL;
  Fixture f;

  g_test_summary ("Cancelling works from any connection and has no answer of its own");
  fixture_init (&f);
  client = connect_client (&f);
  other = connect_client (&f);
  say (client, "id.5 robot.part wait\n");
  tick_when_woken (&f);
  say (other, "id.6 cancel\nid cancel\nid.5 cancel\n");
  tick_when_woken (&f);
  g_assert_cmpstr (client_read (client), ==, "id.5 PREEMPTED");
  assert_answer (&f, other, "next robot.part nothing", "next SUCCESS");
  g_assert_cmpuint (f.part->n_cancelled, ==, 1);
  g_assert_cmpuint (((OrrerySocketRequestManager *) f.manager)->n_pending, ==, 0);
  fixture_clear (&f);
}

static void
test_same_tick (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("A call that is cancelled before it starts never starts");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "x robot.part wait\nx cancel\n");
  tick_when_woken (&f);
  g_assert_cmpstr (client_read (client), ==, "x PREEMPTED");
  g_assert_null (orrery_part_get_busy (ORRERY_PART (f.part)));
  fixture_clear (&f);
}

static void
test_gone (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("The calls of a client that has gone are cancelled, once they had their turn");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "a robot.part wait\n");
  tick_when_woken (&f);
  g_clear_pointer (&client, client_free);
  /* That it has gone is an event, too; the next round ends what it left. */
  tick_when_woken (&f);
  g_assert_cmpuint (f.part->n_cancelled, ==, 0);
  tick_when_woken (&f);
  g_assert_cmpuint (f.part->n_cancelled, ==, 1);
  g_assert_null (orrery_part_get_busy (ORRERY_PART (f.part)));
  client = connect_client (&f);
  assert_answer (&f, client, "b robot.part nothing", "b SUCCESS");
  fixture_clear (&f);
}

static void
test_half_closed (void)
{
  g_autoptr (Client) client = NULL;
  g_autoptr (OrreryCall) call = NULL;
  Fixture f;

  g_test_summary ("A client that sends no more, but is there, gets its answer");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "a robot.part wait\n");
  tick_when_woken (&f);
  shutdown (client->fd, SHUT_WR);
  tick_when_woken (&f);
  tick (&f);
  call = g_object_ref (orrery_part_get_busy (ORRERY_PART (f.part)));
  orrery_call_return (call, NULL);
  g_assert_cmpstr (client_read (client), ==, "a SUCCESS");
  g_assert_null (client_read (client));
  fixture_clear (&f);
}

static void
test_quit (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("What was answered is sent before the connection ends");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "1 robot.part wait\n2 robot.part add [2, 2]\n");
  tick_when_woken (&f);
  orrery_call_fail (orrery_part_get_busy (ORRERY_PART (f.part)),
                    g_error_new (ORRERY_ERROR, ORRERY_ERROR_PREEMPTED, "the end"));
  fixture_clear (&f);
  g_assert_cmpstr (client_read (client), ==, "2 SUCCESS 4.0");
  g_assert_cmpstr (client_read (client), ==, "1 PREEMPTED");
  g_assert_null (client_read (client));
}

static void
test_unanswered (void)
{
  g_autoptr (Client) client = NULL;
  Fixture f;

  g_test_summary ("Calls that nobody answers keep nothing alive; their clients are told");
  fixture_init (&f);
  client = connect_client (&f);
  say (client, "1 nobody wait\n");
  while (!orrery_request_manager_take_wake (f.manager))
    orrery_waker_sleep (f.waker, -1);
  f.klass->intake (f.manager);
  g_assert_cmpuint (f.queue->len, ==, 1);
  f.klass->close (f.manager);
  g_assert_cmpstr (client_read (client), ==, "1 PREEMPTED");
  g_ptr_array_set_size (f.queue, 0);
  fixture_clear (&f);
}

static void
test_ports (void)
{
  g_autoptr (GError) error = NULL;
  Fixture all[3] = { 0 };
  guint16 first, last;

  g_test_summary ("A port in use: the next of ten, with a warning");
  fixture_init (&all[0]);
  fixture_start (&all[1]);
  assert_log ("is in use, by another simulation perhaps", 1);
  first = line_listener_get_port (((OrrerySocketRequestManager *) all[0].manager)->listener);
  last = line_listener_get_port (((OrrerySocketRequestManager *) all[1].manager)->listener);
  g_assert_cmpuint (last, >, first);
  fixture_clear (&all[1]);

  fixture_clear (&all[0]);

  all[2].manager =
      g_object_new (orrery_socket_request_manager_get_type (), "address", "1.2.3", NULL);
  all[2].klass = ORRERY_REQUEST_MANAGER_GET_CLASS (all[2].manager);
  all[2].klass->start (all[2].manager, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_assert_cmpstr (error->message, ==,
                   "socket services: no port from 4000 to 4009 on 1.2.3: that is no IP address");
  all[2].klass->close (all[2].manager);
  g_object_unref (all[2].manager);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  start_catching_log ();
  g_test_add_func ("/socket-requests/values", test_values);
  g_test_add_func ("/socket-requests/failures", test_failures);
  g_test_add_func ("/socket-requests/malformed", test_malformed);
  g_test_add_func ("/socket-requests/too-long", test_too_long);
  g_test_add_func ("/socket-requests/order", test_order);
  g_test_add_func ("/socket-requests/long-running", test_long_running);
  g_test_add_func ("/socket-requests/preempt", test_preempt);
  g_test_add_func ("/socket-requests/cancel", test_cancel);
  g_test_add_func ("/socket-requests/same-tick", test_same_tick);
  g_test_add_func ("/socket-requests/gone", test_gone);
  g_test_add_func ("/socket-requests/half-closed", test_half_closed);
  g_test_add_func ("/socket-requests/quit", test_quit);
  g_test_add_func ("/socket-requests/unanswered", test_unanswered);
  g_test_add_func ("/socket-requests/ports", test_ports);
  return g_test_run ();
}
