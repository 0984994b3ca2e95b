/* SPDX-License-Identifier: BSD-3-Clause */
/* What vectors have that is not inline: their boxed type, and what bindings call. */
#include "base/orrery-vec3.h"

static OrreryVec3 *
vec3_copy (OrreryVec3 *v)
{
  return g_memdup2 (v, sizeof *v);
}

G_DEFINE_BOXED_TYPE (OrreryVec3, orrery_vec3, vec3_copy, g_free)

OrreryVec3 *
orrery_vec3_new (double x, double y, double z)
{
  return vec3_copy (&(OrreryVec3){ x, y, z });
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
