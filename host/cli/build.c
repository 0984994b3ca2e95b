/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery build`: runs a builder script and keeps what it made. */
#include "commands.h"
#include "support/cli.h"

int
cli_build (int argc, char **argv)
{
  char **arguments = cli_cut_arguments (&argc, argv);
  g_auto (GStrv) plugin_dirs = NULL;
  g_autofree char *directory = NULL;
  g_autoptr (OrreryRegistry) registry = NULL;
  gboolean strict = FALSE;
  int status = CLI_USAGE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &directory,
      "Where scene.json and component_config.py are written", "DIR" },
    { "plugin-dir", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugin_dirs,
      "Look for plugins there first; may be given several times", "DIR" },
    CLI_STRICT_ENTRY (&strict),
    CLI_DEBUG_ENTRY,
    { NULL },
  };

  if (!cli_parse ("build", "SCRIPT -o DIR [-- SCRIPT-ARGUMENT...]",
                  "Runs a builder script and keeps the scene that it makes.", entries, FALSE, 1, 1,
                  &argc, &argv))
    return CLI_USAGE;
  if (directory == NULL)
    return cli_usage ("build", "-o DIR is missing");
  cli_strict_set (strict);
  cli_log_start (FALSE);
  cli_control_start ();
  registry = cli_registry_new (plugin_dirs, &status);
  return registry == NULL ? status
                          : cli_builder_run (registry, argv[0], directory, FALSE, arguments);
}
