/* SPDX-License-Identifier: BSD-3-Clause */
/* Renders one picture of a drawing and reads its colours or depths. */
#include "frame.h"

#include "light.h"

#include <math.h>
#include <string.h>

#define GL_UNSIGNED_BYTE 0x1401
#define GL_FLOAT 0x1406
#define GL_DEPTH_COMPONENT 0x1902
#define GL_RGBA 0x1908
#define GL_NEAREST 0x2600
#define GL_COLOR_BUFFER_BIT 0x4000
#define GL_POLYGON_OFFSET_FILL 0x8037
#define GL_READ_FRAMEBUFFER 0x8ca8
#define GL_DRAW_FRAMEBUFFER 0x8ca9

#define SHADOW_SIZE 2048
/* m: how far around it a sun throws shadows */
#define SHADOW_REACH 20
/* What throws a shadow is moved away from the lamp, so that no surface shades itself: by its slope,
 * and by steps of the depth buffer. */
#define SHADOW_SLOPE 4
#define SHADOW_STEPS 16

/* --- building --- */

gboolean
frame_init (Frame *frame, OrreryWorld *world, const FrameCalls *calls, GError **error)
{
  *frame =
      (Frame){ .world = world, .n_objects = orrery_world_get_n_objects (world), .calls = *calls };
  mjv_defaultScene (&frame->scene);
  if (!drawing_build (&frame->drawing, world, error))
    return FALSE;
  mjv_makeScene (NULL, &frame->scene, (int) MAX (frame->drawing.pieces->len, 1));
  memset (frame->scene.flags, 0, sizeof frame->scene.flags);
  frame->scene.stereo = mjSTEREO_NONE;
  return TRUE;
}

gboolean
frame_has_all (const Frame *frame)
{
  return frame->n_objects == orrery_world_get_n_objects (frame->world);
}

void
frame_clear (Frame *frame)
{
  if (frame->scene.geoms != NULL)
    mjv_freeScene (&frame->scene);
  drawing_clear (&frame->drawing);
  g_clear_pointer (&frame->bytes, g_free);
  frame->n_bytes = 0;
}

void
frame_fill_model (const Frame *frame, mjModel *model)
{
  drawing_fill_model (&frame->drawing, model);
  model->vis.quality.shadowsize = frame->drawing.shadows ? SHADOW_SIZE : 0;
  model->vis.map.shadowclip = SHADOW_REACH;
  model->stat.extent = 1;
}

/* --- what is seen --- */

/* The four planes beside the view, through the camera; normals point inwards, in its frame. */
typedef struct {
  OrreryVec3 sides[4];
  double near;
  double far;
} Frustum;

static OrreryVec3
make_side (double forward, double left, double up)
{
  double length = hypot (hypot (forward, left), up);

  return (OrreryVec3){ forward / length, left / length, up / length };
}

static void
find_frustum (const OrreryView *view, Frustum *out)
{
  double f = view->focal;

  out->sides[0] = make_side (view->center_x, -f, 0);
  out->sides[1] = make_side (view->width - view->center_x, f, 0);
  out->sides[2] = make_side (view->center_y, 0, -f);
  out->sides[3] = make_side (view->height - view->center_y, 0, f);
  out->near = view->near;
  out->far = view->far;
}

static gboolean
is_seen (const Frustum *frustum, const OrreryVec3 *p, double radius)
{
  if (p->x < frustum->near - radius || p->x > frustum->far + radius)
    return FALSE;
  for (guint i = 0; i < 4; i++) {
    const OrreryVec3 *n = &frustum->sides[i];

    if (orrery_vec3_dot (n, p) < -radius)
      return FALSE;
  }
  return TRUE;
}

static void
place_geom (mjvGeom *geom, const OrreryVec3 *place, const OrreryMat3 *matrix,
            const OrreryVec3 *origin)
{
  geom->pos[0] = (float) (place->x - origin->x);
  geom->pos[1] = (float) (place->y - origin->y);
  geom->pos[2] = (float) (place->z - origin->z);
  for (guint i = 0; i < 9; i++)
    geom->mat[i] = (float) matrix->m[i];
}

/* Where a piece is, and how it is turned and, of an object that is scaled, stretched along the axes
 * of that object. OpenGL takes any matrix, and turns normals accordingly. */
static void
find_matrix (const Piece *piece, const OrreryTransform *at, const OrreryVec3 *scale,
             OrreryTransform *pose, OrreryMat3 *matrix)
{
  OrreryTransform offset = piece->offset;
  OrreryMat3 own, turn;

  if (scale != NULL)
    offset.position = orrery_vec3_multiply (&offset.position, scale);
  orrery_transform_multiply (at, &offset, pose);
  if (scale == NULL) {
    orrery_quat_to_matrix (&pose->rotation, matrix);
    return;
  }
  orrery_quat_to_matrix (&at->rotation, &turn);
  orrery_quat_to_matrix (&offset.rotation, &own);
  for (guint i = 0; i < 9; i++)
    matrix->m[i] = turn.m[i / 3 * 3] * scale->x * own.m[i % 3] +
                   turn.m[i / 3 * 3 + 1] * scale->y * own.m[3 + i % 3] +
                   turn.m[i / 3 * 3 + 2] * scale->z * own.m[6 + i % 3];
}

static double
get_most (const OrreryVec3 *scale)
{
  return scale != NULL ? fmax (scale->x, fmax (scale->y, scale->z)) : 1;
}

/* Whether the camera may see the inner side of a piece, because it is inside or the near plane cuts
 * it. */
static gboolean
sees_inside (const Piece *piece, float alpha, const OrreryTransform *pose, double scale,
             const OrreryView *view)
{
  OrreryTransform back;
  OrreryVec3 p, half = orrery_vec3_scale (&piece->half, scale);
  double room = 2 * view->near;

  if (!piece->closed || alpha < 1)
    return TRUE;
  orrery_transform_invert (pose, &back);
  orrery_transform_apply (&back, &view->pose.position, &p);
  return fabs (p.x) < half.x + room && fabs (p.y) < half.y + room && fabs (p.z) < half.z + room;
}

/* A material that the object was given takes the place of that of the piece; lines of the ground
 * stay where it has no texture. */
static void
give_material (mjvGeom *geom, const Frame *frame, const Piece *piece, OrreryObject *object)
{
  const DrawingMaterial *look;
  OrreryVec3 place;

  if (orrery_object_get_material (object) == NULL)
    return;
  orrery_world_get_quantity (frame->world, ORRERY_QUANTITY_MATERIAL, object, &place);
  look = &g_array_index (frame->drawing.materials, DrawingMaterial, (guint) place.x - 1);
  drawing_set_look (geom, look);
  if (look->texture >= 0 && piece->laid >= 0) {
    geom->type = mjGEOM_MESH;
    geom->dataid = piece->laid;
    geom->size[0] = geom->size[1] = geom->size[2] = 1;
  } else if (piece->has_grid) {
    geom->texid = piece->geom.texid;
    geom->texcoord = piece->geom.texcoord;
    geom->texuniform = piece->geom.texuniform;
    memcpy (geom->texrepeat, piece->geom.texrepeat, sizeof geom->texrepeat);
  } else {
    geom->texid = -1;
    geom->texcoord = 0;
  }
}

/* A colour that was changed takes the place of the material's; how much is seen through it stays.
 */
static void
paint_geom (mjvGeom *geom, OrreryObject *object)
{
  const OrreryVec3 *color = orrery_object_get_paint (object);

  if (color == NULL)
    return;
  geom->rgba[0] = (float) color->x;
  geom->rgba[1] = (float) color->y;
  geom->rgba[2] = (float) color->z;
}

static void
place_pieces (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view, gboolean in_colors,
              gboolean with_shadows)
{
  const GArray *pieces = frame->drawing.pieces;
  OrreryTransform back;
  Frustum frustum;
  gboolean inside = FALSE;
  int n = 0;

  orrery_transform_invert (&view->pose, &back);
  find_frustum (view, &frustum);
  for (guint i = 0; i < pieces->len; i++) {
    const Piece *piece = &g_array_index (pieces, Piece, i);
    OrreryObject *object = orrery_world_get_object (frame->world, piece->object);
    const OrreryTransform *at = orrery_snapshot_get_pose (snapshot, piece->object);
    const OrreryVec3 *scale = orrery_object_get_scale (object);
    OrreryTransform pose;
    OrreryMat3 matrix;
    OrreryVec3 center = piece->center;

    if (!orrery_object_is_visible (object))
      continue;
    if (scale != NULL)
      center = orrery_vec3_multiply (&center, scale);
    orrery_transform_apply (at, &center, &center);
    orrery_transform_apply (&back, &center, &center);
    /* A piece outside of the view may still throw a shadow. */
    if (!with_shadows && !is_seen (&frustum, &center, piece->radius * get_most (scale)))
      continue;
    find_matrix (piece, at, scale, &pose, &matrix);
    frame->scene.geoms[n] = piece->geom;
    if (in_colors) {
      give_material (&frame->scene.geoms[n], frame, piece, object);
      paint_geom (&frame->scene.geoms[n], object);
    }
    inside =
        inside || sees_inside (piece, frame->scene.geoms[n].rgba[3], &pose, get_most (scale), view);
    place_geom (&frame->scene.geoms[n++], &pose.position, &matrix, &view->pose.position);
  }
  frame->scene.ngeom = n;
  /* Surfaces have two sides. If only the outer ones can be seen, culling the others saves half of
   * the work. */
  frame->scene.flags[mjRND_CULL_FACE] = !inside;
}

static void
place_camera (Frame *frame, const OrreryView *view)
{
  double scale = view->near / view->focal;
  mjvGLCamera camera = {
    .frustum_center = (float) (scale * (view->width / 2.0 - view->center_x)),
    .frustum_top = (float) (scale * view->center_y),
    .frustum_bottom = (float) (scale * (view->center_y - view->height)),
    .frustum_near = (float) view->near,
    .frustum_far = (float) view->far,
  };
  OrreryMat3 matrix;

  orrery_quat_to_matrix (&view->pose.rotation, &matrix);
  for (guint i = 0; i < 3; i++) {
    camera.forward[i] = (float) matrix.m[3 * i];
    camera.up[i] = (float) matrix.m[3 * i + 2];
  }
  frame->scene.camera[0] = frame->scene.camera[1] = camera;
}

/* --- reading --- */

static guint8 *
get_scratch (Frame *frame, gsize n)
{
  if (frame->n_bytes < n) {
    g_free (frame->bytes);
    frame->bytes = g_malloc (n);
    frame->n_bytes = n;
  }
  return frame->bytes;
}

/* OpenGL's rows begin at the bottom. */
static void
flip_rows (gpointer data, guint height, gsize stride)
{
  guint8 *rows = data;
  g_autofree guint8 *kept = g_malloc (stride);

  for (guint i = 0; i < height / 2; i++) {
    guint8 *upper = rows + i * stride;
    guint8 *lower = rows + (height - 1 - i) * stride;

    memcpy (kept, upper, stride);
    memcpy (upper, lower, stride);
    memcpy (lower, kept, stride);
  }
}

/* A picture of several samples is resolved into a buffer of one, which is then the one to read. */
static void
resolve (Frame *frame, mjrRect rect)
{
  const FrameCalls *calls = &frame->calls;

  calls->bind_framebuffer (GL_READ_FRAMEBUFFER, frame->context.offFBO);
  calls->bind_framebuffer (GL_DRAW_FRAMEBUFFER, frame->context.offFBO_r);
  calls->blit_framebuffer (0, 0, rect.width, rect.height, 0, 0, rect.width, rect.height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
  calls->bind_framebuffer (GL_READ_FRAMEBUFFER, frame->context.offFBO_r);
}

static void
read_color (Frame *frame, mjrRect rect, OrreryBuffer *out)
{
  guint8 *pixels = orrery_buffer_get_data (out);
  gsize n = (gsize) rect.width * (gsize) rect.height;

  if (frame->context.offSamples > 0)
    resolve (frame, rect);
  frame->calls.read_pixels (0, 0, rect.width, rect.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  if (frame->context.offSamples > 0)
    mjr_setBuffer (mjFB_OFFSCREEN, &frame->context);
  for (gsize i = 0; i < n; i++)
    pixels[4 * i + 3] = 255;
  flip_rows (pixels, (guint) rect.height, 4 * (gsize) rect.width);
}

/* Of the depth d that is kept, z = near far / (far - d (far - near)) is left (OpenGL 2.1
 * specification, 2.11). */
static void
read_depth (Frame *frame, mjrRect rect, const OrreryView *view, OrreryBuffer *out)
{
  float *values = orrery_buffer_get_data (out);
  gsize n = (gsize) rect.width * (gsize) rect.height;
  double product = view->near * view->far;
  double range = view->far - view->near;

  frame->calls.read_pixels (0, 0, rect.width, rect.height, GL_DEPTH_COMPONENT, GL_FLOAT, values);
  for (gsize i = 0; i < n; i++)
    values[i] = values[i] < 1 ? (float) (product / (view->far - values[i] * range)) : INFINITY;
  flip_rows (values, (guint) rect.height, 4 * (gsize) rect.width);
}

static void
read_objects (Frame *frame, mjrRect rect, OrreryBuffer *out)
{
  gint32 *values = orrery_buffer_get_data (out);
  gsize n = (gsize) rect.width * (gsize) rect.height;
  const guint8 *rgb = get_scratch (frame, 3 * n);

  mjr_readPixels (frame->bytes, NULL, rect, &frame->context);
  for (gsize i = 0; i < n; i++)
    values[i] = (rgb[3 * i] | rgb[3 * i + 1] << 8 | rgb[3 * i + 2] << 16) - 1;
  flip_rows (values, (guint) rect.height, 4 * (gsize) rect.width);
}

/* --- the whole --- */

static void
place (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view, gboolean in_colors,
       gboolean with_shadows)
{
  place_pieces (frame, snapshot, view, in_colors, with_shadows);
  place_camera (frame, view);
  light_place (&frame->drawing, frame->world, snapshot, view, &frame->scene);
}

void
frame_draw_color (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view,
                  OrreryBuffer *color)
{
  mjrRect rect = { 0, 0, (int) view->width, (int) view->height };
  gboolean shadows = frame->drawing.shadows;
  mjvScene *scene = &frame->scene;

  place (frame, snapshot, view, TRUE, shadows);
  scene->flags[mjRND_SHADOW] = shadows;
  scene->flags[mjRND_SKYBOX] = 1;
  if (shadows) {
    frame->calls.enable (GL_POLYGON_OFFSET_FILL);
    frame->calls.polygon_offset (SHADOW_SLOPE, SHADOW_STEPS);
  }
  mjr_render (rect, scene, &frame->context);
  if (shadows)
    frame->calls.disable (GL_POLYGON_OFFSET_FILL);
  read_color (frame, rect, color);
}

void
frame_draw_data (Frame *frame, OrrerySnapshot *snapshot, const OrreryView *view,
                 const OrreryPicture *picture)
{
  mjrRect rect = { 0, 0, (int) view->width, (int) view->height };
  mjvScene *scene = &frame->scene;

  place (frame, snapshot, view, FALSE, FALSE);
  scene->flags[mjRND_SHADOW] = scene->flags[mjRND_SKYBOX] = 0;
  scene->flags[mjRND_SEGMENT] = scene->flags[mjRND_IDCOLOR] = 1;
  /* For rays a translucent surface is one as any other, too. */
  for (int i = 0; i < scene->ngeom; i++) {
    scene->geoms[i].rgba[3] = 1;
    scene->geoms[i].texid = -1;
  }
  mjr_render (rect, scene, &frame->context);
  scene->flags[mjRND_SEGMENT] = scene->flags[mjRND_IDCOLOR] = 0;
  if (picture->depth != NULL)
    read_depth (frame, rect, view, picture->depth);
  if (picture->objects != NULL)
    read_objects (frame, rect, picture->objects);
}
