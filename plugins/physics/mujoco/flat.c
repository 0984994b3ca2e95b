/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of points and triangles: which lie in one plane, which are convex. */
#include "flat.h"

#include <math.h>
#include <mujoco/mujoco.h>

/* Of the size of the whole: what is nearer to a plane lies in it. */
#define TOLERANCE 1e-6
/* Edges times points that are looked at; larger outlines count as not filled. */
#define MAX_WORK 1e8

/* The point farthest from @from, or from the line through it along @along. */
static gsize
find_farthest (const double *xyz, gsize n, const double *from, const double *along,
               double *distance)
{
  gsize best = 0;

  *distance = -1;
  for (gsize i = 0; i < n; i++) {
    double d[3], across[3], length;

    mju_sub3 (d, xyz + 3 * i, from);
    if (along != NULL)
      mju_cross (across, d, along);
    length = mju_norm3 (along != NULL ? across : d);
    if (length > *distance) {
      *distance = length;
      best = i;
    }
  }
  return best;
}

gboolean
flat_find_normal (const double *xyz, gsize n, double normal[3])
{
  double along[3], d[3], size, width;
  gsize second, third;

  if (n < 3)
    return FALSE;
  second = find_farthest (xyz, n, xyz, NULL, &size);
  mju_sub3 (along, xyz + 3 * second, xyz);
  mju_normalize3 (along);
  third = find_farthest (xyz, n, xyz, along, &width);
  if (!(width > TOLERANCE * size))
    return FALSE;
  mju_sub3 (d, xyz + 3 * third, xyz);
  mju_cross (normal, along, d);
  mju_normalize3 (normal);
  for (gsize i = 0; i < n; i++) {
    mju_sub3 (d, xyz + 3 * i, xyz);
    if (fabs (mju_dot3 (d, normal)) > TOLERANCE * size)
      return FALSE;
  }
  return TRUE;
}

/* --- outlines --- */

/* An edge of a triangle, and on which side of it, within the plane, the triangle lies. */
typedef struct {
  gint64 points;
  int side;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  if (x->points != y->points)
    return x->points < y->points ? -1 : 1;
  return x->side - y->side;
}

/* From the lower of its numbers to the higher, whichever way the triangle looks. */
static Edge
make_edge (const double *xyz, guint32 a, guint32 b, guint32 third, const double normal[3])
{
  const double *from = xyz + 3 * (gsize) MIN (a, b), *to = xyz + 3 * (gsize) MAX (a, b);
  double along[3], across[3], d[3], side;

  mju_sub3 (along, to, from);
  mju_cross (across, normal, along);
  mju_sub3 (d, xyz + 3 * (gsize) third, from);
  side = mju_dot3 (d, across);
  return (Edge){ (gint64) MIN (a, b) << 32 | MAX (a, b), (side > 0) - (side < 0) };
}

static GArray *
list_edges (const double *xyz, const guint32 *corners, gsize n_triangles, const double normal[3])
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (Edge));

  for (gsize i = 0; i < 3 * n_triangles; i++) {
    const guint32 *t = corners + i / 3 * 3;
    Edge edge = make_edge (xyz, t[i % 3], t[(i + 1) % 3], t[(i + 2) % 3], normal);

    if (edge.side != 0)
      g_array_append_val (edges, edge);
  }
  g_array_sort (edges, compare_edges);
  return edges;
}

/* Whether all points are on one side of an edge. */
static gboolean
is_outermost (const double *xyz, gsize n, gint64 edge, const double normal[3])
{
  const double *a = xyz + 3 * (gsize) (edge >> 32), *b = xyz + 3 * (gsize) (edge & G_MAXUINT32);
  double along[3], across[3], low = 0, high = 0;

  mju_sub3 (along, b, a);
  mju_cross (across, normal, along);
  mju_normalize3 (across);
  for (gsize i = 0; i < n; i++) {
    double d[3], side;

    mju_sub3 (d, xyz + 3 * i, a);
    side = mju_dot3 (d, across);
    low = fmin (low, side);
    high = fmax (high, side);
  }
  return fmin (-low, high) <= TOLERANCE * fmax (-low, high);
}

gboolean
flat_is_filled (const double *xyz, gsize n, const guint32 *corners, gsize n_triangles,
                const double normal[3])
{
  g_autoptr (GArray) edges = list_edges (xyz, corners, n_triangles, normal);
  const Edge *all = (const Edge *) (gpointer) edges->data;
  double work = 0;

  /* An edge with triangles on one side alone belongs to an outline, however many they are: a sheet
   * may have faces to both sides. They are sorted. */
  for (guint i = 0, next; i < edges->len; i = next) {
    for (next = i + 1; next < edges->len && all[next].points == all[i].points; next++)
      ;
    if (all[i].side != all[next - 1].side)
      continue;
    work += (double) n;
    if (work > MAX_WORK || !is_outermost (xyz, n, all[i].points, normal))
      return FALSE;
  }
  return TRUE;
}

gboolean
flat_find_side (const double *xyz, gsize n, const guint32 *corners, gsize n_triangles,
                const OrreryVec3 *up, double normal[3])
{
  int first = 0;
  gboolean both = FALSE;

  if (!flat_find_normal (xyz, n, normal))
    return FALSE;
  for (gsize t = 0; t < n_triangles; t++) {
    double p[3][3], own[3];
    int side;

    for (guint k = 0; k < 3; k++)
      flat_get_corner (xyz, corners[3 * t + k], p[k]);
    if (!flat_get_normal (p, own))
      continue;
    side = mju_dot3 (own, normal) < 0 ? -1 : 1;
    both |= side == -first;
    first = first != 0 ? first : side;
  }
  if (both ? normal[0] * up->x + normal[1] * up->y + normal[2] * up->z < 0 : first < 0)
    mju_scl3 (normal, normal, -1);
  return TRUE;
}

double *
flat_thicken (const double *xyz, gsize n, const double normal[3], double above, double below)
{
  double *out = g_new (double, 6 * n);

  for (gsize i = 0; i < n; i++) {
    mju_addScl3 (out + 6 * i, xyz + 3 * i, normal, above);
    mju_addScl3 (out + 6 * i + 3, xyz + 3 * i, normal, -below);
  }
  return out;
}

void
flat_get_corner (const double *xyz, guint32 index, double out[3])
{
  memcpy (out, xyz + 3 * (gsize) index, 3 * sizeof *out);
}

gboolean
flat_get_normal (const double p[3][3], double n[3])
{
  double a[3], b[3];

  mju_sub3 (a, p[1], p[0]);
  mju_sub3 (b, p[2], p[0]);
  mju_cross (n, a, b);
  return mju_normalize3 (n) > 1e-12;
}

gboolean
flat_is_convex (const double *xyz, gsize n_points, const guint32 *corners, gsize n_triangles)
{
  double size = 0, flat[3];

  if (flat_find_normal (xyz, n_points, flat))
    return FALSE;
  for (gsize i = 0; i < 3 * n_points; i++)
    size = fmax (size, fabs (xyz[i]));
  for (gsize t = 0; t < n_triangles; t++) {
    double p[3][3], n[3];

    for (guint k = 0; k < 3; k++)
      flat_get_corner (xyz, corners[3 * t + k], p[k]);
    if (!flat_get_normal (p, n))
      continue;
    for (gsize i = 0; i < n_points; i++)
      if (mju_dot3 (n, xyz + 3 * i) - mju_dot3 (n, p[0]) > 1e-6 * size)
        return FALSE;
  }
  return n_triangles > 3;
}
