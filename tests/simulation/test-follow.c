/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* A simulation whose world goes as that of another one, whatever its own parts command. */

#define BULLET "{'start': 0, 'physics': 'orrery.physics.bullet.Bullet', 'gravity': [0, 0, %g]}"
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"
/* An arm on a post that falls, a box that a script pushes in one substep, a robot that is driven.
 */
#define OBJECTS                                                                                    \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'motion', 'classpath': '%s', 'frequency': 60},"                                        \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', 'position': [%g, 0, 0]}]}, "          \
  "{'name': 'post', 'position': [4, 0, 1], 'body': {'type': 'rigid', 'mass': 5},"                  \
  " 'shapes': [{'kind': 'box', 'size': [0.5, 0.5, 0.5]}], 'objects': [{'name': 'arm',"             \
  " 'position': [0, 0, 0.3], 'body': {'type': 'rigid', 'mass': 1},"                                \
  " 'joint': {'kind': 'hinge', 'axis': [0, 1, 0], 'position': 0.2, 'limits': [-1, 1]},"            \
  " 'shapes': [{'kind': 'box', 'size': [0.1, 0.1, 0.4], 'position': [0, 0, 0.2]}]}]}, "            \
  "{'name': 'box', 'position': [0, 3, 5], 'body': {'type': 'rigid', 'mass': %g},"                  \
  " 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]%s}"
#define PUSHER                                                                                     \
  ", 'scripts': [{'type': 'child', 'classpath': 'probe.scripts.Pusher',"                           \
  " 'properties': {'tick': 7, 'substep': 1}}]"
#define SPEED "orrery.actuators.v_omega.MotionVW"

static Stage *
make (const char *actuator, double place, double mass, const char *script, double gravity)
{
  g_autofree char *environment = g_strdup_printf (BULLET, gravity);
  g_autofree char *objects = g_strdup_printf (OBJECTS, actuator, place, mass, script);
  g_autofree char *scene =
      stage_scene (environment, "'component_datastream': {'robot.motion': [" LOOP "]},", objects);

  return stage_new (scene, NULL);
}

static const OrreryTransform *
get_pose (Stage *stage, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);

  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (
                                       orrery_world_find_object (world, name)));
}

static void
move_box (Stage *stage, double x)
{
  OrreryWorld *world = orrery_simulation_get_world (stage->simulation);
  OrreryTransform pose = { .position = { x, 3, 2 }, .rotation = { .w = 1 } };
  OrreryCommands *commands = orrery_world_get_commands (world);
  OrreryObject *box = orrery_world_find_object (world, "box");

  orrery_commands_set_pose (commands, box, &pose);
  orrery_commands_set_value (commands, box, "Label", g_variant_new_double (x));
}

/* Returns: whether all objects are where they are in the other one, in this tick */
static gboolean
run_one (Stage *first, Stage *second, guint i)
{
  static const char *const names[] = { "robot", "post", "post.arm", "box" };
  gboolean same = TRUE;

  if (i == 2)
    stage_put (first, "robot.motion", 0, 1, "{'v': 1.0, 'w': 0.5}");
  if (i == 3)
    stage_put (second, "robot.motion", 0, 1, "{'x': 3.0, 'v': -2.0}");
  if (i == 20)
    move_box (first, 4);
  if (i == 21)
    move_box (second, -9);
  stage_step (first, 1);
  stage_step (second, 1);
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    same &= memcmp (get_pose (first, names[k]), get_pose (second, names[k]),
                    sizeof (OrreryTransform)) == 0;
  return same;
}

static void
test_same (void)
{
  g_autoptr (Stage) first = make (SPEED, 0, 2, PUSHER, -9.81);
  g_autoptr (Stage) second = make ("orrery.actuators.v_omega.MotionVW", 0.5, 2, "", -9.81);
  g_autoptr (GError) error = NULL;
  OrreryWorld *world;
  GVariant *label;

  g_test_summary (
      "All objects move as in the other one: robots, bodies, joints, pushes, teleports");
  orrery_simulation_follow (second->simulation, first->simulation, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 90; i++)
    g_assert_true (run_one (first, second, i));
  g_assert_cmpfloat (get_pose (second, "robot")->position.x, >, 0.5);
  g_assert_cmpfloat (get_pose (second, "box")->position.x, >, 3);
  /* Properties of objects are commanded, too. */
  world = orrery_simulation_get_world (second->simulation);
  label = orrery_object_get_value (orrery_world_find_object (world, "box"), "Label");
  g_assert_cmpfloat (g_variant_get_double (label), ==, 4);
  /* Its own sensor is where it has it. */
  g_assert_cmpfloat (stage_get (first, "robot.pose", "x"), !=,
                     stage_get (second, "robot.pose", "x"));
}

static void
test_alone (void)
{
  g_autoptr (Stage) first = make (SPEED, 0, 2, PUSHER, -9.81);
  g_autoptr (Stage) second = make (SPEED, 0, 2, "", -9.81);
  guint n = 0;

  g_test_summary ("Control: without following, it goes its own way");
  for (guint i = 0; i < 30; i++)
    n += run_one (first, second, i);
  g_assert_cmpuint (n, <, 10);
}

static void
test_late (void)
{
  g_autoptr (Stage) first = make (SPEED, 0, 2, PUSHER, -9.81);
  g_autoptr (Stage) second = make (SPEED, 0, 2, "", -9.81);
  g_autoptr (GError) error = NULL;

  g_test_summary ("A tick that the other one has not run, or has left, cannot be run");
  g_assert_true (orrery_simulation_follow (second->simulation, first->simulation, NULL));
  g_assert_false (orrery_simulation_step (second->simulation, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_cmpstr (error->message, ==,
                   "it follows a run that has had 0 ticks, and cannot run its tick 0");
}

static void
test_moved (void)
{
  g_autoptr (Stage) first = make (SPEED, 0, 2, "", -9.81);
  g_autoptr (Stage) second = make (SPEED, 0, 2, "", -1);
  g_autoptr (GError) error = NULL;

  g_test_summary ("Where something moves the world that is no command, it is said which object");
  g_assert_true (orrery_simulation_follow (second->simulation, first->simulation, NULL));
  stage_step (first, 1);
  g_assert_false (orrery_simulation_step (second->simulation, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (error->message, ==,
                   "post: it moves another way than in the run that is followed, in tick 0: a part "
                   "or property that differs moves it");
}

static void
test_refused (void)
{
  g_autoptr (Stage) first = make (SPEED, 0, 2, "", -9.81);
  g_autoptr (Stage) other = make (SPEED, 0, 2, "}, {'name': 'further'", -9.81);
  g_autoptr (Stage) still = make (SPEED, 0, 2, ", 'properties': {'a': 1}}, {'name': 'x'", -9.81);
  g_autofree char *scene = stage_scene ("{'start': 0, 'frequency': 30}", "", "{'name': 'a'}");
  g_autoptr (Stage) slow = stage_new (scene, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("Scenes with other objects or other ticks do not follow");
  g_assert_false (orrery_simulation_follow (other->simulation, first->simulation, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (error->message, ==, "it has 7 objects, and the run that it is to follow has 6");
  g_clear_error (&error);
  g_assert_false (orrery_simulation_follow (other->simulation, still->simulation, &error));
  g_assert_nonnull (strstr (error->message, "its object further"));
  g_clear_error (&error);
  g_assert_false (orrery_simulation_follow (slow->simulation, first->simulation, &error));
  g_assert_nonnull (strstr (error->message, "its ticks"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/follow/same", test_same);
  g_test_add_func ("/follow/alone", test_alone);
  g_test_add_func ("/follow/late", test_late);
  g_test_add_func ("/follow/moved", test_moved);
  g_test_add_func ("/follow/refused", test_refused);
  return g_test_run ();
}
