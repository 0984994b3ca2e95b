/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-actuator.h"

/* Seconds of silence after which it stops; 0: never. At this address for the actuator's life. */
const double *orrery_actuator_get_timeout (OrreryActuator *actuator);
/* Makes its record say that it stands still. */
void orrery_actuator_halt (OrreryActuator *actuator, OrreryRecord *record);
