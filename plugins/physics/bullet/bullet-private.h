/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "engine.h"

/* What the role and its states share. */

/* m, m/s, rad/s, m/s2: what is farther or faster than this is a mistake, and overflows in the
 * engine. */
#define REACH 1e9

/* One object with a body. */
typedef struct {
  OrreryObject *object;
  guint index;
  const OrreryBody *settings;
  BulletMotion motion;
  BulletBody *body;
  gboolean suspended;
  gboolean report; /* for one that is put: the engine says where it is, not the tree */

  /* Of bodies that are put. */
  OrreryTransform local; /* in the parent's frame; of a root: world */
  OrreryTransform seen;  /* pose of the parent when it was last put */
  OrreryTransform pose;  /* world */
  OrreryVec3 linear;     /* m/s, world axes; of a root, as told for this tick */
  OrreryVec3 angular;    /* rad/s */
} Entry;

/* saved.c: all entries in their order, and what touches; floating. */
GVariant *bullet_save (BulletEngine *engine, GPtrArray *entries);
/* FALSE: it is of other bodies, or no state. */
gboolean bullet_restore (BulletEngine *engine, GPtrArray *entries, GVariant *state, GError **error);
