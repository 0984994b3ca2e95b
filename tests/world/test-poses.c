/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

/* What a root carries: things that nobody asks for, one of them on another. */
#define SCENE                                                                                      \
  ORRERY_TEST_KINEMATIC ("{'name': 'root', 'objects': ["                                           \
                         "{'name': 'arm', 'position': [1, 2, 3], 'rotation': [0.1, 0.2, 0.3], "    \
                         "'objects': [{'name': 'tip', 'position': [0.5, 0, 0.25]}]}, "             \
                         "{'name': 'here'}]}")

static OrreryObject *
find (OrrerySimulation *sim, const char *name)
{
  OrreryObject *object = orrery_world_find_object (orrery_simulation_get_world (sim), name);

  g_assert_nonnull (object);
  return object;
}

static const OrreryTransform *
get_pose (OrrerySimulation *sim, const char *name)
{
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (orrery_simulation_get_world (sim)),
                                   orrery_object_get_index (find (sim, name)));
}

static OrreryBuffer *
dup_poses (OrrerySimulation *sim)
{
  return orrery_snapshot_dup_poses (orrery_world_get_snapshot (orrery_simulation_get_world (sim)));
}

/* The root turns as it goes; later the arm, on which nobody has looked, is put elsewhere. */
static void
run (OrrerySimulation *sim)
{
  OrreryCommands *commands = orrery_world_get_commands (orrery_simulation_get_world (sim));
  OrreryVec3 v = { 0.5, -0.25, 0.125 }, w = { 0.1, 0.2, 0.3 };
  OrreryTransform other;

  orrery_transform_identity (&other);
  orrery_quat_from_euler (0.4, 0.5, 0.6, &other.rotation);
  other.position.y = -2;
  orrery_commands_set_velocity (commands, find (sim, "root"), &v, &w);
  orrery_test_step (sim, 20);
  orrery_commands_set_pose (commands, find (sim, "root.arm"), &other);
  orrery_test_step (sim, 20);
}

static void
assert_same (OrreryBuffer *a, OrreryBuffer *b)
{
  g_assert_cmpmem (orrery_buffer_get_data (a), orrery_buffer_get_size (a),
                   orrery_buffer_get_data (b), orrery_buffer_get_size (b));
}

static void
test_asked (void)
{
  g_autoptr (OrrerySimulation) asked = orrery_test_load (SCENE);
  g_autoptr (OrrerySimulation) unasked = orrery_test_load (SCENE);
  const OrreryTransform *kept = get_pose (asked, "root.arm.tip");
  g_autoptr (OrreryBuffer) start = dup_poses (unasked);
  g_autoptr (OrreryBuffer) all = NULL, same = NULL, later = NULL;
  OrreryTransform once;

  g_test_summary ("a pose is the same, to the bit, whenever it is asked for");
  g_assert_nonnull (get_pose (asked, "root.here"));
  run (asked);
  run (unasked);
  once = *kept;
  all = dup_poses (asked);
  g_assert_cmpmem (&once, sizeof once, get_pose (unasked, "root.arm.tip"), sizeof once);
  same = dup_poses (unasked);
  assert_same (all, same);
  g_assert_cmpmem (get_pose (unasked, "root"), sizeof once, get_pose (unasked, "root.here"),
                   sizeof once);
  /* They are others than those of the start. */
  for (guint i = 0; i < 4; i++)
    g_assert_true (memcmp ((const OrreryTransform *) orrery_buffer_get_data (start) + i,
                           (const OrreryTransform *) orrery_buffer_get_data (all) + i,
                           sizeof once) != 0);

  /* Who keeps the pointer sees the next poses, too. */
  kept = get_pose (unasked, "root.arm.tip");
  orrery_test_step (asked, 1);
  orrery_test_step (unasked, 1);
  g_assert_true (memcmp (&once, kept, sizeof once) != 0);
  g_assert_cmpmem (kept, sizeof once, get_pose (asked, "root.arm.tip"), sizeof once);
  later = dup_poses (unasked);
  g_assert_true (memcmp (orrery_buffer_get_data (later), orrery_buffer_get_data (same),
                         orrery_buffer_get_size (same)) != 0);
}

static void
test_saved (void)
{
  g_autoptr (OrrerySimulation) asked = orrery_test_load (SCENE);
  g_autoptr (OrrerySimulation) unasked = orrery_test_load (SCENE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) one = NULL, other = NULL;

  g_test_summary ("a state holds poses that nobody has asked for");
  g_assert_nonnull (get_pose (asked, "root.arm.tip"));
  g_assert_nonnull (get_pose (asked, "root.here"));
  run (asked);
  run (unasked);
  one = orrery_simulation_save (asked, &error);
  g_assert_no_error (error);
  other = orrery_simulation_save (unasked, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (one, other));
  g_assert_true (orrery_simulation_restore (unasked, one, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (get_pose (asked, "root.arm.tip"), sizeof (OrreryTransform),
                   get_pose (unasked, "root.arm.tip"), sizeof (OrreryTransform));
}

/* A robot that is told to drive and turn at 1 m/s and 1 rad/s, ten times a second. */
static void
test_arc (void)
{
  static const char *const bodies[] = { "none", "rigid" };

  g_test_summary ("a robot without a body goes along its arc exactly, as one with a body does");
  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++) {
    g_autofree char *text = g_strdup_printf (
        "'environment': {'frequency': 10, 'physics': 'orrery.physics.kinematic.Kinematic'}, "
        "'objects': [{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'body': {'type': "
        "'%s'}, 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}], 'objects': [{'name': 'motion', "
        "'classpath': 'orrery.actuators.v_omega.MotionVW', 'frequency': 10}]}]",
        bodies[i]);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (text);
    OrreryRecord *record =
        orrery_component_get_record (orrery_simulation_find_component (sim, "robot.motion"));

    g_assert_true (orrery_record_set_value (record, "v", g_variant_new_double (1), NULL));
    g_assert_true (orrery_record_set_value (record, "w", g_variant_new_double (1), NULL));
    orrery_test_step (sim, 31);
    assert_near (get_pose (sim, "robot")->position.x, sin (3.1), 1e-9);
    assert_near (get_pose (sim, "robot")->position.y, 1 - cos (3.1), 1e-9);
  }
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/world/poses/asked", test_asked);
  g_test_add_func ("/world/poses/saved", test_saved);
  g_test_add_func ("/world/poses/arc", test_arc);
  return g_test_run ();
}
