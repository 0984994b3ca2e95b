/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the program says of itself: the tables, and those who print or search them. */

#include "../commands.h"
#include "../support/cli.h"

/* --- topics.c: tables --- */

typedef struct {
  const char *name;
  const char *words;
} CliTopic;

/* Each ended by one without a name. */
extern const CliTopic cli_exit_codes[];
extern const CliTopic cli_environment[];
extern const CliTopic cli_files[];

/* Returns: (nullable): the pages of the manual that explain a command, as
 * `run.md, time.md` */
const char *cli_topic_find_pages (const char *command);

/* --- line.c: a command line that is not complete yet, taken apart --- */

typedef struct {
  char **words; /* of the line after the command (and verb), the last one is to be completed */
  const char *command;      /* `run`, `recording cat`; NULL: none that there is */
  char *arguments;          /* as the command's help has them */
  GPtrArray *options;       /* (element-type utf8): `--seed`, or with a value `--seed=` */
  GPtrArray *options_words; /* (element-type utf8): what each is for */
  GPtrArray *places;        /* (element-type utf8): words that are neither options nor values */
  const char *last;         /* what is to be completed */
  char *before;             /* of it: what stays in front of each candidate, as `--config=` */
  char *wanted;             /* what the rest should be, as PATH=VALUE; NULL: an option */
  char *host;               /* of --host */
  guint port;               /* of --port */
} CliLine;

/* @words: those after the command (and verb), at least one */
CliLine *cli_line_new (const CliCommand *command, char **words);
void cli_line_free (CliLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliLine, cli_line_free)

/* --- candidates.c: what may stand at a place of the line --- */

typedef struct _CliCandidates CliCandidates;

/* @before: what stays in front of each; @last: how they have to begin */
CliCandidates *cli_candidates_new (const char *before, const char *last);
void cli_candidates_free (CliCandidates *candidates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliCandidates, cli_candidates_free)
/* Keeps a word if it begins right, and is one that shells and terminals take as it is.
 * @words: (nullable): what it is */
void cli_candidates_add (CliCandidates *candidates, const char *word, const char *words);
/* The same of an option; no other word begins with a hyphen, lest it is read as one. */
void cli_candidates_add_option (CliCandidates *candidates, const char *word, const char *words);
/* A line for the shell's own completion: `:files .mcap`, `:directories`. */
void cli_candidates_ask_shell (CliCandidates *candidates, const char *directive);
void cli_candidates_print (CliCandidates *candidates);

/* --- sources.c: where candidates come from --- */

/* Adds whatever fits what the line wants at its end. */
void cli_sources_add (CliCandidates *candidates, const CliLine *line);

/* --- parts.c: the names in a scene --- */

/* The parts of a scene, as `robot.pose`; nothing where @file is no scene in JSON. No script is run
 * and no plugin is opened.
 * @classpaths: (out): of each, "" where there is none */
GPtrArray *cli_parts_list (const char *file, GPtrArray **classpaths);

/* --- manual.c: the index of the manual --- */

typedef struct _CliManual CliManual;

/* A place of the manual; it belongs to the manual, but for @words, which are the caller's. */
typedef struct {
  const char *page;     /* the name of its file */
  const char *anchor;   /* "": above the first heading */
  const char *headings; /* from the title of the page down */
  const char *text;
  char **words; /* what was searched */
  guint n_words;
  guint score;
  guint number; /* of its line */
} CliHit;

/* Fails with %ORRERY_ERROR_NO_FILE. */
CliManual *cli_manual_open (GError **error);
void cli_manual_free (CliManual *manual);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliManual, cli_manual_free)
/* Returns: (transfer full) (element-type CliHit): the sections that have most of the words, best
 * first: one place of each, and of each page @of_page at most */
GArray *cli_manual_search (const CliManual *manual, char **words, guint of_page);
/* Returns: (transfer full): the path of its page, with the anchor; the name alone where the page is
 * not installed */
char *cli_manual_find_page (const CliManual *manual, const CliHit *hit);
/* Returns: (transfer full): a line about the first of the words, of @width columns at most */
char *cli_manual_make_context (const CliHit *hit, guint width, gboolean is_bold);
/* Returns: (transfer full): `; did you mean X` of words that the manual has, or "" */
char *cli_manual_find_nearest (const CliManual *manual, char **words);

/* --- page.c --- */

/* Returns: (transfer full): commands.md, the page of all commands, exit codes, variables, files */
char *cli_page_write (void);

/* --- tables.c --- */

/* Prints what the tables of the program say of a word: an option, an exit code, a variable.
 * Returns: how many lines */
guint cli_tables_print (const char *word);
