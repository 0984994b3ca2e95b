/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts programs as child processes, from a thread of its own: fork, descriptors, limits, exec. */
#define _GNU_SOURCE
#include "process/orrery-launch-private.h"

#include "base/orrery-error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors are first moved above those of the child, so that none overwrites another. */
#define FIRST_FREE 10

/* --- between fork and exec --- */

static void
set_signals (const OrreryLaunch *launch)
{
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  struct sigaction usual = { .sa_handler = SIG_DFL };
  sigset_t none;

  /* The child does not inherit which signals this process ignores. */
  for (int i = 1; launch->own_group && i < NSIG; i++)
    sigaction (i, &usual, NULL);
  if (!launch->own_group) {
    sigaction (SIGINT, &ignore, NULL);
    sigaction (SIGHUP, &ignore, NULL);
  }
  sigaction (SIGTERM, &usual, NULL);
  sigaction (SIGCHLD, &usual, NULL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

static int
move_up (int fd)
{
  return fcntl (fd, F_DUPFD_CLOEXEC, FIRST_FREE);
}

static void
set_descriptors (const OrreryLaunch *launch)
{
  int moved[ORRERY_LAUNCH_N_FDS];
  int last = STDERR_FILENO;

  for (int i = 0; i < ORRERY_LAUNCH_N_FDS; i++)
    if (launch->fds[i] == ORRERY_LAUNCH_NULL && i <= STDERR_FILENO)
      moved[i] = open ("/dev/null", O_RDWR | O_CLOEXEC);
    else
      moved[i] = launch->fds[i] >= 0 ? move_up (launch->fds[i]) : -1;
  for (int i = 0; i < ORRERY_LAUNCH_N_FDS; i++)
    if (moved[i] >= 0 && dup2 (moved[i], i) > last)
      last = i;
  close_range ((unsigned int) last + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

static void
set_limits (const OrreryLaunch *launch)
{
  const struct rlimit none = { 0, 0 }, cpu = { launch->max_cpu, launch->max_cpu + 1 };

  if (launch->no_core)
    setrlimit (RLIMIT_CORE, &none);
  if (launch->max_cpu > 0)
    setrlimit (RLIMIT_CPU, &cpu);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  /* A program with sanitizers maps many times the memory that it uses. */
  if (launch->max_memory > 0)
    setrlimit (RLIMIT_AS, &(struct rlimit){ launch->max_memory, launch->max_memory });
#endif
}

/* @report: receives the reason if exec fails; closed by a successful exec */
static void __attribute__ ((noreturn))
run_program (const OrreryLaunch *launch, int report, pid_t parent)
{
  char **environment = launch->environment != NULL ? launch->environment : environ;
  gssize written;
  int code;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
  if (launch->own_group)
    setpgid (0, 0);
  report = move_up (report);
  set_descriptors (launch);
  set_limits (launch);
  set_signals (launch);
  execve (launch->path, launch->argv, environment);
  code = errno;
  written = write (report, &code, sizeof code);
  (void) written;
  _exit (127);
}

/* --- the thread that starts children --- */

typedef struct {
  pid_t owner; /* a forked process has no such thread */
  GMutex lock;
  GCond cond;
  GQueue queue; /* (element-type OrreryLaunch) */
} Launcher;

static Launcher launcher;
static GMutex creation;

/* Waits until the child runs its program, not until that ends. */
static void
check_exec (OrreryLaunch *launch, int report)
{
  int code = 0;
  gssize n = TEMP_FAILURE_RETRY (read (report, &code, sizeof code));

  if (n != sizeof code)
    return;
  TEMP_FAILURE_RETRY (waitpid (launch->pid, NULL, 0));
  launch->pid = -1;
  g_set_error (&launch->error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s cannot be run: %s",
               launch->path, g_strerror (code));
}

static void
start (OrreryLaunch *launch)
{
  pid_t parent = getpid ();
  sigset_t all, before;
  int report[2], code;

  launch->pid = -1;
  if (pipe2 (report, O_CLOEXEC) != 0) {
    g_set_error (&launch->error, ORRERY_ERROR, ORRERY_ERROR_IO, "no pipe for a new process: %s",
                 g_strerror (errno));
    return;
  }
  sigfillset (&all);
  /* No signal handler of ours may run in the child. */
  pthread_sigmask (SIG_SETMASK, &all, &before);
  launch->pid = _Fork ();
  if (launch->pid == 0)
    run_program (launch, report[1], parent);
  code = errno;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  close (report[1]);
  if (launch->pid < 0)
    g_set_error (&launch->error, ORRERY_ERROR, ORRERY_ERROR_IO, "no new process: %s",
                 g_strerror (code));
  else
    check_exec (launch, report[0]);
  close (report[0]);
}

static gpointer
start_all (gpointer data)
{
  Launcher *self = data;

  g_mutex_lock (&self->lock);
  for (;;) {
    OrreryLaunch *launch;

    while (g_queue_is_empty (&self->queue))
      g_cond_wait (&self->cond, &self->lock);
    launch = g_queue_pop_head (&self->queue);
    g_mutex_unlock (&self->lock);
    start (launch);
    g_mutex_lock (&self->lock);
    g_atomic_int_set (&launch->done, TRUE);
    g_cond_broadcast (&self->cond);
  }
  return NULL;
}

static gboolean
ensure_launcher (GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&creation);
  g_autoptr (GThread) thread = NULL;

  if (launcher.owner == getpid ())
    return TRUE;
  memset (&launcher, 0, sizeof launcher);
  g_mutex_init (&launcher.lock);
  g_cond_init (&launcher.cond);
  g_queue_init (&launcher.queue);
  thread = g_thread_try_new ("orrery-launch", start_all, &launcher, error);
  if (thread != NULL)
    launcher.owner = getpid ();
  return thread != NULL;
}

gboolean
orrery_launch_begin (OrreryLaunch *launch, GError **error)
{
  if (!ensure_launcher (error))
    return FALSE;
  g_mutex_lock (&launcher.lock);
  g_queue_push_tail (&launcher.queue, launch);
  g_cond_broadcast (&launcher.cond);
  g_mutex_unlock (&launcher.lock);
  return TRUE;
}

gboolean
orrery_launch_is_done (OrreryLaunch *launch)
{
  return g_atomic_int_get (&launch->done);
}

void
orrery_launch_wait (OrreryLaunch *launch)
{
  g_mutex_lock (&launcher.lock);
  while (!orrery_launch_is_done (launch))
    g_cond_wait (&launcher.cond, &launcher.lock);
  g_mutex_unlock (&launcher.lock);
}
