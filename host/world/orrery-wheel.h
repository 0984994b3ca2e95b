/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-commands.h"

G_BEGIN_DECLS

/**
 * OrreryWheel: (skip)
 * @mount: m, where the suspension begins, in the body's frame
 * @axle: unit, in the body's frame when it is not steered; points to the left of the way it drives
 * @radius: m
 * @rest: m, from @mount down the body's z axis to the centre of the wheel, without load
 * @stiffness: N/m, of the spring
 * @compression: N s/m, damping while the spring is pressed
 * @relaxation: N s/m, damping while it is let go
 * @friction: of the tyre on any ground: the circle that the forces along and across stay in
 * @torque: N m, the most that the motor of a wheel gives to hold its speed; 0 for a castor, which
 *   rolls freely
 * @arm: m, to the left of the body's middle, as far as turning on the spot tells: where wheels
 *   scrub, more than the distance
 * @width: m, of the tyre: its edges slip where the wheel turns about a point on its axle; 0: it
 *   touches in one point
 * @roll: 0 to 1, how much of the height of the body over the ground leans it in a curve
 * @ray: whether it is no more than a ray, as those of Bullet's vehicle: margins do not bear it, and
 *   across the way it drives it scrubs. %FALSE: it stands and rolls as a solid wheel would
 *
 * A wheel of a body: a child object without a body of its own. Engines cast a ray down its
 * suspension, so it needs no shape; the object is moved and turned to make the wheel visible.
 */
typedef struct {
  OrreryVec3 mount;
  OrreryVec3 axle;
  double radius;
  double rest;
  double stiffness;
  double compression;
  double relaxation;
  double friction;
  double torque;
  double arm;
  double width;
  double roll;
  gboolean ray;
} OrreryWheel;

/**
 * OrreryWheelDrive: (skip)
 * @steer: rad, about the body's z axis
 * @held: whether a motor holds @speed
 * @speed: rad/s, above 0 forwards
 * @force: N on the ground, above 0 forwards; where no speed is held
 * @brake: N, the most that the brake gives to stop the wheel; where no speed is held. Of a ray: N
 * s, in each substep, and none while there is a @force
 *
 * A command of a wheel.
 */
typedef struct {
  double steer;
  gboolean held;
  double speed;
  double force;
  double brake;
} OrreryWheelDrive;

/**
 * orrery_object_get_wheel: (skip)
 *
 * The object's own copy of what orrery_object_set_wheel() was given, valid until the next call of
 * it.
 *
 * Returns: (nullable): what makes it a wheel of its parent; %NULL if it is none
 */
ORRERY_API const OrreryWheel *orrery_object_get_wheel (OrreryObject *object);
/**
 * orrery_object_set_wheel: (skip)
 * @object: an object with a parent that has a body, and none of its own
 * @wheel: copied
 *
 * Makes the object a wheel; before physics is built.
 *
 * Returns: %FALSE with %ORRERY_ERROR_CONFIG: a number is not finite or out of its range, or the
 *   object cannot be one
 */
ORRERY_API gboolean orrery_object_set_wheel (OrreryObject *object, const OrreryWheel *wheel,
                                             GError **error);

/**
 * orrery_commands_drive_wheel: (skip)
 * @commands: the tick's commands
 * @wheel: an object that is a wheel
 * @drive: what it is told; it holds until it is told otherwise
 *
 * Only engines with dynamics move wheels; others pass over it. Steering, speed, force and brake may
 * be as large as 1e8 each.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_drive_wheel (OrreryCommands *commands, OrreryObject *wheel,
                                                 const OrreryWheelDrive *drive);
/**
 * orrery_command_get_drive: (skip)
 * @command: a command of kind %ORRERY_COMMAND_WHEEL
 * @drive: (out): what the wheel is told
 *
 * For physics, in `apply`.
 */
ORRERY_API void orrery_command_get_drive (const OrreryCommand *command, OrreryWheelDrive *drive);

G_END_DECLS
