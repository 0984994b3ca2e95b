/* SPDX-License-Identifier: BSD-3-Clause */
/* In which form records are written: what is left out, and what has the digits of a float. */
#include "recording/orrery-recording-writer.h"

#include "base/orrery-error.h"
#include "record/orrery-buffer.h"

#include <math.h>
#include <string.h>

typedef struct {
  double x;
  OrreryPoints points;
  OrreryArray ranges;
} Data;

static const OrreryField fields[] = {
  ORRERY_FIELD (Data, x, "m", "A number"),
  ORRERY_FIELD (Data, points, "m", "Points"),
  ORRERY_FIELD (Data, ranges, "m", "Distances"),
};

static OrreryRecord *
create_record (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (Data));

  return orrery_record_new (schema);
}

static void
fill (OrreryRecord *record)
{
  static const double points[] = { 0.1, -1.0 / 3, 2 };
  static const double ranges[] = { 1.0 / 3, 30, 0, -0.0, 1e-50, 1e300, NAN, INFINITY, 16777217 };
  Data *data = orrery_record_data (record);

  data->x = 1.0 / 3;
  orrery_points_set (&data->points, points, 1);
  orrery_array_set (&data->ranges, ranges, G_N_ELEMENTS (ranges));
}

static char *
dup_written (OrreryWriter *writer)
{
  gsize length;
  const char *text = orrery_writer_get_data (writer, &length);

  return g_strndup (text, length);
}

static char *
write_record (OrreryRecord *record, const char *float32, const char *left_out)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingForm) form =
      orrery_recording_form_new (orrery_record_get_schema (record), float32, left_out, &error);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  g_assert_no_error (error);
  orrery_recording_form_write_json (form, record, writer);
  return dup_written (writer);
}

static void
assert_written (OrreryRecord *record, const char *float32, const char *left_out, const char *wanted)
{
  g_autofree char *text = write_record (record, float32, left_out);

  g_assert_cmpstr (text, ==, wanted);
}

/* What is not named is written as ever; no float holds 1e300, and 1e-50 is nothing in one. */
static void
test_written (void)
{
  g_autoptr (OrreryRecord) record = create_record ();
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *whole = NULL;

  fill (record);
  orrery_record_write_json (record, writer);
  whole = dup_written (writer);
  assert_written (record, NULL, NULL, whole);
  assert_written (record, "", "", whole);
  assert_written (record, "ranges", "points",
                  "{\"x\": 0.3333333333333333, \"ranges\": [0.33333334, 30.0, 0.0, -0.0, 0.0, "
                  "1e+300, null, null, 16777216.0]}");
  assert_written (record, " ranges  points", "ranges",
                  "{\"x\": 0.3333333333333333, \"points\": [[0.1, -0.33333334, 2.0]]}");
  assert_written (record, NULL, "x points ranges", "{}");
  orrery_record_set_timestamp (record, ORRERY_SECOND * 3 / 2);
  assert_written (record, NULL, "x points ranges", "{\"timestamp\": 1.5}");
  assert_written (record, "points", "x ranges",
                  "{\"timestamp\": 1.5, \"points\": [[0.1, -0.33333334, 2.0]]}");
}

static void
test_empty (void)
{
  g_autoptr (OrreryRecord) record = create_record ();

  assert_written (record, "points ranges", NULL, "{\"x\": 0.0, \"points\": [], \"ranges\": []}");
}

static void
test_field (void)
{
  g_autoptr (OrreryRecord) record = create_record ();
  g_autoptr (OrreryRecordingForm) form =
      orrery_recording_form_new (orrery_record_get_schema (record), "points", "points", NULL);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *text = NULL;

  fill (record);
  orrery_recording_form_write_field (form, record, "points", writer);
  orrery_recording_form_write_field (form, record, "x", writer);
  text = dup_written (writer);
  g_assert_cmpstr (text, ==, "[[0.1, -0.3333333333333333, 2.0]]0.3333333333333333");
}

static void
test_schema (void)
{
  g_autoptr (OrreryRecord) record = create_record ();
  g_autoptr (OrreryRecordingForm) form =
      orrery_recording_form_new (orrery_record_get_schema (record), "ranges", "points", NULL);
  g_autofree char *whole = orrery_recording_describe_record (record, NULL, "title");
  g_autofree char *text = orrery_recording_describe_record (record, form, "title");

  g_assert_nonnull (strstr (whole, "\"points\":"));
  g_assert_null (strstr (whole, "float32"));
  g_assert_null (strstr (text, "\"points\":"));
  g_assert_nonnull (strstr (text, "m: Distances, as float32"));
  g_assert_nonnull (strstr (text, "m: A number\""));
}

static void
assert_refused (const char *float32, const char *left_out, const char *words)
{
  g_autoptr (OrreryRecord) record = create_record ();
  g_autoptr (GError) error = NULL;

  g_assert_null (
      orrery_recording_form_new (orrery_record_get_schema (record), float32, left_out, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refused (void)
{
  assert_refused ("rangs", NULL, "no field 'rangs'; did you mean ranges");
  assert_refused (NULL, "points timestamp", "no field 'timestamp'");
  assert_refused ("x", NULL, "the field 'x' is a double");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/form/written", test_written);
  g_test_add_func ("/recording/form/empty", test_empty);
  g_test_add_func ("/recording/form/field", test_field);
  g_test_add_func ("/recording/form/schema", test_schema);
  g_test_add_func ("/recording/form/refused", test_refused);
  return g_test_run ();
}
