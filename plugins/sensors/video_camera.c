/* SPDX-License-Identifier: BSD-3-Clause */
/* A camera with colour pictures. */
#include "camera.h"

#include <math.h>

typedef struct {
  OrreryBuffer *image;
  OrreryMat3 intrinsic_matrix;
} VideoCameraData;

static const OrreryField fields[] = {
  ORRERY_FIELD (VideoCameraData, image, "", "Rows of red, green, blue, alpha, 0 to 255"),
  ORRERY_FIELD (VideoCameraData, intrinsic_matrix, "px",
                "From optical axes to the picture: rows of focal length and middle"),
};

/*
 * A colour camera. The picture of a step shows what all other sensors of that step see. In place of
 * colours it gives, with retrieve_depth, what OpenGL keeps of distances, as float32; with
 * retrieve_zbuffer the same as grey.
 */
typedef struct {
  OrrerySensor parent_instance;
  Camera camera;
  OrreryBuffer *distances; /* scratch */
} OrreryVideoCamera;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryVideoCamera, orrery_video_camera, OrrerySensor, orrery_sensor)

static const CameraDefaults defaults = { .near = 0.1, .far = 100, .flip = TRUE };

static void
orrery_video_camera_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryVideoCamera *self = (OrreryVideoCamera *) part;
  VideoCameraData *data = orrery_record_data (orrery_setup_get_record (setup));

  if (camera_set_up (&self->camera, setup, error))
    camera_get_intrinsics (&self->camera, &data->intrinsic_matrix);
}

/* Of a distance, what OpenGL's depth buffer has: 0 near by, 1 far away. */
static double
find_depth (const Camera *camera, double distance)
{
  return MIN (camera->far / (camera->far - camera->near) * (1 - camera->near / distance), 1);
}

static void
paint_depth (const Camera *camera, const float *distances, guint8 *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    guint8 grey = (guint8) (255 * find_depth (camera, distances[i]) + 0.5);

    pixels[4 * i] = pixels[4 * i + 1] = pixels[4 * i + 2] = grey;
    pixels[4 * i + 3] = 255;
  }
}

static gboolean
take (OrreryVideoCamera *self, OrreryTick *tick, VideoCameraData *out, GError **error)
{
  const Camera *camera = &self->camera;
  gsize shape[] = { (gsize) camera->height, (gsize) camera->width, 4 };
  gboolean distances = self->camera.depth && !self->camera.z_buffer;
  OrreryPicture picture = { 0 };

  if (camera_get_buffer (&out->image, distances ? ORRERY_ELEMENT_FLOAT : ORRERY_ELEMENT_UINT8,
                         distances ? 2 : 3, shape, error) == NULL)
    return FALSE;
  if (distances)
    picture.depth = out->image;
  else if (!self->camera.z_buffer)
    picture.color = out->image;
  else if (camera_get_buffer (&self->distances, ORRERY_ELEMENT_FLOAT, 2, shape, error) != NULL)
    picture.depth = self->distances;
  else
    return FALSE;
  if (!camera_render (&self->camera, tick, &picture, error))
    return FALSE;
  if (self->camera.z_buffer)
    paint_depth (camera, orrery_buffer_get_data (self->distances),
                 orrery_buffer_get_data (out->image), shape[0] * shape[1]);
  for (gsize i = 0; distances && i < shape[0] * shape[1]; i++) {
    float *value = (float *) orrery_buffer_get_data (out->image) + i;

    *value = (float) find_depth (camera, *value);
  }
  return TRUE;
}

static void
orrery_video_camera_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryVideoCamera *self = (OrreryVideoCamera *) sensor;
  VideoCameraData *out = orrery_record_data (record);

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record)) {
    g_clear_pointer (&out->image, orrery_buffer_unref);
    return;
  }
  if (!take (self, tick, out, error))
    return;
  if (!self->camera.flip)
    camera_flip_rows (out->image);
  camera_end (&self->camera, sensor);
}

static void
orrery_video_camera_limit (OrrerySensor *sensor, const OrreryField *field,
                           OrreryFieldLimits *limits)
{
  const Camera *camera = &((OrreryVideoCamera *) sensor)->camera;
  gboolean distances = camera->depth && !camera->z_buffer;

  if (field->offset == offsetof (VideoCameraData, image))
    *limits = distances ? (OrreryFieldLimits){ 0, 1, 1, FALSE }
                        : (OrreryFieldLimits){ 0, G_MAXUINT8, NAN, FALSE };
}

static void
orrery_video_camera_class_init (OrreryVideoCameraClass *klass)
{
  camera_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryVideoCamera, camera), &defaults);
  ORRERY_PART_CLASS (klass)->setup = orrery_video_camera_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_video_camera_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_video_camera_limit;
  ORRERY_CLASS_SET_DATA (klass, VideoCameraData, fields);
  ORRERY_CLASS_OWNS (klass, OrreryVideoCamera, distances, orrery_buffer_unref);
}

static void
orrery_video_camera_init (OrreryVideoCamera *self)
{
  camera_init (&self->camera, ORRERY_PART (self));
}

ORRERY_PLUGIN ("A colour camera", "BSD-3-Clause",
               ORRERY_CLASS (VideoCamera, OrreryVideoCamera, orrery_video_camera, .frequency = 20))
