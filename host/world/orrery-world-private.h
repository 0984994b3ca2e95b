/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "world/orrery-constraint.h"
#include "world/orrery-lamp.h"
#include "world/orrery-tick.h"
#include "world/orrery-wheel.h"

/* What the host itself does with the world; plugins never see it. */

struct _OrreryObject {
  GObject parent_instance;

  char *name;
  const char *basename; /* the tail of name */
  OrreryObject *parent;
  GPtrArray *children; /* (element-type OrreryObject), borrowed */
  guint index;
  OrreryTransform start;
  GHashTable *values; /* (element-type utf8 GVariant) */
  OrreryBody body;
  OrreryJoint *joint;       /* NULL: none */
  GArray *constraints;      /* (element-type OrreryConstraint); NULL: none */
  OrreryInertial *inertial; /* NULL: as the engine reckons */
  GPtrArray *shapes;        /* (element-type OrreryShape) */
  OrreryWheel *wheel;       /* NULL: it is none */
  gboolean visible;
  OrreryLamp *lamp; /* NULL: none */
  gboolean lit;     /* it is on now */
};

/* The same shape at @pose in the frame that it was made for: seen, and not solid. */
OrreryShape *orrery_shape_new_seen (OrreryShape *shape, const OrreryTransform *pose);

typedef struct {
  guint object;
  guint parent; /* G_MAXUINT: none */
} OrreryCarried;

/*
 * Nobody looks at most objects, such as the wheels that a robot shows. So a pose is computed in
 * each tick if its object is a root, a body or a component, or if somebody has asked for it once
 * (he may keep the pointer), and that of what carries such an object. Others are products of what
 * is there, the same bits at any time of the tick.
 */
struct _OrrerySnapshot {
  gatomicrefcount refs;
  guint n_objects;
  guint n_allocated;
  OrreryTransform *poses; /* world */
  OrreryTransform *local; /* in the parent's frame */
  OrreryVec3 *linear;
  OrreryVec3 *angular;
  guint *parents; /* G_MAXUINT for a root */
  guint *bodies; /* the object whose velocity counts: itself, or the nearest ancestor with a body */
  gboolean *driven; /* placed by physics, not by the parent */
  guint8 *moved;    /* in this tick: what stands has the poses that it had, bit by bit */
  guint8 *here;     /* sits where its parent is */
  guint8 *kept;     /* atomic: its pose is there; of others it is computed when somebody asks */
  gboolean listed;  /* the two lists hold what they are to: */
  GArray *carried;  /* (element-type OrreryCarried): kept, and not driven, parents first */
  GArray *owners;   /* (element-type guint): roots and what is driven */
  gboolean whole;   /* poses of what is not kept are there, too */
  GMutex asking;    /* held where one of those is computed */
  GArray *contacts; /* (element-type OrreryContact) */
  OrreryJointState *joints;
  guint n_joints;
  guint *slots;   /* of an object: place of its joint, or G_MAXUINT */
  guint64 serial; /* another one whenever poses may be others */
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
  gboolean taken; /* by the engine: it moves it */
  OrreryDriveMode mode;
  OrreryVec3 target;   /* x: position, velocity or effort; of a ball: rad/s */
  OrreryQuat rotation; /* of a ball */
  double speed;        /* 0: the joint's own */
  guint depth;         /* couplings up to a joint that follows none */
} OrreryJointDrive;
/* A property of a scene object, and what it is to be; NULL: no longer there. */
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

struct _OrreryTick {
  gatomicrefcount refs;
  OrreryTime time;
  OrreryTime start;
  guint64 number;
  double dt;
  OrrerySnapshot *snapshot;
  OrreryCommands *commands;
  /* What scripts are told beside it: */
  guint substep;
  gboolean after_substep;
  gboolean has_pair;
  guint pair[2];       /* objects that touch */
  OrreryObject *joint; /* borrowed */
};

OrreryObject *orrery_object_new (const char *name, OrreryObject *parent, guint index);
/* Its world is gone, and all that are above and below it. */
void orrery_object_leave (OrreryObject *object);

OrrerySnapshot *orrery_snapshot_new (void);
void orrery_snapshot_add_object (OrrerySnapshot *snapshot, OrreryObject *object);
/* Makes @to what @from is now; allocates where it has grown. */
void orrery_snapshot_copy (OrrerySnapshot *to, OrrerySnapshot *from);
/* Resets all poses to the start, and takes back what physics drives. */
void orrery_snapshot_place (OrrerySnapshot *snapshot, OrreryWorld *world, GArray *drives);
/* Before anything moves: all stand still. */
void orrery_snapshot_rest (OrrerySnapshot *snapshot);
/* Before physics reads: forgets contacts. */
void orrery_snapshot_begin (OrrerySnapshot *snapshot);
/* Poses of what has no body, from those of its parents. */
void orrery_snapshot_carry (OrrerySnapshot *snapshot);
/* The object was given another pose in its parent's frame. */
void orrery_snapshot_note_local (OrrerySnapshot *snapshot, guint object);
/* From now on its pose is computed in each tick; any thread that senses. */
void orrery_snapshot_keep (OrrerySnapshot *snapshot, guint object);
/* The same of all, where somebody else writes the poses. */
void orrery_snapshot_keep_all (OrrerySnapshot *snapshot);
/* Before all poses are read at once. */
void orrery_snapshot_complete (OrrerySnapshot *snapshot);
/* After flags of what physics drives have changed. */
void orrery_snapshot_forget_lists (OrrerySnapshot *snapshot);
/* After physics read: poses of what moves with something else; sorts contacts. */
void orrery_snapshot_finish (OrrerySnapshot *snapshot);
/* Index of an object whose pose or velocity is not finite, or -1. */
gint64 orrery_snapshot_find_bad (OrrerySnapshot *snapshot);
guint64 orrery_snapshot_hash (OrrerySnapshot *snapshot, guint64 hash);

/* orrery-joint.c; drives: (element-type OrreryJointDrive), by their slots. */
void orrery_joints_place (GArray *drives, OrrerySnapshot *snapshot, GPtrArray *objects);
void orrery_joints_take_command (GArray *drives, OrrerySnapshot *snapshot,
                                 const OrreryCommand *command);
/* Moves what no engine has taken. */
void orrery_joints_advance (GArray *drives, OrrerySnapshot *snapshot, double dt);

OrreryCommands *orrery_commands_new (void);
/* An empty list of OrreryValueChange, which frees what they hold. */
GArray *orrery_changes_new (void);
void orrery_commands_clear (OrreryCommands *commands);
/* Numbers of any meaning; FALSE and counted where one is beyond all measure. */
gboolean orrery_commands_stage (OrreryCommands *commands, OrreryCommandKind kind,
                                OrreryObject *object, gboolean flag, const OrreryVec3 *linear,
                                const OrreryVec3 *angular);

OrreryTick *orrery_tick_new (OrreryWorld *world);

GPtrArray *orrery_world_get_objects (OrreryWorld *world);
/* Puts everything at its start, with no commands staged; roots without a body are found here. */
void orrery_world_place (OrreryWorld *world);
/* Sets a property of an object until everything is put at its start; NULL: it has none. */
void orrery_world_change_value (OrreryWorld *world, guint index, const char *name, GVariant *value);
/* Joints with a motor that was told something, for scripts that are asked; NULL after the last. */
OrreryObject *orrery_world_get_driven (OrreryWorld *world, guint *at);
GArray *orrery_world_get_drives (OrreryWorld *world);
/* Poses, velocities, contacts, properties, staged commands; floating. */
GVariant *orrery_world_save (OrreryWorld *world);
/* The same back, of a world with the same objects. FALSE: it makes no sense, nothing has changed.
 */
gboolean orrery_world_restore (OrreryWorld *world, GVariant *state, GError **error);
/* Phase 8, the part that needs no engine: poses of objects without a body, and visibility. */
void orrery_world_apply (OrreryWorld *world, double dt);

/* The colour of all its materials, without pictures; they are its own from then on. */
void orrery_shape_paint (OrreryShape *shape, const OrreryVec3 *color);
