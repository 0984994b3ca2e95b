/* SPDX-License-Identifier: BSD-3-Clause */
#include "twist.h"

#include <math.h>

/* Below this angle the series are exact to the last place. */
#define SMALL_ANGLE 1e-3

static OrreryVec3
cross (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z,
                       a->x * b->y - a->y * b->x };
}

void
twist_advance (OrreryTransform *pose, OrreryVec3 *linear, const OrreryVec3 *angular, double dt)
{
  OrreryVec3 way = { linear->x * dt, linear->y * dt, linear->z * dt };
  OrreryVec3 turn = { angular->x * dt, angular->y * dt, angular->z * dt };
  double angle = orrery_vec3_length (&turn);
  double b, c, square = angle * angle;
  OrreryVec3 aside, back;
  OrreryQuat q;

  if (angle == 0) {
    pose->position.x += way.x;
    pose->position.y += way.y;
    pose->position.z += way.z;
    return;
  }

  /* (1 - cos a) / a^2 and (a - sin a) / a^3, without cancellation near 0 */
  b = angle < SMALL_ANGLE ? 0.5 - square / 24 : (1 - cos (angle)) / square;
  c = angle < SMALL_ANGLE ? 1.0 / 6 - square / 120 : (angle - sin (angle)) / (square * angle);
  aside = cross (&turn, &way);
  back = cross (&turn, &aside);
  pose->position.x += way.x + b * aside.x + c * back.x;
  pose->position.y += way.y + b * aside.y + c * back.y;
  pose->position.z += way.z + b * aside.z + c * back.z;

  orrery_quat_from_rotation_vector (&turn, &q);
  orrery_quat_multiply (&q, &pose->rotation, &pose->rotation);
  orrery_quat_normalise (&pose->rotation);
  orrery_quat_rotate (&q, linear, linear);
}
