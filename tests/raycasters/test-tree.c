/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../plugins/raycasters/tree.h"

#include <string.h>

/* The tree around the triangles of a mesh against a test of each triangle. */

typedef struct {
  RayMesh mesh;
  GArray *points;    /* (element-type OrreryVec3) */
  GArray *triangles; /* (element-type guint32) */
} Built;

static void
built_init (Built *built)
{
  memset (built, 0, sizeof *built);
  built->points = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
  built->triangles = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
add_triangle (Built *built, const OrreryVec3 *a, const OrreryVec3 *b, const OrreryVec3 *c)
{
  const OrreryVec3 corners[3] = { *a, *b, *c };

  for (guint32 i = 0; i < 3; i++) {
    guint32 number = built->points->len;

    g_array_append_val (built->points, corners[i]);
    g_array_append_val (built->triangles, number);
  }
}

static void
finish (Built *built)
{
  built->mesh.points = (const double *) (gpointer) built->points->data;
  built->mesh.n_points = built->points->len;
  built->mesh.triangles = (guint32 *) (gpointer) built->triangles->data;
  built->mesh.n_triangles = built->triangles->len / 3;
  built->mesh.planes = g_new0 (double, 4 * (gsize) built->mesh.n_triangles + 4);
  /* The number of a triangle stands for its normal. */
  for (guint32 i = 0; i < built->mesh.n_triangles; i++)
    built->mesh.planes[4 * i] = i;
}

static void
built_clear (Built *built)
{
  g_free (built->mesh.planes);
  g_array_unref (built->points);
  g_array_unref (built->triangles);
}

static void
probe_all (const RayMesh *mesh, RayProbe *probe)
{
  RayShear shear;

  ray_shear_init (&shear, &probe->direction);
  for (guint32 i = 0; i < mesh->n_triangles; i++) {
    const guint32 *corner = mesh->triangles + 3 * i;

    if (!ray_probe_triangle (probe, &shear, mesh->points + 3 * (gsize) corner[0],
                             mesh->points + 3 * (gsize) corner[1],
                             mesh->points + 3 * (gsize) corner[2]))
      continue;
    probe->triangle = i;
    probe->normal.x = i;
  }
}

/* Returns: whether anything is met */
static gboolean
compare (const RayTree *tree, const RayMesh *mesh, const RayProbe *probe)
{
  RayProbe one = *probe, all = *probe;

  probe_all (mesh, &all);
  g_assert_true (ray_tree_probe (tree, mesh, &one) == all.found);
  if (!all.found)
    return FALSE;
  g_assert_cmpmem (&one.t, sizeof one.t, &all.t, sizeof all.t);
  g_assert_cmpuint (one.triangle, ==, all.triangle);
  g_assert_cmpfloat (one.normal.x, ==, all.triangle);
  return TRUE;
}

static RayProbe
make_probe (OrreryVec3 origin, OrreryVec3 direction)
{
  double length = orrery_vec3_length (&direction);

  return (RayProbe){
    .origin = origin,
    .direction = { direction.x / length, direction.y / length, direction.z / length },
    .far = INFINITY,
  };
}

static double
draw (GRand *random)
{
  return g_rand_double_range (random, -1, 1);
}

static OrreryVec3
draw_point (GRand *random, double scale, double away)
{
  return (OrreryVec3){ away + scale * draw (random), away + scale * draw (random),
                       scale * draw (random) };
}

static void
check_random (GRand *random, guint n, double size, double away)
{
  Built built;
  RayTree *tree;
  guint n_met = 0;

  built_init (&built);
  for (guint i = 0; i < n; i++) {
    OrreryVec3 at = draw_point (random, 10, away), b = at, c = at;

    b.x += size * draw (random);
    b.z += size * draw (random);
    c.y += size * draw (random);
    c.z += size * draw (random);
    /* Some twice, some without an area. */
    for (guint k = 0; k <= (i % 16 == 0); k++)
      add_triangle (&built, &at, i % 32 == 1 ? &at : &b, &c);
  }
  finish (&built);
  tree = ray_tree_new (&built.mesh);
  for (guint i = 0; i < 400; i++) {
    RayProbe probe =
        make_probe (draw_point (random, i % 2 == 0 ? 10 : 30, away), draw_point (random, 1, 0));

    probe.near = i % 3 == 0 ? 5 : 0;
    probe.far = i % 5 == 0 ? 12 : INFINITY;
    n_met += compare (tree, &built.mesh, &probe);
  }
  g_test_message ("%u of 400 rays meet one of %u", n_met, n);
  ray_tree_free (tree);
  built_clear (&built);
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (5);

  g_test_summary ("a ray meets what a test of each triangle finds, bit for bit");
  check_random (random, 1, 8, 0);
  check_random (random, 5, 8, 0);
  check_random (random, 300, 4, 0);
  check_random (random, 3000, 1, 0);
  check_random (random, 3000, 2, 1e6);
  check_random (random, 1000, 30, -1e5);
  g_rand_free (random);
}

/* Rays through the corners and along the edges of a grid, where several triangles are met at one
 * place: the first is the one. */
static void
test_ties (void)
{
  Built built;
  RayTree *tree;
  guint n_met = 0;

  g_test_summary ("of several triangles at one distance the first is met");
  built_init (&built);
  for (int i = 0; i < 24; i++)
    for (int k = 0; k < 24; k++) {
      OrreryVec3 a = { i, k, 0 }, b = { i + 1, k, 0 }, c = { i + 1, k + 1, 0 }, d = { i, k + 1, 0 };

      add_triangle (&built, &a, &b, &c);
      add_triangle (&built, &a, &c, &d);
      add_triangle (&built, &c, &b, &a);
    }
  finish (&built);
  tree = ray_tree_new (&built.mesh);
  for (int i = -1; i <= 50; i++)
    for (int k = -1; k <= 50; k++) {
      RayProbe down = make_probe ((OrreryVec3){ i / 2.0, k / 2.0, 3 }, (OrreryVec3){ 0, 0, -1 });
      RayProbe slant = make_probe ((OrreryVec3){ i / 2.0, k / 2.0, 3 }, (OrreryVec3){ 1, 2, -1 });
      RayProbe along = make_probe ((OrreryVec3){ i / 2.0, -1, 0 }, (OrreryVec3){ 0, 1, 0 });

      n_met += compare (tree, &built.mesh, &down);
      n_met += compare (tree, &built.mesh, &slant);
      compare (tree, &built.mesh, &along);
    }
  g_assert_cmpuint (n_met, >, 3000);
  ray_tree_free (tree);
  built_clear (&built);
}

/* All in one place, or each as far away again as the one before; and what is no number. */
static void
test_hostile (void)
{
  const OrreryVec3 none = { NAN, 0, INFINITY };
  Built built;
  RayTree *tree;
  RayProbe probe = make_probe ((OrreryVec3){ 0.2, 0.2, 1 }, (OrreryVec3){ 0, 0, -1 });

  g_test_summary ("triangles in one place, at all distances and without numbers end the tree");
  built_init (&built);
  finish (&built);
  tree = ray_tree_new (&built.mesh);
  g_assert_false (ray_tree_probe (tree, &built.mesh, &probe));
  ray_tree_free (tree);
  built_clear (&built);

  built_init (&built);
  for (guint i = 0; i < 2000; i++) {
    OrreryVec3 a = { 0, 0, 0 }, b = { 1, 0, 0 }, c = { 0, 1, 0 };
    double far = ldexp (1, (int) (i % 400));

    add_triangle (&built, &a, &b, i % 7 == 0 ? &none : &c);
    a.x = b.x = c.x = far;
    a.y = far;
    b.z = far;
    if (i < 1000)
      add_triangle (&built, &a, &b, &c);
  }
  finish (&built);
  tree = ray_tree_new (&built.mesh);
  g_assert_true (compare (tree, &built.mesh, &probe));
  for (int i = 0; i < 30; i++) {
    probe = make_probe ((OrreryVec3){ -1, 0.1, 0.1 }, (OrreryVec3){ 1, i * 0.1, 0.3 });
    compare (tree, &built.mesh, &probe);
  }
  ray_tree_free (tree);
  built_clear (&built);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raycasters/tree/random", test_random);
  g_test_add_func ("/raycasters/tree/ties", test_ties);
  g_test_add_func ("/raycasters/tree/hostile", test_hostile);
  return g_test_run ();
}
