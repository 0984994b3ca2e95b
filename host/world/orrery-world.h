/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-commands.h"
#include "world/orrery-snapshot.h"

G_BEGIN_DECLS

/**
 * OrreryWorld:
 *
 * The tree of scene objects, the properties of the whole scene, the snapshot that a tick reads and
 * the commands that it stages. Tick thread only.
 */
#define ORRERY_TYPE_WORLD (orrery_world_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryWorld, orrery_world, ORRERY, WORLD, GObject)

/**
 * orrery_world_new:
 *
 * For code that makes worlds itself, as importers and tests do. A simulation has one of its own:
 * orrery_simulation_get_world().
 *
 * Returns: (transfer full): a world without objects, with the gravity of the Earth: (0, 0, -9.81)
 *   m/s2
 */
ORRERY_API OrreryWorld *orrery_world_new (void);

/**
 * orrery_world_add_object:
 * @name: its own name, without dots where it has a parent
 * @parent: (nullable): the object that it moves with
 *
 * For code that builds the world, before the first tick. The object is at the origin of its parent
 * and has neither shapes nor a body. The world owns it; objects are never removed from a world. A
 * world has at most 1,000,000 of them.
 *
 * Returns: (transfer none): the new object, or %NULL with %ORRERY_ERROR_CONFIG: the name is taken
 *   or is none, or the world is full
 */
ORRERY_API OrreryObject *orrery_world_add_object (OrreryWorld *world, const char *name,
                                                  OrreryObject *parent, GError **error);
/**
 * orrery_world_find_object:
 * @name: a full name
 *
 * An object that was spawned is found by the name that it was given, and by its own.
 *
 * Returns: (transfer none) (nullable): the object of that name; %NULL if there is none
 */
ORRERY_API OrreryObject *orrery_world_find_object (OrreryWorld *world, const char *name);
/**
 * orrery_world_get_n_objects:
 *
 * Objects of the scene's table `spawnables` are counted whether they are present or not.
 *
 * Returns: how many objects it has, of all levels of the tree
 */
ORRERY_API guint orrery_world_get_n_objects (OrreryWorld *world);
/**
 * orrery_world_get_object:
 * @index: below orrery_world_get_n_objects()
 *
 * Parents have lower indices than their children.
 *
 * Returns: (transfer none): the object; %NULL, as a programming error, if @index is too large
 */
ORRERY_API OrreryObject *orrery_world_get_object (OrreryWorld *world, guint index);
/**
 * orrery_world_get_names:
 *
 * The names belong to the objects, which live as long as the world. Only the array is the caller's,
 * to be freed by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): full names of all objects, by index
 */
ORRERY_API const char **orrery_world_get_names (OrreryWorld *world);
/**
 * orrery_world_get_gravity:
 *
 * At the same address for the life of the world.
 *
 * Returns: (transfer none): m/s2, along the axes of the world
 */
ORRERY_API const OrreryVec3 *orrery_world_get_gravity (OrreryWorld *world);
/**
 * orrery_world_set_gravity:
 * @gravity: m/s2
 *
 * For code that builds the world, before physics is built.
 */
ORRERY_API void orrery_world_set_gravity (OrreryWorld *world, const OrreryVec3 *gravity);
/**
 * orrery_world_get_wind:
 *
 * 0 at the start. At the same address for the life of the world.
 *
 * Returns: (transfer none): velocity of the air, m/s, along the axes of the world
 */
ORRERY_API const OrreryVec3 *orrery_world_get_wind (OrreryWorld *world);
/**
 * orrery_world_get_quantity: (skip)
 * @which: a quantity
 * @object: (nullable): an object; of a quantity of the world it does not count
 * @value: (out caller-allocates): its value now; of a scalar quantity x alone, y and z are 0
 *
 * Reads a quantity as it counts now. Of shapes of several colours the first one counts. Tick
 * thread, and those of sensors.
 * Returns: %FALSE if @object has no body, no lamp or no shape, and so no such quantity
 */
ORRERY_API gboolean orrery_world_get_quantity (OrreryWorld *world, OrreryQuantityKind which,
                                               OrreryObject *object, OrreryVec3 *value);
/**
 * orrery_world_get_n_materials:
 *
 * Those of the key `materials` of the scene, which the quantity %ORRERY_QUANTITY_MATERIAL of an
 * object may be. What shapes have of their own does not count.
 *
 * Returns: how many there are, at most %ORRERY_MAX_MATERIALS
 */
ORRERY_API guint orrery_world_get_n_materials (OrreryWorld *world);
/**
 * orrery_world_get_material:
 * @index: below orrery_world_get_n_materials()
 *
 * They are in the order of the scene, and do not change while it runs. The value of
 * %ORRERY_QUANTITY_MATERIAL that stands for it is @index + 1.
 *
 * Returns: (transfer none): one of them, with a name
 */
ORRERY_API OrreryMaterial *orrery_world_get_material (OrreryWorld *world, guint index);
/**
 * orrery_world_get_looks_serial:
 *
 * For who keeps what orrery_world_list_looks() says: as long as it is the same, that holds. Tick
 * thread.
 *
 * Returns: a number that is another one whenever a lamp, a colour, a material or a scale was
 * changed, or is again what the scene says
 */
ORRERY_API guint64 orrery_world_get_looks_serial (OrreryWorld *world);
/**
 * orrery_world_list_looks: (skip)
 *
 * Everything that lamps, colours, materials and scales are now in place of what lamps and shapes
 * say, for who shows the world without a renderer. Tick thread.
 *
 * Returns: (transfer full) (element-type OrreryLook): by quantity and object; none where nothing
 *   was changed, but the materials that objects have at the start
 */
ORRERY_API GArray *orrery_world_list_looks (OrreryWorld *world);
/**
 * orrery_world_get_shapes_serial:
 *
 * For who keeps something that was made of orrery_object_get_shapes(): as long as it is the same,
 * no object has other shapes. Tick thread, and those of sensors.
 *
 * Returns: a number that is another one whenever the quantity %ORRERY_QUANTITY_SCALE of an object
 *   was changed, or is again what the scene says
 */
ORRERY_API guint64 orrery_world_get_shapes_serial (OrreryWorld *world);
/**
 * orrery_world_get_value:
 * @name: name of a property of the environment
 *
 * The table is the world's own: a caller that keeps the value takes a reference.
 *
 * Returns: (transfer none) (nullable): its value, of any JSON type; %NULL if there is no such
 *   property
 */
ORRERY_API GVariant *orrery_world_get_value (OrreryWorld *world, const char *name);
/**
 * orrery_world_set_value:
 * @name: name of the property
 * @value: (nullable): its value; a floating one is sunk; %NULL removes the property
 *
 * It takes effect at once, and a reset does not undo it.
 */
ORRERY_API void orrery_world_set_value (OrreryWorld *world, const char *name, GVariant *value);
/**
 * orrery_world_get_snapshot:
 *
 * The same snapshot in every tick; its content is replaced at the end of each.
 *
 * Returns: (transfer none): what the present tick sees
 */
ORRERY_API OrrerySnapshot *orrery_world_get_snapshot (OrreryWorld *world);
/**
 * orrery_world_get_commands:
 *
 * The same list in every tick; it is emptied at the end of each.
 *
 * Returns: (transfer none): what the present tick stages
 */
ORRERY_API OrreryCommands *orrery_world_get_commands (OrreryWorld *world);

/**
 * orrery_world_take_joint: (skip)
 * @object: an object with a joint
 *
 * For an engine with dynamics of joints, in `build`: from now on it moves this joint, and reports
 * its state by orrery_snapshot_set_joint(). Joints that no engine takes follow the commands of
 * their motors exactly: at once if their speed has no limit, and whatever is in their way.
 */
ORRERY_API void orrery_world_take_joint (OrreryWorld *world, OrreryObject *object);
/**
 * orrery_world_measure:
 * @what: what is to be measured
 * @object: an object; of contacts any
 *
 * Asks physics for a measurement, before it is built. Parts use orrery_setup_measure() instead,
 * which finds out whether the engine can do it.
 */
ORRERY_API void orrery_world_measure (OrreryWorld *world, OrreryMeasurement what,
                                      OrreryObject *object);
/**
 * orrery_world_is_measured:
 * @what: what
 * @object: (nullable): an object; of contacts not needed
 *
 * For an engine, in `build`.
 *
 * Returns: whether somebody has asked for it
 */
ORRERY_API gboolean orrery_world_is_measured (OrreryWorld *world, OrreryMeasurement what,
                                              OrreryObject *object);

G_END_DECLS
