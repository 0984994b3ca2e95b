/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages as JSON, in the form of rosbridge. */
#include "message-values.h"

static char *
write_json (Fixture *f)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;
  gsize length;

  g_assert_true (
      orrery_message_write (f->type, f->message, ORRERY_MESSAGE_ENCODING_JSON, writer, NULL));
  data = orrery_writer_get_data (writer, &length);
  return g_strndup (data, length);
}

/* --- golden texts --- */

#define ALL                                                                                        \
  "bool b\nint8 i8\nuint8 u8\nint64 i64\nuint64 u64\nfloat32 f\nfloat64 d\nstring s\nwstring w\n"  \
  "uint8[] bytes\nbyte[2] two\nchar[] letters\nint8[] numbers\nfloat64[] list\n"                   \
  "builtin_interfaces/Time[] stamps\ngeometry_msgs/Point p\nstring[2] words\nstd_msgs/Empty "      \
  "none\n"

static const char all_text[] =
    "{\"b\":true,\"i8\":-128,\"u8\":255,\"i64\":-9223372036854775808,\"u64\":18446744073709551615,"
    "\"f\":0.1,\"d\":null,\"s\":\"\\u00e9\\\"\",\"w\":\"\\ud83d\\ude00\",\"bytes\":\"/+8=\","
    "\"two\":\"AQI=\",\"letters\":\"QQ==\",\"numbers\":[-1,2],\"list\":[1.0,null,1e+20],"
    "\"stamps\":[{\"sec\":-1,\"nanosec\":4294967295}],\"p\":{\"x\":0.0,\"y\":0.0,\"z\":0.5},"
    "\"words\":[\"\",\"w\"],\"none\":{}}";

static void
test_golden (void)
{
  g_autoptr (Fixture) f = fixture_new (ALL, ORRERY_MESSAGE_ROS2);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a message of all kinds of fields is read from its text and written as the same");
  g_assert_true (
      fixture_read (f, ORRERY_MESSAGE_ENCODING_JSON, all_text, strlen (all_text), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (*(guint64 *) fixture_place (f, "u64"), ==, G_MAXUINT64);
  g_assert_cmpint (*(gint64 *) fixture_place (f, "i64"), ==, G_MININT64);
  g_assert_true (isnan (*(double *) fixture_place (f, "d")));
  g_assert_cmpfloat (*(float *) fixture_place (f, "f"), ==, 0.1f);
  g_assert_cmpmem (((OrreryMessageArray *) fixture_place (f, "bytes"))->data, 2, "\xff\xef", 2);
  g_assert_cmpmem (((OrreryMessageText *) fixture_place (f, "w"))->data, 4, "\U0001f600", 4);
  text = write_json (f);
  g_assert_cmpstr (text, ==, all_text);
}

static void
test_ros1_times (void)
{
  static const char text[] = "{\"t\":{\"secs\":4294967295,\"nsecs\":5},"
                             "\"d\":{\"secs\":-2,\"nsecs\":-7},\"b\":\"/w==\"}";
  g_autoptr (Fixture) f = fixture_new ("time t\nduration d\nbyte[] b\n", ORRERY_MESSAGE_ROS1);
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;

  g_test_summary ("ROS 1 says secs and nsecs, and its time has no sign");
  g_assert_true (fixture_read (f, ORRERY_MESSAGE_ENCODING_JSON, text, strlen (text), &error));
  g_assert_no_error (error);
  g_assert_cmpint (*(gint32 *) fixture_place (f, "t.sec"), ==, -1);
  written = write_json (f);
  g_assert_cmpstr (written, ==, text);
}

typedef struct {
  const char *definition;
  const char *text;
  const char *same; /* what the text is written as */
} Accepted;

static const Accepted accepted[] = {
  { "time t", "{\"t\":{\"sec\":1,\"nanosec\":2}}", "{\"t\":{\"sec\":1,\"nanosec\":2}}" },
  { "time t", "{\"t\":{\"secs\":1,\"nsecs\":2}}", "{\"t\":{\"sec\":1,\"nanosec\":2}}" },
  { "uint8[] b", "{\"b\":[1,2]}", "{\"b\":\"AQI=\"}" },
  { "uint8[] b", "{\"b\":\"\\/+8=\"}", "{\"b\":\"/+8=\"}" },
  { "uint8[] b", "{\"b\":\"\"}", "{\"b\":\"\"}" },
  { "uint8[3] b", "{\"b\":[1,2,3]}", "{\"b\":\"AQID\"}" },
  { "int8[] b", "{\"b\":\"/w==\"}", "{\"b\":[-1]}" },
  { "int32 a\nint32 b\nstring c", " { \"b\" : 1 } ", "{\"a\":0,\"b\":1,\"c\":\"\"}" },
  { "int32 a\nint32 b", "{\"b\":1,\"\\u0061\":2}", "{\"a\":2,\"b\":1}" },
  { "int32 a", "{\"a\":1e3}", "{\"a\":1000}" },
  { "float32 a\nfloat64 b", "{\"a\":NaN,\"b\":-Infinity}", "{\"a\":null,\"b\":null}" },
  { "float32[] a", "{\"a\":[]}", "{\"a\":[]}" },
  { "float64 a", "{\"a\":9007199254740993}", "{\"a\":9007199254740992.0}" },
  { "std_msgs/Empty[] e", "{\"e\":[{},{}]}", "{\"e\":[{},{}]}" },
};

static void
test_accepted (void)
{
  g_test_summary ("what others write beside the form that is written");
  for (guint i = 0; i < G_N_ELEMENTS (accepted); i++) {
    g_autoptr (Fixture) f = fixture_new (accepted[i].definition, ORRERY_MESSAGE_ROS2);
    g_autoptr (GError) error = NULL;
    g_autofree char *written = NULL;

    if (!fixture_read (f, ORRERY_MESSAGE_ENCODING_JSON, accepted[i].text, strlen (accepted[i].text),
                       &error))
      g_test_fail_printf ("%s: %s", accepted[i].text, error->message);
    written = write_json (f);
    g_assert_cmpstr (written, ==, accepted[i].same);
  }
}

/* --- bad input --- */

static const Accepted refused[] = {
  { "tf2_msgs/TFMessage t", "{\"t\":{\"transforms\":[{},{},{\"header\":{\"frame_id\":5}}]}}",
    "acme/msg/A: t.transforms[2].header.frame_id: byte 48: an integer where a text is expected" },
  { "std_msgs/Header h", "{\"h\":{\"frame\":1}}",
    "acme/msg/A: h: byte 6: std_msgs/msg/Header has no field 'frame'; did you mean frame_id" },
  { "int32 a", "{\"b\":1}", "acme/msg/A: byte 1: acme/msg/A has no field 'b'; " },
  { "time t", "{\"t\":{\"secs\":1,\"sec\":1}}", "t.sec: byte 15: a key that is there twice" },
  { "int8 a", "{\"a\":128}", "a: byte 5: 128 is out of the range of int8" },
  { "int8 a", "{\"a\":-129}", "a: byte 5: -129 is out of the range of int8" },
  { "uint8 a", "{\"a\":-1}", "-1 is out of the range of uint8" },
  { "uint64 a", "{\"a\":-1}", "-1 is out of the range of uint64" },
  { "uint64 a", "{\"a\":18446744073709551616}", "is out of the range of uint64" },
  { "int64 a", "{\"a\":9223372036854775808}", "9223372036854775808 is out of the range of int64" },
  { "int64 a", "{\"a\":1e300}", "1e+300 is out of the range of int64" },
  { "int32 a", "{\"a\":1.5}", "a: byte 5: 1.5 where an integer is expected" },
  { "int32 a", "{\"a\":NaN}", "nan where an integer is expected" },
  { "int32 a", "{\"a\":null}", "null where an integer is expected" },
  { "int32 a", "{\"a\":\"1\"}", "a text where an integer is expected" },
  { "int32[] a", "{\"a\":[1,true]}", "a[1]: byte 8: a bool where an integer is expected" },
  { "int32[2] a", "{\"a\":[1,2.5]}", "a[1]: byte 8: 2.5 where" },
  { "int32[] a", "{\"a\":\"AA==\"}", "a text where a list is expected" },
  { "float32 a", "{\"a\":1e39}", "a: byte 5: 1e+39 is out of the range of float32" },
  { "float64 a", "{\"a\":1e999}", "beyond the range of a double" },
  { "bool a", "{\"a\":1}", "an integer where a bool is expected" },
  { "string a", "{\"a\":null}", "null where a text is expected" },
  { "string a", "{\"a\":\"\\u0000\"}", "a text holds no NUL" },
  { "string a", "{\"a\":\"\xff\"}", "no UTF-8" },
  { "string<=2 a", "{\"a\":\"abc\"}", "a: byte 5: a text of 3 bytes, at most 2 fit" },
  { "geometry_msgs/Point a", "{\"a\":[1]}", "a: byte 5: a list where an object is expected" },
  { "int32[2] a", "{\"a\":[1]}", "a: byte 7: a list of 1 where one of 2 is expected" },
  { "int32[2] a", "{\"a\":[1,2,3]}", "a: byte 10: a list of more than 2" },
  { "int32[<=2] a", "{\"a\":[1,2,3]}", "a[2]: byte 10: 3 elements, at most 2 fit" },
  { "uint8[<=2] a", "{\"a\":\"AQID\"}", "a: byte 5: 3 elements, at most 2 fit" },
  { "uint8[2] a", "{\"a\":\"AQID\"}", "3 elements, at most 2 fit" },
  { "uint8[2] a", "{\"a\":\"AQ==\"}", "1 bytes where 2 are expected" },
  { "uint8[] a", "{\"a\":\"AQI\"}", "a text of 3 letters, no base64" },
  { "uint8[] a", "{\"a\":\"A===\"}", "a text that is no base64" },
  { "uint8[] a", "{\"a\":\"AQ=I\"}", "a text that is no base64" },
  { "uint8[] a", "{\"a\":\"AR==\"}", "a text that is no base64" },
  { "uint8[] a", "{\"a\":\"A-_=\"}", "a text that is no base64" },
  { "uint8[] a", "{\"a\":\"====\"}", "a text that is no base64" },
  { "int32 a", "{\"a\":1}x", "byte 7: more text after the end" },
  { "int32 a", "{\"a\":1", "acme/msg/A: byte 6: the text ends" },
  { "int32 a", "[1]", "acme/msg/A: byte 0: a list where an object is expected" },
  { "int32 a", "", "acme/msg/A: byte 0: the text ends" },
  { "int32[] a", "{\"a\":[1,", "a[1]: byte 8: the text ends" },
};

static void
test_refused (void)
{
  g_test_summary ("what is wrong is refused with field and byte, and nothing of it stays");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (Fixture) f = fixture_new (refused[i].definition, ORRERY_MESSAGE_ROS2);
    gpointer empty = orrery_message_new (f->type);
    g_autoptr (GError) error = NULL;

    g_assert_false (fixture_read (f, ORRERY_MESSAGE_ENCODING_JSON, refused[i].text,
                                  strlen (refused[i].text), &error));
    if (error == NULL || strstr (error->message, refused[i].same) == NULL)
      g_test_fail_printf ("%s: %s", refused[i].text, error != NULL ? error->message : "no error");
    g_assert_true (orrery_message_equal (f->type, f->message, empty));
    orrery_message_free (f->type, empty);
  }
}

static void
test_truncated (void)
{
  g_autoptr (Fixture) f = fixture_new (ALL, ORRERY_MESSAGE_ROS2);

  for (gsize n = 0; n < strlen (all_text); n++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (fixture_read (f, ORRERY_MESSAGE_ENCODING_JSON, all_text, n, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
}

/* --- limits and parts --- */

static void
check_limit (const char *definition, const char *text, const OrreryMessageLimits *limits,
             const char *words)
{
  g_autoptr (Fixture) f = fixture_new (definition, ORRERY_MESSAGE_ROS2);
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_message_read_part (f->type, f->message, ORRERY_MESSAGE_ENCODING_JSON,
                                            (const guint8 *) text, strlen (text), limits, NULL,
                                            &error));
  if (error == NULL || strstr (error->message, words) == NULL)
    g_test_fail_printf ("%s: %s", words, error != NULL ? error->message : "no error");
}

static void
test_limits (void)
{
  const OrreryMessageLimits two = { 0, 2, 2 }, few = { 9, 0, 0 };

  check_limit ("string a", "{\"a\":\"abc\"}", &two, "a text of 3 bytes, at most 2 fit");
  check_limit ("int8[] a", "{\"a\":[1,2,3]}", &two, "3 elements, at most 2 fit");
  check_limit ("int8[] a", "{\"a\":\"AQID\"}", &two, "3 elements, at most 2 fit");
  check_limit ("int8[] a", "{\"a\":[11]}", &few, "a message of 10 bytes, at most 9 are taken");
}

/* A few bytes of text must not become gigabytes of memory. */
static void
test_memory (void)
{
  g_autoptr (GString) text = g_string_new ("{\"a\":[{}");
  g_autoptr (Definitions) definitions = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  const OrreryMessageType *type;
  g_autoptr (GError) error = NULL;
  gpointer message;

  definitions_add (definitions, "acme/msg/Large.msg", "string b\nfloat64[100000] c\n");
  definitions_add (definitions, "acme/msg/Many.msg", "Large[] a\n");
  catalogue = definitions_open (definitions, NULL);
  type = orrery_message_catalogue_find (catalogue, "acme/Many", ORRERY_MESSAGE_ROS2, NULL);
  message = orrery_message_new (type);
  g_string_append (text, ",{}]}");
  g_assert_false (orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_JSON,
                                       (const guint8 *) text->str, text->len, &error));
  g_assert_nonnull (strstr (error->message, "a[1]: byte 9: 1 elements of 800024 bytes, too much "
                                            "memory for so short a message"));
  orrery_message_free (type, message);
}

static void
test_part (void)
{
  static const char text[] = "{\"a\":7}, \"id\": 5}";
  g_autoptr (Fixture) f = fixture_new ("int32 a", ORRERY_MESSAGE_ROS2);
  g_autoptr (GError) error = NULL;
  gsize used = 0;

  g_assert_true (orrery_message_read_part (f->type, f->message, ORRERY_MESSAGE_ENCODING_JSON,
                                           (const guint8 *) text, strlen (text), NULL, &used,
                                           &error));
  g_assert_no_error (error);
  g_assert_cmpuint (used, ==, 7);
  g_assert_cmpint (*(gint32 *) fixture_place (f, "a"), ==, 7);
}

/* --- all types --- */

static void
test_all_types (void)
{
  values_check_all (ORRERY_MESSAGE_ENCODING_JSON, ORRERY_MESSAGE_ROS1);
  values_check_all (ORRERY_MESSAGE_ENCODING_JSON, ORRERY_MESSAGE_ROS2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/message/json/golden", test_golden);
  g_test_add_func ("/message/json/ros1-times", test_ros1_times);
  g_test_add_func ("/message/json/accepted", test_accepted);
  g_test_add_func ("/message/json/refused", test_refused);
  g_test_add_func ("/message/json/truncated", test_truncated);
  g_test_add_func ("/message/json/limits", test_limits);
  g_test_add_func ("/message/json/memory", test_memory);
  g_test_add_func ("/message/json/part", test_part);
  g_test_add_func ("/message/json/all-types", test_all_types);
  return g_test_run ();
}
