/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-object.h"

G_BEGIN_DECLS

/**
 * OrreryCommandKind:
 * @ORRERY_COMMAND_VELOCITY: linear and angular velocity, world axes; the last of a tick wins
 * @ORRERY_COMMAND_FORCE: force and torque at the centre of mass, world axes; they add up and act in
 *   every substep of the tick
 * @ORRERY_COMMAND_POSE: world pose of a root object, pose in the parent's frame of another; the
 * last of a tick wins; flag: whether a body keeps its velocity
 * @ORRERY_COMMAND_DYNAMICS: flag: whether physics moves the object
 * @ORRERY_COMMAND_GRAVITY: flag: whether gravity acts on the object
 * @ORRERY_COMMAND_VISIBLE: flag
 */
typedef enum {
  ORRERY_COMMAND_VELOCITY,
  ORRERY_COMMAND_FORCE,
  ORRERY_COMMAND_POSE,
  ORRERY_COMMAND_DYNAMICS,
  ORRERY_COMMAND_GRAVITY,
  ORRERY_COMMAND_VISIBLE,
} OrreryCommandKind;

/**
 * OrreryCommand: (skip)
 * @kind: which; it says which of the others count
 * @object: index of the object
 * @flag: on or off
 * @linear: velocity or force
 * @angular: angular velocity or torque
 * @pose: a pose
 *
 * One staged change of the world.
 */
typedef struct {
  OrreryCommandKind kind;
  guint object;
  gboolean flag;
  OrreryVec3 linear;
  OrreryVec3 angular;
  OrreryTransform pose;
} OrreryCommand;

/**
 * OrreryCommands:
 *
 * What parts want changed: staged in a tick in the resolved order, applied in phase 8. A value that
 * is not finite, or above 1e8 m, m/s or rad/s, 1e14 N or N m, is refused and counted; the host
 * reports it. Opaque and counted; tick thread.
 */
#define ORRERY_TYPE_COMMANDS (orrery_commands_get_type ())
ORRERY_API GType orrery_commands_get_type (void);
/**
 * orrery_commands_ref:
 * @commands: commands
 *
 * Returns: (transfer full): the same
 */
ORRERY_API OrreryCommands *orrery_commands_ref (OrreryCommands *commands);
ORRERY_API void orrery_commands_unref (OrreryCommands *commands);
/**
 * orrery_commands_set_velocity:
 * @commands: the tick's commands
 * @object: an object with a body that moves
 * @linear: m/s, world axes
 * @angular: rad/s, world axes
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_velocity (OrreryCommands *commands, OrreryObject *object,
                                                  const OrreryVec3 *linear,
                                                  const OrreryVec3 *angular);
/**
 * orrery_commands_add_force:
 * @commands: the tick's commands
 * @object: an object with a body that moves
 * @force: N at the centre of mass, world axes
 * @torque: N m, world axes
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_add_force (OrreryCommands *commands, OrreryObject *object,
                                               const OrreryVec3 *force, const OrreryVec3 *torque);
/**
 * orrery_commands_set_pose:
 * @commands: the tick's commands
 * @object: any object
 * @pose: in the world for a root, in its parent's frame for another
 *
 * Puts the object there; a body loses its velocity.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_pose (OrreryCommands *commands, OrreryObject *object,
                                              const OrreryTransform *pose);
/**
 * orrery_commands_move:
 * @commands: the tick's commands
 * @object: any object
 * @pose: in the world for a root, in its parent's frame for another
 *
 * As orrery_commands_set_pose(), but a body keeps the velocity that it has.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_move (OrreryCommands *commands, OrreryObject *object,
                                          const OrreryTransform *pose);
/**
 * orrery_commands_set_dynamics:
 * @commands: the tick's commands
 * @object: an object with a body
 * @on: whether physics moves it
 */
ORRERY_API void orrery_commands_set_dynamics (OrreryCommands *commands, OrreryObject *object,
                                              gboolean on);
/**
 * orrery_commands_set_gravity:
 * @commands: the tick's commands
 * @object: an object with a body
 * @on: whether gravity acts on it
 */
ORRERY_API void orrery_commands_set_gravity (OrreryCommands *commands, OrreryObject *object,
                                             gboolean on);
/**
 * orrery_commands_set_visible:
 * @commands: the tick's commands
 * @object: any object
 * @visible: whether sensors see it
 */
ORRERY_API void orrery_commands_set_visible (OrreryCommands *commands, OrreryObject *object,
                                             gboolean visible);
/**
 * orrery_commands_get: (skip)
 * @commands: the tick's commands
 * @n: (out): how many
 *
 * Returns: what is staged, in order; for physics, in `apply`
 */
ORRERY_API const OrreryCommand *orrery_commands_get (OrreryCommands *commands, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryCommands, orrery_commands_unref)

G_END_DECLS
