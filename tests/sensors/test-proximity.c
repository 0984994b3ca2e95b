/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Who is near, what is below, who sees whom. */

#define SENSOR(name, kind, more)                                                                   \
  "{'name': '" name "', 'classpath': 'orrery.sensors." kind "'" more "}"
#define OTHER(name, x, y)                                                                          \
  ", {'name': '" name "', 'classpath': 'orrery.core.robot.Robot', 'position': [" #x ", " #y        \
  ", 0], 'body': {'type': 'rigid'}, 'shapes': [{'kind': 'sphere', 'radius': 0.3}]}"
#define FOREIGN                                                                                    \
  ", {'name': 'foreign', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 2, 5], "          \
  "'properties': {'External_Robot_Tag': true}}"
#define CRATE(name, x, y, z)                                                                       \
  ", {'name': '" name "', 'position': [" #x ", " #y ", " #z "], 'body': {'type': 'static'}, "      \
  "'properties': {'Crate': false}, 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}"
#define SCENE(sensors)                                                                             \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                                    \
                         "'position': [0, 0, 5], 'rotation': [0.5, -0.4, 2], 'shapes': [{'kind': " \
                         "'sphere', 'radius': 0.5}], 'objects': [" sensors                         \
                         "]}" OTHER ("near", 3, 4) OTHER ("far", 30, 40) CRATE ("low", 0, 0, 1)    \
                             CRATE ("high", 0, 0, 9) FOREIGN)

static char *
show (OrrerySimulation *sim, const char *field)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, "robot.proximity"));
  GVariant *const *map = orrery_record_find (record, field, ORRERY_FIELD_VARIANT);

  return map != NULL && *map != NULL ? g_variant_print (*map, FALSE) : g_strdup ("nothing");
}

static void
assert_near_is (OrrerySimulation *sim, const char *expected)
{
  g_autofree char *objects = NULL;
  g_autofree char *robots = NULL;

  orrery_test_step (sim, 10);
  objects = show (sim, "near_objects");
  robots = show (sim, "near_robots");
  g_assert_cmpstr (objects, ==, expected);
  g_assert_cmpstr (robots, ==, expected);
}

static void
test_proximity (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("tracked objects in range, by name, with the distance from the robot");
  sim = orrery_test_load (
      SCENE (SENSOR ("proximity", "proximity.Proximity", ", 'position': [9, 9, 9]")));
  orrery_test_assert_fields (sim, "robot.proximity", "near_objects near_robots");
  assert_near (orrery_component_get_frequency (orrery_test_find (sim, "robot.proximity")), 12,
               1e-9);
  assert_near_is (sim, "{'near': 7.0710678118654755, 'far': 50.24937810560445}");
  orrery_test_assert_answer (sim, "robot.proximity", "set_range", "(30.0,)", "");
  assert_near_is (sim, "{'near': 7.0710678118654755}");
  orrery_test_assert_answer (sim, "robot.proximity", "set_tracked_tag", "('Crate',)", "");
  assert_near_is (sim, "{'low': 4.0, 'high': 4.0}");
  /* A robot of another node has that tag, and not Robot_Tag. */
  orrery_test_assert_answer (sim, "robot.proximity", "set_tracked_tag", "('External_Robot_Tag',)",
                             "");
  assert_near_is (sim, "{'foreign': 2.0}");
  orrery_test_assert_answer (sim, "robot.proximity", "set_tracked_tag", "('Crate',)", "");
  orrery_test_assert_answer (sim, "robot.proximity", "set_range", "(-1.0,)", "fault 4");
  orrery_test_assert_answer (sim, "robot.proximity", "set_range", "(4.0,)", "");
  assert_near_is (sim, "{'low': 4.0, 'high': 4.0}");
  orrery_test_assert_answer (sim, "robot.proximity", "set_range", "(3.9,)", "");
  assert_near_is (sim, "{}");
  g_free (orrery_test_ask (sim, "simulation", "reset", NULL));
  assert_near_is (sim, "{'near': 7.0710678118654755, 'far': 50.24937810560445}");
}

static void
test_altimeter (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("straight down, through the own robot, infinite beyond MaxRange");
  sim = orrery_test_load (SCENE (SENSOR ("a", "radar_altimeter.RadarAltimeter", "") ", " SENSOR (
      "b", "radar_altimeter.RadarAltimeter",
      ", 'properties': {'MaxRange': 3.4}") ", " SENSOR ("c", "radar_altimeter.RadarAltimeter",
                                                        ", 'position': [0, 0, 0.7]")));
  orrery_test_assert_fields (sim, "robot.a", "z");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.a", "z"), 3.5, 1e-6);
  g_assert_true (isinf (orrery_test_get (sim, "robot.b", "z")));
  /* 0.7 m away along the robot's z, above the ball about its origin. */
  assert_near (orrery_test_get (sim, "robot.c", "z"), 3.5 + 0.7 * cos (0.5) * cos (0.4), 1e-6);
}

static void
test_view (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("communication: the distance between two robots, and whether one sees the other");
  sim = orrery_test_load (SCENE (""));
  orrery_test_assert_answer (sim, "communication", "distance_and_view", "('robot', 'near')",
                             "(7.0710678118654755, true)");
  orrery_test_assert_answer (sim, "communication", "distance_and_view", "('near', 'far')",
                             "(45.0, true)");
  /* The other way the near one stands before it. */
  orrery_test_assert_answer (sim, "communication", "distance_and_view", "('far', 'near')",
                             "(45.0, true)");
  g_free (orrery_test_ask (sim, "simulation", "set_object_position",
                           "('low', [6.0, 8.0, 0.0], [0.0, 0.0, 0.0])"));
  orrery_test_step (sim, 1);
  orrery_test_assert_answer (sim, "communication", "distance_and_view", "('far', 'near')",
                             "(45.0, false)");
  {
    g_autoptr (OrreryCall) call =
        orrery_test_call (sim, "communication", "distance_and_view", "('far', 'away')");
    g_autoptr (GError) error = NULL;

    g_assert_null (orrery_call_get_result (call, &error));
    g_assert_nonnull (strstr (error->message, "away does not exist in the simulation "));
  }
}

static void
test_view_of_a_wheel (void)
{
  g_test_summary ("communication: what has a body of its own is in the way, what has none is not");
  for (guint i = 0; i < 2; i++) {
    g_autofree char *scene = g_strdup_printf (
        ORRERY_TEST_KINEMATIC (
            "{'name': 'a', 'classpath': 'orrery.core.robot.Robot'}, "
            "{'name': 'b', 'classpath': 'orrery.core.robot.Robot', 'position': [5, 0, 0], 'body': "
            "{'type': 'rigid'}, 'shapes': [{'kind': 'sphere', 'radius': 0.3}], 'objects': "
            "[{'name': 'part', 'position': [-1, 0, 0], %s'shapes': [{'kind': 'sphere', 'radius': "
            "0.2}]}]}"),
        i == 0 ? "" : "'body': {'type': 'rigid'}, ");
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

    orrery_test_step (sim, 1);
    orrery_test_assert_answer (sim, "communication", "distance_and_view", "('a', 'b')",
                               i == 0 ? "(5.0, true)" : "(5.0, false)");
  }
}

static void
test_view_of_every_robot (void)
{
  const char *names[] = { "atrv.ATRV",
                          "b21.B21",
                          "jido.Jido",
                          "morsy.Morsy",
                          "pioneer3dx.Pioneer3DX",
                          "hummer.Hummer",
                          "rmax.RMax",
                          "submarine.Submarine",
                          "quadrotor_dynamic.Quadrotor",
                          "victim.Victim" };
  gsize i;

  g_test_summary ("communication: robots see each other on free ground, whatever their origins; "
                  "who has no body is not seen");
  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *scene = g_strdup_printf (
        ORRERY_TEST_KINEMATIC (
            "{'name': 'a', 'classpath': 'orrery.robots.%s'}, "
            "{'name': 'b', 'position': [9, 3, 0], 'classpath': 'orrery.robots.%s'}, "
            "{'name': 'none', 'position': [0, 20, 0], 'classpath': "
            "'orrery.robots.fakerobot.FakeRobot'}"),
        names[i], names[i]);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

    orrery_test_step (sim, 1);
    g_test_message ("%s", names[i]);
    orrery_test_assert_answer (sim, "communication", "distance_and_view", "('a', 'b')",
                               "(9.4868329805051381, true)");
    {
      g_autofree char *answer =
          orrery_test_ask (sim, "communication", "distance_and_view", "('a', 'none')");

      g_assert_true (g_str_has_suffix (answer, ", false)"));
    }
  }
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/proximity/near", test_proximity);
  g_test_add_func ("/proximity/altimeter", test_altimeter);
  g_test_add_func ("/proximity/view", test_view);
  g_test_add_func ("/proximity/view/wheel", test_view_of_a_wheel);
  g_test_add_func ("/proximity/view/every-robot", test_view_of_every_robot);
  return g_test_run ();
}
