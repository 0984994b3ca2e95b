/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it costs to spawn and to remove an object, and what objects cost a tick that wait for it.
 */
#include "scene.h"

#include <malloc.h>

#define BULLET "orrery.physics.bullet.Bullet"
#define MUJOCO "orrery.physics.mujoco.MuJoCo"
#define KINEMATIC "orrery.physics.kinematic.Kinematic"
#define ROUNDS 21
#define TICKS 400
#define POOL 100
#define SPAWNS 1000
#define ADDS 25 /* there is room for two objects each */

#define BOX                                                                                        \
  "\"body\": {\"type\": \"rigid\", \"mass\": 1}, \"shapes\": [{\"kind\": \"box\", \"size\": "      \
  "[0.5, 0.5, 0.5]}]"

/* Some robots that drive among boxes, and a pool or none. */
static OrrerySimulation *
load (const char *physics, guint pool, gboolean components)
{
  BenchScene scene;

  bench_scene_init (&scene, physics);
  for (guint i = 0; i < 4; i++)
    bench_scene_add_object (
        &scene,
        "{\"name\": \"robot%u\", \"classpath\": \"morse.robots.atrv.ATRV\", \"position\": [%u, 0, "
        "0.3], \"objects\": [{\"name\": \"pose\", \"classpath\": \"morse.sensors.pose.Pose\"}]}",
        i, 3 * i);
  for (guint i = 0; i < 10; i++)
    bench_scene_add_object (&scene, "{\"name\": \"stone%u\", \"position\": [%u, 3, 0.3], " BOX "}",
                            i, i);
  if (pool > 0)
    bench_scene_add_spawnable (
        &scene,
        components ? "{\"count\": %u, \"object\": {\"name\": \"bot\", \"classpath\": "
                     "\"morse.robots.atrv.ATRV\", \"objects\": [{\"name\": \"pose\", "
                     "\"classpath\": \"morse.sensors.pose.Pose\"}]}}"
                   : "{\"count\": %u, \"object\": {\"name\": \"bot\", " BOX "}}",
        pool);
  return bench_scene_load (&scene);
}

static void
print (const char *physics, const char *what, double value, const char *unit)
{
  g_autofree char *engine = g_ascii_strdown (strrchr (physics, '.') + 1, -1);
  g_autofree char *name = g_strdup_printf ("spawn.%s.%s", engine, what);

  bench_print (name, value, unit);
}

/* In turns, so that both see the same machine. */
static void
time_parked (const char *physics, gboolean components)
{
  g_autoptr (OrrerySimulation) without = load (physics, 0, FALSE);
  g_autoptr (OrrerySimulation) with = load (physics, POOL, components);
  double shares[ROUNDS];

  bench_ticks (without, TICKS);
  bench_ticks (with, TICKS);
  for (guint i = 0; i < ROUNDS; i++) {
    double plain = bench_ticks (without, TICKS);

    shares[i] = 100 * (bench_ticks (with, TICKS) / plain - 1);
  }
  print (physics, components ? "parked_robots" : "parked_bodies", bench_median (shares, ROUNDS),
         "%");
}

static void
check (gboolean done, GError *error)
{
  if (!done)
    g_error ("%s", error->message);
}

static double
get_used (void)
{
  return (double) mallinfo2 ().uordblks / 1024;
}

/* What the call and the tick in which it counts take more than the tick after that. */
static void
time_spawns (const char *physics, gboolean components)
{
  g_autoptr (OrrerySimulation) simulation = load (physics, POOL, components);
  OrreryTransform pose = { .position = { -9, 0, 5 }, .rotation = { .w = 1 } };
  double spawns[SPAWNS], removals[SPAWNS];
  double used = 0;

  for (guint i = 0; i < SPAWNS; i++) {
    g_autofree char *name = NULL;
    GError *error = NULL;
    gint64 before;

    if (i == 100)
      used = get_used ();
    before = bench_now ();
    name = orrery_simulation_spawn (simulation, "bot", &pose, &error);
    check (name != NULL, error);
    bench_ticks (simulation, 1);
    spawns[i] = (double) (bench_now () - before);
    spawns[i] -= bench_ticks (simulation, 1);
    before = bench_now ();
    check (orrery_simulation_remove (simulation, name, &error), error);
    bench_ticks (simulation, 1);
    removals[i] = (double) (bench_now () - before);
    removals[i] -= bench_ticks (simulation, 1);
  }
  print (physics, components ? "spawn_robot" : "spawn_body", bench_median (spawns, SPAWNS) / 1e3,
         "us");
  print (physics, components ? "remove_robot" : "remove_body",
         bench_median (removals, SPAWNS) / 1e3, "us");
  print (physics, components ? "left_of_robots" : "left_of_bodies", get_used () - used, "KiB");
}

/* What it takes to add one kind of object to those that may be spawned. */
static void
time_adds (const char *physics, gboolean components)
{
  g_autoptr (OrrerySimulation) simulation = load (physics, 0, FALSE);
  double adds[ADDS];

  bench_ticks (simulation, 10);
  for (guint i = 0; i < ADDS; i++) {
    g_autofree char *object =
        components
            ? g_strdup_printf ("{\"name\": \"new%u\", \"classpath\": "
                               "\"orrery.core.robot.Robot\", \"objects\": [{\"name\": "
                               "\"pose\", \"classpath\": \"orrery.sensors.pose.Pose\"}], " BOX "}",
                               i)
            : g_strdup_printf ("{\"name\": \"new%u\", " BOX "}", i);
    GError *error = NULL;
    gint64 before = bench_now ();

    check (orrery_simulation_add_spawnable (simulation, object, 1, NULL, &error), error);
    adds[i] = (double) (bench_now () - before);
    bench_ticks (simulation, 1);
  }
  print (physics, components ? "add_robot" : "add_body", bench_median (adds, ADDS) / 1e6, "ms");
}

/* With the argument `body` only what a body takes to come and go under Bullet. */
int
main (int argc, char **argv)
{
  static const char *const engines[] = { BULLET, MUJOCO, KINEMATIC };
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (argc > 1 && g_str_equal (argv[1], "body")) {
    time_spawns (BULLET, FALSE);
    return 0;
  }
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    for (guint k = 0; k < 2 && orrery_registry_find_class (registry, engines[i], NULL); k++) {
      time_parked (engines[i], k == 1);
      time_spawns (engines[i], k == 1);
      if (!g_str_equal (engines[i], MUJOCO))
        time_adds (engines[i], k == 1);
    }
  return 0;
}
