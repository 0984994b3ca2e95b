/* SPDX-License-Identifier: BSD-3-Clause */
/* The time as the robot sees it: the timestamp that every sensor has, and nothing else. */
#include <orrery.h>

typedef struct {
  OrrerySensor parent_instance;
} OrreryClockSensor;
ORRERY_DEFINE_CLASS (OrreryClockSensor, orrery_clock_sensor, OrrerySensor, orrery_sensor)

static void
orrery_clock_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  /* The host has set the timestamp. */
}

static void
orrery_clock_sensor_class_init (OrreryClockSensorClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_clock_sensor_sense;
}

ORRERY_PLUGIN ("Time as the robot sees it", "BSD-3-Clause",
               ORRERY_CLASS (Clock, OrreryClockSensor, orrery_clock_sensor, .thread_safe = TRUE))
