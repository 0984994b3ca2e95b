/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/orrery-process-private.h"

#include "base/orrery-error.h"
#include "run/orrery-launch-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean
fail (const char *what, int number, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (number));
  return FALSE;
}

/* --- starting --- */

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static gboolean
open_ends (OrreryLaunch *launch, int *ours, GError **error)
{
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail ("cannot make a socket", errno, error);
  *ours = ends[0];
  launch->socket = ends[1];
  return pipe2 (launch->words, O_CLOEXEC) == 0 || fail ("cannot make a pipe", errno, error);
}

gboolean
orrery_process_start (OrreryProcess *process, char **argv, GError **error)
{
  OrreryLaunch launch = {
    .path = argv[0], .argv = (const char *const *) argv, .socket = -1, .words = { -1, -1 }
  };
  int ours = -1;
  pid_t pid = open_ends (&launch, &ours, error) ? orrery_launch (&launch, error) : -1;

  *process = ORRERY_PROCESS_NONE;
  if (pid > 0) {
    process->pid = pid;
    process->socket = ours;
    process->words = launch.words[0];
    launch.words[0] = -1;
  } else {
    close_fd (&ours);
  }
  close_fd (&launch.socket);
  close_fd (&launch.words[0]);
  close_fd (&launch.words[1]);
  return pid > 0;
}

/* --- starting in the background --- */

struct _OrreryBirth {
  char **argv;
  OrreryProcess process;
  GError *error;
  gint over; /* atomic */
  GThread *thread;
};

static gpointer
bear (gpointer data)
{
  OrreryBirth *birth = data;

  orrery_process_start (&birth->process, birth->argv, &birth->error);
  g_atomic_int_set (&birth->over, TRUE);
  return NULL;
}

static void
birth_free (OrreryBirth *birth)
{
  g_strfreev (birth->argv);
  g_free (birth);
}

OrreryBirth *
orrery_birth_new (char **argv, GError **error)
{
  OrreryBirth *birth = g_new0 (OrreryBirth, 1);

  birth->argv = argv;
  birth->process = ORRERY_PROCESS_NONE;
  birth->thread = g_thread_try_new ("orrery-birth", bear, birth, error);
  if (birth->thread == NULL)
    g_clear_pointer (&birth, birth_free);
  return birth;
}

gboolean
orrery_birth_is_over (OrreryBirth *birth)
{
  return g_atomic_int_get (&birth->over);
}

gboolean
orrery_birth_end (OrreryBirth *birth, OrreryProcess *process, GError **error)
{
  GError *local;

  g_thread_join (birth->thread);
  *process = birth->process;
  local = birth->error;
  birth_free (birth);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* --- ending --- */

/* Returns whether it has ended; then it is no more. */
static gboolean
reap (OrreryProcess *process, int options)
{
  siginfo_t info = { 0 };
  int result;

  do
    result = waitid (P_PID, (id_t) process->pid, &info, WEXITED | WNOWAIT | options);
  while (result < 0 && errno == EINTR);
  if (result == 0 && info.si_pid == 0)
    return FALSE;
  if (result == 0) {
    /* As long as it is not reaped its group is its own: what it started goes with it. */
    kill (-process->pid, SIGKILL);
    waitid (P_PID, (id_t) process->pid, &info, WEXITED);
  }
  /* Somebody else in this program may have reaped it: then nobody knows how it ended. */
  process->code = result == 0 ? info.si_code : 0;
  process->status = result == 0 ? info.si_status : 0;
  process->pid = 0;
  return TRUE;
}

gboolean
orrery_process_has_ended (OrreryProcess *process)
{
  return process->pid == 0 || reap (process, WNOHANG);
}

void
orrery_process_kill (OrreryProcess *process)
{
  if (process->pid == 0 || reap (process, WNOHANG))
    return;
  kill (process->pid, SIGKILL);
  reap (process, 0);
}

void
orrery_process_clear (OrreryProcess *process)
{
  close_fd (&process->socket);
  close_fd (&process->words);
}

char *
orrery_process_describe_end (const OrreryProcess *process)
{
  const char *name;

  if (process->code == CLD_EXITED)
    return g_strdup_printf ("exited with status %d", process->status);
  if (process->code == 0)
    return g_strdup ("ended, nobody knows how");
  name = sigabbrev_np (process->status);
  return g_strdup_printf ("was killed by SIG%s (%s)", name != NULL ? name : "?",
                          g_strsignal (process->status));
}
