/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE_OF(environment, sensor, options)                                                     \
  "'environment': {'seed': 42, 'physics': 'orrery.physics.kinematic.Kinematic', "                  \
  "'properties': {'longitude': 0, 'latitude': 0, 'altitude': 0" environment "}}, "                 \
  "'objects': [{" ORRERY_TEST_ROBOT                                                                \
  "'objects': [{'name': 'sensor', 'classpath': 'morse.sensors." sensor "'}]}], "                   \
  "'component_modifier': {'robot.sensor': [['morse.modifiers.imu_noise.IMUNoiseModifier', "        \
  "'OUT', {" options "}]]}"
#define SCENE(options) SCENE_OF ("", "imu.IMU", options)

#define N 20000

static const double truth[] = { 0, 0, 0, 0, 0, 9.81 };

/* Mean and deviation over N ticks must be those of the truth and @sigma: to six standard errors. */
static void
assert_noise (const char *scene, const double sigma[6])
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  double sum[6] = { 0 }, squares[6] = { 0 };

  for (int k = 0; k < N; k++) {
    OrreryVec3 w, a;
    double *values[] = { &w.x, &w.y, &w.z, &a.x, &a.y, &a.z };

    orrery_test_step (sim, 1);
    w = orrery_test_get_vec3 (sim, "robot.sensor", "angular_velocity");
    a = orrery_test_get_vec3 (sim, "robot.sensor", "linear_acceleration");
    for (int i = 0; i < 6; i++) {
      sum[i] += *values[i] - truth[i];
      squares[i] += (*values[i] - truth[i]) * (*values[i] - truth[i]);
    }
  }
  for (int i = 0; i < 6; i++) {
    assert_near (sum[i] / N, 0, 6 * sigma[i] / sqrt (N) + 1e-12);
    assert_near (sqrt (squares[i] / N), sigma[i], 6 * sigma[i] / sqrt (2 * N) + 1e-12);
  }
}

static void
test_default (void)
{
  g_test_summary ("0.5 rad/s and 0.5 m/s2 where nothing is said");
  assert_noise (SCENE (""), (const double[]){ 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 });
}

static void
test_options (void)
{
  g_test_summary ("a number for all axes, or a dictionary by axis, which leaves out what it lacks");
  assert_noise (SCENE ("'gyro_std': 0.1, 'accel_std': {'x': 2, 'z': 0.25}"),
                (const double[]){ 0.1, 0.1, 0.1, 2, 0, 0.25 });
  assert_noise (SCENE_OF (", 'gyro_std': 0.3", "imu.IMU", "'accel_std': 0"),
                (const double[]){ 0.3, 0.3, 0.3, 0, 0, 0 });
}

static void
test_field_left_alone (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (""));
  OrreryVec3 field;

  g_test_summary ("the magnetic field is left alone");
  orrery_test_step (sim, 1);
  field = orrery_test_get_vec3 (sim, "robot.sensor", "magnetic_field");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "magnetic_field").x, field.x, 1e-12);
}

static void
test_errors (void)
{
  g_test_summary ("options and fields are checked");
  orrery_test_refuse (SCENE ("'gyro_std': -1"), "not a deviation");
  orrery_test_refuse (SCENE ("'accel_std': 'much'"), "not a deviation");
  orrery_test_refuse (SCENE ("'accel_std': {'w': 1}"), "no axis 'w'");
  orrery_test_refuse (SCENE ("'accel_std': {'x': NaN}"), "not a deviation");
  orrery_test_refuse (SCENE ("'gyro': 1"), "did you mean gyro_std");
  orrery_test_refuse (SCENE_OF (", 'gyro_std': [1]", "imu.IMU", ""), "not a deviation");
  orrery_test_refuse (SCENE_OF ("", "pose.Pose", ""),
                      "'angular_velocity' or 'linear_acceleration'");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/modifiers/imu-noise/default", test_default);
  g_test_add_func ("/modifiers/imu-noise/options", test_options);
  g_test_add_func ("/modifiers/imu-noise/left-alone", test_field_left_alone);
  g_test_add_func ("/modifiers/imu-noise/errors", test_errors);
  return g_test_run ();
}
