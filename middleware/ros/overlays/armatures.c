/* SPDX-License-Identifier: BSD-3-Clause */
/* The action joint_trajectory_action of an armature, as MORSE has it. */
#define G_LOG_DOMAIN "orrery.middleware.ros.overlays.armatures"
#include "../../message/variant.h"

#include <string.h>

typedef struct {
  OrreryOverlay parent_instance;

  char *name_space;
} OrreryROSArmature;
ORRERY_DEFINE_CLASS (OrreryROSArmature, orrery_ros_armature, OrreryOverlay, orrery_overlay)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryROSArmature, name_space, "namespace", NULL,
                          "What the action is below, in place of the name of the armature",
                          .flags = ORRERY_PROPERTY_AT_START),
};

#define refuse(error, ...) (orrery_set_error (error, ORRERY_ERROR_INVALID, __VA_ARGS__), NULL)

/* Returns: (transfer full) (nullable): the place of each joint of the arm in the goal's lists */
static GArray *
order_joints (GVariant *joints, GVariant *names, GError **error)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize n_joints = g_variant_n_children (joints), n_names = g_variant_n_children (names);

  for (gsize i = 0; i < n_joints; i++) {
    g_autoptr (GVariant) boxed = g_variant_get_child_value (joints, i);
    g_autoptr (GVariant) joint = message_variant_unbox (boxed);
    gsize at = n_names;

    for (gsize j = 0; j < n_names && at == n_names; j++) {
      g_autoptr (GVariant) child = g_variant_get_child_value (names, j);
      g_autoptr (GVariant) name = message_variant_unbox (child);

      at = g_variant_equal (name, joint) ? j : n_names;
    }
    if (at == n_names)
      return refuse (error, "the trajectory has no joint '%s'", g_variant_get_string (joint, NULL));
    g_array_append_val (order, at);
  }
  if (n_names == n_joints)
    return g_steal_pointer (&order);
  return refuse (error, "the trajectory has %zu joints, the armature has %zu", n_names, n_joints);
}

static GVariant *
make_point (GVariant *point, const GArray *order, GError **error)
{
  g_autoptr (GVariant) positions = message_variant_find (point, "positions");
  g_autoptr (GVariant) after = message_variant_find (point, "time_from_start");
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariantDict dict;

  if (positions == NULL || after == NULL || g_variant_n_children (positions) != order->len) {
    g_variant_builder_clear (&list);
    return refuse (error, "a point of the trajectory has no position for each joint");
  }
  for (guint i = 0; i < order->len; i++)
    g_variant_builder_add_value (&list,
                                 g_variant_get_child_value (positions,
                                                            g_array_index (order, gsize, i)));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "positions", g_variant_builder_end (&list));
  g_variant_dict_insert_value (&dict, "time_from_start", after);
  return g_variant_dict_end (&dict);
}

static GVariant *
make_points (GVariant *trajectory, const GArray *order, GError **error)
{
  g_autoptr (GVariant) points = message_variant_find (trajectory, "points");
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  for (gsize i = 0; points != NULL && i < g_variant_n_children (points); i++) {
    g_autoptr (GVariant) point = g_variant_get_child_value (points, i);
    GVariant *made = make_point (point, order, error);

    if (made == NULL) {
      g_variant_builder_clear (&list);
      return NULL;
    }
    g_variant_builder_add (&list, "v", made);
  }
  return g_variant_builder_end (&list);
}

/* The arguments of the armature's own service. Returns: (transfer floating) (nullable) */
static GVariant *
make_arguments (GVariant *trajectory, GVariant *joints, GError **error)
{
  g_autoptr (GVariant) names = message_variant_find (trajectory, "joint_names");
  g_autoptr (GVariant) header = message_variant_find (trajectory, "header");
  g_autoptr (GVariant) stamp = header != NULL ? message_variant_find (header, "stamp") : NULL;
  g_autoptr (GArray) order = NULL;
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  GVariant *points;
  GVariantDict dict;

  if (names == NULL || !g_variant_is_of_type (names, G_VARIANT_TYPE ("av")))
    return refuse (error, "the trajectory names no joints");
  order = order_joints (joints, names, error);
  points = order != NULL ? make_points (trajectory, order, error) : NULL;
  if (points == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "points", points);
  /* Without a stamp it begins now. */
  if (stamp != NULL && g_variant_is_of_type (stamp, G_VARIANT_TYPE_DOUBLE) &&
      g_variant_get_double (stamp) > 0)
    g_variant_dict_insert_value (&dict, "starttime", stamp);
  g_variant_builder_add (&arguments, "v", g_variant_dict_end (&dict));
  return g_variant_builder_end (&arguments);
}

/* The answer to a goal is empty. */
static GVariant *
drop (OrreryOverlay *overlay, GVariant *value, gpointer user_data)
{
  return NULL;
}

static void
follow (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryOverlay *overlay = ORRERY_OVERLAY (part);
  g_autoptr (OrreryCall) asked = orrery_overlay_start (overlay, "get_joints", NULL);
  GVariant *joints = orrery_call_get_result (asked, error);
  g_autoptr (GVariant) trajectory = message_variant_unbox (orrery_call_get_argument (call, 0));
  GVariant *arguments;

  if (joints == NULL)
    return;
  arguments = make_arguments (trajectory, joints, error);
  if (arguments != NULL)
    orrery_overlay_chain (overlay, call, "trajectory", arguments, drop, NULL, NULL);
}

static const OrreryService services[] = {
  { "joint_trajectory_action", follow, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE,
    "trajectory:v", "Follows a trajectory_msgs/JointTrajectory, whose joints have any order" },
};

static void
orrery_ros_armature_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryROSArmature *self = (OrreryROSArmature *) part;

  orrery_overlay_set_published_name (ORRERY_OVERLAY (part), self->name_space);
}

static void
orrery_ros_armature_class_init (OrreryROSArmatureClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_ros_armature_setup;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("The action joint_trajectory_action for armatures", "BSD-3-Clause",
               ORRERY_CLASS (ArmatureController, OrreryROSArmature, orrery_ros_armature))
