/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Reset, activate, deactivate, pause, stop and close. */

#define NOISE "['orrery.modifiers.pose_noise.PoseNoiseModifier', {'pos_std': 0.1}]"
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
#define TABLES                                                                                     \
  "'component_modifier': {'robot.pose': [" NOISE "], "                                             \
  "'robot': [['orrery.modifiers.clock.ClockDriftModifier', {'drift': 0.01}], "                     \
  "['orrery.modifiers.clock.ClockOffsetModifier', {'offset': 0.5}]], "                             \
  "'robot.sink': [['probe.modifiers.Twice', {}]]}, "                                               \
  "'component_datastream': {'robot.sink': [" LOOP "], 'robot.motion': [" LOOP "]},"
#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'odometry', 'classpath': 'orrery.sensors.odometry.Odometry', 'frequency': 7},"         \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'frequency': 25},"                        \
  "{'name': 'sink', 'classpath': 'probe.actuators.Sink'},"                                         \
  "{'name': 'worker', 'classpath': 'probe.actuators.Worker'},"                                     \
  "{'name': 'waypoint', 'classpath': 'orrery.actuators.waypoint.Waypoint'},"                       \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"

static Stage *
make_stage (const char *environment)
{
  g_autofree char *scene = stage_scene (environment, TABLES, ROBOT);

  return stage_new (scene, NULL);
}

static guint64
drive (Stage *stage)
{
  stage_put (stage, "robot.motion", 0, 1, "{'v': 1.0, 'w': 0.5}");
  stage_step (stage, 100);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
change_properties (Stage *stage)
{
  g_autoptr (GVariant) control =
      stage_call (stage, "robot.motion", "set_property", "[<'ControlType'>, <'Position'>]");
  g_autoptr (GVariant) ground =
      stage_call (stage, "robot", "set_property", "[<'GroundRobot'>, <false>]");
}

static void
disturb (Stage *stage)
{
  g_autoptr (GVariant) off = stage_call (stage, "simulation", "deactivate", "[<'robot.steps'>]");
  g_autoptr (GVariant) still = stage_call (stage, "simulation", "suspend_dynamics", NULL);
  g_autoptr (GVariant) moved =
      stage_call (stage, "simulation", "set_object_position", "[<'robot'>, <[3.0, 3.0, 3.0]>]");
  g_autoptr (OrreryCall) goal =
      stage_start (stage, "robot.waypoint", "goto", "[<9.0>, <9.0>, <0.0>]");

  change_properties (stage);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 3}");
  stage_step (stage, 10);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 4, 'y': 4}");
  stage_put (stage, "robot.motion", 0, 1, "{'v': 9, 'w': 9}");
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
check_reset (const char *environment)
{
  g_autoptr (Stage) stage = make_stage (environment);
  g_autoptr (Stage) fresh = make_stage (environment);
  g_autoptr (GVariant) run = NULL;
  guint64 first = drive (stage);

  disturb (stage);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), !=, first);
  reset (stage);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
  g_assert_cmpint (orrery_simulation_get_time (stage->simulation), ==, 0);
  run = stage_report (stage, "run", "u");
  g_assert_cmpuint (g_variant_get_uint32 (run), ==, 1);
  g_assert_cmpuint (drive (stage), ==, first);
  g_assert_cmpuint (drive (fresh), ==, first);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "x"), ==, 0);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==,
                     stage_get (fresh, "robot.steps", "x"));
}

static void
test_reset_kinematic (void)
{
  g_test_summary ("after a reset a run is bit for bit what it was, whatever was done before");
  check_reset (STAGE_PLAIN);
}

static void
test_reset_bullet (void)
{
  check_reset (DYNAMIC);
}

/* A negative control: what the comparison above sees. */
static void
test_other_runs_differ (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (Stage) other = make_stage (STAGE_PLAIN);

  stage_put (other, "robot.sink", 0, 1, "{'x': 1e-300, 'y': 0.5}");
  g_assert_cmpuint (drive (stage), !=, drive (other));
}

static char *
get_control (Stage *stage)
{
  g_autoptr (GVariant) all = stage_call (stage, "robot.motion", "get_configurations", NULL);
  g_autoptr (GVariant) inner = g_variant_lookup_value (all, "configurations", NULL);
  char *control = NULL;

  g_assert_true (g_variant_lookup (inner, "ControlType", "s", &control));
  return control;
}

static void
test_properties (void)
{
  g_autoptr (Stage) stage = make_stage (DYNAMIC);
  g_autoptr (Stage) changed = make_stage (DYNAMIC);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_test_summary ("a reset takes back what set_property did; without one the run is another");
  change_properties (changed);
  before = get_control (changed);
  g_assert_cmpstr (before, ==, "Position");
  g_assert_cmpuint (drive (stage), !=, drive (changed));
  reset (changed);
  after = get_control (changed);
  g_assert_cmpstr (after, ==, "Velocity");
  g_assert_cmpuint (drive (changed), ==, orrery_simulation_get_hash (stage->simulation));
}

static void
test_reset_after_one_tick (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  double x;

  g_test_summary ("noise begins again where it began, also after a single tick");
  stage_step (stage, 1);
  x = stage_get (stage, "robot.pose", "x");
  g_assert_cmpfloat (x, !=, 0);
  reset (stage);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, x);
}

static void
check_preempted (OrreryCall *call)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  if (!orrery_call_is_done (call))
    return;
  g_assert_null (orrery_call_get_result (call, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PREEMPTED);
}

static void
test_reset_ends_calls (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (OrreryCall) work = stage_start (stage, "robot.worker", "wait", NULL);
  g_autoptr (OrreryCall) sleep = stage_start (stage, "time", "sleep", "[<1000.0>]");
  g_autoptr (OrreryCall) nap = stage_start (stage, "time", "sleep", "[<2.0>]");
  g_autoptr (GVariant) cancelled = NULL;

  stage_step (stage, 1);
  g_assert_false (orrery_call_is_done (work));
  g_assert_false (orrery_call_is_done (sleep));
  reset (stage);
  check_preempted (work);
  check_preempted (sleep);
  check_preempted (nap);
  cancelled = stage_call (stage, "robot.worker", "cancelled", NULL);
  g_assert_cmpint (g_variant_get_int64 (cancelled), ==, 1);
}

static void
test_close_ends_calls (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (OrreryCall) work = stage_start (stage, "robot.worker", "wait", NULL);
  g_autoptr (OrreryCall) sleep = stage_start (stage, "time", "sleep", "[<1000.0>]");
  g_autoptr (OrreryCall) nap = stage_start (stage, "time", "sleep", "[<2.0>]");

  stage_step (stage, 1);
  orrery_simulation_close (stage->simulation);
  check_preempted (work);
  check_preempted (sleep);
  check_preempted (nap);
  /* Closed is closed. */
  orrery_simulation_close (stage->simulation);
}

static void
ask_again (OrreryCall *call, gpointer data)
{
  Stage *stage = data;
  g_autoptr (OrreryCall) again = stage_start (stage, "time", "sleep", "[<1.0>]");

  g_assert_nonnull (again);
}

static void
test_ending_calls_that_call (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (OrreryCall) sleep = stage_start (stage, "time", "sleep", "[<1000.0>]");
  g_autoptr (OrreryCall) nap = stage_start (stage, "time", "sleep", "[<0.5>]");

  orrery_call_set_done_func (nap, ask_again, stage, NULL);
  stage_step (stage, 40);
  g_assert_true (orrery_call_is_done (nap));
  g_assert_false (orrery_call_is_done (sleep));
  orrery_call_set_done_func (sleep, ask_again, stage, NULL);
  reset (stage);
  check_preempted (sleep);
}

typedef struct {
  gboolean within; /* the function that is told */
  guint n_told;
  guint n_freed;
  guint n_gone;
} Told;

static void
on_gone (gpointer data, GObject *where_it_was)
{
  Told *told = data;

  told->n_gone++;
  g_assert_false (told->within);
}

static void
on_done_drop (OrreryCall *call, gpointer data)
{
  Told *told = data;

  told->n_told++;
  told->within = TRUE;
  orrery_call_set_done_func (call, NULL, NULL, NULL);
  g_assert_cmpuint (told->n_freed, ==, 0);
  g_object_unref (call);
  told->within = FALSE;
}

static void
on_freed (gpointer data)
{
  ((Told *) data)->n_freed++;
}

static void
test_last_reference (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  const char *times[] = { "[<0.0>]", "[<0.5>]" };

  g_test_summary ("who is told that a call is done may drop it, be it done before or later");
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    OrreryCall *call = stage_start (stage, "time", "sleep", times[i]);
    Told told = { 0 };

    if (i == 0)
      stage_step (stage, 1);
    g_assert_true (orrery_call_is_done (call) == (i == 0));
    g_object_weak_ref (G_OBJECT (call), on_gone, &told);
    orrery_call_set_done_func (call, on_done_drop, &told, on_freed);
    stage_step (stage, 40);
    g_assert_cmpuint (told.n_told, ==, 1);
    g_assert_cmpuint (told.n_freed, ==, 1);
    g_assert_cmpuint (told.n_gone, ==, 1);
  }
}

static void
test_activate (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (GVariant) off = NULL;
  g_autoptr (GVariant) on = NULL;

  g_test_summary ("who is deactivated does not step, and keeps its rhythm");
  stage_step (stage, 60);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 25);
  off = stage_call (stage, "simulation", "deactivate", "[<'robot.steps'>]");
  stage_step (stage, 60);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 25);
  on = stage_call (stage, "simulation", "activate", "[<'robot.steps'>]");
  stage_step (stage, 60);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 50);
  stage_call_fails (stage, "simulation", "activate", "[<'robot.step'>]", ORRERY_CALL_FAILED,
                    "*robot.step*not found*");
}

static void
test_inactive_robot (void)
{
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "",
                   "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                   "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GVariant) off = stage_call (stage, "simulation", "deactivate", "[<'robot'>]");
  OrreryRecord *record = orrery_component_get_record (stage_find (stage, "robot.pose"));

  g_test_summary ("the clock of a robot goes on when the robot does not act");
  stage_step (stage, 60);
  g_assert_cmpint (orrery_record_get_timestamp (record), ==, ORRERY_SECOND);
}

static void
test_slow_robot (void)
{
  g_autofree char *scene = stage_scene (
      STAGE_PLAIN, "",
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'frequency': 1, 'objects': ["
      "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  OrreryRecord *record = orrery_component_get_record (stage_find (stage, "robot.pose"));

  for (gint64 k = 1; k <= 120; k++) {
    stage_step (stage, 1);
    g_assert_cmpint (orrery_record_get_timestamp (record), ==, k * ORRERY_SECOND / 60);
  }
}

/* --- a run that is held --- */

static gpointer
stop_it (gpointer data)
{
  orrery_simulation_quit (data);
  return NULL;
}

static void
check_stop_while_held (Stage *stage)
{
  GThread *thread = g_thread_new ("stopper", stop_it, stage->simulation);
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_run (stage->simulation, 100, 0, &error));
  g_assert_no_error (error);
  g_thread_join (thread);
  g_assert_true (orrery_simulation_is_quitting (stage->simulation));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
}

static void
test_stop_while_paused (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);

  orrery_simulation_pause (stage->simulation);
  g_assert_true (orrery_simulation_is_paused (stage->simulation));
  check_stop_while_held (stage);
}

static void
test_stop_while_gated (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (GVariant) none = stage_call (stage, "loop", "shut", "[<true>]");

  check_stop_while_held (stage);
}

static void
test_stop_while_pacing (void)
{
  g_autofree char *scene = stage_scene ("{'time_scale': 1e-6, " STAGE_KINEMATIC "}", "", "");
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("who waits four hours for the next tick can be stopped");
  g_object_set (options, "pacing", ORRERY_PACING_FIXED_STEP, NULL);
  stage = stage_new (scene, options);
  check_stop_while_held (stage);
}

static void
test_wall_while_pacing (void)
{
  g_autofree char *scene = stage_scene ("{'time_scale': 1e-6, " STAGE_KINEMATIC "}", "", "");
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (Stage) stage = NULL;
  gint64 before = g_get_monotonic_time ();

  g_object_set (options, "pacing", ORRERY_PACING_BEST_EFFORT, NULL);
  stage = stage_new (scene, options);
  g_assert_true (orrery_simulation_run (stage->simulation, 0, ORRERY_SECOND / 10, NULL));
  g_assert_cmpint (g_get_monotonic_time () - before, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
}

static void
test_wall_while_gated (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (GVariant) none = stage_call (stage, "loop", "shut", "[<true>]");
  gint64 before = g_get_monotonic_time ();

  g_test_summary ("a limit of wall time holds where no tick runs");
  g_assert_true (orrery_simulation_run (stage->simulation, 0, ORRERY_SECOND / 10, NULL));
  g_assert_cmpint (g_get_monotonic_time () - before, >=, 100000);
  g_assert_cmpint (g_get_monotonic_time () - before, <, 10 * G_USEC_PER_SEC);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
}

static void
test_quit (void)
{
  g_autoptr (Stage) stage = make_stage (STAGE_PLAIN);
  g_autoptr (GVariant) none = NULL;

  stage_step (stage, 5);
  none = stage_call (stage, "simulation", "quit", NULL);
  g_assert_true (orrery_simulation_run (stage->simulation, 0, 0, NULL));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 5);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/simulation/reset/kinematic", test_reset_kinematic);
  g_test_add_func ("/simulation/reset/bullet", test_reset_bullet);
  g_test_add_func ("/simulation/reset/other-runs-differ", test_other_runs_differ);
  g_test_add_func ("/simulation/reset/properties", test_properties);
  g_test_add_func ("/simulation/reset/after-one-tick", test_reset_after_one_tick);
  g_test_add_func ("/simulation/reset/ends-calls", test_reset_ends_calls);
  g_test_add_func ("/simulation/close/ends-calls", test_close_ends_calls);
  g_test_add_func ("/simulation/reset/ending-calls-that-call", test_ending_calls_that_call);
  g_test_add_func ("/simulation/reset/last-reference", test_last_reference);
  g_test_add_func ("/simulation/activate", test_activate);
  g_test_add_func ("/simulation/inactive-robot", test_inactive_robot);
  g_test_add_func ("/simulation/slow-robot", test_slow_robot);
  g_test_add_func ("/simulation/stop/paused", test_stop_while_paused);
  g_test_add_func ("/simulation/stop/gated", test_stop_while_gated);
  g_test_add_func ("/simulation/stop/pacing", test_stop_while_pacing);
  g_test_add_func ("/simulation/wall/pacing", test_wall_while_pacing);
  g_test_add_func ("/simulation/wall/gated", test_wall_while_gated);
  g_test_add_func ("/simulation/quit", test_quit);
  return g_test_run ();
}
