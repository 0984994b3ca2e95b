/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "wiring/orrery-classpath-private.h"
#include "wiring/orrery-module-private.h"

/* Imports a module in Python by the loader of the process, which must have one, and judges what it
 * says. NULL without an error: @file is NULL, and Python finds no such module. The caller frees it
 * with what it made of it. */
OrreryModule *orrery_python_open (const char *module, const char *file, GError **error);

/* Where Python itself would look, as its interpreter says: for processes without a loader. */
char **orrery_python_get_path (void);
