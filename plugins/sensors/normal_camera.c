/* SPDX-License-Identifier: BSD-3-Clause */
/* A camera that sees which way surfaces face. */
#include "camera.h"

#include <math.h>
#include <string.h>

/* Slopes and their changes need a pixel and both neighbours. */
#define LEAST_SIZE 3
#define EDGE 255

typedef struct {
  OrreryBuffer *normals;
  OrreryBuffer *edges;
  OrreryMat3 intrinsic_matrix;
} NormalCameraData;

static const OrreryField fields[] = {
  ORRERY_FIELD (NormalCameraData, normals, "",
                "Rows of unit normals in optical axes, towards the camera; 0, 0, 0: none"),
  ORRERY_FIELD (NormalCameraData, edges, "", "Rows of 255 at an edge, else 0"),
  ORRERY_FIELD (NormalCameraData, intrinsic_matrix, "px",
                "From optical axes to the picture: rows of focal length and middle"),
};

/*
 * A camera that sees which way surfaces face: the normals are computed from a picture of distances.
 * A pixel that sees nothing has none, and none has one at an edge, where the distance jumps or the
 * surface bends sharply, because its neighbours see other surfaces.
 */
typedef struct {
  OrrerySensor parent_instance;
  Camera camera;
  double edge_slope;
  OrreryBuffer *distances; /* scratch */
  double *nearness;        /* scratch: 1/m, of each pixel */
} OrreryNormalCamera;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryNormalCamera, orrery_normal_camera, OrrerySensor,
                               orrery_sensor)

static const CameraDefaults defaults = { .near = 0.1, .far = 100, .flip = TRUE };

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (
      OrreryNormalCamera, edge_slope, "edge_slope", 1e-3, 1e6, 0.5,
      "An edge is where the distance jumps by a share of itself above this, divided by "
      "the focal length in px, or a surface bends as sharply"),
};

static void
orrery_normal_camera_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNormalCamera *self = (OrreryNormalCamera *) part;
  NormalCameraData *data = orrery_record_data (orrery_setup_get_record (setup));

  if (self->camera.width < LEAST_SIZE || self->camera.height < LEAST_SIZE) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the picture has %d x %d pixels; normals need 3 x 3", self->camera.width,
                      self->camera.height);
    return;
  }
  if (!camera_set_up (&self->camera, setup, error))
    return;
  g_free (self->nearness);
  self->nearness = g_new (double, (gsize) self->camera.width *(gsize) self->camera.height);
  camera_get_intrinsics (&self->camera, &data->intrinsic_matrix);
}

/* --- normals --- */

/* Along a row or a column: how much nearer it gets from pixel to pixel, and whether that changes.
 */
typedef struct {
  double slope;
  double bend;
} Course;

/* @at: of @n pixels, @stride apart */
static Course
follow (const double *first, guint at, guint n, gsize stride)
{
  guint middle = CLAMP (at, 1, n - 2);
  double before = first[(middle - 1) * stride], here = first[middle * stride],
         after = first[(middle + 1) * stride];
  double bend = before - 2 * here + after;

  /* At the borders of the picture, that of the parabola through all three. */
  return (Course){ (after - before) / 2 + ((double) at - middle) * bend, fabs (bend) };
}

/*
 * Points P of a plane n P = d are seen at z (x, y, 1), so that 1/z = n (x, y, 1) / d: of a plane,
 * the inverse of the distance is linear in the picture. Its slopes and its value are n/d.
 */
static void
compute (const OrreryView *view, const double *nearness, guint u, guint v, float *normal,
         guint8 *edge, double edge_slope)
{
  double here = nearness[(gsize) v * view->width + u];
  Course row = follow (nearness + (gsize) v * view->width, u, view->width, 1);
  Course column = follow (nearness + u, v, view->height, view->width);
  OrreryVec3 n = { .x = row.slope * view->focal, .y = column.slope * view->focal };
  double length;

  normal[0] = normal[1] = normal[2] = 0;
  *edge = 0;
  if (here == 0)
    return;
  if (fmax (row.bend, column.bend) * view->focal > edge_slope * here) {
    *edge = EDGE;
    return;
  }
  n.z = here - n.x * (u + 0.5 - view->center_x) / view->focal -
        n.y * (v + 0.5 - view->center_y) / view->focal;
  length = orrery_vec3_length (&n);
  normal[0] = (float) (-n.x / length);
  normal[1] = (float) (-n.y / length);
  normal[2] = (float) (-n.z / length);
}

static void
compute_all (OrreryNormalCamera *self, float *normals, guint8 *edges)
{
  const OrreryView *view = &self->camera.view;
  const float *distances = orrery_buffer_get_data (self->distances);
  gsize n = (gsize) view->width * view->height;

  /* What is infinitely far away, as nothing is, has 0. */
  for (gsize i = 0; i < n; i++)
    self->nearness[i] = 1 / (double) distances[i];
  for (guint v = 0; v < view->height; v++)
    for (guint u = 0; u < view->width; u++, normals += 3, edges++)
      compute (view, self->nearness, u, v, normals, edges, self->edge_slope);
}

static gboolean
take (OrreryNormalCamera *self, OrreryTick *tick, NormalCameraData *out, GError **error)
{
  const gsize shape[] = { (gsize) self->camera.height, (gsize) self->camera.width, 3 };
  OrreryPicture picture = { 0 };

  picture.depth = camera_get_buffer (&self->distances, ORRERY_ELEMENT_FLOAT, 2, shape, error);
  if (picture.depth == NULL ||
      camera_get_buffer (&out->normals, ORRERY_ELEMENT_FLOAT, 3, shape, error) == NULL ||
      camera_get_buffer (&out->edges, ORRERY_ELEMENT_UINT8, 2, shape, error) == NULL ||
      !camera_render (&self->camera, tick, &picture, error))
    return FALSE;
  compute_all (self, orrery_buffer_get_data (out->normals), orrery_buffer_get_data (out->edges));
  if (!self->camera.flip) {
    camera_flip_rows (out->normals);
    camera_flip_rows (out->edges);
  }
  return TRUE;
}

static void
orrery_normal_camera_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  OrreryNormalCamera *self = (OrreryNormalCamera *) sensor;
  NormalCameraData *out = orrery_record_data (record);

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record)) {
    g_clear_pointer (&out->normals, orrery_buffer_unref);
    g_clear_pointer (&out->edges, orrery_buffer_unref);
    return;
  }
  if (take (self, tick, out, error))
    camera_end (&self->camera, sensor);
}

static void
orrery_normal_camera_limit (OrrerySensor *sensor, const OrreryField *field,
                            OrreryFieldLimits *limits)
{
  if (field->offset == offsetof (NormalCameraData, normals))
    *limits = (OrreryFieldLimits){ -1, 1, NAN, FALSE };
  else if (field->offset == offsetof (NormalCameraData, edges))
    *limits = (OrreryFieldLimits){ 0, EDGE, NAN, FALSE };
}

static void
orrery_normal_camera_class_init (OrreryNormalCameraClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  camera_class_init (part_class, offsetof (OrreryNormalCamera, camera), &defaults);
  camera_class_add_rays (part_class, offsetof (OrreryNormalCamera, camera));
  part_class->setup = orrery_normal_camera_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_normal_camera_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_normal_camera_limit;
  ORRERY_CLASS_SET_DATA (klass, NormalCameraData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryNormalCamera, distances, orrery_buffer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryNormalCamera, nearness, g_free);
}

static void
orrery_normal_camera_init (OrreryNormalCamera *self)
{
  camera_init (&self->camera, ORRERY_PART (self));
  self->camera.can_use_rays = TRUE;
}

ORRERY_PLUGIN ("A camera that sees which way surfaces face", "BSD-3-Clause",
               ORRERY_CLASS (NormalCamera, OrreryNormalCamera, orrery_normal_camera,
                             .frequency = 20))
