/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/sitl/sitl-state.h"

#include <math.h>

#define HALF (G_SQRT2 / 2)

static void
compare (const OrreryVec3 *v, double x, double y, double z)
{
  g_assert_cmpfloat_with_epsilon (v->x, x, 1e-12);
  g_assert_cmpfloat_with_epsilon (v->y, y, 1e-12);
  g_assert_cmpfloat_with_epsilon (v->z, z, 1e-12);
}

static void
test_vectors (void)
{
  static const OrreryVec3 v = { 1, 2, 3 };
  /* The x axis of this world points North, so y points West. */
  g_autoptr (OrreryGeodesy) north = orrery_geodesy_new (8, 47, 0, 0);
  OrreryVec3 out = sitl_to_frd (&v);

  compare (&out, 1, -2, -3);
  out = sitl_to_ned (NULL, &v);
  compare (&out, 2, 1, -3);
  out = sitl_to_ned (north, &v);
  compare (&out, 1, -2, -3);
}

/* Reckoned by hand: what a body that is turned like this looks like from North, East, down. */
static const struct {
  const char *name;
  double roll, pitch, yaw; /* of the body in its world, whose x points East */
  OrreryQuat ned;
} turns[] = {
  /* The nose to the East: a quarter turn to the right from North. */
  { "east", 0, 0, 0, { HALF, 0, 0, HALF } },
  { "north", 0, 0, G_PI / 2, { 1, 0, 0, 0 } },
  { "west", 0, 0, G_PI, { HALF, 0, 0, -HALF } },
  { "north-east", 0, 0, G_PI / 4, { 0.92387953251128674, 0, 0, 0.38268343236508978 } },
  /* The nose to the North and 60 degrees up: below 0 here, above 0 there. */
  { "up", 0, -G_PI / 3, G_PI / 2, { 0.86602540378443865, 0, 0.5, 0 } },
  /* The nose to the North, right side down: above 0 on both sides. */
  { "right-down", G_PI / 3, 0, G_PI / 2, { 0.86602540378443865, 0.5, 0, 0 } },
};

static void
compare_quats (const OrreryQuat *q, const OrreryQuat *expected)
{
  double same = q->w * expected->w + q->x * expected->x + q->y * expected->y + q->z * expected->z;

  g_assert_cmpfloat (q->w, >=, 0);
  g_assert_cmpfloat_with_epsilon (fabs (same), 1, 1e-12);
}

static void
test_rotations (void)
{
  g_autoptr (OrreryGeodesy) north = orrery_geodesy_new (8, 47, 0, 0);

  for (guint i = 0; i < G_N_ELEMENTS (turns); i++) {
    OrreryQuat world, q;

    g_test_message ("%s", turns[i].name);
    orrery_quat_from_euler (turns[i].roll, turns[i].pitch, turns[i].yaw, &world);
    q = sitl_rotation_to_ned (NULL, &world);
    compare_quats (&q, &turns[i].ned);
    /* The same body in a world whose x points North has a quarter turn less. */
    orrery_quat_from_euler (turns[i].roll, turns[i].pitch, turns[i].yaw - G_PI / 2, &world);
    q = sitl_rotation_to_ned (north, &world);
    compare_quats (&q, &turns[i].ned);
  }
}

/* What is turned and what turns it agree: the nose as a vector, for any attitude. */
static void
test_agreement (void)
{
  static const OrreryVec3 nose = { 1, 0, 0 };
  g_autoptr (OrreryGeodesy) geodesy = orrery_geodesy_new (8, 47, 0, 30);

  for (double angle = -3; angle < 3; angle += 0.7) {
    OrreryQuat world, q;
    OrreryVec3 in_world, expected, out;

    orrery_quat_from_euler (angle, angle / 3, 2 * angle, &world);
    orrery_quat_rotate (&world, &nose, &in_world);
    expected = sitl_to_ned (geodesy, &in_world);
    q = sitl_rotation_to_ned (geodesy, &world);
    orrery_quat_rotate (&q, &nose, &out);
    compare (&out, expected.x, expected.y, expected.z);
  }
}

static void
test_reports (void)
{
  SitlReport report = { SITL_REPORT_MARK, SITL_ROLE_GPS, { 8, 47, 400, 1, 2, 3 } };
  SitlState state;
  OrreryVec3 v;

  sitl_state_init (&state);
  g_assert_false (sitl_state_get_velocity (&state, NULL, &v));
  g_assert_false (sitl_state_take (&state, &report, sizeof report - 1));
  g_assert_true (sitl_state_take (&state, &report, sizeof report));
  g_assert_true (sitl_state_get_velocity (&state, NULL, &v));
  compare (&v, 2, 1, -3);
  report = (SitlReport){ SITL_REPORT_MARK, SITL_ROLE_IMU, { 1, 2, 3, 4, 5, 6 } };
  g_assert_true (sitl_state_take (&state, &report, sizeof report));
  compare (&state.force, 4, 5, 6);
  g_assert_false (sitl_state_knows (&state, SITL_ROLE_MAGNETOMETER));
  report.role = SITL_ROLE_TEMPERATURE + 1;
  g_assert_false (sitl_state_take (&state, &report, sizeof report));
  report = (SitlReport){ 0, SITL_ROLE_IMU, { 1 } };
  g_assert_false (sitl_state_take (&state, &report, sizeof report));
}

/* The standard atmosphere has 898.75 hPa at 1000 m. */
static void
test_altitude (void)
{
  g_assert_cmpfloat_with_epsilon (sitl_pressure_to_altitude (101325), 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (sitl_pressure_to_altitude (89875), 1000, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_summary ("What an autopilot is told is in its own axes");
  g_test_add_func ("/vectors", test_vectors);
  g_test_add_func ("/rotations", test_rotations);
  g_test_add_func ("/agreement", test_agreement);
  g_test_add_func ("/reports", test_reports);
  g_test_add_func ("/altitude", test_altitude);
  return g_test_run ();
}
