/* SPDX-License-Identifier: BSD-3-Clause */
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
G_DECLARE_FINAL_TYPE (OrreryThermometer, orrery_thermometer, ORRERY, THERMOMETER, OrrerySensor)
struct _OrreryThermometer {
  OrrerySensor parent_instance;
  char *tag;
  double options[4];
  OrreryWorld *world;
  GArray *sources; /* (element-type Source), in scene order */
};
G_DEFINE_FINAL_TYPE (OrreryThermometer, orrery_thermometer, ORRERY_TYPE_SENSOR)

enum { AMBIENT, FIRE, RANGE, ALPHA, N_OPTIONS };
enum { PROP_TAG = 1, PROP_OPTIONS, N_PROPERTIES = PROP_OPTIONS + N_OPTIONS };

static GParamSpec *properties[N_PROPERTIES];

static const struct {
  const char *name, *nick, *words;
  double low, high, fallback;
} options[] = {
  { "default-temperature", "DefaultTemperature", "Temperature without sources, degC", -1e9, 1e9,
    15 },
  { "fire-temperature", "FireTemperature", "What a source adds whose tag is no number, degC", -1e9,
    1e9, 200 },
  { "range", "Range", "How far a source is felt, m", 0, G_MAXDOUBLE, G_MAXDOUBLE },
  { "alpha", "Alpha", "How fast it fades, 1/m", 0, 1e9, 0.2 },
};

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

static void
find_sources (OrreryThermometer *self)
{
  g_array_set_size (self->sources, 0);
  for (guint i = 0; self->world != NULL && i < orrery_world_get_n_objects (self->world); i++) {
    GVariant *tag = orrery_object_get_value (orrery_world_get_object (self->world, i), self->tag);
    Source source = { i, tag != NULL ? get_strength (tag) : NAN };

    if (tag != NULL)
      g_array_append_val (self->sources, source);
  }
}

/* --- properties --- */

static void
orrery_thermometer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryThermometer *self = ORRERY_THERMOMETER (object);

  if (id >= PROP_OPTIONS && id < N_PROPERTIES) {
    self->options[id - PROP_OPTIONS] = g_value_get_double (value);
  } else if (id == PROP_TAG) {
    g_free (self->tag);
    self->tag = g_strdup (g_value_get_string (value) != NULL ? g_value_get_string (value) : "");
    find_sources (self);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_thermometer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryThermometer *self = ORRERY_THERMOMETER (object);

  if (id >= PROP_OPTIONS && id < N_PROPERTIES)
    g_value_set_double (value, self->options[id - PROP_OPTIONS]);
  else if (id == PROP_TAG)
    g_value_set_string (value, self->tag);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* --- the sensor --- */

static void
orrery_thermometer_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryThermometer *self = ORRERY_THERMOMETER (part);

  g_set_object (&self->world, orrery_setup_get_world (setup));
  find_sources (self);
}

static void
orrery_thermometer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
  OrreryThermometer *self = ORRERY_THERMOMETER (sensor);
  const OrreryVec3 *at = &orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  ThermometerData *out = orrery_record_data (record);

  out->temperature = self->options[AMBIENT];
  for (guint i = 0; i < self->sources->len; i++) {
    const Source *source = &g_array_index (self->sources, Source, i);
    const OrreryVec3 *from = &orrery_snapshot_get_pose (snapshot, source->object)->position;
    OrreryVec3 way = { from->x - at->x, from->y - at->y, from->z - at->z };
    double distance = orrery_vec3_length (&way);
    double strength = isnan (source->strength) ? self->options[FIRE] : source->strength;

    if (distance < self->options[RANGE])
      out->temperature += strength * exp (-self->options[ALPHA] * distance);
  }
}

static void
orrery_thermometer_finalize (GObject *object)
{
  OrreryThermometer *self = ORRERY_THERMOMETER (object);

  g_clear_pointer (&self->tag, g_free);
  g_clear_object (&self->world);
  g_array_unref (self->sources);
  G_OBJECT_CLASS (orrery_thermometer_parent_class)->finalize (object);
}

static void
orrery_thermometer_class_init (OrreryThermometerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_thermometer_set_property;
  object_class->get_property = orrery_thermometer_get_property;
  object_class->finalize = orrery_thermometer_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_thermometer_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_thermometer_sense;
  ORRERY_CLASS_SET_DATA (klass, ThermometerData, fields);

  properties[PROP_TAG] =
      g_param_spec_string ("fire-tag", "FireTag", "Property of objects that are sources", "Fire",
                           flags);
  for (guint i = 0; i < N_OPTIONS; i++)
    properties[PROP_OPTIONS + i] =
        g_param_spec_double (options[i].name, options[i].nick, options[i].words, options[i].low,
                             options[i].high, options[i].fallback, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_thermometer_init (OrreryThermometer *self)
{
  self->tag = g_strdup ("Fire");
  self->sources = g_array_new (FALSE, FALSE, sizeof (Source));
  for (guint i = 0; i < N_OPTIONS; i++)
    self->options[i] = options[i].fallback;
}

ORRERY_PLUGIN ("Temperature of the air", "BSD-3-Clause",
               ORRERY_CLASS (Thermometer, OrreryThermometer, orrery_thermometer,
                             .thread_safe = TRUE))
