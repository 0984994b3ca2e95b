/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the processes of background loops, receives their messages, and ends them. */
#include "base/orrery-error-private.h"
#include "loop/orrery-hybrid-private.h"
#include "process/orrery-packet-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The polling interval for a process if the kernel cannot report its end. */
#define LOOK_MS 10
#define MILLISECOND (ORRERY_SECOND / 1000)

/* --- checks before the start --- */

static gboolean
check_clock (OrreryHybrid *hybrid, GError **error)
{
  if (ORRERY_IS_WALL_CLOCK (hybrid->clock) || hybrid->brings_clock)
    return TRUE;
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "a hybrid with processes needs an OrreryWallClock; an %s works in one process only",
      G_OBJECT_TYPE_NAME (hybrid->clock));
}

static gboolean
check_funcs (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  if (hybrid->command != NULL)
    return TRUE;
  if (loop->funcs == NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: no command was set for its process to run",
                      loop->name);
  else if (orrery_loop_get_program () == NULL)
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "%s: main() has to call orrery_loop_main() before anything else", loop->name);
  else if (!orrery_loop_is_known (loop->funcs))
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "%s: orrery_loop_main() was not given the functions of %s", loop->name,
                      loop->funcs->name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_channels (OrreryLoop *loop, GError **error)
{
  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryChannel *channel = g_array_index (loop->ends, OrreryLoopEnd, i).channel;

    if (orrery_channel_get_transport (channel) != ORRERY_TRANSPORT_LOCAL)
      continue;
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
        "%s: its channel %s is local and stays in this process; queue and latest go between them",
        loop->name, orrery_channel_get_name (channel));
    return FALSE;
  }
  return TRUE;
}

gboolean
orrery_hybrid_check_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  return check_clock (hybrid, error) && check_funcs (hybrid, loop, error) &&
         check_channels (loop, error);
}

/* --- its end --- */

static void
clear_process (OrreryLoopProcess *process)
{
  orrery_hybrid_clear_source (&process->watch);
  orrery_hybrid_clear_source (&process->input);
  orrery_hybrid_clear_source (&process->late);
  g_clear_pointer (&process->child, orrery_child_free);
  g_clear_pointer (&process->message, g_free);
}

/* The error that the process has sent, or else a description of how it ended. */
static GError *
make_error (OrreryLoop *loop)
{
  OrreryLoopProcess *process = &loop->process;
  g_autofree char *end = NULL;

  if (process->message != NULL)
    return g_error_new_literal (ORRERY_ERROR, ORRERY_ERROR_INTERNAL, process->message);
  if (process->done || orrery_child_get_status (process->child) == 0)
    return NULL;
  end = orrery_child_describe_end (process->child);
  return g_error_new (ORRERY_ERROR, ORRERY_ERROR_INTERNAL, "%s: its process %s", loop->name, end);
}

static gboolean
take_message (OrreryLoop *loop, const char *bytes, gsize size)
{
  OrreryHybrid *hybrid = loop->hybrid;
  OrreryLoopProcess *process = &loop->process;

  switch (bytes[0]) {
  case ORRERY_LOOP_READY:
    process->ready = TRUE;
    orrery_hybrid_clear_source (&process->late);
    break;
  case ORRERY_LOOP_DONE:
    process->done = TRUE;
    break;
  case ORRERY_LOOP_ERROR:
    g_free (process->message);
    process->message = g_utf8_make_valid (bytes + 1, (gssize) size - 1);
    break;
  case ORRERY_LOOP_STOP:
    orrery_hybrid_stop (hybrid);
    break;
  default:
    break;
  }
  return TRUE;
}

/* Returns: FALSE: no further message will come */
static gboolean
take_messages (OrreryLoop *loop)
{
  char bytes[ORRERY_LOOP_MAX_MESSAGE];
  gssize n;

  do
    n = orrery_packet_receive (loop->process.child->socket, bytes, sizeof bytes, NULL,
                               MSG_DONTWAIT);
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
end_process (OrreryLoop *owned)
{
  g_autoptr (OrreryLoop) loop = g_object_ref (owned);
  OrreryHybrid *hybrid = loop->hybrid;
  GError *error;

  take_messages (loop);
  error = make_error (loop);
  clear_process (&loop->process);
  if (hybrid->state == ORRERY_HYBRID_STOPPING) {
    orrery_hybrid_say (hybrid, "joined: %s", loop->name);
    g_clear_error (&error);
    orrery_hybrid_join (hybrid);
    return;
  }
  orrery_hybrid_end_loop (hybrid, loop, error);
}

static gboolean
on_look (gpointer data)
{
  OrreryLoop *loop = data;

  if (!orrery_child_has_ended (loop->process.child))
    return G_SOURCE_CONTINUE;
  end_process (loop);
  return G_SOURCE_REMOVE;
}

static gboolean
on_process_end (gint fd, GIOCondition condition, gpointer data)
{
  return on_look (data);
}

/* The hybrid's own thread may have been busy for longer than the limit: then a message of the
 * process that was ready in time waits in the socket. */
static gboolean
on_late (gpointer data)
{
  OrreryLoop *loop = data;
  OrreryHybrid *hybrid = loop->hybrid;
  OrreryLoopProcess *process = &loop->process;

  take_messages (loop);
  if (process->ready)
    return G_SOURCE_REMOVE;
  if (process->message == NULL)
    process->message =
        g_strdup_printf ("%s: process %d of the hybrid was not ready within %g s of its start",
                         loop->name, orrery_child_get_pid (process->child),
                         orrery_time_to_seconds (hybrid->start_limit));
  orrery_child_kill_late (process->child, hybrid->start_limit);
  end_process (loop);
  return G_SOURCE_REMOVE;
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
    OrreryLoopEnd *end = &g_array_index (loop->ends, OrreryLoopEnd, i);

    g_variant_builder_add (&ends, "(sb)", orrery_channel_get_name (end->channel), end->emits);
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
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "arguments of %" G_GSIZE_FORMAT " bytes, at most %" G_GUINT64_FORMAT,
                      g_bytes_get_size (bytes), ORRERY_LOOP_MAX_SPEC);
    return -1;
  }
  return orrery_sealed_file_new ("orrery-loop", g_bytes_get_data (bytes, NULL),
                                 g_bytes_get_size (bytes), error);
}

/* Written to the socket before the child reads: a child that dies early cannot block the write. */
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
    orrery_set_error (error, ORRERY_ERROR_IO, "cannot be sent its arguments: %s",
                      g_strerror (errno));
  for (guint i = 0; sent && i < loop->ends->len; i++)
    sent =
        orrery_channel_send (g_array_index (loop->ends, OrreryLoopEnd, i).channel, socket, error);
  return sent;
}

/* The file of the running program, even if its path names another one by now. */
static char *
find_program (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);

  if (path == NULL || g_str_has_suffix (path, " (deleted)"))
    return g_strdup ("/proc/self/exe");
  return g_steal_pointer (&path);
}

static OrreryChild *
create_child (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  g_autofree char *program = find_program ();
  const char *own[] = { orrery_loop_get_program (), ORRERY_LOOP_ARGUMENT, NULL, NULL };
  OrreryChildSpec spec = { .flags = ORRERY_CHILD_SOCKET };

  if (hybrid->command != NULL) {
    spec.argv = (const char *const *) hybrid->command;
  } else {
    own[2] = loop->funcs->name;
    spec.argv = own;
    spec.path = program;
  }
  return orrery_child_new (&spec, error);
}

static void
watch_process (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  OrreryLoopProcess *process = &loop->process;
  OrreryChild *child = process->child;

  if (child->pid_fd >= 0)
    process->watch = orrery_hybrid_attach (hybrid, g_unix_fd_source_new (child->pid_fd, G_IO_IN),
                                           G_SOURCE_FUNC (on_process_end), loop);
  else
    process->watch = orrery_hybrid_attach (hybrid, g_timeout_source_new (LOOK_MS), on_look, loop);
  process->input =
      orrery_hybrid_attach (hybrid, g_unix_fd_source_new (child->socket, G_IO_IN | G_IO_HUP),
                            G_SOURCE_FUNC (on_input), loop);
  if (hybrid->start_limit > 0)
    process->late =
        orrery_hybrid_attach (hybrid,
                              g_timeout_source_new ((guint) (hybrid->start_limit / MILLISECOND)),
                              on_late, loop);
}

gboolean
orrery_hybrid_start_process (OrreryHybrid *hybrid, OrreryLoop *loop, GError **error)
{
  g_autofree char *transports = orrery_loop_get_transports (loop);
  g_autoptr (OrreryChild) child = create_child (hybrid, loop, error);

  if (child == NULL || !write_all (hybrid, loop, child->socket, error) ||
      !orrery_child_start (child, error))
    return orrery_prefix_error (error, "%s: ", loop->name);
  loop->process = (OrreryLoopProcess){ .child = g_steal_pointer (&child) };
  watch_process (hybrid, loop);
  orrery_hybrid_say (hybrid, "background process started: %s (process %d), %s", loop->name,
                     orrery_child_get_pid (loop->process.child), transports);
  return TRUE;
}

/* --- its stop --- */

void
orrery_hybrid_stop_process (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  const char letter = ORRERY_LOOP_STOP;
  OrreryChild *child = loop->process.child;

  orrery_hybrid_clear_source (&loop->process.late);
  orrery_packet_send (child->socket, &letter, 1, -1, MSG_DONTWAIT);
  take_messages (loop);
  /* A process before its first step has nothing to clean up, and does not read messages yet. */
  if (!loop->process.ready)
    kill (child->pid, SIGTERM);
}

void
orrery_hybrid_kill_process (OrreryHybrid *hybrid, OrreryLoop *loop)
{
  orrery_hybrid_say (hybrid, "killed: %s did not end within %g s", loop->name,
                     (double) hybrid->limit / ORRERY_SECOND);
  kill (loop->process.child->pid, SIGKILL);
}

void
orrery_hybrid_drop_process (OrreryLoop *loop)
{
  clear_process (&loop->process);
}
