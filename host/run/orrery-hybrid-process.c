/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "base/orrery-error.h"
#include "run/orrery-hybrid-private.h"
#include "run/orrery-launch-private.h"
#include "run/orrery-packet-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The processes of background loops, as their world sees them. */

/* --- whether it can start --- */

static gboolean
check_clock (OrreryHybrid *hybrid, GError **error)
{
  if (ORRERY_IS_WALL_CLOCK (hybrid->clock) || hybrid->brings_clock)
    return TRUE;
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
               "a world with processes goes by an OrreryWallClock; an %s is in one process alone",
               G_OBJECT_TYPE_NAME (hybrid->clock));
  return FALSE;
}

static gboolean
check_funcs (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  if (hybrid->command != NULL)
    return TRUE;
  if (loop->funcs == NULL)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "%s: nothing is said of the command that its process runs", loop->name);
  else if (orrery_loop_get_program () == NULL)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "%s: main() has to call orrery_loop_main() before anything else", loop->name);
  else if (!orrery_loop_is_known (loop->funcs))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "%s: orrery_loop_main() was not given what %s does", loop->name,
                 loop->funcs->name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_pipes (OrreryLoop *loop, GError **error)
{
  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryChannel *channel = g_array_index (loop->ends, OrreryLoopEnd, i).channel;

    if (orrery_channel_get_transport (channel) != ORRERY_TRANSPORT_LOCAL)
      continue;
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
        "%s: its pipe %s is local and stays in this process; queue and latest go between them",
        loop->name, orrery_channel_get_name (channel));
    return FALSE;
  }
  return TRUE;
}

gboolean
orrery_hybrid_check_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  return check_clock (hybrid, error) && check_funcs (hybrid, loop, error) &&
         check_pipes (loop, error);
}

/* --- its end --- */

static void
clear_process (OrreryLoopProcess *process)
{
  orrery_hybrid_clear_source (&process->watch);
  orrery_hybrid_clear_source (&process->input);
  if (process->socket >= 0)
    close (process->socket);
  if (process->pid_fd >= 0)
    close (process->pid_fd);
  process->socket = -1;
  process->pid_fd = -1;
  process->pid = 0;
  g_clear_pointer (&process->words, g_free);
}

/* What its process said, else what the kernel says of it. */
static GError *
make_error (OrreryLoop *loop, int status)
{
  OrreryLoopProcess *process = &loop->process;

  if (process->words != NULL)
    return g_error_new_literal (ORRERY_ERROR, ORRERY_ERROR_INTERNAL, process->words);
  if (process->done)
    return NULL;
  if (WIFSIGNALED (status))
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_INTERNAL,
                        "%s: its process was ended by signal %d (%s)", loop->name,
                        WTERMSIG (status), g_strsignal (WTERMSIG (status)));
  if (WEXITSTATUS (status) != 0)
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_INTERNAL, "%s: its process ended with code %d",
                        loop->name, WEXITSTATUS (status));
  return NULL;
}

static gboolean
take_message (OrreryLoop *loop, const char *bytes, gsize size)
{
  OrreryHybrid *hybrid = loop->hybrid;
  OrreryLoopProcess *process = &loop->process;

  switch (bytes[0]) {
  case ORRERY_LOOP_READY:
    process->ready = TRUE;
    break;
  case ORRERY_LOOP_DONE:
    process->done = TRUE;
    break;
  case ORRERY_LOOP_ERROR:
    g_free (process->words);
    process->words = g_utf8_make_valid (bytes + 1, (gssize) size - 1);
    break;
  case ORRERY_LOOP_STOP:
    orrery_hybrid_stop (hybrid);
    break;
  default:
    break;
  }
  return TRUE;
}

/* Returns: FALSE: nothing more will come */
static gboolean
take_messages (OrreryLoop *loop)
{
  char bytes[ORRERY_LOOP_MAX_MESSAGE];
  gssize n;

  do
    n = orrery_packet_receive (loop->process.socket, bytes, sizeof bytes, NULL, MSG_DONTWAIT);
  while (n > 0 && take_message (loop, bytes, (gsize) n));
  return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static gboolean
on_input (gint fd, GIOCondition condition, gpointer data)
{
  OrreryLoop *loop = data;

  return take_messages (loop) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
end_process (OrreryLoop *owned, int status)
{
  g_autoptr (OrreryLoop) loop = g_object_ref (owned);
  OrreryHybrid *hybrid = loop->hybrid;
  GError *error;

  take_messages (loop);
  error = make_error (loop, status);
  clear_process (&loop->process);
  if (hybrid->state == ORRERY_HYBRID_STOPPING) {
    orrery_hybrid_say (hybrid, "joined: %s", loop->name);
    g_clear_error (&error);
    orrery_hybrid_join (hybrid);
    return;
  }
  orrery_hybrid_end_loop (hybrid, loop, error);
}

/* A descriptor of a process is readable once that has ended. */
static gboolean
on_process_end (gint fd, GIOCondition condition, gpointer data)
{
  OrreryLoop *loop = data;
  int status = 0;

  TEMP_FAILURE_RETRY (waitpid (loop->process.pid, &status, 0));
  end_process (loop, status);
  return G_SOURCE_REMOVE;
}

static void
on_child (GPid pid, gint status, gpointer data)
{
  end_process (data, status);
}

/* --- its start --- */

static GVariant *
describe (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  OrreryWallClock *wall = ORRERY_IS_WALL_CLOCK (hybrid->clock) ? (gpointer) hybrid->clock : NULL;
  GVariantBuilder ends;
  GVariant *clock = NULL;

  g_variant_builder_init (&ends, G_VARIANT_TYPE ("a(sb)"));
  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryLoopEnd *of_pipe = &g_array_index (loop->ends, OrreryLoopEnd, i);

    g_variant_builder_add (&ends, "(sb)", orrery_channel_get_name (of_pipe->channel),
                           of_pipe->emits);
  }
  if (wall != NULL)
    clock = g_variant_new ("(xd)", orrery_wall_clock_get_origin (wall),
                           orrery_wall_clock_get_rate (wall));
  return g_variant_new ("(smv@m(xd)a(sb))", loop->name, loop->arguments,
                        g_variant_new_maybe (G_VARIANT_TYPE ("(xd)"), clock), &ends);
}

static int
write_spec (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  g_autoptr (GVariant) spec = g_variant_ref_sink (describe (hybrid, loop));
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (spec);

  if (g_bytes_get_size (bytes) > ORRERY_LOOP_MAX_SPEC) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                 "arguments of %" G_GSIZE_FORMAT " bytes, at most %" G_GUINT64_FORMAT,
                 g_bytes_get_size (bytes), ORRERY_LOOP_MAX_SPEC);
    return -1;
  }
  return orrery_sealed_file_new ("orrery-loop", g_bytes_get_data (bytes, NULL),
                                 g_bytes_get_size (bytes), error);
}

/* Into the socket before there is anybody at its other end: nothing that dies keeps us waiting. */
static gboolean
write_all (OrreryHybrid *hybrid, OrreryLoop *loop, int socket, GError **error)
{
  const char letter = ORRERY_LOOP_SPEC;
  int fd = write_spec (hybrid, loop, error);
  gboolean sent;

  if (fd < 0)
    return FALSE;
  sent = orrery_packet_send (socket, &letter, 1, fd, MSG_DONTWAIT);
  close (fd);
  if (!sent)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "cannot be told what to do: %s",
                 g_strerror (errno));
  for (guint i = 0; sent && i < loop->ends->len; i++)
    sent =
        orrery_channel_send (g_array_index (loop->ends, OrreryLoopEnd, i).channel, socket, error);
  return sent;
}

/* This very file, also if there is another one at its place by now. */
static char *
find_program (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);

  if (path == NULL || g_str_has_suffix (path, " (deleted)"))
    return g_strdup ("/proc/self/exe");
  return g_steal_pointer (&path);
}

static pid_t
start_command (OrreryHybrid *hybrid, OrreryLoop *loop, int socket, GError **error)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autofree char *program = find_program ();
  OrreryLaunch launch = { .socket = socket, .words = { -1, -1 } };

  if (hybrid->command != NULL) {
    g_ptr_array_add (command, hybrid->command[0]);
    for (guint i = 0; hybrid->command[i] != NULL; i++)
      g_ptr_array_add (command, hybrid->command[i]);
  } else {
    g_ptr_array_add (command, program);
    g_ptr_array_add (command, (gpointer) orrery_loop_get_program ());
    g_ptr_array_add (command, (gpointer) ORRERY_LOOP_ARGUMENT);
    g_ptr_array_add (command, (gpointer) loop->funcs->name);
  }
  g_ptr_array_add (command, NULL);
  launch.path = command->pdata[0];
  launch.argv = (const char *const *) command->pdata + 1;
  return orrery_launch (&launch, error);
}

/* Kernels before 5.3 have no descriptors of processes; GLib's way then is a signal. */
static gboolean
watch_end (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  OrreryLoopProcess *process = &loop->process;

  process->pid_fd = (int) syscall (SYS_pidfd_open, process->pid, 0);
  if (process->pid_fd >= 0)
    process->watch = orrery_hybrid_attach (hybrid, g_unix_fd_source_new (process->pid_fd, G_IO_IN),
                                           G_SOURCE_FUNC (on_process_end), loop);
  else if (errno == ENOSYS)
    process->watch = orrery_hybrid_attach (hybrid, g_child_watch_source_new (process->pid),
                                           G_SOURCE_FUNC (on_child), loop);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "its process cannot be watched: %s",
                 g_strerror (errno));
  return process->watch != NULL;
}

static gboolean
watch_process (OrreryHybrid *hybrid, OrreryLoop *loop, pid_t pid, int socket, GError **error)
{
  OrreryLoopProcess *process = &loop->process;

  *process = (OrreryLoopProcess){ .pid = pid, .socket = socket, .pid_fd = -1 };
  if (!watch_end (hybrid, loop, error)) {
    orrery_hybrid_drop_process (loop);
    return FALSE;
  }
  process->input = orrery_hybrid_attach (hybrid, g_unix_fd_source_new (socket, G_IO_IN | G_IO_HUP),
                                         G_SOURCE_FUNC (on_input), loop);
  return TRUE;
}

gboolean
orrery_hybrid_start_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  g_autofree char *transports = orrery_loop_get_transports (loop);
  int sockets[2];
  pid_t pid = -1;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "%s: no socket for its process: %s",
                 loop->name, g_strerror (errno));
    return FALSE;
  }
  if (write_all (hybrid, loop, sockets[0], error))
    pid = start_command (hybrid, loop, sockets[1], error);
  close (sockets[1]);
  if (pid < 0)
    close (sockets[0]);
  if (pid < 0 || !watch_process (hybrid, loop, pid, sockets[0], error)) {
    g_prefix_error (error, "%s: ", loop->name);
    return FALSE;
  }
  orrery_hybrid_say (hybrid, "background process started: %s (process %d), %s", loop->name,
                     (int) pid, transports);
  return TRUE;
}

/* --- its stop --- */

void
orrery_hybrid_stop_process (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  const char letter = ORRERY_LOOP_STOP;

  orrery_packet_send (loop->process.socket, &letter, 1, -1, MSG_DONTWAIT);
  take_messages (loop);
  /* One that has not come to its first step has nothing to tidy up, and hears of nothing yet. */
  if (!loop->process.ready)
    kill (loop->process.pid, SIGTERM);
}

void
orrery_hybrid_kill_process (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  orrery_hybrid_say (hybrid, "killed: %s did not end within %g s", loop->name,
                     (double) hybrid->limit / ORRERY_SECOND);
  kill (loop->process.pid, SIGKILL);
}

void
orrery_hybrid_drop_process (OrreryLoop *loop)
{
  pid_t pid = loop->process.pid;

  if (pid == 0)
    return;
  clear_process (&loop->process);
  kill (pid, SIGKILL);
  TEMP_FAILURE_RETRY (waitpid (pid, NULL, 0));
}
