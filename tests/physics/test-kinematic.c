/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene.h"

#include <math.h>
#include <string.h>

GType orrery_kinematic_get_type (void);

#define KINEMATIC (orrery_kinematic_get_type ())

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

static Scene *
new_robot (OrreryObject **robot)
{
  Scene *scene = scene_new (KINEMATIC, "empty");

  *robot = scene_add_robot (scene, "robot", "atrv", 0, 0, 0);
  return scene;
}

static OrreryTransform
drive (guint substeps, double frequency)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);

  scene->substeps = substeps;
  scene->frequency = frequency;
  scene_build (scene);
  for (int i = 0; i < 2 * frequency; i++) {
    scene_drive (scene, robot, 1, -G_PI / 4);
    scene_tick (scene);
  }
  return *scene_pose (scene, robot);
}

/* A quarter of a circle, exactly, whatever the step. */
static void
test_arc (void)
{
  static const double frequencies[] = { 5, 60, 250 };
  static const guint substeps[] = { 1, 2, 7 };

  for (guint i = 0; i < 3; i++) {
    OrreryTransform end = drive (substeps[i], frequencies[i]);

    assert_near (end.position.x, 4 / G_PI, 1e-12);
    assert_near (end.position.y, -4 / G_PI, 1e-12);
    assert_near (end.position.z, 0.1, 1e-15);
    assert_near (2 * asin (end.rotation.z), -G_PI / 2, 1e-12);
  }
}

static void
test_goes_as_told (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);
  guint n;

  orrery_object_set_start (robot, &(OrreryTransform){ { 1, 2, 3 }, { 1, 0, 0, 0 } });
  scene_build (scene);
  scene_push (scene, robot, 1e6, 0, 0);
  scene_run (scene, 1);
  g_assert_cmpfloat (scene_pose (scene, robot)->position.x, ==, 1);
  g_assert_cmpfloat (scene_pose (scene, robot)->position.z, ==, 3);

  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  assert_near (scene_pose (scene, robot)->position.x, 1.1, 1e-9);
  assert_near (scene_velocity (scene, robot)->x, 6, 1e-9);
  /* As last told: an actuator that runs every sixth tick drives as far as one that runs in each. */
  scene_run (scene, 1);
  assert_near (scene_pose (scene, robot)->position.x, 7.1, 1e-9);
  scene_drive (scene, robot, 0, 0);
  scene_run (scene, 1);
  assert_near (scene_pose (scene, robot)->position.x, 7.1, 1e-9);
  assert_near (scene_velocity (scene, robot)->x, 0, 1e-9);
  orrery_snapshot_get_contacts (orrery_world_get_snapshot (scene->world), &n);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_poses (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);
  OrreryObject *ground = orrery_world_find_object (scene->world, "Ground");
  OrreryTransform there = { { 5, 6, 7 }, { 0, 0, 0, 1 } };

  scene_build (scene);
  scene_drive (scene, robot, 6, 0);
  orrery_commands_set_pose (scene_commands (scene), robot, &there);
  orrery_commands_set_pose (scene_commands (scene), ground, &there);
  scene_tick (scene);
  g_assert_cmpmem (scene_pose (scene, robot), sizeof there, &there, sizeof there);
  g_assert_cmpmem (scene_pose (scene, ground), sizeof there, &there, sizeof there);

  /* A velocity that it is told behind the pose counts from the next tick on. */
  orrery_commands_set_pose (scene_commands (scene), robot, &there);
  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  g_assert_cmpmem (scene_pose (scene, robot), sizeof there, &there, sizeof there);
  g_assert_cmpfloat (scene_velocity (scene, robot)->x, ==, -6);

  orrery_commands_set_pose (scene_commands (scene), robot, &there);
  orrery_commands_set_dynamics (scene_commands (scene), robot, FALSE);
  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  g_assert_cmpmem (scene_pose (scene, robot), sizeof there, &there, sizeof there);
  orrery_commands_set_dynamics (scene_commands (scene), robot, TRUE);
  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  assert_near (scene_pose (scene, robot)->position.x, 5 - 0.1, 1e-9);
}

static void
test_locked (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);

  orrery_object_get_body (robot)->linear_factor = (OrreryVec3){ 0, 1, 1 };
  scene_build (scene);
  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  assert_near (scene_pose (scene, robot)->position.x, 0, 1e-12);
}

static void
test_children_follow (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);
  OrreryObject *arm = orrery_world_add_object (scene->world, "arm", robot, NULL);

  orrery_object_set_start (arm, &(OrreryTransform){ { 1, 0, 0.5 }, { 1, 0, 0, 0 } });
  orrery_object_get_body (arm)->type = ORRERY_BODY_STATIC;
  scene_build (scene);
  scene_drive (scene, robot, 6, 0);
  scene_tick (scene);
  assert_near (scene_pose (scene, arm)->position.x, 1.1, 1e-6);
  assert_near (scene_pose (scene, arm)->position.z, 0.6, 1e-12);
}

static void
test_refused (void)
{
  OrreryObject *robot;
  g_autoptr (Scene) scene = new_robot (&robot);
  g_autoptr (GError) error = NULL;

  orrery_object_get_body (robot)->mass = 0;
  g_assert_false (scene_try_build (scene, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, "object 'robot'"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/kinematic/arc", test_arc);
  g_test_add_func ("/kinematic/goes-as-told", test_goes_as_told);
  g_test_add_func ("/kinematic/poses", test_poses);
  g_test_add_func ("/kinematic/locked", test_locked);
  g_test_add_func ("/kinematic/children-follow", test_children_follow);
  g_test_add_func ("/kinematic/refused", test_refused);
  return g_test_run ();
}
