/* SPDX-License-Identifier: BSD-3-Clause */
#include "trees.h"

void
trees_init (Trees *trees, const mjModel *m)
{
  trees->m = m;
  trees->low = g_new0 (int, MAX (m->nv, 1));
  trees->high = g_new0 (int, MAX (m->nv, 1));
  for (int i = 0; i < m->nv; i++) {
    int above = m->dof_parentid[i];

    trees->low[i] = above < 0 ? i : trees->low[above];
    trees->high[trees->low[i]] = i + 1;
  }
  for (int i = 0; i < m->nv; i++)
    trees->high[i] = trees->high[trees->low[i]];
}

void
trees_clear (Trees *trees)
{
  g_clear_pointer (&trees->low, g_free);
  g_clear_pointer (&trees->high, g_free);
}

int
trees_get_last (const Trees *trees, int body)
{
  const mjModel *m = trees->m;

  while (body > 0 && m->body_dofnum[body] == 0)
    body = m->body_parentid[body];
  return body > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

/* Featherstone, Rigid Body Dynamics Algorithms, 2.9: motion vectors are about the tree's centre. */
void
trees_get_way (const Trees *trees, const mjData *d, int dof, const double point[3],
               double linear[3], double angular[3])
{
  const mjModel *m = trees->m;
  const double *motion = d->cdof + 6 * dof;
  const double *centre = d->subtree_com + 3 * m->body_rootid[m->dof_bodyid[dof]];
  double arm[3];

  mju_sub3 (arm, point, centre);
  mju_copy3 (angular, motion);
  mju_cross (linear, motion, arm);
  mju_addTo3 (linear, motion + 3);
}

void
trees_add_force (const Trees *trees, const mjData *d, int body, const double point[3],
                 const double force[3], const double torque[3], double *sum)
{
  for (int dof = trees_get_last (trees, body); dof >= 0; dof = trees->m->dof_parentid[dof]) {
    double linear[3], angular[3];

    trees_get_way (trees, d, dof, point, linear, angular);
    sum[dof] += mju_dot3 (linear, force) + mju_dot3 (angular, torque);
  }
}

static void
subtract (double to[3], double s, const double v[3])
{
  to[0] -= s * v[0];
  to[1] -= s * v[1];
  to[2] -= s * v[2];
}

/* M = L^T D L. Featherstone, 6.5: only ancestors of a freedom have entries in its row. */
void
trees_solve (const Trees *trees, const mjData *d, int low, double *x)
{
  const mjModel *m = trees->m;
  int high = trees->high[low];

  for (int i = high - 1; i >= low; i--) {
    const double *row = d->qLD + m->dof_Madr[i] + 1, *from = x + 3 * (i - low);

    if ((from[0] != 0 || from[1] != 0 || from[2] != 0) && m->dof_simplenum[i] == 0)
      for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
        subtract (x + 3 * (j - low), *row++, from);
  }
  for (int i = low; i < high; i++)
    mju_scl3 (x + 3 * (i - low), x + 3 * (i - low), d->qLDiagInv[i]);
  for (int i = low; i < high; i++) {
    const double *row = d->qLD + m->dof_Madr[i] + 1;

    if (m->dof_simplenum[i] == 0)
      for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
        subtract (x + 3 * (i - low), *row++, x + 3 * (j - low));
  }
}
