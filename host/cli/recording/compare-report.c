/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how two recordings differ, for people and as JSON. */
#include "compare.h"

#include "../support/cli.h"
#include "recording.h"

#include <math.h>

/* A value in a line for people */
#define MAX_LETTERS 60

/* --- for people --- */

/* @value: (nullable): as JSON */
static char *
shorten (const char *value)
{
  const char *text = value != NULL ? value : "absent";

  if (g_utf8_strlen (text, -1) <= MAX_LETTERS)
    return g_strdup (text);
  return g_strdup_printf ("%.*s...", (int) (g_utf8_offset_to_pointer (text, MAX_LETTERS) - text),
                          text);
}

static void
print_line (const char *line)
{
  g_autofree char *safe = orrery_escape_text (line, FALSE);
  g_autofree char *whole = g_strconcat (safe, "\n", NULL);

  cli_write (stdout, whole);
}

static void
print_first (const Compare *compare, const CompareTopic *topic)
{
  double after = orrery_time_to_seconds (topic->first - compare->start);
  g_autofree char *time = cli_recording_print_time (topic->first);
  g_autofree char *a = shorten (topic->values[0]);
  g_autofree char *b = shorten (topic->values[1]);
  g_autofree char *line =
      g_strdup_printf ("  first at %s s, %.9g s after the first message: %s%s%s and %s", time,
                       after, topic->field, *topic->field != '\0' ? ": " : "", a, b);

  print_line (line);
}

/* sqrt (sum / n), where messages that are the same bytes count as zeros */
static double
get_rms (const CompareTopic *topic, const CompareField *field)
{
  return sqrt (field->sum / (double) MAX (field->n + topic->n_same, 1));
}

static char *
print_amount (double value, const char *unit, const char *words)
{
  return g_strdup_printf ("%.6g%s%s %s", value, *unit != '\0' ? " " : "", unit, words);
}

static char *
print_when (const Compare *compare, OrreryTime time)
{
  return g_strdup_printf ("at %.9g s", orrery_time_to_seconds (time - compare->start));
}

static void
print_fields (const Compare *compare, const CompareTopic *topic)
{
  g_autoptr (CliTable) table = cli_table_new (-1);

  for (guint i = 0; i < topic->field_order->len; i++) {
    const CompareField *field = g_ptr_array_index (topic->field_order, i);
    const char *unit = compare_find_unit (topic, field->name);
    g_autofree char *largest = print_amount (field->largest, unit, "at most");
    g_autofree char *when = print_when (compare, field->time);
    g_autofree char *rms = print_amount (get_rms (topic, field), unit, "root mean square");

    if (field->differs)
      cli_table_add (table, field->name, largest, when, rms, NULL);
  }
  for (guint i = 0; i < topic->object_order->len; i++) {
    const CompareObject *object = g_ptr_array_index (topic->object_order, i);
    g_autofree char *distance = print_amount (object->distance, "m", "at most");
    g_autofree char *when = print_when (compare, object->time_of_distance);
    g_autofree char *angle = print_amount (object->angle, "rad", "at most");
    g_autofree char *when_turned = print_when (compare, object->time_of_angle);

    if (!object->known[0] || !object->known[1])
      cli_table_add (table, object->name, "only in", compare->paths[object->known[0] ? 0 : 1],
                     NULL);
    else if (object->differs)
      cli_table_add (table, object->name, distance, object->distance > 0 ? when : "", angle,
                     object->angle > 0 ? when_turned : "", NULL);
  }
  cli_table_print (table, "  ");
}

static void
print_topic (const Compare *compare, const CompareTopic *topic)
{
  g_autoptr (GString) line = g_string_new (topic->topic);

  if (topic->n[0] == 0 || topic->n[1] == 0) {
    guint which = topic->n[0] > 0 ? 0 : 1;

    g_string_append_printf (line, ": only in %s, %" G_GUINT64_FORMAT " messages",
                            compare->paths[which], topic->n[which]);
    print_line (line->str);
    return;
  }
  g_string_append_printf (line,
                          ": %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT
                          " messages, %" G_GUINT64_FORMAT " of equal time, %" G_GUINT64_FORMAT
                          " of these differ",
                          topic->n[0], topic->n[1], topic->n_pairs, topic->n_different);
  print_line (line->str);
  print_first (compare, topic);
  print_fields (compare, topic);
}

static void
print_skipped (const Compare *compare, const CompareTopic *topic)
{
  for (guint i = 0; i < topic->skipped->len; i++) {
    const char *field = topic->skipped->pdata[i];
    char **left_out = topic->left_out[0];
    guint which =
        left_out != NULL && g_strv_contains ((const char *const *) left_out, field) ? 0 : 1;
    g_autofree char *line = g_strdup_printf ("%s: %s was not compared: %s has left it out",
                                             topic->topic, field, compare->paths[which]);

    print_line (line);
  }
}

void
compare_print (Compare *compare)
{
  guint64 n_pairs = 0;

  for (guint i = 0; i < compare->topics->len; i++) {
    const CompareTopic *topic = g_ptr_array_index (compare->topics, i);

    n_pairs += topic->n_pairs;
    if (compare_topic_differs (topic))
      print_topic (compare, topic);
    print_skipped (compare, topic);
  }
  if (n_pairs == 0)
    cli_write (stderr, "orrery: warning: nothing was compared: the recordings have no messages of "
                       "one topic and time\n");
}

/* --- for programs --- */

static void
write_key (OrreryWriter *writer, const char *key, gboolean begins)
{
  orrery_writer_append_text (writer, begins ? "{" : ", ");
  orrery_writer_append_json_text (writer, key);
  orrery_writer_append_text (writer, ": ");
}

static void
write_count (OrreryWriter *writer, const char *key, guint64 value)
{
  write_key (writer, key, FALSE);
  orrery_writer_append_int (writer, (gint64) MIN (value, G_MAXINT64));
}

static void
write_double (OrreryWriter *writer, const char *key, double value)
{
  write_key (writer, key, FALSE);
  orrery_writer_append_json_double (writer, value);
}

static void
write_time (OrreryWriter *writer, const char *key, OrreryTime time)
{
  g_autofree char *text = cli_recording_print_time (time);

  write_key (writer, key, FALSE);
  orrery_writer_append_text (writer, text);
}

static void
write_text (OrreryWriter *writer, const char *key, const char *text, gboolean begins)
{
  write_key (writer, key, begins);
  orrery_writer_append_json_text (writer, text);
}

static void
write_first (OrreryWriter *writer, const CompareTopic *topic)
{
  static const char *const keys[] = { "a", "b" };

  write_key (writer, "first", FALSE);
  write_text (writer, "field", topic->field, TRUE);
  write_time (writer, "time", topic->first);
  for (guint i = 0; i < 2; i++)
    if (topic->values[i] != NULL) {
      write_key (writer, keys[i], FALSE);
      orrery_writer_append_text (writer, topic->values[i]);
    }
  orrery_writer_append_text (writer, "}");
}

static void
write_fields (OrreryWriter *writer, const CompareTopic *topic)
{
  guint n = 0;

  write_key (writer, "fields", FALSE);
  orrery_writer_append_text (writer, "[");
  for (guint i = 0; i < topic->field_order->len; i++) {
    const CompareField *field = g_ptr_array_index (topic->field_order, i);

    if (!field->differs)
      continue;
    orrery_writer_append_text (writer, n++ > 0 ? ", " : "");
    write_text (writer, "field", field->name, TRUE);
    write_text (writer, "unit", compare_find_unit (topic, field->name), FALSE);
    write_double (writer, "largest", field->largest);
    write_time (writer, "time", field->time);
    write_double (writer, "rms", get_rms (topic, field));
    orrery_writer_append_text (writer, "}");
  }
  orrery_writer_append_text (writer, "]");
}

static void
write_objects (OrreryWriter *writer, const CompareTopic *topic)
{
  guint n = 0;

  write_key (writer, "objects", FALSE);
  orrery_writer_append_text (writer, "[");
  for (guint i = 0; i < topic->object_order->len; i++) {
    const CompareObject *object = g_ptr_array_index (topic->object_order, i);

    if (!object->differs)
      continue;
    orrery_writer_append_text (writer, n++ > 0 ? ", " : "");
    write_text (writer, "object", object->name, TRUE);
    write_double (writer, "distance", object->distance);
    write_time (writer, "time_of_distance", object->time_of_distance);
    write_double (writer, "angle", object->angle);
    write_time (writer, "time_of_angle", object->time_of_angle);
    orrery_writer_append_text (writer, "}");
  }
  orrery_writer_append_text (writer, "]");
}

static void
write_skipped (OrreryWriter *writer, const CompareTopic *topic)
{
  write_key (writer, "not_compared", FALSE);
  for (guint i = 0; i < topic->skipped->len; i++) {
    orrery_writer_append_text (writer, i > 0 ? ", " : "[");
    orrery_writer_append_json_text (writer, topic->skipped->pdata[i]);
  }
  orrery_writer_append_text (writer, "]");
}

static void
write_topic (OrreryWriter *writer, const CompareTopic *topic)
{
  write_text (writer, "topic", topic->topic, TRUE);
  write_count (writer, "messages_a", topic->n[0]);
  write_count (writer, "messages_b", topic->n[1]);
  write_count (writer, "compared", topic->n_pairs);
  write_count (writer, "different", topic->n_different);
  write_count (writer, "only_a", topic->n_alone[0]);
  write_count (writer, "only_b", topic->n_alone[1]);
  if (topic->has_first)
    write_first (writer, topic);
  write_fields (writer, topic);
  if (topic->skipped->len > 0)
    write_skipped (writer, topic);
  if (topic->is_poses)
    write_objects (writer, topic);
  orrery_writer_append_text (writer, "}");
}

void
compare_print_json (Compare *compare)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *text;
  gsize length;

  write_text (writer, "a", compare->paths[0], TRUE);
  write_text (writer, "b", compare->paths[1], FALSE);
  write_key (writer, "equal", FALSE);
  orrery_writer_append_text (writer, compare_has_difference (compare) ? "false" : "true");
  write_key (writer, "topics", FALSE);
  orrery_writer_append_text (writer, "[");
  for (guint i = 0; i < compare->topics->len; i++) {
    orrery_writer_append_text (writer, i > 0 ? ",\n  " : "\n  ");
    write_topic (writer, g_ptr_array_index (compare->topics, i));
  }
  orrery_writer_append_text (writer, "]}\n");
  text = orrery_writer_get_data (writer, &length);
  fwrite (text, 1, length, stdout);
}
