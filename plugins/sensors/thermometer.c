/* SPDX-License-Identifier: BSD-3-Clause */
/* The temperature of the air at the sensor. */
#include <orrery.h>

#include <math.h>

typedef struct {
  double temperature;
} ThermometerData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ThermometerData, temperature, "degC", "Temperature of the air"),
};

/* An object that is hot. */
typedef struct {
  guint object;
  double strength; /* degC, NAN: that of the property FireTemperature */
} Source;

/*
 * The temperature of the air, and what objects with the property FireTag add to it within Range:
 * each its temperature, or FireTemperature where the value of the tag is no number, by
 * exp (-Alpha d) at the distance d of its origin.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *tag;
  double ambient; /* degC */
  double fire;    /* degC */
  double range;   /* m */
  double alpha;   /* 1/m */
  OrreryWorld *world;
  GArray *sources; /* (element-type Source), in scene order */
  guint n_objects; /* of which those are sources */
} OrreryThermometer;
ORRERY_DEFINE_CLASS (OrreryThermometer, orrery_thermometer, OrrerySensor, orrery_sensor)

/* --- sources --- */

static double
get_strength (GVariant *tag)
{
  if (g_variant_is_of_type (tag, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (tag);
  if (g_variant_is_of_type (tag, G_VARIANT_TYPE_INT64))
    return (double) g_variant_get_int64 (tag);
  return NAN;
}

/* Among the objects that are new since the last look, too. */
static void
look_again (OrreryThermometer *self)
{
  guint n = orrery_world_get_n_objects (self->world);

  for (guint i = self->n_objects; i < n; i++) {
    GVariant *tag = orrery_object_get_value (orrery_world_get_object (self->world, i), self->tag);
    Source source = { i, tag != NULL ? get_strength (tag) : NAN };

    if (tag != NULL)
      g_array_append_val (self->sources, source);
  }
  self->n_objects = n;
}

static void
find_sources (OrreryPart *part)
{
  OrreryThermometer *self = (OrreryThermometer *) part;

  g_clear_pointer (&self->sources, g_array_unref);
  self->sources = g_array_new (FALSE, FALSE, sizeof (Source));
  self->n_objects = 0;
  if (self->world != NULL)
    look_again (self);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryThermometer, tag, "FireTag", "Fire",
                          "Property of objects that are sources", .changed = find_sources),
  ORRERY_PROPERTY_DOUBLE (OrreryThermometer, ambient, "DefaultTemperature", -1e9, 1e9, 15,
                          "Temperature without sources, degC; a number, or a text that is one",
                          .from_text = TRUE),
  ORRERY_PROPERTY_DOUBLE (OrreryThermometer, fire, "FireTemperature", -1e9, 1e9, 200,
                          "What a source adds whose tag is no number, degC"),
  ORRERY_PROPERTY_DOUBLE (OrreryThermometer, range, "Range", 0, G_MAXDOUBLE, (double) G_MAXINT64,
                          "How far a source is felt, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryThermometer, alpha, "Alpha", 0, 1e9, 0.2, "How fast it fades, 1/m"),
};

/* --- the sensor --- */

static void
orrery_thermometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryThermometer *self = (OrreryThermometer *) part;

  g_set_object (&self->world, orrery_setup_get_world (setup));
  find_sources (part);
}

static void
orrery_thermometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
  OrreryThermometer *self = (OrreryThermometer *) sensor;
  const OrreryVec3 *at = &orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  ThermometerData *out = orrery_record_data (record);

  if (self->n_objects != orrery_world_get_n_objects (self->world))
    look_again (self);
  out->temperature = self->ambient;
  for (guint i = 0; i < self->sources->len; i++) {
    const Source *source = &g_array_index (self->sources, Source, i);
    const OrreryVec3 *from = &orrery_snapshot_get_pose (snapshot, source->object)->position;
    double distance = orrery_vec3_distance (from, at);
    double strength = isnan (source->strength) ? self->fire : source->strength;

    if (distance < self->range &&
        orrery_object_is_present (orrery_world_get_object (self->world, source->object)))
      out->temperature += strength * exp (-self->alpha * distance);
  }
}

static void
orrery_thermometer_class_init (OrreryThermometerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_thermometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_thermometer_sense;
  ORRERY_CLASS_SET_DATA (klass, ThermometerData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryThermometer, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryThermometer, sources, g_array_unref);
}

ORRERY_PLUGIN ("Temperature of the air", "BSD-3-Clause",
               ORRERY_CLASS (Thermometer, OrreryThermometer, orrery_thermometer,
                             .thread_safe = TRUE))
