/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes: simple ones by their size, hulls and meshes by their points. */
#include "world/orrery-world-private.h"

#include "base/orrery-counted-private.h"

#include <math.h>

struct _OrreryShape {
  gatomicrefcount refs;
  OrreryShapeKind kind;
  OrreryVec3 size;
  OrreryTransform pose;
  OrreryBuffer *points;
  OrreryBuffer *triangles;
  gboolean solid;
  gboolean visible;
  GPtrArray *materials; /* (element-type OrreryMaterial), or NULL */
  OrreryBuffer *triangle_materials;
  OrreryBuffer *coordinates;
};

G_DEFINE_BOXED_TYPE (OrreryShape, orrery_shape, orrery_shape_ref, orrery_shape_unref)

static OrreryShape *
shape_alloc (OrreryShapeKind kind, const OrreryTransform *pose)
{
  OrreryShape *shape = g_new0 (OrreryShape, 1);

  g_atomic_ref_count_init (&shape->refs);
  shape->kind = kind;
  shape->solid = shape->visible = TRUE;
  orrery_transform_identity (&shape->pose);
  if (pose != NULL)
    shape->pose = *pose;
  return shape;
}

OrreryShape *
orrery_shape_new (OrreryShapeKind kind, const OrreryVec3 *size, const OrreryTransform *pose)
{
  OrreryShape *shape;

  g_return_val_if_fail (kind < ORRERY_SHAPE_HULL, NULL);
  g_return_val_if_fail (orrery_vec3_is_finite (size), NULL);
  g_return_val_if_fail (size->x >= 0 && size->y >= 0 && size->z >= 0, NULL);

  shape = shape_alloc (kind, pose);
  shape->size = *size;
  return shape;
}

OrreryShape *
orrery_shape_new_points (OrreryShapeKind kind, OrreryBuffer *points, OrreryBuffer *triangles,
                         const OrreryTransform *pose)
{
  OrreryShape *shape;

  g_return_val_if_fail (kind == ORRERY_SHAPE_HULL || kind == ORRERY_SHAPE_MESH, NULL);
  g_return_val_if_fail (orrery_buffer_get_element (points) == ORRERY_ELEMENT_DOUBLE, NULL);
  g_return_val_if_fail (orrery_buffer_get_length (points, 1) == 3, NULL);
  g_return_val_if_fail (kind != ORRERY_SHAPE_MESH || triangles != NULL, NULL);

  shape = shape_alloc (kind, pose);
  shape->points = orrery_buffer_ref (points);
  shape->triangles = triangles != NULL ? orrery_buffer_ref (triangles) : NULL;
  return shape;
}

static void
shape_free (OrreryShape *shape)
{
  g_clear_pointer (&shape->points, orrery_buffer_unref);
  g_clear_pointer (&shape->triangles, orrery_buffer_unref);
  g_clear_pointer (&shape->materials, g_ptr_array_unref);
  g_clear_pointer (&shape->triangle_materials, orrery_buffer_unref);
  g_clear_pointer (&shape->coordinates, orrery_buffer_unref);
  g_free (shape);
}

ORRERY_DEFINE_COUNTED (OrreryShape, orrery_shape, refs, shape_free)

OrreryShape *
orrery_shape_new_seen (OrreryShape *shape, const OrreryTransform *pose)
{
  OrreryShape *seen = shape_alloc (shape->kind, NULL);

  orrery_transform_multiply (pose, &shape->pose, &seen->pose);
  seen->size = shape->size;
  seen->solid = FALSE;
  if (shape->points != NULL)
    seen->points = orrery_buffer_ref (shape->points);
  if (shape->triangles != NULL)
    seen->triangles = orrery_buffer_ref (shape->triangles);
  if (shape->materials != NULL)
    seen->materials = g_ptr_array_ref (shape->materials);
  if (shape->triangle_materials != NULL)
    seen->triangle_materials = orrery_buffer_ref (shape->triangle_materials);
  if (shape->coordinates != NULL)
    seen->coordinates = orrery_buffer_ref (shape->coordinates);
  return seen;
}

/* NULL: it has none, and a size instead. */
static OrreryBuffer *
scale_points (OrreryShape *shape, const OrreryVec3 *factors)
{
  gsize n = shape->points != NULL ? orrery_buffer_get_length (shape->points, 0) : 0;
  const double *from = shape->points != NULL ? orrery_buffer_get_data (shape->points) : NULL;
  OrreryBuffer *points =
      from != NULL ? orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (gsize[]){ n, 3 }) : NULL;
  double *to = points != NULL ? orrery_buffer_get_data (points) : NULL;

  for (gsize i = 0; i < n; i++) {
    OrreryVec3 p = { from[3 * i], from[3 * i + 1], from[3 * i + 2] };

    orrery_transform_apply (&shape->pose, &p, &p);
    to[3 * i] = factors->x * p.x;
    to[3 * i + 1] = factors->y * p.y;
    to[3 * i + 2] = factors->z * p.z;
  }
  return points;
}

gboolean
orrery_shape_can_scale (OrreryShape *shape, const OrreryVec3 *factors)
{
  gboolean round = factors->x == factors->y;
  gboolean straight = fabs (shape->pose.rotation.w) == 1;

  switch (shape->kind) {
  case ORRERY_SHAPE_HULL:
  case ORRERY_SHAPE_MESH:
    return TRUE;
  case ORRERY_SHAPE_BOX:
    return straight || (round && factors->y == factors->z);
  case ORRERY_SHAPE_CYLINDER:
  case ORRERY_SHAPE_CONE:
    return round && (straight || factors->y == factors->z);
  case ORRERY_SHAPE_SPHERE:
  case ORRERY_SHAPE_CAPSULE:
    return round && factors->y == factors->z;
  }
  g_assert_not_reached ();
}

OrreryShape *
orrery_shape_new_scaled (OrreryShape *shape, const OrreryVec3 *factors)
{
  OrreryTransform identity;
  OrreryShape *scaled;

  if (!orrery_shape_can_scale (shape, factors))
    return NULL;
  orrery_transform_identity (&identity);
  scaled = orrery_shape_new_seen (shape, &identity);
  scaled->solid = shape->solid;
  scaled->visible = shape->visible;
  g_clear_pointer (&scaled->points, orrery_buffer_unref);
  scaled->points = scale_points (shape, factors);
  if (scaled->points != NULL)
    orrery_transform_identity (&scaled->pose);
  scaled->pose.position =
      (OrreryVec3){ factors->x * scaled->pose.position.x, factors->y * scaled->pose.position.y,
                    factors->z * scaled->pose.position.z };
  scaled->size = (OrreryVec3){ factors->x * shape->size.x, factors->y * shape->size.y,
                               factors->z * shape->size.z };
  return scaled;
}

static OrreryMaterial *
paint_material (OrreryMaterial *old, const OrreryVec3 *color)
{
  OrreryMaterial *material =
      orrery_material_new (color->x, color->y, color->z, orrery_material_get_color (old)[3]);

  orrery_material_set_gloss (material, orrery_material_get_specular (old),
                             orrery_material_get_shininess (old));
  orrery_material_set_emission (material, orrery_material_get_emission (old));
  orrery_material_set_name (material, orrery_material_get_name (old));
  return material;
}

void
orrery_shape_paint (OrreryShape *shape, const OrreryVec3 *color)
{
  /* Materials are shared with the imported file and with other objects made of it. */
  g_autoptr (GPtrArray) old = g_steal_pointer (&shape->materials);

  if (old == NULL || old->len == 0) {
    g_autoptr (OrreryMaterial) material = orrery_material_new (color->x, color->y, color->z, 1);

    orrery_shape_add_material (shape, material);
    return;
  }
  for (guint i = 0; i < old->len; i++) {
    g_autoptr (OrreryMaterial) material = paint_material (old->pdata[i], color);

    orrery_shape_add_material (shape, material);
  }
}

void
orrery_shape_paint_named (OrreryShape *shape, GHashTable *colors, GHashTable *met)
{
  guint n = orrery_shape_get_n_materials (shape);
  g_autoptr (GPtrArray) old = n > 0 ? g_steal_pointer (&shape->materials) : NULL;

  for (guint i = 0; i < n; i++) {
    const char *name = orrery_material_get_name (old->pdata[i]);
    const OrreryVec3 *color = name != NULL ? g_hash_table_lookup (colors, name) : NULL;
    g_autoptr (OrreryMaterial) material = NULL;

    /* A picture stands in place of the colour. */
    if (color != NULL && orrery_material_get_texture (old->pdata[i]) == NULL)
      material = paint_material (old->pdata[i], color);
    orrery_shape_add_material (shape, material != NULL ? material : old->pdata[i]);
    if (name != NULL)
      g_hash_table_add (met, g_strdup (name));
  }
}

ORRERY_DEFINE_GETTER (OrreryShapeKind, orrery_shape_get_kind, OrreryShape, ORRERY_IS_STRUCT,
                      self->kind)
ORRERY_DEFINE_GETTER (const OrreryVec3 *, orrery_shape_get_size, OrreryShape, ORRERY_IS_STRUCT,
                      &self->size)
ORRERY_DEFINE_GETTER (const OrreryTransform *, orrery_shape_get_pose, OrreryShape, ORRERY_IS_STRUCT,
                      &self->pose)
ORRERY_DEFINE_GETTER (OrreryBuffer *, orrery_shape_get_points, OrreryShape, ORRERY_IS_STRUCT,
                      self->points)
ORRERY_DEFINE_GETTER (OrreryBuffer *, orrery_shape_get_triangles, OrreryShape, ORRERY_IS_STRUCT,
                      self->triangles)
ORRERY_DEFINE_GETTER (gboolean, orrery_shape_is_solid, OrreryShape, ORRERY_IS_STRUCT, self->solid)

void
orrery_shape_set_solid (OrreryShape *shape, gboolean solid)
{
  shape->solid = solid;
}

/* --- what it looks like --- */

ORRERY_DEFINE_GETTER (gboolean, orrery_shape_is_visible, OrreryShape, ORRERY_IS_STRUCT,
                      self->visible)

void
orrery_shape_set_visible (OrreryShape *shape, gboolean visible)
{
  shape->visible = visible;
}

void
orrery_shape_add_material (OrreryShape *shape, OrreryMaterial *material)
{
  g_return_if_fail (material != NULL);

  if (shape->materials == NULL)
    shape->materials = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_material_unref);
  g_ptr_array_add (shape->materials, orrery_material_ref (material));
}

guint
orrery_shape_get_n_materials (OrreryShape *shape)
{
  return shape->materials != NULL ? shape->materials->len : 0;
}

OrreryMaterial *
orrery_shape_get_material (OrreryShape *shape, guint index)
{
  return index < orrery_shape_get_n_materials (shape) ? shape->materials->pdata[index] : NULL;
}

static void
swap_in (OrreryBuffer **place, OrreryBuffer *buffer)
{
  if (buffer != NULL)
    orrery_buffer_ref (buffer);
  g_clear_pointer (place, orrery_buffer_unref);
  *place = buffer;
}

void
orrery_shape_set_triangle_materials (OrreryShape *shape, OrreryBuffer *indices)
{
  if (indices != NULL) {
    g_return_if_fail (shape->triangles != NULL);
    g_return_if_fail (orrery_buffer_get_element (indices) == ORRERY_ELEMENT_UINT32);
    g_return_if_fail (orrery_buffer_get_length (indices, 0) ==
                      orrery_buffer_get_length (shape->triangles, 0));
  }
  swap_in (&shape->triangle_materials, indices);
}

ORRERY_DEFINE_GETTER (OrreryBuffer *, orrery_shape_get_triangle_materials, OrreryShape,
                      ORRERY_IS_STRUCT, self->triangle_materials)

void
orrery_shape_set_texture_coordinates (OrreryShape *shape, OrreryBuffer *coordinates)
{
  if (coordinates != NULL) {
    g_return_if_fail (shape->triangles != NULL);
    g_return_if_fail (orrery_buffer_get_element (coordinates) == ORRERY_ELEMENT_FLOAT);
    g_return_if_fail (orrery_buffer_get_length (coordinates, 0) ==
                      orrery_buffer_get_length (shape->triangles, 0));
    g_return_if_fail (orrery_buffer_get_length (coordinates, 1) == 3);
    g_return_if_fail (orrery_buffer_get_length (coordinates, 2) == 2);
  }
  swap_in (&shape->coordinates, coordinates);
}

ORRERY_DEFINE_GETTER (OrreryBuffer *, orrery_shape_get_texture_coordinates, OrreryShape,
                      ORRERY_IS_STRUCT, self->coordinates)

/* --- bounds --- */

static void
widen (double value, double *lower, double *upper)
{
  *lower = fmin (*lower, value);
  *upper = fmax (*upper, value);
}

/* How far the shape goes along an axis, which is a row of the rotation, from its own origin. */
static void
measure (OrreryShape *shape, const double row[3], double *lower, double *upper)
{
  const OrreryVec3 *size = &shape->size;
  /* Of the circle about the shape's z. */
  double width = size->x * sqrt (fmax (0, 1 - row[2] * row[2]));
  double half = fabs (row[2]) * size->z;

  switch (shape->kind) {
  case ORRERY_SHAPE_BOX:
    *upper = fabs (row[0]) * size->x + fabs (row[1]) * size->y + half;
    break;
  case ORRERY_SHAPE_SPHERE:
    *upper = size->x;
    break;
  case ORRERY_SHAPE_CAPSULE:
    *upper = half + size->x;
    break;
  default:
    *upper = half + width;
    break;
  }
  *lower = -*upper;
  if (shape->kind == ORRERY_SHAPE_CONE) {
    *lower = *upper = row[2] * size->z;
    widen (-row[2] * size->z - width, lower, upper);
    widen (-row[2] * size->z + width, lower, upper);
  }
}

static void
measure_points (OrreryShape *shape, const double row[3], double *lower, double *upper)
{
  const double *at = orrery_buffer_get_data (shape->points);
  gsize n = orrery_buffer_get_length (shape->points, 0);

  *lower = n > 0 ? INFINITY : 0;
  *upper = n > 0 ? -INFINITY : 0;
  for (gsize i = 0; i < n; i++, at += 3)
    widen (row[0] * at[0] + row[1] * at[1] + row[2] * at[2], lower, upper);
}

void
orrery_shape_get_bounds (OrreryShape *shape, const OrreryTransform *pose, OrreryVec3 *lower,
                         OrreryVec3 *upper)
{
  OrreryTransform placed;
  OrreryMat3 rotation;
  double least[3];
  double most[3];

  g_return_if_fail (shape != NULL);

  placed = shape->pose;
  if (pose != NULL)
    orrery_transform_multiply (pose, &shape->pose, &placed);
  orrery_quat_to_matrix (&placed.rotation, &rotation);
  for (guint i = 0; i < 3; i++)
    if (shape->points != NULL)
      measure_points (shape, &rotation.m[3 * i], &least[i], &most[i]);
    else
      measure (shape, &rotation.m[3 * i], &least[i], &most[i]);
  *lower = (OrreryVec3){ placed.position.x + least[0], placed.position.y + least[1],
                         placed.position.z + least[2] };
  *upper = (OrreryVec3){ placed.position.x + most[0], placed.position.y + most[1],
                         placed.position.z + most[2] };
}
