/* SPDX-License-Identifier: BSD-3-Clause */
/* The fork server of a batch: it has loaded the scene's plugins once, and forks a process for each
 * run or block of runs, which then neither links nor loads anything. */
#define _GNU_SOURCE
#include "batch.h"

#include "../commands.h"
#include "../support/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process of more than one thread must not fork one that goes on: whatever lock another thread
 * holds would stay locked there. */
#define ONE_THREAD 1

typedef struct {
  Batch *batch;
  int socket;
  int signals;
  sigset_t mask;         /* as it was */
  GHashTable *processes; /* (element-type pid_t guint32): tickets */
  char buffer[sizeof (BatchMessage) + BATCH_MAX_BLOCK * sizeof (guint64)];
} Server;

double
batch_get_cpu (const struct rusage *usage)
{
  return (double) (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
         (double) (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

static void
tell (Server *server, BatchWord word, guint32 ticket, gint64 value, BatchCost cost)
{
  BatchMessage message = { word, ticket, value, cost };

  /* Without the other end nobody wants the runs. */
  if (TEMP_FAILURE_RETRY (send (server->socket, &message, sizeof message, MSG_NOSIGNAL)) < 0)
    _exit (CLI_IO);
}

/* --- before the first fork --- */

static guint
count_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  while (tasks != NULL && g_dir_read_name (tasks) != NULL)
    n++;
  return n;
}

/* As `orrery check` does, which opens no port and writes no file. */
static void
load_scene (Batch *batch)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  int status = CLI_OK;

  cli_log_start (TRUE);
  cli_log_mute (TRUE);
  registry = cli_registry_new (batch->options->plugin_dirs, &status);
  if (registry != NULL && cli_settings_add ("batch", options, batch->options->settings)) {
    g_object_set (options, "check-only", TRUE, "read-limit", cli_get_read_limit (), NULL);
    simulation = orrery_simulation_load_with_options (registry, batch->scene, options, NULL);
  }
  cli_log_mute (FALSE);
}

/* A process of its own tries it first: what crashes there, hangs (this one then never gets ready,
 * and the runs go without it) or leaves threads behind is not loaded here. */
static gboolean
can_load (Batch *batch)
{
  pid_t child = fork ();
  int status = 0;

  if (child == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    load_scene (batch);
    _exit (count_threads () == ONE_THREAD ? CLI_OK : CLI_DIFFERENT);
  }
  return child > 0 && TEMP_FAILURE_RETRY (waitpid (child, &status, 0)) == child &&
         WIFEXITED (status) && WEXITSTATUS (status) == CLI_OK;
}

/* --- the runs --- */

static int
do_run (Batch *batch, guint64 index)
{
  g_autoptr (GPtrArray) command = batch_make_command (batch, index);
  g_autofree char *directory = batch_get_run_directory (batch, index);
  g_autofree char *name = g_path_get_basename (directory);
  g_autofree gpointer words = NULL;
  g_autoptr (GError) error = NULL;
  int log = batch_open_log (batch, index, &error);
  int status;

  if (log < 0 || dup2 (log, STDOUT_FILENO) < 0 || dup2 (log, STDERR_FILENO) < 0 ||
      chdir (directory) != 0)
    return CLI_IO;
  close (log);
  prctl (PR_SET_NAME, name);
  cli_set_arguments ((char **) command->pdata);
  /* Options are parsed in place. */
  words = g_memdup2 (command->pdata, command->len * sizeof (gpointer));
  status = cli_morse_exit_code (cli_run ((int) command->len - 2, (char **) words + 1));
  return cli_check_output (status);
}

static BatchCost
get_cost (gint64 started)
{
  struct rusage usage, children;

  getrusage (RUSAGE_SELF, &usage);
  getrusage (RUSAGE_CHILDREN, &children);
  return (BatchCost){ (double) (g_get_monotonic_time () - started) * 1e-6,
                      batch_get_cpu (&usage) + batch_get_cpu (&children),
                      (guint64) usage.ru_maxrss * 1024 };
}

/* In a process of its own. */
static void
do_block (Server *server, guint32 ticket, const guint64 *runs, guint n, pid_t parent)
{
  int status = CLI_OK;

  prctl (PR_SET_PDEATHSIG, SIGTERM);
  /* The server was killed just now: so is this. */
  if (getppid () != parent)
    _exit (128 + SIGTERM);
  signal (SIGINT, SIG_DFL);
  signal (SIGHUP, SIG_DFL);
  close (server->signals);
  /* A scene with classes in Python goes on in another program, which keeps them, too. */
  if (server->batch->lock >= 0)
    fcntl (server->batch->lock, F_SETFD, 0);
  if (server->batch->alive >= 0)
    fcntl (server->batch->alive, F_SETFD, 0);
  pthread_sigmask (SIG_SETMASK, &server->mask, NULL);
  /* A run whose result cannot be read is done again: see batch_find_result(). */
  cli_result_leave_unsynced ();
  for (guint i = 0; i < n; i++) {
    gint64 started = g_get_monotonic_time ();

    status = do_run (server->batch, runs[i]);
    if (cli_control_get_exit_code (CLI_OK) != CLI_OK)
      break;
    if (i + 1 < n)
      tell (server, BATCH_DONE, ticket, status, get_cost (started));
  }
  _exit (status);
}

static void
start_block (Server *server, const BatchMessage *message, gsize length)
{
  pid_t parent = getpid ();
  pid_t pid = -1;
  guint n = (guint) ((length - sizeof *message) / sizeof (guint64));

  pid = fork ();
  if (pid == 0)
    do_block (server, message->ticket, (const guint64 *) (message + 1), n, parent);
  if (pid < 0) {
    /* As a process that ends at once; the run then has no result. */
    tell (server, BATCH_ENDED, message->ticket, W_EXITCODE (CLI_SYSTEM, 0), (BatchCost){ 0 });
    return;
  }
  g_hash_table_insert (server->processes, GINT_TO_POINTER (pid),
                       GUINT_TO_POINTER (message->ticket));
  tell (server, BATCH_STARTED, message->ticket, pid, (BatchCost){ 0 });
}

/* The number of a process that has ended may be that of another one. */
static void
kill_block (Server *server, const BatchMessage *message)
{
  GHashTableIter iter;
  gpointer pid, ticket;

  g_hash_table_iter_init (&iter, server->processes);
  while (g_hash_table_iter_next (&iter, &pid, &ticket))
    if (GPOINTER_TO_UINT (ticket) == message->ticket)
      kill (GPOINTER_TO_INT (pid), (int) message->value);
}

static void
reap (Server *server)
{
  struct signalfd_siginfo info;
  struct rusage usage;
  int status = 0;
  pid_t pid;

  while (read (server->signals, &info, sizeof info) > 0)
    continue;
  while ((pid = wait4 (-1, &status, WNOHANG, &usage)) > 0) {
    guint32 ticket =
        GPOINTER_TO_UINT (g_hash_table_lookup (server->processes, GINT_TO_POINTER (pid)));
    BatchCost cost = { 0, batch_get_cpu (&usage), (guint64) usage.ru_maxrss * 1024 };

    if (g_hash_table_remove (server->processes, GINT_TO_POINTER (pid)))
      tell (server, BATCH_ENDED, ticket, status, cost);
  }
}

/* @least: bytes. Returns: the length of what came; there is nobody any more: this ends. */
static gsize
receive (Server *server, gsize least)
{
  gssize length =
      TEMP_FAILURE_RETRY (recv (server->socket, server->buffer, sizeof server->buffer, 0));

  if (length < (gssize) least)
    _exit (CLI_OK);
  return (gsize) length;
}

static void
take_message (Server *server)
{
  gsize length = receive (server, sizeof (BatchMessage));
  const BatchMessage *message = (const BatchMessage *) (gpointer) server->buffer;

  if (message->word == BATCH_START)
    start_block (server, message, length);
  else if (message->word == BATCH_KILL)
    kill_block (server, message);
}

static void
set_up (Server *server)
{
  sigset_t children;
  int none = open ("/dev/null", O_RDWR | O_CLOEXEC);

  /* The terminal's signals are for the command; it closes the socket. */
  signal (SIGINT, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  prctl (PR_SET_NAME, "orrery-server");
  for (int fd = STDIN_FILENO; none >= 0 && fd <= STDERR_FILENO; fd++)
    dup2 (none, fd);
  sigemptyset (&children);
  sigaddset (&children, SIGCHLD);
  pthread_sigmask (SIG_BLOCK, &children, &server->mask);
  server->signals = signalfd (-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
  server->processes = g_hash_table_new (NULL, NULL);
}

void
batch_serve (Batch *batch, int socket)
{
  static Server server;
  struct pollfd fds[2];
  gsize length;

  server.batch = batch;
  server.socket = socket;
  set_up (&server);
  length = receive (&server, 1);
  batch->scene = g_strndup (server.buffer, length);
  if (can_load (batch))
    load_scene (batch);
  if (server.signals < 0 || count_threads () != ONE_THREAD)
    _exit (CLI_DIFFERENT);
  tell (&server, BATCH_READY, 0, 0, (BatchCost){ 0 });
  fds[0] = (struct pollfd){ .fd = socket, .events = POLLIN };
  fds[1] = (struct pollfd){ .fd = server.signals, .events = POLLIN };
  for (;;) {
    if (poll (fds, G_N_ELEMENTS (fds), -1) < 0 && errno != EINTR)
      _exit (CLI_SYSTEM);
    /* What a process has said itself came before its end. */
    if (fds[1].revents != 0)
      reap (&server);
    if (fds[0].revents != 0)
      take_message (&server);
  }
}
