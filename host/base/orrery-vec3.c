/* SPDX-License-Identifier: BSD-3-Clause */
/* What vectors have that is not inline: their boxed type, and what bindings call. */
#include "base/orrery-vec3.h"

#include "base/orrery-counted-private.h"

ORRERY_DEFINE_VALUE_TYPE (OrreryVec3, orrery_vec3)

OrreryVec3 *
orrery_vec3_new (double x, double y, double z)
{
  return orrery_vec3_copy (&(OrreryVec3){ x, y, z });
}

/* Nothing times zero is zero, but for infinities and NaN. */
gboolean
orrery_vec3_is_finite (const OrreryVec3 *v)
{
  return v->x * 0 + v->y * 0 + v->z * 0 == 0;
}

double
orrery_vec3_length (const OrreryVec3 *v)
{
  return sqrt (orrery_vec3_dot (v, v));
}
