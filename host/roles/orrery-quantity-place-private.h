/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-physics.h"
#include "world/orrery-quantity.h"

/*
 * Quantities that change while a scene runs, by their paths: `gravity` of the world, `box.mass` of
 * an object. Services and the key `randomisation` of scenes share what they accept. Tick thread.
 */
typedef struct {
  const OrreryQuantity *quantity;
  OrreryObject *object; /* NULL: of the world */
} OrreryQuantityPlace;

/* What a name is of that is a quantity of the other kind, or of none; FALSE: with
 * ORRERY_ERROR_NOT_FOUND, always. @other: (nullable): the quantity of that name */
gboolean orrery_quantity_refuse (const char *name, const OrreryQuantity *other, gboolean of_world,
                                 GError **error);
/* Whether an object of the world has such a quantity. */
gboolean orrery_quantity_place_check_object (const OrreryQuantityPlace *place, GError **error);
/* Whether the engine follows a change. @physics: (nullable); @object: (nullable): of any */
gboolean orrery_quantity_can_change (OrreryPhysics *physics, const OrreryQuantity *quantity,
                                     OrreryObject *object, GError **error);
/* The same, and what it can change if not. */
gboolean orrery_quantity_place_check_engine (const OrreryQuantityPlace *place,
                                             OrreryPhysics *physics, GError **error);
/* A number, or three of them, within the range of the quantity, or a name that the world has. */
gboolean orrery_quantity_read (OrreryWorld *world, const OrreryQuantity *quantity, GVariant *boxed,
                               OrreryVec3 *out, GError **error);
/* Whether the object can have a value that is within the range. */
gboolean orrery_quantity_place_check_value (const OrreryQuantityPlace *place,
                                            const OrreryVec3 *value, GError **error);
/* Returns: (transfer floating): of type d, ad or s */
GVariant *orrery_quantity_box (OrreryWorld *world, const OrreryQuantity *quantity,
                               const OrreryVec3 *value);
