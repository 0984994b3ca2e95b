/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "message-fixture.h"

static void
check_sum (OrreryMessageCatalogue *catalogue, const char *name, OrreryMessageDialect dialect,
           const char *expected)
{
  g_autoptr (GError) error = NULL;
  const OrreryMessageType *type;

  if (g_str_equal (expected, "-"))
    return;
  type = orrery_message_catalogue_find (catalogue, name, dialect, &error);
  g_assert_no_error (error);
  if (type == NULL)
    return;
  if (dialect == ORRERY_MESSAGE_ROS1 && !g_str_equal (orrery_message_type_get_md5 (type), expected))
    g_test_fail_printf ("%s: md5 sum %s, elsewhere %s", name, orrery_message_type_get_md5 (type),
                        expected);
  if (dialect == ORRERY_MESSAGE_ROS2 &&
      !g_str_equal (orrery_message_type_get_hash (type) + strlen ("RIHS01_"), expected))
    g_test_fail_printf ("%s: hash %s, elsewhere %s", name, orrery_message_type_get_hash (type),
                        expected);
}

static void
test_known (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_autofree char *path =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "tests", "message", "sums.txt", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_test_summary ("our types have the sums and hashes that other installations have");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);

    if (*lines[i] == '\0' || *lines[i] == '#' || strstr (words[0], "/msg/") == NULL)
      continue;
    check_sum (catalogue, words[0], ORRERY_MESSAGE_ROS1, words[1]);
    check_sum (catalogue, words[0], ORRERY_MESSAGE_ROS2, words[2]);
    n++;
  }
  g_assert_cmpuint (n, >, 50);
}

static void
test_services (void)
{
  static const char *const sums[][2] = {
    { "std_srvs/SetBool", "09fb03525b03e7ea1fd3992bafd87e16" },
    { "std_srvs/srv/Trigger", "937c9679a518e3a18d831e57125ea522" },
    { "std_srvs/Empty", "d41d8cd98f00b204e9800998ecf8427e" },
    { "nav_msgs/GetMap", "6cdd0a18e0aff5b0a3ca2326a89b54ff" },
  };
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);

  g_test_summary ("the sum of a service is that of both parts");
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++) {
    g_autoptr (GError) error = NULL;
    const OrreryMessageService *service =
        orrery_message_catalogue_find_service (catalogue, sums[i][0], ORRERY_MESSAGE_ROS1, &error);

    g_assert_no_error (error);
    if (service != NULL)
      g_assert_cmpstr (service->md5, ==, sums[i][1]);
  }
}

static void
test_actions (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_autoptr (GError) error = NULL;
  const OrreryMessageAction *action =
      orrery_message_catalogue_find_action (catalogue, "move_base_msgs/MoveBase",
                                            ORRERY_MESSAGE_ROS1, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (orrery_message_type_get_md5 (action->goal), ==,
                   "257d089627d7eb7136c24d3593d05a16");
  g_assert_cmpstr (orrery_message_type_get_md5 (action->result), ==,
                   "d41d8cd98f00b204e9800998ecf8427e");
  g_assert_cmpstr (orrery_message_type_get_md5 (action->feedback), ==,
                   "3fb824c456a757373a226f6d08071bf0");
  g_assert_cmpstr (orrery_message_type_get_name (action->goal), ==,
                   "move_base_msgs/action/MoveBase_Goal");
}

static void
test_messages_of_actions (void)
{
  static const char *const sums[][2] = {
    { "move_base_msgs/MoveBaseGoal", "257d089627d7eb7136c24d3593d05a16" },
    { "move_base_msgs/MoveBaseActionGoal", "660d6895a1b9a16dce51fbdd9a64a56b" },
    { "move_base_msgs/MoveBaseActionResult", "1eb06eeff08fa7ea874431638cb52332" },
    { "move_base_msgs/MoveBaseActionFeedback", "7d1870ff6e0decea702b943b5af0b42e" },
    { "move_base_msgs/MoveBaseAction", "70b6aca7c7f7746d8d1609ad94c80bb8" },
  };
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("ROS 1 derives messages from an action; ROS 2 does not");
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++) {
    const OrreryMessageType *type =
        orrery_message_catalogue_find (catalogue, sums[i][0], ORRERY_MESSAGE_ROS1, &error);

    g_assert_no_error (error);
    g_assert_cmpstr (orrery_message_type_get_md5 (type), ==, sums[i][1]);
  }
  g_assert_null (orrery_message_catalogue_find (catalogue, "move_base_msgs/MoveBaseActionGoal",
                                                ORRERY_MESSAGE_ROS2, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (orrery_message_catalogue_find (catalogue, "move_base_msgs/NoneActionGoal",
                                                ORRERY_MESSAGE_ROS1, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
}

/* Control: whatever changes what is on the wire changes both. */
static void
test_changes (void)
{
  static const char *const texts[] = {
    "float64 x\nfloat64 y\n",   "float64 y\nfloat64 x\n",          "float32 x\nfloat64 y\n",
    "float64 x\nfloat64[] y\n", "float64 x\nfloat64[2] y\n",       "float64 x\nfloat64[3] y\n",
    "float64 x\nfloat64 z\n",   "float64 x\nstd_msgs/Float64 y\n",
  };
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (Definitions) definitions = definitions_new ();
    g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
    const OrreryMessageType *type;

    definitions_add (definitions, "acme/msg/A.msg", texts[i]);
    catalogue = definitions_open (definitions, NULL);
    type = orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, NULL);
    g_assert_true (g_hash_table_add (seen, g_strdup (orrery_message_type_get_md5 (type))));
    g_assert_true (g_hash_table_add (seen, g_strdup (orrery_message_type_get_hash (type))));
  }
}

/* Comments, blanks and defaults are no part of a type. */
static void
test_same (void)
{
  static const char *const texts[] = {
    "float64 x\nuint8 A=1\nstring s\n",
    "# words\n\n  float64   x # metres\nuint8  A = 1 # one\nstring s\n",
    "float64 x 1.5\nuint8 A=1\nstring s \"a # b\"\n",
  };
  g_autofree char *md5 = NULL;
  g_autofree char *hash = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (Definitions) definitions = definitions_new ();
    g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
    const OrreryMessageType *type;

    definitions_add (definitions, "acme/msg/A.msg", texts[i]);
    catalogue = definitions_open (definitions, NULL);
    type = orrery_message_catalogue_find (catalogue, "acme/A", ORRERY_MESSAGE_ROS2, NULL);
    if (i == 0) {
      md5 = g_strdup (orrery_message_type_get_md5 (type));
      hash = g_strdup (orrery_message_type_get_hash (type));
    }
    g_assert_cmpstr (orrery_message_type_get_md5 (type), ==, md5);
    g_assert_cmpstr (orrery_message_type_get_hash (type), ==, hash);
  }
}

static void
test_text (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  const OrreryMessageType *type =
      orrery_message_catalogue_find (catalogue, "geometry_msgs/PointStamped", ORRERY_MESSAGE_ROS1,
                                     NULL);

  g_test_summary ("a text holds the types inside, as ROS 1 spells them");
  g_assert_cmpstr (
      orrery_message_type_get_definition (type), ==,
      "std_msgs/Header header\n"
      "geometry_msgs/Point point\n"
      "================================================================================"
      "\nMSG: std_msgs/Header\n"
      "uint32 seq\n"
      "time stamp\n"
      "string frame_id\n"
      "================================================================================"
      "\nMSG: geometry_msgs/Point\n"
      "float64 x\n"
      "float64 y\n"
      "float64 z\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/message/sums/known", test_known);
  g_test_add_func ("/message/sums/services", test_services);
  g_test_add_func ("/message/sums/actions", test_actions);
  g_test_add_func ("/message/sums/messages-of-actions", test_messages_of_actions);
  g_test_add_func ("/message/sums/changes", test_changes);
  g_test_add_func ("/message/sums/same", test_same);
  g_test_add_func ("/message/sums/text", test_text);
  return g_test_run ();
}
