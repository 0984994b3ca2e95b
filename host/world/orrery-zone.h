/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-world.h"

G_BEGIN_DECLS

/**
 * OrreryZone: (skip)
 * @object: the object that it is; borrowed
 * @low: m, the smallest coordinates, world
 * @high: m, the largest coordinates, world
 *
 * A box of the world with a meaning, such as a place for charging. In a scene it is a plain object
 * with the property `Zone_Tag` and, in the property `Type`, its meaning; its extent is that of
 * its shapes of kind box, which need not be solid. As in MORSE the faces lie along the world's
 * axes, whatever the rotation of the object, and the zone does not move with the object.
 */
typedef struct {
  OrreryObject *object;
  OrreryVec3 low;
  OrreryVec3 high;
} OrreryZone;

/**
 * orrery_world_find_zones: (skip)
 * @world: a world whose objects have been placed
 * @type: (nullable): only zones of that type
 *
 * Looks at the world as it is now. Zones that are not present are left out, and so are those whose
 * `Zone_Tag` is false, 0 or an empty text. Their objects are borrowed from the world.
 *
 * Returns: (transfer full) (nullable): the zones (OrreryZone) in scene order, empty if there are
 *   none, or %NULL with %ORRERY_ERROR_CONFIG: one has no extent
 */
ORRERY_API GArray *orrery_world_find_zones (OrreryWorld *world, const char *type, GError **error);
/**
 * orrery_zone_contains: (skip)
 * @point: m, world
 * @zone: a zone
 *
 * Only the box counts that orrery_world_find_zones() has measured, not where the object is now.
 *
 * Returns: whether the point is within, faces included
 */
ORRERY_API gboolean orrery_zone_contains (const OrreryZone *zone, const OrreryVec3 *point);

G_END_DECLS
