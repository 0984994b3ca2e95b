/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-system-part-private.h"

#include "roles/orrery-part-private.h"

typedef struct {
  OrrerySimulation *simulation; /* borrowed */
} OrrerySystemPartPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrrerySystemPart, orrery_system_part, ORRERY_TYPE_PART)

#define PRIVATE(part)                                                                              \
  ((OrrerySystemPartPrivate *) orrery_system_part_get_instance_private (ORRERY_SYSTEM_PART (part)))

static void
orrery_system_part_class_init (OrrerySystemPartClass *klass)
{
}

static void
orrery_system_part_init (OrrerySystemPart *self)
{
}

OrreryPart *
orrery_system_part_new (GType type, const char *name, OrrerySimulation *simulation)
{
  OrreryPart *part = g_object_new (type, NULL);
  g_autofree char *classpath = g_strconcat ("orrery.", name, NULL);

  orrery_part_identify (part, name, classpath, 0);
  PRIVATE (part)->simulation = simulation;
  return part;
}

OrrerySimulation *
orrery_system_part_get_simulation (OrreryPart *part)
{
  return PRIVATE (part)->simulation;
}

void
orrery_system_part_set_simulation (OrreryPart *part, OrrerySimulation *simulation)
{
  PRIVATE (part)->simulation = simulation;
}
