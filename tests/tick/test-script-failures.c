/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* What a script does wrong, and what it asks for: it alone has the consequences. */

#define BOX(name, z, scripts)                                                                      \
  "{'name': '" name "', 'position': [0, 0, " z "], 'body': {'type': 'rigid', 'mass': 1}, "         \
  "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], 'scripts': [" scripts "]}"
#define ENVIRONMENT "{'start': 0, 'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, 0]}"

typedef struct {
  const char *callback;
  gboolean of_child;
  gboolean of_lasting;
} Callback;

static const Callback callbacks[] = {
  { "init", TRUE, TRUE },
  { "before_simulation", FALSE, TRUE },
  { "after_simulation", FALSE, TRUE },
  { "sensing", TRUE, TRUE },
  { "actuation", TRUE, TRUE },
  { "non_simulation", FALSE, TRUE },
  { "suspend", TRUE, TRUE },
  { "suspended", TRUE, TRUE },
  { "resume", TRUE, TRUE },
  { "thread", TRUE, TRUE },
  { "dyn", TRUE, TRUE },
  { "contact", TRUE, TRUE },
  { "before_instance_switch", FALSE, TRUE },
  { "after_instance_switch", FALSE, TRUE },
  { "cleanup", TRUE, TRUE },
};

/* Two boxes that touch from the start; one script of each does something, the others count. */
static Stage *
load (const char *type, const char *in, const char *does)
{
  g_autofree char *guilty =
      g_strdup_printf (BOX ("a", "0",
                            "{'type': '%s', 'classpath': 'probe.scripts.Probe', "
                            "'properties': {'in': '%s', 'does': '%s', 'at': 1}}"),
                       type, in, does);
  g_autofree char *objects =
      g_strconcat (guilty, ", ",
                   BOX ("b", "0.9",
                        "{'type': 'child', 'classpath': 'probe.scripts.Probe'}, "
                        "{'type': 'customization', 'classpath': 'probe.scripts.Probe'}"),
                   NULL);
  g_autofree char *scene = stage_scene (ENVIRONMENT, "", objects);

  stage_log_clear ();
  return stage_new (scene, NULL);
}

/* Every callback comes once at least; another scene takes the place of the first, which is the same
 * but has no scripts. */
static void
live (Stage *stage)
{
  g_autofree char *other = stage_scene (ENVIRONMENT, "", BOX ("b", "0", ""));
  g_autofree char *path = stage_add_scene (stage, other);

  stage_step (stage, 4);
  orrery_simulation_pause (stage->simulation);
  orrery_simulation_idle (stage->simulation, 2, NULL);
  orrery_simulation_resume (stage->simulation);
  stage_step (stage, 4);
  orrery_simulation_stop (stage->simulation, NULL);
  orrery_simulation_idle (stage->simulation, 2, NULL);
  stage_step (stage, 4);
  orrery_simulation_change_scene (stage->simulation, path, NULL);
  orrery_simulation_close (stage->simulation);
}

static gint64
get_count (Stage *stage, const char *script, const char *callback)
{
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>]", callback);
  g_autoptr (GVariant) n = stage_call (stage, script, "count", arguments);

  return n != NULL ? g_variant_get_int64 (n) : -1;
}

/* All warnings but those of a machine that is slow. */
static guint
count_warnings (void)
{
  return stage_log_count (G_LOG_LEVEL_WARNING, "*") -
         stage_log_count (G_LOG_LEVEL_WARNING, "* takes * ms for a step*");
}

/* --- failures --- */

/* A child is made anew at the next start, and fails once more. */
static guint
expect_reports (const char *type, const char *callback)
{
  return g_str_equal (type, "child") && !g_str_equal (callback, "suspend") &&
                 !g_str_equal (callback, "suspended") && !g_str_equal (callback, "resume")
             ? 2
             : 1;
}

static void
check_failure (const char *type, const char *callback)
{
  g_autoptr (Stage) stage = load (type, callback, "fail");
  g_autofree char *pattern =
      g_strdup_printf ("a/%s: %s: as told; the script is disabled", type, callback);
  guint n;

  live (stage);
  n = stage_log_count (G_LOG_LEVEL_WARNING, pattern);
  if (n != expect_reports (type, callback))
    g_test_message ("%s of %s: %u reports", callback, type, n);
  g_assert_cmpuint (n, ==, expect_reports (type, callback));
  g_assert_cmpuint (count_warnings (), ==, n);
}

static void
test_failures (void)
{
  g_test_summary ("an error in any callback is reported with the script, and the run goes on");
  for (guint i = 0; i < G_N_ELEMENTS (callbacks); i++) {
    const char *callback = callbacks[i].callback;

    if (callbacks[i].of_child)
      check_failure ("child", callback);
    /* Nobody with such a script is there after the change. */
    if (callbacks[i].of_lasting && !g_str_equal (callback, "after_instance_switch"))
      check_failure ("customization", callback);
  }
}

static void
test_others_go_on (void)
{
  g_autoptr (Stage) stage = load ("child", "actuation", "fail");
  g_autoptr (GVariant) disabled = NULL;
  g_autofree char *shown = NULL;

  g_test_summary ("what failed is not called again, all others are");
  stage_step (stage, 5);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 1);
  g_assert_cmpint (get_count (stage, "a/child", "dyn"), ==, 0);
  g_assert_cmpint (get_count (stage, "b/child", "sensing"), ==, 5);
  g_assert_cmpint (get_count (stage, "b/child", "dyn"), ==, 20);
  g_assert_cmpint (get_count (stage, "b/customization", "actuation"), ==, 5);
  disabled = stage_report (stage, "disabled", "a(ss)");
  shown = g_variant_print (disabled, FALSE);
  g_assert_cmpstr (shown, ==, "[('a/child', 'actuation: as told')]");
}

/* A thread that fails takes the script's own actuation of that pass along. */
static void
test_thread_fails (void)
{
  g_autoptr (Stage) stage = load ("child", "thread", "fail");

  stage_step (stage, 2);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 1);
  g_assert_cmpint (get_count (stage, "a/child", "actuation"), ==, 0);
}

static void
test_setup_fails (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *scene =
      stage_scene (ENVIRONMENT, "",
                   BOX ("a", "0",
                        "{'type': 'child', 'classpath': 'probe.scripts.Probe', "
                        "'properties': {'does': 'refuse'}}, "
                        "{'type': 'customization', 'classpath': 'orrery.sensors.pose.Pose'}"));
  Stage *stage = stage_try (scene, NULL, &error);

  g_test_summary ("what refuses its setup, or is no script, is a mistake of the scene");
  g_assert_null (stage);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, "a/child: it refuses to be set up"));
  g_assert_nonnull (strstr (error->message, "orrery.sensors.pose.Pose"));
}

/* --- wishes --- */

static void
check_wish (const char *type, const char *callback, const char *wish)
{
  g_autoptr (Stage) stage = load (type, callback, wish);

  live (stage);
  g_assert_cmpuint (count_warnings (), ==, 0);
}

static void
test_wishes (void)
{
  g_test_summary ("a script may ask for its end or for a new beginning in any callback");
  for (guint i = 0; i < G_N_ELEMENTS (callbacks); i++) {
    if (callbacks[i].of_child) {
      check_wish ("child", callbacks[i].callback, "cleanup");
      check_wish ("child", callbacks[i].callback, "restart");
    }
    if (callbacks[i].of_lasting) {
      check_wish ("customization", callbacks[i].callback, "cleanup");
      check_wish ("customization", callbacks[i].callback, "restart");
    }
  }
}

static void
test_cleanup_wish (void)
{
  g_autoptr (Stage) stage = load ("customization", "sensing", "cleanup");

  stage_step (stage, 3);
  /* It is gone with all it published, and does not come again with the next run. */
  stage_call_fails (stage, "a/customization", "count", "[<'init'>]", ORRERY_CALL_NO_SERVICE, "*");
  orrery_simulation_stop (stage->simulation, NULL);
  stage_step (stage, 3);
  stage_call_fails (stage, "a/customization", "count", "[<'init'>]", ORRERY_CALL_NO_SERVICE, "*");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_cmpint (get_count (stage, "a/customization", "init"), ==, 1);
}

static void
test_restart_wish (void)
{
  g_autoptr (Stage) stage = load ("child", "sensing", "restart");

  g_test_summary ("a new one begins after the pass, and counts from the next pass on");
  stage_step (stage, 1);
  /* The new one was not there for this tick's sensing, but for its actuation. */
  g_assert_cmpint (get_count (stage, "a/child", "init"), ==, 1);
  g_assert_cmpint (get_count (stage, "a/child", "sensing"), ==, 0);
  g_assert_cmpint (get_count (stage, "a/child", "actuation"), ==, 1);
  g_assert_cmpint (get_count (stage, "b/child", "sensing"), ==, 1);
}

/* --- time --- */

static void
test_budget (void)
{
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "",
                   "{'name': 'a', 'scripts': [{'type': 'child', 'classpath': "
                   "'probe.scripts.Burner'}, {'type': 'customization', 'classpath': "
                   "'probe.scripts.Probe'}]}");
  g_autoptr (Stage) stage = NULL;
  g_autoptr (GVariant) scripts = NULL;
  const char *name;
  guint64 n_ticks;
  double seconds, budget;

  g_test_summary ("what all callbacks of a script take in a tick is what it costs");
  stage_log_clear ();
  g_object_set (options, "pacing", ORRERY_PACING_FIXED_STEP, NULL);
  stage = stage_new (scene, options);
  stage_step (stage, 20);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "a/child takes * ms for a step*"), ==, 1);
  scripts = stage_report (stage, "scripts", "a(stdd)");
  g_variant_get_child (scripts, 0, "(&stdd)", &name, &n_ticks, &seconds, &budget);
  g_assert_cmpstr (name, ==, "a/child");
  g_assert_cmpuint (n_ticks, ==, 20);
  g_assert_cmpfloat (seconds, >=, 0.59);
  g_assert_cmpfloat_with_epsilon (budget, 1 / 60.0, 1e-8);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/scripts/failure/each", test_failures);
  g_test_add_func ("/scripts/failure/others", test_others_go_on);
  g_test_add_func ("/scripts/failure/thread", test_thread_fails);
  g_test_add_func ("/scripts/failure/setup", test_setup_fails);
  g_test_add_func ("/scripts/wish/each", test_wishes);
  g_test_add_func ("/scripts/wish/cleanup", test_cleanup_wish);
  g_test_add_func ("/scripts/wish/restart", test_restart_wish);
  g_test_add_func ("/scripts/budget", test_budget);
  return g_test_run ();
}
