/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations and poses: Euler angles, quaternions, matrices, and motion along a twist. */
#include "base/orrery-transform.h"

#include "base/orrery-counted-private.h"

#include <math.h>
#include <string.h>

/* Squared distance from a pole, as seen in half angles, within which roll and yaw are one angle:
 * above the rounding of a quaternion, below what anyone can see. */
#define POLE_SQUARED 1e-28
/* Below it (rad^2) the series of sin (a / 2) / a is exact to the last place with two terms. */
#define SMALL_ANGLE_SQUARED 1e-8
/* Below this angle (rad) the series of a twist are exact to the last place. */
#define SMALL_TWIST 1e-3

ORRERY_DEFINE_VALUE_TYPE (OrreryEuler, orrery_euler)
ORRERY_DEFINE_VALUE_TYPE (OrreryQuat, orrery_quat)
ORRERY_DEFINE_VALUE_TYPE (OrreryTransform, orrery_transform)

OrreryEuler *
orrery_euler_new (double roll, double pitch, double yaw)
{
  return orrery_euler_copy (&(OrreryEuler){ roll, pitch, yaw });
}

OrreryQuat *
orrery_quat_new (double w, double x, double y, double z)
{
  return orrery_quat_copy (&(OrreryQuat){ w, x, y, z });
}

OrreryTransform *
orrery_transform_new (const OrreryVec3 *position, const OrreryQuat *rotation)
{
  OrreryTransform t;

  orrery_transform_identity (&t);
  if (position != NULL)
    t.position = *position;
  if (rotation != NULL)
    t.rotation = *rotation;
  return orrery_transform_copy (&t);
}

static inline OrreryQuat
conjugate (OrreryQuat q)
{
  return (OrreryQuat){ q.w, -q.x, -q.y, -q.z };
}

static inline OrreryQuat
multiply (OrreryQuat a, OrreryQuat b)
{
  return (OrreryQuat){
    .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  };
}

/* v + 2 w (u x v) + 2 u x (u x v), with u the vector part */
static inline OrreryVec3
rotate (OrreryQuat q, OrreryVec3 v)
{
  OrreryVec3 u = { q.x, q.y, q.z };
  OrreryVec3 once = orrery_vec3_cross (&u, &v);
  OrreryVec3 twice = orrery_vec3_cross (&u, &once);

  return (OrreryVec3){
    v.x + 2 * (q.w * once.x + twice.x),
    v.y + 2 * (q.w * once.y + twice.y),
    v.z + 2 * (q.w * once.z + twice.z),
  };
}

void
orrery_quat_identity (OrreryQuat *out)
{
  *out = (OrreryQuat){ 1, 0, 0, 0 };
}

void
orrery_quat_from_euler (double roll, double pitch, double yaw, OrreryQuat *out)
{
  double sr = sin (roll / 2), cr = cos (roll / 2);
  double sp = sin (pitch / 2), cp = cos (pitch / 2);
  double sy = sin (yaw / 2), cy = cos (yaw / 2);

  *out = (OrreryQuat){
    .w = cr * cp * cy + sr * sp * sy,
    .x = sr * cp * cy - cr * sp * sy,
    .y = cr * sp * cy + sr * cp * sy,
    .z = cr * cp * sy - sr * sp * cy,
  };
}

/* From (-2 pi, 2 pi] to (-pi, pi]. */
static inline double
wrap_once (double angle)
{
  if (angle > G_PI)
    return angle - 2 * G_PI;
  if (angle <= -G_PI)
    return angle + 2 * G_PI;
  return angle;
}

/* The same rotation with the pitch on the other side of the pole. */
static void
mirror (OrreryEuler *angles)
{
  angles->roll += angles->roll > 0 ? -G_PI : G_PI;
  angles->pitch = (angles->pitch >= 0 ? G_PI : -G_PI) - angles->pitch;
  angles->yaw += angles->yaw > 0 ? -G_PI : G_PI;
}

/*
 * Of the two triples of angles of a rotation users of MORSE know the one with the smaller sum of
 * magnitudes, as Blender tells it: a robot that is pitched by 2 rad has a pitch of 2 rad. Those
 * of the other triple are pi less these. A rounding decides nothing.
 */
#define MOST_OF_ALL (1.5 * G_PI + 1e-9)

/*
 * With half angles r, p, y the four sums are (cos p -+ sin p) times cosine and sine of y + r and
 * y - r, so both angles come without a sine near 1 (Bernardes, Viollet: Quaternion to Euler angles
 * conversion, PLoS ONE 17, 2022). What is lost of one near a pole does not turn the body.
 */
static void
find_angles (const OrreryQuat *q, OrreryEuler *out)
{
  /* q and -q are one rotation; the one with w >= 0 keeps small angles exact. */
  double sign = q->w < 0 ? -1 : 1;
  double a = sign * (q->w - q->y), b = sign * (q->x + q->z);
  double c = sign * (q->w + q->y), d = sign * (q->z - q->x);
  double minus = a * a + b * b, plus = c * c + d * d;
  double sum = atan2 (b, a), difference = atan2 (d, c);

  out->pitch = atan2 (2 * (q->w * q->y - q->z * q->x), sqrt (minus * plus));
  if (minus <= POLE_SQUARED * plus) {
    out->roll = 0;
    out->yaw = wrap_once (2 * difference);
  } else if (plus <= POLE_SQUARED * minus) {
    out->roll = 0;
    out->yaw = wrap_once (2 * sum);
  } else {
    out->roll = wrap_once (sum - difference);
    out->yaw = wrap_once (sum + difference);
  }
  if (fabs (out->roll) + fabs (out->pitch) + fabs (out->yaw) > MOST_OF_ALL)
    mirror (out);
}

/*
 * The sensors of a robot ask for the same angles one after the other, some for those of a step in
 * between: three arc tangents once for each. The model spares a call for each look-up in a library.
 */
#define N_LATEST 2

static __thread struct {
  struct {
    OrreryQuat of;
    OrreryEuler angles;
  } known[N_LATEST];
  guint newest;
} latest __attribute__ ((tls_model ("initial-exec")));

static const OrreryEuler *
find_known_angles (const OrreryQuat *q)
{
  for (guint i = 0; i < N_LATEST; i++) {
    guint at = (latest.newest + i) % N_LATEST;

    /* By bits, since 0 and -0 are equal, but not the same. */
    if (memcmp (q, &latest.known[at].of, sizeof *q) == 0) {
      latest.newest = at;
      return &latest.known[at].angles;
    }
  }
  latest.newest = (latest.newest + 1) % N_LATEST;
  latest.known[latest.newest].of = *q;
  find_angles (q, &latest.known[latest.newest].angles);
  return &latest.known[latest.newest].angles;
}

void
orrery_quat_to_euler (const OrreryQuat *q, double *roll, double *pitch, double *yaw)
{
  const OrreryEuler *angles = find_known_angles (q);

  *roll = angles->roll;
  *pitch = angles->pitch;
  *yaw = angles->yaw;
}

/* @angle: the length of @v, the root of @squared */
static inline OrreryQuat
from_rotation_vector (const OrreryVec3 *v, double squared, double angle)
{
  double sine = sin (angle / 2), cosine = cos (angle / 2);
  double factor = squared < SMALL_ANGLE_SQUARED ? 0.5 - squared / 48 : sine / angle;

  return (OrreryQuat){ cosine, factor * v->x, factor * v->y, factor * v->z };
}

void
orrery_quat_from_rotation_vector (const OrreryVec3 *v, OrreryQuat *out)
{
  double squared = orrery_vec3_dot (v, v);

  *out = from_rotation_vector (v, squared, sqrt (squared));
}

void
orrery_quat_to_rotation_vector (const OrreryQuat *q, OrreryVec3 *out)
{
  double sign = q->w < 0 ? -1 : 1;
  double sine = sqrt (q->x * q->x + q->y * q->y + q->z * q->z);
  /* Where the sine is nearly nothing, angle / sine tends to 2 / w. */
  double factor = sine > 1e-150 ? 2 * atan2 (sine, fabs (q->w)) / sine : 2 / fabs (q->w);

  factor *= sign;
  *out = (OrreryVec3){ factor * q->x, factor * q->y, factor * q->z };
}

void
orrery_quat_to_matrix (const OrreryQuat *q, OrreryMat3 *out)
{
  double xx = q->x * q->x, yy = q->y * q->y, zz = q->z * q->z;
  double xy = q->x * q->y, xz = q->x * q->z, yz = q->y * q->z;
  double wx = q->w * q->x, wy = q->w * q->y, wz = q->w * q->z;

  *out = (OrreryMat3){ {
      1 - 2 * (yy + zz),
      2 * (xy - wz),
      2 * (xz + wy),
      2 * (xy + wz),
      1 - 2 * (xx + zz),
      2 * (yz - wx),
      2 * (xz - wy),
      2 * (yz + wx),
      1 - 2 * (xx + yy),
  } };
}

/* Shepperd: Quaternion from rotation matrix, J. Guidance and Control 1 (1978): divide by the
 * largest component, so that nothing is lost at half turns. */
void
orrery_quat_from_matrix (const OrreryMat3 *matrix, OrreryQuat *out)
{
  const double *m = matrix->m;
  double trace = m[0] + m[4] + m[8];
  OrreryQuat q;

  if (trace >= m[0] && trace >= m[4] && trace >= m[8])
    q = (OrreryQuat){ 1 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1] };
  else if (m[0] >= m[4] && m[0] >= m[8])
    q = (OrreryQuat){ m[7] - m[5], 1 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6] };
  else if (m[4] >= m[8])
    q = (OrreryQuat){ m[2] - m[6], m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7] };
  else
    q = (OrreryQuat){ m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + m[8] - m[0] - m[4] };
  if (q.w < 0)
    q = (OrreryQuat){ -q.w, -q.x, -q.y, -q.z };
  orrery_quat_normalise (&q);
  *out = q;
}

void
orrery_quat_choose_sign (OrreryQuat *q)
{
  double x = fabs (q->x), y = fabs (q->y), z = fabs (q->z);
  double largest = x >= y && x >= z ? q->x : y >= z ? q->y : q->z;

  if ((q->w * q->w > 1e-4 ? q->w : largest) < 0)
    *q = (OrreryQuat){ -q->w, -q->x, -q->y, -q->z };
}

void
orrery_quat_multiply (const OrreryQuat *a, const OrreryQuat *b, OrreryQuat *out)
{
  *out = multiply (*a, *b);
}

void
orrery_quat_conjugate (const OrreryQuat *q, OrreryQuat *out)
{
  *out = conjugate (*q);
}

void
orrery_quat_normalise (OrreryQuat *q)
{
  double length = sqrt (q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);

  /* Of a NaN the length is one, too, and the quotients are: it is not hidden as no rotation. */
  if (length == 0)
    orrery_quat_identity (q);
  else
    *q = (OrreryQuat){ q->w / length, q->x / length, q->y / length, q->z / length };
}

void
orrery_quat_turn (OrreryQuat *q, const OrreryVec3 *turn)
{
  OrreryQuat further;

  orrery_quat_from_rotation_vector (turn, &further);
  *q = multiply (further, *q);
  orrery_quat_normalise (q);
}

void
orrery_quat_rotate (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out)
{
  *out = rotate (*q, *v);
}

void
orrery_quat_rotate_back (const OrreryQuat *q, const OrreryVec3 *v, OrreryVec3 *out)
{
  *out = rotate (conjugate (*q), *v);
}

void
orrery_transform_identity (OrreryTransform *out)
{
  *out = (OrreryTransform){ { 0, 0, 0 }, { 1, 0, 0, 0 } };
}

void
orrery_transform_multiply (const OrreryTransform *a, const OrreryTransform *b, OrreryTransform *out)
{
  OrreryVec3 turned = rotate (a->rotation, b->position);

  *out = (OrreryTransform){
    .position = orrery_vec3_add (&turned, &a->position),
    .rotation = multiply (a->rotation, b->rotation),
  };
}

void
orrery_transform_invert (const OrreryTransform *t, OrreryTransform *out)
{
  OrreryQuat back = conjugate (t->rotation);
  OrreryVec3 there = { -t->position.x, -t->position.y, -t->position.z };

  *out = (OrreryTransform){ rotate (back, there), back };
}

void
orrery_transform_relative (const OrreryTransform *a, const OrreryTransform *b, OrreryTransform *out)
{
  OrreryQuat back = conjugate (a->rotation);

  *out = (OrreryTransform){
    .position = rotate (back, orrery_vec3_subtract (&b->position, &a->position)),
    .rotation = multiply (back, b->rotation),
  };
}

void
orrery_transform_apply (const OrreryTransform *t, const OrreryVec3 *v, OrreryVec3 *out)
{
  OrreryVec3 turned = rotate (t->rotation, *v);

  *out = orrery_vec3_add (&turned, &t->position);
}

void
orrery_transform_advance (OrreryTransform *pose, OrreryVec3 *linear, const OrreryVec3 *angular,
                          double dt)
{
  OrreryVec3 way = orrery_vec3_scale (linear, dt), turn = orrery_vec3_scale (angular, dt);
  double squared = orrery_vec3_dot (&turn, &turn);
  double angle = sqrt (squared), square = angle * angle;
  OrreryVec3 aside, back;
  OrreryQuat q;
  double b, c;

  if (angle == 0) {
    pose->position = orrery_vec3_add (&pose->position, &way);
    return;
  }

  /* (1 - cos a) / a^2 and (a - sin a) / a^3, without cancellation near 0 */
  if (angle < SMALL_TWIST) {
    b = 0.5 - square / 24;
    c = 1.0 / 6 - square / 120;
  } else {
    double sine = sin (angle), cosine = cos (angle);

    b = (1 - cosine) / square;
    c = (angle - sine) / (square * angle);
  }
  aside = orrery_vec3_cross (&turn, &way);
  back = orrery_vec3_cross (&turn, &aside);
  way = orrery_vec3_add_scaled (&way, &aside, b);
  way = orrery_vec3_add_scaled (&way, &back, c);
  pose->position = orrery_vec3_add (&pose->position, &way);
  q = from_rotation_vector (&turn, squared, angle);
  pose->rotation = multiply (q, pose->rotation);
  orrery_quat_normalise (&pose->rotation);
  *linear = rotate (q, *linear);
}

void
orrery_transform_drift (OrreryTransform *pose, const OrreryVec3 *linear, const OrreryVec3 *angular,
                        double dt)
{
  OrreryVec3 turn = orrery_vec3_scale (angular, dt);

  pose->position = orrery_vec3_add_scaled (&pose->position, linear, dt);
  if (turn.x != 0 || turn.y != 0 || turn.z != 0)
    orrery_quat_turn (&pose->rotation, &turn);
}

gboolean
orrery_transform_is_finite (const OrreryTransform *t)
{
  const OrreryQuat *q = &t->rotation;

  return orrery_vec3_is_finite (&t->position) && q->w * 0 + q->x * 0 + q->y * 0 + q->z * 0 == 0;
}

double
orrery_normalise_angle (double angle)
{
  if (angle >= -G_PI && angle < G_PI)
    return angle;

  double rest = remainder (angle, 2 * G_PI);
  return rest >= G_PI ? -G_PI : rest;
}
