/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of sensors. */
#include "roles/orrery-sensor.h"

#include "part/orrery-call-private.h"
#include "roles/orrery-component-private.h"

#include <math.h>

ORRERY_DEFINE_ABSTRACT_TYPE (OrrerySensor, orrery_sensor, ORRERY_TYPE_COMPONENT)

GType
orrery_computation_get_type (void)
{
  static const GEnumValue values[] = {
    { ORRERY_COMPUTATION_AUTOMATIC, "ORRERY_COMPUTATION_AUTOMATIC", "Automatic" },
    { ORRERY_COMPUTATION_VELOCITY, "ORRERY_COMPUTATION_VELOCITY", "Velocity" },
    { ORRERY_COMPUTATION_POSITION, "ORRERY_COMPUTATION_POSITION", "Position" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("OrreryComputation", values));
  return type;
}

void
orrery_sensor_get_limits (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  OrrerySensorClass *klass;

  g_return_if_fail (ORRERY_IS_SENSOR (sensor));
  g_return_if_fail (field != NULL && limits != NULL);

  klass = ORRERY_SENSOR_GET_CLASS (sensor);
  *limits = (OrreryFieldLimits){ -INFINITY, INFINITY, NAN, FALSE };
  if (klass->limit != NULL)
    klass->limit (sensor, field, limits);
}

void
orrery_sensor_follow_field (OrrerySensor *sensor, const OrreryField *field)
{
  OrrerySensorClass *klass;

  g_return_if_fail (ORRERY_IS_SENSOR (sensor));
  g_return_if_fail (field != NULL);

  klass = ORRERY_SENSOR_GET_CLASS (sensor);
  if (klass->follow != NULL)
    klass->follow (sensor, orrery_component_get_record (ORRERY_COMPONENT (sensor)), field);
}

static void
get_local_data (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (ORRERY_COMPONENT (part));
  g_autoptr (GVariant) value = NULL;

  if (orrery_component_await_record (ORRERY_COMPONENT (part), call)) {
    orrery_call_hold (call);
    return;
  }
  value = orrery_record_to_variant (record);
  orrery_call_return (call, value);
}

static const OrreryService services[] = {
  { "get_local_data", get_local_data, ORRERY_SERVICE_IMMEDIATE, "", "The present record" },
};

static void
orrery_sensor_constructed (GObject *object)
{
  G_OBJECT_CLASS (orrery_sensor_parent_class)->constructed (object);
  /* That it has a time at all makes it a sensor's record. */
  orrery_record_set_timestamp (orrery_component_get_record (ORRERY_COMPONENT (object)), 0);
}

static void
orrery_sensor_class_init (OrrerySensorClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = orrery_sensor_constructed;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}
