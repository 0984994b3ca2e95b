/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Bodies of trees, by the joints of their own tree alone: what others cost does not count. */

#include "model.h"

/* First freedom of the tree that each belongs to, and the one behind its last. */
typedef struct {
  const mjModel *m;
  int *low;  /* nv */
  int *high; /* nv */
} Trees;

void trees_init (Trees *trees, const mjModel *m);
void trees_clear (Trees *trees);

/* Freedoms of a body, from the nearest up: -1 at the end. */
int trees_get_last (const Trees *trees, int body);
/* From the point that motions of a tree are about: m. */
void trees_get_arm (const Trees *trees, const mjData *d, int body, const double point[3],
                    double arm[3]);

/* What freedom @dof gives a point of a body below it: m/s, then rad/s, for 1. Featherstone, Rigid
 * Body Dynamics Algorithms, 2.9: motion vectors are about the tree's centre. */
static inline void
trees_get_way (const mjData *d, int dof, const double arm[3], double way[6])
{
  const double *motion = d->cdof + 6 * dof;

  way[0] = motion[1] * arm[2] - motion[2] * arm[1] + motion[3];
  way[1] = motion[2] * arm[0] - motion[0] * arm[2] + motion[4];
  way[2] = motion[0] * arm[1] - motion[1] * arm[0] + motion[5];
  way[3] = motion[0];
  way[4] = motion[1];
  way[5] = motion[2];
}

/* Adds what a force and a torque at a point of a body are to its joints: @sum has nv numbers. */
void trees_add_force (const Trees *trees, const mjData *d, int body, const double point[3],
                      const double force[3], const double torque[3], double *sum);
/* As mj_solveM(), of the tree that begins at @low, for three at once, which costs little more than
 * for one: @x has three numbers for each of its freedoms. */
void trees_solve (const Trees *trees, const mjData *d, int low, double *x);
/*
 * The two halves of that: M = F^T F, with F = sqrt (D) L. Folding, which is inv (F^T), makes of
 * what acts on the freedoms of a body, and of what moves it, numbers for these freedoms alone: a
 * product of two such is one by inv (M). Unfolding, inv (F), makes changes of all freedoms of the
 * tree.
 *
 * @freedoms: @n of the tree, each but the first ones with all above it, the deepest first; @x: six
 * numbers for each freedom of the tree, of which the first @width count.
 */
void trees_fold (const Trees *trees, const mjData *d, int low, const int *freedoms, guint n,
                 guint width, double *x);
/* @x: one number for each freedom of the tree. */
void trees_unfold (const Trees *trees, const mjData *d, int low, double *x);
