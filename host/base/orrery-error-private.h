/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* Puts words in front of the error that is set, and returns FALSE. */
gboolean orrery_prefix_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* orrery_set_error () for a caller that returns a pointer. */
#define orrery_set_error_null(...) (orrery_set_error (__VA_ARGS__), NULL)
/* The names that orrery_nearest_names() would offer as "did you mean", the nearest first. */
char **orrery_find_near_names (const char *name, const char *const *names);
