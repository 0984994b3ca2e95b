/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Shared by the C sources of the role. */

#include "tree-set.h"

#define ORRERY_TYPE_BULLET (orrery_bullet_get_type ())
G_DECLARE_FINAL_TYPE (OrreryBullet, orrery_bullet, ORRERY, BULLET, OrreryPhysics)

struct _OrreryBullet {
  OrreryPhysics parent_instance;

  BodySet set;        /* of Entry */
  BulletStore *store; /* of all builds; NULL: of none yet */
  BulletEngine *engine;
  TreeSet *trees;  /* NULL: no links */
  guint64 made_of; /* a hash of what the engine was made from */
};

/* saved.c: all entries in their order, and what touches; floating. */
GVariant *bullet_save (OrreryBullet *self);
/* FALSE: it is of other bodies, or no state. */
gboolean bullet_restore (OrreryBullet *self, GVariant *state, GError **error);
