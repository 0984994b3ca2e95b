/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <glib/gstdio.h>

/* The forms that entries of component_config take; each says the same as the first of its kind. */

#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps'},"                                         \
  "{'name': 'sink', 'classpath': 'probe.actuators.Sink'},"                                         \
  "{'name': 'worker', 'classpath': 'probe.actuators.Worker'}]}"
#define LOOP "'probe.loop.Loop', 'probe.loop.Codec'"

static Stage *
make_stage (const char *format, const char *entry)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *tables = g_strconcat (parts[0], entry, parts[1], NULL);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, ROBOT);

  return stage_new (scene, NULL);
}

static void
test_outputs (void)
{
  static const char *const entries[] = { "[" LOOP "]", "[" LOOP ", {}]", "[" LOOP ", 'OUT']",
                                         "[" LOOP ", 'OUT', {}]" };

  g_test_summary ("a stream has two to four elements; the third may be its direction");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage =
        make_stage ("'component_datastream': {'robot.steps': [%s]},", entries[i]);
    g_auto (GStrv) sent = NULL;

    stage_step (stage, 3);
    sent = stage_sent (stage, "robot.steps", 0);
    g_assert_cmpuint (g_strv_length (sent), ==, 3);
  }
}

static void
test_inputs (void)
{
  static const char *const entries[] = { "[" LOOP "]", "[" LOOP ", {}]", "[" LOOP ", 'IN']",
                                         "[" LOOP ", 'IN', {}]" };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage =
        make_stage ("'component_datastream': {'robot.sink': [%s]},", entries[i]);

    stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 1}");
    stage_step (stage, 1);
    g_assert_cmpfloat (stage_get (stage, "robot.sink", "x"), ==, 5);
  }
}

static void
test_output_of_an_actuator (void)
{
  g_autoptr (Stage) stage =
      make_stage ("'component_datastream': {'robot.sink': [[" LOOP ", {}], %s]},",
                  "[" LOOP ", 'OUT', {}]");
  g_auto (GStrv) sent = NULL;

  g_test_summary ("an actuator may be looked at, too");
  stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 1}");
  stage_step (stage, 2);
  sent = stage_sent (stage, "robot.sink", 1);
  g_assert_cmpuint (g_strv_length (sent), ==, 2);
  if (g_strv_length (sent) == 2)
    g_assert_cmpstr (sent[1], ==, "{\"x\": 5.0, \"y\": 1.0}");
}

static void
test_modifiers (void)
{
  static const char *const entries[] = {
    "['probe.modifiers.Twice']",
    "['probe.modifiers.Twice', {}]",
    "['probe.modifiers.Twice', 'OUT']",
    "['probe.modifiers.Twice', 'OUT', {}]",
    "['probe.modifiers.Twice', {'at': 3}]",
    "['probe.modifiers.Twice', 'OUT', {'at': 3}]",
  };

  g_test_summary ("a modifier has one to three elements; the second may be a direction");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage =
        make_stage ("'component_modifier': {'robot.steps': [%s]},", entries[i]);

    stage_step (stage, 3);
    g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 6);
  }
}

static void
test_modifiers_of_actuators (void)
{
  static const char *const entries[] = {
    "['probe.modifiers.Twice', {}]",
    "['probe.modifiers.Twice', 'IN', {}]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage =
        make_stage ("'component_datastream': {'robot.sink': [[" LOOP ", {}]]}, "
                    "'component_modifier': {'robot.sink': [%s]},",
                    entries[i]);

    stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 1}");
    stage_step (stage, 1);
    g_assert_cmpfloat (stage_get (stage, "robot.sink", "x"), ==, 10);
  }
}

static void
test_options_reach_modifiers (void)
{
  g_autoptr (Stage) ulp = make_stage ("'component_modifier': {'robot.steps': [%s]},",
                                      "['probe.modifiers.Ulp', {'at': 1}]");

  stage_step (ulp, 1);
  g_assert_cmpfloat (stage_get (ulp, "robot.steps", "x"), ==, 1);
  stage_step (ulp, 1);
  g_assert_cmpfloat (stage_get (ulp, "robot.steps", "x"), ==, 2 + 4.440892098500626e-16);
}

static void
test_services (void)
{
  static const char *const entries[] = { "'probe.requests.Desk'", "['probe.requests.Desk']" };

  g_test_summary ("services are one classpath or a list");
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++) {
    g_autoptr (Stage) stage = make_stage ("'component_service': {'robot.worker': %s},", entries[i]);
    g_autoptr (OrreryCall) call =
        stage_start (stage, "desk", "ask", "[<'robot.worker'>, <'add'>, <[<1.0>, <2.0>]>]");

    stage_step (stage, 1);
    g_assert_true (orrery_call_is_done (call));
    g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  }
}

static void
test_simulation_loads_a_manager (void)
{
  g_autoptr (Stage) stage =
      make_stage ("'component_service': {'simulation': ['%s']},", "probe.requests.Desk");
  g_autoptr (OrreryCall) call =
      stage_start (stage, "desk", "ask", "[<'simulation'>, <'list_robots'>]");

  stage_step (stage, 1);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
}

/* --- the same tables as a file of Python literals, as the builder of MORSE prints them --- */

static const char config[] =
    "component_datastream = {'robot.steps':\n"
    "    [['probe.loop.Loop',\n"
    "      'probe.loop'\n"
    "      '.Codec',\n"
    "      {}]], # a comment\n"
    "}\n"
    "component_modifier = {'robot.steps': [['probe.modifiers.Twice', {}],\n"
    "    ('probe.modifiers.PlusOne', 'OUT', {})]}\n"
    "component_service = {}\noverlays = {}\n"
    "stream_manager = {'probe.loop.Loop': {}}\n";

static void
test_file (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT);
  g_autofree char *path = NULL;
  g_autoptr (OrreryOptions) options = stage_options ();
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = NULL;
  g_auto (GStrv) sent = NULL;
  int fd = g_file_open_tmp ("orrery-config-XXXXXX.py", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, config, -1, &error);
  g_assert_no_error (error);
  g_object_set (options, "config-file", path, NULL);
  stage = stage_new (scene, options);
  g_unlink (path);
  stage_step (stage, 3);
  sent = stage_sent (stage, "robot.steps", 0);
  g_assert_cmpuint (g_strv_length (sent), ==, 3);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 7);
}

static void
test_no_robot (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", "");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GVariant) robots = stage_call (stage, "simulation", "list_robots", NULL);

  g_test_summary ("a scene without a robot is legal");
  stage_step (stage, 10);
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 10);
  g_assert_cmpuint (g_variant_n_children (robots), ==, 0);
}

static void
test_strays (void)
{
  const char *objects =
      "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
      "{'name': 'one', 'classpath': 'probe.actuators.Stray'}, "
      "{'name': 'two', 'classpath': 'probe.actuators.Stray', 'placement': 'worker'}]}";
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", objects);
  g_autoptr (Stage) stage = NULL;

  g_test_summary ("Actuators that say they command what is not in the scene command it in vain");
  stage_log_clear ();
  stage = stage_new (scene, NULL);
  stage_step (stage, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*command*"), ==, 0);
}

static void
test_too_many (void)
{
  g_autoptr (GString) entries = g_string_new ("[" LOOP "]");
  g_autofree char *tables = NULL;
  g_autofree char *scene = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a component with more streams than a step can count is refused");
  for (guint i = 0; i < 1000; i++)
    g_string_append (entries, ",[" LOOP "]");
  tables = g_strdup_printf ("'component_datastream': {'robot.steps': [%s]},", entries->str);
  scene = stage_scene (STAGE_PLAIN, tables, ROBOT);
  g_assert_null (stage_try (scene, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, "a component has at most 1000 streams, not 1001"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/assembly/entries/outputs", test_outputs);
  g_test_add_func ("/assembly/entries/inputs", test_inputs);
  g_test_add_func ("/assembly/entries/output-of-an-actuator", test_output_of_an_actuator);
  g_test_add_func ("/assembly/entries/modifiers", test_modifiers);
  g_test_add_func ("/assembly/entries/modifiers-of-actuators", test_modifiers_of_actuators);
  g_test_add_func ("/assembly/entries/options", test_options_reach_modifiers);
  g_test_add_func ("/assembly/entries/services", test_services);
  g_test_add_func ("/assembly/entries/simulation", test_simulation_loads_a_manager);
  g_test_add_func ("/assembly/entries/file", test_file);
  g_test_add_func ("/assembly/entries/no-robot", test_no_robot);
  g_test_add_func ("/assembly/entries/strays", test_strays);
  g_test_add_func ("/assembly/entries/too-many", test_too_many);
  return g_test_run ();
}
