/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "registry/orrery-registry.h"

/* A path under the directory that this library lies in: orrery-1/plugins. */
char *orrery_get_library_path (const char *relative);
