/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "message-fixture.h"

/* Where fields lie: as in this struct, which a compiler laid out. */
typedef struct {
  guint8 flag;
  double x;
  OrreryMessageText name;
  gint16 small;
  float six[6];
  OrreryMessageArray list;
  struct {
    gint32 sec;
    guint32 nanosec;
  } stamp;
  gint8 last;
} Laid;

static void
test_layout (void)
{
  g_autoptr (Definitions) definitions = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  g_autoptr (GError) error = NULL;
  const OrreryMessageType *type;
  const OrreryMessageField *fields;
  const gsize offsets[] = { G_STRUCT_OFFSET (Laid, flag),  G_STRUCT_OFFSET (Laid, x),
                            G_STRUCT_OFFSET (Laid, name),  G_STRUCT_OFFSET (Laid, small),
                            G_STRUCT_OFFSET (Laid, six),   G_STRUCT_OFFSET (Laid, list),
                            G_STRUCT_OFFSET (Laid, stamp), G_STRUCT_OFFSET (Laid, last) };
  guint n;

  g_test_summary ("fields lie as a C compiler lays a struct out");
  definitions_add (definitions, "acme/msg/Laid.msg",
                   "bool flag\nfloat64 x\nstring name\nint16 small\nfloat32[6] six\n"
                   "int64[<=4] list\nbuiltin_interfaces/Time stamp\nint8 last\n");
  catalogue = definitions_open (definitions, NULL);
  type = orrery_message_catalogue_find (catalogue, "acme/Laid", ORRERY_MESSAGE_ROS2, &error);
  g_assert_no_error (error);
  fields = orrery_message_type_get_fields (type, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (offsets));
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (fields[i].offset, ==, offsets[i]);
  g_assert_cmpuint (orrery_message_type_get_size (type), ==, sizeof (Laid));
  g_assert_cmpuint (fields[5].count, ==, 4);
  g_assert_cmpint (fields[5].shape, ==, ORRERY_MESSAGE_SEQUENCE);
}

static void
test_paths (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  const OrreryMessageType *type =
      orrery_message_catalogue_find (catalogue, "nav_msgs/msg/Odometry", ORRERY_MESSAGE_ROS2, NULL);
  g_autoptr (GError) error = NULL;
  const OrreryMessageField *field;
  gsize y, x;

  g_test_summary ("a path leads through messages inside; a wrong one names the nearest field");
  field = orrery_message_type_find (type, "pose.pose.position.y", &y, &error);
  g_assert_no_error (error);
  g_assert_cmpint (field->kind, ==, ORRERY_MESSAGE_FLOAT64);
  orrery_message_type_find (type, "pose.pose.position.x", &x, NULL);
  g_assert_cmpuint (y, ==, x + sizeof (double));
  g_assert_null (orrery_message_type_find (type, "pose.pose.positon.x", NULL, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==,
                   "geometry_msgs/msg/Pose has no field 'positon'; did you mean position");
  g_clear_error (&error);
  g_assert_null (orrery_message_type_find (type, "child_frame_id.x", NULL, &error));
  g_assert_nonnull (strstr (error->message, "'child_frame_id' is string"));
}

/* Texts that are wrong, and a part of what is said. */
static const struct {
  const char *text;
  const char *words;
} wrong[] = {
  { "float64", "A.msg:1: 'float64' has no name behind it" },
  { "float64 1x", "A.msg:1: '1x' is no name" },
  { "int8 a\nint8 a", "A.msg:2: 'a' is there twice" },
  { "int8 a=1\nint8 a", "A.msg:2: 'a' is there twice" },
  { "\n\nint8[ a", "A.msg:3: 'int8[': the brackets of a type end it" },
  { "int8[0] a", "A.msg:1: '0' is no number of elements" },
  { "int8[-1] a", "A.msg:1: '-1' is no number of elements" },
  { "int8[<=x] a", "A.msg:1: 'x' is no number of elements" },
  { "int8[99999999999] a", "is no number of elements" },
  { "string<=0 a", "A.msg:1: '0' is no number of elements" },
  { "int8[]=3 a", "brackets" },
  { "int8[] A=3", "A.msg:1: 'int8[]' cannot be a constant" },
  { "std_msgs/Header H=3", "A.msg:1: 'std_msgs/Header' cannot be a constant" },
  { "int8 A=", "A.msg:1: the constant 'A' has no value" },
  { "a/b/c/d x", "A.msg:1: 'a/b/c/d' is no type" },
  { "../B x", "A.msg:1: '../B' is no type" },
  { "acme/Nothing x", "A.msg:1: no type acme/msg/Nothing" },
  { "std_msgs/Heder x", "did you mean std_msgs/msg/Header" },
  { "A x", "A.msg:1: acme/msg/A: is inside itself" },
  { "B x", "B.msg:1: acme/msg/A: is inside itself" },
  { "float64[2000000] a\nfloat64[2000000] b", "A.msg:2: 'b' makes messages of more than" },
  { "int8 a\n---\nint8 b", "A.msg:2: more parts than 1" },
  { "int8 \xff", "A.msg:1: not UTF-8" },
};

static void
test_wrong (void)
{
  g_test_summary ("each mistake is an error that names the file and the line");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (Definitions) definitions = definitions_new ();
    g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
    g_autoptr (GError) error = NULL;

    definitions_add (definitions, "acme/msg/A.msg", wrong[i].text);
    definitions_add (definitions, "acme/msg/B.msg", "A inside");
    catalogue = definitions_open (definitions, NULL);
    g_assert_null (
        orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, &error));
    if (error == NULL || strstr (error->message, wrong[i].words) == NULL)
      g_test_fail_printf ("%s: %s", wrong[i].text, error != NULL ? error->message : "no error");
    /* What failed is not kept half made. */
    g_clear_error (&error);
    g_assert_null (
        orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, &error));
    g_assert_nonnull (error);
  }
}

static void
assert_too_much (const char *text, const char *words)
{
  g_autoptr (Definitions) definitions = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  g_autoptr (GError) error = NULL;

  definitions_add (definitions, "acme/msg/A.msg", text);
  catalogue = definitions_open (definitions, NULL);
  g_assert_null (orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, words) == NULL)
    g_test_fail_printf ("%s: %s", words, error->message);
}

static void
test_limits (void)
{
  g_autofree char *line = g_strnfill (5000, 'x');
  g_autofree char *text = g_strnfill (300 * 1024, '\n');
  g_autoptr (GString) fields = g_string_new (NULL);
  g_autoptr (Definitions) deep = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("files, lines, fields and depth have limits");
  assert_too_much (line, "A.msg:1: a line of more than 4096 bytes");
  assert_too_much (text, "A.msg: ");
  for (guint i = 0; i < 1025; i++)
    g_string_append_printf (fields, "int8 f%u\n", i);
  assert_too_much (fields->str, "A.msg:1025: more than 1024 fields");
  for (guint i = 0; i < 40; i++) {
    g_autofree char *path = g_strdup_printf ("acme/msg/D%u.msg", i);
    g_autofree char *inside = g_strdup_printf (i < 39 ? "D%u x" : "int8 x%u", i + 1);

    definitions_add (deep, path, inside);
  }
  catalogue = definitions_open (deep, NULL);
  g_assert_null (orrery_message_catalogue_find (catalogue, "acme/D0", ORRERY_MESSAGE_ROS2, &error));
  g_assert_nonnull (strstr (error->message, "messages inside messages, 32 deep"));
}

static void
test_names (void)
{
  static const char *const names[] = { "Header",           "a/b/c/d",     "std_msgs/srv/Header",
                                       "../../etc/passwd", "std_msgs/..", "",
                                       "std_msgs/",        "/Header" };
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);

  g_test_summary ("what is no name of a type is refused before any file is looked at");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (
        orrery_message_catalogue_find (catalogue, names[i], ORRERY_MESSAGE_ROS2, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  }
}

static void
test_dialects (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_autoptr (OrreryMessageCatalogue) humble = definitions_open (NULL, "humble");
  const OrreryMessageType *ros1 =
      orrery_message_catalogue_find (catalogue, "std_msgs/Header", ORRERY_MESSAGE_ROS1, NULL);
  const OrreryMessageType *ros2 =
      orrery_message_catalogue_find (catalogue, "std_msgs/Header", ORRERY_MESSAGE_ROS2, NULL);
  const OrreryMessageType *range =
      orrery_message_catalogue_find (catalogue, "sensor_msgs/Range", ORRERY_MESSAGE_ROS2, NULL);
  const OrreryMessageType *old =
      orrery_message_catalogue_find (humble, "sensor_msgs/Range", ORRERY_MESSAGE_ROS2, NULL);
  gsize first, second;

  g_test_summary ("ROS 1, ROS 2 and older distributions have definitions of their own");
  g_assert_nonnull (orrery_message_type_find (ros1, "seq", NULL, NULL));
  g_assert_null (orrery_message_type_find (ros2, "seq", NULL, NULL));
  g_assert_nonnull (orrery_message_type_find (range, "variance", NULL, NULL));
  g_assert_null (orrery_message_type_find (old, "variance", NULL, NULL));
  /* The time is found under one name in both. */
  g_assert_nonnull (orrery_message_type_find (ros1, "stamp.nanosec", &first, NULL));
  g_assert_nonnull (orrery_message_type_find (ros2, "stamp.nanosec", &second, NULL));
  g_assert_cmpuint (first, ==, second + 4);
}

static void
test_order (void)
{
  g_autoptr (Definitions) definitions = definitions_new ();
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  const OrreryMessageType *type;
  g_auto (GStrv) names = NULL;

  g_test_summary ("the first directory counts, and the list has each name once");
  definitions_add (definitions, "std_msgs/msg/String.msg", "int8 mine\n");
  definitions_add (definitions, "acme/srv/Do.srv", "---\n");
  definitions_add (definitions, "acme/msg/not a name.msg", "");
  catalogue = definitions_open (definitions, NULL);
  type = orrery_message_catalogue_find (catalogue, "std_msgs/String", ORRERY_MESSAGE_ROS2, NULL);
  g_assert_nonnull (orrery_message_type_find (type, "mine", NULL, NULL));
  names = orrery_message_catalogue_list (catalogue);
  g_assert_cmpstr (names[0], ==, "acme/srv/Do");
  g_assert_true (g_strv_contains ((const char *const *) names, "std_msgs/msg/String"));
  for (guint i = 1; names[i] != NULL; i++)
    g_assert_cmpstr (names[i - 1], <, names[i]);
}

static void
test_all (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_auto (GStrv) names = orrery_message_catalogue_list (catalogue);

  g_test_summary ("every definition of ours is read, in both dialects");
  for (guint i = 0; names[i] != NULL; i++)
    for (guint dialect = ORRERY_MESSAGE_ROS1; dialect <= ORRERY_MESSAGE_ROS2; dialect++) {
      g_autoptr (GError) error = NULL;

      if (strstr (names[i], "/msg/") != NULL)
        orrery_message_catalogue_find (catalogue, names[i], dialect, &error);
      else if (strstr (names[i], "/srv/") != NULL)
        orrery_message_catalogue_find_service (catalogue, names[i], dialect, &error);
      else
        orrery_message_catalogue_find_action (catalogue, names[i], dialect, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (g_strv_length (names), >, 150);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/message/definitions/layout", test_layout);
  g_test_add_func ("/message/definitions/paths", test_paths);
  g_test_add_func ("/message/definitions/wrong", test_wrong);
  g_test_add_func ("/message/definitions/limits", test_limits);
  g_test_add_func ("/message/definitions/names", test_names);
  g_test_add_func ("/message/definitions/dialects", test_dialects);
  g_test_add_func ("/message/definitions/order", test_order);
  g_test_add_func ("/message/definitions/all", test_all);
  return g_test_run ();
}
