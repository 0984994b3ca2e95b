/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"
#include "world/orrery-constraint.h"

G_BEGIN_DECLS

/**
 * OrreryImport:
 *
 * Where an importer puts what it finds. Valid only during `load`.
 */
#define ORRERY_TYPE_IMPORT (orrery_import_get_type ())
ORRERY_API GType orrery_import_get_type (void);
ORRERY_API OrreryImport *orrery_import_ref (OrreryImport *import);
ORRERY_API void orrery_import_unref (OrreryImport *import);
/**
 * orrery_import_get_world:
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
 * one that the world takes: in that of a child dots become `_`, one that is taken gets a number.
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
 * A component that the file has. Where the scene asks for none of them, or has one of that name
 * itself, it is left out; where nothing above it is a robot, the root becomes one.
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
 * A modifier of the component that was added last, behind those that it has: the noise of a sensor.
 */
ORRERY_API void orrery_import_add_modifier (OrreryImport *import, const char *classpath,
                                            GVariant *options);
/**
 * orrery_import_add_constraint: (skip)
 * @object: an object that was added before
 * @constraint: what holds it beside its parent; as of orrery_object_add_constraint()
 *
 * One of objects of which a scene takes but a part is left out.
 *
 * Returns: %FALSE with %ORRERY_ERROR_CONFIG
 */
ORRERY_API gboolean orrery_import_add_constraint (OrreryImport *import, OrreryObject *object,
                                                  const OrreryConstraint *constraint,
                                                  GError **error);
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
 * the thread that loads.
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
