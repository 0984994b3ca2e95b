/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryError:
 * @ORRERY_ERROR_CONFIG: a file or a setting that the user wrote is wrong
 * @ORRERY_ERROR_NO_FILE: a file that was named does not exist
 * @ORRERY_ERROR_NOT_FOUND: a name resolves to no class, plugin, environment, stream or service
 * @ORRERY_ERROR_PLUGIN: a plugin was found but is refused, or it broke its contract
 * @ORRERY_ERROR_INVALID: a value given at run time is refused; give another
 * @ORRERY_ERROR_BUSY: not now; the same may succeed later
 * @ORRERY_ERROR_PREEMPTED: a call was cancelled, or displaced by another
 * @ORRERY_ERROR_STATE: the simulation reached a state that is none (a pose that is not finite)
 * @ORRERY_ERROR_IO: reading, writing, listening failed
 * @ORRERY_ERROR_INTERNAL: a mistake of Orrery or of the part that is named
 *
 * Few codes, each a different thing for the caller to do.
 */
typedef enum {
  ORRERY_ERROR_CONFIG,
  ORRERY_ERROR_NO_FILE,
  ORRERY_ERROR_NOT_FOUND,
  ORRERY_ERROR_PLUGIN,
  ORRERY_ERROR_INVALID,
  ORRERY_ERROR_BUSY,
  ORRERY_ERROR_PREEMPTED,
  ORRERY_ERROR_STATE,
  ORRERY_ERROR_IO,
  ORRERY_ERROR_INTERNAL,
} OrreryError;

/**
 * ORRERY_ERROR:
 *
 * The domain of all errors of Orrery; the codes are #OrreryError.
 */
#define ORRERY_ERROR (orrery_error_quark ())

/**
 * orrery_error_quark:
 *
 * Code writes %ORRERY_ERROR, which calls it. Any thread.
 *
 * Returns: the domain of all errors of Orrery, "orrery-error"
 */
ORRERY_API GQuark orrery_error_quark (void);

/**
 * orrery_set_error: (skip)
 * @error: (nullable): return location
 * @code: kind of the error
 * @format: its message, a format of printf()
 * @...: arguments of @format
 *
 * Sets an error of the domain %ORRERY_ERROR, with its message made safe to print by
 * orrery_escape_text().
 *
 * Returns: %FALSE, so that the caller can return it
 */
ORRERY_API gboolean orrery_set_error (GError **error, OrreryError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/**
 * orrery_error_get_exit_code:
 * @error: an error of any domain
 *
 * The codes are those of sysexits.h: what a file or a setting says is wrong 65, a named file is
 * missing 66, a plugin, service or other name resolves to nothing 69, input or output failed 74,
 * anything else 70. Errors of #GFileError and #GIOErrorEnum are 66 when something does not exist,
 * else 74; those of #GThreadError, where no thread could be made, are 71.
 *
 * Returns: the exit code of a program that ends because of @error
 */
ORRERY_API int orrery_error_get_exit_code (const GError *error);

/**
 * orrery_nearest_names:
 * @name: what was asked for
 * @names: (nullable) (array zero-terminated=1) (element-type utf8): what there is
 *
 * The tail of a message about a name that does not exist: "; did you mean a, b or c" (at most
 * three, the nearest first) if something resembles @name, else "; there is: a, b, c" (at most
 * eight, then ", ..."), or "" if there is nothing. A name resembles another, upper and lower case
 * being one, if it is as near as a third of its letters (at least one) by the distance of
 * Damerau and Levenshtein (insert, delete, replace, exchange two neighbours), if one is the last
 * dotted element of the other, or if one contains the other. Ties keep the order of @names, so the
 * words depend on the arguments alone.
 *
 * Returns: (transfer full): the words
 */
ORRERY_API char *orrery_nearest_names (const char *name, const char *const *names);

G_END_DECLS
