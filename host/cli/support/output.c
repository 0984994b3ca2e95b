/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints errors, lines and the status line. */
#include "cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Of a terminal that does not say, and the fewest that lines are broken for. */
#define USUAL_COLUMNS 80
#define MIN_COLUMNS 40

static GMutex lock;
static char *status_line;
static gsize status_shown;
static FILE *status_stream; /* NULL: standard output */
static int write_error;     /* of stdout: errno */

gboolean
cli_is_terminal (FILE *stream)
{
  const char *terminal = g_getenv ("TERM");

  const char *no_colour = g_getenv ("NO_COLOR");

  /* https://no-color.org: set and not empty. */
  return isatty (fileno (stream)) && (no_colour == NULL || *no_colour == '\0') &&
         g_strcmp0 (terminal, "dumb") != 0;
}

guint
cli_get_columns (FILE *stream)
{
  struct winsize size = { 0 };

  if (!isatty (fileno (stream)))
    return G_MAXUINT;
  if (ioctl (fileno (stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return USUAL_COLUMNS;
  return MAX (size.ws_col, MIN_COLUMNS);
}

static FILE *
get_status_stream (void)
{
  return status_stream != NULL ? status_stream : stdout;
}

static void
hide_status_line (void)
{
  if (!status_shown)
    return;
  fputs ("\r\033[K", get_status_stream ());
  fflush (get_status_stream ());
  status_shown = FALSE;
}

static void
show_status_line (void)
{
  if (status_line == NULL)
    return;
  fprintf (get_status_stream (), "\r\033[K%s", status_line);
  fflush (get_status_stream ());
  status_shown = TRUE;
}

void
cli_set_status_stream (FILE *stream)
{
  g_mutex_lock (&lock);
  hide_status_line ();
  status_stream = stream;
  g_mutex_unlock (&lock);
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
  if ((fputs (text, stream) < 0 || fflush (stream) != 0) && stream == stdout)
    write_error = errno;
  show_status_line ();
  g_mutex_unlock (&lock);
}

int
cli_check_output (int status)
{
  int code = 0;

  if (fflush (stdout) != 0)
    code = errno;
  else if (!ferror (stdout))
    return status;
  /* Who has left wants no more, as `head`; and a standard output that was closed from the start is
   * nobody's loss. */
  if (code == 0)
    code = write_error;
  if (code != EPIPE)
    fprintf (stderr, "orrery: output was lost: standard output: %s\n",
             code != 0 ? g_strerror (code) : "it could not be written");
  return status <= CLI_DIFFERENT ? CLI_IO : status;
}

gboolean
cli_output_replace (const char *path, const char *data, gsize length, const char *scene,
                    const char *const *files, GError **error)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  g_autofree char *inner = g_build_filename (scene, "scene.json", NULL);
  g_autofree char *config = g_build_filename (scene, "component_config.py", NULL);
  OrreryOutputRules rules = { 0 };

  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    g_ptr_array_add (kept, (gpointer) files[i]);
  /* Also the script of which these were made, and what could not be read. */
  g_ptr_array_add (kept, (gpointer) scene);
  g_ptr_array_add (kept, inner);
  g_ptr_array_add (kept, config);
  g_ptr_array_add (kept, NULL);
  rules.kept = (const char *const *) kept->pdata;
  return orrery_output_replace (path, data, (gssize) length, &rules, error);
}

gboolean
cli_output_spares (const char *option, const char *path, const char *scene, GError **error)
{
  GStatBuf info, other;

  if (path == NULL || g_stat (path, &info) != 0 || !S_ISREG (info.st_mode) ||
      g_stat (scene, &other) != 0 || info.st_dev != other.st_dev || info.st_ino != other.st_ino)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s: %s: the scene itself is read from this file; name another one",
                           option, path);
}

int
cli_fail (const GError *error)
{
  gboolean is_placed = FALSE;
  g_autofree char *safe = orrery_escape_text (error->message, FALSE);
  g_autofree char *message = cli_map_places (safe, &is_placed);
  g_autoptr (GString) text = g_string_new (NULL);

  /* Who speaks goes without saying before a place in a script, as in the builder's own words. */
  if (!is_placed)
    g_string_append (text, cli_is_terminal (stderr) ? "\033[31morrery:\033[0m " : "orrery: ");
  g_string_append_printf (text, "%s\n", message);
  cli_write (stderr, text->str);
  return orrery_error_get_exit_code (error);
}
