/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryVec3:
 *
 * Three doubles: a point, a displacement, a velocity, a force.
 */
typedef struct {
  double x, y, z;
} OrreryVec3;

/**
 * OrreryEuler:
 *
 * roll about x, pitch about y, yaw about z, in radians.
 */
typedef struct {
  double roll, pitch, yaw;
} OrreryEuler;

/**
 * OrreryQuat:
 *
 * A unit quaternion, scalar first.
 */
typedef struct {
  double w, x, y, z;
} OrreryQuat;

/**
 * OrreryMat3:
 * @m: row by row
 */
typedef struct {
  double m[9];
} OrreryMat3;

/**
 * OrreryMat4:
 * @m: row by row
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

#define ORRERY_TYPE_VEC3 (orrery_vec3_get_type ())
#define ORRERY_TYPE_EULER (orrery_euler_get_type ())
#define ORRERY_TYPE_QUAT (orrery_quat_get_type ())
#define ORRERY_TYPE_TRANSFORM (orrery_transform_get_type ())
ORRERY_API GType orrery_vec3_get_type (void);
ORRERY_API GType orrery_euler_get_type (void);
ORRERY_API GType orrery_quat_get_type (void);
ORRERY_API GType orrery_transform_get_type (void);

ORRERY_API OrreryVec3 *orrery_vec3_new (double x, double y, double z);
ORRERY_API OrreryQuat *orrery_quat_new (double w, double x, double y, double z);
ORRERY_API OrreryTransform *orrery_transform_new (const OrreryVec3 *position, const OrreryQuat *rotation);

/**
 * orrery_vec3_is_finite:
 * @v: a vector
 *
 * Returns: %TRUE if no component is an infinity or a NaN
 */
ORRERY_API gboolean orrery_vec3_is_finite (const OrreryVec3 *v);
ORRERY_API double orrery_vec3_length (const OrreryVec3 *v);

/**
 * orrery_quat_from_euler:
 * @roll: rad
 * @pitch: rad
 * @yaw: rad
 * @out: (out caller-allocates): Rz (yaw) Ry (pitch) Rx (roll)
 */
ORRERY_API void orrery_quat_from_euler (double roll, double pitch, double yaw, OrreryQuat *out);

/**
 * orrery_quat_to_euler:
 * @q: a unit quaternion
 * @roll: (out): in (-pi, pi]
 * @pitch: (out): in [-pi/2, pi/2]
 * @yaw: (out): in (-pi, pi]
 *
 * At the poles (pitch +-pi/2) only the sum or difference of roll and yaw is defined; roll is 0 there.
 */
ORRERY_API void orrery_quat_to_euler (const OrreryQuat *q, double *roll, double *pitch, double *yaw);

/**
 * orrery_quat_from_rotation_vector:
 * @v: axis times angle, rad
 * @out: (out caller-allocates): the rotation
 */
ORRERY_API void orrery_quat_from_rotation_vector (const OrreryVec3 *v, OrreryQuat *out);
ORRERY_API void orrery_quat_to_matrix (const OrreryQuat *q, OrreryMat3 *out);
ORRERY_API void orrery_quat_from_matrix (const OrreryMat3 *m, OrreryQuat *out);

/**
 * orrery_quat_multiply:
 * @a: the rotation done last
 * @b: the rotation done first
 * @out: (out caller-allocates): a b; may be @a or @b
 */
ORRERY_API void orrery_quat_multiply (const OrreryQuat *a, const OrreryQuat *b, OrreryQuat *out);
ORRERY_API void orrery_quat_conjugate (const OrreryQuat *q, OrreryQuat *out);
ORRERY_API void orrery_quat_normalise (OrreryQuat *q);

/**
 * orrery_quat_rotate:
 * @q: a unit quaternion
 * @v: a vector
 * @out: (out caller-allocates): @v rotated; may be @v
 */
ORRERY_API void orrery_quat_rotate (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out);
/** orrery_quat_rotate_back: as orrery_quat_rotate() with the inverse rotation */
ORRERY_API void orrery_quat_rotate_back (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out);

ORRERY_API void orrery_transform_identity (OrreryTransform *out);
/**
 * orrery_transform_multiply:
 * @a: parent frame
 * @b: a pose in that frame
 * @out: (out caller-allocates): a b; may be @a or @b
 */
ORRERY_API void orrery_transform_multiply (const OrreryTransform *a, const OrreryTransform *b, OrreryTransform *out);
ORRERY_API void orrery_transform_invert (const OrreryTransform *t, OrreryTransform *out);
/**
 * orrery_transform_relative:
 * @a: a pose
 * @b: another pose in the same frame
 * @out: (out caller-allocates): the pose of @b in the frame of @a, inverse (a) b
 */
ORRERY_API void orrery_transform_relative (const OrreryTransform *a, const OrreryTransform *b, OrreryTransform *out);
ORRERY_API void orrery_transform_apply (const OrreryTransform *t, const OrreryVec3 *v, OrreryVec3 *out);
ORRERY_API gboolean orrery_transform_is_finite (const OrreryTransform *t);

/**
 * orrery_normalise_angle:
 * @angle: rad, finite
 *
 * Returns: the same direction in [-pi, pi)
 */
ORRERY_API double orrery_normalise_angle (double angle);

G_END_DECLS
