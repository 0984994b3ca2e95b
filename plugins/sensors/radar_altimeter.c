/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance to what is below the sensor. */
#include <orrery.h>

#include <math.h>

typedef struct {
  double z;
} RadarAltimeterData;

static const OrreryField fields[] = {
  ORRERY_FIELD (RadarAltimeterData, z, "m",
                "Distance to what is below the sensor; infinite beyond MaxRange"),
};

/* A ray straight down in the world, however the sensor is turned; it does not meet its robot. */
typedef struct {
  OrrerySensor parent_instance;
  double max_range;
  OrreryRaycaster *rays; /* borrowed */
  guint robot;           /* index of its object, or ORRERY_RAYS_SKIP_NOTHING */
} OrreryRadarAltimeter;
ORRERY_DEFINE_CLASS (OrreryRadarAltimeter, orrery_radar_altimeter, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryRadarAltimeter, max_range, "MaxRange", 1e-3, 1e6, 30,
                          "How far it sees, m"),
};

static void
orrery_radar_altimeter_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRadarAltimeter *self = (OrreryRadarAltimeter *) part;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  self->rays = orrery_setup_get_rays (setup, error);
  self->robot = robot != NULL ? orrery_object_get_index (orrery_component_get_object (robot))
                              : ORRERY_RAYS_SKIP_NOTHING;
}

static void
orrery_radar_altimeter_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                              GError **error)
{
  OrreryRadarAltimeter *self = (OrreryRadarAltimeter *) sensor;
  RadarAltimeterData *out = orrery_record_data (record);
  OrreryRay ray = { orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position,
                    { 0, 0, -1 },
                    0,
                    self->max_range };
  OrreryRays batch = { &ray, 1, ORRERY_SIGHT_OUTSIDE, self->robot };
  OrreryHit hit;

  /* A hit of nothing is infinitely far. */
  if (orrery_raycaster_cast (self->rays, orrery_tick_get_snapshot (tick), &batch, &hit, error))
    out->z = hit.distance;
}

static void
orrery_radar_altimeter_limit (OrrerySensor *sensor, const OrreryField *field,
                              OrreryFieldLimits *limits)
{
  *limits = (OrreryFieldLimits){ 0, ((OrreryRadarAltimeter *) sensor)->max_range, INFINITY, FALSE };
}

static void
orrery_radar_altimeter_class_init (OrreryRadarAltimeterClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_radar_altimeter_limit;
  ORRERY_PART_CLASS (klass)->setup = orrery_radar_altimeter_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_radar_altimeter_sense;
  ORRERY_CLASS_SET_DATA (klass, RadarAltimeterData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Height above what is below", "BSD-3-Clause",
               ORRERY_CLASS (RadarAltimeter, OrreryRadarAltimeter, orrery_radar_altimeter,
                             .thread_safe = TRUE))
