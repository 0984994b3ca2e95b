/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables in CSV of the messages of a recording. */
#include "recording.h"

#include "../support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A list with more items is one cell, as JSON. */
#define MAX_ITEMS 16
#define MAX_COLUMNS 4096
#define MAX_DEPTH 16
/* Written to the file when there is so much */
#define PART_BYTES (1024 * 1024)

/* A topic and its columns; the files are read twice, first for these. */
typedef struct {
  GHashTable *columns; /* name -> 1 + index */
  GPtrArray *names;
  GHashTable *lists; /* names of lists that are one cell */
  char **cells;      /* of the present line */
  int fd;
  GString *text; /* not yet written */
} Table;

static void
table_free (Table *table)
{
  g_hash_table_unref (table->columns);
  g_hash_table_unref (table->lists);
  g_ptr_array_unref (table->names);
  g_free (table->cells);
  g_string_free (table->text, TRUE);
  if (table->fd >= 0)
    close (table->fd);
  g_free (table);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_free)

static Table *
table_new (void)
{
  Table *table = g_new0 (Table, 1);

  table->columns = g_hash_table_new (g_str_hash, g_str_equal);
  table->lists = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  table->names = g_ptr_array_new_with_free_func (g_free);
  table->text = g_string_new (NULL);
  table->fd = -1;
  return table;
}

/* --- what a message has --- */

typedef void (*LeafFunc) (Table *table, const char *name, OrreryNode *node);

static void
walk (Table *table, const char *name, OrreryNode *node, guint depth, LeafFunc func)
{
  OrreryNodeKind kind = orrery_node_get_kind (node);
  guint n =
      kind == ORRERY_NODE_DICT || kind == ORRERY_NODE_LIST ? orrery_node_get_length (node) : 0;

  if (kind == ORRERY_NODE_LIST && n > MAX_ITEMS && !g_hash_table_contains (table->lists, name))
    g_hash_table_add (table->lists, g_strdup (name));
  if (n == 0 || depth >= MAX_DEPTH ||
      (kind == ORRERY_NODE_LIST && g_hash_table_contains (table->lists, name))) {
    func (table, name, node);
    return;
  }
  for (guint i = 0; i < n; i++) {
    g_autofree char *inner =
        kind == ORRERY_NODE_LIST
            ? g_strdup_printf ("%s.%u", name, i)
            : g_strconcat (name, *name != '\0' ? "." : "", orrery_node_get_key (node, i), NULL);

    walk (table, inner, orrery_node_get_item (node, i), depth + 1, func);
  }
}

static void
add_column (Table *table, const char *name, OrreryNode *node)
{
  char *copy;

  if (table->names->len >= MAX_COLUMNS || g_hash_table_contains (table->columns, name))
    return;
  copy = g_strdup (name);
  g_ptr_array_add (table->names, copy);
  g_hash_table_insert (table->columns, copy, GUINT_TO_POINTER (table->names->len));
}

static char *
print_value (OrreryNode *node)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = NULL;
  const char *text;
  gsize length;

  switch (orrery_node_get_kind (node)) {
  case ORRERY_NODE_NULL:
    return g_strdup ("");
  case ORRERY_NODE_TEXT:
    return g_strdup (orrery_node_get_text (node));
  case ORRERY_NODE_DOUBLE:
    orrery_writer_append_double (writer, orrery_node_get_double (node));
    break;
  default:
    value = orrery_node_to_variant (node);
    orrery_writer_append_json_variant (writer, value);
    break;
  }
  text = orrery_writer_get_data (writer, &length);
  return g_strndup (text, length);
}

static void
fill_cell (Table *table, const char *name, OrreryNode *node)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (table->columns, name));

  if (index > 0 && table->cells[index - 1] == NULL)
    table->cells[index - 1] = print_value (node);
}

/* --- lines --- */

static gboolean
flush_table (Table *table, const char *directory, GError **error)
{
  gsize written = orrery_output_write (table->fd, table->text->str, table->text->len, 10000);

  if (written < table->text->len)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be written: %s", directory,
                             g_strerror (errno));
  g_string_truncate (table->text, 0);
  return TRUE;
}

static gboolean
write_line (Table *table, OrreryTime time, OrreryNode *node, const char *directory, GError **error)
{
  g_autofree char *seconds = cli_recording_print_time (time);

  walk (table, "", node, 0, fill_cell);
  g_string_append (table->text, seconds);
  for (guint i = 0; i < table->names->len; i++) {
    g_string_append_c (table->text, ',');
    if (table->cells[i] != NULL)
      cli_append_csv (table->text, table->cells[i]);
    g_clear_pointer (&table->cells[i], g_free);
  }
  g_string_append_c (table->text, '\n');
  return table->text->len < PART_BYTES || flush_table (table, directory, error);
}

/* The file of a topic: its name without the slash, `.` for others, `_` for what a name must not
 * have. */
static gboolean
open_table (Table *table, const char *topic, const char *directory, GError **error)
{
  OrreryOutputRules rules = { .directory = directory };
  g_autofree char *safe = g_strdup (*topic == '/' ? topic + 1 : topic);
  g_autofree char *name = NULL;

  for (char *c = safe; *c != '\0'; c++)
    if (*c == '/')
      *c = '.';
    else if (!g_ascii_isalnum (*c) && strchr ("._-", *c) == NULL)
      *c = '_';
  name = g_strdup_printf ("%.200s.csv", *safe != '\0' ? safe : "_");
  table->fd = orrery_output_open (name, &rules, NULL, error);
  if (table->fd < 0)
    return FALSE;
  table->cells = g_new0 (char *, table->names->len + 1);
  g_string_append (table->text, "time");
  for (guint i = 0; i < table->names->len; i++) {
    g_string_append_c (table->text, ',');
    cli_append_csv (table->text, g_ptr_array_index (table->names, i));
  }
  g_string_append_c (table->text, '\n');
  return TRUE;
}

/* --- a topic --- */

/* Returns: (transfer full) (nullable): the present message; NULL: no JSON */
static OrreryNode *
read_message (OrreryRecordingReader *reader)
{
  const OrreryRecordingChannel *channel =
      orrery_recording_reader_get_channel (reader,
                                           orrery_recording_reader_get_message_channel (reader));
  gsize length;
  const guint8 *data = orrery_recording_reader_get_message_data (reader, &length);

  if (strcmp (channel->encoding, "json") != 0)
    return NULL;
  return orrery_node_parse_json ((const char *) data, length, channel->topic, NULL);
}

static gboolean
export_topic (OrreryRecordingReader *reader, const char *topic, OrreryTime from, OrreryTime to,
              const char *directory, GError **error)
{
  const char *const topics[] = { topic, NULL };
  g_autoptr (Table) table = table_new ();
  g_autoptr (GError) local = NULL;

  orrery_recording_reader_select (reader, topics, from, to);
  while (orrery_recording_reader_next (reader, &local)) {
    g_autoptr (OrreryNode) node = read_message (reader);

    if (node != NULL)
      walk (table, "", node, 0, add_column);
  }
  if (local == NULL && table->names->len > 0 && open_table (table, topic, directory, &local)) {
    orrery_recording_reader_select (reader, topics, from, to);
    while (local == NULL && orrery_recording_reader_next (reader, &local)) {
      g_autoptr (OrreryNode) node = read_message (reader);

      if (node != NULL)
        write_line (table, orrery_recording_reader_get_message_time (reader), node, directory,
                    &local);
    }
    if (local == NULL)
      flush_table (table, directory, &local);
  }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
cli_recording_write_csv (OrreryRecordingReader *reader, const char *const *topics, OrreryTime from,
                         OrreryTime to, const char *directory, GError **error)
{
  g_auto (GStrv) all = orrery_recording_reader_list_topics (reader);

  if (g_mkdir_with_parents (directory, 0777) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: cannot be made: %s", directory,
                             g_strerror (errno));
  for (guint i = 0; all[i] != NULL; i++)
    if (topics == NULL || g_strv_contains (topics, all[i]))
      if (!export_topic (reader, all[i], from, to, directory, error))
        return FALSE;
  return TRUE;
}
