/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages as CBOR, in the form of rosbridge. */
#include "message-values.h"

static gsize
read_hex (const char *text, guint8 *out)
{
  gsize n = 0;

  for (; *text != '\0'; text++) {
    if (*text == ' ')
      continue;
    out[n++] = (guint8) (g_ascii_xdigit_value (text[0]) << 4 | g_ascii_xdigit_value (text[1]));
    text++;
  }
  return n;
}

static gboolean
read_cbor (Fixture *f, const char *hex, GError **error)
{
  guint8 bytes[256];
  gsize n = read_hex (hex, bytes);

  return fixture_read (f, ORRERY_MESSAGE_ENCODING_CBOR, bytes, n, error);
}

static void
assert_written (Fixture *f, const char *hex)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  guint8 bytes[256];
  gsize n = read_hex (hex, bytes), length;
  const char *data;

  g_assert_true (
      orrery_message_write (f->type, f->message, ORRERY_MESSAGE_ENCODING_CBOR, writer, NULL));
  data = orrery_writer_get_data (writer, &length);
  g_assert_cmpmem (data, length, bytes, n);
}

typedef struct {
  const char *definition;
  const char *bytes;
  const char *same; /* what is written, or the words of the error */
} Case;

static const Case golden[] = {
  { "bool a", "a1 6161 f5", NULL },
  { "int8 a", "a1 6161 387f", NULL },
  { "uint8 a", "a1 6161 18ff", NULL },
  { "int16 a", "a1 6161 20", NULL },
  { "uint16 a", "a1 6161 190100", NULL },
  { "uint32 a", "a1 6161 1a00010000", NULL },
  { "int64 a", "a1 6161 3b7fffffffffffffff", NULL },
  { "uint64 a", "a1 6161 1bffffffffffffffff", NULL },
  { "uint64 a", "a1 6161 17", NULL },
  { "float32 a", "a1 6161 fa3fc00000", NULL },
  { "float64 a", "a1 6161 fb3ff8000000000000", NULL },
  { "float64 a", "a1 6161 fb7ff8000000000000", NULL },
  { "string a", "a1 6161 62c3a9", NULL },
  { "wstring a", "a1 6161 62c3a9", NULL },
  { "uint8[] a", "a1 6161 4201ff", NULL },
  { "char[2] a", "a1 6161 4201ff", NULL },
  { "int8[] a", "a1 6161 d848 4201ff", NULL },
  { "int16[] a", "a1 6161 d84d 420100", NULL },
  { "uint16[2] a", "a1 6161 d845 4401000200", NULL },
  { "int32[] a", "a1 6161 d84e 44ffffffff", NULL },
  { "uint32[] a", "a1 6161 d846 40", NULL },
  { "int64[] a", "a1 6161 d84f 480100000000000000", NULL },
  { "uint64[] a", "a1 6161 d847 480100000000000000", NULL },
  { "float32[] a", "a1 6161 d855 440000c03f", NULL },
  { "float64[] a", "a1 6161 d856 48000000000000f83f", NULL },
  { "bool[] a", "a1 6161 82f4f5", NULL },
  { "string[] a", "a1 6161 82606178", NULL },
  { "time[] a", "a1 6161 81 a2 63736563 20 676e616e6f736563 01", NULL },
  { "std_msgs/Empty a", "a1 6161 a0", NULL },
};

static const Case accepted[] = {
  { "uint8 a", "bf 6161 1b0000000000000001 ff", "a1 6161 01" },
  { "uint8 a", "d9d9f7 a1 6161 01", "a1 6161 01" },
  { "int32 a", "a1 6161 f93c00", "a1 6161 01" },
  { "float64 a", "a1 6161 f93e00", "a1 6161 fb3ff8000000000000" },
  { "float64 a", "a1 6161 f90001", "a1 6161 fb3e70000000000000" },
  { "float64 a", "a1 6161 f9fc00", "a1 6161 fbfff0000000000000" },
  { "float64 a", "a1 6161 20", "a1 6161 fbbff0000000000000" },
  { "float32 a", "a1 6161 f6", "a1 6161 fa7fc00000" },
  { "float32 a", "a1 6161 f7", "a1 6161 fa7fc00000" },
  { "float32 a", "a1 6161 fb3ff8000000000000", "a1 6161 fa3fc00000" },
  { "string a", "a1 6161 7f 61c3 61a9 60 ff", "a1 6161 62c3a9" },
  { "uint8[] a", "a1 6161 5f 4101 4202ff ff", "a1 6161 430102ff" },
  { "uint8[3] a", "a1 6161 5f 4101 4202ff ff", "a1 6161 430102ff" },
  { "uint8[] a", "a1 6161 d844 4201ff", "a1 6161 4201ff" },
  { "uint8[] a", "a1 6161 d840 4201ff", "a1 6161 4201ff" },
  { "uint8[] a", "a1 6161 9f 01 18ff ff", "a1 6161 4201ff" },
  { "float32[] a", "a1 6161 83 01 f6 fa3fc00000", "a1 6161 d855 4c 0000803f 0000c07f 0000c03f" },
  { "float32[2] a", "a1 6161 9f 01 02 ff", "a1 6161 d855 48 0000803f 00000040" },
  { "float32[] a", "a1 6161 d851 443fc00000", "a1 6161 d855 440000c03f" },
  { "float32[] a", "a1 6161 d850 423e00", "a1 6161 d855 440000c03f" },
  { "float32[] a", "a1 6161 d854 42003e", "a1 6161 d855 440000c03f" },
  { "float32[] a", "a1 6161 d856 48000000000000f83f", "a1 6161 d855 440000c03f" },
  { "int32[] a", "a1 6161 d849 42fffe", "a1 6161 d84e 44feffffff" },
  { "int32[] a", "a1 6161 d848 41ff", "a1 6161 d84e 44ffffffff" },
  { "int64[] a", "a1 6161 d84b 488000000000000000", "a1 6161 d84f 480000000000000080" },
  { "uint16[] a", "a1 6161 d841 420102", "a1 6161 d845 420201" },
  { "time a", "a1 6161 a1 6473656373 05", "a1 6161 a2 63736563 05 676e616e6f736563 00" },
};

static void
check (const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autoptr (Fixture) f = fixture_new (cases[i].definition, ORRERY_MESSAGE_ROS2);
    g_autoptr (GError) error = NULL;

    if (!read_cbor (f, cases[i].bytes, &error))
      g_test_fail_printf ("%s, %s: %s", cases[i].definition, cases[i].bytes, error->message);
    assert_written (f, cases[i].same != NULL ? cases[i].same : cases[i].bytes);
  }
}

static void
test_golden (void)
{
  g_test_summary ("what is written is read, and written as the same");
  check (golden, G_N_ELEMENTS (golden));
}

static void
test_accepted (void)
{
  g_test_summary ("what others write beside the form that is written");
  check (accepted, G_N_ELEMENTS (accepted));
}

static const Case refused[] = {
  { "int8 a", "", "acme/msg/A: byte 0: 1 bytes are wanted, 0 are left" },
  { "int8 a", "01", "acme/msg/A: byte 0: an integer where a map is expected" },
  { "int8 a", "a1 6161", "a: byte 3: 1 bytes are wanted" },
  { "int8 a", "a1 6162 01", "acme/msg/A: byte 1: acme/msg/A has no field 'b'" },
  { "int8 a", "a1 64610000b0 01", "acme/msg/A has no field 'a" },
  { "int8 a", "a2 6161 01 6161 01", "a: byte 4: a key that is there twice" },
  { "int8 a", "a1 01 01", "byte 1: an integer where a key is expected" },
  { "int8 a", "a1 7f 6161 ff 01", "a text where a key is expected" },
  { "int8 a", "a1 6161 01 00", "byte 4: 1 bytes behind the message" },
  { "int8 a", "a1 6161 1880", "a: byte 3: 128 is out of the range of int8" },
  { "uint64 a", "a1 6161 20", "-1 is out of the range of uint64" },
  { "int64 a", "a1 6161 3bffffffffffffffff", "out of the range of int64" },
  { "int64 a", "a1 6161 1b8000000000000000", "9223372036854775808 is out of the range of int64" },
  { "int8 a", "a1 6161 f93e00", "1.5 where an integer is expected" },
  { "int8 a", "a1 6161 f6", "null where an integer is expected" },
  { "int8 a", "a1 6161 f5", "a bool where an integer is expected" },
  { "int8 a", "a1 6161 ff", "a break where an integer is expected" },
  { "int8 a", "a1 6161 1c", "0x1c, which begins nothing in CBOR" },
  { "int8 a", "a1 6161 1f", "0x1f, which begins nothing in CBOR" },
  { "int8 a", "a1 6161 c101", "an integer with the tag 1 where an integer is expected" },
  { "int8 a", "a1 6161 c1c1c1c1c1", "more than 4 tags" },
  { "bool a", "a1 6161 01", "an integer where a bool is expected" },
  { "bool a", "a1 6161 f814", "a bool is expected" },
  { "float32 a", "a1 6161 fb7e37e43c8800759c", "1e+300 is out of the range of float32" },
  { "string a", "a1 6161 4161", "a byte string where a text is expected" },
  { "string a", "a1 6161 61ff", "a: byte 3: a text that is no UTF-8" },
  { "string a", "a1 6161 6100", "a text that is no UTF-8 or has a zero byte" },
  { "string<=2 a", "a1 6161 63616161", "a text of 3 bytes, at most 2 fit" },
  { "string a", "a1 6161 7bffffffffffffffff", "18446744073709551615 bytes are wanted, 0 are left" },
  { "string a", "a1 6161 7f 6161", "a: byte 6: 1 bytes are wanted" },
  { "string a", "a1 6161 7f 4161 ff", "a byte string where a piece or a break is expected" },
  { "string a", "a1 6161 7f c1ff", "a break with the tag 1 where a piece" },
  { "uint8[] a", "a1 6161 5f 6161 ff", "a text where a piece" },
  { "uint8[] a", "a1 6161 5bffffffffffffffff", "bytes are wanted, 0 are left" },
  { "uint8[2] a", "a1 6161 4101", "1 elements where 2 are expected" },
  { "uint8[<=2] a", "a1 6161 43010203", "3 elements, at most 2 fit" },
  { "int16[] a", "a1 6161 420100", "a byte string where a list is expected" },
  { "int16[] a", "a1 6161 d84d 4101", "an array of numbers is expected" },
  { "int16[] a", "a1 6161 d84d 5f ff", "an array of numbers is expected" },
  { "int16[] a", "a1 6161 d857 50000000000000000000000000000000", "the tag 87 where" },
  { "int8[] a", "a1 6161 d84c 4101", "the tag 76 where an array of numbers" },
  { "int16[] a", "a1 6161 d84e 4800000000ffff0000", "a[1]: byte 10: 65535 is out of the range" },
  { "string[] a", "a1 6161 d84d 420100", "a byte string with the tag 77 where a list is expected" },
  { "int16[] a", "a1 6161 9b7fffffffffffffff", "9223372036854775807 bytes are wanted" },
  { "int16[] a", "a1 6161 82 01 f5", "a[1]: byte 5: a bool where an integer is expected" },
  { "int16[2] a", "a1 6161 81 01", "a: byte 3: a list of 1 where one of 2 is expected" },
  { "int16[2] a", "a1 6161 83 01 01 01", "a list of more than 2" },
  { "tf2_msgs/TFMessage t", "a1 6174 a1 6a7472616e73666f726d73 81 a1 66686561646572 01",
    "t.transforms[0].header: byte 24: an integer where a map is expected" },
};

static void
test_refused (void)
{
  g_test_summary ("what is wrong is refused with field and byte, and nothing of it stays");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (Fixture) f = fixture_new (refused[i].definition, ORRERY_MESSAGE_ROS2);
    gpointer empty = orrery_message_new (f->type);
    g_autoptr (GError) error = NULL;

    g_assert_false (read_cbor (f, refused[i].bytes, &error));
    if (error == NULL || strstr (error->message, refused[i].same) == NULL)
      g_test_fail_printf ("%s, %s: %s", refused[i].definition, refused[i].bytes,
                          error != NULL ? error->message : "no error");
    g_assert_true (orrery_message_equal (f->type, f->message, empty));
    orrery_message_free (f->type, empty);
  }
}

static void
test_part (void)
{
  static const guint8 bytes[] = { 0xa1, 0x61, 'a', 0x07, 0x62 };
  g_autoptr (Fixture) f = fixture_new ("int32 a", ORRERY_MESSAGE_ROS2);
  gsize used = 0;

  g_assert_true (orrery_message_read_part (f->type, f->message, ORRERY_MESSAGE_ENCODING_CBOR, bytes,
                                           sizeof bytes, NULL, &used, NULL));
  g_assert_cmpuint (used, ==, 4);
  g_assert_cmpint (*(gint32 *) fixture_place (f, "a"), ==, 7);
}

static void
test_all_types (void)
{
  values_check_all (ORRERY_MESSAGE_ENCODING_CBOR, ORRERY_MESSAGE_ROS1);
  values_check_all (ORRERY_MESSAGE_ENCODING_CBOR, ORRERY_MESSAGE_ROS2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/message/cbor/golden", test_golden);
  g_test_add_func ("/message/cbor/accepted", test_accepted);
  g_test_add_func ("/message/cbor/refused", test_refused);
  g_test_add_func ("/message/cbor/part", test_part);
  g_test_add_func ("/message/cbor/all-types", test_all_types);
  return g_test_run ();
}
