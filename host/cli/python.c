/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <errno.h>
#include <unistd.h>

static void
prepend_path (const char *variable, const char *relative)
{
  g_autofree char *path = orrery_get_prefix_path (relative);
  const char *old = g_getenv (variable);
  g_autofree char *both = old != NULL && *old != '\0' ? g_strdup_printf ("%s:%s", path, old) : NULL;

  g_setenv (variable, both != NULL ? both : path, TRUE);
}

int
cli_python (int argc, char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) command = g_ptr_array_new ();

  if (!cli_parse (
          "python", "FILE [ARGUMENT...]",
          "Runs a Python program that can `import orrery`, with the interpreter that Orrery "
          "was built for.",
          entries, TRUE, 1, G_MAXINT, &argc, &argv))
    return CLI_USAGE;

  prepend_path ("PYTHONPATH", "share/orrery-1/python");
  prepend_path ("GI_TYPELIB_PATH", "lib/girepository-1.0");
  prepend_path ("LD_LIBRARY_PATH", "lib");
  /* Of a build with sanitizers; the interpreter has none. */
  if (*SANITIZER_RUNTIME != '\0')
    g_setenv ("LD_PRELOAD", SANITIZER_RUNTIME, TRUE);
  g_ptr_array_add (command, (gpointer) ORRERY_PYTHON);
  for (int i = 0; i < argc; i++)
    g_ptr_array_add (command, argv[i]);
  g_ptr_array_add (command, NULL);

  fflush (NULL);
  execvp (ORRERY_PYTHON, (char **) command->pdata);
  g_set_error (&error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s: %s", ORRERY_PYTHON,
               g_strerror (errno));
  return cli_fail (error);
}
