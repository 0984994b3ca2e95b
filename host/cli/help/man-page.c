/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery man-page`: the manual page of a command, made of the tables that parse its options. */
#include "help.h"

#include <string.h>

/* --- text as roff has it --- */

/* A hyphen of roff is no minus, and what is between backquotes is bold. */
static void
append_text (GString *page, const char *text)
{
  gboolean is_bold = FALSE;

  /* At the start of a line they would begin a request. */
  if (*text == '.' || *text == '\'')
    g_string_append (page, "\\&");
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '`')
      g_string_append (page, (is_bold = !is_bold) ? "\\fB" : "\\fR");
    else if (*c == '\\')
      g_string_append (page, "\\e");
    else if (*c == '-')
      g_string_append (page, "\\-");
    else if (*c == '~')
      g_string_append (page, "\\(ti");
    else
      g_string_append_c (page, *c == '\n' ? ' ' : *c);
  }
}

static void
append_font (GString *page, const char *font, const char *text)
{
  g_string_append_printf (page, "\\f%s", font);
  append_text (page, text);
  g_string_append (page, "\\fR");
}

/* Texts of tables begin with a small letter, or have no full stop; here they are sentences. */
static void
append_sentence (GString *page, const char *text)
{
  g_autofree char *sentence = g_strdup (text);

  *sentence = g_ascii_toupper (*sentence);
  append_text (page, sentence);
  g_string_append (page, g_str_has_suffix (sentence, ".") ? "\n" : ".\n");
}

static void
append_topics (GString *page, const char *title, const CliTopic *topics)
{
  g_string_append_printf (page, ".SH %s\n", title);
  for (; topics->name != NULL; topics++) {
    g_string_append (page, ".TP\n");
    append_font (page, "B", topics->name);
    g_string_append_c (page, '\n');
    append_sentence (page, topics->words);
  }
}

/* No date of the clock: the same sources make the same page. */
static void
append_head (GString *page, const char *command)
{
  const char *epoch = g_getenv ("SOURCE_DATE_EPOCH");
  g_autofree char *title = g_strconcat ("orrery", command != NULL ? "-" : "", command, NULL);
  g_autofree char *upper = g_ascii_strup (title, -1);
  g_autoptr (GDateTime) date =
      epoch != NULL ? g_date_time_new_from_unix_utc (g_ascii_strtoll (epoch, NULL, 10)) : NULL;
  g_autofree char *day = date != NULL ? g_date_time_format (date, "%Y-%m-%d") : g_strdup ("");

  g_string_append (page, ".\\\" Made by `orrery man-page` of the tables of the program.\n.TH ");
  append_text (page, upper);
  g_string_append_printf (page, " 1 \"%s\" \"Orrery %s\" \"User Commands\"\n.SH NAME\n", day,
                          ORRERY_VERSION);
  append_text (page, title);
  g_string_append (page, " \\- ");
}

/* --- of a command --- */

static void
append_option (GString *page, const GOptionEntry *entry)
{
  g_string_append (page, ".TP\n");
  if (entry->short_name != 0) {
    const char name[] = { '-', entry->short_name, '\0' };

    append_font (page, "B", name);
    g_string_append (page, ", ");
  }
  g_string_append (page, "\\fB\\-\\-");
  append_text (page, entry->long_name);
  g_string_append (page, "\\fR");
  if (entry->arg_description != NULL) {
    g_string_append_c (page, '=');
    append_font (page, "I", entry->arg_description);
  }
  g_string_append_c (page, '\n');
  append_sentence (page, entry->description);
}

static void
append_options (GString *page, const GOptionEntry *entries)
{
  static const GOptionEntry help = {
    "help", 'h', 0, G_OPTION_ARG_NONE, NULL, "Print a summary of this page", NULL
  };

  append_option (page, &help);
  for (; entries->long_name != NULL; entries++)
    if ((entries->flags & G_OPTION_FLAG_HIDDEN) == 0)
      append_option (page, entries);
}

static void
append_synopsis (GString *page, const CliSynopsis *synopsis)
{
  append_font (page, "B", "orrery ");
  append_font (page, "B", synopsis->command);
  g_string_append (page, " [\\fIOPTION\\fR...] ");
  append_font (page, "I", synopsis->arguments);
  g_string_append_c (page, '\n');
}

static void
append_command (const CliSynopsis *synopsis, gpointer user_data)
{
  GString *page = user_data;

  g_string_append (page, ".SH SYNOPSIS\n");
  append_synopsis (page, synopsis);
  g_string_append (page, ".SH DESCRIPTION\n");
  append_sentence (page, synopsis->words);
  g_string_append (page, ".SH OPTIONS\n");
  append_options (page, synopsis->entries);
}

static void
append_verb (const CliSynopsis *synopsis, gpointer user_data)
{
  GString *page = user_data;

  g_string_append (page, ".SS ");
  append_text (page, strchr (synopsis->command, ' ') + 1);
  g_string_append_c (page, '\n');
  append_synopsis (page, synopsis);
  g_string_append (page, ".PP\n");
  append_sentence (page, synopsis->words);
  append_options (page, synopsis->entries);
}

static void
append_see_also (GString *page, const char *command)
{
  const char *pages = command != NULL ? cli_topic_find_pages (command) : "architecture.md";

  g_string_append (page, ".SH SEE ALSO\n");
  if (command != NULL)
    g_string_append (page, ".BR orrery (1)\n.PP\n");
  else
    for (const CliCommand *other = cli_get_commands (); other->name != NULL; other++) {
      g_string_append (page, ".BR orrery\\-");
      append_text (page, other->name);
      g_string_append_printf (page, " (1)%s\n", other[1].name != NULL ? "," : "\n.PP");
    }
  g_string_append (page, "The manual, which \\fBorrery help\\fR searches");
  if (pages != NULL) {
    g_string_append (page, ": ");
    append_text (page, pages);
  }
  g_string_append (page, ".\n");
}

static char *
write_command (const CliCommand *command)
{
  GString *page = g_string_new (NULL);

  append_head (page, command->name);
  append_text (page, command->words);
  g_string_append_c (page, '\n');
  cli_read_synopsis (command->run, append_command, page);
  if (command->run == cli_recording) {
    g_string_append (page, ".SH VERBS\n");
    for (const CliCommand *verb = cli_recording_get_verbs (); verb->name != NULL; verb++)
      cli_read_synopsis (verb->run, append_verb, page);
  }
  append_topics (page, "EXIT STATUS", cli_exit_codes);
  g_string_append (page, ".SH ENVIRONMENT\nSee \\fBorrery\\fR(1).\n");
  append_see_also (page, command->name);
  return g_string_free (page, FALSE);
}

/* --- of the program --- */

static char *
write_program (void)
{
  GString *page = g_string_new (NULL);

  append_head (page, NULL);
  g_string_append (page, "simulate robots without a display\n.SH SYNOPSIS\n"
                         "\\fBorrery\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] "
                         "[\\fIARGUMENT\\fR...]\n.br\n\\fBorrery \\-\\-help\\fR\n.br\n"
                         "\\fBorrery \\-\\-version\\fR\n.SH DESCRIPTION\n"
                         "Orrery simulates robots without a display; every part of it is a "
                         "plugin.\nEach command has a page of its own.\n.SH COMMANDS\n");
  for (const CliCommand *command = cli_get_commands (); command->name != NULL; command++) {
    g_string_append (page, ".TP\n");
    append_font (page, "B", command->name);
    g_string_append_c (page, '\n');
    append_sentence (page, command->words);
  }
  append_topics (page, "EXIT STATUS", cli_exit_codes);
  append_topics (page, "ENVIRONMENT", cli_environment);
  append_topics (page, "FILES", cli_files);
  append_see_also (page, NULL);
  return g_string_free (page, FALSE);
}

int
cli_man_page (int argc, char **argv)
{
  gboolean markdown = FALSE;
  const GOptionEntry entries[] = {
    { "markdown", 0, 0, G_OPTION_ARG_NONE, &markdown, "Write commands.md instead", NULL },
    { NULL },
  };
  const CliCommand *command = NULL;
  g_autofree char *page = NULL;

  if (!cli_parse ("man-page", "[COMMAND]",
                  "Writes the manual page of a command, or of the program.", entries, FALSE, 0, 1,
                  &argc, &argv))
    return CLI_USAGE;
  if (markdown && argc > 0)
    return cli_usage ("man-page", "--markdown is one page of all commands");
  if (argc > 0 && (command = cli_find_command (argv[0])) == NULL)
    return cli_usage ("man-page", "no command '%s'", argv[0]);
  page = markdown          ? cli_page_write ()
         : command != NULL ? write_command (command)
                           : write_program ();
  cli_write (stdout, page);
  return CLI_OK;
}
