/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the host adds to a step: a scene of many components whose functions are empty, run by the
 * real host, beside a bare loop over the same number of function pointers, in one run and with the
 * same flags. A component's share is the tick with all components less the tick with none, so it
 * holds everything that grows with them. `sent` writes one byte, which the manager drops; `moving`
 * has all components on a robot that moves, so that each has a new pose in every tick. Then what
 * noise adds to a pixel.
 */
#include "bare.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 500
#define RUNS 25
#define TICKS 64 /* a multiple of what the host samples */
#define MANY 9

typedef struct {
  const char *name;
  OrrerySimulation *simulation; /* NULL: the bare loop */
  BareStep *bare;
  guint n_pointers;
  double times[RUNS];
} Side;

static OrrerySimulation *
load_idle (guint n, guint n_modifiers, const char *codec, gboolean moves)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  bench_scene_add_idle (&scene, n, n_modifiers, codec, moves ? "Mover" : NULL);
  return bench_scene_load (&scene);
}

static double
run_side (Side *side)
{
  gint64 before;

  if (side->simulation != NULL)
    return bench_ticks (side->simulation, TICKS);
  before = bench_now ();
  for (guint i = 0; i < TICKS; i++)
    bare_run (side->bare, N, side->n_pointers);
  return (double) (bench_now () - before) / TICKS;
}

enum { NONE, BARE, ONE, SENT, MOVING, BARE_MANY, MANY_MODIFIERS, BARE_POSE, POSE, N_SIDES };

static OrrerySimulation *
load_poses (void)
{
  BenchScene scene;
  g_autoptr (GString) children = g_string_new (NULL);

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  for (guint i = 0; i < N; i++) {
    g_string_append_printf (children,
                            "%s{\"name\": \"s%u\", \"classpath\": \"orrery.sensors.pose.Pose\", "
                            "\"rotation\": [0.1, 0.2, %f]}",
                            i > 0 ? ", " : "", i, i * 0.001);
    bench_scene_add_modifier (
        &scene,
        "\"robot.s%u\": [[\"orrery.modifiers.pose_noise.PositionNoiseModifier\", {\"pos_std\": "
        "0.05}]]",
        i);
    bench_scene_add_stream (
        &scene, "\"robot.s%u\": [[\"bench.idle.Manager\", \"bench.idle.Idle\", \"OUT\", {}]]", i);
  }
  bench_scene_add_object (
      &scene,
      "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [%s]}",
      children->str);
  return bench_scene_load (&scene);
}

static double
share (Side *sides, int which)
{
  double least = bench_least (sides[which].times, RUNS);
  double rest = sides[which].simulation != NULL ? bench_least (sides[NONE].times, RUNS) : 0;

  return (least - rest) / N;
}

static void
print_all (Side *sides)
{
  double bare = share (sides, BARE);
  double host = share (sides, ONE);
  double bare_pointer = (share (sides, BARE_MANY) - bare) / (MANY - 1);
  double modifier = (share (sides, MANY_MODIFIERS) - host) / (MANY - 1);
  double bare_pose = share (sides, BARE_POSE);
  double pose = share (sides, POSE);

  bench_print ("pipeline.tick_of_no_component", bench_least (sides[NONE].times, RUNS), "ns");
  bench_print ("pipeline.bare", bare, "ns");
  bench_print ("pipeline.step", host, "ns");
  bench_print ("pipeline.step.ratio", host / bare, "of_bare");
  bench_print ("pipeline.step_sent", share (sides, SENT), "ns");
  bench_print ("pipeline.step_moving", share (sides, MOVING), "ns");
  bench_print ("pipeline.step_moving.ratio", share (sides, MOVING) / bare, "of_bare");
  bench_print ("pipeline.bare.pointer", bare_pointer, "ns");
  bench_print ("pipeline.modifier", modifier, "ns");
  bench_print ("pipeline.modifier.ratio", modifier / bare_pointer, "of_bare");
  bench_print ("pipeline.bare.pose", bare_pose, "ns");
  bench_print ("pipeline.pose", pose, "ns");
  bench_print ("pipeline.pose.ratio", pose / bare_pose, "of_bare");
}

/* --- noise of pictures --- */

#define PICTURE (640 * 480)
#define PICTURE_RUNS 9

static OrrerySimulation *
load_pictures (const char *noise)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  bench_scene_add_object (&scene,
                          "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", "
                          "\"objects\": [{\"name\": \"eye\", \"frequency\": 60, \"classpath\": "
                          "\"bench.frames.Pictures\"}]}");
  if (noise != NULL)
    bench_scene_add_modifier (&scene, "\"robot.eye\": [[\"orrery.modifiers.noise.%s}]]", noise);
  return bench_scene_load (&scene);
}

/* ns of the processor that a tick takes: it is so long that other programs come between. */
static double
measure_ticks (OrrerySimulation *simulation)
{
  struct timespec before, after;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &before);
  bench_ticks (simulation, 2);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &after);
  return ((after.tv_sec - before.tv_sec) * 1e9 + (after.tv_nsec - before.tv_nsec)) / 2;
}

/* ns of a pixel, of three colours or of a distance */
static void
measure_noise (const char *name, const char *noise)
{
  g_autoptr (OrrerySimulation) bare = load_pictures (NULL), with = load_pictures (noise);
  double without[PICTURE_RUNS], times[PICTURE_RUNS];

  bench_ticks (with, 1);
  for (guint i = 0; i < PICTURE_RUNS; i++) {
    without[i] = measure_ticks (bare);
    times[i] = measure_ticks (with);
  }
  bench_print (name,
               (bench_least (times, PICTURE_RUNS) - bench_least (without, PICTURE_RUNS)) / PICTURE,
               "ns/pixel");
}

static void
measure_pictures (void)
{
  static const struct {
    const char *name, *noise;
  } all[] = {
    { "pipeline.noise.gaussian", "Gaussian\", {\"field\": \"image\", \"sigma\": 6" },
    { "pipeline.noise.gaussian-depth", "Gaussian\", {\"field\": \"depth\", \"quadratic\": 0.002" },
    { "pipeline.noise.shot", "ShotNoise\", {\"field\": \"image\"" },
    { "pipeline.noise.salt", "SaltAndPepper\", {\"field\": \"image\", \"probability\": 0.01" },
    { "pipeline.noise.drop-out", "DropOut\", {\"field\": \"depth\", \"probability\": 0.01" },
    { "pipeline.noise.quantisation", "Quantisation\", {\"field\": \"image\", \"step\": 16" },
    { "pipeline.noise.vignette", "Vignette\", {\"field\": \"image\", \"strength\": 0.5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    measure_noise (all[i].name, all[i].noise);
}

int
main (void)
{
  static Side sides[N_SIDES];

  sides[NONE].simulation = load_idle (0, 0, NULL, FALSE);
  sides[ONE].simulation = load_idle (N, 1, "Idle", FALSE);
  sides[SENT].simulation = load_idle (N, 1, "Chatty", FALSE);
  sides[MOVING].simulation = load_idle (N, 1, "Idle", TRUE);
  sides[MANY_MODIFIERS].simulation = load_idle (N, MANY, "Idle", FALSE);
  sides[POSE].simulation = load_poses ();
  sides[BARE] = (Side){ .bare = bare_new (N, 3), .n_pointers = 3 };
  sides[BARE_MANY] = (Side){ .bare = bare_new (N, 2 + MANY), .n_pointers = 2 + MANY };
  sides[BARE_POSE] = (Side){ .bare = bare_new_poses (N), .n_pointers = 3 };

  /* Turn about, so that what else runs on the machine meets all of them. */
  for (guint run = 0; run < RUNS; run++)
    for (guint i = 0; i < N_SIDES; i++)
      sides[i].times[run] = run_side (&sides[i]);
  print_all (sides);
  measure_pictures ();
  for (guint i = 0; i < N_SIDES; i++) {
    g_clear_object (&sides[i].simulation);
    if (sides[i].bare != NULL)
      bare_free (sides[i].bare, N);
  }
  return 0;
}
