/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryLoader:
 *
 * Imports modules in Python. The library embeds no interpreter: where one runs, it sets a loader
 * (the package `orrery` does), and classpaths may lead to modules in Python from then on.
 */
#define ORRERY_TYPE_LOADER (orrery_loader_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryLoader, orrery_loader, ORRERY, LOADER, GObject)

/**
 * OrreryLoaderClass:
 * @load: (nullable): imports a module; @module: its path as in a classpath; @file: (nullable): its
 *   file in a directory of plugins, %NULL to look where the interpreter itself does; returns
 *   (transfer full) (nullable) what the module says of itself, or %NULL without an error if @file
 * is %NULL and there is no such module
 * @set_log_level: (nullable): is told of each level of the log that is set; @name: of a part, a
 * class or what they are in; @level: Python's number
 *
 * What a module says is `a{sv}`: `file` s, `summary` s, `licence` s, `classes` aa{sv}, and
 * `undeclared` as, the names of classes that could be plugins but do not say so. Of a class:
 * `name` s, `type` s (of a GType that is registered), and where it has some `frequency` d, `levels`
 * a(ssb) (name, class or "" for itself, by default), `aliases` a(sss) (name, component, level or
 * ""), `stream` s, `publisher` s, `reader` s, `direction` s.
 */
struct _OrreryLoaderClass {
  GObjectClass parent_class;

  GVariant *(*load) (OrreryLoader *self, const char *module, const char *file, GError **error);
  void (*set_log_level) (OrreryLoader *self, const char *name, int level);

  /*< private >*/
  gpointer _reserved[7];
};

/**
 * orrery_loader_set_default:
 * @loader: (nullable): the loader of this process; %NULL: none any more
 *
 * Before the first scene is loaded.
 */
ORRERY_API void orrery_loader_set_default (OrreryLoader *loader);
/**
 * orrery_loader_get_default:
 *
 * %NULL in a process without an interpreter: classes in Python are refused there.
 *
 * Returns: (transfer none) (nullable): the loader of this process
 */
ORRERY_API OrreryLoader *orrery_loader_get_default (void);

/**
 * orrery_loader_set_worker_command:
 * @loader: a loader
 * @words: (array zero-terminated=1) (nullable): a program and its first arguments, which runs
 *   orrery_worker_main() with a loader of its own; %NULL: there is none
 *
 * How a worker is started that has components in Python.
 */
ORRERY_API void orrery_loader_set_worker_command (OrreryLoader *loader, const char *const *words);
/**
 * orrery_loader_get_worker_command:
 * @loader: a loader
 *
 * The array belongs to the loader, and is valid until the command is set anew.
 *
 * Returns: (transfer none) (array zero-terminated=1) (nullable): what
 *   orrery_loader_set_worker_command() was given; %NULL: nothing
 */
ORRERY_API const char *const *orrery_loader_get_worker_command (OrreryLoader *loader);

G_END_DECLS
