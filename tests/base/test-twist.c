/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion along a twist, against closed forms and the exponential of its matrix. */
#include "base/orrery-transform.h"

#include <string.h>

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

static void
assert_vec3 (const OrreryVec3 *v, double x, double y, double z, double epsilon)
{
  assert_near (v->x, x, epsilon);
  assert_near (v->y, y, epsilon);
  assert_near (v->z, z, epsilon);
}

/* --- 4 x 4 matrices, apart from our own arithmetic --- */

typedef struct {
  double m[4][4];
} Matrix;

static Matrix
multiply (const Matrix *a, const Matrix *b)
{
  Matrix out = { 0 };

  for (guint i = 0; i < 4; i++)
    for (guint k = 0; k < 4; k++)
      for (guint j = 0; j < 4; j++)
        out.m[i][j] += a->m[i][k] * b->m[k][j];
  return out;
}

static Matrix
from_pose (const OrreryTransform *pose)
{
  Matrix out = { 0 };
  OrreryMat3 r;

  orrery_quat_to_matrix (&pose->rotation, &r);
  for (guint i = 0; i < 9; i++)
    out.m[i / 3][i % 3] = r.m[i];
  out.m[0][3] = pose->position.x;
  out.m[1][3] = pose->position.y;
  out.m[2][3] = pose->position.z;
  out.m[3][3] = 1;
  return out;
}

/* Taylor's series of a 1024th, squared ten times. */
static Matrix
find_exponential (Matrix a)
{
  Matrix sum = { 0 }, term;

  for (guint i = 0; i < 16; i++)
    a.m[i / 4][i % 4] /= 1024;
  for (guint i = 0; i < 4; i++)
    sum.m[i][i] = 1;
  term = sum;
  for (guint n = 1; n < 12; n++) {
    term = multiply (&term, &a);
    for (guint i = 0; i < 16; i++) {
      term.m[i / 4][i % 4] /= n;
      sum.m[i / 4][i % 4] += term.m[i / 4][i % 4];
    }
  }
  for (guint i = 0; i < 10; i++)
    sum = multiply (&sum, &sum);
  return sum;
}

/* Of the twist whose velocity at the place of the body is @v. */
static Matrix
find_twist (const OrreryVec3 *at, const OrreryVec3 *v, const OrreryVec3 *w, double dt)
{
  Matrix out = { { { 0, -w->z * dt, w->y * dt, (v->x - (w->y * at->z - w->z * at->y)) * dt },
                   { w->z * dt, 0, -w->x * dt, (v->y - (w->z * at->x - w->x * at->z)) * dt },
                   { -w->y * dt, w->x * dt, 0, (v->z - (w->x * at->y - w->y * at->x)) * dt } } };

  return out;
}

static double
find_difference (const Matrix *a, const Matrix *b)
{
  double most = 0;

  for (guint i = 0; i < 16; i++)
    most = fmax (most, fabs (a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
  return most;
}

/* --- tests --- */

static void
test_half_turn (void)
{
  OrreryTransform pose = { { 0 }, { 1, 0, 0, 0 } };
  OrreryVec3 v = { 1, 0, 0.5 }, w = { 0, 0, G_PI };

  g_test_summary ("half a turn about z while it rises ends across the circle, looking back");
  orrery_transform_advance (&pose, &v, &w, 1);
  assert_vec3 (&pose.position, 0, 2 / G_PI, 0.5, 1e-15);
  assert_vec3 (&v, -1, 0, 0.5, 1e-15);
  assert_near (fabs (pose.rotation.z), 1, 1e-15);
}

static void
test_straight (void)
{
  OrreryTransform pose = { { 1, 2, 3 }, { 0.6, 0, 0.8, 0 } }, other = pose;
  OrreryVec3 v = { 1, -2, 0.5 }, none = { 0 };

  g_test_summary ("what does not turn goes straight, and its rotation keeps its bits");
  orrery_transform_advance (&pose, &v, &none, 2);
  orrery_transform_drift (&other, &v, &none, 2);
  assert_vec3 (&pose.position, 3, -2, 4, 1e-15);
  assert_vec3 (&v, 1, -2, 0.5, 1e-15);
  g_assert_cmpfloat (pose.rotation.w, ==, 0.6);
  g_assert_cmpmem (&pose, sizeof pose, &other, sizeof other);
}

static void
test_small (void)
{
  g_test_summary ("the series for small angles and the formula meet");
  for (double angle = 1e-12; angle < 1; angle *= 1.7) {
    OrreryTransform once = { { 0 }, { 1, 0, 0, 0 } }, twice = once;
    OrreryVec3 v = { 1, 2, 3 }, w = { angle, 2 * angle, -angle }, u = v;

    orrery_transform_advance (&once, &v, &w, 1);
    orrery_transform_advance (&twice, &u, &w, 0.5);
    orrery_transform_advance (&twice, &u, &w, 0.5);
    assert_vec3 (&once.position, twice.position.x, twice.position.y, twice.position.z, 1e-13);
  }
}

static void
check_exponential (const OrreryTransform *start, const OrreryVec3 *v, const OrreryVec3 *w,
                   double dt)
{
  OrreryTransform pose = *start, drifted = *start;
  Matrix here = from_pose (start), twist = find_twist (&start->position, v, w, dt);
  Matrix expected = find_exponential (twist), got, straight;
  OrreryVec3 turned = *v;

  expected = multiply (&expected, &here);
  orrery_transform_advance (&pose, &turned, w, dt);
  got = from_pose (&pose);
  g_assert_cmpfloat (find_difference (&got, &expected), <, 2e-12);
  /* The velocity turns with the body. */
  g_assert_cmpfloat (fabs (orrery_vec3_length (&turned) - orrery_vec3_length (v)), <, 1e-14);

  orrery_transform_drift (&drifted, v, w, dt);
  straight = from_pose (&drifted);
  assert_vec3 (&drifted.position, start->position.x + v->x * dt, start->position.y + v->y * dt,
               start->position.z + v->z * dt, 1e-14);
  for (guint i = 0; i < 3; i++)
    expected.m[i][3] = straight.m[i][3];
  g_assert_cmpfloat (find_difference (&straight, &expected), <, 2e-12);
  /* The two are not one: the arc is bent. */
  g_assert_cmpfloat (find_difference (&straight, &got), >, 1e-3);
}

static void
test_exponential (void)
{
  OrreryTransform start = { { 0.3, -2, 1 }, { 0 } };

  g_test_summary ("a screw is the exponential of its twist, from any pose; a drift turns alike");
  orrery_quat_from_euler (0.4, -0.7, 2.1, &start.rotation);
  for (double x = -2; x <= 2; x += 0.9)
    for (double y = -1; y <= 1; y += 0.7)
      for (double dt = 0.1; dt < 3; dt *= 2.3) {
        OrreryVec3 v = { x, 0.7, y - 0.5 }, w = { 0.3 * y, -0.8 * x, 1.2 };

        check_exponential (&start, &v, &w, dt);
      }
}

static void
test_turn (void)
{
  OrreryQuat q, expected;
  OrreryVec3 turn = { 0, 0, G_PI_2 };

  g_test_summary ("a rotation is turned in the outer axes, and comes out of length 1");
  orrery_quat_from_euler (0.5, 0, 0, &q);
  q = (OrreryQuat){ 2 * q.w, 2 * q.x, 2 * q.y, 2 * q.z };
  orrery_quat_turn (&q, &turn);
  orrery_quat_from_euler (0.5, 0, G_PI_2, &expected);
  assert_near (q.w, expected.w, 1e-15);
  assert_near (q.x, expected.x, 1e-15);
  assert_near (q.y, expected.y, 1e-15);
  assert_near (q.z, expected.z, 1e-15);
}

static void
test_matrix (void)
{
  OrreryQuat q;
  OrreryMat3 m;
  OrreryVec3 v = { 1, -2, 3 }, turned, there;

  g_test_summary ("a matrix of a rotation turns as its quaternion, and back");
  orrery_quat_from_euler (0.4, -0.7, 2.1, &q);
  orrery_quat_to_matrix (&q, &m);
  orrery_quat_rotate (&q, &v, &turned);
  there = orrery_mat3_apply (&m, &v);
  assert_vec3 (&there, turned.x, turned.y, turned.z, 2e-15);
  there = orrery_mat3_apply_back (&m, &there);
  assert_vec3 (&there, 1, -2, 3, 2e-15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/twist/half-turn", test_half_turn);
  g_test_add_func ("/twist/straight", test_straight);
  g_test_add_func ("/twist/small", test_small);
  g_test_add_func ("/twist/exponential", test_exponential);
  g_test_add_func ("/twist/turn", test_turn);
  g_test_add_func ("/twist/matrix", test_matrix);
  return g_test_run ();
}
