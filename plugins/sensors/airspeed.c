/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the pressure that the speed through the air makes. */
#include "motion.h"

/* kg/m3, of dry air at 15 degrees Celsius and 101325 Pa. */
#define AIR_DENSITY 1.225

typedef struct {
  double diff_pressure;
} AirspeedData;

static const OrreryField fields[] = {
  ORRERY_FIELD (AirspeedData, diff_pressure, "Pa", "Pressure of the air that comes from ahead"),
};

/*
 * A Pitot tube along the sensor's x axis: 1/2 rho v^2 of the velocity along it, in air that stands
 * still. By position the velocity is the displacement since the last step times the frequency, also
 * where the sensor runs at another rate.
 */
typedef struct {
  OrrerySensor parent_instance;
  Motion motion;
} OrreryAirspeed;
ORRERY_DEFINE_CLASS (OrreryAirspeed, orrery_airspeed, OrrerySensor, orrery_sensor)

static void
orrery_airspeed_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  motion_setup (&((OrreryAirspeed *) part)->motion, part, error);
}

static void
orrery_airspeed_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  Motion *motion = &((OrreryAirspeed *) sensor)->motion;
  AirspeedData *out = orrery_record_data (record);
  MotionVelocity velocity;

  motion_read_velocity (motion, tick, record,
                        orrery_component_get_period (ORRERY_COMPONENT (sensor)), &velocity);
  out->diff_pressure = AIR_DENSITY / 2 * velocity.linear.x * velocity.linear.x;
}

static void
orrery_airspeed_class_init (OrreryAirspeedClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_airspeed_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_airspeed_sense;
  ORRERY_CLASS_SET_DATA (klass, AirspeedData, fields);
  motion_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryAirspeed, motion));
}

ORRERY_PLUGIN ("Dynamic pressure of the air", "BSD-3-Clause",
               ORRERY_CLASS (Airspeed, OrreryAirspeed, orrery_airspeed, .thread_safe = TRUE))
