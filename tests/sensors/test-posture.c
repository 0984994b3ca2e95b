/* SPDX-License-Identifier: BSD-3-Clause */
#include "../trial.h"

/* HumanPosture: the limbs of a person, in MORSE's numbers. */

static void
test_limbs (void)
{
  g_autoptr (OrrerySimulation) sim = trial_load (TRIAL_KINEMATIC (
      "{'name': 'person', 'classpath': 'morse.robots.human.Human', 'position': [1, 2, 0], "
      "'rotation': [0, 0, 1.0], 'objects': ["
      "{'name': 'posture', 'classpath': 'morse.sensors.human_posture.HumanPosture'}, "
      "{'name': 'Chest', 'position': [0, 0, 1.2], 'rotation': [0, 0, 0.7], 'objects': ["
      "{'name': 'UpArm_R', 'position': [0, -0.2, 0.2], "
      "'joint': {'kind': 'hinge', 'axis': [0, 1, 0], 'position': 0.3}}]}, "
      "{'name': 'Head', 'position': [0, 0, 1.6], "
      "'joint': {'kind': 'hinge', 'axis': [1, 0, 0], 'position': -0.2}}]}"));

  g_test_summary ("angles against the start go to their places, with their signs");
  trial_step (sim, 2);
  assert_near (trial_get (sim, "person.posture", "x"), 1, 1e-12);
  assert_near (trial_get (sim, "person.posture", "yaw"), 1 - G_PI / 2, 1e-12);
  assert_near (trial_get (sim, "person.posture", "dof_12"), 0, 1e-12);
  assert_near (trial_get (sim, "person.posture", "dof_15"), 0.2, 1e-12);
  assert_near (trial_get (sim, "person.posture", "dof_18"), -0.3, 1e-12);
  assert_near (trial_get (sim, "person.posture", "dof_25"), 0, 1e-12);
  g_assert_cmpfloat (trial_get (sim, "person.posture", "dof_49"), ==, 0);
}

int
main (int argc, char **argv)
{
  trial_init (&argc, &argv);
  g_test_add_func ("/sensors/posture/limbs", test_limbs);
  return g_test_run ();
}
