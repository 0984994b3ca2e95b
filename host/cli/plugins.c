/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

static int
print_json (OrreryRegistry *registry, char **classpaths)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json =
      *classpaths != NULL
          ? orrery_registry_describe (registry, (const char *const *) classpaths, &error)
          : orrery_registry_list (registry);

  if (json == NULL)
    return cli_fail (error);
  fprintf (stdout, "%s\n", json);
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
  return print_json (registry, argv);
}
