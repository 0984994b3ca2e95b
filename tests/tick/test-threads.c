/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Sensing on several threads: the same records, messages and faults as on one. */

#define TICKS 400
#define SENSOR(name, path, more) "{'name': '" name "', 'classpath': '" path "'" more "}"
#define OF_ORRERY(name, path, more) SENSOR (name, "orrery.sensors." path, more)
#define PROBE(name, class) SENSOR (name, "probe.threads." class, "")
#define MIRROR(name, target, more)                                                                 \
  SENSOR (name, "probe.sensors.Mirror", ", 'properties': {'target': '" target "'}" more)
#define HZ(n) ", 'frequency': " #n
#define FIRST ", 'priority': 'first'"

/* Of all kinds; chains of readers that stand before what they read; some that no other thread may
 * have. */
#define ROBOT(name, y)                                                                                                                                                                                  \
  "{'name': '" name "', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [0, " y ", 0],"                                                                                                             \
  " 'objects': [" MIRROR ("m2", name ".m1", FIRST) "," MIRROR ("m1", name ".moody", "") "," OF_ORRERY ("pose", "pose.Pose", "") "," PROBE ("turn", "Turn") "," OF_ORRERY (                              \
      "odometry", "odometry.Odometry",                                                                                                                                                                  \
      HZ (13)) "," OF_ORRERY ("gyroscope", "gyroscope.Gyroscope",                                                                                                                                       \
                              HZ (7)) "," PROBE ("moody",                                                                                                                                               \
                                                 "Moody") "," PROBE ("late",                                                                                                                            \
                                                                     "Turn") "," MIRROR ("m3",                                                                                                          \
                                                                                         name                                                                                                           \
                                                                                         ".late",                                                                                                       \
                                                                                         "") "," OF_ORRERY ("velocity",                                                                                 \
                                                                                                            "velocity.Velocity",                                                                        \
                                                                                                            "") "," PROBE ("sad",                                                                       \
                                                                                                                           "Moody") "," OF_ORRERY ("clock",                                             \
                                                                                                                                                   "clock.Clock",                                       \
                                                                                                                                                   "") "," SENSOR ("motion",                            \
                                                                                                                                                                   "orrery.actuators.v_omega.MotionVW", \
                                                                                                                                                                   "") "]}"
#define NOISE "['orrery.modifiers.pose_noise.PoseNoiseModifier', {'pos_std': 0.3}]"
#define ADD "['probe.threads.Add', {}]"
#define MARK "['probe.threads.Mark', {}]"
#define LOOP "[['probe.loop.Loop', 'probe.loop.Codec', {}]]"
#define TABLES                                                                                     \
  "'component_modifier': {'a.pose': [" NOISE "], 'b.pose': [" NOISE "], 'c.pose': [" NOISE         \
  "], 'a.sad': [" ADD "," MARK "," ADD "], 'b.moody': [" ADD "], 'c.moody': [" MARK                \
  "], 'c.m1': [" ADD "," MARK "]},"                                                                \
  "'component_datastream': {'a.m2': " LOOP ", 'b.m2': " LOOP ", 'a.moody': " LOOP                  \
  ", 'a.late': " LOOP ", 'c.pose': " LOOP ", 'c.sad': " LOOP ", 'c.m1': " LOOP ", 'a.sad': " LOOP  \
  "},"
#define ENVIRONMENT "{'start': 0, 'import': 'empty', 'seed': 5}"

static Stage *
stage_threads (const char *scene, guint n)
{
  g_autoptr (OrreryOptions) options = stage_options ();

  g_object_set (options, "threads", n, NULL);
  return stage_new (scene, options);
}

/* All that can be seen of a run. */
typedef struct {
  guint64 hash;
  GString *records;
  char *log;
  char *faults;
} Seen;

static void
seen_clear (Seen *seen)
{
  g_string_free (seen->records, TRUE);
  g_free (seen->log);
  g_free (seen->faults);
}

static void
drive (Stage *stage)
{
  static const char *const robots[] = { "a.motion", "b.motion", "c.motion" };

  for (guint i = 0; i < G_N_ELEMENTS (robots); i++) {
    g_autoptr (GError) error = NULL;

    orrery_simulation_write (stage->simulation, stage_find (stage, robots[i]), "v",
                             g_variant_new_double (0.5 + i), &error);
    g_assert_no_error (error);
  }
}

static Seen
run (guint n_threads)
{
  static const char scene[] =
      "{'orrery': 1, 'environment': " ENVIRONMENT ", " TABLES
      " 'objects': [" ROBOT ("a", "0") "," ROBOT ("b", "4") "," ROBOT ("c", "8") "]}";
  g_autoptr (Stage) stage = stage_threads (scene, n_threads);
  g_autofree const char **names = orrery_simulation_get_component_names (stage->simulation);
  g_autoptr (GVariant) log = NULL;
  g_autoptr (GVariant) faults = NULL;
  Seen seen = { .records = g_string_new (NULL) };

  drive (stage);
  for (guint tick = 0; tick < TICKS; tick++) {
    stage_step (stage, 1);
    for (guint i = 0; tick % 20 == 19 && names[i] != NULL; i++) {
      g_autofree char *json = stage_json (stage, names[i]);

      g_string_append_printf (seen.records, "%u %s %s\n", tick, names[i], json);
    }
  }
  seen.hash = orrery_simulation_get_hash (stage->simulation);
  log = stage_call (stage, "loop", "log", NULL);
  seen.log = g_variant_dup_string (log, NULL);
  faults = stage_report (stage, "faults", "a(sttt)");
  seen.faults = g_variant_print (faults, FALSE);
  return seen;
}

static void
test_same (void)
{
  static const guint sizes[] = { 2, 3, 8 };
  Seen one = run (1);

  g_test_summary ("records, messages in their order, faults and hash, with 1, 2, 3 and 8 threads");
  g_assert_cmpuint (strlen (one.log), >, 10000);
  g_assert_nonnull (strstr (one.faults, "a.moody"));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Seen more = run (sizes[i]);

    g_assert_cmpuint (more.hash, ==, one.hash);
    g_assert_cmpstr (more.records->str, ==, one.records->str);
    g_assert_cmpstr (more.log, ==, one.log);
    g_assert_cmpstr (more.faults, ==, one.faults);
    seen_clear (&more);
  }
  seen_clear (&one);
}

#define ONE_ROBOT(sensors)                                                                         \
  "{'orrery': 1, 'environment': " STAGE_PLAIN                                                      \
  ", 'objects': [{'name': 'r', 'classpath': 'orrery.core.robot.Robot', 'objects': [" sensors       \
  "]}]}"

static void
test_at_once (void)
{
  g_autoptr (Stage) stage =
      stage_threads (ONE_ROBOT (PROBE ("a", "Meeting") "," PROBE ("b", "Meeting")), 2);

  g_test_summary ("two sensors that wait for each other: two threads have them at the same time");
  for (guint i = 0; i < 50; i++) {
    stage_step (stage, 1);
    g_assert_cmpfloat (stage_get (stage, "r.a", "x"), ==, 1);
    g_assert_cmpfloat (stage_get (stage, "r.b", "x"), ==, 1);
  }
}

static guint64
race (guint n_threads, const char *a)
{
  g_autofree char *scene = g_strdup_printf (ONE_ROBOT (SENSOR ("a", "probe.threads.Racer",
                                                               "%s") "," PROBE ("b", "Racer")),
                                            a);
  g_autoptr (Stage) stage = stage_threads (scene, n_threads);

  stage_step (stage, 1);
  return orrery_simulation_get_hash (stage->simulation);
}

/* A negative control: one that says that it is thread-safe, and is not. */
static void
test_a_lie_is_seen (void)
{
  g_assert_cmpuint (race (1, ""), ==, race (1, ", 'properties': {'rank': 0}"));
  g_assert_cmpuint (race (1, ""), !=, race (2, ", 'properties': {'rank': 1}"));
}

static void
test_reset (void)
{
  g_autoptr (Stage) stage = stage_threads (
      ONE_ROBOT (PROBE ("a", "Moody") "," PROBE ("b", "Moody") "," MIRROR ("m", "r.b", "")), 2);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a reset leaves the threads as they are");
  stage_step (stage, 100);
  orrery_simulation_reset (stage->simulation, &error);
  g_assert_no_error (error);
  stage_step (stage, 100);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 100);
}

static void
test_options (void)
{
  g_autoptr (Stage) none = stage_threads (ONE_ROBOT (""), 8);
  g_autoptr (Stage) one = stage_threads (ONE_ROBOT (PROBE ("a", "Moody")), 8);
  g_autoptr (Stage) all =
      stage_threads (ONE_ROBOT (PROBE ("a", "Moody") "," PROBE ("b", "Moody")), 0);

  g_test_summary ("more threads than sensors; as many as processors");
  stage_step (none, 3);
  stage_step (one, 3);
  stage_step (all, 3);
  g_assert_cmpfloat (stage_get (one, "r.a", "x"), ==, stage_get (all, "r.b", "x"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/threads/same", test_same);
  g_test_add_func ("/tick/threads/at-once", test_at_once);
  g_test_add_func ("/tick/threads/a-lie-is-seen", test_a_lie_is_seen);
  g_test_add_func ("/tick/threads/reset", test_reset);
  g_test_add_func ("/tick/threads/options", test_options);
  return g_test_run ();
}
