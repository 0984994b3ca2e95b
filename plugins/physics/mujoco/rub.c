/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine.h"

#include "../friction.h"

#include <string.h>

/* How the bodies of one tree that a patch is between move by what acts there: of n freedoms from
 * @low on, ways (6 n: linear, angular for each) and changes (6 n: of the freedoms, by 1 N s along
 * and 1 N m s about each axis), from @at on among the numbers. */
typedef struct {
  int low, n;
  gsize at;
  double pushed[9]; /* velocity at the patch for 1 N s */
  double turned[9]; /* rad/s for 1 N m s */
} Side;

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
  trees_init (&rub->trees, model->m);
  rub->sides = g_array_new (FALSE, FALSE, sizeof (Side));
  rub->numbers = g_array_new (FALSE, TRUE, sizeof (double));
  rub->force = g_new0 (double, nv);
  rub->change = g_new0 (double, nv);
  rub->touches = g_array_new (FALSE, FALSE, sizeof (Touch));
  rub->points = g_array_new (FALSE, FALSE, sizeof (FrictionPoint));
  rub->patches = g_array_new (FALSE, FALSE, sizeof (FrictionPatch));
}

void
rub_clear (Rub *rub)
{
  trees_clear (&rub->trees);
  g_clear_pointer (&rub->sides, g_array_unref);
  g_clear_pointer (&rub->numbers, g_array_unref);
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
           const OrreryVec3 *torque)
{
  double p[3] = { point->x, point->y, point->z };
  double f[3] = { force->x, force->y, force->z }, t[3] = { torque->x, torque->y, torque->z };

  trees_add_force (&rub->trees, rub->d, thing->body, p, f, t, rub->force);
}

static void
add_ways (Rub *rub, const Thing *thing, const double point[3], double sign, Side *side)
{
  double *ways = &g_array_index (rub->numbers, double, side->at);
  int dof = trees_get_last (&rub->trees, thing->body);

  for (; dof >= 0; dof = rub->m->dof_parentid[dof]) {
    double linear[3], angular[3], *way = ways + 6 * (dof - side->low);

    trees_get_way (&rub->trees, rub->d, dof, point, linear, angular);
    mju_addToScl3 (way, linear, sign);
    mju_addToScl3 (way + 3, angular, sign);
  }
}

static void
find_response (const double *ways, const double *changes, int n, double out[9])
{
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double sum = 0;

      for (int i = 0; i < n; i++)
        sum += ways[6 * i + a] * changes[n * b + i];
      out[3 * a + b] = sum;
    }
}

static void
add_side (Rub *rub, const FrictionPatch *patch, const Thing *thing, const Thing *other)
{
  double point[3] = { patch->centre.x, patch->centre.y, patch->centre.z };
  int last = trees_get_last (&rub->trees, thing->body);
  int low = last >= 0 ? rub->trees.low[last] : 0;
  Side side = { low, last >= 0 ? rub->trees.high[low] - low : 0, rub->numbers->len, { 0 }, { 0 } };
  double *ways, *changes;

  g_array_set_size (rub->numbers, (guint) (side.at + 12 * side.n));
  ways = &g_array_index (rub->numbers, double, side.at);
  memset (ways, 0, 12 * side.n * sizeof (double));
  add_ways (rub, thing, point, thing == patch->a ? 1 : -1, &side);
  if (other != NULL)
    add_ways (rub, other, point, other == patch->a ? 1 : -1, &side);
  changes = ways + 6 * side.n;
  /* One that is a point brakes no turning. */
  for (int k = 0; k < (patch->radius > 0 ? 6 : 3); k++) {
    for (int i = 0; i < side.n; i++)
      changes[side.n * k + i] = ways[6 * i + k];
    trees_solve (&rub->trees, rub->d, low, changes + side.n * k);
  }
  find_response (ways, changes, side.n, side.pushed);
  if (patch->radius > 0)
    find_response (ways + 3, changes + 3 * side.n, side.n, side.turned);
  g_array_append_val (rub->sides, side);
}

static gboolean
are_of_one_tree (const Rub *rub, const Thing *a, const Thing *b)
{
  int x = trees_get_last (&rub->trees, a->body), y = trees_get_last (&rub->trees, b->body);

  return x >= 0 && y >= 0 && rub->trees.low[x] == rub->trees.low[y];
}

/* Once in a substep: sides of it, one for each tree that moves. */
static void
prepare (Rub *rub, FrictionPatch *patch)
{
  const Thing *a = patch->a, *b = patch->b;

  patch->first_side = rub->sides->len;
  if (moves (a) && moves (b) && are_of_one_tree (rub, a, b)) {
    add_side (rub, patch, a, b);
  } else {
    if (moves (a))
      add_side (rub, patch, a, NULL);
    if (moves (b))
      add_side (rub, patch, b, NULL);
  }
  patch->n_sides = rub->sides->len - patch->first_side;
}

/* Velocity at a patch of what moves by joints. */
static void
add_tree_velocity (const Rub *rub, const FrictionPatch *patch, OrreryVec3 *linear,
                   OrreryVec3 *angular)
{
  double sum[6] = { 0 };

  for (guint i = 0; i < patch->n_sides; i++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + i);
    const double *ways = &g_array_index (rub->numbers, double, side->at);
    const double *qvel = rub->d->qvel + side->low;

    for (int k = 0; k < side->n; k++)
      for (int c = 0; c < 6; c++)
        sum[c] += ways[6 * k + c] * qvel[k];
  }
  add (linear, &(OrreryVec3){ sum[0], sum[1], sum[2] }, 1);
  add (angular, &(OrreryVec3){ sum[3], sum[4], sum[5] }, 1);
}

/* Of a force or torque along an axis: what moves at the patch along it, for 1. */
static double
respond (const Rub *rub, const FrictionPatch *patch, const OrreryVec3 *axis, gboolean turns)
{
  const double n[3] = { axis->x, axis->y, axis->z };
  double sum = 0;

  for (guint s = 0; s < patch->n_sides; s++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + s);
    double way[3];

    mju_rotVecMat (way, n, turns ? side->turned : side->pushed);
    sum += mju_dot3 (way, n);
  }
  return sum;
}

static void
apply_to_trees (const Rub *rub, const FrictionPatch *patch, const OrreryVec3 *impulse,
                const OrreryVec3 *torque)
{
  gboolean twists = torque->x != 0 || torque->y != 0 || torque->z != 0;

  for (guint s = 0; s < patch->n_sides; s++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + s);
    const double *c = &g_array_index (rub->numbers, double, side->at + 6 * side->n);
    double *qvel = rub->d->qvel + side->low;
    int n = side->n;

    for (int i = 0; i < n; i++)
      qvel[i] += c[i] * impulse->x + c[n + i] * impulse->y + c[2 * n + i] * impulse->z;
    for (int i = 0; twists && i < n; i++)
      qvel[i] += c[3 * n + i] * torque->x + c[4 * n + i] * torque->y + c[5 * n + i] * torque->z;
  }
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
  Rub *rub = get_rub (patch);
  gboolean plain = is_plain (patch);

  *linear = *angular = (OrreryVec3){ 0 };
  if (plain || !moves (patch->a))
    add_velocity (rub, patch->a, &patch->centre, 1, linear, angular);
  if (plain || !moves (patch->b))
    add_velocity (rub, patch->b, &patch->centre, -1, linear, angular);
  if (!plain)
    add_tree_velocity (rub, patch, linear, angular);
}

static double
compliance (const FrictionPatch *patch, const OrreryVec3 *direction)
{
  Rub *rub = get_rub (patch);

  if (!is_plain (patch))
    return respond (rub, patch, direction, FALSE);
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

  if (!is_plain (patch))
    return respond (rub, patch, axis, TRUE);
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
  if (!is_plain (patch))
    apply_to_trees (rub, patch, impulse, torque);
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
  g_array_set_size (rub->sides, 0);
  g_array_set_size (rub->numbers, 0);
  patches = (FrictionPatch *) (gpointer) rub->patches->data;
  for (guint i = 0; i < rub->patches->len; i++) {
    const Thing *a = patches[i].a, *b = patches[i].b;

    if (!is_plain (&patches[i]))
      prepare (rub, &patches[i]);
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
    add_force (rub, thing, &at, &thing->wrench, &thing->torsion);
    trees = TRUE;
  }
  if (!trees)
    return;
  mj_solveM (rub->m, rub->d, rub->change, rub->force, 1);
  mju_subFrom (rub->d->qvel, rub->change, rub->m->nv);
}
