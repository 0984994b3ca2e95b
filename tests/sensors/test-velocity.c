/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(name, mode)                                                                         \
  "{'name': '" name "', 'classpath': 'orrery.sensors.velocity.Velocity', "                         \
  "'position': [0.5, 0, 0], 'rotation': [0, 0, 1.5707963267948966], "                              \
  "'properties': {'ComputationMode': '" mode "'}}"
#define MOTION "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}, "
#define PLACE "'rotation': [0, 0, 0.5], "
#define BOTH                                                                                       \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY PLACE                              \
                         "'objects': [" MOTION SENSOR ("physics", "Velocity") ", " SENSOR (        \
                             "auto", "Automatic") ", " SENSOR ("place", "Position") "]}")
#define BODILESS(mode)                                                                             \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT PLACE                                               \
                         "'objects': [" MOTION SENSOR ("sensor", mode) "]}")

static const double V = 2;
static const double W = 0.6;

static void
assert_vec3 (OrreryVec3 v, double x, double y, double z, double epsilon)
{
  assert_near (v.x, x, epsilon);
  assert_near (v.y, y, epsilon);
  assert_near (v.z, z, epsilon);
}

static OrrerySimulation *
drive (const char *scene, guint n)
{
  OrrerySimulation *sim = orrery_test_load (scene);

  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_write (sim, "robot.motion", "w", W);
  orrery_test_step (sim, n);
  return sim;
}

static void
test_physics (void)
{
  static const char *const names[] = { "robot.physics", "robot.auto" };
  g_autoptr (OrrerySimulation) sim = NULL;
  double yaw = 0.5 + 100 * W / 60;

  g_test_summary ("by velocity: the robot's own, turned into the sensor's axes, no lever arm");
  sim = drive (BOTH, 101);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    /* The sensor looks to the left: forwards is its -y. */
    assert_vec3 (orrery_test_get_vec3 (sim, names[i], "linear_velocity"), 0, -V, 0, 1e-12);
    assert_vec3 (orrery_test_get_vec3 (sim, names[i], "angular_velocity"), 0, 0, W, 1e-12);
    assert_vec3 (orrery_test_get_vec3 (sim, names[i], "world_linear_velocity"), V * cos (yaw),
                 V * sin (yaw), 0, 1e-12);
  }
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;
  double chord;

  g_test_summary ("by position: the motion of the sensor's point, lever arm and all");
  sim = drive (BOTH, 101);
  v = orrery_test_get_vec3 (sim, "robot.place", "linear_velocity");
  /* On a circle of radius hypot (v / w, 0.5), seen along its chord; times are whole ns. */
  chord = 2 * hypot (V / W, 0.5) * sin (W / 120) * 60;
  assert_near (hypot (v.x, v.y), chord, 1e-6);
  assert_near (v.x, 0.5 * W, 0.02);
  assert_near (v.y, -V, 0.01);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.place", "angular_velocity"), 0, 0, W, 1e-6);
}

static void
test_half_circle (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double most = 0;

  g_test_summary ("turning through half a circle is no spike");
  sim = drive (BODILESS ("Position"), 2);
  for (int k = 0; k < 600; k++) {
    orrery_test_step (sim, 1);
    most = fmax (most, fabs (orrery_test_get_vec3 (sim, "robot.sensor", "angular_velocity").z));
  }
  assert_near (most, W, 1e-6);
}

static void
test_first_step (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;

  g_test_summary ("without physics Automatic is by position; its first step shows zeros");
  sim = drive (BODILESS ("Automatic"), 1);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "linear_velocity"), 0, 0, 0, 1e-12);
  orrery_test_step (sim, 1);
  v = orrery_test_get_vec3 (sim, "robot.sensor", "world_linear_velocity");
  g_assert_cmpfloat (hypot (v.x, v.y), >, 1.9);
}

static void
test_mode (void)
{
  g_test_summary (
      "a robot without physics has no velocities to read; a mode that is none, neither");
  orrery_test_refuse (BODILESS ("Velocity"), "robot has no physics");
  orrery_test_refuse (BODILESS ("velocity"), "one of Automatic, Velocity, Position");
}

static void
test_frequency (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT "'objects': [{'name': 'sensor', 'frequency': 25, "
      "'classpath': 'orrery.sensors.velocity.Velocity'}, "
      "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"));

  g_test_summary ("by position speeds are by the time between steps, 2 or 3 ticks, not by 1/25 s");
  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_step (sim, 5);
  for (int k = 0; k < 60; k++) {
    assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "linear_velocity").x, V, 1e-6);
    orrery_test_step (sim, 1);
  }
}

static void
test_robot_clock (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;

  g_test_summary ("by position speeds are by the robot's clock: one that gains 10 % shows less");
  sim = drive (BODILESS ("Position") ", 'component_modifier': {'robot': "
                                     "[['orrery.modifiers.clock.ClockDriftModifier', "
                                     "{'drift': 0.1}]]}",
               100);
  v = orrery_test_get_vec3 (sim, "robot.sensor", "angular_velocity");
  assert_near (v.z, W / 1.1, 1e-6);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/velocity/physics", test_physics);
  g_test_add_func ("/sensors/velocity/position", test_position);
  g_test_add_func ("/sensors/velocity/half-circle", test_half_circle);
  g_test_add_func ("/sensors/velocity/first-step", test_first_step);
  g_test_add_func ("/sensors/velocity/mode", test_mode);
  g_test_add_func ("/sensors/velocity/frequency", test_frequency);
  g_test_add_func ("/sensors/velocity/robot-clock", test_robot_clock);
  return g_test_run ();
}
