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
  orrery_test_assert_answer (sim, "robot.search", "heal", NULL, "fault 4");
  orrery_test_assert_answer (sim, "robot.search", "set_property", "('Abilities', '3')", "");
  heal (sim, "\"Victim 'near' healed\"");
  /* It has the property Injured still. */
  orrery_test_step (sim, 20);
  seen = get_victims (sim);
  g_assert_nonnull (strstr (seen,
                            "{'near': <{'coordinate': <{'x': <1.5>, 'y': <0.0>, 'z': <0.0>}>, "
                            "'requirements': <@ax []>, 'severity': <int64 0>}>, "));
  orrery_test_assert_answer (sim, "robot.search", "get_victim_severity", NULL, "0");
  orrery_test_assert_answer (sim, "robot.search", "heal", NULL, "fault 4");
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

  g_test_summary ("it looks every 20 ticks; until then it tells of those whom it saw");
  orrery_test_write (sim, "robot.jump", "yaw", G_PI);
  orrery_test_step (sim, 20);
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
  g_test_add_func ("/sensors/search/heals", test_heals);
  g_test_add_func ("/sensors/search/looks", test_looks);
  g_test_add_func ("/sensors/search/person", test_person);
  g_test_add_func ("/sensors/search/refused", test_refused);
  return g_test_run ();
}
