/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* An object of the scene that shows where an actuator goes: it is put there, and keeps its own
 * rotation. */
void marker_place (OrreryObject *marker, OrreryTick *tick, const OrreryVec3 *goal);
