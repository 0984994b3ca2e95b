/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

/* Places a component in the world: once, after it is made and before its setup. */
void orrery_component_place (OrreryComponent *component, OrreryWorld *world, OrreryObject *object,
                             OrreryComponent *robot, double frequency, const char *level);
void orrery_component_set_schema (OrreryComponent *component, OrrerySchema *schema);
/* Flags that the tick reads and writes at every step, at these addresses for the component's life.
 */
const gboolean *orrery_component_get_active_flag (OrreryComponent *component);
gboolean *orrery_component_get_commanded_flag (OrreryComponent *component);
