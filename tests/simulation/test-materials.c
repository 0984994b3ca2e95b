/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* The quantity `material`: which of the materials of the scene the shapes of an object have. */

#define BOX(more) "{'kind': 'box', 'size': [1, 1, 1]" more "}"
#define MATERIALS                                                                                  \
  "'materials': [{'name': 'rusty', 'color': [0.5, 0.25, 0], 'specular': 0.25}, {'name': 'steel', " \
  "'alpha': 0.5}, {'name': 'rusty', 'color': [0.75, 0.25, 0]}],"
#define CRATE "{'name': 'crate', 'shapes': [" BOX (", 'color': [0, 0, 1]") ", " BOX ("") "]}"
#define TOWER                                                                                      \
  "{'name': 'tower', 'position': [6, 0, 0], 'lamp': {'kind': 'point'}, 'objects': [{'name': "      \
  "'wall', 'shapes': [" BOX ("") "]}]}"
#define OBJECTS CRATE ", " TOWER
#define SPAWNABLE                                                                                  \
  "'spawnables': [{'count': 1, 'object': {'name': 'box', 'shapes': [" BOX ("") "]}}],"
#define VARIES(more)                                                                               \
  "'randomisation': [{'path': 'crate.material', 'distribution': 'choice([\\'rusty\\', "            \
  "\\'steel\\', \\'\\'])'" more "}],"

static Stage *
make_with (const char *tables)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, OBJECTS);

  return stage_new (scene, NULL);
}

static Stage *
make (void)
{
  return make_with (MATERIALS SPAWNABLE);
}

static void
set (Stage *stage, const char *object, const char *material)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_set_material (stage->simulation, object, material, &error));
  g_assert_no_error (error);
}

static char *
get (Stage *stage, const char *object)
{
  g_autoptr (GError) error = NULL;
  char *name = orrery_simulation_get_material (stage->simulation, object, &error);

  g_assert_no_error (error);
  return name;
}

static void
assert_material (Stage *stage, const char *object, const char *wanted)
{
  g_autofree char *name = get (stage, object);
  OrreryMaterial *material = orrery_object_get_material (stage_find_object (stage, object));

  g_assert_cmpstr (name, ==, wanted);
  g_assert_cmpstr (material != NULL ? orrery_material_get_name (material) : "", ==, wanted);
}

static double
get_red (Stage *stage, const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  g_autofree double *rgb = orrery_simulation_get_quantity (stage->simulation, path, &n, &error);

  g_assert_no_error (error);
  return rgb[0];
}

static guint
count_looks (Stage *stage)
{
  g_autoptr (GArray) looks = orrery_world_list_looks (stage_get_world (stage));

  return looks->len;
}

/* --- values --- */

static void
test_values (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryMaterial *steel = orrery_world_get_material (stage_get_world (stage), 1);
  guint64 serial;

  g_test_summary ("An object has the material that it was given from the next tick on");
  g_assert_cmpuint (orrery_world_get_n_materials (stage_get_world (stage)), ==, 2);
  /* Of two with one name the last counts; what is not said has a default. */
  g_assert_cmpfloat (orrery_material_get_color (
                         orrery_world_get_material (stage_get_world (stage), 0))[0],
                     ==, 0.75);
  g_assert_cmpfloat (orrery_material_get_color (steel)[0], ==, 0.8);
  g_assert_cmpfloat (orrery_material_get_color (steel)[3], ==, 0.5);
  assert_material (stage, "crate", "");
  serial = orrery_world_get_looks_serial (stage_get_world (stage));
  set (stage, "crate", "steel");
  set (stage, "tower.wall", "rusty");
  assert_material (stage, "crate", "");
  stage_step (stage, 1);
  assert_material (stage, "crate", "steel");
  assert_material (stage, "tower.wall", "rusty");
  g_assert_true (orrery_object_get_material (stage_find_object (stage, "crate")) == steel);
  g_assert_cmpuint (orrery_world_get_looks_serial (stage_get_world (stage)), !=, serial);
  g_assert_cmpuint (count_looks (stage), ==, 2);
  set (stage, "crate", NULL);
  stage_step (stage, 1);
  assert_material (stage, "crate", "");
  g_assert_cmpuint (count_looks (stage), ==, 1);
  set (stage, "crate", "rusty");
  set (stage, "tower.wall", "");
  stage_step (stage, 1);
  assert_material (stage, "crate", "rusty");
  assert_material (stage, "tower.wall", "");
}

static void
test_colors (void)
{
  g_autoptr (Stage) stage = make ();

  g_test_summary ("A colour takes the place of that of any material, whichever was set first");
  g_assert_cmpfloat (get_red (stage, "crate.color"), ==, 0);
  set (stage, "crate", "rusty");
  stage_step (stage, 1);
  g_assert_cmpfloat (get_red (stage, "crate.color"), ==, 0.75);
  g_assert_null (orrery_object_get_paint (stage_find_object (stage, "crate")));
  stage_set_vec3 (stage, "crate.color", 0.125, 0, 0);
  stage_step (stage, 1);
  set (stage, "crate", "steel");
  stage_step (stage, 1);
  g_assert_cmpfloat (get_red (stage, "crate.color"), ==, 0.125);
  g_assert_cmpfloat (orrery_object_get_paint (stage_find_object (stage, "crate"))->x, ==, 0.125);
  assert_material (stage, "crate", "steel");
}

static void
test_services (void)
{
  g_autoptr (Stage) stage = make ();
  g_autoptr (GVariant) list = NULL, value = NULL;
  gboolean found = FALSE;

  g_test_summary ("Services take and give names, and list them");
  g_clear_pointer (&value, g_variant_unref);
  value = stage_call (stage, "simulation", "set", "[<'crate.material'>, <'rusty'>]");
  g_clear_pointer (&value, g_variant_unref);
  stage_step (stage, 1);
  value = stage_call (stage, "simulation", "get", "[<'crate.material'>]");
  g_assert_cmpstr (g_variant_get_string (value, NULL), ==, "rusty");
  list = stage_call (stage, "simulation", "get_quantities", NULL);
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) row = g_variant_get_child_value (list, i);
    g_autofree const char **names = NULL;
    const char *name, *shape;
    gboolean supported;

    g_assert_true (g_variant_lookup (row, "name", "&s", &name));
    if (!g_str_equal (name, "material"))
      continue;
    found = TRUE;
    g_assert_true (g_variant_lookup (row, "shape", "&s", &shape));
    g_assert_cmpstr (shape, ==, "name");
    g_assert_true (g_variant_lookup (row, "supported", "b", &supported) && supported);
    g_assert_true (g_variant_lookup (row, "names", "^a&s", &names));
    g_assert_cmpuint (g_strv_length ((char **) names), ==, 2);
    g_assert_cmpstr (names[1], ==, "steel");
    g_assert_false (g_variant_lookup (row, "most", "d", NULL));
  }
  g_assert_true (found);
}

static void
test_spawned (void)
{
  g_autoptr (Stage) stage = make ();
  g_autofree char *first = orrery_simulation_spawn (stage->simulation, "box", NULL, NULL);
  g_autofree char *second = NULL;

  g_test_summary ("What is spawned has its own material, whatever its place had before");
  set (stage, first, "rusty");
  stage_step (stage, 2);
  assert_material (stage, first, "rusty");
  g_assert_true (orrery_simulation_remove (stage->simulation, first, NULL));
  stage_step (stage, 1);
  g_assert_cmpuint (count_looks (stage), ==, 0);
  second = orrery_simulation_spawn (stage->simulation, "box", NULL, NULL);
  stage_step (stage, 1);
  assert_material (stage, second, "");
}

/* --- states --- */

static void
test_states (void)
{
  g_autoptr (Stage) stage = make ();
  g_autoptr (Stage) other = make ();
  g_autoptr (Stage) plain = make ();
  g_autoptr (Stage) none = make_with (SPAWNABLE);
  g_autoptr (GBytes) state = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  guint64 hash;

  g_test_summary ("It belongs to hashes and states, and a reset brings back the scene's");
  stage_step (plain, 5);
  set (stage, "crate", "steel");
  stage_step (stage, 5);
  hash = orrery_simulation_get_hash (stage->simulation);
  g_assert_cmpuint (hash, !=, orrery_simulation_get_hash (plain->simulation));
  state = stage_save (stage);
  stage_restore (other, state);
  assert_material (other, "crate", "steel");
  again = stage_save (other);
  g_assert_true (g_bytes_equal (state, again));
  stage_step (stage, 3);
  stage_step (other, 3);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==,
                    orrery_simulation_get_hash (stage->simulation));
  g_assert_true (orrery_simulation_reset (other->simulation, &error));
  g_assert_no_error (error);
  assert_material (other, "crate", "");
  stage_step (other, 5);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==,
                    orrery_simulation_get_hash (plain->simulation));
  /* A place in the list would be another material, or none. */
  g_assert_false (orrery_simulation_restore (none->simulation, state, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "of another scene: it has a material rusty"));
  assert_material (none, "crate", "");
}

/* --- randomisation --- */

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_reset (stage->simulation, &error));
  g_assert_no_error (error);
}

static void
test_varies (void)
{
  g_autoptr (Stage) stage = make_with (MATERIALS VARIES (""));
  g_autoptr (Stage) other = make_with (MATERIALS VARIES (""));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_test_summary ("It varies from episode to episode, alike in all worlds, and is reported");
  for (guint episode = 0; episode < 20; episode++) {
    g_autoptr (GVariant) report = orrery_simulation_get_report (stage->simulation);
    g_autoptr (GVariant) drawn =
        g_variant_lookup_value (report, "randomisation", G_VARIANT_TYPE_VARDICT);
    const char *name;

    g_assert_true (g_variant_lookup (drawn, "crate.material", "&s", &name));
    assert_material (stage, "crate", name);
    assert_material (other, "crate", name);
    g_hash_table_add (seen, g_strdup (name));
    stage_step (stage, 2);
    assert_material (stage, "crate", name);
    reset (stage);
    reset (other);
  }
  g_assert_cmpuint (g_hash_table_size (seen), ==, 3);
}

static void
test_varies_at_ticks (void)
{
  g_autoptr (Stage) stage = make_with (MATERIALS VARIES (", 'every_ticks': 2"));
  g_autoptr (Stage) other = make_with (MATERIALS VARIES (", 'every_ticks': 2"));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_test_summary ("It varies while an episode lasts, and goes on from a state with the same bits");
  for (guint i = 0; i < 15; i++) {
    stage_step (stage, 2);
    g_hash_table_add (seen, get (stage, "crate"));
    if (i == 7) {
      g_autoptr (GBytes) state = stage_save (stage);

      stage_restore (other, state);
    }
  }
  stage_step (other, 14);
  g_assert_cmpuint (g_hash_table_size (seen), ==, 3);
  g_assert_cmpuint (orrery_simulation_get_hash (other->simulation), ==,
                    orrery_simulation_get_hash (stage->simulation));
}

/* --- the key `material` of an object --- */

#define STARTS                                                                                     \
  "{'name': 'crate', 'material': 'rusty', 'color': [0, 1, 0], 'shapes': [" BOX (                   \
      ", 'color': [0, 0, 1]") "], 'objects': [{'name': 'lid', 'shapes': [" BOX ("") "]}]}, "       \
                                                                                    "{'name': "    \
                                                                                    "'frame', "    \
                                                                                    "'material': " \
                                                                                    "'rusty'}, "   \
                                                                                    "{'name': "    \
                                                                                    "'plain', "    \
                                                                                    "'material': " \
                                                                                    "'', "         \
                                                                                    "'shapes': "   \
                                                                                    "[" BOX (      \
                                                                                        "") "]}"

static Stage *
make_starts (const char *tables)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, STARTS);

  return stage_new (scene, NULL);
}

static void
assert_look (Stage *stage, guint i, const char *object, double value)
{
  g_autoptr (GArray) looks = orrery_world_list_looks (stage_get_world (stage));
  const OrreryLook *look = &g_array_index (looks, OrreryLook, i);

  g_assert_cmpuint (looks->len, >, i);
  g_assert_cmpuint (look->which, ==, ORRERY_QUANTITY_MATERIAL);
  g_assert_cmpuint (look->object, ==, orrery_object_get_index (stage_find_object (stage, object)));
  g_assert_cmpfloat (look->value.x, ==, value);
}

static void
test_starts (void)
{
  g_autoptr (Stage) stage = make_starts (MATERIALS);

  g_test_summary ("An object has the material of its key at the start, and again after a reset");
  assert_material (stage, "crate", "rusty");
  assert_material (stage, "crate.lid", "");
  assert_material (stage, "plain", "");
  g_assert_cmpfloat (get_red (stage, "crate.color"), ==, 0.75);
  /* Whoever shows the world is told of it, without any change. */
  assert_look (stage, 0, "crate", 1);
  set (stage, "crate.lid", "steel");
  set (stage, "crate", "steel");
  stage_step (stage, 1);
  assert_material (stage, "crate", "steel");
  assert_look (stage, 0, "crate", 2);
  assert_look (stage, 1, "crate.lid", 2);
  set (stage, "crate", NULL);
  stage_step (stage, 1);
  assert_material (stage, "crate", "");
  g_assert_cmpfloat (get_red (stage, "crate.color"), ==, 0);
  assert_look (stage, 0, "crate", 0);
  reset (stage);
  assert_material (stage, "crate", "rusty");
  assert_material (stage, "crate.lid", "");
  assert_look (stage, 0, "crate", 1);
  /* The frame has no shape that could show it, but may get one by a `visual`. */
  assert_look (stage, 1, "frame", 1);
  g_assert_cmpuint (count_looks (stage), ==, 2);
}

static void
test_starts_in_states (void)
{
  g_autoptr (Stage) stage = make_starts (MATERIALS);
  g_autoptr (Stage) other = make_starts (MATERIALS);
  g_autoptr (GBytes) first = NULL, bare = NULL, again = NULL;
  guint64 hash;

  g_test_summary ("A state has what differs from the key, and a hash what a run without it has");
  stage_step (stage, 2);
  stage_step (other, 2);
  first = stage_save (stage);
  set (stage, "crate", NULL);
  stage_step (stage, 2);
  bare = stage_save (stage);
  stage_restore (other, bare);
  assert_material (other, "crate", "");
  again = stage_save (other);
  g_assert_true (g_bytes_equal (bare, again));
  /* What was set by hand is the scene's again: no change is left. */
  set (stage, "crate", "rusty");
  stage_step (stage, 2);
  hash = orrery_simulation_get_hash (stage->simulation);
  assert_material (stage, "crate", "rusty");
  stage_restore (other, first);
  assert_material (other, "crate", "rusty");
  stage_step (other, 4);
  g_assert_cmpuint (hash, !=, orrery_simulation_get_hash (other->simulation));
  stage_restore (stage, first);
  stage_step (stage, 4);
  g_assert_cmpuint (orrery_simulation_get_hash (stage->simulation), ==,
                    orrery_simulation_get_hash (other->simulation));
}

static void
test_starts_spawned (void)
{
  g_autoptr (Stage) stage =
      make_starts (MATERIALS "'spawnables': [{'count': 1, 'object': {'name': 'box', 'material': "
                             "'steel', 'shapes': [" BOX ("") "]}}],");
  g_autofree char *first = orrery_simulation_spawn (stage->simulation, "box", NULL, NULL);
  g_autofree char *second = NULL;

  g_test_summary ("What is spawned has the material of its key, whatever its place had before");
  stage_step (stage, 1);
  assert_material (stage, first, "steel");
  set (stage, first, "rusty");
  stage_step (stage, 1);
  assert_material (stage, first, "rusty");
  g_assert_true (orrery_simulation_remove (stage->simulation, first, NULL));
  stage_step (stage, 1);
  second = orrery_simulation_spawn (stage->simulation, "box", NULL, NULL);
  stage_step (stage, 1);
  assert_material (stage, second, "steel");
}

static void
test_starts_varies (void)
{
  g_autoptr (Stage) stage = make_starts (MATERIALS VARIES (""));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_test_summary ("What is drawn for an episode takes the place of the key");
  for (guint episode = 0; episode < 20; episode++) {
    g_hash_table_add (seen, get (stage, "crate"));
    reset (stage);
  }
  g_assert_cmpuint (g_hash_table_size (seen), ==, 3);
}

/* --- what is refused --- */

static void
test_refused (void)
{
  static const struct {
    const char *service, *arguments, *words;
  } rows[] = {
    { "set", "[<'crate.material'>, <'rustic'>]",
      "the scene has no material 'rustic'; did you mean rusty*" },
    { "set", "[<'crate.material'>, <1.0>]", "material is a name of the key 'materials'*or ''" },
    { "set", "[<'crate.material'>, <['rusty']>]", "material is a name*" },
    { "set", "[<'crate.material'>, <true>]", "material is a name*" },
    { "set", "[<'crate.materials'>, <'rusty'>]", "*did you mean material*" },
    { "set", "[<'material'>, <'rusty'>]", "'material' is of an object*OBJECT.material" },
    { "set", "[<'tower.material'>, <'rusty'>]",
      "'tower' has no visible shape of its own, so no material; there is tower.wall.material" },
    { "get", "[<'tower.material'>]", "'tower' has no visible shape of its own, so no material*" },
    { "set", "[<'box_1.material'>, <'rusty'>]", "'box_1' is not in the world*" },
  };
  g_autoptr (Stage) stage = make (), none = make_with ("");
  g_autoptr (GError) error = NULL;
  double number = 1;
  gsize n;

  g_test_summary ("What the scene or an object does not have is refused with the reason");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    stage_call_fails (stage, "simulation", rows[i].service, rows[i].arguments, ORRERY_CALL_FAILED,
                      rows[i].words);
  stage_call_fails (none, "simulation", "set", "[<'crate.material'>, <'rusty'>]",
                    ORRERY_CALL_FAILED,
                    "the scene has no material 'rusty': its key 'materials' has none");
  g_assert_false (
      orrery_simulation_set_quantity (stage->simulation, "crate.material", &number, 1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (orrery_simulation_get_quantity (stage->simulation, "crate.material", &n, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (orrery_simulation_get_material (stage->simulation, "create", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  stage_step (stage, 1);
  g_assert_cmpuint (count_looks (stage), ==, 0);
}

static void
test_commands (void)
{
  g_autoptr (Stage) stage = make ();
  OrreryCommands *commands = orrery_world_get_commands (stage_get_world (stage));
  OrreryVec3 beyond = { 3, 0, 0 }, half = { 0.5, 0, 0 }, first = { 1, 0, 0 };

  g_test_summary ("Commands for what the world does not have change nothing");
  g_assert_true (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_MATERIAL,
                                               stage_find_object (stage, "crate"), &beyond));
  g_assert_false (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_MATERIAL,
                                                stage_find_object (stage, "crate"), &half));
  g_assert_true (orrery_commands_set_quantity (commands, ORRERY_QUANTITY_MATERIAL,
                                               stage_find_object (stage, "tower"), &first));
  stage_step (stage, 1);
  g_assert_cmpuint (count_looks (stage), ==, 0);
}

static void
test_wrong_entries (void)
{
  static const struct {
    const char *entry, *words;
  } rows[] = {
    { "{'path': 'crate.material', 'distribution': 'choice([\\'rusty\\', \\'rustic\\'])'}",
      "the scene has no material 'rustic'; did you mean rusty" },
    { "{'path': 'crate.material', 'distribution': 'uniform(0, 1)'}", "material is a name" },
    { "{'path': 'crate.material', 'operation': 'add', 'distribution': 'choice([1])'}",
      "'add' needs numbers" },
    { "{'path': 'crate.material[0]', 'distribution': 'choice([\\'rusty\\'])'}", "and no list" },
    { "{'path': 'tower.material', 'distribution': 'choice([\\'rusty\\'])'}",
      "'tower' has no visible shape of its own, so no material" },
    { "{'path': 'box_1.material', 'distribution': 'choice([\\'rusty\\'])'}",
      "is not in the world at the start of an episode" },
  };

  g_test_summary ("An entry of `randomisation` is checked when the scene is loaded");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *tables =
        g_strdup_printf (MATERIALS SPAWNABLE "'randomisation': [%s],", rows[i].entry);
    g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, OBJECTS);
    g_autoptr (GError) error = NULL;

    g_assert_null (stage_try (scene, NULL, &error));
    g_assert_nonnull (error);
    g_assert_nonnull (strstr (error->message, rows[i].words));
  }
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/materials/values", test_values);
  g_test_add_func ("/materials/colors", test_colors);
  g_test_add_func ("/materials/services", test_services);
  g_test_add_func ("/materials/spawned", test_spawned);
  g_test_add_func ("/materials/states", test_states);
  g_test_add_func ("/materials/varies", test_varies);
  g_test_add_func ("/materials/varies-at-ticks", test_varies_at_ticks);
  g_test_add_func ("/materials/starts", test_starts);
  g_test_add_func ("/materials/starts-in-states", test_starts_in_states);
  g_test_add_func ("/materials/starts-spawned", test_starts_spawned);
  g_test_add_func ("/materials/starts-varies", test_starts_varies);
  g_test_add_func ("/materials/refused", test_refused);
  g_test_add_func ("/materials/commands", test_commands);
  g_test_add_func ("/materials/wrong-entries", test_wrong_entries);
  return g_test_run ();
}
