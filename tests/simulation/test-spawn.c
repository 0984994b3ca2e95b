/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Objects that are spawned and removed while the scene runs. */

#define BOX                                                                                        \
  "{'count': 4, 'object': {'name': 'box', 'position': [0, 0, 9], 'body': {'type': 'rigid', "       \
  "'mass': 2}, 'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}}"
#define ROBOT                                                                                      \
  "{'count': 2, 'object': {'name': 'bot', 'classpath': 'orrery.robots.atrv.ATRV', 'position': "    \
  "[5, 0, 1], 'properties': {'Robot': 1}, 'objects': ["                                            \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'},"                                     \
  "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'frequency': 20},"                        \
  "{'name': 'worker', 'classpath': 'probe.actuators.Worker'},"                                     \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}}"
#define NOISE                                                                                      \
  "'component_modifier': {'bot_1.pose': [['orrery.modifiers.pose_noise.PoseNoiseModifier', "       \
  "{'pos_std': 0.1}]]},"
#define OTHERS                                                                                     \
  "{'count': 2, 'object': {'name': 'table', 'body': {'type': 'static'}, 'shapes': [{'kind': "      \
  "'box', 'size': [2, 2, 1]}]}}, "                                                                 \
  "{'object': {'name': 'ghost', 'body': {'type': 'ghost'}, 'shapes': [{'kind': 'box', 'size': "    \
  "[2, 2, 1]}]}}, "                                                                                \
  "{'count': 2, 'object': {'name': 'arm', 'body': {'type': 'rigid', 'mass': 2}, 'shapes': "        \
  "[{'kind': 'box', 'size': [0.4, 0.4, 0.4]}], 'objects': [{'name': 'bumper', 'position': [0.5, "  \
  "0, "                                                                                            \
  "0], 'body': {'type': 'static'}, 'shapes': [{'kind': 'box', 'size': [0.1, 0.4, 0.4]}]}]}}"
#define TABLES NOISE "'spawnables': [" BOX ", " ROBOT ", " OTHERS "],"
#define EYE                                                                                        \
  "{'name': 'eye', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                           \
  "{'name': 'near', 'classpath': 'orrery.sensors.proximity.Proximity', "                           \
  "'properties': {'Range': 50}},"                                                                  \
  "{'name': 'laser', 'classpath': 'orrery.sensors.laserscanner.LaserScanner', "                    \
  "'position': [0, 0, 0.25], 'properties': {'laser_range': 30, 'scan_window': 0, "                 \
  "'resolution': 1}}]}"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"
#define MUJOCO "{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.mujoco.MuJoCo'}"

static Stage *
make (const char *environment)
{
  g_autofree char *scene = stage_scene (environment, TABLES, EYE);

  return stage_new (scene, NULL);
}

static gboolean
is_there (Stage *stage, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  OrreryObject *object = orrery_world_find_object (world, name);

  return object != NULL && orrery_object_is_present (object);
}

static void
check_life (const char *environment, double fallen)
{
  g_autoptr (Stage) stage = make (environment);
  g_autofree char *box = NULL, *second = NULL;

  g_assert_false (is_there (stage, "box_1"));
  stage_step (stage, 10);
  g_assert_cmpfloat (stage_get_place (stage, "box_1")->z, ==, 9);
  box = stage_spawn (stage, "box", 1, 2, 5);
  g_assert_cmpstr (box, ==, "box.1");
  g_assert_false (is_there (stage, "box.1"));
  stage_step (stage, 1);
  g_assert_true (is_there (stage, "box.1"));
  g_assert_cmpfloat (stage_get_place (stage, "box.1")->x, ==, 1);
  stage_step (stage, 19);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "box.1")->z, 5 - fallen, 0.03);
  stage_remove (stage, "box.1");
  stage_step (stage, 1);
  g_assert_false (is_there (stage, "box.1"));
  g_assert_false (is_there (stage, "box_1"));
  g_assert_cmpfloat (stage_get_place (stage, "box_1")->z, ==, 9);
  second = stage_spawn (stage, "box", 1, 2, 5);
  g_assert_cmpstr (second, ==, "box.2");
  stage_step (stage, 20);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "box.2")->z, 5 - fallen, 0.03);
}

static void
test_life (void)
{
  g_test_summary ("A box is spawned, falls, is removed and begins anew under another name");
  check_life (DYNAMIC, 0.5 * 9.81 / 9);
}

static void
test_life_mujoco (void)
{
  g_test_summary ("In a model that is compiled, too");
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_life (MUJOCO, 0.5 * 9.81 / 9);
}

static void
test_life_kinematic (void)
{
  g_test_summary ("Without dynamics a box stays where it is spawned");
  check_life (STAGE_PLAIN, 0);
}

static void
test_components (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  g_autofree char *first = NULL, *second = NULL;
  g_autoptr (GVariant) still = NULL;
  double noise;

  g_test_summary ("Components run from the tick after on, and begin as new ones");
  stage_step (stage, 5);
  g_assert_cmpfloat (stage_get (stage, "bot_1.steps", "x"), ==, 0);
  stage_call_fails (stage, "bot_1.motion", "set_speed", "[<1.0>, <0.0>]", ORRERY_CALL_FAILED,
                    "*is not spawned*");
  stage_call_fails (stage, "simulation", "activate", "[<'bot_1.steps'>]", ORRERY_CALL_FAILED,
                    "*is not spawned*");
  first = stage_spawn (stage, "bot", 5, 0, 0.2);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "bot_1.steps", "x"), ==, 0);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get (stage, "bot_1.steps", "x"), ==, 1);
  noise = stage_get (stage, "bot.1.pose", "x");
  g_assert_cmpfloat (noise, !=, stage_get_place (stage, "bot.1")->x);
  still = stage_call (stage, "bot.1.motion", "set_speed", "[<1.0>, <0.0>]");
  stage_step (stage, 60);
  g_assert_cmpfloat (stage_get_place (stage, "bot.1")->x, >, 5.8);
  g_assert_cmpfloat (stage_get (stage, "bot.1.steps", "x"), ==, 21);
  stage_remove (stage, first);
  stage_step (stage, 10);
  g_assert_cmpfloat (stage_get (stage, "bot_1.steps", "x"), ==, 0);
  second = stage_spawn (stage, "bot", 5, 0, 0.2);
  g_assert_cmpstr (second, ==, "bot.2");
  stage_step (stage, 2);
  g_assert_cmpfloat (stage_get (stage, "bot.2.steps", "x"), ==, 1);
  stage_step (stage, 60);
  /* What the first was told does not count. */
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "bot.2")->x, 5, 0.01);
}

static void
test_within_a_tick (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  g_autofree char *first = stage_spawn (stage, "bot", 5, 0, 0.2);
  g_autofree char *second = NULL;
  g_autoptr (OrreryCall) work = NULL;

  g_test_summary ("A removal ends calls; one that is replaced between two ticks begins anew");
  stage_step (stage, 30);
  work = stage_start (stage, "bot.1.worker", "wait", NULL);
  g_assert_false (orrery_call_is_done (work));
  stage_remove (stage, first);
  second = stage_spawn (stage, "bot", 7, 0, 0.2);
  stage_step (stage, 2);
  g_assert_true (orrery_call_is_done (work));
  g_assert_cmpint (orrery_call_get_fault (work), ==, ORRERY_CALL_PREEMPTED);
  g_assert_cmpfloat (stage_get (stage, "bot.2.steps", "x"), ==, 1);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "bot.2")->x, 7, 0.01);
}

static void
assert_seen (Stage *stage, gboolean seen)
{
  g_autofree char *near = stage_json (stage, "eye.near");
  g_autofree char *laser = stage_json (stage, "eye.laser");
  g_autoptr (GVariant) robots = stage_call (stage, "simulation", "list_robots", NULL);
  g_autoptr (GVariant) objects = stage_call (stage, "simulation", "get_scene_objects", NULL);
  g_autofree char *listed = g_variant_print (robots, FALSE);
  g_autoptr (GVariant) box = g_variant_lookup_value (objects, "box_1", NULL);

  g_assert_true ((strstr (near, "bot_1") != NULL) == seen);
  g_assert_true ((strstr (laser, "\"range_list\": [30.0]") == NULL) == seen);
  g_assert_true ((strstr (listed, "bot_1") != NULL) == seen);
  g_assert_true ((box != NULL) == seen);
}

static void
test_senses (void)
{
  g_autoptr (Stage) stage = make (STAGE_PLAIN);
  g_autofree char *box = NULL, *bot = NULL;

  g_test_summary ("No sensor sees what is not spawned, and no list of objects has it");
  stage_step (stage, 40);
  assert_seen (stage, FALSE);
  box = stage_spawn (stage, "box", 3, 0, 0.25);
  bot = stage_spawn (stage, "bot", 3, 5, 0.25);
  stage_step (stage, 40);
  assert_seen (stage, TRUE);
  stage_remove (stage, box);
  stage_remove (stage, bot);
  stage_step (stage, 40);
  assert_seen (stage, FALSE);
}

static void
test_refusals (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  g_autofree char *first = stage_spawn (stage, "bot", 0, 0, 1);
  g_autofree char *second = stage_spawn (stage, "bot", 0, 0, 1);
  const struct {
    const char *service, *arguments, *words;
  } rows[] = {
    { "spawn", "[<'bxo'>]", "*no spawnable 'bxo'*did you mean box*" },
    { "spawn", "[<'bot'>]", "all 2 of 'bot' are spawned*" },
    { "spawn", "[<'box'>, <[1.0, 2.0]>]", "a position is*" },
    { "spawn", "[<'box'>, <'here'>]", "a position is*" },
    { "spawn", "[<'box'>, <[1e300, 0.0, 0.0]>]", "*beyond 1e8 m*" },
    { "spawn", "[<'box'>, <[0.0, 0.0, 0.0]>, <[0.0, 0.0, 0.0, 0.0]>]", "a position is*" },
    { "remove", "[<'eye'>]", "'eye' was not spawned*" },
    { "remove", "[<'bot_1'>]", "'bot_1' was not spawned*; did you mean bot.1" },
    { "remove", "[<'bot.3'>]", "'bot.3' was not spawned*" },
    { "remove", "[<'bot.x'>]", "'bot.x' was not spawned*" },
  };

  g_test_summary ("What cannot be spawned or removed is refused with the reason");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    stage_call_fails (stage, "simulation", rows[i].service, rows[i].arguments, ORRERY_CALL_FAILED,
                      rows[i].words);
  stage_remove (stage, "bot.2");
  stage_call_fails (stage, "simulation", "remove", "[<'bot.2'>]", ORRERY_CALL_FAILED,
                    "'bot.2' was removed already");
  stage_step (stage, 1);
  g_assert_true (is_there (stage, "bot.1"));
  g_assert_false (is_there (stage, "bot_2"));
}

static void
check_held (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  g_autofree char *held = stage_spawn (stage, "box", 0, 0, 5);
  g_autofree char *holder = stage_spawn (stage, "box", 0, 0, 7);
  g_autofree char *next = NULL;
  OrreryTransform at = { .position = { 0, 0, 1 }, .rotation = { .w = 1 } };
  double z;

  stage_step (stage, 1);
  g_assert_true (orrery_commands_attach (orrery_world_get_commands (world),
                                         orrery_world_find_object (world, held),
                                         orrery_world_find_object (world, holder), &at));
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, held)->z,
                                  stage_get_place (stage, holder)->z + 1, 0.02);
  stage_remove (stage, holder);
  stage_step (stage, 1);
  z = stage_get_place (stage, held)->z;
  next = stage_spawn (stage, "box", 0, 5, 7);
  stage_step (stage, 1);
  /* Its place is that of another one now, which holds nothing. */
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, held)->z, z, 0.05);
  g_assert_cmpfloat (stage_get_place (stage, held)->y, <, 1);
}

static void
test_held (void)
{
  g_test_summary ("What a removed object held is let go, and not by the next in its place");
  check_held (DYNAMIC);
  check_held (STAGE_PLAIN);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_held (MUJOCO);
}

/* --- states --- */

/* Boxes that touch each other, in another order than they came. */
static void
play (Stage *stage)
{
  g_autofree char *a = stage_spawn (stage, "box", 0, 0, 0.26);
  g_autofree char *b = stage_spawn (stage, "box", 0.1, 0, 0.78);
  g_autofree char *c = stage_spawn (stage, "box", 0.2, 0.1, 1.3);
  g_autofree char *bot = stage_spawn (stage, "bot", 3, 0, 0.3);
  g_autofree char *d = NULL;

  stage_step (stage, 40);
  stage_remove (stage, a);
  stage_step (stage, 7);
  d = stage_spawn (stage, "box", 0.15, 0.05, 2);
  stage_step (stage, 40);
}

static guint64
go_on (Stage *stage)
{
  g_autofree char *e = stage_spawn (stage, "box", 0, 0.1, 3);

  stage_step (stage, 60);
  stage_remove (stage, "bot.1");
  stage_step (stage, 30);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) other = make (environment);
  g_autoptr (GBytes) state = NULL, late = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  play (stage);
  state = stage_save (stage);
  hash = go_on (stage);
  late = stage_save (stage);
  stage_restore (stage, state);
  g_assert_false (is_there (stage, "box.5"));
  g_assert_cmpuint (go_on (stage), ==, hash);
  stage_restore (other, state);
  g_assert_true (is_there (other, "box.4"));
  g_assert_null (
      orrery_world_find_object (orrery_simulation_get_world (other->simulation), "box.1"));
  g_assert_cmpuint (go_on (other), ==, hash);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  g_assert_false (is_there (other, "box_1"));
  play (other);
  g_assert_cmpuint (go_on (other), ==, hash);
}

static void
test_states (void)
{
  g_test_summary ("A run with spawned objects is saved, restored, reset and repeated bit by bit");
  check_states (DYNAMIC);
}

static void
test_states_mujoco (void)
{
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_states (MUJOCO);
}

static void
test_states_kinematic (void)
{
  check_states (STAGE_PLAIN);
}

static void
play_others (Stage *stage)
{
  g_autofree char *table = stage_spawn (stage, "table", 0, 0, 0.5);
  g_autofree char *ghost = stage_spawn (stage, "ghost", 0, 0, 1);
  g_autofree char *arm = stage_spawn (stage, "arm", 0, 0, 1.5);

  stage_step (stage, 60);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, arm)->z, 1.2, 0.01);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "arm.1.bumper")->x, 0.5, 0.01);
}

static guint64
go_on_with_others (Stage *stage)
{
  g_autofree char *table = NULL, *arm = NULL;

  stage_remove (stage, "table.1");
  stage_step (stage, 60);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "arm.1")->z, 0.2, 0.01);
  stage_remove (stage, "ghost.1");
  table = stage_spawn (stage, "table", 3, 0, 0.5);
  arm = stage_spawn (stage, "arm", 3, 0, 1.5);
  stage_step (stage, 60);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, arm)->z, 1.2, 0.01);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states_of_others (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) other = make (environment);
  g_autoptr (GBytes) state = NULL;
  guint64 hash;

  play_others (stage);
  state = stage_save (stage);
  hash = go_on_with_others (stage);
  stage_restore (other, state);
  g_assert_cmpuint (go_on_with_others (other), ==, hash);
}

static void
test_states_of_others (void)
{
  g_test_summary ("So are bodies that stand, are put, or have bodies as their parts");
  check_states_of_others (DYNAMIC);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_states_of_others (MUJOCO);
}

static void
test_staged (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  g_autoptr (Stage) other = make (DYNAMIC);
  g_autofree char *box = stage_spawn (stage, "box", 0, 0, 1);
  g_autoptr (GBytes) state = stage_save (stage);

  g_test_summary ("A state that is saved between the call and the tick has what is to come");
  stage_step (stage, 10);
  stage_restore (other, state);
  stage_step (other, 10);
  g_assert_true (is_there (other, box));
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (other->simulation));
}

static void
check_thousand (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) quiet = make (environment);
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  g_autofree char *box = NULL;

  for (guint i = 0; i < 500; i++) {
    g_autofree char *bot = stage_spawn (stage, "bot", 0, 0, 0.3);
    g_autofree char *one = stage_spawn (stage, "box", 0, 0, 0.3);

    stage_step (stage, 1);
    stage_remove (stage, bot);
    stage_remove (stage, one);
  }
  /* Until sensors that are slow have looked again. */
  stage_step (stage, 60);
  stage_step (quiet, 560);
  g_assert_null (orrery_world_find_object (world, "box.500"));
  g_assert_cmpuint (orrery_simulation_get_digest (stage->simulation), ==,
                    orrery_simulation_get_digest (quiet->simulation));
  box = stage_spawn (stage, "box", 0, 0, 1);
  g_assert_cmpstr (box, ==, "box.501");
  stage_step (stage, 1);
  stage_step (quiet, 1);
  /* The control: the digest sees one box. */
  g_assert_cmpuint (orrery_simulation_get_digest (stage->simulation), !=,
                    orrery_simulation_get_digest (quiet->simulation));
}

static void
test_thousand (void)
{
  g_test_summary ("After 1,000 spawns and removals the world is as one without any");
  check_thousand (DYNAMIC);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_thousand (MUJOCO);
}

/* --- names that are asked for --- */

static void
spawn_called (Stage *stage, const char *kind, const char *called)
{
  g_autofree char *arguments =
      g_strdup_printf ("[<'%s'>, <[3.0, 0.0, 2.0]>, <@mv nothing>, <'%s'>]", kind, called);
  g_autoptr (GVariant) given = stage_call (stage, "simulation", "spawn", arguments);

  g_assert_cmpstr (g_variant_get_string (given, NULL), ==, called);
}

static void
refuse_called (Stage *stage, const char *called, const char *words)
{
  g_autofree char *arguments =
      g_strdup_printf ("[<'box'>, <@mv nothing>, <@mv nothing>, <'%s'>]", called);

  stage_call_fails (stage, "simulation", "spawn", arguments, ORRERY_CALL_FAILED, words);
}

static void
test_names (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  g_autofree char *long_name = g_strnfill (256, 'a');
  g_autofree char *huge_name = g_strnfill (1 << 20, 'a');
  g_autofree char *next = NULL;
  g_autoptr (GVariant) moves = NULL;

  g_test_summary ("What is spawned is called as asked, and wrong and taken names are refused");
  spawn_called (stage, "bot", "mine");
  spawn_called (stage, "box", "la caisse \303\240 moi");
  stage_step (stage, 2);
  g_assert_true (is_there (stage, "mine.pose"));
  g_assert_cmpstr (orrery_object_get_instance_name (orrery_world_find_object (world, "bot_1.pose")),
                   ==, "mine.pose");
  g_assert_cmpstr (orrery_object_get_instance_name (orrery_world_find_object (world, "eye")), ==,
                   "eye");
  g_assert_null (orrery_object_get_instance_name (orrery_world_find_object (world, "bot_2")));
  moves = stage_call (stage, "mine.motion", "set_speed", "[<1.0>, <0.0>]");
  for (guint i = 0; i < 3; i++)
    refuse_called (stage, ((const char *[]){ "mine", "eye", "box_4" })[i], "*already*");
  /* The services of these would not be found any more. */
  for (guint i = 0; i < 2; i++)
    refuse_called (stage, ((const char *[]){ "simulation", "time" })[i], "*already*");
  for (guint i = 0; i < 4; i++)
    refuse_called (stage, ((const char *[]){ "a.b", "box.7", "a/b", "." })[i], "*a dot or a slash");
  refuse_called (stage, "a\\nb", "*not a valid name*");
  refuse_called (stage, long_name, "*1 to 255 bytes*");
  refuse_called (stage, huge_name, "*1 to 255 bytes*");
  stage_remove (stage, "mine");
  spawn_called (stage, "box", "mine");
  next = stage_spawn (stage, "box", 0, 0, 1);
  g_assert_cmpstr (next, ==, "box.3");
}

/* Names are of the state: what goes on removes by them. */
static guint64
go_on_by_names (Stage *stage)
{
  stage_step (stage, 20);
  stage_remove (stage, "first");
  stage_step (stage, 5);
  spawn_called (stage, "box", "first");
  stage_step (stage, 20);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_names_in_states (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC);
  g_autoptr (Stage) other = make (DYNAMIC);
  g_autoptr (GBytes) state = NULL;
  g_autofree char *box = NULL;
  guint64 hash;

  g_test_summary ("Names that were asked for are saved with a state, and gone after a reset");
  spawn_called (stage, "box", "first");
  spawn_called (stage, "bot", "second");
  box = stage_spawn (stage, "box", 0, 0, 3);
  stage_step (stage, 10);
  state = stage_save (stage);
  hash = go_on_by_names (stage);
  stage_restore (other, state);
  g_assert_true (is_there (other, "second.pose"));
  g_assert_true (is_there (other, box));
  g_assert_cmpuint (go_on_by_names (other), ==, hash);
  g_assert_true (orrery_simulation_reset (other->simulation, NULL));
  g_assert_null (
      orrery_world_find_object (orrery_simulation_get_world (other->simulation), "second"));
}

/* --- loading --- */

static void
check_load (const char *environment, const char *spawnables, const char *words)
{
  g_autofree char *tables = g_strdup_printf ("'spawnables': [%s],", spawnables);
  g_autofree char *scene = stage_scene (environment, tables, EYE);
  g_autoptr (GError) error = NULL;
  g_autoptr (Stage) stage = stage_try (scene, NULL, &error);

  g_assert_null (stage);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  if (error != NULL && !g_pattern_match_simple (words, error->message))
    g_test_message ("%s", error->message);
  g_assert_true (error != NULL && g_pattern_match_simple (words, error->message));
}

static void
test_loading (void)
{
  g_test_summary ("What cannot be spawned is refused when the scene is loaded");
  check_load (STAGE_PLAIN, "{'count': 0, 'object': {'name': 'a'}}", "*count*");
  check_load (STAGE_PLAIN, "{'object': {}}", "*name*");
  check_load (STAGE_PLAIN, "{'object': {'name': 'a'}}, {'object': {'name': 'a'}}",
              "*two spawnables are named 'a'*");
  check_load (STAGE_PLAIN, "{'object': {'name': 'a', 'joint': {'kind': 'hinge'}}}",
              "*'a' cannot be spawned*holds it to the world*");
  check_load (STAGE_PLAIN,
              "{'count': 3, 'object': {'name': 'a', 'classpath': "
              "'orrery.robots.segwayrmp400.SegwayRMP400'}}",
              "*'a' cannot be spawned*wheels*");
  check_load (STAGE_PLAIN,
              "{'object': {'name': 'a', 'scripts': [{'type': 'child', 'classpath': "
              "'probe.scripts.Script'}]}}",
              "*'a' cannot be spawned*a script*");
  check_load (STAGE_PLAIN, "{'count': 1001, 'object': {'name': 'a'}}", "*count*");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/spawn/life", test_life);
  g_test_add_func ("/spawn/life-mujoco", test_life_mujoco);
  g_test_add_func ("/spawn/life-kinematic", test_life_kinematic);
  g_test_add_func ("/spawn/components", test_components);
  g_test_add_func ("/spawn/within-a-tick", test_within_a_tick);
  g_test_add_func ("/spawn/senses", test_senses);
  g_test_add_func ("/spawn/refusals", test_refusals);
  g_test_add_func ("/spawn/held", test_held);
  g_test_add_func ("/spawn/states", test_states);
  g_test_add_func ("/spawn/states-mujoco", test_states_mujoco);
  g_test_add_func ("/spawn/states-kinematic", test_states_kinematic);
  g_test_add_func ("/spawn/states-of-others", test_states_of_others);
  g_test_add_func ("/spawn/staged", test_staged);
  g_test_add_func ("/spawn/thousand", test_thousand);
  g_test_add_func ("/spawn/names", test_names);
  g_test_add_func ("/spawn/names-in-states", test_names_in_states);
  g_test_add_func ("/spawn/loading", test_loading);
  return g_test_run ();
}
