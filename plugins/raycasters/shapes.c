/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a ray meets a simple shape or a triangle, in closed form and in doubles. */
#include "shapes.h"

#include <math.h>

static void
take (RayProbe *probe, double t, double x, double y, double z)
{
  OrreryVec3 normal = { x, y, z };

  if (!(t >= probe->near && t <= probe->far) || (probe->found && t >= probe->t) ||
      (probe->outside && orrery_vec3_dot (&normal, &probe->direction) > 0))
    return;
  probe->found = TRUE;
  probe->t = t;
  probe->normal = normal;
  probe->triangle = 0;
}

/* Roots of a t^2 + 2 b t + c = 0 in order, without the loss of digits of the usual formula. */
static guint
solve (double a, double b, double c, double roots[2])
{
  double discriminant = b * b - a * c;
  double q;

  if (!(discriminant >= 0))
    return 0;
  q = -(b + copysign (sqrt (discriminant), b));
  if (a == 0 || !isfinite (c / a) || !isfinite (q / a)) {
    if (q == 0)
      return 0;
    roots[0] = c / q;
    return 1;
  }
  roots[0] = q != 0 ? c / q : 0;
  roots[1] = q / a;
  return 2;
}

static void
probe_box (RayProbe *probe, const OrreryVec3 *half)
{
  const double o[3] = { probe->origin.x, probe->origin.y, probe->origin.z };
  const double d[3] = { probe->direction.x, probe->direction.y, probe->direction.z };
  const double h[3] = { half->x, half->y, half->z };
  double in = -INFINITY, out = INFINITY;
  double n_in[3] = { 0 }, n_out[3] = { 0 };
  guint axis_in = 0, axis_out = 0;

  for (guint i = 0; i < 3; i++) {
    double enter, leave;

    if (d[i] == 0) {
      if (fabs (o[i]) > h[i])
        return;
      continue;
    }
    enter = (copysign (h[i], -d[i]) - o[i]) / d[i];
    leave = (copysign (h[i], d[i]) - o[i]) / d[i];
    if (enter > in) {
      in = enter;
      axis_in = i;
    }
    if (leave < out) {
      out = leave;
      axis_out = i;
    }
  }
  if (in > out)
    return;
  n_in[axis_in] = -copysign (1, d[axis_in]);
  n_out[axis_out] = copysign (1, d[axis_out]);
  take (probe, in, n_in[0], n_in[1], n_in[2]);
  take (probe, out, n_out[0], n_out[1], n_out[2]);
}

/* The ball about (0, 0, z), of which only the half that points to @side counts (0: all of it). */
static void
probe_ball (RayProbe *probe, double z, double r, double side)
{
  OrreryVec3 o = { probe->origin.x, probe->origin.y, probe->origin.z - z };
  double middle = -orrery_vec3_dot (&o, &probe->direction);
  OrreryVec3 m = orrery_vec3_add_scaled (&o, &probe->direction, middle);
  double half = r * r - orrery_vec3_dot (&m, &m);

  if (!(half >= 0) || r == 0)
    return;
  half = sqrt (half);
  for (int i = -1; i <= 1; i += 2) {
    OrreryVec3 n = orrery_vec3_add_scaled (&m, &probe->direction, i * half);

    n = orrery_vec3_divide (&n, r);
    if (n.z * side >= 0)
      take (probe, middle + i * half, n.x, n.y, n.z);
  }
}

/* The side of a cylinder about z. */
static void
probe_tube (RayProbe *probe, double r, double h)
{
  const OrreryVec3 *o = &probe->origin;
  const OrreryVec3 *d = &probe->direction;
  double a = d->x * d->x + d->y * d->y;
  double middle, half, x, y;

  if (a == 0 || r == 0)
    return;
  middle = -(o->x * d->x + o->y * d->y) / a;
  x = o->x + middle * d->x;
  y = o->y + middle * d->y;
  half = r * r - x * x - y * y;
  if (!(half >= 0))
    return;
  half = sqrt (half / a);
  for (int i = -1; i <= 1; i += 2) {
    double t = middle + i * half;

    if (fabs (o->z + t * d->z) <= h)
      take (probe, t, (o->x + t * d->x) / r, (o->y + t * d->y) / r, 0);
  }
}

static void
probe_disc (RayProbe *probe, double z, double r)
{
  const OrreryVec3 *o = &probe->origin;
  const OrreryVec3 *d = &probe->direction;
  double t = (z - o->z) / d->z;
  double x = o->x + t * d->x, y = o->y + t * d->y;

  if (d->z != 0 && x * x + y * y <= r * r)
    take (probe, t, 0, 0, z < 0 ? -1 : 1);
}

/* About z, tip at h, base at -h: x^2 + y^2 = k^2 (h - z)^2 with k = r / 2h. */
static void
probe_mantle (RayProbe *probe, double r, double h)
{
  const OrreryVec3 *o = &probe->origin;
  const OrreryVec3 *d = &probe->direction;
  double k = r / (2 * h), down = h - o->z;
  double slope = sqrt (1 + k * k);
  double roots[2];
  guint n;

  if (h == 0 || r == 0)
    return;
  n = solve (d->x * d->x + d->y * d->y - k * k * d->z * d->z,
             o->x * d->x + o->y * d->y + k * k * down * d->z,
             o->x * o->x + o->y * o->y - k * k * down * down, roots);
  for (guint i = 0; i < n; i++) {
    double x = o->x + roots[i] * d->x, y = o->y + roots[i] * d->y;
    double z = o->z + roots[i] * d->z;
    double reach = hypot (x, y);

    if (fabs (z) <= h && reach > 0)
      take (probe, roots[i], x / reach / slope, y / reach / slope, k / slope);
    else if (fabs (z) <= h)
      take (probe, roots[i], 0, 0, 1);
  }
}

gboolean
ray_probe_shape (RayProbe *probe, OrreryShapeKind kind, const OrreryVec3 *size)
{
  double before = probe->found ? probe->t : INFINITY;

  switch (kind) {
  case ORRERY_SHAPE_BOX:
    probe_box (probe, size);
    break;
  case ORRERY_SHAPE_SPHERE:
    probe_ball (probe, 0, size->x, 0);
    break;
  case ORRERY_SHAPE_CYLINDER:
    probe_tube (probe, size->x, size->z);
    probe_disc (probe, -size->z, size->x);
    probe_disc (probe, size->z, size->x);
    break;
  case ORRERY_SHAPE_CAPSULE:
    probe_tube (probe, size->x, size->z);
    probe_ball (probe, -size->z, size->x, -1);
    probe_ball (probe, size->z, size->x, 1);
    break;
  case ORRERY_SHAPE_CONE:
    probe_mantle (probe, size->x, size->z);
    probe_disc (probe, -size->z, size->x);
    break;
  default:
    break;
  }
  return probe->found && probe->t < before;
}

/* --- triangles, after Woop, Benthin, Wald: Watertight ray/triangle intersection, JCGT 2013 --- */

void
ray_shear_init (RayShear *shear, const OrreryVec3 *direction)
{
  const double d[3] = { direction->x, direction->y, direction->z };
  guint8 kz = 0;

  for (guint8 i = 1; i < 3; i++)
    if (fabs (d[i]) > fabs (d[kz]))
      kz = i;
  shear->kz = kz;
  shear->kx = (kz + 1) % 3;
  shear->ky = (kz + 2) % 3;
  shear->sx = d[shear->kx] / d[kz];
  shear->sy = d[shear->ky] / d[kz];
  shear->sz = 1 / d[kz];
}

gboolean
ray_probe_triangle (RayProbe *probe, const RayShear *shear, const double *a, const double *b,
                    const double *c)
{
  const double o[3] = { probe->origin.x, probe->origin.y, probe->origin.z };
  guint kx = shear->kx, ky = shear->ky, kz = shear->kz;
  double az = a[kz] - o[kz], bz = b[kz] - o[kz], cz = c[kz] - o[kz];
  double ax = a[kx] - o[kx] - shear->sx * az, ay = a[ky] - o[ky] - shear->sy * az;
  double bx = b[kx] - o[kx] - shear->sx * bz, by = b[ky] - o[ky] - shear->sy * bz;
  double cx = c[kx] - o[kx] - shear->sx * cz, cy = c[ky] - o[ky] - shear->sy * cz;
  double u = cx * by - cy * bx;
  double v = ax * cy - ay * cx;
  double w = bx * ay - by * ax;
  double sum = u + v + w;
  double t;

  /* On one side of all three edges, whichever it is: triangles have two sides. */
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
    return FALSE;
  if (sum == 0)
    return FALSE;
  t = shear->sz * (u * az + v * bz + w * cz) / sum;
  if (!(t >= probe->near && t <= probe->far) || (probe->found && t >= probe->t))
    return FALSE;
  probe->found = TRUE;
  probe->t = t;
  return TRUE;
}
