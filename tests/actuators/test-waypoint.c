/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define WAYPOINT(properties)                                                                       \
  "{'name': 'waypoint', 'classpath': 'morse.actuators.waypoint.Waypoint', "                        \
  "'properties': {" properties "}}"
#define SCENE_WITH(more, properties)                                                               \
  ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY                                    \
                         "'position': [1, 2, 0.5], 'objects': [" WAYPOINT (properties) "]}" more)
#define SCENE(properties) SCENE_WITH ("", properties)

static double
distance_to (OrrerySimulation *sim, double x, double y)
{
  const OrreryVec3 *p = &orrery_test_get_pose (sim, "robot")->position;

  return hypot (x - p->x, y - p->y);
}

static double
speed_of (OrrerySimulation *sim)
{
  OrreryVec3 before = orrery_test_get_pose (sim, "robot")->position;
  const OrreryVec3 *after;
  OrreryVec3 way;

  orrery_test_step (sim, 1);
  after = &orrery_test_get_pose (sim, "robot")->position;
  way = (OrreryVec3){ after->x - before.x, after->y - before.y, after->z - before.z };
  return orrery_vec3_length (&way) * 60;
}

static void
assert_status (OrrerySimulation *sim, const char *status)
{
  g_autofree char *quoted = g_strdup_printf ("'%s'", status);

  orrery_test_assert_answer (sim, "robot.waypoint", "get_status", NULL, quoted);
}

static void
assert_arrived (OrreryCall *call)
{
  GVariant *result;

  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  result = orrery_call_is_done (call) ? orrery_call_get_result (call, NULL) : NULL;
  g_assert_nonnull (result);
  if (result != NULL)
    g_assert_cmpstr (g_variant_get_string (result, NULL), ==, "Arrived");
}

static void
test_start (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("at first the goal is where the actuator is: arrived, nothing moves");
  sim = orrery_test_load (SCENE ("'Speed': 2.5"));
  orrery_test_assert_fields (sim, "robot.waypoint", "x y z tolerance speed");
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "x"), ==, 1);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "z"), ==, 0.5);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "tolerance"), ==, 0.5);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "speed"), ==, 2.5);
  assert_status (sim, "Arrived");
  orrery_test_step (sim, 60);
  assert_near (distance_to (sim, 1, 2), 0, 1e-12);
}

static void
test_goto (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;
  int n = 0;

  g_test_summary ("goto drives straight ahead at its speed and succeeds within the tolerance");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(6.0, 2.0, 0.0, 0.25, 2.0)");
  g_assert_false (orrery_call_is_done (call));
  while (!orrery_call_is_done (call) && n < 1000) {
    orrery_test_step (sim, 1);
    n++;
  }
  assert_arrived (call);
  assert_status (sim, "Arrived");
  /* 4.75 m at 2 m/s, and the tick that sees it. */
  g_assert_cmpint (n, ==, 143 + 1);
  g_assert_cmpfloat (distance_to (sim, 6, 2), <=, 0.25);
  g_assert_cmpfloat (distance_to (sim, 6, 2), >, 0.25 - 2.0 / 60);
  assert_near (speed_of (sim), 0, 1e-12);
}

static void
test_defaults (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("goto without tolerance and speed takes 0.5 m and 1 m/s");
  sim = orrery_test_load (SCENE ("'Speed': 3"));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(int64 6, int64 2, 0.0)");
  orrery_test_step (sim, 2);
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "tolerance"), ==, 0.5);
  assert_near (speed_of (sim), 1, 1e-9);
}

static void
test_turning (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;
  double roll, pitch, yaw;

  g_test_summary ("a goal behind is turned to on the spot at speed / 2 m, to within 60 degrees");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(-3.0, 1.9, 0.5, 0.3, 1.0)");
  orrery_test_step (sim, 120);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, -0.5 * 2, 1e-9);
  assert_near (distance_to (sim, 1, 2), 0, 1e-12);
  /* 180 - 60 degrees at 0.5 rad/s take 4.2 s. */
  orrery_test_step (sim, 125);
  assert_near (distance_to (sim, 1, 2), 0, 1e-12);
  orrery_test_step (sim, 15);
  g_assert_cmpfloat (distance_to (sim, 1, 2), >, 0.01);
  orrery_test_step (sim, 900);
  assert_arrived (call);
}

static void
test_last_steps (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("'AngleTolerance': 0"));
  double roll, pitch, yaw;

  g_test_summary ("a way that is shorter than a step is gone in one, half of such an angle turned");
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(1.01, 2.0, 0.0, 0.001, 1.0)",
                             "true");
  orrery_test_step (sim, 1);
  assert_near (distance_to (sim, 1.01, 2), 0, 1e-6);
  orrery_test_write (sim, "robot.waypoint", "x", 101.01);
  orrery_test_write (sim, "robot.waypoint", "y", 2 + 100 * tan (0.01));
  orrery_test_step (sim, 1);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, 0.005, 1e-5);
}

static void
test_angle_tolerance (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double roll, pitch, yaw;

  g_test_summary ("a heading within AngleTolerance is left alone");
  sim = orrery_test_load (SCENE (""));
  orrery_test_write (sim, "robot.waypoint", "x", 101);
  orrery_test_write (sim, "robot.waypoint", "y", 2 + 100 * tan (9 * G_PI / 180));
  orrery_test_step (sim, 60);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, 0, 1e-5);
  orrery_test_write (sim, "robot.waypoint", "y", 2 + 100 * tan (15 * G_PI / 180));
  orrery_test_step (sim, 60);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  g_assert_cmpfloat (yaw, >, 0.08);
  g_assert_cmpfloat (yaw, <, 15 * G_PI / 180);
}

static void
test_cancel (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (OrreryCall) again = NULL;

  g_test_summary ("cancelling preempts and stops the robot where it is; it can go on from there");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(6.0, 2.0, 0.0)");
  orrery_test_step (sim, 60);
  orrery_call_cancel (call);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  assert_near (speed_of (sim), 0, 1e-12);
  assert_status (sim, "Arrived");
  assert_near (distance_to (sim, 2, 2), 0, 1e-4);
  again = orrery_test_call (sim, "robot.waypoint", "goto", "(6.0, 2.0, 0.0)");
  orrery_test_step (sim, 300);
  assert_arrived (again);
}

static void
test_preempt (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) first = NULL;
  g_autoptr (OrreryCall) second = NULL;

  g_test_summary ("a second goto preempts the first and goes its own way");
  sim = orrery_test_load (SCENE (""));
  first = orrery_test_call (sim, "robot.waypoint", "goto", "(6.0, 2.0, 0.0)");
  orrery_test_step (sim, 60);
  second = orrery_test_call (sim, "robot.waypoint", "goto", "(4.0, 2.0, 0.0, 0.1, 1.0)");
  g_assert_cmpint (orrery_call_get_fault (first), ==, ORRERY_CALL_PREEMPTED);
  g_assert_false (orrery_call_is_done (second));
  orrery_test_step (sim, 200);
  assert_arrived (second);
  g_assert_cmpfloat (distance_to (sim, 4, 2), <=, 0.1);
}

static void
test_same_goal (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) first = NULL;
  g_autoptr (OrreryCall) second = NULL;

  g_test_summary ("goto to where it has arrived already succeeds again");
  sim = orrery_test_load (SCENE (""));
  first = orrery_test_call (sim, "robot.waypoint", "goto", "(3.0, 2.0, 0.0)");
  orrery_test_step (sim, 150);
  assert_arrived (first);
  second = orrery_test_call (sim, "robot.waypoint", "goto", "(3.0, 2.0, 0.0)");
  orrery_test_step (sim, 1);
  assert_arrived (second);
}

static void
test_stop_resume (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("stop holds, and goto stays pending; resume has the speed that the last stop "
                  "found, and forgets it");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(6.0, 2.0, 0.0, 0.5, 1.5)");
  orrery_test_step (sim, 30);
  assert_near (speed_of (sim), 1.5, 1e-9);
  orrery_test_assert_answer (sim, "robot.waypoint", "stop", NULL, "'Stop'");
  assert_near (speed_of (sim), 0, 1e-12);
  orrery_test_step (sim, 60);
  assert_status (sim, "Stop");
  g_assert_false (orrery_call_is_done (call));
  orrery_test_assert_answer (sim, "robot.waypoint", "resume", NULL, "'Transit'");
  assert_near (speed_of (sim), 1.5, 1e-9);
  assert_status (sim, "Transit");
  orrery_test_assert_answer (sim, "robot.waypoint", "resume", NULL, "'Transit'");
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "speed"), ==, 0);
  orrery_test_write (sim, "robot.waypoint", "speed", 1.25);
  orrery_test_assert_answer (sim, "robot.waypoint", "stop", NULL, "'Stop'");
  orrery_test_assert_answer (sim, "robot.waypoint", "stop", NULL, "'Stop'");
  orrery_test_assert_answer (sim, "robot.waypoint", "resume", NULL, "'Transit'");
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "speed"), ==, 0);
  orrery_test_write (sim, "robot.waypoint", "speed", 1.5);
  orrery_test_step (sim, 200);
  assert_arrived (call);
}

static void
test_setdest (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("setdest says whether there is a way to go");
  sim = orrery_test_load (SCENE (""));
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(1.3, 2.0, 9.0)", "false");
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(5.0, 2.0, 0.0, 0.1, 2.0)", "true");
  orrery_test_step (sim, 1);
  assert_status (sim, "Transit");
  orrery_test_step (sim, 130);
  assert_status (sim, "Arrived");
  g_assert_cmpfloat (distance_to (sim, 5, 2), <=, 0.1);
}

static void
test_backwards (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double roll, pitch, yaw;

  g_test_summary ("a negative speed drives back from the goal and turns away, at half of it");
  sim = orrery_test_load (SCENE (""));
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(9.0, 2.0, 0.0, 0.5, -1.0)",
                             "true");
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 0, 1e-9);
  assert_status (sim, "Transit");
  orrery_test_assert_answer (sim, "robot.waypoint", "stop", NULL, "'Stop'");
  assert_near (speed_of (sim), 0, 1e-12);
  orrery_test_assert_answer (sim, "robot.waypoint", "resume", NULL, "'Transit'");
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, -1, 1e-9);
  /* 45 degrees to the left */
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(7.0, 10.0, 0.0, 0.5, -1.0)",
                             "true");
  orrery_test_step (sim, 12);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, -0.5 * 12 / 60, 1e-5);
}

static void
test_stream (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double before;

  g_test_summary ("a message sets the goal; one with speed zero stops the robot");
  sim = orrery_test_load (SCENE (""));
  orrery_test_write (sim, "robot.waypoint", "x", 9);
  orrery_test_step (sim, 10);
  assert_near (speed_of (sim), 1, 1e-9);
  orrery_test_write (sim, "robot.waypoint", "speed", 0);
  assert_near (speed_of (sim), 0, 1e-12);
  orrery_test_write (sim, "robot.waypoint", "speed", -2);
  before = orrery_test_get_pose (sim, "robot")->position.x;
  orrery_test_step (sim, 60);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, before - 2, 1e-9);
}

static void
test_rest (void)
{
  g_autoptr (OrrerySimulation) free = NULL;
  g_autoptr (OrrerySimulation) held = NULL;
  OrreryTransform aside = { { 1, 8, 0.5 }, { 1, 0, 0, 0 } };

  g_test_summary ("a robot pushed away from its goal stays there, or returns if it is to remain");
  free = orrery_test_load (SCENE (""));
  held = orrery_test_load (SCENE ("'RemainAtDestination': true"));
  orrery_test_step (free, 1);
  orrery_test_step (held, 1);
  for (int i = 0; i < 2; i++) {
    OrrerySimulation *sim = i == 0 ? free : held;
    OrreryWorld *world = orrery_simulation_get_world (sim);

    orrery_commands_set_pose (orrery_world_get_commands (world),
                              orrery_world_find_object (world, "robot"), &aside);
    orrery_test_step (sim, 900);
  }
  assert_near (distance_to (free, 1, 8), 0, 1e-9);
  g_assert_cmpfloat (distance_to (held, 1, 2), <=, 0.5);
}

static void
test_free_z (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("with FreeZ height is driven and counts; without, it is neither");
  sim = orrery_test_load (SCENE ("'FreeZ': true"));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(4.0, 2.0, 4.5, 0.1, 1.0)");
  orrery_test_step (sim, 60);
  /* 1 m of a way of 3 m ahead and 4 m up */
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 1.6, 1e-4);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 1.3, 1e-4);
  g_assert_false (orrery_call_is_done (call));
  orrery_test_step (sim, 250);
  assert_arrived (call);
  g_assert_cmpfloat (fabs (orrery_test_get_pose (sim, "robot")->position.z - 4.5), <=, 0.1);
}

static void
test_beyond (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("above it, with FreeZ, it drives ahead past the goal: the speed has no sign");
  sim = orrery_test_load (SCENE ("'FreeZ': true"));
  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(0.7, 2.0, 1.7, 1.0, 1.0)", "true");
  orrery_test_step (sim, 1);
  /* 0.3 m behind, not far enough aside to be turned to, and 1.2 m up. */
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 1 + 0.3 / hypot (0.3, 1.2) / 60,
               1e-9);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 0.5 + 1.2 / hypot (0.3, 1.2) / 60,
               1e-9);
}

static void
test_flat (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("without FreeZ the height neither counts nor changes");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(4.0, 2.0, 100.0)");
  orrery_test_step (sim, 200);
  assert_arrived (call);
  assert_near (orrery_test_get_pose (sim, "robot")->position.z, 0.5, 1e-12);
}

static void
test_position (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("by ControlType Position it goes as fast, also where it runs at half the rate");
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT "'objects': [{'name': 'waypoint', 'frequency': 30, 'classpath': "
      "'morse.actuators.waypoint.Waypoint', 'properties': {'ControlType': 'Position'}}]}"));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(4.0, 0.0, 0.0, 0.1, 1.0)");
  orrery_test_step (sim, 120);
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 2, 1e-9);
  orrery_test_step (sim, 120);
  assert_arrived (call);
}

static void
test_target (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;

  g_test_summary ("the object named by Target is moved to the goal");
  sim = orrery_test_load (
      SCENE_WITH (", {'name': 'flag', 'position': [7, 7, 7]}", "'Target': 'flag'"));
  orrery_test_write (sim, "robot.waypoint", "x", 9);
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get_pose (sim, "flag")->position.x, 9, 1e-12);
  assert_near (orrery_test_get_pose (sim, "flag")->position.y, 2, 1e-12);
}

static void
test_properties (void)
{
  g_test_summary ("properties are checked");
  orrery_test_refuse (SCENE ("'AngleTolerance': 10"), "out of range");
  orrery_test_refuse (SCENE ("'FreeZ': 2"), "FreeZ");
  orrery_test_refuse (SCENE ("'RemainAtDestinaton': true"), "RemainAtDestination");
}

static void
test_reset (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a reset ends a running goto and brings everything back");
  sim = orrery_test_load (SCENE (""));
  call = orrery_test_call (sim, "robot.waypoint", "goto", "(9.0, 2.0, 0.0)");
  orrery_test_step (sim, 60);
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  assert_status (sim, "Arrived");
  g_assert_cmpfloat (orrery_test_get (sim, "robot.waypoint", "speed"), ==, 1);
  orrery_test_step (sim, 60);
  assert_near (distance_to (sim, 1, 2), 0, 1e-12);
}

#define CRATE(y)                                                                                   \
  ", {'name': 'crate', 'position': [7, " y ", 0.5], 'body': {'type': 'static'}, "                  \
  "'properties': {'Soft': true}, 'shapes': [{'kind': 'box', 'size': [1, 1, 4]}]}"

/* Drives past the crate to (15, 2); returns how far the path leads to the left at most, or right.
 */
static double
drive_past (const char *scene)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  g_autoptr (OrreryCall) call =
      orrery_test_call (sim, "robot.waypoint", "goto", "(15.0, 2.0, 0.0, 0.5, 1.0)");
  double widest = 0;

  for (guint i = 0; i < 60 * 60 && !orrery_call_is_done (call); i++) {
    double aside;

    orrery_test_step (sim, 1);
    aside = orrery_test_get_pose (sim, "robot")->position.y - 2;
    if (fabs (aside) > fabs (widest))
      widest = aside;
  }
  assert_arrived (call);
  return widest;
}

/* Begins at 7 m, and half a metre before that with its margin. */
#define HULL(y)                                                                                    \
  ", {'name': 'hull', 'position': [7.5, " y ", 0.5], 'body': {'type': 'rigid', 'mass': 1, "        \
  "'margin': 0.5}, 'shapes': [{'kind': 'hull', 'points': [[-0.5, -0.5, -2], [-0.5, 0.5, -2], "     \
  "[-0.5, -0.5, 2], [-0.5, 0.5, 2], [0.5, 0, 0]]}]}"

/* What begins at 6.5 m is seen in time, not earlier. */
static void
check_radars (const char *scene)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  double roll, pitch, yaw;

  orrery_test_assert_answer (sim, "robot.waypoint", "setdest", "(15.0, 2.0, 0.0)", "true");
  /* The crate begins at 6.5 m: in sight from 2.8 m on. */
  orrery_test_step (sim, 107);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  assert_near (yaw, 0, 1e-5);
  /* Away from what is straight ahead it turns ever faster: by a half of the angle in each step. */
  orrery_test_step (sim, 20 + 25);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, &yaw);
  g_assert_cmpfloat (yaw, >, 1e-3);
}

static void
test_radars (void)
{
  g_test_summary ("the right radar, 0.7 m ahead and 0.4 m aside, sees 3 m far, every 20 ticks; "
                  "margins count");
  check_radars (SCENE_WITH (CRATE ("1.4"), ""));
  check_radars (SCENE_WITH (HULL ("1.4"), ""));
}

static void
test_obstacles (void)
{
  g_test_summary ("radars see a crate ahead: the robot goes round it, unless told not to");
  g_assert_cmpfloat (drive_past (SCENE_WITH (CRATE ("1.4"), "")), >, 0.3);
  g_assert_cmpfloat (drive_past (SCENE_WITH (CRATE ("2.7"), "")), <, -0.3);
  assert_near (drive_past (SCENE_WITH (CRATE ("4.5"), "")), 0, 1e-3);
  assert_near (drive_past (SCENE_WITH (CRATE ("1.4"), "'ObstacleAvoidance': false")), 0, 1e-3);
  assert_near (drive_past (SCENE_WITH (CRATE ("1.4"), "'Ignore': 'Hard, Soft'")), 0, 1e-3);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/waypoint/start", test_start);
  g_test_add_func ("/actuators/waypoint/goto", test_goto);
  g_test_add_func ("/actuators/waypoint/defaults", test_defaults);
  g_test_add_func ("/actuators/waypoint/turning", test_turning);
  g_test_add_func ("/actuators/waypoint/angle-tolerance", test_angle_tolerance);
  g_test_add_func ("/actuators/waypoint/cancel", test_cancel);
  g_test_add_func ("/actuators/waypoint/preempt", test_preempt);
  g_test_add_func ("/actuators/waypoint/same-goal", test_same_goal);
  g_test_add_func ("/actuators/waypoint/stop-resume", test_stop_resume);
  g_test_add_func ("/actuators/waypoint/setdest", test_setdest);
  g_test_add_func ("/actuators/waypoint/backwards", test_backwards);
  g_test_add_func ("/actuators/waypoint/stream", test_stream);
  g_test_add_func ("/actuators/waypoint/rest", test_rest);
  g_test_add_func ("/actuators/waypoint/free-z", test_free_z);
  g_test_add_func ("/actuators/waypoint/free-z/beyond", test_beyond);
  g_test_add_func ("/actuators/waypoint/flat", test_flat);
  g_test_add_func ("/actuators/waypoint/position", test_position);
  g_test_add_func ("/actuators/waypoint/target", test_target);
  g_test_add_func ("/actuators/waypoint/properties", test_properties);
  g_test_add_func ("/actuators/waypoint/reset", test_reset);
  g_test_add_func ("/actuators/waypoint/last-steps", test_last_steps);
  g_test_add_func ("/actuators/waypoint/radars", test_radars);
  g_test_add_func ("/waypoint/obstacles", test_obstacles);
  return g_test_run ();
}
