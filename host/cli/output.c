/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <unistd.h>

static GMutex lock;
static char *status_line;
static gsize status_shown;

gboolean
cli_is_terminal (FILE *stream)
{
  const char *terminal = g_getenv ("TERM");

  return isatty (fileno (stream)) && g_getenv ("NO_COLOR") == NULL &&
         g_strcmp0 (terminal, "dumb") != 0;
}

static void
hide_status_line (void)
{
  if (!status_shown)
    return;
  fputs ("\r\033[K", stdout);
  fflush (stdout);
  status_shown = FALSE;
}

static void
show_status_line (void)
{
  if (status_line == NULL)
    return;
  fprintf (stdout, "\r\033[K%s", status_line);
  fflush (stdout);
  status_shown = TRUE;
}

void
cli_set_status_line (const char *line)
{
  g_mutex_lock (&lock);
  hide_status_line ();
  g_free (status_line);
  status_line = g_strdup (line);
  show_status_line ();
  g_mutex_unlock (&lock);
}

void
cli_write (FILE *stream, const char *text)
{
  g_mutex_lock (&lock);
  hide_status_line ();
  fputs (text, stream);
  fflush (stream);
  show_status_line ();
  g_mutex_unlock (&lock);
}

/* Where a script's scene was built, which is gone when its errors are read, and its name for it. */
static struct {
  char *directory;
  char *words;
} built;

void
cli_set_built (const char *directory, const char *script)
{
  g_clear_pointer (&built.directory, g_free);
  g_clear_pointer (&built.words, g_free);
  if (directory == NULL)
    return;
  built.directory = g_strconcat (directory, "/", NULL);
  built.words = g_strconcat (script, ", built: ", NULL);
}

int
cli_fail (const GError *error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "%s%s\n",
                   cli_is_terminal (stderr) ? "\033[31morrery:\033[0m " : "orrery: ",
                   error->message);
  if (built.directory != NULL)
    g_string_replace (text, built.directory, built.words, 0);
  cli_write (stderr, text->str);
  return orrery_error_get_exit_code (error);
}
