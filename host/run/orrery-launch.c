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
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors are moved above those that a child finds, so that none takes another's place. */
#define FIRST_FREE 10

static gboolean
fail (const char *what, int code, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (code));
  return FALSE;
}

/* --- between fork and exec --- */

static gboolean
is_apart (const OrreryLaunch *launch)
{
  return launch->words[1] >= 0;
}

static void
set_signals (const OrreryLaunch *launch, const sigset_t *none)
{
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  struct sigaction usual = { .sa_handler = SIG_DFL };

  /* What this process ignores is its own affair. */
  for (int i = 1; is_apart (launch) && i < NSIG; i++)
    sigaction (i, &usual, NULL);
  if (!is_apart (launch))
    sigaction (SIGINT, &ignore, NULL);
  sigaction (SIGTERM, &usual, NULL);
  sigaction (SIGCHLD, &usual, NULL);
  sigprocmask (SIG_SETMASK, none, NULL);
}

static int
move_up (int fd)
{
  return fcntl (fd, F_DUPFD_CLOEXEC, FIRST_FREE);
}

/* Returns: the last that the program has */
static int
set_descriptors (const OrreryLaunch *launch)
{
  int socket = move_up (launch->socket);
  int in = is_apart (launch) ? move_up (launch->words[0]) : -1;
  int out = is_apart (launch) ? move_up (launch->words[1]) : -1;
  int nothing;

  dup2 (socket, ORRERY_LAUNCH_SOCKET);
  if (is_apart (launch)) {
    dup2 (out, STDOUT_FILENO);
    dup2 (out, STDERR_FILENO);
    dup2 (in, ORRERY_LAUNCH_WORDS);
  }
  nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0)
    dup2 (nothing, STDIN_FILENO);
  return is_apart (launch) ? ORRERY_LAUNCH_WORDS : ORRERY_LAUNCH_SOCKET;
}

/* @report: told why it did not come to the new program; closed by that */
static void __attribute__ ((noreturn))
become (const OrreryLaunch *launch, int report, pid_t parent, const sigset_t *none)
{
  int code, last;
  gssize written;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  if (is_apart (launch))
    setpgid (0, 0);
  report = move_up (report);
  last = set_descriptors (launch);
  close_range ((unsigned int) last + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  set_signals (launch, none);
  execv (launch->path, (char *const *) launch->argv);
  code = errno;
  written = write (report, &code, sizeof code);
  (void) written;
  _exit (127);
}

/* --- the thread that starts children --- */

typedef struct {
  const OrreryLaunch *launch;
  pid_t pid;
  GError *error;
  gboolean done;
} Order;

typedef struct {
  pid_t owner; /* a process that was forked has no such thread */
  GMutex lock;
  GCond cond;
  Order *order;
} Nursery;

static Nursery nursery;
static GMutex nursery_door;

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

static pid_t
start (const OrreryLaunch *launch, GError **error)
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
    become (launch, report[1], parent, &none);
  code = errno;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  close (report[1]);
  if (pid < 0)
    fail ("no new process", code, error);
  else if (!hear (pid, report[0], launch->path, error))
    pid = -1;
  close (report[0]);
  return pid;
}

static gpointer
serve (gpointer data)
{
  Nursery *self = data;

  g_mutex_lock (&self->lock);
  for (;;) {
    while (self->order == NULL)
      g_cond_wait (&self->cond, &self->lock);
    self->order->pid = start (self->order->launch, &self->order->error);
    self->order->done = TRUE;
    self->order = NULL;
    g_cond_broadcast (&self->cond);
  }
  return NULL;
}

static gboolean
ensure_nursery (GError **error)
{
  g_autoptr (GThread) thread = NULL;

  if (nursery.owner == getpid ())
    return TRUE;
  memset (&nursery, 0, sizeof nursery);
  g_mutex_init (&nursery.lock);
  g_cond_init (&nursery.cond);
  thread = g_thread_try_new ("orrery-nursery", serve, &nursery, error);
  if (thread != NULL)
    nursery.owner = getpid ();
  return thread != NULL;
}

pid_t
orrery_launch (const OrreryLaunch *launch, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&nursery_door);
  Order order = { .launch = launch };

  if (!ensure_nursery (error))
    return -1;
  g_mutex_lock (&nursery.lock);
  nursery.order = &order;
  g_cond_broadcast (&nursery.cond);
  while (!order.done)
    g_cond_wait (&nursery.cond, &nursery.lock);
  g_mutex_unlock (&nursery.lock);
  if (order.error != NULL)
    g_propagate_error (error, order.error);
  return order.pid;
}
