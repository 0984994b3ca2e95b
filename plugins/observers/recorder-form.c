/* SPDX-License-Identifier: BSD-3-Clause */
/* Which fields of a record are written as float32, and which are left out. */
#include "recorder-form.h"

#include <math.h>
#include <string.h>

static void
add_name (GString *names, const char *name)
{
  if (names->len > 0)
    g_string_append_c (names, ' ');
  g_string_append (names, name);
}

/* Points that follow from distances, and what has a value for nothing, as a ray has. */
static void
sort_field (OrrerySensor *sensor, const OrreryField *field, gboolean precise, gboolean derived,
            GString *float32, GString *left_out)
{
  OrreryFieldLimits limits;

  /* A name with a blank in it would be two in the list. */
  if ((field->type != ORRERY_FIELD_ARRAY && field->type != ORRERY_FIELD_POINTS) ||
      strchr (field->name, ' ') != NULL)
    return;
  orrery_sensor_get_limits (sensor, field, &limits);
  if (limits.follows && field->type == ORRERY_FIELD_POINTS && !derived)
    add_name (left_out, field->name);
  else if ((limits.follows || !isnan (limits.nothing)) && !precise)
    add_name (float32, field->name);
}

void
recorder_form_init (RecorderForm *form, OrreryComponent *component, gboolean precise,
                    gboolean derived)
{
  OrrerySchema *schema = orrery_record_get_schema (orrery_component_get_record (component));
  guint n = ORRERY_IS_SENSOR (component) ? orrery_schema_get_n_fields (schema) : 0;
  g_autoptr (GString) float32 = g_string_new (NULL);
  g_autoptr (GString) left_out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    sort_field (ORRERY_SENSOR (component), orrery_schema_get_field (schema, i), precise, derived,
                float32, left_out);
  form->form = orrery_recording_form_new (schema, float32->str, left_out->str, NULL);
  form->float32 = g_strdup (float32->str);
  form->left_out = g_strdup (left_out->str);
}

void
recorder_form_clear (RecorderForm *form)
{
  g_clear_pointer (&form->form, orrery_recording_form_free);
  g_clear_pointer (&form->float32, g_free);
  g_clear_pointer (&form->left_out, g_free);
}

void
recorder_form_describe (const RecorderForm *form, GVariantBuilder *metadata)
{
  if (*form->float32 != '\0')
    g_variant_builder_add (metadata, "{ss}", "float32", form->float32);
  if (*form->left_out != '\0')
    g_variant_builder_add (metadata, "{ss}", "left_out", form->left_out);
}
