/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-run-private.h"

/* The members of a run, for the runner, which reads them in each tick. */
struct _OrreryRun {
  OrreryRunState state;
  OrreryRequestPlace place;
  gboolean held;
  int quit;           /* atomic: 0, INTERRUPTED or QUIT */
  int asked;          /* atomic */
  int ready;          /* atomic: what another thread had to do for the run is done */
  GQueue requests;    /* (element-type OrreryRunRequest) */
  GArray *step_calls; /* (element-type OrreryStepCall) */
  guint64 steps_left;
  guint64 n_total;
  guint64 epoch;
  guint64 epoch_start; /* n_total when it began */
};
