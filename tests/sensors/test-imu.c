/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define G 9.81
#define ORIGIN "'longitude': 1.4442, 'latitude': 43.6043, 'altitude': 150"
#define WORLD(physics, more, objects)                                                              \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics." physics "', 'properties': {"      \
  "" more "}}, 'objects': [" objects "]"
#define SENSOR(name, place, properties)                                                            \
  "{'name': '" name "', 'classpath': 'morse.sensors.imu.IMU', " place "'properties': {" properties \
  "}}"
#define MOTION ", {'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}"
#define LEVER "'position': [0.5, 0.2, 0.1], 'rotation': [0, 0, 1.5707963267948966], "
#define BODY(objects) "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY "'objects': [" objects "]}"
#define BODILESS(objects) "{" ORRERY_TEST_ROBOT "'objects': [" objects "]}"
#define KINEMATIC(objects) WORLD ("kinematic.Kinematic", ORIGIN, objects)

static const double V = 2;
static const double W = 0.6;

static void
assert_vec3 (OrreryVec3 v, double x, double y, double z, double epsilon)
{
  assert_near (v.x, x, epsilon);
  assert_near (v.y, y, epsilon);
  assert_near (v.z, z, epsilon);
}

static void
test_rest (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("at rest it feels the ground push up, whatever way it is turned");
  sim = orrery_test_load (KINEMATIC (BODY (
      SENSOR ("flat", "", "") ", " SENSOR ("rolled", "'rotation': [0.3, 0, 0], ", "") ", " SENSOR (
          "place", "'rotation': [0, 0.4, 0], ", "'ComputationMode': 'Position'"))));
  orrery_test_step (sim, 5);
  orrery_test_assert_fields (sim, "robot.flat",
                             "angular_velocity linear_acceleration magnetic_field");
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.flat", "linear_acceleration"), 0, 0, G, 1e-12);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.flat", "angular_velocity"), 0, 0, 0, 1e-12);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.rolled", "linear_acceleration"), 0, G * sin (0.3),
               G * cos (0.3), 1e-12);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.place", "linear_acceleration"), -G * sin (0.4), 0,
               G * cos (0.4), 1e-9);
}

static void
test_fall (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("in free fall it feels nothing");
  sim = orrery_test_load (
      WORLD ("bullet.Bullet", ORIGIN,
             "{" ORRERY_TEST_ROBOT
             "'position': [0, 0, 100], 'body': {'type': 'rigid', 'mass': 3, 'damping': "
             "[0, 0]}, 'shapes': [{'kind': 'sphere', 'radius': 0.5}], 'objects': [" SENSOR (
                 "imu", "", "") "]}"));
  orrery_test_step (sim, 20);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration"), 0, 0, 0, 1e-9);
}

/* The change of a velocity V in a turn at W, by steps of dt, seen from where it ends. */
static void
assert_turning (OrrerySimulation *sim, const char *name, double dt, double epsilon)
{
  OrreryVec3 a = orrery_test_get_vec3 (sim, name, "linear_acceleration");
  double x = V / dt * (1 - cos (W * dt)) - W * W * 0.5;
  double y = V / dt * sin (W * dt) - W * W * 0.2;

  /* The sensor looks to the left. */
  assert_vec3 (a, y, -x, G, epsilon);
  assert_vec3 (orrery_test_get_vec3 (sim, name, "angular_velocity"), 0, 0, W, epsilon);
}

static void
test_turn (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a steady turn: centripetal, of the robot and of the lever; also at 15 Hz");
  sim = orrery_test_load (KINEMATIC (
      BODY (SENSOR ("imu", LEVER, "") ", " SENSOR ("slow", LEVER "'frequency': 15, ", "") MOTION)));
  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_write (sim, "robot.motion", "w", W);
  orrery_test_step (sim, 101);
  assert_turning (sim, "robot.imu", 1 / 60.0, 1e-9);
  assert_turning (sim, "robot.slow", 1 / 15.0, 1e-9);
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  /* A robot without a body goes along arcs about the middle that V and W give. */
  double radius = hypot (V / W - 0.2, 0.5);
  OrreryVec3 a;

  g_test_summary ("by position: the point of the sensor goes round in a circle");
  sim = orrery_test_load (KINEMATIC (BODILESS (SENSOR ("imu", LEVER, "") MOTION)));
  orrery_test_write (sim, "robot.motion", "v", V);
  orrery_test_write (sim, "robot.motion", "w", W);
  orrery_test_step (sim, 101);
  a = orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration");
  assert_near (hypot (a.x, a.y), radius * pow (2 * sin (W / 120) * 60, 2), 1e-9);
  assert_near (a.z, G, 1e-9);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.imu", "angular_velocity"), 0, 0, W, 1e-9);
}

static void
test_frequency (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (KINEMATIC (BODY (
      SENSOR ("imu", "'frequency': 25, ", "")
          MOTION) ", {'name': 'other', 'classpath': "
                  "'orrery.core.robot.Robot', 'objects': [" SENSOR ("imu", "'frequency': 25, ", "")
                                                                      MOTION "]}"));
  guint seen[4] = { 0 };

  g_test_summary ("changes times the frequency, also where steps are 2 and 3 ticks apart");
  orrery_test_write (sim, "other.motion", "w", W);
  for (int k = 0; k <= 120; k++) {
    double is = orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration").x;
    guint ticks = is < 0.6 ? 2 : 3;

    /* 0.6 m/s2 is 0.02 m/s in 2 ticks and 0.03 m/s in 3, times 25; 0.6 rad/s the same in rad. */
    if (k > 10) {
      assert_near (is, ticks == 2 ? 0.5 : 0.75, 1e-9);
      assert_near (orrery_test_get_vec3 (sim, "other.imu", "angular_velocity").z,
                   ticks == 2 ? 0.5 : 0.75, 1e-9);
      seen[ticks]++;
    }
    orrery_test_write (sim, "robot.motion", "v", 0.6 * k / 60.0);
    orrery_test_step (sim, 1);
  }
  g_assert_cmpuint (seen[2], >, 20);
  g_assert_cmpuint (seen[3], >, 20);
}

static void
test_first_steps (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("before the first step it was at rest where it starts, also after a reset");
  sim = orrery_test_load (
      KINEMATIC (BODILESS (SENSOR ("imu", "'position': [100, 0, 0], ", "") MOTION)));
  for (int run = 0; run < 2; run++) {
    orrery_test_write (sim, "robot.motion", "v", V);
    orrery_test_step (sim, 1);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration"), 0, 0, G, 1e-12);
    /* From rest to 2 m/s in a step of 1/60 s. */
    orrery_test_step (sim, 1);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration"), 120, 0, G, 1e-9);
    orrery_test_step (sim, 1);
    assert_vec3 (orrery_test_get_vec3 (sim, "robot.imu", "linear_acceleration"), 0, 0, G, 1e-9);
    orrery_test_step (sim, 50);
    g_assert_true (orrery_simulation_reset (sim, NULL));
  }
}

/* At 43.6043 N, 1.4442 E, 150 m, 2016.0: WMM2015v2 as the npm package geomagnetism has it. */
#define NORTH 23742.754
#define EAST 153.674
#define DOWN 39701.051
#define NEWEST "'date': 2016, 'Model': 'Date'"

static void
test_magnetic (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryVec3 ned, turned, right;

  g_test_summary ("the field in the sensor's axes; by default of North, East, Down, as in MORSE");
  sim = orrery_test_load (KINEMATIC (BODY (SENSOR ("plain", "", NEWEST) ", " SENSOR (
      "turned", "'rotation': [0, 0, 1.5707963267948966], ",
      NEWEST) ", " SENSOR ("right", "",
                           NEWEST
                           ", 'WorldAxes': true") ", " SENSOR ("today", "", "'Model': 'Date'"))));
  orrery_test_step (sim, 1);
  ned = orrery_test_get_vec3 (sim, "robot.plain", "magnetic_field");
  turned = orrery_test_get_vec3 (sim, "robot.turned", "magnetic_field");
  right = orrery_test_get_vec3 (sim, "robot.right", "magnetic_field");
  assert_vec3 (ned, NORTH, EAST, DOWN, 0.01);
  assert_vec3 (turned, ned.y, -ned.x, ned.z, 1e-9);
  assert_vec3 (right, ned.y, ned.x, -ned.z, 1e-9);
  orrery_test_assert_answer (sim, "robot.plain", "set_property", "('date', 2020.5)", "");
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (fabs (orrery_test_get_vec3 (sim, "robot.plain", "magnetic_field").z - ned.z),
                     >, 20);
  /* The run starts in 1970, for which there is no model. */
  orrery_test_assert_answer (sim, "robot.right", "set_property", "('date', 2025.0)", "");
  orrery_test_assert_answer (sim, "robot.right", "set_property", "('WorldAxes', false)", "");
  orrery_test_step (sim, 1);
  right = orrery_test_get_vec3 (sim, "robot.right", "magnetic_field");
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.today", "magnetic_field"), right.x, right.y,
               right.z, 1e-12);
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("no place on the Earth, no physics, dates out of range are said at once");
  orrery_test_refuse (
      WORLD ("kinematic.Kinematic", "", BODY (SENSOR ("imu", "", ""))),
      "robot.imu: the place on the Earth is needed: the environment has no property "
      "'longitude'");
  orrery_test_refuse (WORLD ("kinematic.Kinematic", "'longitude': 1, 'latitude': 91, 'altitude': 0",
                             BODY (SENSOR ("imu", "", ""))),
                      "'latitude' is 91");
  orrery_test_refuse (KINEMATIC (BODILESS (SENSOR ("imu", "", "'ComputationMode': 'Velocity'"))),
                      "robot has no physics");
  orrery_test_refuse (KINEMATIC (BODY (SENSOR ("imu", "", "'date': 2014.9"))), "2015 to 2030");
  orrery_test_refuse (KINEMATIC (BODY (SENSOR ("imu", "", "'date': NaN"))), "NaN");
  orrery_test_refuse (KINEMATIC (BODY (SENSOR ("imu", "", "'date': 'now'"))), "date");
  orrery_test_refuse (KINEMATIC (BODY (SENSOR ("imu", "", "'ComputationMode': 'Fast'"))),
                      "one of Automatic, Velocity, Position");
  sim = orrery_test_load (KINEMATIC (BODY (SENSOR ("imu", "", ""))));
  orrery_test_assert_answer (sim, "robot.imu", "set_property", "('date', 2031.0)", "fault 4");
  orrery_test_assert_answer (sim, "robot.imu", "set_property", "('date', 'x')", "fault 4");
  orrery_test_assert_answer (sim, "robot.imu", "set_property", "('WorldAxes', 'maybe')", "fault 4");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/imu/rest", test_rest);
  g_test_add_func ("/sensors/imu/fall", test_fall);
  g_test_add_func ("/sensors/imu/turn", test_turn);
  g_test_add_func ("/sensors/imu/position", test_position);
  g_test_add_func ("/sensors/imu/frequency", test_frequency);
  g_test_add_func ("/sensors/imu/first-steps", test_first_steps);
  g_test_add_func ("/sensors/imu/magnetic", test_magnetic);
  g_test_add_func ("/sensors/imu/errors", test_errors);
  return g_test_run ();
}
