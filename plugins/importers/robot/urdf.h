/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Reads the text of a URDF file into objects: one for each link, below the one that carries it. */
gboolean urdf_read (const char *text, gsize length, const char *path, OrreryImport *import,
                    GError **error);
gboolean urdf_read_file (const char *path, OrreryImport *import, GError **error);
