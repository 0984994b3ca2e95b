/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States of orrery.physics.bullet.Bullet, restored in a fresh world or in one that has run, go on
 * to the last bit, and so does a world that is put back to its start. Scenes are made by a seed:
 * piles of all shapes, robots that drive into them, arms that sweep, pushes and teleports that end
 * contacts. ORRERY_TEST_SCENE is the first seed, ORRERY_TEST_STATES how many states of each scene,
 * ORRERY_TEST_SCENES how many scenes.
 */
#include "scene.h"

#include "world/orrery-world-private.h"

#include <math.h>
#include <stdlib.h>

GType orrery_bullet_get_type (void);

#define TICKS 60 /* of a restored run */

typedef struct {
  Scene *scene;
  guint seed;
  GPtrArray *things; /* (element-type OrreryObject) */
  OrreryObject *robot, *arm;
} Stage;

static guint
read_number (const char *name, guint fallback)
{
  const char *text = g_getenv (name);

  return text != NULL ? (guint) atoi (text) : fallback;
}

/* --- scenes --- */

static void
turn_randomly (OrreryObject *object, GRand *rand)
{
  OrreryTransform pose = *orrery_object_get_start (object);

  orrery_quat_from_euler (g_rand_double_range (rand, -3, 3), g_rand_double_range (rand, -1.5, 1.5),
                          g_rand_double_range (rand, -3, 3), &pose.rotation);
  orrery_object_set_start (object, &pose);
}

/* @size: half */
static void
add_shape (OrreryObject *object, GRand *rand, double size)
{
  static const OrreryShapeKind kinds[] = { ORRERY_SHAPE_BOX, ORRERY_SHAPE_SPHERE,
                                           ORRERY_SHAPE_CYLINDER, ORRERY_SHAPE_CAPSULE,
                                           ORRERY_SHAPE_CONE };
  OrreryShapeKind kind = kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))];
  OrreryVec3 half = { size, size, size };
  OrreryTransform pose = { { g_rand_double_range (rand, -0.2, 0.2),
                             g_rand_double_range (rand, -0.2, 0.2),
                             g_rand_double_range (rand, -0.2, 0.2) },
                           { 1, 0, 0, 0 } };
  g_autoptr (OrreryShape) shape = NULL;

  if (kind == ORRERY_SHAPE_BOX)
    half.x = g_rand_double_range (rand, 0.05, 0.2);
  shape = orrery_shape_new (kind, &half, &pose);
  orrery_object_add_shape (object, shape);
}

static void
add_thing (Stage *stage, GRand *rand, guint i)
{
  g_autofree char *name = g_strdup_printf ("thing%u", i);
  OrreryVec3 size = { g_rand_double_range (rand, 0.1, 0.5), g_rand_double_range (rand, 0.1, 0.5),
                      g_rand_double_range (rand, 0.1, 0.5) };
  OrreryObject *thing = scene_add_box (stage->scene, name, &size, g_rand_double_range (rand, -1, 1),
                                       g_rand_double_range (rand, -1, 1), 0.3 + 0.25 * i);
  OrreryBody *body = orrery_object_get_body (thing);
  guint n = g_rand_int_range (rand, 0, 3);

  turn_randomly (thing, rand);
  body->mass = g_rand_double_range (rand, 0.2, 5);
  body->friction = g_rand_double_range (rand, 0, 1);
  body->restitution = g_rand_boolean (rand) ? g_rand_double_range (rand, 0, 0.8) : 0;
  body->margin = g_rand_boolean (rand) ? 0.02 : ORRERY_NO_MARGIN;
  for (guint k = 0; k < n; k++)
    add_shape (thing, rand, g_rand_double_range (rand, 0.05, 0.2));
  g_ptr_array_add (stage->things, thing);
}

static void
add_arm (Stage *stage)
{
  OrreryVec3 size = { 0.2, 0.2, 0.6 }, half = { 0.7, 0.05, 0.05 };
  OrreryTransform middle = { { 0.7, 0, 0 }, { 1, 0, 0, 0 } };
  OrreryObject *post = scene_add_box (stage->scene, "post", &size, -1.5, 0, 0.36);
  g_autoptr (OrreryShape) shape = orrery_shape_new (ORRERY_SHAPE_BOX, &half, &middle);
  OrreryJoint joint;

  orrery_object_get_body (post)->type = ORRERY_BODY_STATIC;
  stage->arm = orrery_world_add_object (stage->scene->world, "arm", post, NULL);
  orrery_object_add_shape (stage->arm, shape);
  orrery_object_get_body (stage->arm)->type = ORRERY_BODY_RIGID;
  orrery_object_get_body (stage->arm)->margin = 0;
  orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
  joint.max_effort = 20;
  orrery_object_set_joint (stage->arm, &joint);
}

static void
stage_init (Stage *stage, guint seed)
{
  GRand *rand = g_rand_new_with_seed (seed);

  *stage = (Stage){ .scene = scene_new (orrery_bullet_get_type (), "empty"), .seed = seed };
  stage->things = g_ptr_array_new ();
  for (guint i = 0, n = (guint) g_rand_int_range (rand, 3, 16); i < n; i++)
    add_thing (stage, rand, i);
  if (g_rand_boolean (rand))
    stage->robot = scene_add_robot (stage->scene, "robot", "atrv", -3, 0, 0);
  if (seed % 3 == 1)
    add_arm (stage);
  scene_build (stage->scene);
  g_rand_free (rand);
}

static void
stage_clear (Stage *stage)
{
  scene_free (stage->scene);
  g_ptr_array_unref (stage->things);
}

/* What is done depends on scene and tick alone. */
static void
stage_act (Stage *stage, guint tick)
{
  GRand *rand = g_rand_new_with_seed (stage->seed * 100003 + tick);
  OrreryObject *thing = stage->things->pdata[g_rand_int_range (rand, 0, (gint) stage->things->len)];

  if (stage->robot != NULL)
    scene_drive (stage->scene, stage->robot, tick / 90 % 2 == 0 ? 1 : -1, 0.1);
  if (stage->arm != NULL && tick % 40 == 0)
    orrery_commands_set_joint_velocity (scene_commands (stage->scene), stage->arm,
                                        tick / 40 % 2 == 0 ? 1.5 : -1.5);
  if (tick % 7 == 0)
    scene_push (stage->scene, thing, g_rand_double_range (rand, -200, 200),
                g_rand_double_range (rand, -200, 200), g_rand_double_range (rand, 0, 400));
  if (tick % 23 == 0) {
    OrreryTransform pose = *scene_pose (stage->scene, thing);

    pose.position.x += g_rand_double_range (rand, -0.5, 0.5);
    pose.position.z += 0.3;
    orrery_commands_set_pose (scene_commands (stage->scene), thing, &pose);
  }
  g_rand_free (rand);
}

/* What is pressed hard enough is flung away; such a run has an end. */
static gboolean
stage_tick (Stage *stage, guint tick)
{
  stage_act (stage, tick);
  return scene_try_tick (stage->scene, NULL);
}

/* --- states --- */

typedef struct {
  guint tick; /* the next one */
  GVariant *world, *engine;
} Saved;

static void
saved_clear (gpointer data)
{
  Saved *saved = data;

  g_variant_unref (saved->world);
  g_variant_unref (saved->engine);
}

/* As it goes through a file. */
static GVariant *
copy_state (GVariant *state)
{
  g_autoptr (GVariant) kept = g_variant_ref_sink (state);
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (kept);
  g_autoptr (GBytes) copy = g_bytes_new (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  return g_variant_ref_sink (g_variant_new_from_bytes (g_variant_get_type (kept), copy, FALSE));
}

static void
save (Stage *stage, guint tick, GArray *states)
{
  OrreryPart *engine = ORRERY_PART (stage->scene->physics);
  Saved saved = { tick, copy_state (orrery_world_save (stage->scene->world)),
                  copy_state (ORRERY_PART_GET_CLASS (engine)->save (engine)) };

  g_array_append_val (states, saved);
}

static void
restore (Stage *stage, const Saved *saved)
{
  OrreryPart *engine = ORRERY_PART (stage->scene->physics);
  g_autoptr (GError) error = NULL;

  orrery_world_restore (stage->scene->world, saved->world, FALSE, &error);
  g_assert_no_error (error);
  ORRERY_PHYSICS_GET_CLASS (engine)->build (stage->scene->physics, stage->scene->world, &error);
  g_assert_no_error (error);
  ORRERY_PART_GET_CLASS (engine)->restore (engine, saved->engine, &error);
  g_assert_no_error (error);
}

/* Returns: how many ticks from @tick on are those of the run that @hashes are of */
static guint
count_equal (Stage *stage, guint tick, guint end, GArray *hashes)
{
  guint n = 0;

  while (tick < end && stage_tick (stage, tick) &&
         scene_hash (stage->scene) == g_array_index (hashes, guint64, tick)) {
    tick++;
    n++;
  }
  return n;
}

/* @before: ticks that the world has run before it is restored. Returns: whether it goes on as the
 * run that it is from */
static gboolean
goes_on (guint seed, guint before, const Saved *saved, GArray *hashes)
{
  Stage stage;
  guint n, end = MIN (saved->tick + TICKS, hashes->len);

  stage_init (&stage, seed);
  /* Other things happen than in the run that is saved. */
  for (guint tick = 0; tick < before && stage_tick (&stage, 1000 + tick); tick++)
    ;
  restore (&stage, saved);
  n = count_equal (&stage, saved->tick, end, hashes);
  stage_clear (&stage);
  if (saved->tick + n == end)
    return TRUE;
  g_test_message ("scene %u: the state before tick %u differs %u ticks on, after a run of %u ticks",
                  seed, saved->tick, n, before);
  return FALSE;
}

/* Returns: whether a world that has run is as at its start once it is put back there */
static gboolean
begins_again (guint seed, guint before, GArray *hashes)
{
  g_autoptr (GError) error = NULL;
  OrreryPhysics *engine;
  Stage stage;
  guint n, end = MIN (3 * TICKS, hashes->len);

  stage_init (&stage, seed);
  engine = stage.scene->physics;
  for (guint tick = 0; tick < before && stage_tick (&stage, 1000 + tick); tick++)
    ;
  orrery_world_place (stage.scene->world);
  ORRERY_PHYSICS_GET_CLASS (engine)->build (engine, stage.scene->world, &error);
  g_assert_no_error (error);
  n = count_equal (&stage, 0, end, hashes);
  stage_clear (&stage);
  if (n == end)
    return TRUE;
  g_test_message ("scene %u: put back after %u ticks, it differs in tick %u", seed, before, n);
  return FALSE;
}

/* Returns: how many states of a scene do not go on */
static guint
count_wrong (guint seed, guint n_states)
{
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (Saved));
  g_autoptr (GArray) hashes = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint step = 5 + seed % 7, wrong = 0;
  Stage stage;

  g_array_set_clear_func (states, saved_clear);
  stage_init (&stage, seed);
  for (guint tick = 0; tick < n_states * step + TICKS; tick++) {
    guint64 hash;

    if (tick > 0 && tick % step == 0 && states->len < n_states)
      save (&stage, tick, states);
    if (!stage_tick (&stage, tick))
      break;
    hash = scene_hash (stage.scene);
    g_array_append_val (hashes, hash);
  }
  stage_clear (&stage);
  for (guint i = 0; i < states->len; i++)
    wrong += !goes_on (seed, i % 2 * (1 + 7 * i), &g_array_index (states, Saved, i), hashes);
  return wrong + !begins_again (seed, 1 + seed % 50, hashes);
}

static void
test_exact (void)
{
  guint first = read_number ("ORRERY_TEST_SCENE", 1);
  guint n_scenes = read_number ("ORRERY_TEST_SCENES", 10);
  guint n_states = read_number ("ORRERY_TEST_STATES", 20);
  guint wrong = 0;

  g_test_summary ("States of scenes made by a seed go on to the last bit, in a fresh world and in "
                  "one that has run");
  for (guint i = 0; i < n_scenes; i++)
    wrong += count_wrong (first + i, n_states);
  g_test_message ("%u of %u states differ", wrong, n_scenes * n_states);
  g_assert_cmpuint (wrong, ==, 0);
}

/* @state with some of its bytes changed */
static GVariant *
spoil (GVariant *state, GRand *rand)
{
  gsize size = g_variant_get_size (state);
  guint8 *copy = g_memdup2 (g_variant_get_data (state), size);
  g_autoptr (GBytes) bytes = NULL;

  for (gint i = 0, n = g_rand_int_range (rand, 1, 20); i < n; i++)
    copy[g_rand_int_range (rand, 0, (gint) size)] = (guint8) g_rand_int (rand);
  bytes = g_bytes_new_take (copy, size);
  return g_variant_ref_sink (g_variant_new_from_bytes (g_variant_get_type (state), bytes, FALSE));
}

/* Returns: whether it was taken; then some ticks run, or end with an error */
static gboolean
take (guint seed, const Saved *saved, GVariant *spoilt)
{
  g_autoptr (GError) error = NULL;
  OrreryPart *engine;
  Stage stage;

  stage_init (&stage, seed);
  engine = ORRERY_PART (stage.scene->physics);
  restore (&stage, saved);
  ORRERY_PART_GET_CLASS (engine)->restore (engine, spoilt, &error);
  if (error != NULL)
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  for (guint i = 0; error == NULL && i < 3 && stage_tick (&stage, saved->tick + i); i++)
    ;
  stage_clear (&stage);
  return error == NULL;
}

static void
test_spoilt (void)
{
  guint n = read_number ("ORRERY_TEST_SPOILT", 200), n_taken = 0;
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (Saved));
  GRand *rand = g_rand_new_with_seed (1);
  Stage stage;

  g_test_summary ("A spoilt state is refused, or taken for another one; nothing worse happens");
  g_array_set_clear_func (states, saved_clear);
  /* One with an arm. */
  stage_init (&stage, 109);
  for (guint tick = 0; tick < 90; tick++)
    stage_tick (&stage, tick);
  save (&stage, 90, states);
  stage_clear (&stage);
  for (guint i = 0; i < n; i++) {
    const Saved *saved = &g_array_index (states, Saved, 0);
    g_autoptr (GVariant) spoilt = spoil (saved->engine, rand);

    n_taken += take (109, saved, spoilt);
  }
  g_test_message ("%u of %u were taken", n_taken, n);
  g_assert_cmpuint (n_taken, <, n);
  g_assert_cmpuint (n_taken, >, 0);
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bullet-exact/states", test_exact);
  g_test_add_func ("/bullet-exact/spoilt", test_spoilt);
  return g_test_run ();
}
