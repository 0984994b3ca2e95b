/* SPDX-License-Identifier: BSD-3-Clause */
/* What friction asks of a tree of bodies, against MuJoCo's own Jacobians and inertia of the whole.
 */
#include "../../plugins/physics/mujoco/trees.h"

#include <glib/gstdio.h>
#include <math.h>

#define EPSILON 1e-11
#define WIDTH 6

static const char robots[] =
    "<mujoco><worldbody>"
    "<body pos='3 0 1'><freejoint/><geom type='box' size='.1 .2 .3' mass='2'/></body>"
    "<body name='trunk' pos='0 0 1'><freejoint/><geom type='box' size='.3 .2 .1' mass='5'/>"
    "<body pos='.3 .1 0'><joint axis='1 0 0' armature='.01'/><geom type='sphere' size='.05'/>"
    "<body pos='0 0 -.1'><joint type='ball'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 "
    "-.2'/>"
    "<body name='foot' pos='0 0 -.2'><joint type='slide' axis='0 0 1'/>"
    "<geom type='sphere' size='.03'/></body></body></body>"
    "<body name='hand' pos='-.3 .1 .1'><joint axis='0 1 0'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 .2 0 .1'/></body>"
    "</body></worldbody></mujoco>";

typedef struct {
  mjModel *m;
  mjData *d;
  Trees trees;
  int foot, hand; /* bodies */
  int low;        /* of their tree */
  double point[3];
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "orrery-trees-XXXXXX", NULL);
  char words[500] = "";
  int file = g_mkstemp (path);
  int last;

  g_assert_true (g_close (file, NULL));
  g_assert_true (g_file_set_contents (path, robots, -1, NULL));
  fixture->m = mj_loadXML (path, NULL, words, sizeof words);
  g_assert_cmpstr (words, ==, "");
  g_remove (path);
  fixture->d = mj_makeData (fixture->m);
  /* Anywhere but where axes are those of the world. */
  for (int i = 0; i < fixture->m->nq; i++)
    fixture->d->qpos[i] += 0.1 * sin (3 * i + 1);
  mj_forward (fixture->m, fixture->d);
  trees_init (&fixture->trees, fixture->m);
  fixture->foot = mj_name2id (fixture->m, mjOBJ_BODY, "foot");
  fixture->hand = mj_name2id (fixture->m, mjOBJ_BODY, "hand");
  last = trees_get_last (&fixture->trees, fixture->foot);
  fixture->low = fixture->trees.low[last];
  g_assert_cmpint (fixture->low, ==, 6);
  g_assert_cmpint (fixture->trees.high[fixture->low], ==, fixture->m->nv);
  for (int k = 0; k < 3; k++)
    fixture->point[k] = 0.2 + 0.3 * k;
}

static void
tear_down (Fixture *fixture, gconstpointer unused)
{
  trees_clear (&fixture->trees);
  mj_deleteData (fixture->d);
  mj_deleteModel (fixture->m);
}

/* Six numbers for each freedom of the tree, and which of these the body has. */
static guint
find_ways (Fixture *f, int body, double *ways, int *freedoms)
{
  double arm[3];
  guint n = 0;

  trees_get_arm (&f->trees, f->d, body, f->point, arm);
  for (int dof = trees_get_last (&f->trees, body); dof >= 0; dof = f->m->dof_parentid[dof]) {
    freedoms[n++] = dof - f->low;
    trees_get_way (f->d, dof, arm, ways + WIDTH * (dof - f->low));
  }
  return n;
}

static void
assert_near (double a, double b)
{
  g_assert_cmpfloat_with_epsilon (a, b, EPSILON * (1 + fabs (b)));
}

/* By MuJoCo: one column of the Jacobian, all freedoms. */
static void
get_column (Fixture *f, int body, int column, double *out)
{
  int nv = f->m->nv;
  g_autofree double *linear = g_new0 (double, 3 * nv), *angular = g_new0 (double, 3 * nv);

  mj_jac (f->m, f->d, linear, angular, f->point, body);
  for (int i = 0; i < nv; i++)
    out[i] = column < 3 ? linear[column * nv + i] : angular[(column - 3) * nv + i];
}

static void
test_ways (Fixture *f, gconstpointer unused)
{
  int nv = f->m->nv, n = nv - f->low;
  g_autofree double *ways = g_new0 (double, WIDTH *n), *column = g_new0 (double, nv);
  g_autofree int *freedoms = g_new0 (int, n);

  g_test_summary ("what moves a point is MuJoCo's Jacobian");
  g_assert_cmpuint (find_ways (f, f->foot, ways, freedoms), ==, 11);
  for (int c = 0; c < WIDTH; c++) {
    get_column (f, f->foot, c, column);
    for (int i = 0; i < n; i++)
      assert_near (ways[WIDTH * i + c], column[f->low + i]);
  }
}

/* Products of what is folded are those by the inverse of the inertia, of one body and of two. */
static void
test_fold (Fixture *f, gconstpointer unused)
{
  int nv = f->m->nv, n = nv - f->low;
  g_autofree double *foot = g_new0 (double, WIDTH *n), *hand = g_new0 (double, WIDTH *n);
  g_autofree double *a = g_new0 (double, nv), *b = g_new0 (double, nv), *x = g_new0 (double, nv);
  g_autofree int *foots = g_new0 (int, n), *hands = g_new0 (int, n);
  guint n_foot = find_ways (f, f->foot, foot, foots), n_hand = find_ways (f, f->hand, hand, hands);
  double most = 0;

  g_test_summary ("products of folded ways are products by the inverse inertia");
  trees_fold (&f->trees, f->d, f->low, foots, n_foot, WIDTH, foot);
  trees_fold (&f->trees, f->d, f->low, hands, n_hand, WIDTH, hand);
  for (int p = 0; p < WIDTH; p++)
    for (int q = 0; q < WIDTH; q++) {
      double own = 0, both = 0;

      get_column (f, f->foot, q, b);
      mj_solveM (f->m, f->d, x, b, 1);
      for (int i = 0; i < n; i++) {
        own += foot[WIDTH * i + p] * foot[WIDTH * i + q];
        both += hand[WIDTH * i + p] * foot[WIDTH * i + q];
      }
      get_column (f, f->foot, p, a);
      assert_near (own, mju_dot (a, x, nv));
      get_column (f, f->hand, p, a);
      assert_near (both, mju_dot (a, x, nv));
      most = fmax (most, fabs (both));
    }
  /* What pushes one moves the other. */
  g_assert_cmpfloat (most, >, 1e-3);
}

static void
test_unfold (Fixture *f, gconstpointer unused)
{
  const double wrench[WIDTH] = { 1, -2, 3, 0.5, 0.25, -1 };
  int nv = f->m->nv, n = nv - f->low;
  g_autofree double *foot = g_new0 (double, WIDTH *n), *change = g_new0 (double, n);
  g_autofree double *force = g_new0 (double, nv), *wanted = g_new0 (double, nv);
  g_autofree double *column = g_new0 (double, nv);
  g_autofree int *foots = g_new0 (int, n);
  guint n_foot = find_ways (f, f->foot, foot, foots);

  g_test_summary ("what is folded, added and unfolded is what a wrench changes");
  for (int c = 0; c < WIDTH; c++) {
    get_column (f, f->foot, c, column);
    mju_addToScl (force, column, wrench[c], nv);
  }
  mj_solveM (f->m, f->d, wanted, force, 1);
  trees_fold (&f->trees, f->d, f->low, foots, n_foot, WIDTH, foot);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < WIDTH; c++)
      change[i] += foot[WIDTH * i + c] * wrench[c];
  trees_unfold (&f->trees, f->d, f->low, change);
  for (int i = 0; i < n; i++)
    assert_near (change[i], wanted[f->low + i]);
  /* The hand, on which nothing acts, feels it. */
  g_assert_cmpfloat (fabs (wanted[nv - 1]), >, 1e-3);
}

static void
test_width (Fixture *f, gconstpointer unused)
{
  int n = f->m->nv - f->low;
  g_autofree double *all = g_new0 (double, WIDTH *n), *half = g_new0 (double, WIDTH *n);
  g_autofree int *foots = g_new0 (int, n);
  guint n_foot = find_ways (f, f->foot, all, foots);

  g_test_summary ("the first three numbers are the same alone");
  find_ways (f, f->foot, half, foots);
  trees_fold (&f->trees, f->d, f->low, foots, n_foot, WIDTH, all);
  trees_fold (&f->trees, f->d, f->low, foots, n_foot, 3, half);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++)
      g_assert_cmpfloat (all[WIDTH * i + c], ==, half[WIDTH * i + c]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/trees/ways", Fixture, NULL, set_up, test_ways, tear_down);
  g_test_add ("/trees/fold", Fixture, NULL, set_up, test_fold, tear_down);
  g_test_add ("/trees/unfold", Fixture, NULL, set_up, test_unfold, tear_down);
  g_test_add ("/trees/width", Fixture, NULL, set_up, test_width, tear_down);
  return g_test_run ();
}
