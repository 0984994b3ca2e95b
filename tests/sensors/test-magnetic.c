/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../plugins/sensors/magnetic.h"
#include <orrery-test.h>

/* nT: what is printed has one digit behind the point. */
#define PRINTED 0.051
/* One line is not of the table that NOAA publishes: the package asks for 5 nT of all. */
#define ODD_YEAR 2015.21096
#define ODD 5

static OrreryVec3
field_at (MagneticModelName model, double year, double longitude, double latitude, double altitude)
{
  OrreryVec3 place = { longitude, latitude, altitude }, ned;
  MagneticField field;

  magnetic_field_init (&field, model, year);
  magnetic_field_get (&field, &place, &ned);
  return ned;
}

static gboolean
check_line (const char *line, guint counts[])
{
  g_auto (GStrv) words = g_strsplit (line, ",", 0);
  double value[12];
  MagneticModelName model;
  OrreryVec3 ned;
  double epsilon;

  if (*line == '#' || g_strv_length (words) < 12 || !g_ascii_isdigit (*line))
    return FALSE;
  for (guint i = 0; i < 12; i++)
    value[i] = g_ascii_strtod (words[i], NULL);
  /* Those of before 2020 are of the first model of 2015. */
  model = value[0] < 2020 ? MAGNETIC_WMM2015 : magnetic_find_model (value[0]);
  ned = field_at (model, value[0], value[3], value[2], value[1] * 1000);
  counts[model]++;
  epsilon = value[0] == ODD_YEAR ? ODD : PRINTED;
  assert_near (ned.x, value[4], epsilon);
  assert_near (ned.y, value[5], epsilon);
  assert_near (ned.z, value[6], epsilon);
  return TRUE;
}

static void
test_published (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "tests", "sensors",
                                            "magnetic-values.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint counts[] = {
    [MAGNETIC_WMM2015] = 0, [MAGNETIC_WMM2015V2] = 0, [MAGNETIC_WMM2020] = 0, [MAGNETIC_WMM2025] = 0
  };
  guint n = 0;

  g_test_summary ("the published test values of all models, to the digit that is printed");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text != NULL ? text : "", "\n", 0);
  for (char **line = lines; *line != NULL; line++)
    n += check_line (*line, counts);
  g_assert_cmpuint (n, ==, 213);
  /* None are of the second model of 2015: test_second_2015() has some. */
  g_assert_cmpuint (counts[MAGNETIC_WMM2015], ==, 13);
  g_assert_cmpuint (counts[MAGNETIC_WMM2015V2], ==, 0);
  g_assert_cmpuint (counts[MAGNETIC_WMM2020], ==, 100);
  g_assert_cmpuint (counts[MAGNETIC_WMM2025], ==, 100);
}

static void
test_second_2015 (void)
{
  static const struct {
    double year, altitude, latitude, longitude, x, y, z;
  } rows[] = {
    { 2015, 0, 80, 0, 6636.5802, -451.8843, 54408.8785 },
    { 2015, 0, 0, 120, 39521.1020, 377.6838, -11228.7958 },
    { 2015, 0, -80, 240, 5796.3015, 15759.0901, -52927.1022 },
    { 2015, 100000, 80, 0, 6323.3691, -477.6192, 52249.0707 },
    { 2015, 100000, 0, 120, 37538.0561, 351.0730, -10751.0871 },
    { 2015, 100000, -80, 240, 5612.2013, 14789.2660, -50385.7768 },
    { 2015, 0, 43.6043, 1.4442, 23725.4574, 89.0153, 39671.3872 },
    { 2015, 8848, 27.988, 86.925, 35037.0521, 187.2544, 33286.1701 },
    { 2019, 0, 80, 0, 6586.3784, -206.8074, 54564.7901 },
    { 2019, 0, 0, 120, 39598.3694, 177.0259, -10971.4362 },
    { 2019, 0, -80, 240, 5905.5428, 15767.1505, -52573.5145 },
    { 2019, 100000, 80, 0, 6276.8955, -243.1743, 52391.0257 },
    { 2019, 100000, 0, 120, 37612.1800, 166.5097, -10510.2098 },
    { 2019, 100000, -80, 240, 5712.5165, 14795.3611, -50055.7033 },
    { 2019, 0, 43.6043, 1.4442, 23800.9257, 348.2263, 39801.8260 },
    { 2019, 8848, 27.988, 86.925, 35033.8705, 167.9204, 33830.5425 },
  };

  g_test_summary ("the second model of 2015, beside what the npm package geomagnetism works out");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    OrreryVec3 ned = field_at (MAGNETIC_WMM2015V2, rows[i].year, rows[i].longitude,
                               rows[i].latitude, rows[i].altitude);

    /* It takes the Earth's axes to 0.1 mm, and years of 365 days. */
    assert_near (ned.x, rows[i].x, 0.01);
    assert_near (ned.y, rows[i].y, 0.01);
    assert_near (ned.z, rows[i].z, 0.01);
  }
}

static void
test_choice (void)
{
  g_test_summary ("the newest model that has begun is taken");
  g_assert_cmpint (magnetic_find_model (2015), ==, MAGNETIC_WMM2015V2);
  g_assert_cmpint (magnetic_find_model (2019.999), ==, MAGNETIC_WMM2015V2);
  g_assert_cmpint (magnetic_find_model (2020), ==, MAGNETIC_WMM2020);
  g_assert_cmpint (magnetic_find_model (2024.99), ==, MAGNETIC_WMM2020);
  g_assert_cmpint (magnetic_find_model (2025), ==, MAGNETIC_WMM2025);
  g_assert_cmpint (magnetic_find_model (2030), ==, MAGNETIC_WMM2025);
}

/* At a pole the longitude says only which way North is: the horizontal field turns with it. */
static void
test_poles (void)
{
  OrreryVec3 a = field_at (MAGNETIC_WMM2025, 2026, 0, 90, 0);
  OrreryVec3 b = field_at (MAGNETIC_WMM2025, 2026, 90, 90, 0);
  OrreryVec3 near = field_at (MAGNETIC_WMM2025, 2026, 0, 89.99999, 0);
  OrreryVec3 south = field_at (MAGNETIC_WMM2025, 2026, 30, -90, 0);
  OrreryVec3 middle = field_at (MAGNETIC_WMM2025, 2026, 0, 0, -6378137);

  g_test_summary ("the poles have a field, and the same from all sides");
  assert_near (a.x, near.x, 0.1);
  assert_near (a.y, near.y, 0.1);
  assert_near (a.z, near.z, 0.1);
  assert_near (b.x, -a.y, 1e-6);
  assert_near (b.y, a.x, 1e-6);
  assert_near (b.z, a.z, 1e-6);
  g_assert_true (orrery_vec3_is_finite (&south));
  g_assert_true (orrery_vec3_is_finite (&middle));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/magnetic/published", test_published);
  g_test_add_func ("/sensors/magnetic/second-2015", test_second_2015);
  g_test_add_func ("/sensors/magnetic/choice", test_choice);
  g_test_add_func ("/sensors/magnetic/poles", test_poles);
  return g_test_run ();
}
