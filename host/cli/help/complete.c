/* SPDX-License-Identifier: BSD-3-Clause */
/* `orrery complete`: what the last word of a command line may become. Shells call it. */
#include "help.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* How long somebody waits at a prompt, s: for large scenes, and simulations that do not answer. */
#define PATIENCE 3

/* What takes longer has no candidates. */
static void
give_up (int number)
{
  _exit (CLI_OK);
}

static void
complete_command (const char *last)
{
  g_autoptr (CliCandidates) candidates = cli_candidates_new ("", last);

  for (const CliCommand *command = cli_get_commands (); command->name != NULL; command++)
    cli_candidates_add (candidates, command->name, command->words);
  if (*last == '-') {
    cli_candidates_add_option (candidates, "--help", "Print which commands there are");
    cli_candidates_add_option (candidates, "--version", "Print the version");
  }
  cli_candidates_print (candidates);
}

static void
complete_verb (const char *last)
{
  g_autoptr (CliCandidates) candidates = cli_candidates_new ("", last);

  for (const CliCommand *verb = cli_recording_get_verbs (); verb->name != NULL; verb++)
    cli_candidates_add (candidates, verb->name, NULL);
  if (*last == '-')
    cli_candidates_add_option (candidates, "--help", "Show help options");
  cli_candidates_print (candidates);
}

static const CliCommand *
find_verb (const char *name)
{
  for (const CliCommand *verb = cli_recording_get_verbs (); verb->name != NULL; verb++)
    if (strcmp (verb->name, name) == 0)
      return verb;
  return NULL;
}

static void
complete_line (const CliCommand *command, char **words)
{
  g_autoptr (CliLine) line = cli_line_new (command, words);
  g_autoptr (CliCandidates) candidates = cli_candidates_new (line->before, line->last);

  for (guint i = 0; line->wanted == NULL && i < line->options->len; i++)
    cli_candidates_add_option (candidates, line->options->pdata[i], line->options_words->pdata[i]);
  if (line->wanted != NULL)
    cli_sources_add (candidates, line);
  cli_candidates_print (candidates);
}

/* @words: of the line after `orrery`, up to the cursor; the last one is to be completed */
static void
complete (char **words)
{
  const CliCommand *command = words[1] != NULL ? cli_find_command (words[0]) : NULL;

  if (words[1] == NULL) {
    complete_command (words[0]);
    return;
  }
  words++;
  if (command != NULL && command->run == cli_recording) {
    if (words[1] == NULL) {
      complete_verb (words[0]);
      return;
    }
    command = find_verb (*words++);
  }
  if (command != NULL)
    complete_line (command, words);
}

int
cli_complete (int argc, char **argv)
{
  char **words = cli_cut_arguments (&argc, argv);
  const GOptionEntry entries[] = { { NULL } };
  char empty[] = "";
  char *none[] = { empty, NULL };

  if (!cli_parse ("complete", "-- WORD...",
                  "Prints a line for each word that the last one may become, with a tab and what "
                  "it is for; or `:files` and `:directories`, which shells know.",
                  entries, FALSE, 0, 0, &argc, &argv))
    return CLI_USAGE;
  /* A line is being edited: nothing may be printed between its letters. */
  cli_log_mute (TRUE);
  signal (SIGALRM, give_up);
  alarm (PATIENCE);
  complete (words != NULL && *words != NULL ? words : none);
  return CLI_OK;
}
