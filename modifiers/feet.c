/* SPDX-License-Identifier: BSD-3-Clause */
/* Metres to feet and back. */
#include "lack.h"

/* As MORSE has it; 1 / 0.3048 to eight digits. */
#define FEET_PER_METRE 3.2808399

/* The coordinates x, y, z, those that the record has, times a constant. */
typedef struct {
  OrreryModifier parent_instance;
  double *values[3];
  guint n_values;
} OrreryFeetBase;
ORRERY_DEFINE_BASE_CLASS (OrreryFeetBase, orrery_feet_base, OrreryModifier, orrery_modifier)

static void
orrery_feet_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const char *const names[] = { "x", "y", "z" };
  OrreryFeetBase *self = (OrreryFeetBase *) part;

  self->n_values = 0;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    double *value = orrery_record_find_double (orrery_setup_get_record (setup), names[i]);

    if (value != NULL)
      self->values[self->n_values++] = value;
  }
  if (self->n_values == 0)
    lack (part, "field 'x', 'y' or 'z'");
}

static void
scale (OrreryModifier *modifier, double factor)
{
  OrreryFeetBase *self = (OrreryFeetBase *) modifier;

  for (guint i = 0; i < self->n_values; i++)
    *self->values[i] *= factor;
}

static void
orrery_feet_base_class_init (OrreryFeetBaseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_feet_base_setup;
}

typedef struct {
  OrreryFeetBase parent_instance;
} OrreryMeterToFeet;
ORRERY_DEFINE_CLASS (OrreryMeterToFeet, orrery_meter_to_feet, OrreryFeetBase, orrery_feet_base)

static void
orrery_meter_to_feet_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  scale (modifier, FEET_PER_METRE);
}

static void
orrery_meter_to_feet_class_init (OrreryMeterToFeetClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_meter_to_feet_modify;
}

typedef struct {
  OrreryFeetBase parent_instance;
} OrreryFeetToMeter;
ORRERY_DEFINE_CLASS (OrreryFeetToMeter, orrery_feet_to_meter, OrreryFeetBase, orrery_feet_base)

static void
orrery_feet_to_meter_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  scale (modifier, 1 / FEET_PER_METRE);
}

static void
orrery_feet_to_meter_class_init (OrreryFeetToMeterClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_feet_to_meter_modify;
}

ORRERY_PLUGIN (
    "Coordinates in feet", "BSD-3-Clause",
    ORRERY_CLASS (MeterToFeet, OrreryMeterToFeet, orrery_meter_to_feet,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "feet", "orrery.sensors.pose.Pose" },
                                             { "feet", "orrery.sensors.gps.GPS" })),
    ORRERY_CLASS (FeetToMeter, OrreryFeetToMeter, orrery_feet_to_meter,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "feet", "orrery.actuators.destination.Destination" },
                                             { "feet", "orrery.actuators.waypoint.Waypoint" },
                                             { "feet", "orrery.actuators.teleport.Teleport" })))
