/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE_OF(environment, class, modifier, options)                                            \
  "'environment': {'seed': 42, 'physics': 'orrery.physics.kinematic.Kinematic', "                  \
  "'properties': {" environment "}}, 'objects': [{" ORRERY_TEST_ROBOT                              \
  "'position': [1, 2, 3], 'rotation': [0.1, 0.2, 0.3], "                                           \
  "'objects': [{'name': 'sensor', 'classpath': 'morse.sensors." class "'}]}], "                    \
                                                                      "'component_modifier': "     \
                                                                      "{'robot.sensor': "          \
                                                                      "[['morse.modifiers.pose_"   \
                                                                      "noise." modifier            \
                                                                      "', 'OUT', {" options "}]]}"
#define SCENE(modifier, options) SCENE_OF ("", "pose.Pose", modifier, options)

/* A sensor of the test's own, whose record is a quaternion that is no rotation. */
#define TURNED(options)                                                                            \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT                                                     \
                         "'objects': [{'name': 'sensor', 'classpath': 'trial.turned.Turned'}]}")   \
  ", 'component_modifier': {'robot.sensor': [["                                                    \
  "'morse.modifiers.pose_noise.OrientationNoiseModifier', 'OUT', {" options "}]]}"

#define N 20000

static const char *const fields[] = { "x", "y", "z", "roll", "pitch", "yaw" };
static const double truth[] = { 1, 2, 3, 0.1, 0.2, 0.3 };

/* Mean and deviation over N ticks must be those of the truth and @sigma: to six standard errors. */
static void
assert_noise (const char *scene, const double sigma[6])
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  double sum[6] = { 0 }, squares[6] = { 0 };

  for (int k = 0; k < N; k++) {
    orrery_test_step (sim, 1);
    for (int i = 0; i < 6; i++) {
      double e = orrery_test_get (sim, "robot.sensor", fields[i]) - truth[i];

      sum[i] += e;
      squares[i] += e * e;
    }
  }
  for (int i = 0; i < 6; i++) {
    assert_near (sum[i] / N, 0, 6 * sigma[i] / sqrt (N) + 1e-12);
    assert_near (sqrt (squares[i] / N), sigma[i], 6 * sigma[i] / sqrt (2 * N) + 1e-12);
  }
}

static void
test_defaults (void)
{
  const double angle = 5 * G_PI / 180;

  g_test_summary ("0.05 m and 5 degrees where nothing is said");
  assert_noise (SCENE ("PoseNoiseModifier", ""),
                (const double[]){ 0.05, 0.05, 0.05, angle, angle, angle });
}

static void
test_position (void)
{
  g_test_summary ("PositionNoise leaves angles alone; a dictionary leaves out what it lacks");
  assert_noise (SCENE ("PositionNoiseModifier", "'pos_std': {'x': 0.5, 'z': 2}"),
                (const double[]){ 0.5, 0, 2, 0, 0, 0 });
}

static void
test_orientation (void)
{
  g_test_summary ("OrientationNoise leaves the position alone; a number is for all axes");
  assert_noise (SCENE ("OrientationNoiseModifier", "'rot_std': 0.25"),
                (const double[]){ 0, 0, 0, 0.25, 0.25, 0.25 });
}

static void
test_flat (void)
{
  g_test_summary ("with _2D only x, y and yaw get noise");
  assert_noise (SCENE ("PoseNoiseModifier", "'_2D': true, 'pos_std': 1, 'rot_std': 0.1"),
                (const double[]){ 1, 1, 0, 0, 0, 0.1 });
}

static void
test_environment (void)
{
  g_test_summary ("the environment says what the config does not");
  assert_noise (SCENE_OF ("'pos_std': 0.3, 'rot_std': 0.4", "pose.Pose", "PoseNoiseModifier",
                          "'rot_std': 0.2"),
                (const double[]){ 0.3, 0.3, 0.3, 0.2, 0.2, 0.2 });
}

/* Of two values of successive ticks, and of two fields, none tells of the other. */
static void
test_independent (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double between = 0, after = 0, last = 0;

  g_test_summary ("axes and ticks are independent of one another");
  sim = orrery_test_load (SCENE ("PoseNoiseModifier", "'pos_std': 1"));
  for (int k = 0; k < N; k++) {
    double x, y;

    orrery_test_step (sim, 1);
    x = orrery_test_get (sim, "robot.sensor", "x") - 1;
    y = orrery_test_get (sim, "robot.sensor", "y") - 2;
    between += x * y;
    after += x * last;
    last = x;
  }
  assert_near (between / N, 0, 6 / sqrt (N));
  assert_near (after / N, 0, 6 / sqrt (N));
}

static double
sample (const char *scene, const char *field)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  orrery_test_step (sim, 10);
  return orrery_test_get (sim, "robot.sensor", field);
}

static void
test_repeatable (void)
{
  const char *plain = SCENE ("PositionNoiseModifier", "'pos_std': 0.5");
  const char *more = SCENE ("PositionNoiseModifier", "'pos_std': 0.500000001");

  g_test_summary ("same scene and seed, same noise; a deviation that is 1e-9 off shows");
  g_assert_cmpfloat (sample (plain, "x"), ==, sample (plain, "x"));
  g_assert_cmpfloat (sample (plain, "x"), !=, sample (more, "x"));
  assert_near (sample (plain, "x"), sample (more, "x"), 1e-8);
}

static void
test_errors (void)
{
  g_test_summary ("options and fields are checked");
  orrery_test_refuse (SCENE ("PoseNoiseModifier", "'pos_std': -0.1"), "not a deviation");
  orrery_test_refuse (SCENE ("PoseNoiseModifier", "'pos_std': '0.1'"), "not a deviation");
  orrery_test_refuse (SCENE ("PoseNoiseModifier", "'rot_std': {'yaw': null}"), "not a deviation");
  orrery_test_refuse (SCENE ("PoseNoiseModifier", "'rot_std': {'yaaw': 1}"), "did you mean yaw");
  orrery_test_refuse (SCENE ("PositionNoiseModifier", "'rot_std': 1"), "pos_std");
  orrery_test_refuse (SCENE_OF ("", "gyroscope.Gyroscope", "PositionNoiseModifier", ""),
                      "'x', 'y' or 'z'");
  orrery_test_refuse (SCENE_OF ("", "gyroscope.Gyroscope", "PoseNoiseModifier",
                                "'pos_std': {'x': 1}"),
                      "no field 'x'");
  orrery_test_refuse (SCENE_OF ("", "clock.Clock", "PoseNoiseModifier", ""),
                      "'roll', 'pitch', 'yaw'");
}

static double
turn_of (OrrerySimulation *sim, OrreryVec3 *axis)
{
  OrreryQuat q = { 0 };

  g_assert_true (
      orrery_record_get (orrery_component_get_record (orrery_test_find (sim, "robot.sensor")),
                         "orientation", &q));
  assert_near (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-12);
  orrery_quat_to_rotation_vector (&q, axis);
  return orrery_vec3_length (axis);
}

static void
test_quaternion (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) flat = NULL;
  OrreryVec3 squares = { 0 };

  g_test_summary ("a quaternion is turned by a random rotation vector, also in 2D");
  sim = orrery_test_load (TURNED ("'rot_std': {'roll': 0.1, 'yaw': 0.3}"));
  flat = orrery_test_load (TURNED ("'rot_std': 0.2, '_2D': true"));
  for (int k = 0; k < N; k++) {
    OrreryVec3 v;

    orrery_test_step (sim, 1);
    turn_of (sim, &v);
    squares = (OrreryVec3){ squares.x + v.x * v.x, squares.y + v.y * v.y, squares.z + v.z * v.z };
  }
  assert_near (sqrt (squares.x / N), 0.1, 6 * 0.1 / sqrt (2 * N));
  g_assert_cmpfloat (squares.y, <, 1e-12);
  assert_near (sqrt (squares.z / N), 0.3, 6 * 0.3 / sqrt (2 * N));

  for (int k = 0; k < 10; k++) {
    OrreryVec3 v;

    orrery_test_step (flat, 1);
    g_assert_cmpfloat (turn_of (flat, &v), >, 0);
    g_assert_cmpfloat (hypot (v.x, v.y), >, 1e-6);
  }
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/pose-noise/defaults", test_defaults);
  g_test_add_func ("/modifiers/pose-noise/position", test_position);
  g_test_add_func ("/modifiers/pose-noise/orientation", test_orientation);
  g_test_add_func ("/modifiers/pose-noise/flat", test_flat);
  g_test_add_func ("/modifiers/pose-noise/environment", test_environment);
  g_test_add_func ("/modifiers/pose-noise/independent", test_independent);
  g_test_add_func ("/modifiers/pose-noise/repeatable", test_repeatable);
  g_test_add_func ("/modifiers/pose-noise/errors", test_errors);
  g_test_add_func ("/modifiers/pose-noise/quaternion", test_quaternion);
  return g_test_run ();
}
