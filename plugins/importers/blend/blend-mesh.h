/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-file.h"

#include <orrery.h>

/* The triangles of one object, in the object's frame, its scale included. */
typedef struct {
  GArray *points;    /* (element-type OrreryVec3) */
  GArray *triangles; /* (element-type guint32): three indices each */
  /* What each triangle looks like: */
  GArray *slots;       /* (element-type guint32): its material, as the object counts them */
  GArray *faces;       /* (element-type guint32): its own picture + 1, or 0 */
  GArray *coordinates; /* (element-type float): two for each corner, or none at all */
  GArray *images;      /* (element-type BlendStruct): those pictures */
  gboolean has_coordinates;
  guint limit; /* of triangles; points: twice as many */
} BlendMesh;

/* Limit of triangles per file; those of a mesh count once for each object that uses it. */
#define BLEND_MAX_TRIANGLES 10000000u

/* scale: from the mesh's coordinates to the object's; limit: of triangles. FALSE: there are more.
 */
gboolean blend_mesh_read (BlendMesh *mesh, const BlendStruct *object, const BlendStruct *data,
                          const OrreryMat3 *scale, guint limit);
void blend_mesh_clear (BlendMesh *mesh);
/* FALSE: it has no points. */
gboolean blend_mesh_get_box (const BlendMesh *mesh, OrreryVec3 *low, OrreryVec3 *high);
/* hull or mesh; NULL: it is too small to be one. */
OrreryShape *blend_mesh_get_shape (const BlendMesh *mesh, OrreryShapeKind kind);
