/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "wheels.h"

G_BEGIN_DECLS

/*
 * What engines of rigid bodies share: which objects have a body and how it moves, where everything
 * is that the engine does not move, commands, bodies that are held, wheels. An engine moves bodies
 * by forces and contacts; what that takes of it is in BodyEngine. Tick thread only.
 */

/* m, m/s, rad/s, kg: what is farther or faster than this is a mistake, and overflows in engines. */
#define BODY_REACH 1e9

typedef enum {
  MOTION_FIXED, /* never moves by itself */
  MOTION_FREE,  /* moved by forces and contacts */
  MOTION_LINK,  /* the same, as far as its joint lets it; not of all engines */
  MOTION_TOLD,  /* moves as it is put; pushes others away */
  MOTION_GHOST, /* moves as it is put; feels and pushes nothing, reports contacts */
} Motion;

/* A piece of a body's geometry and its pose in the body's frame. Those of a body have references to
 * their shapes. */
typedef struct {
  OrreryShape *shape;
  OrreryTransform offset;
} Piece;

/* What an engine was made with, or told last. */
typedef struct {
  double mass;
  double friction;
  double restitution;
} BodyQuantities;

/* One object with a body; an engine's own has it as its first member. */
typedef struct _Body Body;
struct _Body {
  OrreryObject *object;
  guint index;
  const OrreryBody *settings;
  Motion motion;
  Body *carrier;      /* the nearest that carries it, or NULL */
  GArray *pieces;     /* (element-type Piece) */
  gboolean hollow;    /* a link that the engine itself has no body for */
  gboolean suspended; /* forces and contacts do not change it */
  gboolean pinned;    /* the same in this tick: it was told its pose */
  gboolean exact;     /* its pose in the snapshot is the one that it was told */
  gboolean report;    /* the engine says where it is, not the tree */
  gboolean parked;    /* it is not in the engine's world */
  gboolean falls;     /* gravity acts on it */
  double first_mass;  /* kg, that the engine was made with */
  BodyQuantities known;
  OrreryObject *holder; /* that it moves with; NULL: none */
  OrreryTransform held; /* in the frame of the holder */

  /* Of bodies that are put, or pinned: what they were told, and what is theirs after the tick. */
  OrreryTransform local; /* in the parent's frame; of a root: world */
  OrreryTransform seen;  /* pose of the parent when it was last put */
  OrreryTransform pose;  /* world */
  OrreryVec3 linear;     /* m/s, world axes; of a root, as told for this tick */
  OrreryVec3 angular;    /* rad/s */
};

typedef struct _BodySet BodySet;

/* The functions of an engine, for bodies that it moves unless said otherwise. */
typedef struct {
  gsize size;            /* of the engine's own body */
  void (*free) (Body *); /* what the engine's own has; or NULL */

  void (*get_pose) (BodySet *set, Body *body, OrreryTransform *pose);
  /* Of any body. */
  void (*set_pose) (BodySet *set, Body *body, const OrreryTransform *pose);
  void (*get_velocity) (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular);
  /* Of free bodies: */
  void (*set_velocity) (BodySet *set, Body *body, const OrreryVec3 *linear,
                        const OrreryVec3 *angular);
  /* The body was suspended, pinned or held, or was released. */
  void (*set_freedom) (BodySet *set, Body *body);
  void (*set_gravity) (BodySet *set, Body *body, gboolean on);
  /* N, N m, in all substeps of the tick; of the next substep alone. */
  void (*add_force) (BodySet *set, Body *body, const OrreryVec3 *force, const OrreryVec3 *torque);
  void (*push) (BodySet *set, Body *body, const OrreryVec3 *force, const OrreryVec3 *torque);
  /* What is to act on it in the next substep, its weight included. */
  void (*get_force) (BodySet *set, Body *body, OrreryVec3 *force, OrreryVec3 *torque);
  /* As in WheelEngine; ignores parts of @body. */
  gboolean (*cast) (BodySet *set, Body *body, const OrreryVec3 *from, const OrreryVec3 *to,
                    gboolean margins, double *fraction, OrreryVec3 *normal);

  /* Of engines that do joints; or NULL: a command to a joint; where a hollow link is; how a body
   * that is put has come from where it was. */
  void (*take_joint) (BodySet *set, const OrreryCommand *command);
  void (*place_hollow) (BodySet *set, Body *body, OrreryTransform *pose);
  void (*measure) (BodySet *set, Body *body, const OrreryTransform *before, double dt);
  /* Or NULL: before poses are read, after bodies were put and held: what hangs on them by joints is
   * to be there, too. */
  void (*follow) (BodySet *set);
  /* Or NULL: of engines that can take bodies out of their world, and put them in again where their
   * pose is, at rest and free. */
  void (*set_present) (BodySet *set, Body *body, gboolean present);
  /* A quantity of a body, or of the world if @body is NULL, has another value than before. */
  void (*change) (BodySet *set, Body *body, OrreryQuantityKind which);
} BodyEngine;

struct _BodySet {
  OrreryWorld *world;
  const BodyEngine *calls;
  gpointer engine;    /* borrowed, for its own functions */
  GPtrArray *bodies;  /* (element-type Body), in the order of the objects; not those that are: */
  GPtrArray *parked;  /* (element-type Body): not in the engine's world, in any order */
  Body **by_object;   /* NULL where an object has no body */
  guint n_objects;    /* of the world, that are known here */
  WheelSet *wheels;   /* NULL: none */
  GHashTable *apart;  /* (element-type gint64): pairs that do not touch; NULL: none */
  OrreryVec3 gravity; /* that the engine was told last */
  guint64 shapes;     /* serial of the world's, that it was built from */
  guint n_held;
  guint n_pinned;
  gboolean broken; /* the state became invalid */
};

void body_set_init (BodySet *set, const BodyEngine *calls, OrreryWorld *world);
void body_set_clear (BodySet *set);
/* The world has more objects than before: the set knows them, too. Then without any of them. */
void body_set_extend (BodySet *set, guint n_objects);
void body_set_shrink (BodySet *set, guint n_objects);

/* How an object moves that an engine moves no joint of. */
Motion body_choose_motion (OrreryObject *object, const Body *carrier);
/* Adds a body at its start, with its pieces. The set owns it. */
Body *body_set_add (BodySet *set, OrreryObject *object, Motion motion);
Body *body_set_find (BodySet *set, OrreryObject *object);
/* The nearest body that carries it, or NULL. */
Body *body_set_find_carrier (BodySet *set, OrreryObject *object);
/* Whether its shapes are among those of what it is fixed to. */
gboolean body_set_is_fixed (BodySet *set, OrreryObject *object);
/* Returns: (transfer full) (element-type Piece): as the world has them now */
GArray *body_collect_pieces (OrreryObject *object);
/* The body that an object has, or is a part of; or NULL. */
Body *body_set_find_whole (BodySet *set, OrreryObject *object);
/* Once all bodies are there. */
void body_set_add_wheels (BodySet *set);
/* After a reset or before a restore, of the same world: bodies are where the snapshot has them, and
 * nothing is left of what they were told. The engine's own members are the caller's. */
void body_set_begin_again (BodySet *set);
/* A hash of all that bodies are made from, not of where they are. */
guint64 body_set_fold_world (OrreryWorld *world, guint n_objects);

/* Whether two objects with bodies do not touch each other. */
gboolean body_set_are_apart (const BodySet *set, OrreryObject *object, OrreryObject *other);

gboolean body_is_dynamic (const Body *body);
/* Whether the engine says where it is, as long as it was not told a pose. */
gboolean body_reports (const Body *body);
/* Forces and contacts do not change it now; and nothing holds it. */
gboolean body_is_still (const Body *body);
gboolean body_is_pinned (const Body *body);
/* Where an object is now; of one without a body, seen from what carries it as in the last snapshot.
 */
void body_set_get_pose (BodySet *set, OrreryObject *object, OrreryTransform *pose);
/* Of what carries it; of a root: of the world. */
void body_set_get_parent_pose (BodySet *set, Body *body, OrreryTransform *pose);
/* Puts a body that moves with its parent, or as it was told, to where it is now. */
void body_set_put (BodySet *set, Body *body);
void body_set_get_velocity (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular);
/* The velocity of a point that moves with an object. */
void body_set_get_velocity_at (BodySet *set, OrreryObject *object, const OrreryVec3 *point,
                               OrreryVec3 *linear, OrreryVec3 *angular);
/* Where the world has its joint now, of one that is put. */
void body_set_take_joint (BodySet *set, Body *body);
/* Whether @holder is @object, is a part of it, or is held by it in turn. */
gboolean body_set_is_held_by (BodySet *set, OrreryObject *object, OrreryObject *holder);
/* For a saved state: the index of the object that holds the body, or -1. */
gint64 body_get_holder (const Body *body);
/* FALSE: no object has that index, or they would hold each other in a ring. To be called for all
 * bodies in their order while those behind are held by nobody: a ring is seen at its last. */
gboolean body_set_restore_holder (BodySet *set, Body *body, gint64 index);
/* After a state was restored: who is held. */
void body_set_count_held (BodySet *set);

/* --- body-ticks.c: the functions of a physics; FALSE: it is broken --- */

gboolean body_set_apply (BodySet *set, OrreryCommands *commands, GError **error);
/* Before a substep of the engine: what is told, wheels, what is held. */
void body_set_advance (BodySet *set, double dt);
gboolean body_set_push (BodySet *set, OrreryCommands *forces, GError **error);
/* After the engine's last substep, before anything is read: whatever was told its pose is there,
 * with the velocity that it goes on with. */
void body_set_release (BodySet *set);
/* Contacts and joints are the engine's to tell. */
void body_set_read (BodySet *set, OrrerySnapshot *snapshot);

/* --- body-presence.c: objects that may be spawned and removed --- */

/* In a build, after the body was added: takes it out of the engine's world again. */
void body_set_park (BodySet *set, Body *body);
void body_set_take_presence (BodySet *set, const OrreryCommand *command);
/* Lists bodies as the world has them present. The engine's own world is the caller's. */
void body_set_begin_presence (BodySet *set);

/* --- body-quantities.c: what changes while a scene runs --- */

/* The engine has what its settings say. */
void body_note_quantities (Body *body);
/* Tells the engine what has changed of a body; of all, and of the world. */
void body_set_refresh (BodySet *set, Body *body);
void body_set_refresh_all (BodySet *set);
void body_set_take_quantity (BodySet *set, const OrreryCommand *command);
/* Of its mass now to that which the engine was made with. */
double body_get_mass_ratio (const Body *body);
/* As the `changes` of a physics. */
gboolean body_set_changes (BodySet *set, const OrreryQuantity *quantity, OrreryObject *object,
                           GError **error);

/* --- body-checks.c: whether an engine can take it; FALSE with ORRERY_ERROR_CONFIG --- */

/* @max_moving: m, of a shape of a body that moves. */
gboolean body_check (const Body *body, double max_moving, GError **error);
/* Of a joint whose wrench no engine can measure, for body_fail(). */
#define BODY_NO_WRENCH                                                                             \
  "the wrench of its joint cannot be measured: only a joint that moves, of a link with a body of " \
  "type rigid and a mass, which the engine moves by forces, has one; a fixed one is a part of "    \
  "its "                                                                                           \
  "parent"
/* Sets an error about an object; returns FALSE. */
gboolean body_fail (GError **error, OrreryObject *object, const char *message);
gboolean body_is_near (const OrreryVec3 *v, double reach);

G_END_DECLS
