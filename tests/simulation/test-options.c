/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Options of parts while the simulation runs: what is read at the start, and what is not. */

#define SCENE                                                                                      \
  "'environment': {'physics': 'orrery.physics.kinematic.Kinematic', 'properties': {"               \
  "'UTMYOffset': 20.0}}, 'objects': [{" ORRERY_TEST_ROBOT "'position': [1, 2, 3], 'objects': ["    \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "                                    \
  "{'name': 'still', 'classpath': 'orrery.sensors.gyroscope.Gyroscope'}, "                         \
  "{'name': 'imu', 'classpath': 'orrery.sensors.imu.IMU', 'properties': {'Compass': false}}, "     \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner'}, "                   \
  "{'name': 'light', 'classpath': 'orrery.actuators.light.Light'}, "                               \
  "{'name': 'way', 'classpath': 'orrery.actuators.waypoint.Waypoint', "                            \
  "'properties': {'ObstacleAvoidance': false}}]}], "                                               \
  "'component_modifier': {'robot.pose': ["                                                         \
  "['orrery.modifiers.pose_noise.PositionNoiseModifier', {'pos_std': 0}], "                        \
  "['orrery.modifiers.utm.CoordinatesToUTM', {'x_offset': '100'}]], "                              \
  "'robot.still': [['orrery.modifiers.pose_noise.OrientationNoiseModifier', {'rot_std': 0}]], "    \
  "'robot.imu': [['orrery.modifiers.imu_noise.IMUNoiseModifier', "                                 \
  "{'gyro_std': 0, 'accel_std': 0}]]}"
#define NOISE "robot.pose/PositionNoiseModifier#0"
#define UTM "robot.pose/CoordinatesToUTM#0"
#define TURN "robot.still/OrientationNoiseModifier#0"
#define IMU "robot.imu/IMUNoiseModifier#0"

static GVariant *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GVariant *value = g_variant_parse (NULL, text, NULL, NULL, &error);

  g_assert_no_error (error);
  return value;
}

static void
set (OrrerySimulation *sim, const char *part, const char *name, const char *text)
{
  g_autoptr (GVariant) value = parse (text);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      orrery_part_set_option (orrery_simulation_find_part (sim, part), name, value, &error));
  g_assert_no_error (error);
}

/* @value: taken. The option has the value that it had before. */
static void
refuse (OrrerySimulation *sim, const char *name, const char *option, GVariant *value,
        const char *words)
{
  OrreryPart *part = orrery_simulation_find_part (sim, name);
  g_autoptr (GVariant) held = g_variant_take_ref (value);
  g_autoptr (GVariant) before = orrery_part_get_option (part, option);
  g_autoptr (GVariant) after = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_part_set_option (part, option, held, &error));
  g_assert_nonnull (error);
  if (error != NULL && strstr (error->message, words) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", words, error->message);
  after = orrery_part_get_option (part, option);
  g_assert_true (g_variant_equal (before, after));
}

static void
test_at_start (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE);

  g_test_summary ("what is read at the start is refused later, unless it is what it was");
  refuse (sim, "robot.laser", "resolution", parse ("2.0"),
          "property 'resolution': it is read when the simulation starts, and cannot be changed "
          "later");
  refuse (sim, "robot.laser", "resolution", parse ("-1.0"), "out of range: 0.001 to 360");
  refuse (sim, "robot.laser", "Visible_arc", parse ("true"),
          "property 'Visible_arc': it has no effect, and is accepted in scenes only");
  set (sim, "robot.laser", "resolution", "1");
  set (sim, "robot.laser", "Visible_arc", "false");
  set (sim, "robot.laser", "laser_range", "2.0");
  orrery_test_step (sim, 1);
  orrery_simulation_reset (sim, NULL);
  refuse (sim, "robot.laser", "resolution", parse ("2.0"), "read when the simulation starts");
}

static void
test_long (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE);
  g_autofree char *text = g_strnfill (70000, 'x');
  g_autofree double *list = g_new0 (double, 200000);

  g_test_summary ("texts and lists have an end");
  refuse (sim, "robot.light", "color", g_variant_new_string (text),
          "property 'color': too long: 70001 bytes, and at most 65536 are taken");
  refuse (sim, NOISE, "pos_std",
          g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, list, 200000, sizeof (double)),
          "property 'pos_std': too long: 1600000 bytes, and at most 1048576 are taken");
}

static void
test_judged (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE);

  g_test_summary ("what only the class can judge is judged while it runs, too");
  refuse (sim, "robot.light", "color", parse ("'red'"),
          "property 'color': 'red' is not red, green and blue, each from 0 to 1, as (1, 0.5, 0)");
  refuse (sim, "robot.way", "ObstacleAvoidance", parse ("true"),
          "property 'ObstacleAvoidance': there are no radars: the scene has it off");
  refuse (sim, NOISE, "pos_std", parse ("-1.0"), "-1.0 is not a deviation: a number of at least 0");
  refuse (sim, NOISE, "pos_std", parse ("[1.0]"), "is not a deviation");
  refuse (sim, NOISE, "pos_std", parse ("{'w': <1.0>}"), "no axis 'w'; there is: x, y, z");
  refuse (sim, NOISE, "pos_std", g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL),
          "null is no value");
  refuse (sim, IMU, "gyro_std", parse ("'much'"), "is not a deviation");
  refuse (sim, IMU, "accel_std", parse ("{'x': <-1.0>}"), "-1.0 is not a deviation");
  refuse (sim, UTM, "x_offset", parse ("'much'"), "'much' is not a finite number");
  refuse (sim, UTM, "x_offset", parse ("'nan'"), "'nan' is not a finite number");
  orrery_test_step (sim, 3);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), 101, 1e-9);
}

static void
test_at_once (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE);

  g_test_summary ("options of noise and of offsets count from the next step on");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), 101, 1e-9);
  assert_near (orrery_test_get (sim, "robot.pose", "y"), 22, 1e-9);
  assert_near (orrery_test_get (sim, "robot.still", "yaw"), 0, 1e-9);
  assert_near (orrery_test_get_vec3 (sim, "robot.imu", "angular_velocity").z, 0, 1e-9);

  set (sim, NOISE, "pos_std", "{'z': <0.5>}");
  set (sim, UTM, "x_offset", "1000");
  set (sim, TURN, "rot_std", "0.1");
  set (sim, IMU, "gyro_std", "{'z': <0.5>}");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), 1001, 1e-9);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.pose", "z"), !=, 3);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.still", "yaw"), !=, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.still", "roll"), !=, 0);
  g_assert_cmpfloat (orrery_test_get_vec3 (sim, "robot.imu", "angular_velocity").z, !=, 0);
  assert_near (orrery_test_get_vec3 (sim, "robot.imu", "angular_velocity").x, 0, 1e-9);

  /* None: as the environment has it. */
  set (sim, UTM, "y_offset", "7.0");
  set (sim, TURN, "_2D", "true");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.pose", "y"), 9, 1e-9);
  assert_near (orrery_test_get (sim, "robot.still", "roll"), 0, 1e-9);
  set (sim, UTM, "y_offset", "@mv nothing");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.pose", "y"), 22, 1e-9);

  orrery_simulation_reset (sim, NULL);
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), 101, 1e-9);
  assert_near (orrery_test_get (sim, "robot.pose", "z"), 3, 1e-9);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/options/at-start", test_at_start);
  g_test_add_func ("/options/long", test_long);
  g_test_add_func ("/options/judged", test_judged);
  g_test_add_func ("/options/at-once", test_at_once);
  return g_test_run ();
}
