/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* Arms: the numbers of MORSE's KUKA LWR, and forward kinematics of the test's own. */

#define ARM_ON(more)                                                                               \
  ORRERY_TEST_KINEMATIC (                                                                          \
      "{" ORRERY_TEST_ROBOT "'position': [1, 2, 0], 'rotation': [0, 0, 0.5], 'objects': ["         \
      "{'name': 'arm', 'classpath': 'morse.actuators.kuka_lwr.KukaLWR', "                          \
      "'position': [0, 0, 0.4], 'objects': [{'name': 'flange', "                                   \
      "'classpath': 'morse.sensors.pose.Pose', 'position': [0, 0, 1.3105]}, "                      \
      "{'name': 'state', 'classpath': 'morse.sensors.armature_pose.ArmaturePose'}]}"               \
      "]}" more)
#define ARM ARM_ON ("")

static const double lengths[] = { 0.3105, 0.2, 0.2, 0.2, 0.19, 0.078, 0.132 };

/* --- by matrices, as a book has them --- */

typedef struct {
  double r[3][3];
  double p[3];
} Frame;

/* Turns by @angle about z (@axis 2) or y (1), then goes @length along the new z. */
static void
add_link (Frame *f, int axis, double angle, double length)
{
  double c = cos (angle), s = sin (angle);
  double turn[3][3] = { { c, axis == 2 ? -s : 0, axis == 1 ? s : 0 },
                        { axis == 2 ? s : 0, axis == 2 ? c : 1, 0 },
                        { axis == 1 ? -s : 0, 0, axis == 1 ? c : 1 } };
  double r[3][3] = { 0 };

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        r[i][j] += f->r[i][k] * turn[k][j];
  memcpy (f->r, r, sizeof r);
  for (int i = 0; i < 3; i++)
    f->p[i] += length * f->r[i][2];
}

/* In the world, on the robot of ARM. */
static Frame
get_flange (const double *q)
{
  Frame f = { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 2, 0 } };
  static const int signs[] = { 1, -1, 1, 1, 1, -1, 1 };

  add_link (&f, 2, 0.5, 0.4);
  for (int i = 0; i < 7; i++)
    add_link (&f, i % 2 == 0 ? 2 : 1, signs[i] * q[i], lengths[i]);
  return f;
}

static void
assert_flange (OrrerySimulation *sim, const double *q, double epsilon)
{
  Frame f = get_flange (q);
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.arm.flange");
  OrreryVec3 z;

  orrery_quat_rotate (&pose->rotation, &(OrreryVec3){ 0, 0, 1 }, &z);
  assert_near (pose->position.x, f.p[0], epsilon);
  assert_near (pose->position.y, f.p[1], epsilon);
  assert_near (pose->position.z, f.p[2], epsilon);
  assert_near (z.x, f.r[0][2], epsilon);
  assert_near (z.y, f.r[1][2], epsilon);
  assert_near (z.z, f.r[2][2], epsilon);
}

static void
get_state (OrrerySimulation *sim, double *q)
{
  static const char *const names[] = { "kuka_1", "kuka_2", "kuka_3", "kuka_4",
                                       "kuka_5", "kuka_6", "kuka_7" };

  for (int i = 0; i < 7; i++)
    q[i] = orrery_test_get (sim, "robot.arm.state", names[i]);
}

/* --- joints --- */

static void
test_model (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);

  g_test_summary ("joints, lengths and limits are those of MORSE's model");
  orrery_test_step (sim, 2);
  orrery_test_assert_fields (sim, "robot.arm", "kuka_1 kuka_2 kuka_3 kuka_4 kuka_5 kuka_6 kuka_7");
  orrery_test_assert_answer (
      sim, "robot.arm", "get_joints", NULL,
      "['kuka_1', 'kuka_2', 'kuka_3', 'kuka_4', 'kuka_5', 'kuka_6', 'kuka_7']");
  orrery_test_assert_answer (
      sim, "robot.arm.state", "get_joints_length", NULL,
      "{'kuka_1': <0.3105>, 'kuka_2': <0.20000000000000001>, "
      "'kuka_3': <0.20000000000000001>, 'kuka_4': <0.20000000000000001>, "
      "'kuka_5': <0.19>, 'kuka_6': <0.078>, 'kuka_7': <0.13200000000000001>}");
  orrery_test_assert_answer (sim, "robot.arm", "get_dofs", NULL,
                             "{'kuka_1': <[false, true, false]>, 'kuka_2': <[false, false, true]>, "
                             "'kuka_3': <[false, true, false]>, 'kuka_4': <[false, false, true]>, "
                             "'kuka_5': <[false, true, false]>, 'kuka_6': <[false, false, true]>, "
                             "'kuka_7': <[false, true, false]>}");
  orrery_test_assert_answer (sim, "robot.arm", "get_IK_limits", "('kuka_1',)",
                             "[-2.9670597283903604, 2.9670597283903604]");
  orrery_test_assert_answer (sim, "robot.arm", "get_IK_limits", "('kuka_2',)",
                             "[-2.0943951023931953, 2.0943951023931953]");
  assert_flange (sim, (const double[7]){ 0 }, 1e-12);
  assert_near (orrery_test_get (sim, "robot.arm.flange", "z"), 0.4 + 1.3105, 1e-12);
}

static void
test_forward (void)
{
  static const double q[] = { 0.3, -0.7, 1.1, 0.9, -1.3, 0.4, 2 };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  double seen[7];

  g_test_summary ("joints that are put somewhere put the flange where the matrices say");
  orrery_test_assert_answer (sim, "robot.arm", "set_rotations",
                             "([0.3, -0.7, 1.1, 0.9, -1.3, 0.4, 2.0],)", "");
  orrery_test_step (sim, 2);
  get_state (sim, seen);
  for (int i = 0; i < 7; i++)
    assert_near (seen[i], q[i], 1e-12);
  assert_flange (sim, q, 1e-9);
  orrery_test_assert_answer (sim, "robot.arm", "set_rotation", "('kuka_2', 9.0)", "");
  orrery_test_step (sim, 2);
  orrery_test_assert_answer (sim, "robot.arm.state", "get_joint", "('kuka_2',)",
                             "2.0943951023931953");
}

static guint
count_ticks (OrrerySimulation *sim, OrreryCall *call, guint most)
{
  guint n = 0;

  for (; n < most && !orrery_call_is_done (call); n++)
    orrery_test_step (sim, 1);
  return n;
}

static void
test_speeds (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) one = orrery_test_call (sim, "robot.arm", "rotate", "('kuka_1', 0.8)");
  g_autoptr (OrreryCall) two = NULL;
  g_autoptr (OrreryCall) cancelled = NULL;
  double q[7];

  g_test_summary ("joints turn at their speeds; who cancels leaves them where they are");
  g_assert_cmpint (count_ticks (sim, one, 90), >=, 59);
  g_assert_cmpint (orrery_call_get_fault (one), ==, ORRERY_CALL_OK);
  orrery_test_step (sim, 2);
  get_state (sim, q);
  assert_near (q[0], 0.8, 1e-12);

  two = orrery_test_call (sim, "robot.arm", "rotate_joints",
                          "({'kuka_2': <1.0>, 'kuka_4': <-1.0>}, 2.0)");
  orrery_test_step (sim, 16);
  get_state (sim, q);
  assert_near (q[1], 0.5, 1e-9);
  assert_near (q[3], -0.5, 1e-9);
  cancelled = orrery_test_call (sim, "robot.arm", "rotate", "('kuka_3', 1.0)");
  g_assert_cmpint (orrery_call_get_fault (two), ==, ORRERY_CALL_PREEMPTED);
  orrery_call_cancel (cancelled);
  orrery_test_step (sim, 30);
  get_state (sim, q);
  assert_near (q[1], 0.5, 0.05);
  assert_near (q[2], 0, 0.02);
}

static void
test_odd_speeds (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) none =
      orrery_test_call (sim, "robot.arm", "rotate", "('kuka_1', 0.4, 0.0)");
  g_autoptr (OrreryCall) away = NULL;
  double q[7];

  g_test_summary ("a speed of 0 is that of the property, a negative one leads away; values of a "
                  "list beyond the last joint do not count");
  orrery_test_step (sim, 16);
  get_state (sim, q);
  assert_near (q[0], 15 * 0.8 / 60, 1e-9);
  away = orrery_test_call (sim, "robot.arm", "rotate", "('kuka_2', 0.5, -0.6)");
  g_assert_cmpint (orrery_call_get_fault (none), ==, ORRERY_CALL_PREEMPTED);
  orrery_test_step (sim, 31);
  get_state (sim, q);
  assert_near (q[1], -30 * 0.6 / 60, 1e-9);
  g_assert_false (orrery_call_is_done (away));
  orrery_test_assert_answer (sim, "robot.arm", "set_rotations",
                             "([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 9.0, 9.0],)", "");
  orrery_test_step (sim, 2);
  get_state (sim, q);
  assert_near (q[0], 0.1, 1e-12);
  assert_near (q[6], 0.7, 1e-12);
}

static double
turn_to (OrrerySimulation *sim, const char *arguments)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.arm", "rotate", arguments);
  double q[7];

  count_ticks (sim, call, 90);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  orrery_test_step (sim, 2);
  get_state (sim, q);
  return q[0];
}

static void
test_full_steps (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);

  g_test_summary ("steps are full ones until within the tolerance; larger ones end at the goal");
  /* 0.8 / 60 in each: 60 of them end 0.005 short, 3 of the way back 0.008. */
  assert_near (turn_to (sim, "('kuka_1', 0.805)"), 0.8, 1e-9);
  assert_near (turn_to (sim, "('kuka_1', 0.752)"), 0.76, 1e-9);
  /* 3 / 60 would swing about a goal that counts as reached within 0.01. */
  assert_near (turn_to (sim, "('kuka_1', 0.9, 3.0)"), 0.9, 1e-9);
}

static void
test_stream (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  double q[7];

  g_test_summary ("the record says where joints are to go");
  orrery_test_write (sim, "robot.arm", "kuka_6", 0.4);
  orrery_test_step (sim, 60);
  get_state (sim, q);
  assert_near (q[5], 0.4, 1e-9);
}

/* --- places --- */

/* The frame of a target is that of a bone: y along it. Of the arm that is straight up: */
#define UPRIGHT "1.5707963267948966, 0.0, -3.141592653589793"
#define DOWN "-1.5707963267948966, 0.0, 0.0"

/* Where the flange is, and what its bone points along. */
static void
assert_reached (OrrerySimulation *sim, const OrreryVec3 *place, const OrreryVec3 *along,
                double epsilon)
{
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.arm.flange");
  OrreryVec3 z;

  orrery_quat_rotate (&pose->rotation, &(OrreryVec3){ 0, 0, 1 }, &z);
  assert_near (pose->position.x, place->x, epsilon);
  assert_near (pose->position.y, place->y, epsilon);
  assert_near (pose->position.z, place->z, epsilon);
  assert_near (z.x, along->x, epsilon);
  assert_near (z.y, along->y, epsilon);
  assert_near (z.z, along->z, epsilon);
}

static void
test_place (void)
{
  static const double goals[][3] = {
    { 1.3, 2.2, 0.7 }, { 0.6, 2.3, 0.6 }, { 1.5, 1.7, 0.8 }, { 1.4, 2.4, 0.9 }, { 1.6, 2, 0.6 },
  };

  g_test_summary ("the arm is put to places in reach, with their rotation, in its limits");
  for (guint i = 0; i < G_N_ELEMENTS (goals); i++) {
    g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
    g_autofree char *arguments = g_strdup_printf ("('kuka_7', [%f, %f, %f], [" DOWN "], false)",
                                                  goals[i][0], goals[i][1], goals[i][2]);
    double q[7];

    g_test_message ("%s", arguments);
    orrery_test_assert_answer (sim, "robot.arm", "place_IK_target", arguments, "");
    orrery_test_step (sim, 2);
    assert_reached (sim, &(OrreryVec3){ goals[i][0], goals[i][1], goals[i][2] },
                    &(OrreryVec3){ 0, 0, -1 }, 1e-6);
    get_state (sim, q);
    assert_flange (sim, q, 1e-9);
    for (int k = 0; k < 7; k++)
      g_assert_cmpfloat (fabs (q[k]), <=, k % 2 == 0 ? 2.968 : 2.095);
  }
}

static void
test_frame (void)
{
  static const struct {
    const char *rotation;
    OrreryVec3 along;  /* of the bone, y */
    OrreryVec3 across; /* of it, x */
  } rows[] = {
    /* Rz (-pi) Rx (pi / 2): y points up, x along -x. */
    { UPRIGHT, { 0, 0, 1 }, { -1, 0, 0 } },
    /* Ry (-pi / 2) of that up is -x, which the turn about z makes +x; x was x and is up, then up.
     */
    { "1.5707963267948966, -1.5707963267948966, -3.141592653589793", { 1, 0, 0 }, { 0, 0, 1 } },
    { DOWN, { 0, 0, -1 }, { 1, 0, 0 } },
  };

  g_test_summary ("an absolute rotation is world Euler XYZ of the bone's frame");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
    g_autofree char *arguments =
        g_strdup_printf ("('kuka_7', [1.6, 2.2, 0.9], [%s], false)", rows[i].rotation);
    const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.arm.flange");
    OrreryQuat bone, turn;
    OrreryVec3 x;

    g_test_message ("%s", arguments);
    orrery_test_assert_answer (sim, "robot.arm", "place_IK_target", arguments, "");
    orrery_test_step (sim, 2);
    assert_reached (sim, &(OrreryVec3){ 1.6, 2.2, 0.9 }, &rows[i].along, 1e-6);
    orrery_quat_from_euler (G_PI / 2, 0, -G_PI, &bone);
    orrery_quat_multiply (&pose->rotation, &bone, &turn);
    orrery_quat_rotate (&turn, &(OrreryVec3){ 1, 0, 0 }, &x);
    assert_near (x.x, rows[i].across.x, 1e-6);
    assert_near (x.y, rows[i].across.y, 1e-6);
    assert_near (x.z, rows[i].across.z, 1e-6);
  }
}

static void
test_free_target (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (GString) arguments = g_string_new (NULL);

  g_test_summary ("a target is free: it starts where the bone is in the arm's frame, as if that "
                  "were the world's, stays where it was put, and keeps its rotation");
  /* The robot is at (1, 2, 0); the end of the upright arm is 1.3105 m above its base. */
  g_string_printf (arguments, "('kuka_7', [1.4, 2.2, %.17g])", 1.1 - 1.3105);
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target", arguments->str, "");
  orrery_test_step (sim, 2);
  assert_reached (sim, &(OrreryVec3){ 1.4, 2.2, 1.1 }, &(OrreryVec3){ 0, 0, 1 }, 1e-6);
  /* What joints do does not move it. */
  orrery_test_assert_answer (sim, "robot.arm", "set_rotations",
                             "([0.3, -0.7, 1.1, 0.9, -1.3, 0.4, 2.0],)", "");
  orrery_test_step (sim, 2);
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [0.0, -0.1, -0.1], [3.141592653589793, 0.0, 0.0])", "");
  orrery_test_step (sim, 2);
  assert_reached (sim, &(OrreryVec3){ 1.4, 2.1, 1 }, &(OrreryVec3){ 0, 0, -1 }, 1e-6);
}

static void
test_carried (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT "'position': [1, 2, 0], 'objects': [{'name': 'arm', 'classpath': "
      "'morse.actuators.kuka_lwr.KukaLWR', 'position': [0, 0, 0.4], 'objects': [{'name': 'flange', "
      "'classpath': 'morse.sensors.pose.Pose', 'position': [0, 0, 1.3105]}]}, {'name': 'motion', "
      "'classpath': "
      "'morse.actuators.v_omega.MotionVW', 'properties': {'ControlType': 'Position'}}]}"));
  OrreryVec3 place = { 1.5, 2.2, 0.8 };

  g_test_summary ("while its robot drives, the arm holds on to its target, until joints are moved");
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [1.5, 2.2, 0.8], [" DOWN "], false)", "");
  orrery_test_step (sim, 2);
  orrery_test_write (sim, "robot.motion", "v", 0.1);
  orrery_test_step (sim, 60);
  /* A step sees where the robot was before it drove on, by 0.1 / 60. */
  place.x += 0.1 / 60;
  assert_near (orrery_test_get_pose (sim, "robot")->position.x, 1.1, 1e-6);
  assert_reached (sim, &place, &(OrreryVec3){ 0, 0, -1 }, 1e-6);
  orrery_test_assert_answer (sim, "robot.arm", "set_rotation", "('kuka_1', 0.5)", "");
  orrery_test_step (sim, 30);
  g_assert_cmpfloat (
      orrery_vec3_distance (&orrery_test_get_pose (sim, "robot.arm.flange")->position, &place), >,
      0.04);
}

static void
test_beyond (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) call = NULL;
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.arm.flange");
  OrreryVec3 tool;

  g_test_summary ("out of reach is no failure: the arm comes as near as it can, and a warning "
                  "tells what is left");
  orrery_test_expected = "is out of reach; the arm is as near as it comes";
  orrery_test_assert_answer (
      sim, "robot.arm", "place_IK_target",
      "('kuka_7', [9.0, 2.0, 0.7105], [1.5707963267948966, -1.5707963267948966, "
      "-3.141592653589793], false)",
      "");
  g_assert_null (orrery_test_expected);
  orrery_test_step (sim, 2);
  /* Stretched towards it from the second joint, .7105 m above the floor: a metre. */
  assert_reached (sim, &(OrreryVec3){ 2, 2, 0.7105 }, &(OrreryVec3){ 1, 0, 0 }, 1e-4);

  orrery_test_expected = "is out of reach; the arm is as near as it comes";
  call = orrery_test_call (sim, "robot.arm", "move_IK_target",
                           "('kuka_7', [1.0, 2.0, 3.0], [" UPRIGHT "], false, 10.0, 10.0)");
  for (guint i = 0; i < 90 && !orrery_call_is_done (call); i++)
    orrery_test_step (sim, 1);
  g_assert_null (orrery_test_expected);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  orrery_test_step (sim, 60);
  assert_reached (sim, &(OrreryVec3){ 1, 2, 0.4 + 1.3105 }, &(OrreryVec3){ 0, 0, 1 }, 1e-3);

  /* Stretched, with the tool up: both give way a little, as MORSE's own test of the arm has it. */
  orrery_test_expected = "is out of reach; the arm is as near as it comes";
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [2.0, 2.0, 0.7105], [" UPRIGHT "], false)", "");
  g_assert_null (orrery_test_expected);
  orrery_test_step (sim, 2);
  assert_near (pose->position.x, 1 + 0.778, 0.01);
  assert_near (pose->position.z, 0.4 + 0.363, 0.01);
  orrery_quat_rotate (&pose->rotation, &(OrreryVec3){ 0, 0, 1 }, &tool);
  assert_near (atan2 (tool.x, tool.z), 0.02, 0.005);
}

static void
test_move (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ARM_ON (", {'name': 'ik_target.robot.arm.kuka_7', 'position': [1.4, 2.1, 0.9], "
              "'rotation': [-1.5707963267948966, 0, 0]}"));
  g_autoptr (OrreryCall) call = NULL;
  const OrreryTransform *pose = orrery_test_get_pose (sim, "robot.arm.flange");

  g_test_summary ("each coordinate of a target goes at its speed, and the arm with it");
  orrery_test_assert_answer (sim, "robot.arm", "list_IK_targets", NULL,
                             "['ik_target.robot.arm.kuka_7']");
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('ik_target.robot.arm.kuka_7', [0.0, 0.0, 0.0])", "");
  orrery_test_step (sim, 2);
  assert_near (pose->position.x, 1.4, 1e-6);
  call =
      orrery_test_call (sim, "robot.arm", "move_IK_target",
                        "('ik_target.robot.arm.kuka_7', [0.1, 0.0, -0.3], @mv nothing, true, 0.3)");
  /* 5 mm in a step: 20 of them for 0.1 m, 60 for 0.3 m. */
  orrery_test_step (sim, 10);
  assert_near (pose->position.x, 1.4 + 10 * 0.005, 1e-5);
  assert_near (pose->position.y, 2.1, 1e-5);
  assert_near (pose->position.z, 0.9 - 10 * 0.005, 1e-5);
  orrery_test_step (sim, 40);
  assert_near (pose->position.x, 1.5, 1e-5);
  assert_near (pose->position.z, 0.9 - 50 * 0.005, 1e-5);
  g_assert_false (orrery_call_is_done (call));
  count_ticks (sim, call, 90);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  orrery_test_step (sim, 2);
  /* It is there when each is within the tolerance of 5 mm. */
  assert_near (pose->position.z, 0.6, 0.00501);
}

static void
test_turn_time (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) call = NULL;
  guint n;

  g_test_summary ("a turn takes the angle between the axes of the two rotations by the speed");
  orrery_test_assert_answer (sim, "robot.arm", "place_IK_target",
                             "('kuka_7', [1.4, 2.2, 0.9], [" DOWN "], false)", "");
  orrery_test_step (sim, 2);
  /* From -x, the axis of DOWN, to (-1, 1, 0) / sqrt 2 or so: DOWN after 0.5 about z has the axis
   * (-1, -tan .25, tan .25): acos (1 / sqrt (1 + 2 tan^2 .25)) = 0.3466 rad, at 0.2 rad/s 104 steps
   * of time, begun with 0, and one to find that it is over. */
  call = orrery_test_call (sim, "robot.arm", "move_IK_target",
                           "('kuka_7', [0.0, 0.0, 0.0], [0.0, 0.0, 0.5], true, 0.5, 0.2)");
  n = count_ticks (sim, call, 200);
  g_assert_cmpint (n, >=, 104);
  g_assert_cmpint (n, <=, 107);
  orrery_test_step (sim, 2);
  assert_reached (sim, &(OrreryVec3){ 1.4, 2.2, 0.9 }, &(OrreryVec3){ 0, 0, -1 }, 1e-5);
}

/* --- trajectories --- */

#define ZEROS "0.0, 0.0, 0.0, 0.0, 0.0, 0.0"
#define POINT(q, t) "{'positions': <[" q ", " ZEROS "]>, 'time_from_start': <" t ">}"
#define PATH(points) "({'points': <@aa{sv} [" points "]>},)"

static void
test_trajectory (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) call =
      orrery_test_call (sim, "robot.arm", "trajectory",
                        PATH (POINT ("1.0", "1.0") ", " POINT ("0.5", "3.0")));
  double q[7];

  g_test_summary ("a point is reached at its time, the next one begins a tick later; each at one "
                  "speed, as near as the tolerance");
  /* Called at 0: it begins in the second tick, with 59 left. The sensor sees a tick later. */
  orrery_test_step (sim, 2);
  get_state (sim, q);
  assert_near (q[0], 0, 1e-12);
  orrery_test_step (sim, 1);
  get_state (sim, q);
  assert_near (q[0], 1 / 59.0, 1e-6);
  orrery_test_step (sim, 28);
  get_state (sim, q);
  assert_near (q[0], 29 / 59.0, 1e-6);
  orrery_test_step (sim, 30);
  get_state (sim, q);
  assert_near (q[0], 1, 1e-6);
  orrery_test_step (sim, 1);
  get_state (sim, q);
  assert_near (q[0], 1, 1e-6);
  /* From tick 62 on, 119 of them to the end. */
  orrery_test_step (sim, 60);
  get_state (sim, q);
  assert_near (q[0], 1 - 0.5 * 60 / 119, 1e-6);
  orrery_test_step (sim, 58);
  g_assert_false (orrery_call_is_done (call));
  orrery_test_step (sim, 1);
  g_assert_true (orrery_call_is_done (call));
  orrery_test_step (sim, 10);
  get_state (sim, q);
  assert_near (q[0], 0.5, 0.01);
}

static void
test_late_points (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) call = NULL;
  double q[7];

  g_test_summary ("a point whose time has passed is skipped with a warning; the last one is not");
  orrery_test_expected = "skipped point 1 of the trajectory";
  call = orrery_test_call (sim, "robot.arm", "trajectory",
                           PATH (POINT ("1.0", "0.0") ", " POINT ("0.2", "0.5")));
  orrery_test_step (sim, 31);
  g_assert_null (orrery_test_expected);
  g_assert_true (orrery_call_is_done (call));
  get_state (sim, q);
  assert_near (q[0], 0.2, 0.01);
}

static void
test_trajectory_start (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);
  g_autoptr (OrreryCall) call =
      orrery_test_call (sim, "robot.arm", "trajectory",
                        "({'starttime': <0.5>, 'points': <@aa{sv} [" POINT ("0.2", "1.0") "]>},)");
  g_autoptr (OrreryCall) late = NULL;
  guint n;

  g_test_summary ("points count from starttime, or from now where that is past");
  n = count_ticks (sim, call, 200);
  g_assert_cmpint (n, ==, 91);
  late =
      orrery_test_call (sim, "robot.arm", "trajectory",
                        "({'starttime': <0.5>, 'points': <@aa{sv} [" POINT ("0.4", "1.0") "]>},)");
  n = count_ticks (sim, late, 200);
  g_assert_cmpint (n, ==, 61);
}

static void
assert_fails (OrrerySimulation *sim, const char *service, const char *arguments, const char *words)
{
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.arm", service, arguments);
  g_autoptr (GError) error = NULL;

  orrery_test_step (sim, 1);
  g_assert_true (orrery_call_is_done (call));
  orrery_call_get_result (call, &error);
  g_assert_nonnull (error);
  if (error != NULL && strstr (error->message, words) == NULL)
    g_test_message ("%s: %s", arguments, error->message);
  g_assert_true (error == NULL || strstr (error->message, words) != NULL);
}

static void
test_bad_input (void)
{
  static const char *const rows[][3] = {
    { "trajectory", "({'point': <1>},)", "key 'points' was expected" },
    { "trajectory", "({'points': <@av []>},)", "one point at least" },
    { "trajectory", PATH (POINT ("1.0", "2.0") ", " POINT ("0.5", "1.0")), "not before the last" },
    { "trajectory", PATH ("{'positions': <[1.0]>, 'time_from_start': <1.0>}"), "7 numbers" },
    { "trajectory", PATH ("{'positions': <[1.0]>}"), "key 'time_from_start' was expected" },
    { "set_rotation", "('kuka_9', 1.0)", "Joint kuka_9 does not exist in armature robot.arm" },
    { "set_translation", "('kuka_1', 1.0)", "it has no translation" },
    { "set_translations", "([1.0],)", "it has no translation" },
    { "translate", "('kuka_1', 1.0)", "it has no translation" },
    { "translate_joints", "({'kuka_1': <1.0>},)", "it has no translation" },
    { "rotate", "('kuka_1', 1.0, 'fast')", "finite numbers" },
    { "rotate_joints", "({'kuka_1': <'x'>},)", "finite numbers" },
    { "set_rotations", "(['x'],)", "finite numbers" },
    { "place_IK_target", "('kuka_3', [0.0, 0.0, 0.0])", "IK target kuka_3 does not exist" },
    { "place_IK_target", "('kuka_7', [0.0, 0.0])", "a translation is" },
    { "get_IK_limits", "('kuka_0',)", "does not exist" },
    { "set_translation", "('kuka_9', 1.0)", "Joint kuka_9 does not exist" },
    { "translate", "('kuka_9', 1.0)", "Joint kuka_9 does not exist" },
    { "translate_joints", "({'kuka_9': <1.0>},)", "Joint kuka_9 does not exist" },
    { "rotate", "('kuka_9', 1.0)", "Joint kuka_9 does not exist" },
    { "rotate_joints", "({'kuka_9': <1.0>},)", "Joint kuka_9 does not exist" },
    { "move_IK_target", "('kuka_3', [0.0, 0.0, 0.0])", "IK target kuka_3 does not exist" },
  };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ARM);

  g_test_summary ("what cannot be is refused, and moves nothing");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_fails (sim, rows[i][0], rows[i][1], rows[i][2]);
  assert_flange (sim, (const double[7]){ 0 }, 1e-12);
  orrery_test_refuse (ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': [{'name': 'arm', "
                                             "'classpath': 'morse.actuators.armature.Armature'}]}"),
                      "needs joints");
}

static void
test_alone (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autofree char *data = NULL;

  g_test_summary ("a sensor of joints on no armature is told of; it measures nothing");
  orrery_test_expected = "robot.state: none of the objects above it is an armature";
  sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': [{'name': 'state', "
                             "'classpath': 'morse.sensors.armature_pose.ArmaturePose'}]}"));
  g_assert_null (orrery_test_expected);
  orrery_test_step (sim, 3);
  orrery_test_assert_fields (sim, "robot.state", "");
  orrery_test_assert_answer (sim, "robot.state", "get_joints", NULL, "[]");
  orrery_test_assert_answer (sim, "robot.state", "get_state", NULL, "{}");
  orrery_test_assert_answer (sim, "robot.state", "get_joint", "('kuka_1',)", "fault 4");
}

static void
test_slide (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT "'objects': [{'name': 'arm', "
      "'classpath': 'morse.actuators.armature.Armature', 'objects': [{'name': 'lift', "
      "'joint': {'kind': 'slide', 'axis': [0, 0, 1], 'limits': [0, 0.31]}, 'objects': ["
      "{'name': 'state', 'classpath': 'morse.sensors.armature_pose.ArmaturePose'}]}]}]}"));
  g_autoptr (OrreryCall) call = orrery_test_call (sim, "robot.arm", "translate", "('lift', 0.05)");

  g_test_summary ("a joint that slides goes at its own speed, to its limit");
  g_assert_cmpint (count_ticks (sim, call, 90), >=, 53);
  orrery_test_assert_answer (sim, "robot.arm", "set_translations", "([7.0],)", "");
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get (sim, "robot.arm.lift.state", "lift"), 0.31, 1e-12);
  orrery_test_assert_answer (sim, "robot.arm", "set_rotation", "('lift', 1.0)", "fault 4");
}

/* --- PA10 --- */

static void
test_segments (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{" ORRERY_TEST_ROBOT
      "'objects': [{'name': 'arm', 'classpath': 'morse.actuators.pa_10.PA10', "
      "'properties': {'Tolerance': 0.001}, 'objects': [{'name': 'tool', "
      "'classpath': 'morse.sensors.pose.Pose', 'position': [0, 0, 1.345]}]}]}"));
  const OrreryVec3 *p = &orrery_test_get_pose (sim, "robot.arm.tool")->position;

  g_test_summary ("PA10 turns its six joints at one speed, and what is on it");
  orrery_test_step (sim, 1);
  assert_near (p->z, 1.345, 1e-12);
  orrery_test_assert_answer (sim, "robot.arm", "set_rotation_array", "(0.0, 1.5707963267948966)",
                             "");
  orrery_test_step (sim, 48);
  g_assert_cmpfloat (p->z, >, 0.6);
  orrery_test_step (sim, 60);
  assert_near (p->x, 1.345 - 0.317, 0.002);
  assert_near (p->z, 0.317, 0.002);
  orrery_test_assert_answer (sim, "robot.arm", "set_rotation_array",
                             "(1.5707963267948966, 1.5707963267948966)", "");
  orrery_test_step (sim, 120);
  assert_near (p->y, 1.345 - 0.317, 0.003);
  orrery_test_refuse (ORRERY_TEST_KINEMATIC ("{" ORRERY_TEST_ROBOT "'objects': [{'name': 'arm', "
                                             "'classpath': 'morse.actuators.segments.Segments'}]}"),
                      "needs 6");
}

/* --- an armature that is elsewhere --- */

#define BONES                                                                                      \
  "{'name': 'bones', 'position': [0.5, 0, 1], 'objects': ["                                        \
  "{'name': 'upper', 'joint': {'kind': 'hinge', 'axis': [0, 0, 1], 'limits': [-2, 2]}, "           \
  "'objects': [{'name': 'lower', 'position': [0.4, 0, 0], "                                        \
  "'joint': {'kind': 'hinge', 'axis': [0, 0, 1]}, "                                                \
  "'properties': {'end_effector': true, 'tip': [0.3, 0, 0]}}]}]}"
#define MOVER(armature, more)                                                                      \
  "{'name': 'mover', 'classpath': 'morse.actuators.armature.Armature', "                           \
  "'position': [0, 3, 0], 'properties': {'armature': '" armature "'" more "}, 'objects': ["        \
  "{'name': 'state', 'classpath': 'morse.sensors.armature_pose.ArmaturePose'}, "                   \
  "{'name': 'tool', 'classpath': 'morse.sensors.pose.Pose', 'position': [0.7, 0, 0.1]}]}"
#define ROBOT_AT                                                                                   \
  "{" ORRERY_TEST_ROBOT "'position': [1, 2, 0], 'rotation': [0, 0, 0.5], 'objects': ["
#define ON_ROBOT(armature, more)                                                                   \
  ORRERY_TEST_KINEMATIC (ROBOT_AT BONES ", " MOVER (armature, more) "]}")
#define IN_SCENE(armature)                                                                         \
  ORRERY_TEST_KINEMATIC (ROBOT_AT MOVER (armature, "") "]}, {'name': 'shelf', 'objects': [" BONES  \
                                                       "]}")

/* @x, @y, @yaw: of what carries the bones. */
static void
check_mover (OrrerySimulation *sim, double x, double y, double yaw)
{
  double c0 = cos (yaw), s0 = sin (yaw);
  double there = 0.5 + 0.4 * cos (0.6) + 0.3 * cos (1.5);
  double aside = 0.4 * sin (0.6) + 0.3 * sin (1.5);
  const OrreryTransform *tool = orrery_test_get_pose (sim, "robot.mover.tool");

  orrery_test_assert_answer (sim, "robot.mover", "get_joints", NULL, "['upper', 'lower']");
  orrery_test_assert_answer (sim, "robot.mover.state", "get_joints", NULL, "['upper', 'lower']");
  orrery_test_assert_answer (sim, "robot.mover", "set_rotations", "([0.6, 0.9],)", "");
  orrery_test_step (sim, 3);
  assert_near (orrery_test_get (sim, "robot.mover.state", "lower"), 0.9, 1e-12);
  /* What is put on the actuator is on its armature, and goes with the end effector. */
  assert_near (tool->position.x, x + c0 * there - s0 * aside, 1e-9);
  assert_near (tool->position.y, y + s0 * there + c0 * aside, 1e-9);
  assert_near (tool->position.z, 1.1, 1e-9);
}

static void
test_named (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ON_ROBOT ("bones", ""));
  g_autoptr (OrrerySimulation) whole = orrery_test_load (ON_ROBOT ("robot.bones", ""));
  g_autoptr (OrrerySimulation) shelf = orrery_test_load (IN_SCENE ("bones"));
  g_autofree char *arguments = NULL;
  double there, aside;

  g_test_summary ("an armature is found by its name, on the robot first, then in the scene");
  check_mover (sim, 1, 2, 0.5);
  check_mover (whole, 1, 2, 0.5);
  check_mover (shelf, 0, 0, 0);
  /* Targets are where the armature is, not where its actuator stands. */
  there = 0.5 + 0.4 * cos (0.4) + 0.3;
  aside = 0.4 * sin (0.4);
  arguments = g_strdup_printf ("('lower', [%.17g, %.17g, 1.0], [0.0, 0.0, 0.5], false)",
                               1 + cos (0.5) * there - sin (0.5) * aside,
                               2 + sin (0.5) * there + cos (0.5) * aside);
  orrery_test_assert_answer (sim, "robot.mover", "place_IK_target", arguments, "");
  orrery_test_step (sim, 3);
  assert_near (orrery_test_get (sim, "robot.mover.state", "upper"), 0.4, 1e-6);
  assert_near (orrery_test_get (sim, "robot.mover.state", "lower"), -0.4, 1e-6);
  orrery_simulation_reset (sim, NULL);
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get (sim, "robot.mover.state", "upper"), 0, 1e-12);
  check_mover (sim, 1, 2, 0.5);
}

static void
test_named_refused (void)
{
  g_test_summary ("armatures that there are none of, or two, are refused with their names");
  orrery_test_refuse (ON_ROBOT ("bonse", ""), "there is no armature bonse");
  orrery_test_refuse (ON_ROBOT ("bonse", ""), "did you mean bones");
  orrery_test_refuse (ON_ROBOT ("lower", ""), "no object of that name with joints below it");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT_AT MOVER ("bones", "") "]}, {'name': 'a', 'objects': [" BONES
                                                       "]}, {'name': 'b', 'objects': [" BONES "]}"),
                      "there are 2 armatures bones, as a.bones and b.bones");
  orrery_test_refuse (ON_ROBOT ("bones", ", 'IKTargets': 'uper'"),
                      "no joint uper; did you mean upper");
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/actuators/armature/model", test_model);
  g_test_add_func ("/actuators/armature/forward", test_forward);
  g_test_add_func ("/actuators/armature/speeds", test_speeds);
  g_test_add_func ("/actuators/armature/full-steps", test_full_steps);
  g_test_add_func ("/actuators/armature/stream", test_stream);
  g_test_add_func ("/actuators/armature/place", test_place);
  g_test_add_func ("/actuators/armature/frame", test_frame);
  g_test_add_func ("/actuators/armature/free-target", test_free_target);
  g_test_add_func ("/actuators/armature/carried", test_carried);
  g_test_add_func ("/actuators/armature/beyond", test_beyond);
  g_test_add_func ("/actuators/armature/turn-time", test_turn_time);
  g_test_add_func ("/actuators/armature/move", test_move);
  g_test_add_func ("/actuators/armature/odd-speeds", test_odd_speeds);
  g_test_add_func ("/actuators/armature/trajectory", test_trajectory);
  g_test_add_func ("/actuators/armature/trajectory/start", test_trajectory_start);
  g_test_add_func ("/actuators/armature/trajectory/late", test_late_points);
  g_test_add_func ("/actuators/armature/bad-input", test_bad_input);
  g_test_add_func ("/actuators/armature/alone", test_alone);
  g_test_add_func ("/actuators/armature/slide", test_slide);
  g_test_add_func ("/actuators/armature/segments", test_segments);
  g_test_add_func ("/actuators/armature/named", test_named);
  g_test_add_func ("/actuators/armature/named-refused", test_named_refused);
  return g_test_run ();
}
