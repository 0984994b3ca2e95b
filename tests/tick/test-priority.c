/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Siblings by the priority of their objects, or MORSE's order by their age; what is declared goes
 * before what is wished. */

#define STEPS(more) "{'name': 'steps', 'classpath': 'probe.sensors.Steps'" more "}"
/* Reads robot.steps without saying so: it shows who of the two came first in tick 9. */
#define STEALTH(name, more)                                                                        \
  "{'name': '" name "', 'classpath': 'probe.sensors.Mirror', 'properties': {'target': "            \
  "'robot.steps', 'declared': false}" more "}"
#define DECLARED(more)                                                                             \
  "{'name': 'mirror', 'classpath': 'probe.sensors.Mirror', 'properties': {'target': "              \
  "'robot.steps'}" more "}"
#define FIRST ", 'priority': 'first'"
#define NORMAL ", 'priority': 'normal'"
#define LAST ", 'priority': 'last'"
#define BEHIND 10
#define BEFORE 9

static Stage *
stage_robot (const char *objects)
{
  g_autofree char *robot =
      g_strdup_printf ("{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [%s]}",
                       objects);
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", robot);

  return stage_new (scene, NULL);
}

static double
run_mirror (const char *objects, const char *mirror)
{
  g_autoptr (Stage) stage = stage_robot (objects);

  stage_step (stage, 10);
  return stage_get (stage, mirror, "x");
}

typedef struct {
  const char *name;
  const char *objects;
  int x;
} Sensing;

static const Sensing sensing[] = {
  { "as-they-stand", STEALTH ("mirror", "") "," STEPS (""), BEFORE },
  { "as-they-stand-otherwise", STEPS ("") "," STEALTH ("mirror", ""), BEHIND },
  { "last", STEALTH ("mirror", LAST) "," STEPS (""), BEHIND },
  { "first", STEALTH ("mirror", "") "," STEPS (FIRST), BEHIND },
  { "both", STEPS (LAST) "," STEALTH ("mirror", FIRST), BEFORE },
  { "ties", STEALTH ("mirror", LAST) "," STEPS (LAST), BEFORE },
  { "normal-is-the-default", STEALTH ("mirror", NORMAL) "," STEPS (""), BEFORE },
  { "declared-is-stronger", DECLARED (FIRST) "," STEPS (LAST), BEHIND },
  { "declared-before", DECLARED ("") "," STEPS (""), BEHIND },
};

static void
test_sensing (gconstpointer data)
{
  const Sensing *s = data;

  g_assert_cmpfloat (run_mirror (s->objects, "robot.mirror"), ==, s->x);
}

static void
test_branches (void)
{
  g_test_summary ("priority is among siblings: a branch goes with its object");
  g_assert_cmpfloat (run_mirror ("{'name': 'arm', 'objects': [" STEALTH ("mirror",
                                                                         FIRST) "]}," STEPS (""),
                                 "robot.arm.mirror"),
                     ==, BEFORE);
  g_assert_cmpfloat (run_mirror ("{'name': 'arm'" LAST
                                 ", 'objects': [" STEALTH ("mirror", FIRST) "]}," STEPS (""),
                                 "robot.arm.mirror"),
                     ==, BEHIND);
}

/* Two who teleport one robot in one tick: where it is is who came last. */
static double
teleport (const char *one, const char *two)
{
  const char *names[] = { "robot.one", "robot.two" };
  g_autofree char *objects =
      g_strdup_printf ("{'name': 'one', 'classpath': 'orrery.actuators.teleport.Teleport'%s}, "
                       "{'name': 'two', 'classpath': 'orrery.actuators.teleport.Teleport'%s}, "
                       "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}",
                       one, two);
  g_autoptr (Stage) stage = stage_robot (objects);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;

    orrery_simulation_write (stage->simulation, stage_find (stage, names[i]), "x",
                             g_variant_new_double (i + 1), &error);
    g_assert_no_error (error);
  }
  stage_step (stage, 2);
  return stage_get (stage, "robot.pose", "x");
}

static void
test_acting (void)
{
  g_test_summary ("of two actuators that command one robot the later one wins");
  g_assert_cmpfloat (teleport ("", ""), ==, 2);
  g_assert_cmpfloat (teleport (LAST, ""), ==, 1);
  g_assert_cmpfloat (teleport ("", FIRST), ==, 1);
  g_assert_cmpfloat (teleport (FIRST, LAST), ==, 2);
}

static guint64
run_hash (const char *one, const char *two)
{
  g_autofree char *objects =
      g_strdup_printf (STEPS ("%s") ",{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'%s}",
                       one, two);
  g_autoptr (Stage) stage = stage_robot (objects);

  stage_step (stage, 20);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_same_hash (void)
{
  g_test_summary ("who reads nothing of the others does not see the order");
  g_assert_cmpuint (run_hash ("", ""), ==, run_hash (LAST, FIRST));
}

/* --- MORSE's order --- */

#define MADE(name, class, n)                                                                       \
  "{'name': '" name "', 'classpath': 'orrery." class "', 'created': " n "}"
#define BODY(name, n, objects)                                                                     \
  "{'name': '" name "', 'classpath': 'orrery.core.robot.Robot', 'created': " n                     \
  ", 'objects': [" objects "]}"
/* The file has the parts of a robot in the order in which they were appended. */
#define A                                                                                          \
  "{'name': 'bump', 'classpath': 'orrery.sensors.collision.Collision', 'created': 9}, "            \
  "{'name': 'own', 'classpath': 'orrery.sensors.pose.Pose'}, " MADE (                              \
      "pose", "sensors.pose.Pose",                                                                 \
      "1") ", " MADE ("one", "actuators.teleport.Teleport",                                        \
                      "2") ", " MADE ("kuka", "actuators.kuka_lwr.KukaLWR",                        \
                                      "3") ", " MADE ("arm", "actuators.kuka_lwr.KukaLWR", "8")
#define B                                                                                          \
  "{'name': 'gyro', 'classpath': 'orrery.sensors.gyroscope.Gyroscope', 'created': 6, "             \
  "'priority': 'last'}, " MADE ("clock", "sensors.clock.Clock",                                    \
                                "7") ", " MADE ("two", "actuators.teleport.Teleport", "5")
#define CREW                                                                                       \
  "{'name': 'c', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                             \
  "{'name': 'late', 'classpath': 'orrery.sensors.pose.Pose'}]}, " BODY ("a", "0",                  \
                                                                        A) ", " BODY ("b", "4", B)

static char *
list_phase_of (const char *crew, const char *rule, const char *phase)
{
  g_autofree char *environment =
      g_strdup_printf ("{'component_order': '%s', " STAGE_KINEMATIC "}", rule);
  g_autofree char *scene = stage_scene (environment, "", crew);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) order = orrery_simulation_get_order (stage->simulation, phase, &error);
  GString *names = g_string_new (NULL);

  g_assert_no_error (error);
  for (gsize i = 0; i < g_variant_n_children (order); i++) {
    const char *name;

    g_variant_get_child (order, i, "(&s&s&s&s)", NULL, &name, NULL, NULL);
    g_string_append_printf (names, "%s%s", i > 0 ? " " : "", name);
  }
  return g_string_free (names, FALSE);
}

static void
check_phase (const char *rule, const char *phase, const char *expected)
{
  g_autofree char *names = list_phase_of (CREW, rule, phase);

  g_assert_cmpstr (names, ==, expected);
}

static void
test_morse (void)
{
  g_test_summary ("the newest comes first, across robots, armatures and what collides behind");
  check_phase ("scene", "sense", "c.late a.bump a.own a.pose b.clock b.gyro");
  check_phase ("scene", "act", "a.one a.kuka a.arm b.two");
  check_phase ("morse", "robots", "c a b");
  check_phase ("morse", "sense", "b.clock b.gyro a.pose a.own a.bump c.late");
  check_phase ("morse", "act", "b.two a.one a.kuka a.arm");
}

static guint64
run_crew (const char *rule)
{
  g_autofree char *environment =
      g_strdup_printf ("{'component_order': '%s', " STAGE_KINEMATIC "}", rule);
  g_autofree char *scene = stage_scene (environment, "", CREW);
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  stage_step (stage, 20);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
test_morse_hash (void)
{
  g_test_summary ("the order changes no hash where nobody commands what another does");
  g_assert_cmpuint (run_crew ("morse"), ==, run_crew ("scene"));
}

static void
test_morse_class (void)
{
  g_autofree char *names = list_phase_of (
      BODY ("r", "0",
            MADE ("old", "sensors.pose.Pose",
                  "1") ", "
                       "{'name': 'held', 'classpath': 'probe.sensors.Holder', 'created': 3}, "
                       "{'name': 'deaf', 'classpath': 'probe.sensors.Steps', 'created': 2}"),
      "morse", "sense");

  g_test_summary ("a class of anybody says in which of MORSE's lists it is");
  g_assert_cmpstr (names, ==, "r.deaf r.old r.held");
}

static void
test_morse_sources (void)
{
  g_autoptr (Stage) stage = stage_new (
      "{'orrery': 1, 'environment': {'start': 0, 'component_order': 'morse', " STAGE_KINEMATIC
      "}, 'objects': [" BODY (
          "robot", "0",
          "{'name': 'steps', 'classpath': 'probe.sensors.Steps', 'created': 1}, "
          "{'name': 'mirror', 'classpath': 'probe.sensors.Mirror', 'created': 2, "
          "'properties': {'target': 'robot.steps'}}, "
          "{'name': 'stealth', 'classpath': 'probe.sensors.Mirror', 'created': 3, "
          "'properties': {'target': 'robot.steps', 'declared': false}}") "]}",
      NULL);

  g_test_summary ("what is read comes before what reads it");
  stage_step (stage, 10);
  g_assert_cmpfloat (stage_get (stage, "robot.mirror", "x"), ==, BEHIND);
  g_assert_cmpfloat (stage_get (stage, "robot.stealth", "x"), ==, BEFORE);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (sensing); i++) {
    g_autofree char *path = g_strconcat ("/tick/priority/sensing/", sensing[i].name, NULL);

    g_test_add_data_func (path, &sensing[i], test_sensing);
  }
  g_test_add_func ("/tick/priority/branches", test_branches);
  g_test_add_func ("/tick/priority/acting", test_acting);
  g_test_add_func ("/tick/priority/same-hash", test_same_hash);
  g_test_add_func ("/tick/priority/morse", test_morse);
  g_test_add_func ("/tick/priority/morse-hash", test_morse_hash);
  g_test_add_func ("/tick/priority/morse-class", test_morse_class);
  g_test_add_func ("/tick/priority/morse-sources", test_morse_sources);
  return g_test_run ();
}
