/* SPDX-License-Identifier: BSD-3-Clause */
/* Records as Python writes them. */
#include "expression.h"

#include <math.h>
#include <string.h>

static void write_value (OrreryWriter *writer, GVariant *value);

/* A text in single quotes, or in double ones if it has single ones and no double ones. */
static void
write_text (OrreryWriter *writer, const char *text)
{
  char quote = strchr (text, '\'') != NULL && strchr (text, '"') == NULL ? '"' : '\'';

  orrery_writer_append_char (writer, quote);
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '\\' || *at == quote)
      orrery_writer_append_char (writer, '\\');
    if (*at == '\n')
      orrery_writer_append_text (writer, "\\n");
    else
      orrery_writer_append_char (writer, *at);
  }
  orrery_writer_append_char (writer, quote);
}

static void
write_number (OrreryWriter *writer, double number)
{
  if (isnan (number))
    orrery_writer_append_text (writer, "nan");
  else if (isinf (number))
    orrery_writer_append_text (writer, number > 0 ? "inf" : "-inf");
  else
    orrery_writer_append_double (writer, number);
}

static void
write_items (OrreryWriter *writer, GVariant *list)
{
  gsize n = g_variant_n_children (list);

  orrery_writer_append_char (writer, '[');
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    if (i > 0)
      orrery_writer_append_text (writer, ", ");
    write_value (writer, item);
  }
  orrery_writer_append_char (writer, ']');
}

static void
write_entries (OrreryWriter *writer, GVariant *dict)
{
  gsize n = g_variant_n_children (dict);

  orrery_writer_append_char (writer, '{');
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (dict, i);
    g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
    g_autoptr (GVariant) value = g_variant_get_child_value (entry, 1);

    if (i > 0)
      orrery_writer_append_text (writer, ", ");
    write_value (writer, key);
    orrery_writer_append_text (writer, ": ");
    write_value (writer, value);
  }
  orrery_writer_append_char (writer, '}');
}

static void
write_boxed (OrreryWriter *writer, GVariant *box)
{
  g_autoptr (GVariant) inner =
      g_variant_n_children (box) > 0 ? g_variant_get_child_value (box, 0) : NULL;

  if (inner != NULL)
    write_value (writer, inner);
  else
    orrery_writer_append_text (writer, "None");
}

static void
write_value (OrreryWriter *writer, GVariant *value)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_VARIANT:
  case G_VARIANT_CLASS_MAYBE:
    write_boxed (writer, value);
    break;
  case G_VARIANT_CLASS_STRING:
    write_text (writer, g_variant_get_string (value, NULL));
    break;
  case G_VARIANT_CLASS_BOOLEAN:
    orrery_writer_append_text (writer, g_variant_get_boolean (value) ? "True" : "False");
    break;
  case G_VARIANT_CLASS_DOUBLE:
    write_number (writer, g_variant_get_double (value));
    break;
  case G_VARIANT_CLASS_ARRAY:
  case G_VARIANT_CLASS_TUPLE:
    if (g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY))
      write_entries (writer, value);
    else
      write_items (writer, value);
    break;
  default:
    orrery_writer_append_json_variant (writer, value);
  }
}

void
map_write_python (OrreryWriter *writer, OrreryRecord *record)
{
  g_autoptr (GVariant) fields = orrery_record_to_variant (record);
  gsize n = g_variant_n_children (fields);

  orrery_writer_append_text (writer, "OrderedDict([");
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (fields, i);
    g_autoptr (GVariant) value = g_variant_get_child_value (entry, 1);
    const char *name;

    g_variant_get_child (entry, 0, "&s", &name);
    orrery_writer_append_text (writer, i > 0 ? ", (" : "(");
    write_text (writer, name);
    orrery_writer_append_text (writer, ", ");
    write_value (writer, value);
    orrery_writer_append_char (writer, ')');
  }
  orrery_writer_append_text (writer, "])");
}
