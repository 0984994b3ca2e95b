/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "roles/orrery-component.h"

/* Places a component in the world: once, after it is made and before its setup. */
void orrery_component_place (OrreryComponent *component, OrreryWorld *world, OrreryObject *object,
                             OrreryComponent *robot, double frequency, const char *level);
void orrery_component_set_schema (OrreryComponent *component, OrrerySchema *schema);
/* Keeps the flag at @place, where the tick finds it beside what it reads with it; NULL: at home. */
void orrery_component_place_active (OrreryComponent *component, gboolean *place);
/* At this address for the component's life. */
gboolean *orrery_component_get_commanded_flag (OrreryComponent *component);
/* See orrery_component_set_axes(). */
const OrreryQuat *orrery_component_get_axes (OrreryComponent *component);
/* See orrery_component_is_stale(). */
void orrery_component_set_stale (OrreryComponent *component, gboolean stale);
