/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>

/* Services: of every component, of the simulation, of time; who reaches them, and when. */

#define WORKER "{'name': 'worker', 'classpath': 'probe.actuators.Worker'}"
#define ROBOT(inner)                                                                               \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" inner "]}"
#define POSE                                                                                       \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', 'position': [1, 2, 3], "              \
  "'rotation': [0, 0, 1.5707963267948966]}"
#define DESK "'component_service': {'robot.worker': 'probe.requests.Desk'},"

static Stage *
make_stage (const char *tables, const char *objects)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, objects);

  return stage_new (scene, NULL);
}

static Stage *
make_worker (void)
{
  return make_stage (DESK, ROBOT (WORKER "," POSE));
}

static void
check_text (GVariant *value, const char *text)
{
  g_autofree char *printed = value != NULL ? g_variant_print (value, FALSE) : g_strdup ("nothing");

  g_assert_cmpstr (printed, ==, text);
}

static double
add (Stage *stage, const char *arguments)
{
  g_autoptr (GVariant) sum = stage_call (stage, "robot.worker", "add", arguments);

  return sum != NULL ? g_variant_get_double (sum) : NAN;
}

/* --- arguments --- */

static void
test_arguments (void)
{
  g_autoptr (Stage) stage = make_worker ();

  g_test_summary ("numbers are converted, defaults applied, the rest is refused with a reason");
  g_assert_cmpfloat (add (stage, "[<1.5>, <2.25>]"), ==, 3.75);
  g_assert_cmpfloat (add (stage, "[<int64 1>, <int64 2>]"), ==, 3);
  g_assert_cmpfloat (add (stage, "[<1.5>]"), ==, 3.5);
  stage_call_fails (stage, "robot.worker", "add", NULL, ORRERY_CALL_WRONG_COUNT, "*1 to 2*0*");
  stage_call_fails (stage, "robot.worker", "add", "[<1.0>, <1.0>, <1.0>]", ORRERY_CALL_WRONG_COUNT,
                    "*1 to 2*3*");
  stage_call_fails (stage, "robot.worker", "add", "[<'one'>]", ORRERY_CALL_WRONG_TYPE,
                    "*'a' of add*");
  stage_call_fails (stage, "robot.worker", "add", "[<nan>]", ORRERY_CALL_WRONG_TYPE, "*finite*");
  stage_call_fails (stage, "robot.worker", "fly", NULL, ORRERY_CALL_NO_SERVICE, "*'fly'*");
  stage_call_fails (stage, "robot.nobody", "add", NULL, ORRERY_CALL_NO_SERVICE, "*robot.nobody*");
  stage_call_fails (stage, "robot.worker", "refuse", NULL, ORRERY_CALL_FAILED, "not today");
}

/* --- what every component has --- */

/* What all actuators have. */
#define TIMEOUT                                                                                    \
  "{'properties': <{'timeout': <[<0.0>, <'float'>, <'It stops when no message and no call came "   \
  "for so long, s; 0: never'>, <'timeout'>]>, "

static void
test_properties (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (GVariant) before = stage_call (stage, "robot.worker", "get_properties", NULL);
  g_autoptr (GVariant) set = NULL;
  g_autoptr (GVariant) after = NULL;

  check_text (before, TIMEOUT "'Gain': <[<1.0>, <'float'>, <'What a sum is multiplied "
                              "by'>, <'gain'>]>}>}");
  set = stage_call (stage, "robot.worker", "set_property", "[<'Gain'>, <2.5>]");
  g_assert_null (set);
  g_assert_cmpfloat (add (stage, "[<1.0>, <1.0>]"), ==, 5);
  after = stage_call (stage, "robot.worker", "get_properties", NULL);
  check_text (after, TIMEOUT "'Gain': <[<2.5>, <'float'>, <'What a sum is multiplied "
                             "by'>, <'gain'>]>}>}");
  stage_call_fails (stage, "robot.worker", "set_property", "[<'Pain'>, <2.5>]", ORRERY_CALL_FAILED,
                    "Property Pain does not exist for object robot.worker; did you mean Gain");
  stage_call_fails (stage, "robot.worker", "set_property", "[<'Gain'>, <1000.0>]",
                    ORRERY_CALL_FAILED, "*Gain*-10*10*");
  stage_call_fails (stage, "robot.worker", "set_property", "[<'Gain'>, <'much'>]",
                    ORRERY_CALL_FAILED, "*Gain*");
  g_assert_cmpfloat (add (stage, "[<1.0>, <1.0>]"), ==, 5);
}

static double
dig (GVariant *value, const char *path)
{
  g_auto (GStrv) keys = g_strsplit (path, "/", -1);
  g_autoptr (GVariant) at = g_variant_ref (value);
  double number;

  for (guint i = 0; keys[i] != NULL; i++) {
    gboolean number_key = g_ascii_isdigit (keys[i][0]);
    GVariant *next = number_key ? g_variant_get_child_value (at, (gsize) atoi (keys[i]))
                                : g_variant_lookup_value (at, keys[i], NULL);

    if (next == NULL)
      g_error ("no '%s' in %s", keys[i], path);
    g_variant_unref (at);
    at = next;
    while (g_variant_is_of_type (at, G_VARIANT_TYPE_VARIANT)) {
      next = g_variant_get_variant (at);
      g_variant_unref (at);
      at = next;
    }
  }
  number = g_variant_get_double (at);
  return number;
}

static void
test_configurations (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (GVariant) pose = stage_call (stage, "robot.pose", "get_configurations", NULL);
  g_autoptr (GVariant) worker = stage_call (stage, "robot.worker", "get_configurations", NULL);
  const char *place = "configurations/object_to_robot/";

  for (int i = 0; i < 3; i++) {
    g_autofree char *path = g_strdup_printf ("%stranslation/%d", place, i);

    g_assert_cmpfloat (dig (pose, path), ==, i + 1);
  }
  /* Turned left by a quarter: its x axis is the robot's y. */
  g_assert_cmpfloat_with_epsilon (dig (pose, "configurations/object_to_robot/rotation/1/0"), 1,
                                  1e-12);
  g_assert_cmpfloat_with_epsilon (dig (pose, "configurations/object_to_robot/rotation/0/1"), -1,
                                  1e-12);
  g_assert_cmpfloat (dig (worker, "configurations/Gain"), ==, 1);
  stage_call_fails (stage, "robot", "get_configurations", NULL, ORRERY_CALL_FAILED, "robot *");
}

static void
test_local_data (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (GVariant) data = NULL;

  stage_step (stage, 60);
  data = stage_call (stage, "robot.pose", "get_local_data", NULL);
  g_assert_cmpfloat (dig (data, "timestamp"), ==, 1);
  g_assert_cmpfloat (dig (data, "x"), ==, 1);
  g_assert_cmpfloat (dig (data, "z"), ==, 3);
  stage_call_fails (stage, "robot.worker", "get_local_data", NULL, ORRERY_CALL_NO_SERVICE, "*");
}

/* --- calls that take long --- */

static void
check_fault (OrreryCall *call, OrreryCallFault fault)
{
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, fault);
}

static void
test_long (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) call = stage_start (stage, "robot.worker", "work", "[<int64 3>]");

  stage_step (stage, 2);
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 1);
  check_fault (call, ORRERY_CALL_OK);
  check_text (orrery_call_get_result (call, NULL), "'done'");
}

static void
test_preempt (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) first = stage_start (stage, "robot.worker", "work", "[<int64 100>]");
  g_autoptr (OrreryCall) second = stage_start (stage, "robot.worker", "work", "[<int64 2>]");
  g_autoptr (OrreryCall) drill = NULL;
  g_autoptr (GVariant) cancelled = NULL;

  g_test_summary ("a second call preempts one that may be interrupted, and fails otherwise");
  check_fault (first, ORRERY_CALL_PREEMPTED);
  cancelled = stage_call (stage, "robot.worker", "cancelled", NULL);
  g_assert_cmpint (g_variant_get_int64 (cancelled), ==, 1);
  stage_step (stage, 2);
  check_fault (second, ORRERY_CALL_OK);
  drill = stage_start (stage, "robot.worker", "drill", "[<int64 2>]");
  stage_call_fails (stage, "robot.worker", "work", NULL, ORRERY_CALL_FAILED,
                    "A service (drill) is already running. I do not know what to do.");
  /* Immediate ones are no matter. */
  g_assert_cmpfloat (add (stage, "[<1.0>]"), ==, 3);
  stage_step (stage, 2);
  check_fault (drill, ORRERY_CALL_OK);
}

static void
test_bad_arguments_preempt_nobody (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) call = stage_start (stage, "robot.worker", "work", "[<int64 2>]");

  stage_call_fails (stage, "robot.worker", "work", "[<'two'>]", ORRERY_CALL_WRONG_TYPE, "*");
  stage_step (stage, 2);
  check_fault (call, ORRERY_CALL_OK);
}

static void
test_cancel (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) call = stage_start (stage, "robot.worker", "drill", "[<int64 100>]");
  g_autoptr (GVariant) cancelled = NULL;

  orrery_call_cancel (call);
  check_fault (call, ORRERY_CALL_PREEMPTED);
  orrery_call_cancel (call);
  cancelled = stage_call (stage, "robot.worker", "cancelled", NULL);
  g_assert_cmpint (g_variant_get_int64 (cancelled), ==, 1);
  stage_step (stage, 2);
}

/* --- request managers --- */

static OrreryCall *
ask (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autofree char *text = g_strdup_printf ("[<'%s'>, <'%s'>, <%s>]", part, service, arguments);

  return stage_start (stage, "desk", "ask", text);
}

static void
check_unreachable (Stage *stage, const char *part, const char *service)
{
  g_autoptr (OrreryCall) call = ask (stage, part, service, "@av []");

  stage_step (stage, 1);
  check_fault (call, ORRERY_CALL_FAILED);
}

static void
test_managers_reach_what_is_mapped (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) sum = ask (stage, "robot.worker", "add", "[<1.0>, <2.0>]");
  g_autoptr (OrreryCall) robots = ask (stage, "simulation", "list_robots", "@av []");
  g_autoptr (OrreryCall) time = ask (stage, "time", "now", "@av []");

  g_test_summary ("requests wait for the phase of services; what is not mapped is not there");
  g_assert_false (orrery_call_is_done (sum));
  stage_step (stage, 1);
  check_fault (sum, ORRERY_CALL_OK);
  check_text (orrery_call_get_result (sum, NULL), "3.0");
  check_text (orrery_call_get_result (robots, NULL), "['robot']");
  check_fault (time, ORRERY_CALL_OK);
  check_unreachable (stage, "robot.pose", "get_local_data");
  check_unreachable (stage, "robot", "get_properties");
  check_unreachable (stage, "robot.worker", "fly");
}

static void
test_requests_in_order (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) set = ask (stage, "robot.worker", "set_property", "[<'Gain'>, <3.0>]");
  g_autoptr (OrreryCall) sum = ask (stage, "robot.worker", "add", "[<1.0>, <2.0>]");
  g_autoptr (OrreryCall) back = ask (stage, "robot.worker", "set_property", "[<'Gain'>, <1.0>]");
  g_autoptr (OrreryCall) plain = ask (stage, "robot.worker", "add", "[<1.0>, <2.0>]");

  stage_step (stage, 1);
  check_fault (set, ORRERY_CALL_OK);
  check_fault (back, ORRERY_CALL_OK);
  check_text (orrery_call_get_result (sum, NULL), "9.0");
  check_text (orrery_call_get_result (plain, NULL), "3.0");
}

static void
test_requests_at_the_end (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) queued = ask (stage, "robot.worker", "add", "[<1.0>, <2.0>]");
  g_autoptr (OrreryCall) waiting = NULL;

  stage_step (stage, 1);
  check_fault (queued, ORRERY_CALL_OK);
  waiting = ask (stage, "robot.worker", "wait", "@av []");
  stage_step (stage, 1);
  g_assert_false (orrery_call_is_done (waiting));
  g_clear_object (&queued);
  queued = ask (stage, "robot.worker", "add", "[<1.0>, <2.0>]");
  orrery_simulation_close (stage->simulation);
  check_fault (queued, ORRERY_CALL_PREEMPTED);
  check_fault (waiting, ORRERY_CALL_PREEMPTED);
}

static void
test_cancelled_before_its_turn (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (OrreryCall) call = ask (stage, "robot.worker", "work", "[<int64 1>]");
  g_autoptr (GVariant) cancelled = NULL;

  orrery_call_cancel (call);
  stage_step (stage, 3);
  check_fault (call, ORRERY_CALL_PREEMPTED);
  cancelled = stage_call (stage, "robot.worker", "cancelled", NULL);
  g_assert_cmpint (g_variant_get_int64 (cancelled), ==, 0);
}

/* --- the simulation --- */

static void
test_set_object_position (void)
{
  g_autoptr (Stage) stage = make_stage ("", ROBOT (POSE));
  g_autoptr (GVariant) moved =
      stage_call (stage, "simulation", "set_object_position",
                  "[<'robot'>, <[5.0, 6.0, 7.0]>, <[0.0, 0.0, 3.141592653589793]>]");
  g_autoptr (GVariant) again = NULL;

  g_assert_null (moved);
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "y"), 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "z"), 10, 1e-12);
  again = stage_call (stage, "simulation", "set_object_position", "[<'robot'>, <[0.0, 0.0, 0.0]>]");
  stage_step (stage, 2);
  /* No orientation given: it stays turned. */
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), -1, 1e-12);
  stage_call_fails (stage, "simulation", "set_object_position", "[<'rabbit'>, <[0.0, 0.0, 0.0]>]",
                    ORRERY_CALL_FAILED, "Object 'rabbit' does not appear in the scene.");
  stage_call_fails (stage, "simulation", "set_object_position", "[<'robot'>, <[0.0, 0.0]>]",
                    ORRERY_CALL_FAILED, "a position is *");
  stage_call_fails (stage, "simulation", "set_object_position", "[<'robot'>, <[nan, 0.0, 0.0]>]",
                    ORRERY_CALL_FAILED, "a position is *");
}

static void
test_reset_objects (void)
{
  g_autoptr (Stage) stage = make_stage ("", ROBOT (POSE));
  g_autoptr (GVariant) moved =
      stage_call (stage, "simulation", "set_object_position", "[<'robot'>, <[5.0, 6.0, 7.0]>]");
  g_autoptr (GVariant) reset = NULL;

  stage_step (stage, 2);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 6);
  reset = stage_call (stage, "simulation", "reset_objects", NULL);
  check_text (reset, "'Objects restored to initial position'");
  stage_step (stage, 2);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 1);
}

static void
test_scene_objects (void)
{
  g_autoptr (Stage) stage =
      make_stage ("", ROBOT (POSE) ", {'name': 'box', 'position': [9, 8, 7]}");
  g_autoptr (GVariant) objects = stage_call (stage, "simulation", "get_scene_objects", NULL);

  g_assert_cmpfloat (dig (objects, "box/1/0"), ==, 9);
  g_assert_cmpfloat (dig (objects, "box/2/3"), ==, 1); /* x y z w */
  g_assert_cmpfloat (dig (objects, "robot/0/robot.pose/1/2"), ==, 3);
}

/* A robot with physics, high up. */
static Stage *
make_falling (void)
{
  g_autofree char *scene = stage_scene (
      "{'start': 0}", "",
      "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [0, 0, 100], "
      "'objects': [" POSE "]}");

  return stage_new (scene, NULL);
}

static void
test_suspend (void)
{
  g_autoptr (Stage) stage = make_falling ();
  g_autoptr (GVariant) off = NULL;
  g_autoptr (GVariant) on = NULL;
  double z;

  stage_step (stage, 30);
  off = stage_call (stage, "simulation", "suspend_dynamics", NULL);
  check_text (off, "'Physics is suspended'");
  stage_step (stage, 2);
  z = stage_get (stage, "robot.pose", "z");
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "z"), ==, z);
  on = stage_call (stage, "simulation", "restore_dynamics", NULL);
  check_text (on, "'Physics is resumed'");
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "z"), <, z - 0.1);
}

static void
test_object_dynamics (void)
{
  g_autoptr (Stage) stage = make_falling ();
  g_autoptr (GVariant) off = NULL;
  g_autoptr (GVariant) on = NULL;
  double z;

  g_test_summary ("physics of one object is switched, and its state is the answer");
  stage_step (stage, 30);
  off = stage_call (stage, "simulation", "set_object_dynamics", "[<'robot'>, <false>]");
  check_text (off, "false");
  stage_step (stage, 2);
  z = stage_get (stage, "robot.pose", "z");
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "z"), ==, z);
  on = stage_call (stage, "simulation", "set_object_dynamics", "[<'robot'>, <true>]");
  check_text (on, "true");
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "z"), <, z - 0.1);
  stage_call_fails (stage, "simulation", "set_object_dynamics", "[<'rabbit'>, <true>]",
                    ORRERY_CALL_FAILED, "Object 'rabbit' does not appear in the scene.");
}

static gboolean
is_visible (Stage *stage, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  return orrery_object_is_visible (orrery_world_find_object (world, name));
}

static void
test_visibility (void)
{
  g_autoptr (Stage) stage = make_stage ("", ROBOT (POSE));
  g_autoptr (GVariant) alone = NULL;
  g_autoptr (GVariant) whole = NULL;

  g_test_summary ("an object is hidden, with what is below it if that is asked for");
  alone =
      stage_call (stage, "simulation", "set_object_visibility", "[<'robot'>, <false>, <false>]");
  check_text (alone, "false");
  stage_step (stage, 1);
  g_assert_false (is_visible (stage, "robot"));
  g_assert_true (is_visible (stage, "robot.pose"));
  whole = stage_call (stage, "simulation", "set_object_visibility", "[<'robot'>, <false>, <true>]");
  stage_step (stage, 1);
  g_assert_false (is_visible (stage, "robot.pose"));
  stage_call_fails (stage, "simulation", "set_object_visibility", "[<'rabbit'>, <true>, <true>]",
                    ORRERY_CALL_FAILED, "Object 'rabbit' does not appear in the scene.");
}

static void
test_reset_falling (void)
{
  g_autoptr (Stage) stage = make_falling ();
  g_autoptr (GVariant) reset = NULL;
  double start;

  g_test_summary ("objects that are restored to their places are at rest there");
  stage_step (stage, 1);
  start = stage_get (stage, "robot.pose", "z");
  stage_step (stage, 60);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "z"), <, start - 4);
  reset = stage_call (stage, "simulation", "reset_objects", NULL);
  stage_step (stage, 31);
  /* Half a second: 1.2 m from rest, 6 m with the speed that it had. */
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "z"), start - 9.81 / 8, 0.1);
}

static void
test_details (void)
{
  g_autoptr (Stage) stage = make_stage (
      DESK
      "'component_datastream': {'robot.worker': [['probe.loop.Loop', 'probe.loop.Codec', {}]]},",
      ROBOT (WORKER));
  g_autoptr (GVariant) details = stage_call (stage, "simulation", "details", NULL);

  check_text (details,
              "{'robots': <[{'name': <'robot'>, 'type': <'Robot'>, 'components': <{'robot.worker': "
              "<{'type': <'Worker'>, 'services': <['get_properties', 'set_property', "
              "'get_configurations', 'add', 'refuse', 'work', 'drill', 'cancelled', 'wait']>, "
              "'service_interfaces': <['probe.requests.Desk']>, 'stream_interfaces': "
              "<[['probe.loop.Loop', 'IN']]>}>}>}]>, 'environment': <''>}");
}

static void
test_log_level (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (GVariant) none =
      stage_call (stage, "simulation", "set_log_level", "[<'robot.worker'>, <'error'>]");
  g_autoptr (GVariant) nobody = NULL;

  g_assert_cmpint (orrery_part_get_log_level (ORRERY_PART (stage_find (stage, "robot.worker"))), ==,
                   ORRERY_LOG_LEVEL_ERROR);
  stage_call_fails (stage, "simulation", "set_log_level", "[<'robot.worker'>, <'loud'>]",
                    ORRERY_CALL_FAILED, "*loud*");
  stage_call_fails (stage, "simulation", "set_log_level", "[<'robot.worker'>, <10>]",
                    ORRERY_CALL_WRONG_TYPE, "*level*");
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*no part or class has the name*"), ==,
                    0);
  nobody = stage_call (stage, "simulation", "set_log_level", "[<'robot.porker'>, <'INFO'>]");
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING,
                                     "*no part or class has the name 'robot.porker'*robot.worker*"),
                    ==, 1);
}

/* --- time --- */

static void
test_time (void)
{
  g_autoptr (Stage) stage = make_worker ();
  g_autoptr (GVariant) mode = stage_call (stage, "time", "mode", NULL);
  g_autoptr (GVariant) now = NULL;
  g_autoptr (GVariant) statistics = NULL;
  g_autoptr (GVariant) scale = stage_call (stage, "time", "set_time_scale", "[<2.0>]");

  check_text (mode, "'Fixed Simulation Step'");
  stage_step (stage, 90);
  now = stage_call (stage, "time", "now", NULL);
  check_text (now, "1.5");
  check_text (scale, "true");
  statistics = stage_call (stage, "time", "statistics", NULL);
  g_assert_cmpfloat (dig (statistics, "mean_time"), >, 0);
  g_assert_cmpfloat (dig (statistics, "variance_time"), >=, 0);
  g_assert_cmpfloat (dig (statistics, "diff_real_time"), >, 0);
  stage_call_fails (stage, "time", "set_time_scale", "[<0.0>]", ORRERY_CALL_FAILED, "*time scale*");
  stage_call_fails (stage, "time", "set_time_scale", "[<-1.0>]", ORRERY_CALL_FAILED,
                    "*time scale*");
}

static void
test_best_effort_statistics (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT (POSE));
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (Stage) stage = NULL;
  g_autoptr (GVariant) mode = NULL;
  g_autoptr (GVariant) statistics = NULL;

  g_object_set (options, "pacing", ORRERY_PACING_BEST_EFFORT, NULL);
  stage = stage_new (scene, options);
  stage_step (stage, 30);
  mode = stage_call (stage, "time", "mode", NULL);
  check_text (mode, "'Best Effort'");
  statistics = stage_call (stage, "time", "statistics", NULL);
  g_assert_cmpfloat (dig (statistics, "mean_time"), ==, 1.0 / 60);
  g_assert_cmpfloat (dig (statistics, "variance_time"), ==, 0);
  g_assert_cmpfloat (dig (statistics, "mean_frame_by_sec"), >=, 0);
  g_assert_cmpfloat (dig (statistics, "variance_frame_by_sec"), >=, 0);
}

static void
test_sleep (void)
{
  static const double seconds[] = { 1.0, 0.5, 0, 0.505, 0.1, 0.05, 0.025, 0.02, 0.01, 1e-9 };
  static const guint ticks[] = { 60, 30, 1, 30, 6, 3, 2, 1, 1, 1 };
  g_autoptr (Stage) stage = make_worker ();
  OrreryCall *calls[G_N_ELEMENTS (seconds)];

  g_test_summary ("many sleep at once, each until the tick nearest to its time");
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++) {
    g_autofree char *arguments = g_strdup_printf ("[<%.10f>]", seconds[i]);

    calls[i] = stage_start (stage, "time", "sleep", arguments);
    g_assert_false (orrery_call_is_done (calls[i]));
  }
  for (guint k = 1; k <= 60; k++) {
    stage_step (stage, 1);
    for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
      g_assert_cmpint (orrery_call_is_done (calls[i]), ==, k >= ticks[i]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++) {
    check_fault (calls[i], ORRERY_CALL_OK);
    g_object_unref (calls[i]);
  }
  stage_call_fails (stage, "time", "sleep", "[<-1.0>]", ORRERY_CALL_FAILED, "*sleep*");
}

/* A tick is 16666666 or 16666667 ns long: rounding alone would tell these apart. */
static void
test_sleep_at_half_a_tick (void)
{
  g_autoptr (Stage) stage = make_worker ();

  g_test_summary ("a sleep of one and a half ticks takes two, whenever it begins");
  for (guint i = 0; i < 60; i++) {
    g_autoptr (OrreryCall) call = ask (stage, "time", "sleep", "[<0.025>]");

    stage_step (stage, 2);
    g_assert_false (orrery_call_is_done (call));
    stage_step (stage, 1);
    check_fault (call, ORRERY_CALL_OK);
  }
}

/* --- when calls act --- */

#define DRIVEN                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'body': {'type': 'rigid'}, "          \
  "'objects': [{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "                        \
  "{'name': 'worker', 'classpath': 'probe.actuators.Worker'}, %s]}"
#define ACTUATOR(name, class) "{'name': '" name "', 'classpath': 'orrery.actuators." class "'}"

static Stage *
make_driven (const char *actuator)
{
  g_autofree char *objects = g_strdup_printf (DRIVEN, actuator);

  return make_stage ("'component_service': {'robot.worker': 'probe.requests.Desk', "
                     "'robot.motion': 'probe.requests.Desk'},",
                     objects);
}

static void
test_calls_act_in_the_next_tick (void)
{
  g_autoptr (Stage) stage = make_driven (ACTUATOR ("motion", "v_omega.MotionVW"));
  g_autoptr (OrreryCall) call = ask (stage, "robot.motion", "set_speed", "[<6.0>, <0.0>]");

  g_test_summary ("what a call sets in an actuator is used from the next tick on");
  stage_step (stage, 2);
  check_fault (call, ORRERY_CALL_OK);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 0.1, 1e-9);
}

static void
test_commands_of_calls_win (void)
{
  g_autoptr (Stage) stage = make_driven (ACTUATOR ("motion", "teleport.Teleport"));
  g_autoptr (OrreryCall) call =
      ask (stage, "simulation", "set_object_position", "[<'robot'>, <[5.0, 6.0, 7.0]>]");

  g_test_summary ("what a call commands replaces what the actuators of that tick did");
  stage_step (stage, 2);
  check_fault (call, ORRERY_CALL_OK);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 5);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 0);
}

static void
test_put_goes_on (void)
{
  g_autoptr (Stage) stage = make_driven (ACTUATOR ("motion", "v_omega.MotionVW"));
  g_autoptr (OrreryCall) speed = ask (stage, "robot.motion", "set_speed", "[<6.0>, <0.0>]");
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("an object that is put somewhere goes on from there as it did");
  stage_step (stage, 3);
  orrery_component_set_active (stage_find (stage, "robot.motion"), FALSE);
  call = ask (stage, "simulation", "set_object_position", "[<'robot'>, <[5.0, 6.0, 7.0]>]");
  stage_step (stage, 2);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "x"), ==, 5);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 5.1, 1e-9);
}

static void
test_write (void)
{
  g_autoptr (Stage) stage = make_driven (ACTUATOR ("motion", "v_omega.MotionVW"));
  g_autoptr (GVariant) first = NULL;
  g_autoptr (GVariant) second = NULL;

  g_test_summary ("fields of an actuator are written as by a message: all that are named, or none");
  first = stage_call (stage, "simulation", "write", "[<'robot.motion'>, <{'v': <6.0>}>]");
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 0.1, 1e-9);
  stage_call_fails (stage, "simulation", "write", "[<'robot.motion'>, <{'v': <0.0>, 'q': <1.0>}>]",
                    ORRERY_CALL_FAILED, "*q*");
  stage_call_fails (stage, "simulation", "write", "[<'robot.motion'>, <{'v': <'fast'>}>]",
                    ORRERY_CALL_FAILED, "*v*");
  stage_call_fails (stage, "simulation", "write", "[<'robot.motion'>, <[1.0]>]", ORRERY_CALL_FAILED,
                    "*a dictionary*");
  stage_call_fails (stage, "simulation", "write", "[<'robot.pose'>, <{'x': <1.0>}>]",
                    ORRERY_CALL_FAILED, "'robot.pose' is no actuator");
  stage_call_fails (stage, "simulation", "write", "[<'rabbit'>, <{'x': <1.0>}>]",
                    ORRERY_CALL_FAILED, "'rabbit' is no actuator");
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 0.2, 1e-9);
  second = stage_call (stage, "simulation", "write", "[<'robot.motion'>, <{'v': <0.0>}>]");
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "robot.pose", "x"), 0.3, 1e-9);
}

/* The desk is named by the program, and not by the scene. */
static void
test_managers_of_the_program (void)
{
  static const char *const names[] = { "probe.requests.Desk", NULL };
  static const char *const wrong[] = { "probe.requests.Nonesuch", NULL };
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT (WORKER "," POSE));
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("a request manager that the program adds reaches every part");
  g_object_set (options, "request-managers", names, NULL);
  stage = stage_new (scene, options);
  {
    g_autoptr (OrreryCall) sum = ask (stage, "robot.worker", "add", "[<1.5>, <2.25>]");
    g_autoptr (OrreryCall) other = ask (stage, "robot.pose", "get_properties", "@av []");
    g_autoptr (OrreryCall) state = ask (stage, "simulation", "state", "@av []");

    stage_step (stage, 2);
    check_fault (sum, ORRERY_CALL_OK);
    check_fault (other, ORRERY_CALL_OK);
    check_fault (state, ORRERY_CALL_OK);
  }
  g_object_set (options, "request-managers", wrong, NULL);
  g_assert_null (stage_try (scene, options, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/simulation/services/arguments", test_arguments);
  g_test_add_func ("/simulation/services/properties", test_properties);
  g_test_add_func ("/simulation/services/configurations", test_configurations);
  g_test_add_func ("/simulation/services/local-data", test_local_data);
  g_test_add_func ("/simulation/services/long", test_long);
  g_test_add_func ("/simulation/services/preempt", test_preempt);
  g_test_add_func ("/simulation/services/bad-arguments", test_bad_arguments_preempt_nobody);
  g_test_add_func ("/simulation/services/cancel", test_cancel);
  g_test_add_func ("/simulation/requests/mapped", test_managers_reach_what_is_mapped);
  g_test_add_func ("/simulation/requests/order", test_requests_in_order);
  g_test_add_func ("/simulation/requests/end", test_requests_at_the_end);
  g_test_add_func ("/simulation/requests/cancelled-early", test_cancelled_before_its_turn);
  g_test_add_func ("/simulation/simulation/set-object-position", test_set_object_position);
  g_test_add_func ("/simulation/simulation/reset-objects", test_reset_objects);
  g_test_add_func ("/simulation/simulation/scene-objects", test_scene_objects);
  g_test_add_func ("/simulation/simulation/suspend", test_suspend);
  g_test_add_func ("/simulation/simulation/object-dynamics", test_object_dynamics);
  g_test_add_func ("/simulation/simulation/visibility", test_visibility);
  g_test_add_func ("/simulation/simulation/reset-falling", test_reset_falling);
  g_test_add_func ("/simulation/simulation/details", test_details);
  g_test_add_func ("/simulation/simulation/log-level", test_log_level);
  g_test_add_func ("/simulation/time/services", test_time);
  g_test_add_func ("/simulation/time/best-effort", test_best_effort_statistics);
  g_test_add_func ("/simulation/time/sleep", test_sleep);
  g_test_add_func ("/simulation/time/sleep/half-a-tick", test_sleep_at_half_a_tick);
  g_test_add_func ("/simulation/services/next-tick", test_calls_act_in_the_next_tick);
  g_test_add_func ("/simulation/services/commands-win", test_commands_of_calls_win);
  g_test_add_func ("/simulation/services/put-goes-on", test_put_goes_on);
  g_test_add_func ("/simulation/calls/write", test_write);
  g_test_add_func ("/simulation/requests/of-the-program", test_managers_of_the_program);
  return g_test_run ();
}
