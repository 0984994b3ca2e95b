/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define BALL "'kind': 'sphere', 'radius': 1"
#define SCENE(objects) ORRERY_TEST_KINEMATIC (objects)

static OrreryShape *
get_shape (OrrerySimulation *sim, guint index)
{
  OrreryObject *object = orrery_world_find_object (orrery_simulation_get_world (sim), "thing");

  return orrery_object_get_shapes (object)->pdata[index];
}

static void
test_materials (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      SCENE ("{'name': 'thing', 'shapes': [{" BALL ", 'color': [1, 0.5, 0.25], 'alpha': 0.5, "
             "'specular': 0.75, 'shininess': 1, 'emission': 0.125}, {" BALL "}, {" BALL
             ", 'visible': false, 'emission': 1}]}"));
  OrreryShape *shape = get_shape (sim, 0);
  OrreryMaterial *material = orrery_shape_get_material (shape, 0);

  g_test_summary ("a shape has one material of what is said of its look, or none");
  g_assert_cmpuint (orrery_shape_get_n_materials (shape), ==, 1);
  g_assert_cmpfloat (orrery_material_get_color (material)[0], ==, 1);
  g_assert_cmpfloat (orrery_material_get_color (material)[1], ==, 0.5);
  g_assert_cmpfloat (orrery_material_get_color (material)[2], ==, 0.25);
  g_assert_cmpfloat (orrery_material_get_color (material)[3], ==, 0.5);
  g_assert_cmpfloat (orrery_material_get_specular (material), ==, 0.75);
  g_assert_cmpfloat (orrery_material_get_shininess (material), ==, 1);
  g_assert_cmpfloat (orrery_material_get_emission (material), ==, 0.125);
  g_assert_null (orrery_material_get_texture (material));
  g_assert_null (orrery_shape_get_material (shape, 1));
  g_assert_true (orrery_shape_is_visible (shape));
  g_assert_cmpuint (orrery_shape_get_n_materials (get_shape (sim, 1)), ==, 0);
  g_assert_false (orrery_shape_is_visible (get_shape (sim, 2)));
  g_assert_cmpfloat (orrery_material_get_emission (
                         orrery_shape_get_material (get_shape (sim, 2), 0)),
                     ==, 1);
}

static void
test_hidden (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      "'environment': {'physics': 'orrery.physics.kinematic.Kinematic', 'import': 'empty', "
      "'changes': [{'name': 'Ground', 'visible': false}]}, 'objects': [{'name': 'thing'}]");
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryObject *ground = orrery_world_find_object (world, "Ground");

  g_test_summary ("what a scene hides of its environment is hidden, after a reset, too");
  g_assert_false (orrery_object_is_visible (ground));
  g_assert_true (orrery_object_is_visible (orrery_world_find_object (world, "thing")));
  orrery_commands_set_visible (orrery_world_get_commands (world), ground, TRUE);
  orrery_test_step (sim, 1);
  g_assert_true (orrery_object_is_visible (ground));
  g_assert_true (orrery_simulation_reset (sim, NULL));
  g_assert_false (orrery_object_is_visible (ground));
}

static void
test_cut (void)
{
  g_autoptr (OrreryMaterial) material = orrery_material_new (2, -1, NAN, INFINITY);
  const double *color = orrery_material_get_color (material);

  g_test_summary ("what is no colour becomes one");
  g_assert_cmpfloat (color[0], ==, 1);
  g_assert_cmpfloat (color[1], ==, 0);
  g_assert_cmpfloat (color[2], ==, 0);
  g_assert_cmpfloat (color[3], ==, 1);
}

static void
test_lamp (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (
      "{'name': 'thing', 'lamp': {'kind': 'spot', 'color': [1, 1, 0.5], 'energy': 2, 'distance': "
      "10, 'direction': [2, 0, 0], 'angle': 1.5, 'blend': 0.5, 'shadows': true, 'on': false}}, "
      "{'name': 'plain', 'lamp': {}}, {'name': 'dark'}"));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryObject *object = orrery_world_find_object (world, "thing");
  const OrreryLamp *lamp = orrery_object_get_lamp (object);
  const OrreryLamp *plain = orrery_object_get_lamp (orrery_world_find_object (world, "plain"));

  g_test_summary ("a lamp is as its keys say; what they do not say has a default");
  g_assert_cmpint (lamp->kind, ==, ORRERY_LAMP_SPOT);
  g_assert_cmpfloat (lamp->color.z, ==, 0.5);
  g_assert_cmpfloat (lamp->energy, ==, 2);
  g_assert_cmpfloat (lamp->distance, ==, 10);
  g_assert_cmpfloat (lamp->direction.x, ==, 1);
  g_assert_cmpfloat (lamp->direction.z, ==, 0);
  g_assert_cmpfloat (lamp->angle, ==, 1.5);
  g_assert_cmpfloat (lamp->blend, ==, 0.5);
  g_assert_true (lamp->shadows);
  g_assert_false (orrery_object_is_lit (object));
  g_assert_cmpint (plain->kind, ==, ORRERY_LAMP_POINT);
  g_assert_cmpfloat (plain->direction.z, ==, -1);
  g_assert_true (orrery_object_is_lit (orrery_world_find_object (world, "plain")));
  g_assert_null (orrery_object_get_lamp (orrery_world_find_object (world, "dark")));
  g_assert_false (orrery_object_is_lit (orrery_world_find_object (world, "dark")));
}

static void
test_switch (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("{'name': 'thing', 'lamp': {}}"));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryObject *object = orrery_world_find_object (world, "thing");
  GError *error = NULL;

  g_test_summary ("a lamp is switched between two ticks, and is as at the start after a reset");
  orrery_commands_set_lamp (orrery_world_get_commands (world), object, FALSE);
  g_assert_true (orrery_object_is_lit (object));
  orrery_simulation_step (sim, 1, &error);
  g_assert_no_error (error);
  g_assert_false (orrery_object_is_lit (object));
  orrery_simulation_reset (sim, &error);
  g_assert_no_error (error);
  g_assert_true (orrery_object_is_lit (object));
}

static const struct {
  const char *object;
  const char *words;
} wrong[] = {
  { "{'name': 'thing', 'shapes': [{" BALL ", 'color': [1, 0, 1.5]}]}",
    "'color' is [1, 0, 1.5], not red, green and blue, each from 0 to 1" },
  { "{'name': 'thing', 'shapes': [{" BALL ", 'alpha': -1}]}", "'alpha' is -1, out of range" },
  { "{'name': 'thing', 'shapes': [{" BALL ", 'colour': [1, 1, 1]}]}",
    "a shape has no key 'colour'; did you mean color" },
  { "{'name': 'thing', 'lamp': {'kind': 'sunn'}}", "no kind is called 'sunn'; did you mean sun" },
  { "{'name': 'thing', 'lamp': {'energy': 1e9}}", "'energy' is 1000000000.0, out of range" },
  { "{'name': 'thing', 'lamp': {'direction': [0, 0, 0]}}", "'direction' has no length" },
  { "{'name': 'thing', 'lamp': 1}", "'lamp' is an integer, not a dictionary" },
};

static void
test_wrong (void)
{
  g_test_summary ("a look that cannot be is a mistake of the file");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *scene = g_strdup_printf (SCENE ("%s"), wrong[i].object);

    orrery_test_refuse (scene, wrong[i].words);
  }
}

static void
test_truth (void)
{
  static const struct {
    const char *value;
    gboolean is_set;
  } cases[] = { { "true", TRUE }, { "false", FALSE }, { "int64 0", FALSE }, { "int64 -1", TRUE },
                { "0.0", FALSE }, { "-0.0", FALSE },  { "1e-9", TRUE },     { "''", FALSE },
                { "'0'", TRUE },  { "[1.0]", TRUE } };
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE ("{'name': 'thing'}"));
  OrreryObject *object = orrery_world_find_object (orrery_simulation_get_world (sim), "thing");

  g_test_summary ("a property is true as Python takes it, and a text where it is one");
  g_assert_false (orrery_object_is_set (object, "flag"));
  g_assert_cmpstr (orrery_object_get_text (object, "flag", "none"), ==, "none");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GVariant) value = g_variant_parse (NULL, cases[i].value, NULL, NULL, NULL);

    orrery_object_set_value (object, "flag", value);
    g_assert_cmpint (orrery_object_is_set (object, "flag"), ==, cases[i].is_set);
    g_assert_cmpstr (orrery_object_get_text (object, "flag", NULL), ==,
                     *cases[i].value == '\'' ? g_variant_get_string (value, NULL) : NULL);
  }
}

static void
test_inner_radius (void)
{
  static const struct {
    const char *shape;
    double radius; /* m */
  } cases[] = {
    { "'kind': 'box', 'size': [2, 3, 1]", 0.5 },
    { "'kind': 'sphere', 'radius': 0.75", 0.75 },
    { "'kind': 'cylinder', 'radius': 0.5, 'height': 0.6", 0.3 },
    { "'kind': 'capsule', 'radius': 0.5, 'height': 0.6", 0.5 },
    /* a side of slope 3/4: 1.5 x 1 / hypot (1.5, 2) */
    { "'kind': 'cone', 'radius': 1.5, 'height': 2", 0.6 },
  };

  g_test_summary ("the largest ball about an object's origin that one of its shapes holds");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *scene = g_strdup_printf (
        SCENE ("{'name': 'thing', 'shapes': [{%s}, {'kind': 'sphere', 'radius': 0.1}]}"),
        cases[i].shape);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

    assert_near (orrery_object_get_inner_radius (
                     orrery_world_find_object (orrery_simulation_get_world (sim), "thing")),
                 cases[i].radius, 1e-12);
  }
}

static void
test_bounds (void)
{
  /* Turned by 90 degrees about y: z of the shape is x of the object. */
  static const struct {
    const char *shape;
    double lower[3], upper[3]; /* m */
  } cases[] = {
    { "'kind': 'box', 'size': [2, 4, 6]", { -3, -2, -1 }, { 3, 2, 1 } },
    { "'kind': 'sphere', 'radius': 0.75", { -0.75, -0.75, -0.75 }, { 0.75, 0.75, 0.75 } },
    { "'kind': 'cylinder', 'radius': 0.5, 'height': 4", { -2, -0.5, -0.5 }, { 2, 0.5, 0.5 } },
    { "'kind': 'capsule', 'radius': 0.5, 'height': 4", { -2.5, -0.5, -0.5 }, { 2.5, 0.5, 0.5 } },
    { "'kind': 'cone', 'radius': 1, 'height': 4", { -2, -1, -1 }, { 2, 1, 1 } },
    { "'kind': 'hull', 'points': [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]",
      { 0, 0, -1 },
      { 3, 2, 0 } },
  };

  g_test_summary ("the box that holds a shape, where it is placed in its object, and that in turn");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *scene =
        g_strdup_printf (SCENE ("{'name': 'thing', 'shapes': [{%s, 'position': [0, 10, 0], "
                                "'rotation': [0, 1.5707963267948966, 0]}]}"),
                         cases[i].shape);
    g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
    OrreryObject *thing = orrery_world_find_object (orrery_simulation_get_world (sim), "thing");
    OrreryShape *shape = orrery_object_get_shapes (thing)->pdata[0];
    OrreryTransform half_turn = { { 100, 0, 0 }, { 0, 0, 0, 1 } };
    OrreryVec3 lower, upper;

    orrery_shape_get_bounds (shape, NULL, &lower, &upper);
    assert_near (lower.x, cases[i].lower[0], 1e-12);
    assert_near (lower.y, 10 + cases[i].lower[1], 1e-12);
    assert_near (lower.z, cases[i].lower[2], 1e-12);
    assert_near (upper.x, cases[i].upper[0], 1e-12);
    assert_near (upper.y, 10 + cases[i].upper[1], 1e-12);
    assert_near (upper.z, cases[i].upper[2], 1e-12);
    orrery_shape_get_bounds (shape, &half_turn, &lower, &upper);
    assert_near (lower.x, 100 - cases[i].upper[0], 1e-12);
    assert_near (upper.y, -10 - cases[i].lower[1], 1e-12);
  }
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/world/look/materials", test_materials);
  g_test_add_func ("/world/look/hidden", test_hidden);
  g_test_add_func ("/world/look/cut", test_cut);
  g_test_add_func ("/world/look/lamp", test_lamp);
  g_test_add_func ("/world/look/switch", test_switch);
  g_test_add_func ("/world/look/wrong", test_wrong);
  g_test_add_func ("/world/look/truth", test_truth);
  g_test_add_func ("/world/look/inner-radius", test_inner_radius);
  g_test_add_func ("/world/look/bounds", test_bounds);
  return g_test_run ();
}
