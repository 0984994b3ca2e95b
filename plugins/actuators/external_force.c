/* SPDX-License-Identifier: BSD-3-Clause */
/* A force and a torque on the robot, in the world frame. */
#include <orrery.h>

typedef struct {
  OrreryVec3 force;
  OrreryVec3 torque;
} ExternalForceData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ExternalForceData, force, "N", "Force at the centre of mass, in the world frame"),
  ORRERY_FIELD (ExternalForceData, torque, "N m", "Torque, in the world frame"),
};

/* Wind, a current, a push: acts on its robot every step, also without a message. */
typedef struct {
  OrreryActuator parent_instance;
} OrreryExternalForce;
ORRERY_DEFINE_CLASS (OrreryExternalForce, orrery_external_force, OrreryActuator, orrery_actuator)

static void
orrery_external_force_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (actuator));
  const ExternalForceData *in = orrery_record_data (record);

  orrery_commands_add_force (orrery_tick_get_commands (tick), orrery_component_get_object (robot),
                             &in->force, &in->torque);
}

static void
orrery_external_force_class_init (OrreryExternalForceClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_external_force_act;
  ORRERY_CLASS_SET_DATA (klass, ExternalForceData, fields);
}

ORRERY_PLUGIN ("Force and torque on the robot, in the world frame", "BSD-3-Clause",
               ORRERY_CLASS (ExternalForce, OrreryExternalForce, orrery_external_force))
