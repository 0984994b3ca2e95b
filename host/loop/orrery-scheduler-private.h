/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "base/orrery-heap-private.h"
#include "base/orrery-waker-private.h"
#include "loop/orrery-due-list-private.h"
#include "loop/orrery-scheduler.h"

struct _OrreryTask {
  OrreryStepFunc step; /* NULL: ended */
  gpointer data;
  OrreryTime due;

  OrreryScheduler *scheduler; /* NULL: ended */
  char *name;
  GDestroyNotify destroy;
  GError *error;
  gboolean pending; /* waits for the next start */

  OrreryWaker *waker; /* (nullable): wakes it at once */
  void (*forget_waker) (OrreryTask *task);

  /* For a period in seconds: the due time is base + n * period, not summed up. */
  OrreryTime base;
  gint64 n_periods;
  double period;

  /* For language bindings: the function, and what it returned. */
  OrreryTaskFunc func;
  gpointer func_data;
  GDestroyNotify func_destroy;
  OrreryNext next;

  gatomicrefcount refs;
};

/* Creates a task; @name is copied. */
OrreryTask *orrery_task_new (const char *name, OrreryStepFunc step, gpointer data,
                             GDestroyNotify destroy);
/* The same for a function of a language binding. */
OrreryTask *orrery_task_new_for_func (const char *name, OrreryTaskFunc func, gpointer data,
                                      GDestroyNotify destroy);
/* Ends a task: it makes no more steps, and its data is freed. */
void orrery_task_end (OrreryTask *task);
/*
 * Computes the time of the next step, counted from task->due or, for a sleep, from @now; keeps
 * count of periods.
 * Returns: FALSE with @error: this is no command, or it contains an invalid number
 */
gboolean orrery_task_plan (OrreryTask *task, OrreryNext next, OrreryTime now, OrreryTime *due,
                           GError **error);

/* What other threads access: reference-counted, for a thread that uses it while the scheduler is
 * freed. */
typedef struct {
  OrreryWaker *waker;
  gint stopped; /* atomic */
  gint n_moves; /* atomic: how often the clock was set */
} OrreryShared;

struct _OrreryScheduler {
  GObject parent_instance;

  OrreryClock *clock;
  OrreryTime (*get_time) (OrreryClock *clock); /* of its class; NULL: monotonic */
  GCancellable *stop;
  gulong stop_handler;
  gulong moved_handler;
  OrreryShared *shared;

  OrreryHeap heap;
  OrreryDueList due;    /* taken from the heap: the due tasks, in order */
  OrreryTime due_until; /* when the list was taken */
  guint n_ended;        /* entries of both that belong to removed tasks */
  GPtrArray *pending;   /* (element-type OrreryTask): tasks that wait for their start, in order */
  GPtrArray *woken;     /* (element-type OrreryTask): those that have a waker */
  OrreryTime now;
  guint64 sequence; /* sequence of the next entry */
  guint64 stale;    /* entries from this number on were added after now was read */
  OrreryTask *current;
  gboolean stepping; /* inside a batch */
  gboolean running;  /* inside orrery_scheduler_run() */
  gboolean has_work; /* since the last signal `finished` */
  guint n_failed;
  GSource *source;
};

/*
 * Runs at most @limit steps of entries older than @end: starts pending tasks first, and ends when
 * nothing is due or it is stopped.
 * Returns: number of steps
 */
guint orrery_scheduler_run_batch (OrreryScheduler *self, guint64 end, guint limit);
/* Whether a step is due now; reads the clock if that is needed. */
gboolean orrery_scheduler_is_due (OrreryScheduler *self);
/* Within a step: whether another task is due, or the scheduler is stopped. */
gboolean orrery_scheduler_has_other (OrreryScheduler *self);
/* Lets @waker make @task due at once, until the task ends or is given another waker. */
void orrery_scheduler_set_waker (OrreryScheduler *self, OrreryTask *task, OrreryWaker *waker);
/* Busy-waits if @wait, in ns, is too short for a sleep. Returns: whether it did */
gboolean orrery_scheduler_stay_awake (OrreryTime wait);
/* Whether it is stopped, or has no tasks. */
gboolean orrery_scheduler_is_at_end (OrreryScheduler *self);
/* Emits `finished`, once for all tasks that were added since the last time. */
void orrery_scheduler_finish (OrreryScheduler *self);
/* Steps in one turn of a loop. */
guint orrery_scheduler_get_turn (OrreryScheduler *self);
