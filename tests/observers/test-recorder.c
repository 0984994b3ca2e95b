/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder inside of a simulation: what it costs the tick, and that it changes nothing. */
#include "../allocations.h"
#include <orrery-test.h>

#include <glib/gstdio.h>
#include <unistd.h>

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

static OrreryObserver *
record (OrrerySimulation *simulation, const char *file)
{
  OrreryObserver *recorder;
  g_autofree char *path = g_build_filename (directory, file, NULL);
  g_autoptr (GError) error = NULL;

  recorder = orrery_simulation_record (simulation, path,
                                       g_variant_new_parsed ("{'poses': <60.0>, 'states': <0.0>}"),
                                       &error);
  g_assert_no_error (error);
  return recorder;
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
test_removed (void)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (SCENE);
  OrreryObserver *recorder = NULL;
  OrreryTime last = 0;

  g_test_summary ("a recorder that is removed has written a whole file, and the run goes on");
  g_assert_nonnull (simulation);
  recorder = record (simulation, "removed.mcap");
  run (simulation, 60);
  g_assert_true (orrery_simulation_remove_observer (simulation, recorder));
  run (simulation, 60);
  g_assert_cmpuint (count_messages ("removed.mcap", "/robot/pose", &last), ==, 60);
}

static void
test_refused (void)
{
  static const struct {
    const char *file, *properties;
    OrreryError code;
    const char *message;
  } cases[] = {
    { "a.mcap", "{'file': <'b.mcap'>}", ORRERY_ERROR_INVALID, "*no property 'file'" },
    { "\xff.mcap", NULL, ORRERY_ERROR_INVALID, "*UTF-8*" },
    { "a.mcap", "{'rat': <1.0>}", ORRERY_ERROR_NOT_FOUND, "*'rat'*did you mean*rate*" },
    { "a.mcap", "{'rate': <-1.0>}", ORRERY_ERROR_INVALID, "*rate*" },
    { "a.mcap", "{'only': <'nobody'>}", ORRERY_ERROR_CONFIG, "*no component 'nobody'*" },
    { "none/a.mcap", NULL, ORRERY_ERROR_IO, "*none/a.mcap*" },
    { "a.mcap", "{'compression': <'zip'>}", ORRERY_ERROR_INVALID, "*zip*" },
  };
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (SCENE);

  g_test_summary ("what cannot be recorded is an error that says why, and the run goes on");
  g_assert_nonnull (simulation);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_build_filename (directory, cases[i].file, NULL);
    GVariant *properties =
        cases[i].properties != NULL ? g_variant_new_parsed (cases[i].properties) : NULL;
    g_autoptr (GError) error = NULL;

    g_assert_null (orrery_simulation_record (simulation, path, properties, &error));
    g_assert_error (error, ORRERY_ERROR, (int) cases[i].code);
    if (!g_pattern_match_simple (cases[i].message, error->message))
      g_test_message ("%s", error->message);
    g_assert_true (g_pattern_match_simple (cases[i].message, error->message));
  }
  run (simulation, 10);
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
  g_test_add_func ("/recorder/removed", test_removed);
  g_test_add_func ("/recorder/refused", test_refused);
  status = g_test_run ();
  remove_files ();
  g_free (directory);
  return status;
}
