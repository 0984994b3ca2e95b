/* SPDX-License-Identifier: BSD-3-Clause */
#include "../trial.h"

/* Rotorcraft against their closed linear models, and that they fly where they are told. */

#define STEP (1.0 / 60)
#define CRAFT(place, more)                                                                         \
  "'environment': {'physics': 'orrery.physics.bullet.Bullet'}, "                                   \
  "'objects': [{'name': 'robot', 'classpath': 'morse.robots.quadrotor_dynamic.Quadrotor', " place  \
  "'objects': [{'name': 'fly', 'classpath': 'morse.actuators." more "}]}]"
#define HIGH "'position': [0, 0, 10], "

static guint
find_index (OrrerySimulation *sim)
{
  return orrery_object_get_index (
      orrery_world_find_object (orrery_simulation_get_world (sim), "robot"));
}

static OrreryVec3
get_velocity (OrrerySimulation *sim)
{
  return *orrery_snapshot_get_linear_velocity (orrery_world_get_snapshot (
                                                   orrery_simulation_get_world (sim)),
                                               find_index (sim));
}

static OrreryVec3
get_rates (OrrerySimulation *sim)
{
  return *orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (
                                                    orrery_simulation_get_world (sim)),
                                                find_index (sim));
}

static OrreryEuler
get_attitude (OrrerySimulation *sim)
{
  OrreryEuler e;

  orrery_quat_to_euler (&trial_pose (sim, "robot")->rotation, &e.roll, &e.pitch, &e.yaw);
  return e;
}

static void
test_attitude_law (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 rates;
  double kept = pow (1 - 0.1, STEP);

  g_test_summary ("the first step of attitude gives (P + D f) e thrust of angular acceleration; "
                  "roll right, nose up, clockwise are positive");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                 "{'YawRateControl': false}"));
  trial_assert_fields (sim, "robot.fly", "roll pitch yaw thrust");
  trial_write (sim, "robot.fly", "roll", 0.001);
  trial_write (sim, "robot.fly", "pitch", 0.002);
  trial_write (sim, "robot.fly", "yaw", 0.003);
  trial_write (sim, "robot.fly", "thrust", 0.5);
  trial_step (sim, 1);
  rates = get_rates (sim);
  /* Damping acts in each substep, on what came before: between once and twice. */
  assert_near (rates.x, (100 + 20 * 60) * 0.001 * 0.5 * STEP, (1 - kept) * 0.02);
  assert_near (rates.y, -(100 + 20 * 60) * 0.002 * 0.5 * STEP, (1 - kept) * 0.02);
  assert_near (rates.z, -(16 + 4 * 60) * 0.003 * 0.5 * STEP, (1 - kept) * 0.02);
  assert_near (get_velocity (sim).z, (40 * 0.5 / 2 - 9.81) * STEP, 2e-4);
}

static void
test_attitude_holds (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("attitude is held; yaw turns at its rate; without thrust it falls untouched");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT ("'position': [0, 0, 500], ", "rotorcraft_attitude.RotorcraftAttitude'"));
  trial_step (sim, 30);
  assert_near (get_velocity (sim).z, -9.81 / 2, 0.1);
  assert_near (get_attitude (sim).roll, 0, 1e-9);
  trial_write (sim, "robot.fly", "roll", 0.1);
  trial_write (sim, "robot.fly", "pitch", -0.05);
  trial_write (sim, "robot.fly", "yaw", 0.2);
  trial_write (sim, "robot.fly", "thrust", 0.5);
  trial_step (sim, 300);
  assert_near (get_attitude (sim).roll, 0.1, 0.01);
  assert_near (get_attitude (sim).pitch, 0.05, 0.01);
  assert_near (get_rates (sim).z, -0.2, 0.02);
}

static void
test_square_thrust (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("without LinearThrust the force is ThrustFactor thrust^2");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                 "{'LinearThrust': false, 'ThrustFactor': 80}"));
  trial_write (sim, "robot.fly", "thrust", 0.5);
  trial_step (sim, 1);
  assert_near (get_velocity (sim).z, (80 * 0.25 / 2 - 9.81) * STEP, 2e-4);
}

static void
test_north (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("yaw counts from north with UseAngleAgainstNorth: x points East unless told");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                 "{'UseAngleAgainstNorth': true, 'YawRateControl': false}"));
  trial_write (sim, "robot.fly", "yaw", G_PI / 2 - 0.3);
  trial_write (sim, "robot.fly", "thrust", 0.49);
  trial_step (sim, 400);
  assert_near (get_attitude (sim).yaw, 0.3, 0.01);
}

static void
test_velocity (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 v;

  g_test_summary (
      "a velocity in the craft's plane is reached; it turns to a yaw of 0 first, and vyaw "
      "turns it clockwise");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT ("'position': [0, 0, 50], 'rotation': [0, 0, 1.5707963267948966], ",
                           "rotorcraft_velocity.RotorcraftVelocity'"));
  trial_assert_fields (sim, "robot.fly", "vx vy vz vyaw tolerance");
  trial_assert_answer (sim, "robot.fly", "setvel", "(1.0, 0.5, 0.25, 0.0)", "true");
  trial_step (sim, 900);
  v = get_velocity (sim);
  assert_near (get_attitude (sim).yaw, 0, 0.01);
  assert_near (v.x, 1, 0.1);
  assert_near (v.y, 0.5, 0.1);
  assert_near (v.z, 0.25, 0.05);
  trial_assert_answer (sim, "robot.fly", "setvel", "(0.0, 0.0, 0.0, 0.1, 0.1)", "true");
  trial_step (sim, 600);
  assert_near (get_rates (sim).z, -0.1, 0.01);
}

#define TURNED "'position': [0, 0, 10], 'rotation': [0, 0, 0.001], "

static void
test_first_yaw (void)
{
  g_autoptr (OrrerySimulation) attitude = NULL;
  g_autoptr (OrrerySimulation) velocity = NULL;

  g_test_summary (
      "the yaw to hold begins at 0, not at the craft's own: its error is there at once");
  if (!trial_has_bullet ())
    return;
  attitude = trial_load (CRAFT (TURNED, "rotorcraft_attitude.RotorcraftAttitude'"));
  trial_write (attitude, "robot.fly", "thrust", 0.5);
  trial_step (attitude, 1);
  /* Both errors before it are 0, and a hovering thrust is the weight. */
  assert_near (get_rates (attitude).z, -(16 + 4 * 60) * 0.001 * 0.5 * STEP, 2e-5);
  velocity = trial_load (CRAFT (TURNED, "rotorcraft_velocity.RotorcraftVelocity'"));
  trial_step (velocity, 1);
  assert_near (get_rates (velocity).z, -(12 + 8 * 60) * 0.001 * STEP, 2e-5);
}

static void
fly_to_goal (OrrerySimulation *sim, const char *arguments)
{
  g_autoptr (OrreryCall) call = trial_call (sim, "robot.fly", "goto", arguments);

  trial_assert_answer (sim, "robot.fly", "get_status", NULL, "'Transit'");
  for (guint i = 0; i < 1800 && !orrery_call_is_done (call); i++)
    trial_step (sim, 1);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  g_assert_cmpstr (g_variant_get_string (orrery_call_get_result (call, NULL), NULL), ==, "Arrived");
}

static void
test_waypoint (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const OrreryTransform *pose;

  g_test_summary ("goto flies there, turns as told, and answers Arrived; then it hovers");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "rotorcraft_waypoint.RotorcraftWaypoint'"));
  trial_assert_fields (sim, "robot.fly", "x y z yaw tolerance");
  assert_near (trial_get (sim, "robot.fly", "z"), 10, 1e-12);
  trial_step (sim, 120);
  trial_assert_answer (sim, "robot.fly", "get_status", NULL, "'Arrived'");
  assert_near (trial_pose (sim, "robot")->position.z, 10, 0.05);
  trial_assert_answer (sim, "robot.fly", "setdest", "(0.0, 0.0, 10.0, 0.0)", "false");

  fly_to_goal (sim, "(4.0, -3.0, 12.0, 1.0, 0.2)");
  trial_step (sim, 900);
  pose = trial_pose (sim, "robot");
  assert_near (pose->position.x, 4, 0.05);
  assert_near (pose->position.y, -3, 0.05);
  assert_near (pose->position.z, 12, 0.05);
  assert_near (get_attitude (sim).yaw, 1, 0.02);
}

static void
test_waypoint_mounted (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the first goal is where the robot is, not its actuator");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT ("'position': [1, 2, 10], 'rotation': [0, 0, 0.3], ",
                           "rotorcraft_waypoint.RotorcraftWaypoint', 'position': [0.5, 0, 0.2]"));
  assert_near (trial_get (sim, "robot.fly", "x"), 1, 1e-12);
  assert_near (trial_get (sim, "robot.fly", "y"), 2, 1e-12);
  assert_near (trial_get (sim, "robot.fly", "z"), 10, 1e-12);
  assert_near (trial_get (sim, "robot.fly", "yaw"), 0.3, 1e-12);
}

static void
test_waypoint_preempted (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) first = NULL;
  OrreryVec3 v;

  g_test_summary ("a second goto preempts the first; a cancelled one hovers where it is");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "rotorcraft_waypoint.RotorcraftWaypoint'"));
  first = trial_call (sim, "robot.fly", "goto", "(50.0, 0.0, 10.0, 0.0)");
  trial_step (sim, 60);
  fly_to_goal (sim, "(1.0, 0.0, 10.0, 0.0)");
  g_assert_cmpint (orrery_call_get_fault (first), ==, ORRERY_CALL_PREEMPTED);
  {
    g_autoptr (OrreryCall) second = trial_call (sim, "robot.fly", "goto", "(0.0, 50.0, 10.0, 0.0)");

    trial_step (sim, 120);
    orrery_call_cancel (second);
    trial_step (sim, 900);
    v = get_velocity (sim);
    assert_near (orrery_vec3_length (&v), 0, 0.05);
    g_assert_cmpfloat (trial_pose (sim, "robot")->position.y, <, 20);
  }
}

static void
test_engines (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  const double rate = sqrt (2 * 9.81 / 4 / 9.169e-06);

  g_test_summary ("four engines carry the weight; one that is faster turns it about its arm");
  if (!trial_has_bullet ())
    return;
  sim = trial_load (CRAFT (HIGH, "quadrotor_dynamic_control.QuadrotorDynamicControl'"));
  trial_assert_fields (sim, "robot.fly", "engines");
  orrery_simulation_write (sim, trial_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[%d, %d, %d, %d]", rate, rate, rate, rate),
                           &error);
  g_assert_no_error (error);
  trial_step (sim, 60);
  assert_near (get_velocity (sim).z, 0, 1e-6);
  assert_near (get_rates (sim).z, 0, 1e-9);

  orrery_simulation_write (sim, trial_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[%d, %d, %d, %d]", rate * 1.1, rate, rate, rate),
                           &error);
  g_assert_no_error (error);
  trial_step (sim, 1);
  assert_near (get_rates (sim).x, 0, 1e-6);
  g_assert_cmpfloat (get_rates (sim).y, >, 0.01);
  g_assert_cmpfloat (get_rates (sim).z, <, -1e-4);

  trial_expected = "engines has 3 values";
  orrery_simulation_write (sim, trial_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[1.0, 2.0, 3.0]"), &error);
  g_assert_no_error (error);
  trial_step (sim, 2);
  g_assert_null (trial_expected);
  trial_refuse (CRAFT ("", "quadrotor_dynamic_control.QuadrotorDynamicControl', 'properties': "
                           "{'Configuration': 'y'}"),
                "one of +, x");
}

#define STABILIZED                                                                                 \
  TRIAL_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.quadrotor.Quadrotor', "           \
                   "'objects': [{'name': 'fly', 'classpath': "                                     \
                   "'morse.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}")

static void
test_stabilized (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double before;

  g_test_summary ("QUAD2012 climbs to its height, tilts as a filter does, and turns by psi");
  sim = trial_load (STABILIZED);
  trial_assert_fields (sim, "robot.fly", "theta_c phi_c psi_c h_c");
  trial_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.0, 0.0, 3.0)", "");
  trial_step (sim, 600);
  assert_near (trial_pose (sim, "robot")->position.z, 3, 1e-3);
  trial_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.02, 0.0, 3.0)", "");
  trial_step (sim, 120);
  assert_near (get_attitude (sim).pitch, 0.02, 1e-6);
  /* Ahead, with g tan theta, a little less of it while it tilts. */
  before = trial_pose (sim, "robot")->position.x;
  trial_step (sim, 1);
  assert_near (trial_pose (sim, "robot")->position.x - before,
               10 * tan (0.02) * (2 - 2 * 0.7 / 10) * STEP, 2e-4);

  trial_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.0, 0.1, 3.0)", "");
  trial_step (sim, 300);
  before = get_attitude (sim).yaw;
  trial_step (sim, 60);
  /* omega psi / (2 xi) */
  assert_near (orrery_normalise_angle (get_attitude (sim).yaw - before), -10 * 0.1 / 1.4, 1e-3);
  trial_assert_answer (sim, "robot.fly", "stop", NULL, "");
  trial_step (sim, 1);
  before = trial_pose (sim, "robot")->position.x;
  trial_step (sim, 60);
  assert_near (trial_pose (sim, "robot")->position.x, before, 1e-9);
}

static void
test_stabilized_turned (void)
{
  g_autoptr (OrrerySimulation) sim = trial_load (
      TRIAL_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.quadrotor.Quadrotor', "
                       "'rotation': [0, 0, 1.2], 'objects': [{'name': 'fly', 'classpath': "
                       "'morse.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}"));

  g_test_summary ("its filters begin at 0: a turned craft has a yaw of 0 with the first step");
  trial_step (sim, 1);
  assert_near (get_attitude (sim).yaw, 0, 1e-12);
}

static void
test_wrong_robots (void)
{
  g_test_summary ("a craft without a body that turns is refused, and so is one with it where a "
                  "kinematic one is meant");
  trial_refuse (TRIAL_KINEMATIC ("{" TRIAL_ROBOT "'objects': [{'name': 'fly', 'classpath': "
                                 "'orrery.actuators.rotorcraft_waypoint.RotorcraftWaypoint'}]}"),
                "robot has no rigid body");
  trial_refuse (TRIAL_KINEMATIC ("{" TRIAL_ROBOT TRIAL_BODY
                                 "'objects': [{'name': 'fly', 'classpath': "
                                 "'orrery.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}"),
                "robot has a body");
}

int
main (int argc, char *argv[])
{
  trial_init (&argc, &argv);
  g_test_add_func ("/actuators/rotorcraft/attitude/law", test_attitude_law);
  g_test_add_func ("/actuators/rotorcraft/attitude/holds", test_attitude_holds);
  g_test_add_func ("/actuators/rotorcraft/attitude/thrust", test_square_thrust);
  g_test_add_func ("/actuators/rotorcraft/attitude/north", test_north);
  g_test_add_func ("/actuators/rotorcraft/velocity", test_velocity);
  g_test_add_func ("/actuators/rotorcraft/first-yaw", test_first_yaw);
  g_test_add_func ("/actuators/rotorcraft/waypoint", test_waypoint);
  g_test_add_func ("/actuators/rotorcraft/waypoint/mounted", test_waypoint_mounted);
  g_test_add_func ("/actuators/rotorcraft/waypoint/preempted", test_waypoint_preempted);
  g_test_add_func ("/actuators/rotorcraft/engines", test_engines);
  g_test_add_func ("/actuators/rotorcraft/stabilized", test_stabilized);
  g_test_add_func ("/actuators/rotorcraft/stabilized/turned", test_stabilized_turned);
  g_test_add_func ("/actuators/rotorcraft/wrong-robots", test_wrong_robots);
  return g_test_run ();
}
