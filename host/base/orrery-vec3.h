/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <math.h>

G_BEGIN_DECLS

/*
 * The arithmetic of vectors, inline. Results are the plain sums and products in the order x, y, z,
 * so that they have the same bits wherever they are computed; nothing is checked: pointers must not
 * be NULL, and numbers that are not finite come out as such. All functions may be called from any
 * thread.
 */

/**
 * OrreryVec3:
 * @x: first component
 * @y: second component
 * @z: third component
 *
 * Three doubles: a point, a displacement, a velocity, a force.
 */
typedef struct {
  double x, y, z;
} OrreryVec3;

#define ORRERY_TYPE_VEC3 (orrery_vec3_get_type ())
ORRERY_API GType orrery_vec3_get_type (void);

/**
 * orrery_vec3_new: (constructor)
 * @x: first component
 * @y: second component
 * @z: third component
 *
 * C code needs only the struct.
 *
 * Returns: (transfer full): a vector on the heap, for bindings
 */
ORRERY_API OrreryVec3 *orrery_vec3_new (double x, double y, double z);

/**
 * orrery_vec3_is_finite:
 * @v: a vector
 *
 * Takes no branch, so it may be asked in each step.
 *
 * Returns: %TRUE if no component is an infinity or a NaN
 */
ORRERY_API gboolean orrery_vec3_is_finite (const OrreryVec3 *v);

/**
 * orrery_vec3_length:
 * @v: a vector, components below 1e154
 *
 * The root of the sum of squares. Infinity if that sum overflows.
 *
 * Returns: its Euclidean length, in the unit of its components
 */
ORRERY_API double orrery_vec3_length (const OrreryVec3 *v);

/**
 * orrery_vec3_add: (skip)
 * @a: a vector
 * @b: another, in the same axes
 *
 * Returns: @a + @b
 */
static inline OrreryVec3
orrery_vec3_add (const OrreryVec3 *a, const OrreryVec3 *b)
{
  OrreryVec3 out = { a->x + b->x, a->y + b->y, a->z + b->z };

  return out;
}

/**
 * orrery_vec3_subtract: (skip)
 * @a: a vector
 * @b: another, in the same axes
 *
 * Returns: @a - @b: of two points the way from @b to @a
 */
static inline OrreryVec3
orrery_vec3_subtract (const OrreryVec3 *a, const OrreryVec3 *b)
{
  OrreryVec3 out = { a->x - b->x, a->y - b->y, a->z - b->z };

  return out;
}

/**
 * orrery_vec3_multiply: (skip)
 * @a: a vector
 * @b: another, in the same axes
 *
 * Returns: the products of their components
 */
static inline OrreryVec3
orrery_vec3_multiply (const OrreryVec3 *a, const OrreryVec3 *b)
{
  OrreryVec3 out = { a->x * b->x, a->y * b->y, a->z * b->z };

  return out;
}

/**
 * orrery_vec3_scale: (skip)
 * @v: a vector
 * @factor: a number
 *
 * Returns: @factor times @v
 */
static inline OrreryVec3
orrery_vec3_scale (const OrreryVec3 *v, double factor)
{
  OrreryVec3 out = { v->x * factor, v->y * factor, v->z * factor };

  return out;
}

/**
 * orrery_vec3_divide: (skip)
 * @v: a vector
 * @by: a number
 *
 * Returns: @v divided by @by: not always the bits of its product with 1 / @by
 */
static inline OrreryVec3
orrery_vec3_divide (const OrreryVec3 *v, double by)
{
  OrreryVec3 out = { v->x / by, v->y / by, v->z / by };

  return out;
}

/**
 * orrery_vec3_add_scaled: (skip)
 * @a: a vector
 * @b: another, in the same axes
 * @factor: a number
 *
 * Returns: @a + @factor times @b
 */
static inline OrreryVec3
orrery_vec3_add_scaled (const OrreryVec3 *a, const OrreryVec3 *b, double factor)
{
  OrreryVec3 out = { a->x + b->x * factor, a->y + b->y * factor, a->z + b->z * factor };

  return out;
}

/**
 * orrery_vec3_accumulate: (skip)
 * @sum: a vector, which is changed
 * @v: another, in the same axes
 * @factor: a number
 *
 * Adds @factor times @v to @sum.
 */
static inline void
orrery_vec3_accumulate (OrreryVec3 *sum, const OrreryVec3 *v, double factor)
{
  *sum = orrery_vec3_add_scaled (sum, v, factor);
}

/**
 * orrery_vec3_dot: (skip)
 * @a: a vector
 * @b: another, in the same axes
 *
 * Returns: the scalar product, in the product of their units
 */
static inline double
orrery_vec3_dot (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return a->x * b->x + a->y * b->y + a->z * b->z;
}

/**
 * orrery_vec3_cross: (skip)
 * @a: a vector
 * @b: another, in the same axes
 *
 * Returns: the vector product @a x @b
 */
static inline OrreryVec3
orrery_vec3_cross (const OrreryVec3 *a, const OrreryVec3 *b)
{
  OrreryVec3 out = { a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z,
                     a->x * b->y - a->y * b->x };

  return out;
}

/**
 * orrery_vec3_distance: (skip)
 * @a: a point
 * @b: another, in the same frame
 *
 * Returns: how far they are apart, in the unit of their components
 */
static inline double
orrery_vec3_distance (const OrreryVec3 *a, const OrreryVec3 *b)
{
  OrreryVec3 way = orrery_vec3_subtract (a, b);

  return sqrt (orrery_vec3_dot (&way, &way));
}

/**
 * orrery_vec3_widen: (skip)
 * @low: lower corner of a box
 * @high: its upper corner
 * @point: a point
 *
 * Widens the box so that it holds the point; what is not a number in it is passed over. An empty
 * box goes from %INFINITY to -%INFINITY.
 */
static inline void
orrery_vec3_widen (OrreryVec3 *low, OrreryVec3 *high, const OrreryVec3 *point)
{
  low->x = fmin (low->x, point->x);
  low->y = fmin (low->y, point->y);
  low->z = fmin (low->z, point->z);
  high->x = fmax (high->x, point->x);
  high->y = fmax (high->y, point->y);
  high->z = fmax (high->z, point->z);
}

G_END_DECLS
