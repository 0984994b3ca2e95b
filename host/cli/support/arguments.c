/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses command lines. */
#include "cli.h"

#include <math.h>
#include <string.h>

static char **given; /* as the program was started */

void
cli_set_arguments (char **argv)
{
  g_strfreev (given);
  given = g_strdupv (argv);
}

char **
cli_get_arguments (void)
{
  return given;
}

int
cli_usage (const char *command, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "orrery%s%s: %s\nTry `orrery%s%s --help`.\n", command != NULL ? " " : "",
           command != NULL ? command : "", message, command != NULL ? " " : "",
           command != NULL ? command : "");
  return CLI_USAGE;
}

char **
cli_cut_arguments (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++) {
    if (strcmp (argv[i], "--") != 0)
      continue;
    argv[i] = NULL;
    *argc = i;
    return argv + i + 1;
  }
  return NULL;
}

/* GOption would take the word after an option without a value for that value. */
static gboolean
drop_program_name (int *argc, char ***argv, const char *command, int min, int max)
{
  int n = *argc - 1;

  *argv += 1;
  *argc = n;
  if (n < min)
    cli_usage (command, "an argument is missing");
  else if (n > max)
    cli_usage (command, "too many arguments: %s", (*argv)[max]);
  return n >= min && n <= max;
}

/* What GLib says of a wrong option, and of an unknown one the nearest that there is. */
static void
fail_option (const char *command, const GOptionEntry *entries, const GError *error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *option = strstr (error->message, "--");
  g_autofree char *name = g_strdup (option != NULL ? option : "");
  g_autofree char *nearest = NULL;

  for (; entries->long_name != NULL; entries++)
    if ((entries->flags & G_OPTION_FLAG_HIDDEN) == 0)
      g_ptr_array_add (names, g_strdup_printf ("--%s", entries->long_name));
  g_ptr_array_add (names, NULL);
  name[strcspn (name, "=")] = '\0';
  if (g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) && *name != '\0')
    nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  cli_usage (command, "%s%s", error->message, nearest != NULL ? nearest : "");
}

/* --- what commands say of themselves --- */

static CliSynopsisFunc synopsis_func; /* NULL: commands run */
static gpointer synopsis_data;

void
cli_read_synopsis (int (*run) (int, char **), CliSynopsisFunc func, gpointer user_data)
{
  char name[] = "orrery";
  char *argv[] = { name, NULL };

  synopsis_func = func;
  synopsis_data = user_data;
  run (1, argv);
  synopsis_func = NULL;
}

gboolean
cli_parse (const char *command, const char *arguments, const char *words,
           const GOptionEntry *entries, gboolean strict, int min, int max, int *argc, char ***argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_autofree char *name = g_strdup_printf ("orrery %s", command);
  g_autoptr (GError) error = NULL;

  if (synopsis_func != NULL) {
    const CliSynopsis synopsis = { command, arguments, words, entries };

    synopsis_func (&synopsis, synopsis_data);
    return FALSE;
  }
  g_set_prgname (name);
  g_option_context_set_summary (context, words);
  g_option_context_set_strict_posix (context, strict);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, &error)) {
    fail_option (command, entries, error);
    return FALSE;
  }
  return drop_program_name (argc, argv, command, min, max);
}

gboolean
cli_parse_seconds (const char *option, const char *text, double *out, GError **error)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || !isfinite (value) || fabs (value) > 9e9) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s: '%s' is no number of seconds up to 9e9", option, text);
    return FALSE;
  }
  *out = value;
  return TRUE;
}

gboolean
cli_read_seconds (const char *command, const char *option, const char *text, double *out)
{
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    return TRUE;
  if (!cli_parse_seconds (option, text, out, &error))
    cli_usage (command, "%s", error->message);
  else if (*out < 0)
    cli_usage (command, "%s: a number from 0, not %.40s", option, text);
  else
    return TRUE;
  return FALSE;
}

gboolean
cli_check_port (const char *command, int port)
{
  if (port >= 1 && port <= G_MAXUINT16)
    return TRUE;
  cli_usage (command, "--port: %d is no port, which is from 1 to 65535", port);
  return FALSE;
}

gboolean
cli_parse_count (const char *option, const char *text, guint64 *out, GError **error)
{
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, out, NULL))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "%s: '%s' is no whole number from 0 to 18446744073709551615", option, text);
  return FALSE;
}

/* --- the time that reading a model may take --- */

#define MAX_READ_LIMIT 86400

static guint read_limit = ORRERY_READ_LIMIT;

gboolean
cli_take_read_limit (const char *option, const char *value, gpointer data, GError **error)
{
  guint64 seconds;

  if (!g_ascii_string_to_unsigned (value, 10, 1, MAX_READ_LIMIT, &seconds, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--read-limit: '%s' is no number of seconds from 1 to %d", value, MAX_READ_LIMIT);
    return FALSE;
  }
  read_limit = (guint) seconds;
  return TRUE;
}

guint
cli_get_read_limit (void)
{
  return read_limit;
}
