/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the server of the viewer to a run, and keeps it when the run has ended. */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CLASSPATH "orrery.middleware.viewer.Viewer"
#define CONTROL "orrery.middleware.viewer.Control"
#define PORTS_END 65535
/* Of Debian's xdg-utils; it knows the user's browser. */
#define OPENER "xdg-open"

gboolean
cli_view_check (CliView *view, gboolean offline, gboolean hidden, const char *allow_users)
{
  const char *alone = view->stay                ? "--stay"
                      : view->open              ? "--open"
                      : view->port_text != NULL ? "--view-port"
                      : view->origins != NULL   ? "--view-origin"
                                                : NULL;
  g_autoptr (GError) error = NULL;
  guint64 port = 0;

  view->on |= view->control;
  if (!view->on && alone != NULL) {
    cli_usage ("run", "%s is about the page of --view, which is not given", alone);
    return FALSE;
  }
  if (view->on && offline) {
    cli_usage ("run", "%s opens a port, which --offline forbids; give one of them",
               view->control ? "--control" : "--view");
    return FALSE;
  }
  if (view->control && hidden) {
    cli_usage ("run", "--quiet hides the address that --control needs; leave one of them out, or "
                      "give --token-file");
    return FALSE;
  }
  if (view->control && view->open && allow_users != NULL) {
    cli_usage ("run",
               "--open puts the address of --control into the list of processes, where users "
               "of --allow-users can read it; leave one of them out");
    return FALSE;
  }
  if (view->port_text == NULL)
    return TRUE;
  if (!cli_parse_count ("--view-port", view->port_text, &port, &error))
    cli_usage ("run", "%s", error->message);
  else if (port > PORTS_END)
    cli_usage ("run", "--view-port: a number from 0, for any port, to 65535, not %.40s",
               view->port_text);
  else
    return TRUE;
  return FALSE;
}

void
cli_view_prepare (const CliView *view, OrreryRegistry *registry, OrreryOptions *options)
{
  static const char *const managers[] = { CONTROL, NULL };

  /* A build without the viewer says so when that is added. */
  if (view->control && orrery_registry_find_class (registry, CONTROL, NULL) != NULL)
    g_object_set (options, "request-managers", managers, NULL);
}

/* --- the user's browser --- */

/* Runs in the child. The browser may outlive the run, and what the terminal sends is not for it. */
static void
leave_session (gpointer user_data)
{
  setsid ();
}

/* A thread: whether the browser could be opened is known when the program that does so ends, which
 * may be that browser itself. */
static gpointer
await_opener (gpointer data)
{
  GPid pid = (GPid) GPOINTER_TO_INT (data);
  int status;

  while (waitpid (pid, &status, 0) < 0)
    if (errno != EINTR)
      return NULL;
  if (WIFEXITED (status) && WEXITSTATUS (status) != 0)
    g_warning ("--open: " OPENER " found no browser that shows the page (it ended with %d); open "
               "the address above",
               WEXITSTATUS (status));
  return NULL;
}

static gboolean
has_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL && *value != '\0';
}

/* That the page cannot be shown here is no reason to end a run. */
static void
open_page (OrreryObserver *viewer)
{
  const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                            G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
  char *argv[] = { (char *) OPENER, g_object_get_data (G_OBJECT (viewer), "url"), NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  if (!has_variable ("DISPLAY") && !has_variable ("WAYLAND_DISPLAY") && !has_variable ("BROWSER"))
    g_warning ("--open: there is no display here, and no variable BROWSER; open the address above");
  else if (g_spawn_async ("/", argv, NULL, flags, leave_session, NULL, &pid, &error))
    g_thread_unref (g_thread_new ("opener", await_opener, GINT_TO_POINTER (pid)));
  else if (g_error_matches (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    g_warning ("--open: there is no program " OPENER "; install the package xdg-utils, or open the "
               "address above");
  else
    g_warning ("--open: %s; open the address above", error->message);
}

/* --- adding it --- */

static void
add_text (GVariantBuilder *properties, const char *name, const char *value)
{
  if (value != NULL)
    g_variant_builder_add (properties, "{sv}", name, g_variant_new_string (value));
}

static void
add_origins (GVariantBuilder *properties, char **more)
{
  g_autofree char *list = more != NULL ? g_strjoinv (",", more) : NULL;
  g_autofree char *all =
      list != NULL ? g_strconcat ("https://app.foxglove.dev,", list, NULL) : NULL;

  add_text (properties, "origins", all);
}

gboolean
cli_view_add (const CliView *view, OrrerySimulation *simulation, const char *file,
              const char *allow_users, const char *token_file, GError **error)
{
  g_autofree char *title = g_path_get_basename (file);
  OrreryObserver *viewer;
  GVariantBuilder properties;

  if (!view->on)
    return TRUE;
  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  add_text (&properties, "title", title);
  add_text (&properties, "allow-users", allow_users);
  add_text (&properties, "token-file", token_file);
  add_origins (&properties, view->origins);
  g_variant_builder_add (&properties, "{sv}", "stay", g_variant_new_boolean (view->stay));
  g_variant_builder_add (&properties, "{sv}", "control", g_variant_new_boolean (view->control));
  if (view->port_text != NULL)
    g_variant_builder_add (&properties, "{sv}", "port",
                           g_variant_new_int64 (g_ascii_strtoll (view->port_text, NULL, 10)));
  viewer = orrery_simulation_add_observer (simulation, CLASSPATH,
                                           g_variant_builder_end (&properties), error);
  if (viewer != NULL && view->open)
    open_page (viewer);
  if (viewer != NULL)
    return TRUE;
  if (error != NULL && g_error_matches (*error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
    g_prefix_error (error, "--view: this build has no viewer; install the package "
                           "libsoup-3.0-dev and build it anew: ");
  else
    g_prefix_error (error, "--view: ");
  return FALSE;
}

/* Who commands the run finds it paused, and may let it go on. */
static void
hold (OrrerySimulation *simulation)
{
  g_autoptr (GError) error = NULL;

  if (orrery_simulation_is_quitting (simulation))
    return;
  orrery_simulation_pause (simulation);
  g_message ("The run has ended; its page may let it go on, until Ctrl-C.");
  if (!orrery_simulation_run (simulation, 0, 0, &error))
    g_warning ("%s", error->message);
}

void
cli_view_stay (const CliView *view, OrrerySimulation *simulation)
{
  if (!view->stay || cli_control_get_exit_code (CLI_OK) != CLI_OK)
    return;
  cli_set_status_line (NULL);
  if (view->control) {
    hold (simulation);
    if (cli_control_get_exit_code (CLI_OK) != CLI_OK)
      cli_control_await_end ();
    return;
  }
  g_message ("The run has ended; its page stays until Ctrl-C.");
  cli_control_await_end ();
}
