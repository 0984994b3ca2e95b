/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Forces on a robot in empty space: Newton says where it goes. */

#define BODY(more) "'body': {'type': 'rigid', 'mass': 4, 'damping': [0, 0]" more "}, "
#define BOX "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], "
#define SPACE(robot, actuator)                                                                     \
  "'environment': {'gravity': [0, 0, 0], 'physics': 'orrery.physics.bullet.Bullet'}, "             \
  "'objects': [{" ORRERY_TEST_ROBOT BODY ("") BOX robot                                            \
      "'objects': [{'name': 'actuator', 'classpath': "                                             \
      "'morse.actuators." actuator "}]}]"
#define TURNED "'rotation': [0, 0, 1.5707963267948966], "
#define STEP (1.0 / 60)

static OrreryVec3
get_velocity (OrrerySimulation *sim, gboolean angular)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);
  guint index = orrery_object_get_index (orrery_world_find_object (world, "robot"));
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);

  return angular ? *orrery_snapshot_get_angular_velocity (snapshot, index)
                 : *orrery_snapshot_get_linear_velocity (snapshot, index);
}

static void
write_vec3 (OrrerySimulation *sim, const char *field, double x, double y, double z)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_write (sim, orrery_test_find (sim, "robot.actuator"), field,
                           g_variant_new ("(ddd)", x, y, z), &error);
  g_assert_no_error (error);
}

#define assert_vec3(v, a, b, c, tolerance)                                                         \
  G_STMT_START                                                                                     \
  {                                                                                                \
    OrreryVec3 v_ = (v);                                                                           \
    assert_near (v_.x, a, tolerance);                                                              \
    assert_near (v_.y, b, tolerance);                                                              \
    assert_near (v_.z, c, tolerance);                                                              \
  }                                                                                                \
  G_STMT_END

static void
test_external (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("ExternalForce acts in the world's axes, in every tick, on a turned robot too");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (SPACE (TURNED, "external_force.ExternalForce'"));
  orrery_test_assert_fields (sim, "robot.actuator", "force torque");
  write_vec3 (sim, "force", 8, 0, -2);
  orrery_test_step (sim, 30);
  assert_vec3 (get_velocity (sim, FALSE), 8.0 / 4 / 2, 0, -2.0 / 4 / 2, 1e-9);
  write_vec3 (sim, "force", 0, 0, 0);
  orrery_test_step (sim, 30);
  assert_vec3 (get_velocity (sim, FALSE), 1, 0, -0.25, 1e-9);
}

static void
test_torque (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) turned = NULL;

  g_test_summary ("a torque turns the robot by its inertia, m (b2 + c2) / 12 of the box around it, "
                  "about the world's axes");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (SPACE ("", "external_force.ExternalForce'"));
  write_vec3 (sim, "torque", 0, 0, 0.5);
  orrery_test_step (sim, 60);
  /* Of a cube of 1 m and 4 kg: 2/3 kg m2. */
  assert_vec3 (get_velocity (sim, TRUE), 0, 0, 0.5 / (2.0 / 3), 1e-6);
  turned = orrery_test_load (SPACE (TURNED, "external_force.ExternalForce'"));
  write_vec3 (turned, "torque", 0.5, 0, 0);
  orrery_test_step (turned, 1);
  assert_vec3 (get_velocity (turned, TRUE), 0.5 / (2.0 / 3) * STEP, 0, 0, 1e-9);
}

static void
test_robot_frame (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("ForceTorque with RobotFrame pushes the centre of mass in the robot's axes");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (SPACE (TURNED, "force_torque.ForceTorque', 'position': [0, 0, 0.4], "
                                         "'properties': {'RobotFrame': true}"));
  orrery_test_assert_fields (sim, "robot.actuator", "force torque");
  write_vec3 (sim, "force", 4, 0, 0);
  orrery_test_step (sim, 60);
  assert_vec3 (get_velocity (sim, FALSE), 0, 1, 0, 1e-9);
  assert_vec3 (get_velocity (sim, TRUE), 0, 0, 0, 1e-9);
  write_vec3 (sim, "torque", 0.5, 0, 0);
  orrery_test_step (sim, 1);
  assert_vec3 (get_velocity (sim, TRUE), 0, 0.5 / (2.0 / 3) * STEP, 0, 1e-9);
}

static void
test_lever (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("else the force acts where the actuator is, in its axes: it has a lever");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  /* Turned to the left, mounted ahead: a force along its x axis points left, and turns left. */
  sim = orrery_test_load (SPACE ("", "force_torque.ForceTorque', 'position': [0.4, 0, 0], "
                                     "'rotation': [0, 0, 1.5707963267948966]"));
  write_vec3 (sim, "force", 4, 0, 0);
  orrery_test_step (sim, 1);
  assert_vec3 (get_velocity (sim, FALSE), 0, 4.0 / 4 * STEP, 0, 1e-9);
  assert_vec3 (get_velocity (sim, TRUE), 0, 0, 0.4 * 4 / (2.0 / 3) * STEP, 1e-6);

  write_vec3 (sim, "force", 0, 0, 0);
  write_vec3 (sim, "torque", 0, 0, -0.4 * 4);
  orrery_test_step (sim, 1);
  assert_vec3 (get_velocity (sim, TRUE), 0, 0, 0, 1e-6);
}

static void
test_drag (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double v = 3;

  g_test_summary ("Drag takes k v^2 / m in each tick, along the robot's axes");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (
      "'environment': {'gravity': [0, 0, 0], 'physics': "
      "'orrery.physics.bullet.Bullet'}, "
      "'objects': [{" ORRERY_TEST_ROBOT BODY ("") BOX TURNED
      "'objects': [{'name': 'push', 'classpath': "
      "'orrery.actuators.external_force.ExternalForce'}, {'name': 'actuator', "
      "'classpath': 'morse.actuators.drag.Drag', 'properties': {'DragCoeffX': 0.5, "
      "'DragCoeffY': 0.0}}]}]");
  orrery_test_assert_fields (sim, "robot.actuator", "");
  {
    g_autoptr (GError) error = NULL;
    OrreryComponent *push = orrery_test_find (sim, "robot.push");

    /* 3 m/s to the left of the world, ahead of the robot, and as much backwards. */
    orrery_simulation_write (sim, push, "force", g_variant_new ("(ddd)", -720.0, 720.0, 0.0),
                             &error);
    g_assert_no_error (error);
    orrery_test_step (sim, 1);
    orrery_simulation_write (sim, push, "force", g_variant_new ("(ddd)", 0.0, 0.0, 0.0), &error);
    g_assert_no_error (error);
  }
  for (guint i = 0; i < 60; i++) {
    orrery_test_step (sim, 1);
    v -= 0.5 * v * v / 4 * STEP;
  }
  assert_vec3 (get_velocity (sim, FALSE), -3, v, 0, 1e-9);
  orrery_test_refuse (SPACE ("", "drag.Drag', 'properties': {'DragCoeffZ': -1}"), "0 to 1000000");
}

#define DESTINATION(place, rest)                                                                   \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY place                              \
                         "'objects': [{'name': 'actuator', "                                       \
                         "'classpath': 'morse.actuators.destination.Destination'" rest "}]}")

static void
test_destination (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const OrreryVec3 *p;

  g_test_summary ("Destination goes straight to its point with Speed, turned or not, and rests");
  sim = orrery_test_load (DESTINATION (TURNED, ", 'properties': {'Speed': 1.5, 'Tolerance': 0.1}"));
  orrery_test_assert_fields (sim, "robot.actuator", "x y z");
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 0, 1e-12);
  orrery_test_write (sim, "robot.actuator", "x", 3);
  orrery_test_write (sim, "robot.actuator", "z", 4);
  orrery_test_step (sim, 120);
  p = &orrery_test_get_pose (sim, "robot")->position;
  assert_vec3 (*p, 1.8, 0, 2.4, 1e-5);
  orrery_test_step (sim, 120);
  p = &orrery_test_get_pose (sim, "robot")->position;
  g_assert_cmpfloat (hypot (p->x - 3, p->z - 4), <=, 0.1);
  g_assert_cmpfloat (hypot (p->x - 3, p->z - 4), >, 0.05);
}

static void
push_away (OrrerySimulation *sim)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);

  orrery_test_step (sim, 1);
  orrery_commands_set_pose (orrery_world_get_commands (world),
                            orrery_world_find_object (world, "robot"),
                            &(OrreryTransform){ { 0, 6, 0 }, { 1, 0, 0, 0 } });
  orrery_test_step (sim, 90);
}

static void
test_destination_remain (void)
{
  g_autoptr (OrrerySimulation) free = orrery_test_load (DESTINATION ("", ""));
  g_autoptr (OrrerySimulation) held =
      orrery_test_load (DESTINATION ("", ", 'properties': {'RemainAtDestination': true}"));

  g_test_summary ("pushed away it stays there, or comes back at 5 m/s to 0.5 m of its goal");
  push_away (free);
  assert_vec3 (orrery_test_get_pose (free, "robot")->position, 0, 6, 0, 1e-9);
  push_away (held);
  /* Steps of 1/12 m from 6 m: the first that is within 0.5 m. */
  assert_vec3 (orrery_test_get_pose (held, "robot")->position, 0, 0.5, 0, 1e-3);
}

static void
test_destination_reset (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a reset on the way takes it back to its start, and it stays");
  sim = orrery_test_load (DESTINATION ("", ", 'properties': {'ControlType': 'Position'}"));
  orrery_test_write (sim, "robot.actuator", "y", -20);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, -5, 1e-9);
  g_assert_true (orrery_simulation_reset (sim, &error));
  g_assert_no_error (error);
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, 0, 1e-12);
}

int
main (int argc, char *argv[])
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/forces/external", test_external);
  g_test_add_func ("/actuators/forces/torque", test_torque);
  g_test_add_func ("/actuators/forces/robot-frame", test_robot_frame);
  g_test_add_func ("/actuators/forces/lever", test_lever);
  g_test_add_func ("/actuators/forces/drag", test_drag);
  g_test_add_func ("/actuators/destination/goes", test_destination);
  g_test_add_func ("/actuators/destination/remain", test_destination_remain);
  g_test_add_func ("/actuators/destination/reset", test_destination_reset);
  return g_test_run ();
}
