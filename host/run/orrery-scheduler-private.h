/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-heap-private.h"
#include "run/orrery-scheduler.h"
#include "run/orrery-waker-private.h"

struct _OrreryTask {
  OrreryStepFunc step; /* NULL: ended */
  gpointer data;
  OrreryTime due;

  OrreryScheduler *scheduler; /* NULL: ended */
  char *name;
  GDestroyNotify destroy;
  GError *error;
  gboolean pending; /* waits for the next start */

  /* Of a period in seconds: due is base + n * period, never summed. */
  OrreryTime base;
  gint64 n_periods;
  double period;

  /* Of bindings: what is called, and what it said. */
  OrreryTaskFunc func;
  gpointer func_data;
  GDestroyNotify func_destroy;
  OrreryNext next;

  gatomicrefcount refs;
};

/* A new task; @name is copied. */
OrreryTask *orrery_task_new (const char *name, OrreryStepFunc step, gpointer data,
                             GDestroyNotify destroy);
/* The same for a function of a binding. */
OrreryTask *orrery_task_new_for_func (const char *name, OrreryTaskFunc func, gpointer data,
                                      GDestroyNotify destroy);
/* No more steps; frees its data. */
void orrery_task_end (OrreryTask *task);
/*
 * When the next step is, counted from task->due or, for a sleep, from @now; keeps count of periods.
 * FALSE with @error: no command, or one with a number that it cannot have.
 */
gboolean orrery_task_plan (OrreryTask *task, OrreryNext next, OrreryTime now, OrreryTime *due,
                           GError **error);

/* What other threads touch: counted, for who is in the midst of it when the scheduler goes. */
typedef struct {
  OrreryWaker *waker;
  gint stopped; /* atomic */
  gint n_moves; /* atomic: how often the clock moved unforeseen */
} OrreryShared;

struct _OrreryScheduler {
  GObject parent_instance;

  OrreryClock *clock;
  OrreryTime (*get_time) (OrreryClock *clock); /* of its class; NULL: the machine's */
  GCancellable *stop;
  gulong stop_handler;
  gulong moved_handler;
  OrreryShared *shared;

  OrreryHeap heap;
  guint n_ended;      /* entries of the heap whose tasks were removed */
  GPtrArray *pending; /* (element-type OrreryTask): to be started, in order */
  OrreryTime now;
  guint64 sequence; /* of the next entry */
  guint64 stale;    /* entries from this on are younger than now */
  OrreryTask *current;
  gboolean stepping; /* inside a batch */
  gboolean running;  /* inside orrery_scheduler_run() */
  gboolean has_work; /* since the last signal `finished` */
  guint n_failed;
  GSource *source;
};

/*
 * At most @limit steps, of entries older than @end: begins with what is pending, ends when nothing
 * is due or it is stopped. Returns: number of steps
 */
guint orrery_scheduler_run_batch (OrreryScheduler *self, guint64 end, guint limit);
/* Whether there is a step to take now, by a clock that is read if need be. */
gboolean orrery_scheduler_is_due (OrreryScheduler *self);
/* Waits if @wait, in ns, is so short that a sleep is not worth it. Returns: whether it was */
gboolean orrery_scheduler_stay_awake (OrreryTime wait);
/* Stopped, or without tasks. */
gboolean orrery_scheduler_is_at_end (OrreryScheduler *self);
/* Emits `finished`, once for all that was added since the last time. */
void orrery_scheduler_finish (OrreryScheduler *self);
/* Steps in one turn of a loop. */
guint orrery_scheduler_get_turn (OrreryScheduler *self);
