/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "channel/orrery-channel.h"
#include "loop/orrery-clock.h"
#include "loop/orrery-task.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * OrreryOnExit:
 * @ORRERY_ON_EXIT_STOP: the hybrid stops
 * @ORRERY_ON_EXIT_RESTART: the loop is restarted; later and later, up to 5 s, if it keeps ending
 *   within a second
 * @ORRERY_ON_EXIT_IGNORE: the others run on
 *
 * What happens when a loop ends, by itself or by an error.
 */
typedef enum {
  ORRERY_ON_EXIT_STOP,
  ORRERY_ON_EXIT_RESTART,
  ORRERY_ON_EXIT_IGNORE,
} OrreryOnExit;

/**
 * OrreryLoop:
 *
 * A loop of a hybrid: a task, its arguments, and its ends of channels. It is the same whether it
 * runs in the thread of the hybrid or in a process of its own. Only for the thread of its steps, or
 * before the start that of the hybrid.
 */
#define ORRERY_TYPE_LOOP (orrery_loop_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryLoop, orrery_loop, ORRERY, LOOP, GObject)

/**
 * OrreryLoop::release:
 * @loop: a loop, in the process that it runs in
 *
 * The loop has made its last step, unless it is restarted. Its ends of channels are still open.
 */

/**
 * OrreryLoopStep: (skip)
 * @loop: the loop
 * @data: what its begin returned
 *
 * One step, as #OrreryStepFunc.
 *
 * Returns: when the next step is
 */
typedef OrreryNext (*OrreryLoopStep) (OrreryLoop *loop, gpointer data, GError **error);

/**
 * OrreryLoopBegin: (skip)
 * @loop: the loop
 *
 * Called before the first step, in its process: opens a camera, reads arguments.
 *
 * Returns: the data of its steps; with @error set the loop has failed
 */
typedef gpointer (*OrreryLoopBegin) (OrreryLoop *loop, GError **error);

/**
 * OrreryLoopFuncs: (skip)
 * @name: how another process finds them; no two of a program have the same
 * @step: one step
 * @begin: (nullable): before the first step
 * @end: (nullable): after the last step, with what @begin returned; not if @begin failed
 *
 * The functions of a loop. Static: they exist in every process of the program.
 */
typedef struct {
  const char *name;
  OrreryLoopStep step;
  OrreryLoopBegin begin;
  GDestroyNotify end;
} OrreryLoopFuncs;

/**
 * orrery_loop_main: (skip)
 * @argc: as main() has it
 * @argv: as main() has it
 * @funcs: (array length=n_funcs): those of all background loops of this program
 * @n_funcs: how many
 * @code: (out): the exit code, if this process is a background loop
 *
 * The first call in main() of a program with background loops: their processes are the same
 * program, started again. If this process is one of them, its loop runs now, until it ends or is
 * stopped, and main() should only return @code.
 *
 * Returns: whether it was one
 */
ORRERY_API gboolean orrery_loop_main (int argc, char **argv, const OrreryLoopFuncs *funcs,
                                      guint n_funcs, int *code);

/**
 * orrery_loop_get_name:
 *
 * The name with which it was added. Two loops may have the same.
 *
 * Returns: (transfer none): its name in reports
 */
ORRERY_API const char *orrery_loop_get_name (OrreryLoop *loop);
/**
 * orrery_loop_get_arguments:
 *
 * In a process of its own it is a copy. Valid until orrery_loop_set_arguments(), or as long as the
 * loop.
 *
 * Returns: (transfer none) (nullable): the arguments with which it was added
 */
ORRERY_API GVariant *orrery_loop_get_arguments (OrreryLoop *loop);
/**
 * orrery_loop_set_arguments:
 * @loop: a loop of a hybrid that has not started
 * @arguments: (nullable): what it needs to know, any variant; a floating one is consumed
 *
 * Replaces the arguments with which it was added.
 */
ORRERY_API void orrery_loop_set_arguments (OrreryLoop *loop, GVariant *arguments);
/**
 * orrery_loop_get_clock:
 * @loop: a loop, from its begin to its end
 *
 * A process with a command of its own may have set another by orrery_loop_set_clock().
 *
 * Returns: (transfer none): the clock of the hybrid; in another process one that shows the same
 */
ORRERY_API OrreryClock *orrery_loop_get_clock (OrreryLoop *loop);
/**
 * orrery_loop_get_time:
 * @loop: a loop, from its begin to its end
 *
 * The clock is read at each call.
 *
 * Returns: the time of its clock, ns
 */
ORRERY_API OrreryTime orrery_loop_get_time (OrreryLoop *loop);
/**
 * orrery_loop_get_stop:
 * @loop: a loop, from its begin to its end
 *
 * Cancelled when the hybrid stops, for steps that take long; there are no further steps then.
 *
 * Returns: (transfer none): the stop event
 */
ORRERY_API GCancellable *orrery_loop_get_stop (OrreryLoop *loop);
/**
 * orrery_loop_stop:
 * @loop: a loop, from its begin to its end
 *
 * Stops the hybrid, from the thread or process of the loop.
 */
ORRERY_API void orrery_loop_stop (OrreryLoop *loop);
/**
 * orrery_loop_is_background:
 *
 * %FALSE for a background loop of a local hybrid, which runs in the thread of the hybrid.
 *
 * Returns: whether it is in a process of its own, or will be
 */
ORRERY_API gboolean orrery_loop_is_background (OrreryLoop *loop);

/**
 * orrery_loop_set_on_exit:
 * @loop: a loop of a hybrid that has not started
 * @on_exit: what follows when it ends; stop for one in the background, ignore for one in front,
 *   by default
 *
 * Decides what the hybrid does when the loop is done or has failed while the hybrid runs.
 */
ORRERY_API void orrery_loop_set_on_exit (OrreryLoop *loop, OrreryOnExit on_exit);
/**
 * orrery_loop_get_on_exit:
 *
 * In a process of its own a loop does not know it, and says stop.
 *
 * Returns: what follows when it ends
 */
ORRERY_API OrreryOnExit orrery_loop_get_on_exit (OrreryLoop *loop);
/**
 * orrery_on_exit_from_name:
 * @name: "stop", "restart" or "ignore"
 * @on_exit: (out): what that is
 *
 * Upper and lower case differ; the error lists the names.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_INVALID: there is none of that name
 */
ORRERY_API gboolean orrery_on_exit_from_name (const char *name, OrreryOnExit *on_exit,
                                              GError **error);

/**
 * ORRERY_LOOP_MAX_CHANNELS:
 *
 * Ends of channels that one loop may have.
 */
#define ORRERY_LOOP_MAX_CHANNELS 64

/**
 * orrery_loop_add_emitter:
 * @loop: a loop of a hybrid that has not started
 * @channel: a channel of the same hybrid
 *
 * The loop is the emitter of @channel. A loop has at most %ORRERY_LOOP_MAX_CHANNELS ends in all.
 */
ORRERY_API void orrery_loop_add_emitter (OrreryLoop *loop, OrreryChannel *channel);
/**
 * orrery_loop_add_receiver:
 * @loop: a loop of a hybrid that has not started
 * @channel: a channel of the same hybrid
 *
 * The loop reads from @channel.
 */
ORRERY_API void orrery_loop_add_receiver (OrreryLoop *loop, OrreryChannel *channel);
/**
 * orrery_loop_find_channel:
 * @name: the name of a channel that it has an end of
 *
 * Both kinds of ends are looked at. The channel is valid until the loop, or its hybrid, has ended.
 *
 * Returns: (transfer none) (nullable): the channel; %NULL: the loop has none of that name
 */
ORRERY_API OrreryChannel *orrery_loop_find_channel (OrreryLoop *loop, const char *name);
/**
 * orrery_loop_find_emitter:
 * @loop: a loop, from its begin to its end
 * @name: the name of a channel that it emits into
 *
 * To be called by begin or by a step, so that the end belongs to the process of the loop. In the
 * thread of the hybrid it stays open until the hybrid stops, also if the loop ends before or is
 * restarted; in a process of its own, until the loop ends.
 *
 * Returns: (transfer none): the emitter, opened now if it was not; or %NULL with
 *   %ORRERY_ERROR_NOT_FOUND: the loop has none of that name, or as orrery_emitter_new()
 */
ORRERY_API OrreryEmitter *orrery_loop_find_emitter (OrreryLoop *loop, const char *name,
                                                    GError **error);
/**
 * orrery_loop_find_receiver:
 * @loop: a loop, from its begin to its end
 * @name: the name of a channel that it reads from
 *
 * To be called by begin or by a step; it stays open as long as an emitter would, see
 * orrery_loop_find_emitter().
 *
 * Returns: (transfer none): the receiver, opened now if it was not; or %NULL with
 *   %ORRERY_ERROR_NOT_FOUND: the loop has none of that name, or as orrery_receiver_new()
 */
ORRERY_API OrreryReceiver *orrery_loop_find_receiver (OrreryLoop *loop, const char *name,
                                                      GError **error);

/**
 * ORRERY_LOOP_SOCKET:
 *
 * The number of the file descriptor of a background process's socket to the hybrid.
 */
#define ORRERY_LOOP_SOCKET 3

/**
 * orrery_loop_open:
 * @socket: %ORRERY_LOOP_SOCKET
 *
 * In a process that a hybrid started with a command of its own (orrery_hybrid_set_command()): takes
 * over the loop. From now on the process ends at once when that of the hybrid does.
 *
 * Returns: (transfer full): the loop, or %NULL with %ORRERY_ERROR_INVALID: @socket is no such one;
 *   or with %ORRERY_ERROR_IO: the hybrid has ended
 */
ORRERY_API OrreryLoop *orrery_loop_open (int socket, GError **error);
/**
 * orrery_loop_set_clock:
 * @loop: a loop that orrery_loop_open() returned, before its run
 * @clock: its clock, instead of the one that came from the hybrid
 *
 * For a process that knows the clock of its hybrid by itself; see orrery_hybrid_set_brings_clock().
 */
ORRERY_API void orrery_loop_set_clock (OrreryLoop *loop, OrreryClock *clock);
/**
 * orrery_loop_run:
 * @loop: a loop that orrery_loop_open() returned
 * @func: (scope call) (closure data): its step
 * @data: passed to its step
 *
 * Runs it until it ends or is stopped, releases its emitters and then its receivers, and reports
 * the end to the hybrid. An error is reported too, and needs no further message.
 *
 * Returns: %TRUE, or %FALSE with the error of the step
 */
ORRERY_API gboolean orrery_loop_run (OrreryLoop *loop, OrreryTaskFunc func, gpointer data,
                                     GError **error);
/**
 * orrery_loop_fail:
 * @loop: a loop that orrery_loop_open() returned, and that will not run
 * @message: why
 *
 * Reports a failure to the hybrid; the process should end now.
 */
ORRERY_API void orrery_loop_fail (OrreryLoop *loop, const char *message);

G_END_DECLS
