/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a record as one JSON object. */
#include "record/orrery-record.h"

#include <string.h>

#include "base/orrery-message-private.h"
#include "record/orrery-buffer.h"
#include "record/orrery-field-private.h"

static void
write_separator (OrreryWriter *writer, gsize index)
{
  if (index > 0)
    orrery_writer_append (writer, ", ", 2);
}

static void
write_key (OrreryWriter *writer, const char *key)
{
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append (writer, ": ", 2);
}

static void
write_numbers (OrreryWriter *writer, const double *values, gsize n)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    write_separator (writer, i);
    orrery_writer_append_double (writer, values[i]);
  }
  orrery_writer_append_char (writer, ']');
}

/* @rows lists of @columns numbers each. */
static void
write_table (OrreryWriter *writer, const double *values, gsize rows, gsize columns)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < rows; i++) {
    write_separator (writer, i);
    write_numbers (writer, values + i * columns, columns);
  }
  orrery_writer_append_char (writer, ']');
}

/* Of a type that is a few numbers, each under its name. */
static void
write_members (OrreryWriter *writer, const OrreryFieldClass *klass, const void *value)
{
  orrery_writer_append_char (writer, '{');
  for (guint i = 0; i < klass->n_members; i++) {
    write_separator (writer, i);
    write_key (writer, klass->members[i].name);
    orrery_writer_append_double (writer, *(const double *) ((const char *) value +
                                                            klass->members[i].offset));
  }
  orrery_writer_append_char (writer, '}');
}

/* --- buffers --- */

/* Of any type but bytes, which are base64. */
static void
write_element (OrreryWriter *writer, OrreryElement element, const void *data, gsize i)
{
  switch (element) {
  case ORRERY_ELEMENT_INT8:
    orrery_writer_append_int (writer, ((const gint8 *) data)[i]);
    break;
  case ORRERY_ELEMENT_UINT16:
    orrery_writer_append_int (writer, ((const guint16 *) data)[i]);
    break;
  case ORRERY_ELEMENT_INT16:
    orrery_writer_append_int (writer, ((const gint16 *) data)[i]);
    break;
  case ORRERY_ELEMENT_UINT32:
    orrery_writer_append_int (writer, ((const guint32 *) data)[i]);
    break;
  case ORRERY_ELEMENT_INT32:
    orrery_writer_append_int (writer, ((const gint32 *) data)[i]);
    break;
  case ORRERY_ELEMENT_UINT64:
    orrery_writer_append_uint (writer, ((const guint64 *) data)[i]);
    break;
  case ORRERY_ELEMENT_INT64:
    orrery_writer_append_int (writer, ((const gint64 *) data)[i]);
    break;
  case ORRERY_ELEMENT_FLOAT:
    orrery_writer_append_double (writer, (double) ((const float *) data)[i]);
    break;
  case ORRERY_ELEMENT_DOUBLE:
    orrery_writer_append_double (writer, ((const double *) data)[i]);
    break;
  default:
    g_assert_not_reached ();
  }
}

/* The lists of one dimension and those within. Returns: the index of the next element */
static gsize
write_dimension (OrreryWriter *writer, OrreryBuffer *buffer, guint dimension, gsize index)
{
  gsize n = orrery_buffer_get_length (buffer, dimension);
  gboolean is_last = dimension + 1 == orrery_buffer_get_n_dimensions (buffer);

  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    write_separator (writer, i);
    if (is_last)
      write_element (writer, orrery_buffer_get_element (buffer), orrery_buffer_get_data (buffer),
                     index++);
    else
      index = write_dimension (writer, buffer, dimension + 1, index);
  }
  orrery_writer_append_char (writer, ']');
  return index;
}

static void
write_base64 (OrreryWriter *writer, const guint8 *data, gsize size)
{
  int state = 0, save = 0;
  char *out = orrery_writer_reserve (writer, (size / 3 + 1) * 4 + 4);
  gsize length = g_base64_encode_step (data, size, FALSE, out, &state, &save);

  length += g_base64_encode_close (FALSE, out + length, &state, &save);
  orrery_writer_advance (writer, length);
}

static void
write_buffer (OrreryWriter *writer, OrreryBuffer *buffer)
{
  if (buffer == NULL) {
    orrery_writer_append (writer, "null", 4);
  } else if (orrery_buffer_get_element (buffer) == ORRERY_ELEMENT_UINT8) {
    orrery_writer_append_char (writer, '"');
    write_base64 (writer, orrery_buffer_get_data (buffer), orrery_buffer_get_size (buffer));
    orrery_writer_append_char (writer, '"');
  } else {
    write_dimension (writer, buffer, 0, 0);
  }
}

/* --- fields --- */

static void
write_array (OrreryWriter *writer, const OrreryArray *array)
{
  gsize n;
  const double *values = orrery_array_get (array, &n);

  write_numbers (writer, values, n);
}

static void
write_points (OrreryWriter *writer, const OrreryPoints *points)
{
  gsize n;
  const double *values = orrery_points_get (points, &n);

  write_table (writer, values, n, 3);
}

static void
write_record (OrreryWriter *writer, OrreryRecord *record)
{
  if (record != NULL)
    orrery_record_write_json (record, writer);
  else
    orrery_writer_append (writer, "null", 4);
}

static void
write_variant (OrreryWriter *writer, GVariant *value)
{
  if (value != NULL)
    orrery_writer_append_json_variant (writer, value);
  else
    orrery_writer_append (writer, "null", 4);
}

static void
write_value (OrreryWriter *writer, OrreryFieldType type, const void *value)
{
  switch (type) {
  case ORRERY_FIELD_BOOL:
    orrery_writer_append_text (writer, *(const OrreryBool *) value ? "true" : "false");
    break;
  case ORRERY_FIELD_INT64:
    orrery_writer_append_int (writer, *(const gint64 *) value);
    break;
  case ORRERY_FIELD_DOUBLE:
  case ORRERY_FIELD_TIME:
    orrery_writer_append_double (writer, orrery_field_class_get (type)->to_double (value));
    break;
  case ORRERY_FIELD_TEXT:
    orrery_writer_append_json_text (writer, orrery_text_get (value));
    break;
  case ORRERY_FIELD_VEC3:
    write_numbers (writer, value, 3);
    break;
  case ORRERY_FIELD_EULER:
  case ORRERY_FIELD_QUAT:
    write_members (writer, orrery_field_class_get (type), value);
    break;
  case ORRERY_FIELD_MAT3:
    write_table (writer, value, 3, 3);
    break;
  case ORRERY_FIELD_MAT4:
    write_table (writer, value, 4, 4);
    break;
  case ORRERY_FIELD_ARRAY:
    write_array (writer, value);
    break;
  case ORRERY_FIELD_POINTS:
    write_points (writer, value);
    break;
  case ORRERY_FIELD_BUFFER:
    write_buffer (writer, *(OrreryBuffer *const *) value);
    break;
  case ORRERY_FIELD_RECORD:
    write_record (writer, *(OrreryRecord *const *) value);
    break;
  case ORRERY_FIELD_VARIANT:
    write_variant (writer, *(GVariant *const *) value);
    break;
  default:
    g_assert_not_reached ();
  }
}

void
orrery_record_write_json (OrreryRecord *record, OrreryWriter *writer)
{
  OrrerySchema *schema;
  const char *data;
  guint n, written = 0;

  g_return_if_fail (record != NULL);
  g_return_if_fail (writer != NULL);

  schema = orrery_record_get_schema (record);
  data = orrery_record_data (record);
  n = orrery_schema_get_n_fields (schema);
  orrery_writer_append_char (writer, '{');
  if (orrery_record_has_timestamp (record)) {
    write_key (writer, "timestamp");
    orrery_writer_append_double (writer,
                                 orrery_time_to_seconds (orrery_record_get_timestamp (record)));
    written++;
  }
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    write_separator (writer, written++);
    write_key (writer, field->name);
    write_value (writer, field->type, data + field->offset);
  }
  orrery_writer_append_char (writer, '}');
}
