/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <glib/gstdio.h>

/* Same scene, seed, start and inputs: same bits. Anything else: others. */

#define FIRST_SCENE                                                                                \
  "{'name': 'robot', 'classpath': 'morse.robots.atrv.ATRV', %s 'objects': ["                       \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'},"                                      \
  "{'name': 'odometry', 'classpath': 'morse.sensors.odometry.Odometry', 'level': 'differential'}," \
  "{'name': 'waypoint', 'classpath': 'morse.actuators.waypoint.Waypoint'} %s]}"
#define NOISE "['morse.modifiers.pose_noise.PoseNoiseModifier', {'pos_std': %s}]"
#define ULP ", ['probe.modifiers.Ulp', {'at': %d}]"

typedef struct {
  const char *environment;
  const char *place;
  const char *more;
  const char *pos_std;
  int ulp;
  gboolean has_seed;
  guint64 seed;
  double start;
  OrreryPacing pacing;
  guint ticks;
} Run;

static const Run usual = {
  .environment = "'import': 'empty'",
  .place = "",
  .more = "",
  .pos_std = "0.05",
  .ulp = -1,
  .start = 1e9,
  .pacing = ORRERY_PACING_FAST,
  .ticks = 120,
};

static char *
write_scene (const Run *run)
{
  g_autofree char *objects = g_strdup_printf (FIRST_SCENE, run->place, run->more);
  g_autofree char *tables =
      g_strdup_printf ("'component_modifier': {'robot.pose': [" NOISE ULP "]},", run->pos_std,
                       run->ulp);
  g_autofree char *environment = g_strdup_printf ("{%s}", run->environment);

  return stage_scene (environment, tables, objects);
}

static guint64
hash_of (const Run *run)
{
  g_autofree char *scene = write_scene (run);
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (OrreryCall) goal = NULL;
  g_autoptr (Stage) stage = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (options, "pacing", run->pacing, "start", run->start, NULL);
  if (run->has_seed)
    g_object_set (options, "seed", run->seed, "has-seed", TRUE, NULL);
  stage = stage_new (scene, options);
  goal = stage_start (stage, "robot.waypoint", "goto", "[<1.0>, <0.5>, <0.0>]");
  orrery_simulation_run (stage->simulation, run->ticks, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, run->ticks);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_pacing (void)
{
  Run fast = usual;
  Run best_effort = usual;
  Run fixed_step = usual;

  g_test_summary ("the strategies differ in pacing alone");
  best_effort.pacing = ORRERY_PACING_BEST_EFFORT;
  fixed_step.pacing = ORRERY_PACING_FIXED_STEP;
  g_assert_cmpuint (hash_of (&fast), ==, hash_of (&best_effort));
  g_assert_cmpuint (hash_of (&fast), ==, hash_of (&fixed_step));
}

static void
test_start (void)
{
  static const double starts[] = { 0, 1.5, -1e9, 1767225600.123456789, 4102444800 };
  guint64 hash = hash_of (&usual);

  g_test_summary ("the start time is no part of it");
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    Run run = usual;

    run.start = starts[i];
    g_assert_cmpuint (hash_of (&run), ==, hash);
  }
}

static void
test_scale (void)
{
  Run run = usual;

  run.environment = "'import': 'empty', 'time_scale': 20.0";
  run.pacing = ORRERY_PACING_FIXED_STEP;
  g_assert_cmpuint (hash_of (&run), ==, hash_of (&usual));
}

#define CHANGED(what)                                                                              \
  {                                                                                                \
    Run run = usual;                                                                               \
    what;                                                                                          \
    g_assert_cmpuint (hash_of (&run), !=, hash);                                                   \
  }

static void
test_sensitive (void)
{
  guint64 hash = hash_of (&usual);

  g_test_summary ("each of these changes it");
  CHANGED (run.has_seed = TRUE; run.seed = 1);
  CHANGED (run.environment = "'import': 'empty', 'seed': 1");
  CHANGED (run.ulp = 0);
  CHANGED (run.ulp = 119);
  CHANGED (run.pos_std = "0.050000001");
  CHANGED (run.place = "'position': [1e-9, 0, 0],");
  CHANGED (run.place = "'rotation': [0, 0, 1e-9],");
  CHANGED (run.more = ", {'name': 'clock', 'classpath': 'morse.sensors.clock.Clock'}");
  CHANGED (run.environment = "'import': 'empty', 'frequency': 61");
  CHANGED (run.environment = "'import': 'empty', 'gravity': [0, 0, -9.810000001]");
  CHANGED (run.environment = "'import': 'empty', 'physics_substeps': 3");
  CHANGED (run.ticks = 121);
  /* And what changes nothing does not. */
  g_assert_cmpuint (hash_of (&usual), ==, hash);
  {
    Run run = usual;

    run.ulp = 120;
    g_assert_cmpuint (hash_of (&run), ==, hash);
  }
  {
    Run run = usual;

    run.environment = "'import': 'empty', 'seed': 0, 'physics_substeps': 2, 'frequency': 60";
    g_assert_cmpuint (hash_of (&run), ==, hash);
  }
}

/* --- the file of hashes --- */

static char **
read_lines (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return g_strsplit (text != NULL ? text : "", "\n", -1);
}

static char **
hash_lines (const Run *run, guint ticks)
{
  g_autofree char *scene = write_scene (run);
  g_autofree char *path = NULL;
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("orrery-hash-XXXXXX", &path, &error);
  char **lines;
  Stage *stage;

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_object_set (options, "hash-file", path, NULL);
  stage = stage_new (scene, options);
  stage_step (stage, ticks);
  stage_free (stage);
  lines = read_lines (path);
  g_unlink (path);
  return lines;
}

static void
test_file (void)
{
  Run other = usual;
  g_auto (GStrv) a = hash_lines (&usual, 60);
  g_auto (GStrv) b = NULL;
  guint first = 0;

  g_test_summary ("a line per tick and component, in name order; they part where the runs part");
  other.ulp = 37;
  b = hash_lines (&other, 60);
  /* Robot, three components, physics. */
  g_assert_cmpuint (g_strv_length (a), ==, 60 * 5 + 1);
  g_assert_true (g_str_has_prefix (a[0], "0 robot "));
  g_assert_true (g_str_has_prefix (a[1], "0 robot.odometry "));
  g_assert_true (g_str_has_prefix (a[2], "0 robot.pose "));
  g_assert_true (g_str_has_prefix (a[3], "0 robot.waypoint "));
  g_assert_true (g_str_has_prefix (a[4], "0 physics "));
  while (a[first] != NULL && b[first] != NULL && g_str_equal (a[first], b[first]))
    first++;
  g_assert_nonnull (a[first]);
  if (a[first] != NULL)
    g_assert_true (g_str_has_prefix (a[first], "37 robot.pose "));
}

static void
test_no_hash (void)
{
  g_autofree char *scene = write_scene (&usual);
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (Stage) stage = NULL;
  g_autoptr (GVariant) report = NULL;

  g_object_set (options, "hash", FALSE, NULL);
  stage = stage_new (scene, options);
  stage_step (stage, 10);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==, 0);
  report = orrery_simulation_get_report (stage->simulation);
  g_assert_null (g_variant_lookup_value (report, "hash", NULL));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/hash/pacing", test_pacing);
  g_test_add_func ("/tick/hash/start", test_start);
  g_test_add_func ("/tick/hash/scale", test_scale);
  g_test_add_func ("/tick/hash/sensitive", test_sensitive);
  g_test_add_func ("/tick/hash/file", test_file);
  g_test_add_func ("/tick/hash/none", test_no_hash);
  return g_test_run ();
}
