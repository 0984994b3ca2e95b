/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery check`: loads a scene without running it. */
#include "commands.h"
#include "support/cli.h"

#include <math.h>

typedef struct {
  char *config;
  char *output_dir;
  char **settings;
  char **metrics;
  gboolean verbose;
} CheckOptions;

static void
check_options_clear (CheckOptions *options)
{
  g_free (options->config);
  g_free (options->output_dir);
  g_strfreev (options->settings);
  g_strfreev (options->metrics);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CheckOptions, check_options_clear)

/* More components than that are not all named, unless that is asked for. */
#define MAX_NAMES 10

static void
append_counts (GString *text, OrrerySimulation *simulation, const char *const *names)
{
  /* Every component is one of these. */
  static const char *const words[] = { "robot", "sensor", "actuator" };
  guint counts[G_N_ELEMENTS (words)] = { 0 };

  for (guint i = 0; names[i] != NULL; i++) {
    OrreryComponent *component = orrery_simulation_find_component (simulation, names[i]);

    counts[ORRERY_IS_ROBOT (component) ? 0 : ORRERY_IS_SENSOR (component) ? 1 : 2]++;
  }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (counts[i] > 0)
      g_string_append_printf (text, ", %u %s%s", counts[i], words[i], counts[i] == 1 ? "" : "s");
}

static void
append_names (GString *text, const char *const *names, gboolean all)
{
  guint n = g_strv_length ((char **) names);
  guint n_shown = all || n <= MAX_NAMES ? n : MAX_NAMES;

  g_string_append (text, ", components: ");
  if (n == 0)
    g_string_append (text, "none");
  for (guint i = 0; i < n_shown; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : ", ", names[i]);
  if (n_shown < n)
    g_string_append_printf (text, " and %u more", n - n_shown);
}

static void
print_scene (const char *file, OrrerySimulation *simulation, gboolean verbose)
{
  g_autofree const char **names = orrery_simulation_get_component_names (simulation);
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  g_autoptr (GVariant) report = orrery_simulation_get_report (simulation);
  g_autoptr (GString) text = g_string_new (NULL);
  guint substeps = 1;

  g_variant_lookup (report, "substeps", "u", &substeps);
  g_string_append_printf (text, "%s: ok, %u objects", file, orrery_world_get_n_objects (world));
  append_counts (text, simulation, names);
  g_string_append_printf (text, ", %g ticks per second of %u physics steps each",
                          orrery_simulation_get_frequency (simulation), substeps);
  append_names (text, names, verbose);
  fprintf (stdout, "%s\n", text->str);
}

static int
check_scene (OrreryRegistry *registry, const char *file, const CliScene *scene,
             const CheckOptions *asked)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (CliMetrics) metrics = cli_metrics_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GError) error = NULL;

  if (!cli_settings_add ("check", options, asked->settings))
    return CLI_USAGE;
  g_object_set (options, "check-only", TRUE, "config-file", asked->config, "output-dir",
                asked->output_dir, "read-limit", cli_get_read_limit (), NULL);
  simulation = orrery_simulation_load_with_options (registry, scene->path, options, &error);
  if (simulation == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("check", scene->temporary != NULL ? scene->temporary : "");
  if (simulation == NULL || !cli_metrics_compile (metrics, simulation, asked->metrics, &error))
    return cli_fail (error);
  if (cli_strict_judge_setup () != CLI_OK)
    return CLI_CONFIG;
  print_scene (file, simulation, asked->verbose);
  return CLI_OK;
}

int
cli_check (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  g_auto (GStrv) plugin_dirs = NULL;
  g_auto (CheckOptions) options = { NULL };
  g_autofree char *continued = NULL;
  g_auto (CliScene) scene = { NULL };
  g_autoptr (OrreryRegistry) registry = NULL;
  gboolean strict = FALSE;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &options.verbose,
      "Say also what is told of while it is set up, as what a model has that is not read, and "
      "name all components",
      NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &options.config,
      "A component_config that takes the place of the scene's", "FILE" },
    { "output-dir", 0, 0, G_OPTION_ARG_FILENAME, &options.output_dir,
      "Below which streams would write their files; by default the current directory", "DIR" },
    CLI_SET_ENTRY (&options.settings),
    CLI_METRIC_ENTRY (&options.metrics),
    CLI_READ_LIMIT_ENTRY,
    CLI_STRICT_ENTRY (&strict),
    CLI_DEBUG_ENTRY,
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &continued, NULL, NULL },
    { NULL },
  };

  if (!cli_parse ("check", "FILE [-- SCRIPT-ARGUMENT...]",
                  "Sets a scene up and says what is wrong with it; opens no port, writes no file.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (!cli_metrics_check ("check", options.metrics))
    return CLI_USAGE;
  cli_strict_set (strict);
  cli_log_start (!options.verbose);
  cli_control_start ();
  registry = cli_registry_new (plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, argv[0], arguments, continued);
  if (status == CLI_OK)
    status = check_scene (registry, argv[0], &scene, &options);
  return cli_control_get_exit_code (status);
}
