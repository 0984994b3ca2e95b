/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a record as one JSON object. */
#include "record/orrery-record.h"

#include "base/orrery-message-private.h"
#include "record/orrery-field-private.h"
#include "record/orrery-record-private.h"

void
orrery_json_write_separator (OrreryWriter *writer, gsize index)
{
  if (index > 0)
    orrery_writer_append (writer, ", ", 2);
}

void
orrery_json_write_key (OrreryWriter *writer, const char *key)
{
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append (writer, ": ", 2);
}

void
orrery_json_write_null (OrreryWriter *writer)
{
  orrery_writer_append (writer, "null", 4);
}

void
orrery_json_write_numbers (OrreryWriter *writer, const double *values, gsize n)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    orrery_json_write_separator (writer, i);
    orrery_writer_append_json_double (writer, values[i]);
  }
  orrery_writer_append_char (writer, ']');
}

void
orrery_json_write_rows (OrreryWriter *writer, const double *values, gsize rows, gsize columns)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < rows; i++) {
    orrery_json_write_separator (writer, i);
    orrery_json_write_numbers (writer, values + i * columns, columns);
  }
  orrery_writer_append_char (writer, ']');
}

const char *
orrery_record_find_not_finite (OrreryRecord *record)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  for (guint i = 0; i < orrery_schema_get_n_fields (record->schema); i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);
    const OrreryFieldClass *klass = orrery_field_get_class (field);

    klass->write_json (klass, writer, orrery_record_place (record, field));
    if (writer->n_not_finite > 0)
      return field->name;
  }
  return NULL;
}

void
orrery_record_write_json (OrreryRecord *record, OrreryWriter *writer)
{
  guint n, written = 0;

  g_return_if_fail (record != NULL);
  g_return_if_fail (writer != NULL);

  n = orrery_schema_get_n_fields (record->schema);
  orrery_writer_append_char (writer, '{');
  if (record->has_timestamp) {
    orrery_json_write_key (writer, "timestamp");
    orrery_writer_append_json_double (writer, orrery_time_to_seconds (record->timestamp));
    written++;
  }
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (record->schema, i);
    const OrreryFieldClass *klass = orrery_field_get_class (field);

    orrery_json_write_separator (writer, written++);
    orrery_json_write_key (writer, field->name);
    klass->write_json (klass, writer, orrery_record_place (record, field));
  }
  orrery_writer_append_char (writer, '}');
}
