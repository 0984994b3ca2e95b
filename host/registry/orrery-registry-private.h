/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-catalogue.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-module-private.h"
#include "registry/orrery-registry.h"

/* A class that was found. @module is the shared object that @klass.desc is of. */
typedef struct {
  OrreryClass klass; /* must be first: the public struct is the start of this one */
  const OrreryModule *module;
  char *classpath;
  char *module_path;
  char *file;
} OrreryClassEntry;

OrreryClassEntry *orrery_class_entry_get (const OrreryClass *klass);
/* Whether it, or what a JSON class is made of, is a class in Python. */
gboolean orrery_class_is_in_python (const OrreryClass *klass);
/* The level that a JSON class, or the nearest of its bases, names; NULL: none. */
const char *orrery_class_get_json_level (const OrreryClass *klass);
/* The type of the class, checked once for what its role needs. */
GType orrery_class_get_type (const OrreryClass *klass, GError **error);
/* Returns: (transfer full): one with the same search path, for another thread */
OrreryRegistry *orrery_registry_copy (OrreryRegistry *registry);
/* What stands in this process for a sensor or an actuator that runs in another one; see
 * orrery_stand_in_get_type(). */
OrreryPart *orrery_registry_create_stand_in (const OrreryClass *klass, OrreryRole role,
                                             GError **error);
/* The message types that its plugins exchange; borrowed. No file is read before a type is asked
 * for. */
OrreryMessageCatalogue *orrery_registry_get_messages (OrreryRegistry *registry);
/* The end of a message about a classpath that was not found. */
char *orrery_registry_get_nearest (OrreryRegistry *registry, const char *classpath);
