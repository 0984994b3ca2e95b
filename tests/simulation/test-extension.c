/* SPDX-License-Identifier: BSD-3-Clause */
#include "extension.h"

#include <string.h>

/* Objects that are added to what may be spawned, while the scene runs. */

/* --- as if the scene had had it --- */

static void
check_same (Stage *one, Stage *two)
{
  static const char *const components[] = { "eye.pose",    "eye.laser",   "bot_1.pose",
                                            "bot_1.steps", "bot_1.laser", "bot_2.steps",
                                            "bot_1" };
  OrrerySnapshot *a = stage_get_snapshot (one), *b = stage_get_snapshot (two);

  g_assert_cmpuint (orrery_snapshot_get_n_objects (a), ==, orrery_snapshot_get_n_objects (b));
  for (guint i = 0; i < orrery_snapshot_get_n_objects (a); i++) {
    g_assert_cmpmem (orrery_snapshot_get_pose (a, i), sizeof (OrreryTransform),
                     orrery_snapshot_get_pose (b, i), sizeof (OrreryTransform));
    g_assert_cmpfloat (orrery_snapshot_get_joint_position (a, i), ==,
                       orrery_snapshot_get_joint_position (b, i));
  }
  for (guint i = 0; i < G_N_ELEMENTS (components); i++) {
    g_autofree char *x = stage_json (one, components[i]);
    g_autofree char *y = stage_json (two, components[i]);

    g_assert_cmpstr (x, ==, y);
  }
}

static void
drive_on (Stage *one, Stage *two, guint n)
{
  Stage *const both[] = { one, two };

  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < 2; k++) {
      if (i == 20) {
        g_autoptr (GVariant) none =
            stage_call (both[k], "bot.1.motion", "set_speed", "[<1.0>, <0.3>]");
      }
      stage_step (both[k], 1);
    }
    check_same (one, two);
  }
}

static void
check_twins (const char *environment, const char *objects, guint before)
{
  g_autoptr (Stage) one = make (environment, TABLES, objects);
  g_autoptr (Stage) two = make (environment, "", objects);
  g_autoptr (GError) error = NULL;

  stage_step (one, before);
  stage_step (two, before);
  add_all (two);
  stage_step (one, 3);
  stage_step (two, 3);
  spawn_all (one);
  spawn_all (two);
  drive_on (one, two, 60);
  stage_remove (one, "bot.1");
  stage_remove (two, "bot.1");
  stage_step (one, 1);
  stage_step (two, 1);
  check_same (one, two);
  g_assert_true (orrery_simulation_reset (one->simulation, &error));
  g_assert_true (orrery_simulation_reset (two->simulation, &error));
  spawn_all (one);
  spawn_all (two);
  drive_on (one, two, 30);
}

static void
test_twins (void)
{
  g_test_summary ("Whatever is added is, to the last bit, what it were in a scene that had it");
  check_twins (DYNAMIC, EYE, 20);
  check_twins (DYNAMIC, EYE, 0);
}

static void
test_twins_beside_links (void)
{
  g_test_summary ("Also where links move already, and where physics has none, or there is none");
  check_twins (DYNAMIC, EYE ", " ARM ("old"), 20);
  check_twins (STAGE_PLAIN, EYE, 20);
  check_twins (BARE, EYE, 20);
}

static void
check_on_links (Stage *one, Stage *two)
{
  Stage *const both[] = { one, two };

  for (guint k = 0; k < 2; k++) {
    g_autofree char *first = stage_spawn (both[k], "box", 0, 5, 4);
    g_autofree char *second = stage_spawn (both[k], "box", 0.1, 5, 6);
    g_autofree char *third = stage_spawn (both[k], "arm", 0.2, 5.1, 8);
  }
  for (guint i = 0; i < 120; i++) {
    stage_step (one, 1);
    stage_step (two, 1);
    check_same (one, two);
  }
}

static void
test_on_links (void)
{
  g_autoptr (Stage) one = make (DYNAMIC, TABLES, EYE ", " ARM ("old"));
  g_autoptr (Stage) two = make (DYNAMIC, "", EYE ", " ARM ("old"));
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("What falls on links that were there before meets them as they would meet it");
  stage_step (one, 10);
  stage_step (two, 10);
  add_all (two);
  check_on_links (one, two);
  state = stage_save (two);
  stage_restore (two, state);
  for (guint i = 0; i < 30; i++) {
    stage_step (one, 1);
    stage_step (two, 1);
    check_same (one, two);
  }
}

static void
test_others_stay (void)
{
  g_autoptr (Stage) one = make (DYNAMIC, "", EYE ", " ARM ("old") ", " BOX);
  g_autoptr (Stage) two = make (DYNAMIC, "", EYE ", " ARM ("old") ", " BOX);
  const OrreryTransform *pose = NULL;

  g_test_summary ("What is there goes on as if nothing had been added");
  pose = orrery_snapshot_get_pose (stage_get_snapshot (two), 1);
  stage_step (one, 10);
  stage_step (two, 10);
  add (two, BOT, 2);
  add (two, ARM ("arm"), 1);
  g_assert_true (orrery_snapshot_get_pose (stage_get_snapshot (two), 1) == pose);
  for (guint i = 0; i < 50; i++) {
    stage_step (one, 1);
    stage_step (two, 1);
    for (guint k = 0; k < orrery_snapshot_get_n_objects (stage_get_snapshot (one)); k++)
      g_assert_cmpmem (orrery_snapshot_get_pose (stage_get_snapshot (one), k),
                       sizeof (OrreryTransform),
                       orrery_snapshot_get_pose (stage_get_snapshot (two), k),
                       sizeof (OrreryTransform));
  }
}

/* --- its components, and what is told --- */

static void
test_components (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC, "", EYE);
  g_autoptr (GVariant) none = NULL, report = NULL;
  g_autofree char *bot = NULL;
  const char *name;
  guint64 tick;
  double ms;

  g_test_summary ("Components answer once they are spawned; the report says what it took");
  stage_step (stage, 7);
  add (stage, BOT, 1);
  stage_call_fails (stage, "bot_1.motion", "set_speed", "[<1.0>, <0.0>]", ORRERY_CALL_FAILED,
                    "*is not spawned*");
  bot = stage_spawn (stage, "bot", 0, 3, 0.5);
  g_assert_cmpstr (bot, ==, "bot.1");
  stage_step (stage, 2);
  none = stage_call (stage, "bot.1.motion", "set_speed", "[<1.0>, <0.0>]");
  stage_step (stage, 30);
  g_assert_cmpfloat (stage_get_place (stage, "bot.1")->x, >, 0.2);
  g_assert_cmpfloat (stage_get (stage, "bot_1.pose", "x"), >, 0.2);
  report = stage_report (stage, "added", "a(std)");
  g_assert_cmpuint (g_variant_n_children (report), ==, 1);
  g_variant_get_child (report, 0, "(&std)", &name, &tick, &ms);
  g_assert_cmpstr (name, ==, "bot");
  g_assert_cmpuint (tick, ==, 7);
  g_assert_cmpfloat (ms, >, 0);
}

static void
note (OrreryComponent *component, gpointer data)
{
  ++*(guint *) data;
}

static void
test_watches (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC, "", EYE);
  g_autofree char *bot = NULL;
  guint before = 0, after = 0;

  g_test_summary ("Who watches a component goes on, and may watch one that came later");
  orrery_simulation_subscribe (stage->simulation, stage_find (stage, "eye.pose"), note, &before,
                               NULL, NULL);
  stage_step (stage, 5);
  g_assert_cmpuint (before, ==, 5);
  add (stage, BOT, 1);
  orrery_simulation_subscribe (stage->simulation, stage_find (stage, "bot_1.pose"), note, &after,
                               NULL, NULL);
  stage_step (stage, 5);
  g_assert_cmpuint (before, ==, 10);
  g_assert_cmpuint (after, ==, 0);
  bot = stage_spawn (stage, "bot", 0, 3, 0.5);
  stage_step (stage, 5);
  g_assert_cmpuint (before, ==, 15);
  g_assert_cmpuint (after, ==, 4);
}

/* --- states --- */

static guint64
go_on (Stage *stage)
{
  g_autofree char *box = stage_spawn (stage, "box", 3, 0.4, 9);

  stage_step (stage, 40);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states (const char *environment)
{
  g_autoptr (Stage) stage = make (environment, "", EYE);
  g_autoptr (Stage) other = make (environment, "", EYE);
  g_autoptr (GBytes) state = NULL, early = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  stage_step (stage, 10);
  early = stage_save (stage);
  add_all (stage);
  spawn_all (stage);
  stage_step (stage, 20);
  state = stage_save (stage);
  hash = go_on (stage);
  stage_restore (stage, state);
  g_assert_cmpuint (go_on (stage), ==, hash);
  /* Once more, by what is known of it now. */
  stage_restore (stage, state);
  g_assert_cmpuint (go_on (stage), ==, hash);
  stage_restore (other, state);
  g_assert_nonnull (stage_find (other, "bot_1.pose"));
  g_assert_cmpuint (go_on (other), ==, hash);
  g_assert_false (orrery_simulation_restore (stage->simulation, early, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_true (
      g_pattern_match_simple ("*from before 'arm' was added*load the scene anew*", error->message));
  stage_restore (stage, state);
  g_assert_cmpuint (go_on (stage), ==, hash);
}

static void
test_states (void)
{
  g_test_summary ("A state has what was added, and a scene without it is given that first");
  check_states (DYNAMIC);
  check_states (STAGE_PLAIN);
}

static void
test_other_order (void)
{
  g_autoptr (Stage) one = make (DYNAMIC, "", EYE);
  g_autoptr (Stage) two = make (DYNAMIC, "", EYE);
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("Of another order, or another number, a state is refused");
  add (one, BOX, 2);
  add (one, BOT, 1);
  add (two, BOT, 1);
  state = stage_save (one);
  g_assert_false (orrery_simulation_restore (two->simulation, state, &error));
  g_assert_true (g_pattern_match_simple ("*other things were added before*", error->message));
  stage_step (two, 5);
}

/* --- what looks on --- */

#define STREAM                                                                                     \
  "'component_datastream': {'eye.pose': [['probe.loop.Loop', 'probe.loop.Codec', {}]]},"

static void
assert_sent (Stage *stage, guint n)
{
  g_auto (GStrv) sent = stage_sent (stage, "eye.pose", 0);

  g_assert_cmpuint (g_strv_length (sent), ==, n);
}

static void
test_streams (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC, STREAM, EYE);

  g_test_summary ("Streams go on being sent while somebody listens");
  stage_step (stage, 3);
  assert_sent (stage, 3);
  add (stage, BOT, 1);
  stage_step (stage, 4);
  assert_sent (stage, 4);
  add (stage, BOX, 1);
  stage_step (stage, 5);
  assert_sent (stage, 5);
}

static void
assert_opened (Stage *stage, OrreryObserver *observer, const char *words)
{
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (GVariant) answer = NULL;

  stage_step (stage, 1);
  call = orrery_part_call (ORRERY_PART (observer), "said", NULL);
  answer = g_variant_ref (orrery_call_get_result (call, NULL));
  if (!g_pattern_match_simple (words, g_variant_get_string (answer, NULL)))
    g_error ("not %s: %s", words, g_variant_get_string (answer, NULL));
}

/* The second one of what the state has cannot be added. */
static void
test_observers (void)
{
  g_autofree char *scene = stage_scene (DYNAMIC, "", EYE);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autofree char *again = stage_add_scene (stage, scene);
  g_autofree char *file = g_build_filename (stage->directory, "crate.urdf", NULL);
  g_autoptr (GError) error = NULL;
  OrreryObserver *observer =
      orrery_simulation_add_observer (stage->simulation, "probe.observers.Observer", NULL, &error);

  g_test_summary ("Observers look on when a state fails after a part of it was added");
  g_assert_no_error (error);
  g_file_set_contents (file, "<robot name='crate'><link name='base'/></robot>", -1, &error);
  g_assert_no_error (error);
  stage_step (stage, 1);
  add (stage, BOX, 1);
  add (stage, "{'name': 'crate', 'import': {'file': 'crate.urdf'}}", 1);
  g_variant_unref (stage_call (stage, "simulation", "save", "[<'both'>]"));
  assert_opened (stage, observer, "*close;open * at 1;*tick 1;");
  g_remove (file);
  g_assert_true (orrery_simulation_change_scene (stage->simulation, again, &error));
  assert_opened (stage, observer, "*open *;tick 0;");
  stage_call_fails (stage, "simulation", "restore", "[<'both'>]", ORRERY_CALL_FAILED,
                    "*crate.urdf*");
  assert_opened (stage, observer, "*close;open * at 1;*tick 1;");
}

static void
test_other_scene (void)
{
  g_autoptr (Stage) one = make (DYNAMIC, "", EYE ", " ARM ("old"));
  g_autoptr (Stage) two = make (DYNAMIC, "", EYE);
  g_autoptr (GBytes) early = NULL, state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("A state of another scene adds nothing to this one");
  early = stage_save (two);
  add (one, BOX, 2);
  state = stage_save (one);
  g_assert_false (orrery_simulation_restore (two->simulation, state, &error));
  g_assert_true (g_pattern_match_simple ("*of another scene*", error->message));
  g_assert_null (orrery_world_find_object (stage_get_world (two), "box_1"));
  stage_restore (two, early);
  stage_step (two, 5);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/extension/twins", test_twins);
  g_test_add_func ("/extension/twins-beside-links", test_twins_beside_links);
  g_test_add_func ("/extension/on-links", test_on_links);
  g_test_add_func ("/extension/others-stay", test_others_stay);
  g_test_add_func ("/extension/components", test_components);
  g_test_add_func ("/extension/watches", test_watches);
  g_test_add_func ("/extension/streams", test_streams);
  g_test_add_func ("/extension/observers", test_observers);
  g_test_add_func ("/extension/states", test_states);
  g_test_add_func ("/extension/other-order", test_other_order);
  g_test_add_func ("/extension/other-scene", test_other_scene);
  return g_test_run ();
}
