/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "wiring/orrery-classpath-private.h"
#include "wiring/orrery-module-private.h"
#include "wiring/orrery-registry.h"

/* A class that was found. @module is the shared object that @klass.desc is of. */
typedef struct {
  OrreryClass klass; /* first: what the header shows is the start of this */
  const OrreryModule *module;
  char *classpath;
  char *module_path;
  char *file;
} OrreryClassEntry;

OrreryClassEntry *orrery_class_entry_get (const OrreryClass *klass);
/* Whether it, or what a JSON class is made of, is a class in Python. */
gboolean orrery_class_is_in_python (const OrreryClass *klass);
/* What a JSON class says of its level, or the nearest of its bases; NULL: nothing. */
const char *orrery_class_get_json_level (const OrreryClass *klass);
/* The type of the class, checked once for what its role needs. */
GType orrery_class_get_type (const OrreryClass *klass, GError **error);
/* The tail of a message about a classpath that leads nowhere. */
char *orrery_registry_get_nearest (OrreryRegistry *registry, const char *classpath);
