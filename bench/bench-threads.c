/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensing on two threads beside one, turn about in one run: sensors that take 10 us to 1 ms, a mix
 * of few slow and many quick ones, and sensors that do nothing, where a second thread is only in
 * the way. Two processors that have nothing else to do would halve the first; `limit` is what they
 * have to give: two plain threads that do the same sums at once, beside one that does all.
 */
#include "scene.h"

#define RUNS 15
#define N 16

typedef struct {
  const char *name;
  guint n_slow;
  guint terms;
  guint n_idle;
  guint ticks;
} Mix;

static const Mix mixes[] = {
  { "10us", N, 10000, 0, 512 },     { "100us", N, 100000, 0, 64 }, { "1ms", N, 1000000, 0, 8 },
  { "mixed", 2, 1000000, 500, 32 }, { "idle", 0, 0, 500, 512 },
};

static OrrerySimulation *
load (const Mix *mix, guint n_threads)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  scene.n_threads = n_threads;
  if (mix->n_idle > 0)
    bench_scene_add_idle (&scene, mix->n_idle, 1, NULL, NULL);
  for (guint i = 0; i < mix->n_slow; i++)
    bench_scene_add_object (
        &scene,
        "{\"name\": \"r%u\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [{\"name\": "
        "\"busy\", \"classpath\": \"bench.busy.Busy\", \"properties\": {\"terms\": %u}}]}",
        i, mix->terms);
  return bench_scene_load (&scene);
}

static double
add_up (guint n)
{
  double sum = 0;

  for (guint64 i = 1; i <= n; i++)
    sum += 1.0 / (double) (i * i);
  return sum;
}

#define LIMIT_TERMS 20000000

static gpointer
run_half (gpointer data)
{
  *(double *) data = add_up (LIMIT_TERMS / 2);
  return NULL;
}

/* Of what one thread takes. */
static double
measure_limit (void)
{
  double best[2] = { G_MAXDOUBLE, G_MAXDOUBLE };
  volatile double sink;
  double half;

  for (guint run = 0; run < RUNS; run++) {
    gint64 start = bench_now ();
    GThread *other;

    sink = add_up (LIMIT_TERMS);
    best[0] = MIN (best[0], (double) (bench_now () - start));
    start = bench_now ();
    other = g_thread_new ("half", run_half, &half);
    sink = add_up (LIMIT_TERMS / 2);
    g_thread_join (other);
    best[1] = MIN (best[1], (double) (bench_now () - start));
  }
  (void) sink;
  return best[1] / best[0];
}

static void
print (const char *mix, const char *what, double value, const char *unit)
{
  g_autofree char *name = g_strdup_printf ("threads.%s.%s", mix, what);

  bench_print (name, value, unit);
}

int
main (void)
{
  bench_begin_log (); /* before there is a thread */
  bench_print ("threads.limit", measure_limit (), "of_one");
  for (guint i = 0; i < G_N_ELEMENTS (mixes); i++) {
    OrrerySimulation *one = load (&mixes[i], 1);
    OrrerySimulation *two = load (&mixes[i], 2);
    double times[2][RUNS];

    for (guint run = 0; run < RUNS; run++) {
      times[0][run] = bench_ticks (one, mixes[i].ticks);
      times[1][run] = bench_ticks (two, mixes[i].ticks);
    }
    print (mixes[i].name, "one", bench_least (times[0], RUNS) * 1e-3, "us");
    print (mixes[i].name, "two", bench_least (times[1], RUNS) * 1e-3, "us");
    print (mixes[i].name, "ratio", bench_least (times[1], RUNS) / bench_least (times[0], RUNS),
           "of_one");
    g_object_unref (one);
    g_object_unref (two);
  }
  return 0;
}
