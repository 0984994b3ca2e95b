/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

/* Runs in the child: the builder does not outlive the program that waits for it. Nor does it hear
 * what a terminal sends to both, of which Python would tell in a traceback. */
static void
die_with_parent (gpointer user_data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  signal (SIGINT, SIG_IGN);
}

static GSubprocess *
spawn_builder (const char *script, const char *directory, gboolean with_origins, char **arguments,
               GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *path = orrery_get_prefix_path ("share/orrery-1/python");
  g_autofree char *search = NULL;
  const char *inherited = g_getenv ("PYTHONPATH");
  const char *const fixed[] = { ORRERY_PYTHON, "-m",      "orrery.builder", script,
                                "-o",          directory, "--plugins-json", "-" };

  search = inherited != NULL && *inherited != '\0' ? g_strdup_printf ("%s:%s", path, inherited)
                                                   : g_strdup (path);
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (argv, (gpointer) fixed[i]);
  if (with_origins)
    g_ptr_array_add (argv, (gpointer) "--origins");
  if (arguments != NULL)
    g_ptr_array_add (argv, (gpointer) "--");
  for (char **argument = arguments; argument != NULL && *argument != NULL; argument++)
    g_ptr_array_add (argv, *argument);
  g_ptr_array_add (argv, NULL);

  g_subprocess_launcher_setenv (launcher, "PYTHONPATH", search, TRUE);
  g_subprocess_launcher_set_child_setup (launcher, die_with_parent, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
}

/* While Python starts, the plugins are listed for it. A builder that ended early has said why. */
static void
send_listing (GSubprocess *builder, OrreryRegistry *registry)
{
  g_autofree char *listing = orrery_registry_list (registry);
  GOutputStream *pipe = g_subprocess_get_stdin_pipe (builder);

  g_output_stream_write_all (pipe, listing, strlen (listing), NULL, NULL, NULL);
  g_output_stream_close (pipe, NULL, NULL);
}

static int
wait_for (GSubprocess *builder)
{
  if (!g_subprocess_wait (builder, cli_control_get_cancellable (), NULL)) {
    g_subprocess_force_exit (builder);
    g_subprocess_wait (builder, NULL, NULL);
    return cli_control_get_exit_code (CLI_INTERNAL);
  }
  if (g_subprocess_get_if_exited (builder))
    return cli_control_get_exit_code (g_subprocess_get_exit_status (builder));
  if (cli_control_get_exit_code (CLI_OK) == CLI_OK)
    fprintf (stderr, "orrery: the builder was killed by signal %d\n",
             g_subprocess_get_term_sig (builder));
  return cli_control_get_exit_code (CLI_INTERNAL);
}

int
cli_builder_run (OrreryRegistry *registry, const char *script, const char *directory,
                 gboolean with_origins, char **arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) builder =
      spawn_builder (script, directory, with_origins, arguments, &error);
  int status;

  if (builder == NULL) {
    g_prefix_error (&error, "builder: ");
    cli_fail (error);
    return CLI_MISSING;
  }
  cli_control_set_child ((GPid) g_ascii_strtoll (g_subprocess_get_identifier (builder), NULL, 10));
  send_listing (builder, registry);
  status = wait_for (builder);
  cli_control_set_child (0);
  return status;
}
