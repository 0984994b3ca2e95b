/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-message.h"
#include "record/orrery-record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One JSON line of 7 doubles, written and read, beside a bare snprintf of the same line with %.17g
 * and a bare strtod of its numbers. */

#define LINES 200000
#define REPETITIONS 7
#define N_POSES 64

typedef struct {
  double x, y, z, yaw, pitch, roll;
} PoseData;

static const OrreryField fields[] = {
  ORRERY_FIELD (PoseData, x, "m", ""),       ORRERY_FIELD (PoseData, y, "m", ""),
  ORRERY_FIELD (PoseData, z, "m", ""),       ORRERY_FIELD (PoseData, yaw, "rad", ""),
  ORRERY_FIELD (PoseData, pitch, "rad", ""), ORRERY_FIELD (PoseData, roll, "rad", ""),
};

typedef struct {
  OrreryRecord *record;
  OrreryWriter *writer;
  OrreryReader *reader;
  PoseData poses[N_POSES];
  char *lines[N_POSES];
} Bench;

static volatile gsize sink;

static void
encode (Bench *bench, guint i)
{
  PoseData *data = orrery_record_data (bench->record);
  gsize length;

  *data = bench->poses[i % N_POSES];
  orrery_record_set_timestamp (bench->record, (OrreryTime) i * 16666667);
  orrery_writer_clear (bench->writer);
  orrery_record_write_json (bench->record, bench->writer);
  orrery_writer_get_data (bench->writer, &length);
  sink += length;
}

static void
encode_bare (Bench *bench, guint i)
{
  const PoseData *pose = &bench->poses[i % N_POSES];
  char text[512];

  sink += (gsize) snprintf (text, sizeof text,
                            "{\"timestamp\": %.17g, \"x\": %.17g, \"y\": %.17g, \"z\": %.17g, "
                            "\"yaw\": %.17g, \"pitch\": %.17g, \"roll\": %.17g}",
                            (double) i * 16666667 * 1e-9, pose->x, pose->y, pose->z, pose->yaw,
                            pose->pitch, pose->roll);
}

static void
decode (Bench *bench, guint i)
{
  const char *line = bench->lines[i % N_POSES];

  orrery_reader_set_data (bench->reader, line, strlen (line));
  sink += (gsize) orrery_record_read_json (bench->record, bench->reader, NULL);
}

/* The numbers alone: each stands behind a colon. */
static void
decode_bare (Bench *bench, guint i)
{
  const char *at = bench->lines[i % N_POSES];

  while ((at = strchr (at, ':')) != NULL) {
    char *end;

    sink += (gsize) (strtod (at + 1, &end) > 0);
    at = end;
  }
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Returns: ns per line, the median of the repetitions */
static double
measure (Bench *bench, void (*line) (Bench *bench, guint i))
{
  double times[REPETITIONS];

  for (guint r = 0; r < REPETITIONS; r++) {
    gint64 start = g_get_monotonic_time ();

    for (guint i = 0; i < LINES; i++)
      line (bench, i);
    times[r] = (double) (g_get_monotonic_time () - start) * 1e3 / LINES;
  }
  qsort (times, REPETITIONS, sizeof *times, compare);
  return times[REPETITIONS / 2];
}

static void
bench_init (Bench *bench)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (PoseData));
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  bench->record = orrery_record_new (schema);
  bench->writer = orrery_writer_new ();
  bench->reader = orrery_reader_new ();
  for (guint i = 0; i < N_POSES; i++) {
    double *numbers = (double *) &bench->poses[i];
    gsize length;

    for (guint k = 0; k < sizeof (PoseData) / sizeof *numbers; k++)
      numbers[k] = g_rand_double_range (rand, -10, 10);
    encode (bench, i);
    orrery_writer_get_data (bench->writer, &length);
    bench->lines[i] = g_strndup (orrery_writer_get_data (bench->writer, NULL), length);
  }
}

static void
bench_clear (Bench *bench)
{
  orrery_record_unref (bench->record);
  orrery_writer_unref (bench->writer);
  orrery_reader_unref (bench->reader);
  for (guint i = 0; i < N_POSES; i++)
    g_free (bench->lines[i]);
}

int
main (void)
{
  Bench bench;
  double encoded, encoded_bare, decoded, decoded_bare;

  bench_init (&bench);
  encoded = measure (&bench, encode);
  encoded_bare = measure (&bench, encode_bare);
  decoded = measure (&bench, decode);
  decoded_bare = measure (&bench, decode_bare);
  printf ("json_encode_7_doubles %.0f ns\n", encoded);
  printf ("json_encode_snprintf_17g %.0f ns\n", encoded_bare);
  printf ("json_encode_ratio %.2f x\n", encoded / encoded_bare);
  printf ("json_decode_7_doubles %.0f ns\n", decoded);
  printf ("json_decode_strtod %.0f ns\n", decoded_bare);
  printf ("json_decode_ratio %.2f x\n", decoded / decoded_bare);
  bench_clear (&bench);
  return 0;
}
