/* SPDX-License-Identifier: BSD-3-Clause */
/* The services `communication`: which robots could communicate with each other. */
#include "simulation/orrery-simulation-private.h"

#include "roles/orrery-robot.h"

#include <math.h>

static OrreryObject *
find_robot (OrrerySimulation *simulation, const char *name, GError **error)
{
  OrreryComponent *component = orrery_simulation_find_component (simulation, name);

  if (component != NULL && ORRERY_IS_ROBOT (component))
    return orrery_component_get_object (component);
  /* MORSE's message, including the trailing blank. */
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%.60s does not exist in the simulation ", name);
  return NULL;
}

/* Whether an object is part of a body: a wheel with a body of its own is not part of its
 * robot's. */
static gboolean
is_part_of (OrreryObject *object, OrreryObject *whole)
{
  while (object != NULL && object != whole &&
         orrery_object_get_body (object)->type == ORRERY_BODY_NONE)
    object = orrery_object_get_parent (object);
  return object == whole;
}

static const OrreryVec3 *
get_origin (OrrerySimulation *simulation, OrreryObject *object)
{
  return &orrery_snapshot_get_pose (orrery_world_get_snapshot (simulation->instance->world),
                                    orrery_object_get_index (object))
              ->position;
}

/* Whether rays meet the object or one below it. */
static gboolean
is_solid (OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_solid (shapes->pdata[i]))
      return TRUE;
  for (guint i = 0; i < children->len; i++)
    if (is_solid (children->pdata[i]))
      return TRUE;
  return FALSE;
}

/*
 * Whether the first object that a ray to a point slightly beyond the other's origin meets is part
 * of the other: the origin may lie on its surface. It may also lie slightly below it, as that of
 * ATRV does: then the ray meets nothing.
 */
static gboolean
is_in_view (OrreryRaycaster *rays, OrrerySimulation *simulation, OrreryObject *one,
            OrreryObject *other, GError **error)
{
  const OrreryVec3 *from = get_origin (simulation, one);
  OrreryVec3 to = *get_origin (simulation, other);
  gint64 first;

  to.x += (to.x - from->x) * 1e-9;
  to.y += (to.y - from->y) * 1e-9;
  to.z += (to.z - from->z) * 1e-9;
  first =
      orrery_raycaster_find_between (rays, orrery_world_get_snapshot (simulation->instance->world),
                                     from, &to, ORRERY_SIGHT_OUTSIDE, one, error);
  if (first < 0)
    return is_solid (other);
  return is_part_of (orrery_world_get_object (simulation->instance->world, (guint) first), other);
}

static void
distance_and_view (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySimulation *simulation = orrery_system_part_get_simulation (part);
  OrreryObject *one = find_robot (simulation, orrery_call_get_text (call, 0), error);
  OrreryObject *other =
      one != NULL ? find_robot (simulation, orrery_call_get_text (call, 1), error) : NULL;
  OrreryRaycaster *rays =
      other != NULL ? orrery_assembly_get_rays (&simulation->instance->assembly, error) : NULL;
  GError *local = NULL;
  OrreryVec3 from, to;
  gboolean view;

  if (rays == NULL)
    return;
  from = *get_origin (simulation, one);
  to = *get_origin (simulation, other);
  view = is_in_view (rays, simulation, one, other, &local);
  if (local == NULL)
    orrery_call_return (call, g_variant_new ("(db)", orrery_vec3_distance (&to, &from), view));
  else
    g_propagate_error (error, local);
}

static const OrreryService services[] = {
  { "distance_and_view", distance_and_view, ORRERY_SERVICE_IMMEDIATE, "robot1:s robot2:s",
    "How far apart two robots are, m, and whether the one sees the other" },
};

ORRERY_DEFINE_SYSTEM_PART (OrreryCommunication, orrery_communication)
