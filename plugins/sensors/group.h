/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Cameras below a component, and one call of `capture` that goes to all of them. */
typedef struct {
  GPtrArray *cameras; /* (element-type OrreryComponent), borrowed, in scene order */
  GPtrArray *calls;   /* (element-type OrreryCall): what each was asked */
} Group;

void group_init (Group *group, OrreryPart *part);
void group_clear (Group *group);
/* The service `capture`, cancel, and the state. */
void group_part_class_init (OrreryPartClass *klass);
void group_set_up (Group *group, OrrerySetup *setup);
