/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "loop/orrery-loop.h"

G_BEGIN_DECLS

/**
 * OrreryHybrid:
 *
 * A hybrid: light loops share one thread, heavy ones have processes of their own, and channels
 * connect them. Whether there are processes at all is decided when it is made: `local` or
 * `multiprocess`. It can be started once. Thread of its context only; orrery_hybrid_stop() may
 * be called from any.
 *
 * It ends when it is stopped, when a loop with %ORRERY_ON_EXIT_STOP ends, or when all foreground
 * loops have ended; without foreground loops, when all background loops have ended.
 */
#define ORRERY_TYPE_HYBRID (orrery_hybrid_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryHybrid, orrery_hybrid, ORRERY, HYBRID, GObject)

/**
 * OrreryHybrid::message:
 * @hybrid: a hybrid
 * @text: what happens, in words: world starting, background process started, a loop ended,
 *   stopping, shared memory released, joined
 *
 * Reports the course of a run, in the thread of the hybrid. By default the text is logged.
 *
 * Returns: %TRUE: handled, nothing is logged
 */

/**
 * OrreryHybrid::failed:
 * @hybrid: a hybrid
 * @loop: a loop whose end does not stop the hybrid
 * @error: what went wrong; its message begins with the name of the loop
 *
 * A loop with %ORRERY_ON_EXIT_RESTART or %ORRERY_ON_EXIT_IGNORE has failed. By default the message
 * is logged as a warning. The error of a loop that stops the hybrid is that of
 * orrery_hybrid_get_error().
 *
 * Returns: %TRUE: handled, nothing is logged
 */

/**
 * OrreryHybrid::release:
 * @hybrid: a hybrid that stops
 *
 * Whoever holds ends of its channels releases them now, emitters first, then receivers. No step
 * runs any more; background processes may still be ending.
 */

/**
 * OrreryHybrid::ended:
 * @hybrid: a hybrid
 *
 * All loops and processes of the hybrid have ended. Emitted once, also in orrery_hybrid_run(); not
 * after a start that failed.
 */

/**
 * orrery_hybrid_new: (constructor)
 * @clock: (nullable): the clock of its loops; %NULL: the wall clock. With background loops in
 *   processes an #OrreryWallClock
 * @parallelism: "local": all loops share the thread; "multiprocess": each background loop has a
 *   process
 *
 * The hybrid keeps a reference to @clock. Channels and loops are added next, and
 * orrery_hybrid_run() or orrery_hybrid_start() starts it.
 *
 * Returns: (transfer full): a hybrid without loops, or %NULL with %ORRERY_ERROR_INVALID: another
 *   @parallelism
 */
ORRERY_API OrreryHybrid *orrery_hybrid_new (OrreryClock *clock, const char *parallelism,
                                            GError **error);

/**
 * orrery_hybrid_add_channel:
 * @hybrid: a hybrid that has not started
 * @name: its name; no two of a hybrid have the same
 * @transport: `queue` or `latest`; `local` if no background loop has an end of it
 *
 * In a local hybrid every channel is a ring in the process. One that asks for shared memory there,
 * `latest`, is refused at the start.
 *
 * Returns: (transfer none): the channel, or %NULL with %ORRERY_ERROR_INVALID: the name is in
 *   use; or with %ORRERY_ERROR_IO: no memory, no descriptor
 */
ORRERY_API OrreryChannel *orrery_hybrid_add_channel (OrreryHybrid *hybrid, const char *name,
                                                     OrreryTransport transport, GError **error);
/**
 * orrery_hybrid_add_pipe:
 * @hybrid: a hybrid that has not started
 * @name: as for orrery_hybrid_add_channel()
 * @transport: as for orrery_hybrid_add_channel()
 *
 * Another name of orrery_hybrid_add_channel().
 *
 * Returns: (transfer none): as orrery_hybrid_add_channel()
 */
ORRERY_API OrreryChannel *orrery_hybrid_add_pipe (OrreryHybrid *hybrid, const char *name,
                                                  OrreryTransport transport, GError **error);

/**
 * orrery_hybrid_add_loop: (skip)
 * @hybrid: a hybrid that has not started
 * @name: its name in reports
 * @funcs: what it does
 * @arguments: (nullable): any variant, for its begin; a floating one is consumed
 *
 * A foreground loop: in the thread of the hybrid, in turns with the others.
 *
 * Returns: (transfer none): the loop
 */
ORRERY_API OrreryLoop *orrery_hybrid_add_loop (OrreryHybrid *hybrid, const char *name,
                                               const OrreryLoopFuncs *funcs, GVariant *arguments);
/**
 * orrery_hybrid_add_background: (skip)
 * @hybrid: a hybrid that has not started
 * @name: its name in reports
 * @funcs: what it does; orrery_loop_main() must know it
 * @arguments: (nullable): any variant, for its begin; a floating one is consumed
 *
 * A background loop: in a process of its own, or in the foreground if the hybrid is local.
 *
 * Returns: (transfer none): the loop
 */
ORRERY_API OrreryLoop *orrery_hybrid_add_background (OrreryHybrid *hybrid, const char *name,
                                                     const OrreryLoopFuncs *funcs,
                                                     GVariant *arguments);
/**
 * orrery_hybrid_add_loop_func: (rename-to orrery_hybrid_add_loop)
 * @hybrid: a hybrid that has not started
 * @name: its name in reports
 * @func: (scope notified) (closure data) (destroy destroy): its step
 * @data: passed to its step
 * @destroy: (nullable): frees @data when the loop will not run any more
 *
 * As orrery_hybrid_add_loop(), for bindings.
 *
 * Returns: (transfer none): the loop
 */
ORRERY_API OrreryLoop *orrery_hybrid_add_loop_func (OrreryHybrid *hybrid, const char *name,
                                                    OrreryTaskFunc func, gpointer data,
                                                    GDestroyNotify destroy);
/**
 * orrery_hybrid_add_background_func: (rename-to orrery_hybrid_add_background)
 * @hybrid: a hybrid that has not started
 * @name: its name in reports
 * @func: (scope notified) (closure data) (destroy destroy): its step, if the hybrid is local
 * @data: passed to its step
 * @destroy: (nullable): frees @data when the loop will not run any more
 *
 * As orrery_hybrid_add_background(), for bindings: the process is that of
 * orrery_hybrid_set_command(), which reads the arguments of orrery_loop_set_arguments().
 *
 * Returns: (transfer none): the loop
 */
ORRERY_API OrreryLoop *orrery_hybrid_add_background_func (OrreryHybrid *hybrid, const char *name,
                                                          OrreryTaskFunc func, gpointer data,
                                                          GDestroyNotify destroy);

/**
 * orrery_hybrid_set_command:
 * @hybrid: a hybrid that has not started
 * @command: (array zero-terminated=1): path of a program, and its arguments
 *
 * Sets the command that background processes run, instead of this program with orrery_loop_main().
 * It must call orrery_loop_open().
 */
ORRERY_API void orrery_hybrid_set_command (OrreryHybrid *hybrid, const char *const *command);
/**
 * orrery_hybrid_set_brings_clock:
 * @hybrid: a hybrid that has not started
 * @brings_clock: whether the command knows the clock by itself, and calls orrery_loop_set_clock()
 *
 * Otherwise, a hybrid with processes refuses a clock that is not an #OrreryWallClock.
 */
ORRERY_API void orrery_hybrid_set_brings_clock (OrreryHybrid *hybrid, gboolean brings_clock);
/**
 * orrery_hybrid_set_start_limit:
 * @hybrid: a hybrid that has not started
 * @seconds: 0 to 3600, by the wall; 0: no limit; by default 30
 *
 * A background process that is not ready for the first step of its loop so long after its start is
 * killed, which is an error of the loop.
 */
ORRERY_API void orrery_hybrid_set_start_limit (OrreryHybrid *hybrid, double seconds);
/**
 * orrery_hybrid_set_limit:
 * @seconds: 0 to 3600, by the wall; by default 2
 *
 * Sets the time after the stop at which processes that have not ended are killed.
 */
ORRERY_API void orrery_hybrid_set_limit (OrreryHybrid *hybrid, double seconds);

/**
 * orrery_hybrid_run:
 * @hybrid: a hybrid that has not started
 *
 * Starts it, and returns when it has ended: loops, channels and processes.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: it cannot start as it is (shared memory in
 *   a local hybrid; a clock, a channel that cannot cross); with %ORRERY_ERROR_IO: a process or a
 * channel could not be made; or with the error of the loop that stopped it
 */
ORRERY_API gboolean orrery_hybrid_run (OrreryHybrid *hybrid, GError **error);
/**
 * orrery_hybrid_run_until_signal:
 * @hybrid: a hybrid that has not started
 * @number: (out): the signal that stopped it, such as SIGINT; 0: none
 *
 * As orrery_hybrid_run(), but SIGINT, SIGTERM and SIGHUP stop it, as orrery_hybrid_stop() does; a
 * second one ends the program at once, and its background processes with it.
 *
 * Returns: as orrery_hybrid_run()
 */
ORRERY_API gboolean orrery_hybrid_run_until_signal (OrreryHybrid *hybrid, int *number,
                                                    GError **error);
/**
 * orrery_hybrid_start:
 * @hybrid: a hybrid that has not started
 * @context: (nullable): a main context; %NULL: the default one of this thread
 *
 * Runs it in a main loop; the signal `ended` reports the end. The thread must exist until then: its
 * background processes are killed with it.
 *
 * Returns: as orrery_hybrid_run(); with %FALSE nothing runs
 */
ORRERY_API gboolean orrery_hybrid_start (OrreryHybrid *hybrid, GMainContext *context,
                                         GError **error);
/**
 * orrery_hybrid_stop:
 *
 * Ends it: no further step runs, and background loops that sleep wake at once. Any thread.
 */
ORRERY_API void orrery_hybrid_stop (OrreryHybrid *hybrid);
/**
 * orrery_hybrid_get_error:
 * @hybrid: a hybrid that has ended
 *
 * The error of the first loop with %ORRERY_ON_EXIT_STOP that failed. %NULL as long as the hybrid
 * runs; valid as long as the hybrid.
 *
 * Returns: (transfer none) (nullable): the error, or %NULL if no loop stopped it by one
 */
ORRERY_API const GError *orrery_hybrid_get_error (OrreryHybrid *hybrid);
/**
 * orrery_hybrid_get_clock:
 *
 * The clock that orrery_hybrid_new() was given, or the wall clock. Loops in other processes have
 * clocks of their own.
 *
 * Returns: (transfer none): its clock
 */
ORRERY_API OrreryClock *orrery_hybrid_get_clock (OrreryHybrid *hybrid);
/**
 * orrery_hybrid_get_stop:
 *
 * Cancelled when the hybrid stops, for whatever reason. Cancelling it stops the hybrid, from any
 * thread.
 *
 * Returns: (transfer none): its stop event
 */
ORRERY_API GCancellable *orrery_hybrid_get_stop (OrreryHybrid *hybrid);
/**
 * orrery_hybrid_is_local:
 *
 * Decided by the parallelism of orrery_hybrid_new(), whatever loops there are.
 *
 * Returns: whether all loops share the thread
 */
ORRERY_API gboolean orrery_hybrid_is_local (OrreryHybrid *hybrid);

G_END_DECLS
