/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tick costs with a component in a worker, against the same in the host: one that does
 * nothing, in lock step; a script; and a camera that fills frames, which the tick waits for or does
 * not.
 */
#include "scene.h"

#include <stdio.h>

#define ROUNDS 7
#define TICKS 4000
#define FRAMES 60

#define LOCK_STEP ", \"placement\": \"worker\""
#define SHARED ", \"placement\": \"shared\""
#define LATEST ", \"placement\": \"worker\", \"transport\": \"latest\""
#define FREE LATEST ", \"free_running\": true"

static OrrerySimulation *
load (const char *classpath, const char *placement, guint n)
{
  g_autoptr (GString) children = g_string_new (NULL);
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (children, "%s{\"name\": \"s%u\", \"classpath\": \"%s\"%s}",
                            i > 0 ? ", " : "", i, classpath, placement);
  bench_scene_add_object (&scene,
                          "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", "
                          "\"objects\": [%s]}",
                          children->str);
  return bench_scene_load (&scene);
}

/* One that has `sensing` and `actuation`: two questions in each tick. */
static OrrerySimulation *
load_script (const char *placement)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  bench_scene_add_object (&scene,
                          "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", "
                          "\"scripts\": [{\"type\": \"child\", \"classpath\": "
                          "\"bench.idle.Script\"%s}]}",
                          placement);
  return bench_scene_load (&scene);
}

/* ns of a tick; takes the simulation */
static double
measure_ticks (OrrerySimulation *taken, guint n_ticks)
{
  g_autoptr (OrrerySimulation) simulation = taken;
  double values[ROUNDS];

  bench_ticks (simulation, 10);
  for (guint i = 0; i < ROUNDS; i++)
    values[i] = bench_ticks (simulation, n_ticks);
  return bench_least (values, ROUNDS);
}

static double
measure (const char *classpath, const char *placement, guint n, guint n_ticks)
{
  return measure_ticks (load (classpath, placement, n), n_ticks);
}

static void
compare_scripts (void)
{
  double here = measure_ticks (load_script (""), TICKS);
  double there = measure_ticks (load_script (LOCK_STEP), TICKS);

  bench_print ("worker.script.host", here, "ns");
  bench_print ("worker.script.lock-step", there, "ns");
  bench_print ("worker.script.loss", there - here, "ns");
}

static void
compare_steps (void)
{
  double here = measure ("bench.idle.Sensor", "", 1, TICKS);
  double there = measure ("bench.idle.Sensor", LOCK_STEP, 1, TICKS);
  double four = measure ("bench.idle.Sensor", LOCK_STEP, 4, TICKS);
  double shared = measure ("bench.idle.Sensor", SHARED, 4, TICKS);

  bench_print ("worker.tick.host", here, "ns");
  bench_print ("worker.tick.lock-step", there, "ns");
  bench_print ("worker.tick.loss", there - here, "ns");
  bench_print ("worker.tick.four-workers", four, "ns");
  bench_print ("worker.tick.four-in-one", shared, "ns");
}

/* Frames of 1920x1080 without any exposure: what they cost is painting and passing on. */
static void
compare_frames (void)
{
  double here = measure ("bench.frames.Frames", "", 1, FRAMES);
  double copied = measure ("bench.frames.Frames", LOCK_STEP, 1, FRAMES);
  double in_place = measure ("bench.frames.Frames", LATEST, 1, FRAMES);
  double none = measure ("bench.idle.Sensor", "", 1, FRAMES);
  double free_running = measure ("bench.frames.Frames", FREE, 1, 60 * FRAMES);

  bench_print ("worker.frame.host", here * 1e-3, "us");
  bench_print ("worker.frame.lock-step.queue", copied * 1e-3, "us");
  bench_print ("worker.frame.lock-step.latest", in_place * 1e-3, "us");
  bench_print ("worker.frame.lock-step.latest/host", in_place / here, "ratio");
  bench_print ("worker.frame.free.tick", free_running, "ns");
  bench_print ("worker.frame.free.loss", free_running - none, "ns");
}

int
main (void)
{
  compare_steps ();
  compare_scripts ();
  compare_frames ();
  return 0;
}
