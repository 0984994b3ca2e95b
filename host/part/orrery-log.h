/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/*
 * Log lines of parts. They go to GLib's structured log with the fields MESSAGE, GLIB_DOMAIN,
 * PRIORITY and
 *
 *  - ORRERY_PART: the full name of the part that logs
 *  - ORRERY_CLASS: its classpath
 *  - ORRERY_ASKED: `1`, if a level was set that asks for this line, so that a writer shows it
 *    whatever it hides otherwise
 *
 * Users set levels by orrery_simulation_set_log_level(). A line below the level of its part costs
 * one comparison. Any thread.
 */

/**
 * orrery_part_log_in: (skip)
 * @part: who speaks
 * @domain: (nullable): of the log
 * @level: one of DEBUG, INFO, MESSAGE (an information, too, that GLib shows by itself), WARNING and
 *   CRITICAL, which is an error for its readers
 * @format: as of printf()
 * @...: what it names
 *
 * Logs `NAME: TEXT` with the full name of the part, if its level lets it through.
 */
ORRERY_API void orrery_part_log_in (OrreryPart *part, const char *domain, GLogLevelFlags level,
                                    const char *format, ...) G_GNUC_PRINTF (4, 5);
/**
 * orrery_part_log_plain_in: (skip)
 * @part: who speaks
 * @domain: (nullable): of the log
 * @level: as above
 * @format: as of printf()
 * @...: what it names
 *
 * The same without the name in front, for lines that say otherwise whom they are about.
 */
ORRERY_API void orrery_part_log_plain_in (OrreryPart *part, const char *domain,
                                          GLogLevelFlags level, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/**
 * orrery_part_debug: (skip)
 * @part: who speaks
 * @...: format and arguments as of printf()
 *
 * What helps to find a mistake, in the log domain of the file, as g_debug(): it is dropped unless a
 * level or GLib's G_MESSAGES_DEBUG asks for it.
 */
#define orrery_part_debug(part, ...)                                                               \
  orrery_part_log_in (ORRERY_PART (part), G_LOG_DOMAIN, G_LOG_LEVEL_DEBUG, __VA_ARGS__)
/**
 * orrery_part_info: (skip)
 * @part: who speaks
 * @...: format and arguments as of printf()
 *
 * What goes on, in the log domain of the file, as g_info(): it is passed on, but GLib by itself
 * does not show it.
 */
#define orrery_part_info(part, ...)                                                                \
  orrery_part_log_in (ORRERY_PART (part), G_LOG_DOMAIN, G_LOG_LEVEL_INFO, __VA_ARGS__)
/**
 * orrery_part_message: (skip)
 * @part: who speaks
 * @...: format and arguments as of printf()
 *
 * What goes on and users should see by default, in the log domain of the file, as g_message().
 */
#define orrery_part_message(part, ...)                                                             \
  orrery_part_log_in (ORRERY_PART (part), G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, __VA_ARGS__)
/**
 * orrery_part_warning: (skip)
 * @part: who speaks
 * @...: format and arguments as of printf()
 *
 * What is probably not as the user wants it, in the log domain of the file, as g_warning().
 */
#define orrery_part_warning(part, ...)                                                             \
  orrery_part_log_in (ORRERY_PART (part), G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, __VA_ARGS__)
/**
 * orrery_part_log_plain: (skip)
 * @part: who speaks
 * @level: a #GLogLevelFlags, as of orrery_part_log_in()
 * @...: format and arguments as of printf()
 *
 * orrery_part_log_plain_in() in the log domain of the file.
 */
#define orrery_part_log_plain(part, level, ...)                                                    \
  orrery_part_log_plain_in (ORRERY_PART (part), G_LOG_DOMAIN, level, __VA_ARGS__)

/**
 * OrreryLogLevel:
 * @ORRERY_LOG_LEVEL_UNSET: nothing was set
 * @ORRERY_LOG_LEVEL_DEBUG: what helps to find a mistake; hidden unless somebody asks
 * @ORRERY_LOG_LEVEL_INFO: what goes on
 * @ORRERY_LOG_LEVEL_ENDSECTION: MORSE's, of the end of a phase
 * @ORRERY_LOG_LEVEL_SECTION: MORSE's, of the begin of a phase
 * @ORRERY_LOG_LEVEL_WARNING: what is probably not as the user wants it
 * @ORRERY_LOG_LEVEL_ERROR: what does not work
 * @ORRERY_LOG_LEVEL_CRITICAL: nothing that a part says is as grave
 *
 * How grave a line of the log is, as the numbers of Python's `logging`.
 */
typedef enum {
  ORRERY_LOG_LEVEL_UNSET = 0,
  ORRERY_LOG_LEVEL_DEBUG = 10,
  ORRERY_LOG_LEVEL_INFO = 20,
  ORRERY_LOG_LEVEL_ENDSECTION = 23,
  ORRERY_LOG_LEVEL_SECTION = 25,
  ORRERY_LOG_LEVEL_WARNING = 30,
  ORRERY_LOG_LEVEL_ERROR = 40,
  ORRERY_LOG_LEVEL_CRITICAL = 50,
} OrreryLogLevel;

/**
 * orrery_part_log:
 * @part: who speaks
 * @level: how grave it is
 * @text: what it says
 *
 * For bindings: the same as orrery_part_log_in() in the domain `orrery`.
 */
ORRERY_API void orrery_part_log (OrreryPart *part, OrreryLogLevel level, const char *text);
/**
 * orrery_part_is_logged:
 * @level: of a line
 *
 * For what is dear to find out only to say it.
 *
 * Returns: whether such a line of the part would be passed on to the log
 */
ORRERY_API gboolean orrery_part_is_logged (OrreryPart *part, OrreryLogLevel level);
/**
 * orrery_part_get_log_level:
 *
 * The level that was set for the part, by its name, its class or what these are in. It costs
 * little: it is looked up again only after a level was set. Any thread.
 *
 * Returns: the level, below which lines are dropped. %ORRERY_LOG_LEVEL_UNSET: none was set, so all
 *   of its lines are passed on but those for debugging
 */
ORRERY_API OrreryLogLevel orrery_part_get_log_level (OrreryPart *part);

/**
 * OrreryLogFunc:
 * @part: who speaks
 * @level: how grave it is
 * @text: the line, without the name of the part
 * @user_data: what was given with the function
 *
 * Learns of a line. Any thread, several at once too; it neither logs nor waits.
 */
typedef void (*OrreryLogFunc) (OrreryPart *part, OrreryLogLevel level, const char *text,
                               gpointer user_data);

/**
 * orrery_part_watch_log: (skip)
 * @part: one of a simulation
 * @func: (scope forever): is told of each line of all parts of its simulation that is shown
 * @user_data: for the function
 *
 * For managers that carry the log elsewhere. A part has one such function; another one takes its
 * place.
 */
ORRERY_API void orrery_part_watch_log (OrreryPart *part, OrreryLogFunc func, gpointer user_data);
/**
 * orrery_part_unwatch_log: (skip)
 * @part: one that has watched
 *
 * When this returns, the function is not called any more.
 */
ORRERY_API void orrery_part_unwatch_log (OrreryPart *part);

G_END_DECLS
