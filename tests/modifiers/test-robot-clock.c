/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define CLOCK "'objects': [{'name': 'clock', 'classpath': 'morse.sensors.clock.Clock'}]"
#define ROBOT(name) "{'name': '" name "', 'classpath': 'orrery.core.robot.Robot', " CLOCK "}"
#define OFFSET(s) "['orrery.modifiers.clock.ClockOffsetModifier', 'OUT', {'offset': " s "}]"
#define DRIFT(s) "['orrery.modifiers.clock.ClockDriftModifier', 'OUT', {'drift': " s "}]"
#define SCENE(a, b)                                                                                \
  ORRERY_TEST_KINEMATIC (ROBOT ("a") ", " ROBOT ("b") ", " ROBOT ("plain"))                        \
  ", 'component_modifier': {'a': [" a "], 'b': [" b "]}"

static OrreryTime
time_of (OrrerySimulation *sim, const char *clock)
{
  return orrery_record_get_timestamp (orrery_component_get_record (orrery_test_find (sim, clock)));
}

static void
test_two_robots (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("one robot is 5 s ahead, one gains 100 ppm, one is right, time.now is");
  sim = orrery_test_load (SCENE (OFFSET ("5"), DRIFT ("1e-4")));
  for (int k = 1; k <= 100; k++) {
    OrreryTime now;

    orrery_test_step (sim, 60);
    now = orrery_simulation_get_time (sim);
    g_assert_cmpint (now, ==, k * ORRERY_SECOND);
    g_assert_cmpint (time_of (sim, "a.clock"), ==, now + 5 * ORRERY_SECOND);
    g_assert_cmpint (time_of (sim, "b.clock"), ==, now + k * 100000);
    g_assert_cmpint (time_of (sim, "plain.clock"), ==, now);
  }
  orrery_test_assert_answer (sim, "time", "now", NULL, "100.0");
}

static void
test_rounding (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the gain is rounded down to whole nanoseconds, and never summed up");
  sim = orrery_test_load (SCENE (DRIFT ("1e-9"), DRIFT ("-1e-9")));
  /* 0.5 s: half a nanosecond */
  orrery_test_step (sim, 30);
  g_assert_cmpint (time_of (sim, "a.clock"), ==, ORRERY_SECOND / 2);
  g_assert_cmpint (time_of (sim, "b.clock"), ==, ORRERY_SECOND / 2 - 1);
  orrery_test_step (sim, 570);
  g_assert_cmpint (time_of (sim, "a.clock"), ==, 10 * ORRERY_SECOND + 10);
  g_assert_cmpint (time_of (sim, "b.clock"), ==, 10 * ORRERY_SECOND - 10);
}

static void
test_chain (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("several add up; a reset begins anew; a stopped clock stands");
  sim = orrery_test_load (
      SCENE (OFFSET ("-2.5") ", " DRIFT ("0.01") ", " OFFSET ("1"), DRIFT ("-1")));
  for (int run = 0; run < 2; run++) {
    orrery_test_step (sim, 120);
    g_assert_cmpint (time_of (sim, "a.clock"), ==, ORRERY_SECOND / 100 * 52);
    g_assert_cmpint (time_of (sim, "b.clock"), ==, 0);
    orrery_simulation_reset (sim, &error);
    g_assert_no_error (error);
  }
}

static void
test_errors (void)
{
  g_test_summary ("ranges are checked, and what has no clock is refused");
  orrery_test_refuse (SCENE (OFFSET ("1e12"), ""), "out of range");
  orrery_test_refuse (SCENE (DRIFT ("2"), ""), "out of range");
  orrery_test_refuse (SCENE (OFFSET ("'much'"), ""), "offset");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT ("a")) ", 'component_modifier': {'a.clock': [" OFFSET ("5") "]}",
                      "'time'");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/modifiers/robot-clock/two-robots", test_two_robots);
  g_test_add_func ("/modifiers/robot-clock/rounding", test_rounding);
  g_test_add_func ("/modifiers/robot-clock/chain", test_chain);
  g_test_add_func ("/modifiers/robot-clock/errors", test_errors);
  return g_test_run ();
}
