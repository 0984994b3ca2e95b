/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery recording recover`: a whole recording of one that is not. */
#include "recording.h"

#include "../support/cli.h"

int
cli_recording_recover (int argc, char **argv)
{
  g_auto (RecordingOptions) options = { NULL };
  const GOptionEntry entries[] = {
    OUTPUT_ENTRY (options, "Where the new recording goes", "FILE"),
    { NULL },
  };
  g_auto (GStrv) problems = NULL;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  if (!cli_parse ("recording recover", "FILE -o FILE",
                  "Writes a whole recording of all that can be read of one that was cut or is\n"
                  "damaged, and says what is left out.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (options.output == NULL)
    return cli_usage ("recording recover", "-o FILE says where the new recording goes");
  if (!orrery_recording_recover (argv[0], options.output, NULL, &n, &problems, &error))
    return cli_fail (error);
  cli_recording_print_problems ((const char *const *) problems);
  fprintf (stdout, "%" G_GUINT64_FORMAT " messages\n", n);
  return CLI_OK;
}
