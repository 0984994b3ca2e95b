/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-joint.h"
#include "world/orrery-shape.h"

G_BEGIN_DECLS

/**
 * OrreryBodyType:
 * @ORRERY_BODY_NONE: no body of its own: moves with its parent, collides with nothing
 * @ORRERY_BODY_STATIC: never moves
 * @ORRERY_BODY_DYNAMIC: moved by forces and contacts, but not turned by them
 * @ORRERY_BODY_RIGID: moved and turned by forces and contacts
 * @ORRERY_BODY_GHOST: reports contacts, feels none
 *
 * What physics does with an object. Which of these an object has is fixed before physics is built.
 */
typedef enum {
  ORRERY_BODY_NONE,
  ORRERY_BODY_STATIC,
  ORRERY_BODY_DYNAMIC,
  ORRERY_BODY_RIGID,
  ORRERY_BODY_GHOST,
} OrreryBodyType;

/**
 * ORRERY_NO_MARGIN: (skip)
 *
 * The margin of a body that rests on surfaces: it has none, and the margins of what stands still do
 * not count for it.
 */
#define ORRERY_NO_MARGIN (-1.0)

/**
 * OrreryBody:
 * @type: how it moves
 * @mass: kg, above 0 for bodies that move
 * @margin: m, the shell around its shapes in which contacts are made, or ORRERY_NO_MARGIN
 * @friction: of its surface; two bodies combine by product
 * @restitution: of its surface, 0 to 1
 * @linear_damping: share of the velocity that is lost in a second: v (1 - d)^t
 * @angular_damping: the same for the rotation
 * @linear_factor: per axis of the world: 0 locks it, 1 leaves it free
 * @angular_factor: per axis of the world: 0 locks it, 1 leaves it free
 * @gravity: whether gravity acts on it
 * @inertia: kg m2 about the object's axes; the engine's, written by its `build`, 0 where it turns
 *   nothing
 *
 * Properties of an object for physics, beside its shapes. Centre of mass at the object's origin.
 */
typedef struct {
  OrreryBodyType type;
  double mass;
  double margin;
  double friction;
  double restitution;
  double linear_damping;
  double angular_damping;
  OrreryVec3 linear_factor;
  OrreryVec3 angular_factor;
  gboolean gravity;
  OrreryVec3 inertia;
} OrreryBody;

/**
 * OrreryInertial: (skip)
 * @centre: m, of mass, in the object's frame
 * @xx: kg m2 about @centre, along the object's axes
 * @yy: as @xx
 * @zz: as @xx
 * @xy: product of inertia, as URDF and MJCF have it
 * @xz: as @xy
 * @yz: as @xy
 *
 * The distribution of the mass of a body, if a file has it. Without one, the centre of mass is the
 * object's origin, and the inertia that of a box around its shapes.
 */
typedef struct {
  OrreryVec3 centre;
  double xx;
  double yy;
  double zz;
  double xy;
  double xz;
  double yz;
} OrreryInertial;

/**
 * OrreryObject:
 *
 * An object of the scene: name, place in the tree, pose, properties, shapes, body. Components are
 * objects too. Poses that change are in the snapshot.
 */
#define ORRERY_TYPE_OBJECT (orrery_object_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryObject, orrery_object, ORRERY, OBJECT, GObject)

/**
 * orrery_object_get_name:
 *
 * Unique in its world, and the same for the life of the object. An object of the scene's table
 * `spawnables` keeps the name that it has there, also while it is spawned under another one.
 *
 * Returns: the full name: the names from the root down, joined by dots
 */
ORRERY_API const char *orrery_object_get_name (OrreryObject *object);
/**
 * orrery_object_get_basename:
 *
 * Unique among the children of one parent. That of a root may have dots in it.
 *
 * Returns: its own name, the last part of the full one
 */
ORRERY_API const char *orrery_object_get_basename (OrreryObject *object);
/**
 * orrery_object_get_parent:
 *
 * The tree does not change while the world exists.
 *
 * Returns: (transfer none) (nullable): the object that it moves with; %NULL for a root, and when
 *   the world is gone
 */
ORRERY_API OrreryObject *orrery_object_get_parent (OrreryObject *object);
/**
 * orrery_object_get_children:
 *
 * The array is the object's own. It becomes empty when the world is freed.
 *
 * Returns: (transfer none) (element-type OrreryObject): in scene order
 */
ORRERY_API GPtrArray *orrery_object_get_children (OrreryObject *object);
/**
 * orrery_object_get_index:
 *
 * The number by which snapshots and commands name the object: its place among all objects of the
 * world, from 0, for the life of the object.
 *
 * Returns: its index; parents come before their children
 */
ORRERY_API guint orrery_object_get_index (OrreryObject *object);
/**
 * orrery_object_get_start:
 *
 * A reset brings the object back there. The present pose is in the snapshot:
 * orrery_snapshot_get_pose().
 *
 * Returns: (transfer none): the pose in its parent's frame at the start
 */
ORRERY_API const OrreryTransform *orrery_object_get_start (OrreryObject *object);
/**
 * orrery_object_set_start:
 * @pose: the pose in its parent's frame at the start
 *
 * For code that builds the world, before the first tick.
 */
ORRERY_API void orrery_object_set_start (OrreryObject *object, const OrreryTransform *pose);
/**
 * orrery_object_get_value:
 * @name: name of a property of the scene object (a game property, to users of MORSE)
 *
 * The table is the object's own: a caller that keeps the value takes a reference. A part may have
 * changed it since the start by orrery_commands_set_value().
 *
 * Returns: (transfer none) (nullable): its value, of any JSON type; %NULL if there is no such
 *   property
 */
ORRERY_API GVariant *orrery_object_get_value (OrreryObject *object, const char *name);
/**
 * orrery_object_set_value:
 * @name: name of the property
 * @value: (nullable): its value; a floating one is sunk; %NULL removes the property
 *
 * For code that builds the world. It takes effect at once, and a reset does not undo it; parts
 * stage orrery_commands_set_value() instead. Texts that orrery_object_get_text() has returned for
 * this property are no longer valid.
 */
ORRERY_API void orrery_object_set_value (OrreryObject *object, const char *name, GVariant *value);
/**
 * orrery_object_is_set:
 * @name: name of a property
 *
 * Lists, dicts and null count as true, even if they are empty.
 *
 * Returns: whether it has the property, and it is true: not false, 0, 0.0 or an empty text
 */
ORRERY_API gboolean orrery_object_is_set (OrreryObject *object, const char *name);
/**
 * orrery_object_get_text:
 * @name: name of a property
 * @otherwise: (nullable): what is returned where there is no such property, or it is no text
 *
 * A number or a truth value is not turned into a text: @otherwise is returned for it.
 *
 * Returns: (nullable): the property's text, as long as nobody sets it
 */
ORRERY_API const char *orrery_object_get_text (OrreryObject *object, const char *name,
                                               const char *otherwise);
/**
 * orrery_object_get_value_names:
 *
 * The names belong to the object, and each is valid until its property is removed or set anew. Only
 * the array is the caller's, to be freed by g_free().
 *
 * Returns: (transfer container) (array zero-terminated=1): names of all its properties, sorted by
 *   their bytes
 */
ORRERY_API const char **orrery_object_get_value_names (OrreryObject *object);
/**
 * orrery_object_get_body:
 *
 * Every object has one; that of an object without a body has the type %ORRERY_BODY_NONE. What is
 * changed in it once physics is built has no effect.
 *
 * Returns: (transfer none): what physics knows of it
 */
ORRERY_API OrreryBody *orrery_object_get_body (OrreryObject *object);
/**
 * orrery_object_get_inertial: (skip)
 *
 * The object's own copy; it is valid until orrery_object_set_inertial().
 *
 * Returns: (nullable): how its mass lies in it, %NULL: as the engine reckons
 */
ORRERY_API const OrreryInertial *orrery_object_get_inertial (OrreryObject *object);
/**
 * orrery_object_set_inertial: (skip)
 * @inertial: (nullable): copied; engines without dynamics of joints pass over it
 *
 * For code that builds the world, before physics is built.
 */
ORRERY_API void orrery_object_set_inertial (OrreryObject *object, const OrreryInertial *inertial);
/**
 * orrery_object_get_joint: (skip)
 *
 * The object's own joint, valid until orrery_object_set_joint(). Its present position is in the
 * snapshot.
 *
 * Returns: (nullable): how it moves against its parent, %NULL: it does not. To be changed before
 *   physics is built
 */
ORRERY_API OrreryJoint *orrery_object_get_joint (OrreryObject *object);
/**
 * orrery_object_set_joint: (skip)
 * @joint: (nullable): copied; %NULL: it has none
 *
 * For code that builds the world, before the first tick.
 */
ORRERY_API void orrery_object_set_joint (OrreryObject *object, const OrreryJoint *joint);
/**
 * orrery_object_get_joint_name:
 * @object: an object with a joint
 *
 * The name by which joints are known in messages and in arrays of joints.
 *
 * Returns: what the file that it is from calls the joint (its value `joint`), else the object's own
 *   name
 */
ORRERY_API const char *orrery_object_get_joint_name (OrreryObject *object);
/**
 * orrery_object_has_moving_joint:
 *
 * Hinges, slides and balls move; a fixed joint only makes the object a part of its parent.
 *
 * Returns: whether it has a joint that is not fixed
 */
ORRERY_API gboolean orrery_object_has_moving_joint (OrreryObject *object);
/**
 * orrery_object_collect_joints: (skip)
 * @joints: (element-type OrreryObject): @object and all below it that have a moving joint are
 *   added, in tree order
 *
 * Parents come before their children, and children in scene order: the order in which the joints of
 * a robot are numbered. The array takes no references.
 */
ORRERY_API void orrery_object_collect_joints (OrreryObject *object, GPtrArray *joints);
/**
 * orrery_object_get_mass:
 *
 * Bodies that are static, ghosts or none have no mass here, whatever the scene says.
 *
 * Returns: kg of its body, where physics moves it; else 0
 */
ORRERY_API double orrery_object_get_mass (OrreryObject *object);
/**
 * orrery_object_get_inertia:
 *
 * Known once an engine has built physics. At the same address for the life of the object.
 *
 * Returns: (transfer none): kg m2 about its axes, as the engine reckons; 0 where nothing turns it
 */
ORRERY_API const OrreryVec3 *orrery_object_get_inertia (OrreryObject *object);
/**
 * orrery_object_get_shapes:
 *
 * The array is the object's own; empty if it has no geometry. Shapes of children are not in it. It
 * has other shapes, as many and of the same kinds, while the quantity %ORRERY_QUANTITY_SCALE of the
 * object is not that of the scene: orrery_world_get_shapes_serial().
 *
 * Returns: (transfer none) (element-type OrreryShape): its geometry as it is now
 */
ORRERY_API GPtrArray *orrery_object_get_shapes (OrreryObject *object);
/**
 * orrery_object_get_scene_shapes: (skip)
 *
 * For who applies orrery_object_get_scale() itself. Tick thread, and those of sensors.
 *
 * Returns: (transfer none) (element-type OrreryShape): its geometry as the scene has it, whatever
 *   its size is now
 */
ORRERY_API GPtrArray *orrery_object_get_scene_shapes (OrreryObject *object);
/**
 * orrery_object_get_inner_radius:
 *
 * The shapes count as if each were about the origin of the object; meshes and hulls are left out.
 *
 * Returns: m, of the largest ball about the origin that is within a shape; 0 without any
 */
ORRERY_API double orrery_object_get_inner_radius (OrreryObject *object);
/**
 * orrery_object_add_shape:
 * @shape: (transfer none): a further part of its geometry
 *
 * For code that builds the world, before physics is built.
 */
ORRERY_API void orrery_object_add_shape (OrreryObject *object, OrreryShape *shape);
/**
 * orrery_object_is_component:
 *
 * Fixed when the scene is read.
 *
 * Returns: whether a robot, sensor or actuator is placed there
 */
ORRERY_API gboolean orrery_object_is_component (OrreryObject *object);
/**
 * orrery_object_is_robot:
 *
 * Fixed when the scene is read. Unlike orrery_setup_find_component() it can be asked at any time,
 * also about what was added while the scene runs.
 *
 * Returns: whether a robot is placed there
 */
ORRERY_API gboolean orrery_object_is_robot (OrreryObject *object);
/**
 * orrery_object_get_classpath:
 *
 * Fixed when the scene is read.
 *
 * Returns: (transfer none) (nullable): the class path of the component that is placed there, as
 *   `orrery.robots.atrv.ATRV`; %NULL: there is none
 */
ORRERY_API const char *orrery_object_get_classpath (OrreryObject *object);

/**
 * orrery_object_is_present:
 *
 * Only objects of the scene's table `spawnables` come and go; all others are present in every tick.
 *
 * Returns: whether it is in the world; %FALSE for an object of `spawnables` that is not spawned:
 *   nothing senses it, and it is in no list
 */
ORRERY_API gboolean orrery_object_is_present (OrreryObject *object);
/**
 * orrery_object_starts_visible:
 *
 * What orrery_object_is_visible() says where it is in the world and nobody has hidden or shown it.
 * Fixed when the scene is read.
 *
 * Returns: whether cameras see it at the start of a run, or when it is spawned
 */
ORRERY_API gboolean orrery_object_starts_visible (OrreryObject *object);
/**
 * orrery_object_get_instance_name:
 *
 * An object of the scene's table `spawnables` is called otherwise each time that it is spawned. The
 * name counts from the call that spawns it to the one that removes it, while
 * orrery_object_is_present() follows in the next phase of physics. Tick thread.
 *
 * Returns: (transfer none) (nullable): that name, valid until it is removed; %NULL if it is one of
 *   `spawnables` and not spawned; of all others, the full name
 */
ORRERY_API const char *orrery_object_get_instance_name (OrreryObject *object);

/**
 * orrery_object_is_visible:
 *
 * The present state; orrery_commands_set_visible() changes it at the end of a tick. Whether the
 * object has a shape at all does not matter here.
 *
 * Returns: whether sensors see it; %FALSE for one that is not present
 */
ORRERY_API gboolean orrery_object_is_visible (OrreryObject *object);
/**
 * orrery_object_get_material: (skip)
 *
 * The quantity %ORRERY_QUANTITY_MATERIAL, where the scene or a change gives it a value: all of its
 * visible shapes have this material in place of their own ones.
 *
 * Returns: (transfer none) (nullable): a material of the world; %NULL: each shape has its own. It
 *   may change with the next tick
 */
ORRERY_API OrreryMaterial *orrery_object_get_material (OrreryObject *object);
/**
 * orrery_object_get_paint: (skip)
 *
 * The quantity %ORRERY_QUANTITY_COLOR, where it was changed. The colour takes the place of that of
 * each material of each of its shapes, also of the one of orrery_object_get_material(): a texture
 * is multiplied with it, and all else of a material stays as it is.
 *
 * Returns: (transfer none) (nullable): red, green, blue, 0 to 1; %NULL: as its materials say. It
 *   may change with the next tick
 */
ORRERY_API const OrreryVec3 *orrery_object_get_paint (OrreryObject *object);
/**
 * orrery_object_get_scale: (skip)
 *
 * The quantity %ORRERY_QUANTITY_SCALE, where it was changed. A point of
 * orrery_object_get_scene_shapes(), in the frame of the object, is multiplied with it. Places of
 * children do not change.
 *
 * Returns: (transfer none) (nullable): factors along the axes of the object; %NULL: its shapes have
 *   the size that the scene says. It may change with the next tick
 */
ORRERY_API const OrreryVec3 *orrery_object_get_scale (OrreryObject *object);
/**
 * orrery_object_set_visible:
 * @visible: whether sensors see it
 *
 * How it is from now on, and after a reset or when it is spawned. Parts stage
 * orrery_commands_set_visible() instead, which lasts until the reset.
 */
ORRERY_API void orrery_object_set_visible (OrreryObject *object, gboolean visible);

G_END_DECLS
