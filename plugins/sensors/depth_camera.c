/* SPDX-License-Identifier: BSD-3-Clause */
/* Cameras that measure distances. */
#include "camera.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryBuffer *image;
  OrreryMat3 intrinsic_matrix;
  OrreryBuffer *points;
  gint64 nb_points;
} DepthCameraData;

static const OrreryField fields[] = {
  ORRERY_FIELD (DepthCameraData, image, "", "Nothing: this camera gives points"),
  ORRERY_FIELD (DepthCameraData, intrinsic_matrix, "px",
                "From optical axes to the picture: rows of focal length and middle"),
  ORRERY_FIELD (DepthCameraData, points, "m",
                "x to the right, y down, z forward of what each pixel sees"),
  ORRERY_FIELD (DepthCameraData, nb_points, "", "How many points there are"),
};

typedef struct {
  OrreryBuffer *image;
  OrreryMat3 intrinsic_matrix;
} DepthImageData;

static const OrreryField image_fields[] = {
  ORRERY_FIELD (DepthImageData, image, "m",
                "Distances along the axis; cam_far where nothing is seen"),
  ORRERY_FIELD (DepthImageData, intrinsic_matrix, "px",
                "From optical axes to the picture: rows of focal length and middle"),
};

static const OrreryField raw_fields[] = {
  ORRERY_FIELD (DepthImageData, image, "",
                "What OpenGL keeps of distances: 0 at cam_near, 1 at cam_far"),
  ORRERY_FIELD (DepthImageData, intrinsic_matrix, "px",
                "From optical axes to the picture: rows of focal length and middle"),
};

/*
 * Cameras that see distances: as points, as points while the camera turns about its vertical axis,
 * as a picture of distances, as OpenGL's own picture of them. A point lies on the ray through the
 * middle of its pixel.
 */
typedef struct {
  OrrerySensor parent_instance;
  Camera camera;
  char *keep_list; /* lines of the picture, from the bottom */
  gboolean keep_resolution;
  double rotation;
  gint64 n_turned;
  GArray *lines; /* (element-type guint): kept, from the top; or NULL: all */
  OrreryBuffer *distances;
  OrreryTransform start; /* in the parent's frame */
} OrreryDepthBase;
typedef struct {
  OrrerySensorClass parent_class;
} OrreryDepthBaseClass;

static GType orrery_depth_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryDepthBase, g_object_unref)
G_DEFINE_ABSTRACT_TYPE (OrreryDepthBase, orrery_depth_base, ORRERY_TYPE_SENSOR)

#define DEPTH(instance) ((OrreryDepthBase *) (gpointer) (instance))

static const CameraDefaults defaults = { .near = 1, .far = 20, .flip = FALSE, .depth = TRUE };

static const OrreryProperty lines[] = {
  ORRERY_PROPERTY_STRING (OrreryDepthBase, keep_list, "keep_list", "",
                          "Lines of the picture that are kept, from the bottom, as 1, 17, 34; "
                          "empty: all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryDepthBase, keep_resolution, "keep_resolution", FALSE,
                           "Whether a pixel that sees nothing gives the point 0, 0, 0"),
};

static const OrreryProperty turning[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryDepthBase, rotation, "rotation", -G_PI, G_PI, 0.01745,
                          "Turned to the right after each picture, rad"),
};

/* --- setup --- */

/* A list as Python writes it: "1, 17, 34" or "[1, 17, 34]". */
static gboolean
read_lines (OrreryDepthBase *self, GError **error)
{
  const char *at = self->keep_list != NULL ? self->keep_list : "";

  g_clear_pointer (&self->lines, g_array_unref);
  if (*at == '\0')
    return TRUE;
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint));
  while (*at != '\0') {
    char *end;
    guint64 line;
    guint from_top;

    at += strspn (at, " ,[]()");
    if (*at == '\0')
      break;
    line = g_ascii_strtoull (at, &end, 10);
    if (end == at || *at == '-' || line >= (guint64) self->camera.height)
      return orrery_set_error (
          error, ORRERY_ERROR_CONFIG,
          "keep_list has '%.20s': it lists lines of the picture, 0 to %d, from the bottom", at,
          self->camera.height - 1);
    from_top = (guint) self->camera.height - 1 - (guint) line;
    g_array_append_val (self->lines, from_top);
    at = end;
  }
  return TRUE;
}

static void
orrery_depth_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDepthBase *self = DEPTH (part);
  OrreryMat3 *matrix =
      orrery_record_find (orrery_setup_get_record (setup), "intrinsic_matrix", ORRERY_FIELD_MAT3);

  self->start = *orrery_object_get_start (orrery_setup_get_object (setup));
  if (read_lines (self, error) && camera_set_up (&self->camera, setup, error))
    camera_get_intrinsics (&self->camera, matrix);
}

/* --- distances --- */

static const float *
take_distances (OrreryDepthBase *self, OrreryTick *tick, OrreryBuffer **place, GError **error)
{
  const Camera *camera = &self->camera;
  const gsize shape[] = { (gsize) camera->height, (gsize) camera->width };
  OrreryPicture picture = { 0 };

  picture.depth = camera_get_buffer (place, ORRERY_ELEMENT_FLOAT, 2, shape, error);
  if (picture.depth == NULL || !camera_render (&self->camera, tick, &picture, error))
    return NULL;
  return orrery_buffer_get_data (picture.depth);
}

/* --- points --- */

static guint
get_n_lines (const OrreryDepthBase *self)
{
  return self->lines != NULL ? self->lines->len : (guint) self->camera.height;
}

static guint
get_line (const OrreryDepthBase *self, guint i)
{
  return self->lines != NULL ? g_array_index (self->lines, guint, i)
                             : (guint) self->camera.height - 1 - i;
}

static gsize
count_points (const OrreryDepthBase *self, const float *distances)
{
  gsize width = (gsize) self->camera.width;
  gsize n = 0;

  if (self->keep_resolution)
    return get_n_lines (self) * width;
  for (guint i = 0; i < get_n_lines (self); i++) {
    const float *line = distances + get_line (self, i) * width;

    for (gsize u = 0; u < width; u++)
      n += isfinite (line[u]) ? 1 : 0;
  }
  return n;
}

/* Lines in the order of the list, all of them from the bottom; each from left to right. A point is
 * given for the lower left corner of its pixel, as MORSE does. */
static void
fill_points (const OrreryDepthBase *self, const float *distances, float *out)
{
  const OrreryView *view = &self->camera.view;

  for (guint i = 0; i < get_n_lines (self); i++) {
    guint v = get_line (self, i);
    const float *line = distances + (gsize) v * view->width;
    double y = (v + 1 - view->center_y) / view->focal;

    for (guint u = 0; u < view->width; u++) {
      gboolean seen = isfinite (line[u]);
      double z = seen ? line[u] : 0;

      if (!seen && !self->keep_resolution)
        continue;
      *out++ = (float) (z * (u - view->center_x) / view->focal);
      *out++ = (float) (z * y);
      *out++ = (float) z;
    }
  }
}

static void
sense_points (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryDepthBase *self = DEPTH (sensor);
  DepthCameraData *out = orrery_record_data (record);
  const float *distances;
  gsize shape[2] = { 0, 3 };

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record)) {
    g_clear_pointer (&out->points, orrery_buffer_unref);
    out->nb_points = 0;
    return;
  }
  distances = take_distances (self, tick, &self->distances, error);
  if (distances == NULL)
    return;
  shape[0] = count_points (self, distances);
  if (camera_get_buffer (&out->points, ORRERY_ELEMENT_FLOAT, 2, shape, error) == NULL)
    return;
  fill_points (self, distances, orrery_buffer_get_data (out->points));
  out->nb_points = (gint64) shape[0];
  camera_end (&self->camera, sensor);
}

/* What a modifier has moved behind the camera, or farther than it sees, or has lost. */
static gboolean
is_lost (const OrreryDepthBase *self, const float *point)
{
  return !(point[2] > 0 && point[2] <= self->camera.far);
}

/* Lost points leave the cloud, or are 0, 0, 0. */
static gsize
drop_lost (const OrreryDepthBase *self, const float *from, float *to, gsize n)
{
  gsize kept = 0;

  for (gsize i = 0; i < n; i++) {
    gboolean lost = is_lost (self, from + 3 * i);

    if (lost && self->keep_resolution)
      memset (to + 3 * kept++, 0, 3 * sizeof *to);
    else if (!lost)
      memmove (to + 3 * kept++, from + 3 * i, 3 * sizeof *to);
  }
  return kept;
}

static void
follow_points (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  OrreryDepthBase *self = DEPTH (sensor);
  DepthCameraData *out = orrery_record_data (record);
  gsize n = out->points != NULL ? orrery_buffer_get_length (out->points, 0) : 0;
  gsize shape[2] = { n, 3 };
  OrreryBuffer *fewer;

  if (field->offset != offsetof (DepthCameraData, points) || n == 0 ||
      !orrery_buffer_is_writable (out->points))
    return;
  shape[0] = drop_lost (self, orrery_buffer_get_data (out->points),
                        orrery_buffer_get_data (out->points), n);
  out->nb_points = (gint64) shape[0];
  if (shape[0] == n)
    return;
  fewer = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 2, shape);
  if (fewer == NULL)
    return;
  memcpy (orrery_buffer_get_data (fewer), orrery_buffer_get_data (out->points),
          orrery_buffer_get_size (fewer));
  orrery_buffer_unref (out->points);
  out->points = fewer;
}

static void
limit_image (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  double far = DEPTH (sensor)->camera.far;

  if (field->offset == offsetof (DepthImageData, image))
    *limits = (OrreryFieldLimits){ 0, far, (float) far, FALSE };
}

static void
limit_raw (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  if (field->offset == offsetof (DepthImageData, image))
    *limits = (OrreryFieldLimits){ 0, 1, 1, FALSE };
}

static void
orrery_depth_base_class_init (OrreryDepthBaseClass *klass)
{
  camera_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryDepthBase, camera), &defaults);
  camera_class_add_rays (ORRERY_PART_CLASS (klass), offsetof (OrreryDepthBase, camera));
  ORRERY_PART_CLASS (klass)->setup = orrery_depth_base_setup;
  ORRERY_CLASS_OWNS (klass, OrreryDepthBase, lines, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryDepthBase, distances, orrery_buffer_unref);
}

static void
orrery_depth_base_init (OrreryDepthBase *self)
{
  camera_init (&self->camera, ORRERY_PART (self));
  self->camera.can_use_rays = TRUE;
}

/* --- DepthCamera --- */

typedef OrreryDepthBase OrreryDepthCamera;
ORRERY_DEFINE_CLASS (OrreryDepthCamera, orrery_depth_camera, OrreryDepthBase, orrery_depth_base)

static void
orrery_depth_camera_class_init (OrreryDepthCameraClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, lines);
  ORRERY_SENSOR_CLASS (klass)->sense = sense_points;
  ORRERY_SENSOR_CLASS (klass)->follow = follow_points;
  ORRERY_CLASS_SET_DATA (klass, DepthCameraData, fields);
}

/* --- DepthCameraRotationZ: after each picture it turns --- */

typedef OrreryDepthBase OrreryTurningDepthCamera;
ORRERY_DEFINE_CLASS (OrreryTurningDepthCamera, orrery_turning_depth_camera, OrreryDepthBase,
                     orrery_depth_base)

static void
turn (OrreryDepthBase *self, OrreryTick *tick)
{
  OrreryObject *object = orrery_component_get_object (ORRERY_COMPONENT (self));
  OrreryTransform pose = self->start;
  OrreryQuat by;

  /* About the axis that points down in a picture. From the start each time: errors do not add up.
   */
  self->n_turned++;
  orrery_quat_from_euler (0, 0, -fmod ((double) self->n_turned * self->rotation, 2 * G_PI), &by);
  orrery_quat_multiply (&pose.rotation, &by, &pose.rotation);
  orrery_commands_set_pose (orrery_tick_get_commands (tick), object, &pose);
}

static void
sense_turning (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  GError *local = NULL;

  sense_points (sensor, tick, record, &local);
  turn (DEPTH (sensor), tick);
  if (local != NULL)
    g_propagate_error (error, local);
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryTurningDepthCamera, n_turned),
};

static void
orrery_turning_depth_camera_class_init (OrreryTurningDepthCameraClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, lines);
  ORRERY_CLASS_SET_PROPERTIES (klass, turning);
  ORRERY_SENSOR_CLASS (klass)->sense = sense_turning;
  ORRERY_SENSOR_CLASS (klass)->follow = follow_points;
  ORRERY_CLASS_SET_DATA (klass, DepthCameraData, fields);
  ORRERY_CLASS_SET_STATE (klass, OrreryTurningDepthCamera, states);
}

/* --- DepthVideoCamera and RawImage: pictures of distances --- */

static float *
take_image (OrreryDepthBase *self, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  DepthImageData *out = orrery_record_data (record);

  if (!camera_begin (&self->camera, ORRERY_SENSOR (self), record, error))
    return NULL;
  if (!camera_is_wanted (&self->camera, ORRERY_SENSOR (self), record)) {
    g_clear_pointer (&out->image, orrery_buffer_unref);
    return NULL;
  }
  if (take_distances (self, tick, &out->image, error) == NULL)
    return NULL;
  if (!self->camera.flip)
    camera_flip_rows (out->image);
  camera_end (&self->camera, ORRERY_SENSOR (self));
  return orrery_buffer_get_data (out->image);
}

static gsize
count_pixels (const OrreryDepthBase *self)
{
  return (gsize) self->camera.width * (gsize) self->camera.height;
}

static void
sense_image (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryDepthBase *self = DEPTH (sensor);
  float *image = take_image (self, tick, record, error);

  for (gsize i = 0; image != NULL && i < count_pixels (self); i++)
    if (!isfinite (image[i]))
      image[i] = (float) self->camera.far;
}

typedef OrreryDepthBase OrreryDepthVideoCamera;
ORRERY_DEFINE_CLASS (OrreryDepthVideoCamera, orrery_depth_video_camera, OrreryDepthBase,
                     orrery_depth_base)

static void
orrery_depth_video_camera_class_init (OrreryDepthVideoCameraClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = sense_image;
  ORRERY_SENSOR_CLASS (klass)->limit = limit_image;
  ORRERY_CLASS_SET_DATA (klass, DepthImageData, image_fields);
}

static void
sense_raw (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryDepthBase *self = DEPTH (sensor);
  double near = self->camera.near;
  double scale = self->camera.far / (self->camera.far - near);
  float *image = take_image (self, tick, record, error);

  for (gsize i = 0; image != NULL && i < count_pixels (self); i++)
    image[i] = (float) fmin (scale * (1 - near / image[i]), 1);
}

typedef OrreryDepthBase OrreryRawImage;
ORRERY_DEFINE_CLASS (OrreryRawImage, orrery_raw_image, OrreryDepthBase, orrery_depth_base)

static void
orrery_raw_image_class_init (OrreryRawImageClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = sense_raw;
  ORRERY_SENSOR_CLASS (klass)->limit = limit_raw;
  ORRERY_CLASS_SET_DATA (klass, DepthImageData, raw_fields);
}

ORRERY_PLUGIN ("Cameras that see distances", "BSD-3-Clause",
               ORRERY_CLASS (DepthCamera, OrreryDepthCamera, orrery_depth_camera, .frequency = 20),
               ORRERY_CLASS (DepthCameraRotationZ, OrreryTurningDepthCamera,
                             orrery_turning_depth_camera, .frequency = 20),
               ORRERY_CLASS (DepthVideoCamera, OrreryDepthVideoCamera, orrery_depth_video_camera,
                             .frequency = 20),
               ORRERY_CLASS (RawImage, OrreryRawImage, orrery_raw_image, .frequency = 20))
