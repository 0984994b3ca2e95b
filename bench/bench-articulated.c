/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Robots of four legs and twelve motors that stand on a floor: mj_step() in a bare loop against a
 * tick of the whole host with orrery.physics.mujoco.MuJoCo, from the same file, with the same
 * substeps, targets and gains.
 */
#include "quadruped.h"
#include "scene.h"

#include <glib/gstdio.h>
#include <mujoco/mujoco.h>

#define RUNS 7
#define RESETS 101
/* Of robots, in a run. */
#define ROBOT_TICKS 3000
#define SETTLE 60 /* ticks */
#define SUBSTEPS 2
#define TARGET 0.1 /* rad, of each knee */

/* --- the two of them --- */

static double
time_bare (const mjModel *m, mjData *d, guint n_ticks)
{
  gint64 start = bench_now ();

  for (guint i = 0; i < n_ticks * SUBSTEPS; i++)
    mj_step (m, d);
  return (double) (bench_now () - start) / n_ticks;
}

static mjModel *
load_bare (const char *path)
{
  char words[500] = "";
  mjModel *m = mj_loadXML (path, NULL, words, sizeof words);

  if (m == NULL)
    g_error ("%s", words);
  return m;
}

static void
set_bare (const mjModel *m, mjData *d)
{
  for (int i = 0; i < m->nu; i++)
    d->ctrl[i] = i % 3 == 2 ? TARGET : 0;
}

static OrrerySimulation *
load_ours (const char *directory, guint n)
{
  static const char *const names[] = { "a", "b", "c" };
  g_autofree char *path = g_build_filename (directory, "scene.json", NULL);
  g_autoptr (OrreryOptions) options =
      g_object_new (ORRERY_TYPE_OPTIONS, "listen", FALSE, "start", 0.0, NULL);
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation;

  if (!g_file_set_contents (path,
                            "{\"orrery\": 1, \"environment\": {\"import\": \"robots.xml\", "
                            "\"physics\": \"orrery.physics.mujoco.MuJoCo\"}}",
                            -1, &error))
    g_error ("%s", error->message);
  simulation = orrery_simulation_load_with_options (registry, path, options, &error);
  if (simulation == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < n * BENCH_LEGS * G_N_ELEMENTS (names); i++) {
    guint leg = i / 3 % BENCH_LEGS;
    guint robot = i / 3 / BENCH_LEGS;
    g_autofree char *name = g_strdup_printf ("r%u.m%s%u_%u", robot, names[i % 3], robot, leg);
    OrreryComponent *motor = orrery_simulation_find_component (simulation, name);

    if (motor == NULL ||
        !orrery_simulation_write (simulation, motor, "position",
                                  g_variant_new_double (i % 3 == 2 ? TARGET : 0), &error))
      g_error ("%s: %s", name, error != NULL ? error->message : "no such component");
  }
  return simulation;
}

/* One robot. MuJoCo's buffers have as much room as ours, which begin with what the scene needs. */
static void
measure_reset (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "robots.xml", NULL);
  g_autofree char *text = bench_write_quadrupeds (1, 200, 136);
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GBytes) state = NULL;
  double bare[RESETS], ours[RESETS], restored[RESETS];
  mjModel *m;
  mjData *d, *copy;

  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("%s", path);
  m = load_bare (path);
  d = mj_makeData (m);
  copy = mj_makeData (m);
  simulation = load_ours (directory, 1);
  bench_ticks (simulation, SETTLE);
  time_bare (m, d, SETTLE);
  state = orrery_simulation_save (simulation, NULL);
  for (guint i = 0; i < RESETS; i++) {
    gint64 start = bench_now ();

    mj_copyData (copy, m, d);
    bare[i] = (double) (bench_now () - start) / 1e3;
    time_bare (m, d, 5);
    bench_ticks (simulation, 5);
    start = bench_now ();
    if (!orrery_simulation_reset (simulation, NULL))
      g_error ("no reset");
    ours[i] = (double) (bench_now () - start) / 1e3;
    bench_ticks (simulation, 5);
    start = bench_now ();
    if (!orrery_simulation_restore (simulation, state, NULL))
      g_error ("no restore");
    restored[i] = (double) (bench_now () - start) / 1e3;
  }
  bench_print ("mujoco_engine.copy-1", bench_median (bare, RESETS), "us");
  bench_print ("mujoco_engine.reset-1", bench_median (ours, RESETS), "us");
  bench_print ("mujoco_engine.restore-1", bench_median (restored, RESETS), "us");
  mj_deleteData (copy);
  mj_deleteData (d);
  mj_deleteModel (m);
  g_remove (path);
}

static void
measure (const char *directory, guint n)
{
  g_autofree char *path = g_build_filename (directory, "robots.xml", NULL);
  g_autofree char *text = bench_write_quadrupeds (n, 4000, 1000);
  g_autofree char *name = g_strdup_printf ("mujoco_engine_ratio_%u", n);
  g_autofree char *tick = g_strdup_printf ("mujoco_engine.tick-%u", n);
  g_autoptr (OrrerySimulation) simulation = NULL;
  guint n_ticks = MAX (ROBOT_TICKS / n, 16);
  double bare[RUNS], ours[RUNS];
  mjModel *m;
  mjData *d;

  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("%s", path);
  m = load_bare (path);
  d = mj_makeData (m);
  simulation = load_ours (directory, n);
  set_bare (m, d);
  time_bare (m, d, SETTLE);
  bench_ticks (simulation, SETTLE);
  for (guint run = 0; run < RUNS; run++) {
    bare[run] = time_bare (m, d, n_ticks);
    ours[run] = bench_ticks (simulation, n_ticks);
  }
  bench_print (name, bench_least (bare, RUNS) / bench_least (ours, RUNS), "of_mj_step");
  bench_print (tick, bench_least (ours, RUNS), "ns");
  mj_deleteData (d);
  mj_deleteModel (m);
  g_remove (path);
}

/* With the argument `reset` only what resets take. */
int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("orrery-bench-XXXXXX", NULL);
  g_autofree char *scene = g_build_filename (directory, "scene.json", NULL);

  measure_reset (directory);
  if (argc < 2 || !g_str_equal (argv[1], "reset")) {
    measure (directory, 10);
    measure (directory, 50);
  }
  g_remove (scene);
  g_rmdir (directory);
  return 0;
}
