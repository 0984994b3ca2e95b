/* SPDX-License-Identifier: BSD-3-Clause */
/* Zones: objects that mark a box of space by their shapes. */
#include "world/orrery-zone.h"

#include "base/orrery-error.h"
#include "world/orrery-world-private.h"

#include <math.h>

/* As in MORSE, the property must exist and be true. */
static gboolean
is_zone (OrreryObject *object, const char *type)
{
  return orrery_object_is_set (object, ORRERY_ZONE_TAG) &&
         (type == NULL || g_strcmp0 (orrery_object_get_text (object, "Type", NULL), type) == 0);
}

static void
take_box (OrreryZone *zone, const OrreryVec3 *place, OrreryShape *shape)
{
  const OrreryVec3 *half = orrery_shape_get_size (shape);
  const OrreryVec3 *at = &orrery_shape_get_pose (shape)->position;
  OrreryVec3 centre = orrery_vec3_add (place, at);
  OrreryVec3 low = orrery_vec3_subtract (&centre, half), high = orrery_vec3_add (&centre, half);

  orrery_vec3_widen (&zone->low, &zone->high, &low);
  orrery_vec3_widen (&zone->low, &zone->high, &high);
}

static gboolean
measure (OrreryWorld *world, OrreryZone *zone, GError **error)
{
  GPtrArray *shapes = orrery_object_get_shapes (zone->object);
  const OrreryTransform *pose = orrery_snapshot_get_pose (orrery_world_get_snapshot (world),
                                                          orrery_object_get_index (zone->object));
  gboolean any = FALSE;

  zone->low = (OrreryVec3){ INFINITY, INFINITY, INFINITY };
  zone->high = (OrreryVec3){ -INFINITY, -INFINITY, -INFINITY };
  for (guint i = 0; i < shapes->len; i++) {
    if (orrery_shape_get_kind (shapes->pdata[i]) != ORRERY_SHAPE_BOX)
      continue;
    take_box (zone, &pose->position, shapes->pdata[i]);
    any = TRUE;
  }
  if (!any)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the zone '%s' has no extent: give it a shape of kind box, not solid",
                      orrery_object_get_name (zone->object));
  return any;
}

static int
compare_zones (gconstpointer a, gconstpointer b)
{
  return orrery_object_get_index (((const OrreryZone *) a)->object) <
                 orrery_object_get_index (((const OrreryZone *) b)->object)
             ? -1
             : 1;
}

GArray *
orrery_world_find_zones (OrreryWorld *world, const char *type, GError **error)
{
  g_autoptr (GArray) zones = NULL;

  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);

  zones = g_array_new (FALSE, FALSE, sizeof (OrreryZone));
  for (guint i = 0; i < orrery_world_get_tagged (world)->len; i++) {
    OrreryZone zone = { .object = orrery_world_get_tagged (world)->pdata[i] };

    if (!is_zone (zone.object, type) || !orrery_object_is_present (zone.object))
      continue;
    if (!measure (world, &zone, error))
      return NULL;
    g_array_append_val (zones, zone);
  }
  g_array_sort (zones, compare_zones);
  return g_steal_pointer (&zones);
}

gboolean
orrery_zone_contains (const OrreryZone *zone, const OrreryVec3 *point)
{
  return point->x >= zone->low.x && point->x <= zone->high.x && point->y >= zone->low.y &&
         point->y <= zone->high.y && point->z >= zone->low.z && point->z <= zone->high.z;
}
