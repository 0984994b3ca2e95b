/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Runs the program @name that lies beside this module on one file, and gives back what it writes:
 * what crashes, hangs or eats all memory there is an error here. @what: words for what the program
 * needs, where it is not installed.
 */
GBytes *child_read (const char *name, const char *path, const char *what, GError **error);

/* Meshes that were read: a file that is used many times is read once, and its points are shared.
 * Returns: (transfer full): for g_hash_table_unref () */
GHashTable *mesh_store_new (void);
/*
 * Points and triangles of a file of meshes, scaled, as one shape: a hull if @hull. All of a store
 * have at most 2,000,000 triangles.
 */
OrreryShape *mesh_load (GHashTable *store, const char *path, const OrreryVec3 *scale, gboolean hull,
                        const OrreryTransform *pose, GError **error);
