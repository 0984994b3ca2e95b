/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sensor that is too slow for a tick: it fills frames of 1920x1080 pixels, and takes its time for
 * each. camera.json has it run free of the tick, in a worker.
 */
#include <orrery.h>

#include <math.h>
#include <time.h>

#define WIDTH 1920
#define HEIGHT 1080

typedef struct {
  OrreryBuffer *image;
  gint64 frame;
} LensData;

static const OrreryField fields[] = {
  ORRERY_FIELD (LensData, image, "", "Rows of red, green, blue"),
  ORRERY_FIELD (LensData, frame, "", "How many there were, with this one"),
};

typedef struct {
  OrrerySensor parent_instance;
  double exposure;
  gint64 n_frames;
} ExamplesLens;
ORRERY_DEFINE_CLASS (ExamplesLens, examples_lens, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (ExamplesLens, exposure, "exposure", 0, 10, 0.04,
                          "What a frame takes beside painting, s"),
};

static const OrreryField states[] = { ORRERY_STATE (ExamplesLens, n_frames) };

static void
expose (double seconds)
{
  struct timespec time = { .tv_sec = (time_t) seconds };

  time.tv_nsec = (long) ((seconds - floor (seconds)) * 1e9);
  nanosleep (&time, NULL);
}

/* A horizon that turns with the robot: something that every pixel is computed for. */
static void
paint (guint8 *pixel, double yaw)
{
  for (guint row = 0; row < HEIGHT; row++)
    for (guint column = 0; column < WIDTH; column++, pixel += 3) {
      pixel[0] = (guint8) (row * 255 / HEIGHT);
      pixel[1] = (guint8) (column + (guint) (yaw * 300 + 1000));
      pixel[2] = 128;
    }
}

static void
examples_lens_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static const gsize shape[] = { HEIGHT, WIDTH, 3 };
  ExamplesLens *self = (ExamplesLens *) sensor;
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  LensData *out = orrery_record_data (record);
  double roll, pitch, yaw;

  /* Whoever still looks at the last frame keeps it. */
  if (out->image == NULL || !orrery_buffer_is_writable (out->image)) {
    g_clear_pointer (&out->image, orrery_buffer_unref);
    out->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  }
  if (out->image == NULL) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "no memory for a frame");
    return;
  }
  orrery_quat_to_euler (&pose->rotation, &roll, &pitch, &yaw);
  expose (self->exposure);
  paint (orrery_buffer_get_data (out->image), yaw);
  out->frame = ++self->n_frames;
}

static void
examples_lens_class_init (ExamplesLensClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = examples_lens_sense;
  ORRERY_CLASS_SET_STATE (klass, ExamplesLens, states);
  ORRERY_CLASS_SET_DATA (klass, LensData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("A camera that is too slow for a tick", "BSD-3-Clause",
               ORRERY_CLASS (Lens, ExamplesLens, examples_lens))
