/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* The key `randomisation` of a scene. */

#include <math.h>

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
#define OP(path, operation, distribution)                                                          \
  "{'path': '" path "', 'operation': '" operation "', 'distribution': '" distribution "'}"
#define AGAIN(path, every, distribution)                                                           \
  "{'path': '" path "', " every ", 'distribution': '" distribution "'}"
#define NOISY "robot.pose/PoseNoiseModifier#0"
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
assert_close (double value, double expected)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-12);
}

static void
test_operations (void)
{
  g_autoptr (Stage) set =
      make_stage (TABLES (OP ("robot.position", "set", "choice([[4, 5, 6]])")), 7);
  g_autoptr (Stage) add =
      make_stage (TABLES (OP ("robot.position", "add",
                              "choice([[0.5, -1, 0]])") ", " OP ("robot.rotation[2]", "add",
                                                                 "choice([0.25])")),
                  7);
  g_autoptr (Stage) all = make_stage (TABLES (OP ("robot.position", "scale", "choice([3])")), 7);
  g_autoptr (Stage) each =
      make_stage (TABLES (OP ("robot.position", "scale", "choice([[2, -1, 0.5]])")), 7);

  g_test_summary ("what is drawn replaces a value of the scene, is added to it or multiplies it");
  for (guint i = 0; i < 2; i++) {
    assert_close (get_x (set), 4);
    assert_close (get_x (add), 1.5);
    assert_close (stage_get (add, "robot.pose", "y"), 1);
    assert_close (stage_get (add, "robot.pose", "yaw"), 0.25);
    assert_close (get_x (all), 3);
    assert_close (stage_get (all, "robot.pose", "y"), 6);
    assert_close (get_x (each), 2);
    assert_close (stage_get (each, "robot.pose", "y"), -2);
    /* The value of the scene counts, not that of the episode before. */
    reset (add);
    reset (all);
    reset (each);
  }
}

/* Returns: (transfer full) */
static GVariant *
get_option (Stage *stage, const char *name)
{
  g_autofree char *owner = g_strndup (name, (gsize) (strrchr (name, '.') - name));
  OrreryPart *part = orrery_simulation_find_part (stage->simulation, owner);

  g_assert_nonnull (part);
  return orrery_part_get_option (part, strrchr (name, '.') + 1);
}

static double
get_number (Stage *stage, const char *name)
{
  g_autoptr (GVariant) value = get_option (stage, name);

  return g_variant_get_double (value);
}

#define WEIGHTS "robot.taker.weights"
#define TAKING                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'taker', 'classpath': 'probe.sensors.Taker'}]}"

static void
test_members (void)
{
  g_autofree char *scene =
      stage_scene ("{'start': 0, 'seed': 7, " STAGE_KINEMATIC "}",
                   "'randomisation': [" OP (WEIGHTS "[1]", "scale",
                                            "choice([10])") ", " ENTRY (WEIGHTS "[2]",
                                                                        "uniform(0.25, 0.5)") "],",
                   TAKING);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  double before = 0;

  g_test_summary ("members of a list vary, and leave the others alone");
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GVariant) value = get_option (stage, WEIGHTS);
    double numbers[3];

    g_assert_cmpuint (g_variant_n_children (value), ==, 3);
    for (guint k = 0; k < 3; k++) {
      g_autoptr (GVariant) item = g_variant_get_child_value (value, k);
      g_autoptr (GVariant) inner = g_variant_get_variant (item);

      numbers[k] = g_variant_is_of_type (inner, G_VARIANT_TYPE_INT64)
                       ? (double) g_variant_get_int64 (inner)
                       : g_variant_get_double (inner);
    }
    g_assert_cmpfloat (numbers[0], ==, 1);
    g_assert_cmpfloat (numbers[1], ==, 20);
    g_assert_cmpfloat (numbers[2], >=, 0.25);
    g_assert_cmpfloat (numbers[2], <=, 0.5);
    g_assert_cmpfloat (numbers[2], !=, before);
    before = numbers[2];
    reset (stage);
  }
}

#define RANGE "robot.near.range"
#define SEEING                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'near', 'classpath': 'orrery.sensors.proximity.Proximity', "                           \
  "'properties': {'Range': 100.0}}]}"

static Stage *
make_seeing (const char *entries, guint64 seed)
{
  g_autofree char *environment =
      g_strdup_printf ("{'start': 0, 'frequency': 60, 'seed': %u, " STAGE_KINEMATIC "}",
                       (guint) seed);
  g_autofree char *tables = g_strdup_printf ("'randomisation': [%s],", entries);
  g_autofree char *scene = stage_scene (environment, tables, SEEING);

  return stage_new (scene, NULL);
}

/* Steps, and counts in which of the ticks the range changed; the first of them to @first. */
static guint
count_changes (Stage *stage, guint n, guint *first)
{
  double before = get_number (stage, RANGE);
  guint changes = 0;

  for (guint i = 0; i < n; i++) {
    double now;

    stage_step (stage, 1);
    now = get_number (stage, RANGE);
    if (now != before && changes++ == 0)
      *first = i;
    before = now;
  }
  return changes;
}

static void
test_every (void)
{
  static const struct {
    const char *entry;
    guint first;
    guint n; /* in 60 ticks, which are 1 s */
  } cases[] = {
    { AGAIN (RANGE, "'every_ticks': 10", "uniform(1, 2)"), 10, 5 },
    { AGAIN (RANGE, "'every_ticks': 1", "uniform(1, 2)"), 1, 59 },
    { AGAIN (RANGE, "'every': 0.5", "uniform(1, 2)"), 30, 1 },
    { AGAIN (RANGE, "'every': 0.016666666666666666", "uniform(1, 2)"), 1, 59 },
    /* Between two ticks; the next one has it. */
    { AGAIN (RANGE, "'every': 0.28", "uniform(1, 2)"), 17, 3 },
    { AGAIN (RANGE, "'every': 0.001", "uniform(1, 2)"), 1, 59 },
    { AGAIN (RANGE, "'every': 1", "uniform(1, 2)"), 0, 0 },
  };

  g_test_summary ("values are drawn again after a time, or after a number of ticks");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Stage) stage = make_seeing (cases[i].entry, 7);
    guint first = 0;

    g_assert_cmpuint (count_changes (stage, 60, &first), ==, cases[i].n);
    g_assert_cmpuint (first, ==, cases[i].first);
  }
}

#define OFTEN AGAIN (RANGE, "'every_ticks': 7", "uniform(1, 2)")

static void
test_every_stream (void)
{
  g_autoptr (Stage) one = make_seeing (OFTEN, 7);
  g_autoptr (Stage) two =
      make_seeing (AGAIN ("robot.position[0]", "'operation': 'add'", "normal(0, 1)") ", " OFTEN, 7);
  g_autoptr (Stage) rare = make_seeing (AGAIN (RANGE, "'every_ticks': 14", "uniform(1, 2)"), 7);
  g_autoptr (Stage) start = make_seeing (ENTRY (RANGE, "uniform(1, 2)"), 7);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_double_hash, g_double_equal, g_free, NULL);

  g_test_summary ("seed, path, episode and the number of the draw make the value");
  for (guint episode = 0; episode < 2; episode++) {
    double first = get_number (one, RANGE), later = 0;

    g_assert_cmpfloat (first, ==, get_number (start, RANGE));
    for (guint k = 0; k < 4; k++) {
      double now = get_number (one, RANGE);

      g_assert_cmpfloat (now, ==, get_number (two, RANGE));
      g_assert_true (g_hash_table_add (seen, g_memdup2 (&now, sizeof now)));
      if (k == 1)
        later = now;
      stage_step (one, k == 0 ? 8 : 7);
      stage_step (two, k == 0 ? 8 : 7);
    }
    /* The first draw of the other one, although in another tick. */
    stage_step (rare, 15);
    g_assert_cmpfloat (get_number (rare, RANGE), ==, later);
    reset (one);
    reset (two);
    reset (rare);
    reset (start);
  }
}

static void
test_every_saved (void)
{
  g_autoptr (Stage) stage = make_seeing (OFTEN, 7);
  g_autoptr (Stage) fresh = make_seeing (OFTEN, 7);
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("a run that goes on from a state draws what it would have drawn");
  reset (stage);
  stage_step (stage, 17);
  state = stage_save (stage);
  stage_restore (fresh, state);
  for (guint i = 0; i < 30; i++) {
    g_assert_cmpfloat (get_number (fresh, RANGE), ==, get_number (stage, RANGE));
    stage_step (stage, 1);
    stage_step (fresh, 1);
  }
  reset_with_seed (stage, 7);
  reset_with_seed (fresh, 7);
  stage_step (stage, 20);
  stage_step (fresh, 20);
  g_assert_cmpfloat (get_number (fresh, RANGE), ==, get_number (stage, RANGE));
}

/* Mean and variance of what 4,000 ticks draw; the bounds are five standard errors. */
static void
test_distributions (void)
{
  static const struct {
    const char *distribution;
    double mean;
    double variance;
    double fourth; /* moment about the mean */
  } cases[] = {
    { "uniform(1, 4)", 2.5, 0.75, 81.0 / 80 },
    { "normal(50, 2)", 50, 4, 48 },
    { "choice([1, 2, 6])", 3, 14.0 / 3, 98.0 / 3 },
  };
  const guint n = 4000;

  g_test_summary ("what is drawn has the mean and the variance of its distribution");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *entry =
        g_strdup_printf (AGAIN (RANGE, "'every_ticks': 1", "%s"), cases[i].distribution);
    g_autoptr (Stage) stage = make_seeing (entry, 11);
    double sum = 0, squares = 0, variance;

    for (guint k = 0; k < n; k++) {
      double value;

      stage_step (stage, 1);
      value = get_number (stage, RANGE) - cases[i].mean;
      sum += value;
      squares += value * value;
    }
    variance = cases[i].variance;
    g_assert_cmpfloat_with_epsilon (sum / n, 0, 5 * sqrt (variance / n));
    g_assert_cmpfloat_with_epsilon (squares / n, variance,
                                    5 * sqrt ((cases[i].fourth - variance * variance) / n));
  }
}

static void
test_report (void)
{
  g_autoptr (Stage) stage =
      make_stage (TABLES (X ", " OP ("robot.position[1]", "scale", "choice([3])")), 7);
  g_autoptr (Stage) plain = make_stage ("", 7);
  g_autoptr (GVariant) none = orrery_simulation_get_report (plain->simulation);

  g_test_summary ("the report has what the episode began with");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GVariant) report = orrery_simulation_get_report (stage->simulation);
    g_autoptr (GVariant) drawn =
        g_variant_lookup_value (report, "randomisation", G_VARIANT_TYPE_VARDICT);
    double x, y;

    g_assert_true (g_variant_lookup (drawn, "robot.position[0]", "d", &x));
    g_assert_true (g_variant_lookup (drawn, "robot.position[1]", "d", &y));
    g_assert_cmpfloat (get_x (stage), ==, x);
    g_assert_cmpfloat (y, ==, 6);
    reset (stage);
  }
  g_assert_false (g_variant_lookup (none, "randomisation", "@a{sv}", NULL));
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
test_told_as_json (void)
{
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("lists are told as they are written");
  stage_log_clear ();
  stage = make_stage (
      TABLES ("{\"path\": \"robot.position\", \"distribution\": \"choice([[1, 2.5, 0]])\"}"), 7);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_INFO, "*Episode 0: robot.position = [1, 2.5, 0]"),
                    ==, 1);
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
    { ENTRY ("robot.positon[0]", "uniform(0, 1)"),
      "*no property 'positon'; did you mean position*" },
    { ENTRY ("robot.mas", "uniform(1, 2)"), "*no property 'mas'; did you mean mass*" },
    { ENTRY ("robot.position[0]", "unifrm(0, 1)"), "*is no distribution*uniform(*" },
    { ENTRY ("robot.position[0]", "uniform(1, 0)"), "*has to be the smaller one*" },
    { ENTRY ("robot.position[0]", "uniform(1)"), "*two numbers are needed, not 1*" },
    { ENTRY ("robot.position[0]", "normal(1, -1)"), "*has to be above 0*" },
    { ENTRY ("robot.position[0]", "choice([])"), "*a list of 0 values*" },
    { ENTRY ("robot.position[0]", "choice([true])"), "*needs a number*" },
    { ENTRY ("robot.position", "uniform(0, 1)"), "*needs three numbers*" },
    { ENTRY ("robot.pose/PoseNoiseModifier#0.pos_std", "uniform(-2, -1)"), "*pos_std*" },
    { X ", " X, "*varies already*" },
    { X ", " ENTRY ("robot.position", "choice([[1, 2, 3]])"),
      "*'robot.position' varies already, as 'robot.position?0?'*" },
    { OP ("robot.position[0]", "ad", "uniform(0, 1)"), "*'ad'; did you mean add*" },
    { OP (NOISY "._2D", "scale", "uniform(0, 1)"), "*'scale' needs numbers*" },
    { OP ("robot.position", "add", "choice([[1, 2]])"), "*2 numbers are drawn for a list of 3*" },
    { ENTRY ("robot.position[3]", "uniform(0, 1)"), "*'position' has 3 members*no ?3?*" },
    { ENTRY ("robot.position[x]", "uniform(0, 1)"), "*an index is a whole number*" },
    { ENTRY (NOISY ".pos_std[0]", "uniform(0, 1)"), "*and no list*" },
    { AGAIN ("robot.position[0]", "'every': 1, 'every_ticks': 2", "uniform(0, 1)"),
      "*'every' is there already*" },
    { AGAIN (NOISY ".pos_std", "'every': 0", "uniform(0, 1)"), "*'every' is 0*" },
    { AGAIN (NOISY ".pos_std", "'every': -1", "uniform(0, 1)"), "*'every' is -1*" },
    { AGAIN (NOISY ".pos_std", "'every_ticks': 0", "uniform(0, 1)"), "*'every_ticks' is 0*" },
    { AGAIN (NOISY ".pos_std", "'every_ticks': 1.5", "uniform(0, 1)"),
      "*'every_ticks' is a number, not an integer*" },
    { AGAIN ("robot.position[0]", "'every': 1", "uniform(0, 1)"), "*at the start of an episode*" },
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
  g_test_add_func ("/randomisation/operations", test_operations);
  g_test_add_func ("/randomisation/members", test_members);
  g_test_add_func ("/randomisation/every", test_every);
  g_test_add_func ("/randomisation/every-stream", test_every_stream);
  g_test_add_func ("/randomisation/every-saved", test_every_saved);
  g_test_add_func ("/randomisation/distributions", test_distributions);
  g_test_add_func ("/randomisation/report", test_report);
  g_test_add_func ("/randomisation/saved", test_saved);
  g_test_add_func ("/randomisation/told", test_told);
  g_test_add_func ("/randomisation/told-as-json", test_told_as_json);
  g_test_add_func ("/randomisation/refused", test_refused);
  g_test_add_func ("/randomisation/out-of-range", test_out_of_range);
  g_test_add_func ("/randomisation/many", test_many);
  return g_test_run ();
}
