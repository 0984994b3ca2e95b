/* SPDX-License-Identifier: BSD-3-Clause */
/* A battery that discharges with time and is charged in charging zones. */
#include <orrery.h>

#define FULL 100.0

typedef struct {
  double charge;
  OrreryText status;
} BatteryData;

static const OrreryField fields[] = {
  ORRERY_FIELD (BatteryData, charge, "%", "Charge, 0 to 100"),
  ORRERY_FIELD (BatteryData, status, "", "Charged, Charging or Discharging"),
};

/*
 * A battery that loses charge with the robot's time and gains it, at the same rate, while the
 * sensor is in a zone of the type Charging. An empty one has no effect on the robot. Time begins to
 * count with the first step. Modifiers change what is shown, not the charge.
 */
typedef struct {
  OrrerySensor parent_instance;
  double rate;
  GArray *zones; /* (element-type OrreryZone) */
  double charge;
  OrreryBool started;
  OrreryTime time; /* of the robot, in the previous step */
} OrreryBattery;
ORRERY_DEFINE_CLASS (OrreryBattery, orrery_battery, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryBattery, rate, "DischargingRate", 0, 1e9, 0.05,
                          "Charge lost in a second, and won in a zone for charging, %"),
};

static void
orrery_battery_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryBattery *self = (OrreryBattery *) part;
  BatteryData *data = orrery_record_data (orrery_setup_get_record (setup));

  g_clear_pointer (&self->zones, g_array_unref);
  self->zones = orrery_world_find_zones (orrery_setup_get_world (setup), "Charging", error);
  self->charge = data->charge = FULL;
  self->started = FALSE;
  orrery_text_set (&data->status, "Charged");
}

static gboolean
is_charging (OrreryBattery *self)
{
  const OrreryVec3 *place = &orrery_component_get_pose (ORRERY_COMPONENT (self))->position;

  for (guint i = 0; i < self->zones->len; i++)
    if (orrery_zone_contains (&g_array_index (self->zones, OrreryZone, i), place))
      return TRUE;
  return FALSE;
}

static void
orrery_battery_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryBattery *self = (OrreryBattery *) sensor;
  BatteryData *out = orrery_record_data (record);
  /* The timestamp is the robot's time. A clock that goes back moves no charge. */
  OrreryTime now = orrery_record_get_timestamp (record);
  double dt = self->started ? orrery_time_to_seconds (MAX (now - self->time, 0)) : 0;
  const char *status = "Discharging";

  if (is_charging (self)) {
    self->charge += dt * self->rate;
    status = self->charge > FULL ? "Charged" : "Charging";
  } else {
    self->charge -= dt * self->rate;
  }
  self->charge = CLAMP (self->charge, 0, FULL);
  self->started = TRUE;
  self->time = now;
  out->charge = self->charge;
  orrery_text_set (&out->status, status);
}

static void
orrery_battery_limit (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  limits->low = 0;
  limits->high = FULL;
}

static const OrreryField states[] = {
  ORRERY_STATE (OrreryBattery, charge),
  ORRERY_STATE (OrreryBattery, started),
  ORRERY_STATE (OrreryBattery, time),
};

static void
orrery_battery_class_init (OrreryBatteryClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_battery_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_battery_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_battery_limit;
  ORRERY_CLASS_SET_DATA (klass, BatteryData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryBattery, states);
  ORRERY_CLASS_OWNS (klass, OrreryBattery, zones, g_array_unref);
}

ORRERY_PLUGIN ("Charge of a battery", "BSD-3-Clause",
               ORRERY_CLASS (Battery, OrreryBattery, orrery_battery, .thread_safe = TRUE))
