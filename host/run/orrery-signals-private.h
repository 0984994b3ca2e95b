/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/*
 * Signals that end a run, SIGINT and SIGTERM, while one is caught for. The first cancels a token,
 * from a thread of its own; the second does what it would have done without us. Those that this
 * process ignores it goes on to ignore.
 */
typedef struct _OrrerySignals OrrerySignals;

/* NULL: there are no descriptors left. Several at once are told all. */
OrrerySignals *orrery_signals_new (GCancellable *stop, GError **error);
/* Returns: the signal that came, 0 if none did */
int orrery_signals_get_caught (OrrerySignals *signals);
/* What was before is restored with the last. Returns: the signal that came, 0 if none did */
int orrery_signals_end (OrrerySignals *signals);
