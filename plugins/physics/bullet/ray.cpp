/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays for wheels. */
#include "engine-private.h"

namespace {

/* A margin counts along a ray as on ground that is no steeper than this. */
const btScalar min_cosine = 0.5;

/* Passes through the body that asks, its own parts, and what nothing collides with. Meshes are met
 * in their margin, if @margin, the largest one, is not 0; convex shapes always are. */
struct Ray : public btCollisionWorld::RayResultCallback {
  OrreryObject *own;
  btVector3 from, to, way;
  btVector3 normal = btVector3 (0, 0, 0);
  btScalar longer; /* than asked: a margin may be in reach where the surface is not */
  bool margins;
  btScalar nearest = BT_LARGE_FLOAT; /* as a share of the way that was asked for */

  Ray (OrreryObject *object, const btVector3 &start, const btVector3 &end, btScalar margin)
      : own (object), from (start), to (end), way (end - start),
        longer (1 + margin / (min_cosine * way.length ())), margins (margin > 0)
  {
    way *= longer;
    if (margins)
      to = from + way;
    m_collisionFilterGroup = GROUP_FREE;
    m_collisionFilterMask = GROUP_FREE | GROUP_FIXED | GROUP_TOLD;
  }

  btScalar addSingleResult (btCollisionWorld::LocalRayResult &result, bool in_world) override
  {
    const btCollisionObject *object = result.m_collisionObject;
    const btCollisionWorld::LocalShapeInfo *piece = result.m_localShapeInfo;
    btVector3 n = result.m_hitNormalLocal.normalized ();
    btScalar share = result.m_hitFraction;

    if (!in_world)
      n = object->getWorldTransform ().getBasis () * n;
    /* Of a mesh: the other pieces have no part. */
    if (margins && piece != nullptr && piece->m_shapePart >= 0)
      share -= body_of (object)->margin / btMax (-way.dot (n), min_cosine * way.length ());
    if (longer * share < nearest) {
      nearest = longer * share;
      normal = n;
      m_collisionObject = object;
    }
    if (!margins)
      m_closestHitFraction = result.m_hitFraction;
    return m_closestHitFraction;
  }

  bool needsCollision (btBroadphaseProxy *proxy) const override
  {
    OrreryObject *other =
        body_of (static_cast<btCollisionObject *> (proxy->m_clientObject))->object;

    return RayResultCallback::needsCollision (proxy) && other != own && !is_above (own, other);
  }
};

} // namespace

bool
ray_cast (const btCollisionWorld *world, OrreryObject *own, const OrreryVec3 *from,
          const OrreryVec3 *to, double margin, double *share, OrreryVec3 *normal)
{
  Ray ray (own, to_bullet (*from), to_bullet (*to), margin);

  world->rayTest (ray.from, ray.to, ray);
  *share = ray.nearest;
  *normal = from_bullet (ray.normal);
  return ray.nearest <= 1;
}
