/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of actuators. */
#include "roles/orrery-actuator-private.h"

typedef struct {
  double timeout; /* s */
} OrreryActuatorPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryActuator, orrery_actuator, ORRERY_TYPE_COMPONENT)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryActuatorPrivate, timeout, "timeout", 0, 1e9, 0,
                          "It stops when no message and no call came for so long, s; 0: never"),
};

static void
orrery_actuator_class_init (OrreryActuatorClass *klass)
{
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, properties);
}

const double *
orrery_actuator_get_timeout (OrreryActuator *actuator)
{
  return &((OrreryActuatorPrivate *) orrery_actuator_get_instance_private (actuator))->timeout;
}

void
orrery_actuator_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  OrreryActuatorClass *klass = ORRERY_ACTUATOR_GET_CLASS (actuator);

  if (klass->halt != NULL)
    klass->halt (actuator, record);
  else
    orrery_record_reset (record);
}
