/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise-trial.h"

/* Whose noise depends on what. */

#define ALL                                                                                                                                                                                                                                                                                                \
  "'robot.sensor': [" NOISE_ENTRY ("Gaussian", "'sigma': 1") ", " NOISE_ENTRY (                                                                                                                                                                                                                            \
      "Bias",                                                                                                                                                                                                                                                                                              \
      "'spread': 1") ", " NOISE_ENTRY ("RandomWalk",                                                                                                                                                                                                                                                       \
                                       "'field': 'ramp,v', 'sigma': 1") ", " NOISE_ENTRY ("Outlie"                                                                                                                                                                                                         \
                                                                                          "rs",                                                                                                                                                                                                            \
                                                                                          "'proba"                                                                                                                                                                                                         \
                                                                                          "bility"                                                                                                                                                                                                         \
                                                                                          "': "                                                                                                                                                                                                            \
                                                                                          "0.5, "                                                                                                                                                                                                          \
                                                                                          "'sigma"                                                                                                                                                                                                         \
                                                                                          "': 1") ", " NOISE_ENTRY ("StuckValue",                                                                                                                                                                          \
                                                                                                                    "'field': 'v', 'probability': 0.1, 'duration': 0.1") ", " NOISE_ENTRY ("RateLimit",                                                                                                    \
                                                                                                                                                                                           "'field': 'turn', 'rate': 100") ", " NOISE_ENTRY ("Delay",                                                      \
                                                                                                                                                                                                                                             "'delay': 0.05, 'jitter': 0.05") ", " NOISE_ENTRY ("DropOut", \
                                                                                                                                                                                                                                                                                                "'probability': 0.2, 'duration': 0.05") "]"
#define MORE(name) "{'name': '" name "', 'classpath': 'trial.mixed.Mixed'}"

/* What the sensor shows in a hundred steps, bit by bit. */
static guint64
watch (OrrerySimulation *sim)
{
  guint64 hash = 1;

  for (int k = 0; k < 100; k++) {
    orrery_test_step (sim, 1);
    hash = orrery_hash_word (hash, orrery_record_is_held (noise_record (sim)));
    if (!orrery_record_is_held (noise_record (sim)))
      hash = orrery_record_hash (noise_record (sim), hash, 0);
  }
  return hash;
}

static guint64
run (const char *scene)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  return watch (sim);
}

static void
test_neighbours (void)
{
  const char *alone = NOISE_SCENE_OF (NOISE_SENSOR, ALL);
  const char *crowd = NOISE_SCENE_OF (
      MORE ("a") ", " NOISE_SENSOR ", " MORE ("b"),
      "'robot.a': [" NOISE_ENTRY ("Gaussian", "'sigma': 9") "], " ALL ", 'robot.b': [" NOISE_ENTRY (
          "DropOut", "'probability': 0.9") "]");

  g_test_summary ("adding components, before and behind, changes nobody's noise");
  g_assert_cmpuint (run (alone), ==, run (alone));
  g_assert_cmpuint (run (alone), ==, run (crowd));
}

static void
test_names (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE_OF (
      NOISE_SENSOR ", " MORE ("twin"),
      "'robot.sensor': [" NOISE_ENTRY ("Gaussian", "'field': 'v.x', 'sigma': 1") ", " NOISE_ENTRY (
          "Gaussian",
          "'field': 'v.y', 'sigma': 1") "], 'robot.twin': [" NOISE_ENTRY ("Gaussian",
                                                                          "'field': 'v.x', "
                                                                          "'sigma': 1") "]"));
  double products[2] = { 0 };
  const int n = 10000;

  g_test_summary ("two of a class on one component, and one on another, are independent");
  for (int k = 0; k < n; k++) {
    OrreryVec3 v, twin;

    orrery_test_step (sim, 1);
    v = orrery_test_get_vec3 (sim, "robot.sensor", "v");
    twin = orrery_test_get_vec3 (sim, "robot.twin", "v");
    products[0] += (v.x - 1) * (v.y - 2);
    products[1] += (v.x - 1) * (twin.x - 1);
  }
  assert_near (products[0] / n, 0, 6 / sqrt (n));
  assert_near (products[1] / n, 0, 6 / sqrt (n));
}

static void
test_seed (void)
{
  const char *other = "'environment': {'seed': 43, 'frequency': 60, 'physics': "
                      "'orrery.physics.kinematic.Kinematic'}, 'objects': [{" ORRERY_TEST_ROBOT
                      "'objects': [" NOISE_SENSOR "]}], 'component_modifier': {" ALL "}";

  g_test_summary ("another seed is another noise");
  g_assert_cmpuint (run (NOISE_SCENE_OF (NOISE_SENSOR, ALL)), !=, run (other));
}

static void
test_reset (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE_OF (NOISE_SENSOR, ALL));
  guint64 first = watch (sim);

  g_test_summary ("after a reset the same comes again, whatever was before");
  orrery_test_step (sim, 77);
  g_assert_true (orrery_simulation_reset (sim, NULL));
  g_assert_cmpuint (watch (sim), ==, first);
}

/* Every modifier of the sensor goes back to where it was: then the same steps give the same. */
static void
test_state (void)
{
  static const char *const names[] = { "Gaussian", "Bias",       "RandomWalk", "Outliers",
                                       "DropOut",  "StuckValue", "RateLimit",  "Delay" };
  g_autoptr (GVariant) rubbish = g_variant_ref_sink (g_variant_new_string ("rubbish"));
  g_autoptr (OrrerySimulation) sim = orrery_test_load (NOISE_SCENE_OF (NOISE_SENSOR, ALL));
  g_autoptr (OrrerySimulation) twin = orrery_test_load (NOISE_SCENE_OF (NOISE_SENSOR, ALL));

  g_test_summary ("a run that takes over the state of another goes on as that one");
  orrery_test_step (sim, 50);
  orrery_test_step (twin, 50);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = g_strdup_printf ("robot.sensor/%s#0", names[i]);
    OrreryPart *from = orrery_simulation_find_part (sim, name);
    OrreryPart *to = orrery_simulation_find_part (twin, name);
    g_autoptr (GVariant) state = NULL;
    g_autoptr (GError) error = NULL;

    g_assert_true (from != NULL && to != NULL);
    if (from == NULL || to == NULL)
      continue;
    state = orrery_part_save_state (from);
    orrery_part_restore_state (to, state, &error);
    g_assert_no_error (error);
    orrery_part_restore_state (to, rubbish, &error);
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
  g_assert_cmpuint (watch (sim), ==, watch (twin));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/modifiers/plugins");
  g_test_add_func ("/modifiers/noise/neighbours", test_neighbours);
  g_test_add_func ("/modifiers/noise/names", test_names);
  g_test_add_func ("/modifiers/noise/seed", test_seed);
  g_test_add_func ("/modifiers/noise/after-reset", test_reset);
  g_test_add_func ("/modifiers/noise/state", test_state);
  return g_test_run ();
}
