/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many simulations of one scene: stepped by a vector, with actions and observations, beside a plain
 * loop over as many simulations that only steps them. By the processor's time of this process.
 */
#include "quadruped.h"
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

static const char robots_scene[] =
    "{\"orrery\": 1, \"environment\": {\"physics\": \"orrery.physics.mujoco.MuJoCo\", "
    "\"import\": \"robots.xml\", \"start\": 0}}";

/* What a task writes and reads. */
typedef struct {
  const char *name;
  const char *const *observed;
  const char *const *actions;
  const char *const *values;
} Task;

static const char *const actions[] = { "robot.motion.v", "robot.motion.w", NULL };
static const char *const poses[] = { "robot.pose.x", "robot.pose.y", "robot.pose.yaw", NULL };
static const char *const scans[] = { "robot.pose.x", "robot.pose.y", "robot.pose.yaw",
                                     "robot.laser.range_list", NULL };
static const char *const values[] = { "-hypot(robot.pose.x - 5, robot.pose.y)", NULL };
static const Task pose = { "pose", poses, actions, values };
static const Task scan = { "scan", scans, actions, values };

static const char *const motors[] = { "r0.ma0_0.position",
                                      "r0.mb0_0.position",
                                      "r0.mc0_0.position",
                                      "r0.ma0_1.position",
                                      "r0.mb0_1.position",
                                      "r0.mc0_1.position",
                                      "r0.ma0_2.position",
                                      "r0.mb0_2.position",
                                      "r0.mc0_2.position",
                                      "r0.ma0_3.position",
                                      "r0.mb0_3.position",
                                      "r0.mc0_3.position",
                                      NULL };
static const char *const joints[] = { "r0.joints.position", "r0.joints.velocity", NULL };
static const char *const efforts[] = { "-norm(r0.joints.velocity[0], r0.joints.velocity[1])",
                                       NULL };
static const Task quadruped = { "quadruped", joints, motors, efforts };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static OrreryVector *
load (OrreryRegistry *registry, const char *path, guint n, const Task *task)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (GError) error = NULL;
  OrreryVector *vector;

  g_object_set (options, "start", 0.0, "listen", FALSE, NULL);
  vector = orrery_vector_new (registry, path, options, n, task->observed, task->actions,
                              task->values, &error);
  for (guint i = 0; vector != NULL && i < n; i++)
    if (!orrery_vector_rewind (vector, i, i, &error) || !orrery_vector_begin (vector, i, 1, &error))
      break;
  if (error != NULL)
    g_error ("%s", error->message);
  return vector;
}

static void
measure (OrreryRegistry *registry, const char *path, const Task *task, guint n)
{
  g_autoptr (OrreryVector) vector = load (registry, path, n, task);
  g_autoptr (OrreryVector) bare = load (registry, path, n, task);
  guint steps = MAX (WORLD_TICKS / TICKS / n, 2);
  double ratios[RUNS], times[RUNS];
  g_autofree char *ratio = g_strdup_printf ("vector.%s-%u.of_loop", task->name, n);
  g_autofree char *time = g_strdup_printf ("vector.%s-%u.tick", task->name, n);

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

static char *
write_file (const char *directory, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (directory, name, NULL);

  if (!g_file_set_contents (path, text, -1, &error))
    g_error ("%s", error->message);
  return path;
}

static void
measure_driving (OrreryRegistry *registry, const char *directory)
{
  g_autofree char *path = write_file (directory, "scene.json", scene);

  measure (registry, path, &pose, 64);
  measure (registry, path, &scan, 64);
  measure (registry, path, &pose, 1024);
  measure (registry, path, &scan, 1024);
  g_remove (path);
}

static void
measure_robots (OrreryRegistry *registry, const char *directory)
{
  g_autofree char *xml = bench_write_quadrupeds (1, 200, 136);
  g_autofree char *model = write_file (directory, "robots.xml", xml);
  g_autofree char *path = write_file (directory, "robots.json", robots_scene);

  measure (registry, path, &quadruped, 64);
  measure (registry, path, &quadruped, 1024);
  g_remove (path);
  g_remove (model);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("orrery-bench-XXXXXX", &error);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (directory == NULL)
    g_error ("%s", error->message);
  measure_driving (registry, directory);
  if (orrery_registry_find_class (registry, "orrery.physics.mujoco.MuJoCo", NULL) != NULL)
    measure_robots (registry, directory);
  g_rmdir (directory);
  return 0;
}
