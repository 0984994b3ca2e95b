/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Observers: what they are told, in which order, and when they are closed. */

#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'frequency': 30}]}"
#define OBSERVER "probe.observers.Observer"

static Stage *
make (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT);

  return stage_new (scene, NULL);
}

static OrreryObserver *
add (Stage *stage, const char *properties)
{
  g_autoptr (GError) error = NULL;
  OrreryObserver *observer =
      orrery_simulation_add_observer (stage->simulation, OBSERVER,
                                      properties != NULL ? g_variant_new_parsed (properties) : NULL,
                                      &error);

  g_assert_no_error (error);
  g_assert_true (ORRERY_IS_OBSERVER (observer));
  return observer;
}

static void
assert_said (OrreryObserver *observer, const char *expected)
{
  g_autoptr (OrreryCall) call = orrery_part_call (ORRERY_PART (observer), "said", NULL);
  g_autoptr (GVariant) answer = g_variant_ref (orrery_call_get_result (call, NULL));

  g_assert_cmpstr (g_variant_get_string (answer, NULL), ==, expected);
}

static void
set_watched (OrreryObserver *observer, gboolean watched)
{
  g_autoptr (OrreryCall) call =
      orrery_part_call (ORRERY_PART (observer), "watch",
                        g_variant_new_parsed (watched ? "[<true>]" : "[<false>]"));

  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
}

static void
test_order (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryObserver *observer = add (stage, "{'watch': <'robot.steps'>}");

  g_test_summary ("It is opened at once, then told of each step of what it watches, and each tick");
  assert_said (observer, "open scene.json 2 60 1;");
  stage_step (stage, 3);
  assert_said (observer, "record 0.02;tick 0;tick 1;record 0.05;tick 2;");
  g_assert_true (orrery_simulation_find_part (stage->simulation, OBSERVER) ==
                 ORRERY_PART (observer));
}

static void
test_watching (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryObserver *observer = add (stage, "{'watch': <'robot.steps'>}");

  g_test_summary ("What it watches changes with the next tick");
  set_watched (observer, FALSE);
  stage_step (stage, 1);
  assert_said (observer, "open scene.json 2 60 1;tick 0;");
  set_watched (observer, TRUE);
  set_watched (observer, TRUE);
  stage_step (stage, 2);
  assert_said (observer, "tick 1;record 0.05;tick 2;");
}

static void
test_epochs (void)
{
  g_autoptr (Stage) stage = make ();
  g_autofree char *other_text =
      stage_scene ("{'start': 0, 'frequency': 120, " STAGE_KINEMATIC "}", "", ROBOT);
  g_autofree char *other = stage_add_scene (stage, other_text);
  g_autofree char *base = g_path_get_basename (other);
  g_autofree char *expected = g_strdup_printf ("close;open %s 2 120 5;record 0.01;tick 0;", base);
  OrreryObserver *observer = add (stage, "{'watch': <'robot.steps'>}");
  g_autoptr (GBytes) first = stage_save (stage), state = NULL;

  g_test_summary ("A reset, a state and another scene close it and open it again");
  stage_step (stage, 1);
  state = stage_save (stage);
  assert_said (observer, "open scene.json 2 60 1;record 0.02;tick 0;");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 1);
  assert_said (observer, "close;open scene.json 2 60 2;record 0.02;tick 0;");
  stage_restore (stage, state);
  stage_step (stage, 2);
  assert_said (observer, "close;open scene.json 2 60 3 at 1;tick 1;record 0.05;tick 2;");
  /* A state of a run that had not begun is opened once, as it is then. */
  stage_restore (stage, first);
  stage_step (stage, 1);
  assert_said (observer, "close;open scene.json 2 60 4;record 0.02;tick 0;");
  g_assert_true (orrery_simulation_change_scene (stage->simulation, other, NULL));
  stage_step (stage, 1);
  assert_said (observer, expected);
  g_object_ref (observer);
  orrery_simulation_close (stage->simulation);
  assert_said (observer, "close;");
  g_object_unref (observer);
}

static void
test_refusals (void)
{
  static const struct {
    const char *classpath;
    const char *properties;
    const char *message;
  } cases[] = {
    { OBSERVER, "{'refuse': <true>}", OBSERVER ": told to refuse" },
    { OBSERVER, "{'wacth': <'robot.steps'>}", "*wacth*watch*" },
    { "probe.observers.Observe", NULL, "*did you mean*Observer*" },
    { "probe.sensors.Steps", NULL, "*has the role sensor, observer is needed here*" },
  };
  g_autoptr (Stage) stage = make ();

  g_test_summary ("What cannot be opened or made is an error that says why, and the run goes on");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    GVariant *properties =
        cases[i].properties != NULL ? g_variant_new_parsed (cases[i].properties) : NULL;

    g_assert_null (
        orrery_simulation_add_observer (stage->simulation, cases[i].classpath, properties, &error));
    g_assert_nonnull (error);
    if (!g_pattern_match_simple (cases[i].message, error->message))
      g_test_message ("%s", error->message);
    g_assert_true (g_pattern_match_simple (cases[i].message, error->message));
  }
  stage_step (stage, 3);
}

static void
test_closed (void)
{
  g_autoptr (Stage) stage = make ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("A simulation that is closed takes no observer, which nobody would close");
  orrery_simulation_close (stage->simulation);
  g_assert_null (orrery_simulation_add_observer (stage->simulation, OBSERVER, NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
}

static void
test_removed (void)
{
  g_autoptr (Stage) stage = make ();
  g_autoptr (OrreryObserver) first = g_object_ref (add (stage, "{'watch': <'robot.steps'>}"));
  OrreryObserver *second = add (stage, NULL);

  g_test_summary ("One that is removed is closed at once and told of nothing more; others go on");
  stage_step (stage, 1);
  g_assert_true (orrery_simulation_remove_observer (stage->simulation, first));
  assert_said (first, "open scene.json 2 60 1;record 0.02;tick 0;close;");
  stage_step (stage, 1);
  assert_said (first, "");
  assert_said (second, "open scene.json 2 60 1;tick 0;tick 1;");
  g_assert_false (orrery_simulation_remove_observer (stage->simulation, first));
}

static void
test_lost (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryObserver *observer = add (stage, NULL);
  g_autoptr (GVariant) report = NULL;
  g_autofree const char **lost = NULL;

  g_test_summary ("What it could not write is in the report, also when the run is over");
  orrery_observer_note_loss (observer, "run.mcap: No space left on device");
  orrery_simulation_close (stage->simulation);
  report = orrery_simulation_get_report (stage->simulation);
  g_assert_true (g_variant_lookup (report, "lost", "^a&s", &lost));
  g_assert_cmpuint (g_strv_length ((char **) lost), ==, 1);
  g_assert_cmpstr (lost[0], ==, "run.mcap: No space left on device");
}

static void
test_dropped (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryObserver *first = add (stage, "{'once': <true>}");
  OrreryObserver *second = add (stage, NULL);

  g_test_summary ("One that cannot be opened again is dropped with a warning; others go on");
  stage_step (stage, 1);
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  stage_step (stage, 1);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*no longer observes: told to refuse"),
                    ==, 1);
  assert_said (first, "open scene.json 2 60 1;tick 0;close;");
  assert_said (second, "open scene.json 2 60 1;tick 0;close;open scene.json 2 60 2;tick 0;");
}

static guint64
run_hash (const char *properties)
{
  g_autoptr (Stage) stage = make ();

  if (properties != NULL)
    add (stage, properties);
  stage_step (stage, 20);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_hash (void)
{
  g_test_summary ("A run that is observed gives the same results");
  g_assert_cmpuint (run_hash (NULL), !=, 0);
  g_assert_cmpuint (run_hash ("{'watch': <'robot.steps'>}"), ==, run_hash (NULL));
}

#define SCRIPT "probe.scripts.Probe"
#define FAILING                                                                                    \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'scripts': ["                         \
  "{'type': 'child', 'classpath': '" SCRIPT "', 'properties': {'in': 'init', 'does': 'fail'}}, "   \
  "{'type': 'customization', 'classpath': '" SCRIPT "', 'properties': "                            \
  "{'in': 'actuation', 'does': 'fail', 'at': 5}}], 'objects': ["                                   \
  "{'name': 'holder', 'classpath': 'probe.sensors.Holder'}, "                                      \
  "{'name': 'sink', 'classpath': 'probe.actuators.Sink'}]}"
#define LOOPED                                                                                     \
  "'component_datastream': {'robot.sink': [['probe.loop.Loop', 'probe.loop.Codec', {}]]},"

static gboolean
is_fault (const char *told)
{
  static const char *const kinds[] = { "step ", "message ", "script ", "worker " };
  gboolean is = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    is |= g_str_has_prefix (told, kinds[i]);
  return is;
}

static char *
ask_for_faults (OrreryObserver *observer)
{
  g_autoptr (OrreryCall) call = orrery_part_call (ORRERY_PART (observer), "said", NULL);
  const char *said = g_variant_get_string (orrery_call_get_result (call, NULL), NULL);
  g_auto (GStrv) told = g_strsplit (said, ";", -1);
  GString *faults = g_string_new ("");

  for (guint i = 0; told[i] != NULL; i++)
    if (is_fault (told[i]))
      g_string_append_printf (faults, "%s;", told[i]);
  return g_string_free (faults, FALSE);
}

static void
assert_faults (OrreryObserver *observer, const char *expected)
{
  g_autofree char *faults = ask_for_faults (observer);

  g_assert_cmpstr (faults, ==, expected);
}

static void
test_faults (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, LOOPED, FAILING);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  OrreryObserver *observer = add (stage, NULL);
  g_autofree char *told = NULL;

  g_test_summary ("It is told of each step, script and message that fails, with the tick, and of "
                  "scripts that had failed before it came");
  stage_step (stage, 5);
  assert_faults (observer, "script 0 robot/child " SCRIPT " init: as told (1);"
                           "script 4 robot/customization " SCRIPT " actuation: as told (1);");
  assert_faults (add (stage, NULL),
                 "script 5 robot/child " SCRIPT " init: as told (1);"
                 "script 5 robot/customization " SCRIPT " actuation: as told (1);");
  stage_step (stage, 2);
  stage_put (stage, "robot.sink", 0, 1, "5");
  stage_step (stage, 1);
  told = ask_for_faults (observer);
  g_assert_true (g_str_has_prefix (told, "message 7 robot.sink probe.actuators.Sink act: "));
  stage_step (stage, 6);
  assert_faults (observer,
                 "step 10 robot.holder probe.sensors.Holder sense: the lens is dirty (1);"
                 "step 11 robot.holder probe.sensors.Holder sense: the lens is dirty (2);");
}

static void
test_faults_removed (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, LOOPED, FAILING);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (OrreryObserver) observer = g_object_ref (add (stage, NULL));

  g_test_summary ("One that was removed is told of no more faults");
  stage_step (stage, 1);
  orrery_simulation_remove_observer (stage->simulation, observer);
  assert_faults (observer, "script 0 robot/child " SCRIPT " init: as told (1);");
  stage_step (stage, 15);
  assert_faults (observer, "");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/observers/order", test_order);
  g_test_add_func ("/observers/watching", test_watching);
  g_test_add_func ("/observers/epochs", test_epochs);
  g_test_add_func ("/observers/refusals", test_refusals);
  g_test_add_func ("/observers/closed", test_closed);
  g_test_add_func ("/observers/removed", test_removed);
  g_test_add_func ("/observers/lost", test_lost);
  g_test_add_func ("/observers/dropped", test_dropped);
  g_test_add_func ("/observers/hash", test_hash);
  g_test_add_func ("/observers/faults", test_faults);
  g_test_add_func ("/observers/faults-removed", test_faults_removed);
  return g_test_run ();
}
