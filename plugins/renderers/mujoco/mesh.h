/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Triangles as the renderer takes them: each corner with a normal of its own, so that edges are
 * sharp and round surfaces smooth.
 */
typedef struct {
  GArray *vertices;    /* (element-type float): 3 each */
  GArray *normals;     /* (element-type float): 3 each */
  GArray *coordinates; /* (element-type float): 2 each; as many as vertices, or none */
  OrreryVec3 center;   /* of the box around them */
  double radius;       /* of the sphere about it */
} Mesh;

void mesh_init (Mesh *mesh);
void mesh_clear (Mesh *mesh);
guint mesh_get_n_triangles (const Mesh *mesh);

/* Those triangles of a mesh that have the material; G_MAXUINT: all. */
void mesh_add_shape (Mesh *mesh, OrreryShape *shape, guint material);
/* A sphere, cylinder, capsule or cone. */
void mesh_add_round (Mesh *mesh, OrreryShape *shape);
/* Gives all triangles coordinates of a texture that is laid on them from six sides, once on each:
 * on the box that holds the shape. Those that a triangle faces most are its own. */
void mesh_lay_texture (Mesh *mesh, OrreryShape *shape);
/* @repeat: m in which its texture repeats along x and y; 0: it has no coordinates */
void mesh_add_box (Mesh *mesh, const OrreryVec3 *half, double repeat);
/* Triangles of points, three indices each; of one material, or of all: G_MAXUINT. */
void mesh_add_triangles (Mesh *mesh, const OrreryVec3 *points, guint n_points,
                         const guint32 *corners, guint n_triangles, const guint32 *materials,
                         guint material, const float *coordinates);
