/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

G_BEGIN_DECLS

/**
 * OrreryServiceFlags:
 * @ORRERY_SERVICE_IMMEDIATE: answers before it returns
 * @ORRERY_SERVICE_LONG: answers later; a part has one such call at a time
 * @ORRERY_SERVICE_INTERRUPTIBLE: another long-running call of the part preempts it
 * @ORRERY_SERVICE_CONCURRENT: long-running calls of it may run side by side; the part keeps them
 * @ORRERY_SERVICE_NONINTERRUPTIBLE: it is meant that no other call preempts it, and who is refused
 *   is told so; without a word of it none does, either
 * @ORRERY_SERVICE_RESTRICTED: ends or replaces the run, or acts for the caller elsewhere: a manager
 *   that cannot tell who calls has it only if `component_service` names that manager for
 * `simulation`
 *
 * The kind of a service. %ORRERY_SERVICE_INTERRUPTIBLE and %ORRERY_SERVICE_NONINTERRUPTIBLE say
 * something of long-running services only, those of %ORRERY_SERVICE_LONG;
 * %ORRERY_SERVICE_CONCURRENT is long-running by itself.
 */
typedef enum {
  ORRERY_SERVICE_IMMEDIATE = 0,
  ORRERY_SERVICE_LONG = 1 << 0,
  ORRERY_SERVICE_INTERRUPTIBLE = 1 << 1,
  ORRERY_SERVICE_CONCURRENT = 1 << 2,
  ORRERY_SERVICE_NONINTERRUPTIBLE = 1 << 3,
  ORRERY_SERVICE_RESTRICTED = 1 << 4,
} OrreryServiceFlags;

/**
 * OrreryServiceFunc: (skip)
 * @part: the part that has the service
 * @call: the call; its arguments fit the signature
 * @error: return location; an error fails the call
 *
 * Answers with orrery_call_return(), or by setting @error. An immediate service that does neither
 * has succeeded without a value; a long-running one that does neither is pending.
 */
typedef void (*OrreryServiceFunc) (OrreryPart *part, OrreryCall *call, GError **error);

/**
 * OrreryService: (skip)
 * @name: as callers say it
 * @func: what it does
 * @flags: its kind
 * @signature: `name:GVARIANT-TYPE[=default]`, separated by blanks; types b x d s and v (any JSON
 *   value); a default is a literal of that type, or null for v. E.g. `x:d y:d tolerance:d=0.5`
 * @words: what it does and returns, one line
 *
 * One service of a class: an entry of the table of orrery_part_class_add_services(), which borrows
 * it and its texts.
 */
typedef struct {
  const char *name;
  OrreryServiceFunc func;
  OrreryServiceFlags flags;
  const char *signature;
  const char *words;
} OrreryService;

/**
 * OrreryCallFault:
 * @ORRERY_CALL_OK: none: the call succeeded, or is pending
 * @ORRERY_CALL_NO_SERVICE: there is no such part or service, or it is not published there
 * @ORRERY_CALL_WRONG_COUNT: too few or too many arguments
 * @ORRERY_CALL_WRONG_TYPE: an argument does not fit its type
 * @ORRERY_CALL_FAILED: the service said no
 * @ORRERY_CALL_PREEMPTED: cancelled, or displaced by another call
 *
 * Why a call did not succeed, for request managers, which have words of their own for each.
 */
typedef enum {
  ORRERY_CALL_OK,
  ORRERY_CALL_NO_SERVICE,
  ORRERY_CALL_WRONG_COUNT,
  ORRERY_CALL_WRONG_TYPE,
  ORRERY_CALL_FAILED,
  ORRERY_CALL_PREEMPTED,
} OrreryCallFault;

/**
 * OrreryCall:
 *
 * One call of a service: what was asked, and, once it is done, the answer. Tick thread only.
 */
#define ORRERY_TYPE_CALL (orrery_call_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryCall, orrery_call, ORRERY, CALL, GObject)

/**
 * OrreryCallFunc:
 * @call: a call that is done
 * @user_data: as given
 *
 * Called once, when the call is answered.
 */
typedef void (*OrreryCallFunc) (OrreryCall *call, gpointer user_data);

/**
 * OrreryFeedbackFunc:
 * @call: a call that is not done
 * @value: how far it is
 * @user_data: as given
 *
 * Called whenever the part says how far a call is.
 */
typedef void (*OrreryFeedbackFunc) (OrreryCall *call, GVariant *value, gpointer user_data);

/**
 * orrery_part_call:
 * @part: a part that another knows of: a component that it found in its setup
 * @service: name of one of its services
 * @arguments: (nullable): `av`: by place; a floating one is consumed
 *
 * Calls a service of another part, as a caller from outside would.
 *
 * Returns: (transfer full): the call, which may be done already
 */
ORRERY_API OrreryCall *orrery_part_call (OrreryPart *part, const char *service,
                                         GVariant *arguments);
/**
 * orrery_part_call_by_name:
 * @self: the part that calls
 * @tick: the tick that its step or callback was given
 * @part: name that callers use, as `simulation`, `ros2`, or the full name of a component
 * @service: name of one of its services
 * @arguments: (nullable): `av`: by place; a floating one is consumed
 *
 * Calls a service of another part, which is looked up in all that the scene has, at once. An error
 * is the fault of the call. For scripts, actuators and robots, on the thread of the tick; in a
 * worker no part is found.
 *
 * Returns: (transfer full): the call, which may be done already
 */
ORRERY_API OrreryCall *orrery_part_call_by_name (OrreryPart *self, OrreryTick *tick,
                                                 const char *part, const char *service,
                                                 GVariant *arguments);
/**
 * orrery_call_get_service:
 *
 * The service as the caller named it, whether the part has one of that name or not.
 *
 * Returns: the name, valid as long as the call
 */
ORRERY_API const char *orrery_call_get_service (OrreryCall *call);
/**
 * orrery_call_get_part:
 *
 * The part is known from when the call has started with arguments that fit: a call that waits for
 * the phase of services has none yet, and one that was refused before it started never has. Of a
 * part in a worker, it is the one that stands for it in this process.
 *
 * Returns: (transfer none) (nullable): the part that answers it
 */
ORRERY_API OrreryPart *orrery_call_get_part (OrreryCall *call);
/**
 * orrery_call_get_n_arguments:
 *
 * Once the call has started, as many as the signature has: what the caller left out is there with
 * its default. Before, and in a call whose arguments do not fit, their number says nothing.
 *
 * Returns: how many arguments it has
 */
ORRERY_API guint orrery_call_get_n_arguments (OrreryCall *call);
/**
 * orrery_call_get_argument:
 * @index: place in the signature
 *
 * The argument after conversion to the type that the signature gives it, or its default. An @index
 * beyond the last argument is a programming error.
 *
 * Returns: (transfer none): the argument, borrowed from the call
 */
ORRERY_API GVariant *orrery_call_get_argument (OrreryCall *call, guint index);
/**
 * orrery_call_get_bool:
 * @index: place in the signature, of type b
 *
 * An argument of type b. A caller may give 0 or 1, too, or the texts `true`, `True`, `false` and
 * `False`. To ask for an argument that the signature gives another type is a programming error.
 *
 * Returns: the argument
 */
ORRERY_API gboolean orrery_call_get_bool (OrreryCall *call, guint index);
/**
 * orrery_call_get_int:
 * @index: place in the signature, of type x
 *
 * An argument of type x. A caller may give a floating-point number, too, if it is an integer of at
 * most 53 bits. To ask for an argument of another type is a programming error.
 *
 * Returns: the argument
 */
ORRERY_API gint64 orrery_call_get_int (OrreryCall *call, guint index);
/**
 * orrery_call_get_double:
 * @index: place in the signature, of type d
 *
 * An argument of type d. A caller may give an integer, too; a call with a number that is not finite
 * is refused before the service runs. To ask for an argument of another type is a programming
 * error.
 *
 * Returns: the argument, finite unless it is a default of the signature
 */
ORRERY_API double orrery_call_get_double (OrreryCall *call, guint index);
/**
 * orrery_call_get_text:
 * @index: place in the signature, of type s
 *
 * An argument of type s, UTF-8. To ask for an argument of another type is a programming error.
 *
 * Returns: the argument, valid as long as the call
 */
ORRERY_API const char *orrery_call_get_text (OrreryCall *call, guint index);

/**
 * orrery_call_return:
 * @call: a pending call
 * @value: (nullable): the answer; a floating one is sunk; %NULL for success without a value
 *
 * Answers the call. A call that is done already stays as it is.
 */
ORRERY_API void orrery_call_return (OrreryCall *call, GVariant *value);
/**
 * orrery_call_fail:
 * @call: a pending call
 * @error: (transfer full): why; %ORRERY_ERROR_PREEMPTED makes it a preempted one
 *
 * Answers the call with an error.
 */
ORRERY_API void orrery_call_fail (OrreryCall *call, GError *error);
/**
 * orrery_call_cancel:
 *
 * Asks the part to stop what it does for this call; the call then ends as preempted. Nothing
 * happens to a call that is done.
 */
ORRERY_API void orrery_call_cancel (OrreryCall *call);
/**
 * orrery_call_feedback:
 * @call: a call of a long-running service that is not done; others are ignored
 * @value: how far it is; a floating one is sunk
 *
 * Tells the caller about progress, if it asked for it with orrery_call_set_feedback_func(). Tick
 * thread.
 */
ORRERY_API void orrery_call_feedback (OrreryCall *call, GVariant *value);
/**
 * orrery_call_set_feedback_func:
 * @func: (scope notified) (nullable): called with each value of orrery_call_feedback() until the
 *   call is done
 * @user_data: for @func
 * @destroy: (nullable): for @user_data
 *
 * Has the caller told how far a long-running call is. Another function takes the place of the one
 * before, whose @user_data is freed. When the call is done, no function is called any more and
 * @user_data is freed; of a call that is done already, at once. Tick thread.
 */
ORRERY_API void orrery_call_set_feedback_func (OrreryCall *call, OrreryFeedbackFunc func,
                                               gpointer user_data, GDestroyNotify destroy);
/**
 * orrery_call_is_done:
 *
 * A call is done when it was answered, has failed or was cancelled. From then on it does not
 * change.
 *
 * Returns: whether it is
 */
ORRERY_API gboolean orrery_call_is_done (OrreryCall *call);
/**
 * orrery_call_get_fault:
 *
 * Tells kinds of failure apart where the error of orrery_call_get_result() is too fine.
 *
 * Returns: why it did not succeed; %ORRERY_CALL_OK while it is pending
 */
ORRERY_API OrreryCallFault orrery_call_get_fault (OrreryCall *call);
/**
 * orrery_call_get_result:
 * @call: a call that is done
 *
 * The answer of the service. If the call has failed, @error is set to a copy of its error; if it is
 * not done, to %ORRERY_ERROR_BUSY. May be asked for several times.
 *
 * Returns: (transfer none) (nullable): the value, borrowed from the call; %NULL without an error is
 *   success without one
 */
ORRERY_API GVariant *orrery_call_get_result (OrreryCall *call, GError **error);
/**
 * orrery_call_set_done_func:
 * @func: (scope notified) (nullable): called when it is done, or at once if it is already
 * @user_data: for @func
 * @destroy: (nullable): for @user_data
 *
 * Has the caller told when the call is done: @func is called once, and @user_data is freed after
 * it. The part is free for its next call by then, so @func may call it again. Another function
 * takes the place of the one before. Tick thread.
 */
ORRERY_API void orrery_call_set_done_func (OrreryCall *call, OrreryCallFunc func,
                                           gpointer user_data, GDestroyNotify destroy);

G_END_DECLS
