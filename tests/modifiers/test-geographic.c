/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define ORIGIN "'longitude': 1.4442, 'latitude': 43.6043, 'altitude': 150"
#define SCENE(environment, component, rest)                                                        \
  "'environment': {'physics': 'orrery.physics.kinematic.Kinematic', 'properties': {" environment   \
  "}}, 'objects': [{" ORRERY_TEST_ROBOT "'position': [100, 200, 50], 'objects': [{" component      \
  "}]}], 'component_modifier': {" rest "}"
#define POSE "'name': 'sensor', 'classpath': 'morse.sensors.pose.Pose'"
#define TELEPORT "'name': 'actuator', 'classpath': 'morse.actuators.teleport.Teleport'"
#define TO(class) "'robot.sensor': [['morse.modifiers." class "', 'OUT', {}]]"
#define FROM(class) "'robot.actuator': [['morse.modifiers." class "', 'IN', {}]]"

static void
assert_position (const char *scene, double x, double y, double z, double angle, double length)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  orrery_test_step (sim, 3);
  assert_near (orrery_test_get (sim, "robot.sensor", "x"), x, angle);
  assert_near (orrery_test_get (sim, "robot.sensor", "y"), y, angle);
  assert_near (orrery_test_get (sim, "robot.sensor", "z"), z, length);
}

/* Where the robot is after it was sent to x, y, z. */
static void
assert_teleport (const char *scene, const double from[3], double x, double y, double z)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  const OrreryVec3 *p;

  orrery_test_write (sim, "robot.actuator", "x", from[0]);
  orrery_test_write (sim, "robot.actuator", "y", from[1]);
  orrery_test_write (sim, "robot.actuator", "z", from[2]);
  orrery_test_step (sim, 3);
  p = &orrery_test_get_pose (sim, "robot")->position;
  assert_near (p->x, x, 1e-6);
  assert_near (p->y, y, 1e-6);
  assert_near (p->z, z, 1e-6);
}

/* By GeographicLib's LocalCartesian and Geocentric. */
#define LONGITUDE 1.44543858266485
#define LATITUDE 43.6061000432547
#define ALTITUDE 200.003924333
#define ECEF_X 4624442.888779
#define ECEF_Y 116688.6399594
#define ECEF_Z 4376642.966096
#define GEOCENTRIC 43.4139419791849
#define RADIUS 6368209.475429

static void
test_geodetic (void)
{
  static const double place[] = { LONGITUDE, LATITUDE, ALTITUDE };

  g_test_summary ("longitude, latitude, altitude, there and back");
  assert_position (SCENE (ORIGIN, POSE, TO ("geodetic.CoordinatesToGeodetic")), LONGITUDE, LATITUDE,
                   ALTITUDE, 1e-11, 1e-7);
  assert_teleport (SCENE (ORIGIN, TELEPORT, FROM ("geodetic.CoordinatesFromGeodetic")), place, 100,
                   200, 50);
}

static void
test_ecef (void)
{
  static const double place[] = { ECEF_X, ECEF_Y, ECEF_Z };

  g_test_summary ("m from the centre of the Earth, there and back");
  assert_position (SCENE (ORIGIN, POSE, TO ("ecef.CoordinatesToECEF")), ECEF_X, ECEF_Y, ECEF_Z,
                   1e-6, 1e-6);
  assert_teleport (SCENE (ORIGIN, TELEPORT, FROM ("ecef.CoordinatesFromECEF")), place, 100, 200,
                   50);
}

static void
test_geocentric (void)
{
  static const double place[] = { LONGITUDE, GEOCENTRIC, RADIUS };

  g_test_summary ("longitude, geocentric latitude, radius, there and back");
  assert_position (SCENE (ORIGIN, POSE, TO ("geocentric.CoordinatesToGeocentric")), LONGITUDE,
                   GEOCENTRIC, RADIUS, 1e-11, 1e-6);
  assert_teleport (SCENE (ORIGIN, TELEPORT, FROM ("geocentric.CoordinatesFromGeocentric")), place,
                   100, 200, 50);
}

static void
test_turned (void)
{
  static const double geodetic[] = { LONGITUDE, LATITUDE, ALTITUDE };
  static const double ecef[] = { ECEF_X, ECEF_Y, ECEF_Z };
  static const double geocentric[] = { LONGITUDE, GEOCENTRIC, RADIUS };
#define NORTH ORIGIN ", 'angle_against_north': 0"

  g_test_summary ("with x to the North, 100 m East and 200 m North are 200, -100: all ways back");
  assert_teleport (SCENE (NORTH, TELEPORT, FROM ("geodetic.CoordinatesFromGeodetic")), geodetic,
                   200, -100, 50);
  assert_teleport (SCENE (NORTH, TELEPORT, FROM ("ecef.CoordinatesFromECEF")), ecef, 200, -100, 50);
  assert_teleport (SCENE (NORTH, TELEPORT, FROM ("geocentric.CoordinatesFromGeocentric")),
                   geocentric, 200, -100, 50);
}

static void
test_errors (void)
{
  g_test_summary ("no place on the Earth, or no coordinates: said before the first step");
  orrery_test_refuse (SCENE ("'longitude': 1, 'latitude': 2", POSE, TO ("ecef.CoordinatesToECEF")),
                      "the environment has no property 'altitude'");
  orrery_test_refuse (SCENE ("", TELEPORT, FROM ("geodetic.CoordinatesFromGeodetic")),
                      "the environment has no property 'longitude'");
  orrery_test_refuse (
      SCENE (ORIGIN, POSE,
             "'robot.sensor': [['morse.modifiers.ecef.CoordinatesToECEF', {'a': 1}]]"),
      "'a'");
}

static void
test_lacking (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("on a record without coordinates: one warning, nothing changes, the run goes on");
  orrery_test_expected =
      "robot.sensor/CoordinatesToGeocentric#0: "
      "orrery.modifiers.geocentric.CoordinatesToGeocentric changes nothing: the record "
      "has no field 'x'; put it on a component that has, or take it away";
  sim = orrery_test_load (
      SCENE ("", "'name': 'sensor', 'classpath': 'morse.sensors.gyroscope.Gyroscope'",
             TO ("geocentric.CoordinatesToGeocentric")));
  g_assert_null (orrery_test_expected);
  orrery_test_step (sim, 3);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/modifiers/geographic/geodetic", test_geodetic);
  g_test_add_func ("/modifiers/geographic/ecef", test_ecef);
  g_test_add_func ("/modifiers/geographic/geocentric", test_geocentric);
  g_test_add_func ("/modifiers/geographic/turned", test_turned);
  g_test_add_func ("/modifiers/geographic/errors", test_errors);
  g_test_add_func ("/modifiers/geographic/lacking", test_lacking);
  return g_test_run ();
}
