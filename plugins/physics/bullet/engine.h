/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * Bullet behind C: what the role needs of the engine, and nothing that needs C++ to be said. Tick
 * thread only. Numbers that go in are finite; numbers that come out may not be.
 */

#include "tree.h"

G_BEGIN_DECLS

typedef struct _TreeSet TreeSet;

typedef struct _BulletStore BulletStore;
typedef struct _BulletEngine BulletEngine;
typedef struct _BulletBody BulletBody;

/* One object with a body. */
typedef struct {
  Body own;
  BulletBody *body;
  gboolean articulated; /* moved as a part of a tree of links */
} Entry;

/* What engines that follow each other have in common: shapes and pools, as the scene needs them.
 * One engine at a time. */
BulletStore *bullet_store_new (OrreryWorld *world);
void bullet_store_free (BulletStore *store);

/* @set, @store: as long as the engine. */
BulletEngine *bullet_engine_new (const BodySet *set, BulletStore *store);
void bullet_engine_free (BulletEngine *engine);

/*
 * Adds a body of @object's settings, which the caller has checked: pieces are there, their numbers
 * are finite, their triangles name points that exist. Returns it; the engine keeps it. One that is
 * articulated may have no pieces: trees move it.
 */
BulletBody *bullet_engine_add_body (BulletEngine *engine, OrreryObject *object, Motion motion,
                                    const Piece *pieces, guint n_pieces,
                                    const OrreryTransform *pose, gboolean articulated);

/* Frees the bodies of objects from @first on, which were added last. */
void bullet_engine_drop_bodies (BulletEngine *engine, guint first);

/* Takes a body out of the world; puts it in again, at rest, as if it had just been added: with all
 * that is in the world, nothing of its past is left. Of one in a tree only where it collides. */
void bullet_body_leave (BulletBody *body);
void bullet_body_enter (BulletBody *body, const OrreryTransform *pose);
/* Makes the engine, and then each of its bodies, as if they had just been made for this world; of
 * engines without trees. Frees what bodies had in common. */
void bullet_engine_begin_again (BulletEngine *engine);
void bullet_body_begin_again (BulletBody *body, const OrreryTransform *pose, gboolean present);

/* Before the first substep of a tick; forces given until bullet_engine_end() act in each. */
void bullet_engine_begin (BulletEngine *engine);
void bullet_engine_step (BulletEngine *engine, double dt);
void bullet_engine_end (BulletEngine *engine);

/* From now on the friction of contacts, too, is reported. */
void bullet_engine_measure_contacts (BulletEngine *engine);
/* Meshes and hulls that the process has, all worlds together. Any thread. */
guint bullet_count_shared_shapes (void);

/* Contact points of the last substep, of pairs in the order of their objects. */
void bullet_engine_report (BulletEngine *engine, OrrerySnapshot *snapshot);

/* Whether pose and velocity are numbers, and none is beyond @reach. */
gboolean bullet_body_is_within (BulletBody *body, double reach);
/* As of BodyEngine, of a set of entries. */
void bullet_body_get_pose (BodySet *set, Body *body, OrreryTransform *pose);
void bullet_body_set_pose (BodySet *set, Body *body, const OrreryTransform *pose);
void bullet_body_get_velocity (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular);
void bullet_body_set_velocity (BodySet *set, Body *body, const OrreryVec3 *linear,
                               const OrreryVec3 *angular);
void bullet_body_add_force (BodySet *set, Body *body, const OrreryVec3 *force,
                            const OrreryVec3 *torque);
void bullet_body_push (BodySet *set, Body *body, const OrreryVec3 *force, const OrreryVec3 *torque);
void bullet_body_get_force (BodySet *set, Body *body, OrreryVec3 *force, OrreryVec3 *torque);
gboolean bullet_engine_cast (BodySet *set, Body *body, const OrreryVec3 *from, const OrreryVec3 *to,
                             gboolean margins, double *fraction, OrreryVec3 *normal);

/* m/s2; acts on a free body. */
void bullet_body_get_inertia (BulletBody *body, OrreryVec3 *inertia);
void bullet_body_set_gravity (BulletBody *body, const OrreryVec3 *gravity);
/* kg, of a free body that no tree moves; its inertia with it. */
void bullet_body_set_mass (BulletBody *body, double mass);
/* Others than it has, as many; in its place. It meets what it touches as if for the first time. */
void bullet_body_set_pieces (BulletBody *body, const Piece *pieces, guint n_pieces);
void bullet_body_set_surface (BulletBody *body, const OrreryBody *settings);
/* Per axis of the world, 0 or 1: what forces and contacts may change. */
void bullet_body_set_factors (BulletBody *body, const OrreryVec3 *linear,
                              const OrreryVec3 *angular);

/* --- what a restored run needs to go on bit by bit --- */

/* Frame, frame before, velocity, velocity before, gravity, the way Bullet has them. */
#define BULLET_BODY_NUMBERS 39
void bullet_body_save (BulletBody *body, double *numbers);
void bullet_body_restore (BulletBody *body, const double *numbers);

/* The contact points of one pair, with what the solver found for each: where it begins next. */
#define BULLET_MAX_POINTS 4
#define BULLET_POINT_NUMBERS 35
typedef struct {
  guint first; /* index of the objects, the way the engine has them */
  guint second;
  int piece0; /* of compounds and meshes */
  int piece1;
  guint n_points; /* at most BULLET_MAX_POINTS, of BULLET_POINT_NUMBERS each */
} BulletTouch;

/* Returns: how many there are, in an order that is always the same */
guint bullet_engine_find_touches (BulletEngine *engine);
void bullet_engine_save_touch (BulletEngine *engine, guint i, BulletTouch *touch, double *points);
/* Bodies are where they were. What does not touch there is passed over. @points: of all touches, in
 * their order */
void bullet_engine_restore_touches (BulletEngine *engine, const BulletTouch *touches,
                                    const double *points, guint n);

/* --- trees of links --- */

/* Borrowed; NULL: none. @first: of the objects whose links are new. Of forces given to links, all
 * but gravity count at their centre of mass. */
void bullet_engine_set_trees (BulletEngine *engine, TreeSet *trees, guint first);
void bullet_body_join (BulletBody *body, Tree *tree, guint link);
/* The box around its shapes with their margins, in its own frame. */
void bullet_body_get_box (BulletBody *body, OrreryVec3 *low, OrreryVec3 *high);
/* m/s2 */
void bullet_body_get_gravity (BulletBody *body, OrreryVec3 *gravity);
/* Where its tree has it. */
void bullet_body_show (BulletBody *body, const OrreryTransform *pose, const OrreryVec3 *linear,
                       const OrreryVec3 *angular);

G_END_DECLS
