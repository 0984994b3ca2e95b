/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * The controller of MORSE's robots: the integral is the sum of the errors of all steps, whatever
 * their length, within a limit; a step of the set-point resets the controller.
 */
typedef struct {
  double p, d, i; /* gains: of the error, of its change per second, of the sum of errors */
  double limit;   /* of that sum, to both sides */

  double set_point;
  double sum;
  double error;     /* of the step before */
  OrreryTime time;  /* of that step */
  OrreryBool begun; /* there was one */
} Pid;

/* What the controller asks for in a step at @now. The first one has no change of an error. */
double pid_step (Pid *pid, double set_point, double measured, OrreryTime now);

/* The state. @place: offset of the Pid in the struct. */
void pid_class_init (OrreryPartClass *klass, gssize place);
