/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <glib/gstdio.h>
#include <string.h>

/* Objects that are added to what may be spawned, while the scene runs. */

#define BOX                                                                                        \
  "{'name': 'box', 'position': [0, 0, 9], 'body': {'type': 'rigid', 'mass': 2}, 'shapes': "        \
  "[{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}"
#define BOT                                                                                        \
  "{'name': 'bot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': [5, 0, 1], 'objects': ["    \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'frequency': 20},"                        \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner', 'position': "        \
  "[0, 0, 0.5], 'properties': {'laser_range': 30, 'scan_window': 10, 'resolution': 1}},"           \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
#define LINK(name, more)                                                                           \
  "{'name': '" name "', 'position': [0, 0, 0.5], 'joint': {'kind': 'hinge', 'axis': [0, 1, 0]}, "  \
  "'body': {'type': 'rigid', 'mass': 1}, 'shapes': [{'kind': 'box', 'size': [0.1, 0.1, "           \
  "0.3]}]" more "}"
#define ARM(name)                                                                                  \
  "{'name': '" name "', 'position': [0, 5, 2], 'body': {'type': 'rigid', 'mass': 5}, 'shapes': "   \
  "[{'kind': 'box', 'size': [0.6, 0.6, 0.4]}], 'objects': [" LINK (                                \
      "upper", ", 'objects': [" LINK ("fore", "") "]") "]}"
#define EYE                                                                                        \
  "{'name': 'eye', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                           \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', 'frequency': 60}, "                   \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner', "                    \
  "'position': [0, 0, 0.25], 'properties': {'laser_range': 30, 'scan_window': 0, "                 \
  "'resolution': 1}}]}"
#define TABLES                                                                                     \
  "'spawnables': [{'count': 2, 'object': " BOT "}, {'count': 3, 'object': " BOX "}, {'count': 2, " \
  "'object': " ARM ("arm") "}],"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"
#define BARE "{'start': 0}"

static Stage *
make (const char *environment, const char *tables, const char *objects)
{
  g_autofree char *scene = stage_scene (environment, tables, objects);

  return stage_new (scene, NULL);
}

static gboolean
try_add (Stage *stage, const char *object, guint count, GError **error)
{
  g_autofree char *json = g_strdup (object);

  return orrery_simulation_add_spawnable (stage->simulation, g_strdelimit (json, "'", '"'), count,
                                          error);
}

static void
add (Stage *stage, const char *object, guint count)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (try_add (stage, object, count, &error));
  g_assert_no_error (error);
}

static void
add_all (Stage *stage)
{
  add (stage, BOT, 2);
  add (stage, BOX, 3);
  add (stage, ARM ("arm"), 2);
}

/* --- as if the scene had had it --- */

static void
spawn_all (Stage *stage)
{
  g_autofree char *bot = stage_spawn (stage, "bot", 3, 1, 0.5);
  g_autofree char *box = stage_spawn (stage, "box", 3, 0, 4);
  g_autofree char *other = stage_spawn (stage, "box", 3.1, 0, 6);
  g_autofree char *arm = stage_spawn (stage, "arm", 0, 3, 3);
  g_autofree char *second = stage_spawn (stage, "arm", 3, 0.2, 7);

  g_assert_cmpstr (second, ==, "arm.2");
}

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

#define TAKER                                                                                      \
  "{'name': 'eye', 'classpath': 'orrery.core.grasping_robot.GraspingRobot', " ORRERY_TEST_BODY     \
  "'properties': "                                                                                 \
  "{'Hand': 'palm'}, 'objects': [{'name': 'palm', 'position': [0.3, 0, 0.5]}, "                    \
  "{'name': 'hand', 'classpath': 'morse.actuators.gripper.Gripper', 'position': [0.2, 0, 0.5], "   \
  "'rotation': [0, 1.5707963267948966, 0]}, "                                                      \
  "{'name': 'way', 'classpath': 'morse.actuators.waypoint.Waypoint'}]}"
#define CRATE                                                                                      \
  "{'name': 'crate', 'body': {'type': 'static'}, 'properties': {'Soft': true}, 'shapes': "         \
  "[{'kind': 'box', 'size': [1, 1, 4]}]}"
#define BALL                                                                                       \
  "{'name': 'ball', 'body': {'type': 'rigid', 'mass': 0.2}, 'shapes': [{'kind': 'sphere', "        \
  "'radius': 0.05}], 'properties': {'Graspable': true}}"

static void
test_actuators (void)
{
  g_autoptr (Stage) stage = make (STAGE_PLAIN, "", TAKER);
  g_autofree char *ball = NULL, *crate = NULL;
  g_autoptr (OrreryCall) drive = NULL;
  g_autoptr (GVariant) none = NULL, freed = NULL, taken = NULL;

  g_test_summary ("Actuators that were there before take, and go round, what was added");
  stage_step (stage, 1);
  stage_call_fails (stage, "eye", "grasp", "[<true>, <'ball_1'>]", ORRERY_CALL_FAILED, "*nothing*");
  add (stage, BALL, 1);
  add (stage, CRATE, 1);
  ball = stage_spawn (stage, "ball", 0.5, 0, 0.55);
  stage_step (stage, 1);
  none = stage_call (stage, "eye", "grasp", "[<true>, <'ball_1'>]");
  stage_step (stage, 1);
  freed = stage_call (stage, "eye", "grasp", "[<false>]");
  taken = stage_call (stage, "eye.hand", "grab", NULL);
  g_assert_cmpstr (g_variant_get_string (taken, NULL), ==, "ball_1");
  stage_remove (stage, ball);
  crate = stage_spawn (stage, "crate", 6, -0.6, 0.5);
  drive = stage_start (stage, "eye.way", "goto", "[<15.0>, <0.0>, <0.0>, <0.5>, <1.0>]");
  stage_step (stage, 360);
  g_assert_cmpfloat (stage_get_place (stage, "eye")->y, >, 0.05);
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

/* --- what is refused --- */

typedef struct {
  const char *object;
  guint count;
  int code;
  const char *words;
} Refused;

static const Refused refused[] = {
  { "{", 1, ORRERY_ERROR_CONFIG, "added object:1:2: *" },
  { "[]", 1, ORRERY_ERROR_CONFIG, "*'object' is a list, not a dictionary*" },
  { "{'nam': 'x'}", 1, ORRERY_ERROR_CONFIG, "*no key 'nam'; did you mean name*" },
  { "{'name': 'old'}", 1, ORRERY_ERROR_CONFIG, "*two spawnables are named 'old'*" },
  { "{'name': 'r', 'classpath': 'orrery.robots.nope'}", 1, ORRERY_ERROR_NOT_FOUND,
    "*no module orrery/robots*" },
  { "{'name': 'p', 'classpath': 'orrery.sensors.pose.Pose'}", 1, ORRERY_ERROR_CONFIG,
    "*does not belong to any robot*" },
  { "{'name': 'r', 'classpath': 'orrery.core.robot.Robot', 'objects': [{'name': 'p', 'classpath': "
    "'orrery.sensors.pose.Pose', 'properties': {'nope': 1}}]}",
    1, ORRERY_ERROR_CONFIG, "*has no property 'nope'*" },
  { "{'name': 'r', 'classpath': 'orrery.core.robot.Robot', 'objects': [{'name': 'c', 'classpath': "
    "'orrery.sensors.contact.Contact'}]}",
    1, ORRERY_ERROR_CONFIG, "*has no contacts; give one*" },
  { "{'name': 'b', 'body': {'type': 'rigid', 'mass': -1}, 'shapes': [{'kind': 'box', 'size': [1, "
    "1, "
    "1]}]}",
    1, ORRERY_ERROR_CONFIG, "*'mass' is -1, out of range*" },
  { "{'name': 'b', 'body': {'type': 'rigid', 'mass': 1}}", 1, ORRERY_ERROR_CONFIG,
    "*object 'b_1': a body that moves*needs a solid shape*" },
  { "{'name': 'b', 'scripts': [{'type': 'child', 'classpath': 'orrery.scripts.trace.Trace'}]}", 1,
    ORRERY_ERROR_CONFIG, "*has a script*" },
  { "{'name': 'u', 'import': {'file': 'nope.urdf'}}", 1, ORRERY_ERROR_NOT_FOUND,
    "*no file nope.urdf*" },
  { "{'name': 'b', 'body': {'type': 'rigid', 'mass': 1}, 'shapes': [{'kind': 'box', 'size': [1, 1, "
    "1]}], 'objects': [" LINK ("a", "") ", " LINK ("a", "") "]}",
    1, ORRERY_ERROR_CONFIG, "*two objects are named 'b_1.a'*" },
  { "{'name': 'h', 'classpath': 'orrery.robots.hummer.Hummer'}", 1, ORRERY_ERROR_CONFIG,
    "*'h' cannot be spawned: its wheels roll*" },
  { BOX, 65, ORRERY_ERROR_CONFIG, "*has room for * objects*larger 'room'*" },
  { BOX, 0, ORRERY_ERROR_INVALID, "from 1 to 1000 *not 0" },
  { BOX, 1001, ORRERY_ERROR_INVALID, "from 1 to 1000 *not 1001" },
};

#define OLD "'spawnables': [{'object': {'name': 'old'}}],"

static void
check_refused (Stage *stage, const Refused *one)
{
  g_autoptr (GError) error = NULL;
  OrreryWorld *world = stage_get_world (stage);
  guint n = orrery_world_get_n_objects (world);

  if (try_add (stage, one->object, one->count, &error))
    g_error ("it was added: %s", one->object);
  g_assert_error (error, ORRERY_ERROR, one->code);
  if (*one->words != '\0' && !g_pattern_match_simple (one->words, error->message))
    g_error ("%s: %s", one->object, error->message);
  g_assert_cmpuint (orrery_world_get_n_objects (world), ==, n);
}

static void
check_all_refused (const char *environment)
{
  g_autoptr (Stage) stage = make (environment, OLD, EYE ", " ARM ("first"));
  g_autoptr (Stage) plain = make (environment, OLD, EYE ", " ARM ("first"));

  stage_step (stage, 5);
  stage_step (plain, 5);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    check_refused (stage, &refused[i]);
    stage_step (stage, 1);
    stage_step (plain, 1);
  }
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
  /* There is still as much room as there was. */
  add_all (stage);
  add_all (plain);
  spawn_all (stage);
  spawn_all (plain);
  stage_step (stage, 30);
  stage_step (plain, 30);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
}

static void
test_refused (void)
{
  g_test_summary ("What is wrong is told as in a scene, and changes nothing");
  check_all_refused (DYNAMIC);
}

#define DENSE "{'start': 0, 'import': 'empty', 'room': 3000}"

/* Physics refuses it when it has begun with it. */
static void
check_taken_back (const char *object, const char *files, const char *words)
{
  g_autoptr (Stage) stage = make (DENSE, "", EYE ", " ARM ("first"));
  g_autoptr (Stage) plain = make (DENSE, "", EYE ", " ARM ("first"));
  g_autofree char *file = g_build_filename (stage->directory, "model.xml", NULL);
  g_autoptr (GError) error = NULL;

  if (files != NULL)
    g_assert_true (g_file_set_contents (file, files, -1, NULL));
  stage_step (stage, 5);
  stage_step (plain, 5);
  g_assert_false (try_add (stage, object, 1, &error));
  if (!g_pattern_match_simple (words, error->message))
    g_error ("%s", error->message);
  stage_step (stage, 5);
  stage_step (plain, 5);
  for (guint i = 0; i < 2; i++) {
    Stage *const one = i == 0 ? stage : plain;

    add (one, BOX, 12);
    for (guint k = 0; k < 12; k++)
      g_free (stage_spawn (one, "box", 3, 0, 1 + k));
    stage_step (one, 60);
  }
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
}

static void
test_taken_back (void)
{
  g_autoptr (GString) many = g_string_new ("{'name': 'many', 'body': {'type': 'rigid', 'mass': 5}, "
                                           "'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], "
                                           "'objects': [");

  g_test_summary ("What physics has begun with and refused leaves nothing behind");
  for (guint i = 0; i < 1001; i++)
    g_string_append_printf (many, LINK ("l%u", "") "%s", i, i < 1000 ? ", " : "]}");
  check_taken_back (many->str, NULL, "*no*more than 1000 links*");
  if (!orrery_test_has_engine ("mujoco.MuJoCo"))
    return;
  /* It has physics by then, and its bodies do not touch each other, as boxes in their places do. */
  check_taken_back ("{'name': 'm', 'classpath': 'orrery.core.robot.Robot', 'import': {'file': "
                    "'model.xml'}, 'interfaces': [{'services': 'probe.requests.Desk'}]}",
                    "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/>"
                    "<site name='s'/>"
                    "<body name='b' pos='0 0 1'><joint axis='0 1 0'/><geom size='.1'/></body>"
                    "<body name='c' pos='0 0 2'><joint axis='0 1 0'/><geom size='.1'/></body>"
                    "</body></worldbody>"
                    "<contact><exclude body1='a' body2='b'/><exclude body1='a' body2='c'/>"
                    "<exclude body1='b' body2='c'/></contact>"
                    "<sensor><gyro site='s'/></sensor></mujoco>",
                    "*probe.requests.Desk* is no request manager of the scene*");
}

static void
test_length (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC, "", EYE);
  g_autofree char *long_text = g_strnfill (2 << 20, ' ');
  g_autoptr (GError) error = NULL;

  g_test_summary ("A text of more than 1 MiB is not read");
  g_assert_false (orrery_simulation_add_spawnable (stage->simulation, long_text, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

static void
test_room (void)
{
  g_autoptr (Stage) stage = make ("{'start': 0, 'import': 'empty', 'room': 200}", "", EYE);
  g_autoptr (Stage) none = make ("{'start': 0, 'import': 'empty', 'room': 0}", "", EYE);
  g_autoptr (GError) error = NULL;

  g_test_summary ("The environment says how much room there is");
  add (stage, BOX, 200);
  g_assert_false (try_add (stage, "{'name': 'mark'}", 1, &error));
  g_clear_error (&error);
  g_assert_false (try_add (none, "{'name': 'mark'}", 1, &error));
  g_assert_true (g_pattern_match_simple ("*larger 'room'*", error->message));
}

static void
test_engine (void)
{
  g_autoptr (Stage) stage = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("An engine that cannot take it says so, and goes on");
  if (!orrery_test_has_engine ("mujoco.MuJoCo"))
    return;
  stage = make ("{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.mujoco.MuJoCo'}", "",
                EYE ", " BOX);
  stage_step (stage, 3);
  g_assert_false (try_add (stage, ARM ("arm"), 1, &error));
  g_assert_true (g_pattern_match_simple ("*MuJoCo: not supported:*'spawnables'*", error->message));
  stage_step (stage, 3);
}

/* --- many --- */

static guint n_added;

static void
add_one (Stage *stage, GRand *chance, guint number)
{
  static const char *const objects[] = { BOX, BOT, ARM ("arm") };
  const char *object = objects[g_rand_int_range (chance, 0, G_N_ELEMENTS (objects))];
  g_autofree char *name = g_strdup_printf ("{'name': 'kind%u'", number);
  g_autofree char *renamed = g_strconcat (name, strchr (object, ','), NULL);
  const Refused *wrong = &refused[g_rand_int_range (chance, 0, G_N_ELEMENTS (refused))];

  if (g_rand_int_range (chance, 0, 3) == 0)
    try_add (stage, wrong->object, wrong->count, NULL);
  else
    n_added += try_add (stage, renamed, (guint) g_rand_int_range (chance, 1, 3), NULL) ? 1 : 0;
}

static void
spawn_one (Stage *stage, GRand *chance)
{
  g_autofree char *name = g_strdup_printf ("kind%d", g_rand_int_range (chance, 0, 12));
  OrreryTransform pose = { .rotation = { .w = 1 } };
  g_autofree char *given = NULL;

  pose.position =
      (OrreryVec3){ g_rand_double_range (chance, -3, 3), g_rand_double_range (chance, -3, 3),
                    g_rand_double_range (chance, 0.5, 4) };
  given = orrery_simulation_spawn (stage->simulation, name, &pose, NULL);
}

static void
remove_one (Stage *stage, GRand *chance)
{
  g_autofree char *name = g_strdup_printf ("kind%d.%d", g_rand_int_range (chance, 0, 12),
                                           g_rand_int_range (chance, 1, 4));

  orrery_simulation_remove (stage->simulation, name, NULL);
}

static guint64
do_many (guint32 seed)
{
  g_autoptr (Stage) stage = make ("{'start': 0, 'import': 'empty', 'room': 100}", OLD, EYE);
  g_autoptr (GRand) chance = g_rand_new_with_seed (seed);
  g_autoptr (GBytes) state = stage_save (stage);

  for (guint i = 0; i < 150; i++) {
    int which = g_rand_int_range (chance, 0, 20);

    if (which < 4)
      add_one (stage, chance, i / 10);
    else if (which < 9)
      spawn_one (stage, chance);
    else if (which < 11)
      remove_one (stage, chance);
    else if (which == 11)
      orrery_simulation_reset (stage->simulation, NULL);
    else if (which == 12)
      orrery_simulation_restore (stage->simulation, state, NULL);
    else if (which == 13) {
      g_bytes_unref (state);
      state = stage_save (stage);
    }
    stage_step (stage, 1);
  }
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_many (void)
{
  g_test_summary ("Whatever is added, refused, spawned and put back: twice the same");
  for (guint32 seed = 1; seed <= 6; seed++)
    g_assert_cmpuint (do_many (seed), ==, do_many (seed));
  g_assert_cmpuint (n_added, >, 50);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/extension/twins", test_twins);
  g_test_add_func ("/extension/twins-beside-links", test_twins_beside_links);
  g_test_add_func ("/extension/on-links", test_on_links);
  g_test_add_func ("/extension/actuators", test_actuators);
  g_test_add_func ("/extension/others-stay", test_others_stay);
  g_test_add_func ("/extension/components", test_components);
  g_test_add_func ("/extension/watches", test_watches);
  g_test_add_func ("/extension/streams", test_streams);
  g_test_add_func ("/extension/observers", test_observers);
  g_test_add_func ("/extension/states", test_states);
  g_test_add_func ("/extension/other-order", test_other_order);
  g_test_add_func ("/extension/other-scene", test_other_scene);
  g_test_add_func ("/extension/refused", test_refused);
  g_test_add_func ("/extension/taken-back", test_taken_back);
  g_test_add_func ("/extension/length", test_length);
  g_test_add_func ("/extension/room", test_room);
  g_test_add_func ("/extension/engine", test_engine);
  g_test_add_func ("/extension/many", test_many);
  return g_test_run ();
}
