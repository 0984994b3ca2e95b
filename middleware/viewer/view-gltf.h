/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/**
 * view_gltf_new:
 * @shape: a mesh or a hull
 *
 * Writes the shape as a binary glTF 2.0 file (.glb): one mesh in the shape's own frame, a primitive
 * for each material that has triangles, textures as PNG. A hull without triangles is its points.
 * Equal shapes give equal bytes.
 *
 * Returns: (transfer full) (nullable): the file; %NULL if the shape has no points or is beyond what
 *   such a file can hold (4 GiB)
 */
GBytes *view_gltf_new (OrreryShape *shape);

/**
 * view_png_new:
 * @pixels: 8 bits each, rows from the top
 * @channels: 1, 3 or 4
 *
 * Returns: (transfer full): a PNG file
 */
GByteArray *view_png_new (const guint8 *pixels, gsize width, gsize height, guint channels);

/* What a surface is like in terms of glTF. */
double view_material_get_roughness (OrreryMaterial *material);
double view_linear_from_shown (double value);
