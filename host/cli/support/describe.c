/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows people what the description of a class says: all of it. */
#include "cli.h"

#include <string.h>

const char *
cli_node_get_text (OrreryNode *dict, const char *key)
{
  OrreryNode *node = orrery_node_find (dict, key);

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (node)
             : "";
}

static gboolean
is_true (OrreryNode *dict, const char *key)
{
  OrreryNode *node = orrery_node_find (dict, key);

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_BOOL &&
         orrery_node_get_bool (node);
}

char *
cli_print_node (OrreryNode *node)
{
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_strdup (
        g_ascii_formatd (digits, sizeof digits, "%.12g", g_variant_get_double (value)));
  return orrery_variant_print (value);
}

/* --- the class itself: one line for each key --- */

static void
add_key (CliTable *table, const char *key, OrreryNode *value)
{
  gboolean is_text = orrery_node_get_kind (value) == ORRERY_NODE_TEXT;
  g_autofree char *text =
      is_text ? g_strdup (orrery_node_get_text (value)) : cli_print_node (value);

  if (g_str_equal (key, "frequency")) {
    g_autofree char *hertz = g_strdup_printf ("%s Hz", text);

    cli_table_add (table, key, hertz, NULL);
  } else {
    cli_table_add (table, key, text, NULL);
  }
}

static void
print_keys (OrreryNode *class)
{
  static const char *const shown[] = { "classpath",      "role",     "levels",     "aliases",
                                       "fields",         "methods",  "properties", "services",
                                       "stream_options", "messages", NULL };
  g_autoptr (CliTable) table = cli_table_new (-1);

  for (guint i = 0; i < orrery_node_get_length (class); i++) {
    const char *key = orrery_node_get_key (class, i);

    if (!g_strv_contains (shown, key))
      add_key (table, key, orrery_node_get_item (class, i));
  }
  cli_table_print (table, "  ");
}

/* --- its lists: a section for each, of one line for each entry --- */

static void
add_level (CliTable *table, OrreryNode *level)
{
  cli_table_add (table, cli_node_get_text (level, "name"), cli_node_get_text (level, "classpath"),
                 is_true (level, "default") ? "the default" : "", NULL);
}

static void
add_alias (CliTable *table, OrreryNode *alias)
{
  g_autofree char *component = g_strdup_printf ("for %s", cli_node_get_text (alias, "component"));
  const char *level = cli_node_get_text (alias, "level");
  g_autofree char *words = g_strdup_printf ("%s%s%s", *level != '\0' ? "level " : "", level,
                                            is_true (alias, "shadowed")
                                                ? "; not reached, since another module comes first"
                                                : "");

  cli_table_add (table, cli_node_get_text (alias, "alias"), component, words, NULL);
}

static void
add_field (CliTable *table, OrreryNode *field)
{
  cli_table_add (table, cli_node_get_text (field, "name"), cli_node_get_text (field, "type"),
                 cli_node_get_text (field, "unit"), cli_node_get_text (field, "words"), NULL);
}

static void
append_range (GString *text, OrreryNode *property)
{
  OrreryNode *minimum = orrery_node_find (property, "minimum");
  OrreryNode *maximum = orrery_node_find (property, "maximum");
  g_autofree char *least = minimum != NULL ? cli_print_node (minimum) : NULL;
  g_autofree char *greatest = maximum != NULL ? cli_print_node (maximum) : NULL;

  if (least != NULL && greatest != NULL)
    g_string_append_printf (text, "%s to %s", least, greatest);
  else if (least != NULL)
    g_string_append_printf (text, "at least %s", least);
  else if (greatest != NULL)
    g_string_append_printf (text, "at most %s", greatest);
}

static void
append_choices (GString *text, OrreryNode *property)
{
  OrreryNode *choices = orrery_node_find (property, "choices");

  for (guint i = 0; choices != NULL && i < orrery_node_get_length (choices); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "",
                            orrery_node_get_text (orrery_node_get_item (choices, i)));
}

/* What holds dictionaries does not fit into a line: for example the table of a mapping. */
static gboolean
is_nested (OrreryNode *value)
{
  OrreryNodeKind kind = orrery_node_get_kind (value);

  return kind == ORRERY_NODE_DICT ||
         (kind == ORRERY_NODE_LIST && orrery_node_get_length (value) > 0 &&
          orrery_node_get_kind (orrery_node_get_item (value, 0)) == ORRERY_NODE_DICT);
}

static void
add_property (CliTable *table, OrreryNode *property)
{
  OrreryNode *by_default = orrery_node_find (property, "default");
  gboolean is_shown = by_default != NULL && !is_nested (by_default);
  g_autofree char *value = is_shown ? cli_print_node (by_default) : NULL;
  g_autofree char *kind = g_strdup_printf ("%s%s%s", cli_node_get_text (property, "type"),
                                           value != NULL ? " = " : "", value != NULL ? value : "");
  g_autoptr (GString) limits = g_string_new (NULL);
  g_autoptr (GString) words = g_string_new (cli_node_get_text (property, "words"));
  const char *name = cli_node_get_text (property, "name");
  const char *in_code = cli_node_get_text (property, "property");
  const char *read = cli_node_get_text (property, "read");

  append_range (limits, property);
  append_choices (limits, property);
  if (g_str_equal (read, "start"))
    g_string_append (words, "; read at the start");
  else if (g_str_equal (read, "never"))
    g_string_append (words, "; no effect");
  if (!g_str_equal (name, in_code))
    g_string_append_printf (words, "; in code %s", in_code);
  cli_table_add (table, name, kind, limits->str, words->str, NULL);
}

static void
add_method (CliTable *table, OrreryNode *method)
{
  cli_table_add (table, cli_node_get_text (method, "name"), cli_node_get_text (method, "words"),
                 NULL);
}

/* GVariant's letters in words; types with more in them than these stay letters. */
static const char *
name_type (const char *type)
{
  static const char *const names[][2] = {
    { "b", "bool" },
    { "d", "float" },
    { "i", "int" },
    { "x", "int" },
    { "u", "int" },
    { "t", "int" },
    { "s", "string" },
    { "v", "any" },
    { "ad", "list of float" },
    { "av", "list" },
    { "as", "list of string" },
    { "a{sv}", "dictionary" },
    { "aad", "list of lists of float" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i][0], type))
      return names[i][1];
  return type;
}

static void
append_argument (GString *text, OrreryNode *argument)
{
  OrreryNode *by_default = orrery_node_find (argument, "default");
  g_autofree char *value = by_default != NULL ? cli_print_node (by_default) : NULL;

  g_string_append_printf (text, "%s%s: %s%s%s", text->str[text->len - 1] == '(' ? "" : ", ",
                          cli_node_get_text (argument, "name"),
                          name_type (cli_node_get_text (argument, "type")),
                          value != NULL ? " = " : "", value != NULL ? value : "");
}

static void
add_service (CliTable *table, OrreryNode *service)
{
  OrreryNode *arguments = orrery_node_find (service, "arguments");
  g_autoptr (GString) call = g_string_new (cli_node_get_text (service, "name"));
  g_autofree char *words = NULL;
  gboolean is_long = g_str_equal (cli_node_get_text (service, "kind"), "long");

  g_string_append (call, " (");
  for (guint i = 0; arguments != NULL && i < orrery_node_get_length (arguments); i++)
    append_argument (call, orrery_node_get_item (arguments, i));
  g_string_append_c (call, ')');
  words = g_strconcat (cli_node_get_text (service, "words"), is_long ? "; long" : "",
                       is_true (service, "interruptible") ? "; can be interrupted" : "", NULL);
  cli_table_add (table, call->str, words, NULL);
}

static void
print_section (OrreryNode *class, const char *key, void (*add) (CliTable *table, OrreryNode *entry))
{
  OrreryNode *list = orrery_node_find (class, key);
  g_autoptr (CliTable) table = cli_table_new (0);

  if (list == NULL || orrery_node_get_length (list) == 0)
    return;
  for (guint i = 0; i < orrery_node_get_length (list); i++)
    add (table, orrery_node_get_item (list, i));
  fprintf (stdout, "  %s\n", key);
  cli_table_print (table, "    ");
}

void
cli_describe_class (OrreryNode *class)
{
  gboolean colours = cli_is_terminal (stdout);

  fprintf (stdout, "%s%s%s: %s\n", colours ? "\033[1m" : "", cli_node_get_text (class, "classpath"),
           colours ? "\033[0m" : "", cli_node_get_text (class, "role"));
  print_keys (class);
  print_section (class, "levels", add_level);
  print_section (class, "aliases", add_alias);
  print_section (class, "fields", add_field);
  cli_describe_mapping (class);
  print_section (class, "properties", add_property);
  print_section (class, "stream_options", add_property);
  print_section (class, "methods", add_method);
  print_section (class, "services", add_service);
}
