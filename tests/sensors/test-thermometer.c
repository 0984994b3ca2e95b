/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(name, properties)                                                                   \
  "{'name': '" name "', 'classpath': 'morse.sensors.thermometer.Thermometer', "                    \
  "'position': [0, 0, 1], 'properties': {" properties "}}"
#define SCENE(sensors)                                                                             \
  ORRERY_TEST_KINEMATIC (                                                                          \
      "{" ORRERY_TEST_ROBOT "'objects': [" sensors                                                 \
      ", {'name': 'jump', 'classpath': 'orrery.actuators.teleport.Teleport'}]}"                    \
      ", {'name': 'fire', 'position': [10, 0, 1], 'properties': {'Fire': true}}"                   \
      ", {'name': 'stove', 'position': [0, 20, 1], 'properties': {'Fire': 60.5}}"                  \
      ", {'name': 'ice', 'position': [0, -5, 1], 'properties': {'Fire': -40, 'Sun': 1000}}"        \
      ", {'name': 'chair', 'position': [0, 0, 1], 'properties': {'Wood': 1}}")

static void
test_sources (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (SENSOR ("sensor", "")));
  double expected = 15 + 200 * exp (-2) + 60.5 * exp (-4) - 40 * exp (-1);

  g_test_summary ("the air, and each source by its distance: numbers as they are, others as 200");
  orrery_test_assert_fields (sim, "robot.sensor", "temperature");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "temperature"), expected, 1e-12);
  orrery_test_write (sim, "robot.jump", "x", 10);
  orrery_test_step (sim, 2);
  expected = 15 + 200 + 60.5 * exp (-0.2 * hypot (10, 20)) - 40 * exp (-0.2 * hypot (10, 5));
  assert_near (orrery_test_get (sim, "robot.sensor", "temperature"), expected, 1e-12);
}

static void
test_options (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (SENSOR ("near", "'Range': 10, 'DefaultTemperature': -3, 'Alpha': 0") ", " SENSOR (
          "hot",
          "'Fi"
          "reT"
          "emp"
          "era"
          "tur"
          "e':"
          " 10"
          "00,"
          " '"
          "Ran"
          "ge'"
          ": "
          "10."
          "5, "
          "'Al"
          "pha"
          "': "
          "0."
          "1") ", " SENSOR ("sun", "'FireTag': 'Sun'") ", " SENSOR ("none", "'FireTag': ''")));

  g_test_summary ("range, air, fires, fading and tag are as they are told; also at run time");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.near", "temperature"), -3 - 40, 1e-12);
  assert_near (orrery_test_get (sim, "robot.hot", "temperature"),
               15 + 1000 * exp (-1) - 40 * exp (-0.5), 1e-12);
  assert_near (orrery_test_get (sim, "robot.sun", "temperature"), 15 + 1000 * exp (-1), 1e-12);
  assert_near (orrery_test_get (sim, "robot.none", "temperature"), 15, 1e-12);
  orrery_test_assert_answer (sim, "robot.none", "set_property", "('FireTag', 'Sun')", "");
  orrery_test_assert_answer (sim, "robot.none", "set_property", "('Range', 4.9)", "");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.none", "temperature"), 15, 1e-12);
  orrery_test_assert_answer (sim, "robot.none", "set_property", "('Range', 5.1)", "");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.none", "temperature"), 15 + 1000 * exp (-1), 1e-12);
}

static void
test_text (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (SENSOR ("sensor", "'DefaultTemperature': ' -2.5e1 ', 'FireTag': ''")));

  g_test_summary ("the air's temperature may be a text that is a number, as in MORSE");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "temperature"), -25, 1e-12);
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('DefaultTemperature', '15.5')",
                             "");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('DefaultTemperature', 'warm')",
                             "fault 4");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "temperature"), 15.5, 1e-12);
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': 'warm'")),
                      "'warm' is not a number");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': ''")), "'' is not a number");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': '1 2'")), "'1 2' is not");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': 'nan'")), "'nan' is not");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': '1e999'")), "'1e999' is not");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'FireTemperature': '200'")), "FireTemperature");
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (SENSOR ("sensor", "")));

  g_test_summary ("options are checked");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'Range': -1")), "at least 0");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'Alpha': -0.1")), "Alpha");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'DefaultTemperature': NaN")), "NaN");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'FireTemperature': [1]")), "FireTemperature");
  orrery_test_refuse (SCENE (SENSOR ("sensor", "'FireTag': 5")), "FireTag");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('Alpha', -1.0)", "fault 4");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('Alfa', 1.0)", "fault 4");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/thermometer/sources", test_sources);
  g_test_add_func ("/sensors/thermometer/options", test_options);
  g_test_add_func ("/sensors/thermometer/text", test_text);
  g_test_add_func ("/sensors/thermometer/errors", test_errors);
  return g_test_run ();
}
