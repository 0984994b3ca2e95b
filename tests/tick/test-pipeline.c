/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* The order in which modifiers and streams run, and what a message does. */

#define ROBOT(inner)                                                                               \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" inner "]}"
#define STEPS ROBOT ("{'name': 'steps', 'classpath': 'probe.sensors.Steps'}")
#define SINK ROBOT ("{'name': 'sink', 'classpath': 'probe.actuators.Sink'}")
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
#define TWICE "['probe.modifiers.Twice', {}]"
#define PLUS_ONE "['probe.modifiers.PlusOne', {}]"

static Stage *
make_stage (const char *objects, const char *modifiers, const char *streams)
{
  const char *name = strstr (objects, "steps") != NULL ? "robot.steps" : "robot.sink";
  g_autofree char *tables =
      g_strdup_printf ("'component_modifier': {'%s': [%s]}, 'component_datastream': {'%s': [%s]},",
                       name, modifiers, name, streams);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, objects);

  return stage_new (scene, NULL);
}

static void
check_x (const char *json, double x)
{
  g_autoptr (OrreryNode) node = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (json);
  if (json == NULL)
    return;
  node = orrery_node_parse_json (json, strlen (json), "message", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (orrery_node_get_double (orrery_node_find (node, "x")), ==, x);
}

static double
seen (Stage *stage, gint64 *acts, gint64 *commanded)
{
  g_autoptr (GVariant) value = stage_call (stage, "robot.sink", "seen", NULL);
  double x;

  g_variant_get (value, "(xxd)", acts, commanded, &x);
  return x;
}

static double
seen_x (Stage *stage)
{
  gint64 acts, commanded;

  return seen (stage, &acts, &commanded);
}

static void
get_faults (Stage *stage, const char *name, guint64 *failed, guint64 *refused, guint64 *displaced)
{
  g_autoptr (GVariant) faults = stage_report (stage, "faults", "a(sttt)");
  GVariantIter iter;
  const char *component;
  guint64 a, b, c;

  *failed = *refused = *displaced = 0;
  g_variant_iter_init (&iter, faults);
  while (g_variant_iter_next (&iter, "(&sttt)", &component, &a, &b, &c)) {
    if (!g_str_equal (component, name))
      continue;
    *refused = a;
    *displaced = b;
    *failed = c;
  }
}

/* --- sensors --- */

static void
test_sensor_order (void)
{
  g_autoptr (Stage) first = make_stage (STEPS, TWICE ", " PLUS_ONE, LOOP ", " LOOP);
  g_autoptr (Stage) second = make_stage (STEPS, PLUS_ONE ", " TWICE, LOOP ", " LOOP);

  g_test_summary ("modifiers run in the order of the config, before all outputs");
  stage_step (first, 20);
  stage_step (second, 20);
  for (int stream = 0; stream < 2; stream++) {
    g_auto (GStrv) a = stage_sent (first, "robot.steps", stream);
    g_auto (GStrv) b = stage_sent (second, "robot.steps", stream);

    g_assert_cmpuint (g_strv_length (a), ==, 20);
    g_assert_cmpuint (g_strv_length (b), ==, 20);
    for (guint k = 0; k < 20 && a[k] != NULL && b[k] != NULL; k++) {
      check_x (a[k], 2.0 * (k + 1) + 1);
      check_x (b[k], 2.0 * (k + 1 + 1));
    }
  }
  g_assert_cmpfloat (stage_get (first, "robot.steps", "x"), ==, 41);
  g_assert_cmpint (stage_runs (first, "robot.steps/Twice#0"), ==, 20);
}

static void
test_several_of_one_class (void)
{
  g_autoptr (Stage) stage = make_stage (STEPS, TWICE ", " PLUS_ONE ", " TWICE, LOOP);

  stage_step (stage, 3);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 14);
  g_assert_cmpint (stage_runs (stage, "robot.steps/Twice#1"), ==, 3);
}

static void
test_nobody_listens (void)
{
  g_autoptr (Stage) stage = make_stage (STEPS, TWICE, LOOP);
  g_autoptr (GVariant) none = stage_call (stage, "loop", "listen", "[<'robot.steps'>, <false>]");
  g_auto (GStrv) sent = NULL;

  g_test_summary ("without listeners the record is there, and no message");
  stage_step (stage, 5);
  sent = stage_sent (stage, "robot.steps", 0);
  g_assert_cmpuint (g_strv_length (sent), ==, 0);
  g_assert_cmpfloat (stage_get (stage, "robot.steps", "x"), ==, 10);
}

static void
test_named_methods (void)
{
  g_autoptr (Stage) own = make_stage (STEPS, "['probe.modifiers.Named', {}]", LOOP);
  g_autoptr (Stage) said = make_stage (STEPS, "['probe.modifiers.Named', 'OUT', {}]", LOOP);
  g_autoptr (Stage) negate = make_stage (STEPS, "['probe.modifiers.Named', 'negate', {}]", LOOP);
  g_autoptr (Stage) both = make_stage (STEPS,
                                       "['probe.modifiers.Named', 'halve', {}], "
                                       "['probe.modifiers.Named', 'negate', {}]",
                                       LOOP);

  g_test_summary ("the method that an entry names runs, else the class's own");
  stage_step (own, 4);
  stage_step (said, 4);
  stage_step (negate, 4);
  stage_step (both, 4);
  g_assert_cmpfloat (stage_get (own, "robot.steps", "x"), ==, 1004);
  g_assert_cmpfloat (stage_get (said, "robot.steps", "x"), ==, 1004);
  g_assert_cmpfloat (stage_get (negate, "robot.steps", "x"), ==, -4);
  g_assert_cmpfloat (stage_get (both, "robot.steps", "x"), ==, -2);
}

static void
test_unknown_method (void)
{
  g_autofree char *scene = stage_scene (
      STAGE_PLAIN,
      "'component_modifier': {'robot.steps': [['probe.modifiers.Named', 'negatif', {}]]},", STEPS);
  g_autoptr (GError) error = NULL;

  g_assert_null (stage_try (scene, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_true (error != NULL && strstr (error->message, "negate") != NULL);
}

static void
test_held (void)
{
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN,
                   "'component_modifier': {'robot.holder': [" PLUS_ONE "]}, "
                   "'component_datastream': {'robot.holder': [" LOOP "]},",
                   ROBOT ("{'name': 'holder', 'classpath': 'probe.sensors.Holder'}"));
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_auto (GStrv) sent = NULL;
  guint64 failed, refused, displaced;

  g_test_summary ("a held record passes no modifier and no stream; a failed step neither");
  stage_log_clear ();
  stage_step (stage, 16);
  sent = stage_sent (stage, "robot.holder", 0);
  g_assert_cmpuint (g_strv_length (sent), ==, 6); /* ticks 0 3 6 9 12 15 */
  for (guint i = 0; sent[i] != NULL; i++)
    check_x (sent[i], 3.0 * i + 1);
  g_assert_cmpint (stage_runs (stage, "robot.holder/PlusOne#0"), ==, 6);
  /* It fails in ticks 10 and 11. */
  get_faults (stage, "robot.holder", &failed, &refused, &displaced);
  g_assert_cmpuint (failed, ==, 2);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.holder: the lens is dirty*"), ==,
                    1);
}

/* --- actuators --- */

static void
test_actuator_order (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, TWICE ", " PLUS_ONE, LOOP ", " LOOP);
  g_autoptr (Stage) other = make_stage (SINK, PLUS_ONE ", " TWICE, LOOP);
  gint64 acts, commanded;

  g_test_summary ("an actuator's modifiers change what came in, from whichever stream");
  stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 0}");
  stage_step (stage, 1);
  g_assert_cmpfloat (seen_x (stage), ==, 11);
  stage_put (stage, "robot.sink", 1, 1, "{'x': 7, 'y': 0}");
  stage_step (stage, 1);
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 15);
  g_assert_cmpint (acts, ==, 2);
  g_assert_cmpint (commanded, ==, 2);

  stage_put (other, "robot.sink", 0, 1, "{'x': 5, 'y': 0}");
  stage_step (other, 1);
  g_assert_cmpfloat (seen_x (other), ==, 12);
}

static void
test_no_message (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, TWICE ", " PLUS_ONE, LOOP ", " LOOP);
  gint64 acts, commanded;

  g_test_summary ("without a message act runs, modifiers do not");
  stage_step (stage, 3);
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 0);
  g_assert_cmpint (acts, ==, 3);
  g_assert_cmpint (commanded, ==, 0);
  g_assert_cmpint (stage_runs (stage, "robot.sink/Twice#0"), ==, 0);

  stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 0}");
  stage_step (stage, 10);
  /* What was commanded stands; it is not doubled again. */
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 11);
  g_assert_cmpint (acts, ==, 13);
  g_assert_cmpint (commanded, ==, 1);
  g_assert_cmpint (stage_runs (stage, "robot.sink/Twice#0"), ==, 1);
  g_assert_cmpint (stage_runs (stage, "robot.sink/PlusOne#0"), ==, 1);
}

static void
test_missing_and_unknown_keys (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, "", LOOP);

  g_test_summary ("a message fills the whole record");
  stage_log_clear ();
  stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 6}");
  stage_step (stage, 1);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 7, 'z': 1}");
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "x"), ==, 7);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "y"), ==, 0.5);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 8, 'zz': 1}");
  stage_step (stage, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.sink: a message lacks 'y'*"), ==,
                    1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.sink: a message has 'z'*"), ==, 1);
}

static void
test_refused (void)
{
  static const char *const bad[] = { "{'x': 'five', 'y': 1}", "{'x': 1e999, 'y': 1}", "{'x': 5",
                                     "5", "{'x': NaN, 'y': 1}" };
  g_autoptr (Stage) stage = make_stage (SINK, TWICE, LOOP);
  gint64 acts, commanded;

  g_test_summary ("a message of the wrong kind changes nothing, is said once and counted");
  stage_log_clear ();
  stage_put (stage, "robot.sink", 0, 1, "{'x': 1, 'y': 1}");
  stage_step (stage, 1);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    stage_put (stage, "robot.sink", 0, 1, bad[i]);
    stage_step (stage, 1);
  }
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 2);
  g_assert_cmpint (acts, ==, 6);
  g_assert_cmpint (commanded, ==, 1);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "y"), ==, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.sink: a message is refused*"), ==,
                    1);
}

static void
test_rivals (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, "", LOOP);
  guint64 failed, refused, displaced;

  g_test_summary ("of several clients the last message of the tick wins: one warning, a counter");
  stage_log_clear ();
  stage_put (stage, "robot.sink", 0, 1, "{'x': 1, 'y': 0}");
  stage_step (stage, 1);
  stage_put (stage, "robot.sink", 0, 2, "{'x': 2, 'y': 0}");
  stage_step (stage, 1);
  /* One after the other, in ticks of their own: no rivals. */
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*"), ==, 0);
  for (int i = 0; i < 5; i++) {
    stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 0}");
    stage_put (stage, "robot.sink", 0, 2, "{'x': 4, 'y': 0}");
    stage_step (stage, 1);
    g_assert_cmpfloat (seen_x (stage), ==, 4);
    stage_put (stage, "robot.sink", 0, 2, "{'x': 4, 'y': 0}");
    stage_put (stage, "robot.sink", 0, 1, "{'x': 3, 'y': 0}");
    stage_step (stage, 1);
    g_assert_cmpfloat (seen_x (stage), ==, 3);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.sink: several clients*"), ==, 1);
  get_faults (stage, "robot.sink", &failed, &refused, &displaced);
  g_assert_cmpuint (failed, ==, 0);
  g_assert_cmpuint (refused, ==, 0);
  g_assert_cmpuint (displaced, ==, 10);
}

static void
test_rivals_on_two_streams (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, "", LOOP ", " LOOP);
  guint64 failed, refused, displaced;

  g_test_summary ("two streams of one actuator: the later in the config wins, and that is said");
  stage_log_clear ();
  for (int i = 0; i < 3; i++) {
    stage_put (stage, "robot.sink", 1, 1, "{'x': 2, 'y': 0}");
    stage_put (stage, "robot.sink", 0, 1, "{'x': 1, 'y': 0}");
    stage_step (stage, 1);
    g_assert_cmpfloat (seen_x (stage), ==, 2);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "robot.sink: several clients*"), ==, 1);
  get_faults (stage, "robot.sink", &failed, &refused, &displaced);
  g_assert_cmpuint (displaced, ==, 3);
}

static void
test_faults_are_counted (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, "['probe.modifiers.Dropper', {}]", LOOP);
  guint64 failed, refused, displaced;

  for (int i = 0; i < 3; i++) {
    stage_put (stage, "robot.sink", 0, 1, "rubbish");
    stage_step (stage, 1);
    stage_put (stage, "robot.sink", 0, 1, "{'x': 2e6, 'y': 0}");
    stage_step (stage, 1);
  }
  get_faults (stage, "robot.sink", &failed, &refused, &displaced);
  g_assert_cmpuint (failed, ==, 0);
  g_assert_cmpuint (refused, ==, 6);
  g_assert_cmpuint (displaced, ==, 0);
}

static void
test_dropped_command (void)
{
  g_autoptr (Stage) stage =
      make_stage (SINK, TWICE ", ['probe.modifiers.Dropper', {}], " PLUS_ONE, LOOP);
  gint64 acts, commanded;

  g_test_summary ("a modifier that holds an actuator's record drops that message, and only that");
  stage_put (stage, "robot.sink", 0, 1, "{'x': 5, 'y': 0}");
  stage_step (stage, 1);
  g_assert_cmpfloat (seen_x (stage), ==, 11);
  stage_put (stage, "robot.sink", 0, 1, "{'x': -5, 'y': 0}");
  stage_step (stage, 1);
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 11);
  g_assert_cmpint (acts, ==, 2);
  g_assert_cmpint (commanded, ==, 1);
  stage_put (stage, "robot.sink", 0, 1, "{'x': 6, 'y': 0}");
  stage_step (stage, 1);
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 13);
  g_assert_cmpint (commanded, ==, 2);
  g_assert_cmpint (stage_runs (stage, "robot.sink/Dropper#0"), ==, 3);
  g_assert_cmpint (stage_runs (stage, "robot.sink/PlusOne#0"), ==, 2);
}

static void
test_command_of_no_number (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, "['probe.modifiers.Named', 'root', {}]", LOOP);
  guint64 failed, refused, displaced;
  gint64 acts, commanded;

  g_test_summary ("a message of which a modifier makes NaN is refused; the command before stands");
  stage_log_clear ();
  stage_put (stage, "robot.sink", 0, 1, "{'x': 4, 'y': 0}");
  stage_step (stage, 1);
  for (int i = 0; i < 2; i++) {
    stage_put (stage, "robot.sink", 0, 1, "{'x': -4, 'y': 0}");
    stage_step (stage, 1);
    g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 2);
    g_assert_cmpint (commanded, ==, 1);
  }
  get_faults (stage, "robot.sink", &failed, &refused, &displaced);
  g_assert_cmpuint (refused, ==, 2);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING,
                                     "robot.sink: a message is refused: its modifiers made the "
                                     "field 'x' not a number (NaN)*"),
                    ==, 1);
}

static gboolean
write_x (Stage *stage, const char *field, GVariant *value, GError **error)
{
  return orrery_simulation_write (stage->simulation, stage_find (stage, "robot.sink"), field, value,
                                  error);
}

static void
test_write (void)
{
  g_autoptr (Stage) stage = make_stage (SINK, TWICE ", " PLUS_ONE, LOOP);
  g_autoptr (GError) error = NULL;
  gint64 acts, commanded;

  g_test_summary ("writing an input counts as a message; the other fields stay");
  stage_put (stage, "robot.sink", 0, 1, "{'x': 1, 'y': 8}");
  stage_step (stage, 1);
  g_assert_true (write_x (stage, "x", g_variant_new_double (5), &error));
  g_assert_no_error (error);
  stage_step (stage, 4);
  g_assert_cmpfloat (seen (stage, &acts, &commanded), ==, 11);
  g_assert_cmpint (commanded, ==, 2);
  g_assert_cmpfloat (stage_get (stage, "robot.sink", "y"), ==, 8);
  /* What modifiers made of the last x is no input: 3 y and the same x again. */
  g_assert_true (write_x (stage, "y", g_variant_new_double (3), &error));
  stage_step (stage, 1);
  g_assert_cmpfloat (seen_x (stage), ==, 11);

  g_assert_false (write_x (stage, "z", g_variant_new_double (3), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (write_x (stage, "x", g_variant_new_string ("three"), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  stage_step (stage, 1);
  seen (stage, &acts, &commanded);
  g_assert_cmpint (commanded, ==, 3);
}

static void
test_write_no_actuator (void)
{
  g_autoptr (Stage) stage = make_stage (STEPS, "", "");
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_simulation_write (stage->simulation, stage_find (stage, "robot.steps"),
                                           "x", g_variant_new_double (1), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/pipeline/sensor/order", test_sensor_order);
  g_test_add_func ("/tick/pipeline/sensor/several-of-one-class", test_several_of_one_class);
  g_test_add_func ("/tick/pipeline/sensor/nobody-listens", test_nobody_listens);
  g_test_add_func ("/tick/pipeline/sensor/named-methods", test_named_methods);
  g_test_add_func ("/tick/pipeline/sensor/unknown-method", test_unknown_method);
  g_test_add_func ("/tick/pipeline/sensor/held", test_held);
  g_test_add_func ("/tick/pipeline/actuator/order", test_actuator_order);
  g_test_add_func ("/tick/pipeline/actuator/no-message", test_no_message);
  g_test_add_func ("/tick/pipeline/actuator/keys", test_missing_and_unknown_keys);
  g_test_add_func ("/tick/pipeline/actuator/refused", test_refused);
  g_test_add_func ("/tick/pipeline/actuator/rivals", test_rivals);
  g_test_add_func ("/tick/pipeline/actuator/rivals-on-two-streams", test_rivals_on_two_streams);
  g_test_add_func ("/tick/pipeline/actuator/faults-are-counted", test_faults_are_counted);
  g_test_add_func ("/tick/pipeline/actuator/dropped-command", test_dropped_command);
  g_test_add_func ("/tick/pipeline/actuator/command-of-no-number", test_command_of_no_number);
  g_test_add_func ("/tick/pipeline/actuator/write", test_write);
  g_test_add_func ("/tick/pipeline/actuator/write-no-actuator", test_write_no_actuator);
  return g_test_run ();
}
