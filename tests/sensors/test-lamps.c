/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <math.h>

/* How lamps light what a camera sees. */

#define WIDTH 320
#define HEIGHT 240
#define FOCAL (WIDTH * 35.0 / 32.0)
#define EYE                                                                                        \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 1], 'objects': ["  \
  "{'name': 'eye', 'classpath': 'orrery.sensors.video_camera.VideoCamera', 'properties': "         \
  "{'cam_width': 320, 'cam_height': 240, 'cam_focal': 35}}]}"
/* Looks along x from where the camera is. */
#define LAMP(kind, on)                                                                             \
  ", {'name': 'lamp', 'position': [0, 0, 1], 'lamp': {'kind': '" kind                              \
  "', 'distance': 10, 'direction': [1, 0, 0], 'angle': 0.7, 'on': " on "}}"
/* Two triangles, 3 m ahead; their corners are far outside of the spot. */
#define WALL                                                                                       \
  ", {'name': 'wall', 'position': [3, 0, 1], 'shapes': [{'kind': 'mesh', 'color': [0.5, 0.5, "     \
  "0.5], 'specular': 0, 'points': [[0, -4, -4], [0, 4, -4], [0, 4, 4], [0, -4, 4]], "              \
  "'triangles': [[0, 2, 1], [0, 3, 2]]}]}"
#define BLOCK                                                                                      \
  ", {'name': 'wall', 'position': [4, 0, 1], 'shapes': [{'kind': 'box', 'color': [0.5, 0.5, "      \
  "0.5], 'specular': 0, 'size': [2, 8, 8]}]}"
#define GROUND                                                                                     \
  ", {'name': 'ground', 'position': [0, 0, -0.5], 'properties': {'Grid': 1.5}, 'shapes': "         \
  "[{'kind': 'box', 'size': [30, 20, 1]}]}"

/* The picture of the second tick, when lamps are as they begin. */
static OrrerySimulation *
look (const char *scene, const guint8 **pixels)
{
  OrrerySimulation *sim = orrery_test_load (scene);
  OrreryComponent *eye = orrery_test_find (sim, "robot.eye");
  OrreryBuffer **image;

  orrery_test_step (sim, 2);
  image = orrery_record_find (orrery_component_get_record (eye), "image", ORRERY_FIELD_BUFFER);
  g_assert_cmpuint (orrery_buffer_get_size (*image), ==, 4 * WIDTH * HEIGHT);
  *pixels = orrery_buffer_get_data (*image);
  return sim;
}

static gboolean
skip (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (orrery_registry_find_class (registry, "orrery.renderers.mujoco.MuJoCo", NULL) != NULL)
    return FALSE;
  g_test_skip ("nothing that draws is built");
  return TRUE;
}

/* @degrees: from the axis of the spot, to the right */
static int
get_grey (const guint8 *pixels, double degrees)
{
  guint column = (guint) (WIDTH / 2.0 + FOCAL * tan (degrees * G_PI / 180));

  return pixels[4 * (HEIGHT / 2 * WIDTH + column)];
}

/* Half of what falls on the wall: 0.3 from everywhere, and the spot as Blender's. */
static double
reckon_grey (double degrees)
{
  double a = cos (degrees * G_PI / 180), d = 3 / a;

  return 255 * 0.5 * (0.3 + a * a * 10 / (10 + d * d));
}

static void
check_spot (const char *scene)
{
  const guint8 *pixels;
  g_autoptr (OrrerySimulation) sim = look (scene, &pixels);

  for (double degrees = 0; degrees < 15; degrees += 4)
    g_assert_cmpfloat_with_epsilon (get_grey (pixels, degrees), reckon_grey (degrees), 4);
  for (double degrees = 23; degrees < 24.5; degrees += 1)
    g_assert_cmpfloat_with_epsilon (get_grey (pixels, degrees), 255 * 0.5 * 0.3, 4);
}

static void
test_spot (void)
{
  g_test_summary (
      "a spot in the middle of a large triangle is seen, as bright as its formula says");
  if (skip ())
    return;
  check_spot (ORRERY_TEST_KINEMATIC (EYE LAMP ("spot", "true") WALL));
  check_spot (ORRERY_TEST_KINEMATIC (EYE LAMP ("spot", "true") BLOCK));
}

static void
test_grid (void)
{
  const guint8 *plain, *divided;
  g_autoptr (OrrerySimulation) first = NULL, second = NULL;
  int darkest = 255, brightest = 0;

  g_test_summary ("the grid on a ground is the same whether it is divided for a spot or not");
  if (skip ())
    return;
  first = look (ORRERY_TEST_KINEMATIC (EYE LAMP ("sun", "false") GROUND), &plain);
  second = look (ORRERY_TEST_KINEMATIC (EYE LAMP ("spot", "false") GROUND), &divided);
  /* The lower part of the picture is ground. */
  for (gsize i = 4 * WIDTH * HEIGHT * 3 / 4; i < 4 * WIDTH * HEIGHT; i += 4) {
    darkest = MIN (darkest, plain[i]);
    brightest = MAX (brightest, plain[i]);
    g_assert_cmpint (ABS (plain[i] - divided[i]), <=, 3);
  }
  g_assert_cmpint (brightest - darkest, >, 10);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/lamps/spot", test_spot);
  g_test_add_func ("/sensors/lamps/grid", test_grid);
  return g_test_run ();
}
