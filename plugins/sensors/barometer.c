/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the pressure of the air at the height of the sensor. */
#include <orrery.h>

#include <math.h>

/* The standard atmosphere (ISO 2533:1975) below 11 km. */
#define TEMPERATURE 288.15   /* K, at the reference */
#define LAPSE 0.0065         /* K/m */
#define MOLAR_MASS 0.0289644 /* kg/mol, of dry air */
#define GAS_CONSTANT 8.31447 /* J/(mol K) */
#define DEFAULT_REFERENCE 101325.0

typedef struct {
  double pressure;
} BarometerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (BarometerData, pressure, "Pa", "Pressure of the air"),
};

/*
 * The pressure of the air by the height above where the sensor started, where it is that of
 * reference: p = p0 (1 - L h / T)^(g M / (R L)), with the gravity of the scene. Above 44 km, where
 * that temperature would be none, it is 0.
 */
typedef struct {
  OrrerySensor parent_instance;
  double reference; /* Pa */
  double start;     /* m, world z */
  double exponent;
} OrreryBarometer;
ORRERY_DEFINE_CLASS (OrreryBarometer, orrery_barometer, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryBarometer, reference, "ReferencePressure", 0, 1e9,
                          DEFAULT_REFERENCE, "Pressure where the sensor starts, Pa"),
};

static void
orrery_barometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryBarometer *self = (OrreryBarometer *) part;
  double gravity = fabs (orrery_world_get_gravity (orrery_setup_get_world (setup))->z);

  self->start = orrery_component_get_pose (ORRERY_COMPONENT (part))->position.z;
  self->exponent = gravity * MOLAR_MASS / (GAS_CONSTANT * LAPSE);
}

static void
orrery_barometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryBarometer *self = (OrreryBarometer *) sensor;
  double z = orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position.z;
  BarometerData *out = orrery_record_data (record);
  double share = 1 - LAPSE * (z - self->start) / TEMPERATURE;

  out->pressure = share > 0 ? self->reference * pow (share, self->exponent) : 0;
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryBarometer, start),
};

static void
orrery_barometer_class_init (OrreryBarometerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_barometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_barometer_sense;
  ORRERY_CLASS_SET_DATA (klass, BarometerData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryBarometer, states);
}

ORRERY_PLUGIN ("Pressure of the air", "BSD-3-Clause",
               ORRERY_CLASS (Barometer, OrreryBarometer, orrery_barometer, .thread_safe = TRUE))
