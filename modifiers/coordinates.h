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
  G_DECLARE_FINAL_TYPE (Type, prefix, ORRERY, NAME, OrreryModifier)                                \
  struct _##Type {                                                                                 \
    OrreryModifier parent_instance;                                                                \
    Coordinates coordinates;                                                                       \
  };                                                                                               \
  G_DEFINE_FINAL_TYPE (Type, prefix, ORRERY_TYPE_MODIFIER)                                         \
  static void prefix##_setup (OrreryPart *part, OrrerySetup *setup, GError **error)                \
  {                                                                                                \
    coordinates_setup (&((Type *) part)->coordinates, part, setup, error);                         \
  }                                                                                                \
  static void prefix##_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)         \
  {                                                                                                \
    coordinates_convert (&((Type *) modifier)->coordinates, convert);                              \
  }                                                                                                \
  static void prefix##_finalize (GObject *object)                                                  \
  {                                                                                                \
    coordinates_clear (&((Type *) object)->coordinates);                                           \
    G_OBJECT_CLASS (prefix##_parent_class)->finalize (object);                                     \
  }                                                                                                \
  static void prefix##_class_init (Type##Class *klass)                                             \
  {                                                                                                \
    G_OBJECT_CLASS (klass)->finalize = prefix##_finalize;                                          \
    ORRERY_PART_CLASS (klass)->setup = prefix##_setup;                                             \
    ORRERY_MODIFIER_CLASS (klass)->modify = prefix##_modify;                                       \
  }                                                                                                \
  static void prefix##_init (Type *self)                                                           \
  {                                                                                                \
  }

/* What each alias fits, on the way out and on the way in. */
#define COORDINATES_OUT(alias)                                                                     \
  ORRERY_ALIASES ({ alias, "orrery.sensors.pose.Pose" }, { alias, "orrery.sensors.gps.GPS" })
#define COORDINATES_IN(alias)                                                                      \
  ORRERY_ALIASES ({ alias, "orrery.actuators.destination.Destination" },                           \
                  { alias, "orrery.actuators.waypoint.Waypoint" },                                 \
                  { alias, "orrery.actuators.teleport.Teleport" })
