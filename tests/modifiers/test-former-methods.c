/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that name the method of a modifier as configs of MORSE's first releases do. */
#include <orrery-test.h>
#include <string.h>

#define SCENE                                                                                      \
  "'environment': {'seed': 42, 'physics': 'orrery.physics.kinematic.Kinematic', 'properties': "    \
  "{'UTMXOffset': 5}}, 'objects': [{" ORRERY_TEST_ROBOT                                            \
  "'position': [1, 2, 3], 'rotation': [0.1, 0.2, 0.3], 'objects': [{'name': 'sensor', "            \
  "'classpath': 'morse.sensors.pose.Pose'}]}], 'component_modifier': {'robot.sensor': "            \
  "[['morse.modifiers.%s', '%s', {}]]}"

static const struct {
  const char *classpath;
  const char *method;
} taken[] = {
  { "pose_noise.PoseNoiseModifier", "noisify" },
  { "pose_noise.PositionNoiseModifier", "noisify" },
  { "pose_noise.OrientationNoiseModifier", "noisify" },
  { "pose_noise.PoseNoiseModifier", "modify" },
  { "ned.CoordinatesToNED", "blender_to_ned" },
  { "ned.CoordinatesFromNED", "ned_to_blender" },
  { "ned.AnglesToNED", "blender_to_ned" },
  { "ned.AnglesFromNED", "ned_to_blender" },
  { "ned.AnglesFromNED", "modify" },
  { "utm.CoordinatesToUTM", "blender_to_utm" },
  { "utm.CoordinatesFromUTM", "utm_to_blender" },
};

static void
read_record (const char *classpath, const char *word, double out[6])
{
  static const char *const fields[] = { "x", "y", "z", "roll", "pitch", "yaw" };
  g_autofree char *scene = g_strdup_printf (SCENE, classpath, word);
  g_autoptr (OrrerySimulation) sim = orrery_test_load (scene);

  orrery_test_step (sim, 1);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    out[i] = orrery_test_get (sim, "robot.sensor", fields[i]);
}

static void
test_taken (void)
{
  const double truth[] = { 1, 2, 3, 0.1, 0.2, 0.3 };

  g_test_summary ("it is the default method: the record is as with OUT, and not as it was");
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++) {
    double plain[6], named[6];

    g_test_message ("%s %s", taken[i].classpath, taken[i].method);
    read_record (taken[i].classpath, "OUT", plain);
    read_record (taken[i].classpath, taken[i].method, named);
    g_assert_cmpmem (named, sizeof named, plain, sizeof plain);
    g_assert_cmpint (memcmp (named, truth, sizeof named), !=, 0);
  }
}

static void
test_refused (void)
{
  static const char *const wrong[][3] = {
    { "pose_noise.PoseNoiseModifier", "noisy", "has no method 'noisy'; there is: noisify, OUT" },
    { "ned.AnglesToNED", "ned_to_blender",
      "has no method 'ned_to_blender'; there is: blender_to_ned" },
    { "feet.MeterToFeet", "noisify", "has no method 'noisify'" },
  };

  g_test_summary ("a method that the class had not is no method, the way back of another neither");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *scene = g_strdup_printf (SCENE, wrong[i][0], wrong[i][1]);

    orrery_test_refuse (scene, wrong[i][2]);
  }
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/former-methods/taken", test_taken);
  g_test_add_func ("/former-methods/refused", test_refused);
  return g_test_run ();
}
