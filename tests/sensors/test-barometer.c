/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE(gravity, properties)                                                                 \
  "'environment': {'frequency': 60, " gravity                                                      \
  "'physics': 'orrery.physics.kinematic.Kinematic'}, 'objects': [{" ORRERY_TEST_ROBOT              \
  "'position': [0, 0, 200], 'objects': [{'name': 'sensor', 'position': [0, 0, 1], "                \
  "'classpath': 'morse.sensors.barometer.Barometer', 'properties': {" properties "}}, "            \
  "{'name': 'jump', 'classpath': 'orrery.actuators.teleport.Teleport'}]}]"

/* Above where it started. */
static double
measure (OrrerySimulation *sim, double height)
{
  orrery_test_write (sim, "robot.jump", "z", 200 + height);
  orrery_test_step (sim, 2);
  return orrery_test_get (sim, "robot.sensor", "pressure");
}

static void
test_standard (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("'gravity': [0, 0, -9.80665], ", ""));

  g_test_summary ("the table of the standard atmosphere, with the reference where it starts");
  orrery_test_assert_fields (sim, "robot.sensor", "pressure");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "pressure"), 101325, 1e-9);
  /* ISO 2533, geopotential heights. */
  assert_near (measure (sim, 1000), 89874.6, 0.5);
  assert_near (measure (sim, 5000), 54019.9, 0.7);
  assert_near (measure (sim, 10000), 26436.3, 0.7);
  assert_near (measure (sim, -1000), 113929.0, 0.5);
  assert_near (measure (sim, 44400), 0, 1e-12);
  assert_near (measure (sim, 1e6), 0, 1e-12);
}

static void
test_formula (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("", "'ReferencePressure': 90000"));
  g_autoptr (OrrerySimulation) moon =
      orrery_test_load (SCENE ("'gravity': [0, 0, -1.62], ", "'ReferencePressure': 90000"));

  g_test_summary ("the formula, by the gravity of the scene; the start is kept over a reset");
  assert_near (measure (sim, 300),
               90000 * pow (1 - 0.0065 * 300 / 288.15, 9.81 * 0.0289644 / (8.31447 * 0.0065)),
               1e-6);
  assert_near (measure (moon, 300),
               90000 * pow (1 - 0.0065 * 300 / 288.15, 1.62 * 0.0289644 / (8.31447 * 0.0065)),
               1e-6);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "pressure"), 90000, 1e-9);
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('ReferencePressure', 100000.0)",
                             "");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "pressure"), 100000, 1e-9);
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("", ""));

  g_test_summary ("a pressure is a number from 0 on");
  orrery_test_refuse (SCENE ("", "'ReferencePressure': -1"), "0 to 1000000000");
  orrery_test_refuse (SCENE ("", "'ReferencePressure': NaN"), "NaN");
  orrery_test_refuse (SCENE ("", "'ReferencePressure': 'high'"), "ReferencePressure");
  orrery_test_refuse (SCENE ("", "'Pressure': 1"), "did you mean ReferencePressure");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('ReferencePressure', -5.0)",
                             "fault 4");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/barometer/standard", test_standard);
  g_test_add_func ("/sensors/barometer/formula", test_formula);
  g_test_add_func ("/sensors/barometer/errors", test_errors);
  return g_test_run ();
}
