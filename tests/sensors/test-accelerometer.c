/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(name, place, mode)                                                                  \
  "{'name': '" name "', 'classpath': 'morse.sensors.accelerometer.Accelerometer', " place          \
  "'properties': {'ComputationMode': '" mode "'}}"
#define MOTION ", {'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}"
#define LEVER "'position': [0.5, 0.2, 0.1], 'rotation': [0, 0, 1.5707963267948966], "
#define BODY(objects)                                                                              \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'objects': [" objects "]}")
#define BODILESS(objects) ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': [" objects "]}")

static const double DT = 1 / 60.0;
/* Times are whole nanoseconds: a step is 1/60 s but for 2e-8 of it. */
static const double EXACT = 1e-6;

static void
assert_vec3 (OrreryVec3 v, double x, double y, double z, double epsilon)
{
  assert_near (v.x, x, epsilon);
  assert_near (v.y, y, epsilon);
  assert_near (v.z, z, epsilon);
}

static void
drive (OrrerySimulation *sim, double v, double w, guint n)
{
  orrery_test_write (sim, "robot.motion", "v", v);
  orrery_test_write (sim, "robot.motion", "w", w);
  orrery_test_step (sim, n);
}

static void
test_straight (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("speeding up by 3 m/s2: the same by velocity and by position, without gravity");
  sim = orrery_test_load (BODY (SENSOR ("physics", "", "Velocity") ", " SENSOR (
      "place", "'position': [0.3, 0, 0], ",
      "Position") ", " SENSOR ("left", "'rotation': [0, 0, 1.5707963267948966], ", "Automatic")
                                    MOTION));
  orrery_test_assert_fields (sim, "robot.physics",
                             "distance velocity acceleration angular_acceleration");
  for (int k = 1; k <= 20; k++)
    drive (sim, 3 * k * DT, 0, 1);
  /* A step senses first: it sees what the one before was told. */
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.physics", "velocity"), 57 * DT, 0, 0, EXACT);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.physics", "acceleration"), 3, 0, 0, EXACT * 10);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.place", "velocity"), 57 * DT, 0, 0, EXACT);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.place", "acceleration"), 3, 0, 0, EXACT * 10);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.left", "acceleration"), 0, -3, 0, EXACT * 10);
  assert_near (orrery_test_get (sim, "robot.physics", "distance"), 57 * DT * DT, 1e-9);
}

static void
test_turn (void)
{
  const double v = 2, w = 0.6;
  double x = v / DT * (1 - cos (w * DT)), y = v / DT * sin (w * DT);
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a steady turn; the lever counts beyond a centimetre");
  sim = orrery_test_load (BODY (
      SENSOR ("lever", LEVER, "Velocity") ", " SENSOR ("short", "'position': [0.0099, 0, 0], ",
                                                       "Velocity") MOTION));
  drive (sim, v, w, 50);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.short", "acceleration"), x, y, 0, EXACT);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.lever", "acceleration"), y - w * w * 0.2,
               -(x - w * w * 0.5), 0, EXACT);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.lever", "angular_acceleration"), 0, 0, 0, 1e-9);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.lever", "velocity"), 0, -v, 0, 1e-12);
}

static void
test_spin_up (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double w = 19 * 0.4 * DT;

  g_test_summary ("spinning up by 0.4 rad/s2: along the lever and across it");
  sim = orrery_test_load (
      BODY (SENSOR ("lever", LEVER, "Velocity") ", " SENSOR ("place", "'position': [0, 0, 0], ",
                                                             "Position") MOTION));
  for (int k = 1; k <= 20; k++)
    drive (sim, 0, 0.4 * k * DT, 1);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.lever", "angular_acceleration"), 0, 0, 0.4, EXACT);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.place", "angular_acceleration"), 0, 0, 0.4,
               EXACT * 10);
  /* alpha x l = 0.4 (-0.2, 0.5), and inwards -w2 l. */
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.lever", "acceleration"), 0.4 * 0.5 - w * w * 0.2,
               0.4 * 0.2 + w * w * 0.5, 0, EXACT);
}

static void
test_first_steps (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary (
      "before the first step it was at rest where it starts, at time 0; also after a reset");
  sim = orrery_test_load (
      BODILESS (SENSOR ("sensor", "'position': [50, 0, 0], ", "Automatic") MOTION));
  for (int run = 0; run < 2; run++) {
    drive (sim, 2, 0, 1);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "velocity"), 0, 0, 0, 1e-12);
    assert_near (orrery_test_get (sim, "robot.sensor", "distance"), 0, 1e-12);
    orrery_test_step (sim, 1);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "velocity"), 2, 0, 0, EXACT);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "acceleration"), 120, 0, 0,
                 EXACT * 100);
    orrery_test_step (sim, 10);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "acceleration"), 0, 0, 0, 1e-4);
    g_assert_true (orrery_simulation_reset (sim, NULL));
  }
}

/* Rolling from the start: the sensor sees 2 m/s in its first step. */
static void
assert_rolling_start (double start, double acceleration, double epsilon)
{
  const char *scene =
      ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY
                             "'objects': [" SENSOR ("sensor", "", "Velocity") MOTION "]}");
  g_autoptr (OrrerySimulation) sim = orrery_test_load_at (scene, start);

  orrery_component_set_active (orrery_test_find (sim, "robot.sensor"), FALSE);
  drive (sim, 2, 0, 9);
  orrery_component_set_active (orrery_test_find (sim, "robot.sensor"), TRUE);
  orrery_test_step (sim, 1);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "velocity"), 2, 0, 0, 1e-12);
  assert_near (orrery_test_get_vec3 (sim, "robot.sensor", "acceleration").x, acceleration, epsilon);
}

static void
test_epoch (void)
{
  g_test_summary ("the first step is as long as the time since 0: the age of the epoch");
  assert_rolling_start (0, 2 / (10 / 60.0), 1e-5);
  assert_rolling_start (1e9, 2e-9, 1e-15);
}

static void
test_robot_clock (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("differences are by the robot's clock; where it stands still nothing is shown");
  sim = orrery_test_load (
      BODILESS (SENSOR ("sensor", "", "Automatic")
                    MOTION) ", 'component_modifier': {'robot': [['orrery.modifiers.clock."
                            "ClockDriftModifier', {'drift': -0.5}]]}");
  drive (sim, 2, 0, 30);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.sensor", "velocity"), 4, 0, 0, 1e-5);
}

static void
test_errors (void)
{
  g_test_summary ("modes that do not fit are refused");
  orrery_test_refuse (BODILESS (SENSOR ("sensor", "", "Velocity")), "robot has no physics");
  orrery_test_refuse (BODY (SENSOR ("sensor", "", "velocity")),
                      "one of Automatic, Velocity, Position");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/accelerometer/straight", test_straight);
  g_test_add_func ("/sensors/accelerometer/turn", test_turn);
  g_test_add_func ("/sensors/accelerometer/spin-up", test_spin_up);
  g_test_add_func ("/sensors/accelerometer/first-steps", test_first_steps);
  g_test_add_func ("/sensors/accelerometer/epoch", test_epoch);
  g_test_add_func ("/sensors/accelerometer/robot-clock", test_robot_clock);
  g_test_add_func ("/sensors/accelerometer/errors", test_errors);
  return g_test_run ();
}
