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

/* --- a build of the same world --- */

/* Two boxes on a third that stands still. */
static Scene *
build_pile (void)
{
  Scene *scene = scene_new (orrery_bullet_get_type (), NULL);
  OrreryObject *ground = scene_add_box (scene, "ground", &(OrreryVec3){ 20, 20, 1 }, 0, 0, -0.5);
  OrreryObject *high = scene_add_box (scene, "high", &cube, 0.2, 0.1, 1.6);
  OrreryObject *low = scene_add_box (scene, "low", &cube, 0, 0, 0.5);

  orrery_object_get_body (ground)->type = ORRERY_BODY_STATIC;
  orrery_object_get_body (high)->linear_damping = 0.2;
  orrery_object_get_body (high)->restitution = orrery_object_get_body (low)->restitution = 0.2;
  scene_build (scene);
  return scene;
}

static OrreryObject *
find (Scene *scene, const char *name)
{
  return orrery_world_find_object (scene->world, name);
}

static void
change (Scene *scene, OrreryQuantityKind which, const char *name, double x, double y, double z)
{
  g_assert_true (orrery_commands_set_quantity (scene_commands (scene), which,
                                               name != NULL ? find (scene, name) : NULL,
                                               &(OrreryVec3){ x, y, z }));
}

static void
change_all (Scene *scene)
{
  change (scene, ORRERY_QUANTITY_MASS, "low", 7, 0, 0);
  change (scene, ORRERY_QUANTITY_MASS, "high", 0.3, 0, 0);
  change (scene, ORRERY_QUANTITY_FRICTION, "ground", 0.1, 0, 0);
  change (scene, ORRERY_QUANTITY_FRICTION, "low", 0.9, 0, 0);
  change (scene, ORRERY_QUANTITY_RESTITUTION, "low", 0.8, 0, 0);
  change (scene, ORRERY_QUANTITY_RESTITUTION, "ground", 0.7, 0, 0);
  change (scene, ORRERY_QUANTITY_GRAVITY, NULL, 0.5, 0, -5);
  change (scene, ORRERY_QUANTITY_WIND, NULL, 3, 1, 0);
}

static guint64
run_pile (Scene *scene, gboolean changed)
{
  guint64 hash = 0;

  if (changed)
    change_all (scene);
  for (guint i = 0; i < 90; i++) {
    if (i == 10)
      scene_push (scene, find (scene, "high"), 30, 4, 0);
    scene_tick (scene);
    hash = hash * 31 + scene_hash (scene);
  }
  return hash;
}

static void
test_in_place (void)
{
  g_autoptr (Scene) scene = build_pile (), fresh = build_pile (), changed = build_pile ();
  OrreryBullet *bullet = (OrreryBullet *) scene->physics;
  OrreryVec3 inertia = orrery_object_get_body (find (scene, "low"))->inertia;
  const BulletEngine *engine = bullet->engine;
  guint64 first = run_pile (fresh, FALSE), other = run_pile (changed, TRUE);

  g_test_summary ("A build after masses, surfaces, gravity and wind changed keeps the engine, and "
                  "the run is that of a fresh one to the last bit");
  g_assert_cmpuint (first, !=, other);
  g_assert_cmpuint (run_pile (scene, TRUE), ==, other);
  g_assert_cmpfloat (orrery_object_get_body (find (scene, "low"))->inertia.x, !=, inertia.x);
  for (guint i = 0; i < 2; i++) {
    scene_build (scene);
    g_assert_true (bullet->engine == engine);
    g_assert_cmpmem (&orrery_object_get_body (find (scene, "low"))->inertia, sizeof inertia,
                     &inertia, sizeof inertia);
    g_assert_cmpuint (run_pile (scene, i == 1), ==, i == 1 ? other : first);
  }
  scene_build (scene);
  g_assert_cmpuint (run_pile (scene, FALSE), ==, first);
}

/* A negative control: what a build would leave that kept the engine as it is. */
static void
test_changes_count (void)
{
  g_test_summary ("Each of the quantities alone changes the run");
  for (guint which = 0; which < 5; which++) {
    g_autoptr (Scene) scene = build_pile (), other = build_pile ();
    gboolean of_world = which >= ORRERY_QUANTITY_GRAVITY;

    g_assert_cmpuint (of_world, ==, orrery_quantity_get (which)->of_world);
    change (scene, (OrreryQuantityKind) which, of_world ? NULL : "low", 0.4, 0.1, -2);
    g_assert_cmpuint (run_pile (scene, FALSE), !=, run_pile (other, FALSE));
  }
}

static void
test_other_mass (void)
{
  g_autoptr (Scene) scene = build_pile ();
  OrreryBullet *bullet = (OrreryBullet *) scene->physics;
  guint64 made_of = bullet->made_of;

  g_test_summary ("A world that is another one is built anew");
  orrery_object_get_body (find (scene, "low"))->mass = 3;
  scene_build (scene);
  g_assert_cmpuint (bullet->made_of, !=, made_of);
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
  g_test_add_func ("/bullet-states/in-place", test_in_place);
  g_test_add_func ("/bullet-states/changes-count", test_changes_count);
  g_test_add_func ("/bullet-states/other-mass", test_other_mass);
  g_test_add_func ("/bullet-states/shared", test_shared);
  return g_test_run ();
}
