/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON schema of a record, from the table of its fields. */
#include "recording/orrery-recording-form-private.h"

#include "base/orrery-message.h"
#include "record/orrery-field-private.h"

static void
write_pair (OrreryWriter *writer, const char *key, const char *value)
{
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append_char (writer, ':');
  orrery_writer_append_json_text (writer, value);
}

static void
write_list (OrreryWriter *writer, guint depth)
{
  for (guint i = 0; i < depth; i++)
    orrery_writer_append_text (writer, "\"type\":\"array\",\"items\":{");
  write_pair (writer, "type", "number");
  for (guint i = 0; i < depth; i++)
    orrery_writer_append_char (writer, '}');
}

static void
write_members (OrreryWriter *writer, const OrreryFieldClass *klass)
{
  orrery_writer_append_text (writer, "\"type\":\"object\",\"properties\":{");
  for (guint i = 0; i < klass->n_members; i++) {
    if (i > 0)
      orrery_writer_append_char (writer, ',');
    orrery_writer_append_json_text (writer, klass->members[i].name);
    orrery_writer_append_text (writer, ":{\"type\":\"number\"}");
  }
  orrery_writer_append_char (writer, '}');
}

/* No word of JSON Schema, whose readers skip it: rows, columns and so on of what is base64. */
static void
write_shape (OrreryWriter *writer, OrreryBuffer *buffer)
{
  orrery_writer_append_text (writer, ",\"shape\":[");
  for (guint i = 0; i < orrery_buffer_get_n_dimensions (buffer); i++) {
    if (i > 0)
      orrery_writer_append_char (writer, ',');
    orrery_writer_append_int (writer, (gint64) orrery_buffer_get_length (buffer, i));
  }
  orrery_writer_append_char (writer, ']');
}

/* Bytes are base64, other elements lists; a buffer that is not there yet will be bytes. */
static void
write_buffer (OrreryWriter *writer, OrreryBuffer *buffer)
{
  if (buffer != NULL && orrery_buffer_get_element (buffer) != ORRERY_ELEMENT_UINT8) {
    write_list (writer, orrery_buffer_get_n_dimensions (buffer));
    return;
  }
  write_pair (writer, "type", "string");
  orrery_writer_append_char (writer, ',');
  write_pair (writer, "contentEncoding", "base64");
  if (buffer != NULL)
    write_shape (writer, buffer);
}

static void
write_type (OrreryWriter *writer, OrreryRecord *record, const OrreryField *field)
{
  const OrreryFieldClass *klass = orrery_field_get_class (field);

  switch (field->type) {
  case ORRERY_FIELD_BOOL:
    write_pair (writer, "type", "boolean");
    break;
  case ORRERY_FIELD_INT64:
    write_pair (writer, "type", "integer");
    break;
  case ORRERY_FIELD_TEXT:
    write_pair (writer, "type", "string");
    break;
  case ORRERY_FIELD_EULER:
  case ORRERY_FIELD_QUAT:
    write_members (writer, klass);
    break;
  case ORRERY_FIELD_VEC3:
  case ORRERY_FIELD_ARRAY:
    write_list (writer, 1);
    break;
  case ORRERY_FIELD_MAT3:
  case ORRERY_FIELD_MAT4:
  case ORRERY_FIELD_POINTS:
    write_list (writer, 2);
    break;
  case ORRERY_FIELD_BUFFER:
    write_buffer (writer, *(OrreryBuffer **) orrery_record_find (record, field->name, field->type));
    break;
  case ORRERY_FIELD_RECORD:
  case ORRERY_FIELD_VARIANT:
    write_pair (writer, "type", "object");
    break;
  default:
    write_pair (writer, "type", "number");
    break;
  }
}

static void
write_field (OrreryWriter *writer, OrreryRecord *record, const OrreryField *field,
             OrreryRecordingWay way)
{
  const char *digits = way == ORRERY_RECORDING_FLOAT32 ? ", as float32" : "";
  const char *meaning = field->words != NULL ? field->words : "";
  g_autofree char *words = NULL;

  orrery_writer_append_json_text (writer, field->name);
  orrery_writer_append_text (writer, ":{");
  write_type (writer, record, field);
  if (field->unit != NULL && *field->unit != '\0')
    words = g_strdup_printf ("%s: %s%s", field->unit, meaning, digits);
  else
    words = g_strdup_printf ("%s%s", meaning, digits);
  orrery_writer_append_char (writer, ',');
  write_pair (writer, "description", words);
  orrery_writer_append_char (writer, '}');
}

char *
orrery_recording_describe_record (OrreryRecord *record, const OrreryRecordingForm *form,
                                  const char *title)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  OrrerySchema *schema;
  guint n_written = 0;
  const char *data;
  gsize length;

  g_return_val_if_fail (record != NULL, NULL);
  g_return_val_if_fail (title != NULL, NULL);

  schema = orrery_record_get_schema (record);
  orrery_writer_append_char (writer, '{');
  write_pair (writer, "title", title);
  orrery_writer_append_text (writer, ",\"type\":\"object\",\"properties\":{");
  if (orrery_record_has_timestamp (record)) {
    orrery_writer_append_text (writer, "\"timestamp\":{\"type\":\"number\",\"description\":\"s: ");
    orrery_writer_append_text (writer, "time of the data, as the clock of the robot has it\"}");
    n_written++;
  }
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    OrreryRecordingWay way = orrery_recording_form_get_way (form, i);

    if (way == ORRERY_RECORDING_LEFT_OUT)
      continue;
    if (n_written++ > 0)
      orrery_writer_append_char (writer, ',');
    write_field (writer, record, orrery_schema_get_field (schema, i), way);
  }
  orrery_writer_append_text (writer, "}}");
  data = orrery_writer_get_data (writer, &length);
  return g_strndup (data, length);
}
