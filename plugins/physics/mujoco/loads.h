/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/*
 * What is measured where it is asked for: friction at contacts, and wrenches of joints, by MuJoCo's
 * own mj_rnePostConstraint() for the motion that a substep came to. Tick thread only.
 */

#include "engine.h"

typedef struct {
  GPtrArray *joints; /* (element-type Thing): whose wrench is asked for; borrowed */
  GArray *wrenches;  /* (element-type OrreryWrench): of the last substep */
  double *before;    /* nv: velocities where the substep begins */
  double *kept;      /* nv: MuJoCo's accelerations, meanwhile */
} Loads;

void loads_init (Loads *loads, const mjModel *m, GPtrArray *things, OrreryWorld *world);
void loads_clear (Loads *loads);
/* Where a substep begins. */
void loads_begin (Loads *loads, const mjModel *m, const mjData *d);
/* At its end, when velocities are those of then, and places are still those of the begin. */
void loads_measure (Loads *loads, const Rub *rub, const OrreryVec3 *gravity, double dt);
void loads_report (const Loads *loads, OrrerySnapshot *snapshot);
