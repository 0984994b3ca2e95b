/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-object.h"

G_BEGIN_DECLS

/**
 * ORRERY_N_COUPLING:
 *
 * Coefficients of a coupling of two joints.
 */
#define ORRERY_N_COUPLING 5

/**
 * OrreryConstraintKind:
 * @ORRERY_CONSTRAINT_COUPLING: the joint of the object stands where a polynomial of another joint
 *   says; every engine holds it
 * @ORRERY_CONSTRAINT_POINT: a point of the object is held to that of another body, as by a ball
 *   joint
 * @ORRERY_CONSTRAINT_WELD: the object is held to another body in place and turn
 * @ORRERY_CONSTRAINT_EXCLUDE: the object and the other one do not touch each other
 *
 * What a constraint holds. A coupling is held without an engine, too; the others only by engines
 * that mark them as taken.
 */
typedef enum {
  ORRERY_CONSTRAINT_COUPLING,
  ORRERY_CONSTRAINT_POINT,
  ORRERY_CONSTRAINT_WELD,
  ORRERY_CONSTRAINT_EXCLUDE,
} OrreryConstraintKind;

/**
 * OrreryConstraint: (skip)
 * @kind: what it holds
 * @other: (nullable): the object with the leading joint, or the body it is held to; %NULL for the
 *   latter: the world
 * @coefficients: of a coupling: position = c0 + c1 x + c2 x^2 + ..., x that of the leading joint;
 *   rad and m
 * @anchor: m, in the object's frame, of a point
 * @pose: of @other in the object's frame, of a weld
 * @taken: whether an engine holds it
 *
 * A constraint of an object beside that of its parent: closed loops of a mechanism, coupled
 * fingers.
 */
typedef struct {
  OrreryConstraintKind kind;
  OrreryObject *other;
  double coefficients[ORRERY_N_COUPLING];
  OrreryVec3 anchor;
  OrreryTransform pose;
  gboolean taken;
} OrreryConstraint;

/**
 * orrery_object_add_constraint: (skip)
 * @object: an object; of a coupling: with a hinge or slide
 * @constraint: copied
 *
 * Adds a constraint, before physics is built. A joint has one coupling at most.
 *
 * Returns: %FALSE with %ORRERY_ERROR_CONFIG: a number is not finite, a joint is none that can be
 *   coupled or is coupled before, or couplings lead in a ring
 */
ORRERY_API gboolean orrery_object_add_constraint (OrreryObject *object,
                                                  const OrreryConstraint *constraint,
                                                  GError **error);
/**
 * orrery_object_get_constraints: (skip)
 *
 * The constraints in the order in which they were added. The array is the object's own.
 *
 * Returns: (element-type OrreryConstraint) (transfer none) (nullable): what holds it; an engine
 *   that does so marks each as taken, in `build`
 */
ORRERY_API GArray *orrery_object_get_constraints (OrreryObject *object);
/**
 * orrery_object_get_coupling: (skip)
 *
 * A joint that is coupled takes no commands of its own: it follows its leader.
 *
 * Returns: (nullable): the coupling of its joint, %NULL if it follows no other; valid until another
 *   constraint is added
 */
ORRERY_API OrreryConstraint *orrery_object_get_coupling (OrreryObject *object);
/**
 * orrery_constraint_follow: (skip)
 * @coupling: a coupling
 * @position: rad or m, of the leading joint
 * @velocity: (out) (optional): of the coupled joint for 1 of the leading one
 *
 * Evaluates the polynomial of a coupling and its slope. The limits of the coupled joint are not
 * applied.
 *
 * Returns: rad or m, of the coupled joint
 */
ORRERY_API double orrery_constraint_follow (const OrreryConstraint *coupling, double position,
                                            double *velocity);

G_END_DECLS
