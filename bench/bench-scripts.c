/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tick costs with 0 to 1,000 empty scripts, each called twice (sensing, actuation), beside
 * as many calls through pointers in an array, with the same arguments.
 */
#include "scene.h"

#include <stdio.h>

#define RUNS 15
#define CALLS_PER_RUN 400000
#define TICKS_LEAST 62

static const guint sizes[] = { 0, 10, 100, 1000 };
#define N_SIZES G_N_ELEMENTS (sizes)

/* --- the limit --- */

typedef void (*Func) (gpointer self, gpointer tick, GError **error);

typedef struct {
  Func func;
  gpointer self;
} Entry;

static void G_GNUC_NO_INLINE
nothing (gpointer self, gpointer tick, GError **error)
{
  __asm__ volatile("" ::: "memory");
}

/* ns for one call */
static double
call_bare (guint n)
{
  g_autofree Entry *entries = g_new (Entry, n);
  guint rounds = CALLS_PER_RUN / n;
  GError *error = NULL;
  gint64 before;

  for (guint i = 0; i < n; i++)
    entries[i] = (Entry){ nothing, entries };
  before = bench_now ();
  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < n; i++) {
      entries[i].func (entries[i].self, &before, &error);
      if (G_UNLIKELY (error != NULL))
        return 0;
    }
  return (double) (bench_now () - before) / ((double) rounds * n);
}

static OrrerySimulation *
load (guint n)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  /* Those of the program need no objects, which have a cost of their own. */
  for (guint i = 0; i < n; i++)
    bench_scene_add_script (&scene, "{\"classpath\": \"bench.idle.Script\"}");
  return bench_scene_load (&scene);
}

int
main (void)
{
  OrrerySimulation *simulations[N_SIZES];
  double times[N_SIZES], runs[N_SIZES][RUNS], bare[RUNS];

  for (guint i = 0; i < N_SIZES; i++)
    simulations[i] = load (sizes[i]);
  for (guint run = 0; run < RUNS; run++) {
    bare[run] = call_bare (1000);
    for (guint i = 0; i < N_SIZES; i++)
      runs[i][run] =
          bench_ticks (simulations[i], MAX (TICKS_LEAST, CALLS_PER_RUN / 2 / (sizes[i] + 100)));
  }
  bench_print ("scripts.pointer_call", bench_least (bare, RUNS), "ns");
  for (guint i = 0; i < N_SIZES; i++) {
    g_autofree char *name = g_strdup_printf ("scripts.tick.%u", sizes[i]);

    times[i] = bench_least (runs[i], RUNS);
    bench_print (name, times[i], "ns");
    g_object_unref (simulations[i]);
  }
  for (guint i = 2; i < N_SIZES; i++) {
    g_autofree char *name = g_strdup_printf ("scripts.call.%u", sizes[i]);
    g_autofree char *ratio = g_strdup_printf ("scripts.call.%u.of_pointer_call", sizes[i]);
    double call = (times[i] - times[0]) / (2.0 * sizes[i]);

    bench_print (name, call, "ns");
    bench_print (ratio, call / bench_least (bare, RUNS), "ratio");
  }
  return 0;
}
