/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid-trial.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Hybrid worlds, with real processes: the test is started anew for each. */

static const char *const both[] = { "local", "multiprocess" };

#define numbers_new() g_array_new (FALSE, FALSE, sizeof (gint64))

static gint64
get_number (GArray *values, guint i)
{
  return g_array_index (values, gint64, i);
}

static void
test_parallelism (void)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("Another parallelism than the two is an error that names them");
  g_assert_null (orrery_hybrid_new (NULL, "multiproces", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "parallelism: no multiproces; did you mean multiprocess");
  g_clear_error (&error);
  g_assert_null (orrery_hybrid_new (NULL, "", &error));
  g_assert_cmpstr (error->message, ==, "parallelism: no ; there is: local, multiprocess");
}

static void
test_values (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  gboolean local = g_str_equal (data, "local");
  OrreryTransport transports[] = { ORRERY_TRANSPORT_QUEUE, ORRERY_TRANSPORT_LATEST };

  g_test_summary ("Values of a background loop come to a loop in front, in order");
  for (guint i = 0; i < (local ? 1 : 2); i++) {
    HybridTrial trial;
    OrreryChannel *pipe;

    hybrid_trial_init (&trial, NULL, data);
    pipe = hybrid_trial_add_pipe (&trial, "pipe", transports[i]);
    hybrid_trial_add (&trial, "count", pipe, NULL);
    hybrid_trial_add_watch (&trial, pipe, 20, values);
    hybrid_trial_run (&trial);
    g_assert_cmpuint (values->len, >=, 20);
    for (guint k = 1; k < values->len; k++)
      g_assert_cmpint (get_number (values, k), >, get_number (values, k - 1));
    g_array_set_size (values, 0);
    hybrid_trial_clear (&trial);
  }
}

static void
test_where (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  gboolean local = g_str_equal (data, "local");
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("A background loop has a process of its own, unless the world is local");
  hybrid_trial_init (&trial, NULL, data);
  g_assert_cmpint (orrery_hybrid_is_local (trial.world), ==, local);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  g_assert_cmpint (orrery_loop_is_background (hybrid_trial_add (&trial, "sleep", pipe, NULL)), ==,
                   !local);
  hybrid_trial_add_watch (&trial, pipe, 1, values);
  hybrid_trial_run (&trial);
  if (local) {
    g_assert_cmpint (get_number (values, 0), ==, getpid ());
    g_assert_cmpuint (hybrid_trial_count (&trial, "background*"), ==, 0);
  } else {
    g_autoptr (GArray) pids = hybrid_trial_get_pids (&trial);

    g_assert_cmpint (get_number (values, 0), ==, g_array_index (pids, GPid, 0));
    g_assert_cmpint (get_number (values, 0), !=, getpid ());
  }
  hybrid_trial_clear (&trial);
}

static void
assert_said (HybridTrial *trial, guint i, const char *pattern)
{
  const char *text = i < trial->said->len ? g_ptr_array_index (trial->said, i) : "nothing";

  if (!g_pattern_match_simple (pattern, text))
    g_test_message ("%u: %s, expected %s", i, text, pattern);
  g_assert_true (g_pattern_match_simple (pattern, text));
}

static void
test_messages (void)
{
  g_autoptr (GArray) values = numbers_new ();
  OrreryChannel *pipes[2];
  HybridTrial trial;

  g_test_summary ("What is said: start, each process with its transports, stop, release, join");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipes[0] = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_LATEST);
  pipes[1] = hybrid_trial_add_pipe (&trial, "other", ORRERY_TRANSPORT_QUEUE);
  orrery_loop_add_receiver (hybrid_trial_add (&trial, "sleep", pipes[0], NULL), pipes[1]);
  hybrid_trial_add_watch (&trial, pipes[0], 1, values);
  hybrid_trial_run (&trial);
  assert_said (&trial, 0, "world starting");
  assert_said (&trial, 1, "background process started: sleep (process *), latest, queue");
  assert_said (&trial, 2, "stopping: asked to stop");
  assert_said (&trial, 3, "shared memory released");
  assert_said (&trial, 4, "joined: sleep");
  g_assert_cmpuint (trial.said->len, ==, 5);
  hybrid_trial_clear (&trial);
}

static void
test_shared_in_local (void)
{
  g_autoptr (GError) error = NULL;
  HybridTrial trial;

  g_test_summary ("Shared memory in a local hybrid is refused, with the names of all that ask");
  hybrid_trial_init (&trial, NULL, "local");
  hybrid_trial_add_pipe (&trial, "camera", ORRERY_TRANSPORT_LATEST);
  hybrid_trial_add_pipe (&trial, "sonar", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add_pipe (&trial, "lidar", ORRERY_TRANSPORT_LATEST);
  g_assert_false (orrery_hybrid_run (trial.world, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==,
                   "a local hybrid has no shared memory, which camera, lidar ask for: make it "
                   "multiprocess, or the transport queue");
  g_assert_cmpuint (trial.said->len, ==, 0);
  hybrid_trial_clear (&trial);
}

/* --- when loops end --- */

static void
test_end_stops (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("By default the end of a background loop stops the world");
  hybrid_trial_init (&trial, NULL, data);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, "say-pid", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 0, values);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: say-pid ended"), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
run_to_error (const char *parallelism, const char *what, const char *expected)
{
  g_autoptr (GArray) values = numbers_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *stopping = g_strconcat ("stopping: ", expected, NULL);
  HybridTrial trial;
  OrreryChannel *pipe;

  hybrid_trial_init (&trial, NULL, parallelism);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, what, pipe, g_variant_new_string ("step"));
  hybrid_trial_add_watch (&trial, pipe, 0, values);
  g_assert_false (orrery_hybrid_run (trial.world, &error));
  g_assert_nonnull (error);
  if (error != NULL)
    g_assert_cmpstr (error->message, ==, expected);
  g_assert_cmpuint (hybrid_trial_count (&trial, stopping), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_error_stops (void)
{
  g_test_summary ("So does its error, which is that of the run, with its name and cause");
  for (guint i = 0; i < G_N_ELEMENTS (both); i++) {
    run_to_error (both[i], "fail", "fail: the lens fell off");
    run_to_error (both[i], "broken", "broken: no such device");
    run_to_error (both[i], "no-pipe", "no-pipe: no channel pepi to emit into; there is: pipe");
    run_to_error (both[i], "no-command", "no-command: gave a sleep of -1 s; it is 0 to 9.2e9");
  }
  run_to_error ("multiprocess", "leave", "leave: its process exited with status 3");
  run_to_error ("multiprocess", "crash", "crash: its process was killed by SIGKILL (Killed)");
}

static void
test_restart (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  gboolean local = g_str_equal (data, "local");
  HybridTrial trial;
  OrreryChannel *pipe;
  OrreryLoop *loop;

  g_test_summary ("With on_exit restart a loop begins anew, after its end and after errors");
  for (guint i = 0; i < 2; i++) {
    const char *what = i == 0 ? "say-pid" : "fail";

    hybrid_trial_init (&trial, NULL, data);
    pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
    loop = hybrid_trial_add (&trial, what, pipe, NULL);
    orrery_loop_set_on_exit (loop, ORRERY_ON_EXIT_RESTART);
    hybrid_trial_add_watch (&trial, pipe, 4, values);
    hybrid_trial_run (&trial);
    g_assert_cmpuint (hybrid_trial_count (&trial, "* ended; it begins anew in * ms"), >=, 3);
    g_assert_cmpint (hybrid_trial_count (&trial, "failed: fail: the lens fell off") >= 3, ==,
                     i == 1);
    g_assert_cmpint (get_number (values, 0) == get_number (values, 1), ==, local);
    g_array_set_size (values, 0);
    hybrid_trial_clear (&trial);
  }
}

static void
test_ignore (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  HybridTrial trial;
  OrreryChannel *pipe, *other;
  OrreryLoop *loop;

  g_test_summary ("With on_exit ignore the others run on");
  hybrid_trial_init (&trial, NULL, data);
  other = hybrid_trial_add_pipe (&trial, "other", ORRERY_TRANSPORT_QUEUE);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  loop = hybrid_trial_add (&trial, "fail", NULL, NULL);
  orrery_loop_add_emitter (loop, other);
  orrery_loop_set_on_exit (loop, ORRERY_ON_EXIT_IGNORE);
  hybrid_trial_add (&trial, "count", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 50, values);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: asked to stop"), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_all_ended (gconstpointer data)
{
  HybridTrial trial;
  OrreryChannel *pipe;
  OrreryLoop *loop;

  g_test_summary ("A world ends with the last of its loops");
  hybrid_trial_init (&trial, NULL, data);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: all loops have ended"), ==, 1);
  hybrid_trial_clear (&trial);
  hybrid_trial_init (&trial, NULL, data);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  loop = hybrid_trial_add (&trial, "say-pid", pipe, NULL);
  orrery_loop_set_on_exit (loop, ORRERY_ON_EXIT_IGNORE);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: all loops have ended"), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_front_ends (void)
{
  HybridTrial trial;
  OrreryChannel *pipe;
  OrreryLoop *loop;

  g_test_summary ("When all loops in front have ended, those in the background are stopped");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, "sleep", pipe, NULL);
  loop = orrery_hybrid_add_loop (trial.world, "front", hybrid_trial_find ("fail"), NULL);
  g_assert_cmpint (orrery_loop_get_on_exit (loop), ==, ORRERY_ON_EXIT_IGNORE);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "failed: front: *"), ==, 1);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: all loops have ended"), ==, 1);
  g_assert_cmpuint (hybrid_trial_count (&trial, "joined: sleep"), ==, 1);
  hybrid_trial_clear (&trial);
}

/* Before the world lets go of what its loops hold. */
static void
on_release (OrreryHybrid *world, OrreryChannel *pipe)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryEmitter) emitter = orrery_emitter_new (pipe, &error);

  g_assert_no_error (error);
}

static void
test_front_releases (void)
{
  HybridTrial trial;
  OrreryChannel *pipe;
  OrreryLoop *loop;

  g_test_summary ("A loop in front that has ended holds its channels no longer");
  hybrid_trial_init (&trial, NULL, "local");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  g_signal_connect (trial.world, "release", G_CALLBACK (on_release), pipe);
  loop = orrery_hybrid_add_loop (trial.world, "front", hybrid_trial_find ("say-pid"), NULL);
  orrery_loop_add_emitter (loop, pipe);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "front ended"), ==, 1);
  hybrid_trial_clear (&trial);
}

/* --- the stop --- */

static void
test_hang (void)
{
  g_autoptr (GArray) values = numbers_new ();
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("A process that does not end is killed, and that is said");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  orrery_hybrid_set_limit (trial.world, 0.05);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, "hang", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 1, values);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "killed: hang did not end within 0.05 s"), ==, 1);
  g_assert_cmpuint (hybrid_trial_count (&trial, "joined: hang"), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_stop_from_a_loop (gconstpointer data)
{
  g_autoptr (GArray) values = numbers_new ();
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("A loop stops the world from wherever it runs");
  hybrid_trial_init (&trial, NULL, data);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, "stop", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 0, values);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "stopping: asked to stop"), ==, 1);
  hybrid_trial_clear (&trial);
}

static gpointer
stop_later (gpointer data)
{
  orrery_hybrid_stop (data);
  return NULL;
}

static void
test_stop_from_a_thread (void)
{
  HybridTrial trial;
  GThread *thread;
  OrreryChannel *pipe;

  g_test_summary ("So does another thread, at any time");
  for (guint i = 0; i < 20; i++) {
    hybrid_trial_init (&trial, NULL, "multiprocess");
    pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
    hybrid_trial_add (&trial, "sleep", pipe, NULL);
    thread = g_thread_new ("stop", stop_later, trial.world);
    hybrid_trial_run (&trial);
    g_thread_join (thread);
    g_assert_cmpuint (hybrid_trial_count (&trial, "joined: sleep"), ==, 1);
    hybrid_trial_clear (&trial);
  }
}

static void
signal_step (OrreryTask *task, gpointer data, GError **error)
{
  kill (getpid (), GPOINTER_TO_INT (data));
  orrery_task_sleep (task, 1e6);
}

static void
test_signals (void)
{
  const int numbers[] = { SIGINT, SIGTERM };
  const char *const said[] = { "stopping: interrupted", "stopping: terminated" };
  struct sigaction before, after;

  g_test_summary ("A signal stops the run that is asked to heed it, once");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GError) error = NULL;
    HybridTrial trial;
    int number = -1;

    sigaction (numbers[i], NULL, &before);
    hybrid_trial_init (&trial, NULL, "multiprocess");
    hybrid_trial_add (&trial, "sleep",
                      hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE), NULL);
    orrery_hybrid_add_loop_func (trial.world, "signal", signal_step, GINT_TO_POINTER (numbers[i]),
                                 NULL);
    g_assert_true (orrery_hybrid_run_until_signal (trial.world, &number, &error));
    g_assert_no_error (error);
    g_assert_cmpint (number, ==, numbers[i]);
    g_assert_cmpuint (hybrid_trial_count (&trial, said[i]), ==, 1);
    sigaction (numbers[i], NULL, &after);
    g_assert_true (after.sa_handler == before.sa_handler);
    hybrid_trial_clear (&trial);
  }
}

static void
test_main_context (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GArray) values = numbers_new ();
  g_autoptr (GError) error = NULL;
  OrreryChannel *pipe;
  HybridTrial trial;

  g_test_summary ("A world runs in a main loop that has other things to do");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_LATEST);
  hybrid_trial_add (&trial, "count", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 10, values);
  g_signal_connect_swapped (trial.world, "ended", G_CALLBACK (g_main_loop_quit), loop);
  g_assert_true (orrery_hybrid_start (trial.world, NULL, &error));
  g_assert_no_error (error);
  g_main_loop_run (loop);
  g_assert_null (orrery_hybrid_get_error (trial.world));
  g_assert_cmpuint (values->len, >=, 10);
  hybrid_trial_clear (&trial);
}

static void
test_dropped (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) pids = NULL;
  HybridTrial trial;

  g_test_summary ("With a world that is dropped its processes go");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  hybrid_trial_add (&trial, "sleep", hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE),
                    NULL);
  g_assert_true (orrery_hybrid_start (trial.world, NULL, &error));
  pids = hybrid_trial_get_pids (&trial);
  g_clear_object (&trial.world);
  g_assert_cmpint (kill (g_array_index (pids, GPid, 0), 0), ==, -1);
  hybrid_trial_clear (&trial);
}

/* --- what crosses --- */

static void
test_arguments (void)
{
  const gsize sizes[] = { 0, 1, 1000, 300000, 20000000 };

  g_test_summary ("Arguments of any size come to the other process");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree guint8 *bytes = g_malloc0 (sizes[i] + 1);
    g_autoptr (GArray) values = numbers_new ();
    HybridTrial trial;
    OrreryChannel *pipe;

    hybrid_trial_init (&trial, NULL, "multiprocess");
    pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
    hybrid_trial_add (&trial, "measure", pipe,
                      g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, bytes, sizes[i], 1));
    hybrid_trial_add_watch (&trial, pipe, 1, values);
    hybrid_trial_run (&trial);
    g_assert_cmpint (get_number (values, 0), ==, (gint64) sizes[i]);
    hybrid_trial_clear (&trial);
  }
}

static void
test_clock (void)
{
  g_autoptr (OrreryClock) clock = ORRERY_CLOCK (orrery_wall_clock_new (1000.0));
  g_autoptr (OrreryReceiver) receiver = NULL;
  g_autoptr (GArray) values = numbers_new ();
  OrreryTime before = orrery_clock_get_time (clock), time;
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("A background loop goes by the clock of the world, whatever its speed");
  hybrid_trial_init (&trial, clock, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  receiver = orrery_receiver_new (pipe, NULL);
  hybrid_trial_add (&trial, "count", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 3, values);
  hybrid_trial_run (&trial);
  for (guint i = 0; i < 3; i++) {
    orrery_receiver_read (receiver);
    time = orrery_receiver_get_time (receiver);
    g_assert_cmpint (time, >=, before);
    before = time;
  }
  g_assert_cmpint (before, <=, orrery_clock_get_time (clock));
  hybrid_trial_clear (&trial);
}

static void
test_many_pipes (void)
{
  OrreryReceiver *receivers[ORRERY_LOOP_MAX_CHANNELS];
  HybridTrial trial;
  OrreryLoop *loop;

  g_test_summary ("A loop has as many pipes as it may");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  loop = hybrid_trial_add (&trial, "many", NULL, NULL);
  for (guint i = 0; i < ORRERY_LOOP_MAX_CHANNELS; i++) {
    g_autofree char *name = g_strdup_printf ("pipe %u", i);
    OrreryChannel *pipe = hybrid_trial_add_pipe (&trial, name, ORRERY_TRANSPORT_QUEUE);

    orrery_loop_add_emitter (loop, pipe);
    receivers[i] = orrery_receiver_new (pipe, NULL);
  }
  orrery_hybrid_start (trial.world, NULL, NULL);
  g_assert_true (
      orrery_receiver_wait (receivers[ORRERY_LOOP_MAX_CHANNELS - 1], 60 * ORRERY_SECOND));
  for (guint i = 0; i < ORRERY_LOOP_MAX_CHANNELS; i++) {
    g_autoptr (GVariant) value = NULL;

    orrery_receiver_read (receivers[i]);
    value = orrery_receiver_dup_variant (receivers[i]);
    g_assert_cmpint (g_variant_get_int64 (value), ==, i);
    orrery_receiver_unref (receivers[i]);
  }
  hybrid_trial_clear (&trial);
}

/* --- what cannot start --- */

static OrreryNext
unknown (OrreryLoop *loop, gpointer data, GError **error)
{
  return orrery_next_done ();
}

static void
assert_refused (HybridTrial *trial, OrreryError code, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  guint n_fds = hybrid_trial_count_fds ();

  g_assert_false (orrery_hybrid_run (trial->world, &error));
  g_assert_error (error, ORRERY_ERROR, (int) code);
  if (error != NULL && !g_pattern_match_simple (pattern, error->message))
    g_test_message ("%s, expected %s", error->message, pattern);
  g_assert_true (error != NULL && g_pattern_match_simple (pattern, error->message));
  g_assert_cmpuint (hybrid_trial_count_fds (), ==, n_fds);
  hybrid_trial_clear (trial);
}

static void
test_refusals (void)
{
  static const OrreryLoopFuncs stranger = { "stranger", unknown, NULL, NULL };
  const char *const missing[] = { "/nonexistent/program", NULL };
  const char *const wrong[] = { "/bin/false", NULL };
  g_autoptr (OrreryClock) clock = ORRERY_CLOCK (orrery_manual_clock_new (0, FALSE));
  g_autoptr (GError) error = NULL;
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("What cannot start says why, and leaves nothing");
  hybrid_trial_init (&trial, clock, "multiprocess");
  hybrid_trial_add (&trial, "sleep", NULL, NULL);
  assert_refused (&trial, ORRERY_ERROR_INVALID,
                  "*OrreryWallClock; an OrreryManualClock works in one*");

  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "images", ORRERY_TRANSPORT_LOCAL);
  hybrid_trial_add (&trial, "sleep", pipe, NULL);
  g_assert_null (orrery_hybrid_add_channel (trial.world, "images", ORRERY_TRANSPORT_QUEUE, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  assert_refused (&trial, ORRERY_ERROR_INVALID, "sleep: its channel images is local and stays*");

  hybrid_trial_init (&trial, NULL, "multiprocess");
  orrery_hybrid_add_background (trial.world, "odd", &stranger, NULL);
  assert_refused (&trial, ORRERY_ERROR_INVALID,
                  "odd: orrery_loop_main() was not given the functions of stranger*");

  hybrid_trial_init (&trial, NULL, "multiprocess");
  orrery_hybrid_add_background_func (trial.world, "odd", signal_step, NULL, NULL);
  assert_refused (&trial, ORRERY_ERROR_INVALID, "odd: no command was set*");

  hybrid_trial_init (&trial, NULL, "multiprocess");
  hybrid_trial_add (&trial, "sleep", NULL, NULL);
  orrery_hybrid_set_command (trial.world, missing);
  assert_refused (&trial, ORRERY_ERROR_NOT_FOUND,
                  "sleep: /nonexistent/program cannot be run: No such file or directory");

  hybrid_trial_init (&trial, NULL, "multiprocess");
  hybrid_trial_add (&trial, "sleep", NULL, NULL);
  orrery_hybrid_set_command (trial.world, wrong);
  assert_refused (&trial, ORRERY_ERROR_INTERNAL, "sleep: its process exited with status 1");
}

static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  OrreryOnExit on_exit = ORRERY_ON_EXIT_STOP;

  g_test_summary ("on_exit by name");
  g_assert_true (orrery_on_exit_from_name ("restart", &on_exit, NULL));
  g_assert_cmpint (on_exit, ==, ORRERY_ON_EXIT_RESTART);
  g_assert_false (orrery_on_exit_from_name ("reboot", &on_exit, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

static void
test_stranger (void)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("A process that no world started has no loop to take over");
  g_assert_null (orrery_loop_open (1000, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

#define FOR_BOTH(name, function)                                                                   \
  g_test_add_data_func ("/hybrid/local/" name, both[0], function);                                 \
  g_test_add_data_func ("/hybrid/multiprocess/" name, both[1], function)

int
main (int argc, char **argv)
{
  int code;

  if (hybrid_trial_main (argc, argv, &code))
    return code;
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/hybrid/parallelism", test_parallelism);
  g_test_add_func ("/hybrid/names", test_names);
  FOR_BOTH ("values", test_values);
  FOR_BOTH ("where", test_where);
  g_test_add_func ("/hybrid/messages", test_messages);
  g_test_add_func ("/hybrid/shared-in-local", test_shared_in_local);
  FOR_BOTH ("end-stops", test_end_stops);
  g_test_add_func ("/hybrid/error-stops", test_error_stops);
  FOR_BOTH ("restart", test_restart);
  FOR_BOTH ("ignore", test_ignore);
  FOR_BOTH ("all-ended", test_all_ended);
  g_test_add_func ("/hybrid/front-ends", test_front_ends);
  g_test_add_func ("/hybrid/front-releases", test_front_releases);
  g_test_add_func ("/hybrid/hang", test_hang);
  FOR_BOTH ("stop-from-a-loop", test_stop_from_a_loop);
  g_test_add_func ("/hybrid/stop-from-a-thread", test_stop_from_a_thread);
  g_test_add_func ("/hybrid/signals", test_signals);
  g_test_add_func ("/hybrid/main-context", test_main_context);
  g_test_add_func ("/hybrid/dropped", test_dropped);
  g_test_add_func ("/hybrid/arguments", test_arguments);
  g_test_add_func ("/hybrid/clock", test_clock);
  g_test_add_func ("/hybrid/many-pipes", test_many_pipes);
  g_test_add_func ("/hybrid/refusals", test_refusals);
  g_test_add_func ("/hybrid/stranger", test_stranger);
  return g_test_run ();
}
