/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions (void);

/* Drivers of OpenGL keep what they have until the process ends. */
__attribute__ ((visibility ("default"))) const char *
__lsan_default_suppressions (void)
{
  return "leak:libEGL\nleak:libGL\nleak:libLLVM\nleak:libOSMesa\nleak:_dri.so\n";
}
#endif

#define CAMERA(name, more)                                                                         \
  "{'name': '" name "', 'classpath': 'orrery.sensors.video_camera.VideoCamera', " more "}"
#define DEPTH(name, more)                                                                          \
  "{'name': '" name "', 'classpath': 'orrery.sensors.depth_camera.DepthCamera', " more "}"
#define ROBOT(objects)                                                                             \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" objects "]}"

#define WIDTH 320
#define HEIGHT 240
#define SIZE "'cam_width': 320, 'cam_height': 240, 'cam_focal': 35"

/* A camera that looks at where things are put. */
#define FOCAL (WIDTH * 35.0 / 32.0)

static gboolean
can_draw (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  return orrery_registry_find_class (registry, "orrery.renderers.mujoco.MuJoCo", NULL) != NULL;
}

static gboolean
skip (void)
{
  if (can_draw ())
    return FALSE;
  g_test_skip ("nothing that draws is built");
  return TRUE;
}

static void
step (OrrerySimulation *sim, guint64 n)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_step (sim, n, &error);
  g_assert_no_error (error);
}

static gpointer
get_data (OrrerySimulation *sim, const char *name, const char *field, OrreryFieldType type)
{
  OrreryComponent *component = orrery_simulation_find_component (sim, name);

  return orrery_record_find (orrery_component_get_record (component), field, type);
}

static OrreryBuffer *
get_buffer (OrrerySimulation *sim, const char *name, const char *field)
{
  OrreryBuffer **place = get_data (sim, name, field, ORRERY_FIELD_BUFFER);

  return *place;
}

/* --- where things are in a picture --- */

/* The middle of the pixels that are that colour, more or less. Returns: how many */
static guint
find_color (OrreryBuffer *image, const int color[3], double *u, double *v)
{
  const guint8 *pixels = orrery_buffer_get_data (image);
  gsize width = orrery_buffer_get_length (image, 1);
  gsize n = width * orrery_buffer_get_length (image, 0);
  guint found = 0;

  *u = *v = 0;
  for (gsize i = 0; i < n; i++) {
    gboolean same = TRUE;

    for (guint k = 0; k < 3; k++)
      same = same && (color[k] > 0 ? pixels[4 * i + k] > 100 : pixels[4 * i + k] < 50);
    if (!same)
      continue;
    found++;
    *u += (double) (i % width) + 0.5;
    *v += (double) (i / width) + 0.5;
  }
  *u /= MAX (found, 1);
  *v /= MAX (found, 1);
  return found;
}

static const int red[3] = { 1, 0, 0 };
static const int green[3] = { 0, 1, 0 };
static const int blue[3] = { 0, 0, 1 };

#define DOT(name, at, color)                                                                       \
  "{'name': '" name "', 'position': " at                                                           \
  ", 'shapes': [{'kind': 'sphere', 'radius': 0.02, 'emission': 1, 'color': " color "}]}"

static void
test_intrinsics (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const OrreryMat3 *matrix;
  double u, v;

  g_test_summary ("points lie where the intrinsic matrix puts them, to half a pixel");
  if (skip ())
    return;
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (DOT ("a", "[3, 0.5, 1.25]", "[1, 0, 0]") ", " DOT (
      "b", "[4, -1, 0.5]",
      "[0, 1, 0]") ", " DOT ("c", "[2, 0, 1]",
                             "[0, 0, 1]") ", " ROBOT (CAMERA ("eye", "'position': [0, 0, 1], "
                                                                     "'properties': {" SIZE "}"))));
  step (sim, 1);
  matrix = get_data (sim, "robot.eye", "intrinsic_matrix", ORRERY_FIELD_MAT3);
  g_assert_cmpfloat (matrix->m[0], ==, FOCAL);
  g_assert_cmpfloat (matrix->m[4], ==, FOCAL);
  g_assert_cmpfloat (matrix->m[2], ==, WIDTH / 2.0);
  g_assert_cmpfloat (matrix->m[5], ==, HEIGHT / 2.0);
  g_assert_cmpfloat (matrix->m[8], ==, 1);

  g_assert_cmpuint (find_color (get_buffer (sim, "robot.eye", "image"), red, &u, &v), >, 0);
  assert_near (u, matrix->m[2] - matrix->m[0] * 0.5 / 3, 0.5);
  assert_near (v, matrix->m[5] - matrix->m[4] * 0.25 / 3, 0.5);
  g_assert_cmpuint (find_color (get_buffer (sim, "robot.eye", "image"), green, &u, &v), >, 0);
  assert_near (u, matrix->m[2] + matrix->m[0] / 4, 0.5);
  assert_near (v, matrix->m[5] + matrix->m[4] * 0.5 / 4, 0.5);
  g_assert_cmpuint (find_color (get_buffer (sim, "robot.eye", "image"), blue, &u, &v), >, 0);
  assert_near (u, matrix->m[2], 0.5);
  assert_near (v, matrix->m[5], 0.5);
}

/* --- lock step --- */

#define JUMPING(placement)                                                                         \
  ORRERY_TEST_KINEMATIC (ROBOT (                                                                   \
      CAMERA ("eye", "'frequency': 60, 'position': [0, 0, 1], " placement "'properties': {" SIZE   \
                     "}")) ", {'name': 'box', 'classpath': 'orrery.core.robot.Robot', "            \
                           "'position': [4, 0, 1], 'shapes': [{'kind': 'box', 'size': "            \
                           "[0.2, 0.2, 0.2], 'color': [1, 0, 0], 'emission': 1}], "                \
                           "'objects': [{'name': 'pose', 'classpath': "                            \
                           "'orrery.sensors.pose.Pose'}]}")

static void
jump (OrrerySimulation *sim, guint k)
{
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryTransform pose;

  orrery_transform_identity (&pose);
  pose.position = (OrreryVec3){ 4, (int) (k * 7 % 5) * 0.3 - 0.6, 1 + (int) (k * 3 % 4) * 0.2 };
  orrery_commands_set_pose (orrery_world_get_commands (world),
                            orrery_world_find_object (world, "box"), &pose);
}

/* The picture shows the box where the pose sensor of the same tick has it. Returns: what tells
 * these pictures from others */
static char *
run_jumping (const char *scene)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint k = 0; k < 12; k++) {
    double u, v;
    const double *y, *z;

    jump (sim, k);
    step (sim, 1);
    y = get_data (sim, "box.pose", "y", ORRERY_FIELD_DOUBLE);
    z = get_data (sim, "box.pose", "z", ORRERY_FIELD_DOUBLE);
    g_assert_cmpuint (find_color (get_buffer (sim, "robot.eye", "image"), red, &u, &v), >, 100);
    assert_near (u, WIDTH / 2.0 - FOCAL * *y / 3.9, 1.5);
    assert_near (v, HEIGHT / 2.0 - FOCAL * (*z - 1) / 3.9, 1.5);
    g_checksum_update (sum, orrery_buffer_get_data (get_buffer (sim, "robot.eye", "image")),
                       (gssize) orrery_buffer_get_size (get_buffer (sim, "robot.eye", "image")));
  }
  return g_strdup (g_checksum_get_string (sum));
}

static void
test_lock_step (void)
{
  g_autofree char *once = NULL;
  g_autofree char *again = NULL;

  g_test_summary ("the picture of a tick shows what the other sensors of that tick see");
  if (skip ())
    return;
  once = run_jumping (JUMPING (""));
  again = run_jumping (JUMPING (""));
  g_assert_cmpstr (once, ==, again);
}

static void
test_worker (void)
{
  g_autofree char *here = NULL;
  g_autofree char *there = NULL;
  g_autofree char *latest = NULL;

  g_test_summary ("a camera in a worker sees the same, in the same tick, bit for bit");
  if (skip ())
    return;
  here = run_jumping (JUMPING (""));
  there = run_jumping (JUMPING ("'placement': 'worker', "));
  latest = run_jumping (JUMPING ("'placement': 'worker', 'transport': 'latest', "));
  g_assert_cmpstr (here, ==, there);
  g_assert_cmpstr (here, ==, latest);
}

/* --- many small ones --- */

#define N_SMALL 6

/* What they look at, a camera that is larger than they are, and small ones. */
static char *
make_small (guint first, guint last, gboolean large)
{
  g_autoptr (GString) eyes =
      g_string_new (large ? CAMERA ("large", "'properties': {" SIZE "}") : "");

  for (guint i = first; i <= last; i++)
    g_string_append_printf (eyes,
                            "%s{'name': 'c%u', 'classpath': 'orrery.sensors.%s', 'position': [0, "
                            "0, 1], 'rotation': [0, 0.1, %g], 'properties': {'cam_width': 64, "
                            "'cam_height': 48}}",
                            eyes->len > 0 ? ", " : "", i,
                            i % 2 == 0 ? "video_camera.VideoCamera"
                                       : "depth_camera.DepthVideoCamera",
                            0.1 * i - 0.2);
  return g_strdup_printf (ORRERY_TEST_KINEMATIC (
                              DOT ("a", "[3, 0.5, 1.25]",
                                   "[1, 0, 0]") ", {'name': 'crate', 'position': [3, 0.3, "
                                                "0.9], 'rotation': [0, 0, 0.5], 'shapes': "
                                                "[{'kind': 'box', 'size': [0.5, 1, 0.4]}]}, "
                                                "{'name': 'robot', 'classpath': "
                                                "'orrery.core.robot.Robot', 'objects': [%s]}"),
                          eyes->str);
}

static void
test_small (void)
{
  g_autofree char *text = make_small (0, N_SMALL - 1, TRUE);
  g_autoptr (OrrerySimulation) together = NULL;
  OrreryBuffer *last = NULL;

  g_test_summary ("cameras share what they are drawn into, and see the same bits as one alone");
  if (skip ())
    return;
  together = orrery_test_load (text);
  step (together, 1);
  for (guint i = 0; i < N_SMALL; i++) {
    g_autofree char *name = g_strdup_printf ("robot.c%u", i);
    g_autofree char *one = make_small (i, i, FALSE);
    g_autoptr (OrrerySimulation) alone = orrery_test_load (one);
    OrreryBuffer *image = get_buffer (together, name, "image"), *other;

    step (alone, 1);
    other = get_buffer (alone, name, "image");
    g_assert_cmpmem (orrery_buffer_get_data (image), orrery_buffer_get_size (image),
                     orrery_buffer_get_data (other), orrery_buffer_get_size (other));
    /* Each sees something else. */
    if (last != NULL)
      g_assert_cmpint (memcmp (orrery_buffer_get_data (image), orrery_buffer_get_data (last),
                               64 * 48 * 4),
                       !=, 0);
    last = image;
  }
}

/* --- distances --- */

#define ROOM                                                                                       \
  "{'name': 'floor', 'shapes': [{'kind': 'box', 'size': [30, 30, 0.2], 'position': [0, 0, "        \
  "-0.1]}]}, {'name': 'wall', 'position': [9, 0, 0], 'rotation': [0, 0, 0.3], 'shapes': "          \
  "[{'kind': 'box', 'size': [0.2, 30, 6]}]}, {'name': 'crate', 'position': [5, 1, 0.5], "          \
  "'rotation': [0, 0, 0.5], 'shapes': [{'kind': 'box', 'size': [1, 1, 1]}]}, {'name': 'roof', "    \
  "'position': [4, -1.5, 0], 'shapes': [{'kind': 'mesh', 'points': [[0, 0, 0], [1, 0, 0], [1, "    \
  "1, 0], [0, 1, 0], [0.5, 0.5, 1]], 'triangles': [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, "       \
  "4]]}]}"
#define AT "'position': [0, 0, 1.2], 'rotation': [0.1, 0.2, 0.1], "

static void
test_depth (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  const float *drawn, *cast;
  gsize n;
  guint n_edges = 0;

  g_test_summary ("drawn distances are those of rays through the middle of each pixel");
  if (skip ())
    return;
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROOM ", " ROBOT (DEPTH ("drawn", AT "'properties': {'keep_resolution': true}") ", " DEPTH (
          "cast", AT "'properties': {'keep_resolution': true, 'with_rays': true}"))));
  step (sim, 1);
  drawn = orrery_buffer_get_data (get_buffer (sim, "robot.drawn", "points"));
  cast = orrery_buffer_get_data (get_buffer (sim, "robot.cast", "points"));
  n = orrery_buffer_get_length (get_buffer (sim, "robot.cast", "points"), 0);
  g_assert_cmpuint (n, ==, 256 * 256);
  for (gsize i = 0; i < n; i++) {
    /* A pixel at an edge may see either side of it. */
    if (fabs (drawn[3 * i + 2] - cast[3 * i + 2]) > 0.02) {
      n_edges++;
      continue;
    }
    /* 24 bits of depth, from 1 m to 20 m: z^2 / 2^24 at z, and what single precision adds. */
    for (guint k = 0; k < 3; k++)
      assert_near (drawn[3 * i + k], cast[3 * i + k], 2e-4);
  }
  g_assert_cmpuint (n_edges, <, n / 100);
}

static void
test_points (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{'name': 'wall', 'position': [5, 0, 0], 'shapes': [{'kind': 'box', 'size': [0.2, 2, "
      "2]}]}, " ROBOT (DEPTH (
          "eye",
          "'properties': {'with_rays': true, 'cam_focal': 35, 'keep_list': '[0, "
          "128, 255]'}") ", " DEPTH ("all",
                                     "'properties': {'with_rays': true, "
                                     "'cam_focal': 35}") ", " DEPTH ("full",
                                                                     "'properties': {'with_rays': "
                                                                     "true, 'keep_list': '0', "
                                                                     "'keep_resolution': true}"))));
  const float *points, *full;
  gint64 *n;

  g_test_summary (
      "points are in optical axes, line by line from the bottom; what sees nothing gives none");
  step (sim, 1);
  n = get_data (sim, "robot.all", "nb_points", ORRERY_FIELD_INT64);
  points = orrery_buffer_get_data (get_buffer (sim, "robot.all", "points"));
  /* 2 m at 4.9 m: 280 px x 2 / 4.9 on each side. */
  assert_near ((double) *n, (280 * 2 / 4.9) * (280 * 2 / 4.9), 400);
  g_assert_cmpint (*n, ==,
                   (gint64) orrery_buffer_get_length (get_buffer (sim, "robot.all", "points"), 0));
  assert_near (points[2], 4.9, 1e-5);
  g_assert_cmpfloat (points[0], <, -0.9);
  g_assert_cmpfloat (points[1], >, 0.9);
  assert_near (points[3 * *n - 1], 4.9, 1e-5);
  g_assert_cmpfloat (points[3 * *n - 3], >, 0.9);
  g_assert_cmpfloat (points[3 * *n - 2], <, -0.9);
  n = get_data (sim, "robot.eye", "nb_points", ORRERY_FIELD_INT64);
  points = orrery_buffer_get_data (get_buffer (sim, "robot.eye", "points"));
  assert_near ((double) *n, 280 * 2 / 4.9, 3);
  n = get_data (sim, "robot.full", "nb_points", ORRERY_FIELD_INT64);
  full = orrery_buffer_get_data (get_buffer (sim, "robot.full", "points"));
  g_assert_cmpint (*n, ==, 256);
  for (guint i = 0; i < 3 * 256; i++)
    g_assert_cmpfloat (full[i], ==, 0);
  /* z (u - w/2) / f and z ((h - r) - h/2) / f, of column 71 of line 128: the first that meets it.
   */
  assert_near (points[1], 0, 1e-6);
  assert_near (points[0], 4.9 * (71 - 128) / 280, 1e-5);
}

/* Below the axis a wall 4.9 m away, above it nothing. Two pixels, one above the other. */
#define LOW_WALL                                                                                   \
  "{'name': 'wall', 'position': [5, 0, -4], 'shapes': [{'kind': 'box', 'size': [0.2, 90, 8]}]}, "
#define TWO "'cam_width': 1, 'cam_height': 2"
#define EYE(name, class, more)                                                                     \
  "{'name': '" name                                                                                \
  "', 'classpath': 'morse.sensors." class "', 'frequency': 60, 'properties': {" TWO more "}}"
#define RAYS ", 'with_rays': true"

static void
assert_pair (OrrerySimulation *sim, const char *name, double first, double second)
{
  OrreryBuffer *image = get_buffer (sim, name, "image");
  const float *values = orrery_buffer_get_data (image);

  g_assert_cmpint (orrery_buffer_get_element (image), ==, ORRERY_ELEMENT_FLOAT);
  g_assert_cmpuint (orrery_buffer_get_size (image), ==, 2 * sizeof (float));
  assert_near (values[0], first, 1e-4);
  assert_near (values[1], second, 1e-4);
}

static void
assert_lens (OrrerySimulation *sim, const char *name, double focal)
{
  const OrreryMat3 *matrix = get_data (sim, name, "intrinsic_matrix", ORRERY_FIELD_MAT3);

  assert_near (matrix->m[0], focal, 1e-12);
  assert_near (matrix->m[4], focal, 1e-12);
}

static void
test_images (void)
{
  /* z = 2 near far / (far + near - (2 d - 1) (far - near)), for 4.9 m between 1 m and 20 m. */
  const double d = (21 - 40 / 4.9) / 38 + 0.5;
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      LOW_WALL ROBOT (EYE ("metres", "depth_camera.DepthVideoCamera", RAYS) ", " EYE (
          "top", "depth_camera.DepthVideoCamera",
          RAYS ", 'Vertical_Flip': true") ", " EYE ("raw", "depth_camera.RawImage",
                                                    RAYS) ", " EYE ("wide", "depth_camera.RawImage",
                                                                    RAYS ", 'cam_fov': 90"))));

  g_test_summary ("pictures of distances: metres or the depth buffer, from the bottom or the top");
  step (sim, 1);
  assert_pair (sim, "robot.metres", 4.9, 20);
  assert_pair (sim, "robot.top", 20, 4.9);
  assert_pair (sim, "robot.raw", d, 1);
  assert_lens (sim, "robot.raw", 25 / 32.0);
  assert_lens (sim, "robot.wide", 0.5);
}

static void
test_colours (void)
{
  const double d = (21 - 40 / 4.9) / 38 + 0.5;
  g_autoptr (OrrerySimulation) sim = NULL;
  const guint8 *pixels;

  g_test_summary (
      "of a colour camera: the sky where nothing is, the depth buffer as numbers, as grey");
  if (skip ())
    return;
  sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC (LOW_WALL ROBOT (EYE ("seen", "video_camera.VideoCamera", "") ", " EYE (
          "bottom", "video_camera.VideoCamera",
          ", 'Vertical_Flip': false") ", " EYE ("depth", "video_camera.VideoCamera",
                                                ", 'retrieve_depth': true, 'cam_near': 1, "
                                                "'cam_far': 20") ", " EYE ("grey",
                                                                           "video_camera."
                                                                           "VideoCamera",
                                                                           ", 'retrieve_zbuffer': "
                                                                           "true, 'cam_near': 1, "
                                                                           "'cam_far': 20"))));
  step (sim, 1);
  pixels = orrery_buffer_get_data (get_buffer (sim, "robot.seen", "image"));
  g_assert_cmpint (pixels[2] - pixels[0], >, 10);
  g_assert_cmpint (pixels[3], ==, 255);
  g_assert_cmpint (ABS (pixels[6] - pixels[4]), <, 10);
  pixels = orrery_buffer_get_data (get_buffer (sim, "robot.bottom", "image"));
  g_assert_cmpint (ABS (pixels[2] - pixels[0]), <, 10);
  g_assert_cmpint (pixels[6] - pixels[4], >, 10);
  assert_pair (sim, "robot.depth", 1, d);
  pixels = orrery_buffer_get_data (get_buffer (sim, "robot.grey", "image"));
  g_assert_cmpint (pixels[0], ==, 255);
  g_assert_cmpint (ABS (pixels[4] - 255 * d), <=, 1);
}

static void
test_turning (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT (EYE ("eye", "depth_camera.DepthCameraRotationZ", RAYS ", 'rotation': 0.25"))));
  OrreryEuler e;

  g_test_summary (
      "after each picture it turns about the axis that points down in it: to the right");
  step (sim, 1);
  step (sim, 1);
  step (sim, 1);
  orrery_quat_to_euler (&orrery_test_get_pose (sim, "robot.eye")->rotation, &e.roll, &e.pitch,
                        &e.yaw);
  assert_near (e.yaw, -0.75, 1e-12);
  assert_near (e.pitch, 0, 1e-12);
}

static void
test_lines (void)
{
  g_test_summary ("a list of lines that cannot be kept is refused");
  orrery_test_refuse (
      ORRERY_TEST_KINEMATIC (ROBOT (DEPTH ("eye", "'properties': {'keep_list': '1, 256'}"))),
      "keep_list has '256': it lists lines of the picture, 0 to 255, from the bottom");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT (DEPTH ("eye", "'properties': {'keep_list': 'all'}"))),
                      "keep_list has 'all'");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT (DEPTH ("eye", "'properties': {'cam_far': 0.5}"))),
                      "cam_far is 0.5 m, not beyond cam_near, 1 m");
}

/* --- without anything that draws --- */

#define NOTHING_DRAWS(objects)                                                                     \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'renderer': 'acme.none.None'}, 'objects': [" objects "]"

static void
test_no_renderer (void)
{
  g_autoptr (OrrerySimulation) sim = NULL;
  double *x;

  g_test_summary ("without a renderer a camera says so, and all else runs");
  sim = orrery_test_load (NOTHING_DRAWS (ROBOT (CAMERA ("eye", "'frequency': 60") ", " DEPTH (
      "depth", "'frequency': 60") ", {'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', "
                                  "'position': [1, 0, 0]}")));
  orrery_test_expected = "robot.eye: no pictures: ";
  step (sim, 3);
  g_assert_null (orrery_test_expected);
  g_assert_null (get_buffer (sim, "robot.eye", "image"));
  g_assert_nonnull (get_buffer (sim, "robot.depth", "points"));
  x = get_data (sim, "robot.pose", "x", ORRERY_FIELD_DOUBLE);
  g_assert_cmpfloat (*x, ==, 1);
}

static void
test_required (void)
{
  g_test_summary ("a camera that is required has the scene refused there");
  orrery_test_refuse (NOTHING_DRAWS (ROBOT (CAMERA ("eye", "'properties': {'required': true}"))),
                      "robot.eye: acme.none.None: no module acme/none");
}

/* --- when pictures are taken --- */

static GVariant *
take_n (gint64 n)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&list, "v", g_variant_new_int64 (n));
  return g_variant_builder_end (&list);
}

static void
test_capture (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT (DEPTH ("eye", "'frequency': 60, 'properties': {'with_rays': true, "
                           "'cam_width': 8, 'cam_height': 8}"))));
  OrreryRecord *record =
      orrery_component_get_record (orrery_simulation_find_component (sim, "robot.eye"));
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (OrreryCall) second = NULL;

  g_test_summary ("capture takes so many pictures, and then none until it is asked again");
  step (sim, 2);
  g_assert_false (orrery_record_is_held (record));
  call = orrery_simulation_call (sim, "robot.eye", "capture", take_n (2));
  second = orrery_simulation_call (sim, "robot.eye", "capture", take_n (1));
  g_assert_true (orrery_call_is_done (second));
  g_assert_cmpint (orrery_call_get_fault (second), ==, ORRERY_CALL_FAILED);
  step (sim, 1);
  g_assert_false (orrery_call_is_done (call));
  step (sim, 1);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  g_assert_false (orrery_record_is_held (record));
  step (sim, 1);
  g_assert_true (orrery_record_is_held (record));
  g_clear_object (&call);
  call = orrery_simulation_call (sim, "robot.eye", "capture", take_n (-1));
  step (sim, 9);
  g_assert_false (orrery_call_is_done (call));
  g_assert_false (orrery_record_is_held (record));
  orrery_call_cancel (call);
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_PREEMPTED);
  step (sim, 1);
  g_assert_true (orrery_record_is_held (record));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/cameras/intrinsics", test_intrinsics);
  g_test_add_func ("/sensors/cameras/lock-step", test_lock_step);
  g_test_add_func ("/sensors/cameras/worker", test_worker);
  g_test_add_func ("/sensors/cameras/small", test_small);
  g_test_add_func ("/sensors/cameras/depth", test_depth);
  g_test_add_func ("/sensors/cameras/points", test_points);
  g_test_add_func ("/sensors/cameras/images", test_images);
  g_test_add_func ("/sensors/cameras/colours", test_colours);
  g_test_add_func ("/sensors/cameras/turning", test_turning);
  g_test_add_func ("/sensors/cameras/lines", test_lines);
  g_test_add_func ("/sensors/cameras/no-renderer", test_no_renderer);
  g_test_add_func ("/sensors/cameras/required", test_required);
  g_test_add_func ("/sensors/cameras/capture", test_capture);
  return g_test_run ();
}
