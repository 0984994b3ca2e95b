/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-plugin.h"

/* The abstract type of a role, registered if need be. */
GType orrery_role_get_type (OrreryRole role);
/* The types of all roles are there afterwards: a plugin cannot take their names. */
void orrery_role_register_types (void);
/* The role whose class @type derives from; none: of no role. */
OrreryRole orrery_role_from_type (GType type);
/* What a class must have for its role but has not, in words: "sense", or NULL. */
const char *orrery_class_desc_find_missing (const OrreryClassDesc *desc, gpointer klass);
