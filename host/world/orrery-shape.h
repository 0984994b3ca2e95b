/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-transform.h"
#include "record/orrery-buffer.h"
#include "world/orrery-material.h"

G_BEGIN_DECLS

/**
 * OrreryShapeKind:
 * @ORRERY_SHAPE_BOX: size: half extents along x, y, z
 * @ORRERY_SHAPE_SPHERE: size.x: radius
 * @ORRERY_SHAPE_CYLINDER: about z; size.x: radius, size.z: half height
 * @ORRERY_SHAPE_CAPSULE: about z; size.x: radius, size.z: half height of the cylinder between the
 * caps
 * @ORRERY_SHAPE_CONE: about z, tip up; size.x: radius, size.z: half height
 * @ORRERY_SHAPE_HULL: convex hull of points
 * @ORRERY_SHAPE_MESH: triangles; collides as they are when static
 */
typedef enum {
  ORRERY_SHAPE_BOX,
  ORRERY_SHAPE_SPHERE,
  ORRERY_SHAPE_CYLINDER,
  ORRERY_SHAPE_CAPSULE,
  ORRERY_SHAPE_CONE,
  ORRERY_SHAPE_HULL,
  ORRERY_SHAPE_MESH,
} OrreryShapeKind;

/**
 * OrreryShape:
 *
 * A piece of the geometry of an object, in the object's frame. Immutable once it is added to an
 * object; counted.
 */
#define ORRERY_TYPE_SHAPE (orrery_shape_get_type ())
ORRERY_API GType orrery_shape_get_type (void);

/**
 * orrery_shape_new:
 * @kind: box, sphere, cylinder, capsule or cone
 * @size: as @kind says; m, finite, none negative
 * @pose: (nullable): in the object's frame; %NULL for its origin
 *
 * Returns: (transfer full): a shape
 */
ORRERY_API OrreryShape *orrery_shape_new (OrreryShapeKind kind, const OrreryVec3 *size,
                                          const OrreryTransform *pose);

/**
 * orrery_shape_new_points:
 * @kind: hull or mesh
 * @points: doubles, n x 3, m
 * @triangles: (nullable): uint32, m x 3, counter-clockwise from outside; needed for a mesh
 * @pose: (nullable): in the object's frame
 *
 * Returns: (transfer full): a shape
 */
ORRERY_API OrreryShape *orrery_shape_new_points (OrreryShapeKind kind, OrreryBuffer *points,
                                                 OrreryBuffer *triangles,
                                                 const OrreryTransform *pose);
ORRERY_API OrreryShape *orrery_shape_ref (OrreryShape *shape);
ORRERY_API void orrery_shape_unref (OrreryShape *shape);
/**
 * orrery_shape_get_kind:
 *
 * Returns: what it is
 */
ORRERY_API OrreryShapeKind orrery_shape_get_kind (OrreryShape *shape);
/**
 * orrery_shape_get_size:
 *
 * Returns: (transfer none): as the kind says
 */
ORRERY_API const OrreryVec3 *orrery_shape_get_size (OrreryShape *shape);
/**
 * orrery_shape_get_pose:
 *
 * Returns: (transfer none): in the object's frame
 */
ORRERY_API const OrreryTransform *orrery_shape_get_pose (OrreryShape *shape);
/**
 * orrery_shape_get_points:
 *
 * Returns: (transfer none) (nullable): doubles, n x 3
 */
ORRERY_API OrreryBuffer *orrery_shape_get_points (OrreryShape *shape);
/**
 * orrery_shape_get_triangles:
 *
 * Returns: (transfer none) (nullable): uint32, m x 3
 */
ORRERY_API OrreryBuffer *orrery_shape_get_triangles (OrreryShape *shape);
/**
 * orrery_shape_get_bounds:
 * @shape: a shape
 * @pose: (nullable): of its object in the frame of the box; %NULL: the object's own frame
 * @lower: (out caller-allocates): m, the corner of least coordinates
 * @upper: (out caller-allocates): m, the other one
 *
 * Finds the smallest box along the axes of a frame that holds the shape. It looks at each point of
 * a hull or a mesh; not for ticks.
 */
ORRERY_API void orrery_shape_get_bounds (OrreryShape *shape, const OrreryTransform *pose,
                                         OrreryVec3 *lower, OrreryVec3 *upper);
/**
 * orrery_shape_is_solid:
 *
 * Returns: whether bodies collide with it; one that is not is only seen
 */
ORRERY_API gboolean orrery_shape_is_solid (OrreryShape *shape);
/**
 * orrery_shape_set_solid:
 * @solid: whether bodies collide with it
 */
ORRERY_API void orrery_shape_set_solid (OrreryShape *shape, gboolean solid);

/**
 * orrery_shape_is_visible:
 *
 * Returns: whether cameras see it; what bodies collide with may look different
 */
ORRERY_API gboolean orrery_shape_is_visible (OrreryShape *shape);
/**
 * orrery_shape_set_visible:
 * @visible: whether cameras see it
 */
ORRERY_API void orrery_shape_set_visible (OrreryShape *shape, gboolean visible);
/**
 * orrery_shape_add_material:
 * @material: (transfer none): what it looks like
 *
 * A mesh may have several; the first is that of all triangles unless
 * orrery_shape_set_triangle_materials() says otherwise.
 */
ORRERY_API void orrery_shape_add_material (OrreryShape *shape, OrreryMaterial *material);
/**
 * orrery_shape_get_n_materials:
 *
 * Returns: how many materials it has; 0: it looks plain
 */
ORRERY_API guint orrery_shape_get_n_materials (OrreryShape *shape);
/**
 * orrery_shape_get_material:
 * @index: which
 *
 * Returns: (transfer none) (nullable): that material; %NULL if it has fewer
 */
ORRERY_API OrreryMaterial *orrery_shape_get_material (OrreryShape *shape, guint index);
/**
 * orrery_shape_set_triangle_materials:
 * @shape: a mesh
 * @indices: (nullable): uint32, for each triangle which material it has
 */
ORRERY_API void orrery_shape_set_triangle_materials (OrreryShape *shape, OrreryBuffer *indices);
/**
 * orrery_shape_get_triangle_materials:
 *
 * Returns: (transfer none) (nullable): uint32, for each triangle which material it has
 */
ORRERY_API OrreryBuffer *orrery_shape_get_triangle_materials (OrreryShape *shape);
/**
 * orrery_shape_set_texture_coordinates:
 * @shape: a mesh
 * @coordinates: (nullable): float32, m x 3 x 2: for each corner of each triangle where in the
 *   texture it lies: from 0, left, to 1, right; from 0, bottom, to 1, top
 */
ORRERY_API void orrery_shape_set_texture_coordinates (OrreryShape *shape,
                                                      OrreryBuffer *coordinates);
/**
 * orrery_shape_get_texture_coordinates:
 *
 * Returns: (transfer none) (nullable): float32, m x 3 x 2
 */
ORRERY_API OrreryBuffer *orrery_shape_get_texture_coordinates (OrreryShape *shape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryShape, orrery_shape_unref)

G_END_DECLS
