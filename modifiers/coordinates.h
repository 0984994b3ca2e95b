/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What modifiers of coordinates share: x, y, z of a record, in place, by where the scene lies on
 * the Earth. */
typedef struct {
  OrreryGeodesy *geodesy; /* NULL: a field is missing */
  double *x, *y, *z;
} Coordinates;

typedef void (*CoordinatesFunc) (const OrreryGeodesy *geodesy, const OrreryVec3 *from,
                                 OrreryVec3 *to);

void coordinates_setup (Coordinates *self, OrreryPart *part, OrrerySetup *setup, GError **error);
void coordinates_clear (Coordinates *self);
void coordinates_convert (Coordinates *self, CoordinatesFunc convert);

/* A modifier class that does no more than that. */
#define COORDINATES_DEFINE(Type, prefix, NAME, convert)                                            \
  typedef struct {                                                                                 \
    OrreryModifier parent_instance;                                                                \
    Coordinates coordinates;                                                                       \
  } Type;                                                                                          \
  ORRERY_DEFINE_CLASS (Type, prefix, OrreryModifier, orrery_modifier)                              \
  static void prefix##_setup (OrreryPart *part, OrrerySetup *setup, GError **error)                \
  {                                                                                                \
    coordinates_setup (&((Type *) part)->coordinates, part, setup, error);                         \
  }                                                                                                \
  static void prefix##_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)         \
  {                                                                                                \
    coordinates_convert (&((Type *) modifier)->coordinates, convert);                              \
  }                                                                                                \
  static void prefix##_class_init (Type##Class *klass)                                             \
  {                                                                                                \
    ORRERY_PART_CLASS (klass)->setup = prefix##_setup;                                             \
    ORRERY_MODIFIER_CLASS (klass)->modify = prefix##_modify;                                       \
    ORRERY_CLASS_OWNS (klass, Type, coordinates.geodesy, orrery_geodesy_unref);                    \
  }

/* What each alias fits, on the way out and on the way in. */
#define COORDINATES_OUT(alias)                                                                     \
  ORRERY_ALIASES ({ alias, "orrery.sensors.pose.Pose" }, { alias, "orrery.sensors.gps.GPS" })
#define COORDINATES_IN(alias)                                                                      \
  ORRERY_ALIASES ({ alias, "orrery.actuators.destination.Destination" },                           \
                  { alias, "orrery.actuators.waypoint.Waypoint" },                                 \
                  { alias, "orrery.actuators.teleport.Teleport" })
