/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * OrreryPhysics:
 *
 * A physics engine. It builds its model from the world's objects (body, solid shapes, those of
 * children without a body of their own included) and moves those that have a body.
 */
#define ORRERY_TYPE_PHYSICS (orrery_physics_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryPhysics, orrery_physics, ORRERY, PHYSICS, OrreryPart)

/**
 * OrreryPhysicsClass:
 * @build: makes the engine's own model of the world at the poses of its snapshot; called again
 * after a reset and before a restore, where it may keep what leads to the same bits
 * @apply: once per tick, before the first substep: takes the staged commands in order, those that
 * are the engine's (see #OrreryCommandKind). Forces add up and act in each substep of the tick; of
 * velocities and poses of one object the last wins
 * @step: advances by one substep of @dt seconds: damping, forces, solve, friction
 * @push: optional, before a substep: forces that act in it alone, beside those of @apply. Without
 * it nobody can stage any
 * @read: once per tick, after the last substep: the state of every body that moves, contacts, and
 * what orrery_world_is_measured() said in @build
 * @measures: optional: whether the engine can measure this of an object, of contacts of an object
 * with a body; before @build. If not, it says why. Without it, it can measure nothing
 * @parks: optional: whether the engine can take an object with all below it out of its world and
 * put it in again, as %ORRERY_COMMAND_PRESENCE says, and leaves it out in @build as long as it is
 * not orrery_object_is_present(); before @build. If not, it says why. Without it, it cannot
 * @changes: optional: whether the engine follows a change of this quantity of an object, or of any
 * object if that is %NULL, as %ORRERY_COMMAND_QUANTITY says; after @build. If not, it says why.
 * Without it, it can change nothing. What @build sees is always of the scene; after a restore the
 * quantities that differ have changed before the `restore` of the part, which is to look at them;
 * an engine without that function is told them by @apply
 * @extend: optional, between two ticks: the model becomes that of the first @n_objects objects of
 * the world that it was built from. Those that it does not know yet were added behind the others
 * and are not orrery_object_is_present(); those behind @n_objects are taken back, for what was
 * added with them was refused. Everything else goes on as it was. After an error nothing has
 * changed. Without it, nothing can be added while a scene runs
 */
struct _OrreryPhysicsClass {
  OrreryPartClass parent_class;

  void (*build) (OrreryPhysics *self, OrreryWorld *world, GError **error);
  void (*apply) (OrreryPhysics *self, OrreryCommands *commands, GError **error);
  void (*step) (OrreryPhysics *self, double dt, GError **error);
  void (*read) (OrreryPhysics *self, OrrerySnapshot *snapshot, GError **error);
  void (*push) (OrreryPhysics *self, OrreryCommands *forces, GError **error);
  gboolean (*measures) (OrreryPhysics *self, OrreryMeasurement what, OrreryObject *object,
                        GError **error);
  gboolean (*parks) (OrreryPhysics *self, OrreryObject *object, GError **error);
  gboolean (*changes) (OrreryPhysics *self, const OrreryQuantity *quantity, OrreryObject *object,
                       GError **error);
  void (*extend) (OrreryPhysics *self, guint n_objects, GError **error);

  /*< private >*/
  gpointer _reserved[3];
};

/**
 * orrery_physics_get_shape_offset:
 * @body: an object with a body
 * @object: it, or one of its descendants without a body of its own
 * @shape: one of @object's shapes
 * @out: (out caller-allocates): pose of the shape in the frame of @body at the start
 *
 * Where a shape lies in its body, by the poses of the scene: how objects have moved since does not
 * count.
 */
ORRERY_API void orrery_physics_get_shape_offset (OrreryObject *body, OrreryObject *object,
                                                 OrreryShape *shape, OrreryTransform *out);

/**
 * orrery_physics_is_part:
 * @object: an object
 *
 * Tells which objects of a tree make one body: an object is a part of its parent's if it has no
 * body of its own and no joint, or is fixed to it by a joint.
 *
 * Returns: whether it belongs to the body of its parent; %FALSE for an object without a parent
 */
ORRERY_API gboolean orrery_physics_is_part (OrreryObject *object);

/**
 * OrreryShapeFunc:
 * @shape: a solid shape of the body
 * @offset: its pose in the body's frame
 * @user_data: as given
 *
 * Called for one shape of a body. @offset is valid during the call.
 */
typedef void (*OrreryShapeFunc) (OrreryShape *shape, const OrreryTransform *offset,
                                 gpointer user_data);
/**
 * orrery_physics_foreach_shape:
 * @body: an object with a body
 * @func: (scope call): called for each of its solid shapes, and those of descendants that are a
 *   part of it, in tree order
 * @user_data: for @func
 *
 * Walks over what a body collides with. Shapes that are only visible are left out.
 */
ORRERY_API void orrery_physics_foreach_shape (OrreryObject *body, OrreryShapeFunc func,
                                              gpointer user_data);

G_END_DECLS
