/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

G_BEGIN_DECLS

/*
 * Moves @pose for @dt seconds along a constant twist: velocities that are constant in the frame of
 * the body, so a body that is told to drive and turn follows its arc exactly, whatever the step.
 * @linear (m/s) and @angular (rad/s) are in world axes; @linear turns along with the body.
 * Formula: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 2.36.
 */
void twist_advance (OrreryTransform *pose, OrreryVec3 *linear, const OrreryVec3 *angular,
                    double dt);

G_END_DECLS
