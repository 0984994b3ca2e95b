/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-system-part-private.h"

#include "roles/orrery-log-levels-private.h"
#include "roles/orrery-part-private.h"
#include "wiring/orrery-simulation-private.h"

typedef struct {
  OrrerySimulation *simulation; /* NULL: it is gone, and somebody has kept the part */
} OrrerySystemPartPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrrerySystemPart, orrery_system_part, ORRERY_TYPE_PART)

#define PRIVATE(part)                                                                              \
  ((OrrerySystemPartPrivate *) orrery_system_part_get_instance_private (ORRERY_SYSTEM_PART (part)))

static void
orrery_system_part_call (OrreryPart *part, const char *name, OrreryCall *call, GError **error)
{
  if (PRIVATE (part)->simulation != NULL)
    ORRERY_PART_CLASS (orrery_system_part_parent_class)->call (part, name, call, error);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "the simulation is gone");
}

static void
orrery_system_part_class_init (OrrerySystemPartClass *klass)
{
  ORRERY_PART_CLASS (klass)->call = orrery_system_part_call;
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
  orrery_part_obey (part, simulation->scene->log_levels, NULL);
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
