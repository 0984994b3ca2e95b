/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes values of records as Python prints them. */
#include "text-value.h"

#include <math.h>
#include <string.h>

/* As Python's repr: what does not print is escaped. Of what is beyond ASCII these are the controls,
 * and the marks that change the direction of text or end a line. Returns: its bytes; 0: it prints
 */
static guint
append_unprintable (OrreryWriter *writer, const char *text)
{
  const guchar *b = (const guchar *) text;
  char escaped[8];

  if (b[0] == 0xc2 && b[1] >= 0x80 && b[1] < 0xa0) {
    g_snprintf (escaped, sizeof escaped, "\\x%02x", b[1]);
    orrery_writer_append_text (writer, escaped);
    return 2;
  }
  if (b[0] == 0xe2 &&
      ((b[1] == 0x80 && (b[2] == 0x8e || b[2] == 0x8f || (b[2] >= 0xa8 && b[2] <= 0xae))) ||
       (b[1] == 0x81 && b[2] >= 0xa6 && b[2] <= 0xa9))) {
    g_snprintf (escaped, sizeof escaped, "\\u20%02x", b[1] == 0x80 ? b[2] - 0x80 : b[2] - 0x40);
    orrery_writer_append_text (writer, escaped);
    return 3;
  }
  return 0;
}

static void
append_text_repr (OrreryWriter *writer, const char *text)
{
  char quote = strchr (text, '\'') != NULL && strchr (text, '"') == NULL ? '"' : '\'';

  orrery_writer_append_char (writer, quote);
  for (; *text != '\0'; text++) {
    guchar c = (guchar) *text;
    guint unprintable = append_unprintable (writer, text);
    char escaped[8];

    if (unprintable > 0) {
      text += unprintable - 1;
      continue;
    }

    if (c == '\n' || c == '\r' || c == '\t')
      g_snprintf (escaped, sizeof escaped, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else if (c < 0x20 || c == 0x7f)
      g_snprintf (escaped, sizeof escaped, "\\x%02x", c);
    else
      g_snprintf (escaped, sizeof escaped, c == quote || c == '\\' ? "\\%c" : "%c", c);
    orrery_writer_append_text (writer, escaped);
  }
  orrery_writer_append_char (writer, quote);
}

/* JSON has other names for these than Python. Returns whether the number was one. */
static gboolean
append_not_finite (OrreryWriter *writer, double value)
{
  if (isfinite (value))
    return FALSE;
  orrery_writer_append_text (writer, isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
  return TRUE;
}

static void
append_number (OrreryWriter *writer, double value)
{
  if (!append_not_finite (writer, value))
    orrery_writer_append_double (writer, value);
}

void
text_number_append_fixed (OrreryWriter *writer, double value)
{
  if (!append_not_finite (writer, value))
    orrery_writer_append_fixed (writer, value, 6);
}

static void
append_list (OrreryWriter *writer, const double *values, gsize n)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    if (i > 0)
      orrery_writer_append_text (writer, ", ");
    append_number (writer, values[i]);
  }
  orrery_writer_append_char (writer, ']');
}

static void
append_rows (OrreryWriter *writer, const double *values, gsize n_rows, gsize width)
{
  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n_rows; i++) {
    if (i > 0)
      orrery_writer_append_text (writer, ", ");
    append_list (writer, values + i * width, width);
  }
  orrery_writer_append_char (writer, ']');
}

static void
append_named (OrreryWriter *writer, const char *const *names, const double *values, guint n)
{
  for (guint i = 0; i < n; i++) {
    orrery_writer_append_text (writer, i == 0 ? "{'" : ", '");
    orrery_writer_append_text (writer, names[i]);
    orrery_writer_append_text (writer, "': ");
    append_number (writer, values[i]);
  }
  orrery_writer_append_char (writer, '}');
}

static void
append_euler (OrreryWriter *writer, const OrreryEuler *euler)
{
  static const char *const names[] = { "yaw", "pitch", "roll" };

  append_named (writer, names, (double[]){ euler->yaw, euler->pitch, euler->roll }, 3);
}

static void
append_quat (OrreryWriter *writer, const OrreryQuat *quat)
{
  static const char *const names[] = { "x", "y", "z", "w" };

  append_named (writer, names, (double[]){ quat->x, quat->y, quat->z, quat->w }, 4);
}

static void
append_array (OrreryWriter *writer, const OrreryArray *array)
{
  gsize n;
  const double *values = orrery_array_get (array, &n);

  append_list (writer, values, n);
}

static void
append_points (OrreryWriter *writer, const OrreryPoints *points)
{
  gsize n;
  const double *values = orrery_points_get (points, &n);

  append_rows (writer, values, n, 3);
}

/* Pixels are no text: only how many there are is. */
static void
append_buffer (OrreryWriter *writer, OrreryBuffer *buffer)
{
  guint n = buffer != NULL ? orrery_buffer_get_n_dimensions (buffer) : 0;

  orrery_writer_append_text (writer, "<buffer");
  for (guint i = 0; i < n; i++) {
    orrery_writer_append_char (writer, i == 0 ? ' ' : 'x');
    orrery_writer_append_int (writer, (gint64) orrery_buffer_get_length (buffer, i));
  }
  orrery_writer_append_char (writer, '>');
}

/* --- free form --- */

static void append_variant (OrreryWriter *writer, GVariant *value);

static void
append_boxed (OrreryWriter *writer, GVariant *container, gsize i)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (container, i);

  append_variant (writer, child);
}

static void
append_items (OrreryWriter *writer, GVariant *container)
{
  gboolean is_map = g_variant_is_of_type (container, G_VARIANT_TYPE_DICTIONARY);
  gsize n = g_variant_n_children (container);

  orrery_writer_append_char (writer, is_map ? '{' : '[');
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = is_map ? g_variant_get_child_value (container, i) : NULL;

    if (i > 0)
      orrery_writer_append_text (writer, ", ");
    append_boxed (writer, is_map ? entry : container, is_map ? 0 : i);
    if (!is_map)
      continue;
    orrery_writer_append_text (writer, ": ");
    append_boxed (writer, entry, 1);
  }
  orrery_writer_append_char (writer, is_map ? '}' : ']');
}

/* As Python has it, where JSON has other words. */
static void
append_variant (OrreryWriter *writer, GVariant *value)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BOOLEAN:
    orrery_writer_append_text (writer, g_variant_get_boolean (value) ? "True" : "False");
    break;
  case G_VARIANT_CLASS_DOUBLE:
    append_number (writer, g_variant_get_double (value));
    break;
  case G_VARIANT_CLASS_STRING:
    append_text_repr (writer, g_variant_get_string (value, NULL));
    break;
  case G_VARIANT_CLASS_VARIANT:
    append_boxed (writer, value, 0);
    break;
  case G_VARIANT_CLASS_MAYBE:
    if (g_variant_n_children (value) > 0)
      append_boxed (writer, value, 0);
    else
      orrery_writer_append_text (writer, "None");
    break;
  case G_VARIANT_CLASS_ARRAY:
  case G_VARIANT_CLASS_TUPLE:
    append_items (writer, value);
    break;
  default: /* whole numbers */
    orrery_writer_append_json_variant (writer, value);
  }
}

/* --- all kinds --- */

static void append_record (OrreryWriter *writer, OrreryRecord *record);

static void
append_big (OrreryWriter *writer, const OrreryField *field, gconstpointer data)
{
  switch (field->type) {
  case ORRERY_FIELD_ARRAY:
    append_array (writer, data);
    break;
  case ORRERY_FIELD_POINTS:
    append_points (writer, data);
    break;
  case ORRERY_FIELD_BUFFER:
    append_buffer (writer, *(OrreryBuffer *const *) data);
    break;
  case ORRERY_FIELD_RECORD:
    append_record (writer, *(OrreryRecord *const *) data);
    break;
  case ORRERY_FIELD_VARIANT:
    if (*(GVariant *const *) data != NULL)
      append_variant (writer, *(GVariant *const *) data);
    else
      orrery_writer_append_text (writer, "None");
    break;
  default:
    g_assert_not_reached ();
  }
}

void
text_value_append (OrreryWriter *writer, const OrreryField *field, gconstpointer data)
{
  switch (field->type) {
  case ORRERY_FIELD_BOOL:
    orrery_writer_append_text (writer, *(const OrreryBool *) data ? "True" : "False");
    break;
  case ORRERY_FIELD_INT64:
    orrery_writer_append_int (writer, *(const gint64 *) data);
    break;
  case ORRERY_FIELD_DOUBLE:
    append_number (writer, *(const double *) data);
    break;
  case ORRERY_FIELD_TIME:
    append_number (writer, orrery_time_to_seconds (((const OrreryStamp *) data)->ns));
    break;
  case ORRERY_FIELD_TEXT:
    append_text_repr (writer, orrery_text_get (data));
    break;
  case ORRERY_FIELD_VEC3:
    append_list (writer, data, 3);
    break;
  case ORRERY_FIELD_EULER:
    append_euler (writer, data);
    break;
  case ORRERY_FIELD_QUAT:
    append_quat (writer, data);
    break;
  case ORRERY_FIELD_MAT3:
    append_rows (writer, data, 3, 3);
    break;
  case ORRERY_FIELD_MAT4:
    append_rows (writer, data, 4, 4);
    break;
  default:
    append_big (writer, field, data);
  }
}

gconstpointer
text_value_find (OrreryRecord *record, const OrreryField *field)
{
  return (const char *) orrery_record_data (record) + field->offset;
}

static void
append_record (OrreryWriter *writer, OrreryRecord *record)
{
  OrrerySchema *schema = record != NULL ? orrery_record_get_schema (record) : NULL;
  guint n = schema != NULL ? orrery_schema_get_n_fields (schema) : 0;
  gboolean is_timed = record != NULL && orrery_record_has_timestamp (record);

  orrery_writer_append_char (writer, '{');
  if (is_timed) {
    orrery_writer_append_text (writer, "'timestamp': ");
    append_number (writer, orrery_time_to_seconds (orrery_record_get_timestamp (record)));
  }
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (i > 0 || is_timed)
      orrery_writer_append_text (writer, ", ");
    append_text_repr (writer, field->name);
    orrery_writer_append_text (writer, ": ");
    text_value_append (writer, field, text_value_find (record, field));
  }
  orrery_writer_append_char (writer, '}');
}
