/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "roles/orrery-component.h"

/* Places a component in the world: once, after it is made and before its setup. */
void orrery_component_place (OrreryComponent *component, OrreryWorld *world, OrreryObject *object,
                             OrreryComponent *robot, double frequency, const char *level);
/* Places what is in no scene where @other is. */
void orrery_component_place_as (OrreryComponent *component, OrreryComponent *other);
/* Whether its table of fields, or that of its base, was refused: no part can be made of it. */
gboolean orrery_component_class_is_unfit (OrreryComponentClass *klass);
void orrery_component_set_schema (OrreryComponent *component, OrrerySchema *schema);
/* Keeps the flag at @place, where the tick finds it beside what it reads with it; NULL: at home. */
void orrery_component_place_active (OrreryComponent *component, gboolean *place);
/* That of its object in the world. */
guint orrery_component_get_index (OrreryComponent *component);
/* At this address for the component's life. */
gboolean *orrery_component_get_commanded_flag (OrreryComponent *component);
/* See orrery_component_set_axes(). */
const OrreryQuat *orrery_component_get_axes (OrreryComponent *component);
/* See orrery_component_is_wanted(). */
void orrery_component_set_wanted (OrreryComponent *component, gboolean wanted);
/* What its setup found, (element-type OrreryComponent), taken; whether it reads that on demand. */
void orrery_component_set_reads (OrreryComponent *component, GPtrArray *reads, gboolean on_demand);
GPtrArray *orrery_component_get_reads (OrreryComponent *component);
gboolean orrery_component_is_on_demand (OrreryComponent *component);
/* From now on somebody may read its record whom nothing tells of. */
void orrery_component_pin (OrreryComponent *component);
gboolean orrery_component_is_pinned (OrreryComponent *component);
/* FALSE: its record is that of its last step. TRUE: it was not wanted in that step; the call is
 * kept until the next one. */
gboolean orrery_component_await_record (OrreryComponent *component, OrreryCall *call);
/* It has stepped in this tick. */
void orrery_component_note_step (OrreryComponent *component);
/* Answers the calls that were kept. */
void orrery_component_answer_waiting (OrreryComponent *component);
/* See orrery_component_is_stale(). */
void orrery_component_set_stale (OrreryComponent *component, gboolean stale);
