/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Triangles of the convex hull of @n points of three doubles: indices of points, outwards where it
 * has an inside; a flat set of points has the two sides of one polygon, a line or a point nothing.
 * Returns: (transfer full): guint32, three for each triangle */
GArray *hull_make (const double *points, guint n);
