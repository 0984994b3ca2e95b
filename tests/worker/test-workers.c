/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* Components in workers, in lock step: a run is bit for bit what it is without them. */

#define NOISE "['orrery.modifiers.pose_noise.PoseNoiseModifier', {'pos_std': 0.1}]"
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
#define TABLES                                                                                     \
  "'component_modifier': {'robot.pose': [" NOISE "], "                                             \
  "'robot': [['orrery.modifiers.clock.ClockDriftModifier', {'drift': 0.01}]], "                    \
  "'robot.sink': [['probe.modifiers.Twice', {}]], "                                                \
  "'robot.grower': [['probe.modifiers.Ulp', {}]]}, "                                               \
  "'component_datastream': {'robot.sink': [" LOOP "], 'robot.motion': [" LOOP "], "                \
  "'robot.pose': [" LOOP "]},"
#define EARTH "'properties': {'longitude': 1.4, 'latitude': 43.6, 'altitude': 135}"
#define PLAIN "{'start': 0, " EARTH ", " STAGE_KINEMATIC "}"
#define DYNAMIC "{'start': 0, 'import': 'empty', " EARTH "}"

typedef struct {
  const char *name;
  const char *members;
} Part;

static const Part parts[] = {
  { "pose", "'classpath': 'orrery.sensors.pose.Pose'" },
  { "odometry", "'classpath': 'orrery.sensors.odometry.Odometry', 'frequency': 7" },
  { "steps", "'classpath': 'probe.sensors.Steps', 'frequency': 25" },
  { "mirror", "'classpath': 'probe.sensors.Mirror', 'properties': {'target': 'robot.pose'}" },
  { "holder", "'classpath': 'probe.sensors.Holder'" },
  { "grower", "'classpath': 'probe.faults.Grower'" },
  { "sink", "'classpath': 'probe.actuators.Sink'" },
  { "worker", "'classpath': 'probe.actuators.Worker'" },
  { "waypoint", "'classpath': 'orrery.actuators.waypoint.Waypoint'" },
  { "motion", "'classpath': 'orrery.actuators.v_omega.MotionVW'" },
  { "accelerometer", "'classpath': 'orrery.sensors.accelerometer.Accelerometer'" },
  { "airspeed", "'classpath': 'orrery.sensors.airspeed.Airspeed'" },
  { "attitude", "'classpath': 'orrery.sensors.attitude.Attitude'" },
  { "barometer", "'classpath': 'orrery.sensors.barometer.Barometer'" },
  { "battery", "'classpath': 'orrery.sensors.battery.Battery'" },
  { "clock", "'classpath': 'orrery.sensors.clock.Clock'" },
  { "collision", "'classpath': 'orrery.sensors.collision.Collision'" },
  { "gps", "'classpath': 'orrery.sensors.gps.GPS'" },
  { "gyroscope", "'classpath': 'orrery.sensors.gyroscope.Gyroscope'" },
  { "imu", "'classpath': 'orrery.sensors.imu.IMU'" },
  { "magnetometer", "'classpath': 'orrery.sensors.magnetometer.Magnetometer'" },
  { "thermometer", "'classpath': 'orrery.sensors.thermometer.Thermometer'" },
  { "velocity", "'classpath': 'orrery.sensors.velocity.Velocity'" },
  { "destination", "'classpath': 'orrery.actuators.destination.Destination'" },
  { "drag", "'classpath': 'orrery.actuators.drag.Drag'" },
  { "external_force", "'classpath': 'orrery.actuators.external_force.ExternalForce'" },
  { "force_torque", "'classpath': 'orrery.actuators.force_torque.ForceTorque'" },
  { "orientation", "'classpath': 'orrery.actuators.orientation.Orientation'" },
  { "teleport", "'classpath': 'orrery.actuators.teleport.Teleport'" },
  { "xy_omega", "'classpath': 'orrery.actuators.xy_omega.MotionXYW'" },
};
#define N_PARTS G_N_ELEMENTS (parts)

/* Where a part is placed, as further members; NULL: in the host. */
typedef const char *(*PlaceFunc) (guint i, gpointer data);

static Stage *
make_stage (const char *environment, PlaceFunc place, gpointer data)
{
  g_autoptr (GString) objects =
      g_string_new ("{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': [");
  g_autofree char *scene = NULL;

  for (guint i = 0; i < N_PARTS; i++) {
    const char *more = place != NULL ? place (i, data) : NULL;

    g_string_append_printf (objects, "%s{'name': '%s', %s%s%s}", i > 0 ? ", " : "", parts[i].name,
                            parts[i].members, more != NULL ? ", " : "", more != NULL ? more : "");
  }
  g_string_append (objects, "]}");
  scene = stage_scene (environment, TABLES, objects->str);
  return stage_new (scene, NULL);
}

static void
drive (Stage *stage)
{
  g_autoptr (OrreryCall) goal =
      stage_start (stage, "robot.waypoint", "goto", "[<2.0>, <1.0>, <0.0>]");

  stage_put (stage, "robot.motion", 0, 1, "{'v': 1.0, 'w': 0.5}");
  stage_step (stage, 20);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 3}");
  stage_step (stage, 10);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 5}");
  stage_put (stage, "robot.motion", 0, 1, "{'v': -1.0, 'w': 0.1}");
  stage_step (stage, 10);
}

/* All that is to be seen of a run. */
static void
compare (Stage *stage, Stage *plain)
{
  g_auto (GStrv) sent = stage_sent (stage, "robot.pose", 0);
  g_auto (GStrv) expected = stage_sent (plain, "robot.pose", 0);

  g_assert_cmpuint (g_strv_length (sent), >, 0);
  g_assert_true (g_strv_equal ((const char *const *) sent, (const char *const *) expected));
  for (guint i = 0; i < N_PARTS; i++) {
    g_autofree char *name = g_strconcat ("robot.", parts[i].name, NULL);
    g_autofree char *here = stage_json (plain, name);
    g_autofree char *there = stage_json (stage, name);

    g_assert_cmpstr (there, ==, here);
    g_assert_false (orrery_component_is_stale (stage_find (stage, name)));
  }
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
check (const char *environment, PlaceFunc place, gpointer data)
{
  g_autoptr (Stage) plain = make_stage (environment, NULL, NULL);
  g_autoptr (Stage) stage = make_stage (environment, place, data);
  guint64 first;

  drive (plain);
  drive (stage);
  compare (stage, plain);
  first = orrery_simulation_get_hash (plain->simulation);
  reset (plain);
  reset (stage);
  drive (plain);
  drive (stage);
  compare (stage, plain);
  g_assert_cmpuint (orrery_simulation_get_hash (plain->simulation), ==, first);
}

static const char *
place_one (guint i, gpointer data)
{
  return i == GPOINTER_TO_UINT (data) ? "'placement': 'worker'" : NULL;
}

static void
test_each (void)
{
  g_test_summary ("each component by itself in a worker changes nothing");
  for (guint i = 0; i < N_PARTS; i++) {
    g_test_message ("%s", parts[i].name);
    check (PLAIN, place_one, GUINT_TO_POINTER (i));
  }
}

static const char *
place_same (guint i, gpointer data)
{
  return data;
}

static void
test_all_in_one (void)
{
  check (PLAIN, place_same, (gpointer) "'placement': 'all'");
  check (DYNAMIC, place_same, (gpointer) "'placement': 'all'");
}

static void
test_each_its_own (void)
{
  check (DYNAMIC, place_same, (gpointer) "'placement': 'worker'");
}

static void
test_latest (void)
{
  g_test_summary ("records that are read where they lie are the same");
  check (PLAIN, place_same, (gpointer) "'placement': 'all', 'transport': 'latest'");
}

static const char *
place_in_turn (guint i, gpointer data)
{
  static const char *const places[] = { "'placement': 'red'", "'placement': 'blue'", NULL };

  return places[i % G_N_ELEMENTS (places)];
}

static void
test_several (void)
{
  check (DYNAMIC, place_in_turn, NULL);
}

/* --- services --- */

static char *
answer (Stage *stage, const char *part, const char *service, const char *arguments)
{
  g_autoptr (OrreryCall) call = stage_start (stage, part, service, arguments);
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);
  g_autofree char *text = value != NULL ? g_variant_print (value, TRUE) : NULL;

  return g_strdup_printf ("%d %d %s %s", orrery_call_is_done (call), orrery_call_get_fault (call),
                          error != NULL ? error->message : "", text != NULL ? text : "nothing");
}

static void
same_answer (Stage *stage, Stage *plain, const char *part, const char *service,
             const char *arguments)
{
  g_autofree char *there = answer (stage, part, service, arguments);
  g_autofree char *here = answer (plain, part, service, arguments);

  g_test_message ("%s %s: %s", part, service, here);
  g_assert_cmpstr (there, ==, here);
}

static void
test_services (void)
{
  static const char *const calls[][3] = {
    { "robot.worker", "add", "[<1.5>]" },
    { "robot.worker", "add", "[<1.5>, <2>]" },
    { "robot.worker", "add", "[]" },
    { "robot.worker", "add", "[<'one'>]" },
    { "robot.worker", "refuse", NULL },
    { "robot.worker", "nothing", NULL },
    { "robot.worker", "set_property", "[<'gain'>, <2.0>]" },
    { "robot.worker", "set_property", "[<'gain'>, <99.0>]" },
    { "robot.worker", "set_property", "[<'pain'>, <2.0>]" },
    { "robot.worker", "get_properties", NULL },
    { "robot.worker", "get_configurations", NULL },
    { "robot.worker", "add", "[<1.5>]" },
    { "robot.worker", "drill", "[<int64 3>]" },
    { "robot.worker", "work", "[<int64 3>]" },
    { "robot.worker", "cancelled", NULL },
    { "robot.pose", "get_local_data", NULL },
    { "robot.sink", "seen", NULL },
    { "robot.waypoint", "get_status", NULL },
    { "robot.waypoint", "stop", NULL },
    { "robot.motion", "set_speed", "[<0.5>, <0.1>]" },
    { "simulation", "deactivate", "[<'robot.steps'>]" },
  };
  g_autoptr (Stage) plain = make_stage (PLAIN, NULL, NULL);
  g_autoptr (Stage) stage = make_stage (PLAIN, place_in_turn, NULL);

  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
      same_answer (stage, plain, calls[i][0], calls[i][1], calls[i][2]);
      stage_step (stage, i % 3);
      stage_step (plain, i % 3);
    }
  compare (stage, plain);
}

/* The course of a long-running call: answered in the same tick, preempted, cancelled. */
static void
test_long_calls (void)
{
  Stage *stages[] = { make_stage (PLAIN, NULL, NULL),
                      make_stage (PLAIN, place_same, (gpointer) "'placement': 'worker'") };

  for (guint i = 0; i < 2; i++) {
    Stage *stage = stages[i];
    g_autoptr (OrreryCall) work = stage_start (stage, "robot.worker", "work", "[<int64 4>]");
    g_autoptr (OrreryCall) wait = NULL;
    g_autoptr (OrreryCall) more = NULL;
    g_autoptr (GVariant) cancelled = NULL;

    stage_step (stage, 3);
    g_assert_false (orrery_call_is_done (work));
    stage_step (stage, 1);
    g_assert_true (orrery_call_is_done (work));
    g_assert_cmpint (orrery_call_get_fault (work), ==, ORRERY_CALL_OK);
    wait = stage_start (stage, "robot.worker", "wait", NULL);
    stage_step (stage, 1);
    g_assert_true (orrery_component_get_call (stage_find (stage, "robot.worker")) == wait);
    more = stage_start (stage, "robot.worker", "work", "[<int64 9>]");
    g_assert_cmpint (orrery_call_get_fault (wait), ==, ORRERY_CALL_PREEMPTED);
    stage_step (stage, 1);
    orrery_call_cancel (more);
    g_assert_cmpint (orrery_call_get_fault (more), ==, ORRERY_CALL_PREEMPTED);
    cancelled = stage_call (stage, "robot.worker", "cancelled", NULL);
    g_assert_cmpint (g_variant_get_int64 (cancelled), ==, 2);
  }
  stage_free (stages[0]);
  stage_free (stages[1]);
}

static void
test_options (void)
{
  g_autoptr (Stage) stage = make_stage (PLAIN, place_same, (gpointer) "'placement': 'worker'");
  OrreryPart *part = ORRERY_PART (stage_find (stage, "robot.worker"));
  g_autoptr (GVariant) twice = g_variant_ref_sink (g_variant_new_double (2));
  g_autoptr (GVariant) thrice = NULL;
  g_autoptr (GVariant) sum = NULL;
  g_autoptr (GVariant) again = NULL;

  g_test_summary ("an option that a program sets here is set there, and the other way round");
  g_assert_true (orrery_part_set_option (part, "Gain", twice, NULL));
  sum = stage_call (stage, "robot.worker", "add", "[<1.0>, <1.0>]");
  g_assert_cmpfloat (g_variant_get_double (sum), ==, 4);
  again = stage_call (stage, "robot.worker", "set_property", "[<'Gain'>, <3.0>]");
  g_assert_null (again);
  thrice = orrery_part_get_option (part, "Gain");
  g_assert_cmpfloat (g_variant_get_double (thrice), ==, 3);
}

/* Called by a name of its own choice. */
static gint64
call_published (const char *placement)
{
  g_autofree char *objects =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                       "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', 'placement': '%s', "
                       "'properties': {'how': 'publish', 'where': 'counter'}}]}",
                       placement);
  g_autofree char *scene = stage_scene (PLAIN, "", objects);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GVariant) n = NULL;

  stage_step (stage, 7);
  stage_call_fails (stage, "desk", "poke", NULL, ORRERY_CALL_NO_SERVICE, "*");
  n = stage_call (stage, "counter", "poke", NULL);
  return g_variant_get_int64 (n);
}

static void
test_published (void)
{
  g_test_summary ("what a component in a worker publishes is called here");
  g_assert_cmpint (call_published ("host"), ==, 7);
  g_assert_cmpint (call_published ("worker"), ==, 7);
}

/* --- saved states --- */

static guint64
go_on_from (Stage *stage, GBytes *state)
{
  g_autoptr (GVariant) sum = NULL;

  stage_restore (stage, state);
  stage_step (stage, 70);
  sum = stage_call (stage, "robot.worker", "add", "[<1.0>, <1.0>]");
  g_assert_cmpfloat (g_variant_get_double (sum), ==, 5);
  return orrery_simulation_get_hash (stage->simulation);
}

/* To the moment at which it is saved. */
static void
go_there (Stage *stage)
{
  g_autoptr (GVariant) gain = g_variant_ref_sink (g_variant_new_double (2.5));

  stage_put (stage, "robot.motion", 0, 1, "{'v': 1.0, 'w': 0.5}");
  stage_step (stage, 20);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 3}");
  g_assert_true (orrery_part_set_option (ORRERY_PART (stage_find (stage, "robot.worker")), "Gain",
                                         gain, NULL));
  stage_step (stage, 33);
}

static void
check_saved (const char *environment, const char *placement)
{
  g_autoptr (Stage) plain = make_stage (environment, NULL, NULL);
  g_autoptr (Stage) stage = make_stage (environment, place_same, (gpointer) placement);
  g_autoptr (Stage) other = make_stage (environment, place_same, (gpointer) placement);
  g_autoptr (GBytes) state = NULL;
  guint64 hash;

  go_there (plain);
  stage_step (plain, 70);
  hash = orrery_simulation_get_hash (plain->simulation);
  go_there (stage);
  state = stage_save (stage);
  stage_step (stage, 70);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==, hash);
  g_assert_cmpuint (go_on_from (stage, state), ==, hash);
  g_assert_cmpuint (go_on_from (other, state), ==, hash);
  g_assert_cmpuint (go_on_from (other, state), ==, hash);
}

static void
test_saved (void)
{
  g_test_summary ("a state that is saved has what workers know, and goes on as without them");
  check_saved (PLAIN, "'placement': 'all'");
  check_saved (DYNAMIC, "'placement': 'all', 'transport': 'latest'");
}

static void
test_saved_busy (void)
{
  g_autoptr (Stage) stage = make_stage (PLAIN, place_same, (gpointer) "'placement': 'all'");
  g_autoptr (OrreryCall) goal =
      stage_start (stage, "robot.waypoint", "goto", "[<200.0>, <1.0>, <0.0>]");
  g_autoptr (GError) error = NULL;

  stage_step (stage, 5);
  g_assert_null (orrery_simulation_save (stage->simulation, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, "robot.waypoint: worker all carries out its service "
                                            "goto"));
}

static void
test_messages (void)
{
  g_autoptr (Stage) stage = make_stage (PLAIN, place_same, (gpointer) "'placement': 'worker'");
  g_autoptr (GVariant) report = stage_report (stage, "workers", "aa{sv}");

  g_assert_cmpuint (g_variant_n_children (report), ==, N_PARTS);
}

/* --- what a scene may say --- */

static void
refuse (const char *members, const char *tables, const char *pattern)
{
  g_autofree char *object = g_strdup_printf (
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', %s}, "
      "{'name': 'sink', 'classpath': 'probe.actuators.Sink', 'placement': 'shared'}]}",
      members);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, object);
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = stage_try (scene, NULL, &error);

  g_assert_null (stage);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  if (error == NULL)
    return;
  if (!g_pattern_match_simple (pattern, error->message))
    g_test_message ("'%s' does not match '%s'", error->message, pattern);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
}

static void
test_refused (void)
{
  refuse ("'placement': 'a b'", "", "*no placement 'a b'; there is: host, worker, or a name*");
  refuse ("'placement': ''", "", "*no placement ''*");
  refuse ("'placement': 7", "", "*'placement'*");
  refuse ("'transport': 'latest'", "", "*'transport' is of components in workers*");
  refuse ("'free_running': true", "", "*'free_running' is of components in workers*");
  refuse ("'placement': 'worker', 'transport': 'local'", "", "*local*queue*latest*");
  refuse ("'placement': 'worker', 'transport': 'queue', 'free_running': true", "",
          "*robot.pose runs free*'latest'*");
  refuse ("'placement': 'shared', 'transport': 'latest'", "", "*share the worker 'shared'*");
  refuse ("'placement': 'worker'", "'workers': {'robot.pos': {}},",
          "*nothing has the placement 'robot.pos'; did you mean robot.pose*");
  refuse ("'placement': 'worker'", "'workers': {'robot.pose': {'memory': 1}},", "*'memory'*16*");
  refuse ("'placement': 'worker'", "'workers': {'robot.pose': {'timeout': 0}},", "*'timeout'*");
  refuse ("'placement': 'worker'", "'workers': {'robot.pose': {'on_failure': 'cry'}},",
          "*cry*hold*zero*stop*");
  refuse ("'placement': 'worker'", "'workers': {'robot.pose': {'timeot': 1}},",
          "*timeot*did you mean timeout*");
}

static void
test_refused_roles (void)
{
  g_autofree char *robot = stage_scene (STAGE_PLAIN, "",
                                        "{'name': 'robot', 'placement': 'worker', "
                                        "'classpath': 'orrery.core.robot.Robot'}");
  g_autofree char *actuator =
      stage_scene (STAGE_PLAIN, "",
                   "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                   "{'name': 'sink', 'classpath': 'probe.actuators.Sink', "
                   "'placement': 'worker', 'free_running': true}]}");
  g_autofree char *script =
      stage_scene ("{'start': 0, 'sandbox': {'classpath': 'orrery.scripts.trace.Trace', "
                   "'placement': 'worker'}}",
                   "", "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot'}");
  g_autoptr (GError) first = NULL;
  g_autoptr (GError) second = NULL;
  g_autoptr (GError) third = NULL;

  g_assert_null (stage_try (robot, NULL, &first));
  g_assert_nonnull (strstr (first->message, "robots run in the host"));
  g_assert_null (stage_try (actuator, NULL, &second));
  g_assert_nonnull (strstr (second->message, "only sensors run free"));
  g_assert_null (stage_try (script, NULL, &third));
  g_assert_nonnull (strstr (third->message, "sandbox belongs to the program"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/worker/workers/each", test_each);
  g_test_add_func ("/worker/workers/all-in-one", test_all_in_one);
  g_test_add_func ("/worker/workers/each-its-own", test_each_its_own);
  g_test_add_func ("/worker/workers/latest", test_latest);
  g_test_add_func ("/worker/workers/several", test_several);
  g_test_add_func ("/worker/workers/services", test_services);
  g_test_add_func ("/worker/workers/long-calls", test_long_calls);
  g_test_add_func ("/worker/workers/options", test_options);
  g_test_add_func ("/worker/workers/published", test_published);
  g_test_add_func ("/worker/workers/saved", test_saved);
  g_test_add_func ("/worker/workers/saved-busy", test_saved_busy);
  g_test_add_func ("/worker/workers/report", test_messages);
  g_test_add_func ("/worker/workers/refused", test_refused);
  g_test_add_func ("/worker/workers/refused-roles", test_refused_roles);
  return g_test_run ();
}
