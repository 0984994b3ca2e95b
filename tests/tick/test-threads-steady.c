/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensing on several threads: none of them allocates, and who has nothing to do takes no time. */
#include "../allocations.h"
#include "../plugins/stage.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Enough for a tick that is shared. */
#define N_SENSORS 400
#define WARM_UP 300
#define WINDOW 300
/* For what idle threads are watched, and what they may have of it. */
#define SPAN (G_USEC_PER_SEC / 2)
#define SHARE 0.2

static Stage *
load (guint n_sensors, guint n_threads, const char *more)
{
  g_autoptr (GString) objects =
      g_string_new ("{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': [");
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autofree char *scene = NULL;

  for (guint i = 0; i < n_sensors; i++)
    g_string_append_printf (objects, "%s{'name': 's%u', 'classpath': '%s'}", i > 0 ? ", " : "", i,
                            i % 2 == 0 ? "orrery.sensors.pose.Pose"
                                       : "orrery.sensors.odometry.Odometry");
  g_string_append_printf (objects, "%s]}", more);
  scene = stage_scene (STAGE_PLAIN, "", objects->str);
  g_object_set (options, "threads", n_threads, NULL);
  return stage_new (scene, options);
}

static guint
count (Stage *stage)
{
  guint least = G_MAXUINT;

  stage_step (stage, WARM_UP);
  for (guint i = 0; i < 10 && least > 0; i++) {
    __atomic_store_n (&n_allocations, 0, __ATOMIC_RELAXED);
    __atomic_store_n (&counts_all, TRUE, __ATOMIC_RELAXED);
    orrery_simulation_step (stage->simulation, WINDOW, NULL);
    __atomic_store_n (&counts_all, FALSE, __ATOMIC_RELAXED);
    least = MIN (least, __atomic_load_n (&n_allocations, __ATOMIC_RELAXED));
  }
  return least;
}

static void
test_steady (void)
{
  g_test_summary ("a tick that several threads share allocates nothing, on any of them");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  for (guint n = 2; n <= 4; n++) {
    g_autoptr (Stage) stage = load (N_SENSORS, n, "");

    g_assert_cmpuint (count (stage), ==, 0);
  }
}

static void
test_wasteful (void)
{
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("control: a sensor that allocates is seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  stage = load (N_SENSORS, 2, ", {'name': 'grower', 'classpath': 'probe.faults.Grower'}");
  stage_step (stage, 1);
  __atomic_store_n (&n_allocations, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&counts_all, TRUE, __ATOMIC_RELAXED);
  orrery_simulation_step (stage->simulation, 5, NULL);
  __atomic_store_n (&counts_all, FALSE, __ATOMIC_RELAXED);
  g_assert_cmpuint (n_allocations, >, 5);
}

/* --- time --- */

/* Seconds of processor that the threads of that name have had; how many there are. */
static double
get_busy (const char *name, guint *n)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  const char *id;
  double sum = 0;

  *n = 0;
  while ((id = g_dir_read_name (dir)) != NULL) {
    g_autofree char *comm = g_build_filename ("/proc/self/task", id, "comm", NULL);
    g_autofree char *stat = g_build_filename ("/proc/self/task", id, "schedstat", NULL);
    g_autofree char *title = NULL;
    g_autofree char *times = NULL;

    if (!g_file_get_contents (comm, &title, NULL, NULL) ||
        !g_file_get_contents (stat, &times, NULL, NULL) || !g_str_equal (g_strchomp (title), name))
      continue;
    ++*n;
    sum += g_ascii_strtod (times, NULL) * 1e-9;
  }
  return sum;
}

static double
get_share (Stage *stage, gboolean runs, guint *n)
{
  double before = get_busy ("orrery-sense", n);
  gint64 begin = g_get_monotonic_time ();

  if (runs)
    orrery_simulation_run (stage->simulation, 0, SPAN * 1000, NULL);
  else
    g_usleep (SPAN);
  return (get_busy ("orrery-sense", n) - before) /
         ((double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
}

static void
test_idle (void)
{
  g_autoptr (Stage) stage = load (N_SENSORS, 2, "");
  guint n;

  g_test_summary ("between ticks they sleep");
  if (!g_file_test ("/proc/self/schedstat", G_FILE_TEST_EXISTS)) {
    g_test_skip ("this kernel does not tell what threads take");
    return;
  }
  stage_step (stage, WARM_UP);
  g_assert_cmpfloat (get_share (stage, FALSE, &n), <, SHARE);
  g_assert_cmpuint (n, ==, 1);
}

/* Ticks of a simulation that keeps to the clock, in which nobody senses anything. */
static void
test_nothing_sensed (void)
{
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "",
                   "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["
                   "{'name': 'a', 'classpath': 'orrery.sensors.pose.Pose', 'frequency': 0.001}, "
                   "{'name': 'b', 'classpath': 'orrery.sensors.pose.Pose', 'frequency': 0.001}]}");
  g_autoptr (Stage) stage = NULL;
  guint n;

  g_test_summary ("where nothing is sensed they are not woken");
  if (!g_file_test ("/proc/self/schedstat", G_FILE_TEST_EXISTS)) {
    g_test_skip ("this kernel does not tell what threads take");
    return;
  }
  g_object_set (options, "threads", 2, "pacing", ORRERY_PACING_FIXED_STEP, NULL);
  stage = stage_new (scene, options);
  stage_step (stage, 2);
  g_assert_cmpfloat (get_share (stage, TRUE, &n), <, SHARE);
  g_assert_cmpuint (n, ==, 1);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/threads-steady/steady", test_steady);
  g_test_add_func ("/tick/threads-steady/wasteful", test_wasteful);
  g_test_add_func ("/tick/threads-steady/idle", test_idle);
  g_test_add_func ("/tick/threads-steady/nothing-sensed", test_nothing_sensed);
  return g_test_run ();
}
