/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

#define LASER(name, kind, more)                                                                    \
  "{'name': '" name "', 'classpath': 'orrery.sensors." kind "'" more "}"
#define WALL(name, x, y, sx, sy)                                                                   \
  ", {'name': '" name "', 'position': [" #x ", " #y ", 0], 'body': {'type': 'static'}, "           \
  "'shapes': [{'kind': 'box', 'size': [" #sx ", " #sy ", 4]}]}"
/* A room of 8 x 6 m about the origin, with a pillar and a ball in it. */
#define ROOM                                                                                       \
  WALL ("east", 4.5, 0, 1, 8)                                                                      \
  WALL ("west", -4.5, 0, 1, 8)                                                                     \
  WALL ("north", 0, 3.5, 10, 1)                                                                    \
  WALL ("south", 0, -3.5, 10, 1)                                                                   \
  ", {'name': 'ball', 'position': [2, 0, 0], 'body': {'type': 'rigid'}, "                          \
  "'shapes': [{'kind': 'sphere', 'radius': 0.5}]}"                                                 \
  ", {'name': 'poster', 'position': [1, 1, 0], 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}"
#define HULL "'shapes': [{'kind': 'box', 'size': [2.8, 2.8, 1]}], "
#define SCENE_IN(environment, lasers)                                                              \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic'" environment   \
  "}, 'objects': [{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY HULL "'objects': [" lasers "]}" ROOM "]"
#define SCENE(lasers) SCENE_IN ("", lasers)

static const char *const casters[] = { "orrery.raycasters.embree.Embree",
                                       "orrery.raycasters.exact.Exact" };

static gboolean
has_class (const char *classpath)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  return orrery_registry_find_class (registry, classpath, NULL) != NULL;
}

static const double *
get_array (OrrerySimulation *sim, const char *name, const char *field, gsize *n)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));
  const OrreryArray *array = orrery_record_find (record, field, ORRERY_FIELD_ARRAY);

  g_assert_nonnull (array);
  return orrery_array_get (array, n);
}

static const double *
get_points (OrrerySimulation *sim, const char *name, gsize *n)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));
  const OrreryPoints *points = orrery_record_find (record, "point_list", ORRERY_FIELD_POINTS);

  g_assert_nonnull (points);
  return orrery_points_get (points, n);
}

/* How far one sees in the room from (x, y) towards an angle, at the height of its middle. */
static double
room_distance (double x, double y, double angle)
{
  double dx = cos (angle), dy = sin (angle);
  double wall = INFINITY;
  double along = (2 - x) * dx - y * dy;
  double aside = 0.25 - ((2 - x) * (2 - x) + y * y - along * along);

  if (dx != 0)
    wall = fmin (wall, ((dx > 0 ? 4 : -4) - x) / dx);
  if (dy != 0)
    wall = fmin (wall, ((dy > 0 ? 3 : -3) - y) / dy);
  if (aside >= 0 && along > 0)
    wall = fmin (wall, along - sqrt (aside));
  return wall;
}

static void
check_scan (OrrerySimulation *sim, const char *name, double x, double y, double yaw, double first,
            double step, gsize n_expected)
{
  gsize n, n_points;
  const double *ranges = get_array (sim, name, "range_list", &n);
  const double *points = get_points (sim, name, &n_points);

  g_assert_cmpuint (n, ==, n_expected);
  g_assert_cmpuint (n_points, ==, n_expected);
  for (gsize i = 0; i < n; i++) {
    double azimuth = (first + i * step) * G_PI / 180;

    assert_near (ranges[i], room_distance (x, y, yaw + azimuth), 1e-6);
    assert_near (points[3 * i], ranges[i] * cos (azimuth), 1e-9);
    assert_near (points[3 * i + 1], ranges[i] * sin (azimuth), 1e-9);
    assert_near (points[3 * i + 2], 0, 1e-9);
  }
}

static void
test_room (void)
{
  g_test_summary ("walls and a ball are where geometry has them, to 1e-6 m, by either caster");
  for (guint i = 0; i < G_N_ELEMENTS (casters); i++) {
    g_autofree char *scene =
        g_strdup_printf (SCENE_IN (", 'raycaster': '%s'",
                                   LASER ("sick", "sick.Sick", "") ", " LASER (
                                       "hokuyo", "hokuyo.Hokuyo",
                                       ", 'position': [-0.5, 0.7, 0], 'rotation': [0, 0, 2]")),
                         casters[i]);
    g_autoptr (OrrerySimulation) sim = NULL;

    if (!has_class (casters[i]))
      continue;
    sim = orrery_test_load (scene);
    orrery_test_step (sim, 12);
    check_scan (sim, "robot.sick", 0, 0, 0, -90, 1, 181);
    check_scan (sim, "robot.hokuyo", -0.5, 0.7, 2, -135, 0.25, 1081);
  }
}

static void
test_moving (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  OrreryTransform pose;
  double roll, pitch, yaw;

  g_test_summary ("a scan is of the tick's poses: of the robot that moves, of the ball that goes");
  sim = orrery_test_load (SCENE (LASER (
      "sick", "sick.Sick",
      ", 'frequency': 60") ", "
                           "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}"));
  orrery_test_write (sim, "robot.motion", "v", 0.5);
  orrery_test_write (sim, "robot.motion", "w", 1.2);
  for (guint i = 0; i < 30; i++) {
    orrery_test_step (sim, 1);
    pose = *orrery_test_get_pose (sim, "robot");
    orrery_test_step (sim, 1);
    orrery_quat_to_euler (&pose.rotation, &roll, &pitch, &yaw);
    check_scan (sim, "robot.sick", pose.position.x, pose.position.y, yaw, -90, 1, 181);
  }
}

static double
ahead (OrrerySimulation *sim)
{
  gsize n;

  orrery_test_step (sim, 2);
  return get_array (sim, "robot.sick", "range_list", &n)[90];
}

static void
test_changes (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("what is hidden is not met; what is moved by service is met where it went");
  sim = orrery_test_load (SCENE (LASER ("sick", "sick.Sick", ", 'frequency': 60")));
  assert_near (ahead (sim), 1.5, 1e-6);
  orrery_test_assert_answer (sim, "simulation", "set_object_visibility", "('ball', false, true)",
                             "false");
  assert_near (ahead (sim), 4, 1e-6);
  orrery_test_assert_answer (sim, "simulation", "set_object_visibility", "('ball', true, true)",
                             "true");
  assert_near (ahead (sim), 1.5, 1e-6);
  g_free (orrery_test_ask (sim, "simulation", "set_object_position",
                           "('east', [5.0, 0.0, 0.0], [0.0, 0.0, 0.5])"));
  g_free (orrery_test_ask (sim, "simulation", "set_object_position",
                           "('ball', [-2.0, 0.0, 0.0], [0.0, 0.0, 0.0])"));
  assert_near (ahead (sim), 5 - 0.5 / cos (0.5), 1e-6);
  g_free (orrery_test_ask (sim, "simulation", "reset", NULL));
  assert_near (ahead (sim), 1.5, 1e-6);
}

/* Three rays, of which the middle one goes along x; %1$s and %2$s: the class, the caster. */
#define NARROW(name, more, place)                                                                  \
  LASER (name, "%1$s",                                                                             \
         place ", 'properties': {'scan_window': 2, 'resolution': 1, 'layers': 1, 'laser_range': "  \
               "30" more "}")
#define KEEN ", 'SeesRobot': true"
#define APART ", 'position': [0.6, 0, 0]"
#define BACK ", 'rotation': [0, 0, 3.141592653589793]"
#define EYES                                                                                       \
  NARROW ("in", KEEN, "")                                                                          \
  ", " NARROW ("back", KEEN, BACK) ", " NARROW ("out", KEEN, APART) ", " NARROW (                  \
      "blind", "", APART) ", " NARROW ("blind_back", "", APART BACK)
/* Two shapes in one object, and a wheel with a body of its own. */
#define PARTS                                                                                      \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'raycaster': '%2$s'}, 'objects': [{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                         \
  "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}, {'kind': 'box', 'size': [0.1, 3, 1], "           \
  "'position': [0.9, 0, 0]}], 'objects': [{'name': 'wheel', 'position': [-1.2, 0, 0], 'body': "    \
  "{'type': 'rigid'}, 'shapes': [{'kind': 'cylinder', 'radius': 0.2, 'height': 0.1}]}, " EYES      \
  "]}" ROOM "]"

static void
check_own_robot (const char *kind, const char *caster)
{
  static const struct {
    const char *name;
    double distance;
  } ahead[] = { { "robot.in", 0.85 },   /* from inside one shape to the next */
                { "robot.back", 1 },    /* the wheel */
                { "robot.out", 0.25 },  /* from outside */
                { "robot.blind", 0.9 }, /* the ball */
                { "robot.blind_back", 4.6 } };
  g_autofree char *scene = g_strdup_printf (PARTS, kind, caster);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  orrery_test_step (sim, 31);
  for (guint k = 0; k < G_N_ELEMENTS (ahead); k++) {
    gsize n;

    assert_near (get_array (sim, ahead[k].name, "range_list", &n)[1], ahead[k].distance, 1e-6);
    g_assert_cmpuint (n, ==, 3);
  }
}

static void
test_own_robot (void)
{
  static const char *const kinds[] = { "sick.Sick", "hokuyo.Hokuyo", "sickldmrs.SickLDMRS",
                                       "infrared.Infrared", "laserscanner.RSSILaserScanner" };

  g_test_summary ("nothing of the own robot is met; with SeesRobot all of it, its wheels, too, but "
                  "no shape that the sensor stands in");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (kinds); i++)
    if (has_class (casters[i % 2]))
      check_own_robot (kinds[i / 2], casters[i % 2]);
}

static void
test_nothing (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const double *ranges, *points;
  gsize n;

  g_test_summary ("before the first scan zeros; where nothing is met laser_range and (0, 0, 0)");
  sim = orrery_test_load (SCENE (
      LASER ("sick", "sick.Sick", ", 'position': [-1, 0, 0], 'properties': {'laser_range': 1.5}")));
  ranges = get_array (sim, "robot.sick", "range_list", &n);
  g_assert_cmpuint (n, ==, 181);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (ranges[i], ==, 0);
  orrery_test_step (sim, 1);
  ranges = get_array (sim, "robot.sick", "range_list", &n);
  points = get_points (sim, "robot.sick", &n);
  for (gsize i = 0; i < n; i++) {
    g_assert_cmpfloat (ranges[i], ==, 1.5);
    g_assert_cmpfloat (fabs (points[3 * i]) + fabs (points[3 * i + 1]), ==, 0);
  }
}

static void
test_layers (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const double *points;
  gsize n;

  g_test_summary ("SickLDMRS: four layers from above to below, the first and third shifted");
  sim =
      orrery_test_load (SCENE (LASER ("laser", "sickldmrs.SickLDMRS", ", 'position': [-1, 0, 0]")));
  orrery_test_step (sim, 20);
  points = get_points (sim, "robot.laser", &n);
  g_assert_cmpuint (n, ==, 1604);
  for (gsize i = 0; i < n; i++) {
    gsize layer = i / 401;
    double up = sin ((1.5 - layer) * 0.8 * G_PI / 180);
    double azimuth = (-50 + 0.25 * (i % 401) + (layer % 2 == 0 ? 0.125 : 0)) * G_PI / 180;
    double reach = hypot (points[3 * i], points[3 * i + 1]);

    assert_near (atan2 (points[3 * i + 1], points[3 * i]), azimuth, 1e-9);
    assert_near (points[3 * i + 2], reach * up, 1e-9);
  }
}

static void
test_presets (void)
{
  static const struct {
    const char *kind;
    gsize n;
    double frequency;
  } presets[] = {
    { "sick.Sick", 181, 10 },
    { "hokuyo.Hokuyo", 1081, 10 },
    { "infrared.Infrared", 21, 10 },
    { "sickldmrs.SickLDMRS", 1604, 4 },
    { "velodyneraycast.VelodyneRayCast", 64, 60 },
    { "laserscanner.LaserScanner", 181, 10 },
  };

  g_test_summary ("presets have MORSE's numbers of rays and frequencies");
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++) {
    g_autofree char *scene = g_strdup_printf (SCENE (LASER ("laser", "%s", "")), presets[i].kind);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
    gsize n;

    orrery_test_assert_fields (sim, "robot.laser", "point_list range_list");
    get_array (sim, "robot.laser", "range_list", &n);
    g_assert_cmpuint (n, ==, presets[i].n);
    assert_near (orrery_component_get_frequency (orrery_test_find (sim, "robot.laser")),
                 presets[i].frequency, 1e-9);
  }
}

static void
test_counts (void)
{
  /* By Python: f = lambda x: struct.unpack ("f", struct.pack ("f", x))[0], then n = 0, a = -f(w) /
   * 2; while a <= f(w) / 2: n, a = n + 1, a + f(r). */
  static const struct {
    const char *window, *step;
    gsize n;
  } fans[] = { { "180", "0.1", 1800 },      { "180", "0.3", 600 },   { "90", "0.1", 900 },
               { "180", "0.01", 18001 },    { "270", "0.15", 1800 }, { "33.3", "0.1", 333 },
               { "240", "0.3515625", 683 }, { "0", "1", 1 },         { "270", "0.25", 1081 } };

  g_test_summary ("azimuths are added up, step by step, of floats: so many rays has MORSE");
  for (guint i = 0; i < G_N_ELEMENTS (fans); i++) {
    g_autofree char *scene =
        g_strdup_printf (SCENE (LASER ("laser", "sick.Sick",
                                       ", 'properties': {'scan_window': %s, 'resolution': %s}")),
                         fans[i].window, fans[i].step);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
    const double *points;
    gsize n;

    orrery_test_step (sim, 1);
    get_array (sim, "robot.laser", "range_list", &n);
    g_assert_cmpuint (n, ==, fans[i].n);
    if (i > 0)
      continue;
    /* The last of half a circle, of steps of 0.1f: 1799 of them from -90 on. */
    points = get_points (sim, "robot.laser", &n);
    assert_near (atan2 (points[3 * (n - 1) + 1], points[3 * (n - 1)]) * 180 / G_PI,
                 -90 + 1799 * 0.100000001490116, 1e-9);
  }
}

static void
test_remission (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const double *remissions;
  gsize n;

  g_test_summary ("rssi: what comes back is the property Remission of what is met");
  sim = orrery_test_load (SCENE (
      LASER ("laser", "sick.Sick",
             ", 'level': 'rssi', 'properties': {'laser_range': 3.5}") "]}, {'name': 'near', "
                                                                      "'position': [0, 1.5, 0], "
                                                                      "'body': {'type': 'static'}, "
                                                                      "'properties': {'Remission': "
                                                                      "0.25}, 'shapes': [{'kind': "
                                                                      "'box', 'size': [1, 1, 1]}], "
                                                                      "'objects': ["));
  orrery_test_assert_fields (sim, "robot.laser", "point_list range_list remission_list");
  orrery_test_step (sim, 2);
  remissions = get_array (sim, "robot.laser", "remission_list", &n);
  g_assert_cmpuint (n, ==, 181);
  g_assert_cmpfloat (remissions[180], ==, 0.25); /* to the left: near */
  g_assert_cmpfloat (remissions[90], ==, 0.5);   /* the ball says nothing */
  g_assert_cmpfloat (remissions[62], ==, 0);     /* the corner is beyond 3.5 m */
}

static void
test_turning (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const double *points;
  double roll, pitch, yaw;
  gsize n;

  g_test_summary ("VelodyneRayCast: an upright fan that turns with each scan, and with its points");
  sim = orrery_test_load (SCENE (LASER ("laser", "velodyneraycast.VelodyneRayCast", "")));
  orrery_test_step (sim, 1);
  points = get_points (sim, "robot.laser", &n);
  for (gsize i = 0; i < n; i++) {
    assert_near (points[3 * i + 1], 0, 1e-9);
    if (points[3 * i] != 0)
      assert_near (atan2 (points[3 * i + 2], points[3 * i]), (-15.75 + 0.5 * i - 12) * G_PI / 180,
                   1e-9);
  }
  orrery_test_step (sim, 99);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot.laser")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, 100 * 0.01745, 1e-9);
  g_free (orrery_test_ask (sim, "simulation", "reset", NULL));
  orrery_test_step (sim, 2);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot.laser")->rotation, &roll, &pitch, &yaw);
  g_assert_cmpfloat (yaw, <, 0.1);
}

static void
test_bad_input (void)
{
  g_test_summary ("what makes no sense is refused with its place");
  orrery_test_refuse (SCENE (LASER ("laser", "sick.Sick", ", 'properties': {'resolution': 0}")),
                      "resolution");
  orrery_test_refuse (SCENE (LASER ("laser", "sick.Sick", ", 'properties': {'laser_range': -1}")),
                      "laser_range");
  orrery_test_refuse (SCENE (LASER ("laser", "sick.Sick", ", 'properties': {'layers': 100000}")),
                      "layers");
  orrery_test_refuse (SCENE (LASER ("laser", "sick.Sick",
                                    ", 'properties': {'resolution': 0.001, 'scan_window': 360, "
                                    "'layers': 1000}")),
                      "more than 4000000 rays");
  orrery_test_refuse (SCENE (LASER ("laser", "sick.Sick", ", 'level': 'range'")), "raw, rssi");
  orrery_test_refuse (SCENE_IN (", 'raycaster': 'orrery.raycasters.exact.Exakt'",
                                LASER ("laser", "sick.Sick", "")),
                      "did you mean Exact");
  orrery_test_refuse (SCENE_IN (", 'raycaster': 'orrery.physics.kinematic.Kinematic'", ""),
                      "has the role physics");
}

static guint64
run_hash (guint threads, const char *placement)
{
  g_autofree char *lasers = g_strdup_printf (
      LASER ("a", "hokuyo.Hokuyo", ", 'frequency': 60%1$s") ", " LASER ("b", "sick.Sick", ", 'frequency': 60, 'rotation': [0, 0, 3]%1$s") ", " LASER (
          "c", "radar_altimeter.RadarAltimeter",
          "%1$s") ", " LASER ("d", "velodyneraycast.VelodyneRayCast",
                              "%1$s") ", " LASER ("e", "proximity.Proximity",
                                                  ", 'properties': {'Track': 'Robot_Tag'}"),
      placement);
  g_autofree char *plain =
      g_strdup_printf ("{'orrery': 1, 'environment': {'frequency': 60, 'seed': 3, "
                       "'physics': 'orrery.physics.kinematic.Kinematic'}, "
                       "'objects': [{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY HULL "'objects': [%s, "
                       "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}" ROOM
                       "]}",
                       lasers);
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (options, "start", 0.0, "listen", FALSE, "hash", TRUE, "threads", threads, NULL);
  sim = orrery_test_try_load (plain, options, &error);
  g_assert_no_error (error);
  orrery_test_write (sim, "robot.motion", "v", 0.3);
  orrery_test_write (sim, "robot.motion", "w", 0.7);
  orrery_test_step (sim, 120);
  return orrery_simulation_get_hash (sim);
}

static void
test_hash (void)
{
  guint64 hash = run_hash (1, "");

  g_test_summary ("the same bits on one thread, on four, and in workers");
  g_assert_cmpuint (hash, !=, 0);
  g_assert_cmpuint (run_hash (1, ""), ==, hash);
  g_assert_cmpuint (run_hash (4, ""), ==, hash);
  g_assert_cmpuint (run_hash (1, ", 'placement': 'worker'"), ==, hash);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/laserscanner/room", test_room);
  g_test_add_func ("/laserscanner/moving", test_moving);
  g_test_add_func ("/laserscanner/changes", test_changes);
  g_test_add_func ("/laserscanner/own-robot", test_own_robot);
  g_test_add_func ("/laserscanner/nothing", test_nothing);
  g_test_add_func ("/laserscanner/layers", test_layers);
  g_test_add_func ("/laserscanner/presets", test_presets);
  g_test_add_func ("/laserscanner/counts", test_counts);
  g_test_add_func ("/laserscanner/remission", test_remission);
  g_test_add_func ("/laserscanner/turning", test_turning);
  g_test_add_func ("/laserscanner/bad-input", test_bad_input);
  g_test_add_func ("/laserscanner/hash", test_hash);
  return g_test_run ();
}
