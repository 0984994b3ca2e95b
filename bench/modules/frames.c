/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <string.h>

/* bench.frames: a sensor that fills frames of 1920x1080 pixels as fast as memory is, and one that
 * has a picture and distances of 640x480, with all values next to each other. */

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

/* --- pictures with something in them --- */

#define WIDTH 640
#define HEIGHT 480

typedef struct {
  OrreryBuffer *image;
  OrreryBuffer *depth;
} PicturesData;

static const OrreryField picture_fields[] = {
  ORRERY_FIELD (PicturesData, image, "", "Rows of red, green, blue, alpha"),
  ORRERY_FIELD (PicturesData, depth, "m", "Distances"),
};

typedef struct {
  OrrerySensor parent_instance;
} BenchPictures;
ORRERY_DEFINE_CLASS (BenchPictures, bench_pictures, OrrerySensor, orrery_sensor)

static gpointer
prepare (OrreryBuffer **place, OrreryElement element, guint n_dimensions, const gsize *shape)
{
  if (*place == NULL || !orrery_buffer_is_writable (*place)) {
    g_clear_pointer (place, orrery_buffer_unref);
    *place = orrery_buffer_new (element, n_dimensions, shape);
  }
  return orrery_buffer_get_data (*place);
}

static void
bench_pictures_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static const gsize shape[] = { HEIGHT, WIDTH, 4 };
  PicturesData *out = orrery_record_data (record);
  guint8 *image = prepare (&out->image, ORRERY_ELEMENT_UINT8, 3, shape);
  float *depth = prepare (&out->depth, ORRERY_ELEMENT_FLOAT, 2, shape);

  for (guint i = 0; i < 4 * WIDTH * HEIGHT; i++)
    image[i] = (guint8) (i * 167 >> 2);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    depth[i] = 1 + (float) (i % 19);
}

static void
bench_pictures_class_init (BenchPicturesClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_pictures_sense;
  ORRERY_CLASS_SET_DATA (klass, PicturesData, picture_fields);
}

ORRERY_PLUGIN ("Frames", "BSD-3-Clause", ORRERY_CLASS (Frames, BenchFrames, bench_frames),
               ORRERY_CLASS (Pictures, BenchPictures, bench_pictures))
