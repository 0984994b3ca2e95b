/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

static void
test_clock (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryRecord *record;

  g_test_summary ("a clock shows the time of the tick that it ran in, and nothing else");
  sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': [{'name': 'clock', 'classpath': "
                             "'morse.sensors.clock.Clock', 'frequency': 10}]}"));
  record = orrery_component_get_record (orrery_test_find (sim, "robot.clock"));
  orrery_test_assert_fields (sim, "robot.clock", "");
  for (int k = 0; k < 60; k++) {
    orrery_test_step (sim, 1);
    g_assert_cmpint (orrery_record_get_timestamp (record), ==,
                     (OrreryTime) (k / 6 * 6 + 1) * ORRERY_SECOND / 60);
  }
}

static void
test_get_local_data (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("get_local_data of a clock is its timestamp alone");
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT
      "'objects': [{'name': 'clock', 'classpath': 'morse.sensors.clock.Clock'}]}"));
  orrery_test_step (sim, 60);
  orrery_test_assert_answer (sim, "robot.clock", "get_local_data", NULL, "{'timestamp': <1.0>}");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/clock/clock", test_clock);
  g_test_add_func ("/sensors/clock/get-local-data", test_get_local_data);
  return g_test_run ();
}
