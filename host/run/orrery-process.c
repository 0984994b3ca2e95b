/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/orrery-process-private.h"

#include "base/orrery-error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Descriptors are moved above those that a child finds, so that none takes another's place. */
#define FIRST_FREE 10

static gboolean
fail (const char *what, int number, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: %s", what, g_strerror (number));
  return FALSE;
}

/* --- the thread that starts children --- */

typedef struct {
  char **argv;
  int socket;
  int words[2];
  pid_t pid;
  int status;
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

static int
spawn (Order *order)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int status;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, order->words[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, order->words[1], STDERR_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, order->socket, ORRERY_PROCESS_SOCKET);
  posix_spawn_file_actions_adddup2 (&actions, order->words[0], ORRERY_PROCESS_WORDS);
  posix_spawn_file_actions_addclosefrom_np (&actions, ORRERY_PROCESS_WORDS + 1);
  posix_spawnattr_init (&attributes);
  /* A group of its own: what a terminal sends to the host's is the host's to answer. */
  posix_spawnattr_setflags (&attributes,
                            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup (&attributes, 0);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  status = posix_spawn (&order->pid, order->argv[0], &actions, &attributes, order->argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return status;
}

static gpointer
serve (gpointer data)
{
  Nursery *self = data;

  g_mutex_lock (&self->lock);
  for (;;) {
    while (self->order == NULL)
      g_cond_wait (&self->cond, &self->lock);
    self->order->status = spawn (self->order);
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

static gboolean
place_order (Order *order, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&nursery_door);

  if (!ensure_nursery (error))
    return FALSE;
  g_mutex_lock (&nursery.lock);
  nursery.order = order;
  g_cond_broadcast (&nursery.cond);
  while (!order->done)
    g_cond_wait (&nursery.cond, &nursery.lock);
  g_mutex_unlock (&nursery.lock);
  return order->status == 0 || fail (order->argv[0], order->status, error);
}

/* --- starting --- */

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Replaces a descriptor by one that is none of those that a child finds. */
static gboolean
move_up (int *fd)
{
  int moved = fcntl (*fd, F_DUPFD_CLOEXEC, FIRST_FREE);

  if (moved < 0)
    return FALSE;
  close (*fd);
  *fd = moved;
  return TRUE;
}

static gboolean
open_ends (Order *order, int *ours, GError **error)
{
  int ends[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail ("cannot make a socket", errno, error);
  *ours = ends[0];
  order->socket = ends[1];
  if (pipe2 (order->words, O_CLOEXEC) != 0)
    return fail ("cannot make a pipe", errno, error);
  if (!move_up (&order->socket) || !move_up (&order->words[0]) || !move_up (&order->words[1]))
    return fail ("cannot keep a descriptor", errno, error);
  return TRUE;
}

gboolean
orrery_process_start (OrreryProcess *process, char **argv, GError **error)
{
  Order order = { .argv = argv, .socket = -1, .words = { -1, -1 } };
  int ours = -1;
  gboolean started = open_ends (&order, &ours, error) && place_order (&order, error);

  *process = ORRERY_PROCESS_NONE;
  if (started) {
    process->pid = order.pid;
    process->socket = ours;
    process->words = order.words[0];
    order.words[0] = -1;
  } else {
    close_fd (&ours);
  }
  close_fd (&order.socket);
  close_fd (&order.words[0]);
  close_fd (&order.words[1]);
  return started;
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

/* --- files that are passed --- */

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)

static gboolean
write_all (int fd, const char *data, gsize size)
{
  while (size > 0) {
    gssize n = write (fd, data, size);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    data += n;
    size -= (gsize) n;
  }
  return TRUE;
}

int
orrery_sealed_file_new (const char *name, gconstpointer data, gsize size, GError **error)
{
  int fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (fd < 0) {
    fail ("cannot make shared memory", errno, error);
    return -1;
  }
  if (!write_all (fd, data, size) || fcntl (fd, F_ADD_SEALS, SEALS) != 0) {
    fail ("cannot write shared memory", errno, error);
    close (fd);
    return -1;
  }
  return fd;
}

GBytes *
orrery_sealed_file_read (int fd, gsize limit, GError **error)
{
  off_t size = lseek (fd, 0, SEEK_END);
  g_autofree char *data = NULL;

  if (size < 0 || (gsize) size > limit || (fcntl (fd, F_GET_SEALS) & SEALS) != SEALS) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "what came is no sealed memory");
    return NULL;
  }
  data = g_malloc ((gsize) size + 1);
  for (off_t at = 0; at < size;) {
    gssize n = pread (fd, data + at, (gsize) (size - at), at);

    if (n <= 0) {
      fail ("cannot read shared memory", errno, error);
      return NULL;
    }
    at += n;
  }
  return g_bytes_new_take (g_steal_pointer (&data), (gsize) size);
}

typedef union {
  struct cmsghdr header; /* for its alignment */
  char bytes[CMSG_SPACE (sizeof (int))];
} Control;

gboolean
orrery_file_pass (int socket, int fd, GError **error)
{
  char byte = 'f';
  struct iovec part = { .iov_base = &byte, .iov_len = 1 };
  Control control = { 0 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  struct cmsghdr *rights = CMSG_FIRSTHDR (&message);
  gssize n;

  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN (sizeof (int));
  memcpy (CMSG_DATA (rights), &fd, sizeof fd);
  do
    n = sendmsg (socket, &message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == 1 || fail ("cannot pass a file on", errno, error);
}

int
orrery_file_accept (int socket, GError **error)
{
  char byte = 0;
  struct iovec part = { .iov_base = &byte, .iov_len = 1 };
  Control control = { 0 };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  struct cmsghdr *rights;
  int fd = -1;
  gssize n;

  do
    n = recvmsg (socket, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  rights = n == 1 ? CMSG_FIRSTHDR (&message) : NULL;
  if (rights != NULL && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS &&
      rights->cmsg_len == CMSG_LEN (sizeof (int)))
    memcpy (&fd, CMSG_DATA (rights), sizeof fd);
  if (fd < 0)
    fail ("no file came", n == 0 ? ENOTCONN : errno, error);
  return fd;
}
