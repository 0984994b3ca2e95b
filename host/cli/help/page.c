/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery man-page --markdown`: the page of all commands in the manual, made of the same tables as
 * the manual pages. */
#include "help.h"

#include <string.h>

/* --- text as Markdown has it --- */

/* The names of pages are links; a cell of a table has no bar and no end of a line. */
static void
append_text (GString *page, const char *text)
{
  g_autoptr (GRegex) names = g_regex_new ("(?<![\\w/-])[\\w-]+\\.md\\b", 0, 0, NULL);
  g_autofree char *linked = g_regex_replace (names, text, -1, 0, "[\\0](\\0)", 0, NULL);

  for (const char *c = linked; *c != '\0'; c++) {
    if (*c == '|' || *c == '<')
      g_string_append_c (page, '\\');
    g_string_append_c (page, *c == '\n' ? ' ' : *c);
  }
}

/* As the manual pages have it: texts of tables begin with a small letter, or have no full stop. */
static void
append_sentence (GString *page, const char *text)
{
  g_autofree char *sentence = g_strdup (text);

  *sentence = g_ascii_toupper (*sentence);
  append_text (page, sentence);
  if (!g_str_has_suffix (sentence, "."))
    g_string_append_c (page, '.');
}

static void
append_code (GString *page, const char *text)
{
  g_string_append_c (page, '`');
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '|')
      g_string_append_c (page, '\\');
    g_string_append_c (page, *c);
  }
  g_string_append_c (page, '`');
}

static void
append_topics (GString *page, const char *title, const char *name, const CliTopic *topics)
{
  g_string_append_printf (page, "\n## %s\n\n| %s | meaning |\n|---|---|\n", title, name);
  for (; topics->name != NULL; topics++) {
    g_string_append (page, "| ");
    append_code (page, topics->name);
    g_string_append (page, " | ");
    append_text (page, topics->words);
    g_string_append (page, " |\n");
  }
}

/* --- of a command --- */

static void
append_option (GString *page, const GOptionEntry *entry)
{
  g_autofree char *option =
      g_strdup_printf ("--%s%s%s", entry->long_name, entry->arg_description != NULL ? "=" : "",
                       entry->arg_description != NULL ? entry->arg_description : "");
  const char name[] = { '-', entry->short_name, '\0' };

  g_string_append (page, "| ");
  if (entry->short_name != 0) {
    append_code (page, name);
    g_string_append (page, ", ");
  }
  append_code (page, option);
  g_string_append (page, " | ");
  append_text (page, entry->description);
  g_string_append (page, " |\n");
}

static void
append_command (const CliSynopsis *synopsis, gpointer user_data)
{
  GString *page = user_data;
  const char *pages = cli_topic_find_pages (synopsis->command);
  gboolean is_verb = strchr (synopsis->command, ' ') != NULL;
  gboolean has_options = FALSE;

  g_string_append_printf (page, "\n%s orrery %s\n\n```\norrery %s [OPTION...]%s%s\n```\n\n",
                          is_verb ? "###" : "##", synopsis->command, synopsis->command,
                          *synopsis->arguments != '\0' ? " " : "", synopsis->arguments);
  append_sentence (page, synopsis->words);
  if (pages != NULL) {
    g_string_append (page, " More: ");
    append_text (page, pages);
    g_string_append_c (page, '.');
  }
  g_string_append (page, "\n\n");
  for (const GOptionEntry *entry = synopsis->entries; entry->long_name != NULL; entry++) {
    if ((entry->flags & G_OPTION_FLAG_HIDDEN) != 0)
      continue;
    if (!has_options)
      g_string_append (page, "| option | what it does |\n|---|---|\n");
    has_options = TRUE;
    append_option (page, entry);
  }
}

char *
cli_page_write (void)
{
  GString *page =
      g_string_new ("# Commands\n\n"
                    "All commands of `orrery` with their options, and what holds for all of them: "
                    "[exit codes](#exit-codes), [the environment](#environment), [files](#files). "
                    "`orrery COMMAND --help` and `man orrery-COMMAND` say the same.\n");

  for (const CliCommand *command = cli_get_commands (); command->name != NULL; command++) {
    cli_read_synopsis (command->run, append_command, page);
    if (command->run == cli_recording)
      for (const CliCommand *verb = cli_recording_get_verbs (); verb->name != NULL; verb++)
        cli_read_synopsis (verb->run, append_command, page);
  }
  append_topics (page, "Exit codes", "code", cli_exit_codes);
  append_topics (page, "Environment", "variable", cli_environment);
  append_topics (page, "Files", "file", cli_files);
  return g_string_free (page, FALSE);
}
