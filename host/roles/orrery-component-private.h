/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

/* Places a component in the world: once, after it is made and before its setup. */
void orrery_component_place (OrreryComponent *component, OrreryWorld *world, OrreryObject *object,
                             OrreryComponent *robot, double frequency, const char *level);
void orrery_component_set_schema (OrreryComponent *component, OrrerySchema *schema);
void orrery_component_set_commanded (OrreryComponent *component, gboolean commanded);
