/* SPDX-License-Identifier: BSD-3-Clause */
#include "hand.h"

/* A robot with a hand, and nothing else of its own. */
G_DECLARE_FINAL_TYPE (OrreryGraspingRobot, orrery_grasping_robot, ORRERY, GRASPING_ROBOT,
                      OrreryRobot)
struct _OrreryGraspingRobot {
  OrreryRobot parent_instance;
  Hand hand;
};
G_DEFINE_FINAL_TYPE (OrreryGraspingRobot, orrery_grasping_robot, ORRERY_TYPE_ROBOT)

static void
grasp (OrreryPart *part, OrreryCall *call, GError **error)
{
  hand_grasp (&ORRERY_GRASPING_ROBOT (part)->hand, part, call, error);
}

static const OrreryService services[] = { HAND_SERVICE };

static GVariant *
orrery_grasping_robot_save (OrreryPart *part)
{
  return hand_save (&ORRERY_GRASPING_ROBOT (part)->hand);
}

static void
orrery_grasping_robot_restore (OrreryPart *part, GVariant *state, GError **error)
{
  hand_restore (&ORRERY_GRASPING_ROBOT (part)->hand, state);
}

static void
orrery_grasping_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ORRERY_PART_CLASS (orrery_grasping_robot_parent_class)->setup (part, setup, error);
  hand_setup (&ORRERY_GRASPING_ROBOT (part)->hand, setup);
}

static void
orrery_grasping_robot_finalize (GObject *object)
{
  hand_clear (&ORRERY_GRASPING_ROBOT (object)->hand);
  G_OBJECT_CLASS (orrery_grasping_robot_parent_class)->finalize (object);
}

static void
orrery_grasping_robot_class_init (OrreryGraspingRobotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_grasping_robot_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_grasping_robot_setup;
  ORRERY_PART_CLASS (klass)->save = orrery_grasping_robot_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_grasping_robot_restore;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  hand_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryGraspingRobot, hand));
}

static void
orrery_grasping_robot_init (OrreryGraspingRobot *self)
{
}

ORRERY_PLUGIN ("A robot with a hand", "BSD-3-Clause",
               ORRERY_CLASS (GraspingRobot, OrreryGraspingRobot, orrery_grasping_robot))
