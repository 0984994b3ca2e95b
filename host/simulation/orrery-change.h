/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "simulation/orrery-simulation.h"

G_BEGIN_DECLS

/**
 * orrery_simulation_set_quantity:
 * @simulation: a simulation
 * @path: `gravity`, `gravity[2]`, `wind`, or OBJECT.QUANTITY, as `box.mass`; as of the option --set
 * @numbers: (array length=n_numbers): the value, in the units of orrery_quantity_get()
 * @n_numbers: 1, or 3 for a vector that is not given by a member
 * @error: return location: %ORRERY_ERROR_NOT_FOUND: no such object or quantity, or the object was
 *   removed; %ORRERY_ERROR_INVALID: a value of another shape or beyond the range, or an object that
 *   has no such quantity; %ORRERY_ERROR_STATE: the engine cannot change it, or the object is not in
 *   the world
 *
 * Changes a quantity of the running world, with the next step of physics. It keeps the value until
 * it is changed again, or until the run is reset, which brings back the value of the scene. States
 * have it, and replays change it in the same tick. The same as the service `set` of `simulation`.
 * Tick thread.
 *
 * Returns: %TRUE, or %FALSE: nothing changes
 */
ORRERY_API gboolean orrery_simulation_set_quantity (OrrerySimulation *simulation, const char *path,
                                                    const double *numbers, gsize n_numbers,
                                                    GError **error);
/**
 * orrery_simulation_get_quantity:
 * @simulation: a simulation
 * @path: as of orrery_simulation_set_quantity()
 * @n_numbers: (out): how many numbers there are: 1, or 3 of a whole vector
 * @error: return location: as of orrery_simulation_set_quantity()
 *
 * The value that physics reckons with now: a change is seen after the tick that makes it. The same
 * as the service `get` of `simulation`. Tick thread.
 *
 * Returns: (transfer full) (array length=n_numbers) (nullable): the value, or %NULL
 */
ORRERY_API double *orrery_simulation_get_quantity (OrrerySimulation *simulation, const char *path,
                                                   gsize *n_numbers, GError **error);
/**
 * orrery_simulation_set_material:
 * @simulation: a simulation
 * @name: full name of an object, or that of a spawned one
 * @material: (nullable): name of one of the materials of the scene; %NULL or "": its shapes have
 *   their own ones again
 * @error: return location: as of orrery_simulation_set_quantity(), and %ORRERY_ERROR_NOT_FOUND if
 *   the scene has no such material
 *
 * Changes the quantity `material` of an object, as orrery_simulation_set_quantity() changes those
 * that are numbers. Tick thread.
 *
 * Returns: %TRUE, or %FALSE: nothing changes
 */
ORRERY_API gboolean orrery_simulation_set_material (OrrerySimulation *simulation, const char *name,
                                                    const char *material, GError **error);
/**
 * orrery_simulation_get_material:
 * @simulation: a simulation
 * @name: as of orrery_simulation_set_material()
 * @error: return location: as of orrery_simulation_set_quantity()
 *
 * The material that cameras see now: a change is seen after the tick that makes it. Tick thread.
 *
 * Returns: (transfer full) (nullable): its name, or "": each shape has its own; %NULL: there is no
 *   such quantity
 */
ORRERY_API char *orrery_simulation_get_material (OrrerySimulation *simulation, const char *name,
                                                 GError **error);
/**
 * orrery_simulation_attach_object:
 * @simulation: a simulation
 * @name: a root object with a body that forces move
 * @holder: another object that it is to move with
 * @pose: (nullable): where it is held, in the frame of @holder; %NULL: as it is now
 * @error: return location: %ORRERY_ERROR_NOT_FOUND: no such object, or it was removed;
 *   %ORRERY_ERROR_INVALID: it cannot be attached, @holder is it or moves with it, or the pose is
 *   not finite; %ORRERY_ERROR_STATE: one of them is not in the world, or there is no physics
 *
 * Holds a body, as a hand does, from the next step of physics on: neither forces nor contacts move
 * it until it is detached, or until one of the two is removed. One that is attached already is held
 * by @holder in place of what has held it. The same as the service `attach` of `simulation`. Tick
 * thread.
 *
 * Returns: %TRUE, or %FALSE: nothing changes
 */
ORRERY_API gboolean orrery_simulation_attach_object (OrrerySimulation *simulation, const char *name,
                                                     const char *holder,
                                                     const OrreryTransform *pose, GError **error);
/**
 * orrery_simulation_detach_object:
 * @simulation: a simulation
 * @name: an object that is attached, also by an actuator such as a gripper
 * @error: return location: %ORRERY_ERROR_NOT_FOUND: no such object, or it was removed;
 *   %ORRERY_ERROR_STATE: it is not attached
 *
 * Lets it go with the next step of physics, with the velocity that it has then. The same as the
 * service `detach` of `simulation`. Tick thread.
 *
 * Returns: %TRUE, or %FALSE: nothing changes
 */
ORRERY_API gboolean orrery_simulation_detach_object (OrrerySimulation *simulation, const char *name,
                                                     GError **error);

G_END_DECLS
