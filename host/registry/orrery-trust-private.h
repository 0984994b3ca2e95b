/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* Whether code may be taken from @path, a file or a directory: it belongs to root or to the user,
 * and others may not write to it (a directory with the sticky bit apart), nor may a group, unless
 * it is the owner's own, or root's choice. */
gboolean orrery_trust_check (const char *path, GError **error);
/* The same for @file, which lies under @directory, and everything between them, as it is named and
 * as it really lies; for a module in Python also all that it may import from @directory, compiled
 * files included. Returns the real path. */
char *orrery_trust_check_file (const char *directory, const char *file, GError **error);
