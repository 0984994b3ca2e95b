/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* The key `randomisation` of a scene. */

#define NOISE "orrery.modifiers.pose_noise.PoseNoiseModifier"
#define TABLES(list)                                                                               \
  "'randomisation': [" list "], 'component_modifier': {'robot.pose': [['" NOISE                    \
  "', {'pos_std': 0.0, 'rot_std': 0.0}]]},"
#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [1, 2, 3], 'objects': ["  \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}"
#define ENTRY(path, distribution) "{'path': '" path "', 'distribution': '" distribution "'}"
#define X ENTRY ("robot.position[0]", "uniform(5, 6)")
#define YAW ENTRY ("robot.rotation[2]", "choice([0.25, 0.5, 0.75, 1, 1.25, 1.5])")
#define STD ENTRY ("robot.pose/PoseNoiseModifier#0.pos_std", "uniform(0.5, 1)")

static Stage *
make_stage (const char *tables, guint64 seed)
{
  g_autofree char *environment =
      g_strdup_printf ("{'start': 0, 'seed': %u, " STAGE_KINEMATIC "}", (guint) seed);
  g_autofree char *scene = stage_scene (environment, tables, ROBOT);

  return stage_new (scene, NULL);
}

static double
get_x (Stage *stage)
{
  stage_step (stage, 1);
  return stage_get (stage, "robot.pose", "x");
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
reset_with_seed (Stage *stage, guint64 seed)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset_with_seed (stage->simulation, seed, &error));
  g_assert_no_error (error);
}

static void
test_episodes (void)
{
  g_autoptr (Stage) stage = make_stage (TABLES (X), 7);
  g_autoptr (Stage) same = make_stage (TABLES (X), 7);
  g_autoptr (Stage) other = make_stage (TABLES (X), 8);
  g_autoptr (Stage) plain = make_stage (TABLES (), 7);
  double first = get_x (stage);
  double second;

  g_test_summary ("seed and episode make the value, and nothing else");
  g_assert_cmpfloat (first, >=, 5);
  g_assert_cmpfloat (first, <=, 6);
  g_assert_cmpfloat (get_x (same), ==, first);
  g_assert_cmpfloat (get_x (other), !=, first);
  g_assert_cmpfloat (get_x (plain), ==, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.pose", "y"), ==, 2);
  reset (stage);
  second = get_x (stage);
  g_assert_cmpfloat (second, !=, first);
  reset (same);
  g_assert_cmpfloat (get_x (same), ==, second);
  reset_with_seed (stage, 7);
  g_assert_cmpfloat (get_x (stage), ==, first);
  reset (stage);
  g_assert_cmpfloat (get_x (stage), ==, second);
  reset_with_seed (other, 7);
  g_assert_cmpfloat (get_x (other), ==, first);
}

static void
test_added (void)
{
  g_autoptr (Stage) one = make_stage (TABLES (X), 7);
  g_autoptr (Stage) two = make_stage (TABLES (YAW ", " X), 7);

  g_test_summary ("another entry changes no value of the others");
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpfloat (get_x (one), ==, get_x (two));
    g_assert_cmpfloat (stage_get (one, "robot.pose", "yaw"), ==, 0);
    g_assert_cmpfloat (stage_get (two, "robot.pose", "yaw"), >, 0.2);
    reset (one);
    reset (two);
  }
}

static void
test_modifier (void)
{
  g_autoptr (Stage) noisy = make_stage (TABLES (STD), 7);
  g_autoptr (Stage) plain = make_stage (TABLES (), 7);

  g_test_summary ("a property of a modifier varies");
  g_assert_cmpfloat (get_x (plain), ==, 1);
  g_assert_cmpfloat (get_x (noisy), !=, 1);
}

static void
test_saved (void)
{
  g_autoptr (Stage) stage = make_stage (TABLES (X ", " STD), 7);
  g_autoptr (Stage) fresh = make_stage (TABLES (X ", " STD), 7);
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("a state keeps what was drawn, and the number of the episode");
  reset (stage);
  reset (stage);
  stage_step (stage, 3);
  state = stage_save (stage);
  stage_restore (fresh, state);
  g_assert_cmpfloat (get_x (fresh), ==, get_x (stage));
  reset (fresh);
  reset (stage);
  g_assert_cmpfloat (get_x (fresh), ==, get_x (stage));
}

static void
test_told (void)
{
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("one line for each episode says what was drawn");
  stage_log_clear ();
  stage = make_stage (TABLES (X), 7);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_INFO, "*Episode 0: robot.position[0] = 5.*"), ==,
                    1);
  reset (stage);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_INFO, "*Episode 1: robot.position[0] = 5.*"), ==,
                    1);
}

static void
test_refused (void)
{
  static const struct {
    const char *entry;
    const char *words;
  } cases[] = {
    { ENTRY ("robot", "uniform(0, 1)"), "*scene.json:*'robot' is no path*" },
    { ENTRY ("robt.position", "choice([[1, 2, 3]])"), "*'robt'*robot*" },
    { ENTRY ("robot.pose.frequenzy", "uniform(0, 1)"), "*no property 'frequenzy'*" },
    { ENTRY ("robot.position[0]", "unifrm(0, 1)"), "*is no distribution*uniform(*" },
    { ENTRY ("robot.position[0]", "uniform(1, 0)"), "*has to be the smaller one*" },
    { ENTRY ("robot.position[0]", "uniform(1)"), "*two numbers are needed, not 1*" },
    { ENTRY ("robot.position[0]", "normal(1, -1)"), "*has to be above 0*" },
    { ENTRY ("robot.position[0]", "choice([])"), "*a list of 0 values*" },
    { ENTRY ("robot.position[0]", "choice([true])"), "*needs a number*" },
    { ENTRY ("robot.position", "uniform(0, 1)"), "*needs three numbers*" },
    { ENTRY ("robot.pose/PoseNoiseModifier#0.pos_std", "uniform(-2, -1)"), "*pos_std*" },
    { X ", " X, "*varies already*" },
    { "{'path': 'robot.position[0]'}", "*distribution*" },
    { "{'path': 'robot.position[0]', 'distribution': 'uniform(0, 1)', 'wehn': 1}", "*wehn*" },
  };

  g_test_summary ("what cannot vary is refused at load");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *tables = g_strdup_printf (TABLES ("%s"), cases[i].entry);
    g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, ROBOT);
    g_autoptr (GError) error = NULL;
    g_autoptr (Stage) stage = stage_try (scene, NULL, &error);

    g_assert_null (stage);
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
    if (error != NULL && !g_pattern_match_simple (cases[i].words, error->message))
      g_test_message ("%s: %s", cases[i].words, error->message);
    g_assert_true (error != NULL && g_pattern_match_simple (cases[i].words, error->message));
  }
}

/* Half of these are below 0, which the property does not take. */
static void
test_out_of_range (void)
{
  guint n_failed = 0;

  g_test_summary ("a value that a property does not take is told, with what was drawn");
  for (guint seed = 1; seed <= 8; seed++) {
    g_autofree char *environment =
        g_strdup_printf ("{'start': 0, 'seed': %u, " STAGE_KINEMATIC "}", seed);
    g_autofree char *scene =
        stage_scene (environment,
                     TABLES (ENTRY ("robot.pose/PoseNoiseModifier#0.pos_std", "normal(0, 1)")),
                     ROBOT);
    g_autoptr (GError) error = NULL;
    g_autoptr (Stage) stage = stage_try (scene, NULL, &error);

    g_assert_true ((stage == NULL) == (error != NULL));
    if (error == NULL)
      continue;
    n_failed++;
    g_assert_true (
        g_pattern_match_simple ("*randomisation of robot.pose/PoseNoiseModifier#0.pos_std, -*: *",
                                error->message));
  }
  g_assert_cmpuint (n_failed, >, 0);
  g_assert_cmpuint (n_failed, <, 8);
}

static void
test_many (void)
{
  g_autoptr (GString) list = g_string_new (ENTRY ("robot.position[1]", "uniform(0, 1)"));
  g_autofree char *tables = NULL, *scene = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("a list without end is refused");
  for (guint i = 0; i < 1000; i++)
    g_string_append (list, ", " X);
  tables = g_strdup_printf (TABLES ("%s"), list->str);
  scene = stage_scene (STAGE_PLAIN, tables, ROBOT);
  stage = stage_try (scene, NULL, &error);
  g_assert_null (stage);
  g_assert_nonnull (error);
  g_assert_true (g_pattern_match_simple ("*at most 1000 values can vary*", error->message));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/randomisation/episodes", test_episodes);
  g_test_add_func ("/randomisation/added", test_added);
  g_test_add_func ("/randomisation/modifier", test_modifier);
  g_test_add_func ("/randomisation/saved", test_saved);
  g_test_add_func ("/randomisation/told", test_told);
  g_test_add_func ("/randomisation/refused", test_refused);
  g_test_add_func ("/randomisation/out-of-range", test_out_of_range);
  g_test_add_func ("/randomisation/many", test_many);
  return g_test_run ();
}
