/* SPDX-License-Identifier: BSD-3-Clause */
#include "name-engine.h"

/* The actuators on a robot with weight and friction, on the ground. */

#define ATRV_AT(z, objects)                                                                        \
  "'environment': {'import': 'empty', 'physics': 'orrery.physics.bullet.Bullet'}, "                \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots.atrv.ATRV', 'position': [0, 0, " z     \
  "], 'objects': [" objects "]}]"
#define ATRV(objects) ATRV_AT ("0", objects)
#define ACTUATOR(module, name)                                                                     \
  "{'name': 'actuator', 'classpath': 'morse.actuators." module "." name "'}"
#define VELOCITY "{'name': 'velocity', 'classpath': 'morse.sensors.velocity.Velocity'}"

static double
distance_to (OrrerySimulation *sim, double x, double y)
{
  const OrreryVec3 *p = &orrery_test_get_pose (sim, "robot")->position;

  return hypot (x - p->x, y - p->y);
}

static void
test_waypoint (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) first = NULL;
  g_autoptr (OrreryCall) second = NULL;
  OrreryVec3 v;

  g_test_summary ("a heavy robot arrives, in front and behind, and stands still when cancelled");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV (ACTUATOR ("waypoint", "Waypoint") ", " VELOCITY));
  orrery_test_step (sim, 60);
  first = orrery_test_call (sim, "robot.actuator", "goto", "(4.0, 1.0, 0.0, 0.3, 1.0)");
  orrery_test_step (sim, 10 * 60);
  g_assert_true (orrery_call_is_done (first));
  g_assert_cmpfloat (distance_to (sim, 4, 1), <, 0.35);

  second = orrery_test_call (sim, "robot.actuator", "goto", "(-4.0, 0.0, 0.0, 0.3, 1.0)");
  orrery_test_step (sim, 10 * 60);
  v = orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity");
  assert_near (v.x, 1, 0.1);
  orrery_call_cancel (second);
  orrery_test_step (sim, 60);
  v = orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity");
  assert_near (orrery_vec3_length (&v), 0, 0.01);
}

/* Nothing is commanded any more: friction (0.5 on 0.5) takes g / 4 of the velocity each second. */
static void
test_coast (gconstpointer engine)
{
  g_autofree char *scene =
      name_engine (ATRV (ACTUATOR ("waypoint", "Waypoint") ", " VELOCITY), engine);
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;
  double x;

  g_test_summary ("told to stop, a heavy robot slides on; told to go on, it goes");
  if (!orrery_test_has_engine (engine))
    return;
  sim = orrery_test_load (scene);
  orrery_test_step (sim, 60);
  orrery_test_assert_answer (sim, "robot.actuator", "setdest", "(9.0, 0.0, 0.0, 0.3, 1.0)", "true");
  orrery_test_step (sim, 60);
  orrery_test_assert_answer (sim, "robot.actuator", "stop", NULL, "'Stop'");
  x = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 1);
  v = orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity");
  orrery_test_step (sim, 10);
  g_assert_cmpfloat (orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity").x, >, 0.4);
  orrery_test_step (sim, 50);
  g_test_message ("%.3f m from %.3f m/s", orrery_test_get_pose (sim, "robot")->position.x - x, v.x);
  assert_near (v.x, 0.95, 0.03);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x - x, v.x * v.x / (2 * 0.25 * 9.81),
               0.01);
  v = orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity");
  assert_near (v.x, 0, 1e-3);
  orrery_test_assert_answer (sim, "robot.actuator", "resume", NULL, "'Transit'");
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity").x, 1, 0.1);
}

static void
test_motion (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;
  OrreryVec3 w;

  g_test_summary ("MotionVW holds both speeds against friction; the sensor reads them");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV (ACTUATOR ("v_omega", "MotionVW") ", " VELOCITY));
  orrery_test_write (sim, "robot.actuator", "v", 1);
  orrery_test_write (sim, "robot.actuator", "w", 0.5);
  orrery_test_step (sim, 120);
  v = orrery_test_get_vec3 (sim, "robot.velocity", "linear_velocity");
  w = orrery_test_get_vec3 (sim, "robot.velocity", "angular_velocity");
  assert_near (v.x, 1, 0.1);
  assert_near (w.z, 0.5, 0.05);
}

static void
test_teleport (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("Teleport holds a heavy robot in the air and lets it fall when deactivated");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV (ACTUATOR ("teleport", "Teleport")));
  orrery_test_write (sim, "robot.actuator", "z", 5);
  orrery_test_write (sim, "robot.actuator", "x", 7);
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 7, 0.01);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 5, 0.01);
  orrery_component_set_active (orrery_test_find (sim, "robot.actuator"), FALSE);
  orrery_test_step (sim, 120);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, <, 0.3);
}

static void
test_orientation (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double roll, pitch, yaw;

  g_test_summary ("Orientation turns a robot on the ground");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV ("{'name': 'actuator', 'properties': {'speed': 1.0}, "
                                "'classpath': 'morse.actuators.orientation.Orientation'}"));
  orrery_test_write (sim, "robot.actuator", "yaw", -2);
  orrery_test_step (sim, 240);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, -2, 0.03);
}

static void
set_no_gravity (OrrerySimulation *sim, gboolean on)
{
  g_autoptr (OrreryCall) call =
      orrery_test_call (sim, "robot", "set_property",
                        on ? "('NoGravity', true)" : "('NoGravity', false)");

  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
}

static void
test_gravity (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary (
      "NoGravity, set while it runs, holds a robot that is driven; taken back, it falls");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV_AT ("5", ACTUATOR ("v_omega", "MotionVW")));
  set_no_gravity (sim, TRUE);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 5.1, 0.001);
  set_no_gravity (sim, FALSE);
  orrery_test_step (sim, 60);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, <, 3);
}

static void
test_gravity_alone (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("NoGravity, set while it runs, holds a robot that nobody drives");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (ATRV_AT ("5", ""));
  set_no_gravity (sim, TRUE);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 5.1, 0.001);
  set_no_gravity (sim, FALSE);
  orrery_test_step (sim, 60);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, <, 3);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/bullet/waypoint", test_waypoint);
  g_test_add_data_func ("/actuators/bullet/coast", "bullet.Bullet", test_coast);
  g_test_add_data_func ("/actuators/mujoco/coast", "mujoco.MuJoCo", test_coast);
  g_test_add_func ("/actuators/bullet/motion", test_motion);
  g_test_add_func ("/actuators/bullet/teleport", test_teleport);
  g_test_add_func ("/actuators/bullet/orientation", test_orientation);
  g_test_add_func ("/actuators/bullet/gravity", test_gravity);
  g_test_add_func ("/actuators/bullet/gravity-alone", test_gravity_alone);
  return g_test_run ();
}
