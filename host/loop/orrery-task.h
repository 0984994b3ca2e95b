/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryTask:
 *
 * A function that a scheduler runs in steps. Opaque and reference-counted. Scheduler thread only.
 */
typedef struct _OrreryTask OrreryTask;
#define ORRERY_TYPE_TASK (orrery_task_get_type ())
ORRERY_API GType orrery_task_get_type (void);
/**
 * orrery_task_ref:
 * @task: a task
 *
 * Takes a reference, with which the task may be asked for its name and error after its end.
 *
 * Returns: (transfer full): @task
 */
ORRERY_API OrreryTask *orrery_task_ref (OrreryTask *task);
/**
 * orrery_task_unref:
 * @task: a task
 *
 * Drops a reference; the last one frees the task. The scheduler has one of its own until the task
 * has ended.
 */
ORRERY_API void orrery_task_unref (OrreryTask *task);

/**
 * OrreryNextKind: (skip)
 * @ORRERY_NEXT_NONE: no command: the task is reported and ended
 * @ORRERY_NEXT_YIELD: again, after all others that are due
 * @ORRERY_NEXT_SLEEP: a duration after the end of this step, 0 or more
 * @ORRERY_NEXT_SLEEP_SECONDS: the same in seconds
 * @ORRERY_NEXT_PERIOD: a duration after this step was due, more than 0
 * @ORRERY_NEXT_PERIOD_SECONDS: the same in seconds: 1/60 s drifts no more than 1 s does
 * @ORRERY_NEXT_DUE: at a time of the clock; at once if that is past
 * @ORRERY_NEXT_DONE: never
 *
 * When the next step of a task is.
 */
typedef enum {
  ORRERY_NEXT_NONE,
  ORRERY_NEXT_YIELD,
  ORRERY_NEXT_SLEEP,
  ORRERY_NEXT_SLEEP_SECONDS,
  ORRERY_NEXT_PERIOD,
  ORRERY_NEXT_PERIOD_SECONDS,
  ORRERY_NEXT_DUE,
  ORRERY_NEXT_DONE,
} OrreryNextKind;

/**
 * OrreryNext: (skip)
 * @kind: the kind of command
 * @time: ns, of a kind without seconds in its name
 * @seconds: of a kind with seconds in its name
 *
 * The result of a step, created by the functions orrery_next_...(); returned in two registers.
 */
typedef struct {
  OrreryNextKind kind;
  union {
    OrreryTime time;
    double seconds;
  };
} OrreryNext;

static inline OrreryNext
orrery_next_make (OrreryNextKind kind, OrreryTime time)
{
  OrreryNext next;

  next.kind = kind;
  next.time = time;
  return next;
}

static inline OrreryNext
orrery_next_make_seconds (OrreryNextKind kind, double seconds)
{
  OrreryNext next;

  next.kind = kind;
  next.seconds = seconds;
  return next;
}

/**
 * orrery_next_yield: (skip)
 *
 * The command of a step for another one after all others that are due: %ORRERY_NEXT_YIELD.
 */
#define orrery_next_yield() orrery_next_make (ORRERY_NEXT_YIELD, 0)
/**
 * orrery_next_sleep: (skip)
 * @ns: how long, ns; 0 or more
 *
 * The command of a step for the next one after a pause: %ORRERY_NEXT_SLEEP.
 */
#define orrery_next_sleep(ns) orrery_next_make (ORRERY_NEXT_SLEEP, ns)
/**
 * orrery_next_sleep_seconds: (skip)
 * @s: how long, s; 0 to 9.2e9
 *
 * orrery_next_sleep() in seconds: %ORRERY_NEXT_SLEEP_SECONDS.
 */
#define orrery_next_sleep_seconds(s) orrery_next_make_seconds (ORRERY_NEXT_SLEEP_SECONDS, s)
/**
 * orrery_next_period: (skip)
 * @ns: the period, ns; more than 0
 *
 * The command of a step for the next one in a period, which counts from when this one was due:
 * %ORRERY_NEXT_PERIOD.
 */
#define orrery_next_period(ns) orrery_next_make (ORRERY_NEXT_PERIOD, ns)
/**
 * orrery_next_period_seconds: (skip)
 * @s: the period, s; 1e-9 to 9.2e9
 *
 * orrery_next_period() in seconds, without the drift of a period that is no whole number of
 * nanoseconds: %ORRERY_NEXT_PERIOD_SECONDS.
 */
#define orrery_next_period_seconds(s) orrery_next_make_seconds (ORRERY_NEXT_PERIOD_SECONDS, s)
/**
 * orrery_next_due: (skip)
 * @time: a time of the scheduler's clock, ns
 *
 * The command of a step for the next one at a given time: %ORRERY_NEXT_DUE.
 */
#define orrery_next_due(time) orrery_next_make (ORRERY_NEXT_DUE, time)
/**
 * orrery_next_done: (skip)
 *
 * The command of a step that was the last one: %ORRERY_NEXT_DONE.
 */
#define orrery_next_done() orrery_next_make (ORRERY_NEXT_DONE, 0)

/**
 * OrreryStepFunc: (skip)
 * @task: the task
 * @data: as given to orrery_scheduler_add()
 *
 * One step of a task, in the thread of the scheduler. It may add and remove tasks, also its own,
 * and stop the scheduler. With @error set the task has failed, whatever is returned.
 *
 * Returns: when the next step is
 */
typedef OrreryNext (*OrreryStepFunc) (OrreryTask *task, gpointer data, GError **error);

/**
 * OrreryTaskFunc:
 * @task: the task
 * @data: (closure): as given to orrery_scheduler_add_func()
 *
 * One step of a task, for bindings: it says when the next one is by one of orrery_task_yield(),
 * orrery_task_sleep(), orrery_task_repeat(), orrery_task_wait_until(), orrery_task_finish(). The
 * last one called counts. A step that calls none of them ends the task with an error.
 */
typedef void (*OrreryTaskFunc) (OrreryTask *task, gpointer data, GError **error);

/**
 * orrery_task_yield:
 * @task: a task made by orrery_scheduler_add_func(), in its step
 *
 * The next step is after all others that are due.
 */
ORRERY_API void orrery_task_yield (OrreryTask *task);
/**
 * orrery_task_sleep:
 * @task: a task made by orrery_scheduler_add_func(), in its step
 * @seconds: 0 to 9.2e9; with another number the task is reported and ended
 *
 * The next step is that long after the end of this one.
 */
ORRERY_API void orrery_task_sleep (OrreryTask *task, double seconds);
/**
 * orrery_task_repeat:
 * @task: a task made by orrery_scheduler_add_func(), in its step
 * @seconds: 1e-9 to 9.2e9; with another number the task is reported and ended
 *
 * The next step is due that long after this one was: a period that does not drift. A late task
 * catches up with one step per period, and other tasks that are due run in between.
 */
ORRERY_API void orrery_task_repeat (OrreryTask *task, double seconds);
/**
 * orrery_task_wait_until:
 * @task: a task made by orrery_scheduler_add_func(), in its step
 * @time: a time of the scheduler's clock; one that is past is now
 *
 * The next step is due then.
 */
ORRERY_API void orrery_task_wait_until (OrreryTask *task, OrreryTime time);
/**
 * orrery_task_finish:
 * @task: a task made by orrery_scheduler_add_func(), in its step
 *
 * There is no next step.
 */
ORRERY_API void orrery_task_finish (OrreryTask *task);

/**
 * orrery_task_get_name:
 *
 * As it was given; it need not be unique. Valid as long as the task.
 *
 * Returns: its name
 */
ORRERY_API const char *orrery_task_get_name (OrreryTask *task);
/**
 * orrery_task_get_due:
 *
 * Periods count from this time. The lateness of a step is the time of the clock minus this time.
 *
 * Returns: when its current step, or else its next one, is due; before its start the start time
 */
ORRERY_API OrreryTime orrery_task_get_due (OrreryTask *task);
/**
 * orrery_task_is_ended:
 *
 * An ended task never runs again: add another one.
 *
 * Returns: whether there are no more steps: done, failed, removed, or the scheduler was freed
 */
ORRERY_API gboolean orrery_task_is_ended (OrreryTask *task);
/**
 * orrery_task_get_error:
 *
 * The message begins with the name of the task. Valid as long as the task: a caller that asks after
 * its end keeps a reference to it.
 *
 * Returns: (transfer none) (nullable): why it failed; %NULL if it did not
 */
ORRERY_API const GError *orrery_task_get_error (OrreryTask *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryTask, orrery_task_unref)

G_END_DECLS
