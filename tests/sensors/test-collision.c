/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(name, x, properties)                                                                \
  "{'name': '" name "', 'classpath': 'morse.sensors.collision.Collision', 'position': [" x         \
  ", 0, 0], 'properties': {" properties "}}"
#define ROBOT(sensors)                                                                             \
  "{" ORRERY_TEST_ROBOT                                                                            \
  "'position': [0, 0, 0.5], 'body': {'type': 'rigid', 'mass': 10, 'gravity': "                     \
  "false}, 'shapes': [{'kind': 'box', 'size': [1, 1, 0.5]}], 'objects': [" sensors                 \
  ", {'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}]}"
#define WALL(name, x, more)                                                                        \
  ", {'name': '" name "', 'position': [" x ", 0, 0], 'body': {'type': 'static'}, "                 \
  "'shapes': [{'kind': 'box', 'size': [1, 4, 4]}]" more "}"
#define SCENE(sensors, things)                                                                     \
  "'environment': {'frequency': 60}, 'objects': [" ROBOT (sensors) things "]"

static char *
get_objects (OrrerySimulation *sim, const char *name)
{
  OrreryRecord *record = orrery_component_get_record (orrery_test_find (sim, name));
  g_autoptr (GVariant) text = orrery_record_get_value (record, "objects");
  g_autoptr (GVariant) flag = orrery_record_get_value (record, "collision");

  /* There is something to pass on while something touches. */
  g_assert_cmpint (orrery_record_is_held (record), ==, !g_variant_get_boolean (flag));
  g_assert_cmpint (*g_variant_get_string (text, NULL) != '\0', ==, g_variant_get_boolean (flag));
  return g_variant_dup_string (text, NULL);
}

static void
assert_objects (OrrerySimulation *sim, const char *name, const char *expected)
{
  g_autofree char *objects = get_objects (sim, name);

  g_assert_cmpstr (objects, ==, expected);
}

static void
test_touch (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a cube of 4 cm: what it touches, by name, in scene order; not its own robot");
  sim = orrery_test_load (
      SCENE (SENSOR ("front", "0.6", "") ", " SENSOR ("inside", "0", "") ", " SENSOR (
                 "marked", "0.6", "'only_objects_with_property': 'Graspable'"),
             WALL ("wall", "1.115", ", 'objects': []")
                 WALL ("crate", "1.112", ", 'properties': {'Graspable': false}")
                     WALL ("far", "1.2", "")));
  orrery_test_assert_fields (sim, "robot.front", "collision objects");
  orrery_test_step (sim, 3);
  assert_objects (sim, "robot.front", "wall,crate");
  assert_objects (sim, "robot.inside", "");
  assert_objects (sim, "robot.marked", "crate");
  orrery_test_assert_answer (sim, "robot.marked", "set_property",
                             "('only_objects_with_property', 'Odd')", "");
  orrery_test_step (sim, 1);
  assert_objects (sim, "robot.marked", "");
}

static void
test_drive (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("driving up to a wall and away again; sensors do not touch each other");
  sim = orrery_test_load (SCENE (SENSOR ("front", "0.6", "") ", " SENSOR ("twin", "0.6", ""),
                                 WALL ("wall", "1.2", "")));
  orrery_test_step (sim, 2);
  assert_objects (sim, "robot.front", "");
  orrery_test_write (sim, "robot.motion", "v", 0.6);
  orrery_test_step (sim, 12);
  assert_objects (sim, "robot.front", "wall");
  orrery_test_write (sim, "robot.motion", "v", -0.6);
  orrery_test_step (sim, 20);
  assert_objects (sim, "robot.front", "");
}

static void
test_robot_body (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("a Contact has no body of its own: what touches the robot counts");
  sim = orrery_test_load (SCENE ("{'name': 'skin', 'classpath': 'orrery.sensors.contact.Contact'}",
                                 WALL ("wall", "0.99", "") WALL ("behind", "-1.5", "")));
  orrery_test_step (sim, 3);
  assert_objects (sim, "robot.skin", "wall");
}

static void
test_errors (void)
{
  g_test_summary ("what has no body cannot be touched; properties are texts");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT
                                             "'objects': [{'name': 'skin', 'classpath': "
                                             "'orrery.sensors.contact.Contact'}]}"),
                      "neither the sensor nor its parent object has a body");
  orrery_test_refuse (SCENE (SENSOR ("front", "1", "'only_objects_with_property': [1]"), ""),
                      "only_objects_with_property");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/collision/touch", test_touch);
  g_test_add_func ("/sensors/collision/drive", test_drive);
  g_test_add_func ("/sensors/collision/robot-body", test_robot_body);
  g_test_add_func ("/sensors/collision/errors", test_errors);
  return g_test_run ();
}
