/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-part.h"
#include "wiring/orrery-simulation.h"

/* A part of the simulation's own, with services that speak for it as a whole. */
#define ORRERY_TYPE_SYSTEM_PART (orrery_system_part_get_type ())
G_DECLARE_DERIVABLE_TYPE (OrrerySystemPart, orrery_system_part, ORRERY, SYSTEM_PART, OrreryPart)

struct _OrrerySystemPartClass {
  OrreryPartClass parent_class;

  gpointer _reserved[8];
};

/* Named `name`, of a simulation that outlives it. */
OrreryPart *orrery_system_part_new (GType type, const char *name, OrrerySimulation *simulation);
OrrerySimulation *orrery_system_part_get_simulation (OrreryPart *part);
/* Another one, to which the scene of the first went. */
void orrery_system_part_set_simulation (OrreryPart *part, OrrerySimulation *simulation);
