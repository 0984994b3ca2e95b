/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-transform.h"

#include <math.h>

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* Shown apart from our own arithmetic: matrices multiplied by hand. */
static void
matrix_multiply (const double *a, const double *b, double *out)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static void
euler_matrix (double roll, double pitch, double yaw, double *out)
{
  double rx[9] = { 1, 0, 0, 0, cos (roll), -sin (roll), 0, sin (roll), cos (roll) };
  double ry[9] = { cos (pitch), 0, sin (pitch), 0, 1, 0, -sin (pitch), 0, cos (pitch) };
  double rz[9] = { cos (yaw), -sin (yaw), 0, sin (yaw), cos (yaw), 0, 0, 0, 1 };
  double zy[9];

  matrix_multiply (rz, ry, zy);
  matrix_multiply (zy, rx, out);
}

/* 0 for one rotation, whichever sign its quaternions have */
static double
apart (const OrreryQuat *a, const OrreryQuat *b)
{
  double sign = a->w * b->w + a->x * b->x + a->y * b->y + a->z * b->z < 0 ? -1 : 1;

  return sqrt (pow (a->w - sign * b->w, 2) + pow (a->x - sign * b->x, 2) +
               pow (a->y - sign * b->y, 2) + pow (a->z - sign * b->z, 2));
}

static void
assert_vec3 (const OrreryVec3 *v, double x, double y, double z, double epsilon)
{
  assert_near (v->x, x, epsilon);
  assert_near (v->y, y, epsilon);
  assert_near (v->z, z, epsilon);
}

static void
assert_euler (const OrreryQuat *q, double roll, double pitch, double yaw, double epsilon)
{
  double r, p, y;

  orrery_quat_to_euler (q, &r, &p, &y);
  assert_near (r, roll, epsilon);
  assert_near (p, pitch, epsilon);
  assert_near (y, yaw, epsilon);
}

static void
check_convention (double roll, double pitch, double yaw)
{
  OrreryQuat q, back;
  OrreryMat3 m;
  double expected[9];

  orrery_quat_from_euler (roll, pitch, yaw, &q);
  orrery_quat_to_matrix (&q, &m);
  euler_matrix (roll, pitch, yaw, expected);
  for (int i = 0; i < 9; i++)
    assert_near (m.m[i], expected[i], 2e-15);
  orrery_quat_from_matrix (&m, &back);
  g_assert_cmpfloat (apart (&q, &back), <, 2e-15);
  g_assert_cmpfloat (back.w, >=, 0);
  /* a vector turned by the quaternion is the matrix times the vector */
  OrreryVec3 v = { 1, -2, 3 }, turned;
  orrery_quat_rotate (&q, &v, &turned);
  assert_vec3 (&turned, m.m[0] - 2 * m.m[1] + 3 * m.m[2], m.m[3] - 2 * m.m[4] + 3 * m.m[5],
               m.m[6] - 2 * m.m[7] + 3 * m.m[8], 1e-14);
  orrery_quat_rotate_back (&q, &turned, &turned);
  assert_vec3 (&turned, 1, -2, 3, 1e-14);
}

static void
test_sign (void)
{
  static const struct {
    OrreryQuat q;
    OrreryQuat shown;
  } rows[] = {
    { { -0.8, 0.6, 0, 0 }, { 0.8, -0.6, 0, 0 } },
    { { 0.8, -0.6, 0, 0 }, { 0.8, -0.6, 0, 0 } },
    /* w2 is 1.21e-4: no half turn. */
    { { -0.011, 0, 0, 0.99993949817 }, { 0.011, 0, 0, -0.99993949817 } },
    /* 0.81e-4: one. */
    { { -0.009, 0, 0, 0.99995949918 }, { -0.009, 0, 0, 0.99995949918 } },
    { { 0.009, 0.6, -0.79993671, 0 }, { -0.009, -0.6, 0.79993671, 0 } },
    { { 0, -1, 0, 0 }, { 0, 1, 0, 0 } },
  };

  g_test_summary ("of two quaternions the one that a matrix gives in MORSE");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    OrreryQuat q = rows[i].q;

    orrery_quat_choose_sign (&q);
    g_assert_cmpfloat (q.w, ==, rows[i].shown.w);
    g_assert_cmpfloat (q.x, ==, rows[i].shown.x);
    g_assert_cmpfloat (q.y, ==, rows[i].shown.y);
    g_assert_cmpfloat (q.z, ==, rows[i].shown.z);
  }
}

static void
test_convention (void)
{
  g_test_summary ("euler angles, quaternions and matrices are one rotation, Rz Ry Rx, on a grid");
  for (double roll = -3.1; roll < 3.2; roll += 0.77)
    for (double pitch = -1.5; pitch < 1.6; pitch += 0.43)
      for (double yaw = -3.1; yaw < 3.2; yaw += 0.71)
        check_convention (roll, pitch, yaw);
  check_convention (G_PI, 0, 0);
  check_convention (0, G_PI_2, 0);
  check_convention (0, 0, G_PI);
  check_convention (G_PI, 0, G_PI);
}

static void
test_by_hand (void)
{
  OrreryQuat q;
  OrreryVec3 v = { 1, 0, 0 };
  double h = sqrt (0.5);

  g_test_summary ("numbers computed apart, on paper");
  /* a quarter turn to the left about z takes x to y */
  orrery_quat_from_euler (0, 0, G_PI_2, &q);
  assert_near (q.w, h, 2e-16);
  assert_near (q.z, h, 2e-16);
  orrery_quat_rotate (&q, &v, &v);
  assert_vec3 (&v, 0, 1, 0, 1e-15);
  /* pitch turns the nose down: x to -z */
  v = (OrreryVec3){ 1, 0, 0 };
  orrery_quat_from_euler (0, G_PI_2, 0, &q);
  orrery_quat_rotate (&q, &v, &v);
  assert_vec3 (&v, 0, 0, -1, 1e-15);
  /* roll first, yaw last: y goes up to z by the roll and stays there */
  v = (OrreryVec3){ 0, 1, 0 };
  orrery_quat_from_euler (G_PI_2, 0, 1.234, &q);
  orrery_quat_rotate (&q, &v, &v);
  assert_vec3 (&v, 0, 0, 1, 1e-15);
  /* roll 0.1, pitch 0.2, yaw 0.3 */
  orrery_quat_from_euler (0.1, 0.2, 0.3, &q);
  assert_near (q.w, 0.983347443256355623, 1e-15);
  assert_near (q.x, 0.034270798550482, 2e-15);
  assert_near (q.y, 0.106020511061796, 2e-15);
  assert_near (q.z, 0.143572175027392, 2e-15);
}

static void
check_euler_round_trip (double roll, double pitch, double yaw)
{
  OrreryQuat q, back;
  double r, p, y;

  orrery_quat_from_euler (roll, pitch, yaw, &q);
  orrery_quat_to_euler (&q, &r, &p, &y);
  g_assert_true (r > -G_PI && r <= G_PI);
  g_assert_true (p >= -G_PI && p <= G_PI);
  g_assert_cmpfloat (fabs (r) + fabs (p) + fabs (y), <=, 1.5 * G_PI + 2e-9);
  g_assert_true (y > -G_PI && y <= G_PI);
  orrery_quat_from_euler (r, p, y, &back);
  g_assert_cmpfloat (apart (&q, &back), <, 2e-14);
}

static void
test_euler_round_trip (void)
{
  static const double near_pole[] = { 0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3 };

  g_test_summary ("angles give the rotation back, close to the poles as anywhere");
  for (double roll = -6.3; roll < 6.4; roll += 0.63)
    for (double pitch = -3.15; pitch < 3.2; pitch += 0.45)
      for (double yaw = -6.3; yaw < 6.4; yaw += 0.63)
        check_euler_round_trip (roll, pitch, yaw);
  for (guint i = 0; i < G_N_ELEMENTS (near_pole); i++)
    for (double roll = -3; roll < 3; roll += 0.4)
      for (double yaw = -3; yaw < 3; yaw += 0.4) {
        check_euler_round_trip (roll, G_PI_2 - near_pole[i], yaw);
        check_euler_round_trip (roll, near_pole[i] - G_PI_2, yaw);
      }
}

static void
test_euler_values (void)
{
  OrreryQuat q;

  g_test_summary ("away from the poles the angles themselves come back");
  for (double pitch = -1.5; pitch < 1.6; pitch += 0.3) {
    orrery_quat_from_euler (0.3, pitch, -2.9, &q);
    assert_euler (&q, 0.3, pitch, -2.9, 1e-14);
    q = (OrreryQuat){ -q.w, -q.x, -q.y, -q.z };
    assert_euler (&q, 0.3, pitch, -2.9, 1e-14);
  }
  orrery_quat_from_euler (1e-12, 2e-12, -3e-12, &q);
  assert_euler (&q, 1e-12, 2e-12, -3e-12, 1e-27);
}

static void
test_euler_exact (void)
{
  OrreryQuat q;
  double r, p, y;

  g_test_summary ("a turn about one axis leaves exact zeros; half turns are +pi");
  orrery_quat_from_euler (0, 0, 0.7, &q);
  orrery_quat_to_euler (&q, &r, &p, &y);
  g_assert_true (r == 0 && p == 0);
  orrery_quat_from_euler (0.7, 0, 0, &q);
  orrery_quat_to_euler (&q, &r, &p, &y);
  g_assert_true (p == 0 && y == 0);
  q = (OrreryQuat){ 0, 0, 0, -1 };
  orrery_quat_to_euler (&q, &r, &p, &y);
  g_assert_true (r == 0 && p == 0 && y == G_PI);
  q = (OrreryQuat){ -1, 0, 0, 0 };
  orrery_quat_to_euler (&q, &r, &p, &y);
  g_assert_true (r == 0 && p == 0 && y == 0);
}

static void
test_euler_poles (void)
{
  OrreryQuat q;

  g_test_summary ("at the poles roll is 0 and yaw holds the rest; rounding above 1 gives no NaN");
  orrery_quat_from_euler (0.3, G_PI_2, 0.5, &q);
  assert_euler (&q, 0, G_PI_2, 0.2, 1e-14);
  orrery_quat_from_euler (0.3, -G_PI_2, 0.5, &q);
  assert_euler (&q, 0, -G_PI_2, 0.8, 1e-14);
  q = (OrreryQuat){ 0.70710678118654768, 0, 0.70710678118654768, 0 };
  g_assert_cmpfloat (2 * q.w * q.y, >, 1);
  assert_euler (&q, 0, G_PI_2, 0, 1e-14);
  q.y = -q.y;
  assert_euler (&q, 0, -G_PI_2, 0, 1e-14);
}

static void
test_rotation_vector (void)
{
  static const double angles[] = { 0, 1e-300, 1e-200, 1e-9, 0.99e-4, 1.01e-4, 0.1, 1, 3, 3.14159 };
  OrreryQuat q;
  OrreryVec3 v = { 0, 0, 0.3 }, back;

  g_test_summary ("rotation vectors there and back, smoothly through small angles");
  orrery_quat_from_rotation_vector (&v, &q);
  assert_euler (&q, 0, 0, 0.3, 1e-16);
  for (guint i = 0; i < G_N_ELEMENTS (angles); i++) {
    double a = angles[i];

    v = (OrreryVec3){ 2 * a / 3, -a / 3, 2 * a / 3 };
    orrery_quat_from_rotation_vector (&v, &q);
    orrery_quat_to_rotation_vector (&q, &back);
    assert_vec3 (&back, v.x, v.y, v.z, 4e-16 * a + 1e-310);
    q = (OrreryQuat){ -q.w, -q.x, -q.y, -q.z };
    orrery_quat_to_rotation_vector (&q, &back);
    assert_vec3 (&back, v.x, v.y, v.z, 4e-16 * a + 1e-310);
  }
}

static void
test_multiply (void)
{
  OrreryQuat a, b, both, expected;

  g_test_summary ("a product turns by its second factor first; out may be an operand");
  orrery_quat_from_euler (0, 0, 0.5, &a);
  orrery_quat_from_euler (0.2, 0, 0, &b);
  orrery_quat_from_euler (0.2, 0, 0.5, &expected);
  orrery_quat_multiply (&a, &b, &both);
  g_assert_cmpfloat (apart (&both, &expected), <, 1e-15);
  both = b;
  orrery_quat_multiply (&a, &both, &both);
  g_assert_cmpfloat (apart (&both, &expected), <, 1e-15);
  /* and the other order is another rotation */
  orrery_quat_multiply (&b, &a, &both);
  g_assert_cmpfloat (apart (&both, &expected), >, 0.01);
  orrery_quat_conjugate (&both, &a);
  orrery_quat_multiply (&a, &both, &both);
  orrery_quat_identity (&expected);
  g_assert_cmpfloat (apart (&both, &expected), <, 1e-15);
}

static void
test_normalise (void)
{
  OrreryQuat q = { 2, 0, 0, -2 };

  g_test_summary ("normalising keeps the rotation; nothing becomes no rotation, and what is not "
                  "finite stays so");
  orrery_quat_normalise (&q);
  assert_near (q.w, sqrt (0.5), 2e-16);
  assert_near (q.z, -sqrt (0.5), 2e-16);
  q = (OrreryQuat){ 0, 0, 0, 0 };
  orrery_quat_normalise (&q);
  g_assert_true (q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
  for (guint i = 0; i < 8; i++) {
    OrreryTransform t = { { 0, 0, 0 }, { 1, 0, 0, 0 } };
    double *numbers = (double *) &t.rotation;

    numbers[i % 4] = i < 4 ? NAN : INFINITY;
    orrery_quat_normalise (&t.rotation);
    g_assert_false (orrery_transform_is_finite (&t));
  }
}

static void
test_transform (void)
{
  OrreryTransform a = { { 1, 2, 3 }, { 0 } }, b = { { 1, 0, 0 }, { 0 } }, c;
  OrreryVec3 v = { 1, 0, 0 };

  g_test_summary ("a pose in a frame that is turned to the left and moved, by hand");
  orrery_quat_from_euler (0, 0, G_PI_2, &a.rotation);
  orrery_quat_from_euler (0, 0, G_PI_2, &b.rotation);
  orrery_transform_multiply (&a, &b, &c);
  assert_vec3 (&c.position, 1, 3, 3, 1e-15);
  assert_euler (&c.rotation, 0, 0, G_PI, 1e-15);
  orrery_transform_apply (&c, &v, &v);
  assert_vec3 (&v, 0, 3, 3, 1e-15);
  orrery_transform_relative (&a, &c, &c);
  assert_vec3 (&c.position, 1, 0, 0, 1e-15);
  assert_euler (&c.rotation, 0, 0, G_PI_2, 1e-15);
}

static void
test_transform_inverse (void)
{
  OrreryTransform t = { { -4, 5, 0.5 }, { 0 } }, back, one;

  g_test_summary ("there and back is where one was; out may be an operand");
  orrery_quat_from_euler (0.4, -0.9, 2.5, &t.rotation);
  orrery_transform_invert (&t, &back);
  orrery_transform_multiply (&t, &back, &one);
  assert_vec3 (&one.position, 0, 0, 0, 1e-14);
  assert_euler (&one.rotation, 0, 0, 0, 1e-15);
  one = t;
  orrery_transform_multiply (&back, &one, &one);
  assert_vec3 (&one.position, 0, 0, 0, 1e-14);
  orrery_transform_invert (&back, &back);
  assert_vec3 (&back.position, -4, 5, 0.5, 1e-14);
}

static void
test_finite (void)
{
  OrreryTransform t;
  double *numbers = (double *) &t;

  g_test_summary ("each number of a pose that is not finite is seen");
  orrery_transform_identity (&t);
  g_assert_true (orrery_transform_is_finite (&t));
  t.position.x = G_MAXDOUBLE;
  t.position.y = -G_MAXDOUBLE;
  g_assert_true (orrery_transform_is_finite (&t));
  for (int i = 0; i < 7; i++) {
    double kept = numbers[i];

    numbers[i] = NAN;
    g_assert_false (orrery_transform_is_finite (&t));
    numbers[i] = -INFINITY;
    g_assert_false (orrery_transform_is_finite (&t));
    g_assert_true (orrery_vec3_is_finite (&t.position) == (i >= 3));
    numbers[i] = kept;
  }
}

static void
test_normalise_angle (void)
{
  g_test_summary ("angles come into [-pi, pi); what is not finite has no direction");
  g_assert_cmpfloat (orrery_normalise_angle (0.5), ==, 0.5);
  g_assert_cmpfloat (orrery_normalise_angle (G_PI), ==, -G_PI);
  g_assert_cmpfloat (orrery_normalise_angle (-G_PI), ==, -G_PI);
  g_assert_cmpfloat (orrery_normalise_angle (3 * G_PI), ==, -G_PI);
  assert_near (orrery_normalise_angle (7), 7 - 2 * G_PI, 1e-15);
  assert_near (orrery_normalise_angle (-4), 2 * G_PI - 4, 1e-15);
  assert_near (orrery_normalise_angle (1 + 2e3 * G_PI), 1, 1e-12);
  g_assert_true (isnan (orrery_normalise_angle (NAN)));
  g_assert_true (isnan (orrery_normalise_angle (INFINITY)));
  g_assert_true (isnan (orrery_normalise_angle (-INFINITY)));
  for (double angle = -100; angle < 100; angle += 0.01) {
    double a = orrery_normalise_angle (angle);

    g_assert_true (a >= -G_PI && a < G_PI);
    assert_near (sin (a), sin (angle), 1e-13);
    assert_near (cos (a), cos (angle), 1e-13);
  }
}

static void
test_boxed (void)
{
  g_test_summary ("the value types box, copy and free");
  g_autofree OrreryVec3 *v = orrery_vec3_new (1, 2, 3);
  g_autofree OrreryQuat *q = orrery_quat_new (0.5, 0.5, 0.5, 0.5);
  g_autofree OrreryEuler *e = orrery_euler_new (1, 2, 3);
  g_autofree OrreryTransform *t = orrery_transform_new (v, q);
  g_autofree OrreryTransform *none = orrery_transform_new (NULL, NULL);
  g_auto (GValue) value = G_VALUE_INIT;

  g_assert_cmpfloat (t->position.z, ==, 3);
  g_assert_cmpfloat (none->rotation.w, ==, 1);
  g_assert_cmpfloat (e->yaw, ==, 3);
  g_value_init (&value, ORRERY_TYPE_TRANSFORM);
  g_value_set_boxed (&value, t);
  OrreryTransform *copy = g_value_get_boxed (&value);
  g_assert_true (copy != t);
  g_assert_cmpmem (copy, sizeof *copy, t, sizeof *t);
  g_assert_cmpfloat (orrery_vec3_length (&(OrreryVec3){ 2, -3, 6 }), ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/transform/convention", test_convention);
  g_test_add_func ("/transform/sign", test_sign);
  g_test_add_func ("/transform/by-hand", test_by_hand);
  g_test_add_func ("/transform/euler-round-trip", test_euler_round_trip);
  g_test_add_func ("/transform/euler-values", test_euler_values);
  g_test_add_func ("/transform/euler-exact", test_euler_exact);
  g_test_add_func ("/transform/euler-poles", test_euler_poles);
  g_test_add_func ("/transform/rotation-vector", test_rotation_vector);
  g_test_add_func ("/transform/multiply", test_multiply);
  g_test_add_func ("/transform/normalise", test_normalise);
  g_test_add_func ("/transform/transform", test_transform);
  g_test_add_func ("/transform/inverse", test_transform_inverse);
  g_test_add_func ("/transform/finite", test_finite);
  g_test_add_func ("/transform/normalise-angle", test_normalise_angle);
  g_test_add_func ("/transform/boxed", test_boxed);
  return g_test_run ();
}
