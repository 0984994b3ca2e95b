/* SPDX-License-Identifier: BSD-3-Clause */
/* The convex hull of points, as triangles. */
#include "hull.h"

#include <math.h>
#include <string.h>

/* Barber, Dobkin, Huhdanpaa: The quickhull algorithm for convex hulls, 1996. Points nearer to a
 * face than this share of the size of the whole are on it. */
#define FLATNESS 1e-10
/* Limit of faces that one point can see; a point that sees more is left out. No real body has
 * one. */
#define MAX_DEPTH 20000

typedef struct {
  guint32 corner[3];
  guint neighbour[3]; /* across the edge from corner[i] to corner[i + 1] */
  double normal[3];   /* unit, outwards */
  double offset;
  GArray *outside; /* (element-type guint32): points above it */
  gboolean gone;
  guint seen; /* number of the search that met it last */
} Face;

typedef struct {
  const double *points;
  double scale;
  GArray *faces; /* (element-type Face) */
  guint search;
  guint depth; /* of the search */
} Hull;

/* An edge of what is seen from a point, as the face behind it has it. */
typedef struct {
  guint32 from, to;
  guint behind;
} Edge;

static const double *
get_point (const Hull *hull, guint32 i)
{
  return hull->points + 3 * (gsize) i;
}

static Face *
get_face (const Hull *hull, guint i)
{
  return &g_array_index (hull->faces, Face, i);
}

static double
dot (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
cross (const double *a, const double *b, double *out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void
minus (const double *a, const double *b, double *out)
{
  for (guint i = 0; i < 3; i++)
    out[i] = a[i] - b[i];
}

/* Returns: twice the area */
static double
find_normal (const double *a, const double *b, const double *c, double *normal)
{
  double ab[3], ac[3], length;

  minus (b, a, ab);
  minus (c, a, ac);
  cross (ab, ac, normal);
  length = sqrt (dot (normal, normal));
  for (guint i = 0; i < 3 && length > 0; i++)
    normal[i] /= length;
  return length;
}

static double
height_of (const Hull *hull, const Face *face, guint32 point)
{
  return dot (face->normal, get_point (hull, point)) - face->offset;
}

static guint
add_face (Hull *hull, guint32 a, guint32 b, guint32 c)
{
  Face face = { .corner = { a, b, c }, .outside = g_array_new (FALSE, FALSE, sizeof (guint32)) };

  find_normal (get_point (hull, a), get_point (hull, b), get_point (hull, c), face.normal);
  face.offset = dot (face.normal, get_point (hull, a));
  g_array_append_val (hull->faces, face);
  return hull->faces->len - 1;
}

/* Gives a point to the first of the faces from @first on that it is above. */
static void
place (Hull *hull, guint first, guint32 point)
{
  for (guint i = first; i < hull->faces->len; i++) {
    Face *face = get_face (hull, i);

    if (!face->gone && height_of (hull, face, point) > FLATNESS * hull->scale) {
      g_array_append_val (face->outside, point);
      return;
    }
  }
}

/* --- the first four points --- */

static guint32
find_farthest (const Hull *hull, guint n,
               double (*measure) (const Hull *, const guint32 *, guint32), const guint32 *from,
               double *value)
{
  guint32 best = 0;

  *value = -1;
  for (guint32 i = 0; i < n; i++) {
    double d = measure (hull, from, i);

    if (d > *value) {
      *value = d;
      best = i;
    }
  }
  return best;
}

static double
from_point (const Hull *hull, const guint32 *from, guint32 i)
{
  double d[3];

  minus (get_point (hull, i), get_point (hull, from[0]), d);
  return sqrt (dot (d, d));
}

static double
from_line (const Hull *hull, const guint32 *from, guint32 i)
{
  double n[3], d[3];

  minus (get_point (hull, from[1]), get_point (hull, from[0]), d);
  return find_normal (get_point (hull, from[0]), get_point (hull, from[1]), get_point (hull, i),
                      n) /
         sqrt (dot (d, d));
}

static double
from_plane (const Hull *hull, const guint32 *from, guint32 i)
{
  double n[3], d[3];

  find_normal (get_point (hull, from[0]), get_point (hull, from[1]), get_point (hull, from[2]), n);
  minus (get_point (hull, i), get_point (hull, from[0]), d);
  return fabs (dot (n, d));
}

/* Returns: the dimension of the set, 0 to 3; the corners found so far are one more */
static guint
find_first (Hull *hull, guint n, guint32 corner[4])
{
  double d;

  corner[0] = 0;
  corner[0] = find_farthest (hull, n, from_point, corner, &hull->scale);
  corner[1] = find_farthest (hull, n, from_point, corner, &hull->scale);
  if (!(hull->scale > 0))
    return 0;
  corner[2] = find_farthest (hull, n, from_line, corner, &d);
  if (!(d > FLATNESS * hull->scale))
    return 1;
  corner[3] = find_farthest (hull, n, from_plane, corner, &d);
  return d > FLATNESS * hull->scale ? 3 : 2;
}

/* --- a body --- */

static void
begin (Hull *hull, guint n, guint32 corner[4])
{
  double normal[3], d[3];

  find_normal (get_point (hull, corner[0]), get_point (hull, corner[1]),
               get_point (hull, corner[2]), normal);
  minus (get_point (hull, corner[3]), get_point (hull, corner[0]), d);
  if (dot (normal, d) > 0) {
    guint32 kept = corner[1];

    corner[1] = corner[2];
    corner[2] = kept;
  }
  /* The fourth corner is below the first face; edges of face i are shared as listed. */
  add_face (hull, corner[0], corner[1], corner[2]);
  add_face (hull, corner[1], corner[0], corner[3]);
  add_face (hull, corner[2], corner[1], corner[3]);
  add_face (hull, corner[0], corner[2], corner[3]);
  memcpy (get_face (hull, 0)->neighbour, (guint[]){ 1, 2, 3 }, sizeof (guint[3]));
  memcpy (get_face (hull, 1)->neighbour, (guint[]){ 0, 3, 2 }, sizeof (guint[3]));
  memcpy (get_face (hull, 2)->neighbour, (guint[]){ 0, 1, 3 }, sizeof (guint[3]));
  memcpy (get_face (hull, 3)->neighbour, (guint[]){ 0, 2, 1 }, sizeof (guint[3]));
  for (guint32 i = 0; i < n; i++)
    if (i != corner[0] && i != corner[1] && i != corner[2] && i != corner[3])
      place (hull, 0, i);
}

/* What the point sees, connected; edges to what it does not see go round it in order. */
static void
search_from (Hull *hull, guint at, guint first_edge, guint32 point, GArray *seen, GArray *edges)
{
  Face *face = get_face (hull, at);

  face->seen = hull->search;
  g_array_append_val (seen, at);
  for (guint i = 0; i < 3; i++) {
    guint k = (first_edge + i) % 3;
    guint next = get_face (hull, at)->neighbour[k];
    Edge edge = { get_face (hull, at)->corner[k], get_face (hull, at)->corner[(k + 1) % 3], next };

    if (get_face (hull, next)->seen == hull->search)
      continue;
    if (hull->depth < MAX_DEPTH &&
        height_of (hull, get_face (hull, next), point) > FLATNESS * hull->scale) {
      guint back = 0;

      while (back < 2 && get_face (hull, next)->neighbour[back] != at)
        back++;
      hull->depth++;
      search_from (hull, next, back, point, seen, edges);
      hull->depth--;
    } else {
      g_array_append_val (edges, edge);
    }
  }
}

static void
replace_neighbour (Face *face, guint32 from, guint32 to, guint by)
{
  for (guint i = 0; i < 3; i++)
    if (face->corner[i] == to && face->corner[(i + 1) % 3] == from)
      face->neighbour[i] = by;
}

/* A cone of faces from the edges to the point. FALSE: the edges are no ring */
static gboolean
close_ring (Hull *hull, GArray *edges, guint32 point)
{
  guint first = hull->faces->len;
  guint n = edges->len;

  for (guint i = 0; i < n; i++) {
    const Edge *edge = &g_array_index (edges, Edge, i);

    if (n < 3 || edge->to != g_array_index (edges, Edge, (i + 1) % n).from)
      return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    Edge edge = g_array_index (edges, Edge, i);
    guint at = add_face (hull, edge.from, edge.to, point);
    Face *face = get_face (hull, at);

    face->neighbour[0] = edge.behind;
    face->neighbour[1] = first + (i + 1) % n;
    face->neighbour[2] = first + (i + n - 1) % n;
    replace_neighbour (get_face (hull, edge.behind), edge.from, edge.to, at);
  }
  return n > 0;
}

static void
hand_over (Hull *hull, GArray *seen, guint first, guint32 point)
{
  for (guint i = 0; i < seen->len; i++) {
    GArray *outside = get_face (hull, g_array_index (seen, guint, i))->outside;

    get_face (hull, g_array_index (seen, guint, i))->gone = TRUE;
    for (guint j = 0; j < outside->len; j++)
      if (g_array_index (outside, guint32, j) != point)
        place (hull, first, g_array_index (outside, guint32, j));
    g_array_set_size (outside, 0);
  }
}

/* Takes in the point that is highest above a face. */
static void
take_in (Hull *hull, guint at, GArray *seen, GArray *edges)
{
  GArray *outside = get_face (hull, at)->outside;
  guint first = hull->faces->len;
  guint best = 0;
  guint32 point;

  for (guint i = 1; i < outside->len; i++)
    if (height_of (hull, get_face (hull, at), g_array_index (outside, guint32, i)) >
        height_of (hull, get_face (hull, at), g_array_index (outside, guint32, best)))
      best = i;
  point = g_array_index (outside, guint32, best);
  g_array_remove_index_fast (outside, best);
  hull->search++;
  g_array_set_size (seen, 0);
  g_array_set_size (edges, 0);
  search_from (hull, at, 0, point, seen, edges);
  /* Rounding may leave no ring: then the point is left out, by less than the flatness. */
  if (close_ring (hull, edges, point))
    hand_over (hull, seen, first, point);
}

static void
grow (Hull *hull)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));

  for (guint i = 0; i < hull->faces->len; i++)
    while (!get_face (hull, i)->gone && get_face (hull, i)->outside->len > 0)
      take_in (hull, i, seen, edges);
}

/* --- a flat set --- */

/* The corners of the polygon in order, each the one farthest to the right of the last edge. */
static void
wrap (const Hull *hull, guint n, const guint32 corner[4], GArray *out)
{
  g_autoptr (GArray) ring = g_array_new (FALSE, FALSE, sizeof (guint32));
  double normal[3], a[3], b[3], c[3];
  guint32 at = corner[0];

  find_normal (get_point (hull, corner[0]), get_point (hull, corner[1]),
               get_point (hull, corner[2]), normal);
  do {
    guint32 next = at;

    g_array_append_val (ring, at);
    for (guint32 i = 0; i < n; i++) {
      double side, farther;

      minus (get_point (hull, i), get_point (hull, at), b);
      if (!(dot (b, b) > FLATNESS * FLATNESS * hull->scale * hull->scale))
        continue;
      minus (get_point (hull, next), get_point (hull, at), a);
      cross (b, a, c);
      side = dot (c, normal);
      farther = dot (b, b) - dot (a, a);
      if (next == at || side > FLATNESS * hull->scale * hull->scale ||
          (fabs (side) <= FLATNESS * hull->scale * hull->scale && farther > 0))
        next = i;
    }
    at = next;
  } while (at != corner[0] && ring->len <= n);
  for (guint i = 2; i < ring->len; i++) {
    const guint32 t[3] = { g_array_index (ring, guint32, 0), g_array_index (ring, guint32, i - 1),
                           g_array_index (ring, guint32, i) };

    g_array_append_vals (out, t, 3);
  }
}

GArray *
hull_make (const double *points, guint n)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (guint32));
  Hull hull = { .points = points, .search = 0 };
  guint32 corner[4];
  guint dimension = n >= 3 ? find_first (&hull, n, corner) : 0;

  if (dimension == 2)
    wrap (&hull, n, corner, out);
  if (dimension < 3)
    return out;
  hull.faces = g_array_new (FALSE, FALSE, sizeof (Face));
  begin (&hull, n, corner);
  grow (&hull);
  for (guint i = 0; i < hull.faces->len; i++) {
    Face *face = get_face (&hull, i);

    if (!face->gone)
      g_array_append_vals (out, face->corner, 3);
    g_array_unref (face->outside);
  }
  g_array_unref (hull.faces);
  return out;
}
