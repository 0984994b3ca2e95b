/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What holds objects beside their parents: couplings of joints, points, welds. */

#include "engine.h"

/* Adds elements of MuJoCo's <equality> and <contact>, and marks what they hold as taken. */
void constraints_write (GString *xml, GString *contact, OrreryWorld *world, GPtrArray *things);

/* A joint that follows another, both the engine's. */
typedef struct {
  CouplingOrder order; /* by dof */
  const OrreryConstraint *coupling;
  int dof;
  int leader_dof;
  int leader_qpos;
} Coupling;

/* Returns: (element-type Coupling): leaders before what follows them. */
GArray *constraints_find_couplings (GPtrArray *things);
/* What is wanted of a joint is wanted of those that follow it. */
void constraints_spread (GArray *couplings, const mjData *d, double *wanted, guint8 *driven);
/* Adds to the effort of a leading joint what moves those that follow it; @share: nv. */
void constraints_gather (GArray *couplings, const mjData *d, const double *implied, double *share);
