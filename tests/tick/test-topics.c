/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Streams whose codec writes messages of several topics. */

#define POST "['probe.topics.Post', 'probe.topics.Letters']"
#define LOOP "['probe.loop.Loop', 'probe.loop.Codec', {}]"

static Stage *
make_stage (const char *streams)
{
  g_autofree char *tables =
      g_strdup_printf ("'component_datastream': {'robot.clock': [%s]},", streams);
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, tables,
                   "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["
                   "{'name': 'clock', 'classpath': 'orrery.sensors.clock.Clock'}]}");

  return stage_new (scene, NULL);
}

static gboolean
listen_to (Stage *stage, int stream, int topic, gboolean on)
{
  g_autofree char *arguments =
      g_strdup_printf ("[<int64 %d>, <int64 %d>, <%s>]", stream, topic, on ? "true" : "false");
  g_autoptr (GVariant) value = stage_call (stage, "post", "listen", arguments);

  return g_variant_get_boolean (value);
}

static void
assert_log (Stage *stage, const char *expected)
{
  g_autoptr (GVariant) log = stage_call (stage, "post", "log", NULL);

  g_assert_cmpstr (g_variant_get_string (log, NULL), ==, expected);
}

static void
test_listening (void)
{
  g_autoptr (Stage) stage = make_stage (POST);

  g_test_summary ("a step writes the topics that somebody listens to, in order, and no other");
  stage_step (stage, 2);
  assert_log (stage, "");
  g_assert_true (listen_to (stage, 0, 1, TRUE));
  stage_step (stage, 2);
  assert_log (stage, "1:0 1:1 |1:0 1:1 |");
  g_assert_true (listen_to (stage, 0, 0, TRUE));
  stage_step (stage, 1);
  assert_log (stage, "0:cdrc 1:0 1:1 |");
  g_assert_true (listen_to (stage, 0, 1, FALSE));
  stage_step (stage, 1);
  assert_log (stage, "0:cdrd |");
  g_assert_false (listen_to (stage, 0, 0, FALSE));
  stage_step (stage, 1);
  assert_log (stage, "");
}

static void
test_declared (void)
{
  g_autoptr (Stage) stage = make_stage (POST);
  g_autoptr (GVariant) topics = stage_call (stage, "post", "topics", NULL);
  g_autofree char *name = orrery_make_topic_name ("robot.001.sensor.001");
  g_autofree char *odd = orrery_make_topic_name ("a b.c-d.4x");

  g_test_summary ("a codec tells its manager names, types and kinds of its topics");
  g_assert_cmpstr (g_variant_get_string (topics, NULL), ==,
                   "letter - 0|/robot/clock - 1|/large std_msgs/msg/String 2|");
  g_assert_cmpstr (name, ==, "/robot001/sensor001");
  g_assert_cmpstr (odd, ==, "/a_b/c_d4x");
}

static void
test_two_streams (void)
{
  g_autoptr (Stage) stage = make_stage (POST ", " POST ", " LOOP);
  g_auto (GStrv) sent = NULL;

  g_test_summary ("streams of one component have listeners of their own, and a plain stream beside "
                  "them gets its record");
  listen_to (stage, 0, 0, TRUE);
  listen_to (stage, 1, 2, TRUE);
  stage_step (stage, 2);
  assert_log (stage, "0:cdra |2:aaaaaaaa |0:cdrb |2:bbbbbbbb |");
  sent = stage_sent (stage, "robot.clock", 0);
  g_assert_cmpuint (g_strv_length (sent), ==, 2);
  if (g_strv_length (sent) == 2)
    g_assert_true (g_str_has_prefix (sent[1], "{\"timestamp\": 0.0"));
}

static void
test_large (void)
{
  g_autoptr (Stage) stage = make_stage (POST ", " LOOP);
  g_autoptr (GVariant) first = NULL;
  g_autoptr (GVariant) second = NULL;

  g_test_summary ("large messages that a transport keeps stay as they were while others are "
                  "written, and their memory is used again");
  listen_to (stage, 0, 2, TRUE);
  stage_step (stage, 5);
  first = stage_call (stage, "post", "check", NULL);
  g_assert_cmpint (g_variant_get_int64 (first), ==, 5);
  stage_step (stage, 26 - 5);
  second = stage_call (stage, "post", "check", NULL);
  g_assert_cmpint (g_variant_get_int64 (second), ==, 26 - 5);
}

static void
test_tick (void)
{
  g_autoptr (Stage) stage = make_stage (POST);
  g_autoptr (GVariant) times = NULL;
  const double *values;
  gsize n;

  g_test_summary ("a manager is told the time of each tick");
  stage_step (stage, 3);
  times = stage_call (stage, "post", "times", NULL);
  values = g_variant_get_fixed_array (times, &n, sizeof (double));
  g_assert_cmpuint (n, ==, 3);
  for (gsize i = 0; i < n; i++)
    assert_near (values[i], (double) (i + 1) / 60, 1e-9);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/topics/listening", test_listening);
  g_test_add_func ("/topics/declared", test_declared);
  g_test_add_func ("/topics/two-streams", test_two_streams);
  g_test_add_func ("/topics/large", test_large);
  g_test_add_func ("/topics/tick", test_tick);
  return g_test_run ();
}
