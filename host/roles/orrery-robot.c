/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of robots, and how one is moved. */
#include "roles/orrery-robot-private.h"

#include "roles/orrery-component-private.h"
#include "roles/orrery-setup.h"
#include "world/orrery-world-private.h"

enum { UNKNOWN, WITHOUT_PHYSICS, WITH_PHYSICS };

typedef struct {
  gboolean no_gravity;
  gboolean ground;
  gboolean weightless; /* what the physics was told of no_gravity */
  int physics;         /* found with the first command of a run: a tick does not look at objects */
} OrreryRobotPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryRobot, orrery_robot, ORRERY_TYPE_COMPONENT)

#define PRIVATE(self) ((OrreryRobotPrivate *) orrery_robot_get_instance_private (self))

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryRobotPrivate, no_gravity, "NoGravity", FALSE,
                           "Whether gravity leaves the robot alone"),
  ORRERY_PROPERTY_BOOLEAN (
      OrreryRobotPrivate, ground, "GroundRobot", FALSE,
      "Whether speed commands leave vertical speed, roll rate and pitch rate alone"),
};

static const OrreryField fields[] = {
  ORRERY_FIELD (OrreryRobotData, time, "s", "Simulation time as the robot sees it"),
};

GType
orrery_control_get_type (void)
{
  static const GEnumValue values[] = {
    { ORRERY_CONTROL_VELOCITY, "ORRERY_CONTROL_VELOCITY", "Velocity" },
    { ORRERY_CONTROL_POSITION, "ORRERY_CONTROL_POSITION", "Position" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("OrreryControl", values));
  return type;
}

static void
orrery_robot_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryObject *object = orrery_setup_get_object (setup);
  OrreryRobotPrivate *priv = PRIVATE (ORRERY_ROBOT (part));

  priv->weightless = priv->no_gravity;
  priv->physics = UNKNOWN;
  if (priv->no_gravity)
    orrery_object_get_body (object)->gravity = FALSE;
}

OrreryTime
orrery_robot_get_time (OrreryRobot *robot)
{
  const OrreryRobotData *data =
      orrery_record_data (orrery_component_get_record (ORRERY_COMPONENT (robot)));

  return data->time.ns;
}

gboolean
orrery_robot_has_physics (OrreryRobot *robot)
{
  OrreryObject *object = orrery_component_get_object (&robot->parent_instance);
  OrreryBodyType type = orrery_object_get_body (object)->type;

  return type == ORRERY_BODY_RIGID || type == ORRERY_BODY_DYNAMIC;
}

static gboolean
knows_physics (OrreryRobot *robot)
{
  OrreryRobotPrivate *priv = PRIVATE (robot);

  if (G_UNLIKELY (priv->physics == UNKNOWN))
    priv->physics = orrery_robot_has_physics (robot) ? WITH_PHYSICS : WITHOUT_PHYSICS;
  return priv->physics == WITH_PHYSICS;
}

static gboolean
is_zero (const OrreryVec3 *v)
{
  return v->x == 0 && v->y == 0 && v->z == 0;
}

static gboolean
apply_velocity (OrreryRobot *robot, OrreryTick *tick, const OrreryVec3 *linear,
                const OrreryVec3 *angular)
{
  /* In each tick of each robot: no cast that is checked. */
  guint index = orrery_component_get_index (&robot->parent_instance);
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  const OrreryQuat *rotation = &orrery_snapshot_get_pose (snapshot, index)->rotation;
  gboolean physics = knows_physics (robot);
  OrreryVec3 v, w;

  orrery_quat_rotate (rotation, linear, &v);
  orrery_quat_rotate (rotation, angular, &w);
  /* As users of MORSE know it: a body told not to turn is told to turn a very little. */
  if (physics && is_zero (angular))
    w = (OrreryVec3){ 0, 0, 1e-6 };
  if (physics && PRIVATE (robot)->ground) {
    const OrreryVec3 *turning = orrery_snapshot_get_angular_velocity (snapshot, index);

    v.z = orrery_snapshot_get_linear_velocity (snapshot, index)->z;
    w.x = turning->x;
    w.y = turning->y;
  }
  return orrery_commands_stage (orrery_tick_get_commands (tick), ORRERY_COMMAND_VELOCITY, index,
                                FALSE, &v, &w);
}

static gboolean
apply_displacement (OrreryRobot *robot, OrreryTick *tick, const OrreryVec3 *linear,
                    const OrreryVec3 *angular, double period)
{
  OrreryComponent *component = ORRERY_COMPONENT (robot);
  OrreryVec3 turn = orrery_vec3_scale (angular, period);
  OrreryTransform pose;
  OrreryTransform step;

  step.position = orrery_vec3_scale (linear, period);
  orrery_quat_from_rotation_vector (&turn, &step.rotation);
  orrery_transform_multiply (orrery_component_get_pose (component), &step, &pose);
  orrery_quat_normalise (&pose.rotation);
  return orrery_commands_move (orrery_tick_get_commands (tick),
                               orrery_component_get_object (component), &pose);
}

void
orrery_robot_tell_gravity (OrreryRobot *robot, OrreryTick *tick)
{
  OrreryRobotPrivate *priv = PRIVATE (robot);

  if (G_LIKELY (priv->weightless == priv->no_gravity))
    return;
  priv->weightless = priv->no_gravity;
  orrery_commands_set_gravity (orrery_tick_get_commands (tick),
                               orrery_component_get_object (ORRERY_COMPONENT (robot)),
                               !priv->no_gravity);
}

static gboolean
orrery_robot_real_apply_speed (OrreryRobot *robot, OrreryTick *tick, OrreryControl control,
                               const OrreryVec3 *linear, const OrreryVec3 *angular, double period)
{
  orrery_robot_tell_gravity (robot, tick);
  if (control == ORRERY_CONTROL_POSITION)
    return apply_displacement (robot, tick, linear, angular, period);
  return apply_velocity (robot, tick, linear, angular);
}

static void
orrery_robot_class_init (OrreryRobotClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_robot_setup;
  klass->apply_speed = orrery_robot_real_apply_speed;
  ORRERY_CLASS_SET_DATA (klass, OrreryRobotData, fields);
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, properties);
}

void
orrery_robot_declare_speed (OrreryRobot *robot, OrrerySetup *setup, OrreryControl control)
{
  g_return_if_fail (ORRERY_IS_ROBOT (robot));

  orrery_setup_add_command (setup, orrery_component_get_object (ORRERY_COMPONENT (robot)),
                            control == ORRERY_CONTROL_POSITION ? ORRERY_COMMAND_POSE
                                                               : ORRERY_COMMAND_VELOCITY);
}

gboolean
orrery_robot_apply_speed (OrreryRobot *robot, OrreryTick *tick, OrreryControl control,
                          const OrreryVec3 *linear, const OrreryVec3 *angular, double period)
{
  g_return_val_if_fail (robot != NULL, FALSE);

  return ORRERY_ROBOT_GET_CLASS (robot)->apply_speed (robot, tick, control, linear, angular,
                                                      period);
}

gboolean
orrery_robot_has_wheels (OrreryRobot *robot)
{
  g_return_val_if_fail (ORRERY_IS_ROBOT (robot), FALSE);
  return ORRERY_ROBOT_GET_CLASS (robot)->drive != NULL;
}

void
orrery_robot_drive_wheels (OrreryRobot *robot, OrreryTick *tick, double v, double w)
{
  g_return_if_fail (ORRERY_IS_ROBOT (robot));
  g_return_if_fail (ORRERY_ROBOT_GET_CLASS (robot)->drive != NULL);

  orrery_robot_tell_gravity (robot, tick);
  ORRERY_ROBOT_GET_CLASS (robot)->drive (robot, tick, v, w);
}

gboolean
orrery_robot_force_pose (OrreryRobot *robot, OrreryTick *tick, const OrreryVec3 *position,
                         const OrreryQuat *rotation)
{
  OrreryTransform pose;

  g_return_val_if_fail (ORRERY_IS_ROBOT (robot), FALSE);

  pose = *orrery_component_get_pose (ORRERY_COMPONENT (robot));
  if (position != NULL)
    pose.position = *position;
  if (rotation != NULL)
    pose.rotation = *rotation;
  return orrery_commands_set_pose (orrery_tick_get_commands (tick),
                                   orrery_component_get_object (ORRERY_COMPONENT (robot)), &pose);
}
