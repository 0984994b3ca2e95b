/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* A program beside this module that reads one file and writes what is in it. */
typedef struct {
  const char *program;
  const char *missing; /* the error where it is not installed */
  guint64 max_memory;  /* bytes */
} FileReader;

/*
 * Runs it on one file, within the limits of @import. If it crashes, hangs or takes all memory, that
 * is an error here.
 *
 * Returns: (transfer full): what it wrote
 */
GBytes *file_reader_run (const FileReader *reader, const char *path, OrreryImport *import,
                         GError **error);
/*
 * The same for a file whose output depends on the contents of @files alone, which has to include
 * @path. What the program wrote is kept, and it does not run again in this process while they are
 * the same: many scenes of one robot are read once. Any thread.
 *
 * Returns: (transfer full): what it wrote
 */
GBytes *file_reader_run_once (const FileReader *reader, const char *path, GPtrArray *files,
                              OrreryImport *import, GError **error);
