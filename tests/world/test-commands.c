/* SPDX-License-Identifier: BSD-3-Clause */
/* Each command has one owner: what the world applies does not reach the engine. */
#include "world/orrery-world-private.h"

typedef struct {
  OrreryWorld *world;
  OrreryObject *robot; /* has a body */
  OrreryObject *post;  /* has none */
  OrreryObject *hinge; /* on the post */
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  OrreryJoint joint;

  orrery_joint_init (&joint, ORRERY_JOINT_HINGE);
  f->world = g_object_new (ORRERY_TYPE_WORLD, NULL);
  f->robot = orrery_world_add_object (f->world, "robot", NULL, NULL);
  orrery_object_get_body (f->robot)->type = ORRERY_BODY_RIGID;
  f->post = orrery_world_add_object (f->world, "post", NULL, NULL);
  f->hinge = orrery_world_add_object (f->world, "hinge", f->post, NULL);
  orrery_object_set_joint (f->hinge, &joint);
  orrery_world_place (f->world);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_object (&f->world);
}

static void
stage_all (Fixture *f)
{
  OrreryCommands *commands = orrery_world_get_commands (f->world);
  OrreryVec3 v = { 1, 2, 3 };
  OrreryTransform pose;

  orrery_transform_identity (&pose);
  orrery_commands_set_velocity (commands, f->post, &v, &v);
  orrery_commands_set_velocity (commands, f->robot, &v, &v);
  orrery_commands_set_pose (commands, f->post, &pose);
  orrery_commands_set_joint_position (commands, f->hinge, 0.5, 0);
  orrery_commands_add_force (commands, f->robot, &v, &v);
  orrery_commands_set_visible (commands, f->robot, FALSE);
  orrery_commands_set_pose (commands, f->robot, &pose);
}

static void
assert_kinds (Fixture *f, const OrreryCommandKind *kinds, guint n_wanted)
{
  const OrreryCommand *left;
  guint n;

  left = orrery_commands_get (orrery_world_get_commands (f->world), &n);
  g_assert_cmpuint (n, ==, n_wanted);
  for (guint i = 0; i < MIN (n, n_wanted); i++)
    g_assert_cmpint (left[i].kind, ==, kinds[i]);
}

static void
test_owner (Fixture *f, gconstpointer data)
{
  static const OrreryCommandKind kinds[] = { ORRERY_COMMAND_VELOCITY, ORRERY_COMMAND_FORCE,
                                             ORRERY_COMMAND_POSE };

  g_test_summary ("the engine is left its own commands, in their order");
  stage_all (f);
  orrery_world_apply (f->world, 0.1);
  assert_kinds (f, kinds, G_N_ELEMENTS (kinds));
  g_assert_false (orrery_object_is_visible (f->robot));
  g_assert_cmpfloat (orrery_snapshot_get_joint_position (orrery_world_get_snapshot (f->world),
                                                         orrery_object_get_index (f->hinge)),
                     ==, 0.5);
}

static void
test_taken (Fixture *f, gconstpointer data)
{
  static const OrreryCommandKind kinds[] = { ORRERY_COMMAND_VELOCITY, ORRERY_COMMAND_JOINT_POSITION,
                                             ORRERY_COMMAND_FORCE, ORRERY_COMMAND_POSE };

  g_test_summary ("the motor of a joint that an engine has taken is the engine's");
  orrery_world_take_joint (f->world, f->hinge);
  stage_all (f);
  orrery_world_apply (f->world, 0.1);
  assert_kinds (f, kinds, G_N_ELEMENTS (kinds));
  g_assert_cmpfloat (orrery_snapshot_get_joint_position (orrery_world_get_snapshot (f->world),
                                                         orrery_object_get_index (f->hinge)),
                     ==, 0);
}

static void
test_elsewhere (Fixture *f, gconstpointer data)
{
  OrreryCommands *commands = orrery_world_get_commands (f->world);
  OrreryCommand from[] = {
    { .kind = ORRERY_COMMAND_GRAVITY, .object = 2 },
    { .kind = ORRERY_COMMAND_GRAVITY, .object = 3 },
    { .kind = ORRERY_COMMAND_QUANTITY + 1 },
    { .kind = ORRERY_COMMAND_QUANTITY, .object = 1, .angular.x = 99 },
    { .kind = ORRERY_COMMAND_QUANTITY, .object = 1, .angular.x = NAN },
    { .kind = ORRERY_COMMAND_QUANTITY, .object = 3, .linear.x = 1 },
    { .kind = ORRERY_COMMAND_QUANTITY, .object = 1, .linear.x = -1 },
    { .kind = ORRERY_COMMAND_POSE, .pose = { { 0, NAN, 0 }, { 1, 0, 0, 0 } } },
    { .kind = ORRERY_COMMAND_ATTACH, .object = 1, .linear = { 1, 0, 0 } },
    { .kind = ORRERY_COMMAND_ATTACH, .object = 1, .linear = { 2, 0, 0 } },
  };

  g_test_summary ("what comes from elsewhere is staged if it is valid, else counted");
  orrery_commands_take (commands, from, G_N_ELEMENTS (from), 3);
  assert_kinds (f, (OrreryCommandKind[]){ ORRERY_COMMAND_GRAVITY, ORRERY_COMMAND_ATTACH }, 2);
  g_assert_cmpuint (commands->n_refused, ==, 8);
  g_assert_cmpuint (commands->refused_object, ==, 1);
  orrery_commands_take (commands, from, 2, 0);
  g_assert_cmpuint (commands->n_refused, ==, 10);
  g_assert_cmpuint (commands->refused_object, ==, 0);
}

static void
test_length (Fixture *f, gconstpointer data)
{
  OrreryCommands *commands = orrery_world_get_commands (f->world);
  /* What rounding leaves is not changed, not even in the last bit. */
  OrreryTransform rounded = { { 0 }, { 0.6000000000000001, 0.8, 0, 0 } };
  OrreryTransform poses[] = { { { 1, 2, 3 }, { 0, 0, 0, 2 } }, { { 0 }, { 0 } }, rounded };
  OrreryTransform expected[] = { { { 1, 2, 3 }, { 0, 0, 0, 1 } },
                                 { { 0 }, { 1, 0, 0, 0 } },
                                 rounded };
  OrreryTransform huge = { { 0 }, { 1e200, 0, 0, 0 } };
  const OrreryCommand *staged;
  guint n;

  g_test_summary ("a rotation of another length than 1 is normalised, in each command with a pose");
  for (guint i = 0; i < G_N_ELEMENTS (poses); i++) {
    orrery_commands_clear (commands);
    g_assert_true (orrery_commands_set_pose (commands, f->robot, &poses[i]));
    g_assert_true (orrery_commands_move (commands, f->robot, &poses[i]));
    g_assert_true (orrery_commands_attach (commands, f->robot, f->post, &poses[i]));
    g_assert_true (orrery_commands_set_present (commands, f->robot, TRUE, &poses[i]));
    staged = orrery_commands_get (commands, &n);
    g_assert_cmpuint (n, ==, 4);
    for (guint j = 0; j < n; j++)
      g_assert_cmpmem (&staged[j].pose, sizeof expected[i], &expected[i], sizeof expected[i]);
  }
  g_assert_false (orrery_commands_set_pose (commands, f->robot, &huge));
}

static void
test_presence (Fixture *f, gconstpointer data)
{
  OrreryCommands *commands = orrery_world_get_commands (f->world);
  OrreryCommand gone = { .kind = ORRERY_COMMAND_PRESENCE,
                         .object = orrery_object_get_index (f->robot),
                         .pose = { { 7, 0, 0 }, { 1, 0, 0, 0 } } };

  g_test_summary ("only what may be spawned is taken out of the world, whatever a command says");
  orrery_commands_take (commands, &gone, 1, orrery_world_get_n_objects (f->world));
  orrery_world_apply (f->world, 0.1);
  assert_kinds (f, NULL, 0);
  g_assert_true (orrery_object_is_present (f->robot));
  orrery_world_pool (f->world, f->robot);
  g_assert_false (orrery_object_is_present (f->robot));
  gone.flag = TRUE;
  orrery_commands_take (commands, &gone, 1, orrery_world_get_n_objects (f->world));
  orrery_world_apply (f->world, 0.1);
  g_assert_true (orrery_object_is_present (f->robot));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/commands/owner", Fixture, NULL, set_up, test_owner, tear_down);
  g_test_add ("/commands/taken", Fixture, NULL, set_up, test_taken, tear_down);
  g_test_add ("/commands/elsewhere", Fixture, NULL, set_up, test_elsewhere, tear_down);
  g_test_add ("/commands/length", Fixture, NULL, set_up, test_length, tear_down);
  g_test_add ("/commands/presence", Fixture, NULL, set_up, test_presence, tear_down);
  return g_test_run ();
}
