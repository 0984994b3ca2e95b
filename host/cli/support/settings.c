/* SPDX-License-Identifier: BSD-3-Clause */
/* What --set means: values in place of those of the scene. */
#include "cli.h"

#include <string.h>

gboolean
cli_settings_add (const char *command, OrreryOptions *options, char **settings)
{
  for (char **each = settings; each != NULL && *each != NULL; each++) {
    g_autoptr (GError) error = NULL;

    if (orrery_options_add_setting (options, *each, &error))
      continue;
    cli_usage (command, "%s", error->message);
    return FALSE;
  }
  return TRUE;
}

gint64
cli_cut_index (char *path)
{
  char *dot = strrchr (path, '.');
  char *bracket = strchr (dot != NULL ? dot : path, '[');

  if (bracket == NULL)
    return -1;
  *bracket = '\0';
  return g_ascii_strtoll (bracket + 1, NULL, 10);
}
