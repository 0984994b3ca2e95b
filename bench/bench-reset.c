/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a reset, a save and a restore cost beside ticks, and what a further world of the same scene
 * takes to load and to keep.
 */
#include "scene.h"

#include <malloc.h>
#include <time.h>

#define RUNS 5
#define TIMES 20  /* in a run */
#define TICKS 30  /* before each */
#define WORLDS 16 /* further ones */
#define BOXES 100
#define BULLET "orrery.physics.bullet.Bullet"
#define KINEMATIC "orrery.physics.kinematic.Kinematic"

static void
add_robot (BenchScene *scene)
{
  bench_scene_add_object (
      scene, "{\"name\": \"robot\", \"classpath\": \"morse.robots.atrv.ATRV\", \"objects\": ["
             "{\"name\": \"pose\", \"classpath\": \"morse.sensors.pose.Pose\"}, "
             "{\"name\": \"motion\", \"classpath\": \"morse.actuators.v_omega.MotionVW\"}]}");
}

/* Its mass and the gravity are drawn for each episode. */
static OrrerySimulation *
load_drawn (const char *physics)
{
  BenchScene scene;

  bench_scene_init (&scene, physics);
  add_robot (&scene);
  bench_scene_add_variation (&scene,
                             "{\"path\": \"robot.mass\", \"distribution\": \"uniform(10, 30)\"}");
  bench_scene_add_variation (&scene,
                             "{\"path\": \"gravity[2]\", \"distribution\": \"uniform(-11, -8)\"}");
  return bench_scene_load (&scene);
}

/* Piles of two. */
static void
add_boxes (BenchScene *scene)
{
  for (guint i = 0; i < BOXES; i++)
    bench_scene_add_object (
        scene,
        "{\"name\": \"box%u\", \"position\": [%u, %u, %g], \"body\": {\"type\": \"rigid\", "
        "\"mass\": 1}, \"shapes\": [{\"kind\": \"box\", \"size\": [0.5, 0.5, 0.5]}]}",
        i, i / 2 % 10, i / 20, i % 2 == 0 ? 0.3 : 0.85);
}

static void
print (const char *name, const char *what, double value, const char *unit)
{
  g_autofree char *whole = g_strdup_printf ("reset.%s.%s", name, what);

  bench_print (whole, value, unit);
}

static void
check (gboolean done, GError *error)
{
  if (!done)
    g_error ("%s", error->message);
}

static double
time_reset (OrrerySimulation *simulation)
{
  gint64 spent = 0;
  GError *error = NULL;

  for (guint i = 0; i < TIMES; i++) {
    gint64 before;

    bench_ticks (simulation, TICKS);
    before = bench_now ();
    check (orrery_simulation_reset (simulation, &error), error);
    spent += bench_now () - before;
  }
  return (double) spent / TIMES / 1e3;
}

static double
time_save (OrrerySimulation *simulation)
{
  gint64 before = bench_now ();
  GError *error = NULL;

  for (guint i = 0; i < TIMES; i++) {
    g_autoptr (GBytes) state = orrery_simulation_save (simulation, &error);

    check (state != NULL, error);
  }
  return (double) (bench_now () - before) / TIMES / 1e3;
}

static double
time_restore (OrrerySimulation *simulation, GBytes *const *states, guint n_states)
{
  gint64 spent = 0;
  GError *error = NULL;

  for (guint i = 0; i < TIMES; i++) {
    gint64 before;

    bench_ticks (simulation, TICKS);
    before = bench_now ();
    check (orrery_simulation_restore (simulation, states[i % n_states], &error), error);
    spent += bench_now () - before;
  }
  return (double) spent / TIMES / 1e3;
}

static void
measure (const char *name, OrrerySimulation *simulation)
{
  double reset[RUNS], save[RUNS], one[RUNS], several[RUNS];
  GBytes *states[TIMES];
  GError *error = NULL;

  for (guint i = 0; i < TIMES; i++) {
    bench_ticks (simulation, 7);
    states[i] = orrery_simulation_save (simulation, &error);
    check (states[i] != NULL, error);
  }
  for (guint run = 0; run < RUNS; run++) {
    reset[run] = time_reset (simulation);
    save[run] = time_save (simulation);
    one[run] = time_restore (simulation, states, 1);
    several[run] = time_restore (simulation, states, TIMES);
  }
  print (name, "reset", bench_least (reset, RUNS), "us");
  print (name, "save", bench_least (save, RUNS), "us");
  print (name, "restore", bench_least (one, RUNS), "us");
  print (name, "restore-of-many", bench_least (several, RUNS), "us");
  print (name, "tick", bench_ticks (simulation, 300) / 1e3, "us");
  for (guint i = 0; i < TIMES; i++)
    g_bytes_unref (states[i]);
}

/* ms: others on the machine have no part in it. */
static double
get_processor_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static double
get_memory (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return (double) (info.uordblks + info.hblkhd);
}

/* The first one is there. @registry: of a vector; NULL: each has one of its own, as programs that
 * load one after the other have */
static void
measure_further (const char *name, const char *what, const char *path, OrreryRegistry *registry)
{
  OrrerySimulation *worlds[WORLDS];
  double times[WORLDS], before = get_memory ();
  g_autofree char *memory = g_strconcat (what, "-memory", NULL);

  for (guint i = 0; i < WORLDS; i++) {
    g_autoptr (OrreryRegistry) own = registry == NULL ? orrery_registry_new () : NULL;
    double start = get_processor_time ();

    worlds[i] = bench_load (registry != NULL ? registry : own, path);
    times[i] = get_processor_time () - start;
    bench_ticks (worlds[i], 1);
  }
  print (name, what, bench_least (times, WORLDS), "ms");
  print (name, memory, (get_memory () - before) / WORLDS / 1e6, "MB");
  for (guint i = 0; i < WORLDS; i++)
    g_object_unref (worlds[i]);
}

static void
measure_drawn (const char *name)
{
  g_autoptr (OrrerySimulation) simulation = load_drawn (BULLET);
  double reset[RUNS];

  for (guint run = 0; run < RUNS; run++)
    reset[run] = time_reset (simulation);
  print (name, "reset", bench_least (reset, RUNS), "us");
}

/* Only of the scene that is named on the command line, if one is. */
static const char *wanted;

static gboolean
is_wanted (const char *name)
{
  return wanted == NULL || g_str_equal (wanted, name);
}

static void
measure_scene (const char *name, void (*add) (BenchScene *), const char *physics)
{
  g_autoptr (OrreryRegistry) registry = NULL;
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autofree char *path = NULL;
  BenchScene scene;

  if (!is_wanted (name))
    return;
  bench_scene_init (&scene, physics);
  add (&scene);
  path = bench_scene_write (&scene);
  registry = orrery_registry_new ();
  simulation = bench_load (registry, path);
  measure (name, simulation);
  measure_further (name, "further-world", path, NULL);
  measure_further (name, "further-of-vector", path, registry);
  bench_scene_remove (path);
}

int
main (int argc, char **argv)
{
  wanted = argc > 1 ? argv[1] : NULL;
  measure_scene ("kinematic", add_robot, KINEMATIC);
  measure_scene ("atrv", add_robot, BULLET);
  if (is_wanted ("atrv-drawn"))
    measure_drawn ("atrv-drawn");
  measure_scene ("boxes-100", add_boxes, BULLET);
  return 0;
}
