/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints under Bullet: motors move links by forces, and links push what is in their way. */
#include "scene.h"

#include <math.h>

GType orrery_bullet_get_type (void);

#define BULLET (orrery_bullet_get_type ())
#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* A post with an arm of 2 m along x, in which it turns about z. */
static Scene *
new_arm (OrreryObject **arm, OrreryBodyType base, OrreryBodyType link)
{
  Scene *scene = scene_new (BULLET, "empty");
  OrreryVec3 size = { 0.4, 0.4, 0.4 }, half = { 1, 0.05, 0.05 };
  OrreryObject *post = scene_add_box (scene, "post", &size, 0, 0, 0.27);
  g_autoptr (OrreryShape) shape = NULL;
  OrreryTransform middle = { { 1, 0, 0 }, { 1, 0, 0, 0 } };
  OrreryJoint joint;

  orrery_object_get_body (post)->type = base;
  *arm = orrery_world_add_object (scene->world, "arm", post, NULL);
  shape = orrery_shape_new (ORRERY_SHAPE_BOX, &half, &middle);
  orrery_object_add_shape (*arm, shape);
  orrery_object_get_body (*arm)->type = link;
  /* As the post: they lean on the margin of the ground both, and the post stays upright. */
  orrery_object_get_body (*arm)->margin = 0;
  orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
  orrery_object_set_joint (*arm, &joint);
  return scene;
}

static double
scene_joint (Scene *scene, OrreryObject *link)
{
  return orrery_snapshot_get_joint_position (orrery_world_get_snapshot (scene->world),
                                             orrery_object_get_index (link));
}

static void
test_push (void)
{
  OrreryVec3 size = { 0.3, 0.3, 0.3 };
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_STATIC, ORRERY_BODY_RIGID);
  OrreryObject *box = scene_add_box (scene, "box", &size, 1.5, 0.5, 0.21);

  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), arm, 1, 0.5);
  scene_run (scene, 1);
  assert_near (scene_yaw (scene, arm), 0.5, 0.01);
  assert_near (orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (scene->world),
                                                     orrery_object_get_index (arm))
                   ->z,
               0.5, 0.02);
  scene_run (scene, 3);
  assert_near (scene_yaw (scene, arm), 1, 0.01);
  /* Out of the way of the arm's side. */
  g_test_message ("box %.3f %.3f", scene_pose (scene, box)->position.x,
                  scene_pose (scene, box)->position.y);
  g_assert_cmpfloat (scene_pose (scene, box)->position.y, >, 0.9);
}

/* A base that moves takes the arm along; it is lighter than what its motor turns. */
static void
test_on_base (void)
{
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);
  OrreryObject *post = orrery_world_find_object (scene->world, "post");

  scene_build (scene);
  orrery_commands_set_joint_velocity (scene_commands (scene), arm, 1);
  for (int i = 0; i < 120; i++) {
    scene_drive (scene, post, 1, 0);
    scene_tick (scene);
  }
  g_assert_cmpfloat (scene_pose (scene, post)->position.x, >, 1.5);
  assert_near (scene_pose (scene, arm)->position.x, scene_pose (scene, post)->position.x, 1e-6);
  assert_near (scene_joint (scene, arm), 2, 0.06);
  assert_near (scene_velocity (scene, arm)->x, scene_velocity (scene, post)->x, 1e-6);
}

/* A base that is put somewhere is held there for the tick, and its arm swings on. */
static void
test_put_base (void)
{
  OrreryTransform there = { { 3, -2, 5 }, { 1, 0, 0, 0 } };
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);
  OrreryObject *post = orrery_world_find_object (scene->world, "post");

  orrery_object_get_joint (arm)->axis = (OrreryVec3){ 0, 1, 0 };
  scene_build (scene);
  for (int i = 0; i < 30; i++) {
    g_assert_true (orrery_commands_set_pose (scene_commands (scene), post, &there));
    scene_tick (scene);
    g_assert_cmpmem (scene_pose (scene, post), sizeof there, &there, sizeof there);
    assert_near (scene_pose (scene, arm)->position.z, 5, 1e-12);
  }
  g_test_message ("joint %.4f", scene_joint (scene, arm));
  g_assert_cmpfloat (scene_joint (scene, arm), >, 0.5);
  scene_run (scene, 0.5);
  g_assert_cmpfloat (scene_pose (scene, post)->position.z, <, 4.5);
}

/* m, how far the arm is from the post that carries it, at most, while that is moved at 2 m/s. */
static double
find_lag (Scene *scene, OrreryObject *moved, OrreryObject *post, OrreryObject *arm)
{
  const OrreryVec3 way = { 2, 0, 0 }, none = { 0 };
  double most = 0;

  for (int i = 0; i < 30; i++) {
    g_assert_true (orrery_commands_set_velocity (scene_commands (scene), moved, &way, &none));
    scene_tick (scene);
    most = fmax (most,
                 fabs (scene_pose (scene, arm)->position.x - scene_pose (scene, post)->position.x));
  }
  g_assert_cmpfloat (scene_pose (scene, post)->position.x, >, 0.7);
  return most;
}

static OrreryObject *
add_hand (Scene *scene)
{
  OrreryVec3 size = { 0.1, 0.1, 0.1 };
  OrreryObject *hand = scene_add_box (scene, "hand", &size, 0, 0, 4);

  orrery_object_get_body (hand)->type = ORRERY_BODY_GHOST;
  return hand;
}

/* What hangs by a joint on a body is where that is when a tick ends, whatever moves that. */
static void
test_no_lag (void)
{
  OrreryVec3 size = { 1, 1, 0.1 };
  OrreryTransform below = { { 0, 0, -1 }, { 1, 0, 0, 0 } };
  OrreryObject *arm, *arm_on_mast;
  g_autoptr (Scene) held = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);
  g_autoptr (Scene) told = scene_new (BULLET, "empty");
  OrreryObject *post = orrery_world_find_object (held->world, "post");
  OrreryObject *hand = add_hand (held);
  OrreryObject *car = scene_add_box (told, "car", &size, 0, 0, 3);
  OrreryObject *mast = orrery_world_add_object (told->world, "mast", car, NULL);
  OrreryVec3 half = { 0.1, 0.1, 0.1 };
  g_autoptr (OrreryShape) shape = orrery_shape_new (ORRERY_SHAPE_BOX, &half, NULL);
  OrreryJoint joint;

  scene_build (held);
  orrery_commands_attach (scene_commands (held), post, hand, &below);
  assert_near (find_lag (held, hand, post, arm), 0, 1e-9);

  /* A part that only reports contacts, on a body that moves freely. */
  orrery_object_get_body (mast)->type = ORRERY_BODY_GHOST;
  orrery_object_add_shape (mast, shape);
  arm_on_mast = orrery_world_add_object (told->world, "arm", mast, NULL);
  orrery_object_add_shape (arm_on_mast, shape);
  orrery_object_get_body (arm_on_mast)->type = ORRERY_BODY_RIGID;
  orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
  orrery_object_set_joint (arm_on_mast, &joint);
  scene_build (told);
  assert_near (find_lag (told, car, mast, arm_on_mast), 0, 1e-9);
}

static Scene *
hold_in_flight (double seconds, OrreryObject **hand)
{
  OrreryTransform below = { { 0, 0, -1 }, { 1, 0, 0, 0 } };
  OrreryObject *arm;
  Scene *scene = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);

  *hand = add_hand (scene);
  orrery_object_get_joint (arm)->axis = (OrreryVec3){ 0, 1, 0 };
  scene_build (scene);
  orrery_commands_attach (scene_commands (scene), orrery_world_find_object (scene->world, "post"),
                          *hand, &below);
  scene_run (scene, seconds);
  return scene;
}

/* A state of a robot that is held while its arm swings goes on to the last bit. */
static void
test_held_state (void)
{
  const OrreryVec3 way = { 2, 0.3, 0 }, spin = { 0, 0.4, 1 };
  OrreryObject *hands[2];
  g_autoptr (Scene) scene = hold_in_flight (0.5, &hands[0]);
  g_autoptr (Scene) other = hold_in_flight (0.7, &hands[1]);
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (scene->physics);
  g_autoptr (GVariant) state = g_variant_ref_sink (klass->save (ORRERY_PART (scene->physics)));
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (scene_hash (scene), !=, scene_hash (other));
  klass->restore (ORRERY_PART (other->physics), state, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 60; i++) {
    g_assert_true (orrery_commands_set_velocity (scene_commands (scene), hands[0], &way, &spin));
    g_assert_true (orrery_commands_set_velocity (scene_commands (other), hands[1], &way, &spin));
    scene_tick (scene);
    scene_tick (other);
    g_assert_cmpuint (scene_hash (scene), ==, scene_hash (other));
  }
}

/* rad, of an arm that the spin of what holds its post swings out */
static double
swing_out (double damping)
{
  const OrreryVec3 none = { 0 }, spin = { 0, 0, 3 };
  OrreryTransform below = { { 0, 0, -1 }, { 1, 0, 0, 0 } };
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);
  OrreryObject *post = orrery_world_find_object (scene->world, "post");
  OrreryObject *hand = add_hand (scene);

  orrery_object_get_joint (arm)->axis = (OrreryVec3){ 0, 1, 0 };
  orrery_object_get_joint (arm)->damping = 2;
  orrery_object_get_body (post)->linear_damping = damping;
  orrery_object_get_body (post)->angular_damping = damping;
  scene_build (scene);
  orrery_commands_attach (scene_commands (scene), post, hand, &below);
  for (int i = 0; i < 1800; i++) {
    g_assert_true (orrery_commands_set_velocity (scene_commands (scene), hand, &none, &spin));
    scene_tick (scene);
  }
  g_test_message ("damping %g: %.9f rad", damping, scene_joint (scene, arm));
  return scene_joint (scene, arm);
}

/* A body that is held goes as its holder: its damping is nothing to what hangs on it. */
static void
test_held_damping (void)
{
  double angle = swing_out (0);

  /* A rod of 2 m that spins at 3 rad/s: sin (q) = 3 g / (2 l w^2), down from level. */
  assert_near (sin (angle), 3 * 9.81 / (2 * 2 * 9), 0.01);
  assert_near (swing_out (0.99), angle, 1e-12);
}

/* What is fixed to a body is a part of it: the post stands on the arm's end. */
static void
test_fixed (void)
{
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_RIGID, ORRERY_BODY_RIGID);
  OrreryObject *post = orrery_world_find_object (scene->world, "post");
  OrreryTransform down = { { 0, 0, 0 }, { 1, 0, 0, 0 } };

  orrery_object_get_joint (arm)->kind = ORRERY_JOINT_FIXED;
  orrery_quat_from_euler (0, G_PI / 2, 0, &down.rotation);
  orrery_object_set_start (arm, &down);
  orrery_object_set_start (post, &(OrreryTransform){ { 0, 0, 3 }, { 1, 0, 0, 0 } });
  orrery_object_get_body (post)->angular_factor = (OrreryVec3){ 0 };
  scene_build (scene);
  scene_run (scene, 3);
  g_test_message ("post %.3f", scene_pose (scene, post)->position.z);
  assert_near (scene_pose (scene, post)->position.z, 2.06, 0.03);
  assert_near (scene_pose (scene, arm)->position.z, scene_pose (scene, post)->position.z, 1e-9);
}

/* A motor gives as much as it has: less than what stands in the way takes. */
static void
test_stopped (void)
{
  OrreryVec3 size = { 0.3, 0.3, 0.6 };
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_STATIC, ORRERY_BODY_RIGID);
  OrreryObject *wall = scene_add_box (scene, "wall", &size, 1, 0.7, 0.3);

  orrery_object_get_body (wall)->type = ORRERY_BODY_STATIC;
  orrery_object_get_joint (arm)->max_effort = 5;
  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), arm, 1.5, 1);
  scene_run (scene, 3);
  g_assert_true (scene_touch (scene, "post.arm", "wall"));
  g_assert_cmpfloat (scene_joint (scene, arm), <, 0.6);
  assert_near (orrery_snapshot_get_joint (orrery_world_get_snapshot (scene->world),
                                          orrery_object_get_index (arm))
                   ->effort,
               5, 1e-9);
  /* An effort of the other sign turns it back. */
  orrery_commands_set_joint_effort (scene_commands (scene), arm, -1);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_joint (scene, arm), <, 0.1);
}

/* Links of a body with wheels on rays, and those without a mass, follow their motors exactly. */
static void
test_followers (void)
{
  OrreryObject *arm;
  g_autoptr (Scene) scene = new_arm (&arm, ORRERY_BODY_STATIC, ORRERY_BODY_RIGID);

  orrery_object_get_body (arm)->mass = 0;
  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), arm, 1, 0.5);
  scene_run (scene, 1);
  assert_near (scene_joint (scene, arm), 0.5, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/bullet-joints/push", test_push);
  g_test_add_func ("/bullet-joints/on-base", test_on_base);
  g_test_add_func ("/bullet-joints/put-base", test_put_base);
  g_test_add_func ("/bullet-joints/no-lag", test_no_lag);
  g_test_add_func ("/bullet-joints/held-state", test_held_state);
  g_test_add_func ("/bullet-joints/held-damping", test_held_damping);
  g_test_add_func ("/bullet-joints/fixed", test_fixed);
  g_test_add_func ("/bullet-joints/stopped", test_stopped);
  g_test_add_func ("/bullet-joints/followers", test_followers);
  return g_test_run ();
}
