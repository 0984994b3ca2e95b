/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define ORIGIN "'longitude': 1.4442, 'latitude': 43.6043, 'altitude': 150"
#define SENSOR(name, place, properties)                                                            \
  "{'name': '" name "', 'classpath': 'morse.sensors.attitude.Attitude', " place                    \
  "'properties': {" properties "}}"
#define MOTION ", {'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}"
#define SCENE(world, body, objects)                                                                \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'properties': {" world "}}, 'objects': [{" ORRERY_TEST_ROBOT body                               \
  "'rotation': [0, 0, 0.5], 'objects': [" objects "]}]"
#define NORTH "'UseAngleAgainstNorth': true"

static OrreryEuler
get_rotation (OrrerySimulation *sim, const char *name)
{
  OrreryEuler e = { NAN, NAN, NAN };

  orrery_record_get (orrery_component_get_record (orrery_test_find (sim, name)), "rotation", &e);
  return e;
}

static void
test_rotation (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE ("", "", SENSOR ("sensor", "'rotation': [0.1, 0.2, 0.3], ", "")));
  OrreryRecord *record;
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  OrreryEuler e;
  gsize length;

  g_test_summary ("Euler angles in the world, as a map of yaw, pitch, roll in JSON");
  orrery_test_step (sim, 1);
  orrery_test_assert_fields (sim, "robot.sensor", "rotation angular_velocity");
  e = get_rotation (sim, "robot.sensor");
  assert_near (e.roll, 0.1, 1e-12);
  assert_near (e.pitch, 0.2, 1e-12);
  assert_near (e.yaw, 0.8, 1e-12);
  record = orrery_component_get_record (orrery_test_find (sim, "robot.sensor"));
  orrery_record_write_json (record, writer);
  g_assert_nonnull (
      strstr (orrery_writer_get_data (writer, &length), "\"rotation\": {\"yaw\": 0.8"));
}

static void
test_rates (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE ("", ORRERY_TEST_BODY,
             SENSOR ("physics", "", "") ", " SENSOR ("place",
                                                     "'rotation': [1.5707963267948966, 0, 0], ",
                                                     "'ComputationMode': 'Position'") MOTION));
  double most = 0;

  g_test_summary ("rates in the sensor's axes, also through half a circle and on the side");
  orrery_test_write (sim, "robot.motion", "w", 0.6);
  orrery_test_step (sim, 2);
  for (int k = 0; k < 700; k++) {
    OrreryVec3 a, b;

    orrery_test_step (sim, 1);
    a = orrery_test_get_vec3 (sim, "robot.physics", "angular_velocity");
    b = orrery_test_get_vec3 (sim, "robot.place", "angular_velocity");
    most = fmax (most, fabs (a.z - 0.6) + fabs (a.x) + fabs (a.y));
    most = fmax (most, fabs (b.y - 0.6) + fabs (b.x) + fabs (b.z));
  }
  g_assert_cmpfloat (most, <, 1e-9);
}

static void
assert_vec3 (OrreryVec3 v, OrreryVec3 wanted, double epsilon)
{
  assert_near (v.x, wanted.x, epsilon);
  assert_near (v.y, wanted.y, epsilon);
  assert_near (v.z, wanted.z, epsilon);
}

/* The body rates of the catalogue: W (angles now) times the difference of the angles. */
static OrreryVec3
find_rates (OrreryEuler a, OrreryEuler b, double f)
{
  double r = b.roll - a.roll, p = b.pitch - a.pitch, y = b.yaw - a.yaw;

  return (OrreryVec3){
    (r - sin (b.pitch) * y) * f,
    (cos (b.roll) * p + cos (b.pitch) * sin (b.roll) * y) * f,
    (cos (b.pitch) * cos (b.roll) * y - sin (b.roll) * p) * f,
  };
}

/* On a robot that turns about none of the world's axes. */
#define TILTED(objects)                                                                            \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT                                                     \
                         "'rotation': [0.3, -0.5, 0.4], 'objects': [" objects "]}")

static void
test_tilted (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      TILTED (SENSOR ("all", "", "") ", " SENSOR ("odd", "'frequency': 25, ", "") MOTION));
  OrreryEuler before, odd;
  double off = 0, longest = 0, shortest = G_MAXDOUBLE;

  g_test_summary ("by position: differences of Euler angles as body rates, times the frequency");
  orrery_test_write (sim, "robot.motion", "w", 2);
  orrery_test_step (sim, 3);
  before = get_rotation (sim, "robot.all");
  odd = get_rotation (sim, "robot.odd");
  for (int k = 0; k < 60; k++) {
    OrreryVec3 is, wanted;
    OrreryEuler now;

    orrery_test_step (sim, 1);
    now = get_rotation (sim, "robot.all");
    is = orrery_test_get_vec3 (sim, "robot.all", "angular_velocity");
    wanted = find_rates (before, now, 60);
    assert_vec3 (is, wanted, 1e-9);
    /* They are not quite those of the turn, 2 rad/s about z: the last digits are MORSE's. */
    off = fmax (off, fabs (is.x) + fabs (is.y) + fabs (is.z - 2));
    before = now;
    now = get_rotation (sim, "robot.odd");
    if (now.yaw == odd.yaw)
      continue;
    is = orrery_test_get_vec3 (sim, "robot.odd", "angular_velocity");
    assert_vec3 (is, find_rates (odd, now, 25), 1e-9);
    longest = MAX (longest, is.z);
    shortest = MIN (shortest, is.z);
    odd = now;
  }
  g_assert_cmpfloat (off, >, 1e-3);
  g_assert_cmpfloat (off, <, 0.1);
  /* Steps of 2 ticks and of 3. */
  assert_near (longest / shortest, 1.5, 0.05);
}

static void
test_over_the_pole (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT
      "'rotation': [1.5707963267948966, 0, 0.2], 'objects': [" SENSOR ("sensor", "", "") MOTION
      "]}"));
  double most = 0;

  g_test_summary ("turning right over, again and again, is no spike");
  orrery_test_write (sim, "robot.motion", "w", 2);
  for (int k = 0; k < 400; k++) {
    OrreryVec3 v;

    orrery_test_step (sim, 1);
    v = orrery_test_get_vec3 (sim, "robot.sensor", "angular_velocity");
    if (k > 1)
      most = fmax (most, fabs (v.x) + fabs (v.y) + fabs (v.z - 2));
  }
  g_assert_cmpfloat (most, <, 0.1);
}

static void
test_north (void)
{
  g_autoptr (OrrerySimulation) east = orrery_test_load (
      SCENE (ORIGIN, "", SENSOR ("sensor", "", NORTH) ", " SENSOR ("plain", "", "")));
  g_autoptr (OrrerySimulation) turned = orrery_test_load (
      SCENE (ORIGIN ", 'angle_against_north': 30", "", SENSOR ("sensor", "", NORTH)));

  g_test_summary ("the yaw from true North: x is East, or where the environment says");
  orrery_test_step (east, 1);
  assert_near (get_rotation (east, "robot.sensor").yaw, 0.5 - G_PI / 2, 1e-12);
  assert_near (get_rotation (east, "robot.plain").yaw, 0.5, 1e-12);
  orrery_test_step (turned, 1);
  assert_near (get_rotation (turned, "robot.sensor").yaw, 0.5 - G_PI / 6, 1e-12);
  orrery_test_assert_answer (east, "robot.plain", "set_property", "('UseAngleAgainstNorth', true)",
                             "");
  orrery_test_step (east, 1);
  assert_near (get_rotation (east, "robot.plain").yaw, 0.5 - G_PI / 2, 1e-12);
}

static void
test_errors (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("North needs a place on the Earth; who does not ask for it need not have one");
  orrery_test_refuse (
      SCENE ("", "", SENSOR ("sensor", "", NORTH)),
      "UseAngleAgainstNorth: the place on the Earth is needed: the environment has no "
      "property 'longitude'");
  orrery_test_refuse (SCENE ("", "", SENSOR ("sensor", "", "'UseAngleAgainstNorth': 'maybe'")),
                      "UseAngleAgainstNorth");
  orrery_test_refuse (SCENE ("", "", SENSOR ("sensor", "", "'ComputationMode': 'Velocity'")),
                      "robot has no physics");
  sim = orrery_test_load (SCENE ("", "", SENSOR ("sensor", "", "")));
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('UseAngleAgainstNorth', true)",
                             "fault 4");
  orrery_test_assert_answer (sim, "robot.sensor", "set_property", "('UseAngleAgainstNorth', false)",
                             "");
  orrery_test_step (sim, 3);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/attitude/rotation", test_rotation);
  g_test_add_func ("/sensors/attitude/rates", test_rates);
  g_test_add_func ("/sensors/attitude/tilted", test_tilted);
  g_test_add_func ("/sensors/attitude/over-the-pole", test_over_the_pole);
  g_test_add_func ("/sensors/attitude/north", test_north);
  g_test_add_func ("/sensors/attitude/errors", test_errors);
  return g_test_run ();
}
