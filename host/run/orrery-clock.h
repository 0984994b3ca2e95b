/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryClock:
 *
 * What a scheduler goes by. Derive from it for a time of your own: @get_time is all that it takes.
 */
#define ORRERY_TYPE_CLOCK (orrery_clock_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryClock, orrery_clock, ORRERY, CLOCK, GObject)

/**
 * OrreryClockClass:
 * @get_time: required: what the clock shows, ns; called from every thread that uses the clock
 * @get_wait: how long by the wall, ns, until the clock shows @until, which it does not yet. 0: ask
 *   the time again. Less than 0: nobody knows, orrery_clock_moved() will be called. By default
 *   the difference: a clock that goes as fast as the wall's
 *
 * A clock should not go back; if it does, what is due later than it shows waits for it.
 */
struct _OrreryClockClass {
  GObjectClass parent_class;

  OrreryTime (*get_time) (OrreryClock *clock);
  OrreryTime (*get_wait) (OrreryClock *clock, OrreryTime until);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * orrery_clock_get_time:
 * @clock: a clock
 *
 * Any thread, as far as the class allows it; ours do.
 *
 * Returns: what the clock shows
 */
ORRERY_API OrreryTime orrery_clock_get_time (OrreryClock *clock);
/**
 * orrery_clock_get_wait:
 * @clock: a clock
 * @until: a time of this clock
 *
 * Returns: how long by the wall until the clock shows @until, ns; 0: ask the time again; less than
 *   0: nobody knows, the signal `moved` will tell
 */
ORRERY_API OrreryTime orrery_clock_get_wait (OrreryClock *clock, OrreryTime until);
/**
 * orrery_clock_moved:
 * @clock: a clock
 *
 * Emits the signal `moved`: the clock shows what could not be foreseen, or goes at another speed.
 * Whoever sleeps by it looks at it again. Any thread.
 */
ORRERY_API void orrery_clock_moved (OrreryClock *clock);

/**
 * OrreryWallClock:
 *
 * The monotonic clock of the machine, the same in all its processes; or one that went off from it
 * at `origin` (ns) and is `rate` times as fast. Both are given when it is made.
 */
#define ORRERY_TYPE_WALL_CLOCK (orrery_wall_clock_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryWallClock, orrery_wall_clock, ORRERY, WALL_CLOCK, OrreryClock)

/**
 * orrery_wall_clock_new:
 * @rate: seconds of this clock per second of the wall, 1e-6 to 1e6
 *
 * The origin is now.
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryWallClock *orrery_wall_clock_new (double rate);
/**
 * orrery_wall_clock_new_from:
 * @origin: when the monotonic clock of the machine shows this, the new clock does, too
 * @rate: seconds of this clock per second of the wall, 1e-6 to 1e6
 *
 * With origin and rate of another: the same clock, in another process.
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryWallClock *orrery_wall_clock_new_from (OrreryTime origin, double rate);
/**
 * orrery_wall_clock_get_origin:
 * @clock: a clock
 *
 * Returns: where it went off, ns
 */
ORRERY_API OrreryTime orrery_wall_clock_get_origin (OrreryWallClock *clock);
/**
 * orrery_wall_clock_get_rate:
 * @clock: a clock
 *
 * Returns: seconds of this clock per second of the wall
 */
ORRERY_API double orrery_wall_clock_get_rate (OrreryWallClock *clock);

/**
 * OrreryManualClock:
 *
 * Shows what it was set to: simulated time, and that of tests. If it `skips`, nobody waits by it:
 * where a scheduler would sleep, the clock goes ahead to what is due next.
 */
#define ORRERY_TYPE_MANUAL_CLOCK (orrery_manual_clock_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryManualClock, orrery_manual_clock, ORRERY, MANUAL_CLOCK, OrreryClock)

/**
 * orrery_manual_clock_new:
 * @start: what it shows at first
 * @skips: whether it goes ahead to what is due; one scheduler alone can go by such a clock
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryManualClock *orrery_manual_clock_new (OrreryTime start, gboolean skips);
/**
 * orrery_manual_clock_set_time:
 * @clock: a clock
 * @time: what it shows from now on
 *
 * Wakes who sleeps by it. Any thread.
 */
ORRERY_API void orrery_manual_clock_set_time (OrreryManualClock *clock, OrreryTime time);

G_END_DECLS
