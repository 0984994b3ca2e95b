/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a scheduler as a source of a GLib main loop. */
#include "base/orrery-error-private.h"
#include "loop/orrery-scheduler-private.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* The timer is a file descriptor, because GLib's own has a resolution of 1 ms. */

typedef struct {
  GSource source;

  OrreryScheduler *scheduler; /* borrowed; the scheduler destroys the source before it is freed */
  gpointer tag;
  int fd;
  gboolean armed;
  OrreryTime armed_for;
  gint n_moves; /* of the clock, when the timer was armed */
} SchedulerSource;

/* Setting a timer makes it unreadable again, so it need not be read. */
static void
set_timer (SchedulerSource *self, OrreryTime wait)
{
  struct itimerspec timer = { 0 };

  timer.it_value.tv_sec = wait / ORRERY_SECOND;
  timer.it_value.tv_nsec = wait % ORRERY_SECOND;
  timerfd_settime (self->fd, 0, &timer, NULL);
}

static void
disarm (SchedulerSource *self)
{
  if (self->armed)
    set_timer (self, 0);
  self->armed = FALSE;
}

/* Returns: whether the next task is due already */
static gboolean
arm (SchedulerSource *self)
{
  OrreryScheduler *scheduler = self->scheduler;
  OrreryTime due = scheduler->heap.entries[0].key;
  gint n_moves = g_atomic_int_get (&scheduler->shared->n_moves);
  OrreryTime wait = orrery_clock_get_wait (scheduler->clock, due);

  if (wait == 0 || orrery_scheduler_stay_awake (wait))
    return TRUE;
  if (wait < 0)
    disarm (self);
  else if (!self->armed || self->armed_for != due || self->n_moves != n_moves) {
    set_timer (self, wait);
    self->armed = TRUE;
    self->armed_for = due;
    self->n_moves = n_moves;
  }
  return FALSE;
}

static gboolean
prepare (GSource *source, gint *timeout)
{
  SchedulerSource *self = (SchedulerSource *) source;
  OrreryScheduler *scheduler = self->scheduler;

  *timeout = -1;
  if (orrery_scheduler_is_at_end (scheduler)) {
    disarm (self);
    return scheduler->has_work;
  }
  return orrery_scheduler_is_due (scheduler) || arm (self);
}

static gboolean
check (GSource *source)
{
  SchedulerSource *self = (SchedulerSource *) source;
  OrreryScheduler *scheduler = self->scheduler;

  /* It stays readable until it is set again: it is set even to the same time if the clock was
   * slow. */
  if (g_source_query_unix_fd (source, self->tag) != 0)
    self->armed_for = G_MININT64;
  if (orrery_scheduler_is_at_end (scheduler))
    return scheduler->has_work;
  return orrery_scheduler_is_due (scheduler);
}

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer data)
{
  SchedulerSource *self = (SchedulerSource *) source;
  g_autoptr (OrreryScheduler) scheduler = g_object_ref (self->scheduler);

  orrery_scheduler_run_batch (scheduler, G_MAXUINT64, orrery_scheduler_get_turn (scheduler));
  if (orrery_scheduler_is_at_end (scheduler))
    orrery_scheduler_finish (scheduler);
  return G_SOURCE_CONTINUE;
}

static void
finalize (GSource *source)
{
  close (((SchedulerSource *) source)->fd);
}

static GSourceFuncs functions = { prepare, check, dispatch, finalize, NULL, NULL };

gboolean
orrery_scheduler_attach (OrreryScheduler *scheduler, GMainContext *context, GError **error)
{
  SchedulerSource *self;
  int fd;

  g_return_val_if_fail (ORRERY_IS_SCHEDULER (scheduler), FALSE);
  g_return_val_if_fail (scheduler->source == NULL, FALSE);
  g_return_val_if_fail (!scheduler->running, FALSE);
  fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "no timer for a scheduler: %s",
                             g_strerror (errno));
  if (context == NULL)
    context = g_main_context_get_thread_default ();
  scheduler->source = g_source_new (&functions, sizeof (SchedulerSource));
  g_source_set_static_name (scheduler->source, "OrreryScheduler");
  self = (SchedulerSource *) scheduler->source;
  self->scheduler = scheduler;
  self->fd = fd;
  self->tag = g_source_add_unix_fd (scheduler->source, fd, G_IO_IN);
  g_source_attach (scheduler->source, context);
  orrery_waker_set_context (scheduler->shared->waker, g_source_get_context (scheduler->source));
  return TRUE;
}

void
orrery_scheduler_detach (OrreryScheduler *scheduler)
{
  g_return_if_fail (ORRERY_IS_SCHEDULER (scheduler));
  if (scheduler->source == NULL)
    return;
  orrery_waker_set_context (scheduler->shared->waker, NULL);
  g_source_destroy (scheduler->source);
  g_clear_pointer (&scheduler->source, g_source_unref);
}
