/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-vec3.h"

G_BEGIN_DECLS

/*
 * The arithmetic of poses. Doubles throughout; nothing here allocates (but for the constructors),
 * checks its arguments or fails, since it runs per component and tick: pointers must not be NULL,
 * and numbers that are not finite come out as such. All functions may be called from any thread.
 */

/**
 * OrreryEuler:
 * @roll: about x, rad
 * @pitch: about y, rad
 * @yaw: about z, rad
 *
 * A rotation as Rz (yaw) Ry (pitch) Rx (roll): roll about x, pitch about y, yaw about z, in
 * radians.
 */
typedef struct {
  double roll, pitch, yaw;
} OrreryEuler;

/**
 * OrreryQuat:
 * @w: scalar part
 * @x: vector part, x
 * @y: vector part, y
 * @z: vector part, z
 *
 * A unit quaternion, scalar first.
 */
typedef struct {
  double w, x, y, z;
} OrreryQuat;

/**
 * OrreryMat3:
 * @m: row by row
 *
 * A 3 x 3 matrix; it acts on column vectors.
 */
typedef struct {
  double m[9];
} OrreryMat3;

/**
 * OrreryMat4:
 * @m: row by row
 *
 * A 4 x 4 matrix; it acts on column vectors, so that a translation stands in the last column.
 */
typedef struct {
  double m[16];
} OrreryMat4;

/**
 * OrreryTransform:
 * @position: m
 * @rotation: unit quaternion
 *
 * A pose, or the change from one frame to another: p -> rotation p + position.
 */
typedef struct {
  OrreryVec3 position;
  OrreryQuat rotation;
} OrreryTransform;

#define ORRERY_TYPE_EULER (orrery_euler_get_type ())
ORRERY_API GType orrery_euler_get_type (void);

#define ORRERY_TYPE_QUAT (orrery_quat_get_type ())
ORRERY_API GType orrery_quat_get_type (void);

#define ORRERY_TYPE_TRANSFORM (orrery_transform_get_type ())
ORRERY_API GType orrery_transform_get_type (void);

/**
 * orrery_euler_new: (constructor)
 * @roll: about x, rad
 * @pitch: about y, rad
 * @yaw: about z, rad
 *
 * C code needs only the struct. The angles are kept as given, of whatever size.
 *
 * Returns: (transfer full): angles on the heap, for bindings
 */
ORRERY_API OrreryEuler *orrery_euler_new (double roll, double pitch, double yaw);

/**
 * orrery_quat_new: (constructor)
 * @w: scalar part
 * @x: vector part, x
 * @y: vector part, y
 * @z: vector part, z
 *
 * C code needs only the struct. See orrery_quat_normalise() for numbers that are not of length 1.
 *
 * Returns: (transfer full): a quaternion on the heap, for bindings; as given, not normalised
 */
ORRERY_API OrreryQuat *orrery_quat_new (double w, double x, double y, double z);

/**
 * orrery_transform_new: (constructor)
 * @position: (nullable): m; %NULL is the origin
 * @rotation: (nullable): a unit quaternion; %NULL is no rotation
 *
 * C code needs only the struct. Both arguments are copied, the rotation as given.
 *
 * Returns: (transfer full): a transform on the heap, for bindings
 */
ORRERY_API OrreryTransform *orrery_transform_new (const OrreryVec3 *position,
                                                  const OrreryQuat *rotation);

/**
 * orrery_quat_identity:
 * @out: (out caller-allocates): no rotation
 *
 * Sets w to 1, and x, y and z to 0.
 */
ORRERY_API void orrery_quat_identity (OrreryQuat *out);

/**
 * orrery_quat_from_euler:
 * @roll: rad
 * @pitch: rad
 * @yaw: rad
 * @out: (out caller-allocates): Rz (yaw) Ry (pitch) Rx (roll)
 *
 * Angles of any size are taken. The result is of length 1 to rounding, and w may have either sign.
 */
ORRERY_API void orrery_quat_from_euler (double roll, double pitch, double yaw, OrreryQuat *out);

/**
 * orrery_quat_to_euler:
 * @q: a unit quaternion
 * @roll: (out): in (-pi, pi]
 * @pitch: (out): in [-pi, pi]
 * @yaw: (out): in (-pi, pi]
 *
 * Of the two triples that there are it is the one with the smaller sum of magnitudes, which is at
 * most 3/2 pi: a pitch of 2 rad is told as that, not as a roll and a yaw by half turns.
 *
 * The angles describe the same rotation to some 1e-15 everywhere, also near the poles (pitch
 * +-pi/2). At a pole (within 1.5e-14) only the sum or the difference of roll and yaw is defined;
 * roll is 0 there. A rotation about one axis alone has exact zeros for the other two angles.
 */
ORRERY_API void orrery_quat_to_euler (const OrreryQuat *q, double *roll, double *pitch,
                                      double *yaw);

/**
 * orrery_quat_from_rotation_vector:
 * @v: axis times angle, rad, finite, components below 1e154
 * @out: (out caller-allocates): the rotation
 *
 * Angles beyond pi are taken, and the vector 0 is no rotation. Small angles lose no digits.
 */
ORRERY_API void orrery_quat_from_rotation_vector (const OrreryVec3 *v, OrreryQuat *out);

/**
 * orrery_quat_to_rotation_vector:
 * @q: a unit quaternion
 * @out: (out caller-allocates): axis times angle, the angle in [0, pi] rad
 *
 * The shorter way: @q and -@q give the same vector, but for a half turn, whose axis has either
 * direction.
 */
ORRERY_API void orrery_quat_to_rotation_vector (const OrreryQuat *q, OrreryVec3 *out);

/**
 * orrery_quat_to_matrix: (skip)
 * @q: a unit quaternion
 * @out: (out caller-allocates): the rotation as a matrix; its columns are the turned axes
 *
 * Nothing is normalised: if the length of @q is not 1, the matrix is no rotation.
 */
ORRERY_API void orrery_quat_to_matrix (const OrreryQuat *q, OrreryMat3 *out);

/**
 * orrery_quat_from_matrix: (skip)
 * @matrix: a rotation: orthonormal to rounding, determinant +1
 * @out: (out caller-allocates): the same rotation, normalised, with w >= 0
 *
 * Divides by the largest component, so that half turns lose no digits either.
 */
ORRERY_API void orrery_quat_from_matrix (const OrreryMat3 *matrix, OrreryQuat *out);

/**
 * orrery_quat_choose_sign: (skip)
 * @q: a unit quaternion; of the two that are the same rotation it becomes the one that MORSE shows
 *
 * Blender makes quaternions from matrices: w is above 0, but where w2 is 1e-4 at most, a half turn,
 * the largest of x, y and z is.
 */
ORRERY_API void orrery_quat_choose_sign (OrreryQuat *q);

/**
 * orrery_quat_multiply:
 * @a: the rotation done last
 * @b: the rotation done first
 * @out: (out caller-allocates): a b, not normalised; may be @a or @b
 *
 * One rotation after another. Rounding adds up in long products: call orrery_quat_normalise() at
 * times.
 */
ORRERY_API void orrery_quat_multiply (const OrreryQuat *a, const OrreryQuat *b, OrreryQuat *out);

/**
 * orrery_quat_conjugate:
 * @q: a unit quaternion
 * @out: (out caller-allocates): the inverse rotation; may be @q
 *
 * Changes the signs of x, y and z, which inverts a rotation if the length of @q is 1.
 */
ORRERY_API void orrery_quat_conjugate (const OrreryQuat *q, OrreryQuat *out);

/**
 * orrery_quat_normalise:
 * @q: a quaternion; afterwards of length 1. One of length 0 becomes no rotation
 *
 * The squares of the components are summed: they should be finite, and below 1e154. Of a quaternion
 * with a NaN or an infinity at least one component is a NaN afterwards.
 */
ORRERY_API void orrery_quat_normalise (OrreryQuat *q);

/**
 * orrery_quat_turn:
 * @q: a unit quaternion, which is turned further
 * @turn: axis times angle, rad, in the axes that @q leads to
 *
 * The new rotation is normalised.
 */
ORRERY_API void orrery_quat_turn (OrreryQuat *q, const OrreryVec3 *turn);

/**
 * orrery_quat_rotate:
 * @q: a unit quaternion
 * @v: a vector
 * @out: (out caller-allocates): @v rotated; may be @v
 *
 * From the axes of a body to those of the frame in which @q is its rotation.
 */
ORRERY_API void orrery_quat_rotate (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out);

/**
 * orrery_quat_rotate_back:
 * @q: a unit quaternion
 * @v: a vector
 * @out: (out caller-allocates): @v turned by the inverse of @q; may be @v
 *
 * From the axes of the frame in which @q is the rotation of a body to those of the body.
 */
ORRERY_API void orrery_quat_rotate_back (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out);

/**
 * orrery_mat3_apply: (skip)
 * @matrix: a matrix
 * @v: a vector
 *
 * Returns: @matrix times @v
 */
static inline OrreryVec3
orrery_mat3_apply (const OrreryMat3 *matrix, const OrreryVec3 *v)
{
  const double *m = matrix->m;
  OrreryVec3 out = { m[0] * v->x + m[1] * v->y + m[2] * v->z,
                     m[3] * v->x + m[4] * v->y + m[5] * v->z,
                     m[6] * v->x + m[7] * v->y + m[8] * v->z };

  return out;
}

/**
 * orrery_mat3_apply_back: (skip)
 * @matrix: a matrix
 * @v: a vector
 *
 * Returns: the transpose of @matrix times @v: of a rotation its inverse
 */
static inline OrreryVec3
orrery_mat3_apply_back (const OrreryMat3 *matrix, const OrreryVec3 *v)
{
  const double *m = matrix->m;
  OrreryVec3 out = { m[0] * v->x + m[3] * v->y + m[6] * v->z,
                     m[1] * v->x + m[4] * v->y + m[7] * v->z,
                     m[2] * v->x + m[5] * v->y + m[8] * v->z };

  return out;
}

/**
 * orrery_transform_identity:
 * @out: (out caller-allocates): the origin, not turned
 *
 * Sets the position to 0 and the rotation to w = 1.
 */
ORRERY_API void orrery_transform_identity (OrreryTransform *out);

/**
 * orrery_transform_multiply:
 * @a: parent frame
 * @b: a pose in that frame
 * @out: (out caller-allocates): a b, the pose in the frame of the parent; may be @a or @b
 *
 * The rotation is not normalised: rounding adds up in long products.
 */
ORRERY_API void orrery_transform_multiply (const OrreryTransform *a, const OrreryTransform *b,
                                           OrreryTransform *out);

/**
 * orrery_transform_invert:
 * @t: a transform
 * @out: (out caller-allocates): the way back; may be @t
 *
 * The rotation has to be of length 1; it is not normalised.
 */
ORRERY_API void orrery_transform_invert (const OrreryTransform *t, OrreryTransform *out);

/**
 * orrery_transform_relative:
 * @a: a pose
 * @b: another pose in the same frame
 * @out: (out caller-allocates): the pose of @b in the frame of @a, inverse (a) b; may be @a or @b
 *
 * Where @b is, as seen from @a. The positions are subtracted before anything is turned, so that
 * poses near to each other and far from the origin lose no digits.
 */
ORRERY_API void orrery_transform_relative (const OrreryTransform *a, const OrreryTransform *b,
                                           OrreryTransform *out);

/**
 * orrery_transform_apply:
 * @t: a transform
 * @v: a point, m
 * @out: (out caller-allocates): rotation v + position; may be @v
 *
 * A point of the inner frame in the outer one. For a direction, which has no place, see
 * orrery_quat_rotate().
 */
ORRERY_API void orrery_transform_apply (const OrreryTransform *t, const OrreryVec3 *v,
                                        OrreryVec3 *out);

/**
 * orrery_transform_advance:
 * @pose: a pose, which is moved
 * @linear: (inout): m/s, in the axes of the frame that @pose is given in; turns with the body
 * @angular: rad/s, in the same axes
 * @dt: s
 *
 * Moves a body along a twist that is constant in the frame of the body: a screw. A body that is
 * told to drive and to turn follows its arc exactly, whatever the step.
 * Formula: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 2.36.
 */
ORRERY_API void orrery_transform_advance (OrreryTransform *pose, OrreryVec3 *linear,
                                          const OrreryVec3 *angular, double dt);

/**
 * orrery_transform_drift:
 * @pose: a pose, which is moved
 * @linear: m/s, in the axes of the frame that @pose is given in
 * @angular: rad/s, in the same axes
 * @dt: s
 *
 * Moves a body whose velocities are constant in the outer frame: it goes straight while it turns,
 * as a body does on which no force acts. Compare orrery_transform_advance().
 */
ORRERY_API void orrery_transform_drift (OrreryTransform *pose, const OrreryVec3 *linear,
                                        const OrreryVec3 *angular, double dt);

/**
 * orrery_transform_is_finite:
 * @t: a transform
 *
 * The length of the rotation is not looked at.
 *
 * Returns: %TRUE if none of its seven numbers is an infinity or a NaN
 */
ORRERY_API gboolean orrery_transform_is_finite (const OrreryTransform *t);

/**
 * orrery_normalise_angle:
 * @angle: rad
 *
 * An angle that is in the range comes back with the same bits.
 *
 * Returns: the same direction in [-pi, pi); NaN for an @angle that is not finite
 */
ORRERY_API double orrery_normalise_angle (double angle);

G_END_DECLS
