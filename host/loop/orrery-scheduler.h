/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "loop/orrery-clock.h"
#include "loop/orrery-task.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * OrreryScheduler:
 *
 * Runs tasks, one step at a time, in the order in which they are due; tasks that are due at the
 * same time run in the order in which they were planned. It sleeps only when nothing is due. It
 * runs by itself (orrery_scheduler_run()), as a source of a main loop (orrery_scheduler_attach()),
 * or whenever it is called (orrery_scheduler_run_due()).
 *
 * A task that fails, or whose step returns no command, is reported by the signal `failed`, and is
 * ended; the others run on.
 *
 * One thread at a time. Any thread may stop it or set its clock.
 */
#define ORRERY_TYPE_SCHEDULER (orrery_scheduler_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryScheduler, orrery_scheduler, ORRERY, SCHEDULER, GObject)

/**
 * OrreryScheduler:clock:
 *
 * The source of its time; without one given, the wall clock.
 */

/**
 * OrreryScheduler:stop:
 *
 * The token that stops it, which may be shared; without one given, a token of its own.
 */

/**
 * OrreryScheduler::failed:
 * @scheduler: a scheduler
 * @task: the task, which has ended
 * @error: why it failed, or which invalid command it returned; the message begins with the name of
 *   the task
 *
 * A task has failed and was ended. By default the message is logged as a warning. Emitted in the
 * thread of the scheduler, between two steps.
 *
 * Returns: %TRUE: handled, nothing is logged
 */

/**
 * OrreryScheduler::finished:
 * @scheduler: a scheduler
 *
 * All tasks have ended, or it was stopped; for main loops. Not again before a task is added.
 */

/**
 * orrery_scheduler_new:
 * @clock: (nullable): its clock; %NULL: the wall clock
 * @stop: (nullable): the token that stops it, from any thread; may be shared; %NULL: a token of its
 * own
 *
 * The scheduler keeps references to @clock and @stop. Tasks are added next, then it is run.
 *
 * Returns: (transfer full): a scheduler without tasks
 */
ORRERY_API OrreryScheduler *orrery_scheduler_new (OrreryClock *clock, GCancellable *stop);

/**
 * orrery_scheduler_add: (skip)
 * @name: its name in reports; need not be unique
 * @step: its step
 * @data: passed to its step
 * @destroy: (nullable): frees @data when the task has ended
 *
 * Tasks that are added before a run start with it, at the same time and in this order; a task that
 * is added by a step is due at once, after all that are due already.
 *
 * Returns: (transfer none): the task; valid until it has ended
 */
ORRERY_API OrreryTask *orrery_scheduler_add (OrreryScheduler *scheduler, const char *name,
                                             OrreryStepFunc step, gpointer data,
                                             GDestroyNotify destroy);
/**
 * orrery_scheduler_add_func: (rename-to orrery_scheduler_add)
 * @name: its name in reports; need not be unique
 * @func: (scope notified) (closure data) (destroy destroy): its step
 * @data: passed to its step
 * @destroy: (nullable): frees @data when the task has ended
 *
 * As orrery_scheduler_add(), for bindings.
 *
 * Returns: (transfer none): the task; valid until it has ended
 */
ORRERY_API OrreryTask *orrery_scheduler_add_func (OrreryScheduler *scheduler, const char *name,
                                                  OrreryTaskFunc func, gpointer data,
                                                  GDestroyNotify destroy);
/**
 * orrery_scheduler_remove:
 * @task: a task of it; nothing happens if it has ended
 *
 * Ends a task between its steps: its data is freed at once, or after its current step.
 */
ORRERY_API void orrery_scheduler_remove (OrreryScheduler *scheduler, OrreryTask *task);
/**
 * orrery_scheduler_get_n_tasks:
 *
 * A task counts during its step, too, unless the step has removed it.
 *
 * Returns: the number of tasks that have not ended
 */
ORRERY_API guint orrery_scheduler_get_n_tasks (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_n_failed:
 *
 * Counts since the scheduler was made, over all runs.
 *
 * Returns: the number of tasks that were ended because they failed
 */
ORRERY_API guint orrery_scheduler_get_n_failed (OrreryScheduler *scheduler);

/**
 * orrery_scheduler_run:
 * @scheduler: a scheduler that is not attached
 *
 * Runs until all tasks have ended or it is stopped. Meanwhile the timer slack of this thread is
 * 1 ns; it is restored at the end. Tasks that are left may be run again.
 *
 * Returns: %TRUE: all tasks have ended; %FALSE: it was stopped
 */
ORRERY_API gboolean orrery_scheduler_run (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_run_until_signal:
 * @scheduler: a scheduler that is not attached
 * @number: (out): the signal that stopped it, such as SIGINT; 0: none
 *
 * As orrery_scheduler_run(), but SIGINT, SIGTERM and SIGHUP stop it, as orrery_scheduler_stop()
 * does; a second signal ends the program at once. Signals that this process ignores stay ignored.
 * The previous handlers are restored afterwards.
 *
 * Returns: %TRUE: all tasks have ended; %FALSE: it was stopped, or with %ORRERY_ERROR_IO: there
 *   are no descriptors left
 */
ORRERY_API gboolean orrery_scheduler_run_until_signal (OrreryScheduler *scheduler, int *number,
                                                       GError **error);
/**
 * orrery_scheduler_run_due:
 *
 * Runs the tasks that are due, and never sleeps. A task makes at most one step that was not due yet
 * when this was called: a task that yields continues with the next call.
 *
 * Returns: number of steps
 */
ORRERY_API guint orrery_scheduler_run_due (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_next_due:
 * @due: (out): when its next step is due; at once: the least of times
 *
 * For a program that runs it by orrery_scheduler_run_due(), and sleeps by itself. Not to be called
 * by a step.
 *
 * Returns: whether there is a task
 */
ORRERY_API gboolean orrery_scheduler_get_next_due (OrreryScheduler *scheduler, OrreryTime *due);
/**
 * orrery_scheduler_attach:
 * @scheduler: a scheduler, neither attached nor running
 * @context: (nullable): a main context; %NULL: the default one of this thread
 *
 * Runs tasks in a main loop, on one timer, until orrery_scheduler_detach() or the end of the
 * scheduler. In one turn of the loop about as many steps as there are tasks, so that other sources
 * have theirs. The thread of the loop is that of the scheduler from now on.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO: there are no descriptors left
 */
ORRERY_API gboolean orrery_scheduler_attach (OrreryScheduler *scheduler, GMainContext *context,
                                             GError **error);
/**
 * orrery_scheduler_detach:
 *
 * Reverts orrery_scheduler_attach(); nothing happens if it is not attached.
 */
ORRERY_API void orrery_scheduler_detach (OrreryScheduler *scheduler);

/**
 * orrery_scheduler_stop:
 *
 * Cancels its stop token: no further step is taken, a sleep ends at once. Any thread.
 */
ORRERY_API void orrery_scheduler_stop (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_stop:
 *
 * The token that orrery_scheduler_new() was given, or its own. Cancelled, it keeps every later run
 * from taking a step until g_cancellable_reset().
 *
 * Returns: (transfer none): its stop token; reset it to run again
 */
ORRERY_API GCancellable *orrery_scheduler_get_stop (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_clock:
 *
 * The clock that orrery_scheduler_new() was given, or the wall clock.
 *
 * Returns: (transfer none): its clock
 */
ORRERY_API OrreryClock *orrery_scheduler_get_clock (OrreryScheduler *scheduler);

G_END_DECLS
