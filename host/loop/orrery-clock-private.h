/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "loop/orrery-clock.h"

/* Sets the time without waking anybody: for a caller that runs by this clock in this thread. */
void orrery_manual_clock_put_time (OrreryManualClock *clock, OrreryTime time);
/* Whether @clock always shows the machine's monotonic time. */
gboolean orrery_clock_is_monotonic (OrreryClock *clock);
