/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "geometry.h"

/* Boxes in boxes around the triangles of a mesh, so that a ray is tested against few of them. */
typedef struct _RayTree RayTree;

/* The mesh is not kept. */
RayTree *ray_tree_new (const RayMesh *mesh);
void ray_tree_free (RayTree *tree);
/* Looks for the nearest triangle of the mesh within the reach of the probe, which has found nothing
 * yet. The answer is bit for bit that of testing all triangles one after the other: of several at
 * one distance the first. Returns: whether there is one */
gboolean ray_tree_probe (const RayTree *tree, const RayMesh *mesh, RayProbe *probe);
