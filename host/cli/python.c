/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery python`: runs a Python program that can import orrery. */
#include "commands.h"
#include "support/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* -c, -m and the like are the interpreter's, with all that comes behind them. */
static gboolean
is_of_interpreter (const char *word)
{
  static const char *const ours[] = { "--", "-h", "--help", "--help-all", NULL };

  return word[0] == '-' && !g_strv_contains (ours, word);
}

/* The interpreter knows its own version, but not how fast the package is in it. */
static gboolean
asks_version (int argc, char **argv)
{
  return argc == 1 && (strcmp (argv[0], "--version") == 0 || strcmp (argv[0], "-V") == 0);
}

int
cli_python (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autofree char *python = orrery_get_python ();

  if (argc > 1 && is_of_interpreter (argv[1])) {
    argc--;
    argv++;
  } else if (!cli_parse (
                 "python", "FILE [ARGUMENT...]",
                 "Runs a Python program that can `import orrery`, with the interpreter of "
                 "$ORRERY_PYTHON, else of the virtual environment that is active, else the one "
                 "that Orrery was built for. It takes its own options, as -c CODE, in place of "
                 "the file.",
                 entries, TRUE, 1, G_MAXINT, &argc, &argv)) {
    return CLI_USAGE;
  }
  /* Python's own code for this is that of any mistake. */
  if (argv[0][0] != '-' && !g_file_test (argv[0], G_FILE_TEST_EXISTS)) {
    orrery_set_error (&error, ORRERY_ERROR_NO_FILE, "%s: there is no such file", argv[0]);
    return cli_fail (error);
  }

  cli_python_prepare (TRUE);
  g_ptr_array_add (command, python);
  if (asks_version (argc, argv)) {
    /* The directory where the program happens to run has no modules for it. */
    g_setenv ("PYTHONSAFEPATH", "1", TRUE);
    g_ptr_array_add (command, "-m");
    g_ptr_array_add (command, "orrery._version");
    argc = 0;
  }
  for (int i = 0; i < argc; i++)
    g_ptr_array_add (command, argv[i]);
  g_ptr_array_add (command, NULL);

  fflush (NULL);
  execvp (python, (char **) command->pdata);
  orrery_set_error (&error, ORRERY_ERROR_NOT_FOUND, "%s: %s", python, g_strerror (errno));
  return cli_fail (error);
}
