/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Bodies of trees, by the joints of their own tree alone: what others cost does not count. */

#include "model.h"

G_BEGIN_DECLS

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
/* What freedom @dof gives a point of a body below it: m/s, rad/s for 1. */
void trees_get_way (const Trees *trees, const mjData *d, int dof, const double point[3],
                    double linear[3], double angular[3]);
/* Adds what a force and a torque at a point of a body are to its joints: @sum has nv numbers. */
void trees_add_force (const Trees *trees, const mjData *d, int body, const double point[3],
                      const double force[3], const double torque[3], double *sum);
/* As mj_solveM(), of the tree that begins at @low, for three at once, which costs little more than
 * for one: @x has three numbers for each of its freedoms. */
void trees_solve (const Trees *trees, const mjData *d, int low, double *x);

G_END_DECLS
