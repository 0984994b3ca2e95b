/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

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

  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &e.roll, &e.pitch, &e.yaw);
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                       "{'YawRateControl': false}"));
  orrery_test_assert_fields (sim, "robot.fly", "roll pitch yaw thrust");
  orrery_test_write (sim, "robot.fly", "roll", 0.001);
  orrery_test_write (sim, "robot.fly", "pitch", 0.002);
  orrery_test_write (sim, "robot.fly", "yaw", 0.003);
  orrery_test_write (sim, "robot.fly", "thrust", 0.5);
  orrery_test_step (sim, 1);
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (
      CRAFT ("'position': [0, 0, 500], ", "rotorcraft_attitude.RotorcraftAttitude'"));
  orrery_test_step (sim, 30);
  assert_near (get_velocity (sim).z, -9.81 / 2, 0.1);
  assert_near (get_attitude (sim).roll, 0, 1e-9);
  orrery_test_write (sim, "robot.fly", "roll", 0.1);
  orrery_test_write (sim, "robot.fly", "pitch", -0.05);
  orrery_test_write (sim, "robot.fly", "yaw", 0.2);
  orrery_test_write (sim, "robot.fly", "thrust", 0.5);
  orrery_test_step (sim, 300);
  assert_near (get_attitude (sim).roll, 0.1, 0.01);
  assert_near (get_attitude (sim).pitch, 0.05, 0.01);
  assert_near (get_rates (sim).z, -0.2, 0.02);
}

static void
test_square_thrust (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("without LinearThrust the force is ThrustFactor thrust^2");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                       "{'LinearThrust': false, 'ThrustFactor': 80}"));
  orrery_test_write (sim, "robot.fly", "thrust", 0.5);
  orrery_test_step (sim, 1);
  assert_near (get_velocity (sim).z, (80 * 0.25 / 2 - 9.81) * STEP, 2e-4);
}

static void
test_north (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("yaw counts from north with UseAngleAgainstNorth: x points East unless told");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_attitude.RotorcraftAttitude', 'properties': "
                                       "{'UseAngleAgainstNorth': true, 'YawRateControl': false}"));
  orrery_test_write (sim, "robot.fly", "yaw", G_PI / 2 - 0.3);
  orrery_test_write (sim, "robot.fly", "thrust", 0.49);
  orrery_test_step (sim, 400);
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT ("'position': [0, 0, 50], 'rotation': [0, 0, 1.5707963267948966], ",
                                 "rotorcraft_velocity.RotorcraftVelocity'"));
  orrery_test_assert_fields (sim, "robot.fly", "vx vy vz vyaw tolerance");
  orrery_test_assert_answer (sim, "robot.fly", "setvel", "(1.0, 0.5, 0.25, 0.0)", "true");
  orrery_test_step (sim, 900);
  v = get_velocity (sim);
  assert_near (get_attitude (sim).yaw, 0, 0.01);
  assert_near (v.x, 1, 0.1);
  assert_near (v.y, 0.5, 0.1);
  assert_near (v.z, 0.25, 0.05);
  orrery_test_assert_answer (sim, "robot.fly", "setvel", "(0.0, 0.0, 0.0, 0.1, 0.1)", "true");
  orrery_test_step (sim, 600);
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  attitude = orrery_test_load (CRAFT (TURNED, "rotorcraft_attitude.RotorcraftAttitude'"));
  orrery_test_write (attitude, "robot.fly", "thrust", 0.5);
  orrery_test_step (attitude, 1);
  /* Both errors before it are 0, and a hovering thrust is the weight. */
  assert_near (get_rates (attitude).z, -(16 + 4 * 60) * 0.001 * 0.5 * STEP, 2e-5);
  velocity = orrery_test_load (CRAFT (TURNED, "rotorcraft_velocity.RotorcraftVelocity'"));
  orrery_test_step (velocity, 1);
  assert_near (get_rates (velocity).z, -(12 + 8 * 60) * 0.001 * STEP, 2e-5);
}

static void
fly_to_goal (OrrerySimulation *sim, const char *arguments)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.fly", "goto", arguments);

  orrery_test_assert_answer (sim, "robot.fly", "get_status", NULL, "'Transit'");
  for (guint i = 0; i < 1800 && !orrery_call_is_done (call); i++)
    orrery_test_step (sim, 1);
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_waypoint.RotorcraftWaypoint'"));
  orrery_test_assert_fields (sim, "robot.fly", "x y z yaw tolerance");
  assert_near (orrery_test_get (sim, "robot.fly", "z"), 10, 1e-12);
  orrery_test_step (sim, 120);
  orrery_test_assert_answer (sim, "robot.fly", "get_status", NULL, "'Arrived'");
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 10, 0.05);
  orrery_test_assert_answer (sim, "robot.fly", "setdest", "(0.0, 0.0, 10.0, 0.0)", "false");

  fly_to_goal (sim, "(4.0, -3.0, 12.0, 1.0, 0.2)");
  orrery_test_step (sim, 900);
  pose = orrery_test_get_pose (sim, "robot");
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
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (
      CRAFT ("'position': [1, 2, 10], 'rotation': [0, 0, 0.3], ",
             "rotorcraft_waypoint.RotorcraftWaypoint', 'position': [0.5, 0, 0.2]"));
  assert_near (orrery_test_get (sim, "robot.fly", "x"), 1, 1e-12);
  assert_near (orrery_test_get (sim, "robot.fly", "y"), 2, 1e-12);
  assert_near (orrery_test_get (sim, "robot.fly", "z"), 10, 1e-12);
  assert_near (orrery_test_get (sim, "robot.fly", "yaw"), 0.3, 1e-12);
}

static void
test_waypoint_preempted (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) first = NULL;
  OrreryVec3 v;

  g_test_summary ("a second goto preempts the first; a cancelled one hovers where it is");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_waypoint.RotorcraftWaypoint'"));
  first = orrery_test_call (sim, "robot.fly", "goto", "(50.0, 0.0, 10.0, 0.0)");
  orrery_test_step (sim, 60);
  fly_to_goal (sim, "(1.0, 0.0, 10.0, 0.0)");
  g_assert_cmpint (orrery_call_get_fault (first), ==, ORRERY_CALL_PREEMPTED);
  {
    g_autoptr (OrreryCall) second =
        orrery_test_call (sim, "robot.fly", "goto", "(0.0, 50.0, 10.0, 0.0)");

    orrery_test_step (sim, 120);
    orrery_call_cancel (second);
    orrery_test_step (sim, 900);
    v = get_velocity (sim);
    assert_near (orrery_vec3_length (&v), 0, 0.05);
    g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.y, <, 20);
  }
}

static void
test_engines (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  const double rate = sqrt (2 * 9.81 / 4 / 9.169e-06);

  g_test_summary ("four engines carry the weight; one that is faster turns it about its arm");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "quadrotor_dynamic_control.QuadrotorDynamicControl'"));
  orrery_test_assert_fields (sim, "robot.fly", "engines");
  orrery_simulation_write (sim, orrery_test_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[%d, %d, %d, %d]", rate, rate, rate, rate),
                           &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 60);
  assert_near (get_velocity (sim).z, 0, 1e-6);
  assert_near (get_rates (sim).z, 0, 1e-9);

  orrery_simulation_write (sim, orrery_test_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[%d, %d, %d, %d]", rate * 1.1, rate, rate, rate),
                           &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  assert_near (get_rates (sim).x, 0, 1e-6);
  g_assert_cmpfloat (get_rates (sim).y, >, 0.01);
  g_assert_cmpfloat (get_rates (sim).z, <, -1e-4);

  orrery_test_expected = "engines has 3 values";
  orrery_simulation_write (sim, orrery_test_find (sim, "robot.fly"), "engines",
                           g_variant_new_parsed ("[1.0, 2.0, 3.0]"), &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 2);
  g_assert_null (orrery_test_expected);
  orrery_test_refuse (CRAFT ("",
                             "quadrotor_dynamic_control.QuadrotorDynamicControl', 'properties': "
                             "{'Configuration': 'y'}"),
                      "one of +, x");
}

static OrreryVec3
get_inertia (OrrerySimulation *sim)
{
  return *orrery_object_get_inertia (
      orrery_world_find_object (orrery_simulation_get_world (sim), "robot"));
}

static void
test_mixing (void)
{
  static const double rates[] = { 500, 600, 700, 900 };
  static const char *const scenes[] = {
    CRAFT (HIGH, "quadrotor_dynamic_control.QuadrotorDynamicControl'"),
    CRAFT (HIGH, "quadrotor_dynamic_control.QuadrotorDynamicControl', 'properties': "
                 "{'Configuration': 'x', 'Lever': 0.2, 'ThrustFactor': 1e-5, 'DragFactor': 3e-7}"),
  };
  const double u[] = { 25e4, 36e4, 49e4, 81e4 }, k = 1e-5 * 0.2 * sqrt (2) / 2;
  const struct {
    OrreryVec3 torque;
    double thrust;
  } rows[] = {
    { { 9.169e-6 * 0.18 * (u[3] - u[1]), 9.169e-6 * 0.18 * (u[0] - u[2]), 2.4e-7 * 43e4 },
      9.169e-6 * 191e4 },
    { { k * (u[0] - u[1] - u[2] + u[3]), k * (-u[0] - u[1] + u[2] + u[3]), 3e-7 * 43e4 },
      1e-5 * 191e4 },
  };

  g_test_summary ("squares of the engines' rates make thrust and torques, as plus and as cross");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scenes[i]);
    g_autoptr (GError) error = NULL;
    OrreryVec3 inertia, w;

    orrery_simulation_write (sim, orrery_test_find (sim, "robot.fly"), "engines",
                             g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, rates, 4,
                                                        sizeof (double)),
                             &error);
    g_assert_no_error (error);
    inertia = get_inertia (sim);
    orrery_test_step (sim, 1);
    w = get_rates (sim);
    /* What turns it is 2 % less for damping, and the axes of inertia turn a little. */
    assert_near (w.x * inertia.x / rows[i].torque.x, STEP, 0.02 * STEP);
    assert_near (w.y * inertia.y / rows[i].torque.y, STEP, 0.02 * STEP);
    assert_near (w.z * inertia.z / rows[i].torque.z, STEP, 0.02 * STEP);
    assert_near (get_velocity (sim).z, (rows[i].thrust / 2 - 9.81) * STEP, 2e-4);
  }
}

static void
test_velocity_law (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) fast = NULL;
  OrreryVec3 w;

  g_test_summary ("the first step of a velocity: 0.2 rad for 1 m/s, 30 degrees at most, 8 N up");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (CRAFT (HIGH, "rotorcraft_velocity.RotorcraftVelocity'"));
  assert_near (orrery_test_get (sim, "robot.fly", "tolerance"), 0.2, 1e-12);
  orrery_test_assert_answer (sim, "robot.fly", "setvel", "(0.01, -0.02, 0.5, 0.06)", "true");
  assert_near (orrery_test_get (sim, "robot.fly", "tolerance"), 0.1, 1e-12);
  orrery_test_step (sim, 1);
  w = get_rates (sim);
  /* Of P + D f; more thrust than the weight turns it faster; yaw goes by -0.06 / 60. */
  assert_near (w.x, (9.7 + 2 * 60) * 0.2 * 0.02 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (w.y, (9.7 + 2 * 60) * 0.2 * 0.01 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (w.z, -(12 + 8 * 60) * 0.001 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (get_velocity (sim).z, 8 * 0.5 / 2 * STEP, 2e-4);

  fast = orrery_test_load (CRAFT (HIGH, "rotorcraft_velocity.RotorcraftVelocity'"));
  orrery_test_write (fast, "robot.fly", "vx", 100);
  orrery_test_step (fast, 1);
  assert_near (get_rates (fast).y, (9.7 + 2 * 60) * G_PI / 6 * STEP, 0.004);
}

static void
test_waypoint_law (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrrerySimulation) moon = NULL;
  OrreryVec3 w;

  g_test_summary ("the first step to a point: 6 degrees for 1 m, 8 N for 1 m up; Target shows it");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load ("'environment': {'physics': 'orrery.physics.bullet.Bullet'}, "
                          "'objects': [{'name': 'robot', "
                          "'classpath': 'morse.robots.quadrotor_dynamic.Quadrotor', " HIGH
                          "'objects': [{'name': 'fly', 'classpath': "
                          "'morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint'}]}, "
                          "{'name': 'wp_target'}]");
  assert_near (orrery_test_get (sim, "robot.fly", "tolerance"), 0.2, 1e-12);
  orrery_test_write (sim, "robot.fly", "x", 0.02);
  orrery_test_write (sim, "robot.fly", "y", 0.04);
  orrery_test_write (sim, "robot.fly", "z", 10.5);
  orrery_test_write (sim, "robot.fly", "yaw", 0.001);
  orrery_test_step (sim, 1);
  w = get_rates (sim);
  assert_near (w.x, -(9.7 + 2 * 60) * G_PI / 30 * 0.04 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (w.y, (9.7 + 2 * 60) * G_PI / 30 * 0.02 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (w.z, (12 + 6 * 60) * 0.001 * (1 + 8 * 0.5 / 19.62) * STEP, 2e-5);
  assert_near (get_velocity (sim).z, 8 * 0.5 / 2 * STEP, 2e-4);
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get_pose (sim, "wp_target")->position.y, 0.04, 1e-12);
  assert_near (orrery_test_get_pose (sim, "wp_target")->position.z, 10.5, 1e-12);

  moon = orrery_test_load ("'environment': {'gravity': [0, 0, -1.6], 'physics': "
                           "'orrery.physics.bullet.Bullet'}, 'objects': [{'name': 'robot', "
                           "'classpath': 'morse.robots.quadrotor_dynamic.Quadrotor', " HIGH
                           "'objects': [{'name': 'fly', 'classpath': "
                           "'morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint'}]}]");
  orrery_test_step (moon, 1);
  assert_near (get_velocity (moon).z, (9.81 - 1.6) * STEP, 2e-4);
}

#define STABILIZED                                                                                 \
  ORRERY_TEST_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.quadrotor.Quadrotor', "     \
                         "'objects': [{'name': 'fly', 'classpath': "                               \
                         "'morse.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}")

static void
test_stabilized (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double before;

  g_test_summary ("QUAD2012 climbs to its height, tilts as a filter does, and turns by psi");
  sim = orrery_test_load (STABILIZED);
  orrery_test_assert_fields (sim, "robot.fly", "theta_c phi_c psi_c h_c");
  orrery_test_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.0, 0.0, 3.0)", "");
  orrery_test_step (sim, 600);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 3, 1e-3);
  orrery_test_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.02, 0.0, 3.0)", "");
  orrery_test_step (sim, 120);
  assert_near (get_attitude (sim).pitch, 0.02, 1e-6);
  /* Ahead, with g tan theta, a little less of it while it tilts. */
  before = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x - before,
               10 * tan (0.02) * (2 - 2 * 0.7 / 10) * STEP, 2e-4);

  orrery_test_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.0, 0.1, 3.0)", "");
  orrery_test_step (sim, 300);
  before = get_attitude (sim).yaw;
  orrery_test_step (sim, 60);
  /* omega psi / (2 xi) */
  assert_near (orrery_normalise_angle (get_attitude (sim).yaw - before), -10 * 0.1 / 1.4, 1e-3);
  orrery_test_assert_answer (sim, "robot.fly", "stop", NULL, "");
  orrery_test_step (sim, 1);
  before = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, before, 1e-9);
}

/* x0, x1, x2, x3: a filter of 10 rad/s and 0.7, by the trapezoidal rule. */
static void
filter_step (double x[4], double u)
{
  double a = 100 * (u - x[0]) - 14 * x[1];
  double n0 = x[0] + (x[3] + x[1]) * STEP / 2, n1 = x[1] + (x[2] + a) * STEP / 2;

  x[2] = a;
  x[3] = x[1];
  x[0] = n0;
  x[1] = n1;
}

static void
test_stabilized_steps (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (STABILIZED);
  double phi[4] = { 0 }, theta[4] = { 0 }, psi[4] = { 0 };
  double p[3] = { 0 }, v[3] = { 0 };

  g_test_summary ("step by step it is where the filters and 10 + 9 (h - z) - 4.2 vz put it");
  orrery_test_assert_answer (sim, "robot.fly", "set_cons", "(0.1, -0.2, 0.3, 2.0)", "");
  for (guint k = 0; k < 90; k++) {
    double push, cf, sf, ct, st, cp, sp;

    filter_step (phi, 0.1);
    filter_step (theta, -0.2);
    filter_step (psi, psi[0] - 0.3);
    cf = cos (phi[0]), sf = sin (phi[0]);
    ct = cos (theta[0]), st = sin (theta[0]);
    cp = cos (psi[0]), sp = sin (psi[0]);
    push = 10 + 9 * (2 - p[2]) - 4.2 * v[2];
    /* The third column of Rz (psi) Ry (theta) Rx (phi) */
    v[0] += STEP * push * (cp * st * cf + sp * sf);
    v[1] += STEP * push * (sp * st * cf - cp * sf);
    v[2] += STEP * (push * ct * cf - 10);
    for (guint i = 0; i < 3; i++)
      p[i] += STEP * v[i];
    orrery_test_step (sim, 1);
  }
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, p[0], 1e-9);
  assert_near (orrery_test_get_pose (sim, "robot")->position.y, p[1], 1e-9);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, p[2], 1e-9);
  assert_near (get_attitude (sim).roll, phi[0], 1e-9);
  assert_near (get_attitude (sim).pitch, theta[0], 1e-9);
  assert_near (get_attitude (sim).yaw, psi[0], 1e-9);
  /* What comes later is added to psi alone. */
  orrery_test_assert_answer (sim, "robot.fly", "set_cons", "(0.0, 0.0, 0.3, 1.0)", "");
  assert_near (orrery_test_get (sim, "robot.fly", "psi_c"), 0.6, 1e-12);
  assert_near (orrery_test_get (sim, "robot.fly", "h_c"), 1, 1e-12);
}

static void
test_stabilized_turned (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC ("{'name': 'robot', 'classpath': 'morse.robots.quadrotor.Quadrotor', "
                             "'rotation': [0, 0, 1.2], 'objects': [{'name': 'fly', 'classpath': "
                             "'morse.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}"));

  g_test_summary ("its filters begin at 0: a turned craft has a yaw of 0 with the first step");
  orrery_test_step (sim, 1);
  assert_near (get_attitude (sim).yaw, 0, 1e-12);
}

static void
test_wrong_robots (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a craft without a body that turns is refused; one with it where a kinematic one "
                  "is meant runs as in MORSE, with a warning");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          "{" ORRERY_TEST_ROBOT "'objects': [{'name': 'fly', 'classpath': "
                          "'orrery.actuators.rotorcraft_waypoint.RotorcraftWaypoint'}]}"),
                      "robot has no rigid body");
  orrery_test_expected = "robot has a body that forces move";
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'objects': [{'name': 'fly', 'classpath': "
      "'orrery.actuators.stabilized_quadrotor.StabilizedQuadrotor'}]}"));
  g_assert_null (orrery_test_expected);
  orrery_test_write (sim, "robot.fly", "h_c", 2);
  orrery_test_step (sim, 5 * 60);
  g_assert_cmpfloat (orrery_test_get_pose (sim, "robot")->position.z, >, 1);
}

static void
test_take_off (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a quadrotor that begins with its feet in an open ground comes out, and flies");
  if (!orrery_test_has_engine ("bullet.Bullet"))
    return;
  sim = orrery_test_load (
      "'environment': {'physics': 'orrery.physics.bullet.Bullet'}, "
      "'objects': [{'name': 'ground', 'body': {'type': 'static', 'margin': 0}, 'shapes': [{"
      "'kind': 'mesh', 'points': [[-9, -9, -0.01], [9, -9, -0.01], [9, 9, -0.01], [-9, 9, -0.01]], "
      "'triangles': [[0, 1, 2], [0, 2, 3]]}]}, "
      "{'name': 'robot', 'classpath': 'morse.robots.quadrotor_dynamic.Quadrotor', "
      "'objects': [{'name': 'fly', 'classpath': "
      "'morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint'}]}]");
  orrery_test_write (sim, "robot.fly", "x", 2);
  orrery_test_write (sim, "robot.fly", "z", 3);
  orrery_test_step (sim, 20 * 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 2, 0.3);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 3, 0.3);
}

int
main (int argc, char *argv[])
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/rotorcraft/attitude/law", test_attitude_law);
  g_test_add_func ("/actuators/rotorcraft/attitude/holds", test_attitude_holds);
  g_test_add_func ("/actuators/rotorcraft/attitude/thrust", test_square_thrust);
  g_test_add_func ("/actuators/rotorcraft/attitude/north", test_north);
  g_test_add_func ("/actuators/rotorcraft/velocity", test_velocity);
  g_test_add_func ("/actuators/rotorcraft/first-yaw", test_first_yaw);
  g_test_add_func ("/actuators/rotorcraft/velocity/law", test_velocity_law);
  g_test_add_func ("/actuators/rotorcraft/engines/mixing", test_mixing);
  g_test_add_func ("/actuators/rotorcraft/waypoint/law", test_waypoint_law);
  g_test_add_func ("/actuators/rotorcraft/stabilized/steps", test_stabilized_steps);
  g_test_add_func ("/actuators/rotorcraft/waypoint", test_waypoint);
  g_test_add_func ("/actuators/rotorcraft/waypoint/mounted", test_waypoint_mounted);
  g_test_add_func ("/actuators/rotorcraft/waypoint/preempted", test_waypoint_preempted);
  g_test_add_func ("/actuators/rotorcraft/engines", test_engines);
  g_test_add_func ("/actuators/rotorcraft/stabilized", test_stabilized);
  g_test_add_func ("/actuators/rotorcraft/stabilized/turned", test_stabilized_turned);
  g_test_add_func ("/actuators/rotorcraft/wrong-robots", test_wrong_robots);
  g_test_add_func ("/actuators/rotorcraft/take-off", test_take_off);
  return g_test_run ();
}
