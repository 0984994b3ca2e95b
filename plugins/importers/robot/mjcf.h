/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Reads an MJCF file into objects: one for each body, below the one that carries it. */
gboolean mjcf_read (const char *path, OrreryImport *import, GError **error);
