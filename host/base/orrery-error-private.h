/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* The names that orrery_nearest_names() would offer as "did you mean", the nearest first. */
char **orrery_find_near_names (const char *name, const char *const *names);
