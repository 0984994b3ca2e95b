/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-object.h"

G_BEGIN_DECLS

/**
 * OrreryQuantityKind:
 * @ORRERY_QUANTITY_MASS: of an object
 * @ORRERY_QUANTITY_FRICTION: of an object
 * @ORRERY_QUANTITY_RESTITUTION: of an object
 * @ORRERY_QUANTITY_GRAVITY: of the world
 * @ORRERY_QUANTITY_WIND: of the world
 * @ORRERY_QUANTITY_ENERGY: of the lamp of an object
 * @ORRERY_QUANTITY_LIGHT_COLOR: of the lamp of an object; red, green, blue
 * @ORRERY_QUANTITY_COLOR: of the visible shapes of an object; red, green, blue
 * @ORRERY_QUANTITY_MATERIAL: of the visible shapes of an object; a name
 * @ORRERY_QUANTITY_SCALE: of the shapes of an object; along its axes, 1 is the size in the scene
 *
 * What may change in a world while it runs. More may be added at the end.
 */
typedef enum {
  ORRERY_QUANTITY_MASS,
  ORRERY_QUANTITY_FRICTION,
  ORRERY_QUANTITY_RESTITUTION,
  ORRERY_QUANTITY_GRAVITY,
  ORRERY_QUANTITY_WIND,
  ORRERY_QUANTITY_ENERGY,
  ORRERY_QUANTITY_LIGHT_COLOR,
  ORRERY_QUANTITY_COLOR,
  ORRERY_QUANTITY_MATERIAL,
  ORRERY_QUANTITY_SCALE,
} OrreryQuantityKind;

/**
 * OrreryQuantityShape:
 * @ORRERY_QUANTITY_SCALAR: one number
 * @ORRERY_QUANTITY_VEC3: three numbers
 * @ORRERY_QUANTITY_NAME: one of a list of names, or none; x of its value is the place in the list,
 *   from 1 on, and 0 is none
 *
 * What a value of a quantity is.
 */
typedef enum {
  ORRERY_QUANTITY_SCALAR,
  ORRERY_QUANTITY_VEC3,
  ORRERY_QUANTITY_NAME,
} OrreryQuantityShape;

/**
 * OrreryQuantity:
 * @kind: which
 * @name: the last part of a path, as `mass` in `box.mass`
 * @shape: one number, three, or a name
 * @unit: its unit; `1` if it has none
 * @least: least value of each of its numbers
 * @most: greatest value of each of its numbers
 * @of_world: whether the world has it, and no object
 * @description: what it is
 *
 * One row of the table of quantities.
 */
typedef struct {
  OrreryQuantityKind kind;
  const char *name;
  OrreryQuantityShape shape;
  const char *unit;
  double least;
  double most;
  gboolean of_world;
  const char *description;
} OrreryQuantity;

/**
 * OrreryLook: (skip)
 * @which: %ORRERY_QUANTITY_ENERGY, %ORRERY_QUANTITY_LIGHT_COLOR, %ORRERY_QUANTITY_COLOR or
 *   %ORRERY_QUANTITY_MATERIAL or %ORRERY_QUANTITY_SCALE
 * @object: index of an object
 * @value: what it is now; of the energy and the material x alone
 *
 * A quantity that who looks at the world sees, and that is not what the scene says.
 */
typedef struct {
  OrreryQuantityKind which;
  guint object;
  OrreryVec3 value;
} OrreryLook;

/**
 * orrery_quantity_get: (skip)
 * @place: place in the table, from 0; that of a quantity is its kind
 *
 * Any thread.
 *
 * Returns: (transfer none) (nullable): the row; %NULL behind the last one
 */
ORRERY_API const OrreryQuantity *orrery_quantity_get (guint place);
/**
 * orrery_quantity_find: (skip)
 * @name: a name
 *
 * Any thread.
 *
 * Returns: (transfer none) (nullable): the quantity of that name; %NULL if there is none
 */
ORRERY_API const OrreryQuantity *orrery_quantity_find (const char *name);
/**
 * orrery_quantity_accepts: (skip)
 * @quantity: a quantity
 * @value: a value; of a scalar one or a name x counts
 *
 * Any thread.
 *
 * Returns: whether each number is finite and within the range of the quantity; the place of a name
 *   has to be a whole number
 */
ORRERY_API gboolean orrery_quantity_accepts (const OrreryQuantity *quantity,
                                             const OrreryVec3 *value);

G_END_DECLS
