/* SPDX-License-Identifier: BSD-3-Clause */
/* The key `joint` of an object: how it moves against its parent. */
#include "scene/orrery-scene-private.h"

#include <math.h>

static void
read_axis (OrreryProblems *problems, OrreryNode *node, OrreryVec3 *axis)
{
  double length = orrery_vec3_length (axis);

  if (length < 1e-9)
    orrery_keys_refuse (problems, orrery_node_find (node, "axis"),
                        "the 'axis' of a joint has no length");
  else
    *axis = orrery_vec3_divide (axis, length);
}

/* Without a kind, the keys change the joint that the class or file gave the object. */
static gboolean
read_keys (OrreryProblems *problems, OrreryNode *dict, const OrreryJoint *before,
           OrreryJoint *joint)
{
  if (before == NULL || orrery_node_find (dict, "kind") != NULL) {
    orrery_joint_init (joint, ORRERY_JOINT_FIXED);
    return orrery_keys_read (problems, dict, &orrery_joint_keys, joint);
  }
  *joint = *before;
  orrery_keys_check_known (problems, dict, &orrery_joint_keys);
  return orrery_keys_get (problems, dict, &orrery_joint_keys, joint);
}

void
orrery_scene_read_joint (OrreryProblems *problems, OrreryNode *dict, OrreryObject *object)
{
  OrreryJoint joint;

  if (dict == NULL || !read_keys (problems, dict, orrery_object_get_joint (object), &joint))
    return;
  if (orrery_node_find (dict, "axis") != NULL)
    read_axis (problems, dict, &joint.axis);
  /* By default the joint starts at its reference position. */
  if (isnan (joint.initial))
    joint.initial = joint.reference;
  joint.limited |= orrery_node_find (dict, "limits") != NULL;
  if (!joint.limited)
    joint.lower = joint.upper = 0;
  if (joint.lower > joint.upper)
    orrery_keys_refuse (problems, orrery_node_find (dict, "limits"),
                        "the lower of the 'limits' of a joint is above the upper one");
  orrery_object_set_joint (object, &joint);
}
