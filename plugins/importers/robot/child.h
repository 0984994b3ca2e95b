/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Runs the program @name that lies beside this module on one file, and gives back what it writes:
 * what crashes, hangs or eats all memory there is an error here. @what: words for what the program
 * needs, where it is not installed.
 */
GBytes *child_read (const char *name, const char *path, const char *what, GError **error);

/*
 * Points and triangles of a file of meshes, scaled, as one shape: a hull if @hull. It is read once
 * for each use.
 */
OrreryShape *mesh_load (const char *path, const OrreryVec3 *scale, gboolean hull,
                        const OrreryTransform *pose, GError **error);
