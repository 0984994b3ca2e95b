/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the builder, a program in Python that makes a scene's files from a script. */
#include "cli.h"

#include <string.h>

gboolean cli_debug;

gboolean
cli_builder_is_of_morse (const char *directory)
{
  g_autofree char *mark = g_build_filename (directory, "script_of_morse.txt", NULL);

  return g_file_test (mark, G_FILE_TEST_EXISTS);
}

/* It receives no SIGINT of the terminal, which Python would report with a traceback. */
static OrreryChild *
start_builder (const char *script, const char *directory, gboolean with_origins, char **arguments,
               GError **error)
{
  g_autoptr (OrreryChild) builder = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_auto (GStrv) environment = g_get_environ ();
  g_autofree char *path = orrery_get_prefix_path ("share/orrery-1/python");
  g_autofree char *search = NULL;
  const char *inherited = g_getenv ("PYTHONPATH");
  g_autofree char *python = orrery_get_python ();
  const char *const fixed[] = { python, "-m",      "orrery.builder", script,
                                "-o",   directory, "--plugins-json", "-" };
  OrreryChildSpec spec = { .flags = ORRERY_CHILD_INPUT };

  search = inherited != NULL && *inherited != '\0' ? g_strdup_printf ("%s:%s", path, inherited)
                                                   : g_strdup (path);
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (argv, (gpointer) fixed[i]);
  if (with_origins)
    g_ptr_array_add (argv, (gpointer) "--origins");
  if (cli_debug)
    g_ptr_array_add (argv, (gpointer) "--debug");
  if (cli_strict_get ())
    g_ptr_array_add (argv, (gpointer) "--strict");
  if (arguments != NULL)
    g_ptr_array_add (argv, (gpointer) "--");
  for (char **argument = arguments; argument != NULL && *argument != NULL; argument++)
    g_ptr_array_add (argv, *argument);
  g_ptr_array_add (argv, NULL);
  environment = g_environ_setenv (environment, "PYTHONPATH", search, TRUE);
  /* The directory where the program happens to run has no modules for it. */
  environment = g_environ_setenv (environment, "PYTHONSAFEPATH", "1", TRUE);
  spec.argv = (const char *const *) argv->pdata;
  spec.environment = (const char *const *) environment;
  builder = orrery_child_new (&spec, error);
  if (builder == NULL || !orrery_child_start (builder, error))
    return NULL;
  return g_steal_pointer (&builder);
}

/* While Python starts, the plugins are listed for it. A builder that ended early has printed why.
 */
static void
send_listing (OrreryChild *builder, OrreryRegistry *registry)
{
  g_autofree char *listing = orrery_registry_list (registry);

  orrery_child_write (builder, listing, strlen (listing));
}

static int
wait_for (OrreryChild *builder)
{
  g_autoptr (GBytes) none = orrery_child_collect (builder, 0, 0, cli_control_get_cancellable ());
  int status = orrery_child_get_status (builder);
  g_autofree char *end = NULL;

  if (status >= 0)
    return cli_control_get_exit_code (status);
  end = orrery_child_describe_end (builder);
  if (cli_control_get_exit_code (CLI_OK) == CLI_OK)
    fprintf (stderr, "orrery: the builder %s\n", end);
  return cli_control_get_exit_code (CLI_INTERNAL);
}

int
cli_builder_run (OrreryRegistry *registry, const char *script, const char *directory,
                 gboolean with_origins, char **arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryChild) builder =
      start_builder (script, directory, with_origins, arguments, &error);
  int status;

  if (builder == NULL) {
    g_prefix_error (&error, "builder: ");
    cli_fail (error);
    return CLI_MISSING;
  }
  cli_control_set_child (orrery_child_get_pid (builder));
  send_listing (builder, registry);
  status = wait_for (builder);
  cli_control_set_child (0);
  return status;
}
