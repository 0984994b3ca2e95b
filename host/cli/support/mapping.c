/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows people the table of a codec whose mapping is data: a line for each field. */
#include "cli.h"

/* Deeper than any message. */
#define MAX_DEPTH 16

static char *
print_value (OrreryNode *value)
{
  if (orrery_node_get_kind (value) == ORRERY_NODE_TEXT)
    return g_strdup (orrery_node_get_text (value));
  return cli_print_node (value);
}

static void
add_cell (CliTable *table, const char *path, OrreryNode *value)
{
  g_autofree char *text = print_value (value);

  cli_table_add (table, path, text, NULL);
}

static void add_value (CliTable *table, const char *path, OrreryNode *value, guint depth);

static void
add_fields (CliTable *table, const char *path, OrreryNode *fields, guint depth)
{
  for (guint i = 0; i < orrery_node_get_length (fields); i++) {
    g_autofree char *inner =
        g_strconcat (path, *path != '\0' ? "." : "", orrery_node_get_key (fields, i), NULL);

    add_value (table, inner, orrery_node_get_item (fields, i), depth + 1);
  }
}

/* A message for each element of a list of the record. */
static void
add_each (CliTable *table, const char *path, OrreryNode *value, guint depth)
{
  OrreryNode *fields = orrery_node_find (value, "fields");
  g_autofree char *inner = g_strconcat (path, "[]", NULL);
  g_autofree char *words = g_strconcat ("for each of ", cli_node_get_text (value, "each"), NULL);

  cli_table_add (table, inner, words, NULL);
  if (fields != NULL)
    add_value (table, inner, fields, depth);
}

/* Numbers in a list fit into a line. */
static gboolean
is_plain (OrreryNode *value)
{
  OrreryNodeKind kind = orrery_node_get_kind (value);

  if (kind == ORRERY_NODE_LIST && orrery_node_get_length (value) > 0)
    kind = orrery_node_get_kind (orrery_node_get_item (value, 0));
  else
    return kind != ORRERY_NODE_DICT;
  return kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE || kind == ORRERY_NODE_BOOL;
}

static void
add_value (CliTable *table, const char *path, OrreryNode *value, guint depth)
{
  OrreryNodeKind kind = orrery_node_get_kind (value);

  if (depth > MAX_DEPTH || is_plain (value)) {
    add_cell (table, path, value);
  } else if (kind == ORRERY_NODE_DICT && *cli_node_get_text (value, "each") != '\0') {
    add_each (table, path, value, depth);
  } else if (kind == ORRERY_NODE_DICT) {
    add_fields (table, path, value, depth);
  } else {
    for (guint i = 0; i < orrery_node_get_length (value); i++) {
      g_autofree char *inner = g_strdup_printf ("%s[%u]", path, i);

      add_value (table, inner, orrery_node_get_item (value, i), depth + 1);
    }
  }
}

static void
print_fields (OrreryNode *fields)
{
  g_autoptr (CliTable) table = cli_table_new (-1);

  if (fields == NULL || orrery_node_get_kind (fields) != ORRERY_NODE_DICT)
    return;
  add_fields (table, "", fields, 0);
  cli_table_print (table, "      ");
}

static void
print_line (const char *line)
{
  g_autoptr (CliTable) table = cli_table_new (-1);

  cli_table_add (table, line, NULL);
  cli_table_print (table, "    ");
}

static void
print_message (OrreryNode *message)
{
  static const char *const shown[] = { "type", "topic", "fields", NULL };
  const char *topic = cli_node_get_text (message, "topic");
  g_autoptr (GString) line = g_string_new (cli_node_get_text (message, "type"));

  if (*topic != '\0')
    g_string_append_printf (line, " on %s", topic);
  for (guint i = 0; i < orrery_node_get_length (message); i++) {
    const char *key = orrery_node_get_key (message, i);
    g_autofree char *text = print_value (orrery_node_get_item (message, i));

    if (!g_strv_contains (shown, key))
      g_string_append_printf (line, ", %s %s", key, text);
  }
  print_line (line->str);
  print_fields (orrery_node_find (message, "fields"));
}

/* Returns: (nullable): the value of a property of the described class */
static OrreryNode *
find_value (OrreryNode *class, const char *name)
{
  OrreryNode *properties = orrery_node_find (class, "properties");

  for (guint i = 0; properties != NULL && i < orrery_node_get_length (properties); i++) {
    OrreryNode *property = orrery_node_get_item (properties, i);

    if (g_str_equal (cli_node_get_text (property, "name"), name))
      return orrery_node_find (property, "default");
  }
  return NULL;
}

void
cli_describe_mapping (OrreryNode *class)
{
  OrreryNode *types = orrery_node_find (class, "messages");
  OrreryNode *messages = find_value (class, "messages");
  gboolean is_list = messages != NULL && orrery_node_get_kind (messages) == ORRERY_NODE_LIST;

  if (types == NULL)
    return;
  fprintf (stdout, "  messages\n");
  for (guint i = 0; is_list && i < orrery_node_get_length (messages); i++)
    if (orrery_node_get_kind (orrery_node_get_item (messages, i)) == ORRERY_NODE_DICT)
      print_message (orrery_node_get_item (messages, i));
  if (is_list)
    return;
  print_line (orrery_node_get_text (orrery_node_get_item (types, 0)));
  print_fields (find_value (class, "fields"));
}
