/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction between two bodies: one pass over patches of contact points after the normals. */
#include "friction.h"

#include <math.h>

/* Share of the torque that a ring of the patch's radius would give. */
#define TORSION 0.2
#define SWEEPS 10
#define COS_SAME_PATCH 0.7

/* Smaller values have no effect in double precision. */
#define MIN_SPEED 1e-12
#define MIN_IMPULSE 1e-300

/* The patch that a normal belongs to; a patch is known by the normal of its first point. */
static guint
find_patch (const FrictionPoint *points, guint point, const guint *firsts, guint n_patches)
{
  guint i;

  for (i = 0; i < n_patches; i++)
    if (orrery_vec3_dot (&points[point].normal, &points[firsts[i]].normal) >= COS_SAME_PATCH)
      break;
  return i;
}

static void
finish_patch (FrictionPatch *patch)
{
  double length = orrery_vec3_length (&patch->normal);

  patch->centre = orrery_vec3_scale (&patch->centre, 1.0 / patch->impulse);
  patch->normal = orrery_vec3_scale (&patch->normal, length > 0 ? 1.0 / length : 0.0);
}

guint
friction_gather (const FrictionPoint *points, guint n_points,
                 FrictionPatch patches[FRICTION_MAX_PATCHES])
{
  guint firsts[FRICTION_MAX_PATCHES], counts[FRICTION_MAX_PATCHES];
  guint n = 0;

  for (guint i = 0; i < n_points; i++) {
    guint k;

    if (!(points[i].impulse > MIN_IMPULSE))
      continue;
    k = find_patch (points, i, firsts, n);
    if (k == FRICTION_MAX_PATCHES)
      continue;
    if (k == n) {
      counts[n] = 0;
      firsts[n++] = i;
      patches[k].impulse = patches[k].radius = 0;
      patches[k].centre = patches[k].normal = (OrreryVec3){ 0 };
    }
    counts[k]++;
    patches[k].impulse += points[i].impulse;
    orrery_vec3_accumulate (&patches[k].centre, &points[i].point, points[i].impulse);
    orrery_vec3_accumulate (&patches[k].normal, &points[i].normal, points[i].impulse);
  }
  for (guint k = 0; k < n; k++) {
    finish_patch (&patches[k]);
    /* Exactly at the centre in spite of rounding, because a patch without radius is not asked how
     * it turns. */
    if (counts[k] == 1)
      patches[k].centre = points[firsts[k]].point;
  }

  for (guint i = 0; i < n_points; i++) {
    guint k = points[i].impulse > MIN_IMPULSE ? find_patch (points, i, firsts, n) : n;
    OrreryVec3 arm;

    if (k == n)
      continue;
    arm = points[i].point;
    orrery_vec3_accumulate (&arm, &patches[k].centre, -1.0);
    patches[k].radius += orrery_vec3_length (&arm) * points[i].impulse / patches[k].impulse;
  }
  return n;
}

/* Spends the rest of the budget against sliding and turning, in proportion to their speeds. */
static void
rub (const FrictionEngine *engine, FrictionPatch *patch)
{
  OrreryVec3 v, w, along;
  OrreryVec3 impulse = { 0 }, torque = { 0 };
  double sliding, turning, total, j = 0, t = 0;

  engine->measure (patch, &v, &w);
  orrery_vec3_accumulate (&v, &patch->normal, -orrery_vec3_dot (&v, &patch->normal));
  sliding = orrery_vec3_length (&v);
  turning = orrery_vec3_dot (&w, &patch->normal);
  total = patch->radius > 0 ? hypot (sliding, turning * patch->radius) : sliding;
  if (!(total > MIN_SPEED) || !isfinite (total))
    return;

  if (sliding > 0) {
    along = orrery_vec3_scale (&v, 1.0 / sliding);
    j = fmin (sliding / engine->compliance (patch, &along), patch->left * sliding / total);
    orrery_vec3_accumulate (&impulse, &along, -j);
  }
  if (turning != 0 && patch->radius > 0) {
    double share = fabs (turning) * patch->radius / total;

    t = fmin (fabs (turning) / engine->spin_compliance (patch, &patch->normal),
              TORSION * patch->left * patch->radius * share);
    orrery_vec3_accumulate (&torque, &patch->normal, turning > 0 ? -t : t);
  }
  if (!isfinite (j) || !isfinite (t))
    return;
  engine->apply (patch, &impulse, &torque);
  orrery_vec3_accumulate (&patch->pushed, &impulse, 1);
  orrery_vec3_accumulate (&patch->turned, &torque, 1);
  patch->left = fmax (0, patch->left - j);
}

void
friction_solve (const FrictionEngine *engine, FrictionPatch *patches, guint n_patches)
{
  for (guint i = 0; i < n_patches; i++) {
    patches[i].left = fmin (patches[i].mu, FRICTION_MAX) * patches[i].impulse;
    patches[i].pushed = patches[i].turned = (OrreryVec3){ 0 };
  }

  for (guint sweep = 0; sweep < SWEEPS; sweep++)
    for (guint i = 0; i < n_patches; i++)
      if (patches[i].left > 0 && (sweep == 0 || !patches[i].alone))
        rub (engine, &patches[i]);
}

/* --- what points have of it --- */

/* Of a point, from the centre of its patch, across the normal. */
static OrreryVec3
get_arm (const FrictionPoint *point, const FrictionPatch *patch)
{
  OrreryVec3 arm = orrery_vec3_subtract (&point->point, &patch->centre);

  orrery_vec3_accumulate (&arm, &patch->normal, -orrery_vec3_dot (&arm, &patch->normal));
  return arm;
}

/* The patch of a point, as when the patches were made: it may be the first of one. */
static guint
find_or_begin (const FrictionPoint *points, guint i, guint *firsts, guint *n)
{
  guint k = find_patch (points, i, firsts, *n);

  if (k == *n && k < FRICTION_MAX_PATCHES)
    firsts[(*n)++] = i;
  return k;
}

void
friction_share (const FrictionPoint *points, guint n_points, const FrictionPatch *patches,
                guint n_patches, OrreryVec3 *shares)
{
  guint firsts[FRICTION_MAX_PATCHES], n = 0;
  double spreads[FRICTION_MAX_PATCHES] = { 0 };

  for (guint i = 0; i < n_points; i++) {
    guint k = points[i].impulse > MIN_IMPULSE ? find_or_begin (points, i, firsts, &n) : n_patches;
    OrreryVec3 arm;

    if (k >= n_patches)
      continue;
    arm = get_arm (&points[i], &patches[k]);
    spreads[k] += points[i].impulse * orrery_vec3_dot (&arm, &arm);
  }
  for (guint i = 0; i < n_points; i++) {
    guint k = points[i].impulse > MIN_IMPULSE ? find_patch (points, i, firsts, n) : n_patches;
    OrreryVec3 arm, across;

    shares[i] = (OrreryVec3){ 0 };
    if (k >= n_patches)
      continue;
    orrery_vec3_accumulate (&shares[i], &patches[k].pushed, points[i].impulse / patches[k].impulse);
    if (!(spreads[k] > 0))
      continue;
    arm = get_arm (&points[i], &patches[k]);
    across = orrery_vec3_cross (&patches[k].normal, &arm);
    orrery_vec3_accumulate (&shares[i], &across,
                            orrery_vec3_dot (&patches[k].turned, &patches[k].normal) *
                                points[i].impulse / spreads[k]);
  }
}
