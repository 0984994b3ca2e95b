/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"

/* Beyond these a classpath is refused. */
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

/* Where a classpath leads: a module, and what is left as the name of the class in it. */
typedef struct {
  OrreryModuleKind kind;
  char *module;     /* orrery.sensors.pose */
  char *file;       /* as found, not its real path */
  char *directory;  /* of the search path */
  char *class_name; /* NULL where only modules were asked for */
} OrreryModulePlace;

void orrery_module_place_free (OrreryModulePlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryModulePlace, orrery_module_place_free)

const char *orrery_module_kind_get_name (OrreryModuleKind kind);

/* An identifier, or several joined by dots; at most @max_parts. */
gboolean orrery_is_dotted_name (const char *text, guint max_parts);
/* A classpath as it was written, checked, `morse.` read as `orrery.`. */
char *orrery_classpath_read (const char *text, GError **error);
/* Looks it up by place. NULL where there is no such module. */
OrreryModulePlace *orrery_classpath_find (const char *const *directories, const char *classpath);
/* The same among modules of one kind. */
OrreryModulePlace *orrery_classpath_find_kind (const char *const *directories,
                                               const char *classpath, OrreryModuleKind kind);
/* Every module on the search path, by names of files alone: (element-type OrreryModulePlace), in
 * the order of the search path, in one directory by name; those that another one hides go, if it is
 * not NULL, to @hidden. */
GPtrArray *orrery_classpath_walk (const char *const *directories, GPtrArray *hidden);
/* Relative path of the file: orrery/sensors/pose.so. */
char *orrery_module_get_path (const char *module, OrreryModuleKind kind);
