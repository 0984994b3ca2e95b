/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of the runs: the fork server starts them, or this program itself. */
#define _GNU_SOURCE
#include "batch.h"

#include "../support/cli.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* For fewer runs it is not worth it to load the scene once more. */
#define LEAST_RUNS 8

struct _BatchLauncher {
  pid_t pid;
  int socket;
  guint source;
  gboolean is_ready;
  guint32 ticket; /* the latest */
};

/* --- processes that this program started --- */

static BatchCost
make_cost (const BatchProcess *process, const struct rusage *usage)
{
  BatchCost cost = { (double) (g_get_monotonic_time () - process->started) * 1e-6, -1, 0 };

  if (usage != NULL) {
    cost.cpu = batch_get_cpu (usage);
    /* Linux counts in KiB. */
    cost.memory = (guint64) usage->ru_maxrss * 1024;
  }
  return cost;
}

static gboolean
on_pid_fd (int fd, GIOCondition condition, gpointer user_data)
{
  BatchProcess *process = user_data;
  struct rusage usage = { 0 };
  BatchCost cost;
  int status = 0;

  if (TEMP_FAILURE_RETRY (wait4 (process->pid, &status, WNOHANG, &usage)) != process->pid)
    return G_SOURCE_CONTINUE;
  cost = make_cost (process, &usage);
  batch_note_ended (process, status, &cost);
  return G_SOURCE_REMOVE;
}

static void
on_end (GPid pid, int status, gpointer user_data)
{
  BatchProcess *process = user_data;
  BatchCost cost = make_cost (process, NULL);

  batch_note_ended (process, status, &cost);
}

static void
watch (BatchProcess *process)
{
  process->pid_fd = (int) syscall (SYS_pidfd_open, process->pid, 0);
  /* Linux before 5.3 has no such call, and GLib does not say what a child has used. */
  if (process->pid_fd >= 0)
    g_unix_fd_add (process->pid_fd, G_IO_IN, on_pid_fd, process);
  else
    g_child_watch_add (process->pid, on_end, process);
}

/* --- those of the server --- */

static gboolean
send_message (BatchLauncher *launcher, BatchMessage message, gconstpointer data, gsize length)
{
  struct iovec parts[] = { { &message, sizeof message }, { (gpointer) data, length } };
  struct msghdr head = { .msg_iov = parts, .msg_iovlen = G_N_ELEMENTS (parts) };

  return TEMP_FAILURE_RETRY (sendmsg (launcher->socket, &head, MSG_NOSIGNAL)) >= 0;
}

/* Its processes, which its end ends, are then children of this program. */
static void
lose_server (Batch *batch)
{
  BatchLauncher *launcher = batch->launcher;
  g_autoptr (GPtrArray) lost = g_ptr_array_new ();

  launcher->is_ready = FALSE;
  for (guint i = 0; i < batch->going->len; i++) {
    BatchProcess *process = batch->going->pdata[i];

    if (process->ticket != 0)
      g_ptr_array_add (lost, process);
  }
  for (guint i = 0; i < lost->len; i++) {
    BatchProcess *process = lost->pdata[i];
    BatchCost cost = make_cost (process, NULL);

    process->ticket = 0;
    if (process->pid > 0)
      watch (process);
    else
      batch_note_ended (process, SIGKILL, &cost);
  }
}

static BatchProcess *
find_process (Batch *batch, guint32 ticket)
{
  for (guint i = 0; i < batch->going->len; i++) {
    BatchProcess *process = batch->going->pdata[i];

    if (process->ticket == ticket)
      return process;
  }
  return NULL;
}

static void
note_started (BatchProcess *process, gint64 pid)
{
  process->pid = (GPid) pid;
  /* Its signals came when nobody could be sent them. */
  if (g_cancellable_is_cancelled (cli_control_get_cancellable ()))
    batch_process_kill (process, SIGTERM);
}

static void
take_message (Batch *batch, BatchMessage *message)
{
  BatchProcess *process = find_process (batch, message->ticket);

  if (message->word == BATCH_READY)
    batch->launcher->is_ready = TRUE;
  else if (process != NULL && message->word == BATCH_STARTED)
    note_started (process, message->value);
  else if (process != NULL && message->word == BATCH_DONE)
    batch_note_done (process, W_EXITCODE ((int) message->value, 0), &message->cost);
  else if (process != NULL && message->word == BATCH_ENDED) {
    message->cost.wall = make_cost (process, NULL).wall;
    batch_note_ended (process, (int) message->value, &message->cost);
  }
}

static gboolean
on_message (int fd, GIOCondition condition, gpointer user_data)
{
  Batch *batch = user_data;
  BatchMessage message;
  gssize length = TEMP_FAILURE_RETRY (recv (fd, &message, sizeof message, MSG_DONTWAIT));

  if (length < 0 && errno == EAGAIN)
    return G_SOURCE_CONTINUE;
  if (length == (gssize) sizeof message) {
    take_message (batch, &message);
    return G_SOURCE_CONTINUE;
  }
  batch->launcher->source = 0;
  lose_server (batch);
  return G_SOURCE_REMOVE;
}

/* --- the server --- */

void
batch_launcher_start (Batch *batch)
{
  int ends[2];
  pid_t pid, parent = getpid ();

  if (batch->options->end - batch->options->first < LEAST_RUNS ||
      batch_engine_is_remote (batch->options) ||
      socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  pid = fork ();
  if (pid == 0) {
    prctl (PR_SET_PDEATHSIG, SIGTERM);
    close (ends[0]);
    if (getppid () != parent)
      _exit (CLI_OK);
    batch_serve (batch, ends[1]);
  }
  close (ends[1]);
  if (pid < 0) {
    close (ends[0]);
    return;
  }
  /* Without their server, its processes become those of this program. */
  prctl (PR_SET_CHILD_SUBREAPER, 1);
  batch->launcher = g_new0 (BatchLauncher, 1);
  batch->launcher->pid = pid;
  batch->launcher->socket = ends[0];
}

void
batch_launcher_open (Batch *batch)
{
  BatchLauncher *launcher = batch->launcher;

  if (launcher == NULL)
    return;
  if (send (launcher->socket, batch->scene, strlen (batch->scene), MSG_NOSIGNAL) > 0)
    launcher->source = g_unix_fd_add (launcher->socket, G_IO_IN, on_message, batch);
}

void
batch_launcher_close (Batch *batch)
{
  BatchLauncher *launcher = batch->launcher;

  if (launcher == NULL)
    return;
  if (launcher->source != 0)
    g_source_remove (launcher->source);
  close (launcher->socket);
  /* It may still try the scene. */
  kill (launcher->pid, SIGTERM);
  while (waitpid (launcher->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  g_clear_pointer (&batch->launcher, g_free);
}

guint64
batch_launcher_get_block (Batch *batch)
{
  return batch->launcher != NULL && batch->launcher->is_ready ? batch->options->block : 1;
}

/* --- a process --- */

void
batch_process_free (BatchProcess *process)
{
  if (process->pid_fd >= 0)
    close (process->pid_fd);
  g_free (process->runs);
  g_free (process);
}

void
batch_process_start (Batch *batch, guint64 *runs, guint n)
{
  BatchLauncher *launcher = batch->launcher;
  BatchProcess *process = g_new0 (BatchProcess, 1);

  *process = (BatchProcess){ .batch = batch, .runs = runs, .n = n, .pid_fd = -1 };
  process->started = g_get_monotonic_time ();
  if (launcher != NULL && launcher->is_ready &&
      send_message (launcher, (BatchMessage){ BATCH_START, ++launcher->ticket, n, { 0 } }, runs,
                    n * sizeof *runs)) {
    process->ticket = launcher->ticket;
    g_ptr_array_add (batch->going, process);
    return;
  }
  process->n = 1;
  for (guint i = 1; i < n; i++)
    g_array_append_val (batch->again, runs[i]);
  if (!batch_spawn_run (batch, runs[0], &process->pid, &batch->error)) {
    batch_process_free (process);
    return;
  }
  g_ptr_array_add (batch->going, process);
  watch (process);
}

void
batch_process_kill (BatchProcess *process, int number)
{
  if (process->pid <= 0)
    return;
  if (process->ticket == 0)
    kill (process->pid, number);
  else
    send_message (process->batch->launcher,
                  (BatchMessage){ BATCH_KILL, process->ticket, number, { 0 } }, NULL, 0);
}
