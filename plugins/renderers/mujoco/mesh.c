/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes triangles with normals and texture coordinates, as the renderer takes them. */
#include "mesh.h"

#include <math.h>

/* Surfaces that meet at less than 35 degrees are one round surface. */
#define CREASE_COSINE 0.819
/* A corner of more triangles is not treated as part of a round surface. */
#define MAX_AROUND 256
#define ROUND_SEGMENTS 40
/* Of a quarter of a circle from a pole to the middle. */
#define QUARTER_STEPS 10

void
mesh_init (Mesh *mesh)
{
  *mesh = (Mesh){ .vertices = g_array_new (FALSE, FALSE, sizeof (float)),
                  .normals = g_array_new (FALSE, FALSE, sizeof (float)),
                  .coordinates = g_array_new (FALSE, FALSE, sizeof (float)) };
}

void
mesh_clear (Mesh *mesh)
{
  g_clear_pointer (&mesh->vertices, g_array_unref);
  g_clear_pointer (&mesh->normals, g_array_unref);
  g_clear_pointer (&mesh->coordinates, g_array_unref);
}

guint
mesh_get_n_triangles (const Mesh *mesh)
{
  return mesh->vertices->len / 9;
}

/* As long as twice the area. */
static OrreryVec3
find_normal (const OrreryVec3 *a, const OrreryVec3 *b, const OrreryVec3 *c)
{
  OrreryVec3 u = orrery_vec3_subtract (b, a);
  OrreryVec3 v = orrery_vec3_subtract (c, a);

  return orrery_vec3_cross (&u, &v);
}

/* Which triangles meet at each point: those of point i are around[first[i]] to before
 * around[first[i + 1]]. */
typedef struct {
  guint *first;
  guint *around;
  OrreryVec3 *normals; /* of each triangle */
} Meeting;

static void
find_meeting (Meeting *meeting, const OrreryVec3 *points, guint n_points, const guint32 *corners,
              guint n_triangles)
{
  g_autofree guint *next = NULL;

  meeting->first = g_new0 (guint, (gsize) n_points + 1);
  meeting->around = g_new (guint, (gsize) n_triangles * 3 + 1);
  meeting->normals = g_new (OrreryVec3, (gsize) n_triangles + 1);
  for (guint i = 0; i < n_triangles; i++)
    meeting->normals[i] = find_normal (&points[corners[3 * i]], &points[corners[3 * i + 1]],
                                       &points[corners[3 * i + 2]]);
  for (guint i = 0; i < 3 * n_triangles; i++)
    meeting->first[corners[i] + 1]++;
  for (guint i = 0; i < n_points; i++)
    meeting->first[i + 1] += meeting->first[i];
  next = g_memdup2 (meeting->first, ((gsize) n_points + 1) * sizeof *next);
  for (guint i = 0; i < 3 * n_triangles; i++)
    meeting->around[next[corners[i]]++] = i / 3;
}

static void
clear_meeting (Meeting *meeting)
{
  g_free (meeting->first);
  g_free (meeting->around);
  g_free (meeting->normals);
}

/* The mean normal, weighted by area, of the triangles at this corner that belong to the same round
 * surface. */
static OrreryVec3
find_corner_normal (const Meeting *meeting, guint triangle, guint point)
{
  const OrreryVec3 *own = &meeting->normals[triangle];
  double length = orrery_vec3_length (own);
  OrreryVec3 sum = { 0 };
  guint end = meeting->first[point + 1];

  if (end - meeting->first[point] > MAX_AROUND)
    return *own;
  for (guint i = meeting->first[point]; i < end; i++) {
    const OrreryVec3 *other = &meeting->normals[meeting->around[i]];

    if (orrery_vec3_dot (own, other) < CREASE_COSINE * length * orrery_vec3_length (other))
      continue;
    sum = orrery_vec3_add (&sum, other);
  }
  return sum;
}

static void
append (GArray *to, const OrreryVec3 *v, double scale)
{
  float numbers[3] = { (float) (v->x * scale), (float) (v->y * scale), (float) (v->z * scale) };

  g_array_append_vals (to, numbers, 3);
}

static void
add_corner (Mesh *mesh, const OrreryVec3 *point, const OrreryVec3 *normal, const float *coordinates)
{
  double length = orrery_vec3_length (normal);

  append (mesh->vertices, point, 1);
  append (mesh->normals, normal, length > 0 ? 1 / length : 0);
  if (coordinates != NULL) {
    /* The renderer counts rows of a texture from the top. */
    float at[2] = { coordinates[0], 1 - coordinates[1] };

    g_array_append_vals (mesh->coordinates, at, 2);
  }
}

static void
find_bounds (Mesh *mesh)
{
  const float *v = (const float *) (gpointer) mesh->vertices->data;
  guint n = mesh->vertices->len / 3;
  double low[3] = { INFINITY, INFINITY, INFINITY };
  double high[3] = { -INFINITY, -INFINITY, -INFINITY };

  for (guint i = 0; i < 3 * n; i++) {
    low[i % 3] = fmin (low[i % 3], v[i]);
    high[i % 3] = fmax (high[i % 3], v[i]);
  }
  if (n == 0)
    return;
  mesh->center =
      (OrreryVec3){ (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2 };
  mesh->radius = hypot (hypot (high[0] - low[0], high[1] - low[1]), high[2] - low[2]) / 2;
}

void
mesh_add_triangles (Mesh *mesh, const OrreryVec3 *points, guint n_points, const guint32 *corners,
                    guint n_triangles, const guint32 *materials, guint material,
                    const float *coordinates)
{
  Meeting meeting;

  find_meeting (&meeting, points, n_points, corners, n_triangles);
  for (guint i = 0; i < n_triangles; i++) {
    if (material != G_MAXUINT && (materials != NULL ? materials[i] : 0) != material)
      continue;
    if (!(orrery_vec3_length (&meeting.normals[i]) > 0))
      continue;
    for (guint k = 0; k < 3; k++) {
      guint corner = 3 * i + k;
      OrreryVec3 normal = find_corner_normal (&meeting, i, corners[corner]);

      add_corner (mesh, &points[corners[corner]], &normal,
                  coordinates != NULL ? &coordinates[2 * corner] : NULL);
    }
  }
  clear_meeting (&meeting);
  find_bounds (mesh);
}

static gboolean
are_in_range (const guint32 *corners, gsize n, gsize n_points)
{
  for (gsize i = 0; i < n; i++)
    if (corners[i] >= n_points)
      return FALSE;
  return TRUE;
}

void
mesh_add_shape (Mesh *mesh, OrreryShape *shape, guint material)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);
  OrreryBuffer *materials = orrery_shape_get_triangle_materials (shape);
  OrreryBuffer *coordinates = orrery_shape_get_texture_coordinates (shape);
  gsize n_points = orrery_buffer_get_length (points, 0);
  gsize n = orrery_buffer_get_length (triangles, 0);

  if (!are_in_range (orrery_buffer_get_data (triangles), 3 * n, n_points))
    return;
  mesh_add_triangles (mesh, orrery_buffer_get_data (points), (guint) n_points,
                      orrery_buffer_get_data (triangles), (guint) n,
                      materials != NULL ? orrery_buffer_get_data (materials) : NULL, material,
                      coordinates != NULL ? orrery_buffer_get_data (coordinates) : NULL);
}

/* --- round shapes --- */

/* What is turned about z makes the surface: from the top to the bottom. */
typedef struct {
  double radius;
  double z;
} ProfilePoint;

static void
add_profile_point (GArray *profile, double radius, double z)
{
  ProfilePoint point = { radius, z };

  g_array_append_val (profile, point);
}

/* A quarter of a circle about @z, from one end to the other. */
static void
add_quarter (GArray *profile, double radius, double z, gboolean upper)
{
  for (guint i = 0; i <= QUARTER_STEPS; i++) {
    double angle = G_PI_2 * (upper ? i : QUARTER_STEPS - i) / QUARTER_STEPS;
    gboolean pole = upper ? i == 0 : i == QUARTER_STEPS;

    add_profile_point (profile, pole ? 0 : radius * sin (angle),
                       z + (upper ? 1 : -1) * radius * cos (angle));
  }
}

static void
add_profile (GArray *profile, OrreryShape *shape)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  OrreryShapeKind kind = orrery_shape_get_kind (shape);

  if (kind == ORRERY_SHAPE_SPHERE || kind == ORRERY_SHAPE_CAPSULE) {
    add_quarter (profile, s->x, kind == ORRERY_SHAPE_CAPSULE ? s->z : 0, TRUE);
    add_quarter (profile, s->x, kind == ORRERY_SHAPE_CAPSULE ? -s->z : 0, FALSE);
    return;
  }
  add_profile_point (profile, 0, s->z);
  if (kind == ORRERY_SHAPE_CYLINDER)
    add_profile_point (profile, s->x, s->z);
  add_profile_point (profile, s->x, -s->z);
  add_profile_point (profile, 0, -s->z);
}

/* Points of a row; on the axis it is one. Returns: the first of them */
static guint32
add_row (GArray *points, const ProfilePoint *at)
{
  guint32 first = points->len;
  guint n = at->radius > 0 ? ROUND_SEGMENTS : 1;

  for (guint i = 0; i < n; i++) {
    double angle = 2 * G_PI * i / ROUND_SEGMENTS;
    OrreryVec3 point = { at->radius * cos (angle), at->radius * sin (angle), at->z };

    g_array_append_val (points, point);
  }
  return first;
}

static void
join_rows (GArray *corners, guint32 upper, gboolean upper_is_point, guint32 lower,
           gboolean lower_is_point)
{
  for (guint32 i = 0; i < ROUND_SEGMENTS; i++) {
    guint32 next = (i + 1) % ROUND_SEGMENTS;
    guint32 a = upper_is_point ? upper : upper + i, b = upper_is_point ? upper : upper + next;
    guint32 c = lower_is_point ? lower : lower + i, d = lower_is_point ? lower : lower + next;
    guint32 both[6] = { a, c, d, a, d, b };

    if (!lower_is_point)
      g_array_append_vals (corners, both, 3);
    if (!upper_is_point)
      g_array_append_vals (corners, both + 3, 3);
  }
}

void
mesh_add_round (Mesh *mesh, OrreryShape *shape)
{
  g_autoptr (GArray) profile = g_array_new (FALSE, FALSE, sizeof (ProfilePoint));
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
  g_autoptr (GArray) corners = g_array_new (FALSE, FALSE, sizeof (guint32));
  const ProfilePoint *before = NULL;
  guint32 first = 0;

  add_profile (profile, shape);
  for (guint i = 0; i < profile->len; i++) {
    const ProfilePoint *at = &g_array_index (profile, ProfilePoint, i);
    guint32 row = add_row (points, at);

    if (before != NULL)
      join_rows (corners, first, !(before->radius > 0), row, !(at->radius > 0));
    before = at;
    first = row;
  }
  mesh_add_triangles (mesh, (const OrreryVec3 *) (gpointer) points->data, points->len,
                      (const guint32 *) (gpointer) corners->data, corners->len / 3, NULL, G_MAXUINT,
                      NULL);
}

void
mesh_add_box (Mesh *mesh, const OrreryVec3 *half, double repeat)
{
  /* Bits of a corner: x, y, z. */
  static const guint32 corners[36] = { 1, 3, 7, 1, 7, 5, 2, 0, 4, 2, 4, 6, 3, 2, 6, 3, 6, 7,
                                       0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 2, 3, 1, 2, 1, 0 };
  OrreryVec3 points[8];
  float coordinates[72];

  for (guint i = 0; i < 8; i++)
    points[i] = (OrreryVec3){ (i & 1) ? half->x : -half->x, (i & 2) ? half->y : -half->y,
                              (i & 4) ? half->z : -half->z };
  for (guint i = 0; i < 36 && repeat > 0; i++) {
    const OrreryVec3 *p = &points[corners[i]];

    coordinates[2 * i] = (float) (p->x / repeat - 0.5);
    /* MuJoCo counts rows of the textures of boxes against y, and add_corner() turns them. */
    coordinates[2 * i + 1] = (float) (p->y / repeat + 1.5);
  }
  mesh_add_triangles (mesh, points, 8, corners, 12, NULL, G_MAXUINT,
                      repeat > 0 ? coordinates : NULL);
}

/* --- textures of what has no coordinates --- */

static OrreryVec3
get_vertex (const Mesh *mesh, guint i)
{
  const float *v = &((const float *) (gpointer) mesh->vertices->data)[3 * (gsize) i];

  return (OrreryVec3){ v[0], v[1], v[2] };
}

/* 0 to 1 */
static double
get_share (double value, double low, double high)
{
  return high > low ? (value - low) / (high - low) : 0;
}

/* Seen from outside, the picture is upright on the four sides, and its top is towards y on the
 * other two. */
static void
lay_corner (const OrreryVec3 *p, const OrreryVec3 *normal, const OrreryVec3 *low,
            const OrreryVec3 *high, float at[2])
{
  double x = get_share (p->x, low->x, high->x), y = get_share (p->y, low->y, high->y);
  double z = get_share (p->z, low->z, high->z);
  double across, up = z;

  if (fabs (normal->x) >= fabs (normal->y) && fabs (normal->x) >= fabs (normal->z)) {
    across = normal->x > 0 ? y : 1 - y;
  } else if (fabs (normal->y) >= fabs (normal->z)) {
    across = normal->y > 0 ? 1 - x : x;
  } else {
    across = normal->z > 0 ? x : 1 - x;
    up = y;
  }
  at[0] = (float) across;
  at[1] = (float) (1 - up);
}

void
mesh_lay_texture (Mesh *mesh, OrreryShape *shape)
{
  OrreryTransform back;
  OrreryVec3 low, high;

  orrery_transform_invert (orrery_shape_get_pose (shape), &back);
  orrery_shape_get_bounds (shape, &back, &low, &high);
  g_array_set_size (mesh->coordinates, 0);
  for (guint i = 0; i < 3 * mesh_get_n_triangles (mesh); i += 3) {
    OrreryVec3 corners[3] = { get_vertex (mesh, i), get_vertex (mesh, i + 1),
                              get_vertex (mesh, i + 2) };
    OrreryVec3 normal = find_normal (&corners[0], &corners[1], &corners[2]);

    for (guint k = 0; k < 3; k++) {
      float at[2];

      lay_corner (&corners[k], &normal, &low, &high, at);
      g_array_append_vals (mesh->coordinates, at, 2);
    }
  }
}
