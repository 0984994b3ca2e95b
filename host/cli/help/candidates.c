/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates of a completion, as the scripts of the shells read them. */
#include "help.h"

#include <string.h>

/* More than anybody reads. */
#define MAX_CANDIDATES 5000

struct _CliCandidates {
  char *before;
  char *last;
  GHashTable *seen; /* (element-type utf8) */
  GString *lines;
};

CliCandidates *
cli_candidates_new (const char *before, const char *last)
{
  CliCandidates *candidates = g_new0 (CliCandidates, 1);

  candidates->before = g_strdup (before);
  candidates->last = g_strdup (last);
  candidates->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  candidates->lines = g_string_new (NULL);
  return candidates;
}

void
cli_candidates_free (CliCandidates *candidates)
{
  g_free (candidates->before);
  g_free (candidates->last);
  g_hash_table_unref (candidates->seen);
  g_string_free (candidates->lines, TRUE);
  g_free (candidates);
}

/* Names come from scenes and from simulations of anybody: what a shell would not read as one plain
 * word is no candidate. A shell reads more into a word that begins with one of these signs. */
static gboolean
is_plain (const char *word)
{
  if (!g_utf8_validate (word, -1, NULL) || strchr (":=%+@", *word) != NULL)
    return FALSE;
  for (const char *c = word; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar letter = g_utf8_get_char (c);

    if (letter < 0x80 ? !g_ascii_isalnum (*c) && strchr ("_./:=,@%+-", *c) == NULL
                      : !g_unichar_isalnum (letter))
      return FALSE;
  }
  return TRUE;
}

static void
add (CliCandidates *candidates, const char *word, const char *words)
{
  g_autofree char *safe = words != NULL ? orrery_escape_text (words, FALSE) : NULL;

  if (!g_str_has_prefix (word, candidates->last) || !is_plain (word) ||
      g_hash_table_size (candidates->seen) >= MAX_CANDIDATES ||
      !g_hash_table_add (candidates->seen, g_strdup (word)))
    return;
  g_string_append_printf (candidates->lines, "%s%s%s%s\n", candidates->before, word,
                          safe != NULL ? "\t" : "",
                          safe != NULL ? g_strdelimit (safe, "\n\r\t", ' ') : "");
}

void
cli_candidates_add (CliCandidates *candidates, const char *word, const char *words)
{
  if (*word != '-')
    add (candidates, word, words);
}

void
cli_candidates_add_option (CliCandidates *candidates, const char *word, const char *words)
{
  add (candidates, word, words);
}

void
cli_candidates_ask_shell (CliCandidates *candidates, const char *directive)
{
  g_string_append_printf (candidates->lines, "%s\n", directive);
}

void
cli_candidates_print (CliCandidates *candidates)
{
  cli_write (stdout, candidates->lines->str);
}
