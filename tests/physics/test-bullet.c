/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of orrery.physics.bullet.Bullet beside the facts: what commands and body types mean. */
#include "scene.h"

#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

GType orrery_bullet_get_type (void);

#define BULLET (orrery_bullet_get_type ())
#define G 9.81

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

static const OrreryVec3 cube = { 1, 1, 1 };

/* A cube of 2 kg alone in space. */
static Scene *
new_cube (OrreryObject **object)
{
  Scene *scene = scene_new (BULLET, NULL);

  *object = scene_add_box (scene, "cube", &cube, 0, 0, 0);
  orrery_object_get_body (*object)->mass = 2;
  return scene;
}

static OrreryTransform
at (double x, double y, double z)
{
  return (OrreryTransform){ { x, y, z }, { 1, 0, 0, 0 } };
}

static void
set_velocity (Scene *scene, OrreryObject *object, double x, double y, double z)
{
  OrreryVec3 linear = { x, y, z }, angular = { 0 };

  g_assert_true (orrery_commands_set_velocity (scene_commands (scene), object, &linear, &angular));
}

/* --- forces, damping, gravity --- */

/* m/s along z after @ticks of @force N; NULL @damped: as Newton and the damping of each substep
 * have it */
static double
push (guint substeps, double force, gboolean gravity, double *expected)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  double h = 1.0 / (60 * substeps), v = 0;

  scene->substeps = substeps;
  orrery_object_get_body (object)->gravity = gravity;
  orrery_object_get_body (object)->linear_damping = 0.3;
  scene_build (scene);
  for (int i = 0; i < 120; i++) {
    scene_push (scene, object, 0, 0, force);
    scene_tick (scene);
    for (guint k = 0; k < substeps; k++)
      v = v * pow (1 - 0.3, h) + (force / 2 - (gravity ? G : 0)) * h;
  }
  *expected = v;
  return scene_velocity (scene, object)->z;
}

static void
test_newton (void)
{
  static const guint substeps[] = { 1, 2, 5 };
  double expected;

  for (guint i = 0; i < G_N_ELEMENTS (substeps); i++) {
    assert_near (push (substeps[i], 30, FALSE, &expected), expected, 1e-9);
    assert_near (push (substeps[i], 30, TRUE, &expected), expected, 1e-9);
  }
  /* Gravity is seen: without it the same push ends elsewhere. */
  g_assert_cmpfloat (fabs (push (2, 30, FALSE, &expected) - push (2, 30, TRUE, &expected)), >, 5);
}

/* A force acts in the tick that it is given in, and no longer. */
static void
test_force_ends (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  double v;

  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (object)->linear_damping = 0;
  scene_build (scene);
  scene_push (scene, object, 60, 0, 0);
  scene_push (scene, object, 60, 0, 0);
  scene_tick (scene);
  v = scene_velocity (scene, object)->x;
  assert_near (v, 120 / 2.0 / 60, 1e-12);
  scene_run (scene, 1);
  assert_near (scene_velocity (scene, object)->x, v, 1e-12);
}

/* m/s after a tick of three substeps, of 2 kg: @force in each, pushes of 60 N, @n_pushes of them,
 * in the second alone */
static double
push_once (double force, guint n_pushes)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryPhysicsClass *class = ORRERY_PHYSICS_GET_CLASS (scene->physics);
  OrreryCommands *commands = scene_commands (scene);

  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (object)->linear_damping = 0;
  scene_build (scene);
  scene_push (scene, object, force, 0, 0);
  class->apply (scene->physics, commands, NULL);
  orrery_commands_clear (commands);
  for (guint i = 0; i < 3; i++) {
    for (guint k = 0; i == 1 && k < n_pushes; k++)
      scene_push (scene, object, 60, 0, 0);
    class->push (scene->physics, commands, NULL);
    orrery_commands_clear (commands);
    class->step (scene->physics, 1 / 180.0, NULL);
  }
  class->read (scene->physics, orrery_world_get_snapshot (scene->world), NULL);
  return scene_velocity (scene, object)->x;
}

static void
test_push (void)
{
  g_test_summary ("a push acts in one substep, beside the forces of the tick");
  assert_near (push_once (0, 1), 60 / 2.0 / 180, 1e-12);
  assert_near (push_once (0, 2), 120 / 2.0 / 180, 1e-12);
  assert_near (push_once (30, 2), 30 / 2.0 / 60 + 120 / 2.0 / 180, 1e-12);
}

static void
test_torque (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryVec3 force = { 0 }, torque = { 0, 0, 3 };
  double inertia = 2.0 / 12 * 2;
  const OrreryVec3 *w;

  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (object)->angular_damping = 0;
  scene_build (scene);
  for (int i = 0; i < 6; i++) {
    orrery_commands_add_force (scene_commands (scene), object, &force, &torque);
    scene_tick (scene);
  }
  w = orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (scene->world),
                                            orrery_object_get_index (object));
  assert_near (w->z, 3 / inertia * 0.1, 1e-9);
}

static void
test_gravity_switch (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  double v;

  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (object)->linear_damping = 0;
  scene_build (scene);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, object)->position.z, ==, 0);
  orrery_commands_set_gravity (scene_commands (scene), object, TRUE);
  scene_run (scene, 1);
  v = scene_velocity (scene, object)->z;
  assert_near (v, -G, 1e-9);
  orrery_commands_set_gravity (scene_commands (scene), object, FALSE);
  scene_run (scene, 1);
  assert_near (scene_velocity (scene, object)->z, v, 1e-9);
}

/* --- axes and body types --- */

static void
test_locked_axes (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryVec3 angular = { 1, 1, 1 }, linear = { 1, 1, 1 };
  const OrreryVec3 *v, *w;

  orrery_object_get_body (object)->linear_factor = (OrreryVec3){ 1, 1, 0 };
  orrery_object_get_body (object)->angular_factor = (OrreryVec3){ 0, 0, 1 };
  scene_build (scene);
  for (int i = 0; i < 60; i++) {
    scene_push (scene, object, 2, 0, 20);
    orrery_commands_add_force (scene_commands (scene), object, &(OrreryVec3){ 0 }, &angular);
    scene_tick (scene);
  }
  g_assert_cmpfloat (scene_pose (scene, object)->position.z, ==, 0);
  g_assert_cmpfloat (scene_pose (scene, object)->position.x, >, 0.1);
  assert_near (scene_tilt (scene, object), 0, 1e-9);
  g_assert_cmpfloat (fabs (scene_yaw (scene, object)), >, 0.1);

  /* A velocity leaves the locked axes alone too. */
  orrery_commands_set_velocity (scene_commands (scene), object, &linear, &angular);
  scene_tick (scene);
  v = scene_velocity (scene, object);
  w = orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (scene->world),
                                            orrery_object_get_index (object));
  g_assert_cmpfloat (v->z, ==, 0);
  g_assert_cmpfloat (w->x, ==, 0);
  g_assert_cmpfloat (v->x, >, 0.9);
  g_assert_cmpfloat (w->z, >, 0.9);
}

/* rad, that a cube of @type turns when another hits it off its centre */
static double
hit (OrreryBodyType type)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryObject *other = scene_add_box (scene, "other", &cube, -1.5, 0.4, 0);

  orrery_object_get_body (object)->type = type;
  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (other)->gravity = FALSE;
  scene_build (scene);
  set_velocity (scene, other, 3, 0, 0);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, object)->position.x, >, 0.1);
  return fabs (scene_yaw (scene, object));
}

static void
test_dynamic (void)
{
  OrreryVec3 linear = { 0 }, angular = { 0, 0, 1 };
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);

  g_assert_cmpfloat (hit (ORRERY_BODY_DYNAMIC), ==, 0);
  g_assert_cmpfloat (hit (ORRERY_BODY_RIGID), >, 0.05);

  /* Not turned by others, but it turns as it is told. */
  orrery_object_get_body (object)->type = ORRERY_BODY_DYNAMIC;
  scene_build (scene);
  orrery_commands_set_velocity (scene_commands (scene), object, &linear, &angular);
  scene_run (scene, 0.5);
  g_assert_cmpfloat (scene_yaw (scene, object), >, 0.4);
}

/* Where a robot ends after driving through @type at x = 2. */
static OrreryTransform
drive_through (OrreryBodyType type, gboolean *touched)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryObject *gate = scene_add_box (scene, "gate", &cube, 2, 0, 0.5);

  orrery_object_get_body (gate)->type = type;
  *touched = FALSE;
  scene_build (scene);
  for (int i = 0; i < 240; i++) {
    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
    *touched = *touched || scene_touch (scene, "robot", "gate");
    g_assert_cmpint (scene_touch (scene, "robot", "Ground"), ==, TRUE);
  }
  g_assert_cmpfloat (scene_pose (scene, gate)->position.x, ==, 2);
  return *scene_pose (scene, robot);
}

static void
test_ghost (void)
{
  gboolean none, ghost, fixed;
  OrreryTransform free = drive_through (ORRERY_BODY_NONE, &none);
  OrreryTransform through = drive_through (ORRERY_BODY_GHOST, &ghost);
  OrreryTransform stopped = drive_through (ORRERY_BODY_STATIC, &fixed);

  g_assert_false (none);
  g_assert_true (ghost);
  g_assert_true (fixed);
  g_assert_cmpmem (&free, sizeof free, &through, sizeof through);
  g_assert_cmpfloat (free.position.x, >, 3.5);
  g_assert_cmpfloat (stopped.position.x, <, 1.0);
}

/* A ghost on a robot goes where the robot goes, sees others and not its robot. */
static void
test_ghost_carried (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryObject *feeler = orrery_world_add_object (scene->world, "feeler", robot, NULL);
  OrreryObject *wall = scene_add_box (scene, "wall", &cube, 4, 0, 0.5);
  g_autoptr (OrreryShape) shape =
      orrery_shape_new (ORRERY_SHAPE_SPHERE, &(OrreryVec3){ 0.3, 0, 0 }, NULL);
  OrreryTransform mounted = at (1.5, 0, 0.4);
  double x = 0;

  orrery_object_set_start (feeler, &mounted);
  orrery_object_get_body (feeler)->type = ORRERY_BODY_GHOST;
  orrery_object_add_shape (feeler, shape);
  orrery_object_get_body (wall)->type = ORRERY_BODY_STATIC;
  scene_build (scene);
  for (int i = 0; i < 240 && x == 0; i++) {
    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
    g_assert_false (scene_touch (scene, "robot", "robot.feeler"));
    if (scene_touch (scene, "robot.feeler", "wall"))
      x = scene_pose (scene, feeler)->position.x;
  }
  assert_near (x, 3.5 - 0.3, 0.05);
  assert_near (x - scene_pose (scene, robot)->position.x, 1.5, 1e-3);
  assert_near (scene_velocity (scene, feeler)->x, scene_velocity (scene, robot)->x, 1e-3);
  g_assert_false (scene_touch (scene, "robot", "wall"));
}

/* What has a body on something without one goes with it, and touches what is there, at once. */
static void
test_carried_by_nobody (void)
{
  static const OrreryBodyType types[] = { ORRERY_BODY_GHOST, ORRERY_BODY_STATIC };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (Scene) scene = scene_new (BULLET, "empty");
    OrreryObject *root = orrery_world_add_object (scene->world, "root", NULL, NULL);
    OrreryObject *feeler = orrery_world_add_object (scene->world, "feeler", root, NULL);
    OrreryObject *box = scene_add_box (scene, "box", &cube, 4, 0, 0.56);
    g_autoptr (OrreryShape) shape =
        orrery_shape_new (ORRERY_SHAPE_SPHERE, &(OrreryVec3){ 0.3, 0, 0 }, NULL);
    OrreryTransform mounted = at (1, 0, 0.5), there = at (2.3, 0, 0);

    orrery_object_set_start (feeler, &mounted);
    orrery_object_get_body (feeler)->type = types[i];
    orrery_object_add_shape (feeler, shape);
    orrery_object_get_body (box)->type = ORRERY_BODY_RIGID;
    scene_build (scene);
    scene_run (scene, 1);
    g_assert_false (scene_touch (scene, "root.feeler", "box"));
    orrery_commands_set_pose (scene_commands (scene), root, &there);
    scene_tick (scene);
    assert_near (scene_pose (scene, feeler)->position.x, 3.3, 1e-12);
    g_assert_true (scene_touch (scene, "root.feeler", "box"));
  }
}

/* Contacts come in the order of the objects; normals point from the second to the first. */
static void
test_contacts (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "indoors-1/boxes");
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (scene->world);
  const OrreryContact *contacts;
  double weight = 0;
  guint n;

  for (int i = 0; i < 4; i++) {
    g_autofree char *name = g_strdup_printf ("robot%d", i);
    scene_add_robot (scene, name, "atrv", 2 * i, 0, 0);
  }
  scene_build (scene);
  scene_run (scene, 3);
  contacts = orrery_snapshot_get_contacts (snapshot, &n);
  g_assert_cmpuint (n, ==, 7 * 4);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (contacts[i].a, <, contacts[i].b);
    g_assert_true (i == 0 || contacts[i - 1].a < contacts[i].a ||
                   (contacts[i - 1].a == contacts[i].a && contacts[i - 1].b <= contacts[i].b));
    /* The ground is the first object: from what stands on it, down. */
    assert_near (contacts[i].normal.z, -1, 1e-6);
    weight += contacts[i].impulse * 120;
  }
  assert_near (weight, (4 * 20 + 3 * 1) * G, 1);
}

/* What never moves by itself, but sits on what moves, pushes others. */
static void
test_static_carried (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryObject *plough = orrery_world_add_object (scene->world, "plough", robot, NULL);
  OrreryObject *load = scene_add_box (scene, "load", &cube, 3, 0, 0.56);
  g_autoptr (OrreryShape) shape =
      orrery_shape_new (ORRERY_SHAPE_BOX, &(OrreryVec3){ 0.1, 0.5, 0.2 }, NULL);
  OrreryTransform mounted = at (1.2, 0, 0.4);

  orrery_object_set_start (plough, &mounted);
  orrery_object_get_body (plough)->type = ORRERY_BODY_STATIC;
  orrery_object_add_shape (plough, shape);
  scene_build (scene);
  for (int i = 0; i < 180; i++) {
    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
  }
  g_assert_cmpfloat (scene_pose (scene, load)->position.x, >, 4);
  g_assert_true (scene_touch (scene, "robot.plough", "load"));
}

static void
test_push_box (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryObject *box = scene_add_box (scene, "box", &cube, 3, 0, 0.56);

  scene_build (scene);
  scene_run (scene, 5); /* long enough for what can sleep to sleep */
  for (int i = 0; i < 240; i++) {
    scene_drive (scene, robot, 1, 0);
    scene_tick (scene);
  }
  g_assert_cmpfloat (scene_pose (scene, box)->position.x, >, 4);
}

/* m, how high a ball comes back from 1 m */
static double
bounce (double restitution)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *ball = orrery_world_add_object (scene->world, "ball", NULL, NULL);
  OrreryObject *ground = orrery_world_find_object (scene->world, "Ground");
  g_autoptr (OrreryShape) shape =
      orrery_shape_new (ORRERY_SHAPE_SPHERE, &(OrreryVec3){ 0.25, 0, 0 }, NULL);
  OrreryTransform start = at (0, 0, 1.25);
  double high = 0;

  orrery_object_set_start (ball, &start);
  orrery_object_get_body (ball)->type = ORRERY_BODY_RIGID;
  orrery_object_get_body (ball)->restitution = restitution;
  orrery_object_get_body (ground)->restitution = 1;
  orrery_object_add_shape (ball, shape);
  scene_build (scene);
  for (int i = 0; i < 70; i++) {
    scene_tick (scene);
    if (i > 35)
      high = fmax (high, scene_pose (scene, ball)->position.z - 0.25);
  }
  return high;
}

static void
test_restitution (void)
{
  g_assert_cmpfloat (bounce (0), <, 0.05);
  g_assert_cmpfloat (bounce (0.8), >, 0.4);
}

/* Shapes of every kind come to rest on the ground, at their own height. */
static void
test_shapes (void)
{
  static const struct {
    OrreryShapeKind kind;
    OrreryVec3 size;
    double rest;   /* m, height of the centre on the ground itself */
    double margin; /* m, of the ground, and its own if it has one: it rests that much higher */
  } cases[] = {
    { ORRERY_SHAPE_BOX, { 0.2, 0.3, 0.4 }, 0.4, 0.06 },
    { ORRERY_SHAPE_SPHERE, { 0.3, 0, 0 }, 0.3, 0 },
    { ORRERY_SHAPE_CYLINDER, { 0.3, 0.3, 0.4 }, 0.4, 0.06 },
    { ORRERY_SHAPE_CONE, { 0.3, 0.3, 0.4 }, 0.4, 0.08 }, /* and its own */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Scene) scene = scene_new (BULLET, "empty");
    OrreryObject *object = orrery_world_add_object (scene->world, "object", NULL, NULL);
    g_autoptr (OrreryShape) shape = orrery_shape_new (cases[i].kind, &cases[i].size, NULL);
    OrreryTransform start = at (0, 0, cases[i].rest + 0.2);
    double z;

    orrery_object_set_start (object, &start);
    orrery_object_get_body (object)->type = ORRERY_BODY_RIGID;
    orrery_object_get_body (object)->margin = 0.02;
    orrery_object_add_shape (object, shape);
    scene_build (scene);
    scene_run (scene, 5);
    z = scene_pose (scene, object)->position.z;
    g_test_message ("shape %u: z %.5f tilt %.5f", cases[i].kind, z, scene_tilt (scene, object));
    assert_near (z, cases[i].rest + cases[i].margin, 0.005);
    g_assert_cmpfloat (scene_tilt (scene, object), <, 0.02);
    g_assert_cmpfloat (fabs (scene_velocity (scene, object)->z), <, 0.01);
  }
}

/* --- poses and suspension --- */

static void
test_pose (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryTransform there = at (5, 6, 7);

  orrery_object_get_body (object)->gravity = FALSE;
  orrery_object_get_body (object)->linear_damping = 0;
  scene_build (scene);
  set_velocity (scene, object, 1, 0, 0);
  scene_tick (scene);
  orrery_commands_move (scene_commands (scene), object, &there);
  scene_tick (scene);
  assert_near (scene_pose (scene, object)->position.x, 5 + 1.0 / 60, 1e-9);
  assert_near (scene_velocity (scene, object)->x, 1, 1e-12);

  orrery_commands_set_pose (scene_commands (scene), object, &there);
  scene_tick (scene);
  g_assert_cmpfloat (scene_pose (scene, object)->position.x, ==, 5);
  g_assert_cmpfloat (scene_velocity (scene, object)->x, ==, 0);
}

static void
test_pose_static (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *table = scene_add_box (scene, "table", &cube, 0, 0, 1);
  OrreryObject *box = scene_add_box (scene, "box", &(OrreryVec3){ 0.3, 0.3, 0.3 }, 0, 0, 1.7);
  OrreryTransform away = at (5, 0, 1);

  orrery_object_get_body (table)->type = ORRERY_BODY_STATIC;
  scene_build (scene);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, box)->position.z, >, 1.6);
  orrery_commands_set_pose (scene_commands (scene), table, &away);
  scene_run (scene, 2);
  g_assert_cmpfloat (scene_pose (scene, box)->position.z, <, 0.3);
  g_assert_cmpfloat (scene_pose (scene, table)->position.x, ==, 5);
}

static void
test_suspend (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryTransform there = at (0, 0, 9);

  scene_build (scene);
  set_velocity (scene, object, 1, 0, 0);
  scene_tick (scene);
  g_assert_cmpfloat (scene_velocity (scene, object)->x, >, 0.9);

  orrery_commands_set_dynamics (scene_commands (scene), object, FALSE);
  scene_tick (scene);
  there.position.x = scene_pose (scene, object)->position.x;
  set_velocity (scene, object, 1, 2, 3);
  scene_push (scene, object, 100, 0, 0);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, object)->position.x, ==, there.position.x);
  g_assert_cmpfloat (scene_velocity (scene, object)->x, ==, 0);

  orrery_commands_set_pose (scene_commands (scene), object, &there);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, object)->position.z, ==, 9);

  orrery_commands_set_dynamics (scene_commands (scene), object, TRUE);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, object)->position.z, <, 5);
}

/* One turn and a bit: the quaternion of the snapshot never jumps to the other of the two. */
static void
test_continuous_rotation (void)
{
  OrreryObject *object;
  g_autoptr (Scene) scene = new_cube (&object);
  OrreryVec3 linear = { 0 }, angular = { 0.3, 0.2, 2 };
  OrreryQuat last = { 1, 0, 0, 0 };

  scene_build (scene);
  for (int i = 0; i < 300; i++) {
    const OrreryQuat *q;

    orrery_commands_set_velocity (scene_commands (scene), object, &linear, &angular);
    scene_tick (scene);
    q = &scene_pose (scene, object)->rotation;
    g_assert_cmpfloat (q->w * last.w + q->x * last.x + q->y * last.y + q->z * last.z, >, 0.9);
    last = *q;
  }
}

/* --- what is refused --- */

static void
assert_refused (Scene *scene, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (scene_try_build (scene, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, "object 'cube'"));
  if (strstr (error->message, words) == NULL)
    g_error ("'%s' does not say '%s'", error->message, words);
}

static void
test_refused (void)
{
  static const struct {
    gsize offset;
    double value;
    const char *words;
  } cases[] = {
    { G_STRUCT_OFFSET (OrreryBody, mass), 0, "mass" },
    { G_STRUCT_OFFSET (OrreryBody, mass), -1, "mass" },
    { G_STRUCT_OFFSET (OrreryBody, mass), NAN, "mass" },
    { G_STRUCT_OFFSET (OrreryBody, mass), INFINITY, "mass" },
    { G_STRUCT_OFFSET (OrreryBody, margin), -0.5, "margin" },
    { G_STRUCT_OFFSET (OrreryBody, friction), NAN, "friction" },
    { G_STRUCT_OFFSET (OrreryBody, restitution), 1.5, "restitution" },
    { G_STRUCT_OFFSET (OrreryBody, linear_damping), 2, "damping" },
    { G_STRUCT_OFFSET (OrreryBody, angular_factor), NAN, "factors" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    OrreryObject *object;
    g_autoptr (Scene) scene = new_cube (&object);
    char *body = (char *) orrery_object_get_body (object);
    double sane = *(double *) (gpointer) (body + cases[i].offset);

    *(double *) (gpointer) (body + cases[i].offset) = cases[i].value;
    assert_refused (scene, cases[i].words);
    *(double *) (gpointer) (body + cases[i].offset) = sane;
    g_assert_true (scene_try_build (scene, NULL));
  }
}

static OrreryShape *
new_mesh (double z, guint32 corner)
{
  const double xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, z };
  const guint32 abc[3] = { 0, 1, corner };
  g_autoptr (OrreryBuffer) points =
      orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ 3, 3 });
  g_autoptr (OrreryBuffer) triangles =
      orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (const gsize[]){ 1, 3 });

  memcpy (orrery_buffer_get_data (points), xyz, sizeof xyz);
  memcpy (orrery_buffer_get_data (triangles), abc, sizeof abc);
  return orrery_shape_new_points (ORRERY_SHAPE_MESH, points, triangles, NULL);
}

static void
test_refused_shape (void)
{
  static const struct {
    double z;
    guint32 corner;
    const char *words; /* NULL: accepted */
  } cases[] = {
    { 0, 2, NULL }, { NAN, 2, "a point" }, { 1e300, 2, "a point" }, { 0, 3, "triangle 0" }
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Scene) scene = scene_new (BULLET, NULL);
    OrreryObject *object = orrery_world_add_object (scene->world, "cube", NULL, NULL);
    g_autoptr (OrreryShape) shape = new_mesh (cases[i].z, cases[i].corner);

    orrery_object_get_body (object)->type = ORRERY_BODY_STATIC;
    orrery_object_add_shape (object, shape);
    if (cases[i].words != NULL)
      assert_refused (scene, cases[i].words);
    else
      g_assert_true (scene_try_build (scene, NULL));
  }
}

static void
test_refused_empty (void)
{
  static const OrreryBodyType types[] = { ORRERY_BODY_RIGID, ORRERY_BODY_DYNAMIC,
                                          ORRERY_BODY_GHOST };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (Scene) scene = scene_new (BULLET, NULL);
    OrreryObject *object = orrery_world_add_object (scene->world, "cube", NULL, NULL);

    orrery_object_get_body (object)->type = types[i];
    assert_refused (scene, "shape");
    orrery_object_get_body (object)->type = ORRERY_BODY_STATIC;
    g_assert_true (scene_try_build (scene, NULL));
  }
}

/* The most that commands let through: what it leads to is still no crash and no print. */
static void
run_huge (guint which)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryVec3 fast = { 1e8, 1e8, 1e8 }, strong = { 1e14, 1e14, 1e14 }, none = { 0 };
  g_autoptr (GError) error = NULL;

  scene_add_robot (scene, "other", "atrv", 0.9, 0, 0);
  scene_build (scene);
  scene_run (scene, 0.2);
  for (int i = 0; i < 1200 && error == NULL; i++) {
    if (which == 0)
      orrery_commands_set_velocity (scene_commands (scene), robot, &fast, &none);
    else if (which == 1)
      orrery_commands_add_force (scene_commands (scene), robot, &strong, &none);
    else
      orrery_commands_add_force (scene_commands (scene), robot, &none, &strong);
    scene_try_tick (scene, &error);
  }
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, "object 'robot'"));

  /* It has stopped for good, and does not crash when it is asked again. */
  g_assert_true (scene_try_tick (scene, NULL));
}

static void
test_beyond_measure (void)
{
  g_autoptr (Scene) scene = scene_new (BULLET, "empty");
  OrreryObject *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  OrreryVec3 huge = { 1e308, 1e308, 1e308 }, nan = { 0, NAN, 0 }, none = { 0 };
  OrreryVec3 spin = { 1e8, 1e8, 1e8 };
  OrreryTransform far = at (1e300, 0, 0);
  OrreryCommands *commands;

  scene_build (scene);
  commands = scene_commands (scene);
  g_assert_false (orrery_commands_set_velocity (commands, robot, &huge, &none));
  g_assert_false (orrery_commands_set_velocity (commands, robot, &none, &nan));
  g_assert_false (orrery_commands_add_force (commands, robot, &none, &huge));
  g_assert_false (orrery_commands_set_pose (commands, robot, &far));
  scene_run (scene, 0.2);
  assert_near (scene_pose (scene, robot)->position.x, 0, 1e-6);
  g_assert_true (orrery_commands_set_velocity (commands, robot, &none, &spin));
  scene_run (scene, 0.2);
}

static void
test_huge (gconstpointer data)
{
  if (g_test_subprocess ()) {
    run_huge (GPOINTER_TO_UINT (data));
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout_unmatched ("*Overflow*");
  g_test_trap_assert_stderr ("");
}

int
main (int argc, char **argv)
{
  static const char *const huge[] = { "velocity", "force", "torque" };

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/bullet/force/newton", test_newton);
  g_test_add_func ("/bullet/force/ends", test_force_ends);
  g_test_add_func ("/bullet/force/of-one-substep", test_push);
  g_test_add_func ("/bullet/force/torque", test_torque);
  g_test_add_func ("/bullet/gravity-switch", test_gravity_switch);
  g_test_add_func ("/bullet/locked-axes", test_locked_axes);
  g_test_add_func ("/bullet/dynamic", test_dynamic);
  g_test_add_func ("/bullet/ghost/free", test_ghost);
  g_test_add_func ("/bullet/ghost/carried", test_ghost_carried);
  g_test_add_func ("/bullet/carried-by-nobody", test_carried_by_nobody);
  g_test_add_func ("/bullet/contacts", test_contacts);
  g_test_add_func ("/bullet/static-carried", test_static_carried);
  g_test_add_func ("/bullet/push-box", test_push_box);
  g_test_add_func ("/bullet/restitution", test_restitution);
  g_test_add_func ("/bullet/shapes", test_shapes);
  g_test_add_func ("/bullet/pose/moving", test_pose);
  g_test_add_func ("/bullet/pose/static", test_pose_static);
  g_test_add_func ("/bullet/suspend", test_suspend);
  g_test_add_func ("/bullet/continuous-rotation", test_continuous_rotation);
  g_test_add_func ("/bullet/refused/settings", test_refused);
  g_test_add_func ("/bullet/refused/shape", test_refused_shape);
  g_test_add_func ("/bullet/refused/empty", test_refused_empty);
  g_test_add_func ("/bullet/beyond-measure", test_beyond_measure);
  for (guint i = 0; i < G_N_ELEMENTS (huge); i++) {
    g_autofree char *path = g_strconcat ("/bullet/huge/", huge[i], NULL);
    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_huge);
  }
  return g_test_run ();
}
