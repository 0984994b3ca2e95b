/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A convex shape against a mesh of triangles. Bullet's own algorithm has an early exit that leaves
 * margins out: bodies sink into a margin of more than 2 cm, are thrown out and rock for ever. This
 * one tests each triangle near the shape as what it is, a convex shape with a margin.
 *
 * Where corners of the shape stand over the face of a triangle, they are the contact points, which
 * is exact and the same from step to step: a body that slides keeps all its feet. The general
 * search (GJK) finds one point at a time, anywhere on a face; it is left for edges, round shapes
 * and bodies whose cores overlap.
 *
 * A body that a sheet cuts leaves it the shortest way, but not through its back while the body's
 * origin is before it: what stands in the ground with its feet alone comes out on top.
 */
#include "engine-private.h"

#include <BulletCollision/CollisionDispatch/btActivatingCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <LinearMath/btAabbUtil2.h>
#include <new>

namespace {

/* m: what counts as the same height over a face, or as on its edge. */
const btScalar same = 1e-6;
/* m: from the plane of a face that bears a round link, where nothing else does. */
const btScalar bearing = 2e-3;
/* Sine: a cylinder that leans less stands on its rim. */
const btScalar upright = 0.1;
/* Cosine: the way out of a face that leads to its back, not past its edges. */
const btScalar backwards = -0.5;
/* Cosine: directions that agree to a milliradian. */
const btScalar aligned = 1 - 5e-7;

struct Face {
  btVector3 p[3];
  btVector3 normal;     /* towards the shape */
  btVector3 inwards[3]; /* in the plane, from each edge, as long as it */
  btScalar low;         /* m, of the lowest corner of the shape over the face */
  bool settled;         /* that corner stands over the face itself */

  /* False for one without an area. */
  bool find_normal ()
  {
    normal = (p[1] - p[0]).cross (p[2] - p[0]);
    btScalar length = normal.length ();

    if (!(length > 0))
      return false;
    normal /= length;
    for (int i = 0; i < 3; i++)
      inwards[i] = normal.cross (p[(i + 1) % 3] - p[i]);
    return true;
  }

  /* Farther than `same` beyond an edge. Roots and quotients are left for what is near that. */
  bool is_beyond (int i, const btVector3 &corner) const
  {
    btVector3 from_edge = corner - p[i];
    btScalar along = inwards[i].dot (from_edge);

    if (along >= 0)
      return false;
    btScalar square = along * along, limit = same * same * inwards[i].length2 ();
    if (square > 4 * limit || square < limit / 4)
      return square > limit;
    return inwards[i].normalized ().dot (from_edge) < -same;
  }

  bool is_under (const btVector3 &corner) const
  {
    return !is_beyond (0, corner) && !is_beyond (1, corner) && !is_beyond (2, corner);
  }
};

/* The core of a convex shape as points; the rest is a sphere of `radius` around each. */
struct Corners {
  btAlignedObjectArray<btVector3> points;
  btScalar radius = 0;
  bool exact = false; /* the core is the hull of the points, not rounder */
  bool rolls = false; /* a round link: what is lowest over a face is found anew in each step */
  btScalar rim = 0;   /* m: of a cylinder that rolls, whose points are then those of its rims */
  btScalar half = 0;

  void add_rims (btScalar radius_low, btScalar radius_high, btScalar half)
  {
    for (int i = 0; i < 8; i++) {
      btVector3 ray (btCos (i * SIMD_PI / 4), btSin (i * SIMD_PI / 4), 0);

      points.push_back (ray * radius_low - btVector3 (0, 0, half));
      if (radius_high > 0)
        points.push_back (ray * radius_high + btVector3 (0, 0, half));
    }
  }

  void add_round (const btCollisionShape *shape)
  {
    if (shape->getShapeType () == CYLINDER_SHAPE_PROXYTYPE) {
      btVector3 core = static_cast<const btCylinderShape *> (shape)->getHalfExtentsWithoutMargin ();
      rim = core.x ();
      half = core.z ();
    } else if (shape->getShapeType () == CAPSULE_SHAPE_PROXYTYPE) {
      half = static_cast<const btCapsuleShape *> (shape)->getHalfHeight ();
      points.push_back (btVector3 (0, 0, -half));
      points.push_back (btVector3 (0, 0, half));
    } else {
      points.push_back (btVector3 (0, 0, 0));
    }
    radius = static_cast<const btConvexShape *> (shape)->getMargin ();
    rolls = true;
  }

  Corners (const btCollisionShape *shape, bool is_link)
  {
    int type = shape->getShapeType ();

    if (is_link && (type == CYLINDER_SHAPE_PROXYTYPE || type == CAPSULE_SHAPE_PROXYTYPE ||
                    type == SPHERE_SHAPE_PROXYTYPE)) {
      add_round (shape);
      return;
    }
    if (shape->getShapeType () == CONVEX_HULL_SHAPE_PROXYTYPE) {
      auto hull = static_cast<const btConvexHullShape *> (shape);

      for (int i = 0; i < hull->getNumPoints (); i++)
        points.push_back (hull->getScaledPoint (i));
      exact = true;
    } else if (shape->getShapeType () == BOX_SHAPE_PROXYTYPE) {
      btVector3 half = static_cast<const btBoxShape *> (shape)->getHalfExtentsWithoutMargin ();

      for (int i = 0; i < 8; i++)
        points.push_back (half * btVector3 (i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
      exact = true;
    } else if (shape->getShapeType () == CYLINDER_SHAPE_PROXYTYPE) {
      btVector3 half = static_cast<const btCylinderShape *> (shape)->getHalfExtentsWithoutMargin ();
      add_rims (half.x (), half.x (), half.z ());
    } else if (shape->getShapeType () == CONE_SHAPE_PROXYTYPE) {
      auto cone = static_cast<const btConeShape *> (shape);
      add_rims (cone->getRadius (), 0, cone->getHeight () / 2);
    }
    radius = static_cast<const btConvexShape *> (shape)->getMargin ();
  }
};

/* Takes what the general search finds, in the frame of the mesh's triangle, and hands it on. */
class Probe : public btManifoldResult {
public:
  using btManifoldResult::btManifoldResult;

  btVector3 normal = btVector3 (0, 0, 0); /* world, of the deepest point */
  btScalar deepest = BT_LARGE_FLOAT;
  const btAlignedObjectArray<Face> *standing = nullptr; /* faces that bear a round link */
  btVector3 front =
      btVector3 (0, 0, 0); /* world, of a face that the body's origin is before, or 0 */
  btScalar reach = 0;      /* m, of both: nearer than that the cores overlap */
  bool is_turned = false;  /* the shortest way led through the back of the face */

  /* On the plane of a face that bears it, it is that face's contact. */
  bool is_borne (const btVector3 &point) const
  {
    if (standing == nullptr)
      return false;
    btVector3 p = m_body1Wrap->getWorldTransform ().invXform (point);
    for (int i = 0; i < standing->size (); i++) {
      const Face &face = (*standing)[i];

      if (face.settled && btFabs ((p - face.p[0]).dot (face.normal)) < bearing)
        return true;
    }
    return false;
  }

  void addContactPoint (const btVector3 &on_b, const btVector3 &point, btScalar distance) override
  {
    if (is_borne (point))
      return;
    if (distance + reach < 0 && on_b.dot (front) < backwards) {
      is_turned = true;
      return;
    }
    if (distance < deepest) {
      deepest = distance;
      normal = on_b;
    }
    btManifoldResult::addContactPoint (on_b, point, distance);
  }
};

} // namespace

/* One pair at a time; the lists keep their room from call to call. */
class MeshCollision::Work : public btTriangleCallback {
public:
  void collide (const btCollisionObjectWrapper *convex_side,
                const btCollisionObjectWrapper *mesh_side, const Corners *of_convex,
                btPersistentManifold *into, const btDispatcherInfo &dispatch, btDispatcher *by)
  {
    convex = convex_side;
    mesh = mesh_side;
    corners = of_convex;
    manifold = into;
    info = &dispatch;
    dispatcher = by;

    auto shape = static_cast<const btConcaveShape *> (mesh->getCollisionShape ());
    btTransform in_mesh = mesh->getWorldTransform ().inverseTimes (convex->getWorldTransform ());
    frame = in_mesh;
    origin = mesh->getWorldTransform ().invXform (
        convex->getCollisionObject ()->getWorldTransform ().getOrigin ());
    margin = convex->getCollisionObject ()->getUserIndex () == RESTS_ON_SURFACES
                 ? 0
                 : shape->getMargin ();
    reach = corners->radius + margin;
    threshold = manifold->getContactBreakingThreshold ();
    convex->getCollisionShape ()->getAabb (in_mesh, low, high);
    btScalar shell = margin + threshold;
    low -= btVector3 (shell, shell, shell);
    high += btVector3 (shell, shell, shell);

    if (corners->rolls)
      begin_to_roll ();
    placed.resize (corners->points.size ());
    for (int i = 0; i < placed.size (); i++)
      placed[i] = in_mesh * corners->points[i];

    faces.resize (0);
    shape->processAllTriangles (this, low, high);
    for (int i = 0; i < faces.size (); i++)
      if (!faces[i].settled && !is_settled_beside (faces[i]))
        search (faces[i]);
    if (corners->rolls)
      keep_impulses ();
  }

  /* One triangle, in the mesh's frame: takes the corners that stand over it, or leaves it for
   * later. */
  void processTriangle (btVector3 *triangle, int, int) override
  {
    Face face;

    if (!TestTriangleAgainstAabb2 (triangle, low, high))
      return;
    for (int i = 0; i < 3; i++)
      face.p[i] = triangle[i];
    face.low = 0;
    face.settled = false;
    if (corners->rolls && face.find_normal ()) {
      roll (&face);
      if (face.low - reach <= threshold)
        faces.push_back (face);
      return;
    }
    if (!corners->exact || !face.find_normal () || !face_shape (&face)) {
      faces.push_back (face);
      return;
    }
    if (face.low - reach > threshold)
      return;

    face.settled = stand (face, 0, face.low + same);
    faces.push_back (face);
  }

private:
  /* Points of a round link move over it: none is kept but for its impulse. */
  void begin_to_roll ()
  {
    n_old = manifold->getNumContacts ();
    for (int i = 0; i < n_old; i++)
      old[i] = manifold->getContactPoint (i);
    manifold->clearManifold ();
  }

  void keep_impulses ()
  {
    for (int i = 0; i < manifold->getNumContacts (); i++) {
      btManifoldPoint &p = manifold->getContactPoint (i);
      btScalar least = threshold * threshold;

      for (int k = 0; k < n_old; k++) {
        btScalar square = (old[k].m_positionWorldOnB - p.m_positionWorldOnB).length2 ();

        if (square >= least || old[k].m_normalWorldOnB.dot (p.m_normalWorldOnB) < aligned)
          continue;
        least = square;
        p.m_appliedImpulse = old[k].m_appliedImpulse;
      }
    }
  }

  /* The lowest points of a cylinder's core over a face: of both rims, of one all around where it
   * stands upright. */
  void place_rims (const Face &face)
  {
    btVector3 axis = frame.getBasis ().getColumn (2), centre = frame.getOrigin ();
    btScalar up = axis.dot (face.normal);
    btVector3 down = axis * up - face.normal;
    btScalar lean = down.length ();

    placed.resize (0);
    if (lean > same)
      for (int i = -1; i <= 1; i += 2)
        placed.push_back (centre + axis * (i * corners->half) + down * (corners->rim / lean));
    if (lean > upright)
      return;
    centre -= axis * (up > 0 ? corners->half : -corners->half);
    for (int i = 0; i < 4; i++) {
      btScalar angle = i * SIMD_HALF_PI;

      placed.push_back (centre + (frame.getBasis ().getColumn (0) * btCos (angle) +
                                  frame.getBasis ().getColumn (1) * btSin (angle)) *
                                     corners->rim);
    }
  }

  /* A round link meets a face with its lowest points, on the side where its middle is. */
  void roll (Face *face)
  {
    if ((frame.getOrigin () - face->p[0]).dot (face->normal) < 0)
      face->normal = -face->normal;
    if (corners->rim > 0)
      place_rims (*face);
    measure (*face);
    face->low = BT_LARGE_FLOAT;
    for (int i = 0; i < heights.size (); i++)
      face->low = btMin (face->low, heights[i]);
    face->settled = stand (*face, -(corners->rim + corners->half), face->low + same);
  }

  /* The heights of all corners over the plane of a face. */
  void measure (const Face &face)
  {
    btVector3 foot = face.p[0], normal = face.normal;
    int n = placed.size ();

    heights.resize (n);
    if (n == 0)
      return;
    const btVector3 *corner = &placed[0];
    btScalar *height = &heights[0];
    for (int i = 0; i < n; i++)
      height[i] = (corner[i] - foot).dot (normal);
  }

  /* Measures, and turns the normal towards the shape; false where the core lies on both sides. */
  bool face_shape (Face *face)
  {
    btScalar least = BT_LARGE_FLOAT, most = -BT_LARGE_FLOAT;

    measure (*face);
    for (int i = 0; i < heights.size (); i++) {
      least = btMin (least, heights[i]);
      most = btMax (most, heights[i]);
    }
    face->low = least;
    if (least > 0)
      return true;
    if (most >= 0)
      return false;
    face->normal = -face->normal;
    face->low = -most;
    for (int i = 0; i < heights.size (); i++)
      heights[i] = -heights[i];
    return true;
  }

  /* Contacts of the corners from @floor on over a face that was measured; whether one is no higher
   * than @lowest. */
  bool stand (const Face &face, btScalar floor, btScalar lowest)
  {
    bool found = false;

    for (int i = 0; i < heights.size (); i++) {
      btScalar height = heights[i];

      if (height < floor || height - reach > threshold || !face.is_under (placed[i]))
        continue;
      add (face, placed[i], height);
      found = found || height <= lowest;
    }
    return found;
  }

  void add (const Face &face, const btVector3 &corner, btScalar height)
  {
    const btTransform &world = mesh->getWorldTransform ();
    btManifoldResult result (convex, mesh);

    result.setPersistentManifold (manifold);
    result.setShapeIdentifiersA (convex->m_partId, convex->m_index);
    result.setShapeIdentifiersB (mesh->m_partId, mesh->m_index);
    result.addContactPoint (world.getBasis () * face.normal,
                            world * (corner - face.normal * (height - margin)), height - reach);
  }

  /* A neighbour in the same plane has the lowest corner, and three stand on that plane. */
  bool is_settled_beside (const Face &face) const
  {
    int standing = 0;

    for (int i = 0; corners->rolls && i < faces.size (); i++)
      if (faces[i].settled && faces[i].normal.dot (face.normal) > aligned &&
          btFabs (faces[i].low - face.low) < same)
        return true;
    if (!corners->exact || !(face.low > 0) || manifold->getNumContacts () < 3)
      return false;
    for (int i = 0; i < manifold->getNumContacts (); i++) {
      const btManifoldPoint &p = manifold->getContactPoint (i);
      btVector3 normal = mesh->getWorldTransform ().getBasis () * face.normal;

      standing += p.m_normalWorldOnB.dot (normal) > aligned;
    }
    if (standing < 3)
      return false;
    for (int i = 0; i < faces.size (); i++)
      if (faces[i].settled && faces[i].normal.dot (face.normal) > aligned &&
          btFabs (faces[i].low - face.low) < same)
        return true;
    return false;
  }

  void search (const Face &face)
  {
    btTriangleShape shape (face.p[0], face.p[1], face.p[2]);
    shape.setMargin (margin);
    btCollisionObjectWrapper triangle (mesh, &shape, mesh->getCollisionObject (),
                                       mesh->getWorldTransform (), mesh->m_partId, mesh->m_index);
    Probe probe (convex, &triangle);
    probe.setShapeIdentifiersA (convex->m_partId, convex->m_index);
    probe.setShapeIdentifiersB (mesh->m_partId, mesh->m_index);
    probe.standing = corners->rolls ? &faces : nullptr;
    Face front = face;
    bool is_before =
        !corners->rolls && front.find_normal () && (origin - front.p[0]).dot (front.normal) >= 0;
    probe.reach = reach;
    if (is_before)
      probe.front = mesh->getWorldTransform ().getBasis () * front.normal;

    btCollisionAlgorithm *algorithm =
        dispatcher->findAlgorithm (convex, &triangle, manifold, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision (convex, &triangle, *info, &probe);
    algorithm->~btCollisionAlgorithm ();
    dispatcher->freeCollisionAlgorithm (algorithm);
    if (probe.is_turned)
      emerge (front);
    else if (probe.deepest < BT_LARGE_FLOAT && !corners->rolls)
      support (face, probe);
  }

  /* Out of a face to the side to which it looks: by all corners below it, or as deep as the shape
   * is, where they are below other faces. */
  void emerge (const Face &face)
  {
    auto shape = static_cast<const btConvexShape *> (convex->getCollisionShape ());
    btVector3 down = frame.getBasis ().transpose () * -face.normal;
    btVector3 lowest = frame * shape->localGetSupportingVertexWithoutMargin (down);
    btScalar height = (lowest - face.p[0]).dot (face.normal);

    measure (face);
    if (!stand (face, -BT_LARGE_FLOAT, BT_LARGE_FLOAT))
      add (face, (face.p[0] + face.p[1] + face.p[2]) / 3 + face.normal * height, height);
  }

  /* A flat side on a face: the corners over it bear, not the one point that was found. */
  void support (Face face, const Probe &probe)
  {
    if (!face.find_normal ())
      return;
    btScalar along = (mesh->getWorldTransform ().getBasis () * face.normal).dot (probe.normal);

    if (btFabs (along) < aligned)
      return;
    if (along < 0)
      face.normal = -face.normal;
    measure (face);
    stand (face, probe.deepest + reach - same, 0);
  }

  /* Of the present call. */
  const btCollisionObjectWrapper *convex = nullptr;
  const btCollisionObjectWrapper *mesh = nullptr;
  const Corners *corners = nullptr;
  btPersistentManifold *manifold = nullptr;
  const btDispatcherInfo *info = nullptr;
  btDispatcher *dispatcher = nullptr;
  btVector3 low, high;
  btScalar margin = 0;                    /* m, of the mesh */
  btScalar reach = 0;                     /* m, of both: the cores touch from here on */
  btScalar threshold = 0;                 /* m, contacts are made from here on */
  btTransform frame;                      /* of the shape in the mesh */
  btVector3 origin;                       /* of its body, there */
  btAlignedObjectArray<btVector3> placed; /* corners in the mesh's frame */
  btAlignedObjectArray<btScalar> heights; /* m, of these over the plane of a face */
  btAlignedObjectArray<Face> faces;
  /* Of a round link. */
  btManifoldPoint old[MANIFOLD_CACHE_SIZE];
  int n_old = 0;
};

/* What Bullet keeps for a pair; small, since it lives in Bullet's pool. */
class MeshCollision::Pair : public btActivatingCollisionAlgorithm {
public:
  Pair (const btCollisionAlgorithmConstructionInfo &info, const btCollisionObjectWrapper *body0,
        const btCollisionObjectWrapper *body1, bool is_swapped, Work *shared)
      : btActivatingCollisionAlgorithm (info, body0, body1), work (shared), swapped (is_swapped),
        corners ((is_swapped ? body1 : body0)->getCollisionShape (),
                 body_of ((is_swapped ? body1 : body0)->getCollisionObject ())->tree != nullptr)
  {
    /* The convex side first, whichever way round the pair is: normals point towards it. */
    const btCollisionObjectWrapper *first = swapped ? body1 : body0;
    const btCollisionObjectWrapper *second = swapped ? body0 : body1;
    manifold =
        m_dispatcher->getNewManifold (first->getCollisionObject (), second->getCollisionObject ());
  }

  ~Pair () override
  {
    m_dispatcher->releaseManifold (manifold);
  }

  void processCollision (const btCollisionObjectWrapper *body0,
                         const btCollisionObjectWrapper *body1, const btDispatcherInfo &info,
                         btManifoldResult *result) override
  {
    result->setPersistentManifold (manifold);
    work->collide (swapped ? body1 : body0, swapped ? body0 : body1, &corners, manifold, info,
                   m_dispatcher);
    result->refreshContactPoints ();
  }

  btScalar calculateTimeOfImpact (btCollisionObject *, btCollisionObject *,
                                  const btDispatcherInfo &, btManifoldResult *) override
  {
    return 1;
  }

  void getAllContactManifolds (btManifoldArray &manifolds) override
  {
    manifolds.push_back (manifold);
  }

private:
  Work *work;
  bool swapped;
  Corners corners;
  btPersistentManifold *manifold;
};

struct MeshCollision::Create : public btCollisionAlgorithmCreateFunc {
  Work *work;

  Create (bool is_swapped, Work *shared) : work (shared)
  {
    m_swapped = is_swapped;
  }

  btCollisionAlgorithm *CreateCollisionAlgorithm (btCollisionAlgorithmConstructionInfo &info,
                                                  const btCollisionObjectWrapper *body0,
                                                  const btCollisionObjectWrapper *body1) override
  {
    void *memory = info.m_dispatcher1->allocateCollisionAlgorithm (sizeof (Pair));
    return new (memory) Pair (info, body0, body1, m_swapped, work);
  }
};

static const int convex_types[] = {
  BOX_SHAPE_PROXYTYPE,    CONVEX_HULL_SHAPE_PROXYTYPE, CYLINDER_SHAPE_PROXYTYPE,
  SPHERE_SHAPE_PROXYTYPE, CAPSULE_SHAPE_PROXYTYPE,     CONE_SHAPE_PROXYTYPE,
};

MeshCollision::MeshCollision ()
    : work (new Work ()), straight (new Create (false, work)), swapped (new Create (true, work))
{
}

MeshCollision::~MeshCollision ()
{
  delete straight;
  delete swapped;
  delete work;
}

/* Bullet's pool has elements of one size, which is to have room for ours. */
int
MeshCollision::get_size ()
{
  return sizeof (Pair);
}

void
MeshCollision::install (btCollisionDispatcher *dispatcher)
{
  for (int type : convex_types) {
    dispatcher->registerCollisionCreateFunc (type, TRIANGLE_MESH_SHAPE_PROXYTYPE, straight);
    dispatcher->registerCollisionCreateFunc (TRIANGLE_MESH_SHAPE_PROXYTYPE, type, swapped);
  }
}
