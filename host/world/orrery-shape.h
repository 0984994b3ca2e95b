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
 *
 * What a shape is, and what its size means. Hulls and meshes have points in place of a size.
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
 * Makes a shape that is solid and visible. A number out of range is a programming error, and %NULL
 * is returned.
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
 * Makes a shape that is solid and visible. It keeps references to the buffers, whose content must
 * not change any more. Indices in @triangles are not checked: each has to be below n.
 *
 * Returns: (transfer full): a shape
 */
ORRERY_API OrreryShape *orrery_shape_new_points (OrreryShapeKind kind, OrreryBuffer *points,
                                                 OrreryBuffer *triangles,
                                                 const OrreryTransform *pose);
/**
 * orrery_shape_new_scaled: (skip)
 * @shape: a shape
 * @factors: along the axes of the object, finite, none negative
 *
 * Makes a shape with the same materials whose points are those of @shape, multiplied with @factors.
 * A shape of points may be stretched in any way, and has its pose in its points then. All others
 * stay what they are: any of them takes three equal factors; a box that is not turned takes any; a
 * cylinder or cone that is not turned takes another one along z.
 *
 * Returns: (transfer full) (nullable): a shape; %NULL: it would become one of another kind
 */
ORRERY_API OrreryShape *orrery_shape_new_scaled (OrreryShape *shape, const OrreryVec3 *factors);
/**
 * orrery_shape_ref:
 *
 * Takes a reference; any thread.
 *
 * Returns: @shape
 */
ORRERY_API OrreryShape *orrery_shape_ref (OrreryShape *shape);
/**
 * orrery_shape_unref:
 * @shape: a shape
 *
 * Drops a reference; the last one frees the shape, and drops its buffers and materials. Any thread.
 */
ORRERY_API void orrery_shape_unref (OrreryShape *shape);
/**
 * orrery_shape_get_kind:
 *
 * Fixed when the shape is made. It says which of orrery_shape_get_size() and
 * orrery_shape_get_points() counts.
 *
 * Returns: what it is
 */
ORRERY_API OrreryShapeKind orrery_shape_get_kind (OrreryShape *shape);
/**
 * orrery_shape_get_size:
 *
 * Half extents and radii in m, as #OrreryShapeKind explains them; 0 for hulls and meshes. At the
 * same address for the life of the shape.
 *
 * Returns: (transfer none): as the kind says
 */
ORRERY_API const OrreryVec3 *orrery_shape_get_size (OrreryShape *shape);
/**
 * orrery_shape_get_pose:
 *
 * The place of the shape in its object, which does not change. At the same address for the life of
 * the shape.
 *
 * Returns: (transfer none): in the object's frame
 */
ORRERY_API const OrreryTransform *orrery_shape_get_pose (OrreryShape *shape);
/**
 * orrery_shape_get_points:
 *
 * The buffer that orrery_shape_new_points() was given, in m and in the shape's own frame.
 *
 * Returns: (transfer none) (nullable): doubles, n x 3; %NULL for shapes that have a size
 */
ORRERY_API OrreryBuffer *orrery_shape_get_points (OrreryShape *shape);
/**
 * orrery_shape_get_triangles:
 *
 * The buffer that orrery_shape_new_points() was given: indices of points, counter-clockwise from
 * outside.
 *
 * Returns: (transfer none) (nullable): uint32, m x 3; %NULL for shapes that have a size, and for a
 *   hull that is only points
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
 * A shape that is not solid is only seen. A new one is solid.
 *
 * Returns: whether bodies collide with it
 */
ORRERY_API gboolean orrery_shape_is_solid (OrreryShape *shape);
/**
 * orrery_shape_set_solid:
 * @solid: whether bodies collide with it
 *
 * For code that builds the world, before the shape is added to an object.
 */
ORRERY_API void orrery_shape_set_solid (OrreryShape *shape, gboolean solid);

/**
 * orrery_shape_is_visible:
 *
 * What bodies collide with may look different from what cameras see. A new shape is visible.
 *
 * Returns: whether cameras see it
 */
ORRERY_API gboolean orrery_shape_is_visible (OrreryShape *shape);
/**
 * orrery_shape_set_visible:
 * @visible: whether cameras see it
 *
 * For code that builds the world, before the shape is added to an object.
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
 * Only a mesh makes use of more than one.
 *
 * Returns: how many materials it has; 0: it looks plain
 */
ORRERY_API guint orrery_shape_get_n_materials (OrreryShape *shape);
/**
 * orrery_shape_get_material:
 * @index: which
 *
 * Materials have the order in which they were added. That of index 0 is the material of every
 * triangle that no other one is named for.
 *
 * Returns: (transfer none) (nullable): that material; %NULL if it has fewer
 */
ORRERY_API OrreryMaterial *orrery_shape_get_material (OrreryShape *shape, guint index);
/**
 * orrery_shape_set_triangle_materials:
 * @shape: a mesh
 * @indices: (nullable): uint32, for each triangle which material it has
 *
 * The values are indices for orrery_shape_get_material(), one for each row of the triangles. The
 * shape keeps a reference to the buffer. A buffer of another length or element is refused as a
 * programming error.
 */
ORRERY_API void orrery_shape_set_triangle_materials (OrreryShape *shape, OrreryBuffer *indices);
/**
 * orrery_shape_get_triangle_materials:
 *
 * The buffer that orrery_shape_set_triangle_materials() was given.
 *
 * Returns: (transfer none) (nullable): uint32, for each triangle which material it has; %NULL: all
 *   have the first
 */
ORRERY_API OrreryBuffer *orrery_shape_get_triangle_materials (OrreryShape *shape);
/**
 * orrery_shape_set_texture_coordinates:
 * @shape: a mesh
 * @coordinates: (nullable): float32, m x 3 x 2: for each corner of each triangle where in the
 *   texture it lies: from 0, left, to 1, right; from 0, bottom, to 1, top
 *
 * The shape keeps a reference to the buffer. One with another shape or element is refused as a
 * programming error.
 */
ORRERY_API void orrery_shape_set_texture_coordinates (OrreryShape *shape,
                                                      OrreryBuffer *coordinates);
/**
 * orrery_shape_get_texture_coordinates:
 *
 * The buffer that orrery_shape_set_texture_coordinates() was given.
 *
 * Returns: (transfer none) (nullable): float32, m x 3 x 2; %NULL: materials show no texture on it
 */
ORRERY_API OrreryBuffer *orrery_shape_get_texture_coordinates (OrreryShape *shape);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryShape, orrery_shape_unref)

G_END_DECLS
