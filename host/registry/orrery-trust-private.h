/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* Whether code may be taken from @path, a file or a directory: it belongs to root or to the user,
 * and others may not write to it (a directory with the sticky bit apart). */
gboolean orrery_trust_check (const char *path, GError **error);
/* The same for @file, which lies under @directory, and everything between them, as it is named and
 * as it really lies. Returns the real path. */
char *orrery_trust_check_file (const char *directory, const char *file, GError **error);
