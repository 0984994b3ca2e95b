/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <time.h>

/* bench.stamp: a sensor whose record is the time of CLOCK_MONOTONIC, so that it is known when its
 * message was published; and one whose picture never changes, which costs nothing. */

typedef struct {
  gint64 at;
} StampData;

static const OrreryField fields[] = {
  ORRERY_FIELD (StampData, at, "ns", "When it was measured"),
};

typedef struct {
  OrrerySensor parent_instance;
} BenchStamp;
ORRERY_DEFINE_CLASS (BenchStamp, bench_stamp, OrrerySensor, orrery_sensor)

static void
bench_stamp_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  StampData *out = orrery_record_data (record);
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  out->at = (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
bench_stamp_class_init (BenchStampClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_stamp_sense;
  ORRERY_CLASS_SET_DATA (klass, StampData, fields);
}

typedef struct {
  OrreryBuffer *image;
} StillData;

static const OrreryField still_fields[] = {
  ORRERY_FIELD (StillData, image, "", "Rows of red, green, blue"),
};

typedef struct {
  OrrerySensor parent_instance;
} BenchStill;
ORRERY_DEFINE_CLASS (BenchStill, bench_still, OrrerySensor, orrery_sensor)

static void
bench_still_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static const gsize shape[] = { 1080, 1920, 3 };
  StillData *out = orrery_record_data (record);

  if (out->image == NULL)
    out->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
}

static void
bench_still_class_init (BenchStillClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_still_sense;
  ORRERY_CLASS_SET_DATA (klass, StillData, still_fields);
}

ORRERY_PLUGIN ("What is known of a message", "BSD-3-Clause",
               ORRERY_CLASS (Stamp, BenchStamp, bench_stamp),
               ORRERY_CLASS (Still, BenchStill, bench_still))
