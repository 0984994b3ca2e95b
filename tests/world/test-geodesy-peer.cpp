/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/LocalCartesian.hpp>

#include <cmath>

/* Ours beside GeographicLib, which works them out in another way. */

namespace {

/* m; what 1 m is in degrees is taken from the latitude. */
constexpr double LENGTH = 1e-8;
constexpr double ANGLE = 1e-13;

struct Place {
  double longitude, latitude, altitude;
};

const Place places[] = {
  { 43.6, 1.4333, 135 }, { 1.4442, 43.6043, 150 },   { -122.4, 37.8, 0 }, { 151.2, -33.9, 58 },
  { 0, 89.9999, 0 },     { -179.9999, -89.99, -30 }, { 180, 0, 8848 },    { 12, 55, -10935 },
  { 25, 78.2, 400000 },  { -70, -45, 1e6 },          { 360, 45, 0 },      { -200, 10, 5 },
};

const OrreryVec3 points[] = {
  { 0, 0, 0 },           { 10, 8, 0.1 },    { 100, 200, 50 },      { -5000, 12345, 2000 },
  { 100000, -70000, 0 }, { 3e6, 2e6, 1e6 }, { -1e6, 4e6, -20000 }, { 0, 0, -1000 },
};

double
wrap (double degrees)
{
  return std::remainder (degrees, 360);
}

void
compare (const Place &place, const OrreryVec3 &point)
{
  const GeographicLib::Geocentric &earth = GeographicLib::Geocentric::WGS84 ();
  GeographicLib::LocalCartesian local (place.latitude, place.longitude, place.altitude, earth);
  OrreryGeodesy *ours = orrery_geodesy_new (place.longitude, place.latitude, place.altitude, 90);
  double lat, lon, h, x, y, z;
  OrreryVec3 out, back;

  local.Reverse (point.x, point.y, point.z, lat, lon, h);
  orrery_geodesy_to_geodetic (ours, &point, &out);
  g_assert_cmpfloat_with_epsilon (out.y, lat, ANGLE * 57.3);
  g_assert_cmpfloat_with_epsilon (wrap (out.x - lon) * std::cos (lat * G_PI / 180), 0,
                                  ANGLE * 57.3);
  g_assert_cmpfloat_with_epsilon (out.z, h, LENGTH);

  earth.Forward (lat, lon, h, x, y, z);
  orrery_geodesy_to_ecef (ours, &point, &out);
  g_assert_cmpfloat_with_epsilon (out.x, x, LENGTH);
  g_assert_cmpfloat_with_epsilon (out.y, y, LENGTH);
  g_assert_cmpfloat_with_epsilon (out.z, z, LENGTH);

  orrery_geodesy_to_geocentric (ours, &point, &out);
  g_assert_cmpfloat_with_epsilon (out.y, std::atan2 (z, std::hypot (x, y)) * 180 / G_PI, 1e-11);
  g_assert_cmpfloat_with_epsilon (out.z, std::sqrt (x * x + y * y + z * z), LENGTH);

  back = OrreryVec3{ lon, lat, h };
  orrery_geodesy_from_geodetic (ours, &back, &out);
  local.Forward (lat, lon, h, x, y, z);
  g_assert_cmpfloat_with_epsilon (out.x, x, LENGTH);
  g_assert_cmpfloat_with_epsilon (out.y, y, LENGTH);
  g_assert_cmpfloat_with_epsilon (out.z, z, LENGTH);
  orrery_geodesy_unref (ours);
}

void
test_peer ()
{
  g_test_summary ("GeographicLib says the same, from the pole to the equator, deep and high");
  for (const Place &place : places)
    for (const OrreryVec3 &point : points)
      compare (place, point);
}

} // namespace

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/world/geodesy/peer", test_peer);
  return g_test_run ();
}
