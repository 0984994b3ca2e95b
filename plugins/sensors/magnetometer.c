/* SPDX-License-Identifier: BSD-3-Clause */
/* The magnetic field of the Earth in the axes of the sensor. */
#include "magnetic.h"

typedef struct {
  double x, y, z;
} MagnetometerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MagnetometerData, x, "nT", "Magnetic field of the Earth in the sensor's axes, x"),
  ORRERY_FIELD (MagnetometerData, y, "nT", "Magnetic field of the Earth in the sensor's axes, y"),
  ORRERY_FIELD (MagnetometerData, z, "nT", "Magnetic field of the Earth in the sensor's axes, z"),
};

/* The Earth's magnetic field at the sensor; the environment says where on the Earth it is. */
typedef struct {
  OrrerySensor parent_instance;
  Magnetic magnetic;
} OrreryMagnetometer;
ORRERY_DEFINE_CLASS (OrreryMagnetometer, orrery_magnetometer, OrrerySensor, orrery_sensor)

static void
orrery_magnetometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  magnetic_setup (&((OrreryMagnetometer *) part)->magnetic, orrery_setup_get_world (setup), error);
}

static void
orrery_magnetometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  MagnetometerData *out = orrery_record_data (record);
  OrreryVec3 field;

  magnetic_measure (&((OrreryMagnetometer *) sensor)->magnetic, tick,
                    orrery_component_get_pose (ORRERY_COMPONENT (sensor)), &field);
  out->x = field.x;
  out->y = field.y;
  out->z = field.z;
}

static void
note_date (OrreryPart *part)
{
  magnetic_note_date (&((OrreryMagnetometer *) part)->magnetic);
}

static void
note_model (OrreryPart *part)
{
  magnetic_note_model (&((OrreryMagnetometer *) part)->magnetic);
}

static void
orrery_magnetometer_class_init (OrreryMagnetometerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_magnetometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_magnetometer_sense;
  ORRERY_CLASS_SET_DATA (klass, MagnetometerData, fields);
  magnetic_class_init (ORRERY_PART_CLASS (klass), offsetof (OrreryMagnetometer, magnetic),
                       note_date, note_model);
  ORRERY_CLASS_OWNS (klass, OrreryMagnetometer, magnetic.geodesy, orrery_geodesy_unref);
}

ORRERY_PLUGIN ("Magnetic field of the Earth", "BSD-3-Clause",
               ORRERY_CLASS (Magnetometer, OrreryMagnetometer, orrery_magnetometer,
                             .thread_safe = TRUE))
