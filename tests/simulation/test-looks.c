/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Lamps and colours that change while the scene runs. */

#define BOX(color) "{'kind': 'box', 'size': [1, 1, 1]" color "}"
#define CRATE                                                                                      \
  "{'name': 'crate', 'shapes': [" BOX (", 'color': [1, 0.5, 0.25], 'alpha': 0.5") ", " BOX (       \
      ", 'color': [0, 1, 0]") "]}"
#define PLAIN "{'name': 'plain', 'position': [3, 0, 0], 'shapes': [" BOX ("") "]}"
#define LAMP                                                                                       \
  "{'name': 'lamp', 'position': [0, 0, 4], 'lamp': {'kind': 'spot', 'energy': 2, 'color': [1, "    \
  "1, 0.5]}}"
/* The shape of the tower itself is seen by no camera. */
#define TOWER                                                                                      \
  "{'name': 'tower', 'position': [6, 0, 0], 'shapes': [{'kind': 'sphere', 'radius': 1, "           \
  "'visible': false}], 'objects': [{'name': 'bulb', 'lamp': {'kind': 'point'}}, {'name': "         \
  "'wall', 'shapes': [" BOX ("") "]}]}"
#define NOTHING "{'name': 'nothing', 'position': [9, 0, 0]}"
#define OBJECTS CRATE ", " PLAIN ", " LAMP ", " TOWER ", " NOTHING
#define SPAWNABLE                                                                                  \
  "'spawnables': [{'count': 1, 'object': {'name': 'torch', 'lamp': {'kind': 'point', 'energy': "   \
  "3}, 'shapes': [" BOX (", 'color': [0, 0, 1]") "]}}],"

static Stage *
make (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, SPAWNABLE, OBJECTS);

  return stage_new (scene, NULL);
}

static void
assert_energy (Stage *stage, const char *path, double value)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *number = orrery_simulation_get_quantity (stage->simulation, path, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (number[0], ==, value);
}

static void
assert_color (Stage *stage, const char *path, double red, double green, double blue)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *rgb = orrery_simulation_get_quantity (stage->simulation, path, &n, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpfloat (rgb[0], ==, red);
  g_assert_cmpfloat (rgb[1], ==, green);
  g_assert_cmpfloat (rgb[2], ==, blue);
}

static void
assert_as_scene (Stage *stage)
{
  g_autoptr (GArray) looks = orrery_world_list_looks (stage_get_world (stage));

  g_assert_cmpuint (looks->len, ==, 0);
  g_assert_null (orrery_object_get_paint (stage_find_object (stage, "crate")));
  assert_color (stage, "crate.color", 1, 0.5, 0.25);
  assert_color (stage, "lamp.light_color", 1, 1, 0.5);
  assert_energy (stage, "lamp.energy", 2);
}

/* --- values --- */

static void
test_values (void)
{
  g_autoptr (Stage) stage = make ();
  guint64 serial = orrery_world_get_looks_serial (stage_get_world (stage));
  const OrreryVec3 *paint;
  OrreryShape *shape;

  g_test_summary ("Colours and lamps are as they were told from the next tick on");
  assert_as_scene (stage);
  assert_color (stage, "plain.color", 0.8, 0.8, 0.8);
  stage_set_vec3 (stage, "crate.color", 0, 0.25, 1);
  stage_set_vec3 (stage, "lamp.light_color", 1, 0, 0);
  stage_set (stage, "lamp.energy", 5e5);
  stage_set (stage, "tower.bulb.energy", 0);
  assert_as_scene (stage);
  g_assert_cmpuint (orrery_world_get_looks_serial (stage_get_world (stage)), ==, serial);
  stage_step (stage, 1);
  g_assert_cmpuint (orrery_world_get_looks_serial (stage_get_world (stage)), !=, serial);
  assert_color (stage, "crate.color", 0, 0.25, 1);
  assert_color (stage, "lamp.light_color", 1, 0, 0);
  assert_energy (stage, "lamp.energy", 5e5);
  assert_energy (stage, "tower.bulb.energy", 0);
  assert_color (stage, "plain.color", 0.8, 0.8, 0.8);
  paint = orrery_object_get_paint (stage_find_object (stage, "crate"));
  g_assert_nonnull (paint);
  g_assert_cmpfloat (paint->z, ==, 1);
  g_assert_null (orrery_object_get_paint (stage_find_object (stage, "plain")));
  /* Materials and settings are those of the scene, and may be shared. */
  shape = orrery_object_get_shapes (stage_find_object (stage, "crate"))->pdata[0];
  g_assert_cmpfloat (orrery_material_get_color (orrery_shape_get_material (shape, 0))[0], ==, 1);
  g_assert_cmpfloat (orrery_object_get_lamp (stage_find_object (stage, "lamp"))->energy, ==, 2);
  /* What does not change costs nobody a look. */
  serial = orrery_world_get_looks_serial (stage_get_world (stage));
  stage_step (stage, 10);
  g_assert_cmpuint (orrery_world_get_looks_serial (stage_get_world (stage)), ==, serial);
}

static void
test_list (void)
{
  static const OrreryQuantityKind kinds[] = { ORRERY_QUANTITY_ENERGY, ORRERY_QUANTITY_LIGHT_COLOR,
                                              ORRERY_QUANTITY_COLOR };
  g_autoptr (Stage) stage = make ();
  g_autoptr (GArray) looks = NULL, fewer = NULL;

  g_test_summary ("Who shows the world gets a list of what is not as in the scene");
  stage_set_vec3 (stage, "crate.color", 0, 0.25, 1);
  stage_set_vec3 (stage, "lamp.light_color", 1, 0, 0);
  stage_set (stage, "lamp.energy", 7);
  stage_step (stage, 1);
  looks = orrery_world_list_looks (stage_get_world (stage));
  g_assert_cmpuint (looks->len, ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < looks->len; i++) {
    const OrreryLook *look = &g_array_index (looks, OrreryLook, i);

    g_assert_cmpint (look->which, ==, kinds[i]);
    g_assert_cmpuint (look->object, ==,
                      orrery_object_get_index (
                          stage_find_object (stage, i == 2 ? "crate" : "lamp")));
  }
  g_assert_cmpfloat (g_array_index (looks, OrreryLook, 0).value.x, ==, 7);
  /* A lamp that is as in the scene again is none of them. The crate has two colours there, and one
   * now. */
  stage_set (stage, "lamp.energy", 2);
  stage_set_vec3 (stage, "lamp.light_color", 1, 1, 0.5);
  stage_set_vec3 (stage, "crate.color", 1, 0.5, 0.25);
  stage_step (stage, 1);
  fewer = orrery_world_list_looks (stage_get_world (stage));
  g_assert_cmpuint (fewer->len, ==, 1);
  g_assert_nonnull (orrery_object_get_paint (stage_find_object (stage, "crate")));
}

static void
test_spawned (void)
{
  g_autoptr (Stage) stage = make ();
  g_autofree char *first = orrery_simulation_spawn (stage->simulation, "torch", NULL, NULL);
  g_autofree char *second = NULL;

  g_test_summary ("What is spawned looks as in the scene, whatever its place looked like before");
  stage_set_vec3 (stage, "torch.1.color", 1, 0, 0);
  stage_set (stage, "torch.1.energy", 9);
  stage_step (stage, 2);
  assert_color (stage, "torch.1.color", 1, 0, 0);
  assert_energy (stage, "torch.1.energy", 9);
  g_assert_true (orrery_simulation_remove (stage->simulation, first, NULL));
  stage_step (stage, 1);
  assert_as_scene (stage);
  second = orrery_simulation_spawn (stage->simulation, "torch", NULL, NULL);
  stage_step (stage, 1);
  assert_color (stage, "torch.2.color", 0, 0, 1);
  assert_energy (stage, "torch.2.energy", 3);
}

/* --- states --- */

static void
change (Stage *stage)
{
  stage_set_vec3 (stage, "crate.color", 0, 0.25, 1);
  stage_set (stage, "lamp.energy", 7);
  stage_step (stage, 5);
}

static void
test_states (void)
{
  g_autoptr (Stage) stage = make ();
  g_autoptr (Stage) other = make ();
  g_autoptr (Stage) plain = make ();
  g_autoptr (GBytes) state = NULL, again = NULL, staged = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  g_test_summary ("They belong to hashes and states, and a reset brings back the scene's");
  stage_step (plain, 5);
  change (stage);
  hash = orrery_simulation_get_hash (stage->simulation);
  g_assert_cmpuint (hash, !=, orrery_simulation_get_hash (plain->simulation));
  state = stage_save (stage);
  stage_restore (other, state);
  assert_color (other, "crate.color", 0, 0.25, 1);
  assert_energy (other, "lamp.energy", 7);
  again = stage_save (other);
  g_assert_true (g_bytes_equal (state, again));
  stage_set_vec3 (stage, "lamp.light_color", 0, 0, 1);
  stage_set_vec3 (other, "lamp.light_color", 0, 0, 1);
  stage_step (stage, 3);
  stage_step (other, 3);
  hash = orrery_simulation_get_hash (stage->simulation);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==, hash);
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  assert_as_scene (other);
  stage_step (other, 5);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  change (other);
  stage_set_vec3 (other, "lamp.light_color", 0, 0, 1);
  stage_step (other, 3);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==, hash);
  /* What is told but not done yet belongs to a state, too. */
  stage_set (other, "lamp.energy", 1);
  staged = stage_save (other);
  stage_restore (stage, staged);
  stage_step (stage, 1);
  assert_energy (stage, "lamp.energy", 1);
  /* The state of a scene as it is takes changes back. */
  g_clear_pointer (&state, g_bytes_unref);
  state = stage_save (plain);
  stage_restore (stage, state);
  assert_as_scene (stage);
}

/* --- what is refused --- */

static void
test_refused (void)
{
  static const struct {
    const char *service, *arguments, *words;
  } rows[] = {
    { "set", "[<'lamp.energy'>, <-1.0>]", "energy is from 0 to 1e+06" },
    { "set", "[<'lamp.energy'>, <2e6>]", "energy is from 0 to 1e+06" },
    { "set", "[<'lamp.energy'>, <[1.0, 1.0, 1.0]>]", "energy is one number" },
    { "set", "[<'lamp.light_color'>, <1.0>]", "light_color is three numbers, ?red, green, blue?" },
    { "set", "[<'lamp.light_color'>, <[1.0, 1.0]>]", "light_color is three numbers*" },
    { "set", "[<'crate.color'>, <[0.0, 0.0, 1.5]>]", "each number of color is from 0 to 1" },
    { "set", "[<'crate.color'>, <[0.0, -0.5, 0.0]>]", "each number of color is from 0 to 1" },
    { "set", "[<'crate.color'>, <'red'>]", "color is three numbers, ?red, green, blue?" },
    { "set", "[<'crate.colour'>, <[0.0, 0.0, 0.0]>]",
      "an object has no quantity 'colour'*did you mean color*" },
    { "set", "[<'color'>, <[0.0, 0.0, 0.0]>]", "'color' is of an object*OBJECT.color" },
    { "set", "[<'nothing.energy'>, <1.0>]", "'nothing' has no lamp, so no energy" },
    { "set", "[<'nothing.color'>, <[0.0, 0.0, 0.0]>]",
      "'nothing' has no visible shape of its own, so no color" },
    { "set", "[<'tower.color'>, <[0.0, 0.0, 0.0]>]",
      "'tower' has no visible shape of its own, so no color; there is tower.wall.color" },
    { "set", "[<'tower.energy'>, <1.0>]",
      "'tower' has no lamp, so no energy; there is tower.bulb.energy" },
    { "set", "[<'lamp.color'>, <[0.0, 0.0, 0.0]>]",
      "'lamp' has no visible shape of its own, so no color; there is lamp.light_color" },
    { "set", "[<'crate.light_color'>, <[0.0, 0.0, 0.0]>]",
      "'crate' has no lamp, so no light_color; there is crate.color" },
    { "get", "[<'crate.energy'>]", "'crate' has no lamp, so no energy" },
    { "set", "[<'torch_1.energy'>, <1.0>]", "'torch_1' is not in the world*" },
    { "set", "[<'crate.mass'>, <1.0>]", "'crate' has no body, so no mass" },
  };
  g_autoptr (Stage) stage = make ();

  g_test_summary ("What an object does not have, or could not be, is refused with the reason");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    stage_call_fails (stage, "simulation", rows[i].service, rows[i].arguments, ORRERY_CALL_FAILED,
                      rows[i].words);
  stage_step (stage, 1);
  assert_as_scene (stage);
}

/* What an object has not is no harm where it comes from a file or a plugin. */
static void
test_commands (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryCommands *commands = orrery_world_get_commands (stage_get_world (stage));
  OrreryVec3 bright = { 1, 1, 1 }, wrong = { 2, 0, 0 };

  g_test_summary ("Commands for what an object does not have change nothing");
  g_assert_true (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_COLOR,
                                               stage_find_object (stage, "lamp"), &bright));
  g_assert_true (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_ENERGY,
                                               stage_find_object (stage, "crate"), &bright));
  g_assert_false (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_COLOR,
                                                stage_find_object (stage, "crate"), &wrong));
  stage_step (stage, 1);
  assert_as_scene (stage);
}

static void
check_engine (const char *environment)
{
  g_autofree char *scene = stage_scene (environment, "", OBJECTS);
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  g_autoptr (GVariant) list = stage_call (stage, "simulation", "get_quantities", NULL);
  guint n_looks = 0;

  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) row = g_variant_get_child_value (list, i);
    gboolean supported = FALSE;
    const char *name;

    g_assert_true (g_variant_lookup (row, "name", "&s", &name));
    g_assert_true (g_variant_lookup (row, "supported", "b", &supported));
    if (g_str_equal (name, "energy") || g_str_has_suffix (name, "color")) {
      g_assert_true (supported);
      n_looks++;
    }
  }
  g_assert_cmpuint (n_looks, ==, 3);
  change (stage);
  assert_color (stage, "crate.color", 0, 0.25, 1);
  assert_energy (stage, "lamp.energy", 7);
}

static void
test_engines (void)
{
  g_test_summary ("Looks are no engine's concern");
  check_engine (STAGE_PLAIN);
  check_engine ("{'start': 0, 'physics': 'orrery.physics.bullet.Bullet'}");
  if (orrery_test_has_engine ("mujoco.MuJoCo"))
    check_engine ("{'start': 0, 'physics': 'orrery.physics.mujoco.MuJoCo'}");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/looks/values", test_values);
  g_test_add_func ("/looks/list", test_list);
  g_test_add_func ("/looks/spawned", test_spawned);
  g_test_add_func ("/looks/states", test_states);
  g_test_add_func ("/looks/refused", test_refused);
  g_test_add_func ("/looks/commands", test_commands);
  g_test_add_func ("/looks/engines", test_engines);
  return g_test_run ();
}
