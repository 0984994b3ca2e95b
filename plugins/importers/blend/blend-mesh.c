/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the mesh of a Blender object as triangles. */
#include "blend-mesh.h"

#include <math.h>
#include <string.h>

/* Flags of MirrorModifierData. */
#define MIRROR_AXIS_X (1 << 3)
/* Of one mesh. */
#define MAX_IMAGES 64
/* ModifierData.mode */
#define MODIFIER_SHOWN (1 << 0)

/* What a face of the file looks like: material, picture + 1. */
typedef struct {
  guint32 slot;
  guint32 image;
} Face;

/* One corner of it: a point, and where that lies in the picture. */
typedef struct {
  guint32 point;
  float at[2];
} Corner;

static void
add_triangle (BlendMesh *mesh, const Face *face, const Corner *a, const Corner *b, const Corner *c)
{
  const Corner *corners[3] = { a, b, c };

  for (guint i = 0; i < 3; i++)
    if (corners[i]->point >= mesh->points->len)
      return;
  for (guint i = 0; i < 3; i++) {
    g_array_append_val (mesh->triangles, corners[i]->point);
    g_array_append_vals (mesh->coordinates, corners[i]->at, 2);
  }
  g_array_append_val (mesh->slots, face->slot);
  g_array_append_val (mesh->faces, face->image);
}

static void
read_place (const BlendStruct *s, guint first, float at[2])
{
  for (guint i = 0; i < 2; i++) {
    double value = blend_struct_get_number (s, "uv", first + i);

    at[i] = fabs (value) < 1e6 ? (float) value : 0;
  }
}

/* Beyond the limit nothing more is read, because the mesh will be refused. */
static gboolean
is_full (const BlendMesh *mesh)
{
  return mesh->triangles->len / 3 > mesh->limit || mesh->points->len / 2 > mesh->limit;
}

/* Each picture once. */
static guint32
find_image (BlendMesh *mesh, const BlendStruct *face)
{
  BlendStruct image;

  if (!blend_struct_follow (face, "tpage", &image))
    return 0;
  for (guint i = 0; i < mesh->images->len; i++)
    if (blend_struct_get_key (&g_array_index (mesh->images, BlendStruct, i)) ==
        blend_struct_get_key (&image))
      return i + 1;
  if (mesh->images->len >= MAX_IMAGES)
    return 0;
  g_array_append_val (mesh->images, image);
  return mesh->images->len;
}

static guint32
get_slot (const BlendStruct *face)
{
  gint64 slot = blend_struct_get_int (face, "mat_nr");

  return slot > 0 && slot < G_MAXINT16 ? (guint32) slot : 0;
}

static guint
get_count (const BlendStruct *s, const char *field)
{
  gint64 n = blend_struct_get_int (s, field);

  return n > 0 && n <= G_MAXINT32 ? (guint) n : 0;
}

static void
read_points (BlendMesh *mesh, const BlendStruct *data)
{
  guint n = get_count (data, "totvert");
  BlendArray vertices;

  if (n == 0 || !blend_struct_follow_array (data, "mvert", n, &vertices))
    return;
  for (guint i = 0; i < n && !is_full (mesh); i++) {
    BlendStruct vertex = blend_array_get (&vertices, i);
    OrreryVec3 p = { blend_struct_get_number (&vertex, "co", 0),
                     blend_struct_get_number (&vertex, "co", 1),
                     blend_struct_get_number (&vertex, "co", 2) };

    /* A point that is not finite moves to the origin, so that it cannot affect other points. */
    if (!orrery_vec3_is_finite (&p))
      p = (OrreryVec3){ 0 };
    g_array_append_val (mesh->points, p);
  }
}

/* Polygons of Blender 2.63 and later, as fans. */
static gboolean
read_polygons (BlendMesh *mesh, const BlendStruct *data)
{
  guint n = get_count (data, "totpoly");
  guint n_loops = get_count (data, "totloop");
  guint64 n_taken = 0;
  BlendArray polygons;
  BlendArray loops;
  BlendArray places;
  BlendArray looks;
  gboolean has_places = blend_struct_follow_array (data, "mloopuv", n_loops, &places);
  gboolean has_looks = blend_struct_follow_array (data, "mtpoly", n, &looks);

  mesh->has_coordinates = has_places;
  if (n == 0 || n_loops == 0 || !blend_struct_follow_array (data, "mpoly", n, &polygons) ||
      !blend_struct_follow_array (data, "mloop", n_loops, &loops))
    return FALSE;
  for (guint i = 0; i < n && !is_full (mesh); i++) {
    BlendStruct polygon = blend_array_get (&polygons, i);
    gint64 first = blend_struct_get_int (&polygon, "loopstart");
    gint64 count = blend_struct_get_int (&polygon, "totloop");
    Face face = { .slot = get_slot (&polygon) };
    Corner corners[3] = { { 0 } };

    if (first < 0 || count < 3 || count > n_loops || first > n_loops - count)
      continue;
    /* Polygons share no corners in a file that Blender wrote. */
    n_taken += (guint64) count;
    if (n_taken > n_loops)
      return TRUE;
    if (has_looks) {
      BlendStruct look = blend_array_get (&looks, i);

      face.image = find_image (mesh, &look);
    }
    for (gint64 k = 0; k < count; k++) {
      BlendStruct loop = blend_array_get (&loops, (guint) (first + k));
      Corner *corner = &corners[MIN (k, 2)];

      corner->point = (guint32) blend_struct_get_int (&loop, "v");
      if (has_places) {
        BlendStruct place = blend_array_get (&places, (guint) (first + k));

        read_place (&place, 0, corner->at);
      }
      if (k < 2)
        continue;
      add_triangle (mesh, &face, &corners[0], &corners[1], &corners[2]);
      corners[1] = corners[2];
    }
  }
  return TRUE;
}

/* Triangles and quadrangles of older files. */
static void
read_faces (BlendMesh *mesh, const BlendStruct *data)
{
  static const char *const names[] = { "v1", "v2", "v3", "v4" };
  guint n = get_count (data, "totface");
  BlendArray faces;
  BlendArray looks;
  gboolean has_looks = blend_struct_follow_array (data, "mtface", n, &looks);

  mesh->has_coordinates = has_looks;
  if (n == 0 || !blend_struct_follow_array (data, "mface", n, &faces))
    return;
  for (guint i = 0; i < n && !is_full (mesh); i++) {
    BlendStruct old = blend_array_get (&faces, i);
    Face face = { .slot = get_slot (&old) };
    Corner corners[4] = { { 0 } };

    for (guint k = 0; k < 4; k++)
      corners[k].point = (guint32) blend_struct_get_int (&old, names[k]);
    if (has_looks) {
      BlendStruct look = blend_array_get (&looks, i);

      face.image = find_image (mesh, &look);
      for (guint k = 0; k < 4; k++)
        read_place (&look, 2 * k, corners[k].at);
    }
    add_triangle (mesh, &face, &corners[0], &corners[1], &corners[2]);
    if (corners[3].point != 0)
      add_triangle (mesh, &face, &corners[0], &corners[2], &corners[3]);
  }
}

/* --- the mirror modifier, which MORSE's models use: half of the mesh is modelled --- */

static void
mirror (BlendMesh *mesh, guint axis)
{
  guint n = mesh->points->len;
  guint n_corners = mesh->triangles->len;

  for (guint i = 0; i < n; i++) {
    OrreryVec3 p = g_array_index (mesh->points, OrreryVec3, i);
    double *coordinates[] = { &p.x, &p.y, &p.z };

    *coordinates[axis] = -*coordinates[axis];
    g_array_append_val (mesh->points, p);
  }
  for (guint i = 0; i + 2 < n_corners; i += 3) {
    Face face = { g_array_index (mesh->slots, guint32, i / 3),
                  g_array_index (mesh->faces, guint32, i / 3) };
    Corner corners[3];

    for (guint k = 0; k < 3; k++) {
      corners[k].point = g_array_index (mesh->triangles, guint32, i + k) + n;
      memcpy (corners[k].at, &g_array_index (mesh->coordinates, float, 2 * (i + k)),
              sizeof corners[k].at);
    }
    /* Mirroring reverses the order of the corners. */
    add_triangle (mesh, &face, &corners[0], &corners[2], &corners[1]);
  }
}

static gboolean
apply_modifiers (BlendMesh *mesh, const BlendStruct *object)
{
  g_autoptr (GArray) modifiers = blend_struct_get_list (object, "modifiers");

  for (guint i = 0; i < modifiers->len; i++) {
    const BlendStruct *modifier = &g_array_index (modifiers, BlendStruct, i);
    gint64 flags = blend_struct_get_int (modifier, "flag");
    BlendStruct head;

    if (strcmp (blend_struct_get_type (modifier), "MirrorModifierData") != 0 ||
        !blend_struct_get_struct (modifier, "modifier", &head) ||
        (blend_struct_get_int (&head, "mode") & MODIFIER_SHOWN) == 0)
      continue;
    for (guint axis = 0; axis < 3; axis++) {
      if (is_full (mesh))
        return FALSE;
      if ((flags & (MIRROR_AXIS_X << axis)) != 0)
        mirror (mesh, axis);
    }
  }
  return !is_full (mesh);
}

/* --- the whole --- */

static double
determinant (const double *m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Of the second and third corner of a triangle. */
static void
swap_places (float *places)
{
  float second[2];

  memcpy (second, places + 2, sizeof second);
  memcpy (places + 2, places + 4, sizeof second);
  memcpy (places + 4, second, sizeof second);
}

static void
apply_scale (BlendMesh *mesh, const OrreryMat3 *scale)
{
  for (guint i = 0; i < mesh->points->len; i++) {
    OrreryVec3 *p = &g_array_index (mesh->points, OrreryVec3, i);

    *p = orrery_mat3_apply (scale, p);
  }
  /* A scale that mirrors turns triangles inside out. */
  for (guint i = 0; determinant (scale->m) < 0 && i + 2 < mesh->triangles->len; i += 3) {
    guint32 *corners = &g_array_index (mesh->triangles, guint32, i);
    guint32 second = corners[1];

    corners[1] = corners[2];
    corners[2] = second;
    swap_places (&g_array_index (mesh->coordinates, float, 2 * i));
  }
}

gboolean
blend_mesh_read (BlendMesh *mesh, const BlendStruct *object, const BlendStruct *data,
                 const OrreryMat3 *scale, guint limit)
{
  mesh->limit = limit;
  mesh->points = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
  mesh->triangles = g_array_new (FALSE, FALSE, sizeof (guint32));
  mesh->slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  mesh->faces = g_array_new (FALSE, FALSE, sizeof (guint32));
  mesh->coordinates = g_array_new (FALSE, FALSE, sizeof (float));
  mesh->images = g_array_new (FALSE, FALSE, sizeof (BlendStruct));
  read_points (mesh, data);
  if (!read_polygons (mesh, data))
    read_faces (mesh, data);
  if (!apply_modifiers (mesh, object))
    return FALSE;
  apply_scale (mesh, scale);
  if (!mesh->has_coordinates)
    g_array_set_size (mesh->coordinates, 0);
  return TRUE;
}

void
blend_mesh_clear (BlendMesh *mesh)
{
  g_clear_pointer (&mesh->points, g_array_unref);
  g_clear_pointer (&mesh->triangles, g_array_unref);
  g_clear_pointer (&mesh->slots, g_array_unref);
  g_clear_pointer (&mesh->faces, g_array_unref);
  g_clear_pointer (&mesh->coordinates, g_array_unref);
  g_clear_pointer (&mesh->images, g_array_unref);
}

gboolean
blend_mesh_get_box (const BlendMesh *mesh, OrreryVec3 *low, OrreryVec3 *high)
{
  if (mesh->points->len == 0)
    return FALSE;
  *low = *high = g_array_index (mesh->points, OrreryVec3, 0);
  for (guint i = 1; i < mesh->points->len; i++)
    orrery_vec3_widen (low, high, &g_array_index (mesh->points, OrreryVec3, i));
  return TRUE;
}

static OrreryBuffer *
copy_rows (OrreryElement element, const GArray *from, gsize rows, gsize bytes)
{
  gsize shape[2] = { rows, 3 };
  OrreryBuffer *buffer = orrery_buffer_new (element, 2, shape);

  if (buffer != NULL)
    memcpy (orrery_buffer_get_data (buffer), from->data, bytes);
  return buffer;
}

OrreryShape *
blend_mesh_get_shape (const BlendMesh *mesh, OrreryShapeKind kind)
{
  gsize n = mesh->points->len;
  gsize n_triangles = mesh->triangles->len / 3;
  g_autoptr (OrreryBuffer) points = NULL;
  g_autoptr (OrreryBuffer) triangles = NULL;

  if (kind == ORRERY_SHAPE_HULL ? n < 4 : n < 3 || n_triangles == 0)
    return NULL;
  points = copy_rows (ORRERY_ELEMENT_DOUBLE, mesh->points, n, n * sizeof (OrreryVec3));
  if (kind == ORRERY_SHAPE_MESH)
    triangles = copy_rows (ORRERY_ELEMENT_UINT32, mesh->triangles, n_triangles,
                           n_triangles * 3 * sizeof (guint32));
  if (points == NULL || (kind == ORRERY_SHAPE_MESH && triangles == NULL))
    return NULL;
  return orrery_shape_new_points (kind, points, triangles, NULL);
}
