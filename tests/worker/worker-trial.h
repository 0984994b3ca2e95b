/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../plugins/stage.h"

/* What tests of workers that go wrong share. */

/* For what is to happen at all; a machine may be busy. */
#define TRIAL_PATIENCE (60 * G_USEC_PER_SEC)

/* How a probe of probe.faults ends its process, and what is said of that. */
typedef struct {
  const char *how;
  const char *said;
  const char *limits; /* of its worker; a busy machine takes its time */
} TrialWay;

#define TRIAL_N_WAYS 7
extern const TrialWay trial_ways[TRIAL_N_WAYS];

/* The address sanitizer takes the signals of crashes for itself. */
extern const gboolean trial_signals_end_processes;

/* Descriptors of this process. */
guint trial_count_descriptors (void);
/* No child is left, alive or dead. */
void trial_assert_no_children (void);
/* One warning is like this. */
void trial_assert_said (const char *pattern);
