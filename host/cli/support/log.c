/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the log in MORSE's format. */
#include "cli.h"

#include <string.h>

/* The format is MORSE's, since tools that start simulators read it: `[ sssss.mmm] ` before what
 * informs and warns, nothing before errors, `[TEXT]` alone for a phase. */

/* Bytes of the first warning that are kept. */
#define MAX_WARNING 1000

static gint64 log_start;
static gboolean log_quiet;
static gboolean log_muted;
static gint services_port;
static gint sync_port;
static gint n_warnings;
static gint of_morse;
static char *first_warning; /* atomic */

static const char *
find_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++) {
    if (fields[i].length < 0 && strcmp (fields[i].key, key) == 0)
      return fields[i].value;
  }
  return NULL;
}

/* Any thread. */
static void
count_warning (const char *message)
{
  char *copy = NULL;

  g_atomic_int_inc (&n_warnings);
  if (g_atomic_pointer_get (&first_warning) != NULL)
    return;
  copy = g_strndup (message, MAX_WARNING);
  if (!g_atomic_pointer_compare_and_exchange (&first_warning, NULL, copy))
    g_free (copy);
}

/* `orrery` alone is the host; of a longer domain the last two parts say who speaks. */
static void
append_domain (GString *line, const char *domain)
{
  g_auto (GStrv) parts = NULL;
  guint n = 0;

  if (domain == NULL || strcmp (domain, "orrery") == 0)
    return;
  parts = g_strsplit (domain, ".", -1);
  n = g_strv_length (parts);
  if (n > 1)
    g_string_append_printf (line, "[%s.%s] ", parts[n - 2], parts[n - 1]);
  else
    g_string_append_printf (line, "[%s] ", domain);
}

static void
append_level (GString *line, GLogLevelFlags level)
{
  gboolean colours = cli_is_terminal (stderr);
  double seconds = (double) (g_get_monotonic_time () - log_start) / G_USEC_PER_SEC;

  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL)) {
    g_string_append (line, colours ? "\033[31m[ERROR]\033[0m " : "[ERROR] ");
    return;
  }
  g_string_append_printf (line, "[%9.3f] ", seconds);
  if (level & G_LOG_LEVEL_WARNING)
    g_string_append (line, colours ? "\033[33mwarning:\033[0m " : "warning: ");
}

/* The two lines by which the host says where clients may come, and the one of MORSE's scenes. */
static void
note (const char *message)
{
  static const struct {
    const char *words;
    gint *port;
  } known[] = { { "Socket service manager now listening on port ", &services_port },
                { "Creating clock synchronisation on port ", &sync_port } };

  if (g_str_has_prefix (message, "Morse configured in "))
    g_atomic_int_set (&of_morse, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (g_str_has_prefix (message, known[i].words))
      g_atomic_int_set (known[i].port,
                        (gint) g_ascii_strtoll (message + strlen (known[i].words), NULL, 10));
  }
}

/* What components of MORSE say with Python's logging is ours, too. */
static gboolean
is_ours (const char *domain)
{
  return domain != NULL && (g_str_has_prefix (domain, "orrery") || g_str_equal (domain, "morse"));
}

/* What somebody has set a level for is shown, --quiet or not; parts have said themselves what is
 * not to be shown. */
static gboolean
is_dropped (GLogLevelFlags level, const char *domain, gboolean asked, gboolean of_part)
{
  if (asked || (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)))
    return FALSE;
  if (log_quiet || !(of_part || is_ours (domain)))
    return log_quiet || g_log_writer_default_would_drop (level, domain);
  return (level & G_LOG_LEVEL_DEBUG) && g_log_writer_default_would_drop (level, domain);
}

/* GLib's own writer honours G_DEBUG; one that takes its place has to do so itself. */
static void
abort_if_fatal (GLogLevelFlags level)
{
  static const GDebugKey keys[] = {
    { "fatal-criticals", G_LOG_LEVEL_CRITICAL },
    { "fatal-warnings", G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING },
  };

  if (level & g_parse_debug_string (g_getenv ("G_DEBUG"), keys, G_N_ELEMENTS (keys)))
    G_BREAKPOINT ();
}

/* Above what begins there is an empty line. */
static void
log_section (const char *text, gboolean begins)
{
  g_autofree char *line = g_strdup_printf ("%s[%s]\n", begins ? "\n" : "", text);

  if (!log_quiet)
    cli_write (stderr, line);
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  const char *domain = find_field (fields, n_fields, "GLIB_DOMAIN");
  const char *message = find_field (fields, n_fields, "MESSAGE");
  const char *phase;
  g_autoptr (GString) line = NULL;
  g_autofree char *safe = NULL;
  g_autofree char *placed = NULL;

  if (message == NULL)
    return G_LOG_WRITER_UNHANDLED;
  if (log_muted)
    return G_LOG_WRITER_HANDLED;
  note (message);
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    count_warning (message);
  if (is_dropped (level, domain, find_field (fields, n_fields, "ORRERY_ASKED") != NULL,
                  find_field (fields, n_fields, "ORRERY_PART") != NULL))
    return G_LOG_WRITER_HANDLED;
  phase = find_field (fields, n_fields, "ORRERY_PHASE");
  if (phase != NULL) {
    log_section (message, strcmp (phase, "begin") == 0);
    return G_LOG_WRITER_HANDLED;
  }

  line = g_string_new (NULL);
  append_level (line, level);
  append_domain (line, domain);
  safe = orrery_escape_text (message, TRUE);
  placed = cli_map_places (safe, NULL);
  g_string_append_printf (line, "%s\n", placed);
  cli_write (stderr, line->str);
  abort_if_fatal (level);
  return G_LOG_WRITER_HANDLED;
}

void
cli_log_start (gboolean quiet)
{
  static gboolean is_set;

  log_start = g_get_monotonic_time ();
  log_quiet = quiet;
  log_muted = FALSE;
  g_atomic_int_set (&services_port, 0);
  g_atomic_int_set (&sync_port, 0);
  g_atomic_int_set (&n_warnings, 0);
  g_free (g_atomic_pointer_exchange (&first_warning, NULL));
  g_atomic_int_set (&of_morse, FALSE);
  /* GLib takes one for the whole process. */
  if (!is_set)
    g_log_set_writer_func (write_log, NULL, NULL);
  is_set = TRUE;
}

void
cli_log_mute (gboolean mute)
{
  log_muted = mute;
}

void
cli_log_begin (const char *text)
{
  log_section (text, TRUE);
}

void
cli_log_end (const char *text)
{
  log_section (text, FALSE);
}

gboolean
cli_log_is_of_morse (void)
{
  return g_atomic_int_get (&of_morse) || g_strcmp0 (g_getenv ("ORRERY_EXIT_CODES"), "morse") == 0;
}

guint
cli_log_get_n_warnings (void)
{
  return (guint) g_atomic_int_get (&n_warnings);
}

const char *
cli_log_get_first_warning (void)
{
  const char *first = g_atomic_pointer_get (&first_warning);

  return first != NULL ? first : "";
}

guint
cli_log_get_services_port (void)
{
  return (guint) g_atomic_int_get (&services_port);
}

guint
cli_log_get_sync_port (void)
{
  return (guint) g_atomic_int_get (&sync_port);
}
