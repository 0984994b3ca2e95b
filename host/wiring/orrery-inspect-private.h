/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-node.h"

/* One module to be described in a child process. */
typedef struct {
  const char *module;
  const char *file;
  OrreryNode *description; /* what orrery_inspect_module() says of it; NULL if @error is set */
  char *error;             /* what became of it instead */
} OrreryInspection;

void orrery_inspection_clear (OrreryInspection *inspection);
/* Fills all of them, several at a time. A file that crashes or hangs costs itself alone. All are
 * shared objects, or modules in Python. */
void orrery_inspect_files (OrreryInspection *inspections, guint n, gboolean in_python);
