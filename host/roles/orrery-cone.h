/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-physics.h"

G_BEGIN_DECLS

/**
 * OrreryCone: (skip)
 * @pose: tip and axis: the cone opens along x
 * @height: m, from the tip to the flat base, 0 or more; 0: the tip alone
 * @radius: m, of the base, 0 or more
 *
 * What a radar looks through.
 */
typedef struct {
  OrreryTransform pose;
  double height;
  double radius;
} OrreryCone;

/**
 * orrery_cone_set_angle: (skip)
 * @cone: whose height is set
 * @degrees: from side to side; what is not below a half circle counts as 179.9, as in Blender
 *
 * Sets the radius of the base.
 */
ORRERY_API void orrery_cone_set_angle (OrreryCone *cone, double degrees);

/**
 * orrery_cone_get_distance: (skip)
 * @cone: in the world
 * @object: with the solid shapes of its body, each with the margin in which it makes contacts
 * @pose: of the object, in the world
 *
 * The triangles of a body that stands still count one by one; all other shapes are convex, as
 * bodies collide. An object without solid shapes is a point. Allocates nothing; any thread.
 *
 * Returns: m between the two; 0 where they meet
 */
ORRERY_API double orrery_cone_get_distance (const OrreryCone *cone, OrreryObject *object,
                                            const OrreryTransform *pose);

G_END_DECLS
