/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

/* Which object each pixel sees, and where in the picture each object is. */

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions (void);

/* Drivers of OpenGL keep what they have until the process ends. */
__attribute__ ((visibility ("default"))) const char *
__lsan_default_suppressions (void)
{
  return "leak:libEGL\nleak:libGL\nleak:libLLVM\nleak:libOSMesa\nleak:_dri.so\n";
}
#endif

#define EYE(name, class, more)                                                                     \
  "{'name': '" name                                                                                \
  "', 'classpath': 'orrery.sensors.segmentation_camera." class "', 'frequency': 60, " more "}"
#define ROBOT(objects)                                                                             \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" objects "]}"
#define WIDTH 160
#define HEIGHT 120
#define SIZE "'cam_width': 160, 'cam_height': 120"
#define AT(properties)                                                                             \
  "'position': [0, 0, 1.2], 'rotation': [0.05, 0.2, 0.1], 'properties': {" SIZE properties "}"
#define RAYS ", 'with_rays': true"

/* A crate with a lid, seen through; a ball that nobody has named; a textured floor. */
#define THINGS                                                                                     \
  "{'name': 'floor', 'properties': {'Type': 'Ground', 'Grid': 1.0}, 'shapes': [{'kind': 'box', "   \
  "'size': [30, 30, 0.2], 'position': [0, 0, -0.1]}]}, {'name': 'crate', 'position': [5, 1, "      \
  "0.5], 'rotation': [0, 0, 0.5], 'properties': {'Type': 'Crate'}, 'shapes': [{'kind': 'box', "    \
  "'size': [1, 1, 1], 'color': [1, 0, 0], 'alpha': 0.3}], 'objects': [{'name': 'lid', "            \
  "'position': [0, 0, 0.6], 'shapes': [{'kind': 'cylinder', 'radius': 0.2, 'height': 0.2}]}]}, "   \
  "{'name': 'ball', 'position': [4, -0.6, 0.5], 'shapes': [{'kind': 'sphere', 'radius': 0.5, "     \
  "'emission': 1}]}, {'name': 'other', 'position': [3.3, 0.2, 0], 'properties': {'Type': "         \
  "'Crate'}, 'shapes': [{'kind': 'cone', 'radius': 0.3, 'height': 0.8}]}"

static gboolean
skip (void)
{
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  if (orrery_registry_find_class (registry, "orrery.renderers.mujoco.MuJoCo", NULL) != NULL)
    return FALSE;
  g_test_skip ("nothing that draws is built");
  return TRUE;
}

static gpointer
get_data (OrrerySimulation *sim, const char *name, const char *field, OrreryFieldType type)
{
  return orrery_record_find (orrery_test_find_field (sim, name, field), field, type);
}

static const guint16 *
get_ids (OrrerySimulation *sim, const char *name, const char *field)
{
  OrreryBuffer *image = *(OrreryBuffer **) get_data (sim, name, field, ORRERY_FIELD_BUFFER);

  g_assert_nonnull (image);
  g_assert_cmpint (orrery_buffer_get_element (image), ==, ORRERY_ELEMENT_UINT16);
  g_assert_cmpuint (orrery_buffer_get_length (image, 0), ==, HEIGHT);
  g_assert_cmpuint (orrery_buffer_get_length (image, 1), ==, WIDTH);
  return orrery_buffer_get_data (image);
}

static GVariant *
get_objects (OrrerySimulation *sim, const char *name)
{
  return *(GVariant **) get_data (sim, name, "objects", ORRERY_FIELD_VARIANT);
}

static gint64
get_int (GVariant *entry, const char *key)
{
  gint64 value = -1;

  g_assert_true (g_variant_lookup (entry, key, "x", &value));
  return value;
}

/* --- ids --- */

static void
test_labels (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (
      ORRERY_TEST_KINEMATIC (ROBOT (EYE ("eye", "SegmentationCamera", AT (RAYS))) ", " THINGS));

  g_test_summary ("ids count objects, parents before children, and classes as they come; an object "
                  "without a class has that of what it is on, or none");
  orrery_test_assert_answer (
      sim, "robot.eye", "get_labels", NULL,
      "[{'id': <int64 3>, 'name': <'floor'>, 'class': <'Ground'>, 'class_id': <int64 2>}, "
      "{'id': <int64 4>, 'name': <'crate'>, 'class': <'Crate'>, 'class_id': <int64 3>}, "
      "{'id': <int64 5>, 'name': <'crate.lid'>, 'class': <'Crate'>, 'class_id': <int64 3>}, "
      "{'id': <int64 6>, 'name': <'ball'>, 'class': <'unlabelled'>, 'class_id': <int64 1>}, "
      "{'id': <int64 7>, 'name': <'other'>, 'class': <'Crate'>, 'class_id': <int64 3>}]");
}

/* Whether all pixels about it see the same. */
static gboolean
is_even (const guint16 *ids, guint x, guint y)
{
  guint16 id = ids[y * WIDTH + x];

  if (x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1)
    return FALSE;
  for (guint v = y - 1; v <= y + 1; v++)
    for (guint u = x - 1; u <= x + 1; u++)
      if (ids[v * WIDTH + u] != id)
        return FALSE;
  return TRUE;
}

static void
test_rays (void)
{
  static const guint16 class_of[] = { 0, 1, 1, 2, 3, 3, 1, 3 };
  g_autoptr (OrrerySimulation) sim = NULL;
  const guint16 *drawn, *cast, *classes;
  guint n_different = 0, n_seen[8] = { 0 };

  g_test_summary ("each pixel has the id of what a ray through its middle meets");
  if (skip ())
    return;
  sim = orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT (
      EYE ("drawn", "SegmentationCamera",
           AT (""))) ", " THINGS ", "
                     "{'name': 'second', 'classpath': 'orrery.core.robot.Robot', 'objects': [" EYE (
                         "cast", "SegmentationCamera", AT (RAYS)) "]}"));
  orrery_test_step (sim, 1);
  drawn = get_ids (sim, "robot.drawn", "instances");
  classes = get_ids (sim, "robot.drawn", "classes");
  cast = get_ids (sim, "second.cast", "instances");
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    g_assert_cmpuint (drawn[i], <, G_N_ELEMENTS (class_of));
    g_assert_cmpuint (classes[i], ==, class_of[drawn[i]]);
    n_seen[drawn[i]]++;
    n_different += drawn[i] != cast[i] ? 1 : 0;
    /* A pixel at an edge may see either side of it. */
    if (is_even (cast, i % WIDTH, i / WIDTH))
      g_assert_cmpuint (drawn[i], ==, cast[i]);
  }
  g_assert_cmpuint (n_different, <, WIDTH * HEIGHT / 200);
  g_assert_cmpuint (n_seen[1] + n_seen[2], ==, 0);
  for (guint i = 3; i < 8; i++)
    g_assert_cmpuint (n_seen[i], >, 20);
  g_assert_cmpuint (n_seen[0], >, 1000);
}

/* --- boxes --- */

/* Each box is the extent of its pixels, and no pixel is without one. */
static void
assert_boxes (const guint16 *ids, GVariant *objects)
{
  gint64 n_pixels = 0, last = 0;
  guint n_nothing = 0;

  for (gsize i = 0; i < g_variant_n_children (objects); i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (objects, i);
    gint64 id = get_int (entry, "id"), n = 0;
    gint64 low[2] = { WIDTH, HEIGHT }, high[2] = { 0, 0 };

    for (gint64 k = 0; k < WIDTH * HEIGHT; k++) {
      if (ids[k] != id)
        continue;
      n++;
      low[0] = MIN (low[0], k % WIDTH);
      low[1] = MIN (low[1], k / WIDTH);
      high[0] = MAX (high[0], k % WIDTH + 1);
      high[1] = MAX (high[1], k / WIDTH + 1);
    }
    g_assert_cmpint (id, >, last);
    g_assert_cmpint (n, >, 0);
    g_assert_cmpint (get_int (entry, "pixels"), ==, n);
    g_assert_cmpint (get_int (entry, "x_min"), ==, low[0]);
    g_assert_cmpint (get_int (entry, "y_min"), ==, low[1]);
    g_assert_cmpint (get_int (entry, "x_max"), ==, high[0]);
    g_assert_cmpint (get_int (entry, "y_max"), ==, high[1]);
    last = id;
    n_pixels += n;
  }
  for (guint k = 0; k < WIDTH * HEIGHT; k++)
    n_nothing += ids[k] == 0 ? 1 : 0;
  g_assert_cmpint (n_pixels + n_nothing, ==, WIDTH * HEIGHT);
}

static void
test_boxes (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      THINGS ", " ROBOT (EYE ("eye", "SegmentationCamera", AT (RAYS)) ", " EYE (
          "low", "SegmentationCamera",
          AT (RAYS
              ", 'Vertical_Flip': false")) ", " EYE ("box", "BoundingBoxCamera",
                                                     AT (RAYS)) ", " EYE ("low_box",
                                                                          "BoundingBoxCamera",
                                                                          AT (RAYS
                                                                              ", 'Vertical_Flip': "
                                                                              "false")))));
  const guint16 *upper, *lower;

  g_test_summary ("boxes are the extents of what is seen of each object, rows as in the picture");
  orrery_test_step (sim, 1);
  upper = get_ids (sim, "robot.eye", "instances");
  lower = get_ids (sim, "robot.low", "instances");
  for (guint y = 0; y < HEIGHT; y++)
    g_assert_cmpmem (upper + y * WIDTH, 2 * WIDTH, lower + (HEIGHT - 1 - y) * WIDTH, 2 * WIDTH);
  assert_boxes (upper, get_objects (sim, "robot.eye"));
  assert_boxes (lower, get_objects (sim, "robot.low"));
  g_assert_cmpuint (g_variant_n_children (get_objects (sim, "robot.eye")), ==, 5);
  g_assert_true (g_variant_equal (get_objects (sim, "robot.eye"), get_objects (sim, "robot.box")));
  g_assert_true (
      g_variant_equal (get_objects (sim, "robot.low"), get_objects (sim, "robot.low_box")));
  g_assert_false (g_variant_equal (get_objects (sim, "robot.eye"), get_objects (sim, "robot.low")));
}

/* A wall 5 m ahead, 2 m wide, 1 m high, up to the left of the axis. The lens is 160 px long. */
#define WALL                                                                                       \
  "{'name': 'wall', 'position': [5.1, 1, 0.5], 'shapes': [{'kind': 'box', 'size': [0.2, 2, 1]}]}"

static void
test_place (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      ROBOT (EYE ("eye", "BoundingBoxCamera",
                  "'properties': {" SIZE RAYS ", 'cam_focal': 32}")) ", " WALL));
  g_autofree char *words = NULL;

  g_test_summary ("pixels count from the upper left corner, and maxima lie beyond the last one");
  orrery_test_step (sim, 1);
  words = g_variant_print (get_objects (sim, "robot.eye"), FALSE);
  g_assert_cmpstr (
      words, ==,
      "[{'id': <int64 3>, 'name': <'wall'>, 'class': <'unlabelled'>, 'class_id': <int64 1>, "
      "'x_min': <int64 16>, 'y_min': <int64 28>, 'x_max': <int64 80>, 'y_max': <int64 60>, "
      "'pixels': <int64 2048>}]");
}

/* --- scenes at the limits --- */

static void
test_nothing (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (ORRERY_TEST_KINEMATIC (ROBOT (EYE ("eye", "SegmentationCamera", AT ("")))));
  const guint16 *ids, *classes;

  g_test_summary ("where there is nothing, all pixels are 0, and there are no boxes");
  orrery_test_step (sim, 1);
  ids = get_ids (sim, "robot.eye", "instances");
  classes = get_ids (sim, "robot.eye", "classes");
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpuint (ids[i] + classes[i], ==, 0);
  g_assert_cmpuint (g_variant_n_children (get_objects (sim, "robot.eye")), ==, 0);
  orrery_test_assert_answer (sim, "robot.eye", "get_labels", NULL, "[]");
}

static char *
make_many (guint n, const char *more)
{
  g_autoptr (GString) objects = g_string_new (ROBOT (EYE ("eye", "BoundingBoxCamera", AT (RAYS))));

  for (guint i = 2; i < n; i++)
    g_string_append_printf (objects, ", {'name': 'o%u'%s}", i, more);
  return g_strdup_printf ("'environment': {'frequency': 60, 'physics': "
                          "'orrery.physics.kinematic.Kinematic'}, 'objects': [%s]",
                          objects->str);
}

static void
test_many (void)
{
  g_autofree char *most = make_many (65535, "");
  g_autofree char *more = make_many (65536, "");
  g_autoptr (OrrerySimulation) sim = orrery_test_load (most);

  g_test_summary ("a scene with more objects than there are ids is refused");
  g_assert_nonnull (sim);
  orrery_test_refuse (more,
                      "robot.eye: the scene has 65536 objects, the picture has ids for 65535");
}

static void
test_wrong (void)
{
  g_test_summary ("properties that fit no camera are refused");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (
                          ROBOT (EYE ("eye", "SegmentationCamera", AT (", 'cam_far': 0.05")))),
                      "cam_far is 0.05 m, not beyond cam_near, 0.1 m");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT (
                          EYE ("eye", "BoundingBoxCamera", "'properties': {'cam_width': 0}"))),
                      "cam_width");
  orrery_test_refuse (ORRERY_TEST_KINEMATIC (ROBOT (
                          EYE ("eye", "BoundingBoxCamera", "'properties': {'tag': 'Crate'}"))),
                      "tag");
}

/* --- the same each time --- */

static char *
run_moving (const char *placement)
{
  g_autofree char *scene =
      g_strdup_printf (ORRERY_TEST_KINEMATIC (
                           ROBOT (EYE ("eye", "SegmentationCamera", AT ("") "%s")) ", " THINGS),
                       placement);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryObject *ball = orrery_world_find_object (world, "ball");

  for (guint k = 0; k < 5; k++) {
    g_autofree char *words = NULL;
    OrreryTransform pose;

    orrery_transform_identity (&pose);
    pose.position = (OrreryVec3){ 4, 0.3 * k - 1, 0.5 };
    orrery_commands_set_pose (orrery_world_get_commands (world), ball, &pose);
    orrery_test_step (sim, 1);
    assert_boxes (get_ids (sim, "robot.eye", "instances"), get_objects (sim, "robot.eye"));
    words = g_variant_print (get_objects (sim, "robot.eye"), TRUE);
    g_checksum_update (sum, (const guchar *) words, -1);
    g_checksum_update (sum, (gconstpointer) get_ids (sim, "robot.eye", "instances"),
                       2 * WIDTH * HEIGHT);
    g_checksum_update (sum, (gconstpointer) get_ids (sim, "robot.eye", "classes"),
                       2 * WIDTH * HEIGHT);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static void
test_again (void)
{
  g_autofree char *once = NULL;
  g_autofree char *again = NULL;
  g_autofree char *there = NULL;

  g_test_summary ("the same scene gives the same bytes, in a worker, too");
  if (skip ())
    return;
  once = run_moving ("");
  again = run_moving ("");
  there = run_moving (", 'placement': 'worker'");
  g_assert_cmpstr (once, ==, again);
  g_assert_cmpstr (once, ==, there);
}

/* --- nobody looks --- */

static void
test_demand (void)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) sim = NULL;
  g_autoptr (GError) error = NULL;
  OrreryRecord *record;

  g_test_summary ("a picture that nobody asks for is not taken, and the last one is not kept");
  g_object_set (options, "start", 0.0, "listen", FALSE, "on-demand", TRUE, NULL);
  sim = orrery_test_try_load (ORRERY_TEST_KINEMATIC (
                                  ROBOT (EYE ("eye", "SegmentationCamera", AT (RAYS))) ", " THINGS),
                              options, &error);
  g_assert_no_error (error);
  record = orrery_component_get_record (orrery_simulation_find_component (sim, "robot.eye"));
  orrery_test_step (sim, 1);
  g_assert_true (orrery_record_is_held (record));
  g_object_unref (orrery_test_call (sim, "robot.eye", "capture", "(int64 1,)"));
  orrery_test_step (sim, 1);
  g_assert_false (orrery_record_is_held (record));
  g_assert_cmpuint (g_variant_n_children (get_objects (sim, "robot.eye")), ==, 5);
  g_object_unref (orrery_test_call (sim, "robot.eye", "capture", "(int64 -1,)"));
  orrery_test_step (sim, 1);
  g_assert_true (orrery_record_is_held (record));
  g_assert_cmpuint (g_variant_n_children (get_objects (sim, "robot.eye")), ==, 0);
  g_assert_null (*(OrreryBuffer **) get_data (sim, "robot.eye", "instances", ORRERY_FIELD_BUFFER));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/segmentation-camera/labels", test_labels);
  g_test_add_func ("/sensors/segmentation-camera/rays", test_rays);
  g_test_add_func ("/sensors/segmentation-camera/boxes", test_boxes);
  g_test_add_func ("/sensors/segmentation-camera/place", test_place);
  g_test_add_func ("/sensors/segmentation-camera/nothing", test_nothing);
  g_test_add_func ("/sensors/segmentation-camera/many", test_many);
  g_test_add_func ("/sensors/segmentation-camera/wrong", test_wrong);
  g_test_add_func ("/sensors/segmentation-camera/again", test_again);
  g_test_add_func ("/sensors/segmentation-camera/demand", test_demand);
  return g_test_run ();
}
