/* SPDX-License-Identifier: BSD-3-Clause */
#include "magnetic.h"

typedef struct {
  double x, y, z;
} MagnetometerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MagnetometerData, x, "nT", "Magnetic field of the Earth in the sensor's axes, x"),
  ORRERY_FIELD (MagnetometerData, y, "nT", "Magnetic field of the Earth in the sensor's axes, y"),
  ORRERY_FIELD (MagnetometerData, z, "nT", "Magnetic field of the Earth in the sensor's axes, z"),
};

/* Which coefficients; by date those of the newest model that has begun. */
typedef enum {
  MODEL_BY_DATE = -1,
} ModelByDate;

static GType
get_model_type (void)
{
  static GType type;
  static GEnumValue values[MAGNETIC_N_MODELS + 2] = { { MODEL_BY_DATE, "MODEL_BY_DATE", "Date" } };

  if (type == 0) {
    for (guint i = 0; i < MAGNETIC_N_MODELS; i++)
      values[i + 1] = (GEnumValue){ (int) i, magnetic_models[i].name, magnetic_models[i].name };
    type = g_enum_register_static ("OrreryMagneticModel", values);
  }
  return type;
}

/* The Earth's magnetic field at the sensor; the environment says where on the Earth it is. */
G_DECLARE_FINAL_TYPE (OrreryMagnetometer, orrery_magnetometer, ORRERY, MAGNETOMETER, OrrerySensor)
struct _OrreryMagnetometer {
  OrrerySensor parent_instance;
  Magnetic magnetic;
};
G_DEFINE_FINAL_TYPE (OrreryMagnetometer, orrery_magnetometer, ORRERY_TYPE_SENSOR)

enum { PROP_DATE = 1, PROP_WORLD_AXES, PROP_MODEL };

static void
orrery_magnetometer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  Magnetic *magnetic = &ORRERY_MAGNETOMETER (object)->magnetic;

  switch (id) {
  case PROP_DATE:
    magnetic_set_date (magnetic, g_value_get_double (value));
    break;
  case PROP_WORLD_AXES:
    magnetic->world_axes = g_value_get_boolean (value);
    break;
  case PROP_MODEL:
    magnetic->has_model = g_value_get_enum (value) != MODEL_BY_DATE;
    magnetic->model = magnetic->has_model ? (MagneticModelName) g_value_get_enum (value) : 0;
    magnetic->ready = FALSE;
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_magnetometer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  Magnetic *magnetic = &ORRERY_MAGNETOMETER (object)->magnetic;

  switch (id) {
  case PROP_DATE:
    g_value_set_double (value, magnetic->date);
    break;
  case PROP_WORLD_AXES:
    g_value_set_boolean (value, magnetic->world_axes);
    break;
  case PROP_MODEL:
    g_value_set_enum (value, magnetic->has_model ? (int) magnetic->model : MODEL_BY_DATE);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_magnetometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  magnetic_setup (&ORRERY_MAGNETOMETER (part)->magnetic, orrery_setup_get_world (setup), error);
}

static void
orrery_magnetometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                           GError **error)
{
  MagnetometerData *out = orrery_record_data (record);
  OrreryVec3 field;

  magnetic_measure (&ORRERY_MAGNETOMETER (sensor)->magnetic, tick,
                    orrery_component_get_pose (ORRERY_COMPONENT (sensor)), &field);
  out->x = field.x;
  out->y = field.y;
  out->z = field.z;
}

static void
orrery_magnetometer_finalize (GObject *object)
{
  magnetic_clear (&ORRERY_MAGNETOMETER (object)->magnetic);
  G_OBJECT_CLASS (orrery_magnetometer_parent_class)->finalize (object);
}

static void
orrery_magnetometer_class_init (OrreryMagnetometerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_magnetometer_set_property;
  object_class->get_property = orrery_magnetometer_get_property;
  object_class->finalize = orrery_magnetometer_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_magnetometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_magnetometer_sense;
  ORRERY_CLASS_SET_DATA (klass, MagnetometerData, fields);

  g_object_class_install_property (object_class, PROP_DATE, magnetic_date_pspec ());
  g_object_class_install_property (object_class, PROP_WORLD_AXES, magnetic_axes_pspec ());
  g_object_class_install_property (
      object_class, PROP_MODEL,
      g_param_spec_enum ("model", "Model",
                         "Coefficients of the World Magnetic Model; Date: the newest of the date",
                         get_model_type (), MODEL_BY_DATE,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
}

static void
orrery_magnetometer_init (OrreryMagnetometer *self)
{
  self->magnetic.date = 2025;
}

ORRERY_PLUGIN ("Magnetic field of the Earth", "BSD-3-Clause",
               ORRERY_CLASS (Magnetometer, OrreryMagnetometer, orrery_magnetometer,
                             .thread_safe = TRUE))
