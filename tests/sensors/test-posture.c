/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* HumanPosture: the limbs of a person, in MORSE's numbers. */

static void
test_limbs (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{'name': 'person', 'classpath': 'morse.robots.human.Human', 'position': [1, 2, 0], "
      "'rotation': [0, 0, 1.0], 'objects': ["
      "{'name': 'posture', 'classpath': 'morse.sensors.human_posture.HumanPosture'}, "
      "{'name': 'Chest', 'position': [0, 0, 1.2], 'rotation': [0, 0, 0.7], 'objects': ["
      "{'name': 'UpArm_R', 'position': [0, -0.2, 0.2], "
      "'joint': {'kind': 'hinge', 'axis': [0, 1, 0], 'position': 0.3}}]}, "
      "{'name': 'Head', 'position': [0, 0, 1.6], "
      "'joint': {'kind': 'hinge', 'axis': [1, 0, 0], 'position': -0.2}}]}"));

  g_test_summary ("angles against the start go to their places, with their signs");
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get (sim, "person.posture", "x"), 1, 1e-12);
  assert_near (orrery_test_get (sim, "person.posture", "yaw"), 1 - G_PI / 2, 1e-12);
  assert_near (orrery_test_get (sim, "person.posture", "dof_12"), 0, 1e-12);
  assert_near (orrery_test_get (sim, "person.posture", "dof_15"), 0.2, 1e-12);
  assert_near (orrery_test_get (sim, "person.posture", "dof_18"), -0.3, 1e-12);
  assert_near (orrery_test_get (sim, "person.posture", "dof_25"), 0, 1e-12);
  g_assert_cmpfloat (orrery_test_get (sim, "person.posture", "dof_49"), ==, 0);
}

/* Where the angle of a limb about an axis goes, as MORSE has it: below 0 with the other sign. */
static const struct {
  const char *name;
  int dof[3];
} places[] = {
  { "Chest", { 13, 14, 12 } },   { "Head", { -15, 17, 16 } },  { "UpArm_R", { -19, -18, 20 } },
  { "ForeArm_R", { 0, 0, 21 } }, { "Hand_R", { 22, 23, 24 } }, { "UpArm_L", { -26, -25, 27 } },
  { "ForeArm_L", { 0, 0, 28 } }, { "Hand_L", { 29, 30, 31 } }, { "UpLeg_R", { 33, 32, -34 } },
  { "LoLeg_R", { 35, 0, 0 } },   { "Foot_R", { 36, 37, 38 } }, { "UpLeg_L", { 40, 39, -41 } },
  { "LoLeg_L", { 42, 0, 0 } },   { "Foot_L", { 43, 44, 45 } },
};

static void
assert_axis (guint axis)
{
  g_autoptr (GString) scene =
      g_string_new ("{'name': 'person', 'classpath': 'morse.robots.human.Human', 'objects': ["
                    "{'name': 'posture', 'classpath': 'morse.sensors.human_posture.HumanPosture'}");
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autofree char *whole = NULL;
  double expected[50] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    int dof = places[i].dof[axis];

    g_string_append_printf (scene,
                            ", {'name': '%s', 'joint': {'kind': 'hinge', 'axis': "
                            "[%d, %d, %d], 'position': %g}}",
                            places[i].name, axis == 0, axis == 1, axis == 2, 0.01 * (i + 1));
    expected[ABS (dof)] = dof < 0 ? -0.01 * (i + 1) : 0.01 * (i + 1);
  }
  expected[0] = 0;
  whole = g_strdup_printf (ORRERY_TEST_KINEMATIC ("%s]}"), scene->str);
  sim = orrery_test_load (whole);
  orrery_test_step (sim, 2);
  for (guint dof = 12; dof < 50; dof++) {
    g_autofree char *name = g_strdup_printf ("dof_%u", dof);

    assert_near (orrery_test_get (sim, "person.posture", name), expected[dof], 1e-12);
  }
}

static void
test_places (void)
{
  g_test_summary ("each angle of each limb has its number and its sign");
  for (guint axis = 0; axis < 3; axis++)
    assert_axis (axis);
}

#define PERSON                                                                                     \
  "{'name': 'person', 'classpath': 'morse.robots.human.Human', 'objects': ["                       \
  "{'name': 'posture', 'classpath': 'morse.sensors.human_posture.HumanPosture'}, "                 \
  "{'name': 'skeleton', 'classpath': 'morse.actuators.human.HumanSkeleton', "                      \
  "'position': [0, 0, 0.059], 'objects': ["                                                        \
  "{'name': 'state', 'classpath': 'morse.sensors.armature_pose.ArmaturePose'}]}]}"

static void
bend (OrrerySimulation *sim, const char *joint, double angle)
{
  g_autofree char *arguments = g_strdup_printf ("('%s', %.9f)", joint, angle);

  orrery_test_assert_answer (sim, "person.skeleton", "set_rotation", arguments, "");
}

/* Of the object of that name somewhere below @parent. */
static const OrreryTransform *
trial_pose_below (OrrerySimulation *sim, const char *parent, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (g_str_equal (orrery_object_get_basename (object), name) &&
        g_str_has_prefix (orrery_object_get_name (object), parent))
      return orrery_test_get_pose (sim, orrery_object_get_name (object));
  }
  g_assert_not_reached ();
}

static void
test_skeleton (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (PERSON));
  double knee;

  g_test_summary ("the skeleton of a person is bent by services, and told by both sensors");
  orrery_test_step (sim, 2);
  knee = orrery_test_get (sim, "person.skeleton.state", "lowerleg01_L");
  assert_near (knee, -0.078, 1e-12);
  for (guint dof = 12; dof < 50; dof++) {
    g_autofree char *name = g_strdup_printf ("dof_%u", dof);

    assert_near (orrery_test_get (sim, "person.posture", name), 0, 1e-9);
  }
  bend (sim, "lowerleg01_L", knee - 0.5);
  bend (sim, "head", 0.3);
  bend (sim, "foot_R", 9.0);
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get (sim, "person.skeleton.state", "lowerleg01_L"), knee - 0.5, 1e-12);
  /* The second bone of the leg is straight on the first: the angle is all of the knee's. */
  assert_near (orrery_test_get (sim, "person.posture", "dof_42"), -0.5, 1e-3);
  assert_near (orrery_test_get (sim, "person.posture", "dof_15"), -0.3, 1e-9);
  assert_near (orrery_test_get (sim, "person.posture", "dof_35"), 0, 1e-9);
  /* Knees bend one way, and elbows not all around. */
  bend (sim, "lowerleg01_L", 1.0);
  bend (sim, "lowerarm01_R", 3.0);
  orrery_test_step (sim, 2);
  assert_near (orrery_test_get (sim, "person.skeleton.state", "lowerleg01_L"), 0, 1e-12);
  assert_near (orrery_test_get (sim, "person.skeleton.state", "lowerarm01_R"), 2.164, 1e-12);
}

static void
test_reach (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (PERSON));
  const OrreryTransform *hand;
  g_autofree char *arguments = NULL;
  OrreryVec3 before, tip;
  double roll, pitch, yaw;

  g_test_summary ("its five targets are those of MORSE; the hand goes where its target is put");
  orrery_test_step (sim, 2);
  orrery_test_assert_answer (
      sim, "person.skeleton", "list_IK_targets", NULL,
      "['ik_target.person.skeleton.wrist_L', 'ik_target.person.skeleton.wrist_R', "
      "'ik_target.person.skeleton.head', 'ik_target.person.skeleton.foot_L', "
      "'ik_target.person.skeleton.foot_R']");
  /* The arm is bent to somewhere, and finds back to it by where its hand was. */
  bend (sim, "lowerarm01_L", 0.4);
  orrery_test_step (sim, 2);
  hand = trial_pose_below (sim, "person.skeleton", "wrist_L");
  orrery_transform_apply (hand, &(OrreryVec3){ 0, 0.006, 0 }, &before);
  orrery_quat_to_euler (&hand->rotation, &roll, &pitch, &yaw);
  arguments = g_strdup_printf ("('wrist_L', [%.9f, %.9f, %.9f], [%.9f, %.9f, %.9f], false)",
                               before.x, before.y, before.z, roll, pitch, yaw);
  bend (sim, "lowerarm01_L", 0.1);
  orrery_test_step (sim, 2);
  orrery_test_assert_answer (sim, "person.skeleton", "place_IK_target", arguments, "");
  orrery_test_step (sim, 2);
  hand = trial_pose_below (sim, "person.skeleton", "wrist_L");
  orrery_transform_apply (hand, &(OrreryVec3){ 0, 0.006, 0 }, &tip);
  assert_near (tip.x, before.x, 0.005);
  assert_near (tip.y, before.y, 0.005);
  assert_near (tip.z, before.z, 0.005);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/posture/limbs", test_limbs);
  g_test_add_func ("/sensors/posture/places", test_places);
  g_test_add_func ("/sensors/posture/skeleton", test_skeleton);
  g_test_add_func ("/sensors/posture/reach", test_reach);
  return g_test_run ();
}
