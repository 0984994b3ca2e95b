/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of several sensors as one record. */
#include <orrery.h>

/*
 * Several sensors as one record: a field for each, named as it is, with its data of the same tick.
 * Those that `sensors` names, by their full names, or else all sensors below it.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *sensors;
} OrreryCompoundSensor;
ORRERY_DEFINE_CLASS (OrreryCompoundSensor, orrery_compound_sensor, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryCompoundSensor, sensors, "sensors", "",
                          "Full names of sensors, with commas between; empty: all below it",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static void
find_below (OrrerySetup *setup, OrreryObject *object, GPtrArray *found)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryComponent *component =
        orrery_setup_find_component (setup, orrery_object_get_name (children->pdata[i]));

    if (component != NULL && ORRERY_IS_SENSOR (component))
      g_ptr_array_add (found, component);
    find_below (setup, children->pdata[i], found);
  }
}

/* MORSE leaves those out that it does not know, too. */
static void
find_named (OrreryCompoundSensor *self, OrrerySetup *setup, GPtrArray *found)
{
  g_auto (GStrv) names = g_strsplit (self->sensors, ",", -1);

  for (char **each = names; *each != NULL; each++) {
    const char *name = g_strstrip (*each);
    OrreryComponent *component = *name != '\0' ? orrery_setup_find_component (setup, name) : NULL;

    if (*name == '\0' || g_ptr_array_find (found, component, NULL))
      continue;
    if (component != NULL && ORRERY_IS_SENSOR (component) &&
        component != orrery_setup_get_component (setup))
      g_ptr_array_add (found, component);
    else
      orrery_part_warning (
          self,
          "'sensors' names '%.60s', which is not another sensor of this scene: it is "
          "left out; use full names, separated by commas",
          name);
  }
}

static gboolean
set_schema (OrrerySetup *setup, GPtrArray *found, GError **error)
{
  g_autoptr (OrrerySchema) schema = NULL;
  GVariantBuilder fields;

  g_variant_builder_init (&fields, G_VARIANT_TYPE ("a(ssss)"));
  for (guint i = 0; i < found->len; i++)
    g_variant_builder_add (&fields, "(ssss)", orrery_part_get_name (found->pdata[i]), "record", "",
                           "Its data");
  schema = orrery_schema_new_from_variant (g_variant_builder_end (&fields), error);
  if (schema != NULL)
    orrery_setup_set_schema (setup, schema);
  return schema != NULL;
}

static void
orrery_compound_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryCompoundSensor *self = (OrreryCompoundSensor *) part;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  orrery_setup_set_on_demand (setup);
  if (*self->sensors == '\0')
    find_below (setup, orrery_setup_get_object (setup), found);
  else
    find_named (self, setup, found);
  if (found->len == 0) {
    orrery_part_warning (part, "no sensors: 'sensors' names none%s; nothing is measured",
                         *self->sensors == '\0' ? ", and there are none below it" : "");
    return;
  }
  if (!set_schema (setup, found, error))
    return;
  for (guint i = 0; i < found->len; i++) {
    OrreryRecord **place =
        orrery_record_find (orrery_setup_get_record (setup), orrery_part_get_name (found->pdata[i]),
                            ORRERY_FIELD_RECORD);

    g_clear_pointer (place, orrery_record_unref);
    *place = orrery_record_ref (orrery_component_get_record (found->pdata[i]));
    orrery_setup_add_source (setup, found->pdata[i]);
  }
}

static void
orrery_compound_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                              GError **error)
{
}

static void
orrery_compound_sensor_class_init (OrreryCompoundSensorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_compound_sensor_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_compound_sensor_sense;
  orrery_component_class_set_fields (ORRERY_COMPONENT_CLASS (klass), NULL, 0, 0);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("Several sensors as one", "BSD-3-Clause",
               ORRERY_CLASS (CompoundSensor, OrreryCompoundSensor, orrery_compound_sensor))
