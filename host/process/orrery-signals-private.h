/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/*
 * Catches SIGINT, SIGTERM and SIGHUP, which end a run, while at least one OrrerySignals exists. The
 * first signal cancels a token, from a thread of its own; the second one has its usual effect.
 * Signals that this process ignores stay ignored.
 */
typedef struct _OrrerySignals OrrerySignals;

/* NULL: no file descriptors are left. If there are several, a signal cancels the tokens of all. */
OrrerySignals *orrery_signals_new (GCancellable *stop, GError **error);
/* Returns: the signal that was caught, or 0 */
int orrery_signals_get_caught (OrrerySignals *signals);
/* The last one restores the previous handlers. Returns: the signal that was caught, or 0 */
int orrery_signals_end (OrrerySignals *signals);
