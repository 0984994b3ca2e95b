/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-world-private.h"

/* Quantities of a world that have changed since its start. Tick thread. */

/* A quantity that has not the value of the scene any more. */
typedef struct {
  guint which;  /* an OrreryQuantityKind */
  guint object; /* 0: of the world */
  OrreryVec3 start;
  OrreryVec3 now;
} OrreryChangedQuantity;

/* How many numbers a value has. */
guint orrery_quantity_get_n_numbers (const OrreryQuantity *quantity);

/* Whether only who looks at the world sees it: the energy and the colour of a lamp, and the colour
 * and the material of shapes. No engine is told of it. */
gboolean orrery_quantity_is_look (const OrreryQuantity *quantity);
/* Whether who looks at the world sees it: a look, or a scale, of which the engine is told, too. */
gboolean orrery_quantity_is_seen (const OrreryQuantity *quantity);
/* Whether an object has it; of one that is not of the world. */
gboolean orrery_quantity_is_of (const OrreryQuantity *quantity, OrreryObject *object);

/* Whether it accepts the value, and the world has what a name stands for. */
gboolean orrery_world_has_value (OrreryWorld *world, const OrreryQuantity *quantity,
                                 const OrreryVec3 *value);

/* Of a command of kind QUANTITY that may come from anywhere. */
gboolean orrery_quantity_command_is_valid (const OrreryCommand *command, guint n_objects);

/* The last command for a quantity. @object: NULL: of the world
 * Returns: (nullable): NULL: there is none */
OrreryCommand *orrery_commands_find_quantity (OrreryCommands *commands,
                                              const OrreryQuantity *quantity, OrreryObject *object);

/* Sets a value until the next reset to the start. @object: 0: of the world */
void orrery_world_change_quantity (OrreryWorld *world, OrreryQuantityKind which, guint object,
                                   const OrreryVec3 *value);
/* All values of the scene are back; of one object. */
void orrery_world_take_quantities_back (OrreryWorld *world);
void orrery_world_take_quantities_of_back (OrreryWorld *world, guint object);
/* What an object has in the scene. */
void orrery_world_get_first_body (OrreryWorld *world, OrreryObject *object, OrreryBody *body);
/* The same as @hash where nothing has changed. */
guint64 orrery_world_hash_quantities (OrreryWorld *world, guint64 hash);

/* Of a state; floating. */
#define ORRERY_QUANTITIES_TYPE "a(uu(ddd))"
GVariant *orrery_world_save_quantities (OrreryWorld *world);
/* @changes: (element-type OrreryChangedQuantity). FALSE: the state is invalid */
gboolean orrery_world_read_quantities (OrreryWorld *world, GVariant *list, GArray *changes);

/* All values of the scene are back, and @changes wait for orrery_world_settle_quantities(). */
void orrery_world_await_quantities (OrreryWorld *world, GArray *changes);

/* --- orrery-look.c: lamps, colours, materials and scales; @which: one that is seen --- */

gboolean orrery_object_has_look (OrreryObject *object, OrreryQuantityKind which);
/* As it is now, of an object that has it. */
void orrery_object_read_look (OrreryObject *object, OrreryQuantityKind which, OrreryVec3 *value);
/* @value: NULL: what the scene says */
void orrery_world_set_look (OrreryWorld *world, OrreryObject *object, OrreryQuantityKind which,
                            const OrreryVec3 *value);
/* Whether anything has another look than the scene says. */
gboolean orrery_world_has_looks (OrreryWorld *world);
/* Those. Returns: (transfer full) (element-type OrreryLook): by quantity and object */
GArray *orrery_world_list_changed_looks (OrreryWorld *world);
/* Has these be all that is not as the scene says, which may come from anywhere. FALSE: one is
 * invalid, and nothing has changed */
gboolean orrery_world_put_looks (OrreryWorld *world, const OrreryLook *looks, guint n);
/* While the scene is read: a material that objects may be given by its name, in place of one of the
 * same name. */
void orrery_world_put_material (OrreryWorld *world, OrreryMaterial *material);
/* Returns: its place in the world's materials, from 1; 0: there is none of that name */
guint orrery_world_find_material (OrreryWorld *world, const char *name);
/* While the scene is read: what the object has at the start. @material: a place as above; an object
 * that has one already keeps it */
void orrery_world_start_material (OrreryWorld *world, OrreryObject *object, guint material);
/* @material: a place as above; 0: "" */
const char *orrery_world_get_material_name (OrreryWorld *world, guint material);

/* --- orrery-scale.c: sizes of shapes --- */

/* m: as far as a shape may reach from the origin of its object. Bullet drops what moves and is
 * larger. */
#define ORRERY_SCALE_REACH 1e5

/* Whether all shapes of an object can be scaled so; of one that has shapes. */
gboolean orrery_object_check_scale (OrreryObject *object, const OrreryVec3 *factors,
                                    GError **error);
void orrery_object_read_scale (OrreryObject *object, OrreryVec3 *factors);
/* @factors: NULL: as in the scene */
void orrery_world_set_scale (OrreryWorld *world, OrreryObject *object, const OrreryVec3 *factors);

/* --- orrery-world-holds.c: what is attached to something else --- */

GArray *orrery_holds_new (void);
/* Returns: index of what holds the object, or -1 */
gint64 orrery_world_get_holder (OrreryWorld *world, guint object);
/* Whether @holder is @object, is below it, or is held by it in turn. */
gboolean orrery_world_is_held_by (OrreryWorld *world, OrreryObject *object, OrreryObject *holder);
/* @holder: -1: none. FALSE: they would hold each other in a ring, and nothing has changed */
gboolean orrery_world_hold (OrreryWorld *world, guint object, gint64 holder);
/* It is held by nothing any more, and holds nothing. */
void orrery_world_let_go (OrreryWorld *world, guint object);
/* Of a state; floating. */
#define ORRERY_HOLDS_TYPE "a(uu)"
GVariant *orrery_world_save_holds (OrreryWorld *world);
gboolean orrery_world_check_holds (OrreryWorld *world, GVariant *list);
void orrery_world_put_holds (OrreryWorld *world, GVariant *list);
