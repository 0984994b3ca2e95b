/* SPDX-License-Identifier: BSD-3-Clause */
/* States of orrery.physics.bullet.Bullet that somebody made by hand. */
#include "scene.h"

#include "../../plugins/physics/bullet/bullet-private.h"

#define N 3

static const OrreryVec3 cube = { 1, 1, 1 };

/* @state with each box held by the one at its place in @holders; -1: by nothing. */
static GVariant *
with_holders (GVariant *state, const gint64 *holders)
{
  g_autoptr (GVariant) entries = g_variant_get_child_value (state, 0);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  GVariantBuilder list;

  g_assert_cmpuint (g_variant_n_children (entries), ==, N);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(bbbx)"));
  for (guint i = 0; i < N; i++) {
    gboolean suspended, report, falls;
    gint64 holder;

    g_variant_get_child (entries, i, "(bbbx)", &suspended, &report, &falls, &holder);
    g_assert_cmpint (holder, ==, -1);
    g_variant_builder_add (&list, "(bbbx)", suspended, report, falls, holders[i]);
  }
  g_ptr_array_add (parts, g_variant_ref_sink (g_variant_builder_end (&list)));
  for (gsize i = 1; i < g_variant_n_children (state); i++)
    g_ptr_array_add (parts, g_variant_get_child_value (state, i));
  return g_variant_ref_sink (
      g_variant_new_tuple ((GVariant *const *) parts->pdata, g_variant_n_children (state)));
}

static gboolean
restore_holders (const gint64 *holders)
{
  g_autoptr (Scene) scene = scene_new (orrery_bullet_get_type (), NULL);
  OrreryPartClass *klass;
  g_autoptr (GVariant) state = NULL, other = NULL;
  g_autoptr (GError) error = NULL;
  gint64 indices[N];

  for (guint i = 0; i < N; i++) {
    g_autofree char *name = g_strdup_printf ("box%u", i);
    OrreryObject *box = scene_add_box (scene, name, &cube, 3.0 * i, 0, 0);

    indices[i] = orrery_object_get_index (box);
  }
  scene_build (scene);
  scene_tick (scene);
  klass = ORRERY_PART_GET_CLASS (scene->physics);
  state = g_variant_ref_sink (klass->save (ORRERY_PART (scene->physics)));
  for (guint i = 0; i < N; i++)
    indices[i] = holders[i] < 0 ? -1 : indices[holders[i]];
  other = with_holders (state, indices);
  klass->restore (ORRERY_PART (scene->physics), other, &error);
  if (error == NULL)
    scene_run (scene, 0.1);
  else
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  return error == NULL;
}

static void
test_rings (void)
{
  g_test_summary ("Who holds each other in a ring is refused; a row of holders is taken");
  g_assert_true (restore_holders ((const gint64[]){ 1, 2, -1 }));
  g_assert_false (restore_holders ((const gint64[]){ 1, 2, 0 }));
  g_assert_false (restore_holders ((const gint64[]){ -1, 2, 1 }));
  g_assert_false (restore_holders ((const gint64[]){ 0, -1, -1 }));
}

static void
test_kept (void)
{
  g_autoptr (Scene) scene = scene_new (orrery_bullet_get_type (), NULL);
  OrreryBullet *bullet = (OrreryBullet *) scene->physics;
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (scene->physics);
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("A restore without changed quantities leaves the engine as the build made it");
  scene_add_box (scene, "box", &cube, 0, 0, 0);
  scene_build (scene);
  scene_tick (scene);
  g_assert_cmpuint (bullet->made_of, !=, 0);
  state = g_variant_ref_sink (klass->save (ORRERY_PART (scene->physics)));
  klass->restore (ORRERY_PART (scene->physics), state, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bullet->made_of, !=, 0);
}

/* --- what worlds have in common --- */

static Scene *
build_ground (double margin)
{
  Scene *scene = scene_new (orrery_bullet_get_type (), NULL);
  OrreryObject *ground = scene_add_box (scene, "floor", &cube, 0, 0, 0);
  OrreryBody *body = orrery_object_get_body (ground);

  body->type = ORRERY_BODY_STATIC;
  body->margin = margin;
  scene_build (scene);
  return scene;
}

static void
test_shared (void)
{
  guint before = bullet_count_shared_shapes ();
  Scene *first = build_ground (0.01);
  Scene *second = build_ground (0.01);
  Scene *other = build_ground (0.02);

  g_test_summary ("Worlds have equal meshes in common, which go with the last of them");
  g_assert_cmpuint (before, ==, 0);
  g_assert_cmpuint (bullet_count_shared_shapes (), ==, 2);
  scene_build (first);
  g_assert_cmpuint (bullet_count_shared_shapes (), ==, 2);
  scene_free (first);
  g_assert_cmpuint (bullet_count_shared_shapes (), ==, 2);
  scene_free (second);
  g_assert_cmpuint (bullet_count_shared_shapes (), ==, 1);
  scene_free (other);
  g_assert_cmpuint (bullet_count_shared_shapes (), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bullet-states/rings", test_rings);
  g_test_add_func ("/bullet-states/kept", test_kept);
  g_test_add_func ("/bullet-states/shared", test_shared);
  return g_test_run ();
}
