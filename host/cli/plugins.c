/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery plugins`: lists plugins and describes their classes. */
#include "commands.h"
#include "support/cli.h"

#include <string.h>

typedef struct {
  char **words; /* each is in a line that is shown, in any case of letters */
  char *role;   /* NULL: any */
  guint n_shown;
} Filter;

/* --- for people: the same JSON, which is the only description there is --- */

static gboolean
is_wanted (Filter *filter, const char *line)
{
  g_autofree char *folded = g_utf8_casefold (line, -1);

  for (char **word = filter->words; *word != NULL; word++) {
    /* Classpaths of MORSE name our classes. */
    gboolean is_morse = g_str_has_prefix (*word, "morse.");
    g_autofree char *ours =
        g_strconcat (is_morse ? "orrery." : "", *word + (is_morse ? strlen ("morse.") : 0), NULL);
    g_autofree char *part = g_utf8_casefold (ours, -1);

    if (strstr (folded, part) == NULL)
      return FALSE;
  }
  return TRUE;
}

/* The levels as they stand behind the words of a class: ` [raw (default), rssi]`. */
static void
append_levels (GString *text, OrreryNode *levels)
{
  for (guint i = 0; levels != NULL && i < orrery_node_get_length (levels); i++) {
    OrreryNode *level = orrery_node_get_item (levels, i);
    OrreryNode *by_default = orrery_node_find (level, "default");

    g_string_append_printf (text, "%s%s%s", i == 0 ? " [" : ", ", cli_node_get_text (level, "name"),
                            by_default != NULL && orrery_node_get_bool (by_default) ? " (default)"
                                                                                    : "");
  }
  if (levels != NULL && orrery_node_get_length (levels) > 0)
    g_string_append_c (text, ']');
}

/* What its module is, and which messages a codec sends or takes. */
static GString *
make_words (OrreryNode *module, OrreryNode *class)
{
  GString *words = g_string_new (cli_node_get_text (module, "summary"));
  OrreryNode *messages = orrery_node_find (class, "messages");
  gboolean is_in = g_str_equal (cli_node_get_text (class, "direction"), "IN");

  for (guint i = 0; messages != NULL && i < orrery_node_get_length (messages); i++)
    g_string_append_printf (words, "%s%s",
                            i > 0   ? ", "
                            : is_in ? "; takes "
                                    : "; sends ",
                            orrery_node_get_text (orrery_node_get_item (messages, i)));
  return words;
}

static void
add_class (CliTable *table, OrreryNode *module, OrreryNode *class, Filter *filter)
{
  const char *role = cli_node_get_text (class, "role");
  const char *classpath = cli_node_get_text (class, "classpath");
  g_autoptr (GString) words = make_words (module, class);
  g_autofree char *line = NULL;

  append_levels (words, orrery_node_find (class, "levels"));
  line = g_strjoin ("\n", classpath, words->str, cli_node_get_text (class, "name"), NULL);
  if ((filter->role != NULL && !g_str_equal (filter->role, role)) || !is_wanted (filter, line))
    return;
  cli_table_add (table, role, classpath, words->str, NULL);
  filter->n_shown++;
}

static void
print_classes (OrreryNode *modules, Filter *filter)
{
  g_autoptr (CliTable) table = cli_table_new (1);

  for (guint i = 0; i < orrery_node_get_length (modules); i++) {
    OrreryNode *module = orrery_node_get_item (modules, i);
    OrreryNode *classes = orrery_node_find (module, "classes");

    for (guint j = 0; j < orrery_node_get_length (classes); j++)
      add_class (table, module, orrery_node_get_item (classes, j), filter);
  }
  cli_table_print (table, "");
}

/* A list of texts, or of dictionaries whose first text says of what the second is said. */
static void
print_list (OrreryNode *document, const char *key, const char *title, Filter *filter)
{
  OrreryNode *list = orrery_node_find (document, key);
  g_autoptr (CliTable) table = cli_table_new (-1);
  gboolean has_title = FALSE;

  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    gboolean is_text = orrery_node_get_kind (item) == ORRERY_NODE_TEXT;
    const char *first = orrery_node_get_text (is_text ? item : orrery_node_get_item (item, 0));
    const char *second = is_text ? "" : orrery_node_get_text (orrery_node_get_item (item, 1));
    g_autofree char *line = g_strjoin ("\n", first, second, NULL);

    if (!is_wanted (filter, line))
      continue;
    if (!has_title)
      fprintf (stdout, "%s%s\n", filter->n_shown > 0 ? "\n" : "", title);
    has_title = TRUE;
    filter->n_shown++;
    cli_table_add (table, first, second, NULL);
  }
  cli_table_print (table, "  ");
}

/* --- the list --- */

static GPtrArray *
collect (OrreryNode *modules, const char *key)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < orrery_node_get_length (modules); i++) {
    OrreryNode *classes = orrery_node_find (orrery_node_get_item (modules, i), "classes");

    for (guint j = 0; j < orrery_node_get_length (classes); j++) {
      const char *name = cli_node_get_text (orrery_node_get_item (classes, j), key);

      if (g_hash_table_add (seen, (gpointer) name))
        g_ptr_array_add (names, (gpointer) name);
    }
  }
  g_ptr_array_add (names, NULL);
  return names;
}

/* Says what nothing was found for, and what there is instead. */
static int
fail_empty (OrreryNode *modules, Filter *filter)
{
  g_autoptr (GPtrArray) roles = collect (modules, "role");
  g_autofree char *wanted = g_strjoinv (" ", filter->words);
  g_autofree char *nearest = NULL;
  g_autoptr (GError) error = NULL;

  if (filter->role != NULL && !g_strv_contains ((const char *const *) roles->pdata, filter->role)) {
    nearest = orrery_nearest_names (filter->role, (const char *const *) roles->pdata);
    error = g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "no class has the role '%s'%s",
                         filter->role, nearest);
  } else {
    error = g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                         "nothing that is listed%s%s has '%s' in its name or summary; `orrery "
                         "plugins` lists all",
                         filter->role != NULL ? " as " : "",
                         filter->role != NULL ? filter->role : "", wanted);
  }
  return cli_fail (error);
}

static int
print_list_for_people (OrreryRegistry *registry, Filter *filter)
{
  g_autofree char *json = orrery_registry_list (registry);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) document = orrery_node_parse_json (json, strlen (json), "plugins", &error);
  OrreryNode *modules;

  if (document == NULL)
    return cli_fail (error);
  modules = orrery_node_find (document, "modules");
  print_classes (modules, filter);
  if (filter->role == NULL) {
    print_list (document, "environments", "environments", filter);
    print_list (document, "shadowed", "not reached, since another comes first", filter);
    print_list (document, "errors", "refused", filter);
    if (*filter->words == NULL)
      print_list (document, "directories", "searched, in this order", filter);
  }
  return filter->n_shown > 0 ? CLI_OK : fail_empty (modules, filter);
}

/* --- classes --- */

static gboolean
describe_for_people (const char *json, GError **error)
{
  g_autoptr (OrreryNode) document = orrery_node_parse_json (json, strlen (json), "plugins", error);
  OrreryNode *classes = document != NULL ? orrery_node_find (document, "classes") : NULL;

  for (guint i = 0; classes != NULL && i < orrery_node_get_length (classes); i++)
    cli_describe_class (orrery_node_get_item (classes, i));
  return document != NULL;
}

/* What is wrong with some does not keep the others from being described. */
static int
describe (OrreryRegistry *registry, char **classpaths, gboolean as_json)
{
  g_autoptr (GPtrArray) right = g_ptr_array_new ();
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  int status = CLI_OK;

  for (char **classpath = classpaths; *classpath != NULL; classpath++) {
    const char *one[] = { *classpath, NULL };
    GError *wrong = NULL;
    g_autofree char *found = orrery_registry_describe (registry, one, &wrong);

    if (found == NULL && cli_python_is_needed (registry)) {
      g_error_free (wrong);
      return cli_python_continue ("plugins", NULL);
    }
    g_ptr_array_add (found != NULL ? right : errors, found != NULL ? *classpath : (gpointer) wrong);
  }
  g_ptr_array_add (right, NULL);
  if (right->len > 1)
    json = orrery_registry_describe (registry, (const char *const *) right->pdata, &error);
  if (json != NULL && as_json)
    fprintf (stdout, "%s\n", json);
  else if (json != NULL)
    describe_for_people (json, &error);
  fflush (stdout);
  if (error != NULL)
    status = cli_fail (error);
  for (guint i = 0; i < errors->len; i++)
    status = cli_fail (errors->pdata[i]);
  return status;
}

/* Names of classes begin with a capital letter; anything else is a word. */
static gboolean
is_classpath (const char *argument)
{
  const char *dot = strrchr (argument, '.');

  return dot != NULL && g_ascii_isupper (dot[1]);
}

static int
print_plugins (OrreryRegistry *registry, char **arguments, char *role, gboolean as_json)
{
  Filter filter = { arguments, role, 0 };
  guint n_classpaths = 0, n = g_strv_length (arguments);

  for (guint i = 0; i < n; i++)
    n_classpaths += is_classpath (arguments[i]);
  if (as_json && role != NULL)
    return cli_usage ("plugins", "--role selects lines for people; --json lists all");
  if (role != NULL && n_classpaths > 0)
    return cli_usage ("plugins", "--role selects from the list, and classes are named");
  if (as_json && n == 0) {
    g_autofree char *json = orrery_registry_list (registry);

    cli_write (stdout, json);
    cli_write (stdout, "\n");
    return CLI_OK;
  }
  if (as_json || n_classpaths > 0)
    return describe (registry, arguments, as_json);
  return print_list_for_people (registry, &filter);
}

int
cli_plugins (int argc, char **argv)
{
  g_auto (GStrv) plugin_dirs = NULL;
  g_autofree char *role = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  gboolean json = FALSE;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "role", 0, 0, G_OPTION_ARG_STRING, &role, "List only classes of this role, as sensor",
      "ROLE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON, for programs", NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { NULL },
  };

  if (!cli_parse ("plugins", "[WORD... | CLASSPATH...]",
                  "Lists what can be put in a scene, with words only what has all of them in its "
                  "name or summary; with classpaths, describes their fields, properties and "
                  "services.",
                  entries, FALSE, 0, G_MAXINT, &argc, &argv))
    return CLI_USAGE;
  registry = cli_registry_new (plugin_dirs, &status);
  if (registry == NULL)
    return status;
  return print_plugins (registry, argv, role, json);
}
