/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities of bodies and of the world that change while a scene runs, in the model of MuJoCo. */
#include "engine-private.h"

#include "guard.h"

#include <string.h>

void
engine_take_model_back (Engine *engine)
{
  mjModel *m = engine->model.m;
  int nconmax = m->nconmax, njmax = m->njmax, nstack = m->nstack;

  engine->weighing = FALSE;
  if (engine->first == NULL)
    return;
  mj_copyModel (m, engine->first);
  m->nconmax = nconmax;
  m->njmax = njmax;
  m->nstack = nstack;
  mju_copy (engine->inertia, m->dof_M0, m->nv);
  for (guint i = 0; i < engine->presence.all->len; i++) {
    Thing *thing = engine->presence.all->pdata[i];

    thing->inertia = thing->reckoned;
  }
}

void
engine_set_world (Engine *engine, OrreryWorld *world, const ModelOptions *options)
{
  mjOption *option = &engine->model.m->opt;
  const OrreryVec3 *g = orrery_world_get_gravity (world), *w = orrery_world_get_wind (world);

  engine->gravity = *g;
  engine->wind = *w;
  mju_copy3 (option->gravity, (double[]){ g->x, g->y, g->z });
  /* What the engine's own property says comes on top. */
  mju_add3 (option->wind, options->wind, (double[]){ w->x, w->y, w->z });
}

static void
unlock (Engine *engine, mjModel *m)
{
  for (guint i = 0; i < engine->presence.all->len; i++) {
    const Thing *thing = engine->presence.all->pdata[i];

    if (thing->own.motion == MOTION_FREE)
      mju_zero (m->dof_armature + thing->dof, 6);
    else if (thing->own.motion == MOTION_LINK)
      mju_copy (m->dof_armature + thing->dof, engine->presence.armature + thing->dof,
                thing_count_freedoms (thing));
  }
}

/* As it was made: whatever is locked now was not. */
static void
keep_model (Engine *engine)
{
  if (engine->first != NULL)
    return;
  engine->first = mj_copyModel (NULL, engine->model.m);
  unlock (engine, engine->first);
  mju_copy (engine->first->dof_M0, engine->inertia, engine->first->nv);
}

/* That of the scene goes with the mass; that of a shape of another size is its own. */
static void
set_inertia (Engine *engine, Thing *thing)
{
  mjModel *m = engine->model.m;
  const mjModel *first = engine->first;
  int i = thing->body;
  double ratio = body_get_mass_ratio (&thing->own);
  OrreryVec3 centre;

  mju_copy3 (m->body_ipos + 3 * i, first->body_ipos + 3 * i);
  mju_copy4 (m->body_iquat + 4 * i, first->body_iquat + 4 * i);
  mju_scl3 (m->body_inertia + 3 * i, first->body_inertia + 3 * i, ratio);
  m->body_sameframe[i] = first->body_sameframe[i];
  thing->inertia = orrery_vec3_scale (&thing->reckoned, ratio);
  if (thing->inertial != NULL || !model_is_scaled (thing))
    return;
  model_reckon_inertia (thing, &centre);
  mju_copy3 (m->body_ipos + 3 * i, (double[]){ centre.x, centre.y, centre.z });
  mju_copy4 (m->body_iquat + 4 * i, (double[]){ 1, 0, 0, 0 });
  mju_copy3 (m->body_inertia + 3 * i,
             (double[]){ thing->inertia.x, thing->inertia.y, thing->inertia.z });
  m->body_sameframe[i] = 0;
}

void
engine_set_mass (Engine *engine, Thing *thing)
{
  keep_model (engine);
  engine->model.m->body_mass[thing->body] = thing->own.settings->mass;
  set_inertia (engine, thing);
  orrery_object_get_body (thing->own.object)->inertia = thing->inertia;
  engine->weighing = TRUE;
}

void
engine_set_size (Engine *engine, Thing *thing)
{
  keep_model (engine);
  model_scale (&engine->model, engine->first, thing);
  engine->weighing = TRUE;
  if (body_is_dynamic (&thing->own) && !thing->own.hollow)
    engine_set_mass (engine, thing);
}

/* MuJoCo reckons with all bodies at their start, and leaves them there. */
static void
reckon (Engine *engine)
{
  mjModel *m = engine->model.m;
  mjData *d = engine->d;
  gsize n = (gsize) m->nmocap;
  g_autofree double *places = g_memdup2 (d->mocap_pos, 3 * n * sizeof (double));
  g_autofree double *turns = g_memdup2 (d->mocap_quat, 4 * n * sizeof (double));

  engine_keep (engine);
  for (int i = 0; i < m->nbody; i++) {
    if (m->body_mocapid[i] < 0)
      continue;
    mju_copy3 (d->mocap_pos + 3 * m->body_mocapid[i], m->body_pos + 3 * i);
    mju_copy4 (d->mocap_quat + 4 * m->body_mocapid[i], m->body_quat + 4 * i);
  }
  guard_enter ();
  if (setjmp (guard_here ()) == 0)
    mj_setConst (m, d);
  guard_leave (NULL);
  mju_copy (d->qpos, engine->state.qpos, m->nq);
  mju_copy (d->qvel, engine->state.qvel, m->nv);
  mju_copy (d->qacc_warmstart, engine->state.warmstart, m->nv);
  mju_copy (d->mocap_pos, places, 3 * m->nmocap);
  mju_copy (d->mocap_quat, turns, 4 * m->nmocap);
  engine->frames.known = FALSE;
  frames_update (&engine->frames, m, d);
  mj_comVel (m, d);
}

void
engine_weigh (Engine *engine, BodySet *set)
{
  mjModel *m = engine->model.m;

  if (!engine->weighing)
    return;
  engine->weighing = FALSE;
  unlock (engine, m);
  reckon (engine);
  mju_copy (engine->inertia, m->dof_M0, m->nv);
  for (guint i = 0; i < engine->presence.all->len; i++) {
    Thing *thing = engine->presence.all->pdata[i];

    if (thing->own.motion == MOTION_FREE)
      engine_set_freedom (set, &thing->own);
    else if (thing->own.motion == MOTION_LINK)
      engine_lock_link (engine, thing);
  }
}
