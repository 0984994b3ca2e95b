/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that come and go. The model has all of them; what is away touches nothing and is locked.
 */
#include "engine-private.h"

#include <string.h>

void
presence_init (Presence *presence, GPtrArray *things, const mjModel *m)
{
  gsize size = (gsize) m->ngeom * sizeof (int);

  presence->all = g_ptr_array_copy (things, NULL, NULL);
  presence->contype = g_memdup2 (m->geom_contype, size);
  presence->conaffinity = g_memdup2 (m->geom_conaffinity, size);
}

void
presence_clear (Presence *presence)
{
  g_clear_pointer (&presence->all, g_ptr_array_unref);
  g_clear_pointer (&presence->contype, g_free);
  g_clear_pointer (&presence->conaffinity, g_free);
}

void
thing_begin (Thing *thing)
{
  OrreryVec3 none = { 0 };

  thing->n_patches = 0;
  thing->wrench = thing->torsion = thing->force = thing->torque = none;
  thing->push = thing->twist = thing->moving = thing->turning = none;
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
engine_set_present (BodySet *set, Body *body, gboolean present)
{
  Engine *engine = set->engine;
  Thing *thing = (Thing *) body;

  body->parked = !present;
  set_bits (engine, thing, present);
  thing_begin (thing);
  if (present)
    engine_set_pose (set, body, &body->pose);
  if (body->motion != MOTION_FREE)
    return;
  engine_set_freedom (set, body);
  mju_zero (engine->d->qvel + thing->dof, 6);
  mju_zero (engine->d->qacc_warmstart + thing->dof, 6);
}

void
engine_show_present (Engine *engine, BodySet *set)
{
  for (guint i = 0; i < engine->presence.all->len; i++) {
    Thing *thing = engine->presence.all->pdata[i];

    set_bits (engine, thing, !thing->own.parked);
    if (thing->own.parked && thing->own.motion == MOTION_FREE)
      engine_set_freedom (set, &thing->own);
  }
}
