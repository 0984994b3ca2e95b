/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tick costs with 10 to 10,000 components (an empty sensor with a modifier and an output
 * each), and the straight line through it. The points are weighted alike in proportion, since the
 * line is to hold for small scenes as well as for large ones.
 */
#include "scene.h"

#include <math.h>
#include <stdio.h>

#define RUNS 9
#define STEPS_PER_RUN 200000
#define TICKS_LEAST 64

static const guint sizes[] = { 10, 30, 100, 300, 1000, 3000, 10000 };
#define N_SIZES G_N_ELEMENTS (sizes)

typedef struct {
  double base;  /* ns, of a tick without components */
  double slope; /* ns for each component */
  double worst; /* of the points' distances from the line, as a part of the line's value */
} Fit;

/* Least squares with the weights 1 / y^2: the distances are parts of what is measured. */
static Fit
fit_line (const double *times)
{
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  Fit fit = { 0 };

  for (guint i = 0; i < N_SIZES; i++) {
    double weight = 1 / (times[i] * times[i]);

    w += weight;
    x += weight * sizes[i];
    y += weight * times[i];
    xx += weight * sizes[i] * sizes[i];
    xy += weight * sizes[i] * times[i];
  }
  fit.slope = (w * xy - x * y) / (w * xx - x * x);
  fit.base = (y - fit.slope * x) / w;
  for (guint i = 0; i < N_SIZES; i++) {
    double line = fit.base + fit.slope * sizes[i];

    fit.worst = fmax (fit.worst, fabs (times[i] - line) / line);
  }
  return fit;
}

int
main (void)
{
  OrrerySimulation *simulations[N_SIZES];
  double times[N_SIZES], runs[N_SIZES][RUNS];
  Fit fit;

  for (guint i = 0; i < N_SIZES; i++) {
    BenchScene scene;

    bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
    bench_scene_add_idle (&scene, sizes[i], 1, "Idle", NULL);
    simulations[i] = bench_scene_load (&scene);
  }
  for (guint run = 0; run < RUNS; run++)
    for (guint i = 0; i < N_SIZES; i++)
      runs[i][run] =
          bench_ticks (simulations[i], MAX (TICKS_LEAST, STEPS_PER_RUN / sizes[i] / 64 * 64));
  for (guint i = 0; i < N_SIZES; i++) {
    g_autofree char *name = g_strdup_printf ("scale.tick.%u", sizes[i]);

    times[i] = bench_least (runs[i], RUNS);
    bench_print (name, times[i], "ns");
    g_object_unref (simulations[i]);
  }
  fit = fit_line (times);
  bench_print ("scale.fit.base", fit.base, "ns");
  bench_print ("scale.fit.slope", fit.slope, "ns/component");
  bench_print ("scale.fit.worst_residual", fit.worst, "of_line");
  return 0;
}
