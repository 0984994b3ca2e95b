/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/*
 * Angles of a robot whose pitch is beyond a quarter turn. Blender tells the triple of the two with
 * the smaller sum of magnitudes: a pitch of 2 rad is one, not a pitch of pi - 2 with half turns of
 * roll and yaw.
 */

#define PITCH 2.0
/* clang-format off */
#define SENSORS                                                                                    \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'}, "                                     \
  "{'name': 'gyroscope', 'classpath': 'morse.sensors.gyroscope.Gyroscope'}, "                      \
  "{'name': 'attitude', 'classpath': 'morse.sensors.attitude.Attitude'}, "                         \
  "{'name': 'odometry', 'classpath': 'morse.sensors.odometry.Odometry'}, "                         \
  "{'name': 'posture', 'classpath': 'morse.sensors.human_posture.HumanPosture'}, "                 \
  "{'name': 'steep', 'classpath': 'morse.sensors.pose.Pose', 'rotation': [0, 0.5, 0]}, "           \
  "{'name': 'ptu', 'classpath': 'morse.actuators.ptu.PTU', 'objects': ["                           \
  "{'name': 'unit', 'classpath': 'morse.sensors.ptu_posture.PTUPosture'}]}"
/* clang-format on */
#define ROBOT(rotation, more)                                                                      \
  "{" ORRERY_TEST_ROBOT "'rotation': " rotation ", 'objects': [" SENSORS more "]}"
#define TELEPORT ", {'name': 'put', 'classpath': 'morse.actuators.teleport.Teleport'}"
#define TURN                                                                                       \
  ", {'name': 'turn', 'classpath': 'morse.actuators.orientation.Orientation', "                    \
  "'properties': {'speed': 1.0}}"

static void
assert_angles (OrrerySimulation *sim, const char *name, double roll, double pitch, double yaw)
{
  g_test_message ("%s", name);
  assert_near (orrery_test_get (sim, name, "roll"), roll, 1e-9);
  assert_near (orrery_test_get (sim, name, "pitch"), pitch, 1e-9);
  assert_near (orrery_test_get (sim, name, "yaw"), yaw, 1e-9);
}

static const OrreryEuler *
get_rotation (OrrerySimulation *sim, const char *name)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));

  return orrery_record_find (record, "rotation", ORRERY_FIELD_EULER);
}

static void
test_sensors (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT ("[0, 2, 0]", "")));
  const OrreryEuler *rotation;

  g_test_summary ("each sensor of angles tells of a pitch of 2 rad as that");
  orrery_test_step (sim, 2);
  assert_angles (sim, "robot.pose", 0, PITCH, 0);
  assert_angles (sim, "robot.gyroscope", 0, PITCH, 0);
  assert_angles (sim, "robot.steep", 0, PITCH + 0.5, 0);
  assert_angles (sim, "robot.posture", 0, PITCH, -G_PI / 2);
  rotation = get_rotation (sim, "robot.attitude");
  assert_near (rotation->roll, 0, 1e-9);
  assert_near (rotation->pitch, PITCH, 1e-9);
  assert_near (rotation->yaw, 0, 1e-9);
}

static void
test_both_sides (void)
{
  static const struct {
    double told[3], seen[3]; /* roll, pitch, yaw */
  } rows[] = {
    { { 0, 1.5, 0 }, { 0, 1.5, 0 } },
    { { 0, -1.7, 0 }, { 0, -1.7, 0 } },
    { { 0.2, 2.4, -0.3 }, { 0.2, 2.4, -0.3 } },
    { { -0.4, -3, 0.5 }, { -0.4, -3, 0.5 } },
    { { 0, 3.1, 0 }, { 0, 3.1, 0 } },
    /* Many half turns in one: the shorter story. */
    { { G_PI, 0.3, G_PI }, { 0, G_PI - 0.3, 0 } },
    { { 3, 0.2, -3 }, { 3 - G_PI, G_PI - 0.2, G_PI - 3 } },
    { { 3, -0.2, 0 }, { 3, -0.2, 0 } },
    { { 0, 0.2, 3 }, { 0, 0.2, 3 } },
  };

  g_test_summary ("angles come back as they were told, where they are the smaller ones");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (OrrerySimulation) sim =
        orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT ("[0, 0, 0]", TELEPORT)));
    const double *told = rows[i].told, *seen = rows[i].seen;

    g_test_message ("row %u", i);
    orrery_test_write (sim, "robot.put", "roll", told[0]);
    orrery_test_write (sim, "robot.put", "pitch", told[1]);
    orrery_test_write (sim, "robot.put", "yaw", told[2]);
    orrery_test_step (sim, 3);
    assert_angles (sim, "robot.pose", seen[0], seen[1], seen[2]);
    /* From where it began: the same. */
    assert_angles (sim, "robot.odometry", seen[0], seen[1], seen[2]);
  }
}

static void
test_over_the_pole (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT ("[0, 0, 0]", TURN)));
  double last = 0;

  g_test_summary ("a robot that turns over has a pitch that grows without a leap");
  orrery_test_write (sim, "robot.turn", "pitch", 2.8);
  for (guint i = 0; i < 150; i++) {
    double pitch;

    orrery_test_step (sim, 1);
    pitch = orrery_test_get (sim, "robot.pose", "pitch");
    g_assert_cmpfloat (pitch - last, >=, -1e-9);
    g_assert_cmpfloat (pitch - last, <, 0.02);
    assert_near (orrery_test_get (sim, "robot.pose", "yaw"), 0, 1e-6);
    last = pitch;
  }
  g_assert_cmpfloat (last, >, 2);
}

static void
test_tilt (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT ("[0, 0, 0]", "")));

  g_test_summary ("a unit that tilts beyond a quarter turn tells so");
  orrery_test_write (sim, "robot.ptu", "pan", 0.4);
  orrery_test_write (sim, "robot.ptu", "tilt", 2);
  orrery_test_step (sim, 200);
  assert_near (orrery_test_get (sim, "robot.ptu.unit", "pan"), 0.4, 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu.unit", "tilt"), 2, 1e-9);
}

#define MODIFIED(entry)                                                                            \
  ORRERY_TEST_KINEMATIC (ROBOT ("[0, 2, 0]", ""))                                                  \
  ", 'component_modifier': {'robot.gyroscope': [" entry "]}"

static void
test_modifiers (void)
{
  g_autoptr (OrrerySimulation) to =
      orrery_test_load (MODIFIED ("['morse.modifiers.ned.AnglesToNED', 'OUT', {}]"));
  g_autoptr (OrrerySimulation) both =
      orrery_test_load (MODIFIED ("['morse.modifiers.ned.AnglesToNED', 'OUT', {}], "
                                  "['morse.modifiers.ned.AnglesFromNED', 'OUT', {}]"));
  g_autoptr (OrrerySimulation) noise =
      orrery_test_load (MODIFIED ("['morse.modifiers.pose_noise.OrientationNoiseModifier', 'OUT', "
                                  "{'rot_std': {'pitch': 0.001, 'roll': 0.0, 'yaw': 0.0}}]"));
  g_autoptr (OrrerySimulation) still =
      orrery_test_load (MODIFIED ("['morse.modifiers.pose_noise.OrientationNoiseModifier', 'OUT', "
                                  "{'rot_std': 0.0}]"));

  g_test_summary ("modifiers of angles leave a pitch of 2 rad on its side of the pole");
  orrery_test_step (to, 2);
  assert_angles (to, "robot.gyroscope", G_PI / 2, -PITCH, 0);
  orrery_test_step (both, 2);
  assert_angles (both, "robot.gyroscope", 0, PITCH, 0);
  orrery_test_step (still, 2);
  assert_angles (still, "robot.gyroscope", 0, PITCH, 0);
  for (guint i = 0; i < 50; i++) {
    orrery_test_step (noise, 1);
    assert_near (orrery_test_get (noise, "robot.gyroscope", "pitch"), PITCH, 0.01);
  }
  assert_near (orrery_test_get (noise, "robot.gyroscope", "yaw"), 0, 1e-9);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/steep/sensors", test_sensors);
  g_test_add_func ("/sensors/steep/both-sides", test_both_sides);
  g_test_add_func ("/sensors/steep/over-the-pole", test_over_the_pole);
  g_test_add_func ("/sensors/steep/tilt", test_tilt);
  g_test_add_func ("/sensors/steep/modifiers", test_modifiers);
  return g_test_run ();
}
