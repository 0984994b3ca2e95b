/* SPDX-License-Identifier: BSD-3-Clause */
/* The base of the parts that offer services of the simulation as a whole. */
#include "simulation/orrery-system-part-private.h"

#include "part/orrery-log-levels-private.h"
#include "part/orrery-part-private.h"

typedef struct {
  OrreryInstance *instance; /* NULL: the instance is freed, but a reference to the part was kept */
} OrrerySystemPartPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrrerySystemPart, orrery_system_part, ORRERY_TYPE_PART)

#define PRIVATE(part)                                                                              \
  ((OrrerySystemPartPrivate *) orrery_system_part_get_instance_private (ORRERY_SYSTEM_PART (part)))

static void
orrery_system_part_call (OrreryPart *part, const char *name, OrreryCall *call, GError **error)
{
  if (PRIVATE (part)->instance != NULL)
    ORRERY_PART_CLASS (orrery_system_part_parent_class)->call (part, name, call, error);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "the simulation is gone");
}

static void
orrery_system_part_class_init (OrrerySystemPartClass *klass)
{
  ORRERY_PART_CLASS (klass)->call = orrery_system_part_call;
}

OrreryPart *
orrery_system_part_new (GType type, const char *name, OrreryInstance *instance)
{
  OrreryPart *part = g_object_new (type, NULL);
  g_autofree char *classpath = g_strconcat ("orrery.", name, NULL);

  orrery_part_identify (part, name, classpath, 0);
  orrery_part_set_log_levels (part, instance->scene->log_levels, NULL);
  PRIVATE (part)->instance = instance;
  return part;
}

OrreryInstance *
orrery_system_part_get_instance (OrreryPart *part)
{
  return PRIVATE (part)->instance;
}

OrrerySimulation *
orrery_system_part_get_simulation (OrreryPart *part)
{
  return PRIVATE (part)->instance->simulation;
}

void
orrery_system_part_leave (OrreryPart *part)
{
  PRIVATE (part)->instance = NULL;
}
