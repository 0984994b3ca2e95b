/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Points that lie in one plane, which MuJoCo takes for no mesh: it wants a volume. */

/* The unit normal of the plane in which all points lie; FALSE: they lie in none, or in a line. */
gboolean flat_find_normal (const double *xyz, gsize n, double normal[3]);
/* Whether triangles in that plane fill all that is between their outermost points. */
gboolean flat_is_filled (const double *xyz, gsize n, const guint32 *corners, gsize n_triangles,
                         const double normal[3]);
/* The same normal as flat_find_normal(), towards the side to which the triangles look; of those
 * that look to both sides, @up. */
gboolean flat_find_side (const double *xyz, gsize n, const guint32 *corners, gsize n_triangles,
                         const OrreryVec3 *up, double normal[3]);
/* Returns: (transfer full): 3 * 2 * n numbers: the points, moved by @above and by -@below (m) along
 * the normal. */
double *flat_thicken (const double *xyz, gsize n, const double normal[3], double above,
                      double below);
void flat_get_corner (const double *xyz, guint32 index, double out[3]);
/* Unit normal of a triangle; FALSE: it has no area. */
gboolean flat_get_normal (const double p[3][3], double n[3]);
/* Whether triangles are the surface of something convex that has a volume. */
gboolean flat_is_convex (const double *xyz, gsize n_points, const guint32 *corners,
                         gsize n_triangles);
