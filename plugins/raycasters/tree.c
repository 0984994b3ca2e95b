/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of boxes around the triangles of a mesh. */
#include "tree.h"

#include <math.h>

/* Limit of triangles in a leaf. */
#define LEAF 4
/* From this depth on boxes are split by number instead of position, so that the depth is bounded
 * for any mesh. */
#define DEEP 60
/* DEEP, and what 2^32 triangles need when they are halved. */
#define MAX_DEPTH 96
/* By how much boxes are larger than what is in them, of all lengths that are in play: more than the
 * roundings of a test, less than what costs time. */
#define SLACK 1e-9

typedef struct {
  double low[3];
  double high[3];
  guint32 first; /* of its triangles in the order; or the first of its two nodes */
  guint32 n;     /* 0: it has two nodes */
} Node;

struct _RayTree {
  GArray *nodes;  /* (element-type Node) */
  guint32 *order; /* numbers of triangles */
  double reach;   /* the largest coordinate */
};

typedef struct {
  RayTree *tree;
  const RayMesh *mesh;
  double (*middles)[3]; /* by number of triangle */
} Builder;

static const double *
get_corner (const RayMesh *mesh, guint32 triangle, guint i)
{
  return mesh->points + 3 * (gsize) mesh->triangles[3 * (gsize) triangle + i];
}

static void
grow (double low[3], double high[3], const double *point)
{
  for (guint k = 0; k < 3; k++) {
    low[k] = fmin (low[k], point[k]);
    high[k] = fmax (high[k], point[k]);
  }
}

static void
bound (const Builder *builder, Node *node, guint32 first, guint32 n)
{
  for (guint k = 0; k < 3; k++) {
    node->low[k] = INFINITY;
    node->high[k] = -INFINITY;
  }
  for (guint32 i = 0; i < n; i++)
    for (guint k = 0; k < 3; k++)
      grow (node->low, node->high, get_corner (builder->mesh, builder->tree->order[first + i], k));
  node->first = first;
  node->n = n;
}

/* Those below the middle of the axis along which they lie farthest apart come first. Returns: how
 * many */
static guint32
divide (Builder *builder, guint32 first, guint32 n)
{
  guint32 *order = builder->tree->order + first;
  double low[3] = { INFINITY, INFINITY, INFINITY };
  double high[3] = { -INFINITY, -INFINITY, -INFINITY };
  double limit;
  guint32 n_below = 0;
  guint axis = 0;

  for (guint32 i = 0; i < n; i++)
    grow (low, high, builder->middles[order[i]]);
  for (guint k = 1; k < 3; k++)
    if (high[k] - low[k] > high[axis] - low[axis])
      axis = k;
  limit = low[axis] + (high[axis] - low[axis]) / 2;
  for (guint32 i = 0; i < n; i++) {
    guint32 kept = order[i];

    if (builder->middles[kept][axis] >= limit)
      continue;
    order[i] = order[n_below];
    order[n_below++] = kept;
  }
  return n_below;
}

static void
build (Builder *builder, guint32 number, guint32 first, guint32 n, guint depth)
{
  GArray *nodes = builder->tree->nodes;
  guint32 below, children = nodes->len;

  bound (builder, &g_array_index (nodes, Node, number), first, n);
  if (n <= LEAF)
    return;
  below = depth < DEEP ? divide (builder, first, n) : 0;
  if (below == 0 || below == n)
    below = n / 2;
  g_array_set_size (nodes, children + 2);
  g_array_index (nodes, Node, number).first = children;
  g_array_index (nodes, Node, number).n = 0;
  build (builder, children, first, below, depth + 1);
  build (builder, children + 1, first + below, n - below, depth + 1);
}

/* What has a corner that is not finite is met by no ray. */
static gboolean
find_middle (const RayMesh *mesh, guint32 triangle, double *middle)
{
  double low[3] = { INFINITY, INFINITY, INFINITY };
  double high[3] = { -INFINITY, -INFINITY, -INFINITY };

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++)
      if (!isfinite (get_corner (mesh, triangle, i)[k]))
        return FALSE;
  for (guint i = 0; i < 3; i++)
    grow (low, high, get_corner (mesh, triangle, i));
  for (guint k = 0; k < 3; k++)
    middle[k] = low[k] / 2 + high[k] / 2;
  return TRUE;
}

RayTree *
ray_tree_new (const RayMesh *mesh)
{
  RayTree *tree = g_new0 (RayTree, 1);
  g_autofree gpointer middles = g_malloc (MAX (1, mesh->n_triangles) * sizeof (double[3]));
  Builder builder = { tree, mesh, middles };
  guint32 n = 0;

  tree->nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  tree->order = g_new (guint32, MAX (1, mesh->n_triangles));
  for (guint32 i = 0; i < mesh->n_triangles; i++)
    if (find_middle (mesh, i, builder.middles[i]))
      tree->order[n++] = i;
  if (n == 0)
    return tree;
  g_array_set_size (tree->nodes, 1);
  build (&builder, 0, 0, n, 0);
  for (guint k = 0; k < 3; k++) {
    const Node *root = &g_array_index (tree->nodes, Node, 0);

    tree->reach = fmax (tree->reach, fmax (fabs (root->low[k]), fabs (root->high[k])));
  }
  return tree;
}

void
ray_tree_free (RayTree *tree)
{
  g_array_unref (tree->nodes);
  g_free (tree->order);
  g_free (tree);
}

/* --- rays --- */

typedef struct {
  double origin[3];
  double inverse[3]; /* 1 / direction */
  double slack;
} Slabs;

static Slabs
make_slabs (const RayTree *tree, const RayProbe *probe)
{
  const OrreryVec3 *o = &probe->origin, *d = &probe->direction;

  return (Slabs){ .origin = { o->x, o->y, o->z },
                  .inverse = { 1 / d->x, 1 / d->y, 1 / d->z },
                  .slack = SLACK * (tree->reach + fabs (o->x) + fabs (o->y) + fabs (o->z)) };
}

/* Where the ray enters the box; infinite: it does not, or from @far on. */
static double
enter (const Node *node, const Slabs *slabs, double near, double far)
{
  double in = near - slabs->slack, out = far + slabs->slack;

  for (guint k = 0; k < 3; k++) {
    double a = (node->low[k] - slabs->slack - slabs->origin[k]) * slabs->inverse[k];
    double b = (node->high[k] + slabs->slack - slabs->origin[k]) * slabs->inverse[k];

    /* For a ray along a side of the box, a or b is NaN and is ignored. */
    if (slabs->inverse[k] < 0) {
      in = b > in ? b : in;
      out = a < out ? a : out;
    } else {
      in = a > in ? a : in;
      out = b < out ? b : out;
    }
  }
  return in <= out + slabs->slack ? in : INFINITY;
}

static void
probe_leaf (const RayTree *tree, const RayMesh *mesh, const Node *node, const RayShear *shear,
            RayProbe *probe)
{
  for (guint32 i = 0; i < node->n; i++) {
    guint32 triangle = tree->order[node->first + i];
    RayProbe one = *probe;

    one.found = FALSE;
    if ((probe->outside && ray_mesh_faces_away (mesh, triangle, &probe->direction)) ||
        !ray_probe_triangle (&one, shear, get_corner (mesh, triangle, 0),
                             get_corner (mesh, triangle, 1), get_corner (mesh, triangle, 2)) ||
        (probe->found && !(one.t < probe->t || (one.t == probe->t && triangle < probe->triangle))))
      continue;
    probe->found = TRUE;
    probe->t = one.t;
    probe->triangle = triangle;
  }
}

gboolean
ray_tree_probe (const RayTree *tree, const RayMesh *mesh, RayProbe *probe)
{
  Slabs slabs = make_slabs (tree, probe);
  guint32 stack[MAX_DEPTH + 2];
  guint n = 0;
  RayShear shear;

  if (tree->nodes->len == 0)
    return FALSE;
  ray_shear_init (&shear, &probe->direction);
  for (stack[n++] = 0; n > 0;) {
    const Node *node = &g_array_index (tree->nodes, Node, stack[--n]);
    double far = probe->found ? probe->t : probe->far;
    double in[2];
    guint first;

    if (node->n > 0 && enter (node, &slabs, probe->near, far) < INFINITY)
      probe_leaf (tree, mesh, node, &shear, probe);
    if (node->n > 0)
      continue;
    for (guint i = 0; i < 2; i++)
      in[i] = enter (&g_array_index (tree->nodes, Node, node->first + i), &slabs, probe->near, far);
    /* The nearer one is looked at first. */
    first = in[1] < in[0];
    if (in[!first] < INFINITY)
      stack[n++] = node->first + !first;
    if (in[first] < INFINITY)
      stack[n++] = node->first + first;
  }
  if (probe->found)
    probe->normal =
        *(const OrreryVec3 *) (gconstpointer) (mesh->planes + 4 * (gsize) probe->triangle);
  return probe->found;
}
