/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of shapes that change while a scene runs. Shapes themselves do not change: an object that
 * is scaled has others, made of those of the scene, which are kept beside them. */
#include "world/orrery-quantity-private.h"

#include "base/orrery-error-private.h"

#include <math.h>

GPtrArray *
orrery_object_get_scene_shapes (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);
  return object->scene_shapes != NULL ? object->scene_shapes : object->shapes;
}

const OrreryVec3 *
orrery_object_get_scale (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);
  return object->scene_shapes != NULL ? &object->scale : NULL;
}

void
orrery_object_read_scale (OrreryObject *object, OrreryVec3 *factors)
{
  *factors = object->scene_shapes != NULL ? object->scale : (OrreryVec3){ 1, 1, 1 };
}

guint64
orrery_world_get_shapes_serial (OrreryWorld *world)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), 0);
  return orrery_world_get_changing (world)->shapes;
}

/* --- what is possible --- */

static gboolean
check_kind (OrreryObject *object, OrreryShape *shape, const OrreryVec3 *factors, GError **error)
{
  if (orrery_shape_can_scale (shape, factors))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "'%.60s' has a shape that is round, or turned: its scale is three equal "
                           "numbers%s",
                           orrery_object_get_name (object),
                           orrery_shape_can_scale (shape, &(OrreryVec3){ 1, 1, 2 })
                               ? ", or two equal ones and another along z"
                               : "");
}

static double
find_reach (OrreryShape *shape, const OrreryVec3 *factors)
{
  OrreryVec3 low, high;

  orrery_shape_get_bounds (shape, NULL, &low, &high);
  return fmax (fmax (fmax (fabs (low.x), fabs (high.x)) * factors->x,
                     fmax (fabs (low.y), fabs (high.y)) * factors->y),
               fmax (fabs (low.z), fabs (high.z)) * factors->z);
}

gboolean
orrery_object_check_scale (OrreryObject *object, const OrreryVec3 *factors, GError **error)
{
  GPtrArray *shapes = orrery_object_get_scene_shapes (object);
  /* What the scene has is the scene's affair. */
  gboolean grows = factors->x > 1 || factors->y > 1 || factors->z > 1;

  for (guint i = 0; i < shapes->len; i++) {
    if (!check_kind (object, shapes->pdata[i], factors, error))
      return FALSE;
    if (grows && !(find_reach (shapes->pdata[i], factors) <= ORRERY_SCALE_REACH))
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "'%.60s' would reach farther than %g m from its origin",
                               orrery_object_get_name (object), ORRERY_SCALE_REACH);
  }
  return TRUE;
}

/* --- changes --- */

static void
put_shape (OrreryObject *object, guint i, OrreryShape *shape)
{
  orrery_shape_unref (object->shapes->pdata[i]);
  object->shapes->pdata[i] = shape;
}

static void
keep_scene_shapes (OrreryObject *object)
{
  if (object->scene_shapes != NULL)
    return;
  object->scene_shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref);
  for (guint i = 0; i < object->shapes->len; i++)
    g_ptr_array_add (object->scene_shapes, orrery_shape_ref (object->shapes->pdata[i]));
}

void
orrery_world_set_scale (OrreryWorld *world, OrreryObject *object, const OrreryVec3 *factors)
{
  keep_scene_shapes (object);
  for (guint i = 0; i < object->shapes->len; i++) {
    OrreryShape *first = object->scene_shapes->pdata[i];

    put_shape (object, i,
               factors != NULL ? orrery_shape_new_scaled (first, factors)
                               : orrery_shape_ref (first));
  }
  if (factors != NULL)
    object->scale = *factors;
  else
    g_clear_pointer (&object->scene_shapes, g_ptr_array_unref);
  orrery_world_get_changing (world)->shapes++;
  /* Rays meet other shapes at the same poses. */
  orrery_world_get_snapshot (world)->serial++;
}
