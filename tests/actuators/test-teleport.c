/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Mounted 1 m in front of the robot and turned by a quarter to the left. */
#define TELEPORT                                                                                   \
  "{'name': 'teleport', 'classpath': 'morse.actuators.teleport.Teleport', "                        \
  "'position': [1, 0, 0.5], 'rotation': [0, 0, 1.5707963267948966]}"
#define SCENE                                                                                      \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                                    \
                         "'position': [2, 3, 0], 'objects': [" TELEPORT "]}")

static void
assert_pose (OrrerySimulation *sim, const char *name, double x, double y, double z, double yaw)
{
  const OrreryTransform *pose = orrery_test_get_pose (sim, name);
  double roll, pitch, angle;

  orrery_quat_to_euler (&pose->rotation, &roll, &pitch, &angle);
  assert_near (pose->position.x, x, 1e-9);
  assert_near (pose->position.y, y, 1e-9);
  assert_near (pose->position.z, z, 1e-9);
  assert_near (orrery_normalise_angle (angle - yaw), 0, 1e-9);
}

static void
test_start (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the record begins as the actuator's pose, so nothing moves");
  sim = orrery_test_load (SCENE);
  orrery_test_assert_fields (sim, "robot.teleport", "x y z yaw pitch roll");
  assert_near (orrery_test_get (sim, "robot.teleport", "x"), 3, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "z"), 0.5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "yaw"), G_PI / 2, 1e-12);
  orrery_test_step (sim, 3);
  assert_pose (sim, "robot", 2, 3, 0, 0);
}

static void
test_mounting (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("it is the actuator that comes to the record, the robot comes along");
  sim = orrery_test_load (SCENE);
  orrery_test_write (sim, "robot.teleport", "x", 10);
  orrery_test_write (sim, "robot.teleport", "y", -5);
  orrery_test_write (sim, "robot.teleport", "z", 2);
  orrery_test_write (sim, "robot.teleport", "yaw", G_PI);
  orrery_test_step (sim, 1);
  assert_pose (sim, "robot.teleport", 10, -5, 2, G_PI);
  /* The robot looks along +y, with the actuator 1 m ahead of it. */
  assert_pose (sim, "robot", 10, -6, 1.5, G_PI / 2);
}

static void
test_pins (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the robot is pinned until the actuator is deactivated");
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY
      "'objects': [{'name': 'motion', 'classpath': 'morse.actuators.v_omega.MotionVW'}, " TELEPORT
      "]}"));
  orrery_test_write (sim, "robot.motion", "v", 1);
  orrery_test_step (sim, 60);
  assert_pose (sim, "robot", 0, 0, 0, 0);
  orrery_component_set_active (orrery_test_find (sim, "robot.teleport"), FALSE);
  orrery_test_step (sim, 60);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.x, >, 0.99);
}

/* A robot of Python's user is as heavy as its class says, and what it carries comes along. */
static void
check_stays (const char *physics)
{
  g_autofree char *scene = g_strdup_printf (
      "{'orrery': 1, 'environment': {'physics': '%s'}, 'objects': [{" ORRERY_TEST_ROBOT
      "'position': [0, 0, 4], 'body': {'type': 'rigid', 'mass': 40}, "
      "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], 'objects': [" TELEPORT "]}]}",
      physics);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  double x = orrery_test_get (sim, "robot.teleport", "x");

  for (guint i = 0; i < 120; i++) {
    orrery_test_step (sim, 1);
    g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, ==, 4);
    g_assert_cmpfloat (orrery_test_get_pose (sim, "robot.teleport")->position.z, ==, 4.5);
    g_assert_cmpfloat (orrery_test_get_pose (sim, "robot.teleport")->position.x, ==, x);
  }
  orrery_component_set_active (orrery_test_find (sim, "robot.teleport"), FALSE);
  orrery_test_step (sim, 20);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, <, 3.7);
}

static void
test_stays (void)
{
  g_test_summary ("a robot in the air stays where it is put, whatever its mass");
  check_stays ("orrery.physics.bullet.Bullet");
  check_stays ("orrery.physics.mujoco.MuJoCo");
}

static void
test_services (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("translate and rotate are relative, and their later arguments may be left out");
  sim = orrery_test_load (SCENE);
  orrery_test_assert_answer (sim, "robot.teleport", "translate", "(1.0,)", "");
  orrery_test_assert_answer (sim, "robot.teleport", "translate", "(1.0, 2.0, int64 3)", "");
  orrery_test_assert_answer (sim, "robot.teleport", "rotate", "(0.0, 0.0, 1.0)", "");
  orrery_test_assert_answer (sim, "robot.teleport", "rotate", "(0.25, -0.5)", "");
  assert_near (orrery_test_get (sim, "robot.teleport", "x"), 5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "y"), 5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "z"), 3.5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "yaw"), G_PI / 2 + 1, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "pitch"), -0.5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.teleport", "roll"), 0.25, 1e-12);
}

static void
test_reset (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a reset brings the robot and the record back");
  sim = orrery_test_load (SCENE);
  orrery_test_write (sim, "robot.teleport", "x", 10);
  orrery_test_step (sim, 5);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.x, >, 8);
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 5);
  assert_pose (sim, "robot", 2, 3, 0, 0);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/teleport/start", test_start);
  g_test_add_func ("/actuators/teleport/mounting", test_mounting);
  g_test_add_func ("/actuators/teleport/pins", test_pins);
  g_test_add_func ("/actuators/teleport/stays", test_stays);
  g_test_add_func ("/actuators/teleport/services", test_services);
  g_test_add_func ("/actuators/teleport/reset", test_reset);
  return g_test_run ();
}
