/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-quantity.h"

G_BEGIN_DECLS

/**
 * OrreryCommandKind:
 * @ORRERY_COMMAND_VELOCITY: linear and angular velocity, world axes; the last of a tick wins
 * @ORRERY_COMMAND_FORCE: force and torque at the centre of mass, world axes; they add up and act in
 *   every substep of the tick
 * @ORRERY_COMMAND_POSE: world pose of a root object, pose in the parent's frame of another; the
 * last of a tick wins; flag: whether a body keeps its velocity and moves on
 * @ORRERY_COMMAND_DYNAMICS: flag: whether physics moves the object
 * @ORRERY_COMMAND_GRAVITY: flag: whether gravity acts on the object
 * @ORRERY_COMMAND_VISIBLE: flag
 * @ORRERY_COMMAND_LAMP: flag: whether the object's lamp is on
 * @ORRERY_COMMAND_JOINT_POSITION: linear.x: position that the joint's motor goes to, angular.x: at
 *   most so fast, 0: as the joint says; flag: at once. What a motor is told holds until it is told
 *   something else; the last of a tick wins
 * @ORRERY_COMMAND_JOINT_VELOCITY: linear.x: velocity that the motor keeps; of a ball: linear
 * @ORRERY_COMMAND_JOINT_EFFORT: linear.x: effort that the motor gives; of a ball: linear
 * @ORRERY_COMMAND_JOINT_ROTATION: of a ball: pose.rotation from its start, angular.x as above
 * @ORRERY_COMMAND_ATTACH: a body moves with another object from now on, at a pose in its frame; or
 *   no longer; orrery_command_get_holder() says with which
 * @ORRERY_COMMAND_WHEEL: what a wheel is told; orrery_command_get_drive() reads it
 * @ORRERY_COMMAND_PRESENCE: flag: whether the object is in the world from now on, at rest, and told
 *   nothing yet: a body at pose, as of %ORRERY_COMMAND_POSE, a joint at its start. The world and
 *   the engine apply it, one for each object of a tree that is spawned or removed, parents first
 * @ORRERY_COMMAND_QUANTITY: linear: the new value of a quantity, linear.x of a scalar one;
 *   orrery_command_get_quantity() says which; of the world: object is 0. The world has the new
 * value when the engine is told
 *
 * Each command has one owner that applies it. The world applies visibility and lamps, poses and
 * velocities of objects without a body, and commands of motors of joints, as long as no engine
 * has taken the joint by orrery_world_take_joint(). All other commands are passed to the `apply` of
 * the engine.
 */
typedef enum {
  ORRERY_COMMAND_VELOCITY,
  ORRERY_COMMAND_FORCE,
  ORRERY_COMMAND_POSE,
  ORRERY_COMMAND_DYNAMICS,
  ORRERY_COMMAND_GRAVITY,
  ORRERY_COMMAND_VISIBLE,
  ORRERY_COMMAND_LAMP,
  ORRERY_COMMAND_JOINT_POSITION,
  ORRERY_COMMAND_JOINT_VELOCITY,
  ORRERY_COMMAND_JOINT_EFFORT,
  ORRERY_COMMAND_JOINT_ROTATION,
  ORRERY_COMMAND_ATTACH,
  ORRERY_COMMAND_WHEEL,
  ORRERY_COMMAND_PRESENCE,
  ORRERY_COMMAND_QUANTITY,
} OrreryCommandKind;

/**
 * OrreryCommand:
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
 * Changes that parts request: staged in the order of the tick, applied at its end. A value that
 * is not finite, or above 1e8 m, m/s or rad/s, 1e14 N or N m, is refused and counted; the host
 * reports it. Opaque and counted; tick thread.
 */
#define ORRERY_TYPE_COMMANDS (orrery_commands_get_type ())
ORRERY_API GType orrery_commands_get_type (void);
/**
 * orrery_commands_ref:
 *
 * Takes a reference; any thread.
 *
 * Returns: @commands
 */
ORRERY_API OrreryCommands *orrery_commands_ref (OrreryCommands *commands);
/**
 * orrery_commands_unref:
 * @commands: commands
 *
 * Drops a reference; the last one frees what is staged. Any thread.
 */
ORRERY_API void orrery_commands_unref (OrreryCommands *commands);
/**
 * orrery_commands_set_velocity:
 * @object: an object with a body that moves
 * @linear: m/s, world axes
 * @angular: rad/s, world axes
 *
 * Sets the velocity that the body has at the start of the tick's physics; forces and contacts
 * change it from there, and the locked axes of the body stay 0. A root without a body keeps the
 * velocity and moves along the arc that it makes. It has no effect on a child without a body, on
 * links of a mechanism, and on a body whose dynamics are off.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_velocity (OrreryCommands *commands, OrreryObject *object,
                                                  const OrreryVec3 *linear,
                                                  const OrreryVec3 *angular);
/**
 * orrery_commands_add_force:
 * @object: an object with a body that moves
 * @force: N at the centre of mass, world axes
 * @torque: N m, world axes
 *
 * Pushes a body in this tick only: a lasting force is staged in each tick. Forces of several parts
 * add up. Objects that physics does not move by forces pass over it. An engine that does takes a
 * force beyond 1e9 N for each kg of the body as an error of the tick, %ORRERY_ERROR_STATE.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_add_force (OrreryCommands *commands, OrreryObject *object,
                                               const OrreryVec3 *force, const OrreryVec3 *torque);
/**
 * orrery_commands_set_pose:
 * @object: any object
 * @pose: in the world for a root, in its parent's frame for another
 *
 * Moves the object there. The velocity of a body becomes 0, until another command sets it. The next
 * snapshot has exactly this pose: in this tick velocity, forces and contacts do not move the body,
 * while others collide with it.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_pose (OrreryCommands *commands, OrreryObject *object,
                                              const OrreryTransform *pose);
/**
 * orrery_commands_move:
 * @object: any object
 * @pose: in the world for a root, in its parent's frame for another
 *
 * As orrery_commands_set_pose(), but a body keeps its velocity, and moves on from there in this
 * tick.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_move (OrreryCommands *commands, OrreryObject *object,
                                          const OrreryTransform *pose);
/**
 * orrery_commands_set_dynamics:
 * @object: an object with a body
 * @on: whether physics moves it
 *
 * Stops physics from moving a body, or hands it back: the body is at rest at either change. While
 * it is off, poses move the body and velocities do not. Without effect if it is so already.
 */
ORRERY_API void orrery_commands_set_dynamics (OrreryCommands *commands, OrreryObject *object,
                                              gboolean on);
/**
 * orrery_commands_set_gravity:
 * @object: an object with a body
 * @on: whether gravity acts on it
 *
 * Lets gravity act on a body or not, from this tick on; a reset brings back what the scene says.
 * Bodies that physics does not move pass over it.
 */
ORRERY_API void orrery_commands_set_gravity (OrreryCommands *commands, OrreryObject *object,
                                             gboolean on);
/**
 * orrery_commands_set_visible:
 * @object: any object
 * @visible: whether sensors see it
 *
 * Shows an object to sensors or hides it, from the next tick on. Its children keep their own state.
 * A reset makes every object visible.
 */
ORRERY_API void orrery_commands_set_visible (OrreryCommands *commands, OrreryObject *object,
                                             gboolean visible);
/**
 * orrery_commands_set_lamp:
 * @object: an object with a lamp
 * @on: whether it shines
 *
 * Turns a lamp on or off, from the next tick on. A reset brings back what the scene says. For an
 * object without a lamp nothing changes.
 */
ORRERY_API void orrery_commands_set_lamp (OrreryCommands *commands, OrreryObject *object,
                                          gboolean on);
/**
 * orrery_commands_set_joint_position:
 * @object: an object with a hinge or slide
 * @position: rad or m; beyond the joint's limits: the limit
 * @speed: rad/s or m/s, at most; 0: as fast as the joint may
 *
 * Commands the joint's motor to move to a position and hold it.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_joint_position (OrreryCommands *commands,
                                                        OrreryObject *object, double position,
                                                        double speed);
/**
 * orrery_commands_put_joint:
 * @object: an object with a hinge or slide
 * @position: rad or m; beyond the joint's limits: the limit
 *
 * Sets the position of the joint at once, at rest, and commands its motor to hold it.
 *
 * Returns: %FALSE if the number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_put_joint (OrreryCommands *commands, OrreryObject *object,
                                               double position);
/**
 * orrery_commands_set_joint_velocity:
 * @object: an object with a hinge or slide
 * @velocity: rad/s or m/s
 *
 * Commands the joint's motor to keep a velocity, up to the joint's limits.
 *
 * Returns: %FALSE if the number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_joint_velocity (OrreryCommands *commands,
                                                        OrreryObject *object, double velocity);
/**
 * orrery_commands_set_joint_effort:
 * @object: an object with a hinge or slide
 * @effort: N m or N; 0: the joint is free
 *
 * Commands an effort of the joint's motor. Without dynamics of joints, the joint stands still.
 *
 * Returns: %FALSE if the number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_joint_effort (OrreryCommands *commands,
                                                      OrreryObject *object, double effort);
/**
 * orrery_commands_set_joint_rotation:
 * @object: an object with a ball joint
 * @rotation: from its start pose
 * @speed: rad/s, at most; 0: as fast as the joint may
 *
 * Commands the joint's motor to turn there by the shorter way and hold it.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_joint_rotation (OrreryCommands *commands,
                                                        OrreryObject *object,
                                                        const OrreryQuat *rotation, double speed);
/**
 * orrery_commands_attach:
 * @object: a root object with a body
 * @holder: (nullable): another object that it is to move with; %NULL lets it go, with the velocity
 *   that it has then
 * @pose: (nullable): where it is held in the frame of @holder
 *
 * Holds a body, as a hand does: neither forces nor contacts move it while it is held.
 *
 * Returns: %FALSE if a number is not finite or beyond all measure: nothing is staged
 */
ORRERY_API gboolean orrery_commands_attach (OrreryCommands *commands, OrreryObject *object,
                                            OrreryObject *holder, const OrreryTransform *pose);
/**
 * orrery_command_get_holder:
 * @command: a command of kind %ORRERY_COMMAND_ATTACH
 *
 * Reads what orrery_commands_attach() has staged. Physics has to ask for it, because the command
 * has no member of its own for the holder.
 *
 * Returns: index of the object that holds it, or -1: none does
 */
ORRERY_API gint64 orrery_command_get_holder (const OrreryCommand *command);
/**
 * orrery_commands_set_quantity: (skip)
 * @which: a quantity
 * @object: (nullable): an object that has it: a body, a lamp or a visible shape; of a quantity of
 *   the world it does not count
 * @value: its new value; of a scalar quantity x counts
 *
 * Changes a quantity of the running world, with the next step of physics. It keeps the value until
 * another command changes it, or until the run is reset, which brings back the value of the scene.
 * The engine is not asked whether it can, as orrery_simulation_set_quantity() asks it. Of an object
 * that has no such quantity nothing changes.
 *
 * Returns: %FALSE if @value is not within the range of the quantity: nothing is staged
 */
ORRERY_API gboolean orrery_commands_set_quantity (OrreryCommands *commands,
                                                  OrreryQuantityKind which, OrreryObject *object,
                                                  const OrreryVec3 *value);
/**
 * orrery_command_get_quantity: (skip)
 * @command: a command of kind %ORRERY_COMMAND_QUANTITY
 *
 * Reads which quantity it changes.
 * Returns: which quantity orrery_commands_set_quantity() was given
 */
ORRERY_API OrreryQuantityKind orrery_command_get_quantity (const OrreryCommand *command);
/**
 * orrery_commands_set_value:
 * @object: any object
 * @name: name of a property of the scene object
 * @value: (nullable): its new value; a floating one is sunk; %NULL removes the property
 *
 * Changes the property with the commands of the tick: parts see the change in later ticks. A reset
 * reverts it. A part in a worker cannot do this: there it is refused and counted.
 */
ORRERY_API void orrery_commands_set_value (OrreryCommands *commands, OrreryObject *object,
                                           const char *name, GVariant *value);
/**
 * orrery_commands_get:
 * @n: (out): how many
 *
 * The list is the commands' own, and valid until the next command is staged or the tick ends.
 * Changes of properties are not in it.
 *
 * Returns: (array length=n) (transfer none): what is staged, in order; for physics, in `apply`,
 * what is the engine's
 */
ORRERY_API const OrreryCommand *orrery_commands_get (OrreryCommands *commands, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryCommands, orrery_commands_unref)

G_END_DECLS
