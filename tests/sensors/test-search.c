/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* SearchAndRescue, and the people whom it finds. */

#define SCENE(abilities)                                                                           \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic'}, "            \
  "'objects': [{" ORRERY_TEST_ROBOT "'objects': [{'name': 'search', "                              \
  "'classpath': 'morse.sensors.search_and_rescue.SearchAndRescue', 'frequency': 60, "              \
  "'properties': {'Abilities': '" abilities "', 'Heal_range': 2.0}}, "                             \
  "{'name': 'jump', 'classpath': 'orrery.actuators.teleport.Teleport'}]}, "                        \
  "{'name': 'near', 'classpath': 'morse.robots.victim.Victim', 'position': [1.5, 0, 0]}, "         \
  "{'name': 'far', 'classpath': 'morse.robots.victim.Victim', 'position': [5, 1, 0], "             \
  " 'properties': {'Severity': 3, 'Requirements': '4'}}, "                                         \
  "{'name': 'behind', 'classpath': 'morse.robots.victim.Victim', 'position': [-1, 0, 0]}, "        \
  "{'name': 'aside', 'classpath': 'morse.robots.victim.Victim', 'position': [5, 4, 0]}]"

static char *
get_victims (OrrerySimulation *sim)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, "robot.search"));
  g_autoptr (GVariant) value = orrery_record_get_value (record, "victim_dict");

  return g_variant_print (value, FALSE);
}

static void
test_sees (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("1,2"));
  g_autofree char *seen = NULL;

  g_test_summary ("who is in the cone is seen, with what is wrong");
  seen = get_victims (sim);
  g_assert_cmpstr (seen, ==, "{}");
  g_clear_pointer (&seen, g_free);
  orrery_test_step (sim, 1);
  seen = get_victims (sim);
  g_assert_cmpstr (seen, ==,
                   "{'near': <{'coordinate': <{'x': <1.5>, 'y': <0.0>, 'z': <0.0>}>, "
                   "'requirements': <[int64 1, 2, 3]>, 'severity': <int64 10>}>, "
                   "'far': <{'coordinate': <{'x': <5.0>, 'y': <1.0>, 'z': <0.0>}>, "
                   "'requirements': <[int64 4]>, 'severity': <int64 3>}>}");
  orrery_test_assert_answer (sim, "robot.search", "get_robot_abilities", NULL, "[1, 2]");
  orrery_test_assert_answer (sim, "robot.search", "get_victim_severity", NULL, "10");
  orrery_test_assert_answer (sim, "robot.search", "get_victim_requirements", NULL, "[1, 2, 3]");
}

static void
heal (OrrerySimulation *sim, const char *answer)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.search", "heal", NULL);
  g_autofree char *text = NULL;

  orrery_test_step (sim, 9);
  g_assert_false (orrery_call_is_done (call));
  orrery_test_step (sim, 2);
  g_assert_true (orrery_call_is_done (call));
  text = g_variant_print (orrery_call_get_result (call, NULL), FALSE);
  g_assert_cmpstr (text, ==, answer);
}

/* It starts at once; the next step says why it cannot. */
static void
fail_to_heal (OrrerySimulation *sim, const char *why)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.search", "heal", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_call_is_done (call));
  orrery_test_step (sim, 1);
  g_assert_true (orrery_call_is_done (call));
  orrery_call_get_result (call, &error);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, why));
}

static void
assert_error (OrrerySimulation *sim, const char *service, const char *words)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.search", service, NULL);
  g_autoptr (GError) error = NULL;

  orrery_call_get_result (call, &error);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, words));
}

#define ALONE(properties, more)                                                                    \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic'}, "            \
  "'objects': [{" ORRERY_TEST_ROBOT "'properties': {'Injured': true}, 'objects': [{'name': "       \
  "'search', 'classpath': 'morse.sensors.search_and_rescue.SearchAndRescue', 'frequency': 60, "    \
  "'properties': {'Abilities': '1,2', 'Heal_range': 2.0" properties "}}]}" more "]"
#define VICTIM(name, place)                                                                        \
  ", {'name': '" name "', 'classpath': 'morse.robots.victim.Victim', 'position': " place "}"
#define SPOT(name, place)                                                                          \
  ", {'name': '" name "', 'position': " place ", 'properties': {'Injured': 1}}"

static void
test_cone (void)
{
  /* The hull begins 0.177 m before the origin, its margin is 0.06 m; half of the aperture is 30
   * degrees: the base of the cone has a radius of 5.77 m. */
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ALONE ("", VICTIM ("touched", "[10.23, 0, 0]") VICTIM ("beyond", "[10.24, 3, 0]")
                     SPOT ("corner", "[9.9, 5.6, 0]") SPOT ("short", "[10.01, 0, 0]")
                         VICTIM ("side", "[5, 3.1, 0]") VICTIM ("aside", "[5, 4, 0]")));
  g_autofree char *seen = NULL;

  g_test_summary ("who meets the cone is seen: its base is flat, margins count, not the own robot");
  orrery_test_step (sim, 1);
  seen = get_victims (sim);
  g_test_message ("%s", seen);
  g_assert_nonnull (strstr (seen, "'touched'"));
  g_assert_null (strstr (seen, "'beyond'"));
  g_assert_nonnull (strstr (seen, "'corner'"));
  g_assert_null (strstr (seen, "'short'"));
  g_assert_nonnull (strstr (seen, "'side'"));
  g_assert_null (strstr (seen, "'aside'"));
  g_assert_null (strstr (seen, "'robot'"));
}

static void
test_words (void)
{
  g_autoptr (OrrerySimulation) nobody = orrery_test_load (ALONE ("", ""));
  g_autoptr (OrrerySimulation) far =
      orrery_test_load (ALONE (", 'Distance': 8.5", VICTIM ("far", "[5, 0, 0]")));

  g_test_summary ("who is in the cone is told of, however far; healing needs Heal_range");
  orrery_test_step (nobody, 1);
  orrery_test_step (far, 1);
  assert_error (nobody, "get_victim_requirements", "No victim within range (10.00 m)");
  assert_error (nobody, "get_victim_severity", "No victim within range (10.00 m)");
  fail_to_heal (nobody, "No victim within range (10.00 m)");
  orrery_test_assert_answer (far, "robot.search", "get_victim_requirements", NULL, "[1, 2, 3]");
  orrery_test_assert_answer (far, "robot.search", "get_victim_severity", NULL, "10");
  fail_to_heal (far, "No victim within range (2.00 m)");
}

static void
test_heals (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("1,2"));
  g_autofree char *seen = NULL;

  g_test_summary ("what the robot is able to is done in ten steps; the rest stays");
  orrery_test_step (sim, 1);
  heal (sim, "\"Victim 'near' partially healed\"");
  orrery_test_step (sim, 2);
  orrery_test_assert_answer (sim, "robot.search", "get_victim_requirements", NULL, "[3]");
  fail_to_heal (sim, "Not equipped of helping victim");
  orrery_test_assert_answer (sim, "robot.search", "set_property", "('Abilities', '3')", "");
  heal (sim, "\"Victim 'near' healed\"");
  /* It has the property Injured still. */
  orrery_test_step (sim, 20);
  seen = get_victims (sim);
  g_assert_nonnull (strstr (seen,
                            "{'near': <{'coordinate': <{'x': <1.5>, 'y': <0.0>, 'z': <0.0>}>, "
                            "'requirements': <@ax []>, 'severity': <int64 0>}>, "));
  orrery_test_assert_answer (sim, "robot.search", "get_victim_severity", NULL, "0");
  fail_to_heal (sim, "Not equipped of helping victim");
}

static gboolean
is_seen (OrrerySimulation *sim, const char *name)
{
  g_autofree char *victims = get_victims (sim);

  return strstr (victims, name) != NULL;
}

static void
test_looks (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("1,2"));

  g_test_summary ("it looks in each step; until then it tells of those whom it saw");
  orrery_test_step (sim, 1);
  orrery_test_write (sim, "robot.jump", "yaw", G_PI);
  orrery_test_step (sim, 1);
  g_assert_true (is_seen (sim, "near"));
  g_assert_false (is_seen (sim, "behind"));
  orrery_test_assert_answer (sim, "robot.search", "get_victim_severity", NULL, "10");
  orrery_test_step (sim, 1);
  g_assert_false (is_seen (sim, "near"));
  g_assert_true (is_seen (sim, "behind"));
}

static void
test_person (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("1,2"));
  OrreryObject *near = orrery_world_find_object (orrery_simulation_get_world (sim), "near");

  g_test_summary ("a person gets better one by one, and a reset takes it back");
  for (guint i = 0; i < 10; i++) {
    orrery_test_assert_answer (sim, "near", "heal", NULL, "");
    orrery_test_step (sim, 1);
    g_assert_cmpint (g_variant_get_int64 (orrery_object_get_value (near, "Severity")), ==, 9 - i);
    g_assert_true (g_variant_get_boolean (orrery_object_get_value (near, "Injured")) == (i < 9));
  }
  orrery_simulation_reset (sim, NULL);
  orrery_test_step (sim, 1);
  g_assert_cmpint (g_variant_get_int64 (orrery_object_get_value (near, "Severity")), ==, 10);
  g_assert_true (g_variant_get_boolean (orrery_object_get_value (near, "Injured")));
}

static void
test_refused (void)
{
  g_test_summary ("abilities that are no list of numbers are refused");
  orrery_test_refuse (SCENE ("1,two"), "not a list of integers");
  orrery_test_refuse (SCENE ("1,,2"), "not a list of integers");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/search/sees", test_sees);
  g_test_add_func ("/sensors/search/cone", test_cone);
  g_test_add_func ("/sensors/search/words", test_words);
  g_test_add_func ("/sensors/search/heals", test_heals);
  g_test_add_func ("/sensors/search/looks", test_looks);
  g_test_add_func ("/sensors/search/person", test_person);
  g_test_add_func ("/sensors/search/refused", test_refused);
  return g_test_run ();
}
