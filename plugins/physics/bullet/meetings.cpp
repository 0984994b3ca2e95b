/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairs that meet, and their manifolds: a state has the points of each, and a restored world puts
 * them back into the manifold of the same pieces, whether or not these have points there.
 */
#include "engine-private.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>

namespace {

/*
 * Bullet tells of no manifold of two compounds which pieces it belongs to while it has no points,
 * and makes none before pieces are near. The lists of them are not public; a pointer to a member
 * is had by an explicit instantiation, in which access is not checked.
 */
using Pieces = btHashedSimplePairCache *btCompoundCompoundCollisionAlgorithm::*;
using Children = btAlignedObjectArray<btCollisionAlgorithm *> btCompoundCollisionAlgorithm::*;

Pieces get_pieces ();
Children get_children ();

template <Pieces pieces, Children children> struct Opened {
  friend Pieces get_pieces ()
  {
    return pieces;
  }
  friend Children get_children ()
  {
    return children;
  }
};
template struct Opened<&btCompoundCompoundCollisionAlgorithm::m_childCollisionAlgorithmCache,
                       &btCompoundCollisionAlgorithm::m_childCollisionAlgorithms>;

const btCompoundShape *
to_compound (const btCollisionObject *object)
{
  const btCollisionShape *shape = object->getCollisionShape ();

  return shape->isCompound () ? static_cast<const btCompoundShape *> (shape) : nullptr;
}

/* --- what there is --- */

/* Of one algorithm. @first: the object that @piece is of; -1: it is no compound */
void
add_manifolds (btCollisionAlgorithm *algorithm, const void *first, int piece, int other_piece,
               btAlignedObjectArray<Meeting> &all)
{
  btManifoldArray manifolds;

  algorithm->getAllContactManifolds (manifolds);
  for (int i = 0; i < manifolds.size (); i++) {
    bool straight = manifolds[i]->getBody0 () == first;

    all.push_back (
        Meeting{ manifolds[i], straight ? piece : other_piece, straight ? other_piece : piece });
  }
}

void
add_two_compounds (btCollisionAlgorithm *whole, const btCollisionObject *first,
                   btAlignedObjectArray<Meeting> &all)
{
  auto algorithm = static_cast<btCompoundCompoundCollisionAlgorithm *> (whole);
  btSimplePairArray &pieces = (algorithm->*get_pieces ())->getOverlappingPairArray ();

  for (int i = 0; i < pieces.size (); i++)
    if (pieces[i].m_userPointer != nullptr)
      add_manifolds (static_cast<btCollisionAlgorithm *> (pieces[i].m_userPointer), first,
                     pieces[i].m_indexA, pieces[i].m_indexB, all);
}

void
add_compound (btCollisionAlgorithm *whole, const btCollisionObject *compound,
              btAlignedObjectArray<Meeting> &all)
{
  auto algorithm = static_cast<btCompoundCollisionAlgorithm *> (whole);

  for (int i = 0; i < to_compound (compound)->getNumChildShapes (); i++)
    if (algorithm->getChildAlgorithm (i) != nullptr)
      add_manifolds (algorithm->getChildAlgorithm (i), compound, i, -1, all);
}

/* --- what is to be --- */

/* A piece of a compound, or another body, as algorithms see it. */
struct Side {
  const btTransform frame;
  const btCollisionObjectWrapper whole;
  const btCollisionObjectWrapper piece;

  static const btCollisionShape *find_shape (const btCollisionObject *object, int i)
  {
    return i < 0 ? object->getCollisionShape () : to_compound (object)->getChildShape (i);
  }

  static btTransform find_frame (const btCollisionObject *object, int i)
  {
    const btTransform &frame = object->getWorldTransform ();

    return i < 0 ? frame : frame * to_compound (object)->getChildTransform (i);
  }

  Side (const btCollisionObject *object, int i)
      : frame (find_frame (object, i)),
        whole (nullptr, object->getCollisionShape (), object, object->getWorldTransform (), -1, -1),
        piece (&whole, find_shape (object, i), object, frame, -1, i)
  {
  }
};

/* m: nothing meets over such a way. */
const btScalar far_away = 1e6;

/* An algorithm with its manifold, which most make in their first call: that has nothing to find, so
 * that it ends soon. */
btCollisionAlgorithm *
make_algorithm (btCollisionWorld *world, const btCollisionObjectWrapper &a,
                const btCollisionObjectWrapper &b)
{
  btCollisionAlgorithm *made =
      world->getDispatcher ()->findAlgorithm (&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  btTransform apart = b.getWorldTransform ();
  btManifoldArray manifolds;

  made->getAllContactManifolds (manifolds);
  if (manifolds.size () > 0)
    return made;
  apart.getOrigin () += btVector3 (far_away, far_away, far_away);
  btCollisionObjectWrapper other (b.m_parent, b.getCollisionShape (), b.getCollisionObject (),
                                  apart, b.m_partId, b.m_index);
  btManifoldResult result (&a, &other);
  made->processCollision (&a, &other, world->getDispatchInfo (), &result);
  return made;
}

bool
has_piece (const btCollisionObject *object, int piece)
{
  const btCompoundShape *shape = to_compound (object);

  return shape == nullptr ? piece < 0 : piece >= 0 && piece < shape->getNumChildShapes ();
}

btBroadphasePair *
find_pair (btCollisionWorld *world, const btCollisionObject *a, const btCollisionObject *b)
{
  return world->getPairCache ()->findPair (
      const_cast<btBroadphaseProxy *> (a->getBroadphaseHandle ()),
      const_cast<btBroadphaseProxy *> (b->getBroadphaseHandle ()));
}

/* As Bullet begins it, in the order of the pair. */
bool
begin_pair (btCollisionWorld *world, btBroadphasePair *pair)
{
  auto a = static_cast<const btCollisionObject *> (pair->m_pProxy0->m_clientObject);
  auto b = static_cast<const btCollisionObject *> (pair->m_pProxy1->m_clientObject);

  if (pair->m_algorithm != nullptr)
    return true;
  if (!world->getDispatcher ()->needsCollision (a, b))
    return false;
  Side first (a, -1), second (b, -1);
  if (to_compound (a) != nullptr || to_compound (b) != nullptr)
    pair->m_algorithm =
        world->getDispatcher ()->findAlgorithm (&first.whole, &second.whole, nullptr,
                                                BT_CONTACT_POINT_ALGORITHMS);
  else
    pair->m_algorithm = make_algorithm (world, first.whole, second.whole);
  return pair->m_algorithm != nullptr;
}

} // namespace

void
begin_meeting (btCollisionWorld *world, const btCollisionObject *a, const btCollisionObject *b,
               int piece_a, int piece_b)
{
  btBroadphasePair *pair = find_pair (world, a, b);
  bool are_both = piece_a >= 0 && piece_b >= 0;

  if (pair == nullptr || !has_piece (a, piece_a) || !has_piece (b, piece_b) ||
      !begin_pair (world, pair) || (piece_a < 0 && piece_b < 0))
    return;
  /* The order of the pair, or the compound first, as Bullet has it. */
  bool is_swapped = are_both ? pair->m_pProxy0->m_clientObject != a : piece_a < 0;
  int first_piece = is_swapped ? piece_b : piece_a, second_piece = is_swapped ? piece_a : piece_b;
  Side first (is_swapped ? b : a, first_piece), second (is_swapped ? a : b, second_piece);

  if (are_both) {
    auto whole = static_cast<btCompoundCompoundCollisionAlgorithm *> (pair->m_algorithm);
    btHashedSimplePairCache *pieces = whole->*get_pieces ();

    if (pieces->findPair (first_piece, second_piece) == nullptr)
      pieces->addOverlappingPair (first_piece, second_piece)->m_userPointer =
          make_algorithm (world, first.piece, second.piece);
    return;
  }
  auto whole = static_cast<btCompoundCollisionAlgorithm *> (pair->m_algorithm);
  btCollisionAlgorithm *&child = (whole->*get_children ())[first_piece];
  if (child == nullptr)
    child = make_algorithm (world, first.piece, second.piece);
}

void
find_meetings (const btBroadphasePairArray &pairs, btAlignedObjectArray<Meeting> &all)
{
  for (int i = 0; i < pairs.size (); i++) {
    auto a = static_cast<const btCollisionObject *> (pairs[i].m_pProxy0->m_clientObject);
    auto b = static_cast<const btCollisionObject *> (pairs[i].m_pProxy1->m_clientObject);

    if (pairs[i].m_algorithm == nullptr)
      continue;
    if (to_compound (a) != nullptr && to_compound (b) != nullptr)
      add_two_compounds (pairs[i].m_algorithm, a, all);
    else if (to_compound (a) != nullptr || to_compound (b) != nullptr)
      add_compound (pairs[i].m_algorithm, to_compound (a) != nullptr ? a : b, all);
    else
      add_manifolds (pairs[i].m_algorithm, a, -1, -1, all);
  }
}
