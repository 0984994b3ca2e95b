/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "message-fixture.h"
#include "message/orrery-message-encoding.h"

/* A type of every kind of field, and its bytes as they were counted out by hand. */
#define TEXT                                                                                       \
  "uint8 flag\nfloat64 x\nstring name\nint16[3] small\nfloat32[] list\n"                           \
  "builtin_interfaces/Time stamp\nstring[<=2] words\ngeometry_msgs/Point[] points\nbool last\n"

static const guint8 as_ros1[] = {
  0x07,                                                /* flag */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f,      /* x: 1.5 */
  0x02, 0x00, 0x00, 0x00, 'h',  'i',                   /* name */
  0x01, 0x00, 0xff, 0xff, 0x03, 0x00,                  /* small: 1, -1, 3 */
  0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f,      /* list: 1.0 */
  0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,      /* stamp */
  0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 'w', /* words */
  0x01, 0x00, 0x00, 0x00,                              /* points */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x3f,      /* 1 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,      /* 2 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x40,      /* 3 */
  0x01,                                                /* last */
};

static const guint8 as_cdr[] = {
  0x00, 0x01, 0x00, 0x00,                                     /* little endian */
  0x07, 0,    0,    0,    0,    0,    0,    0,                /* flag, up to 8 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f,             /* x, up to 16 */
  0x03, 0x00, 0x00, 0x00, 'h',  'i',  0x00,                   /* name with its zero, up to 23 */
  0,    0x01, 0x00, 0xff, 0xff, 0x03, 0x00,                   /* small at 24, up to 30 */
  0,    0,    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f, /* list at 32, up to 40 */
  0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,             /* stamp, up to 48 */
  0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 'w',  0x00, /* words, up to 58 */
  0,    0,    0x01, 0x00, 0x00, 0x00,                         /* points at 60, up to 64 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x3f,             /* 1 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,             /* 2 */
  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x40,             /* 3 */
  0x01,                                                       /* last */
};

typedef struct {
  Definitions *definitions;
  OrreryMessageCatalogue *catalogue;
  const OrreryMessageType *type;
  gpointer message;
} Fixture;

static Fixture *
fixture_new (const char *text)
{
  Fixture *f = g_new0 (Fixture, 1);
  g_autoptr (GError) error = NULL;

  f->definitions = definitions_new ();
  definitions_add (f->definitions, "acme/msg/A.msg", text);
  f->catalogue = definitions_open (f->definitions, NULL);
  f->type = orrery_message_catalogue_find (f->catalogue, "acme/A", ORRERY_MESSAGE_ROS2, &error);
  g_assert_no_error (error);
  f->message = orrery_message_new (f->type);
  return f;
}

static void
fixture_free (Fixture *f)
{
  orrery_message_free (f->type, f->message);
  orrery_message_catalogue_unref (f->catalogue);
  definitions_free (f->definitions);
  g_free (f);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

static gpointer
place (Fixture *f, const char *path)
{
  gsize offset = 0;

  g_assert_nonnull (orrery_message_type_find (f->type, path, &offset, NULL));
  return (char *) f->message + offset;
}

static OrreryMessageArray *
resize (Fixture *f, const char *path, gsize n)
{
  OrreryMessageArray *array = place (f, path);

  orrery_message_array_resize (array, orrery_message_type_find (f->type, path, NULL, NULL), n);
  return array;
}

static void
fill (Fixture *f)
{
  const gint16 small[] = { 1, -1, 3 };
  const double point[] = { 1, 2, 3 };

  *(guint8 *) place (f, "flag") = 7;
  *(double *) place (f, "x") = 1.5;
  orrery_message_text_set (place (f, "name"), "hi", -1);
  memcpy (place (f, "small"), small, sizeof small);
  *(float *) resize (f, "list", 1)->data = 1;
  *(gint32 *) place (f, "stamp.sec") = 5;
  *(guint32 *) place (f, "stamp.nanosec") = 6;
  orrery_message_text_set (resize (f, "words", 1)->data, "w", 1);
  memcpy (resize (f, "points", 1)->data, point, sizeof point);
  *(guint8 *) place (f, "last") = 1;
}

static void
assert_written (Fixture *f, OrreryMessageEncoding encoding, const guint8 *bytes, gsize n)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GError) error = NULL;
  const char *data;
  gsize length;

  /* Behind another message, since CDR counts its alignment from its own beginning. */
  orrery_writer_append_text (writer, "abc");
  orrery_writer_begin (writer, 1);
  g_assert_true (orrery_message_write (f->type, f->message, encoding, writer, &error));
  g_assert_no_error (error);
  orrery_writer_get_message (writer, 0, &data, &length);
  g_assert_cmpmem (data, length, bytes, n);
}

static void
test_write (void)
{
  g_autoptr (Fixture) f = fixture_new (TEXT);

  g_test_summary ("a message of all kinds of fields has the bytes that both protocols say");
  fill (f);
  assert_written (f, ORRERY_MESSAGE_ENCODING_ROS1, as_ros1, sizeof as_ros1);
  assert_written (f, ORRERY_MESSAGE_ENCODING_CDR, as_cdr, sizeof as_cdr);
}

static void
test_read (void)
{
  g_autoptr (Fixture) f = fixture_new (TEXT);
  gpointer other = orrery_message_new (f->type);
  g_autoptr (GError) error = NULL;

  g_test_summary ("the same bytes are read back, over what was there before");
  fill (f);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (orrery_message_read (f->type, other, ORRERY_MESSAGE_ENCODING_ROS1, as_ros1,
                                        sizeof as_ros1, &error));
    g_assert_no_error (error);
    g_assert_true (orrery_message_equal (f->type, f->message, other));
    g_assert_true (orrery_message_read (f->type, other, ORRERY_MESSAGE_ENCODING_CDR, as_cdr,
                                        sizeof as_cdr, &error));
    g_assert_no_error (error);
    g_assert_true (orrery_message_equal (f->type, f->message, other));
  }
  *(double *) place (f, "x") = 2;
  g_assert_false (orrery_message_equal (f->type, f->message, other));
  orrery_message_free (f->type, other);
}

static void
test_big_endian (void)
{
  static const guint8 bytes[] = {
    0, 0, 0, 0, 0x12, 0x34, 0, 0, 0x3f, 0x80, 0, 0, 0, 0, 0, 2, 'h', 0
  };
  g_autoptr (Fixture) f = fixture_new ("uint16 a\nfloat32 b\nstring c\n");
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_CDR, bytes,
                                      sizeof bytes, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (*(guint16 *) place (f, "a"), ==, 0x1234);
  g_assert_cmpfloat (*(float *) place (f, "b"), ==, 1);
  g_assert_cmpuint (((OrreryMessageText *) place (f, "c"))->length, ==, 1);
}

static void
test_empty (void)
{
  static const guint8 one[] = { 0, 1, 0, 0, 0 };
  g_autoptr (Fixture) f = fixture_new ("# nothing\n");

  g_test_summary ("an empty message has no bytes in ROS 1 and one in CDR");
  assert_written (f, ORRERY_MESSAGE_ENCODING_ROS1, (const guint8 *) "", 0);
  assert_written (f, ORRERY_MESSAGE_ENCODING_CDR, one, sizeof one);
  g_assert_true (
      orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_ROS1, NULL, 0, NULL));
  g_assert_true (orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_CDR, one,
                                      sizeof one, NULL));
}

/* Cut anywhere, a message is refused, and what was read of it is gone. */
static void
test_truncated (void)
{
  g_autoptr (Fixture) f = fixture_new (TEXT);
  gpointer empty = orrery_message_new (f->type);

  for (gsize n = 0; n < sizeof as_ros1; n++) {
    g_autofree guint8 *cut = g_memdup2 (as_ros1, n);
    g_autoptr (GError) error = NULL;

    g_assert_false (
        orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_ROS1, cut, n, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
    g_assert_true (orrery_message_equal (f->type, f->message, empty));
  }
  for (gsize n = 0; n < sizeof as_cdr; n++) {
    g_autofree guint8 *cut = g_memdup2 (as_cdr, n);
    g_autoptr (GError) error = NULL;

    g_assert_false (
        orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_CDR, cut, n, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
  orrery_message_free (f->type, empty);
}

typedef struct {
  const char *text;
  OrreryMessageEncoding encoding;
  guint8 bytes[24];
  gsize n;
  const char *words;
} Hostile;

static const Hostile hostile[] = {
  { "string s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 0xff, 0xff, 0xff, 0xff, 'a' },
    5,
    "acme/msg/A: s: byte 4: 4294967295 bytes are wanted, 1 are left" },
  { "float64[] s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8 },
    12,
    "s: byte 4: 17179869176 bytes are wanted, 8 are left" },
  { "string[] s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
    12,
    "s: byte 4: 12 bytes are wanted, 8 are left" },
  { "std_msgs/Empty[] s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 0xff, 0xff, 0xff, 0xff },
    4,
    "4294967295 elements without bytes, more than the message has bytes" },
  { "std_msgs/Empty[] s\nstd_msgs/Empty[] t",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 5, 0, 0, 0, 5, 0, 0, 0 },
    8,
    "t: byte 8: 5 elements without bytes" },
  { "std_msgs/Empty[] s",
    ORRERY_MESSAGE_ENCODING_CDR,
    { 0, 1, 0, 0, 9, 0, 0, 0, 0 },
    9,
    "9 bytes are wanted, 1 are left" },
  { "int8[<=2] s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 3, 0, 0, 0, 1, 2, 3 },
    7,
    "s: byte 4: 3 elements, at most 2 fit" },
  { "string<=2 s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 3, 0, 0, 0, 'a', 'b', 'c' },
    7,
    "s: byte 4: a text of 3 bytes, at most 2 fit" },
  { "bool s", ORRERY_MESSAGE_ENCODING_ROS1, { 2 }, 1, "s: byte 0: 2 is neither true nor false" },
  { "bool[2] s", ORRERY_MESSAGE_ENCODING_ROS1, { 1, 2 }, 2, "A: s[1]: byte 1: 2 is neither true" },
  { "string s",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 1, 0, 0, 0, 0xff },
    5,
    "s: byte 4: a text that is" },
  { "string s", ORRERY_MESSAGE_ENCODING_ROS1, { 1, 0, 0, 0, 0 }, 5, "s: byte 4: a text that is" },
  { "tf2_msgs/TFMessage t\nstring[1] u",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9 },
    13,
    "acme/msg/A: t.transforms" },
  { "std_msgs/Header[2] h",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0 },
    24,
    "acme/msg/A: h[1].frame_id: byte 24: 5 bytes are wanted, 0 are left" },
  { "int8 s", ORRERY_MESSAGE_ENCODING_ROS1, { 2, 3 }, 2, "byte 1: 1 bytes behind the last field" },
  { "int8 s",
    ORRERY_MESSAGE_ENCODING_CDR,
    { 0, 1, 0, 0, 2, 0, 0, 0, 0 },
    9,
    "byte 5: 4 bytes behind the last field" },
  { "int8 s", ORRERY_MESSAGE_ENCODING_CDR, { 0, 3, 0, 0, 2 }, 5, "representation 0x0003" },
  { "int8 s", ORRERY_MESSAGE_ENCODING_CDR, { 1, 0, 0, 0, 2 }, 5, "representation 0x0100" },
  { "string s",
    ORRERY_MESSAGE_ENCODING_CDR,
    { 0, 1, 0, 0, 2, 0, 0, 0, 'a', 'b' },
    10,
    "s: byte 8: a text without its final zero" },
  { "wstring s", ORRERY_MESSAGE_ENCODING_CDR, { 0, 1, 0, 0, 0, 0, 0, 0 }, 8, "has a wstring" },
  { "std_msgs/Header h",
    ORRERY_MESSAGE_ENCODING_ROS1,
    { 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 'a' },
    13,
    "acme/msg/A: h.frame_id: byte 12: 9 bytes are wanted, 1 are left" },
};

static void
test_hostile (void)
{
  g_test_summary ("lengths that are not there, bounds and rubbish are refused with field and byte");
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autoptr (Fixture) f = fixture_new (hostile[i].text);
    g_autofree guint8 *bytes = g_memdup2 (hostile[i].bytes, hostile[i].n);
    g_autoptr (GError) error = NULL;

    g_assert_false (orrery_message_read (f->type, f->message, hostile[i].encoding, bytes,
                                         hostile[i].n, &error));
    if (error == NULL || strstr (error->message, hostile[i].words) == NULL)
      g_test_fail_printf ("%s: %s", hostile[i].text, error != NULL ? error->message : "no error");
  }
}

/* Control: what is right beside these is taken. */
static void
test_tolerated (void)
{
  static const guint8 padded[] = { 0, 1, 0, 3, 2, 0, 0, 0 };
  static const guint8 no_zero[] = { 0, 1, 0, 0, 0, 0, 0, 0 };
  g_autoptr (Fixture) number = fixture_new ("int8 s");
  g_autoptr (Fixture) text = fixture_new ("string s");

  g_assert_true (orrery_message_read (number->type, number->message, ORRERY_MESSAGE_ENCODING_CDR,
                                      padded, sizeof padded, NULL));
  g_assert_true (orrery_message_read (text->type, text->message, ORRERY_MESSAGE_ENCODING_CDR,
                                      no_zero, sizeof no_zero, NULL));
}

/* A sequence may point at memory of somebody else, which is written and never freed. */
static void
test_borrowed (void)
{
  static float ranges[] = { 1, 2, 3 };
  static const guint8 bytes[] = { 3, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40 };
  g_autoptr (Fixture) f = fixture_new ("float32[] ranges");
  OrreryMessageArray *array = place (f, "ranges");

  *array = (OrreryMessageArray){ ranges, 3, 0 };
  assert_written (f, ORRERY_MESSAGE_ENCODING_ROS1, bytes, sizeof bytes);
  orrery_message_array_resize (array, orrery_message_type_find (f->type, "ranges", NULL, NULL), 4);
  g_assert_true (array->data != ranges && array->room >= 4);
  g_assert_cmpfloat (((float *) array->data)[2], ==, 3);
  g_assert_cmpfloat (((float *) array->data)[3], ==, 0);
}

/* Texts of a borrowed sequence belong to somebody else, who frees them. */
static void
test_borrowed_texts (void)
{
  g_autoptr (Fixture) f = fixture_new ("string[] words");
  OrreryMessageText words[2] = { { NULL } };
  OrreryMessageArray *array = place (f, "words");

  orrery_message_text_set (&words[0], "mine", -1);
  *array = (OrreryMessageArray){ words, 2, 0 };
  orrery_message_array_resize (array, orrery_message_type_find (f->type, "words", NULL, NULL), 3);
  g_assert_cmpuint (((OrreryMessageText *) array->data)[0].length, ==, 0);
  orrery_message_clear (f->type, f->message);
  g_assert_cmpmem (words[0].data, words[0].length, "mine", 4);
  g_free (words[0].data);
}

/* What was read once is read again without new memory, and no longer messages in between do harm.
 */
static void
test_room (void)
{
  static const guint8 shorter[] = { 1, 0, 0, 0, 1, 0, 0, 0, 'x', 0, 0, 0, 0 };
  static const guint8 longer[] = {
    2, 0, 0, 0, 1, 0, 0, 0, 'y', 2, 0, 0, 0, 'z', 'z', 1, 0, 0, 0, 9
  };
  g_autoptr (Fixture) f = fixture_new ("string[] words\nuint8[] bytes\n");
  OrreryMessageArray *words = place (f, "words"), *bytes = place (f, "bytes");
  gpointer data = NULL, byte = NULL, text = NULL;

  for (guint i = 0; i < 3; i++) {
    g_assert_true (orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_ROS1, longer,
                                        sizeof longer, NULL));
    g_assert_true (i == 0 || (words->data == data && bytes->data == byte &&
                              ((OrreryMessageText *) words->data)[1].data == text));
    data = words->data;
    byte = bytes->data;
    text = ((OrreryMessageText *) data)[1].data;
    g_assert_true (orrery_message_read (f->type, f->message, ORRERY_MESSAGE_ENCODING_ROS1, shorter,
                                        sizeof shorter, NULL));
    g_assert_cmpuint (words->length, ==, 1);
    g_assert_cmpuint (bytes->length, ==, 0);
    orrery_message_clear (f->type, f->message);
    g_assert_cmpuint (words->length, ==, 0);
  }
  g_assert_cmpuint (((OrreryMessageText *) resize (f, "words", 2)->data)[1].length, ==, 0);
}

#define DEFAULTS                                                                                   \
  "int32 x -5\nuint8 h 0x10 # sixteen\nbool b True\nfloat32 f .5\nstring s \"a # \\\"b\\\"\" # "   \
  "text\n"                                                                                         \
  "string t plain words\nint16[] list [1, -2]\nstring[<=2] words ['x, y', \"z\"]\n"                \
  "float64[2] pair [0.5, 1]\nbool[] bits [true, 0]\nuint8[] none []\nstring u # no default\n"

/* Each line of a definition, and what JSON shows of an empty message. */
static void
test_defaults (void)
{
  static const char text[] =
      "{\"x\":-5,\"h\":16,\"b\":true,\"f\":0.5,\"s\":\"a # \\\"b\\\"\",\"t\":\"plain words\","
      "\"list\":[1,-2],\"words\":[\"x, y\",\"z\"],\"pair\":[0.5,1.0],\"bits\":[true,false],"
      "\"none\":\"\",\"u\":\"\"}";
  g_autoptr (Fixture) f = fixture_new (DEFAULTS);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length;

  for (guint i = 0; i < 2; i++) {
    orrery_writer_clear (writer);
    g_assert_true (
        orrery_message_write (f->type, f->message, ORRERY_MESSAGE_ENCODING_JSON, writer, NULL));
    g_assert_cmpmem (orrery_writer_get_data (writer, &length), length, text, strlen (text));
    *(gint32 *) place (f, "x") = 0;
    orrery_message_text_set (place (f, "s"), "other", -1);
    resize (f, "words", 1);
    resize (f, "list", 9);
    orrery_message_clear (f->type, f->message);
  }
}

/* Those of messages inside, also of elements; ROS 1 has none. */
static void
test_defaults_inside (void)
{
  g_autoptr (Definitions) definitions = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  const OrreryMessageType *type, *old;
  OrreryMessageArray *list;
  gpointer message;

  definitions_add (definitions, "acme/msg/In.msg", "int32 x 5\n");
  definitions_add (definitions, "acme/msg/Out.msg", "In one\nIn[] list\n");
  catalogue = definitions_open (definitions, NULL);
  type = orrery_message_catalogue_find (catalogue, "acme/Out", ORRERY_MESSAGE_ROS2, NULL);
  message = orrery_message_new (type);
  g_assert_cmpint (*(gint32 *) message, ==, 5);
  list = (OrreryMessageArray *) (gpointer) ((char *) message +
                                            orrery_message_type_find (type, "list", NULL, NULL)
                                                ->offset);
  orrery_message_array_resize (list, orrery_message_type_find (type, "list", NULL, NULL), 2);
  g_assert_cmpint (((gint32 *) list->data)[1], ==, 5);
  orrery_message_free (type, message);

  old = orrery_message_catalogue_find (catalogue, "acme/Out", ORRERY_MESSAGE_ROS1, NULL);
  message = orrery_message_new (old);
  g_assert_cmpint (*(gint32 *) message, ==, 0);
  orrery_message_free (old, message);
}

static void
test_wrong_defaults (void)
{
  static const char *const wrong[][2] = {
    { "int8 x 200",
      "A.msg:1: '200' is no default: acme/msg/A: x: byte 5: 200 is out of the range" },
    { "int8 x y", "'y' is no default" },
    { "bool x 2", "'2' is no default" },
    { "int8[2] x [1]", "a list of 1 where one of 2 is expected" },
    { "int8[] x [1", "'[1' is no default" },
    { "int8[] x 1", "an integer where a list or base64 is expected" },
    { "string<=2 x \"abc\"", "a text of 3 bytes, at most 2 fit" },
    { "string x \"abc\" d", "'d' behind a default" },
    { "std_msgs/Empty x 1", "'x' is a message, which has no default here" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (Definitions) definitions = definitions_new ();
    g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
    g_autoptr (GError) error = NULL;

    definitions_add (definitions, "acme/msg/A.msg", wrong[i][0]);
    catalogue = definitions_open (definitions, NULL);
    g_assert_null (
        orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, &error));
    if (error == NULL || strstr (error->message, wrong[i][1]) == NULL)
      g_test_fail_printf ("%s: %s", wrong[i][0], error != NULL ? error->message : "no error");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/message/encoding/write", test_write);
  g_test_add_func ("/message/encoding/read", test_read);
  g_test_add_func ("/message/encoding/big-endian", test_big_endian);
  g_test_add_func ("/message/encoding/empty", test_empty);
  g_test_add_func ("/message/encoding/truncated", test_truncated);
  g_test_add_func ("/message/encoding/hostile", test_hostile);
  g_test_add_func ("/message/encoding/tolerated", test_tolerated);
  g_test_add_func ("/message/encoding/borrowed", test_borrowed);
  g_test_add_func ("/message/encoding/borrowed-texts", test_borrowed_texts);
  g_test_add_func ("/message/encoding/room", test_room);
  g_test_add_func ("/message/encoding/defaults", test_defaults);
  g_test_add_func ("/message/encoding/defaults-inside", test_defaults_inside);
  g_test_add_func ("/message/encoding/wrong-defaults", test_wrong_defaults);
  return g_test_run ();
}
