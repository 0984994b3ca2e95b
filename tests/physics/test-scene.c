/* SPDX-License-Identifier: BSD-3-Clause */
/* The engines as a scene asks for them: by classpath, in the whole host. */
#include <glib/gstdio.h>
#include <orrery-test.h>
#include <string.h>

static const char scene_text[] =
    "{ \"orrery\": 1, \"environment\": { \"import\": \"%s\", \"physics\": \"%s\" },"
    "  \"objects\": ["
    "    { \"name\": \"robot\", \"classpath\": \"morse.robots.%s\", \"position\": [0, 0, %s] } ] }";

static OrrerySimulation *
load (const char *environment, const char *physics, const char *robot, const char *z,
      GError **error)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();
  g_autofree char *text = g_strdup_printf (scene_text, environment, physics, robot, z);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "orrery-physics-XXXXXX", NULL);
  g_autofree char *file = NULL;
  OrrerySimulation *simulation;

  g_assert_nonnull (g_mkdtemp (path));
  file = g_build_filename (path, "scene.json", NULL);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  simulation = orrery_simulation_load (registry, file, error);
  g_remove (file);
  g_remove (path);
  return simulation;
}

static double
height (OrrerySimulation *simulation, const char *name)
{
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  OrreryObject *object = orrery_world_find_object (world, name);

  return orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                   orrery_object_get_index (object))
      ->position.z;
}

/* m, of the robot's root after two seconds */
static double
rest (const char *environment, const char *physics, const char *robot, const char *z)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation = load (environment, physics, robot, z, &error);

  g_assert_no_error (error);
  orrery_simulation_step (simulation, 120, &error);
  g_assert_no_error (error);
  return height (simulation, "robot");
}

static void
test_bullet (void)
{
  assert_near (rest ("empty", "orrery.physics.bullet.Bullet", "atrv.ATRV", "0.2"), 0.100, 0.005);
  assert_near (rest ("empty", "morse.physics.bullet.Bullet", "morsy.Morsy", "0.2"), 0.046, 0.005);
  assert_near (rest ("indoors-1/boxes", "orrery.physics.bullet.Bullet", "atrv.ATRV", "0.2"), 0.100,
               0.005);
}

static void
test_kinematic (void)
{
  assert_near (rest ("empty", "orrery.physics.kinematic.Kinematic", "atrv.ATRV", "0.2"), 0.3,
               1e-12);
}

static void
test_boxes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation =
      load ("indoors-1/boxes", "orrery.physics.bullet.Bullet", "atrv.ATRV", "0", &error);

  g_assert_no_error (error);
  orrery_simulation_step (simulation, 180, &error);
  g_assert_no_error (error);
  assert_near (height (simulation, "RedBox") + 0.9, 1.860, 0.01);
}

/* m, of a cube of 20 cm on the ground of 'empty', after two seconds */
static double
rest_cube (const char *physics, const char *body, const char *shape)
{
  g_autofree char *text = g_strdup_printf (
      "'environment': {'import': 'empty', 'physics': 'orrery.physics.%s'}, 'objects': [{'name': "
      "'cube', 'position': [0, 0, 0.2], 'body': {'type': 'rigid'%s}, 'shapes': [%s]}]",
      physics, body, shape);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (text);

  orrery_test_step (sim, 120);
  return orrery_test_get_pose (sim, "cube")->position.z;
}

static void
test_surface (void)
{
  static const char box[] = "{'kind': 'box', 'size': [0.2, 0.2, 0.2]}";
  static const char hull[] =
      "{'kind': 'hull', 'points': [[0.1, 0.1, 0.1], [-0.1, 0.1, 0.1], [0.1, -0.1, 0.1], "
      "[-0.1, -0.1, 0.1], [0.1, 0.1, -0.1], [-0.1, 0.1, -0.1], [0.1, -0.1, -0.1], "
      "[-0.1, -0.1, -0.1]]}";
  const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

  g_test_summary ("a body without a margin rests on the surface, another on the ground's margin");
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++) {
    if (!orrery_test_has_engine (engines[i]))
      continue;
    assert_near (rest_cube (engines[i], "", box), 0.1, 0.001);
    assert_near (rest_cube (engines[i], "", hull), 0.1, 0.001);
    assert_near (rest_cube (engines[i], ", 'margin': -1", hull), 0.1, 0.001);
    assert_near (rest_cube (engines[i], ", 'margin': 0", box), 0.16, 0.001);
    assert_near (rest_cube (engines[i], ", 'margin': 0.02", hull), 0.18, 0.001);
  }
}

static void
test_unknown (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation =
      load ("empty", "orrery.physics.bullet.Bulet", "atrv.ATRV", "0", &error);

  g_assert_null (simulation);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "Bullet"));
}

/* A force beyond all measure stops the run with the object's name. */
static void
test_state (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySimulation) simulation =
      load ("empty", "orrery.physics.bullet.Bullet", "atrv.ATRV", "0", &error);
  OrreryVec3 huge = { 1e14, 0, 0 }, none = { 0 };
  OrreryWorld *world;

  g_assert_no_error (error);
  world = orrery_simulation_get_world (simulation);
  g_assert_true (orrery_simulation_step (simulation, 10, &error));
  orrery_commands_add_force (orrery_world_get_commands (world),
                             orrery_world_find_object (world, "robot"), &huge, &none);
  g_assert_false (orrery_simulation_step (simulation, 10, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, "robot"));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/physics/scene/bullet", test_bullet);
  g_test_add_func ("/physics/scene/kinematic", test_kinematic);
  g_test_add_func ("/physics/scene/boxes", test_boxes);
  g_test_add_func ("/physics/scene/surface", test_surface);
  g_test_add_func ("/physics/scene/unknown", test_unknown);
  g_test_add_func ("/physics/scene/state", test_state);
  return g_test_run ();
}
