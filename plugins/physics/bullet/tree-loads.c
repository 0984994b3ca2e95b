/* SPDX-License-Identifier: BSD-3-Clause */
/* What the links of a tree give each other through their joints. */
#include "tree.h"

#include <string.h>

/*
 * The equations of Newton and Euler, from the tips to the root (Featherstone, Rigid Body Dynamics
 * Algorithms, 5.3), for the motion that a substep came to with all contacts: so motors, springs,
 * limits and friction of joints are in what comes out, whatever has made them.
 */

static void
add6 (double *sum, const double *v, double factor)
{
  for (guint i = 0; i < 6; i++)
    sum[i] += factor * v[i];
}

void
tree_want_loads (Tree *tree)
{
  if (tree->before == NULL)
    tree->before = g_new0 (double, tree->n);
}

void
tree_begin_loads (Tree *tree)
{
  memcpy (tree->before, tree->rates, tree->n * sizeof (double));
  for (guint i = 0; i < tree->n_links; i++)
    memset (tree->links[i].outside, 0, sizeof tree->links[i].outside);
}

void
tree_add_load (Tree *tree, guint link, const OrreryVec3 *point, const OrreryVec3 *force,
               const OrreryVec3 *torque)
{
  OrreryVec3 arm = orrery_vec3_subtract (point, &tree->links[0].pose.position);
  OrreryVec3 turn = orrery_vec3_cross (&arm, force);
  const double wrench[6] = { turn.x + torque->x, turn.y + torque->y, turn.z + torque->z,
                             force->x,           force->y,           force->z };

  add6 (tree->links[link].outside, wrench, 1);
}

/* The acceleration of a link, and what its own freedoms take of all below it; what comes from
 * outside is taken off. */
static void
begin_link (Tree *tree, guint index, double dt)
{
  TreeLink *link = &tree->links[index];
  double own[6] = { 0 };

  for (guint k = link->dof; k < link->dof + link->n_dofs; k++)
    add6 (own, tree->ways + 6 * k, (tree->rates[k] - tree->before[k]) / dt);
  tree_multiply_inertia (link->composite, own, link->load);
  memcpy (link->gained, own, sizeof own);
  if (link->parent >= 0)
    add6 (link->gained, tree->links[link->parent].gained, 1);
  tree_add_load (tree, index, &link->middle, &link->force, &link->torque);
  add6 (link->load, link->outside, -1);
}

/* From what is about the place of the first link, in the axes of the world. */
static void
turn_load (const Tree *tree, TreeLink *link)
{
  OrreryVec3 torque = { link->load[0], link->load[1], link->load[2] };
  OrreryVec3 force = { link->load[3], link->load[4], link->load[5] };
  OrreryVec3 anchor = link->pose.position, arm, turn;

  if (link->joint != NULL)
    orrery_transform_apply (&link->pose, &link->joint->anchor, &anchor);
  arm = orrery_vec3_subtract (&anchor, &tree->links[0].pose.position);
  turn = orrery_vec3_cross (&arm, &force);
  torque = orrery_vec3_subtract (&torque, &turn);
  orrery_quat_rotate_back (&link->pose.rotation, &force, &link->given.force);
  orrery_quat_rotate_back (&link->pose.rotation, &torque, &link->given.torque);
}

void
tree_find_loads (Tree *tree, double dt)
{
  for (guint i = 0; i < tree->n_links; i++)
    begin_link (tree, i, dt);
  for (guint i = tree->n_links; i-- > 0;)
    if (tree->links[i].parent >= 0)
      add6 (tree->links[tree->links[i].parent].load, tree->links[i].load, 1);
  for (guint i = 0; i < tree->n_links; i++) {
    TreeLink *link = &tree->links[i];
    double carried[6];

    add6 (link->load, link->wrench, 1);
    if (link->parent < 0)
      continue;
    tree_multiply_inertia (link->composite, tree->links[link->parent].gained, carried);
    add6 (link->load, carried, 1);
  }
  for (guint i = 0; i < tree->n_links; i++)
    turn_load (tree, &tree->links[i]);
}
