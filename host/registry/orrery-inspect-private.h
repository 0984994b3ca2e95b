/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-node.h"

/* One module to be described in a child process. */
typedef struct {
  const char *module;
  const char *file;
  OrreryNode *description; /* what orrery_inspect_module() returns; NULL if @error is set */
  char *error;             /* why there is none */
} OrreryInspection;

void orrery_inspection_clear (OrreryInspection *inspection);
/* Fills in all of them, several at a time. A file that crashes or hangs affects only itself. Either
 * all are shared objects or all are modules in Python. */
void orrery_inspect_files (OrreryInspection *inspections, guint n, gboolean in_python);
