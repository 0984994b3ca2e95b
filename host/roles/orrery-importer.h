/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"
#include "world/orrery-constraint.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * OrreryImport:
 *
 * Receives what an importer reads. Valid only during `load`.
 */
#define ORRERY_TYPE_IMPORT (orrery_import_get_type ())
ORRERY_API GType orrery_import_get_type (void);
/**
 * orrery_import_ref:
 * @import: an import
 *
 * Takes a reference. It keeps the memory, as bindings need it: after `load` nothing may be added
 * any more.
 *
 * Returns: (transfer full): @import
 */
ORRERY_API OrreryImport *orrery_import_ref (OrreryImport *import);
/**
 * orrery_import_unref:
 * @import: an import
 *
 * Drops a reference.
 */
ORRERY_API void orrery_import_unref (OrreryImport *import);
/**
 * orrery_import_get_world:
 *
 * The world that the file is read into: the scene's, or one of the file alone, from which the scene
 * takes copies. Add objects by orrery_import_add_object(), which keeps names apart.
 *
 * Returns: (transfer none): the world that objects are added to
 */
ORRERY_API OrreryWorld *orrery_import_get_world (OrreryImport *import);
/**
 * orrery_import_add_object:
 * @name: what the file calls it
 * @parent: (nullable): an object that was added before, or %NULL
 *
 * Adds an object, whose pose, body, shapes and properties the importer then sets. The name is made
 * valid and unique: dots in the name of a child become `_`, and a number is added if it is in use.
 *
 * Returns: (transfer none): the object, or %NULL with %ORRERY_ERROR_CONFIG
 */
ORRERY_API OrreryObject *orrery_import_add_object (OrreryImport *import, const char *name,
                                                   OrreryObject *parent, GError **error);

/**
 * orrery_import_add_component:
 * @parent: an object that was added before
 * @name: what the file calls it
 * @pose: (nullable): of it, in the frame of @parent; %NULL: there
 * @classpath: a sensor or actuator
 * @frequency: Hz; 0: that of its class
 * @properties: (nullable): a{sv}, of the component; a floating reference is taken
 *
 * Adds a component of the file. It is left out if the scene excludes components of files or has one
 * of that name itself; if none of its ancestors is a robot, the root becomes one.
 */
ORRERY_API void orrery_import_add_component (OrreryImport *import, OrreryObject *parent,
                                             const char *name, const OrreryTransform *pose,
                                             const char *classpath, double frequency,
                                             GVariant *properties);
/**
 * orrery_import_add_modifier:
 * @classpath: a modifier
 * @options: (nullable): a{sv}, of the modifier; a floating reference is taken
 *
 * Adds a modifier to the component that was added last, after its others: the noise of a sensor.
 */
ORRERY_API void orrery_import_add_modifier (OrreryImport *import, const char *classpath,
                                            GVariant *options);
/**
 * orrery_import_add_constraint: (skip)
 * @object: an object that was added before
 * @constraint: what holds it beside its parent; as of orrery_object_add_constraint()
 *
 * Ignored for objects that the scene does not import.
 *
 * Returns: %FALSE with %ORRERY_ERROR_CONFIG
 */
ORRERY_API gboolean orrery_import_add_constraint (OrreryImport *import, OrreryObject *object,
                                                  const OrreryConstraint *constraint,
                                                  GError **error);
/**
 * orrery_import_set_option:
 * @import: what is filled in
 * @name: `gravity`, `timestep`, or a property of a physics engine
 * @place: the file, with the line if it is known, for messages: `FILE:12`
 * @value: of `gravity` three doubles, a tuple, m/s2; of `timestep` a double, s, above 0; a floating
 *   reference is taken
 *
 * What the file says of the simulation as a whole. Keys of the scene's environment come first. If
 * two files of a scene differ in one option, the scene is refused. An engine that does not have the
 * property leaves it out, with a warning.
 */
ORRERY_API void orrery_import_set_option (OrreryImport *import, const char *name, const char *place,
                                          GVariant *value);
/**
 * orrery_import_set_scale:
 * @object: an object that was added before
 * @scale: along its axes, that its shapes have already
 *
 * Notes the scale that the file gives an object, so that a scene can give it another.
 */
ORRERY_API void orrery_import_set_scale (OrreryImport *import, OrreryObject *object,
                                         const OrreryVec3 *scale);
/**
 * orrery_import_get_read_limit: (skip)
 *
 * How long a program that reads the file may take, for the `max_cpu` of an #OrreryChildSpec: a file
 * that takes longer is taken for damaged.
 *
 * Returns: s of processor time, at least 1
 */
ORRERY_API guint orrery_import_get_read_limit (OrreryImport *import);
/**
 * orrery_import_get_cancellable: (skip)
 *
 * Ends the reading of a file that nobody waits for any more, as when another scene is asked for
 * meanwhile. For orrery_child_collect().
 *
 * Returns: (transfer none) (nullable): the cancellable; %NULL: it cannot be cancelled
 */
ORRERY_API GCancellable *orrery_import_get_cancellable (OrreryImport *import);
/**
 * orrery_import_note_file: (skip)
 * @path: a file that was read
 *
 * Says that the scene consists of this file, too, as of a mesh that a robot's file names: no output
 * of the run goes there, and a recording keeps a copy. The file that the importer was given is
 * known.
 */
ORRERY_API void orrery_import_note_file (OrreryImport *import, const char *path);
/**
 * orrery_import_add_script:
 * @object: an object that was added before; it has one such script at most
 * @classpath: a script
 * @properties: (nullable): a{sv}, of the script; a floating reference is taken
 *
 * A child script of an object.
 */
ORRERY_API void orrery_import_add_script (OrreryImport *import, OrreryObject *object,
                                          const char *classpath, GVariant *properties);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryImport, orrery_import_unref)

/**
 * OrreryImporter:
 *
 * Turns a file of some format into objects of the scene. Found by the suffix of the file: for
 * `room.blend` it is class `Importer` of the module `orrery.importers.blend`. Before the run, in
 * the thread that loads; while another scene runs, in one beside it.
 */
#define ORRERY_TYPE_IMPORTER (orrery_importer_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryImporter, orrery_importer, ORRERY, IMPORTER, OrreryPart)

/**
 * OrreryImporterClass:
 * @load: reads the file at @path; nothing of it is believed, and what an object is refused for
 *   names it
 */
struct _OrreryImporterClass {
  OrreryPartClass parent_class;

  void (*load) (OrreryImporter *self, const char *path, OrreryImport *import, GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

G_END_DECLS
