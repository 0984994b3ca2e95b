/* SPDX-License-Identifier: BSD-3-Clause */
/* A force and a torque on the robot, in the axes of the actuator. */
#include <orrery.h>

typedef struct {
  OrreryVec3 force;
  OrreryVec3 torque;
} ForceTorqueData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ForceTorqueData, force, "N", "Force in the actuator's axes, at its place"),
  ORRERY_FIELD (ForceTorqueData, torque, "N m", "Torque in the actuator's axes"),
};

/*
 * Pushes and twists its robot every step, also without a message. The force acts where the actuator
 * is mounted; with RobotFrame it acts at the robot's centre of mass, in the robot's axes. An
 * actuator that is slower than the simulation pushes in its own ticks only.
 */
typedef struct {
  OrreryActuator parent_instance;
  gboolean robot_frame;
} OrreryForceTorque;
ORRERY_DEFINE_CLASS (OrreryForceTorque, orrery_force_torque, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryForceTorque, robot_frame, "RobotFrame", FALSE,
                           "Whether force and torque are meant in the robot's axes"),
};

/* From the actuator's axes to the robot's: the force has a lever. */
static void
move_to_robot (OrreryComponent *component, OrreryVec3 *force, OrreryVec3 *torque)
{
  const OrreryTransform *mounting = orrery_component_get_mounting (component);
  OrreryVec3 more;

  orrery_quat_rotate (&mounting->rotation, force, force);
  orrery_quat_rotate (&mounting->rotation, torque, torque);
  more = orrery_vec3_cross (&mounting->position, force);
  *torque = orrery_vec3_add (torque, &more);
}

static void
orrery_force_torque_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                         GError **error)
{
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  OrreryComponent *robot = orrery_component_get_robot (component);
  const OrreryQuat *rotation = &orrery_component_get_pose (robot)->rotation;
  const ForceTorqueData *in = orrery_record_data (record);
  OrreryVec3 force = in->force;
  OrreryVec3 torque = in->torque;

  if (!((OrreryForceTorque *) actuator)->robot_frame)
    move_to_robot (component, &force, &torque);
  orrery_quat_rotate (rotation, &force, &force);
  orrery_quat_rotate (rotation, &torque, &torque);
  orrery_commands_add_force (orrery_tick_get_commands (tick), orrery_component_get_object (robot),
                             &force, &torque);
}

static void
orrery_force_torque_class_init (OrreryForceTorqueClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_force_torque_act;
  ORRERY_CLASS_SET_DATA (klass, ForceTorqueData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Force and torque on the robot, in the actuator's axes", "BSD-3-Clause",
               ORRERY_CLASS (ForceTorque, OrreryForceTorque, orrery_force_torque))
