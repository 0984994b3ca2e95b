/* SPDX-License-Identifier: BSD-3-Clause */
/* Lamps of objects. */
#include "world/orrery-lamp.h"

#include "world/orrery-world-private.h"

ORRERY_DEFINE_GETTER (OrreryLamp *, orrery_object_get_lamp, OrreryObject, ORRERY_IS_OBJECT,
                      self->lamp)

OrreryLamp *
orrery_object_add_lamp (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);

  if (object->lamp != NULL)
    return object->lamp;
  object->lamp = g_new (OrreryLamp, 1);
  *object->lamp = (OrreryLamp){
    .kind = ORRERY_LAMP_POINT,
    .color = { 1, 1, 1 },
    .energy = 1,
    .distance = 25,
    .direction = { 0, 0, -1 },
    .angle = G_PI_4,
    .blend = 0.15,
    .on = TRUE,
  };
  object->lit = TRUE;
  return object->lamp;
}

gboolean
orrery_object_is_lit (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), FALSE);
  return object->lamp != NULL && object->lit && !object->parked;
}
