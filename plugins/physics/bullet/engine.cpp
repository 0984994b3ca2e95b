/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of Bullet behind functions in C. */
#include "engine-private.h"

#include <algorithm>
#include <vector>

namespace {

/* A part of a thing does not collide with the thing; a link only not with the next. */
bool
is_part (const BulletBody *body, const BulletBody *other)
{
  int i = body->motion == MOTION_LINK ? body->tree->links[body->link].parent : -1;

  if (!is_above (other->object, body->object))
    return false;
  for (; i >= 0; i = body->tree->links[i].parent)
    if (!body->tree->links[i].is_hollow)
      return other->tree == body->tree && int (other->link) == i;
  return true;
}

struct Filter : public btOverlapFilterCallback {
  const BodySet *set = nullptr;

  bool needBroadphaseCollision (btBroadphaseProxy *a, btBroadphaseProxy *b) const override
  {
    if (!(a->m_collisionFilterGroup & b->m_collisionFilterMask) ||
        !(b->m_collisionFilterGroup & a->m_collisionFilterMask))
      return false;

    auto x = body_of (static_cast<btCollisionObject *> (a->m_clientObject));
    auto y = body_of (static_cast<btCollisionObject *> (b->m_clientObject));
    return !is_part (x, y) && !is_part (y, x) && !body_set_are_apart (set, x->object, y->object);
  }
};

/* One manifold with points, and what it is sorted by: objects, then the piece of a compound. */
struct Touch {
  btPersistentManifold *manifold;
  guint low, high;
  int piece0, piece1;

  bool is_pair_of (const Touch &other) const
  {
    return low == other.low && high == other.high;
  }
};

struct TouchOrder {
  bool operator() (const Touch &a, const Touch &b) const
  {
    if (a.low != b.low)
      return a.low < b.low;
    if (a.high != b.high)
      return a.high < b.high;
    if (a.piece0 != b.piece0)
      return a.piece0 < b.piece0;
    return a.piece1 < b.piece1;
  }
};

/*
 * Frictionless normals for all bodies at once, in the order of objects, then friction. Nothing
 * sleeps, so there is no use for islands; without them nothing depends on the order in which the
 * broad phase finds its pairs, which hangs on addresses.
 */
class World : public btDiscreteDynamicsWorld {
public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  btAlignedObjectArray<Touch> touches;
  btAlignedObjectArray<btCollisionObject *> moving;
  TreeSet *trees = nullptr; /* where there are links */
  TreeRub tree_rub;
  bool measures = false;                      /* the friction of contacts */
  btAlignedObjectArray<OrreryVec3> frictions; /* N s, on the first body, of all points of touches */

  void find_touches ();

  /* In the order of objects, whenever they came. */
  void insert_moving (btCollisionObject *object)
  {
    moving.push_back (object);
    for (int i = moving.size () - 1; i > 0; i--)
      if (body_of (moving[i - 1])->index > body_of (moving[i])->index)
        moving.swap (i - 1, i);
  }

  void remove_moving (btCollisionObject *object)
  {
    int at = moving.findLinearSearch (object);

    for (int i = at; i + 1 < moving.size (); i++)
      moving.swap (i, i + 1);
    if (at < moving.size ())
      moving.pop_back ();
  }

  void substep (double dt)
  {
    if (trees != nullptr)
      tree_set_place (trees);
    saveKinematicState (dt);
    internalSingleStepSimulation (dt);
    if (trees != nullptr && trees->measured) {
      load_trees (solvable, patches, dt);
      tree_set_find_loads (trees, dt);
    }
    if (trees != nullptr)
      tree_set_integrate (trees, dt);
  }

protected:
  void calculateSimulationIslands () override
  {
  }

  void updateActivationState (btScalar) override
  {
  }

  void solveConstraints (btContactSolverInfo &info) override
  {
    find_touches ();
    solvable.resize (0);
    for (int i = 0; i < touches.size (); i++) {
      btPersistentManifold *m = touches[i].manifold;

      if (m_dispatcher1->needsResponse (m->getBody0 (), m->getBody1 ()))
        solvable.push_back (m);
    }
    if (trees != nullptr)
      tree_set_accelerate (trees, info.m_timeStep);
    if (moving.size () > 0 || trees != nullptr)
      m_constraintSolver->solveGroup (moving.size () > 0 ? &moving[0] : nullptr, moving.size (),
                                      solvable.size () > 0 ? &solvable[0] : nullptr,
                                      solvable.size (), nullptr, 0, info, nullptr, m_dispatcher1);
    if (trees != nullptr)
      tree_set_take_back (trees);
    rub ();
    if (trees != nullptr)
      static_cast<TreeSolver *> (m_constraintSolver)->settle (info.m_numIterations);
  }

private:
  int find_end (int from) const;
  void collect (int from, int to);
  void gather (int from, int to);
  void rub ();
  void share_friction ();

  btAlignedObjectArray<btPersistentManifold *> solvable;
  btAlignedObjectArray<FrictionPoint> points;
  btAlignedObjectArray<FrictionPatch> patches;
};

void
World::find_touches ()
{
  touches.resize (0);
  frictions.resize (0);
  for (int i = 0; i < m_dispatcher1->getNumManifolds (); i++) {
    btPersistentManifold *m = m_dispatcher1->getManifoldByIndexInternal (i);

    if (m->getNumContacts () == 0)
      continue;
    const btManifoldPoint &point = m->getContactPoint (0);
    guint a = body_of (m->getBody0 ())->index, b = body_of (m->getBody1 ())->index;
    touches.push_back (Touch{ m, btMin (a, b), btMax (a, b), point.m_index0, point.m_index1 });
  }
  if (touches.size () > 1)
    touches.quickSort (TouchOrder ());
}

/* --- friction --- */

/* Of a body that is begun anew in each substep; of others nobody asks. */
static void
count_patches (BulletBody *body, guint n)
{
  if (body->motion == MOTION_FREE && body->tree == nullptr)
    body->n_patches += n;
}

/* Manifolds of one pair are neighbours. */
int
World::find_end (int from) const
{
  int to = from + 1;

  while (to < touches.size () && touches[to].is_pair_of (touches[from]))
    to++;
  return to;
}

/* The points of one pair. */
void
World::collect (int from, int to)
{
  const btCollisionObject *a = touches[from].manifold->getBody0 ();

  points.resize (0);
  for (int i = from; i < to; i++) {
    const btPersistentManifold *m = touches[i].manifold;
    btScalar sign = m->getBody0 () == a ? 1 : -1;

    for (int k = 0; k < m->getNumContacts (); k++) {
      const btManifoldPoint &p = m->getContactPoint (k);
      points.push_back (FrictionPoint{ from_bullet (p.getPositionWorldOnB ()),
                                       from_bullet (p.m_normalWorldOnB * sign),
                                       p.m_appliedImpulse });
    }
  }
}

/* The patches of one pair. */
void
World::gather (int from, int to)
{
  auto a = body_of (touches[from].manifold->getBody0 ());
  auto b = body_of (touches[from].manifold->getBody1 ());
  FrictionPatch made[FRICTION_MAX_PATCHES];
  double mu = a->friction * b->friction;

  if (!(mu > 0) || !m_dispatcher1->needsResponse (a->rigid, b->rigid))
    return;

  collect (from, to);
  guint n = friction_gather (&points[0], points.size (), made);
  for (guint i = 0; i < n; i++) {
    made[i].a = a;
    made[i].b = b;
    made[i].mu = mu;
    patches.push_back (made[i]);
  }
  count_patches (a, n);
  count_patches (b, n);
}

void
World::rub ()
{
  for (int i = 0; i < moving.size (); i++)
    body_of (moving[i])->n_patches = 0;

  tree_rub.begin ();
  patches.resize (0);
  for (int from = 0, to; from < touches.size (); from = to) {
    to = find_end (from);
    gather (from, to);
  }
  for (int i = 0; i < patches.size (); i++) {
    auto a = static_cast<const BulletBody *> (patches[i].a);
    auto b = static_cast<const BulletBody *> (patches[i].b);

    patches[i].plain = a->tree == nullptr && b->tree == nullptr;
    if (!patches[i].plain)
      tree_rub.prepare (&patches[i]);
    patches[i].alone = patches[i].plain && (a->motion != MOTION_FREE || a->n_patches == 1) &&
                       (b->motion != MOTION_FREE || b->n_patches == 1);
  }
  if (patches.size () > 0)
    friction_solve (&bullet_friction, &patches[0], patches.size ());
  for (int i = 0; i < patches.size (); i++)
    if (!patches[i].plain)
      tree_rub.keep (&patches[i]);
  if (measures)
    share_friction ();
}

/* Patches are in the order of pairs; those that have none feel no friction. */
void
World::share_friction ()
{
  int patch = 0, first = 0;

  frictions.resize (0);
  for (int from = 0, to; from < touches.size (); from = to) {
    to = find_end (from);
    collect (from, to);
    const btCollisionObject *a = touches[from].manifold->getBody0 (),
                            *b = touches[from].manifold->getBody1 ();
    int end = patch;

    while (end < patches.size () && patches[end].a == body_of (a) && patches[end].b == body_of (b))
      end++;
    frictions.resize (first + points.size ());
    if (points.size () > 0)
      friction_share (&points[0], points.size (), end > patch ? &patches[patch] : nullptr,
                      end - patch, &frictions[first]);
    first += points.size ();
    patch = end;
  }
}

} // namespace

/* --- the engine --- */

/* What acted on a body before a force of one substep. */
struct Push {
  btRigidBody *rigid;
  btVector3 force;
  btVector3 torque;
};

struct _BulletEngine {
  BulletStore *store;
  MeshCollision mesh_collision;
  HullCollision hull_collision;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broadphase;
  TreeSolver solver;
  Filter filter;
  World world;
  btAlignedObjectArray<BulletBody *> bodies;
  btAlignedObjectArray<Push> pushes; /* of the next substep */
  btScalar most_margin = 0;          /* m, of meshes */

  explicit _BulletEngine (BulletStore *its_store)
      : store (its_store), dispatcher (store_get_configuration (store)),
        world (&dispatcher, &broadphase, &solver, store_get_configuration (store))
  {
    mesh_collision.install (&dispatcher);
    hull_collision.install (&dispatcher, store_get_configuration (store));
    broadphase.getOverlappingPairCache ()->setOverlapFilterCallback (&filter);
    /* All pairs are looked through in each step, so that none lives on by its place in a list. */
    broadphase.m_cupdates = 100;
    world.setForceUpdateAllAabbs (false);
    world.setGravity (btVector3 (0, 0, 0));
  }

  ~_BulletEngine ()
  {
    for (int i = bodies.size () - 1; i >= 0; i--) {
      world.removeRigidBody (bodies[i]->rigid);
      delete bodies[i];
    }
  }
};

BulletEngine *
bullet_engine_new (const BodySet *set, BulletStore *store)
{
  auto engine = new _BulletEngine (store);

  engine->filter.set = set;
  return engine;
}

void
bullet_engine_free (BulletEngine *engine)
{
  delete engine;
}

static btRigidBody *
make_rigid (BulletBody *body, const OrreryBody *settings, const OrreryTransform *pose)
{
  bool moves = body->motion == MOTION_FREE || body->motion == MOTION_LINK;
  btScalar mass = moves ? settings->mass : 0;
  btVector3 inertia (0, 0, 0);

  if (mass > 0 && body->shape->getShapeType () != EMPTY_SHAPE_PROXYTYPE)
    body->shape->calculateLocalInertia (mass, inertia);
  /* Of a link only whether it moves counts. */
  if (body->motion == MOTION_LINK)
    mass = 1;
  btRigidBody::btRigidBodyConstructionInfo info (mass, nullptr, body->shape, inertia);
  info.m_startWorldTransform = to_bullet (*pose);
  info.m_restitution = settings->restitution;
  info.m_linearDamping = settings->linear_damping;
  info.m_angularDamping = settings->angular_damping;
  /* The solver is to make normals only; friction is a pass of our own. */
  info.m_friction = 0;

  auto rigid = new btRigidBody (info);
  rigid->setFlags (BT_DISABLE_WORLD_GRAVITY);
  rigid->setUserPointer (body);
  if (body->motion != MOTION_FIXED)
    rigid->setActivationState (DISABLE_DEACTIVATION);
  if (body->motion == MOTION_TOLD || body->motion == MOTION_GHOST)
    rigid->setCollisionFlags (rigid->getCollisionFlags () | btCollisionObject::CF_KINEMATIC_OBJECT);
  if (body->motion == MOTION_GHOST)
    rigid->setCollisionFlags (rigid->getCollisionFlags () |
                              btCollisionObject::CF_NO_CONTACT_RESPONSE);
  return rigid;
}

/* More than objects that a world may have. */
#define FIRST_LINK (1 << 24)

static void
enter_world (BulletEngine *engine, BulletBody *body)
{
  /* By the motion. */
  static const int groups[] = { GROUP_FIXED, GROUP_FREE, GROUP_FREE, GROUP_TOLD, GROUP_GHOST };
  static const int masks[] = { GROUP_FREE | GROUP_GHOST, GROUP_ALL, GROUP_ALL,
                               GROUP_FREE | GROUP_GHOST, GROUP_ALL };

  if (body->tree != nullptr && body->shape->getShapeType () == EMPTY_SHAPE_PROXYTYPE)
    return;
  /* The bodies of a pair are in the order of these numbers: free ones before links, both in the
   * order of their objects, whenever they came. */
  engine->broadphase.m_gid = int (body->index) + (body->tree != nullptr ? FIRST_LINK : 0);
  if (body->tree != nullptr)
    engine->world.addCollisionObject (body->rigid, groups[body->motion], masks[body->motion]);
  else
    engine->world.addRigidBody (body->rigid, groups[body->motion], masks[body->motion]);
  if (body->tree == nullptr && body->motion != MOTION_FIXED)
    engine->world.insert_moving (body->rigid);
}

void
bullet_body_leave (BulletBody *body)
{
  World &world = body->engine->world;

  world.removeRigidBody (body->rigid);
  world.remove_moving (body->rigid);
  /* Its manifolds are gone. */
  world.find_touches ();
}

void
bullet_body_enter (BulletBody *body, const OrreryTransform *pose)
{
  put_at_rest (body->rigid, pose);
  enter_world (body->engine, body);
}

void
bullet_engine_begin_again (BulletEngine *engine)
{
  btOverlappingPairCache *cache = engine->broadphase.getOverlappingPairCache ();
  btBroadphasePairArray &pairs = cache->getOverlappingPairArray ();

  for (int i = 0; i < pairs.size (); i++)
    cache->cleanOverlappingPair (pairs[i], &engine->dispatcher);
  engine->world.find_touches ();
  engine->pushes.resizeNoInitialize (0);
}

/* The box is the one that a new body has in the broad phase, not the wider one of a body that has
 * moved: which pairs there are must not tell of the past. */
void
bullet_body_begin_again (BulletBody *body, const OrreryTransform *pose, gboolean present)
{
  btRigidBody *rigid = body->rigid;
  bool was_present = rigid->getBroadphaseHandle () != nullptr;
  btVector3 low, high;

  rigid->forceActivationState (body->motion == MOTION_FIXED ? ISLAND_SLEEPING
                                                            : DISABLE_DEACTIVATION);
  rigid->setGravity (btVector3 (0, 0, 0));
  if (present && !was_present) {
    bullet_body_enter (body, pose);
    return;
  }
  if (was_present && !present)
    bullet_body_leave (body);
  put_at_rest (rigid, pose);
  if (!present)
    return;
  rigid->getCollisionShape ()->getAabb (rigid->getWorldTransform (), low, high);
  body->engine->broadphase.setAabbForceUpdate (rigid->getBroadphaseHandle (), low, high,
                                               &body->engine->dispatcher);
}

BulletBody *
bullet_engine_add_body (BulletEngine *engine, OrreryObject *object, Motion motion,
                        const Piece *pieces, guint n_pieces, const OrreryTransform *pose,
                        gboolean articulated)
{
  const OrreryBody *settings = orrery_object_get_body (object);
  auto body = new _BulletBody ();

  body->object = object;
  body->index = orrery_object_get_index (object);
  body->motion = motion;
  body->engine = engine;
  body->rub = &engine->world.tree_rub;
  body->friction = settings->friction;
  body->margin = fmax (settings->margin, 0);
  if (motion == MOTION_FIXED)
    engine->most_margin = btMax (engine->most_margin, body->margin);
  body->shape = store_take_shape (engine->store, object, pieces, n_pieces, motion == MOTION_FIXED,
                                  body->margin);
  body->rigid = make_rigid (body, settings, pose);
  body->rigid->setUserIndex (settings->margin == ORRERY_NO_MARGIN ? RESTS_ON_SURFACES : -1);
  if (!articulated)
    enter_world (engine, body);
  engine->bodies.push_back (body);
  return body;
}

void
bullet_engine_drop_bodies (BulletEngine *engine, guint first)
{
  btAlignedObjectArray<BulletBody *> &bodies = engine->bodies;

  while (bodies.size () > 0 && bodies[bodies.size () - 1]->index >= first) {
    engine->world.removeRigidBody (bodies[bodies.size () - 1]->rigid);
    delete bodies[bodies.size () - 1];
    bodies.pop_back ();
  }
}

void
bullet_engine_begin (BulletEngine *engine)
{
  engine->world.applyGravity ();
}

/* What acts in each substep stands again, to the last bit; what stood first comes last. */
static void
take_pushes_back (BulletEngine *engine)
{
  for (int i = engine->pushes.size () - 1; i >= 0; i--) {
    const Push &push = engine->pushes[i];

    push.rigid->clearForces ();
    push.rigid->applyCentralForce (push.force);
    push.rigid->applyTorque (push.torque);
  }
  engine->pushes.resizeNoInitialize (0);
}

/* Damping brakes bodies in still air; a force makes of it what it would be in wind. */
static void
blow (BulletEngine *engine, double dt)
{
  const OrreryVec3 *wind = orrery_world_get_wind (engine->filter.set->world);

  if (wind->x == 0 && wind->y == 0 && wind->z == 0)
    return;
  for (int i = 0; i < engine->world.moving.size (); i++) {
    BulletBody *body = body_of (engine->world.moving[i]);
    btRigidBody *rigid = body->rigid;
    double share = -expm1 (log1p (-rigid->getLinearDamping ()) * dt);

    if (body->motion != MOTION_FREE)
      continue;
    engine->pushes.push_back (Push{ rigid, rigid->getTotalForce (), rigid->getTotalTorque () });
    rigid->applyCentralForce (to_bullet (*wind) * (share / (dt * rigid->getInvMass ())));
  }
}

void
bullet_engine_step (BulletEngine *engine, double dt)
{
  blow (engine, dt);
  engine->world.substep (dt);
  take_pushes_back (engine);
}

void
bullet_engine_end (BulletEngine *engine)
{
  engine->world.clearForces ();
  for (int i = 0; i < engine->bodies.size (); i++)
    if (engine->bodies[i]->tree != nullptr)
      engine->bodies[i]->rigid->clearForces ();
}

void
bullet_engine_measure_contacts (BulletEngine *engine)
{
  engine->world.measures = true;
}

/* Frictions are on the first body of the first manifold of a pair. */
void
bullet_engine_report (BulletEngine *engine, OrrerySnapshot *snapshot)
{
  const btAlignedObjectArray<Touch> &touches = engine->world.touches;
  const btAlignedObjectArray<OrreryVec3> &frictions = engine->world.frictions;
  const btCollisionObject *first = nullptr;
  int at = 0;

  for (int i = 0; i < touches.size (); i++) {
    const btPersistentManifold *m = touches[i].manifold;

    if (i == 0 || !touches[i].is_pair_of (touches[i - 1]))
      first = m->getBody0 ();
    for (int k = 0; k < m->getNumContacts (); k++, at++) {
      const btManifoldPoint &p = m->getContactPoint (k);
      OrreryVec3 friction = { 0, 0, 0 };
      OrreryContact contact = { body_of (m->getBody0 ())->index, body_of (m->getBody1 ())->index,
                                from_bullet (p.getPositionWorldOnB ()),
                                from_bullet (p.m_normalWorldOnB), p.m_appliedImpulse };
      if (at < frictions.size ())
        friction = orrery_vec3_scale (&frictions[at], m->getBody0 () == first ? 1 : -1);
      orrery_snapshot_add_contact_with_friction (snapshot, &contact, &friction);
    }
  }
}

btCollisionWorld *
engine_get_world (BulletEngine *engine)
{
  return &engine->world;
}

/* --- one body --- */

void
bullet_body_set_pose (BodySet *, Body *own, const OrreryTransform *pose)
{
  BulletBody *body = body_of (own);
  /* For a body that is put, where it was is what its speed is reckoned from. */
  if (body->motion == MOTION_FREE)
    body->rigid->setCenterOfMassTransform (to_bullet (*pose));
  else
    body->rigid->setWorldTransform (to_bullet (*pose));
  if (body->motion == MOTION_FIXED)
    body->engine->world.updateSingleAabb (body->rigid);
}

void
bullet_body_push (BodySet *set, Body *own, const OrreryVec3 *force, const OrreryVec3 *torque)
{
  BulletBody *body = body_of (own);
  Push push = { body->rigid, body->rigid->getTotalForce (), body->rigid->getTotalTorque () };

  body->engine->pushes.push_back (push);
  bullet_body_add_force (set, own, force, torque);
}

gboolean
bullet_engine_cast (BodySet *set, Body *body, const OrreryVec3 *from, const OrreryVec3 *to,
                    gboolean margins, double *fraction, OrreryVec3 *normal)
{
  auto engine = static_cast<BulletEngine *> (set->engine);

  return ray_cast (&engine->world, body->object, from, to, margins ? engine->most_margin : 0,
                   fraction, normal);
}

/* --- trees --- */

void
bullet_engine_set_trees (BulletEngine *engine, TreeSet *trees, guint first)
{
  engine->world.trees = engine->solver.trees = trees;
  /* Which links do not collide is known now. */
  for (int i = 0; i < engine->bodies.size (); i++)
    if (engine->bodies[i]->tree != nullptr && engine->bodies[i]->index >= first)
      enter_world (engine, engine->bodies[i]);
}

/* --- a state --- */

namespace {

/* NULL: there is none in the world. */
const btCollisionObject *
find_rigid (BulletEngine *engine, guint index)
{
  const BodySet *set = engine->filter.set;
  Body *own = index < orrery_world_get_n_objects (set->world) ? set->by_object[index] : nullptr;
  const btRigidBody *rigid = own != nullptr ? body_of (own)->rigid : nullptr;

  return rigid != nullptr && rigid->getBroadphaseHandle () != nullptr ? rigid : nullptr;
}

int
compare_places (const BulletTouch &a, const BulletTouch &b)
{
  if (a.first != b.first)
    return a.first < b.first ? -1 : 1;
  if (a.second != b.second)
    return a.second < b.second ? -1 : 1;
  if (a.piece0 != b.piece0)
    return a.piece0 < b.piece0 ? -1 : 1;
  return a.piece1 < b.piece1 ? -1 : a.piece1 > b.piece1;
}

struct SavedTouch {
  const BulletTouch *touch;
  const double *points;
};

/* Where each of them was, to look them up. */
class SavedTouches {
public:
  SavedTouches (const BulletTouch *touches, const double *points, guint n)
  {
    sorted.reserve (n);
    for (guint i = 0; i < n; i++) {
      sorted.push_back ({ &touches[i], points });
      points += touches[i].n_points * BULLET_POINT_NUMBERS;
    }
    /* Of two for one place the first counts. */
    std::stable_sort (sorted.begin (), sorted.end (),
                      [] (const SavedTouch &a, const SavedTouch &b) {
                        return compare_places (*a.touch, *b.touch) < 0;
                      });
  }

  const SavedTouch *find (const Meeting &meeting) const
  {
    BulletTouch wanted;

    wanted.first = index_of (meeting.manifold->getBody0 ());
    wanted.second = index_of (meeting.manifold->getBody1 ());
    wanted.piece0 = meeting.piece0;
    wanted.piece1 = meeting.piece1;
    auto found = std::lower_bound (sorted.begin (), sorted.end (), wanted,
                                   [] (const SavedTouch &a, const BulletTouch &b) {
                                     return compare_places (*a.touch, b) < 0;
                                   });
    return found != sorted.end () && compare_places (*found->touch, wanted) == 0 ? &*found
                                                                                 : nullptr;
  }

private:
  std::vector<SavedTouch> sorted;
};

} // namespace

void
bullet_body_restore (BulletBody *body, const double *numbers)
{
  btRigidBody *rigid = body->rigid;

  rigid->setWorldTransform (take_frame (numbers));
  rigid->setInterpolationWorldTransform (take_frame (numbers));
  rigid->setLinearVelocity (take_vector (numbers));
  rigid->setAngularVelocity (take_vector (numbers));
  rigid->setInterpolationLinearVelocity (take_vector (numbers));
  rigid->setInterpolationAngularVelocity (take_vector (numbers));
  rigid->setGravity (take_vector (numbers));
  rigid->updateInertiaTensor ();
  /* A link without shapes is nowhere in the world. */
  if (rigid->getBroadphaseHandle () != nullptr)
    body->engine->world.updateSingleAabb (rigid);
}

guint
bullet_engine_find_touches (BulletEngine *engine)
{
  engine->world.find_touches ();
  return engine->world.touches.size ();
}

void
bullet_engine_save_touch (BulletEngine *engine, guint i, BulletTouch *touch, double *points)
{
  const Touch &from = engine->world.touches[i];
  const btPersistentManifold *m = from.manifold;

  touch->first = index_of (m->getBody0 ());
  touch->second = index_of (m->getBody1 ());
  touch->piece0 = from.piece0;
  touch->piece1 = from.piece1;
  touch->n_points = m->getNumContacts ();
  for (int k = 0; k < m->getNumContacts (); k++)
    put_point (points, m->getContactPoint (k));
}

void
bullet_engine_restore_touches (BulletEngine *engine, const BulletTouch *touches,
                               const double *points, guint n)
{
  btAlignedObjectArray<Meeting> all;
  SavedTouches saved_touches (touches, points, n);

  /* Pairs are found as in a step. What is between two bodies is not: the next step finds it, and
   * all that it needs to know of the past are the points that are put here. */
  engine->world.updateAabbs ();
  engine->world.computeOverlappingPairs ();
  for (guint i = 0; i < n; i++) {
    const btCollisionObject *a = find_rigid (engine, touches[i].first);
    const btCollisionObject *b = find_rigid (engine, touches[i].second);

    if (a != nullptr && b != nullptr)
      begin_meeting (&engine->world, a, b, touches[i].piece0, touches[i].piece1);
  }
  find_meetings (engine->world.getPairCache ()->getOverlappingPairArray (), all);
  for (int i = 0; i < all.size (); i++) {
    btPersistentManifold *m = all[i].manifold;
    const SavedTouch *saved = saved_touches.find (all[i]);
    const double *from = saved != nullptr ? saved->points : nullptr;

    m->clearManifold ();
    for (guint k = 0; saved != nullptr && k < saved->touch->n_points; k++) {
      btManifoldPoint point = take_point (from);

      m->addManifoldPoint (point);
    }
  }
  engine->world.find_touches ();
}
