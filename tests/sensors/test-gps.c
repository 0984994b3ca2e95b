/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define ORIGIN "'longitude': 1.4442, 'latitude': 43.6043, 'altitude': 150"
#define SCENE_AT(origin, levels)                                                                   \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'properties': {" origin "}}, 'objects': [{" ORRERY_TEST_ROBOT                                   \
  "'position': [100, 200, 50], 'objects': [" levels                                                \
  "{'name': 'motion', 'classpath': 'orrery.actuators.xy_omega.MotionXYW'}]}]"
#define GPS(name, more) "{'name': '" name "', 'classpath': 'morse.sensors.gps.GPS'" more "}, "
#define LEVELS                                                                                     \
  GPS ("gps", "") GPS ("raw", ", 'level': 'raw'") GPS ("extended", ", 'level': 'extended'")

static void
assert_vec3 (OrreryVec3 v, double x, double y, double z, double epsilon)
{
  assert_near (v.x, x, epsilon);
  assert_near (v.y, y, epsilon);
  assert_near (v.z, z, epsilon);
}

static void
test_fields (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("three levels; the simple one is the default and needs no place on the Earth");
  sim = orrery_test_load (SCENE_AT (ORIGIN, LEVELS));
  orrery_test_assert_fields (sim, "robot.gps", "x y z");
  orrery_test_assert_fields (sim, "robot.raw", "longitude latitude altitude velocity");
  orrery_test_assert_fields (sim, "robot.extended",
                             "longitude latitude altitude velocity date time heading");
  g_clear_object (&sim);
  sim = orrery_test_load (SCENE_AT ("", GPS ("gps", "")));
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.gps", "x"), 100, 1e-12);
  assert_near (orrery_test_get (sim, "robot.gps", "y"), 200, 1e-12);
  assert_near (orrery_test_get (sim, "robot.gps", "z"), 50, 1e-12);
}

static void
test_place (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE_AT (ORIGIN, LEVELS));

  g_test_summary ("longitude, latitude, altitude as GeographicLib's LocalCartesian has them");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.raw", "longitude"), 1.44543858266485, 1e-11);
  assert_near (orrery_test_get (sim, "robot.raw", "latitude"), 43.6061000432547, 1e-11);
  assert_near (orrery_test_get (sim, "robot.raw", "altitude"), 200.003924333, 1e-7);
}

static void
test_velocity (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE_AT (ORIGIN, LEVELS));
  g_autoptr (OrrerySimulation) north =
      orrery_test_load (SCENE_AT (ORIGIN ", 'angle_against_north': 0", LEVELS));

  g_test_summary ("velocity to East, North and up; none in the first step; the course it makes");
  orrery_test_write (sim, "robot.motion", "x", 3);
  orrery_test_write (sim, "robot.motion", "y", -4);
  orrery_test_step (sim, 1);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.raw", "velocity"), 0, 0, 0, 1e-12);
  g_assert_true (isinf (orrery_test_get (sim, "robot.extended", "heading")));
  orrery_test_step (sim, 2);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.raw", "velocity"), 3, -4, 0, 1e-9);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.extended", "velocity"), 3, -4, 0, 1e-9);
  assert_near (orrery_test_get (sim, "robot.extended", "heading"), 180 - atan2 (3, 4) * 180 / G_PI,
               1e-7);

  orrery_test_write (north, "robot.motion", "x", 3);
  orrery_test_write (north, "robot.motion", "y", 1);
  orrery_test_step (north, 3);
  assert_vec3 (orrery_test_get_vec3 (north, "robot.raw", "velocity"), -1, 3, 0, 1e-9);
  assert_near (orrery_test_get (north, "robot.extended", "heading"),
               360 - atan2 (1, 3) * 180 / G_PI, 1e-7);
}

static void
test_frequency (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE_AT (ORIGIN, GPS ("raw", ", 'level': 'raw', 'frequency': 25")));
  double most = 0, least = G_MAXDOUBLE;

  g_test_summary ("the velocity is the displacement times the frequency, here of 2 or 3 ticks");
  orrery_test_write (sim, "robot.motion", "x", 3);
  orrery_test_step (sim, 4);
  for (int k = 0; k < 60; k++) {
    double v = orrery_test_get_vec3 (sim, "robot.raw", "velocity").x;

    most = MAX (most, v);
    least = MIN (least, v);
    orrery_test_step (sim, 1);
  }
  assert_near (least, 3 * 2 / 60.0 * 25, 1e-9);
  assert_near (most, 3 * 3 / 60.0 * 25, 1e-9);
}

static char *
get_text (OrrerySimulation *sim, const char *field)
{
  g_autoptr (GVariant) value = orrery_record_get_value (
      orrery_component_get_record (orrery_test_find (sim, "robot.extended")), field);

  return g_variant_dup_string (value, NULL);
}

/* MORSE begins them as the number 0. */
static void
assert_unset (OrrerySimulation *sim, const char *field)
{
  g_autoptr (GVariant) value = orrery_record_get_value (
      orrery_component_get_record (orrery_test_find (sim, "robot.extended")), field);

  g_assert_true (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64));
  g_assert_cmpint (g_variant_get_int64 (value), ==, 0);
}

static void
assert_clock (double start, const char *date, const char *time)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load_at (SCENE_AT (ORIGIN, LEVELS), start);
  g_autofree char *day = NULL;
  g_autofree char *hour = NULL;

  assert_unset (sim, "date");
  assert_unset (sim, "time");
  orrery_test_step (sim, 60);
  day = get_text (sim, "date");
  hour = get_text (sim, "time");
  g_assert_cmpstr (day, ==, date);
  g_assert_cmpstr (hour, ==, time);
}

static void
test_clock (void)
{
  g_test_summary ("day and time of the simulation, in UTC: over midnight, leap days, before 1970");
  assert_clock (0, "010170", "000001");
  assert_clock (951782398, "280200", "235959");
  assert_clock (951782399, "290200", "000000");
  assert_clock (951868799, "010300", "000000");
  assert_clock (1792156207, "161026", "131008");
  assert_clock (-2, "311269", "235959");
}

static void
test_reset (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE_AT (ORIGIN, LEVELS));

  g_test_summary ("after a reset the way back is no velocity, and there is no date");
  orrery_test_write (sim, "robot.motion", "x", 3);
  orrery_test_step (sim, 100);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  assert_unset (sim, "date");
  assert_unset (sim, "time");
  orrery_test_step (sim, 1);
  assert_vec3 (orrery_test_get_vec3 (sim, "robot.raw", "velocity"), 0, 0, 0, 1e-12);
}

static void
test_errors (void)
{
  g_test_summary ("raw and extended need a place on the Earth; a level that is none is refused");
  orrery_test_refuse (
      SCENE_AT ("", GPS ("raw", ", 'level': 'raw'")),
      "the place on the Earth is needed: the environment has no property 'longitude'");
  orrery_test_refuse (SCENE_AT ("'longitude': 1, 'latitude': 2",
                                GPS ("e", ", 'level': 'extended'")),
                      "no property 'altitude'");
  orrery_test_refuse (SCENE_AT (ORIGIN, GPS ("gps", ", 'level': 'rough'")), "rough");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/gps/fields", test_fields);
  g_test_add_func ("/sensors/gps/place", test_place);
  g_test_add_func ("/sensors/gps/velocity", test_velocity);
  g_test_add_func ("/sensors/gps/frequency", test_frequency);
  g_test_add_func ("/sensors/gps/clock", test_clock);
  g_test_add_func ("/sensors/gps/reset", test_reset);
  g_test_add_func ("/sensors/gps/errors", test_errors);
  return g_test_run ();
}
