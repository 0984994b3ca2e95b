/* SPDX-License-Identifier: BSD-3-Clause */
/* Bullet's bodies on grounds of all sorts, and that the same scene gives the same bits. */
#include "scene.h"

#include <math.h>
#include <string.h>

GType orrery_bullet_get_type (void);

#define BULLET (orrery_bullet_get_type ())
#define G 9.81

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

static OrreryTransform
at (double x, double y, double z)
{
  return (OrreryTransform){ { x, y, z }, { 1, 0, 0, 0 } };
}

/* --- the ground --- */

/* A ground of 200 km is made of no more triangles than memory allows, and still bears. */
static void
test_large_ground (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, NULL);
  OrreryObject *ground = scene_add_box (scene, "ground", &(OrreryVec3){ 2e5, 2e5, 1 }, 0, 0, -0.5);
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 3, 5, 0);

  orrery_object_get_body (ground)->type = ORRERY_BODY_STATIC;
  orrery_object_get_body (ground)->margin = 0.06;
  scene_build (scene);
  scene_run (scene, 3);
  assert_near (scene_pose (scene, robot)->position.z, 0.1, 0.005);
}

/* An open sheet of triangles at z = 0, each a half of @size: they look up, or down. */
static OrreryObject *
add_sheet (Scene *scene, const OrreryVec3 *size, gboolean up)
{
  enum { N = 60 };
  g_autoptr (OrreryBuffer) points =
      orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ (N + 1) * (N + 1), 3 });
  g_autoptr (OrreryBuffer) triangles =
      orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (const gsize[]){ 2 * N * N, 3 });
  double *xyz = orrery_buffer_get_data (points);
  guint32 *abc = orrery_buffer_get_data (triangles);
  OrreryObject *ground = orrery_world_add_object (scene->world, "ground", NULL, NULL);
  g_autoptr (OrreryShape) shape = NULL;

  for (guint32 i = 0; i <= N; i++)
    for (guint32 j = 0; j <= N; j++) {
      *xyz++ = (i - 0.4 * N) * size->x;
      *xyz++ = (j - 0.5 * N) * size->y;
      *xyz++ = 0;
    }
  for (guint32 i = 0; i < N; i++)
    for (guint32 j = 0; j < N; j++) {
      guint32 a = i * (N + 1) + j, b = a + N + 1;
      guint32 quad[6] = {
        a, up ? b : a + 1, up ? a + 1 : b, a + 1, up ? b : b + 1, up ? b + 1 : b
      };
      memcpy (abc, quad, sizeof quad);
      abc += 6;
    }
  shape = orrery_shape_new_points (ORRERY_SHAPE_MESH, points, triangles, NULL);
  orrery_object_get_body (ground)->type = ORRERY_BODY_STATIC;
  orrery_object_get_body (ground)->margin = 0;
  orrery_object_add_shape (ground, shape);
  return ground;
}

/* Over the seams of many small triangles the robot drives as on one. */
static void
test_fine_ground (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, NULL);
  OrreryObject *ground = add_sheet (scene, &(OrreryVec3){ 0.17, 0.13, 0 }, TRUE);
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  double low = 1e9, high = -1e9;

  orrery_object_get_body (ground)->margin = 0.06;
  scene_build (scene);
  scene_run (scene, 1);
  for (int i = 0; i < 180; i++) {
    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
    low = fmin (low, scene_pose (scene, robot)->position.z);
    high = fmax (high, scene_pose (scene, robot)->position.z);
    assert_near (scene_velocity (scene, robot)->x, 0.959, 0.004);
    g_assert_cmpfloat (scene_tilt (scene, robot), <, 0.01);
  }
  g_test_message ("span %.6f", high - low);
  g_assert_cmpfloat (high - low, <, 0.001);
}

/* m, of a quadrotor after 3 s whose origin begins at @z over a sheet of triangles as large as
 * @size.
 */
static double
emerge (double z, double size, gboolean up)
{
  g_autoptr (Scene) scene = scene_new (BULLET, NULL);
  OrreryObject *robot;

  add_sheet (scene, &(OrreryVec3){ size, size, 0 }, up);
  robot = scene_add_robot (scene, "robot", "quadrotor_dynamic", 0.03, 0.02, z);
  scene_build (scene);
  scene_run (scene, 3);
  return scene_pose (scene, robot)->position.z;
}

/* Its hull reaches from 0.161 m below its origin to 0.035 m above: the shorter way out of a sheet
 * is down. It stands on its feet with its margin of 5 mm. */
static void
test_emerge (void)
{
  const double rest = 0.161 + 0.005;

  assert_near (emerge (0, 1, TRUE), rest, 0.002);
  assert_near (emerge (0.01, 1, TRUE), rest, 0.002);
  /* Triangles that are smaller than the hull, and larger. */
  assert_near (emerge (0.01, 0.2, TRUE), rest, 0.002);
  assert_near (emerge (0.01, 4, TRUE), rest, 0.002);
  /* What is behind the sheet stays there, and what looks the other way keeps nothing up. */
  g_assert_cmpfloat (emerge (-0.03, 1, TRUE), <, -1);
  g_assert_cmpfloat (emerge (0.01, 1, FALSE), <, -1);
}

/* m, that a box whose centre is @inside m from the rim of a table has fallen in 2 s */
static double
fall_from_ledge (double inside)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *table = scene_add_box (scene, "table", &(OrreryVec3){ 4, 4, 1 }, 0, 0, 1);
  OrreryObject *box =
      scene_add_box (scene, "box", &(OrreryVec3){ 0.8, 0.5, 0.2 }, 2 - inside, 0.1, 1.6);

  orrery_object_get_body (table)->type = ORRERY_BODY_STATIC;
  scene_build (scene);
  scene_run (scene, 2);
  return 1.6 - scene_pose (scene, box)->position.z;
}

static void
test_ledge (void)
{
  g_assert_cmpfloat (fall_from_ledge (0.1), <, 0.005);
  g_assert_cmpfloat (fall_from_ledge (0.02), <, 0.01);
  g_assert_cmpfloat (fall_from_ledge (-0.05), >, 0.5);
}

/* m, that a robot slides in 2 s down a slope of @degrees */
static double
slide_down (double degrees)
{
  g_autoptr (Scene) scene = scene_new (BULLET, NULL);
  OrreryObject *slope = scene_add_box (scene, "slope", &(OrreryVec3){ 40, 40, 1 }, 0, 0, 0);
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryTransform tilted = at (0, 0, 0), start;
  OrreryVec3 before;

  orrery_quat_from_euler (0, degrees * G_PI / 180, 0, &tilted.rotation);
  orrery_object_set_start (slope, &tilted);
  orrery_object_get_body (slope)->type = ORRERY_BODY_STATIC;
  start = at (0.4, 0.3, 0.5 + 0.05);
  orrery_transform_multiply (&tilted, &start, &start);
  orrery_object_set_start (robot, &start);
  scene_build (scene);
  scene_run (scene, 1);
  before = scene_pose (scene, robot)->position;
  scene_run (scene, 2);
  return hypot (scene_pose (scene, robot)->position.x - before.x,
                scene_pose (scene, robot)->position.z - before.z);
}

/* mu .25 holds up to 14 degrees. */
static void
test_slope (void)
{
  double angle = 20 * G_PI / 180, a = G * (sin (angle) - 0.25 * cos (angle));

  g_assert_cmpfloat (slide_down (12), <, 0.005);
  /* From rest: the third second of a fall is (9 - 1) / 2 a; damping takes a little. */
  assert_near (slide_down (20), 4 * a, 0.3);
}

/* However it falls, a box comes to lie on a face. */
static void
test_tumble (void)
{
  for (int i = 0; i < 6; i++) {
    g_autoptr (Scene) scene = scene_new (BULLET, "empty");
    OrreryObject *box = scene_add_box (scene, "box", &(OrreryVec3){ 0.4, 0.5, 0.6 }, 0, 0, 0);
    OrreryTransform start = at (0.3 * i, 0, 1.5);
    double z, up;
    OrreryVec3 axis = { 0, 0, 1 };

    orrery_quat_from_euler (0.3 + i, 0.7 * i, 0.2, &start.rotation);
    orrery_object_set_start (box, &start);
    orrery_object_get_body (box)->margin = i % 2 * 0.02;
    scene_build (scene);
    scene_run (scene, 8);
    z = scene_pose (scene, box)->position.z - 0.06;
    orrery_quat_rotate_back (&scene_pose (scene, box)->rotation, &axis, &axis);
    up = fmax (fabs (axis.x), fmax (fabs (axis.y), fabs (axis.z)));
    g_test_message ("z %.4f up %.6f", z, up);
    g_assert_cmpfloat (up, >, 0.9999);
    assert_near (z, 0.2 * fabs (axis.x) + 0.25 * fabs (axis.y) + 0.3 * fabs (axis.z), 0.01);
    g_assert_cmpfloat (fabs (scene_velocity (scene, box)->x), <, 1e-3);
  }
}

/* --- determinism --- */

/* Ten robots that drive in circles; @apart: m between them; @moved: m, of the first one's start. */
static guint64
run_hash (double apart, double moved)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "indoors-1/boxes");
  OrreryObject *robots[10];
  guint64 hash = 0;

  for (guint i = 0; i < G_N_ELEMENTS (robots); i++) {
    g_autofree char *name = g_strdup_printf ("robot%u", i);
    robots[i] = scene_add_robot (scene, name, "atrv", apart * (i % 4) + (i == 0 ? moved : 0),
                                 apart * (i / 4.0), 0);
  }
  scene_build (scene);
  for (int t = 0; t < 300; t++) {
    for (guint i = 0; i < G_N_ELEMENTS (robots); i++)
      scene_drive (scene, robots[i], 1 + 0.1 * i, 0.5 - 0.1 * i);
    scene_tick (scene);
    hash = hash * 31 + scene_hash (scene);
  }
  return hash;
}

static void
assert_same_elsewhere (guint64 hash)
{
  g_autofree char *expected = g_strdup_printf ("hash %" G_GINT64_MODIFIER "x\n", hash);
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "/proc/self/exe", "--hash", NULL };

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (out, ==, expected);
}

static void
test_determinism (void)
{
  guint64 touching = run_hash (1.0, 0), apart = run_hash (3.0, 0);
  gpointer blocks[1000];

  /* Another heap, other addresses: holes of many sizes. */
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    blocks[i] = g_malloc (16 + i * 7919 % 4096);
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i += 2)
    g_clear_pointer (&blocks[i], g_free);
  g_assert_cmpuint (run_hash (1.0, 0), ==, touching);
  g_assert_cmpuint (run_hash (3.0, 0), ==, apart);
  for (guint i = 1; i < G_N_ELEMENTS (blocks); i += 2)
    g_free (blocks[i]);

  assert_same_elsewhere (touching);
  g_assert_cmpuint (run_hash (1.0, 1e-9), !=, touching);
}

static void
test_rebuild (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "indoors-1/boxes");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", -8.6, 0, 0);
  guint64 first = 0;

  for (int run = 0; run < 2; run++) {
    scene_build (scene);
    for (int i = 0; i < 180; i++) {
      scene_drive (scene, robot, 1, 0);
      scene_tick (scene);
    }
    g_assert_true (scene_touch (scene, "robot", "RedBox"));
    if (run == 0)
      first = scene_hash (scene);
    else
      g_assert_cmpuint (scene_hash (scene), ==, first);
  }
}

int
main (int argc, char **argv)
{
  if (argc == 2 && g_str_equal (argv[1], "--hash")) {
    g_print ("hash %" G_GINT64_MODIFIER "x\n", run_hash (1.0, 0));
    return 0;
  }
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/bullet/ground/large", test_large_ground);
  g_test_add_func ("/bullet/ground/fine", test_fine_ground);
  g_test_add_func ("/bullet/ground/emerge", test_emerge);
  g_test_add_func ("/bullet/ground/ledge", test_ledge);
  g_test_add_func ("/bullet/ground/slope", test_slope);
  g_test_add_func ("/bullet/ground/tumble", test_tumble);
  g_test_add_func ("/bullet/determinism", test_determinism);
  g_test_add_func ("/bullet/rebuild", test_rebuild);
  return g_test_run ();
}
