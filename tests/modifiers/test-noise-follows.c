/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise-trial.h"

/* What is computed from a field follows it, and limits of sensors hold. */

#define WALL                                                                                       \
  ", {'name': 'wall', 'position': [5, 0, 0], 'body': {'type': 'static'}, 'properties': "           \
  "{'Remission': 0.5}, 'shapes': [{'kind': "                                                       \
  "'box', 'size': [1, 8, 8]}]}"
#define SENSOR(class, more)                                                                        \
  "{'name': 'sensor', 'frequency': 60, 'classpath': 'orrery.sensors." class "'" more "}"
#define SCENE(sensor, entries)                                                                     \
  NOISE_WORLD "'objects': [{" ORRERY_TEST_ROBOT "'objects': [" sensor "]}" WALL                    \
              "], 'component_modifier': {'robot.sensor': [" entries "]}"
#define OPTIONS ", 'properties': {'laser_range': 8, 'resolution': 1}"
#define LASER SENSOR ("laserscanner.LaserScanner", OPTIONS)
#define RSSI SENSOR ("laserscanner.RSSILaserScanner", OPTIONS)
#define N_RAYS 181
#define STEPS 200

static const double *
get_ranges (OrrerySimulation *sim, const char *field)
{
  gsize n;
  const double *ranges =
      orrery_array_get (orrery_record_find (noise_record (sim), field, ORRERY_FIELD_ARRAY), &n);

  g_assert_cmpuint (n, ==, N_RAYS);
  return ranges;
}

static const double *
get_points (OrrerySimulation *sim)
{
  return orrery_points_get (orrery_record_find (noise_record (sim), "point_list",
                                                ORRERY_FIELD_POINTS),
                            NULL);
}

/* Whether points and ranges say the same. Returns: number of rays that meet something */
static guint
check_scan (OrrerySimulation *sim)
{
  const double *ranges = get_ranges (sim, "range_list"), *points = get_points (sim);
  guint met = 0;

  for (guint i = 0; i < N_RAYS; i++) {
    double azimuth = (i - 90.0) * G_PI / 180;
    double distance = ranges[i] < 8 ? ranges[i] : 0;

    g_assert_cmpfloat (ranges[i], >=, 0);
    g_assert_cmpfloat (ranges[i], <=, 8);
    assert_near (points[3 * i], distance * cos (azimuth), 1e-9);
    assert_near (points[3 * i + 1], distance * sin (azimuth), 1e-9);
    met += distance > 0;
  }
  return met;
}

static void
test_ranges (void)
{
  g_autoptr (OrrerySimulation) good = orrery_test_load (SCENE (LASER, ""));
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (LASER, NOISE_ENTRY ("Gaussian", "'field': 'range_list', 'sigma': 0.05")));
  double squares = 0, exact;
  guint met;

  g_test_summary ("points follow the ranges, by 0.05 m; rays that meet nothing go on doing so");
  orrery_test_step (good, 1);
  met = check_scan (good);
  g_assert_cmpuint (met, >, 50);
  g_assert_cmpuint (met, <, N_RAYS);
  exact = get_ranges (good, "range_list")[90];
  for (int k = 0; k < STEPS; k++) {
    orrery_test_step (sim, 1);
    g_assert_cmpuint (check_scan (sim), ==, met);
    squares += pow (get_points (sim)[270] - exact, 2);
  }
  assert_near (squares / STEPS, 0.0025, 6 * 0.0025 * sqrt (2.0 / STEPS));
}

static void
test_far_ranges (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (RSSI, NOISE_ENTRY ("Gaussian", "'field': 'range_list', 'sigma': 10")));
  guint met = 0, most = 0;

  g_test_summary ("a range beyond the greatest is none, with its point and its remission");
  for (int k = 0; k < 20; k++) {
    const double *ranges, *remissions;

    orrery_test_step (sim, 1);
    met = check_scan (sim);
    most = MAX (most, met);
    ranges = get_ranges (sim, "range_list");
    remissions = get_ranges (sim, "remission_list");
    for (guint i = 0; i < N_RAYS; i++)
      g_assert_true ((remissions[i] > 0) == (ranges[i] > 0 && ranges[i] < 8));
  }
  g_assert_cmpuint (most, >, 5);
}

static void
test_points_first (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (LASER, NOISE_ENTRY ("Gaussian", "'field': 'point_list', 'sigma': 0.1")));
  g_autoptr (OrrerySimulation) whole =
      orrery_test_load (SCENE (LASER, NOISE_ENTRY ("Gaussian", "'sigma': 0.1")));
  guint changed = 0;

  g_test_summary ("ranges follow the points; noise of the whole record is that of the ranges");
  for (int k = 0; k < 20; k++) {
    const double *ranges, *points;

    orrery_test_step (sim, 1);
    ranges = get_ranges (sim, "range_list");
    points = get_points (sim);
    for (guint i = 0; i < N_RAYS; i++) {
      double r = sqrt (points[3 * i] * points[3 * i] + points[3 * i + 1] * points[3 * i + 1] +
                       points[3 * i + 2] * points[3 * i + 2]);

      assert_near (ranges[i], r > 0 ? r : 8, 1e-12);
      changed += points[3 * i + 2] != 0;
    }
    orrery_test_step (whole, 1);
    check_scan (whole);
  }
  g_assert_cmpuint (changed, >, 100);
}

static void
test_lost_returns (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (RSSI, NOISE_ENTRY ("DropOut", "'field': 'range_list', 'probability': 0.2")));
  g_autoptr (OrrerySimulation) found = orrery_test_load (
      SCENE (LASER,
             NOISE_ENTRY ("Outliers", "'field': 'range_list', 'probability': 0.5, 'sigma': 3")));
  guint n = 0, most = 0;

  g_test_summary ("a return that is lost has no point and no remission; outliers see what is not");
  for (int k = 0; k < STEPS; k++) {
    orrery_test_step (sim, 1);
    check_scan (sim);
    for (guint i = 0; i < N_RAYS; i++) {
      n += get_ranges (sim, "range_list")[i] == 0;
      if (get_ranges (sim, "range_list")[i] == 0)
        g_assert_cmpfloat (get_ranges (sim, "remission_list")[i], ==, 0);
    }
    orrery_test_step (found, 1);
    most = MAX (most, check_scan (found));
  }
  assert_near (n, 0.2 * STEPS * N_RAYS, 6 * sqrt (0.16 * STEPS * N_RAYS));
  /* Rays to both sides meet no wall. */
  g_assert_cmpuint (most, >, 90);
}

#define HOST "'placement': 'host'"
#define WORKER "'placement': 'worker'"
#define SENSOR_AT(class, place, more) SENSOR (class, ", 'rotation': [0, 0, 1], " place more)
#define FIELD(class, field, more) NOISE_ENTRY (class, "'field': '" field "', " more)
#define FAR_AND_NEAR(class, more, entries)                                                         \
  SCENE (SENSOR_AT (class, WORKER, more), entries), SCENE (SENSOR_AT (class, HOST, more), entries)

static void
compare_steps (OrrerySimulation *far, OrrerySimulation *near)
{
  for (int k = 0; k < 10; k++) {
    orrery_test_step (far, 1);
    orrery_test_step (near, 1);
    g_assert_cmpuint (orrery_record_hash (noise_record (far), 0, 0), ==,
                      orrery_record_hash (noise_record (near), 0, 0));
  }
}

static void
test_worker (void)
{
  static const struct {
    const char *far, *near;
  } scenes[] = {
    { FAR_AND_NEAR ("laserscanner.LaserScanner", OPTIONS,
                    FIELD ("Gaussian", "range_list", "'sigma': 0.05") "," FIELD (
                        "Outliers", "range_list", "'probability': 0.1, 'sigma': 3")) },
    { FAR_AND_NEAR ("laserscanner.RSSILaserScanner", OPTIONS,
                    FIELD ("DropOut", "range_list", "'probability': 0.2")) },
    { FAR_AND_NEAR ("velocity.Velocity", "", NOISE_ENTRY ("Gaussian", "'sigma': 1")) },
    { FAR_AND_NEAR ("battery.Battery", "", NOISE_ENTRY ("Gaussian", "'sigma': 50")) },
    { FAR_AND_NEAR ("depth_camera.DepthCamera",
                    ", 'properties': {'with_rays': true, 'cam_width': 16, 'cam_height': 16, "
                    "'cam_far': 20}",
                    FIELD ("DropOut", "points", "'probability': 0.3")) },
  };

  g_test_summary ("a sensor in a worker has the same noise, and fields that follow, bit by bit");
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++) {
    g_autoptr (OrrerySimulation) far = orrery_test_load (scenes[i].far);
    g_autoptr (OrrerySimulation) near = orrery_test_load (scenes[i].near);

    compare_steps (far, near);
  }
}

static void
test_worker_option (void)
{
  static const char *const scenes[] = { FAR_AND_NEAR ("laserscanner.LaserScanner", OPTIONS,
                                                      FIELD ("Gaussian", "range_list",
                                                             "'sigma': 0.05")) };
  g_autoptr (OrrerySimulation) far = orrery_test_load (scenes[0]);
  g_autoptr (OrrerySimulation) near = orrery_test_load (scenes[1]);
  OrrerySimulation *both[] = { far, near };

  g_test_summary ("limits of a sensor in a worker are those of its options as they are now");
  compare_steps (far, near);
  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    orrery_test_assert_answer (both[i], "robot.sensor", "set_property", "('laser_range', 6.0)", "");
  compare_steps (far, near);
  for (guint i = 0; i < N_RAYS; i++)
    g_assert_cmpfloat (get_ranges (far, "range_list")[i], <=, 6);
}

static void
test_heights (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE (SENSOR ("radar_altimeter.RadarAltimeter", ""),
                               NOISE_ENTRY ("Gaussian", "'sigma': 1")));
  g_autoptr (OrrerySimulation) battery = orrery_test_load (
      SCENE (SENSOR ("battery.Battery", ""), NOISE_ENTRY ("Gaussian", "'sigma': 50")));

  g_test_summary ("what meets nothing has no noise; a charge stays between 0 and 100 %");
  for (int k = 0; k < STEPS; k++) {
    orrery_test_step (sim, 1);
    orrery_test_step (battery, 1);
    g_assert_true (isinf (noise_get (sim, "z")));
    g_assert_cmpfloat (noise_get (battery, "charge"), >=, 0);
    g_assert_cmpfloat (noise_get (battery, "charge"), <=, 100);
  }
}

static void
test_heading (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      "'environment': {'seed': 42, 'frequency': 60, 'physics': "
      "'orrery.physics.kinematic.Kinematic', 'properties': {'longitude': 1.4, 'latitude': 43.6, "
      "'altitude': 150}}, 'objects': [{" ORRERY_TEST_ROBOT
      "'objects': [" SENSOR ("gps.ExtendedGPS",
                             "") "]}], 'component_modifier': {'robot.sensor': "
                                 "[" NOISE_ENTRY ("Gaussian",
                                                  "'field': 'velocity', 'sigma': 1") "]}");

  g_test_summary ("the heading is that of the velocity that is shown");
  for (int k = 0; k < STEPS; k++) {
    OrreryVec3 v;
    double heading;

    orrery_test_step (sim, 1);
    v = orrery_test_get_vec3 (sim, "robot.sensor", "velocity");
    heading = noise_get (sim, "heading") * G_PI / 180;
    assert_near (v.x * cos (heading) - v.y * sin (heading), 0, 1e-9);
    g_assert_cmpfloat (v.x * sin (heading) + v.y * cos (heading), >, 0);
  }
}

static void
test_velocity (void)
{
  static const char *const fields[] = { "linear_velocity", "world_linear_velocity" };

  g_test_summary ("a velocity is the same in both axes, whichever has the noise");
  for (guint f = 0; f < G_N_ELEMENTS (fields); f++) {
    g_autofree char *scene =
        g_strdup_printf (SCENE (SENSOR ("velocity.Velocity",
                                        ", 'rotation': [0, 0, 1.5707963267948966]"),
                                NOISE_ENTRY ("Gaussian", "'field': '%s', 'sigma': 1")),
                         fields[f]);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

    for (int k = 0; k < 20; k++) {
      OrreryVec3 own, world;

      orrery_test_step (sim, 1);
      own = orrery_test_get_vec3 (sim, "robot.sensor", "linear_velocity");
      world = orrery_test_get_vec3 (sim, "robot.sensor", "world_linear_velocity");
      g_assert_cmpfloat (fabs (own.x), >, 1e-9);
      assert_near (world.x, -own.y, 1e-9);
      assert_near (world.y, own.x, 1e-9);
      assert_near (world.z, own.z, 1e-9);
    }
  }
}

static void
test_near (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (NOISE_WORLD "'objects': [{" ORRERY_TEST_ROBOT "'objects': [" SENSOR (
          "proximity.Proximity", "") "]}, {'name': 'other', 'classpath': "
                                     "'orrery.core.robot.Robot', 'position': [3, 4, 0]}], "
                                     "'component_modifier': {'robot.sensor': [" NOISE_ENTRY (
                                         "Bias", "'field': 'near_objects', 'bias': 2") "]}");
  static const char *const names[] = { "near_objects", "near_robots" };

  g_test_summary ("distances by name have noise, under both names the same");
  orrery_test_step (sim, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GVariant *map;
    double distance = 0;

    orrery_record_get (noise_record (sim), names[i], &map);
    g_assert_true (g_variant_lookup (map, "other", "d", &distance));
    assert_near (distance, 7, 1e-12);
  }
}

static void
count_points (OrrerySimulation *sim, guint *n, guint *zeros)
{
  OrreryBuffer *cloud =
      *(OrreryBuffer **) orrery_record_find (noise_record (sim), "points", ORRERY_FIELD_BUFFER);
  const float *points = orrery_buffer_get_data (cloud);

  *zeros = 0;
  *n = (guint) orrery_buffer_get_length (cloud, 0);
  g_assert_cmpuint (*n, ==, (guint) noise_get (sim, "nb_points"));
  for (guint i = 0; i < *n; i++) {
    g_assert_true (points[3 * i + 2] >= 0 && points[3 * i + 2] <= 20);
    *zeros += points[3 * i + 2] == 0;
  }
}

#define CLOUD "'with_rays': true, 'cam_width': 64, 'cam_height': 64, 'cam_near': 0.5, 'cam_far': 20"

static void
test_clouds (void)
{
  g_autoptr (OrrerySimulation) good = orrery_test_load (
      SCENE (SENSOR ("depth_camera.DepthCamera", ", 'properties': {" CLOUD "}"), ""));
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE (SENSOR ("velodyne.Velodyne", ", 'properties': {" CLOUD ", 'rotation': 0}"),
             NOISE_ENTRY ("DropOut", "'field': 'points', 'probability': 0.25")));
  g_autoptr (OrrerySimulation) kept = orrery_test_load (
      SCENE (SENSOR ("velodyne.Velodyne",
                     ", 'properties': {" CLOUD ", 'keep_resolution': true, 'rotation': 0}"),
             NOISE_ENTRY ("Gaussian", "'field': 'points.range', 'sigma': 40")));
  guint n, zeros, all, left = 0, lost = 0;

  g_test_summary ("points that are lost or too far leave the cloud of a camera, or are 0, 0, 0");
  orrery_test_step (good, 1);
  count_points (good, &all, &zeros);
  g_assert_cmpuint (all, ==, 64 * 64);
  for (int k = 0; k < 20; k++) {
    orrery_test_step (sim, 1);
    count_points (sim, &n, &zeros);
    g_assert_cmpuint (zeros, ==, 0);
    left += n;
    orrery_test_step (kept, 1);
    count_points (kept, &n, &zeros);
    g_assert_cmpuint (n, ==, all);
    lost += zeros;
  }
  assert_near (left, 0.75 * 20 * all, 6 * sqrt (0.1875 * 20 * all));
  g_assert_cmpuint (lost, >, 20 * all / 2);
  g_assert_cmpuint (lost, <, 20 * all);
}

static void
test_compound (void)
{
  g_test_summary ("noise of a sensor that shows others is refused, and says where it belongs");
  orrery_test_refuse (SCENE (SENSOR ("compound.CompoundSensor",
                                     ", 'objects': [{'name': 'pose', 'classpath': "
                                     "'orrery.sensors.pose.Pose'}]"),
                             NOISE_ENTRY ("Gaussian", "'field': 'robot.sensor.pose', 'sigma': 1")),
                      "is the record of that sensor");
  orrery_test_refuse (SCENE (SENSOR ("compound.CompoundSensor",
                                     ", 'objects': [{'name': 'pose', 'classpath': "
                                     "'orrery.sensors.pose.Pose'}]"),
                             NOISE_ENTRY ("Delay", "'delay': 0.1")),
                      "is the record of that sensor");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/follows/ranges", test_ranges);
  g_test_add_func ("/modifiers/follows/far-ranges", test_far_ranges);
  g_test_add_func ("/modifiers/follows/points-first", test_points_first);
  g_test_add_func ("/modifiers/follows/lost-returns", test_lost_returns);
  g_test_add_func ("/modifiers/follows/worker", test_worker);
  g_test_add_func ("/modifiers/follows/worker-option", test_worker_option);
  g_test_add_func ("/modifiers/follows/heights", test_heights);
  g_test_add_func ("/modifiers/follows/heading", test_heading);
  g_test_add_func ("/modifiers/follows/velocity", test_velocity);
  g_test_add_func ("/modifiers/follows/near", test_near);
  g_test_add_func ("/modifiers/follows/clouds", test_clouds);
  g_test_add_func ("/modifiers/follows/compound", test_compound);
  return g_test_run ();
}
