/* SPDX-License-Identifier: BSD-3-Clause */
/* How a record is written to a recording: what is left out, and what has the digits of a float. */
#include "recording/orrery-recording-form-private.h"

#include "base/orrery-error.h"
#include "base/orrery-number-private.h"
#include "record/orrery-field-private.h"
#include "record/orrery-record-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct _OrreryRecordingForm {
  OrrerySchema *schema;
  guint8 *ways; /* OrreryRecordingWay, of each field */
  gboolean is_plain;
};

static guint
find_field (OrrerySchema *schema, const char *name)
{
  guint n = orrery_schema_get_n_fields (schema);

  for (guint i = 0; i < n; i++)
    if (strcmp (orrery_schema_get_field (schema, i)->name, name) == 0)
      return i;
  return n;
}

/* @names: (nullable): with blanks between them */
static gboolean
set_ways (OrreryRecordingForm *form, const char *names, OrreryRecordingWay way, GError **error)
{
  g_auto (GStrv) words = g_strsplit (names != NULL ? names : "", " ", -1);

  for (guint i = 0; words[i] != NULL; i++) {
    guint index = find_field (form->schema, words[i]);
    const OrreryField *field;

    if (*words[i] == '\0')
      continue;
    if (index == orrery_schema_get_n_fields (form->schema)) {
      g_autofree const char **all = orrery_schema_get_names (form->schema);
      g_autofree char *near = orrery_nearest_names (words[i], all);

      return orrery_set_error (error, ORRERY_ERROR_INVALID, "no field '%.200s'%s", words[i], near);
    }
    field = orrery_schema_get_field (form->schema, index);
    if (way == ORRERY_RECORDING_FLOAT32 && field->type != ORRERY_FIELD_ARRAY &&
        field->type != ORRERY_FIELD_POINTS)
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "the field '%s' is a %s; only an array and points are float32",
                               field->name, orrery_field_type_get_name (field->type));
    form->ways[index] = (guint8) way;
    form->is_plain = FALSE;
  }
  return TRUE;
}

OrreryRecordingForm *
orrery_recording_form_new (OrrerySchema *schema, const char *float32, const char *left_out,
                           GError **error)
{
  OrreryRecordingForm *form;

  g_return_val_if_fail (schema != NULL, NULL);

  form = g_new0 (OrreryRecordingForm, 1);
  form->schema = orrery_schema_ref (schema);
  form->ways = g_new0 (guint8, orrery_schema_get_n_fields (schema) + 1);
  form->is_plain = TRUE;
  if (set_ways (form, float32, ORRERY_RECORDING_FLOAT32, error) &&
      set_ways (form, left_out, ORRERY_RECORDING_LEFT_OUT, error))
    return form;
  orrery_recording_form_free (form);
  return NULL;
}

void
orrery_recording_form_free (OrreryRecordingForm *form)
{
  g_return_if_fail (form != NULL);

  orrery_schema_unref (form->schema);
  g_free (form->ways);
  g_free (form);
}

OrreryRecordingWay
orrery_recording_form_get_way (const OrreryRecordingForm *form, guint index)
{
  return form != NULL ? (OrreryRecordingWay) form->ways[index] : ORRERY_RECORDING_WHOLE;
}

/* --- writing --- */

/* What no float holds keeps its digits. */
static void
write_float (OrreryWriter *writer, double value)
{
  char text[ORRERY_NUMBER_SIZE];

  if (fabs (value) <= FLT_MAX)
    orrery_writer_append (writer, text, orrery_number_format_float ((float) value, text));
  else
    orrery_writer_append_json_double (writer, value);
}

static void
write_floats (OrreryWriter *writer, const double *values, gsize n)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    orrery_json_write_separator (writer, i);
    write_float (writer, values[i]);
  }
  orrery_writer_append_char (writer, ']');
}

static void
write_float_rows (OrreryWriter *writer, const double *values, gsize rows, gsize columns)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < rows; i++) {
    orrery_json_write_separator (writer, i);
    write_floats (writer, values + i * columns, columns);
  }
  orrery_writer_append_char (writer, ']');
}

static void
write_field (const OrreryRecordingForm *form, OrreryRecord *record, guint index,
             OrreryWriter *writer)
{
  const OrreryField *field = orrery_schema_get_field (form->schema, index);
  const OrreryFieldClass *klass = orrery_field_get_class (field);
  gconstpointer place = orrery_record_place (record, field);
  OrreryBuffer *buffer;

  if (form->ways[index] != ORRERY_RECORDING_FLOAT32) {
    klass->write_json (klass, writer, place);
    return;
  }
  buffer = *(OrreryBuffer *const *) place;
  if (buffer == NULL)
    orrery_writer_append (writer, "[]", 2);
  else if (field->type == ORRERY_FIELD_ARRAY)
    write_floats (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_length (buffer, 0));
  else
    write_float_rows (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_length (buffer, 0),
                      3);
}

void
orrery_recording_form_write_field (const OrreryRecordingForm *form, OrreryRecord *record,
                                   const char *name, OrreryWriter *writer)
{
  guint index;

  g_return_if_fail (form != NULL && record != NULL && name != NULL && writer != NULL);
  g_return_if_fail (orrery_record_get_schema (record) == form->schema);

  index = find_field (form->schema, name);
  g_return_if_fail (index < orrery_schema_get_n_fields (form->schema));
  write_field (form, record, index, writer);
}

void
orrery_recording_form_write_json (const OrreryRecordingForm *form, OrreryRecord *record,
                                  OrreryWriter *writer)
{
  guint n, written = 0;

  g_return_if_fail (form != NULL && record != NULL && writer != NULL);
  g_return_if_fail (orrery_record_get_schema (record) == form->schema);

  if (form->is_plain) {
    orrery_record_write_json (record, writer);
    return;
  }
  n = orrery_schema_get_n_fields (form->schema);
  orrery_writer_append_char (writer, '{');
  if (orrery_record_has_timestamp (record)) {
    orrery_json_write_key (writer, "timestamp");
    orrery_writer_append_json_double (writer, orrery_time_to_seconds (
                                                  orrery_record_get_timestamp (record)));
    written++;
  }
  for (guint i = 0; i < n; i++) {
    if (form->ways[i] == ORRERY_RECORDING_LEFT_OUT)
      continue;
    orrery_json_write_separator (writer, written++);
    orrery_json_write_key (writer, orrery_schema_get_field (form->schema, i)->name);
    write_field (form, record, i, writer);
  }
  orrery_writer_append_char (writer, '}');
}
