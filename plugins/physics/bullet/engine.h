/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * Bullet behind C: what the role needs of the engine, and nothing that needs C++ to be said. Tick
 * thread only. Numbers that go in are finite; numbers that come out may not be.
 */

#include "../bodies.h"

G_BEGIN_DECLS

typedef struct _BulletEngine BulletEngine;
typedef struct _BulletBody BulletBody;

BulletEngine *bullet_engine_new (void);
void bullet_engine_free (BulletEngine *engine);

/*
 * Adds a body of @object's settings, which the caller has checked: pieces are there, their numbers
 * are finite, their triangles name points that exist. Returns it; the engine keeps it.
 */
BulletBody *bullet_engine_add_body (BulletEngine *engine, OrreryObject *object, Motion motion,
                                    const Piece *pieces, guint n_pieces,
                                    const OrreryTransform *pose);

/* Before the first substep of a tick; forces given until bullet_engine_end() act in each. */
void bullet_engine_begin (BulletEngine *engine);
void bullet_engine_step (BulletEngine *engine, double dt);
void bullet_engine_end (BulletEngine *engine);

/* Contact points of the last substep, of pairs in the order of their objects. */
void bullet_engine_report (BulletEngine *engine, OrrerySnapshot *snapshot);

/* Whether pose and velocity are numbers, and none is beyond @reach. */
gboolean bullet_body_is_within (BulletBody *body, double reach);
void bullet_body_get_pose (BulletBody *body, OrreryTransform *pose);
void bullet_body_set_pose (BulletBody *body, const OrreryTransform *pose);
void bullet_body_get_velocity (BulletBody *body, OrreryVec3 *linear, OrreryVec3 *angular);
void bullet_body_set_velocity (BulletBody *body, const OrreryVec3 *linear,
                               const OrreryVec3 *angular);
void bullet_body_add_force (BulletBody *body, const OrreryVec3 *force, const OrreryVec3 *torque);
/* The same, of the next substep alone. */
void bullet_body_push (BulletBody *body, const OrreryVec3 *force, const OrreryVec3 *torque);
/* m/s2; acts on a free body. */
void bullet_body_get_inertia (BulletBody *body, OrreryVec3 *inertia);
void bullet_body_set_gravity (BulletBody *body, const OrreryVec3 *gravity);
/* What is to act on a free body in the next substep. */
void bullet_body_get_force (BulletBody *body, OrreryVec3 *force, OrreryVec3 *torque);
/* The nearest solid body other than @body on the way between two points: at which share of it,
 * and its unit normal; FALSE: none. */
gboolean bullet_engine_cast (BulletEngine *engine, BulletBody *body, const OrreryVec3 *from,
                             const OrreryVec3 *to, double *fraction, OrreryVec3 *normal);
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
  guint n_points;
  double points[BULLET_MAX_POINTS * BULLET_POINT_NUMBERS];
} BulletTouch;

/* Returns: how many there are, in an order that is always the same */
guint bullet_engine_find_touches (BulletEngine *engine);
void bullet_engine_save_touch (BulletEngine *engine, guint i, BulletTouch *touch);
/* Bodies are where they were. What does not touch there is passed over. */
void bullet_engine_restore_touches (BulletEngine *engine, const BulletTouch *touches, guint n);

G_END_DECLS
