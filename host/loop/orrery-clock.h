/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryClock:
 *
 * The source of time of a scheduler. A subclass for another time must implement only @get_time.
 */
#define ORRERY_TYPE_CLOCK (orrery_clock_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryClock, orrery_clock, ORRERY, CLOCK, GObject)

/**
 * OrreryClock::moved:
 * @clock: a clock
 *
 * The time of the clock was set, or its speed has changed. Emitted by orrery_clock_moved(), on the
 * thread that calls it.
 */

/**
 * OrreryClockClass:
 * @get_time: required: its time, ns; called from every thread that uses the clock
 * @get_wait: wall time in ns until the clock reaches @until, which lies ahead. 0: read the time
 *   again. Less than 0: unknown, orrery_clock_moved() will be called. By default the difference,
 *   as for a clock that runs as fast as the wall clock
 *
 * A clock should not go back; if it does, tasks that are due after its new time wait for it.
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
 *
 * Any thread, if the class allows it; the classes of Orrery do.
 *
 * Returns: its time, ns
 */
ORRERY_API OrreryTime orrery_clock_get_time (OrreryClock *clock);
/**
 * orrery_clock_get_wait:
 * @until: a time of this clock
 *
 * What a scheduler asks before it sleeps. An #OrreryManualClock that skips is set to @until by
 * this, and returns 0. Any thread, if the class allows it.
 *
 * Returns: wall time in ns until the clock reaches @until; 0: read the time again; less than 0:
 *   unknown, the signal `moved` will be emitted
 */
ORRERY_API OrreryTime orrery_clock_get_wait (OrreryClock *clock, OrreryTime until);
/**
 * orrery_clock_moved:
 *
 * Emits the signal `moved`: the time of the clock was set, or its speed has changed. Sleeping
 * schedulers read it again. Any thread.
 */
ORRERY_API void orrery_clock_moved (OrreryClock *clock);

/**
 * OrreryWallClock:
 *
 * The monotonic clock of the machine, the same in all its processes; or one that agrees with it
 * at `origin` (ns) and runs `rate` times as fast. Both are set at construction.
 */
#define ORRERY_TYPE_WALL_CLOCK (orrery_wall_clock_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryWallClock, orrery_wall_clock, ORRERY, WALL_CLOCK, OrreryClock)

/**
 * orrery_wall_clock_new:
 * @rate: seconds of this clock per second of wall time, 1e-6 to 1e6
 *
 * The origin is now.
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryWallClock *orrery_wall_clock_new (double rate);
/**
 * orrery_wall_clock_new_from:
 * @origin: the time at which the new clock agrees with the monotonic clock of the machine, ns
 * @rate: seconds of this clock per second of wall time, 1e-6 to 1e6
 *
 * With the origin and rate of another clock, it shows the same time in another process.
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryWallClock *orrery_wall_clock_new_from (OrreryTime origin, double rate);
/**
 * orrery_wall_clock_get_origin:
 *
 * The time at which it was made, or what orrery_wall_clock_new_from() was given.
 *
 * Returns: the time at which it agrees with the monotonic clock, ns
 */
ORRERY_API OrreryTime orrery_wall_clock_get_origin (OrreryWallClock *clock);
/**
 * orrery_wall_clock_get_rate:
 *
 * At a rate of 1 it is the monotonic clock of the machine, whatever its origin.
 *
 * Returns: seconds of this clock per second of wall time
 */
ORRERY_API double orrery_wall_clock_get_rate (OrreryWallClock *clock);

/**
 * OrreryManualClock:
 *
 * A clock that a program sets: for simulated time and for tests. If it `skips`, a scheduler does
 * not sleep: it advances the clock to the time at which the next task is due.
 */
#define ORRERY_TYPE_MANUAL_CLOCK (orrery_manual_clock_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryManualClock, orrery_manual_clock, ORRERY, MANUAL_CLOCK, OrreryClock)

/**
 * orrery_manual_clock_new:
 * @start: its initial time, ns
 * @skips: whether it is advanced to the next due time; only one scheduler can use such a clock
 *
 * The clock stands at @start until it is set, or advanced by a scheduler.
 *
 * Returns: (transfer full): a clock
 */
ORRERY_API OrreryManualClock *orrery_manual_clock_new (OrreryTime start, gboolean skips);
/**
 * orrery_manual_clock_set_time:
 * @time: its new time, ns
 *
 * Wakes sleeping schedulers. Any thread.
 */
ORRERY_API void orrery_manual_clock_set_time (OrreryManualClock *clock, OrreryTime time);

G_END_DECLS
