/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define CLASS "'classpath': 'orrery.sensors.odometry.Odometry'"
/* The levels, and two whose frequencies do not divide the simulation's. */
#define DRIVEN                                                                                     \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                                    \
                         "'position': [3, -4, 0.5], 'rotation': [0, 0, 2], 'objects': ["           \
                         "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}, "  \
                         "{'name': 'raw', " CLASS ", 'level': 'raw'}, "                            \
                         "{'name': 'diff', " CLASS ", 'level': 'differential'}, "                  \
                         "{'name': 'full', " CLASS "}, "                                           \
                         "{'name': 'slow', " CLASS ", 'frequency': 7}, "                           \
                         "{'name': 'odd', " CLASS ", 'frequency': 25}]}")

static const double V = 1.5;
static const double W = 0.8;

static OrrerySimulation *
drive (void)
{
  OrrerySimulation *sim = orrery_test_load (DRIVEN);

  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_write (sim, "robot.motion", "w", W);
  return sim;
}

static void
test_levels (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("each level has its own fields, in MORSE's order; integrated is the default");
  sim = orrery_test_load (DRIVEN);
  orrery_test_assert_fields (sim, "robot.raw", "dS");
  orrery_test_assert_fields (sim, "robot.diff", "dx dy dz dyaw dpitch droll");
  orrery_test_assert_fields (sim, "robot.full", "x y z yaw pitch roll vx vy vz wz wy wx");
  g_assert_cmpstr (orrery_component_get_level (orrery_test_find (sim, "robot.full")), ==,
                   "integrated");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT
                                             "'objects': [{'name': 'odometry', " CLASS
                                             ", 'level': 'intgrated'}]}"),
                      "integrated");
}

static void
test_first_step (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the first sample is sane: away from the origin, at rest, nothing moves");
  sim = drive ();
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.raw", "dS"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.diff", "dx"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.diff", "dyaw"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.full", "x"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.full", "vx"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.full", "wz"), ==, 0);
}

static void
test_circle (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double dt = 1.0 / 60, chord = 2 * V / W * sin (W * dt / 2);

  g_test_summary ("on a circle every step has the chord and the turn of the circle");
  sim = drive ();
  orrery_test_step (sim, 2);
  for (int k = 1; k < 400; k++) {
    /* Seen from the start, the chord of step k lies at the angle in its middle. */
    double middle = (k - 0.5) * W * dt;

    assert_near (orrery_test_get (sim, "robot.raw", "dS"), chord, 1e-12);
    assert_near (orrery_test_get (sim, "robot.diff", "dx"), chord * cos (middle), 1e-12);
    assert_near (orrery_test_get (sim, "robot.diff", "dy"), chord * sin (middle), 1e-12);
    assert_near (orrery_test_get (sim, "robot.diff", "dyaw"), W * dt, 1e-12);
    assert_near (orrery_test_get (sim, "robot.full", "vx"), chord / dt * cos (middle), 1e-10);
    assert_near (orrery_test_get (sim, "robot.full", "vy"), chord / dt * sin (middle), 1e-10);
    assert_near (orrery_test_get (sim, "robot.full", "wz"), W, 1e-10);
    assert_near (orrery_test_get (sim, "robot.full", "x"), V / W * sin (k * W * dt), 1e-10);
    assert_near (orrery_test_get (sim, "robot.full", "yaw"), orrery_normalise_angle (k * W * dt),
                 1e-10);
    orrery_test_step (sim, 1);
  }
}

static void
test_sums (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double x = 0, yaw = 0, way = 0, left = 500 * W / 60, right = 3 * 199 * W / 60;

  g_test_summary ("the steps add up to the way, through half a circle and back");
  sim = drive ();
  for (int k = 0; k < 700; k++) {
    if (k == 500)
      orrery_test_write (sim, "robot.motion", "w", -3 * W);
    orrery_test_step (sim, 1);
    x += orrery_test_get (sim, "robot.diff", "dx");
    yaw += orrery_test_get (sim, "robot.diff", "dyaw");
    way += orrery_test_get (sim, "robot.raw", "dS");
  }
  assert_near (yaw, left - right, 1e-9);
  assert_near (way, 699 * V / 60, 699 * V / 60 * 1e-3);
  /* Two arcs: to the left, then to the right. */
  assert_near (x, V / W * sin (left) - V / (3 * W) * (sin (left - right) - sin (left)), 1e-9);
}

static void
test_uneven_steps (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double x = 0, seen[4] = { 0 };

  g_test_summary ("displacement times the frequency, also where steps are 2 and 3 ticks apart");
  sim = drive ();
  orrery_test_write (sim, "robot.motion", "w", 0);
  orrery_test_step (sim, 1);
  for (int k = 1; k <= 120; k++) {
    double way, vx;

    orrery_test_step (sim, 1);
    way = orrery_test_get (sim, "robot.odd", "x") - x;
    vx = orrery_test_get (sim, "robot.odd", "vx");
    if (way == 0)
      continue;
    x = orrery_test_get (sim, "robot.odd", "x");
    assert_near (vx, way * 25, 1e-5);
    /* 1.5 m/s: 0.05 m in 2 ticks of 1/60 s, 0.075 m in 3; times 25. */
    assert_near (vx, way < 0.06 ? 1.25 : 1.875, 1e-10);
    seen[way < 0.06 ? 2 : 3]++;
  }
  g_assert_cmpfloat (seen[2], ==, 30);
  g_assert_cmpfloat (seen[3], ==, 20);
  /* A second of 60 ticks has 7 steps, 8 or 9 ticks apart: 0.2 m or 0.225 m. */
  g_assert_cmpfloat (fabs (orrery_test_get (sim, "robot.slow", "vx") - 1.4875), <, 0.0876);
}

static void
test_other_rates (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("faster than the simulation, and after a pause: displacement times frequency");
  orrery_test_expected = "robot.fast: 100 Hz";
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'objects': ["
      "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}, "
      "{'name': 'full', " CLASS "}, {'name': 'fast', " CLASS ", 'frequency': 100}]}"));
  g_assert_null (orrery_test_expected);
  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_step (sim, 10);
  assert_near (orrery_test_get (sim, "robot.fast", "vx"), 0.025 * 100, 1e-10);
  orrery_component_set_active (orrery_test_find (sim, "robot.full"), FALSE);
  orrery_test_step (sim, 49);
  orrery_component_set_active (orrery_test_find (sim, "robot.full"), TRUE);
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.full", "vx"), 50 * V, 1e-10);
}

static void
test_reset (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("after a reset the first step is a first step again");
  sim = drive ();
  orrery_test_step (sim, 100);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.raw", "dS"), >, 0.02);
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.raw", "dS"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.diff", "dx"), ==, 0);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.full", "vx"), ==, 0);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/odometry/levels", test_levels);
  g_test_add_func ("/sensors/odometry/first-step", test_first_step);
  g_test_add_func ("/sensors/odometry/circle", test_circle);
  g_test_add_func ("/sensors/odometry/sums", test_sums);
  g_test_add_func ("/sensors/odometry/uneven-steps", test_uneven_steps);
  g_test_add_func ("/sensors/odometry/other-rates", test_other_rates);
  g_test_add_func ("/sensors/odometry/reset", test_reset);
  return g_test_run ();
}
