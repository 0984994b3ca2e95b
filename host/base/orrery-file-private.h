/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/*
 * Reads a file whole. Whoever names a pipe, a device or a directory meant another one: these would
 * block, or never end. @max: bytes; more are refused before they are read.
 *
 * Returns: (transfer full): its bytes and a NUL; or NULL with NO_FILE, CONFIG (no file, or too
 *   large) or IO
 */
char *orrery_file_read (const char *path, gsize max, gsize *length, GError **error);

/*
 * Finds the file or directory that @name, a path from outside, names below @root: a relative path
 * without `..`, which no link leads out of it.
 *
 * Returns: (transfer full): its real path; or NULL with INVALID if @name is no such path, or
 *   NOT_FOUND, which does not tell what is there otherwise
 */
char *orrery_file_find_below (const char *root, const char *name, GError **error);

/* Directories that were visited, since links may make a ring of them. For g_hash_table_unref(). */
GHashTable *orrery_directories_new (void);
/* Whether @path leads to a directory that is not among them; it is from now on. FALSE with errno:
 * it cannot be looked at, or is another kind of file (ENOTDIR). With errno 0: it was there. */
gboolean orrery_directories_add (GHashTable *directories, const char *path);

G_END_DECLS
