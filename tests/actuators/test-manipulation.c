/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Units that turn, hands that hold, markers, sounds, and devices that people move. */

#define ROBOT(more, objects)                                                                       \
  "{" ORRERY_TEST_ROBOT ORRERY_TEST_BODY more                                                      \
  "'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.4]}], 'objects': [" objects "]}"
#define PART(name, classpath, more)                                                                \
  "{'name': '" name "', 'classpath': 'morse." classpath "'" more "}"
#define PTU(more) PART ("ptu", "actuators.ptu.PTU", more)
#define POSTURE PART ("posture", "sensors.ptu_posture.PTUPosture", "")

static gboolean
ends_within (OrrerySimulation *sim, OrreryCall *call, guint ticks)
{
  for (guint i = 0; i < ticks && !orrery_call_is_done (call); i++)
    orrery_test_step (sim, 1);
  return orrery_call_is_done (call) && orrery_call_get_fault (call) == ORRERY_CALL_OK;
}

static void
test_pan_tilt (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("",
             PTU (", 'position': [0, 0, 1], 'objects': [" PART (
                 "eye", "sensors.pose.Pose", ", 'position': [0.3, 0, 0.05]") ", " POSTURE "]"))));
  g_autoptr (OrreryCall) call = NULL;
  double c = cos (1.0), s = sin (1.0), top = 0.05, reach = 0.29;

  g_test_summary ("it turns at its speed, and what is on it turns with it");
  call = orrery_test_call (sim, "robot.ptu", "set_pan_tilt", "(1.0, 0.5)");
  orrery_test_step (sim, 31);
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "pan"), 0.5, 1e-9);
  g_assert_false (orrery_call_is_done (call));
  g_assert_true (ends_within (sim, call, 40));
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "pan"), 1, 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "tilt"), 0.5, 1e-9);
  orrery_test_assert_answer (sim, "robot.ptu", "get_pan_tilt", NULL, "[1.0, 0.49999999999999994]");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.ptu.eye", "x"), c * (0.01 + reach * cos (0.5)), 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu.eye", "y"), s * (0.01 + reach * cos (0.5)), 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu.eye", "z"), 1 + top - reach * sin (0.5), 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu.eye", "pitch"), 0.5, 1e-9);
}

static double
pan_to (OrrerySimulation *sim, const char *arguments)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.ptu", "set_pan_tilt", arguments);

  g_assert_true (ends_within (sim, call, 400));
  return orrery_test_get (sim, "robot.ptu.posture", "pan");
}

static void
test_full_steps (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("", PTU (", 'properties': {'Tolerance': 0.01}, 'objects': [" POSTURE "]"))));
  g_autoptr (OrrerySimulation) fine = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("", PTU (", 'properties': {'Tolerance': 0.005}, 'objects': [" POSTURE "]"))));
  g_autoptr (OrreryCall) back = NULL;

  g_test_summary (
      "steps are full ones: it ends within the tolerance; where it would swing about its "
      "goal it ends there");
  /* Steps of 1/60: 30 of them are 0.005 short, 18 of the way back are 0.006. */
  assert_near (pan_to (sim, "(0.505, 0.0)"), 0.5, 1e-9);
  assert_near (pan_to (sim, "(0.194, 0.0)"), 0.2, 1e-9);
  assert_near (pan_to (fine, "(0.505, 0.0)"), 0.505, 1e-9);

  /* From one side of half a circle to the other by way of 0, and to half a circle itself. */
  assert_near (pan_to (sim, "(3.0, 0.0)"), 3, 1e-9);
  back = orrery_test_call (sim, "robot.ptu", "set_pan_tilt", "(-3.0, 0.0)");
  orrery_test_step (sim, 61);
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "pan"), 2, 1e-9);
  g_assert_true (ends_within (sim, back, 400));
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "pan"), -3, 1e-9);
  assert_near (fabs (pan_to (sim, "(3.141592653589793, 0.0)")), G_PI, 0.01);
}

static void
test_manual (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("", PTU (", 'properties': {'Manual': true}, 'objects': [" POSTURE "]"))));
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.ptu", "set_pan_tilt", "(0.5, 0.0)");
  g_autoptr (OrreryCall) told = NULL;

  g_test_summary ("by hand it stays as it is, and who asks waits until it is driven again");
  orrery_test_step (sim, 60);
  g_assert_false (orrery_call_is_done (call));
  assert_near (orrery_test_get (sim, "robot.ptu.posture", "pan"), 0, 1e-12);
  told = orrery_test_call (sim, "robot.ptu", "set_property", "('Manual', false)");
  g_assert_true (orrery_call_is_done (told));
  g_assert_true (ends_within (sim, call, 40));
}

static void
test_look_tilted (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC (ROBOT ("'position': [2, 1, 0], 'rotation': [0.3, 0.2, 0.7], ",
                                    PTU (", 'position': [0, 0, 1], 'rotation': [0, 0, 0.5]"))));
  const OrreryVec3 *here = &orrery_test_get_pose (sim, "robot.ptu")->position;
  g_autoptr (OrreryCall) call = NULL;
  OrreryVec3 way;

  g_test_summary ("where to look is reckoned with the robot's yaw and pitch, and nothing else");
  orrery_test_step (sim, 1);
  way = (OrreryVec3){ 5 - here->x, 3 - here->y, 4 - here->z };
  call = orrery_test_call (sim, "robot.ptu", "look_at_point", "(5.0, 3.0, 4.0)");
  assert_near (orrery_test_get (sim, "robot.ptu", "pan"), atan2 (way.y, way.x) - 0.7, 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu", "tilt"),
               -asin (way.z / orrery_vec3_length (&way)) + 0.2, 1e-9);
}

static void
test_look (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("'position': [2, 1, 0], 'rotation': [0, 0, 0.7], ",
             PTU (", 'position': [0, 0, 1], 'properties': {'Speed': 5.0, 'Tolerance': "
                  "0.001}")) ", "
                             "{'name': 'thing', 'position': [2, -3, 4]}"));
  g_autoptr (OrreryCall) point =
      orrery_test_call (sim, "robot.ptu", "look_at_point", "(5.0, 1.0, 1.0)");
  g_autoptr (OrreryCall) object = NULL;
  g_autoptr (OrreryCall) preempted = NULL;
  g_autoptr (OrreryCall) unknown = NULL;

  g_test_summary ("it looks at points and objects; of one that there is not the log tells");
  g_assert_true (ends_within (sim, point, 120));
  assert_near (orrery_test_get (sim, "robot.ptu", "pan"), -0.7, 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu", "tilt"), 0, 1e-9);
  preempted = orrery_test_call (sim, "robot.ptu", "look_at_point", "(2.0, 9.0, 1.0)");
  orrery_test_step (sim, 3);
  object = orrery_test_call (sim, "robot.ptu", "look_at_object", "('thing',)");
  g_assert_cmpint (orrery_call_get_fault (preempted), ==, ORRERY_CALL_PREEMPTED);
  g_assert_true (ends_within (sim, object, 120));
  assert_near (orrery_test_get (sim, "robot.ptu", "pan"), -G_PI / 2 - 0.7, 1e-9);
  assert_near (orrery_test_get (sim, "robot.ptu", "tilt"), -atan2 (3, 4), 1e-9);
  orrery_test_expected = "no object 'thign' in the scene; did you mean thing";
  unknown = orrery_test_call (sim, "robot.ptu", "look_at_object", "('thign',)");
  g_assert_null (orrery_test_expected);
  g_assert_true (ends_within (sim, unknown, 1));
  assert_near (orrery_test_get (sim, "robot.ptu", "pan"), -G_PI / 2 - 0.7, 1e-9);
}

static void
test_unit_refused (void)
{
  g_test_summary ("a posture without a unit, and a unit without its parts, are refused");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT ("", POSTURE)), "is not on a pan-tilt unit");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT ("", PART ("ptu", "actuators.pan_tilt.PanTilt", ""))),
                      "PanBase");
}

#define BALL                                                                                       \
  ", {'name': 'ball', 'position': [0.5, 0, 0.55], 'body': {'type': 'rigid', 'mass': 0.2}, "        \
  "'shapes': [{'kind': 'sphere', 'radius': 0.05}], 'properties': {'Graspable': true}}"
#define HAND                                                                                       \
  PART ("hand", "actuators.gripper.Gripper",                                                       \
        ", 'position': [0.2, 0, 0.5], 'rotation': [0, 1.5707963267948966, 0]")
#define MOTION PART ("motion", "actuators.v_omega.MotionVW", "")

/* @engine: on which; the robot has no weight, the ball has. */
static void
check_grasp (const char *engine)
{
  const char *objects = ROBOT ("'properties': {'NoGravity': true}, ", HAND ", " MOTION) BALL;
  g_autofree char *scene = g_strdup_printf (
      "'environment': {'frequency': 60, 'physics': 'orrery.physics.%s'}, 'objects': [%s]", engine,
      objects);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  OrreryTransform before, held, now;

  orrery_test_step (sim, 1);
  orrery_test_assert_answer (sim, "robot.hand", "release", NULL, "false");
  orrery_transform_relative (orrery_test_get_pose (sim, "robot.hand"),
                             orrery_test_get_pose (sim, "ball"), &before);
  orrery_test_assert_answer (sim, "robot.hand", "grab", NULL, "'ball'");
  orrery_test_assert_answer (sim, "robot.hand", "grab", NULL, "'ball'");
  orrery_test_write (sim, "robot.motion", "v", 0.5);
  orrery_test_write (sim, "robot.motion", "w", 0.8);
  for (guint i = 0; i < 90; i++) {
    orrery_test_step (sim, 1);
    held = *orrery_test_get_pose (sim, "robot.hand");
    orrery_transform_relative (&held, orrery_test_get_pose (sim, "ball"), &now);
    assert_near (now.position.x, before.position.x, 1e-9);
    assert_near (now.position.y, before.position.y, 1e-9);
    assert_near (now.position.z, before.position.z, 1e-9);
  }
  orrery_test_assert_answer (sim, "robot.hand", "release", NULL, "true");
  held = *orrery_test_get_pose (sim, "ball");
  orrery_test_step (sim, 30);
  now = *orrery_test_get_pose (sim, "ball");
  if (!g_str_equal (engine, "kinematic.Kinematic")) {
    g_assert_cmpfloat (now.position.z, <, held.position.z - 0.8);
    g_assert_cmpfloat (hypot (now.position.x - held.position.x, now.position.y - held.position.y),
                       >, 0.1);
  } else {
    assert_near (now.position.x, held.position.x, 1e-12);
  }
}

static void
test_grasp (void)
{
  g_test_summary ("what a hand holds moves with it, exactly, and falls when it lets go");
  check_grasp ("kinematic.Kinematic");
  if (orrery_test_has_engine ("bullet.Bullet"))
    check_grasp ("bullet.Bullet");
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_grasp ("mujoco.MuJoCo");
}

static void
test_reach (void)
{
  static const struct {
    const char *position;
    gboolean graspable;
    gboolean reached;
  } rows[] = {
    { "[0.5, 0, 0.55]", TRUE, TRUE },   { "[0.5, 0, 0.55]", FALSE, FALSE },
    { "[0.9, 0, 0.5]", TRUE, FALSE },   { "[0.1, 0, 0.5]", TRUE, FALSE },
    { "[0.5, 0.3, 0.5]", TRUE, FALSE }, { "[0.5, 0.2, 0.5]", TRUE, TRUE },
  };

  g_test_summary ("a hand reaches what is Graspable, within its distance and its cone");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *scene = g_strdup_printf (
        ORRERY_TEST_KINEMATIC (
            ROBOT ("", HAND) ", {'name': 'ball', 'position': %s, "
                             "'body': {'type': 'rigid', 'mass': 1}, 'shapes': [{'kind': 'sphere', "
                             "'radius': 0.05}], 'properties': {'Graspable': %s}}"),
        rows[i].position, rows[i].graspable ? "true" : "false");
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

    g_test_message ("row %u", i);
    orrery_test_step (sim, 1);
    orrery_test_assert_answer (sim, "robot.hand", "grab", NULL, rows[i].reached ? "'ball'" : "");
  }
}

/* --- hands of robots --- */

#define THING(name, place, more)                                                                   \
  ", {'name': '" name "', 'position': " place ", 'body': {'type': 'rigid', 'mass': 0.2}, "         \
  "'shapes': [{'kind': 'sphere', 'radius': 0.05}], 'properties': {" more "}}"
#define THINGS                                                                                     \
  THING ("far", "[4, 0, 0.5]", "'Graspable': true")                                                \
  THING ("near", "[1, 0.5, 0.5]", "'Graspable': true")                                             \
  THING ("nearest", "[0.6, 0, 0.5]", "'Object': true")
#define WALK                                                                                       \
  PART ("motion", "actuators.v_omega.MotionVW", ", 'properties': {'ControlType': 'Position'}")
#define GRASPING(classpath, more, hand)                                                            \
  "{'name': 'robot', 'classpath': 'morse." classpath "'" more ", 'objects': [{'name': 'hand', "    \
  "'position': [0.3, 0, 0.5]" hand "}, " WALK "]}"

static OrrerySimulation *
load_hand (const char *engine, const char *robot)
{
  g_autofree char *scene = g_strdup_printf (
      "'environment': {'frequency': 60, 'physics': 'orrery.physics.%s'}, 'objects': [%s" THINGS "]",
      engine, robot);

  return orrery_test_load (scene);
}

static void
check_hand (const char *engine, const char *robot)
{
  g_autoptr (OrrerySimulation) sim = load_hand (engine, robot);
  OrreryTransform before, now, held;

  orrery_test_step (sim, 1);
  orrery_test_assert_answer (sim, "robot", "grasp", "(false,)", "");
  orrery_transform_relative (orrery_test_get_pose (sim, "robot.hand"),
                             orrery_test_get_pose (sim, "near"), &before);
  orrery_test_assert_answer (sim, "robot", "grasp", "(true,)", "");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 'near')", "");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 'far')", "fault 4");
  orrery_test_write (sim, "robot.motion", "v", 0.5);
  orrery_test_write (sim, "robot.motion", "w", 0.8);
  for (guint i = 0; i < 60; i++) {
    orrery_test_step (sim, 1);
    held = *orrery_test_get_pose (sim, "robot.hand");
    orrery_transform_relative (&held, orrery_test_get_pose (sim, "near"), &now);
    assert_near (now.position.x, before.position.x, 1e-9);
    assert_near (now.position.y, before.position.y, 1e-9);
    assert_near (now.position.z, before.position.z, 1e-9);
  }
  orrery_test_assert_answer (sim, "robot", "grasp", "(false,)", "");
  held = *orrery_test_get_pose (sim, "near");
  orrery_test_step (sim, 30);
  if (g_str_equal (engine, "kinematic.Kinematic"))
    assert_near (orrery_test_get_pose (sim, "near")->position.x, held.position.x, 1e-12);
  else
    g_assert_cmpfloat (orrery_test_get_pose (sim, "near")->position.z, <, held.position.z - 0.8);
}

static void
test_hand (void)
{
  static const char *const robots[] = {
    GRASPING ("core.grasping_robot.GraspingRobot", ", 'properties': {'Hand': 'hand'}", ""),
    GRASPING ("robots.human.Human", ", 'properties': {'NoGravity': true}",
              ", 'properties': {'Grasper': true, 'Distance': 3}"),
    GRASPING ("robots.pr2.PR2", ", 'properties': {'Hand': 'hand', 'NoGravity': true}", ""),
  };
  static const char *const engines[] = { "kinematic.Kinematic", "bullet.Bullet", "mujoco.MuJoCo" };

  g_test_summary ("a robot's hand takes the nearest thing that is Graspable, and lets it go");
  for (guint i = 0; i < G_N_ELEMENTS (robots); i++)
    for (guint k = 0; k < G_N_ELEMENTS (engines); k++)
      if (orrery_test_has_engine (engines[k]))
        check_hand (engines[k], robots[i]);
}

static void
test_hand_refused (void)
{
  g_autoptr (OrrerySimulation) bare =
      load_hand ("kinematic.Kinematic", GRASPING ("core.grasping_robot.GraspingRobot", "", ""));
  g_autoptr (OrrerySimulation) sim =
      load_hand ("kinematic.Kinematic",
                 GRASPING ("robots.human.Human", "",
                           ", 'properties': {'Grasper': true, 'Distance': 0.4}"));
  OrreryTransform before;

  g_test_summary ("no hand, no such thing, too far: each is said; nothing near is no fault");
  orrery_test_step (bare, 1);
  orrery_test_assert_answer (bare, "robot", "grasp", "(true,)", "fault 4");
  orrery_test_step (sim, 1);
  before = *orrery_test_get_pose (sim, "near");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true,)", "");
  orrery_test_write (sim, "robot.motion", "v", 0.5);
  orrery_test_step (sim, 10);
  assert_near (orrery_test_get_pose (sim, "near")->position.x, before.position.x, 1e-12);
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 'near')", "fault 4");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 'naer')", "fault 4");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 'nearest')", "fault 4");
  orrery_test_assert_answer (sim, "robot", "grasp", "(true, 7)", "fault 4");
  orrery_test_assert_answer (sim, "robot", "grasp", "('yes',)", "fault 3");
  orrery_test_assert_answer (sim, "robot", "grasp", "()", "fault 2");
}

static OrreryVec3
read_vector (GVariant *list)
{
  gsize n;
  const double *numbers = g_variant_get_fixed_array (list, &n, sizeof (double));

  g_assert_cmpuint (n, ==, 3);
  return (OrreryVec3){ numbers[0], numbers[1], numbers[2] };
}

static OrreryVec3
get_vector (OrrerySimulation *sim, const char *service)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.marker", service, NULL);

  g_assert_true (orrery_call_is_done (call));
  return read_vector (orrery_call_get_result (call, NULL));
}

/* @row: of the matrix that a service of the marker returns */
static OrreryVec3
get_row (OrrerySimulation *sim, const char *service, gsize row)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.marker", service, NULL);
  g_autoptr (GVariant) list = NULL;

  g_assert_true (orrery_call_is_done (call));
  list = g_variant_get_child_value (orrery_call_get_result (call, NULL), row);
  return read_vector (list);
}

#define assert_vec3(v, a, b, c)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    OrreryVec3 v_ = (v);                                                                           \
    assert_near (v_.x, a, 1e-9);                                                                   \
    assert_near (v_.y, b, 1e-9);                                                                   \
    assert_near (v_.z, c, 1e-9);                                                                   \
  }                                                                                                \
  G_STMT_END

static void
test_marker (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT ("'position': [1, 2, 3], 'rotation': [0, 0, 1.5707963267948966], ",
             PART ("marker", "actuators.arucomarker.Arucomarker",
                   ", 'position': [0.25, 0, 0.5], 'properties': {'xoffset': 0.5, 'yoffset': 1.5, "
                   "'zoffset': -0.25}"))));
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.marker");
  /* Y first, then Z, then X: the x and the y axis. */
  const OrreryVec3 x = { cos (0.4) * cos (0.3),
                         cos (0.6) * sin (0.4) * cos (0.3) + sin (0.6) * sin (0.3),
                         sin (0.6) * sin (0.4) * cos (0.3) - cos (0.6) * sin (0.3) };
  const OrreryVec3 y = { -sin (0.4), cos (0.6) * cos (0.4), sin (0.6) * cos (0.4) };
  OrreryVec3 row;

  g_test_summary ("a marker is put where a camera on the robot found it, and tells where it is");
  assert_near (orrery_test_get (sim, "robot.marker", "x"), 1, 1e-12);
  assert_near (orrery_test_get (sim, "robot.marker", "y"), 2.25, 1e-12);
  assert_near (orrery_test_get (sim, "robot.marker", "z"), 3.5, 1e-12);
  assert_near (orrery_test_get (sim, "robot.marker", "yaw"), 0, 1e-12);
  orrery_test_write (sim, "robot.marker", "x", 0.1);
  orrery_test_write (sim, "robot.marker", "y", 0.2);
  orrery_test_write (sim, "robot.marker", "z", 4);
  orrery_test_write (sim, "robot.marker", "roll", 0.6);
  orrery_test_write (sim, "robot.marker", "pitch", 0.3);
  orrery_test_write (sim, "robot.marker", "yaw", 0.4);
  orrery_test_step (sim, 2);
  assert_vec3 (pose->position, 5.5, 3.6, 2.55);
  assert_vec3 (get_vector (sim, "get_world_position"), 5.5, 3.6, 2.55);
  assert_vec3 (get_vector (sim, "get_local_position"), 1.6, -4.5, -0.45);
  row = get_row (sim, "get_world_orientation", 1);
  assert_near (row.x, x.y, 1e-9);
  assert_near (row.y, y.y, 1e-9);
  row = get_row (sim, "get_world_orientation", 2);
  assert_near (row.x, x.z, 1e-9);
  assert_near (row.y, y.z, 1e-9);
  /* The robot looks along the world's y axis. */
  row = get_row (sim, "get_local_orientation", 0);
  assert_near (row.x, x.y, 1e-9);
  assert_near (row.y, y.y, 1e-9);
  row = get_row (sim, "get_local_orientation", 1);
  assert_near (row.x, -x.x, 1e-9);
  assert_near (row.y, -y.x, 1e-9);
}

static void
test_sound (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC (ROBOT ("", PART ("horn", "actuators.sound.Sound", ""))));
  g_autoptr (GError) error = NULL;

  g_test_summary ("a source of sound plays, pauses and stops");
  orrery_test_step (sim, 60);
  orrery_test_assert_answer (sim, "robot.horn", "get_state", NULL,
                             "{'mode': <'play'>, 'position': <1.0000000000000013>}");
  orrery_simulation_write (sim, orrery_test_find (sim, "robot.horn"), "mode",
                           g_variant_new_string ("stop"), &error);
  g_assert_no_error (error);
  orrery_test_step (sim, 1);
  orrery_test_assert_answer (sim, "robot.horn", "get_state", NULL,
                             "{'mode': <'stop'>, 'position': <0.0>}");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT ("", PART ("horn", "actuators.sound.Sound",
                                                              ", 'properties': {'mode': 'loud'}"))),
                      "is not play, pause or stop");
}

/* --- hands --- */

static OrrerySimulation *
load_hands (const char *part, const char *path)
{
  g_autofree char *scene =
      g_strdup_printf (ORRERY_TEST_KINEMATIC (
                           ROBOT ("",
                                  "{'name': 'hands', 'classpath': 'morse.actuators.%s', "
                                  "'properties': {'Device': '%s', 'ControlType': 'Position'}}")),
                       part, path);

  return orrery_test_load (scene);
}

/* Steps until the robot has moved, at most half a minute. */
static gboolean
moves_within (OrrerySimulation *sim, double *x, double *yaw)
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
  double roll, pitch;

  do {
    orrery_test_step (sim, 1);
    *x = orrery_test_get_pose (sim, "robot")->position.x;
    orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot")->rotation, &roll, &pitch, yaw);
    g_usleep (1000);
  } while (*x == 0 && *yaw == 0 && g_get_monotonic_time () < end);
  return *x != 0 || *yaw != 0;
}

/* @position and @rotation: m; rad, about each axis */
typedef struct {
  OrreryVec3 position;
  OrreryVec3 rotation;
} Place;

static Place
get_place (OrrerySimulation *sim)
{
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot");
  Place place = { .position = pose->position };

  orrery_quat_to_euler (&pose->rotation, &place.rotation.x, &place.rotation.y, &place.rotation.z);
  return place;
}

static gboolean
has_moved (const Place *place)
{
  return orrery_vec3_length (&place->position) > 0 || orrery_vec3_length (&place->rotation) > 0;
}

static void
test_keys (void)
{
  static const double step = 1.0 / 60;
  static const struct {
    const char *bytes;
    Place place;
  } rows[] = {
    { "\x1b[A", { { step, 0, 0 }, { 0 } } },     { "\x1b[B", { { -step, 0, 0 }, { 0 } } },
    { "u", { { 0, step, 0 }, { 0 } } },          { "o", { { 0, -step, 0 }, { 0 } } },
    { "t", { { 0, 0, step }, { 0 } } },          { "g", { { 0, 0, -step }, { 0 } } },
    { "l", { { 0 }, { step, 0, 0 } } },          { "j", { { 0 }, { -step, 0, 0 } } },
    { "i", { { 0 }, { 0, step, 0 } } },          { "k", { { 0 }, { 0, -step, 0 } } },
    { "\x1b[D", { { 0 }, { 0, 0, step / 2 } } }, { "\x1b[C", { { 0 }, { 0, 0, -step / 2 } } },
  };

  g_test_summary ("each key moves along or about its axis by Speed / f, about z by half of it");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *dir = g_dir_make_tmp ("orrery-keys-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (dir, "device", NULL);
    g_autoptr (OrrerySimulation) sim = NULL;
    gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;
    gssize n = (gssize) strlen (rows[i].bytes);
    Place place;
    int fd;

    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
    fd = open (path, O_RDWR | O_CLOEXEC);
    sim = load_hands ("keyboard.Keyboard", path);
    g_assert_cmpint (write (fd, rows[i].bytes, n), ==, n);
    do {
      orrery_test_step (sim, 1);
      place = get_place (sim);
      g_usleep (1000);
    } while (!has_moved (&place) && g_get_monotonic_time () < end);
    g_test_message ("key %u", i);
    assert_vec3 (place.position, rows[i].place.position.x, rows[i].place.position.y,
                 rows[i].place.position.z);
    assert_vec3 (place.rotation, rows[i].place.rotation.x, rows[i].place.rotation.y,
                 rows[i].place.rotation.z);
    close (fd);
    g_remove (path);
    g_rmdir (dir);
  }
}

static void
test_hands (void)
{
  static const guint8 up[] = "\x1b[A";
  static const guint8 stick[] = { 0, 0, 0, 0, 0x01, 0x80, 2, 1, 0, 0, 0, 0, 0x01, 0x80, 0x82, 0 };
  static const struct {
    const char *part;
    const guint8 *bytes;
    gsize n;
    gboolean turns;
  } rows[] = { { "keyboard.Keyboard", up, 3, FALSE }, { "joystick.Joystick", stick, 16, TRUE } };

  g_test_summary ("keys and sticks move the robot");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *dir = g_dir_make_tmp ("orrery-hands-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (dir, "device", NULL);
    g_autoptr (OrrerySimulation) sim = NULL;
    Place before, after;
    double x, yaw;
    int fd;

    g_assert_cmpint (mkfifo (path, 0600), ==, 0);
    fd = open (path, O_RDWR | O_CLOEXEC);
    sim = load_hands (rows[i].part, path);
    g_assert_cmpint (write (fd, rows[i].bytes, rows[i].n), ==, rows[i].n);
    g_assert_true (moves_within (sim, &x, &yaw));
    g_test_message ("%s: x %g yaw %g", rows[i].part, x, yaw);
    /* Ahead by Speed / 60, and half of that is the turn. */
    g_assert_true (x == 0 || fabs (x - 1.0 / 60) < 1e-12);
    g_assert_cmpfloat (yaw, >=, 0);
    if (rows[i].turns) {
      for (guint k = 0; k < 30000 && get_place (sim).rotation.z == 0; k++) {
        orrery_test_step (sim, 1);
        g_usleep (1000);
      }
      orrery_test_step (sim, 1);
      before = get_place (sim);
      orrery_test_step (sim, 1);
      after = get_place (sim);
      assert_near (hypot (after.position.x - before.position.x,
                          after.position.y - before.position.y),
                   1.0 / 60, 1e-12);
      assert_near (after.rotation.z - before.rotation.z, 0.5 / 60, 1e-12);
    }
    close (fd);
    g_remove (path);
    g_rmdir (dir);
  }
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT ("", PART ("hands", "actuators.keyboard.Keyboard",
                                           ", 'properties': {'Device': '/nowhere/tty'}"))),
                      "/nowhere/tty");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT ("", PART ("hands", "actuators.joystick.Joystick",
                                           ", 'properties': {'ControlType': 'Differential'}"))),
                      "for robots with wheels");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/manipulation/pan-tilt", test_pan_tilt);
  g_test_add_func ("/actuators/manipulation/full-steps", test_full_steps);
  g_test_add_func ("/actuators/manipulation/manual", test_manual);
  g_test_add_func ("/actuators/manipulation/look", test_look);
  g_test_add_func ("/actuators/manipulation/look/tilted", test_look_tilted);
  g_test_add_func ("/actuators/manipulation/unit-refused", test_unit_refused);
  g_test_add_func ("/actuators/manipulation/grasp", test_grasp);
  g_test_add_func ("/actuators/manipulation/reach", test_reach);
  g_test_add_func ("/actuators/manipulation/hand", test_hand);
  g_test_add_func ("/actuators/manipulation/hand-refused", test_hand_refused);
  g_test_add_func ("/actuators/manipulation/marker", test_marker);
  g_test_add_func ("/actuators/manipulation/sound", test_sound);
  g_test_add_func ("/actuators/manipulation/keys", test_keys);
  g_test_add_func ("/actuators/manipulation/hands", test_hands);
  return g_test_run ();
}
