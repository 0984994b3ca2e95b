/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define MOTION(module, name, rest)                                                                 \
  ORRERY_TEST_KINEMATIC (                                                                          \
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'rotation': [0, 0, 0.5], 'objects': ["               \
      "{'name': 'motion', 'classpath': 'morse.actuators." module "." name "'" rest "}]}")
#define BY_POSITION ", 'properties': {'ControlType': 'Position'}"

static double
yaw_of (OrrerySimulation *sim)
{
  double roll, pitch, yaw;

  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  return yaw;
}

static void
test_vw (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const OrreryTransform *pose;

  g_test_summary ("MotionVW drives on a circle of radius v / w");
  sim = orrery_test_load (MOTION ("v_omega", "MotionVW", ""));
  orrery_test_assert_fields (sim, "robot.motion", "v w");
  orrery_test_write (sim, "robot.motion", "v", 1.2);
  orrery_test_write (sim, "robot.motion", "w", -0.4);
  orrery_test_step (sim, 300);
  pose = orrery_test_get_pose (sim, "robot");
  assert_near (yaw_of (sim), 0.5 - 2, 1e-9);
  assert_near (pose->position.x, -3 * (sin (-1.5) - sin (0.5)), 1e-9);
  assert_near (pose->position.y, 3 * (cos (-1.5) - cos (0.5)), 1e-9);
}

static void
test_services (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double x;

  g_test_summary ("set_speed and stop of MotionVW answer nothing and act at the next tick");
  sim = orrery_test_load (MOTION ("v_omega", "MotionVW", ""));
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(2.0, 0.0)", "");
  orrery_test_step (sim, 60);
  x = orrery_test_get_pose (sim, "robot")->position.x;
  assert_near (x, 2 * cos (0.5), 1e-6);
  orrery_test_assert_answer (sim, "robot.motion", "stop", NULL, "");
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, x, 1e-12);
}

static void
test_bad_services (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autofree char *count = g_strdup_printf ("fault %d", ORRERY_CALL_WRONG_COUNT);
  g_autofree char *type = g_strdup_printf ("fault %d", ORRERY_CALL_WRONG_TYPE);

  g_test_summary ("wrong arguments change nothing");
  sim = orrery_test_load (MOTION ("v_omega", "MotionVW", ""));
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(2.0,)", count);
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "('fast', 0.0)", type);
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(nan, 0.0)", type);
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(int64 9007199254740993, 0.0)",
                             type);
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(int64 9223372036854775807, 0.0)",
                             type);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.motion", "v"), ==, 0);
  /* What is a double exactly is no wrong argument, however large it is. */
  orrery_test_assert_answer (sim, "robot.motion", "set_speed", "(int64 -9223372036854775808, 0.0)",
                             "");
  g_assert_cmpfloat (orrery_test_get (sim, "robot.motion", "v"), ==, -0x1p63);
}

static void
test_xyw (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autofree char *none = g_strdup_printf ("fault %d", ORRERY_CALL_NO_SERVICE);
  const OrreryTransform *pose;

  g_test_summary ("MotionXYW goes forwards and to the left in the robot's axes; no services");
  sim = orrery_test_load (MOTION ("xy_omega", "MotionXYW", ""));
  orrery_test_assert_fields (sim, "robot.motion", "x y w");
  orrery_test_write (sim, "robot.motion", "x", 1);
  orrery_test_write (sim, "robot.motion", "y", 0.5);
  orrery_test_step (sim, 120);
  pose = orrery_test_get_pose (sim, "robot");
  /* A robot that is not told to turn is told to turn by 1e-6 rad/s. */
  assert_near (pose->position.x, 2 * cos (0.5) - sin (0.5), 1e-5);
  assert_near (pose->position.y, 2 * sin (0.5) + cos (0.5), 1e-5);
  orrery_test_assert_answer (sim, "robot.motion", "stop", NULL, none);

  orrery_test_write (sim, "robot.motion", "w", 1);
  orrery_test_step (sim, 60);
  assert_near (yaw_of (sim), 1.5, 1e-5);
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double x = 0, y = 0, yaw = 0.5;

  g_test_summary ("by Position the robot is displaced by v / f and turned by w / f each step");
  sim = orrery_test_load (MOTION ("v_omega", "MotionVW", ", 'frequency': 30" BY_POSITION));
  orrery_test_write (sim, "robot.motion", "v", 1.5);
  orrery_test_write (sim, "robot.motion", "w", 0.3);
  orrery_test_step (sim, 120);
  for (int k = 0; k < 60; k++) {
    x += 1.5 / 30 * cos (yaw);
    y += 1.5 / 30 * sin (yaw);
    yaw += 0.3 / 30;
  }
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, x, 1e-10);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, y, 1e-10);
  assert_near (yaw_of (sim), yaw, 1e-10);
}

static void
test_xyw_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary (
      "MotionXYW knows Position, too; one that is too fast is displaced by its own v / f");
  orrery_test_expected = "240 Hz";
  sim = orrery_test_load (
      "'environment': {'auto_tune': false, 'frequency': 60, "
      "'physics': 'orrery.physics.kinematic.Kinematic'}, "
      "'objects': [{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'rotation': [0, 0, 0.5], 'objects': ["
      "{'name': 'motion', 'classpath': 'orrery.actuators.xy_omega.MotionXYW', 'frequency': "
      "240" BY_POSITION "}]}]");
  g_assert_null (orrery_test_expected);
  orrery_test_write (sim, "robot.motion", "y", 1);
  orrery_test_step (sim, 60);
  /* 60 steps of 1/240 m. */
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, -0.25 * sin (0.5), 1e-10);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, 0.25 * cos (0.5), 1e-10);
}

static void
test_not_a_number (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const OrreryTransform *pose;
  double *w;

  g_test_summary ("a rate that the actuator makes NaN is refused by Position, too");
  sim = orrery_test_load (MOTION ("v_omega", "MotionVW", BY_POSITION));
  w = orrery_record_find_double (orrery_component_get_record (
                                     orrery_test_find (sim, "robot.motion")),
                                 "w");
  *w = NAN;
  orrery_test_expected = "a command with a number that is not finite, or too large, is refused";
  orrery_test_step (sim, 2);
  g_assert_null (orrery_test_expected);
  pose = orrery_test_get_pose (sim, "robot");
  assert_near (yaw_of (sim), 0.5, 1e-12);
  assert_near (pose->position.x, 0, 1e-12);
}

static void
test_control_type (void)
{
  g_test_summary ("a ControlType that is none is refused, and the others are named");
  orrery_test_refuse (MOTION ("v_omega", "MotionVW", ", 'properties': {'ControlType': 'Speed'}"),
                      "one of Velocity, Position");
  orrery_test_refuse (MOTION ("xy_omega", "MotionXYW", ", 'properties': {'Control': 'Position'}"),
                      "ControlType");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/motion/vw", test_vw);
  g_test_add_func ("/actuators/motion/services", test_services);
  g_test_add_func ("/actuators/motion/bad-services", test_bad_services);
  g_test_add_func ("/actuators/motion/xyw", test_xyw);
  g_test_add_func ("/actuators/motion/position", test_position);
  g_test_add_func ("/actuators/motion/xyw-position", test_xyw_position);
  g_test_add_func ("/actuators/motion/not-a-number", test_not_a_number);
  g_test_add_func ("/actuators/motion/control-type", test_control_type);
  return g_test_run ();
}
