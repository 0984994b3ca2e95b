/* SPDX-License-Identifier: BSD-3-Clause */
/* Hulls and cones that stand still, without their margin for bodies that rest on surfaces. */
#include "engine-private.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <new>

namespace {

const int convex_types[] = {
  BOX_SHAPE_PROXYTYPE,    CONVEX_HULL_SHAPE_PROXYTYPE, CYLINDER_SHAPE_PROXYTYPE,
  SPHERE_SHAPE_PROXYTYPE, CAPSULE_SHAPE_PROXYTYPE,     CONE_SHAPE_PROXYTYPE,
};

/* The shape of the first side, if it has a margin that does not count for the second. */
btConvexInternalShape *
find_bare (const btCollisionObjectWrapper *side, const btCollisionObjectWrapper *other)
{
  int type = side->getCollisionShape ()->getShapeType ();

  if (other->getCollisionObject ()->getUserIndex () != RESTS_ON_SURFACES ||
      body_of (side->getCollisionObject ())->motion != MOTION_FIXED ||
      (type != CONVEX_HULL_SHAPE_PROXYTYPE && type != CONE_SHAPE_PROXYTYPE))
    return nullptr;
  return static_cast<btConvexInternalShape *> (
      const_cast<btCollisionShape *> (side->getCollisionShape ()));
}

/* Lives in Bullet's pool, so it is no larger than its base. */
class Pair : public btConvexConvexAlgorithm {
public:
  using btConvexConvexAlgorithm::btConvexConvexAlgorithm;

  void processCollision (const btCollisionObjectWrapper *body0,
                         const btCollisionObjectWrapper *body1, const btDispatcherInfo &info,
                         btManifoldResult *result) override
  {
    btConvexInternalShape *bare = find_bare (body0, body1);

    if (bare == nullptr)
      bare = find_bare (body1, body0);
    btScalar margin = bare != nullptr ? bare->getMargin () : 0;
    if (bare != nullptr)
      bare->setMargin (0);
    btConvexConvexAlgorithm::processCollision (body0, body1, info, result);
    if (bare != nullptr)
      bare->setMargin (margin);
  }
};

static_assert (sizeof (Pair) == sizeof (btConvexConvexAlgorithm), "it has members of its own");

} // namespace

struct HullCollision::Create : public btConvexConvexAlgorithm::CreateFunc {
  using btConvexConvexAlgorithm::CreateFunc::CreateFunc;

  btCollisionAlgorithm *CreateCollisionAlgorithm (btCollisionAlgorithmConstructionInfo &info,
                                                  const btCollisionObjectWrapper *body0,
                                                  const btCollisionObjectWrapper *body1) override
  {
    void *memory = info.m_dispatcher1->allocateCollisionAlgorithm (sizeof (Pair));
    return new (memory) Pair (info.m_manifold, info, body0, body1, m_pdSolver,
                              m_numPerturbationIterations, m_minimumPointsPerturbationThreshold);
  }
};

HullCollision::~HullCollision ()
{
  delete create;
}

void
HullCollision::install (btCollisionDispatcher *dispatcher, btCollisionConfiguration *configuration)
{
  auto own = static_cast<btConvexConvexAlgorithm::CreateFunc *> (
      configuration->getCollisionAlgorithmCreateFunc (CONVEX_HULL_SHAPE_PROXYTYPE,
                                                      CONVEX_HULL_SHAPE_PROXYTYPE));

  create = new Create (own->m_pdSolver);
  create->m_numPerturbationIterations = own->m_numPerturbationIterations;
  create->m_minimumPointsPerturbationThreshold = own->m_minimumPointsPerturbationThreshold;
  for (int outer : { CONVEX_HULL_SHAPE_PROXYTYPE, CONE_SHAPE_PROXYTYPE })
    for (int type : convex_types) {
      dispatcher->registerCollisionCreateFunc (outer, type, create);
      dispatcher->registerCollisionCreateFunc (type, outer, create);
    }
}
