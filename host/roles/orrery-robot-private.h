/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-robot.h"

/* In each tick, and where a speed is commanded: tells physics if the property NoGravity has changed
 * since it was told last. */
void orrery_robot_tell_gravity (OrreryRobot *robot, OrreryTick *tick);
