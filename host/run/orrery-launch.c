/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/orrery-launch-private.h"

#include "base/orrery-error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef union {
  struct cmsghdr header; /* for its alignment */
  char bytes[CMSG_SPACE (sizeof (int))];
} Control;

static gboolean
fail (const char *what, int code, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (code));
  return FALSE;
}

/* --- between fork and exec --- */

static void
set_signals (const sigset_t *none)
{
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  struct sigaction usual = { .sa_handler = SIG_DFL };

  sigaction (SIGINT, &ignore, NULL);
  sigaction (SIGTERM, &usual, NULL);
  sigaction (SIGCHLD, &usual, NULL);
  sigprocmask (SIG_SETMASK, none, NULL);
}

/* @report: told why it did not come to the new program; closed by that */
static void __attribute__ ((noreturn)) become (const char *const *command, int socket, int number,
                                               int report, pid_t parent, const sigset_t *none)
{
  int nothing, code;
  gssize written;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  if (report <= number)
    report = fcntl (report, F_DUPFD_CLOEXEC, number + 1);
  if (socket == number)
    fcntl (socket, F_SETFD, 0);
  else
    dup2 (socket, number);
  nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0)
    dup2 (nothing, STDIN_FILENO);
  close_range ((unsigned int) number + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  set_signals (none);
  execv (command[0], (char *const *) command + 1);
  code = errno;
  written = write (report, &code, sizeof code);
  (void) written;
  _exit (127);
}

/* --- this side --- */

/* Whether it became the program; waits for that, not for the program. */
static gboolean
hear (pid_t pid, int report, const char *path, GError **error)
{
  int code = 0;
  gssize n = TEMP_FAILURE_RETRY (read (report, &code, sizeof code));

  if (n != sizeof code)
    return TRUE;
  TEMP_FAILURE_RETRY (waitpid (pid, NULL, 0));
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s cannot be run: %s", path,
               g_strerror (code));
  return FALSE;
}

pid_t
orrery_launch (const char *const *command, int socket, int number, GError **error)
{
  sigset_t all, before, none;
  pid_t parent = getpid (), pid;
  int report[2], code;

  if (pipe2 (report, O_CLOEXEC) != 0) {
    fail ("no pipe for a new process", errno, error);
    return -1;
  }
  sigfillset (&all);
  sigemptyset (&none);
  /* No handler of ours may run in the child. */
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pid = _Fork ();
  if (pid == 0)
    become (command, socket, number, report[1], parent, &none);
  code = errno;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  close (report[1]);
  if (pid < 0)
    fail ("no new process", code, error);
  else if (!hear (pid, report[0], command[0], error))
    pid = -1;
  close (report[0]);
  return pid;
}

gboolean
orrery_packet_send (int socket, gconstpointer bytes, gsize size, int fd)
{
  struct iovec part = { .iov_base = (gpointer) bytes, .iov_len = size };
  Control control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  gssize n;

  if (fd >= 0) {
    struct cmsghdr *rights;

    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    rights = CMSG_FIRSTHDR (&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN (sizeof fd);
    memcpy (CMSG_DATA (rights), &fd, sizeof fd);
  }
  n = TEMP_FAILURE_RETRY (sendmsg (socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
  return n == (gssize) size;
}

gssize
orrery_packet_receive (int socket, gpointer bytes, gsize size, int *fd, int flags)
{
  struct iovec part = { .iov_base = bytes, .iov_len = size };
  Control control = { 0 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  gssize n = TEMP_FAILURE_RETRY (recvmsg (socket, &message, MSG_CMSG_CLOEXEC | flags));
  struct cmsghdr *rights = n > 0 ? CMSG_FIRSTHDR (&message) : NULL;
  int got = -1;

  if (rights != NULL && rights->cmsg_type == SCM_RIGHTS &&
      rights->cmsg_len == CMSG_LEN (sizeof got))
    memcpy (&got, CMSG_DATA (rights), sizeof got);
  if (fd != NULL)
    *fd = got;
  else if (got >= 0)
    close (got);
  return n;
}
