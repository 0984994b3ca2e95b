/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mesh.h"

/* The convex hull of a shape's points; of points that span no volume the box around them. */
void hull_add_shape (Mesh *mesh, OrreryShape *shape);
