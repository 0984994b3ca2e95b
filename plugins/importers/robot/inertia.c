/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns moments of inertia from one frame to another. */
#include "inertia.h"

void
inertia_turn (const double parts[6], const OrreryQuat *turned, OrreryInertial *out)
{
  const double m[3][3] = { { parts[0], parts[3], parts[4] },
                           { parts[3], parts[1], parts[5] },
                           { parts[4], parts[5], parts[2] } };
  double r[3][3], sum[3][3] = { { 0 } };

  for (guint k = 0; k < 3; k++) {
    OrreryVec3 e = { k == 0, k == 1, k == 2 };

    orrery_quat_rotate (turned, &e, &e);
    r[0][k] = e.x;
    r[1][k] = e.y;
    r[2][k] = e.z;
  }
  for (guint i = 0; i < 81; i++) {
    guint a = i / 27, b = i / 9 % 3, c = i / 3 % 3, d = i % 3;

    sum[a][b] += r[a][c] * m[c][d] * r[b][d];
  }
  out->xx = sum[0][0];
  out->yy = sum[1][1];
  out->zz = sum[2][2];
  out->xy = sum[0][1];
  out->xz = sum[0][2];
  out->yz = sum[1][2];
}
