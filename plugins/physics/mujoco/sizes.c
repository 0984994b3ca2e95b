/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of things: the inertia that follows from them, and geoms whose size changes while a scene
 * runs. */
#include "model.h"

#include "flat.h"

#include <math.h>
#include <string.h>

void
model_box_points (const OrreryVec3 *half, double out[24])
{
  for (guint i = 0; i < 8; i++) {
    out[3 * i] = i & 1 ? half->x : -half->x;
    out[3 * i + 1] = i & 2 ? half->y : -half->y;
    out[3 * i + 2] = i & 4 ? half->z : -half->z;
  }
}

static void
grow_by_piece (OrreryVec3 *low, OrreryVec3 *high, const Piece *piece)
{
  OrreryBuffer *points = orrery_shape_get_points (piece->shape);
  OrreryVec3 half = *orrery_shape_get_size (piece->shape);
  OrreryShapeKind kind = orrery_shape_get_kind (piece->shape);
  double corners[24];
  const double *xyz = corners;
  gsize n = 8;

  if (points != NULL) {
    xyz = orrery_buffer_get_data (points);
    n = orrery_buffer_get_length (points, 0);
  } else {
    half.y = kind == ORRERY_SHAPE_BOX ? half.y : half.x;
    half.z = kind == ORRERY_SHAPE_SPHERE ? half.x : half.z;
    half.z += kind == ORRERY_SHAPE_CAPSULE ? half.x : 0;
    model_box_points (&half, corners);
  }
  for (gsize i = 0; i < n; i++) {
    OrreryVec3 p = { xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] };

    orrery_transform_apply (&piece->offset, &p, &p);
    orrery_vec3_widen (low, high, &p);
  }
}

/* A box around the shapes with its margin; of a free body about its origin, as Bullet has it. */
void
model_reckon_inertia (Thing *thing, OrreryVec3 *centre)
{
  OrreryVec3 low = { INFINITY, INFINITY, INFINITY };
  OrreryVec3 high = { -INFINITY, -INFINITY, -INFINITY };
  double m = thing->own.settings->mass / 12;
  double x, y, z, margin = 0;

  *centre = (OrreryVec3){ 0 };
  for (guint i = 0; i < thing->own.pieces->len; i++) {
    const Piece *piece = &g_array_index (thing->own.pieces, Piece, i);
    OrreryShapeKind kind = orrery_shape_get_kind (piece->shape);

    grow_by_piece (&low, &high, piece);
    if (kind == ORRERY_SHAPE_HULL || kind == ORRERY_SHAPE_MESH)
      margin = model_get_margin (thing);
  }
  if (thing->own.pieces->len == 0)
    low = high = (OrreryVec3){ 0 };
  x = pow (high.x - low.x + 2 * margin, 2);
  y = pow (high.y - low.y + 2 * margin, 2);
  z = pow (high.z - low.z + 2 * margin, 2);
  thing->inertia =
      (OrreryVec3){ fmax (m * (y + z), MODEL_MIN_INERTIA), fmax (m * (x + z), MODEL_MIN_INERTIA),
                    fmax (m * (x + y), MODEL_MIN_INERTIA) };
  if (thing->own.motion == MOTION_LINK)
    *centre = (OrreryVec3){ (low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2 };
}

/* --- sizes that change --- */

gboolean
model_is_scaled (const Thing *thing)
{
  const GArray *now = thing->own.pieces, *first = thing->first;

  return now->len == first->len && memcmp (now->data, first->data, now->len * sizeof (Piece)) != 0;
}

/* Meshes are cut into pieces that have a thickness of their own, and so have flat hulls. */
static gboolean
is_thickened (OrreryShape *shape)
{
  OrreryShapeKind kind = orrery_shape_get_kind (shape);
  OrreryBuffer *points = orrery_shape_get_points (shape);
  double normal[3];

  return kind == ORRERY_SHAPE_MESH ||
         (kind == ORRERY_SHAPE_HULL &&
          flat_find_normal (orrery_buffer_get_data (points), orrery_buffer_get_length (points, 0),
                            normal));
}

gboolean
model_can_scale (OrreryObject *object, GError **error)
{
  GPtrArray *shapes = orrery_object_get_scene_shapes (object);

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_solid (shapes->pdata[i]) && is_thickened (shapes->pdata[i]))
      return body_fail (error, object,
                        "its model of a mesh, or of a hull that is flat, has one size; "
                        "orrery.physics.bullet.Bullet changes it");
  return TRUE;
}

/* In the order of orrery_physics_foreach_shape(). @left: pieces up to the one that is looked for;
 * @at: of the object in the frame of the body */
static OrreryObject *
find_owner (OrreryObject *object, guint *left, OrreryTransform *at)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_solid (shapes->pdata[i]) && (*left)-- == 0)
      return object;
  for (guint i = 0; i < children->len; i++) {
    OrreryTransform here = *at;
    OrreryObject *found = NULL;

    if (!orrery_physics_is_part (children->pdata[i]))
      continue;
    orrery_transform_multiply (at, orrery_object_get_start (children->pdata[i]), &here);
    found = find_owner (children->pdata[i], left, &here);
    if (found == NULL)
      continue;
    *at = here;
    return found;
  }
  return NULL;
}

/* What the scale of the object that has a piece does to points in the frame of the body. */
static void
find_map (const Thing *thing, guint piece, double linear[9], double shift[3])
{
  OrreryTransform at;
  OrreryObject *owner;
  const OrreryVec3 *scale;
  double factors[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, half[9];
  double place[3];
  OrreryMat3 turn;

  orrery_transform_identity (&at);
  owner = find_owner (thing->own.object, &piece, &at);
  scale = owner != NULL ? orrery_object_get_scale (owner) : NULL;
  if (scale != NULL) {
    factors[0] = scale->x;
    factors[4] = scale->y;
    factors[8] = scale->z;
  }
  orrery_quat_to_matrix (&at.rotation, &turn);
  mju_mulMatMat (half, turn.m, factors, 3, 3, 3);
  mju_mulMatMatT (linear, half, turn.m, 3, 3, 3);
  mju_copy3 (place, (double[]){ at.position.x, at.position.y, at.position.z });
  mju_rotVecMat (shift, place, linear);
  mju_sub3 (shift, place, shift);
}

static void
take_mesh_back (mjModel *m, const mjModel *first, int geom)
{
  int mesh = m->geom_dataid[geom];
  gsize at = 3 * (gsize) m->mesh_vertadr[mesh], n = 3 * (gsize) m->mesh_vertnum[mesh];

  memcpy (m->mesh_vert + at, first->mesh_vert + at, n * sizeof *m->mesh_vert);
}

/* Points of a mesh are floats in the frame of its geom. */
static void
scale_mesh (mjModel *m, const mjModel *first, int geom, const double linear[9])
{
  int mesh = m->geom_dataid[geom];
  double turn[9], half[9], own[9];
  double around = 0;

  mju_quat2Mat (turn, first->geom_quat + 4 * (gsize) geom);
  mju_mulMatTMat (half, turn, linear, 3, 3, 3);
  mju_mulMatMat (own, half, turn, 3, 3, 3);
  for (int i = m->mesh_vertadr[mesh]; i < m->mesh_vertadr[mesh] + m->mesh_vertnum[mesh]; i++) {
    const float *from = first->mesh_vert + 3 * (gsize) i;
    double p[3] = { (double) from[0], (double) from[1], (double) from[2] };

    mju_rotVecMat (p, p, own);
    for (guint k = 0; k < 3; k++)
      m->mesh_vert[3 * (gsize) i + k] = (float) p[k];
    around = fmax (around, mju_norm3 (p));
  }
  /* Room for what became floats. */
  m->geom_rbound[geom] = around * (1 + 1e-6);
}

static void
scale_simple (mjModel *m, int geom, OrreryShape *shape)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  double *size = m->geom_size + 3 * (gsize) geom;

  size[0] = s->x;
  size[1] = size[2] = 0;
  m->geom_rbound[geom] = s->x;
  if (m->geom_type[geom] == mjGEOM_BOX) {
    size[1] = s->y;
    size[2] = s->z;
    m->geom_rbound[geom] = orrery_vec3_length (s);
  } else if (m->geom_type[geom] != mjGEOM_SPHERE) {
    size[1] = s->z;
    m->geom_rbound[geom] = m->geom_type[geom] == mjGEOM_CAPSULE ? s->x + s->z : hypot (s->x, s->z);
  }
}

static void
scale_geom (Model *model, const mjModel *first, const Thing *thing, int geom)
{
  mjModel *m = model->m;
  guint place = model->geoms[geom].piece;
  const Piece *now = &g_array_index (thing->own.pieces, Piece, place);
  const Piece *before = &g_array_index (thing->first, Piece, place);
  gboolean is_mesh = m->geom_type[geom] == mjGEOM_MESH;
  double linear[9], shift[3], p[3];

  if (now->shape == before->shape) {
    mju_copy3 (m->geom_pos + 3 * geom, first->geom_pos + 3 * geom);
    mju_copy3 (m->geom_size + 3 * geom, first->geom_size + 3 * geom);
    m->geom_rbound[geom] = first->geom_rbound[geom];
    m->geom_sameframe[geom] = first->geom_sameframe[geom];
    if (is_mesh)
      take_mesh_back (m, first, geom);
    return;
  }
  find_map (thing, place, linear, shift);
  if (is_mesh)
    scale_mesh (m, first, geom, linear);
  else
    scale_simple (m, geom, now->shape);
  mju_rotVecMat (p, first->geom_pos + 3 * geom, linear);
  mju_add3 (m->geom_pos + 3 * geom, p, shift);
  /* Slower than where frames are the same, and right in any case. */
  m->geom_sameframe[geom] = 0;
}

void
model_scale (Model *model, const mjModel *first, const Thing *thing)
{
  for (int i = 0; i < model->m->ngeom; i++)
    if (model->geoms[i].thing == thing)
      scale_geom (model, first, thing, i);
}
