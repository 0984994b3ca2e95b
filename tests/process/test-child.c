/* SPDX-License-Identifier: BSD-3-Clause */
/* Children that are really started, limited and killed, and the causes that are named for it. */
#define _GNU_SOURCE
#include "base/orrery-error.h"
#include "process/orrery-child-private.h"
#include "process/orrery-packet-private.h"
#include "process/orrery-restart-private.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MILLISECOND (ORRERY_SECOND / 1000)
/* No machine is so slow. */
#define PATIENCE (60 * ORRERY_SECOND)
#define MANY (64 * 1024 * 1024)

static char *program;

/* --- what the tests start --- */

static OrreryChild *
create_shell (const char *script, guint flags)
{
  const char *argv[] = { "/bin/sh", "-c", script, NULL };
  OrreryChildSpec spec = { .argv = argv, .flags = flags };
  GError *error = NULL;
  OrreryChild *child = orrery_child_new (&spec, &error);

  g_assert_no_error (error);
  g_assert_nonnull (child);
  return child;
}

static OrreryChild *
start_shell (const char *script, guint flags)
{
  OrreryChild *child = create_shell (script, flags);
  GError *error = NULL;

  orrery_child_start (child, &error);
  g_assert_no_error (error);
  g_assert_cmpint (orrery_child_get_pid (child), >, 0);
  return child;
}

static OrreryChild *
create_own (const char *mode, guint flags, guint64 max_memory)
{
  const char *argv[] = { program, "--child", mode, NULL };
  OrreryChildSpec spec = { .argv = argv, .flags = flags, .max_memory = max_memory };
  GError *error = NULL;
  OrreryChild *child = orrery_child_new (&spec, &error);

  g_assert_no_error (error);
  orrery_child_start (child, &error);
  g_assert_no_error (error);
  return child;
}

/* Its first packet, as a number. */
static int
receive_number (OrreryChild *child)
{
  char text[32] = "";

  g_assert_cmpint (orrery_packet_receive (child->socket, text, sizeof text - 1, NULL, 0), >, 0);
  return atoi (text);
}

static void
assert_end (OrreryChild *child, const char *expected)
{
  g_autofree char *end = orrery_child_describe_end (child);

  g_assert_cmpstr (end, ==, expected);
}

/* Whether a process ends that is no child of this one. */
static gboolean
ends_within (pid_t pid, OrreryTime limit)
{
  struct pollfd end = { .fd = (int) syscall (SYS_pidfd_open, pid, 0), .events = POLLIN };
  gboolean ended;

  if (end.fd < 0)
    return errno == ESRCH;
  ended = poll (&end, 1, (int) (limit / MILLISECOND)) == 1;
  close (end.fd);
  return ended;
}

static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* --- modes of this program --- */

static int
run_allocate (void)
{
  g_autofree char *bytes = g_try_malloc (512u * 1024 * 1024);

  return bytes != NULL ? 0 : 7;
}

/* Starts a child of its own, tells its id, and crashes. */
static int
run_parent (void)
{
  OrreryChild *child = start_shell ("exec sleep 1000", ORRERY_CHILD_OWN_GROUP);
  g_autofree char *text = g_strdup_printf ("%d", orrery_child_get_pid (child));

  orrery_packet_send (ORRERY_LAUNCH_SOCKET, text, strlen (text), -1, 0);
  kill (getpid (), SIGKILL);
  return 0;
}

/* Is traced by a process of another session, which never looks what became of it. */
static int __attribute__ ((noreturn)) run_traced (void)
{
  pid_t parent = getpid ();

  prctl (PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  if (fork () == 0) {
    gboolean seized = setsid () > 0 && ptrace (PTRACE_SEIZE, parent, NULL, NULL) == 0;
    g_autofree char *text = g_strdup_printf ("%d", seized ? (int) getpid () : 0);

    orrery_packet_send (ORRERY_LAUNCH_SOCKET, text, strlen (text), -1, 0);
    for (;;)
      pause ();
  }
  for (;;)
    pause ();
}

static int
run_mode (const char *mode)
{
  if (strcmp (mode, "allocate") == 0)
    return run_allocate ();
  return strcmp (mode, "parent") == 0 ? run_parent () : run_traced ();
}

/* --- tests --- */

static void
test_causes (void)
{
  static const struct {
    const char *script;
    int status;
    const char *end;
  } cases[] = {
    { "exit 0", 0, "exited with status 0" },
    { "exit 3", 3, "exited with status 3" },
    { "kill -SEGV $$", -1, "was killed by SIGSEGV (Segmentation fault)" },
    { "kill -KILL $$", -1, "was killed by SIGKILL (Killed)" },
    { "kill -TERM $$", -1, "was killed by SIGTERM (Terminated)" },
  };

  g_test_summary ("the end of a child is described by its status or its signal");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OrreryChild) child =
        start_shell (cases[i].script, ORRERY_CHILD_OWN_GROUP | ORRERY_CHILD_NO_CORE);

    g_assert_true (orrery_child_wait (child, PATIENCE));
    assert_end (child, cases[i].end);
    g_assert_cmpint (orrery_child_get_status (child), ==, cases[i].status);
    g_assert_cmpint (orrery_child_get_pid (child), ==, 0);
  }
}

static void
test_reaped_by_others (void)
{
  g_autoptr (OrreryChild) child = start_shell ("exit 3", 0);

  g_test_summary ("a child that another part of the program has reaped has ended all the same");
  g_assert_cmpint (waitpid (orrery_child_get_pid (child), NULL, 0), >, 0);
  g_assert_true (orrery_child_has_ended (child));
  assert_end (child, "ended for a reason that is not known");
  g_assert_cmpint (orrery_child_get_status (child), ==, -1);
}

static void
check_start_failure (const char *name, const char *words, gboolean later)
{
  const char *argv[] = { name, NULL };
  OrreryChildSpec spec = { .argv = argv, .flags = ORRERY_CHILD_SOCKET | ORRERY_CHILD_PRINTED };
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryChild) child = orrery_child_new (&spec, &error);

  g_assert_no_error (error);
  if (later) {
    g_assert_true (orrery_child_start_later (child, &error));
    while (orrery_child_is_launching (child))
      g_thread_yield ();
  }
  g_assert_false (orrery_child_start (child, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, words);
  g_assert_true (orrery_child_has_ended (child));
}

static void
test_start_failures (void)
{
  guint before;

  g_test_summary ("a program that cannot be run is an error of the start, which leaves nothing");
  check_start_failure ("/nonexistent/program",
                       "/nonexistent/program cannot be run: No such file or directory", FALSE);
  before = count_descriptors ();
  for (guint later = 0; later < 2; later++) {
    check_start_failure ("/nonexistent/program",
                         "/nonexistent/program cannot be run: No such file or directory", later);
    check_start_failure ("orrery-no-such-program",
                         "orrery-no-such-program cannot be run: No such file or directory", later);
    check_start_failure ("/etc/passwd", "/etc/passwd cannot be run: Permission denied", later);
  }
  g_assert_cmpuint (count_descriptors (), ==, before);
}

static void
test_no_descriptors (void)
{
  const char *argv[] = { "/bin/true", NULL };
  OrreryChildSpec spec = { .argv = argv, .flags = ORRERY_CHILD_SOCKET | ORRERY_CHILD_OUTPUT };
  struct rlimit before, few = { 0, 0 };
  g_autoptr (GError) error = NULL;
  OrreryChild *child;

  g_test_summary ("without descriptors there is an error, and nothing is left");
  getrlimit (RLIMIT_NOFILE, &before);
  few.rlim_max = before.rlim_max;
  for (few.rlim_cur = 0; few.rlim_cur < 12; few.rlim_cur++) {
    setrlimit (RLIMIT_NOFILE, &few);
    child = orrery_child_new (&spec, &error);
    setrlimit (RLIMIT_NOFILE, &before);
    if (child != NULL)
      break;
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
    g_clear_error (&error);
  }
  g_assert_cmpuint (few.rlim_cur, >, 3);
  g_clear_pointer (&child, orrery_child_free);
}

static void
test_later (void)
{
  g_autoptr (OrreryChild) child = create_shell ("echo 42 >&3", ORRERY_CHILD_SOCKET);
  g_autoptr (OrreryChild) dropped = create_shell ("exec sleep 1000", 0);
  GError *error = NULL;

  g_test_summary ("a start that does not wait comes to the same; one that is dropped is killed");
  g_assert_true (orrery_child_start_later (child, &error));
  g_assert_true (orrery_child_start_later (dropped, &error));
  while (orrery_child_is_launching (child))
    g_thread_yield ();
  g_assert_true (orrery_child_start (child, &error));
  g_assert_no_error (error);
  g_assert_cmpint (receive_number (child), ==, 42);
}

static void
test_greeting (void)
{
  const guint flags = ORRERY_CHILD_SOCKET | ORRERY_CHILD_OWN_GROUP;
  g_autoptr (OrreryChild) ready = start_shell ("echo 1 >&3; exec sleep 1000", flags);
  g_autoptr (OrreryChild) silent = start_shell ("exec sleep 1000", flags);
  struct pollfd input = { .events = POLLIN };

  g_test_summary ("a child that does not report in time is late, and killed for it by name");
  orrery_child_expect (ready, PATIENCE);
  g_assert_cmpint (receive_number (ready), ==, 1);
  g_assert_false (orrery_child_is_late (ready));
  orrery_child_expect (silent, 50 * MILLISECOND);
  input.fd = silent->socket;
  while (!orrery_child_is_late (silent))
    g_assert_cmpint (poll (&input, 1, 10), ==, 0);
  orrery_child_kill_late (silent, silent->limit);
  assert_end (silent, "gave no answer within 0.05 s");
  g_assert_cmpint (orrery_child_get_status (silent), ==, -1);
  orrery_child_expect (ready, 0);
  g_assert_false (orrery_child_is_late (ready));
}

static void
test_output (void)
{
  const guint flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_INPUT;
  g_autoptr (OrreryChild) child =
      start_shell ("echo lost >&2; wc -c; exit 4", flags | ORRERY_CHILD_OWN_GROUP);
  g_autofree char *input = g_malloc0 (1 << 20);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("its input is what was written to it, and all of its output is collected");
  g_assert_true (orrery_child_write (child, input, 1 << 20));
  bytes = orrery_child_collect (child, PATIENCE, MANY, NULL);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpstr (g_strstrip (text), ==, "1048576");
  g_assert_cmpint (orrery_child_get_status (child), ==, 4);
}

static void
test_feed (void)
{
  const guint flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_INPUT | ORRERY_CHILD_OWN_GROUP;
  g_autoptr (OrreryChild) child = start_shell ("wc -c", flags);
  g_autoptr (OrreryChild) deaf = start_shell ("exec sleep 100", flags);
  g_autoptr (OrreryChild) gone = start_shell ("exit 3", flags);
  g_autofree char *input = g_malloc0 (1 << 20);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  guint n = 0;

  g_test_summary ("its input comes in parts; one that reads none, or is gone, is not waited for");
  for (guint i = 0; i < 3; i++)
    g_assert_true (orrery_child_feed (child, input, 1 << 20, PATIENCE));
  bytes = orrery_child_collect (child, PATIENCE, MANY, NULL);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpstr (g_strstrip (text), ==, "3145728");

  g_assert_false (orrery_child_feed (deaf, input, 1 << 20, ORRERY_SECOND / 20));
  g_assert_false (orrery_child_feed (deaf, input, 1, PATIENCE));
  /* What fits into the pipe may have been taken before it ended. */
  while (orrery_child_feed (gone, input, 1 << 20, PATIENCE) && n < 100)
    n++;
  g_assert_cmpuint (n, <, 100);
}

static void
test_flood (void)
{
  const guint flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP;
  g_autoptr (OrreryChild) much = start_shell ("exec yes", flags);
  g_autoptr (OrreryChild) most = start_shell ("head -c 100000 /dev/zero", flags);
  g_autoptr (GBytes) of_much = orrery_child_collect (much, PATIENCE, 100000, NULL);
  g_autoptr (GBytes) of_most = orrery_child_collect (most, PATIENCE, 100000, NULL);

  g_test_summary ("a child that writes more than it may is killed, and that is its cause");
  g_assert_cmpuint (g_bytes_get_size (of_much), <=, 100000);
  assert_end (much, "wrote more than 100000 bytes and was killed by SIGKILL (Killed)");
  g_assert_cmpint (orrery_child_get_status (much), ==, -1);
  g_assert_cmpuint (g_bytes_get_size (of_most), ==, 100000);
  g_assert_cmpint (orrery_child_get_status (most), ==, 0);
}

static void
test_time (void)
{
  const guint flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP;
  g_autoptr (OrreryChild) slow = start_shell ("echo begun; exec sleep 1000", flags);
  g_autoptr (OrreryChild) detached = start_shell ("setsid sleep 1000 & echo $!", flags);
  g_autoptr (GBytes) bytes = orrery_child_collect (slow, 500 * MILLISECOND, MANY, NULL);
  g_autoptr (GBytes) id = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a limit of time holds; who keeps the output of an ended child does not matter");
  assert_end (slow, "gave no answer within 0.5 s");
  id = orrery_child_collect (detached, PATIENCE, MANY, NULL);
  g_assert_cmpint (orrery_child_get_status (detached), ==, 0);
  text = g_strndup (g_bytes_get_data (id, NULL), g_bytes_get_size (id));
  kill (atoi (text), SIGKILL);
}

static gpointer
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (OrreryChild) child =
      start_shell ("exec sleep 1000", ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP);
  GThread *thread = g_thread_new ("cancel", cancel, cancellable);
  g_autoptr (GBytes) bytes = orrery_child_collect (child, 0, MANY, cancellable);

  g_test_summary ("a child that is waited for can be cancelled from another thread");
  g_thread_join (thread);
  assert_end (child, "was killed by SIGKILL (Killed)");
}

static void
test_limits (void)
{
  const char *argv[] = { "/bin/sh", "-c", "while :; do :; done", NULL };
  OrreryChildSpec spec = { .argv = argv, .flags = ORRERY_CHILD_OWN_GROUP, .max_cpu = 1 };
  g_autoptr (OrreryChild) busy = orrery_child_new (&spec, NULL);
  g_autoptr (OrreryChild) large = create_own ("allocate", ORRERY_CHILD_OWN_GROUP, 256u << 20);
  g_autoptr (OrreryChild) free_one = create_own ("allocate", ORRERY_CHILD_OWN_GROUP, 0);
  g_autofree char *end = NULL;

  g_test_summary ("limits of CPU time and of memory hold");
  g_assert_true (orrery_child_start (busy, NULL));
  g_assert_true (orrery_child_wait (large, PATIENCE));
  g_assert_true (orrery_child_wait (free_one, PATIENCE));
  g_assert_cmpint (orrery_child_get_status (free_one), ==, 0);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpint (orrery_child_get_status (large), ==, 7);
#endif
  g_assert_true (orrery_child_wait (busy, PATIENCE));
  end = orrery_child_describe_end (busy);
  g_assert_true (g_str_has_prefix (end, "was killed by SIG"));
}

static void
test_kill (void)
{
  g_autoptr (OrreryChild) child =
      start_shell ("trap '' TERM; echo 1 >&3; while :; do sleep 1000; done",
                   ORRERY_CHILD_SOCKET | ORRERY_CHILD_OWN_GROUP);

  g_test_summary ("a child that ignores SIGTERM outlives it, and not orrery_child_kill()");
  g_assert_cmpint (receive_number (child), ==, 1);
  kill (orrery_child_get_pid (child), SIGTERM);
  g_assert_false (orrery_child_wait (child, 100 * MILLISECOND));
  orrery_child_kill (child);
  g_assert_true (orrery_child_has_ended (child));
  assert_end (child, "was killed by SIGKILL (Killed)");
  orrery_child_kill (child);
}

static void
check_group (const char *script, guint flags, gboolean goes_along)
{
  g_autoptr (OrreryChild) child = start_shell (script, ORRERY_CHILD_SOCKET | flags);
  int grandchild = receive_number (child);

  if (strstr (script, "wait") != NULL)
    orrery_child_kill (child);
  else
    g_assert_true (orrery_child_wait (child, PATIENCE));
  g_assert_true (ends_within (grandchild, goes_along ? PATIENCE : 0) == goes_along);
  if (!goes_along)
    kill (grandchild, SIGKILL);
}

static void
test_group (void)
{
  g_test_summary ("what a child with its own group has started ends with it, however that ends");
  check_group ("sleep 1000 & echo $! >&3; wait", ORRERY_CHILD_OWN_GROUP, TRUE);
  check_group ("sleep 1000 & echo $! >&3", ORRERY_CHILD_OWN_GROUP, TRUE);
  check_group ("sleep 1000 & echo $! >&3", 0, FALSE);
}

static void
test_parent (void)
{
  g_autoptr (OrreryChild) parent = create_own ("parent", ORRERY_CHILD_SOCKET, 0);
  int grandchild = receive_number (parent);

  g_test_summary ("a child does not outlive the process that started it");
  g_assert_true (orrery_child_wait (parent, PATIENCE));
  assert_end (parent, "was killed by SIGKILL (Killed)");
  g_assert_true (ends_within (grandchild, PATIENCE));
}

static void
test_stuck (void)
{
  g_autoptr (OrreryChild) child =
      create_own ("traced", ORRERY_CHILD_SOCKET | ORRERY_CHILD_OWN_GROUP, 0);
  int tracer = receive_number (child);
  gint64 begin = g_get_monotonic_time ();

  g_test_summary ("a child that a debugger holds is not waited for without end");
  if (tracer == 0) {
    g_test_skip ("tracing is not allowed here");
    return;
  }
  orrery_child_kill (child);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 30 * G_USEC_PER_SEC);
  assert_end (child, "did not end within 2 s after SIGKILL");
  kill (tracer, SIGKILL);
}

static void
test_surroundings (void)
{
  const char *argv[] = { "sh", "-c",
                         "test \"$A\" = b && test -z \"$HOME\" && test ! -e /proc/$$/fd/20 && "
                         "read -r line || exit 5",
                         NULL };
  const char *environment[] = { "A=b", "PATH=/usr/bin:/bin", NULL };
  OrreryChildSpec spec = { .argv = argv, .environment = environment };
  g_autoptr (OrreryChild) child = orrery_child_new (&spec, NULL);

  g_test_summary ("it has its environment, no descriptors of others, and nothing to read");
  g_assert_cmpint (dup2 (STDOUT_FILENO, 20), ==, 20);
  g_assert_true (orrery_child_start (child, NULL));
  g_assert_true (orrery_child_wait (child, PATIENCE));
  close (20);
  g_assert_cmpint (orrery_child_get_status (child), ==, 5);
}

/* --- restarts --- */

static void
test_back_off (void)
{
  const OrreryRestartPolicy policy = {
    .first = 50, .longest = 300, .sound = 1000, .max_restarts = 6
  };
  const OrreryTime waits[] = { 50, 100, 200, 300, 300, 300, -1, -1 };
  guint n = 0;

  g_test_summary ("each wait is twice the last, up to the longest; then it is given up");
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++)
    g_assert_cmpint (orrery_restart_policy_next (&policy, 999, &n), ==, waits[i]);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpint (orrery_restart_policy_next (&policy, 1000, &n), ==, 50);
  g_assert_cmpint (orrery_restart_policy_next (&policy, 999, &n), ==, 100);
}

static void
test_at_once (void)
{
  const OrreryRestartPolicy policy = {
    .first = 50, .longest = 300, .sound = 1000, .at_once = TRUE, .max_restarts = G_MAXUINT
  };
  const OrreryRestartPolicy none = { .first = 50, .longest = 300, .sound = 1000 };
  guint n = 0;

  g_test_summary ("one that ran long enough is restarted at once; without restarts none is");
  g_assert_cmpint (orrery_restart_policy_next (&policy, 1000, &n), ==, 0);
  g_assert_cmpint (orrery_restart_policy_next (&policy, 0, &n), ==, 50);
  g_assert_cmpint (orrery_restart_policy_next (&policy, 0, &n), ==, 100);
  g_assert_cmpint (orrery_restart_policy_next (&policy, 2000, &n), ==, 0);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (orrery_restart_policy_next (&policy, 0, &n), <=, 300);
  n = 0;
  g_assert_cmpint (orrery_restart_policy_next (&none, 0, &n), ==, -1);
}
/* Two that want one processor, without end. */
static void
test_waited (void)
{
  const guint flags = ORRERY_CHILD_OWN_GROUP;
  const char *spin = "while :; do :; done";
  g_autoptr (OrreryChild) one = start_shell (spin, flags);
  g_autoptr (OrreryChild) two = start_shell (spin, flags);
  gint64 end = g_get_monotonic_time () + PATIENCE / 1000;
  cpu_set_t first;

  g_test_summary ("what waits for a processor that others have is known to wait, until it ends");
  if (!g_file_test ("/proc/self/schedstat", G_FILE_TEST_EXISTS)) {
    g_test_skip ("this kernel does not tell how long processes wait");
    return;
  }
  g_assert_cmpint (sched_getaffinity (0, sizeof first, &first), ==, 0);
  for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &first) && found++ > 0)
      CPU_CLR (i, &first);
  g_assert_cmpint (sched_setaffinity (one->pid, sizeof first, &first), ==, 0);
  g_assert_cmpint (sched_setaffinity (two->pid, sizeof first, &first), ==, 0);
  while (MIN (orrery_child_get_waited (one), orrery_child_get_waited (two)) < 20 * MILLISECOND) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (1000);
  }
  orrery_child_kill (one);
  g_assert_cmpint (orrery_child_get_waited (one), ==, 0);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], "--child") == 0)
    return run_mode (argv[2]);
  program = argv[0];
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/process/child/causes", test_causes);
  g_test_add_func ("/process/child/reaped-by-others", test_reaped_by_others);
  g_test_add_func ("/process/child/start-failures", test_start_failures);
  g_test_add_func ("/process/child/no-descriptors", test_no_descriptors);
  g_test_add_func ("/process/child/later", test_later);
  g_test_add_func ("/process/child/greeting", test_greeting);
  g_test_add_func ("/process/child/output", test_output);
  g_test_add_func ("/process/child/feed", test_feed);
  g_test_add_func ("/process/child/flood", test_flood);
  g_test_add_func ("/process/child/time", test_time);
  g_test_add_func ("/process/child/waited", test_waited);
  g_test_add_func ("/process/child/cancel", test_cancel);
  g_test_add_func ("/process/child/limits", test_limits);
  g_test_add_func ("/process/child/kill", test_kill);
  g_test_add_func ("/process/child/group", test_group);
  g_test_add_func ("/process/child/parent", test_parent);
  g_test_add_func ("/process/child/stuck", test_stuck);
  g_test_add_func ("/process/child/surroundings", test_surroundings);
  g_test_add_func ("/process/restart/back-off", test_back_off);
  g_test_add_func ("/process/restart/at-once", test_at_once);
  return g_test_run ();
}
