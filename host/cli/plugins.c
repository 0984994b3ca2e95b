/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery plugins`: lists plugins and describes their classes. */
#include "commands.h"
#include "support/cli.h"

#include <string.h>

/* --- for people: the same JSON, which is the only description there is --- */

static const char *
text_of (OrreryNode *dict, const char *key)
{
  OrreryNode *node = orrery_node_find (dict, key);

  return node != NULL && orrery_node_get_kind (node) == ORRERY_NODE_TEXT
             ? orrery_node_get_text (node)
             : "";
}

typedef void (*PrintFunc) (OrreryNode *item, gpointer user_data);

static void
for_each_item (OrreryNode *dict, const char *key, PrintFunc func, gpointer user_data)
{
  OrreryNode *list = orrery_node_find (dict, key);

  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++)
    func (orrery_node_get_item (list, i), user_data);
}

static void
print_list (OrreryNode *dict, const char *key, const char *title)
{
  OrreryNode *list = orrery_node_find (dict, key);

  if (list == NULL || orrery_node_get_length (list) == 0)
    return;
  fprintf (stdout, "\n%s\n", title);
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    g_autoptr (GVariant) value = orrery_node_to_variant (orrery_node_get_item (list, i));
    g_autofree char *other = orrery_variant_print (value);
    gboolean is_text = g_variant_is_of_type (value, G_VARIANT_TYPE_STRING);

    fprintf (stdout, "  %s\n", is_text ? g_variant_get_string (value, NULL) : other);
  }
}

static void
print_listed_level (OrreryNode *level, gpointer user_data)
{
  OrreryNode *by_default = orrery_node_find (level, "default");

  fprintf (stdout, "  %-18s %s%s\n", "", text_of (level, "name"),
           by_default != NULL && orrery_node_get_bool (by_default) ? " (default level)" : "");
}

static void
print_listed_class (OrreryNode *class, gpointer user_data)
{
  fprintf (stdout, "  %-18s %s\n", text_of (class, "role"), text_of (class, "classpath"));
  for_each_item (class, "levels", print_listed_level, NULL);
}

static void
print_module (OrreryNode *module, gpointer user_data)
{
  fprintf (stdout, "%s: %s\n", text_of (module, "module"), text_of (module, "summary"));
  for_each_item (module, "classes", print_listed_class, NULL);
}

static void
print_field (OrreryNode *field, gpointer user_data)
{
  g_autofree char *kind =
      g_strdup_printf ("%s %s", text_of (field, "type"), text_of (field, "unit"));

  fprintf (stdout, "    %-22s %-14s %s\n", text_of (field, "name"), kind, text_of (field, "words"));
}

/* As people write it: 0.05, not what the nearest double is. */
static char *
print_value (OrreryNode *node)
{
  g_autoptr (GVariant) value = node != NULL ? orrery_node_to_variant (node) : NULL;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_strdup (
        g_ascii_formatd (digits, sizeof digits, "%.12g", g_variant_get_double (value)));
  return value != NULL ? orrery_variant_print (value) : g_strdup ("");
}

static void
print_property (OrreryNode *property, gpointer user_data)
{
  g_autofree char *text = print_value (orrery_node_find (property, "default"));
  g_autofree char *kind = g_strdup_printf ("%s = %s", text_of (property, "type"), text);
  const char *read = text_of (property, "read");

  fprintf (stdout, "    %-22s %-14s %s%s\n", text_of (property, "name"), kind,
           text_of (property, "words"),
           g_str_equal (read, "start")   ? "; read at the start"
           : g_str_equal (read, "never") ? "; no effect"
                                         : "");
}

static void
append_argument (OrreryNode *argument, gpointer user_data)
{
  GString *text = user_data;

  g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", text_of (argument, "name"));
}

static void
print_service (OrreryNode *service, gpointer user_data)
{
  g_autoptr (GString) arguments = g_string_new (NULL);
  g_autofree char *call = NULL;

  for_each_item (service, "arguments", append_argument, arguments);
  call = g_strdup_printf ("%s (%s)", text_of (service, "name"), arguments->str);
  fprintf (stdout, "    %-37s %s\n", call, text_of (service, "words"));
}

static void
print_section (OrreryNode *class, const char *key, const char *title, PrintFunc func)
{
  OrreryNode *list = orrery_node_find (class, key);

  if (list == NULL || orrery_node_get_length (list) == 0)
    return;
  fprintf (stdout, "  %s\n", title);
  for_each_item (class, key, func, NULL);
}

static void
print_class (OrreryNode *class, gpointer user_data)
{
  fprintf (stdout, "%s: %s, from %s\n", text_of (class, "classpath"), text_of (class, "role"),
           text_of (class, "file"));
  print_section (class, "levels", "levels", print_listed_level);
  print_section (class, "fields", "fields", print_field);
  print_section (class, "properties", "properties", print_property);
  print_section (class, "methods", "methods", print_field);
  print_section (class, "services", "services", print_service);
}

static void
print_for_people (OrreryNode *document)
{
  for_each_item (document, "modules", print_module, NULL);
  for_each_item (document, "classes", print_class, NULL);
  print_list (document, "environments", "environments");
  print_list (document, "shadowed", "not reached, since another comes first");
  print_list (document, "errors", "refused");
  print_list (document, "directories", "searched, in this order");
}

static int
print_plugins (OrreryRegistry *registry, char **classpaths, gboolean as_json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) document = NULL;
  g_autofree char *json =
      *classpaths != NULL
          ? orrery_registry_describe (registry, (const char *const *) classpaths, &error)
          : orrery_registry_list (registry);

  if (json == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("plugins", NULL);
  if (json == NULL)
    return cli_fail (error);
  if (as_json) {
    cli_write (stdout, json);
    cli_write (stdout, "\n");
    return CLI_OK;
  }
  document = orrery_node_parse_json (json, strlen (json), "plugins", &error);
  if (document == NULL)
    return cli_fail (error);
  print_for_people (document);
  return CLI_OK;
}

int
cli_plugins (int argc, char **argv)
{
  g_auto (GStrv) plugin_dirs = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  gboolean json = FALSE;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON, for programs", NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { NULL },
  };

  if (!cli_parse ("plugins", "[CLASSPATH...]",
                  "Lists what can be put in a scene; with classpaths, describes their fields, "
                  "properties and services.",
                  entries, FALSE, 0, G_MAXINT, &argc, &argv))
    return CLI_USAGE;
  registry = cli_registry_new (plugin_dirs, &status);
  if (registry == NULL)
    return status;
  return print_plugins (registry, argv, json);
}
