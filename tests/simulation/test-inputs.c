/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Inputs of a run: what observers are told of them, and that another run takes them. */

#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}, "                       \
  "{'name': 'box', 'position': [1, 0, 0]}"
#define OBSERVER "probe.observers.Observer"

static Stage *
make (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", ROBOT);

  return stage_new (scene, NULL);
}

static void
assert_said (OrreryObserver *observer, const char *expected)
{
  g_autoptr (OrreryCall) call = orrery_part_call (ORRERY_PART (observer), "said", NULL);

  g_assert_cmpstr (g_variant_get_string (orrery_call_get_result (call, NULL), NULL), ==, expected);
}

static void
write_speed (Stage *stage, double v)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_write (stage->simulation, stage_find (stage, "robot.motion"), "v",
                           g_variant_new_double (v), &error);
  g_assert_no_error (error);
}

static void
move_box (Stage *stage, double x)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  OrreryTransform pose = { .position = { x, 2, 3 }, .rotation = { .w = 1 } };

  orrery_commands_set_pose (orrery_world_get_commands (world),
                            orrery_world_find_object (world, "box"), &pose);
}

static void
test_told (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryObserver *observer =
      orrery_simulation_add_observer (stage->simulation, OBSERVER, NULL, NULL);
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("Writes, commands and calls of the program are told, each once and in order");
  assert_said (observer, "open scene.json 2 60 1;");
  write_speed (stage, 1);
  move_box (stage, 5);
  stage_step (stage, 1);
  assert_said (observer, "input commands 0 ;input record 0 robot.motion;tick 0;");
  stage_step (stage, 1);
  assert_said (observer, "tick 1;");
  move_box (stage, 6);
  call = orrery_simulation_call (stage->simulation, "simulation", "list_robots", NULL);
  move_box (stage, 7);
  stage_step (stage, 1);
  assert_said (observer, "input commands 2 ;input call 2 simulation list_robots;"
                         "input commands 2 ;tick 2;");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  move_box (stage, 8);
  stage_step (stage, 1);
  assert_said (observer, "close;open scene.json 2 60 2;input commands 0 ;tick 0;");
}

#define WALKER                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'walk', 'classpath': 'orrery.actuators.waypoint.Waypoint'}]}, "                        \
  "{'name': 'box', 'position': [1, 0, 0]}"
#define DESK "'component_service': {'simulation': 'probe.requests.Desk'},"

/* An OrreryCallFunc: a program that does something to the world when it gets its answer. */
static void
react (OrreryCall *call, gpointer stage)
{
  OrreryWorld *world = orrery_simulation_get_world (((Stage *) stage)->simulation);

  move_box (stage, 8);
  orrery_commands_set_value (orrery_world_get_commands (world),
                             orrery_world_find_object (world, "box"), "told",
                             g_variant_new_string ("yes"));
}

static void
test_reaction (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, DESK, WALKER);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  OrreryObserver *observer =
      orrery_simulation_add_observer (stage->simulation, OBSERVER, NULL, NULL);
  g_autoptr (OrreryCall) asked = NULL;
  g_autoptr (OrreryCall) walk = NULL;

  g_test_summary (
      "What a caller stages when it is answered is told, and nothing else of that tick");
  asked = stage_start (stage, "desk", "ask",
                       "[<'simulation'>, <'set_object_position'>, <[<'box'>, <[2.0, 0.0, 0.0]>]>]");
  orrery_call_set_done_func (asked, react, stage, NULL);
  stage_step (stage, 1);
  assert_said (observer, "open scene.json 2 60 1;input call 0 desk ask;"
                         "input call 0 services simulation set_object_position;"
                         "input commands 0 services ;tick 0;");
  walk = stage_start (stage, "robot.walk", "goto", "[<0.3>, <0.0>, <0.0>, <0.2>, <1.0>]");
  orrery_call_set_done_func (walk, react, stage, NULL);
  stage_step (stage, 4);
  assert_said (observer, "input call 1 robot.walk goto;tick 1;tick 2;tick 3;tick 4;");
  for (int i = 0; i < 40 && !orrery_call_is_done (walk); i++)
    stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (walk));
  assert_said (observer, "tick 5;tick 6;input commands 7 services ;tick 7;");
}

static double
get_x (Stage *stage, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (orrery_world_find_object (world, name)))
      ->position.x;
}

static void
feed (Stage *stage, OrreryRunInputKind kind, const char *part, const char *service,
      gboolean in_services, const char *value)
{
  g_autoptr (GVariant) held = value != NULL ? g_variant_new_parsed (value) : NULL;
  g_autoptr (GError) error = NULL;
  OrreryRunInput input = { .kind = kind,
                           .tick = orrery_simulation_get_n_ticks (stage->simulation),
                           .in_services = in_services,
                           .part = part,
                           .service = service,
                           .number = 1,
                           .value = held };

  g_variant_ref_sink (held);
  orrery_simulation_feed (stage->simulation, &input, &error);
  g_assert_no_error (error);
}

#define BOX_AT_4                                                                                   \
  "[(uint32 2, uint32 2, false, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "                                \
  "(4.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))]"
#define BOX_SAYS_SO "[(uint32 2, 'told', @mv <'so'>)]"

static OrreryObject *
find_box (Stage *stage)
{
  return orrery_world_find_object (orrery_simulation_get_world (stage->simulation), "box");
}

static void
test_fed (void)
{
  g_autoptr (Stage) first = make ();
  g_autoptr (Stage) second = make ();
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("A run that is fed goes as the one that was told, and as no other");
  write_speed (first, 0.7);
  move_box (first, 4);
  stage_step (first, 3);
  call = orrery_simulation_call (first->simulation, "simulation", "set_object_position",
                                 g_variant_new_parsed ("[<'box'>, <[7.0, 0.0, 0.0]>]"));
  stage_step (first, 2);

  feed (second, ORRERY_RUN_INPUT_COMMANDS, NULL, NULL, FALSE, BOX_AT_4);
  feed (second, ORRERY_RUN_INPUT_RECORD, "robot.motion", NULL, FALSE, "{'v': <0.7>, 'w': <0.0>}");
  stage_step (second, 3);
  g_assert_cmpfloat (get_x (second, "box"), ==, 4);
  feed (second, ORRERY_RUN_INPUT_CALL, "simulation", "set_object_position", FALSE,
        "[<'box'>, <[7.0, 0.0, 0.0]>]");
  stage_step (second, 2);
  g_assert_cmpfloat (get_x (second, "box"), ==, 7);
  g_assert_cmpfloat (get_x (second, "robot"), >, 0);
  g_assert_cmpuint (orrery_simulation_get_digest (first->simulation), ==,
                    orrery_simulation_get_digest (second->simulation));
  stage_step (first, 1);
  g_assert_cmpuint (orrery_simulation_get_digest (first->simulation), !=,
                    orrery_simulation_get_digest (second->simulation));
}

static void
test_in_services (void)
{
  g_autoptr (Stage) stage = make ();

  g_test_summary ("A call in the services of a tick has its effect in the physics of this tick");
  feed (stage, ORRERY_RUN_INPUT_CALL, "simulation", "set_object_position", TRUE,
        "[<'box'>, <[9.0, 0.0, 0.0]>]");
  g_assert_cmpfloat (get_x (stage, "box"), ==, 1);
  stage_step (stage, 1);
  g_assert_cmpfloat (get_x (stage, "box"), ==, 9);
  /* Commands keep their place among calls. */
  feed (stage, ORRERY_RUN_INPUT_COMMANDS, NULL, NULL, TRUE, "(" BOX_AT_4 ", " BOX_SAYS_SO ")");
  feed (stage, ORRERY_RUN_INPUT_CALL, "simulation", "set_object_position", TRUE,
        "[<'box'>, <[6.0, 0.0, 0.0]>]");
  g_assert_false (orrery_object_is_set (find_box (stage), "told"));
  stage_step (stage, 1);
  g_assert_cmpfloat (get_x (stage, "box"), ==, 6);
  g_assert_cmpstr (orrery_object_get_text (find_box (stage), "told", ""), ==, "so");
  feed (stage, ORRERY_RUN_INPUT_CALL, "simulation", "set_object_position", TRUE,
        "[<'box'>, <[7.0, 0.0, 0.0]>]");
  feed (stage, ORRERY_RUN_INPUT_COMMANDS, NULL, NULL, TRUE, BOX_AT_4);
  g_assert_cmpfloat (get_x (stage, "box"), ==, 6);
  stage_step (stage, 1);
  g_assert_cmpfloat (get_x (stage, "box"), ==, 4);
  /* What steers the run is left to who feeds it. */
  feed (stage, ORRERY_RUN_INPUT_CALL, "simulation", "pause", TRUE, "@av []");
  feed (stage, ORRERY_RUN_INPUT_CALL, "simulation", "quit", FALSE, "@av []");
  stage_step (stage, 1);
  g_assert_false (orrery_simulation_is_paused (stage->simulation));
  g_assert_false (orrery_simulation_is_quitting (stage->simulation));
}

static void
test_refused (void)
{
  static const struct {
    OrreryRunInputKind kind;
    guint64 tick;
    const char *part, *value, *message;
    int code;
  } cases[] = {
    { ORRERY_RUN_INPUT_RECORD, 1, "robot.motion", "{'v': <1.0>}",
      "an input of tick 1, and tick 0 comes next", ORRERY_ERROR_INVALID },
    { ORRERY_RUN_INPUT_RECORD, 0, "robot.motor", "{'v': <1.0>}",
      "no actuator is named 'robot.motor'", ORRERY_ERROR_NOT_FOUND },
    { ORRERY_RUN_INPUT_RECORD, 0, "robot", "{'v': <1.0>}", "no actuator is named 'robot'",
      ORRERY_ERROR_NOT_FOUND },
    { ORRERY_RUN_INPUT_COMMANDS, 0, NULL, "[1, 2]", "a command names no object, or is not finite",
      ORRERY_ERROR_INVALID },
    { ORRERY_RUN_INPUT_COMMANDS, 0, NULL,
      "[(uint32 2, uint32 99, false, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), "
      "(4.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0))]",
      "a command names no object, or is not finite", ORRERY_ERROR_INVALID },
    { ORRERY_RUN_INPUT_COMMANDS, 0, NULL, "(" BOX_AT_4 ", [(uint32 99, 'told', @mv <'so'>)])",
      "a command names no object, or is not finite", ORRERY_ERROR_INVALID },
    { ORRERY_RUN_INPUT_COMMANDS, 0, NULL, "(" BOX_AT_4 ", [(uint32 2, 'told', 'so')])",
      "a command names no object, or is not finite", ORRERY_ERROR_INVALID },
  };
  g_autoptr (Stage) stage = make ();

  g_test_summary ("What cannot be fed is refused, and the run goes on");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_parsed (cases[i].value));
    g_autoptr (GError) error = NULL;
    OrreryRunInput input = {
      .kind = cases[i].kind, .tick = cases[i].tick, .part = cases[i].part, .value = value
    };

    g_assert_false (orrery_simulation_feed (stage->simulation, &input, &error));
    g_assert_error (error, ORRERY_ERROR, cases[i].code);
    g_assert_cmpstr (error->message, ==, cases[i].message);
  }
  stage_step (stage, 2);
  g_assert_cmpfloat (get_x (stage, "robot"), ==, 0);
}

/* --- what parts take from outside --- */

#define TAKERS                                                                                     \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'a', 'classpath': 'probe.sensors.Taker'}, "                                            \
  "{'name': 'b', 'classpath': 'probe.sensors.Taker'}]}"

static Stage *
make_takers (gboolean fed)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", TAKERS);
  g_autoptr (OrreryOptions) options = stage_options ();

  g_object_set (options, "fed", fed, "offline", fed, "threads", 2, NULL);
  return stage_new (scene, options);
}

static void
set_texts (Stage *stage, const char *name, const char *first, const char *second)
{
  OrreryPart *part = ORRERY_PART (stage_find (stage, name));
  g_autoptr (GVariant) one = g_variant_ref_sink (g_variant_new_string (first));
  g_autoptr (GVariant) other = g_variant_ref_sink (g_variant_new_string (second));
  g_autoptr (GError) error = NULL;

  orrery_part_set_option (part, "first", one, &error);
  g_assert_no_error (error);
  orrery_part_set_option (part, "second", other, &error);
  g_assert_no_error (error);
}

static void
assert_took (Stage *stage, const char *name, const char *first, const char *second)
{
  OrreryRecord *record = orrery_component_get_record (stage_find (stage, name));
  const OrreryText *texts = orrery_record_data (record);

  g_assert_cmpstr (orrery_text_get (&texts[0]), ==, first);
  g_assert_cmpstr (orrery_text_get (&texts[1]), ==, second);
}

static gboolean
offer (Stage *stage, const char *part, const char *bytes, gsize size, GError **error)
{
  g_autoptr (GVariant) value =
      g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes, size, 1));
  OrreryRunInput input = { .kind = ORRERY_RUN_INPUT_TAKEN,
                           .tick = orrery_simulation_get_n_ticks (stage->simulation),
                           .part = part,
                           .value = value };

  return orrery_simulation_feed (stage->simulation, &input, error);
}

static void
test_taken (void)
{
  g_autoptr (Stage) stage = make_takers (FALSE);
  OrreryObserver *observer;

  g_test_summary ("A part takes what it has; whoever keeps inputs is told, and of nothing where "
                  "nothing came");
  set_texts (stage, "robot.a", "one", "two");
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "one", "two");
  observer = orrery_simulation_add_observer (stage->simulation, OBSERVER, NULL, NULL);
  assert_said (observer, "open scene.json 3 60 1 at 1;");
  set_texts (stage, "robot.a", "three", "");
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "three", "");
  assert_said (observer, "input taken 1 robot.a;tick 1;");
  set_texts (stage, "robot.a", "", "");
  stage_step (stage, 1);
  assert_said (observer, "tick 2;");
  orrery_simulation_remove_observer (stage->simulation, observer);
  set_texts (stage, "robot.a", "four", "five");
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "four", "five");
}

static void
test_offered (void)
{
  g_autoptr (Stage) stage = make_takers (TRUE);
  g_autoptr (GError) error = NULL;

  g_test_summary ("Where inputs are fed a part gets those, in its tick and in their order, and "
                  "nothing of its own");
  set_texts (stage, "robot.a", "own", "own");
  g_assert_true (offer (stage, "robot.a", "one", 3, &error));
  g_assert_true (offer (stage, "robot.b", "other", 5, &error));
  g_assert_true (offer (stage, "robot.a", "two", 3, &error));
  g_assert_true (offer (stage, "robot.a", "left", 4, &error));
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "one", "two");
  assert_took (stage, "robot.b", "other", "");
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "", "");
  g_assert_no_error (error);
}

static void
test_offers_refused (void)
{
  g_autofree char *much = g_malloc0 (ORRERY_INPUT_MAX_SIZE + 1);
  g_autoptr (Stage) stage = make_takers (TRUE);
  g_autoptr (Stage) other = make_takers (FALSE);
  const struct {
    Stage *stage;
    const char *part;
    gsize size;
    int code;
  } cases[] = {
    { stage, "robot.c", 1, ORRERY_ERROR_NOT_FOUND },
    { stage, NULL, 1, ORRERY_ERROR_NOT_FOUND },
    { stage, "robot.a", 0, ORRERY_ERROR_INVALID },
    { stage, "robot.a", ORRERY_INPUT_MAX_SIZE + 1, ORRERY_ERROR_INVALID },
    { other, "robot.a", 1, ORRERY_ERROR_STATE },
  };
  gsize n = 0;

  g_test_summary ("Inputs of no part, of no length or too long are refused, and so is too much of "
                  "them for one tick");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (offer (cases[i].stage, cases[i].part, much, cases[i].size, &error));
    g_assert_error (error, ORRERY_ERROR, cases[i].code);
  }
  while (n < 1000 && offer (stage, "robot.a", much, ORRERY_INPUT_MAX_SIZE, NULL))
    n++;
  g_assert_cmpuint (n, ==, 15);
  stage_step (stage, 1);
  g_assert_true (offer (stage, "robot.a", "x", 1, NULL));
  stage_step (stage, 1);
  assert_took (stage, "robot.a", "x", "");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/inputs/told", test_told);
  g_test_add_func ("/inputs/reaction", test_reaction);
  g_test_add_func ("/inputs/fed", test_fed);
  g_test_add_func ("/inputs/in-services", test_in_services);
  g_test_add_func ("/inputs/refused", test_refused);
  g_test_add_func ("/inputs/taken", test_taken);
  g_test_add_func ("/inputs/offered", test_offered);
  g_test_add_func ("/inputs/offers-refused", test_offers_refused);
  return g_test_run ();
}
