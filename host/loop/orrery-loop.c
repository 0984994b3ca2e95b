/* SPDX-License-Identifier: BSD-3-Clause */
/* OrreryLoop: a cooperating loop of a hybrid, and its ends of channels. */
#include "loop/orrery-hybrid.h"
#include "loop/orrery-loop-private.h"

#include "base/orrery-error-private.h"
#include "process/orrery-packet-private.h"

#include <sys/socket.h>
#include <unistd.h>

static guint release_signal;

G_DEFINE_FINAL_TYPE (OrreryLoop, orrery_loop, G_TYPE_OBJECT)

OrreryLoop *
orrery_loop_new (const char *name, GVariant *arguments)
{
  OrreryLoop *loop = g_object_new (ORRERY_TYPE_LOOP, NULL);

  loop->name = g_strdup (name);
  loop->arguments = arguments != NULL ? g_variant_ref_sink (arguments) : NULL;
  return loop;
}

/* --- in a scheduler --- */

static OrreryNext
begin (OrreryLoop *loop, GError **error)
{
  GError *failure = NULL;

  loop->data = loop->funcs->begin != NULL ? loop->funcs->begin (loop, &failure) : NULL;
  if (failure != NULL) {
    g_propagate_error (error, failure);
    return orrery_next_done ();
  }
  loop->begun = TRUE;
  return orrery_next_yield ();
}

static OrreryNext
step (OrreryTask *task, gpointer data, GError **error)
{
  OrreryLoop *loop = data;
  OrreryNext next;

  if (!loop->begun) {
    next = begin (loop, error);
    if (!loop->begun)
      return next;
  }
  return loop->funcs->step (loop, loop->data, error);
}

static void
end (gpointer data)
{
  OrreryLoop *loop = data;
  gpointer of_begin = g_steal_pointer (&loop->data);

  if (loop->begun && loop->funcs->end != NULL)
    loop->funcs->end (of_begin);
  loop->begun = FALSE;
  g_signal_emit (loop, release_signal, 0);
  if (loop->on_end != NULL)
    loop->on_end (loop);
  g_object_unref (loop);
}

static void
step_func (OrreryTask *task, gpointer data, GError **error)
{
  OrreryLoop *loop = data;

  loop->func (task, loop->func_data, error);
}

void
orrery_loop_add_to (OrreryLoop *loop, OrreryScheduler *scheduler)
{
  g_clear_error (&loop->error);
  g_clear_pointer (&loop->task, orrery_task_unref);
  g_object_ref (loop);
  if (loop->funcs != NULL)
    loop->task = orrery_scheduler_add (scheduler, loop->name, step, loop, end);
  else
    loop->task = orrery_scheduler_add_func (scheduler, loop->name, step_func, loop, end);
  orrery_task_ref (loop->task);
}

/* --- ends of channels --- */

static void
add_end (OrreryLoop *loop, OrreryChannel *channel, gboolean emits)
{
  OrreryLoopEnd own = { .channel = orrery_channel_ref (channel), .emits = emits };

  g_array_append_val (loop->ends, own);
}

void
orrery_loop_add_emitter (OrreryLoop *loop, OrreryChannel *channel)
{
  g_return_if_fail (ORRERY_IS_LOOP (loop) && channel != NULL);
  g_return_if_fail (loop->ends->len < ORRERY_LOOP_MAX_CHANNELS);
  add_end (loop, channel, TRUE);
}

void
orrery_loop_add_receiver (OrreryLoop *loop, OrreryChannel *channel)
{
  g_return_if_fail (ORRERY_IS_LOOP (loop) && channel != NULL);
  g_return_if_fail (loop->ends->len < ORRERY_LOOP_MAX_CHANNELS);
  add_end (loop, channel, FALSE);
}

static OrreryLoopEnd *
find_end (OrreryLoop *loop, const char *name, gboolean emits, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryLoopEnd *own = &g_array_index (loop->ends, OrreryLoopEnd, i);

    if (own->emits != emits)
      continue;
    if (g_str_equal (orrery_channel_get_name (own->channel), name))
      return own;
    g_ptr_array_add (names, (gpointer) orrery_channel_get_name (own->channel));
  }
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no channel %s to %s%s", name,
                    emits ? "emit into" : "read from", nearest);
  return NULL;
}

OrreryChannel *
orrery_loop_find_channel (OrreryLoop *loop, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_LOOP (loop) && name != NULL, NULL);
  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryChannel *channel = g_array_index (loop->ends, OrreryLoopEnd, i).channel;

    if (g_str_equal (orrery_channel_get_name (channel), name))
      return channel;
  }
  return NULL;
}

OrreryEmitter *
orrery_loop_find_emitter (OrreryLoop *loop, const char *name, GError **error)
{
  OrreryLoopEnd *own;

  g_return_val_if_fail (ORRERY_IS_LOOP (loop) && name != NULL, NULL);
  own = find_end (loop, name, TRUE, error);
  if (own == NULL)
    return NULL;
  if (own->emitter == NULL)
    own->emitter = orrery_emitter_new (own->channel, error);
  return own->emitter;
}

OrreryReceiver *
orrery_loop_find_receiver (OrreryLoop *loop, const char *name, GError **error)
{
  OrreryLoopEnd *own;

  g_return_val_if_fail (ORRERY_IS_LOOP (loop) && name != NULL, NULL);
  own = find_end (loop, name, FALSE, error);
  if (own == NULL)
    return NULL;
  if (own->receiver == NULL)
    own->receiver = orrery_receiver_new (own->channel, error);
  return own->receiver;
}

void
orrery_loop_close_ends (OrreryLoop *loop, gboolean emitters)
{
  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryLoopEnd *own = &g_array_index (loop->ends, OrreryLoopEnd, i);

    if (emitters)
      g_clear_pointer (&own->emitter, orrery_emitter_unref);
    else
      g_clear_pointer (&own->receiver, orrery_receiver_unref);
  }
}

char *
orrery_loop_get_transports (OrreryLoop *loop)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < loop->ends->len; i++) {
    OrreryLoopEnd *own = &g_array_index (loop->ends, OrreryLoopEnd, i);
    const char *name = orrery_transport_get_name (orrery_channel_get_transport (own->channel));

    if (!g_ptr_array_find (names, name, NULL))
      g_ptr_array_add (names, (gpointer) name);
  }
  g_ptr_array_add (names, NULL);
  return names->len > 1 ? g_strjoinv (", ", (char **) names->pdata) : g_strdup ("no channel");
}

/* --- for its steps --- */

ORRERY_DEFINE_GETTER (const char *, orrery_loop_get_name, OrreryLoop, ORRERY_IS_LOOP, self->name)
ORRERY_DEFINE_GETTER (GVariant *, orrery_loop_get_arguments, OrreryLoop, ORRERY_IS_LOOP,
                      self->arguments)

void
orrery_loop_set_arguments (OrreryLoop *loop, GVariant *arguments)
{
  g_return_if_fail (ORRERY_IS_LOOP (loop));
  g_clear_pointer (&loop->arguments, g_variant_unref);
  loop->arguments = arguments != NULL ? g_variant_ref_sink (arguments) : NULL;
}

ORRERY_DEFINE_GETTER (OrreryClock *, orrery_loop_get_clock, OrreryLoop, ORRERY_IS_LOOP, self->clock)

OrreryTime
orrery_loop_get_time (OrreryLoop *loop)
{
  g_return_val_if_fail (ORRERY_IS_LOOP (loop), 0);
  return orrery_clock_get_time (loop->clock);
}

ORRERY_DEFINE_GETTER (GCancellable *, orrery_loop_get_stop, OrreryLoop, ORRERY_IS_LOOP, self->stop)

void
orrery_loop_stop (OrreryLoop *loop)
{
  const char letter = ORRERY_LOOP_STOP;

  g_return_if_fail (ORRERY_IS_LOOP (loop));
  if (loop->socket >= 0)
    orrery_packet_send (loop->socket, &letter, 1, -1, MSG_DONTWAIT);
  else
    g_cancellable_cancel (loop->stop);
}

gboolean
orrery_loop_is_background (OrreryLoop *loop)
{
  g_return_val_if_fail (ORRERY_IS_LOOP (loop), FALSE);
  return loop->socket >= 0 ||
         (loop->background && loop->hybrid != NULL && !orrery_hybrid_is_local (loop->hybrid));
}

/* --- when it ends --- */

static const char *const on_exit_names[] = {
  [ORRERY_ON_EXIT_STOP] = "stop",
  [ORRERY_ON_EXIT_RESTART] = "restart",
  [ORRERY_ON_EXIT_IGNORE] = "ignore",
  NULL,
};

gboolean
orrery_on_exit_from_name (const char *name, OrreryOnExit *on_exit, GError **error)
{
  g_autofree char *nearest = NULL;

  g_return_val_if_fail (name != NULL && on_exit != NULL, FALSE);
  for (guint i = 0; on_exit_names[i] != NULL; i++)
    if (g_str_equal (name, on_exit_names[i])) {
      *on_exit = (OrreryOnExit) i;
      return TRUE;
    }
  nearest = orrery_nearest_names (name, on_exit_names);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "on_exit: no %s%s", name, nearest);
}

void
orrery_loop_set_on_exit (OrreryLoop *loop, OrreryOnExit on_exit)
{
  g_return_if_fail (ORRERY_IS_LOOP (loop) && on_exit <= ORRERY_ON_EXIT_IGNORE);
  loop->on_exit = on_exit;
}

ORRERY_DEFINE_GETTER (OrreryOnExit, orrery_loop_get_on_exit, OrreryLoop, ORRERY_IS_LOOP,
                      self->on_exit)

/* --- the class --- */

static void
clear_end (gpointer data)
{
  OrreryLoopEnd *own = data;

  g_clear_pointer (&own->emitter, orrery_emitter_unref);
  g_clear_pointer (&own->receiver, orrery_receiver_unref);
  g_clear_pointer (&own->channel, orrery_channel_unref);
}

static void
orrery_loop_finalize (GObject *object)
{
  OrreryLoop *self = ORRERY_LOOP (object);

  if (self->func_destroy != NULL)
    self->func_destroy (self->func_data);
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_pointer (&self->arguments, g_variant_unref);
  g_clear_object (&self->clock);
  g_clear_object (&self->stop);
  g_clear_error (&self->error);
  g_clear_pointer (&self->task, orrery_task_unref);
  g_free (self->process.message);
  g_free (self->name);
  G_OBJECT_CLASS (orrery_loop_parent_class)->finalize (object);
}

static void
orrery_loop_class_init (OrreryLoopClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_loop_finalize;

  release_signal =
      g_signal_new_class_handler ("release", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL,
                                  NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
orrery_loop_init (OrreryLoop *self)
{
  self->ends = g_array_new (FALSE, TRUE, sizeof (OrreryLoopEnd));
  g_array_set_clear_func (self->ends, clear_end);
  self->socket = -1;
}
