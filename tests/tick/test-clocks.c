/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

/* Time as robots see it, and time as it is. */

#define ROBOT(name)                                                                                \
  "{'name': '" name "', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                      \
  "{'name': 'clock', 'classpath': 'orrery.sensors.clock.Clock'},"                                  \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose', 'frequency': 10}]}"
#define LOOP "[['probe.loop.Loop', 'probe.loop.Codec', {}]]"
#define START 1000000000
#define STARTED "{'start': 1e9, " STAGE_KINEMATIC "}"

static Stage *
make_stage (void)
{
  g_autofree char *scene =
      stage_scene (STARTED,
                   "'component_modifier': {"
                   "'ahead': [['orrery.modifiers.clock.ClockOffsetModifier', {'offset': 5}]], "
                   "'fast': [['orrery.modifiers.clock.ClockDriftModifier', {'drift': 1e-4}]]}, "
                   "'component_datastream': {'ahead.clock': " LOOP ", 'ahead': " LOOP "},",
                   ROBOT ("right") "," ROBOT ("ahead") "," ROBOT ("fast"));

  return stage_new (scene, NULL);
}

static OrreryTime
stamp (Stage *stage, const char *name)
{
  return orrery_record_get_timestamp (orrery_component_get_record (stage_find (stage, name))) -
         START * ORRERY_SECOND;
}

static OrreryTime
robot_time (Stage *stage, const char *name)
{
  return orrery_robot_get_time (ORRERY_ROBOT (stage_find (stage, name))) - START * ORRERY_SECOND;
}

static void
test_offset_and_drift (void)
{
  g_autoptr (Stage) stage = make_stage ();

  g_test_summary ("one robot is 5 s ahead, one gains 100 ppm: every timestamp shows it");
  for (gint64 second = 1; second <= 100; second++) {
    const OrreryTime now = second * ORRERY_SECOND;
    const OrreryTime fast = now + second * 100000;
    const OrreryTime pose = now - 5 * ORRERY_SECOND / 60;
    g_autoptr (GVariant) told = NULL;

    stage_step (stage, 60);
    g_assert_cmpint (stamp (stage, "right.clock"), ==, now);
    g_assert_cmpint (stamp (stage, "ahead.clock"), ==, now + 5 * ORRERY_SECOND);
    g_assert_cmpint (ABS (stamp (stage, "fast.clock") - fast), <=, 1);
    g_assert_cmpint (robot_time (stage, "ahead"), ==, now + 5 * ORRERY_SECOND);
    /* The last step of 10 Hz was five ticks before the end of the second. */
    g_assert_cmpint (ABS (stamp (stage, "right.pose") - pose), <=, 1);
    g_assert_cmpint (stamp (stage, "ahead.pose"), ==,
                     stamp (stage, "right.pose") + 5 * ORRERY_SECOND);
    g_assert_cmpint (ABS (stamp (stage, "fast.pose") - pose - pose / 10000), <=, 1);
    told = stage_call (stage, "time", "now", NULL);
    g_assert_cmpfloat (g_variant_get_double (told), ==, (double) (START + second));
  }
}

static void
test_messages_show_it (void)
{
  g_autoptr (Stage) stage = make_stage ();
  g_auto (GStrv) sensor = NULL;
  g_auto (GStrv) robot = NULL;

  stage_step (stage, 60);
  sensor = stage_sent (stage, "ahead.clock", 0);
  robot = stage_sent (stage, "ahead", 0);
  g_assert_cmpuint (g_strv_length (sensor), ==, 60);
  g_assert_cmpuint (g_strv_length (robot), ==, 60);
  if (g_strv_length (sensor) == 60 && g_strv_length (robot) == 60) {
    g_assert_cmpstr (sensor[59], ==, "{\"timestamp\": 1000000006.0}");
    g_assert_cmpstr (robot[59], ==, "{\"time\": 1000000006.0}");
  }
}

/* A negative control, and what `sleep` counts in: time as it is. */
static void
test_time_service (void)
{
  g_autoptr (Stage) stage = make_stage ();
  g_autoptr (OrreryCall) sleep = stage_start (stage, "time", "sleep", "[<1.0>]");

  stage_step (stage, 59);
  g_assert_false (orrery_call_is_done (sleep));
  stage_step (stage, 1);
  g_assert_true (orrery_call_is_done (sleep));
  g_assert_cmpint (orrery_call_get_fault (sleep), ==, ORRERY_CALL_OK);
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/tick/clocks/offset-and-drift", test_offset_and_drift);
  g_test_add_func ("/tick/clocks/messages", test_messages_show_it);
  g_test_add_func ("/tick/clocks/time-service", test_time_service);
  return g_test_run ();
}
