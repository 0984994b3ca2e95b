/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery morse-root`: makes a directory that looks like an installed MORSE to other tools. */
#include "commands.h"
#include "support/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* A directory for tools that start MORSE by MORSE_ROOT/bin/morse: small programs there hand the
 * command line to orrery.morse_command, which knows MORSE's commands and ends with its codes. */

#define EXIT_CODES "ORRERY_EXIT_CODES"

int
cli_morse_exit_code (int status)
{
  if (g_strcmp0 (g_getenv (EXIT_CODES), "morse") != 0)
    return status;
  switch (status) {
  case CLI_NO_FILE:
  case CLI_MISSING:
    return 1;
  case CLI_USAGE:
    return 2;
  case CLI_CONFIG:
  case CLI_INTERNAL:
  case CLI_IO:
    return 255;
  default:
    return status;
  }
}

static char *
make_script (const char *module_and_arguments)
{
  g_autofree char *packages = orrery_get_prefix_path ("share/orrery-1/python");
  g_autofree char *program = orrery_get_prefix_path ("bin/orrery");
  g_autofree char *quoted_packages = g_shell_quote (packages);
  g_autofree char *quoted_program = g_shell_quote (program);
  g_autofree char *python = g_shell_quote (ORRERY_PYTHON);

  return g_strdup_printf ("#!/bin/sh\n"
                          "# Made by `orrery morse-root`.\n"
                          "# Empty parts would be the current directory.\n"
                          "while :; do case $PYTHONPATH in\n"
                          ":*) PYTHONPATH=${PYTHONPATH#:} ;;\n"
                          "*:) PYTHONPATH=${PYTHONPATH%%:} ;;\n"
                          "*::*) PYTHONPATH=${PYTHONPATH%%%%::*}:${PYTHONPATH#*::} ;;\n"
                          "*) break ;;\n"
                          "esac; done\n"
                          "PYTHONPATH=%s${PYTHONPATH:+:$PYTHONPATH}\n"
                          "ORRERY_PROGRAM=%s\n"
                          "PYTHONSAFEPATH=1\n"
                          "export PYTHONPATH ORRERY_PROGRAM PYTHONSAFEPATH\n"
                          "case $VIRTUAL_ENV in\n"
                          "/*) own=$VIRTUAL_ENV/bin/python3 ;;\n"
                          "*) own= ;;\n"
                          "esac\n"
                          "test -x \"$own\" || own=%s\n"
                          "exec \"${ORRERY_PYTHON:-$own}\" -m orrery.%s \"$@\"\n",
                          quoted_packages, quoted_program, python, module_and_arguments);
}

static gboolean
write_program (const char *directory, const char *name, const char *module_and_arguments,
               GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *text = make_script (module_and_arguments);

  return orrery_output_replace (path, text, -1, &(OrreryOutputRules){ .mode = 0755 }, error);
}

static gboolean
make_root (const char *root, GError **error)
{
  static const struct {
    const char *name;
    const char *module_and_arguments;
  } programs[] = { { "morse", "morse_command" },
                   { "morseexec", "morse_command run" },
                   { "multinode_server", "multinode" },
                   { "morse_sync", "morse_sync" },
                   { "morse_inspector", "morse_command inspector" } };
  g_autofree char *bin = g_build_filename (root, "bin", NULL);

  if (g_mkdir_with_parents (bin, 0777) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", bin, g_strerror (errno));
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    if (!write_program (bin, programs[i].name, programs[i].module_and_arguments, error))
      return FALSE;
  return TRUE;
}

int
cli_morse_root (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  const GOptionEntry entries[] = { { NULL } };

  if (!cli_parse ("morse-root", "DIR",
                  "Makes a directory whose bin/ has MORSE's programs, for tools that start them.",
                  entries, FALSE, 1, 1, &argc, &argv))
    return CLI_USAGE;
  if (!make_root (argv[0], &error)) {
    cli_fail (error);
    return CLI_IO;
  }
  return CLI_OK;
}
