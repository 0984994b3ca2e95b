/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* MuJoCo's steps, with patch friction, motors, and buffers that grow. Tick thread only. */

#include "../motors.h"
#include "trees.h"

typedef struct _Engine Engine;

/* @things, @motors: (element-type Thing, Motor): the caller's, as long as the engine; @things: all,
 * those that are not there at first among them. */
Engine *engine_new (GPtrArray *things, GArray *motors, OrreryWorld *world,
                    const ModelOptions *options, GError **error);
void engine_free (Engine *engine);
/* As engine_new() leaves it. FALSE: it is to be made anew, since its buffers have grown. */
gboolean engine_begin_again (Engine *engine);

gboolean engine_step (Engine *engine, double dt, GError **error);
/* After the last substep of a tick: forces are forgotten, poses of links are those of now. */
void engine_end (Engine *engine);
void engine_report (Engine *engine, OrrerySnapshot *snapshot);

/* quantities.c: what changes while a scene runs. */
void engine_set_world (Engine *engine, OrreryWorld *world, const ModelOptions *options);
/* From the next engine_weigh() on, which reckons once with all masses that have changed. */
void engine_set_mass (Engine *engine, Thing *thing);
/* The same with sizes. */
void engine_set_size (Engine *engine, Thing *thing);
void engine_weigh (Engine *engine, BodySet *set);

/* presence.c: forgets forces and friction that outlast a substep. */
void thing_begin (Thing *thing);
/* Shows the model which things are there, after a reset. */
void engine_show_present (Engine *engine, BodySet *set);

/* As of BodyEngine, of a set of things. */
void engine_set_present (BodySet *set, Body *body, gboolean present);
void engine_get_pose (BodySet *set, Body *body, OrreryTransform *pose);
void engine_set_pose (BodySet *set, Body *body, const OrreryTransform *pose);
void engine_get_velocity (BodySet *set, Body *body, OrreryVec3 *linear, OrreryVec3 *angular);
void engine_set_velocity (BodySet *set, Body *body, const OrreryVec3 *linear,
                          const OrreryVec3 *angular);
void engine_get_force (BodySet *set, Body *body, OrreryVec3 *force, OrreryVec3 *torque);
/* Locks axes of a free body; all of one that is suspended, pinned, held or away. */
void engine_set_freedom (BodySet *set, Body *body);
/* Before rays are cast: they meet things where they are now. */
void engine_aim (Engine *engine);
void engine_get_joint (Engine *engine, const Motor *motor, OrreryJointState *state);
/* At once and at rest. */
void engine_put_joint (Engine *engine, Motor *motor, double position);

/* All that lasts beyond a tick. FALSE: the state is none of this scene. */
GVariant *engine_save (Engine *engine, BodySet *set);
gboolean engine_restore (Engine *engine, BodySet *set, GVariant *state);

/* rub.c: friction of one substep. */
typedef struct {
  mjModel *m;
  mjData *d;
  const Model *model;
  GPtrArray *things;
  Trees trees;
  double most_margin;  /* m, of all geoms */
  GArray *sides;       /* (element-type Side): of patches in trees */
  GArray *numbers;     /* (element-type double): of sides */
  GArray *freedoms;    /* (element-type int): of sides */
  double *ways;        /* 6 nv, of the side that is made */
  double *force;       /* nv */
  double *change;      /* nv */
  double *solved;      /* 3 nv, of the side that is made */
  double *folded;      /* nv: changes of this pass, as trees_fold() has them */
  gboolean *is_folded; /* nv: the tree that begins there */
  GArray *roots;       /* (element-type int): where those begin, in the order of patches */
  GArray *touches;     /* (element-type Touch) */
  GArray *points;      /* (element-type FrictionPoint) */
  GArray *patches;     /* (element-type FrictionPatch) */
  gboolean measures;   /* the friction of contacts */
  GArray *shares;      /* (element-type OrreryVec3): of a pair */
  GArray *frictions;   /* (element-type OrreryVec3): of d's contacts, on the second geom's thing */
} Rub;

void rub_init (Rub *rub, Model *model, GPtrArray *things);
void rub_clear (Rub *rub);
void rub_solve (Rub *rub, double dt);
/* N s of the last substep, at a contact of d, on the thing of its second geom; 0 if not measured.
 */
OrreryVec3 rub_get_friction (const Rub *rub, int contact);
/* Takes the friction of the last substep out of the velocities again. */
void rub_take_back (Rub *rub);

/* saved.c */
/* @qpos: what frames_get_given() gives */
GVariant *saved_save (const Rub *rub, const double *qpos, BodySet *set, GArray *motors);
gboolean saved_restore (const Rub *rub, BodySet *set, GArray *motors, GVariant *state);

/* ray.c: the nearest solid thing that is no part of @thing on the way between two points: at which
 * share of it, below 0 in a margin, and its unit normal; FALSE: none. @margins: as of WheelEngine.
 */
gboolean ray_cast (const Rub *rub, const Thing *thing, const OrreryVec3 *from, const OrreryVec3 *to,
                   gboolean margins, double *fraction, OrreryVec3 *normal);
