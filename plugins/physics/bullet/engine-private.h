/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tree-set.h"

#include "../friction.h"

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

/* shared-shapes.cpp: a mesh or hull of all worlds of the process, which nobody changes. */
struct SharedShape {
  btCollisionShape *shape = nullptr;
  btTriangleMesh *mesh = nullptr; /* what the shape is of, or NULL */
  char *digest = nullptr;
  guint n_uses = 1;

  ~SharedShape ();
};

/* What it is made of: numbers in the order of making. */
class ShapeDigest {
public:
  ShapeDigest (const char *kind, double margin);
  ~ShapeDigest ();
  ShapeDigest (const ShapeDigest &) = delete;
  ShapeDigest &operator= (const ShapeDigest &) = delete;

  void add (const double *numbers, gsize n);
  /* The last that is asked of it. */
  const char *get ()
  {
    return g_checksum_get_string (checksum);
  }

private:
  GChecksum *checksum;
};

/* A reference; of shared_shape_find(): NULL: nobody has made it yet. Takes what is added. */
SharedShape *shared_shape_find (ShapeDigest &digest);
SharedShape *shared_shape_add (ShapeDigest &digest, btCollisionShape *shape, btTriangleMesh *mesh);
void shared_shape_release (SharedShape *shared);

/* The shape of a body, and what it is made of, in the order of making. */
struct BodyShapes {
  btCollisionShape *whole = nullptr;
  btAlignedObjectArray<btCollisionShape *> own;
  btAlignedObjectArray<SharedShape *> shared;

  BodyShapes () = default;
  BodyShapes (const BodyShapes &) = delete;
  BodyShapes &operator= (const BodyShapes &) = delete;
  ~BodyShapes ();
};

class TreeRub;

struct _BulletBody {
  OrreryObject *object;
  guint index;
  Motion motion;
  BulletEngine *engine;
  btRigidBody *rigid = nullptr;
  double friction = 0;
  double margin = 0; /* m, of its meshes and hulls */
  TreeRub *rub = nullptr;
  int n_patches = 0;    /* of the present substep */
  Tree *tree = nullptr; /* that moves it; its rigid body is where it collides */
  guint link = 0;
  btCollisionShape *shape = nullptr; /* of the store, or: */
  BodyShapes *scaled = nullptr;      /* in place of those of the scene */

  ~_BulletBody ()
  {
    delete rigid;
    delete scaled;
  }
};

static inline BulletBody *
body_of (Body *own)
{
  return reinterpret_cast<Entry *> (own)->body;
}

static inline BulletBody *
body_of (const btCollisionObject *object)
{
  return static_cast<BulletBody *> (object->getUserPointer ());
}

static inline guint
index_of (const btCollisionObject *object)
{
  return body_of (object)->index;
}

/* engine.cpp */
btCollisionWorld *engine_get_world (BulletEngine *engine);

/* shapes.cpp: makes the shape of a body; meshes stay meshes only where nothing moves them. */
void body_shapes_make (BodyShapes *shapes, const Piece *pieces, guint n_pieces, bool fixed,
                       double margin);

/* store.cpp: what is the same in each build; the shapes are made if they are not there. */
btDefaultCollisionConfiguration *store_get_configuration (BulletStore *store);
btCollisionShape *store_take_shape (BulletStore *store, OrreryObject *object, const Piece *pieces,
                                    guint n_pieces, bool fixed, double margin);

/* numbers.cpp: of a state; each goes on behind what it wrote or read. */
void put_vector (double *&to, const btVector3 &v);
btVector3 take_vector (const double *&from);
void put_frame (double *&to, const btTransform &frame);
btTransform take_frame (const double *&from);
void put_point (double *&to, const btManifoldPoint &p);
btManifoldPoint take_point (const double *&from);

/* Of collision filters. */
enum { GROUP_FREE = 1, GROUP_FIXED = 2, GROUP_TOLD = 4, GROUP_GHOST = 8, GROUP_ALL = 15 };

static inline bool
is_above (OrreryObject *object, OrreryObject *other)
{
  for (other = orrery_object_get_parent (other); other != nullptr;
       other = orrery_object_get_parent (other))
    if (other == object)
      return true;
  return false;
}

/* body.cpp: as a body that was just made */
void put_at_rest (btRigidBody *rigid, const OrreryTransform *pose);

/* ray.cpp: the nearest thing, other than @own and its parts, on the way between two points: at
 * which share of it, and its unit normal; FALSE: none. @margin: m, the largest of all meshes, which
 * are met in their margins then, at a share below 0 by what begins in one; 0: on their surfaces. */
bool ray_cast (const btCollisionWorld *world, OrreryObject *own, const OrreryVec3 *from,
               const OrreryVec3 *to, double margin, double *share, OrreryVec3 *normal);

/* meetings.cpp: one manifold, with or without points, and the pieces of compounds that it is of;
 * -1: of something else. */
struct Meeting {
  btPersistentManifold *manifold;
  int piece0, piece1;
};
/* Of pieces of a pair that meets, where the pair has none yet: Bullet keeps a manifold for longer
 * than it would make one. What the pair does not have is passed over. */
void begin_meeting (btCollisionWorld *world, const btCollisionObject *a, const btCollisionObject *b,
                    int piece_a, int piece_b);
void find_meetings (const btBroadphasePairArray &pairs, btAlignedObjectArray<Meeting> &all);

/* The user index of a collision object for which the margins of what stands still do not count. */
enum { RESTS_ON_SURFACES = 1 };

/* hull-collision.cpp: for still hulls, whose margins do not count for every body. */
class HullCollision {
public:
  ~HullCollision ();
  /* Once the configuration is what it is to be. */
  void install (btCollisionDispatcher *dispatcher, btCollisionConfiguration *configuration);

private:
  struct Create;

  Create *create = nullptr;
};

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

/* tree-solver.cpp: Bullet's solver, with rows for the joints and contacts of trees among its own.
 */
class TreeSolver : public btSequentialImpulseConstraintSolver {
public:
  TreeSet *trees = nullptr;

  /* After friction: what it changed at the contacts would come back a substep later, with a sign
   * that shakes robots. */
  void settle (int n_iterations);

protected:
  void convertContacts (btPersistentManifold **manifolds, int n,
                        const btContactSolverInfo &info) override;
  btScalar solveSingleIteration (int iteration, btCollisionObject **bodies, int n_bodies,
                                 btPersistentManifold **manifolds, int n_manifolds,
                                 btTypedConstraint **constraints, int n_constraints,
                                 const btContactSolverInfo &info, btIDebugDraw *drawer) override;
  btScalar solveGroupCacheFriendlyFinish (btCollisionObject **bodies, int n_bodies,
                                          const btContactSolverInfo &info) override;

private:
  /* What a row moves: a tree, by numbers for its freedoms and what they change, or a free body. */
  struct Side {
    Tree *tree;
    int numbers;
    int body;
    btRigidBody *rigid;
    btVector3 linear, angular, turned;
  };
  struct Row {
    Side sides[2];
    int n_sides;
    btScalar steady; /* velocity of what no impulse moves */
    btScalar wanted, inverse, low, high, impulse;
    btScalar give; /* 1/kg: velocity that it yields for each N s */
    btManifoldPoint *point;
  };

  btScalar measure (const Row &row);
  void apply (const Row &row, btScalar impulse);
  void finish (Row &row, btScalar wanted, btScalar low, btScalar high);
  int open_numbers (const Tree *tree);
  void close_numbers (const Tree *tree, int numbers);
  void begin_joint (Row &row, Tree *tree, guint dof, double factor);
  void add_coupling (const TreeCoupling *coupling, btScalar dt);
  void add_friction (Tree *tree, const TreeLink *link, btScalar dt);
  void add_limits (Tree *tree, const TreeLink *link, btScalar dt);
  void add_ball_limit (Tree *tree, const TreeLink *link, btScalar dt);
  void add_joints (btScalar dt);
  void add_side (Row &row, BulletBody *body, const btVector3 &point, const btVector3 &normal,
                 btScalar sign, btScalar dt);
  void add_contacts (btPersistentManifold *manifold, const btContactSolverInfo &info);

  btScalar solve_row (Row &row);
  void keep_impulses ();

  bool settling = false; /* Bullet's part is over: free bodies have their velocities */
  btAlignedObjectArray<Row> rows;
  btAlignedObjectArray<double> numbers;
  btAlignedObjectArray<btPersistentManifold *> plain;
};

/* rub.cpp: patches of friction between bodies of which one at least is in a tree. */
class TreeRub {
public:
  void begin ();
  void prepare (FrictionPatch *patch);
  void measure (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular) const;
  double respond (const FrictionPatch *patch, const OrreryVec3 *axis, bool turns) const;
  void apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque);
  /* For the next substep, which takes it into account where it meets what stands. */
  void keep (const FrictionPatch *patch) const;

private:
  /* Six rows for its freedoms, and six of what 1 N s and 1 N m s change of them. */
  struct Side {
    Tree *tree;
    int numbers;
    double response[36];
  };

  void add_side (const FrictionPatch *patch, const BulletBody *body, const BulletBody *other);

  btAlignedObjectArray<Side> sides;
  btAlignedObjectArray<double> numbers;
};

/* loads.cpp: after a substep: its contacts and friction, to those trees that find loads. */
void load_trees (const btAlignedObjectArray<btPersistentManifold *> &manifolds,
                 const btAlignedObjectArray<FrictionPatch> &patches, double dt);

/* rub.cpp */
extern const FrictionEngine bullet_friction;
