/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-transform.h"

G_BEGIN_DECLS

/**
 * OrreryJointKind:
 * @ORRERY_JOINT_FIXED: holds the object to its parent; its shapes are a part of the parent's body
 * @ORRERY_JOINT_HINGE: turns about an axis; position in rad, effort in N m
 * @ORRERY_JOINT_SLIDE: moves along an axis; position in m, effort in N
 * @ORRERY_JOINT_BALL: turns about a point in any way
 *
 * How a joint lets an object move. A hinge and a slide have one number as their position, a ball
 * has a rotation.
 */
typedef enum {
  ORRERY_JOINT_FIXED,
  ORRERY_JOINT_HINGE,
  ORRERY_JOINT_SLIDE,
  ORRERY_JOINT_BALL,
} OrreryJointKind;

/**
 * OrreryJoint: (skip)
 * @kind: how the object moves against its parent
 * @axis: unit, in the object's axes; of a hinge or slide
 * @anchor: m, in the object's frame: the point about which it turns
 * @limited: whether @lower and @upper count
 * @lower: rad or m
 * @upper: rad or m, not below @lower
 * @reference: position at which the object has its start pose
 * @initial: position at the start of a run
 * @max_speed: rad/s or m/s that a motor moves it with; 0: as fast as it can
 * @max_effort: N m or N that a motor has; 0: as much as it needs
 * @damping: N m s/rad or N s/m
 * @friction: N m or N, dry
 * @armature: kg m2 or kg, of what turns with it behind its gear
 * @stiffness: N m/rad or N/m of a spring
 * @rest: position at which the spring is slack
 * @position_gain: N m/rad or N/m of a motor that goes to a position; 0: the engine chooses
 * @velocity_gain: N m s/rad or N s/m of a motor; 0: the engine chooses
 *
 * How an object moves against its parent (a root: against the world). From @damping on, only
 * engines that do dynamics of joints use it.
 */
typedef struct {
  OrreryJointKind kind;
  OrreryVec3 axis;
  OrreryVec3 anchor;
  gboolean limited;
  double lower;
  double upper;
  double reference;
  double initial;
  double max_speed;
  double max_effort;
  double damping;
  double friction;
  double armature;
  double stiffness;
  double rest;
  double position_gain;
  double velocity_gain;
} OrreryJoint;

/**
 * OrreryJointState: (skip)
 * @position: rad or m; of a ball: the angle of @rotation
 * @velocity: rad/s or m/s
 * @effort: N m or N of its motor; 0 where nothing does its dynamics
 * @rotation: of a ball, from its start pose
 * @turning: of a ball: rad/s, in the object's axes
 *
 * Where a joint is, and how it moves.
 */
typedef struct {
  double position;
  double velocity;
  double effort;
  OrreryQuat rotation;
  OrreryVec3 turning;
} OrreryJointState;

/**
 * orrery_joint_init: (skip)
 * @joint: (out caller-allocates): a hinge about z at the object's origin, without limits, damping
 *   or motor
 * @kind: its kind
 *
 * Fills in a joint that a caller changes afterwards. Gains, limits of speed and of effort are 0,
 * and so are @reference and @initial of the joint.
 */
ORRERY_API void orrery_joint_init (OrreryJoint *joint, OrreryJointKind kind);
/**
 * orrery_joint_place: (skip)
 * @start: pose of its object in the parent's frame at the start
 * @state: where the joint is
 * @out: (out caller-allocates): pose of the object in the parent's frame; may be @start
 * @joint: a joint
 *
 * Only the position and, of a ball, the rotation of @state count. Limits are not applied. A fixed
 * joint leaves the object at @start.
 */
ORRERY_API void orrery_joint_place (const OrreryJoint *joint, const OrreryTransform *start,
                                    const OrreryJointState *state, OrreryTransform *out);

G_END_DECLS
