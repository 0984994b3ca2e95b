/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Overlays: other services and other names for a component, on one request manager. */

#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'worker', 'classpath': 'probe.actuators.Worker'}]}"
#define RENAMED "'probe.overlays.Renamed'"
#define PATIENT "'probe.overlays.Patient'"
#define SERVICE "'component_service': {'robot.worker': 'probe.requests.Desk'},"

static Stage *
make_stage (const char *more, const char *entry)
{
  g_autofree char *tables =
      g_strdup_printf ("%s 'overlays': {'probe.requests.Desk': {'robot.worker': %s}},", more,
                       entry);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, ROBOT);

  return stage_new (scene, NULL);
}

static OrreryCall *
ask (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autofree char *text = g_strdup_printf ("[<'%s'>, <'%s'>, <%s>]", part, service, arguments);

  return stage_start (stage, "desk", "ask", text);
}

/* What a client is told, as text, after so many ticks. */
static char *
hear (Stage *stage, const char *part, const char *service, const char *arguments, guint ticks)
{
  g_autoptr (OrreryCall) call = ask (stage, part, service, arguments);
  g_autoptr (GError) error = NULL;
  GVariant *value;

  stage_step (stage, ticks);
  g_assert_true (orrery_call_is_done (call));
  value = orrery_call_get_result (call, &error);
  if (error != NULL)
    return g_strdup (error->message);
  return value != NULL ? g_variant_print (value, FALSE) : g_strdup ("nothing");
}

static void
check (Stage *stage, const char *part, const char *service, const char *arguments, guint ticks,
       const char *pattern)
{
  g_autofree char *heard = hear (stage, part, service, arguments, ticks);

  if (!g_pattern_match_simple (pattern, heard))
    g_test_message ("'%s' does not match '%s'", heard, pattern);
  g_assert_true (g_pattern_match_simple (pattern, heard));
}

static void
test_renamed (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" RENAMED "]");

  g_test_summary ("an overlay answers under its own name with a changed result");
  check (stage, "arithmetic", "minus_sum", "[<1.0>, <2.0>]", 1, "-3.0");
  /* The component itself is not mapped to the manager: only its stand-in answers. */
  check (stage, "robot.worker", "add", "[<1.0>, <2.0>]", 1, "nothing named 'robot.worker'*");
  check (stage, "robot.worker", "minus_sum", "[<1.0>, <2.0>]", 1, "nothing named*");
  check (stage, "arithmetic", "add", "[<1.0>, <2.0>]", 1, "'arithmetic' has no service 'add'");
}

static void
test_arguments (void)
{
  static const char *const entries[] = {
    "[" RENAMED ", {'name': 'sums'}]",
    "[[" RENAMED ", {'name': 'sums'}]]",
  };

  g_test_summary ("[classpath, {arguments}], alone or in a list");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage = make_stage ("", entries[i]);

    check (stage, "sums", "minus_sum", "[<1.0>, <2.0>]", 1, "-3.0");
    check (stage, "arithmetic", "minus_sum", "[<1.0>, <2.0>]", 1, "nothing named*");
  }
}

static void
test_several (void)
{
  static const char *const entries[] = {
    "[" RENAMED ", " PATIENT "]",
    "[" PATIENT ", " RENAMED ", {'name': 'arithmetic'}]",
    "[[" RENAMED ", {}], [" PATIENT ", {}]]",
  };

  g_test_summary ("several overlays of one component all answer, and so does it");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage = make_stage (SERVICE, entries[i]);

    check (stage, "arithmetic", "minus_sum", "[<1.0>, <2.0>]", 1, "-3.0");
    check (stage, "robot.worker", "labour", "[<int64 3>]", 4, "'labour: done'");
    check (stage, "robot.worker", "add", "[<1.0>, <2.0>]", 1, "3.0");
  }
}

static void
test_two_of_one_class (void)
{
  g_autoptr (Stage) stage =
      make_stage ("", "[" RENAMED ", {'name': 'one'}, " RENAMED ", {'name': 'two'}]");

  check (stage, "one", "minus_sum", "[<1.0>, <2.0>]", 1, "-3.0");
  check (stage, "two", "minus_sum", "[<1.0>, <3.0>]", 1, "-4.0");
}

static void
test_one_classpath (void)
{
  g_autoptr (Stage) stage = make_stage ("", PATIENT);

  check (stage, "robot.worker", "labour", "[<int64 1>]", 2, "'labour: done'");
}

static void
test_failures_pass_through (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" RENAMED "]");

  check (stage, "arithmetic", "refuse", "@av []", 1, "not today");
  check (stage, "arithmetic", "missing", "@av []", 1, "*has no service 'fly'*");
  check (stage, "arithmetic", "minus_sum", "[<'a'>, <2.0>]", 1, "argument 'a' of minus_sum*");
}

static gint64
count_cancelled (Stage *stage)
{
  g_autoptr (GVariant) n = stage_call (stage, "robot.worker", "cancelled", NULL);

  return g_variant_get_int64 (n);
}

static void
test_chain_takes_its_time (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" PATIENT "]");
  g_autoptr (OrreryCall) call = ask (stage, "robot.worker", "labour", "[<int64 5>]");

  /* It is called behind the actuators of a tick; its work begins in the next one. */
  stage_step (stage, 5);
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
}

static void
test_cancel_goes_through (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" PATIENT "]");
  g_autoptr (OrreryCall) call = ask (stage, "robot.worker", "labour", "[<int64 100>]");
  g_autoptr (OrreryCall) own = NULL;

  g_test_summary ("cancelling the overlay's call stops the component");
  stage_step (stage, 2);
  orrery_call_cancel (call);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  g_assert_cmpint (count_cancelled (stage), ==, 1);
  /* The component is free again. */
  own = stage_start (stage, "robot.worker", "drill", "[<int64 1>]");
  stage_step (stage, 1);
  g_assert_cmpint (orrery_call_get_fault (own), ==, ORRERY_CALL_OK);
}

static void
test_preempted_below (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" PATIENT "]");
  g_autoptr (OrreryCall) call = ask (stage, "robot.worker", "labour", "[<int64 100>]");
  g_autoptr (OrreryCall) rival = NULL;
  g_autoptr (OrreryCall) second = NULL;

  g_test_summary ("who loses the component below is told so above");
  stage_step (stage, 2);
  rival = stage_start (stage, "robot.worker", "work", "[<int64 1>]");
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  stage_step (stage, 1);
  g_assert_cmpint (orrery_call_get_fault (rival), ==, ORRERY_CALL_OK);

  /* And a second call of the overlay preempts its first, down to the component. */
  g_clear_object (&call);
  call = ask (stage, "robot.worker", "labour", "[<int64 100>]");
  stage_step (stage, 1);
  second = ask (stage, "robot.worker", "labour", "[<int64 2>]");
  stage_step (stage, 1);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  stage_step (stage, 2);
  g_assert_true (orrery_call_is_done (second));
  g_assert_cmpint (orrery_call_get_fault (second), ==, ORRERY_CALL_OK);
}

static void
test_pending_at_the_end (void)
{
  g_autoptr (Stage) stage = make_stage ("", "[" PATIENT "]");
  g_autoptr (OrreryCall) call = ask (stage, "robot.worker", "labour", "[<int64 100>]");

  stage_step (stage, 2);
  orrery_simulation_close (stage->simulation);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
}

static void
check_refused (const char *entry, const char *pattern)
{
  g_autofree char *tables =
      g_strdup_printf ("'overlays': {'probe.requests.Desk': {'robot.worker': %s}},", entry);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, ROBOT);
  g_autoptr (GError) error = NULL;

  g_assert_null (stage_try (scene, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  if (error != NULL && !g_pattern_match_simple (pattern, error->message))
    g_test_message ("'%s' does not match '%s'", error->message, pattern);
  g_assert_true (error != NULL && g_pattern_match_simple (pattern, error->message));
}

static void
test_names (void)
{
  g_test_summary ("a service that two overlays publish under one name is an error, as is no name");
  check_refused ("[" RENAMED ", " RENAMED "]",
                 "*robot.worker/Renamed#0 and robot.worker/Renamed#1 both publish the service "
                 "'arithmetic minus_sum'*");
  check_refused ("[" RENAMED ", {'name': ''}]", "*robot.worker/Renamed#0 answers to ''*");
  check_refused ("[" RENAMED ", {'name': 'two words'}]",
                 "* answers to 'two words'; a name is one word, without blanks");
}

/* A negative control: without the overlay there is none of it. */
static void
test_without (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, SERVICE, ROBOT);
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  check (stage, "arithmetic", "minus_sum", "[<1.0>, <2.0>]", 1, "nothing named 'arithmetic'*");
  check (stage, "robot.worker", "labour", "@av []", 1, "*has no service 'labour'");
  check (stage, "robot.worker", "add", "[<1.0>, <2.0>]", 1, "3.0");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/assembly/overlays/renamed", test_renamed);
  g_test_add_func ("/assembly/overlays/arguments", test_arguments);
  g_test_add_func ("/assembly/overlays/several", test_several);
  g_test_add_func ("/assembly/overlays/two-of-one-class", test_two_of_one_class);
  g_test_add_func ("/assembly/overlays/one-classpath", test_one_classpath);
  g_test_add_func ("/assembly/overlays/failures", test_failures_pass_through);
  g_test_add_func ("/assembly/overlays/chain", test_chain_takes_its_time);
  g_test_add_func ("/assembly/overlays/cancel", test_cancel_goes_through);
  g_test_add_func ("/assembly/overlays/preempted", test_preempted_below);
  g_test_add_func ("/assembly/overlays/end", test_pending_at_the_end);
  g_test_add_func ("/assembly/overlays/names", test_names);
  g_test_add_func ("/assembly/overlays/without", test_without);
  return g_test_run ();
}
