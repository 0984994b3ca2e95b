/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "world/orrery-constraint.h"
#include "world/orrery-lamp.h"
#include "world/orrery-tick.h"
#include "world/orrery-wheel.h"

/* Functions of the world for the host; plugins never see them. */

/* What an object looks like in place of what its lamp and the materials of its shapes say. */
typedef struct {
  gboolean has_energy;
  gboolean has_light;
  gboolean has_color;
  double energy;
  OrreryVec3 light;
  OrreryVec3 color;
  guint material;              /* its place in the world's, from 1; 0: none */
  OrreryMaterial *material_at; /* (nullable): the same, borrowed */
  guint first_material;        /* that it has in the scene, likewise */
} OrreryOwnLook;

struct _OrreryObject {
  GObject parent_instance;

  char *name;
  const char *basename; /* the tail of name */
  OrreryObject *parent;
  GPtrArray *children; /* (element-type OrreryObject), borrowed */
  guint index;
  OrreryTransform start;
  GHashTable *values; /* (element-type utf8 GVariant) */
  guint64 n_set;      /* how often one of them was set */
  GPtrArray
      *tagged; /* (element-type OrreryObject), of its world: those that are, or were, tagged */
  gboolean is_tagged; /* it is one of them */
  OrreryBody body;
  OrreryJoint *joint;       /* NULL: none */
  GArray *constraints;      /* (element-type OrreryConstraint); NULL: none */
  OrreryInertial *inertial; /* NULL: as the engine reckons */
  GPtrArray *shapes;        /* (element-type OrreryShape): as they are now */
  GPtrArray *scene_shapes;  /* (element-type OrreryShape): as in the scene; NULL: as they are now */
  OrreryVec3 scale;         /* of those to these; if there are two */
  OrreryWheel *wheel;       /* NULL: it is none */
  gboolean visible;
  gboolean starts_visible; /* at the start of a run */
  char *classpath;         /* of the component there; NULL: none */
  gboolean is_robot;
  OrreryVec3 file_scale;   /* that its shapes have in the file that it is of, */
  gboolean has_file_scale; /* if that says so */
  OrreryLamp *lamp;        /* NULL: none */
  gboolean lit;            /* it is on now */
  OrreryOwnLook *look;     /* NULL: as the scene says */
  gboolean pooled;         /* it may be spawned and removed */
  gboolean parked;         /* it is not in the world now */
  char *alias;             /* its name as an instance, while it is spawned; NULL: none */
};

/* The property that makes a zone of an object. */
#define ORRERY_ZONE_TAG "Zone_Tag"

/* Objects that may be zones, in any order. Returns: (element-type OrreryObject): borrowed */
GPtrArray *orrery_world_get_tagged (OrreryWorld *world);

/* Makes a copy of a shape that is visible and not solid. @pose: of the frame of the original */
OrreryShape *orrery_shape_new_seen (OrreryShape *shape, const OrreryTransform *pose);
/* Whether orrery_shape_new_scaled() can. */
gboolean orrery_shape_can_scale (OrreryShape *shape, const OrreryVec3 *factors);

typedef struct {
  guint object;
  guint parent; /* G_MAXUINT: none */
} OrreryCarried;

/*
 * Most poses are never read, such as those of the visible wheels of a robot. So a pose is computed
 * in each tick only if its object is a root, a body or a component, if the pose was asked for once
 * (the caller may keep the pointer), or if the object carries such an object. Other poses are
 * computed on demand from these, with the same bits at any time of the tick.
 */
/* What is measured where it is asked for. */
typedef struct {
  double substep;    /* s */
  GArray *frictions; /* (element-type OrreryVec3): of the contacts, N s; NULL: not measured */
  GArray *joints;   /* (element-type guint): objects whose wrench is measured, ascending; or NULL */
  GArray *wrenches; /* (element-type OrreryWrench): of these */
} OrreryLoads;

struct _OrrerySnapshot {
  gatomicrefcount refs;
  guint n_objects;
  guint n_allocated;
  guint room; /* for objects and joints that are added later: until then no array moves */
  OrreryTransform *poses; /* world */
  OrreryTransform *local; /* in the parent's frame */
  OrreryVec3 *linear;
  OrreryVec3 *angular;
  guint *parents; /* G_MAXUINT for a root */
  guint *bodies; /* the object whose velocity counts: itself, or the nearest ancestor with a body */
  gboolean *driven; /* placed by physics, not by the parent */
  guint8
      *moved;   /* in this tick; the pose of an object that did not move is unchanged, bit by bit */
  guint8 *here; /* has the pose of its parent */
  guint8 *kept; /* atomic: its pose is up to date; other poses are computed on demand */
  gboolean listed;  /* whether the two lists are up to date: */
  GArray *carried;  /* (element-type OrreryCarried): kept, and not driven, parents first */
  GArray *owners;   /* (element-type guint): roots and what is driven */
  gboolean whole;   /* poses of objects that are not kept are up to date, too */
  GMutex asking;    /* held where one of those is computed */
  GArray *contacts; /* (element-type OrreryContact) */
  OrreryLoads loads;
  OrreryJointState *joints;
  guint n_joints;
  guint n_joints_allocated;
  guint *slots;   /* of an object: place of its joint, or G_MAXUINT */
  guint64 serial; /* changes whenever poses may have changed */
};

typedef enum {
  ORRERY_DRIVE_NONE,
  ORRERY_DRIVE_POSITION,
  ORRERY_DRIVE_VELOCITY,
  ORRERY_DRIVE_EFFORT,
} OrreryDriveMode;

/* A joint, and what its motor was last told. */
typedef struct {
  OrreryObject *object;
  guint slot;
  gboolean taken; /* by the engine, which moves it */
  OrreryDriveMode mode;
  OrreryVec3 target;   /* x: position, velocity or effort; of a ball: rad/s */
  OrreryQuat rotation; /* of a ball */
  double speed;        /* 0: the joint's own */
  guint depth;         /* couplings up to a joint that follows none */
} OrreryJointDrive;
/* What of the world itself may change, and what has changed. */
typedef struct {
  OrreryVec3 gravity;
  OrreryVec3 wind;
  GArray *quantities; /* (element-type OrreryChangedQuantity), by quantity and object */
  guint64 looks;      /* changes with each look and scale of an object */
  guint64 shapes;     /* changes with each scale of an object */
  GArray *pending;    /* (element-type OrreryChangedQuantity): of a state, until it is settled */
  GArray *holds;      /* what is attached to what; orrery-world-holds.c */
  GPtrArray
      *materials; /* (element-type OrreryMaterial): that objects may be given; do not change */
} OrreryChanging;

/* A property of a scene object and its new value; NULL removes it. */
typedef struct {
  guint object;
  char *name;
  GVariant *value;
} OrreryValueChange;

struct _OrreryCommands {
  gatomicrefcount refs;
  GArray *staged;  /* (element-type OrreryCommand) */
  GArray *changes; /* (element-type OrreryValueChange) */
  guint64 n_refused;
  guint refused_object;
};

/* What takes part in orrery_part_take_input(), where the inputs of a run are kept or fed.
 * @which: 0: what the part itself has read; above: what its worker has sent
 * Returns: (nullable): what the part gets; valid until the end of the tick */
typedef gconstpointer (*OrreryTickTakeFunc) (gpointer host, const char *part, guint64 which,
                                             gconstpointer data, gsize size, gsize *taken);

/* Starts @call, an OrreryCall, of a service that is found by the name of its part. */
typedef void (*OrreryTickCallFunc) (gpointer host, const char *part, gpointer call);

struct _OrreryTick {
  gatomicrefcount refs;
  OrreryTime time;
  OrreryTime start;
  guint64 number;
  double dt;
  OrrerySnapshot *snapshot;
  OrreryCommands *commands;
  /* Further data for scripts: */
  guint substep;
  gboolean after_substep;
  gboolean has_pair;
  guint pair[2];       /* objects that touch */
  OrreryObject *joint; /* borrowed */
  /* Inputs of parts: */
  OrreryTickTakeFunc take; /* NULL: nobody keeps them, and nobody feeds them */
  gpointer take_host;
  gboolean is_fed; /* parts get what is fed, and nothing else */
  /* Calls of parts: */
  OrreryTickCallFunc call; /* NULL: there is nobody to find the service */
  gpointer call_host;
};

OrreryObject *orrery_object_new (const char *name, OrreryObject *parent, guint index);
/* Called when its world is freed, with all objects above and below it. */
void orrery_object_leave (OrreryObject *object);

OrrerySnapshot *orrery_snapshot_new (void);
void orrery_snapshot_add_object (OrrerySnapshot *snapshot, OrreryObject *object);
/* Copies @from to @to; allocates only if it has grown. */
void orrery_snapshot_copy (OrrerySnapshot *to, OrrerySnapshot *from);
/* Resets all poses to the start, and clears the flags of what physics drives. */
void orrery_snapshot_place (OrrerySnapshot *snapshot, OrreryWorld *world, GArray *drives);
/* Makes room for so many further objects, and as many joints; before anybody keeps an address. */
void orrery_snapshot_make_room (OrrerySnapshot *snapshot, guint room);
/* Objects from @first on are new, or go again. */
void orrery_snapshot_place_more (OrrerySnapshot *snapshot, OrreryWorld *world, GArray *drives,
                                 guint first);
void orrery_snapshot_drop_objects (OrrerySnapshot *snapshot, GArray *drives, guint first);
/* Before anything moves: marks all objects as not moved. */
void orrery_snapshot_rest (OrrerySnapshot *snapshot);
/* orrery-world-saved.c. Returns: (nullable): the doubles of a saved state, which are the state's,
 * if there are @wanted of them and all are finite */
const double *orrery_saved_get_doubles (GVariant *state, guint index, gsize wanted);

/* orrery-snapshot-loads.c: what physics measures where it is asked for. */
void orrery_loads_clear (OrreryLoads *loads);
void orrery_loads_copy (OrreryLoads *to, const OrreryLoads *from);
/* Before physics reads: as if nothing had been measured yet. */
void orrery_loads_forget (OrreryLoads *loads);
/* NULL, or the friction of the contacts, for who moves these. */
OrreryVec3 *orrery_loads_get_frictions (OrreryLoads *loads);
void orrery_snapshot_set_substep (OrrerySnapshot *snapshot, double dt);
/* `(dadad)`, floating. */
#define ORRERY_LOADS_TYPE "(dadad)"
GVariant *orrery_loads_save (OrreryLoads *loads);
/* After the contacts were restored. NULL: a state that has none. FALSE: it does not fit. */
gboolean orrery_loads_check (const OrreryLoads *loads, GVariant *state, gsize n_contacts);
void orrery_loads_restore (OrreryLoads *loads, GVariant *state, gsize n_contacts);

/* Before physics reads: forgets contacts. */
void orrery_snapshot_begin (OrrerySnapshot *snapshot);
/* Poses of what has no body, from those of its parents. */
void orrery_snapshot_carry (OrrerySnapshot *snapshot);
/* The object was given another pose in its parent's frame. */
void orrery_snapshot_note_local (OrrerySnapshot *snapshot, guint object);
/* Has its pose computed in each tick from now on. Any thread that runs sensors. */
void orrery_snapshot_keep (OrrerySnapshot *snapshot, guint object);
/* The same for all objects, in a process where another one writes the poses. */
void orrery_snapshot_keep_all (OrrerySnapshot *snapshot);
/* Before all poses are read at once. */
void orrery_snapshot_complete (OrrerySnapshot *snapshot);
/* Called after the flags of what physics drives have changed. */
void orrery_snapshot_forget_lists (OrrerySnapshot *snapshot);
/* After physics has read: computes poses of objects that move with another, and sorts contacts. */
void orrery_snapshot_finish (OrrerySnapshot *snapshot);
/* Index of an object whose pose or velocity is not finite, or -1. */
gint64 orrery_snapshot_find_bad (OrrerySnapshot *snapshot);
guint64 orrery_snapshot_hash (OrrerySnapshot *snapshot, guint64 hash);

/* orrery-joint.c; drives: (element-type OrreryJointDrive), by their slots. */
/* @first: objects before it keep theirs */
void orrery_joints_place (GArray *drives, OrrerySnapshot *snapshot, GPtrArray *objects,
                          guint first);
/* Stores the command of a motor. Returns FALSE if the engine has taken the joint and has to apply
 * it. */
gboolean orrery_joints_take_command (GArray *drives, OrrerySnapshot *snapshot,
                                     const OrreryCommand *command);
/* Puts the joint of an object, if it has one, to its start at rest, and its motor with it. */
void orrery_joints_begin_again (GArray *drives, OrrerySnapshot *snapshot, OrreryObject *object);
/* Forgets the joints of objects from @first on. */
void orrery_joints_drop (GArray *drives, OrrerySnapshot *snapshot, guint first);
/* Moves the joints that no engine has taken. */
void orrery_joints_advance (GArray *drives, OrrerySnapshot *snapshot, double dt);

OrreryCommands *orrery_commands_new (void);
/* An empty list of OrreryValueChange, which frees what they hold. */
GArray *orrery_changes_new (void);
void orrery_commands_clear (OrreryCommands *commands);
/* Checks a command from another process: its numbers are finite, and the objects that it names
 * exist. */
gboolean orrery_command_is_valid (const OrreryCommand *command, guint n_objects);
/* Stages commands from another process; invalid ones are refused and counted. */
void orrery_commands_take (OrreryCommands *commands, const OrreryCommand *from, guint n,
                           guint n_objects);
void orrery_commands_note_refused (OrreryCommands *commands, guint64 n, guint object);
/* @object: its index */
gboolean orrery_commands_stage (OrreryCommands *commands, OrreryCommandKind kind, guint object,
                                gboolean flag, const OrreryVec3 *linear, const OrreryVec3 *angular);

/* Those from the @first on as a list, without changes of values; floating. */
GVariant *orrery_commands_save (OrreryCommands *commands, guint first);
/* The same; if there are changes of values from @first_change on, a pair of both lists. */
GVariant *orrery_commands_save_all (OrreryCommands *commands, guint first, guint first_change);
/* What either has made, and which may come from anywhere. Returns: (transfer full) (nullable) */
OrreryCommands *orrery_commands_read (GVariant *saved, guint n_objects, GError **error);
/* Stages all of @from behind what @to has. */
void orrery_commands_append (OrreryCommands *to, OrreryCommands *from);

/* Puts an object with all below it at a pose in the world, or takes it out. FALSE: the pose is not
 * finite, or beyond all measure */
gboolean orrery_commands_set_present (OrreryCommands *commands, OrreryObject *root,
                                      gboolean present, const OrreryTransform *pose);

/* orrery-world-pool.c */
/* From now on an object with all below it is in the world only while it is spawned. */
void orrery_world_pool (OrreryWorld *world, OrreryObject *root);
/* Names that find the objects of a tree, besides their own: that of the root, and those below it.
 * NULL: none any more. FALSE: a name is taken */
gboolean orrery_world_set_alias (OrreryWorld *world, OrreryObject *root, const char *alias);
/* Whether objects were spawned or removed since the last time. */
gboolean orrery_world_take_presence (OrreryWorld *world);
/* What a command says, of one object. Returns: whether the engine need not be told. */
gboolean orrery_world_set_present (OrreryWorld *world, OrreryObject *object,
                                   const OrreryCommand *command);
/* The members that orrery-world-pool.c shares. */
GHashTable *orrery_world_get_by_name (OrreryWorld *world);
void orrery_world_note_presence (OrreryWorld *world);
/* Properties of one object as they were at the start. */
void orrery_world_take_changes_back (OrreryWorld *world, guint object);

OrreryTick *orrery_tick_new (OrreryWorld *world);

GPtrArray *orrery_world_get_objects (OrreryWorld *world);
OrreryChanging *orrery_world_get_changing (OrreryWorld *world);
/* Values of a restored state, once physics is built from those of the scene. */
void orrery_world_settle_quantities (OrreryWorld *world);
/* Stages commands that change what differs from the scene. */
void orrery_world_tell_quantities (OrreryWorld *world, OrreryCommands *commands);
/* Puts all objects at their start and drops staged commands; also finds the roots without a
 * body. */
void orrery_world_place (OrreryWorld *world);
/* Sets a property of an object until the next reset to the start; NULL removes it. */
void orrery_world_change_value (OrreryWorld *world, guint index, const char *name, GVariant *value);
/* Iterates over joints whose motors have commands, for the `joint` function of scripts; NULL after
 * the last. */
OrreryObject *orrery_world_get_driven (OrreryWorld *world, guint *at);
GArray *orrery_world_get_drives (OrreryWorld *world);
/* Poses, velocities, contacts, properties, staged commands; floating. */
GVariant *orrery_world_save (OrreryWorld *world);
/* Restores what was saved from a world with the same objects. @has_values: its objects have the
 * properties of the state already. FALSE: the state is invalid, and nothing has changed. */
gboolean orrery_world_restore (OrreryWorld *world, GVariant *state, gboolean has_values,
                               GError **error);
/* How often properties of objects were set: where the number is the same, so are they. */
guint64 orrery_world_count_set_values (OrreryWorld *world);
/* Phase 8, the part that needs no engine: poses of objects without a body, and visibility. */
/* Removes all commands but those that the engine has to apply. */
void orrery_world_apply (OrreryWorld *world, double dt);

/* Sets the colour of all its materials and removes their textures; the materials are copied
 * first. */
void orrery_shape_paint (OrreryShape *shape, const OrreryVec3 *color);
/* Likewise of those materials without a texture that @colors (element-type utf8 OrreryVec3) names.
 * @met: (element-type utf8): the names of all its materials are added. */
void orrery_shape_paint_named (OrreryShape *shape, GHashTable *colors, GHashTable *met);

/* Objects that come while the world runs: all arrays have room for so many more, and do not
 * move. Before anybody keeps an address in them. */
void orrery_world_make_room (OrreryWorld *world, guint room);
/* Between two ticks: from now on objects are added for which there is room. Returns: the index of
 * the first of them, for one of the two functions that end it */
guint orrery_world_begin_extension (OrreryWorld *world);
/* The new objects, all of them pooled, are put to their start. */
void orrery_world_extend (OrreryWorld *world, guint first);
/* They are taken out of the world again, put to their start or not; nothing else knows of them. */
void orrery_world_drop_objects (OrreryWorld *world, guint first);
/* Whether it has all the objects that a world may have. */
gboolean orrery_world_is_full (OrreryWorld *world);
