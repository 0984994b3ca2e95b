/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"
#include "simulation/orrery-instance-private.h"

/* A part of the simulation itself, with services that concern it as a whole. */
#define ORRERY_TYPE_SYSTEM_PART (orrery_system_part_get_type ())
G_DECLARE_DERIVABLE_TYPE (OrrerySystemPart, orrery_system_part, ORRERY, SYSTEM_PART, OrreryPart)

struct _OrrerySystemPartClass {
  OrreryPartClass parent_class;

  gpointer _reserved[8];
};

/* A part named `name`, of an instance that it borrows. */
OrreryPart *orrery_system_part_new (GType type, const char *name, OrreryInstance *instance);
OrreryInstance *orrery_system_part_get_instance (OrreryPart *part);
OrrerySimulation *orrery_system_part_get_simulation (OrreryPart *part);
/* Called when the instance is freed; other code may keep the part. */
void orrery_system_part_leave (OrreryPart *part);
