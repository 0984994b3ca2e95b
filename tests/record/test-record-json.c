/* SPDX-License-Identifier: BSD-3-Clause */
#include "../words.h"

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "record/orrery-buffer.h"
#include "record/orrery-record.h"

#include <math.h>
#include <string.h>

typedef struct {
  double x;
  OrreryText words;
} PartData;

static const OrreryField part_fields[] = {
  ORRERY_FIELD (PartData, x, "m", "A number"),
  ORRERY_FIELD (PartData, words, "", "A text"),
};

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryStamp when;
  OrreryText words;
  OrreryVec3 place;
  OrreryEuler turn;
  OrreryQuat quat;
  OrreryMat3 mat3;
  OrreryMat4 mat4;
  OrreryArray list;
  OrreryPoints points;
  OrreryBuffer *image;
  OrreryBuffer *cloud;
  OrreryRecord *part;
  GVariant *free;
} AllData;

static const OrreryField all_fields[] = {
  ORRERY_FIELD (AllData, flag, "", "A truth"),   ORRERY_FIELD (AllData, count, "", "An integer"),
  ORRERY_FIELD (AllData, x, "m", "A number"),    ORRERY_FIELD (AllData, when, "s", "A time"),
  ORRERY_FIELD (AllData, words, "", "A text"),   ORRERY_FIELD (AllData, place, "m", "A vector"),
  ORRERY_FIELD (AllData, turn, "rad", "Angles"), ORRERY_FIELD (AllData, quat, "", "A rotation"),
  ORRERY_FIELD (AllData, mat3, "", "A matrix"),  ORRERY_FIELD (AllData, mat4, "", "A matrix"),
  ORRERY_FIELD (AllData, list, "", "Numbers"),   ORRERY_FIELD (AllData, points, "m", "Points"),
  ORRERY_FIELD (AllData, image, "", "Bytes"),    ORRERY_FIELD (AllData, cloud, "", "Elements"),
  ORRERY_FIELD (AllData, part, "", "A record"),  ORRERY_FIELD (AllData, free, "", "Anything"),
};

static OrreryRecord *
new_part (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (part_fields, G_N_ELEMENTS (part_fields), sizeof (PartData));

  return orrery_record_new (schema);
}

/* A record of every type of field, with a nested record; buffers are not there yet. */
static OrreryRecord *
new_record (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (all_fields, G_N_ELEMENTS (all_fields), sizeof (AllData));
  OrreryRecord *record = orrery_record_new (schema);
  AllData *data = orrery_record_data (record);

  data->part = new_part ();
  return record;
}

static char *
write (OrreryRecord *record)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;

  orrery_record_write_json (record, writer);
  orrery_writer_get_data (writer, &length);
  return g_strndup (orrery_writer_get_data (writer, NULL), length);
}

static gboolean
read (OrreryRecord *record, const char *message, GError **error)
{
  g_autoptr (OrreryReader) reader = orrery_reader_new ();

  orrery_reader_set_data (reader, message, strlen (message));
  return orrery_record_read_json (record, reader, error);
}

/* --- writing --- */

static const char empty_json[] =
    "{\"flag\": false, \"count\": 0, \"x\": 0.0, \"when\": 0.0, \"words\": \"\", "
    "\"place\": [0.0, 0.0, 0.0], \"turn\": {\"yaw\": 0.0, \"pitch\": 0.0, \"roll\": 0.0}, "
    "\"quat\": {\"x\": 0.0, \"y\": 0.0, \"z\": 0.0, \"w\": 0.0}, "
    "\"mat3\": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "
    "\"mat4\": [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], "
    "[0.0, 0.0, 0.0, 0.0]], \"list\": [], \"points\": [], \"image\": null, \"cloud\": null, "
    "\"part\": {\"x\": 0.0, \"words\": \"\"}, \"free\": null}";

static const char full_json[] =
    "{\"flag\": true, \"count\": -9223372036854775808, \"x\": 0.1, \"when\": 1.5, "
    "\"words\": \"\\u00e9\\n\", \"place\": [1.0, -2.0, 0.5], "
    "\"turn\": {\"yaw\": 1.0, \"pitch\": 2.0, \"roll\": 3.0}, "
    "\"quat\": {\"x\": 1.0, \"y\": 2.0, \"z\": 3.0, \"w\": 4.0}, "
    "\"mat3\": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], "
    "\"mat4\": [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], "
    "[13.0, 14.0, 15.0, 16.0]], \"list\": [1.0, 1e-05], "
    "\"points\": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], \"image\": \"AQL/\", "
    "\"cloud\": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "
    "\"part\": {\"x\": 2.5, \"words\": \"in\"}, "
    "\"free\": {\"a\": [1, 2.5, null, true, \"t\"], \"b\": {}}}";

static void
fill (OrreryRecord *record)
{
  static const double numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
  AllData *data = orrery_record_data (record);
  PartData *part = orrery_record_data (data->part);

  data->flag = TRUE;
  data->count = G_MININT64;
  data->x = 0.1;
  data->when.ns = 1500000000;
  orrery_text_set (&data->words, "\xc3\xa9\n");
  data->place = (OrreryVec3){ 1, -2, 0.5 };
  data->turn = (OrreryEuler){ .yaw = 1, .pitch = 2, .roll = 3 };
  data->quat = (OrreryQuat){ .x = 1, .y = 2, .z = 3, .w = 4 };
  memcpy (data->mat3.m, numbers, sizeof data->mat3.m);
  memcpy (data->mat4.m, numbers, sizeof data->mat4.m);
  orrery_array_set (&data->list, (double[]){ 1, 1e-5 }, 2);
  orrery_points_set (&data->points, numbers, 2);
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 1, (gsize[]){ 3 });
  memcpy (orrery_buffer_get_data (data->image), "\x01\x02\xff", 3);
  data->cloud = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 2, (gsize[]){ 3, 2 });
  for (guint i = 0; i < 6; i++)
    ((float *) orrery_buffer_get_data (data->cloud))[i] = (float) i + 1;
  part->x = 2.5;
  orrery_text_set (&part->words, "in");
  data->free = g_variant_ref_sink (g_variant_new_parsed (
      "{'a': <[<int64 1>, <2.5>, <@mv nothing>, <true>, <'t'>]>, 'b': <@a{sv} {}>}"));
}

static void
test_write (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  g_autofree char *empty = write (record);
  g_autofree char *full = NULL;

  g_test_summary ("every type of field has the JSON of the socket streams");
  g_assert_cmpstr (empty, ==, empty_json);
  fill (record);
  full = write (record);
  g_assert_cmpstr (full, ==, full_json);
}

static void
test_timestamp (void)
{
  g_autoptr (OrreryRecord) record = new_part ();
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  static const char message[] = "{\"timestamp\": 7, \"x\": 2, \"words\": \"\"}";
  g_autofree char *json = NULL;
  g_autofree char *after = NULL;

  g_test_summary ("the timestamp is the first key, in seconds; a message does not set it");
  orrery_record_set_timestamp (record, 1234567890123456789);
  json = write (record);
  g_assert_cmpstr (json, ==, "{\"timestamp\": 1234567890.1234567, \"x\": 0.0, \"words\": \"\"}");

  orrery_reader_set_data (reader, message, strlen (message));
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  after = write (record);
  g_assert_cmpstr (after, ==, "{\"timestamp\": 1234567890.1234567, \"x\": 2.0, \"words\": \"\"}");
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 0);
}

static void
test_not_finite (void)
{
  g_autoptr (OrreryRecord) record = new_part ();
  PartData *data = orrery_record_data (record);
  g_autofree char *json = NULL;

  data->x = -INFINITY;
  json = write (record);
  g_assert_cmpstr (json, ==, "{\"x\": null, \"words\": \"\"}");
}

#define CHECK_ELEMENT(ELEMENT, Type, VALUE, JSON)                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    OrreryBuffer *buffer = orrery_buffer_new (ORRERY_ELEMENT_##ELEMENT, 1, (gsize[]){ 1 });        \
    *(Type *) orrery_buffer_get_data (buffer) = (VALUE);                                           \
    check_element (buffer, JSON);                                                                  \
  }                                                                                                \
  G_STMT_END

/* Takes the buffer: it is written as the list, and the list is read as the buffer. */
static void
check_element (OrreryBuffer *buffer, const char *list)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  gsize size = orrery_buffer_get_size (buffer);
  g_autofree gpointer bytes = g_memdup2 (orrery_buffer_get_data (buffer), size);
  g_autofree char *message = g_strdup_printf ("{\"cloud\": [%s]}", list);
  g_autofree char *expected = g_strdup_printf ("\"cloud\": [%s],", list);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  data->cloud = buffer;
  json = write (record);
  g_assert_nonnull (strstr (json, expected));

  memset (orrery_buffer_get_data (buffer), 0x55, size);
  g_assert_true (read (record, message, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (orrery_buffer_get_data (data->cloud), orrery_buffer_get_size (data->cloud),
                   bytes, size);
}

static void
test_elements (void)
{
  CHECK_ELEMENT (INT8, gint8, -128, "-128");
  CHECK_ELEMENT (UINT16, guint16, 65535, "65535");
  CHECK_ELEMENT (INT16, gint16, -32768, "-32768");
  CHECK_ELEMENT (UINT32, guint32, 4294967295, "4294967295");
  CHECK_ELEMENT (INT32, gint32, G_MININT32, "-2147483648");
  CHECK_ELEMENT (UINT64, guint64, G_MAXINT64, "9223372036854775807");
  CHECK_ELEMENT (INT64, gint64, G_MININT64, "-9223372036854775808");
  CHECK_ELEMENT (FLOAT, float, 0.5f, "0.5");
  CHECK_ELEMENT (DOUBLE, double, 0.1, "0.1");
}

/* --- reading --- */

static void
test_read (void)
{
  g_autoptr (OrreryRecord) from = new_record ();
  g_autoptr (OrreryRecord) to = new_record ();
  AllData *data = orrery_record_data (to);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  g_autofree char *again = NULL;

  g_test_summary ("what is written is read: every field, and back to the empty record");
  fill (from);
  data->cloud = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 1, (gsize[]){ 1 });
  json = write (from);
  g_assert_true (read (to, json, &error));
  g_assert_no_error (error);
  again = write (to);
  g_assert_cmpstr (again, ==, full_json);
  g_assert_cmpuint (orrery_record_hash (to, 1, 0), ==, orrery_record_hash (from, 1, 0));

  g_clear_pointer (&again, g_free);
  g_assert_true (read (to, empty_json, &error));
  g_assert_no_error (error);
  again = write (to);
  g_assert_cmpstr (again, ==, empty_json);
}

typedef struct {
  const char *message;
  const char *expected; /* a piece of the record's JSON, or the error */
} Case;

static const Case goods[] = {
  { "{\"x\": 3}", "\"x\": 3.0" },
  { " { \"x\" : 3 } \r\n", "\"x\": 3.0" },
  { "{\"x\": 1, \"x\": 2}", "\"x\": 2.0" },
  { "{\"x\": 9223372036854775808}", "\"x\": 9.223372036854776e+18" },
  { "{\"\\u0078\": 3}", "\"x\": 3.0" },
  { "{\"count\": 3.0}", "\"count\": 3," },
  { "{\"count\": -1e3}", "\"count\": -1000," },
  { "{\"count\": 9223372036854775807}", "\"count\": 9223372036854775807" },
  { "{\"count\": -9.223372036854775808e18}", "\"count\": -9223372036854775808" },
  { "{\"when\": 2}", "\"when\": 2.0" },
  { "{\"when\": -1e-9}", "\"when\": -1e-09" },
  { "{\"words\": \"\\ud83d\\ude80\"}", "\"words\": \"\\ud83d\\ude80\"" },
  { "{\"turn\": {\"roll\": 1, \"other\": [], \"yaw\": 3, \"pitch\": 2}}",
    "\"turn\": {\"yaw\": 3.0, \"pitch\": 2.0, \"roll\": 1.0}" },
  { "{\"list\": [1, 2], \"list\": [3]}", "\"list\": [3.0]" },
  { "{\"words\": \"long\", \"words\": \"s\"}", "\"words\": \"s\"" },
  { "{\"image\": \"\"}", "\"image\": \"\"" },
  { "{\"image\": \"AQ==\"}", "\"image\": \"AQ==\"" },
  { "{\"cloud\": []}", "\"cloud\": []" },
  { "{\"cloud\": [[], []]}", "\"cloud\": [[], []]" },
  { "{\"cloud\": [[[[1]]]]}", "\"cloud\": [[[[1.0]]]]" },
  { "{\"part\": {}}", "\"part\": {\"x\": 0.0, \"words\": \"\"}" },
  { "{\"part\": {\"words\": \"w\", \"other\": {}}}", "\"part\": {\"x\": 0.0, \"words\": \"w\"}" },
  { "{\"free\": 7}", "\"free\": 7" },
  { "{\"free\": \"t\"}", "\"free\": \"t\"" },
  { "{\"free\": [[], {\"a\": 1, \"b\": 2, \"a\": 3}]}", "\"free\": [[], {\"a\": 3, \"b\": 2}]" },
  { "{\"other\": [[{\"deep\": [1, \"]\", {}]}], null, NaN], \"x\": 4}", "\"x\": 4.0" },
};

static void
test_good_messages (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (goods); i++) {
    g_autoptr (OrreryRecord) record = new_record ();
    g_autoptr (GError) error = NULL;
    g_autofree char *json = NULL;

    g_assert_true (read (record, goods[i].message, &error));
    g_assert_no_error (error);
    json = write (record);
    if (strstr (json, goods[i].expected) == NULL)
      g_test_message ("%s gave %s", goods[i].message, json);
    g_assert_nonnull (strstr (json, goods[i].expected));
  }
}

static const Case bads[] = {
  { "", "the text ends value byte 0" },
  { "x", "a word JSON texts double quotes byte 0" },
  { "[1]", "a list object" },
  { "7", "an integer object" },
  { "null", "null object" },
  { "{\"x\": 1} {", "more text after end value byte 9" },
  { "{\"x\": 1", "the text ends comma } byte 7" },
  { "{\"x\": }", "x: } value byte 6" },
  { "{\"x\": \"a\"}", "x: text number" },
  { "{\"x\": true}", "x: bool number" },
  { "{\"x\": null}", "x: null number" },
  { "{\"x\": [1]}", "x: list number" },
  { "{\"x\": NaN}", "x: number finite" },
  { "{\"x\": -Infinity}", "x: number finite" },
  { "{\"x\": 1e999}", "x: number beyond range double byte 6" },
  { "{\"x\": \xff}", "x: byte no UTF-8 (0xff) byte 6" },
  { "{\"\\q\": 1}", "a backslash escapes nothing two byte 2" },
  { "{\"flag\": 1.5}", "flag: number bool" },
  { "{\"mat3\": 1}", "mat3: integer list lists" },
  { "{\"flag\": 1}", "flag: integer bool" },
  { "{\"count\": 1.5}", "count: number not integer 64 bits" },
  { "{\"count\": 9223372036854775808}", "count: number not integer 64 bits" },
  { "{\"count\": \"1\"}", "count: text number" },
  { "{\"count\": NaN}", "count: number finite" },
  { "{\"when\": 9.3e9}", "when: time beyond +-9.2e+09 seconds" },
  { "{\"when\": Infinity}", "when: number finite" },
  { "{\"words\": 1}", "words: integer text" },
  { "{\"words\": \"\\ud800\"}", "words: half surrogate pair byte 11" },
  { "{\"words\": \"\xff\"}", "words: byte no UTF-8 (0xff) byte 11" },
  { "{\"place\": 1}", "place: integer list" },
  { "{\"place\": [1, 2]}", "place: list 2 3" },
  { "{\"place\": [1, 2, 3, 4]}", "place: list more than 3" },
  { "{\"place\": [1, 2, \"a\"]}", "place: text number" },
  { "{\"place\": [1, 2, 3 4]}", "place: 4 comma ] byte 19" },
  { "{\"turn\": [1, 2, 3]}", "turn: list object" },
  { "{\"turn\": {\"yaw\": 1}}", "turn: object without pitch" },
  { "{\"turn\": {\"yaw\": []}}", "turn: yaw: list number" },
  { "{\"turn\": {\"other\": [}}", "turn: } value byte 20" },
  { "{\"turn\": {\"yaw\": 1", "turn: text ends comma } byte 18" },
  { "{\"quat\": {\"x\": 1, \"y\": 1, \"z\": 1}}", "quat: object without w" },
  { "{\"mat3\": [[1, 2, 3], [4, 5, 6]]}", "mat3: list 2 3" },
  { "{\"mat3\": [[1, 2, 3], [4, 5, 6], [7, 8]]}", "mat3: list 2 3" },
  { "{\"mat3\": [[1, 2, 3], [4, 5, 6], [7, 8, 9], []]}", "mat3: list more than 3" },
  { "{\"mat4\": [1]}", "mat4: integer list" },
  { "{\"list\": {}}", "list: object list" },
  { "{\"list\": [1, null]}", "list: null number" },
  { "{\"list\": [1, NaN]}", "list: number finite" },
  { "{\"list\": [1", "list: text ends comma ] byte 11" },
  { "{\"points\": 1}", "points: integer list points" },
  { "{\"points\": [1]}", "points: integer list 3 numbers" },
  { "{\"points\": [[1, 2]]}", "points: list 2 3" },
  { "{\"image\": 1}", "image: integer list" },
  { "{\"image\": \"A\"}", "image: text not base64" },
  { "{\"image\": \"A===\"}", "image: text not base64" },
  { "{\"image\": \"AQ=A\"}", "image: text not base64" },
  { "{\"image\": \"A\\u0041AA\"}", "image: text not base64" },
  { "{\"cloud\": [1, [2]]}", "cloud: list number" },
  { "{\"cloud\": [[1], 2]}", "cloud: integer list" },
  { "{\"cloud\": [[1, 2], [3]]}", "cloud: lists unequal length: 2 1" },
  { "{\"cloud\": [[[[[1]]]]]}", "cloud: lists more than 4 dimensions" },
  { "{\"cloud\": [Infinity]}", "cloud: number finite" },
  { "{\"cloud\": [[1], \"a\"]}", "cloud: text list" },
  { "{\"cloud\": [1", "cloud: text ends comma ] byte 12" },
  { "{\"part\": 1}", "part: integer object" },
  { "{\"part\": null}", "part: null object" },
  { "{\"part\": {\"x\": \"a\"}}", "part: x: text number" },
  { "{\"part\": {\"x\": 1", "part: text ends comma } byte 16" },
  { "{\"free\": [1, NaN]}", "free: number finite" },
  { "{\"free\": [1, ]}", "free: comma before ] byte 13" },
  { "{\"other\": [}", "} value byte 11" },
  { "{\"free\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]",
    "free: more than 32 lists objects within other byte 40" },
};

static void
test_bad_messages (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bads); i++) {
    g_autoptr (OrreryRecord) record = new_record ();
    g_autoptr (GError) error = NULL;

    g_assert_false (read (record, bads[i].message, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
    assert_words (error != NULL ? error->message : NULL, bads[i].expected);
    g_assert_false (read (record, bads[i].message, NULL));
  }
}

static void
check_nul (const char *message, gsize length, const char *expected)
{
  g_autoptr (OrreryRecord) record = new_record ();
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  g_autoptr (GError) error = NULL;

  orrery_reader_set_data (reader, message, length);
  g_assert_false (orrery_record_read_json (record, reader, &error));
  assert_words (error->message, expected);
}

static void
test_nul (void)
{
  check_nul ("{\"x\": \0}", 8, "x: NUL byte value byte 6");
  check_nul ("{\"words\": \"a\0\"}", 15, "words: NUL byte text byte 12");
  check_nul ("{}\0", 3, "more text after end value byte 2");
}

static const Case bad_elements[] = {
  { "{\"cloud\": [-129]}", "cloud: -129 beyond -128 127" },
  { "{\"cloud\": [128]}", "cloud: 128 beyond -128 127" },
  { "{\"cloud\": [1.5]}", "cloud: number not integer 64 bits" },
  { "{\"cloud\": \"AQ==\"}", "cloud: text list" },
  { "{\"image\": [1]}", "image: list text base64" },
};

static void
test_bad_elements (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);

  g_test_summary ("the buffer that a field has says what its elements are");
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 1, (gsize[]){ 1 });
  data->cloud = orrery_buffer_new (ORRERY_ELEMENT_INT8, 1, (gsize[]){ 1 });
  for (guint i = 0; i < G_N_ELEMENTS (bad_elements); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (read (record, bad_elements[i].message, &error));
    assert_words (error != NULL ? error->message : NULL, bad_elements[i].expected);
  }
}

static void
test_float_range (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  g_autoptr (GError) error = NULL;

  data->cloud = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 1, (gsize[]){ 1 });
  g_assert_false (read (record, "{\"cloud\": [1e39]}", &error));
  assert_words (error->message, "cloud: number beyond range float");
}

static void
test_no_nested_record (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  g_clear_pointer (&data->part, orrery_record_unref);
  g_assert_false (read (record, "{\"part\": {}}", &error));
  assert_words (error->message, "part: object no record");
  json = write (record);
  g_assert_nonnull (strstr (json, "\"part\": null,"));
}

/* The last pair is wrong; all that came before it must not have been taken. */
static void
test_refused_changes_nothing (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  g_autofree char *full = g_strndup (full_json, strlen (full_json) - 1);
  g_autofree char *wrong = g_strconcat (full, ", \"x\": \"a\"}", NULL);
  g_autofree char *right = g_strconcat (full, ", \"x\": 0.1}", NULL);
  g_autofree char *json = NULL;
  OrreryRecord *part = data->part;
  g_autoptr (GError) error = NULL;

  g_assert_false (read (record, wrong, &error));
  assert_words (error->message, "x: text number");
  json = write (record);
  g_assert_cmpstr (json, ==, empty_json);

  g_test_summary ("a refused message changes nothing; the control is the same one, put right");
  g_clear_error (&error);
  g_assert_true (read (record, right, &error));
  g_assert_no_error (error);
  g_clear_pointer (&json, g_free);
  json = write (record);
  g_assert_cmpstr (json, ==, full_json);
  g_assert_true (data->part == part);
}

static void
test_missing_and_unknown (void)
{
  static const char message[] = "{\"other\": 1, \"x\": 2, \"more\": {}, \"\\u00e9\": 0}";
  static const char echo[] = "{\"timestamp\": 1.5, \"x\": 2, \"words\": \"\"}";
  g_autoptr (OrreryRecord) record = new_part ();
  PartData *data = orrery_record_data (record);
  g_autoptr (OrreryReader) reader = orrery_reader_new ();

  g_test_summary ("a missing key takes the default that was kept; both kinds are counted, "
                  "but for a time that is sent back");
  data->x = 5;
  orrery_text_set (&data->words, "kept");
  orrery_record_keep_defaults (record);
  orrery_text_set (&data->words, "changed");

  orrery_reader_set_data (reader, message, strlen (message));
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  g_assert_cmpfloat (data->x, ==, 2);
  g_assert_cmpstr (orrery_text_get (&data->words), ==, "kept");
  g_assert_cmpstr (orrery_reader_get_missing (reader), ==, "words");
  g_assert_cmpstr (orrery_reader_get_unknown (reader), ==, "other");
  g_assert_cmpuint (orrery_reader_get_n_missing (reader), ==, 1);
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 3);

  orrery_reader_set_data (reader, echo, strlen (echo));
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 0);

  orrery_reader_set_data (reader, "{}", 2);
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  g_assert_cmpfloat (data->x, ==, 5);
  g_assert_cmpuint (orrery_reader_get_n_missing (reader), ==, 2);
  g_assert_null (orrery_reader_get_unknown (reader));
}

static void
test_long_keys (void)
{
  g_autofree char *key = g_strnfill (5000, 'k');
  g_autofree char *message = g_strdup_printf ("{\"%s\": 1, \"x\": 3}", key);
  g_autoptr (OrreryRecord) record = new_part ();
  g_autoptr (OrreryReader) reader = orrery_reader_new ();

  orrery_reader_set_data (reader, message, strlen (message));
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  g_assert_cmpfloat (orrery_record_get_double (record, "x"), ==, 3);
  g_assert_cmpuint (orrery_reader_get_n_unknown (reader), ==, 1);
}

/* A buffer that someone else still reads is replaced, never written. */
static void
test_shared_buffers (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  g_autoptr (OrreryBuffer) view = NULL;
  OrreryBuffer *own;

  g_assert_true (read (record, "{\"image\": \"AQI=\", \"list\": [1]}", NULL));
  view = orrery_record_get_buffer (record, "image");
  g_assert_true (read (record, "{\"image\": \"AwQ=\", \"list\": [2]}", NULL));
  g_assert_cmpmem (orrery_buffer_get_data (view), 2, "\x01\x02", 2);
  g_assert_cmpmem (orrery_buffer_get_data (data->image), 2, "\x03\x04", 2);

  own = data->image;
  g_assert_true (read (record, "{\"image\": \"BQY=\", \"list\": [2]}", NULL));
  g_assert_true (data->image == own);
}

static void
test_image_shape (void)
{
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);

  g_test_summary ("bytes keep the shape that the field has where they fill it");
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 2, (gsize[]){ 2, 1 });
  g_assert_true (read (record, "{\"image\": \"AQI=\"}", NULL));
  g_assert_cmpuint (orrery_buffer_get_n_dimensions (data->image), ==, 2);
  g_assert_true (read (record, "{\"image\": \"AQIDBA==\"}", NULL));
  g_assert_cmpuint (orrery_buffer_get_n_dimensions (data->image), ==, 1);
  g_assert_cmpuint (orrery_buffer_get_size (data->image), ==, 4);
}

/* Large and odd messages through one reader: its scratch grows and moves. */
static void
test_large (void)
{
  g_autoptr (GString) message = g_string_new ("{\"x\": 4, \"list\": [0");
  g_autoptr (OrreryRecord) record = new_record ();
  AllData *data = orrery_record_data (record);
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  const double *values;
  gsize n;

  for (guint i = 1; i < 100000; i++)
    g_string_append_printf (message, ", %u", i);
  g_string_append (message, "], \"words\": \"");
  for (guint i = 0; i < 10000; i++)
    g_string_append (message, "\\u00e9");
  g_string_append (message, "\", \"count\": 8}");

  orrery_reader_set_data (reader, message->str, message->len);
  g_assert_true (orrery_record_read_json (record, reader, NULL));
  values = orrery_array_get (&data->list, &n);
  g_assert_cmpuint (n, ==, 100000);
  g_assert_cmpfloat (values[99999], ==, 99999);
  g_assert_cmpfloat (data->x, ==, 4);
  g_assert_cmpint (data->count, ==, 8);
  g_assert_cmpuint (strlen (orrery_text_get (&data->words)), ==, 20000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  g_test_add_func ("/record-json/write", test_write);
  g_test_add_func ("/record-json/timestamp", test_timestamp);
  g_test_add_func ("/record-json/not-finite", test_not_finite);
  g_test_add_func ("/record-json/elements", test_elements);
  g_test_add_func ("/record-json/read", test_read);
  g_test_add_func ("/record-json/good-messages", test_good_messages);
  g_test_add_func ("/record-json/bad-messages", test_bad_messages);
  g_test_add_func ("/record-json/nul", test_nul);
  g_test_add_func ("/record-json/bad-elements", test_bad_elements);
  g_test_add_func ("/record-json/float-range", test_float_range);
  g_test_add_func ("/record-json/no-nested-record", test_no_nested_record);
  g_test_add_func ("/record-json/refused-changes-nothing", test_refused_changes_nothing);
  g_test_add_func ("/record-json/missing-and-unknown", test_missing_and_unknown);
  g_test_add_func ("/record-json/long-keys", test_long_keys);
  g_test_add_func ("/record-json/shared-buffers", test_shared_buffers);
  g_test_add_func ("/record-json/image-shape", test_image_shape);
  g_test_add_func ("/record-json/large", test_large);
  return g_test_run ();
}
