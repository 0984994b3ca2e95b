/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of actuators that are given a speed and a turn rate. */
#include "speed.h"

static const OrreryField fields[] = {
  ORRERY_FIELD (SpeedData, v, "m/s", "Speed forwards"),
  ORRERY_FIELD (SpeedData, w, "rad/s", "Turn rate about the robot's z axis"),
};

static void
set_speed (OrreryPart *part, OrreryCall *call, GError **error)
{
  *(SpeedData *) orrery_component_get_data (part) =
      (SpeedData){ orrery_call_get_double (call, 0), orrery_call_get_double (call, 1) };
}

static void
stop (OrreryPart *part, OrreryCall *call, GError **error)
{
  *(SpeedData *) orrery_component_get_data (part) = (SpeedData){ 0, 0 };
}

static const OrreryService services[] = {
  { "set_speed", set_speed, ORRERY_SERVICE_IMMEDIATE, "v:d w:d", "Sets both speeds" },
  { "stop", stop, ORRERY_SERVICE_IMMEDIATE, "", "Sets both speeds to zero" },
};

void
speed_class_init (OrreryActuatorClass *klass)
{
  ORRERY_CLASS_SET_DATA (klass, SpeedData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}
