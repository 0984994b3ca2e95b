/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many simulations of one scene: stepped by a vector, with actions and observations, beside a plain
 * loop over as many simulations that only steps them. By the processor's time of this process.
 */
#include "scene.h"

#include <glib/gstdio.h>
#include <time.h>

#define RUNS 9
#define TICKS 6
/* Of all simulations, in a run. */
#define WORLD_TICKS 24000

static const char scene[] =
    "{\"orrery\": 1, \"environment\": {\"physics\": \"orrery.physics.bullet.Bullet\", "
    "\"import\": \"empty\", \"start\": 0}, \"objects\": ["
    "{\"name\": \"robot\", \"classpath\": \"orrery.robots.atrv.ATRV\", \"objects\": ["
    "{\"name\": \"pose\", \"classpath\": \"orrery.sensors.pose.Pose\"}, "
    "{\"name\": \"laser\", \"classpath\": \"orrery.sensors.hokuyo.Hokuyo\"}, "
    "{\"name\": \"motion\", \"classpath\": \"orrery.actuators.v_omega.MotionVW\"}]}]}";

static const char *const actions[] = { "robot.motion.v", "robot.motion.w", NULL };
static const char *const poses[] = { "robot.pose.x", "robot.pose.y", "robot.pose.yaw", NULL };
static const char *const scans[] = { "robot.pose.x", "robot.pose.y", "robot.pose.yaw",
                                     "robot.laser.range_list", NULL };
static const char *const values[] = { "-hypot(robot.pose.x - 5, robot.pose.y)", NULL };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static OrreryVector *
load (OrreryRegistry *registry, const char *path, guint n, const char *const *observed)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (GError) error = NULL;
  OrreryVector *vector;

  g_object_set (options, "start", 0.0, "listen", FALSE, NULL);
  vector = orrery_vector_new (registry, path, options, n, observed, actions, values, &error);
  for (guint i = 0; vector != NULL && i < n; i++)
    if (!orrery_vector_rewind (vector, i, i, &error) || !orrery_vector_begin (vector, i, 1, &error))
      break;
  if (error != NULL)
    g_error ("%s", error->message);
  return vector;
}

static void
measure (OrreryRegistry *registry, const char *path, const char *kind, guint n,
         const char *const *observed)
{
  g_autoptr (OrreryVector) vector = load (registry, path, n, observed);
  g_autoptr (OrreryVector) bare = load (registry, path, n, observed);
  guint steps = MAX (WORLD_TICKS / TICKS / n, 2);
  double ratios[RUNS], times[RUNS];
  g_autofree char *ratio = g_strdup_printf ("vector.%s-%u.of_loop", kind, n);
  g_autofree char *time = g_strdup_printf ("vector.%s-%u.tick", kind, n);

  for (guint run = 0; run < RUNS; run++) {
    double begin = now (), middle;

    for (guint i = 0; i < steps; i++)
      orrery_vector_step (vector, TICKS, NULL);
    middle = now ();
    for (guint i = 0; i < steps; i++)
      for (guint k = 0; k < n; k++)
        orrery_simulation_step (orrery_vector_get_simulation (bare, k), TICKS, NULL);
    times[run] = (middle - begin) / ((double) steps * n * TICKS);
    ratios[run] = (now () - middle) / (middle - begin);
  }
  bench_print (time, bench_median (times, RUNS), "ns");
  bench_print (ratio, bench_median (ratios, RUNS), "of_its_rate");
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("orrery-bench-XXXXXX", &error);
  g_autofree char *path = NULL;
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (directory == NULL)
    g_error ("%s", error->message);
  path = g_build_filename (directory, "scene.json", NULL);
  if (!g_file_set_contents (path, scene, -1, &error))
    g_error ("%s", error->message);
  measure (registry, path, "pose", 64, poses);
  measure (registry, path, "scan", 64, scans);
  measure (registry, path, "pose", 1024, poses);
  g_remove (path);
  g_rmdir (directory);
  return 0;
}
