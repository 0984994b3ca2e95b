/* SPDX-License-Identifier: BSD-3-Clause */
/* What contacts do to trees whose joints are asked for their wrenches. */
#include "engine-private.h"

static void
add_load (const BulletBody *body, const btVector3 &point, const btVector3 &force,
          const btVector3 &torque)
{
  OrreryVec3 p = from_bullet (point), f = from_bullet (force), t = from_bullet (torque);

  if (body->tree != nullptr && body->tree->before != nullptr)
    tree_add_load (body->tree, body->link, &p, &f, &t);
}

void
load_trees (const btAlignedObjectArray<btPersistentManifold *> &manifolds,
            const btAlignedObjectArray<FrictionPatch> &patches, double dt)
{
  const btVector3 none (0, 0, 0);

  for (int i = 0; i < manifolds.size (); i++) {
    const btPersistentManifold *m = manifolds[i];

    for (int k = 0; k < m->getNumContacts (); k++) {
      const btManifoldPoint &p = m->getContactPoint (k);
      btVector3 force = p.m_normalWorldOnB * (p.m_appliedImpulse / dt);

      add_load (body_of (m->getBody0 ()), p.getPositionWorldOnB (), force, none);
      add_load (body_of (m->getBody1 ()), p.getPositionWorldOnB (), -force, none);
    }
  }
  for (int i = 0; i < patches.size (); i++) {
    btVector3 centre = to_bullet (patches[i].centre), force = to_bullet (patches[i].pushed) / dt,
              torque = to_bullet (patches[i].turned) / dt;

    add_load (static_cast<const BulletBody *> (patches[i].a), centre, force, torque);
    add_load (static_cast<const BulletBody *> (patches[i].b), centre, -force, -torque);
  }
}
