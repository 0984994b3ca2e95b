/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of actuators. */
#include "roles/orrery-actuator.h"

ORRERY_DEFINE_ABSTRACT_TYPE (OrreryActuator, orrery_actuator, ORRERY_TYPE_COMPONENT)

static void
orrery_actuator_class_init (OrreryActuatorClass *klass)
{
}
