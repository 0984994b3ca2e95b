/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers that drop records or hold them back. */
#include "noise.h"

/* Modifiers of when a record comes, and of whether it does. */

/* --- drop-out --- */

/*
 * Messages that are lost, for a step or for longer; with `field`, values that are lost, each by
 * itself: rays of a laser that come back as nothing, pixels, points.
 */
enum { DROP_PROBABILITY, DROP_DURATION, DROP_VALUE };
enum { DROP_UNTIL, DROP_N_MORE };

static const OrreryProperty drop_options[] = {
  NOISE_OPTION (DROP_PROBABILITY, "probability", 0, 1, 0, "That it is lost in a step"),
  NOISE_OPTION (DROP_DURATION, "duration", 0, 1e9, 0,
                "For how long no message comes then, s; 0: one step"),
  NOISE_OPTION (DROP_VALUE, "value", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "What a lost value shows"),
};

static void
orrery_drop_out_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (part);
  gboolean whole = *self->field == '\0';
  const char *idle = whole ? "value" : "duration";

  if (!orrery_noise_setup (self, setup, error) || !orrery_setup_has_option (setup, idle))
    return;
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "'%s' has no effect %s 'field': %s", idle,
                    whole ? "without" : "with",
                    whole ? "whole messages are lost" : "each value is lost by itself");
}

static void
drop_values (OrreryNoise *self, OrreryRandom *random, guint index, double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (orrery_random_uniform (random) < self->options[DROP_PROBABILITY])
      values[i] = self->options[DROP_VALUE];
}

static double
pick_lost (OrreryNoise *self, OrreryRandom *random, const OrreryFieldLimits *limits, double most)
{
  return self->options[DROP_VALUE];
}

static void
orrery_drop_out_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);
  double *more = orrery_noise_get_more (self);
  double now = orrery_noise_get_elapsed (tick);

  if (self->selection.n_values + self->selection.n_targets > 0) {
    orrery_noise_change (self, tick, drop_values);
    return;
  }
  if (now >= more[DROP_UNTIL] && orrery_random_uniform (random) < self->options[DROP_PROBABILITY]) {
    more[DROP_UNTIL] = now + self->options[DROP_DURATION];
    orrery_record_hold (self->record);
  } else if (now < more[DROP_UNTIL]) {
    orrery_record_hold (self->record);
  }
}

NOISE_DEFINE (OrreryDropOut, orrery_drop_out, drop_options, .kinds = SELECT_EVERYTHING,
              .takes_record = TRUE, .n_more = DROP_N_MORE, .marks = TRUE, .pick = pick_lost,
              .setup = orrery_drop_out_setup)

/* --- jitter: a clock that trembles --- */

typedef struct {
  OrreryNoise parent_instance;
  OrreryStamp *time; /* a field, or NULL: the timestamp */
} OrreryJitter;
typedef OrreryNoiseClass OrreryJitterClass;
ORRERY_DEFINE_FINAL_TYPE (OrreryJitter, orrery_jitter, orrery_noise_get_type ())

static const OrreryProperty jitter_options[] = {
  NOISE_OPTION (0, "sigma", 0, 1e9, 0, "Deviation of the time, s"),
};

static void
orrery_jitter_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJitter *self = (OrreryJitter *) part;
  OrreryNoise *noise = ORRERY_NOISE (part);
  OrreryComponent *component = orrery_setup_get_component (setup);
  gboolean stamped = ORRERY_IS_SENSOR (component) &&
                     (*noise->field == '\0' || g_str_equal (noise->field, "timestamp"));
  const char *name = *noise->field != '\0' ? noise->field : "time";

  noise->record = orrery_setup_get_record (setup);
  self->time = stamped ? NULL : orrery_record_find (noise->record, name, ORRERY_FIELD_TIME);
  if (self->time == NULL && !stamped)
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "the record has no time '%.60s': sensors have a timestamp, robots a field 'time'", name);
}

static void
orrery_jitter_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryJitter *self = (OrreryJitter *) modifier;
  OrreryNoise *noise = ORRERY_NOISE (modifier);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (modifier), tick);
  OrreryTime error_ns =
      orrery_time_from_seconds (noise->options[0] * orrery_random_gaussian (random));

  if (self->time != NULL)
    self->time->ns += error_ns;
  else
    orrery_record_set_timestamp (noise->record,
                                 orrery_record_get_timestamp (noise->record) + error_ns);
}

static void
orrery_jitter_class_init (OrreryJitterClass *klass)
{
  klass->takes_record = TRUE;
  ORRERY_PART_CLASS (klass)->setup = orrery_jitter_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_jitter_modify;
  orrery_noise_class_install (klass, jitter_options, G_N_ELEMENTS (jitter_options));
}
