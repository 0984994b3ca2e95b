/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot with arms on a torso that is lifted. */
#include "hand.h"

/* The joint that lifts, as PR2 calls it. */
#define LIFT "torso_lift_joint"

/* A robot with armatures of its own, one of which lifts what carries the others, and a hand. */
typedef struct {
  OrreryRobot parent_instance;
  Hand hand;
  OrreryWorld *world;
  GPtrArray *armatures;      /* (element-type OrreryComponent), in tree order */
  OrreryComponent *lifter;   /* borrowed; NULL: none */
  OrreryObject *lift;        /* its joint */
  const OrreryJoint *limits; /* of that */
} OrreryLiftedRobot;
ORRERY_DEFINE_CLASS (OrreryLiftedRobot, orrery_lifted_robot, OrreryRobot, orrery_robot)

/* --- parts --- */

static void
find_lift (OrreryLiftedRobot *self, OrreryComponent *armature)
{
  GPtrArray *children = orrery_object_get_children (orrery_component_get_object (armature));

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *object = children->pdata[i];

    if (!g_str_equal (orrery_object_get_basename (object), LIFT) ||
        orrery_object_get_joint (object) == NULL)
      continue;
    self->lifter = armature;
    self->lift = object;
    self->limits = orrery_object_get_joint (object);
  }
}

/* An actuator with a joint right below it is an armature. */
static gboolean
is_armature (OrreryComponent *component)
{
  GPtrArray *children;

  if (component == NULL || !ORRERY_IS_ACTUATOR (component))
    return FALSE;
  children = orrery_object_get_children (orrery_component_get_object (component));
  for (guint i = 0; i < children->len; i++)
    if (orrery_object_has_moving_joint (children->pdata[i]))
      return TRUE;
  return FALSE;
}

static void
find_armatures (OrreryLiftedRobot *self, OrrerySetup *setup, OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    OrreryComponent *component =
        orrery_setup_find_component (setup, orrery_object_get_name (child));

    if (is_armature (component)) {
      g_ptr_array_add (self->armatures, component);
      find_lift (self, component);
    }
    find_armatures (self, setup, child);
  }
}

static gboolean
has_lift (OrreryLiftedRobot *self, GError **error)
{
  if (self->lift != NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "%s has no torso: none of its armatures has a joint " LIFT,
                           orrery_part_get_name (ORRERY_PART (self)));
}

/* --- services --- */

static void
get_armatures (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryLiftedRobot *self = (OrreryLiftedRobot *) part;
  GVariantBuilder names;

  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < self->armatures->len; i++)
    g_variant_builder_add (&names, "s", orrery_part_get_name (self->armatures->pdata[i]));
  orrery_call_return (call, g_variant_builder_end (&names));
}

static void
set_torso (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryLiftedRobot *self = (OrreryLiftedRobot *) part;
  double height = orrery_call_get_double (call, 0);
  double *goal;

  if (!has_lift (self, error))
    return;
  if (!(height >= self->limits->lower && height <= self->limits->upper)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a torso of %g m is out of range: %g to %g",
                      height, self->limits->lower, self->limits->upper);
    return;
  }
  /* The armature goes where its record says. */
  goal = orrery_record_find_double (orrery_component_get_record (self->lifter), LIFT);
  if (goal != NULL)
    *goal = height;
  orrery_call_return (call,
                      g_variant_new_take_string (g_strdup_printf ("New torso: %g m", height)));
}

static void
get_torso (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryLiftedRobot *self = (OrreryLiftedRobot *) part;

  if (has_lift (self, error))
    orrery_call_return (call, g_variant_new_double (orrery_snapshot_get_joint_position (
                                  orrery_world_get_snapshot (self->world),
                                  orrery_object_get_index (self->lift))));
}

static void
get_torso_minmax (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryLiftedRobot *self = (OrreryLiftedRobot *) part;

  if (has_lift (self, error))
    orrery_call_return (call, g_variant_new ("(dd)", self->limits->lower, self->limits->upper));
}

static void
grasp (OrreryPart *part, OrreryCall *call, GError **error)
{
  hand_grasp (&((OrreryLiftedRobot *) part)->hand, part, call, error);
}

static const OrreryService services[] = {
  HAND_SERVICE,
  { "get_armatures", get_armatures, ORRERY_SERVICE_IMMEDIATE, "", "Names of its armatures" },
  { "set_torso", set_torso, ORRERY_SERVICE_IMMEDIATE, "height:d", "Lifts the torso, m" },
  { "get_torso", get_torso, ORRERY_SERVICE_IMMEDIATE, "", "How far the torso is lifted, m" },
  { "get_torso_minmax", get_torso_minmax, ORRERY_SERVICE_IMMEDIATE, "",
    "How far the torso can be lifted: least and most, m" },
};

/* --- the class --- */

static GVariant *
orrery_lifted_robot_save (OrreryPart *part)
{
  return hand_save (&((OrreryLiftedRobot *) part)->hand);
}

static void
orrery_lifted_robot_restore (OrreryPart *part, GVariant *state, GError **error)
{
  hand_restore (&((OrreryLiftedRobot *) part)->hand, state);
}

static void
orrery_lifted_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryLiftedRobot *self = (OrreryLiftedRobot *) part;

  ORRERY_PART_CLASS (orrery_lifted_robot_parent_class)->setup (part, setup, error);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  g_clear_pointer (&self->armatures, g_ptr_array_unref);
  self->armatures = g_ptr_array_new ();
  self->lifter = NULL;
  self->lift = NULL;
  self->limits = NULL;
  hand_setup (&self->hand, setup);
  /* Of what is on it, it reads armatures only. */
  orrery_setup_read_none (setup);
  find_armatures (self, setup, orrery_setup_get_object (setup));
}

static void
orrery_lifted_robot_class_init (OrreryLiftedRobotClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_lifted_robot_setup;
  ORRERY_PART_CLASS (klass)->save = orrery_lifted_robot_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_lifted_robot_restore;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  hand_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryLiftedRobot, hand));
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryLiftedRobot, hand, hand_clear);
  ORRERY_CLASS_OWNS (klass, OrreryLiftedRobot, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryLiftedRobot, armatures, g_ptr_array_unref);
}

ORRERY_PLUGIN ("A robot with arms on a torso that is lifted", "BSD-3-Clause",
               ORRERY_CLASS (LiftedRobot, OrreryLiftedRobot, orrery_lifted_robot))
