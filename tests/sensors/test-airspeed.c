/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(name, place, mode)                                                                  \
  "{'name': '" name "', 'classpath': 'morse.sensors.airspeed.Airspeed', " place                    \
  "'properties': {'ComputationMode': '" mode "'}}"
#define MOTION ", {'name': 'motion', 'classpath': 'orrery.actuators.xy_omega.MotionXYW'}"
#define BODY(objects)                                                                              \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'objects': [" objects "]}")
#define BODILESS(objects)                                                                          \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'rotation': [0, 0, 0.7], 'objects': [" objects "]" \
                         "}")
#define TURNED "'rotation': [0, 0, 1.0471975511965976], "

static OrrerySimulation *
drive (const char *scene, double x, double y)
{
  OrrerySimulation *sim = orrery_test_load (scene);

  orrery_test_write (sim, "robot.motion", "x", x);
  orrery_test_write (sim, "robot.motion", "y", y);
  orrery_test_step (sim, 10);
  return sim;
}

static void
test_velocity (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (BODY (SENSOR ("ahead", "", "Automatic") ", " SENSOR ("aside", TURNED, "Velocity")
                       MOTION),
             20, 0);

  g_test_summary ("1/2 1.225 v2 of the velocity along the sensor's x");
  orrery_test_assert_fields (sim, "robot.ahead", "diff_pressure");
  assert_near (orrery_test_get (sim, "robot.ahead", "diff_pressure"), 0.6125 * 400, 1e-9);
  assert_near (orrery_test_get (sim, "robot.aside", "diff_pressure"), 0.6125 * 100, 1e-9);
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (BODILESS (SENSOR ("ahead", "", "Automatic") ", " SENSOR (
                 "slow", "'frequency': 15, ", "Position") ", " SENSOR ("aside", TURNED, "Position")
                           MOTION),
             -20, 5);
  double along = -20 * cos (G_PI / 3) + 5 * sin (G_PI / 3);

  g_test_summary ("by position too, in the sensor's axes, whichever way the robot looks");
  assert_near (orrery_test_get (sim, "robot.ahead", "diff_pressure"), 0.6125 * 400, 1e-6);
  assert_near (orrery_test_get (sim, "robot.slow", "diff_pressure"), 0.6125 * 400, 1e-6);
  assert_near (orrery_test_get (sim, "robot.aside", "diff_pressure"), 0.6125 * along * along, 1e-6);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.ahead", "diff_pressure"), 0, 1e-12);
}

static void
test_frequency (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (BODILESS (SENSOR ("sensor", "'frequency': 25, ", "Position") MOTION), 12, 0);
  double most = 0, least = G_MAXDOUBLE;

  g_test_summary ("by position the velocity is the displacement times the frequency");
  for (int k = 0; k < 60; k++) {
    double p = orrery_test_get (sim, "robot.sensor", "diff_pressure");

    most = MAX (most, p);
    least = MIN (least, p);
    orrery_test_step (sim, 1);
  }
  /* 12 m/s: 0.4 m in 2 ticks, 0.6 m in 3; times 25, 10 m/s and 15 m/s. */
  assert_near (least, 0.6125 * 100, 1e-6);
  assert_near (most, 0.6125 * 225, 1e-6);
}

static void
test_errors (void)
{
  g_test_summary ("modes that do not fit are refused");
  orrery_test_refuse (BODILESS (SENSOR ("s", "", "Velocity")), "robot has no physics");
  orrery_test_refuse (BODY (SENSOR ("s", "", "Wind")), "one of Automatic, Velocity, Position");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/airspeed/velocity", test_velocity);
  g_test_add_func ("/sensors/airspeed/position", test_position);
  g_test_add_func ("/sensors/airspeed/frequency", test_frequency);
  g_test_add_func ("/sensors/airspeed/errors", test_errors);
  return g_test_run ();
}
