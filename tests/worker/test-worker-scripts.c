/* SPDX-License-Identifier: BSD-3-Clause */
#include "worker-trial.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Scripts in workers: a run is bit for bit what it is without them, and outlives their faults. */

#define ENVIRONMENT "{'start': 0, 'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, 0]}"
#define BOX(name, x, more)                                                                         \
  "{'name': '" name "', 'position': [" x ", 0, 0], 'body': {'type': 'rigid', 'mass': 10}, "        \
  "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], " more "}"
#define SCRIPT(type) "{'type': '" type "', 'classpath': 'probe.faults.Errand'%s%s}"

#define ROBOT                                                                                      \
  BOX ("robot", "0",                                                                               \
       "'classpath': 'orrery.core.robot.Robot', "                                                  \
       "'scripts': [" SCRIPT ("child") ", " SCRIPT (                                               \
           "customization") "], "                                                                  \
                            "'objects': [{'name': 'pose', 'classpath': "                           \
                            "'orrery.sensors.pose.Pose'}, "                                        \
                            "{'name': 'motion', 'classpath': "                                     \
                            "'orrery.actuators.v_omega.MotionVW'}]")
#define OTHER BOX ("box", "0.9", "'scripts': [" SCRIPT ("child") "]")

/* @places, @options: of the child of the robot, its customization, the child of the box: members,
 * or "" */
typedef struct {
  const char *environment;
  const char *workers;
  const char *places[3];
  const char *options[3];
} Plan;

static const char *
get (const char *members)
{
  return members != NULL ? members : "";
}

static Stage *
make_stage (const Plan *plan)
{
  g_autofree char *tables = NULL;
  g_autofree char *objects = NULL;
  g_autofree char *scene = NULL;

  objects = g_strdup_printf (ROBOT ", " OTHER, get (plan->places[0]), get (plan->options[0]),
                             get (plan->places[1]), get (plan->options[1]), get (plan->places[2]),
                             get (plan->options[2]));
  if (plan->workers != NULL)
    tables = g_strdup_printf ("'workers': {%s},", plan->workers);
  scene = stage_scene (plan->environment != NULL ? plan->environment : ENVIRONMENT,
                       tables != NULL ? tables : "", objects);
  stage_log_clear ();
  return stage_new (scene, NULL);
}

/* --- as in the host --- */

static char *
ask (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autoptr (OrreryCall) call = stage_start (stage, part, service, arguments);
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);
  g_autofree char *text = value != NULL ? g_variant_print (value, TRUE) : NULL;

  return g_strdup_printf ("%d %s %s", orrery_call_get_fault (call),
                          error != NULL ? error->message : "", text != NULL ? text : "nothing");
}

static void
note (Stage *stage, GString *log)
{
  static const char *const parts[] = { "errand", "other", "robot/child", "robot/customization",
                                       "box/child" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *seen = ask (stage, parts[i], "look", NULL);

    g_string_append_printf (log, "%s: %s\n", parts[i], seen);
  }
  g_string_append_printf (log, "%016" G_GINT64_MODIFIER "x\n",
                          orrery_simulation_get_hash (stage->simulation));
}

/* Everything that leads from one state to another; returns all that there was to be seen. */
static char *
live (Stage *stage)
{
  GString *log = g_string_new (NULL);
  g_autofree char *set = NULL;

  stage_step (stage, 12);
  note (stage, log);
  set = ask (stage, "robot/child", "set_property", "[<'gain'>, <0.5>]");
  g_string_append_printf (log, "%s\n", set);
  stage_step (stage, 18);
  orrery_simulation_pause (stage->simulation);
  g_assert_true (orrery_simulation_idle (stage->simulation, 2, NULL));
  orrery_simulation_resume (stage->simulation);
  stage_step (stage, 70);
  note (stage, log);
  g_assert_true (orrery_simulation_stop (stage->simulation, NULL));
  g_assert_true (orrery_simulation_idle (stage->simulation, 2, NULL));
  stage_step (stage, 10);
  note (stage, log);
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 30);
  note (stage, log);
  return g_string_free (log, FALSE);
}

static void
compare (const Plan *plan, const char *expected)
{
  g_autoptr (Stage) stage = make_stage (plan);
  g_autofree char *seen = live (stage);

  g_assert_cmpstr (seen, ==, expected);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*stale*"), ==, 0);
}

#define WORKER ", 'placement': 'worker'"
#define SHARED ", 'placement': 'shared'"
#define RESTARTS ", 'properties': {'restart_at': 20, 'gain': 0.25}"

static void
test_same (void)
{
  static const Plan plans[] = {
    { .places = { WORKER } },
    { .places = { NULL, WORKER } },
    { .places = { NULL, NULL, WORKER } },
    { .places = { WORKER, WORKER, WORKER } },
    { .places = { SHARED, SHARED, SHARED } },
  };
  const Plan plain = { 0 };
  g_autoptr (Stage) stage = make_stage (&plain);
  g_autofree char *expected = live (stage);

  g_test_summary ("whichever script is in whichever worker, the run is the same");
  g_assert_null (strstr (expected, "error"));
  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    compare (&plans[i], expected);
}

/* What is seen after a state was saved, and where it goes on: its threads begin anew there. */
static char *
live_from_saved (const Plan *plan)
{
  g_autoptr (Stage) stage = make_stage (plan);
  g_autoptr (Stage) other = make_stage (plan);
  g_autoptr (GBytes) state = NULL;
  GString *log = g_string_new (NULL);

  stage_step (stage, 45);
  state = stage_save (stage);
  stage_step (stage, 60);
  note (stage, log);
  stage_restore (other, state);
  note (other, log);
  stage_step (other, 60);
  note (other, log);
  return g_string_free (log, FALSE);
}

static void
test_saved (void)
{
  const Plan plain = { 0 };
  const Plan apart = { .places = { WORKER, SHARED, SHARED } };
  g_autofree char *expected = live_from_saved (&plain);
  g_autofree char *seen = live_from_saved (&apart);

  g_test_summary ("a state that is saved has what scripts in workers know");
  g_assert_cmpstr (seen, ==, expected);
}

static void
test_restarts (void)
{
  Plan plan = { .options = { RESTARTS, RESTARTS, RESTARTS } };
  g_autoptr (Stage) stage = make_stage (&plan);
  g_autofree char *expected = live (stage);

  g_test_summary ("a script that asks for a new one gets it, with a memory as in the host");
  plan.places[0] = plan.places[2] = WORKER;
  plan.places[1] = SHARED;
  compare (&plan, expected);
}

/* Never a number that stands for many. */
static pid_t
get_process (Stage *stage, const char *script)
{
  g_autoptr (GVariant) value = stage_call (stage, script, "process", NULL);
  gint64 pid = value != NULL ? g_variant_get_int64 (value) : 0;

  if (pid <= 1)
    g_error ("%s: no process", script);
  return (pid_t) pid;
}

static void
test_elsewhere (void)
{
  const Plan plan = { .places = { SHARED, SHARED, WORKER } };
  g_autoptr (Stage) stage = make_stage (&plan);

  g_test_summary ("they are where they were put");
  stage_step (stage, 1);
  g_assert_cmpint (get_process (stage, "robot/child"), !=, getpid ());
  g_assert_cmpint (get_process (stage, "robot/child"), ==, get_process (stage, "errand"));
  g_assert_cmpint (get_process (stage, "robot/child"), ==,
                   get_process (stage, "robot/customization"));
  g_assert_cmpint (get_process (stage, "box/child"), !=, get_process (stage, "robot/child"));
}

/* --- what goes wrong --- */

static void
test_refused (void)
{
  const char *scene =
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "
      "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}], 'scripts': ["
      "{'type': 'child', 'classpath': 'probe.faults.Errand', 'properties': {'gain': -1}%s}]}";
  g_autofree char *here = g_strdup_printf (scene, "");
  g_autofree char *there = g_strdup_printf (scene, WORKER);
  g_autofree char *first = stage_scene (STAGE_PLAIN, "", here);
  g_autofree char *second = stage_scene (STAGE_PLAIN, "", there);
  g_autoptr (GError) one = NULL;
  g_autoptr (GError) two = NULL;

  g_test_summary ("a setup that fails there is the error that it is here");
  g_assert_null (stage_try (first, NULL, &one));
  g_assert_null (stage_try (second, NULL, &two));
  g_assert_error (two, one->domain, one->code);
  g_assert_nonnull (strstr (one->message, "robot/child: it refuses to be set up"));
  g_assert_nonnull (strstr (two->message, "robot/child: it refuses to be set up"));
}

/* An error is none of the worker's: it ends the script, as in the host. */
static void
check_failure (const char *callback, const char *does)
{
  g_autofree char *object = g_strdup_printf (
      "{'name': 'a', 'scripts': [{'type': 'child', 'classpath': 'probe.scripts.Probe', "
      "'properties': {'in': '%s', 'does': '%s', 'at': 2}, 'placement': 'worker'}]}",
      callback, does);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", object);
  g_autofree char *pattern =
      g_strdup_printf ("a/child: %s: as told; the script is disabled", callback);
  gboolean fails = g_str_equal (does, "fail");
  g_autofree char *counts = NULL;
  Stage *stage;

  stage_log_clear ();
  stage = stage_new (scene, NULL);
  stage_step (stage, 5);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, pattern), ==, fails ? 1 : 0);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*stale*"), ==, 0);
  counts = ask (stage, "a/child", "count", "[<'init'>]");
  /* Gone, there is no service any more; a new one began anew. */
  if (g_str_equal (does, "restart"))
    g_assert_cmpstr (counts, ==, "0  int64 1");
  stage_free (stage);
}

static void
test_failures (void)
{
  static const char *const callbacks[] = { "sensing", "actuation", "thread", "dyn" };

  for (guint i = 0; i < G_N_ELEMENTS (callbacks); i++) {
    check_failure (callbacks[i], "fail");
    check_failure (callbacks[i], "cleanup");
    check_failure (callbacks[i], "restart");
  }
}

static const char *const places[] = { "init", "sensing", "thread", "actuation", "dyn", "contact" };

static Stage *
make_faulty (const TrialWay *way, const char *where, guint at, const char *more)
{
  g_autofree char *options =
      g_strdup_printf (", 'properties': {'how': '%s', 'where': '%s', 'at': %u}", way->how, where,
                       at);
  g_autofree char *workers =
      g_strdup_printf ("'robot/child': {'back_off': 0.01, %s%s}", way->limits, more);
  Plan plan = { .workers = workers, .places = { WORKER }, .options = { options } };

  return make_stage (&plan);
}

/* Steps until it is there again. */
static void
recover (Stage *stage)
{
  gint64 deadline = g_get_monotonic_time () + TRIAL_PATIENCE;
  const char *fresh = "robot/child is fresh again*";

  while (stage_log_count (G_LOG_LEVEL_MESSAGE, fresh) == 0 && g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_MESSAGE, fresh), ==, 1);
}

static void
check_fault (const TrialWay *way, const char *where)
{
  guint at = g_str_equal (where, "init") ? 0 : g_str_equal (where, "contact") ? 1 : 5;
  g_autofree char *said =
      g_strdup_printf ("robot/child is stale: worker robot/child (PID *) %s* in its %s; "
                       "it is restarted in 0.01 s; until then its last value stands",
                       way->said, where);
  g_autoptr (Stage) stage = make_faulty (way, where, at, "");

  g_test_message ("%s in %s", way->how, where);
  stage_step (stage, 8);
  if (stage_log_count (G_LOG_LEVEL_WARNING, said) == 0)
    stage_step (stage, 60);
  trial_assert_said (said);
  recover (stage);
  stage_step (stage, 5);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*stale*"), ==, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*disabled*"), ==, 0);
}

static void
test_faults (void)
{
  g_test_summary ("whatever a callback does to its process, the run goes on, and it is back");
  for (guint i = 0; i < TRIAL_N_WAYS; i++)
    for (guint k = 0; k < G_N_ELEMENTS (places); k++)
      /* Each hang takes its time: where there is little of it, one place stands for all. */
      if (g_test_slow () || !g_str_equal (trial_ways[i].how, "loop") || k == 3)
        check_fault (&trial_ways[i], places[k]);
}

static void
test_setup_fault (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *scene = stage_scene (
      STAGE_PLAIN, "",
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'scripts': [{'type': 'child', "
      "'classpath': 'probe.faults.Errand', 'placement': 'worker', "
      "'properties': {'how': 'segv', 'where': 'setup'}}]}");

  g_test_summary ("one that crashes in its setup is a mistake of the scene");
  g_assert_null (stage_try (scene, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  g_assert_nonnull (strstr (error->message, "robot/child was killed by SIGSEGV"));
}

static void
test_service_fault (void)
{
  g_autoptr (Stage) stage = make_faulty (&trial_ways[0], "service", 0, "");

  stage_step (stage, 1);
  stage_call_fails (stage, "robot/child", "look", NULL, ORRERY_CALL_FAILED,
                    "worker robot/child was killed by SIGSEGV*");
  stage_call_fails (stage, "robot/child", "process", NULL, ORRERY_CALL_FAILED, "*is down*");
  recover (stage);
  g_assert_cmpint (get_process (stage, "robot/child"), !=, getpid ());
}

/* Its memory is that of the last whole second. */
static void
test_state (void)
{
  g_autoptr (Stage) stage = make_faulty (&trial_ways[2], "actuation", 150, "");
  g_autoptr (GVariant) known = NULL;
  double v = 0;
  gint64 n = 0;

  stage_step (stage, 151);
  recover (stage);
  known = stage_call (stage, "robot/child", "look", NULL);
  g_variant_get (known, "(ddxx)", &v, NULL, &n, NULL);
  /* Twenty steps of its thread were before that second; the thread is not begun again. */
  g_assert_cmpint (n, ==, 20);
  g_assert_cmpfloat (v, !=, 1);
}

static double
get_x (Stage *stage)
{
  return stage_get (stage, "robot.pose", "x");
}

/* While it is down: what it drove goes on, or is stopped. */
static void
check_policy (const char *policy, gboolean moves)
{
  g_autofree char *tables =
      g_strdup_printf ("'workers': {'robot/child': {'back_off': 1000, 'on_failure': '%s'}},",
                       policy);
  g_autofree char *scene = stage_scene (
      STAGE_PLAIN, tables,
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}], 'scripts': ["
      "{'type': 'child', 'classpath': 'probe.faults.Errand', 'placement': 'worker'}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  double x;

  stage_step (stage, 10);
  kill (get_process (stage, "robot/child"), SIGKILL);
  stage_step (stage, 3);
  x = get_x (stage);
  g_assert_cmpfloat (x, >, 0.1);
  stage_step (stage, 30);
  if (moves)
    g_assert_cmpfloat (get_x (stage), >, x + 0.4);
  else
    g_assert_cmpfloat (get_x (stage), ==, x);
}

static void
test_policies (void)
{
  check_policy ("hold", TRUE);
  check_policy ("zero", FALSE);
}

static void
test_stop (void)
{
  g_autoptr (Stage) stage = make_faulty (&trial_ways[0], "actuation", 5, ", 'on_failure': 'stop'");
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_simulation_step (stage->simulation, 100, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 5);
}

static void
test_kills (void)
{
  const Plan plan = {
    .workers = "'robot/child': {'back_off': 0.001, 'timeout': 60, 'restarts': 1000000}",
    .places = { WORKER },
  };
  g_autoptr (Stage) stage = make_stage (&plan);
  guint n = g_test_slow () ? 200 : 10;
  guint n_descriptors = 0;

  g_test_summary ("killed at any moment, over and over, and nothing grows");
  stage_step (stage, 3);
  for (guint i = 0; i < n; i++) {
    pid_t pid = get_process (stage, "robot/child");

    stage_log_clear ();
    /* One that lived for 100 times the back-off is sound: the next does not wait for twice as long.
     */
    g_usleep ((gulong) g_test_rand_int_range (100 * 1000, 102 * 1000));
    kill (pid, SIGKILL);
    recover (stage);
    if (i == 0)
      n_descriptors = trial_count_descriptors ();
  }
  g_assert_cmpuint (trial_count_descriptors (), ==, n_descriptors);
  g_assert_cmpint (get_process (stage, "robot/child"), !=, getpid ());
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/worker/worker-scripts/same", test_same);
  g_test_add_func ("/worker/worker-scripts/saved", test_saved);
  g_test_add_func ("/worker/worker-scripts/restarts", test_restarts);
  g_test_add_func ("/worker/worker-scripts/elsewhere", test_elsewhere);
  g_test_add_func ("/worker/worker-scripts/refused", test_refused);
  g_test_add_func ("/worker/worker-scripts/failures", test_failures);
  if (trial_signals_end_processes) {
    g_test_add_func ("/worker/worker-scripts/faults", test_faults);
    g_test_add_func ("/worker/worker-scripts/setup-fault", test_setup_fault);
    g_test_add_func ("/worker/worker-scripts/service-fault", test_service_fault);
    g_test_add_func ("/worker/worker-scripts/stop", test_stop);
  }
  g_test_add_func ("/worker/worker-scripts/state", test_state);
  g_test_add_func ("/worker/worker-scripts/policies", test_policies);
  g_test_add_func ("/worker/worker-scripts/kills", test_kills);
  return g_test_run ();
}
