/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* The record of what drives a robot forwards and turns it, and the services that set it. */
typedef struct {
  double v;
  double w;
} SpeedData;

/* Gives the class this record, and set_speed and stop. */
void speed_class_init (OrreryActuatorClass *klass);
