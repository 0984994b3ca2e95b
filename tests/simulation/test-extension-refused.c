/* SPDX-License-Identifier: BSD-3-Clause */
#include "extension.h"

#include <string.h>

/* Objects that cannot be added while the scene runs, and tables of those that can. */

/* --- what is refused --- */

static gboolean
try_config (Stage *stage, const char *config, GError **error)
{
  g_autofree char *object = g_strdup (BOT), *json = g_strdup (config);

  return orrery_simulation_add_spawnable (stage->simulation, g_strdelimit (object, "'", '"'), 1,
                                          g_strdelimit (json, "'", '"'), error);
}

static void
test_tables (void)
{
  g_autoptr (Stage) one = make (DYNAMIC, NOISE ", 'spawnables': [{'object': " BOT "}],", EYE);
  g_autoptr (Stage) two = make (DYNAMIC, "", EYE);
  g_autoptr (Stage) three = make (DYNAMIC, "", EYE);
  Stage *const both[] = { one, two };
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  g_test_summary ("Modifiers of what is added are those of a scene, and belong to states");
  g_assert_true (try_config (two, "{" NOISE "}", &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++) {
    g_autofree char *bot = stage_spawn (both[i], "bot", 0, 3, 0.5);

    stage_step (both[i], 20);
  }
  g_assert_cmpfloat (stage_get (one, "bot_1.pose", "x"), !=, stage_get_place (one, "bot_1")->x);
  g_assert_cmpfloat (stage_get (one, "bot_1.pose", "x"), ==, stage_get (two, "bot_1.pose", "x"));
  state = stage_save (two);
  stage_step (two, 20);
  hash = orrery_simulation_get_hash (two->simulation);
  stage_restore (three, state);
  stage_step (three, 20);
  g_assert_cmpuint (orrery_simulation_get_hash (three->simulation), ==, hash);
}

static void
test_wrong_tables (void)
{
  static const struct {
    const char *config, *words;
  } wrong[] = {
    { "[]", "*config of the added object*" },
    { "{'component_modifiers': {}}", "*no key 'component_modifiers'; did you mean*" },
    { "{'component_modifier': {'eye.pose': [['orrery.modifiers.pose_noise.PoseNoiseModifier', "
      "{}]]}}",
      "*'eye.pose' is there already*" },
    { "{'component_modifier': {'bot_1.nose': []}}", "*no component is named 'bot_1.nose'*" },
    { "{'component_modifier': {'bot_1.pose': [['orrery.modifiers.pose_noise.PoseNoiseModifier', "
      "{'pos_std': 'x'}]]}}",
      "*pos_std*" },
    { "{'component_service': {'simulation': ['probe.Desk']}}", "*'simulation' is there already*" },
    { "{'component_service': {'bot_1.motion': "
      "['orrery.middleware.socket_request_manager.SocketRequestManager']}}",
      "*too late to start it*" },
    { "{'component_datastream': {'bot_1.pose': "
      "[['orrery.middleware.socket_datastream.SocketDatastreamManager', "
      "'orrery.middleware.socket_datastream.SocketPublisher']]}}",
      "*too late to start it*" },
    { "{'stream_manager': {}}", "*managers are started with the scene*" },
  };
  g_autoptr (Stage) stage = make (DYNAMIC, "", EYE);

  g_test_summary ("What is wrong in tables is told, and then nothing is added");
  stage_step (stage, 3);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (try_config (stage, wrong[i].config, &error));
    if (!g_pattern_match_simple (wrong[i].words, error->message))
      g_error ("%s: %s", wrong[i].config, error->message);
    stage_step (stage, 1);
  }
  g_assert_true (try_config (stage, "{" NOISE "}", NULL));
}

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
                    "*probe.requests.Desk* *too late to start it*");
}

static void
test_length (void)
{
  g_autoptr (Stage) stage = make (DYNAMIC, "", EYE);
  g_autofree char *long_text = g_strnfill (2 << 20, ' ');
  g_autoptr (GError) error = NULL;

  g_test_summary ("A text of more than 1 MiB is not read");
  g_assert_false (orrery_simulation_add_spawnable (stage->simulation, long_text, 1, NULL, &error));
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
  g_test_add_func ("/refused-extension/tables", test_tables);
  g_test_add_func ("/refused-extension/wrong-tables", test_wrong_tables);
  g_test_add_func ("/refused-extension/refused", test_refused);
  g_test_add_func ("/refused-extension/taken-back", test_taken_back);
  g_test_add_func ("/refused-extension/length", test_length);
  g_test_add_func ("/refused-extension/room", test_room);
  g_test_add_func ("/refused-extension/engine", test_engine);
  g_test_add_func ("/refused-extension/many", test_many);
  return g_test_run ();
}
