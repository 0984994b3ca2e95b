/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* The property timeout of actuators: who is not told anything any more stops. */

#define LOOP "[['probe.loop.Loop', 'probe.loop.Codec', {}]]"
#define TOLD "*nothing was told to it for 0.5 s, its timeout*"

/* @properties: @rest: further keys of each actuator */
static Stage *
make_stage (const char *classpath, const char *properties, const char *rest)
{
  g_autofree char *robot =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                       "{'name': 'it', 'classpath': '%s', 'properties': {%s}%s}]}",
                       classpath, properties, rest);
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "'component_datastream': {'robot.it': " LOOP "},", robot);

  return stage_new (scene, NULL);
}

static Stage *
make_motion (const char *properties, const char *rest)
{
  return make_stage ("orrery.actuators.v_omega.MotionVW", properties, rest);
}

static double
get_x (Stage *stage)
{
  return orrery_test_get_pose (stage->simulation, "robot")->position.x;
}

static void
put_speed (Stage *stage)
{
  stage_put (stage, "robot.it", 0, 1, "{'v': 1.0, 'w': 0.0}");
}

static void
test_stops (void)
{
  g_autoptr (Stage) stage = make_motion ("'timeout': 0.5", "");

  g_test_summary ("Half a second after the last message it stands still; that is told once");
  put_speed (stage);
  stage_step (stage, 20);
  put_speed (stage);
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "v"), ==, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, TOLD), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "v"), ==, 0);
  assert_near (get_x (stage), 50 / 60.0, 1e-9);
  stage_step (stage, 100);
  assert_near (get_x (stage), 50 / 60.0, 1e-9);
  put_speed (stage);
  stage_step (stage, 100);
  assert_near (get_x (stage), 80 / 60.0, 1e-9);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, TOLD), ==, 1);
}

static void
test_never (void)
{
  g_autoptr (Stage) stage = make_motion ("", "");

  g_test_summary ("Without a timeout it goes on for ever, as in MORSE");
  stage_log_clear ();
  put_speed (stage);
  stage_step (stage, 1200);
  assert_near (get_x (stage), 20, 1e-9);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*"), ==, 0);
}

static void
test_calls (void)
{
  g_autoptr (Stage) stage = make_motion ("'timeout': 0.5", "");

  g_test_summary ("Calls count as messages do, but for those that only look");
  stage_call (stage, "robot.it", "set_speed", "[<1.0>, <0.0>]");
  for (guint i = 0; i < 10; i++) {
    stage_step (stage, 25);
    stage_call (stage, "robot.it", "set_property", "[<'timeout'>, <0.5>]");
  }
  g_assert_cmpfloat (stage_get (stage, "robot.it", "v"), ==, 1);
  for (guint i = 0; i < 4; i++) {
    stage_step (stage, 10);
    g_variant_unref (stage_call (stage, "robot.it", "get_properties", NULL));
    g_variant_unref (stage_call (stage, "robot.it", "get_configurations", NULL));
  }
  g_assert_cmpfloat (stage_get (stage, "robot.it", "v"), ==, 0);
}

static void
test_long_call (void)
{
  g_autoptr (Stage) stage = make_stage ("orrery.actuators.waypoint.Waypoint",
                                        "'timeout': 0.5, 'ObstacleAvoidance': false", "");
  g_autoptr (OrreryCall) call =
      stage_start (stage, "robot.it", "goto", "[<3.0>, <0.0>, <0.0>, <0.1>, <1.0>]");

  g_test_summary ("A call that is not answered yet keeps it going");
  stage_log_clear ();
  stage_step (stage, 240);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, TOLD), <=, 1);
  assert_near (get_x (stage), 3, 0.15);
}

/* Where zero is no rest. */
static const struct {
  const char *classpath;
  const char *properties;
  const char *message;
} goals[] = {
  { "orrery.actuators.waypoint.Waypoint", "'ObstacleAvoidance': false, ",
    "{'x': 50, 'y': 0, 'z': 0, 'tolerance': 0.1, 'speed': 1}" },
  { "orrery.actuators.destination.Destination", "'Speed': 1.0, ", "{'x': 50, 'y': 0, 'z': 0}" },
};

static void
test_goals (void)
{
  g_test_summary ("What goes to a goal stays where it is");
  for (guint i = 0; i < G_N_ELEMENTS (goals); i++) {
    g_autofree char *properties = g_strconcat (goals[i].properties, "'timeout': 0.5", NULL);
    g_autoptr (Stage) stage = make_stage (goals[i].classpath, properties, "");
    double x;

    stage_put (stage, "robot.it", 0, 1, goals[i].message);
    stage_step (stage, 32);
    x = get_x (stage);
    g_assert_cmpfloat (x, >, 0.4);
    g_assert_cmpfloat (x, <, 0.6);
    stage_step (stage, 200);
    assert_near (get_x (stage), x, 0.02);
  }
}

static void
test_teleport (void)
{
  g_autoptr (Stage) stage = make_stage ("orrery.actuators.teleport.Teleport", "'timeout': 0.5", "");

  g_test_summary ("What is put somewhere stays there");
  stage_put (stage, "robot.it", 0, 1, "{'x': 5, 'y': 0, 'z': 0, 'yaw': 0, 'pitch': 0, 'roll': 0}");
  stage_step (stage, 100);
  assert_near (get_x (stage), 5, 1e-12);
}

static void
test_saved (void)
{
  g_autoptr (Stage) stage = make_motion ("'timeout': 0.5", "");
  g_autoptr (Stage) other = make_motion ("'timeout': 0.5", "");
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("A state that is restored stops at the same tick; a reset forgets the command");
  put_speed (stage);
  stage_step (stage, 20);
  state = stage_save (stage);
  stage_restore (other, state);
  stage_step (stage, 60);
  stage_step (other, 60);
  assert_near (get_x (stage), 0.5, 1e-9);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (other->simulation));
  g_assert_true (orrery_simulation_reset (other->simulation, NULL));
  stage_log_clear ();
  stage_step (other, 60);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, TOLD), ==, 0);
}

static void
test_placed (void)
{
  static const char *const transports[] = { "queue", "latest" };

  g_test_summary ("In a worker it stops at the same tick");
  for (guint i = 0; i < G_N_ELEMENTS (transports); i++) {
    g_autofree char *rest =
        g_strdup_printf (", 'placement': 'worker', 'transport': '%s'", transports[i]);
    g_autoptr (Stage) stage = make_motion ("'timeout': 0.5", rest);

    put_speed (stage);
    stage_step (stage, 100);
    assert_near (get_x (stage), 0.5, 1e-9);
    g_assert_cmpfloat (stage_get (stage, "robot.it", "v"), ==, 0);
  }
}

static void
check_modified (const char *rest, gboolean saves)
{
  g_autofree char *robot =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                       "{'name': 'it', 'classpath': 'orrery.actuators.xy_omega.MotionXYW', "
                       "'properties': {'timeout': 0.5}%s}]}",
                       rest);
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN,
                   "'component_datastream': {'robot.it': " LOOP "}, 'component_modifier': "
                   "{'robot.it': [['probe.modifiers.Twice', {}]]},",
                   robot);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GError) error = NULL;

  stage_put (stage, "robot.it", 0, 1, "{'x': 1.0, 'y': 0.0, 'w': 0.0}");
  stage_step (stage, 20);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "x"), ==, 2);
  stage_step (stage, 80);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "x"), ==, 0);
  if (saves) {
    g_autoptr (GBytes) state = stage_save (stage);

    stage_restore (stage, state);
  }
  orrery_simulation_write (stage->simulation, orrery_test_find (stage->simulation, "robot.it"), "w",
                           g_variant_new_double (0.5), &error);
  g_assert_no_error (error);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "w"), ==, 0.5);
  g_assert_cmpfloat (stage_get (stage, "robot.it", "x"), ==, 0);
}

static void
test_modified (void)
{
  g_test_summary ("What is written after it has stopped does not bring back the last command");
  check_modified ("", FALSE);
  check_modified (", 'placement': 'worker'", FALSE);
  check_modified (", 'placement': 'worker'", TRUE);
}

static void
test_set_later (void)
{
  g_autoptr (Stage) stage = make_motion ("", "");

  g_test_summary ("It can be set while it runs");
  put_speed (stage);
  stage_step (stage, 60);
  stage_call (stage, "robot.it", "set_property", "[<'timeout'>, <0.5>]");
  stage_step (stage, 100);
  assert_near (get_x (stage), 1.5, 1e-9);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/timeout/stops", test_stops);
  g_test_add_func ("/timeout/never", test_never);
  g_test_add_func ("/timeout/calls", test_calls);
  g_test_add_func ("/timeout/long-call", test_long_call);
  g_test_add_func ("/timeout/goals", test_goals);
  g_test_add_func ("/timeout/teleport", test_teleport);
  g_test_add_func ("/timeout/saved", test_saved);
  g_test_add_func ("/timeout/placed", test_placed);
  g_test_add_func ("/timeout/modified", test_modified);
  g_test_add_func ("/timeout/set-later", test_set_later);
  return g_test_run ();
}
