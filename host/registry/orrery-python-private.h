/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "registry/orrery-classpath-private.h"
#include "registry/orrery-module-private.h"

/* Imports a module in Python by the loader of the process, which must have one, and checks its
 * description. NULL without an error: @file is NULL, and Python finds no such module. The caller
 * owns the result. */
OrreryModule *orrery_python_open (const char *module, const char *file, GError **error);

/* The module search path of the Python interpreter, for processes without a loader. */
char **orrery_python_get_path (void);
