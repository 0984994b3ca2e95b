/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* A classpath beyond these limits is refused. */
#define ORRERY_CLASSPATH_MAX_LENGTH 255
#define ORRERY_CLASSPATH_MAX_PARTS 16

/* In the order in which one directory is searched. */
typedef enum {
  ORRERY_MODULE_SO,
  ORRERY_MODULE_PY,
  ORRERY_MODULE_JSON,
} OrreryModuleKind;

#define ORRERY_N_MODULE_KINDS 3

/* The file that makes a directory a module in Python. */
#define ORRERY_PYTHON_PACKAGE "__init__.py"

/* The result of a look-up: a module, and the rest of the classpath as the name of the class in
 * it. */
typedef struct {
  OrreryModuleKind kind;
  char *module;     /* orrery.sensors.pose */
  char *file;       /* as found, not its real path */
  char *directory;  /* of the search path */
  char *class_name; /* NULL if only modules were asked for */
} OrreryModulePlace;

void orrery_module_place_free (OrreryModulePlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryModulePlace, orrery_module_place_free)

const char *orrery_module_kind_get_name (OrreryModuleKind kind);

/* An identifier, or several joined by dots; at most @max_parts. */
gboolean orrery_is_dotted_name (const char *text, guint max_parts);
/* Checks a classpath as it was written, and replaces a leading `morse.` by `orrery.`. */
char *orrery_classpath_read (const char *text, GError **error);
/* Finds the module of a classpath on the search path. NULL if there is none. */
OrreryModulePlace *orrery_classpath_find (const char *const *directories, const char *classpath);
/* The same among modules of one kind. */
OrreryModulePlace *orrery_classpath_find_kind (const char *const *directories,
                                               const char *classpath, OrreryModuleKind kind);
/* Lists every module on the search path by names of files alone: (element-type OrreryModulePlace),
 * in the order of the search path, within a directory by name. Modules that another one hides are
 * added to @hidden, unless it is NULL. */
GPtrArray *orrery_classpath_walk (const char *const *directories, GPtrArray *hidden);
/* The names of all environments, (element-type utf8), sorted, each once. */
GPtrArray *orrery_environments_list (const char *const *directories);
/* Relative path of the file: orrery/sensors/pose.so. */
char *orrery_module_get_path (const char *module, OrreryModuleKind kind);
