/* SPDX-License-Identifier: BSD-3-Clause */
/* OrreryHybrid: runs light loops in one thread, and heavy ones in processes of their own. */
#include "loop/orrery-hybrid-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-monotonic-private.h"
#include "process/orrery-restart-private.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define DEFAULT_START_LIMIT (30 * ORRERY_SECOND)
#define DEFAULT_LIMIT (2 * ORRERY_SECOND)
#define MAX_LIMIT_SECONDS 3600.0
#define MILLISECOND (ORRERY_SECOND / 1000)

/* For loops that end repeatedly. */
static const OrreryRestartPolicy restarts = {
  .first = 50 * MILLISECOND,
  .longest = 5 * ORRERY_SECOND,
  .sound = ORRERY_SECOND,
  .at_once = TRUE,
  .max_restarts = G_MAXUINT,
};

enum {
  SIGNAL_MESSAGE,
  SIGNAL_FAILED,
  SIGNAL_RELEASE,
  SIGNAL_ENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OrreryHybrid, orrery_hybrid, G_TYPE_OBJECT)

void
orrery_hybrid_say (OrreryHybrid *hybrid, const char *format, ...)
{
  g_autofree char *text = NULL;
  gboolean handled;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (hybrid, signals[SIGNAL_MESSAGE], 0, text, &handled);
}

/* --- sources --- */

GSource *
orrery_hybrid_attach (OrreryHybrid *hybrid, GSource *source, GSourceFunc func, gpointer data)
{
  g_source_set_callback (source, func, data, NULL);
  g_source_attach (source, hybrid->context);
  return source;
}

void
orrery_hybrid_clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* --- its end --- */

static gboolean
has_processes (OrreryHybrid *self)
{
  for (guint i = 0; i < self->loops->len; i++)
    if (ORRERY_LOOP (g_ptr_array_index (self->loops, i))->process.child != NULL)
      return TRUE;
  return FALSE;
}

static void
leave_context (OrreryHybrid *self)
{
  self->state = ORRERY_HYBRID_ENDED;
  if (self->scheduler != NULL)
    orrery_scheduler_detach (self->scheduler);
  orrery_hybrid_clear_source (&self->stop_source);
  orrery_hybrid_clear_source (&self->reap);
  orrery_hybrid_clear_source (&self->deadline);
  g_clear_pointer (&self->context, g_main_context_unref);
}

static void
finish (OrreryHybrid *self)
{
  leave_context (self);
  g_signal_emit (self, signals[SIGNAL_ENDED], 0);
}

void
orrery_hybrid_join (OrreryHybrid *hybrid)
{
  if (hybrid->state == ORRERY_HYBRID_STOPPING && !has_processes (hybrid))
    finish (hybrid);
}

static gboolean
on_deadline (gpointer data)
{
  OrreryHybrid *self = data;

  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (loop->process.child != NULL)
      orrery_hybrid_kill_process (self, loop);
  }
  return G_SOURCE_REMOVE;
}

/* Frees their data together with their tasks: this closes files and generators. */
static void
end_tasks (OrreryHybrid *self)
{
  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    orrery_hybrid_clear_source (&loop->restart);
    if (loop->task != NULL)
      orrery_scheduler_remove (self->scheduler, loop->task);
    g_clear_pointer (&loop->task, orrery_task_unref);
  }
}

static void
release (OrreryHybrid *self)
{
  g_signal_emit (self, signals[SIGNAL_RELEASE], 0);
  for (guint i = 0; i < self->loops->len; i++)
    orrery_loop_close_ends (g_ptr_array_index (self->loops, i), TRUE);
  for (guint i = 0; i < self->loops->len; i++)
    orrery_loop_close_ends (g_ptr_array_index (self->loops, i), FALSE);
  for (guint i = 0; i < self->loops->len; i++)
    g_array_set_size (ORRERY_LOOP (g_ptr_array_index (self->loops, i))->ends, 0);
  g_ptr_array_set_size (self->channels, 0);
  orrery_hybrid_say (self, "shared memory released");
}

static void
begin_stop (OrreryHybrid *self, const char *reason)
{
  if (self->state != ORRERY_HYBRID_RUNNING)
    return;
  self->state = ORRERY_HYBRID_STOPPING;
  orrery_hybrid_say (self, "stopping: %s", reason);
  g_cancellable_cancel (self->stop);
  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (loop->process.child != NULL)
      orrery_hybrid_stop_process (self, loop);
  }
  end_tasks (self);
  release (self);
  if (!has_processes (self)) {
    finish (self);
    return;
  }
  self->deadline =
      orrery_hybrid_attach (self, g_timeout_source_new ((guint) (self->limit / MILLISECOND)),
                            on_deadline, self);
}

static gboolean
on_stop (GCancellable *stop, gpointer data)
{
  OrreryHybrid *self = data;
  int number = self->caught != NULL ? orrery_signals_get_caught (self->caught) : 0;

  if (number == SIGINT)
    begin_stop (self, "interrupted");
  else if (number == SIGTERM)
    begin_stop (self, "terminated");
  else
    begin_stop (self, "asked to stop");
  return G_SOURCE_REMOVE;
}

/* --- the end of a loop --- */

static gboolean start_loop (OrreryHybrid *self, OrreryLoop *loop, GError **error);

static void
stop_if_done (OrreryHybrid *self)
{
  gboolean any_front = FALSE, front = FALSE, background = FALSE;

  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    any_front |= !loop->background;
    front |= !loop->background && !loop->finished;
    background |= loop->background && !loop->finished;
  }
  if (any_front ? !front : !background)
    begin_stop (self, "all loops have ended");
}

static void
report (OrreryHybrid *self, OrreryLoop *loop, GError *error)
{
  gboolean handled;

  g_signal_emit (self, signals[SIGNAL_FAILED], 0, loop, error, &handled);
}

static gboolean
on_restart (gpointer data)
{
  OrreryLoop *loop = data;
  OrreryHybrid *self = loop->hybrid;
  GError *error = NULL;

  orrery_hybrid_clear_source (&loop->restart);
  if (!start_loop (self, loop, &error))
    orrery_hybrid_end_loop (self, loop, error);
  return G_SOURCE_REMOVE;
}

static void
restart (OrreryHybrid *self, OrreryLoop *loop)
{
  OrreryTime ran = orrery_monotonic_now () - loop->began;
  OrreryTime wait = orrery_restart_policy_next (&restarts, ran, &loop->n_restarts);
  guint delay = (guint) (wait / MILLISECOND);

  orrery_hybrid_say (self, "%s ended; it begins anew in %u ms", loop->name, delay);
  loop->restart = orrery_hybrid_attach (self, g_timeout_source_new (delay), on_restart, loop);
}

static void
stop_for (OrreryHybrid *self, OrreryLoop *loop, GError *error)
{
  g_autofree char *reason =
      error != NULL ? g_strdup (error->message) : g_strdup_printf ("%s ended", loop->name);

  if (error != NULL && self->error == NULL)
    self->error = g_error_copy (error);
  begin_stop (self, reason);
}

void
orrery_hybrid_end_loop (OrreryHybrid *hybrid, OrreryLoop *loop, GError *error)
{
  g_autoptr (GError) owned = error;

  if (hybrid->state != ORRERY_HYBRID_RUNNING)
    return;
  if (error != NULL && loop->on_exit != ORRERY_ON_EXIT_STOP)
    report (hybrid, loop, error);
  if (loop->on_exit == ORRERY_ON_EXIT_RESTART) {
    restart (hybrid, loop);
    return;
  }
  loop->finished = TRUE;
  if (loop->on_exit == ORRERY_ON_EXIT_STOP) {
    stop_for (hybrid, loop, error);
    return;
  }
  /* Of a loop of this process; those of another one were closed there. */
  orrery_loop_close_ends (loop, TRUE);
  orrery_loop_close_ends (loop, FALSE);
  if (error == NULL)
    orrery_hybrid_say (hybrid, "%s ended", loop->name);
  stop_if_done (hybrid);
}

/* --- loops of this thread --- */

static gboolean
on_failed (OrreryScheduler *scheduler, OrreryTask *task, GError *error, OrreryHybrid *self)
{
  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (loop->task == task) {
      g_clear_error (&loop->error);
      loop->error = g_error_copy (error);
    }
  }
  return TRUE;
}

/* In a turn of its own: the scheduler is running when a task ends. */
static gboolean
reap (gpointer data)
{
  OrreryHybrid *self = data;

  orrery_hybrid_clear_source (&self->reap);
  for (guint i = 0; i < self->loops->len && self->state == ORRERY_HYBRID_RUNNING; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (!loop->waits)
      continue;
    loop->waits = FALSE;
    g_clear_pointer (&loop->task, orrery_task_unref);
    orrery_hybrid_end_loop (self, loop, g_steal_pointer (&loop->error));
  }
  return G_SOURCE_REMOVE;
}

static void
on_task_end (OrreryLoop *loop)
{
  OrreryHybrid *self = loop->hybrid;

  loop->waits = TRUE;
  if (self->state != ORRERY_HYBRID_RUNNING || self->reap != NULL)
    return;
  self->reap = orrery_hybrid_attach (self, g_idle_source_new (), reap, self);
  g_source_set_priority (self->reap, G_PRIORITY_DEFAULT);
}

/* --- its start --- */

static gboolean
start_loop (OrreryHybrid *self, OrreryLoop *loop, GError **error)
{
  loop->began = orrery_monotonic_now ();
  if (loop->background && !self->local)
    return orrery_hybrid_start_process (self, loop, error);
  loop->on_end = on_task_end;
  orrery_loop_add_to (loop, self->scheduler);
  return TRUE;
}

static gboolean
check (OrreryHybrid *self, GError **error)
{
  g_autofree char *names = NULL;

  if (self->shared->len > 0) {
    g_ptr_array_add (self->shared, NULL);
    names = g_strjoinv (", ", (char **) self->shared->pdata);
    g_ptr_array_remove_index (self->shared, self->shared->len - 1);
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
        "a local hybrid has no shared memory, which %s ask%s for: make it multiprocess, or "
        "the transport queue",
        names, self->shared->len == 1 ? "s" : "");
    return FALSE;
  }
  for (guint i = 0; i < self->loops->len && !self->local; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (loop->background && !orrery_hybrid_check_process (self, loop, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
start_loops (OrreryHybrid *self, GError **error)
{
  /* Processes are started first, because that takes longest. */
  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (loop->background && !self->local && !start_loop (self, loop, error))
      return FALSE;
  }
  for (guint i = 0; i < self->loops->len; i++) {
    OrreryLoop *loop = g_ptr_array_index (self->loops, i);

    if (!loop->background || self->local)
      start_loop (self, loop, NULL);
  }
  return TRUE;
}

static void
give_up (OrreryHybrid *self)
{
  self->state = ORRERY_HYBRID_ENDED;
  end_tasks (self);
  for (guint i = 0; i < self->loops->len; i++)
    orrery_hybrid_drop_process (g_ptr_array_index (self->loops, i));
  leave_context (self);
}

gboolean
orrery_hybrid_start (OrreryHybrid *hybrid, GMainContext *context, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid), FALSE);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, FALSE);
  if (!check (hybrid, error))
    return FALSE;
  if (context == NULL)
    context = g_main_context_get_thread_default ();
  if (!orrery_scheduler_attach (hybrid->scheduler, context, error))
    return FALSE;
  hybrid->context = context != NULL ? g_main_context_ref (context) : NULL;
  hybrid->state = ORRERY_HYBRID_RUNNING;
  hybrid->stop_source = orrery_hybrid_attach (hybrid, g_cancellable_source_new (hybrid->stop),
                                              G_SOURCE_FUNC (on_stop), hybrid);
  orrery_hybrid_say (hybrid, "world starting");
  if (!start_loops (hybrid, error)) {
    give_up (hybrid);
    return FALSE;
  }
  stop_if_done (hybrid);
  return TRUE;
}

/* GLib aborts the program if it cannot create one. */
static GMainContext *
create_context (GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC);

  if (fd < 0) {
    orrery_set_error (error, ORRERY_ERROR_IO, "a hybrid cannot start: %s", g_strerror (errno));
    return NULL;
  }
  close (fd);
  return g_main_context_new ();
}

static gboolean
run (OrreryHybrid *self, GError **error)
{
  g_autoptr (GMainContext) context = create_context (error);
  g_autoptr (OrreryHybrid) kept = g_object_ref (self);
  gboolean started;

  if (context == NULL)
    return FALSE;
  g_main_context_push_thread_default (context);
  started = orrery_hybrid_start (self, context, error);
  while (started && self->state != ORRERY_HYBRID_ENDED)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  if (started && self->error != NULL)
    g_propagate_error (error, g_error_copy (self->error));
  return started && self->error == NULL;
}

gboolean
orrery_hybrid_run (OrreryHybrid *hybrid, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid), FALSE);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, FALSE);
  return run (hybrid, error);
}

gboolean
orrery_hybrid_run_until_signal (OrreryHybrid *hybrid, int *number, GError **error)
{
  gboolean done;

  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid) && number != NULL, FALSE);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, FALSE);
  *number = 0;
  hybrid->caught = orrery_signals_new (hybrid->stop, error);
  if (hybrid->caught == NULL)
    return FALSE;
  done = run (hybrid, error);
  *number = orrery_signals_end (g_steal_pointer (&hybrid->caught));
  return done;
}

void
orrery_hybrid_stop (OrreryHybrid *hybrid)
{
  g_return_if_fail (ORRERY_IS_HYBRID (hybrid));
  g_cancellable_cancel (hybrid->stop);
}

/* --- configuration --- */

OrreryHybrid *
orrery_hybrid_new (OrreryClock *clock, const char *parallelism, GError **error)
{
  static const char *const names[] = { "local", "multiprocess", NULL };
  g_autofree char *nearest = NULL;
  OrreryHybrid *self;

  g_return_val_if_fail (clock == NULL || ORRERY_IS_CLOCK (clock), NULL);
  g_return_val_if_fail (parallelism != NULL, NULL);
  if (!g_strv_contains (names, parallelism)) {
    nearest = orrery_nearest_names (parallelism, names);
    orrery_set_error (error, ORRERY_ERROR_INVALID, "parallelism: no %s%s", parallelism, nearest);
    return NULL;
  }
  self = g_object_new (ORRERY_TYPE_HYBRID, NULL);
  self->local = g_str_equal (parallelism, names[0]);
  self->clock = clock != NULL ? g_object_ref (clock) : ORRERY_CLOCK (orrery_wall_clock_new (1.0));
  self->scheduler = orrery_scheduler_new (self->clock, self->stop);
  g_signal_connect (self->scheduler, "failed", G_CALLBACK (on_failed), self);
  return self;
}

static gboolean
is_new_name (OrreryHybrid *self, const char *name, GError **error)
{
  for (guint i = 0; i < self->channels->len; i++)
    if (g_str_equal (orrery_channel_get_name (g_ptr_array_index (self->channels, i)), name))
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "there is a channel %s already", name);
  return TRUE;
}

OrreryChannel *
orrery_hybrid_add_channel (OrreryHybrid *hybrid, const char *name, OrreryTransport transport,
                           GError **error)
{
  OrreryChannel *channel;

  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid) && name != NULL, NULL);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, NULL);
  g_return_val_if_fail (transport <= ORRERY_TRANSPORT_LATEST, NULL);
  if (!is_new_name (hybrid, name, error))
    return NULL;
  if (hybrid->local || transport == ORRERY_TRANSPORT_LOCAL)
    channel = orrery_channel_new_local (name, 0, error);
  else if (transport == ORRERY_TRANSPORT_QUEUE)
    channel = orrery_channel_new_queue (name, 0, error);
  else
    channel = orrery_channel_new_latest (name, 0, FALSE, error);
  if (channel == NULL)
    return NULL;
  if (hybrid->local && transport == ORRERY_TRANSPORT_LATEST)
    g_ptr_array_add (hybrid->shared, g_strdup (name));
  g_ptr_array_add (hybrid->channels, channel);
  return channel;
}

OrreryChannel *
orrery_hybrid_add_pipe (OrreryHybrid *hybrid, const char *name, OrreryTransport transport,
                        GError **error)
{
  return orrery_hybrid_add_channel (hybrid, name, transport, error);
}

static OrreryLoop *
add (OrreryHybrid *self, const char *name, GVariant *arguments)
{
  OrreryLoop *loop = orrery_loop_new (name, arguments);

  loop->hybrid = self;
  loop->on_exit = ORRERY_ON_EXIT_IGNORE;
  loop->clock = g_object_ref (self->clock);
  loop->stop = g_object_ref (self->stop);
  g_ptr_array_add (self->loops, loop);
  return loop;
}

static OrreryLoop *
put_in_background (OrreryLoop *loop)
{
  if (loop == NULL)
    return NULL;
  loop->background = TRUE;
  loop->on_exit = ORRERY_ON_EXIT_STOP;
  return loop;
}

OrreryLoop *
orrery_hybrid_add_loop (OrreryHybrid *hybrid, const char *name, const OrreryLoopFuncs *funcs,
                        GVariant *arguments)
{
  OrreryLoop *loop;

  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid) && name != NULL, NULL);
  g_return_val_if_fail (funcs != NULL && funcs->name != NULL && funcs->step != NULL, NULL);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, NULL);
  loop = add (hybrid, name, arguments);
  loop->funcs = funcs;
  return loop;
}

OrreryLoop *
orrery_hybrid_add_background (OrreryHybrid *hybrid, const char *name, const OrreryLoopFuncs *funcs,
                              GVariant *arguments)
{
  return put_in_background (orrery_hybrid_add_loop (hybrid, name, funcs, arguments));
}

OrreryLoop *
orrery_hybrid_add_loop_func (OrreryHybrid *hybrid, const char *name, OrreryTaskFunc func,
                             gpointer data, GDestroyNotify destroy)
{
  OrreryLoop *loop;

  g_return_val_if_fail (ORRERY_IS_HYBRID (hybrid) && name != NULL && func != NULL, NULL);
  g_return_val_if_fail (hybrid->state == ORRERY_HYBRID_NEW, NULL);
  loop = add (hybrid, name, NULL);
  loop->func = func;
  loop->func_data = data;
  loop->func_destroy = destroy;
  return loop;
}

OrreryLoop *
orrery_hybrid_add_background_func (OrreryHybrid *hybrid, const char *name, OrreryTaskFunc func,
                                   gpointer data, GDestroyNotify destroy)
{
  return put_in_background (orrery_hybrid_add_loop_func (hybrid, name, func, data, destroy));
}

void
orrery_hybrid_set_command (OrreryHybrid *hybrid, const char *const *command)
{
  g_return_if_fail (ORRERY_IS_HYBRID (hybrid) && command != NULL && command[0] != NULL);
  g_strfreev (hybrid->command);
  hybrid->command = g_strdupv ((char **) command);
}

void
orrery_hybrid_set_brings_clock (OrreryHybrid *hybrid, gboolean brings_clock)
{
  g_return_if_fail (ORRERY_IS_HYBRID (hybrid));
  hybrid->brings_clock = brings_clock;
}

void
orrery_hybrid_set_start_limit (OrreryHybrid *hybrid, double seconds)
{
  g_return_if_fail (ORRERY_IS_HYBRID (hybrid));
  g_return_if_fail (seconds >= 0.0 && seconds <= MAX_LIMIT_SECONDS);
  hybrid->start_limit = orrery_time_from_seconds (seconds);
}

void
orrery_hybrid_set_limit (OrreryHybrid *hybrid, double seconds)
{
  g_return_if_fail (ORRERY_IS_HYBRID (hybrid));
  g_return_if_fail (seconds >= 0.0 && seconds <= MAX_LIMIT_SECONDS);
  hybrid->limit = orrery_time_from_seconds (seconds);
}

ORRERY_DEFINE_GETTER (const GError *, orrery_hybrid_get_error, OrreryHybrid, ORRERY_IS_HYBRID,
                      self->error)
ORRERY_DEFINE_GETTER (OrreryClock *, orrery_hybrid_get_clock, OrreryHybrid, ORRERY_IS_HYBRID,
                      self->clock)
ORRERY_DEFINE_GETTER (GCancellable *, orrery_hybrid_get_stop, OrreryHybrid, ORRERY_IS_HYBRID,
                      self->stop)
ORRERY_DEFINE_GETTER (gboolean, orrery_hybrid_is_local, OrreryHybrid, ORRERY_IS_HYBRID, self->local)

/* --- the class --- */

static gboolean
orrery_hybrid_real_message (OrreryHybrid *self, const char *text)
{
  g_message ("%s", text);
  return TRUE;
}

static gboolean
orrery_hybrid_real_failed (OrreryHybrid *self, OrreryLoop *loop, GError *error)
{
  g_warning ("%s", error->message);
  return TRUE;
}

static void
forget_loop (gpointer data)
{
  OrreryLoop *loop = data;

  loop->hybrid = NULL;
  g_object_unref (loop);
}

static void
orrery_hybrid_dispose (GObject *object)
{
  OrreryHybrid *self = ORRERY_HYBRID (object);

  give_up (self);
  g_clear_object (&self->scheduler);
  g_ptr_array_set_size (self->loops, 0);
  g_ptr_array_set_size (self->channels, 0);
  G_OBJECT_CLASS (orrery_hybrid_parent_class)->dispose (object);
}

static void
orrery_hybrid_finalize (GObject *object)
{
  OrreryHybrid *self = ORRERY_HYBRID (object);

  g_clear_object (&self->clock);
  g_clear_object (&self->stop);
  g_clear_error (&self->error);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->channels, g_ptr_array_unref);
  g_clear_pointer (&self->shared, g_ptr_array_unref);
  g_strfreev (self->command);
  G_OBJECT_CLASS (orrery_hybrid_parent_class)->finalize (object);
}

static void
orrery_hybrid_class_init (OrreryHybridClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = orrery_hybrid_dispose;
  G_OBJECT_CLASS (klass)->finalize = orrery_hybrid_finalize;

  signals[SIGNAL_MESSAGE] = g_signal_new_class_handler ("message", type, G_SIGNAL_RUN_LAST,
                                                        G_CALLBACK (orrery_hybrid_real_message),
                                                        g_signal_accumulator_true_handled, NULL,
                                                        NULL, G_TYPE_BOOLEAN, 1, G_TYPE_STRING);

  signals[SIGNAL_FAILED] =
      g_signal_new_class_handler ("failed", type, G_SIGNAL_RUN_LAST,
                                  G_CALLBACK (orrery_hybrid_real_failed),
                                  g_signal_accumulator_true_handled, NULL, NULL, G_TYPE_BOOLEAN, 2,
                                  ORRERY_TYPE_LOOP, G_TYPE_ERROR);

  signals[SIGNAL_RELEASE] = g_signal_new_class_handler ("release", type, G_SIGNAL_RUN_LAST, NULL,
                                                        NULL, NULL, NULL, G_TYPE_NONE, 0);

  signals[SIGNAL_ENDED] = g_signal_new_class_handler ("ended", type, G_SIGNAL_RUN_LAST, NULL, NULL,
                                                      NULL, NULL, G_TYPE_NONE, 0);
}

static void
orrery_hybrid_init (OrreryHybrid *self)
{
  self->stop = g_cancellable_new ();
  self->start_limit = DEFAULT_START_LIMIT;
  self->limit = DEFAULT_LIMIT;
  self->channels = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_channel_unref);
  self->shared = g_ptr_array_new_with_free_func (g_free);
  self->loops = g_ptr_array_new_with_free_func (forget_loop);
}
