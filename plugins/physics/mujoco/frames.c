/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of bodies and joints, computed anew only when something has moved. */
#include "frames.h"

#include <string.h>

/* Joints, then bodies that are put. */
static gboolean
is_known (const Frames *frames, const mjModel *m, const mjData *d)
{
  gsize nq = (gsize) m->nq, n = (gsize) m->nmocap;
  const double *s = frames->state;

  return frames->known && memcmp (s, d->qpos, nq * sizeof *s) == 0 &&
         memcmp (s + nq, d->mocap_pos, 3 * n * sizeof *s) == 0 &&
         memcmp (s + nq + 3 * n, d->mocap_quat, 4 * n * sizeof *s) == 0;
}

static void
note (Frames *frames, const mjModel *m, const mjData *d)
{
  gsize nq = (gsize) m->nq, n = (gsize) m->nmocap;
  double *s = frames->state;

  memcpy (s, d->qpos, nq * sizeof *s);
  memcpy (s + nq, d->mocap_pos, 3 * n * sizeof *s);
  memcpy (s + nq + 3 * n, d->mocap_quat, 4 * n * sizeof *s);
  frames->known = TRUE;
}

void
frames_init (Frames *frames, const mjModel *m)
{
  frames->state = g_new (double, (gsize) m->nq + 7 * (gsize) m->nmocap + 1);
  frames->given = g_new (double, (gsize) m->nq + 1);
  frames->known = FALSE;
}

void
frames_clear (Frames *frames)
{
  g_clear_pointer (&frames->state, g_free);
  g_clear_pointer (&frames->given, g_free);
}

void
frames_update (Frames *frames, const mjModel *m, mjData *d)
{
  if (is_known (frames, m, d))
    return;
  memcpy (frames->given, d->qpos, (gsize) m->nq * sizeof (double));
  mj_kinematics (m, d);
  mj_comPos (m, d);
  /* After it, since it makes quaternions ones of length 1. */
  note (frames, m, d);
}

void
frames_update_bodies (Frames *frames, const mjModel *m, mjData *d)
{
  if (is_known (frames, m, d))
    return;
  mj_kinematics (m, d);
  frames->known = FALSE;
}

const double *
frames_get_given (const Frames *frames, const mjModel *m, const mjData *d)
{
  return is_known (frames, m, d) ? frames->given : d->qpos;
}
