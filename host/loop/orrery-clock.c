/* SPDX-License-Identifier: BSD-3-Clause */
/* The clocks of loops: the wall clock, and one that a program sets. */
#include "loop/orrery-clock.h"

#include "base/orrery-monotonic-private.h"
#include "loop/orrery-clock-private.h"

#include <math.h>

#define MIN_RATE 1e-6
#define MAX_RATE 1e6

/* --- any clock --- */

static guint moved_signal;

ORRERY_DEFINE_ABSTRACT_TYPE (OrreryClock, orrery_clock, G_TYPE_OBJECT)

static OrreryTime
orrery_clock_real_get_wait (OrreryClock *self, OrreryTime until)
{
  OrreryTime now = orrery_clock_get_time (self);
  OrreryTime wait;

  if (until <= now)
    return 0;
  return __builtin_sub_overflow (until, now, &wait) ? G_MAXINT64 : wait;
}

static void
orrery_clock_class_init (OrreryClockClass *klass)
{
  klass->get_wait = orrery_clock_real_get_wait;

  moved_signal = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
}

OrreryTime
orrery_clock_get_time (OrreryClock *clock)
{
  g_return_val_if_fail (ORRERY_IS_CLOCK (clock), 0);
  g_return_val_if_fail (ORRERY_CLOCK_GET_CLASS (clock)->get_time != NULL, 0);
  return ORRERY_CLOCK_GET_CLASS (clock)->get_time (clock);
}

OrreryTime
orrery_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
  g_return_val_if_fail (ORRERY_IS_CLOCK (clock), -1);
  return ORRERY_CLOCK_GET_CLASS (clock)->get_wait (clock, until);
}

void
orrery_clock_moved (OrreryClock *clock)
{
  g_return_if_fail (ORRERY_IS_CLOCK (clock));
  g_signal_emit (clock, moved_signal, 0);
}

/* --- the wall clock --- */

struct _OrreryWallClock {
  OrreryClock parent_instance;

  OrreryTime origin;
  double rate;
};

G_DEFINE_FINAL_TYPE (OrreryWallClock, orrery_wall_clock, ORRERY_TYPE_CLOCK)

/* Computed from the origin and not summed up, so clocks of the same origin do not drift apart. */
static OrreryTime
orrery_wall_clock_get_time (OrreryClock *clock)
{
  const OrreryWallClock *self = (OrreryWallClock *) clock;
  OrreryTime now = orrery_monotonic_now ();

  if (self->rate == 1.0)
    return now;
  return self->origin + (OrreryTime) ((now - self->origin) * self->rate);
}

static OrreryTime
orrery_wall_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
  const OrreryWallClock *self = (OrreryWallClock *) clock;
  OrreryTime wait = ORRERY_CLOCK_CLASS (orrery_wall_clock_parent_class)->get_wait (clock, until);
  double wall;

  if (self->rate == 1.0)
    return wait;
  wall = ceil (wait / self->rate);
  return wall >= 0x1p63 ? G_MAXINT64 : (OrreryTime) wall;
}

static void
orrery_wall_clock_class_init (OrreryWallClockClass *klass)
{
  ORRERY_CLOCK_CLASS (klass)->get_time = orrery_wall_clock_get_time;
  ORRERY_CLOCK_CLASS (klass)->get_wait = orrery_wall_clock_get_wait;
}

static void
orrery_wall_clock_init (OrreryWallClock *self)
{
  self->origin = orrery_monotonic_now ();
  self->rate = 1.0;
}

OrreryWallClock *
orrery_wall_clock_new (double rate)
{
  return orrery_wall_clock_new_from (orrery_monotonic_now (), rate);
}

OrreryWallClock *
orrery_wall_clock_new_from (OrreryTime origin, double rate)
{
  OrreryWallClock *self;

  g_return_val_if_fail (rate >= MIN_RATE && rate <= MAX_RATE, NULL);
  self = g_object_new (ORRERY_TYPE_WALL_CLOCK, NULL);
  self->origin = origin;
  self->rate = rate;
  return self;
}

ORRERY_DEFINE_GETTER (OrreryTime, orrery_wall_clock_get_origin, OrreryWallClock,
                      ORRERY_IS_WALL_CLOCK, self->origin)
ORRERY_DEFINE_GETTER (double, orrery_wall_clock_get_rate, OrreryWallClock, ORRERY_IS_WALL_CLOCK,
                      self->rate)

gboolean
orrery_clock_is_monotonic (OrreryClock *clock)
{
  return ORRERY_IS_WALL_CLOCK (clock) && ORRERY_WALL_CLOCK (clock)->rate == 1.0;
}

/* --- a clock that is set --- */

struct _OrreryManualClock {
  OrreryClock parent_instance;

  OrreryTime time; /* atomic */
  gboolean skips;
};

ORRERY_DEFINE_FINAL_TYPE (OrreryManualClock, orrery_manual_clock, ORRERY_TYPE_CLOCK)

static OrreryTime
orrery_manual_clock_get_time (OrreryClock *clock)
{
  return __atomic_load_n (&((OrreryManualClock *) clock)->time, __ATOMIC_ACQUIRE);
}

static OrreryTime
orrery_manual_clock_get_wait (OrreryClock *clock, OrreryTime until)
{
  OrreryManualClock *self = (OrreryManualClock *) clock;

  if (orrery_manual_clock_get_time (clock) >= until)
    return 0;
  if (!self->skips)
    return -1;
  __atomic_store_n (&self->time, until, __ATOMIC_RELEASE);
  return 0;
}

static void
orrery_manual_clock_class_init (OrreryManualClockClass *klass)
{
  ORRERY_CLOCK_CLASS (klass)->get_time = orrery_manual_clock_get_time;
  ORRERY_CLOCK_CLASS (klass)->get_wait = orrery_manual_clock_get_wait;
}

OrreryManualClock *
orrery_manual_clock_new (OrreryTime start, gboolean skips)
{
  OrreryManualClock *self = g_object_new (ORRERY_TYPE_MANUAL_CLOCK, NULL);

  self->time = start;
  self->skips = skips;
  return self;
}

void
orrery_manual_clock_put_time (OrreryManualClock *clock, OrreryTime time)
{
  __atomic_store_n (&clock->time, time, __ATOMIC_RELEASE);
}

void
orrery_manual_clock_set_time (OrreryManualClock *clock, OrreryTime time)
{
  g_return_if_fail (ORRERY_IS_MANUAL_CLOCK (clock));
  orrery_manual_clock_put_time (clock, time);
  orrery_clock_moved (ORRERY_CLOCK (clock));
}
