/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>

/* Sizes of shapes that change while the scene runs. */

#define BODY(type) "'body': {'type': '" type "', 'mass': 2, 'damping': [0, 0]}"
#define BOX(x, y, z) "{'kind': 'box', 'size': [" #x ", " #y ", " #z "]}"
#define FLOOR                                                                                      \
  "{'name': 'floor', 'position': [0, 0, -0.5], " BODY ("static") ", 'shapes': [" BOX (40, 40,      \
                                                                                      1) "]}"
/* On which the box falls. */
#define TABLE                                                                                      \
  "{'name': 'table', 'position': [0, 0, 0.5], " BODY ("static") ", 'shapes': [" BOX (2, 2, 1) "]}"
#define CRATE                                                                                      \
  "{'name': 'crate', 'position': [0, 0, 1.5], " BODY ("rigid") ", 'shapes': [" BOX (0.4, 0.4,      \
                                                                                    0.4) "]}"
#define BALL                                                                                       \
  "{'name': 'ball', 'position': [5, 0, 1], " BODY ("rigid") ", 'shapes': [{'kind': 'sphere', "     \
                                                            "'radius': 0.25}]}"
#define CAN                                                                                        \
  "{'name': 'can', 'position': [5, 4, 1], " BODY ("rigid") ", 'shapes': [{'kind': 'cylinder', "    \
                                                           "'radius': 0.2, 'height': 0.4}]}"
#define ROCK                                                                                       \
  "{'name': 'rock', 'position': [5, -4, 0.6], " BODY (                                             \
      "rigid") ", 'shapes': [{'kind': 'hull', "                                                    \
               "'points': [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [0.5, 0.5, "  \
               "-0.5], [-0.4, "                                                                    \
               "-0.4, 0.5], [0.4, -0.4, 0.5], [-0.4, 0.4, 0.5], [0.4, 0.4, 0.5]]}]}"
/* A body of two objects, of which the upper one is a part. */
#define TOWER                                                                                      \
  "{'name': 'tower', 'position': [-5, 0, 0.5], " BODY ("static") ", 'shapes': [" BOX (             \
      1, 1, 1) "], 'objects': [{'name': 'top', 'position': [0, 0, 1], 'shapes': [" BOX (1, 1,      \
                                                                                        1) "]}]}"
#define BRICK                                                                                      \
  "{'name': 'brick', 'position': [-5, 0, 4], " BODY ("rigid") ", 'shapes': [" BOX (0.2, 0.2,       \
                                                                                   0.2) "]}"
#define ARM                                                                                        \
  "{'name': 'arm', 'position': [0, -8, 3], 'body': {'type': 'static'}, 'shapes': [" BOX (          \
      0.1, 0.1, 0.1) "], 'objects': [{'name': 'link', 'position': [0, 0.5, 0], 'body': {'type': "  \
                     "'rigid', 'mass': 2},"                                                        \
                     " 'joint': {'kind': 'hinge', 'axis': [1, 0, 0], 'anchor': [0, -0.5, 0]}, "    \
                     "'shapes': [" BOX (0.1, 0.6, 0.1) "]}]}"
#define SIGN                                                                                       \
  "{'name': 'sign', 'position': [0, 9, 2], 'shapes': [{'kind': 'box', 'size': [1, 1, 1], "         \
  "'solid': false}, {'kind': 'mesh', 'solid': false, 'position': [0, 0, 1], 'rotation': [0.5, 0, " \
  "0], 'points': [[0,"                                                                             \
  " 0, 0], [1, 0, 0], [0, 1, 0]], 'triangles': [[0, 1, 2]]}]}"
/* Rays go down from there. */
#define EYE                                                                                        \
  "{'name': 'eye', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 9], 'body': "        \
  "{'type': 'none'}, 'objects': [{'name': 'down', 'classpath': "                                   \
  "'orrery.sensors.radar_altimeter.RadarAltimeter'}]}"
#define NOTHING "{'name': 'nothing', 'position': [9, 0, 0], 'objects': [" INNER "]}"
#define INNER "{'name': 'inner', 'shapes': [" BOX (1, 1, 1) "]}"
#define OBJECTS                                                                                    \
  FLOOR ", " TABLE ", " CRATE ", " BALL ", " CAN ", " ROCK ", " TOWER ", " BRICK ", " ARM          \
        ", " SIGN ", " NOTHING
#define SPAWNABLE                                                                                  \
  "'spawnables': [{'count': 1, 'object': {'name': 'cube', " BODY (                                 \
      "rigid") ", 'shapes': [" BOX (0.5, 0.5, 0.5) "]}}],"
#define ENVIRONMENT(engine) "{'start': 0, 'physics': 'orrery.physics." engine "'}"

static const char *const engines[] = { "bullet.Bullet", "mujoco.MuJoCo" };

static Stage *
make (guint engine)
{
  g_autofree char *scene =
      stage_scene (engine == 0 ? ENVIRONMENT ("bullet.Bullet") : ENVIRONMENT ("mujoco.MuJoCo"),
                   engine == 0 ? SPAWNABLE : "", OBJECTS);

  return stage_new (scene, NULL);
}

static void
for_engines (void (*check) (guint engine))
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (orrery_test_has_engine (engines[i]))
      check (i);
}

static double
get_height (Stage *stage, const char *name)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (stage_get_world (stage));

  return orrery_snapshot_get_pose (snapshot,
                                   orrery_object_get_index (stage_find_object (stage, name)))
      ->position.z;
}

static void
assert_scale (Stage *stage, const char *path, double x, double y, double z)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *now = orrery_simulation_get_quantity (stage->simulation, path, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (now[0], ==, x);
  g_assert_cmpfloat (now[1], ==, y);
  g_assert_cmpfloat (now[2], ==, z);
}

static OrreryVec3
get_extent (Stage *stage, const char *name, guint shape)
{
  OrreryVec3 low, high;

  orrery_shape_get_bounds (orrery_object_get_shapes (stage_find_object (stage, name))->pdata[shape],
                           NULL, &low, &high);
  return (OrreryVec3){ high.x - low.x, high.y - low.y, high.z - low.z };
}

static void
assert_rests (Stage *stage, const char *name, double height)
{
  g_assert_cmpfloat_with_epsilon (get_height (stage, name), height, 0.01);
}

/* --- values --- */

static void
test_values (void)
{
  g_autoptr (Stage) stage = make (0);
  guint64 serial = orrery_world_get_shapes_serial (stage_get_world (stage));
  gpointer first = orrery_object_get_shapes (stage_find_object (stage, "table"))->pdata[0];
  OrreryVec3 size;

  g_test_summary ("An object that is scaled has shapes of another size, and those of the scene");
  assert_scale (stage, "table.scale", 1, 1, 1);
  g_assert_null (orrery_object_get_scale (stage_find_object (stage, "table")));
  stage_set_vec3 (stage, "table.scale", 0.5, 1, 3);
  stage_set_vec3 (stage, "sign.scale", 2, 3, 4);
  assert_scale (stage, "table.scale", 1, 1, 1);
  stage_step (stage, 1);
  assert_scale (stage, "table.scale", 0.5, 1, 3);
  g_assert_cmpuint (orrery_world_get_shapes_serial (stage_get_world (stage)), !=, serial);
  size = get_extent (stage, "table", 0);
  g_assert_cmpfloat (size.x, ==, 1);
  g_assert_cmpfloat (size.y, ==, 2);
  g_assert_cmpfloat (size.z, ==, 3);
  g_assert_cmpfloat (orrery_object_get_scale (stage_find_object (stage, "table"))->z, ==, 3);
  g_assert_true (orrery_object_get_scene_shapes (stage_find_object (stage, "table"))->pdata[0] ==
                 first);
  g_assert_false (orrery_shape_is_solid (
      orrery_object_get_shapes (stage_find_object (stage, "sign"))->pdata[0]));
  serial = orrery_world_get_shapes_serial (stage_get_world (stage));
  stage_step (stage, 5);
  g_assert_cmpuint (orrery_world_get_shapes_serial (stage_get_world (stage)), ==, serial);
  /* The same factors are the same shape, and 1 is that of the scene. */
  stage_set_vec3 (stage, "table.scale", 1, 1, 1);
  stage_step (stage, 1);
  g_assert_true (orrery_object_get_shapes (stage_find_object (stage, "table"))->pdata[0] == first);
  g_assert_null (orrery_object_get_scale (stage_find_object (stage, "table")));
}

/* --- physics --- */

static void
check_rest (guint engine)
{
  g_autoptr (Stage) stage = make (engine);

  stage_set_vec3 (stage, "ball.scale", 2, 2, 2);
  stage_set_vec3 (stage, "can.scale", 1, 1, 2);
  stage_set_vec3 (stage, "rock.scale", 1, 2, 0.5);
  stage_step (stage, 120);
  assert_rests (stage, "crate", 1.2);
  assert_rests (stage, "ball", 0.5);
  assert_rests (stage, "can", 0.4);
  assert_rests (stage, "rock", 0.25);
  assert_rests (stage, "brick", 2.1);
  stage_set_vec3 (stage, "table.scale", 1, 1, 0.5);
  stage_set_vec3 (stage, "tower.top.scale", 1, 1, 0.5);
  stage_step (stage, 120);
  assert_rests (stage, "crate", 0.95);
  assert_rests (stage, "brick", 1.85);
  stage_set_vec3 (stage, "crate.scale", 2, 0.5, 0.5);
  stage_set_vec3 (stage, "ball.scale", 1, 1, 1);
  stage_set_vec3 (stage, "can.scale", 0.5, 0.5, 1);
  stage_set_vec3 (stage, "rock.scale", 1, 1, 0.25);
  stage_step (stage, 120);
  assert_rests (stage, "crate", 0.85);
  assert_rests (stage, "ball", 0.25);
  assert_rests (stage, "can", 0.2);
  assert_rests (stage, "rock", 0.125);
}

static void
test_rest (void)
{
  g_test_summary ("What falls on an object that is scaled comes to rest where it ends now");
  for_engines (check_rest);
}

/* rad/s about z after a torque */
static double
spin (Stage *stage, const char *name)
{
  OrreryObject *object = stage_find_object (stage, name);

  for (guint i = 0; i < 10; i++) {
    g_assert_true (orrery_commands_add_force (orrery_world_get_commands (stage_get_world (stage)),
                                              object, &(OrreryVec3){ 0, 0, 0 },
                                              &(OrreryVec3){ 0, 0, 0.01 }));
    stage_step (stage, 1);
  }
  return orrery_snapshot_get_angular_velocity (orrery_world_get_snapshot (stage_get_world (stage)),
                                               orrery_object_get_index (object))
      ->z;
}

static void
check_inertia (guint engine)
{
  g_autoptr (Stage) stage = make (engine);
  g_autoptr (Stage) same = make (engine);
  double link = get_height (stage, "arm.link");
  OrreryVec3 before = *orrery_object_get_inertia (stage_find_object (stage, "crate")), now;
  double plain = spin (same, "crate");

  stage_set_vec3 (stage, "crate.scale", 2, 2, 1);
  stage_set_vec3 (stage, "arm.link.scale", 1, 0.5, 1);
  g_assert_cmpfloat_with_epsilon (spin (stage, "crate"), plain / 4, 1e-9);
  now = *orrery_object_get_inertia (stage_find_object (stage, "crate"));
  g_assert_cmpfloat_with_epsilon (now.z, 4 * before.z, 1e-9);
  g_assert_cmpfloat_with_epsilon (now.x, 2.5 * before.x, 1e-9);
  g_assert_cmpfloat (orrery_object_get_mass (stage_find_object (stage, "crate")), ==, 2);
  /* A shorter link falls faster about its hinge. */
  g_assert_cmpfloat (link - get_height (stage, "arm.link"), >,
                     1.01 * (link - get_height (same, "arm.link")));
  /* A mass that changes then is one of the new shape. */
  {
    g_autoptr (GError) error = NULL;

    g_assert_true (orrery_simulation_set_quantity (stage->simulation, "crate.mass", (double[]){ 4 },
                                                   1, &error));
    stage_step (stage, 1);
    now = *orrery_object_get_inertia (stage_find_object (stage, "crate"));
    g_assert_cmpfloat_with_epsilon (now.z, 8 * before.z, 1e-9);
  }
}

static void
test_inertia (void)
{
  g_test_summary ("The mass stays, and the inertia is that of the new shape");
  for_engines (check_inertia);
}

static void
test_spawned (void)
{
  g_autoptr (Stage) stage = make (0);
  OrreryTransform at = { .position = { 9, 9, 0.5 }, .rotation = { .w = 1 } };
  g_autofree char *first = orrery_simulation_spawn (stage->simulation, "cube", &at, NULL);
  g_autofree char *second = NULL;

  g_test_summary ("What is spawned has the scene's size, whatever its place had before");
  stage_set_vec3 (stage, "cube.1.scale", 1, 1, 3);
  stage_step (stage, 60);
  assert_rests (stage, "cube_1", 0.75);
  g_assert_true (orrery_simulation_remove (stage->simulation, first, NULL));
  stage_step (stage, 1);
  second = orrery_simulation_spawn (stage->simulation, "cube", &at, NULL);
  stage_step (stage, 60);
  assert_scale (stage, "cube.2.scale", 1, 1, 1);
  assert_rests (stage, "cube_1", 0.25);
}

/* --- what sees it --- */

static void
check_rays (const char *environment)
{
  g_autofree char *scene = stage_scene (environment, "", TABLE ", " SIGN ", " EYE);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GError) error = NULL;

  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "eye.down", "z"), 8, 1e-6);
  stage_set_vec3 (stage, "table.scale", 1, 1, 3);
  /* Sensors see it in the tick after the one in which physics takes it. */
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "eye.down", "z"), 7, 1e-6);
  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  stage_step (stage, 2);
  g_assert_cmpfloat_with_epsilon (stage_get (stage, "eye.down", "z"), 8, 1e-6);
}

static void
test_rays (void)
{
  g_test_summary ("Rays meet an object in the size that it has, with each engine and ray caster");
  check_rays ("{'start': 0, " STAGE_KINEMATIC "}");
  check_rays ("{'start': 0, " STAGE_KINEMATIC ", 'raycaster': 'orrery.raycasters.exact.Exact'}");
  check_rays (ENVIRONMENT ("bullet.Bullet"));
  if (orrery_test_has_engine (engines[1]))
    check_rays (ENVIRONMENT ("mujoco.MuJoCo"));
}

static void
test_list (void)
{
  g_autoptr (Stage) stage = make (0);
  g_autoptr (GArray) looks = NULL;
  const OrreryLook *look;

  g_test_summary ("Who shows the world gets the scales of what is not as in the scene");
  stage_set_vec3 (stage, "can.scale", 2, 2, 1);
  stage_step (stage, 1);
  looks = orrery_world_list_looks (stage_get_world (stage));
  g_assert_cmpuint (looks->len, ==, 1);
  look = &g_array_index (looks, OrreryLook, 0);
  g_assert_cmpint (look->which, ==, ORRERY_QUANTITY_SCALE);
  g_assert_cmpuint (look->object, ==, orrery_object_get_index (stage_find_object (stage, "can")));
  g_assert_cmpfloat (look->value.y, ==, 2);
}

/* --- states --- */

static void
change (Stage *stage)
{
  stage_step (stage, 20);
  stage_set_vec3 (stage, "table.scale", 1, 1, 0.75);
  stage_set_vec3 (stage, "crate.scale", 1.5, 1, 0.5);
  stage_set_vec3 (stage, "ball.scale", 2, 2, 2);
  stage_set_vec3 (stage, "arm.link.scale", 1, 0.75, 1);
  stage_set_vec3 (stage, "tower.top.scale", 1, 1, 0.5);
  stage_step (stage, 30);
  stage_set_vec3 (stage, "rock.scale", 1, 2, 0.5);
  stage_step (stage, 10);
}

static guint64
go_on (Stage *stage)
{
  stage_step (stage, 20);
  stage_set_vec3 (stage, "crate.scale", 1, 2, 1);
  stage_set_vec3 (stage, "ball.scale", 1, 1, 1);
  stage_step (stage, 40);
  return orrery_simulation_get_hash (stage->simulation);
}

static void
check_states (guint engine)
{
  g_autoptr (Stage) stage = make (engine);
  g_autoptr (Stage) other = make (engine);
  g_autoptr (Stage) plain = make (engine);
  g_autoptr (GBytes) state = NULL, again = NULL, early = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash, unchanged;

  stage_step (plain, 60);
  early = stage_save (plain);
  unchanged = go_on (plain);
  change (stage);
  state = stage_save (stage);
  hash = go_on (stage);
  g_assert_cmpuint (hash, !=, unchanged);
  stage_restore (stage, state);
  assert_scale (stage, "rock.scale", 1, 2, 0.5);
  again = stage_save (stage);
  g_assert_true (g_bytes_equal (state, again));
  g_assert_cmpuint (go_on (stage), ==, hash);
  stage_restore (other, state);
  assert_scale (other, "crate.scale", 1.5, 1, 0.5);
  g_assert_cmpuint (go_on (other), ==, hash);
  /* Sizes are those of the scene again after a reset, in the engine, too. */
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  assert_scale (other, "crate.scale", 1, 1, 1);
  stage_step (other, 60);
  g_assert_cmpuint (go_on (other), ==, unchanged);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  change (other);
  g_assert_cmpuint (go_on (other), ==, hash);
  /* So they are where a state of the scene as it is is restored. */
  stage_restore (other, early);
  assert_scale (other, "table.scale", 1, 1, 1);
  g_assert_cmpuint (go_on (other), ==, unchanged);
}

static void
test_states (void)
{
  g_test_summary ("A run with sizes that change is saved, restored, reset and repeated bit by bit");
  for_engines (check_states);
}

/* --- what is refused --- */

static void
test_refused (void)
{
  static const struct {
    const char *arguments, *words;
  } rows[] = {
    { "[<'table.scale'>, <2.0>]", "scale is three numbers, ?x, y, z?" },
    { "[<'table.scale'>, <[1.0, 1.0]>]", "scale is three numbers*" },
    { "[<'table.scale'>, <[1.0, 1.0, 0.0]>]", "each number of scale is from 0.001 to 1000" },
    { "[<'table.scale'>, <[1.0, -1.0, 1.0]>]", "each number of scale is from 0.001 to 1000" },
    { "[<'table.scale'>, <[1.0, 1.0, 1e4]>]", "each number of scale is from 0.001 to 1000" },
    { "[<'table.scale'>, <['a', 'b', 'c']>]", "scale is three numbers*" },
    { "[<'table.size'>, <[1.0, 1.0, 1.0]>]", "an object has no quantity 'size'*" },
    { "[<'scale'>, <[1.0, 1.0, 1.0]>]", "'scale' is of an object: the path is OBJECT.scale" },
    { "[<'ball.scale'>, <[1.0, 1.0, 2.0]>]",
      "'ball' has a shape that is round, or turned: its scale is three equal numbers" },
    { "[<'can.scale'>, <[1.0, 2.0, 1.0]>]",
      "'can' has a shape that is round, or turned: its scale is three equal numbers, or two equal "
      "ones and another along z" },
    { "[<'nothing.scale'>, <[1.0, 1.0, 2.0]>]",
      "'nothing' has no shape of its own, so no scale; there is nothing.inner.scale" },
    { "[<'cube_1.scale'>, <[1.0, 1.0, 2.0]>]", "'cube_1' is not in the world*" },
  };
  static const char zone[] =
      "{'name': 'zone', 'properties': {'Zone_Tag': true}, 'shapes': [{'kind': 'box', 'size': [1, "
      "1, 1], 'solid': false}]}, {'name': 'huge', 'shapes': [" BOX (1000, 1000, 1) "]}";
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", zone);
  g_autoptr (Stage) stage = make (0);
  g_autoptr (Stage) other = stage_new (scene, NULL);

  g_test_summary ("A size that an object cannot have is refused with the reason");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    stage_call_fails (stage, "simulation", "set", rows[i].arguments, ORRERY_CALL_FAILED,
                      rows[i].words);
  stage_call_fails (other, "simulation", "set", "[<'zone.scale'>, <[1.0, 1.0, 2.0]>]",
                    ORRERY_CALL_FAILED, "'zone' is a zone: its box cannot change*");
  stage_call_fails (other, "simulation", "set", "[<'huge.scale'>, <[999.0, 1.0, 2.0]>]",
                    ORRERY_CALL_FAILED, "'huge' would reach farther than 100000 m from its origin");
  stage_step (stage, 1);
  assert_scale (stage, "ball.scale", 1, 1, 1);
}

static void
test_commands (void)
{
  g_autoptr (Stage) stage = make (0);
  OrreryCommands *commands = orrery_world_get_commands (stage_get_world (stage));
  OrreryVec3 uneven = { 1, 1, 2 }, nan = { NAN, 1, 1 };

  g_test_summary ("Commands for a size that an object cannot have change nothing");
  g_assert_false (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_SCALE,
                                                stage_find_object (stage, "ball"), &uneven));
  g_assert_false (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_SCALE,
                                                stage_find_object (stage, "table"), &nan));
  g_assert_false (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_SCALE,
                                                stage_find_object (stage, "nothing"), &uneven));
  stage_step (stage, 1);
  assert_scale (stage, "ball.scale", 1, 1, 1);
  g_assert_cmpuint (orrery_world_get_shapes_serial (stage_get_world (stage)), ==, 0);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/scale/values", test_values);
  g_test_add_func ("/scale/rest", test_rest);
  g_test_add_func ("/scale/inertia", test_inertia);
  g_test_add_func ("/scale/spawned", test_spawned);
  g_test_add_func ("/scale/rays", test_rays);
  g_test_add_func ("/scale/list", test_list);
  g_test_add_func ("/scale/states", test_states);
  g_test_add_func ("/scale/refused", test_refused);
  g_test_add_func ("/scale/commands", test_commands);
  return g_test_run ();
}
