/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder inside of a simulation: what it costs the tick, and that it changes nothing. */
#include "../allocations.h"
#include <orrery-test.h>

#include <glib/gstdio.h>
#include <unistd.h>

#define RECORDER "orrery.observers.recorder.Recorder"
#define WARM_UP 300
#define WINDOW 300
#define MAX_WINDOWS 20

#define SCENE                                                                                      \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'time_scale': 10}, 'objects': ["                                                                \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}, "                         \
  "{'name': 'pose', 'classpath': 'orrery.sensors.pose.Pose'}, "                                    \
  "{'name': 'odometry', 'classpath': 'orrery.sensors.odometry.Odometry'}]}]"

static char *directory;

static void
record (OrrerySimulation *simulation, const char *file)
{
  g_autofree char *path = g_build_filename (directory, file, NULL);
  g_autoptr (GError) error = NULL;

  orrery_simulation_add_observer (
      simulation, RECORDER,
      g_variant_new_parsed ("{'file': <%s>, 'poses': <60.0>, 'wait': <true>, 'states': <0.0>}",
                            path),
      &error);
  g_assert_no_error (error);
}

static void
run (OrrerySimulation *simulation, guint n)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_run (simulation, n, 0, &error);
  g_assert_no_error (error);
}

/* A sanitizer or memcheck, which is preloaded, has an allocator of its own. */
static gboolean
can_count (void)
{
  return CAN_COUNT && g_getenv ("LD_PRELOAD") == NULL;
}

static guint
count_window (OrrerySimulation *simulation)
{
  n_allocations = 0;
  is_counting = TRUE;
  run (simulation, WINDOW);
  is_counting = FALSE;
  return n_allocations;
}

static void
test_steady (void)
{
  g_autoptr (OrrerySimulation) simulation = NULL;
  guint least = G_MAXUINT;

  g_test_summary ("a tick that is recorded allocates nothing");
  if (!can_count ()) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  simulation = orrery_test_load (SCENE);
  g_assert_nonnull (simulation);
  record (simulation, "steady.mcap");
  run (simulation, WARM_UP);
  for (guint i = 0; i < MAX_WINDOWS && least > 0; i++)
    least = MIN (least, count_window (simulation));
  g_assert_cmpuint (least, ==, 0);
}

/* Messages of a topic, and the time of its last */
static guint
count_messages (const char *file, const char *topic, OrreryTime *last)
{
  g_autofree char *path = g_build_filename (directory, file, NULL);
  const char *const topics[] = { topic, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryRecordingReader) reader = orrery_recording_reader_open (path, &error);
  guint n = 0;

  g_assert_no_error (error);
  g_assert_true (orrery_recording_reader_is_whole (reader));
  orrery_recording_reader_select (reader, topics, 0, -1);
  for (; orrery_recording_reader_next (reader, &error); n++)
    *last = orrery_recording_reader_get_message_time (reader);
  g_assert_no_error (error);
  return n;
}

static void
test_complete (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (SCENE);
  OrreryTime last = 0;

  g_test_summary ("each step of each component is in the file, however fast the run is");
  g_assert_nonnull (simulation);
  record (simulation, "complete.mcap");
  run (simulation, 600);
  g_clear_object (&simulation);
  g_assert_cmpuint (count_messages ("complete.mcap", "/robot/pose", &last), ==, 600);
  g_assert_cmpuint (count_messages ("complete.mcap", "/robot/odometry", &last), ==, 600);
  g_assert_cmpint (last, >, 9 * ORRERY_SECOND);
  g_assert_cmpint (last, <=, 10 * ORRERY_SECOND);
  g_assert_cmpuint (count_messages ("complete.mcap", "/orrery/poses", &last), >=, 10);
}

static void
remove_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    g_remove (path);
  }
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  int status;

  /* GLib's own pools would hide what is allocated from them; it asks once, at the start. */
  if (can_count () && g_setenv ("G_SLICE", "always-malloc", FALSE) &&
      g_getenv ("TRIAL_RECORDER") == NULL) {
    g_setenv ("TRIAL_RECORDER", "1", TRUE);
    execv ("/proc/self/exe", argv);
  }
  orrery_test_init (&argc, &argv);
  directory = g_dir_make_tmp ("orrery-trial-XXXXXX", NULL);
  g_test_add_func ("/recorder/no-allocation", test_steady);
  g_test_add_func ("/recorder/complete", test_complete);
  status = g_test_run ();
  remove_files ();
  g_free (directory);
  return status;
}
