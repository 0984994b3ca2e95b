/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

/*
 * A path of a property: `OWNER.PROPERTY`, where the owner's name may have dots, or
 * `OWNER.PROPERTY[I]` for one member of a list. The owner `simulation` may be left out of `seed`
 * and of quantities of the world, such as `gravity`.
 */
typedef struct {
  char *owner;
  char *property; /* without dots and index */
  int index;      /* -1: the property itself */
} OrreryPropertyPath;

/* What is of the run, or of the world, and not of one part or object of it. */
#define ORRERY_SETTING_SIMULATION "simulation"

/* Lists of properties have no more members. */
#define ORRERY_MAX_PROPERTY_INDEX 9999

/* Whether a name without an owner is of the simulation. */
gboolean orrery_property_path_is_of_simulation (const char *name);
/* FALSE: with ORRERY_ERROR_INVALID, and nothing to be cleared */
gboolean orrery_property_path_parse (OrreryPropertyPath *path, const char *text, GError **error);
void orrery_property_path_clear (OrreryPropertyPath *path);
/* Whether a change of one is seen in the other: they are of one property, and not of two of its
 * members. */
gboolean orrery_property_path_overlaps (const OrreryPropertyPath *a, const OrreryPropertyPath *b);
/* Of the value of the property, what the path names: itself, or a member.
 * Returns: (transfer full) (nullable): not boxed; NULL with ORRERY_ERROR_INVALID: it has none */
GVariant *orrery_property_path_get (const OrreryPropertyPath *path, GVariant *value,
                                    GError **error);
/* The value of the property with @part in place of what the path names.
 * Returns: (transfer full) (nullable): NULL with ORRERY_ERROR_INVALID: it has no such member */
GVariant *orrery_property_path_put (const OrreryPropertyPath *path, GVariant *value, GVariant *part,
                                    GError **error);
