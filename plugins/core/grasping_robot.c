/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GraspingRobot is a robot with a hand, and nothing else of its own; Person is one that walks: it
 * is displaced, whatever else actuators ask for.
 */
#include "hand.h"

typedef struct {
  Hand hand;
} OrreryGraspingRobotPrivate;

G_DECLARE_DERIVABLE_TYPE (OrreryGraspingRobot, orrery_grasping_robot, ORRERY, GRASPING_ROBOT,
                          OrreryRobot)
struct _OrreryGraspingRobotClass {
  OrreryRobotClass parent_class;
};
ORRERY_DEFINE_TYPE_WITH_PRIVATE (OrreryGraspingRobot, orrery_grasping_robot, ORRERY_TYPE_ROBOT)

static Hand *
get_hand (gpointer self)
{
  OrreryGraspingRobotPrivate *priv = orrery_grasping_robot_get_instance_private (self);

  return &priv->hand;
}

static void
grasp (OrreryPart *part, OrreryCall *call, GError **error)
{
  hand_grasp (get_hand (part), part, call, error);
}

static const OrreryService services[] = { HAND_SERVICE };

static GVariant *
orrery_grasping_robot_save (OrreryPart *part)
{
  return hand_save (get_hand (part));
}

static void
orrery_grasping_robot_restore (OrreryPart *part, GVariant *state, GError **error)
{
  hand_restore (get_hand (part), state);
}

static void
orrery_grasping_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ORRERY_PART_CLASS (orrery_grasping_robot_parent_class)->setup (part, setup, error);
  hand_setup (get_hand (part), setup);
}

static void
orrery_grasping_robot_finalize (GObject *object)
{
  hand_clear (get_hand (object));
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
  hand_class_init (ORRERY_PART_CLASS (klass), OrreryGraspingRobot_private_offset);
}

/* --- one that walks --- */

typedef struct {
  OrreryGraspingRobot parent_instance;
  gboolean refused; /* it was said once */
  gboolean moved;   /* so was this */
} OrreryPerson;
ORRERY_DEFINE_CLASS (OrreryPerson, orrery_person, OrreryGraspingRobot, orrery_grasping_robot)

static gboolean
orrery_person_apply_speed (OrreryRobot *robot, OrreryTick *tick, OrreryControl control,
                           const OrreryVec3 *linear, const OrreryVec3 *angular, double period)
{
  OrreryPerson *self = (OrreryPerson *) robot;

  if (control == ORRERY_CONTROL_POSITION)
    return ORRERY_ROBOT_CLASS (orrery_person_parent_class)
        ->apply_speed (robot, tick, control, linear, angular, period);
  if (!self->refused)
    orrery_part_warning (robot, "a person moves by position only: give its actuator "
                                "properties (ControlType = 'Position')");
  self->refused = TRUE;
  return FALSE;
}

/* The service of releases before 1.4. */
static void
move (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryPerson *self = (OrreryPerson *) part;
  OrreryComponent *component = ORRERY_COMPONENT (part);
  OrreryTransform step = { .position = { orrery_call_get_double (call, 0), 0, 0 } };
  OrreryTransform pose;

  if (!self->moved)
    orrery_part_warning (part, "the service move is of older releases: give the person a MotionXYW "
                               "with properties (ControlType = 'Position')");
  self->moved = TRUE;
  orrery_quat_from_euler (0, 0, orrery_call_get_double (call, 1), &step.rotation);
  orrery_transform_multiply (orrery_component_get_pose (component), &step, &pose);
  if (!orrery_commands_set_pose (orrery_world_get_commands (get_hand (part)->world),
                                 orrery_component_get_object (component), &pose))
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a step or turn that is not finite");
}

static const OrreryService person_services[] = {
  { "move", move, ORRERY_SERVICE_IMMEDIATE, "speed:d rotation:d",
    "Steps forward (m) and turns to the left (rad), once" },
};

static void
orrery_person_class_init (OrreryPersonClass *klass)
{
  ORRERY_CLASS_SET_SERVICES (klass, person_services);
  ORRERY_ROBOT_CLASS (klass)->apply_speed = orrery_person_apply_speed;
}

ORRERY_PLUGIN ("Robots with a hand", "BSD-3-Clause",
               ORRERY_CLASS (GraspingRobot, OrreryGraspingRobot, orrery_grasping_robot),
               ORRERY_CLASS (Person, OrreryPerson, orrery_person, .role = ORRERY_ROLE_ROBOT))
