/* SPDX-License-Identifier: BSD-3-Clause */
/* What users of MORSE see of its physics: each test is one fact, for each engine with dynamics. */
#include "scene.h"

#include <math.h>

/* ENGINE_TYPE is the function that gives the engine's type. */
GType ENGINE_TYPE (void);

#define ENGINE (ENGINE_TYPE ())
#define G 9.81

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

static Scene *
new_atrv (OrreryObject **robot)
{
  Scene *scene = scene_new (ENGINE, "empty");

  *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  return scene;
}

static void
test_rest_atrv (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);

  scene_build (scene);
  scene_run (scene, 5);
  g_test_message ("z %.5f tilt %.6f", scene_pose (scene, robot)->position.z,
                  scene_tilt (scene, robot));
  assert_near (scene_pose (scene, robot)->position.z, 0.100, 0.005);
  g_assert_cmpfloat (scene_tilt (scene, robot), <, 0.01);
}

/* Margins count: without that of the ground the robot stands as much lower. */
static void
test_rest_margin (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);

  orrery_object_get_body (orrery_world_find_object (scene->world, "Ground"))->margin = 0;
  scene_build (scene);
  scene_run (scene, 5);
  assert_near (scene_pose (scene, robot)->position.z, 0.044, 0.005);
}

/* m, that a box rests above a hull that stands still, with a margin of 6 cm */
static double
rest_on_hull (double margin)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, NULL);
  OrreryVec3 size = { 0.4, 0.4, 0.4 };
  OrreryObject *rock = orrery_world_add_object (scene->world, "rock", NULL, NULL);
  OrreryObject *box = scene_add_box (scene, "box", &size, 0, 0, 0.3);
  g_autoptr (OrreryBuffer) points =
      orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ 8, 3 });
  double *xyz = orrery_buffer_get_data (points);
  g_autoptr (OrreryShape) hull = NULL;

  for (int i = 0; i < 8; i++) {
    *xyz++ = i & 1 ? 1 : -1;
    *xyz++ = i & 2 ? 1 : -1;
    *xyz++ = i & 4 ? 0 : -1;
  }
  hull = orrery_shape_new_points (ORRERY_SHAPE_HULL, points, NULL, NULL);
  orrery_object_add_shape (rock, hull);
  orrery_object_get_body (rock)->type = ORRERY_BODY_STATIC;
  orrery_object_get_body (rock)->margin = 0.06;
  orrery_object_get_body (box)->margin = margin;
  scene_build (scene);
  scene_run (scene, 3);
  g_assert_cmpfloat (scene_tilt (scene, box), <, 0.01);
  return scene_pose (scene, box)->position.z - 0.2;
}

/* As of meshes: that of a still hull counts for what has one of its own, be it 0. */
static void
test_rest_hull (void)
{
  assert_near (rest_on_hull (0), 0.06, 0.001);
  assert_near (rest_on_hull (ORRERY_NO_MARGIN), 0, 0.001);
}

static void
test_rest_boxes (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "indoors-1/boxes");
  OrreryObject *red = orrery_world_find_object (scene->world, "RedBox");
  OrreryTransform before;

  scene_build (scene);
  scene_run (scene, 3);
  before = *scene_pose (scene, red);
  g_test_message ("top %.5f", before.position.z + 0.9);
  assert_near (before.position.z + 0.9, 1.860, 0.01);
  scene_run (scene, 10);
  assert_near (scene_pose (scene, red)->position.x, before.position.x, 0.002);
  assert_near (scene_pose (scene, red)->position.y, before.position.y, 0.002);
  assert_near (scene_pose (scene, red)->position.z, before.position.z, 0.002);
  g_assert_true (scene_touch (scene, "RedBox", "Ground"));
  g_assert_false (scene_touch (scene, "RedBox", "BlueBox"));
}

static void
test_rest_morsy (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "morsy", 0, 0, 0.05);

  scene_build (scene);
  scene_run (scene, 5);
  g_test_message ("z %.5f", scene_pose (scene, robot)->position.z);
  assert_near (scene_pose (scene, robot)->position.z, 0.046, 0.005);
}

typedef struct {
  double speed;    /* m/s, seen by a sensor in the end */
  double mean;     /* m/s */
  double distance; /* m, in 2 s */
  double tilt;     /* rad, largest */
  double span;     /* m, of z */
  double lift;     /* m, above the height at rest */
} Drive;

static Drive
drive (double friction, guint substeps)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  Drive seen = { 0 };
  double low = 1e9, high = -1e9, rest, x;

  orrery_object_get_body (robot)->friction = friction;
  scene->substeps = substeps;
  scene_build (scene);
  scene_run (scene, 2);
  rest = scene_pose (scene, robot)->position.z;
  x = scene_pose (scene, robot)->position.x;
  for (int i = 0; i < 120; i++) {
    double z;

    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
    z = scene_pose (scene, robot)->position.z;
    low = fmin (low, z);
    high = fmax (high, z);
    seen.tilt = fmax (seen.tilt, scene_tilt (scene, robot));
  }
  seen.speed = scene_velocity (scene, robot)->x;
  seen.distance = scene_pose (scene, robot)->position.x - x;
  seen.mean = seen.distance / 2;
  seen.span = high - low;
  seen.lift = high - rest;
  g_test_message ("friction %g: speed %.5f mean %.5f tilt %.5f span %.5f lift %.5f", friction,
                  seen.speed, seen.mean, seen.tilt, seen.span, seen.lift);
  return seen;
}

static void
test_drive (void)
{
  Drive seen = drive (0.5, 2);

  assert_near (seen.speed, 0.959, 0.004);
  assert_near (seen.mean, 0.969, 0.004);
  g_assert_cmpfloat (seen.tilt, <, 0.01);
  g_assert_cmpfloat (seen.span, <, 0.005);
}

/* With one substep the speed seen is the same, but nothing is left of it in between. */
static void
test_drive_one_substep (void)
{
  Drive seen = drive (0.5, 1);

  assert_near (seen.speed, 0.959, 0.004);
  assert_near (seen.mean, 0.959, 0.004);
}

static void
test_drive_smooth (void)
{
  Drive seen = drive (0, 2);

  assert_near (seen.distance, 2.0, 0.1);
  /* The fact of test_drive is the friction's doing. */
  g_assert_cmpfloat (fabs (seen.speed - 0.959), >, 0.03);
}

static void
test_drive_rough (void)
{
  Drive seen = drive (5, 2);

  assert_near (seen.distance, 1.4, 0.1);
  g_assert_cmpfloat (seen.lift, <, 0.01);
  g_assert_cmpfloat (seen.tilt, <, 0.01);
}

static void
test_force (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  double before = 0, at_one = 0;

  orrery_object_get_body (robot)->gravity = FALSE;
  orrery_object_set_start (robot, &(OrreryTransform){ { 0, 0, 1.1 }, { 1, 0, 0, 0 } });
  scene_build (scene);
  for (int i = 0; i < 120; i++) {
    before = scene_velocity (scene, robot)->x;
    scene_push (scene, robot, 100, 0, 0);
    scene_tick (scene);
    if (i == 60)
      at_one = (scene_velocity (scene, robot)->x - before) * 60;
  }
  g_test_message ("a %.4f v %.4f", at_one, scene_velocity (scene, robot)->x);
  assert_near (at_one, 4.85, 0.05);
  assert_near (scene_velocity (scene, robot)->x, 10.0, 0.3);
  assert_near (scene_pose (scene, robot)->position.z, 1.1, 1e-9);

  /* Newton with that damping: dv/dt = F/m + ln (1 - d) v, in steps of 1/120 s. */
  assert_near (scene_velocity (scene, robot)->x, 5 / -log (1 - 0.0254) * (1 - pow (1 - 0.0254, 2)),
               0.02);
}

static void
test_slide (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  double x;

  scene_build (scene);
  scene_run (scene, 2);
  x = scene_pose (scene, robot)->position.x;
  scene_drive (scene, robot, 2, 0);
  scene_run (scene, 3);
  g_test_message ("slides %.5f", scene_pose (scene, robot)->position.x - x);
  assert_near (scene_pose (scene, robot)->position.x - x, 0.816, 0.03);
  assert_near (scene_velocity (scene, robot)->x, 0, 1e-3);
}

/* m, after @seconds of a force of @share of what friction holds */
static double
creep (double share, double seconds)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  double x;

  scene_build (scene);
  scene_run (scene, 2);
  x = scene_pose (scene, robot)->position.x;
  for (int i = 0; i < seconds * 60; i++) {
    scene_push (scene, robot, share * 0.25 * 20 * G, 0, 0);
    scene_tick (scene);
  }
  g_test_message ("creeps %.5f", scene_pose (scene, robot)->position.x - x);
  return scene_pose (scene, robot)->position.x - x;
}

static void
test_creep (void)
{
  g_assert_cmpfloat (fabs (creep (0.9, 5)), <, 0.01);
  assert_near (creep (1.2, 1), 0.245, 0.04);
}

static void
test_drop (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  double low = 1e9, bounce = 0;

  orrery_object_set_start (robot, &(OrreryTransform){ { 0, 0, 2.1 }, { 1, 0, 0, 0 } });
  scene_build (scene);
  for (int i = 0; i < 300; i++) {
    double z;

    scene_tick (scene);
    z = scene_pose (scene, robot)->position.z;
    low = fmin (low, z);
    if (low < 0.2)
      bounce = fmax (bounce, z - fmax (low, 0.104));
  }
  g_test_message ("lowest %.5f bounce %.5f", low, bounce);
  g_assert_cmpfloat (low, <, 0.2);
  g_assert_cmpfloat (bounce, <, 0.03);
  assert_near (scene_pose (scene, robot)->position.z, 0.100, 0.005);
}

static void
test_stack (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "empty");
  OrreryVec3 size = { 0.45, 0.45, 0.45 };
  OrreryObject *top = NULL;

  for (int i = 0; i < 5; i++) {
    g_autofree char *name = g_strdup_printf ("box%d", i);
    top = scene_add_box (scene, name, &size, 1, 1, 0.06 + 0.225 + i * 0.45);
  }
  scene_build (scene);
  scene_run (scene, 10);
  g_test_message ("top %.5f x %.5f y %.5f", scene_pose (scene, top)->position.z + 0.225,
                  scene_pose (scene, top)->position.x, scene_pose (scene, top)->position.y);
  assert_near (scene_pose (scene, top)->position.z + 0.225, 2.310, 0.02);
  assert_near (scene_pose (scene, top)->position.x, 1, 0.02);
  assert_near (scene_pose (scene, top)->position.y, 1, 0.02);
}

static void
test_turn (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_atrv (&robot);
  double radius = 4 / G_PI;

  scene_build (scene);
  scene_run (scene, 1);
  for (int i = 0; i < 8 * 60; i++) {
    scene_drive (scene, robot, 1, -G_PI / 4);
    scene_tick (scene);
    if (i != 2 * 60 - 1)
      continue;
    g_test_message ("after 2 s: %.4f %.4f yaw %.4f", scene_pose (scene, robot)->position.x,
                    scene_pose (scene, robot)->position.y, scene_yaw (scene, robot));
    assert_near (scene_yaw (scene, robot), -G_PI / 2, 0.1);
    assert_near (scene_pose (scene, robot)->position.x, radius, 0.1);
    assert_near (scene_pose (scene, robot)->position.y, -radius, 0.1);
  }
  g_test_message ("after 8 s: %.4f %.4f yaw %.4f", scene_pose (scene, robot)->position.x,
                  scene_pose (scene, robot)->position.y, scene_yaw (scene, robot));
  assert_near (scene_yaw (scene, robot), 0, 0.1);
  assert_near (scene_pose (scene, robot)->position.x, 0, 0.1);
  assert_near (scene_pose (scene, robot)->position.y, 0, 0.1);
}

/* A quadrotor of 2 kg that hovers still for a while, and is then asked to go elsewhere. */
static void
hover (Scene *scene, OrreryObject *object, const OrreryVec3 *goal)
{
  const OrreryVec3 *p = &scene_pose (scene, object)->position;
  const OrreryVec3 *v = scene_velocity (scene, object);

  scene_push (scene, object, 2 * (2 * (goal->x - p->x) - 3 * v->x),
              2 * (2 * (goal->y - p->y) - 3 * v->y), 2 * (G + 2 * (goal->z - p->z) - 3 * v->z));
}

static void
test_hover (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "empty");
  OrreryVec3 size = { 0.7, 0.7, 0.196 };
  OrreryObject *object = scene_add_box (scene, "quadrotor", &size, 0, 0, 2);
  OrreryVec3 here = { 0, 0, 2 }, there = { 1, -2, 3 };

  orrery_object_get_body (object)->mass = 2;
  scene_build (scene);
  for (int i = 0; i < 600; i++) {
    hover (scene, object, &here);
    scene_tick (scene);
  }
  assert_near (scene_pose (scene, object)->position.z, 2, 0.01);
  for (int i = 0; i < 900; i++) {
    hover (scene, object, &there);
    scene_tick (scene);
  }
  assert_near (scene_pose (scene, object)->position.x, 1, 0.01);
  assert_near (scene_pose (scene, object)->position.y, -2, 0.01);
  assert_near (scene_pose (scene, object)->position.z, 3, 0.01);
}

/* @told: what a body is told is what the next snapshot has, to the last bit */
static void
check_put (Scene *scene, OrreryObject *object, const OrreryTransform *told)
{
  orrery_commands_set_pose (scene_commands (scene), object, told);
  scene_tick (scene);
  g_assert_cmpmem (scene_pose (scene, object), sizeof *told, told, sizeof *told);
}

static void
test_put (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "empty");
  OrreryVec3 size = { 0.5, 0.5, 0.5 }, ahead = { 1, 0, 0 }, none = { 0 };
  OrreryObject *box = scene_add_box (scene, "box", &size, 0, 0, 5);
  OrreryTransform told = { { 1, 2, 3 }, { 0.6, 0, 0.8, 0 } };

  g_test_summary (
      "a body has the pose that it was told, without falling, then what is its velocity");
  scene_build (scene);
  scene_run (scene, 0.5);
  check_put (scene, box, &told);
  g_assert_cmpfloat (scene_velocity (scene, box)->z, ==, 0);
  for (guint i = 0; i < 60; i++)
    check_put (scene, box, &told);
  /* A velocity that it is told with it counts from the next tick on. */
  orrery_commands_set_pose (scene_commands (scene), box, &told);
  orrery_commands_set_velocity (scene_commands (scene), box, &ahead, &none);
  scene_push (scene, box, 0, 0, 1000);
  scene_tick (scene);
  g_assert_cmpmem (scene_pose (scene, box), sizeof told, &told, sizeof told);
  g_assert_cmpfloat (scene_velocity (scene, box)->x, ==, 1);
  g_assert_cmpfloat (scene_velocity (scene, box)->z, ==, 0);
  scene_tick (scene);
  assert_near (scene_pose (scene, box)->position.x, 1 + 1.0 / 60, 2e-4);
  g_assert_cmpfloat (scene_pose (scene, box)->position.z, <, 3);
  assert_near (scene_velocity (scene, box)->z, -G / 60, 2e-3);
}

static void
test_put_among_others (void)
{
  g_autoptr (Scene) scene = scene_new (ENGINE, "empty");
  OrreryVec3 size = { 0.5, 0.5, 0.5 };
  OrreryObject *told = scene_add_box (scene, "told", &size, 0, 0, 5);
  OrreryObject *other = scene_add_box (scene, "other", &size, 0.48, 0, 5);
  OrreryTransform pose = { { 0, 0, 5 }, { 1, 0, 0, 0 } };

  g_test_summary ("others are pushed away by it, and do not push it");
  orrery_object_get_body (other)->gravity = FALSE;
  scene_build (scene);
  for (guint i = 0; i < 60; i++)
    check_put (scene, told, &pose);
  g_assert_cmpfloat (scene_pose (scene, other)->position.x, >, 0.49);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/physics/rest/atrv", test_rest_atrv);
  g_test_add_func ("/physics/rest/margin", test_rest_margin);
  g_test_add_func ("/physics/rest/hull", test_rest_hull);
  g_test_add_func ("/physics/rest/boxes", test_rest_boxes);
  g_test_add_func ("/physics/rest/morsy", test_rest_morsy);
  g_test_add_func ("/physics/drive/normal", test_drive);
  g_test_add_func ("/physics/drive/one-substep", test_drive_one_substep);
  g_test_add_func ("/physics/drive/smooth", test_drive_smooth);
  g_test_add_func ("/physics/drive/rough", test_drive_rough);
  g_test_add_func ("/physics/force", test_force);
  g_test_add_func ("/physics/slide", test_slide);
  g_test_add_func ("/physics/creep", test_creep);
  g_test_add_func ("/physics/drop", test_drop);
  g_test_add_func ("/physics/stack", test_stack);
  g_test_add_func ("/physics/turn", test_turn);
  g_test_add_func ("/physics/hover", test_hover);
  g_test_add_func ("/physics/put", test_put);
  g_test_add_func ("/physics/put-among-others", test_put_among_others);
  return g_test_run ();
}
