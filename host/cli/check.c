/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery check`: loads a scene without running it. */
#include "commands.h"
#include "support/cli.h"

#include <math.h>

static void
print_scene (const char *file, OrrerySimulation *simulation)
{
  g_autofree const char **names = orrery_simulation_get_component_names (simulation);
  OrreryWorld *world = orrery_simulation_get_world (simulation);
  g_autofree char *list = g_strjoinv (", ", (char **) names);
  g_autoptr (GVariant) report = orrery_simulation_get_report (simulation);
  guint substeps = 1;

  g_variant_lookup (report, "substeps", "u", &substeps);
  fprintf (stdout,
           "%s: ok, %u objects, %g ticks per second of %u physics steps each, components: %s\n",
           file, orrery_world_get_n_objects (world), orrery_simulation_get_frequency (simulation),
           substeps, *list != '\0' ? list : "none");
}

static int
check_scene (OrreryRegistry *registry, const char *file, const CliScene *scene, const char *config)
{
  g_autoptr (OrreryOptions) options = orrery_options_new ();
  g_autoptr (OrrerySimulation) simulation = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (options, "check-only", TRUE, "config-file", config, "read-limit",
                cli_get_read_limit (), NULL);
  simulation = orrery_simulation_load_with_options (registry, scene->path, options, &error);
  if (simulation == NULL && cli_python_is_needed (registry))
    return cli_python_continue ("check", scene->temporary != NULL ? scene->temporary : "");
  if (simulation == NULL)
    return cli_fail (error);
  if (cli_strict_judge_setup () != CLI_OK)
    return CLI_CONFIG;
  print_scene (file, simulation);
  return CLI_OK;
}

int
cli_check (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  g_auto (GStrv) plugin_dirs = NULL;
  g_autofree char *config = NULL;
  g_autofree char *continued = NULL;
  g_auto (CliScene) scene = { NULL };
  g_autoptr (OrreryRegistry) registry = NULL;
  gboolean verbose = FALSE;
  gboolean strict = FALSE;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose,
      "Say also what is told of while it is set up, as what a model has that is not read", NULL },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &config,
      "A component_config that takes the place of the scene's", "FILE" },
    CLI_READ_LIMIT_ENTRY,
    CLI_STRICT_ENTRY (&strict),
    { "continue", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &continued, NULL, NULL },
    { NULL },
  };

  if (!cli_parse ("check", "FILE [-- SCRIPT-ARGUMENT...]",
                  "Sets a scene up and says what is wrong with it; opens no port, writes no file.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  cli_strict_set (strict);
  cli_log_start (!verbose);
  cli_control_start ();
  registry = cli_registry_new (plugin_dirs, &status);
  if (registry == NULL)
    return status;
  status = cli_scene_open (&scene, registry, argv[0], arguments, continued);
  if (status == CLI_OK)
    status = check_scene (registry, argv[0], &scene, config);
  return cli_control_get_exit_code (status);
}
