/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrenches that joints pass on. */
#include "loads.h"

#include "../friction.h"

void
loads_init (Loads *loads, const mjModel *m, GPtrArray *things, OrreryWorld *world)
{
  OrreryWrench none = { { 0 }, { 0 } };

  loads->joints = g_ptr_array_new ();
  loads->wrenches = g_array_new (FALSE, FALSE, sizeof (OrreryWrench));
  for (guint i = 0; i < things->len; i++) {
    Thing *thing = things->pdata[i];

    if (thing->own.motion != MOTION_LINK ||
        !orrery_world_is_measured (world, ORRERY_MEASURE_WRENCH, thing->own.object))
      continue;
    g_ptr_array_add (loads->joints, thing);
    g_array_append_val (loads->wrenches, none);
  }
  if (loads->joints->len == 0)
    return;
  loads->before = g_new0 (double, MAX (m->nv, 1));
  loads->kept = g_new0 (double, MAX (m->nv, 1));
}

void
loads_clear (Loads *loads)
{
  g_clear_pointer (&loads->joints, g_ptr_array_unref);
  g_clear_pointer (&loads->wrenches, g_array_unref);
  g_clear_pointer (&loads->before, g_free);
  g_clear_pointer (&loads->kept, g_free);
}

void
loads_begin (Loads *loads, const mjModel *m, const mjData *d)
{
  if (loads->joints->len > 0)
    mju_copy (loads->before, d->qvel, m->nv);
}

/* --- forces from outside --- */

static void
add_force (const Rub *rub, const Thing *thing, const OrreryVec3 *point, const OrreryVec3 *force,
           const OrreryVec3 *torque, double factor)
{
  double *sum = rub->d->xfrc_applied + 6 * MAX (thing->body, 0);
  const double *centre = rub->d->xipos + 3 * MAX (thing->body, 0);
  OrreryVec3 arm = { 0 }, turn = *torque, more;

  if (thing->body <= 0)
    return;
  if (point != NULL)
    arm = (OrreryVec3){ point->x - centre[0], point->y - centre[1], point->z - centre[2] };
  more = orrery_vec3_cross (&arm, force);
  orrery_vec3_accumulate (&turn, &more, 1);
  sum[0] += factor * force->x;
  sum[1] += factor * force->y;
  sum[2] += factor * force->z;
  sum[3] += factor * turn.x;
  sum[4] += factor * turn.y;
  sum[5] += factor * turn.z;
}

/* Normals of contacts are MuJoCo's to add; friction is ours, and what bodies are given. */
static void
add_forces (const Rub *rub, const OrreryVec3 *gravity, double dt)
{
  const FrictionPatch *patches = (const FrictionPatch *) (gpointer) rub->patches->data;
  const OrreryVec3 none = { 0 };

  for (guint i = 0; i < rub->things->len; i++) {
    const Thing *thing = rub->things->pdata[i];

    if (!body_is_dynamic (&thing->own))
      continue;
    add_force (rub, thing, NULL, &thing->force, &thing->torque, 1);
    add_force (rub, thing, NULL, &thing->push, &thing->twist, 1);
    if (!thing->own.falls)
      add_force (rub, thing, NULL, gravity, &none, -thing->own.settings->mass);
  }
  for (guint i = 0; i < rub->patches->len; i++) {
    add_force (rub, patches[i].a, &patches[i].centre, &patches[i].pushed, &patches[i].turned,
               1 / dt);
    add_force (rub, patches[i].b, &patches[i].centre, &patches[i].pushed, &patches[i].turned,
               -1 / dt);
  }
}

/* --- wrenches --- */

static OrreryVec3
get_vec3 (const double *v)
{
  return (OrreryVec3){ v[0], v[1], v[2] };
}

/* MuJoCo's is about the centre of mass of the whole tree, in the axes of the world. */
static void
read_wrench (const Rub *rub, const Thing *thing, OrreryWrench *out)
{
  const mjModel *m = rub->m;
  const mjData *d = rub->d;
  const double *q = d->xquat + 4 * thing->body;
  OrreryQuat rotation = { q[0], q[1], q[2], q[3] };
  OrreryVec3 torque = get_vec3 (d->cfrc_int + 6 * thing->body);
  OrreryVec3 force = get_vec3 (d->cfrc_int + 6 * thing->body + 3);
  OrreryVec3 centre = get_vec3 (d->subtree_com + 3 * m->body_rootid[thing->body]);
  OrreryVec3 anchor = get_vec3 (d->xanchor + 3 * m->dof_jntid[thing->dof]), arm, turn;

  arm = orrery_vec3_subtract (&anchor, &centre);
  turn = orrery_vec3_cross (&arm, &force);
  torque = orrery_vec3_subtract (&torque, &turn);
  orrery_quat_rotate_back (&rotation, &force, &out->force);
  orrery_quat_rotate_back (&rotation, &torque, &out->torque);
}

void
loads_measure (Loads *loads, const Rub *rub, const OrreryVec3 *gravity, double dt)
{
  const mjModel *m = rub->m;
  mjData *d = rub->d;

  if (loads->joints->len == 0)
    return;
  mju_copy (loads->kept, d->qacc, m->nv);
  for (int i = 0; i < m->nv; i++)
    d->qacc[i] = (d->qvel[i] - loads->before[i]) / dt;
  add_forces (rub, gravity, dt);
  mj_rnePostConstraint (m, d);
  mju_zero (d->xfrc_applied, 6 * m->nbody);
  mju_copy (d->qacc, loads->kept, m->nv);
  for (guint i = 0; i < loads->joints->len; i++)
    read_wrench (rub, loads->joints->pdata[i], &g_array_index (loads->wrenches, OrreryWrench, i));
}

void
loads_report (const Loads *loads, OrrerySnapshot *snapshot)
{
  for (guint i = 0; i < loads->joints->len; i++) {
    const Thing *thing = loads->joints->pdata[i];

    if (!thing->own.parked)
      orrery_snapshot_set_wrench (snapshot, thing->own.index,
                                  &g_array_index (loads->wrenches, OrreryWrench, i));
  }
}
