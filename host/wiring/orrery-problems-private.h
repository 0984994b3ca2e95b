/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/*
 * All that is wrong with a scene, a line each, so that one run of `orrery check` names it all. At
 * most twenty are told, each once: a mistake in a class shows wherever the class is used.
 */
typedef struct {
  GPtrArray *lines; /* (element-type utf8) */
  guint n_lines;
  guint n; /* also those that are not told */
  int code;
} OrreryProblems;

void orrery_problems_init (OrreryProblems *problems);
void orrery_problems_clear (OrreryProblems *problems);
/* Takes the error. */
void orrery_problems_take (OrreryProblems *problems, GError *error);
/* TRUE if there are none, else one error with all lines. */
gboolean orrery_problems_report (OrreryProblems *problems, GError **error);
