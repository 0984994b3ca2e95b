/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ten ATRVs that drive arcs, each with Pose, Odometry and MotionVW, run by the real host: which
 * share of a tick is spent in the substeps, where Bullet is. The engine's functions are replaced by
 * ones that read the clock and go on to the engine's own.
 */
#include "scene.h"

#define N 10
#define RUNS 25
#define TICKS 128
#define APART 3.5

static OrreryPhysicsClass own;
static gint64 in_substeps, around_them;

static void
timed_apply (OrreryPhysics *physics, OrreryCommands *commands, GError **error)
{
  gint64 before = bench_now ();

  own.apply (physics, commands, error);
  around_them += bench_now () - before;
}

static void
timed_step (OrreryPhysics *physics, double dt, GError **error)
{
  gint64 before = bench_now ();

  own.step (physics, dt, error);
  in_substeps += bench_now () - before;
}

static void
timed_read (OrreryPhysics *physics, OrrerySnapshot *snapshot, GError **error)
{
  gint64 before = bench_now ();

  own.read (physics, snapshot, error);
  around_them += bench_now () - before;
}

static void
watch_engine (void)
{
  OrreryPhysicsClass *klass = g_type_class_ref (g_type_from_name ("OrreryBullet"));

  own = *klass;
  klass->apply = timed_apply;
  klass->step = timed_step;
  klass->read = timed_read;
}

static OrrerySimulation *
load_robots (void)
{
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.bullet.Bullet");
  for (guint i = 0; i < N; i++)
    bench_scene_add_object (
        &scene,
        "{\"name\": \"robot%u\", \"classpath\": \"morse.robots.atrv.ATRV\", "
        "\"position\": [%f, %f, 0], \"objects\": ["
        "{\"name\": \"pose\", \"classpath\": \"morse.sensors.pose.Pose\"}, "
        "{\"name\": \"odometry\", \"classpath\": \"morse.sensors.odometry.Odometry\"}, "
        "{\"name\": \"motion\", \"classpath\": \"morse.actuators.v_omega.MotionVW\"}]}",
        i, APART * (i % 4), APART * (i / 4));
  return bench_scene_load (&scene);
}

static void
drive (OrrerySimulation *simulation)
{
  for (guint i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf ("robot%u.motion", i);
    OrreryComponent *motion = orrery_simulation_find_component (simulation, name);

    orrery_simulation_write (simulation, motion, "v", g_variant_new_double (0.5), NULL);
    orrery_simulation_write (simulation, motion, "w", g_variant_new_double (0.6), NULL);
  }
}

int
main (void)
{
  g_autoptr (OrrerySimulation) simulation = load_robots ();
  double ticks[RUNS], substeps[RUNS], engine[RUNS];

  watch_engine ();
  drive (simulation);
  bench_ticks (simulation, 4 * TICKS);
  for (guint run = 0; run < RUNS; run++) {
    in_substeps = around_them = 0;
    ticks[run] = bench_ticks (simulation, TICKS);
    substeps[run] = (double) in_substeps / TICKS / ticks[run];
    engine[run] = (double) (in_substeps + around_them) / TICKS / ticks[run];
  }
  bench_print ("driving.tick", bench_least (ticks, RUNS), "ns");
  bench_print ("driving.in_substeps", bench_median (substeps, RUNS), "of_tick");
  bench_print ("driving.in_engine", bench_median (engine, RUNS), "of_tick");
  return 0;
}
