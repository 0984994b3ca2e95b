/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "registry/orrery-describe-private.h"
#include "registry/orrery-inspect-private.h"

/* All modules of a search path and their classes, from descriptors and JSON files alone. */

typedef struct {
  OrreryModulePlace *place;
  OrreryNode *node; /* of JSON: the document; otherwise the description by the module itself */
  gboolean is_usable;
} OrreryListedModule;

typedef struct _OrreryListedClass OrreryListedClass;
struct _OrreryListedClass {
  const OrreryListedModule *module;
  char *classpath;
  OrreryNode *node;              /* as in the file */
  const OrreryListedClass *base; /* of a JSON class */
  const OrreryListedClass
      *root; /* the C class at the end of its bases; itself; NULL: it has none */
  gboolean is_shadowed;
};

typedef struct {
  char *file;
  char *message;
} OrreryListedError;

typedef struct {
  GPtrArray *places;  /* (element-type OrreryModulePlace) */
  GArray *modules;    /* (element-type OrreryListedModule) */
  GPtrArray *classes; /* (element-type OrreryListedClass), in order */
  GHashTable *by_classpath;
  GArray *errors; /* (element-type OrreryListedError) */
} OrreryList;

/* @places: (transfer full): modules, in the order of the search path. */
OrreryList *orrery_list_new (GPtrArray *places);
void orrery_list_free (OrreryList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryList, orrery_list_free)
void orrery_list_add_error (OrreryList *list, const char *file, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* In order: (transfer container). */
const char **orrery_list_get_classpaths (OrreryList *list);
