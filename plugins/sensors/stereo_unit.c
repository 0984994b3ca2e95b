/* SPDX-License-Identifier: BSD-3-Clause */
/* Several cameras on one mount, which take pictures together. It has no data of its own. */
#include "group.h"

G_DECLARE_FINAL_TYPE (OrreryStereoUnit, orrery_stereo_unit, ORRERY, STEREO_UNIT, OrrerySensor)
struct _OrreryStereoUnit {
  OrrerySensor parent_instance;
  Group group;
};
G_DEFINE_FINAL_TYPE (OrreryStereoUnit, orrery_stereo_unit, ORRERY_TYPE_SENSOR)

static void
orrery_stereo_unit_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  group_set_up (&ORRERY_STEREO_UNIT (part)->group, setup);
}

static void
orrery_stereo_unit_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
}

static void
orrery_stereo_unit_finalize (GObject *object)
{
  group_clear (&ORRERY_STEREO_UNIT (object)->group);
  G_OBJECT_CLASS (orrery_stereo_unit_parent_class)->finalize (object);
}

static void
orrery_stereo_unit_class_init (OrreryStereoUnitClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_stereo_unit_finalize;
  group_part_class_init (ORRERY_PART_CLASS (klass));
  ORRERY_PART_CLASS (klass)->setup = orrery_stereo_unit_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_stereo_unit_sense;
  orrery_component_class_set_fields (ORRERY_COMPONENT_CLASS (klass), NULL, 0, 0);
}

static void
orrery_stereo_unit_init (OrreryStereoUnit *self)
{
  group_init (&self->group, ORRERY_PART (self));
}

ORRERY_PLUGIN ("Several cameras on one mount", "BSD-3-Clause",
               ORRERY_CLASS (StereoUnit, OrreryStereoUnit, orrery_stereo_unit))
