/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that no engine does the dynamics of: they go as their motors are told. */
#include "scene.h"

#include "world/orrery-world-private.h"

#include <math.h>

GType orrery_kinematic_get_type (void);

#define KINEMATIC (orrery_kinematic_get_type ())
#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-12)

static OrreryObject *
add_link (Scene *scene, const char *name, OrreryObject *parent, OrreryJoint *joint, double x)
{
  OrreryObject *object = orrery_world_add_object (scene->world, name, parent, NULL);

  orrery_object_set_start (object, &(OrreryTransform){ { x, 0, 0 }, { 1, 0, 0, 0 } });
  orrery_object_set_joint (object, joint);
  return object;
}

/* One link of a kind, 1 m from a root. */
static Scene *
new_link (OrreryJointKind kind, OrreryObject **link, OrreryJoint **joint)
{
  Scene *scene = scene_new (KINEMATIC, NULL);
  OrreryObject *root = orrery_world_add_object (scene->world, "root", NULL, NULL);
  OrreryJoint settings;

  orrery_joint_init (&settings, kind);
  *link = add_link (scene, "link", root, &settings, 1);
  *joint = orrery_object_get_joint (*link);
  return scene;
}

static const OrreryJointState *
get_state (Scene *scene, OrreryObject *link)
{
  return orrery_snapshot_get_joint (orrery_world_get_snapshot (scene->world),
                                    orrery_object_get_index (link));
}

static double
get_position (Scene *scene, OrreryObject *link)
{
  return orrery_snapshot_get_joint_position (orrery_world_get_snapshot (scene->world),
                                             orrery_object_get_index (link));
}

static void
test_target (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);

  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), link, 1, 0.5);
  scene_run (scene, 1);
  assert_near (get_position (scene, link), 0.5);
  assert_near (get_state (scene, link)->velocity, 0.5);
  scene_run (scene, 1.5);
  /* To the last bit, and at rest. */
  g_assert_cmpfloat (get_position (scene, link), ==, 1);
  g_assert_cmpfloat (get_state (scene, link)->velocity, ==, 0);
  g_assert_cmpfloat (get_state (scene, link)->effort, ==, 0);
  /* The object turns in its place. */
  assert_near (scene_yaw (scene, link), 1);
  assert_near (scene_pose (scene, link)->position.x, 1);
}

static void
test_limits (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);

  joint->limited = TRUE;
  joint->lower = -0.25;
  joint->upper = 0.75;
  joint->max_speed = 2;
  scene_build (scene);
  orrery_commands_set_joint_position (scene_commands (scene), link, 3, 100);
  scene_run (scene, 0.25);
  assert_near (get_position (scene, link), 0.5);
  scene_run (scene, 1);
  g_assert_cmpfloat (get_position (scene, link), ==, 0.75);
  orrery_commands_set_joint_velocity (scene_commands (scene), link, -10);
  scene_run (scene, 0.25);
  assert_near (get_state (scene, link)->velocity, -2);
  scene_run (scene, 1);
  g_assert_cmpfloat (get_position (scene, link), ==, -0.25);
  g_assert_cmpfloat (get_state (scene, link)->velocity, ==, 0);
  orrery_commands_put_joint (scene_commands (scene), link, 9);
  scene_tick (scene);
  g_assert_cmpfloat (get_position (scene, link), ==, 0.75);
  /* Nothing does its dynamics: no effort moves it. */
  orrery_commands_set_joint_effort (scene_commands (scene), link, -1e6);
  scene_run (scene, 1);
  g_assert_cmpfloat (get_position (scene, link), ==, 0.75);
}

/* Without a limit of its speed it is there in the next tick. */
static void
test_at_once (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_SLIDE, &link, &joint);

  joint->axis = (OrreryVec3){ 0, 0.6, 0.8 };
  joint->reference = 0.5;
  joint->initial = 1.5;
  scene_build (scene);
  assert_near (scene_pose (scene, link)->position.y, 0.6);
  assert_near (scene_pose (scene, link)->position.z, 0.8);
  orrery_commands_set_joint_position (scene_commands (scene), link, -2, 0);
  scene_tick (scene);
  g_assert_cmpfloat (get_position (scene, link), ==, -2);
  assert_near (scene_pose (scene, link)->position.x, 1);
  assert_near (scene_pose (scene, link)->position.y, -1.5);
  assert_near (scene_pose (scene, link)->position.z, -2);
}

/* A plane arm of two links of 1 m, whose root moves as well. */
static void
test_chain (void)
{
  g_autoptr (Scene) scene = scene_new (KINEMATIC, NULL);
  OrreryObject *root = orrery_world_add_object (scene->world, "root", NULL, NULL);
  OrreryJoint hinge;
  OrreryObject *upper, *lower, *tip;
  OrreryVec3 v = { 0, 1, 0 }, w = { 0 };

  orrery_joint_init (&hinge, ORRERY_JOINT_HINGE);
  upper = add_link (scene, "upper", root, &hinge, 0);
  lower = add_link (scene, "lower", upper, &hinge, 1);
  tip = add_link (scene, "tip", lower, NULL, 1);
  scene_build (scene);
  orrery_commands_set_velocity (scene_commands (scene), root, &v, &w);
  orrery_commands_set_joint_position (scene_commands (scene), upper, 0.7, 0.5);
  orrery_commands_set_joint_position (scene_commands (scene), lower, -1.9, 2);
  scene_run (scene, 3);
  assert_near (scene_pose (scene, tip)->position.x, cos (0.7) + cos (0.7 - 1.9));
  assert_near (scene_pose (scene, tip)->position.y, 3 + sin (0.7) + sin (0.7 - 1.9));
  assert_near (scene_yaw (scene, tip), 0.7 - 1.9);
}

/* A door turns about its edge. */
static void
test_anchor (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);

  joint->anchor = (OrreryVec3){ -0.5, 0, 0 };
  scene_build (scene);
  orrery_commands_put_joint (scene_commands (scene), link, G_PI / 2);
  scene_tick (scene);
  assert_near (scene_pose (scene, link)->position.x, 0.5);
  assert_near (scene_pose (scene, link)->position.y, 0.5);
}

static void
test_ball (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_BALL, &link, &joint);
  OrreryVec3 way = { 0.6, 0.8, 0 };
  OrreryQuat goal;

  orrery_quat_from_rotation_vector (&way, &goal);
  scene_build (scene);
  orrery_commands_set_joint_rotation (scene_commands (scene), link, &goal, 0.5);
  scene_run (scene, 1);
  assert_near (get_position (scene, link), 0.5);
  assert_near (get_state (scene, link)->velocity, 0.5);
  assert_near (get_state (scene, link)->turning.x, 0.3);
  scene_run (scene, 2);
  assert_near (get_position (scene, link), 1);
  assert_near (scene_pose (scene, link)->rotation.x, goal.x);
  assert_near (scene_pose (scene, link)->rotation.y, goal.y);
  g_assert_cmpfloat (get_state (scene, link)->velocity, ==, 0);
}

static void
test_again (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);
  const OrreryJointState *state;
  guint64 hash;

  joint->initial = 0.25;
  scene_build (scene);
  state = get_state (scene, link);
  hash = scene_hash (scene);
  orrery_commands_set_joint_velocity (scene_commands (scene), link, 1);
  scene_run (scene, 1);
  assert_near (state->position, 1.25);
  g_assert_cmpuint (scene_hash (scene), !=, hash);

  /* At the start again, and nobody has told it anything. */
  scene_build (scene);
  g_assert_true (state == get_state (scene, link));
  g_assert_cmpuint (scene_hash (scene), ==, hash);
  scene_run (scene, 1);
  g_assert_cmpfloat (state->position, ==, 0.25);
  g_assert_cmpuint (scene_hash (scene), ==, hash);
}

static void
test_refused (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);
  OrreryCommands *commands = scene_commands (scene);
  OrreryQuat bad = { NAN, 0, 0, 0 };

  scene_build (scene);
  g_assert_false (orrery_commands_set_joint_position (commands, link, NAN, 0));
  g_assert_false (orrery_commands_set_joint_position (commands, link, 0, -1));
  g_assert_false (orrery_commands_set_joint_position (commands, link, 0, INFINITY));
  g_assert_false (orrery_commands_set_joint_velocity (commands, link, INFINITY));
  g_assert_false (orrery_commands_set_joint_effort (commands, link, 1e15));
  g_assert_false (orrery_commands_put_joint (commands, link, -1e9));
  g_assert_false (orrery_commands_set_joint_rotation (commands, link, &bad, 0));
  g_assert_cmpuint (commands->n_refused, ==, 7);
  g_assert_cmpuint (commands->staged->len, ==, 0);
  g_assert_true (orrery_commands_set_joint_effort (commands, link, 1e14));
}

/* The last of a tick wins. */
static void
test_last (void)
{
  OrreryObject *link;
  OrreryJoint *joint;
  g_autoptr (Scene) scene = new_link (ORRERY_JOINT_HINGE, &link, &joint);

  scene_build (scene);
  orrery_commands_set_joint_velocity (scene_commands (scene), link, 1);
  orrery_commands_set_joint_position (scene_commands (scene), link, 3, 0);
  orrery_commands_set_joint_position (scene_commands (scene), link, 2, 0);
  scene_run (scene, 1);
  g_assert_cmpfloat (get_position (scene, link), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/joints/target", test_target);
  g_test_add_func ("/joints/limits", test_limits);
  g_test_add_func ("/joints/at-once", test_at_once);
  g_test_add_func ("/joints/chain", test_chain);
  g_test_add_func ("/joints/anchor", test_anchor);
  g_test_add_func ("/joints/ball", test_ball);
  g_test_add_func ("/joints/again", test_again);
  g_test_add_func ("/joints/refused", test_refused);
  g_test_add_func ("/joints/last", test_last);
  return g_test_run ();
}
