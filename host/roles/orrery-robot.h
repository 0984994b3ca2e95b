/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

G_BEGIN_DECLS

/**
 * OrreryControl:
 * @ORRERY_CONTROL_VELOCITY: speeds are given to physics
 * @ORRERY_CONTROL_POSITION: the robot is displaced
 *
 * How an actuator moves its robot; the property `ControlType` of those that do.
 */
typedef enum {
  ORRERY_CONTROL_VELOCITY,
  ORRERY_CONTROL_POSITION,
} OrreryControl;

#define ORRERY_TYPE_CONTROL (orrery_control_get_type ())
ORRERY_API GType orrery_control_get_type (void);

/**
 * OrreryRobotData: (skip)
 * @time: simulation time as the robot sees it
 *
 * The record of every robot; its modifiers alter it, its components' timestamps show it.
 */
typedef struct {
  OrreryStamp time;
} OrreryRobotData;

/**
 * OrreryRobot:
 *
 * What carries components. Properties: `NoGravity` (gravity does not act on it), `GroundRobot`
 * (speed commands leave its vertical speed and its roll and pitch rates alone).
 */
#define ORRERY_TYPE_ROBOT (orrery_robot_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryRobot, orrery_robot, ORRERY, ROBOT, OrreryComponent)

/**
 * OrreryRobot:no-gravity:
 *
 * Whether gravity leaves the robot alone, as it does what flies. A change while the simulation runs
 * takes effect in the physics of the next tick. %FALSE by default.
 */

/**
 * OrreryRobot:ground-robot:
 *
 * Whether speed commands leave the robot's vertical speed and its roll and pitch rates alone, as
 * they are for what stands on the ground; see orrery_robot_apply_speed(). It has no effect on a
 * robot without physics, nor on displacements. May change while the simulation runs. %FALSE by
 * default.
 */

/**
 * OrreryRobotClass:
 * @act: optional; every step, after the robot's clock and its modifiers
 * @drive: optional, of robots with wheels: stages what turns them so that the robot drives at a
 * speed @v forwards (m/s) and turns at @w (rad/s)
 * @apply_speed: how an actuator moves the robot: what orrery_robot_apply_speed() does, unless
 * replaced
 */
struct _OrreryRobotClass {
  OrreryComponentClass parent_class;

  void (*act) (OrreryRobot *self, OrreryTick *tick, OrreryRecord *record, GError **error);
  void (*drive) (OrreryRobot *self, OrreryTick *tick, double v, double w);
  gboolean (*apply_speed) (OrreryRobot *robot, OrreryTick *tick, OrreryControl control,
                           const OrreryVec3 *linear, const OrreryVec3 *angular, double period);

  /*< private >*/
  gpointer _reserved[6];
};

/**
 * orrery_robot_get_time:
 *
 * The clock of the robot: simulation time as its modifiers have altered it, which its components
 * put into their timestamps.
 *
 * Returns: the time in this tick, ns
 */
ORRERY_API OrreryTime orrery_robot_get_time (OrreryRobot *robot);
/**
 * orrery_robot_has_physics:
 *
 * Whether physics moves the robot: it has a body of type %ORRERY_BODY_RIGID or
 * %ORRERY_BODY_DYNAMIC. From the setup on.
 *
 * Returns: whether it has a body that forces move
 */
ORRERY_API gboolean orrery_robot_has_physics (OrreryRobot *robot);
/**
 * orrery_robot_declare_speed:
 * @setup: the setup of an actuator of the robot
 * @control: how it is going to move the robot
 *
 * Declares that the actuator calls orrery_robot_apply_speed() in its steps; see
 * orrery_setup_add_command().
 */
ORRERY_API void orrery_robot_declare_speed (OrreryRobot *robot, OrrerySetup *setup,
                                            OrreryControl control);
/**
 * orrery_robot_apply_speed:
 * @tick: the present tick
 * @control: by velocity or by displacement
 * @linear: m/s, in the robot's axes
 * @angular: rad/s, in the robot's axes
 * @period: s, how long the speed is meant to last (1/frequency of the actuator); for displacement
 *
 * Stages the motion, as MORSE does: a ground robot keeps its vertical speed and its
 * roll and pitch rates under velocity control; an angular speed of exactly zero becomes 1e-6 about
 * z. Displacement moves by speed times @period.
 *
 * Returns: %FALSE if a number is not finite, or if the robot does not move that way: nothing is
 * staged
 */
ORRERY_API gboolean orrery_robot_apply_speed (OrreryRobot *robot, OrreryTick *tick,
                                              OrreryControl control, const OrreryVec3 *linear,
                                              const OrreryVec3 *angular, double period);
/**
 * orrery_robot_has_wheels:
 *
 * Whether the class of the robot has a `drive`. Ask before orrery_robot_drive_wheels(), which is a
 * programming error for others.
 *
 * Returns: whether it can be driven by its wheels
 */
ORRERY_API gboolean orrery_robot_has_wheels (OrreryRobot *robot);
/**
 * orrery_robot_drive_wheels:
 * @robot: a robot with wheels
 * @tick: the present tick
 * @v: m/s, forwards
 * @w: rad/s, to the left
 *
 * Turns its wheels so that it moves at these speeds if they do not slip.
 */
ORRERY_API void orrery_robot_drive_wheels (OrreryRobot *robot, OrreryTick *tick, double v,
                                           double w);
/**
 * orrery_robot_force_pose:
 * @tick: the present tick
 * @position: (nullable): m, world; %NULL keeps the position
 * @rotation: (nullable): world; %NULL keeps the rotation
 *
 * Moves the robot there and sets its velocity to 0.
 *
 * Returns: %FALSE if a number is not finite: nothing is staged
 */
ORRERY_API gboolean orrery_robot_force_pose (OrreryRobot *robot, OrreryTick *tick,
                                             const OrreryVec3 *position,
                                             const OrreryQuat *rotation);

G_END_DECLS
