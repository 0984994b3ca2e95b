/* SPDX-License-Identifier: BSD-3-Clause */
/* Bullet's shapes of a body, from those of its object. */
#include "engine-private.h"

#include <LinearMath/btConvexHullComputer.h>
#include <math.h>

namespace {

/* Larger triangles make a body that rests on them jitter. */
const double max_edge = 4.0;
/* But never more triangles than this for one body: then the edges are longer. */
const double max_triangles = 262144;

/* A hull of fewer points is used as it is. */
const guint few_points = 32;

/* The corners of a box, bit 0 for x, and its faces counter-clockwise from outside. */
const int box_triangles[12][3] = {
  { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
  { 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 },
};

struct Triangle {
  btVector3 p[3];

  /* Index of the corner that the longest edge starts at. */
  int longest (btScalar *length) const
  {
    int best = 0;

    *length = 0;
    for (int i = 0; i < 3; i++) {
      btScalar l = p[i].distance (p[(i + 1) % 3]);

      if (l > *length) {
        *length = l;
        best = i;
      }
    }
    return best;
  }

  btScalar area () const
  {
    return (p[1] - p[0]).cross (p[2] - p[0]).length () / 2;
  }
};

typedef btAlignedObjectArray<Triangle> Triangles;

void
split (const Triangle &triangle, btScalar limit, btTriangleMesh *mesh)
{
  btScalar length;
  int i = triangle.longest (&length);

  if (!(length > limit)) {
    mesh->addTriangle (triangle.p[0], triangle.p[1], triangle.p[2]);
    return;
  }

  /* The longest edge is halved, so that two triangles halve the one that they share alike. */
  int j = (i + 1) % 3, k = (i + 2) % 3;
  btVector3 middle = (triangle.p[i] + triangle.p[j]) / 2;
  split (Triangle{ { triangle.p[i], middle, triangle.p[k] } }, limit, mesh);
  split (Triangle{ { middle, triangle.p[j], triangle.p[k] } }, limit, mesh);
}

btScalar
choose_edge (const Triangles &triangles)
{
  btScalar most = btMax (btScalar (max_triangles), 2 * btScalar (triangles.size ()));

  for (btScalar limit = max_edge;; limit *= 2) {
    btScalar n = 0, length;

    for (int i = 0; i < triangles.size (); i++) {
      triangles[i].longest (&length);
      n += 1 + 8 * triangles[i].area () / (limit * limit) + 2 * length / limit;
    }
    if (!(n > most))
      return limit;
  }
}

btVector3
corner (const OrreryVec3 *half, int i)
{
  return btVector3 (i & 1 ? half->x : -half->x, i & 2 ? half->y : -half->y,
                    i & 4 ? half->z : -half->z);
}

void
add_box (Triangles *triangles, const Piece *piece)
{
  const OrreryVec3 *half = orrery_shape_get_size (piece->shape);
  btTransform place = to_bullet (piece->offset);

  for (const int *t : box_triangles)
    triangles->push_back (Triangle{ { place * corner (half, t[0]), place * corner (half, t[1]),
                                      place * corner (half, t[2]) } });
}

void
add_mesh (Triangles *triangles, const Piece *piece)
{
  OrreryBuffer *buffer = orrery_shape_get_triangles (piece->shape);
  auto xyz =
      static_cast<const double *> (orrery_buffer_get_data (orrery_shape_get_points (piece->shape)));
  auto corners = static_cast<const guint32 *> (orrery_buffer_get_data (buffer));
  btTransform place = to_bullet (piece->offset);
  gsize n = orrery_buffer_get_length (buffer, 0);

  for (gsize i = 0; i < n; i++) {
    Triangle t;

    for (int k = 0; k < 3; k++) {
      const double *p = xyz + 3 * gsize (corners[3 * i + k]);
      t.p[k] = place * btVector3 (p[0], p[1], p[2]);
    }
    triangles->push_back (t);
  }
}

btCollisionShape *
make_mesh (const Triangles &triangles, double margin, btTriangleMesh *mesh)
{
  btScalar limit = choose_edge (triangles);

  for (int i = 0; i < triangles.size (); i++)
    split (triangles[i], limit, mesh);

  auto shape = new btBvhTriangleMeshShape (mesh, true);
  shape->setMargin (margin);
  shape->recalcLocalAabb ();
  return shape;
}

btCollisionShape *
share_mesh (BodyShapes *shapes, const Triangles &triangles, double margin)
{
  ShapeDigest digest ("mesh", margin);

  for (int i = 0; i < triangles.size (); i++)
    for (const btVector3 &p : triangles[i].p)
      digest.add (&p[0], 3);

  SharedShape *shared = shared_shape_find (digest);
  if (shared == nullptr) {
    auto mesh = new btTriangleMesh ();

    shared = shared_shape_add (digest, make_mesh (triangles, margin, mesh), mesh);
  }
  shapes->shared.push_back (shared);
  return shared->shape;
}

/* Support points are searched one by one: those inside the hull only cost time. */
btConvexHullShape *
make_hull (OrreryShape *source, double margin)
{
  OrreryBuffer *buffer = orrery_shape_get_points (source);
  auto xyz = static_cast<const double *> (orrery_buffer_get_data (buffer));
  guint n = orrery_buffer_get_length (buffer, 0);
  auto shape = new btConvexHullShape ();
  btConvexHullComputer hull;

  if (n > few_points)
    hull.compute (xyz, 3 * sizeof (double), n, 0, 0);
  bool reduced = hull.original_vertex_index.size () > 3;
  guint m = reduced ? hull.original_vertex_index.size () : n;
  for (guint i = 0; i < m; i++) {
    const double *p = xyz + 3 * (reduced ? guint (hull.original_vertex_index[i]) : i);
    shape->addPoint (btVector3 (p[0], p[1], p[2]), false);
  }

  /* In this order: the cached box, and so the inertia, is to have this margin. */
  shape->setMargin (margin);
  shape->recalcLocalAabb ();
  return shape;
}

btConvexHullShape *
share_hull (BodyShapes *shapes, OrreryShape *source, double margin)
{
  OrreryBuffer *buffer = orrery_shape_get_points (source);
  ShapeDigest digest ("hull", margin);

  digest.add (static_cast<const double *> (orrery_buffer_get_data (buffer)),
              3 * orrery_buffer_get_length (buffer, 0));
  SharedShape *shared = shared_shape_find (digest);
  if (shared == nullptr)
    shared = shared_shape_add (digest, make_hull (source, margin), nullptr);
  shapes->shared.push_back (shared);
  return static_cast<btConvexHullShape *> (shared->shape);
}

/* Of a hull that does not move, hull-collision.cpp changes the margin for a while. */
btCollisionShape *
copy_hull (const btConvexHullShape *from)
{
  auto shape = new btConvexHullShape ();

  for (int i = 0; i < from->getNumPoints (); i++)
    shape->addPoint (from->getUnscaledPoints ()[i], false);
  shape->setMargin (from->getMargin ());
  shape->recalcLocalAabb ();
  return shape;
}

btCollisionShape *
keep (BodyShapes *shapes, btCollisionShape *shape)
{
  shapes->own.push_back (shape);
  return shape;
}

/* The margin of these lies inside; one that leaves no core would turn them inside out. */
btCollisionShape *
with_inner_margin (btCollisionShape *shape, double margin, double smallest)
{
  shape->setMargin (fmin (margin, smallest / 2));
  return shape;
}

btCollisionShape *
make_convex (OrreryShape *source, double margin)
{
  const OrreryVec3 *size = orrery_shape_get_size (source);
  btCollisionShape *shape;

  switch (orrery_shape_get_kind (source)) {
  case ORRERY_SHAPE_BOX:
    shape = new btBoxShape (to_bullet (*size));
    return with_inner_margin (shape, margin, fmin (size->x, fmin (size->y, size->z)));
  case ORRERY_SHAPE_SPHERE:
    return new btSphereShape (size->x);
  case ORRERY_SHAPE_CYLINDER:
    shape = new btCylinderShapeZ (btVector3 (size->x, size->x, size->z));
    return with_inner_margin (shape, margin, fmin (size->x, size->z));
  case ORRERY_SHAPE_CAPSULE:
    return new btCapsuleShapeZ (size->x, 2 * size->z);
  case ORRERY_SHAPE_CONE:
    shape = new btConeShapeZ (size->x, 2 * size->z);
    shape->setMargin (margin);
    return shape;
  case ORRERY_SHAPE_HULL:
  case ORRERY_SHAPE_MESH:
    break;
  }
  g_assert_not_reached ();
}

btCollisionShape *
add_convex (BodyShapes *shapes, OrreryShape *source, bool fixed, double margin)
{
  OrreryShapeKind kind = orrery_shape_get_kind (source);

  if (kind != ORRERY_SHAPE_HULL && kind != ORRERY_SHAPE_MESH)
    return keep (shapes, make_convex (source, margin));
  btConvexHullShape *hull = share_hull (shapes, source, margin);
  return fixed ? keep (shapes, copy_hull (hull)) : hull;
}

bool
is_identity (const OrreryTransform *t)
{
  return t->position.x == 0 && t->position.y == 0 && t->position.z == 0 && t->rotation.x == 0 &&
         t->rotation.y == 0 && t->rotation.z == 0;
}

} // namespace

BodyShapes::~BodyShapes ()
{
  for (int i = own.size () - 1; i >= 0; i--)
    delete own[i];
  for (int i = 0; i < shared.size (); i++)
    shared_shape_release (shared[i]);
}

void
body_shapes_make (BodyShapes *shapes, const Piece *pieces, guint n_pieces, bool fixed,
                  double margin)
{
  btAlignedObjectArray<btCollisionShape *> parts;
  btAlignedObjectArray<btTransform> offsets;
  Triangles triangles;

  if (n_pieces == 0) {
    shapes->whole = keep (shapes, new btEmptyShape ());
    return;
  }
  for (guint i = 0; i < n_pieces; i++) {
    OrreryShapeKind kind = orrery_shape_get_kind (pieces[i].shape);

    /* What never moves collides as its faces, with the margin outside of them. */
    if (fixed && kind == ORRERY_SHAPE_BOX) {
      add_box (&triangles, &pieces[i]);
    } else if (fixed && kind == ORRERY_SHAPE_MESH) {
      add_mesh (&triangles, &pieces[i]);
    } else {
      parts.push_back (add_convex (shapes, pieces[i].shape, fixed, margin));
      offsets.push_back (to_bullet (pieces[i].offset));
    }
  }
  if (triangles.size () > 0) {
    parts.push_back (share_mesh (shapes, triangles, margin));
    offsets.push_back (btTransform::getIdentity ());
  }

  if (parts.size () == 1 && (triangles.size () > 0 || is_identity (&pieces[0].offset))) {
    shapes->whole = parts[0];
    return;
  }
  auto compound = new btCompoundShape (true, parts.size ());
  for (int i = 0; i < parts.size (); i++)
    compound->addChildShape (offsets[i], parts[i]);
  shapes->whole = keep (shapes, compound);
}
