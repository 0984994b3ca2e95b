/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A convex shape against a mesh of triangles. Bullet's own algorithm has an early exit that leaves
 * margins out: bodies sink into a margin of more than 2 cm, are thrown out and rock for ever. This
 * one tests each triangle near the shape as what it is, a convex shape with a margin.
 */
#include "engine-private.h"

#include <BulletCollision/CollisionDispatch/btActivatingCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <LinearMath/btAabbUtil2.h>
#include <new>

namespace {

class ConvexMeshAlgorithm : public btActivatingCollisionAlgorithm, public btTriangleCallback
{
public:
  ConvexMeshAlgorithm (const btCollisionAlgorithmConstructionInfo &info,
                       const btCollisionObjectWrapper *body0, const btCollisionObjectWrapper *body1,
                       bool is_swapped)
      : btActivatingCollisionAlgorithm (info, body0, body1), swapped (is_swapped)
  {
    /* The convex side first, whichever way round the pair is: normals point towards it. */
    const btCollisionObjectWrapper *first = swapped ? body1 : body0;
    const btCollisionObjectWrapper *second = swapped ? body0 : body1;
    manifold = m_dispatcher->getNewManifold (first->getCollisionObject (),
                                             second->getCollisionObject ());
  }

  ~ConvexMeshAlgorithm () override { m_dispatcher->releaseManifold (manifold); }

  void
  processCollision (const btCollisionObjectWrapper *body0, const btCollisionObjectWrapper *body1,
                    const btDispatcherInfo &dispatch_info, btManifoldResult *into) override
  {
    convex = swapped ? body1 : body0;
    mesh = swapped ? body0 : body1;
    info = &dispatch_info;
    result = into;
    result->setPersistentManifold (manifold);

    auto shape = static_cast<const btConcaveShape *> (mesh->getCollisionShape ());
    btTransform in_mesh = mesh->getWorldTransform ().inverseTimes (convex->getWorldTransform ());
    margin = shape->getMargin ();
    convex->getCollisionShape ()->getAabb (in_mesh, low, high);
    btScalar shell = margin + result->m_closestPointDistanceThreshold;
    low -= btVector3 (shell, shell, shell);
    high += btVector3 (shell, shell, shell);

    shape->processAllTriangles (this, low, high);
    result->refreshContactPoints ();
  }

  void
  processTriangle (btVector3 *triangle, int part, int index) override
  {
    if (!TestTriangleAgainstAabb2 (triangle, low, high))
      return;

    btTriangleShape shape (triangle[0], triangle[1], triangle[2]);
    shape.setMargin (margin);
    btCollisionObjectWrapper wrapped (mesh, &shape, mesh->getCollisionObject (),
                                      mesh->getWorldTransform (), part, index);
    btCollisionAlgorithm *algorithm = m_dispatcher->findAlgorithm (convex, &wrapped, manifold,
                                                                   BT_CONTACT_POINT_ALGORITHMS);
    collide (algorithm, &wrapped, part, index);
    algorithm->~btCollisionAlgorithm ();
    m_dispatcher->freeCollisionAlgorithm (algorithm);
  }

  btScalar
  calculateTimeOfImpact (btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                         btManifoldResult *) override
  {
    return 1;
  }

  void
  getAllContactManifolds (btManifoldArray &manifolds) override
  {
    manifolds.push_back (manifold);
  }

private:
  /* The result knows which side is which by its wraps, so the mesh's one gives way meanwhile. */
  void
  collide (btCollisionAlgorithm *algorithm, const btCollisionObjectWrapper *triangle, int part,
           int index)
  {
    const btCollisionObjectWrapper *before;

    if (result->getBody0Internal () == mesh->getCollisionObject ()) {
      before = result->getBody0Wrap ();
      result->setBody0Wrap (triangle);
      result->setShapeIdentifiersA (part, index);
      algorithm->processCollision (convex, triangle, *info, result);
      result->setBody0Wrap (before);
    } else {
      before = result->getBody1Wrap ();
      result->setBody1Wrap (triangle);
      result->setShapeIdentifiersB (part, index);
      algorithm->processCollision (convex, triangle, *info, result);
      result->setBody1Wrap (before);
    }
  }

  bool swapped;
  btPersistentManifold *manifold;

  /* Of the present call. */
  const btCollisionObjectWrapper *convex = nullptr;
  const btCollisionObjectWrapper *mesh = nullptr;
  const btDispatcherInfo *info = nullptr;
  btManifoldResult *result = nullptr;
  btVector3 low, high;
  btScalar margin = 0;
};

struct Create : public btCollisionAlgorithmCreateFunc
{
  explicit Create (bool is_swapped) { m_swapped = is_swapped; }

  btCollisionAlgorithm *
  CreateCollisionAlgorithm (btCollisionAlgorithmConstructionInfo &info,
                            const btCollisionObjectWrapper *body0,
                            const btCollisionObjectWrapper *body1) override
  {
    void *memory = info.m_dispatcher1->allocateCollisionAlgorithm (sizeof (ConvexMeshAlgorithm));
    return new (memory) ConvexMeshAlgorithm (info, body0, body1, m_swapped);
  }
};

const int convex_types[] = {
  BOX_SHAPE_PROXYTYPE,     CONVEX_HULL_SHAPE_PROXYTYPE, CYLINDER_SHAPE_PROXYTYPE,
  SPHERE_SHAPE_PROXYTYPE,  CAPSULE_SHAPE_PROXYTYPE,     CONE_SHAPE_PROXYTYPE,
};

} // namespace

MeshCollision::MeshCollision () : straight (new Create (false)), swapped (new Create (true))
{
}

MeshCollision::~MeshCollision ()
{
  delete straight;
  delete swapped;
}

void
MeshCollision::install (btCollisionDispatcher *dispatcher)
{
  for (int type : convex_types) {
    dispatcher->registerCollisionCreateFunc (type, TRIANGLE_MESH_SHAPE_PROXYTYPE, straight);
    dispatcher->registerCollisionCreateFunc (TRIANGLE_MESH_SHAPE_PROXYTYPE, type, swapped);
  }
}
