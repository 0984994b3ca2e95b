/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues the program in Python where a scene has classes in Python. */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void
prepend_path (const char *variable, const char *relative)
{
  g_autofree char *path = orrery_get_prefix_path (relative);
  const char *old = g_getenv (variable);
  g_autofree char *both = old != NULL && *old != '\0' ? g_strdup_printf ("%s:%s", path, old) : NULL;

  g_setenv (variable, both != NULL ? both : path, TRUE);
}

void
cli_python_add_paths (const char *directory)
{
  g_autofree char *file = g_build_filename (directory, "python_path.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GString) paths = NULL;
  const char *old = g_getenv ("PYTHONPATH");

  if (!g_file_get_contents (file, &text, NULL, NULL) || *text == '\0')
    return;
  paths = g_string_new (g_strchomp (text));
  g_string_replace (paths, "\n", ":", 0);
  if (old != NULL && *old != '\0')
    g_string_append_printf (paths, ":%s", old);
  g_setenv ("PYTHONPATH", paths->str, TRUE);
}

static void
append_option (const char *variable, const char *option)
{
  const char *old = g_getenv (variable);
  g_autofree char *all = g_strdup_printf ("%s:%s", old != NULL ? old : "", option);

  g_setenv (variable, all, TRUE);
}

/* In a build with sanitizers; the interpreter has none. What it never frees is no failure, and
 * where that came from is told by a walk up the stack without frame pointers. */
static void
preload_sanitizer (void)
{
  if (*SANITIZER_RUNTIME == '\0')
    return;
  g_setenv ("LD_PRELOAD", SANITIZER_RUNTIME, TRUE);
  append_option ("ASAN_OPTIONS", "fast_unwind_on_malloc=0");
  append_option ("LSAN_OPTIONS", "exitcode=0");
}

/* --- going on in Python --- */

gboolean
cli_python_is_needed (OrreryRegistry *registry)
{
  return orrery_loader_get_default () == NULL && orrery_registry_needs_python (registry);
}

static void
block_signals (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigaddset (&set, SIGHUP);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
}

static char **
make_command (const char *command, const char *temporary)
{
  char **given = cli_get_arguments ();
  gboolean run = strcmp (command, "run") == 0;
  GPtrArray *argv = g_ptr_array_new ();

  g_ptr_array_add (argv, orrery_get_python ());
  g_ptr_array_add (argv, g_strdup ("-m"));
  g_ptr_array_add (argv, g_strdup (run ? "orrery.run" : "orrery"));
  if (!run)
    g_ptr_array_add (argv, g_strdup (command));
  if (temporary != NULL)
    g_ptr_array_add (argv, g_strconcat ("--continue=", temporary, NULL));
  for (char **argument = given + 2; *argument != NULL; argument++)
    g_ptr_array_add (argv, g_strdup (*argument));
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

void
cli_python_prepare (gboolean typelib)
{
  prepend_path ("PYTHONPATH", "share/orrery-1/python");
  if (typelib) {
    prepend_path ("GI_TYPELIB_PATH", "lib/girepository-1.0");
    prepend_path ("LD_LIBRARY_PATH", "lib");
  }
  preload_sanitizer ();
}

int
cli_python_continue (const char *command, const char *temporary)
{
  g_auto (GStrv) argv = make_command (command, temporary);
  g_autoptr (GError) error = NULL;

  cli_python_prepare (FALSE);
  /* The directory where the program happens to run has no modules for it. */
  g_setenv ("PYTHONSAFEPATH", "1", TRUE);
  cli_temporary_hand_over ();
  fflush (NULL);
  /* One that comes in between waits for the handlers of cli_control_start(). */
  block_signals ();
  execvp (argv[0], argv);
  orrery_set_error (&error, ORRERY_ERROR_NOT_FOUND, "%s: %s", argv[0], g_strerror (errno));
  return cli_fail (error);
}
