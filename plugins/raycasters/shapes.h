/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Where a ray meets a simple shape, in closed form and in doubles. */

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
