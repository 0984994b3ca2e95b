/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

/* Which way the surfaces of a picture face, and where their edges are. */

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions (void);

/* Drivers of OpenGL keep what they have until the process ends. */
__attribute__ ((visibility ("default"))) const char *
__lsan_default_suppressions (void)
{
  return "leak:libEGL\nleak:libGL\nleak:libLLVM\nleak:libOSMesa\nleak:_dri.so\n";
}
#endif

#define WIDTH 160
#define HEIGHT 120
/* px */
#define FOCAL 160.0
#define EYE(name, class, place, properties)                                                        \
  "{'name': '" name                                                                                \
  "', 'classpath': 'orrery.sensors." class "', 'frequency': 60, " place                            \
                                           "'properties': {'cam_width': 160, 'cam_height': 120, "  \
                                           "'cam_focal': 32" properties "}}"
#define NORMALS(name, place, properties) EYE (name, "normal_camera.NormalCamera", place, properties)
#define IDS(name, place, properties)                                                               \
  EYE (name, "segmentation_camera.SegmentationCamera", place, properties)
#define ROBOT(objects)                                                                             \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" objects "]}"
#define RAYS ", 'with_rays': true"

static gboolean
skip (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (orrery_registry_find_class (registry, "orrery.renderers.mujoco.MuJoCo", NULL) != NULL)
    return FALSE;
  g_test_skip ("nothing that draws is built");
  return TRUE;
}

static gconstpointer
get_data (OrrerySimulation *sim, const char *name, const char *field, OrreryElement element)
{
  OrreryRecord *record = orrery_test_find_field (sim, name, field);
  OrreryBuffer *image = *(OrreryBuffer **) orrery_record_find (record, field, ORRERY_FIELD_BUFFER);

  g_assert_nonnull (image);
  g_assert_cmpint (orrery_buffer_get_element (image), ==, element);
  g_assert_cmpuint (orrery_buffer_get_length (image, 0), ==, HEIGHT);
  g_assert_cmpuint (orrery_buffer_get_length (image, 1), ==, WIDTH);
  return orrery_buffer_get_data (image);
}

static const float *
get_normals (OrrerySimulation *sim, const char *name)
{
  return get_data (sim, name, "normals", ORRERY_ELEMENT_FLOAT);
}

static const guint8 *
get_edges (OrrerySimulation *sim, const char *name)
{
  return get_data (sim, name, "edges", ORRERY_ELEMENT_UINT8);
}

static gboolean
has_normal (const float *n)
{
  return n[0] != 0 || n[1] != 0 || n[2] != 0;
}

/* Each normal has length 1 and faces the camera, or is 0, as at all edges. */
static void
assert_normals (const float *normals, const guint8 *edges)
{
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    const float *n = normals + 3 * i;
    double x = (i % WIDTH + 0.5 - WIDTH / 2.0) / FOCAL;
    double y = (i / WIDTH + 0.5 - HEIGHT / 2.0) / FOCAL;

    g_assert_true (edges[i] == 0 || (edges[i] == 255 && !has_normal (n)));
    if (!has_normal (n))
      continue;
    assert_near (sqrt (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1, 1e-6);
    g_assert_cmpfloat (n[0] * x + n[1] * y + n[2], <, 0);
  }
}

static double
find_angle (const float *n, double x, double y, double z)
{
  double cross[3] = { n[1] * z - n[2] * y, n[2] * x - n[0] * z, n[0] * y - n[1] * x };

  return atan2 (sqrt (cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]),
                n[0] * x + n[1] * y + n[2] * z);
}

/* --- planes and spheres --- */

/* Floor and camera, which looks down by 0.3 rad. */
#define FLOOR                                                                                      \
  "{'name': 'floor', 'shapes': [{'kind': 'box', 'size': [300, 300, 0.2], 'position': [0, 0, "      \
  "-0.1]}]}"
#define DOWN "'position': [0, 0, 1.2], 'rotation': [0, 0.3, 0], "

static void
check_floor (OrrerySimulation *sim, const char *name, double bound)
{
  const float *normals = get_normals (sim, name);
  const guint8 *edges = get_edges (sim, name);
  guint n = 0, n_edges = 0;

  assert_normals (normals, edges);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    n_edges += edges[i] != 0 ? 1 : 0;
    if (!has_normal (normals + 3 * i))
      continue;
    n++;
    g_assert_cmpfloat (find_angle (normals + 3 * i, 0, -cos (0.3), -sin (0.3)), <, bound);
  }
  /* The horizon is 160 tan 0.3 = 49.5 rows above the middle, the limit of 100 m 2 rows lower; the
   * edge of the floor there is the one edge, however steep the floor is seen. */
  g_assert_cmpuint (n, >, WIDTH * 104);
  g_assert_cmpuint (n_edges, <=, 2 * WIDTH);
  g_assert_cmpuint (n_edges, >=, WIDTH);
}

static void
test_plane (void)
{
  g_autoptr (OrrerySimulation) cast =
      orrery_test_load (ORRERY_TEST_KINEMATIC (FLOOR ", " ROBOT (NORMALS ("eye", DOWN, RAYS))));
  g_autoptr (OrrerySimulation) drawn = NULL;

  g_test_summary ("normals of a plane are exact but for the steps of the depth buffer, and a plane "
                  "has no edges, however steep");
  orrery_test_step (cast, 1);
  check_floor (cast, "robot.eye", 1e-3);
  if (skip ())
    return;
  drawn = orrery_test_load (ORRERY_TEST_KINEMATIC (FLOOR ", " ROBOT (NORMALS ("eye", DOWN, ""))));
  orrery_test_step (drawn, 1);
  check_floor (drawn, "robot.eye", 2e-3);
}

static void
test_sphere (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{'name': 'ball', 'position': [4, 0.4, -0.3], 'shapes': [{'kind': 'sphere', 'radius': "
      "1}]}, " ROBOT (NORMALS ("eye", "", RAYS))));
  const float *normals;
  const guint8 *edges;
  guint n = 0, n_edges = 0;

  g_test_summary ("normals of a sphere are right to 0.02 rad, up to its edge, which is marked");
  orrery_test_step (sim, 1);
  normals = get_normals (sim, "robot.eye");
  edges = get_edges (sim, "robot.eye");
  assert_normals (normals, edges);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    /* Where the ray meets the ball, in optical axes: the centre is at (-0.4, 0.3, 4). */
    double d[3] = { (i % WIDTH + 0.5 - WIDTH / 2.0) / FOCAL,
                    (i / WIDTH + 0.5 - HEIGHT / 2.0) / FOCAL, 1 };
    double a = d[0] * d[0] + d[1] * d[1] + 1, b = -0.4 * d[0] + 0.3 * d[1] + 4;
    double root = b * b - a * (0.16 + 0.09 + 16 - 1), z = (b - sqrt (fmax (root, 0))) / a;

    n_edges += edges[i] != 0 ? 1 : 0;
    if (root <= 0) {
      g_assert_false (has_normal (normals + 3 * i));
      g_assert_cmpuint (edges[i], ==, 0);
    } else if (edges[i] == 0) {
      n++;
      g_assert_true (has_normal (normals + 3 * i));
      g_assert_cmpfloat (find_angle (normals + 3 * i, z * d[0] + 0.4, z * d[1] - 0.3, z - 4), <,
                         0.02);
    }
  }
  /* It is a disc of 41 px radius. */
  g_assert_cmpuint (n, >, 4800);
  g_assert_cmpuint (n_edges, >, 250);
}

/* --- edges --- */

/* A board half a metre before a wall that fills the left and the middle of the picture. */
#define STEP(more)                                                                                 \
  "{'name': 'wall', 'position': [5.6, 10, 0], 'shapes': [{'kind': 'box', 'size': [0.2, 22, 40]}]}" \
  ", {'name': 'board', 'position': [5, 0.3, 0.2], 'shapes': [{'kind': 'box', 'size': [0.02, 1, "   \
  "1]" more "}]}"

static guint
get_id (const guint16 *ids, guint u, guint v)
{
  return ids[MIN (v, HEIGHT - 1) * WIDTH + MIN (u, WIDTH - 1)];
}

static void
check_steps (OrrerySimulation *sim)
{
  const float *normals = get_normals (sim, "robot.eye");
  const guint8 *edges = get_edges (sim, "robot.eye");
  const guint16 *ids = get_data (sim, "robot.ids", "instances", ORRERY_ELEMENT_UINT16);
  guint n_edges = 0;

  assert_normals (normals, edges);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    guint u = i % WIDTH, v = i / WIDTH, id = ids[i];
    gboolean same = id == get_id (ids, u + 1, v) && id == get_id (ids, u > 0 ? u - 1 : 0, v) &&
                    id == get_id (ids, u, v + 1) && id == get_id (ids, u, v > 0 ? v - 1 : 0);

    n_edges += edges[i] != 0 ? 1 : 0;
    g_assert_cmpuint (edges[i], ==, id != 0 && !same ? 255 : 0);
    g_assert_cmpint (has_normal (normals + 3 * i), ==, id != 0 && same);
    if (id != 0 && same)
      g_assert_cmpfloat (find_angle (normals + 3 * i, 0, 0, -1), <, 1e-3);
  }
  /* About the board, 32 px wide and high, on both sides; one side of the wall's end. */
  g_assert_cmpuint (n_edges, >, 2 * 4 * 30 + HEIGHT);
  g_assert_cmpuint (n_edges, <, 2 * 4 * 34 + 2 * HEIGHT);
}

static void
test_edges (void)
{
  g_autoptr (OrrerySimulation) cast = orrery_test_load (ORRERY_TEST_KINEMATIC (
      STEP ("") ", " ROBOT (NORMALS ("eye", "", RAYS) ", " IDS ("ids", "", RAYS))));
  g_autoptr (OrrerySimulation) drawn = NULL;

  g_test_summary ("edges are where a pixel's neighbour sees another surface, on both sides, and "
                  "nowhere else; a translucent surface is one, too");
  orrery_test_step (cast, 1);
  check_steps (cast);
  if (skip ())
    return;
  drawn = orrery_test_load (ORRERY_TEST_KINEMATIC (
      STEP (", 'alpha': 0.3") ", " ROBOT (NORMALS ("eye", "", "") ", " IDS ("ids", "", ""))));
  orrery_test_step (drawn, 1);
  check_steps (drawn);
}

static void
test_slope (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (STEP ("") ", " ROBOT (
      NORMALS ("fine", "", RAYS ", 'edge_slope': 15") ", " NORMALS ("coarse", "",
                                                                    RAYS ", 'edge_slope': 20"))));
  guint n_fine = 0, n_coarse = 0;

  g_test_summary ("edge_slope is the jump, as a share of the distance, times the focal length");
  /* From 4.99 m to 5.5 m: 160 (1 - 4.99/5.5) = 14.8, and 160 (5.5/4.99 - 1) = 16.4; the end of the
   * wall is 160. */
  orrery_test_step (sim, 1);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    n_fine += get_edges (sim, "robot.fine")[i] != 0 ? 1 : 0;
    n_coarse += get_edges (sim, "robot.coarse")[i] != 0 ? 1 : 0;
  }
  g_assert_cmpuint (n_coarse, ==, HEIGHT);
  g_assert_cmpuint (n_fine, >, HEIGHT + 4 * 30);
  g_assert_cmpuint (n_fine, <, HEIGHT + 4 * 36);
}

/* --- rows, nothing, wrong properties, the same each time --- */

static void
test_rows (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (STEP ("") ", " ROBOT (
      NORMALS ("eye", DOWN, RAYS) ", " NORMALS ("low", DOWN, RAYS ", 'Vertical_Flip': false"))));
  const float *upper, *lower;

  g_test_summary ("with Vertical_Flip false rows begin at the bottom, and normals are the same");
  orrery_test_step (sim, 1);
  upper = get_normals (sim, "robot.eye");
  lower = get_normals (sim, "robot.low");
  for (guint y = 0; y < HEIGHT; y++) {
    guint other = HEIGHT - 1 - y;

    g_assert_cmpmem (upper + 3 * y * WIDTH, 12 * WIDTH, lower + 3 * other * WIDTH, 12 * WIDTH);
    g_assert_cmpmem (get_edges (sim, "robot.eye") + y * WIDTH, WIDTH,
                     get_edges (sim, "robot.low") + other * WIDTH, WIDTH);
  }
}

static void
test_nothing (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT (NORMALS ("eye", "", ""))));

  g_test_summary ("where there is nothing, there are no normals and no edges");
  orrery_test_step (sim, 1);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    g_assert_false (has_normal (get_normals (sim, "robot.eye") + 3 * i));
    g_assert_cmpuint (get_edges (sim, "robot.eye")[i], ==, 0);
  }
}

static void
test_wrong (void)
{
  g_test_summary ("a picture that is too small and a limit of 0 are refused");
  orrery_test_refuse (
      ORRERY_TEST_KINEMATIC (
          ROBOT ("{'name': 'eye', 'classpath': 'orrery.sensors.normal_camera.NormalCamera', "
                 "'properties': {'cam_height': 2}}")),
      "robot.eye: the picture has 256 x 2 pixels; normals need 3 x 3");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT (NORMALS ("eye", "", ", 'edge_slope': 0"))),
                      "edge_slope");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT (NORMALS ("eye", "", ", 'cam_far': 0.1"))),
                      "cam_far is 0.1 m, not beyond cam_near, 0.1 m");
}

static char *
take_sum (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC (FLOOR ", " STEP ("") ", " ROBOT (NORMALS ("eye", DOWN, ""))));

  orrery_test_step (sim, 2);
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256,
                                      (gconstpointer) get_normals (sim, "robot.eye"),
                                      12 * WIDTH * HEIGHT);
}

static void
test_again (void)
{
  g_autofree char *once = take_sum ();
  g_autofree char *again = take_sum ();

  g_test_summary ("the same scene gives the same bytes");
  g_assert_cmpstr (once, ==, again);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/normal-camera/plane", test_plane);
  g_test_add_func ("/sensors/normal-camera/sphere", test_sphere);
  g_test_add_func ("/sensors/normal-camera/edges", test_edges);
  g_test_add_func ("/sensors/normal-camera/slope", test_slope);
  g_test_add_func ("/sensors/normal-camera/rows", test_rows);
  g_test_add_func ("/sensors/normal-camera/nothing", test_nothing);
  g_test_add_func ("/sensors/normal-camera/wrong", test_wrong);
  g_test_add_func ("/sensors/normal-camera/again", test_again);
  return g_test_run ();
}
