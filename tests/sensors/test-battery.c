/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define DOCK(shape)                                                                                \
  ", {'name': 'dock', 'position': [2, 0, 0], 'properties': {'Zone_Tag': true, 'Type': "            \
  "'Charging'}, 'shapes': [" shape "]}"
#define BOX "{'kind': 'box', 'size': [1, 1, 1], 'solid': false}"
#define ROBOT(properties)                                                                          \
  "{" ORRERY_TEST_ROBOT                                                                            \
  "'objects': [{'name': 'battery', 'classpath': 'morse.sensors.battery.Battery', "                 \
  "'position': [0.25, 0, 0], 'properties': {" properties "}}, "                                    \
  "{'name': 'jump', 'classpath': 'orrery.actuators.teleport.Teleport'}]}"
#define SCENE(properties) ORRERY_TEST_KINEMATIC (ROBOT (properties) DOCK (BOX))

static void
assert_battery (OrrerySimulation *sim, double charge, const char *status)
{
  g_autoptr (GVariant) text = orrery_record_get_value (orrery_component_get_record (
                                                           orrery_test_find (sim, "robot.battery")),
                                                       "status");

  assert_near (orrery_test_get (sim, "robot.battery", "charge"), charge, 1e-7);
  g_assert_cmpstr (g_variant_get_string (text, NULL), ==, status);
}

static void
test_default (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (""));

  g_test_summary ("charged at first, then 0.05 % less in each second");
  orrery_test_assert_fields (sim, "robot.battery", "charge status");
  assert_battery (sim, 100, "Charged");
  orrery_test_step (sim, 1);
  assert_battery (sim, 100, "Discharging");
  orrery_test_step (sim, 600);
  assert_battery (sim, 99.5, "Discharging");
}

static void
test_zone (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("'DischargingRate': 10"));

  g_test_summary ("in a zone for charging it gains at the same rate, until it is charged");
  orrery_test_step (sim, 121);
  assert_battery (sim, 80, "Discharging");
  /* The sensor counts, not the robot: it is 0.25 m ahead. */
  orrery_test_write (sim, "robot.jump", "x", 1.3);
  orrery_test_step (sim, 1);
  assert_battery (sim, 80 - 10 / 60.0, "Discharging");
  orrery_test_step (sim, 60);
  assert_battery (sim, 90 - 10 / 60.0, "Charging");
  orrery_test_step (sim, 120);
  assert_battery (sim, 100, "Charged");
  orrery_test_write (sim, "robot.jump", "x", 2.3);
  orrery_test_step (sim, 1);
  assert_battery (sim, 100, "Charged");
  orrery_test_step (sim, 60);
  assert_battery (sim, 90, "Discharging");
  /* It is charged when it would gain more than there is room for. */
  g_clear_object (&sim);
  sim = orrery_test_load (SCENE ("'DischargingRate': 0"));
  orrery_test_write (sim, "robot.jump", "x", 2.0);
  orrery_test_step (sim, 3);
  assert_battery (sim, 100, "Charging");
}

static void
test_empty (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("'DischargingRate': 1000"));

  g_test_summary ("it does not go below 0, and is full again after a reset");
  orrery_test_step (sim, 61);
  assert_battery (sim, 0, "Discharging");
  g_assert_true (orrery_simulation_reset (sim, NULL));
  assert_battery (sim, 100, "Charged");
  orrery_test_step (sim, 4);
  assert_battery (sim, 50, "Discharging");
}

static void
test_shown (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the charge goes by the robot's clock; what modifiers show is not the charge");
  sim = orrery_test_load (
      SCENE ("'DischargingRate': 6") ", 'component_modifier': {'robot': "
                                     "[['orrery.modifiers.clock.ClockDriftModifier', "
                                     "{'drift': 1}]]}");
  orrery_test_step (sim, 61);
  assert_battery (sim, 88, "Discharging");
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("rates are numbers from 0 on; a zone without extent is an error at setup");
  orrery_test_refuse (SCENE ("'DischargingRate': -1"), "DischargingRate");
  orrery_test_refuse (SCENE ("'DischargingRate': NaN"), "NaN");
  orrery_test_refuse (SCENE ("'DischargingRate': 'fast'"), "DischargingRate");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT ("") DOCK ("")),
                      "the zone 'dock' has no extent");
  sim = orrery_test_load (SCENE (""));
  orrery_test_assert_answer (sim, "robot.battery", "set_property", "('DischargingRate', -0.1)",
                             "fault 4");
  orrery_test_assert_answer (sim, "robot.battery", "set_property", "('DischargingRate', 60.0)", "");
  orrery_test_step (sim, 31);
  assert_battery (sim, 70, "Discharging");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/battery/default", test_default);
  g_test_add_func ("/sensors/battery/zone", test_zone);
  g_test_add_func ("/sensors/battery/empty", test_empty);
  g_test_add_func ("/sensors/battery/shown", test_shown);
  g_test_add_func ("/sensors/battery/errors", test_errors);
  return g_test_run ();
}
