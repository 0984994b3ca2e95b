/* SPDX-License-Identifier: BSD-3-Clause */
/* In steady state a tick of physics allocates nothing. */
#include "../allocations.h"
#include "scene.h"

#include <stdlib.h>

GType orrery_bullet_get_type (void);

/* Allocations of 300 ticks of ten robots that drive in circles, @apart m from each other. */
static guint
count (double apart, gboolean allocate)
{
  g_autoptr (Scene) scene = scene_new (orrery_bullet_get_type (), "empty");
  OrreryObject *robots[10];
  guint before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (robots); i++) {
    g_autofree char *name = g_strdup_printf ("robot%u", i);
    robots[i] = scene_add_robot (scene, name, "atrv", apart * (i % 4), apart * (i / 4.0), 0);
  }
  scene_build (scene);
  for (int t = 0; t < 900; t++) {
    if (t == 600)
      before = n_allocations;
    for (guint i = 0; i < G_N_ELEMENTS (robots); i++)
      scene_drive (scene, robots[i], 0.5, 0.6);
    scene_tick (scene);
    if (allocate)
      g_free (g_malloc (100));
  }
  return n_allocations - before;
}

/* Of 300 ticks of an arm that presses on the ground with its end. */
static guint
count_links (gboolean allocate, gboolean measure)
{
  g_autoptr (Scene) scene = scene_new (orrery_bullet_get_type (), "empty");
  OrreryVec3 size = { 0.4, 0.4, 0.4 }, half = { 1, 0.05, 0.05 };
  OrreryTransform middle = { { 1, 0, 0 }, { 1, 0, 0, 0 } };
  OrreryObject *post = scene_add_box (scene, "post", &size, 0, 0, 0.27);
  OrreryObject *arm = orrery_world_add_object (scene->world, "arm", post, NULL);
  g_autoptr (OrreryShape) shape = orrery_shape_new (ORRERY_SHAPE_BOX, &half, &middle);
  OrreryJoint joint;
  guint before = 0;

  orrery_object_add_shape (arm, shape);
  orrery_object_get_body (arm)->type = ORRERY_BODY_RIGID;
  orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
  joint.axis = (OrreryVec3){ 0, 1, 0 };
  joint.friction = 0.1;
  orrery_object_set_joint (arm, &joint);
  if (measure) {
    orrery_world_measure (scene->world, ORRERY_MEASURE_WRENCH, arm);
    orrery_world_measure (scene->world, ORRERY_MEASURE_CONTACTS, arm);
  }
  scene_build (scene);
  for (int t = 0; t < 600; t++) {
    if (t == 300)
      before = n_allocations;
    orrery_commands_set_joint_velocity (scene_commands (scene), arm, t % 60 < 40 ? 0.3 : -0.3);
    scene_tick (scene);
    if (allocate)
      g_free (g_malloc (100));
  }
  g_assert_true (scene_touch (scene, "post.arm", "Ground"));
  return n_allocations - before;
}

static void
test_links (void)
{
  if (!CAN_COUNT) {
    g_test_skip ("the sanitizer has the allocator");
    return;
  }
  g_assert_cmpuint (count_links (FALSE, FALSE), ==, 0);
  g_assert_cmpuint (count_links (TRUE, FALSE), >=, 300);
}

static void
test_measured (void)
{
  if (CAN_COUNT)
    g_assert_cmpuint (count_links (FALSE, TRUE), ==, 0);
  else
    g_test_skip ("the sanitizer has the allocator");
}

static void
test_steady (void)
{
  if (!CAN_COUNT) {
    g_test_skip ("the sanitizer has the allocator");
    return;
  }
  g_assert_cmpuint (count (3, FALSE), ==, 0);
  g_assert_cmpuint (count (3, TRUE), >=, 300);
}

/* Robots that push each other come and go: pairs may be new, but not in each tick. */
static void
test_touching (void)
{
  if (CAN_COUNT)
    g_assert_cmpuint (count (1, FALSE), <, 30);
  else
    g_test_skip ("the sanitizer has the allocator");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  is_counting = TRUE;
  g_test_add_func ("/physics/steady/apart", test_steady);
  g_test_add_func ("/physics/steady/touching", test_touching);
  g_test_add_func ("/physics/steady/links", test_links);
  g_test_add_func ("/physics/steady/measured", test_measured);
  return g_test_run ();
}
