/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* Sets an ORRERY_ERROR, or puts words in front of the one that is set, and returns FALSE. */
gboolean orrery_fail (GError **error, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean orrery_fail_at (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same where a pointer is returned: NULL */
#define orrery_fail_null(...) (orrery_fail (__VA_ARGS__), NULL)
/* The names that orrery_nearest_names() would offer as "did you mean", the nearest first. */
char **orrery_find_near_names (const char *name, const char *const *names);
