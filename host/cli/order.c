/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery order`: prints the order in which the parts of a scene are called. */
#include "commands.h"
#include "support/cli.h"

#include <string.h>

/* Names are the user's: a tab or a line break in one must not look like ours. */
static void
append_name (GString *text, const char *name)
{
  for (const char *c = name; *c != '\0'; c++)
    if ((guchar) *c < 0x20 || *c == '\\' || *c == 0x7f)
      g_string_append_printf (text, "\\x%02x", (guchar) *c);
    else
      g_string_append_c (text, *c);
}

/* A line for each; with @phases, the phase in front. */
static char *
write_lines (GVariant *order, gboolean phases)
{
  GString *text = g_string_new (NULL);
  GVariantIter iter;
  const char *phase, *object, *type, *classpath;

  g_variant_iter_init (&iter, order);
  while (g_variant_iter_next (&iter, "(&s&s&s&s)", &phase, &object, &type, &classpath)) {
    if (phases)
      g_string_append_printf (text, "%s\t", phase);
    append_name (text, object);
    g_string_append_printf (text, "\t%s\t%s\n", type, classpath);
  }
  return g_string_free (text, FALSE);
}

static char *
write_json (GVariant *order)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = NULL;
  GVariantBuilder list;
  GVariantIter iter;
  const char *phase, *object, *type, *classpath;
  const char *data;
  gsize length;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{ss}"));
  g_variant_iter_init (&iter, order);
  while (g_variant_iter_next (&iter, "(&s&s&s&s)", &phase, &object, &type, &classpath)) {
    g_variant_builder_open (&list, G_VARIANT_TYPE ("a{ss}"));
    g_variant_builder_add (&list, "{ss}", "phase", phase);
    g_variant_builder_add (&list, "{ss}", "object", object);
    g_variant_builder_add (&list, "{ss}", "type", type);
    g_variant_builder_add (&list, "{ss}", "classpath", classpath);
    g_variant_builder_close (&list);
  }
  value = g_variant_ref_sink (g_variant_builder_end (&list));
  orrery_writer_append_json_variant (writer, value);
  data = orrery_writer_get_data (writer, &length);
  return g_strdup_printf ("%.*s\n", (int) length, data);
}

/* --- the lock --- */

#define MAX_SHOWN 400

static gsize
line_length (const char *line)
{
  return strcspn (line, "\n");
}

static void
print_line (char sign, const char *line)
{
  g_autofree char *start = g_utf8_make_valid (line, MIN (line_length (line), MAX_SHOWN));
  g_auto (GStrv) columns = g_strsplit (start, "\t", -1);

  fprintf (stdout, "%c ", sign);
  for (guint i = 0; columns[i] != NULL; i++) {
    g_autoptr (GString) text = g_string_new (i > 0 ? "\t" : NULL);

    append_name (text, columns[i]);
    fputs (text->str, stdout);
  }
  fputs (*line != '\0' ? "\n" : "(no more)\n", stdout);
}

static int
report_change (const char *path, const char *locked, const char *found)
{
  guint n = 1;

  for (; *locked != '\0' && *found != '\0'; n++) {
    gsize length = line_length (found);

    if (line_length (locked) != length || memcmp (locked, found, length) != 0)
      break;
    locked += length + (locked[length] == '\n');
    found += length + (found[length] == '\n');
  }
  if (*locked == *found && *found == '\0')
    return CLI_OK;
  fprintf (stdout, "%s:%u: the order is another one\n", path, n);
  print_line ('-', locked);
  print_line ('+', found);
  return CLI_DIFFERENT;
}

/* No more of it than shows a difference, however large it is. */
static int
check_lock (const char *path, const char *text)
{
  gsize room = strlen (text) + MAX_SHOWN;
  g_autofree char *locked = g_malloc (room + 1);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  gsize length = 0;

  if (stream == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), locked, room, &length, NULL, &error)) {
    g_prefix_error (&error, "%s: ", path);
    return cli_fail (error);
  }
  locked[length] = '\0';
  return report_change (path, locked, text);
}

/* The first time the order is kept, later it is compared. */
static int
lock_order (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return check_lock (path, text);
  if (g_file_test (path, G_FILE_TEST_EXISTS)) {
    orrery_set_error (&error, ORRERY_ERROR_CONFIG,
                      "%s: not a regular file; the order is kept in one", path);
    return cli_fail (error);
  }
  return orrery_output_replace (path, text, -1, NULL, &error) ? CLI_OK : cli_fail (error);
}

/* --- the command --- */

typedef struct {
  char *config;
  char *phase;
  char *lock;
  gboolean json;
} Request;

static int
show_order (OrrerySimulation *simulation, const Request *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) order = orrery_simulation_get_order (simulation, request->phase, &error);
  g_autofree char *text = NULL;

  if (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_INVALID))
    return cli_usage ("order", "%s", error->message);
  if (order == NULL)
    return cli_fail (error);
  text = request->json ? write_json (order) : write_lines (order, request->phase == NULL);
  if (request->lock != NULL)
    return lock_order (request->lock, text);
  fputs (text, stdout);
  return CLI_OK;
}

static int
order_scene (OrreryRegistry *registry, const CliScene *scene, const Request *request)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (options, "check-only", TRUE, "config-file", request->config, NULL);
  simulation = orrery_simulation_load_with_options (registry, scene->path, options, &error);
  if (simulation == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("order", scene->temporary != NULL ? scene->temporary : "");
  return simulation != NULL ? show_order (simulation, request) : cli_fail (error);
}

int
cli_order (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  g_auto (GStrv) plugin_dirs = NULL;
  static Request request; /* as long as the program */
  g_autofree char *continued = NULL;
  g_auto (CliScene) scene = { NULL };
  g_autoptr (OrreryRegistry) registry = NULL;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "phase", 0, 0, G_OPTION_ARG_STRING, &request.phase,
      "Only of this phase: robots, sense, act, or a callback of scripts: sensing, actuation ...",
      "NAME" },
    { "lock", 0, 0, G_OPTION_ARG_FILENAME, &request.lock,
      "Keep the order in FILE; if it is there, say where the order differs from it", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &request.json, "Print JSON, for programs", NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &request.config,
      "A component_config that takes the place of the scene's", "FILE" },
    CLI_DEBUG_ENTRY,
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &continued, NULL, NULL },
    { NULL },
  };

  if (!cli_parse ("order", "FILE [-- SCRIPT-ARGUMENT...]",
                  "Prints in which order the parts of a scene are called: a line for each with its "
                  "phase,\nobject, type of script or role, classpath, separated by tabs; the phase "
                  "only without\n--phase. Opens no port. Exit code of --lock: 0 if the order was "
                  "kept or is the same, 1 if\nnot.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  cli_log_start (TRUE);
  cli_control_start ();
  registry = cli_registry_new (plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, argv[0], arguments, continued);
  if (status == CLI_OK)
    status = order_scene (registry, &scene, &request);
  return cli_control_get_exit_code (status);
}
