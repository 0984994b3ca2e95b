/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of physics engines, and how they walk over the shapes of a body. */
#include "roles/orrery-physics.h"

ORRERY_DEFINE_ABSTRACT_TYPE (OrreryPhysics, orrery_physics, ORRERY_TYPE_PART)

static void
orrery_physics_class_init (OrreryPhysicsClass *klass)
{
}

void
orrery_physics_get_shape_offset (OrreryObject *body, OrreryObject *object, OrreryShape *shape,
                                 OrreryTransform *out)
{
  *out = *orrery_shape_get_pose (shape);
  for (; object != NULL && object != body; object = orrery_object_get_parent (object))
    orrery_transform_multiply (orrery_object_get_start (object), out, out);
}

gboolean
orrery_physics_is_part (OrreryObject *object)
{
  const OrreryJoint *joint = orrery_object_get_joint (object);

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), FALSE);
  if (orrery_object_get_parent (object) == NULL)
    return FALSE;
  if (joint != NULL)
    return joint->kind == ORRERY_JOINT_FIXED;
  return orrery_object_get_body (object)->type == ORRERY_BODY_NONE;
}

static void
visit (OrreryObject *body, OrreryObject *object, OrreryShapeFunc func, gpointer user_data)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < shapes->len; i++) {
    OrreryTransform offset;

    if (!orrery_shape_is_solid (shapes->pdata[i]))
      continue;
    orrery_physics_get_shape_offset (body, object, shapes->pdata[i], &offset);
    func (shapes->pdata[i], &offset, user_data);
  }
  for (guint i = 0; i < children->len; i++)
    if (orrery_physics_is_part (children->pdata[i]))
      visit (body, children->pdata[i], func, user_data);
}

void
orrery_physics_foreach_shape (OrreryObject *body, OrreryShapeFunc func, gpointer user_data)
{
  g_return_if_fail (ORRERY_IS_OBJECT (body));
  visit (body, body, func, user_data);
}
