/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides large triangles, since light is computed at their corners only. */
#include "refine.h"

#include <math.h>
#include <string.h>

/* m: the soft edge of a spot is about as wide a metre away from it */
#define MIN_EDGE 0.1
/* Halving leaves at most so many triangles on the area of a square whose sides are as long as the
 * longest edge. */
#define TRIANGLES 16

typedef struct {
  float vertex[3];
  float normal[3];
  float at[2]; /* in the texture */
} Corner;

typedef struct {
  Corner corners[3];
} Triangle;

/* --- how fine --- */

double
refine_find_edge (double area, double roots)
{
  return fmax (MIN_EDGE, sqrt (TRIANGLES * sqrt (area) * roots / REFINE_BUDGET));
}

static double
get_box_area (const OrreryVec3 *half)
{
  return 8 * (half->x * half->y + half->y * half->z + half->z * half->x);
}

static double
get_mesh_area (const OrreryVec3 *points, gsize n_points, const guint32 *corners, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++) {
    const guint32 *c = corners + 3 * i;
    OrreryVec3 u, v;

    if (c[0] >= n_points || c[1] >= n_points || c[2] >= n_points)
      return 0;
    u = orrery_vec3_subtract (&points[c[1]], &points[c[0]]);
    v = orrery_vec3_subtract (&points[c[2]], &points[c[0]]);
    u = orrery_vec3_cross (&u, &v);
    sum += orrery_vec3_length (&u) / 2;
  }
  return sum;
}

static double
get_area_around (const OrreryVec3 *points, gsize n)
{
  OrreryVec3 low = { 0 }, high = { 0 }, half;

  for (gsize i = 0; i < n; i++) {
    const OrreryVec3 *p = &points[i];

    low = i == 0 ? *p : (OrreryVec3){ fmin (low.x, p->x), fmin (low.y, p->y), fmin (low.z, p->z) };
    high =
        i == 0 ? *p : (OrreryVec3){ fmax (high.x, p->x), fmax (high.y, p->y), fmax (high.z, p->z) };
  }
  half = orrery_vec3_subtract (&high, &low);
  half = orrery_vec3_scale (&half, 0.5);
  return get_box_area (&half);
}

double
refine_get_area (OrreryShape *shape)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);

  switch (orrery_shape_get_kind (shape)) {
  case ORRERY_SHAPE_BOX:
    return get_box_area (s);
  case ORRERY_SHAPE_CONE:
    return get_box_area (&(OrreryVec3){ s->x, s->x, s->z });
  case ORRERY_SHAPE_HULL:
    return get_area_around (orrery_buffer_get_data (points), orrery_buffer_get_length (points, 0));
  case ORRERY_SHAPE_MESH:
    return get_mesh_area (orrery_buffer_get_data (points), orrery_buffer_get_length (points, 0),
                          orrery_buffer_get_data (triangles),
                          orrery_buffer_get_length (triangles, 0));
  default:
    return 0;
  }
}

/* --- dividing --- */

static void
take_triangle (const Mesh *mesh, guint i, Triangle *out)
{
  const float *v = (const float *) (gpointer) mesh->vertices->data;
  const float *n = (const float *) (gpointer) mesh->normals->data;
  const float *t = (const float *) (gpointer) mesh->coordinates->data;

  memset (out, 0, sizeof *out);
  for (guint k = 3 * i; k < 3 * i + 3; k++) {
    Corner *corner = &out->corners[k - 3 * i];

    memcpy (corner->vertex, v + 3 * k, sizeof corner->vertex);
    memcpy (corner->normal, n + 3 * k, sizeof corner->normal);
    if (mesh->coordinates->len > 0)
      memcpy (corner->at, t + 2 * k, sizeof corner->at);
  }
}

static void
put_triangle (Mesh *mesh, const Triangle *triangle, gboolean has_coordinates)
{
  for (guint k = 0; k < 3; k++) {
    g_array_append_vals (mesh->vertices, triangle->corners[k].vertex, 3);
    g_array_append_vals (mesh->normals, triangle->corners[k].normal, 3);
    if (has_coordinates)
      g_array_append_vals (mesh->coordinates, triangle->corners[k].at, 2);
  }
}

static double
get_length (const Triangle *triangle, guint edge)
{
  const float *a = triangle->corners[edge].vertex;
  const float *b = triangle->corners[(edge + 1) % 3].vertex;
  double d[3] = { (double) b[0] - a[0], (double) b[1] - a[1], (double) b[2] - a[2] };

  return sqrt (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void
make_middle (const Corner *a, const Corner *b, Corner *out)
{
  float length = 0;

  for (guint i = 0; i < 3; i++) {
    out->vertex[i] = (a->vertex[i] + b->vertex[i]) / 2;
    out->normal[i] = a->normal[i] + b->normal[i];
    length += out->normal[i] * out->normal[i];
  }
  for (guint i = 0; i < 3 && length > 0; i++)
    out->normal[i] /= sqrtf (length);
  for (guint i = 0; i < 2; i++)
    out->at[i] = (a->at[i] + b->at[i]) / 2;
}

/* @triangle becomes the first half. Returns: whether it had an edge that is too long */
static gboolean
divide (Triangle *triangle, double edge, Triangle *second)
{
  guint longest = 0, after;
  Corner middle;

  for (guint i = 1; i < 3; i++)
    if (get_length (triangle, i) > get_length (triangle, longest))
      longest = i;
  if (!(get_length (triangle, longest) > edge))
    return FALSE;
  after = (longest + 1) % 3;
  make_middle (&triangle->corners[longest], &triangle->corners[after], &middle);
  *second = *triangle;
  triangle->corners[after] = middle;
  second->corners[longest] = middle;
  return TRUE;
}

guint
refine_mesh (Mesh *mesh, double edge, guint most)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Triangle));
  gboolean has_coordinates = mesh->coordinates->len > 0;
  Mesh fine;
  guint n = mesh_get_n_triangles (mesh), added = 0;

  mesh_init (&fine);
  for (guint i = 0; i < n; i++) {
    Triangle triangle, second;

    take_triangle (mesh, i, &triangle);
    g_array_append_val (open, triangle);
    while (open->len > 0) {
      triangle = g_array_index (open, Triangle, open->len - 1);
      g_array_set_size (open, open->len - 1);
      if (added < most && divide (&triangle, edge, &second)) {
        g_array_append_val (open, second);
        g_array_append_val (open, triangle);
        added++;
      } else {
        put_triangle (&fine, &triangle, has_coordinates);
      }
    }
  }
  fine.center = mesh->center;
  fine.radius = mesh->radius;
  mesh_clear (mesh);
  *mesh = fine;
  return added;
}
