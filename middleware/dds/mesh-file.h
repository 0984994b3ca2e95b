/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/**
 * ros2_write_mesh:
 * @shape: a mesh
 * @directory: where the file is written, unless it is there already; it is made if need be
 *
 * Writes the triangles of a shape, in its own frame, as binary STL. The name of the file follows
 * from what is in it, so that each mesh is written once, whoever has it.
 *
 * Returns: (transfer full) (nullable): a URI, `file:///...`; NULL: it could not be written, or has
 *   more than 1,000,000 triangles
 */
char *ros2_write_mesh (OrreryShape *shape, const char *directory, GError **error);
