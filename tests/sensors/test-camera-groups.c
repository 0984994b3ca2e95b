/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <math.h>
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

#define ROBOT(objects)                                                                             \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" objects "]}"
#define RAYS "'with_rays': true"

static gpointer
get_data (Stage *stage, const char *name, const char *field, OrreryFieldType type)
{
  return orrery_record_find (orrery_component_get_record (stage_find (stage, name)), field, type);
}

static OrreryBuffer *
get_buffer (Stage *stage, const char *name, const char *field)
{
  return *(OrreryBuffer **) get_data (stage, name, field, ORRERY_FIELD_BUFFER);
}

static Stage *
make (const char *tables, const char *objects)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, objects);

  return stage_new (scene, NULL);
}

/* --- streams --- */

#define STREAM(codec)                                                                              \
  "'component_datastream': {'robot.eye': [['probe.loop.Loop', 'orrery.middleware.sockets." codec   \
  "', {}]]}, "

static void
test_publisher (void)
{
  g_autoptr (Stage) stage = make (
      STREAM ("depth_camera.DepthCameraPublisher"),
      "{'name': 'wall', 'position': [5, 0, 0], 'shapes': [{'kind': 'box', 'size': [2, 90, "
      "90]}]}, " ROBOT (
          "{'name': 'eye', 'classpath': 'orrery.sensors.depth_camera.DepthCamera', 'frequency': "
          "60, 'properties': {'cam_width': 2, 'cam_height': 1, 'cam_focal': 32, " RAYS "}}"));
  /* 4 m away: 4 (u - 1) / 2, 4 (1 - r - 1/2) / 2 for u of 0 and 1, r of 0. */
  static const float points[6] = { -2, 1, 4, 0, 1, 4 };
  g_autofree char *base64 = g_base64_encode ((const guchar *) points, sizeof points);
  g_autofree char *expected = g_strdup_printf (
      "\"height\": 1, \"width\": 2, \"points\": \"%s\", \"intrinsic_matrix\": [[2.0, 0.0, 1.0], "
      "[0.0, 2.0, 0.5], [0.0, 0.0, 1.0]]}",
      base64);
  g_auto (GStrv) sent = NULL;

  g_test_summary ("points are sent as MORSE sends them");
  stage_step (stage, 1);
  sent = stage_sent (stage, "robot.eye", 0);
  g_assert_cmpuint (g_strv_length (sent), ==, 1);
  g_assert_true (g_str_has_prefix (sent[0], "{\"timestamp\": 0.01666"));
  g_assert_nonnull (strstr (sent[0], "}"));
  if (!g_str_has_suffix (sent[0], expected))
    g_test_message ("%s", sent[0]);
  g_assert_true (g_str_has_suffix (sent[0], expected));
}

/* --- several cameras --- */

static void
test_lidar (void)
{
  g_autoptr (Stage) stage = make (
      "", "{'name': 'drum', 'shapes': [{'kind': 'cylinder', 'radius': 6, 'height': 30}]}, " ROBOT (
              "{'name': 'lidar', 'classpath': 'orrery.sensors.vlp16.VLP16_180', 'objects': []}"));
  const float *points;
  double worst = 0;
  gsize n;

  g_test_summary ("a lidar of three cameras sees a round wall at the same distance all around");
  stage_step (stage, 7);
  n = orrery_buffer_get_length (get_buffer (stage, "robot.lidar", "points"), 0);
  points = orrery_buffer_get_data (get_buffer (stage, "robot.lidar", "points"));
  g_assert_cmpuint (n, ==, 3 * 16 * 512);
  /* A drawn cylinder has 28 flat sides: 6 m x (1 - cos (pi/28)); points are half a pixel aside. */
  for (gsize i = 0; i < n; i++)
    worst = fmax (worst, fabs (hypot (points[3 * i], points[3 * i + 2]) - 6));
  g_assert_cmpfloat (worst, <, 0.05);
  /* The first camera looks to the right, the last to the left. */
  g_assert_cmpfloat (points[0], >, 2);
  g_assert_cmpfloat (points[3 * n - 3], <, -2);
}

static void
test_kinect (void)
{
  g_autoptr (Stage) stage =
      make ("", ROBOT ("{'name': 'kinect', 'classpath': 'orrery.sensors.kinect.Kinect'}"));
  OrreryRecord **rgb = get_data (stage, "robot.kinect", "robot.kinect.rgb", ORRERY_FIELD_RECORD);
  OrreryRecord **depth =
      get_data (stage, "robot.kinect", "robot.kinect.depth", ORRERY_FIELD_RECORD);

  g_test_summary ("a Kinect is the records of its two cameras");
  g_assert_true (*rgb == orrery_component_get_record (stage_find (stage, "robot.kinect.rgb")));
  g_assert_true (*depth == orrery_component_get_record (stage_find (stage, "robot.kinect.depth")));
}

static void
test_compound (void)
{
  g_autoptr (Stage) stage = NULL;
  g_autofree char *record = NULL;

  g_test_summary ("a compound is the records of sensors by their full names; others are told of");
  stage = make ("", ROBOT ("{'name': 'all', 'classpath': 'orrery.sensors.compound.CompoundSensor', "
                           "'properties': {'sensors': 'robot.near,robot.pse, robot.clock'}}, "
                           "{'name': 'near', 'classpath': 'orrery.sensors.gps.GPS', 'position': "
                           "[1, 2, 3]}, {'name': 'clock', 'classpath': "
                           "'orrery.sensors.clock.Clock'}"));
  g_assert_cmpuint (
      stage_log_count (G_LOG_LEVEL_WARNING,
                       "*robot.all: 'sensors' names 'robot.pse', which is not another*"),
      ==, 1);
  stage_step (stage, 60);
  record = stage_json (stage, "robot.all");
  g_assert_cmpstr (record, ==,
                   "{\"timestamp\": 1.0, \"robot.near\": {\"timestamp\": 1.0, \"x\": 1.0, "
                   "\"y\": 2.0, \"z\": 3.0}, \"robot.clock\": {\"timestamp\": 1.0}}");
}

static void
test_empty_compound (void)
{
  g_autoptr (Stage) stage = NULL;
  g_autofree char *record = NULL;

  g_test_summary ("a compound of nothing is told of, and has nothing but the time");
  stage =
      make ("", ROBOT ("{'name': 'all', 'classpath': 'orrery.sensors.compound.CompoundSensor'}"));
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*robot.all: no sensors: *"), ==, 1);
  stage_step (stage, 60);
  record = stage_json (stage, "robot.all");
  g_assert_cmpstr (record, ==, "{\"timestamp\": 1.0}");
}

#define EYE(name)                                                                                  \
  "{'name': '" name "', 'classpath': 'orrery.sensors.depth_camera.DepthCamera', 'frequency': 60, " \
  "'properties': {'cam_width': 4, 'cam_height': 4, " RAYS "}}"

static void
test_stereo (void)
{
  g_autoptr (Stage) stage =
      make ("", ROBOT ("{'name': 'unit', 'classpath': 'orrery.sensors.stereo_unit.StereoUnit', "
                       "'objects': [" EYE ("left") ", " EYE ("right") "]}"));
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("capture of a stereo unit is done when both cameras have their pictures");
  stage_step (stage, 1);
  call = stage_start (stage, "robot.unit", "capture", "[<int64 2>]");
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 1);
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (call));
  g_assert_cmpint (orrery_call_get_fault (call), ==, ORRERY_CALL_OK);
  stage_step (stage, 1);
  g_assert_true (
      orrery_record_is_held (orrery_component_get_record (stage_find (stage, "robot.unit.right"))));
}

/* --- what a semantic camera knows --- */

#define THING(name, at, more)                                                                      \
  "{'name': '" name "', 'position': " at ", 'body': {'type': 'static'}, 'shapes': "                \
  "[{'kind': 'box', 'size': [0.5, 0.5, 0.5]}], 'properties': {" more "}}"

#define CUP THING ("cup", "[4, 0, 0]", "'Object': true, 'Label': 'Mug', 'Description': 'blue'")
#define HIDDEN THING ("hidden", "[8, 0, 0]", "'Object': true")
#define BEHIND THING ("behind", "[-4, 0, 0]", "'Object': true")
#define PLAIN THING ("plain", "[4, 1, 0]", "'Weight': 1")
#define TYPED THING ("typed", "[4, -1, 0]", "'Type': 'Object'")
#define OFF THING ("off", "[4, 1.5, 0]", "'Object': false")
#define THINGS CUP ", " HIDDEN ", " BEHIND ", " PLAIN ", " TYPED ", " OFF
#define SEMANTIC "'frequency': 60, 'classpath': 'orrery.sensors.semantic_camera.SemanticCamera'"
#define SEMANTIC_EYES                                                                              \
  "{'name': 'eye', " SEMANTIC "}, {'name': 'through', 'position': [1, 0, 0], " SEMANTIC            \
  ", 'properties': {'noocclusion': true, 'relative': true}}"

static void
test_semantic (void)
{
  g_autoptr (Stage) stage = make ("", THINGS ", " ROBOT (SEMANTIC_EYES));
  g_autofree char *seen = NULL;
  g_autofree char *through = NULL;
  g_autofree char *place = NULL;
  g_autoptr (GVariant) configurations = NULL;

  g_test_summary ("a semantic camera names what is tagged, in view and not hidden");
  seen = stage_json (stage, "robot.eye");
  g_assert_nonnull (strstr (seen, "\"visible_objects\": []"));
  g_clear_pointer (&seen, g_free);
  stage_step (stage, 1);
  seen = stage_json (stage, "robot.eye");
  g_assert_nonnull (strstr (seen, "\"name\": \"Mug\", \"description\": \"blue\", \"type\": \"\", "
                                  "\"position\": [4.0, 0.0, 0.0], \"orientation\": {\"x\": 0.0, "
                                  "\"y\": 0.0, \"z\": 0.0, \"w\": 1.0}"));
  g_assert_nonnull (strstr (seen, "\"name\": \"typed\""));
  g_assert_null (strstr (seen, "hidden"));
  g_assert_null (strstr (seen, "behind"));
  g_assert_null (strstr (seen, "plain"));
  g_assert_null (strstr (seen, "off"));
  through = stage_json (stage, "robot.through");
  g_assert_nonnull (strstr (through, "hidden"));
  /* In optical axes: x right, y down, z forward. */
  g_assert_nonnull (strstr (through, "\"position\": [0.0, 0.0, 3.0], \"orientation\": "
                                     "{\"x\": 0.5, \"y\": -0.5, \"z\": 0.5, \"w\": 0.5}"));
  /* So is the camera itself: its z is ahead, its x the robot's right. */
  configurations = stage_call (stage, "robot.through", "get_configurations", NULL);
  place = g_variant_print (configurations, FALSE);
  g_assert_nonnull (
      strstr (place, "'rotation': <[[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]>"));
  g_assert_nonnull (strstr (place, "'translation': <[1.0, 0.0, 0.0]>"));
}

static void
assert_shown (Stage *stage, const char *pose)
{
  g_autoptr (GVariant) objects = stage_call (stage, "simulation", "get_scene_objects", NULL);
  g_autofree char *tree = g_variant_print (objects, FALSE);

  g_assert_nonnull (strstr (tree, pose));
}

static void
test_signs (void)
{
  /* By 4 rad about z: (cos 2, 0, 0, sin 2) has w below 0. */
  g_autoptr (Stage) stage =
      make ("", "{'name': 'cup', 'position': [4, 0, 0], 'rotation': [0, 0, 4], 'body': {'type': "
                "'static'}, 'shapes': [{'kind': "
                "'box', 'size': [0.5, 0.5, 0.5]}], 'properties': {'Object': true}}, " ROBOT (
                    SEMANTIC_EYES));
  g_autofree char *seen = NULL;
  const char *turn;

  g_test_summary ("quaternions are those of MORSE, which makes them of matrices: w is above 0");
  stage_step (stage, 1);
  seen = stage_json (stage, "robot.eye");
  turn = strstr (seen, "\"orientation\": ");
  g_assert_nonnull (turn);
  g_assert_nonnull (strstr (turn, "\"z\": -0.909297426825681"));
  g_assert_nonnull (strstr (turn, "\"w\": 0.416146836547142"));
  assert_shown (stage, "-0.909297426825681");
}

static void
test_axes (void)
{
  g_autoptr (Stage) stage = make ("", ROBOT (SEMANTIC_EYES));
  g_autoptr (GVariant) nothing = NULL;

  g_test_summary ("the tree of the scene has cameras in optical axes, and takes them so");
  stage_step (stage, 1);
  assert_shown (stage, "<[1.0, 0.0, 0.0]>, <[-0.5, 0.5, -0.5, 0.5]>");
  nothing = stage_call (stage, "simulation", "set_object_position",
                        "[<'robot.through'>, <[2.0, 0.0, 0.0]>, <[0.0, 0.0, 0.0]>]");
  stage_step (stage, 2);
  assert_shown (stage, "<[2.0, 0.0, 0.0]>, <[0.0, 0.0, 0.0, 1.0]>");
}

/* --- light --- */

static void
toggle (Stage *stage, const char *arguments)
{
  g_autoptr (GVariant) lit = stage_call (stage, "robot.light", "toggle", arguments);

  g_assert_true (g_variant_is_of_type (lit, G_VARIANT_TYPE_BOOLEAN));
}

static void
test_light (void)
{
  g_autoptr (Stage) stage =
      make ("",
            ROBOT ("{'name': 'light', 'classpath': 'orrery.actuators.light.Light', 'properties': "
                   "{'emit': false, 'energy': 2, 'color': '(1, 0.5, 0)'}}"));
  OrreryObject *object = orrery_component_get_object (stage_find (stage, "robot.light"));
  const OrreryLamp *lamp = orrery_object_get_lamp (object);

  g_autoptr (Stage) apart = make (
      "", ROBOT ("{'name': 'light', 'classpath': 'orrery.actuators.light.Light', 'properties': "
                 "{'emit': false}, 'objects': [{'name': 'LightSpot', 'lamp': {'kind': 'sun'}}]}"));
  OrreryWorld *world = orrery_simulation_get_world (apart->simulation);
  OrreryObject *spot = orrery_world_find_object (world, "robot.light.LightSpot");

  g_test_summary ("a light is as its properties say, and is switched by its service");
  g_assert_cmpint (orrery_object_get_lamp (spot)->kind, ==, ORRERY_LAMP_SUN);
  g_assert_false (orrery_object_is_lit (spot));
  toggle (apart, NULL);
  stage_step (apart, 1);
  g_assert_true (orrery_object_is_lit (spot));
  g_assert_null (orrery_object_get_lamp (orrery_world_find_object (world, "robot.light")));
  g_assert_cmpint (lamp->kind, ==, ORRERY_LAMP_SPOT);
  g_assert_cmpfloat (lamp->direction.x, ==, 1);
  g_assert_cmpfloat (lamp->energy, ==, 2);
  g_assert_cmpfloat (lamp->color.y, ==, 0.5);
  stage_step (stage, 1);
  g_assert_false (orrery_object_is_lit (object));
  toggle (stage, NULL);
  stage_step (stage, 1);
  g_assert_true (orrery_object_is_lit (object));
  toggle (stage, "[<true>]");
  stage_step (stage, 1);
  g_assert_true (orrery_object_is_lit (object));
  toggle (stage, "[<false>]");
  stage_step (stage, 1);
  g_assert_false (orrery_object_is_lit (object));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/sensors/camera-groups/publisher", test_publisher);
  g_test_add_func ("/sensors/camera-groups/lidar", test_lidar);
  g_test_add_func ("/sensors/camera-groups/kinect", test_kinect);
  g_test_add_func ("/sensors/camera-groups/compound", test_compound);
  g_test_add_func ("/sensors/camera-groups/empty-compound", test_empty_compound);
  g_test_add_func ("/sensors/camera-groups/stereo", test_stereo);
  g_test_add_func ("/sensors/camera-groups/semantic", test_semantic);
  g_test_add_func ("/sensors/camera-groups/signs", test_signs);
  g_test_add_func ("/sensors/camera-groups/axes", test_axes);
  g_test_add_func ("/sensors/camera-groups/light", test_light);
  return g_test_run ();
}
