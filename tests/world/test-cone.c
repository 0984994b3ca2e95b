/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* The cones of radars. */

#define SIDE 0.8660254037844386 /* of a cone of 60 degrees: cosine of 30 */

static OrreryCone
make_cone (double height)
{
  OrreryCone cone = { .height = height };

  orrery_transform_identity (&cone.pose);
  orrery_cone_set_angle (&cone, 60);
  return cone;
}

static double
find_distance (const char *thing, const OrreryCone *cone)
{
  g_autofree char *scene = g_strdup_printf (ORRERY_TEST_KINEMATIC ("{'name': 'thing', %s}"), thing);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  OrreryObject *object = orrery_world_find_object (orrery_simulation_get_world (sim), "thing");

  return orrery_cone_get_distance (cone, object, orrery_test_get_pose (sim, "thing"));
}

#define HULL                                                                                       \
  "'shapes': [{'kind': 'hull', 'points': [[-0.5, -1, -1], [-0.5, 1, -1], [-0.5, 0, 1], "           \
  "[0.5, 0, 0]]}]"
#define WALL                                                                                       \
  "'shapes': [{'kind': 'mesh', 'points': [[0, -5, -5], [0, 5, -5], [0, 0, 5], [4, 0, 0]], "        \
  "'triangles': [[0, 1, 2], [0, 1, 3]]}]"

static void
test_shapes (void)
{
  static const struct {
    const char *thing;
    double distance; /* m, by hand */
  } rows[] = {
    /* Before the flat base, 10 m away. */
    { "'position': [10.5, 0, 0]", 0.5 },
    { "'position': [11, 2, 0], 'shapes': [{'kind': 'sphere', 'radius': 0.5}]", 0.5 },
    { "'position': [12, 0, -3], 'shapes': [{'kind': 'box', 'size': [2, 2, 2]}]", 1 },
    { "'position': [12, 0, 0], " HULL, 1.5 },
    { "'position': [12, 0, 0], 'body': {'type': 'rigid', 'mass': 1, 'margin': 0.06}, " HULL, 1.44 },
    { "'position': [12, 0, 0], 'body': {'type': 'static', 'margin': 0.06}, " WALL, 1.94 },
    { "'position': [12, 0, 0], 'body': {'type': 'static', 'margin': 0.25}, 'shapes': [{'kind': "
      "'box', 'size': [2, 2, 2]}]",
      0.75 },
    { "'position': [12, 0, 0], 'body': {'type': 'rigid', 'mass': 1, 'margin': 0.25}, 'shapes': "
      "[{'kind': 'box', 'size': [2, 2, 2]}]",
      1 },
    /* Inside, farther from the tip than the base is. */
    { "'position': [9.9, 5.6, 0]", 0 },
    { "'position': [10.2, 5, 0], 'shapes': [{'kind': 'sphere', 'radius': 0.5}]", 0 },
    /* Behind the tip. */
    { "'position': [-2, 0, 0]", 2 },
    /* Beside: the side is at 30 degrees. */
    { "'position': [5, 5, 0]", 5 * SIDE - 2.5 },
    { "'position': [0, 0, 3], 'shapes': [{'kind': 'cylinder', 'radius': 0.5, 'height': 2}]",
      2 * SIDE - 0.25 },
    { "'position': [0, 0, 3], 'shapes': [{'kind': 'capsule', 'radius': 0.5, 'height': 2}]",
      2 * SIDE - 0.5 },
    { "'position': [0, 0, -3], 'shapes': [{'kind': 'cone', 'radius': 1, 'height': 2}]", 2 * SIDE },
    /* What is not solid is not there: a point. */
    { "'position': [12, 0, 0], 'shapes': [{'kind': 'sphere', 'radius': 5, 'solid': false}]", 2 },
    /* A part of it counts. */
    { "'position': [20, 0, 0], 'objects': [{'name': 'part', 'position': [-8, 0, 0], 'shapes': "
      "[{'kind': 'sphere', 'radius': 0.5}]}]",
      1.5 },
  };
  OrreryCone cone = make_cone (10);

  g_test_summary ("a cone with a flat base meets the collision shapes, with their margins");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("%s", rows[i].thing);
    assert_near (find_distance (rows[i].thing, &cone), rows[i].distance, 1e-9);
  }
}

static void
test_ends (void)
{
  OrreryCone tip = make_cone (0), wide = make_cone (10);

  g_test_summary ("a cone without height is its tip; the widest is less than a half space");
  assert_near (find_distance ("'position': [3, 4, 0], 'shapes': [{'kind': 'sphere', 'radius': 1}]",
                              &tip),
               4, 1e-9);
  orrery_cone_set_angle (&wide, 360);
  assert_near (wide.radius, 10 * tan (89.95 * G_PI / 180), 1e-6);
  assert_near (find_distance ("'position': [1, 500, 0]", &wide), 0, 1e-9);
  g_assert_cmpfloat (find_distance ("'position': [-0.5, 0, 0]", &wide), >, 0.4);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/world/cone/shapes", test_shapes);
  g_test_add_func ("/world/cone/ends", test_ends);
  return g_test_run ();
}
