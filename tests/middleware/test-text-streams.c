/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin itself, in the test: a host of a few lines stands in for pipelines and tick. */
#include "../../middleware/text_datastream.c"

#include "log-catcher.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-stream-private.h"
#include "world/orrery-world-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sys/stat.h>

typedef struct {
  double x;
  gint64 n;
  OrreryBool on;
  OrreryText words;
  OrreryVec3 v;
  OrreryEuler e;
  OrreryQuat q;
  OrreryArray list;
  OrreryPoints points;
  GVariant *any;
  OrreryRecord *other;
} TestData;

typedef struct {
  gint64 n;
} OtherData;

static const OrreryField other_fields[] = { ORRERY_FIELD (OtherData, n, "", "A whole number") };

static const OrreryField fields[] = {
  ORRERY_FIELD (TestData, x, "m", "A number"),
  ORRERY_FIELD (TestData, n, "", "A whole number"),
  ORRERY_FIELD (TestData, on, "", "A truth"),
  ORRERY_FIELD (TestData, words, "", "A text"),
  ORRERY_FIELD (TestData, v, "m", "A vector"),
  ORRERY_FIELD (TestData, e, "rad", "Angles"),
  ORRERY_FIELD (TestData, q, "", "A rotation"),
  ORRERY_FIELD (TestData, list, "", "Numbers"),
  ORRERY_FIELD (TestData, points, "m", "Points"),
  ORRERY_FIELD (TestData, any, "", "Free form"),
  ORRERY_FIELD (TestData, other, "", "Another sensor's"),
};

G_DECLARE_FINAL_TYPE (TestSensor, test_sensor, TEST, SENSOR, OrrerySensor)
struct _TestSensor {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (TestSensor, test_sensor, ORRERY_TYPE_SENSOR)

static void
test_sensor_class_init (TestSensorClass *klass)
{
  ORRERY_CLASS_SET_DATA (klass, TestData, fields);
}

static void
test_sensor_init (TestSensor *self)
{
}

G_DECLARE_FINAL_TYPE (TestRobot, test_robot, TEST, ROBOT, OrreryRobot)
struct _TestRobot {
  OrreryRobot parent_instance;
};
G_DEFINE_FINAL_TYPE (TestRobot, test_robot, ORRERY_TYPE_ROBOT)

static void
test_robot_class_init (TestRobotClass *klass)
{
}

static void
test_robot_init (TestRobot *self)
{
}

/* --- the host --- */

typedef struct {
  char *folder;
  OrreryWorld *world;
  OrreryComponent *robot;
  OrreryComponent *sensor;
  OrreryDatastreamManager *manager;
  OrreryDatastreamManagerClass *klass;
  OrreryStream *stream;
} Fixture;

static OrreryComponent *
make_component (Fixture *f, GType type, const char *name, const char *basename,
                OrreryComponent *robot, const OrreryTransform *pose)
{
  g_autoptr (GError) error = NULL;
  OrreryObject *parent = robot != NULL ? orrery_component_get_object (robot) : NULL;
  OrreryObject *object = orrery_world_add_object (f->world, basename, parent, &error);
  OrreryComponent *component = g_object_new (type, NULL);

  g_assert_no_error (error);
  orrery_object_set_start (object, pose);
  orrery_part_identify (ORRERY_PART (component), name, "test.Component", 0);
  orrery_component_place (component, f->world, object, robot != NULL ? robot : component, 60, NULL);
  return component;
}

static void
fixture_init (Fixture *f)
{
  OrreryTransform at = { .position = { 1, 2, 0.5 } };
  OrreryTransform up = { .position = { 0, 0, 2 }, .rotation.w = 1 };

  *f = (Fixture){ .folder = g_dir_make_tmp ("orrery-text-XXXXXX", NULL),
                  .world = orrery_world_new () };
  g_assert_cmpint (g_chdir (f->folder), ==, 0);
  orrery_quat_from_euler (0, 0, 0.5, &at.rotation);
  f->robot = make_component (f, test_robot_get_type (), "robot", "robot", NULL, &at);
  f->sensor =
      make_component (f, test_sensor_get_type (), "robot.sensor.001", "sensor", f->robot, &up);
  orrery_world_place (f->world);
  f->manager = g_object_new (orrery_text_datastream_manager_get_type (), NULL);
  f->klass = ORRERY_DATASTREAM_MANAGER_GET_CLASS (f->manager);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_unlink (name);
  g_assert_cmpint (g_chdir ("/"), ==, 0);
  g_rmdir (path);
}

static void
fixture_clear (Fixture *f)
{
  g_clear_object (&f->stream);
  g_assert_finalize_object (f->manager);
  g_object_unref (f->sensor);
  g_object_unref (f->robot);
  g_object_unref (f->world);
  remove_folder (f->folder);
  g_free (f->folder);
}

static gboolean
open_stream (Fixture *f, GType codec_type, GVariant *options, GError **error)
{
  g_autoptr (OrreryDatastream) codec = g_object_new (codec_type, NULL);
  g_autoptr (GVariant) owned = options != NULL ? g_variant_ref_sink (options) : NULL;
  GError *local = NULL;

  if (codec_type == orrery_text_publisher_get_type ())
    ((OrreryTextPublisher *) codec)->robot = f->robot;
  f->stream = orrery_stream_new (f->sensor, codec, ORRERY_DIRECTION_OUT, NULL);
  f->klass->open (f->manager, f->stream, owned, &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static GVariant *
one_option (const char *name, GVariant *value)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", name, value);
  return g_variant_builder_end (&options);
}

static void
start (Fixture *f)
{
  g_autoptr (GError) error = NULL;

  f->klass->start (f->manager, &error);
  g_assert_no_error (error);
}

static void
publish (Fixture *f, double x)
{
  static const double list[] = { 0.1, -2 };
  static const double points[] = { 1, 2, 3, 4, 5, 6 };
  OrreryRecord *record = orrery_component_get_record (f->sensor);
  OrreryDatastream *codec = orrery_stream_get_codec (f->stream);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  TestData *data = orrery_record_data (record);
  GError *error = NULL;
  const char *text;
  gsize length;

  data->x = x;
  data->n = -7;
  data->on = TRUE;
  orrery_text_set (&data->words, "it's\n\xc3\xa9\xc2\x9b\xe2\x80\xae\xe2\x81\xa6");
  data->v = (OrreryVec3){ 1, 2.5, 1e-9 };
  data->e = (OrreryEuler){ 0.25, 0.5, 1 };
  data->q = (OrreryQuat){ 1, 0, 0, 0 };
  orrery_array_set (&data->list, list, 2);
  orrery_points_set (&data->points, points, 2);
  g_clear_pointer (&data->any, g_variant_unref);
  data->any = g_variant_ref_sink (g_variant_new_parsed (
      "{'a': <[<true>, <'x'>, <@mv nothing>]>, 'b': <(0.5, %x)>, 'c': <@a{sv} {}>}", (gint64) 3));
  if (data->other == NULL) {
    g_autoptr (OrrerySchema) schema = orrery_schema_new (other_fields, 1, sizeof (OtherData));

    data->other = orrery_record_new (schema);
  }
  orrery_record_set_timestamp (data->other, ORRERY_SECOND);
  orrery_record_set_timestamp (record, ORRERY_SECOND / 60);
  ORRERY_DATASTREAM_GET_CLASS (codec)->encode (codec, record, writer, &error);
  g_assert_no_error (error);
  text = orrery_writer_get_data (writer, &length);
  f->klass->send (f->manager, f->stream, text, length);
  f->klass->flush (f->manager);
}

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* --- tests --- */

static void
test_layout (void)
{
  g_autofree char *text = NULL;
  Fixture f;

  g_test_summary ("Head and records are laid out as MORSE does, whatever the locale");
  fixture_init (&f);
  open_stream (&f, orrery_text_publisher_get_type (), NULL, NULL);
  start (&f);
  g_assert_true (orrery_stream_is_listening (f.stream));
  publish (&f, 0.1);
  f.klass->close (f.manager);
  text = read_file ("robot.sensor001.txt");
  g_assert_cmpstr (
      text, ==,
      "ROBOT robot || SENSOR robot.sensor.001\n"
      "(distance, globalVector(3), localVector(3))\n"
      "(2.0, Vector((0.0, 0.0, -1.0)), Vector((0.0, 0.0, -1.0)))\n"
      "\n"
      "==> Data at X,Y,Z: [1.000000 2.000000 0.500000]yaw,pitch,roll: [0.500000 0.000000 0.000000]"
      " | index 0 | time 0.02\n"
      "\ttimestamp = 0.016667\n"
      "\tx = 0.100000\n"
      "\tn = -7\n"
      "\ton = True\n"
      "\twords = \"it's\\n\xc3\xa9\\x9b\\u202e\\u2066\"\n"
      "\tv = [1.0, 2.5, 1e-09]\n"
      "\te = {'yaw': 1.0, 'pitch': 0.5, 'roll': 0.25}\n"
      "\tq = {'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 1.0}\n"
      "\tlist = [0.1, -2.0]\n"
      "\tpoints = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]\n"
      "\tany = {'a': [True, 'x', None], 'b': [0.5, 3], 'c': {}}\n"
      "\tother = {'timestamp': 1.0, 'n': 0}\n");
  fixture_clear (&f);
}

static void
test_csv (void)
{
  g_autofree char *text = NULL;
  char *body;
  Fixture f;

  g_test_summary ("CSV has a line for each record, each value with its semicolon");
  fixture_init (&f);
  open_stream (&f, orrery_csv_publisher_get_type (),
               one_option ("file", g_variant_new_string ("out.csv")), NULL);
  start (&f);
  publish (&f, 1);
  f.klass->close (f.manager);
  text = read_file ("out.csv");
  body = strstr (text, "\n\n");
  g_assert_nonnull (body);
  g_assert_cmpstr (
      body + 2, ==,
      "0.016666666;1.0;-7;True;\"it's\\n\xc3\xa9\\x9b\\u202e\\u2066\";[1.0, 2.5, 1e-09];"
      "{'yaw': 1.0, 'pitch': 0.5, 'roll': 0.25};"
      "{'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 1.0};"
      "[0.1, -2.0];[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];"
      "{'a': [True, 'x', None], 'b': [0.5, 3], 'c': {}};"
      "{'timestamp': 1.0, 'n': 0};\n");
  fixture_clear (&f);
}

static void
test_not_finite (void)
{
  static const double numbers[] = { INFINITY, -INFINITY, NAN };
  static const char *const lines[] = { "\tx = inf\n", "\tx = -inf\n", "\tx = nan\n" };
  g_autofree char *text = NULL;
  Fixture f;

  g_test_summary ("What is not finite bears the names that Python has for it, not those of JSON");
  fixture_init (&f);
  open_stream (&f, orrery_text_publisher_get_type (), NULL, NULL);
  start (&f);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    publish (&f, numbers[i]);
  f.klass->close (f.manager);
  text = read_file ("robot.sensor001.txt");
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    g_assert_nonnull (strstr (text, lines[i]));
  fixture_clear (&f);
}

static guint
count (const char *text, const char *words)
{
  guint n = 0;

  while ((text = strstr (text, words)) != NULL) {
    text++;
    n++;
  }
  return n;
}

static void
test_all_records (void)
{
  g_autofree char *text = NULL;
  gint64 until = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  struct stat found = { 0 };
  Fixture f;

  g_test_summary ("Every record arrives, in order, also while the run goes on");
  fixture_init (&f);
  g_assert_true (g_file_set_contents ("robot.sensor001.txt", "ROBOT old", -1, NULL));
  open_stream (&f, orrery_text_publisher_get_type (), NULL, NULL);
  start (&f);
  for (guint i = 0; i < 5000; i++)
    publish (&f, i);
  while (found.st_size < 1000000 && g_get_monotonic_time () < until) {
    g_usleep (1000);
    stat ("robot.sensor001.txt", &found);
  }
  g_assert_cmpint (found.st_size, >=, 1000000);
  for (guint i = 5000; i < 10000; i++)
    publish (&f, i);
  f.klass->close (f.manager);
  text = read_file ("robot.sensor001.txt");
  g_assert_cmpuint (count (text, "==> Data"), ==, 10000);
  g_assert_nonnull (
      strstr (text, "| index 9999 | time 0.02\n\ttimestamp = 0.016667\n\tx = 9999.0"));
  g_assert_null (strstr (text, "old"));
  fixture_clear (&f);
}

static void
test_full_disk (void)
{
  Fixture f;

  g_test_summary ("A disk that is full costs records and one warning");
  fixture_init (&f);
  orrery_datastream_manager_set_output_directory (f.manager, "/dev");
  open_stream (&f, orrery_text_publisher_get_type (),
               one_option ("file", g_variant_new_string ("/dev/full")), NULL);
  start (&f);
  for (guint i = 0; i < 10; i++)
    publish (&f, i);
  f.klass->close (f.manager);
  assert_log ("text stream of robot.sensor.001: records are lost: /dev/full: No space left", 1);
  fixture_clear (&f);
}

static void
assert_refused (GVariant *options, const char *words)
{
  g_autoptr (GError) error = NULL;
  Fixture f;

  fixture_init (&f);
  g_assert_false (open_stream (&f, orrery_text_publisher_get_type (), options, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpstr (error->message, ==, words);
  f.klass->close (f.manager);
  fixture_clear (&f);
}

static void
test_options (void)
{
  g_autoptr (GError) error = NULL;
  Fixture f;

  g_test_summary ("Options that are none are refused before any file is written; so are files");
  assert_refused (one_option ("flie", g_variant_new_string ("x")),
                  "a text stream has no option 'flie'; did you mean file");
  assert_refused (one_option ("file", g_variant_new_int64 (1)),
                  "option 'file' of a text stream must be the name of a file");
  fixture_init (&f);
  open_stream (&f, orrery_text_publisher_get_type (),
               one_option ("file", g_variant_new_string ("no/such/folder.txt")), NULL);
  f.klass->start (f.manager, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_assert_cmpstr (
      error->message, ==,
      "text stream of robot.sensor.001: no/such/folder.txt: cannot be written: No such "
      "file or directory");
  f.klass->close (f.manager);
  fixture_clear (&f);
}

static void
test_same_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryStream) first = NULL;
  Fixture f;

  g_test_summary ("Two streams of one file are refused");
  fixture_init (&f);
  g_assert_true (open_stream (&f, orrery_text_publisher_get_type (), NULL, NULL));
  first = g_steal_pointer (&f.stream);
  g_assert_false (open_stream (&f, orrery_csv_publisher_get_type (), NULL, &error));
  g_assert_cmpstr (error->message, ==,
                   "the text stream of robot.sensor.001 writes the file robot.sensor001.txt, too");
  f.klass->close (f.manager);
  fixture_clear (&f);
}

static void
test_names (void)
{
  static const char *const names[][2] = {
    { "robot.pose", "robot.pose.txt" },
    { "robot.001.pose", "robot001.pose.txt" },
    { "robot.pose.0012", "robot.pose.0012.txt" },
    { "../a/b", ".._a_b.txt" },
    { "robot.12", "robot.12.txt" },
  };

  g_test_summary ("A file is named after its component and stays in its folder");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = default_path (names[i][0]);

    g_assert_cmpstr (path, ==, names[i][1]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  start_catching_log ();
  g_test_add_func ("/text-streams/layout", test_layout);
  g_test_add_func ("/text-streams/csv", test_csv);
  g_test_add_func ("/text-streams/not-finite", test_not_finite);
  g_test_add_func ("/text-streams/all-records", test_all_records);
  g_test_add_func ("/text-streams/full-disk", test_full_disk);
  g_test_add_func ("/text-streams/options", test_options);
  g_test_add_func ("/text-streams/same-file", test_same_file);
  g_test_add_func ("/text-streams/names", test_names);
  return g_test_run ();
}
