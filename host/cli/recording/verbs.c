/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording`: finds the verb that the command line names. */
#include "recording.h"

#include "../commands.h"
#include "../support/cli.h"

#include <string.h>

static const CliCommand verbs[] = {
  { "info", NULL, cli_recording_info },
  { "cat", NULL, cli_recording_cat },
  { "filter", NULL, cli_recording_filter },
  { "merge", NULL, cli_recording_merge },
  { "recover", NULL, cli_recording_recover },
  { "export", NULL, cli_recording_export },
  { NULL },
};

const CliCommand *
cli_recording_get_verbs (void)
{
  return verbs;
}

int
cli_recording (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };

  for (guint i = 0; argc > 1 && verbs[i].name != NULL; i++)
    if (strcmp (argv[1], verbs[i].name) == 0)
      return verbs[i].run (argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-')
    return cli_usage ("recording", "'%s' is none of info, cat, filter, merge, recover, export",
                      argv[1]);
  if (!cli_parse ("recording", "info|cat|filter|merge|recover|export FILE",
                  "Looks into a recording that `orrery run --record` wrote, and makes other files\n"
                  "of it. `orrery recording cat --help` and so on say more of each.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  return CLI_USAGE;
}
