/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the log lines of parts, with the fields that tell which part logged them. */
#include "part/orrery-log.h"

#include "part/orrery-log-levels-private.h"

#include <string.h>

#define MAX_FIELDS 6

static OrreryLogLevel
get_number (GLogLevelFlags level)
{
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return ORRERY_LOG_LEVEL_ERROR;
  if (level & G_LOG_LEVEL_WARNING)
    return ORRERY_LOG_LEVEL_WARNING;
  return (level & (G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO)) ? ORRERY_LOG_LEVEL_INFO
                                                            : ORRERY_LOG_LEVEL_DEBUG;
}

static GLogLevelFlags
get_flag (OrreryLogLevel level)
{
  if (level >= ORRERY_LOG_LEVEL_ERROR)
    return G_LOG_LEVEL_CRITICAL;
  if (level >= ORRERY_LOG_LEVEL_WARNING)
    return G_LOG_LEVEL_WARNING;
  return level >= ORRERY_LOG_LEVEL_INFO ? G_LOG_LEVEL_INFO : G_LOG_LEVEL_DEBUG;
}

static const char *
get_priority (GLogLevelFlags level)
{
  if (level & G_LOG_LEVEL_ERROR)
    return "3";
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    return "4";
  if (level & G_LOG_LEVEL_MESSAGE)
    return "5";
  return (level & G_LOG_LEVEL_INFO) ? "6" : "7";
}

static gboolean
is_wanted (OrreryLogLevel set, const char *domain, GLogLevelFlags level)
{
  if (set != ORRERY_LOG_LEVEL_UNSET)
    return get_number (level) >= set;
  return get_number (level) > ORRERY_LOG_LEVEL_DEBUG ||
         !g_log_writer_default_would_drop (level, domain);
}

static void
emit (OrreryPart *part, const char *domain, GLogLevelFlags level, gboolean asked, const char *text)
{
  GLogField fields[MAX_FIELDS];
  gsize n = 0;

  fields[n++] = (GLogField){ "MESSAGE", text, -1 };
  fields[n++] = (GLogField){ "PRIORITY", get_priority (level), -1 };
  if (domain != NULL)
    fields[n++] = (GLogField){ "GLIB_DOMAIN", domain, -1 };
  if (orrery_part_get_name (part) != NULL) {
    fields[n++] = (GLogField){ "ORRERY_PART", orrery_part_get_name (part), -1 };
    fields[n++] = (GLogField){ "ORRERY_CLASS", orrery_part_get_classpath (part), -1 };
  }
  if (asked)
    fields[n++] = (GLogField){ "ORRERY_ASKED", "1", -1 };
  g_log_structured_array (level, fields, n);
}

static void
log_text (OrreryPart *part, const char *domain, GLogLevelFlags level, gboolean named,
          const char *format, va_list arguments)
{
  OrreryLogLevel set = orrery_part_get_log_level (part);
  g_autofree char *text = NULL;

  if (!is_wanted (set, domain, level))
    return;
  text = g_strdup_vprintf (format, arguments);
  orrery_part_tell_log (part, get_number (level), text);
  if (named && orrery_part_get_name (part) != NULL) {
    g_autofree char *plain = g_steal_pointer (&text);

    text = g_strconcat (orrery_part_get_name (part), ": ", plain, NULL);
  }
  emit (part, domain, level, set != ORRERY_LOG_LEVEL_UNSET, text);
}

void
orrery_part_log_in (OrreryPart *part, const char *domain, GLogLevelFlags level, const char *format,
                    ...)
{
  va_list arguments;

  g_return_if_fail (ORRERY_IS_PART (part) && format != NULL);

  va_start (arguments, format);
  log_text (part, domain, level, TRUE, format, arguments);
  va_end (arguments);
}

void
orrery_part_log_plain_in (OrreryPart *part, const char *domain, GLogLevelFlags level,
                          const char *format, ...)
{
  va_list arguments;

  g_return_if_fail (ORRERY_IS_PART (part) && format != NULL);

  va_start (arguments, format);
  log_text (part, domain, level, FALSE, format, arguments);
  va_end (arguments);
}

void
orrery_part_log (OrreryPart *part, OrreryLogLevel level, const char *text)
{
  g_return_if_fail (ORRERY_IS_PART (part) && text != NULL);

  orrery_part_log_in (part, G_LOG_DOMAIN, get_flag (level), "%s", text);
}

gboolean
orrery_part_is_logged (OrreryPart *part, OrreryLogLevel level)
{
  g_return_val_if_fail (ORRERY_IS_PART (part), FALSE);

  return is_wanted (orrery_part_get_log_level (part), G_LOG_DOMAIN, get_flag (level));
}
