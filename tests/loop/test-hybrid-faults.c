/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "hybrid-trial.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Hybrid worlds of which something is killed, stopped, or used up. */

#define MARK "ORRERY_TRIAL_MARK"
/* What hangs ends the test, and so fails it. */
#define WATCHDOG_SECONDS 600

static const char *program;

static guint
get_n_kills (void)
{
  return g_test_slow () ? 200 : 20;
}

#define numbers_new() g_array_new (FALSE, FALSE, sizeof (gint64))

/* --- hosts, run as other processes --- */

typedef struct {
  HybridTrial trial;
  guint n;    /* messages so far */
  guint last; /* dies with this one; 0: with none */
} Host;

static gboolean
count_message (OrreryHybrid *world, const char *text, Host *host)
{
  if (++host->n == host->last)
    kill (getpid (), SIGKILL);
  return FALSE;
}

/* @n: values after which it stops; 0: never */
static int
run_host (guint last, guint n)
{
  g_autoptr (GArray) values = numbers_new ();
  Host host = { .last = last };
  OrreryChannel *pipe, *other;
  OrreryLoop *loop;
  int number;

  hybrid_trial_init (&host.trial, NULL, "multiprocess");
  g_signal_connect (host.trial.world, "message", G_CALLBACK (count_message), &host);
  pipe = hybrid_trial_add_pipe (&host.trial, "pipe", ORRERY_TRANSPORT_LATEST);
  other = hybrid_trial_add_pipe (&host.trial, "other", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&host.trial, "count", pipe, NULL);
  hybrid_trial_add (&host.trial, "rest", other, NULL);
  /* Comes and goes. */
  loop = hybrid_trial_add (&host.trial, "fail", NULL, NULL);
  orrery_loop_set_on_exit (loop, ORRERY_ON_EXIT_RESTART);
  hybrid_trial_add (&host.trial, "hang", NULL, NULL);
  hybrid_trial_add_watch (&host.trial, pipe, n, values);
  orrery_hybrid_set_limit (host.trial.world, 0.02);
  if (!orrery_hybrid_run_until_signal (host.trial.world, &number, NULL))
    return 1;
  hybrid_trial_clear (&host.trial);
  return 0;
}

static int
run_memfd_refused (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = { G_N_ELEMENTS (code), code };
  g_autoptr (GError) error = NULL;
  HybridTrial trial;
  gboolean ran;

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    return 77;
  hybrid_trial_init (&trial, NULL, "multiprocess");
  if (orrery_hybrid_add_pipe (trial.world, "camera", ORRERY_TRANSPORT_LATEST, &error) != NULL ||
      !g_str_has_prefix (error->message, "camera: cannot make shared memory: "))
    return 1;
  g_clear_error (&error);
  hybrid_trial_add (&trial, "sleep", NULL, NULL);
  if (orrery_hybrid_run (trial.world, &error) ||
      !g_str_has_prefix (error->message, "sleep: cannot make shared memory: "))
    return 2;
  hybrid_trial_clear (&trial);
  /* What needs none is there. */
  hybrid_trial_init (&trial, NULL, "local");
  hybrid_trial_add (&trial, "say-pid",
                    hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE), NULL);
  ran = orrery_hybrid_run (trial.world, NULL);
  hybrid_trial_clear (&trial);
  return ran ? 0 : 3;
}

static gboolean
is_other (int argc, char **argv, int *code)
{
  if (hybrid_trial_main (argc, argv, code))
    return TRUE;
  if (argc == 4 && strcmp (argv[1], "--host") == 0)
    *code = run_host ((guint) atoi (argv[2]), (guint) atoi (argv[3]));
  else if (argc == 2 && strcmp (argv[1], "--memfd-refused") == 0)
    *code = run_memfd_refused ();
  else
    return FALSE;
  return TRUE;
}

static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

/* Started with a mark that its own processes inherit, in a group of its own. */
static pid_t
spawn (const char *mark, const char *const *arguments)
{
  g_auto (GStrv) variables = g_environ_setenv (g_get_environ (), MARK, mark, TRUE);
  g_autoptr (GError) error = NULL;
  GPid pid = 0;

  g_spawn_async (NULL, (char **) arguments, variables, G_SPAWN_DO_NOT_REAP_CHILD, lead_group, NULL,
                 &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static pid_t
spawn_host (const char *mark, guint last, guint n)
{
  g_autofree char *last_text = g_strdup_printf ("%u", last);
  g_autofree char *n_text = g_strdup_printf ("%u", n);

  return spawn (mark, (const char *const[]){ program, "--host", last_text, n_text, NULL });
}

static char *
mark_new (void)
{
  static guint n;

  return g_strdup_printf ("%d-%u-mark", getpid (), n++);
}

/* Orphans are this test's: waits for the end of every process. Returns: status of @pid */
static int
wait_for_all (pid_t pid)
{
  int status, of_pid = -1;
  pid_t ended;

  while ((ended = TEMP_FAILURE_RETRY (waitpid (-1, &status, 0))) > 0)
    if (ended == pid)
      of_pid = status;
  g_assert_cmpint (errno, ==, ECHILD);
  return of_pid;
}

static void
assert_nothing_left (const char *mark)
{
  g_autofree char *names = hybrid_trial_list_shm ();

  g_assert_cmpuint (hybrid_trial_count_processes (mark), ==, 0);
  g_assert_cmpstr (names, ==, "");
}

static void
test_dead_host_steps (void)
{
  g_test_summary ("A host dies with each of its messages; its processes die with it");
  for (guint last = 1; last <= 15; last++) {
    g_autofree char *mark = mark_new ();

    wait_for_all (spawn_host (mark, last, 3));
    assert_nothing_left (mark);
  }
}

static void
test_dead_hosts (void)
{
  g_test_summary ("The same at any moment");
  for (guint i = 0; i < get_n_kills (); i++) {
    g_autofree char *mark = mark_new ();
    pid_t pid = spawn_host (mark, 0, 0);

    g_usleep ((gulong) g_test_rand_int_range (0, 60000));
    kill (pid, SIGKILL);
    g_assert_cmpint (WTERMSIG (wait_for_all (pid)), ==, SIGKILL);
    assert_nothing_left (mark);
  }
}

/* While the mark is there at all, the count is not 0: a control for what says that it is. */
static void
test_control (void)
{
  g_autofree char *mark = mark_new ();
  pid_t pid = spawn_host (mark, 0, 0);

  g_test_summary ("Control: processes that are there are counted, and stopped ones die too");
  while (hybrid_trial_count_processes (mark) < 4)
    g_usleep (1000);
  kill (pid, SIGSTOP);
  /* One of them comes and goes. */
  g_assert_cmpuint (hybrid_trial_count_processes (mark), >=, 3);
  kill (pid, SIGKILL);
  wait_for_all (pid);
  assert_nothing_left (mark);
}

static void
test_two_hosts (void)
{
  g_autofree char *mark = mark_new ();
  pid_t pids[2] = { spawn_host (mark, 0, 50), spawn_host (mark, 0, 50) };
  int status;

  g_test_summary ("Two hosts at once know nothing of each other");
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpint (TEMP_FAILURE_RETRY (waitpid (pids[i], &status, 0)), ==, pids[i]);
    g_assert_true (WIFEXITED (status));
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  }
  wait_for_all (0);
  assert_nothing_left (mark);
}

static void
test_memfd_refused (void)
{
  g_autofree char *mark = mark_new ();
  int status =
      wait_for_all (spawn (mark, (const char *const[]){ program, "--memfd-refused", NULL }));

  g_test_summary ("Where shared memory is refused, that is an error; what needs none runs");
  if (WEXITSTATUS (status) == 77) {
    g_test_skip ("no seccomp here");
    return;
  }
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

/* --- one signal to a whole group --- */

static void
test_interrupts (void)
{
  guint n = g_test_slow () ? 50 : 20;

  g_test_summary ("Ctrl-C to all at any moment: one clean stop, nothing left");
#ifdef __SANITIZE_THREAD__
  g_test_skip ("the thread sanitizer keeps signals until somebody calls it");
  return;
#endif
  for (guint i = 0; i < n; i++) {
    g_autofree char *mark = mark_new ();
    pid_t pid = spawn_host (mark, 0, 0);
    int status;

    /* From when its processes begin to be there. */
    while (hybrid_trial_count_processes (mark) < 2)
      g_usleep (100);
    g_usleep ((gulong) g_test_rand_int_range (0, 30000));
    kill (-pid, SIGINT);
    status = wait_for_all (pid);
    g_assert_true (WIFEXITED (status));
    g_assert_cmpint (WEXITSTATUS (status), ==, 0);
    assert_nothing_left (mark);
  }
}

/* --- background processes --- */

typedef struct {
  HybridTrial *trial;
  OrreryLoop *loop;
  gulong delay; /* us */
  gboolean slept;
  gboolean killed;
  gboolean stops;
  int signal;
} Killer;

static pid_t
get_pid (HybridTrial *trial)
{
  g_autoptr (GArray) pids = hybrid_trial_get_pids (trial);

  return g_array_index (pids, GPid, 0);
}

/* In front: kills the first process, waits for values of the second, stops the world. */
static void
kill_first (OrreryTask *task, gpointer data, GError **error)
{
  Killer *killer = data;
  OrreryReceiver *receiver = orrery_loop_find_receiver (killer->loop, "pipe", error);

  orrery_task_sleep (task, 0.001);
  if (!killer->slept) {
    killer->slept = TRUE;
    orrery_task_sleep (task, (double) killer->delay * 1e-6);
    return;
  }
  if (!killer->killed) {
    killer->killed = TRUE;
    kill (get_pid (killer->trial), killer->signal);
    if (killer->stops)
      orrery_loop_stop (killer->loop);
  }
  if (hybrid_trial_count (killer->trial, "background process started: *") < 2)
    while (orrery_receiver_read (receiver) == ORRERY_READING_FRESH)
      continue;
  else if (orrery_receiver_read (receiver) == ORRERY_READING_FRESH)
    orrery_loop_stop (killer->loop);
}

static void
run_killer (OrreryTransport transport, gulong delay, int signal, gboolean stops)
{
  HybridTrial trial;
  Killer killer = { .trial = &trial, .delay = delay, .signal = signal, .stops = stops };
  OrreryChannel *pipe;

  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", transport);
  orrery_loop_set_on_exit (hybrid_trial_add (&trial, "count", pipe, NULL), ORRERY_ON_EXIT_RESTART);
  killer.loop = orrery_hybrid_add_loop_func (trial.world, "killer", kill_first, &killer, NULL);
  orrery_loop_set_on_exit (killer.loop, ORRERY_ON_EXIT_STOP);
  orrery_loop_add_receiver (killer.loop, pipe);
  if (signal == SIGSTOP)
    orrery_hybrid_set_limit (trial.world, 0.02);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "joined: count"), ==, 1);
  if (!stops)
    g_assert_cmpuint (
        hybrid_trial_count (&trial, "failed: count: its process was killed by SIGKILL (Killed)"),
        ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_dead_processes (void)
{
  guint n = get_n_kills (), n_fds = hybrid_trial_count_fds ();
  g_autofree char *mark = mark_new ();

  g_test_summary ("A background process is killed at any moment of its life; the next goes on");
  g_setenv (MARK, mark, TRUE);
  for (guint i = 0; i < n; i++)
    run_killer (i % 2 == 0 ? ORRERY_TRANSPORT_QUEUE : ORRERY_TRANSPORT_LATEST, 20000 * i / n,
                SIGKILL, FALSE);
  g_assert_cmpuint (hybrid_trial_count_fds (), ==, n_fds);
  g_unsetenv (MARK);
  assert_nothing_left (mark);
}

static void
test_dead_in_the_stop (void)
{
  guint n = get_n_kills ();

  g_test_summary ("The same while the world stops");
  for (guint i = 0; i < n; i++)
    run_killer (ORRERY_TRANSPORT_LATEST, 10000 * i / n, SIGKILL, TRUE);
}

static void
test_stopped_processes (void)
{
  g_test_summary ("One that is stopped is killed when its time is over");
  for (guint i = 0; i < 5; i++)
    run_killer (ORRERY_TRANSPORT_LATEST, 4000 * i, SIGSTOP, TRUE);
}

/* --- the limit of a start --- */

static void
add_silent (HybridTrial *trial, OrreryOnExit on_exit)
{
  hybrid_trial_init (trial, NULL, "multiprocess");
  orrery_hybrid_set_command (trial->world, (const char *const[]){ "sleep", "10000", NULL });
  orrery_hybrid_set_start_limit (trial->world, 0.25);
  orrery_loop_set_on_exit (hybrid_trial_add (trial, "count", NULL, NULL), on_exit);
}

static void
test_silent_process (void)
{
  g_autofree char *mark = mark_new ();
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;
  HybridTrial trial;

  g_test_summary ("A process that starts and is never ready is stopped; the error says why");
  g_setenv (MARK, mark, TRUE);
  add_silent (&trial, ORRERY_ON_EXIT_STOP);
  g_assert_false (orrery_hybrid_run (trial.world, &error));
  expected =
      g_strdup_printf ("count: process %d of the hybrid was not ready within 0.25 s of its start",
                       get_pid (&trial));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INTERNAL);
  g_assert_cmpstr (error->message, ==, expected);
  hybrid_trial_clear (&trial);
  g_unsetenv (MARK);
  assert_nothing_left (mark);
}

static void
stop_after_two (OrreryTask *task, gpointer data, GError **error)
{
  HybridTrial *trial = data;

  orrery_task_sleep (task, 0.001);
  if (hybrid_trial_count (trial, "failed: count: process * was not ready within 0.25 s *") == 2)
    orrery_hybrid_stop (trial->world);
}

static void
test_silent_restarts (void)
{
  HybridTrial trial;

  g_test_summary ("Each start of a loop that is restarted has the limit");
  add_silent (&trial, ORRERY_ON_EXIT_RESTART);
  orrery_hybrid_add_loop_func (trial.world, "front", stop_after_two, &trial, NULL);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "background process started: *"), >=, 2);
  hybrid_trial_clear (&trial);
}

static void
test_silent_stop (void)
{
  HybridTrial trial;

  g_test_summary ("The stop of a hybrid ends a process that is not ready yet");
  add_silent (&trial, ORRERY_ON_EXIT_STOP);
  orrery_hybrid_set_start_limit (trial.world, 0.0);
  orrery_hybrid_stop (trial.world);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (hybrid_trial_count (&trial, "joined: count"), ==, 1);
  hybrid_trial_clear (&trial);
}

typedef struct {
  OrreryLoop *loop;
  guint n_steps;
} Busy;

/* In front: its first step lasts until the process has emitted and the limit is over. */
static void
be_busy (OrreryTask *task, gpointer data, GError **error)
{
  Busy *busy = data;
  OrreryReceiver *receiver = orrery_loop_find_receiver (busy->loop, "pipe", error);

  if (++busy->n_steps == 1) {
    while (orrery_receiver_read (receiver) == ORRERY_READING_NONE)
      orrery_receiver_wait (receiver, ORRERY_SECOND);
    g_usleep (G_USEC_PER_SEC / 4);
  }
  orrery_task_sleep (task, 0.001);
  if (busy->n_steps == 20)
    orrery_loop_stop (busy->loop);
}

static void
test_busy_hybrid (void)
{
  HybridTrial trial;
  Busy busy = { 0 };
  OrreryChannel *pipe;

  g_test_summary ("Control: a process that was ready is not stopped, however busy the hybrid is");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  orrery_hybrid_set_start_limit (trial.world, 0.25);
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_QUEUE);
  hybrid_trial_add (&trial, "count", pipe, NULL);
  busy.loop = orrery_hybrid_add_loop_func (trial.world, "busy", be_busy, &busy, NULL);
  orrery_loop_add_receiver (busy.loop, pipe);
  hybrid_trial_run (&trial);
  g_assert_cmpuint (busy.n_steps, ==, 20);
  g_assert_cmpuint (hybrid_trial_count (&trial, "background process started: *"), ==, 1);
  hybrid_trial_clear (&trial);
}

/* A process that others stop for a while, and let go on. */
typedef struct {
  HybridTrial *trial;
  OrreryLoop *loop;
  gint64 span;  /* us */
  gint64 since; /* it is stopped: monotonic, us; 0: not yet */
  guint n_steps;
  guint n_stale; /* of those, while it was stopped */
  gboolean goes_on;
  gboolean fresh_again;
} Pause;

/* To that one alone: some numbers stand for many. */
static void
tell_first (Pause *pause, int signal)
{
  pid_t pid = get_pid (pause->trial);

  g_assert_cmpint (pid, >, 1);
  if (pid > 1)
    kill (pid, signal);
}

static void
pause_first (OrreryTask *task, gpointer data, GError **error)
{
  Pause *pause = data;
  OrreryReceiver *receiver = orrery_loop_find_receiver (pause->loop, "pipe", error);
  OrreryReading reading = orrery_receiver_read (receiver);
  gint64 now = g_get_monotonic_time ();

  if (pause->since == 0 && reading == ORRERY_READING_FRESH) {
    tell_first (pause, SIGSTOP);
    pause->since = now;
  } else if (pause->since != 0 && !pause->goes_on) {
    pause->n_steps++;
    pause->n_stale += reading == ORRERY_READING_STALE;
    if (now - pause->since >= pause->span) {
      tell_first (pause, SIGCONT);
      pause->goes_on = TRUE;
    }
  } else if (pause->goes_on && reading == ORRERY_READING_FRESH) {
    pause->fresh_again = TRUE;
    orrery_loop_stop (pause->loop);
  }
  orrery_task_sleep (task, 0.01);
}

static void
test_paused_process (void)
{
  Pause pause = { .span = (g_test_slow () ? 10 : 1) * G_USEC_PER_SEC };
  HybridTrial trial;
  OrreryChannel *pipe;

  g_test_summary ("One that is stopped for a while is stale, holds nobody up, and is fresh again");
  hybrid_trial_init (&trial, NULL, "multiprocess");
  pause.trial = &trial;
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_LATEST);
  hybrid_trial_add (&trial, "count", pipe, NULL);
  pause.loop = orrery_hybrid_add_loop_func (trial.world, "pause", pause_first, &pause, NULL);
  orrery_loop_set_on_exit (pause.loop, ORRERY_ON_EXIT_STOP);
  orrery_loop_add_receiver (pause.loop, pipe);
  hybrid_trial_run (&trial);
  g_assert_true (pause.fresh_again);
  /* What was on its way when it was stopped may still have been fresh. */
  g_assert_cmpuint (pause.n_steps, >, 1);
  g_assert_cmpuint (pause.n_stale + 2, >=, pause.n_steps);
  g_assert_cmpuint (hybrid_trial_count (&trial, "failed: *"), ==, 0);
  g_assert_cmpuint (hybrid_trial_count (&trial, "joined: count"), ==, 1);
  hybrid_trial_clear (&trial);
}

static void
test_dead_at_steps (void)
{
  const char *const places[] = { "begin", "step", "emit", "emitted", "end" };

  g_test_summary ("It dies at each step of its own; the world says so, and stops");
  for (guint i = 0; i < G_N_ELEMENTS (places) * 2; i++) {
    g_autoptr (GError) error = NULL;
    HybridTrial trial;
    OrreryChannel *pipe;

    hybrid_trial_init (&trial, NULL, "multiprocess");
    pipe = hybrid_trial_add_pipe (&trial, "pipe",
                                  i % 2 == 0 ? ORRERY_TRANSPORT_QUEUE : ORRERY_TRANSPORT_LATEST);
    hybrid_trial_add (&trial, "crash", pipe, g_variant_new_string (places[i / 2]));
    g_assert_false (orrery_hybrid_run (trial.world, &error));
    g_assert_cmpstr (error->message, ==, "crash: its process was killed by SIGKILL (Killed)");
    hybrid_trial_clear (&trial);
  }
}

/* --- what is used up --- */

/* Returns: whether it ran */
static gboolean
run_with_descriptors (guint n)
{
  g_autoptr (GArray) values = numbers_new ();
  g_autoptr (GError) error = NULL;
  struct rlimit before, limit;
  HybridTrial trial;
  OrreryChannel *pipe;
  gboolean ran;

  hybrid_trial_init (&trial, NULL, "multiprocess");
  pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_LATEST);
  hybrid_trial_add (&trial, "say-pid", pipe, NULL);
  hybrid_trial_add_watch (&trial, pipe, 0, values);
  getrlimit (RLIMIT_NOFILE, &before);
  limit = before;
  limit.rlim_cur = hybrid_trial_count_fds () - 1 + n;
  setrlimit (RLIMIT_NOFILE, &limit);
  ran = orrery_hybrid_run (trial.world, &error);
  setrlimit (RLIMIT_NOFILE, &before);
  /* The process itself has more of them, or fewer, than its world. */
  g_assert_true (ran || error->domain == ORRERY_ERROR);
  hybrid_trial_clear (&trial);
  g_assert_cmpint (waitpid (-1, NULL, 0), ==, -1);
  return ran;
}

static void
test_no_descriptors (void)
{
  guint n_fds = hybrid_trial_count_fds (), n = 0;

  g_test_summary ("With too few descriptors a world does not start, and with enough it does");
  while (!run_with_descriptors (n)) {
    g_assert_cmpuint (hybrid_trial_count_fds (), ==, n_fds);
    g_assert_cmpuint (++n, <, 60);
  }
  g_assert_cmpuint (n, >, 3);
  g_assert_cmpuint (hybrid_trial_count_fds (), ==, n_fds);
}

static OrreryNext
once (OrreryTask *task, gpointer data, GError **error)
{
  ++*(guint *) data;
  return orrery_next_done ();
}

static gsize
start_tasks (guint n)
{
  guint count = 0, before = hybrid_trial_count_fds ();

  for (guint i = 0; i < n / 10; i++) {
    g_autoptr (OrreryScheduler) scheduler = orrery_scheduler_new (NULL, NULL);

    for (guint k = 0; k < 10; k++)
      orrery_scheduler_add (scheduler, "once", once, &count, NULL);
    orrery_scheduler_run (scheduler);
  }
  g_assert_cmpuint (count, ==, n);
  g_assert_cmpuint (hybrid_trial_count_fds (), ==, before);
  return mallinfo2 ().uordblks;
}

static void
test_task_starts (void)
{
  gsize before = start_tasks (100), after = start_tasks (10000);

  g_test_summary ("10,000 tasks started and ended: no growth of memory or descriptors");
  /* The least block of each task that stayed would be 32 bytes; other threads hold a few
   * themselves. */
  g_assert_cmpuint (after, <, before + 9900 * 16);
}

static gsize
start_worlds (guint n)
{
  for (guint i = 0; i < n; i++) {
    HybridTrial trial;
    OrreryChannel *pipe;

    hybrid_trial_init (&trial, NULL, "multiprocess");
    pipe = hybrid_trial_add_pipe (&trial, "pipe", ORRERY_TRANSPORT_LATEST);
    hybrid_trial_add (&trial, "say-pid", pipe, g_variant_new_string ("step"));
    hybrid_trial_run (&trial);
    hybrid_trial_clear (&trial);
  }
  return mallinfo2 ().uordblks;
}

static void
test_worlds_grow_nothing (void)
{
  guint n_fds = hybrid_trial_count_fds ();
  gsize before = start_worlds (10), after = start_worlds (g_test_slow () ? 1000 : 50);

  g_test_summary ("Worlds started and ended: no growth of memory or descriptors");
  g_assert_cmpuint (after, <, before + 16384);
  g_assert_cmpuint (hybrid_trial_count_fds (), ==, n_fds);
}

int
main (int argc, char **argv)
{
  int code;

  if (is_other (argc, argv, &code))
    return code;
  program = argv[0];
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  alarm (g_test_slow () ? 6 * WATCHDOG_SECONDS : WATCHDOG_SECONDS);
  g_test_add_func ("/hybrid-faults/control", test_control);
  g_test_add_func ("/hybrid-faults/dead-host/steps", test_dead_host_steps);
  g_test_add_func ("/hybrid-faults/dead-host/moments", test_dead_hosts);
  g_test_add_func ("/hybrid-faults/two-hosts", test_two_hosts);
  g_test_add_func ("/hybrid-faults/memfd-refused", test_memfd_refused);
  g_test_add_func ("/hybrid-faults/interrupts", test_interrupts);
  g_test_add_func ("/hybrid-faults/dead-process/moments", test_dead_processes);
  g_test_add_func ("/hybrid-faults/dead-process/stop", test_dead_in_the_stop);
  g_test_add_func ("/hybrid-faults/dead-process/steps", test_dead_at_steps);
  g_test_add_func ("/hybrid-faults/stopped-process", test_stopped_processes);
  g_test_add_func ("/hybrid-faults/silent-process/limit", test_silent_process);
  g_test_add_func ("/hybrid-faults/silent-process/restarts", test_silent_restarts);
  g_test_add_func ("/hybrid-faults/silent-process/stop", test_silent_stop);
  g_test_add_func ("/hybrid-faults/silent-process/control", test_busy_hybrid);
  g_test_add_func ("/hybrid-faults/paused-process", test_paused_process);
  g_test_add_func ("/hybrid-faults/no-descriptors", test_no_descriptors);
  g_test_add_func ("/hybrid-faults/task-starts", test_task_starts);
  g_test_add_func ("/hybrid-faults/worlds", test_worlds_grow_nothing);
  return g_test_run ();
}
