/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* All parts of a tick see one snapshot: the order of siblings is nobody's business. */

#define TICKS 600
#define COMPONENT(name, path) "{'name': '" name "', 'classpath': '" path "'}"
#define POSE COMPONENT ("pose", "orrery.sensors.pose.Pose")
#define ODOMETRY COMPONENT ("odometry", "orrery.sensors.odometry.Odometry")
#define GYROSCOPE COMPONENT ("gyroscope", "orrery.sensors.gyroscope.Gyroscope")
#define VELOCITY COMPONENT ("velocity", "orrery.sensors.velocity.Velocity")
#define CLOCK COMPONENT ("clock", "orrery.sensors.clock.Clock")
#define TELEPORT COMPONENT ("teleport", "orrery.actuators.teleport.Teleport")
#define MOTION COMPONENT ("motion", "orrery.actuators.v_omega.MotionVW")
#define ATRV(name, y, inner)                                                                       \
  "{'name': '" name "', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [0, " y                \
  ", 0], 'objects': [" inner "]}"
#define NOISE "[['orrery.modifiers.pose_noise.PoseNoiseModifier', {}]]"
#define TABLES                                                                                     \
  "'component_modifier': {'a.pose': " NOISE ", 'b.odometry': " NOISE ", 'b.pose': " NOISE "},"
#define DYNAMIC "{'start': 0, 'import': 'empty', 'seed': 3}"

static const char *const in_order =
    ATRV ("a", "0", POSE "," ODOMETRY "," GYROSCOPE "," VELOCITY "," CLOCK "," TELEPORT) "," ATRV (
        "b", "4", POSE "," ODOMETRY "," GYROSCOPE "," VELOCITY "," CLOCK "," MOTION);
static const char *const reversed =
    ATRV ("b", "4", MOTION "," CLOCK "," VELOCITY "," GYROSCOPE "," ODOMETRY "," POSE) "," ATRV (
        "a", "0", TELEPORT "," CLOCK "," VELOCITY "," GYROSCOPE "," ODOMETRY "," POSE);
static const char *const shuffled =
    ATRV ("a", "0", GYROSCOPE "," TELEPORT "," POSE "," CLOCK "," VELOCITY "," ODOMETRY) "," ATRV (
        "b", "4", CLOCK "," GYROSCOPE "," MOTION "," ODOMETRY "," POSE "," VELOCITY);

static const char *const names[] = { "a.pose",      "a.odometry", "a.gyroscope", "a.velocity",
                                     "a.clock",     "a.teleport", "b.pose",      "b.odometry",
                                     "b.gyroscope", "b.velocity", "b.clock",     "b.motion" };

static void
write_double (Stage *stage, const char *component, const char *field, double value)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_write (stage->simulation, stage_find (stage, component), field,
                           g_variant_new_double (value), &error);
  g_assert_no_error (error);
}

static void
command (Stage *stage, guint k)
{
  if (k % 7 == 0) {
    write_double (stage, "b.motion", "v", 0.5 + 0.01 * (k % 50));
    write_double (stage, "b.motion", "w", 0.3 - 0.01 * (k % 60));
  }
  if (k % 11 == 0) {
    write_double (stage, "a.teleport", "x", 0.01 * k);
    write_double (stage, "a.teleport", "yaw", 0.001 * k);
  }
}

/* Returns how many records of all ticks and components differ. */
static guint
count_differences (const char *environment, const char *one, const char *other)
{
  g_autofree char *first = stage_scene (environment, TABLES, one);
  g_autofree char *second = stage_scene (environment, TABLES, other);
  g_autoptr (Stage) a = stage_new (first, NULL);
  g_autoptr (Stage) b = stage_new (second, NULL);
  guint n = 0;

  for (guint k = 0; k < TICKS; k++) {
    command (a, k);
    command (b, k);
    stage_step (a, 1);
    stage_step (b, 1);
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
      g_autofree char *x = stage_json (a, names[i]);
      g_autofree char *y = stage_json (b, names[i]);

      n += !g_str_equal (x, y);
    }
  }
  /* It did move. */
  g_assert_cmpfloat (stage_get (a, "a.velocity", "timestamp"), ==, 10);
  g_assert_cmpfloat (stage_get (a, "b.pose", "x"), !=, stage_get (a, "b.pose", "y"));
  return n;
}

static void
test_siblings_bullet (void)
{
  g_test_summary ("permuting siblings changes no record of 600 ticks");
  g_assert_cmpuint (count_differences (DYNAMIC, in_order, reversed), ==, 0);
  g_assert_cmpuint (count_differences (DYNAMIC, in_order, shuffled), ==, 0);
}

static void
test_siblings_kinematic (void)
{
  g_assert_cmpuint (count_differences (STAGE_PLAIN, in_order, reversed), ==, 0);
  g_assert_cmpuint (count_differences (STAGE_PLAIN, in_order, shuffled), ==, 0);
}

/* A negative control: a start that differs by a hair is seen. */
static void
test_a_hair_is_seen (void)
{
  g_autofree char *moved = g_strdup (in_order);
  char *place = strstr (moved, "[0, 4,");

  place[1] = '1';
  g_assert_cmpuint (count_differences (STAGE_PLAIN, in_order, moved), >, 500);
}

/* --- records that read records --- */

static double
mirrored (gboolean declared, gboolean mirror_first)
{
  g_autofree char *mirror =
      g_strdup_printf ("{'name': 'mirror', 'classpath': 'probe.sensors.Mirror', 'properties': {"
                       "'target': 'robot.steps', 'declared': %s}}",
                       declared ? "true" : "false");
  const char *steps = COMPONENT ("steps", "probe.sensors.Steps");
  g_autofree char *robot = g_strdup_printf (
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [%s, %s]}",
      mirror_first ? mirror : steps, mirror_first ? steps : mirror);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", robot);
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  stage_step (stage, 10);
  return stage_get (stage, "robot.mirror", "x");
}

static void
test_sources (void)
{
  g_test_summary ("a sensor that says whom it reads comes after it, wherever it stands");
  g_assert_cmpfloat (mirrored (TRUE, FALSE), ==, 10);
  g_assert_cmpfloat (mirrored (TRUE, TRUE), ==, 10);
}

/* A negative control: one that reads another's record by stealth sees the order of siblings. */
static void
test_stealth_is_seen (void)
{
  g_assert_cmpfloat (mirrored (FALSE, FALSE), ==, 10);
  g_assert_cmpfloat (mirrored (FALSE, TRUE), ==, 9);
}

#define MIRROR(name, target)                                                                       \
  "{'name': '" name "', 'classpath': 'probe.sensors.Mirror', 'properties': {'target': '" target    \
  "'}}"

static void
check_ring (const char *sensors, const char *expected)
{
  g_autofree char *robot =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [%s]}",
                       sensors);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", robot);
  g_autoptr (GError) error = NULL;

  g_assert_null (stage_try (scene, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_true (error != NULL && g_str_has_suffix (error->message, expected));
}

static void
test_rings (void)
{
  g_test_summary ("who reads himself is told with all that he does it by");
  check_ring (MIRROR ("a", "robot.a"), ": robot.a reads itself: no order suits that");
  check_ring (MIRROR ("a", "robot.b") "," MIRROR ("b", "robot.a"),
              ": robot.a reads robot.b, which reads robot.a: no order suits that");
  check_ring (MIRROR ("z", "robot.c") "," MIRROR ("a", "robot.c") "," MIRROR (
                  "b", "robot.a") "," MIRROR ("c", "robot.b"),
              ": robot.c reads robot.b, which reads robot.a, which reads robot.c: no order suits "
              "that");
}

/* --- when an effect is seen --- */

static void
check_delay (const char *environment, const char *sensors_first)
{
  g_autofree char *scene = stage_scene (environment, "", sensors_first);
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  for (guint k = 0; k < 20; k++) {
    double before = stage_get (stage, "a.pose", "x");

    if (k % 4 == 1)
      write_double (stage, "a.teleport", "x", k);
    stage_step (stage, 1);
    /* The one of tick k, sensed in that tick, is the old one; in tick k + 1 it is the new. */
    if (k % 4 == 1)
      g_assert_cmpfloat (stage_get (stage, "a.pose", "x"), ==, before);
    if (k % 4 == 2)
      g_assert_cmpfloat (stage_get (stage, "a.pose", "x"), ==, k - 1);
  }
}

static void
test_teleport_is_seen_in_the_next_tick (void)
{
  g_test_summary ("a sensor sees a Teleport of tick k first at k + 1, whoever comes first");
  check_delay (STAGE_PLAIN, ATRV ("a", "0", POSE "," TELEPORT));
  check_delay (STAGE_PLAIN, ATRV ("a", "0", TELEPORT "," POSE));
  check_delay (DYNAMIC, ATRV ("a", "0", TELEPORT "," POSE));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/context/siblings/bullet", test_siblings_bullet);
  g_test_add_func ("/tick/context/siblings/kinematic", test_siblings_kinematic);
  g_test_add_func ("/tick/context/a-hair-is-seen", test_a_hair_is_seen);
  g_test_add_func ("/tick/context/sources", test_sources);
  g_test_add_func ("/tick/context/stealth-is-seen", test_stealth_is_seen);
  g_test_add_func ("/tick/context/rings", test_rings);
  g_test_add_func ("/tick/context/teleport", test_teleport_is_seen_in_the_next_tick);
  return g_test_run ();
}
