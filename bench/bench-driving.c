/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ATRVs that drive arcs, each with five components, run by the real host: which share of a tick is
 * spent in the substeps, where Bullet is, and what a tick costs without dynamics. The engine's
 * functions are replaced by ones that read the clock and go on to the engine's own.
 */
#include "scene.h"

#define RUNS 15
/* Of robots, in a run. */
#define ROBOT_TICKS 2000
#define ROW 10
#define APART 3.5
#define BULLET "orrery.physics.bullet.Bullet"
#define KINEMATIC "orrery.physics.kinematic.Kinematic"
#define N_COMPONENTS 5

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

/* A robot as in a first scene (MotionVW comes with both), and one of five components. */
static const char few[] =
    "{\"name\": \"pose\", \"classpath\": \"morse.sensors.pose.Pose\"}, "
    "{\"name\": \"odometry\", \"classpath\": \"morse.sensors.odometry.Odometry\"}, ";
static const char more[] =
    "{\"name\": \"pose\", \"classpath\": \"morse.sensors.pose.Pose\"}, "
    "{\"name\": \"odometry\", \"classpath\": \"morse.sensors.odometry.Odometry\"}, "
    "{\"name\": \"velocity\", \"classpath\": \"morse.sensors.velocity.Velocity\"}, "
    "{\"name\": \"gyroscope\", \"classpath\": \"morse.sensors.gyroscope.Gyroscope\"}, ";

static OrrerySimulation *
load_robots (const char *physics, guint n, const char *sensors)
{
  BenchScene scene;

  bench_scene_init (&scene, physics);
  for (guint i = 0; i < n; i++)
    bench_scene_add_object (
        &scene,
        "{\"name\": \"robot%u\", \"classpath\": \"morse.robots.atrv.ATRV\", "
        "\"position\": [%f, %f, 0], \"objects\": ["
        "%s"
        "{\"name\": \"motion\", \"classpath\": \"morse.actuators.v_omega.MotionVW\"}]}",
        i, APART * (i % ROW), APART * (i / ROW), sensors);
  return bench_scene_load (&scene);
}

static void
drive (OrrerySimulation *simulation, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("robot%u.motion", i);
    OrreryComponent *motion = orrery_simulation_find_component (simulation, name);

    orrery_simulation_write (simulation, motion, "v", g_variant_new_double (0.5), NULL);
    orrery_simulation_write (simulation, motion, "w", g_variant_new_double (0.6), NULL);
  }
}

static void
print (const char *kind, guint n, const char *what, double value, const char *unit)
{
  g_autofree char *name = g_strdup_printf ("driving.%s-%u.%s", kind, n, what);

  bench_print (name, value, unit);
}

/* Dynamic robots beside the engine. */
static void
time_dynamic (const char *kind, guint n, const char *sensors)
{
  g_autoptr (OrrerySimulation) simulation = load_robots (BULLET, n, sensors);
  double ticks[RUNS], substeps[RUNS], engine[RUNS];
  guint n_ticks = MAX (ROBOT_TICKS / n, 16);

  if (own.step == NULL)
    watch_engine ();
  drive (simulation, n);
  bench_ticks (simulation, n_ticks);
  for (guint run = 0; run < RUNS; run++) {
    in_substeps = around_them = 0;
    ticks[run] = bench_ticks (simulation, n_ticks);
    substeps[run] = (double) in_substeps / n_ticks / ticks[run];
    engine[run] = (double) (in_substeps + around_them) / n_ticks / ticks[run];
  }
  print (kind, n, "tick", bench_least (ticks, RUNS), "ns");
  print (kind, n, "in_substeps", bench_median (substeps, RUNS), "of_tick");
  print (kind, n, "in_engine", bench_median (engine, RUNS), "of_tick");
}

static void
time_kinematic (guint n)
{
  g_autoptr (OrrerySimulation) simulation = load_robots (KINEMATIC, n, more);
  double ticks[RUNS], least;
  guint n_ticks = MAX (20 * ROBOT_TICKS / n, 16);

  drive (simulation, n);
  bench_ticks (simulation, n_ticks);
  for (guint run = 0; run < RUNS; run++)
    ticks[run] = bench_ticks (simulation, n_ticks);
  least = bench_least (ticks, RUNS);
  print ("kinematic", n, "tick", least, "ns");
  print ("kinematic", n, "component", least / n / N_COMPONENTS, "ns");
}

int
main (void)
{
  static const guint dynamic[] = { 10, 50, 100 }, kinematic[] = { 100, 1000 };

  time_dynamic ("driven", 10, few);
  for (guint i = 0; i < G_N_ELEMENTS (dynamic); i++)
    time_dynamic ("dynamic", dynamic[i], more);
  for (guint i = 0; i < G_N_ELEMENTS (kinematic); i++)
    time_kinematic (kinematic[i]);
  return 0;
}
