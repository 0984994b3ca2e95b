/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

static void
assert_vec3 (const OrreryVec3 *v, double x, double y, double z, double angle, double length)
{
  assert_near (v->x, x, angle);
  assert_near (v->y, y, angle);
  assert_near (v->z, z, length);
}

static void
test_morse (void)
{
  g_autoptr (OrreryGeodesy) earth = orrery_geodesy_new (43.6, 1.4333, 135, 90);
  OrreryVec3 out;

  g_test_summary ("the numbers that MORSE gives for its own example, of single precision in ECEF");
  orrery_geodesy_to_ecef (earth, &(OrreryVec3){ 10, 8, 0.1 }, &out);
  assert_vec3 (&out, 4617522.748, 4397221.061, 158481.297, 0.25, 0.25);
  orrery_geodesy_to_geodetic (earth, &(OrreryVec3){ 10, 8, 0.1 }, &out);
  assert_vec3 (&out, 43.6000883, 1.43337247, 135.1, 2e-6, 1e-4);
  orrery_geodesy_to_ecef (earth, &(OrreryVec3){ 100, 200, 50 }, &out);
  assert_vec3 (&out, 4617493.329, 4397317.326, 158674.479, 0.25, 0.25);
  orrery_geodesy_to_geodetic (earth, &(OrreryVec3){ 100, 200, 50 }, &out);
  assert_vec3 (&out, 43.600897, 1.43510869, 185.0039, 2e-6, 1e-4);
}

static void
test_axes (void)
{
  g_autoptr (OrreryGeodesy) plain = orrery_geodesy_new (0, 0, 0, 90);
  g_autoptr (OrreryGeodesy) north = orrery_geodesy_new (0, 0, 1e-15, 1e-15);
  g_autoptr (OrreryGeodesy) south = orrery_geodesy_new (0, 0, 0, 180);
  OrreryVec3 out;

  g_test_summary ("x is East; angle_against_north turns it, positive to the East");
  orrery_geodesy_to_enu (plain, &(OrreryVec3){ 1, 2, 3 }, &out);
  assert_vec3 (&out, 1, 2, 3, 1e-15, 1e-15);
  orrery_geodesy_to_enu (north, &(OrreryVec3){ 1, 2, 3 }, &out);
  assert_vec3 (&out, -2, 1, 3, 1e-15, 1e-15);
  orrery_geodesy_from_enu (north, &(OrreryVec3){ -2, 1, 3 }, &out);
  assert_vec3 (&out, 1, 2, 3, 1e-15, 1e-15);
  orrery_geodesy_to_enu (south, &(OrreryVec3){ 1, 2, 3 }, &out);
  assert_vec3 (&out, 2, -1, 3, 1e-15, 1e-15);
}

static void
test_heading (void)
{
  g_autoptr (OrreryGeodesy) plain = orrery_geodesy_new (0, 0, 0, 90);
  g_autoptr (OrreryGeodesy) turned = orrery_geodesy_new (0, 0, 0, 20);

  g_test_summary ("headings are clockwise from North, within a turn");
  assert_near (orrery_geodesy_get_heading (plain, 0), G_PI / 2, 1e-15);
  assert_near (orrery_geodesy_get_heading (plain, G_PI), 3 * G_PI / 2, 1e-15);
  assert_near (orrery_geodesy_get_heading (plain, -G_PI), 3 * G_PI / 2, 1e-15);
  assert_near (orrery_geodesy_get_heading (turned, 0), 20 * G_PI / 180, 1e-15);
  assert_near (orrery_geodesy_get_heading (turned, 0.1), 20 * G_PI / 180 - 0.1, 1e-15);
  for (int i = -1000; i < 1000; i++) {
    double heading = orrery_geodesy_get_heading (plain, i * G_PI / 8 + 1e-17);

    g_assert_cmpfloat (heading, >=, 0);
    g_assert_cmpfloat (heading, <, 2 * G_PI);
  }
}

static void
test_round_trips (void)
{
  static const double angles[] = { 90, 0, 33, -150 };

  g_test_summary (
      "what is converted to and fro is what it was, to a hundredth of a micron and less");
  for (guint i = 0; i < 4 * 19 * 7; i++) {
    g_autoptr (OrreryGeodesy) earth =
        orrery_geodesy_new ((double) (i % 7) * 57 - 171, (double) (i / 7 % 19) * 10 - 90, 135,
                            angles[i / 7 / 19]);
    OrreryVec3 p = { 123.25, -4567.5, 89 }, out;

    orrery_geodesy_to_ecef (earth, &p, &out);
    orrery_geodesy_from_ecef (earth, &out, &out);
    assert_vec3 (&out, p.x, p.y, p.z, 1e-8, 1e-8);
    orrery_geodesy_to_geodetic (earth, &p, &out);
    orrery_geodesy_from_geodetic (earth, &out, &out);
    assert_vec3 (&out, p.x, p.y, p.z, 1e-8, 1e-8);
    orrery_geodesy_to_geocentric (earth, &p, &out);
    orrery_geodesy_from_geocentric (earth, &out, &out);
    assert_vec3 (&out, p.x, p.y, p.z, 1e-8, 1e-8);
  }
}

static void
test_poles (void)
{
  g_autoptr (OrreryGeodesy) pole = orrery_geodesy_new (0, 90, 100, 90);
  g_autoptr (OrreryGeodesy) equator = orrery_geodesy_new (0, 0, 0, 90);
  OrreryVec3 out;

  g_test_summary ("poles, equator and the centre of the Earth are numbers");
  orrery_geodesy_to_geodetic (pole, &(OrreryVec3){ 0, 0, 0 }, &out);
  assert_near (out.y, 90, 1e-13);
  assert_near (out.z, 100, 1e-8);
  orrery_geodesy_to_ecef (pole, &(OrreryVec3){ 0, 0, 0 }, &out);
  assert_vec3 (&out, 0, 0, 6356852.314245179, 1e-9, 1e-8);
  orrery_geodesy_to_geodetic (equator, &(OrreryVec3){ 0, 0, -6378137 }, &out);
  g_assert_true (orrery_vec3_is_finite (&out));
}

/* --- from the environment --- */

static void
refuse (const char *name, GVariant *value, const char *pattern)
{
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  g_autoptr (OrreryGeodesy) earth = NULL;
  g_autoptr (GError) error = NULL;

  orrery_world_set_value (world, "longitude", g_variant_new_double (1));
  orrery_world_set_value (world, "latitude", g_variant_new_int64 (2));
  orrery_world_set_value (world, "altitude", g_variant_new_double (3));
  earth = orrery_geodesy_new_from_world (world, &error);
  g_assert_no_error (error);
  g_assert_nonnull (earth);
  orrery_world_set_value (world, name, value);
  g_assert_null (orrery_geodesy_new_from_world (world, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_true (g_pattern_match_simple (pattern, error->message));
}

static void
test_environment (void)
{
  g_test_summary ("what the environment lacks or has wrong is said");
  refuse ("longitude", NULL, "*no property 'longitude'*");
  refuse ("latitude", NULL, "*no property 'latitude'*");
  refuse ("altitude", NULL, "*no property 'altitude'*");
  refuse ("longitude", g_variant_new_double (361), "*'longitude' is 361*from -360 to 360");
  refuse ("latitude", g_variant_new_double (-90.5), "*'latitude' is -90.5*from -90 to 90");
  refuse ("latitude", g_variant_new_double (NAN), "*'latitude' is *");
  refuse ("altitude", g_variant_new_double (INFINITY), "*'altitude' is *");
  refuse ("altitude", g_variant_new_string ("high"), "*'altitude' is 'high'*");
  refuse ("angle_against_north", g_variant_new_boolean (TRUE), "*'angle_against_north' is true*");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/world/geodesy/morse", test_morse);
  g_test_add_func ("/world/geodesy/axes", test_axes);
  g_test_add_func ("/world/geodesy/heading", test_heading);
  g_test_add_func ("/world/geodesy/round-trips", test_round_trips);
  g_test_add_func ("/world/geodesy/poles", test_poles);
  g_test_add_func ("/world/geodesy/environment", test_environment);
  return g_test_run ();
}
