/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <math.h>

/* How lamps light what a camera sees. */

#define WIDTH 320
#define HEIGHT 240
#define FOCAL (WIDTH * 35.0 / 32.0)
#define EYE_IN(placement)                                                                          \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 1], 'objects': ["  \
  "{'name': 'eye', 'classpath': 'orrery.sensors.video_camera.VideoCamera', " placement             \
  "'properties': {'cam_width': 320, 'cam_height': 240, 'cam_focal': 35}}]}"
#define EYE EYE_IN ("")
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

static const guint8 *
see (OrrerySimulation *sim)
{
  OrreryComponent *eye = orrery_test_find (sim, "robot.eye");
  OrreryBuffer **image =
      orrery_record_find (orrery_component_get_record (eye), "image", ORRERY_FIELD_BUFFER);

  g_assert_cmpuint (orrery_buffer_get_size (*image), ==, 4 * WIDTH * HEIGHT);
  return orrery_buffer_get_data (*image);
}

/* The picture of the second tick, when lamps are as they begin. */
static OrrerySimulation *
look (const char *scene, const guint8 **pixels)
{
  OrrerySimulation *sim = orrery_test_load (scene);

  orrery_test_step (sim, 2);
  *pixels = see (sim);
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

/* --- while the scene runs --- */

static void
set (OrrerySimulation *sim, const char *path, gsize n, double x, double y, double z)
{
  const double numbers[] = { x, y, z };
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_set_quantity (sim, path, numbers, n, &error));
  g_assert_no_error (error);
}

/* There is a picture in each third tick, of what physics made of the tick before. */
#define PICTURE_TICKS 4

/* In the middle of the next picture. */
static void
assert_seen (OrrerySimulation *sim, double red, double green, double blue)
{
  const double wanted[] = { red, green, blue };
  const guint8 *pixel;

  orrery_test_step (sim, PICTURE_TICKS);
  pixel = see (sim) + 4 * (HEIGHT / 2 * WIDTH + WIDTH / 2);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (pixel[i], 255 * wanted[i], 4);
}

/* The wall is 3 m from a point lamp that leaves 10 / (10 + 9) of its light there; 0.3 comes from
 * everywhere. */
static void
check_changes (const char *scene)
{
  static const double far = 10 / 19.0;
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  g_autoptr (GBytes) state = NULL;
  g_autoptr (GError) error = NULL;
  double grey = 0.5 * (0.3 + far);

  /* The first picture is of the start. */
  orrery_test_step (sim, 2);
  assert_seen (sim, grey, grey, grey);
  set (sim, "wall.color", 3, 1, 0.25, 0);
  assert_seen (sim, 0.3 + far, 0.25 * (0.3 + far), 0);
  set (sim, "lamp.energy", 1, 0.5, 0, 0);
  assert_seen (sim, 0.3 + far / 2, 0.25 * (0.3 + far / 2), 0);
  set (sim, "wall.color", 3, 0.5, 0.5, 0.5);
  set (sim, "lamp.light_color", 3, 0, 1, 0);
  assert_seen (sim, 0.15, 0.5 * (0.3 + far / 2), 0.15);
  state = orrery_simulation_save (sim, &error);
  g_assert_no_error (error);
  set (sim, "lamp.energy", 1, 0, 0, 0);
  assert_seen (sim, 0.15, 0.15, 0.15);
  g_assert_true (orrery_simulation_restore (sim, state, &error));
  g_assert_no_error (error);
  assert_seen (sim, 0.15, 0.5 * (0.3 + far / 2), 0.15);
  g_assert_true (orrery_simulation_reset (sim, &error));
  g_assert_no_error (error);
  assert_seen (sim, grey, grey, grey);
}

static void
test_changes (void)
{
  g_test_summary ("a camera sees colours and lamps change, with its next picture");
  if (skip ())
    return;
  check_changes (ORRERY_TEST_KINEMATIC (EYE LAMP ("point", "true") WALL));
  check_changes (ORRERY_TEST_KINEMATIC (EYE LAMP ("point", "true") BLOCK));
}

static void
test_changes_in_worker (void)
{
  g_test_summary ("so does one in a worker");
  if (skip ())
    return;
  check_changes (ORRERY_TEST_KINEMATIC (EYE_IN ("'placement': 'worker', ") LAMP ("point", "true")
                                            WALL) ", 'workers': {'robot.eye': {'timeout': 60}}");
}

static void
test_texture (void)
{
  const guint8 *pixels;
  g_autoptr (OrrerySimulation) sim = NULL;
  int darkest = 255, brightest = 0;

  g_test_summary ("a texture is multiplied with the new colour, as with the first one");
  if (skip ())
    return;
  sim = look (ORRERY_TEST_KINEMATIC (EYE LAMP ("sun", "false") GROUND), &pixels);
  set (sim, "ground.color", 3, 1, 0, 0);
  orrery_test_step (sim, PICTURE_TICKS);
  pixels = see (sim);
  for (gsize i = 4 * WIDTH * HEIGHT * 3 / 4; i < 4 * WIDTH * HEIGHT; i += 4) {
    darkest = MIN (darkest, pixels[i]);
    brightest = MAX (brightest, pixels[i]);
    g_assert_cmpint (pixels[i + 1] + pixels[i + 2], ==, 0);
  }
  g_assert_cmpint (brightest - darkest, >, 10);
}

static void
test_pane (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  /* Two faces, each from both sides. */
  const double through = 0.3 * pow (0.9, 4);

  g_test_summary ("what is seen through stays so in another colour");
  if (skip ())
    return;
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      EYE ", {'name': 'dark', 'lamp': {'kind': 'sun', 'on': false}}, {'name': 'pane', 'position': "
          "[2, 0, 1], 'shapes': [{'kind': 'box', 'size': [0.1, 4, 4], 'color': [1, 1, 1], "
          "'alpha': 0.1, 'specular': 0}]}, {'name': 'wall', 'position': [4, 0, 1], 'shapes': "
          "[{'kind': 'box', 'color': [1, 1, 1], 'size': [2, 8, 8], 'specular': 0}]}"));
  orrery_test_step (sim, 2);
  assert_seen (sim, 0.3, 0.3, 0.3);
  set (sim, "pane.color", 3, 0, 0, 0);
  assert_seen (sim, through, through, through);
  set (sim, "wall.color", 3, 1, 0, 0);
  assert_seen (sim, through, 0, 0);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/lamps/spot", test_spot);
  g_test_add_func ("/sensors/lamps/grid", test_grid);
  g_test_add_func ("/sensors/lamps/changes", test_changes);
  g_test_add_func ("/sensors/lamps/changes-in-worker", test_changes_in_worker);
  g_test_add_func ("/sensors/lamps/texture", test_texture);
  g_test_add_func ("/sensors/lamps/pane", test_pane);
  return g_test_run ();
}
