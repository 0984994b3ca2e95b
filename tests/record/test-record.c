/* SPDX-License-Identifier: BSD-3-Clause */
#include "../words.h"

#include "record-fixture.h"

static void
test_empty (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("a new record is zero, empty, nothing; each type has its form as a variant");
  assert_value (record, "flag", "false");
  assert_value (record, "count", "int64 0");
  assert_value (record, "x", "0.0");
  assert_value (record, "time", "0.0");
  assert_value (record, "text", "''");
  assert_value (record, "position", "(0.0, 0.0, 0.0)");
  assert_value (record, "angles", "{'yaw': 0.0, 'pitch': 0.0, 'roll': 0.0}");
  assert_value (record, "rotation", "{'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 0.0}");
  assert_value (record, "mat3", "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]");
  assert_value (record, "ranges", "@ad []");
  assert_value (record, "points", "@aad []");
  assert_value (record, "image", "('uint8', @ax [], @ay [])");
  assert_value (record, "other", "@a{sv} {}");
  assert_value (record, "anything", "@mv nothing");
  g_assert_null (orrery_record_get_value (record, "timestamp"));
  g_assert_null (orrery_record_get_value (record, "none"));
  g_assert_cmpuint ((guintptr) orrery_record_data (record) % 64, ==, 0);
}

static void
test_full (void)
{
  g_autoptr (OrreryRecord) record = full_new ();

  g_test_summary ("what a plugin wrote into the struct is what is seen");
  assert_value (record, "flag", "true");
  assert_value (record, "count", "int64 -5");
  assert_value (record, "x", "0.10000000000000001");
  assert_value (record, "time", "1.5");
  assert_value (record, "text", "'Transit'");
  assert_value (record, "position", "(1.0, 2.0, 3.0)");
  assert_value (record, "angles",
                "{'yaw': 0.29999999999999999, 'pitch': 0.20000000000000001, "
                "'roll': 0.10000000000000001}");
  assert_value (record, "rotation", "{'x': 2.0, 'y': 3.0, 'z': 4.0, 'w': 1.0}");
  assert_value (record, "mat3", "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]");
  assert_value (record, "mat4",
                "[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], "
                "[12.0, 13.0, 14.0, 15.0]]");
  assert_value (record, "ranges", "[1.5, inf, 2.5]");
  assert_value (record, "points", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]");
  assert_value (record, "other", "{'depth': <0.0>, 'label': <''>}");
  assert_value (record, "anything", "{'a': <[1, 2]>}");
}

static void
test_get (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  All *data = orrery_record_data (record);
  double x;
  OrreryText text;
  OrreryVec3 position;

  g_test_summary ("fields are found by name and type, and copied by name");
  g_assert_true (orrery_record_find (record, "mat4", ORRERY_FIELD_MAT4) == &data->mat4);
  g_assert_null (orrery_record_find (record, "mat4", ORRERY_FIELD_MAT3));
  g_assert_null (orrery_record_find (record, "mat5", ORRERY_FIELD_MAT3));
  g_assert_true (orrery_record_find_double (record, "x") == &data->x);
  g_assert_null (orrery_record_find_double (record, "count"));
  g_assert_true (orrery_record_get (record, "x", &x));
  g_assert_cmpfloat (x, ==, 0.1);
  g_assert_true (orrery_record_get (record, "text", &text));
  g_assert_cmpstr (orrery_text_get (&text), ==, "Transit");
  g_assert_true (orrery_record_get (record, "position", &position));
  g_assert_cmpfloat (position.z, ==, 3);
  g_assert_false (orrery_record_get (record, "none", &x));
}

static void
test_get_double (void)
{
  g_autoptr (OrreryRecord) record = full_new ();

  g_test_summary ("what is a number can be had as a double, all else is NaN");
  g_assert_cmpfloat (orrery_record_get_double (record, "flag"), ==, 1);
  g_assert_cmpfloat (orrery_record_get_double (record, "count"), ==, -5);
  g_assert_cmpfloat (orrery_record_get_double (record, "x"), ==, 0.1);
  g_assert_cmpfloat (orrery_record_get_double (record, "time"), ==, 1.5);
  g_assert_true (isnan (orrery_record_get_double (record, "text")));
  g_assert_true (isnan (orrery_record_get_double (record, "position")));
  g_assert_true (isnan (orrery_record_get_double (record, "none")));
  g_assert_true (isnan (orrery_record_get_double (record, "timestamp")));
  orrery_record_set_timestamp (record, 2500000000);
  g_assert_cmpfloat (orrery_record_get_double (record, "timestamp"), ==, 2.5);
}

static void
test_get_buffer (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) empty = empty_new ();
  All *data = orrery_record_data (record);
  static const char *const names[] = { "image", "ranges", "points" };

  g_test_summary ("arrays, points and buffers are held, not copied, and do not change when held");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (OrreryBuffer) buffer = orrery_record_get_buffer (record, names[i]);

    g_assert_nonnull (buffer);
    g_assert_false (orrery_buffer_is_writable (buffer));
    g_assert_null (orrery_record_get_buffer (empty, names[i]));
  }
  g_assert_true (orrery_buffer_is_writable (data->image));
  g_assert_null (orrery_record_get_buffer (record, "x"));
  g_assert_null (orrery_record_get_buffer (record, "none"));
  g_autoptr (OrreryBuffer) held = orrery_record_get_buffer (record, "ranges");
  orrery_array_set (&data->ranges, (double[]){ 7, 8, 9 }, 3);
  g_assert_cmpfloat (((double *) orrery_buffer_get_data (held))[0], ==, 1.5);
}

static void
check_set (OrreryRecord *record, const char *name, const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (set_value (record, name, text, &error));
  g_assert_no_error (error);
  assert_value (record, name, expected);
}

static void
test_prepare_buffer (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  const All *data = orrery_record_data (record);
  g_autoptr (GError) error = NULL;
  OrreryBuffer *room = orrery_record_prepare_buffer (record, "ranges", ORRERY_ELEMENT_DOUBLE, 1,
                                                     (gsize[]){ 2 }, &error);
  OrreryBuffer *again;

  g_test_summary ("room to write is the field's own where nobody looks at it, else another");
  g_assert_no_error (error);
  g_assert_true (data->ranges.buffer == room);
  orrery_buffer_unref (room);
  again = orrery_record_prepare_buffer (record, "ranges", ORRERY_ELEMENT_DOUBLE, 1, (gsize[]){ 2 },
                                        NULL);
  g_assert_true (again == room);
  room = orrery_record_prepare_buffer (record, "ranges", ORRERY_ELEMENT_DOUBLE, 1, (gsize[]){ 2 },
                                       NULL);
  g_assert_true (room != again && data->ranges.buffer == room);
  orrery_buffer_unref (again);
  orrery_buffer_unref (room);
  orrery_buffer_unref (orrery_record_prepare_buffer (record, "ranges", ORRERY_ELEMENT_DOUBLE, 1,
                                                     (gsize[]){ 0 }, NULL));
  g_assert_null (data->ranges.buffer);
  orrery_buffer_unref (orrery_record_prepare_buffer (record, "image", ORRERY_ELEMENT_UINT8, 3,
                                                     (gsize[]){ 4, 5, 3 }, NULL));
  g_assert_cmpuint (orrery_buffer_get_size (data->image), ==, 60);
}

static void
check_no_room (const char *field, OrreryElement element, guint n, const gsize *shape,
               const char *words)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (orrery_record_prepare_buffer (record, field, element, n, shape, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  assert_words (error->message, words);
}

static void
test_no_room (void)
{
  g_test_summary ("a field gives no room of a type or shape that it has not");
  check_no_room ("imag", ORRERY_ELEMENT_UINT8, 1, (gsize[]){ 1 },
                 "no field imag did you mean image");
  check_no_room ("x", ORRERY_ELEMENT_DOUBLE, 1, (gsize[]){ 1 },
                 "x: field type double take elements type float64 1 dimensions");
  check_no_room ("ranges", ORRERY_ELEMENT_FLOAT, 1, (gsize[]){ 1 },
                 "ranges: a field of type array does not take elements of type float32 in 1 "
                 "dimensions");
  check_no_room ("points", ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ 3, 2 },
                 "points: a field of type points does not take elements of type float64 in 2 "
                 "dimensions; points are rows of three float64");
  check_no_room ("image", 77, 1, (gsize[]){ 1 },
                 "image: a field of type buffer does not take elements of type none in 1 "
                 "dimensions");
  check_no_room ("image", ORRERY_ELEMENT_UINT8, 5, (gsize[]){ 1, 1, 1, 1, 1 },
                 "image: a field of type buffer does not take elements of type uint8 in 5 "
                 "dimensions");
  check_no_room ("image", ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ G_MAXSIZE, 8 },
                 "image: more than fits memory");
}

static void
test_set_text (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  const All *data = orrery_record_data (record);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a text is set without a variant");
  g_assert_true (orrery_record_set_text (record, "text", "here", &error));
  g_assert_cmpstr (orrery_text_get (&data->text), ==, "here");
  g_assert_false (orrery_record_set_text (record, "x", "here", &error));
  assert_words (error->message, "x: field type double text");
  g_clear_error (&error);
  g_assert_false (orrery_record_set_text (record, "texd", "here", &error));
  assert_words (error->message, "no field texd did you mean text");
  g_clear_error (&error);
  g_assert_false (orrery_record_set_text (record, "text", "\xff", &error));
  assert_words (error->message, "text: not UTF-8");
}

static void
test_set_numbers (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("numbers of all kinds are converted where nothing is lost");
  check_set (record, "flag", "true", "true");
  check_set (record, "flag", "<false>", "false");
  check_set (record, "count", "byte 0xff", "int64 255");
  check_set (record, "count", "int16 -7", "int64 -7");
  check_set (record, "count", "uint16 7", "int64 7");
  check_set (record, "count", "-8", "int64 -8");
  check_set (record, "count", "uint32 4000000000", "int64 4000000000");
  check_set (record, "count", "int64 -9223372036854775808", "int64 -9223372036854775808");
  check_set (record, "count", "uint64 9223372036854775807", "int64 9223372036854775807");
  check_set (record, "count", "-3.0", "int64 -3");
  check_set (record, "count", "-9223372036854775808.0", "int64 -9223372036854775808");
  check_set (record, "x", "2.5", "2.5");
  check_set (record, "x", "<<2>>", "2.0");
  check_set (record, "x", "int64 9007199254740992", "9007199254740992.0");
  check_set (record, "x", "int64 -9223372036854775808", "-9.2233720368547758e+18");
  check_set (record, "x", "-0.0", "-0.0");
  check_set (record, "time", "1.25", "1.25");
  check_set (record, "time", "-3", "-3.0");
}

static void
test_set_structures (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("vectors, rotations, matrices, arrays and points take lists, tuples and boxes");
  check_set (record, "position", "(1, 2.5, <3>)", "(1.0, 2.5, 3.0)");
  check_set (record, "position", "[4, 5, 6]", "(4.0, 5.0, 6.0)");
  check_set (record, "position", "[<7>, <8.5>, <byte 9>]", "(7.0, 8.5, 9.0)");
  check_set (record, "position", "{'z': 3, 'x': 1, 'y': 2}", "(1.0, 2.0, 3.0)");
  check_set (record, "angles", "{'roll': 1, 'yaw': 3, 'pitch': 2}",
             "{'yaw': 3.0, 'pitch': 2.0, 'roll': 1.0}");
  check_set (record, "angles", "{'roll': <1>, 'yaw': <0.5>, 'pitch': <2>}",
             "{'yaw': 0.5, 'pitch': 2.0, 'roll': 1.0}");
  check_set (record, "rotation", "{'w': 1.0, 'x': 2.0, 'y': 3.0, 'z': 4.0}",
             "{'x': 2.0, 'y': 3.0, 'z': 4.0, 'w': 1.0}");
  check_set (record, "mat3", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]",
             "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]");
  check_set (record, "mat4",
             "[<(1, 2, 3, 4)>, <[5.5, 6, 7, 8]>, <[<9>, <0>, <1>, <2>]>, <(3, 4, 5, 6)>]",
             "[[1.0, 2.0, 3.0, 4.0], [5.5, 6.0, 7.0, 8.0], [9.0, 0.0, 1.0, 2.0], "
             "[3.0, 4.0, 5.0, 6.0]]");
  check_set (record, "ranges", "[1, 2]", "[1.0, 2.0]");
  check_set (record, "ranges", "[1.5, 2.5]", "[1.5, 2.5]");
  check_set (record, "ranges", "(1, 2.5)", "[1.0, 2.5]");
  check_set (record, "ranges", "@av []", "@ad []");
  check_set (record, "points", "[(1, 2, 3), (4, 5, 6)]", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]");
  check_set (record, "points", "@aad []", "@aad []");
}

static void
test_set_rest (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("texts, buffers, records and free form are set");
  check_set (record, "text", "'Grüße'", "'Grüße'");
  check_set (record, "image", "('uint16', [int64 1, 2], [byte 1, 2, 3, 4])",
             "('uint16', [int64 1, 2], [byte 0x01, 0x02, 0x03, 0x04])");
  check_set (record, "image", "('float64', [int64 0, 5], @ay [])",
             "('float64', [int64 0, 5], @ay [])");
  check_set (record, "image", "('uint8', @ax [], @ay [])", "('uint8', @ax [], @ay [])");
  check_set (record, "anything", "<{'a': <1>}>", "{'a': <1>}");
  check_set (record, "anything", "@mv nothing", "@mv nothing");
  check_set (record, "other", "@a{sv} {}", "@a{sv} {}");
  ((All *) orrery_record_data (record))->other = other_new ();
  check_set (record, "other", "{'label': <'near'>, 'depth': <2>}",
             "{'depth': <2.0>, 'label': <'near'>}");
}

static void
check_refused (OrreryRecord *record, const char *name, const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  guint64 before = hash_of (record);

  g_assert_false (set_value (record, name, text, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  assert_words (error->message, message);
  g_assert_cmphex (hash_of (record), ==, before);
}

static void
test_refused_numbers (void)
{
  g_autoptr (OrreryRecord) record = full_new ();

  g_test_summary ("a number that is lost, not finite or none is refused, and nothing changes");
  check_refused (record, "y", "1",
                 "no field y is: flag count x time text position angles rotation ...");
  check_refused (record, "flag", "1", "flag: truth value number");
  check_refused (record, "count", "true", "count: whole number truth value");
  check_refused (record, "count", "1.5", "count: whole number below 2^63 1.5");
  check_refused (record, "count", "9223372036854775808.0",
                 "count: whole number below 2^63 9.2233720368547758e+18");
  check_refused (record, "count", "uint64 9223372036854775808",
                 "count: number below 2^63 9223372036854775808");
  check_refused (record, "x", "'1'", "x: number text");
  check_refused (record, "x", "@mv nothing", "x: number nothing");
  check_refused (record, "x", "int64 9007199254740993", "x: number double 9007199254740993");
  check_refused (record, "x", "int64 9223372036854775807", "x: number double 9223372036854775807");
  check_refused (record, "time", "1e10", "time: time within +-9.2e9 s 10000000000.0");
  check_refused (record, "timestamp", "1", "no field timestamp did you mean time");
  orrery_record_set_timestamp (record, 5);
  check_refused (record, "timestamp", "1", "timestamp: only host sets");
}

static void
refuse_number (OrreryRecord *record, const char *name, GVariant *value, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_record_set_value (record, name, value, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  assert_words (error->message, message);
}

static void
test_refused_infinite (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  double numbers[] = { 1, INFINITY, 3 };

  g_test_summary ("infinities and NaN are refused wherever they stand");
  refuse_number (record, "x", g_variant_new_double (NAN), "x: finite number nan");
  refuse_number (record, "count", g_variant_new_double (NAN), "count: whole number below 2^63 nan");
  refuse_number (record, "count", g_variant_new_double (-INFINITY),
                 "count: whole number below 2^63 -inf");
  refuse_number (record, "time", g_variant_new_double (INFINITY), "time: finite number inf");
  refuse_number (record, "ranges",
                 g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, 3, sizeof *numbers),
                 "ranges: [1]: finite number inf");
  refuse_number (record, "position", g_variant_new ("(ddd)", 0.0, 0.0, -INFINITY),
                 "position: [2]: finite number -inf");
  refuse_number (record, "angles", g_variant_new_parsed ("{'yaw': %d, 'pitch': 0, 'roll': 0}", NAN),
                 "angles: yaw: finite number nan");
  refuse_number (record, "points", g_variant_new_parsed ("[(1, 2, 3), (%d, 5, 6)]", NAN),
                 "points: [1][0]: finite number nan");
}

static void
test_refused_structures (void)
{
  g_autoptr (OrreryRecord) record = full_new ();

  g_test_summary ("a structure of another form is refused, and nothing changes");
  check_refused (record, "position", "[1, 2]", "position: list three numbers list 2 items");
  check_refused (record, "position", "{'x': 1, 'y': 2}",
                 "position: dictionary with exactly x y z dictionary x y");
  check_refused (record, "position", "{'x': 1, 'y': 2, 'w': 3}", "position: no key z");
  check_refused (record, "position", "(1, 'b', 3)", "position: [1]: number text");
  check_refused (record, "angles", "[1, 2, 3]",
                 "angles: dictionary with exactly yaw pitch roll list 3 items");
  check_refused (record, "rotation", "{'x': 1, 'y': 2, 'z': 3}",
                 "rotation: dictionary with exactly x y z w dictionary x y z");
  check_refused (record, "mat3", "[1, 2]", "mat3: three rows three numbers list 2 items");
  check_refused (record, "mat3", "[1, 2, 3]", "mat3: [0]: list 3 numbers");
  check_refused (record, "mat4", "[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2]]",
                 "mat4: [3]: list 4 numbers");
  check_refused (record, "mat4", "'m'", "mat4: four rows four numbers text");
  check_refused (record, "ranges", "5", "ranges: list numbers number");
  check_refused (record, "ranges", "(1, true)", "ranges: [1]: number truth value");
  check_refused (record, "ranges", "{'a': 1}", "ranges: list numbers dictionary a");
  check_refused (record, "points", "(1, 2)", "points: [0]: list 3 numbers");
  check_refused (record, "points", "[(1, 2, 3, 4)]", "points: [0]: list 3 numbers");
  check_refused (record, "points", "true", "points: list points truth value");
}

static void
test_refused_rest (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) empty = empty_new ();

  g_test_summary ("buffers must fit their shape; a record field needs a record");
  check_refused (record, "text", "5", "text: text number");
  check_refused (record, "image", "'x'", "image: buffer (element shape bytes) text");
  check_refused (record, "image", "('float', [int64 1], [byte 1])",
                 "image: buffer: no such type elements");
  check_refused (record, "image", "('uint16', [int64 1], [byte 1])",
                 "image: buffer: number bytes shape");
  check_refused (record, "image", "('uint8', [int64 -1], [byte 1])",
                 "image: buffer: length below 0");
  check_refused (record, "image", "('uint8', @ax [], [byte 1])",
                 "image: buffer: number bytes shape");
  check_refused (record, "image", "('uint8', [int64 1, 1, 1, 1, 1], [byte 1])",
                 "image: buffer: more than four dimensions");
  /* 2^32 x 2^32 is 0 in 64 bits */
  check_refused (record, "image", "('uint8', [int64 4294967296, 4294967296], @ay [])",
                 "image: buffer: number bytes shape");
  check_refused (record, "other", "5", "other: dictionary fields number");
  check_refused (record, "other", "{'deph': <1>}", "other: no field deph did you mean depth");
  check_refused (record, "other", "{'depth': <'a'>}", "other: depth: number text");
  check_refused (empty, "other", "{'depth': <1>}", "other: no record refers");
}

static void
test_set_values (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (GError) error = NULL;
  guint64 before = hash_of (record);

  g_test_summary ("several values are set, all or none");
  g_assert_false (orrery_record_set_values (
      record, g_variant_new_parsed ("{'x': <1>, 'text': <'a'>, 'count': <'b'>}"), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  assert_words (error->message, "count: whole number text");
  g_assert_cmphex (hash_of (record), ==, before);
  g_clear_error (&error);
  g_assert_false (orrery_record_set_values (record, g_variant_new_parsed ("[1]"), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_true (orrery_record_set_values (
      record, g_variant_new_parsed ("{'x': <1>, 'text': <'a'>, 'count': <2>}"), &error));
  g_assert_no_error (error);
  assert_value (record, "x", "1.0");
  assert_value (record, "text", "'a'");
  assert_value (record, "flag", "true");
}

static void
test_round_trip (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) other = empty_new ();
  All *data = orrery_record_data (record);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what a record gives as a variant, another takes; the timestamp is passed over");
  /* infinities go out, never in */
  orrery_array_set (&data->ranges, (double[]){ 1 }, 1);
  ((All *) orrery_record_data (other))->other = other_new ();
  orrery_record_set_timestamp (record, 7);
  orrery_record_set_timestamp (other, 7);
  g_autoptr (GVariant) value = orrery_record_to_variant (record);
  g_assert_true (orrery_record_set_values (other, value, &error));
  g_assert_no_error (error);
  g_assert_cmphex (hash_of (other), ==, hash_of (record));
}

static void
test_to_variant (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (GVariant) actuator = orrery_record_to_variant (record);
  GVariantIter iter;
  const char *name;
  guint i = 0;

  g_test_summary ("as a dictionary the timestamp comes first, then the fields in order");
  g_assert_cmpuint (g_variant_n_children (actuator), ==, 15);
  orrery_record_set_timestamp (record, 2500000000);
  g_autoptr (GVariant) sensor = orrery_record_to_variant (record);
  g_assert_cmpuint (g_variant_n_children (sensor), ==, 16);
  g_variant_iter_init (&iter, sensor);
  while (g_variant_iter_next (&iter, "{&sv}", &name, NULL)) {
    g_assert_cmpstr (name, ==, i == 0 ? "timestamp" : all_fields[i - 1].name);
    i++;
  }
  assert_value (record, "timestamp", "2.5");
}

static void
test_text_bytes (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("a text that is not UTF-8 does not break a view");
  orrery_text_set (&((All *) orrery_record_data (record))->text, "a\xff"
                                                                 "b");
  assert_value (record, "text",
                "'a\xef\xbf\xbd"
                "b'");
}

static void
test_timestamp (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();

  g_test_summary ("a record has a time once one was set, and a mark to hold");
  g_assert_false (orrery_record_has_timestamp (record));
  g_assert_cmpint (orrery_record_get_timestamp (record), ==, 0);
  orrery_record_set_timestamp (record, 0);
  g_assert_true (orrery_record_has_timestamp (record));
  orrery_record_set_timestamp (record, -3);
  g_assert_cmpint (orrery_record_get_timestamp (record), ==, -3);
  g_assert_false (orrery_record_is_held (record));
  orrery_record_hold (record);
  g_assert_true (orrery_record_is_held (record));
  orrery_record_release (record);
  g_assert_false (orrery_record_is_held (record));
}

static void
test_copy (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) copy = orrery_record_new (orrery_record_get_schema (record));
  All *data = orrery_record_data (record), *copied = orrery_record_data (copy);
  guint64 before = hash_of (record);

  g_test_summary ("a copy has all, shares what is counted, and is not changed by the original");
  orrery_record_set_timestamp (record, 9);
  orrery_record_hold (record);
  orrery_record_copy (copy, record);
  g_assert_cmphex (hash_of (copy), ==, hash_of (record));
  g_assert_cmpint (orrery_record_get_timestamp (copy), ==, 9);
  g_assert_true (orrery_record_is_held (copy));
  g_assert_true (copied == orrery_record_data (copy));
  g_assert_true (copied->image == data->image && copied->other == data->other);
  g_assert_true (copied->text.str != data->text.str);
  /* what is no field stays */
  g_assert_cmpstr (copied->own, ==, "");
  orrery_text_set (&data->text, "another");
  orrery_array_set (&data->ranges, (double[]){ 4, 5, 6 }, 3);
  data->x = 5;
  orrery_record_set_timestamp (copy, 0);
  orrery_record_set_timestamp (record, 0);
  g_assert_cmphex (hash_of (copy), !=, hash_of (record));
  orrery_record_copy (record, copy);
  orrery_record_copy (record, record);
  g_assert_cmphex (hash_of (copy), ==, hash_of (record));
  g_assert_cmphex (hash_of (copy), !=, before);
}

static void
test_copy_whole (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) copy = orrery_record_new (orrery_record_get_schema (record));
  All *data = orrery_record_data (record), *copied = orrery_record_data (copy);
  OrreryBuffer *image;
  OrreryRecord *other;
  guint64 before;

  g_test_summary ("a whole copy shares nothing that changes, and keeps its room");
  orrery_record_set_timestamp (record, 9);
  before = hash_of (record);
  orrery_record_copy_whole (copy, record);
  g_assert_cmphex (hash_of (copy), ==, before);
  image = copied->image;
  other = copied->other;
  g_assert_true (image != data->image && other != data->other);
  g_assert_true (orrery_buffer_is_writable (data->image));
  ((guint16 *) orrery_buffer_get_data (data->image))[0] = 99;
  ((Other *) orrery_record_data (data->other))->depth = 7;
  g_assert_cmphex (hash_of (copy), ==, before);
  orrery_record_copy_whole (copy, record);
  g_assert_cmphex (hash_of (copy), ==, hash_of (record));
  g_assert_true (copied->image == image && copied->other == other);
  /* What is shared with the original is parted from it, and what is gone there goes. */
  orrery_record_copy (copy, record);
  orrery_record_copy_whole (copy, record);
  g_assert_true (copied->image != data->image && copied->other != data->other);
  orrery_record_reset (record);
  orrery_record_copy_whole (copy, record);
  g_assert_cmphex (hash_of (copy), ==, hash_of (record));
}

static void
test_reset (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) empty = empty_new ();

  g_test_summary ("without defaults all fields go back to nothing");
  orrery_record_set_timestamp (record, 9);
  orrery_record_set_timestamp (empty, 9);
  orrery_record_reset (record);
  g_assert_cmphex (hash_of (record), ==, hash_of (empty));
  g_assert_cmpint (orrery_record_get_timestamp (record), ==, 9);
  g_assert_cmpstr (((All *) orrery_record_data (record))->own, ==, "mine");
}

static void
test_defaults (void)
{
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) empty = orrery_record_new (orrery_record_get_schema (record));
  guint64 full = hash_of (record);

  g_test_summary ("with defaults all fields, or one, go back to them");
  orrery_record_keep_defaults (record);
  orrery_record_copy (record, empty);
  g_assert_cmphex (hash_of (record), ==, hash_of (empty));
  orrery_record_reset (record);
  g_assert_cmphex (hash_of (record), ==, full);
  for (guint i = 0; i < G_N_ELEMENTS (all_fields); i++) {
    g_autofree char *before = print_value (record, all_fields[i].name);

    orrery_record_reset_field (record, &all_fields[i]);
    assert_value (record, all_fields[i].name, before);
  }
  set_value (record, "x", "77", NULL);
  set_value (record, "ranges", "[77]", NULL);
  orrery_record_reset_field (record, &all_fields[10]);
  assert_value (record, "x", "77.0");
  assert_value (record, "ranges", "[1.5, inf, 2.5]");
  /* kept once more: the later ones count */
  orrery_record_keep_defaults (record);
  orrery_record_reset (record);
  assert_value (record, "x", "77.0");
}

static void
test_from_description (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrrerySchema) schema = orrery_schema_new_from_variant (
      g_variant_new_parsed ("[('ok', 'bool', '', ''), ('joint', 'double', 'rad', ''), "
                            "('name', 'text', '', '')]"),
      &error);
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);

  g_test_summary ("a record of a schema made at setup outlives it and works as any other");
  g_clear_pointer (&schema, orrery_schema_unref);
  check_set (record, "joint", "1.5", "1.5");
  check_set (record, "name", "'elbow'", "'elbow'");
  check_set (record, "ok", "true", "true");
  double *joint = orrery_record_find_double (record, "joint");
  g_assert_cmpfloat (*joint, ==, 1.5);
}

static void
test_no_fields (void)
{
  g_autoptr (OrrerySchema) schema = orrery_schema_new (NULL, 0, 0);
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);

  g_test_summary ("a record without fields (a clock) has a time and that is all");
  orrery_record_set_timestamp (record, ORRERY_SECOND);
  orrery_record_keep_defaults (record);
  orrery_record_reset (record);
  g_autoptr (GVariant) value = orrery_record_to_variant (record);
  g_autofree char *text = g_variant_print (value, FALSE);
  g_assert_cmpstr (text, ==, "{'timestamp': <1.0>}");
}

static void
test_wrong_use (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  g_autoptr (OrreryRecord) other = empty_new ();

  g_test_summary ("a copy between schemas is the caller's bug");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*schema*");
  orrery_record_copy (record, other);
  g_test_assert_expected_messages ();
}

static void
test_boxed (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  g_test_summary ("boxed, a copy is a reference");
  g_value_init (&value, ORRERY_TYPE_RECORD);
  g_value_set_boxed (&value, record);
  g_assert_true (g_value_get_boxed (&value) == record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/record/empty", test_empty);
  g_test_add_func ("/record/full", test_full);
  g_test_add_func ("/record/get", test_get);
  g_test_add_func ("/record/get-double", test_get_double);
  g_test_add_func ("/record/get-buffer", test_get_buffer);
  g_test_add_func ("/record/prepare-buffer", test_prepare_buffer);
  g_test_add_func ("/record/no-room", test_no_room);
  g_test_add_func ("/record/set-text", test_set_text);
  g_test_add_func ("/record/set-numbers", test_set_numbers);
  g_test_add_func ("/record/set-structures", test_set_structures);
  g_test_add_func ("/record/set-rest", test_set_rest);
  g_test_add_func ("/record/refused-numbers", test_refused_numbers);
  g_test_add_func ("/record/refused-infinite", test_refused_infinite);
  g_test_add_func ("/record/refused-structures", test_refused_structures);
  g_test_add_func ("/record/refused-rest", test_refused_rest);
  g_test_add_func ("/record/set-values", test_set_values);
  g_test_add_func ("/record/round-trip", test_round_trip);
  g_test_add_func ("/record/to-variant", test_to_variant);
  g_test_add_func ("/record/text-bytes", test_text_bytes);
  g_test_add_func ("/record/timestamp", test_timestamp);
  g_test_add_func ("/record/copy", test_copy);
  g_test_add_func ("/record/copy-whole", test_copy_whole);
  g_test_add_func ("/record/reset", test_reset);
  g_test_add_func ("/record/defaults", test_defaults);
  g_test_add_func ("/record/from-description", test_from_description);
  g_test_add_func ("/record/no-fields", test_no_fields);
  g_test_add_func ("/record/wrong-use", test_wrong_use);
  g_test_add_func ("/record/boxed", test_boxed);
  return g_test_run ();
}
