/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that come and go. The model has all of them; what is away touches nothing and is locked.
 */
#include "engine-private.h"

#include <string.h>

void
presence_init (Presence *presence, GPtrArray *things, const mjModel *m)
{
  gsize n_geoms = (gsize) m->ngeom, n_freedoms = (gsize) m->nv, n_joints = (gsize) m->njnt;

  presence->all = g_ptr_array_copy (things, NULL, NULL);
  presence->contype = g_memdup2 (m->geom_contype, n_geoms * sizeof (int));
  presence->conaffinity = g_memdup2 (m->geom_conaffinity, n_geoms * sizeof (int));
  presence->armature = g_memdup2 (m->dof_armature, n_freedoms * sizeof (double));
  presence->frictionloss = g_memdup2 (m->dof_frictionloss, n_freedoms * sizeof (double));
  presence->limited = g_memdup2 (m->jnt_limited, n_joints * sizeof *m->jnt_limited);
}

void
presence_clear (Presence *presence)
{
  g_clear_pointer (&presence->all, g_ptr_array_unref);
  g_clear_pointer (&presence->contype, g_free);
  g_clear_pointer (&presence->conaffinity, g_free);
  g_clear_pointer (&presence->armature, g_free);
  g_clear_pointer (&presence->frictionloss, g_free);
  g_clear_pointer (&presence->limited, g_free);
}

void
thing_begin (Thing *thing)
{
  OrreryVec3 none = { 0 };

  thing->n_patches = 0;
  thing->wrench = thing->torsion = thing->force = thing->torque = none;
  thing->push = thing->twist = thing->moving = thing->turning = none;
}

int
thing_count_freedoms (const Thing *thing)
{
  if (thing->dof < 0)
    return 0;
  if (thing->own.motion == MOTION_FREE)
    return 6;
  return orrery_object_get_joint (thing->own.object)->kind == ORRERY_JOINT_BALL ? 3 : 1;
}

/* Geoms without bits meet no others. */
static void
set_bits (Engine *engine, const Thing *thing, gboolean present)
{
  const Presence *presence = &engine->presence;
  mjModel *m = engine->model.m;

  for (int i = 0; i < m->ngeom; i++) {
    if (engine->model.geoms[i].thing != thing)
      continue;
    m->geom_contype[i] = present ? presence->contype[i] : 0;
    m->geom_conaffinity[i] = present ? presence->conaffinity[i] : 0;
  }
}

void
engine_lock_link (Engine *engine, const Thing *thing)
{
  const Presence *presence = &engine->presence;
  gboolean away = thing->own.parked;
  double lock = away ? LOCK : 0;
  mjModel *m = engine->model.m;
  int joint = m->dof_jntid[thing->dof];

  for (int k = thing->dof; k < thing->dof + thing_count_freedoms (thing); k++) {
    m->dof_M0[k] = engine->inertia[k] + lock;
    m->dof_armature[k] = presence->armature[k] + lock;
    m->dof_frictionloss[k] = away ? 0 : presence->frictionloss[k];
  }
  m->jnt_limited[joint] = away ? 0 : presence->limited[joint];
  /* What it follows comes and goes with it. */
  for (int i = 0; i < m->neq; i++)
    if (m->eq_type[i] == mjEQ_JOINT && m->eq_obj1id[i] == joint)
      m->eq_active[i] = away ? 0 : 1;
}

/* --- one thing that comes or goes --- */

/* As if the joint had never moved, nor its motor been told anything. */
static void
begin_link (Engine *engine, BodySet *set, Thing *thing)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (set->world);
  Motor *motor = &g_array_index (engine->motors, Motor, thing->motor);

  *motor = (Motor){ .body = motor->body, .joint = motor->joint };
  if (motor->joint->kind == ORRERY_JOINT_BALL)
    mju_copy4 (engine->d->qpos + thing->qpos, (double[]){ 1, 0, 0, 0 });
  else
    engine_put_joint (engine, motor,
                      orrery_snapshot_get_joint (snapshot, thing->own.index)->position);
  engine_lock_link (engine, thing);
  /* What it carries is put before the next substep finds the poses of links. */
  engine->frames.known = FALSE;
  if (thing->own.parked || thing->body < 0)
    return;
  write_pose (&thing->own.pose, engine->d->xpos + 3 * thing->body,
              engine->d->xquat + 4 * thing->body);
  mju_zero (engine->d->cvel + 6 * thing->body, 6);
}

/* Nothing tells where it was: the solver looks at all that the model has. */
static void
put_aside (Engine *engine, const Thing *thing)
{
  const mjModel *m = engine->model.m;
  mjData *d = engine->d;

  if (thing->own.motion == MOTION_FREE) {
    mju_copy (d->qpos + thing->qpos, m->qpos0 + thing->qpos, 7);
  } else if (thing->mocap >= 0) {
    mju_copy3 (d->mocap_pos + 3 * thing->mocap, m->body_pos + 3 * thing->body);
    mju_copy4 (d->mocap_quat + 4 * thing->mocap, m->body_quat + 4 * thing->body);
  }
}

void
engine_set_present (BodySet *set, Body *body, gboolean present)
{
  Engine *engine = set->engine;
  Thing *thing = (Thing *) body;
  int n = thing_count_freedoms (thing);

  body->parked = !present;
  engine->presence.is_used = TRUE;
  set_bits (engine, thing, present);
  thing_begin (thing);
  if (present)
    engine_set_pose (set, body, &body->pose);
  else
    put_aside (engine, thing);
  if (body->motion == MOTION_FREE)
    engine_set_freedom (set, body);
  else if (body->motion == MOTION_LINK)
    begin_link (engine, set, thing);
  if (n == 0)
    return;
  mju_zero (engine->d->qvel + thing->dof, n);
  mju_zero (engine->d->qacc_warmstart + thing->dof, n);
}

void
engine_show_present (Engine *engine, BodySet *set)
{
  for (guint i = 0; i < engine->presence.all->len; i++) {
    Thing *thing = engine->presence.all->pdata[i];

    set_bits (engine, thing, !thing->own.parked);
    if (thing->own.parked && thing->own.motion == MOTION_FREE)
      engine_set_freedom (set, &thing->own);
    else if (thing->own.motion == MOTION_LINK)
      engine_lock_link (engine, thing);
  }
}

/* --- in a substep --- */

void
presence_hold (const Presence *presence, double *rates)
{
  for (guint i = 0; presence->is_used && i < presence->all->len; i++) {
    const Thing *thing = presence->all->pdata[i];

    if (thing->own.parked)
      mju_zero (rates + MAX (thing->dof, 0), thing_count_freedoms (thing));
  }
}
