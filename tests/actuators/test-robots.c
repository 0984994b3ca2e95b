/* SPDX-License-Identifier: BSD-3-Clause */
#include "../trial.h"

/* Robots without wheels, by the numbers of their models: how they stand, and how they are driven.
 */

#define SCENE(engine, classpath, place, more)                                                      \
  "'environment': {'import': 'empty', 'frequency': 60, 'physics': 'orrery.physics." engine "'}, "  \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots." classpath "', 'position': " place    \
  ", 'objects': [{'name': 'motion', 'classpath': 'morse.actuators.v_omega.MotionVW'}, "            \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'}]}" more "]"
#define BULLET "bullet.Bullet"
#define MUJOCO "mujoco.MuJoCo"
/* 1 m ahead of the robot; nothing moves it. */
#define WALL                                                                                       \
  ", {'name': 'wall', 'position': [2, 0, 1], 'body': {'type': 'static'}, 'shapes': [{'kind': "     \
  "'box', 'size': [1, 8, 2]}]}"

static double
get_tilt (OrrerySimulation *sim)
{
  OrreryVec3 up;

  orrery_quat_rotate (&trial_pose (sim, "robot")->rotation, &(OrreryVec3){ 0, 0, 1 }, &up);
  return acos (MIN (up.z, 1));
}

/*
 * @mass: kg; @rest: m, both margins and what lies between the origin and the lowest point, over
 * the ground; @front: m, how far it reaches ahead with its margin.
 */
static void
check_body (const char *engine, const char *scene, double mass, double rest, double front)
{
  g_autofree char *text = trial_with_engine (scene, engine);
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryWorld *world;
  double x;

  if (!trial_has_engine (engine))
    return;
  sim = trial_load (text);
  world = orrery_simulation_get_world (sim);
  assert_near (orrery_object_get_body (orrery_world_find_object (world, "robot"))->mass, mass,
               1e-12);
  trial_step (sim, 180);
  g_test_message ("%s: z %.4f tilt %.5f", engine, trial_pose (sim, "robot")->position.z,
                  get_tilt (sim));
  assert_near (trial_pose (sim, "robot")->position.z, rest, 0.01);
  g_assert_cmpfloat (get_tilt (sim), <, 0.01);

  /* Friction and damping leave a little less than 1 m/s: of 0.6 m, as of any robot's. */
  x = trial_pose (sim, "robot")->position.x;
  trial_write (sim, "robot.motion", "v", 1);
  trial_step (sim, 36);
  g_test_message ("driven %.4f m", trial_pose (sim, "robot")->position.x - x);
  assert_near (trial_pose (sim, "robot")->position.x - x, 0.6 * 0.97, 0.02);

  /* Up to the wall, and no farther. */
  trial_step (sim, 120);
  g_test_message ("ends at %.4f", trial_pose (sim, "robot")->position.x);
  assert_near (trial_pose (sim, "robot")->position.x, 1.5 - front, 0.05);
}

static void
test_b21 (void)
{
  static const char scene[] = SCENE (BULLET, "b21.B21", "[0, 0, 0.06]", WALL);

  g_test_summary ("B21: a cylinder of 0.534 m by 0.94 m and 6 kg, that slides");
  check_body (BULLET, scene, 6, 0.06, 0.267);
  check_body (MUJOCO, scene, 6, 0.06, 0.267);
}

static void
test_jido (void)
{
  static const char scene[] = SCENE (BULLET, "jido.Jido", "[0, 0, 0.05]", WALL);

  g_test_summary ("Jido: its body begins 0.051 m over its origin; forces turn it not");
  check_body (BULLET, scene, 1, 0.06 - 0.051, 0.344);
  check_body (MUJOCO, scene, 1, 0.06 - 0.051, 0.344);
}

#define WALKER(control)                                                                            \
  "'environment': {'import': 'empty', 'frequency': 60, "                                           \
  "'physics': 'orrery.physics.bullet.Bullet'}, "                                                   \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots.human.Human', "                        \
  "'position': [0, 0, 0.1], 'objects': ["                                                          \
  "{'name': 'motion', 'classpath': 'morse.actuators.v_omega.MotionVW', "                           \
  "'properties': {'ControlType': " control "}}, "                                                  \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'}]}]"

static void
test_human_velocity (void)
{
  g_autofree char *text = trial_with_engine (WALKER ("'Velocity'"), "kinematic.Kinematic");
  g_autoptr (OrrerySimulation) sim = trial_load (text);

  g_test_summary ("a person does not move by velocity; what to do is said once");
  trial_expected = "robot: a person moves by position only: give what moves it properties "
                   "(ControlType = 'Position')";
  trial_write (sim, "robot.motion", "v", 0.8);
  trial_step (sim, 60);
  g_assert_null (trial_expected);
  assert_near (trial_pose (sim, "robot")->position.x, 0, 1e-12);
}

static void
test_human (void)
{
  static const char scene[] = WALKER ("'Position'");
  g_autofree char *text = trial_with_engine (scene, "kinematic.Kinematic");
  g_autoptr (OrrerySimulation) sim = trial_load (text);
  g_autoptr (OrrerySimulation) heavy = NULL;

  g_test_summary ("a person walks by position, as it is told, and stays where it stands");
  trial_step (sim, 1);
  trial_write (sim, "robot.motion", "v", 0.8);
  trial_write (sim, "robot.motion", "w", 0.5);
  trial_step (sim, 120);
  assert_near (trial_get (sim, "robot.pose", "yaw"), 1 - 0.5 / 60, 1e-6);
  assert_near (trial_pose (sim, "robot")->position.x, 1.6 * sin (1), 1e-2);
  assert_near (trial_pose (sim, "robot")->position.y, 1.6 * (1 - cos (1)), 1e-2);
  if (!trial_has_bullet ())
    return;
  heavy = trial_load (scene);
  trial_step (heavy, 60);
  assert_near (trial_pose (heavy, "robot")->position.z, 0.06, 0.01);
  trial_write (heavy, "robot.motion", "v", 0.8);
  trial_write (heavy, "robot.motion", "w", 0.5);
  trial_step (heavy, 120);
  g_test_message ("walked to %.4f %.4f, tilt %.5f", trial_pose (heavy, "robot")->position.x,
                  trial_pose (heavy, "robot")->position.y, get_tilt (heavy));
  g_assert_cmpfloat (get_tilt (heavy), <, 0.02);
  assert_near (trial_get (heavy, "robot.pose", "yaw"), 1, 0.05);
  assert_near (trial_pose (heavy, "robot")->position.x, 1.6 * sin (1), 0.1);
}

static void
check_fake (const char *engine)
{
  static const char scene[] = SCENE (BULLET, "fakerobot.FakeRobot", "[1.5, 2, 3]",
                                     ", {'name': 'stone', 'position': [1.5, 2, 6], 'body': {"
                                     "'type': 'rigid', 'mass': 5}, 'shapes': [{'kind': 'box', "
                                     "'size': [0.5, 0.5, 0.5]}]}");
  g_autofree char *text = trial_with_engine (scene, engine);
  g_autoptr (OrrerySimulation) sim = NULL;

  if (!trial_has_engine (engine))
    return;
  sim = trial_load (text);
  trial_step (sim, 180);
  /* It does not fall, and nothing that falls on it meets it. */
  assert_near (trial_pose (sim, "robot")->position.z, 3, 1e-12);
  assert_near (trial_get (sim, "robot.pose", "x"), 1.5, 1e-12);
  assert_near (trial_get (sim, "robot.pose", "z"), 3, 1e-12);
  g_assert_cmpfloat (trial_pose (sim, "stone")->position.z, <, 0.5);
  /* What moves a robot moves it, too. */
  trial_write (sim, "robot.motion", "v", 1);
  trial_step (sim, 60);
  assert_near (trial_pose (sim, "robot")->position.x, 2.5, 1e-9);
}

static void
test_fake (void)
{
  g_test_summary ("a FakeRobot is a place for components: no weight, no body");
  check_fake (BULLET);
  check_fake (MUJOCO);
}

int
main (int argc, char **argv)
{
  trial_init (&argc, &argv);
  g_test_add_func ("/actuators/robots/b21", test_b21);
  g_test_add_func ("/actuators/robots/jido", test_jido);
  g_test_add_func ("/actuators/robots/human", test_human);
  g_test_add_func ("/actuators/robots/human/velocity", test_human_velocity);
  g_test_add_func ("/actuators/robots/fake", test_fake);
  return g_test_run ();
}
