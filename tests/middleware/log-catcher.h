/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <string.h>

/* Catches what is logged, so that a test can look for it; a warning that no test takes is a fault.
 */
static GString *caught_log;
static guint n_caught_warnings;

static inline const char *
log_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++) {
    if (g_str_equal (fields[i].key, key))
      return fields[i].value;
  }
  return "";
}

static inline GLogWriterOutput
catch_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR))
    return g_log_writer_default (level, fields, n_fields, data);
  if (level & G_LOG_LEVEL_WARNING)
    n_caught_warnings++;
  g_string_append (caught_log, log_field (fields, n_fields, "MESSAGE"));
  g_string_append_c (caught_log, '\n');
  return G_LOG_WRITER_HANDLED;
}

static inline void
start_catching_log (void)
{
  caught_log = g_string_new (NULL);
  g_log_set_writer_func (catch_log, NULL, NULL);
}

/* The log since the last look holds @words, and so many warnings. */
static inline void
assert_log (const char *words, guint n_warnings)
{
  if (strstr (caught_log->str, words) == NULL)
    g_assert_cmpstr (caught_log->str, ==, words);
  g_assert_cmpuint (n_caught_warnings, ==, n_warnings);
  g_string_truncate (caught_log, 0);
  n_caught_warnings = 0;
}
