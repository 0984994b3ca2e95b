/* SPDX-License-Identifier: BSD-3-Clause */
/* What the modifiers for noise share: selection of fields, options, state. */
#include "noise.h"

#include <string.h>

/* Of any record, and in part of any field: what sensors do wrong. */
ORRERY_DEFINE_ABSTRACT_TYPE (OrreryNoise, orrery_noise, ORRERY_TYPE_MODIFIER)

/* --- set-up --- */

gboolean
orrery_noise_setup (OrreryNoise *self, OrrerySetup *setup, GError **error)
{
  OrreryNoiseClass *klass = ORRERY_NOISE_GET_CLASS (self);
  guint n;

  self->record = orrery_setup_get_record (setup);
  selection_clear (&self->selection);
  if ((!klass->takes_record || *self->field != '\0') &&
      !selection_find (&self->selection, self->record, self->field, klass->takes_arrays, error))
    return FALSE;
  n = (self->selection.n_values + self->selection.n_arrays) * klass->n_each;
  g_free (self->state);
  self->n_state = n + klass->n_more;
  self->state = g_new0 (double, self->n_state);
  self->started = FALSE;
  return TRUE;
}

static void
orrery_noise_part_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_noise_setup (ORRERY_NOISE (part), setup, error);
}

double
orrery_noise_begin (OrreryNoise *self, OrreryTick *tick)
{
  gint64 number = (gint64) orrery_tick_get_number (tick);
  double dt = self->started ? (double) (number - self->tick) * orrery_tick_get_dt (tick) : 0;

  self->started = TRUE;
  self->tick = number;
  return dt;
}

double
orrery_noise_get_elapsed (OrreryTick *tick)
{
  return orrery_time_to_seconds (orrery_tick_get_time (tick) - orrery_tick_get_start (tick));
}

double *
orrery_noise_get_more (OrreryNoise *self)
{
  return self->state + self->n_state - ORRERY_NOISE_GET_CLASS (self)->n_more;
}

/* --- state --- */

static const OrreryField states[] = {
  ORRERY_STATE (OrreryNoise, started),
  ORRERY_STATE (OrreryNoise, tick),
};

static GVariant *
orrery_noise_save (OrreryPart *part)
{
  OrreryNoise *self = ORRERY_NOISE (part);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->state, self->n_state,
                                    sizeof (double));
}

static void
orrery_noise_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (part);
  gsize n;
  gconstpointer values = g_variant_get_fixed_array (state, &n, sizeof (double));

  if (n != self->n_state)
    orrery_part_refuse_state (part, error);
  else if (n > 0)
    memcpy (self->state, values, n * sizeof (double));
}

/* --- the class --- */

void
orrery_noise_class_install (OrreryNoiseClass *klass, const OrreryProperty *properties,
                            guint n_properties)
{
  const OrreryProperty field[] = {
    ORRERY_PROPERTY_STRING (
        OrreryNoise, field, "field", "",
        klass->takes_record ? "Fields, with commas between; empty: the record as a whole"
                            : "Fields, with commas between, or axes of them (velocity.x); empty: "
                              "all numbers of the record",
        .flags = ORRERY_PROPERTY_AT_START),
  };

  ORRERY_CLASS_SET_PROPERTIES (klass, field);
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), properties, n_properties, 0);
}

static void
orrery_noise_class_init (OrreryNoiseClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  part_class->setup = orrery_noise_part_setup;
  part_class->save = orrery_noise_save;
  part_class->restore = orrery_noise_restore;
  part_class->state_type = "ad";
  ORRERY_CLASS_SET_STATE (klass, OrreryNoise, states);
  ORRERY_CLASS_OWNS (klass, OrreryNoise, state, g_free);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryNoise, selection, selection_clear);
}

/* Every component has numbers, or a message to lose. */
#define ANY "orrery.core.component.Component"
#define NOISE_CLASS(Name, prefix)                                                                  \
  {                                                                                                \
    .name = #Name, .type_name = "Orrery" #Name, .get_type = prefix##_get_type,                     \
    .role = ORRERY_ROLE_MODIFIER, .aliases = ORRERY_ALIASES ({ #Name, ANY })                       \
  }

ORRERY_PLUGIN ("What goes wrong in sensors, for any field of any component", "BSD-3-Clause",
               NOISE_CLASS (Bias, orrery_bias), NOISE_CLASS (Delay, orrery_delay),
               NOISE_CLASS (DropOut, orrery_drop_out), NOISE_CLASS (Gaussian, orrery_gaussian),
               NOISE_CLASS (Jitter, orrery_jitter), NOISE_CLASS (Outliers, orrery_outliers),
               NOISE_CLASS (Quantisation, orrery_quantisation),
               NOISE_CLASS (RandomWalk, orrery_random_walk),
               NOISE_CLASS (RateLimit, orrery_rate_limit),
               NOISE_CLASS (StuckValue, orrery_stuck_value))
