/* SPDX-License-Identifier: BSD-3-Clause */
/* Supervises one child process: its start, pipes, time limits, kill, and the cause of its end. */
#define _GNU_SOURCE
#include "process/orrery-child-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-monotonic-private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MILLISECOND (ORRERY_SECOND / 1000)
/* Time to wait after SIGKILL. */
#define KILL_TIME (2 * ORRERY_SECOND)
/* Polling interval for a child if the kernel cannot report its end. */
#define LOOK_TIME (2 * MILLISECOND)

/* --- its pipes --- */

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* The read end of the pipe of its output is open in both processes. */
static void
close_its_ends (OrreryLaunch *launch)
{
  if (launch->fds[STDERR_FILENO] == launch->fds[STDOUT_FILENO])
    launch->fds[STDERR_FILENO] = -1;
  close_fd (&launch->fds[STDIN_FILENO]);
  close_fd (&launch->fds[STDOUT_FILENO]);
  close_fd (&launch->fds[ORRERY_LAUNCH_SOCKET]);
}

static gboolean
fail (const char *what, GError **error)
{
  int code = errno;

  return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (code));
}

static gboolean
open_pipe (int *read_end, int *write_end, GError **error)
{
  int ends[2];

  if (pipe2 (ends, O_CLOEXEC) != 0)
    return fail ("cannot make a pipe", error);
  *read_end = ends[0];
  *write_end = ends[1];
  return TRUE;
}

static gboolean
open_socket (OrreryChild *child, GError **error)
{
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail ("cannot make a socket", error);
  child->socket = ends[0];
  child->launch.fds[ORRERY_LAUNCH_SOCKET] = ends[1];
  return TRUE;
}

static gboolean
open_ends (OrreryChild *child, GError **error)
{
  int *fds = child->launch.fds;

  if ((child->flags & ORRERY_CHILD_SOCKET) && !open_socket (child, error))
    return FALSE;
  if ((child->flags & ORRERY_CHILD_INPUT) && !open_pipe (&fds[STDIN_FILENO], &child->input, error))
    return FALSE;
  if ((child->flags & (ORRERY_CHILD_OUTPUT | ORRERY_CHILD_PRINTED)) &&
      !open_pipe (&child->output, &fds[STDOUT_FILENO], error))
    return FALSE;
  if (child->flags & ORRERY_CHILD_OUTPUT)
    fds[STDERR_FILENO] = ORRERY_LAUNCH_NULL;
  if (child->flags & ORRERY_CHILD_PRINTED) {
    fds[STDERR_FILENO] = fds[STDOUT_FILENO];
    fds[ORRERY_LAUNCH_PRINTED] = child->output;
  }
  return TRUE;
}

/* --- creation and release --- */

/* A name that is in no directory of PATH is kept, so that the error names the program. */
static char *
find_program (const char *name)
{
  char *found = strchr (name, '/') == NULL ? g_find_program_in_path (name) : NULL;

  return found != NULL ? found : g_strdup (name);
}

OrreryChild *
orrery_child_new (const OrreryChildSpec *spec, GError **error)
{
  g_autoptr (OrreryChild) child = NULL;

  g_return_val_if_fail (spec != NULL && spec->argv != NULL && spec->argv[0] != NULL, NULL);
  child = g_new0 (OrreryChild, 1);
  child->flags = spec->flags;
  child->pid_fd = child->socket = child->input = child->output = -1;
  child->launch = (OrreryLaunch){
    .path = spec->path != NULL ? g_strdup (spec->path) : find_program (spec->argv[0]),
    .argv = g_strdupv ((char **) spec->argv),
    .environment = g_strdupv ((char **) spec->environment),
    .fds = { ORRERY_LAUNCH_NULL, ORRERY_LAUNCH_INHERIT, ORRERY_LAUNCH_INHERIT, ORRERY_LAUNCH_NULL,
             ORRERY_LAUNCH_NULL },
    .own_group = (spec->flags & ORRERY_CHILD_OWN_GROUP) != 0,
    .no_core = (spec->flags & ORRERY_CHILD_NO_CORE) != 0,
    .max_memory = spec->max_memory,
    .max_cpu = spec->max_cpu,
  };
  if (!open_ends (child, error))
    return NULL;
  return g_steal_pointer (&child);
}

void
orrery_child_free (OrreryChild *child)
{
  if (child->launching)
    orrery_child_start (child, NULL);
  orrery_child_kill (child);
  close_its_ends (&child->launch);
  close_fd (&child->socket);
  close_fd (&child->input);
  close_fd (&child->output);
  g_clear_error (&child->launch.error);
  g_strfreev (child->launch.argv);
  g_strfreev (child->launch.environment);
  g_free (child->launch.path);
  g_free (child->excess);
  g_free (child);
}

/* --- its start --- */

gboolean
orrery_child_start_later (OrreryChild *child, GError **error)
{
  g_return_val_if_fail (child->pid == 0 && !child->launching, FALSE);
  child->launching = orrery_launch_begin (&child->launch, error);
  return child->launching;
}

gboolean
orrery_child_is_launching (OrreryChild *child)
{
  return child->launching && !orrery_launch_is_done (&child->launch);
}

gboolean
orrery_child_start (OrreryChild *child, GError **error)
{
  if (!child->launching && !orrery_child_start_later (child, error))
    return FALSE;
  orrery_launch_wait (&child->launch);
  child->launching = FALSE;
  close_its_ends (&child->launch);
  if (child->launch.pid < 0) {
    g_propagate_error (error, g_steal_pointer (&child->launch.error));
    return FALSE;
  }
  child->pid = child->launch.pid;
  /* Linux before 5.3 has no such call. */
  child->pid_fd = (int) syscall (SYS_pidfd_open, child->pid, 0);
  return TRUE;
}

ORRERY_DEFINE_GETTER (int, orrery_child_get_pid, OrreryChild, ORRERY_IS_STRUCT, self->pid)

/* --- its end --- */

static void
forget_process (OrreryChild *child)
{
  close_fd (&child->pid_fd);
  child->pid = 0;
}

gboolean
orrery_child_has_ended (OrreryChild *child)
{
  siginfo_t info = { 0 };
  int result;

  if (child->pid == 0)
    return TRUE;
  result =
      TEMP_FAILURE_RETRY (waitid (P_PID, (id_t) child->pid, &info, WEXITED | WNOHANG | WNOWAIT));
  if (result == 0 && info.si_pid == 0)
    return FALSE;
  if (result == 0) {
    /* Until the child is reaped, its process group cannot be reused: kill what it started, too. */
    if (child->flags & ORRERY_CHILD_OWN_GROUP)
      kill (-child->pid, SIGKILL);
    waitid (P_PID, (id_t) child->pid, &info, WEXITED);
  }
  /* Another part of this program may have reaped it: then its exit status is unknown. */
  child->code = result == 0 ? info.si_code : 0;
  child->status = result == 0 ? info.si_status : 0;
  forget_process (child);
  return TRUE;
}

static int
to_milliseconds (OrreryTime time)
{
  return (int) MIN (time / MILLISECOND + 1, G_MAXINT);
}

gboolean
orrery_child_wait (OrreryChild *child, OrreryTime limit)
{
  OrreryTime deadline = orrery_monotonic_now () + limit;

  while (!orrery_child_has_ended (child)) {
    struct pollfd end = { .fd = child->pid_fd, .events = POLLIN };
    OrreryTime left = deadline - orrery_monotonic_now ();

    if (left <= 0)
      return FALSE;
    /* A traced child has ended for its descriptor before it can be reaped by its parent. */
    if (poll (&end, 1, to_milliseconds (end.fd >= 0 ? left : MIN (left, LOOK_TIME))) > 0 &&
        !orrery_child_has_ended (child))
      poll (NULL, 0, to_milliseconds (LOOK_TIME));
  }
  return TRUE;
}

static gpointer
reap_later (gpointer pid)
{
  TEMP_FAILURE_RETRY (waitpid (GPOINTER_TO_INT (pid), NULL, 0));
  return NULL;
}

static void
abandon (OrreryChild *child)
{
  g_autoptr (GThread) thread = NULL;

  thread = g_thread_try_new ("orrery-reap", reap_later, GINT_TO_POINTER (child->pid), NULL);
  child->stuck = TRUE;
  forget_process (child);
}

void
orrery_child_kill (OrreryChild *child)
{
  if (orrery_child_has_ended (child))
    return;
  if (child->flags & ORRERY_CHILD_OWN_GROUP)
    kill (-child->pid, SIGKILL);
  kill (child->pid, SIGKILL);
  if (!orrery_child_wait (child, KILL_TIME))
    abandon (child);
}

void
orrery_child_kill_late (OrreryChild *child, OrreryTime limit)
{
  child->late = limit;
  orrery_child_kill (child);
}

void
orrery_child_set_excess (OrreryChild *child, const char *excess)
{
  g_free (child->excess);
  child->excess = g_strdup (excess);
}

int
orrery_child_get_status (OrreryChild *child)
{
  return child->code == CLD_EXITED && child->excess == NULL && child->late == 0 ? child->status
                                                                                : -1;
}

static char *
describe_code (OrreryChild *child)
{
  const char *name;

  if (child->stuck)
    return g_strdup_printf ("did not end within %.3g s after SIGKILL",
                            orrery_time_to_seconds (KILL_TIME));
  if (child->code == CLD_EXITED)
    return g_strdup_printf ("exited with status %d", child->status);
  if (child->code == 0)
    return g_strdup ("ended for a reason that is not known");
  name = sigabbrev_np (child->status);
  return g_strdup_printf ("was killed by SIG%s (%s)", name != NULL ? name : "?",
                          g_strsignal (child->status));
}

char *
orrery_child_describe_end (OrreryChild *child)
{
  g_autofree char *code = NULL;

  if (child->late > 0)
    return g_strdup_printf ("gave no answer within %.3g s", orrery_time_to_seconds (child->late));
  code = describe_code (child);
  if (child->excess == NULL)
    return g_steal_pointer (&code);
  return g_strdup_printf ("%s and %s", child->excess, code);
}

/* --- expected answers --- */

void
orrery_child_expect (OrreryChild *child, OrreryTime limit)
{
  child->limit = limit;
  child->deadline = orrery_monotonic_now () + limit;
}

gboolean
orrery_child_is_late (OrreryChild *child)
{
  return child->limit > 0 && orrery_monotonic_now () >= child->deadline;
}

OrreryTime
orrery_child_get_waited (OrreryChild *child)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/schedstat", (int) child->pid);
  g_autofree char *text = NULL;
  long long ran, waited;

  /* Of its first thread: ns on a processor, ns in the queue for one, number of turns. */
  if (child->pid == 0 || !g_file_get_contents (path, &text, NULL, NULL) ||
      sscanf (text, "%lld %lld", &ran, &waited) != 2)
    return 0;
  return MAX (waited, 0);
}

/* --- input and output --- */

gboolean
orrery_child_write (OrreryChild *child, gconstpointer bytes, gsize size)
{
  const char *at = bytes;

  while (size > 0) {
    gssize n = TEMP_FAILURE_RETRY (write (child->input, at, size));

    if (n <= 0)
      break;
    at += n;
    size -= (gsize) n;
  }
  close_fd (&child->input);
  return size == 0;
}

/* Waits until the pipe takes something. @end: us of the monotonic clock; 0: never */
static gboolean
await_room (int fd, gint64 end)
{
  struct pollfd pollfd = { .fd = fd, .events = POLLOUT };
  gint64 left = end != 0 ? MAX (end - g_get_monotonic_time (), 0) : -1;
  int n = poll (&pollfd, 1, left < 0 ? -1 : (int) MIN ((left + 999) / 1000, G_MAXINT));

  return n > 0 || (n < 0 && errno == EINTR) || (n == 0 && g_get_monotonic_time () < end);
}

gboolean
orrery_child_feed (OrreryChild *child, gconstpointer bytes, gsize size, OrreryTime limit)
{
  gint64 end = limit > 0 ? g_get_monotonic_time () + limit / 1000 : 0;
  const char *at = bytes;

  /* This end of the pipe alone: the child's end blocks. */
  if (child->input >= 0 && fcntl (child->input, F_SETFL, O_NONBLOCK) != 0)
    close_fd (&child->input);
  while (child->input >= 0 && size > 0) {
    gssize n = TEMP_FAILURE_RETRY (write (child->input, at, size));

    if (n > 0) {
      at += n;
      size -= (gsize) n;
    } else if (errno != EAGAIN || !await_room (child->input, end)) {
      close_fd (&child->input);
    }
  }
  return size == 0;
}

gboolean
orrery_child_read (OrreryChild *child, GString *bytes, gsize max)
{
  char part[65536];
  gssize n = TEMP_FAILURE_RETRY (read (child->output, part, sizeof part));
  g_autofree char *excess = NULL;

  if (n <= 0) {
    close_fd (&child->output);
    return FALSE;
  }
  if (bytes->len + (gsize) n > max) {
    excess = g_strdup_printf ("wrote more than %" G_GSIZE_FORMAT " bytes", max);
    orrery_child_set_excess (child, excess);
    return FALSE;
  }
  g_string_append_len (bytes, part, n);
  return TRUE;
}

/* Waits until something may have happened. */
static void
wait_for_event (OrreryChild *child, struct pollfd fds[3])
{
  OrreryTime wait = child->limit > 0 ? child->deadline - orrery_monotonic_now () : G_MAXINT64;

  fds[0] = (struct pollfd){ .fd = child->output, .events = POLLIN };
  fds[1] = (struct pollfd){ .fd = child->pid_fd, .events = POLLIN };
  if (child->pid_fd < 0)
    wait = MIN (wait, LOOK_TIME);
  poll (fds, 3, to_milliseconds (MAX (wait, 0)));
}

/* Returns: whether to continue */
static gboolean
collect_more (OrreryChild *child, GString *bytes, gsize max_size, struct pollfd fds[3],
              GCancellable *cancellable)
{
  gboolean ended = child->pid == 0;

  if (ended && child->output < 0)
    return FALSE;
  wait_for_event (child, fds);
  orrery_child_has_ended (child);
  if (g_cancellable_is_cancelled (cancellable))
    return FALSE;
  if (orrery_child_is_late (child)) {
    orrery_child_kill_late (child, child->limit);
    return FALSE;
  }
  if (fds[0].revents != 0 && !orrery_child_read (child, bytes, max_size))
    return child->excess == NULL;
  /* All of its output was in the pipe when it ended. */
  return !ended || fds[0].revents != 0;
}

GBytes *
orrery_child_collect (OrreryChild *child, OrreryTime limit, gsize max_size,
                      GCancellable *cancellable)
{
  GString *bytes = g_string_new (NULL);
  struct pollfd fds[3] = { { .fd = -1 }, { .fd = -1 }, { .fd = -1, .events = POLLIN } };
  GPollFD pollfd = { .fd = -1 };
  gboolean polled = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &pollfd);

  close_fd (&child->input);
  orrery_child_expect (child, limit);
  fds[2].fd = polled ? pollfd.fd : -1;
  while (collect_more (child, bytes, max_size, fds, cancellable))
    ;
  if (polled)
    g_cancellable_release_fd (cancellable);
  orrery_child_kill (child);
  return g_string_free_to_bytes (bytes);
}
