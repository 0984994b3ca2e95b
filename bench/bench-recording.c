/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recording costs: the time that the recorder adds to a tick for each record, input, fault
 * and message for Foxglove, by the processor of the tick's thread, and what the writer writes in a
 * second of its own processor: records as JSON, and large messages, each with and without
 * compression.
 */
#include "scene.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define N 200
#define RUNS 15
#define TICKS 32 /* fewer than the slots of the queue: nothing is dropped */
#define N_RECORDS 40000
#define WRITER_RUNS 7
#define PICTURE (640 * 480 * 3)
#define N_PICTURES 300
#define MB 1e6

static char *directory;

static double
cpu_now (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static char *
make_path (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

/* --- the tick --- */

/* @more: (nullable): further properties of the recorder; NULL: there is none */
static OrrerySimulation *
load_poses (const char *more)
{
  g_autoptr (GString) children = g_string_new (NULL);
  g_autofree char *path = make_path (more != NULL && *more != '\0' ? "tick.mcap" : "whole.mcap");
  g_autofree char *words = g_strdup_printf ("{'file': <'%s'>, 'poses': <0.0>%s}", path, more);
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation;
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  for (guint i = 0; i < N; i++)
    g_string_append_printf (
        children, "%s{\"name\": \"s%u\", \"classpath\": \"orrery.sensors.odometry.Odometry\"}",
        i > 0 ? ", " : "", i);
  bench_scene_add_object (
      &scene,
      "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [%s]}",
      children->str);
  /* Others read them, so that their steps are the same with and without the recorder. */
  for (guint i = 0; i < N; i++)
    bench_scene_add_stream (
        &scene, "\"robot.s%u\": [[\"bench.idle.Manager\", \"bench.idle.Idle\", \"OUT\", {}]]", i);
  simulation = bench_scene_load (&scene);
  if (more != NULL)
    orrery_simulation_add_observer (simulation, "orrery.observers.recorder.Recorder",
                                    g_variant_new_parsed (words), &error);
  if (error != NULL)
    g_error ("%s", error->message);
  return simulation;
}

/* ns of the tick's thread for each record */
static double
measure_ticks (OrrerySimulation *simulation)
{
  double before = cpu_now (CLOCK_THREAD_CPUTIME_ID);

  bench_ticks (simulation, TICKS);
  return (cpu_now (CLOCK_THREAD_CPUTIME_ID) - before) * 1e9 / (TICKS * N);
}

static void
measure_tick (void)
{
  g_autoptr (OrrerySimulation) plain = load_poses (NULL);
  g_autoptr (OrrerySimulation) recorded = load_poses ("");
  g_autoptr (OrrerySimulation) records = load_poses (", 'states': <0.0>, 'hashes': <0.0>");
  double without[RUNS], with[RUNS], added[RUNS], alone[RUNS];

  for (guint i = 0; i < RUNS; i++) {
    without[i] = measure_ticks (plain);
    with[i] = measure_ticks (recorded);
    added[i] = with[i] - without[i];
    alone[i] = measure_ticks (records) - without[i];
    /* The writer empties the queue meanwhile. */
    g_usleep (G_USEC_PER_SEC / 4);
  }
  bench_print ("recording.step", bench_median (without, RUNS), "ns");
  bench_print ("recording.step_recorded", bench_median (with, RUNS), "ns");
  bench_print ("recording.added", bench_median (added, RUNS), "ns");
  /* Without the state of each second and the hashes. */
  bench_print ("recording.added.records", bench_median (alone, RUNS), "ns");
}

/* --- what else is recorded --- */

typedef struct {
  const char *name;
  const char *component; /* classpath; so many of them */
  guint n;               /* in a tick */
  gboolean records;      /* without it, too, but not this */
  const char *property;  /* (nullable): that has it recorded */
  void (*begin) (OrrerySimulation *simulation, guint n);
} Extra;

/* A program tells each actuator something in each tick. */
static void
write_speeds (OrrerySimulation *simulation, guint n)
{
  static double v;

  v = v < 1 ? v + 0.001 : 0;
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("robot.s%u", i);

    orrery_simulation_write (simulation,
                             ORRERY_COMPONENT (orrery_simulation_find_part (simulation, name)), "v",
                             g_variant_new_double (v), NULL);
  }
}

static OrrerySimulation *
load_extra (const Extra *extra, gboolean has_it)
{
  g_autoptr (GString) children = g_string_new (NULL);
  g_autofree char *path = make_path (has_it ? "tick.mcap" : "writer.mcap");
  g_autofree char *words = g_strdup_printf (
      "{'file': <'%s'>, 'poses': <0.0>, 'hashes': <0.0>, 'states': <0.0>, '%s': <%s>}", path,
      extra->property != NULL ? extra->property : "inputs", has_it ? "true" : "false");
  g_autoptr (GError) error = NULL;
  OrrerySimulation *simulation;
  BenchScene scene;

  bench_scene_init (&scene, "orrery.physics.kinematic.Kinematic");
  for (guint i = 0; i < extra->n; i++)
    g_string_append_printf (children, "%s{\"name\": \"s%u\", \"classpath\": \"%s\"}",
                            i > 0 ? ", " : "", i, extra->component);
  bench_scene_add_object (
      &scene,
      "{\"name\": \"robot\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [%s]}",
      children->str);
  simulation = bench_scene_load (&scene);
  if (has_it || extra->records)
    orrery_simulation_add_observer (simulation, "orrery.observers.recorder.Recorder",
                                    g_variant_new_parsed (words), &error);
  if (error != NULL)
    g_error ("%s", error->message);
  return simulation;
}

/* ns of the tick's thread for each of them */
static double
measure_extra_ticks (const Extra *extra, OrrerySimulation *simulation)
{
  double before = cpu_now (CLOCK_THREAD_CPUTIME_ID);

  for (guint i = 0; i < TICKS; i++) {
    if (extra->begin != NULL)
      extra->begin (simulation, extra->n);
    bench_ticks (simulation, 1);
  }
  return (cpu_now (CLOCK_THREAD_CPUTIME_ID) - before) * 1e9 / (TICKS * extra->n);
}

static void
measure_extra (const Extra *extra)
{
  g_autoptr (OrrerySimulation) plain = load_extra (extra, FALSE);
  g_autoptr (OrrerySimulation) recorded = load_extra (extra, TRUE);
  double added[RUNS];

  for (guint i = 0; i < RUNS; i++) {
    double without = measure_extra_ticks (extra, plain);

    added[i] = measure_extra_ticks (extra, recorded) - without;
    /* The writer empties the queue meanwhile. */
    g_usleep (G_USEC_PER_SEC / 4);
  }
  bench_print (extra->name, bench_median (added, RUNS), "ns");
}

static void
measure_extras (void)
{
  /* Of faults 1,000 may wait to be written. */
  static const Extra extras[] = {
    { "recording.added.input", "orrery.actuators.v_omega.MotionVW", N, TRUE, "inputs",
      write_speeds },
    { "recording.added.foxglove", "orrery.sensors.pose.Pose", N, TRUE, "foxglove", NULL },
    { "recording.added.fault", "bench.idle.Failing", 1000 / TICKS, FALSE, NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (extras); i++)
    measure_extra (&extras[i]);
}

/* --- the writer --- */

static OrreryRecordingWriter *
open_writer (const char *compression, guint16 *channel)
{
  g_autofree char *path = make_path ("writer.mcap");
  g_autoptr (GError) error = NULL;
  OrreryRecordingWriter *writer;

  /* A file system writes out at once what replaces a file that was there. */
  g_remove (path);
  writer = orrery_recording_writer_new (path, NULL, compression, &error);
  if (writer != NULL)
    *channel = orrery_recording_writer_add_channel (writer, 0, "/robot/pose", "json", NULL, &error);
  return writer;
}

typedef struct {
  double x, y, z;
  OrreryEuler attitude;
  OrreryVec3 speed;
  gint64 number;
} Sample;

static const OrreryField fields[] = {
  ORRERY_FIELD (Sample, x, "m", "x"),           ORRERY_FIELD (Sample, y, "m", "y"),
  ORRERY_FIELD (Sample, z, "m", "z"),           ORRERY_FIELD (Sample, attitude, "rad", "attitude"),
  ORRERY_FIELD (Sample, speed, "m/s", "speed"), ORRERY_FIELD (Sample, number, "", "number"),
};

/* Returns: bytes of JSON */
static double
encode (OrreryRecord *record, OrreryWriter *text, guint i)
{
  Sample *sample = orrery_record_data (record);
  gsize length;

  sample->x = i * 0.01;
  sample->y = (double) i / 7;
  sample->speed.x = 1.0 / (1 + i);
  sample->number = i;
  orrery_record_set_timestamp (record, (OrreryTime) i * ORRERY_SECOND / 1000);
  orrery_writer_clear (text);
  orrery_record_write_json (record, text);
  orrery_writer_get_data (text, &length);
  return (double) length;
}

/* MB of JSON in a second of the processor, encoded only, or written too */
static double
measure_records (const char *compression)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (Sample));
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);
  g_autoptr (OrreryWriter) text = orrery_writer_new ();
  guint16 channel = 0;
  g_autoptr (OrreryRecordingWriter) writer =
      compression != NULL ? open_writer (compression, &channel) : NULL;
  double bytes = 0, before;

  if (compression != NULL && writer == NULL)
    return 0;
  before = cpu_now (CLOCK_THREAD_CPUTIME_ID);
  for (guint i = 0; i < N_RECORDS; i++) {
    gsize length;
    const char *data;

    bytes += encode (record, text, i);
    data = orrery_writer_get_data (text, &length);
    if (writer != NULL)
      orrery_recording_writer_write (writer, channel, (OrreryTime) i * ORRERY_SECOND / 1000, 0,
                                     data, length, NULL);
  }
  if (writer != NULL)
    orrery_recording_writer_close (writer, NULL);
  return bytes / MB / (cpu_now (CLOCK_THREAD_CPUTIME_ID) - before);
}

/* MB of large messages; a picture with some noise, which does not vanish when it is compressed */
static double
measure_pictures (const char *compression)
{
  g_autofree guint8 *picture = g_malloc (PICTURE);
  guint16 channel = 0;
  g_autoptr (OrreryRecordingWriter) writer = open_writer (compression, &channel);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  double before;

  if (writer == NULL)
    return 0;
  for (guint i = 0; i < PICTURE; i++)
    picture[i] = (guint8) (i / 64 + (i % 16 == 0 ? g_rand_int_range (rand, 0, 4) : 0));
  before = cpu_now (CLOCK_THREAD_CPUTIME_ID);
  for (guint i = 0; i < N_PICTURES; i++)
    orrery_recording_writer_write (writer, channel, i, 0, picture, PICTURE, NULL);
  orrery_recording_writer_close (writer, NULL);
  return N_PICTURES * (PICTURE / MB) / (cpu_now (CLOCK_THREAD_CPUTIME_ID) - before);
}

/* Encoded only and written, in turns, so that what else the machine does meets both. */
static void
measure_writer (void)
{
  static const char *const compressions[] = { NULL, "", "lz4", "zstd" };
  static const char *const titles[] = { "codec", "none", "lz4", "zstd" };
  double json[G_N_ELEMENTS (titles)][WRITER_RUNS], ratio[G_N_ELEMENTS (titles)][WRITER_RUNS];

  for (guint run = 0; run < WRITER_RUNS; run++)
    for (guint i = 0; i < G_N_ELEMENTS (titles); i++) {
      json[i][run] = measure_records (compressions[i]);
      ratio[i][run] = json[i][run] / json[0][run];
    }
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++) {
    g_autofree char *name = g_strdup_printf ("recording.json.%s", titles[i]);
    g_autofree char *of_codec = g_strdup_printf ("%s.of_codec", name);
    g_autofree char *pictures = g_strdup_printf ("recording.pictures.%s", titles[i]);

    bench_print (name, bench_median (json[i], WRITER_RUNS), "MB/s");
    if (compressions[i] == NULL)
      continue;
    bench_print (of_codec, bench_median (ratio[i], WRITER_RUNS), "ratio");
    bench_print (pictures, measure_pictures (compressions[i]), "MB/s");
  }
}

static void
remove_files (void)
{
  static const char *const names[] = { "tick.mcap", "whole.mcap", "writer.mcap" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = make_path (names[i]);

    g_remove (path);
  }
  g_rmdir (directory);
  g_free (directory);
}

int
main (int argc, char **argv)
{
  bench_begin_log ();
  directory = g_dir_make_tmp ("orrery-bench-XXXXXX", NULL);
  measure_writer ();
  measure_tick ();
  measure_extras ();
  remove_files ();
  return 0;
}
