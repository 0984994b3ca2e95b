/* SPDX-License-Identifier: BSD-3-Clause */
/* The friction pass against bodies that can be reckoned by hand. */
#include "../../plugins/physics/friction.h"

#include <math.h>

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* A disc that slides and turns on a floor; the pass pushes at its centre. */
typedef struct {
  double mass, inertia;
  OrreryVec3 linear, angular;
} Disc;

static void
measure (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular)
{
  const Disc *disc = patch->a;

  *linear = disc->linear;
  *angular = disc->angular;
}

static double
compliance (const FrictionPatch *patch, const OrreryVec3 *direction)
{
  return 1 / ((const Disc *) patch->a)->mass;
}

static double
spin_compliance (const FrictionPatch *patch, const OrreryVec3 *axis)
{
  return 1 / ((const Disc *) patch->a)->inertia;
}

static void
apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque)
{
  Disc *disc = patch->a;

  disc->linear.x += impulse->x / disc->mass;
  disc->linear.y += impulse->y / disc->mass;
  disc->linear.z += impulse->z / disc->mass;
  disc->angular.z += torque->z / disc->inertia;
}

static const FrictionEngine engine = { measure, compliance, spin_compliance, apply };

static FrictionPatch
patch_of (Disc *disc, double mu, double impulse, double radius)
{
  return (FrictionPatch){
    .a = disc, .mu = mu, .impulse = impulse, .normal = { 0, 0, 1 }, .radius = radius, .alone = TRUE
  };
}

static void
test_slides (void)
{
  Disc disc = { 2, 1, { 3, 4, 5 }, { 0 } };
  FrictionPatch patch = patch_of (&disc, 0.5, 2, 0.3);

  friction_solve (&engine, &patch, 1);
  /* 1 N s against 5 m/s along (3, 4): half a metre per second off; the normal's way is left alone
   */
  assert_near (disc.linear.x, 3 * 0.9, 1e-12);
  assert_near (disc.linear.y, 4 * 0.9, 1e-12);
  assert_near (disc.linear.z, 5, 1e-12);
  assert_near (patch.left, 0, 1e-12);
}

static void
test_sticks (void)
{
  Disc disc = { 2, 1, { 0.1, 0, 0 }, { 0 } };
  FrictionPatch patch = patch_of (&disc, 0.5, 2, 0.3);

  friction_solve (&engine, &patch, 1);
  assert_near (disc.linear.x, 0, 1e-15);
  assert_near (patch.left, 1 - 0.2, 1e-12);
}

static void
test_turns (void)
{
  Disc disc = { 2, 1, { 0 }, { 0, 0, 3 } };
  FrictionPatch patch = patch_of (&disc, 0.5, 2, 0.3);

  friction_solve (&engine, &patch, 1);
  assert_near (disc.angular.z, 3 - 0.2 * 1 * 0.3, 1e-12);

  disc.angular.z = -0.01;
  friction_solve (&engine, &patch, 1);
  assert_near (disc.angular.z, 0, 1e-15);
}

/* Sliding and turning share what there is: each gets less than it would alone. */
static void
test_shares (void)
{
  Disc disc = { 2, 1, { 3, 0, 0 }, { 0, 0, 10 } };
  FrictionPatch patch = patch_of (&disc, 0.5, 2, 0.4);

  friction_solve (&engine, &patch, 1);
  assert_near (disc.linear.x, 3 - 0.5 * 3 / 5, 1e-12);
  assert_near (disc.angular.z, 10 - 0.2 * 0.4 * 4 / 5, 1e-12);
}

static void
test_limits (void)
{
  Disc disc = { 1, 1, { 100, 0, 0 }, { 0 } };
  FrictionPatch patch = patch_of (&disc, 1000, 1, 0);

  friction_solve (&engine, &patch, 1);
  assert_near (disc.linear.x, 100 - FRICTION_MAX, 1e-12);

  disc.linear.x = 100;
  patch = patch_of (&disc, 0, 1, 0);
  friction_solve (&engine, &patch, 1);
  g_assert_cmpfloat (disc.linear.x, ==, 100);
}

/* What is no number is left alone rather than spread. */
static void
test_not_finite (void)
{
  Disc disc = { 1, 1, { NAN, 1, 0 }, { 0 } };
  FrictionPatch patch = patch_of (&disc, 1, 1, 0.1);

  friction_solve (&engine, &patch, 1);
  g_assert_cmpfloat (disc.linear.y, ==, 1);
}

/* Two patches on one body spend no more than both have, whatever the sweeps. */
static void
test_sweeps (void)
{
  Disc disc = { 1, 1, { 1, 0, 0 }, { 0 } };
  FrictionPatch patches[2] = { patch_of (&disc, 0.5, 0.4, 0), patch_of (&disc, 0.5, 0.8, 0) };

  patches[0].alone = patches[1].alone = FALSE;
  friction_solve (&engine, patches, 2);
  assert_near (disc.linear.x, 1 - 0.2 - 0.4, 1e-12);
  disc.linear.x = 0.5;
  friction_solve (&engine, patches, 2);
  assert_near (disc.linear.x, 0, 1e-15);
}

static void
test_gather (void)
{
  const FrictionPoint points[] = {
    { { 1, 0, 0 }, { 0, 0, 1 }, 1 },  { { -1, 0, 0 }, { 0, 0, 1 }, 3 },
    { { 0, 0, 1 }, { 1, 0, 0 }, 2 },  { { 5, 5, 5 }, { 0, 0, 1 }, 0 },
    { { 9, 9, 9 }, { 0, 1, 0 }, -1 },
  };
  FrictionPatch patches[FRICTION_MAX_PATCHES];

  /* A floor and a wall; what does not press counts for nothing. */
  g_assert_cmpuint (friction_gather (points, G_N_ELEMENTS (points), patches), ==, 2);
  assert_near (patches[0].impulse, 4, 1e-15);
  assert_near (patches[0].centre.x, -0.5, 1e-15);
  assert_near (patches[0].normal.z, 1, 1e-15);
  assert_near (patches[0].radius, (1.5 * 1 + 0.5 * 3) / 4, 1e-15);
  assert_near (patches[1].impulse, 2, 1e-15);
  assert_near (patches[1].centre.z, 1, 1e-15);
  g_assert_cmpfloat (patches[1].radius, ==, 0);
  g_assert_cmpuint (friction_gather (points + 3, 2, patches), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/friction/slides", test_slides);
  g_test_add_func ("/friction/sticks", test_sticks);
  g_test_add_func ("/friction/turns", test_turns);
  g_test_add_func ("/friction/shares", test_shares);
  g_test_add_func ("/friction/limits", test_limits);
  g_test_add_func ("/friction/not-finite", test_not_finite);
  g_test_add_func ("/friction/sweeps", test_sweeps);
  g_test_add_func ("/friction/gather", test_gather);
  return g_test_run ();
}
