/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `lamp` of an object. */
#include "scene/orrery-scene-private.h"

#include <math.h>

void
orrery_scene_read_lamp (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object)
{
  OrreryNode *direction;
  OrreryLamp *lamp;
  double length;

  if (dict == NULL)
    return;
  orrery_keys_check_known (problems, dict, &orrery_lamp_keys);
  lamp = orrery_object_add_lamp (object);
  orrery_keys_get (problems, dict, &orrery_lamp_keys, lamp);
  direction = orrery_node_find (dict, "direction");
  length = orrery_vec3_length (&lamp->direction);
  if (direction == NULL)
    return;
  if (length > 1e-9 && isfinite (length))
    lamp->direction = orrery_vec3_divide (&lamp->direction, length);
  else
    orrery_keys_refuse (problems, direction,
                        "'direction' has no length; it is the direction of the light");
}
