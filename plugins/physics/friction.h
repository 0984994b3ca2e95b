/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * Coulomb friction once per touching pair, at the centre of pressure ("patch friction").
 *
 * An engine solves frictionless normals, then calls this pass. A cone of friction at each contact
 * point lifts a sliding body and brakes a turning one more than users know it; one patch does not.
 * It knows no engine: what it asks of one is in FrictionEngine, which articulated bodies can answer
 * as well as free ones.
 */

#include <orrery.h>

G_BEGIN_DECLS

/* No product of two frictions counts for more. */
#define FRICTION_MAX 10.0
/* Patches of one pair: no more than six normals are 45 degrees apart by much. */
#define FRICTION_MAX_PATCHES 6

/* A contact point after the normals are solved. */
typedef struct {
  OrreryVec3 point;  /* m, world */
  OrreryVec3 normal; /* unit, from b to a, world */
  double impulse;    /* N s of the substep along the normal, not negative */
} FrictionPoint;

/* What two bodies touch each other with: the points of one pair whose normals agree. */
typedef struct {
  gpointer a, b;     /* the engine's bodies */
  double mu;         /* product of the frictions */
  double impulse;    /* N s, sum over the points */
  OrreryVec3 centre; /* m, weighted by the impulses */
  OrreryVec3 normal; /* unit, from b to a, weighted by the impulses */
  double radius;     /* m, mean distance of the points to the centre, weighted by the impulses */
  gboolean alone;    /* neither body has another patch: one sweep is exact */
  double left;       /* N s of friction that are not spent yet; of friction_solve() */
  OrreryVec3 pushed; /* N s, sum of what was applied; of friction_solve() */
  OrreryVec3 turned; /* N m s, likewise */
  guint first_side;  /* the engine's own, as the rest */
  guint n_sides;
  gboolean plain;
  gboolean moves[2]; /* a, b */
} FrictionPatch;

/*
 * What the pass asks of an engine. Relative means of a against b; directions are unit vectors in
 * world axes. `compliance` is the change of relative velocity at the centre along `direction` for
 * an impulse of 1 N s there (1/kg); `spin_compliance` the change of relative angular velocity about
 * `axis` for a torque impulse of 1 N m s (1/(kg m2)). `apply` gives the impulse and the torque
 * impulse to a at the centre, and their opposites to b.
 */
typedef struct {
  void (*measure) (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular);
  double (*compliance) (const FrictionPatch *patch, const OrreryVec3 *direction);
  double (*spin_compliance) (const FrictionPatch *patch, const OrreryVec3 *axis);
  void (*apply) (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque);
} FrictionEngine;

/*
 * Makes patches of the points of one pair: a point joins the first patch whose normal is within 45
 * degrees of its own (a floor and a wall of one mesh make two). Points without impulse count for
 * nothing. Sets impulse, centre, normal and radius of the patches; returns how many there are.
 */
guint friction_gather (const FrictionPoint *points, guint n_points,
                       FrictionPatch patches[FRICTION_MAX_PATCHES]);

/*
 * Applies friction of one substep, in the order of the patches: one sweep for patches that are
 * alone, ten for the others. Sliding and turning share the limit mu times impulse; what turning may
 * use of it is scaled by .2, a fit to what users of MORSE see.
 */
void friction_solve (const FrictionEngine *engine, FrictionPatch *patches, guint n_patches);

/*
 * What each point of a pair has of the friction of its patches, N s on a: a share of the push by
 * its impulse, and of what turns the patch a push across its arm to the centre, so that sum and
 * moment are those of the patch. @points: those that friction_gather() made @patches of, which are
 * solved since.
 */
void friction_share (const FrictionPoint *points, guint n_points, const FrictionPatch *patches,
                     guint n_patches, OrreryVec3 *shares);

G_END_DECLS
