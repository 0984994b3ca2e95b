/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A harness is one file fuzz-NAME.c with this function. replay.c calls it with the files of
 * corpus/NAME (make check); libFuzzer calls it with what it makes of them (make check-long).
 * A comment `sources: DIR...` names the folders and files that it is built from.
 */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static inline GLogWriterOutput
fuzz_drop_log (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  return level & G_LOG_LEVEL_CRITICAL ? g_log_writer_default (level, fields, n, data)
                                      : G_LOG_WRITER_HANDLED;
}

/* Once, for a harness whose input is warned of: warnings are neither printed nor fatal. */
static inline void
fuzz_quiet_log (void)
{
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  g_log_set_writer_func (fuzz_drop_log, NULL, NULL);
}
