/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved states of armatures, and what keeps them numbers: what no arm does is refused. */
#include <orrery-test.h>

#define ARM                                                                                        \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': ["                                      \
                         "{'name': 'arm', 'classpath': 'morse.actuators.kuka_lwr.KukaLWR', "       \
                         "'position': [0, 0, 0.4]}]}")

/* What a state says beside its table: positions, speeds, the indices of the targets that are
 * reached for and moved, poses, and the rows of a trajectory. */
#define OWN_TYPE "(adadiiadmad)"
#define TRAJECTORY                                                                                 \
  "({'points': <@aa{sv} [{'positions': <[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]>, "                    \
  "'time_from_start': <2.0>}]>},)"
enum { POSITIONS, SPEEDS, REACHED, MOVING, POSES, POINTS };

/* @state with other indices, wherever they are in it. */
static GVariant *
change (GVariant *state, int reached, int moving)
{
  gboolean is_own = g_variant_is_of_type (state, G_VARIANT_TYPE (OWN_TYPE));
  GVariantBuilder builder;

  if (!g_variant_is_container (state))
    return state;
  g_variant_builder_init (&builder, g_variant_get_type (state));
  for (gsize i = 0; i < g_variant_n_children (state); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (state, i);

    if (is_own && (i == REACHED || i == MOVING))
      g_variant_builder_add (&builder, "i", i == REACHED ? reached : moving);
    else
      g_variant_builder_add_value (&builder, change (child, reached, moving));
  }
  return g_variant_builder_end (&builder);
}

static void
assert_restored (OrrerySimulation *sim, GVariant *state, int reached, int moving, gboolean fine)
{
  OrreryComponent *arm = orrery_simulation_find_component (sim, "robot.arm");
  g_autoptr (GVariant) changed = g_variant_ref_sink (change (state, reached, moving));
  g_autoptr (GError) error = NULL;

  orrery_part_restore_state (ORRERY_PART (arm), changed, &error);
  if (fine)
    g_assert_no_error (error);
  else
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  orrery_test_step (sim, 3);
}

static void
test_targets (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  OrreryComponent *arm = orrery_simulation_find_component (sim, "robot.arm");
  g_autoptr (GVariant) state = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("a target is moved by an arm that reaches for it, or the state is none");
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [0.4, 0.2, 0.9], [3.1415, 0.0, 0.0], false)", "");
  orrery_test_step (sim, 2);
  call = orrery_test_call (sim, "robot.arm", "move_IK_target",
                           "('kuka_7', [0.0, 0.0, -0.1], @mv nothing, true, 0.1)");
  orrery_test_step (sim, 2);
  state = orrery_part_save_state (ORRERY_PART (arm));
  assert_restored (sim, state, 0, 0, TRUE);
  assert_restored (sim, state, 0, -1, TRUE);
  assert_restored (sim, state, -1, -1, TRUE);
  assert_restored (sim, state, -1, 0, FALSE);
  assert_restored (sim, state, 0, 1, FALSE);
  assert_restored (sim, state, 1, 1, FALSE);
}

/* @numbers, an "ad" or "mad", whose last one is not finite. */
static GVariant *
spoil_last (GVariant *numbers, double value)
{
  gboolean is_maybe = g_variant_is_of_type (numbers, G_VARIANT_TYPE_MAYBE);
  g_autoptr (GVariant) list = is_maybe ? g_variant_get_maybe (numbers) : g_variant_ref (numbers);
  gsize n;
  const double *from = g_variant_get_fixed_array (list, &n, sizeof *from);
  g_autofree double *copy = g_memdup2 (from, n * sizeof *from);
  GVariant *spoilt;

  g_assert_cmpuint (n, >, 0);
  copy[n - 1] = value;
  spoilt = g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, copy, n, sizeof *copy);
  return is_maybe ? g_variant_new_maybe (NULL, spoilt) : spoilt;
}

/* @state with a number that is not finite at the end of one of its lists. */
static GVariant *
spoil (GVariant *state, gsize which, double value)
{
  gboolean is_own = g_variant_is_of_type (state, G_VARIANT_TYPE (OWN_TYPE));
  GVariantBuilder builder;

  if (!g_variant_is_container (state))
    return state;
  g_variant_builder_init (&builder, g_variant_get_type (state));
  for (gsize i = 0; i < g_variant_n_children (state); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (state, i);

    g_variant_builder_add_value (&builder, is_own && i == which ? spoil_last (child, value)
                                                                : spoil (child, which, value));
  }
  return g_variant_builder_end (&builder);
}

static void
test_not_finite (void)
{
  static const gsize lists[] = { POSITIONS, SPEEDS, POSES, POINTS };
  static const double values[] = { NAN, INFINITY, -INFINITY };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  OrreryPart *arm = ORRERY_PART (orrery_simulation_find_component (sim, "robot.arm"));
  g_autoptr (GVariant) state = NULL;
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (GError) none = NULL;

  g_test_summary ("a state has finite numbers only, in each of its lists");
  call = orrery_test_call (sim, "robot.arm", "trajectory", TRAJECTORY);
  orrery_test_step (sim, 5);
  g_assert_false (orrery_call_is_done (call));
  state = orrery_part_save_state (arm);
  for (gsize i = 0; i < G_N_ELEMENTS (lists) * G_N_ELEMENTS (values); i++) {
    g_autoptr (GVariant) spoilt = g_variant_ref_sink (
        spoil (state, lists[i / G_N_ELEMENTS (values)], values[i % G_N_ELEMENTS (values)]));
    g_autoptr (GError) error = NULL;

    orrery_part_restore_state (arm, spoilt, &error);
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
  orrery_part_restore_state (arm, state, &none);
  g_assert_no_error (none);
}

static void
test_far_targets (void)
{
  static const char *const calls[][2] = {
    { "place_IK_target", "('kuka_7', [1.7e308, 0.0, 0.0], @mv nothing, false)" },
    { "place_IK_target", "('kuka_7', [0.0, -1.1e8, 0.0], @mv nothing, true)" },
    { "move_IK_target", "('kuka_7', [0.0, 0.0, 1e9], @mv nothing, false, 1.0)" },
  };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  OrreryPart *arm = ORRERY_PART (orrery_simulation_find_component (sim, "robot.arm"));
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a target that is too far is refused, and leaves joints numbers");
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.arm", calls[i][0], calls[i][1]);

    orrery_test_step (sim, 2);
    g_assert_true (orrery_call_is_done (call));
    g_assert_cmpint (orrery_call_get_fault (call), !=, ORRERY_CALL_OK);
    g_assert_true (isfinite (orrery_test_get (sim, "robot.arm", "kuka_2")));
  }
  /* Control: as far as may be, twice. */
  orrery_test_expected = "is out of reach";
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [5e7, 0.0, 0.0], @mv nothing, false)", "");
  orrery_test_expected = "is out of reach";
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [5e7, 0.0, 0.0], @mv nothing, true)", "");
  orrery_test_step (sim, 10);
  g_assert_true (isfinite (orrery_test_get (sim, "robot.arm", "kuka_2")));
  state = orrery_part_save_state (arm);
  orrery_part_restore_state (arm, state, &error);
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/armature-state/targets", test_targets);
  g_test_add_func ("/actuators/armature-state/not-finite", test_not_finite);
  g_test_add_func ("/actuators/armature-state/far-targets", test_far_targets);
  return g_test_run ();
}
