/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Poses apart from our own arithmetic: 4 x 4 matrices, row by row. */
static void
matrix (double x, double y, double z, double roll, double pitch, double yaw, double out[16])
{
  double sr = sin (roll), cr = cos (roll), sp = sin (pitch), cp = cos (pitch);
  double sy = sin (yaw), cy = cos (yaw);
  const double m[16] = {
    cy * cp,
    cy * sp * sr - sy * cr,
    cy * sp * cr + sy * sr,
    x, /**/
    sy * cp,
    sy * sp * sr + cy * cr,
    sy * sp * cr - cy * sr,
    y, /**/
    -sp,
    cp * sr,
    cp * cr,
    z, /**/
    0,
    0,
    0,
    1,
  };

  memcpy (out, m, sizeof m);
}

static void
multiply (const double *a, const double *b, double *out)
{
  for (int i = 0; i < 16; i++) {
    out[i] = 0;
    for (int k = 0; k < 4; k++)
      out[i] += a[i / 4 * 4 + k] * b[4 * k + i % 4];
  }
}

#define MOUNTED                                                                                    \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT                                                     \
                         "'position': [1, -2, 3], 'rotation': [0.1, -0.2, 2.5], "                  \
                         "'objects': [{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose', "   \
                         "'position': [0.5, 0.25, 1], 'rotation': [0.3, 0.4, 1.2]}, "              \
                         "{'name': 'gyro', 'classpath': 'morse.sensors.gyroscope.Gyroscope', "     \
                         "'position': [0.5, 0.25, 1], 'rotation': [0.3, 0.4, 1.2]}]}")

static void
test_mounted (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double robot[16], sensor[16], pose[16];

  g_test_summary ("pose and orientation are those of the sensor's point, not of the robot's");
  sim = orrery_test_load (MOUNTED);
  orrery_test_step (sim, 1);
  matrix (1, -2, 3, 0.1, -0.2, 2.5, robot);
  matrix (0.5, 0.25, 1, 0.3, 0.4, 1.2, sensor);
  multiply (robot, sensor, pose);
  assert_near (orrery_test_get (sim, "robot.pose", "x"), pose[3], 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "y"), pose[7], 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "z"), pose[11], 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "yaw"), atan2 (pose[4], pose[0]), 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "pitch"), -asin (pose[8]), 1e-12);
  assert_near (orrery_test_get (sim, "robot.pose", "roll"), atan2 (pose[9], pose[10]), 1e-12);
  assert_near (orrery_test_get (sim, "robot.gyro", "yaw"), atan2 (pose[4], pose[0]), 1e-12);
  assert_near (orrery_test_get (sim, "robot.gyro", "pitch"), -asin (pose[8]), 1e-12);
  assert_near (orrery_test_get (sim, "robot.gyro", "roll"), atan2 (pose[9], pose[10]), 1e-12);
}

static void
test_fields (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("names and order of the fields are those of MORSE");
  sim = orrery_test_load (MOUNTED);
  orrery_test_assert_fields (sim, "robot.pose", "x y z yaw pitch roll");
  orrery_test_assert_fields (sim, "robot.gyro", "yaw pitch roll");
  g_assert_true (orrery_record_has_timestamp (
      orrery_component_get_record (orrery_test_find (sim, "robot.pose"))));
}

static void
test_next_tick (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a sensor sees a motion of tick k first at tick k + 1");
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY
      "'objects': [{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "
      "{'name': 'teleport', 'classpath': 'orrery.actuators.teleport.Teleport'}]}"));
  orrery_test_write (sim, "robot.teleport", "x", 5);
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.pose", "x"), ==, 0);
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.pose", "x"), ==, 5);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/pose/mounted", test_mounted);
  g_test_add_func ("/sensors/pose/fields", test_fields);
  g_test_add_func ("/sensors/pose/next-tick", test_next_tick);
  return g_test_run ();
}
