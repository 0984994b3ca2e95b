/* SPDX-License-Identifier: BSD-3-Clause */
/* What all cameras share: properties, lens, the service capture, rendering. */
#include "camera.h"

#include <math.h>
#include <string.h>

#define KEY "orrery-camera"
/* mm: the width of the picture in the camera, as Blender has it. */
#define SENSOR_WIDTH 32.0
#define DEFAULT_SIZE 256
/* No file and no machine has use for more than this far away. */
#define MAX_DISTANCE 1e6

const OrreryQuat camera_optical_axes = { .w = 0.5, .x = -0.5, .y = 0.5, .z = -0.5 };

void
camera_init (Camera *camera, OrreryPart *part)
{
  camera->n_left = -1;
  g_object_set_data (G_OBJECT (part), KEY, camera);
  orrery_component_set_axes (ORRERY_COMPONENT (part), &camera_optical_axes);
}

static void
clear (gpointer data)
{
  Camera *camera = data;

  g_clear_pointer (&camera->line, g_free);
  g_clear_pointer (&camera->hits, g_free);
  g_clear_error (&camera->no_renderer);
}

/* --- services --- */

static Camera *
get_camera (OrreryPart *part)
{
  return g_object_get_data (G_OBJECT (part), KEY);
}

static void
capture (OrreryPart *part, OrreryCall *call, GError **error)
{
  Camera *camera = get_camera (part);

  camera->n_left = orrery_call_get_int (call, 0);
  if (camera->n_left == 0)
    orrery_call_return (call, NULL);
}

static const OrreryService services[] = {
  { "capture", capture, ORRERY_SERVICE_LONG, "n:x",
    "Takes n pictures, then none any more; below 0: takes pictures until further notice" },
};

static void
cancel (OrreryPart *part, OrreryCall *call)
{
  get_camera (part)->n_left = 0;
}

static void
add_properties (OrreryPartClass *klass, gssize place, const CameraDefaults *defaults)
{
  const OrreryProperty properties[] = {
    ORRERY_PROPERTY_INT (Camera, width, "cam_width", 1, ORRERY_VIEW_MAX_SIZE, DEFAULT_SIZE,
                         "Width of the picture, px", .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_INT (Camera, height, "cam_height", 1, ORRERY_VIEW_MAX_SIZE, DEFAULT_SIZE,
                         "Height of the picture, px", .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_DOUBLE (Camera, focal, "cam_focal", 0.1, 1e5, 25,
                            "Focal length of the lens, mm, for a picture 32 mm wide",
                            .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_DOUBLE (Camera, fov, "cam_fov", 0, 179, 0,
                            "Angle that the width of the picture covers, degrees, in place of "
                            "cam_focal; 0: as cam_focal has it",
                            .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_DOUBLE (Camera, near, "cam_near", 1e-4, MAX_DISTANCE, defaults->near,
                            "What is nearer is not seen, m", .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_DOUBLE (Camera, far, "cam_far", 1e-3, MAX_DISTANCE, defaults->far,
                            "What is farther is not seen, m", .flags = ORRERY_PROPERTY_AT_START),
    ORRERY_PROPERTY_BOOLEAN (Camera, flip, "Vertical_Flip", defaults->flip,
                             "Whether rows begin at the top; else at the bottom"),
    ORRERY_PROPERTY_BOOLEAN (Camera, capturing, "capturing", TRUE, "Whether pictures are taken"),
    ORRERY_PROPERTY_BOOLEAN (
        Camera, depth, "retrieve_depth", defaults->depth,
        "Whether an image holds the depth buffer as numbers: 0 at cam_near, 1 at "
        "cam_far"),
    ORRERY_PROPERTY_BOOLEAN (Camera, z_buffer, "retrieve_zbuffer", FALSE,
                             "Whether an image is the depth buffer, as grey"),
    ORRERY_PROPERTY_BOOLEAN (Camera, required, "required", FALSE,
                             "Whether the scene is refused where nothing can draw; else the "
                             "camera gives no pictures there",
                             .flags = ORRERY_PROPERTY_AT_START),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
}

void
camera_class_init (OrreryPartClass *klass, gssize place, const CameraDefaults *defaults)
{
  static const OrreryField states[] = { ORRERY_STATE (Camera, n_left) };

  add_properties (klass, place, defaults);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  klass->cancel = cancel;
  orrery_part_class_add_state (klass, states, G_N_ELEMENTS (states), sizeof (Camera), place);
  orrery_part_class_add_owned (klass, (gsize) place, clear, TRUE);
}

void
camera_class_add_rays (OrreryPartClass *klass, gssize place)
{
  static const OrreryProperty properties[] = {
    ORRERY_PROPERTY_BOOLEAN (Camera, with_rays, "with_rays", FALSE,
                             "Whether distances are found by rays in place of pictures, as they "
                             "are where nothing can draw",
                             .flags = ORRERY_PROPERTY_AT_START),
  };

  orrery_part_class_add_properties (klass, properties, G_N_ELEMENTS (properties), place);
}

/* --- setup --- */

static double
get_focal (const Camera *camera)
{
  if (camera->fov > 0)
    return camera->width / 2.0 / tan (camera->fov * G_PI / 360);
  return camera->width * camera->focal / SENSOR_WIDTH;
}

static gboolean
set_up_rays (Camera *camera, OrrerySetup *setup, GError **error)
{
  camera->rays = orrery_setup_get_rays (setup, error);
  g_free (camera->line);
  g_free (camera->hits);
  camera->line = g_new (OrreryRay, camera->width);
  camera->hits = g_new (OrreryHit, camera->width);
  return camera->rays != NULL;
}

gboolean
camera_set_up (Camera *camera, OrrerySetup *setup, GError **error)
{
  if (camera->far <= camera->near)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "cam_far is %g m, not beyond cam_near, %g m", camera->far,
                             camera->near);
  orrery_view_init (&camera->view, (guint) camera->width, (guint) camera->height,
                    get_focal (camera));
  camera->view.near = camera->near;
  camera->view.far = camera->far;
  orrery_setup_set_on_demand (setup);
  g_clear_error (&camera->no_renderer);
  camera->renderer = NULL;
  if (!camera->with_rays)
    camera->renderer = orrery_setup_get_renderer (setup, &camera->no_renderer);
  if (camera->renderer == NULL && camera->can_use_rays)
    return set_up_rays (camera, setup, error);
  if (camera->renderer != NULL || !camera->required)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&camera->no_renderer));
  return FALSE;
}

void
camera_get_intrinsics (const Camera *camera, OrreryMat3 *out)
{
  const OrreryView *view = &camera->view;

  *out =
      (OrreryMat3){ { view->focal, 0, view->center_x, 0, view->focal, view->center_y, 0, 0, 1 } };
}

/* --- pictures --- */

gboolean
camera_begin (Camera *camera, OrrerySensor *sensor, OrreryRecord *record, GError **error)
{
  if (!camera->capturing || camera->n_left == 0) {
    orrery_record_hold (record);
    return FALSE;
  }
  if (camera->renderer == NULL && camera->rays == NULL)
    return orrery_set_error (error, camera->no_renderer->code, "no pictures: %s",
                             camera->no_renderer->message);
  camera->view.pose = *orrery_component_get_pose (ORRERY_COMPONENT (sensor));
  return TRUE;
}

gboolean
camera_is_wanted (Camera *camera, OrrerySensor *sensor, OrreryRecord *record)
{
  if (camera->n_left > 0 || orrery_component_is_wanted (ORRERY_COMPONENT (sensor)))
    return TRUE;
  orrery_record_hold (record);
  return FALSE;
}

/* One ray through the middle of each pixel of a line; its length along the axis is 1. */
static void
aim (Camera *camera, guint v)
{
  const OrreryView *view = &camera->view;

  for (guint u = 0; u < view->width; u++) {
    OrreryRay *ray = &camera->line[u];
    OrreryVec3 d = { 1, (view->center_x - u - 0.5) / view->focal,
                     (view->center_y - v - 0.5) / view->focal };
    double length = orrery_vec3_length (&d);

    orrery_quat_rotate (&view->pose.rotation, &d, &ray->direction);
    ray->origin = view->pose.position;
    ray->near = view->near * length;
    ray->far = view->far * length;
  }
}

static gboolean
cast_line (Camera *camera, OrreryTick *tick, guint v, const OrreryPicture *picture, GError **error)
{
  const OrreryView *view = &camera->view;
  OrreryRays rays = { camera->line, view->width, ORRERY_SIGHT_SEEN, ORRERY_RAYS_SKIP_NOTHING };
  gsize first = (gsize) v * view->width;

  aim (camera, v);
  if (!orrery_raycaster_cast (camera->rays, orrery_tick_get_snapshot (tick), &rays, camera->hits,
                              error))
    return FALSE;
  for (guint u = 0; u < view->width; u++) {
    const OrreryHit *hit = &camera->hits[u];
    double length = orrery_vec3_length (&camera->line[u].direction);

    if (picture->depth != NULL)
      ((float *) orrery_buffer_get_data (picture->depth))[first + u] =
          (float) (hit->distance / length);
    if (picture->objects != NULL)
      ((gint32 *) orrery_buffer_get_data (picture->objects))[first + u] =
          hit->object != G_MAXUINT ? (gint32) hit->object : -1;
  }
  return TRUE;
}

static gboolean
cast_all (Camera *camera, OrreryTick *tick, const OrreryPicture *picture, GError **error)
{
  for (guint v = 0; v < camera->view.height; v++)
    if (!cast_line (camera, tick, v, picture, error))
      return FALSE;
  return TRUE;
}

gboolean
camera_render (Camera *camera, OrreryTick *tick, const OrreryPicture *picture, GError **error)
{
  if (camera->rays != NULL)
    return cast_all (camera, tick, picture, error);
  return orrery_renderer_render (camera->renderer, orrery_tick_get_snapshot (tick), &camera->view,
                                 picture, error);
}

void
camera_end (Camera *camera, OrrerySensor *sensor)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (sensor));

  if (camera->n_left > 0 && --camera->n_left == 0 && call != NULL)
    orrery_call_return (call, NULL);
}

/* --- buffers --- */

static gboolean
has_shape (OrreryBuffer *buffer, OrreryElement element, guint n_dimensions, const gsize *shape)
{
  if (orrery_buffer_get_element (buffer) != element ||
      orrery_buffer_get_n_dimensions (buffer) != n_dimensions)
    return FALSE;
  for (guint i = 0; i < n_dimensions; i++)
    if (orrery_buffer_get_length (buffer, i) != shape[i])
      return FALSE;
  return TRUE;
}

OrreryBuffer *
camera_get_buffer (OrreryBuffer **place, OrreryElement element, guint n_dimensions,
                   const gsize *shape, GError **error)
{
  if (*place != NULL && orrery_buffer_is_writable (*place) &&
      has_shape (*place, element, n_dimensions, shape))
    return *place;
  g_clear_pointer (place, orrery_buffer_unref);
  *place = orrery_buffer_new (element, n_dimensions, shape);
  if (*place == NULL)
    orrery_set_error (error, ORRERY_ERROR_IO, "no memory for a picture");
  return *place;
}

static void
swap_bytes (guint8 *a, guint8 *b, gsize n)
{
  guint8 kept[1024];

  for (gsize at = 0; at < n; at += sizeof kept) {
    gsize size = MIN (sizeof kept, n - at);

    memcpy (kept, a + at, size);
    memcpy (a + at, b + at, size);
    memcpy (b + at, kept, size);
  }
}

void
camera_flip_rows (OrreryBuffer *buffer)
{
  gsize height = orrery_buffer_get_length (buffer, 0);
  gsize stride = height > 0 ? orrery_buffer_get_size (buffer) / height : 0;
  guint8 *rows = orrery_buffer_get_data (buffer);

  for (gsize i = 0; i < height / 2; i++)
    swap_bytes (rows + i * stride, rows + (height - 1 - i) * stride, stride);
}
