/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SCENE(rest)                                                                                \
  ORRERY_TEST_KINEMATIC (                                                                          \
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                                                       \
      "'position': [2, 3, 1], 'rotation': [0, 0, 0.5], 'objects': ["                               \
      "{'name': 'turn', 'classpath': 'morse.actuators.orientation.Orientation', "                  \
      "'position': [1, 0, 0], 'rotation': [0, 0, 1.0]" rest "}]}")
#define SLOW ", 'properties': {'speed': 0.6}"

static void
assert_angles (OrrerySimulation *sim, const char *name, double roll, double pitch, double yaw,
               double epsilon)
{
  double r, p, y;

  orrery_quat_to_euler (&orrery_test_get_pose (sim, name)->rotation, &r, &p, &y);
  assert_near (orrery_normalise_angle (r - roll), 0, epsilon);
  assert_near (orrery_normalise_angle (p - pitch), 0, epsilon);
  assert_near (orrery_normalise_angle (y - yaw), 0, epsilon);
}

static void
aim (OrrerySimulation *sim, double roll, double pitch, double yaw)
{
  orrery_test_write (sim, "robot.turn", "roll", roll);
  orrery_test_write (sim, "robot.turn", "pitch", pitch);
  orrery_test_write (sim, "robot.turn", "yaw", yaw);
}

static void
test_at_once (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary (
      "with an infinite speed the robot has what the record says at once, at first what "
      "the actuator had; it stays in place");
  sim = orrery_test_load (SCENE (""));
  orrery_test_assert_fields (sim, "robot.turn", "yaw pitch roll");
  orrery_test_step (sim, 3);
  assert_angles (sim, "robot", 0, 0, 0.5 + 1.0, 1e-12);
  aim (sim, 0.1, -0.2, 3);
  orrery_test_step (sim, 1);
  assert_angles (sim, "robot", 0.1, -0.2, 3, 1e-12);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 2, 1e-12);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 1, 1e-12);
}

static void
test_rate (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("with a speed the yaw closes in at that rate, the short way round");
  sim = orrery_test_load (SCENE (SLOW));
  /* From 1.5 to -2.5 it is 2.28 through half a circle, not 4. */
  aim (sim, 0, 0, -2.5);
  orrery_test_step (sim, 60);
  assert_angles (sim, "robot.turn", 0, 0, 1.5 + 0.6, 1e-6);
  orrery_test_step (sim, 240);
  assert_angles (sim, "robot.turn", 0, 0, -2.5, 0.02);
}

static void
test_last_step (void)
{
  static const double goals[] = { 2.5, 0.5 };

  g_test_summary ("the last step goes the right way from either side, and stands still then");
  for (guint i = 0; i < G_N_ELEMENTS (goals); i++) {
    g_autoptr (OrrerySimulation) sim =
        orrery_test_load (SCENE (", 'properties': {'speed': 0.6, 'tolerance': 1e-5}"));

    aim (sim, 0, 0, goals[i]);
    orrery_test_step (sim, 101);
    assert_angles (sim, "robot.turn", 0, 0, goals[i], 1e-5);
    orrery_test_step (sim, 100);
    assert_angles (sim, "robot.turn", 0, 0, goals[i], 2e-5);
  }
}

/* rad/s, of the robot, in the world */
static OrreryVec3
get_rates (OrrerySimulation *sim)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);

  return *orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (world),
                                                orrery_object_get_index (
                                                    orrery_world_find_object (world, "robot")));
}

static void
test_tilted (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'rotation': [0.4, 0, 0], 'objects': ["
      "{'name': 'turn', 'classpath': 'morse.actuators.orientation.Orientation'" SLOW "}]}"));
  OrreryVec3 rates;

  g_test_summary ("the rate of an angle is one about the robot's own axis of that name");
  orrery_test_write (sim, "robot.turn", "yaw", 2);
  orrery_test_step (sim, 1);
  /* 0.6 rad/s about its z axis, which leans by 0.4 rad to its right. */
  rates = get_rates (sim);
  assert_near (rates.x, 0, 1e-12);
  assert_near (rates.y, -0.6 * sin (0.4), 1e-12);
  assert_near (rates.z, 0.6 * cos (0.4), 1e-12);
}

static void
test_drift (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'rotation': [0, 0.3, 0], 'objects': ["
      "{'name': 'turn', 'classpath': 'morse.actuators.orientation.Orientation'" SLOW "}]}"));
  guint n = 0, last = 0;

  g_test_summary ("with a pitch a yaw makes the roll drift, and single steps take it back");
  orrery_test_write (sim, "robot.turn", "yaw", 3);
  for (guint i = 1; i <= 120; i++) {
    const OrreryTransform *pose = orrery_test_get_pose (sim, "robot");
    OrreryVec3 rates, own;
    double roll, pitch, yaw;

    orrery_test_step (sim, 1);
    rates = get_rates (sim);
    orrery_quat_rotate_back (&pose->rotation, &rates, &own);
    orrery_quat_to_euler (&pose->rotation, &roll, &pitch, &yaw);
    assert_near (roll, 0.01, 0.0151);
    if (fabs (own.x) < 0.01)
      continue;
    assert_near (own.x, -0.6, 0.01);
    g_assert_true (last == 0 || i > last + 1);
    last = i;
    n++;
  }
  /* 0.6 tan (0.3) rad/s, in steps of 0.01 rad. */
  assert_near (n, 2 * 0.6 * tan (0.3) / 0.01, 5);
}

static void
test_axes (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (", 'properties': {'speed': 60}"));
  OrreryVec3 rates;

  g_test_summary ("errors are those of the actuator's angles, rates are for the robot's axes");
  /* The actuator has a yaw of 1.5: it is turned by 1 on a robot that is turned by 0.5. */
  aim (sim, 0.3, -0.2, 1.5);
  orrery_test_step (sim, 1);
  /* What is left is less than a step: |e| f, with its sign, about axes that yaw by 0.5. */
  rates = get_rates (sim);
  assert_near (rates.x, 60 * (0.3 * cos (0.5) + 0.2 * sin (0.5)), 1e-9);
  assert_near (rates.y, 60 * (0.3 * sin (0.5) - 0.2 * cos (0.5)), 1e-9);
  assert_near (rates.z, 0, 1e-9);
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("by Position it turns at the same rate");
  sim = orrery_test_load (SCENE (", 'properties': {'speed': 0.6, 'ControlType': 'Position'}"));
  aim (sim, 0, 0, 3);
  orrery_test_step (sim, 60);
  assert_angles (sim, "robot.turn", 0, 0, 2.1, 1e-9);
}

static void
test_ranges (void)
{
  g_test_summary ("a negative speed or tolerance is refused");
  orrery_test_refuse (SCENE (", 'properties': {'speed': -1}"), "out of range");
  orrery_test_refuse (SCENE (", 'properties': {'tolerance': -0.1}"), "out of range");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/orientation/at-once", test_at_once);
  g_test_add_func ("/actuators/orientation/rate", test_rate);
  g_test_add_func ("/actuators/orientation/last-step", test_last_step);
  g_test_add_func ("/actuators/orientation/tilted", test_tilted);
  g_test_add_func ("/actuators/orientation/drift", test_drift);
  g_test_add_func ("/actuators/orientation/axes", test_axes);
  g_test_add_func ("/actuators/orientation/position", test_position);
  g_test_add_func ("/actuators/orientation/ranges", test_ranges);
  return g_test_run ();
}
