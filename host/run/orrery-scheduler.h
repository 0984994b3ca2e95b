/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "run/orrery-clock.h"
#include "run/orrery-task.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * OrreryScheduler:
 *
 * Runs tasks, one step at a time, in the order of when they are due; those due at the same time in
 * the order in which that was said. It sleeps only when nothing is due. It runs by itself
 * (orrery_scheduler_run()), as a source of a main loop (orrery_scheduler_attach()), or whenever it
 * is called (orrery_scheduler_run_due()).
 *
 * A task that fails, or whose step gives no command, is reported by the signal `failed`, and is
 * ended; the others run on.
 *
 * One thread at a time. From any thread: to stop it, and to move its clock.
 */
#define ORRERY_TYPE_SCHEDULER (orrery_scheduler_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryScheduler, orrery_scheduler, ORRERY, SCHEDULER, GObject)

/**
 * orrery_scheduler_new:
 * @clock: (nullable): what it goes by; %NULL: the wall clock
 * @stop: (nullable): what ends it, from any thread; may be shared with others; %NULL: one of its
 * own
 *
 * Returns: (transfer full): a scheduler without tasks
 */
ORRERY_API OrreryScheduler *orrery_scheduler_new (OrreryClock *clock, GCancellable *stop);

/**
 * orrery_scheduler_add: (skip)
 * @scheduler: a scheduler
 * @name: what it is called in reports; need not be the only one
 * @step: its step
 * @data: what its step is given
 * @destroy: (nullable): frees @data when the task has ended
 *
 * What is added before a run starts with it, all at one time and in this order; what is added by a
 * step is due at once, after all that are due.
 *
 * Returns: (transfer none): the task; valid until it has ended
 */
ORRERY_API OrreryTask *orrery_scheduler_add (OrreryScheduler *scheduler, const char *name,
                                             OrreryStepFunc step, gpointer data,
                                             GDestroyNotify destroy);
/**
 * orrery_scheduler_add_func: (rename-to orrery_scheduler_add)
 * @scheduler: a scheduler
 * @name: what it is called in reports; need not be the only one
 * @func: (scope notified) (closure data) (destroy destroy): its step
 * @data: what its step is given
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
 * @scheduler: a scheduler
 * @task: a task of it; nothing happens if it has ended
 *
 * Ends a task between its steps: its data is freed at once, or after its step of now.
 */
ORRERY_API void orrery_scheduler_remove (OrreryScheduler *scheduler, OrreryTask *task);
/**
 * orrery_scheduler_get_n_tasks:
 * @scheduler: a scheduler
 *
 * Returns: how many tasks have not ended
 */
ORRERY_API guint orrery_scheduler_get_n_tasks (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_n_failed:
 * @scheduler: a scheduler
 *
 * Returns: how many tasks were ended because they failed
 */
ORRERY_API guint orrery_scheduler_get_n_failed (OrreryScheduler *scheduler);

/**
 * orrery_scheduler_run:
 * @scheduler: a scheduler that is not attached
 *
 * Runs by itself until all tasks have ended or it is stopped. While it sleeps the slack of this
 * thread's timers is 1 ns; it is restored at the end. What is left may be run again.
 *
 * Returns: %TRUE: all tasks have ended; %FALSE: it was stopped
 */
ORRERY_API gboolean orrery_scheduler_run (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_run_until_signal:
 * @scheduler: a scheduler that is not attached
 * @number: (out): the signal that came, as SIGINT; 0: none
 * @error: return location
 *
 * orrery_scheduler_run() that SIGINT and SIGTERM stop, as orrery_scheduler_stop() does; a second
 * one ends the program at once. Signals that this process ignores it ignores on. What was to be
 * done about them before is so again afterwards.
 *
 * Returns: %TRUE: all tasks have ended; %FALSE: it was stopped, or with %ORRERY_ERROR_IO: there
 *   are no descriptors left
 */
ORRERY_API gboolean orrery_scheduler_run_until_signal (OrreryScheduler *scheduler, int *number,
                                                       GError **error);
/**
 * orrery_scheduler_run_due:
 * @scheduler: a scheduler
 *
 * Runs what is due now, and never sleeps. No task has more than one step that was not due yet when
 * this was called: one that yields goes on with the next call.
 *
 * Returns: number of steps
 */
ORRERY_API guint orrery_scheduler_run_due (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_next_due:
 * @scheduler: a scheduler
 * @due: (out): when its next step is due; at once: the least of times
 *
 * Returns: whether there is a task
 */
ORRERY_API gboolean orrery_scheduler_get_next_due (OrreryScheduler *scheduler, OrreryTime *due);
/**
 * orrery_scheduler_attach:
 * @scheduler: a scheduler, neither attached nor running
 * @context: (nullable): a main context; %NULL: the default one of this thread
 * @error: return location
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
 * @scheduler: a scheduler
 *
 * Ends what orrery_scheduler_attach() began; nothing happens if it is not attached.
 */
ORRERY_API void orrery_scheduler_detach (OrreryScheduler *scheduler);

/**
 * orrery_scheduler_stop:
 * @scheduler: a scheduler
 *
 * Cancels its stop token: no further step is taken, a sleep ends at once. Any thread.
 */
ORRERY_API void orrery_scheduler_stop (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_stop:
 * @scheduler: a scheduler
 *
 * Returns: (transfer none): its stop token; reset it to run again
 */
ORRERY_API GCancellable *orrery_scheduler_get_stop (OrreryScheduler *scheduler);
/**
 * orrery_scheduler_get_clock:
 * @scheduler: a scheduler
 *
 * Returns: (transfer none): its clock
 */
ORRERY_API OrreryClock *orrery_scheduler_get_clock (OrreryScheduler *scheduler);

G_END_DECLS
