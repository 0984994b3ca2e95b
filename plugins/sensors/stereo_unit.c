/* SPDX-License-Identifier: BSD-3-Clause */
/* Several cameras on one mount, which take pictures together. It has no data of its own. */
#include "group.h"

typedef struct {
  OrrerySensor parent_instance;
  Group group;
} OrreryStereoUnit;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryStereoUnit, orrery_stereo_unit, OrrerySensor, orrery_sensor)

static void
orrery_stereo_unit_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  group_set_up (&((OrreryStereoUnit *) part)->group, setup);
}

static void
orrery_stereo_unit_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
}

static void
orrery_stereo_unit_class_init (OrreryStereoUnitClass *klass)
{
  group_part_class_init (ORRERY_PART_CLASS (klass));
  ORRERY_PART_CLASS (klass)->setup = orrery_stereo_unit_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_stereo_unit_sense;
  orrery_component_class_set_fields (ORRERY_COMPONENT_CLASS (klass), NULL, 0, 0);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryStereoUnit, group, group_clear);
}

static void
orrery_stereo_unit_init (OrreryStereoUnit *self)
{
  group_init (&self->group, ORRERY_PART (self));
}

ORRERY_PLUGIN ("Several cameras on one mount", "BSD-3-Clause",
               ORRERY_CLASS (StereoUnit, OrreryStereoUnit, orrery_stereo_unit))
