/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery help`: the help of a command, or what the manual says of words. */
#include "help/help.h"
#include "commands.h"
#include "support/cli.h"

#include <string.h>

/* Of a terminal's page or so. */
#define USUAL_HITS 8
#define USUAL_HITS_OF_PAGE 3

/* Does not return where the command prints its help. */
static int
show_command (const CliCommand *command, const char *name)
{
  g_autofree char *own = g_strdup (name);
  char help[] = "--help";
  char *argv[] = { own, help, NULL };

  return command->run (2, argv);
}

static const CliCommand *
find_verb (const CliCommand *command, const char *name)
{
  const CliCommand *verb =
      command != NULL && command->run == cli_recording ? cli_recording_get_verbs () : NULL;

  for (; verb != NULL && verb->name != NULL; verb++)
    if (strcmp (verb->name, name) == 0)
      return verb;
  return NULL;
}

/* --- words --- */

static void
print_hit (const CliManual *manual, const CliHit *hit)
{
  gboolean is_bold = cli_is_terminal (stdout);
  guint columns = MIN (cli_get_columns (stdout), 100);
  g_autofree char *path = cli_manual_find_page (manual, hit);
  g_autofree char *context = cli_manual_make_context (hit, columns - 2, is_bold);

  fprintf (stdout, "%s%s%s\n  %s\n  %s\n\n", is_bold ? "\033[1m" : "", hit->headings,
           is_bold ? "\033[0m" : "", context, path);
}

static int
fail_unknown (const CliManual *manual, char **words)
{
  g_autofree char *all = g_strjoinv (" ", words);
  g_autofree char *nearest = cli_manual_find_nearest (manual, words);
  g_autoptr (GError) error = g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                                          "the manual has nothing on '%.80s'%s", all, nearest);

  return cli_fail (error);
}

static int
search (char **words, gboolean all)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CliManual) manual = cli_manual_open (&error);
  g_autoptr (GArray) hits = NULL;
  guint n_told;

  n_told = words[1] == NULL ? cli_tables_print (words[0]) : 0;
  if (manual == NULL)
    return cli_fail (error);
  hits = cli_manual_search (manual, words, all ? G_MAXUINT : USUAL_HITS_OF_PAGE);
  if (hits->len == 0)
    return n_told > 0 ? CLI_OK : fail_unknown (manual, words);
  if (n_told > 0)
    fputs ("\n", stdout);
  for (guint i = 0; i < hits->len && (all || i < USUAL_HITS); i++)
    print_hit (manual, &g_array_index (hits, CliHit, i));
  if (!all)
    fputs ("`--all` shows all places.\n", stdout);
  return CLI_OK;
}

int
cli_help (int argc, char **argv)
{
  gboolean all = FALSE, search_only = FALSE;
  const CliCommand *command, *verb;
  const GOptionEntry entries[] = {
    { "all", 0, 0, G_OPTION_ARG_NONE, &all, "Show all places, not the best alone", NULL },
    { "search", 0, 0, G_OPTION_ARG_NONE, &search_only,
      "Search for words that are names of commands, too", NULL },
    { NULL },
  };

  if (!cli_parse ("help", "[COMMAND | WORD...]",
                  "Prints the help of a command, or the places of the manual that have all of the "
                  "words,\nor most of them, in their headings or text. Options, exit codes, "
                  "variables of the\nenvironment, classpaths, properties and services are words, "
                  "too. Options stand after `--`.",
                  entries, FALSE, 0, G_MAXINT, &argc, &argv))
    return CLI_USAGE;
  if (argc > 0 && strcmp (argv[0], "--") == 0) {
    argc--;
    argv++;
  }
  if (argc == 0) {
    cli_print_help (stdout);
    return CLI_OK;
  }
  for (int i = 0; i < argc; i++)
    if (*argv[i] == '\0')
      return cli_usage ("help", "a word is empty");
  command = search_only ? NULL : cli_find_command (argv[0]);
  verb = argc == 2 ? find_verb (command, argv[1]) : NULL;
  if (verb != NULL)
    return show_command (verb, argv[1]);
  return command != NULL && argc == 1 ? show_command (command, argv[0]) : search (argv, all);
}
