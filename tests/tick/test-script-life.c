/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* The lives of scripts over the states of a simulation. */

#define TRACE "'orrery.scripts.trace.Trace'"
#define PROBE "'probe.scripts.Probe'"
#define ENVIRONMENT(more) "{'start': 0, 'physics_substeps': 1, " STAGE_KINEMATIC more "}"
#define PROGRAM(class)                                                                             \
  ", 'add_ons': [{'classpath': " class "}], 'sandbox': {'classpath': " class "}"
#define OBJECT(name, class)                                                                        \
  "{'name': '" name                                                                                \
  "', 'scripts': [{'type': 'child', 'classpath': " class "}, "                                     \
                                                         "{'type': 'customization', "              \
                                                         "'classpath': " class "}]}"

/* --- the whole sequence --- */

static void
start (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_start (stage->simulation, &error);
  g_assert_no_error (error);
}

static void
finish (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_stop (stage->simulation, &error);
  g_assert_no_error (error);
}

static void
idle (Stage *stage, guint n)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_idle (stage->simulation, n, &error);
  g_assert_no_error (error);
}

static void
change (Stage *stage, const char *scene)
{
  g_autofree char *path = stage_add_scene (stage, scene);
  g_autoptr (GError) error = NULL;

  orrery_simulation_change_scene (stage->simulation, path, &error);
  g_assert_no_error (error);
}

/* What was told since the last question: script and callback, a line each. */
static void
check_told (const char *expected)
{
  g_auto (GStrv) lines = stage_log_list (G_LOG_LEVEL_MESSAGE, "* tick *");
  g_autoptr (GString) text = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++) {
    *strstr (*line, " time") = '\0';
    g_string_append_printf (text, "%s\n", *line);
  }
  g_assert_cmpstr (text->str, ==, expected);
  stage_log_clear ();
}

#define TOLD(name, n)                                                                              \
  "a/customization " name " tick " n "\n"                                                          \
  "add-on/Trace#0 " name " tick " n "\n"                                                           \
  "sandbox " name " tick " n "\n"
#define ALL_TOLD(name, n) "a/child " name " tick " n "\n" TOLD (name, n)
#define WORKS(who, n) who " thread tick " n "\n" who " actuation tick " n "\n"
#define TICK(n)                                                                                    \
  ALL_TOLD ("sensing", n)                                                                          \
  WORKS ("a/child", n)                                                                             \
  WORKS ("a/customization", n)                                                                     \
  WORKS ("add-on/Trace#0", n)                                                                      \
  WORKS ("sandbox", n)                                                                             \
  "a/child dyn tick " n "\na/customization dyn tick " n "\n"                                       \
  "a/child dyn tick " n "\na/customization dyn tick " n "\n"

static void
test_sequence (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (PROGRAM (TRACE)), "", OBJECT ("a", TRACE));
  g_autofree char *other = stage_scene (ENVIRONMENT (""), "", OBJECT ("b", TRACE));
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("load, start, 3 ticks, pause, resume, stop, start, change of scene, end");
  stage_log_clear ();
  stage = stage_new (scene, NULL);
  check_told (TOLD ("init", "0"));
  g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, ORRERY_STATE_STOPPED);
  start (stage);
  check_told (TOLD ("before_simulation", "0") "a/child init tick 0\n");
  g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, ORRERY_STATE_RUNNING);
  stage_step (stage, 3);
  check_told (TICK ("0") TICK ("1") TICK ("2"));
  orrery_simulation_pause (stage->simulation);
  check_told (ALL_TOLD ("suspend", "2"));
  g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, ORRERY_STATE_PAUSED);
  idle (stage, 2);
  check_told (ALL_TOLD ("suspended", "2") ALL_TOLD ("suspended", "2"));
  orrery_simulation_resume (stage->simulation);
  check_told (ALL_TOLD ("resume", "2"));
  finish (stage);
  check_told ("a/child cleanup tick 2\n" TOLD ("after_simulation", "2"));
  g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, ORRERY_STATE_STOPPED);
  idle (stage, 2);
  check_told (TOLD ("non_simulation", "0") TOLD ("non_simulation", "0"));
  start (stage);
  check_told (TOLD ("before_simulation", "0") "a/child init tick 0\n");
  stage_step (stage, 1);
  check_told (TICK ("0"));
  change (stage, other);
  check_told (
      "a/child cleanup tick 0\n" TOLD ("after_simulation", "0")
          TOLD ("before_instance_switch", "0") "a/customization cleanup tick 0\n"
                                               "b/customization init tick 0\n"
                                               "b/customization after_instance_switch tick 0\n"
                                               "add-on/Trace#0 after_instance_switch tick 0\n"
                                               "sandbox after_instance_switch tick 0\n");
  g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, ORRERY_STATE_STOPPED);
  orrery_simulation_close (stage->simulation);
  check_told ("b/customization cleanup tick 0\nadd-on/Trace#0 cleanup tick 0\n"
              "sandbox cleanup tick 0\n");
}

/* --- memory --- */

static gint64
get_count (Stage *stage, const char *script, const char *callback)
{
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>]", callback);
  g_autoptr (GVariant) n = stage_call (stage, script, "count", arguments);

  return n != NULL ? g_variant_get_int64 (n) : -1;
}

static void
test_memory (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (PROGRAM (PROBE)), "", OBJECT ("a", PROBE));
  g_autofree char *other = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GVariant) where = NULL;

  g_test_summary ("a stop ends what a child knows, a change of scene what a customization script "
                  "knows; a reset ends all");
  stage_step (stage, 3);
  finish (stage);
  stage_call_fails (stage, "a/child", "count", "[<'sensing'>]", ORRERY_CALL_NO_SERVICE,
                    "*a/child*");
  start (stage);
  stage_step (stage, 2);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 2);
  g_assert_cmpint (get_count (stage, "a/customization", "sensing"), ==, 5);
  g_assert_cmpint (get_count (stage, "sandbox", "sensing"), ==, 5);
  change (stage, other);
  stage_step (stage, 1);
  g_assert_cmpint (get_count (stage, "a/customization", "sensing"), ==, 1);
  g_assert_cmpint (get_count (stage, "add-on/Probe#0", "sensing"), ==, 6);
  g_assert_cmpint (get_count (stage, "add-on/Probe#0", "init"), ==, 1);
  where = stage_call (stage, "a/customization", "where", NULL);
  g_assert_cmpstr (g_variant_get_string (where, NULL), ==, "a");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 1);
  g_assert_cmpint (get_count (stage, "a/customization", "sensing"), ==, 1);
  g_assert_cmpint (get_count (stage, "sandbox", "sensing"), ==, 1);
}

/* A thread is over when it says so, and begins anew with its script. */
static void
test_thread (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  stage_step (stage, 10);
  g_assert_cmpint (get_count (stage, "a/child", "thread"), ==, 3);
  g_assert_cmpint (get_count (stage, "a/child", "actuation"), ==, 10);
  finish (stage);
  stage_step (stage, 2);
  g_assert_cmpint (get_count (stage, "a/child", "thread"), ==, 2);
  g_assert_cmpint (get_count (stage, "a/customization", "thread"), ==, 3);
}

/* --- states --- */

static void
test_step_paused (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  g_test_summary ("to step one that is paused runs ticks and nothing else");
  stage_step (stage, 1);
  orrery_simulation_pause (stage->simulation);
  stage_step (stage, 3);
  g_assert_true (orrery_simulation_is_paused (stage->simulation));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 4);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 4);
  g_assert_cmpint (get_count (stage, "a/child", "suspend"), ==, 1);
  g_assert_cmpint (get_count (stage, "a/child", "suspended"), ==, 0);
  g_assert_cmpint (get_count (stage, "a/child", "resume"), ==, 0);
  /* What was not stepped does not run later. */
  g_assert_true (orrery_simulation_run (stage->simulation, 0, ORRERY_SECOND / 20, NULL));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 4);
  g_assert_cmpint (get_count (stage, "a/child", "suspended"), >=, 1);
}

static void
check_state (Stage *stage, const char *expected)
{
  g_autoptr (GVariant) state = stage_call (stage, "simulation", "state", NULL);

  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, expected);
}

static void
call_for_state (Stage *stage, const char *service, const char *expected)
{
  g_autoptr (GVariant) state = stage_call (stage, "simulation", service, NULL);

  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, expected);
  check_state (stage, expected);
}

static void
test_services (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  check_state (stage, "stopped");
  stage_call_fails (stage, "simulation", "pause", NULL, ORRERY_CALL_FAILED, "*is stopped*");
  stage_call_fails (stage, "simulation", "resume", NULL, ORRERY_CALL_FAILED, "*is stopped*");
  call_for_state (stage, "stop", "stopped");
  call_for_state (stage, "start", "running");
  call_for_state (stage, "start", "running");
  call_for_state (stage, "pause", "paused");
  call_for_state (stage, "pause", "paused");
  call_for_state (stage, "resume", "running");
  call_for_state (stage, "reset", "running");
  call_for_state (stage, "pause", "paused");
  call_for_state (stage, "reset", "paused");
  call_for_state (stage, "start", "running");
  call_for_state (stage, "stop", "stopped");
  call_for_state (stage, "reset", "stopped");
  g_assert_cmpint (get_count (stage, "a/customization", "init"), ==, 1);
  stage_call_fails (stage, "simulation", "step", "[<int64 0>]", ORRERY_CALL_FAILED, "*not 0*");
  stage_call_fails (stage, "simulation", "load", "[<'/nonexistent/scene.json'>]",
                    ORRERY_CALL_FAILED, "*nonexistent*");
}

static void
test_step_service (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (OrreryCall) first = stage_start (stage, "simulation", "step", "[<int64 5>]");
  g_autoptr (OrreryCall) second = stage_start (stage, "simulation", "step", NULL);
  g_autoptr (OrreryCall) third = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("step starts, runs so many ticks, is answered then and leaves a pause");
  check_state (stage, "paused");
  g_assert_false (orrery_call_is_done (first));
  orrery_simulation_run (stage->simulation, 5, 0, NULL);
  g_assert_true (orrery_call_is_done (first));
  g_assert_false (orrery_call_is_done (second));
  orrery_simulation_run (stage->simulation, 0, ORRERY_SECOND / 20, NULL);
  g_assert_true (orrery_call_is_done (second));
  g_assert_cmpint (g_variant_get_int64 (orrery_call_get_result (second, NULL)), ==, 6);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 6);
  check_state (stage, "paused");
  third = stage_start (stage, "simulation", "step", "[<int64 100>]");
  call_for_state (stage, "resume", "running");
  g_assert_null (orrery_call_get_result (third, &error));
  g_assert_cmpint (orrery_call_get_fault (third), ==, ORRERY_CALL_PREEMPTED);
}

static void
test_begin (void)
{
  static const OrreryState states[] = { ORRERY_STATE_PAUSED, ORRERY_STATE_STOPPED };
  g_autofree char *scene = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", PROBE));

  g_test_summary ("the options say whether the first run begins paused or stopped");
  for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
    g_autoptr (OrreryOptions) options = stage_options ();
    g_autoptr (Stage) stage = NULL;

    g_object_set (options, "state", states[i], NULL);
    stage = stage_new (scene, options);
    orrery_simulation_run (stage->simulation, 5, ORRERY_SECOND / 20, NULL);
    g_assert_cmpint (orrery_simulation_get_state (stage->simulation), ==, states[i]);
    g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
    start (stage);
    orrery_simulation_run (stage->simulation, 5, 0, NULL);
    g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 5);
  }
}

/* --- the same run again --- */

#define MOVERS                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', "                                     \
  "'scripts': [{'type': 'child', 'classpath': 'probe.scripts.Mover'}], 'objects': ["               \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}, "                                  \
  "{'name': 'other', 'classpath': 'orrery.core.robot.Robot', "                                     \
  "'scripts': [{'type': 'customization', 'classpath': 'probe.scripts.Mover'}]}"

static guint64
run_movers (Stage *stage, guint n)
{
  stage_step (stage, n);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_reset (void)
{
  g_autofree char *scene =
      stage_scene (ENVIRONMENT (", 'sandbox': {'classpath': 'probe.scripts.Mover'}"), "", MOVERS);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  guint64 hash = run_movers (stage, 100);
  g_autoptr (GVariant) run = NULL;

  g_test_summary ("a reset is a fresh start, by the hash; a stop leaves what scripts keep");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_cmphex (run_movers (stage, 100), ==, hash);
  run = stage_report (stage, "run", "u");
  g_assert_cmpuint (g_variant_get_uint32 (run), ==, 1);
  finish (stage);
  g_assert_cmphex (orrery_simulation_get_hash (stage->simulation), ==, hash);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 100);
  /* The speed that the customization script came to is where it goes on. */
  g_assert_cmphex (run_movers (stage, 100), !=, hash);
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_cmphex (run_movers (stage, 100), ==, hash);
}

static void
test_pacing (void)
{
  static const OrreryPacing pacings[] = { ORRERY_PACING_FAST, ORRERY_PACING_FIXED_STEP,
                                          ORRERY_PACING_BEST_EFFORT };
  g_autofree char *scene =
      stage_scene ("{'start': 0, 'time_scale': 50, " STAGE_KINEMATIC "}", "", MOVERS);
  guint64 hashes[G_N_ELEMENTS (pacings)];

  g_test_summary ("scripts change the world alike under every pacing, paused meanwhile or not");
  for (guint i = 0; i < G_N_ELEMENTS (pacings); i++) {
    g_autoptr (OrreryOptions) options = stage_options ();
    g_autoptr (Stage) stage = NULL;

    g_object_set (options, "pacing", pacings[i], NULL);
    stage = stage_new (scene, options);
    orrery_simulation_run (stage->simulation, 40, 0, NULL);
    if (i == 1) {
      orrery_simulation_pause (stage->simulation);
      stage_step (stage, 10);
      orrery_simulation_resume (stage->simulation);
    }
    orrery_simulation_run (stage->simulation, i == 1 ? 50 : 60, 0, NULL);
    g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 100);
    hashes[i] = orrery_simulation_get_hash (stage->simulation);
  }
  g_assert_cmphex (hashes[0], ==, hashes[1]);
  g_assert_cmphex (hashes[0], ==, hashes[2]);
}

/* --- change of scene --- */

static void
test_change_refused (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (PROGRAM (PROBE)), "", OBJECT ("a", PROBE));
  g_autofree char *other = stage_scene (ENVIRONMENT (""), "", OBJECT ("a", "'no.such.Class'"));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autofree char *path = stage_add_scene (stage, other);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a scene that cannot be set up changes nothing");
  stage_step (stage, 3);
  g_assert_false (orrery_simulation_change_scene (stage->simulation, path, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  check_state (stage, "running");
  stage_step (stage, 3);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 6);
  g_assert_cmpint (get_count (stage, "sandbox", "sensing"), ==, 6);
  g_assert_cmpint (get_count (stage, "sandbox", "before_instance_switch"), ==, 0);
}

/* From within: whoever runs the old scene goes on with the new one. */
static void
test_change_running (void)
{
  g_autofree char *scene = stage_scene (ENVIRONMENT (PROGRAM (PROBE)), "", OBJECT ("a", PROBE));
  g_autofree char *other = stage_scene (ENVIRONMENT (""), "", OBJECT ("b", PROBE));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autofree char *path = stage_add_scene (stage, other);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>]", name);
  g_autoptr (OrreryCall) call = NULL;

  stage_step (stage, 3);
  call = stage_start (stage, "simulation", "load", arguments);
  g_assert_true (orrery_call_is_done (call));
  check_state (stage, "stopped");
  start (stage);
  orrery_simulation_run (stage->simulation, 4, 0, NULL);
  g_assert_cmpint (get_count (stage, "b/child", "sensing"), ==, 4);
  g_assert_cmpint (get_count (stage, "sandbox", "sensing"), ==, 7);
  g_assert_cmpint (get_count (stage, "sandbox", "after_instance_switch"), ==, 1);
  g_assert_nonnull (
      orrery_world_find_object (orrery_simulation_get_world (stage->simulation), "b"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/scripts/life/sequence", test_sequence);
  g_test_add_func ("/scripts/life/memory", test_memory);
  g_test_add_func ("/scripts/life/thread", test_thread);
  g_test_add_func ("/scripts/state/step-paused", test_step_paused);
  g_test_add_func ("/scripts/state/services", test_services);
  g_test_add_func ("/scripts/state/step", test_step_service);
  g_test_add_func ("/scripts/state/begin", test_begin);
  g_test_add_func ("/scripts/reset", test_reset);
  g_test_add_func ("/scripts/pacing", test_pacing);
  g_test_add_func ("/scripts/scene/refused", test_change_refused);
  g_test_add_func ("/scripts/scene/running", test_change_running);
  return g_test_run ();
}
