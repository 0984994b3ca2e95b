/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE_OF(environment, level, options)                                                      \
  "'environment': {'seed': 42, 'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', " \
  "'properties': {" environment "}}, 'objects': [{" ORRERY_TEST_ROBOT                              \
  "'objects': [{'name': 'sensor', 'classpath': 'morse.sensors.odometry.Odometry'" level "}, "      \
  "{'name': 'motion', 'classpath': 'orrery.actuators.xy_omega.MotionXYW'}]}], "                    \
  "'component_modifier': {'robot.sensor': "                                                        \
  "[['morse.modifiers.odometry_noise.OdometryNoiseModifier', 'OUT', {" options "}]]}"
#define SCENE(level, options) SCENE_OF ("", ", 'level': '" level "'", options)

static const double V = 1.2;
static const double DT = 1 / 60.0;

/* Forwards at V for @n steps after the first. */
static OrrerySimulation *
drive (const char *scene, guint n)
{
  OrrerySimulation *sim = orrery_test_load (scene);

  orrery_test_write (sim, "robot.motion", "x", V);
  orrery_test_step (sim, n + 1);
  return sim;
}

static void
test_raw (void)
{
  g_autoptr (OrrerySimulation) sim = drive (SCENE ("raw", ""), 10);
  g_autoptr (OrrerySimulation) half = drive (SCENE ("raw", "'factor': 0.5, 'gyro_drift': 1"), 10);

  g_test_summary ("raw: the length times the factor, 1.05 by default");
  assert_near (orrery_test_get (sim, "robot.sensor", "dS"), 1.05 * V * DT, 1e-12);
  assert_near (orrery_test_get (half, "robot.sensor", "dS"), 0.5 * V * DT, 1e-12);
}

static void
test_differential (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (SCENE ("differential", "'factor': 2, 'gyro_drift': 0.01"), 30);
  /* It drifts in the first step, too. */
  double psi = 31 * 0.01;

  g_test_summary ("differential: longer, and turned by what the drift has added up to");
  assert_near (orrery_test_get (sim, "robot.sensor", "dx"), 2 * V * DT * cos (psi), 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "dy"), -2 * V * DT * sin (psi), 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "dyaw"), 0.01, 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "dz"), 0, 1e-12);
}

static void
assert_integrated (OrrerySimulation *sim, guint n, double factor, double drift)
{
  double x = 0, y = 0;

  for (guint k = 1; k <= n; k++) {
    x += factor * V * DT * cos ((k + 1) * drift);
    y -= factor * V * DT * sin ((k + 1) * drift);
  }
  assert_near (orrery_test_get (sim, "robot.sensor", "x"), x, 1e-11);
  assert_near (orrery_test_get (sim, "robot.sensor", "y"), y, 1e-11);
  assert_near (orrery_test_get (sim, "robot.sensor", "yaw"), (n + 1) * drift, 1e-11);
  assert_near (orrery_test_get (sim, "robot.sensor", "vx"), factor * V * cos ((n + 1) * drift),
               1e-10);
  assert_near (orrery_test_get (sim, "robot.sensor", "vy"), -factor * V * sin ((n + 1) * drift),
               1e-10);
  assert_near (orrery_test_get (sim, "robot.sensor", "wz"), drift / DT, 1e-9);
}

static void
test_integrated (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (SCENE ("integrated", "'factor': 1.1, 'gyro_drift': -0.02"), 50);

  g_test_summary ("integrated: what such steps add up to; velocities are those of the errors");
  assert_integrated (sim, 50, 1.1, -0.02);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  orrery_test_write (sim, "robot.motion", "x", V);
  orrery_test_step (sim, 21);
  assert_integrated (sim, 20, 1.1, -0.02);
}

static void
test_reset_noise (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (SCENE ("integrated", "'factor': 1.5, 'gyro_drift': 0.01"), 30);

  g_test_summary ("reset_noise, a service of the component, takes the errors back");
  orrery_test_assert_answer (sim, "robot.sensor", "reset_noise", NULL, "");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.sensor", "yaw"), 0.01, 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "x"),
               31 * V * DT + V * DT * (1.5 * cos (0.01) - 1), 1e-11);
  orrery_test_assert_answer (sim, "robot.sensor", "reset_noise", "(1,)", "fault 2");
}

static void
test_random (void)
{
  const char *scene =
      SCENE ("differential", "'factor': 1, 'factor_sigma': 0.2, 'gyro_drift_sigma': 0.05");
  g_autoptr (OrrerySimulation) sim = drive (scene, 0);
  g_autoptr (OrrerySimulation) twin = drive (scene, 5000);
  double turn = 0, turns = 0, lengths = 0;
  const int n = 5000;

  g_test_summary ("factor and drift are drawn anew in each step, and the same in each run");
  for (int k = 0; k < n; k++) {
    double dx, dy, dyaw;

    orrery_test_step (sim, 1);
    dx = orrery_test_get (sim, "robot.sensor", "dx") / (V * DT);
    dy = orrery_test_get (sim, "robot.sensor", "dy") / (V * DT);
    dyaw = orrery_test_get (sim, "robot.sensor", "dyaw");
    turns += dyaw * dyaw;
    lengths += (hypot (dx, dy) - 1) * (hypot (dx, dy) - 1);
    turn += dyaw;
  }
  assert_near (sqrt (turns / n), 0.05, 6 * 0.05 / sqrt (2 * n));
  assert_near (sqrt (lengths / n), 0.2, 6 * 0.2 / sqrt (2 * n));
  g_assert_cmpfloat (orrery_test_get (sim, "robot.sensor", "dx"), ==,
                     orrery_test_get (twin, "robot.sensor", "dx"));
  g_assert_cmpfloat (fabs (turn), <, 6 * 0.05 * sqrt (n));
}

static void
test_environment (void)
{
  g_autoptr (OrrerySimulation) sim =
      drive (SCENE_OF ("'factor': 3, 'gyro_drift': 0.5", ", 'level': 'differential'",
                       "'gyro_drift': 0"),
             10);

  g_test_summary ("the environment says what the config does not");
  assert_near (orrery_test_get (sim, "robot.sensor", "dx"), 3 * V * DT, 1e-12);
  orrery_test_refuse (SCENE_OF ("'factor': 'x'", "", ""), "'factor' is 'x'");
  orrery_test_refuse (SCENE_OF ("'factor_sigma': -1", "", ""), "'factor_sigma' is -1");
}

static void
test_errors (void)
{
  g_test_summary ("options and fields are checked");
  orrery_test_refuse (SCENE ("raw", "'factor_sigma': -0.1"), "factor_sigma");
  orrery_test_refuse (SCENE ("raw", "'factor': NaN"), "NaN");
  orrery_test_refuse (SCENE ("raw", "'gyro_drift': '1'"), "gyro_drift");
  orrery_test_refuse (SCENE ("raw", "'drift': 1"), "gyro_drift");
  orrery_test_refuse (
      "'environment': {'physics': 'orrery.physics.kinematic.Kinematic'}, 'objects': "
      "[{" ORRERY_TEST_ROBOT "'objects': [{'name': 'sensor', 'classpath': "
      "'morse.sensors.gyroscope.Gyroscope'}]}], 'component_modifier': {'robot.sensor': "
      "[['morse.modifiers.odometry_noise.OdometryNoiseModifier', {}]]}",
      "needs the field 'dS'");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/modifiers/odometry-noise/raw", test_raw);
  g_test_add_func ("/modifiers/odometry-noise/differential", test_differential);
  g_test_add_func ("/modifiers/odometry-noise/integrated", test_integrated);
  g_test_add_func ("/modifiers/odometry-noise/reset-noise", test_reset_noise);
  g_test_add_func ("/modifiers/odometry-noise/random", test_random);
  g_test_add_func ("/modifiers/odometry-noise/environment", test_environment);
  g_test_add_func ("/modifiers/odometry-noise/errors", test_errors);
  return g_test_run ();
}
