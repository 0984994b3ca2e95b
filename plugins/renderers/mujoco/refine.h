/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mesh.h"

/*
 * Light is computed at the corners of triangles. Where lamps are near, large triangles are divided
 * once, when the world is prepared, so that the light on them follows the lamps.
 */

/* How many triangles dividing adds at most to a world. */
#define REFINE_BUDGET 24000u

/* m2, roughly: of a hull or a cone that of the box around it; 0: of what needs no dividing. */
double refine_get_area (OrreryShape *shape);
/* The longest edge, m, of a shape with that area, so that shapes whose roots of their areas sum up
 * to @roots stay within the budget: large ones have more triangles, and larger ones. */
double refine_find_edge (double area, double roots);
/* Divides the longest edges in half until none is longer than @edge, or @most triangles are
 * added; neighbours divide an edge that they share at the same place. Returns: how many were. */
guint refine_mesh (Mesh *mesh, double edge, guint most);
