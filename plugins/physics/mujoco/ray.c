/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays for wheels: MuJoCo's own tell no normal, and meet what is only a part of the robot. */
#include "engine.h"

#include <math.h>

/* A margin counts along a ray as on ground that is no steeper than this. */
#define MIN_COSINE 0.5

/* A ray in the frame of a geom. */
typedef struct {
  double from[3];
  double way[3];
} Ray;

static gboolean
is_above (const OrreryObject *object, OrreryObject *other)
{
  for (; other != NULL; other = orrery_object_get_parent (other))
    if (other == object)
      return TRUE;
  return FALSE;
}

static void
enter_frame (const double *position, const double *matrix, const double from[3],
             const double way[3], Ray *out)
{
  double arm[3];

  mju_sub3 (arm, from, position);
  mju_rotVecMatT (out->from, arm, matrix);
  mju_rotVecMatT (out->way, way, matrix);
}

/* Whether the ray comes into the sphere about the origin of the frame. */
static gboolean
comes_near (const Ray *ray, double radius)
{
  double length = mju_dot3 (ray->way, ray->way);
  double share = length > 0 ? -mju_dot3 (ray->from, ray->way) / length : 0;
  double nearest[3];

  mju_addScl3 (nearest, ray->from, ray->way, CLAMP (share, 0, 1));
  return mju_dot3 (nearest, nearest) <= radius * radius;
}

/* Möller, Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997; from outside only.
 * Returns the share of the way, or -1. */
static double
meet_triangle (const Ray *ray, const double p[3][3], double normal[3])
{
  double a[3], b[3], c[3], arm[3], q[3], det, u, v;

  mju_sub3 (a, p[1], p[0]);
  mju_sub3 (b, p[2], p[0]);
  mju_cross (normal, a, b);
  mju_cross (c, ray->way, b);
  det = mju_dot3 (a, c);
  if (!(det > 0))
    return -1;
  mju_sub3 (arm, ray->from, p[0]);
  u = mju_dot3 (arm, c);
  mju_cross (q, arm, a);
  v = mju_dot3 (ray->way, q);
  if (u < 0 || v < 0 || u + v > det)
    return -1;
  return mju_dot3 (b, q) / det;
}

static double
meet_mesh (const mjModel *m, int mesh, const Ray *ray, double normal[3])
{
  const int *faces = m->mesh_face + 3 * (gsize) m->mesh_faceadr[mesh];
  const float *vertices = m->mesh_vert + 3 * (gsize) m->mesh_vertadr[mesh];
  double nearest = -1;

  for (int i = 0; i < m->mesh_facenum[mesh]; i++) {
    double p[3][3], n[3], share;

    for (int k = 0; k < 9; k++)
      p[k / 3][k % 3] = vertices[3 * faces[3 * i + k / 3] + k % 3];
    share = meet_triangle (ray, p, n);
    if (share < 0 || (nearest >= 0 && share >= nearest))
      continue;
    nearest = share;
    mju_copy3 (normal, n);
  }
  return nearest;
}

/* Of the surface of a simple geom at @p. */
static void
get_normal (int type, const double *size, const double p[3], double normal[3])
{
  int axis = 0;

  mju_copy3 (normal, p);
  switch (type) {
  case mjGEOM_CAPSULE:
    normal[2] -= CLAMP (p[2], -size[1], size[1]);
    break;
  case mjGEOM_CYLINDER:
    if (fabs (p[2]) >= size[1] * (1 - 1e-9))
      normal[0] = normal[1] = 0;
    else
      normal[2] = 0;
    break;
  case mjGEOM_BOX:
    for (int k = 1; k < 3; k++)
      if (fabs (p[k]) / size[k] > fabs (p[axis]) / size[axis])
        axis = k;
    for (int k = 0; k < 3; k++)
      normal[k] = k == axis ? p[k] : 0;
    break;
  default:
    break;
  }
}

static double
meet_geom (const mjModel *m, int geom, const Ray *ray, double normal[3])
{
  static const double origin[3] = { 0 };
  static const double unit[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  int type = m->geom_type[geom];
  double share, p[3];

  if (type == mjGEOM_MESH)
    return meet_mesh (m, m->geom_dataid[geom], ray, normal);
  share = mju_rayGeom (origin, unit, m->geom_size + 3 * (gsize) geom, ray->from, ray->way, type);
  mju_addScl3 (p, ray->from, ray->way, share);
  get_normal (type, m->geom_size + 3 * (gsize) geom, p, normal);
  return share;
}

/* The share of its way by which a ray meets a margin (m) before the surface with the normal @n. */
static double
get_lead (const double way[3], const double n[3], double margin)
{
  double along = -mju_dot3 (way, n), least = MIN_COSINE * mju_norm3 (way) * mju_norm3 (n);

  return margin > 0 ? margin * mju_norm3 (n) / fmax (along, least) : 0;
}

gboolean
ray_cast (const Rub *rub, const Thing *thing, const OrreryVec3 *from, const OrreryVec3 *to,
          gboolean margins, double *fraction, OrreryVec3 *normal)
{
  const mjModel *m = rub->m;
  const double start[3] = { from->x, from->y, from->z };
  const double length = hypot (hypot (to->x - from->x, to->y - from->y), to->z - from->z);
  /* Its margin may be in reach where the surface is not. */
  const double longer = margins ? 1 + rub->most_margin / (MIN_COSINE * length) : 1;
  const double way[3] = { longer * (to->x - from->x), longer * (to->y - from->y),
                          longer * (to->z - from->z) };
  double best[3] = { 0 };

  *fraction = INFINITY;
  for (int i = 0; i < m->ngeom; i++) {
    const Body *other = &rub->model->geoms[i].thing->own;
    const double *matrix = rub->d->geom_xmat + 9 * (gsize) i;
    double share, n[3];
    Ray ray;

    if (other->motion == MOTION_GHOST || other->parked)
      continue;
    enter_frame (rub->d->geom_xpos + 3 * (gsize) i, matrix, start, way, &ray);
    if (!comes_near (&ray, m->geom_rbound[i]) || is_above (thing->own.object, other->object))
      continue;
    share = meet_geom (m, i, &ray, n);
    if (share < 0 || share > 1)
      continue;
    share = longer * (share - get_lead (ray.way, n, margins ? rub->model->geoms[i].margin : 0));
    if (share >= *fraction)
      continue;
    *fraction = share;
    mju_rotVecMat (best, n, matrix);
  }
  if (*fraction > 1 || mju_normalize3 (best) < 1e-15)
    return FALSE;
  *normal = (OrreryVec3){ best[0], best[1], best[2] };
  return TRUE;
}
