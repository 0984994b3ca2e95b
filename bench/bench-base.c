/* SPDX-License-Identifier: BSD-3-Clause */
/* What the goods of base cost: the least of several runs, beside the limit where there is one. */
#include "base/orrery-random.h"
#include "base/orrery-transform.h"
#include "record/orrery-record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RUNS 15
#define N 400000
#define N_BYTES (1 << 22)

typedef double (*Work) (OrreryRandom *random);

/* What a run comes to, so that no compiler leaves it out. */
static volatile double result;

static void
measure (const char *name, Work work, double per_run, const char *unit)
{
  OrreryRandom random;
  gint64 least = G_MAXINT64;

  orrery_random_init (&random, 1, name);
  for (int run = 0; run < RUNS; run++) {
    gint64 start = g_get_monotonic_time ();

    result = work (&random);
    least = MIN (least, g_get_monotonic_time () - start);
  }
  printf ("%s %.2f %s\n", name, (double) least * 1e3 / per_run, unit);
}

static double
draw_words (OrreryRandom *random)
{
  guint64 sum = 0;

  for (int i = 0; i < N; i++)
    sum += orrery_random_next (random);
  return (double) sum;
}

static double
draw_gaussians (OrreryRandom *random)
{
  double sum = 0;

  for (int i = 0; i < N; i++)
    sum += orrery_random_gaussian (random);
  return sum;
}

/* As a noise modifier does: a tick begins, three are drawn. */
static double
draw_three (OrreryRandom *random)
{
  double sum = 0;

  for (int i = 0; i < N; i++) {
    orrery_random_begin (random, i);
    for (int axis = 0; axis < 3; axis++)
      sum += orrery_random_gaussian (random);
  }
  return sum;
}

/* The limit: what everybody would write, two at a time, with a fast generator of 64 bits. */
static double
draw_box_muller (OrreryRandom *random)
{
  guint64 state = random->key;
  double sum = 0;

  for (int i = 0; i < N; i += 2) {
    state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1;
    double radius = sqrt (-2 * log (1 - (double) (state >> 11) * 0x1p-53));
    state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1;
    double angle = 2 * G_PI * (double) (state >> 11) * 0x1p-53;
    sum += radius * cos (angle) + radius * sin (angle);
  }
  return sum;
}

static double
to_euler (OrreryRandom *random)
{
  OrreryQuat q = { 0.5, 0.1, -0.3, 0.8 };
  double sum = 0, roll, pitch, yaw;

  orrery_quat_normalise (&q);
  for (int i = 0; i < N; i++) {
    q.x += 1e-12;
    orrery_quat_to_euler (&q, &roll, &pitch, &yaw);
    sum += roll + pitch + yaw;
  }
  return sum;
}

static double
multiply (OrreryRandom *random)
{
  OrreryTransform t, step = { { 1e-6, 0, 0 }, { 0 } };

  orrery_transform_identity (&t);
  orrery_quat_from_euler (0, 0, 1e-9, &step.rotation);
  for (int i = 0; i < N; i++)
    orrery_transform_multiply (&t, &step, &t);
  return t.position.x;
}

static double
hash_bytes (OrreryRandom *random)
{
  static guint8 bytes[N_BYTES];

  return (double) orrery_hash_bytes (random->key, bytes, sizeof bytes);
}

typedef struct {
  double x, y, z;
  double yaw, pitch, roll;
} PoseData;

static double
hash_records (OrreryRandom *random)
{
  static const OrreryField fields[] = {
    ORRERY_FIELD (PoseData, x, "m", ""),       ORRERY_FIELD (PoseData, y, "m", ""),
    ORRERY_FIELD (PoseData, z, "m", ""),       ORRERY_FIELD (PoseData, yaw, "rad", ""),
    ORRERY_FIELD (PoseData, pitch, "rad", ""), ORRERY_FIELD (PoseData, roll, "rad", ""),
  };
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (PoseData));
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);
  guint64 hash = 0;

  orrery_record_set_timestamp (record, 1);
  for (int i = 0; i < N; i++)
    hash = orrery_record_hash (record, hash, 0);
  return (double) hash;
}

int
main (void)
{
  measure ("base.random.word", draw_words, N, "ns");
  measure ("base.random.gaussian", draw_gaussians, N, "ns");
  measure ("base.random.gaussian.limit", draw_box_muller, N, "ns");
  measure ("base.random.begin_and_three_gaussians", draw_three, N, "ns");
  measure ("base.quat.to_euler", to_euler, N, "ns");
  measure ("base.transform.multiply", multiply, N, "ns");
  measure ("base.hash.kilobyte", hash_bytes, N_BYTES / 1024, "ns");
  measure ("base.record.hash_of_pose", hash_records, N, "ns");
  return 0;
}
