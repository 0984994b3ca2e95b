/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares two messages field by field. */
#include "compare.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of a list with more items all are one field. */
#define MAX_ITEMS 16
/* What lies deeper is equal or not. */
#define MAX_DEPTH 16
/* Of a topic, whose differences are summed up; others are only found. */
#define MAX_FIELDS 4096
/* A longer value is described in words. */
#define MAX_VALUE 400
/* A unit is no sentence. */
#define MAX_UNIT 16
/* Of a date in seconds, whose last digits a double does not have */
#define DATE_ERROR 1e-6
/* Of a turn, as the last digits of pi are others in a float */
#define TURN_ERROR 1e-6

/* --- schemas --- */

static void
read_field (CompareTopic *topic, const char *name, OrreryNode *field)
{
  OrreryNode *words = orrery_node_find (field, "description");
  OrreryNode *encoding = orrery_node_find (field, "contentEncoding");
  const char *text = words != NULL && orrery_node_get_kind (words) == ORRERY_NODE_TEXT
                         ? orrery_node_get_text (words)
                         : "";
  gsize length = strcspn (text, ": ");

  /* The recorder writes `m/s: what it means`. */
  if (length > 0 && length <= MAX_UNIT && text[length] == ':')
    g_hash_table_insert (topic->units, g_strdup (name), g_strndup (text, length));
  if (encoding != NULL && orrery_node_get_kind (encoding) == ORRERY_NODE_TEXT &&
      strcmp (orrery_node_get_text (encoding), "base64") == 0)
    g_hash_table_add (topic->bytes, g_strdup (name));
}

void
compare_read_schema (CompareTopic *topic, const OrreryRecordingChannel *channel)
{
  g_autoptr (OrreryNode) schema = NULL;
  OrreryNode *fields = NULL;
  const char *text;
  gsize length;

  if (topic->has_schema || channel->schema == NULL ||
      strcmp (channel->schema_encoding, "jsonschema") != 0)
    return;
  topic->has_schema = TRUE;
  text = g_bytes_get_data (channel->schema, &length);
  schema = length > 0 ? orrery_node_parse_json (text, length, channel->topic, NULL) : NULL;
  if (schema != NULL && orrery_node_get_kind (schema) == ORRERY_NODE_DICT)
    fields = orrery_node_find (schema, "properties");
  if (fields == NULL || orrery_node_get_kind (fields) != ORRERY_NODE_DICT)
    return;
  for (guint i = 0; i < orrery_node_get_length (fields); i++)
    if (orrery_node_get_kind (orrery_node_get_item (fields, i)) == ORRERY_NODE_DICT)
      read_field (topic, orrery_node_get_key (fields, i), orrery_node_get_item (fields, i));
}

void
compare_read_form (CompareTopic *topic, const OrreryRecordingChannel *channel, guint which)
{
  const char *float32 = NULL, *left_out = NULL;
  g_auto (GStrv) names = NULL;

  if (channel->metadata == NULL)
    return;
  g_variant_lookup (channel->metadata, "float32", "&s", &float32);
  g_variant_lookup (channel->metadata, "left_out", "&s", &left_out);
  names = g_strsplit (float32 != NULL ? float32 : "", " ", -1);
  for (guint i = 0; names[i] != NULL; i++)
    g_hash_table_add (topic->float32, g_strdup (names[i]));
  g_strfreev (topic->left_out[which]);
  topic->left_out[which] = left_out != NULL ? g_strsplit (left_out, " ", -1) : NULL;
}

const char *
compare_find_unit (const CompareTopic *topic, const char *field)
{
  g_autofree char *name = g_strndup (field, strcspn (field, "."));
  const char *unit = g_hash_table_lookup (topic->units, field);

  if (unit == NULL)
    unit = g_hash_table_lookup (topic->units, name);
  return unit != NULL ? unit : "";
}

/* --- values --- */

static char *
dup_written (OrreryWriter *writer)
{
  gsize length;
  const char *text = orrery_writer_get_data (writer, &length);

  return g_strndup (text, length);
}

char *
compare_print_text (const char *text)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  orrery_writer_append_json_text (writer, text);
  return dup_written (writer);
}

char *
compare_print_double (double value)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();

  orrery_writer_append_json_double (writer, value);
  return dup_written (writer);
}

char *
compare_print_node (OrreryNode *node)
{
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autofree char *text = NULL;
  g_autofree char *words = NULL;

  orrery_writer_append_json_variant (writer, value);
  text = dup_written (writer);
  if (strlen (text) <= MAX_VALUE)
    return g_steal_pointer (&text);
  words = orrery_variant_describe (value);
  return compare_print_text (words);
}

/* --- how much fields differ --- */

void
compare_field_free (gpointer data)
{
  CompareField *field = data;

  g_free (field->name);
  g_free (field);
}

/* Returns: (nullable): NULL if there are too many */
static CompareField *
find_field (Compare *compare)
{
  CompareTopic *topic = compare->present;
  CompareField *field = g_hash_table_lookup (topic->fields, compare->name->str);

  if (field != NULL || topic->field_order->len >= MAX_FIELDS)
    return field;
  field = g_new0 (CompareField, 1);
  field->name = g_strdup (compare->name->str);
  g_hash_table_insert (topic->fields, field->name, field);
  g_ptr_array_add (topic->field_order, field);
  return field;
}

/* @field: (nullable) */
static void
add_difference (Compare *compare, CompareField *field, double difference)
{
  if (field == NULL)
    return;
  if (field->n_items++ == 0)
    g_ptr_array_add (compare->touched, field);
  field->sum_of_items += difference * difference;
  if (difference > field->largest) {
    field->largest = difference;
    field->time = compare->time;
  }
}

/* A list is one value of a message, the mean of the squares of its items. */
static void
close_message (Compare *compare)
{
  for (guint i = 0; i < compare->touched->len; i++) {
    CompareField *field = g_ptr_array_index (compare->touched, i);

    field->sum += field->sum_of_items / (double) field->n_items;
    field->n++;
    field->sum_of_items = 0;
    field->n_items = 0;
  }
  g_ptr_array_set_size (compare->touched, 0);
}

/* --- nodes --- */

/* @field: (nullable): the list that the nodes are in, if it is one field */
static void walk (Compare *compare, CompareField *field, OrreryNode *a, OrreryNode *b, guint depth);

static void
note_nodes (Compare *compare, OrreryNode *a, OrreryNode *b)
{
  if (compare->present->has_first)
    compare->differs = TRUE;
  else
    compare_note (compare, compare->name->str, a != NULL ? compare_print_node (a) : NULL,
                  b != NULL ? compare_print_node (b) : NULL);
}

static gboolean
is_number (OrreryNode *node)
{
  OrreryNodeKind kind = orrery_node_get_kind (node);

  return kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE;
}

static double
get_number (OrreryNode *node)
{
  return orrery_node_get_kind (node) == ORRERY_NODE_INT ? (double) orrery_node_get_int (node)
                                                        : orrery_node_get_double (node);
}

/* Where times count from the first message of each recording, numbers that differ as these do are
 * dates. */
static gboolean
are_dates (const Compare *compare, double a, double b)
{
  return compare->is_relative &&
         fabs (b - a - orrery_time_to_seconds (compare->offset)) <= DATE_ERROR;
}

/* Returns: after what angles in this unit begin again; 0: it is no unit of angles */
static double
get_turn (const char *unit)
{
  return strcmp (unit, "rad") == 0 ? 2 * G_PI : strcmp (unit, "deg") == 0 ? 360 : 0;
}

/* An angle that goes over the end of its turn is close to one that does not. Where one of the two
 * is outside of a turn, as of a wheel, turns are counted. */
static double
wrap_angle (const Compare *compare, double x, double y)
{
  double low = MIN (x, y), high = MAX (x, y), turn, slack;

  /* The unit is looked up where it may matter. */
  if (high - low <= G_PI)
    return high - low;
  turn = get_turn (compare_find_unit (compare->present, compare->name->str));
  slack = turn * TURN_ERROR;
  if (high - low <= turn / 2 || high > turn + slack || low < -turn / 2 - slack ||
      (low < 0 && high > turn / 2 + slack))
    return high - low;
  return fabs (remainder (high - low, turn));
}

/* Where one of the two recordings has only the digits of a float, the other one is rounded. */
static double
round_number (const Compare *compare, double value)
{
  return compare->rounds && fabs (value) <= FLT_MAX ? (double) (float) value : value;
}

/* Two integers may differ by less than a double shows. */
static double
get_difference (const Compare *compare, OrreryNode *a, OrreryNode *b)
{
  double x = round_number (compare, get_number (a)), y = round_number (compare, get_number (b));

  if (orrery_node_get_kind (a) == ORRERY_NODE_INT && orrery_node_get_kind (b) == ORRERY_NODE_INT &&
      orrery_node_get_int (a) != orrery_node_get_int (b))
    return MAX (fabs (x - y), 1);
  return x == y || are_dates (compare, x, y) ? 0 : wrap_angle (compare, x, y);
}

static void
compare_numbers (Compare *compare, CompareField *field, OrreryNode *a, OrreryNode *b)
{
  double difference = get_difference (compare, a, b);

  if (field == NULL)
    field = find_field (compare);
  add_difference (compare, field, difference);
  if (difference <= compare->tolerance)
    return;
  if (field != NULL)
    field->differs = TRUE;
  note_nodes (compare, a, b);
}

static void
compare_bytes (Compare *compare, OrreryNode *a, OrreryNode *b)
{
  gsize n_a, n_b;
  g_autofree guchar *bytes_a = g_base64_decode (orrery_node_get_text (a), &n_a);
  g_autofree guchar *bytes_b = g_base64_decode (orrery_node_get_text (b), &n_b);
  CompareField *field = n_a == n_b ? find_field (compare) : NULL;

  if (n_a != n_b) {
    note_nodes (compare, a, b);
    return;
  }
  for (gsize i = 0; i < n_a; i++) {
    double difference = fabs ((double) bytes_a[i] - (double) bytes_b[i]);

    add_difference (compare, field, difference);
    if (difference <= compare->tolerance)
      continue;
    if (field != NULL)
      field->differs = TRUE;
    if (!compare->present->has_first) {
      g_autofree char *name = g_strdup_printf ("%s.%" G_GSIZE_FORMAT, compare->name->str, i);

      compare_note (compare, name, compare_print_double (bytes_a[i]),
                    compare_print_double (bytes_b[i]));
    }
    compare->differs = TRUE;
  }
}

static void
compare_texts (Compare *compare, OrreryNode *a, OrreryNode *b)
{
  if (strcmp (orrery_node_get_text (a), orrery_node_get_text (b)) == 0)
    return;
  if (g_hash_table_contains (compare->present->bytes, compare->name->str))
    compare_bytes (compare, a, b);
  else
    note_nodes (compare, a, b);
}

/* @a, @b: (nullable), not both
 * @key: in what the present name is of */
static void
enter (Compare *compare, CompareField *field, const char *key, OrreryNode *a, OrreryNode *b,
       guint depth)
{
  gsize length = compare->name->len;

  if (length > 0)
    g_string_append_c (compare->name, '.');
  g_string_append (compare->name, key);
  if (a != NULL && b != NULL)
    walk (compare, field, a, b, depth + 1);
  else
    note_nodes (compare, a, b);
  g_string_truncate (compare->name, length);
}

/* Whether a recording lacks a field since it was left out: the other one has it, or may have. */
static gboolean
skip_field (Compare *compare, const char *key, guint which, guint depth)
{
  CompareTopic *topic = compare->present;
  char **left_out = topic->left_out[which];

  if (depth > 0 || left_out == NULL || !g_strv_contains ((const char *const *) left_out, key))
    return FALSE;
  if (!g_ptr_array_find_with_equal_func (topic->skipped, key, g_str_equal, NULL))
    g_ptr_array_add (topic->skipped, g_strdup (key));
  return TRUE;
}

static void
compare_dicts (Compare *compare, CompareField *field, OrreryNode *a, OrreryNode *b, guint depth)
{
  for (guint i = 0; i < orrery_node_get_length (a); i++) {
    const char *key = orrery_node_get_key (a, i);
    OrreryNode *other = orrery_node_find (b, key);

    if (other == NULL && skip_field (compare, key, 1, depth))
      continue;
    if (depth == 0)
      compare->rounds = g_hash_table_contains (compare->present->float32, key);
    enter (compare, field, key, orrery_node_get_item (a, i), other, depth);
  }
  for (guint i = 0; i < orrery_node_get_length (b); i++) {
    const char *key = orrery_node_get_key (b, i);

    if (orrery_node_find (a, key) == NULL && !skip_field (compare, key, 0, depth))
      enter (compare, field, key, NULL, orrery_node_get_item (b, i), depth);
  }
}

static void
compare_lists (Compare *compare, CompareField *field, OrreryNode *a, OrreryNode *b, guint depth)
{
  guint n = orrery_node_get_length (a);
  char key[16];

  if (n != orrery_node_get_length (b)) {
    note_nodes (compare, a, b);
    return;
  }
  if (field == NULL && n > MAX_ITEMS)
    field = find_field (compare);
  for (guint i = 0; i < n; i++) {
    g_snprintf (key, sizeof key, "%u", i);
    enter (compare, field, key, orrery_node_get_item (a, i), orrery_node_get_item (b, i), depth);
  }
}

static void
compare_text_of_nodes (Compare *compare, OrreryNode *a, OrreryNode *b)
{
  g_autoptr (GVariant) value_a = orrery_node_to_variant (a);
  g_autoptr (GVariant) value_b = orrery_node_to_variant (b);

  if (!g_variant_equal (value_a, value_b))
    note_nodes (compare, a, b);
}

static void
walk (Compare *compare, CompareField *field, OrreryNode *a, OrreryNode *b, guint depth)
{
  OrreryNodeKind kind = orrery_node_get_kind (a);

  if (is_number (a) && is_number (b))
    compare_numbers (compare, field, a, b);
  else if (kind != orrery_node_get_kind (b))
    note_nodes (compare, a, b);
  else if (kind == ORRERY_NODE_TEXT)
    compare_texts (compare, a, b);
  else if (depth < MAX_DEPTH && kind == ORRERY_NODE_DICT)
    compare_dicts (compare, field, a, b, depth);
  else if (depth < MAX_DEPTH && kind == ORRERY_NODE_LIST)
    compare_lists (compare, field, a, b, depth);
  else
    compare_text_of_nodes (compare, a, b);
}

void
compare_nodes (Compare *compare, OrreryNode *a, OrreryNode *b)
{
  g_string_truncate (compare->name, 0);
  compare->rounds = FALSE;
  walk (compare, NULL, a, b, 0);
  close_message (compare);
}
