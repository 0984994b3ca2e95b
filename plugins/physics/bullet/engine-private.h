/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "engine.h"

#include <btBulletDynamicsCommon.h>

/* What the C++ sources of the engine share. */

static inline btVector3
to_bullet (const OrreryVec3 &v)
{
  return btVector3 (v.x, v.y, v.z);
}

static inline OrreryVec3
from_bullet (const btVector3 &v)
{
  return OrreryVec3{ v.x (), v.y (), v.z () };
}

static inline btTransform
to_bullet (const OrreryTransform &t)
{
  return btTransform (btQuaternion (t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w),
                      to_bullet (t.position));
}

/* The shape of a body, and what it is made of, in the order of making. */
struct BodyShapes {
  btCollisionShape *whole = nullptr;
  btAlignedObjectArray<btCollisionShape *> shapes;
  btAlignedObjectArray<btTriangleMesh *> meshes;

  ~BodyShapes ();
};

/* shapes.cpp: makes the shape of a body; meshes stay meshes only where nothing moves them. */
void body_shapes_make (BodyShapes *shapes, const Piece *pieces, guint n_pieces, bool fixed,
                       double margin);

/* numbers.cpp: of a state; each goes on behind what it wrote or read. */
void put_vector (double *&to, const btVector3 &v);
btVector3 take_vector (const double *&from);
void put_frame (double *&to, const btTransform &frame);
btTransform take_frame (const double *&from);
void put_point (double *&to, const btManifoldPoint &p);
btManifoldPoint take_point (const double *&from);

/* The user index of a collision object for which the margins of meshes do not count. */
enum { RESTS_ON_SURFACES = 1 };

/* mesh-collision.cpp: replaces Bullet's own algorithm for convex shapes against meshes. */
class MeshCollision {
public:
  MeshCollision ();
  ~MeshCollision ();
  static int get_size ();
  void install (btCollisionDispatcher *dispatcher);

private:
  class Work;
  class Pair;
  struct Create;

  Work *work;
  Create *straight;
  Create *swapped;
};
