/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamics of a tree of links. */
#include "tree.h"

#include <math.h>
#include <string.h>

/* Locks a freedom: an inertia so large that nothing moves it. */
#define LOCK 1e12
/* kg m2 or kg: less than that has no inverse. */
#define MIN_INERTIA 1e-12

/* --- three and six numbers --- */

static OrreryVec3
get3 (const double *v)
{
  return (OrreryVec3){ v[0], v[1], v[2] };
}

static void
set3 (double *out, const OrreryVec3 *v)
{
  out[0] = v->x;
  out[1] = v->y;
  out[2] = v->z;
}

static void
set6 (double *out, const OrreryVec3 *a, const OrreryVec3 *b)
{
  set3 (out, a);
  set3 (out + 3, b);
}

static void
add6 (double *sum, const double *v, double factor)
{
  for (guint i = 0; i < 6; i++)
    sum[i] += factor * v[i];
}

static double
dot6 (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* How a motion changes that moves with @v. */
static void
cross_motion (const double *v, const double *motion, double *out)
{
  OrreryVec3 w = get3 (v), u = get3 (v + 3), a = get3 (motion), b = get3 (motion + 3);
  OrreryVec3 turn = orrery_vec3_cross (&w, &a), way = orrery_vec3_cross (&w, &b);
  OrreryVec3 more = orrery_vec3_cross (&u, &a);

  way = orrery_vec3_add (&way, &more);
  set6 (out, &turn, &way);
}

static void
cross_force (const double *v, const double *force, double *out)
{
  OrreryVec3 w = get3 (v), u = get3 (v + 3), n = get3 (force), f = get3 (force + 3);
  OrreryVec3 torque = orrery_vec3_cross (&w, &n), way = orrery_vec3_cross (&w, &f);
  OrreryVec3 more = orrery_vec3_cross (&u, &f);

  torque = orrery_vec3_add (&torque, &more);
  set6 (out, &torque, &way);
}

/* Momentum of a motion. */
void
tree_multiply_inertia (const double *i, const double *v, double *out)
{
  OrreryVec3 h = get3 (i + 1), w = get3 (v), u = get3 (v + 3);
  OrreryVec3 n = orrery_vec3_cross (&h, &u), f = orrery_vec3_cross (&w, &h);

  n.x += i[4] * w.x + i[7] * w.y + i[8] * w.z;
  n.y += i[7] * w.x + i[5] * w.y + i[9] * w.z;
  n.z += i[8] * w.x + i[9] * w.y + i[6] * w.z;
  orrery_vec3_accumulate (&f, &u, i[0]);
  set6 (out, &n, &f);
}

/* --- making --- */

static void
find_above (Tree *tree, guint index)
{
  const TreeLink *link = &tree->links[index];
  int above = -1;

  for (int p = link->parent; p >= 0 && above < 0; p = tree->links[p].parent)
    above = (int) (tree->links[p].dof + tree->links[p].n_dofs) - 1;
  for (guint k = 0; k < link->n_dofs; k++, above = (int) (link->dof + k) - 1)
    tree->above[link->dof + k] = above;
}

Tree *
tree_new (const TreeLink *links, guint n_links)
{
  Tree *tree = g_new0 (Tree, 1);
  guint n = 0;

  tree->n_links = n_links;
  tree->links = g_memdup2 (links, n_links * sizeof *links);
  for (guint i = 0; i < n_links; i++) {
    TreeLink *link = &tree->links[i];

    link->dof = n;
    link->n_dofs = link->joint == NULL ? 6 : link->joint->kind == ORRERY_JOINT_BALL ? 3 : 1;
    n += link->n_dofs;
  }
  tree->n = n;
  tree->above = g_new0 (int, n);
  tree->rates = g_new0 (double, n);
  tree->ways = g_new0 (double, 6 * n);
  tree->turns = g_new0 (double, 6 * n);
  tree->inertia = g_new0 (double, (gsize) n *n);
  tree->factor = g_new0 (double, (gsize) n *n);
  tree->bias = g_new0 (double, n);
  tree->applied = g_new0 (double, n);
  tree->passive = g_new0 (double, n);
  tree->effort = g_new0 (double, n);
  tree->wanted = g_new0 (double, n);
  tree->implied = g_new0 (double, n);
  tree->share = g_new0 (double, n);
  tree->implicit = g_new0 (double, n);
  tree->driven = g_new0 (guint8, n);
  tree->steady = g_new0 (double, n);
  for (guint i = 0; i < n_links; i++)
    find_above (tree, i);
  return tree;
}

void
tree_free (Tree *tree)
{
  g_free (tree->links);
  g_free (tree->above);
  g_free (tree->rates);
  g_free (tree->ways);
  g_free (tree->turns);
  g_free (tree->inertia);
  g_free (tree->factor);
  g_free (tree->bias);
  g_free (tree->applied);
  g_free (tree->passive);
  g_free (tree->effort);
  g_free (tree->wanted);
  g_free (tree->implied);
  g_free (tree->share);
  g_free (tree->implicit);
  g_free (tree->driven);
  g_free (tree->steady);
  g_free (tree->before);
  g_free (tree);
}

/* --- where it is --- */

/* The way of a rotation about an axis of the world through a point. */
static void
set_turn (const Tree *tree, double *way, const OrreryVec3 *axis, const OrreryVec3 *point)
{
  OrreryVec3 arm = orrery_vec3_subtract (point, &tree->links[0].pose.position);
  OrreryVec3 move = orrery_vec3_cross (&arm, axis);

  set6 (way, axis, &move);
}

static void
find_base_ways (Tree *tree, const TreeLink *link)
{
  const OrreryVec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, none = { 0 };
  OrreryVec3 v = get3 (tree->rates + link->dof);

  for (guint k = 0; k < 3; k++) {
    OrreryVec3 turn = orrery_vec3_cross (&v, &axes[k]);

    set6 (tree->ways + 6 * (link->dof + k), &none, &axes[k]);
    memset (tree->turns + 6 * (link->dof + k), 0, 6 * sizeof (double));
    set_turn (tree, tree->ways + 6 * (link->dof + 3 + k), &axes[k], &link->pose.position);
    set6 (tree->turns + 6 * (link->dof + 3 + k), &none, &turn);
  }
}

static void
find_joint_ways (Tree *tree, const TreeLink *link)
{
  const OrreryVec3 axes[] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, none = { 0 };
  gboolean ball = link->joint->kind == ORRERY_JOINT_BALL;
  OrreryVec3 anchor, axis;

  orrery_transform_apply (&link->pose, &link->joint->anchor, &anchor);
  for (guint k = 0; k < link->n_dofs; k++) {
    double *way = tree->ways + 6 * (link->dof + k);

    orrery_quat_rotate (&link->pose.rotation, ball ? &axes[k] : &link->joint->axis, &axis);
    if (link->joint->kind == ORRERY_JOINT_SLIDE)
      set6 (way, &none, &axis);
    else
      set_turn (tree, way, &axis, &anchor);
  }
}

/* Ways, velocity, and what the velocity of the ways gives. */
static void
move_link (Tree *tree, TreeLink *link)
{
  memset (link->velocity, 0, sizeof link->velocity);
  memset (link->change, 0, sizeof link->change);
  if (link->parent >= 0) {
    memcpy (link->velocity, tree->links[link->parent].velocity, sizeof link->velocity);
    memcpy (link->change, tree->links[link->parent].change, sizeof link->change);
  }
  if (link->joint == NULL)
    find_base_ways (tree, link);
  else
    find_joint_ways (tree, link);
  for (guint k = link->dof; k < link->dof + link->n_dofs; k++)
    add6 (link->velocity, tree->ways + 6 * k, tree->rates[k]);
  for (guint k = link->dof; k < link->dof + link->n_dofs; k++) {
    if (link->joint != NULL)
      cross_motion (link->velocity, tree->ways + 6 * k, tree->turns + 6 * k);
    add6 (link->change, tree->turns + 6 * k, tree->rates[k]);
  }
}

void
tree_place (Tree *tree)
{
  for (guint i = 0; i < tree->n_links; i++) {
    TreeLink *link = &tree->links[i];
    const OrreryTransform *above = &link->base;
    OrreryJointState state = { .position = link->position, .rotation = link->rotation };
    OrreryTransform local;

    if (link->parent >= 0)
      above = &tree->links[link->parent].pose;
    if (link->joint != NULL) {
      orrery_joint_place (link->joint, &link->start, &state, &local);
      orrery_transform_multiply (above, &local, &link->pose);
      orrery_quat_normalise (&link->pose.rotation);
    }
    move_link (tree, link);
  }
}

void
tree_turn_inertia (const OrreryMat3 *inertia, const OrreryQuat *rotation, OrreryMat3 *out)
{
  OrreryMat3 r;
  double half[9] = { 0 };

  *out = (OrreryMat3){ { 0 } };
  orrery_quat_to_matrix (rotation, &r);
  for (guint i = 0; i < 9; i++)
    for (guint k = 0; k < 3; k++)
      half[i] += r.m[i / 3 * 3 + k] * inertia->m[3 * k + i % 3];
  for (guint i = 0; i < 9; i++)
    for (guint k = 0; k < 3; k++)
      out->m[i] += half[i / 3 * 3 + k] * r.m[i % 3 * 3 + k];
}

/* About the place of the first link, in world axes. */
static void
turn_inertia (const Tree *tree, TreeLink *link)
{
  const OrreryVec3 *origin = &tree->links[0].pose.position;
  double *out = link->composite, m = link->mass;
  OrreryMat3 whole;
  OrreryVec3 c;

  orrery_transform_apply (&link->pose, &link->centre, &link->middle);
  c = orrery_vec3_subtract (&link->middle, origin);
  tree_turn_inertia (&link->inertia, &link->pose.rotation, &whole);
  out[0] = m;
  out[1] = m * c.x;
  out[2] = m * c.y;
  out[3] = m * c.z;
  out[4] = whole.m[0] + m * (c.y * c.y + c.z * c.z);
  out[5] = whole.m[4] + m * (c.x * c.x + c.z * c.z);
  out[6] = whole.m[8] + m * (c.x * c.x + c.y * c.y);
  out[7] = whole.m[1] - m * c.x * c.y;
  out[8] = whole.m[2] - m * c.x * c.z;
  out[9] = whole.m[5] - m * c.y * c.z;
}

/* --- inertia and forces --- */

/* The force that the link needs to go on with its velocity, less its weight. */
static void
weigh_link (const Tree *tree, TreeLink *link)
{
  OrreryVec3 arm = orrery_vec3_subtract (&link->middle, &tree->links[0].pose.position);
  OrreryVec3 weight = orrery_vec3_scale (&link->gravity, link->mass);
  OrreryVec3 torque = orrery_vec3_cross (&arm, &weight);
  double momentum[6], force[6];

  tree_multiply_inertia (link->composite, link->velocity, momentum);
  cross_force (link->velocity, momentum, force);
  tree_multiply_inertia (link->composite, link->change, link->wrench);
  add6 (link->wrench, force, 1);
  set6 (force, &torque, &weight);
  add6 (link->wrench, force, -1);
}

static void
add_up (Tree *tree)
{
  memset (tree->inertia, 0, (gsize) tree->n * tree->n * sizeof (double));
  for (guint i = tree->n_links; i-- > 0;) {
    TreeLink *link = &tree->links[i];

    for (guint k = link->dof; k < link->dof + link->n_dofs; k++) {
      double *row = tree->inertia + (gsize) k * tree->n, force[6];

      tree->bias[k] = dot6 (tree->ways + 6 * k, link->wrench);
      tree_multiply_inertia (link->composite, tree->ways + 6 * k, force);
      for (int j = (int) k; j >= 0; j = tree->above[j])
        row[j] = dot6 (tree->ways + 6 * j, force);
      if (link->joint != NULL)
        row[k] += link->joint->armature;
    }
    if (link->parent < 0)
      continue;
    add6 (tree->links[link->parent].wrench, link->wrench, 1);
    for (guint c = 0; c < 10; c++)
      tree->links[link->parent].composite[c] += link->composite[c];
  }
}

/* Adds a wrench at the centre of mass of a link. */
static void
add_wrench (const Tree *tree, guint index, const OrreryVec3 *force, const OrreryVec3 *torque,
            double factor, double *sum)
{
  const TreeLink *link = &tree->links[index];
  OrreryVec3 arm = orrery_vec3_subtract (&link->middle, &tree->links[0].pose.position);
  OrreryVec3 turn = orrery_vec3_cross (&arm, force);
  double wrench[6];

  if (orrery_vec3_length (force) == 0 && orrery_vec3_length (torque) == 0)
    return;
  turn = orrery_vec3_add (&turn, torque);
  set6 (wrench, &turn, force);
  for (int k = (int) (link->dof + link->n_dofs) - 1; k >= 0; k = tree->above[k])
    sum[k] += factor * dot6 (tree->ways + 6 * k, wrench);
}

/* Springs and damping of a joint. */
static void
add_passive (Tree *tree, const TreeLink *link, double dt)
{
  const OrreryJoint *joint = link->joint;
  OrreryVec3 turn = { link->position - joint->rest, 0, 0 };
  double way[3];

  if (joint->kind == ORRERY_JOINT_BALL)
    orrery_quat_to_rotation_vector (&link->rotation, &turn);
  set3 (way, &turn);
  for (guint k = 0; k < link->n_dofs; k++) {
    guint dof = link->dof + k;

    tree->passive[dof] = -joint->damping * tree->rates[dof] - joint->stiffness * way[k];
    tree->implicit[dof] = dt * joint->damping;
  }
}

void
tree_measure (Tree *tree, double dt)
{
  memset (tree->applied, 0, tree->n * sizeof (double));
  for (guint i = 0; i < tree->n_links; i++) {
    TreeLink *link = &tree->links[i];

    turn_inertia (tree, link);
    weigh_link (tree, link);
    if (link->joint != NULL)
      add_passive (tree, link, dt);
  }
  add_up (tree);
  for (guint i = 0; i < tree->n_links; i++) {
    const TreeLink *link = &tree->links[i];

    add_wrench (tree, i, &link->force, &link->torque, 1, tree->applied);
    add_wrench (tree, i, &link->friction, &link->torsion, 1 / dt, tree->applied);
  }
}

/* --- motors --- */

static void
drive_ball (Tree *tree, const TreeLink *link, double dt)
{
  OrreryQuat here, way;
  OrreryVec3 turn;
  double about[3];

  if (link->motor->mode != MOTOR_POSITION)
    return;
  orrery_quat_conjugate (&link->rotation, &here);
  orrery_quat_multiply (&here, &link->motor->rotation, &way);
  orrery_quat_to_rotation_vector (&way, &turn);
  set3 (about, &turn);
  for (guint k = 0; k < 3; k++) {
    guint dof = link->dof + k;

    tree->wanted[dof] = motor_turn (about[k], tree->rates[dof]);
    tree->steady[dof] = dt * motor_turn (0, -1);
    tree->driven[dof] = TRUE;
  }
}

void
tree_drive (Tree *tree, double dt)
{
  memset (tree->wanted, 0, tree->n * sizeof (double));
  memset (tree->effort, 0, tree->n * sizeof (double));
  memset (tree->share, 0, tree->n * sizeof (double));
  memset (tree->driven, 0, tree->n);
  for (guint i = 0; i < tree->n_links; i++) {
    const TreeLink *link = &tree->links[i];
    MotorDrive drive;

    if (link->joint == NULL)
      continue;
    if (link->joint->kind == ORRERY_JOINT_BALL) {
      drive_ball (tree, link, dt);
      continue;
    }
    motor_drive (link->motor, link->position, tree->rates[link->dof], dt, &drive);
    tree->effort[link->dof] = drive.effort;
    tree->wanted[link->dof] = drive.wanted;
    tree->driven[link->dof] = (guint8) drive.wants;
    tree->steady[link->dof] = dt * drive.slope;
    tree->implicit[link->dof] += drive.implicit;
  }
}

/* By the inertia without damping. */
static void
multiply (const Tree *tree, const double *x, double *out)
{
  memset (out, 0, tree->n * sizeof (double));
  for (guint i = 0; i < tree->n; i++) {
    const double *row = tree->inertia + (gsize) i * tree->n;

    out[i] += row[i] * x[i];
    for (int j = tree->above[i]; j >= 0; j = tree->above[j]) {
      out[i] += row[j] * x[j];
      out[j] += row[j] * x[i];
    }
  }
}

void
tree_imply (Tree *tree)
{
  multiply (tree, tree->wanted, tree->implied);
}

/* --- solving --- */

static void
make_factor (Tree *tree)
{
  guint n = tree->n;
  double *h = tree->factor;
  const TreeLink *base = &tree->links[0];

  memcpy (h, tree->inertia, (gsize) n * n * sizeof (double));
  for (guint i = 0; i < n; i++)
    h[(gsize) i * n + i] += tree->implicit[i];
  for (guint k = 0; base->joint == NULL && k < 6; k++)
    h[(gsize) k * n + k] += base->locked[k] ? LOCK : 0;
  for (guint k = n; k-- > 0;) {
    double *row = h + (gsize) k * n;

    row[k] = fmax (row[k], MIN_INERTIA);
    for (int i = tree->above[k]; i >= 0; i = tree->above[i]) {
      double a = row[i] / row[k];

      for (int j = i; j >= 0; j = tree->above[j])
        h[(gsize) i * n + (gsize) j] -= a * row[j];
      row[i] = a;
    }
  }
}

void
tree_solve (const Tree *tree, double *x)
{
  guint n = tree->n;

  for (guint i = n; i-- > 0;) {
    const double *row = tree->factor + (gsize) i * n;

    for (int j = tree->above[i]; j >= 0 && x[i] != 0; j = tree->above[j])
      x[j] -= row[j] * x[i];
  }
  for (guint i = 0; i < n; i++) {
    const double *row = tree->factor + (gsize) i * n;

    x[i] /= row[i];
    for (int j = tree->above[i]; j >= 0; j = tree->above[j])
      x[i] -= row[j] * x[j];
  }
}

double
tree_dot (const Tree *tree, const double *a, const double *b)
{
  double sum = 0;

  for (guint i = 0; i < tree->n; i++)
    sum += a[i] * b[i];
  return sum;
}

/*
 * Computed torque: motors that want an acceleration get the effort that gives it, with what gravity
 * and the other joints do counted in. Siciliano, Sciavicco, Villani, Oriolo, Robotics, 8.5.2. What
 * forces do counts only for a motor with a limit: one that is held fast would tear free. One
 * without a limit would shake a base that is lighter than what it carries, were it not for an
 * inertia that is added together with the effort for it: on a heavy base nothing changes.
 */
static void
limit_effort (Tree *tree, const TreeLink *link, double dt)
{
  const OrreryJoint *joint = link->joint;
  double most = joint->max_effort > 0 ? joint->max_effort : INFINITY;

  for (guint k = link->dof; k < link->dof + link->n_dofs; k++) {
    double effort = tree->effort[k];

    if (tree->driven[k])
      effort = tree->implied[k] + tree->share[k] + tree->bias[k] - tree->passive[k];
    if (tree->driven[k] && joint->max_effort <= 0) {
      double more = tree->steady[k] * tree->inertia[(gsize) k * (tree->n + 1)];

      effort += more * tree->wanted[k];
      tree->implicit[k] += more;
    } else if (tree->driven[k]) {
      effort -= tree->applied[k];
    }
    /* When a motor is at its limit, its effort does not depend on the velocity. */
    if (fabs (effort) > most)
      tree->implicit[k] = dt * joint->damping;
    tree->effort[k] = CLAMP (effort, -most, most);
  }
  link->motor->effort = tree->effort[link->dof];
}

void
tree_accelerate (Tree *tree, double dt)
{
  double *x = tree->implied;

  for (guint i = 0; i < tree->n_links; i++)
    if (tree->links[i].joint != NULL)
      limit_effort (tree, &tree->links[i], dt);
  make_factor (tree);
  for (guint i = 0; i < tree->n; i++)
    x[i] = dt * (tree->applied[i] + tree->effort[i] + tree->passive[i] - tree->bias[i]);
  tree_solve (tree, x);
  for (guint i = 0; i < tree->n; i++)
    tree->rates[i] += x[i];
}

void
tree_take_back (Tree *tree)
{
  double *x = tree->implied;

  memset (x, 0, tree->n * sizeof (double));
  for (guint i = 0; i < tree->n_links; i++)
    add_wrench (tree, i, &tree->links[i].friction, &tree->links[i].torsion, 1, x);
  tree_solve (tree, x);
  for (guint i = 0; i < tree->n; i++)
    tree->rates[i] -= x[i];
}

void
tree_integrate (Tree *tree, double dt)
{
  for (guint i = 0; i < tree->n_links; i++) {
    TreeLink *link = &tree->links[i];
    const double *rates = tree->rates + link->dof;
    OrreryVec3 turn = { 0 };

    if (link->joint == NULL) {
      OrreryVec3 v = get3 (rates);

      turn = get3 (rates + 3);
      turn = orrery_vec3_scale (&turn, dt);
      orrery_vec3_accumulate (&link->pose.position, &v, dt);
      orrery_quat_turn (&link->pose.rotation, &turn);
    } else if (link->joint->kind == ORRERY_JOINT_BALL) {
      OrreryQuat further;

      turn = get3 (rates);
      turn = orrery_vec3_scale (&turn, dt);
      orrery_quat_from_rotation_vector (&turn, &further);
      orrery_quat_multiply (&link->rotation, &further, &link->rotation);
      orrery_quat_normalise (&link->rotation);
    } else {
      link->position += rates[0] * dt;
    }
  }
}

/* --- what others ask --- */

void
tree_get_velocity (const Tree *tree, guint index, OrreryVec3 *linear, OrreryVec3 *angular)
{
  const TreeLink *link = &tree->links[index];
  OrreryVec3 arm = orrery_vec3_subtract (&link->pose.position, &tree->links[0].pose.position);
  OrreryVec3 move;

  *angular = get3 (link->velocity);
  *linear = get3 (link->velocity + 3);
  move = orrery_vec3_cross (angular, &arm);
  *linear = orrery_vec3_add (linear, &move);
}

void
tree_add_row (const Tree *tree, guint index, const OrreryVec3 *point, const OrreryVec3 *direction,
              gboolean turns, double sign, double *row)
{
  const TreeLink *link = &tree->links[index];
  OrreryVec3 arm = orrery_vec3_subtract (point, &tree->links[0].pose.position);
  OrreryVec3 turn = orrery_vec3_cross (&arm, direction), none = { 0 };
  double force[6];

  set6 (force, turns ? direction : &turn, turns ? &none : direction);
  for (int k = (int) (link->dof + link->n_dofs) - 1; k >= 0; k = tree->above[k])
    row[k] += sign * dot6 (tree->ways + 6 * k, force);
}
