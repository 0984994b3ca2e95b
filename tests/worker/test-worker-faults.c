/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker-trial.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Workers that go wrong: said once, stale by policy, started again. */

/* A busy machine takes its time; only where nothing is to come it is short. */
#define LONG "'timeout': 60"
#define SHORT "'timeout': 1.5"

/* @options: of the sensor; @more: members of the object; @settings: of its worker */
static char *
make_scene (const char *options, const char *more, const char *settings)
{
  g_autofree char *tables =
      g_strdup_printf ("'workers': {'robot.faulty': {%s%s%s%s}},",
                       strstr (options, "'loop'") != NULL ? SHORT : LONG,
                       strstr (options, "'leak'") != NULL ? ", 'memory': 160" : "",
                       strstr (settings, "back_off") != NULL ? "" : ", 'back_off': 0.01", settings);
  g_autofree char *objects = g_strdup_printf (
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', 'placement': 'worker', "
      "'properties': {%s}%s}, {'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}",
      options, more);

  return stage_scene (STAGE_PLAIN, tables, objects);
}

static Stage *
make_stage (const char *options, const char *settings)
{
  g_autofree char *scene = make_scene (options, "", settings);

  stage_log_clear ();
  return stage_new (scene, NULL);
}

static gboolean
is_stale (Stage *stage)
{
  return orrery_component_is_stale (stage_find (stage, "robot.faulty"));
}

static double
get_x (Stage *stage)
{
  return stage_get (stage, "robot.faulty", "x");
}

/* Steps until it is fresh again. */
static void
recover (Stage *stage)
{
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;

  while (is_stale (stage) && g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_false (is_stale (stage));
}

static GVariant *
get_worker (Stage *stage)
{
  g_autoptr (GVariant) list = stage_report (stage, "workers", "aa{sv}");

  return g_variant_get_child_value (list, 0);
}

static pid_t
get_pid (Stage *stage)
{
  g_autoptr (GVariant) worker = get_worker (stage);
  guint pid = 0;

  g_variant_lookup (worker, "pid", "u", &pid);
  return (pid_t) pid;
}

/* --- ways, and where --- */

static char *
name_options (const char *how, const char *where)
{
  return g_strdup_printf ("'how': '%s', 'where': '%s'", how, where);
}

static char *
name_fault (const TrialWay *way, const char *doing)
{
  return g_strdup_printf ("robot.faulty is stale: worker robot.faulty (PID *) %s*%s; "
                          "it is restarted in 0.01 s; until then its last value stands",
                          way->said, doing);
}

static void
test_steps (void)
{
  g_test_summary ("whatever a step does, the run goes on, and the component is back");
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "sense");
    g_autofree char *said = name_fault (&trial_ways[i], " in a step");
    g_autoptr (Stage) stage = make_stage (options, "");
    pid_t pid = get_pid (stage);

    g_test_message ("%s", trial_ways[i].how);
    stage_step (stage, 5);
    g_assert_cmpfloat (get_x (stage), ==, 5);
    g_assert_false (is_stale (stage));
    stage_step (stage, 1);
    g_assert_true (is_stale (stage));
    g_assert_cmpfloat (get_x (stage), ==, 5);
    trial_assert_said (said);
    recover (stage);
    g_assert_cmpint (get_pid (stage), !=, pid);
    g_assert_cmpint (kill (pid, 0), ==, -1);
    g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, "robot.faulty is fresh again*"), ==, 1);
    trial_assert_said ("robot.faulty is stale*");
  }
  trial_assert_no_children ();
}

static void
test_services (void)
{
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "service");
    g_autofree char *said = name_fault (&trial_ways[i], " in its service poke");
    g_autofree char *failed = g_strdup_printf ("worker robot.faulty %s*", trial_ways[i].said);
    g_autoptr (Stage) stage = make_stage (options, "");

    g_test_message ("%s", trial_ways[i].how);
    stage_step (stage, 1);
    stage_call_fails (stage, "robot.faulty", "poke", NULL, ORRERY_CALL_FAILED, failed);
    trial_assert_said (said);
    stage_call_fails (stage, "robot.faulty", "poke", NULL, ORRERY_CALL_FAILED, "*is down*");
    recover (stage);
  }
  trial_assert_no_children ();
}

static void
test_cancel (void)
{
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "cancel");
    g_autofree char *said = name_fault (&trial_ways[i], " when told to stop");
    g_autoptr (Stage) stage = make_stage (options, "");
    g_autoptr (OrreryCall) call = stage_start (stage, "robot.faulty", "wait", NULL);

    stage_step (stage, 1);
    orrery_call_cancel (call);
    g_assert_true (orrery_call_is_done (call));
    trial_assert_said (said);
    recover (stage);
  }
  trial_assert_no_children ();
}

static void
test_properties (void)
{
  g_autoptr (Stage) stage = make_stage ("'how': 'segv', 'where': 'set'", "");
  g_autoptr (GVariant) level = g_variant_ref_sink (g_variant_new_double (0.5));
  g_autoptr (GVariant) kept = NULL;
  g_autoptr (GVariant) nothing = NULL;

  g_test_summary ("options that were set outlast the process");
  stage_step (stage, 2);
  stage_call_fails (stage, "robot.faulty", "set_property", "[<'level'>, <0.25>]",
                    ORRERY_CALL_FAILED, "worker robot.faulty was killed by SIGSEGV*");
  recover (stage);
  nothing = stage_call (stage, "robot.faulty", "set_property", "[<'where'>, <'nowhere'>]");
  g_assert_null (nothing);
  g_assert_true (orrery_part_set_option (ORRERY_PART (stage_find (stage, "robot.faulty")), "level",
                                         level, NULL));
  stage_step (stage, 1);
  kill (get_pid (stage), SIGKILL);
  stage_step (stage, 1);
  recover (stage);
  kept = stage_call (stage, "robot.faulty", "get_properties", NULL);
  if (kept != NULL) {
    g_autofree char *text = g_variant_print (kept, FALSE);

    g_assert_nonnull (strstr (text, "'level': <[<0.5>"));
    g_assert_nonnull (strstr (text, "'where': <[<'nowhere'>"));
  }
}

static void
test_save (void)
{
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "save");
    g_autofree char *said = name_fault (&trial_ways[i], " in a step");
    g_autoptr (Stage) stage = make_stage (options, "");

    stage_step (stage, 60);
    g_assert_false (is_stale (stage));
    stage_step (stage, 1);
    g_assert_true (is_stale (stage));
    trial_assert_said (said);
  }
  trial_assert_no_children ();
}

static void
test_setup (void)
{
  g_test_summary ("a worker that cannot be set up at all is a mistake of the scene");
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "setup");
    gboolean hangs = g_str_equal (trial_ways[i].how, "loop");
    g_autofree char *scene = make_scene (options, "", hangs ? ", 'start_timeout': 1.5" : "");
    g_autofree char *pattern =
        g_strdup_printf ("worker robot.faulty (robot.faulty) %s*", trial_ways[i].said);
    g_autoptr (GError) error = NULL;
    g_autoptr (Stage) stage = stage_try (scene, NULL, &error);

    g_assert_null (stage);
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
    if (error != NULL && !g_pattern_match_simple (pattern, error->message))
      g_test_message ("%s", error->message);
    g_assert_true (error != NULL && g_pattern_match_simple (pattern, error->message));
  }
  trial_assert_no_children ();
}

static void
test_end (void)
{
  g_test_summary ("what goes wrong at the very end is nobody's any more");
  for (guint i = 0; i < TRIAL_N_WAYS; i++) {
    g_autofree char *options = name_options (trial_ways[i].how, "finalize");
    g_autoptr (Stage) stage = make_stage (options, "");

    stage_step (stage, 1);
    orrery_simulation_close (stage->simulation);
    trial_assert_no_children ();
    /* The part here is one of the same class. */
    g_object_set (stage_find (stage, "robot.faulty"), "where", "nowhere", NULL);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*stale*"), ==, 0);
}

static void
test_given_up (void)
{
  g_autoptr (Stage) stage = make_stage ("'how': 'segv', 'where': 'restore'", ", 'restarts': 2");
  g_autoptr (GVariant) worker = NULL;
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;
  const char *state = "";

  g_test_summary ("a worker that does not come up again is given up, and the run goes on");
  stage_step (stage, 3);
  kill (get_pid (stage), SIGKILL);
  while (!g_str_equal (state, "given up") && g_get_monotonic_time () < deadline) {
    stage_step (stage, 1);
    g_usleep (1000);
    g_clear_pointer (&worker, g_variant_unref);
    worker = get_worker (stage);
    g_variant_lookup (worker, "state", "&s", &state);
  }
  g_assert_cmpstr (state, ==, "given up");
  trial_assert_said (
      "*SIGSEGV*in its setup; it is given up after 2 restarts; its last value stands");
  stage_step (stage, 10);
  g_assert_true (is_stale (stage));
  g_assert_cmpfloat (get_x (stage), ==, 3);
  stage_call_fails (stage, "robot.faulty", "poke", NULL, ORRERY_CALL_FAILED, "*is down*SIGSEGV*");
}

static void
test_memory (void)
{
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("a sanitizer wants all the memory there is");
#else
  g_autoptr (Stage) stage = make_stage ("'how': 'leak', 'where': 'sense'", "");

  stage_step (stage, 6);
  g_assert_true (is_stale (stage));
  trial_assert_said (
      "robot.faulty is stale*ran out of the memory that it may have and was killed by "
      "SIG*in a step*");
  recover (stage);
#endif
}

/* --- state, policies --- */

static void
test_state (void)
{
  g_autoptr (Stage) stage = make_stage ("'at': 150, 'how': 'exit', 'where': 'sense'", "");

  g_test_summary ("the new process goes on from the last state, which is of a whole second");
  stage_step (stage, 151);
  g_assert_true (is_stale (stage));
  recover (stage);
  /* Ticks 0 to 120 were counted; those that it was down for were not, and there were some. */
  g_assert_cmpfloat (get_x (stage), ==, 122);
}

static void
test_zero (void)
{
  g_autoptr (Stage) stage =
      make_stage ("'how': 'segv', 'where': 'sense'", ", 'on_failure': 'zero'");

  stage_step (stage, 6);
  g_assert_true (is_stale (stage));
  g_assert_cmpfloat (get_x (stage), ==, 0);
  recover (stage);
  g_assert_cmpfloat (get_x (stage), >, 0);
}

static void
test_stop (void)
{
  g_autoptr (Stage) stage =
      make_stage ("'how': 'segv', 'where': 'sense'", ", 'on_failure': 'stop'");
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_simulation_step (stage->simulation, 100, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 5);
  g_assert_nonnull (strstr (error->message, "SIGSEGV"));
}

/* An actuator that is gone: its last command stands, or what it drove is stopped. */
static void
check_actuator (const char *policy, gboolean moves)
{
  g_autofree char *tables =
      g_strdup_printf ("'workers': {'robot.motion': {'back_off': 1000, 'on_failure': '%s'}},",
                       policy);
  g_autofree char *scene = stage_scene (
      STAGE_PLAIN, tables,
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW', "
      "'placement': 'worker'}, {'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  OrreryComponent *motion = stage_find (stage, "robot.motion");
  double x;

  orrery_simulation_write (stage->simulation, motion, "v", g_variant_new_double (1), NULL);
  stage_step (stage, 10);
  kill (get_pid (stage), SIGKILL);
  stage_step (stage, 3);
  g_assert_true (orrery_component_is_stale (motion));
  x = stage_get (stage, "robot.pose", "x");
  g_assert_cmpfloat (x, >, 0.1);
  stage_step (stage, 30);
  if (moves)
    g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), >, x + 0.4);
  else
    g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, x);
}

static void
test_actuators (void)
{
  check_actuator ("hold", TRUE);
  check_actuator ("zero", FALSE);
}

/* --- from outside --- */

static void
test_killed (void)
{
  static const int numbers[] = { SIGKILL, SIGTERM, SIGSEGV, SIGQUIT, SIGHUP };
  g_autoptr (Stage) stage = make_stage ("", ", 'restarts': 100");

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    stage_step (stage, 2);
    kill (get_pid (stage), numbers[i]);
    while (!is_stale (stage)) {
      g_usleep (1000);
      stage_step (stage, 1);
    }
    recover (stage);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.faulty is stale*"), ==,
                    G_N_ELEMENTS (numbers));
}

static void
test_interrupted (void)
{
  g_autoptr (Stage) stage = make_stage ("", "");
  pid_t pid = get_pid (stage);

  g_test_summary ("what a terminal sends to all is the host's to answer");
  kill (pid, SIGINT);
  stage_step (stage, 10);
  g_usleep (10000);
  stage_step (stage, 10);
  g_assert_false (is_stale (stage));
  g_assert_cmpint (get_pid (stage), ==, pid);
}

static void
test_stopped (void)
{
  g_autoptr (Stage) stage = make_stage ("'how': 'loop'", "");
  pid_t pid = get_pid (stage);
  gint64 before;

  g_test_summary ("a tick waits for a process that is stopped as long as its timeout");
  stage_step (stage, 2);
  kill (pid, SIGSTOP);
  before = g_get_monotonic_time ();
  stage_step (stage, 1);
  g_assert_cmpint (g_get_monotonic_time () - before, >=, 1500000);
  g_assert_true (is_stale (stage));
  trial_assert_said ("*gave no answer within 1.5 s in a step*");
  g_assert_cmpint (kill (pid, 0), ==, -1);
  recover (stage);
}

static void
test_two_hung (void)
{
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN,
                   "'workers': {'robot.one': {'timeout': 3, 'back_off': 100}, "
                   "'robot.two': {'timeout': 3, 'back_off': 100}},",
                   "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                   "{'name': 'one', 'classpath': 'probe.faults.Faulty', 'placement': 'worker', "
                   "'properties': {'how': 'loop', 'where': 'sense'}}, "
                   "{'name': 'two', 'classpath': 'probe.faults.Faulty', 'placement': 'worker', "
                   "'properties': {'how': 'loop', 'where': 'sense'}}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  gint64 before;

  g_test_summary ("workers that hang do so at once: a tick waits for their timeout, not its sum");
  stage_step (stage, 5);
  before = g_get_monotonic_time ();
  stage_step (stage, 1);
  /* One after the other they would take six seconds, on any machine. */
  g_assert_cmpint (g_get_monotonic_time () - before, <, 5900000);
  g_assert_true (orrery_component_is_stale (stage_find (stage, "robot.one")));
  g_assert_true (orrery_component_is_stale (stage_find (stage, "robot.two")));
}

static gpointer
go_on_later (gpointer data)
{
  g_usleep (g_getenv ("ORRERY_TEST_LONG") != NULL ? 10 * G_USEC_PER_SEC : G_USEC_PER_SEC / 5);
  kill (GPOINTER_TO_INT (data), SIGCONT);
  return NULL;
}

static void
test_stopped_a_while (void)
{
  g_autoptr (Stage) stage = make_stage ("", "");
  pid_t pid = get_pid (stage);
  GThread *thread;

  g_test_summary ("a process that goes on within the timeout has only been waited for");
  stage_step (stage, 2);
  kill (pid, SIGSTOP);
  thread = g_thread_new ("later", go_on_later, GINT_TO_POINTER (pid));
  stage_step (stage, 3);
  g_thread_join (thread);
  g_assert_false (is_stale (stage));
  g_assert_cmpint (get_pid (stage), ==, pid);
  g_assert_cmpfloat (get_x (stage), ==, 5);
}

static void
test_shared (void)
{
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "'workers': {'both': {" LONG "}},",
                   "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                   "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'placement': 'both'}, "
                   "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', 'placement': 'both', "
                   "'properties': {'how': 'segv', 'where': 'sense'}}]}");
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("of those that share a worker the one that crashed is named");
  stage_log_clear ();
  stage = stage_new (scene, NULL);
  stage_step (stage, 6);
  trial_assert_said ("robot.faulty is stale: worker both *");
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 6);
  recover (stage);
  g_assert_false (orrery_component_is_stale (stage_find (stage, "robot.steps")));
}

static guint
get_restarts (Stage *stage, char **state)
{
  g_autoptr (GVariant) worker = get_worker (stage);
  guint n = 0;

  g_variant_lookup (worker, "restarts", "u", &n);
  g_variant_lookup (worker, "state", "s", state);
  return n;
}

/* Steps until a new process is asked for. */
static void
go_to_birth (Stage *stage)
{
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;
  g_autofree char *state = NULL;
  guint n = 0;

  stage_step (stage, 2);
  kill (get_pid (stage), SIGKILL);
  while (n == 0 && g_get_monotonic_time () < deadline) {
    g_clear_pointer (&state, g_free);
    g_usleep (100);
    stage_step (stage, 1);
    n = get_restarts (stage, &state);
  }
  g_assert_cmpuint (n, ==, 1);
  /* The tick that asks for it is over, and whether it is there was not looked at. */
  g_assert_cmpstr (state, ==, "down");
}

static void
test_birth (void)
{
  g_autoptr (Stage) stage = make_stage ("", "");
  g_autoptr (Stage) other = NULL;

  g_test_summary ("no tick waits for a process to be made, and none that is being made is left");
  go_to_birth (stage);
  recover (stage);
  g_clear_pointer (&stage, stage_free);
  other = make_stage ("", "");
  go_to_birth (other);
  orrery_simulation_close (other->simulation);
  trial_assert_no_children ();
}

/* --- the log --- */

static void
test_log (void)
{
  g_autoptr (Stage) stage = make_stage ("", "");
  g_autoptr (GVariant) nothing = stage_call (stage, "robot.faulty", "print", "[<'hello'>]");
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;

  while (stage_log_count (G_LOG_LEVEL_MESSAGE, "worker robot.faulty: * hello") < 3 &&
         g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, "worker robot.faulty: logged hello"), ==,
                    1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, "worker robot.faulty: printed hello"), ==,
                    1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, "worker robot.faulty: complained hello"),
                    ==, 1);
}

/* --- many times --- */

static gint64
get_resident (void)
{
  g_autofree char *text = NULL;
  gint64 pages = 0;

  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  if (text != NULL)
    sscanf (text, "%*d %" G_GINT64_FORMAT, &pages);
  return pages * 4096;
}

static void
restart_times (Stage *stage, guint n)
{
  for (guint i = 0; i < n; i++) {
    kill (get_pid (stage), SIGKILL);
    while (!is_stale (stage)) {
      g_usleep (100);
      stage_step (stage, 1);
    }
    recover (stage);
    /* So that its failures are none in a row. */
    g_usleep (100000);
  }
}

static void
test_restarts (void)
{
  guint n = g_getenv ("ORRERY_TEST_LONG") != NULL ? 1000 : 30;
  g_autoptr (Stage) stage = make_stage ("", ", 'restarts': 1000000, 'back_off': 0.001");
  guint descriptors;
  gint64 resident;

  g_test_summary ("restarts leave nothing behind: no descriptor, no memory, no process");
  /* After the first ones everything has its room. */
  restart_times (stage, 5);
  descriptors = trial_count_descriptors ();
  resident = get_resident ();
  stage_log_clear ();
  restart_times (stage, n);
  g_assert_cmpuint (trial_count_descriptors (), ==, descriptors);
  g_assert_cmpint (get_resident (), <, resident + (4 << 20));
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*is stale*"), ==, n);
  orrery_simulation_close (stage->simulation);
  trial_assert_no_children ();
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  if (trial_signals_end_processes) {
    g_test_add_func ("/worker/worker-faults/steps", test_steps);
    g_test_add_func ("/worker/worker-faults/services", test_services);
    g_test_add_func ("/worker/worker-faults/cancel", test_cancel);
    g_test_add_func ("/worker/worker-faults/properties", test_properties);
    g_test_add_func ("/worker/worker-faults/save", test_save);
    g_test_add_func ("/worker/worker-faults/setup", test_setup);
    g_test_add_func ("/worker/worker-faults/given-up", test_given_up);
    g_test_add_func ("/worker/worker-faults/stop", test_stop);
  }
  g_test_add_func ("/worker/worker-faults/end", test_end);
  g_test_add_func ("/worker/worker-faults/memory", test_memory);
  g_test_add_func ("/worker/worker-faults/state", test_state);
  g_test_add_func ("/worker/worker-faults/zero", test_zero);
  g_test_add_func ("/worker/worker-faults/actuators", test_actuators);
  g_test_add_func ("/worker/worker-faults/killed", test_killed);
  g_test_add_func ("/worker/worker-faults/birth", test_birth);
  g_test_add_func ("/worker/worker-faults/interrupted", test_interrupted);
  g_test_add_func ("/worker/worker-faults/stopped", test_stopped);
  g_test_add_func ("/worker/worker-faults/two-hung", test_two_hung);
  g_test_add_func ("/worker/worker-faults/stopped-a-while", test_stopped_a_while);
  g_test_add_func ("/worker/worker-faults/shared", test_shared);
  g_test_add_func ("/worker/worker-faults/log", test_log);
  g_test_add_func ("/worker/worker-faults/restarts", test_restarts);
  return g_test_run ();
}
