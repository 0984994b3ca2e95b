/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an engine leaves to the one that takes its place after a reset: shapes, which are the same
 * again, and the pools of what Bullet makes for pairs. Everything that has a history is made anew.
 */
#include "engine-private.h"

#include <cstring>
#include <vector>

namespace {

/* Of the pieces of a body that moves: manifolds and algorithms. What does not fit is allocated. */
const guint pairs_of_a_piece = 4;
const guint least_pairs = 16, most_pairs = 4096;

struct Kept {
  std::vector<Piece> pieces; /* with references */
  bool fixed;
  double margin;
  BodyShapes shapes;

  Kept (const Piece *all, guint n, bool is_fixed, double its_margin)
      : pieces (all, all + n), fixed (is_fixed), margin (its_margin)
  {
    for (Piece &piece : pieces)
      orrery_shape_ref (piece.shape);
    body_shapes_make (&shapes, all, n, fixed, margin);
  }

  ~Kept ()
  {
    for (Piece &piece : pieces)
      orrery_shape_unref (piece.shape);
  }

  bool is_of (const Piece *all, guint n, bool is_fixed, double its_margin) const
  {
    return fixed == is_fixed && margin == its_margin && pieces.size () == n &&
           (n == 0 || memcmp (pieces.data (), all, n * sizeof *all) == 0);
  }
};

guint
count_pairs (OrreryWorld *world)
{
  guint n = 0;

  for (guint i = 0; i < orrery_world_get_n_objects (world) && n < most_pairs; i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    OrreryBodyType type = orrery_object_get_body (object)->type;

    if (type != ORRERY_BODY_NONE && type != ORRERY_BODY_STATIC)
      orrery_physics_foreach_shape (
          object,
          [] (OrreryShape *, const OrreryTransform *, gpointer sum) {
            *static_cast<guint *> (sum) += pairs_of_a_piece;
          },
          &n);
  }
  return CLAMP (n, least_pairs, most_pairs);
}

} // namespace

struct _BulletStore {
  btDefaultCollisionConfiguration configuration; /* has the pools */
  std::vector<Kept *> kept;                      /* by the index of the object; or NULL */

  explicit _BulletStore (OrreryWorld *world)
      : configuration (describe (count_pairs (world))),
        kept (orrery_world_get_n_objects (world), nullptr)
  {
    configuration.setConvexConvexMultipointIterations ();
    configuration.setPlaneConvexMultipointIterations ();
  }

  static btDefaultCollisionConstructionInfo describe (guint n_pairs)
  {
    btDefaultCollisionConstructionInfo info;

    info.m_defaultMaxPersistentManifoldPoolSize = int (n_pairs);
    info.m_defaultMaxCollisionAlgorithmPoolSize = int (n_pairs);
    info.m_customCollisionAlgorithmMaxElementSize = MeshCollision::get_size ();
    return info;
  }

  ~_BulletStore ()
  {
    for (Kept *one : kept)
      delete one;
  }
};

BulletStore *
bullet_store_new (OrreryWorld *world)
{
  return new _BulletStore (world);
}

void
bullet_store_free (BulletStore *store)
{
  delete store;
}

btDefaultCollisionConfiguration *
store_get_configuration (BulletStore *store)
{
  return &store->configuration;
}

btCollisionShape *
store_take_shape (BulletStore *store, OrreryObject *object, const Piece *pieces, guint n_pieces,
                  bool fixed, double margin)
{
  guint index = orrery_object_get_index (object);

  if (index >= store->kept.size ())
    store->kept.resize (index + 1, nullptr);
  Kept *&kept = store->kept[index];

  if (kept == nullptr || !kept->is_of (pieces, n_pieces, fixed, margin)) {
    delete kept;
    kept = new Kept (pieces, n_pieces, fixed, margin);
  }
  return kept->shapes.whole;
}
