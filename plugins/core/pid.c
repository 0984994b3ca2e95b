/* SPDX-License-Identifier: BSD-3-Clause */
/* A PID controller as MORSE's robots have it. */
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

void
pid_class_init (OrreryPartClass *klass, gssize place)
{
  static const OrreryField states[] = {
    ORRERY_STATE (Pid, set_point), ORRERY_STATE (Pid, sum),   ORRERY_STATE (Pid, error),
    ORRERY_STATE (Pid, time),      ORRERY_STATE (Pid, begun),
  };

  orrery_part_class_add_state (klass, states, G_N_ELEMENTS (states), sizeof (Pid), place);
}
