/* SPDX-License-Identifier: BSD-3-Clause */
#include "pid.h"

#include <math.h>

/* A set-point that changes by more than this begins anew. */
#define LEAP 0.1

double
pid_step (Pid *pid, double set_point, double measured, OrreryTime now)
{
  double error = set_point - measured;
  double limit = fabs (pid->limit);
  double change = 0;

  if (fabs (set_point - pid->set_point) > LEAP) {
    pid->sum = 0;
    pid->begun = FALSE;
  }
  if (pid->begun && now > pid->time)
    change = (error - pid->error) / orrery_time_to_seconds (now - pid->time);
  pid->sum = CLAMP (pid->sum + error, -limit, limit);
  pid->set_point = set_point;
  pid->error = error;
  pid->time = now;
  pid->begun = TRUE;
  return pid->p * error + pid->i * pid->sum + pid->d * change;
}

GVariant *
pid_save (const Pid *pid)
{
  return g_variant_new (PID_STATE, pid->set_point, pid->sum, pid->error, pid->time, pid->begun);
}

void
pid_restore (Pid *pid, GVariant *state)
{
  g_variant_get (state, PID_STATE, &pid->set_point, &pid->sum, &pid->error, &pid->time,
                 &pid->begun);
}
