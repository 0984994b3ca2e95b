/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>
#include <string.h>

/* Arms and robots with links that are spawned and removed while the scene runs. */

#define LIMB(name, x, z, more, below)                                                              \
  "{'name': '" name "', 'position': [" x ", 0, " z "], 'body': {'type': 'rigid', 'mass': 1}, "     \
  "'shapes': [{'kind': 'box', 'size': [0.1, 0.1, 0.3], 'position': [0, 0, 0.2]}], 'joint': {"      \
  "'kind': 'hinge', 'axis': [0, 1, 0], " more "}" below "}"
#define MOTOR(name, joint)                                                                         \
  ", {'name': '" name "', 'classpath': 'orrery.actuators.joint.Position', 'properties': "          \
  "{'Joint': '" joint "'}}"
#define STATE "{'name': 'state', 'classpath': 'orrery.sensors.joint_state.JointState'}"
#define ARM                                                                                        \
  "{'count': 2, 'object': {'name': 'arm', 'classpath': 'orrery.core.robot.Robot', 'body': "        \
  "{'type': 'static'}, 'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.2]}], 'objects': [" LIMB (  \
      "upper", "0", "0.2", "'position': 0.25, 'limits': [-1.5, 1.5], 'friction': 0.1",             \
      ", 'objects': [" LIMB ("lower", "0", "0.4", "'damping': 0.2",                                \
                             "") "]") ", " STATE MOTOR ("motor", "upper")                          \
      MOTOR ("elbow", "lower") ", {'name': 'load', 'classpath': "                                  \
                               "'orrery.sensors.joint_wrench.JointWrench', 'properties': "         \
                               "{'Joint': 'upper'}}]}}"
/* Without measurements, which not all engines have. */
#define PLAIN_ARM                                                                                  \
  "{'count': 2, 'object': {'name': 'arm', 'classpath': 'orrery.core.robot.Robot', 'body': "        \
  "{'type': 'static'}, 'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.2]}], 'objects': [" LIMB (  \
      "upper", "0", "0.2", "'position': 0.25, 'limits': [-1.5, 1.5], 'friction': 0.1",             \
      ", 'objects': [" LIMB ("lower", "0", "0.4", "'damping': 0.2",                                \
                             "") "]") ", " STATE MOTOR ("motor", "upper")                          \
      MOTOR ("elbow", "lower") "]}}"
/* A body that floats, with legs that hang from it and a part that is carried by one of them. */
#define WALKER                                                                                     \
  "{'count': 2, 'object': {'name': 'walker', 'classpath': 'orrery.core.robot.Robot', 'position': " \
  "[4, 0, 2], 'body': {'type': 'rigid', 'mass': 4}, 'shapes': [{'kind': 'box', 'size': "           \
  "[0.8, 0.4, 0.2]}], 'objects': [{'name': 'left', 'position': [0.3, 0.3, 0], 'body': {'type': "   \
  "'rigid', 'mass': 1}, 'shapes': [{'kind': 'capsule', 'radius': 0.05, 'height': 0.3, "            \
  "'position': [0, 0, -0.2]}], 'joint': {'kind': 'ball'}, 'objects': [{'name': 'shoe', "           \
  "'position': [0, 0, -0.4], 'body': {'type': 'static'}, 'shapes': [{'kind': 'box', 'size': "      \
  "[0.1, 0.1, 0.1]}]}]}, "                                                                         \
  "{'name': 'right', 'position': [-0.3, -0.3, 0], 'body': {'type': 'rigid', 'mass': 1}, "          \
  "'shapes': [{'kind': 'capsule', 'radius': 0.05, 'height': 0.3, 'position': [0, 0, -0.2]}], "     \
  "'joint': {'kind': 'slide', 'axis': [0, 0, 1], 'limits': [-0.2, 0.2], 'stiffness': 50}}, " STATE \
  ", {'name': 'motor', 'classpath': 'orrery.actuators.joint.Position', 'properties': {'Joint': "   \
  "'right'}}, {'name': 'touch', 'classpath': 'orrery.sensors.contact.Contact'}]}}"
/* What links hang on has no body of its own. */
#define CRANE                                                                                      \
  "{'object': {'name': 'crane', 'position': [0, 8, 2], 'objects': [{'name': 'hook', 'body': "      \
  "{'type': 'static'}, 'shapes': [{'kind': 'box', 'size': [0.2, 0.2, 0.2]}]}, " LIMB (             \
      "boom", "0.3", "0", "'position': 0.5", "") "]}}"
#define BOX                                                                                        \
  "{'count': 3, 'object': {'name': 'box', 'body': {'type': 'rigid', 'mass': 2}, 'shapes': "        \
  "[{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}}"
#define EYE                                                                                        \
  "{'name': 'eye', 'classpath': 'orrery.core.robot.Robot', 'position': [-5, 0, 0], 'objects': ["   \
  "{'name': 'near', 'classpath': 'orrery.sensors.proximity.Proximity', 'properties': "             \
  "{'Range': 50}}]}"
/* Of engines that solve what does not touch apart: that of MuJoCo solves all at once, so that what
 * is elsewhere reaches the last digits. */
#define STONE                                                                                      \
  ", {'name': 'stone', 'position': [-3, 3, 0.25], 'body': {'type': 'rigid', 'mass': 1}, "          \
  "'shapes': "                                                                                     \
  "[{'kind': 'box', 'size': [0.5, 0.5, 0.5]}]}"
#define DYNAMIC "{'start': 0, 'import': 'empty'}"
#define MUJOCO "{'start': 0, 'import': 'empty', 'physics': 'orrery.physics.mujoco.MuJoCo'}"

static Stage *
make (const char *environment)
{
  gboolean measures = !g_str_equal (environment, STAGE_PLAIN);
  g_autofree char *tables = g_strdup_printf ("'spawnables': [%s, " WALKER ", " CRANE ", " BOX "],",
                                             measures ? ARM : PLAIN_ARM);
  g_autofree char *scene =
      stage_scene (environment, tables, g_str_equal (environment, MUJOCO) ? EYE : EYE STONE);

  return stage_new (scene, NULL);
}

static const OrreryJointState *
get_joint (Stage *stage, const char *name)
{
  return orrery_snapshot_get_joint (stage_get_snapshot (stage),
                                    orrery_object_get_index (stage_find_object (stage, name)));
}

static void
drive (Stage *stage, const char *motor, double position)
{
  g_autofree char *arguments = g_strdup_printf ("[<%f>, <0.0>]", position);
  g_autoptr (GVariant) done = stage_call (stage, motor, "set_position", arguments);
}

static void
assert_at_start (Stage *stage, const char *upper, const char *lower)
{
  g_assert_cmpfloat (get_joint (stage, upper)->position, ==, 0.25);
  g_assert_cmpfloat (get_joint (stage, upper)->velocity, ==, 0);
  g_assert_cmpfloat (get_joint (stage, upper)->effort, ==, 0);
  g_assert_cmpfloat (get_joint (stage, lower)->position, ==, 0);
  g_assert_cmpfloat (get_joint (stage, lower)->velocity, ==, 0);
}

/* --- life --- */

static void
check_life (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autofree char *arm = NULL, *second = NULL, *text = NULL;
  double first[2];

  stage_step (stage, 10);
  assert_at_start (stage, "arm_1.upper", "arm_1.upper.lower");
  stage_call_fails (stage, "arm_1.motor", "set_position", "[<1.0>, <0.0>]", ORRERY_CALL_FAILED,
                    "*is not spawned*");
  arm = stage_spawn (stage, "arm", 2, 1, 0.1);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get_place (stage, "arm.1.upper")->x, ==, 2);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "arm.1.upper.lower")->x,
                                  2 + 0.4 * sin (0.25), 0.01);
  first[0] = get_joint (stage, "arm.1.upper")->position;
  first[1] = get_joint (stage, "arm.1.upper.lower")->position;
  stage_step (stage, 1);
  drive (stage, "arm.1.motor", 1);
  drive (stage, "arm.1.elbow", -0.5);
  stage_step (stage, 120);
  g_assert_cmpfloat_with_epsilon (get_joint (stage, "arm.1.upper")->position, 1, 0.01);
  g_assert_cmpfloat_with_epsilon (get_joint (stage, "arm.1.upper.lower")->position, -0.5, 0.01);
  text = stage_json (stage, "arm.1.state");
  g_assert_nonnull (strstr (text, "upper"));
  stage_remove (stage, arm);
  stage_step (stage, 1);
  assert_at_start (stage, "arm_1.upper", "arm_1.upper.lower");
  stage_step (stage, 10);
  assert_at_start (stage, "arm_1.upper", "arm_1.upper.lower");
  second = stage_spawn (stage, "arm", 2, 1, 0.1);
  g_assert_cmpstr (second, ==, "arm.2");
  stage_step (stage, 1);
  /* As the first time, to the last bit: what its motors were told is forgotten. */
  g_assert_cmpfloat (get_joint (stage, "arm.2.upper")->position, ==, first[0]);
  g_assert_cmpfloat (get_joint (stage, "arm.2.upper.lower")->position, ==, first[1]);
  drive (stage, "arm.2.motor", -1);
  stage_step (stage, 120);
  g_assert_cmpfloat_with_epsilon (get_joint (stage, "arm.2.upper")->position, -1, 0.01);
}

static void
test_life (void)
{
  g_test_summary ("An arm is spawned, moved by its joints, removed, and begins at its start again");
  check_life (DYNAMIC);
}

static void
test_life_mujoco (void)
{
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_life (MUJOCO);
}

static void
test_life_kinematic (void)
{
  check_life (STAGE_PLAIN);
}

static void
check_away (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  OrreryCommands *commands =
      orrery_world_get_commands (orrery_simulation_get_world (stage->simulation));
  g_autofree char *arm = NULL;

  orrery_commands_set_joint_position (commands, stage_find_object (stage, "arm_1.upper"), 1, 0);
  orrery_commands_put_joint (commands, stage_find_object (stage, "arm_1.upper.lower"), 1);
  orrery_commands_set_joint_velocity (commands, stage_find_object (stage, "walker_1.right"), 1);
  stage_step (stage, 20);
  assert_at_start (stage, "arm_1.upper", "arm_1.upper.lower");
  g_assert_cmpfloat (get_joint (stage, "walker_1.right")->position, ==, 0);
  /* Of the same tick only what comes after the spawning counts. */
  orrery_commands_put_joint (commands, stage_find_object (stage, "arm_1.upper"), 1);
  arm = stage_spawn (stage, "arm", 2, 1, 0.1);
  orrery_commands_put_joint (commands, stage_find_object (stage, "arm_1.upper.lower"), 0.7);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (get_joint (stage, "arm_1.upper")->position, 0.25, 0.02);
  g_assert_cmpfloat_with_epsilon (get_joint (stage, "arm_1.upper.lower")->position, 0.7, 0.02);
}

static void
test_away (void)
{
  g_test_summary ("Commands to joints of what is away do nothing");
  check_away (DYNAMIC);
  check_away (STAGE_PLAIN);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_away (MUJOCO);
}

static void
check_falling (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autofree char *walker = NULL, *box = NULL, *text = NULL, *crane = NULL;

  /* What is away is met by nothing: a box falls through where it was made. */
  box = stage_spawn (stage, "box", 4, 0, 5);
  stage_step (stage, 120);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, box)->z, 0.25, 0.02);
  g_assert_cmpfloat (stage_get_place (stage, "walker_1")->z, ==, 2);
  stage_remove (stage, box);
  walker = stage_spawn (stage, "walker", 1, 2, 3);
  crane = stage_spawn (stage, "crane", 0, 5, 2);
  stage_step (stage, 1);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "walker.1.left")->x, 1.3, 0.01);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "walker.1.left.shoe")->z, 2.6, 0.02);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "crane.1.boom")->x, 0.3, 0.02);
  g_assert_cmpfloat_with_epsilon (stage_get_place (stage, "crane.1.boom")->y, 5, 0.01);
  stage_step (stage, 180);
  g_assert_cmpfloat (stage_get_place (stage, "walker.1")->z, <, 1.2);
  g_assert_cmpfloat (stage_get_place (stage, "walker.1")->z, >, 0.05);
  /* The boom has fallen, and swings. */
  g_assert_cmpfloat (ABS (get_joint (stage, "crane.1.boom")->position - 0.5), >, 0.3);
  text = stage_json (stage, "arm_1.load");
  g_assert_nonnull (strstr (text, "\"force\": [0.0, 0.0, 0.0]"));
  stage_remove (stage, walker);
  stage_remove (stage, crane);
  stage_step (stage, 1);
  g_assert_cmpfloat (stage_get_place (stage, "walker_1")->z, ==, 2);
  g_assert_cmpfloat (stage_get_place (stage, "walker_1.left.shoe")->z, ==, 1.6);
  g_assert_cmpfloat (get_joint (stage, "walker_1.left")->rotation.w, ==, 1);
  g_assert_cmpfloat (get_joint (stage, "crane_1.boom")->position, ==, 0.5);
  g_clear_pointer (&text, g_free);
  text = stage_json (stage, "walker_1.touch");
  g_assert_nonnull (strstr (text, "\"collision\": false"));
}

static void
test_falling (void)
{
  g_test_summary ("A robot with legs falls where it is spawned, and nothing of it is left behind");
  check_falling (DYNAMIC);
}

static void
test_falling_mujoco (void)
{
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_falling (MUJOCO);
}

/* --- states --- */

static void
play (Stage *stage)
{
  g_autofree char *a = stage_spawn (stage, "arm", 0, 0, 0.1);
  g_autofree char *b = stage_spawn (stage, "arm", 0.6, 0, 0.1);
  g_autofree char *walker = stage_spawn (stage, "walker", 0.3, 0, 1.6);
  g_autofree char *crane = stage_spawn (stage, "crane", 0, 5, 1);
  g_autofree char *box = stage_spawn (stage, "box", 0, 5, 3);
  g_autofree char *again = NULL;

  stage_step (stage, 30);
  drive (stage, "arm.1.motor", 1);
  drive (stage, "arm.2.elbow", -1);
  drive (stage, "walker.1.motor", 0.1);
  stage_step (stage, 10);
  stage_remove (stage, a);
  stage_step (stage, 5);
  again = stage_spawn (stage, "arm", 0, 0.5, 0.1);
  stage_step (stage, 20);
  drive (stage, "arm.3.motor", -0.5);
  stage_step (stage, 15);
}

static guint64
go_on (Stage *stage)
{
  g_autofree char *walker = stage_spawn (stage, "walker", 0.2, 0.3, 2);
  g_autofree char *crane = NULL, *arm = NULL;

  stage_step (stage, 40);
  stage_remove (stage, "walker.1");
  stage_remove (stage, "crane.1");
  stage_step (stage, 10);
  crane = stage_spawn (stage, "crane", 0, 0, 2);
  stage_remove (stage, "arm.2");
  arm = stage_spawn (stage, "arm", 0.5, 0, 0.1);
  stage_step (stage, 40);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) other = make (environment);
  g_autoptr (GBytes) state = NULL, early = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  early = stage_save (stage);
  play (stage);
  state = stage_save (stage);
  hash = go_on (stage);
  stage_restore (stage, state);
  g_assert_cmpuint (go_on (stage), ==, hash);
  stage_restore (other, state);
  g_assert_cmpuint (go_on (other), ==, hash);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  assert_at_start (other, "arm_1.upper", "arm_1.upper.lower");
  play (other);
  g_assert_cmpuint (go_on (other), ==, hash);
  stage_restore (other, early);
  play (other);
  g_assert_cmpuint (go_on (other), ==, hash);
}

static void
test_states (void)
{
  g_test_summary ("A run with spawned arms is saved, restored, reset and repeated bit by bit");
  check_states (DYNAMIC);
}

static void
test_states_mujoco (void)
{
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_states (MUJOCO);
}

static void
test_states_kinematic (void)
{
  check_states (STAGE_PLAIN);
}

/* Where all objects are, to the last bit. */
static void
assert_same (Stage *stage, Stage *other)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    const OrreryTransform *a = orrery_snapshot_get_pose (stage_get_snapshot (stage), i);
    const OrreryTransform *b = orrery_snapshot_get_pose (stage_get_snapshot (other), i);
    const OrreryJointState *p = orrery_snapshot_get_joint (stage_get_snapshot (stage), i);
    const OrreryJointState *q = orrery_snapshot_get_joint (stage_get_snapshot (other), i);

    if (memcmp (a, b, sizeof *a) == 0 && (p == NULL || memcmp (p, q, sizeof *p) == 0))
      continue;
    g_test_message ("'%s' is elsewhere",
                    orrery_object_get_name (orrery_world_get_object (world, i)));
    g_test_fail ();
  }
}

/* What was spawned before must not reach what is spawned now. */
static void
check_history (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) fresh = make (environment);
  Stage *both[] = { stage, fresh };

  for (guint i = 0; i < 5; i++) {
    g_autofree char *arm = stage_spawn (stage, "arm", 1, 1, 0.1);
    g_autofree char *walker = stage_spawn (stage, "walker", 1, 1.5, 1);
    g_autofree char *crane = stage_spawn (stage, "crane", 1, 1, 1);

    stage_step (stage, 20);
    drive (stage, "arm_1.motor", 1);
    stage_step (stage, 7);
    stage_remove (stage, walker);
    stage_remove (stage, crane);
    stage_remove (stage, arm);
  }
  stage_step (stage, 65);
  stage_step (fresh, 200);
  for (guint i = 0; i < 2; i++) {
    g_autofree char *walker = stage_spawn (both[i], "walker", 0, 0, 1);
    g_autofree char *arm = stage_spawn (both[i], "arm", 0.3, 0, 0.1);

    stage_step (both[i], 1);
    orrery_commands_set_joint_position (orrery_world_get_commands (
                                            orrery_simulation_get_world (both[i]->simulation)),
                                        stage_find_object (both[i], "arm_1.upper"), 1.2, 0);
    stage_step (both[i], 120);
  }
  assert_same (stage, fresh);
}

static void
test_history (void)
{
  g_test_summary ("Bits of what is spawned do not depend on what was spawned before");
  check_history (DYNAMIC);
  check_history (STAGE_PLAIN);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_history (MUJOCO);
}

static void
check_thousand (const char *environment)
{
  g_autoptr (Stage) stage = make (environment);
  g_autoptr (Stage) quiet = make (environment);
  g_autofree char *arm = NULL;

  for (guint i = 0; i < 500; i++) {
    g_autofree char *one = stage_spawn (stage, "arm", 0, 0, 0.1);
    g_autofree char *walker = stage_spawn (stage, "walker", 0, 0, 0.3);

    stage_step (stage, 1);
    stage_remove (stage, one);
    stage_remove (stage, walker);
  }
  /* Until sensors that are slow have looked again. */
  stage_step (stage, 60);
  stage_step (quiet, 560);
  assert_same (stage, quiet);
  g_assert_cmpuint (orrery_simulation_get_digest (stage->simulation), ==,
                    orrery_simulation_get_digest (quiet->simulation));
  arm = stage_spawn (stage, "arm", 0, 0, 0.1);
  g_assert_cmpstr (arm, ==, "arm.501");
  stage_step (stage, 1);
  stage_step (quiet, 1);
  /* The control: the digest sees one arm. */
  g_assert_cmpuint (orrery_simulation_get_digest (stage->simulation), !=,
                    orrery_simulation_get_digest (quiet->simulation));
}

static void
test_thousand (void)
{
  g_test_summary ("After 1,000 spawns and removals the world is as one without any");
  check_thousand (DYNAMIC);
  check_thousand (STAGE_PLAIN);
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_thousand (MUJOCO);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/spawn-joints/life", test_life);
  g_test_add_func ("/spawn-joints/life-mujoco", test_life_mujoco);
  g_test_add_func ("/spawn-joints/life-kinematic", test_life_kinematic);
  g_test_add_func ("/spawn-joints/away", test_away);
  g_test_add_func ("/spawn-joints/falling", test_falling);
  g_test_add_func ("/spawn-joints/falling-mujoco", test_falling_mujoco);
  g_test_add_func ("/spawn-joints/states", test_states);
  g_test_add_func ("/spawn-joints/states-mujoco", test_states_mujoco);
  g_test_add_func ("/spawn-joints/states-kinematic", test_states_kinematic);
  g_test_add_func ("/spawn-joints/history", test_history);
  g_test_add_func ("/spawn-joints/thousand", test_thousand);
  return g_test_run ();
}
