/* SPDX-License-Identifier: BSD-3-Clause */
/* A displacement of the robot that ends exactly where it should. */
#include "full_step.h"

#include <math.h>

double
full_step (double error, double reach, double tolerance)
{
  if (fabs (error) <= tolerance)
    return 0;
  if (reach > 2 * tolerance && fabs (error) <= reach)
    return error;
  return error < 0 ? -reach : reach;
}
