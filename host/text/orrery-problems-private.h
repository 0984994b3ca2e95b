/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/*
 * Collects everything that is wrong with a scene, one line each, so that one run of `orrery check`
 * reports it all. At most twenty lines are shown, each once, because an error in a class recurs
 * wherever the class is used.
 */
typedef struct {
  GPtrArray *lines; /* (element-type utf8) */
  guint n_lines;
  guint n; /* including those that are not shown */
  int code;
} OrreryProblems;

void orrery_problems_init (OrreryProblems *problems);
void orrery_problems_clear (OrreryProblems *problems);
/* Whether so much is wrong already that more is only counted: a message takes longer to make than
 * the line that is wrong to read. */
gboolean orrery_problems_are_many (const OrreryProblems *problems);
/* One more, of the file, that is not shown. */
void orrery_problems_count (OrreryProblems *problems);
/* Takes the error. */
void orrery_problems_take (OrreryProblems *problems, GError *error);
/* Returns TRUE if there are none; otherwise FALSE with one error that has all lines. */
gboolean orrery_problems_report (OrreryProblems *problems, GError **error);
