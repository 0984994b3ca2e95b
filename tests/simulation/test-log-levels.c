/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#include <string.h>

/* How much parts log: by whose name, at which level, and which of several counts. */

#define OBJECTS                                                                                    \
  "{" ORRERY_TEST_ROBOT "'objects': ["                                                             \
  "{'name': 'odo', 'classpath': 'orrery.sensors.odometry.Odometry', 'level': 'raw'},"              \
  "{'name': 'pose', 'classpath': 'morse.sensors.pose.Pose'},"                                      \
  "{'name': 'laser', 'classpath': 'orrery.sensors.hokuyo.Hokuyo'}]},"                              \
  "{'name': 'other', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}"

static char heard[16];  /* a letter per line of who is listened to */
static GString *warned; /* what the host said of names */
static char *fields_seen;
static guint n_seen;

static void
see (const GLogField *fields, gsize n_fields)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (gsize i = 0; i < n_fields; i++)
    if (fields[i].length < 0)
      g_string_append_printf (words, "%s=%s;", fields[i].key, (const char *) fields[i].value);
  g_free (fields_seen);
  fields_seen = g_string_free (g_steal_pointer (&words), FALSE);
}

static GLogWriterOutput
hear (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *text = "";

  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE"))
      text = fields[i].value;
  if (strstr (text, "says ") != NULL) {
    g_assert_cmpuint (n_seen, <, sizeof heard - 1);
    heard[n_seen++] = text[strlen (text) - 1];
    heard[n_seen] = '\0';
    see (fields, n_fields);
  } else if (level & G_LOG_LEVEL_WARNING) {
    g_string_append_printf (warned, "%s\n", text);
  } else if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) {
    return g_log_writer_default (level, fields, n_fields, data);
  }
  return G_LOG_WRITER_HANDLED;
}

/* A letter for each of its lines that was passed on. */
static const char *
listen (OrreryPart *part)
{
  n_seen = 0;
  heard[0] = '\0';
  orrery_part_debug (part, "says %c", 'd');
  orrery_part_info (part, "says %c", 'i');
  orrery_part_message (part, "says %c", 'm');
  orrery_part_warning (part, "says %c", 'w');
  orrery_part_log_in (part, G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "says %c", 'e');
  return heard;
}

static const char *
listen_to (OrrerySimulation *simulation, const char *name)
{
  return listen (ORRERY_PART (orrery_test_find (simulation, name)));
}

static void
set (OrrerySimulation *simulation, const char *name, const char *level)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (orrery_simulation_set_log_level (simulation, name, level, &error));
  g_assert_no_error (error);
}

static void
test_each_level (void)
{
  static const struct {
    const char *level;
    OrreryLogLevel number;
    const char *heard;
  } cases[] = { { "DEBUG", ORRERY_LOG_LEVEL_DEBUG, "dimwe" },
                { "INFO", ORRERY_LOG_LEVEL_INFO, "imwe" },
                { "ENDSECTION", ORRERY_LOG_LEVEL_ENDSECTION, "we" },
                { "SECTION", ORRERY_LOG_LEVEL_SECTION, "we" },
                { "WARNING", ORRERY_LOG_LEVEL_WARNING, "we" },
                { "ERROR", ORRERY_LOG_LEVEL_ERROR, "e" },
                { "CRITICAL", ORRERY_LOG_LEVEL_CRITICAL, "" },
                { "info", ORRERY_LOG_LEVEL_INFO, "imwe" } };
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
  OrreryPart *odo = ORRERY_PART (orrery_test_find (simulation, "robot.odo"));

  g_assert_cmpstr (listen (odo), ==, "imwe");
  g_assert_cmpint (orrery_part_get_log_level (odo), ==, ORRERY_LOG_LEVEL_UNSET);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    set (simulation, "robot.odo", cases[i].level);
    g_assert_cmpint (orrery_part_get_log_level (odo), ==, cases[i].number);
    g_assert_cmpstr (listen (odo), ==, cases[i].heard);
    g_assert_cmpint (orrery_part_is_logged (odo, ORRERY_LOG_LEVEL_INFO), ==,
                     strchr (cases[i].heard, 'i') != NULL);
    g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "imwe");
  }
  g_assert_cmpstr (warned->str, ==, "");
}

static void
test_names (void)
{
  static const struct {
    const char *name;
    const char *who; /* of odo, pose, laser, other.pose */
  } cases[] = {
    { "robot.odo", "g..." },
    { "robot", "gpl." },
    { "robot.pose", ".p.." },
    { "other.pose", "...o" },
    { "orrery.sensors.pose.Pose", ".p.o" },
    { "morse.sensors.pose.Pose", ".p.o" },
    { "sensors.pose.Pose", ".p.o" },
    { "Pose", ".p.o" },
    { "morse.sensors.pose", ".p.o" },
    { "sensors.odometry", "g..." },
    { "orrery.sensors", "gplo" },
    { "sensors", "gplo" },
    { "RawOdometry", "g..." },
    { "Odometry", "g..." },
    { "Hokuyo", "..l." },
    { "LaserScanner", "..l." },
    { "morse.sensors.laserscanner", "..l." },
    { "morse", "gplo" },
    { "orrery", "gplo" },
  };
  static const char *const names[] = { "robot.odo", "robot.pose", "robot.laser", "other.pose" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
    char who[5] = "gplo";

    set (simulation, cases[i].name, "ERROR");
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      if (!g_str_equal (listen_to (simulation, names[k]), "e"))
        who[k] = '.';
    if (!g_str_equal (who, cases[i].who))
      g_test_message ("%s", cases[i].name);
    g_assert_cmpstr (who, ==, cases[i].who);
  }
  g_assert_cmpstr (warned->str, ==, "");
}

/* Pieces of names that are no whole words, and other cases. */
static void
test_unknown (void)
{
  static const struct {
    const char *name;
    const char *said;
  } cases[] = {
    { "robot.od",
      "set_log_level: no part or class has the name 'robot.od'; did you mean robot.odo*" },
    { "Poze", "set_log_level: no part or class has the name 'Poze'; did you mean Pose\n" },
    { "morse.sensors.poze.Pose",
      "set_log_level: no part or class has the name 'morse.sensors.poze.Pose'; did you mean "
      "sensors.pose.Pose\n" },
    { "senso", "set_log_level: no part or class has the name 'senso'*" },
    { "pose", "set_log_level: no part or class has the name 'pose'*" },
    { "", "set_log_level: no part or class has the name ''*" },
  };
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_string_truncate (warned, 0);
    set (simulation, cases[i].name, "CRITICAL");
    if (!g_pattern_match_simple (cases[i].said, warned->str))
      g_assert_cmpstr (warned->str, ==, cases[i].said);
    g_assert_cmpstr (listen_to (simulation, "robot.odo"), ==, "imwe");
    g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "imwe");
  }
  g_string_truncate (warned, 0);
  g_assert_false (orrery_simulation_set_log_level (simulation, "robot.odo", "WARN", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "no log level 'WARN'; did you mean WARNING"));
  g_assert_cmpstr (listen_to (simulation, "robot.odo"), ==, "imwe");
}

/* The closest name counts, whatever was set last; of one name the last. */
static void
test_precedence (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));

  set (simulation, "robot.pose", "DEBUG");
  set (simulation, "robot", "INFO");
  set (simulation, "Pose", "WARNING");
  set (simulation, "morse.sensors.pose", "ERROR");
  set (simulation, "sensors", "CRITICAL");
  set (simulation, "morse", "DEBUG");
  g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "dimwe");
  g_assert_cmpstr (listen_to (simulation, "robot.odo"), ==, "imwe");
  g_assert_cmpstr (listen_to (simulation, "other.pose"), ==, "we");
  g_assert_cmpstr (listen_to (simulation, "other"), ==, "dimwe");
  set (simulation, "Pose", "CRITICAL");
  g_assert_cmpstr (listen_to (simulation, "other.pose"), ==, "");
  /* Another spelling of the same. */
  set (simulation, "orrery.sensors.pose.Pose", "INFO");
  g_assert_cmpstr (listen_to (simulation, "other.pose"), ==, "imwe");
  /* A level is closer to itself than what it is a level of. */
  set (simulation, "robot", "ERROR");
  g_assert_cmpstr (listen_to (simulation, "robot.odo"), ==, "e");
  g_assert_cmpstr (warned->str, ==, "");
}

static void
test_scene (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (
      "'log_levels': {'Odometry': 'ERROR', 'robot.laser': 'debug', 'robot.lazer': "
      "'INFO'}, " ORRERY_TEST_KINEMATIC (OBJECTS));

  g_assert_cmpstr (listen_to (simulation, "robot.odo"), ==, "e");
  g_assert_cmpstr (listen_to (simulation, "robot.laser"), ==, "dimwe");
  g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "imwe");
  g_assert_nonnull (strstr (warned->str, "scene.json:1:"));
  g_assert_nonnull (
      strstr (warned->str,
              "log_levels: no part or class has the name 'robot.lazer'; did you mean robot.laser"));
  g_string_truncate (warned, 0);
}

static void
test_fields (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
  OrreryPart *pose = ORRERY_PART (orrery_test_find (simulation, "robot.pose"));

  orrery_part_warning (pose, "says w");
  g_assert_cmpstr (fields_seen, ==,
                   "MESSAGE=robot.pose: says w;PRIORITY=4;ORRERY_PART=robot.pose;"
                   "ORRERY_CLASS=orrery.sensors.pose.Pose;");
  set (simulation, "robot", "DEBUG");
  n_seen = 0;
  orrery_part_log_plain_in (pose, "trial", G_LOG_LEVEL_DEBUG, "one says d");
  g_assert_cmpstr (fields_seen, ==,
                   "MESSAGE=one says d;PRIORITY=7;GLIB_DOMAIN=trial;ORRERY_PART=robot.pose;"
                   "ORRERY_CLASS=orrery.sensors.pose.Pose;ORRERY_ASKED=1;");
  n_seen = 0;
  orrery_part_log (pose, ORRERY_LOG_LEVEL_INFO, "says %s");
  g_assert_cmpstr (fields_seen, ==,
                   "MESSAGE=robot.pose: says %s;PRIORITY=6;GLIB_DOMAIN=orrery;"
                   "ORRERY_PART=robot.pose;ORRERY_CLASS=orrery.sensors.pose.Pose;ORRERY_ASKED=1;");
}

/* A reset changes nothing of it; the part outlives the simulation. */
static void
test_life (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
  g_autoptr (OrreryPart) pose =
      ORRERY_PART (g_object_ref (orrery_test_find (simulation, "robot.pose")));
  g_autoptr (GError) error = NULL;

  set (simulation, "Pose", "ERROR");
  orrery_test_step (simulation, 2);
  g_assert_true (orrery_simulation_reset (simulation, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (listen (pose), ==, "e");
  g_clear_object (&simulation);
  g_assert_cmpstr (listen (pose), ==, "e");
}

/* Names come from clients: they may not fill the memory. */
static void
test_many (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (ORRERY_TEST_KINEMATIC (OBJECTS));
  g_autofree char *long_name = g_strnfill (1001, 'x');
  g_autoptr (GError) error = NULL;

  g_assert_false (orrery_simulation_set_log_level (simulation, long_name, "INFO", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  set (simulation, "robot.pose", "ERROR");
  for (guint i = 1; i < 1000; i++) {
    g_autofree char *name = g_strdup_printf ("nobody%u", i);

    set (simulation, name, "INFO");
  }
  g_assert_false (orrery_simulation_set_log_level (simulation, "robot", "INFO", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "e");
  set (simulation, "robot.pose", "DEBUG");
  g_assert_cmpstr (listen_to (simulation, "robot.pose"), ==, "dimwe");
  g_string_truncate (warned, 0);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  warned = g_string_new (NULL);
  g_log_set_writer_func (hear, NULL, NULL);
  g_test_summary ("Levels of the log by names of parts and classes.");
  g_test_add_func ("/simulation/log-levels/each", test_each_level);
  g_test_add_func ("/simulation/log-levels/names", test_names);
  g_test_add_func ("/simulation/log-levels/unknown", test_unknown);
  g_test_add_func ("/simulation/log-levels/precedence", test_precedence);
  g_test_add_func ("/simulation/log-levels/scene", test_scene);
  g_test_add_func ("/simulation/log-levels/fields", test_fields);
  g_test_add_func ("/simulation/log-levels/life", test_life);
  g_test_add_func ("/simulation/log-levels/many", test_many);
  result = g_test_run ();
  g_string_free (warned, TRUE);
  g_free (fields_seen);
  return result;
}
