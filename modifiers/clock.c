/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers that make the clock of a robot wrong. */
#include <orrery.h>

/* A clock that is wrong by more is no clock; nothing overflows within it. */
#define LARGEST_OFFSET 1e9
/* A drift is kept as a whole number of parts in 10^18. */
#define DRIFT_PARTS G_GINT64_CONSTANT (1000000000000000000)

static OrreryStamp *
find_time (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryStamp *time =
      orrery_record_find (orrery_setup_get_record (setup), "time", ORRERY_FIELD_TIME);

  if (time == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s needs a field 'time', as robots have it",
                      orrery_part_get_classpath (part));
  return time;
}

/* --- offset --- */

/* A robot's clock that is ahead by a constant (behind, if negative). */
typedef struct {
  OrreryModifier parent_instance;
  double offset;
  OrreryTime shift; /* the same */
  OrreryStamp *time;
} OrreryClockOffset;
ORRERY_DEFINE_CLASS (OrreryClockOffset, orrery_clock_offset, OrreryModifier, orrery_modifier)

static void
count_shift (OrreryPart *part)
{
  OrreryClockOffset *self = (OrreryClockOffset *) part;

  self->shift = orrery_time_from_seconds (self->offset);
}

static const OrreryProperty offset_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryClockOffset, offset, "offset", -LARGEST_OFFSET, LARGEST_OFFSET, 0,
                          "How much the clock is ahead, s", .changed = count_shift),
};

static void
orrery_clock_offset_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((OrreryClockOffset *) part)->time = find_time (part, setup, error);
}

static void
orrery_clock_offset_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryClockOffset *self = (OrreryClockOffset *) modifier;

  self->time->ns += self->shift;
}

static void
orrery_clock_offset_class_init (OrreryClockOffsetClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_clock_offset_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_clock_offset_modify;
  ORRERY_CLASS_SET_PROPERTIES (klass, offset_properties);
}

/* --- drift --- */

/*
 * A robot's clock that gains a share of the time since the start of the run: 1e-6 is one part in a
 * million, a microsecond per second; negative loses. The gain is drift x (time of the tick - start)
 * in whole nanoseconds, rounded down, in exact integer arithmetic with the drift as a whole number
 * of parts in 10^18: never summed up, so a long run ends where the formula says.
 */
typedef struct {
  OrreryModifier parent_instance;
  double drift;
  gint64 parts; /* the same */
  OrreryStamp *time;
} OrreryClockDrift;
ORRERY_DEFINE_CLASS (OrreryClockDrift, orrery_clock_drift, OrreryModifier, orrery_modifier)

static void
count_parts (OrreryPart *part)
{
  OrreryClockDrift *self = (OrreryClockDrift *) part;

  self->parts = llrint (self->drift * DRIFT_PARTS);
}

static const OrreryProperty drift_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryClockDrift, drift, "drift", -1, 1, 0,
                          "What the clock gains per second, s; 1e-6 is 1 ppm, -1 stands still",
                          .changed = count_parts),
};

static void
orrery_clock_drift_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((OrreryClockDrift *) part)->time = find_time (part, setup, error);
}

static void
orrery_clock_drift_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryClockDrift *self = (OrreryClockDrift *) modifier;
  OrreryTime elapsed = orrery_tick_get_time (tick) - orrery_tick_get_start (tick);
  __int128 product = (__int128) elapsed * self->parts;
  OrreryTime gain = (OrreryTime) (product / DRIFT_PARTS);

  /* C rounds towards zero. */
  if (product % DRIFT_PARTS < 0)
    gain--;
  self->time->ns += gain;
}

static void
orrery_clock_drift_class_init (OrreryClockDriftClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_clock_drift_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_clock_drift_modify;
  ORRERY_CLASS_SET_PROPERTIES (klass, drift_properties);
}

ORRERY_PLUGIN (
    "Robot clocks that are wrong", "BSD-3-Clause",
    ORRERY_CLASS (ClockOffsetModifier, OrreryClockOffset, orrery_clock_offset, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "ClockOffset", "orrery.core.robot.Robot" })),
    ORRERY_CLASS (ClockDriftModifier, OrreryClockDrift, orrery_clock_drift, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "ClockDrift", "orrery.core.robot.Robot" })))
