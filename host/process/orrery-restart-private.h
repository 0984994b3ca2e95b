/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/* The delay before a child process that has ended is restarted. */
typedef struct {
  OrreryTime first;   /* delay before the first restart in a row, doubled with each further one */
  OrreryTime longest; /* maximum */
  OrreryTime sound;   /* a child that ran for this long starts a new row */
  gboolean at_once;   /* a child that ran for this long is restarted without delay */
  guint max_restarts; /* number of restarts in a row; G_MAXUINT: no limit */
} OrreryRestartPolicy;

/* Called when a child that ran for @ran has ended. @n_failures: in a row; updated. Returns: the
 * time until its restart; -1: no restarts are left */
OrreryTime orrery_restart_policy_next (const OrreryRestartPolicy *policy, OrreryTime ran,
                                       guint *n_failures);

G_END_DECLS
