/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define SENSOR(module, name) "{'name': 'sensor', 'classpath': 'morse.sensors." module "." name "'}"
#define POSE SENSOR ("pose", "Pose")
#define GYROSCOPE SENSOR ("gyroscope", "Gyroscope")
#define ACTUATOR(module, name)                                                                     \
  "{'name': 'actuator', 'classpath': 'morse.actuators." module "." name "'}"
#define MODIFIER(component, entry) ", 'component_modifier': {'robot." component "': [" entry "]}"
#define SCENE(environment, component, rest)                                                        \
  "'environment': {'physics': 'orrery.physics.kinematic.Kinematic', 'properties': {" environment   \
  "}}, 'objects': [{" ORRERY_TEST_ROBOT                                                            \
  "'position': [1, 2, 3], 'rotation': [0.1, 0.2, 0.3], 'objects': [" component "]}]" rest
#define TO(class, options)                                                                         \
  MODIFIER ("sensor", "['morse.modifiers." class "', 'OUT', {" options "}]")
#define FROM(class, options)                                                                       \
  MODIFIER ("actuator", "['morse.modifiers." class "', 'IN', {" options "}]")

static void
assert_position (const char *scene, double x, double y, double z)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  /* Every step fills the record anew: nothing piles up. */
  orrery_test_step (sim, 3);
  assert_near (orrery_test_get (sim, "robot.sensor", "x"), x, 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "y"), y, 1e-12);
  assert_near (orrery_test_get (sim, "robot.sensor", "z"), z, 1e-12);
}

/* What a teleport does with 10, 20, 30. */
static void
assert_teleport (const char *scene, double x, double y, double z)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  const OrreryVec3 *p;

  orrery_test_write (sim, "robot.actuator", "x", 10);
  orrery_test_write (sim, "robot.actuator", "y", 20);
  orrery_test_write (sim, "robot.actuator", "z", 30);
  orrery_test_step (sim, 5);
  p = &orrery_test_get_pose (sim, "robot")->position;
  assert_near (p->x, x, 1e-9);
  assert_near (p->y, y, 1e-9);
  assert_near (p->z, z, 1e-9);
}

static void
test_ned (void)
{
  g_test_summary ("NED exchanges x and y and turns z round, both ways");
  assert_position (SCENE ("", POSE, TO ("ned.CoordinatesToNED", "")), 2, 1, -3);
  assert_teleport (SCENE ("", ACTUATOR ("teleport", "Teleport"),
                          FROM ("ned.CoordinatesFromNED", "")),
                   20, 10, -30);
  /* Without it, as a control. */
  assert_position (SCENE ("", POSE, ""), 1, 2, 3);
  assert_teleport (SCENE ("", ACTUATOR ("teleport", "Teleport"), ""), 10, 20, 30);
}

static void
test_angles (void)
{
  g_autoptr (OrrerySimulation) to = NULL;
  g_autoptr (OrrerySimulation) from = NULL;
  double roll, pitch, yaw;

  g_test_summary ("angles to NED as MORSE has them, and back to where they were");
  to = orrery_test_load (SCENE ("", GYROSCOPE, TO ("ned.AnglesToNED", "")));
  orrery_test_step (to, 2);
  assert_near (orrery_test_get (to, "robot.sensor", "roll"), G_PI / 2 - 0.3, 1e-12);
  assert_near (orrery_test_get (to, "robot.sensor", "pitch"), -0.2, 1e-12);
  assert_near (orrery_test_get (to, "robot.sensor", "yaw"), 0.1, 1e-12);

  from = orrery_test_load (
      SCENE ("", ACTUATOR ("orientation", "Orientation"), FROM ("ned.AnglesFromNED", "")));
  orrery_test_write (from, "robot.actuator", "roll", G_PI / 2 - 0.7);
  orrery_test_write (from, "robot.actuator", "pitch", -0.4);
  orrery_test_write (from, "robot.actuator", "yaw", 0.5);
  orrery_test_step (from, 2);
  orrery_quat_to_euler (&orrery_test_get_pose (from, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (roll, 0.5, 1e-9);
  assert_near (pitch, 0.4, 1e-9);
  assert_near (yaw, 0.7, 1e-9);
}

static void
test_feet (void)
{
  g_test_summary ("feet are metres times 3.2808399");
  assert_position (SCENE ("", POSE, TO ("feet.MeterToFeet", "")), 3.2808399, 6.5616798, 9.8425197);
  assert_teleport (SCENE ("", ACTUATOR ("teleport", "Teleport"), FROM ("feet.FeetToMeter", "")),
                   10 / 3.2808399, 20 / 3.2808399, 30 / 3.2808399);
}

static void
test_utm (void)
{
  g_test_summary ("offsets of UTM: the option, else the environment's, else 0; text is fine");
  assert_position (SCENE ("", POSE, TO ("utm.CoordinatesToUTM", "")), 1, 2, 3);
  assert_position (SCENE ("", POSE,
                          TO ("utm.CoordinatesToUTM", "'x_offset': 100, 'y_offset': '-2.5e3'")),
                   101, -2498, 3);
  assert_position (SCENE ("'UTMXOffset': '500', 'UTMYOffset': 7, 'z_offset': 0.5", POSE,
                          TO ("utm.CoordinatesToUTM", "'y_offset': 1.5")),
                   501, 3.5, 3.5);
  assert_teleport (SCENE ("'UTMXOffset': 500", ACTUATOR ("teleport", "Teleport"),
                          FROM ("utm.CoordinatesFromUTM", "'z_offset': 1")),
                   -490, 20, 29);
  orrery_test_refuse (SCENE ("", POSE, TO ("utm.CoordinatesToUTM", "'x_offset': '5 m'")),
                      "x_offset");
  orrery_test_refuse (SCENE ("'UTMZOffset': [1]", POSE, TO ("utm.CoordinatesToUTM", "")),
                      "UTMZOffset");
  orrery_test_refuse (SCENE ("", POSE, TO ("utm.CoordinatesToUTM", "'xoffset': 5")), "x_offset");
}

static void
assert_same (const char *scene, const char *words, double z)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  orrery_test_expected = words;
  sim = orrery_test_load (scene);
  g_assert_null (orrery_test_expected);
  orrery_test_step (sim, 3);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.sensor", "z"), ==, z);
}

static void
test_lacking (void)
{
  static const char altimeter[] =
      SCENE ("", SENSOR ("radar_altimeter", "RadarAltimeter"), TO ("ned.CoordinatesToNED", ""));
  static const char *const names[] = { "feet.MeterToFeet", "utm.CoordinatesToUTM",
                                       "ned.AnglesToNED", "ned.CoordinatesToNED" };

  g_test_summary ("on a record without the fields: one warning, nothing changes, the run goes on");
  assert_same (altimeter,
               "robot.sensor/CoordinatesToNED#0: orrery.modifiers.ned.CoordinatesToNED changes "
               "nothing: the record has no field 'x'; put it on",
               INFINITY);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *scene =
        g_strdup_printf (SCENE ("", SENSOR ("clock", "Clock"),
                                MODIFIER ("sensor", "['morse.modifiers.%s', 'OUT', {}]")),
                         names[i]);
    g_autoptr (OrrerySimulation) sim = NULL;

    orrery_test_expected = "changes nothing: the record has no field";
    sim = orrery_test_load (scene);
    g_assert_null (orrery_test_expected);
    orrery_test_step (sim, 3);
  }
}

static void
test_some (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE ("", ACTUATOR ("xy_omega", "MotionXYW"), FROM ("ned.CoordinatesFromNED", "")));

  g_test_summary ("MotionXYW has x and y, and no z: those are exchanged");
  orrery_test_write (sim, "robot.actuator", "x", 4);
  orrery_test_step (sim, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.actuator", "y"), ==, 4);
}

static void
test_once_per_message (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("an input is modified once, on the step with the message");
  sim = orrery_test_load (
      SCENE ("", ACTUATOR ("waypoint", "Waypoint"), FROM ("feet.FeetToMeter", "")));
  orrery_test_write (sim, "robot.actuator", "x", 32.808399);
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.actuator", "x"), 10, 1e-12);
  orrery_test_step (sim, 5);
  assert_near (orrery_test_get (sim, "robot.actuator", "x"), 10, 1e-12);
}

static void
test_order (void)
{
  static const char feet[] = "['morse.modifiers.feet.MeterToFeet', 'OUT', {}]";
  static const char utm[] = "['morse.modifiers.utm.CoordinatesToUTM', 'OUT', {'x_offset': 1}]";
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_test_summary ("modifiers run in the order of the config");
  first = g_strdup_printf (SCENE ("", POSE, MODIFIER ("sensor", "%s, %s")), feet, utm);
  second = g_strdup_printf (SCENE ("", POSE, MODIFIER ("sensor", "%s, %s")), utm, feet);
  assert_position (first, 3.2808399 + 1, 6.5616798, 9.8425197);
  assert_position (second, 2 * 3.2808399, 6.5616798, 9.8425197);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/modifiers/coordinates/ned", test_ned);
  g_test_add_func ("/modifiers/coordinates/angles", test_angles);
  g_test_add_func ("/modifiers/coordinates/feet", test_feet);
  g_test_add_func ("/modifiers/coordinates/utm", test_utm);
  g_test_add_func ("/modifiers/coordinates/lacking", test_lacking);
  g_test_add_func ("/modifiers/coordinates/some", test_some);
  g_test_add_func ("/modifiers/coordinates/once-per-message", test_once_per_message);
  g_test_add_func ("/modifiers/coordinates/order", test_order);
  return g_test_run ();
}
