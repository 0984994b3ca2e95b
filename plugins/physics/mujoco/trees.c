/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums along trees of joints: forces, and what an impulse changes. */
#include "trees.h"

#include <math.h>

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

/* All bodies of a tree have one root, and its centre. */
void
trees_get_arm (const Trees *trees, const mjData *d, int body, const double point[3], double arm[3])
{
  const double *centre = d->subtree_com + 3 * trees->m->body_rootid[body];

  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - centre[k];
}

void
trees_add_force (const Trees *trees, const mjData *d, int body, const double point[3],
                 const double force[3], const double torque[3], double *sum)
{
  double arm[3];

  trees_get_arm (trees, d, body, point, arm);
  for (int dof = trees_get_last (trees, body); dof >= 0; dof = trees->m->dof_parentid[dof]) {
    double way[6];

    trees_get_way (d, dof, arm, way);
    sum[dof] += way[0] * force[0] + way[1] * force[1] + way[2] * force[2] + way[3] * torque[0] +
                way[4] * torque[1] + way[5] * torque[2];
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

void
trees_fold (const Trees *trees, const mjData *d, int low, const int *freedoms, guint n, guint width,
            double *x)
{
  const mjModel *m = trees->m;

  for (guint k = 0; k < n; k++) {
    int i = freedoms[k] + low;
    const double *row = d->qLD + m->dof_Madr[i] + 1;
    double *from = x + 6 * freedoms[k], root = sqrt (d->qLDiagInv[i]);
    gboolean simple = m->dof_simplenum[i] != 0;

    for (int j = m->dof_parentid[i]; j >= 0 && !simple; j = m->dof_parentid[j]) {
      double *to = x + 6 * (j - low);

      subtract (to, *row, from);
      if (width == 6)
        subtract (to + 3, *row, from + 3);
      row++;
    }
    for (guint c = 0; c < width; c++)
      from[c] *= root;
  }
}

void
trees_unfold (const Trees *trees, const mjData *d, int low, double *x)
{
  const mjModel *m = trees->m;

  for (int i = low; i < trees->high[low]; i++) {
    const double *row = d->qLD + m->dof_Madr[i] + 1;

    x[i - low] *= sqrt (d->qLDiagInv[i]);
    for (int j = m->dof_parentid[i]; j >= 0 && m->dof_simplenum[i] == 0; j = m->dof_parentid[j])
      x[i - low] -= *row++ * x[j - low];
  }
}
