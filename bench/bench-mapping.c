/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a stream of ROS adds to a tick: records become messages by their mapping, and the messages
 * bytes. A scene of many sensors with streams beside the same scene without; the same with streams
 * that nobody listens to.
 */
#include "scene.h"

#define N 200
#define RUNS 15
#define TICKS 20

static const struct {
  const char *name;
  const char *sensor;
  const char *codec;
} rows[] = {
  { "odometry", "orrery.sensors.odometry.IntegratedOdometry", "odometry.OdometryPublisher" },
  { "pose", "orrery.sensors.pose.Pose", "pose.PoseStampedPublisher" },
  { "scan", "orrery.sensors.laserscanner.LaserScanner", "laserscanner.LaserScanPublisher" },
};

static OrrerySimulation *
load (guint row, const char *manager)
{
  BenchScene scene;
  g_autoptr (GString) children = g_string_new (NULL);

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  for (guint i = 0; i < N; i++) {
    g_string_append_printf (children, "%s{\"name\": \"s%u\", \"classpath\": \"%s\"}",
                            i > 0 ? ", " : "", i, rows[row].sensor);
    if (manager != NULL)
      bench_scene_add_stream (&scene,
                              "\"robot.s%u\": [[\"bench.typed.%s\", \"orrery.middleware.ros.%s\", "
                              "\"OUT\", {}]]",
                              i, manager, rows[row].codec);
  }
  bench_scene_add_object (
      &scene,
      "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [%s]}",
      children->str);
  return bench_scene_load (&scene);
}

static void
measure (guint row)
{
  static const char *const managers[] = { NULL, "Silent", "Typed" };
  OrrerySimulation *simulations[3];
  double times[3][RUNS];
  g_autofree char *message = g_strdup_printf ("mapping.%s.message", rows[row].name);
  g_autofree char *silent = g_strdup_printf ("mapping.%s.silent.ratio", rows[row].name);

  for (guint i = 0; i < 3; i++) {
    simulations[i] = load (row, managers[i]);
    bench_ticks (simulations[i], TICKS);
  }
  for (guint run = 0; run < RUNS; run++)
    for (guint i = 0; i < 3; i++)
      times[i][run] = bench_ticks (simulations[i], TICKS);
  bench_print (message, (bench_least (times[2], RUNS) - bench_least (times[0], RUNS)) / N, "ns");
  bench_print (silent, bench_least (times[1], RUNS) / bench_least (times[0], RUNS), "of_none");
  for (guint i = 0; i < 3; i++)
    g_object_unref (simulations[i]);
}

int
main (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    measure (i);
  return 0;
}
