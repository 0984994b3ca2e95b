/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-scene-private.h"

#include <math.h>

/* The key `joint` of an object. */

static const char *const joint_kinds[] = { "fixed", "hinge", "slide", "ball", NULL };
static const char *const joint_keys[] = { "kind",      "axis",     "anchor",    "limits",
                                          "reference", "position", "max_speed", "max_effort",
                                          "damping",   "friction", "armature",  "stiffness",
                                          "rest",      "gains",    NULL };

static gboolean
read_pair (OrreryProblems *problems, OrreryNode *node, const char *key, double *first,
           double *second)
{
  OrreryNode *list = orrery_scene_find (problems, node, key, ORRERY_NODE_LIST);
  double d[2] = { NAN, NAN };
  g_autofree char *shown = NULL;

  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < 2 && orrery_node_get_length (list) == 2; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE)
      d[i] = orrery_node_get_double (item);
  }
  if (isfinite (d[0]) && isfinite (d[1])) {
    *first = d[0];
    *second = d[1];
    return TRUE;
  }
  shown = orrery_scene_show (list);
  orrery_problems_take (problems, orrery_node_error (list, ORRERY_ERROR_CONFIG,
                                                     "'%s' is %s, not two numbers", key, shown));
  return FALSE;
}

static void
refuse (OrreryProblems *problems, OrreryNode *node, const char *words)
{
  orrery_problems_take (problems, orrery_node_error (node, ORRERY_ERROR_CONFIG, "%s", words));
}

static void
read_axis (OrreryProblems *problems, OrreryNode *node, OrreryVec3 *axis)
{
  OrreryVec3 v;
  double length;

  if (!orrery_scene_get_vec3 (problems, node, "axis", &v))
    return;
  length = orrery_vec3_length (&v);
  if (length < 1e-9)
    refuse (problems, orrery_node_find (node, "axis"), "the 'axis' of a joint has no length");
  else
    *axis = (OrreryVec3){ v.x / length, v.y / length, v.z / length };
}

static void
read_numbers (OrreryProblems *problems, OrreryNode *node, OrreryJoint *joint)
{
  const struct {
    const char *key;
    double low;
    double *value;
  } numbers[] = {
    { "reference", -1e8, &joint->reference }, { "position", -1e8, &joint->initial },
    { "max_speed", 0, &joint->max_speed },    { "max_effort", 0, &joint->max_effort },
    { "damping", 0, &joint->damping },        { "friction", 0, &joint->friction },
    { "armature", 0, &joint->armature },      { "stiffness", 0, &joint->stiffness },
    { "rest", -1e8, &joint->rest },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    orrery_scene_get_double (problems, node, numbers[i].key, numbers[i].low, 1e8, numbers[i].value);
}

void
orrery_scene_read_joint (OrreryProblems *problems, OrreryNode *node, OrreryObject *object)
{
  OrreryNode *dict = orrery_scene_find (problems, node, "joint", ORRERY_NODE_DICT);
  OrreryJoint *before = orrery_object_get_joint (object);
  OrreryJoint joint;
  int kind;

  if (dict == NULL)
    return;
  orrery_scene_check_keys (problems, dict, joint_keys, "a joint");
  kind = orrery_scene_get_word (problems, dict, "kind", joint_kinds);
  if (kind < 0 && (before == NULL || orrery_node_find (dict, "kind") != NULL)) {
    if (orrery_node_find (dict, "kind") == NULL)
      refuse (problems, dict, "a joint needs a 'kind': fixed, hinge, slide or ball");
    return;
  }
  /* Without a kind, what is said changes the joint that a class or file has given. */
  if (kind >= 0)
    orrery_joint_init (&joint, (OrreryJointKind) kind);
  else
    joint = *before;
  read_axis (problems, dict, &joint.axis);
  orrery_scene_get_vec3 (problems, dict, "anchor", &joint.anchor);
  read_numbers (problems, dict, &joint);
  /* Where nothing else is said it begins as it stands. */
  if (kind >= 0 && orrery_node_find (dict, "position") == NULL)
    joint.initial = joint.reference;
  joint.limited |= read_pair (problems, dict, "limits", &joint.lower, &joint.upper);
  if (joint.limited && joint.lower > joint.upper)
    refuse (problems, orrery_node_find (dict, "limits"),
            "the lower of the 'limits' of a joint is above the upper one");
  read_pair (problems, dict, "gains", &joint.position_gain, &joint.velocity_gain);
  if (joint.position_gain < 0 || joint.velocity_gain < 0)
    refuse (problems, orrery_node_find (dict, "gains"), "the 'gains' of a joint are below 0");
  orrery_object_set_joint (object, &joint);
}
