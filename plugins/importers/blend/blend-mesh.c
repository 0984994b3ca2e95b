/* SPDX-License-Identifier: BSD-3-Clause */
#include "blend-mesh.h"

#include <math.h>
#include <string.h>

/* Flags of MirrorModifierData. */
#define MIRROR_AXIS_X (1 << 3)
/* ModifierData.mode */
#define MODIFIER_SHOWN (1 << 0)

static void
add_triangle (BlendMesh *mesh, guint32 a, guint32 b, guint32 c)
{
  guint32 corners[3] = { a, b, c };

  if (a < mesh->points->len && b < mesh->points->len && c < mesh->points->len)
    g_array_append_vals (mesh->triangles, corners, 3);
}

static guint
get_count (const BlendStruct *s, const char *field)
{
  gint64 n = blend_struct_get_int (s, field);

  return n > 0 && n <= 4 * BLEND_MAX_TRIANGLES ? (guint) n : 0;
}

static void
read_points (BlendMesh *mesh, const BlendStruct *data)
{
  guint n = get_count (data, "totvert");
  BlendArray vertices;

  if (n == 0 || !blend_struct_follow_array (data, "mvert", n, &vertices))
    return;
  for (guint i = 0; i < n; i++) {
    BlendStruct vertex = blend_array_get (&vertices, i);
    OrreryVec3 p = { blend_struct_get_number (&vertex, "co", 0),
                     blend_struct_get_number (&vertex, "co", 1),
                     blend_struct_get_number (&vertex, "co", 2) };

    /* A point that is none is one of no triangle that can be seen: it must not spread. */
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
  BlendArray polygons;
  BlendArray loops;

  if (n == 0 || n_loops == 0 || !blend_struct_follow_array (data, "mpoly", n, &polygons) ||
      !blend_struct_follow_array (data, "mloop", n_loops, &loops))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    BlendStruct polygon = blend_array_get (&polygons, i);
    gint64 first = blend_struct_get_int (&polygon, "loopstart");
    gint64 count = blend_struct_get_int (&polygon, "totloop");
    guint32 corners[3];

    if (first < 0 || count < 3 || count > n_loops || first > n_loops - count)
      continue;
    for (gint64 k = 0; k < count; k++) {
      BlendStruct loop = blend_array_get (&loops, (guint) (first + k));

      corners[MIN (k, 2)] = (guint32) blend_struct_get_int (&loop, "v");
      if (k < 2)
        continue;
      add_triangle (mesh, corners[0], corners[1], corners[2]);
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

  if (n == 0 || !blend_struct_follow_array (data, "mface", n, &faces))
    return;
  for (guint i = 0; i < n; i++) {
    BlendStruct face = blend_array_get (&faces, i);
    guint32 v[4];

    for (guint k = 0; k < 4; k++)
      v[k] = (guint32) blend_struct_get_int (&face, names[k]);
    add_triangle (mesh, v[0], v[1], v[2]);
    if (v[3] != 0)
      add_triangle (mesh, v[0], v[2], v[3]);
  }
}

/* --- the modifier that models of MORSE have: half of them is drawn, the rest is its picture --- */

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
    const guint32 *corners = &g_array_index (mesh->triangles, guint32, i);

    /* Seen from the other side: the order turns. */
    add_triangle (mesh, corners[0] + n, corners[2] + n, corners[1] + n);
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
      if (mesh->triangles->len / 3 > BLEND_MAX_TRIANGLES / 2)
        return FALSE;
      if ((flags & (MIRROR_AXIS_X << axis)) != 0)
        mirror (mesh, axis);
    }
  }
  return TRUE;
}

/* --- the whole --- */

static double
determinant (const double *m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static void
apply_scale (BlendMesh *mesh, const OrreryMat3 *scale)
{
  const double *m = scale->m;

  for (guint i = 0; i < mesh->points->len; i++) {
    OrreryVec3 *p = &g_array_index (mesh->points, OrreryVec3, i);

    *p = (OrreryVec3){ m[0] * p->x + m[1] * p->y + m[2] * p->z,
                       m[3] * p->x + m[4] * p->y + m[5] * p->z,
                       m[6] * p->x + m[7] * p->y + m[8] * p->z };
  }
  /* A scale that mirrors turns triangles inside out. */
  for (guint i = 0; determinant (m) < 0 && i + 2 < mesh->triangles->len; i += 3) {
    guint32 *corners = &g_array_index (mesh->triangles, guint32, i);
    guint32 second = corners[1];

    corners[1] = corners[2];
    corners[2] = second;
  }
}

gboolean
blend_mesh_read (BlendMesh *mesh, const BlendStruct *object, const BlendStruct *data,
                 const OrreryMat3 *scale)
{
  mesh->points = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
  mesh->triangles = g_array_new (FALSE, FALSE, sizeof (guint32));
  read_points (mesh, data);
  if (!read_polygons (mesh, data))
    read_faces (mesh, data);
  if (mesh->triangles->len / 3 > BLEND_MAX_TRIANGLES || !apply_modifiers (mesh, object))
    return FALSE;
  apply_scale (mesh, scale);
  return TRUE;
}

void
blend_mesh_clear (BlendMesh *mesh)
{
  g_clear_pointer (&mesh->points, g_array_unref);
  g_clear_pointer (&mesh->triangles, g_array_unref);
}

gboolean
blend_mesh_get_box (const BlendMesh *mesh, OrreryVec3 *low, OrreryVec3 *high)
{
  if (mesh->points->len == 0)
    return FALSE;
  *low = *high = g_array_index (mesh->points, OrreryVec3, 0);
  for (guint i = 1; i < mesh->points->len; i++) {
    const OrreryVec3 *p = &g_array_index (mesh->points, OrreryVec3, i);

    low->x = fmin (low->x, p->x);
    low->y = fmin (low->y, p->y);
    low->z = fmin (low->z, p->z);
    high->x = fmax (high->x, p->x);
    high->y = fmax (high->y, p->y);
    high->z = fmax (high->z, p->z);
  }
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
