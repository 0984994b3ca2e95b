/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the C sources of the role share. */

#include "engine.h"

#include "../twist.h"
#include "../wheels.h"

#include <math.h>

/* m, m/s, rad/s, m/s2: what is farther or faster than this is a mistake, and overflows in the
 * engine. */
#define REACH 1e9
/* m: the engine drops larger bodies from its broad phase without a word. */
#define MAX_MOVING_SIZE 1e5

/* One object with a body. */
typedef struct _Entry Entry;
struct _Entry {
  OrreryObject *object;
  guint index;
  const OrreryBody *settings;
  BulletMotion motion;
  BulletBody *body;
  gboolean suspended;
  OrreryObject *holder; /* that it moves with; NULL: none */
  OrreryTransform held; /* in the frame of the holder */
  gboolean report;      /* for one that is put: the engine says where it is, not the tree */

  /* Of bodies that are put. */
  OrreryTransform local; /* in the parent's frame; of a root: world */
  OrreryTransform seen;  /* pose of the parent when it was last put */
  OrreryTransform pose;  /* world */
  OrreryVec3 linear;     /* m/s, world axes; of a root, as told for this tick */
  OrreryVec3 angular;    /* rad/s */
};

#define ORRERY_TYPE_BULLET (orrery_bullet_get_type ())
G_DECLARE_FINAL_TYPE (OrreryBullet, orrery_bullet, ORRERY, BULLET, OrreryPhysics)

struct _OrreryBullet {
  OrreryPhysics parent_instance;

  OrreryWorld *world;
  BulletEngine *engine;
  GPtrArray *entries; /* (element-type Entry), in the order of the objects */
  Entry **by_object;  /* NULL where an object has no body */
  WheelSet *wheels;   /* NULL: none */
  guint n_held;       /* entries that are held */
  gboolean broken;    /* a state was reached that is none */
};

/* check.c: whether the engine can take it; FALSE with ORRERY_ERROR_CONFIG. */
gboolean bullet_check_settings (Entry *entry, GError **error);
gboolean bullet_check_piece (Entry *entry, const BulletPiece *piece, GError **error);
/* Says what is wrong with an object; FALSE. */
gboolean bullet_fail (GError **error, OrreryObject *object, const char *message);
gboolean bullet_is_near (const OrreryVec3 *v, double reach);

/* bullet.c: whether @holder is @object, is a part of it, or is held by it in turn. */
gboolean bullet_is_held_by (OrreryBullet *self, OrreryObject *object, OrreryObject *holder);

/* saved.c: all entries in their order, and what touches; floating. */
GVariant *bullet_save (OrreryBullet *self);
/* FALSE: it is of other bodies, or no state. */
gboolean bullet_restore (OrreryBullet *self, GVariant *state, GError **error);
