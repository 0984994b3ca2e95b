/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "registry/orrery-descriptor-private.h"

/* A shared object that was opened and checked, which belongs to the process and is never closed; or
 * a module in Python, which belongs to the registry that found it. */
typedef struct {
  char *file; /* real path */
  gpointer handle;
  OrreryDescriptor *descriptor;
  /* Of a module in Python: the types of its classes, and the data that the descriptor points to. */
  GType *types;
  GPtrArray *tables;
  GStringChunk *texts;
  char **undeclared; /* its classes of a role that lack @orrery.plugin; NULL in C */
} OrreryModule;

void orrery_module_free (OrreryModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryModule, orrery_module_free)

/* Opens the file, or returns the module if it is open already. Runs no code of a class. Any
 * thread. */
const OrreryModule *orrery_module_open (const char *file, GError **error);
/* The same for a process that only inspects modules: types are compared with those of the host, not
 * with those of other files, and nothing is kept. The caller frees the descriptor. */
OrreryDescriptor *orrery_module_inspect (const char *file, GError **error);
/* The type of one of its classes, registered if need be, checked against the descriptor. */
GType orrery_module_get_type (const OrreryModule *module, const OrreryClassDesc *desc,
                              GError **error);
/* Names of its classes, for messages: (transfer container). */
const char **orrery_module_get_class_names (const OrreryModule *module);
