/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine.h"

#include "../friction.h"

#include <string.h>

/* A contact, and the pair that it belongs to. */
typedef struct {
  guint low, high;
  int contact;
} Touch;

void
rub_init (Rub *rub, Model *model, GPtrArray *things)
{
  int nv = MAX (model->m->nv, 1);

  *rub = (Rub){ .m = model->m, .model = model, .things = things };
  rub->jacobian = g_new0 (double, 6 * nv);
  rub->force = g_new0 (double, nv);
  rub->change = g_new0 (double, nv);
  rub->touches = g_array_new (FALSE, FALSE, sizeof (Touch));
  rub->points = g_array_new (FALSE, FALSE, sizeof (FrictionPoint));
  rub->patches = g_array_new (FALSE, FALSE, sizeof (FrictionPatch));
}

void
rub_clear (Rub *rub)
{
  g_clear_pointer (&rub->jacobian, g_free);
  g_clear_pointer (&rub->force, g_free);
  g_clear_pointer (&rub->change, g_free);
  g_clear_pointer (&rub->touches, g_array_unref);
  g_clear_pointer (&rub->points, g_array_unref);
  g_clear_pointer (&rub->patches, g_array_unref);
}

/* --- one side of a patch --- */

static gboolean
moves (const Thing *thing)
{
  return (thing->own.motion == MOTION_FREE || thing->own.motion == MOTION_LINK) &&
         !thing->own.suspended;
}

static double
dot (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return a->x * b->x + a->y * b->y + a->z * b->z;
}

static OrreryVec3
cross (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z,
                       a->x * b->y - a->y * b->x };
}

static OrreryVec3
times (const OrreryVec3 *a, const OrreryVec3 *b)
{
  return (OrreryVec3){ a->x * b->x, a->y * b->y, a->z * b->z };
}

static void
add (OrreryVec3 *sum, const OrreryVec3 *v, double s)
{
  sum->x += s * v->x;
  sum->y += s * v->y;
  sum->z += s * v->z;
}

static OrreryVec3
get_vec3 (const double *v)
{
  return (OrreryVec3){ v[0], v[1], v[2] };
}

/* Where its velocity and its wrench count. */
static OrreryVec3
get_origin (const Rub *rub, const Thing *thing)
{
  if (thing->plain || thing->own.holder != NULL)
    return get_vec3 (rub->d->qpos + thing->qpos);
  if (moves (thing))
    return get_vec3 (rub->d->xipos + 3 * thing->body);
  return thing->own.pose.position;
}

static OrreryVec3
get_arm (const Rub *rub, const Thing *thing, const OrreryVec3 *point)
{
  OrreryVec3 origin = get_origin (rub, thing);

  return (OrreryVec3){ point->x - origin.x, point->y - origin.y, point->z - origin.z };
}

static OrreryQuat
get_rotation (const Rub *rub, const Thing *thing)
{
  const double *q = rub->d->qpos + thing->qpos + 3;

  return (OrreryQuat){ q[0], q[1], q[2], q[3] };
}

static void
add_velocity (const Rub *rub, const Thing *thing, const OrreryVec3 *point, double sign,
              OrreryVec3 *linear, OrreryVec3 *angular)
{
  const double *qvel = rub->d->qvel;
  OrreryVec3 v = thing->moving, w = thing->turning, arm = get_arm (rub, thing, point), spin;

  if (thing->own.suspended)
    return;
  if (thing->plain || thing->own.holder != NULL) {
    OrreryQuat q = get_rotation (rub, thing);

    v = get_vec3 (qvel + thing->dof);
    w = get_vec3 (qvel + thing->dof + 3);
    orrery_quat_rotate (&q, &w, &w);
  } else if (moves (thing)) {
    int nv = rub->m->nv;
    double p[3] = { point->x, point->y, point->z }, out[6];

    mj_jac (rub->m, rub->d, rub->jacobian, rub->jacobian + 3 * nv, p, thing->body);
    mju_mulMatVec (out, rub->jacobian, qvel, 6, nv);
    add (linear, &(OrreryVec3){ out[0], out[1], out[2] }, sign);
    add (angular, &(OrreryVec3){ out[3], out[4], out[5] }, sign);
    return;
  }
  spin = cross (&w, &arm);
  add (linear, &v, sign);
  add (linear, &spin, sign);
  add (angular, &w, sign);
}

/* What a torque impulse does to the rotation of a plain body. */
static OrreryVec3
spin_by (const Rub *rub, const Thing *thing, const OrreryVec3 *torque)
{
  OrreryQuat q = get_rotation (rub, thing);
  OrreryVec3 t;

  if (thing->own.settings->type == ORRERY_BODY_DYNAMIC)
    return (OrreryVec3){ 0 };
  orrery_quat_rotate_back (&q, torque, &t);
  t = (OrreryVec3){ t.x / thing->inertia.x, t.y / thing->inertia.y, t.z / thing->inertia.z };
  orrery_quat_rotate (&q, &t, &t);
  return times (&t, &thing->own.settings->angular_factor);
}

static double
give (const Rub *rub, const Thing *thing, const FrictionPatch *patch, const OrreryVec3 *direction)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 free = times (direction, &thing->own.settings->linear_factor);
  OrreryVec3 torque = cross (&arm, &free);
  OrreryVec3 spin = spin_by (rub, thing, &torque);
  OrreryVec3 way = cross (&spin, &arm);

  return dot (&free, direction) / thing->own.settings->mass + dot (&way, direction);
}

static void
push (const Rub *rub, Thing *thing, const FrictionPatch *patch, const OrreryVec3 *impulse,
      const OrreryVec3 *torque, double sign)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 turn = cross (&arm, impulse);

  add (&turn, torque, 1);
  add (&thing->wrench, impulse, sign);
  add (&thing->torsion, &turn, sign);
}

static void
add_to_plain (Rub *rub, const Thing *thing, const OrreryVec3 *impulse, const OrreryVec3 *torque,
              double sign)
{
  OrreryVec3 v = times (impulse, &thing->own.settings->linear_factor);
  OrreryVec3 w = spin_by (rub, thing, torque);
  OrreryQuat q = get_rotation (rub, thing);
  double *qvel = rub->d->qvel + thing->dof;

  orrery_quat_rotate_back (&q, &w, &w);
  v = (OrreryVec3){ v.x / thing->own.settings->mass, v.y / thing->own.settings->mass,
                    v.z / thing->own.settings->mass };
  qvel[0] += sign * v.x;
  qvel[1] += sign * v.y;
  qvel[2] += sign * v.z;
  qvel[3] += sign * w.x;
  qvel[4] += sign * w.y;
  qvel[5] += sign * w.z;
}

/* --- patches between bodies of trees: by their Jacobians --- */

/* Adds what a force and a torque at a point of a body are to the joints. */
static void
add_force (Rub *rub, const Thing *thing, const OrreryVec3 *point, const OrreryVec3 *force,
           const OrreryVec3 *torque, double sign)
{
  double f[3] = { sign * force->x, sign * force->y, sign * force->z };
  double t[3] = { sign * torque->x, sign * torque->y, sign * torque->z };
  double p[3] = { point->x, point->y, point->z };

  if (moves (thing))
    mj_applyFT (rub->m, rub->d, f, t, p, thing->body, rub->force);
}

static double
respond (Rub *rub, const FrictionPatch *patch, const OrreryVec3 *force, const OrreryVec3 *torque)
{
  int nv = rub->m->nv;

  memset (rub->force, 0, nv * sizeof (double));
  add_force (rub, patch->a, &patch->centre, force, torque, 1);
  add_force (rub, patch->b, &patch->centre, force, torque, -1);
  mj_solveM (rub->m, rub->d, rub->change, rub->force, 1);
  return mju_dot (rub->force, rub->change, nv);
}

static gboolean
is_plain (const FrictionPatch *patch)
{
  const Thing *a = patch->a, *b = patch->b;

  return (a->plain || !moves (a)) && (b->plain || !moves (b));
}

/* --- what the pass asks --- */

static Rub *
get_rub (const FrictionPatch *patch)
{
  return ((Thing *) patch->a)->engine;
}

static void
measure (const FrictionPatch *patch, OrreryVec3 *linear, OrreryVec3 *angular)
{
  *linear = *angular = (OrreryVec3){ 0 };
  add_velocity (get_rub (patch), patch->a, &patch->centre, 1, linear, angular);
  add_velocity (get_rub (patch), patch->b, &patch->centre, -1, linear, angular);
}

static double
compliance (const FrictionPatch *patch, const OrreryVec3 *direction)
{
  Rub *rub = get_rub (patch);
  const OrreryVec3 none = { 0 };

  if (!is_plain (patch))
    return respond (rub, patch, direction, &none);
  return (moves (patch->a) ? give (rub, patch->a, patch, direction) : 0) +
         (moves (patch->b) ? give (rub, patch->b, patch, direction) : 0);
}

static double
spin_give (const Rub *rub, const Thing *thing, const OrreryVec3 *axis)
{
  OrreryVec3 spin;

  if (!moves (thing))
    return 0;
  spin = spin_by (rub, thing, axis);
  return dot (&spin, axis);
}

static double
spin_compliance (const FrictionPatch *patch, const OrreryVec3 *axis)
{
  Rub *rub = get_rub (patch);
  const OrreryVec3 none = { 0 };

  if (!is_plain (patch))
    return respond (rub, patch, &none, axis);
  return spin_give (rub, patch->a, axis) + spin_give (rub, patch->b, axis);
}

static void
apply_to_side (Rub *rub, Thing *thing, const Thing *other, const FrictionPatch *patch,
               const OrreryVec3 *impulse, const OrreryVec3 *torque, double sign)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 turn = cross (&arm, impulse);

  if (!moves (thing))
    return;
  /* Fed back between two bodies that move it would swing up. */
  if (!moves (other))
    push (rub, thing, patch, impulse, torque, sign);
  add (&turn, torque, 1);
  if (is_plain (patch))
    add_to_plain (rub, thing, impulse, &turn, sign);
}

static void
apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque)
{
  Rub *rub = get_rub (patch);

  apply_to_side (rub, patch->a, patch->b, patch, impulse, torque, 1);
  apply_to_side (rub, patch->b, patch->a, patch, impulse, torque, -1);
  if (is_plain (patch))
    return;
  respond (rub, patch, impulse, torque);
  mju_addTo (rub->d->qvel, rub->change, rub->m->nv);
}

static const FrictionEngine friction_engine = { measure, compliance, spin_compliance, apply };

/* --- the substep --- */

static int
compare_touches (gconstpointer a, gconstpointer b)
{
  const Touch *x = a, *y = b;

  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->high != y->high)
    return x->high < y->high ? -1 : 1;
  return x->contact < y->contact ? -1 : 1;
}

/* Inserted in order: pairs come nearly sorted, and nothing is allocated. */
static void
add_touch (GArray *touches, const Touch *touch)
{
  Touch *all;
  guint i = touches->len;

  g_array_append_val (touches, *touch);
  all = (Touch *) (gpointer) touches->data;
  for (; i > 0 && compare_touches (&all[i - 1], touch) > 0; i--)
    all[i] = all[i - 1];
  all[i] = *touch;
}

static void
find_touches (Rub *rub)
{
  g_array_set_size (rub->touches, 0);
  for (int i = 0; i < rub->d->ncon; i++) {
    const mjContact *c = &rub->d->contact[i];
    guint a = rub->model->geoms[c->geom1].thing->own.index;
    guint b = rub->model->geoms[c->geom2].thing->own.index;
    Touch touch = { MIN (a, b), MAX (a, b), i };

    if (c->exclude == 0 && c->efc_address >= 0)
      add_touch (rub->touches, &touch);
  }
}

static void
gather (Rub *rub, guint from, guint to, double dt)
{
  const Touch *touches = (const Touch *) (gpointer) rub->touches->data;
  const mjContact *first = &rub->d->contact[touches[from].contact];
  Thing *a = rub->model->geoms[first->geom2].thing;
  Thing *b = rub->model->geoms[first->geom1].thing;
  double mu = a->own.settings->friction * b->own.settings->friction;
  FrictionPatch made[FRICTION_MAX_PATCHES];
  guint n;

  if (!(mu > 0))
    return;
  g_array_set_size (rub->points, 0);
  for (guint i = from; i < to; i++) {
    const mjContact *c = &rub->d->contact[touches[i].contact];
    /* MuJoCo's normals lead from its first geom to the second. */
    double sign = rub->model->geoms[c->geom2].thing == a ? 1 : -1;
    FrictionPoint point = { model_get_point (rub->model, c),
                            { sign * c->frame[0], sign * c->frame[1], sign * c->frame[2] },
                            rub->d->efc_force[c->efc_address] * dt };

    g_array_append_val (rub->points, point);
  }
  n = friction_gather ((const FrictionPoint *) (gpointer) rub->points->data, rub->points->len,
                       made);
  for (guint i = 0; i < n; i++) {
    made[i].a = a;
    made[i].b = b;
    made[i].mu = mu;
    g_array_append_val (rub->patches, made[i]);
  }
  a->n_patches += n;
  b->n_patches += n;
}

void
rub_solve (Rub *rub, double dt)
{
  FrictionPatch *patches;

  for (guint i = 0; i < rub->things->len; i++) {
    Thing *thing = rub->things->pdata[i];

    thing->n_patches = 0;
    thing->wrench = thing->torsion = (OrreryVec3){ 0 };
  }
  find_touches (rub);
  g_array_set_size (rub->patches, 0);
  for (guint from = 0, to; from < rub->touches->len; from = to) {
    const Touch *touches = (const Touch *) (gpointer) rub->touches->data;

    for (to = from + 1; to < rub->touches->len && touches[to].low == touches[from].low &&
                        touches[to].high == touches[from].high;
         to++)
      ;
    gather (rub, from, to, dt);
  }
  patches = (FrictionPatch *) (gpointer) rub->patches->data;
  for (guint i = 0; i < rub->patches->len; i++) {
    const Thing *a = patches[i].a, *b = patches[i].b;

    /* In a tree what one link feels is felt by the others. */
    patches[i].alone = is_plain (&patches[i]) && (!moves (a) || a->n_patches == 1) &&
                       (!moves (b) || b->n_patches == 1);
  }
  friction_solve (&friction_engine, patches, rub->patches->len);
}

void
rub_take_back (Rub *rub)
{
  gboolean trees = FALSE;

  memset (rub->force, 0, rub->m->nv * sizeof (double));
  for (guint i = 0; i < rub->things->len; i++) {
    Thing *thing = rub->things->pdata[i];
    OrreryVec3 at;

    if (!moves (thing) || thing->own.hollow ||
        (orrery_vec3_length (&thing->wrench) == 0 && orrery_vec3_length (&thing->torsion) == 0))
      continue;
    if (thing->plain) {
      add_to_plain (rub, thing, &thing->wrench, &thing->torsion, -1);
      continue;
    }
    at = get_origin (rub, thing);
    add_force (rub, thing, &at, &thing->wrench, &thing->torsion, 1);
    trees = TRUE;
  }
  if (!trees)
    return;
  mj_solveM (rub->m, rub->d, rub->change, rub->force, 1);
  mju_subFrom (rub->d->qvel, rub->change, rub->m->nv);
}
