/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <string.h>

/* bench.frames: a sensor that fills frames of 1920x1080 pixels as fast as memory is. */

typedef struct {
  OrreryBuffer *image;
} FramesData;

static const OrreryField fields[] = {
  ORRERY_FIELD (FramesData, image, "", "Rows of red, green, blue"),
};

G_DECLARE_FINAL_TYPE (BenchFrames, bench_frames, BENCH, FRAMES, OrrerySensor)
struct _BenchFrames {
  OrrerySensor parent_instance;
};
ORRERY_DEFINE_FINAL_TYPE (BenchFrames, bench_frames, ORRERY_TYPE_SENSOR)

static void
bench_frames_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static const gsize shape[] = { 1080, 1920, 3 };
  FramesData *out = orrery_record_data (record);

  if (out->image == NULL || !orrery_buffer_is_writable (out->image)) {
    g_clear_pointer (&out->image, orrery_buffer_unref);
    out->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  }
  memset (orrery_buffer_get_data (out->image), (int) orrery_tick_get_number (tick),
          orrery_buffer_get_size (out->image));
}

static void
bench_frames_class_init (BenchFramesClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_frames_sense;
  ORRERY_CLASS_SET_DATA (klass, FramesData, fields);
}

ORRERY_PLUGIN ("Frames", "BSD-3-Clause", ORRERY_CLASS (Frames, BenchFrames, bench_frames))
