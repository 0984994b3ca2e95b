/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-object.h"

G_BEGIN_DECLS

/**
 * OrreryLampKind:
 * @ORRERY_LAMP_POINT: in all directions
 * @ORRERY_LAMP_SPOT: in a cone
 * @ORRERY_LAMP_SUN: from infinitely far, the same everywhere
 *
 * The way in which a lamp shines.
 */
typedef enum {
  ORRERY_LAMP_POINT,
  ORRERY_LAMP_SPOT,
  ORRERY_LAMP_SUN,
} OrreryLampKind;

/**
 * OrreryLamp: (skip)
 * @kind: where it shines
 * @color: red, green, blue, 0 to 1
 * @energy: how bright: 1 shows a white wall white that faces it from near by
 * @distance: D, m: at d m the share D / (D + d2) of that is left; a sun's has none
 * @direction: of a spot or sun: unit, in the object's frame
 * @angle: of a spot: full angle of its cone, rad, up to pi
 * @blend: of a spot: how soft the edge of its cone is, 0 to 1
 * @shadows: whether what it shines on throws a shadow; dear
 * @on: whether it shines at the start
 *
 * A lamp at an object.
 */
typedef struct {
  OrreryLampKind kind;
  OrreryVec3 color;
  double energy;
  double distance;
  OrreryVec3 direction;
  double angle;
  double blend;
  gboolean shadows;
  gboolean on;
} OrreryLamp;

/**
 * orrery_object_get_lamp: (skip)
 *
 * The settings of a lamp, which code that builds the world may change before the first tick.
 * Whether it shines now is told by orrery_object_is_lit().
 *
 * Returns: (nullable): its lamp; %NULL: it has none
 */
ORRERY_API OrreryLamp *orrery_object_get_lamp (OrreryObject *object);
/**
 * orrery_object_add_lamp: (skip)
 *
 * For code that builds the world, before the first tick.
 *
 * Returns: its lamp; a new one is white, shines in all directions along (0, 0, -1) with energy 1
 *   and distance 25
 */
ORRERY_API OrreryLamp *orrery_object_add_lamp (OrreryObject *object);
/**
 * orrery_object_is_lit:
 *
 * The present state of a lamp. An object that is not present in the world is not lit.
 *
 * Returns: whether it has a lamp that is on; parts change that by orrery_commands_set_lamp()
 */
ORRERY_API gboolean orrery_object_is_lit (OrreryObject *object);

G_END_DECLS
