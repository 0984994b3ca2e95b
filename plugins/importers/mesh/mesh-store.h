/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Meshes that were read: a file that is used many times is read once, and its points are shared.
 * Returns: (transfer full): for g_hash_table_unref () */
GHashTable *mesh_store_new (void);
/*
 * Points and triangles of a file of meshes, scaled, as one shape: a hull if @hull. All of a store
 * have at most 2,000,000 triangles.
 */
OrreryShape *mesh_store_load (GHashTable *store, const char *path, const OrreryVec3 *scale,
                              gboolean hull, const OrreryTransform *pose, OrreryImport *import,
                              GError **error);
