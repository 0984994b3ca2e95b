/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Where bodies are, and what their trees turn about: made once for each state. */

#include "model.h"

typedef struct {
  double *state;  /* nq + 7 nmocap: what those in the data were made of */
  double *given;  /* nq: those positions before their quaternions were made ones of length 1 */
  gboolean known; /* it is that */
} Frames;

void frames_init (Frames *frames, const mjModel *m);

void frames_clear (Frames *frames);
/* mj_kinematics() and mj_comPos(), which depend on positions alone, unless they would find the
 * same.
 */
void frames_update (Frames *frames, const mjModel *m, mjData *d);
/* The first alone, for whoever asks between two substeps. */
void frames_update_bodies (Frames *frames, const mjModel *m, mjData *d);
/* The positions that give these frames again; those in the data differ in the last digit, and would
 * once more. */
const double *frames_get_given (const Frames *frames, const mjModel *m, const mjData *d);
