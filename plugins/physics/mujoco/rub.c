/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction between bodies of MuJoCo, also of those that move by joints. */
#include "engine.h"

#include "../friction.h"

#include <string.h>

/*
 * How the bodies of one tree that a patch is between move by what acts there, for n of its
 * freedoms, which stand from @first on among the freedoms, counted from @low. Among the numbers,
 * six for each (three for a patch without a radius, which feels no turning), from @ways on: what it
 * gives the patch in m/s and rad/s, and from @changes on: what 1 N s and 1 N m s along each axis
 * change of it.
 *
 * Plain bodies are asked for their velocity in each sweep, since others change it, too. Of trees
 * all that happens until the end of the pass is folded (trees_fold()): ways and changes are the
 * same numbers, and few, and what is changed is unfolded once.
 */
typedef struct {
  int low;
  guint first, n;
  gsize ways, changes;
  gboolean folded;
  OrreryVec3 linear; /* what is not in these: at the patch, before the pass */
  OrreryVec3 angular;
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
  for (int i = 0; i < model->m->ngeom; i++)
    rub->most_margin = fmax (rub->most_margin, model->geoms[i].margin);
  rub->sides = g_array_new (FALSE, FALSE, sizeof (Side));
  rub->numbers = g_array_new (FALSE, FALSE, sizeof (double));
  rub->freedoms = g_array_new (FALSE, FALSE, sizeof (int));
  rub->ways = g_new0 (double, 6 * nv);
  rub->force = g_new0 (double, nv);
  rub->change = g_new0 (double, nv);
  rub->solved = g_new0 (double, 3 * nv);
  rub->folded = g_new0 (double, nv);
  rub->is_folded = g_new0 (gboolean, nv);
  rub->roots = g_array_new (FALSE, FALSE, sizeof (int));
  rub->touches = g_array_new (FALSE, FALSE, sizeof (Touch));
  rub->points = g_array_new (FALSE, FALSE, sizeof (FrictionPoint));
  rub->patches = g_array_new (FALSE, FALSE, sizeof (FrictionPatch));
  rub->frictions = g_array_new (FALSE, TRUE, sizeof (OrreryVec3));
  rub->shares = g_array_new (FALSE, FALSE, sizeof (OrreryVec3));
}

void
rub_clear (Rub *rub)
{
  trees_clear (&rub->trees);
  g_clear_pointer (&rub->sides, g_array_unref);
  g_clear_pointer (&rub->numbers, g_array_unref);
  g_clear_pointer (&rub->freedoms, g_array_unref);
  g_clear_pointer (&rub->ways, g_free);
  g_clear_pointer (&rub->force, g_free);
  g_clear_pointer (&rub->change, g_free);
  g_clear_pointer (&rub->solved, g_free);
  g_clear_pointer (&rub->folded, g_free);
  g_clear_pointer (&rub->is_folded, g_free);
  g_clear_pointer (&rub->roots, g_array_unref);
  g_clear_pointer (&rub->touches, g_array_unref);
  g_clear_pointer (&rub->points, g_array_unref);
  g_clear_pointer (&rub->patches, g_array_unref);
  g_clear_pointer (&rub->frictions, g_array_unref);
  g_clear_pointer (&rub->shares, g_array_unref);
}

/* --- one side of a patch --- */

static gboolean
moves (const Thing *thing)
{
  return (thing->own.motion == MOTION_FREE || thing->own.motion == MOTION_LINK) &&
         !body_is_pinned (&thing->own);
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

  return orrery_vec3_subtract (point, &origin);
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

  if (body_is_pinned (&thing->own))
    return;
  if (thing->plain || thing->own.holder != NULL) {
    OrreryQuat q = get_rotation (rub, thing);

    v = get_vec3 (qvel + thing->dof);
    w = get_vec3 (qvel + thing->dof + 3);
    orrery_quat_rotate (&q, &w, &w);
  } else if (moves (thing)) {
    return;
  }
  spin = orrery_vec3_cross (&w, &arm);
  orrery_vec3_accumulate (linear, &v, sign);
  orrery_vec3_accumulate (linear, &spin, sign);
  orrery_vec3_accumulate (angular, &w, sign);
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
  return orrery_vec3_multiply (&t, &thing->own.settings->angular_factor);
}

static double
give (const Rub *rub, const Thing *thing, const FrictionPatch *patch, const OrreryVec3 *direction)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 free = orrery_vec3_multiply (direction, &thing->own.settings->linear_factor);
  OrreryVec3 torque = orrery_vec3_cross (&arm, &free);
  OrreryVec3 spin = spin_by (rub, thing, &torque);
  OrreryVec3 way = orrery_vec3_cross (&spin, &arm);

  return orrery_vec3_dot (&free, direction) / thing->own.settings->mass +
         orrery_vec3_dot (&way, direction);
}

/* For rub_take_back(). If it were fed back between two moving bodies, it would cause
 * oscillation. */
static void
push (const Rub *rub, Thing *thing, const FrictionPatch *patch, double sign)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 turn = orrery_vec3_cross (&arm, &patch->pushed);

  orrery_vec3_accumulate (&turn, &patch->turned, 1);
  orrery_vec3_accumulate (&thing->wrench, &patch->pushed, sign);
  orrery_vec3_accumulate (&thing->torsion, &turn, sign);
}

static void
add_to_plain (Rub *rub, const Thing *thing, const OrreryVec3 *impulse, const OrreryVec3 *torque,
              double sign)
{
  OrreryVec3 v = orrery_vec3_multiply (impulse, &thing->own.settings->linear_factor);
  OrreryVec3 w = spin_by (rub, thing, torque);
  OrreryQuat q = get_rotation (rub, thing);
  double *qvel = rub->d->qvel + thing->dof;

  orrery_quat_rotate_back (&q, &w, &w);
  v = orrery_vec3_divide (&v, thing->own.settings->mass);
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

/* To the scratch, six numbers for each freedom of the tree that moves the bodies; those are added
 * to the freedoms, the deepest first. */
static void
find_ways (Rub *rub, Side *side, const FrictionPatch *patch, const Thing *thing, const Thing *other)
{
  const int *above = rub->m->dof_parentid;
  const double point[3] = { patch->centre.x, patch->centre.y, patch->centre.z };
  int at = trees_get_last (&rub->trees, thing->body);
  int beside = other != NULL ? trees_get_last (&rub->trees, other->body) : -1;
  double sign = thing == patch->a ? 1 : -1;
  double arm[3];
  int *freedoms;

  trees_get_arm (&rub->trees, rub->d, thing->body, point, arm);
  side->first = rub->freedoms->len;
  g_array_set_size (rub->freedoms, side->first + (guint) (MAX (at, beside) + 1 - side->low));
  freedoms = &g_array_index (rub->freedoms, int, side->first);
  while (at >= 0 || beside >= 0) {
    int dof = MAX (at, beside);
    double *way = rub->ways + 6 * (dof - side->low);
    /* What is above both moves both, and the patch not at all. */
    double s = (at == dof ? sign : 0) - (beside == dof ? sign : 0);

    trees_get_way (rub->d, dof, arm, way);
    for (int k = 0; k < 6; k++)
      way[k] *= s;
    freedoms[side->n++] = dof - side->low;
    at = at == dof ? above[at] : at;
    beside = beside == dof ? above[beside] : beside;
  }
  g_array_set_size (rub->freedoms, side->first + side->n);
}

/* Keeps what the scratch has of the side's freedoms. Returns where. */
static gsize
keep_scratch (Rub *rub, const Side *side, guint width)
{
  gsize start = rub->numbers->len;
  const int *freedoms = &g_array_index (rub->freedoms, int, side->first);
  double *to;

  g_array_set_size (rub->numbers, (guint) start + width * side->n);
  to = &g_array_index (rub->numbers, double, start);
  for (guint k = 0; k < side->n; k++)
    for (guint c = 0; c < width; c++)
      *to++ = rub->ways[6 * freedoms[k] + c];
  return start;
}

static void
find_response (const double *ways, const double *changes, guint n, guint width, double out[9])
{
  memset (out, 0, 9 * sizeof (double));
  for (guint k = 0; k < n; k++, ways += width, changes += width)
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        out[3 * a + b] += ways[a] * changes[b];
}

/* What 1 N s along each axis, and 1 N m s about it, changes of a plain body, to the scratch. */
static void
find_changes (Rub *rub, const Side *side, guint width)
{
  int n = rub->trees.high[side->low] - side->low;

  for (guint part = 0; part < width; part += 3) {
    for (int i = 0; i < n; i++)
      mju_copy3 (rub->solved + 3 * i, rub->ways + 6 * i + part);
    trees_solve (&rub->trees, rub->d, side->low, rub->solved);
    for (int i = 0; i < n; i++)
      mju_copy3 (rub->ways + 6 * i + part, rub->solved + 3 * i);
  }
}

static void
begin_to_fold (Rub *rub, int low)
{
  int n = rub->trees.high[low] - low;

  if (rub->is_folded[low])
    return;
  rub->is_folded[low] = TRUE;
  memset (rub->folded + low, 0, (gsize) n * sizeof (double));
  g_array_append_val (rub->roots, low);
}

/* What trees have taken up. */
static void
unfold_all (Rub *rub)
{
  for (guint i = 0; i < rub->roots->len; i++) {
    int low = g_array_index (rub->roots, int, i);
    double *change = rub->folded + low;

    rub->is_folded[low] = FALSE;
    trees_unfold (&rub->trees, rub->d, low, change);
    mju_addTo (rub->d->qvel + low, change, rub->trees.high[low] - low);
  }
  g_array_set_size (rub->roots, 0);
}

/* The velocity before the pass; then what the scratch has is folded. */
static void
fold (Rub *rub, Side *side, guint width)
{
  const int *freedoms = &g_array_index (rub->freedoms, int, side->first);

  for (guint k = 0; k < side->n; k++) {
    const double *way = rub->ways + 6 * freedoms[k];
    OrreryVec3 along = { way[0], way[1], way[2] }, about = { way[3], way[4], way[5] };

    orrery_vec3_accumulate (&side->linear, &along, rub->d->qvel[side->low + freedoms[k]]);
    orrery_vec3_accumulate (&side->angular, &about, rub->d->qvel[side->low + freedoms[k]]);
  }
  trees_fold (&rub->trees, rub->d, side->low, freedoms, side->n, width, rub->ways);
  begin_to_fold (rub, side->low);
}

static void
add_side (Rub *rub, const FrictionPatch *patch, const Thing *thing, const Thing *other)
{
  int last = trees_get_last (&rub->trees, thing->body);
  Side side = { .low = last >= 0 ? rub->trees.low[last] : 0, .folded = !thing->plain };
  guint width = patch->radius > 0 ? 6 : 3; /* one that is a point brakes no turning */
  const double *ways, *changes;

  if (last < 0)
    return;
  find_ways (rub, &side, patch, thing, other);
  if (side.folded)
    fold (rub, &side, width);
  side.ways = side.changes = keep_scratch (rub, &side, width);
  if (!side.folded) {
    find_changes (rub, &side, width);
    side.changes = keep_scratch (rub, &side, width);
  }
  ways = &g_array_index (rub->numbers, double, side.ways);
  changes = &g_array_index (rub->numbers, double, side.changes);
  find_response (ways, changes, side.n, width, side.pushed);
  if (width == 6)
    find_response (ways + 3, changes + 3, side.n, width, side.turned);
  g_array_append_val (rub->sides, side);
}

static gboolean
are_of_one_tree (const Rub *rub, const Thing *a, const Thing *b)
{
  int x = trees_get_last (&rub->trees, a->body), y = trees_get_last (&rub->trees, b->body);

  return x >= 0 && y >= 0 && rub->trees.low[x] == rub->trees.low[y];
}

/* What friction does not move keeps its velocity in the pass: it counts with that of the side. */
static void
add_steady (Rub *rub, const FrictionPatch *patch)
{
  Side *side = &g_array_index (rub->sides, Side, patch->first_side);

  if (!patch->moves[0])
    add_velocity (rub, patch->a, &patch->centre, 1, &side->linear, &side->angular);
  if (!patch->moves[1])
    add_velocity (rub, patch->b, &patch->centre, -1, &side->linear, &side->angular);
}

/* Once in a substep: sides of it, one for each tree that moves. */
static void
prepare (Rub *rub, FrictionPatch *patch)
{
  const Thing *a = patch->a, *b = patch->b;

  patch->moves[0] = moves (a);
  patch->moves[1] = moves (b);
  patch->plain = (a->plain || !patch->moves[0]) && (b->plain || !patch->moves[1]);
  patch->first_side = rub->sides->len;
  if (!patch->plain && patch->moves[0] && patch->moves[1] && are_of_one_tree (rub, a, b)) {
    add_side (rub, patch, a, b);
  } else if (!patch->plain) {
    if (patch->moves[0])
      add_side (rub, patch, a, NULL);
    if (patch->moves[1])
      add_side (rub, patch, b, NULL);
  }
  patch->n_sides = rub->sides->len - patch->first_side;
  if (patch->n_sides > 0)
    add_steady (rub, patch);
}

/* What a side is measured by and changes: the velocities, or what is folded of them. */
static double *
get_base (const Rub *rub, const Side *side)
{
  return (side->folded ? rub->folded : rub->d->qvel) + side->low;
}

/* Velocity at a patch of what moves by joints. */
static void
add_tree_velocity (const Rub *rub, const FrictionPatch *patch, OrreryVec3 *linear,
                   OrreryVec3 *angular)
{
  OrreryVec3 v = *linear, w = *angular;

  for (guint s = 0; s < patch->n_sides; s++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + s);
    const int *freedoms = &g_array_index (rub->freedoms, int, side->first);
    const double *way = &g_array_index (rub->numbers, double, side->ways);
    const double *base = get_base (rub, side);

    orrery_vec3_accumulate (&v, &side->linear, 1);
    orrery_vec3_accumulate (&w, &side->angular, 1);
    if (!(patch->radius > 0)) {
      for (guint k = 0; k < side->n; k++, way += 3)
        orrery_vec3_accumulate (&v, &(OrreryVec3){ way[0], way[1], way[2] }, base[freedoms[k]]);
      continue;
    }
    for (guint k = 0; k < side->n; k++, way += 6) {
      orrery_vec3_accumulate (&v, &(OrreryVec3){ way[0], way[1], way[2] }, base[freedoms[k]]);
      orrery_vec3_accumulate (&w, &(OrreryVec3){ way[3], way[4], way[5] }, base[freedoms[k]]);
    }
  }
  *linear = v;
  *angular = w;
}

/* Of a force or torque along an axis: what moves at the patch along it, for 1. */
static double
respond (const Rub *rub, const FrictionPatch *patch, const OrreryVec3 *axis, gboolean turns)
{
  double sum = 0;

  for (guint s = 0; s < patch->n_sides; s++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + s);
    const double *r = turns ? side->turned : side->pushed;

    sum += axis->x * (r[0] * axis->x + r[1] * axis->y + r[2] * axis->z) +
           axis->y * (r[3] * axis->x + r[4] * axis->y + r[5] * axis->z) +
           axis->z * (r[6] * axis->x + r[7] * axis->y + r[8] * axis->z);
  }
  return sum;
}

static void
apply_to_trees (const Rub *rub, const FrictionPatch *patch, const OrreryVec3 *impulse,
                const OrreryVec3 *torque)
{
  const OrreryVec3 p = *impulse, t = *torque;

  for (guint s = 0; s < patch->n_sides; s++) {
    const Side *side = &g_array_index (rub->sides, Side, patch->first_side + s);
    const int *freedoms = &g_array_index (rub->freedoms, int, side->first);
    const double *c = &g_array_index (rub->numbers, double, side->changes);
    double *base = get_base (rub, side);

    if (!(patch->radius > 0)) {
      for (guint k = 0; k < side->n; k++, c += 3)
        base[freedoms[k]] += c[0] * p.x + c[1] * p.y + c[2] * p.z;
      continue;
    }
    for (guint k = 0; k < side->n; k++, c += 6)
      base[freedoms[k]] +=
          c[0] * p.x + c[1] * p.y + c[2] * p.z + c[3] * t.x + c[4] * t.y + c[5] * t.z;
  }
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

  *linear = *angular = (OrreryVec3){ 0 };
  if (!patch->plain) {
    add_tree_velocity (rub, patch, linear, angular);
    return;
  }
  add_velocity (rub, patch->a, &patch->centre, 1, linear, angular);
  add_velocity (rub, patch->b, &patch->centre, -1, linear, angular);
}

static double
compliance (const FrictionPatch *patch, const OrreryVec3 *direction)
{
  Rub *rub = get_rub (patch);

  if (!patch->plain)
    return respond (rub, patch, direction, FALSE);
  return (patch->moves[0] ? give (rub, patch->a, patch, direction) : 0) +
         (patch->moves[1] ? give (rub, patch->b, patch, direction) : 0);
}

static double
spin_give (const Rub *rub, const Thing *thing, const OrreryVec3 *axis)
{
  OrreryVec3 spin;

  if (!moves (thing))
    return 0;
  spin = spin_by (rub, thing, axis);
  return orrery_vec3_dot (&spin, axis);
}

static double
spin_compliance (const FrictionPatch *patch, const OrreryVec3 *axis)
{
  Rub *rub = get_rub (patch);

  if (!patch->plain)
    return respond (rub, patch, axis, TRUE);
  return spin_give (rub, patch->a, axis) + spin_give (rub, patch->b, axis);
}

static void
apply_to_side (Rub *rub, const Thing *thing, const FrictionPatch *patch, const OrreryVec3 *impulse,
               const OrreryVec3 *torque, double sign)
{
  OrreryVec3 arm = get_arm (rub, thing, &patch->centre);
  OrreryVec3 turn = orrery_vec3_cross (&arm, impulse);

  orrery_vec3_accumulate (&turn, torque, 1);
  add_to_plain (rub, thing, impulse, &turn, sign);
}

static void
apply (const FrictionPatch *patch, const OrreryVec3 *impulse, const OrreryVec3 *torque)
{
  Rub *rub = get_rub (patch);

  if (!patch->plain) {
    apply_to_trees (rub, patch, impulse, torque);
    return;
  }
  if (patch->moves[0])
    apply_to_side (rub, patch->a, patch, impulse, torque, 1);
  if (patch->moves[1])
    apply_to_side (rub, patch->b, patch, impulse, torque, -1);
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

/* Pairs are neighbours. */
static guint
find_end (const Rub *rub, guint from)
{
  const Touch *touches = (const Touch *) (gpointer) rub->touches->data;
  guint to = from + 1;

  while (to < rub->touches->len && touches[to].low == touches[from].low &&
         touches[to].high == touches[from].high)
    to++;
  return to;
}

/* MuJoCo's normals lead from its first geom to the second; those of a pair to the same thing. */
static double
get_sign (const Rub *rub, int contact, const Thing *a)
{
  return rub->model->geoms[rub->d->contact[contact].geom2].thing == a ? 1 : -1;
}

/* The points of one pair. Returns the thing that their normals lead to. */
static Thing *
collect (Rub *rub, guint from, guint to, double dt)
{
  const Touch *touches = (const Touch *) (gpointer) rub->touches->data;
  Thing *a = rub->model->geoms[rub->d->contact[touches[from].contact].geom2].thing;

  g_array_set_size (rub->points, 0);
  for (guint i = from; i < to; i++) {
    const mjContact *c = &rub->d->contact[touches[i].contact];
    double sign = get_sign (rub, touches[i].contact, a);
    FrictionPoint point = { model_get_point (rub->model, c),
                            { sign * c->frame[0], sign * c->frame[1], sign * c->frame[2] },
                            rub->d->efc_force[c->efc_address] * dt };

    g_array_append_val (rub->points, point);
  }
  return a;
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
  collect (rub, from, to, dt);
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

static gboolean
is_of_pair (const FrictionPatch *patch, const Touch *touch)
{
  guint a = ((const Thing *) patch->a)->own.index, b = ((const Thing *) patch->b)->own.index;

  return MIN (a, b) == touch->low && MAX (a, b) == touch->high;
}

/* Of what collect() has: to the contacts, with the sign that their own geoms ask for. */
static void
put_shares (Rub *rub, guint from, const Thing *a)
{
  const Touch *touches = (const Touch *) (gpointer) rub->touches->data;

  for (guint i = 0; i < rub->points->len; i++) {
    int contact = touches[from + i].contact;
    OrreryVec3 *share = &g_array_index (rub->shares, OrreryVec3, i);

    g_array_index (rub->frictions, OrreryVec3, contact) =
        orrery_vec3_scale (share, get_sign (rub, contact, a));
  }
}

/* Patches are in the order of pairs; those that have none feel no friction. */
static void
share_friction (Rub *rub, double dt)
{
  const FrictionPatch *patches = (const FrictionPatch *) (gpointer) rub->patches->data;
  guint patch = 0;

  g_array_set_size (rub->frictions, 0);
  g_array_set_size (rub->frictions, (guint) rub->d->ncon);
  for (guint from = 0, to; from < rub->touches->len; from = to) {
    guint first = patch;
    const Touch *touch = &g_array_index (rub->touches, Touch, from);
    Thing *a;

    to = find_end (rub, from);
    a = collect (rub, from, to, dt);
    while (patch < rub->patches->len && is_of_pair (&patches[patch], touch))
      patch++;
    g_array_set_size (rub->shares, rub->points->len);
    friction_share ((const FrictionPoint *) (gpointer) rub->points->data, rub->points->len,
                    patches + first, patch - first, (OrreryVec3 *) (gpointer) rub->shares->data);
    put_shares (rub, from, a);
  }
}

OrreryVec3
rub_get_friction (const Rub *rub, int contact)
{
  return contact < (int) rub->frictions->len
             ? g_array_index (rub->frictions, OrreryVec3, (guint) contact)
             : (OrreryVec3){ 0 };
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
    to = find_end (rub, from);
    gather (rub, from, to, dt);
  }
  g_array_set_size (rub->sides, 0);
  g_array_set_size (rub->numbers, 0);
  g_array_set_size (rub->freedoms, 0);
  patches = (FrictionPatch *) (gpointer) rub->patches->data;
  for (guint i = 0; i < rub->patches->len; i++) {
    const Thing *a = patches[i].a, *b = patches[i].b;

    prepare (rub, &patches[i]);
    /* In a tree, an impulse on one link affects the others. */
    patches[i].alone = patches[i].plain && (!patches[i].moves[0] || a->n_patches == 1) &&
                       (!patches[i].moves[1] || b->n_patches == 1);
  }
  friction_solve (&friction_engine, patches, rub->patches->len);
  unfold_all (rub);
  for (guint i = 0; i < rub->patches->len; i++)
    if (patches[i].moves[0] && !patches[i].moves[1])
      push (rub, patches[i].a, &patches[i], 1);
    else if (patches[i].moves[1] && !patches[i].moves[0])
      push (rub, patches[i].b, &patches[i], -1);
  if (rub->measures)
    share_friction (rub, dt);
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
