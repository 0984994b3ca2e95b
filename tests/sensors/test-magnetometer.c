/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE_AT(origin, sensors)                                                                  \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'properties': {" origin "}}, 'objects': [{" ORRERY_TEST_ROBOT "'objects': [" sensors "]}]"
#define SENSOR(name, place, properties)                                                            \
  "{'name': '" name "', 'classpath': 'morse.sensors.magnetometer.Magnetometer', " place            \
  "'properties': {" properties "}}"
/* Places of NOAA's table of test values. */
#define ARCTIC "'longitude': 0, 'latitude': 80, 'altitude': 0"
#define HIGH "'longitude': 138, 'latitude': -18, 'altitude': 77000"

static void
assert_field (OrrerySimulation *sim, const char *name, double x, double y, double z, double epsilon)
{
  assert_near (orrery_test_get (sim, name, "x"), x, epsilon);
  assert_near (orrery_test_get (sim, name, "y"), y, epsilon);
  assert_near (orrery_test_get (sim, name, "z"), z, epsilon);
}

static void
test_models (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE_AT (ARCTIC,
                SENSOR ("morse", "", "'date': 2017.5") ", " SENSOR (
                    "second", "", "'date': 2015, 'Model': 'Date'") ", " SENSOR ("day", "", "")));
  g_autoptr (OrrerySimulation) high =
      orrery_test_load (SCENE_AT (HIGH, SENSOR ("sensor", "", "'date': 2029.5, 'Model': 'Date'")));

  g_test_summary ("published values: of MORSE's model, and of the newest of the date");
  orrery_test_assert_fields (sim, "robot.morse", "x y z");
  orrery_test_step (sim, 1);
  orrery_test_step (high, 1);
  assert_field (sim, "robot.morse", 6599.4, -317.1, 54459.2, 0.051);
  assert_field (sim, "robot.second", 6636.5802, -451.8843, 54408.8785, 0.01);
  assert_field (high, "robot.sensor", 31751.49758, 2472.257962, -34817.395113, 1e-3);
}

static void
test_day (void)
{
  g_autoptr (OrrerySimulation) then =
      orrery_test_load_at (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "")), 1783123200);
  double date;
  g_autoptr (OrrerySimulation) said =
      orrery_test_load (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "'date': 2026.504109589041")));

  g_test_summary ("without a date it is the day on which the run starts: 2026-07-04");
  orrery_test_step (then, 1);
  orrery_test_step (said, 1);
  assert_field (then, "robot.sensor", orrery_test_get (said, "robot.sensor", "x"),
                orrery_test_get (said, "robot.sensor", "y"),
                orrery_test_get (said, "robot.sensor", "z"), 1e-6);
  /* The property is what was asked for: a reset on another day does not keep this one. */
  g_object_get (orrery_test_find (then, "robot.sensor"), "date", &date, NULL);
  assert_near (date, 2025, 1e-12);
}

static void
test_axes (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE_AT (ARCTIC,
                SENSOR ("plain", "", "'date': 2026") ", " SENSOR (
                    "turned", "'rotation': [1.5707963267948966, 0, 0], ",
                    "'date': 2026") ", " SENSOR ("right", "", "'date': 2026, 'WorldAxes': true")));
  double x, y, z;

  g_test_summary ("in the sensor's axes; North, East, Down as they are, or in the world's axes");
  orrery_test_step (sim, 1);
  x = orrery_test_get (sim, "robot.plain", "x");
  y = orrery_test_get (sim, "robot.plain", "y");
  z = orrery_test_get (sim, "robot.plain", "z");
  assert_field (sim, "robot.turned", x, z, -y, 1e-9);
  assert_field (sim, "robot.right", y, x, -z, 1e-9);
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "")));

  g_test_summary ("no place on the Earth, no model, no date: said at once");
  orrery_test_refuse (SCENE_AT ("", SENSOR ("sensor", "", "")),
                      "the environment has no property 'longitude'");
  orrery_test_refuse (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "'Model': 'WMM2010'")),
                      "one of Date, WMM2015, WMM2015v2, WMM2020, WMM2025");
  orrery_test_refuse (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "'date': 2030.1")), "2015 to 2030");
  orrery_test_refuse (SCENE_AT (ARCTIC, SENSOR ("sensor", "", "'date': Infinity")), "2015 to 2030");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('Model', 'x')", "fault 4");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('date', 0.0)", "fault 4");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/magnetometer/models", test_models);
  g_test_add_func ("/sensors/magnetometer/day", test_day);
  g_test_add_func ("/sensors/magnetometer/axes", test_axes);
  g_test_add_func ("/sensors/magnetometer/errors", test_errors);
  return g_test_run ();
}
