/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Cameras that nobody looks at: what they save, and that nothing else changes. */

#define SIZE "'cam_width': 4, 'cam_height': 2, 'cam_near': 0.1, 'with_rays': true"
#define CAMERA(name, more)                                                                         \
  "{'name': '" name "', 'classpath': 'orrery.sensors.depth_camera.DepthCamera', "                  \
  "'frequency': 60, 'properties': {" SIZE "}" more "}"
#define WALL                                                                                       \
  "{'name': 'wall', 'position': [5, 0, 0], 'shapes': [{'kind': 'box', 'size': [2, 90, 90]}]}, "
#define ROBOT(objects)                                                                             \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" objects "]}"
#define STREAM(name)                                                                               \
  "'component_datastream': {'" name "': [['probe.loop.Loop', 'probe.loop.Codec', {}]]},"

static Stage *
make_with (const char *tables, const char *objects, gboolean on_demand, gboolean hash)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, objects);
  g_autoptr (OrreryOptions) options = stage_options ();

  g_object_set (options, "hash", hash, "on-demand", on_demand, NULL);
  return stage_new (scene, options);
}

static Stage *
make (const char *tables, const char *objects)
{
  return make_with (tables, objects, TRUE, FALSE);
}

static void
listen (Stage *stage, const char *name, gboolean on)
{
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>, <%s>]", name, on ? "true" : "false");

  stage_call (stage, "loop", "listen", arguments);
}

static gboolean
has_points (Stage *stage, const char *name)
{
  OrreryRecord *record = orrery_component_get_record (stage_find (stage, name));

  return *(OrreryBuffer **) orrery_record_find (record, "points", ORRERY_FIELD_BUFFER) != NULL;
}

static guint
count_sent (Stage *stage, const char *name)
{
  g_auto (GStrv) sent = stage_sent (stage, name, 0);

  return g_strv_length (sent);
}

static void
test_stream (void)
{
  g_autoptr (Stage) stage = make (STREAM ("robot.eye"), WALL ROBOT (CAMERA ("eye", "")));

  g_test_summary ("A camera sees while somebody listens to its stream, from the next step on");
  listen (stage, "robot.eye", FALSE);
  stage_step (stage, 5);
  g_assert_false (has_points (stage, "robot.eye"));
  listen (stage, "robot.eye", TRUE);
  stage_step (stage, 3);
  g_assert_true (has_points (stage, "robot.eye"));
  g_assert_cmpuint (count_sent (stage, "robot.eye"), ==, 3);
  listen (stage, "robot.eye", FALSE);
  stage_step (stage, 3);
  g_assert_false (has_points (stage, "robot.eye"));
  g_assert_cmpuint (count_sent (stage, "robot.eye"), ==, 0);
}

static void
test_always (void)
{
  g_autoptr (Stage) plain = make_with ("", WALL ROBOT (CAMERA ("eye", "")), FALSE, FALSE);
  g_autoptr (Stage) hashed = make_with ("", WALL ROBOT (CAMERA ("eye", "")), TRUE, TRUE);
  g_autoptr (Stage) saved = make_with ("", WALL ROBOT (CAMERA ("eye", "")), TRUE, FALSE);

  g_test_summary ("Programs that look at records without a word, and hashes, get all of them");
  stage_step (plain, 1);
  g_assert_true (has_points (plain, "robot.eye"));
  stage_step (hashed, 1);
  g_assert_true (has_points (hashed, "robot.eye"));
  stage_step (saved, 1);
  g_assert_false (has_points (saved, "robot.eye"));
}

static void
test_goes_on (void)
{
  static const char missing[] = "*no pictures of cameras that nobody looked at*";
  g_autoptr (Stage) unseen = make_with ("", WALL ROBOT (CAMERA ("eye", "")), TRUE, FALSE);
  g_autoptr (Stage) hashed = make_with ("", WALL ROBOT (CAMERA ("eye", "")), TRUE, TRUE);
  g_autoptr (Stage) next = make_with ("", WALL ROBOT (CAMERA ("eye", "")), TRUE, TRUE);
  g_autoptr (GBytes) without = NULL, with = NULL;

  g_test_summary ("A run with a hash says if the state that it goes on from has no pictures");
  stage_step (unseen, 2);
  without = stage_save (unseen);
  stage_step (hashed, 2);
  with = stage_save (hashed);
  stage_log_clear ();
  stage_restore (next, with);
  stage_restore (unseen, without);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, missing), ==, 0);
  stage_restore (next, without);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, missing), ==, 1);
}

static void
test_next_scene (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", WALL ROBOT (CAMERA ("eye", "")));
  g_autoptr (Stage) stage = make ("", WALL ROBOT (CAMERA ("old", "")));
  g_autofree char *path = stage_add_scene (stage, scene);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *arguments = g_strdup_printf ("[<'%s'>]", name);

  g_test_summary ("A scene that a client loads saves as much as the first one");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GVariant) answer =
        stage_call (stage, "simulation", i == 0 ? "load" : "start", i == 0 ? arguments : NULL);
  }
  stage_step (stage, 2);
  g_assert_false (has_points (stage, "robot.eye"));
}

static void
count_records (OrreryComponent *component, gpointer n)
{
  ++*(guint *) n;
}

static void
test_subscriber (void)
{
  g_autoptr (Stage) stage = make ("", WALL ROBOT (CAMERA ("eye", "")));
  guint n = 0;
  guint id = orrery_simulation_subscribe (stage->simulation, stage_find (stage, "robot.eye"),
                                          count_records, &n, NULL, NULL);

  g_test_summary ("A subscriber gets a picture of each step, from the first one on");
  stage_step (stage, 4);
  g_assert_cmpuint (n, ==, 4);
  g_assert_true (has_points (stage, "robot.eye"));
  orrery_simulation_unsubscribe (stage->simulation, id);
  stage_step (stage, 1);
  g_assert_false (has_points (stage, "robot.eye"));
}

#define LIDAR                                                                                      \
  "{'name': 'lidar', 'classpath': "                                                                \
  "'orrery.sensors.depth_camera_aggregator.DepthCameraAggregator', 'objects': [" CAMERA (          \
      "one", "") ", " CAMERA ("two", "") "]}"

static void
test_readers (void)
{
  g_autoptr (Stage) stage = make (STREAM ("robot.lidar"), WALL ROBOT (LIDAR));

  g_test_summary ("Cameras below a sensor see while that one is read, and it is never stale");
  listen (stage, "robot.lidar", FALSE);
  stage_step (stage, 3);
  g_assert_false (has_points (stage, "robot.lidar.one"));
  listen (stage, "robot.lidar", TRUE);
  stage_step (stage, 2);
  g_assert_true (has_points (stage, "robot.lidar.two"));
  g_assert_cmpuint (count_sent (stage, "robot.lidar"), ==, 2);
  listen (stage, "robot.lidar", FALSE);
  stage_step (stage, 1);
  g_assert_false (has_points (stage, "robot.lidar"));
  g_assert_false (has_points (stage, "robot.lidar.two"));
}

#define SLOW                                                                                       \
  "{'name': 'eye', 'classpath': 'orrery.sensors.depth_camera.DepthCamera', "                       \
  "'frequency': 20, 'properties': {" SIZE "}}"

/* Others that may look at it in any step. */
static const struct {
  const char *tables;
  const char *beside;
} readers[] = {
  { "'component_modifier': {'robot.eye': [['orrery.modifiers.noise.DropOut', {}]]},", "" },
  { "", ", {'name': 'mirror', 'classpath': 'probe.sensors.Mirror', "
        "'properties': {'target': 'robot.eye'}}" },
};

static void
test_other_readers (void)
{
  g_test_summary ("Modifiers, and parts that found the camera in their setup, get all pictures");
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++) {
    g_autofree char *objects =
        g_strconcat (WALL, "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [",
                     CAMERA ("eye", ""), readers[i].beside, "]}", NULL);
    g_autoptr (Stage) stage = make (readers[i].tables, objects);

    stage_step (stage, 1);
    g_assert_true (has_points (stage, "robot.eye"));
  }
}

static void
test_no_readers (void)
{
  g_autoptr (Stage) stage =
      make ("", WALL ROBOT (CAMERA ("eye", "") ", {'name': 'arm', 'classpath': "
                                               "'orrery.sensors.armature_pose.ArmaturePose'}"));

  g_test_summary ("What looks for joints among all that is on a robot reads no camera");
  stage_step (stage, 1);
  g_assert_false (has_points (stage, "robot.eye"));
}

static void
test_onlooker (void)
{
  g_autoptr (Stage) stage =
      make ("",
            WALL "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': [" CAMERA (
                "found", "") ", " CAMERA ("read",
                                          "") "], 'scripts': [{'type': 'child', 'classpath': "
                                              "'probe.scripts.Onlooker'}]}");

  g_test_summary ("What a script declares as its source is read, not what it has found before");
  stage_step (stage, 1);
  g_assert_true (has_points (stage, "robot.read"));
  g_assert_false (has_points (stage, "robot.found"));
}

static void
test_services (void)
{
  g_autoptr (Stage) stage = make ("", WALL ROBOT (CAMERA ("eye", "")));
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (GVariant) points = NULL;
  g_autoptr (GVariant) taken = NULL;

  g_test_summary ("get_local_data answers with the picture of the next step; later ones at once");
  stage_step (stage, 2);
  call = stage_start (stage, "robot.eye", "get_local_data", NULL);
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (call));
  points = g_variant_lookup_value (orrery_call_get_result (call, NULL), "nb_points", NULL);
  g_assert_cmpint (g_variant_get_int64 (points), ==, 8);
  stage_step (stage, 5);
  g_clear_pointer (&points, g_variant_unref);
  taken = stage_call (stage, "robot.eye", "get_local_data", NULL);
  points = g_variant_lookup_value (taken, "nb_points", NULL);
  g_assert_cmpint (g_variant_get_int64 (points), ==, 8);
}

static void
test_slow_services (void)
{
  g_autoptr (Stage) stage = make ("", WALL ROBOT (SLOW));
  g_autoptr (OrreryCall) first = NULL;
  g_autoptr (OrreryCall) second = NULL;
  g_autoptr (OrreryCall) third = NULL;

  g_test_summary ("All who ask before a picture is taken wait for it, also in later ticks");
  stage_step (stage, 1);
  first = stage_start (stage, "robot.eye", "get_local_data", NULL);
  stage_step (stage, 1);
  g_assert_false (orrery_call_is_done (first));
  second = stage_start (stage, "robot.eye", "get_local_data", NULL);
  g_assert_false (orrery_call_is_done (second));
  stage_step (stage, 2);
  g_assert_true (orrery_call_is_done (first));
  g_assert_true (orrery_call_is_done (second));
  g_assert_true (has_points (stage, "robot.eye"));
  stage_step (stage, 1);
  third = stage_start (stage, "robot.eye", "get_local_data", NULL);
  g_assert_true (orrery_call_is_done (third));
}

static void
test_idle_services (void)
{
  g_autoptr (Stage) stage = make ("", WALL ROBOT (CAMERA ("eye", "")));
  g_autoptr (OrreryCall) call = NULL;
  g_autoptr (OrreryCall) last = NULL;

  g_test_summary ("While no tick comes it is answered all the same");
  stage_step (stage, 2);
  call = stage_start (stage, "robot.eye", "get_local_data", NULL);
  orrery_simulation_pause (stage->simulation);
  orrery_simulation_idle (stage->simulation, 1, NULL);
  g_assert_true (orrery_call_is_done (call));
  orrery_simulation_resume (stage->simulation);
  stage_call (stage, "simulation", "deactivate", "[<'robot.eye'>]");
  last = stage_start (stage, "robot.eye", "get_local_data", NULL);
  stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (last));
}

static void
test_capture (void)
{
  g_autoptr (Stage) stage = make ("", WALL ROBOT (CAMERA ("eye", "")));
  g_autoptr (OrreryCall) call = NULL;

  g_test_summary ("Pictures that a call asks for are taken, and stay");
  stage_step (stage, 2);
  call = stage_start (stage, "robot.eye", "capture", "[<int64 2>]");
  stage_step (stage, 1);
  g_assert_false (orrery_call_is_done (call));
  stage_step (stage, 4);
  g_assert_true (orrery_call_is_done (call));
  g_assert_true (has_points (stage, "robot.eye"));
}

#define TURNING                                                                                    \
  "{'name': 'eye', 'classpath': 'orrery.sensors.depth_camera.DepthCameraRotationZ', "              \
  "'frequency': 20, 'properties': {" SIZE "}}"

static void
test_nothing_else (void)
{
  g_autoptr (Stage) seen = make (STREAM ("robot.eye"), WALL ROBOT (TURNING));
  g_autoptr (Stage) unseen = make (STREAM ("robot.eye"), WALL ROBOT (TURNING));
  const OrreryTransform *a = orrery_test_get_pose (seen->simulation, "robot.eye");
  const OrreryTransform *b = orrery_test_get_pose (unseen->simulation, "robot.eye");
  double start = a->rotation.z;

  g_test_summary ("A camera that turns after each picture turns as well where nobody looks");
  listen (unseen, "robot.eye", FALSE);
  stage_step (seen, 61);
  stage_step (unseen, 61);
  g_assert_cmpmem (a, sizeof *a, b, sizeof *b);
  g_assert_cmpfloat (a->rotation.z, !=, start);
  g_assert_cmpuint (count_sent (seen, "robot.eye"), ==, 20 + 1);
}

static void
test_placed (void)
{
  g_autoptr (Stage) stage =
      make (STREAM ("robot.eye"), WALL ROBOT (CAMERA ("eye", ", 'placement': 'worker'")));

  g_test_summary ("In a worker it is the same, and what it holds back is not sent");
  listen (stage, "robot.eye", FALSE);
  stage_step (stage, 5);
  g_assert_false (has_points (stage, "robot.eye"));
  listen (stage, "robot.eye", TRUE);
  stage_step (stage, 3);
  g_assert_true (has_points (stage, "robot.eye"));
  g_assert_cmpuint (count_sent (stage, "robot.eye"), ==, 3);
  stage_call (stage, "robot.eye", "set_property", "[<'capturing'>, <false>]");
  stage_step (stage, 3);
  g_assert_cmpuint (count_sent (stage, "robot.eye"), ==, 0);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/demand/stream", test_stream);
  g_test_add_func ("/demand/always", test_always);
  g_test_add_func ("/demand/goes-on", test_goes_on);
  g_test_add_func ("/demand/next-scene", test_next_scene);
  g_test_add_func ("/demand/subscriber", test_subscriber);
  g_test_add_func ("/demand/readers", test_readers);
  g_test_add_func ("/demand/other-readers", test_other_readers);
  g_test_add_func ("/demand/no-readers", test_no_readers);
  g_test_add_func ("/demand/onlooker", test_onlooker);
  g_test_add_func ("/demand/services", test_services);
  g_test_add_func ("/demand/slow-services", test_slow_services);
  g_test_add_func ("/demand/idle-services", test_idle_services);
  g_test_add_func ("/demand/capture", test_capture);
  g_test_add_func ("/demand/nothing-else", test_nothing_else);
  g_test_add_func ("/demand/placed", test_placed);
  return g_test_run ();
}
