/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-actuator.h"

G_DEFINE_ABSTRACT_TYPE (OrreryActuator, orrery_actuator, ORRERY_TYPE_COMPONENT)

static void
orrery_actuator_class_init (OrreryActuatorClass *klass)
{
}

static void
orrery_actuator_init (OrreryActuator *self)
{
}
