/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Seconds with all nine decimals, as no double has them. */
char *cli_export_print_time (OrreryTime time);

/* Writes a table for each topic of @topics (NULL: of all) whose messages are JSON, to a file
 * TOPIC.csv in @directory. */
gboolean cli_export_csv (OrreryRecordingReader *reader, const char *const *topics, OrreryTime from,
                         OrreryTime to, const char *directory, GError **error);
