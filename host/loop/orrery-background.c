/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a background loop in its own process, and receives the messages of its hybrid. */
#define _GNU_SOURCE
#include "base/orrery-error-private.h"
#include "loop/orrery-loop-private.h"
#include "process/orrery-packet-private.h"
#include "process/orrery-signals-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXIT_FAILED 70

/* --- the program of both processes --- */

static const char *program; /* NULL: orrery_loop_main() was not called */
static const OrreryLoopFuncs *known;
static guint n_known;

const char *
orrery_loop_get_program (void)
{
  return program;
}

gboolean
orrery_loop_is_known (const OrreryLoopFuncs *funcs)
{
  for (guint i = 0; i < n_known; i++)
    if (g_str_equal (known[i].name, funcs->name) && known[i].step == funcs->step)
      return TRUE;
  return FALSE;
}

static const OrreryLoopFuncs *
find_funcs (const char *name)
{
  for (guint i = 0; i < n_known; i++)
    if (g_str_equal (known[i].name, name))
      return &known[i];
  return NULL;
}

/* --- the socket --- */

static void
send_message (OrreryLoop *loop, char letter, const char *message)
{
  g_autofree char *text = g_strdup_printf ("%c%s", letter, message != NULL ? message : "");

  /* A hybrid that has ended reads no messages. */
  orrery_packet_send (loop->socket, text, MIN (strlen (text), ORRERY_LOOP_MAX_MESSAGE), -1,
                      MSG_DONTWAIT);
}

typedef struct {
  int socket;
  GCancellable *stop;
} Watch;

/* Ends the process even while a step hangs: without its hybrid a loop has no purpose. */
static gpointer
watch_hybrid (gpointer data)
{
  Watch *watch = data;
  char letter;

  while (orrery_packet_receive (watch->socket, &letter, 1, NULL, 0) == 1)
    if (letter == ORRERY_LOOP_STOP)
      g_cancellable_cancel (watch->stop);
  _exit (EXIT_FAILED);
  return NULL;
}

static gboolean
start_watch (OrreryLoop *loop, GError **error)
{
  Watch *watch = g_new (Watch, 1);
  GThread *thread;

  watch->socket = loop->socket;
  watch->stop = g_object_ref (loop->stop);
  thread = g_thread_try_new ("hybrid", watch_hybrid, watch, error);
  if (thread != NULL) {
    g_thread_unref (thread);
    return TRUE;
  }
  g_object_unref (watch->stop);
  g_free (watch);
  return FALSE;
}

static gboolean
fail_foreign (GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "this process was not started by a hybrid");
}

static GVariant *
receive_spec (int socket, GError **error)
{
  g_autoptr (GVariant) spec = NULL;
  g_autoptr (GBytes) bytes = NULL;
  char letter = 0;
  int fd = -1;
  gssize n = orrery_packet_receive (socket, &letter, 1, &fd, 0);

  if (n == 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "the hybrid has ended");
    return NULL;
  }
  if (fd >= 0) {
    bytes = orrery_sealed_file_read (fd, ORRERY_LOOP_MAX_SPEC, NULL);
    close (fd);
  }
  if (n != 1 || letter != ORRERY_LOOP_SPEC || bytes == NULL) {
    fail_foreign (error);
    return NULL;
  }
  spec = g_variant_ref_sink (g_variant_new_from_bytes (ORRERY_LOOP_SPEC_TYPE, bytes, FALSE));
  return g_variant_get_normal_form (spec);
}

static OrreryClock *
clock_new (GVariant *maybe)
{
  g_autoptr (GVariant) wall = g_variant_get_maybe (maybe);
  OrreryTime origin;
  double rate;

  if (wall == NULL)
    return ORRERY_CLOCK (orrery_wall_clock_new (1.0));
  g_variant_get (wall, "(xd)", &origin, &rate);
  return ORRERY_CLOCK (orrery_wall_clock_new_from (origin, rate));
}

static gboolean
receive_channels (OrreryLoop *loop, GVariant *ends, GError **error)
{
  for (gsize i = 0; i < g_variant_n_children (ends); i++) {
    g_autoptr (OrreryChannel) channel = orrery_channel_receive (loop->socket, error);
    gboolean emits;

    if (channel == NULL)
      return FALSE;
    g_variant_get_child (ends, i, "(&sb)", NULL, &emits);
    if (emits)
      orrery_loop_add_emitter (loop, channel);
    else
      orrery_loop_add_receiver (loop, channel);
  }
  return TRUE;
}

OrreryLoop *
orrery_loop_open (int socket, GError **error)
{
  g_autoptr (OrreryLoop) loop = NULL;
  g_autoptr (GVariant) spec = NULL;
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) arguments = NULL;
  g_autoptr (GVariant) wall = NULL;
  g_autoptr (GVariant) ends = NULL;
  const char *name;

  if (fcntl (socket, F_SETFD, FD_CLOEXEC) != 0) {
    fail_foreign (error);
    return NULL;
  }
  spec = receive_spec (socket, error);
  if (spec == NULL)
    return NULL;
  g_variant_get (spec, "(&s@mv@m(xd)@a(sb))", &name, &boxed, &wall, &ends);
  g_variant_get (boxed, "mv", &arguments);
  loop = orrery_loop_new (name, arguments);
  loop->socket = socket;
  loop->clock = clock_new (wall);
  loop->stop = g_cancellable_new ();
  if (!receive_channels (loop, ends, error) || !start_watch (loop, error))
    return NULL;
  return g_steal_pointer (&loop);
}

void
orrery_loop_set_clock (OrreryLoop *loop, OrreryClock *clock)
{
  g_return_if_fail (ORRERY_IS_LOOP (loop) && ORRERY_IS_CLOCK (clock));
  g_return_if_fail (loop->socket >= 0 && loop->task == NULL);
  g_set_object (&loop->clock, clock);
}

/* --- its run --- */

static gboolean
on_failed (OrreryScheduler *scheduler, OrreryTask *task, GError *error, OrreryLoop *loop)
{
  loop->error = g_error_copy (error);
  return TRUE;
}

static gboolean
run (OrreryLoop *loop, GError **error)
{
  OrreryScheduler *scheduler = orrery_scheduler_new (loop->clock, loop->stop);
  OrrerySignals *caught = orrery_signals_new (loop->stop, error);

  if (caught == NULL) {
    g_object_unref (scheduler);
    return FALSE;
  }
  g_signal_connect (scheduler, "failed", G_CALLBACK (on_failed), loop);
  orrery_loop_add_to (loop, scheduler);
  send_message (loop, ORRERY_LOOP_READY, NULL);
  orrery_scheduler_run (scheduler);
  g_object_unref (scheduler);
  orrery_signals_end (caught);
  if (loop->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&loop->error));
  return FALSE;
}

static gboolean
run_and_report (OrreryLoop *loop, GError **error)
{
  g_autoptr (GError) failure = NULL;

  run (loop, &failure);
  orrery_loop_close_ends (loop, TRUE);
  orrery_loop_close_ends (loop, FALSE);
  g_array_set_size (loop->ends, 0);
  if (failure == NULL) {
    send_message (loop, ORRERY_LOOP_DONE, NULL);
    return TRUE;
  }
  send_message (loop, ORRERY_LOOP_ERROR, failure->message);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
orrery_loop_run (OrreryLoop *loop, OrreryTaskFunc func, gpointer data, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_LOOP (loop) && func != NULL, FALSE);
  g_return_val_if_fail (loop->socket >= 0 && loop->task == NULL, FALSE);
  loop->funcs = NULL;
  loop->func = func;
  loop->func_data = data;
  return run_and_report (loop, error);
}

void
orrery_loop_fail (OrreryLoop *loop, const char *message)
{
  g_autofree char *text = NULL;

  g_return_if_fail (ORRERY_IS_LOOP (loop) && message != NULL && loop->socket >= 0);
  text = g_strdup_printf ("%s: %s", loop->name, message);
  send_message (loop, ORRERY_LOOP_ERROR, text);
}

static int
run_known (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryLoop) loop = orrery_loop_open (ORRERY_LOOP_SOCKET, &error);

  if (loop == NULL) {
    g_warning ("%s", error->message);
    return EXIT_FAILED;
  }
  loop->funcs = find_funcs (name);
  if (loop->funcs == NULL) {
    orrery_loop_fail (loop, "its program has changed");
    return EXIT_FAILED;
  }
  return run_and_report (loop, NULL) ? 0 : EXIT_FAILED;
}

gboolean
orrery_loop_main (int argc, char **argv, const OrreryLoopFuncs *funcs, guint n_funcs, int *code)
{
  g_return_val_if_fail (argc > 0 && funcs != NULL && code != NULL, FALSE);
  program = argv[0];
  known = funcs;
  n_known = n_funcs;
  if (argc != 3 || strcmp (argv[1], ORRERY_LOOP_ARGUMENT) != 0)
    return FALSE;
  *code = run_known (argv[2]);
  return TRUE;
}
