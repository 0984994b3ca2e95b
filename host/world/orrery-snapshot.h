/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"
#include "world/orrery-object.h"

G_BEGIN_DECLS

/**
 * OrreryContact:
 * @a: index of one object
 * @b: index of the other, above @a
 * @point: m, world
 * @normal: unit, from @b to @a, world
 * @impulse: N s of the last substep, along the normal
 *
 * Where two bodies touch.
 */
typedef struct {
  guint a;
  guint b;
  OrreryVec3 point;
  OrreryVec3 normal;
  double impulse;
} OrreryContact;

/**
 * OrreryWrench:
 * @force: N
 * @torque: N m, about the anchor of the joint
 *
 * What the parent of a link exerts on it through its joint, motor, springs, limits and friction of
 * the joint included, in the axes of the link: that of sensors of force in MuJoCo
 * (mj_rnePostConstraint, `cfrc_int`), and what Gazebo calls parent_to_child.
 */
typedef struct {
  OrreryVec3 force;
  OrreryVec3 torque;
} OrreryWrench;

/**
 * OrreryMeasurement:
 * @ORRERY_MEASURE_CONTACTS: friction at contact points, beside their impulses
 * @ORRERY_MEASURE_WRENCH: the wrench of a joint
 *
 * What physics tells only where somebody asked for it, since it costs time.
 */
typedef enum {
  ORRERY_MEASURE_CONTACTS,
  ORRERY_MEASURE_WRENCH,
} OrreryMeasurement;

/**
 * OrrerySnapshot:
 *
 * The state that all parts of a tick see: poses, velocities, contacts, in the world frame.
 * It does not change within a tick. Opaque and counted; written by the world and by physics.
 */
#define ORRERY_TYPE_SNAPSHOT (orrery_snapshot_get_type ())
ORRERY_API GType orrery_snapshot_get_type (void);
/**
 * orrery_snapshot_ref:
 *
 * Takes a reference; any thread. The content goes on changing with each tick.
 *
 * Returns: @snapshot
 */
ORRERY_API OrrerySnapshot *orrery_snapshot_ref (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_unref:
 * @snapshot: a snapshot
 *
 * Drops a reference; any thread.
 */
ORRERY_API void orrery_snapshot_unref (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_n_objects:
 *
 * Indices of objects are below this number. Objects of the scene's table `spawnables` are counted
 * whether they are present or not.
 *
 * Returns: how many objects the world has
 */
ORRERY_API guint orrery_snapshot_get_n_objects (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_serial:
 *
 * For caches of what depends on poses: as long as it is the same, they hold.
 *
 * Returns: a number that is another one whenever poses or visibility may have changed
 */
ORRERY_API guint64 orrery_snapshot_get_serial (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_pose:
 * @object: index of an object
 *
 * The pose is computed here if nobody has asked for it before, and kept up to date in each tick
 * from then on. The pointer stays, and what it points to changes with each tick. Any thread that
 * runs sensors.
 *
 * Returns: (transfer none): world pose; at the same address until the world gets new objects
 */
ORRERY_API const OrreryTransform *orrery_snapshot_get_pose (OrrerySnapshot *snapshot, guint object);
/**
 * orrery_snapshot_dup_poses:
 *
 * A copy, which the next tick does not change. It computes all poses: dear in large scenes.
 *
 * Returns: (transfer full): world poses of all objects, by their index, as rows of 7 doubles: x y
 * z, then w x y z of the rotation
 */
ORRERY_API OrreryBuffer *orrery_snapshot_dup_poses (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_linear_velocity:
 * @object: index of an object
 *
 * It is that of the body as a whole: what the object's own place adds where the body turns is not
 * in it. The pointer is valid until the world gets new objects, and what it points to changes with
 * each tick.
 *
 * Returns: (transfer none): m/s, world axes, of the body that the object belongs to; zero without
 * one
 */
ORRERY_API const OrreryVec3 *orrery_snapshot_get_linear_velocity (OrrerySnapshot *snapshot,
                                                                  guint object);
/**
 * orrery_snapshot_get_angular_velocity:
 * @object: index of an object
 *
 * Valid as that of orrery_snapshot_get_linear_velocity().
 *
 * Returns: (transfer none): rad/s, world axes, of the body that the object belongs to; zero without
 *   one
 */
ORRERY_API const OrreryVec3 *orrery_snapshot_get_angular_velocity (OrrerySnapshot *snapshot,
                                                                   guint object);
/**
 * orrery_snapshot_get_joint: (skip)
 * @object: index of an object
 *
 * What it points to changes with each tick.
 *
 * Returns: (nullable): state of its joint, %NULL if it has none; at the same address until the
 *   world gets new objects
 */
ORRERY_API const OrreryJointState *orrery_snapshot_get_joint (OrrerySnapshot *snapshot,
                                                              guint object);
/**
 * orrery_snapshot_get_joint_position:
 * @object: index of an object
 *
 * Hinges and slides have it; of a ball it is the angle from its start pose, of a fixed joint 0.
 *
 * Returns: rad or m; 0 without a joint
 */
ORRERY_API double orrery_snapshot_get_joint_position (OrrerySnapshot *snapshot, guint object);
/**
 * orrery_snapshot_get_joint_velocity:
 * @object: index of an object
 *
 * Of a ball it is the size of its angular velocity.
 *
 * Returns: rad/s or m/s; 0 without a joint
 */
ORRERY_API double orrery_snapshot_get_joint_velocity (OrrerySnapshot *snapshot, guint object);
/**
 * orrery_snapshot_get_joint_effort:
 * @object: index of an object
 *
 * Only engines that do dynamics of joints report it; without one it is 0.
 *
 * Returns: N m or N that its motor gave in the last substep; 0 without a joint
 */
ORRERY_API double orrery_snapshot_get_joint_effort (OrrerySnapshot *snapshot, guint object);
/**
 * orrery_snapshot_get_contacts: (skip)
 * @n: (out): how many
 *
 * The contacts of the last substep, one for each point, valid until the tick ends. Contacts of
 * ghosts are among them.
 *
 * Returns: contacts, sorted by (a, b)
 */
ORRERY_API const OrreryContact *orrery_snapshot_get_contacts (OrrerySnapshot *snapshot, guint *n);
/**
 * orrery_snapshot_dup_contacts:
 * @objects: (out) (transfer full): uint32, n x 2: indices of the objects of each contact, the lower
 *   one first
 *
 * The contacts of orrery_snapshot_get_contacts() for bindings. Any thread that may read the
 * snapshot.
 *
 * Returns: (transfer full): doubles, n x 7: the point (m, world), the normal from the second object
 *   to the first (unit, world), and the impulse (N s) of each contact, in the same order
 */
ORRERY_API OrreryBuffer *orrery_snapshot_dup_contacts (OrrerySnapshot *snapshot,
                                                       OrreryBuffer **objects);
/**
 * orrery_snapshot_get_frictions: (skip)
 *
 * Friction costs time, so parts ask for it first: orrery_setup_measure(). Valid until the tick
 * ends.
 *
 * Returns: (nullable): N s of the last substep, world: the friction on object a of each contact, in
 *   the order of orrery_snapshot_get_contacts(); %NULL if nobody asked for it before physics was
 *   built (%ORRERY_MEASURE_CONTACTS)
 */
ORRERY_API const OrreryVec3 *orrery_snapshot_get_frictions (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_dup_frictions:
 *
 * orrery_snapshot_get_frictions() for bindings.
 *
 * Returns: (transfer full) (nullable): doubles, n x 3, one row for each contact
 */
ORRERY_API OrreryBuffer *orrery_snapshot_dup_frictions (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_substep:
 *
 * Divided by it, an impulse of a contact is the mean force of the substep.
 *
 * Returns: s, the length of the last substep of physics, of which the impulses of contacts are; 0
 *   before the first
 */
ORRERY_API double orrery_snapshot_get_substep (OrrerySnapshot *snapshot);
/**
 * orrery_snapshot_get_wrench: (skip)
 * @object: index of an object with a joint
 *
 * Wrenches cost time, so parts ask for them first: orrery_setup_measure(). The values change with
 * each tick.
 *
 * Returns: (nullable): of the last substep; zero before the first; %NULL if nobody asked for it
 *   before physics was built (%ORRERY_MEASURE_WRENCH)
 */
ORRERY_API const OrreryWrench *orrery_snapshot_get_wrench (OrrerySnapshot *snapshot, guint object);

/**
 * orrery_snapshot_set_body:
 * @object: index of an object that has a body
 * @pose: world
 * @linear: m/s, world axes
 * @angular: rad/s, world axes
 *
 * For physics, in `read`: the state of a body after the last substep.
 */
ORRERY_API void orrery_snapshot_set_body (OrrerySnapshot *snapshot, guint object,
                                          const OrreryTransform *pose, const OrreryVec3 *linear,
                                          const OrreryVec3 *angular);
/**
 * orrery_snapshot_add_contact:
 * @contact: copied
 *
 * For physics, in `read`; in any order, the host sorts.
 */
ORRERY_API void orrery_snapshot_add_contact (OrrerySnapshot *snapshot,
                                             const OrreryContact *contact);

/**
 * orrery_snapshot_add_contact_with_friction: (skip)
 * @contact: copied
 * @friction: N s of the last substep on object a of @contact, world; copied
 *
 * As orrery_snapshot_add_contact(), if %ORRERY_MEASURE_CONTACTS was asked for.
 */
ORRERY_API void orrery_snapshot_add_contact_with_friction (OrrerySnapshot *snapshot,
                                                           const OrreryContact *contact,
                                                           const OrreryVec3 *friction);
/**
 * orrery_snapshot_set_wrench: (skip)
 * @object: index of an object of which %ORRERY_MEASURE_WRENCH was asked for
 * @wrench: copied
 *
 * For physics, in `read`.
 */
ORRERY_API void orrery_snapshot_set_wrench (OrrerySnapshot *snapshot, guint object,
                                            const OrreryWrench *wrench);

/**
 * orrery_snapshot_set_joint: (skip)
 * @object: index of an object with a joint
 * @state: copied
 *
 * For physics, in `read`: the state of a joint that it has taken by orrery_world_take_joint().
 */
ORRERY_API void orrery_snapshot_set_joint (OrrerySnapshot *snapshot, guint object,
                                           const OrreryJointState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrrerySnapshot, orrery_snapshot_unref)

G_END_DECLS
