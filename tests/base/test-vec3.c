/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of vectors against numbers computed on paper, to the last bit. */
#include "base/orrery-vec3.h"

static const OrreryVec3 a = { 1, -2, 4 }, b = { 0.5, 3, -1 };

static void
assert_vec3 (OrreryVec3 v, double x, double y, double z)
{
  g_assert_cmpfloat (v.x, ==, x);
  g_assert_cmpfloat (v.y, ==, y);
  g_assert_cmpfloat (v.z, ==, z);
}

static void
test_sums (void)
{
  OrreryVec3 sum = a;

  g_test_summary ("sums, differences and multiples, component by component");
  assert_vec3 (orrery_vec3_add (&a, &b), 1.5, 1, 3);
  assert_vec3 (orrery_vec3_subtract (&a, &b), 0.5, -5, 5);
  assert_vec3 (orrery_vec3_multiply (&a, &b), 0.5, -6, -4);
  assert_vec3 (orrery_vec3_scale (&a, -2), -2, 4, -8);
  assert_vec3 (orrery_vec3_divide (&a, 4), 0.25, -0.5, 1);
  assert_vec3 (orrery_vec3_add_scaled (&a, &b, 2), 2, 4, 2);
  orrery_vec3_accumulate (&sum, &b, 2);
  orrery_vec3_accumulate (&sum, &sum, -1);
  assert_vec3 (sum, 0, 0, 0);
  /* A true quotient: 49 times the rounded 1 / 49 is not 1. */
  assert_vec3 (orrery_vec3_divide (&(OrreryVec3){ 49, 0, -49 }, 49), 1, 0, -1);
}

static void
test_products (void)
{
  OrreryVec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 }, c = orrery_vec3_cross (&a, &b);

  g_test_summary ("scalar and vector products; the axes are right-handed");
  g_assert_cmpfloat (orrery_vec3_dot (&a, &b), ==, -9.5);
  assert_vec3 (c, -10, 3, 4);
  g_assert_cmpfloat (orrery_vec3_dot (&a, &c), ==, 0);
  g_assert_cmpfloat (orrery_vec3_dot (&b, &c), ==, 0);
  assert_vec3 (orrery_vec3_cross (&x, &y), 0, 0, 1);
  assert_vec3 (orrery_vec3_cross (&y, &z), 1, 0, 0);
  assert_vec3 (orrery_vec3_cross (&z, &y), -1, 0, 0);
  assert_vec3 (orrery_vec3_cross (&a, &a), 0, 0, 0);
}

static void
test_lengths (void)
{
  OrreryVec3 p = { 3, -2, 7 }, q = { 1, 1, 1 };

  g_test_summary ("lengths and distances");
  g_assert_cmpfloat (orrery_vec3_length (&(OrreryVec3){ 2, -3, 6 }), ==, 7);
  g_assert_cmpfloat (orrery_vec3_distance (&p, &q), ==, 7);
  g_assert_cmpfloat (orrery_vec3_distance (&q, &p), ==, 7);
  g_assert_cmpfloat (orrery_vec3_distance (&p, &p), ==, 0);
}

static void
test_finite (void)
{
  g_test_summary ("one component that is not a number, or infinite, is enough");
  g_assert_true (orrery_vec3_is_finite (&a));
  g_assert_false (orrery_vec3_is_finite (&(OrreryVec3){ 0, NAN, 0 }));
  g_assert_false (orrery_vec3_is_finite (&(OrreryVec3){ 0, 0, -INFINITY }));
}

static void
test_widen (void)
{
  OrreryVec3 low = { INFINITY, INFINITY, INFINITY }, high = { -INFINITY, -INFINITY, -INFINITY };

  g_test_summary ("a box grows with its points, and passes over what is not a number");
  orrery_vec3_widen (&low, &high, &a);
  assert_vec3 (low, 1, -2, 4);
  assert_vec3 (high, 1, -2, 4);
  orrery_vec3_widen (&low, &high, &b);
  orrery_vec3_widen (&low, &high, &(OrreryVec3){ NAN, 0, 5 });
  assert_vec3 (low, 0.5, -2, -1);
  assert_vec3 (high, 1, 3, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/vec3/sums", test_sums);
  g_test_add_func ("/vec3/products", test_products);
  g_test_add_func ("/vec3/lengths", test_lengths);
  g_test_add_func ("/vec3/finite", test_finite);
  g_test_add_func ("/vec3/widen", test_widen);
  return g_test_run ();
}
