/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <glib/gstdio.h>
#include <string.h>

/* Epochs: stretches of simulated time whose times do not compare. */

#define TEXT(codec, file)                                                                          \
  "'component_datastream': {'robot.pose': [['orrery.middleware.text_datastream."                   \
  "TextDatastreamManager', 'orrery.middleware.text_datastream." codec "', {'file': '" file         \
  "'}]]},"
#define ROBOT                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}]}"

static Stage *
make (const char *tables, const char *directory)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, tables, ROBOT);
  g_autoptr (OrreryOptions) options = stage_options ();

  g_object_set (options, "output-dir", directory, NULL);
  return stage_new (scene, options);
}

static gint64
ask (Stage *stage)
{
  g_autoptr (GVariant) answer = stage_call (stage, "simulation", "epoch", NULL);

  g_assert_cmpint (g_variant_get_int64 (answer), ==,
                   (gint64) orrery_simulation_get_epoch (stage->simulation));
  return g_variant_get_int64 (answer);
}

static void
test_counts (void)
{
  g_autoptr (Stage) stage = make ("", NULL);
  g_autofree char *other_text = stage_scene (STAGE_PLAIN, "", ROBOT);
  g_autofree char *other = stage_add_scene (stage, other_text);
  g_autoptr (GBytes) state = NULL;

  g_test_summary ("A reset, a new start, a state and another scene begin an epoch each");
  g_assert_cmpint (ask (stage), ==, 1);
  stage_step (stage, 3);
  state = stage_save (stage);
  orrery_simulation_pause (stage->simulation);
  orrery_simulation_resume (stage->simulation);
  g_assert_cmpint (ask (stage), ==, 1);
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_cmpint (ask (stage), ==, 2);
  stage_step (stage, 3);
  stage_restore (stage, state);
  g_assert_cmpint (ask (stage), ==, 3);
  stage_step (stage, 3);
  g_assert_true (orrery_simulation_stop (stage->simulation, NULL));
  g_assert_true (orrery_simulation_start (stage->simulation, NULL));
  g_assert_cmpint (ask (stage), ==, 4);
  stage_step (stage, 3);
  g_assert_true (orrery_simulation_change_scene (stage->simulation, other, NULL));
  g_assert_cmpint (ask (stage), ==, 5);
}

static void
test_without_ticks (void)
{
  g_autoptr (Stage) stage = make ("", NULL);

  g_test_summary ("Where no tick has run, no time is set back");
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
  g_assert_cmpint (ask (stage), ==, 1);
}

static guint
count (const char *text, const char *words)
{
  guint n = 0;

  for (; (text = strstr (text, words)) != NULL; text++)
    n++;
  return n;
}

static void
test_files (void)
{
  static const char *const tables[] = { TEXT ("Publisher", "out.txt"),
                                        TEXT ("CSVPublisher", "out.txt") };

  g_test_summary ("A text stream begins each epoch with a head of its own, which numbers it");
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autofree char *directory = g_dir_make_tmp ("orrery-epoch-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (directory, "out.txt", NULL);
    g_autofree char *text = NULL;
    Stage *stage = make (tables[i], directory);

    stage_step (stage, 3);
    g_assert_true (orrery_simulation_reset (stage->simulation, NULL));
    stage_step (stage, 3);
    stage_free (stage);
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_true (g_str_has_prefix (text, "ROBOT robot || SENSOR robot.pose\n(distance"));
    g_assert_cmpuint (count (text, "\n\nROBOT robot || SENSOR robot.pose || EPOCH 2\n(distance") +
                          count (text, ";\n\nROBOT robot || SENSOR robot.pose || EPOCH 2\n"),
                      >=, 1);
    g_assert_cmpuint (count (text, "ROBOT"), ==, 2);
    g_remove (path);
    g_rmdir (directory);
  }
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/epoch/counts", test_counts);
  g_test_add_func ("/epoch/without-ticks", test_without_ticks);
  g_test_add_func ("/epoch/files", test_files);
  return g_test_run ();
}
