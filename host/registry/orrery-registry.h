/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-plugin.h"
#include "text/orrery-node.h"

G_BEGIN_DECLS

/**
 * OrreryRegistry:
 *
 * Finds classes by classpath: the search path, and the modules that were opened. Modules and the
 * types that they register are of the process and stay; everything else is of the registry. Not
 * thread-safe.
 */
#define ORRERY_TYPE_REGISTRY (orrery_registry_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryRegistry, orrery_registry, ORRERY, REGISTRY, GObject)

/**
 * OrreryClass: (skip)
 * @classpath: full, as asked for, `morse.` read as `orrery.`
 * @module: path of the module as in a classpath
 * @file: real path of the file
 * @desc: descriptor of the C class; of a JSON class: the one of the C class that it is based on
 * @base: (nullable): of a JSON class: the class that it names as its base
 * @node: (nullable): of a JSON class: its definition
 *
 * A class that was found. Lives as long as the registry.
 */
typedef struct _OrreryClass OrreryClass;
struct _OrreryClass {
  const char *classpath;
  const char *module;
  const char *file;
  const OrreryClassDesc *desc;
  const OrreryClass *base;
  OrreryNode *node;
};

/**
 * orrery_registry_new:
 *
 * The search path is, in this order: what orrery_registry_add_directory() adds,
 * `ORRERY_PLUGIN_PATH`, `$XDG_DATA_HOME/orrery/plugins`, the plugins installed with this library.
 *
 * Returns: (transfer full): a registry
 */
ORRERY_API OrreryRegistry *orrery_registry_new (void);
/**
 * orrery_registry_add_directory:
 * @directory: path
 *
 * Adds to the search path, after those added before and before all others, also where the path had
 * it behind these. One that was added before stays where it is.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_NO_FILE, or %ORRERY_ERROR_PLUGIN: others may write
 * there
 */
ORRERY_API gboolean orrery_registry_add_directory (OrreryRegistry *registry, const char *directory,
                                                   GError **error);
/**
 * orrery_registry_get_directories:
 *
 * Valid until orrery_registry_add_directory(). Directories that do not exist, or that others may
 * write to, may be among them.
 *
 * Returns: (transfer none) (array zero-terminated=1): the search path, in the order of the search
 */
ORRERY_API const char *const *orrery_registry_get_directories (OrreryRegistry *registry);

/**
 * orrery_registry_find_class: (skip)
 * @classpath: `a.b.c.Class`; a leading `morse.` is read as `orrery.`
 *
 * Looks the class up by its place: for each length of module path, long first, each directory; in
 * one directory `.so` before `.py` before `.json`; last, modules in Python, where Python itself
 * looks. The first file that is there decides. What was found once stays found.
 *
 * Returns: the class, or %NULL with %ORRERY_ERROR_NOT_FOUND (where was looked, the nearest names),
 *   %ORRERY_ERROR_PLUGIN (refused: why), %ORRERY_ERROR_CONFIG (no classpath, or a JSON class
 *   that is wrong)
 */
ORRERY_API const OrreryClass *orrery_registry_find_class (OrreryRegistry *registry,
                                                          const char *classpath, GError **error);
/**
 * orrery_registry_needs_python: (skip)
 *
 * A program may start itself anew under an interpreter then.
 *
 * Returns: whether a class was refused because it is in Python, and this process has no
 *   #OrreryLoader
 */
ORRERY_API gboolean orrery_registry_needs_python (OrreryRegistry *registry);
/**
 * orrery_registry_find_level: (skip)
 * @klass: a class
 * @level: (nullable): name of a level; %NULL or "default" for the default one
 * @name: (out) (nullable): the level's name, %NULL for a class without levels
 *
 * A JSON class has the levels of its C class, and may name its default; at a level it is itself,
 * with another @desc and another @base.
 *
 * Returns: the class that realises the level, or %NULL with %ORRERY_ERROR_NOT_FOUND (the nearest
 *   names)
 */
ORRERY_API const OrreryClass *orrery_registry_find_level (OrreryRegistry *registry,
                                                          const OrreryClass *klass,
                                                          const char *level, const char **name,
                                                          GError **error);
/**
 * orrery_registry_create: (skip)
 * @klass: a class
 * @role: the role that it must have
 *
 * Makes a part; checks the type, the role and the functions that the role needs.
 *
 * Returns: (transfer full): an #OrreryPart, or %NULL with %ORRERY_ERROR_PLUGIN
 */
ORRERY_API OrreryPart *orrery_registry_create (OrreryRegistry *registry, const OrreryClass *klass,
                                               OrreryRole role, GError **error);
/**
 * orrery_registry_find_file: (skip)
 * @name: relative path, as `orrery/environments/empty.json`; without `..`
 *
 * For files that are installed beside plugins, such as environments and models.
 *
 * Returns: (transfer full) (nullable): the path of the first regular file of that name on the
 *   search path that nobody else may write to; %NULL: none, or @name is absolute or has a `..`
 */
ORRERY_API char *orrery_registry_find_file (OrreryRegistry *registry, const char *name);
/**
 * orrery_registry_class_fits: (skip)
 * @klass: class of a component
 * @classpath: classpath that an alias names
 *
 * Compares classpaths as a builder script writes them, a leading `morse.` read as `orrery.`. What
 * is no classpath fits nothing.
 *
 * Returns: whether @klass is that class, one of its levels, derived from one of these, or a
 *   JSON class made of one
 */
ORRERY_API gboolean orrery_registry_class_fits (OrreryRegistry *registry, const OrreryClass *klass,
                                                const char *classpath);
/**
 * orrery_registry_list:
 *
 * Walks the search path and describes all that is there, from descriptors alone; each module is
 * opened in a child process, several at a time.
 *
 * Returns: (transfer full): JSON, as docs/plugins.md says
 */
ORRERY_API char *orrery_registry_list (OrreryRegistry *registry);
/**
 * orrery_registry_describe:
 * @classpaths: (array zero-terminated=1): classes
 *
 * Looks the classes up as orrery_registry_find_class() does, and registers their types in this
 * process; no part is made. The first class that fails ends it.
 *
 * Returns: (transfer full): JSON: what orrery_registry_list() says of each and its fields,
 *   properties, services, methods; or %NULL with %ORRERY_ERROR_NOT_FOUND, %ORRERY_ERROR_PLUGIN or
 *   %ORRERY_ERROR_CONFIG
 */
ORRERY_API char *orrery_registry_describe (OrreryRegistry *registry, const char *const *classpaths,
                                           GError **error);

/**
 * orrery_inspect_module:
 * @module: path of a module as in a classpath
 * @file: the shared object, or the module in Python
 *
 * Opens the file in this process and says what its descriptor says; no code of a class runs, of a
 * module in Python the module itself does. The program orrery-inspect, in which
 * orrery_registry_list() opens modules, is this and little else, and so is `python3 -m
 * orrery.inspect`.
 *
 * Returns: (transfer full): JSON on one line: the module as docs/plugins.md says, or `{"error":
 * words}`
 */
ORRERY_API char *orrery_inspect_module (const char *module, const char *file);

/**
 * orrery_get_prefix_path: (skip)
 * @relative: path under the prefix, as `share/orrery-1/python`
 *
 * Where this library is installed, found from its own place, so that a build tree and a tree that
 * was moved work the same.
 *
 * Returns: (transfer full): an absolute path
 */
ORRERY_API char *orrery_get_prefix_path (const char *relative);

/**
 * orrery_find_package: (skip)
 * @module: a module of this tree, as `orrery.physics.mujoco`
 *
 * Which package of the distribution has a module, whether it is installed or not. Only where Orrery
 * was installed from packages is there a table that says so, `share/orrery-1/packages` under the
 * prefix. Reads a file; any thread.
 *
 * Returns: (transfer full) (nullable): the name of the package; %NULL: none is known to have it
 */
ORRERY_API char *orrery_find_package (const char *module);

/**
 * orrery_get_python: (skip)
 *
 * The interpreter that runs builder scripts and plugins in Python: the one that the environment
 * variable `ORRERY_PYTHON` names, else that of the virtual environment `VIRTUAL_ENV`, if it is an
 * absolute path and has `bin/python3`, else the one that Orrery was built for.
 *
 * Returns: (transfer full): a path, or a name that is looked up in the PATH
 */
ORRERY_API char *orrery_get_python (void);

/**
 * orrery_registry_list_loaded: (skip)
 *
 * The plugins that this process has loaded, for a file that says what it came from. Reads them all.
 *
 * Returns: (transfer full): `a{ss}`: file below a directory `plugins`, as `orrery/sensors/pose.so`,
 *   and its SHA-256, hexadecimal
 */
ORRERY_API GVariant *orrery_registry_list_loaded (void);

G_END_DECLS
