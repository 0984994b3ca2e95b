/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Where a ray meets a simple shape, in closed form and in doubles. */

static inline double
vec3_dot (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return a->x * b->x + a->y * b->y + a->z * b->z;
}

static inline OrreryVec3
vec3_minus (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->x - b->x, a->y - b->y, a->z - b->z };
}

static inline OrreryVec3
vec3_cross (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z,
                       a->x * b->y - a->y * b->x };
}

static inline OrreryVec3
mat3_turn (const OrreryMat3 *r, const OrreryVec3 *v)
{
  const double *m = r->m;

  return (OrreryVec3){ m[0] * v->x + m[1] * v->y + m[2] * v->z,
                       m[3] * v->x + m[4] * v->y + m[5] * v->z,
                       m[6] * v->x + m[7] * v->y + m[8] * v->z };
}

static inline OrreryVec3
mat3_turn_back (const OrreryMat3 *r, const OrreryVec3 *v)
{
  const double *m = r->m;

  return (OrreryVec3){ m[0] * v->x + m[3] * v->y + m[6] * v->z,
                       m[1] * v->x + m[4] * v->y + m[7] * v->z,
                       m[2] * v->x + m[5] * v->y + m[8] * v->z };
}

/* A ray in the frame of a shape, and the nearest point of it that was found. */
typedef struct {
  OrreryVec3 origin;
  OrreryVec3 direction; /* unit */
  double near;
  double far;
  gboolean outside; /* from inside a surface is not met */
  /* Of the point, if found: */
  double t;
  OrreryVec3 normal; /* outwards, unit */
  guint triangle;
  gboolean found;
} RayProbe;

/* Box, sphere, cylinder, capsule or cone; sizes may be 0. Looks for a
 * point nearer than what the probe has. Returns: whether there is one */
gboolean ray_probe_shape (RayProbe *probe, OrreryShapeKind kind, const OrreryVec3 *size);

/* Where rays of one direction go through triangles without leaks at their edges. */
typedef struct {
  guint8 kx, ky, kz; /* axes, the last is the one along which the ray goes most */
  double sx, sy, sz;
} RayShear;

void ray_shear_init (RayShear *shear, const OrreryVec3 *direction);
/* @a, @b, @c: corners as three doubles each; the normal is not set. */
gboolean ray_probe_triangle (RayProbe *probe, const RayShear *shear, const double *a,
                             const double *b, const double *c);
